/* SPDX-License-Identifier: MIT
 *
 * Sum of two tensors of one shape: the residual stream.
 */
#ifdef REAL

static void
FN(eval)(const FigCall *call)
{
    FIG_EACH_2(call, a, b, a + b);
}

#else
#define SELF "ops/add.c"
#include "ops/both.h"

static const FigPoly *
flops(const FigOpFacts *facts)
{
    return fig_cost_each(facts, 1);
}

const FigOp fig_op_add = {
    .name = "add",
    .title = "add",
    .full_name = "elementwise sum",
    .signature = "a[...], b[...] -> y[...]",
    .equation = "y = a + b",
    .kind = FIG_KIND_POINTWISE,
    .mark = FIG_MARK_CIRCLE,
    .sign = "+",
    .commutes = true,
    .eval = BOTH(eval),
    .cost = "1 per element of y",
    .flops = flops,
    .numpy = "a + b",
    .torch = "a + b",
    .example = "a = [1 2], b = [10 20] -> y = [11 22]",
};

#endif
