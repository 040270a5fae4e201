/* SPDX-License-Identifier: MIT
 *
 * Pixels of the real figure: ink that is covered, hidden or pale shows and is named by what
 * the fresh drawing has there; what is written otherwise, or moved by less than marks may
 * be, does not show. The reader is not asked: it would refuse most of this by itself, so
 * a sound figure is read and the bytes of a broken one are drawn.
 */
#include "check/figure-scan.h"
#include "check/raster.h"
#include "render/output.h"
#include "tests/check/real-figure.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

/* Compare the pixels of bytes that no reader has seen. owns: the caller */
static FigFigureReport *
compare(const char *bytes)
{
    FigSvg *sound = real_read(real.svg);
    FigFigureReport *report = fig_figure_check(sound, real.shown.truth);
    g_assert_cmpint(report->n_findings, ==, 0);
    fig_figure_pixels(report, sound, real.shown.truth, bytes, strlen(bytes));
    fig_svg_free(sound);
    return report;
}

/* The figure with something drawn over all of it. */
static char *
drawn_over(const char *element)
{
    const char *end = g_strrstr(real.svg, "</svg>");
    g_autofree char *before = g_strndup(real.svg, (gsize)(end - real.svg));
    return g_strconcat(before, element, end, NULL);
}

static void
expect_same(const char *bytes, int most)
{
    FigFigureReport *report = compare(bytes);
    g_autofree char *all = real_findings(report);
    g_assert_cmpstr(all, ==, "");
    g_assert_cmpint(report->pixels.how, ==, FIG_PIXELS_RASTER);
    g_assert_cmpint(report->pixels.worst, <=, most);
    fig_figure_report_free(report);
}

/* One place differs, by so much at least, and is named by what the fresh drawing shows. */
static void
expect_other(const char *bytes, const char *shows, int least)
{
    FigFigureReport *report = compare(bytes);
    g_autofree char *all = real_findings(report);
    if (report->n_findings != 1)
        g_error("not one finding but\n%s", all);
    g_assert_cmpstr(report->findings[0].kind, ==, "pixels");
    g_assert_cmpstr(report->findings[0].did, ==, shows);
    g_assert_cmpint(report->findings[0].line, >, 0);
    g_assert_cmpint(report->pixels.worst, >=, least);
    fig_figure_report_free(report);
}

/* ---- the same ---- */

static void
test_bytes(void)
{
    FigFigureReport *report = compare(real.svg);
    g_assert_cmpint(report->pixels.how, ==, FIG_PIXELS_BYTES);
    g_assert_cmpint(report->n_findings, ==, 0);
    fig_figure_report_free(report);
}

static void
test_same(void)
{
    g_autofree char *bare = real_without_hints(real.svg);
    g_autofree char *spaced = real_replace(real.svg, "<rect x", "<rect   x");
    g_autofree char *moved =
        real_replace(real.svg, "x=\"116.92\" y=\"16\"", "x=\"116.93\" y=\"16.01\"");
    g_autofree char *no_ink = drawn_over(
        "<rect x=\"20\" y=\"20\" width=\"99\" height=\"99\" fill=\"none\"/>");
    expect_same(bare, 0);
    expect_same(spaced, 0);
    expect_same(moved, 26);
    expect_same(no_ink, 0);
}

/* ---- another picture ---- */

/* Each dot, and some of the sentences beside ops, under a white rectangle. */
static void
test_covered(void)
{
    FigSvg *sound = real_read(real.svg);
    g_autoptr(GPtrArray) leaves = g_ptr_array_new();
    fig_svg_leaves(sound->root, leaves);
    int dots = 0, texts = 0;
    for (guint i = 0; i < leaves->len; i++) {
        const FigSvgItem *item = leaves->pdata[i];
        const char *of = fig_svg_hint(item, FIG_HINT_FORK);
        const char *claim = fig_svg_hint(item, FIG_HINT_CLAIM);
        g_autofree char *shows = NULL, *cover = NULL;
        g_autoptr(GString) at = g_string_new(NULL);
        if (of && item->kind == FIG_ITEM_PATH && ++dots)
            shows = g_strdup_printf("a fresh drawing shows a path of ‘%s’ there", of);
        if (claim && item->kind == FIG_ITEM_TEXT && texts++ % 5 == 0)
            shows = g_strdup_printf("a fresh drawing shows ‘%s’ at ‘%s’ there",
                                    item->text, claim);
        if (!shows)
            continue;
        const double place[] = {item->bounds.left, item->bounds.top,
                                item->bounds.right - item->bounds.left,
                                item->bounds.bottom - item->bounds.top + 1};
        static const char *const names[] = {"x", "y", "width", "height"};
        g_string_append(at, "<rect");
        for (int k = 0; k < 4; k++) {
            char digits[G_ASCII_DTOSTR_BUF_SIZE];
            g_string_append_printf(
                at, " %s=\"%s\"", names[k],
                g_ascii_formatd(digits, sizeof digits, "%.2f", place[k]));
        }
        g_string_append(at, " fill=\"#fff\"/>");
        cover = drawn_over(at->str);
        expect_other(cover, shows, 125);
    }
    g_assert_cmpint(dots, >=, 3);
    g_assert_cmpint(texts, >=, 5);
    fig_svg_free(sound);
}

