/* SPDX-License-Identifier: MIT
 *
 * The person's mistakes: collected with their place, printed with line, caret, notes and
 * hints. Troubles of the world (a file that cannot be opened) are GError; faults of ours
 * are g_assert. A stage returns bool, takes a FigDiag and goes on after a mistake where it
 * can, so that one run reports up to FIG_LIMIT_ERRORS of them; what depends on a failed
 * element stays silent, so that one mistake gives one message.
 */
#ifndef FIG_BASE_DIAG_H
#define FIG_BASE_DIAG_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* The text of one file, kept as long as anything points into it (a FigDiag keeps its own
 * copy). */
typedef struct FigSource {
    const char *name; /* as the person wrote it: printed before the line number */
    const char *text; /* NUL-terminated UTF-8 */
    size_t length;    /* bytes, without the NUL */
} FigSource;

/* A place in a source: what every graph element keeps. */
typedef struct FigSpan {
    const FigSource *source; /* NULL: no place (an option of the command line, say) */
    size_t offset;           /* bytes from the start of the text */
    size_t length;           /* bytes; clipped to the first line when printed */
    int line;                /* one-based */
    int column;              /* one-based, in characters (code points) */
} FigSpan;

typedef struct FigDiag FigDiag;
typedef struct FigMessage FigMessage; /* one error or warning, to hang notes on */

/* Make an empty collector.
 *
 * owns     the caller; free with fig_diag_free
 */
FigDiag *fig_diag_new(void);
void fig_diag_free(FigDiag *diag);

/* Report an error. Lower case, no full stop; what was found, then what was wanted; the
 * person's own word in ‘quotes’. A NULL diag stays silent and gives NULL, which the functions
 * below accept.
 *
 * owns     diag; the message lives as long as it. NULL beyond some thousand messages
 */
FigMessage *fig_diag_error(FigDiag *diag, FigSpan at, const char *format, ...)
    G_GNUC_PRINTF(3, 4);

/* Report a warning; it counts as an error when diag is strict.
 *
 * owns     diag
 */
FigMessage *fig_diag_warning(FigDiag *diag, FigSpan at, const char *format, ...)
    G_GNUC_PRINTF(3, 4);

/* Add `= note: …` under a message; with a place of its own it is printed as a message. */
void fig_message_note(FigMessage *message, const char *format, ...) G_GNUC_PRINTF(2, 3);
void fig_message_note_at(FigMessage *message, FigSpan at, const char *format, ...)
    G_GNUC_PRINTF(3, 4);

/* Add `= hint: …`: only what is probably right. */
void fig_message_hint(FigMessage *message, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* Add the hint «did you mean ‘…’?» when one of the NULL-terminated words is close. */
void fig_message_suggest(FigMessage *message, const char *word,
                         const char *const *words);

void fig_diag_set_strict(FigDiag *diag, bool strict);

/* How many errors (and, when strict, warnings) have been reported, printed or not. */
int fig_diag_errors(const FigDiag *diag);
int fig_diag_warnings(const FigDiag *diag);

/* Append all messages, in order of their place, as text.
 *
 *   spec/models/tiny.yaml:12:9: error: unknown op ‘sofmax’
 *      12 |   - {id: a, op: sofmax, in: x}
 *         |                 ^^^^^^
 *         = hint: did you mean ‘softmax’?
 *
 * Carets are as wide as the token in terminal cells. With colour, ANSI escapes; control
 * characters of the source are never passed on to the terminal.
 */
void fig_diag_print(const FigDiag *diag, GString *out, bool colour);

/* The part of span from offset on, length bytes long (for a place inside a scalar whose
 * text stands verbatim in the source). */
FigSpan fig_span_inside(FigSpan span, size_t offset, size_t length);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(FigDiag, fig_diag_free)

#endif
