/* SPDX-License-Identifier: MIT
 *
 * The shipped block as a graph: ids, shapes, axes and counts as the design states them;
 * overrides; and small specs for `when`, bypass, joins and axes.
 */
#include "tests/spec/graphs.h"

#include "base/num.h"

static int64_t
dim_of(const FigGraph *graph, const char *id)
{
    int i = fig_graph_dim(graph, id);
    g_assert_cmpint(i, >=, 0);
    return graph->dims[i].size;
}

/* "(B, T, 3*C) = 1 256 1536" */
static void
check_shape(const FigGraph *graph, const char *id, const char *wanted)
{
    const FigValue *value = value_of(graph, id);
    g_autoptr(GString) out = g_string_new("(");
    for (int i = 0; i < value->shape.rank; i++)
        g_string_append_printf(out, "%s%s", i ? ", " : "",
                               fig_poly_text(graph->algebra, value->shape.axis[i]));
    g_string_append(out, ") =");
    for (int i = 0; i < value->shape.rank; i++) {
        g_string_append_c(out, ' ');
        fig_num_integer(out, value->size[i], false);
    }
    g_assert_cmpstr(out->str, ==, wanted);
}

static int64_t
parameters(const FigGraph *graph)
{
    int64_t sum = 0;
    for (int i = 0; i < graph->n_values; i++) {
        const FigValue *value = &graph->values[i];
        if (value->from != FIG_FROM_WEIGHT || value->n_members)
            continue;
        int64_t product = 1;
        for (int k = 0; k < value->shape.rank; k++)
            product *= value->size[k];
        sum += product;
    }
    return sum;
}

static void
test_ops(void)
{
    static const char *const ids[] = {
        "qkv",     "split",  "q_norm", "k_norm",    "q_heads", "k_heads",
        "v_heads", "q_rope", "k_rope", "scores",    "mask",    "probs",
        "mix",     "merge",  "proj",   "attn_norm", "z1",      "gate",
        "silu",    "up",     "gated",  "down",      "ff_norm", "z2"};
    g_autoptr(FigGraph) graph = load_block(NULL, NULL);
    g_assert_true(graph->shipped);
    g_assert_cmpstr(graph->name, ==, "olmo2-block");
    g_assert_cmpint(graph->n_nodes, ==, G_N_ELEMENTS(ids));
    int kinds[FIG_KINDS] = {0};
    for (int i = 0; i < graph->n_nodes; i++) {
        const FigNode *node = &graph->nodes[i];
        g_assert_cmpstr(node->id, ==, ids[i]);
        g_assert_cmpint(fig_graph_node(graph, ids[i]), ==, i);
        kinds[node->op->kind]++;
        bool attn = i < 16, mlp = i >= 17 && i < 23;
        g_assert_true(fig_graph_in_group(graph, i, fig_graph_group(graph, "attn")) ==
                      attn);
        g_assert_true(fig_graph_in_group(graph, i, fig_graph_group(graph, "mlp")) ==
                      mlp);
    }
    g_assert_cmpint(kinds[FIG_KIND_MATMUL], ==,
                    7); /* 5 + 2, W_qkv counting as one here */
    g_assert_cmpint(kinds[FIG_KIND_NORM], ==, 4);
    g_assert_cmpint(graph->nodes[1].mark, ==, FIG_MARK_FORK);
    g_assert_cmpint(graph->n_outputs, ==, 1);
    g_assert_cmpstr(graph->values[graph->outputs[0]].id, ==, "z2");
    g_assert_true(value_of(graph, "z2")->is_output);
    g_assert_cmpint(parameters(graph), ==, 3213312);
    /* v is read by the heads alone, and v_heads by mix alone */
    g_assert_cmpint(value_of(graph, "v")->n_readers, ==, 1);
    const FigNode *mix = &graph->nodes[fig_graph_node(graph, "mix")];
    g_assert_cmpint(mix->n_reads, ==, 2);
    g_assert_cmpstr(graph->values[mix->reads[1].value].id, ==, "v_heads");
    g_assert_cmpstr(mix->reads[1].port, ==, "b");
    g_assert_cmpint(value_of(graph, "v_heads")->n_readers, ==, 1);
    g_assert_cmpint(value_of(graph, "z")->n_readers, ==, 2);
    /* places: line and column of what the file says */
    g_assert_cmpstr(graph->nodes[9].op->name, ==, "matmul");
    const FigSpan *span = &graph->nodes[9].op_span;
    g_assert_true(strncmp(span->source->text + span->offset, "matmul", span->length) ==
                  0);
    g_assert_cmpint(span->column, ==, 13);
}

