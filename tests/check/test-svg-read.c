/* SPDX-License-Identifier: MIT
 *
 * The reader takes what our writer writes and nothing else.
 */
#include "check/svg-value.h"
#include "tests/check/svg-text.h"

#define HEAD                                                                           \
    "<svg xmlns=\"http://www.w3.org/2000/svg\" id=\"f\" width=\"100pt\" "              \
    "aria-labelledby=\"f..title f..desc\" "                                            \
    "height=\"50pt\" viewBox=\"0 0 100 50\" role=\"img\" text-anchor=\"start\" "       \
    "text-rendering=\"geometricPrecision\" xml:space=\"preserve\">\n"
#define TAIL "</svg>\n"

/* Read inside; the first foreign finding must say `says` and be the only one; NULL: none. */
static void
expect(const char *inside, const char *says, int line)
{
    g_autofree char *text = g_strconcat(HEAD, inside, TAIL, NULL);
    FigSvg *svg = read_text(text);
    if (!says) {
        for (guint i = 0; i < svg->foreign->len; i++)
            g_error("%s: %s", inside, g_array_index(svg->foreign, FigFinding, i).says);
    } else {
        if (svg->foreign->len != 1)
            g_error("%s: %u findings", inside, svg->foreign->len);
        const FigFinding *f = &g_array_index(svg->foreign, FigFinding, 0);
        g_assert_cmpstr(f->says, ==, says);
        g_assert_cmpint(f->line, ==, line);
    }
    fig_svg_free(svg);
}

static void
refuse(const char *text, const char *message)
{
    g_autoptr(GError) error = NULL;
    g_assert_null(fig_svg_read("f.svg", text, strlen(text), &error));
    g_assert_nonnull(error);
    if (!strstr(error->message, message))
        g_error("‘%s’ is not in ‘%s’", message, error->message);
}

static void
test_geometry(void)
{
    FigSvg *svg = read_text(
        HEAD
        "<g id=\"f.a\" data-op=\"a\" fill=\"#abc\" stroke=\"none\" font-size=\"8\">\n"
        "<rect x=\"1\" y=\"2\" width=\"30\" height=\"15\" rx=\"3\" "
        "stroke=\"#102030\"/>\n"
        "<path d=\"M1 2L3 -4.5C1 2 3 4 5 6Z\" fill=\"rgb(1,2,3)\"/>\n"
        "<text x=\"5\" y=\"12\">W<tspan x=\"9\" y=\"13\" font-size=\"6\">q</tspan>"
        "<tspan fill=\"none\">_</tspan> k</text>\n"
        "</g>\n" TAIL);
    g_assert_cmpfloat(svg->width, ==, 100);
    const FigSvgItem *group = svg->root->first;
    g_assert_cmpstr(group->hint[FIG_HINT_OP], ==, "a");
    const FigSvgItem *rect = group->first;
    g_assert_cmpfloat(rect->bounds.right, ==, 31);
    g_assert_cmpfloat(rect->radius, ==, 3);
    g_assert_cmpstr(rect->look.fill, ==, "#aabbcc");
    g_assert_cmpstr(rect->look.stroke, ==, "#102030");
    g_assert_cmpint(rect->line, ==, 3);
    const FigSvgItem *path = rect->next;
    g_assert_cmpint(path->path.n_verbs, ==, 4);
    g_assert_cmpint(path->path.n_points, ==, 5);
    g_assert_cmpfloat(path->path.points[1][1], ==, -4.5);
    g_assert_cmpstr(path->look.fill, ==, "#010203");
    g_assert_cmpstr(path->look.stroke, ==, "none");
    const FigSvgItem *text = path->next;
    g_assert_cmpstr(text->text, ==, "Wq_ k");
    g_assert_cmpint(text->n_spans, ==, 4);
    g_assert_cmpfloat(text->spans[0].x, ==, 5);
    g_assert_cmpfloat(text->spans[1].x, ==, 9);
    g_assert_cmpfloat(text->spans[1].look.size, ==, 6);
    g_assert_cmpstr(text->spans[2].look.fill, ==, "none");
    g_assert_false(text->spans[3].placed);
    g_assert_cmpfloat(text->spans[3].look.size, ==, 8);
    g_assert_cmpstr(fig_svg_hint(text, FIG_HINT_OP), ==, "a");
    g_assert_cmpuint(svg->foreign->len, ==, 0);
    fig_svg_free(svg);
}

