/* SPDX-License-Identifier: MIT
 *
 * [… t (heads d)] → [… heads t d]: head h owns entries h·d … h·d + d − 1 of the last axis.
 */
#ifdef REAL

static void
FN(eval)(const FigCall *call)
{
    const FigView *x_view = &call->in[0], *y_view = &call->out[0];
    int64_t heads = y_view->size[y_view->rank - 3], d = y_view->size[y_view->rank - 1];
    int64_t t = y_view->size[y_view->rank - 2], rows = fig_row_count(y_view, 1);
    int64_t x_step = fig_step(x_view), y_step = fig_step(y_view);
    for (int64_t row = 0; row < rows; row++) {
        int64_t batch = row / (heads * t), head = row / t % heads, token = row % t;
        const REAL *x =
            FIG_ROW(x_view, 1, batch * t + token) + head * d * x_step; /* [d] */
        REAL *y = FIG_ROW(y_view, 1, row);                             /* [d] */
        for (int64_t i = 0; i < d; i++)
            y[i * y_step] = x[i * x_step];
    }
}

#else
#define SELF "ops/split_heads.c"
#include "ops/both.h"

enum { HEADS };

static const FigAttr attrs[] = {
    [HEADS] = {"heads", FIG_ATTR_DIM, NULL, NULL, FIG_SHOWS_IN_SHAPES,
               "the number of heads; it divides the last axis"},
    {NULL},
};

static bool
view(const FigCall *call, FigView *out)
{
    const FigView *x = &call->in[0];
    int64_t heads = call->attr[HEADS].dim;
    int t = x->rank - 2, width = x->rank - 1;
    int64_t d = x->size[width] / heads;
    FigView *y = &out[0];
    if (x->rank == FIG_LIMIT_RANK)
        return false;
    *y = *x;
    y->rank = x->rank + 1;
    y->size[t] = heads;
    y->stride[t] = d * x->stride[width];
    y->size[t + 1] = x->size[t];
    y->stride[t + 1] = x->stride[t];
    y->size[t + 2] = d;
    y->stride[t + 2] = x->stride[width];
    return true;
}

const FigOp fig_op_split_heads = {
    .name = "split_heads",
    .title = "split heads",
    .full_name = "split of the width into heads",
    .source = "Vaswani et al. 2017, arXiv:1706.03762, section 3.2.2",
    .signature = "x[... t (heads d)] -> y[... heads t d]",
    .equation = "y[\\,h, t, j\\,] = x[\\,t, h\\,d + j\\,]",
    .attrs = attrs,
    .kind = FIG_KIND_RESHAPE,
    .mark = FIG_MARK_BOX,
    .eval = BOTH(eval),
    .view = view,
    .cost = "0",
    .flops = fig_cost_none,
    .bytes = fig_cost_none,
    .numpy = "x.reshape(*x.shape[:-1], heads, -1).swapaxes(-2, -3)",
    .torch = "x.unflatten(-1, (heads, -1)).transpose(-2, -3)",
    .example =
        "x = [[1 2 3 4] [5 6 7 8]], heads = 2 -> y = [[[1 2] [5 6]] [[3 4] [7 8]]]",
};

#endif
