/* SPDX-License-Identifier: MIT
 *
 * Atoms: what is no sum of products. They are interned by what they are made of, and a
 * rounding that changes nothing or a least of numbers makes none.
 */
#include "base/limit.h"
#include "base/poly-parts.h"

#include <stdlib.h>
#include <string.h>

/* Is the polynomial a whole number at every size of its symbols? (no: not known) */
static bool
always_whole(const FigAlgebra *algebra, const FigPoly *poly)
{
    for (int i = 0; i < poly->n_terms; i++) {
        if (poly->terms[i].coefficient.den != 1)
            return false;
        for (int j = 0; j < poly->terms[i].n_factors; j++) {
            FigFactor factor = poly->terms[i].factors[j];
            if (factor.exponent < 0)
                return false;
            if (factor.id >= FIG_POLY_ATOM &&
                !fig_algebra_atom(algebra, factor.id)->whole)
                return false;
        }
    }
    return true;
}

/* How many atoms stand inside each other in the polynomial. */
static int
atom_depth(const FigAlgebra *algebra, const FigPoly *poly)
{
    int depth = 0;
    for (int i = 0; i < poly->n_terms; i++)
        for (int j = 0; j < poly->terms[i].n_factors; j++)
            if (poly->terms[i].factors[j].id >= FIG_POLY_ATOM)
                depth =
                    MAX(depth,
                        fig_algebra_atom(algebra, poly->terms[i].factors[j].id)->depth);
    return depth;
}

const FigPoly *
fig_poly_atom(FigAlgebra *algebra, FigAtomKind kind, const FigPoly *const *args,
              int n_args)
{
    for (guint i = 0; i < algebra->atoms->len; i++) {
        const FigAtom *known = &g_array_index(algebra->atoms, FigAtom, i);
        if (known->kind == kind && known->n_args == n_args &&
            memcmp(known->args, args, sizeof(*args) * (size_t)n_args) == 0)
            return fig_poly_factor(algebra, FIG_POLY_ATOM + (int)i, 1);
    }
    FigAtom atom = {
        kind, n_args,
        fig_arena_copy(algebra->arena, args, sizeof(*args) * (size_t)n_args)};
    atom.whole = kind != FIG_ATOM_INVERSE;
    bool rounded = kind == FIG_ATOM_CEIL || kind == FIG_ATOM_FLOOR;
    for (int i = 0; i < n_args; i++) {
        if ((i > 0 || !rounded) && !always_whole(algebra, args[i]))
            atom.whole = false;
        atom.depth = MAX(atom.depth, 1 + atom_depth(algebra, args[i]));
    }
    if (atom.depth > FIG_LIMIT_DEPTH)
        return fig_algebra_fail(algebra, FIG_POLY_TOO_LARGE);
    g_array_append_val(algebra->atoms, atom);
    return fig_poly_factor(algebra, FIG_POLY_ATOM + (int)algebra->atoms->len - 1, 1);
}

/* ---- rounding, least and greatest ---- */

static const FigPoly *
apply_rounding(FigAlgebra *algebra, FigPolyFunction function, const FigPoly *x,
               const FigPoly *step)
{
    FigRational a, b;
    if (fig_poly_is_number(step, &b) && b.num < 0)
        step = fig_poly_number(algebra, -b.num, b.den);
    const FigPoly *quotient = fig_poly_div(algebra, x, step);
    if (!quotient)
        return NULL;
    if (always_whole(algebra, quotient))
        return x;
    if (fig_poly_is_number(x, &a) && fig_poly_is_number(step, &b)) {
        FigRational value;
        FigPolyError error = function == FIG_POLY_CEIL
                                 ? fig_rational_ceil(a, b, &value)
                                 : fig_rational_floor(a, b, &value);
        return error ? fig_algebra_fail(algebra, error)
                     : fig_poly_number(algebra, value.num, value.den);
    }
    const FigPoly *args[] = {x, step};
    return fig_poly_atom(algebra, (FigAtomKind)function, args, 2);
}

static int
by_serial(const void *a_, const void *b_)
{
    const FigPoly *a = *(const FigPoly *const *)a_, *b = *(const FigPoly *const *)b_;
    return (a->serial > b->serial) - (a->serial < b->serial);
}

/* min and max: numbers are folded, equal arguments stand once, in a fixed order. */
static const FigPoly *
apply_extreme(FigAlgebra *algebra, FigPolyFunction function, const FigPoly *const *args,
              int n_args)
{
    g_autofree const FigPoly **list = g_new(const FigPoly *, n_args);
    const FigPoly *number = NULL;
    int n = 0;
    for (int i = 0; i < n_args; i++) {
        FigRational a, b;
        if (!fig_poly_is_number(args[i], &a)) {
            list[n++] = args[i];
        } else if (!number) {
            number = args[i];
        } else {
            fig_poly_is_number(number, &b);
            int order = fig_rational_compare(a, b);
            if (function == FIG_POLY_MIN ? order < 0 : order > 0)
                number = args[i];
        }
    }
    if (number)
        list[n++] = number;
    qsort(list, (size_t)n, sizeof(*list), by_serial);
    int kept = 0;
    for (int i = 0; i < n; i++)
        if (i == 0 || list[i] != list[kept - 1])
            list[kept++] = list[i];
    if (kept == 1)
        return list[0];
    return fig_poly_atom(algebra, (FigAtomKind)function, list, kept);
}

const FigPoly *
fig_poly_apply(FigAlgebra *algebra, FigPolyFunction function,
               const FigPoly *const *args, int n_args)
{
    g_assert(n_args >= 1);
    for (int i = 0; i < n_args; i++)
        if (!args[i])
            return NULL;
    if (function == FIG_POLY_MIN || function == FIG_POLY_MAX)
        return apply_extreme(algebra, function, args, n_args);
    g_assert(n_args <= 2);
    return apply_rounding(algebra, function, args[0],
                          n_args == 2 ? args[1] : fig_poly_number(algebra, 1, 1));
}