/* A span that says no y stands as high as what came before, the first one where its text
 * does. */
static void
test_level(void)
{
    FigSvg *svg =
        read_text(HEAD "<text x=\"5\" y=\"12\"><tspan font-size=\"6\">W</tspan>"
                       "<tspan x=\"9\" y=\"13\">q</tspan><tspan x=\"11\">k</tspan>"
                       "<tspan x=\"14\" y=\"12\">v</tspan>b</text>\n" TAIL);
    const FigSvgItem *text = svg->root->first;
    static const double want[][2] = {{5, 12}, {9, 13}, {11, 13}, {14, 12}};
    g_assert_cmpint(text->n_spans, ==, 5);
    for (int i = 0; i < 4; i++) {
        g_assert_true(text->spans[i].placed);
        g_assert_cmpfloat(text->spans[i].x, ==, want[i][0]);
        g_assert_cmpfloat(text->spans[i].y, ==, want[i][1]);
    }
    g_assert_false(text->spans[4].placed);
    g_assert_cmpuint(svg->foreign->len, ==, 0);
    fig_svg_free(svg);
}

static void
test_carried(void)
{
    FigSvg *svg = read_text(
        HEAD
        "<metadata data-opfig=\"0.1\" data-spec=\"s\" data-record=\"ff\" "
        "data-options=\"--dims T=1\">a: '\\\\theta' &lt;\\u{202E}\n</metadata>\n" TAIL);
    const FigCarried *carried = fig_svg_carried(svg);
    g_assert_cmpstr(carried->version, ==, "0.1");
    g_assert_cmpstr(carried->spec_name, ==, "s");
    g_assert_cmpstr(carried->digest, ==, "ff");
    g_assert_cmpstr(carried->options, ==, "--dims T=1");
    g_assert_cmpstr(carried->spec_text, ==, "a: '\\theta' <\u202e\n");
    fig_svg_free(svg);
    svg = read_text(HEAD TAIL);
    g_assert_null(fig_svg_carried(svg)->spec_text);
    fig_svg_free(svg);
}