/* The least that a reader of the figure would miss: a comma, a point, one pale letter. */
static void
test_small(void)
{
    g_autofree char *comma = real_replace(real.svg, ">1,050,112<",
                                          ">1,050<tspan fill=\"none\">,</tspan>112<");
    g_autofree char *point =
        real_replace(real.svg, ">676.1 M<", ">676<tspan fill=\"none\">.</tspan>1 M<");
    g_autofree char *pale = real_replace(
        real.svg, ">parameters · <", ">parameter<tspan fill=\"#d8dce2\">s</tspan> · <");
    g_autofree char *head = real_replace(real.svg, "L199.95 84.55Z", "L197 84.55Z");
    expect_other(comma, "a fresh drawing shows ‘1,050,112’ at ‘params(attn)’ there",
                 125);
    expect_other(point, "a fresh drawing shows ‘676.1 M’ at ‘flops(attn)’ there", 125);
    expect_other(pale, "a fresh drawing shows ‘parameters · ’ at ‘attn’ there", 90);
    expect_other(head, "a fresh drawing shows a path of ‘z qkv.a’ there", 125);
}

/* What only viewers know of. */
static void
test_hidden(void)
{
    g_autofree char *clear = real_replace(real.svg, ">attention sublayer<",
                                          " opacity=\"0\">attention sublayer<");
    g_autofree char *style =
        drawn_over("<style>[data-number='T'] { visibility: hidden }</style>");
    expect_other(clear, "a fresh drawing shows ‘attention sublayer’ at ‘attn’ there",
                 125);
    expect_other(style, "a fresh drawing shows ‘256’ at ‘T’ there", 125);
}

/* ---- what is not compared ---- */

static void
test_refused(void)
{
    FigFigureReport *report = compare("<svg xmlns=\"http://www.w3.org/2000/svg\">");
    g_assert_cmpint(report->n_findings, ==, 1);
    g_assert_cmpstr(report->findings[0].kind, ==, "pixels");
    g_assert_true(g_str_has_prefix(report->findings[0].says, "librsvg refuses it: "));
    fig_figure_report_free(report);
}

static void
expect_not(const char *text, const char *why)
{
    FigSvg *svg = real_read(text);
    FigFigureReport *report = fig_figure_check(svg, real.shown.truth);
    int before = report->n_findings;
    fig_figure_pixels(report, svg, real.shown.truth, text, strlen(text));
    g_assert_cmpint(report->n_findings, ==, before);
    g_assert_cmpint(report->pixels.how, ==, FIG_PIXELS_NOT);
    g_assert_cmpstr(report->pixels.why, ==, why);
    fig_figure_report_free(report);
    fig_svg_free(svg);
}

static void
test_not_compared(void)
{
    g_autofree char *faint = real_replace(real.svg, "<path d", "<path opacity=\"0\" d");
    expect_not(faint, "what was found comes first");
    /* all three places that say which opfig it was */
    g_autofree char *version = real_replace(
        real.svg, "data-opfig=\"" OPFIG_VERSION "\"", "data-opfig=\"9.9.9\"");
    g_autofree char *footer =
        real_replace(version, ">opfig " OPFIG_VERSION, ">opfig 9.9.9");
    g_autofree char *digest = real_replace(footer, "data-record=\"", "data-record=\"0");
    expect_not(digest, "another version of opfig drew it");
}

/* ---- pages ---- */

static const char *const no_fonts[] = {NULL};

static bool
compare_pages(const char *seen, const char *fresh, double width, double height,
              FigArena *arena, FigRaster *raster, GError **error)
{
    const FigRasterFile a = {seen, strlen(seen)}, b = {fresh, strlen(fresh)};
    return fig_raster_compare(&a, &b, width, height, no_fonts, arena, raster, error);
}

#define SVG(content)                                                                   \
    "<svg xmlns=\"http://www.w3.org/2000/svg\" "                                       \
    "xmlns:xlink=\"http://www.w3.org/1999/xlink\" viewBox=\"0 0 100 50\">" content     \
    "</svg>"

