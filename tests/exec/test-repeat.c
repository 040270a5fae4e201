/* SPDX-License-Identifier: MIT
 *
 * Repeats: the same net written out pass by pass gives the same bits everywhere; the
 * memory of one pass serves all; what a step read is what its passes were handed; weights
 * of all passes come from a file, or are missed at once.
 */
#include "specs.h"

#include "exec/passes.h"
#include "exec/recorder.h"

#include <glib/gstdio.h>

enum { OUTER = 3, INNER = 2 };

static char *folder;

static const FigRunOptions all = {.numeric = true, .type = FIG_F32, .keep_all = true};

static void
assert_same_bits(const char *id, const FigView *a, const FigView *b)
{
    g_assert_nonnull(a);
    g_assert_nonnull(b);
    g_assert_cmpint(fig_view_count(a), ==, fig_view_count(b));
    for (int64_t i = 0; i < fig_view_count(a); i++)
        if (fig_view_number(a, i) != fig_view_number(b, i))
            g_error("%s: %g and %g at %d", id, fig_view_number(a, i),
                    fig_view_number(b, i), (int)i);
}

/* ---- a repeat in a repeat, and the same written out ---- */

/* Two values are carried through the outer repeat; the inner one reads a value of the
 * outer and one from outside both; a joined weight, one of the outer passes, one shared. */
static const char looped[] =
    "opfig: 1\n"
    "name: tower\n"
    "dims:\n"
    "  T: {is: 5}\n"
    "  C: {is: 8}\n"
    "  L: {is: 3}\n"
    "  M: {is: 2}\n"
    "inputs:\n"
    "  z: {shape: [T, C]}\n"
    "weights:\n"
    "  W_a: {shape: [C, C]}\n"
    "  W_b: {shape: [C, C]}\n"
    "  W_ab: {join: [W_a, W_b], axis: 1}\n"
    "  W_o: {shape: [C, C]}\n"
    "  W_l: {shape: [C, C], per: l}\n"
    "  W_s: {shape: [C, C], per: none}\n"
    "  W_out: {shape: [C, C]}\n"
    "ops:\n"
    "  - {id: side, op: silu, in: z}\n"
    "  - group: outer\n"
    "    repeat: L\n"
    "    index: l\n"
    "    ops:\n"
    "      - {id: x, op: block_input, in: {first: z, next: x2}}\n"
    "      - {id: u, op: block_input, in: {first: side, next: u2}}\n"
    "      - {id: o, op: matmul, in: [x, W_o]}\n"
    "      - group: inner\n"
    "        repeat: M\n"
    "        index: m\n"
    "        ops:\n"
    "          - {id: y, op: block_input, in: {first: o, next: y2}}\n"
    "          - {id: ab, op: matmul, in: [y, W_ab]}\n"
    "          - {id: cut, op: split, in: ab, sizes: [C, C], out: [a, b]}\n"
    "          - {id: b_l, op: matmul, in: [b, W_l]}\n"
    "          - {id: p, op: mul, in: [a, b_l]}\n"
    "          - {id: q, op: add, in: [p, u]}\n"
    "          - {id: s, op: matmul, in: [q, W_s]}\n"
    "          - {id: y2, op: add, in: [s, side]}\n"
    "      - {id: u2, op: mul, in: [u, o]}\n"
    "      - {id: x2, op: add, in: [x, y2]}\n"
    "  - {id: sum, op: add, in: [x2, u2]}\n"
    "  - {id: out, op: matmul, in: [sum, W_out]}\n"
    "outputs: [out, x2]\n";

static void
add_weight(GString *text, const char *name)
{
    g_string_append_printf(text, "  %s: {shape: [C, C], checkpoint: %s}\n", name, name);
}