static void
test_foreign(void)
{
    expect("<g fill=\"#000\">\n<rect width=\"1\" height=\"1\"/>\n</g><!-- words -->",
           NULL, 0);
    expect("<g\n opacity=\"0.1\">" INK "</g>", "attribute opacity=\"0.1\" of <g>", 2);
    expect("<g transform=\"scale(2)\">" INK "</g>",
           "attribute transform=\"scale(2)\" of <g>", 2);
    expect("<g style=\"fill:red\">" INK "</g>", "style=\"fill:red\" of <g>", 2);
    expect("<g style=\"fill:#fff; opacity:0.5\">" INK "</g>",
           "style=\"opacity:0.5\" of <g>", 2);
    expect("<g style=\"display:none\">" INK "</g>", "style=\"display:none\" of <g>", 2);
    expect("<g style=\"fill\">" INK "</g>", "style=\"fill\" of <g>", 2);
    expect("<g style=\"fill:#fff !important\">" INK "</g>",
           "style=\"fill:#fff !important\" of <g>", 2);
    expect("<defs><rect/></defs>", "element <rect>", 2);
    expect("<sodipodi:rect xmlns:sodipodi=\"http://www.w3.org/2000/svg\"/>",
           "element <sodipodi:rect>", 2);
    expect("<g xmlns:inkscape=\"http://www.w3.org/2000/svg\">" INK "</g>",
           "attribute xmlns:inkscape=\"http://www.w3.org/2000/svg\" of <g>", 2);
    expect("<g class=\"x\">" INK "</g>", "attribute class=\"x\" of <g>", 2);
    expect("<g clip-path=\"url(#a)\">" INK "</g>",
           "attribute clip-path=\"url(#a)\" of <g>", 2);
    expect("<g fill=\"red\">" INK "</g>", "attribute fill=\"red\" of <g>", 2);
    expect("<g fill=\"url(#a)\">" INK "</g>", "attribute fill=\"url(#a)\" of <g>", 2);
    expect("<g display=\"none\">" INK "</g>", "attribute display=\"none\" of <g>", 2);
    expect("<g onclick=\"x()\">" INK "</g>", "attribute onclick=\"x()\" of <g>", 2);
    expect("<image href=\"a.png\"><desc>x</desc></image>", "element <image>", 2);
    expect("<script>x()</script>", "element <script>", 2);
    expect("<use href=\"#a\"/>", "element <use>", 2);
    expect("<a href=\"b\"><rect/></a>", "element <a>", 2);
    expect("<svg/>", "element <svg>", 2);
    expect("<foreignObject><p>x</p></foreignObject>", "element <foreignObject>", 2);
    expect("<rect width=\"10%\" height=\"1\"/>", "attribute width=\"10%\" of <rect>",
           2);
    expect("<rect width=\"9999999\" height=\"1\"/>",
           "attribute width=\"9999999\" of <rect>", 2);
    expect("<rect width=\"1e-1\" height=\"1.0\"/>", NULL, 0);
    expect("<rect width=\"0\" height=\"1\"/>",
           "<rect> without a width or height is not drawn", 2);
    expect("<rect width=\"2\"/>", "<rect> without a width or height is not drawn", 2);
    expect("<rect width=\"2\" height=\"2\" ry=\"1\"/>", NULL, 0);
    expect("<rect width=\"2\" height=\"2\" rx=\"1\" ry=\"0.5\"/>",
           "<rect> with corners that are not round", 2);
    expect("<rect width=\"2\" height=\"2\" rx=\"-1\"/>",
           "attribute rx=\"-1\" of <rect>", 2);
    expect("<path d=\"m1 2l3 4H4\"/>", NULL, 0);
    expect("<path d=\"M1 2,,L3 4\"/>", "attribute d=\"M1 2,,L3 4\" of <path>", 2);
    expect("<text x=\"1px\" y=\"2e0\" font-size=\"7px\">a</text>", NULL, 0);
    expect("<g style=\"font-size:7\">" INK "</g>", "style=\"font-size:7\" of <g>", 2);
    /* what some viewers read otherwise, or not at all */
    expect("<g font-weight=\"0600\">" INK "</g>", NULL, 0);
    expect("<g font-weight=\" 600\">" INK "</g>",
           "attribute font-weight=\" 600\" of <g>", 2);
    expect("<text x=\" 1\" y=\"2\">a</text>", "attribute x=\" 1\" of <text>", 2);
    expect("<text x=\"1\" y=\"2\">b<tspan x=\"&#9;5\">a</tspan></text>",
           "attribute x=\"\t5\" of <tspan>", 2);
    expect("<g font-weight=\"6e2\">" INK "</g>", "attribute font-weight=\"6e2\" of <g>",
           2);
    expect("<g font-weight=\"600.0\">" INK "</g>",
           "attribute font-weight=\"600.0\" of <g>", 2);
    expect("<g font-family=\"'A','B C'\">" INK "</g>", NULL, 0);
    expect("<g font-family='\"A\", \"B\"'>" INK "</g>", NULL, 0);
    expect("<g font-family=\"'A&quot;,&quot;B'\">" INK "</g>",
           "attribute font-family=\"'A\",\"B'\" of <g>", 2);
    expect("<g font-family=\"'A\">" INK "</g>", "attribute font-family=\"'A\" of <g>",
           2);
    expect("<g style=\"-inkscape-x:'a b'\">" INK "</g>",
           "style=\"-inkscape-x:'a b'\" of <g>", 2);
    expect("<g style=\"-inkscape-x:(;fill:#fff\">" INK "</g>",
           "style=\"-inkscape-x:(\" of <g>", 2);
    expect("<g style=\"-inkscape-x:/*;fill:#fff\">" INK "</g>",
           "style=\"-inkscape-x:/*\" of <g>", 2);
    expect("<g style=\"-inkscape-x:'a;fill:#fff\">" INK "</g>",
           "style=\"-inkscape-x:'a\" of <g>", 2);
    expect("<!-- a --><g>" INK "</g>", NULL, 0);
    expect("<text x=\"1\" y=\"2\">A<!-- -->V</text>", "a comment inside <text>", 2);
    expect("<text x=\"1\" y=\"2\"><tspan>A<![CDATA[]]>V</tspan></text>",
           "<![CDATA[ inside <tspan>", 2);
    expect("<path d=\"L1 2\"/>", "attribute d=\"L1 2\" of <path>", 2);
    expect("<path d=\"M1 2L3\"/>", "attribute d=\"M1 2L3\" of <path>", 2);
    expect("<path/>", "<path> without d", 2);
    expect("<text x=\"1\" y=\"2\" dx=\"3\">a</text>", "attribute dx=\"3\" of <text>",
           2);
    expect("<text x=\"1 9\" y=\"2\">a</text>", "attribute x=\"1 9\" of <text>", 2);
    expect("<text x=\"1\" y=\"2\" textLength=\"3\">a</text>",
           "attribute textLength=\"3\" of <text>", 2);
    expect("<text>a</text>", "<text> without its place", 2);
    expect("<text x=\"1\" y=\"2\">b<tspan y=\"3\">a</tspan></text>",
           "<tspan> without its place", 2);
    expect("<text x=\"1\" y=\"2\"><tspan x=\"3\">a</tspan></text>",
           "<text> that stands elsewhere than its first <tspan>", 2);
    expect("<text x=\"1\" y=\"2\"><tspan x=\"1\" y=\"3\">a</tspan></text>",
           "<text> that stands elsewhere than its first <tspan>", 2);
    expect("<text x=\"1\" y=\"2\"><a>b</a></text>", "element <a>", 2);
    expect("<text x=\"1\" y=\"2\"><tspan><tspan>b</tspan></tspan></text>",
           "element <tspan>", 2);
    expect("<g>words" INK "</g>", "characters inside <g>", 2);
    expect("<?xml-stylesheet href=\"a.css\"?>",
           "processing instruction <?xml-stylesheet?>", 2);
    expect("<metadata>a</metadata>\n<metadata>a</metadata>", "a second <metadata>", 3);
    expect("<style>@media (prefers-color-scheme:dark){#f [fill=\"#fff\"]{fill:#111}}"
           "</style>\n<style></style>",
           "a second <style>", 3);
    expect("<metadata>\\q</metadata>", "<metadata> with a broken escape", 2);
    expect("<style>rect{fill:red}</style>",
           "<style> with other rules than fonts and colours for a dark page", 2);
    expect("<style>@media (prefers-color-scheme:dark){\n#f [fill=\"#fff\"]{fill:#111}"
           "#f [stroke=\"rgb(1,2,3)\"]{stroke:#fff}\n}</style>",
           NULL, 0);
    expect("<style>@media (prefers-color-scheme:dark){#f "
           "[fill=\"#fff\"]{opacity:0}}</style>",
           "<style> with other rules than fonts and colours for a dark page", 2);
    FigSvg *svg = read_text("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"100pt\" "
                            "height=\"50pt\" viewBox=\"0 0 100 20\"/>");
    g_assert_cmpuint(svg->foreign->len, ==, 1);
    fig_svg_free(svg);
    svg = read_text("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>" HEAD TAIL);
    g_assert_cmpuint(svg->foreign->len, ==, 1);
    fig_svg_free(svg);
    svg = read_text("<svg width=\"1pt\" height=\"1pt\" viewBox=\"0 0 1 1\"/>");
    g_assert_cmpuint(svg->foreign->len, ==, 1);
    fig_svg_free(svg);
}

