/* SPDX-License-Identifier: MIT
 *
 * The small changes of a model: what a slip of the pen, or of the mind, would make of it.
 * Each is the text of an `edit:`, so that what was tried can be tried again by hand.
 */
#ifndef FIG_CHECK_CHANGES_H
#define FIG_CHECK_CHANGES_H

#include "spec/load.h"

typedef struct FigChange {
    const char *kind; /* "drop", "swap", "rewire", "retype", "set", "insert", "widen" */
    const char *edit; /* "[{set: probs, over: query}]" */
    int node;         /* the op that is changed first; -1: none */
    int attribute;    /* "set": which of its attributes; else -1 */
} FigChange;

/* A graph with more changes than this has others that are not in the table. */
enum {
    FIG_MOST_CHANGES = 20000,
};

/* The changes of a graph, at most FIG_MOST_CHANGES of them, the kinds by turns. Not every
 * one makes a model: what does not load is none.
 *
 * owns     arena
 */
const FigChange *fig_changes(const FigGraph *graph, FigArena *arena, int *n);

/* Load the graph's spec with a change (NULL: as it is), at the same dims and constants, without its claims.
 *
 * owns     the caller; free with fig_graph_free
 * errors   what the change breaks, in diag (NULL: silent); NULL
 */
FigGraph *fig_change_load(const FigGraph *graph, const char *edit, FigDiag *diag);

/* The sizes of a changed graph where dims are as in sizes; NULL: it has none there.
 *
 * owns     arena
 */
const FigSizes *fig_change_sizes(const FigGraph *graph, const FigSizes *sizes,
                                 const FigGraph *changed, FigArena *arena);

#endif
