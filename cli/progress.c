/* SPDX-License-Identifier: MIT
 *
 * One line on standard error, rewritten before each op or other step.
 */
#include "cli/progress.h"

#include <stdio.h>
#include <unistd.h>

static void
show(FigProgress *progress, const char *what, const char *name)
{
    if (!progress->terminal ||
        g_get_monotonic_time() - progress->start < G_USEC_PER_SEC)
        return;
    progress->shown = true;
    fprintf(stderr, "\r\033[K%s %d of %d: %s", what, progress->done + 1,
            progress->wanted, name);
    fflush(stderr);
}

static void
before(int node, FigCall *call, FigView *in, void *data)
{
    (void)call;
    (void)in;
    FigProgress *progress = data;
    show(progress, "op", progress->graph->nodes[node].id);
}

static void
after(int node, const FigCall *call, void *data)
{
    (void)node;
    (void)call;
    ((FigProgress *)data)->done++;
}

void
fig_progress_start(FigProgress *progress, const FigGraph *graph, bool quiet)
{
    int wanted = 0;
    for (int n = 0; n < graph->n_nodes; n++)
        wanted += (int)fig_graph_passes(graph, NULL, graph->nodes[n].repeat);
    fig_progress_begin(progress, wanted, quiet);
    progress->graph = graph;
    progress->hook = (FigRunHook){before, after, progress};
}

void
fig_progress_begin(FigProgress *progress, int wanted, bool quiet)
{
    *progress = (FigProgress){.start = g_get_monotonic_time(),
                              .wanted = wanted,
                              .terminal = !quiet && isatty(STDERR_FILENO)};
}

void
fig_progress_step(FigProgress *progress, const char *what, const char *name)
{
    show(progress, what, name);
    progress->done++;
}

void
fig_progress_finish(FigProgress *progress)
{
    if (progress->shown)
        fputs("\r\033[K", stderr);
}
