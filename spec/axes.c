/* SPDX-License-Identifier: MIT
 *
 * The notation is that of einops, read from left to right: a small stack of one
 * parenthesis.
 */
#include "spec/axes.h"

#include "base/num.h"
#include "spec/loader.h"

#include <string.h>

typedef struct Reader {
    const FigYaml *text;
    const FigGraph *graph;
    const FigShape *shape;
    FigArena *arena;
    FigDiag *diag;
    FigAxes *axes;
} Reader;

static FigMessage *
fault(const Reader *r, const char *at, size_t length, const char *what)
{
    FigSpan span = fig_yaml_span(r->text, (size_t)(at - r->text->text), length);
    FigMessage *message = fig_diag_error(r->diag, span, "%s", what);
    fig_message_note(message, "the value is %s; such a text is “B (H d) -> H B d”",
                     fig_shape_text(r->graph->algebra, r->shape, r->arena));
    return message;
}

static size_t
word_length(const char *at)
{
    size_t n = 0;
    while (g_ascii_isalnum(at[n]) || at[n] == '_')
        n++;
    return n;
}

/* What the axis called so has, a number or a dim; NULL: an unknown name. */
static const FigPoly *
size_of(const Reader *r, const char *name, int axis)
{
    int64_t number;
    int dim = fig_graph_dim(r->graph, name);
    if (fig_num_read_integer(name, &number))
        return fig_poly_number(r->graph->algebra, number, 1);
    if (r->shape->name[axis] && strcmp(r->shape->name[axis], name) == 0)
        return r->shape->axis[axis]; /* "query" is T */
    return dim >= 0 ? r->graph->dims[dim].poly : NULL;
}

static int
find_part(const FigAxes *axes, const char *name)
{
    for (int i = 0; i < axes->n; i++)
        if (strcmp(axes->name[i], name) == 0)
            return i;
    return -1;
}

static bool
add_left(Reader *r, const char *at, size_t length, int axis)
{
    FigAxes *axes = r->axes;
    const char *name = fig_arena_strndup(r->arena, at, length);
    if (axis >= r->shape->rank || axes->n == FIG_AXES_PARTS)
        return fault(r, at, length, "more axes than the value has"), false;
    if (find_part(axes, name) >= 0)
        return fault(r, at, length, "this axis stands twice"), false;
    axes->name[axes->n] = name;
    axes->axis[axes->n] = axis;
    axes->size[axes->n++] = size_of(r, name, axis);
    return true;
}

static bool
add_right(Reader *r, const char *at, size_t length, int axis, int *n)
{
    FigAxes *axes = r->axes;
    g_autofree char *name = g_strndup(at, length);
    int part = find_part(axes, name);
    if (part < 0)
        return fault(r, at, length, "this axis does not stand on the left"), false;
    for (int i = 0; i < *n; i++)
        if (axes->order[i] == part)
            return fault(r, at, length, "this axis stands twice"), false;
    if (axis >= FIG_LIMIT_RANK)
        return fault(r, at, length, "more axes than a tensor can have"), false;
    axes->order[*n] = part;
    axes->there[(*n)++] = axis;
    return true;
}

/* One side, up to end; how many axes it has, or -1. */
static int
read_side(Reader *r, const char *at, const char *end, bool left, int *n)
{
    int axis = 0;
    bool inside = false;
    while (at < end) {
        size_t length = word_length(at);
        if (*at == ' ') {
            at++;
        } else if (*at == '(' && !inside) {
            inside = true;
            at++;
        } else if (*at == ')' && inside) {
            inside = false;
            axis++;
            at++;
        } else if (length) {
            if (left ? !add_left(r, at, length, axis)
                     : !add_right(r, at, length, axis, n))
                return -1;
            axis += !inside;
            at += length;
        } else {
            fault(r, at, 1, "an axis, ( or ) is wanted here");
            return -1;
        }
    }
    if (!inside)
        return axis;
    fault(r, end - 1, 1, "a ) is missing");
    return -1;
}

