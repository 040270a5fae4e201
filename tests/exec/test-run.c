/* SPDX-License-Identifier: MIT
 *
 * Runs: the memory plan and its refusal, views that move no byte, seeds, provenance from
 * the buffers handed over, weights from a file with every fault named at once.
 */
#include "specs.h"

#include "exec/fill.h"
#include "exec/recorder.h"
#include "exec/statistics.h"

#include <glib/gstdio.h>
#include <math.h>

static const FigOverride small[] = {{"T", "7"}, {"C", "24"}, {"H", "4"}, {NULL, NULL}};

static int
node_of(const FigGraph *graph, const char *id)
{
    int node = fig_graph_node(graph, id);
    g_assert_cmpint(node, >=, 0);
    return node;
}

static const FigStep *
step_of(const FigRun *run, const FigGraph *graph, const char *id)
{
    const FigStep *step = fig_run_step(run, node_of(graph, id));
    g_assert_cmpint(step->node, ==, node_of(graph, id));
    return step;
}

static void
assert_same_bits(const FigView *a, const FigView *b)
{
    g_assert_cmpint(fig_view_count(a), ==, fig_view_count(b));
    for (int64_t i = 0; i < fig_view_count(a); i++)
        g_assert_cmpfloat(fig_view_number(a, i), ==, fig_view_number(b, i));
}

static void
assert_close(const FigView *a, const FigView *b, double tolerance)
{
    double most = 0, square = 0;
    for (int64_t i = 0; i < fig_view_count(a); i++) {
        double x = fig_view_number(a, i), y = fig_view_number(b, i);
        most = fmax(most, fabs(x - y));
        square += y * y;
    }
    g_assert_cmpfloat(square, >, 0);
    g_assert_cmpfloat(most, <=, tolerance * sqrt(square / (double)fig_view_count(b)));
}

/* ---- memory ---- */

/* Bytes of the values that are no views of others, in a run that keeps all. */
static void
test_memory(void)
{
    g_autoptr(FigGraph) graph = load_block(small);
    FigRunOptions freed = {.numeric = true, .type = FIG_F32};
    FigRunOptions kept = {.numeric = true, .type = FIG_F32, .keep_all = true};
    FigRunOptions twice = {.numeric = true, .type = FIG_F64, .keep_all = true};
    size_t least = fig_run_memory(graph, &freed, NULL);
    size_t most = fig_run_memory(graph, &kept, NULL);
    g_assert_cmpuint(least, <, most);

    /* by hand: elements of each weight, input and result that owns bytes, times four,
     * each rounded up to 64 bytes */
    const int T = 7, C = 24, H = 4, F = 64;
    const int owned[] = {T * C, C * 3 * C, C,     C,         C * C,     C,
                         C * F, C * F,     F * C, C,         T * 3 * C, T * C,
                         T * C, T * C,     T * C, H * T * T, H * T * T, H * T * T,
                         T * C, T * C,     T * C, T * C,     T * C,     T * F,
                         T * F, T * F,     T * F, T * C,     T * C,     T * C};
    size_t sum = 0, sum_of_doubles = 0;
    for (size_t i = 0; i < G_N_ELEMENTS(owned); i++) {
        sum += ((size_t)owned[i] * 4 + 63) / 64 * 64;
        sum_of_doubles += ((size_t)owned[i] * 8 + 63) / 64 * 64;
    }
    g_assert_cmpuint(most, ==, sum);
    g_assert_cmpuint(fig_run_memory(graph, &twice, NULL), ==, sum_of_doubles);

    g_autoptr(FigRun) a = run_graph(graph, &freed);
    g_autoptr(FigRun) b = run_graph(graph, &kept);
    assert_same_bits(fig_run_value(a, "z2"), fig_run_value(b, "z2"));
    g_assert_null(fig_run_value(a, "scores"));
    g_assert_nonnull(fig_run_value(b, "scores"));
    g_assert_nonnull(fig_run_value(a, "W_k"));

    const char *const keep[] = {"probs", "k_rope.sin", NULL};
    FigRunOptions some = {.numeric = true, .type = FIG_F32, .keep = keep};
    g_autoptr(FigRun) c = run_graph(graph, &some);
    assert_same_bits(fig_run_value(c, "probs"), fig_run_value(b, "probs"));
    g_assert_null(fig_run_value(c, "scores"));
    const FigView *sine = fig_run_value(c, "k_rope.sin");
    g_assert_cmpint(sine->size[0], ==, T);
    g_assert_cmpfloat_with_epsilon(fig_view_number(sine, 6), sin(1.0), 1e-7);

    /* what nothing kept hangs on is not run; the rest is the same */
    some.only_kept = true;
    g_autoptr(FigRun) d = run_graph(graph, &some);
    assert_same_bits(fig_run_value(d, "probs"), fig_run_value(b, "probs"));
    assert_same_bits(fig_run_value(d, "k_rope.sin"), sine);
    for (int i = 0; i < graph->n_nodes; i++) {
        bool up_to_probs = i <= fig_graph_node(graph, "probs") &&
                           i != fig_graph_node(graph, "v_heads");
        g_assert_cmpint(fig_run_step(d, i)->n_reads > 0, ==, up_to_probs);
    }
}

