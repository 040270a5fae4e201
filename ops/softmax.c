/* SPDX-License-Identifier: MIT
 *
 * Softmax over one axis: y = exp(x − max x) / Σ exp(x − max x). An entry of −inf gives 0
 * exactly. NaN in a row makes the whole row NaN, and so does a row of −inf alone, which
 * has no softmax.
 */
#ifdef REAL

/* Eight lanes in a fixed order let the loops vectorise, and the bits depend on nothing. */
static inline REAL
FN(largest)(const REAL *x, int64_t step, int64_t n)
{
    REAL lane[LANES];
    for (int l = 0; l < LANES; l++)
        lane[l] = -(REAL)INFINITY;
    int64_t i = 0;
    for (; i + LANES <= n; i += LANES)
        for (int l = 0; l < LANES; l++)
            lane[l] = x[(i + l) * step] > lane[l] ? x[(i + l) * step] : lane[l];
    for (; i < n; i++)
        lane[0] = x[i * step] > lane[0] ? x[i * step] : lane[0];
    for (int l = 1; l < LANES; l++)
        lane[0] = lane[l] > lane[0] ? lane[l] : lane[0];
    return lane[0];
}

static inline double
FN(sum)(const REAL *x, int64_t step, int64_t n)
{
    double lane[LANES] = {0};
    int64_t i = 0;
    for (; i + LANES <= n; i += LANES)
        for (int l = 0; l < LANES; l++)
            lane[l] += x[(i + l) * step];
    for (; i < n; i++)
        lane[0] += x[i * step];
    for (int l = 1; l < LANES; l++)
        lane[0] += lane[l];
    return lane[0];
}

static inline void
FN(row)(const REAL *x, int64_t x_step, REAL *y, int64_t y_step, int64_t n)
{
    REAL largest = FN(largest)(x, x_step, n);
    for (int64_t i = 0; i < n; i++)
        y[i * y_step] = FN(fig_exp)(x[i * x_step] - largest);
    REAL factor = (REAL)(1 / FN(sum)(y, y_step, n));
    for (int64_t i = 0; i < n; i++)
        y[i * y_step] *= factor;
}

static void
FN(eval)(const FigCall *call)
{
    int over = call->attr[OVER].axis;
    FigView views[2] = {fig_view_axis_last(&call->in[0], over),
                        fig_view_axis_last(&call->out[0], over)};
    fig_views_merge(views, 2, 1);
    int64_t rows = fig_row_count(&views[1], 1), n = views[1].size[views[1].rank - 1];
    int64_t x_step = fig_step(&views[0]), y_step = fig_step(&views[1]);
    for (int64_t row = 0; row < rows; row++) {
        const REAL *x = FIG_ROW(&views[0], 1, row); /* [n] */
        REAL *y = FIG_ROW(&views[1], 1, row);       /* [n] */
        if (x_step == 1 && y_step == 1)
            FN(row)(x, 1, y, 1, n); /* the compiler sees the steps */
        else
            FN(row)(x, x_step, y, y_step, n);
    }
}

#else
#include "ops/kernel.h"

#include <glib.h>

enum { OVER };
enum { LANES = 8 };

#define SELF "ops/softmax.c"
#include "ops/both.h"

static const FigAttr attrs[] = {
    [OVER] = {"over", FIG_ATTR_AXIS, NULL, NULL, FIG_SHOWS_IN_LABEL,
              "the axis whose entries sum to 1"},
    {NULL},
};

static const FigPoly *
flops(const FigOpFacts *facts)
{
    return fig_cost_each(facts, 5);
}

/* "softmax over keys", "softmax over $T$" */
static const char *
label(const FigOpFacts *facts, FigArena *arena)
{
    return fig_arena_printf(arena, "softmax over %s",
                            fig_label_axis(facts, facts->attr[OVER].axis, arena));
}

const FigOp fig_op_softmax = {
    .name = "softmax",
    .title = "softmax",
    .full_name = "normalized exponential",
    .source = "Bridle 1990, doi:10.1007/978-3-642-76153-9_28",
    .signature = "x[... over! ...] -> y[... over! ...]",
    .equation = "y = \\frac{e^{x - \\mathrm{max}\\,x}}"
                "{\\mathrm{sum}\\,e^{x - \\mathrm{max}\\,x}}",
    .attrs = attrs,
    .kind = FIG_KIND_SOFTMAX,
    .mark = FIG_MARK_BOX,
    .eval = BOTH(eval),
    .cost = "5 per element of y: maximum, difference, exponential, sum, quotient",
    .flops = flops,
    .label = label,
    .numpy =
        "(e := np.exp(x - x.max(over, keepdims=True))) / e.sum(over, keepdims=True)",
    .torch = "torch.softmax(x, over)",
    .example = "x = [1 2 3], over = 0 -> y = [0.090031 0.244728 0.665241]; "
               "x = [[0 -inf] [0 7]], over = 1 -> y = [[1 0] [0.000911 0.999089]]",
};

#endif