static char *
written_out(void)
{
    GString *text = g_string_new("opfig: 1\n"
                                 "name: plain\n"
                                 "dims:\n"
                                 "  T: {is: 5}\n"
                                 "  C: {is: 8}\n"
                                 "inputs:\n"
                                 "  z: {shape: [T, C]}\n"
                                 "weights:\n");
    add_weight(text, "W_s");
    add_weight(text, "W_out");
    for (int l = 0; l < OUTER; l++) {
        g_autofree char *o = g_strdup_printf("W_o_%d", l);
        g_autofree char *w = g_strdup_printf("W_l_%d", l);
        add_weight(text, o);
        add_weight(text, w);
        for (int m = 0; m < INNER; m++) {
            g_autofree char *a = g_strdup_printf("W_a_%d_%d", l, m);
            g_autofree char *b = g_strdup_printf("W_b_%d_%d", l, m);
            add_weight(text, a);
            add_weight(text, b);
            g_string_append_printf(text, "  W_ab_%d_%d: {join: [%s, %s], axis: 1}\n", l,
                                   m, a, b);
        }
    }
    g_string_append(text, "ops:\n  - {id: side, op: silu, in: z}\n");
    g_autofree char *x = g_strdup("z");
    g_autofree char *u = g_strdup("side");
    for (int l = 0; l < OUTER; l++) {
        g_autofree char *y = g_strdup_printf("o_%d", l);
        g_string_append_printf(text, "  - {id: o_%d, op: matmul, in: [%s, W_o_%d]}\n",
                               l, x, l);
        for (int m = 0; m < INNER; m++) {
            g_string_append_printf(
                text,
                "  - {id: ab_%d_%d, op: matmul, in: [%s, W_ab_%d_%d]}\n"
                "  - {id: cut_%d_%d, op: split, in: ab_%d_%d, sizes: [C, C], "
                "out: [a_%d_%d, b_%d_%d]}\n"
                "  - {id: b_l_%d_%d, op: matmul, in: [b_%d_%d, W_l_%d]}\n"
                "  - {id: p_%d_%d, op: mul, in: [a_%d_%d, b_l_%d_%d]}\n"
                "  - {id: q_%d_%d, op: add, in: [p_%d_%d, %s]}\n"
                "  - {id: s_%d_%d, op: matmul, in: [q_%d_%d, W_s]}\n"
                "  - {id: y2_%d_%d, op: add, in: [s_%d_%d, side]}\n",
                l, m, y, l, m, l, m, l, m, l, m, l, m, l, m, l, m, l, l, m, l, m, l, m,
                l, m, l, m, u, l, m, l, m, l, m, l, m);
            g_free(y);
            y = g_strdup_printf("y2_%d_%d", l, m);
        }
        g_string_append_printf(text,
                               "  - {id: u2_%d, op: mul, in: [%s, o_%d]}\n"
                               "  - {id: x2_%d, op: add, in: [%s, %s]}\n",
                               l, u, l, l, x, y);
        g_free(x);
        g_free(u);
        x = g_strdup_printf("x2_%d", l);
        u = g_strdup_printf("u2_%d", l);
    }
    g_string_append_printf(text,
                           "  - {id: sum, op: add, in: [%s, %s]}\n"
                           "  - {id: out, op: matmul, in: [sum, W_out]}\n"
                           "outputs: [out]\n",
                           x, u);
    return g_string_free(text, FALSE);
}

/* The name that a value of a pass has when all is written out, from what it has in the
 * repeats: "outer.1.inner.0.ab" is ab_1_0, "W_s" stays. */
static char *
plain_name(const char *name)
{
    g_auto(GStrv) parts = g_strsplit(name, ".", -1);
    guint n = g_strv_length(parts);
    GString *plain = g_string_new(parts[n - 1]);
    for (guint i = 1; i + 1 < n; i += 2)
        g_string_append_printf(plain, "_%s", parts[i]);
    return g_string_free(plain, FALSE);
}

/* Every value of every pass by its name. */
static GPtrArray *
names_of(const FigGraph *graph, const FigSizes *sizes)
{
    GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
    for (int v = 0; v < graph->n_values; v++) {
        int64_t pass[8] = {0};
        do
            g_ptr_array_add(names, fig_pass_name(graph, graph->values[v].repeat, pass,
                                                 graph->values[v].id));
        while (fig_pass_next(graph, sizes, graph->values[v].repeat, pass));
    }
    return names;
}