static void
refuse(const FigOverride *dims, const FigRunOptions *options, const char *wanted)
{
    g_autoptr(FigGraph) graph = load_block(dims);
    g_autoptr(FigDiag) diag = fig_diag_new();
    g_assert_null(fig_run_new(graph, options, diag));
    g_assert_cmpint(fig_diag_errors(diag), ==, 1);
    g_autofree char *said = messages(diag);
    if (!strstr(said, wanted))
        g_error("«%s» does not say «%s»", said, wanted);
}

/* A run that goes on from another gives the same as one made whole: with what an op
 * writes edited, a part of a view, an input, a weight, a member of a join. */
static void
test_from(void)
{
    static const char *const edits[] = {"q_rope *= 2", "q[:, :, 0] += 1", "z += 1",
                                        "W_2 *= 3",    "W_k *= 2",        "W_qkv = 1",
                                        "probs = 0"};
    g_autoptr(FigGraph) graph = load_block(small);
    g_autoptr(FigArena) arena = fig_arena_new();
    g_autoptr(FigDiag) diag = fig_diag_new();
    const FigSizes *sizes = fig_graph_sizes(graph, NULL, arena, diag);
    FigEdit edit[2];
    g_assert_true(
        fig_edit_parse(graph, sizes, "k_norm *= 2", (FigSpan){0}, diag, edit));
    FigRunOptions base = {.numeric = true,
                          .type = FIG_F64,
                          .naive = true,
                          .keep_all = true,
                          .sizes = sizes,
                          .seed = 7,
                          .n_edits = 1,
                          .edits = edit};
    g_autoptr(FigRun) from = run_graph(graph, &base);
    g_autoptr(FigRun) untouched = run_graph(graph, &base);
    for (size_t i = 0; i < G_N_ELEMENTS(edits); i++) {
        g_assert_true(
            fig_edit_parse(graph, sizes, edits[i], (FigSpan){0}, diag, &edit[1]));
        const char *const keep[] = {"z2", "k_rope", NULL};
        FigRunOptions whole = base;
        whole.n_edits = 2;
        FigRunOptions on = whole;
        on.keep_all = false;
        on.keep = keep;
        on.only_kept = true;
        on.from = from;
        on.n_edits_from = 1;
        g_autoptr(FigRun) a = run_graph(graph, &whole);
        g_autoptr(FigRun) b = run_graph(graph, &on);
        assert_same_bits(fig_run_value(a, "z2"), fig_run_value(b, "z2"));
        assert_same_bits(fig_run_value(a, "k_rope"), fig_run_value(b, "k_rope"));
    }
    for (int v = 0; v < graph->n_values; v++)
        assert_same_bits(fig_run_value(from, graph->values[v].id),
                         fig_run_value(untouched, graph->values[v].id));
}

