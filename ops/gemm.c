/* SPDX-License-Identifier: MIT
 *
 * The matrix product in plain loops and through CBLAS. Both bring the operands to one
 * form first: the same batch axes everywhere, with stride 0 where an operand is shared.
 * A weight shared by a dense batch, [B T C]·[C N], becomes one product of (B·T) rows.
 */
#ifdef REAL

/* Columns of a product that are summed side by side, so that no sum waits for itself. */
#ifndef FIG_COLUMNS
#define FIG_COLUMNS 16
#include <string.h>
typedef double FigPair __attribute__((vector_size(16))); /* of gcc and clang */
#endif

/* The sums of a [k] · b [k FIG_COLUMNS], whose columns lie side by side: what the loops below
 * do, two columns at once, each sum in the same order. */
static void
FN(whole_columns)(int64_t k, const REAL *a, int64_t along, const REAL *b, int64_t down,
                  double *sums)
{
    FigPair sum[FIG_COLUMNS / 2] = {{0}};
    for (int64_t l = 0; l < k; l++) {
        const REAL *b_row = b + l * down;
        double x = a[l * along];
        for (int j = 0; j < FIG_COLUMNS / 2; j++)
            sum[j] += (FigPair){x, x} * (FigPair){b_row[2 * j], b_row[2 * j + 1]};
    }
    memcpy(sums, sum, sizeof sum);
}

/* y [m n] = scale · a [m k] · b [k n], each sum in order and in double. */
static void
FN(loops)(const FigView *a, const FigView *b, const FigView *y, double scale)
{
    int64_t m = y->size[0], n = y->size[1], k = a->size[1];
    int64_t down = b->stride[0], across = b->stride[1];
    const REAL *a_data = a->data, *b_data = b->data;
    REAL *y_data = y->data;
    for (int64_t i = 0; i < m; i++) {
        const REAL *a_row = a_data + i * a->stride[0];
        REAL *y_row = y_data + i * y->stride[0];
        for (int64_t first = 0; first < n; first += FIG_COLUMNS) {
            int64_t columns = n - first < FIG_COLUMNS ? n - first : FIG_COLUMNS;
            double sum[FIG_COLUMNS] = {0};
            bool whole = columns == FIG_COLUMNS && across == 1;
            if (whole)
                FN(whole_columns)(k, a_row, a->stride[1], b_data + first, down, sum);
            for (int64_t l = 0; l < k && !whole; l++) {
                double x = a_row[l * a->stride[1]];
                const REAL *b_row = b_data + l * down + first * across;
                for (int64_t j = 0; j < columns; j++)
                    sum[j] += x * b_row[j * across];
            }
            for (int64_t j = 0; j < columns; j++)
                y_row[(first + j) * y->stride[1]] = (REAL)(scale * sum[j]);
        }
    }
}

#else
#define SELF "ops/gemm.c"
#include "ops/both.h"

#include "ops/blas.h"
#include "ops/gemm.h"

#include <glib.h>
#include <limits.h>

typedef void (*Product)(FigType type, const FigView *a, const FigView *b,
                        const FigView *y, double scale);

static void
loops(FigType type, const FigView *a, const FigView *b, const FigView *y, double scale)
{
    if (type == FIG_F32)
        loops_float(a, b, y, scale);
    else
        loops_double(a, b, y, scale);
}

/* Say how BLAS reads a row-major matrix: as it lies or transposed, with the distance of
 * its rows or columns; false if neither axis has unit stride. The stride of an axis with
 * one entry means nothing. */
static bool
blas_reads(const FigView *matrix, CBLAS_TRANSPOSE *transpose, int64_t *leading)
{
    int64_t rows = matrix->size[0], columns = matrix->size[1];
    int64_t down = rows == 1 ? columns : matrix->stride[0];
    int64_t across = columns == 1 ? rows : matrix->stride[1];
    if ((columns == 1 || across == 1) && down >= columns) {
        *transpose = CblasNoTrans;
        *leading = down;
    } else if ((rows == 1 || down == 1) && across >= rows) {
        *transpose = CblasTrans;
        *leading = across;
    } else {
        return false;
    }
    return *leading <= INT_MAX;
}

