/* SPDX-License-Identifier: MIT
 *
 * The figure of the shipped block, from its spec by way of its runs, for tests that lie
 * about it.
 */
#include "tests/check/real-figure.h"

#include "check/claims.h"
#include "layouts/layout.h"
#include "render/output.h"
#include "spec/load.h"

#include <string.h>

Real real;

static void
diag_assert(FigDiag *diag)
{
    if (fig_diag_errors(diag) == 0)
        return;
    g_autoptr(GString) text = g_string_new(NULL);
    fig_diag_print(diag, text, false);
    g_error("%s", text->str);
}

static char *
number_text(const char *expr, void *data)
{
    g_autoptr(FigDiag) diag = fig_diag_new();
    return fig_claims_number(real.graph, real.record, expr, diag);
}

void
real_make(void)
{
    g_autoptr(FigDiag) diag = fig_diag_new();
    g_autoptr(FigArena) arena = fig_arena_new();
    g_autoptr(GError) error = NULL;
    FigLoadOptions load = {.check_label = fig_text_check};
    g_autofree char *path = fig_spec_find("olmo2-block", diag);
    diag_assert(diag);
    real.graph = fig_spec_load(path, &load, diag);
    diag_assert(diag);
    const FigSizes *probe = fig_run_probe(real.graph, arena, diag);
    diag_assert(diag);
    FigRunOptions on_shapes = {0};
    g_autoptr(FigRun) shapes = fig_run_new(real.graph, &on_shapes, diag);
    FigRunOptions on_numbers = {
        .numeric = true, .type = FIG_F64, .naive = true, .sizes = probe};
    g_autoptr(FigRun) executed = fig_run_new(real.graph, &on_numbers, diag);
    diag_assert(diag);
    static const char *const none[] = {NULL};
    real.record = fig_record_new(real.graph, shapes, executed, NULL, none);
    FigClaimOptions claims = {.probe = probe};
    fig_claims_settle(real.graph, &claims, real.record, diag);
    diag_assert(diag);
    real.fonts = fig_fonts_new(&error);
    g_assert_no_error(error);
    FigLayoutOptions layout = {.options = ""};
    real.scene = fig_layout_place(real.record, &layout, real.fonts, diag);
    diag_assert(diag);
    GString *out = g_string_new(NULL);
    FigWriteOptions write = {0};
    g_assert_true(fig_output_lookup("a.svg")->write(real.scene, &write, out, NULL));
    real.svg = g_string_free(out, FALSE);
    real.truth = fig_truth_new(real.record, real.scene, number_text, NULL);
    real.truth_of_record = fig_truth_new(real.record, NULL, number_text, NULL);
}

FigSvg *
real_read(const char *text)
{
    g_autoptr(GError) error = NULL;
    FigSvg *svg = fig_svg_read("figure.svg", text, strlen(text), &error);
    g_assert_no_error(error);
    return svg;
}

FigFigureReport *
real_check(const char *text, bool with_fresh)
{
    FigSvg *svg = real_read(text);
    FigFigureReport *report =
        fig_figure_check(svg, with_fresh ? real.truth : real.truth_of_record);
    fig_svg_free(svg);
    return report;
}

char *
real_findings(const FigFigureReport *report)
{
    GString *out = g_string_new(NULL);
    for (int i = 0; i < report->n_findings; i++)
        g_string_append_printf(out, "  %d %s: %s | %s\n", report->findings[i].line,
                               report->findings[i].kind, report->findings[i].says,
                               report->findings[i].did);
    return g_string_free(out, FALSE);
}

char *
real_without_hints(const char *text)
{
    g_autoptr(GRegex) hint = g_regex_new(" (data-[a-z]+|id)=\"[^\"]*\"", 0, 0, NULL);
    g_autoptr(GRegex) metadata =
        g_regex_new("<metadata.*</metadata>\n", G_REGEX_DOTALL, 0, NULL);
    g_autofree char *bare = g_regex_replace_literal(metadata, text, -1, 0, "", 0, NULL);
    return g_regex_replace_literal(hint, bare, -1, 0, "", 0, NULL);
}

void
real_free(void)
{
    g_free(real.svg);
    fig_truth_free(real.truth);
    fig_truth_free(real.truth_of_record);
    fig_scene_free(real.scene);
    fig_fonts_free(real.fonts);
    fig_record_free(real.record);
    fig_graph_free(real.graph);
    memset(&real, 0, sizeof real);
}
