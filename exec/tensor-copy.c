/* SPDX-License-Identifier: MIT
 *
 * Numbers of a file into a view. A checkpoint stores most weights the other way round, and
 * to walk a large matrix against its grain misses the cache at every step: it is taken tile
 * by tile, read along the rows of the file and written along those of the view.
 */
#include "exec/tensor-copy.h"

#include "exec/half.h"

#include <string.h>

enum { ROWS = 16, COLUMNS = 256 }; /* of a tile: 32 KB of doubles */

/* n numbers from `index` on. */
static void
read_run(const FigFileTensor *tensor, int64_t index, int64_t n, double *out)
{
    const char *data = tensor->data;
    if (tensor->stored == FIG_STORED_F16 || tensor->stored == FIG_STORED_BF16) {
        bool brain = tensor->stored == FIG_STORED_BF16;
        for (int64_t i = 0; i < n; i++) {
            uint16_t half;
            memcpy(&half, data + 2 * (index + i), sizeof half);
            out[i] = (double)(brain ? fig_bfloat_float(half) : fig_half_float(half));
        }
    } else if (tensor->type == FIG_F32) {
        for (int64_t i = 0; i < n; i++) {
            float single;
            memcpy(&single, data + 4 * (index + i), sizeof single);
            out[i] = (double)single;
        }
    } else {
        memcpy(out, data + 8 * index, sizeof *out * (size_t)n);
    }
}

static void
write_one(const FigView *view, int64_t at, double x)
{
    if (view->type == FIG_F32)
        ((float *)view->data)[at] = (float)x;
    else
        ((double *)view->data)[at] = x;
}

/* A tile into the view: its corner lies at `at`, `down` is the stride of the file's rows
 * there and `across` that of its columns. */
static void
write_tile(const double *tile, int64_t rows, int64_t columns, const FigView *view,
           int64_t at, int64_t down, int64_t across)
{
    if (down < across) {
        for (int64_t j = 0; j < columns; j++)
            for (int64_t i = 0; i < rows; i++)
                write_one(view, at + i * down + j * across, tile[i * COLUMNS + j]);
        return;
    }
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < columns; j++)
            write_one(view, at + i * down + j * across, tile[i * COLUMNS + j]);
}

/* The matrix of the file that begins at `index`, [rows columns]. */
static void
copy_matrix(const FigFileTensor *tensor, int64_t index, int64_t rows, int64_t columns,
            const FigView *view, int64_t at, int64_t down, int64_t across)
{
    double tile[ROWS * COLUMNS];
    for (int64_t r = 0; r < rows; r += ROWS)
        for (int64_t c = 0; c < columns; c += COLUMNS) {
            int64_t high = MIN(ROWS, rows - r), wide = MIN(COLUMNS, columns - c);
            for (int64_t i = 0; i < high; i++)
                read_run(tensor, index + (r + i) * columns + c, wide,
                         tile + i * COLUMNS);
            write_tile(tile, high, wide, view, at + r * down + c * across, down,
                       across);
        }
}

void
fig_file_tensor_copy(const FigFileTensor *tensor, bool turned, const FigView *view)
{
    int rank = view->rank;
    int64_t rows = rank >= 2 ? view->size[rank - 2] : 1, down = 0;
    int64_t columns = rank ? view->size[rank - 1] : 1, across = 1;
    if (rank >= 2)
        down = view->stride[rank - 2];
    if (rank)
        across = view->stride[rank - 1];
    if (turned) {
        int64_t size = rows, stride = down;
        rows = columns;
        columns = size;
        down = across;
        across = stride;
    }
    int64_t matrices = 1;
    for (int axis = 0; axis < rank - 2; axis++)
        matrices *= view->size[axis];
    for (int64_t m = 0; m < matrices; m++) {
        int64_t at = 0, rest = m;
        for (int axis = rank - 3; axis >= 0; axis--) {
            at += rest % view->size[axis] * view->stride[axis];
            rest /= view->size[axis];
        }
        copy_matrix(tensor, m * rows * columns, rows, columns, view, at, down, across);
    }
}
