/* SPDX-License-Identifier: MIT
 *
 * The expression grammar parses a slice; here its indices become a smaller view, which
 * is printed as NumPy would.
 */
#include "cli/slice.h"

#include "base/num.h"

#include <string.h>

enum {
    SHOWN_AT_EDGE = 3, /* entries at each end of an axis longer than … */
    SHOWN_WHOLE = 8,
};

static bool
read_index(const FigExpr *expr, int64_t *index)
{
    int64_t sign = 1;
    if (expr->kind == FIG_EXPR_UNARY && expr->sign == FIG_NEG) {
        sign = -1;
        expr = expr->args[0];
    }
    if (expr->kind != FIG_EXPR_NUMBER || !expr->exact || expr->rational.den != 1)
        return false;
    *index = sign * expr->rational.num;
    return true;
}

bool
fig_slice_parse(const char *text, FigArena *arena, FigSlice *slice, FigDiag *diag)
{
    memset(slice, 0, sizeof *slice);
    const FigExpr *expr = fig_expr_parse_text(text, (FigSpan){0}, arena, diag);
    if (!expr)
        return false;
    const FigExpr *name = expr->kind == FIG_EXPR_INDEX ? expr->args[0] : expr;
    bool sound = name->kind == FIG_EXPR_NAME;
    slice->value = name->name;
    int n = expr->kind == FIG_EXPR_INDEX ? expr->n_args - 1 : 0;
    sound = sound && n <= FIG_LIMIT_RANK;
    for (int i = 0; sound && i < n; i++) {
        const FigExpr *range = expr->args[i + 1];
        slice->n_ranges = i + 1;
        if (range->kind != FIG_EXPR_SLICE) {
            slice->ranges[i].single = true;
            sound = read_index(range, &slice->ranges[i].from);
            continue;
        }
        slice->ranges[i].has_from = range->args[0] != NULL;
        slice->ranges[i].has_to = range->args[1] != NULL;
        sound =
            (!range->args[0] || read_index(range->args[0], &slice->ranges[i].from)) &&
            (!range->args[1] || read_index(range->args[1], &slice->ranges[i].to));
    }
    if (!sound)
        fig_diag_error(diag, (FigSpan){0},
                       "‘%s’ is no value or slice; VALUE or VALUE[0, :3] is wanted",
                       text);
    return sound;
}

static bool
narrow(const FigSlice *slice, const FigView *view, FigView *part, FigDiag *diag)
{
    if (slice->n_ranges > view->rank) {
        fig_diag_error(diag, (FigSpan){0}, "%s has %d axes, not %d", slice->value,
                       view->rank, slice->n_ranges);
        return false;
    }
    *part = *view;
    part->rank = 0;
    char *data = view->data;
    for (int axis = 0; axis < view->rank; axis++) {
        int64_t size = view->size[axis], from = 0, to = size;
        bool single = false;
        if (axis < slice->n_ranges) {
            single = slice->ranges[axis].single;
            from = slice->ranges[axis].from;
            to = slice->ranges[axis].has_to ? slice->ranges[axis].to : size;
            from += from < 0 ? size : 0;
            to += to < 0 ? size : 0;
            if (from < 0 || from > size || (single && from == size)) {
                fig_diag_error(diag, (FigSpan){0},
                               "index %" G_GINT64_FORMAT
                               " is outside axis %d of %s, which has %" G_GINT64_FORMAT
                               " entries",
                               slice->ranges[axis].from, axis, slice->value, size);
                return false;
            }
            to = CLAMP(to, from, size);
        }
        if (data)
            data += (size_t)(from * view->stride[axis]) * fig_type_size(view->type);
        if (single)
            continue;
        part->size[part->rank] = to - from;
        part->stride[part->rank] = view->stride[axis];
        part->rank++;
    }
    part->data = data;
    return true;
}

bool
fig_slice_check(const FigSlice *slice, int rank, const int64_t *size, FigDiag *diag)
{
    const FigView view = fig_view_dense(NULL, FIG_F64, rank, size);
    FigView part;
    return narrow(slice, &view, &part, diag);
}

static void
print_axis(const FigView *view, int axis, int digits, GString *out)
{
    if (axis == view->rank) {
        FigView scalar = *view;
        scalar.rank = 0;
        fig_num_significant(out, fig_view_number(&scalar, 0), digits);
        return;
    }
    bool inner = axis == view->rank - 1;
    int64_t size = view->size[axis];
    g_string_append_c(out, '[');
    for (int64_t i = 0; i < size; i++) {
        if (i > 0) {
            g_string_append(out, inner ? " " : "\n");
            for (int space = 0; !inner && space <= axis; space++)
                g_string_append_c(out, ' ');
        }
        if (size > SHOWN_WHOLE && i == SHOWN_AT_EDGE) {
            g_string_append(out, "…");
            i = size - SHOWN_AT_EDGE - 1;
            continue;
        }
        FigView item = *view;
        item.data = (char *)view->data +
                    (size_t)(i * view->stride[axis]) * fig_type_size(view->type);
        print_axis(&item, axis + 1, digits, out);
    }
    g_string_append_c(out, ']');
}

bool
fig_slice_print(const FigSlice *slice, const FigView *view, int digits, GString *out,
                FigDiag *diag)
{
    FigView part;
    if (!narrow(slice, view, &part, diag))
        return false;
    print_axis(&part, 0, digits, out);
    return true;
}
