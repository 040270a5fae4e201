/* SPDX-License-Identifier: MIT
 *
 * Every label of every shipped spec, as the record has it, in the four forms that labels
 * have: they say the same.
 */
#include "tests/layouts/figure.h"
#include "tests/text/writers.h"

static int n_labels;

static void
look_at(FigFonts *fonts, const char *source, bool math)
{
    g_autofree char *label = math ? g_strdup_printf("$%s$", source) : g_strdup(source);
    g_autoptr(FigArena) arena = fig_arena_new();
    const FigTextStyle style = {.face = FIG_FACE_SANS, .size = 8};
    const FigTextBox *box =
        fig_text_set(fonts, arena, label, &style, (FigSpan){0}, NULL);
    g_assert_nonnull(box);
    /* a figure shows the sign of a transpose, a terminal the letter */
    g_autoptr(GString) shown = g_string_new(box->plain);
    g_string_replace(shown, "⊤", "ᵀ", 0);
    g_autofree char *plain = fig_text_plain(label);
    g_assert_cmpstr(shown->str, ==, plain);
    assert_latex(label);
    assert_mathml(label);
    n_labels++;
}

static void
test_spec(gconstpointer name)
{
    g_autoptr(FigRecord) record = record_of(name, NULL, NULL);
    g_autoptr(FigFonts) fonts = open_fonts();
    n_labels = 0;
    for (int i = 0; i < record->n_ops; i++) {
        look_at(fonts, record->ops[i].label, false);
        look_at(fonts, record->ops[i].equation, true);
    }
    for (int i = 0; i < record->n_values; i++)
        look_at(fonts, record->values[i].label, true);
    for (int i = 0; i < record->n_dims; i++)
        look_at(fonts, record->dims[i].label, true);
    for (int i = 0; i < record->n_notes; i++)
        look_at(fonts, record->notes[i].text, false);
    for (int i = 0; i < record->n_claims; i++)
        look_at(fonts, record->claims[i].say.text, false);
    g_assert_cmpint(n_labels, >, 2 * record->n_ops);
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_auto(GStrv) specs = fig_spec_shipped();
    for (char **spec = specs; *spec; spec++) {
        g_autofree char *path = g_strdup_printf("/labels/%s", *spec);
        g_test_add_data_func(path, g_intern_string(*spec), test_spec);
    }
    return g_test_run();
}
