/* SPDX-License-Identifier: MIT
 *
 * Arrays of a claim: numbers, or truths, along named axes, all in double. Operators match
 * axes by name, so that `x / sqrt(mean(x^2, C))` needs no reshaping; reductions remove the
 * axis they are given, or all.
 */
#include "check/claims-parts.h"

#include <math.h>
#include <string.h>

enum { LARGEST_ARRAY = 1 << 25 }; /* entries: an outer product by a slip of a name */

int64_t
fig_claim_count(const FigClaimArray *array)
{
    int64_t count = 1;
    for (int i = 0; i < array->rank; i++)
        count *= array->size[i];
    return count;
}

FigClaimArray
fig_claim_as_array(FigArena *arena, const FigClaimValue *value)
{
    if (value->kind == FIG_CLAIM_ARRAY)
        return value->array;
    bool truth = value->kind == FIG_CLAIM_TRUTH;
    double *data = fig_arena_new0(arena, double);
    *data = truth ? value->truth : value->real;
    return (FigClaimArray){.data = data, .truth = truth};
}

/* ---- broadcasting ---- */

/* Which axis of the result each axis of b is; new ones are appended. */
static bool
match_axes(FigClaimEval *e, const FigExpr *expr, const FigClaimArray *a,
           const FigClaimArray *b, FigClaimArray *out, int place[FIG_LIMIT_RANK])
{
    unsigned taken = 0;
    bool same = a->rank == b->rank;
    for (int i = 0; same && i < a->rank; i++)
        same = a->size[i] == b->size[i] && strcmp(a->axis[i], b->axis[i]) == 0;
    for (int j = 0; j < b->rank; j++) {
        int i = 0;
        while (!same && i < a->rank &&
               (taken >> i & 1 || strcmp(a->axis[i], b->axis[j]) != 0))
            i++;
        if (same)
            i = j;
        if (i < a->rank) {
            if (a->size[i] != b->size[j]) {
                fig_diag_error(e->diag, expr->span,
                               "axis ‘%s’ is %" G_GINT64_FORMAT
                               " on one side and %" G_GINT64_FORMAT " on the other",
                               a->axis[i], a->size[i], b->size[j]);
                return false;
            }
            taken |= 1u << i;
            place[j] = i;
            continue;
        }
        if (out->rank == FIG_LIMIT_RANK) {
            fig_diag_error(e->diag, expr->span, "the two sides have more than %d axes",
                           FIG_LIMIT_RANK);
            return false;
        }
        place[j] = out->rank;
        out->axis[out->rank] = b->axis[j];
        out->size[out->rank++] = b->size[j];
    }
    return true;
}

/* Strides by which an array is read along the axes of the result. */
static void
read_strides(const FigClaimArray *array, const int *place, int64_t *stride)
{
    int64_t step = 1;
    memset(stride, 0, sizeof(int64_t) * FIG_LIMIT_RANK);
    for (int i = array->rank - 1; i >= 0; i--) {
        stride[place[i]] = step;
        step *= array->size[i];
    }
}

/* The next index in row-major order, and what it adds to an offset along stride. */
static void
advance(const FigClaimArray *shape, int64_t *index)
{
    for (int i = shape->rank - 1; i >= 0; i--) {
        if (++index[i] < shape->size[i])
            return;
        index[i] = 0;
    }
}

static int64_t
offset(int rank, const int64_t *index, const int64_t *stride)
{
    int64_t sum = 0;
    for (int i = 0; i < rank; i++)
        sum += index[i] * stride[i];
    return sum;
}

static bool
too_large(FigClaimEval *e, const FigExpr *expr, const FigClaimArray *array)
{
    double count = 1;
    for (int i = 0; i < array->rank; i++)
        count *= (double)array->size[i];
    if (count <= LARGEST_ARRAY)
        return false;
    fig_diag_error(e->diag, expr->span,
                   "the two sides have no axes in common and make "
                   "too many entries together");
    return true;
}

