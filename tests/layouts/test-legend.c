/* SPDX-License-Identifier: MIT
 *
 * The legend explains what is in the figure, and nothing else.
 */
#include "tests/layouts/figure.h"

#define HEAD                                                                           \
    "opfig: 1\nname: t\ndims: {T: {is: 6}, C: {is: 20}}\n"                             \
    "inputs: {x: {shape: [T, C]}}\n"

static const struct Case {
    const char *name, *spec;
    bool corner, flops, parameters, members, numbers;
} cases[] = {
    {"alone", HEAD "ops:\n  - {id: y, op: silu, in: x}\noutputs: [y]\n"},
    {"no-weights",
     HEAD "ops:\n  - {id: n, op: layernorm, in: x, eps: 1e-6}\n"
          "  - {id: y, op: silu, in: n}\noutputs: [y]\n",
     .numbers = true},
    {"activations",
     HEAD "ops:\n  - {id: s, op: matmul, in: [x, x], transpose: b}\n"
          "  - {id: y, op: softmax, in: s, over: -1}\noutputs: [y]\n",
     .flops = true, .numbers = true},
    {"gain",
     HEAD "weights: {g: {shape: [C]}}\nops:\n"
          "  - {id: n, op: rmsnorm, in: [x, g], eps: 1e-6}\n"
          "  - {id: y, op: silu, in: n}\noutputs: [y]\n",
     .corner = true, .parameters = true, .numbers = true},
    {"joined",
     HEAD "weights: {W_a: {shape: [C, C]}, W_b: {shape: [C, C]}, "
          "W_ab: {join: [W_a, W_b], axis: 1}}\n"
          "ops:\n  - {id: y, op: matmul, in: [x, W_ab]}\noutputs: [y]\n",
     .corner = true, .flops = true, .parameters = true, .members = true},
};

static FigFonts *fonts;

/* Does a part of the figure (NULL: any) hold a text with these words? */
static bool
says(const FigItem *item, const char *part, const char *words, bool inside)
{
    inside = inside || !part || !g_strcmp0(item->means.part, part);
    if (inside && item->kind == FIG_ITEM_TEXT && strstr(item->text->plain, words))
        return true;
    for (const FigItem *child = item->first; child; child = child->next)
        if (says(child, part, words, inside))
            return true;
    return false;
}

static void
test_case(const void *data)
{
    const struct Case *the = data;
    g_autoptr(FigRecord) record = record_of("test", the->spec, NULL);
    g_autoptr(FigScene) scene = draw(record, NULL, fonts);
    const FigItem *all = scene->root;

    g_assert_true(says(all, "legend-head", "learned weights", false) == the->corner);
    g_assert_true(says(all, "legend-head", "FLOPs", false) == the->flops);
    g_assert_true(says(all, "key", "share of all matmuls", false) == the->flops);
    g_assert_true(says(all, "key", " parameters, ", false) == the->parameters);
    g_assert_true(says(all, "key", "fuses W_a, W_b", false) == the->members);
    g_assert_true(says(all, "key", "order of execution", false) == the->numbers);
    g_assert_true(says(all, "legend-head", "drawn", false));
    g_assert_true(says(all, "legend-head", "unfused", false) == the->members);
    g_assert_true(says(all, "key", "FLOPs", false));
}

int
main(int argc, char **argv)
{
    int failed;

    g_test_init(&argc, &argv, NULL);
    fonts = open_fonts();
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *path = g_strdup_printf("/legend/%s", cases[i].name);

        g_test_add_data_func(path, &cases[i], test_case);
    }
    failed = g_test_run();
    fig_fonts_free(fonts);
    return failed;
}
