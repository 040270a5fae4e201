/* SPDX-License-Identifier: MIT
 *
 * One op on watched buffers. Each result is computed twice over different bytes, so that
 * an element nobody wrote differs.
 */
#include "tests/ops/tensors.h"

#include "ops/signature.h"

#include <math.h>
#include <string.h>

enum { MARGIN = 64 }; /* bytes of sentinel before and behind a buffer */

/* A tensor in memory and what its bytes were before the run. */
typedef struct {
    FigView view;
    unsigned char *block, *before;
    bool *element; /* is this byte of block part of an element? */
    size_t bytes;
} Buffer;

Tensor
tensor_new(FigArena *arena, int rank, const int64_t *size)
{
    Tensor tensor = {.rank = rank, .count = 1};
    for (int axis = 0; axis < rank; axis++) {
        tensor.size[axis] = size[axis];
        tensor.count *= size[axis];
    }
    tensor.number = fig_arena_new_array(arena, double, tensor.count);
    return tensor;
}

/* The element number `index`, row-major, of a strided view. */
static void *
element(const FigView *view, int64_t index)
{
    int64_t offset = 0;
    for (int axis = view->rank - 1; axis >= 0; axis--) {
        offset += index % view->size[axis] * view->stride[axis];
        index /= view->size[axis];
    }
    return (char *)view->data + offset * (int64_t)fig_type_size(view->type);
}

static void
put(const FigView *view, int64_t index, double value)
{
    void *at = element(view, index);
    switch (view->type) {
    case FIG_F32:
        *(float *)at = (float)value;
        break;
    case FIG_F64:
        *(double *)at = value;
        break;
    case FIG_U8:
        *(uint8_t *)at = (uint8_t)value;
        break;
    case FIG_I64:
        *(int64_t *)at = (int64_t)value;
        break;
    }
}

FigView
tensor_view(FigArena *arena, const Tensor *tensor, FigType type)
{
    void *data = fig_arena_new_array(arena, double, tensor->count); /* the widest */
    FigView view = fig_view_dense(data, type, tensor->rank, tensor->size);
    for (int64_t i = 0; i < tensor->count; i++)
        put(&view, i, tensor->number[i]);
    return view;
}

static double
get(const FigView *view, int64_t index)
{
    const void *at = element(view, index);
    return view->type == FIG_F32 ? (double)*(const float *)at : *(const double *)at;
}

static Buffer
buffer_new(const Tensor *tensor, FigType type, Lie lie, unsigned char filling)
{
    Buffer buffer = {.view = {.type = type, .rank = tensor->rank}};
    int64_t stride = 1;
    int rank = tensor->rank, gap = lie == LIE_DENSE ? 0 : 3;
    for (int i = 0; i < rank; i++) {
        /* innermost first: the last axis, or, crossed, the one before it */
        int axis = lie == LIE_CROSSED ? (2 * rank - 2 - i) % rank : rank - 1 - i;
        buffer.view.size[axis] = tensor->size[axis];
        buffer.view.stride[axis] = stride;
        stride = stride * tensor->size[axis] + gap;
    }
    size_t size = fig_type_size(type);
    buffer.bytes = (size_t)stride * size + 2 * MARGIN;
    buffer.block = g_malloc(buffer.bytes);
    memset(buffer.block, filling, buffer.bytes);
    buffer.view.data = buffer.block + MARGIN;
    buffer.element = g_new0(bool, buffer.bytes);
    for (int64_t i = 0; i < tensor->count; i++) {
        size_t at = (size_t)((unsigned char *)element(&buffer.view, i) - buffer.block);
        for (size_t byte = 0; byte < size; byte++) {
            g_assert_false(buffer.element[at + byte]);
            buffer.element[at + byte] = true;
        }
    }
    return buffer;
}

static void
buffer_note(Buffer *buffer)
{
    buffer->before = g_memdup2(buffer->block, buffer->bytes);
}

/* No byte has changed but, if it may, those of elements. */
static void
buffer_check(const Buffer *buffer, bool may_write, const char *what)
{
    for (size_t byte = 0; byte < buffer->bytes; byte++)
        if (!(may_write && buffer->element[byte]) &&
            buffer->block[byte] != buffer->before[byte])
            g_error("%s: byte %" G_GSIZE_FORMAT " of a buffer of %" G_GSIZE_FORMAT
                    " was overwritten",
                    what, byte, buffer->bytes);
}

static void
buffer_clear(Buffer *buffer)
{
    g_free(buffer->block);
    g_free(buffer->before);
    g_free(buffer->element);
}