static char *
write_weights(const FigRun *run, const GPtrArray *names, const char *name)
{
    char *path = g_build_filename(folder, name, NULL);
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) plain = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GArray) views = g_array_new(FALSE, FALSE, sizeof(FigView));
    for (guint i = 0; i < names->len; i++) {
        const char *id = strrchr(names->pdata[i], '.');
        id = id ? id + 1 : names->pdata[i];
        if (id[0] != 'W' || strcmp(id, "W_ab") == 0)
            continue;
        g_ptr_array_add(plain, plain_name(names->pdata[i]));
        g_array_append_vals(views, fig_run_value(run, names->pdata[i]), 1);
    }
    g_assert_cmpuint(plain->len, ==, 2 + 2 * OUTER + 2 * OUTER * INNER);
    g_assert_true(fig_tensor_file_write(path, (int)plain->len,
                                        (const char **)plain->pdata,
                                        (const FigView *)(void *)views->data, &error));
    g_assert_no_error(error);
    return path;
}

static void
test_written_out(void)
{
    g_autoptr(FigGraph) graph = load_text(looped, NULL);
    g_autoptr(FigArena) arena = fig_arena_new();
    const FigSizes *sizes = fig_graph_sizes(graph, NULL, arena, NULL);
    g_autoptr(FigRun) run = run_graph(graph, &all);
    g_autoptr(GPtrArray) names = names_of(graph, sizes);
    g_autofree char *path = write_weights(run, names, "plain.safetensors");

    g_autofree char *text = written_out();
    g_autoptr(FigGraph) plain = load_text(text, NULL);
    g_autoptr(GError) error = NULL;
    FigRunOptions options = all;
    options.weights = fig_tensor_file_open(path, &error);
    g_assert_no_error(error);
    g_autoptr(FigRun) other = run_graph(plain, &options);
    int compared = 0, begun = 0;
    for (guint i = 0; i < names->len; i++) {
        g_autofree char *name = plain_name(names->pdata[i]);
        const FigView *ours = fig_run_value(run, names->pdata[i]);
        const FigView *theirs = fig_run_value(other, name);
        begun += theirs == NULL; /* what a pass begins with has no op there */
        if (!theirs)
            continue;
        assert_same_bits(name, ours, theirs);
        compared++;
    }
    g_assert_cmpint(begun, ==, 2 * OUTER + OUTER * INNER);
    g_assert_cmpint(compared, ==, plain->n_values);
    fig_tensor_file_free(options.weights);

    /* a pass begins with what the one before left */
    assert_same_bits("first", fig_run_value(run, "outer.0.x"), fig_run_value(run, "z"));
    assert_same_bits("next", fig_run_value(run, "outer.2.x"),
                     fig_run_value(run, "outer.1.x2"));
    assert_same_bits("inner", fig_run_value(run, "outer.2.inner.0.y"),
                     fig_run_value(run, "outer.2.o"));
    /* a plain name is the last pass */
    assert_same_bits("last", fig_run_value(run, "y2"),
                     fig_run_value(run, "outer.2.inner.1.y2"));
    g_assert_null(fig_run_value(run, "outer.3.x"));
    g_assert_null(fig_run_value(run, "inner.0.y"));
    g_assert_null(fig_run_value(run, "outer.0.z"));
    g_assert_null(fig_run_value(run, "outer.0.inner.0.x"));

    /* nothing is different when nothing is kept */
    FigRunOptions freed = {.numeric = true, .type = FIG_F32};
    g_autoptr(FigRun) lean = run_graph(graph, &freed);
    assert_same_bits("out", fig_run_value(lean, "out"), fig_run_value(run, "out"));
    assert_same_bits("x2", fig_run_value(lean, "x2"), fig_run_value(run, "x2"));
    g_assert_null(fig_run_value(lean, "outer.0.x2"));
    const char *const keep[] = {"outer.1.inner.0.p", NULL};
    FigRunOptions some = {.numeric = true, .type = FIG_F32, .keep = keep};
    g_autoptr(FigRun) kept = run_graph(graph, &some);
    assert_same_bits("p", fig_run_value(kept, keep[0]), fig_run_value(run, keep[0]));
}

