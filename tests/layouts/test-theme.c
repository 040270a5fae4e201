/* SPDX-License-Identifier: MIT
 *
 * Themes: what is written can be read (WCAG 2 contrast), borders and edges can be seen,
 * and the four classes can be told apart: by colour (CIEDE2000), also with eyes that lack
 * a cone (Machado, Oliveira and Fernandes 2009, severity 1), and without any by their form.
 * Unknown names are errors with a suggestion.
 */
#include "tests/layouts/rules.h"

static FigFonts *fonts;

static double
linear(double channel)
{
    return channel <= 0.04045 ? channel / 12.92 : pow((channel + 0.055) / 1.055, 2.4);
}

static double
luminance(FigColour c)
{
    return 0.2126 * linear(c.r / 255.0) + 0.7152 * linear(c.g / 255.0) +
           0.0722 * linear(c.b / 255.0);
}

static double
contrast(FigColour a, FigColour b)
{
    double x = luminance(a), y = luminance(b);

    return (MAX(x, y) + 0.05) / (MIN(x, y) + 0.05);
}

/* The text, border and line inks of a palette against what they stand on. */
static void
check_contrast(const FigColour *ink)
{
    static const FigInk grounds[] = {
        FIG_INK_PAPER,          FIG_INK_PANEL_FILL,     FIG_INK_DRAFT_PALE,
        FIG_INK_CLASS_FILL + 0, FIG_INK_CLASS_FILL + 1, FIG_INK_CLASS_FILL + 2,
        FIG_INK_CLASS_FILL + 3,
    };
    static const FigInk words[] = {FIG_INK_TEXT, FIG_INK_MUTED};
    static const FigInk lines[] = {
        FIG_INK_EDGE,
        FIG_INK_RAIL,
        FIG_INK_PANEL_BORDER,
        FIG_INK_CLASS_BORDER + 0,
        FIG_INK_CLASS_BORDER + 1,
        FIG_INK_CLASS_BORDER + 2,
        FIG_INK_CLASS_BORDER + 3,
    };

    for (size_t g = 0; g < G_N_ELEMENTS(grounds); g++)
        for (size_t w = 0; w < G_N_ELEMENTS(words); w++)
            g_assert_cmpfloat(contrast(ink[words[w]], ink[grounds[g]]), >=, 4.5);
    /* DRAFT meets no border of a panel */
    for (size_t g = 0; g < 3; g++) {
        g_assert_cmpfloat(contrast(ink[FIG_INK_ACCENT], ink[grounds[g]]), >=, 4.5);
        for (size_t l = 0; l < G_N_ELEMENTS(lines); l++)
            if (grounds[g] != FIG_INK_DRAFT_PALE || lines[l] != FIG_INK_PANEL_BORDER)
                g_assert_cmpfloat(contrast(ink[lines[l]], ink[grounds[g]]), >=, 3);
    }
    /* a word as large as the page is seen when it is hardly darker than paper */
    g_assert_cmpfloat(contrast(ink[FIG_INK_DRAFT_PALE], ink[FIG_INK_PAPER]), >=, 1.1);
    for (int c = 0; c < FIG_CLASSES; c++)
        g_assert_cmpfloat(
            contrast(ink[FIG_INK_CLASS_BORDER + c], ink[FIG_INK_CLASS_FILL + c]), >=,
            3);
}

/* ---- colours apart ---- */

typedef struct Lab {
    double l, a, b;
} Lab;

static double
turn(double y, double x)
{
    double angle = x == 0 && y == 0 ? 0 : atan2(y, x) * 180 / G_PI;

    return angle < 0 ? angle + 360 : angle;
}

static double
cosine(double degrees)
{
    return cos(degrees * G_PI / 180);
}

