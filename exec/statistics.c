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
    double finite[LANES]; /* counts, as doubles: the loop then has one type */
} Lanes;

static inline void
add(Lanes *lanes, int l, double x)
{
    double finite = x - x == 0 ? 1.0 : 0.0;
    double y = x - x == 0 ? x : 0.0;
    double low = x - x == 0 ? x : (double)INFINITY;
    double high = x - x == 0 ? x : -(double)INFINITY;
    lanes->sum[l] += y;
    lanes->square[l] += y * y;
    lanes->min[l] = low < lanes->min[l] ? low : lanes->min[l];
    lanes->max[l] = high > lanes->max[l] ? high : lanes->max[l];
    lanes->finite[l] += finite;
}

/* n entries, `step` apart; entry i goes to lane i % LANES. */
#define ADD_ROW(type)                                                                  \
    static void add_row_##type(Lanes *lanes, const type *x, int64_t n, int64_t step)   \
    {                                                                                  \
        int64_t i = 0;                                                                 \
        Lanes here = *lanes;                                                           \
        if (step == 1)                                                                 \
            for (; i + LANES <= n; i += LANES)                                         \
                for (int l = 0; l < LANES; l++)                                        \
                    add(&here, l, (double)x[i + l]);                                   \
        for (; i < n; i++)                                                             \
            add(&here, (int)(i % LANES), (double)x[i * step]);                         \
        *lanes = here;                                                                 \
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
    double finite = 0;
    for (int lane = 0; lane < LANES; lane++) {
        all.min = MIN(all.min, lanes.min[lane]);
        all.max = MAX(all.max, lanes.max[lane]);
        sum += lanes.sum[lane];
        square += lanes.square[lane];
        finite += lanes.finite[lane];
    }
    all.nonfinite = count - (int64_t)finite;
    if (finite == 0)
        all.min = all.max = (double)NAN;
    all.mean = sum / finite; /* 0/0 is NaN */
    all.rms = sqrt(square / finite);
    return all;
}
