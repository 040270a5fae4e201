/* SPDX-License-Identifier: MIT
 *
 * SVG as written: well-formed to expat, what DESIGN fixes is there and what it forbids is
 * not, hostile words are inert, the bytes are the same twice, and librsvg draws it.
 */
#include "base/xml.h"
#include "render/output.h"

#include <expat.h>
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>

static FigFonts *fonts;

static const FigTextBox *
set(FigScene *scene, const char *source, FigFace face, double size)
{
    g_autoptr(FigDiag) diag = fig_diag_new();
    FigTextStyle style = {.face = face, .size = size};
    const FigTextBox *box =
        fig_text_set(fonts, scene->arena, source, &style, (FigSpan){0}, diag);
    g_assert_nonnull(box);
    return box;
}

static FigPath
line(FigScene *scene, double x1, double y1, double x2, double y2)
{
    FigPathBuilder *path = fig_path_begin(scene);
    fig_path_move(path, x1, y1);
    fig_path_line(path, x2, y2);
    return fig_path_end(path);
}

/* A box with a number, a label, and an edge that enters it. */
static FigScene *
small_scene(void)
{
    FigScene *scene = fig_scene_new();
    scene->width = 200;
    scene->height = 100.5;
    scene->id = "tiny";
    scene->title = "Tiny & small";
    scene->description = "One op.";
    scene->spec_text = "opfig: 1\n";
    scene->digest = "00ff";
    scene->version = "9.9";
    scene->options = "--theme light";
    scene->palette[FIG_INK_PAPER] = (FigColour){255, 255, 255};
    scene->palette[FIG_INK_TEXT] = (FigColour){0x20, 0x25, 0x2c};
    scene->palette[FIG_INK_EDGE] = (FigColour){0x11, 0x22, 0x33};
    scene->palette[FIG_INK_CLASS_FILL] = (FigColour){0xc3, 0xd9, 0xf3};
    scene->palette[FIG_INK_CLASS_BORDER] = (FigColour){0x1f, 0x61, 0xb0};

    FigItem *mark = fig_scene_group(scene, NULL, "mark");
    mark->means.op = "scores";
    mark->means.class_ = "activation_matmul";
    mark->title = "step 1";
    FigItem *box = fig_scene_rect(scene, mark, "box", 40, 40, 120, 15, 3);
    box->fill = FIG_INK_CLASS_FILL;
    box->stroke = FIG_INK_CLASS_BORDER;
    box->stroke_width = 1.6;
    fig_scene_text(
        scene, mark, "label",
        set(scene, "matmul  $S = q\\,k^\\top / \\sqrt{h_{ff}}$", FIG_FACE_SANS, 8), 60,
        50, FIG_INK_TEXT);
    FigItem *edge = fig_scene_group(scene, NULL, "edge");
    edge->means.edge = "q scores.a";
    edge->means.value = "q";
    FigItem *shaft = fig_scene_path(scene, edge, "line", line(scene, 100, 10, 100, 37));
    shaft->stroke = FIG_INK_EDGE;
    shaft->stroke_width = 0.85;
    shaft->n_dash = 2;
    shaft->dash[0] = 2;
    shaft->dash[1] = 1.5;
    FigPathBuilder *head = fig_path_begin(scene);
    fig_path_move(head, 98, 36);
    fig_path_line(head, 102, 36);
    fig_path_line(head, 100, 40);
    fig_path_close(head);
    fig_scene_path(scene, edge, "head", fig_path_end(head))->fill = FIG_INK_EDGE;
    return scene;
}

static GString *
draw(const FigScene *scene)
{
    const FigOutput *svg = fig_output_lookup("a/b.svg");
    GString *out = g_string_new(NULL);
    FigWriteOptions options = {0};
    g_assert_nonnull(svg);
    g_assert_true(svg->write(scene, &options, out, NULL));
    return out;
}

/* ---- what a parser sees ---- */

typedef struct Seen {
    GString *elements; /* "svg title desc …" */
    GString *text;     /* characters of <text>, "|" after each */
    GString *metadata;
    GHashTable *ids;
    const char *in;
    int styled, moved; /* attributes that must not be */
    bool rooted;
} Seen;