static void
test_too_large(void)
{
    FigRunOptions options = {.numeric = true, .type = FIG_F32, .memory = 16000000000};
    /* scores and mask, 8 heads of 600,000 × 600,000: 11.52 TB each */
    static const FigOverride ten[] = {{"T", "600000"}, {NULL, NULL}};
    refuse(ten, &options, "error: this run needs 23 TB of memory, 16 GB are free");
    refuse(
        ten, &options,
        "note: ‘scores’ [1, 8, 600000, 600000] takes most of it, at B = 1, T = 600000, "
        "H = 8");
    static const FigOverride beyond[] = {{"T", "3000000000"}, {NULL, NULL}};
    refuse(beyond, &options,
           "error: this run needs more memory than can be addressed, 16 GB are free");

    g_autoptr(FigGraph) graph = load_block(small);
    FigRunOptions tight = {.numeric = true, .type = FIG_F32};
    tight.memory = fig_run_memory(graph, &tight, NULL);
    g_autoptr(FigRun) fits = run_graph(graph, &tight);
    g_assert_nonnull(fits);
    tight.memory--;
    refuse(small, &tight, "takes most of it");

    /* a run on shapes costs nothing, whatever the dims */
    FigRunOptions shapes = {.memory = 1};
    g_autoptr(FigGraph) large = load_block(beyond);
    g_autoptr(FigRun) run = run_graph(large, &shapes);
    g_assert_cmpint(step_of(run, large, "scores")->written[0].size[3], ==, 3000000000);
    g_assert_cmpstr(fig_run_evidence(run), ==,
                    "shape at B 1 T 3000000000 C 512 H 8 G 8 h_d 64 h_ff 1408");
}

/* ---- views ---- */

static void
test_no_byte_moves(void)
{
    g_autoptr(FigGraph) graph = load_block(small);
    FigRunOptions options = {.numeric = true, .type = FIG_F32, .keep_all = true};
    g_autoptr(FigRun) run = run_graph(graph, &options);
    const FigView *qkv = fig_run_value(run, "qkv"), *v = fig_run_value(run, "v");
    const FigView *heads = fig_run_value(run, "v_heads");
    g_assert_true((float *)v->data == (float *)qkv->data + 2 * 24);
    g_assert_true(heads->data == v->data);
    /* head 1, token 2, entry 3 of [B, H, T, h_d]: column 6 + 3 of row 2 */
    g_assert_cmpint(heads->stride[1], ==, 6);
    g_assert_cmpint(heads->stride[2], ==, 3 * 24);
    g_assert_cmpfloat(fig_view_number(heads, (1 * 7 + 2) * 6 + 3), ==,
                      fig_view_number(qkv, 2 * 72 + 48 + 6 + 3));
    const FigStep *mix = step_of(run, graph, "mix");
    g_assert_true(mix->read[1].data == heads->data);
    /* a joined weight is one matrix, its members parts of it */
    const FigView *joined = fig_run_value(run, "W_qkv"), *k = fig_run_value(run, "W_k");
    g_assert_true((float *)k->data == (float *)joined->data + 24);
    g_assert_cmpint(k->stride[0], ==, 72);
}

static void
test_twins(void)
{
    g_autoptr(FigGraph) graph = load_block(small);
    FigRunOptions fast = {.numeric = true, .type = FIG_F32, .seed = 3};
    FigRunOptions naive = {.numeric = true, .type = FIG_F32, .seed = 3, .naive = true};
    FigRunOptions twice = {.numeric = true, .type = FIG_F64, .seed = 3, .naive = true};
    g_autoptr(FigRun) a = run_graph(graph, &fast);
    g_autoptr(FigRun) b = run_graph(graph, &naive);
    g_autoptr(FigRun) c = run_graph(graph, &twice);
    assert_close(fig_run_value(a, "z2"), fig_run_value(c, "z2"), 2e-6);
    assert_close(fig_run_value(b, "z2"), fig_run_value(c, "z2"), 2e-6);
}

/* ---- seeds ---- */

static const char *const one_weight =
    "opfig: 1\nname: one\ndims:\n  T: {is: 2}\n  C: {is: 300}\n"
    "inputs:\n  x: {shape: [T, C]}\n"
    "weights:\n  W: {shape: [C, C]}\n"
    "ops:\n  - {id: y, op: matmul, in: [x, W]}\noutputs: [y]\n";

