/* SPDX-License-Identifier: MIT
 *
 * Names in other libraries: at the top of a spec or at the element they are the same, also
 * in a variant and in a network; numbers laid out for a library against those written down
 * by hand.
 */
#include "spec/axes.h"
#include "spec/load.h"

#include <string.h>

#define HEAD                                                                           \
    "opfig: 1\nname: base\ndims: {B: {is: 1}, T: {is: 3}, H: {is: 2}, d: {is: 2}, "    \
    "C: {is: H*d%s}}\n"
#define BODY                                                                           \
    "inputs: {x: {shape: [B, T, C]%s}}\nweights: {g: {shape: [C], init: ones%s}}\n"    \
    "ops:\n  - {id: n, op: rmsnorm, in: [x, g], eps: 1e-6%s}\n"                        \
    "  - {id: h, op: split_heads, in: n, heads: H, out: %s}\n"                         \
    "  - {id: parts, op: split, in: h, sizes: [d/2, d/2], out: [%s, b]}\n"             \
    "  - {id: y, op: mul, in: [a, b]}\noutputs: [y]\n"

static FigGraph *
load(const char *text)
{
    g_autoptr(FigDiag) diag = fig_diag_new();
    FigGraph *graph = fig_spec_load_text("t.yaml", text, strlen(text), NULL, diag);
    g_autoptr(GString) said = g_string_new(NULL);
    fig_diag_print(diag, said, false);
    g_assert_cmpstr(said->str, ==, "");
    g_assert_nonnull(graph);
    return graph;
}

/* All names of a graph as lines: "x hf model input B T C -> T B C". owns: the caller */
static char *
all_names(const FigGraph *graph)
{
    GString *out = g_string_new(NULL);
    for (int d = 0; d < graph->n_dims; d++)
        for (int a = 0; a < graph->dims[d].n_aka; a++)
            g_string_append_printf(out, "%s %s %s\n", graph->dims[d].id,
                                   graph->dims[d].aka[a].library,
                                   graph->dims[d].aka[a].name);
    for (int v = 0; v < graph->n_values; v++)
        for (int a = 0; a < graph->values[v].n_aka; a++) {
            const FigAka *aka = &graph->values[v].aka[a];
            g_string_append_printf(out, "%s %s %s %s %s\n", graph->values[v].id,
                                   aka->library, aka->name, aka->side ? aka->side : "-",
                                   aka->axes ? aka->axes->text : "-");
        }
    return g_string_free(out, FALSE);
}

static const char named[] = "C hf width\n"
                            "x hf model input -\n"
                            "x hf states - -\n"
                            "g hf g.weight - -\n"
                            "n lens norm - -\n"
                            "z lens heads - B H T d -> B T H d\n"
                            "a lens first - -\n";

/* At the elements: of a dim, an input, a weight, an op, a result that `out:` names. */
static char *
inline_spec(void)
{
    return g_strdup_printf(
        HEAD BODY, ", aka: {hf: width}",
        ", aka: {hf: [{name: model, side: input}, states]}", ", aka: {hf: g.weight}",
        ", aka: {lens: norm}",
        "{id: z, aka: {lens: {name: heads, axes: \"B H T d -> B T H d\"}}}",
        "{id: a, aka: {lens: first}}");
}

static const char table[] =
    "aka:\n"
    "  hf: {C: width, x: [{name: model, side: input}, states], g: g.weight}\n"
    "  lens: {n: norm, z: {name: heads, axes: \"B H T d -> B T H d\"}, a: first}\n";

static char *
table_spec(const char *more)
{
    g_autofree char *body = g_strdup_printf(HEAD BODY, "", "", "", "", "z", "a");
    return g_strconcat(body, more, NULL);
}

static void
test_same(void)
{
    g_autofree char *own = inline_spec(), *whole = table_spec(table);
    /* split reads z where h has that name */
    g_auto(GStrv) a = g_strsplit(own, "in: h,", 2);
    g_auto(GStrv) b = g_strsplit(whole, "in: h,", 2);
    g_autofree char *first = g_strjoinv("in: z,", a), *second = g_strjoinv("in: z,", b);
    g_autoptr(FigGraph) one = load(first);
    g_autoptr(FigGraph) other = load(second);
    g_autofree char *names = all_names(one), *others = all_names(other);
    g_assert_cmpstr(names, ==, named);
    g_assert_cmpstr(others, ==, named);
}

/* A variant names what it adds and what the other spec has; what it drops takes its names
 * along. */
static void
test_variant(void)
{
    g_autofree char *base = table_spec(table);
    g_auto(GStrv) parts = g_strsplit(base, "in: h,", 2);
    g_autofree char *extended = g_strjoinv("in: z,", parts);
    g_autofree char *text =
        g_strdup_printf("opfig: 1\nname: other\nextends: base\nedit:\n  - {drop: n}\n"
                        "  - {after: y, ops: [{id: w, op: silu, in: y}]}\n"
                        "outputs: [w]\n"
                        "aka: {hf: {T: tokens, w: last}}\n--- # extended: base\n%s",
                        extended);
    g_autoptr(FigGraph) graph = load(text);
    g_autofree char *names = all_names(graph);
    g_assert_cmpstr(names, ==,
                    "T hf tokens\n"
                    "C hf width\n"
                    "x hf model input -\n"
                    "x hf states - -\n"
                    "z lens heads - B H T d -> B T H d\n"
                    "a lens first - -\n"
                    "w hf last - -\n");
}

