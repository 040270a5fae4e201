/* SPDX-License-Identifier: MIT
 *
 * Evaluation of the claim language. A part that needs numbers of the run stops the first
 * attempt, which is by structure at the dims drawn; it is then made again at the sizes of
 * the run. `and`, `or` and `not` at the top split a claim into parts that are settled one
 * by one, and both sides are always evaluated, so that a mistake is found whatever the
 * other side says.
 */
#include "check/claims-parts.h"

#include "base/num.h"

#include <math.h>
#include <string.h>

/* ---- values ---- */

FigClaimValue
fig_claim_exact(FigRational rational)
{
    return (FigClaimValue){.kind = FIG_CLAIM_NUMBER,
                           .exact = true,
                           .rational = rational,
                           .real = fig_rational_real(rational)};
}

FigClaimValue
fig_claim_whole(int64_t number)
{
    return fig_claim_exact((FigRational){number, 1});
}

FigClaimValue
fig_claim_real(double real)
{
    return (FigClaimValue){.kind = FIG_CLAIM_NUMBER, .real = real};
}

FigClaimValue
fig_claim_bool(bool truth)
{
    return (FigClaimValue){.kind = FIG_CLAIM_TRUTH, .truth = truth};
}

FigClaimValue
fig_claim_ops(FigClaimEval *e, const int *nodes, int n)
{
    const FigGraph *graph = e->claims->graph;
    int *values = fig_arena_new_array(e->arena, int, graph->n_values), n_values = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < graph->nodes[nodes[i]].n_writes; j++)
            values[n_values++] = graph->nodes[nodes[i]].writes[j];
    return (FigClaimValue){.kind = FIG_CLAIM_SET,
                           .n_nodes = n,
                           .nodes = nodes,
                           .n_values = n_values,
                           .values = values};
}

FigClaimValue
fig_claim_values(FigClaimEval *e, const int *values, int n)
{
    const FigGraph *graph = e->claims->graph;
    int *nodes = fig_arena_new_array(e->arena, int, n), n_nodes = 0;
    for (int node = -1; node < graph->n_nodes; node++) {
        bool writes = false;
        for (int i = 0; i < n; i++)
            writes = writes || graph->values[values[i]].node == node;
        if (writes)
            nodes[n_nodes++] = node;
    }
    return (FigClaimValue){.kind = FIG_CLAIM_SET,
                           .of_values = true,
                           .n_nodes = n_nodes,
                           .nodes = nodes,
                           .n_values = n,
                           .values = values};
}

const char *
fig_claim_kind_name(const FigClaimValue *value)
{
    switch (value->kind) {
    case FIG_CLAIM_NUMBER:
        return "a number";
    case FIG_CLAIM_TRUTH:
        return "true or false";
    case FIG_CLAIM_WORD:
        return "a word";
    case FIG_CLAIM_REF:
        return value->value >= 0 ? "a value" : "an op";
    case FIG_CLAIM_SET:
        return value->of_values ? "a set of values" : "a set of ops";
    case FIG_CLAIM_ARRAY:
        return value->array.truth ? "many truths" : "many numbers";
    }
    g_assert_not_reached();
}

/* ---- names ---- */

static bool
eval_name(FigClaimEval *e, const FigExpr *expr, FigClaimValue *out)
{
    const FigGraph *graph = e->claims->graph;
    int dim = fig_graph_dim(graph, expr->name);
    const FigConstant *constant =
        fig_constant_find(graph->constants, graph->n_constants, expr->name);
    int value = fig_graph_value(graph, expr->name);
    int node = fig_graph_node(graph, expr->name);
    if (dim >= 0) {
        int64_t size = graph->dims[dim].size;
        if (e->running) {
            const FigSizes *sizes = fig_claim_sizes(e, expr);
            if (!sizes)
                return false;
            size = sizes->dim[dim];
        }
        *out = fig_claim_whole(size);
        return true;
    }
    if (constant && constant->kind != FIG_CONSTANT_NUMBER) {
        *out = (FigClaimValue){.kind = FIG_CLAIM_WORD, .word = constant->text};
        return true;
    }
    if (constant) {
        *out = fig_claim_real(constant->real);
        out->text = constant->text;
        return true;
    }
    if (value >= 0 || node >= 0) {
        *out = (FigClaimValue){.kind = FIG_CLAIM_REF, .node = node, .value = value};
        return true;
    }
    if (strcmp(expr->name, "true") == 0 || strcmp(expr->name, "false") == 0) {
        *out = fig_claim_bool(expr->name[0] == 't');
        return true;
    }
    if (fig_claim_is_table(e->claims, expr->name))
        return fig_claim_table(e, expr, out);
    FigMessage *message =
        fig_diag_error(e->diag, expr->span, "unknown name ‘%s’", expr->name);
    fig_message_suggest(message, expr->name, e->claims->names);
    return false;
}