static const char *const two_weights =
    "opfig: 1\nname: two\ndims:\n  T: {is: 2}\n  C: {is: 300}\n"
    "inputs:\n  x: {shape: [T, C]}\n"
    "weights:\n  V: {shape: [C, C]}\n  W: {shape: [C, C]}\n"
    "  U: {join: [V, W], axis: 1}\n"
    "ops:\n  - {id: y, op: matmul, in: [x, U]}\noutputs: [y]\n";

static void
test_seeds(void)
{
    g_autoptr(FigGraph) one = load_text(one_weight, NULL);
    g_autoptr(FigGraph) two = load_text(two_weights, NULL);
    FigRunOptions options = {.numeric = true, .type = FIG_F32, .seed = 11};
    g_autoptr(FigRun) a = run_graph(one, &options);
    g_autoptr(FigRun) b = run_graph(two, &options);
    /* the same name and index: the same number, alone or as a member beside others */
    assert_same_bits(fig_run_value(a, "W"), fig_run_value(b, "W"));
    assert_same_bits(fig_run_value(a, "x"), fig_run_value(b, "x"));
    g_assert_cmpfloat(fig_view_number(fig_run_value(b, "V"), 0), !=,
                      fig_view_number(fig_run_value(b, "W"), 0));
    options.type = FIG_F64; /* the same numbers, not more digits of them */
    g_autoptr(FigRun) c = run_graph(one, &options);
    assert_same_bits(fig_run_value(a, "W"), fig_run_value(c, "W"));
    options.seed = 12;
    g_autoptr(FigRun) d = run_graph(one, &options);
    g_assert_cmpfloat(fig_view_number(fig_run_value(d, "W"), 0), !=,
                      fig_view_number(fig_run_value(c, "W"), 0));

    /* 90,000 uniform numbers: mean 0 within 4 sigma/sqrt(n), deviation 1/sqrt(300) */
    FigStatistics weight = fig_statistics(fig_run_value(a, "W"));
    double std = 1 / sqrt(300);
    g_assert_cmpfloat(fabs(weight.mean), <, 4 * std / 300);
    g_assert_cmpfloat_with_epsilon(weight.rms, std, 0.01 * std);
    g_assert_cmpfloat(weight.max, <=, sqrt(3) * std * (1 + 1e-6));
    g_assert_cmpfloat(weight.max, >, 0.99 * sqrt(3) * std);
    g_assert_cmpfloat(weight.min, <, -0.99 * sqrt(3) * std);
    /* neighbours are not correlated: |r| < 5/sqrt(n) */
    const FigView *w = fig_run_value(a, "W");
    double product = 0;
    for (int64_t i = 0; i + 1 < 90000; i++)
        product += fig_view_number(w, i) * fig_view_number(w, i + 1);
    g_assert_cmpfloat(fabs(product) / (90000 * std * std), <, 5.0 / 300);
    FigStatistics input = fig_statistics(fig_run_value(a, "x"));
    g_assert_cmpfloat_with_epsilon(input.rms, 1, 0.06);
}

static void
test_init(void)
{
    g_autoptr(FigGraph) graph = load_block(small);
    FigRunOptions options = {.numeric = true, .type = FIG_F32};
    g_autoptr(FigRun) run = run_graph(graph, &options);
    FigStatistics gain = fig_statistics(fig_run_value(run, "g_attn"));
    g_assert_cmpfloat(gain.min, ==, 1);
    g_assert_cmpfloat(gain.max, ==, 1);
}

static void
test_statistics(void)
{
    /* the third column of a [3, 4] matrix is left out by the strides: 1 2, nan 4, -6 inf */
    float x[] = {1, 2, 99, 99, NAN, 4, 99, 99, -6, INFINITY, 99, 99};
    FigView view = {
        .data = x, .type = FIG_F32, .rank = 2, .size = {3, 2}, .stride = {4, 1}};
    FigStatistics s = fig_statistics(&view);
    g_assert_cmpint(s.count, ==, 6);
    g_assert_cmpint(s.nonfinite, ==, 2);
    g_assert_cmpfloat(s.min, ==, -6);
    g_assert_cmpfloat(s.max, ==, 4);
    g_assert_cmpfloat(s.mean, ==, 0.25);
    g_assert_cmpfloat(s.rms, ==, sqrt(57.0 / 4));
    double y[100];
    for (int i = 0; i < 100; i++)
        y[i] = i + 1;
    FigView row = fig_view_dense(y, FIG_F64, 1, (int64_t[]){100});
    s = fig_statistics(&row);
    g_assert_cmpfloat(s.mean, ==, 50.5);
    g_assert_cmpfloat(s.rms, ==, sqrt(338350.0 / 100));
    g_assert_cmpfloat(s.min, ==, 1);
    g_assert_cmpfloat(s.max, ==, 100);
}

