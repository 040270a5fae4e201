/* SPDX-License-Identifier: MIT
 *
 * Scores [… query key] under a given mask: where it is 0, the score becomes −inf.
 */
#ifdef REAL

static void
FN(eval)(const FigCall *call)
{
    const FigView *x_view = &call->in[0], *y_view = &call->out[0];
    FigView visible = spread(call);
    int64_t rows = fig_row_count(y_view, 1), keys = y_view->size[y_view->rank - 1];
    int64_t x_step = fig_step(x_view), y_step = fig_step(y_view);
    int64_t m_step = fig_step(&visible);
    for (int64_t row = 0; row < rows; row++) {
        const REAL *x = FIG_ROW(x_view, 1, row); /* [key] */
        REAL *y = FIG_ROW(y_view, 1, row);       /* [key] */
        const uint8_t *m = (const uint8_t *)visible.data +
                           fig_row_offset(&visible, 1, row); /* [key] */
        for (int64_t key = 0; key < keys; key++)
            y[key * y_step] = m[key * m_step] ? x[key * x_step] : -(REAL)INFINITY;
    }
}

#else
#include "ops/kernel.h"

/* The mask with the axes of the scores; one mask stands for the whole batch. */
static FigView
spread(const FigCall *call)
{
    FigView visible = call->in[1];
    int missing = call->in[0].rank - visible.rank;
    memmove(visible.stride + missing, visible.stride,
            (size_t)visible.rank * sizeof(*visible.stride));
    memset(visible.stride, 0, (size_t)missing * sizeof(*visible.stride));
    memcpy(visible.size, call->in[0].size, sizeof(visible.size));
    visible.rank = call->in[0].rank;
    return visible;
}

#define SELF "ops/mask.c"
#include "ops/both.h"

static void
visible_shape(const FigCall *call, FigView *view)
{
    *view = fig_view_dense(NULL, FIG_U8, call->in[1].rank, call->in[1].size);
}

static void
visible_fill(const FigCall *call, FigView *view)
{
    const FigView *m = &call->in[1];
    int64_t count = fig_view_count(m);
    for (int64_t i = 0; i < count; i++)
        ((uint8_t *)view->data)[i] =
            ((const uint8_t *)m->data)[fig_row_offset(m, 0, i)] != 0;
}

static const FigExpose exposes[] = {
    {"visible", "[query, key], as given: 1 where the query sees the key", NULL,
     visible_shape, visible_fill},
    {NULL},
};

const FigOp fig_op_mask = {
    .name = "mask",
    .title = "mask",
    .full_name = "mask by a given boolean",
    .signature = "x[... q k], m[q k] < 2 -> y[... q k]"
                 " | x[... q k], m[... q k] < 2 -> y[... q k]",
    .equation = "y_{ij} = x_{ij} \\,\\mathrm{if}\\, m_{ij} = 1, "
                "\\,\\mathrm{else}\\, -\\mathrm{inf}",
    .kind = FIG_KIND_MASK,
    .mark = FIG_MARK_BOX,
    .eval = BOTH(eval),
    .cost = "0",
    .flops = fig_cost_none,
    .numpy = "np.where(m, x, -np.inf)",
    .torch = "x.masked_fill(m == 0, -torch.inf)",
    .exposes = exposes,
    .example = "x = [[1 2] [3 4]], m = [[1 0] [0 1]] -> y = [[1 -inf] [-inf 4]]",
};

#endif