/* CIEDE2000 with kL = kC = kH = 1, by the equations of Sharma, Wu and Dalal 2005. */
static double
apart(Lab p, Lab q)
{
    double mean7 = pow((hypot(p.a, p.b) + hypot(q.a, q.b)) / 2, 7);
    double g = 0.5 * (1 - sqrt(mean7 / (mean7 + pow(25, 7))));
    double a1 = p.a * (1 + g), a2 = q.a * (1 + g);
    double c1 = hypot(a1, p.b), c2 = hypot(a2, q.b), c = (c1 + c2) / 2;
    double h1 = turn(p.b, a1), h2 = turn(q.b, a2), dh = h2 - h1, h = h1 + h2;
    double dl = q.l - p.l, l = (p.l + q.l) / 2;

    if (c1 * c2 == 0) {
        dh = 0;
    } else {
        if (fabs(h1 - h2) > 180)
            h += h < 360 ? 360 : -360;
        h /= 2;
        dh += dh > 180 ? -360 : dh < -180 ? 360 : 0;
    }
    double dbig = 2 * sqrt(c1 * c2) * sin(dh / 2 * G_PI / 180);
    double t = 1 - 0.17 * cosine(h - 30) + 0.24 * cosine(2 * h) +
               0.32 * cosine(3 * h + 6) - 0.20 * cosine(4 * h - 63);
    double sl = 1 + 0.015 * pow(l - 50, 2) / sqrt(20 + pow(l - 50, 2));
    double sc = 1 + 0.045 * c, sh = 1 + 0.015 * c * t;
    double rt = -2 * sqrt(pow(c, 7) / (pow(c, 7) + pow(25, 7))) *
                sin(60 * exp(-pow((h - 275) / 25, 2)) * G_PI / 180);
    double x = dl / sl, y = (c2 - c1) / sc, z = dbig / sh;

    return sqrt(x * x + y * y + z * z + rt * y * z);
}

/* The table of that paper, which was made to find mistakes in implementations. */
static void
test_difference(void)
{
    /* clang-format off */
    static const struct { Lab p, q; double apart; } pairs[] = {
        {{50, 2.6772, -79.7751}, {50, 0, -82.7485}, 2.0425},
        {{50, 3.1571, -77.2803}, {50, 0, -82.7485}, 2.8615},
        {{50, 2.8361, -74.0200}, {50, 0, -82.7485}, 3.4412},
        {{50, -1.3802, -84.2814}, {50, 0, -82.7485}, 1.0000},
        {{50, -1.1848, -84.8006}, {50, 0, -82.7485}, 1.0000},
        {{50, -0.9009, -85.5211}, {50, 0, -82.7485}, 1.0000},
        {{50, 0, 0}, {50, -1, 2}, 2.3669},
        {{50, -1, 2}, {50, 0, 0}, 2.3669},
        {{50, 2.49, -0.001}, {50, -2.49, 0.0009}, 7.1792},
        {{50, 2.49, -0.001}, {50, -2.49, 0.0010}, 7.1792},
        {{50, 2.49, -0.001}, {50, -2.49, 0.0011}, 7.2195},
        {{50, 2.49, -0.001}, {50, -2.49, 0.0012}, 7.2195},
        {{50, -0.001, 2.49}, {50, 0.0009, -2.49}, 4.8045},
        {{50, -0.001, 2.49}, {50, 0.0010, -2.49}, 4.8045},
        {{50, -0.001, 2.49}, {50, 0.0011, -2.49}, 4.7461},
        {{50, 2.5, 0}, {50, 0, -2.5}, 4.3065},
        {{50, 2.5, 0}, {73, 25, -18}, 27.1492},
        {{50, 2.5, 0}, {61, -5, 29}, 22.8977},
        {{50, 2.5, 0}, {56, -27, -3}, 31.9030},
        {{50, 2.5, 0}, {58, 24, 15}, 19.4535},
        {{50, 2.5, 0}, {50, 3.1736, 0.5854}, 1.0000},
        {{50, 2.5, 0}, {50, 3.2972, 0}, 1.0000},
        {{50, 2.5, 0}, {50, 1.8634, 0.5757}, 1.0000},
        {{50, 2.5, 0}, {50, 3.2592, 0.3350}, 1.0000},
        {{60.2574, -34.0099, 36.2677}, {60.4626, -34.1751, 39.4387}, 1.2644},
        {{63.0109, -31.0961, -5.8663}, {62.8187, -29.7946, -4.0864}, 1.2630},
        {{61.2901, 3.7196, -5.3901}, {61.4292, 2.2480, -4.9620}, 1.8731},
        {{35.0831, -44.1164, 3.7933}, {35.0232, -40.0716, 1.5901}, 1.8645},
        {{22.7233, 20.0904, -46.6940}, {23.0331, 14.9730, -42.5619}, 2.0373},
        {{36.4612, 47.8580, 18.3852}, {36.2715, 50.5065, 21.2231}, 1.4146},
        {{90.8027, -2.0831, 1.4410}, {91.1528, -1.6435, 0.0447}, 1.4441},
        {{90.9257, -0.5406, -0.9208}, {88.6381, -0.8985, -0.7239}, 1.5381},
        {{6.7747, -0.2908, -2.4247}, {5.8714, -0.0985, -2.2286}, 0.6377},
        {{2.0776, 0.0795, -1.1350}, {0.9033, -0.0636, -0.5514}, 0.9082},
    };
    /* clang-format on */

    for (size_t i = 0; i < G_N_ELEMENTS(pairs); i++) {
        g_assert_cmpfloat_with_epsilon(apart(pairs[i].p, pairs[i].q), pairs[i].apart,
                                       0.00006);
        g_assert_cmpfloat_with_epsilon(apart(pairs[i].q, pairs[i].p), pairs[i].apart,
                                       0.00006);
    }
}

