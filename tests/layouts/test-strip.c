/* SPDX-License-Identifier: MIT
 *
 * The strip of a repeat: a cell for each pass, in the order of the layers, each kind of
 * its own lightness; the pattern once, with how often it comes round, where layers are
 * many. Layers of one kind have none.
 */
#include "tests/layouts/rules.h"

static FigFonts *fonts;

static void
find_cells(const FigItem *item, GString *cells, GString *words)
{
    if (!strcmp(item->role, "cell"))
        g_string_append_c(cells, item->fill == FIG_INK_PAPER  ? 'o'
                                 : item->fill == FIG_INK_TEXT ? 'x'
                                                              : '-');
    if (!strcmp(item->role, "kind"))
        g_string_append_printf(words, " %s", item->text->plain);
    for (const FigItem *child = item->first; child; child = child->next)
        find_cells(child, cells, words);
}

static const struct Case {
    const char *name, *model, *layers; /* NULL: as many as the model has */
    const char *cells;                 /* those behind the title first */
    const char *words;
} cases[] = {
    {"16", "olmo3", NULL,
     "ox"
     "ooox"
     "ooox"
     "ooox"
     "ooox",
     " window 12 full 4"},
    {"6", "olmo3", "6",
     "ox"
     "oooxoo",
     " window 5 full 1"},
    {"24", "olmo3", "24",
     "ox"
     "oooxoooxoooxoooxoooxooox",
     " window 18 full 6"},
    {"64", "olmo3", "64",
     "ox"
     "ooox",
     " window 48 full 16 × 16"},
    {"one-kind", "olmo2", NULL, "", ""},
};

static void
test_case(const void *data)
{
    const struct Case *the = data;
    const FigOverride dims[] = {{the->layers ? "L" : NULL, the->layers}, {NULL, NULL}};
    const FigLoadOptions options = {.dims = dims};
    g_autoptr(FigRecord) record = record_of(the->model, NULL, &options);
    g_autoptr(FigScene) scene = draw(record, NULL, fonts);
    g_autoptr(GString) cells = g_string_new(NULL), words = g_string_new(NULL);
    Figure figure = read_figure(scene);

    check_rules(&figure, record);
    find_cells(scene->root, cells, words);
    g_assert_cmpstr(cells->str, ==, the->cells);
    g_assert_cmpstr(words->str, ==, the->words);
    close_figure(&figure);
}

int
main(int argc, char **argv)
{
    int failed;

    g_test_init(&argc, &argv, NULL);
    fonts = open_fonts();
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *path = g_strdup_printf("/strip/%s", cases[i].name);

        g_test_add_data_func(path, &cases[i], test_case);
    }
    failed = g_test_run();
    fig_fonts_free(fonts);
    return failed;
}
