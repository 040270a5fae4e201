/* SPDX-License-Identifier: MIT
 *
 * Boxes against the fonts themselves: expected sizes are worked out from numbers in the
 * font files (units per em: Inter 2816, Latin Modern 1000), not from our output.
 */
#include "base/file.h"
#include "base/yaml.h"
#include "text/text.h"

#include <hb-ot.h>
#include <hb.h>
#include <math.h>
#include <string.h>

/* Cap heights and x-heights: Inter 2048 and 1536 of 2816, Latin Modern 683 and 431. */
static const double math_scale =
    (2 * (2048 / 2816.0) / 0.683 + (1536 / 2816.0) / 0.431) / 3;

typedef struct Fixture {
    FigFonts *fonts;
    FigArena *arena;
    FigDiag *diag;
} Fixture;

static void
set_up(Fixture *fixture, gconstpointer data)
{
    g_autoptr(GError) error = NULL;
    fixture->fonts = fig_fonts_new(&error);
    g_assert_no_error(error);
    fixture->arena = fig_arena_new();
    fixture->diag = fig_diag_new();
}

static void
tear_down(Fixture *fixture, gconstpointer data)
{
    fig_diag_free(fixture->diag);
    fig_arena_free(fixture->arena);
    fig_fonts_free(fixture->fonts);
}

static const FigTextBox *
set(Fixture *fixture, const char *source, double size)
{
    FigTextStyle style = {.face = FIG_FACE_SANS, .size = size};
    const FigTextBox *box = fig_text_set(fixture->fonts, fixture->arena, source, &style,
                                         (FigSpan){0}, fixture->diag);
    g_assert_nonnull(box);
    return box;
}

static const FigTextRun *
run_of(const FigTextBox *box, const char *text)
{
    for (int i = 0; i < box->n_runs; i++)
        if (!strcmp(box->runs[i].text, text))
            return &box->runs[i];
    g_error("no run ‘%s’ in ‘%s’", text, box->source);
}

static void
assert_near(double got, double want)
{
    g_assert_cmpfloat_with_epsilon(got, want, 1e-4);
}

/* The width of words, by another road: shaped here from the file. */
static double
width_by_harfbuzz(const FigFont *font, const char *text, double size)
{
    hb_blob_t *blob = hb_blob_create_from_file_or_fail(fig_font_file(font));
    hb_face_t *face = hb_face_create(blob, (unsigned)fig_font_index(font));
    hb_font_t *hb = hb_font_create(face);
    hb_buffer_t *buffer = hb_buffer_create();
    hb_buffer_add_utf8(buffer, text, -1, 0, -1);
    hb_buffer_guess_segment_properties(buffer);
    hb_shape(hb, buffer, NULL, 0);
    unsigned n;
    hb_glyph_position_t *place = hb_buffer_get_glyph_positions(buffer, &n);
    gint64 sum = 0;
    for (unsigned i = 0; i < n; i++)
        sum += place[i].x_advance;
    double width = (double)sum * size / hb_face_get_upem(face);
    hb_buffer_destroy(buffer);
    hb_font_destroy(hb);
    hb_face_destroy(face);
    hb_blob_destroy(blob);
    return width;
}

static void
check_words(Fixture *fixture, gconstpointer data)
{
    static const char *const words[] = {"matmul", "RMSNorm", "AVATAR Today, To. (T)",
                                        "softmax over keys", "7,298,617,344"};
    const FigFont *sans = fig_fonts_face(fixture->fonts, FIG_FACE_SANS);
    for (size_t i = 0; i < G_N_ELEMENTS(words); i++)
        assert_near(set(fixture, words[i], 8)->width,
                    width_by_harfbuzz(sans, words[i], 8));
    assert_near(set(fixture, "0", 8)->width, 1760 / 2816.0 * 8);
    /* a line is as high as the font says: hhea 2728 and −680 */
    const FigTextBox *box = set(fixture, "x", 8);
    assert_near(box->ascent, 2728 / 2816.0 * 8);
    assert_near(box->descent, 680 / 2816.0 * 8);
    assert_near(-box->ink_top, 1536 / 2816.0 * 8);
}