static void
test_shapes(void)
{
    g_autoptr(FigGraph) graph = load_block(NULL, NULL);
    check_shape(graph, "z", "(B, T, C) = 1 256 512");
    check_shape(graph, "W_qkv", "(C, 3*C) = 512 1536");
    check_shape(graph, "qkv", "(B, T, 3*C) = 1 256 1536");
    check_shape(graph, "q", "(B, T, C) = 1 256 512");
    check_shape(graph, "g_q", "(C) = 512");
    check_shape(graph, "q_heads", "(B, H, T, h_d) = 1 8 256 64");
    check_shape(graph, "q_rope", "(B, H, T, h_d) = 1 8 256 64");
    check_shape(graph, "scores", "(B, H, T, T) = 1 8 256 256");
    check_shape(graph, "probs", "(B, H, T, T) = 1 8 256 256");
    check_shape(graph, "mix", "(B, H, T, h_d) = 1 8 256 64");
    check_shape(graph, "merge", "(B, T, C) = 1 256 512");
    check_shape(graph, "gate", "(B, T, h_ff) = 1 256 1408");
    check_shape(graph, "W_2", "(h_ff, C) = 1408 512");
    check_shape(graph, "z2", "(B, T, C) = 1 256 512");

    static const char *const names[] = {"B", "H", "query", "key"};
    static const char *const keepers[] = {"scores", "mask", "probs"};
    for (size_t k = 0; k < G_N_ELEMENTS(keepers); k++) {
        for (int i = 0; i < 4; i++)
            g_assert_cmpstr(value_of(graph, keepers[k])->shape.name[i], ==, names[i]);
    }
    const FigNode *probs = &graph->nodes[fig_graph_node(graph, "probs")];
    g_assert_cmpint(probs->attrs[fig_op_attr_index(probs->op, "over")].axis, ==, 3);
    g_assert_cmpuint(probs->in_mixed[0], ==, 1u << 3);
    const FigNode *scores = &graph->nodes[fig_graph_node(graph, "scores")];
    const FigAttrValue *scale = &scores->attrs[fig_op_attr_index(scores->op, "scale")];
    g_assert_cmpfloat(scale->real, ==, 0.125); /* 1/sqrt(64) */
    g_assert_cmpstr(scale->text, ==, "1/sqrt(h_d)");
    const FigNode *split = &graph->nodes[fig_graph_node(graph, "split")];
    const FigAttrValue *sizes = &split->attrs[fig_op_attr_index(split->op, "sizes")];
    g_assert_cmpint(sizes->n_dims, ==, 3);
    g_assert_cmpint(sizes->dims[2], ==, 512);
    const FigNode *norm = &graph->nodes[fig_graph_node(graph, "q_norm")];
    g_assert_cmpfloat(norm->attrs[fig_op_attr_index(norm->op, "eps")].real, ==, 1e-6);
}