/* Linear RGB as eyes see it that have all cones, lack the long, lack the middle one. */
static const double sight[3][3][3] = {
    {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
    {{0.152286, 1.052583, -0.204868},
     {0.114503, 0.786281, 0.099216},
     {-0.003882, -0.048116, 1.051998}},
    {{0.367322, 0.860646, -0.227968},
     {0.280085, 0.672501, 0.047413},
     {-0.011820, 0.042940, 0.968881}},
};

/* A colour as those eyes see it, in CIE Lab of D65. */
static Lab
lab_of(FigColour c, const double eyes[3][3])
{
    static const double to_xyz[3][3] = {{0.4124564, 0.3575761, 0.1804375},
                                        {0.2126729, 0.7151522, 0.0721750},
                                        {0.0193339, 0.1191920, 0.9503041}};
    static const double white[3] = {0.95047, 1.0, 1.08883};
    double rgb[3] = {linear(c.r / 255.0), linear(c.g / 255.0), linear(c.b / 255.0)};
    double seen[3], f[3];

    for (int i = 0; i < 3; i++)
        seen[i] = CLAMP(eyes[i][0] * rgb[0] + eyes[i][1] * rgb[1] + eyes[i][2] * rgb[2],
                        0, 1);
    for (int i = 0; i < 3; i++) {
        double t =
            (to_xyz[i][0] * seen[0] + to_xyz[i][1] * seen[1] + to_xyz[i][2] * seen[2]) /
            white[i];

        f[i] = t > 216.0 / 24389 ? cbrt(t) : (24389.0 / 27 * t + 16) / 116;
    }
    return (Lab){116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])};
}

/* The eyes themselves: gray stays gray; what a deuteranope takes for one is one. */
static void
test_sight(void)
{
    FigColour red = {255, 0, 0}, green = {0, 255, 0}, gray = {128, 128, 128};
    Lab seen = lab_of(gray, sight[0]);

    /* L* of #808080 is 53.585 */
    g_assert_cmpfloat_with_epsilon(seen.l, 53.585, 0.001);
    g_assert_cmpfloat_with_epsilon(hypot(seen.a, seen.b), 0, 0.02);
    for (int e = 1; e < 3; e++) {
        Lab same = lab_of(gray, sight[e]);

        g_assert_cmpfloat(apart(seen, same), <, 0.1);
        g_assert_cmpfloat(apart(lab_of(red, sight[e]), lab_of(green, sight[e])), <,
                          apart(lab_of(red, sight[0]), lab_of(green, sight[0])) - 20);
    }
}

static void
check_apart(const FigColour *ink)
{
    for (size_t e = 0; e < G_N_ELEMENTS(sight); e++)
        for (int a = 0; a < FIG_CLASSES; a++)
            for (int b = a + 1; b < FIG_CLASSES; b++)
                g_assert_cmpfloat(
                    apart(lab_of(ink[FIG_INK_CLASS_BORDER + a], sight[e]),
                          lab_of(ink[FIG_INK_CLASS_BORDER + b], sight[e])),
                    >=, 10);
}

static void
test_colours(void)
{
    g_autoptr(FigRecord) record = record_of("olmo2-block", NULL, NULL);
    g_auto(GStrv) themes = fig_theme_names();

    g_assert_cmpuint(g_strv_length(themes), >=, 5);
    for (char **theme = themes; *theme; theme++) {
        const FigLayoutOptions options = {.theme = *theme};
        g_autoptr(FigScene) scene = draw(record, &options, fonts);
        Figure figure = read_figure(scene);

        g_test_message("theme %s", *theme);
        check_rules(&figure, record);
        close_figure(&figure);
        check_contrast(scene->palette);
        check_apart(scene->palette);
        g_assert_true(scene->has_dark == !strcmp(*theme, "auto"));
        if (scene->has_dark) {
            check_contrast(scene->dark);
            check_apart(scene->dark);
        }
    }
}

/* ---- without colour ---- */