static bool
run_once(const FigOp *op, FigType type, Way way, Lie in_lie, Lie out_lie, int n_in,
         const Tensor *in, int n_out, Tensor *out, const FigAttrValue *attr,
         unsigned char filling)
{
    g_autofree Buffer *from = g_new0(Buffer, n_in), *to = g_new0(Buffer, n_out);
    g_autofree FigView *in_views = g_new0(FigView, n_in),
                       *out_views = g_new0(FigView, n_out);
    for (int i = 0; i < n_in; i++) {
        FigType in_type = fig_signature_input_type(op, i, type);
        from[i] = buffer_new(&in[i], in_type, in_lie, filling);
        for (int64_t index = 0; index < in[i].count; index++)
            put(&from[i].view, index, in[i].number[index]);
        buffer_note(&from[i]);
        in_views[i] = from[i].view;
    }
    for (int i = 0; i < n_out; i++) {
        to[i] = buffer_new(&out[i], type, out_lie, filling);
        buffer_note(&to[i]);
        out_views[i] = to[i].view;
    }
    FigCall call = {.op = op,
                    .type = type,
                    .n_in = n_in,
                    .n_out = n_out,
                    .in = in_views,
                    .out = out_views,
                    .attr = attr};
    bool done = true;
    if (way == WAY_VIEW)
        done = op->view(&call, out_views);
    else
        (way == WAY_NAIVE ? op->naive : op->eval)[type](&call);
    for (int i = 0; i < n_in; i++)
        buffer_check(&from[i], false, op->name);
    for (int i = 0; i < n_out; i++) {
        buffer_check(&to[i], done && way != WAY_VIEW, op->name);
        if (!done)
            continue;
        g_assert_cmpint(out_views[i].rank, ==, out[i].rank);
        g_assert_cmpint(out_views[i].type, ==, type);
        for (int axis = 0; axis < out[i].rank; axis++)
            g_assert_cmpint(out_views[i].size[axis], ==, out[i].size[axis]);
        for (int64_t index = 0; index < out[i].count; index++)
            out[i].number[index] = get(&out_views[i], index);
    }
    for (int i = 0; i < n_in; i++)
        buffer_clear(&from[i]);
    for (int i = 0; i < n_out; i++)
        buffer_clear(&to[i]);
    return done;
}

bool
tensors_run(const FigOp *op, FigType type, Way way, Lie in_lie, Lie out_lie, int n_in,
            const Tensor *in, int n_out, Tensor *out, const FigAttrValue *attr)
{
    g_autoptr(FigArena) arena = fig_arena_new();
    g_autofree Tensor *again = g_new0(Tensor, n_out);
    for (int i = 0; i < n_out; i++)
        again[i] = tensor_new(arena, out[i].rank, out[i].size);
    /* 0x3d… and 0x41… are ordinary numbers, in float and in double */
    if (!run_once(op, type, way, in_lie, out_lie, n_in, in, n_out, again, attr, 0x3d))
        return false;
    run_once(op, type, way, in_lie, out_lie, n_in, in, n_out, out, attr, 0x41);
    for (int i = 0; i < n_out; i++)
        for (int64_t index = 0; index < out[i].count; index++)
            if (memcmp(&out[i].number[index], &again[i].number[index], sizeof(double)))
                g_error("%s: element %" G_GINT64_FORMAT " of result %d is not the same "
                        "twice, or not written",
                        op->name, index, i);
    return true;
}

void
tensors_near(const char *what, const Tensor *a, const Tensor *b, double bound)
{
    g_assert_cmpint(a->rank, ==, b->rank);
    for (int axis = 0; axis < a->rank; axis++)
        g_assert_cmpint(a->size[axis], ==, b->size[axis]);
    for (int64_t i = 0; i < a->count; i++) {
        double p = a->number[i], q = b->number[i];
        if (p == q)
            continue;
        if (!(isfinite(p) && isfinite(q) && fabs(p - q) <= bound * (1 + fabs(q))))
            g_error("%s: element %" G_GINT64_FORMAT " is %.9g, not %.9g", what, i, p,
                    q);
    }
}

Tensor
tensor_slice(FigArena *arena, const Tensor *tensor, const int64_t *first,
             const int64_t *size, const int64_t *step)
{
    Tensor slice = tensor_new(arena, tensor->rank, size);
    for (int64_t i = 0; i < slice.count; i++) {
        int64_t rest = i, offset = 0, stride = 1;
        for (int axis = tensor->rank - 1; axis >= 0; axis--) {
            offset += (first[axis] + rest % size[axis] * step[axis]) * stride;
            rest /= size[axis];
            stride *= tensor->size[axis];
        }
        slice.number[i] = tensor->number[offset];
    }
    return slice;
}