/* ---- provenance ---- */

typedef struct Exchange {
    int node, operand;
    FigView with;
    int seen; /* remember the result of this node … */
    FigView result;
} Exchange;

static void
exchange_before(int node, FigCall *call, FigView *in, void *data)
{
    Exchange *exchange = data;
    if (node == exchange->node)
        in[exchange->operand] = exchange->seen >= 0 ? exchange->result : exchange->with;
}

static void
exchange_after(int node, const FigCall *call, void *data)
{
    Exchange *exchange = data;
    if (node == exchange->seen)
        exchange->result = call->out[0];
}

/* A kernel that is handed another buffer: the record says so. */
static void
test_provenance(void)
{
    g_autoptr(FigGraph) graph = load_block(small);
    g_autoptr(FigRun) shapes = run_graph(graph, &(FigRunOptions){.numeric = false});
    FigRunOptions options = {.numeric = true, .type = FIG_F32, .keep_all = true};
    g_autoptr(FigRun) plain = run_graph(graph, &options);
    g_autoptr(FigRecord) record = fig_record_new(graph, shapes, plain, NULL, NULL);
    g_assert_cmpstr(fig_record_op(record, "mix")->reads[1].value, ==, "v_heads");
    g_autofree char *digest = fig_record_digest(record);

    /* the rotated keys in place of v, as the seed figure has it the other way round */
    Exchange exchange = {node_of(graph, "mix"), 1, {0}, node_of(graph, "k_rope"), {0}};
    FigRunHook hook = {exchange_before, exchange_after, &exchange};
    options.hook = &hook;
    g_autoptr(FigRun) other = run_graph(graph, &options);
    g_autoptr(FigRecord) wrong = fig_record_new(graph, shapes, other, NULL, NULL);
    g_assert_cmpstr(fig_record_op(wrong, "mix")->reads[1].value, ==, "k_rope");
    g_assert_cmpstr(fig_record_op(wrong, "mix")->reads[0].value, ==, "probs");
    g_autofree char *other_digest = fig_record_digest(wrong);
    g_assert_cmpstr(digest, !=, other_digest);

    /* a buffer that no value owns */
    g_autofree float *mine = g_new0(float, 4 * 7 * 6);
    exchange.seen = -1;
    exchange.with = fig_view_dense(mine, FIG_F32, 4, (int64_t[]){1, 4, 7, 6});
    g_autoptr(FigRun) foreign = run_graph(graph, &options);
    g_autoptr(FigRecord) stray = fig_record_new(graph, shapes, foreign, NULL, NULL);
    g_assert_null(fig_record_op(stray, "mix")->reads[1].value);
    FigStatistics zero = fig_statistics(fig_run_value(foreign, "mix"));
    g_assert_cmpfloat(zero.max, ==, 0);
    g_assert_cmpfloat(zero.min, ==, 0);

    /* a part of a value is not the value */
    exchange.with = *fig_run_value(foreign, "mix");
    exchange.node = node_of(graph, "merge");
    exchange.operand = 0;
    exchange.seen = node_of(graph, "mix");
    g_autoptr(FigRun) same = run_graph(graph, &options);
    g_assert_cmpint(step_of(same, graph, "merge")->reads[0], ==,
                    fig_graph_value(graph, "mix"));
}

/* ---- weights from a file ---- */

