/* SPDX-License-Identifier: MIT
 *
 * The numbers of a run as a file of tensors: every value, or those that --keep names, of
 * every pass of a repeat, under its own name or that of another library.
 */
#ifndef FIG_CLI_TRACE_H
#define FIG_CLI_TRACE_H

#include "exec/run.h"

typedef struct FigTrace {
    const char *path;
    char **keep; /* --keep: names and patterns such as layers.*.probs; NULL: all */
    const char *names; /* --names: a library of `aka:`; NULL: our own names */
    int layer;         /* for {layer} in those names */
    bool all;          /* inner tables too, under their own names */
} FigTrace;

/* What a run has to keep for it: ids, ended by NULL.
 *
 * owns     arena
 * errors   a name that means no value, a library that no value has a name in; NULL
 */
const char *const *fig_trace_keep(const FigTrace *trace, const FigGraph *graph,
                                  FigArena *arena, FigDiag *diag);

/* Write the file.
 *
 * errors   two values under one name, the file cannot be written; false
 */
bool fig_trace_write(const FigTrace *trace, const FigGraph *graph, const FigRun *run,
                     FigDiag *diag);

#endif
