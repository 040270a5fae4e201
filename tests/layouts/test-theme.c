/* SPDX-License-Identifier: MIT
 *
 * Themes: what is written can be read (WCAG 2 contrast), borders and edges can be seen,
 * and the four classes can be told apart, for a deuteranope too (Machado, Oliveira and
 * Fernandes 2009, severity 1). Unknown names are errors with a suggestion.
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

static void
test_contrast(void)
{
    static const FigInk grounds[] = {
        FIG_INK_PAPER,          FIG_INK_PANEL_FILL,     FIG_INK_CLASS_FILL + 0,
        FIG_INK_CLASS_FILL + 1, FIG_INK_CLASS_FILL + 2, FIG_INK_CLASS_FILL + 3,
    };
    static const FigInk words[] = {FIG_INK_TEXT, FIG_INK_MUTED};
    static const FigInk lines[] = {
        FIG_INK_EDGE,
        FIG_INK_RAIL,
        FIG_INK_CLASS_BORDER + 0,
        FIG_INK_CLASS_BORDER + 1,
        FIG_INK_CLASS_BORDER + 2,
        FIG_INK_CLASS_BORDER + 3,
    };
    g_autoptr(FigRecord) record = record_of("olmo2-block", NULL, NULL);
    g_auto(GStrv) themes = fig_theme_names();

    g_assert_cmpuint(g_strv_length(themes), >=, 1);
    for (char **theme = themes; *theme; theme++) {
        const FigLayoutOptions options = {.theme = *theme};
        g_autoptr(FigScene) scene = draw(record, &options, fonts);
        const FigColour *ink = scene->palette;
        Figure figure = read_figure(scene);

        check_rules(&figure, record);
        close_figure(&figure);
        for (size_t g = 0; g < G_N_ELEMENTS(grounds); g++)
            for (size_t w = 0; w < G_N_ELEMENTS(words); w++)
                g_assert_cmpfloat(contrast(ink[words[w]], ink[grounds[g]]), >=, 4.5);
        for (size_t g = 0; g < 2; g++) {
            g_assert_cmpfloat(contrast(ink[FIG_INK_ACCENT], ink[grounds[g]]), >=, 4.5);
            for (size_t l = 0; l < G_N_ELEMENTS(lines); l++)
                g_assert_cmpfloat(contrast(ink[lines[l]], ink[grounds[g]]), >=, 3);
        }
    }
}

/* A colour as a deuteranope sees it, to CIE Lab. */
static void
deutan_lab(FigColour c, bool deutan, double lab[3])
{
    static const double see[3][3] = {{0.367322, 0.860646, -0.227968},
                                     {0.280085, 0.672501, 0.047413},
                                     {-0.011820, 0.042940, 0.968881}};
    static const double to_xyz[3][3] = {
        {0.4124, 0.3576, 0.1805}, {0.2126, 0.7152, 0.0722}, {0.0193, 0.1192, 0.9505}};
    static const double white[3] = {0.9505, 1.0, 1.089};
    double rgb[3] = {linear(c.r / 255.0), linear(c.g / 255.0), linear(c.b / 255.0)};
    double seen[3] = {rgb[0], rgb[1], rgb[2]}, f[3];

    for (int i = 0; deutan && i < 3; i++)
        seen[i] =
            CLAMP(see[i][0] * rgb[0] + see[i][1] * rgb[1] + see[i][2] * rgb[2], 0, 1);
    for (int i = 0; i < 3; i++) {
        double t =
            (to_xyz[i][0] * seen[0] + to_xyz[i][1] * seen[1] + to_xyz[i][2] * seen[2]) /
            white[i];

        f[i] = t > 0.008856 ? cbrt(t) : 7.787 * t + 16.0 / 116;
    }
    lab[0] = 116 * f[1] - 16;
    lab[1] = 500 * (f[0] - f[1]);
    lab[2] = 200 * (f[1] - f[2]);
}

static void
test_apart(void)
{
    g_autoptr(FigRecord) record = record_of("olmo2-block", NULL, NULL);
    g_autoptr(FigScene) scene = draw(record, NULL, fonts);

    for (int deutan = 0; deutan < 2; deutan++)
        for (int a = 0; a < FIG_CLASSES; a++)
            for (int b = a + 1; b < FIG_CLASSES; b++) {
                double one[3], two[3];

                deutan_lab(scene->palette[FIG_INK_CLASS_BORDER + a], deutan, one);
                deutan_lab(scene->palette[FIG_INK_CLASS_BORDER + b], deutan, two);
                g_assert_cmpfloat(sqrt(pow(one[0] - two[0], 2) +
                                       pow(one[1] - two[1], 2) +
                                       pow(one[2] - two[2], 2)),
                                  >=, 15);
            }
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
    g_test_add_func("/theme/contrast", test_contrast);
    g_test_add_func("/theme/apart", test_apart);
    g_test_add_func("/theme/unknown", test_unknown);
    failed = g_test_run();
    fig_fonts_free(fonts);
    return failed;
}
