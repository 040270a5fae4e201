/* SPDX-License-Identifier: MIT
 *
 * Cut the last axis into parts of given sizes: the q, k and v of one fused product.
 */
#ifdef REAL

static void
FN(eval)(const FigCall *call)
{
    const FigView *x_view = &call->in[0];
    int64_t before = 0;
    for (int part = 0; part < call->n_out; part++) {
        const FigView *y_view = &call->out[part];
        int64_t rows = fig_row_count(y_view, 1), n = y_view->size[y_view->rank - 1];
        int64_t x_step = fig_step(x_view), y_step = fig_step(y_view);
        for (int64_t row = 0; row < rows; row++) {
            const REAL *x = FIG_ROW(x_view, 1, row) + before * x_step; /* [n] */
            REAL *y = FIG_ROW(y_view, 1, row);                         /* [n] */
            for (int64_t i = 0; i < n; i++)
                y[i * y_step] = x[i * x_step];
        }
        before += n;
    }
}

#else
#define SELF "ops/split.c"
#include "ops/both.h"

enum { SIZES };

static const FigAttr attrs[] = {
    [SIZES] = {"sizes", FIG_ATTR_DIMS, NULL, NULL, FIG_SHOWS_IN_SHAPES,
               "the size of each part; they sum to the last axis"},
    {NULL},
};

static bool
view(const FigCall *call, FigView *out)
{
    const FigView *x = &call->in[0];
    const FigAttrValue *sizes = &call->attr[SIZES];
    char *data = x->data;
    for (int part = 0; part < sizes->n_dims; part++) {
        out[part] = *x;
        out[part].data = data;
        out[part].size[x->rank - 1] = sizes->dims[part];
        data += sizes->dims[part] * fig_step(x) * (int64_t)fig_type_size(x->type);
    }
    return true;
}

const FigOp fig_op_split = {
    .name = "split",
    .title = "split",
    .full_name = "split of the last axis",
    .signature = "x[... sum(sizes)] -> y[i]: [... sizes[i]]",
    .equation = "y_i[\\,j\\,] = x[\\,o_i + j\\,]",
    .shape_note = "$o_i$ is the sum of the sizes before part $i$",
    .attrs = attrs,
    .kind = FIG_KIND_RESHAPE,
    .mark = FIG_MARK_FORK,
    .eval = BOTH(eval),
    .view = view,
    .cost = "0",
    .flops = fig_cost_none,
    .bytes = fig_cost_none,
    .numpy = "np.split(x, np.cumsum(sizes)[:-1], axis=-1)",
    .torch = "torch.split(x, sizes, dim=-1)",
    .example =
        "x = [1 2 3 4 5 6], sizes = [3 2 1] -> y0 = [1 2 3], y1 = [4 5], y2 = [6]",
};

#endif
