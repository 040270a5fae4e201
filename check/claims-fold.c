/* SPDX-License-Identifier: MIT
 *
 * Functions of numbers: along an axis (sum, mean, …), entry by entry (abs, sqrt, …), and
 * the roundings that sizes know too.
 */
#include "check/claims-parts.h"

#include <math.h>

/* ---- reductions ---- */

typedef double (*Fold)(const double *data, int64_t count, int64_t stride);

static double
fold_sum(const double *data, int64_t count, int64_t stride)
{
    double sum = 0;
    for (int64_t i = 0; i < count; i++)
        sum += data[i * stride];
    return sum;
}

static double
fold_mean(const double *data, int64_t count, int64_t stride)
{
    return fold_sum(data, count, stride) / (double)count;
}

/* The biased variance, in two passes. */
static double
fold_var(const double *data, int64_t count, int64_t stride)
{
    double mean = fold_mean(data, count, stride), sum = 0;
    for (int64_t i = 0; i < count; i++)
        sum += (data[i * stride] - mean) * (data[i * stride] - mean);
    return sum / (double)count;
}

static double
fold_rms(const double *data, int64_t count, int64_t stride)
{
    double sum = 0;
    for (int64_t i = 0; i < count; i++)
        sum += data[i * stride] * data[i * stride];
    return sqrt(sum / (double)count);
}

/* One entry that is not a number makes the least and the greatest none. */
static double
fold_min(const double *data, int64_t count, int64_t stride)
{
    double least = data[0];
    for (int64_t i = 1; i < count; i++)
        if (data[i * stride] < least || isnan(data[i * stride]))
            least = data[i * stride];
    return least;
}

static double
fold_max(const double *data, int64_t count, int64_t stride)
{
    double most = data[0];
    for (int64_t i = 1; i < count; i++)
        if (data[i * stride] > most || isnan(data[i * stride]))
            most = data[i * stride];
    return most;
}

static double
fold_all(const double *data, int64_t count, int64_t stride)
{
    for (int64_t i = 0; i < count; i++)
        if (data[i * stride] == 0)
            return 0;
    return 1;
}

static double
fold_any(const double *data, int64_t count, int64_t stride)
{
    for (int64_t i = 0; i < count; i++)
        if (data[i * stride] != 0)
            return 1;
    return 0;
}

/* Fold along one axis, or along all when none is given. */
static bool
reduce(FigClaimEval *e, const FigClaimCall *call, Fold fold, bool truths,
       FigClaimValue *out)
{
    FigClaimArray in = fig_claim_as_array(e->arena, &call->value[0]);
    if (in.truth != truths) {
        g_autofree char *text = fig_expr_text(call->arg[0]);
        fig_diag_error(e->diag, call->arg[0]->span, "‘%s’ is %s, where %s wanted", text,
                       fig_claim_kind_name(&call->value[0]),
                       truths ? "true or false is" : "numbers are");
        return false;
    }
    if (!call->arg[1]) {
        double value = fold(in.data, fig_claim_count(&in), 1);
        *out = truths ? fig_claim_bool(value != 0) : fig_claim_real(value);
        out->executed = call->value[0].executed;
        return true;
    }
    g_autofree char *what = fig_expr_text(call->arg[0]);
    int axis = fig_claim_axis(e, call->arg[1], &call->value[1], in.rank, in.axis, what);
    if (axis < 0)
        return false;
    FigClaimArray result = {.truth = truths};
    int64_t outer = 1, inner = 1;
    for (int i = 0; i < in.rank; i++) {
        if (i == axis)
            continue;
        *(i < axis ? &outer : &inner) *= in.size[i];
        result.axis[result.rank] = in.axis[i];
        result.size[result.rank++] = in.size[i];
    }
    double *data = fig_arena_new_array(e->arena, double, outer *inner);
    for (int64_t i = 0; i < outer; i++)
        for (int64_t j = 0; j < inner; j++)
            data[i * inner + j] =
                fold(in.data + i * in.size[axis] * inner + j, in.size[axis], inner);
    result.data = data;
    *out = (FigClaimValue){
        .kind = FIG_CLAIM_ARRAY, .executed = call->value[0].executed, .array = result};
    return true;
}

