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
    const char *out;             /* NULL: without a name of its own */
    const char *attribute, *text, *tex;
    int word;
    const char *axis_name;
    const char *label;
} Case;

static const Case cases[] = {
    {"matmul",
     {"z", "W_{qkv}!"},
     {"T C", "C 3*C"},
     NULL,
     NULL,
     NULL,
     NULL,
     0,
     NULL,
     "matmul $W_{qkv} : C \\to 3*C$"},
    {"matmul",
     {"z", "E!"},
     {"T C", "V C"},
     NULL,
     "transpose",
     "b",
     "b",
     1,
     NULL,
     "matmul $E^\\top : C \\to V$"},
    {"matmul",
     {"z", "W_{1}!"},
     {"T C", "C F"},
     "g",
     "scale",
     "2/C",
     "2/C",
     0,
     NULL,
     "matmul $W_{1} : C \\to F$ times $2/C$"},
    {"matmul",
     {"A", "v"},
     {"T T", "T C"},
     "y",
     NULL,
     NULL,
     NULL,
     0,
     NULL,
     "matmul $y = A\\,v$"},
    {"matmul",
     {"a", "b"},
     {"T T", "T C"},
     NULL,
     NULL,
     NULL,
     NULL,
     0,
     NULL,
     "matmul $a\\,b$"},
    {"matmul",
     {"q", "k"},
     {"T C", "C T"},
     "S",
     "scale",
     "1/sqrt(h_d)",
     "1/\\sqrt{h_d}",
     0,
     NULL,
     "matmul $S = q\\,k/\\sqrt{h_d}$"},
    {"matmul",
     {"q", "k"},
     {"T C", "C T"},
     "S",
     "scale",
     "1/(2*h_d)",
     "1/(2h_d)",
     0,
     NULL,
     "matmul $S = q\\,k/(2h_d)$"},
    {"matmul",
     {"q", "k"},
     {"T C", "C T"},
     "S",
     "scale",
     "1/2+C",
     "1/2+C",
     0,
     NULL,
     "matmul $S = (1/2+C)\\,q\\,k$"},
    {"matmul",
     {"q", "k"},
     {"T C", "C T"},
     "S",
     "scale",
     "2",
     "2",
     0,
     NULL,
     "matmul $S = 2\\,q\\,k$"},
    {"matmul",
     {"q", "k"},
     {"T C", "C T"},
     "S",
     "scale",
     "1",
     "1",
     0,
     NULL,
     "matmul $S = q\\,k$"},
    {"matmul",
     {"z", "z'"},
     {"T C", "T C"},
     NULL,
     "transpose",
     "b",
     "b",
     1,
     NULL,
     "matmul $z\\,(z')^\\top$"},
    {"matmul",
     {"W_{a}!", "W_{b}!"},
     {"C F", "F C"},
     "W",
     NULL,
     NULL,
     NULL,
     0,
     NULL,
     "matmul $W = W_{a}\\,W_{b}$"},
    {"rmsnorm",
     {"q", "g_{q}!"},
     {"T C", "C"},
     NULL,
     NULL,
     NULL,
     NULL,
     0,
     NULL,
     "RMSNorm$_{q}$"},
    {"rmsnorm",
     {"q", "g_{h_{d}}!"},
     {"T C", "C"},
     NULL,
     NULL,
     NULL,
     NULL,
     0,
     NULL,
     "RMSNorm$_{h_{d}}$"},
    {"rmsnorm",
     {"q", "g_q!"},
     {"T C", "C"},
     NULL,
     NULL,
     NULL,
     NULL,
     0,
     NULL,
     "RMSNorm$_{q}$"},
    {"rmsnorm",
     {"q", "\\gamma!"},
     {"T C", "C"},
     NULL,
     NULL,
     NULL,
     NULL,
     0,
     NULL,
     "RMSNorm $\\gamma$"},
    {"softmax", {"S"}, {"T C"}, "A", NULL, NULL, NULL, 0, "key", "softmax over keys"},
    {"softmax",
     {"S"},
     {"T C"},
     "A",
     NULL,
     NULL,
     NULL,
     0,
     "query",
     "softmax over queries"},
    {"softmax", {"S"}, {"T C"}, "A", NULL, NULL, NULL, 0, "T", "softmax over $T$"},
    {"softmax", {"S"}, {"T C"}, "A", NULL, NULL, NULL, 0, NULL, "softmax over $T$"},
    {"softmax",
     {"S"},
     {"T C"},
     "A",
     NULL,
     NULL,
     NULL,
     0,
     "expert",
     "softmax over $\\mathrm{expert}$"},
    {"rope", {"q"}, {"T C"}, "q", NULL, NULL, NULL, 0, NULL, "RoPE"},
    {"rope",
     {"q"},
     {"T C"},
     "q",
     "layout",
     "interleaved",
     "interleaved",
     1,
     NULL,
     "RoPE (interleaved)"},
    {"split_heads", {"q"}, {"T C"}, NULL, NULL, NULL, NULL, 0, NULL, "split heads"},
    {"merge_heads", {"q"}, {"T C"}, NULL, NULL, NULL, NULL, 0, NULL, "merge heads"},
    {"causal_mask", {"S"}, {"T T"}, NULL, NULL, NULL, NULL, 0, NULL, "causal mask"},
    {"causal_mask",
     {"S"},
     {"T T"},
     NULL,
     "gap",
     "1",
     "1",
     0,
     NULL,
     "causal mask, gap $1$"},
    {"silu", {"g"}, {"T C"}, NULL, NULL, NULL, NULL, 0, NULL, "SiLU"},
    {"layernorm",
     {"z"},
     {"T C"},
     NULL,
     NULL,
     NULL,
     NULL,
     0,
     NULL,
     "LayerNorm (no weights)"},
    {"layernorm",
     {"z", "g_{1}!"},
     {"T C", "C"},
     NULL,
     NULL,
     NULL,
     NULL,
     0,
     NULL,
     "LayerNorm$_{1}$ (no bias)"},
    {"layernorm",
     {"z", "g_{1}!", "b_{1}!"},
     {"T C", "C", "C"},
     NULL,
     NULL,
     NULL,
     NULL,
     0,
     NULL,
     "LayerNorm$_{1}$"},
    {"layernorm",
     {"z", "g_{1}!", "b_{2}!"},
     {"T C", "C", "C"},
     NULL,
     NULL,
     NULL,
     NULL,
     0,
     NULL,
     "LayerNorm$_{1,2}$"},
    {"layernorm",
     {"z", "\\gamma!", "\\beta!"},
     {"T C", "C", "C"},
     NULL,
     NULL,
     NULL,
     NULL,
     0,
     NULL,
     "LayerNorm $\\gamma$, $\\beta$"},
    {"layernorm",
     {"z", "g_{1}!", "b!"},
     {"T C", "C", "C"},
     NULL,
     NULL,
     NULL,
     NULL,
     0,
     NULL,
     "LayerNorm $g_{1}$, $b$"},
    {"layernorm",
     {"z", "g!"},
     {"T C", "C"},
     NULL,
     NULL,
     NULL,
     NULL,
     0,
     NULL,
     "LayerNorm $g$ (no bias)"},
    {"add_bias",
     {"q", "b_{q}!"},
     {"T C", "C"},
     NULL,
     NULL,
     NULL,
     NULL,
     0,
     NULL,
     "add $b_{q}$"},
    {"clip", {"q"}, {"T C"}, NULL, "limit", "8", "8", 0, NULL, "clip to $\\pm 8$"},
    {"clip",
     {"q"},
     {"T C"},
     NULL,
     "limit",
     "2/C",
     "2/C",
     0,
     NULL,
     "clip to $\\pm (2/C)$"},
    {"repeat_heads",
     {"k"},
     {"G T C"},
     NULL,
     "times",
     "H/G",
     "H/G",
     0,
     NULL,
     "repeat heads $\\times H/G$"},
    {"gelu", {"g"}, {"T C"}, NULL, NULL, NULL, NULL, 0, NULL, "GELU"},
    {"gelu", {"g"}, {"T C"}, NULL, "form", "tanh", "tanh", 1, NULL, "GELU (tanh)"},
    {"sigmoid", {"g"}, {"T C"}, NULL, NULL, NULL, NULL, 0, NULL, "sigmoid"},
    {"window_mask",
     {"S"},
     {"T T"},
     NULL,
     "window",
     "W",
     "W",
     0,
     NULL,
     "window mask, $W$ keys"},
    {"rope", {"q"}, {"T C"}, NULL, "from", "t0", "t_0", 0, NULL, "RoPE (from $t_0$)"},
    {"concat",
     {"a", "b"},
     {"T C", "T C"},
     NULL,
     "axis",
     "0",
     "0",
     0,
     NULL,
     "concatenate along $T$"},
    {"slice",
     {"a"},
     {"T C"},
     NULL,
     "to",
     "n",
     "n",
     0,
     "key",
     "slice of keys: $0$ to $n$"},
    {"embed",
     {"t", "W_{e}!"},
     {"T", "V C"},
     NULL,
     NULL,
     NULL,
     NULL,
     0,
     NULL,
     "embed $W_{e} : V \\to C$"},
    {"mask", {"S", "m"}, {"T T", "T T"}, NULL, NULL, NULL, NULL, 0, NULL, "mask"},
    {"cross_entropy",
     {"x", "t"},
     {"T V", "T"},
     NULL,
     NULL,
     NULL,
     NULL,
     0,
     NULL,
     "cross entropy"},
    {"mul",
     {"s", "u"},
     {"T C", "T C"},
     NULL,
     NULL,
     NULL,
     NULL,
     0,
     NULL,
     "elementwise product"},
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
