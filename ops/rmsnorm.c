/* SPDX-License-Identifier: MIT
 *
 * Root mean square normalization of the last axis: y = g ⊙ x / √(mean(x²) + eps), eps inside
 * the root, the mean not subtracted. The sum runs in double in eight fixed lanes, so that
 * it vectorises and its bits depend on nothing.
 */
#ifdef REAL

static double
FN(sum_of_squares)(const REAL *x, int64_t step, int64_t n)
{
    double lane[LANES] = {0};
    int64_t i = 0;
    for (; i + LANES <= n; i += LANES)
        for (int l = 0; l < LANES; l++) {
            double value = x[(i + l) * step];
            lane[l] += value * value;
        }
    double sum = 0;
    for (; i < n; i++)
        sum += (double)x[i * step] * x[i * step];
    for (int l = 0; l < LANES; l++)
        sum += lane[l];
    return sum;
}

static void
FN(eval)(const FigCall *call)
{
    double eps = call->attr[EPS].real;
    FigView views[2] = {call->in[0], call->out[0]};
    const REAL *g = call->in[1].data; /* [d] */
    fig_views_merge(views, 2, 1);
    int64_t rows = fig_row_count(&views[1], 1), d = call->in[1].size[0];
    int64_t x_step = fig_step(&views[0]), y_step = fig_step(&views[1]);
    int64_t g_step = call->in[1].stride[0];
    for (int64_t row = 0; row < rows; row++) {
        const REAL *x = FIG_ROW(&views[0], 1, row); /* [d] */
        REAL *y = FIG_ROW(&views[1], 1, row);       /* [d] */
        double mean = FN(sum_of_squares)(x, x_step, d) / (double)d;
        REAL factor = (REAL)(1 / sqrt(mean + eps));
        for (int64_t i = 0; i < d; i++)
            y[i * y_step] = x[i * x_step] * factor * g[i * g_step];
    }
}

#else
#include "ops/kernel.h"

enum { EPS };
enum { LANES = 8 };

#define SELF "ops/rmsnorm.c"
#include "ops/both.h"

static const FigAttr attrs[] = {
    [EPS] = {"eps", FIG_ATTR_REAL, NULL, NULL, FIG_COMPUTED_NOT_DRAWN,
             "added to the mean square, inside the root", .range = FIG_FROM_ZERO},
    {NULL},
};

static const FigPoly *
flops(const FigOpFacts *facts)
{
    return fig_cost_each(facts, 4);
}

/* "RMSNorm$_{q}$" after the gain's subscript; a gain without one stands beside it. */
static const char *
label(const FigOpFacts *facts, FigArena *arena)
{
    const char *subscript = fig_tex_subscript(arena, facts->in_label[1]);
    return subscript ? fig_arena_printf(arena, "RMSNorm$_{%s}$", subscript)
                     : fig_arena_printf(arena, "RMSNorm $%s$", facts->in_label[1]);
}

const FigOp fig_op_rmsnorm = {
    .name = "rmsnorm",
    .title = "RMSNorm",
    .full_name = "root mean square normalization",
    .source = "Zhang and Sennrich 2019, arXiv:1910.07467, equation 4; eps as in Llama "
              "and OLMo",
    .signature = "x[... d!], g[d!] -> y[... d!]",
    .equation = "y = g \\odot \\frac{x}{\\sqrt{\\mathrm{mean}(x^2) + \\varepsilon}}",
    .attrs = attrs,
    .kind = FIG_KIND_NORM,
    .mark = FIG_MARK_BOX,
    .eval = BOTH(eval),
    .cost = "4 per element of y: square, sum, division by the root, gain",
    .flops = flops,
    .label = label,
    .numpy = "g * (x / np.sqrt((x * x).mean(-1, keepdims=True) + eps))",
    .torch = "g * (x * torch.rsqrt((x * x).mean(-1, keepdim=True) + eps))",
    .example = "x = [3 4], g = [1 1], eps = 0 -> y = [0.848528 1.131371]; "
               "x = [0.001 0.001], g = [1 1], eps = 1e-6 -> y = [0.707107 0.707107]",
};

#endif
