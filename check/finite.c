/* SPDX-License-Identifier: MIT
 *
 * A place is told by the axes along which it is not the same: of a row whose keys are all
 * NaN, in each head, only the query.
 */
#include "check/finite.h"

#include <math.h>
#include <string.h>

typedef bool (*Test)(double x);

static bool
is_nothing(double x)
{
    return isnan(x) || (isinf(x) && x > 0);
}

static bool
is_masked(double x)
{
    return isinf(x) && x < 0;
}

/* ---- places ---- */

static void
place_of(const FigView *view, int64_t k, int64_t *index)
{
    for (int axis = view->rank - 1; axis >= 0; axis--) {
        index[axis] = k % view->size[axis];
        k /= view->size[axis];
    }
}

static int64_t
entry(const FigView *view, const int64_t *index)
{
    int64_t k = 0;
    for (int axis = 0; axis < view->rank; axis++)
        k = k * view->size[axis] + index[axis];
    return k;
}

/* Is it so all along an axis, through a place? */
static bool
all_along(const FigView *view, const int64_t *index, int axis, Test test)
{
    int64_t here[FIG_LIMIT_RANK];
    memcpy(here, index, sizeof here);
    for (here[axis] = 0; here[axis] < view->size[axis]; here[axis]++)
        if (!test(fig_view_number(view, entry(view, here))))
            return false;
    return true;
}

/* What an axis of a value is called; a view may have lost the first ones. */
static const char *
axis_name(const FigGraph *graph, int value, const FigView *view, int axis)
{
    const FigShape *shape = &graph->values[value].shape;
    int at = axis + shape->rank - view->rank;
    if (at < 0)
        return "axis";
    return shape->name[at] ? shape->name[at]
                           : fig_poly_text(graph->algebra, shape->axis[at]);
}

static const char *
where(const FigFinite *finite, int value, const FigView *view, const int64_t *index,
      double x)
{
    g_autoptr(GString) out = g_string_new(NULL);
    int named = 0;
    g_string_append_printf(out, "‘%s’ is %s", finite->graph->values[value].id,
                           isnan(x) ? "NaN" : "∞");
    for (int axis = 0; axis < view->rank; axis++)
        if (!all_along(view, index, axis, is_nothing))
            g_string_append_printf(
                out, "%s%s = %" G_GINT64_FORMAT, named++ ? ", " : " at ",
                axis_name(finite->graph, value, view, axis), index[axis]);
    return fig_arena_strdup(finite->arena, out->str);
}

/* An operand that is −∞ through the place, all along an axis that the op mixes. */
static const char *
cause(const FigFinite *finite, const FigNode *node, const FigCall *call,
      const FigView *out, const int64_t *index)
{
    for (int i = 0; i < call->n_in && i < node->n_reads; i++) {
        const FigView *in = &call->in[i];
        if (in->rank != out->rank ||
            memcmp(in->size, out->size, (size_t)in->rank * sizeof *in->size) != 0)
            continue;
        int value = node->reads[i].value;
        for (int axis = 0; axis < in->rank; axis++)
            if (node->in_mixed[i] & (1u << axis) &&
                all_along(in, index, axis, is_masked))
                return fig_arena_printf(finite->arena,
                                        "‘%s’, which it reads, is −∞ there at each %s",
                                        finite->graph->values[value].id,
                                        axis_name(finite->graph, value, in, axis));
    }
    return NULL;
}

/* ---- the run ---- */

static int64_t
first(const FigView *view)
{
    int64_t count = fig_view_count(view);
    for (int64_t k = 0; k < count; k++)
        if (is_nothing(fig_view_number(view, k)))
            return k;
    return -1;
}

static void
look(int n, const FigCall *call, void *data)
{
    FigFinite *finite = data;
    const FigNode *node = &finite->graph->nodes[n];
    for (int i = 0; finite->node < 0 && i < call->n_in; i++)
        if (first(&call->in[i]) >= 0)
            return; /* it was given them */
    for (int i = 0; finite->node < 0 && i < call->n_out; i++) {
        const FigView *out = &call->out[i];
        int64_t index[FIG_LIMIT_RANK], k = first(out);
        if (k < 0)
            continue;
        place_of(out, k, index);
        finite->node = n;
        finite->where =
            where(finite, node->writes[i], out, index, fig_view_number(out, k));
        finite->cause = cause(finite, node, call, out, index);
    }
}

FigRunHook
fig_finite_begin(FigFinite *finite, const FigGraph *graph, FigArena *arena)
{
    *finite = (FigFinite){.graph = graph, .arena = arena, .node = -1};
    return (FigRunHook){.after = look, .data = finite};
}