/* ---- memory ---- */

static void
test_memory(void)
{
    static const FigOverride few[] = {{"L", "2"}, {"M", "2"}, {NULL, NULL}};
    static const FigOverride many[] = {{"L", "40"}, {"M", "9"}, {NULL, NULL}};
    g_autoptr(FigGraph) a = load_text(looped, few);
    g_autoptr(FigGraph) b = load_text(looped, many);
    FigRunOptions options = {.numeric = true, .type = FIG_F32};
    g_assert_cmpuint(fig_run_memory(a, &options, NULL), ==,
                     fig_run_memory(b, &options, NULL));
    /* p of every inner pass, besides: 5 × 8 floats, rounded up to 64 bytes */
    const char *const keep[] = {"p", NULL};
    FigRunOptions some = {.numeric = true, .type = FIG_F32, .keep = keep};
    g_assert_cmpuint(fig_run_memory(b, &some, NULL) - fig_run_memory(b, &options, NULL),
                     ==, 40 * 9 * 192);
}

/* ---- the record ---- */

static FigRecord *
record_of(const FigGraph *graph, const FigRun *executed)
{
    FigRunOptions on_shapes = {0};
    g_autoptr(FigRun) shapes = run_graph(graph, &on_shapes);
    return fig_record_new(graph, shapes, executed, NULL, NULL);
}

static void
test_record(void)
{
    g_autoptr(FigGraph) graph = load_text(looped, NULL);
    g_autoptr(FigRun) run = run_graph(graph, &all);
    g_autoptr(FigRecord) record = record_of(graph, run);
    g_assert_cmpint(record->n_ops, ==, graph->n_nodes);
    const FigRecordOp *y = fig_record_op(record, "y");
    g_assert_cmpint(y->n_reads, ==, 2);
    g_assert_cmpstr(y->reads[0].value, ==, "o");
    g_assert_cmpstr(y->reads[1].value, ==, "y2");
    g_assert_false(y->reads[0].later);
    g_assert_true(y->reads[1].later);
    /* 3 · 2 products of 5 × 8 with 8 × 16 */
    const FigRecordOp *ab = fig_record_op(record, "ab");
    g_assert_cmpint(ab->flops_number, ==, 3 * 2 * 2 * 5 * 8 * 16);
    g_assert_cmpstr(ab->flops, ==, "4*T*C^2*L*M");
    g_assert_cmpint(fig_record_op(record, "o")->flops_number, ==, 3 * 2 * 5 * 8 * 8);
    /* entries of all passes */
    g_assert_cmpint(fig_record_value(record, "W_a")->parameters, ==, 3 * 2 * 64);
    g_assert_cmpint(fig_record_value(record, "W_l")->parameters, ==, 3 * 64);
    g_assert_cmpint(fig_record_value(record, "W_o")->parameters, ==, 3 * 64);
    g_assert_cmpint(fig_record_value(record, "W_s")->parameters, ==, 64);
    g_assert_cmpstr(fig_record_value(record, "W_ab")->per, ==, "inner");
    g_assert_cmpstr(fig_record_value(record, "W_l")->per, ==, "outer");
    g_assert_null(fig_record_value(record, "W_s")->per);
    g_assert_cmpstr(record->groups[1].repeat, ==, "M");
    g_assert_cmpint(record->groups[1].passes, ==, 2);
    g_assert_cmpstr(record->groups[0].index, ==, "l");
}

/* A hook that hands `s` another operand in the second pass of all: no step may say
 * afterwards that it read q. */
typedef struct Exchange {
    int node, times;
    const FigView *with;
} Exchange;