/* style="…" goes before the attributes, and what is inside inherits it. */
/* Ids follow from that of the figure, and groups stand beside each other with ink in them. */
static void
test_ids(void)
{
    expect("<g id=\"f.a\" data-op=\"a\">" INK "</g>", NULL, 0);
    expect("<g id=\"f.b\" data-op=\"a\">" INK "</g>", "id=\"f.b\" of <g>", 2);
    expect("<g data-op=\"a\">" INK "</g>", "<g> without id=\"f.a\"", 2);
    expect("<title id=\"f..title\">a</title>\n<title>b</title>", "a second <title>", 3);
    expect("<g id=\"x\">" INK "</g>\n<g id=\"x\">" INK "</g>", "the id x a second time",
           3);
    expect("<g id=\"f\">" INK "</g>", "the id f a second time", 2);
    expect("<g><title>a</title>" INK "</g>", NULL, 0);
    expect("<g><title>a</title><title>b</title>" INK "</g>", "a second <title>", 2);
    expect("<g data-panel=\"a\"/>", "a group with nothing in it", 2);
    expect("<g data-edge=\"a b.x\"><g data-edge=\"b c.x\">" INK "</g></g>",
           "a mark or edge inside another", 2);
    expect("<style>@media (prefers-color-scheme:dark){#g "
           "[fill=\"#fff\"]{fill:#000}}</style>",
           "<style> with other rules than fonts and colours for a dark page", 2);
    FigSvg *bare = read_text("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9pt\" "
                             "height=\"9pt\" viewBox=\"0 0 9 9\"><g data-op=\"a\">" INK
                             "</g></svg>");
    g_assert_cmpuint(bare->foreign->len, ==, 0);
    fig_svg_free(bare);
    FigSvg *named =
        read_text("<?xml version=\"1.1\"?><svg xmlns=\"http://www.w3.org/2000/svg\" "
                  "id=\"f\" aria-labelledby=\"f..desc f..title\" width=\"9pt\" "
                  "height=\"9pt\" viewBox=\"0 0 9 9\">" INK "</svg>");
    g_assert_cmpuint(named->foreign->len, ==, 2);
    fig_svg_free(named);
}

