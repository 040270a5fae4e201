/* SPDX-License-Identifier: MIT
 *
 * Small specs for the tests of runs, loaded from memory.
 */
#ifndef FIG_TESTS_EXEC_SPECS_H
#define FIG_TESTS_EXEC_SPECS_H

#include "exec/run.h"
#include "spec/load.h"

#include <string.h>

static inline char *
messages(const FigDiag *diag)
{
    GString *text = g_string_new(NULL);
    fig_diag_print(diag, text, false);
    return g_string_free(text, FALSE);
}

static inline FigGraph *
load_text(const char *text, const FigOverride *dims)
{
    g_autoptr(FigDiag) diag = fig_diag_new();
    FigLoadOptions options = {.dims = dims};
    FigGraph *graph =
        fig_spec_load_text("test.yaml", text, strlen(text), &options, diag);
    g_autofree char *said = messages(diag);
    g_assert_cmpstr(said, ==, "");
    g_assert_nonnull(graph);
    return graph;
}

/* The shipped block; dims may be NULL. */
static inline FigGraph *
load_block(const FigOverride *dims)
{
    g_autofree char *path = g_build_filename(g_getenv("OPFIG_SOURCE"), "spec", "models",
                                             "olmo2-block.yaml", NULL);
    g_autoptr(FigDiag) diag = fig_diag_new();
    FigLoadOptions options = {.dims = dims};
    FigGraph *graph = fig_spec_load(path, &options, diag);
    g_autofree char *said = messages(diag);
    g_assert_cmpstr(said, ==, "");
    g_assert_nonnull(graph);
    return graph;
}

static inline FigRun *
run_graph(const FigGraph *graph, const FigRunOptions *options)
{
    g_autoptr(FigDiag) diag = fig_diag_new();
    FigRun *run = fig_run_new(graph, options, diag);
    g_autofree char *said = messages(diag);
    g_assert_cmpstr(said, ==, "");
    g_assert_nonnull(run);
    return run;
}

#endif
