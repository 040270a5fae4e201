/* SPDX-License-Identifier: MIT
 *
 * One block of OLMo 2 against activations that Hugging Face's code computed: every tensor
 * of the trace, at the tolerances of tests/golden/README.md for one layer.
 */
#include "golden.h"

#include <float.h>
#include <glib/gstdio.h>
#include <math.h>

/* Tables of the trace and where ours come from. */
static const char *const tables[][2] = {
    {"rope.inv_freq", "q_rope.inv_freq"},
    {"rope.cos", "q_rope.cos"},
    {"rope.sin", "q_rope.sin"},
    {"rope.attention_scaling", "q_rope.attention_scaling"},
    {"mask.causal", "mask.visible"},
};

static const char *const keep[] = {
    "q_rope.inv_freq", "q_rope.cos",   "q_rope.sin", "q_rope.attention_scaling",
    "k_rope.cos",      "mask.visible", NULL};

static FigRun *
golden_run(const FigGraph *graph, FigTensorFile *weights, FigType type, bool naive,
           bool statistics)
{
    g_autoptr(FigTensorFile) input = golden_file("trace.safetensors");
    FigRunOptions options = {
        .numeric = true,
        .type = type,
        .naive = naive,
        .weights = weights,
        .input = input,
        .keep_all = true,
        .keep = keep,
        .statistics = statistics,
    };
    g_autoptr(FigDiag) diag = fig_diag_new();
    FigRun *run = fig_run_new(graph, &options, diag);
    assert_no_messages(diag);
    g_assert_nonnull(run);
    return run;
}

/* Our tensor of a trace's name: by `aka: golden`, or a table. */
static const FigView *
ours(const FigGraph *graph, const FigRun *run, const char *name)
{
    for (size_t i = 0; i < G_N_ELEMENTS(tables); i++)
        if (!strcmp(tables[i][0], name))
            return fig_run_value(run, tables[i][1]);
    if (!strcmp(name, "hidden_states"))
        name = "layers.0.input"; /* the same tensor under another name */
    for (int v = 0; v < graph->n_values; v++)
        for (int a = 0; a < graph->values[v].n_aka; a++) {
            const FigAka *aka = &graph->values[v].aka[a];
            if (strcmp(aka->library, "golden"))
                continue;
            g_auto(GStrv) parts = g_strsplit(aka->name, "{layer}", -1);
            g_autofree char *here = g_strjoinv("0", parts);
            if (!strcmp(here, name))
                return fig_run_value(run, graph->values[v].id);
        }
    return NULL;
}

static double
theirs(const FigFileTensor *tensor, int64_t index)
{
    FigView view =
        fig_view_dense((void *)tensor->data, tensor->type, tensor->rank, tensor->size);
    return fig_view_number(&view, index);
}

typedef struct Worst {
    double ratio; /* max|diff| / rms */
    char *name;
} Worst;

/* Compare one tensor; masked scores must be masked on both sides. */
static void
compare(const FigFileTensor *want, const FigView *got, double tolerance, Worst *worst)
{
    g_assert_cmpint(got->rank, ==, want->rank);
    for (int axis = 0; axis < want->rank; axis++)
        g_assert_cmpint(got->size[axis], ==, want->size[axis]);
    bool scores = g_str_has_suffix(want->name, ".scores");
    bool exact = want->type == FIG_U8;
    double square = 0, most = 0;
    int64_t count = fig_view_count(got), visible = 0;
    for (int64_t i = 0; i < count; i++) {
        double a = fig_view_number(got, i), b = theirs(want, i);
        if (scores && b < -1e30) {
            g_assert_cmpfloat(a, <, -1e30);
            continue;
        }
        g_assert_true(isfinite(a));
        visible++;
        square += b * b;
        most = fmax(most, fabs(a - b));
        if (exact)
            g_assert_cmpfloat(a, ==, b);
    }
    if (scores) /* causal: half of the square and its diagonal, for each of 8 heads */
        g_assert_cmpint(visible, ==, 8 * 16 * 17 / 2);
    double ratio = most / sqrt(square / (double)visible);
    if (ratio > tolerance)
        g_error("%s: max|diff| is %.3g times rms", want->name, ratio);
    if (ratio >= worst->ratio) {
        worst->ratio = ratio;
        g_free(worst->name);
        worst->name = g_strdup(want->name);
    }
}

static void
check_trace(const char *file, FigType type, bool naive, int n_tensors, double tolerance)
{
    g_autoptr(FigGraph) graph = golden_graph();
    g_autoptr(FigTensorFile) weights = golden_file("model.safetensors");
    g_autoptr(FigTensorFile) trace = golden_file(file);
    g_autoptr(FigRun) run = golden_run(graph, weights, type, naive, false);
    Worst worst = {-1, NULL};
    int compared = 0;
    for (int i = 0; i < fig_tensor_file_count(trace); i++) {
        const FigFileTensor *want = fig_tensor_file_at(trace, i);
        const FigView *got = ours(graph, run, want->name);
        if (!got)
            g_error("nothing of ours is %s", want->name);
        compare(want, got, tolerance, &worst);
        compared++;
    }
    g_assert_cmpint(compared, ==, fig_tensor_file_count(trace));
    g_assert_cmpint(compared, ==, n_tensors);
    g_test_message("%s, %s: %d tensors, the worst is %s with max|diff| %.3g rms", file,
                   naive ? "naive" : "fast", compared, worst.name, worst.ratio);
    g_free(worst.name);
}