/* A network's layers keep the names of their block, by the index of the layer. */
static void
test_network(void)
{
    g_autofree char *path = g_build_filename(g_getenv("OPFIG_SOURCE"), "spec", "models",
                                             "olmo2.yaml", NULL);
    g_autoptr(FigDiag) diag = fig_diag_new();
    g_autoptr(FigGraph) graph = fig_spec_load(path, NULL, diag);
    g_assert_nonnull(graph);
    g_autofree char *names = all_names(graph);
    g_assert_nonnull(strstr(names, "H hf num_attention_heads\n"));
    g_assert_nonnull(strstr(names, "L hf num_hidden_layers\n"));
    g_assert_nonnull(
        strstr(names, "probs transformerlens blocks.{l}.attn.hook_pattern - -\n"));
    g_assert_nonnull(strstr(names, "z hf model.layers.{l} input -\n"));
    g_assert_null(strstr(names, "{layer}"));
}

/* The numbers 0, 1, 2, … of a (3, 4) as a text; parts of sizes 2 and 2. */
static char *
laid(const char *axes)
{
    g_autofree char *text = g_strdup_printf(
        "opfig: 1\nname: t\ndims: {T: {is: 3}, H: {is: 2}, C: {is: 4}}\n"
        "inputs: {x: {shape: [T, C], aka: {lens: {name: x, axes: \"%s\"}}}}\n"
        "ops: [{id: y, op: silu, in: x}]\noutputs: [y]\n",
        axes);
    g_autoptr(FigGraph) graph = load(text);
    g_autoptr(FigArena) arena = fig_arena_new();
    const FigSizes *sizes = fig_graph_sizes(graph, NULL, arena, NULL);
    double numbers[3][8]; /* every second: the view has strides of its own */
    for (int i = 0; i < 24; i++)
        numbers[i / 8][i % 8] = i % 2 ? -1 : i / 2;
    FigView view = {numbers, FIG_F64, 2, {3, 4}, {8, 2}}, there;
    int x = fig_graph_value(graph, "x");
    g_assert_true(
        fig_axes_lay(graph->values[x].aka[0].lay, graph, sizes, &view, arena, &there));
    GString *out = g_string_new("(");
    int64_t count = 1;
    for (int i = 0; i < there.rank; i++) {
        g_string_append_printf(out, "%s%d", i ? "," : "", (int)there.size[i]);
        count *= there.size[i];
    }
    g_string_append_c(out, ')');
    for (int i = 0; i < count; i++)
        g_string_append_printf(out, " %d", (int)((double *)there.data)[i]);
    return g_string_free(out, FALSE);
}

static void
test_lay(void)
{
    static const char *const cases[][2] = {
        {"T C -> T C", "(3,4) 0 1 2 3 4 5 6 7 8 9 10 11"},
        {"T C -> C T", "(4,3) 0 4 8 1 5 9 2 6 10 3 7 11"},
        {"n m -> m n", "(4,3) 0 4 8 1 5 9 2 6 10 3 7 11"},
        {"T (H d) -> T H d", "(3,2,2) 0 1 2 3 4 5 6 7 8 9 10 11"},
        {"T (H d) -> H T d", "(2,3,2) 0 1 4 5 8 9 2 3 6 7 10 11"},
        {"T (H d) -> H d T", "(2,2,3) 0 4 8 1 5 9 2 6 10 3 7 11"},
        /* halves of four, entry by entry: 0 2 1 3 */
        {"T (2 n) -> T (n 2)", "(3,4) 0 2 1 3 4 6 5 7 8 10 9 11"},
        {"T (2 n) -> (n 2) T", "(4,3) 0 4 8 2 6 10 1 5 9 3 7 11"},
        {"T C -> (T C)", "(12) 0 1 2 3 4 5 6 7 8 9 10 11"},
        {"T C -> (C T)", "(12) 0 4 8 1 5 9 2 6 10 3 7 11"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = laid(cases[i][0]);
        g_assert_cmpstr(text, ==, cases[i][1]);
    }
}

/* Sizes of a run that the parts do not divide. */
static void
test_indivisible(void)
{
    g_autoptr(FigGraph) graph = load(
        "opfig: 1\nname: t\ndims: {H: {is: 2}, C: {is: 4}}\n"
        "inputs: {x: {shape: [C], aka: {lens: {name: x, axes: \"(H n) -> n H\"}}}}\n"
        "ops: [{id: y, op: silu, in: x}]\noutputs: [y]\n");
    g_autoptr(FigArena) arena = fig_arena_new();
    static const int64_t symbols[] = {3, 4}; /* H, C */
    const FigSizes *sizes = fig_graph_sizes(graph, symbols, arena, NULL);
    float numbers[4] = {0};
    FigView view = {numbers, FIG_F32, 1, {4}, {1}}, there;
    g_assert_false(
        fig_axes_lay(graph->values[0].aka[0].lay, graph, sizes, &view, arena, &there));
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/spec/aka/same", test_same);
    g_test_add_func("/spec/aka/variant", test_variant);
    g_test_add_func("/spec/aka/network", test_network);
    g_test_add_func("/spec/aka/lay", test_lay);
    g_test_add_func("/spec/aka/indivisible", test_indivisible);
    return g_test_run();
}
