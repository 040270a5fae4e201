/* SPDX-License-Identifier: MIT
 *
 * The proof of a figure: what was read from the file, against what the run recorded.
 * Strangers first, then marks, edges, texts, classes, panels, claims and ink by geometry;
 * at the end, where there is one, a fresh drawing, which sees what the rules do not.
 */
#include "check/figure-scan.h"

#include "check/versions.h"
#include "render/output.h"

#include <string.h>

/* The proof compares everything drawn with everything else: a file with far more than
 * its record has, or far longer, is not worth the time. */
static bool
too_much(const FigSvg *svg, const FigRecord *record)
{
    enum { PIECES = 4 }; /* points and spans that count as much as a thing */
    return svg->n_leaves + svg->n_pieces / PIECES >
           2000 + 100 * (record->n_ops + record->n_values);
}

/* ---- the truth ---- */

/* Draw the scene and read it with the same reader. */
static void
read_fresh(FigTruth *truth)
{
    const FigOutput *output = fig_output_lookup("fresh.svg");
    const FigWriteOptions options = {0};

    truth->text = g_string_new(NULL);
    if (output && output->write(truth->scene, &options, truth->text, NULL))
        truth->drawing =
            fig_svg_read("a fresh drawing", truth->text->str, truth->text->len, NULL);
}

FigTruth *
fig_truth_new(const FigRecord *record, const FigScene *fresh, FigNumberText number,
              void *data)
{
    FigTruth *truth = g_new0(FigTruth, 1);
    truth->record = record;
    truth->scene = fresh;
    if (fresh)
        read_fresh(truth);
    truth->leaves = g_ptr_array_new();
    if (truth->drawing)
        fig_svg_leaves(truth->drawing->root, truth->leaves);
    truth->digest = fig_record_digest(record);
    truth->number = number;
    truth->data = data;
    truth->numbers = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    truth->plain = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    return truth;
}

void
fig_truth_free(FigTruth *truth)
{
    if (!truth)
        return;
    if (truth->text)
        g_string_free(truth->text, TRUE);
    fig_svg_free(truth->drawing);
    g_ptr_array_unref(truth->leaves);
    g_free(truth->digest);
    g_hash_table_unref(truth->numbers);
    g_hash_table_unref(truth->plain);
    g_free(truth);
}

const char *
fig_truth_number(FigTruth *truth, const char *expr)
{
    gpointer text = NULL;
    if (!g_hash_table_lookup_extended(truth->numbers, expr, NULL, &text)) {
        text = truth->number(expr, truth->data);
        g_hash_table_insert(truth->numbers, g_strdup(expr), text);
    }
    return text;
}

const char *
fig_truth_plain(FigTruth *truth, const char *label)
{
    char *plain = g_hash_table_lookup(truth->plain, label);
    if (!plain) {
        plain = fig_text_plain(label);
        g_hash_table_insert(truth->plain, g_strdup(label), plain);
    }
    return plain;
}

const char *
fig_truth_math(FigTruth *truth, const char *math)
{
    g_autofree char *label = g_strdup_printf("$%s$", math);
    return fig_truth_plain(truth, label);
}

/* ---- the proof ---- */

