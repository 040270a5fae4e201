/* SPDX-License-Identifier: MIT
 *
 * Inputs of whole numbers: token ids and masks, known by who reads them, seeded below
 * their bound or read from a file and held to it.
 */
#include "base/file.h"
#include "tests/exec/specs.h"

#include <glib/gstdio.h>
#include <math.h>

/* A model without a block: embed, score under a mask, loss. */
static const char spec[] = "opfig: 1\nname: loss\n"
                           "dims:\n  T: {is: 5}\n  V: {is: 5}\n  C: {is: 3}\n"
                           "inputs:\n  t: {shape: [T]}\n  seen: {shape: [T, V]}\n"
                           "weights:\n  W_e: {shape: [V, C]}\n"
                           "ops:\n"
                           "  - {id: x, op: embed, in: [t, W_e]}\n"
                           "  - {id: scores, op: matmul, in: [x, W_e], transpose: b}\n"
                           "  - {id: masked, op: mask, in: {x: scores, m: seen}}\n"
                           "  - {id: loss, op: cross_entropy, in: [scores, t]}\n"
                           "outputs: [loss, masked]\n";

static double
at(const FigRun *run, const char *id, int64_t index)
{
    return fig_view_number(fig_run_value(run, id), index);
}

/* The run beside the same formulas on the numbers it started from. */
static void
check_run(const FigRun *run)
{
    enum { T = 5, V = 5, C = 3 };
    for (int t = 0; t < T; t++) {
        double sum = 0, scores[V];
        int id = (int)at(run, "t", t);
        for (int v = 0; v < V; v++) {
            scores[v] = 0;
            for (int c = 0; c < C; c++)
                scores[v] += at(run, "W_e", id * C + c) * at(run, "W_e", v * C + c);
            sum += exp(scores[v]);
            double masked = at(run, "masked", t * V + v);
            if (at(run, "seen", t * V + v) == 0)
                g_assert_cmpfloat(masked, ==, -INFINITY);
            else
                g_assert_cmpfloat_with_epsilon(masked, scores[v], 1e-12);
        }
        g_assert_cmpfloat_with_epsilon(at(run, "loss", t), log(sum) - scores[id],
                                       1e-12);
    }
}

static void
test_seeded(void)
{
    g_autoptr(FigGraph) graph = load_text(spec, NULL);
    FigRunOptions options = {
        .numeric = true, .type = FIG_F64, .keep_all = true, .seed = 3};
    g_autoptr(FigRun) run = run_graph(graph, &options);
    const FigView *t = fig_run_value(run, "t"), *seen = fig_run_value(run, "seen");
    g_assert_cmpint(t->type, ==, FIG_I64);
    g_assert_cmpint(seen->type, ==, FIG_U8);
    int ids = 0, visible = 0;
    for (int i = 0; i < 5; i++) {
        g_assert_cmpfloat(fig_view_number(t, i), <, 5);
        ids |= 1 << (int)fig_view_number(t, i);
    }
    for (int i = 0; i < 25; i++) {
        g_assert_cmpfloat(fig_view_number(seen, i), <, 2);
        visible += fig_view_number(seen, i) == 1;
    }
    g_assert_cmpint(__builtin_popcount((unsigned)ids), >, 1);
    g_assert_cmpint(visible, >, 5);
    g_assert_cmpint(visible, <, 20);
    check_run(run);
    g_autoptr(FigRun) shapes =
        run_graph(graph, &(FigRunOptions){.type = FIG_F32}); /* types hold there too */
    g_assert_cmpint(fig_run_step(shapes, 0)->read[0].type, ==, FIG_I64);
    g_assert_cmpint(fig_run_step(shapes, 0)->read[1].type, ==, FIG_F32);
}

/* What a run says of a file with these token ids; NULL: it is right. */
static char *
run_file(const int64_t *ids)
{
    static const char header[] = "{\"t\":{\"dtype\":\"I64\",\"shape\":[5],"
                                 "\"data_offsets\":[0,40]},\"seen\":{\"dtype\":\"U8\","
                                 "\"shape\":[5,5],\"data_offsets\":[40,65]}}";
    uint64_t length = strlen(header);
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    g_byte_array_append(bytes, (const guint8 *)&length, 8);
    g_byte_array_append(bytes, (const guint8 *)header, (guint)length);
    g_byte_array_append(bytes, (const guint8 *)ids, 40);
    for (int i = 0; i < 25; i++)
        g_byte_array_append(bytes, &(guint8){i % 2}, 1);
    g_autofree char *path = NULL;
    g_autoptr(GError) error = NULL;
    g_close(g_file_open_tmp("opfig-whole-XXXXXX", &path, &error), NULL);
    g_file_set_contents(path, (const char *)bytes->data, bytes->len, &error);
    g_assert_no_error(error);
    g_autoptr(FigTensorFile) file = fig_tensor_file_open(path, &error);
    g_assert_no_error(error);
    g_unlink(path);
    g_autoptr(FigGraph) graph = load_text(spec, NULL);
    FigRunOptions options = {
        .numeric = true, .type = FIG_F64, .keep_all = true, .input = file};
    g_autoptr(FigDiag) diag = fig_diag_new();
    g_autoptr(FigRun) run = fig_run_new(graph, &options, diag);
    if (!run)
        return messages(diag);
    for (int i = 0; i < 5; i++)
        g_assert_cmpfloat(at(run, "t", i), ==, (double)ids[i]);
    check_run(run);
    return NULL;
}

static void
test_file(void)
{
    g_assert_null(run_file((int64_t[]){4, 0, 2, 2, 1}));
    g_autofree char *beyond = run_file((int64_t[]){4, 0, 2, 5, 1});
    g_assert_nonnull(
        strstr(beyond, "‘t’ holds 5 at index 3; it must be at least 0 and below 5"));
    g_autofree char *negative = run_file((int64_t[]){4, 0, -1, 5, 1});
    g_assert_nonnull(strstr(negative, "‘t’ holds -1 at index 2"));
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/whole/seeded", test_seeded);
    g_test_add_func("/whole/file", test_file);
    return g_test_run();
}