static void
test_overrides(void)
{
    const FigOverride wider[] = {
        {"T", "1024"}, {"C", "1024"}, {"H", "16"}, {NULL, NULL}};
    g_autoptr(FigGraph) graph = load_block(wider, NULL);
    g_assert_cmpint(dim_of(graph, "h_ff"), ==, 2752);
    g_assert_cmpint(dim_of(graph, "h_d"), ==, 64);
    g_assert_cmpint(dim_of(graph, "G"), ==, 16);
    check_shape(graph, "qkv", "(B, T, 3*C) = 1 1024 3072");
    g_assert_true(graph->dims[fig_graph_dim(graph, "C")].overridden);
    g_assert_true(graph->shipped); /* the spec, if not its sizes */

    const FigOverride narrow[] = {{"C", "1024"}, {"h_ff", "1408"}, {NULL, NULL}};
    g_autoptr(FigGraph) other = load_block(narrow, NULL);
    const FigDim *h_ff = &other->dims[fig_graph_dim(other, "h_ff")];
    g_assert_cmpint(h_ff->size, ==, 1408);
    g_assert_false(h_ff->derived);
    g_assert_true(h_ff->overridden);
    g_assert_null(h_ff->is);
    check_shape(other, "gate", "(B, T, h_ff) = 1 256 1408");

    const FigOverride base[] = {{"theta", "1e4"}, {NULL, NULL}};
    g_autoptr(FigGraph) third = load_block(NULL, base);
    const FigConstant *theta = &third->constants[fig_graph_constant(third, "theta")];
    g_assert_cmpfloat(theta->real, ==, 10000);
    g_assert_cmpstr(theta->text, ==, "1e4");
    g_assert_true(theta->overridden);
    const FigNode *rope = &third->nodes[fig_graph_node(third, "q_rope")];
    g_assert_cmpfloat(rope->attrs[fig_op_attr_index(rope->op, "theta")].real, ==,
                      10000);
}

static const char grouped[] =
    "opfig: 1\n"
    "name: grouped\n"
    "dims:\n"
    "  B: {is: 1}\n"
    "  T: {is: 6}\n"
    "  C: {is: 48}\n"
    "  H: {is: 4}\n"
    "  G: {is: H}\n"
    "  h_d: {is: C / H}\n"
    "inputs:\n"
    "  z: {shape: [B, T, C]}\n"
    "weights:\n"
    "  W_q: {shape: [C, H*h_d]}\n"
    "  W_k: {shape: [C, G*h_d]}\n"
    "  W_v: {shape: [C, G*h_d]}\n"
    "  W_qkv: {join: [W_q, W_k, W_v], axis: 1}\n"
    "ops:\n"
    "  - {id: qkv, op: matmul, in: [z, W_qkv]}\n"
    "  - {id: s, op: split, in: qkv, sizes: [H*h_d, G*h_d, G*h_d], "
    "out: [q, k, v]}\n"
    "outputs: [q, k, v]\n";

/* A rule holds until somebody overrides the dim. */
static void
test_rules(void)
{
    g_autoptr(FigGraph) equal = load(grouped, NULL, NULL);
    check_shape(equal, "qkv", "(B, T, 3*C) = 1 6 144");
    check_shape(equal, "k", "(B, T, C) = 1 6 48");
    g_assert_cmpint(equal->dims[4].symbol, ==, -1);
    g_assert_true(equal->dims[4].derived);

    const FigOverride fewer[] = {{"G", "2"}, {NULL, NULL}};
    g_autoptr(FigGraph) graph = load(grouped, fewer, NULL);
    check_shape(graph, "W_q", "(C, C) = 48 48");
    check_shape(graph, "W_k", "(C, G*h_d) = 48 24");
    check_shape(graph, "qkv", "(B, T, C + 2*G*h_d) = 1 6 96");

    const FigOverride both[] = {{"G", "2"}, {"h_d", "10"}, {NULL, NULL}};
    g_autoptr(FigGraph) free_width = load(grouped, both, NULL);
    check_shape(free_width, "qkv", "(B, T, H*h_d + 2*G*h_d) = 1 6 80");
    check_shape(free_width, "v", "(B, T, G*h_d) = 1 6 20");
}

static const char switched[] = "opfig: 1\n"
                               "name: switched\n"
                               "dims: {T: {is: 4}, C: {is: 6}, n: {is: 1}}\n"
                               "inputs: {x: {shape: [T, C]}}\n"
                               "weights: {g: {shape: [C], init: ones, when: n > 1}}\n"
                               "ops:\n"
                               "  - {id: a, op: silu, in: x}\n"
                               "  - {id: b, op: silu, in: a, when: n > 1}\n"
                               "  - {id: c, op: rmsnorm, in: {x: b, g: g}, eps: 1e-6, "
                               "when: n > 1}\n"
                               "  - {id: y, op: silu, in: c}\n"
                               "outputs: [y]\n";