/* Do the parts of each axis make it up? */
static bool
check_sizes(Reader *r)
{
    FigAlgebra *algebra = r->graph->algebra;
    for (int axis = 0; axis < r->shape->rank; axis++) {
        const FigPoly *product = fig_poly_number(algebra, 1, 1);
        const char *free = NULL;
        int parts = 0;
        bool two = false;
        for (int i = 0; i < r->axes->n; i++) {
            if (r->axes->axis[i] != axis)
                continue;
            two = two || (free && !r->axes->size[i]);
            free = r->axes->size[i] ? free : r->axes->name[i];
            parts++;
            if (r->axes->size[i])
                product = fig_poly_mul(algebra, product, r->axes->size[i]);
        }
        fig_algebra_error(algebra);
        if (!two && parts > 0 &&
            (free || (product && fig_poly_equal(product, r->shape->axis[axis]))))
            continue;
        g_autofree char *what =
            two ? g_strdup_printf("two sizes of axis %d are unknown", axis)
                : g_strdup_printf("axis %d is %s, not what stands here", axis,
                                  fig_poly_text(algebra, r->shape->axis[axis]));
        fault(r, r->text->text, strlen(r->text->text), what);
        return false;
    }
    return true;
}

const FigAxes *
fig_axes_read(const FigYaml *text, const FigGraph *graph, const FigShape *shape,
              FigArena *arena, FigDiag *diag)
{
    FigAxes *axes = fig_arena_new0(arena, FigAxes);
    Reader reader = {text, graph, shape, arena, diag, axes};
    const char *start = text->text, *arrow = strstr(start, "->");
    int n = 0;
    if (!arrow) {
        fault(&reader, start, strlen(start), "an arrow -> is wanted here");
        return NULL;
    }
    axes->rank = read_side(&reader, start, arrow, true, &n);
    if (axes->rank < 0)
        return NULL;
    if (axes->rank != shape->rank) {
        fault(&reader, start, strlen(start),
              "another number of axes than the value has");
        return NULL;
    }
    axes->rank_there = read_side(&reader, arrow + 2, start + strlen(start), false, &n);
    if (axes->rank_there < 0 || !check_sizes(&reader))
        return NULL;
    for (int i = 0; i < axes->n; i++) {
        bool found = false;
        for (int k = 0; k < n; k++)
            found = found || axes->order[k] == i;
        if (found)
            continue;
        g_autofree char *what =
            g_strdup_printf("‘%s’ is left out on the right", axes->name[i]);
        fault(&reader, arrow, 2, what);
        return NULL;
    }
    return axes;
}

/* The size of every part. */
static bool
part_sizes(const FigAxes *axes, const FigGraph *graph, const FigSizes *sizes,
           const FigView *view, int64_t *size)
{
    for (int axis = 0; axis < axes->rank; axis++) {
        int64_t left = view->size[axis];
        int unknown = -1;
        for (int i = 0; i < axes->n; i++) {
            FigRational value;
            if (axes->axis[i] != axis)
                continue;
            if (!axes->size[i]) {
                unknown = i;
                continue;
            }
            if (fig_poly_value(graph->algebra, axes->size[i], sizes->symbol, &value) ||
                value.den != 1 || value.num < 1 || left % value.num)
                return false;
            size[i] = value.num;
            left /= value.num;
        }
        if (unknown >= 0)
            size[unknown] = left;
        else if (left != 1)
            return false;
    }
    return true;
}

bool
fig_axes_lay(const FigAxes *axes, const FigGraph *graph, const FigSizes *sizes,
             const FigView *view, FigArena *arena, FigView *there)
{
    int64_t size[FIG_AXES_PARTS], stride[FIG_AXES_PARTS], index[FIG_AXES_PARTS] = {0};
    int64_t step[FIG_LIMIT_RANK];
    if (view->rank != axes->rank || !part_sizes(axes, graph, sizes, view, size))
        return false;
    memcpy(step, view->stride, sizeof step);
    for (int i = axes->n - 1; i >= 0; i--) { /* the last part runs fastest */
        stride[i] = step[axes->axis[i]];
        step[axes->axis[i]] *= size[i];
    }
    FigView out = {.type = view->type, .rank = axes->rank_there};
    for (int i = 0; i < out.rank; i++)
        out.size[i] = 1;
    int64_t count = 1, dense = 1;
    for (int k = 0; k < axes->n; k++) {
        out.size[axes->there[k]] *= size[axes->order[k]];
        count *= size[axes->order[k]];
    }
    for (int i = out.rank - 1; i >= 0; dense *= out.size[i--])
        out.stride[i] = dense;
    size_t width = fig_type_size(view->type);
    out.data = fig_arena_alloc(arena, MAX(1, (size_t)count * width));
    for (int64_t at = 0, from = 0; at < count; at++) {
        memcpy((char *)out.data + (size_t)at * width,
               (const char *)view->data + from * (int64_t)width, width);
        for (int k = axes->n - 1; k >= 0; k--) { /* as an odometer */
            int part = axes->order[k];
            from += stride[part];
            if (++index[part] < size[part])
                break;
            from -= stride[part] * size[part];
            index[part] = 0;
        }
    }
    *there = out;
    return true;
}
