/* SPDX-License-Identifier: MIT
 *
 * What an expression over dims and constants is worth: exactly, as a polynomial, or as a
 * real number at the sizes of one run. Each mistake is reported at the part that made it.
 */
#include "spec/expr.h"

#include <math.h>
#include <string.h>

/* ---- polynomials ---- */

typedef struct PolyEval {
    FigAlgebra *algebra;
    FigNameToPoly lookup;
    void *data;
    const char *const *names;
    FigDiag *diag;
} PolyEval;

static const FigPoly *eval_poly(const PolyEval *e, const FigExpr *expr);

static const FigPoly *
checked(const PolyEval *e, const FigExpr *expr, const FigPoly *poly)
{
    if (poly)
        return poly;
    switch (fig_algebra_error(e->algebra)) {
    case FIG_POLY_DIVIDE_BY_ZERO:
        fig_diag_error(e->diag, expr->span, "division by zero");
        break;
    case FIG_POLY_TOO_LARGE:
        fig_diag_error(e->diag, expr->span, "the expression has too many terms");
        break;
    default:
        fig_diag_error(e->diag, expr->span, "the number is too large (beyond 63 bits)");
    }
    return NULL;
}

static const FigPoly *
eval_poly_call(const PolyEval *e, const FigExpr *expr)
{
    static const struct {
        const char *name;
        FigPolyFunction function;
        int most; /* arguments */
    } functions[] = {{"ceil", FIG_POLY_CEIL, 2},
                     {"floor", FIG_POLY_FLOOR, 2},
                     {"min", FIG_POLY_MIN, 16},
                     {"max", FIG_POLY_MAX, 16}};
    for (size_t i = 0; i < G_N_ELEMENTS(functions); i++) {
        if (strcmp(expr->name, functions[i].name) != 0)
            continue;
        if (expr->n_args < 1 || expr->n_args > functions[i].most) {
            fig_diag_error(e->diag, expr->span, "%s takes 1 to %d arguments, not %d",
                           expr->name, functions[i].most, expr->n_args);
            return NULL;
        }
        const FigPoly *args[16];
        for (int j = 0; j < expr->n_args; j++) {
            if (expr->arg_names[j]) {
                fig_diag_error(e->diag, expr->args[j]->span, "%s has no argument ‘%s’",
                               expr->name, expr->arg_names[j]);
                return NULL;
            }
            args[j] = eval_poly(e, expr->args[j]);
            if (!args[j])
                return NULL;
        }
        return checked(
            e, expr,
            fig_poly_apply(e->algebra, functions[i].function, args, expr->n_args));
    }
    static const char *const known[] = {"ceil", "floor", "min", "max", NULL};
    FigMessage *message = fig_diag_error(
        e->diag, expr->span,
        "‘%s’ cannot stand in a size; ceil, floor, min and max can", expr->name);
    fig_message_suggest(message, expr->name, known);
    return NULL;
}

static const FigPoly *
eval_poly_binary(const PolyEval *e, const FigExpr *expr)
{
    const FigPoly *left = eval_poly(e, expr->args[0]);
    const FigPoly *right = eval_poly(e, expr->args[1]);
    FigRational exponent;
    if (!left || !right)
        return NULL;
    switch (expr->sign) {
    case FIG_ADD:
        return checked(e, expr, fig_poly_add(e->algebra, left, right));
    case FIG_SUB:
        return checked(e, expr, fig_poly_sub(e->algebra, left, right));
    case FIG_MUL:
        return checked(e, expr, fig_poly_mul(e->algebra, left, right));
    case FIG_DIV:
        return checked(e, expr, fig_poly_div(e->algebra, left, right));
    case FIG_POW:
        if (!fig_poly_is_number(right, &exponent) || exponent.den != 1 ||
            ABS(exponent.num) > G_MAXINT) {
            fig_diag_error(e->diag, expr->args[1]->span,
                           "an exponent must be a whole number");
            return NULL;
        }
        return checked(e, expr, fig_poly_power(e->algebra, left, (int)exponent.num));
    default:
        fig_diag_error(e->diag, expr->span, "this is true or false, not a size");
        return NULL;
    }
}

