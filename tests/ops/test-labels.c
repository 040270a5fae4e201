/* SPDX-License-Identifier: MIT
 *
 * What stands in the marks of a figure: labels as words with math, from the names of
 * weights, the names of values and the dims.
 */
#include "ops/op.h"

#include <glib.h>
#include <string.h>

enum { OPERANDS = 3 };

/* One op between named things. A weight is written "W_{qkv}!", its shape in C and so on. */
typedef struct {
    const char *op;
    const char *in[OPERANDS];
    const char *shape[OPERANDS]; /* "C 3*C" */
    const char *label;           /* what is wanted */
    const char *out;             /* NULL: without a name of its own */
    const char *attribute, *text, *tex;
    int word;
    const char *axis_name;
} Case;

static const Case cases[] = {
    {"matmul", {"z", "W_{qkv}!"}, {"T C", "C 3*C"}, "matmul $W_{qkv} : C \\to 3*C$"},
    {"matmul",
     {"z", "E!"},
     {"T C", "V C"},
     "matmul $E^\\top : C \\to V$",
     .attribute = "transpose",
     .text = "b",
     .tex = "b",
     .word = 1},
    {"matmul",
     {"z", "W_{1}!"},
     {"T C", "C F"},
     "matmul $W_{1} : C \\to F$ times $2/C$",
     .out = "g",
     .attribute = "scale",
     .text = "2/C",
     .tex = "2/C"},
    {"matmul", {"A", "v"}, {"T T", "T C"}, "matmul $y = A\\,v$", .out = "y"},
    {"matmul", {"a", "b"}, {"T T", "T C"}, "matmul $a\\,b$"},
    {"matmul",
     {"q", "k"},
     {"T C", "C T"},
     "matmul $S = q\\,k/\\sqrt{h_d}$",
     .out = "S",
     .attribute = "scale",
     .text = "1/sqrt(h_d)",
     .tex = "1/\\sqrt{h_d}"},
    {"matmul",
     {"q", "k"},
     {"T C", "C T"},
     "matmul $S = q\\,k/(2h_d)$",
     .out = "S",
     .attribute = "scale",
     .text = "1/(2*h_d)",
     .tex = "1/(2h_d)"},
    {"matmul",
     {"q", "k"},
     {"T C", "C T"},
     "matmul $S = (1/2+C)\\,q\\,k$",
     .out = "S",
     .attribute = "scale",
     .text = "1/2+C",
     .tex = "1/2+C"},
    {"matmul",
     {"q", "k"},
     {"T C", "C T"},
     "matmul $S = 2\\,q\\,k$",
     .out = "S",
     .attribute = "scale",
     .text = "2",
     .tex = "2"},
    {"matmul",
     {"q", "k"},
     {"T C", "C T"},
     "matmul $S = q\\,k$",
     .out = "S",
     .attribute = "scale",
     .text = "1",
     .tex = "1"},
    {"matmul",
     {"z", "z'"},
     {"T C", "T C"},
     "matmul $z\\,(z')^\\top$",
     .attribute = "transpose",
     .text = "b",
     .tex = "b",
     .word = 1},
    {"matmul",
     {"W_{a}!", "W_{b}!"},
     {"C F", "F C"},
     "matmul $W = W_{a}\\,W_{b}$",
     .out = "W"},
    {"rmsnorm", {"q", "g_{q}!"}, {"T C", "C"}, "RMSNorm$_{q}$"},
    {"rmsnorm", {"q", "g_{h_{d}}!"}, {"T C", "C"}, "RMSNorm$_{h_{d}}$"},
    {"rmsnorm", {"q", "g_q!"}, {"T C", "C"}, "RMSNorm$_{q}$"},
    {"rmsnorm", {"q", "\\gamma!"}, {"T C", "C"}, "RMSNorm $\\gamma$"},
    {"softmax", {"S"}, {"T C"}, "softmax over keys", .out = "A", .axis_name = "key"},
    {"softmax",
     {"S"},
     {"T C"},
     "softmax over queries",
     .out = "A",
     .axis_name = "query"},
    {"softmax", {"S"}, {"T C"}, "softmax over $T$", .out = "A", .axis_name = "T"},
    {"softmax", {"S"}, {"T C"}, "softmax over $T$", .out = "A"},
    {"softmax",
     {"S"},
     {"T C"},
     "softmax over $\\mathrm{expert}$",
     .out = "A",
     .axis_name = "expert"},
    {"rope", {"q"}, {"T C"}, "RoPE", .out = "q"},
    {"rope",
     {"q"},
     {"T C"},
     "RoPE (interleaved)",
     .out = "q",
     .attribute = "layout",
     .text = "interleaved",
     .tex = "interleaved",
     .word = 1},
    {"split_heads", {"q"}, {"T C"}, "split heads"},
    {"merge_heads", {"q"}, {"T C"}, "merge heads"},
    {"causal_mask", {"S"}, {"T T"}, "causal mask"},
    {"causal_mask",
     {"S"},
     {"T T"},
     "causal mask, gap $1$",
     .attribute = "gap",
     .text = "1",
     .tex = "1"},
    {"silu", {"g"}, {"T C"}, "SiLU"},
    {"layernorm", {"z"}, {"T C"}, "LayerNorm (no weights)"},
    {"layernorm", {"z", "g_{1}!"}, {"T C", "C"}, "LayerNorm$_{1}$ (no bias)"},
    {"layernorm", {"z", "g_{1}!", "b_{1}!"}, {"T C", "C", "C"}, "LayerNorm$_{1}$"},
    {"layernorm", {"z", "g_{1}!", "b_{2}!"}, {"T C", "C", "C"}, "LayerNorm$_{1,2}$"},
    {"layernorm",
     {"z", "\\gamma!", "\\beta!"},
     {"T C", "C", "C"},
     "LayerNorm $\\gamma$, $\\beta$"},
    {"layernorm", {"z", "g_{1}!", "b!"}, {"T C", "C", "C"}, "LayerNorm $g_{1}$, $b$"},
    {"layernorm", {"z", "g!"}, {"T C", "C"}, "LayerNorm $g$ (no bias)"},
    {"add_bias", {"q", "b_{q}!"}, {"T C", "C"}, "add $b_{q}$"},
    {"clip",
     {"q"},
     {"T C"},
     "clip to $\\pm 8$",
     .attribute = "limit",
     .text = "8",
     .tex = "8"},
    {"clip",
     {"q"},
     {"T C"},
     "clip to $\\pm (2/C)$",
     .attribute = "limit",
     .text = "2/C",
     .tex = "2/C"},
    {"repeat_heads",
     {"k"},
     {"G T C"},
     "repeat heads $\\times H/G$",
     .attribute = "times",
     .text = "H/G",
     .tex = "H/G"},
    {"gelu", {"g"}, {"T C"}, "GELU"},
    {"gelu",
     {"g"},
     {"T C"},
     "GELU (tanh)",
     .attribute = "form",
     .text = "tanh",
     .tex = "tanh",
     .word = 1},
    {"sigmoid", {"g"}, {"T C"}, "sigmoid"},
    {"window_mask",
     {"S"},
     {"T T"},
     "window mask, $W$ keys",
     .attribute = "window",
     .text = "W",
     .tex = "W"},
    {"rope",
     {"q"},
     {"T C"},
     "RoPE (from $t_0$)",
     .attribute = "from",
     .text = "t0",
     .tex = "t_0"},
    {"concat",
     {"a", "b"},
     {"T C", "T C"},
     "concatenate along $T$",
     .attribute = "axis",
     .text = "0",
     .tex = "0"},
    {"slice",
     {"a"},
     {"T C"},
     "slice of keys: $0$ to $n$",
     .attribute = "to",
     .text = "n",
     .tex = "n",
     .axis_name = "key"},
    {"embed", {"t", "W_{e}!"}, {"T", "V C"}, "embed $W_{e} : V \\to C$"},
    {"mask", {"S", "m"}, {"T T", "T T"}, "mask"},
    {"cross_entropy", {"x", "t"}, {"T V", "T"}, "cross entropy"},
    {"mul", {"s", "u"}, {"T C", "T C"}, "elementwise product"},
};

