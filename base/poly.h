/* SPDX-License-Identifier: MIT
 *
 * The dimension algebra: exact sums of products of symbols, each with a whole exponent
 * that may be negative, and a rational coefficient, so that H·(C/H) is C and
 * H·h_d + 2·G·h_d is 3C. What is no such sum (ceil, floor, min, max, a quotient by a sum)
 * is an *atom*: a symbol interned by what it is made of, so that equal atoms are equal.
 * Everything is checked for overflow; nothing is ever rounded.
 *
 * Polynomials are immutable and live in their algebra; equal polynomials of one algebra
 * have one normal form.
 */
#ifndef FIG_BASE_POLY_H
#define FIG_BASE_POLY_H

#include "base/arena.h"
#include "base/rational.h"

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct FigPoly FigPoly;
typedef struct FigAlgebra FigAlgebra;

typedef enum FigPolyFunction {
    FIG_POLY_CEIL,  /* ceil(x) or ceil(x, m): x rounded up to a multiple of m */
    FIG_POLY_FLOOR, /* floor(x) or floor(x, m) */
    FIG_POLY_MIN,
    FIG_POLY_MAX,
} FigPolyFunction;

/* owns     the caller; free with fig_algebra_free, which frees all its polynomials */
FigAlgebra *fig_algebra_new(void);
void fig_algebra_free(FigAlgebra *algebra);

/* The symbol of that name, made on first use; numbered from 0 in order of making, which
 * is also the order of factors and terms in print. */
const FigPoly *fig_poly_symbol(FigAlgebra *algebra, const char *name);

/* Say that a polynomial has a name of its own in print: h_d for C·H⁻¹, h_ff for an atom,
 * F for 4·C. It stands for all of an equal polynomial that is no bare symbol, and inside a
 * product wherever it removes a division. */
void fig_algebra_name(FigAlgebra *algebra, const char *name, const FigPoly *poly);

/* Arithmetic. NULL when it fails (see fig_algebra_error); NULL operands give NULL, so
 * that a chain of operations is checked once at its end. */
const FigPoly *fig_poly_number(FigAlgebra *algebra, int64_t num, int64_t den);
const FigPoly *fig_poly_add(FigAlgebra *algebra, const FigPoly *a, const FigPoly *b);
const FigPoly *fig_poly_sub(FigAlgebra *algebra, const FigPoly *a, const FigPoly *b);
const FigPoly *fig_poly_mul(FigAlgebra *algebra, const FigPoly *a, const FigPoly *b);
const FigPoly *fig_poly_div(FigAlgebra *algebra, const FigPoly *a, const FigPoly *b);
const FigPoly *fig_poly_power(FigAlgebra *algebra, const FigPoly *a, int exponent);
const FigPoly *fig_poly_apply(FigAlgebra *algebra, FigPolyFunction function,
                              const FigPoly *const *args, int n_args);

/* Why the last operation that failed did; reading it clears it. */
FigPolyError fig_algebra_error(FigAlgebra *algebra);

bool fig_poly_equal(const FigPoly *a, const FigPoly *b);

/* Is it a plain number? */
bool fig_poly_is_number(const FigPoly *poly, FigRational *value);

/* The value at the sizes of the symbols, indexed by symbol number (atoms are computed
 * from theirs).
 *
 * errors   overflow, division by zero
 */
FigPolyError fig_poly_value(const FigAlgebra *algebra, const FigPoly *poly,
                            const int64_t *sizes, FigRational *value);

/* How many symbols there are that are no atoms (the length of `sizes`), and their
 * names. */
int fig_algebra_symbols(const FigAlgebra *algebra);
const char *fig_algebra_symbol_name(const FigAlgebra *algebra, int symbol);

/* Does the polynomial depend on the symbol? (also inside atoms) */
bool fig_poly_depends(const FigAlgebra *algebra, const FigPoly *poly, int symbol);

/* The number of a symbol, or -1. */
int fig_algebra_lookup(const FigAlgebra *algebra, const char *name);

/* The text of a polynomial in the language of specs: "3*C", "H*h_d", "2*B*T*C*h_ff",
 * "ceil(8*C/3, 64)". It reads back as the same polynomial.
 *
 * owns     the algebra
 */
const char *fig_poly_text(FigAlgebra *algebra, const FigPoly *poly);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(FigAlgebra, fig_algebra_free)

#endif
