/* SPDX-License-Identifier: MIT
 *
 * The record of the shipped block against what is known of it by arithmetic, and the rule
 * of the classes.
 */
#include "specs.h"

#include "exec/recorder.h"

static FigRecord *
record_of(const FigGraph *graph)
{
    g_autoptr(FigArena) arena = fig_arena_new();
    g_autoptr(FigDiag) diag = fig_diag_new();
    FigRunOptions probe = {.numeric = true, .type = FIG_F64, .naive = true};
    probe.sizes = fig_run_probe(graph, arena, diag);
    g_assert_nonnull(probe.sizes);
    g_autoptr(FigRun) shapes = run_graph(graph, &(FigRunOptions){.numeric = false});
    g_autoptr(FigRun) executed = run_graph(graph, &probe);
    const char *const overrides[] = {"T=256", NULL};
    return fig_record_new(graph, shapes, executed, NULL, overrides);
}

/* id, what it reads, what it writes; sizes at T = 256, C = 512, H = 8 */
static const char *const steps[][3] = {
    {"qkv", "z[1, 256, 512] W_qkv[512, 1536]", "qkv[1, 256, 1536]"},
    {"split", "qkv[1, 256, 1536]", "q[1, 256, 512] k[1, 256, 512] v[1, 256, 512]"},
    {"q_norm", "q[1, 256, 512] g_q[512]", "q_norm[1, 256, 512]"},
    {"k_norm", "k[1, 256, 512] g_k[512]", "k_norm[1, 256, 512]"},
    {"q_heads", "q_norm[1, 256, 512]", "q_heads[1, 8, 256, 64]"},
    {"k_heads", "k_norm[1, 256, 512]", "k_heads[1, 8, 256, 64]"},
    {"v_heads", "v[1, 256, 512]", "v_heads[1, 8, 256, 64]"},
    {"q_rope", "q_heads[1, 8, 256, 64]", "q_rope[1, 8, 256, 64]"},
    {"k_rope", "k_heads[1, 8, 256, 64]", "k_rope[1, 8, 256, 64]"},
    {"scores", "q_rope[1, 8, 256, 64] k_rope[1, 8, 256, 64]", "scores[1, 8, 256, 256]"},
    {"mask", "scores[1, 8, 256, 256]", "mask[1, 8, 256, 256]"},
    {"probs", "mask[1, 8, 256, 256]", "probs[1, 8, 256, 256]"},
    {"mix", "probs[1, 8, 256, 256] v_heads[1, 8, 256, 64]", "mix[1, 8, 256, 64]"},
    {"merge", "mix[1, 8, 256, 64]", "merge[1, 256, 512]"},
    {"proj", "merge[1, 256, 512] W_proj[512, 512]", "proj[1, 256, 512]"},
    {"attn_norm", "proj[1, 256, 512] g_attn[512]", "attn_norm[1, 256, 512]"},
    {"z1", "z[1, 256, 512] attn_norm[1, 256, 512]", "z1[1, 256, 512]"},
    {"gate", "z1[1, 256, 512] W_1[512, 1408]", "gate[1, 256, 1408]"},
    {"silu", "gate[1, 256, 1408]", "silu[1, 256, 1408]"},
    {"up", "z1[1, 256, 512] W_3[512, 1408]", "up[1, 256, 1408]"},
    {"gated", "silu[1, 256, 1408] up[1, 256, 1408]", "gated[1, 256, 1408]"},
    {"down", "gated[1, 256, 1408] W_2[1408, 512]", "down[1, 256, 512]"},
    {"ff_norm", "down[1, 256, 512] g_ff[512]", "ff_norm[1, 256, 512]"},
    {"z2", "z1[1, 256, 512] ff_norm[1, 256, 512]", "z2[1, 256, 512]"},
};

static void
append(GString *out, const char *id, int rank, const int64_t *size)
{
    g_string_append_printf(out, "%s%s[", out->len ? " " : "", id ? id : "?");
    for (int axis = 0; axis < rank; axis++)
        g_string_append_printf(out, "%s%" G_GINT64_FORMAT, axis ? ", " : "",
                               size[axis]);
    g_string_append_c(out, ']');
}