static void
test_style(void)
{
    FigSvg *svg = read_text(
        HEAD "<g style=\"stroke:#123456;stroke-dasharray:2, 1\" stroke=\"#fff\">\n"
             "<rect width=\"1\" height=\"1\" fill=\"#fff\" "
             "style=\"fill:#abcdef;stroke-width:2px;opacity:1\"/>\n"
             "<text x=\"1\" y=\"2\" style=\"font-size:7px;font-weight:600;"
             "font-family:'LM Roman 10', serif;-inkscape-font-specification:'LM Roman "
             "10, Semi-Bold'\">a"
             "</text>\n</g>\n" TAIL);
    const FigSvgItem *rect = svg->root->first->first;
    g_assert_cmpuint(svg->foreign->len, ==, 0);
    g_assert_cmpstr(rect->look.fill, ==, "#abcdef");
    g_assert_cmpstr(rect->look.stroke, ==, "#123456");
    g_assert_cmpstr(rect->look.dash, ==, "2 1");
    g_assert_cmpfloat(rect->look.stroke_width, ==, 2);
    g_assert_cmpfloat(rect->next->look.size, ==, 7);
    g_assert_cmpint(rect->next->look.weight, ==, 600);
    g_assert_cmpstr(rect->next->look.family, ==, "'LM Roman 10',serif");
    fig_svg_free(svg);
    /* rules for a dark page change attributes, not styles */
    expect("<style>@media (prefers-color-scheme:dark){#f [fill=\"#fff\"]{fill:#111}}"
           "</style><rect width=\"1\" height=\"1\" style=\"fill:#fff\"/>",
           "a style that a dark page does not change", 2);
}

