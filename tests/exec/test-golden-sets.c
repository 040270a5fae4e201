/* SPDX-License-Identifier: MIT
 *
 * Every layer of every golden set, block by block: fed with that layer's input, the block
 * agrees with activations that Hugging Face's code computed, tensor by tensor, in float
 * and in double, with the tables of RoPE and of the masks. What is in a trace and not
 * compared fails the test.
 */
#include "golden.h"

#include <float.h>
#include <glib/gstdio.h>
#include <math.h>

typedef struct Set {
    const char *name, *spec;
    int layers;
    int compared[2]; /* tensors of the layers and tables: float32, float64 */
    const char *kinds; /* OLMo 3: w or f for each layer */
} Set;

static const Set sets[] = {
    {"olmo1-tiny", "olmo1-block", 2, {45, 44}, NULL},
    {"olmo1-clip-tiny", "olmo1-block", 2, {51, 50}, NULL},
    {"olmo2-tiny", "olmo2-block", 2, {49, 8}, NULL},
    {"olmo2-primer-block", "olmo2-block", 1, {27, 26}, NULL},
    {"olmo3-tiny-gqa", "olmo3-block", 4, {98, 16}, "wwwf"},
    {"olmo3-tiny-gqa-yarn", "olmo3-block", 4, {98, 16}, "wwwf"},
    {"llama3-tiny-gqa", "llama3-block", 2, {45, 8}, NULL},
    {"llama-tiny", "llama3-block", 2, {45, 44}, NULL},
};

static const char *const keep[] = {
    "q_rope.inv_freq",          "q_rope.cos",   "q_rope.sin",
    "q_rope.attention_scaling", "k_rope.cos",   "k_rope.sin",
    "k_rope.attention_scaling", "mask.visible", NULL};

static FigTensorFile *
set_file(const Set *set, const char *name)
{
    g_autofree char *path = g_build_filename(g_getenv("OPFIG_SOURCE"), "tests",
                                             "golden", set->name, name, NULL);
    g_autoptr(GError) error = NULL;
    FigTensorFile *file = fig_tensor_file_open(path, &error);
    g_assert_no_error(error);
    return file;
}

/* The input of a layer: by its name, or the same tensor under another. */
static const FigFileTensor *
layer_input(const FigTensorFile *trace, int layer)
{
    g_autofree char *own = g_strdup_printf("layers.%d.input", layer);
    const FigFileTensor *found = fig_tensor_file_lookup(trace, own);
    if (found)
        return found;
    g_autofree char *before = g_strdup_printf("layers.%d.output", layer - 1);
    found = fig_tensor_file_lookup(trace, layer ? before : "embed");
    g_assert_nonnull(found);
    return found;
}

/* A file that holds one tensor as `hidden_states`. */
static FigTensorFile *
input_file(const FigFileTensor *tensor, const char *folder)
{
    g_autofree char *path = g_build_filename(folder, "input.safetensors", NULL);
    const char *name = "hidden_states";
    FigView view =
        fig_view_dense((void *)tensor->data, tensor->type, tensor->rank, tensor->size);
    g_autoptr(GError) error = NULL;
    g_assert_true(fig_tensor_file_write(path, 1, &name, &view, &error));
    FigTensorFile *file = fig_tensor_file_open(path, &error);
    g_assert_no_error(error);
    g_unlink(path);
    return file;
}

static FigGraph *
layer_graph(const Set *set, int layer, const FigFileTensor *input)
{
    g_autofree char *source = g_strdup(g_getenv("OPFIG_SOURCE"));
    g_autofree char *config =
        g_build_filename(source, "tests", "golden", set->name, "config.json", NULL);
    g_autofree char *file = g_strconcat(set->spec, ".yaml", NULL);
    g_autofree char *spec = g_build_filename(source, "spec", "models", file, NULL);
    g_autofree char *b = g_strdup_printf("%d", (int)input->size[0]);
    g_autofree char *t = g_strdup_printf("%d", (int)input->size[1]);
    const FigOverride dims[] = {{"B", b}, {"T", t}, {NULL, NULL}};
    FigLoadOptions options = {.config = config, .dims = dims, .layer = layer};
    g_autoptr(FigDiag) diag = fig_diag_new();
    FigGraph *graph = fig_spec_load(spec, &options, diag);
    assert_no_messages(diag);
    g_assert_nonnull(graph);
    return graph;
}

