/* SPDX-License-Identifier: MIT
 *
 * Product of two tensors of one shape, element by element: the gate of a feed-forward.
 */
#ifdef REAL

static void
FN(eval)(const FigCall *call)
{
    FigView views[3] = {call->in[0], call->in[1], call->out[0]};
    fig_views_merge(views, 3, 1);
    int64_t rows = fig_row_count(&views[2], 1), n = views[2].size[views[2].rank - 1];
    int64_t a_step = fig_step(&views[0]), b_step = fig_step(&views[1]);
    int64_t y_step = fig_step(&views[2]);
    for (int64_t row = 0; row < rows; row++) {
        const REAL *a = FIG_ROW(&views[0], 1, row); /* [n] */
        const REAL *b = FIG_ROW(&views[1], 1, row); /* [n] */
        REAL *y = FIG_ROW(&views[2], 1, row);       /* [n] */
        for (int64_t i = 0; i < n; i++)
            y[i * y_step] = a[i * a_step] * b[i * b_step];
    }
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
