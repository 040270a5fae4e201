/* SPDX-License-Identifier: MIT
 *
 * Sums run in LANES lanes that are added in order at the end: the order is fixed, and the
 * compiler may use vectors for the lanes.
 */
#include "exec/statistics.h"

#include <math.h>

enum { LANES = 8 };

typedef struct Lanes {
    double min[LANES], max[LANES], sum[LANES], square[LANES];
    int64_t finite[LANES];
} Lanes;

static inline void
add(Lanes *lanes, int lane, double x)
{
    bool finite = x - x == 0;
    double y = finite ? x : 0;
    lanes->sum[lane] += y;
    lanes->square[lane] += y * y;
    lanes->min[lane] = finite && x < lanes->min[lane] ? x : lanes->min[lane];
    lanes->max[lane] = finite && x > lanes->max[lane] ? x : lanes->max[lane];
    lanes->finite[lane] += finite;
}

/* n entries, `step` apart; entry i goes to lane i % LANES. */
#define ADD_ROW(type)                                                                  \
    static void add_row_##type(Lanes *lanes, const type *x, int64_t n, int64_t step)   \
    {                                                                                  \
        int64_t i = 0;                                                                 \
        if (step == 1)                                                                 \
            for (; i + LANES <= n; i += LANES)                                         \
                for (int lane = 0; lane < LANES; lane++)                               \
                    add(lanes, lane, (double)x[i + lane]);                             \
        for (; i < n; i++)                                                             \
            add(lanes, (int)(i % LANES), (double)x[i * step]);                         \
    }
ADD_ROW(float)
ADD_ROW(double)

FigStatistics
fig_statistics(const FigView *view)
{
    g_assert(view->type == FIG_F32 || view->type == FIG_F64);
    Lanes lanes = {0};
    for (int lane = 0; lane < LANES; lane++) {
        lanes.min[lane] = (double)INFINITY;
        lanes.max[lane] = -(double)INFINITY;
    }
    int64_t count = fig_view_count(view);
    int64_t n = view->rank ? view->size[view->rank - 1] : 1;
    int64_t step = view->rank ? view->stride[view->rank - 1] : 1;
    if (fig_view_is_dense(view)) {
        n = count;
        step = 1;
    }
    int64_t index[FIG_LIMIT_RANK] = {0};
    for (int64_t done = 0; done < count; done += n) {
        int64_t at = 0;
        for (int axis = 0; axis < view->rank - 1; axis++)
            at += index[axis] * view->stride[axis];
        if (view->type == FIG_F32)
            add_row_float(&lanes, (const float *)view->data + at, n, step);
        else
            add_row_double(&lanes, (const double *)view->data + at, n, step);
        for (int axis = view->rank - 2; axis >= 0; axis--) {
            if (++index[axis] < view->size[axis])
                break;
            index[axis] = 0;
        }
    }
    FigStatistics all = {
        .min = (double)INFINITY, .max = -(double)INFINITY, .count = count};
    double sum = 0, square = 0;
    int64_t finite = 0;
    for (int lane = 0; lane < LANES; lane++) {
        all.min = MIN(all.min, lanes.min[lane]);
        all.max = MAX(all.max, lanes.max[lane]);
        sum += lanes.sum[lane];
        square += lanes.square[lane];
        finite += lanes.finite[lane];
    }
    all.nonfinite = count - finite;
    if (finite == 0)
        all.min = all.max = (double)NAN;
    all.mean = sum / (double)finite; /* 0/0 is NaN */
    all.rms = sqrt(square / (double)finite);
    return all;
}
