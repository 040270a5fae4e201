/* SPDX-License-Identifier: MIT
 *
 * Names, conditions and sizes of dims.
 */
#include "spec/scope.h"

#include <math.h>
#include <string.h>

static const FigDim *
find_dim(const FigScope *scope, const char *name)
{
    for (int i = 0; i < scope->n_dims; i++) {
        if (strcmp(scope->dims[i].id, name) == 0)
            return &scope->dims[i];
    }
    return NULL;
}

static const FigConstant *
find_constant(const FigScope *scope, const char *name)
{
    return fig_constant_find(scope->constants, scope->n_constants, name);
}

bool
fig_scope_value(const char *name, void *data, double *value)
{
    const FigScope *scope = data;
    if (scope->more && scope->more(name, scope->data, value))
        return true;
    const FigDim *dim = find_dim(scope, name);
    const FigConstant *constant = dim ? NULL : find_constant(scope, name);
    if (dim)
        *value =
            (double)(scope->dim_size ? scope->dim_size[dim - scope->dims] : dim->size);
    else if (constant && constant->kind == FIG_CONSTANT_NUMBER)
        *value = constant->real;
    else
        return false;
    return true;
}

/* Every constant named in an expression is a number; false, reported. */
static bool
all_numbers(const FigScope *scope, const FigExpr *expr, FigDiag *diag)
{
    bool good = true;
    if (expr->kind == FIG_EXPR_NAME && !find_dim(scope, expr->name)) {
        const FigConstant *constant = find_constant(scope, expr->name);
        if (constant && constant->kind != FIG_CONSTANT_NUMBER) {
            fig_diag_error(diag, expr->span, "‘%s’ is %s, not a number", expr->name,
                           constant->text);
            return false;
        }
    }
    for (int i = 0; i < expr->n_args; i++)
        good = (!expr->args[i] || all_numbers(scope, expr->args[i], diag)) && good;
    return good;
}

bool
fig_scope_real(const FigScope *scope, const FigExpr *expr, const char *const *names,
               FigDiag *diag, double *value)
{
    return all_numbers(scope, expr, diag) &&
           fig_expr_real(expr, fig_scope_value, (void *)scope, names, diag, value);
}

/* ---- conditions ---- */

/* One side of a comparison that may be one of words. */
typedef struct Side {
    const char *word;            /* NULL: a number */
    const FigConstant *constant; /* that it names, or NULL */
    bool literal; /* a name that is no dim and no constant: a word as it stands */
} Side;

static Side
side_of(const FigScope *scope, const FigExpr *expr)
{
    Side side = {0};
    if (expr->kind == FIG_EXPR_STRING) {
        side.word = expr->name;
        side.literal = true;
    } else if (expr->kind == FIG_EXPR_NAME && !find_dim(scope, expr->name)) {
        side.constant = find_constant(scope, expr->name);
        side.literal = !side.constant;
        if (!side.constant)
            side.word = expr->name;
        else if (side.constant->kind != FIG_CONSTANT_NUMBER)
            side.word = side.constant->text;
    }
    return side;
}

static bool
is_none(const Side *side)
{
    return side->literal && strcmp(side->word, "none") == 0;
}

/* Is it a comparison of words, not of numbers? */
static bool
compares_words(const FigExpr *expr, const Side *a, const Side *b)
{
    return (expr->sign == FIG_EQ || expr->sign == FIG_NE) &&
           (is_none(a) || is_none(b) || (a->constant && a->word) ||
            (b->constant && b->word));
}

/* Can the constant of one side be the word of the other? A misspelled word would compare
 * as different and never be seen. */
static bool
can_be(const Side *constant, const Side *word, FigSpan at, FigDiag *diag)
{
    if (!constant->constant || !word->literal || is_none(word))
        return true;
    const FigYaml *list = constant->constant->one_of;
    g_autoptr(GPtrArray) words = g_ptr_array_new();
    for (int i = 0; list && i < list->count; i++) {
        if (strcmp(list->items[i]->text, word->word) == 0)
            return true;
        g_ptr_array_add(words, (gpointer)list->items[i]->text);
    }
    if (!list)
        return true;
    g_ptr_array_add(words, NULL);
    g_autofree char *all = g_strjoinv(" or ", (char **)words->pdata);
    FigMessage *message = fig_diag_error(diag, at, "‘%s’ is %s, never ‘%s’",
                                         constant->constant->id, all, word->word);
    fig_message_suggest(message, word->word, (const char *const *)words->pdata);
    return false;
}

static bool
words_hold(const FigExpr *expr, const Side *a, const Side *b, FigDiag *diag,
           bool *holds)
{
    if (!can_be(a, b, expr->args[1]->span, diag) ||
        !can_be(b, a, expr->args[0]->span, diag))
        return false;
    *holds = g_strcmp0(a->word, b->word) == 0;
    if (expr->sign == FIG_NE)
        *holds = !*holds;
    return true;
}

bool
fig_condition_holds(const FigExpr *expr, const FigScope *scope,
                    const char *const *names, FigDiag *diag, bool *holds)
{
    bool a = false, b = false;
    double x = 0, y = 0;
    FigOperator sign = expr->sign;
    if (expr->kind == FIG_EXPR_UNARY && sign == FIG_NOT) {
        if (!fig_condition_holds(expr->args[0], scope, names, diag, &a))
            return false;
        *holds = !a;
        return true;
    }
    if (expr->kind == FIG_EXPR_BINARY && (sign == FIG_AND || sign == FIG_OR)) {
        if (!fig_condition_holds(expr->args[0], scope, names, diag, &a) ||
            !fig_condition_holds(expr->args[1], scope, names, diag, &b))
            return false;
        *holds = sign == FIG_AND ? a && b : a || b;
        return true;
    }
    bool compares = expr->kind == FIG_EXPR_BINARY && sign >= FIG_EQ && sign <= FIG_GE;
    bool unknown = expr->kind == FIG_EXPR_NAME && strcmp(expr->name, "true") != 0 &&
                   strcmp(expr->name, "false") != 0 && !side_of(scope, expr).constant;
    if (!compares && unknown && !fig_scope_real(scope, expr, names, diag, &x))
        return false;
    if (!compares) {
        FigMessage *message =
            fig_diag_error(diag, expr->span,
                           "a condition compares: it is true or false, not a number");
        fig_message_hint(message, "‘G != H’, for example");
        return false;
    }
    Side left = side_of(scope, expr->args[0]), right = side_of(scope, expr->args[1]);
    if (compares_words(expr, &left, &right))
        return words_hold(expr, &left, &right, diag, holds);
    if (!fig_scope_real(scope, expr->args[0], names, diag, &x) ||
        !fig_scope_real(scope, expr->args[1], names, diag, &y))
        return false;
    *holds = fig_operate(sign, x, y) != 0;
    return true;
}

/* ---- sizes of dims ---- */

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
