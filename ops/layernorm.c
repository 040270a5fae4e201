/* SPDX-License-Identifier: MIT
 *
 * Layer normalization of the last axis: y = g ⊙ (x − mean x) / √(var x + eps) + b, the
 * variance without Bessel's correction, eps inside the root. Gain and bias may be left
 * out. Sums run in double in eight fixed lanes, so that they vectorise and their bits
 * depend on nothing.
 */
#ifdef REAL

static double
FN(sum)(const REAL *x, int64_t step, int64_t n)
{
    double lane[LANES] = {0}, sum = 0;
    int64_t i = 0;
    for (; i + LANES <= n; i += LANES)
        for (int l = 0; l < LANES; l++)
            lane[l] += x[(i + l) * step];
    for (; i < n; i++)
        sum += x[i * step];
    for (int l = 0; l < LANES; l++)
        sum += lane[l];
    return sum;
}

static double
FN(sum_of_squares)(const REAL *x, int64_t step, int64_t n, double mean)
{
    double lane[LANES] = {0}, sum = 0;
    int64_t i = 0;
    for (; i + LANES <= n; i += LANES)
        for (int l = 0; l < LANES; l++) {
            double apart = x[(i + l) * step] - mean;
            lane[l] += apart * apart;
        }
    for (; i < n; i++) {
        double apart = x[i * step] - mean;
        sum += apart * apart;
    }
    for (int l = 0; l < LANES; l++)
        sum += lane[l];
    return sum;
}

static void
FN(eval)(const FigCall *call)
{
    double eps = call->attr[EPS].real;
    FigView views[2] = {call->in[0], call->out[0]};
    fig_views_merge(views, 2, 1);
    int64_t rows = fig_row_count(&views[1], 1), d = views[1].size[views[1].rank - 1];
    int64_t x_step = fig_step(&views[0]), y_step = fig_step(&views[1]);
    const FigView *g = call->n_in > GAIN ? &call->in[GAIN] : NULL; /* [d] */
    const FigView *b = call->n_in > BIAS ? &call->in[BIAS] : NULL; /* [d] */
    for (int64_t row = 0; row < rows; row++) {
        const REAL *x = FIG_ROW(&views[0], 1, row); /* [d] */
        REAL *y = FIG_ROW(&views[1], 1, row);       /* [d] */
        double mean = FN(sum)(x, x_step, d) / (double)d;
        double variance = FN(sum_of_squares)(x, x_step, d, mean) / (double)d;
        double factor = 1 / sqrt(variance + eps);
        for (int64_t i = 0; i < d; i++)
            y[i * y_step] = (REAL)((x[i * x_step] - mean) * factor);
        for (int64_t i = 0; g && i < d; i++)
            y[i * y_step] *= ((const REAL *)g->data)[i * g->stride[0]];
        for (int64_t i = 0; b && i < d; i++)
            y[i * y_step] += ((const REAL *)b->data)[i * b->stride[0]];
    }
}

#else
#include "ops/kernel.h"

#include <glib.h>

enum { EPS };
enum { GAIN = 1, BIAS }; /* operands that may be left out */
enum { LANES = 8 };

#define SELF "ops/layernorm.c"
#include "ops/both.h"

static const FigAttr attrs[] = {
    [EPS] = {"eps", FIG_ATTR_REAL, NULL, NULL, FIG_COMPUTED_NOT_DRAWN,
             "added to the variance, inside the root", .range = FIG_FROM_ZERO},
    {NULL},
};

static const FigPoly *
flops(const FigOpFacts *facts)
{
    return fig_cost_each(facts, 5 + facts->n_in - 1);
}

/* "LayerNorm$_{attn}$" after the weights' subscripts; where one has none, both stand
 * beside it. What is left out is said. */
static const char *
label(const FigOpFacts *facts, FigArena *arena)
{
    if (facts->n_in <= GAIN)
        return "LayerNorm (no weights)";
    bool biased = facts->n_in > BIAS;
    const char *const *in = facts->in_label;
    const char *gain = fig_tex_subscript(arena, in[GAIN]);
    const char *bias = biased ? fig_tex_subscript(arena, in[BIAS]) : gain;
    const char *name;
    if (!gain || !bias)
        name = biased
                   ? fig_arena_printf(arena, "LayerNorm $%s$, $%s$", in[GAIN], in[BIAS])
                   : fig_arena_printf(arena, "LayerNorm $%s$", in[GAIN]);
    else if (g_str_equal(gain, bias))
        name = fig_arena_printf(arena, "LayerNorm$_{%s}$", gain);
    else
        name = fig_arena_printf(arena, "LayerNorm$_{%s,%s}$", gain, bias);
    return biased ? name : fig_arena_printf(arena, "%s (no bias)", name);
}

const FigOp fig_op_layernorm = {
    .name = "layernorm",
    .title = "LayerNorm",
    .full_name = "layer normalization",
    .source =
        "Ba, Kiros and Hinton 2016, arXiv:1607.06450; without weights as in OLMo 1",
    .signature = "x[... d!], g[d!], b[d!] -> y[... d!]"
                 " | x[... d!], g[d!] -> y[... d!]"
                 " | x[... d!] -> y[... d!]",
    .equation = "y = g \\odot \\frac{x - \\mathrm{mean}(x)}"
                "{\\sqrt{\\mathrm{var}(x) + \\varepsilon}} + b",
    .shape_note = "without $g$ its factor is 1, without $b$ nothing is added; the "
                  "variance is the mean of the squared distances from the mean",
    .attrs = attrs,
    .kind = FIG_KIND_NORM,
    .mark = FIG_MARK_BOX,
    .eval = BOTH(eval),
    .cost = "5 per element of y and 1 per element of y for each weight: sum, "
            "difference, square, sum, division by the root; gain; bias",
    .flops = flops,
    .label = label,
    .numpy = "(x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + eps)"
             " * (1 if g is None else g) + (0 if b is None else b)",
    .torch = "torch.nn.functional.layer_norm(x, x.shape[-1:], g, b, eps)",
    .example = "x = [1 2 3 4], eps = 1e-5"
               " -> y = [-1.341635 -0.447212 0.447212 1.341635]; "
               "x = [1 2 3 4], g = [1 1 2 2], eps = 1e-5"
               " -> y = [-1.341635 -0.447212 0.894424 2.683271]; "
               "x = [1 3], g = [10 100], b = [0.5 7], eps = 0 -> y = [-9.5 107]",
};

#endif
