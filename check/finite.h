/* SPDX-License-Identifier: MIT
 *
 * Where a run stops to be numbers: the first op that gives NaN or ∞ though what it read
 * was numbers there. That a mask writes −∞ is as it should be; that it leaves a row nothing
 * else is not.
 */
#ifndef FIG_CHECK_FINITE_H
#define FIG_CHECK_FINITE_H

#include "exec/run.h"

typedef struct FigFinite {
    const FigGraph *graph;
    FigArena *arena;
    int node;          /* the op; -1: all that was written is numbers, or −∞ */
    const char *where; /* "‘probs’ is NaN at query = 0" */
    const char *cause; /* "‘mask’ is −∞ there at each key"; NULL: nothing to see */
} FigFinite;

/* Look at a run with this hook, in which `finite` stands from begin on.
 *
 * owns     what is found lives in arena
 */
FigRunHook fig_finite_begin(FigFinite *finite, const FigGraph *graph, FigArena *arena);

#endif
