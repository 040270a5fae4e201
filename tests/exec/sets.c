/* SPDX-License-Identifier: MIT
 *
 * Every golden set and how its layers are run.
 */
#include "sets.h"

#include "golden.h"

#include <math.h>
#include <glib/gstdio.h>

const Set sets[8] = {
    {"olmo1-tiny", "olmo1-block", 2, {45, 44}, NULL},
    {"olmo1-clip-tiny", "olmo1-block", 2, {51, 50}, NULL},
    {"olmo2-tiny", "olmo2-block", 2, {49, 8}, NULL},
    {"olmo2-primer-block", "olmo2-block", 1, {28, 27}, NULL},
    {"olmo3-tiny-gqa", "olmo3-block", 4, {98, 16}, "wwwf"},
    {"olmo3-tiny-gqa-yarn", "olmo3-block", 4, {98, 16}, "wwwf"},
    {"llama3-tiny-gqa", "llama3-block", 2, {45, 8}, NULL},
    {"llama-tiny", "llama3-block", 2, {45, 44}, NULL},
};

static const char *const keep[] = {
    "q_rope.inv_freq",          "q_rope.cos",   "q_rope.sin",
    "q_rope.attention_scaling", "k_rope.cos",   "k_rope.sin",
    "k_rope.attention_scaling", "mask.visible", NULL};

char *
set_path(const Set *set, const char *name)
{
    return g_build_filename(g_getenv("OPFIG_SOURCE"), "tests", "golden", set->name,
                            name, NULL);
}

FigTensorFile *
set_file(const Set *set, const char *name)
{
    g_autofree char *path = set_path(set, name);
    g_autoptr(GError) error = NULL;
    FigTensorFile *file = fig_tensor_file_open(path, &error);
    g_assert_no_error(error);
    return file;
}

const FigFileTensor *
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

FigTensorFile *
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

FigGraph *
layer_graph(const Set *set, const char *spec, int layer, const FigFileTensor *input)
{
    g_autofree char *config = set_path(set, "config.json");
    g_autofree char *file = g_strconcat(spec ? spec : set->spec, ".yaml", NULL);
    g_autofree char *path =
        g_build_filename(g_getenv("OPFIG_SOURCE"), "spec", "models", file, NULL);
    g_autofree char *b = g_strdup_printf("%d", (int)input->size[0]);
    g_autofree char *t = g_strdup_printf("%d", (int)input->size[1]);
    const FigOverride dims[] = {{"B", b}, {"T", t}, {NULL, NULL}};
    FigLoadOptions options = {.config = config, .dims = dims, .layer = layer};
    g_autoptr(FigDiag) diag = fig_diag_new();
    FigGraph *graph = fig_spec_load(path, &options, diag);
    assert_no_messages(diag);
    g_assert_nonnull(graph);
    return graph;
}

FigRun *
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

bool
is_window(const Set *set, int layer)
{
    return set->kinds && set->kinds[layer] == 'w';
}

char *
table_of(const Set *set, int layer, const char *name)
{
    bool window = is_window(set, layer);
    if (g_str_equal(name, window ? "mask.sliding" : "mask.causal"))
        return g_strdup("mask.visible");
    const char *prefix = !set->kinds ? "rope."
                         : window    ? "rope.sliding."
                                     : "rope.full.";
    return g_str_has_prefix(name, prefix)
               ? g_strconcat("q_rope.", name + strlen(prefix), NULL)
               : NULL;
}

const FigView *
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

bool
is_of_the_model(const char *name)
{
    static const char *const names[] = {"input_ids",  "targets", "embed",
                                        "final_norm", "logits",  NULL};
    return g_strv_contains(names, name) || g_str_has_prefix(name, "loss.");
}

double
golden_difference(const FigFileTensor *want, const FigView *got)
{
    FigView theirs =
        fig_view_dense((void *)want->data, want->type, want->rank, want->size);
    g_assert_cmpint(got->rank, ==, want->rank);
    for (int axis = 0; axis < want->rank; axis++)
        g_assert_cmpint(got->size[axis], ==, want->size[axis]);
    bool scores = g_str_has_suffix(want->name, ".scores");
    bool exact = want->type == FIG_U8 || want->type == FIG_I64;
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
    return most == 0 ? 0 : most / sqrt(square / (double)visible);
}
