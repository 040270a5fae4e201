/* SPDX-License-Identifier: MIT
 *
 * Strided views: made, counted, transposed, walked row by row.
 */
#include "ops/gemm.h"
#include "ops/kernel.h"

#include <glib.h>

size_t
fig_type_size(FigType type)
{
    static const size_t sizes[] = {
        [FIG_F32] = sizeof(float),
        [FIG_F64] = sizeof(double),
        [FIG_U8] = sizeof(uint8_t),
        [FIG_I64] = sizeof(int64_t),
    };
    return sizes[type];
}

const char *
fig_type_name(FigType type)
{
    static const char *const names[] = {
        [FIG_F32] = "float32",
        [FIG_F64] = "float64",
        [FIG_U8] = "uint8",
        [FIG_I64] = "int64",
    };
    return names[type];
}

FigView
fig_view_dense(void *data, FigType type, int rank, const int64_t *size)
{
    g_assert(rank >= 0 && rank <= FIG_LIMIT_RANK);
    FigView view = {.data = data, .type = type, .rank = rank};
    int64_t stride = 1;
    for (int axis = rank - 1; axis >= 0; axis--) {
        view.size[axis] = size[axis];
        view.stride[axis] = stride;
        /* a shape run has sizes that no memory holds, and no data to stride over */
        if (__builtin_mul_overflow(stride, size[axis], &stride))
            stride = INT64_MAX;
    }
    return view;
}

int64_t
fig_view_count(const FigView *view)
{
    return fig_row_count(view, 0);
}

bool
fig_view_is_dense(const FigView *view)
{
    int64_t stride = 1;
    for (int axis = view->rank - 1; axis >= 0; axis--) {
        if (view->size[axis] != 1 && view->stride[axis] != stride)
            return false;
        stride *= view->size[axis];
    }
    return true;
}

FigView
fig_view_transposed(const FigView *view)
{
    return fig_view_axis_last(view, view->rank - 2);
}

FigView
fig_view_axis_last(const FigView *view, int axis)
{
    g_assert(axis >= 0 && axis < view->rank);
    FigView moved = *view;
    int last = view->rank - 1;
    for (int i = axis; i < last; i++) {
        moved.size[i] = view->size[i + 1];
        moved.stride[i] = view->stride[i + 1];
    }
    moved.size[last] = view->size[axis];
    moved.stride[last] = view->stride[axis];
    return moved;
}

int64_t
fig_row_count(const FigView *view, int inner)
{
    int64_t count = 1;
    for (int axis = 0; axis < view->rank - inner; axis++)
        count *= view->size[axis];
    return count;
}

int64_t
fig_row_offset(const FigView *view, int inner, int64_t row)
{
    int64_t offset = 0;
    for (int axis = view->rank - inner - 1; axis >= 0; axis--) {
        offset += row % view->size[axis] * view->stride[axis];
        row /= view->size[axis];
    }
    return offset;
}

/* Can axis and the one after it be walked with the stride of the latter? */
static bool
mergeable(const FigView *view, int axis)
{
    return view->size[axis] == 1 || view->size[axis + 1] == 1 ||
           view->stride[axis] == view->size[axis + 1] * view->stride[axis + 1];
}

static void
merge(FigView *view, int axis)
{
    int64_t stride =
        view->size[axis + 1] == 1 ? view->stride[axis] : view->stride[axis + 1];
    view->size[axis] *= view->size[axis + 1];
    view->stride[axis] = stride;
    view->rank--;
    for (int i = axis + 1; i < view->rank; i++) {
        view->size[i] = view->size[i + 1];
        view->stride[i] = view->stride[i + 1];
    }
}

static void
insert_first(FigView *view)
{
    for (int i = view->rank; i > 0; i--) {
        view->size[i] = view->size[i - 1];
        view->stride[i] = view->stride[i - 1];
    }
    view->rank++;
    view->size[0] = 1;
    view->stride[0] = 0;
}

void
fig_views_merge(FigView *views, int n, int inner)
{
    for (int axis = views[0].rank - inner - 2; axis >= 0; axis--) {
        bool all = true;
        for (int i = 0; i < n; i++)
            all = all && mergeable(&views[i], axis);
        for (int i = 0; i < n && all; i++)
            merge(&views[i], axis);
    }
    for (int i = 0; i < n; i++)
        while (views[i].rank <= inner) /* a single number is a row of one */
            insert_first(&views[i]);
}

void
fig_view_copy(const FigView *from, const FigView *to)
{
    size_t each = fig_type_size(from->type);
    int64_t count = fig_view_count(from);
    g_assert(from->type == to->type && count == fig_view_count(to));
    if (fig_view_is_dense(from) && fig_view_is_dense(to)) {
        memcpy(to->data, from->data, (size_t)count * each);
        return;
    }
    for (int64_t i = 0; i < count; i++)
        memcpy((char *)to->data + (size_t)fig_row_offset(to, 0, i) * each,
               (const char *)from->data + (size_t)fig_row_offset(from, 0, i) * each,
               each);
}