/* ---- arithmetic ---- */

static bool
is_comparison(FigOperator sign)
{
    return sign >= FIG_EQ && sign <= FIG_GE;
}

static bool
divided_by_zero(FigClaimEval *e, const FigExpr *expr)
{
    fig_diag_error(e->diag, expr->span, "division by zero");
    return false;
}

/* Exact where both are and the result fits; else in double. */
static bool
arithmetic(FigClaimEval *e, const FigExpr *expr, const FigClaimValue *a,
           const FigClaimValue *b, FigClaimValue *out)
{
    FigPolyError error = FIG_POLY_OVERFLOW;
    FigRational r = {0, 1};
    if (a->exact && b->exact) {
        switch (expr->sign) {
        case FIG_ADD:
            error = fig_rational_add(a->rational, b->rational, &r);
            break;
        case FIG_SUB:
            error = fig_rational_sub(a->rational, b->rational, &r);
            break;
        case FIG_MUL:
            error = fig_rational_mul(a->rational, b->rational, &r);
            break;
        case FIG_DIV:
            error = fig_rational_div(a->rational, b->rational, &r);
            break;
        default:
            if (b->rational.den == 1 && ABS(b->rational.num) < 1000)
                error = fig_rational_power(a->rational, (int)b->rational.num, &r);
        }
    }
    if (error == FIG_POLY_DIVIDE_BY_ZERO ||
        (expr->sign == FIG_DIV && b->real == 0 && !a->executed && !b->executed))
        return divided_by_zero(e, expr);
    *out = error ? fig_claim_real(fig_operate(expr->sign, a->real, b->real))
                 : fig_claim_exact(r);
    out->executed = a->executed || b->executed;
    bool sum = expr->sign == FIG_ADD || expr->sign == FIG_SUB;
    if (a->format == b->format || (sum && !b->format))
        out->format = a->format;
    else if (sum && !a->format)
        out->format = b->format;
    return true;
}

/* Numbers that are not exact are equal up to rounding, unless a run computed them. */
static bool
compare_numbers(FigOperator sign, const FigClaimValue *a, const FigClaimValue *b)
{
    double left = a->real, right = b->real;
    if (a->exact && b->exact) {
        left = fig_rational_compare(a->rational, b->rational);
        right = 0;
    } else if (!a->executed && !b->executed &&
               fabs(left - right) <= 1e-12 * fmax(fabs(left), fabs(right))) {
        left = right;
    }
    return fig_operate(sign, left, right) != 0;
}

void
fig_claim_note(FigClaimEval *e, double bound, double number)
{
    if (e->has_number)
        return;
    e->has_number = true;
    e->bound = bound;
    e->number = number;
}

/* Note what a comparison with executed numbers measured, and against which bound. */
static void
note_bound(FigClaimEval *e, FigOperator sign, const FigClaimValue *a,
           const FigClaimValue *b)
{
    if (!a->executed && !b->executed)
        return;
    if (!a->executed) { /* bound < number: turn it round */
        static const FigOperator turned[] = {
            [FIG_EQ] = FIG_EQ, [FIG_NE] = FIG_NE, [FIG_LT] = FIG_GT,
            [FIG_LE] = FIG_GE, [FIG_GT] = FIG_LT, [FIG_GE] = FIG_LE};
        note_bound(e, turned[sign], b, a);
        return;
    }
    if (b->kind != FIG_CLAIM_NUMBER || b->executed)
        return;
    /* the worst entry: the greatest for <, the least for >, the farthest for == */
    double bound = b->real, worst = a->real;
    int64_t count = a->kind == FIG_CLAIM_ARRAY ? fig_claim_count(&a->array) : 0;
    for (int64_t i = 0; i < count; i++) {
        double x = a->array.data[i];
        bool worse = sign == FIG_LT || sign == FIG_LE ? x > worst
                     : sign == FIG_GT || sign == FIG_GE
                         ? x < worst
                         : fabs(x - bound) > fabs(worst - bound);
        if (i == 0 || worse || isnan(x))
            worst = x;
        if (isnan(x))
            break;
    }
    fig_claim_note(e, bound, worst);
}

bool
fig_claim_to_numbers(FigClaimEval *e, const FigExpr *expr, FigClaimValue *value)
{
    if (value->kind != FIG_CLAIM_REF)
        return true;
    if (value->value < 0) {
        fig_diag_error(e->diag, expr->span, "‘%s’ is an op, where numbers are wanted",
                       expr->name ? expr->name : "this");
        return false;
    }
    return fig_claim_load(e, expr, value->value, value);
}

bool
fig_claim_wrong_kind(FigClaimEval *e, const FigExpr *expr, const FigClaimValue *value,
                     const char *wanted)
{
    g_autofree char *text = fig_expr_text(expr);
    fig_diag_error(e->diag, expr->span, "‘%s’ is %s, where %s is wanted", text,
                   fig_claim_kind_name(value), wanted);
    return false;
}

