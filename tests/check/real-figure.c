/* SPDX-License-Identifier: MIT
 *
 * The figure of the shipped block, from its spec by way of its runs, for tests that lie
 * about it.
 */
#include "tests/check/real-figure.h"

#include "render/output.h"
#include "spec/load.h"

#include <string.h>

Real real;

void
real_make(void)
{
    g_autoptr(FigDiag) diag = fig_diag_new();
    FigLoadOptions load = {.check_label = fig_text_check};
    g_autofree char *path = fig_spec_find("olmo2-block", diag);
    shown_assert(diag);
    FigGraph *graph = fig_spec_load(path, &load, diag);
    shown_assert(diag);
    const FigLayoutOptions layout = {.options = ""};
    shown_make(&real.shown, graph, &layout);
    GString *out = g_string_new(NULL);
    FigWriteOptions write = {0};
    g_assert_true(
        fig_output_lookup("a.svg")->write(real.shown.scene, &write, out, NULL));
    real.svg = g_string_free(out, FALSE);
    real.truth_of_record =
        fig_truth_new(real.shown.record, NULL, shown_number, &real.shown);
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
        fig_figure_check(svg, with_fresh ? real.shown.truth : real.truth_of_record);
    fig_svg_free(svg);
    return report;
}

char *
real_replace(const char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);
    if (!at)
        g_error("‘%s’ is not in the figure", from);
    g_autofree char *before = g_strndup(text, (gsize)(at - text));
    return g_strconcat(before, to, at + strlen(from), NULL);
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
    fig_truth_free(real.truth_of_record);
    shown_close(&real.shown);
    memset(&real, 0, sizeof real);
}