static void
test_steps(void)
{
    g_autoptr(FigGraph) graph = load_block(NULL);
    g_autoptr(FigRecord) record = record_of(graph);
    g_assert_cmpint(record->n_ops, ==, G_N_ELEMENTS(steps));
    for (int i = 0; i < record->n_ops; i++) {
        const FigRecordOp *op = &record->ops[i];
        g_autoptr(GString) reads = g_string_new(NULL), writes = g_string_new(NULL);
        for (int j = 0; j < op->n_reads; j++)
            append(reads, op->reads[j].value, op->reads[j].rank, op->reads[j].size);
        for (int j = 0; j < op->n_writes; j++)
            append(writes, op->writes[j].value, op->writes[j].rank, op->writes[j].size);
        g_assert_cmpint(op->step, ==, i + 1);
        g_assert_cmpstr(op->id, ==, steps[i][0]);
        g_assert_cmpstr(reads->str, ==, steps[i][1]);
        g_assert_cmpstr(writes->str, ==, steps[i][2]);
    }
    g_assert_cmpstr(record->evidence[0], ==, "symbolic");
    g_assert_cmpstr(record->evidence[1], ==,
                    "shape at B 1 T 256 C 512 H 8 G 8 h_d 64 h_ff 1408");
    g_assert_cmpstr(record->evidence[2], ==,
                    "numeric at B 3 T 7 C 24 H 4 G 4 h_d 6 h_ff 64");
}

/* The rule and the numbers of the figure: 7 weight matmuls (the joined one counts three)
 * with 92.5 % of the matmul FLOPs, 2 activation matmuls, 4 norms, 13 others. */
static void
test_counts(void)
{
    g_autoptr(FigGraph) graph = load_block(NULL);
    g_autoptr(FigRecord) record = record_of(graph);
    int count[FIG_CLASSES] = {0};
    int64_t flops[FIG_CLASSES] = {0};
    for (int i = 0; i < record->n_ops; i++) {
        const FigRecordOp *op = &record->ops[i];
        int members = 0;
        for (int j = 0; j < op->n_reads; j++)
            members =
                MAX(members, fig_record_value(record, op->reads[j].value)->n_members);
        count[op->class] += MAX(members, 1);
        flops[op->class] += op->flops_number;
    }
    g_assert_cmpint(count[FIG_CLASS_WEIGHT_MATMUL], ==, 7);
    g_assert_cmpint(count[FIG_CLASS_ACTIVATION_MATMUL], ==, 2);
    g_assert_cmpint(count[FIG_CLASS_NORM], ==, 4);
    g_assert_cmpint(count[FIG_CLASS_OTHER], ==, 13);
    int64_t parameters = 0;
    for (int i = 0; i < record->n_values; i++)
        parameters += record->values[i].parameters;
    g_assert_cmpint(parameters, ==, 3213312);
    const int64_t T = 256, C = 512, F = 1408;
    g_assert_cmpint(flops[FIG_CLASS_WEIGHT_MATMUL], ==,
                    2 * T * (4 * C * C + 3 * C * F));
    g_assert_cmpint(flops[FIG_CLASS_ACTIVATION_MATMUL], ==, 2 * 2 * T * T * C);
    g_assert_cmpstr(fig_record_op(record, "qkv")->flops, ==, "6*B*T*C^2");
}

