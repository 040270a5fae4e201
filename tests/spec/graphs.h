/* SPDX-License-Identifier: MIT
 *
 * Specs that load without a word, as graphs.
 */
#ifndef FIG_TESTS_SPEC_GRAPHS_H
#define FIG_TESTS_SPEC_GRAPHS_H

#include "spec/load.h"

#include <string.h>

static FigGraph *
load(const char *text, const FigOverride *dims, const FigOverride *set)
{
    g_autoptr(FigDiag) diag = fig_diag_new();
    FigLoadOptions options = {.dims = dims, .set = set};
    FigGraph *graph = fig_spec_load_text("a.yaml", text, strlen(text), &options, diag);
    g_autoptr(GString) out = g_string_new(NULL);
    fig_diag_print(diag, out, false);
    g_assert_cmpstr(out->str, ==, "");
    g_assert_nonnull(graph);
    return graph;
}

static FigGraph *
load_block(const FigOverride *dims, const FigOverride *set)
{
    g_autoptr(FigDiag) diag = fig_diag_new();
    g_autofree char *path = fig_spec_find("olmo2-block", diag);
    g_assert_nonnull(path);
    FigLoadOptions options = {.dims = dims, .set = set};
    FigGraph *graph = fig_spec_load(path, &options, diag);
    g_assert_nonnull(graph);
    g_assert_cmpint(fig_diag_errors(diag), ==, 0);
    return graph;
}

static const FigValue *
value_of(const FigGraph *graph, const char *id)
{
    int i = fig_graph_value(graph, id);
    g_assert_cmpint(i, >=, 0);
    return &graph->values[i];
}

#endif
