/* SPDX-License-Identifier: MIT
 *
 * Every operation is carried out in 128 bits, where no product of two parts and no sum
 * of two such products overflows, and is then brought to lowest terms; only a result that
 * does not fit is an overflow.
 */
#include "base/rational.h"

__extension__ typedef __int128 Wide;

/* Of numbers from 0. Machine words are divided a good deal faster, and mostly they are. */
static Wide
greatest_divisor(Wide a, Wide b)
{
    while (b > UINT64_MAX || (b && a > UINT64_MAX)) {
        Wide rest = a % b;
        a = b;
        b = rest;
    }
    if (!b)
        return a;
    uint64_t x = (uint64_t)a, y = (uint64_t)b;
    while (y) {
        uint64_t rest = x % y;
        x = y;
        y = rest;
    }
    return x;
}

static FigPolyError
narrow(Wide num, Wide den, FigRational *out)
{
    Wide common = den == 1 ? 1 : greatest_divisor(num < 0 ? -num : num, den);
    if (common != 1 && num <= INT64_MAX && num >= -(Wide)INT64_MAX &&
        den <= INT64_MAX) {
        num = (int64_t)num / (int64_t)common;
        den = (int64_t)den / (int64_t)common;
    } else if (common != 1) {
        num /= common;
        den /= common;
    }
    if (num > INT64_MAX || num < -(Wide)INT64_MAX || den > INT64_MAX)
        return FIG_POLY_OVERFLOW;
    *out = (FigRational){(int64_t)num, (int64_t)den};
    return FIG_POLY_OK;
}

FigRational
fig_rational(int64_t num, int64_t den)
{
    g_assert(den != 0);
    FigRational out;
    FigPolyError error =
        den < 0 ? narrow(-(Wide)num, -(Wide)den, &out) : narrow(num, den, &out);
    g_assert(error == FIG_POLY_OK);
    return out;
}

FigPolyError
fig_rational_add(FigRational a, FigRational b, FigRational *out)
{
    return narrow((Wide)a.num * b.den + (Wide)b.num * a.den, (Wide)a.den * b.den, out);
}

FigPolyError
fig_rational_sub(FigRational a, FigRational b, FigRational *out)
{
    return fig_rational_add(a, (FigRational){-b.num, b.den}, out);
}

FigPolyError
fig_rational_mul(FigRational a, FigRational b, FigRational *out)
{
    return narrow((Wide)a.num * b.num, (Wide)a.den * b.den, out);
}

FigPolyError
fig_rational_div(FigRational a, FigRational b, FigRational *out)
{
    if (b.num == 0)
        return FIG_POLY_DIVIDE_BY_ZERO;
    Wide num = (Wide)a.num * b.den, den = (Wide)a.den * b.num;
    return den < 0 ? narrow(-num, -den, out) : narrow(num, den, out);
}

FigPolyError
fig_rational_power(FigRational a, int exponent, FigRational *out)
{
    if (exponent < 0) {
        FigPolyError error = fig_rational_div((FigRational){1, 1}, a, &a);
        if (error)
            return error;
    }
    FigRational result = {1, 1};
    for (unsigned left = exponent < 0 ? 0u - (unsigned)exponent : (unsigned)exponent;
         left; left >>= 1) {
        FigPolyError error = FIG_POLY_OK;
        if (left & 1)
            error = fig_rational_mul(result, a, &result);
        if (!error && left > 1)
            error = fig_rational_mul(a, a, &a);
        if (error)
            return error;
    }
    *out = result;
    return FIG_POLY_OK;
}

static FigPolyError
round_to(FigRational a, FigRational step, bool up, FigRational *out)
{
    if (step.num < 0)
        step.num = -step.num;
    FigRational quotient;
    FigPolyError error = fig_rational_div(a, step, &quotient);
    if (error)
        return error;
    int64_t whole = quotient.num / quotient.den; /* towards zero */
    if (quotient.num % quotient.den != 0) {
        if (up && quotient.num > 0)
            whole++;
        if (!up && quotient.num < 0)
            whole--;
    }
    return fig_rational_mul((FigRational){whole, 1}, step, out);
}

FigPolyError
fig_rational_ceil(FigRational a, FigRational step, FigRational *out)
{
    return round_to(a, step, true, out);
}

FigPolyError
fig_rational_floor(FigRational a, FigRational step, FigRational *out)
{
    return round_to(a, step, false, out);
}

int
fig_rational_compare(FigRational a, FigRational b)
{
    Wide left = (Wide)a.num * b.den, right = (Wide)b.num * a.den;
    return left < right ? -1 : left > right;
}

double
fig_rational_real(FigRational a)
{
    return (double)a.num / (double)a.den;
}
