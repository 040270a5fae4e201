/* SPDX-License-Identifier: MIT
 *
 * Polynomials looked into: which symbols they depend on, and their exact value at given
 * sizes.
 */
#include "base/poly-parts.h"

/* One visit of a polynomial: an atom used twice is looked into once, so that nested min
 * and max do not cost 2^depth. */
static bool
depends(const FigAlgebra *algebra, const FigPoly *poly, int symbol, bool *seen)
{
    for (int i = 0; i < poly->n_terms; i++) {
        for (int j = 0; j < poly->terms[i].n_factors; j++) {
            int id = poly->terms[i].factors[j].id;
            if (id == symbol)
                return true;
            if (id < FIG_POLY_ATOM || seen[id - FIG_POLY_ATOM])
                continue;
            seen[id - FIG_POLY_ATOM] = true;
            const FigAtom *atom = fig_algebra_atom(algebra, id);
            for (int k = 0; k < atom->n_args; k++)
                if (depends(algebra, atom->args[k], symbol, seen))
                    return true;
        }
    }
    return false;
}

bool
fig_poly_depends(const FigAlgebra *algebra, const FigPoly *poly, int symbol)
{
    g_autofree bool *seen = g_new0(bool, algebra->atoms->len + 1);
    return depends(algebra, poly, symbol, seen);
}

/* An evaluation: values of atoms computed so far (den 0: not yet). */
typedef struct Evaluation {
    const FigAlgebra *algebra;
    const int64_t *sizes;
    FigRational *atoms;
} Evaluation;

static FigPolyError poly_value(const Evaluation *at, const FigPoly *poly,
                               FigRational *value);

static FigPolyError
atom_value(const Evaluation *at, int id, FigRational *value)
{
    FigRational *known = &at->atoms[id - FIG_POLY_ATOM];
    if (known->den) {
        *value = *known;
        return FIG_POLY_OK;
    }
    const FigAtom *atom = fig_algebra_atom(at->algebra, id);
    FigPolyError error = poly_value(at, atom->args[0], value);
    if (!error && atom->kind == FIG_ATOM_INVERSE)
        error = fig_rational_div((FigRational){1, 1}, *value, value);
    for (int i = 1; !error && i < atom->n_args; i++) {
        FigRational next;
        error = poly_value(at, atom->args[i], &next);
        if (error)
            break;
        int order = fig_rational_compare(next, *value);
        if (atom->kind == FIG_ATOM_CEIL)
            error = fig_rational_ceil(*value, next, value);
        else if (atom->kind == FIG_ATOM_FLOOR)
            error = fig_rational_floor(*value, next, value);
        else if (atom->kind == FIG_ATOM_MIN ? order < 0 : order > 0)
            *value = next;
    }
    if (!error)
        *known = *value;
    return error;
}

static FigPolyError
poly_value(const Evaluation *at, const FigPoly *poly, FigRational *value)
{
    FigRational sum = {0, 1};
    for (int i = 0; i < poly->n_terms; i++) {
        FigRational term = poly->terms[i].coefficient;
        for (int j = 0; j < poly->terms[i].n_factors; j++) {
            FigFactor factor = poly->terms[i].factors[j];
            FigRational base = {0, 1};
            FigPolyError error = FIG_POLY_OK;
            if (factor.id >= FIG_POLY_ATOM)
                error = atom_value(at, factor.id, &base);
            else
                base.num = at->sizes[factor.id];
            if (!error && base.num == INT64_MIN)
                error = FIG_POLY_OVERFLOW;
            if (!error)
                error = fig_rational_power(base, factor.exponent, &base);
            if (!error)
                error = fig_rational_mul(term, base, &term);
            if (error)
                return error;
        }
        FigPolyError error = fig_rational_add(sum, term, &sum);
        if (error)
            return error;
    }
    *value = sum;
    return FIG_POLY_OK;
}

FigPolyError
fig_poly_value(const FigAlgebra *algebra, const FigPoly *poly, const int64_t *sizes,
               FigRational *value)
{
    g_autofree FigRational *atoms = g_new0(FigRational, algebra->atoms->len + 1);
    Evaluation at = {algebra, sizes, atoms};
    return poly_value(&at, poly, value);
}