bool
fig_claim_broadcast(FigClaimEval *e, const FigExpr *expr, FigOperator sign,
                    const FigClaimValue *a_, const FigClaimValue *b_,
                    FigClaimValue *out)
{
    FigClaimArray a = fig_claim_as_array(e->arena, a_),
                  b = fig_claim_as_array(e->arena, b_), result = a;
    int place_a[FIG_LIMIT_RANK], place_b[FIG_LIMIT_RANK];
    for (int i = 0; i < FIG_LIMIT_RANK; i++)
        place_a[i] = i;
    if (!match_axes(e, expr, &a, &b, &result, place_b) || too_large(e, expr, &result))
        return false;
    int64_t stride_a[FIG_LIMIT_RANK], stride_b[FIG_LIMIT_RANK];
    int64_t index[FIG_LIMIT_RANK] = {0};
    read_strides(&a, place_a, stride_a);
    read_strides(&b, place_b, stride_b);
    int64_t count = fig_claim_count(&result);
    double *data = fig_arena_new_array(e->arena, double, count);
    for (int64_t i = 0; i < count; i++, advance(&result, index))
        data[i] = fig_operate(sign, a.data[offset(result.rank, index, stride_a)],
                              b.data[offset(result.rank, index, stride_b)]);
    result.data = data;
    result.truth = sign >= FIG_EQ && sign != FIG_NEG;
    *out = (FigClaimValue){.kind = FIG_CLAIM_ARRAY,
                           .executed = a_->executed || b_->executed,
                           .array = result};
    return true;
}

/* ---- slices ---- */

bool
fig_claim_index_number(const FigExpr *expr, void *data, double *number)
{
    FigClaimEval *e = data;
    FigClaimValue value;
    if (!fig_claim_eval(e, expr, &value))
        return false;
    if (value.kind != FIG_CLAIM_NUMBER || !value.exact) {
        fig_diag_error(e->diag, expr->span, "an index is a whole number");
        return false;
    }
    *number = value.real;
    return true;
}

bool
fig_claim_index(FigClaimEval *e, const FigExpr *expr, const FigClaimValue *value,
                FigClaimValue *out)
{
    const FigClaimArray *in = &value->array;
    FigPart part;
    bool single[FIG_LIMIT_RANK];
    if (!fig_part_indices(expr, in->rank, in->size, in->axis, fig_claim_index_number, e,
                          e->diag, &part, single))
        return false;
    FigClaimArray result = {.truth = in->truth};
    int64_t stride[FIG_LIMIT_RANK], kept[FIG_LIMIT_RANK], start = 0, step = 1;
    for (int i = in->rank - 1; i >= 0; i--) {
        stride[i] = step;
        step *= in->size[i];
    }
    for (int i = 0; i < in->rank; i++) {
        start += part.from[i] * stride[i];
        if (single[i])
            continue;
        kept[result.rank] = stride[i];
        result.axis[result.rank] = in->axis[i];
        result.size[result.rank++] = part.to[i] - part.from[i];
    }
    int64_t count = fig_claim_count(&result), index[FIG_LIMIT_RANK] = {0};
    double *data = fig_arena_new_array(e->arena, double, count);
    for (int64_t i = 0; i < count; i++, advance(&result, index))
        data[i] = in->data[start + offset(result.rank, index, kept)];
    result.data = data;
    if (result.rank == 0)
        *out = result.truth ? fig_claim_bool(data[0] != 0) : fig_claim_real(data[0]);
    else
        *out = (FigClaimValue){.kind = FIG_CLAIM_ARRAY, .array = result};
    out->executed = value->executed;
    return true;
}

/* ---- axes ---- */

int
fig_claim_axis(FigClaimEval *e, const FigExpr *at, const FigClaimValue *axis, int rank,
               const char *const *names, const char *what)
{
    if (axis->kind == FIG_CLAIM_NUMBER) {
        int64_t number =
            axis->exact && axis->rational.den == 1 ? axis->rational.num : G_MAXINT64;
        if (number < 0)
            number += rank;
        if (number >= 0 && number < rank)
            return (int)number;
        fig_diag_error(e->diag, at->span, "%s has %d ax%ss, no axis of that number",
                       what, rank, rank == 1 ? "i" : "e");
        return -1;
    }
    int found = -1;
    const char *known[FIG_LIMIT_RANK + 1] = {NULL};
    for (int i = 0; i < rank; i++) {
        known[i] = names[i];
        if (strcmp(names[i], axis->word) != 0)
            continue;
        if (found >= 0) {
            fig_diag_error(e->diag, at->span, "%s has two axes ‘%s’; axes %d and %d",
                           what, axis->word, found, i);
            return -1;
        }
        found = i;
    }
    if (found < 0) {
        FigMessage *message =
            fig_diag_error(e->diag, at->span, "%s has no axis ‘%s’", what, axis->word);
        g_autoptr(GString) list = g_string_new(NULL);
        for (int i = 0; i < rank; i++)
            g_string_append_printf(list, "%s%s", i ? ", " : "", names[i]);
        fig_message_note(message, "its axes are %s", list->str);
        fig_message_suggest(message, axis->word, known);
    }
    return found;
}
