/* SPDX-License-Identifier: MIT
 *
 * Causal mask of scores [… query key]: key j is visible to query i when j ≤ i, every other
 * score becomes −inf.
 */
#ifdef REAL

static void
FN(eval)(const FigCall *call)
{
    FigView views[2] = {call->in[0], call->out[0]};
    fig_views_merge(views, 2, 2);
    int64_t rows = fig_row_count(&views[1], 1), t = views[1].size[views[1].rank - 1];
    int64_t x_step = fig_step(&views[0]), y_step = fig_step(&views[1]);
    for (int64_t row = 0; row < rows; row++) {
        const REAL *x = FIG_ROW(&views[0], 1, row); /* [key] */
        REAL *y = FIG_ROW(&views[1], 1, row);       /* [key] */
        int64_t query = row % t;
        for (int64_t key = 0; key <= query; key++)
            y[key * y_step] = x[key * x_step];
        for (int64_t key = query + 1; key < t; key++)
            y[key * y_step] = -(REAL)INFINITY;
    }
}

#else
#define SELF "ops/causal_mask.c"
#include "ops/both.h"

static void
visible_shape(const FigCall *call, FigView *view)
{
    int64_t t = call->in[0].size[call->in[0].rank - 1];
    *view = fig_view_dense(NULL, FIG_U8, 2, (int64_t[]){t, t});
}

static void
visible_fill(const FigCall *call, FigView *view)
{
    uint8_t *visible = view->data;
    int64_t t = view->size[0];
    for (int64_t query = 0; query < t; query++)
        for (int64_t key = 0; key < t; key++)
            visible[query * t + key] = key <= query;
}

static const FigExpose exposes[] = {
    {"visible", "[query, key]: 1 where the query sees the key", visible_shape,
     visible_fill},
    {NULL},
};

const FigOp fig_op_causal_mask = {
    .name = "causal_mask",
    .title = "causal mask",
    .full_name = "mask of later keys",
    .source = "Vaswani et al. 2017, arXiv:1706.03762, section 3.2.3",
    .signature = "x[... t! t!] -> y[... t! t!]",
    .equation = "y_{ij} = x_{ij} \\,\\mathrm{if}\\, j \\le i, \\,\\mathrm{else}\\, "
                "-\\mathrm{inf}",
    .kind = FIG_KIND_MASK,
    .mark = FIG_MARK_BOX,
    .eval = BOTH(eval),
    .cost = "0",
    .flops = fig_cost_none,
    .numpy = "np.where(np.tri(x.shape[-1], dtype=bool), x, -np.inf)",
    .torch = "x.masked_fill(~torch.ones_like(x, dtype=torch.bool).tril(), -torch.inf)",
    .exposes = exposes,
    .example = "x = [[1 2] [3 4]] -> y = [[1 -inf] [3 4]]",
};

#endif
