/* SPDX-License-Identifier: MIT
 *
 * One vector added to every row: the bias of a layer.
 */
#ifdef REAL

static void
FN(eval)(const FigCall *call)
{
    FigView views[2] = {call->in[0], call->out[0]};
    const REAL *b = call->in[1].data; /* [d] */
    int64_t b_step = call->in[1].stride[0], d = call->in[1].size[0];
    fig_views_merge(views, 2, 1);
    int64_t rows = fig_row_count(&views[1], 1);
    int64_t x_step = fig_step(&views[0]), y_step = fig_step(&views[1]);
    for (int64_t row = 0; row < rows; row++) {
        const REAL *x = FIG_ROW(&views[0], 1, row); /* [d] */
        REAL *y = FIG_ROW(&views[1], 1, row);       /* [d] */
        for (int64_t i = 0; i < d; i++)
            y[i * y_step] = x[i * x_step] + b[i * b_step];
    }
}

#else
#define SELF "ops/add_bias.c"
#include "ops/both.h"

static const FigPoly *
flops(const FigOpFacts *facts)
{
    return fig_cost_each(facts, 1);
}

/* "add $b_{q}$" */
static const char *
label(const FigOpFacts *facts, FigArena *arena)
{
    return fig_arena_printf(arena, "add $%s$", facts->in_label[1]);
}

const FigOp fig_op_add_bias = {
    .name = "add_bias",
    .title = "add bias",
    .full_name = "sum with one vector for every row",
    .signature = "x[... d], b[d] -> y[... d]",
    .equation = "y = x + b",
    .kind = FIG_KIND_POINTWISE,
    .mark = FIG_MARK_BOX,
    .eval = BOTH(eval),
    .cost = "1 per element of y",
    .flops = flops,
    .label = label,
    .numpy = "x + b",
    .torch = "x + b",
    .example = "x = [[1 2] [3 4]], b = [10 20] -> y = [[11 22] [13 24]]",
};

#endif
