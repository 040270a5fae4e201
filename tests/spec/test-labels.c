/* SPDX-License-Identifier: MIT
 *
 * What things are called in a graph: labels that a spec gives and those that follow from
 * ids, constants and dims; where a label is checked.
 */
#include "tests/spec/graphs.h"

static void
test_labels(void)
{
    g_autoptr(FigGraph) graph = load_block(NULL, NULL);
    static const char *const labels[][2] = {{"z", "z"},
                                            {"W_qkv", "W_{qkv}"},
                                            {"W_1", "W_{1}"},
                                            {"g_attn", "g_{attn}"},
                                            {"scores", "S"},
                                            {"probs", "A"},
                                            {"z1", "z'"},
                                            {"z2", "z''"},
                                            {"v_heads", "v"},
                                            {"k", "k"},
                                            {"q_norm", "q_{norm}"}};
    for (size_t i = 0; i < G_N_ELEMENTS(labels); i++)
        g_assert_cmpstr(value_of(graph, labels[i][0])->label, ==, labels[i][1]);
    g_assert_true(value_of(graph, "q")->labelled); /* named by `out:` */
    g_assert_true(value_of(graph, "scores")->labelled);
    g_assert_false(value_of(graph, "mask")->labelled);
    g_assert_cmpstr(graph->dims[fig_graph_dim(graph, "h_ff")].label, ==, "h_{ff}");
    int theta = fig_graph_constant(graph, "theta");
    g_assert_cmpstr(graph->constants[theta].label, ==, "\\theta");
    g_assert_cmpstr(graph->constants[theta].text, ==, "5e5");
    g_assert_cmpfloat(graph->constants[theta].real, ==, 500000);
    g_autofree char *tex = fig_graph_tex(graph, value_of(graph, "qkv")->shape.axis[2]);
    g_assert_cmpstr(tex, ==, "3C");
    g_assert_cmpstr(graph->nodes[fig_graph_node(graph, "gated")].label, ==,
                    "elementwise gate");
    g_assert_nonnull(strstr(graph->nodes[0].label, "W_{qkv} : C \\to 3C"));
    g_assert_nonnull(strstr(graph->nodes[9].label, "S = q\\,k^\\top/\\sqrt{h_{d}}"));
    const FigValue *z = value_of(graph, "z");
    g_assert_cmpint(z->n_aka, >, 1);
    g_assert_cmpstr(z->aka[0].library, ==, "golden");
    g_assert_cmpstr(z->aka[0].name, ==, "layers.{layer}.input");
    const FigValue *weight = value_of(graph, "W_proj");
    g_assert_cmpstr(weight->checkpoint, ==,
                    "model.layers.{layer}.self_attn.o_proj.weight");
    g_assert_true(weight->stored_out_in);
    g_assert_cmpstr(weight->init, ==, "normal");
    g_assert_cmpstr(value_of(graph, "g_ff")->init, ==, "ones");
    const FigValue *joined = value_of(graph, "W_qkv");
    g_assert_cmpint(joined->n_members, ==, 3);
    g_assert_cmpstr(graph->values[joined->members[2]].id, ==, "W_v");
    g_assert_cmpint(joined->join_axis, ==, 1);
    g_assert_cmpint(value_of(graph, "W_v")->joined_in, ==,
                    fig_graph_value(graph, "W_qkv"));
    g_assert_cmpint(graph->n_claims, ==, 14);
    g_assert_cmpstr(graph->claims[0].id, ==, "post_norm");
    g_assert_cmpint(graph->claims[0].at, ==, fig_graph_node(graph, "attn_norm"));
    g_assert_nonnull(graph->claims[0].expr);
    g_assert_false(graph->claims[graph->n_claims - 1].must);
    g_assert_cmpint(graph->n_notes, ==, 1);
}

/* A FigNameToPoly. */
static const FigPoly *
poly_of(const char *name, void *data)
{
    const FigGraph *graph = data;
    int dim = fig_graph_dim(graph, name);
    return dim >= 0 ? graph->dims[dim].poly : NULL;
}

