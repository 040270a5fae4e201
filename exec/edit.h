/* SPDX-License-Identifier: MIT
 *
 * Edits of a run: "z *= 2", "q[..., :h_d] += 1", "W_q = 0", "layers.1.down *= 0". A value,
 * or a part of it, is changed once its numbers are there, and what follows sees it. What the value was made
 * from, and what it was a view of, stays as it was.
 */
#ifndef FIG_EXEC_EDIT_H
#define FIG_EXEC_EDIT_H

#include "spec/graph.h"

/* Entries of a value: along each axis those from `from` to before `to`. */
typedef struct FigPart {
    int value;
    int rank;
    int64_t from[FIG_LIMIT_RANK], to[FIG_LIMIT_RANK];
} FigPart;

typedef enum FigEditSign {
    FIG_EDIT_SET,   /* V = x */
    FIG_EDIT_ADD,   /* V += x */
    FIG_EDIT_MUL,   /* V *= x */
    FIG_EDIT_SHIFT, /* each entry is moved by a seeded number of the part's own size */
    FIG_EDIT_REPLACE, /* each entry becomes a seeded number of the part's own size */
    FIG_EDIT_DISTURB, /* the entries are moved and replaced by turns */
} FigEditSign;

typedef struct FigEdit {
    FigPart part;
    FigEditSign sign;
    double amount;         /* SET, ADD, MUL */
    const double *amounts; /* SET: one for each entry of the part, row-major; or NULL */
    uint64_t seed;         /* SHIFT, REPLACE, DISTURB */
    /* of a value in a repeat: in this pass alone, counted through all … */
    bool one_pass;
    int64_t pass; /* … repeats around it (exec/passes.h) */
} FigEdit;

/* All of a value at sizes. */
FigPart fig_part_whole(const FigGraph *graph, const FigSizes *sizes, int value);

/* The number that an index means; false with a message. */
typedef bool (*FigPartNumber)(const FigExpr *expr, void *data, double *number);

/* The entries that the indices of expr, a FIG_EXPR_INDEX, take from an array of these
 * sizes: a number takes one, a slice those from … to …, `...` all axes that no other index
 * speaks of; negative ones count from the end.
 *
 * owns     *single (may be NULL): which axes a number takes one entry of
 * errors   more indices than axes, a number that is not whole, nothing there, at the
 *          index's place; false
 */
bool fig_part_indices(const FigExpr *expr, int rank, const int64_t *size,
                      const char *const *axes, FigPartNumber number, void *data,
                      FigDiag *diag, FigPart *part, bool *single);

/* Read an edit; the numbers in it may be expressions over dims, at sizes, and constants. A
 * value in a repeat is meant in all its passes, or by "layers.1.down" in one.
 *
 * errors   not of the form, an unknown value, nothing there, at the place inside span
 *          (which may have no source); false
 */
bool fig_edit_parse(const FigGraph *graph, const FigSizes *sizes, const char *text,
                    FigSpan span, FigDiag *diag, FigEdit *edit);

/* Change a value, which has the sizes that the edit was read at. */
void fig_edit_apply(const FigEdit *edit, const FigView *value);

#endif
