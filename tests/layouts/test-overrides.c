/* SPDX-License-Identifier: MIT
 *
 * What a layout file asks for by name: the rail's side, rows in another order, main lines
 * through other ops, fewer accents. All rules hold under each, for shipped blocks and for
 * random ones, and a name that is not in the record is named at its place.
 */
#include "tests/layouts/leaders.h"
#include "tests/layouts/random.h"

#include <glib/gstdio.h>

enum { RANDOM = 150 };

#define CLAIM .that = "true", .must = true, .holds = true, .by = "structure"

static const char *const also[] = {"k_norm"};
static const FigRecordClaim claims[] = {
    {.id = "post_norm", .say = {.text = "after"}, .at = "attn_norm", CLAIM},
    {.id = "post_norm_ff", .say = {.text = "again"}, .at = "ff_norm", CLAIM},
    {.id = "qk_norm",
     .say = {.text = "wide"},
     .at = "q_norm",
     .n_also = 1,
     .also = also,
     CLAIM},
};

static FigFonts *fonts;
static char *path; /* of the layout file */

static FigScene *
draw_by(const FigRecord *record, const char *text, GString *wrong)
{
    const FigLayoutOptions options = {.layout = path};
    g_autoptr(FigDiag) diag = fig_diag_new();
    FigScene *scene;

    g_assert_true(g_file_set_contents(path, text, -1, NULL));
    scene = fig_layout_place(record, &options, fonts, diag);
    if (wrong)
        fig_diag_print(diag, wrong, false);
    return scene;
}

/* Draw by a layout and hold the figure to all rules. */
static FigScene *
hold(const FigRecord *record, const char *text, Figure *figure)
{
    FigScene *scene = draw_by(record, text, NULL);

    g_assert_nonnull(scene);
    *figure = read_figure(scene);
    check_rules(figure, record);
    check_leaders(figure, record, scene->root);
    return scene;
}

static double
middle_of(const Figure *figure, const char *op)
{
    Rect shape = mark_named(figure, op)->shape;

    return (shape.left + shape.right) / 2;
}

static void
test_rail(void)
{
    static const char *const models[] = {"olmo1-block", "olmo2-gated", "llama3-block",
                                         "olmo3"};

    for (size_t i = 0; i < G_N_ELEMENTS(models); i++) {
        g_autoptr(FigRecord) record = record_of(models[i], NULL, NULL);

        for (int left = 0; left < 2; left++) {
            Figure figure;
            g_autoptr(FigScene) scene = NULL; /* what the figure points into */
            scene = hold(record, left ? "rail: left" : "rail: right", &figure);

            g_assert_true((middle_of(&figure, "z1") < middle_of(&figure, "qkv")) ==
                          left);
            close_figure(&figure);
        }
    }
    for (guint32 seed = 1; seed <= RANDOM; seed++) {
        g_autoptr(FigRecord) record = random_record(seed, 0, 0);
        Figure figure;
        g_autoptr(FigScene) scene = NULL;
        scene = hold(record, "rail: left", &figure);

        close_figure(&figure);
    }
}

static void
test_order(void)
{
    g_autoptr(FigRecord) record = record_of("olmo2-block", NULL, NULL);
    Figure figure;
    g_autoptr(FigScene) usual = NULL, other = NULL, two = NULL;
    usual = hold(record, "{}", &figure);

    g_assert_cmpfloat(middle_of(&figure, "q_heads"), <, middle_of(&figure, "v_heads"));
    g_assert_cmpfloat(middle_of(&figure, "gate"), <, middle_of(&figure, "up"));
    close_figure(&figure);
    other = hold(record, "order: [v_heads, q_heads, k_heads]", &figure);
    g_assert_cmpfloat(middle_of(&figure, "v_heads"), <, middle_of(&figure, "q_heads"));
    g_assert_cmpfloat(middle_of(&figure, "q_heads"), <, middle_of(&figure, "k_heads"));
    /* all of a branch moves */
    g_assert_cmpfloat(middle_of(&figure, "q_norm"), <, middle_of(&figure, "k_norm"));
    close_figure(&figure);
    two = hold(record, "order:\n- [up, gate]\n- [k_heads, q_heads]", &figure);
    g_assert_cmpfloat(middle_of(&figure, "up"), <, middle_of(&figure, "gate"));
    g_assert_cmpfloat(middle_of(&figure, "k_norm"), <, middle_of(&figure, "q_norm"));
    close_figure(&figure);
}

static void
test_lanes(void)
{
    g_autoptr(FigRecord) record = record_of("olmo2-block", NULL, NULL);
    Figure figure;
    g_autoptr(FigScene) usual = NULL, other = NULL;
    usual = hold(record, "{}", &figure);

    g_assert_cmpfloat(fabs(middle_of(&figure, "silu") - middle_of(&figure, "gated")), >,
                      9);
    close_figure(&figure);
    other = hold(record, "lanes: silu", &figure);
    g_assert_cmpfloat(fabs(middle_of(&figure, "silu") - middle_of(&figure, "gated")), <,
                      0.01);
    g_assert_cmpfloat(fabs(middle_of(&figure, "silu") - middle_of(&figure, "ff_norm")),
                      <, 0.01);
    close_figure(&figure);
}

