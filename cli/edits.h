/* SPDX-License-Identifier: MIT
 *
 * The edits of a run: --edit 'layers.1.down *= 0', --edit 'z = FILE.npy'.
 */
#ifndef FIG_CLI_EDITS_H
#define FIG_CLI_EDITS_H

#include "cli/work.h"

/* FILE.npy of "V = FILE.npy".
 *
 * owns     the caller; NULL: the edit has none
 */
char *fig_edit_file(const char *text);

/* Read the edits given, at the dims drawn of the loaded graph, into run.
 *
 * owns     work's arena
 * errors   what is no edit, an array of other sizes, in work->diag; false
 */
bool fig_edits_read(FigWork *work, char **given, FigRunOptions *run);

#endif
