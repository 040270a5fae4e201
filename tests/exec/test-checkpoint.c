/* SPDX-License-Identifier: MIT
 *
 * A checkpoint of another family than its config: however well its sizes fit, some tensor
 * is missing or one is left over, and the run is refused.
 */
#include "golden.h"
#include "sets.h"

#include <glib/gstdio.h>

/* The first set of each family. */
static const int families[] = {0, 2, 4, 6};

/* Do the two families have weights of the same names? */
static bool
look_alike(const Set *a, const Set *b)
{
    return g_str_has_prefix(a->spec, "olmo") && g_str_has_prefix(b->spec, "olmo") &&
           !g_str_equal(a->spec, "olmo1-block") && !g_str_equal(b->spec, "olmo1-block");
}

static FigGraph *
block(const char *spec, const char *config, const FigOverride *dims)
{
    g_autoptr(FigDiag) diag = fig_diag_new();
    g_autofree char *path = fig_spec_find(spec, diag);
    FigLoadOptions options = {.config = config, .dims = dims};
    FigGraph *graph = fig_spec_load(path, &options, diag);
    assert_no_messages(diag);
    return graph;
}

/* The other family's checkpoint of one layer, at the sizes of the graph. */
static FigTensorFile *
checkpoint(const FigGraph *graph, const char *spec, const char *folder)
{
    static const char *const ids[] = {"C", "H", "G", "h_d", "h_ff"};
    FigOverride dims[G_N_ELEMENTS(ids) + 1] = {{NULL, NULL}};
    g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);
    for (size_t i = 0; i < G_N_ELEMENTS(ids); i++) {
        char *text =
            g_strdup_printf("%d", (int)graph->dims[fig_graph_dim(graph, ids[i])].size);
        g_ptr_array_add(texts, text);
        dims[i] = (FigOverride){ids[i], text};
    }
    g_autoptr(FigGraph) other = block(spec, NULL, dims);
    g_autofree FigView *views = g_new0(FigView, (gsize)other->n_values);
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    g_autofree float *zeros = NULL;
    int64_t largest = 1;
    for (int v = 0; v < other->n_values; v++)
        for (int axis = 0; axis < other->values[v].shape.rank; axis++)
            largest = MAX(largest, other->values[v].size[axis]);
    zeros = g_new0(float, (gsize)(largest * largest));
    for (int v = 0; v < other->n_values; v++) {
        const FigValue *value = &other->values[v];
        if (!value->checkpoint)
            continue;
        int64_t size[] = {value->size[0], value->shape.rank > 1 ? value->size[1] : 0};
        const int64_t turned[] = {size[1], size[0]};
        g_auto(GStrv) parts = g_strsplit(value->checkpoint, "{layer}", -1);
        views[names->len] = fig_view_dense(zeros, FIG_F32, value->shape.rank,
                                           value->stored_out_in ? turned : size);
        g_ptr_array_add(names, g_strjoinv("0", parts));
    }
    g_autofree char *path = g_build_filename(folder, "model.safetensors", NULL);
    g_autoptr(GError) error = NULL;
    g_assert_true(fig_tensor_file_write(
        path, (int)names->len, (const char *const *)names->pdata, views, &error));
    FigTensorFile *file = fig_tensor_file_open(path, &error);
    g_assert_no_error(error);
    g_unlink(path);
    return file;
}

static void
check_pair(const Set *mine, const Set *theirs, const char *folder)
{
    g_autofree char *config = set_path(mine, "config.json");
    g_autoptr(FigGraph) graph = block(mine->spec, config, NULL);
    g_autoptr(FigTensorFile) weights = checkpoint(graph, theirs->spec, folder);
    FigRunOptions options = {.numeric = true, .weights = weights};
    g_autoptr(FigDiag) diag = fig_diag_new();
    g_autoptr(FigRun) run = fig_run_new(graph, &options, diag);
    bool fits = g_str_equal(mine->spec, theirs->spec) || look_alike(mine, theirs);
    g_autoptr(GString) text = g_string_new(NULL);
    fig_diag_print(diag, text, false);
    if (fits)
        g_assert_cmpstr(text->str, ==, "");
    g_assert_true((run != NULL) == fits);
    bool named = strstr(text->str, "that no weight takes") ||
                 strstr(text->str, " has no tensor");
    g_assert_true(named == !fits);
}

static void
test_pairs(void)
{
    g_autofree char *folder = g_dir_make_tmp("opfig-checkpoint-XXXXXX", NULL);
    for (size_t a = 0; a < G_N_ELEMENTS(families); a++)
        for (size_t b = 0; b < G_N_ELEMENTS(families); b++)
            check_pair(&sets[families[a]], &sets[families[b]], folder);
    g_rmdir(folder);
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/checkpoint/pairs", test_pairs);
    return g_test_run();
}