/* A label shows the number of a constant that has no label of its own. */
static void
test_constants_in_labels(void)
{
    static const struct {
        const char *constant, *limit, *label;
    } rows[] = {
        {"{is: 8}", "c", "clip to $\\pm 8$"},
        {"{is: 1.25}", "c", "clip to $\\pm 1.25$"},
        {"{is: 1e-6}", "c", "clip to $\\pm 10^{-6}$"},
        {"{is: 1/sqrt(2)}", "c", "clip to $\\pm (1/\\sqrt{2})$"},
        {"{is: 8, label: c}", "c", "clip to $\\pm c$"},
        {"{is: 8, label: 'c_0'}", "2*c", "clip to $\\pm 2c_0$"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *text = g_strdup_printf(
            "opfig: 1\nname: t\ndims: {T: {is: 4}}\nconstants: {c: %s}\n"
            "inputs: {x: {shape: [T]}}\nops: [{id: y, op: clip, in: x, limit: %s}]\n"
            "outputs: [y]\n",
            rows[i].constant, rows[i].limit);
        g_autoptr(FigGraph) graph = load(text, NULL, NULL);
        g_assert_cmpstr(graph->nodes[0].label, ==, rows[i].label);
    }
    /* … also of one that the command line sets */
    static const char text[] =
        "opfig: 1\nname: t\ndims: {T: {is: 4}}\nconstants: {c: {is: none}}\n"
        "inputs: {x: {shape: [T]}}\nops: [{id: y, op: clip, in: x, limit: c, when: c "
        "!= "
        "none}]\noutputs: [y]\n";
    const FigOverride set[] = {{"c", "0.5"}, {NULL, NULL}};
    g_autoptr(FigGraph) graph = load(text, NULL, set);
    g_assert_cmpstr(graph->nodes[0].label, ==, "clip to $\\pm 0.5$");
}

/* Every axis as it is printed reads back as itself, and a dim by a rule is printed by its
 * name where a whole axis is it. */
static void
test_names_of_rules(void)
{
    static const char text[] =
        "opfig: 1\nname: t\n"
        "dims: {T: {is: 16}, C: {is: 64}, H: {is: 4}, G: {is: H}, h_d: {is: C / H},\n"
        "       F: {is: 4*C}, P: {is: \"ceil(C/3, 8)\"}, S: {is: T + 1}}\n"
        "inputs: {x: {shape: [T, C]}, y: {shape: [T, F]}, p: {shape: [P, S]}}\n"
        "weights: {W: {shape: [C, F]}, V: {shape: [H*h_d, 3*C]}, U: {shape: [3*C, "
        "F]}}\n"
        "ops:\n"
        "  - {id: a, op: matmul, in: [x, W]}\n"
        "  - {id: b, op: mul, in: [a, y]}\n"
        "  - {id: c, op: matmul, in: [x, V]}\n"
        "  - {id: d, op: matmul, in: [c, U]}\n"
        "  - {id: e, op: add, in: [b, d]}\n"
        "  - {id: f, op: silu, in: p}\n"
        "outputs: [e, f]\n";
    static const char *const axes[][3] = {{"a", "T", "F"},   {"W", "C", "F"},
                                          {"V", "C", "3*C"}, {"c", "T", "3*C"},
                                          {"e", "T", "F"},   {"f", "P", "S"}};
    g_autoptr(FigGraph) graph = load(text, NULL, NULL);
    g_autoptr(FigArena) arena = fig_arena_new();
    for (size_t i = 0; i < G_N_ELEMENTS(axes); i++)
        for (int axis = 0; axis < 2; axis++)
            g_assert_cmpstr(
                fig_poly_text(graph->algebra,
                              value_of(graph, axes[i][0])->shape.axis[axis]),
                ==, axes[i][axis + 1]);
    for (int v = 0; v < graph->n_values; v++)
        for (int axis = 0; axis < graph->values[v].shape.rank; axis++) {
            const FigPoly *poly = graph->values[v].shape.axis[axis];
            const FigExpr *expr = fig_expr_parse_text(
                fig_poly_text(graph->algebra, poly), (FigSpan){0}, arena, NULL);
            g_assert_true(fig_expr_poly(expr, graph->algebra, poly_of, graph, NULL,
                                        NULL) == poly);
        }
    g_assert_cmpstr(graph->nodes[0].label, ==, "matmul $W : C \\to F$");
    g_assert_cmpstr(graph->nodes[2].label, ==, "matmul $V : C \\to 3C$");
    /* set from outside, F is a dim of its own and 4C is none */
    const FigOverride wide[] = {{"F", "256"}, {NULL, NULL}};
    g_autoptr(FigGraph) free_graph = load(text, wide, NULL);
    g_assert_cmpstr(free_graph->nodes[0].label, ==, "matmul $W : C \\to F$");
    const FigPoly *C = free_graph->dims[fig_graph_dim(free_graph, "C")].poly;
    FigAlgebra *algebra = free_graph->algebra;
    g_assert_cmpstr(
        fig_poly_text(algebra,
                      fig_poly_mul(algebra, fig_poly_number(algebra, 4, 1), C)),
        ==, "4*C");
}

static int checked;

static bool
count_labels(const char *source, FigSpan at, FigDiag *diag)
{
    checked++;
    if (!strstr(source, "bad"))
        return true;
    size_t inside = (size_t)(strstr(source, "bad") - source);
    fig_diag_error(diag, fig_span_inside(at, inside, 3), "bad math");
    return false;
}

static void
check_bad_label(const char *title, const char *wanted)
{
    g_autofree char *text =
        g_strdup_printf("opfig: 1\nname: t\n%s\n"
                        "dims: {T: {is: 4}}\ninputs: {x: {shape: [T]}}\n"
                        "ops: [{id: y, op: silu, in: x}]\noutputs: [y]\n",
                        title);
    g_autoptr(FigDiag) diag = fig_diag_new();
    FigLoadOptions options = {.check_label = count_labels};
    FigGraph *graph = fig_spec_load_text("a.yaml", text, strlen(text), &options, diag);
    g_assert_null(graph);
    g_autoptr(GString) out = g_string_new(NULL);
    fig_diag_print(diag, out, false);
    g_assert_cmpstr(out->str, ==, wanted);
}

/* Labels are math, texts hold it; both are checked at their own place. */
static void
test_check_label(void)
{
    check_bad_label("title: a $bad$", "a.yaml:3:11: error: bad math\n"
                                      "    3 | title: a $bad$\n"
                                      "      |           ^^^\n");
    check_bad_label("title: '<count(class = norm)> $bad$'",
                    "a.yaml:3:32: error: bad math\n"
                    "    3 | title: '<count(class = norm)> $bad$'\n"
                    "      |                                ^^^\n");
    check_bad_label("notes: [\"an $x$ and $bad$\"]",
                    "a.yaml:3:22: error: bad math\n"
                    "    3 | notes: [\"an $x$ and $bad$\"]\n"
                    "      |                      ^^^\n");
    check_bad_label("constants: {c: {is: 1, what: my $bad$}}",
                    "a.yaml:3:34: error: bad math\n"
                    "    3 | constants: {c: {is: 1, what: my $bad$}}\n"
                    "      |                                  ^^^\n");
    check_bad_label("constants: {c: {is: 1, label: 'x_{bad}'}}",
                    "a.yaml:3:35: error: bad math\n"
                    "    3 | constants: {c: {is: 1, label: 'x_{bad}'}}\n"
                    "      |                                   ^^^\n");
    checked = 0;
    g_autoptr(FigDiag) diag = fig_diag_new();
    g_autofree char *path = fig_spec_find("olmo2-block", diag);
    FigLoadOptions options = {.check_label = count_labels};
    g_autoptr(FigGraph) graph = fig_spec_load(path, &options, diag);
    g_assert_nonnull(graph);
    /* 2 of constants, 8 of ops, a title, a subtitle, 9 claims, a note: and those alone */
    g_assert_cmpint(checked, >=, 22);
}

static void
test_label_rule(void)
{
    static const char *const rule[][2] = {{"W_qkv", "W_{qkv}"},
                                          {"theta", "\\theta"},
                                          {"h_d", "h_{d}"},
                                          {"z1", "z_{1}"},
                                          {"probs", "\\mathrm{probs}"},
                                          {"beta_1", "\\beta_{1}"},
                                          {"W_q_a", "W_{q,a}"},
                                          {"x2_b", "x_{2,b}"},
                                          {"ff_norm", "\\mathrm{ff}_{norm}"},
                                          {"C", "C"},
                                          {"fc1", "\\mathrm{fc1}"}};
    g_autoptr(GString) text = g_string_new("opfig: 1\nname: t\ndims: {T: {is: 4}}\n"
                                           "inputs: {y: {shape: [T]}}\nconstants:\n");
    for (size_t i = 0; i < G_N_ELEMENTS(rule); i++)
        g_string_append_printf(text, "  %s: {is: 1}\n", rule[i][0]);
    g_string_append(text, "ops: [{id: o, op: silu, in: y}]\noutputs: [o]\n");
    g_autoptr(FigGraph) graph = load(text->str, NULL, NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(rule); i++)
        g_assert_cmpstr(graph->constants[i].label, ==, rule[i][1]);
}

/* What looks alike is the same, and what does not is not. */
static void
test_seen(void)
{
    static const char *const alike[][2] = {
        {"C", "{C}"},           {"C", "C{}"},
        {"C", " C\\,"},         {"C", "{{C}}\\quad"},
        {"C", "\\mathrm{C}"},   {"W_3", "W_{3}"},
        {"W_{3}", "{W}_{ 3 }"}, {"W_3", "W_\\mathrm{3}"},
        {"h_{ff}", "h_{f}f"},   {"gate", "\\mathrm{ga}\\mathrm{te}"},
        {"z'", "z{}'"},         {"W_a^b", "W^b_a"},
    };
    static const char *const apart[] = {
        "C",       "C'",      "C_{1}",     "C^{1}", "C_{12}",       "C_{1}'",
        "\\theta", "\\Theta", "\\epsilon", "CC",    "\\varepsilon", "k_{q}",
        "q_{k}",   "c",       "C_{q,k}",   "C_{qk}"};
    for (size_t i = 0; i < G_N_ELEMENTS(alike); i++) {
        g_autofree char *a = fig_label_seen(alike[i][0]);
        g_autofree char *b = fig_label_seen(alike[i][1]);
        g_assert_cmpstr(a, ==, b);
    }
    for (size_t i = 0; i < G_N_ELEMENTS(apart); i++)
        for (size_t k = 0; k < i; k++) {
            g_autofree char *a = fig_label_seen(apart[i]);
            g_autofree char *b = fig_label_seen(apart[k]);
            g_assert_cmpstr(a, !=, b);
        }
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/labels/labels", test_labels);
    g_test_add_func("/labels/names-of-rules", test_names_of_rules);
    g_test_add_func("/labels/constants-in-labels", test_constants_in_labels);
    g_test_add_func("/labels/check-label", test_check_label);
    g_test_add_func("/labels/label-rule", test_label_rule);
    g_test_add_func("/labels/seen", test_seen);
    return g_test_run();
}
