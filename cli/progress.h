/* SPDX-License-Identifier: MIT
 *
 * Progress on a terminal: nothing in the first second, nothing in a pipe.
 */
#ifndef FIG_CLI_PROGRESS_H
#define FIG_CLI_PROGRESS_H

#include "exec/run.h"

typedef struct FigProgress {
    const FigGraph *graph;
    int64_t start;    /* microseconds */
    int done, wanted; /* ops, or figures */
    bool terminal, shown;
    FigRunHook hook;
} FigProgress;

/* Prepare progress->hook for a run of graph. */
void fig_progress_start(FigProgress *progress, const FigGraph *graph, bool quiet);

/* Prepare progress for other work of so many steps; tell that the next begins. */
void fig_progress_begin(FigProgress *progress, int wanted, bool quiet);
void fig_progress_step(FigProgress *progress, const char *what, const char *name);

/* Wipe the line, if one was shown. */
void fig_progress_finish(FigProgress *progress);

#endif
