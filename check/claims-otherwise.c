/* SPDX-License-Identifier: MIT
 *
 * Answers that the model did not give, but could have: a count that is one more or less,
 * numbers a thousandth off, yes for no. A piece of a claim that is the same with all of them
 * asks nothing.
 */
#include "check/claims-parts.h"

#include <math.h>

static const double OFF = 1e-3;

/* Mixed anew for each way of answering and each question, the same on every machine. */
static uint64_t
mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

/* Between −1 and 1. */
static double
random_of(uint64_t hash, int64_t i)
{
    return (double)(mix(hash + (uint64_t)i) >> 11) * 0x1p-52 - 1;
}

static FigClaimArray
array_otherwise(FigClaimEval *e, FigClaimArray array, uint64_t hash)
{
    int64_t count = fig_claim_count(&array);
    double *data = fig_arena_new_array(e->arena, double, count), square = 0;
    int64_t finite = 0;
    for (int64_t i = 0; i < count; i++) {
        if (!isfinite(array.data[i]))
            continue;
        square += array.data[i] * array.data[i];
        finite++;
    }
    double rms = finite && square > 0 ? sqrt(square / (double)finite) : 1;
    for (int64_t i = 0; i < count; i++) {
        double by = OFF * random_of(hash, i), x = array.data[i];
        /* what is 0 is rarely less in another run: a weight that nobody sees is none */
        data[i] = array.truth ? x == 0 : x == 0 ? fabs(by) * rms : x * (1 + by);
    }
    array.data = data;
    return array;
}

void
fig_claim_otherwise(FigClaimEval *e, const char *question, FigClaimValue *answer)
{
    if (!e->otherwise)
        return;
    uint64_t hash = mix(g_str_hash(question) + ((uint64_t)e->otherwise << 32));
    bool less = hash & 1;
    FigRational one = {less ? -1 : 1, 1};
    switch (answer->kind) {
    case FIG_CLAIM_TRUTH:
        answer->truth = !answer->truth;
        break;
    case FIG_CLAIM_WORD:
        answer->word = "";
        break;
    case FIG_CLAIM_ARRAY:
        answer->array = array_otherwise(e, answer->array, hash);
        break;
    case FIG_CLAIM_NUMBER:
        answer->text = NULL;
        if (!answer->exact) {
            answer->real +=
                OFF * (less ? -1 : 1) * (answer->real != 0 ? fabs(answer->real) : 1);
        } else if (!fig_rational_add(answer->rational, one, &answer->rational)) {
            answer->real = fig_rational_real(answer->rational);
        }
        break;
    case FIG_CLAIM_REF: /* which op is meant, the claim says */
    case FIG_CLAIM_SET:
        break;
    }
}