static void
start(void *data, const char *name, const char **attributes)
{
    static const char *const banned[] = {"style",   "class",    "transform",
                                         "dx",      "dy",       "textLength",
                                         "opacity", "clip-path"};
    Seen *seen = data;
    g_string_append_printf(seen->elements, "%s ", name);
    for (const char **a = attributes; *a; a += 2) {
        for (size_t i = 0; i < G_N_ELEMENTS(banned); i++)
            seen->styled += strcmp(a[0], banned[i]) == 0;
        if (strcmp(a[0], "id") == 0) {
            g_assert_true(g_str_has_prefix(a[1], "tiny"));
            g_assert_true(g_hash_table_add(seen->ids, g_strdup(a[1])));
        }
        if (strcmp(a[0], "text-anchor") == 0)
            g_assert_cmpstr(a[1], ==, "start");
        if (strcmp(a[0], "d") == 0)
            g_assert_cmpuint(strspn(a[1], "MLCZ0123456789.- "), ==, strlen(a[1]));
    }
    if (strcmp(name, "tspan") != 0)
        seen->in = g_intern_string(name);
}

static void
end(void *data, const char *name)
{
    Seen *seen = data;
    if (strcmp(name, "text") == 0)
        g_string_append_c(seen->text, '|');
    if (strcmp(name, "tspan") != 0)
        seen->in = "";
}

static void
characters(void *data, const char *text, int length)
{
    Seen *seen = data;
    if (strcmp(seen->in, "text") == 0)
        g_string_append_len(seen->text, text, length);
    if (strcmp(seen->in, "metadata") == 0)
        g_string_append_len(seen->metadata, text, length);
}

static void
parse(const GString *svg, Seen *seen)
{
    XML_Parser parser = XML_ParserCreate(NULL);
    *seen = (Seen){.elements = g_string_new(NULL),
                   .text = g_string_new(NULL),
                   .metadata = g_string_new(NULL),
                   .ids = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
                   .in = ""};
    XML_SetUserData(parser, seen);
    XML_SetElementHandler(parser, start, end);
    XML_SetCharacterDataHandler(parser, characters);
    if (!XML_Parse(parser, svg->str, (int)svg->len, 1))
        g_error("line %lu: %s", XML_GetCurrentLineNumber(parser),
                XML_ErrorString(XML_GetErrorCode(parser)));
    XML_ParserFree(parser);
}

static void
seen_clear(Seen *seen)
{
    g_string_free(seen->elements, TRUE);
    g_string_free(seen->text, TRUE);
    g_string_free(seen->metadata, TRUE);
    g_hash_table_unref(seen->ids);
}

/* ---- tests ---- */

static void
test_contract(void)
{
    g_autoptr(FigScene) scene = small_scene();
    GString *svg = draw(scene);
    Seen seen;
    parse(svg, &seen);
    g_assert_true(
        g_str_has_prefix(seen.elements->str, "svg title desc metadata rect g "));
    g_assert_cmpint(seen.styled, ==, 0);
    g_assert_nonnull(
        strstr(svg->str, "data-op=\"scores\" data-class=\"activation_matmul\""));
    g_assert_nonnull(strstr(svg->str, "data-edge=\"q scores.a\" data-value=\"q\""));
    g_assert_nonnull(strstr(
        svg->str, "width=\"200pt\" height=\"100.5pt\" viewBox=\"0 0 200 100.5\""));
    /* the name, and what tells this figure from another one of that name */
    g_assert_true(
        g_regex_match_simple("^<svg [^>]* id=\"(tiny-[0-9a-f]{8})\" [^>]*role=\"img\" "
                             "aria-labelledby=\"\\1\\.\\.title \\1\\.\\.desc\"[^>]*>\n"
                             "<title id=\"\\1\\.\\.title\">Tiny &amp; small</title>$",
                             svg->str, G_REGEX_MULTILINE, 0));
    g_assert_nonnull(strstr(svg->str, "stroke-dasharray=\"2 1.5\""));
    g_assert_nonnull(strstr(svg->str, "d=\"M98 36L102 36L100 40Z\""));
    /* the line comes before its head */
    g_assert_true(strstr(svg->str, "M100 10L100 37") < strstr(svg->str, "M98 36"));
    seen_clear(&seen);
    g_string_free(svg, TRUE);
}