/* What the file says of where it comes from is said of this record. */
static void
prove_carried(FigScan *scan)
{
    const FigCarried *carried = &scan->svg->carried;
    const FigTruth *truth = scan->truth;
    const struct {
        const char *what, *seen, *right;
    } rows[] = {
        {"data-spec", carried->spec_name, truth->record->name},
        {"data-record", carried->digest,
         scan->versions.opfig ? NULL : truth->digest}, /* the version is in it */
        {"data-options", carried->options, truth->scene ? truth->scene->options : NULL},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
        if (rows[i].seen && rows[i].right && strcmp(rows[i].seen, rows[i].right) != 0)
            fig_scan_finding(
                scan, "record", 0,
                g_strdup_printf("%s=\"%.80s\"", rows[i].what, rows[i].seen),
                g_strdup_printf("of this run it is \"%.80s\"", rows[i].right));
    if (carried->spec_text && strcmp(carried->spec_text, truth->record->spec_text) != 0)
        fig_scan_finding(scan, "record", 0, g_strdup("carries another spec"),
                         g_strdup("than the one it is checked against"));
}

/* ---- against a fresh drawing ---- */

enum { FEW = 20 }; /* one in so many things moved is an edit, more are another layout */

/* Does what a figure says of the versions that drew it agree with itself? Only then may they
 * excuse anything. */
static bool
prove_versions(FigScan *scan)
{
    const FigCarried *carried = &scan->svg->carried;
    const FigTruth *truth = scan->truth;
    const char *wrong = NULL;
    if (scan->versions.opfig && !carried->digest)
        wrong = "it has no digest of a run by that version";
    else if (scan->versions.opfig && strcmp(carried->digest, truth->digest) == 0)
        wrong = "its digest is that of a run by the version here";
    else if (scan->versions.opfig && !fig_version_in_footer(scan))
        wrong = "its footer says otherwise";
    if (wrong)
        fig_scan_finding(scan, "record", 0,
                         g_strdup_printf("data-opfig=\"%.40s\"", carried->version),
                         g_strdup(wrong));
    return !wrong;
}

/* Compare to within so many points. How many things differ; findings are of them. */
static guint
compare_within(FigScan *scan, double slack)
{
    guint before = scan->findings->len;
    scan->slack = slack;
    fig_prove_fresh(scan);
    return scan->findings->len - before;
}

/* Forget the last findings, and the numbers that were proved with them. */
static void
forget(FigScan *scan, guint n, int numbers)
{
    g_array_set_size(scan->findings, scan->findings->len - n);
    scan->report->numbers = numbers;
}

/* Why versions that differ do not excuse places of which so many differ, or NULL. Fonts do
 * not where letters are as wide as here, whatever is said of them; another opfig does not
 * where it put nearly all where it is put here. */
static const char *
no_excuse(const FigScan *scan, guint n)
{
    bool as_wide = !scan->versions.fonts || fig_letters_as_wide(scan);
    if (!as_wide || (scan->versions.opfig && n * FEW > scan->leaves->len))
        return NULL;
    return scan->versions.opfig ? "nearly all stands where it is drawn here"
                                : "its letters are as wide as here";
}

/* As closely as the versions allow: to a digit; to what a letter of another width moves;
 * else words and looks. */
static void
prove_against_fresh(FigScan *scan)
{
    FigFigureReport *report = scan->report;
    int numbers = report->numbers;
    if (!scan->versions.differ || !prove_versions(scan)) {
        compare_within(scan, FIG_EXACT);
        return;
    }
    report->differ = scan->versions.differ;
    guint n = compare_within(scan, FIG_EXACT);
    if (n == 0)
        return;
    forget(scan, n, numbers);
    n = compare_within(scan, FIG_NEAR);
    if (n == 0) {
        report->not_compared = "places to less than 4 points";
        return;
    }
    const char *why = no_excuse(scan, n);
    if (why) {
        report->differ =
            fig_arena_printf(report->arena, "%s, but %s", report->differ, why);
        return;
    }
    forget(scan, n, numbers);
    report->not_compared = "places";
    fig_prove_words(scan);
    fig_prove_reading(scan);
}

FigFigureReport *
fig_figure_check(const FigSvg *svg, FigTruth *truth)
{
    const FigRecord *record = truth->record;
    FigArena *arena = fig_arena_new();
    FigFigureReport *report = fig_arena_new0(arena, FigFigureReport);
    report->arena = arena;
    if (too_much(svg, record)) {
        FigFinding *finding = fig_arena_new0(arena, FigFinding);
        finding->kind = "drawing";
        finding->says =
            fig_arena_printf(arena, "%d things of %d points and words are drawn",
                             svg->n_leaves, svg->n_pieces);
        finding->did = fig_arena_printf(arena, "%d ops ran", record->n_ops);
        report->findings = finding;
        report->n_findings = 1;
        report->ops = record->n_ops;
        return report;
    }
    g_autoptr(FigScan) scan = fig_scan_new(svg, truth, report);

    for (guint i = 0; i < svg->foreign->len; i++) {
        const FigFinding *f = &g_array_index(svg->foreign, FigFinding, i);
        fig_scan_finding(scan, f->kind, f->line, g_strdup(f->says), g_strdup(f->did));
    }
    if (!truth->scene && svg->style && strstr(svg->style, "@font-face"))
        fig_scan_finding(scan, "foreign", 0, g_strdup("brings fonts of its own"),
                         g_strdup("what they draw is not known"));
    if (truth->scene) {
        FigColour c = truth->scene->palette[FIG_INK_PAPER];
        scan->paper = fig_arena_printf(arena, "#%02x%02x%02x", c.r, c.g, c.b);
    }
    if (truth->drawing)
        scan->versions = fig_versions_compare(&svg->carried, record->version,
                                              truth->scene->fonts, arena);
    prove_carried(scan);
    fig_find_edges(scan);
    fig_prove_marks(scan);
    fig_prove_edges(scan);
    fig_prove_panels(scan);
    fig_prove_claims(scan);
    fig_prove_texts(scan);
    fig_prove_classes(scan);
    fig_prove_ink(scan);
    if (truth->drawing)
        prove_against_fresh(scan);

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
