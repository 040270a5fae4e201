/* SPDX-License-Identifier: MIT
 *
 * Expressions as text with the fewest parentheses, and in the TeX subset of labels: a
 * product by juxtaposition, a root with its bar, a power of ten as one.
 */
#include "spec/expr.h"

#include "base/num.h"

#include <string.h>

/* How tightly an expression holds together: the grammar's level. */
enum { OR = 1, AND, NOT, COMPARE, SUM, PRODUCT, UNARY, POWER, PRIMARY };

static const char *const signs[] = {
    [FIG_ADD] = " + ",   [FIG_SUB] = " - ", [FIG_MUL] = "*",    [FIG_DIV] = "/",
    [FIG_POW] = "^",     [FIG_NEG] = "-",   [FIG_EQ] = " == ",  [FIG_NE] = " != ",
    [FIG_LT] = " < ",    [FIG_LE] = " <= ", [FIG_GT] = " > ",   [FIG_GE] = " >= ",
    [FIG_AND] = " and ", [FIG_OR] = " or ", [FIG_NOT] = "not ",
};

static int
level(const FigExpr *expr)
{
    if (expr->kind != FIG_EXPR_UNARY && expr->kind != FIG_EXPR_BINARY)
        return PRIMARY;
    switch (expr->sign) {
    case FIG_OR:
        return OR;
    case FIG_AND:
        return AND;
    case FIG_NOT:
        return NOT;
    case FIG_ADD:
    case FIG_SUB:
        return SUM;
    case FIG_MUL:
    case FIG_DIV:
        return PRODUCT;
    case FIG_NEG:
        return UNARY;
    case FIG_POW:
        return POWER;
    default:
        return COMPARE;
    }
}

/* The levels at which the operands of a binary operator need no parentheses. */
static void
operand_levels(const FigExpr *expr, int *left, int *right)
{
    int own = level(expr);
    *left = own == COMPARE ? SUM : own;
    *right = own == COMPARE ? SUM : own + 1;
    if (expr->sign == FIG_POW) {
        *left = PRIMARY;
        *right = UNARY;
    }
}

static void append(GString *out, const FigExpr *expr, int least);

static void
append_list(GString *out, const FigExpr *expr, int first)
{
    for (int i = first; i < expr->n_args; i++) {
        if (i > first)
            g_string_append(out, ", ");
        if (expr->arg_names && expr->arg_names[i])
            g_string_append_printf(out, "%s = ", expr->arg_names[i]);
        append(out, expr->args[i], OR);
    }
}

static void
append(GString *out, const FigExpr *expr, int least)
{
    bool parentheses = level(expr) < least;
    int left, right;
    char quote;
    if (parentheses)
        g_string_append_c(out, '(');
    switch (expr->kind) {
    case FIG_EXPR_NUMBER:
    case FIG_EXPR_NAME:
        g_string_append(out, expr->name);
        break;
    case FIG_EXPR_STRING:
        quote = strchr(expr->name, '\'') ? '"' : '\'';
        g_string_append_printf(out, "%c%s%c", quote, expr->name, quote);
        break;
    case FIG_EXPR_CALL:
        g_string_append_printf(out, "%s(", expr->name);
        append_list(out, expr, 0);
        g_string_append_c(out, ')');
        break;
    case FIG_EXPR_UNARY:
        g_string_append(out, signs[expr->sign]);
        append(out, expr->args[0], level(expr));
        break;
    case FIG_EXPR_BINARY:
        operand_levels(expr, &left, &right);
        append(out, expr->args[0], left);
        g_string_append(out, signs[expr->sign]);
        append(out, expr->args[1], right);
        break;
    case FIG_EXPR_INDEX:
        append(out, expr->args[0], PRIMARY);
        g_string_append_c(out, '[');
        append_list(out, expr, 1);
        g_string_append_c(out, ']');
        break;
    case FIG_EXPR_REST:
        g_string_append(out, "...");
        break;
    case FIG_EXPR_SLICE:
        if (expr->args[0])
            append(out, expr->args[0], OR);
        g_string_append_c(out, ':');
        if (expr->args[1])
            append(out, expr->args[1], OR);
        break;
    }
    if (parentheses)
        g_string_append_c(out, ')');
}

