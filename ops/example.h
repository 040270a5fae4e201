/* SPDX-License-Identifier: MIT
 *
 * The examples of a row: tiny inputs and the right output, run as a test, printed in the
 * docs.
 *
 *   x = [[1 2] [3 4]], over = 1 -> y = [[0.27 0.73] [0.27 0.73]]; …
 *
 * Left of the arrow stand operands and attributes by name, right of it the results in
 * order. Lists nest as the axes do, entries are parted by spaces, `inf` and `nan` are
 * numbers; an axis is given by its index. "; " parts examples.
 */
#ifndef FIG_OPS_EXAMPLE_H
#define FIG_OPS_EXAMPLE_H

#include "ops/op.h"

typedef struct FigExampleEntry {
    const char *name;
    const char *text; /* the value as written */
    int rank;         /* 0: a number or a word */
    int64_t size[FIG_LIMIT_RANK];
    int64_t count;        /* of numbers; 0: a word */
    const double *number; /* [count], row-major */
} FigExampleEntry;

typedef struct FigExample {
    int n_given, n_wanted;
    const FigExampleEntry *given;  /* [n_given] */
    const FigExampleEntry *wanted; /* [n_wanted] */
} FigExample;

/* Read all examples of a text.
 *
 * owns     arena; *why is the caller's
 * errors   NULL, with *why set: a list that is ragged or not closed, no arrow, no value
 */
const FigExample *fig_example_read(const char *text, FigArena *arena, int *count,
                                   char **why);

/* The entry of that name left of the arrow, or NULL. */
const FigExampleEntry *fig_example_given(const FigExample *example, const char *name);

/* The attributes of op as an example gives them, the others at their defaults.
 *
 * owns     arena
 */
FigAttrValue *fig_example_attrs(const FigOp *op, const FigExample *example,
                                FigArena *arena);

#endif
