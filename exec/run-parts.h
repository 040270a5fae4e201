/* SPDX-License-Identifier: MIT
 *
 * A run from the inside, for the files run-….c alone.
 */
#ifndef FIG_EXEC_RUN_PARTS_H
#define FIG_EXEC_RUN_PARTS_H

#include "exec/memory.h"
#include "exec/run.h"

struct FigRun {
    FigArena *arena;
    const FigGraph *graph;
    const FigRunOptions *options; /* only while it runs */
    const FigSizes *sizes;
    const FigMemory *plan; /* NULL: a shape run */
    const bool *own; /* [n_values] the others are another run's; NULL: all are own */
    void *pool;
    GPtrArray *extra; /* buffers that an exchanged operand made necessary */
    FigView *value;   /* [n_values] */
    int64_t *pass;    /* [n_groups] in which each repeat is */
    /* [n_kinds] the same sizes, for the ops of each kind */
    const FigSizes **kind_sizes;
    int n_steps;
    FigStep *steps;
    const char *evidence;
};

/* Bytes that can be taken without swapping. */
size_t fig_run_memory_free(void);

/* Refuse a run that would not fit into limit bytes: the figure, the value that takes most
 * and the dims it comes from. */
void fig_run_refuse(const FigGraph *graph, const FigSizes *sizes, const FigMemory *plan,
                    size_t limit, FigDiag *diag);

/* Change in a value what the options ask to, once its numbers are there. */
void fig_run_edit_value(const FigRun *run, int value);

/* Keep what a value is in this pass, where it is to be kept. */
void fig_run_keep_pass(const FigRun *run, int value);

/* Execute op n in the pass that run->pass says, and note what it read and wrote. */
void fig_run_execute(FigRun *run, int n);

#endif
