/* SPDX-License-Identifier: MIT
 *
 * Where each value of a run lies in memory, decided before anything is allocated. The
 * ops are walked once on views without data: a result is a view of its operand where the
 * op can give one, else a buffer; a buffer lives from the op that writes it to the last
 * reader of any value in it (or to the end, where kept), and buffers whose lives do not
 * meet share the same bytes of one pool. So the need is known, exactly, beforehand.
 *
 * In a repeat the steps of one pass share their bytes with those of the next. What is
 * carried on lives until the pass is over, what it became at the start of a pass as long,
 * so that neither is written over the other; what is read from outside lives through all
 * passes.
 */
#ifndef FIG_EXEC_MEMORY_H
#define FIG_EXEC_MEMORY_H

#include "exec/run.h"

/* An inner table to keep: "q_rope.cos". */
typedef struct FigExposure {
    const char *id;
    int node;
    const FigExpose *expose;
    int64_t number; /* of the pass, -1: the last */
    FigView view;
    int buffer;
} FigExposure;

typedef struct FigMemory {
    const FigView *value; /* [n_values]; data counts from the start of its buffer */
    const int *buffer;    /* [n_values] */
    const int *first;     /* [n_values] the step that writes it; -1: there before all */
    const int *last;      /* [n_values] the last step that needs it; n_nodes: kept */
    /* [n_values] of a value in a repeat that is kept: the buffer where its numbers of all
     * passes lie one behind the other, dense; -1: none */
    const int *copies;
    const bool *as_view; /* [n_nodes] results are views of the first operand */
    int n_exposed;
    FigExposure *exposed;
    int n_buffers;
    const size_t *offset; /* [n_buffers] bytes from the start of the pool */
    size_t bytes;         /* of the pool; SIZE_MAX: beyond any machine */
    int largest;          /* the value whose buffer is the largest */
} FigMemory;

/* Plan a run. Names in options->keep that mean nothing are passed over.
 *
 * owns     arena
 */
FigMemory *fig_memory_plan(const FigGraph *graph, const FigRunOptions *options,
                           const FigSizes *sizes, FigArena *arena);

/* The numbers of a kept value in one of its passes, or NULL data. */
FigView fig_memory_copy(const FigMemory *plan, int value, int64_t number, void *pool);

/* A planned view as it lies in the pool. */
FigView fig_memory_place(const FigMemory *plan, const FigView *view, int buffer,
                         void *pool);

/* Find "q_rope.cos", or "layers.2.q_rope.cos" of one pass (where sizes is not NULL): the
 * node, the table and the number of the pass, or -1 (number may be NULL); false when there
 * is no such one. */
bool fig_memory_exposure(const FigGraph *graph, const FigSizes *sizes, const char *name,
                         int *node, const FigExpose **expose, int64_t *number);

#endif
