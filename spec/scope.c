/* SPDX-License-Identifier: MIT
 *
 * Names, conditions and sizes of dims.
 */
#include "spec/scope.h"

#include <math.h>
#include <string.h>

bool
fig_scope_value(const char *name, void *data, double *value)
{
    const FigScope *scope = data;
    for (int i = 0; i < scope->n_dims; i++) {
        if (strcmp(scope->dims[i].id, name) == 0) {
            *value =
                (double)(scope->dim_size ? scope->dim_size[i] : scope->dims[i].size);
            return true;
        }
    }
    for (int i = 0; i < scope->n_constants; i++) {
        if (strcmp(scope->constants[i].id, name) == 0) {
            *value = scope->constants[i].real;
            return true;
        }
    }
    return false;
}

bool
fig_condition_holds(const FigExpr *expr, FigNameToReal lookup, void *data,
                    const char *const *names, FigDiag *diag, bool *holds)
{
    bool a = false, b = false;
    double x = 0, y = 0;
    FigOperator sign = expr->sign;
    if (expr->kind == FIG_EXPR_UNARY && sign == FIG_NOT) {
        if (!fig_condition_holds(expr->args[0], lookup, data, names, diag, &a))
            return false;
        *holds = !a;
        return true;
    }
    if (expr->kind == FIG_EXPR_BINARY && (sign == FIG_AND || sign == FIG_OR)) {
        if (!fig_condition_holds(expr->args[0], lookup, data, names, diag, &a) ||
            !fig_condition_holds(expr->args[1], lookup, data, names, diag, &b))
            return false;
        *holds = sign == FIG_AND ? a && b : a || b;
        return true;
    }
    bool compares = expr->kind == FIG_EXPR_BINARY && sign >= FIG_EQ && sign <= FIG_GE;
    if (!compares) {
        FigMessage *message =
            fig_diag_error(diag, expr->span,
                           "a condition compares: it is true or false, not a number");
        fig_message_hint(message, "‘G != H’, for example");
        return false;
    }
    if (!fig_expr_real(expr->args[0], lookup, data, names, diag, &x) ||
        !fig_expr_real(expr->args[1], lookup, data, names, diag, &y))
        return false;
    switch (sign) {
    case FIG_EQ:
        *holds = x == y;
        break;
    case FIG_NE:
        *holds = x != y;
        break;
    case FIG_LT:
        *holds = x < y;
        break;
    case FIG_LE:
        *holds = x <= y;
        break;
    case FIG_GT:
        *holds = x > y;
        break;
    default:
        *holds = x >= y;
        break;
    }
    return true;
}

/* Say which dims that this one is made of were set from outside. */
static void
note_overrides(FigMessage *message, const FigAlgebra *algebra, const FigDim *dims,
               int i, const int64_t *symbol_size)
{
    for (int k = 0; k < i; k++) {
        if (dims[k].overridden && dims[k].symbol >= 0 &&
            fig_poly_depends(algebra, dims[i].poly, dims[k].symbol))
            fig_message_note(message, "%s was set to %" G_GINT64_FORMAT, dims[k].id,
                             symbol_size[dims[k].symbol]);
    }
}

static void
report_fraction(const FigAlgebra *algebra, const FigDim *dims, int i,
                const int64_t *symbol_size, int64_t *dim_size, FigRational value,
                const char *text, FigDiag *diag)
{
    static const char *const no_names[] = {NULL};
    const FigExpr *is = dims[i].is;
    FigOperator sign = is->sign;
    FigScope scope = {.n_dims = i, .dims = dims, .dim_size = dim_size};
    double a, b;
    FigMessage *message;
    if (is->kind == FIG_EXPR_BINARY && sign == FIG_DIV &&
        fig_expr_real(is->args[0], fig_scope_value, &scope, no_names, NULL, &a) &&
        fig_expr_real(is->args[1], fig_scope_value, &scope, no_names, NULL, &b) &&
        a == floor(a) && b == floor(b) && fabs(a) < 1e15 && fabs(b) < 1e15)
        message = fig_diag_error(diag, is->span,
                                 "%s = %s is not whole: %" G_GINT64_FORMAT
                                 " is not a multiple of %" G_GINT64_FORMAT,
                                 dims[i].id, text, (int64_t)a, (int64_t)b);
    else
        message = fig_diag_error(diag, is->span,
                                 "%s = %s is not whole: %" G_GINT64_FORMAT
                                 "/%" G_GINT64_FORMAT,
                                 dims[i].id, text, value.num, value.den);
    note_overrides(message, algebra, dims, i, symbol_size);
}

bool
fig_dim_size(const FigAlgebra *algebra, const FigDim *dims, int i,
             const int64_t *symbol_size, int64_t *dim_size, FigDiag *diag)
{
    const FigDim *dim = &dims[i];
    dim_size[i] = 1;
    if (dim->symbol >= 0) {
        dim_size[i] = symbol_size[dim->symbol];
        if (dim_size[i] >= 1)
            return true;
        fig_diag_error(diag, dim->is ? dim->is->span : dim->span,
                       "%s is %" G_GINT64_FORMAT "; a size is at least 1", dim->id,
                       dim_size[i]);
        dim_size[i] = 1;
        return false;
    }
    FigRational value;
    FigPolyError error = fig_poly_value(algebra, dim->poly, symbol_size, &value);
    if (!error && value.den == 1 && value.num >= 1) {
        dim_size[i] = value.num;
        return true;
    }
    if (!diag)
        return false;
    g_autofree char *text = fig_expr_text(dim->is);
    FigMessage *message = NULL;
    if (error == FIG_POLY_DIVIDE_BY_ZERO)
        message = fig_diag_error(diag, dim->is->span, "%s = %s divides by zero",
                                 dim->id, text);
    else if (error)
        message = fig_diag_error(diag, dim->is->span,
                                 "%s = %s is too large: beyond 63 bits", dim->id, text);
    else if (value.den != 1)
        report_fraction(algebra, dims, i, symbol_size, dim_size, value, text, diag);
    else
        message =
            fig_diag_error(diag, dim->is->span,
                           "%s = %s is %" G_GINT64_FORMAT "; a size is at least 1",
                           dim->id, text, value.num);
    if (message)
        note_overrides(message, algebra, dims, i, symbol_size);
    return false;
}
