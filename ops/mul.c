/* SPDX-License-Identifier: MIT
 *
 * Product of two tensors of one shape, element by element: the gate of a feed-forward.
 */
#ifdef REAL

static void
FN(eval)(const FigCall *call)
{
    FIG_EACH_2(call, a, b, a * b);
}

#else
#define SELF "ops/mul.c"
#include "ops/both.h"

static const FigPoly *
flops(const FigOpFacts *facts)
{
    return fig_cost_each(facts, 1);
}

const FigOp fig_op_mul = {
    .name = "mul",
    .title = "elementwise product",
    .full_name = "Hadamard product",
    .signature = "a[...], b[...] -> y[...]",
    .equation = "y = a \\odot b",
    .kind = FIG_KIND_POINTWISE,
    .mark = FIG_MARK_CIRCLE,
    .sign = "\\odot",
    .commutes = true,
    .eval = BOTH(eval),
    .cost = "1 per element of y",
    .flops = flops,
    .numpy = "a * b",
    .torch = "a * b",
    .example = "a = [1 2], b = [10 -20] -> y = [10 -40]",
};

#endif
