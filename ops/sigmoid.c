/* SPDX-License-Identifier: MIT
 *
 * Logistic function: y = 1 / (1 + exp(−x)), the gate between 0 and 1.
 */
#ifdef REAL

static void
FN(eval)(const FigCall *call)
{
    FIG_EACH_1(call, x, 1 / (1 + FN(fig_exp)(-x)));
}

#else
#define SELF "ops/sigmoid.c"
#include "ops/both.h"

static const FigPoly *
flops(const FigOpFacts *facts)
{
    return fig_cost_each(facts, 4);
}

const FigOp fig_op_sigmoid = {
    .name = "sigmoid",
    .title = "sigmoid",
    .full_name = "logistic function",
    .signature = "x[...] -> y[...]",
    .equation = "y = \\frac{1}{1 + e^{-x}}",
    .kind = FIG_KIND_POINTWISE,
    .mark = FIG_MARK_BOX,
    .eval = BOTH(eval),
    .cost = "4 per element of y: sign, exponential, sum, quotient",
    .flops = flops,
    .numpy = "1 / (1 + np.exp(-x))",
    .torch = "torch.sigmoid(x)",
    .example = "x = [1 0 -1] -> y = [0.731059 0.5 0.268941]",
};

#endif
