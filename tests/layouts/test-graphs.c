/* SPDX-License-Identifier: MIT
 *
 * Other graphs than the block's, each with something a layout could be tuned away from:
 * the same rules hold for all of them.
 */
#include "tests/layouts/rules.h"

#define HEAD                                                                           \
    "opfig: 1\nname: t\ndims: {B: {is: 2}, T: {is: 6}, C: {is: 20}, D: {is: 8}}\n"     \
    "constants: {eps: {is: 1e-5}}\n"

typedef struct Case {
    const char *name, *spec;
    double width;
} Case;

static const Case cases[] = {
    {"alone",
     HEAD "inputs: {x: {shape: [B, T, C]}}\n"
          "ops: [{id: y, op: silu, in: x}]\noutputs: [y]\n",
     0},
    {"chain",
     HEAD "inputs: {x: {shape: [B, T, C]}}\nweights: {W: {shape: [C, D]}}\n"
          "ops:\n  - {id: a, op: silu, in: x}\n  - {id: b, op: matmul, in: [a, W]}\n"
          "  - {id: c, op: silu, in: b}\noutputs: [c]\n",
     0},
    {"square",
     HEAD "inputs: {x: {shape: [B, T, C]}}\n"
          "ops: [{id: y, op: mul, in: [x, x]}]\noutputs: [y]\n",
     0},
    {"no-groups",
     HEAD "inputs: {x: {shape: [B, T, C]}}\n"
          "weights: {g: {shape: [C]}, W: {shape: [C, C]}, V: {shape: [C, C]}}\n"
          "ops:\n  - {id: n, op: rmsnorm, in: {x: x, g: g}, eps: eps}\n"
          "  - {id: m, op: matmul, in: [n, W]}\n"
          "  - {id: r, op: add, in: [x, m]}\n"
          "  - {id: s, op: silu, in: r}\n  - {id: u, op: matmul, in: [s, V]}\n"
          "  - {id: q, op: add, in: [r, u]}\noutputs: [q]\n",
     0},
    {"parallel",
     HEAD "inputs: {x: {shape: [B, T, C]}}\n"
          "weights: {W: {shape: [C, C]}, V: {shape: [C, C]}}\n"
          "ops:\n  - group: one\n    ops: [{id: a, op: matmul, in: [x, W]}]\n"
          "  - {id: r, op: add, in: [x, a]}\n"
          "  - group: two\n    ops: [{id: b, op: matmul, in: [x, V]}]\n"
          "  - {id: q, op: add, in: [r, b]}\noutputs: [q]\n",
     0},
    {"head-and-tail",
     HEAD "inputs: {x: {shape: [B, T, D]}}\n"
          "weights: {W: {shape: [D, C]}, V: {shape: [C, C]}, "
          "U: {shape: [C, D]}, g: {shape: [C]}}\n"
          "ops:\n  - {id: e, op: matmul, in: [x, W]}\n"
          "  - {id: m, op: matmul, in: [e, V]}\n"
          "  - {id: r, op: add, in: [e, m]}\n"
          "  - {id: n, op: rmsnorm, in: {x: r, g: g}, eps: eps}\n"
          "  - {id: o, op: matmul, in: [n, U]}\noutputs: [o]\n",
     0},
    {"five-ways",
     HEAD "inputs: {x: {shape: [B, T, 5*D]}}\n"
          "ops:\n  - {id: s, op: split, in: x, sizes: [D, D, D, D, D], "
          "out: [a, b, c, d, e]}\n"
          "  - {id: p, op: mul, in: [a, b]}\n  - {id: q, op: mul, in: [p, c]}\n"
          "  - {id: r, op: mul, in: [q, d]}\n  - {id: t, op: mul, in: [r, e]}\n"
          "outputs: [t]\n",
     520},
    {"two-and-two",
     HEAD "inputs: {x: {shape: [B, T, C]}, w: {shape: [B, C, T]}}\n"
          "ops:\n  - {id: a, op: matmul, in: [x, w]}\n"
          "  - {id: b, op: silu, in: a}\n  - {id: c, op: matmul, in: [b, x]}\n"
          "  - {id: d, op: silu, in: w}\noutputs: [c, d]\n",
     520},
    {"repeat",
     HEAD "inputs: {x: {shape: [B, T, C]}}\nweights: {W: {shape: [C, C]}}\n"
          "ops:\n  - {id: s, op: silu, in: x}\n"
          "  - group: tower\n    title: a layer of the tower\n    repeat: 7\n"
          "    index: l\n    ops:\n"
          "      - {id: a, op: block_input, in: {first: s, next: c}}\n"
          "      - {id: b, op: matmul, in: [a, W]}\n"
          "      - {id: c, op: silu, in: b}\n"
          "  - {id: y, op: silu, in: c}\noutputs: [y]\n",
     0},
    {"repeat-with-a-rail",
     HEAD
     "inputs: {x: {shape: [B, T, C]}}\nweights: {W: {shape: [C, C]}, V: {shape: [C, "
     "C]}}\n"
     "ops:\n  - group: tower\n    repeat: D\n    index: l\n    ops:\n"
     "      - {id: a, op: block_input, in: {first: x, next: d}}\n"
     "      - group: one\n        ops: [{id: b, op: matmul, in: [a, W]}]\n"
     "      - {id: c, op: add, in: [a, b]}\n"
     "      - group: two\n        ops: [{id: e, op: matmul, in: [c, V]}]\n"
     "      - {id: d, op: add, in: [c, e]}\n"
     "  - {id: y, op: silu, in: d}\noutputs: [y]\n",
     0},
    {"repeat-of-two",
     HEAD
     "inputs: {x: {shape: [B, T, C]}, w: {shape: [B, T, C]}, v: {shape: [B, T, C]}}\n"
     "ops:\n  - group: tower\n    repeat: 3\n    index: l\n    ops:\n"
     "      - {id: a, op: block_input, in: {first: x, next: p}}\n"
     "      - {id: b, op: block_input, in: {first: w, next: q}}\n"
     "      - {id: p, op: mul, in: [a, v]}\n"
     "      - {id: q, op: mul, in: [p, b]}\n"
     "  - {id: y, op: mul, in: [p, q]}\noutputs: [y]\n",
     520},
    {"repeat-in-a-repeat",
     HEAD "inputs: {x: {shape: [B, T, C]}}\nweights: {W: {shape: [C, C]}}\n"
          "ops:\n  - group: outer\n    repeat: 3\n    index: l\n    ops:\n"
          "      - {id: a, op: block_input, in: {first: x, next: d}}\n"
          "      - group: inner\n        repeat: 4\n        index: m\n        ops:\n"
          "          - {id: b, op: block_input, in: {first: a, next: e}}\n"
          "          - {id: c, op: matmul, in: [b, W]}\n"
          "          - {id: e, op: add, in: [b, c]}\n"
          "      - {id: d, op: silu, in: e}\n"
          "  - {id: y, op: silu, in: d}\noutputs: [y]\n",
     0},
    {"nested",
     HEAD "inputs: {x: {shape: [B, T, C]}}\n"
          "weights: {W: {shape: [C, C]}, V: {shape: [C, C]}}\n"
          "ops:\n  - group: outer\n    ops:\n"
          "      - {id: a, op: matmul, in: [x, W]}\n"
          "      - group: inner\n        ops:\n"
          "          - {id: b, op: silu, in: a}\n"
          "          - {id: c, op: mul, in: [b, a]}\n"
          "      - {id: d, op: matmul, in: [c, V]}\n"
          "  - {id: r, op: add, in: [x, d]}\noutputs: [r]\n",
     0},
    {"nine-readers",
     HEAD "inputs: {x: {shape: [B, T, C]}}\n"
          "ops:\n  - {id: a, op: silu, in: x}\n"
          "  - {id: b1, op: mul, in: [x, a]}\n"
          "  - {id: b2, op: mul, in: [x, b1]}\n"
          "  - {id: b3, op: mul, in: [x, b2]}\n"
          "  - {id: b4, op: mul, in: [x, b3]}\n"
          "  - {id: b5, op: mul, in: [x, b4]}\n"
          "  - {id: b6, op: mul, in: [x, b5]}\n"
          "  - {id: b7, op: mul, in: [x, b6]}\n"
          "  - {id: b8, op: mul, in: [x, b7]}\noutputs: [b8]\n",
     0},
    {"wrong-order",
     HEAD "inputs: {x: {shape: [B, T, C]}}\nweights: {W: {shape: [C, T]}}\n"
          "ops:\n  - {id: p, op: matmul, in: [x, W]}\n"
          "  - {id: q, op: silu, in: x}\n  - {id: u, op: silu, in: p}\n"
          "  - {id: m, op: matmul, in: [u, q]}\n"
          "  - {id: n, op: matmul, in: [p, m]}\noutputs: [n]\n",
     0},
};

