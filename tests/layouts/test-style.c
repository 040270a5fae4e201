/* SPDX-License-Identifier: MIT
 *
 * Layout files: each key does what docs/layouts.md says of it, the rules hold under all
 * that ship, and mistakes are named at their place.
 */
#include "base/file.h"
#include "layouts/style.h"
#include "tests/layouts/rules.h"

#include <glib/gstdio.h>
#include <unistd.h>

#define CLAIM .that = "true", .must = true, .holds = true, .by = "structure"

static FigFonts *fonts;
static char *folder; /* with layouts/x.yaml and the shipped themes */

static void
write_layout(const char *text)
{
    g_autofree char *path = g_build_filename(folder, "layouts", "x.yaml", NULL);

    g_assert_true(g_file_set_contents(path, text, -1, NULL));
}

/* Draw the block by a layout of that text, or name what is wrong with it. */
static FigScene *
draw_by(const FigRecord *record, const char *text, GString *wrong)
{
    g_autofree char *before = g_strdup(g_getenv("OPFIG_SOURCE"));
    const FigLayoutOptions options = {.layout = "x"};
    g_autoptr(FigDiag) diag = fig_diag_new();
    FigScene *scene;

    write_layout(text);
    g_setenv("OPFIG_SOURCE", folder, TRUE);
    scene = fig_layout_place(record, &options, fonts, diag);
    if (before)
        g_setenv("OPFIG_SOURCE", before, TRUE);
    else
        g_unsetenv("OPFIG_SOURCE");
    if (wrong)
        fig_diag_print(diag, wrong, false);
    return scene;
}

/* How many items have a part, a shape, a callout with words. */
typedef struct Count {
    int shapes, callouts, sentences, legend, footer, totals;
} Count;

static void
count(const FigItem *item, bool terminal, Count *n)
{
    terminal = terminal || item->means.input || item->means.output;
    n->shapes += item->means.shape && !terminal;
    n->callouts += !strcmp(item->role, "callout") && item->kind == FIG_ITEM_TEXT;
    n->sentences += item->means.claim != NULL;
    n->legend += item->means.legend != NULL;
    n->footer += !g_strcmp0(item->means.part, "footer");
    n->totals += item->means.number && g_str_has_prefix(item->means.number, "flops(");
    for (const FigItem *child = item->first; child; child = child->next)
        count(child, terminal, n);
}

static Count
count_by(const FigRecord *record, const char *text)
{
    g_autoptr(FigScene) scene = draw_by(record, text, NULL);
    Figure figure = read_figure(scene);
    Count n = {0};

    check_rules(&figure, record);
    close_figure(&figure);
    count(scene->root, false, &n);
    return n;
}

/* The block with a sentence about two ops, one about an op, one about none. */
static FigRecord *
block(void)
{
    static const char *const also[] = {"k_norm"};
    static const FigRecordClaim claims[] = {
        {.id = "two",
         .say = {.text = "norms of queries and keys"},
         .at = "q_norm",
         .n_also = 1,
         .also = also,
         CLAIM},
        {.id = "one",
         .say = {.text = "norm of what attention gives, before it is added"},
         .at = "attn_norm",
         CLAIM},
        {.id = "none", .say = {.text = "There are no biases."}, CLAIM},
    };
    FigRecord *record = record_of("olmo2-block", NULL, NULL);

    record->claims = claims;
    record->n_claims = G_N_ELEMENTS(claims);
    return record;
}

static void
test_keys(void)
{
    g_autoptr(FigRecord) record = block();
    const Count usual = count_by(record, "{}"), none = {0};
    Count n = count_by(record, "shapes: none");
    int values = 0, branches = 0;

    for (int i = 0; i < record->n_ops; i++)
        values += record->ops[i].n_writes;
    for (int i = 0; i < record->n_ops; i++)
        branches += !strcmp(record->ops[i].op, "add"); /* on the rail, without shapes */
    g_assert_cmpint(usual.shapes, >, 10);
    g_assert_cmpint(n.shapes, ==, none.shapes);
    n = count_by(record, "shapes: all");
    g_assert_cmpint(n.shapes, ==, values - branches);
    g_assert_cmpint(usual.callouts, >, 0);
    n = count_by(record, "callouts: false");
    g_assert_cmpint(n.callouts, ==, 0);
    g_assert_cmpint(n.sentences, ==, 3);
    g_assert_cmpint(usual.sentences, ==, 1);
    n = count_by(record, "callout_width: 60");
    g_assert_cmpint(n.callouts, >, usual.callouts);
    n = count_by(record, "claims: false");
    g_assert_cmpint(n.sentences, ==, 0);
    n = count_by(record, "legend: false");
    g_assert_cmpint(n.legend, ==, 0);
    n = count_by(record, "footer: false");
    g_assert_cmpint(n.footer, ==, 0);
    /* those of two panels, and of all in the key */
    g_assert_cmpint(usual.totals, ==, 3);
    n = count_by(record, "totals: false");
    g_assert_cmpint(n.totals, ==, 1);
}