static void
check_sizes(Fixture *fixture, gconstpointer data)
{
    double size = 8 * math_scale;
    assert_near(set(fixture, "$\\to$", 8)->width, size);
    assert_near(set(fixture, "$10$", 8)->width, size);
    /* 3C: ord, ord; a = b: 5 mu of 18 on both sides of a sign 778 wide */
    double a = set(fixture, "$a$", 8)->width, b = set(fixture, "$b$", 8)->width;
    assert_near(set(fixture, "$a=b$", 8)->width, a + b + (0.778 + 10 / 18.0) * size);
    assert_near(set(fixture, "$a+b$", 8)->width, a + b + (0.778 + 8 / 18.0) * size);
    assert_near(set(fixture, "$a,b$", 8)->width, a + b + (0.278 + 3 / 18.0) * size);
    assert_near(set(fixture, "$ab$", 8)->width, a + b);
    assert_near(set(fixture, "$a\\;b$", 8)->width, a + b + 5 / 18.0 * size);
    /* scripts at 70 %, and never under 6 pt */
    assert_near(run_of(set(fixture, "$h_d$", 8), "d")->size, 0.7 * size);
    assert_near(run_of(set(fixture, "$h_d$", 7), "d")->size, 6);
    assert_near(run_of(set(fixture, "$x_{y_z}$", 8), "z")->size, 6);
}

/* A formula of letters, digits and brackets stays in one family; what LM Roman lacks or
 * draws otherwise comes from the math font. Where both have a sign, it keeps the math
 * font's room: digits, brackets and = are as wide in both files. */
static void
check_fonts(Fixture *fixture, gconstpointer data)
{
    static const char *const roman[] = {"(", ")", "[", "]", "3", "1408",
                                        "=", ":", "+", "/", ",", "\\to"};
    static const char *const math[] = {"\\theta", "\\cdot",   "\\top",  "<", ">",
                                       "\\odot",  "\\approx", "\\le",   "⌈", "\\sum",
                                       "\\pm",    "\\ldots",  "\\infty"};
    for (size_t i = 0; i < G_N_ELEMENTS(roman) + G_N_ELEMENTS(math); i++) {
        bool is_roman = i < G_N_ELEMENTS(roman);
        const char *sign = is_roman ? roman[i] : math[i - G_N_ELEMENTS(roman)];
        g_autofree char *source = g_strdup_printf("${%s}$", sign);
        const FigTextBox *box = set(fixture, source, 8);
        g_assert_cmpint(box->n_runs, ==, 1);
        g_assert_cmpstr(fig_font_family(box->runs[0].font), ==,
                        is_roman ? "LM Roman 10" : "Latin Modern Math");
        g_assert_false(fig_font_italic(box->runs[0].font));
        const FigFont *font = fig_fonts_face(fixture->fonts, FIG_FACE_MATH);
        assert_near(box->runs[0].advance,
                    width_by_harfbuzz(font, box->runs[0].text, 8 * math_scale));
    }
    const FigTextBox *shape = set(fixture, "$(B, 3C)$", 8);
    for (int i = 0; i < shape->n_runs; i++)
        g_assert_cmpstr(fig_font_family(shape->runs[i].font), ==, "LM Roman 10");
}

static void
check_scripts(Fixture *fixture, gconstpointer data)
{
    double size = 8 * math_scale;
    const FigTextBox *box = set(fixture, "$h_d$", 8);
    assert_near(run_of(box, "h")->y, 0);
    assert_near(run_of(box, "d")->y, 0.247 * size); /* SubscriptShiftDown */
    box = set(fixture, "$k^\\top$", 8);
    assert_near(run_of(box, "⊤")->y, -0.289 * size); /* SuperscriptShiftUpCramped */
    /* a subscript starts left of where a superscript does: W leans by 132 */
    double sub = run_of(set(fixture, "$W_n$", 8), "n")->x;
    double sup = run_of(set(fixture, "$W^n$", 8), "n")->x;
    assert_near(sup - sub, 0.132 * size);
    /* both: at least 160 between them */
    box = set(fixture, "$x_i^k$", 8);
    g_assert_cmpfloat(run_of(box, "i")->y, >, 0.247 * size);
    g_assert_cmpfloat(run_of(box, "k")->y, <, -0.28 * size);
    /* primes do not sink into the letter, and 10⁵ is one line */
    box = set(fixture, "$z'$", 8);
    g_assert_cmpfloat(box->ink_top, <, -0.74 * size);
    box = set(fixture, "$10^5$", 8);
    assert_near(run_of(box, "⁵")->y, 0);
    g_assert_cmpstr(fig_font_family(run_of(box, "⁵")->font), ==, "Inter");
    /* those that LM Roman has stay text, as large as the base, whose height they have */
    box = set(fixture, "$x^{12}$", 8);
    g_assert_cmpint(box->n_paths, ==, 0);
    assert_near(run_of(box, "¹²")->y, 0);
    g_assert_cmpstr(fig_font_family(run_of(box, "¹²")->font), ==, "LM Roman 10");
}