static FigFonts *fonts;

static void
test_case(const void *data)
{
    const Case *the = data;
    const FigLayoutOptions options = {.width = the->width};
    g_autoptr(FigRecord) record = record_of("test", the->spec, NULL);
    g_autoptr(FigScene) scene = NULL;
    Figure figure;

    record->name = the->name;
    scene = draw(record, &options, fonts);
    figure = read_figure(scene);
    check_rules(&figure, record);
    close_figure(&figure);
}

/* A record from elsewhere may hold a group that is left and entered again: it is drawn in
 * parts, so that no panel holds an op of others. */
static void
test_group_in_parts(void)
{
    const char *spec =
        HEAD "inputs: {x: {shape: [B, T, C]}}\n"
             "ops:\n  - group: one\n    ops:\n"
             "      - {id: a, op: silu, in: x}\n      - {id: b, op: silu, in: a}\n"
             "      - {id: c, op: silu, in: b}\noutputs: [c]\n";
    g_autoptr(FigRecord) record = record_of("test", spec, NULL);
    g_autoptr(FigScene) scene = NULL;
    Figure figure;
    const Mark *outside;

    ((FigRecordOp *)fig_record_op(record, "b"))->n_groups = 0;
    scene = draw(record, NULL, fonts);
    figure = read_figure(scene);
    check_rules(&figure, record);
    g_assert_cmpuint(figure.panels->len, ==, 2);
    outside = mark_named(&figure, "b");
    for (guint i = 0; i < figure.panels->len; i++)
        g_assert_false(meet(outside->shape, PANEL(&figure, i)->shape, 0));
    close_figure(&figure);
}