char *
fig_expr_text(const FigExpr *expr)
{
    GString *out = g_string_new(NULL);
    append(out, expr, OR);
    return g_string_free(out, FALSE);
}

/* ---- TeX ---- */

typedef struct Tex {
    GString *out;
    FigNameToTex label;
    void *data;
} Tex;

static void tex(Tex *t, const FigExpr *expr, int least);

/* "h_ff" as h_{ff}, for a name that nobody labels. */
static void
tex_name(Tex *t, const char *name)
{
    const char *label = t->label ? t->label(name, t->data) : NULL;
    const char *low = strchr(name, '_');
    if (label)
        g_string_append(t->out, label);
    else if (low == name + 1 && low[1])
        g_string_append_printf(t->out, low[2] ? "%c_{%s}" : "%c_%s", name[0], low + 1);
    else if (name[1])
        g_string_append_printf(t->out, "\\mathrm{%s}", name);
    else
        g_string_append(t->out, name);
}

/* "5e5" as 5 \cdot 10^5, "1e-6" as 10^{-6}. */
static void
tex_number(Tex *t, const char *text)
{
    size_t mantissa = strcspn(text, "eE");
    if (!text[mantissa]) {
        g_string_append(t->out, text);
        return;
    }
    if (mantissa != 1 || text[0] != '1')
        g_string_append_printf(t->out, "%.*s \\cdot ", (int)mantissa, text);
    const char *exponent = text + mantissa + 1;
    bool negative = *exponent == '-';
    exponent += strspn(exponent, "+-");
    exponent += strspn(exponent, "0");
    if (!*exponent)
        exponent = "0";
    g_string_append_printf(t->out, negative || exponent[1] ? "10^{%s%s}" : "10^%s%s",
                           negative ? "-" : "", exponent);
}

static bool
is_plain_number(const FigExpr *expr)
{
    return expr->kind == FIG_EXPR_NUMBER && !strpbrk(expr->name, "eE");
}

static void
tex_product(Tex *t, const FigExpr *expr)
{
    const FigExpr *left = expr->args[0], *right = expr->args[1];
    tex(t, left, PRODUCT);
    if (expr->sign == FIG_DIV) {
        g_string_append_c(t->out, '/');
    } else {
        /* a number goes before what it multiplies without a space, never after it */
        const FigExpr *first = right, *last = left;
        while (last->kind == FIG_EXPR_BINARY && last->sign == FIG_MUL)
            last = last->args[1];
        while (first->kind == FIG_EXPR_BINARY && level(first) >= PRODUCT)
            first = first->args[0];
        bool digits = first->kind == FIG_EXPR_NUMBER ||
                      (first->kind == FIG_EXPR_UNARY && level(right) > PRODUCT);
        if (digits)
            g_string_append(t->out, " \\cdot ");
        else if (!is_plain_number(last))
            g_string_append(t->out, "\\,");
    }
    tex(t, right, UNARY);
}

static void
tex_power(Tex *t, const FigExpr *expr)
{
    size_t start = t->out->len;
    tex(t, expr->args[0], PRIMARY);
    if (strpbrk(t->out->str + start, "'^") && t->out->str[start] != '(') {
        g_string_insert_c(t->out, (gssize)start, '(');
        g_string_append_c(t->out, ')');
    }
    g_autoptr(GString) exponent = g_string_new(NULL);
    Tex above = {exponent, t->label, t->data};
    tex(&above, expr->args[1], OR);
    g_string_append_printf(t->out, exponent->len > 1 ? "^{%s}" : "^%s", exponent->str);
}

