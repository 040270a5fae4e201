/* SPDX-License-Identifier: MIT
 *
 * An edit is read by the grammar of expressions, on both sides of its sign, and applied
 * entry by entry.
 */
#include "exec/edit.h"

#include "exec/fill.h"
#include "exec/passes.h"
#include "spec/scope.h"

#include <math.h>
#include <string.h>

/* ---- parts ---- */

FigPart
fig_part_whole(const FigGraph *graph, const FigSizes *sizes, int value)
{
    FigPart part = {.value = value, .rank = graph->values[value].shape.rank};
    for (int axis = 0; axis < part.rank; axis++)
        part.to[axis] = sizes->value[value][axis];
    return part;
}

static bool
read_number(const FigExpr *expr, FigPartNumber number, void *data, FigDiag *diag,
            int64_t *whole)
{
    double real;
    if (!number(expr, data, &real))
        return false;
    if (real != floor(real) || fabs(real) > 1e15) {
        fig_diag_error(diag, expr->span, "an index is a whole number");
        return false;
    }
    *whole = (int64_t)real;
    return true;
}

static bool
read_index(const FigExpr *index, const char *axis, int64_t size, FigPartNumber number,
           void *data, FigDiag *diag, int64_t *from, int64_t *to)
{
    *from = 0;
    *to = size;
    if (index->kind != FIG_EXPR_SLICE) {
        if (!read_number(index, number, data, diag, from))
            return false;
        *from += *from < 0 ? size : 0;
        *to = *from + 1;
    } else {
        if (index->args[0] && !read_number(index->args[0], number, data, diag, from))
            return false;
        if (index->args[1] && !read_number(index->args[1], number, data, diag, to))
            return false;
        *from += *from < 0 ? size : 0;
        *to += *to < 0 ? size : 0;
    }
    if (*from >= 0 && *to <= size && *from < *to)
        return true;
    fig_diag_error(diag, index->span,
                   "nothing is there: axis ‘%s’ has %" G_GINT64_FORMAT " entries", axis,
                   size);
    return false;
}

bool
fig_part_indices(const FigExpr *expr, int rank, const int64_t *size,
                 const char *const *axes, FigPartNumber number, void *data,
                 FigDiag *diag, FigPart *part, bool *single)
{
    int n = expr->n_args - 1, rest = -1;
    for (int i = 0; i < n; i++) {
        if (expr->args[i + 1]->kind != FIG_EXPR_REST)
            continue;
        if (rest >= 0) {
            fig_diag_error(diag, expr->args[i + 1]->span,
                           "‘...’ stands once in an index");
            return false;
        }
        rest = i;
    }
    int given = n - (rest >= 0);
    if (given > rank) {
        fig_diag_error(diag, expr->span, "%d indices for %d axes", given, rank);
        return false;
    }
    part->rank = rank;
    for (int axis = 0; axis < rank; axis++) {
        part->from[axis] = 0;
        part->to[axis] = size[axis];
        if (single)
            single[axis] = false;
    }
    for (int i = 0, axis = 0; i < n; i++) {
        const FigExpr *index = expr->args[i + 1];
        if (i == rest) {
            axis += rank - given;
            continue;
        }
        if (!read_index(index, axes[axis], size[axis], number, data, diag,
                        &part->from[axis], &part->to[axis]))
            return false;
        if (single)
            single[axis] = index->kind != FIG_EXPR_SLICE;
        axis++;
    }
    return true;
}

/* ---- reading ---- */

typedef struct Reader {
    const FigGraph *graph;
    const FigSizes *sizes;
    FigDiag *diag;
    FigScope scope;
    const char *const *names; /* dims and constants, for suggestions */
} Reader;

static bool
number_of(const FigExpr *expr, void *data, double *number)
{
    Reader *r = data;
    return fig_scope_real(&r->scope, expr, r->names, r->diag, number);
}

static const char *const *
number_names(const FigGraph *graph, FigArena *arena)
{
    const char **names = fig_arena_new_array(arena, const char *,
                                             graph->n_dims + graph->n_constants + 1);
    int n = 0;
    for (int i = 0; i < graph->n_dims; i++)
        names[n++] = graph->dims[i].id;
    for (int i = 0; i < graph->n_constants; i++)
        names[n++] = graph->constants[i].id;
    return names;
}

