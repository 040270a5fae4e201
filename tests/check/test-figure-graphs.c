/* SPDX-License-Identifier: MIT
 *
 * Fresh drawings of small graphs that shipped specs have not: nothing is found in them,
 * with the hints of the file and without.
 */
#include "tests/check/real-figure.h"

#include "render/output.h"
#include "spec/load.h"
#include "tests/layouts/random.h"

#include <string.h>

#define HEAD                                                                           \
    "opfig: 1\nname: graph\n"                                                          \
    "dims: {B: {is: 1}, T: {is: 4}, C: {is: 6}, D: {is: 3}}\n"                         \
    "inputs: {x: {shape: [B, T, 2*D]}}\n"

typedef struct Case {
    const char *name, *spec;
} Case;

static const Case cases[] = {
    {"panel-of-forks",
     HEAD "ops:\n  - group: parts\n    title: both parts\n    ops:\n"
          "      - {id: s, op: split, in: x, sizes: [D, D], out: [a, b]}\n"
          "  - {id: c, op: silu, in: a}\n  - {id: d, op: mul, in: [c, b]}\n"
          "outputs: [d]\n"},
    {"parts-in-any-order",
     HEAD "ops:\n  - {id: s, op: split, in: x, sizes: [D, D], out: [a, b]}\n"
          "  - {id: c, op: add, in: [b, a]}\noutputs: [c]\n"},
    {"parts-of-a-bar-in-any-order",
     HEAD "ops:\n  - {id: s, op: split, in: x, sizes: [1, 1, 1, 1, 2*D - 4], "
          "out: [a, b, c, d, e]}\n"
          "  - {id: f, op: add, in: [d, b]}\n  - {id: g, op: mul, in: [c, a]}\n"
          "  - {id: h, op: add, in: [f, g]}\n"
          "  - {id: i, op: silu, in: e}\noutputs: [h, i]\n"},
    {"panels-of-one-title",
     HEAD "ops:\n  - group: one\n    title: activation\n    ops:\n"
          "      - {id: a, op: silu, in: x}\n"
          "  - {id: b, op: gelu, in: a}\n"
          "  - group: two\n    title: activation\n    ops:\n"
          "      - {id: c, op: silu, in: b}\n"
          "      - group: inner\n        title: activation\n        ops:\n"
          "          - {id: d, op: gelu, in: c}\noutputs: [d]\n"},
};

static void
expect_sound(const Shown *shown, const char *text)
{
    FigSvg *svg = real_read(text);
    FigFigureReport *report = fig_figure_check(svg, shown->truth);
    if (report->n_findings) {
        g_autofree char *findings = real_findings(report);
        g_error("findings:\n%s%s", findings, text);
    }
    g_assert_cmpint(report->ops_found, ==, shown->record->n_ops);
    g_assert_cmpint(report->edges_found, ==, report->edges);
    fig_figure_report_free(report);
    fig_svg_free(svg);
}

static void
test_case(const void *data)
{
    const Case *one = data;
    g_autoptr(FigDiag) diag = fig_diag_new();
    const FigLoadOptions load = {.check_label = fig_text_check};
    FigGraph *graph =
        fig_spec_load_text("graph.yaml", one->spec, strlen(one->spec), &load, diag);
    shown_assert(diag);
    Shown shown;
    const FigLayoutOptions layout = {.options = ""};
    shown_make(&shown, graph, &layout);
    g_autoptr(GString) drawn = g_string_new(NULL);
    const FigWriteOptions write = {0};
    g_assert_true(fig_output_lookup("a.svg")->write(shown.scene, &write, drawn, NULL));
    expect_sound(&shown, drawn->str);
    g_autofree char *bare = real_without_hints(drawn->str);
    expect_sound(&shown, bare);
    shown_close(&shown);
}

/* Nothing is found but that labels of random records name no weights. */
static void
expect_no_findings(const Shown *shown, const char *text)
{
    FigSvg *svg = real_read(text);
    FigFigureReport *report = fig_figure_check(svg, shown->truth);
    for (int f = 0; f < report->n_findings; f++)
        if (strcmp(report->findings[f].kind, "weight") != 0)
            g_error("%s: %s: %s", shown->record->name, report->findings[f].kind,
                    report->findings[f].says);
    g_assert_cmpint(report->ops_found, ==, shown->record->n_ops);
    g_assert_cmpint(report->edges_found, ==, report->edges);
    fig_figure_report_free(report);
    fig_svg_free(svg);
}

static void
test_random(void)
{
    static const guint32 seeds[] = {
        251, /* the FLOPs of a panel on the row of a circle */
        9,   /* a bar behind the words of a fork */
        140, /* … before its step, led to, and a mark left of it */
        198, /* words of four lines along the bar of a fork */
        11,  /* a shape by an edge, on the row of a mark */
        57,  /* … and a name */
        159, /* a name alone */
        381, /* a shape that is that of the mark's value too */
        209, /* forks of one value along a line, nearer than dots are wide */
        170, /* … on lines half a point apart, more of them than two */
        72,  /* a dot of the rail, right before the head of its line */
    };
    g_autoptr(GError) error = NULL;
    FigFonts *fonts = fig_fonts_new(&error);
    g_assert_no_error(error);
    for (size_t i = 0; i < G_N_ELEMENTS(seeds); i++) {
        g_autoptr(FigDiag) diag = fig_diag_new();
        const FigLayoutOptions layout = {.options = ""};
        Shown shown = {.record = random_record(seeds[i], 0, 0)};
        shown.scene = fig_layout_place(shown.record, &layout, fonts, diag);
        shown_assert(diag);
        shown.truth = fig_truth_new(shown.record, shown.scene, NULL, NULL);
        g_autoptr(GString) drawn = g_string_new(NULL);
        const FigWriteOptions write = {0};
        g_assert_true(
            fig_output_lookup("a.svg")->write(shown.scene, &write, drawn, NULL));
        expect_no_findings(&shown, drawn->str);
        g_autofree char *bare = real_without_hints(drawn->str);
        expect_no_findings(&shown, bare);
        fig_truth_free(shown.truth);
        fig_scene_free(shown.scene);
        fig_record_free(shown.record);
    }
    fig_fonts_free(fonts);
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *path = g_strconcat("/figure-graphs/", cases[i].name, NULL);
        g_test_add_data_func(path, &cases[i], test_case);
    }
    g_test_add_func("/figure-graphs/random", test_random);
    return g_test_run();
}
