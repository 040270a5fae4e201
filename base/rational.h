/* SPDX-License-Identifier: MIT
 *
 * Exact fractions of 63 bits: arithmetic that says when it cannot be done, and never
 * rounds.
 */
#ifndef FIG_BASE_RATIONAL_H
#define FIG_BASE_RATIONAL_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct FigRational {
    int64_t num; /* never INT64_MIN, so that it can be negated */
    int64_t den; /* > 0, no common factor with num */
} FigRational;

/* Why a computation failed. */
typedef enum FigPolyError {
    FIG_POLY_OK,
    FIG_POLY_OVERFLOW, /* beyond 63 bits */
    FIG_POLY_DIVIDE_BY_ZERO,
    FIG_POLY_TOO_LARGE, /* more than FIG_LIMIT_TERMS terms */
} FigPolyError;

FigRational fig_rational(int64_t num, int64_t den); /* normalised; asserts den ≠ 0 */

/* Each gives *out, or the reason why there is none. */
FigPolyError fig_rational_add(FigRational a, FigRational b, FigRational *out);
FigPolyError fig_rational_sub(FigRational a, FigRational b, FigRational *out);
FigPolyError fig_rational_mul(FigRational a, FigRational b, FigRational *out);
FigPolyError fig_rational_div(FigRational a, FigRational b, FigRational *out);
FigPolyError fig_rational_power(FigRational a, int exponent, FigRational *out);

/* The nearest multiple of step that is not below a (ceil) or not above it (floor); the
 * sign of step does not matter, zero is a division by zero. */
FigPolyError fig_rational_ceil(FigRational a, FigRational step, FigRational *out);
FigPolyError fig_rational_floor(FigRational a, FigRational step, FigRational *out);

/* -1, 0 or 1 as a is less than, equal to or greater than b. */
int fig_rational_compare(FigRational a, FigRational b);

double fig_rational_real(FigRational a);

#endif