/* The value that a name means: its own, or the only one of an op. */
static int
find_value(const Reader *r, const FigExpr *name, FigArena *arena)
{
    const FigGraph *graph = r->graph;
    int value = fig_graph_value(graph, name->name);
    int node = fig_graph_node(graph, name->name);
    if (value < 0 && node >= 0 && graph->nodes[node].n_writes == 1)
        value = graph->nodes[node].writes[0];
    if (value >= 0)
        return value;
    if (node >= 0) {
        fig_diag_error(r->diag, name->span,
                       "op ‘%s’ has %d results; an edit changes one", name->name,
                       graph->nodes[node].n_writes);
        return -1;
    }
    FigMessage *message = fig_diag_error(r->diag, name->span,
                                         "there is no value ‘%s’ to edit", name->name);
    const char **ids = fig_arena_new_array(arena, const char *, graph->n_values + 1);
    for (int v = 0; v < graph->n_values; v++)
        ids[v] = graph->values[v].id;
    fig_message_suggest(message, name->name, ids);
    return -1;
}

static bool
read_target(Reader *r, const FigExpr *target, FigArena *arena, FigPart *part)
{
    const FigExpr *name = target->kind == FIG_EXPR_INDEX ? target->args[0] : target;
    if (name->kind != FIG_EXPR_NAME) {
        fig_diag_error(r->diag, target->span,
                       "an edit changes a value, V or V[…], not an expression");
        return false;
    }
    int value = find_value(r, name, arena);
    if (value < 0)
        return false;
    *part = fig_part_whole(r->graph, r->sizes, value);
    if (target == name)
        return true;
    const FigShape *shape = &r->graph->values[value].shape;
    const char *axes[FIG_LIMIT_RANK];
    for (int axis = 0; axis < shape->rank; axis++)
        axes[axis] = shape->name[axis]
                         ? shape->name[axis]
                         : fig_poly_text(r->graph->algebra, shape->axis[axis]);
    return fig_part_indices(target, shape->rank, r->sizes->value[value], axes,
                            number_of, r, r->diag, part, NULL);
}

/* "layers.1.down[0]" as "down[0]", which ends in the same column, with the pass noted; other
 * texts as they are. NULL, reported. owns: arena */
static const char *
take_pass(const Reader *r, const char *left, FigSpan span, FigArena *arena,
          FigEdit *edit)
{
    size_t length = strcspn(left, "[");
    g_autofree char *name = g_strstrip(g_strndup(left, length));
    int value;
    if (!strchr(name, '.'))
        return left;
    if (!fig_pass_find(r->graph, r->sizes, name, &value, &edit->pass)) {
        FigMessage *message =
            fig_diag_error(r->diag, span, "there is no value ‘%s’ to edit", name);
        fig_message_hint(message,
                         "a value in a repeat is GROUP.PASS.VALUE, passes from "
                         "0: layers.1.down");
        return NULL;
    }
    edit->one_pass = true;
    const char *id = r->graph->values[value].id;
    return fig_arena_printf(arena, "%*s%s%s", (int)(length - strlen(id)), "", id,
                            left + length);
}

/* Where the sign of an edit stands, and how long it is; NULL: there is none. */
static const char *
find_sign(const char *text, FigEditSign *sign, size_t *length)
{
    const char *equals = strchr(text, '=');
    *length = 1;
    *sign = FIG_EDIT_SET;
    if (!equals || equals == text || equals[1] == '=' || strchr("<>!-/", equals[-1]))
        return NULL;
    if (equals[-1] != '*' && equals[-1] != '+')
        return equals;
    *sign = equals[-1] == '*' ? FIG_EDIT_MUL : FIG_EDIT_ADD;
    *length = 2;
    return equals - 1;
}

