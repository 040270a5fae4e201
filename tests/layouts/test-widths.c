/* SPDX-License-Identifier: MIT
 *
 * Narrow pages: shipped figures fit the usual one; towards the least width labels stand
 * in two lines and what was beside marks moves over or under the drawing, by the same
 * rules; below it the width is refused with that number, in the person's unit.
 */
#include "tests/layouts/random.h"
#include "tests/layouts/rules.h"

#include <stdlib.h>

enum { RECORDS = 200, SMALL = 40 };

static FigFonts *fonts;

static const char *const models[] = {"olmo1-block",
                                     "olmo2-block",
                                     "olmo3-block",
                                     "llama3-block",
                                     "qwen3-block",
                                     "olmo2-gated",
                                     "llama-interleaved-block"};

/* The least width that a refusal names, in its unit. */
static double
least_of(const FigRecord *record, double unit, const char *name)
{
    g_autoptr(FigDiag) diag = fig_diag_new();
    g_autoptr(GString) message = g_string_new(NULL);
    const FigLayoutOptions narrow = {.width = 20, .unit = unit, .unit_name = name};
    const char head[] = "error: this figure needs a width of at least ";
    char *end;
    double least;

    g_assert_null(fig_layout_place(record, &narrow, fonts, diag));
    fig_diag_print(diag, message, false);
    g_assert_true(g_str_has_prefix(message->str, head));
    least = g_ascii_strtod(message->str + strlen(head), &end);
    g_assert_true(g_str_has_prefix(end + 1, name ? name : "pt"));
    return least;
}

static void
check_at(const FigRecord *record, double width)
{
    const FigLayoutOptions options = {.width = width};
    g_autoptr(FigScene) scene = draw(record, width > 0 ? &options : NULL, fonts);
    Figure figure = read_figure(scene);

    g_assert_cmpfloat(scene->width, ==, width > 0 ? width : 396);
    check_rules(&figure, record);
    close_figure(&figure);
}

static void
test_shipped(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(models); i++) {
        g_autoptr(FigRecord) record = record_of(models[i], NULL, NULL);
        double least = least_of(record, 0, NULL);

        check_at(record, 0);
        check_at(record, least);
        check_at(record, (least + 396) / 2);
        g_assert_cmpfloat(least, <=, 380);
    }
}

static void
test_random(void)
{
    for (guint32 i = 1; i <= RECORDS; i++) {
        g_autoptr(FigRecord) record = random_record(i, 0, 0);

        if (record->n_ops <= SMALL)
            check_at(record, least_of(record, 0, NULL));
    }
}

static void
test_units(void)
{
    g_autoptr(FigRecord) record = record_of("olmo2-block", NULL, NULL);
    double points = least_of(record, 0, NULL);
    double inches = least_of(record, 72, "in");
    double mm = least_of(record, 72 / 25.4, "mm");

    /* rounded up, by less than a step of a hundredth of an inch, or a millimetre */
    g_assert_cmpfloat(inches * 72, >=, points - 1);
    g_assert_cmpfloat(inches * 72, <, points + 0.72);
    g_assert_cmpfloat(mm * 72 / 25.4, >=, points - 1);
    g_assert_cmpfloat(mm * 72 / 25.4, <, points + 72 / 25.4);
    check_at(record, inches * 72);
    check_at(record, mm * 72 / 25.4);
}

/* The labels of an op, a line each. */
static char *
label_of(const FigItem *item, const char *op)
{
    if (!g_strcmp0(item->means.op, op)) {
        GString *lines = g_string_new(NULL);

        for (const FigItem *child = item->first; child; child = child->next)
            if (!strcmp(child->role, "label"))
                g_string_append_printf(lines, "%s%s", lines->len ? "|" : "",
                                       child->text->plain);
        return g_string_free(lines, FALSE);
    }
    for (const FigItem *child = item->first; child; child = child->next) {
        char *found = label_of(child, op);

        if (found)
            return found;
    }
    return NULL;
}

static void
test_lines(void)
{
    static const struct {
        const char *model, *op;
        double width;
        const char *lines;
    } cases[] = {
        {"llama3-block", "q_rope", 520, "RoPE scaled ×8|(Llama 3)"},
        {"llama3-block", "q_rope", 396, "RoPE scaled ×8|(Llama 3)"},
        {"llama3-block", "k_repeat", 396, "repeat heads|×H/G"},
        {"llama-interleaved-block", "k_rope", 396, "RoPE|(interleaved)"},
        {"llama3-block", "gate", 396, "matmul W_1 : C → h_ff"}, /* its panel fits */
        {"olmo2-gated", "open", 396, "matmul|W_open : C → C"},
    };

    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(FigRecord) record = record_of(cases[i].model, NULL, NULL);
        const FigLayoutOptions options = {.width = cases[i].width};
        g_autoptr(FigScene) scene = draw(record, &options, fonts);
        g_autofree char *lines = label_of(scene->root, cases[i].op);

        g_assert_cmpstr(lines, ==, cases[i].lines);
    }
}

/* How often an expression is printed, in a part or out of all. */
static int
count(const FigItem *item, const char *expr, const char *part, bool inside)
{
    int n = inside && !g_strcmp0(item->means.number, expr);

    inside = inside || !g_strcmp0(item->means.part, part);
    for (const FigItem *child = item->first; child; child = child->next)
        n += count(child, expr, part, inside);
    return n;
}

/* Where there is no room beside its marks, a constant is said over the drawing: once. */
static void
test_constant(void)
{
    g_autoptr(FigRecord) record = record_of("olmo2-block", NULL, NULL);
    const double widths[] = {396, least_of(record, 0, NULL)};

    for (int narrow = 0; narrow < 2; narrow++) {
        const FigLayoutOptions options = {.width = widths[narrow]};
        g_autoptr(FigScene) scene = draw(record, &options, fonts);

        g_assert_cmpint(count(scene->root, "theta", "dims", false), ==, narrow);
        g_assert_cmpint(count(scene->root, "theta", "", true), ==, 1);
    }
}

int
main(int argc, char **argv)
{
    int failed;

    g_test_init(&argc, &argv, NULL);
    fonts = open_fonts();
    g_test_add_func("/widths/shipped", test_shipped);
    g_test_add_func("/widths/random", test_random);
    g_test_add_func("/widths/units", test_units);
    g_test_add_func("/widths/lines", test_lines);
    g_test_add_func("/widths/constant", test_constant);
    failed = g_test_run();
    fig_fonts_free(fonts);
    return failed;
}