static void
test_when(void)
{
    g_autoptr(FigGraph) off = load(switched, NULL, NULL);
    g_assert_cmpint(off->n_nodes, ==, 2);
    g_assert_cmpstr(off->nodes[1].id, ==, "y");
    g_assert_cmpstr(off->values[off->nodes[1].reads[0].value].id, ==, "a");
    /* the names of bypassed ops mean their input, also to who looks from outside */
    g_assert_cmpint(fig_graph_value(off, "b"), ==, fig_graph_value(off, "a"));
    g_assert_cmpint(fig_graph_value(off, "c"), ==, fig_graph_value(off, "a"));
    g_assert_cmpint(fig_graph_node(off, "b"), ==, -1);
    g_assert_cmpint(fig_graph_value(off, "g"), ==, -1);
    g_assert_cmpint(off->n_conditions, ==, 3);
    for (int i = 0; i < off->n_conditions; i++)
        g_assert_false(off->condition_holds[i]);
    const FigOverride two[] = {{"n", "2"}, {NULL, NULL}};
    g_autoptr(FigGraph) on = load(switched, two, NULL);
    g_assert_cmpint(on->n_nodes, ==, 4);
    for (int i = 0; i < on->n_conditions; i++)
        g_assert_true(on->condition_holds[i]);

    /* the same conditions at other sizes */
    g_autoptr(FigArena) arena = fig_arena_new();
    const int64_t larger[] = {3, 5, 7};
    const FigSizes *sizes = fig_graph_sizes(off, larger, arena, NULL);
    bool holds = false;
    g_assert_true(fig_graph_condition(off, off->conditions[0], sizes, &holds));
    g_assert_true(holds);
    g_assert_true(fig_graph_condition(off, off->conditions[0], NULL, &holds));
    g_assert_false(holds);
}

static void
test_sizes(void)
{
    g_autoptr(FigGraph) graph = load_block(NULL, NULL);
    g_autoptr(FigArena) arena = fig_arena_new();
    g_assert_cmpint(fig_algebra_symbols(graph->algebra), ==, 4); /* B T C H */
    const int64_t probe[] = {3, 7, 24, 4};
    const FigSizes *sizes = fig_graph_sizes(graph, probe, arena, NULL);
    g_assert_nonnull(sizes);
    g_assert_cmpint(sizes->dim[fig_graph_dim(graph, "h_d")], ==, 6);
    g_assert_cmpint(sizes->dim[fig_graph_dim(graph, "h_ff")], ==, 64); /* 8·24/3 = 64 */
    const int64_t *scores = sizes->value[fig_graph_value(graph, "scores")];
    g_assert_cmpint(scores[0], ==, 3);
    g_assert_cmpint(scores[1], ==, 4);
    g_assert_cmpint(scores[2], ==, 7);
    g_assert_cmpint(scores[3], ==, 7);
    int split = fig_graph_node(graph, "split");
    g_assert_cmpint(sizes->attr[split][0].dims[1], ==, 24);
    int node = fig_graph_node(graph, "scores");
    int scale = fig_op_attr_index(graph->nodes[node].op, "scale");
    g_assert_cmpfloat_with_epsilon(sizes->attr[node][scale].real, 0.408248290463863,
                                   1e-15);
    g_assert_cmpfloat(graph->nodes[node].attrs[scale].real, ==, 0.125); /* untouched */

    const int64_t broken[] = {3, 7, 25, 4}, odd[] = {3, 7, 12, 4},
                  none[] = {3, 0, 24, 4};
    g_assert_null(fig_graph_sizes(graph, broken, arena, NULL)); /* 25/4 */
    g_assert_null(fig_graph_sizes(graph, odd, arena, NULL));    /* h_d 3: no pairs */
    g_assert_null(fig_graph_sizes(graph, none, arena, NULL));
    const int64_t huge[] = {1, INT64_MAX / 2, INT64_MAX / 2 - INT64_MAX / 2 % 8, 4};
    g_assert_null(
        fig_graph_sizes(graph, huge, arena, NULL)); /* 3·C is beyond 63 bits */
}

