/* SPDX-License-Identifier: MIT
 *
 * What op files are written with: rows of strided views for kernels, counts for costs,
 * pieces of TeX for labels.
 */
#ifndef FIG_OPS_KERNEL_H
#define FIG_OPS_KERNEL_H

#include "ops/op.h"

#include <math.h>
#include <string.h>

/* ---- rows of strided views ---- */

/* The number of rows of a view: the product of its sizes without the last inner axes. */
int64_t fig_row_count(const FigView *view, int inner);

/* Where row number `row` (row-major over the axes without the last inner ones) starts.
 *
 * units    elements from view->data
 */
int64_t fig_row_offset(const FigView *view, int inner, int64_t row);

/* Row number `row` of a view, for kernels: a pointer to REAL. */
#define FIG_ROW(view, inner, row)                                                      \
    ((REAL *)(view)->data + fig_row_offset((view), (inner), (row)))

/* The stride of the last axis. */
static inline int64_t
fig_step(const FigView *view)
{
    return view->stride[view->rank - 1];
}

/* An elementwise kernel of one operand: y[…] = formula, with x the number read.
 *
 * shapes   in[0], out[0]: the same, any strides
 */
#define FIG_EACH_1(call, x, formula)                                                   \
    do {                                                                               \
        FigView views_[2] = {(call)->in[0], (call)->out[0]};                           \
        fig_views_merge(views_, 2, 1);                                                 \
        int64_t rows_ = fig_row_count(&views_[1], 1);                                  \
        int64_t n_ = views_[1].size[views_[1].rank - 1];                               \
        int64_t x_step_ = fig_step(&views_[0]), y_step_ = fig_step(&views_[1]);        \
        for (int64_t row_ = 0; row_ < rows_; row_++) {                                 \
            const REAL *x_ = FIG_ROW(&views_[0], 1, row_); /* [n_] */                  \
            REAL *y_ = FIG_ROW(&views_[1], 1, row_);       /* [n_] */                  \
            for (int64_t i_ = 0; i_ < n_; i_++) {                                      \
                const REAL x = x_[i_ * x_step_];                                       \
                y_[i_ * y_step_] = (formula);                                          \
            }                                                                          \
        }                                                                              \
    } while (0)

/* The same of two operands, a and b the numbers read.
 *
 * shapes   in[0], in[1], out[0]: the same, any strides
 */
#define FIG_EACH_2(call, a, b, formula)                                                \
    do {                                                                               \
        FigView views_[3] = {(call)->in[0], (call)->in[1], (call)->out[0]};            \
        fig_views_merge(views_, 3, 1);                                                 \
        int64_t rows_ = fig_row_count(&views_[2], 1);                                  \
        int64_t n_ = views_[2].size[views_[2].rank - 1];                               \
        int64_t a_step_ = fig_step(&views_[0]), b_step_ = fig_step(&views_[1]);        \
        int64_t y_step_ = fig_step(&views_[2]);                                        \
        for (int64_t row_ = 0; row_ < rows_; row_++) {                                 \
            const REAL *a_ = FIG_ROW(&views_[0], 1, row_); /* [n_] */                  \
            const REAL *b_ = FIG_ROW(&views_[1], 1, row_); /* [n_] */                  \
            REAL *y_ = FIG_ROW(&views_[2], 1, row_);       /* [n_] */                  \
            for (int64_t i_ = 0; i_ < n_; i_++) {                                      \
                const REAL a = a_[i_ * a_step_], b = b_[i_ * b_step_];                 \
                y_[i_ * y_step_] = (formula);                                          \
            }                                                                          \
        }                                                                              \
    } while (0)

/* Move one axis of a view to the end; the others keep their order. */
FigView fig_view_axis_last(const FigView *view, int axis);

/* Merge neighbouring axes, the last `inner` left alone, wherever every view can be walked
 * across them with one stride, so that dense tensors become few long rows.
 *
 * shapes   all n views have the same rank and, without the last inner axes, the same
 *          sizes; afterwards too, and at least one axis stands before the inner ones
 */
void fig_views_merge(FigView *views, int n, int inner);

/* ---- the exponential ---- */

/* e^x by one rule on every machine, written so that a loop over it vectorises: with n the
 * whole number nearest to x / ln 2 and r = x − n ln 2 it is 2ⁿ eʳ, and Taylor's series to
 * r⁷ is exact to a float for |r| ≤ ln 2 / 2. Where 2ⁿ is no float, below −87.7 and above
 * 88.3, the result is 0 or infinite. */
static inline float
fig_exp_float(float x)
{
    const float shift = 12582912; /* 1.5 · 2²³: adding it leaves n in the lowest bits */
    x = x < -88 ? -88 : x;        /* NaN stays */
    x = x > 89 ? 89 : x;
    float shifted = x * 1.44269504f + shift;
    float n = shifted - shift;                           /* −127 … 128 */
    float r = x - n * 0.693359375f + n * 2.12194440e-4f; /* ln 2 in two parts */
    float series = 1.0f / 5040;
    series = series * r + 1.0f / 720;
    series = series * r + 1.0f / 120;
    series = series * r + 1.0f / 24;
    series = series * r + 1.0f / 6;
    series = series * r + 0.5f;
    series = series * r + 1;
    series = series * r + 1;
    uint32_t bits;
    memcpy(&bits, &shifted, sizeof(bits));
    bits = (bits << 23) + 0x3f800000; /* 2ⁿ as a float; 0 for −127, infinite for 128 */
    float power;
    memcpy(&power, &bits, sizeof(power));
    return series * power;
}

static inline double
fig_exp_double(double x)
{
    return exp(x);
}

/* ---- costs ---- */

/* The product of a shape's axes as a polynomial. */
const FigPoly *fig_cost_elements(FigAlgebra *algebra, const FigPoly *const *shape,
                                 int rank);

/* `each` operations for every element of the first result. */
const FigPoly *fig_cost_each(const FigOpFacts *facts, int64_t each);

/* Nothing: for ops that only give their operand another shape. */
const FigPoly *fig_cost_none(const FigOpFacts *facts);

/* ---- labels ---- */

/* A label as one factor of a product: in parentheses when it is a sum, a product or a
 * quotient, or, for a script to follow, when it ends in one already ("z'").
 *
 * owns     arena
 */
const char *fig_tex_factor(FigArena *arena, const char *tex, bool script);

/* The subscript of a label, without its braces ("q" of "g_{q}"), or NULL.
 *
 * owns     arena
 */
const char *fig_tex_subscript(FigArena *arena, const char *tex);

/* An axis of the first operand in words: "keys", "queries", "$T$" after its size, or its
 * own name; axis is the op's AXIS attribute.
 *
 * owns     arena
 */
const char *fig_label_axis(const FigOpFacts *facts, int axis, FigArena *arena);

#endif