static const FigPoly *
eval_poly(const PolyEval *e, const FigExpr *expr)
{
    const FigPoly *poly;
    switch (expr->kind) {
    case FIG_EXPR_NUMBER:
        if (!expr->exact) {
            fig_diag_error(e->diag, expr->span,
                           "the number is too large or too fine to be exact");
            return NULL;
        }
        return checked(
            e, expr,
            fig_poly_number(e->algebra, expr->rational.num, expr->rational.den));
    case FIG_EXPR_NAME:
        poly = e->lookup(expr->name, e->data);
        if (!poly) {
            FigMessage *message =
                fig_diag_error(e->diag, expr->span, "unknown dim ‘%s’", expr->name);
            if (e->names)
                fig_message_suggest(message, expr->name, e->names);
        }
        return poly;
    case FIG_EXPR_CALL:
        return eval_poly_call(e, expr);
    case FIG_EXPR_UNARY:
        if (expr->sign != FIG_NEG)
            break;
        poly = eval_poly(e, expr->args[0]);
        return poly ? checked(e, expr,
                              fig_poly_sub(e->algebra,
                                           fig_poly_number(e->algebra, 0, 1), poly))
                    : NULL;
    case FIG_EXPR_BINARY:
        return eval_poly_binary(e, expr);
    case FIG_EXPR_STRING:
    case FIG_EXPR_INDEX:
    case FIG_EXPR_SLICE:
    case FIG_EXPR_REST:
        break;
    }
    fig_diag_error(e->diag, expr->span, "this is no size");
    return NULL;
}

const FigPoly *
fig_expr_poly(const FigExpr *expr, FigAlgebra *algebra, FigNameToPoly lookup,
              void *data, const char *const *names, FigDiag *diag)
{
    PolyEval e = {algebra, lookup, data, names, diag};
    return eval_poly(&e, expr);
}

/* ---- reals ---- */

typedef struct RealEval {
    FigNameToReal lookup;
    void *data;
    const char *const *names;
    FigDiag *diag;
} RealEval;

static bool eval_real(const RealEval *e, const FigExpr *expr, double *value);

/* Report a result that is no number, at its part. */
static bool
finite_result(const RealEval *e, const FigExpr *expr, double *value)
{
    if (isfinite(*value))
        return true;
    fig_diag_error(e->diag, expr->span, "the result is not a finite number");
    return false;
}

static double
to_multiple(double (*round)(double), double x, double step)
{
    return round(x / step) * step;
}

static bool
eval_real_call(const RealEval *e, const FigExpr *expr, double *value)
{
    static const struct {
        const char *name;
        int least, most;
    } functions[] = {{"sqrt", 1, 1},  {"exp", 1, 1},  {"log", 1, 1},  {"ceil", 1, 2},
                     {"floor", 1, 2}, {"min", 1, 16}, {"max", 1, 16}, {"abs", 1, 1}};
    static const char *const known[] = {"sqrt", "exp", "log", "ceil", "floor",
                                        "min",  "max", "abs", NULL};
    size_t f = 0;
    while (f < G_N_ELEMENTS(functions) && strcmp(functions[f].name, expr->name) != 0)
        f++;
    if (f == G_N_ELEMENTS(functions)) {
        FigMessage *message =
            fig_diag_error(e->diag, expr->span, "unknown function ‘%s’", expr->name);
        fig_message_suggest(message, expr->name, known);
        return false;
    }
    if (expr->n_args < functions[f].least || expr->n_args > functions[f].most) {
        int least = functions[f].least, most = functions[f].most;
        if (least == most)
            fig_diag_error(e->diag, expr->span, "%s takes %d argument%s, not %d",
                           expr->name, most, most == 1 ? "" : "s", expr->n_args);
        else
            fig_diag_error(e->diag, expr->span, "%s takes %d to %d arguments, not %d",
                           expr->name, least, most, expr->n_args);
        return false;
    }
    double args[16] = {0};
    for (int i = 0; i < expr->n_args; i++) {
        if (expr->arg_names[i]) {
            fig_diag_error(e->diag, expr->args[i]->span, "%s has no argument ‘%s’",
                           expr->name, expr->arg_names[i]);
            return false;
        }
        if (!eval_real(e, expr->args[i], &args[i]))
            return false;
    }
    const char *name = expr->name;
    double step = expr->n_args > 1 ? args[1] : 1;
    *value = args[0];
    if (strcmp(name, "sqrt") == 0) {
        if (args[0] < 0) {
            fig_diag_error(e->diag, expr->span, "the root of a negative number");
            return false;
        }
        *value = sqrt(args[0]);
    } else if (strcmp(name, "exp") == 0) {
        *value = exp(args[0]);
    } else if (strcmp(name, "log") == 0) {
        *value = log(args[0]);
    } else if (strcmp(name, "abs") == 0) {
        *value = fabs(args[0]);
    } else if (strcmp(name, "ceil") == 0) {
        *value = to_multiple(ceil, args[0], step);
    } else if (strcmp(name, "floor") == 0) {
        *value = to_multiple(floor, args[0], step);
    } else {
        bool least = strcmp(name, "min") == 0;
        for (int i = 1; i < expr->n_args; i++)
            *value = least ? fmin(*value, args[i]) : fmax(*value, args[i]);
    }
    return finite_result(e, expr, value);
}