static void
test_text(void)
{
    g_autoptr(FigScene) scene = small_scene();
    GString *svg = draw(scene);
    Seen seen;
    parse(svg, &seen);
    /* as a person would type it, inner spaces kept, ⊤ as it is shown */
    g_assert_cmpstr(seen.text->str, ==, "matmul S = q k⊤/√h_ff|");
    g_assert_nonnull(strstr(svg->str, "xml:space=\"preserve\""));
    /* the letters of h_ff stand alone, so that no viewer joins them */
    g_assert_null(strstr(svg->str, ">ff<"));
    g_assert_nonnull(strstr(svg->str, ">f</tspan>"));
    /* every tspan says its place but words without ink and the first, which stands where
     * its text does */
    for (const char *at = svg->str; (at = strstr(at, "<tspan")); at++) {
        bool begins = at[-1] == '>' && !g_str_has_prefix(at - 8, "</tspan>");
        g_assert_true(g_str_has_prefix(at, "<tspan x=\"") || begins ||
                      g_str_has_prefix(at, "<tspan fill=\"none\">"));
    }
    /* what changes style alone names no family, what is on the line before no height */
    g_assert_true(g_regex_match_simple("<tspan x=\"[0-9.]+\" font-style=\"normal\">= <",
                                       svg->str, 0, 0));
    seen_clear(&seen);
    g_string_free(svg, TRUE);
}

static void
test_hostile(void)
{
    static const char hostile[] =
        "a ]]> </script><svg onload=\"x\"> & \\u{41} \\ \r\n\t"
        "\x01\x7f \u202e\u2066\ufeff \xff\xc3 end\\";
    g_autoptr(FigScene) scene = small_scene();
    scene->spec_text = hostile;
    scene->options = hostile;
    scene->title = hostile;
    scene->description = hostile;
    scene->id = "tiny \"<&'/>";
    GString *svg = draw(scene);
    Seen seen;
    parse(svg, &seen);
    g_assert_null(strstr(svg->str, "]]>"));
    g_assert_null(strstr(svg->str, "</script"));
    g_assert_null(strstr(svg->str, "<svg onload"));
    g_assert_null(strstr(svg->str, "\u202e"));
    /* a quote is as it is in an element, where alone no attribute ends */
    g_assert_nonnull(
        strstr(svg->str, "onload=\"x\"&gt; &amp; \\\\u{41} \\\\ \\u{D}\n\t"));
    g_assert_nonnull(
        strstr(svg->str, "onload=&quot;x&quot;&gt; &amp; \\\\u{41} \\\\ \\u{D}\\u{A}"));
    g_assert_true(g_utf8_validate(svg->str, (gssize)svg->len, NULL));
    for (gsize i = 0; i < svg->len; i++)
        g_assert_true((guchar)svg->str[i] >= 0x20 || strchr("\n\t", svg->str[i]));
    g_autofree char *back = fig_carried_decode(seen.metadata->str);
    g_assert_cmpstr(back, ==, hostile);
    seen_clear(&seen);
    g_string_free(svg, TRUE);
}

static void
test_decode(void)
{
    static const char *const broken[] = {"\\",          "\\n",      "\\u{}",
                                         "\\u{110000}", "\\x{100}", "\\u{41",
                                         "\\u{D800}",   "\\u{0}",   "\\u41"};
    for (size_t i = 0; i < G_N_ELEMENTS(broken); i++)
        g_assert_null(fig_carried_decode(broken[i]));
    g_autofree char *text = fig_carried_decode("a\\\\\\u{41}\\x{C3}\\x{A9}");
    g_assert_cmpstr(text, ==, "a\\A\u00e9");
}

static void
test_same_bytes(void)
{
    g_autoptr(FigScene) a = small_scene();
    g_autoptr(FigScene) b = small_scene();
    GString *x = draw(a), *y = draw(b), *z = draw(a);
    g_assert_cmpstr(x->str, ==, y->str);
    g_assert_cmpstr(x->str, ==, z->str);
    g_string_free(x, TRUE);
    g_string_free(y, TRUE);
    g_string_free(z, TRUE);
}

static void
test_inherit(void)
{
    g_autoptr(FigScene) scene = small_scene();
    FigItem *group = fig_scene_group(scene, NULL, "many");
    for (int i = 0; i < 40; i++)
        fig_scene_text(scene, group, "label",
                       set(scene, i % 10 ? "word" : "strong",
                           i % 10 ? FIG_FACE_SANS : FIG_FACE_SANS_STRONG, 7),
                       10, 60, FIG_INK_TEXT);
    GString *svg = draw(scene);
    int families = 0, sizes = 0, weights = 0;
    for (const char *at = svg->str; (at = strstr(at, "font-family")); at++)
        families++;
    for (const char *at = svg->str; (at = strstr(at, "font-size=\"7\"")); at++)
        sizes++;
    for (const char *at = svg->str; (at = strstr(at, "font-weight=\"600\"")); at++)
        weights++;
    g_assert_cmpint(families, <, 12); /* those of the formula, and once for all words */
    g_assert_cmpint(sizes, ==, 1);
    g_assert_cmpint(weights, ==, 4);
    g_string_free(svg, TRUE);
}