static void
test_mistakes(void)
{
    static const char *const cases[][2] = {
        {"shapes: changes",
         "layouts/x.yaml:1:9: error: ‘shapes’ is one of changed, all, none\n"
         "    1 | shapes: changes\n"
         "      |         ^^^^^^^\n"
         "      = hint: did you mean ‘changed’?\n"},
        {"callouts: perhaps",
         "layouts/x.yaml:1:11: error: ‘callouts’ is true or false\n"
         "    1 | callouts: perhaps\n"
         "      |           ^^^^^^^\n"},
        {"legend: true\nfoter: false",
         "layouts/x.yaml:2:1: error: a layout has no key ‘foter’\n"
         "    2 | foter: false\n"
         "      | ^^^^^\n"
         "      = note: its keys are extends, classes, legend, claims, totals, footer, "
         "shapes, callout_width, rail, lanes, callouts, order, accents\n"
         "      = hint: did you mean ‘footer’?\n"},
        {"callout_width: wide",
         "layouts/x.yaml:1:16: error: ‘callout_width’ is a number of points\n"
         "    1 | callout_width: wide\n"
         "      |                ^^^^\n"},
    };
    g_autoptr(FigRecord) record = record_of("olmo2-block", NULL, NULL);

    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GString) wrong = g_string_new(NULL);

        g_assert_null(draw_by(record, cases[i][0], wrong));
        g_assert_cmpstr(wrong->str, ==, cases[i][1]);
    }
}

static void
test_shipped(void)
{
    g_autoptr(FigRecord) record = record_of("olmo2-gated", NULL, NULL);
    g_auto(GStrv) names = fig_layout_names();
    g_autofree char *path = fig_data_path("docs/layouts.md");
    g_autofree char *page = NULL;

    g_assert_true(g_file_get_contents(path, &page, NULL, NULL));
    g_assert_cmpint((int)g_strv_length(names), >=, 2);
    for (int i = 0; names[i]; i++) {
        const FigLayoutOptions options = {.layout = names[i]};
        g_autoptr(FigScene) scene = draw(record, &options, fonts);
        g_autofree char *row = g_strdup_printf("| `%s` |", names[i]);
        Figure figure = read_figure(scene);

        check_rules(&figure, record);
        close_figure(&figure);
        g_assert_nonnull(strstr(page, row));
    }
    for (const char *const *key = fig_style_keys(); *key; key++) {
        g_autofree char *row = g_strdup_printf("| `%s:` |", *key);

        if (!strstr(page, row))
            g_error("docs/layouts.md does not explain %s", *key);
    }
}

/* A folder of data with one layout, and the themes of the program. */
static void
make_folder(void)
{
    g_autofree char *themes = fig_data_path("layouts/themes");
    g_autofree char *layouts = NULL, *link = NULL;

    folder = g_dir_make_tmp("opfig-XXXXXX", NULL);
    layouts = g_build_filename(folder, "layouts", NULL);
    link = g_build_filename(layouts, "themes", NULL);
    g_assert_cmpint(g_mkdir(layouts, 0700), ==, 0);
    g_assert_cmpint(symlink(themes, link), ==, 0);
}

static void
remove_folder(void)
{
    static const char *const names[] = {"layouts/x.yaml", "layouts/themes", "layouts",
                                        ""};

    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *path = g_build_filename(folder, names[i], NULL);

        g_remove(path);
    }
    g_free(folder);
}

int
main(int argc, char **argv)
{
    int failed;

    g_test_init(&argc, &argv, NULL);
    fonts = open_fonts();
    make_folder();
    g_test_add_func("/style/keys", test_keys);
    g_test_add_func("/style/mistakes", test_mistakes);
    g_test_add_func("/style/shipped", test_shipped);
    failed = g_test_run();
    remove_folder();
    fig_fonts_free(fonts);
    return failed;
}