bool
fig_edit_parse(const FigGraph *graph, const FigSizes *sizes, const char *text,
               FigSpan span, FigDiag *diag, FigEdit *edit)
{
    g_autoptr(FigArena) arena = fig_arena_new();
    Reader r = {
        graph,
        sizes,
        diag,
        {graph->n_dims, graph->dims, sizes->dim, graph->n_constants, graph->constants},
        number_names(graph, arena)};
    size_t length;
    *edit = (FigEdit){0};
    const char *sign = find_sign(text, &edit->sign, &length);
    if (!sign) {
        fig_diag_error(diag, span, "‘%s’ is no edit: V = x, V += x or V *= x", text);
        return false;
    }
    size_t before = (size_t)(sign - text), after = before + length;
    char *left = fig_arena_strndup(arena, text, before);
    FigSpan at = fig_span_inside(span, 0, before);
    const char *plain = take_pass(&r, left, at, arena, edit);
    const FigExpr *target = plain ? fig_expr_parse_text(plain, at, arena, diag) : NULL;
    if (!target || !read_target(&r, target, arena, &edit->part))
        return false;
    if (graph->values[edit->part.value].whole) {
        fig_diag_error(diag, at, "‘%s’ holds whole numbers, which no edit changes",
                       graph->values[edit->part.value].id);
        return false;
    }
    const FigExpr *amount = fig_expr_parse_text(
        text + after, fig_span_inside(span, after, strlen(text) - after), arena, diag);
    return amount && number_of(amount, &r, &edit->amount);
}

/* ---- applying ---- */

static double
read_entry(const FigView *view, int64_t at)
{
    return view->type == FIG_F32 ? (double)((float *)view->data)[at]
                                 : ((double *)view->data)[at];
}

static void
write_entry(const FigView *view, int64_t at, double x)
{
    if (view->type == FIG_F32)
        ((float *)view->data)[at] = (float)x;
    else
        ((double *)view->data)[at] = x;
}

/* The part as a view of its own. */
static FigView
part_view(const FigPart *part, const FigView *value)
{
    FigView view = *value;
    int64_t start = 0;
    g_assert(part->rank == value->rank);
    for (int axis = 0; axis < part->rank; axis++) {
        g_assert(part->from[axis] >= 0 && part->to[axis] <= value->size[axis]);
        start += part->from[axis] * value->stride[axis];
        view.size[axis] = part->to[axis] - part->from[axis];
    }
    view.data = (char *)value->data + (size_t)start * fig_type_size(value->type);
    return view;
}

/* Where entry number i, row-major, lies. */
static int64_t
entry_offset(const FigView *view, int64_t i)
{
    int64_t at = 0;
    for (int axis = view->rank - 1; axis >= 0; axis--) {
        at += i % view->size[axis] * view->stride[axis];
        i /= view->size[axis];
    }
    return at;
}

/* The root of the mean square of what is finite; 1 where that is nothing. */
static double
part_size(const FigView *view, int64_t count)
{
    double sum = 0;
    int64_t finite = 0;
    for (int64_t i = 0; i < count; i++) {
        double x = read_entry(view, entry_offset(view, i));
        if (!isfinite(x))
            continue;
        sum += x * x;
        finite++;
    }
    double size = finite ? sqrt(sum / (double)finite) : 0;
    return size > 0 && isfinite(size) ? size : 1;
}

void
fig_edit_apply(const FigEdit *edit, const FigView *value)
{
    FigView view = part_view(&edit->part, value);
    int64_t count = fig_view_count(&view);
    bool seeded = edit->sign >= FIG_EDIT_SHIFT, in_order = fig_view_is_dense(&view);
    g_autofree double *noise = NULL;
    if (seeded) {
        noise = g_new(double, (gsize)count);
        FigView dense = fig_view_dense(noise, FIG_F64, 1, &count);
        fig_fill_random(&dense, edit->seed, "edit", part_size(&view, count));
    }
    for (int64_t i = 0; i < count; i++) {
        int64_t at = in_order ? i : entry_offset(&view, i);
        double x = read_entry(&view, at);
        switch (edit->sign) {
        case FIG_EDIT_SET:
            x = edit->amounts ? edit->amounts[i] : edit->amount;
            break;
        case FIG_EDIT_ADD:
            x += edit->amount;
            break;
        case FIG_EDIT_MUL:
            x *= edit->amount;
            break;
        case FIG_EDIT_SHIFT:
            x += noise[i];
            break;
        case FIG_EDIT_REPLACE:
            x = noise[i];
            break;
        case FIG_EDIT_DISTURB:
            x = i % 2 ? noise[i] : x + noise[i];
            break;
        }
        write_entry(&view, at, x);
    }
}