/* The first mark of a class, in the order of drawing. */
static const FigItem *
mark_of(const FigItem *item, const char *class_)
{
    const FigItem *found = NULL;

    if (item->kind == FIG_ITEM_GROUP && item->means.op &&
        !g_strcmp0(item->means.class_, class_) && item->first->kind == FIG_ITEM_RECT)
        return item;
    for (const FigItem *child = item->first; child && !found; child = child->next)
        found = mark_of(child, class_);
    return found;
}

typedef struct Form {
    double width, second; /* of the borders; 0: no second */
    bool round;           /* ends */
} Form;

static Form
form_of(const FigScene *scene, FigClass class)
{
    const FigItem *group = mark_of(scene->root, fig_class_name(class));
    Form form = {0};

    g_assert_nonnull(group);
    form.width = group->first->stroke_width;
    form.round = group->first->radius >= group->first->height / 2;
    for (const FigItem *item = group->first->next; item; item = item->next)
        if (item->kind == FIG_ITEM_RECT)
            form.second = item->stroke_width;
    return form;
}

/* In gray, classes are told apart by their borders. */
static void
test_forms(void)
{
    g_autoptr(FigRecord) record = record_of("olmo2-block", NULL, NULL);
    g_auto(GStrv) themes = fig_theme_names();

    for (char **theme = themes; *theme; theme++) {
        const FigLayoutOptions options = {.theme = *theme};
        g_autoptr(FigScene) scene = draw(record, &options, fonts);

        for (int a = 0; a < FIG_CLASSES; a++)
            for (int b = a + 1; b < FIG_CLASSES; b++) {
                Form one = form_of(scene, (FigClass)a),
                     two = form_of(scene, (FigClass)b);

                g_assert_true(
                    one.round != two.round || (one.second > 0) != (two.second > 0) ||
                    MAX(one.width, two.width) >= 1.6 * MIN(one.width, two.width));
            }
    }
}

/* ---- words ---- */

static void
check_families(const FigItem *item, const char *family, int *strong)
{
    for (const FigItem *child = item->first; child; child = child->next)
        check_families(child, family, strong);
    for (int r = 0; item->kind == FIG_ITEM_TEXT && r < item->text->n_runs; r++) {
        const FigTextRun *run = &item->text->runs[r];

        for (const char *c = run->text; !run->ghost && *c; c++)
            if (g_ascii_isalpha(*c))
                g_assert_cmpstr(fig_font_family(run->font), ==, family);
        *strong += fig_font_weight(run->font) >= 600;
    }
}

/* Every Latin letter of paper is Latin Modern, and fonts serve the next theme as before. */
static void
test_words(void)
{
    g_autoptr(FigRecord) record = record_of("olmo2-block", NULL, NULL);
    const FigLayoutOptions options = {.theme = "paper"};
    g_autoptr(FigScene) before = draw(record, NULL, fonts);
    g_autoptr(FigScene) paper = draw(record, &options, fonts);
    g_autoptr(FigScene) after = draw(record, NULL, fonts);
    g_autofree char *one = fig_scene_dump(before), *two = fig_scene_dump(after);
    int strong = 0;

    check_families(paper->root, "LM Roman 10", &strong);
    g_assert_cmpint(strong, >, 3);
    g_assert_cmpstr(one, ==, two);
}

static void
test_unknown(void)
{
    static const struct {
        FigLayoutOptions options;
        const char *message;
    } cases[] = {
        {{.theme = "lihgt"}, "error: unknown theme ‘lihgt’\n"},
        {{.layout = "blokc"}, "error: unknown layout ‘blokc’\n"},
    };
    g_autoptr(FigRecord) record = record_of("olmo2-block", NULL, NULL);

    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(FigDiag) diag = fig_diag_new();
        g_autoptr(GString) out = g_string_new(NULL);

        g_assert_null(fig_layout_place(record, &cases[i].options, fonts, diag));
        fig_diag_print(diag, out, false);
        g_assert_true(g_str_has_prefix(out->str, cases[i].message));
        g_assert_nonnull(
            strstr(out->str, i ? "did you mean ‘block’" : "did you mean ‘light’"));
    }
}

int
main(int argc, char **argv)
{
    int failed;

    g_test_init(&argc, &argv, NULL);
    fonts = open_fonts();
    g_test_add_func("/theme/difference", test_difference);
    g_test_add_func("/theme/sight", test_sight);
    g_test_add_func("/theme/colours", test_colours);
    g_test_add_func("/theme/forms", test_forms);
    g_test_add_func("/theme/words", test_words);
    g_test_add_func("/theme/unknown", test_unknown);
    failed = g_test_run();
    fig_fonts_free(fonts);
    return failed;
}