static char *
write_weights(const char *folder, int C, bool with_w, int other_layer)
{
    g_autofree float *data = g_new(float, C *C * 4);
    for (int i = 0; i < C * C * 4; i++)
        data[i] = (float)i;
    FigView views[4];
    const char *names[4];
    int n = 0;
    if (with_w) {
        names[n] = "blocks.1.w";
        views[n++] = fig_view_dense(data, FIG_F32, 2, (int64_t[]){2 * C, C});
    }
    names[n] = "blocks.1.g";
    views[n++] = fig_view_dense(data, FIG_F32, 1, (int64_t[]){C});
    g_autofree char *elsewhere = g_strdup_printf("blocks.%d.bias", other_layer);
    names[n] = elsewhere;
    views[n++] = fig_view_dense(data, FIG_F32, 1, (int64_t[]){C});
    names[n] = "head";
    views[n++] = fig_view_dense(data, FIG_F32, 1, (int64_t[]){C});
    char *path = g_build_filename(folder, "w.safetensors", NULL);
    g_assert_true(fig_tensor_file_write(path, n, names, views, NULL));
    return path;
}

static const char *const layered =
    "opfig: 1\nname: layered\ndims:\n  T: {is: 2}\n  C: {is: 3}\n"
    "inputs:\n  x: {shape: [T, C]}\n"
    "weights:\n"
    "  W: {shape: [C, 2*C], checkpoint: {name: \"blocks.{layer}.w\", stored: out_in}}\n"
    "  g: {shape: [2*C], checkpoint: {name: \"blocks.{layer}.g\"}}\n"
    "ops:\n  - {id: h, op: matmul, in: [x, W]}\n"
    "  - {id: y, op: rmsnorm, in: {x: h, g: g}, eps: 0}\noutputs: [y]\n";

static char *
weight_messages(const char *path, const char *spec)
{
    g_autoptr(FigGraph) graph = load_text(spec, NULL);
    g_autoptr(FigTensorFile) file = fig_tensor_file_open(path, NULL);
    g_autoptr(FigDiag) diag = fig_diag_new();
    FigRunOptions options = {
        .numeric = true, .type = FIG_F32, .weights = file, .layer = 1};
    g_autoptr(FigRun) run = fig_run_new(graph, &options, diag);
    g_assert_true(!run == (fig_diag_errors(diag) > 0));
    return messages(diag);
}

static void
test_weights(void)
{
    g_autofree char *folder = g_dir_make_tmp("opfig-run-XXXXXX", NULL);
    g_autofree char *path = write_weights(folder, 3, false, 1);
    g_autofree char *all = weight_messages(path, layered);
    g_auto(GStrv) around = g_strsplit(all, path, -1); /* which file is named */
    g_autofree char *without_path = g_strjoinv("FILE", around);
    g_assert_cmpstr(
        without_path, ==,
        "test.yaml:9:3: error: FILE has no tensor ‘blocks.1.w’ for ‘W’\n"
        "    9 |   W: {shape: [C, 2*C], checkpoint: {name: \"blocks.{layer}.w\", "
        "stored: "
        "out_in}}\n"
        "      |   ^\n"
        "test.yaml:9:3: error: FILE has a tensor ‘blocks.1.bias’ [3] that "
        "no "
        "weight takes\n"
        "    9 |   W: {shape: [C, 2*C], checkpoint: {name: \"blocks.{layer}.w\", "
        "stored: "
        "out_in}}\n"
        "      |   ^\n"
        "test.yaml:10:3: error: tensor ‘blocks.1.g’ is F32 [3], but ‘g’ wants real "
        "numbers "
        "[6]\n"
        "   10 |   g: {shape: [2*C], checkpoint: {name: \"blocks.{layer}.g\"}}\n"
        "      |   ^\n");
    g_unlink(path);

    /* what belongs to another layer or to none is not this block's matter */
    g_free(path);
    path = write_weights(folder, 3, true, 2);
    g_autoptr(FigGraph) graph = NULL;
    {
        g_autoptr(FigTensorFile) file = fig_tensor_file_open(path, NULL);
        g_autofree char *spec = g_strdup(
            "opfig: 1\nname: layered\ndims:\n  T: {is: 2}\n  C: {is: 3}\n"
            "inputs:\n  x: {shape: [T, C]}\n"
            "weights:\n"
            "  W: {shape: [C, 2*C], checkpoint: {name: \"blocks.{layer}.w\", stored: "
            "out_in}}\n"
            "  g: {shape: [C], checkpoint: {name: \"blocks.{layer}.g\"}}\n"
            "ops:\n  - {id: n, op: rmsnorm, in: {x: x, g: g}, eps: 0}\n"
            "  - {id: y, op: matmul, in: [n, W]}\noutputs: [y]\n");
        graph = load_text(spec, NULL);
        FigRunOptions options = {
            .numeric = true, .type = FIG_F64, .weights = file, .layer = 1};
        g_autoptr(FigRun) run = run_graph(graph, &options);
        /* stored (out, in) = (6, 3) as 0 1 2, 3 4 5, …: W[i][o] = 3 o + i */
        const FigView *w = fig_run_value(run, "W");
        for (int in = 0; in < 3; in++)
            for (int out = 0; out < 6; out++)
                g_assert_cmpfloat(fig_view_number(w, in * 6 + out), ==, 3 * out + in);
    }
    g_unlink(path);
    g_rmdir(folder);
}