/* Does a text of the group with the role say so? */
static bool
says(const FigItem *item, const char *role, bool inside, const char *source)
{
    inside = inside || g_strcmp0(item->role, role) == 0;
    if (inside && item->kind == FIG_ITEM_TEXT &&
        strcmp(item->text->source, source) == 0)
        return true;
    for (const FigItem *child = item->first; child; child = child->next)
        if (says(child, role, inside, source))
            return true;
    return false;
}

/* The example of the README: a dim by a rule is printed by its name, in shapes and labels,
 * and stands in the row of dims for it. */
static void
test_readme(void)
{
    g_autofree char *path =
        g_build_filename(g_getenv("OPFIG_SOURCE"), "README.md", NULL);
    g_autofree char *readme = NULL;
    g_autoptr(FigScene) scene = NULL;
    Figure figure;

    g_assert_true(g_file_get_contents(path, &readme, NULL, NULL));
    char *spec = strstr(readme, "```yaml\n");
    g_assert_nonnull(spec);
    spec += strlen("```yaml\n");
    *strstr(spec, "```") = 0;
    g_autoptr(FigRecord) record = record_of("test", spec, NULL);
    g_assert_cmpstr(fig_record_value(record, "gate")->shape[1], ==, "F");
    g_assert_cmpstr(fig_record_value(record, "gate")->axes[1], ==, "F");
    g_assert_cmpstr(fig_record_op(record, "gate")->label, ==,
                    "matmul $W_{1} : C \\to F$");
    g_assert_cmpstr(fig_record_op(record, "down")->label, ==,
                    "matmul $W_{2} : F \\to C$");
    scene = draw(record, NULL, fonts);
    figure = read_figure(scene);
    check_rules(&figure, record);
    g_assert_true(says(scene->root, "dims", false, "$F$"));
    g_assert_true(says(scene->root, "dims", false, "256"));
    g_assert_true(says(scene->root, "dims", false, "$T$"));
    g_assert_false(says(scene->root, "dims", false, "$H$"));
    close_figure(&figure);
}

int
main(int argc, char **argv)
{
    int failed;

    g_test_init(&argc, &argv, NULL);
    fonts = open_fonts();
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *path = g_strdup_printf("/graphs/%s", cases[i].name);

        g_test_add_data_func(path, &cases[i], test_case);
    }
    g_test_add_func("/graphs/group-in-parts", test_group_in_parts);
    g_test_add_func("/graphs/readme", test_readme);
    failed = g_test_run();
    fig_fonts_free(fonts);
    return failed;
}