static void
test_pages(void)
{
    static const struct {
        double width, height, scale; /* scale 0: refused */
    } rows[] = {
        {100, 50, 2},         {20000, 10, 32767 / 20001.0},
        {6000, 6000, 0.9654}, {1e6, 1e6, 0},
        {1e6, 10, 0},         {1e300, 1e300, 0},
        {0, 10, 0},           {NAN, 10, 0},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(FigArena) arena = fig_arena_new();
        g_autoptr(GError) error = NULL;
        FigRaster raster;
        bool drawn = compare_pages(SVG(""), SVG(""), rows[i].width, rows[i].height,
                                   arena, &raster, &error);
        g_assert_cmpint(drawn, ==, rows[i].scale > 0);
        if (drawn)
            g_assert_cmpfloat_with_epsilon(raster.scale, rows[i].scale, 1e-4);
        else
            g_assert_error(error, FIG_RASTER_ERROR, FIG_RASTER_TOO_LARGE);
    }
}

/* Where two squares of a page differ: two places, in points. */
static void
test_places(void)
{
    g_autoptr(FigArena) arena = fig_arena_new();
    g_autoptr(GError) error = NULL;
    FigRaster raster;
    bool drawn = compare_pages(
        SVG("<rect x=\"10\" y=\"5\" width=\"4\" height=\"4\"/>"
            "<rect x=\"12\" y=\"7\" width=\"4\" height=\"4\"/>"
            "<rect x=\"60\" y=\"30\" width=\"1\" height=\"1\" fill-opacity=\"0.2\"/>"),
        SVG(""), 100, 50, arena, &raster, &error);
    g_assert_no_error(error);
    g_assert_true(drawn);
    g_assert_cmpint(raster.n_places, ==, 2);
    const FigBounds first = {10, 5, 16, 11}, second = {60, 30, 61, 31};
    g_assert_cmpmem(&raster.places[0].bounds, sizeof first, &first, sizeof first);
    g_assert_cmpmem(&raster.places[1].bounds, sizeof second, &second, sizeof second);
    g_assert_cmpint(raster.places[0].worst, ==, 255);
    g_assert_cmpint(raster.places[1].worst, ==, 51); /* a fifth of 255 */
}

/* The most that a page with this image differs from an empty one. */
static int
image_shows(const char *uri)
{
    g_autoptr(FigArena) arena = fig_arena_new();
    g_autoptr(GError) error = NULL;
    FigRaster raster;
    g_autofree char *image = g_strdup_printf(
        SVG("<image width=\"100\" height=\"50\" xlink:href=\"%s\"/>"), uri);
    g_assert_true(compare_pages(image, SVG(""), 100, 50, arena, &raster, &error));
    return raster.worst;
}

/* Nothing outside the file is drawn, though it lies there; the same inside it is. */
static void
test_no_files(void)
{
    g_autoptr(GString) png = g_string_new(NULL);
    g_autoptr(GError) error = NULL;
    g_autofree char *path = NULL;
    const FigWriteOptions options = {0};
    g_assert_true(
        fig_output_lookup("a.png")->write(real.shown.scene, &options, png, NULL));
    int file = g_file_open_tmp("test-pixels-XXXXXX.png", &path, &error);
    g_assert_no_error(error);
    close(file);
    g_assert_true(g_file_set_contents(path, png->str, (gssize)png->len, NULL));
    g_autofree char *outside = g_strconcat("file://", path, NULL);
    g_autofree char *base64 = g_base64_encode((const guchar *)png->str, png->len);
    g_autofree char *inside = g_strconcat("data:image/png;base64,", base64, NULL);
    g_assert_cmpint(image_shows(outside), ==, 0);
    g_assert_cmpint(image_shows(inside), >, 125);
    g_assert_cmpint(g_unlink(path), ==, 0);
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    real_make();
    g_test_add_func("/pixels/bytes", test_bytes);
    g_test_add_func("/pixels/same", test_same);
    g_test_add_func("/pixels/covered", test_covered);
    g_test_add_func("/pixels/small", test_small);
    g_test_add_func("/pixels/hidden", test_hidden);
    g_test_add_func("/pixels/refused", test_refused);
    g_test_add_func("/pixels/not-compared", test_not_compared);
    g_test_add_func("/pixels/pages", test_pages);
    g_test_add_func("/pixels/places", test_places);
    g_test_add_func("/pixels/no-files", test_no_files);
    int failed = g_test_run();
    real_free();
    return failed;
}
