/* SPDX-License-Identifier: MIT
 *
 * Every layer of every golden set, block by block: fed with that layer's input, the block
 * agrees with activations that Hugging Face's code computed, tensor by tensor, in float
 * and in double, with the tables of RoPE and of the masks. What is in a trace and not
 * compared fails the test.
 */
#include "sets.h"

#include <glib/gstdio.h>
#include <math.h>

/* Run one layer and compare all that the trace has of it. */
static void
check_layer(const Set *set, const Pass *pass, const FigTensorFile *trace,
            FigTensorFile *weights, int layer, const char *folder, bool *seen)
{
    const FigFileTensor *x = layer_input(trace, layer);
    g_autoptr(FigTensorFile) input = input_file(x, folder);
    g_autoptr(FigGraph) graph = layer_graph(set, NULL, layer, x);
    g_autoptr(FigRun) run = layer_run(graph, pass, weights, input, layer);
    double worst = 0;
    const char *where = "";
    int compared = 0;
    for (int i = 0; i < fig_tensor_file_count(trace); i++) {
        const FigFileTensor *want = fig_tensor_file_at(trace, i);
        g_autofree char *table = table_of(set, layer, want->name);
        const FigView *got =
            table ? fig_run_value(run, table) : by_aka(graph, run, layer, want->name);
        if (!got)
            continue;
        double ratio = golden_difference(want, got);
        if (!(ratio <= pass->tolerance))
            g_error("%s layer %d, %s: max|diff| is %.3g times rms", set->name, layer,
                    want->name, ratio);
        if (table && g_str_has_prefix(table, "q_rope.") &&
            !g_str_has_suffix(table, "inv_freq")) {
            table[0] = 'k'; /* the keys turn by the same table */
            g_assert_cmpfloat(golden_difference(want, fig_run_value(run, table)), ==,
                              ratio);
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
        bool ours = !is_of_the_model(name);
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
