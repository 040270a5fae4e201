/* SPDX-License-Identifier: MIT
 *
 * The numbers of a run as a file of tensors: every value, or those that --keep names, of
 * every pass of a repeat, under its own name, or under that of another library and with
 * its axes. Weights are in their own file already: they are written where --keep asks for
 * them, or where the library has names for nothing else.
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

/* Write the file; options are the run's, its file of weights still open.
 *
 * errors   two values under one name, axes that do not fit these sizes, the file cannot be
 *          written; false
 */
bool fig_trace_write(const FigTrace *trace, const FigGraph *graph, const FigRun *run,
                     const FigRunOptions *options, FigDiag *diag);

#endif