bool
fig_claim_is_numeric(const FigClaimValue *value)
{
    return value->kind == FIG_CLAIM_NUMBER ||
           (value->kind == FIG_CLAIM_ARRAY && !value->array.truth);
}

bool
fig_claim_is_truth(const FigClaimValue *value)
{
    return value->kind == FIG_CLAIM_TRUTH ||
           (value->kind == FIG_CLAIM_ARRAY && value->array.truth);
}

static bool
eval_words(FigClaimEval *e, const FigExpr *expr, const FigClaimValue *a,
           const FigClaimValue *b, FigClaimValue *out)
{
    if (a->kind != FIG_CLAIM_WORD)
        return fig_claim_wrong_kind(e, expr->args[0], a, "a word");
    if (b->kind != FIG_CLAIM_WORD)
        return fig_claim_wrong_kind(e, expr->args[1], b, "a word");
    bool same = strcmp(a->word, b->word) == 0;
    if (expr->sign != FIG_EQ && expr->sign != FIG_NE) {
        fig_diag_error(e->diag, expr->span,
                       "words have no order; == and != compare them");
        return false;
    }
    *out = fig_claim_bool(same == (expr->sign == FIG_EQ));
    return true;
}

static bool
eval_binary(FigClaimEval *e, const FigExpr *expr, FigClaimValue *out)
{
    FigClaimValue a, b;
    bool left = fig_claim_eval(e, expr->args[0], &a);
    if (e->wants_run)
        return false;
    bool right = fig_claim_eval(e, expr->args[1], &b);
    if (!left || !right)
        return false;
    if (a.kind == FIG_CLAIM_WORD || b.kind == FIG_CLAIM_WORD)
        return eval_words(e, expr, &a, &b, out);
    bool logical = expr->sign == FIG_AND || expr->sign == FIG_OR;
    for (int i = 0; i < 2; i++) {
        FigClaimValue *side = i ? &b : &a;
        if (!fig_claim_to_numbers(e, expr->args[i], side))
            return false;
        if (logical && !fig_claim_is_truth(side))
            return fig_claim_wrong_kind(e, expr->args[i], side, "true or false");
        if (!logical && !fig_claim_is_numeric(side))
            return fig_claim_wrong_kind(e, expr->args[i], side, "a number");
    }
    if (is_comparison(expr->sign))
        note_bound(e, expr->sign, &a, &b);
    if (a.kind == FIG_CLAIM_ARRAY || b.kind == FIG_CLAIM_ARRAY)
        return fig_claim_broadcast(e, expr, expr->sign, &a, &b, out);
    if (logical)
        *out = fig_claim_bool(expr->sign == FIG_AND ? a.truth && b.truth
                                                    : a.truth || b.truth);
    else if (is_comparison(expr->sign))
        *out = fig_claim_bool(compare_numbers(expr->sign, &a, &b));
    else
        return arithmetic(e, expr, &a, &b, out);
    out->executed = a.executed || b.executed;
    return true;
}

static bool
eval_unary(FigClaimEval *e, const FigExpr *expr, FigClaimValue *out)
{
    FigClaimValue a;
    bool logical = expr->sign == FIG_NOT;
    if (!fig_claim_eval(e, expr->args[0], &a) ||
        !fig_claim_to_numbers(e, expr->args[0], &a))
        return false;
    if (logical ? !fig_claim_is_truth(&a) : !fig_claim_is_numeric(&a))
        return fig_claim_wrong_kind(e, expr->args[0], &a,
                                    logical ? "true or false" : "a number");
    if (a.kind == FIG_CLAIM_ARRAY) {
        /* 0 - x, and 0 == x for a truth */
        FigClaimValue zero = fig_claim_whole(0);
        if (!fig_claim_broadcast(e, expr, logical ? FIG_EQ : FIG_SUB, &zero, &a, out))
            return false;
    } else if (logical) {
        *out = fig_claim_bool(!a.truth);
    } else {
        *out = a.exact ? fig_claim_exact((FigRational){-a.rational.num, a.rational.den})
                       : fig_claim_real(-a.real);
        out->format = a.format;
    }
    out->executed = a.executed;
    return true;
}