static void
exchange(int node, FigCall *call, FigView *in, void *data)
{
    (void)call;
    Exchange *e = data;
    if (node == e->node && e->times++ == 1)
        in[0] = *e->with;
}

static void
test_exchanged(void)
{
    g_autoptr(FigGraph) graph = load_text(looped, NULL);
    g_autoptr(FigRun) foreign = run_graph(graph, &all);
    Exchange e = {.node = fig_graph_node(graph, "s"),
                  .with = fig_run_value(foreign, "outer.0.inner.0.q")};
    FigRunHook hook = {exchange, NULL, &e};
    FigRunOptions options = all;
    options.hook = &hook;
    g_autoptr(FigRun) run = run_graph(graph, &options);
    g_assert_cmpint(e.times, ==, OUTER * INNER);
    g_assert_cmpint(fig_run_step(run, e.node)->reads[0], ==, -1);
    g_assert_cmpint(fig_run_step(run, e.node)->reads[1], ==,
                    fig_graph_value(graph, "W_s"));
    g_assert_cmpint(fig_run_step(foreign, e.node)->reads[0], ==,
                    fig_graph_value(graph, "q"));
}

/* ---- weights from a file, edits ---- */

static const char from_file[] =
    "opfig: 1\n"
    "name: tower\n"
    "dims:\n"
    "  T: {is: 2}\n"
    "  C: {is: 1}\n"
    "  L: {is: 3}\n"
    "inputs:\n"
    "  z: {shape: [T, C]}\n"
    "weights:\n"
    "  W: {shape: [C, C], checkpoint: 'layers.{l}.w'}\n"
    "ops:\n"
    "  - group: layers\n"
    "    repeat: L\n"
    "    index: l\n"
    "    ops:\n"
    "      - {id: x, op: block_input, in: {first: z, next: y}}\n"
    "      - {id: y, op: matmul, in: [x, W]}\n"
    "outputs: [y]\n";

static FigTensorFile *
numbers_file(int n, const double *numbers)
{
    g_autofree char *path = g_build_filename(folder, "numbers.safetensors", NULL);
    FigView views[8];
    char *names[8];
    int64_t size[] = {1, 1};
    for (int i = 0; i < n; i++) {
        views[i] = fig_view_dense((double *)(uintptr_t)&numbers[i], FIG_F64, 2, size);
        names[i] = g_strdup_printf("layers.%d.w", i);
    }
    g_autoptr(GError) error = NULL;
    g_assert_true(
        fig_tensor_file_write(path, n, (const char *const *)names, views, &error));
    for (int i = 0; i < n; i++)
        g_free(names[i]);
    FigTensorFile *file = fig_tensor_file_open(path, &error);
    g_assert_no_error(error);
    return file;
}