/* What cannot be read leaves no hole: the element looks as what is around it. */
static void
test_unreadable_look(void)
{
    static const char *const attributes[] = {
        "fill=\"red\"",           "stroke=\"url(#a)\"",     "stroke-width=\"-1\"",
        "stroke-linecap=\"out\"", "font-size=\"0\"",        "font-weight=\"9999\"",
        "font-style=\"oblique\"", "stroke-dasharray=\"x\"",
    };
    for (size_t i = 0; i < G_N_ELEMENTS(attributes); i++) {
        g_autofree char *text = g_strdup_printf(
            HEAD "<rect %s width=\"1\" height=\"1\"/>" TAIL, attributes[i]);
        FigSvg *svg = read_text(text);
        const FigSvgLook *look = &svg->root->first->look;
        g_assert_cmpuint(svg->foreign->len, ==, 1);
        g_assert_cmpstr(look->fill, ==, "#000000");
        g_assert_cmpstr(look->stroke, ==, "none");
        g_assert_cmpstr(look->dash, ==, "");
        g_assert_cmpstr(look->cap, ==, "butt");
        g_assert_cmpfloat(look->stroke_width, ==, 1);
        g_assert_cmpfloat(look->size, >, 0);
        g_assert_cmpint(look->weight, ==, 400);
        g_assert_false(look->italic);
        fig_svg_free(svg);
    }
}

static void
test_refused(void)
{
    refuse("", "no element found");
    refuse("<svg>", "f.svg:1: no element found");
    refuse("<svg>\n\n<g></svg>", "f.svg:3: mismatched tag");
    refuse("<!DOCTYPE svg [<!ENTITY a \"b\">]><svg>&a;</svg>",
           "document type declaration");
    refuse("\xff\xfe", "f.svg:1:");

    g_autoptr(GString) deep = g_string_new(HEAD);
    for (int i = 0; i < 100000; i++)
        g_string_append(deep, "<g>");
    refuse(deep->str, "deeper than any figure");
    g_string_assign(deep, HEAD);
    for (int i = 0; i < 100000; i++)
        g_string_append(deep, "<x>");
    refuse(deep->str, "deeper than any figure");
    g_string_assign(deep, HEAD);
    for (int i = 0; i < (1 << 20) + 2; i++)
        g_string_append(deep, "<g/>");
    refuse(deep->str, "more elements than any figure");
    g_string_assign(deep, HEAD "<g");
    for (int i = 0; i < 65; i++)
        g_string_append_printf(deep, " a%d=\"1\"", i);
    g_string_append(deep, "/>" TAIL);
    refuse(deep->str, "more attributes than any element");
}

/* Values by hand, in the grammar of SVG 1.1. */
static void
test_numbers(void)
{
    static const struct {
        const char *text;
        double value;
    } good[] = {{"-1.25", -1.25}, {"15", 15},      {"15.0", 15},     {"1.5e1", 15},
                {"+15", 15},      {"150E-1", 15},  {".5", 0.5},      {"-.5e+1", -5},
                {"015", 15},      {"1500e-2", 15}, {"0.0015e4", 15}, {"1e6", 1e6}};
    static const char *const bad[] = {"",         " ",
                                      "nan",      "inf",
                                      "0x1",      "1,5",
                                      "1 5",      "--1",
                                      "+-1",      "1.2.3",
                                      "1.",       ".",
                                      "1e",       "1e+",
                                      "e1",       "1d5",
                                      "1e999",    "1e7",
                                      "1%",       " 15",
                                      "15 ",      "15\n",
                                      "1 px",     "1pt",
                                      "1em",      "12345678901234567890123456789012345",
                                      "1\302\240"};
    double value;
    for (size_t i = 0; i < G_N_ELEMENTS(good); i++) {
        g_assert_true(fig_svg_number(good[i].text, &value));
        g_assert_cmpfloat_with_epsilon(value, good[i].value, 1e-9);
    }
    for (size_t i = 0; i < G_N_ELEMENTS(bad); i++)
        if (fig_svg_number(bad[i], &value) || fig_svg_length(bad[i], &value))
            g_error("‘%s’ was read as a number", bad[i]);
    g_assert_true(fig_svg_length("6.5px", &value));
    g_assert_cmpfloat(value, ==, 6.5);
    g_assert_false(fig_svg_number("6.5px", &value));
    g_assert_true(fig_svg_page_length("528px", &value));
    g_assert_cmpfloat(value, ==, 396);
    g_assert_true(fig_svg_page_length("528", &value));
    g_assert_cmpfloat(value, ==, 396);
    g_assert_true(fig_svg_page_length("5.5in", &value));
    g_assert_cmpfloat(value, ==, 396);
    g_assert_true(fig_svg_page_length("139.7mm", &value));
    g_assert_cmpfloat_with_epsilon(value, 396, 1e-9);
    g_assert_false(fig_svg_page_length("396 pt", &value));
    g_assert_false(fig_svg_page_length(" 396pt", &value));
    g_assert_false(fig_svg_page_length("396pt ", &value));
    g_assert_false(fig_svg_page_length("100%", &value));
    g_assert_false(fig_svg_page_length("-1pt", &value));
    double four[4];
    g_assert_true(fig_svg_numbers("0,0 \t396 , 5e2", 4, four));
    g_assert_cmpfloat(four[3], ==, 500);
    g_assert_false(fig_svg_numbers("0,,0 1 1", 4, four));
    g_assert_false(fig_svg_numbers("0 0 1 1 1", 4, four));
}

