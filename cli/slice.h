/* SPDX-License-Identifier: MIT
 *
 * "probs[0, :3]": a value of a run, or a part of it, printed.
 */
#ifndef FIG_CLI_SLICE_H
#define FIG_CLI_SLICE_H

#include "exec/run.h"

typedef struct FigSlice {
    const char *value; /* "probs", "q_rope.cos" */
    int n_ranges;
    struct {
        bool single; /* one index: the axis is dropped */
        bool has_from, has_to;
        int64_t from, to; /* negative: from the end */
    } ranges[FIG_LIMIT_RANK];
} FigSlice;

/* Parse a slice.
 *
 * owns     arena
 * errors   not of this form; in diag
 */
bool fig_slice_parse(const char *text, FigArena *arena, FigSlice *slice, FigDiag *diag);

/* Append the part of view as nested lists, digits significant digits a number; long axes
 * are shown with their first and last entries.
 *
 * errors   an index out of range, more ranges than axes; in diag
 */
bool fig_slice_print(const FigSlice *slice, const FigView *view, int digits,
                     GString *out, FigDiag *diag);

/* Is all that a slice takes in a value of these sizes?
 *
 * errors   an index that is outside, in diag; false
 */
bool fig_slice_check(const FigSlice *slice, int rank, const int64_t *size,
                     FigDiag *diag);

#endif
