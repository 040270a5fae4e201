/* SPDX-License-Identifier: MIT
 *
 * The edges of a run and its shapes, proved by disturbing them: an operand that is read
 * changes what comes out, all else that is in memory changes nothing, shapes hold where no
 * two dims are equal, and fast products give what the plain loops give.
 */
#ifndef FIG_CHECK_LIVE_H
#define FIG_CHECK_LIVE_H

#include "check/figure.h"
#include "exec/run.h"

enum { FIG_LIVE_SHAPES = 3 };

typedef struct FigLive {
    int operands, live; /* of all ops; those that change what their op writes */
    int ops, alone;     /* those that write the same when nothing else is as it was */
    int n_shapes;       /* runs on shapes, each at … */
    const char *shapes_at[FIG_LIVE_SHAPES]; /* … "B 3 T 5 C 44" */
    int n_values, shapes; /* values in these runs; with the shape that was declared */
    bool multiplied;      /* fast products were compared … */
    int products, same;   /* … one for each op and shapes; as the plain loops */
    const char *no_blas;  /* why they were not; NULL: not asked */
    int n_findings;
    const FigFinding *findings;
} FigLive;

/* Prove a graph at probe dims; products: compare the fast ones too.
 *
 * owns     arena
 * errors   it cannot run there, in diag; NULL
 */
const FigLive *fig_live_check(const FigGraph *graph, const FigSizes *probe,
                              uint64_t seed, bool products, FigArena *arena,
                              FigDiag *diag);

#endif