/* Paths with the same points. */
static void
test_equal_paths(void)
{
    static const char *const equal[] = {
        "M1 2L3 2L3 -4C1 2 3 4 5 6Z",     "M1,2L3,2 3,-4C1,2,3,4,5,6z",
        "m1 2l2 0l0-6c-2 6 0 8 2 10z",    "M1 2H3V-4C1 2 3 4 5 6Z",
        "m1 2h2v-6c-2,6,0,8,2,10Z",       " M1 2 3 2 3-4C1 2 3 4 5 6 Z ",
        "M1 2H2 3V-4C1 2 3 4 5 6Z",       "m 1,2 2,0 0,-6 c -2,6 0,8 2,10 z",
        "M.1e1 2L3.0 2L+3-4C1 2 3 4 5 6Z"};
    static const char *const broken[] = {"",
                                         "L1 2",
                                         "M1",
                                         "M1 2L3",
                                         "M1 2,,3 4",
                                         "M,1 2",
                                         "M1 2,L3 4",
                                         "M1 2L3 4,",
                                         "M1 2Z3 4",
                                         "M1 2A1 1 0 0 0 3 4",
                                         "M1 2Q3 4 5 6",
                                         "M1 2L3 4 5",
                                         "M1 2C1 2 3 4",
                                         "M1 2x",
                                         "M1 2L3 4;L1 1"};
    g_autoptr(FigArena) arena = fig_arena_new();
    FigPath first, path;
    g_assert_true(fig_svg_path_data(arena, equal[0], &first));
    g_assert_cmpint(first.n_verbs, ==, 5);
    for (size_t i = 0; i < G_N_ELEMENTS(equal); i++) {
        g_assert_true(fig_svg_path_data(arena, equal[i], &path));
        g_assert_cmpint(path.n_verbs, ==, first.n_verbs);
        g_assert_cmpint(path.n_points, ==, first.n_points);
        for (int p = 0; p < path.n_points; p++) {
            g_assert_cmpfloat_with_epsilon(path.points[p][0], first.points[p][0], 1e-9);
            g_assert_cmpfloat_with_epsilon(path.points[p][1], first.points[p][1], 1e-9);
        }
    }
    for (size_t i = 0; i < G_N_ELEMENTS(broken); i++)
        if (fig_svg_path_data(arena, broken[i], &path))
            g_error("‘%s’ was read as a path", broken[i]);
    /* a new piece after one that was closed begins where that one did */
    g_assert_true(fig_svg_path_data(arena, "m1 2h3zm1 1h1", &path));
    g_assert_cmpfloat(path.points[2][0], ==, 2);
    g_assert_cmpfloat(path.points[2][1], ==, 3);
    /* … and so does a line there: its first corner is none on the way from (5, 5) */
    g_assert_true(fig_svg_path_data(arena, "M0 0H5V5ZL10 5H15", &path));
    g_assert_cmpint(path.n_points, ==, 5);
    g_assert_cmpfloat(path.points[3][0], ==, 10);
}

