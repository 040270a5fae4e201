/* SPDX-License-Identifier: MIT
 *
 * Negative log likelihood of the target under softmax, by the natural logarithm:
 * y = log Σ exp(x − max x) − (x_t − max x). The sum runs in double. A target that is no
 * class gives NaN, and reads nothing.
 */
#ifdef REAL

static REAL
FN(row)(const REAL *x, int64_t step, int64_t n, int64_t target)
{
    REAL largest = -(REAL)INFINITY;
    for (int64_t i = 0; i < n; i++)
        largest = x[i * step] > largest ? x[i * step] : largest;
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += FN(fig_exp)(x[i * step] - largest);
    if (target < 0 || target >= n)
        return (REAL)NAN;
    return (REAL)(log(sum) - (double)(x[target * step] - largest));
}

static void
FN(eval)(const FigCall *call)
{
    const FigView *x_view = &call->in[0], *t_view = &call->in[1],
                  *y_view = &call->out[0];
    int64_t rows = fig_view_count(t_view), n = x_view->size[x_view->rank - 1];
    for (int64_t row = 0; row < rows; row++) {
        const REAL *x = FIG_ROW(x_view, 1, row); /* [v] */
        int64_t t = ((const int64_t *)t_view->data)[fig_row_offset(t_view, 0, row)];
        *FIG_ROW(y_view, 0, row) = FN(row)(x, fig_step(x_view), n, t);
    }
}

/* The mean over the rows that have a target. */
static double
FN(mean)(const FigCall *call)
{
    const FigView *x_view = &call->in[0], *t_view = &call->in[1];
    int64_t rows = fig_view_count(t_view), size = x_view->size[x_view->rank - 1], n = 0;
    double sum = 0;
    for (int64_t row = 0; row < rows; row++) {
        int64_t t = ((const int64_t *)t_view->data)[fig_row_offset(t_view, 0, row)];
        if (t < 0 || t >= size)
            continue;
        sum += (double)FN(row)(FIG_ROW(x_view, 1, row), fig_step(x_view), size, t);
        n++;
    }
    return n ? sum / (double)n : (double)NAN;
}

#else
#define SELF "ops/cross_entropy.c"
#include "ops/both.h"

static const FigPoly *
flops(const FigOpFacts *facts)
{
    const FigPoly *scores = fig_poly_mul(
        facts->algebra, fig_poly_number(facts->algebra, 4, 1),
        fig_cost_elements(facts->algebra, facts->in[0], facts->in_rank[0]));
    return fig_poly_add(facts->algebra, scores, fig_cost_each(facts, 3));
}

static void
mean_shape(const FigCall *call, FigView *view)
{
    *view = fig_view_dense(NULL, call->type, 1, (int64_t[]){1});
}

static void
mean_fill(const FigCall *call, FigView *view)
{
    if (call->type == FIG_F32)
        *(float *)view->data = (float)mean_float(call);
    else
        *(double *)view->data = mean_double(call);
}

static const FigExpose exposes[] = {
    {"mean", "[1]: the mean of y over what has a target", "one", mean_shape, mean_fill},
    {NULL},
};

const FigOp fig_op_cross_entropy = {
    .name = "cross_entropy",
    .title = "cross entropy",
    .full_name = "negative log likelihood of the target",
    .signature = "x[... v!], t[...] < v -> y[...]",
    .equation = "y = \\mathrm{log}\\,\\mathrm{sum}\\,e^x - x[\\,t\\,]",
    .kind = FIG_KIND_SOFTMAX,
    .mark = FIG_MARK_BOX,
    .eval = BOTH(eval),
    .cost = "4 per element of x and 3 per element of y: maximum, difference, "
            "exponential, sum; logarithm, difference, difference",
    .flops = flops,
    .exposes = exposes,
    .may_lack = "t",
    .numpy = "np.log(np.exp(x - (m := x.max(-1, keepdims=True))).sum(-1)) - "
             "np.take_along_axis(x - m, t[..., None], -1)[..., 0]",
    .torch = "torch.logsumexp(x, -1) - x.gather(-1, t[..., None])[..., 0]",
    .example = "x = [[1 2 3] [0 0 0]], t = [2 1] -> y = [0.407606 1.098612]",
};

#endif