static const char *
tex(FigAlgebra *algebra, const FigPoly *poly, void *data)
{
    return fig_poly_text(algebra, poly);
}

/* "C 3*C" as axes; the number of them. */
static int
read_shape(FigAlgebra *algebra, const char *text, const FigPoly **axis)
{
    g_auto(GStrv) words = g_strsplit(text, " ", -1);
    int rank = 0;
    for (; words[rank]; rank++) {
        char *name = words[rank];
        int64_t factor = g_str_has_prefix(name, "3*") ? 3 : 1;
        axis[rank] =
            fig_poly_mul(algebra, fig_poly_number(algebra, factor, 1),
                         fig_poly_symbol(algebra, name + (factor == 3 ? 2 : 0)));
    }
    return rank;
}

static void
test_label(gconstpointer data)
{
    const Case *c = data;
    const FigOp *op = fig_op_lookup(c->op);
    g_autoptr(FigArena) arena = fig_arena_new();
    g_autoptr(FigAlgebra) algebra = fig_algebra_new();
    FigAttrValue *attr = fig_op_attr_defaults(op, arena);
    if (c->attribute) {
        FigAttrValue *value = &attr[fig_op_attr_index(op, c->attribute)];
        *value = (FigAttrValue){
            .given = true, .text = c->text, .tex = c->tex, .word = c->word, .real = 2};
    }
    const FigPoly *axes[OPERANDS][FIG_LIMIT_RANK];
    const FigPoly *const *in[OPERANDS] = {axes[0], axes[1], axes[2]};
    const char *in_label[OPERANDS];
    bool in_weight[OPERANDS];
    int rank[OPERANDS], n = 0;
    for (; n < OPERANDS && c->in[n]; n++) {
        in_weight[n] = g_str_has_suffix(c->in[n], "!");
        in_label[n] = fig_arena_strndup(arena, c->in[n], strcspn(c->in[n], "!"));
        rank[n] = read_shape(algebra, c->shape[n], axes[n]);
    }
    FigOpFacts facts = {
        .algebra = algebra,
        .n_in = n,
        .n_out = 1,
        .in_label = in_label,
        .out_label = &c->out,
        .in_weight = in_weight,
        .out_named = (bool[]){c->out != NULL},
        .in_rank = rank,
        .in = in,
        .attr = attr,
        .tex = tex,
        .axis_name = c->axis_name,
    };
    g_assert_cmpstr(fig_op_label(op, &facts, arena), ==, c->label);
}

