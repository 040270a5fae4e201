/* SPDX-License-Identifier: MIT
 *
 * Files that a command reads and writes: what is written is never one that is read, nor
 * written twice.
 */
#ifndef FIG_CLI_APART_H
#define FIG_CLI_APART_H

#include "base/diag.h"

#include <glib.h>

typedef struct FigApart FigApart;

/* owns     the caller; free with fig_apart_free */
FigApart *fig_apart_new(void);
void fig_apart_free(FigApart *apart);

/* Note a file that is read, or written; option is what the person named it with, for the
 * message ("--trace"; "SPEC"). NULL is none; nor is what is read and not there. */
void fig_apart_read(FigApart *apart, const char *option, const char *path);
void fig_apart_written(FigApart *apart, const char *option, const char *path);

/* The same for the weights of a checkpoint: a file, an index with its files, or their
 * folder. */
void fig_apart_read_weights(FigApart *apart, const char *option, const char *path);

/* Can each file be written, and is it another one than all others, by whatever path? Devices
 * and pipes are no one's.
 *
 * errors   one message for each that is not, in diag; false
 */
bool fig_apart_check(const FigApart *apart, FigDiag *diag);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(FigApart, fig_apart_free)

#endif