static void
test_float(void)
{
    check_trace("trace.safetensors", FIG_F32, false, 28, 2e-5);
    check_trace("trace.safetensors", FIG_F32, true, 28, 2e-5);
}

static void
test_double(void)
{
    check_trace("trace.f64.safetensors", FIG_F64, false, 27, 1e-12);
    check_trace("trace.f64.safetensors", FIG_F64, true, 27, 1e-12);
    check_trace("trace.safetensors", FIG_F64, false, 28, 2e-5);
}

static void
test_probs(void)
{
    g_autoptr(FigGraph) graph = golden_graph();
    g_autoptr(FigTensorFile) weights = golden_file("model.safetensors");
    g_autoptr(FigRun) run = golden_run(graph, weights, FIG_F32, false, false);
    const FigView *probs = fig_run_value(run, "probs");
    int64_t zeros = 0;
    for (int64_t row = 0; row < 8 * 16; row++) {
        double sum = 0;
        for (int64_t key = 0; key < 16; key++) {
            double p = fig_view_number(probs, row * 16 + key);
            if (key > row % 16) {
                g_assert_cmpfloat(p, ==, 0);
                zeros++;
            }
            sum += p;
        }
        g_assert_cmpfloat(fabs(sum - 1), <, 1e-6);
    }
    g_assert_cmpint(zeros, ==, 8 * 16 * 15 / 2);
}

/* v is not read by the scores: with all of v NaN they and the probabilities are finite,
 * and every entry of the mix is NaN (also where 0 multiplies NaN). */
static void
test_nan(void)
{
    g_autoptr(FigTensorFile) model = golden_file("model.safetensors");
    int count = fig_tensor_file_count(model);
    g_autofree const char **names = g_new(const char *, (gsize)count);
    g_autofree FigView *views = g_new(FigView, (gsize)count);
    g_autofree float *bad = NULL;
    for (int i = 0; i < count; i++) {
        const FigFileTensor *tensor = fig_tensor_file_at(model, i);
        names[i] = tensor->name;
        void *data = (void *)tensor->data;
        if (strstr(tensor->name, "v_proj")) {
            g_assert_null(bad);
            data = bad = g_new(float, tensor->bytes / sizeof(float));
            for (size_t k = 0; k < tensor->bytes / sizeof(float); k++)
                bad[k] = NAN;
        }
        views[i] = fig_view_dense(data, tensor->type, tensor->rank, tensor->size);
    }
    g_assert_nonnull(bad);
    g_autofree char *folder = g_dir_make_tmp("opfig-golden-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(folder, "nan.safetensors", NULL);
    g_autoptr(GError) error = NULL;
    g_assert_true(fig_tensor_file_write(path, count, names, views, &error));
    g_autoptr(FigTensorFile) weights = fig_tensor_file_open(path, &error);
    g_assert_no_error(error);

    g_autoptr(FigGraph) graph = golden_graph();
    static const struct {
        const char *value;
        bool all;
    } cases[] = {{"q", false},      {"scores", false}, {"probs", false}, {"v", true},
                 {"v_heads", true}, {"mix", true},     {"z2", true}};
    for (int naive = 0; naive <= 1; naive++) {
        g_autoptr(FigRun) run = golden_run(graph, weights, FIG_F32, naive, true);
        int seen = 0;
        for (int s = 0; s < fig_run_steps(run); s++) {
            const FigStep *step = fig_run_step(run, s);
            for (int w = 0; w < step->n_writes; w++)
                for (size_t c = 0; c < G_N_ELEMENTS(cases); c++) {
                    if (strcmp(graph->values[step->writes[w]].id, cases[c].value))
                        continue;
                    const FigStatistics *statistics = &step->statistics[w];
                    g_assert_cmpint(statistics->count, >, 0);
                    g_assert_cmpint(statistics->nonfinite, ==,
                                    cases[c].all ? statistics->count : 0);
                    seen++;
                }
        }
        g_assert_cmpint(seen, ==, G_N_ELEMENTS(cases));
    }
    g_unlink(path);
    g_rmdir(folder);
}

/* The files are those that were handed over. */
static void
test_sums(void)
{
    g_autofree char *folder =
        g_build_filename(g_getenv("OPFIG_SOURCE"), "tests", "golden", NULL);
    g_autofree char *path = g_build_filename(folder, "SHA256SUMS", NULL);
    g_autofree char *sums = NULL;
    g_assert_true(g_file_get_contents(path, &sums, NULL, NULL));
    g_auto(GStrv) lines = g_strsplit(g_strstrip(sums), "\n", -1);
    g_assert_cmpuint(g_strv_length(lines), ==, 8 * 4);
    for (char **line = lines; *line; line++) {
        g_autofree char *file = g_build_filename(folder, *line + 64 + 2, NULL);
        g_autofree char *bytes = NULL;
        gsize length;
        g_assert_true(g_file_get_contents(file, &bytes, &length, NULL));
        g_autofree char *sum = g_compute_checksum_for_data(
            G_CHECKSUM_SHA256, (const guchar *)bytes, length);
        (*line)[64] = '\0';
        g_assert_cmpstr(sum, ==, *line);
    }
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/golden/sums", test_sums);
    g_test_add_func("/golden/float", test_float);
    g_test_add_func("/golden/double", test_double);
    g_test_add_func("/golden/probs", test_probs);
    g_test_add_func("/golden/nan", test_nan);
    return g_test_run();
}
