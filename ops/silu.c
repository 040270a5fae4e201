/* SPDX-License-Identifier: MIT
 *
 * Sigmoid-weighted linear unit: y = x / (1 + exp(−x)), the non-linearity of SwiGLU.
 */
#ifdef REAL

static void
FN(eval)(const FigCall *call)
{
    FIG_EACH_1(call, x, x / (1 + FN(fig_exp)(-x)));
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