double
fig_operate(FigOperator sign, double a, double b)
{
    switch (sign) {
    case FIG_ADD:
        return a + b;
    case FIG_SUB:
        return a - b;
    case FIG_MUL:
        return a * b;
    case FIG_DIV:
        return a / b;
    case FIG_POW:
        return pow(a, b);
    case FIG_EQ:
        return a == b;
    case FIG_NE:
        return a != b;
    case FIG_LT:
        return a < b;
    case FIG_LE:
        return a <= b;
    case FIG_GT:
        return a > b;
    case FIG_GE:
        return a >= b;
    case FIG_AND:
        return a != 0 && b != 0;
    case FIG_OR:
        return a != 0 || b != 0;
    case FIG_NEG:
        return -a;
    case FIG_NOT:
        return a == 0;
    }
    g_assert_not_reached();
}

static bool
eval_real_binary(const RealEval *e, const FigExpr *expr, double *value)
{
    double a, b;
    if (!eval_real(e, expr->args[0], &a) || !eval_real(e, expr->args[1], &b))
        return false;
    if (expr->sign == FIG_DIV && b == 0) {
        fig_diag_error(e->diag, expr->span, "division by zero");
        return false;
    }
    *value = fig_operate(expr->sign, a, b);
    return finite_result(e, expr, value);
}

static bool
eval_real(const RealEval *e, const FigExpr *expr, double *value)
{
    switch (expr->kind) {
    case FIG_EXPR_NUMBER:
        *value = expr->real;
        return true;
    case FIG_EXPR_NAME:
        if (e->lookup(expr->name, e->data, value))
            return true;
        FigMessage *message =
            fig_diag_error(e->diag, expr->span, "unknown name ‘%s’", expr->name);
        if (e->names)
            fig_message_suggest(message, expr->name, e->names);
        return false;
    case FIG_EXPR_CALL:
        return eval_real_call(e, expr, value);
    case FIG_EXPR_UNARY:
        if (!eval_real(e, expr->args[0], value))
            return false;
        *value = expr->sign == FIG_NEG ? -*value : *value == 0;
        return true;
    case FIG_EXPR_BINARY:
        return eval_real_binary(e, expr, value);
    case FIG_EXPR_STRING:
    case FIG_EXPR_INDEX:
    case FIG_EXPR_SLICE:
    case FIG_EXPR_REST:
        break;
    }
    fig_diag_error(e->diag, expr->span, "this is no number");
    return false;
}

bool
fig_expr_real(const FigExpr *expr, FigNameToReal lookup, void *data,
              const char *const *names, FigDiag *diag, double *value)
{
    RealEval e = {lookup, data, names, diag};
    return eval_real(&e, expr, value);
}