/* The name of the kind of mask and RoPE in a trace, and ours; NULL: another layer's. */
static char *
table_of(const Set *set, int layer, const char *name)
{
    bool window = set->kinds && set->kinds[layer] == 'w';
    if (g_str_equal(name, window ? "mask.sliding" : "mask.causal"))
        return g_strdup("mask.visible");
    const char *prefix = !set->kinds ? "rope."
                         : window    ? "rope.sliding."
                                     : "rope.full.";
    return g_str_has_prefix(name, prefix)
               ? g_strconcat("q_rope.", name + strlen(prefix), NULL)
               : NULL;
}

/* Our tensor of a trace's name by `aka: golden`; NULL: none. */
static const FigView *
by_aka(const FigGraph *graph, const FigRun *run, int layer, const char *name)
{
    g_autofree char *number = g_strdup_printf("%d", layer);
    for (int v = 0; v < graph->n_values; v++) {
        for (int a = 0; a < graph->values[v].n_aka; a++) {
            const FigAka *aka = &graph->values[v].aka[a];
            g_auto(GStrv) parts = g_strsplit(aka->name, "{layer}", -1);
            g_autofree char *here = g_strjoinv(number, parts);
            if (g_str_equal(aka->library, "golden") && g_str_equal(here, name))
                return fig_run_value(run, graph->values[v].id);
        }
    }
    return NULL;
}

/* max|diff| / rms; masked scores must be masked on both sides. */
static double
difference(const FigFileTensor *want, const FigView *got)
{
    FigView theirs =
        fig_view_dense((void *)want->data, want->type, want->rank, want->size);
    g_assert_cmpint(got->rank, ==, want->rank);
    for (int axis = 0; axis < want->rank; axis++)
        g_assert_cmpint(got->size[axis], ==, want->size[axis]);
    bool scores = g_str_has_suffix(want->name, ".scores");
    bool exact = want->type == FIG_U8;
    bool probs = g_str_has_suffix(want->name, ".probs");
    double square = 0, most = 0;
    int64_t visible = 0;
    for (int64_t i = 0; i < fig_view_count(got); i++) {
        double a = fig_view_number(got, i), b = fig_view_number(&theirs, i);
        if (scores && b < -1e30) {
            g_assert_cmpfloat(a, <, -1e30);
            continue;
        }
        if (!isfinite(a))
            g_error("%s: not finite at %d", want->name, (int)i);
        if (exact || (probs && b == 0))
            g_assert_cmpfloat(a, ==, b);
        visible++;
        square += b * b;
        most = fmax(most, fabs(a - b));
    }
    g_assert_cmpint(visible, >, 0);
    return most / sqrt(square / (double)visible);
}

typedef struct Pass {
    const char *file;
    FigType type;
    bool naive;
    double tolerance;
} Pass;

/* What of a trace is no layer's: tokens, loss, what stands before and after the layers. */
static bool
is_of_the_model(const char *name)
{
    static const char *const names[] = {"input_ids",  "targets", "embed",
                                        "final_norm", "logits",  NULL};
    return g_strv_contains(names, name) || g_str_has_prefix(name, "loss.");
}

