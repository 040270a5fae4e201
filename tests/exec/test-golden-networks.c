/* SPDX-License-Identifier: MIT
 *
 * Whole networks on the golden sets: tokens in, every layer, loss out, in one run. Every
 * tensor of the trace is found by its name and agrees, in float and in double; what is in
 * the file and not compared fails the test.
 */
#include "sets.h"

#include "exec/passes.h"
#include "golden.h"

#include <math.h>

static FigGraph *
network_graph(const Set *set, const char *network, const FigTensorFile *trace)
{
    const FigFileTensor *tokens = fig_tensor_file_lookup(trace, "input_ids");
    if (!tokens) /* a trace in double has the sizes of its stream alone */
        tokens = fig_tensor_file_lookup(trace, "embed");
    g_assert_nonnull(tokens);
    g_autofree char *config = set_path(set, "config.json");
    g_autofree char *file = g_strconcat(network, ".yaml", NULL);
    g_autofree char *path =
        g_build_filename(g_getenv("OPFIG_SOURCE"), "spec", "models", file, NULL);
    g_autofree char *b = g_strdup_printf("%d", (int)tokens->size[0]);
    g_autofree char *t = g_strdup_printf("%d", (int)tokens->size[1]);
    const FigOverride dims[] = {{"B", b}, {"T", t}, {NULL, NULL}};
    FigLoadOptions options = {.config = config, .dims = dims};
    g_autoptr(FigDiag) diag = fig_diag_new();
    FigGraph *graph = fig_spec_load(path, &options, diag);
    assert_no_messages(diag);
    g_assert_nonnull(graph);
    return graph;
}

/* Our tensor of a trace's name: by `aka: golden` and the number of the layer. */
static const FigView *
find(const FigGraph *graph, const FigRun *run, const FigSizes *sizes, const char *name)
{
    for (int v = 0; v < graph->n_values; v++) {
        const FigValue *value = &graph->values[v];
        if (strcmp(value->id, name) == 0 && value->whole)
            return fig_run_value(run, value->id);
        for (int a = 0; a < value->n_aka; a++) {
            int64_t pass[8] = {0};
            if (strcmp(value->aka[a].library, "golden") != 0)
                continue;
            do {
                g_autofree char *here =
                    fig_pass_tensor(graph, value->repeat, pass, value->aka[a].name);
                g_autofree char *id =
                    fig_pass_name(graph, value->repeat, pass, value->id);
                if (strcmp(here, name) == 0)
                    return fig_run_value(run, id);
            } while (fig_pass_next(graph, sizes, value->repeat, pass));
        }
    }
    return NULL;
}

/* The mean of the loss is no step of the network: it is that of what the network gives. */
static double
mean_golden_difference(const FigFileTensor *want, const FigView *loss)
{
    double sum = 0;
    FigView theirs =
        fig_view_dense((void *)want->data, want->type, want->rank, want->size);
    for (int64_t i = 0; i < fig_view_count(loss); i++)
        sum += fig_view_number(loss, i);
    double mean = fig_view_number(&theirs, 0);
    return fabs(sum / (double)fig_view_count(loss) - mean) / mean;
}

/* Our name of a table of RoPE or a mask: that of the first layer that has it. */
static char *
table_in(const Set *set, const char *name)
{
    for (int layer = 0; layer < set->layers; layer++) {
        g_autofree char *table = table_of(set, layer, name);
        if (table)
            return g_strdup_printf("layers.%d.%s", layer, table);
    }
    return NULL;
}

static void
check_network(const Set *set, const char *network, const Pass *pass)
{
    static const char *const tables[] = {"q_rope.inv_freq", "q_rope.cos", "q_rope.sin",
                                         "q_rope.attention_scaling", "mask.visible"};
    g_autoptr(GPtrArray) keep = g_ptr_array_new_with_free_func(g_free);
    for (int layer = 0; layer < set->layers; layer++)
        for (size_t i = 0; i < G_N_ELEMENTS(tables); i++)
            g_ptr_array_add(keep, g_strdup_printf("layers.%d.%s", layer, tables[i]));
    g_ptr_array_add(keep, NULL);
    g_autoptr(FigTensorFile) trace = set_file(set, pass->file);
    g_autoptr(FigTensorFile) tokens = set_file(set, "trace.safetensors");
    g_autoptr(FigTensorFile) weights = set_file(set, "model.safetensors");
    g_autoptr(FigGraph) graph = network_graph(set, network, tokens);
    g_autoptr(FigArena) arena = fig_arena_new();
    const FigSizes *sizes = fig_graph_sizes(graph, NULL, arena, NULL);
    FigRunOptions options = {
        .numeric = true,
        .type = pass->type,
        .naive = pass->naive,
        .weights = weights,
        .input = tokens,
        .keep_all = true,
        .keep = (const char *const *)keep->pdata,
    };
    g_autoptr(FigDiag) diag = fig_diag_new();
    g_autoptr(FigRun) run = fig_run_new(graph, &options, diag);
    assert_no_messages(diag);
    g_assert_nonnull(run);
    double worst = 0;
    const char *where = "";
    for (int i = 0; i < fig_tensor_file_count(trace); i++) {
        const FigFileTensor *want = fig_tensor_file_at(trace, i);
        g_autofree char *table = table_in(set, want->name);
        const FigView *got =
            table ? fig_run_value(run, table) : find(graph, run, sizes, want->name);
        double ratio = 0;
        if (strcmp(want->name, "loss.mean") == 0)
            ratio = mean_golden_difference(want, fig_run_value(run, "loss"));
        else if (!got)
            g_error("%s: %s is nowhere", set->name, want->name);
        else
            ratio = golden_difference(want, got);
        if (!(ratio <= pass->tolerance))
            g_error("%s, %s: max|diff| is %.3g times rms", set->name, want->name,
                    ratio);
        if (ratio >= worst) {
            worst = ratio;
            where = want->name;
        }
    }
    g_test_message("%-16s %s%s: all %d tensors, worst %.1e rms (%s)", set->name,
                   fig_type_name(pass->type), pass->naive ? " naive" : "",
                   fig_tensor_file_count(trace), worst, where);
}

/* The network of a set's block. */
static char *
network_of(const Set *set)
{
    return g_strndup(set->spec, strlen(set->spec) - strlen("-block"));
}

static void
test_network(gconstpointer data)
{
    const Set *set = data;
    g_autofree char *network = network_of(set);
    for (int naive = 0; naive < 2; naive++) {
        const Pass single = {"trace.safetensors", FIG_F32, naive, 2e-5};
        const Pass real = {"trace.f64.safetensors", FIG_F64, naive, 1e-12};
        check_network(set, network, &single);
        check_network(set, network, &real);
    }
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(sets); i++) {
        /* one set is a block alone */
        if (strcmp(sets[i].name, "olmo2-primer-block") == 0)
            continue;
        g_autofree char *path = g_strconcat("/network/", sets[i].name, NULL);
        g_test_add_data_func(path, &sets[i], test_network);
    }
    return g_test_run();
}