static void
test_facts(void)
{
    g_autoptr(FigGraph) graph = load_block(NULL, NULL);
    g_autoptr(FigArena) arena = fig_arena_new();
    const FigOpFacts *facts =
        fig_graph_facts(graph, fig_graph_node(graph, "scores"), arena);
    g_assert_cmpint(facts->n_in, ==, 2);
    g_assert_cmpstr(facts->in_label[0], ==, "q");
    g_assert_cmpstr(facts->in_label[1], ==, "k");
    g_assert_cmpstr(facts->out_label[0], ==, "S");
    g_assert_true(facts->out_named[0]);
    g_assert_false(facts->in_weight[1]);
    g_assert_cmpint(facts->in_rank[0], ==, 4);
    g_assert_cmpstr(facts->tex(facts->algebra, facts->in[0][3], facts->data), ==,
                    "h_{d}");
    facts = fig_graph_facts(graph, fig_graph_node(graph, "probs"), arena);
    g_assert_cmpstr(facts->axis_name, ==, "key");
    facts = fig_graph_facts(graph, fig_graph_node(graph, "gate"), arena);
    g_assert_true(facts->in_weight[1]);
    /* 2·B·T·C·h_ff multiply-adds */
    const FigPoly *flops = graph->nodes[17].op->flops(facts);
    g_assert_cmpstr(fig_poly_text(graph->algebra, flops), ==, "2*B*T*C*h_ff");
}

static void
test_find(void)
{
    g_autoptr(FigDiag) diag = fig_diag_new();
    g_auto(GStrv) shipped = fig_spec_shipped();
    g_assert_true(g_strv_contains((const char *const *)shipped, "olmo2-block"));
    g_autofree char *path = fig_spec_find("here/x.yaml", diag);
    g_assert_cmpstr(path, ==, "here/x.yaml");
    g_assert_null(fig_spec_load(path, NULL, diag));
    g_assert_null(fig_spec_load("/", NULL, diag));
    g_assert_null(fig_spec_find("olmo2-blok", diag));
    g_autoptr(GString) out = g_string_new(NULL);
    fig_diag_print(diag, out, false);
    g_assert_true(g_str_has_prefix(
        out->str,
        "error: cannot read ‘here/x.yaml’: no such file or folder\n"
        "error: cannot read ‘/’: it is a folder\n"
        "error: there is no spec ‘olmo2-blok’, neither a file nor a shipped one\n"
        "      = note: shipped are "));
    g_assert_true(
        g_str_has_suffix(out->str, "      = hint: did you mean ‘olmo2-block’?\n"));
}

/* A spec that differs by one byte is no shipped one. */
static void
test_shipped(void)
{
    g_autoptr(FigDiag) diag = fig_diag_new();
    g_autofree char *path = fig_spec_find("olmo2-block", diag);
    g_autofree char *text = NULL;
    gsize length;
    g_assert_true(g_file_get_contents(path, &text, &length, NULL));
    g_autoptr(FigGraph) same =
        fig_spec_load_text("copy.yaml", text, length, NULL, diag);
    g_assert_true(same->shipped);
    char *eps = strstr(text, "1e-6");
    eps[3] = '5';
    g_autoptr(FigGraph) other =
        fig_spec_load_text("copy.yaml", text, length, NULL, diag);
    g_assert_false(other->shipped);
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/load/ops", test_ops);
    g_test_add_func("/load/shapes", test_shapes);
    g_test_add_func("/load/overrides", test_overrides);
    g_test_add_func("/load/rules", test_rules);
    g_test_add_func("/load/when", test_when);
    g_test_add_func("/load/sizes", test_sizes);
    g_test_add_func("/load/facts", test_facts);
    g_test_add_func("/load/find", test_find);
    g_test_add_func("/load/shipped", test_shipped);
    return g_test_run();
}
