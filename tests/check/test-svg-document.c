/* SPDX-License-Identifier: MIT
 *
 * What the root of an SVG must say, and what an editor may add to it.
 */
#include "check/svg-value.h"
#include "tests/check/svg-text.h"

/* What an editor adds may draw and say nothing, and only in its own namespace. */
static void
test_editor(void)
{
#define SPACES                                                                         \
    " xmlns:inkscape=\"http://www.inkscape.org/namespaces/inkscape\" "                 \
    "xmlns:sodipodi=\"http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd\""
#define PAGE                                                                           \
    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9pt\" height=\"9pt\" "          \
    "viewBox=\"0 0 9 9\""
    static const struct {
        const char *attribute;
        bool silent;
    } rows[] = {
        {"inkscape:label=\"softmax\"", false},
        {"inkscape:label=\"g7\"", true},
        {"inkscape:groupmode=\"layer\"", true},
        {"inkscape:connector-curvature=\"0\"", true},
        {"inkscape:original-d=\"M1 2L3 4\"", false},
        {"inkscape:path-effect=\"#e\"", false},
        {"inkscape:anything=\"1\"", false},
        {"sodipodi:nodetypes=\"cc\"", true},
        {"sodipodi:type=\"arc\"", false},
        {"sodipodi:role=\"line\"", false},
        {"sodipodi:absref=\"a.png\"", false},
        {"xml:space=\"preserve\"", true},
        {"xml:space=\"default\"", false},
        {"svg:fill=\"#fff\"", false},
        {"version=\"2.0\"", false},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
        for (int declared = 0; declared < 2; declared++) {
            bool own = g_str_has_prefix(rows[i].attribute, "inkscape:") ||
                       g_str_has_prefix(rows[i].attribute, "sodipodi:");
            g_autofree char *text =
                g_strdup_printf(PAGE "%s><g id=\"g7\" %s>" INK "</g></svg>",
                                declared ? SPACES : "", rows[i].attribute);
            FigSvg *svg = read_text(text);
            bool silent = rows[i].silent && (declared || !own);
            if ((svg->foreign->len == 0) != silent)
                g_error("%s: %u findings", text, svg->foreign->len);
            if (!silent && declared)
                g_assert_nonnull(
                    strstr(g_array_index(svg->foreign, FigFinding, 0).did, "Inkscape"));
            fig_svg_free(svg);
        }
    static const char *const versions[] = {"1.0", "1.2", "2.0", ""};
    for (size_t i = 0; i < G_N_ELEMENTS(versions); i++) {
        g_autofree char *text =
            g_strdup_printf(PAGE " version=\"%s\">" INK "</svg>", versions[i]);
        FigSvg *svg = read_text(text);
        g_assert_cmpuint(svg->foreign->len, ==, 1);
        fig_svg_free(svg);
    }
    FigSvg *svg = read_text(PAGE SPACES " version=\"1.1\">" INK "<defs id=\"d\"/>"
                                        "<sodipodi:namedview pagecolor=\"#fff\">"
                                        "<inkscape:grid/></sodipodi:namedview></svg>");
    g_assert_cmpuint(svg->foreign->len, ==, 0);
    fig_svg_free(svg);
    svg = read_text(PAGE SPACES "><sodipodi:namedview><rect/></sodipodi:namedview>" INK
                                "</svg>");
    g_assert_cmpuint(svg->foreign->len, ==, 1);
    fig_svg_free(svg);
    svg = read_text(PAGE "><sodipodi:namedview/>" INK "</svg>"); /* not declared */
    g_assert_cmpuint(svg->foreign->len, ==, 1);
    g_assert_cmpstr(g_array_index(svg->foreign, FigFinding, 0).says, ==,
                    "element <sodipodi:namedview>");
    fig_svg_free(svg);
    static const struct {
        const char *page;
        bool whole;
    } pages[] = {
        {"x=\"0\" y=\"0\" width=\"9\" height=\"9\" id=\"p\"", true},
        {"x=\"0\" y=\"0\" width=\"9\" height=\"9\" margin=\"0\" bleed=\"0\"", true},
        {"x=\"1\" y=\"0\" width=\"9\" height=\"9\"", false},
        {"x=\"0\" y=\"0\" width=\"9\" height=\"8\"", false},
        {"x=\"0\" y=\"0\" width=\"9\" height=\"9\" margin=\"1\"", false},
        {"x=\"0\" y=\"0\"", false},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(pages); i++) {
        g_autofree char *text = g_strdup_printf(
            PAGE SPACES
            "><sodipodi:namedview><inkscape:page %s/></sodipodi:namedview>" INK
            "</svg>",
            pages[i].page);
        svg = read_text(text);
        g_assert_cmpuint(svg->foreign->len, ==, !pages[i].whole);
        fig_svg_free(svg);
    }
}

/* Inkscape looks a font up by this string, and shows that one whatever the family is. */
static void
test_font_named(void)
{
    static const struct {
        const char *family, *weight, *style, *named;
        bool same;
    } rows[] = {
        {"Inter,sans-serif", "400", "normal", "Inter", true},
        {"Inter,sans-serif", "400", "normal", "'Inter, Normal'", true},
        {"Inter,sans-serif", "600", "normal", "'Inter Semi-Bold'", true},
        {"Inter,sans-serif", "600", "normal", "'Inter, Normal'", false},
        {"Inter,sans-serif", "400", "normal", "'Inter, Bold'", false},
        {"Inter,sans-serif", "400", "normal", "'Inter Italic'", false},
        {"Inter,sans-serif", "400", "italic", "'Inter Italic'", true},
        {"Inter,sans-serif", "400", "normal", "Wingdings", false},
        {"Inter,sans-serif", "400", "normal", "sans-serif", false},
        {"Inter,sans-serif", "400", "normal", "'Inter Condensed'", false},
        {"'LM Roman 10',serif", "400", "normal", "'LM Roman 10,'", true},
        {"'LM Roman 10',serif", "400", "normal", "'LM Roman 8,'", false},
        {"Inter,sans-serif", "400", "normal", "''", false},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *style = g_strdup_printf(
            "-inkscape-font-specification:%s;font-family:%s;font-weight:%s;"
            "font-style:%s",
            rows[i].named, rows[i].family, rows[i].weight, rows[i].style);
        FigSvgLook look = {.family = "", .weight = 400};
        FigArena *arena = fig_arena_new();
        g_autofree char *unread = fig_svg_read_style(arena, &look, style);
        if ((unread == NULL) != rows[i].same)
            g_error("%s: %s", style, unread ? unread : "read");
        fig_arena_free(arena);
    }
}

/* Without xml:space librsvg joins “Doubling z” and “leaves”; without text-rendering Chromium
 * moves letters to pixels. */
static void
test_needed(void)
{
    static const struct {
        const char *root, *inside, *says; /* NULL: nothing */
    } rows[] = {
        {"", "<text x=\"1\" y=\"9\">a</text>",
         "letters without text-rendering=\"geometricPrecision\""},
        {"", INK, NULL},
        {" text-rendering=\"geometricPrecision\"",
         "<text x=\"1\" y=\"9\">a<tspan x=\"5\"> b</tspan></text>",
         "spaces of ‘ b’ without xml:space=\"preserve\""},
        {" text-rendering=\"geometricPrecision\"",
         "<text x=\"1\" y=\"9\">a <tspan x=\"5\">b</tspan></text>",
         "spaces of ‘a ’ without xml:space=\"preserve\""},
        {" text-rendering=\"geometricPrecision\"",
         "<text x=\"1\" y=\"9\">a  b</text><text x=\"1\" y=\"9\"> c</text>",
         "spaces of ‘a  b’ without xml:space=\"preserve\""},
        {" text-rendering=\"geometricPrecision\"",
         "<text x=\"1\" y=\"9\" xml:space=\"preserve\">a <tspan> b</tspan> </text>",
         NULL},
        {" text-rendering=\"geometricPrecision\"",
         "<text x=\"1\" y=\"9\">a<tspan xml:space=\"preserve\"> b</tspan>c</text>",
         NULL},
        {" text-rendering=\"geometricPrecision\"",
         "<text x=\"1\" y=\"9\">a<tspan xml:space=\"preserve\"> b</tspan> c</text>",
         "spaces of ‘ c’ without xml:space=\"preserve\""},
        {" text-rendering=\"geometricPrecision\"", "<text x=\"1\" y=\"9\">a b</text>",
         NULL},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *text =
            g_strdup_printf("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9pt\" "
                            "height=\"9pt\" viewBox=\"0 0 9 9\"%s>%s</svg>",
                            rows[i].root, rows[i].inside);
        FigSvg *svg = read_text(text);
        g_assert_cmpuint(svg->foreign->len, ==, rows[i].says ? 1 : 0);
        if (rows[i].says)
            g_assert_cmpstr(g_array_index(svg->foreign, FigFinding, 0).says, ==,
                            rows[i].says);
        fig_svg_free(svg);
    }
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/svg-document/editor", test_editor);
    g_test_add_func("/svg-document/font-named", test_font_named);
    g_test_add_func("/svg-document/needed", test_needed);
    return g_test_run();
}