static void
test_file(void)
{
    static const double numbers[] = {2, 3, 5, 7};
    g_autoptr(FigGraph) graph = load_text(from_file, NULL);
    FigRunOptions options = {.numeric = true, .type = FIG_F64};
    options.weights = numbers_file(3, numbers);
    g_autoptr(FigRun) run = run_graph(graph, &options);
    double z = fig_view_number(fig_run_value(run, "z"), 1);
    g_assert_cmpfloat(fig_view_number(fig_run_value(run, "y"), 1), ==, z * 2 * 3 * 5);

    /* an edit is made in every pass */
    FigEdit edit;
    g_autoptr(FigArena) arena = fig_arena_new();
    const FigSizes *sizes = fig_graph_sizes(graph, NULL, arena, NULL);
    g_assert_true(fig_edit_parse(graph, sizes, "W *= 2", (FigSpan){0}, NULL, &edit));
    options.n_edits = 1;
    options.edits = &edit;
    g_autoptr(FigRun) edited = run_graph(graph, &options);
    g_assert_cmpfloat(fig_view_number(fig_run_value(edited, "y"), 1), ==,
                      8 * z * 2 * 3 * 5);

    /* or in one alone: of W and of what a pass begins with */
    g_assert_true(
        fig_edit_parse(graph, sizes, "layers.1.W *= 7", (FigSpan){0}, NULL, &edit));
    g_autoptr(FigRun) once = run_graph(graph, &options);
    g_assert_cmpfloat(fig_view_number(fig_run_value(once, "y"), 1), ==,
                      7 * z * 2 * 3 * 5);
    g_assert_false(
        fig_edit_parse(graph, sizes, "layers.3.W *= 7", (FigSpan){0}, NULL, &edit));
    g_assert_false(
        fig_edit_parse(graph, sizes, "other.1.W *= 7", (FigSpan){0}, NULL, &edit));
    fig_tensor_file_free(options.weights);

    /* two are missing; or there is one too many */
    static const char *const said[][2] = {
        {"‘layers.1.w’ for ‘W’", "‘layers.2.w’ for ‘W’"},
        {"a tensor ‘layers.3.w’", "that no weight takes"}};
    for (int i = 0; i < 2; i++) {
        g_autoptr(FigDiag) diag = fig_diag_new();
        FigRunOptions wrong = {.numeric = true, .type = FIG_F64};
        wrong.weights = numbers_file(i ? 4 : 1, numbers);
        g_assert_null(fig_run_new(graph, &wrong, diag));
        g_autofree char *text = messages(diag);
        g_assert_cmpint(fig_diag_errors(diag), ==, i ? 1 : 2);
        g_assert_nonnull(strstr(text, said[i][0]));
        g_assert_nonnull(strstr(text, said[i][1]));
        fig_tensor_file_free(wrong.weights);
    }
}

/* ---- probe dims ---- */

static void
probe_gives(const char *text, const FigOverride *dims, int64_t wanted)
{
    g_autoptr(FigGraph) graph = load_text(text, dims);
    g_autoptr(FigArena) arena = fig_arena_new();
    g_autoptr(FigDiag) diag = fig_diag_new();
    const FigSizes *sizes = fig_run_probe(graph, arena, diag);
    g_assert_nonnull(sizes);
    g_assert_cmpint(sizes->dim[fig_graph_dim(graph, "L")], ==, wanted);
    for (int d = 0; d < graph->n_dims; d++)
        g_assert_cmpint(sizes->dim[d], <, 9);
}

/* Passes are two, whatever sizes the other dims have; as many as make two where the count
 * is an expression; and a size like others where a shape speaks of them too. */
static void
test_probe(void)
{
    static const FigOverride as_others[] = {{"L", "5"}, {NULL, NULL}};
    static const FigOverride one[] = {{"L", "1"}, {NULL, NULL}};
    probe_gives(looped, NULL, 2);
    probe_gives(looped, as_others, 2);
    probe_gives(looped, one, 2);
    g_auto(GStrv) parts = g_strsplit(looped, "repeat: L", 2);
    g_autofree char *less = g_strjoinv("repeat: L - 1", parts);
    probe_gives(less, NULL, 3);
    g_auto(GStrv) size = g_strsplit(looped, "  T: {is: 5}\n", 2);
    g_autofree char *sized = g_strjoinv("", size);
    g_auto(GStrv) dims = g_strsplit(sized, "  M: {is: 2}\n", 2);
    g_autofree char *as_long = g_strjoinv("  M: {is: 2}\n  T: {is: L}\n", dims);
    probe_gives(as_long, NULL, 3);
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    folder = g_dir_make_tmp("opfig-repeat-XXXXXX", NULL);
    g_test_add_func("/repeat/written-out", test_written_out);
    g_test_add_func("/repeat/memory", test_memory);
    g_test_add_func("/repeat/record", test_record);
    g_test_add_func("/repeat/exchanged", test_exchanged);
    g_test_add_func("/repeat/file", test_file);
    g_test_add_func("/repeat/probe", test_probe);
    int failed = g_test_run();
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    for (const char *name; dir && (name = g_dir_read_name(dir));) {
        g_autofree char *path = g_build_filename(folder, name, NULL);
        g_remove(path);
    }
    g_rmdir(folder);
    g_free(folder);
    return failed;
}