static void
test_facts(void)
{
    g_autoptr(FigGraph) graph = load_block(NULL);
    g_autoptr(FigRecord) record = record_of(graph);
    g_assert_cmpstr(record->name, ==, "olmo2-block");
    g_assert_true(record->shipped);
    g_assert_cmpstr(record->family_status, ==, "shipped");
    g_assert_cmpstr(record->overrides[0], ==, "T=256");
    const FigRecordOp *scores = fig_record_op(record, "scores");
    g_assert_cmpstr(scores->groups[0], ==, "attn");
    bool seen = false;
    for (int i = 0; i < scores->n_attributes; i++)
        if (!strcmp(scores->attributes[i].name, "scale")) {
            seen = true;
            g_assert_cmpstr(scores->attributes[i].text, ==, "1/sqrt(h_d)");
            g_assert_cmpstr(scores->attributes[i].value, ==, "0.125");
            g_assert_true(scores->attributes[i].given);
        }
    g_assert_true(seen);
    const FigRecordValue *probs = fig_record_value(record, "probs");
    g_assert_cmpstr(probs->axes[3], ==, "key");
    g_assert_cmpstr(probs->shape[3], ==, "T");
    g_assert_cmpstr(fig_record_value(record, "W_qkv")->shape[1], ==, "3*C");
    g_assert_cmpint(fig_record_value(record, "W_qkv")->n_members, ==, 3);
    g_assert_cmpstr(fig_record_op(record, "z1")->sign, ==, "+");
    g_assert_cmpstr(fig_record_op(record, "split")->mark, ==, "fork");
    g_assert_null(fig_record_dim(record, "C")->is);
    g_assert_cmpstr(fig_record_dim(record, "h_d")->is, ==, "C/H");
    g_assert_cmpstr(record->outputs[0], ==, "z2");

    g_autofree char *text = g_strdup_printf("%s# mine\n", record->spec_text);
    g_autoptr(FigGraph) mine = load_text(text, NULL);
    g_autoptr(FigRecord) other = record_of(mine);
    g_assert_false(other->shipped);
    g_assert_cmpstr(other->family_status, ==, "unchecked");
}

/* Made of weights alone is as good as a weight: a low-rank update, say. */
static void
test_classes(void)
{
    g_autoptr(FigGraph) graph =
        load_text("opfig: 1\nname: low-rank\ndims:\n  T: {is: 5}\n  C: {is: 8}\n"
                  "  R: {is: 3}\n"
                  "inputs:\n  x: {shape: [T, C]}\n"
                  "weights:\n  A: {shape: [C, R]}\n  D: {shape: [R, C]}\n"
                  "ops:\n"
                  "  - {id: w, op: matmul, in: [A, D]}\n"
                  "  - {id: u, op: silu, in: w}\n"
                  "  - {id: y, op: matmul, in: [x, u]}\n"
                  "  - {id: k, op: matmul, in: [y, x], transpose: b}\n"
                  "outputs: [k]\n",
                  NULL);
    g_autoptr(FigRecord) record = record_of(graph);
    g_assert_cmpint(fig_record_op(record, "w")->class, ==, FIG_CLASS_WEIGHT_MATMUL);
    g_assert_cmpint(fig_record_op(record, "y")->class, ==, FIG_CLASS_WEIGHT_MATMUL);
    g_assert_cmpint(fig_record_op(record, "k")->class, ==, FIG_CLASS_ACTIVATION_MATMUL);
    g_assert_null(record->family_status);
}

/* The same run twice gives the same facts, whatever is measured. */
static void
test_same_bytes(void)
{
    g_autoptr(FigGraph) graph = load_block(NULL);
    g_autoptr(FigRecord) a = record_of(graph), b = record_of(graph);
    g_autofree char *one = fig_record_json(a, true);
    g_autofree char *two = fig_record_json(b, true);
    g_assert_cmpstr(one, ==, two);
}

/* A record lent says the same as one of its own. */
static void
test_lent(void)
{
    g_autoptr(FigGraph) graph = load_block(NULL);
    g_autoptr(FigRun) shapes = run_graph(graph, &(FigRunOptions){.numeric = false});
    g_autoptr(FigRecord) own = fig_record_new(graph, shapes, shapes, NULL, NULL);
    g_autoptr(FigRecord) lent = fig_record_lent(graph, shapes);
    g_autofree char *of_own = fig_record_json(own, true);
    g_autofree char *of_lent = fig_record_json(lent, true);
    g_assert_cmpstr(of_lent, ==, of_own);
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/recorder/steps", test_steps);
    g_test_add_func("/recorder/counts", test_counts);
    g_test_add_func("/recorder/facts", test_facts);
    g_test_add_func("/recorder/classes", test_classes);
    g_test_add_func("/recorder/same-bytes", test_same_bytes);
    g_test_add_func("/recorder/lent", test_lent);
    return g_test_run();
}
