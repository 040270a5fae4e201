/* SPDX-License-Identifier: MIT
 *
 * From a graph to its scene.
 */
#include "tests/check/shown.h"

#include "check/claims.h"

void
shown_assert(const FigDiag *diag)
{
    if (fig_diag_errors(diag) == 0)
        return;
    g_autoptr(GString) text = g_string_new(NULL);
    fig_diag_print(diag, text, false);
    g_error("%s", text->str);
}

char *
shown_number(const char *expr, void *data)
{
    const Shown *shown = data;
    g_autoptr(FigDiag) diag = fig_diag_new();
    return fig_claims_number(shown->graph, shown->record, expr, diag);
}

void
shown_make(Shown *shown, FigGraph *graph, const FigLayoutOptions *layout)
{
    g_autoptr(FigDiag) diag = fig_diag_new();
    g_autoptr(FigArena) arena = fig_arena_new();
    g_autoptr(GError) error = NULL;
    const FigSizes *probe = fig_run_probe(graph, arena, diag);
    shown_assert(diag);
    FigRunOptions on_shapes = {0};
    FigRunOptions on_numbers = {
        .numeric = true, .type = FIG_F64, .naive = true, .sizes = probe};
    g_autoptr(FigRun) shapes = fig_run_new(graph, &on_shapes, diag);
    g_autoptr(FigRun) executed = fig_run_new(graph, &on_numbers, diag);
    shown_assert(diag);
    static const char *const none[] = {NULL};
    shown->graph = graph;
    shown->record = fig_record_new(graph, shapes, executed, NULL, none);
    FigClaimOptions claims = {.probe = probe};
    fig_claims_settle(graph, &claims, shown->record, diag);
    shown_assert(diag);
    shown->fonts = fig_fonts_new(&error);
    g_assert_no_error(error);
    shown->scene = fig_layout_place(shown->record, layout, shown->fonts, diag);
    shown_assert(diag);
    shown->truth = fig_truth_new(shown->record, shown->scene, shown_number, shown);
}

void
shown_close(Shown *shown)
{
    fig_truth_free(shown->truth);
    fig_scene_free(shown->scene);
    fig_fonts_free(shown->fonts);
    fig_record_free(shown->record);
    fig_graph_free(shown->graph);
}