static void
blas(FigType type, const FigView *a, const FigView *b, const FigView *y, double scale)
{
    int64_t m = y->size[0], n = y->size[1], k = a->size[1];
    CBLAS_TRANSPOSE a_form, b_form, y_form;
    int64_t a_leading, b_leading, y_leading;
    bool fits = m <= INT_MAX && n <= INT_MAX && k <= INT_MAX && m * n * k > 0 &&
                blas_reads(a, &a_form, &a_leading) &&
                blas_reads(b, &b_form, &b_leading) &&
                blas_reads(y, &y_form, &y_leading);
    const FigBlas *library = fits ? fig_blas(NULL) : NULL;
    if (!library || scale == 0) { /* BLAS would not look at a and b: 0 · NaN is NaN */
        loops(type, a, b, y, scale);
        return;
    }
    if (y_form == CblasTrans) { /* yᵀ = bᵀ aᵀ */
        FigView a_t = fig_view_transposed(a), b_t = fig_view_transposed(b);
        FigView y_t = fig_view_transposed(y);
        blas(type, &b_t, &a_t, &y_t, scale);
        return;
    }
    if (type == FIG_F32)
        library->sgemm(CblasRowMajor, a_form, b_form, (int)m, (int)n, (int)k,
                       (float)scale, a->data, (int)a_leading, b->data, (int)b_leading,
                       0, y->data, (int)y_leading);
    else
        library->dgemm(CblasRowMajor, a_form, b_form, (int)m, (int)n, (int)k, scale,
                       a->data, (int)a_leading, b->data, (int)b_leading, 0, y->data,
                       (int)y_leading);
}

/* Give a shared matrix [k n] the batch axes of y, with stride 0. */
static FigView
with_batch(const FigView *matrix, const FigView *y)
{
    FigView view = *y;
    view.data = matrix->data;
    for (int axis = 0; axis < y->rank - 2; axis++)
        view.stride[axis] = 0;
    for (int axis = 0; axis < 2; axis++) {
        view.size[y->rank - 2 + axis] = matrix->size[axis];
        view.stride[y->rank - 2 + axis] = matrix->stride[axis];
    }
    return view;
}

/* The matrix number `batch` of a view. */
static FigView
matrix_of(const FigView *view, int64_t batch)
{
    int first = view->rank - 2;
    FigView matrix = {
        .data = (char *)view->data +
                fig_row_offset(view, 2, batch) * (int64_t)fig_type_size(view->type),
        .type = view->type,
        .rank = 2,
        .size = {view->size[first], view->size[first + 1]},
        .stride = {view->stride[first], view->stride[first + 1]},
    };
    return matrix;
}

static void
for_each_matrix(Product product, FigType type, const FigView *a, const FigView *b,
                const FigView *y, double scale)
{
    FigView rows[2] = {*a, *y};
    if (b->rank == 2)
        fig_views_merge(rows, 2, 1);
    g_assert(rows[0].rank == rows[1].rank && rows[0].rank >= 2);
    FigView shared = b->rank == 2 ? with_batch(b, &rows[1]) : *b;
    int64_t count = fig_row_count(&rows[1], 2);
    for (int64_t batch = 0; batch < count; batch++) {
        FigView one_a = matrix_of(&rows[0], batch);
        FigView one_b = matrix_of(&shared, batch);
        FigView one_y = matrix_of(&rows[1], batch);
        product(type, &one_a, &one_b, &one_y, scale);
    }
}

void
fig_gemm_naive(FigType type, const FigView *a, const FigView *b, const FigView *y,
               double scale)
{
    for_each_matrix(loops, type, a, b, y, scale);
}

void
fig_gemm_blas(FigType type, const FigView *a, const FigView *b, const FigView *y,
              double scale)
{
    for_each_matrix(blas, type, a, b, y, scale);
}

#endif