/* Any names in any order: nothing breaks. */
static void
test_random(void)
{
    for (guint32 seed = 1; seed <= RANDOM; seed++) {
        g_autoptr(FigRecord) record = random_record(seed, 0, 0);
        g_autoptr(GRand) dice = g_rand_new_with_seed(seed);
        g_autoptr(GString) text = g_string_new("rail: left\norder: [");
        Figure figure;
        g_autoptr(FigScene) scene = NULL;

        for (int i = 0; i < record->n_ops; i++)
            if (g_rand_int_range(dice, 0, 3) == 0)
                g_string_append_printf(text, "%s%s",
                                       g_str_has_suffix(text->str, "[") ? "" : ", ",
                                       record->ops[record->n_ops - 1 - i].id);
        g_string_append_printf(
            text, "]\nlanes: [%s]\naccents: none",
            record->ops[g_rand_int_range(dice, 0, record->n_ops)].id);
        scene = hold(record, text->str, &figure);
        close_figure(&figure);
    }
}

static int
count_bars(const FigItem *item)
{
    int n = !strcmp(item->role, "bar");

    for (const FigItem *child = item->first; child; child = child->next)
        n += count_bars(child);
    return n;
}

static void
test_accents(void)
{
    static const struct {
        const char *text;
        int bars;
    } cases[] = {
        {"accents: all", 4},
        {"accents: none", 0},
        {"accents: post_norm", 1},
        {"accents: [qk_norm]", 2},
        {"accents: [qk_norm, post_norm_ff]", 3},
    };
    g_autoptr(FigRecord) record = record_of("olmo2-block", NULL, NULL);

    record->claims = claims;
    record->n_claims = G_N_ELEMENTS(claims);
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        Figure figure;
        g_autoptr(FigScene) scene = hold(record, cases[i].text, &figure);

        g_assert_cmpint(count_bars(scene->root), ==, cases[i].bars);
        close_figure(&figure);
    }
}

static void
test_mistakes(void)
{
    static const char *const cases[][2] = {
        {"order: [v_heads, k_haeds]",
         ":1:18: error: ‘olmo2-block’ has no op ‘k_haeds’\n"
         "    1 | order: [v_heads, k_haeds]\n"
         "      |                  ^^^^^^^\n"
         "      = hint: did you mean ‘k_heads’?\n"},
        {"lanes: [silu, silu]", ":1:15: error: ‘silu’ is listed twice\n"
                                "    1 | lanes: [silu, silu]\n"
                                "      |               ^^^^\n"},
        {"accents: [post_nrm]", ":1:11: error: ‘olmo2-block’ has no claim ‘post_nrm’\n"
                                "    1 | accents: [post_nrm]\n"
                                "      |           ^^^^^^^^\n"
                                "      = hint: did you mean ‘post_norm’?\n"},
        {"rail: lft", ":1:7: error: ‘rail’ is one of right, left\n"
                      "    1 | rail: lft\n"
                      "      |       ^^^\n"
                      "      = hint: did you mean ‘left’?\n"},
        {"lanes: {a: 1}", ":1:8: error: ‘lanes’ is a list of names\n"
                          "    1 | lanes: {a: 1}\n"
                          "      |        ^^^^^^\n"},
        {"order: [[up], {a: 1}]", ":1:15: error: ‘order’ is a list of names\n"
                                  "    1 | order: [[up], {a: 1}]\n"
                                  "      |               ^^^^^^\n"},
    };
    g_autoptr(FigRecord) record = record_of("olmo2-block", NULL, NULL);

    record->claims = claims;
    record->n_claims = G_N_ELEMENTS(claims);
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GString) wrong = g_string_new(NULL);

        g_assert_null(draw_by(record, cases[i][0], wrong));
        g_assert_true(g_str_has_prefix(wrong->str, path));
        g_assert_cmpstr(wrong->str + strlen(path), ==, cases[i][1]);
    }
}

/* A layout says only what it changes of another. */
static void
test_extends(void)
{
    g_autoptr(FigRecord) record = record_of("olmo2-block", NULL, NULL);
    g_autoptr(FigScene) block = draw(record, NULL, fonts);
    g_autoptr(FigScene) same = draw_by(record, "extends: block", NULL);
    g_autoptr(FigScene) itself = NULL;
    g_autofree char *one = fig_scene_dump(block), *two = fig_scene_dump(same);
    g_autofree char *circle = g_strdup_printf("extends: %s", path);
    g_autoptr(GString) wrong = g_string_new(NULL);

    g_assert_cmpstr(one, ==, two);
    itself = draw_by(record, circle, wrong);
    g_assert_null(itself);
    g_assert_nonnull(strstr(wrong->str, "extend each other"));
}

int
main(int argc, char **argv)
{
    g_autofree char *folder = NULL;
    int failed;

    g_test_init(&argc, &argv, NULL);
    fonts = open_fonts();
    folder = g_dir_make_tmp("opfig-XXXXXX", NULL);
    path = g_build_filename(folder, "own.yaml", NULL);
    g_test_add_func("/overrides/rail", test_rail);
    g_test_add_func("/overrides/order", test_order);
    g_test_add_func("/overrides/lanes", test_lanes);
    g_test_add_func("/overrides/random", test_random);
    g_test_add_func("/overrides/accents", test_accents);
    g_test_add_func("/overrides/mistakes", test_mistakes);
    g_test_add_func("/overrides/extends", test_extends);
    failed = g_test_run();
    g_remove(path);
    g_rmdir(folder);
    g_free(path);
    fig_fonts_free(fonts);
    return failed;
}