static void
test_dashes(void)
{
    static const struct {
        const char *text, *dash;
    } rows[] = {{"2 1", "2 1"},      {"2,1", "2 1"},
                {"2.0 ,1e0", "2 1"}, {"2px 1px", "2 1"},
                {"2", "2 2"},        {"1 2 3", "1 2 3 1 2 3"},
                {"none", ""},        {"0 0", ""},
                {"2,,1", NULL},      {"2 -1", NULL},
                {"2,", NULL},        {"", NULL},
                {"2 x", NULL},       {"1 1 1 1 1 1 1 1 1", NULL}};
    g_autoptr(FigArena) arena = fig_arena_new();
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
        g_assert_cmpstr(fig_svg_dashes(arena, rows[i].text), ==, rows[i].dash);
}

static void
test_colours(void)
{
    g_autoptr(FigArena) arena = fig_arena_new();
    g_assert_cmpstr(fig_svg_colour(arena, "rgb(255, 0, 1)"), ==, "#ff0001");
    g_assert_cmpstr(fig_svg_colour(arena, "rgb( 255 ,0,1 )"), ==, "#ff0001");
    g_assert_null(fig_svg_colour(arena, "rgb(256,0,1)"));
    g_assert_null(fig_svg_colour(arena, "rgb(1 2,0,1)"));
    g_assert_null(fig_svg_colour(arena, "#abcd"));
    g_assert_null(fig_svg_colour(arena, "currentColor"));
}

/* A rule for a dark page goes by the letters of an attribute: a colour written otherwise
 * keeps the ink of a white page on a dark one. */
static void
test_dark(void)
{
#define DARK                                                                           \
    "<style>@media (prefers-color-scheme:dark){#f [fill=\"#fff\"]{fill:#111}"          \
    "#f [fill=\"#ffffff\"]{fill:#222}#f [stroke=\"#fff\"]{stroke:#333}}</style>\n"
    expect(DARK "<g fill=\"#fff\" stroke=\"#fff\">" INK "</g><g fill=\"none\">" INK
                "</g>",
           NULL, 0);
    expect(DARK "<g fill=\"#FFF\">" INK "</g>", "attribute fill=\"#FFF\" of <g>", 3);
    expect(DARK "<g fill=\"rgb(255,255,255)\">" INK "</g>",
           "attribute fill=\"rgb(255,255,255)\" of <g>", 3);
    expect(DARK "<g stroke=\"#ffffff\">" INK "</g>",
           "attribute stroke=\"#ffffff\" of <g>", 3);
    expect("<g fill=\"#fff\">" INK "</g>\n" DARK, "<style> behind what it colours", 3);
    FigSvg *svg = read_text(HEAD DARK "<g fill=\"#fff\">" INK "</g><g fill=\"#ffffff\" "
                                      "stroke=\"#fff\">" INK "</g>" TAIL);
    const FigSvgLook *look = &svg->root->first->first->look;
    g_assert_cmpstr(look->dark_fill, ==, "#111111");
    g_assert_cmpstr(look->dark_stroke, ==, "none");
    look = &svg->root->last->first->look;
    g_assert_cmpstr(look->fill, ==, "#ffffff");
    g_assert_cmpstr(look->dark_fill, ==, "#222222");
    g_assert_cmpstr(look->dark_stroke, ==, "#333333");
    fig_svg_free(svg);
#undef DARK
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/svg-read/geometry", test_geometry);
    g_test_add_func("/svg-read/level", test_level);
    g_test_add_func("/svg-read/carried", test_carried);
    g_test_add_func("/svg-read/foreign", test_foreign);
    g_test_add_func("/svg-read/ids", test_ids);
    g_test_add_func("/svg-read/style", test_style);
    g_test_add_func("/svg-read/unreadable-look", test_unreadable_look);
    g_test_add_func("/svg-read/refused", test_refused);
    g_test_add_func("/svg-read/numbers", test_numbers);
    g_test_add_func("/svg-read/equal-paths", test_equal_paths);
    g_test_add_func("/svg-read/dashes", test_dashes);
    g_test_add_func("/svg-read/colours", test_colours);
    g_test_add_func("/svg-read/dark", test_dark);
    return g_test_run();
}
