/* SPDX-License-Identifier: MIT
 *
 * The proof of a figure: what was read from the file, against what the run recorded.
 * Strangers first, then marks, edges, texts, classes, panels, claims and ink by geometry;
 * at the end, where there is one, a fresh drawing, which sees what the rules do not.
 */
#include "check/figure-scan.h"

#include "render/output.h"

#include <string.h>

/* The proof compares everything drawn with everything else: a file with far more than
 * its record has is not worth the time. */
static bool
too_much(const FigSvg *svg, const FigRecord *record)
{
    return svg->n_leaves > 2000 + 100 * (record->n_ops + record->n_values);
}

/* Draw the scene and read it with the same reader. */
static FigSvg *
read_fresh(const FigScene *scene)
{
    const FigOutput *output = fig_output_lookup("fresh.svg");
    const FigWriteOptions options = {0};
    g_autoptr(GString) text = g_string_new(NULL);

    if (!output || !output->write(scene, &options, text, NULL))
        return NULL;
    return fig_svg_read("a fresh drawing", text->str, text->len, NULL);
}

FigFigureReport *
fig_figure_check(const FigSvg *svg, const FigRecord *record, const FigScene *fresh,
                 FigNumberText number, void *data)
{
    FigArena *arena = fig_arena_new();
    FigFigureReport *report = fig_arena_new0(arena, FigFigureReport);
    report->arena = arena;
    if (too_much(svg, record)) {
        FigFinding *finding = fig_arena_new0(arena, FigFinding);
        finding->kind = "drawing";
        finding->says = fig_arena_printf(arena, "%d things are drawn", svg->n_leaves);
        finding->did = fig_arena_printf(arena, "%d ops ran", record->n_ops);
        report->findings = finding;
        report->n_findings = 1;
        report->ops = record->n_ops;
        return report;
    }
    g_autoptr(FigScan) scan = fig_scan_new(svg, record, report);
    FigSvg *drawing = fresh ? read_fresh(fresh) : NULL;

    for (guint i = 0; i < svg->foreign->len; i++) {
        const FigFinding *f = &g_array_index(svg->foreign, FigFinding, i);
        fig_scan_finding(scan, f->kind, f->line, g_strdup(f->says), g_strdup(f->did));
    }
    if (!fresh && svg->style && strstr(svg->style, "@font-face"))
        fig_scan_finding(scan, "foreign", 0, g_strdup("brings fonts of its own"),
                         g_strdup("what they draw is not known"));
    if (fresh) {
        FigColour c = fresh->palette[FIG_INK_PAPER];
        scan->paper = fig_arena_printf(arena, "#%02x%02x%02x", c.r, c.g, c.b);
    }
    fig_find_edges(scan);
    fig_prove_marks(scan);
    fig_prove_edges(scan);
    fig_prove_panels(scan);
    fig_prove_claims(scan);
    fig_prove_texts(scan, number, data);
    fig_prove_classes(scan);
    fig_prove_ink(scan, drawing != NULL);
    if (drawing)
        fig_prove_fresh(scan, drawing);
    fig_svg_free(drawing);

    report->n_findings = (int)scan->findings->len;
    report->findings = fig_arena_copy(arena, scan->findings->data,
                                      scan->findings->len * sizeof(FigFinding));
    return report;
}

void
fig_figure_report_free(FigFigureReport *report)
{
    if (report)
        fig_arena_free(report->arena); /* report itself lives there */
}