static void
test_dark(void)
{
    g_autoptr(FigScene) scene = small_scene();
    scene->has_dark = true;
    for (int i = 1; i < FIG_INKS; i++)
        scene->dark[i] = (FigColour){(uint8_t)(200 - i), 10, 10};
    scene->palette[FIG_INK_EDGE] =
        scene->palette[FIG_INK_TEXT]; /* alike on white only */
    GString *svg = draw(scene);
    Seen seen;
    parse(svg, &seen);
    g_assert_true(
        g_str_has_prefix(seen.elements->str, "svg title desc metadata style rect "));
    g_assert_cmpint(seen.styled, ==, 0);
    g_assert_true(g_regex_match_simple(
        "#tiny-[0-9a-f]{8} \\[fill=\"#20252c\"\\]\\{fill:#c60a0a\\}", svg->str, 0, 0));
    g_assert_nonnull(strstr(svg->str, " [stroke=\"rgb(32,37,44)\"]{stroke:#c40a0a}"));
    g_assert_nonnull(strstr(svg->str, "stroke=\"rgb(32,37,44)\""));
    seen_clear(&seen);
    g_string_free(svg, TRUE);

    scene->has_dark = false;
    svg = draw(scene);
    g_assert_null(strstr(svg->str, "<style"));
    g_string_free(svg, TRUE);
}

/* librsvg draws it: the box has its colour, the paper is white. */
static void
test_rsvg(void)
{
    g_autoptr(FigScene) scene = small_scene();
    GString *svg = draw(scene);
    g_autoptr(GError) error = NULL;
    g_autofree char *folder = g_dir_make_tmp("opfig-XXXXXX", &error);
    g_autofree char *from = g_build_filename(folder, "a.svg", NULL);
    g_autofree char *to = g_build_filename(folder, "a.png", NULL);
    g_autofree char *messages = NULL;
    const char *argv[] = {"rsvg-convert", "-o", to, from, NULL};
    int status = -1;

    g_assert_no_error(error);
    g_assert_true(g_file_set_contents(from, svg->str, (gssize)svg->len, NULL));
    g_spawn_sync(NULL, (char **)argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL,
                 &messages, &status, &error);
    g_assert_no_error(error);
    g_assert_cmpstr(messages, ==, "");
    g_assert_true(g_spawn_check_wait_status(status, NULL));
    g_autofree char *png = NULL;
    gsize length = 0;
    g_assert_true(g_file_get_contents(to, &png, &length, NULL));
    /* 200 pt at 96 dpi: the width of the header */
    g_assert_cmpuint(length, >, 24);
    g_assert_cmpint((guchar)png[18] * 256 + (guchar)png[19], ==, 267);
    g_remove(from);
    g_remove(to);
    g_rmdir(folder);
    g_string_free(svg, TRUE);
}

static void
test_registry(void)
{
    g_assert_nonnull(fig_output_lookup("X.SVG"));
    g_assert_null(fig_output_lookup(".svg"));
    g_assert_null(fig_output_lookup("svg"));
    g_assert_null(fig_output_lookup("a.svgz"));
    for (const FigOutput *const *row = fig_output_all(); *row; row++) {
        g_assert_true((*row)->suffix[0] == '.');
        g_assert_nonnull((*row)->write);
        g_assert_cmpuint(strlen((*row)->help), >, 10);
    }
}

int
main(int argc, char **argv)
{
    g_autoptr(GError) error = NULL;
    g_test_init(&argc, &argv, NULL);
    fonts = fig_fonts_new(&error);
    g_assert_no_error(error);
    g_test_add_func("/svg/contract", test_contract);
    g_test_add_func("/svg/text", test_text);
    g_test_add_func("/svg/hostile", test_hostile);
    g_test_add_func("/svg/decode", test_decode);
    g_test_add_func("/svg/same-bytes", test_same_bytes);
    g_test_add_func("/svg/inherit", test_inherit);
    g_test_add_func("/svg/dark", test_dark);
    g_test_add_func("/svg/rsvg", test_rsvg);
    g_test_add_func("/svg/registry", test_registry);
    int result = g_test_run();
    fig_fonts_free(fonts);
    return result;
}