/* --input: hidden_states for the only input, or why not. */
static void
test_input(void)
{
    g_autofree char *folder = g_dir_make_tmp("opfig-run-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(folder, "x.safetensors", NULL);
    double data[2 * 9 * 24];
    for (size_t i = 0; i < G_N_ELEMENTS(data); i++)
        data[i] = (double)i / 7;
    static const struct {
        const char *name;
        int64_t size[3];
        const char *error, *hint;
    } cases[] = {
        {"hidden_states", {1, 7, 24}, NULL, NULL},
        {"hidden_state",
         {1, 7, 24},
         "the input file has no tensor ‘hidden_states’ for ‘z’",
         NULL},
        {"hidden_states",
         {2, 9, 24},
         "tensor ‘hidden_states’ is F64 [2, 9, 24], but ‘z’ wants real numbers [1, 7, "
         "24]",
         "hint: --dims B=2,T=9"},
    };
    g_autoptr(FigGraph) graph = load_block(small);
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        FigView view = fig_view_dense(data, FIG_F64, 3, cases[i].size);
        g_assert_true(fig_tensor_file_write(path, 1, &cases[i].name, &view, NULL));
        g_autoptr(FigTensorFile) file = fig_tensor_file_open(path, NULL);
        FigRunOptions options = {.numeric = true, .type = FIG_F64, .input = file};
        g_autoptr(FigDiag) diag = fig_diag_new();
        g_autoptr(FigRun) run = fig_run_new(graph, &options, diag);
        g_autofree char *said = messages(diag);
        if (cases[i].error) {
            g_assert_null(run);
            g_assert_nonnull(strstr(said, cases[i].error));
            if (cases[i].hint)
                g_assert_nonnull(strstr(said, cases[i].hint));
            continue;
        }
        g_assert_cmpstr(said, ==, "");
        assert_same_bits(fig_run_value(run, "z"), &view);
    }
    g_unlink(path);
    g_rmdir(folder);
}

static void
test_unknown_keep(void)
{
    g_autoptr(FigGraph) graph = load_block(small);
    const char *const keep[] = {"prob", "q_rope.tan", NULL};
    FigRunOptions options = {.numeric = true, .type = FIG_F32, .keep = keep};
    g_autoptr(FigDiag) diag = fig_diag_new();
    g_assert_null(fig_run_new(graph, &options, diag));
    g_assert_cmpint(fig_diag_errors(diag), ==, 2);
    g_autofree char *said = messages(diag);
    g_assert_nonnull(strstr(said, "there is no value ‘prob’ to keep"));
    g_assert_nonnull(strstr(said, "did you mean ‘probs’?"));
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/run/memory", test_memory);
    g_test_add_func("/run/from", test_from);
    g_test_add_func("/run/too-large", test_too_large);
    g_test_add_func("/run/no-byte-moves", test_no_byte_moves);
    g_test_add_func("/run/twins", test_twins);
    g_test_add_func("/run/seeds", test_seeds);
    g_test_add_func("/run/init", test_init);
    g_test_add_func("/run/statistics", test_statistics);
    g_test_add_func("/run/provenance", test_provenance);
    g_test_add_func("/run/weights", test_weights);
    g_test_add_func("/run/input", test_input);
    g_test_add_func("/run/unknown-keep", test_unknown_keep);
    return g_test_run();
}