bool
fig_claim_eval(FigClaimEval *e, const FigExpr *expr, FigClaimValue *out)
{
    FigClaimValue array;
    switch (expr->kind) {
    case FIG_EXPR_NUMBER:
        *out =
            expr->exact ? fig_claim_exact(expr->rational) : fig_claim_real(expr->real);
        out->text = expr->name; /* as written; gone with the first operator */
        return true;
    case FIG_EXPR_NAME:
        return eval_name(e, expr, out);
    case FIG_EXPR_STRING:
        *out = (FigClaimValue){.kind = FIG_CLAIM_WORD, .word = expr->name};
        return true;
    case FIG_EXPR_CALL:
        return fig_claim_call(e, expr, out);
    case FIG_EXPR_UNARY:
        return eval_unary(e, expr, out);
    case FIG_EXPR_BINARY:
        return eval_binary(e, expr, out);
    case FIG_EXPR_INDEX:
        if (!fig_claim_eval(e, expr->args[0], &array) ||
            !fig_claim_to_numbers(e, expr->args[0], &array))
            return false;
        if (array.kind != FIG_CLAIM_ARRAY)
            return fig_claim_wrong_kind(e, expr->args[0], &array, "a value with axes");
        return fig_claim_index(e, expr, &array, out);
    case FIG_EXPR_SLICE:
    case FIG_EXPR_REST:
        break;
    }
    fig_diag_error(e->diag, expr->span, "a slice stands in brackets only");
    return false;
}

/* ---- by structure, else by the run ---- */

bool
fig_claim_any(FigClaimEval *e, const FigExpr *expr, FigClaimValue *out)
{
    e->running = e->wants_run = false;
    bool ok = fig_claim_eval(e, expr, out);
    if (!ok && e->wants_run) {
        e->wants_run = false;
        e->running = e->ran = true;
        ok = fig_claim_eval(e, expr, out);
        e->running = false;
    }
    return ok;
}

/* One part of a claim, of which the whole wants to be `wanted`. A part that is not as
 * wanted decides: what it measured goes before what the others did. */
static bool
settle_part(FigClaimEval *e, const FigExpr *expr, bool wanted, bool alone, bool *truth)
{
    FigClaimEval part = *e;
    FigClaimValue value;
    part.ran = part.has_number = false;
    bool ok = fig_claim_any(&part, expr, &value);
    e->ran = e->ran || part.ran;
    if (!ok)
        return false;
    if (value.kind == FIG_CLAIM_ARRAY && value.array.truth) {
        FigMessage *message =
            fig_diag_error(e->diag, expr->span,
                           "this is true or false for each of %" G_GINT64_FORMAT
                           " entries, where one answer is wanted",
                           fig_claim_count(&value.array));
        fig_message_hint(message, "all(…) or any(…) makes it one");
        return false;
    }
    if (value.kind != FIG_CLAIM_TRUTH)
        return fig_claim_wrong_kind(e, expr, &value, "true or false");
    *truth = value.truth;
    bool decides = *truth != wanted;
    if (decides && e->found)
        fig_claim_explain(&part, expr, wanted, alone);
    if (part.has_number && (!e->has_number || (decides && !e->decided))) {
        e->has_number = true;
        e->bound = part.bound;
        e->number = part.number;
        e->decided = decides;
    }
    return true;
}

static bool
settle(FigClaimEval *e, const FigExpr *expr, bool wanted, bool alone, bool *truth)
{
    gsize before = e->found ? e->found->len : 0;
    if (expr->kind == FIG_EXPR_BINARY &&
        (expr->sign == FIG_AND || expr->sign == FIG_OR)) {
        bool a, b;
        bool left = settle(e, expr->args[0], wanted, false, &a);
        bool right = settle(e, expr->args[1], wanted, false, &b);
        if (!left || !right)
            return false;
        *truth = expr->sign == FIG_AND ? a && b : a || b;
    } else if (expr->kind == FIG_EXPR_UNARY && expr->sign == FIG_NOT) {
        if (!settle(e, expr->args[0], !wanted, alone, truth))
            return false;
        *truth = !*truth;
    } else {
        return settle_part(e, expr, wanted, alone, truth);
    }
    if (e->found && *truth == wanted) /* what failed in it does not matter */
        g_string_truncate(e->found, before);
    return true;
}

/* Go on to the next pass of the repeats whose values were looked at. */
static bool
next_pass(FigClaimEval *e, const FigClaimPasses *passes)
{
    const FigGraph *graph = e->claims->graph;
    for (int g = 0; g < graph->n_groups; g++) {
        if (!passes->asked[g])
            continue;
        if (++passes->pass[g] < fig_claim_sizes(e, NULL)->passes[g])
            return true;
        passes->pass[g] = 0;
    }
    return false;
}

bool
fig_claim_truth(FigClaimEval *e, const FigExpr *expr, bool *truth)
{
    FigClaimPasses passes = {
        .of = e->claims,
        .pass = fig_arena_new_array(e->arena, int64_t, e->claims->graph->n_groups),
        .asked = fig_arena_new_array(e->arena, bool, e->claims->graph->n_groups),
    };
    bool ok;
    e->passes = &passes;
    do
        ok = settle(e, expr, true, true, truth);
    while (ok && *truth && next_pass(e, &passes));
    e->passes = NULL;
    return ok;
}