/* Among words of Latin Modern, which lacks ⁵, it is drawn: a 5 of 666 as a script above 289
 * (cramped), at 70 % but no smaller than 6 points. */
static void
check_superior(Fixture *fixture, gconstpointer data)
{
    g_assert_true(fig_fonts_set_words(fixture->fonts, "LM Roman 10"));
    const FigTextBox *box = set(fixture, "$10^{-5}$", 10);
    g_assert_cmpstr(box->plain, ==, "10⁻⁵");
    g_assert_true(run_of(box, "⁻⁵")->ghost);
    g_assert_cmpint(box->n_paths, ==, 1);
    double size = run_of(box, "10")->size;
    assert_near(box->ink_top, -(0.289 * size + 0.666 * MAX(0.7 * size, 6)));
    g_assert_cmpfloat(box->ink_right, >, 2.6 * 0.5 * size);
    for (int i = 0; i < box->paths[0].n_points; i++)
        g_assert_cmpfloat(box->paths[0].points[i][0], >=, 2 * 0.5 * size);
    for (int i = 0; i < box->n_runs; i++)
        g_assert_cmpstr(fig_font_family(box->runs[i].font), !=, "Inter");
}

/* The bar is the last four points of a radical's path. */
static void
check_radical(Fixture *fixture, gconstpointer data)
{
    static const char *const insides[] = {"2",
                                          "x",
                                          "h_d",
                                          "a+b",
                                          "\\frac{a}{b}",
                                          "\\frac{\\frac{a}{b}}{\\frac{c}{d}}",
                                          "\\sqrt{h_d}"};
    double size = 8 * math_scale, rule = 0.04 * size, gap = 0.05 * size;
    for (size_t i = 0; i < G_N_ELEMENTS(insides); i++) {
        g_autofree char *alone = g_strdup_printf("$%s$", insides[i]);
        g_autofree char *source = g_strdup_printf("$\\sqrt{%s}$", insides[i]);
        const FigTextBox *inner = set(fixture, alone, 8);
        const FigTextBox *box = set(fixture, source, 8);
        const FigPath *path = &box->paths[box->n_paths - 1];
        const double(*bar)[2] = path->points + path->n_points - 4;
        double left = bar[0][0], top = bar[0][1], right = bar[2][0], bottom = bar[1][1];
        assert_near(bottom - top, rule);
        assert_near(right, box->width);
        assert_near(right - left, inner->width);
        /* above the content, by the gap at least; the sign reaches below it */
        g_assert_cmpfloat(bottom, <=, inner->ink_top - gap + 1e-9);
        double low = -1e9, joint = 1e9;
        for (int k = 0; k < path->n_points - 4; k++) {
            low = MAX(low, path->points[k][1]);
            joint = MIN(joint, path->points[k][1]);
        }
        g_assert_cmpfloat(low, >=, inner->ink_bottom - 1e-9);
        assert_near(joint, top);
        /* ink reaches from the sign's hook to the bar's end */
        g_assert_cmpfloat(box->ink_right, >=, right - 1e-9);
        g_assert_cmpfloat(box->ink_left, >=, 0);
        assert_near(box->ink_top, top);
    }
}

