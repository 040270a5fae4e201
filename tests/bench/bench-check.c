/* SPDX-License-Identifier: MIT
 *
 * How the time of proving a figure grows with its graph: blocks one under the other, of 300,
 * 1,200 and 4,800 ops, read back and held against their record and a fresh drawing. Four
 * times the ops may take six times as long; more, and it fails. The least of some rounds
 * counts, in CPU time, so that a busy machine changes little.
 *
 *   build/tests/bench/bench-check [ROUNDS]      5 by default
 */
#include "check/figure.h"
#include "render/output.h"
#include "tests/bench/network.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MOST_RATIO = 6 };

/* Read a figure and prove it; how many milliseconds that takes. */
static double
prove(const FigRecord *record, const FigScene *scene, const GString *drawn)
{
    clock_t began = clock();
    FigTruth *truth = fig_truth_new(record, scene, NULL, NULL);
    FigSvg *svg = fig_svg_read("network.svg", drawn->str, drawn->len, NULL);
    FigFigureReport *report = fig_figure_check(svg, truth);
    double taken = 1e3 * (double)(clock() - began) / CLOCKS_PER_SEC;

    if (report->ops_found != record->n_ops || report->edges_found != report->edges)
        g_error("%d of %d ops and %d of %d edges are found", report->ops_found,
                record->n_ops, report->edges_found, report->edges);
    fig_figure_report_free(report);
    fig_svg_free(svg);
    fig_truth_free(truth);
    return taken;
}

static double
milliseconds(int n_ops, FigFonts *fonts, int rounds)
{
    FigRecord *record = network(n_ops / BLOCK_OPS);
    FigScene *scene = draw(record, NULL, fonts);
    g_autoptr(GString) drawn = g_string_new(NULL);
    const FigWriteOptions options = {0};
    double least = INFINITY;

    if (!fig_output_lookup("a.svg")->write(scene, &options, drawn, NULL))
        g_error("not drawn");
    for (int i = 0; i < rounds; i++)
        least = MIN(least, prove(record, scene, drawn));
    fig_scene_free(scene);
    fig_record_free(record);
    return least;
}

int
main(int argc, char **argv)
{
    static const int sizes[] = {300, 1200, 4800};
    int rounds = argc > 1 ? MAX(1, atoi(argv[1])) : 5;
    double before = 0, ratio = 0;
    FigFonts *fonts;

    g_setenv("OPFIG_SOURCE", ".", FALSE);
    fonts = open_fonts();
    printf(
        "| proving blocks one under the other | least CPU ms of %d | times as long |\n"
        "| --- | ---: | ---: |\n",
        rounds);
    for (size_t i = 0; i < G_N_ELEMENTS(sizes); i++) {
        double taken = milliseconds(sizes[i], fonts, rounds);

        ratio = before > 0 ? taken / before : 1;
        printf("| %d ops | %.1f | %.1f |\n", sizes[i], taken, ratio);
        fflush(stdout);
        before = taken;
    }
    printf("\nfour times the ops: %.1f times as long (at most %d)\n", ratio,
           (int)MOST_RATIO);
    fig_fonts_free(fonts);
    return ratio > MOST_RATIO;
}