#define REDUCTION(name, truths)                                                        \
    static bool eval_##name(FigClaimEval *e, const FigClaimCall *call,                 \
                            FigClaimValue *out)                                        \
    {                                                                                  \
        return reduce(e, call, fold_##name, truths, out);                              \
    }
REDUCTION(sum, false)
REDUCTION(mean, false)
REDUCTION(var, false)
REDUCTION(rms, false)
REDUCTION(all, true)
REDUCTION(any, true)

/* min(x), min(x, axis) of an array; min(a, b) of two numbers. */
static bool
extreme(FigClaimEval *e, const FigClaimCall *call, Fold fold, bool least,
        FigClaimValue *out)
{
    const FigClaimValue *a = &call->value[0], *b = &call->value[1];
    if (a->kind != FIG_CLAIM_NUMBER)
        return reduce(e, call, fold, false, out);
    if (!call->arg[1]) {
        *out = *a;
        return true;
    }
    FigClaimValue second;
    if (b->kind == FIG_CLAIM_WORD) { /* the name of a dim was taken for an axis */
        if (!fig_claim_eval(e, call->arg[1], &second))
            return false;
        b = &second;
    }
    if (b->kind != FIG_CLAIM_NUMBER) {
        fig_diag_error(e->diag, call->arg[1]->span, "%s where a number is wanted",
                       fig_claim_kind_name(b));
        return false;
    }
    bool first = least ? a->real <= b->real : a->real >= b->real;
    *out = first ? *a : *b;
    out->executed = a->executed || b->executed;
    return true;
}

static bool
eval_min(FigClaimEval *e, const FigClaimCall *call, FigClaimValue *out)
{
    return extreme(e, call, fold_min, true, out);
}

static bool
eval_max(FigClaimEval *e, const FigClaimCall *call, FigClaimValue *out)
{
    return extreme(e, call, fold_max, false, out);
}

/* ---- entry by entry ---- */

static bool
map(FigClaimEval *e, const FigClaimCall *call, double (*function)(double),
    FigClaimValue *out)
{
    FigClaimArray in = fig_claim_as_array(e->arena, &call->value[0]);
    if (in.truth) {
        fig_diag_error(e->diag, call->arg[0]->span, "%s where a number is wanted",
                       fig_claim_kind_name(&call->value[0]));
        return false;
    }
    int64_t count = fig_claim_count(&in);
    double *data = fig_arena_new_array(e->arena, double, count);
    for (int64_t i = 0; i < count; i++)
        data[i] = function(in.data[i]);
    in.data = data;
    if (in.rank == 0)
        *out = fig_claim_real(data[0]);
    else
        *out = (FigClaimValue){.kind = FIG_CLAIM_ARRAY, .array = in};
    out->executed = call->value[0].executed;
    if (in.rank == 0 && !out->executed && !isfinite(data[0])) {
        fig_diag_error(e->diag, call->expr->span, "the result is not a finite number");
        return false;
    }
    return true;
}

static bool
eval_sqrt(FigClaimEval *e, const FigClaimCall *call, FigClaimValue *out)
{
    return map(e, call, sqrt, out);
}

static bool
eval_exp(FigClaimEval *e, const FigClaimCall *call, FigClaimValue *out)
{
    return map(e, call, exp, out);
}

static bool
eval_log(FigClaimEval *e, const FigClaimCall *call, FigClaimValue *out)
{
    return map(e, call, log, out);
}

static bool
eval_abs(FigClaimEval *e, const FigClaimCall *call, FigClaimValue *out)
{
    const FigClaimValue *x = &call->value[0];
    if (x->kind == FIG_CLAIM_NUMBER && x->exact) {
        *out = fig_claim_exact((FigRational){ABS(x->rational.num), x->rational.den});
        return true;
    }
    return map(e, call, fabs, out);
}

/* ceil(x), ceil(x, step): exact as in a size. */
static bool
rounded(FigClaimEval *e, const FigClaimCall *call,
        FigPolyError (*round)(FigRational, FigRational, FigRational *),
        double (*real_round)(double), FigClaimValue *out)
{
    FigClaimValue step = call->arg[1] ? call->value[1] : fig_claim_whole(1);
    const FigClaimValue *x = &call->value[0];
    FigRational result;
    FigPolyError error = FIG_POLY_OVERFLOW;
    if (x->exact && step.exact)
        error = round(x->rational, step.rational, &result);
    if (error == FIG_POLY_DIVIDE_BY_ZERO || step.real == 0) {
        fig_diag_error(e->diag, call->arg[1]->span, "division by zero");
        return false;
    }
    *out = error ? fig_claim_real(real_round(x->real / step.real) * step.real)
                 : fig_claim_exact(result);
    out->executed = x->executed || step.executed;
    return true;
}

static bool
eval_ceil(FigClaimEval *e, const FigClaimCall *call, FigClaimValue *out)
{
    return rounded(e, call, fig_rational_ceil, ceil, out);
}

static bool
eval_floor(FigClaimEval *e, const FigClaimCall *call, FigClaimValue *out)
{
    return rounded(e, call, fig_rational_floor, floor, out);
}

/* ---- nearness ---- */

/* Is no entry farther from its like than the tolerance? Axes are matched by name. */
static bool
eval_close(FigClaimEval *e, const FigClaimCall *call, FigClaimValue *out)
{
    FigClaimValue difference, same;
    const FigClaimValue *a = &call->value[0], *b = &call->value[1];
    double tolerance = call->value[2].real, most = 0;
    for (int i = 0; i < 2; i++) {
        if (!fig_claim_is_numeric(&call->value[i]))
            return fig_claim_wrong_kind(e, call->arg[i], &call->value[i], "a number");
    }
    if (!(tolerance >= 0)) {
        fig_diag_error(e->diag, call->arg[2]->span, "a tolerance is 0 or more");
        return false;
    }
    if (!fig_claim_broadcast(e, call->expr, FIG_SUB, a, b, &difference) ||
        !fig_claim_broadcast(e, call->expr, FIG_EQ, a, b, &same))
        return false;
    for (int64_t i = 0; i < fig_claim_count(&difference.array); i++) {
        /* what is infinite on both sides is the same */
        double here = same.array.data[i] != 0 ? 0 : fabs(difference.array.data[i]);
        if (here > most || isnan(here))
            most = here;
        if (isnan(here))
            break;
    }
    *out = fig_claim_bool(most <= tolerance);
    out->executed = a->executed || b->executed;
    if (out->executed)
        fig_claim_note(e, tolerance, most);
    return true;
}

/* clang-format off */
#define X_AXIS {{"x", FIG_PARAM_ARRAY, false}, {"axis", FIG_PARAM_AXIS, true}}
#define X_ONLY {{"x", FIG_PARAM_ARRAY, false}}
#define X_STEP {{"x", FIG_PARAM_NUMBER, false}, {"step", FIG_PARAM_NUMBER, true}}

const FigClaimFunction fig_claim_array_functions[] = {
    {"sum", X_AXIS, eval_sum, "The sum along an axis, or of all entries.",
     "all(abs(sum(probs, key) - 1) < 1e-6)", FIG_BY_ARGUMENTS},
    {"mean", X_AXIS, eval_mean, "The mean along an axis, or of all entries.",
     "abs(mean(probs, key)[0, 0, 0] - 1/T) < 1e-9", FIG_BY_ARGUMENTS},
    {"var", X_AXIS, eval_var,
     "The variance along an axis, or of all entries: the mean square of what differs "
     "from the mean.",
     "close(var(z, C), mean(z^2, C) - mean(z, C)^2, 1e-9)", FIG_BY_ARGUMENTS},
    {"rms", X_AXIS, eval_rms,
     "The root of the mean square along an axis, or of all entries.",
     "close(rms(attn_norm, C), 1, 1e-3)", FIG_BY_ARGUMENTS},
    {"min", X_AXIS, eval_min,
     "The least entry along an axis, or of all; of two numbers the lesser.",
     "min(probs) >= 0 and min(G, H) == G", FIG_BY_ARGUMENTS},
    {"max", X_AXIS, eval_max,
     "The greatest entry along an axis, or of all; of two numbers the greater.",
     "all(max(probs, key) <= 1) and max(C, H) == C", FIG_BY_ARGUMENTS},
    {"all", X_AXIS, eval_all, "Is it true of all entries (along an axis)?",
     "all(gated == silu*up)", FIG_BY_ARGUMENTS},
    {"any", X_AXIS, eval_any, "Is it true of some entry (along an axis)?",
     "not any(probs < 0)", FIG_BY_ARGUMENTS},
    {"close",
     {{"a", FIG_PARAM_ARRAY, false}, {"b", FIG_PARAM_ARRAY, false},
      {"tolerance", FIG_PARAM_NUMBER, false}},
     eval_close,
     "Is no entry of one farther from its like in the other than the tolerance?",
     "close(z1, z + attn_norm, 1e-12)", FIG_BY_ARGUMENTS},
    {"abs", X_ONLY, eval_abs, "Without its sign, entry by entry.",
     "all(abs(q_rope) < 100)", FIG_BY_ARGUMENTS},
    {"sqrt", X_ONLY, eval_sqrt, "The square root, entry by entry.",
     "attr(scores, scale) == 1/sqrt(h_d)", FIG_BY_ARGUMENTS},
    {"exp", X_ONLY, eval_exp, "e to the power of x, entry by entry.",
     "close(silu, gate/(1 + exp(-gate)), 1e-12)", FIG_BY_ARGUMENTS},
    {"log", X_ONLY, eval_log, "The natural logarithm, entry by entry.",
     "log(exp(1)) == 1", FIG_BY_ARGUMENTS},
    {"ceil", X_STEP, eval_ceil,
     "A number rounded up to a multiple of the step (1 unless given).",
     "h_ff == ceil(8*C/3, 64)", FIG_BY_ARGUMENTS},
    {"floor", X_STEP, eval_floor,
     "A number rounded down to a multiple of the step (1 unless given).",
     "floor(C/3) == 170", FIG_BY_ARGUMENTS},
    {0},
};
/* clang-format on */