static void
check_letters(Fixture *fixture, gconstpointer data)
{
    const FigTextBox *box = set(fixture, "$h_{ff}$ $x_{fifl}$ $ff$", 8);
    for (int i = 0; i < box->n_runs; i++) {
        const FigTextRun *run = &box->runs[i];
        g_assert_null(strstr(run->text, "ff"));
        g_assert_null(strstr(run->text, "fi"));
        g_assert_null(strstr(run->text, "fl"));
        if (!run->ghost)
            g_assert_cmpint(run->n_glyphs, ==, (int)g_utf8_strlen(run->text, -1));
    }
    box = set(fixture, "$abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ$", 8);
    double end = -1;
    for (int i = 0; i < box->n_runs; i++) {
        g_assert_true(g_ascii_isalpha(box->runs[i].text[0]));
        g_assert_cmpstr(fig_font_family(box->runs[i].font), ==, "LM Roman 10");
        g_assert_true(fig_font_italic(box->runs[i].font));
        g_assert_cmpfloat(box->runs[i].x, >, end);
        end = box->runs[i].x;
    }
    g_assert_cmpint(box->n_runs, ==, 52);
}

static void
check_plain(Fixture *fixture, gconstpointer data)
{
    static const char *const cases[][2] = {
        {"matmul $W_{qkv} : C \\to 3C$", "matmul W_qkv : C → 3C"},
        {"matmul $S = q\\,k^\\top/\\sqrt{h_d}$", "matmul S = q k⊤/√h_d"},
        {"$\\theta = 5 \\cdot 10^5$", "θ = 5·10⁵"},
        {"$z''$", "z″"},
        {"$(B, T, h_{ff})$", "(B, T, h_ff)"},
        {"RMSNorm$_{attn}$", "RMSNorm_attn"},
        {"$\\frac{a+1}{\\sqrt{x^2+1}}$", "(a+1)/√(x²+1)"},
        {"$\\left(\\frac{a}{b}\\right)^2$", "(a/b)²"},
        {"$x_{i+1}^{n-1}$", "x_(i+1)^(n−1)"},
        {"$\\lceil 8C/3 \\rceil$ is <b>", "⌈8C/3⌉ is <b>"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        const FigTextBox *box = set(fixture, cases[i][0], 8);
        g_assert_cmpstr(box->plain, ==, cases[i][1]);
        g_autoptr(GString) runs = g_string_new(NULL);
        for (int k = 0; k < box->n_runs; k++)
            g_string_append(runs, box->runs[k].text);
        g_assert_cmpstr(runs->str, ==, box->plain);
        /* the terminal's text differs in the sign of the transpose alone */
        g_autofree char *terminal = fig_text_plain(cases[i][0]);
        g_autoptr(GString) same = g_string_new(box->plain);
        g_string_replace(same, "⊤", "ᵀ", 0);
        g_assert_cmpstr(terminal, ==, same->str);
    }
}

/* Set every text of a spec that a figure prints; gives their number. */
static int
set_all(Fixture *fixture, const FigYaml *node, const char *key)
{
    int count = 0;
    for (int i = 0; i < node->count; i++)
        count += set_all(fixture, node->items[i],
                         node->kind == FIG_YAML_MAP ? node->keys[i]->text : key);
    static const char *const words[] = {"title", "subtitle", "say",
                                        "what",  "notes",    NULL};
    bool label = key && !strcmp(key, "label");
    if (node->kind != FIG_YAML_SCALAR || !key ||
        (!label && !g_strv_contains(words, key)))
        return count;
    g_autofree char *source =
        label ? g_strdup_printf("$%s$", node->text) : g_strdup(node->text);
    const FigTextBox *box = set(fixture, source, 8);
    g_assert_cmpfloat(box->width, >, 0);
    g_assert_cmpfloat(box->ink_right, >, box->ink_left);
    g_assert_cmpfloat(box->ink_bottom, >, box->ink_top);
    g_assert_cmpfloat(box->ink_right, <, box->width + 2);
    g_assert_cmpfloat(box->ink_left, >, -1);
    g_assert_cmpfloat(-box->ink_top, <=, box->ascent);
    g_assert_cmpfloat(box->ink_bottom, <=, box->descent);
    return count + 1;
}

static void
check_spec(Fixture *fixture, gconstpointer data)
{
    g_autofree char *path = g_build_filename(g_getenv("OPFIG_SOURCE"),
                                             "spec/models/olmo2-block.yaml", NULL);
    g_autofree char *text = NULL;
    size_t length;
    g_assert_true(fig_file_read(path, 1 << 20, &text, &length, NULL));
    FigSource source = {path, text, length};
    const FigYaml *root = fig_yaml_read(&source, fixture->arena, fixture->diag);
    g_assert_nonnull(root);
    int labels = set_all(fixture, root, NULL);
    int wanted = 0; /* by another road: lines and flow maps that hold such a key */
    for (const char *c = text; (c = strstr(c, "label: ")); c++)
        wanted++;
    for (const char *c = text; (c = strstr(c, "say: ")); c++)
        wanted++;
    g_assert_cmpint(wanted, >, 15);
    g_assert_cmpint(labels, >, wanted);
    fig_fonts_report(fixture->fonts, fixture->diag);
    g_assert_cmpint(fig_diag_warnings(fixture->diag), ==, 0);
    g_assert_cmpint(fig_diag_errors(fixture->diag), ==, 0);
}

static void
check_same(Fixture *fixture, gconstpointer data)
{
    const char *source = "matmul $S = q\\,k^\\top/\\sqrt{h_d}$ and $\\frac{a}{b}$";
    g_autoptr(FigFonts) others = fig_fonts_new(NULL);
    FigTextStyle style = {.face = FIG_FACE_SANS, .size = 8};
    const FigTextBox *a = set(fixture, source, 8);
    const FigTextBox *b = fig_text_set(others, fixture->arena, source, &style,
                                       (FigSpan){0}, fixture->diag);
    g_assert_cmpint(a->n_runs, ==, b->n_runs);
    g_assert_cmpint(a->n_paths, ==, b->n_paths);
    g_assert_true(a->width == b->width && a->ink_right == b->ink_right);
    for (int i = 0; i < a->n_runs; i++) {
        g_assert_true(a->runs[i].x == b->runs[i].x && a->runs[i].y == b->runs[i].y);
        g_assert_cmpmem(
            a->runs[i].glyphs, (size_t)a->runs[i].n_glyphs * sizeof(FigGlyph),
            b->runs[i].glyphs, (size_t)b->runs[i].n_glyphs * sizeof(FigGlyph));
    }
    for (int i = 0; i < a->n_paths; i++)
        g_assert_cmpmem(
            a->paths[i].points, (size_t)a->paths[i].n_points * sizeof(double[2]),
            b->paths[i].points, (size_t)b->paths[i].n_points * sizeof(double[2]));
}

static void
check_wrap(Fixture *fixture, gconstpointer data)
{
    const char *source =
        "The scale $1 / \\sqrt{h_d}$ is folded into $S$; it is not drawn.";
    FigTextStyle style = {.face = FIG_FACE_SANS, .size = 8};
    for (double width = 20; width < 300; width += 7) {
        int n;
        const FigTextBox *const *lines =
            fig_text_wrap(fixture->fonts, fixture->arena, source, &style, width, &n,
                          (FigSpan){0}, fixture->diag);
        g_autoptr(GString) joined = g_string_new(NULL);
        for (int i = 0; i < n; i++) {
            /* too wide only when it cannot be broken */
            if (lines[i]->width > width)
                g_assert_true(!strchr(lines[i]->source, ' ') ||
                              !strcmp(lines[i]->source, "$1 / \\sqrt{h_d}$"));
            g_string_append_printf(joined, "%s%s", i ? " " : "", lines[i]->source);
            /* and the first chunk of the next line would not have fitted */
            if (i + 1 < n) {
                g_autofree char *next = g_strdup(lines[i + 1]->source);
                char *end = *next == '$' ? strchr(next + 1, '$') : next;
                end[strcspn(end, " ")] = '\0';
                g_autofree char *both =
                    g_strdup_printf("%s %s", lines[i]->source, next);
                g_assert_cmpfloat(set(fixture, both, 8)->width, >, width);
            }
        }
        g_assert_cmpstr(joined->str, ==, source);
    }
    int n;
    g_assert_nonnull(fig_text_wrap(fixture->fonts, fixture->arena, "", &style, 50, &n,
                                   (FigSpan){0}, fixture->diag));
    g_assert_cmpint(n, ==, 1);
    g_assert_null(fig_text_wrap(fixture->fonts, fixture->arena, "a $\\foo$", &style, 50,
                                &n, (FigSpan){0}, fixture->diag));
    g_assert_cmpint(n, ==, 0);
    g_assert_cmpint(fig_diag_errors(fixture->diag), ==, 1);
}

/* Formulas made of whatever parses: what the box says is what the terminal says, its
 * numbers are finite and its ink is inside it but for the overhang of letters. */
static void
check_random(Fixture *fixture, gconstpointer data)
{
    static const char *const parts[] = {
        "a",       "W",          "f",        "12",
        "x_i",     "h_{ff}",     "k^\\top",  "10^{-5}",
        "z''",     "+",          "=",        "\\to ",
        ",",       "(",          ")",        "\\,",
        "\\sqrt{", "\\frac{1}{", "{",        "}",
        "}",       "_{q}",       "^2",       "'",
        "\\left(", "\\right)",   "\\theta ", "\\mathrm{ab}",
        "\\cdot ", "\\sum ",     "/",        " ",
    };
    int set_so_far = 0;
    for (int round = 0; round < 4000; round++) {
        g_autoptr(GString) source = g_string_new("w $");
        int length = g_test_rand_int_range(1, 10);
        for (int i = 0; i < length; i++)
            g_string_append(source,
                            parts[g_test_rand_int_range(0, G_N_ELEMENTS(parts))]);
        g_string_append(source, "$ w");
        g_autoptr(FigArena) arena = fig_arena_new();
        FigTextStyle style = {.face = FIG_FACE_SANS, .size = 8};
        const FigTextBox *box = fig_text_set(fixture->fonts, arena, source->str, &style,
                                             (FigSpan){0}, NULL);
        if (!box)
            continue;
        set_so_far++;
        g_autofree char *terminal = fig_text_plain(source->str);
        g_autoptr(GString) same = g_string_new(box->plain);
        g_string_replace(same, "⊤", "ᵀ", 0);
        g_assert_cmpstr(same->str, ==, terminal);
        g_assert_true(isfinite(box->width) && box->width > 0);
        g_assert_cmpfloat(box->ink_left, >=, -1);
        g_assert_cmpfloat(box->ink_right, <=, box->width + 1);
        g_assert_cmpfloat(box->ascent, >=, -box->ink_top);
        g_assert_cmpfloat(box->descent, >=, box->ink_bottom);
    }
    g_assert_cmpint(set_so_far, >, 500);
}

/* Brackets inside brackets cost no more than their number. */
static void
check_deep(Fixture *fixture, gconstpointer data)
{
    g_autoptr(GString) source = g_string_new("$");
    for (int i = 0; i < 60; i++)
        g_string_append(source, "\\left(");
    g_string_append(source, "\\frac{a}{b}");
    for (int i = 0; i < 60; i++)
        g_string_append(source, "\\right)");
    g_string_append(source, "$");
    const FigTextBox *box = set(fixture, source->str, 8);
    g_assert_cmpint((int)strspn(box->plain, "("), ==, 60);
    g_assert_cmpint(box->n_paths, ==,
                    121); /* as many signs, and the bar of the fraction */
    /* the outermost comes first, and each stands left of what it holds */
    for (int i = 1; i < 60; i++)
        g_assert_cmpfloat(box->runs[i].x, >, box->runs[i - 1].x);
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define ADD(name, function)                                                            \
    g_test_add("/set/" name, Fixture, NULL, set_up, function, tear_down)
    ADD("words", check_words);
    ADD("sizes", check_sizes);
    ADD("fonts", check_fonts);
    ADD("scripts", check_scripts);
    ADD("superior", check_superior);
    ADD("radical", check_radical);
    ADD("letters", check_letters);
    ADD("plain", check_plain);
    ADD("spec", check_spec);
    ADD("same", check_same);
    ADD("wrap", check_wrap);
    ADD("random", check_random);
    ADD("deep", check_deep);
    return g_test_run();
}
