/* SPDX-License-Identifier: MIT
 *
 * Sigmoid-weighted linear unit: y = x / (1 + exp(−x)), the non-linearity of SwiGLU.
 */
#ifdef REAL

static void
FN(eval)(const FigCall *call)
{
    FigView views[2] = {call->in[0], call->out[0]};
    fig_views_merge(views, 2, 1);
    int64_t rows = fig_row_count(&views[1], 1), n = views[1].size[views[1].rank - 1];
    int64_t x_step = fig_step(&views[0]), y_step = fig_step(&views[1]);
    for (int64_t row = 0; row < rows; row++) {
        const REAL *x = FIG_ROW(&views[0], 1, row); /* [n] */
        REAL *y = FIG_ROW(&views[1], 1, row);       /* [n] */
        for (int64_t i = 0; i < n; i++)
            y[i * y_step] = x[i * x_step] / (1 + FN(fig_exp)(-x[i * x_step]));
    }
}

#else
#define SELF "ops/silu.c"
#include "ops/both.h"

static const FigPoly *
flops(const FigOpFacts *facts)
{
    return fig_cost_each(facts, 4);
}

const FigOp fig_op_silu = {
    .name = "silu",
    .title = "SiLU",
    .full_name = "sigmoid linear unit",
    .source = "Elfwing, Uchibe and Doya 2017, arXiv:1702.03118",
    .signature = "x[...] -> y[...]",
    .equation = "y = \\frac{x}{1 + e^{-x}}",
    .kind = FIG_KIND_POINTWISE,
    .mark = FIG_MARK_BOX,
    .eval = BOTH(eval),
    .cost = "4 per element of y: sign, exponential, sum, quotient",
    .flops = flops,
    .numpy = "x / (1 + np.exp(-x))",
    .torch = "torch.nn.functional.silu(x)",
    .same_as = "- {id: gate, op: sigmoid, in: x}\n"
               "- {id: y, op: mul, in: [x, gate]}",
    .example = "x = [1 0 -1] -> y = [0.731059 0 -0.268941]",
};

#endif