/* Scaling is said with its factor. */
static void
test_scaling(void)
{
    static const char *const labels[] = {
        "RoPE",
        "RoPE scaled $\\times 32$ (Llama 3)",
        "RoPE scaled $\\times 32$ (YaRN)",
        "RoPE scaled $\\times 32$ (interleaved, YaRN)",
    };
    const FigOp *op = fig_op_lookup("rope");
    g_autoptr(FigArena) arena = fig_arena_new();
    FigAttrValue *attr = fig_op_attr_defaults(op, arena);
    attr[fig_op_attr_index(op, "factor")].tex = "32";
    FigOpFacts facts = {.attr = attr};
    for (int i = 0; i < 4; i++) {
        attr[fig_op_attr_index(op, "scaling")].word = MIN(i, 2);
        attr[fig_op_attr_index(op, "layout")].word = i == 3;
        g_assert_cmpstr(fig_op_label(op, &facts, arena), ==, labels[i]);
    }
}

/* What names a weight to a reader: the signs of its label in math, not its letters
 * anywhere. */
static void
test_names(void)
{
    static const struct {
        const char *words, *label;
        bool names;
    } rows[] = {
        {"plus a bias", "b", false},
        {"plus a bias $b$", "b", true},
        {"plus $bias$", "b", true}, /* b times i times a times s */
        {"add $b_{q}$", "b", false},
        {"add $b_q$", "b_{q}", true},
        {"matmul $W_{12}$", "W_{1}", false},
        {"matmul $W_{1}$", "W_{12}", false},
        {"matmul $W_1'$", "W_1", false},
        {"matmul $W_{ 1 }^\\top : C \\to 3C$", "W_{1}", true},
        {"matmul $E^\\top : C \\to V$", "E", true},
        {"costs \\$b$x$ and $y$", "b", false},
        {"costs $x$ b $y$", "b", false},
        {"times $\\gamma$", "\\gamma", true},
        {"times $\\gamma$", "\\beta", false},
        {"$\\sqrt{s}$", "s", true},
        {"$\\mathrm{bias}$", "b", false},
        {"$\\mathrm{bias}$", "\\mathrm{bias}", true},
        {"RMSNorm$_{q}$", "g_{q}", true},
        {"RMSNorm$_{q}$", "g_{k}", false},
        {"RMSNorm $g$", "g", true},
        {"LayerNorm$_{a,b}$", "g_{b}", true},
        {"LayerNorm$_{ab}$", "g_{b}", false},
        {"an open $b", "b", true},
        {"$_", "g_{q}", false},
        {"$b_{", "b", false},
        {"$\\", "b", false},
        {"", "b", false},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
        if (fig_label_names(rows[i].words, rows[i].label) != rows[i].names)
            g_error("‘%s’ %s ‘%s’", rows[i].words,
                    rows[i].names ? "does not name" : "names", rows[i].label);
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *path =
            g_strdup_printf("/labels/%s/%" G_GSIZE_FORMAT, cases[i].op, i);
        g_test_add_data_func(path, &cases[i], test_label);
    }
    g_test_add_func("/labels/rope/scaling", test_scaling);
    g_test_add_func("/labels/names", test_names);
    return g_test_run();
}