static FigRun *
layer_run(const FigGraph *graph, const Pass *pass, FigTensorFile *weights,
          FigTensorFile *input, int layer)
{
    FigRunOptions options = {
        .numeric = true,
        .type = pass->type,
        .naive = pass->naive,
        .weights = weights,
        .input = input,
        .layer = layer,
        .keep_all = true,
        .keep = keep,
    };
    g_autoptr(FigDiag) diag = fig_diag_new();
    FigRun *run = fig_run_new(graph, &options, diag);
    assert_no_messages(diag);
    g_assert_nonnull(run);
    return run;
}

/* Run one layer and compare all that the trace has of it. */
static void
check_layer(const Set *set, const Pass *pass, const FigTensorFile *trace,
            FigTensorFile *weights, int layer, const char *folder, bool *seen)
{
    const FigFileTensor *x = layer_input(trace, layer);
    g_autoptr(FigTensorFile) input = input_file(x, folder);
    g_autoptr(FigGraph) graph = layer_graph(set, layer, x);
    g_autoptr(FigRun) run = layer_run(graph, pass, weights, input, layer);
    double worst = 0;
    const char *where = "";
    int compared = 0;
    for (int i = 0; i < fig_tensor_file_count(trace); i++) {
        const FigFileTensor *want = fig_tensor_file_at(trace, i);
        g_autofree char *table = table_of(set, layer, want->name);
        const FigView *got = table ? fig_run_value(run, table)
                                   : by_aka(graph, run, layer, want->name);
        if (!got)
            continue;
        double ratio = difference(want, got);
        if (!(ratio <= pass->tolerance))
            g_error("%s layer %d, %s: max|diff| is %.3g times rms", set->name, layer,
                    want->name, ratio);
        if (table && g_str_has_prefix(table, "q_rope.") &&
            !g_str_has_suffix(table, "inv_freq")) {
            table[0] = 'k'; /* the keys turn by the same table */
            g_assert_cmpfloat(difference(want, fig_run_value(run, table)), ==, ratio);
        }
        if (ratio >= worst) {
            worst = ratio;
            where = want->name;
        }
        seen[i] = true;
        compared++;
    }
    g_test_message("%-20s layer %d %s%s: %2d tensors, worst %.1e rms (%s)", set->name,
                   layer, fig_type_name(pass->type), pass->naive ? " naive" : "",
                   compared, worst, where);
}

static void
check_set(const Set *set, const Pass *pass, int wanted)
{
    g_autofree char *folder = g_dir_make_tmp("opfig-golden-XXXXXX", NULL);
    g_autoptr(FigTensorFile) trace = set_file(set, pass->file);
    g_autoptr(FigTensorFile) weights = set_file(set, "model.safetensors");
    int count = fig_tensor_file_count(trace), compared = 0;
    g_autofree bool *seen = g_new0(bool, (gsize)count);
    for (int layer = 0; layer < set->layers; layer++)
        check_layer(set, pass, trace, weights, layer, folder, seen);
    for (int i = 0; i < count; i++) {
        const char *name = fig_tensor_file_at(trace, i)->name;
        bool ours = !is_of_the_model(name) && !g_str_equal(name, "hidden_states");
        if (seen[i] != ours)
            g_error("%s: %s %s", set->name, name,
                    ours ? "was not compared" : "is no layer's");
        compared += seen[i];
    }
    g_assert_cmpint(compared, ==, wanted);
    g_rmdir(folder);
}

static void
test_set(gconstpointer data)
{
    const Set *set = data;
    for (int naive = 0; naive < 2; naive++) {
        const Pass single = {"trace.safetensors", FIG_F32, naive, 2e-5};
        const Pass real = {"trace.f64.safetensors", FIG_F64, naive, 1e-12};
        check_set(set, &single, set->compared[0]);
        check_set(set, &real, set->compared[1]);
    }
    const Pass across = {"trace.safetensors", FIG_F64, false, 2e-5};
    check_set(set, &across, set->compared[0]);
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(sets); i++) {
        g_autofree char *path = g_strconcat("/golden/", sets[i].name, NULL);
        g_test_add_data_func(path, &sets[i], test_set);
    }
    return g_test_run();
}
