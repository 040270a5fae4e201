/* SPDX-License-Identifier: MIT
 *
 * [… h t d] → [… t (h d)]: the heads of a token side by side again.
 */
#ifdef REAL

static void
FN(eval)(const FigCall *call)
{
    const FigView *x_view = &call->in[0], *y_view = &call->out[0];
    int64_t heads = x_view->size[x_view->rank - 3], d = x_view->size[x_view->rank - 1];
    int64_t t = x_view->size[x_view->rank - 2], rows = fig_row_count(x_view, 1);
    int64_t x_step = fig_step(x_view), y_step = fig_step(y_view);
    for (int64_t row = 0; row < rows; row++) {
        int64_t batch = row / (heads * t), head = row / t % heads, token = row % t;
        const REAL *x = FIG_ROW(x_view, 1, row);                             /* [d] */
        REAL *y = FIG_ROW(y_view, 1, batch * t + token) + head * d * y_step; /* [d] */
        for (int64_t i = 0; i < d; i++)
            y[i * y_step] = x[i * x_step];
    }
}

#else
#define SELF "ops/merge_heads.c"
#include "ops/both.h"

/* Only where one stride walks from head to head as within a head: the result of
 * split_heads, say. */
static bool
view(const FigCall *call, FigView *out)
{
    const FigView *x = &call->in[0];
    int h = x->rank - 3, t = x->rank - 2, d = x->rank - 1;
    if (x->size[h] != 1 && x->size[d] != 1 && x->stride[h] != x->size[d] * x->stride[d])
        return false;
    FigView *y = &out[0];
    *y = *x;
    y->rank = x->rank - 1;
    y->size[h] = x->size[t];
    y->stride[h] = x->stride[t];
    y->size[t] = x->size[h] * x->size[d];
    y->stride[t] = x->size[d] == 1 ? x->stride[h] : x->stride[d];
    return true;
}

const FigOp fig_op_merge_heads = {
    .name = "merge_heads",
    .title = "merge heads",
    .full_name = "concatenation of the heads",
    .source = "Vaswani et al. 2017, arXiv:1706.03762, section 3.2.2",
    .signature = "x[... h t d] -> y[... t (h d)]",
    .equation = "y[\\,t, h\\,d + j\\,] = x[\\,h, t, j\\,]",
    .kind = FIG_KIND_RESHAPE,
    .mark = FIG_MARK_BOX,
    .eval = BOTH(eval),
    .view = view,
    .cost = "0",
    .flops = fig_cost_none,
    .numpy = "x.swapaxes(-2, -3).reshape(*x.shape[:-3], x.shape[-2], -1)",
    .torch = "x.transpose(-2, -3).flatten(-2)",
    .example = "x = [[[1 2] [5 6]] [[3 4] [7 8]]] -> y = [[1 2 3 4] [5 6 7 8]]",
};

#endif