static void
tex_binary(Tex *t, const FigExpr *expr)
{
    static const char *const words[] = {
        [FIG_ADD] = " + ",
        [FIG_SUB] = " - ",
        [FIG_EQ] = " = ",
        [FIG_NE] = " \\ne ",
        [FIG_LT] = " < ",
        [FIG_LE] = " \\le ",
        [FIG_GT] = " > ",
        [FIG_GE] = " \\ge ",
        [FIG_AND] = " \\,\\mathrm{and}\\, ",
        [FIG_OR] = " \\,\\mathrm{or}\\, ",
    };
    int left, right;
    if (level(expr) == PRODUCT) {
        tex_product(t, expr);
    } else if (expr->sign == FIG_POW) {
        tex_power(t, expr);
    } else {
        operand_levels(expr, &left, &right);
        tex(t, expr->args[0], left);
        g_string_append(t->out, words[expr->sign]);
        tex(t, expr->args[1], right);
    }
}

static void
tex_call(Tex *t, const FigExpr *expr)
{
    if (strcmp(expr->name, "sqrt") == 0 && expr->n_args == 1) {
        g_string_append(t->out, "\\sqrt{");
        tex(t, expr->args[0], OR);
        g_string_append_c(t->out, '}');
        return;
    }
    g_string_append_printf(t->out, "\\mathrm{%s}(", expr->name);
    for (int i = 0; i < expr->n_args; i++) {
        g_string_append(t->out, i ? ", " : "");
        tex(t, expr->args[i], OR);
    }
    g_string_append_c(t->out, ')');
}

static void
tex(Tex *t, const FigExpr *expr, int least)
{
    bool parentheses = level(expr) < least;
    if (parentheses)
        g_string_append_c(t->out, '(');
    switch (expr->kind) {
    case FIG_EXPR_NUMBER:
        tex_number(t, expr->name);
        break;
    case FIG_EXPR_NAME:
        tex_name(t, expr->name);
        break;
    case FIG_EXPR_STRING:
        g_string_append_printf(t->out, "\\mathrm{%s}", expr->name);
        break;
    case FIG_EXPR_CALL:
        tex_call(t, expr);
        break;
    case FIG_EXPR_UNARY:
        g_string_append(t->out, expr->sign == FIG_NEG ? "-" : "\\mathrm{not}\\, ");
        tex(t, expr->args[0], level(expr));
        break;
    case FIG_EXPR_BINARY:
        tex_binary(t, expr);
        break;
    case FIG_EXPR_INDEX:
        tex(t, expr->args[0], PRIMARY);
        g_string_append_c(t->out, '[');
        for (int i = 1; i < expr->n_args; i++) {
            g_string_append(t->out, i > 1 ? ", " : "");
            tex(t, expr->args[i], OR);
        }
        g_string_append_c(t->out, ']');
        break;
    case FIG_EXPR_REST:
        g_string_append(t->out, "\\ldots");
        break;
    case FIG_EXPR_SLICE:
        if (expr->args[0])
            tex(t, expr->args[0], OR);
        g_string_append_c(t->out, ':');
        if (expr->args[1])
            tex(t, expr->args[1], OR);
        break;
    }
    if (parentheses)
        g_string_append_c(t->out, ')');
}

char *
fig_expr_tex(const FigExpr *expr, FigNameToTex label, void *data)
{
    Tex t = {g_string_new(NULL), label, data};
    tex(&t, expr, OR);
    return g_string_free(t.out, FALSE);
}

char *
fig_poly_tex(FigAlgebra *algebra, const FigPoly *poly, FigNameToTex label, void *data)
{
    g_autoptr(FigArena) arena = fig_arena_new();
    g_autoptr(FigDiag) diag = fig_diag_new();
    const char *text = fig_poly_text(algebra, poly);
    /* a text of thousands of terms is longer than an expression may be: as it is then */
    const FigExpr *expr = fig_expr_parse_text(text, (FigSpan){0}, arena, diag);
    return expr ? fig_expr_tex(expr, label, data) : g_strdup(text);
}
