/* SPDX-License-Identifier: MIT
 *
 * What the files that make a record share. All that these functions return lives in the
 * recorder's arena or in the graph.
 */
#ifndef FIG_EXEC_RECORDER_PARTS_H
#define FIG_EXEC_RECORDER_PARTS_H

#include "exec/recorder.h"

typedef struct FigRecorder {
    const FigGraph *graph;
    const FigRun *shapes, *executed, *measured;
    FigArena *arena;
    FigRecord *record;
    bool *weighty; /* [n_values] a weight or made of weights alone */
} FigRecorder;

/* A shape in the language of specs; names: the names of its axes, after their sizes where
 * they have none. */
const char *const *fig_recorder_shape(FigRecorder *r, const FigShape *shape,
                                      bool names);
const int64_t *fig_recorder_sizes(FigRecorder *r, const FigView *view);

/* ---- recorder-ops.c ---- */

/* Every op that was executed, in order: what it read and wrote, its class and cost. */
void fig_recorder_ops(FigRecorder *r);
/* Assert that two runs tell the same of an op. One that carries a value on reads its second
 * operand only in a second pass, which a run may not come to. */
void fig_recorder_agree(const FigGraph *graph, const FigStep *step,
                        const FigStep *other);

#endif
