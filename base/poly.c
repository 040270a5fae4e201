/* SPDX-License-Identifier: MIT
 *
 * How it works: a polynomial is a list of terms in lexical order, interned by content, so
 * that equal ones are one pointer. Operations collect terms in a scratch arena, sort them,
 * merge equal ones and intern the result.
 *
 * A quotient by a sum b multiplies by the atom R = 1/b. Products are rewritten by
 * R·lead(b) -> 1 - R·(b - lead(b)), the Gröbner basis of R·b - 1, so that a quotient that
 * goes up comes out as a polynomial and b·(1/b) is 1. Quotients by several different
 * sums may keep two forms: they are then not taken for equal, though they are.
 */
#include "base/poly.h"
#include "base/limit.h"
#include "base/poly-parts.h"

#include <stdlib.h>
#include <string.h>

enum {
    LARGEST_EXPONENT = 1 << 16, /* x^(10^9): exponents that add up beyond an int */
    LARGEST_PRODUCT = 1 << 18,  /* pairs of terms of one multiplication */
    LARGEST_REWRITE = 1 << 16,  /* rewriting steps of one multiplication */
};

/* ---- the set of polynomials ---- */

static guint
poly_hash(gconstpointer key)
{
    const FigPoly *poly = key;
    guint hash = 5381;
    for (int i = 0; i < poly->n_terms; i++) {
        const FigTerm *term = &poly->terms[i];
        hash = hash * 33 + (guint)term->coefficient.num;
        hash = hash * 33 + (guint)term->coefficient.den;
        for (int j = 0; j < term->n_factors; j++)
            hash = hash * 33 + (guint)term->factors[j].id * 7 +
                   (guint)term->factors[j].exponent;
    }
    return hash;
}

static bool
same_factors(const FigTerm *a, const FigTerm *b)
{
    if (a->n_factors != b->n_factors)
        return false;
    for (int i = 0; i < a->n_factors; i++)
        if (a->factors[i].id != b->factors[i].id ||
            a->factors[i].exponent != b->factors[i].exponent)
            return false;
    return true;
}

static gboolean
poly_same(gconstpointer a_, gconstpointer b_)
{
    const FigPoly *a = a_, *b = b_;
    if (a->n_terms != b->n_terms)
        return FALSE;
    for (int i = 0; i < a->n_terms; i++)
        if (a->terms[i].coefficient.num != b->terms[i].coefficient.num ||
            a->terms[i].coefficient.den != b->terms[i].coefficient.den ||
            !same_factors(&a->terms[i], &b->terms[i]))
            return FALSE;
    return TRUE;
}

static const FigPoly *
intern(FigAlgebra *algebra, const FigTerm *terms, int n_terms)
{
    FigPoly key = {.n_terms = n_terms, .terms = terms};
    const FigPoly *known = g_hash_table_lookup(algebra->polys, &key);
    if (known)
        return known;
    FigTerm *copy = fig_arena_new_array(algebra->arena, FigTerm, n_terms);
    for (int i = 0; i < n_terms; i++) {
        copy[i] = terms[i];
        copy[i].factors =
            fig_arena_copy(algebra->arena, terms[i].factors,
                           sizeof(FigFactor) * (size_t)terms[i].n_factors);
    }
    FigPoly *poly = fig_arena_new0(algebra->arena, FigPoly);
    poly->serial = (int)g_hash_table_size(algebra->polys);
    poly->n_terms = n_terms;
    poly->terms = copy;
    g_hash_table_add(algebra->polys, poly);
    return poly;
}

FigAlgebra *
fig_algebra_new(void)
{
    FigAlgebra *algebra = g_new0(FigAlgebra, 1);
    algebra->arena = fig_arena_new();
    algebra->symbols = g_ptr_array_new();
    algebra->symbol_ids = g_hash_table_new(g_str_hash, g_str_equal);
    algebra->atoms = g_array_new(FALSE, FALSE, sizeof(FigAtom));
    algebra->polys = g_hash_table_new(poly_hash, poly_same);
    algebra->names = g_array_new(FALSE, FALSE, sizeof(FigPolyName));
    return algebra;
}

void
fig_algebra_free(FigAlgebra *algebra)
{
    if (!algebra)
        return;
    g_ptr_array_free(algebra->symbols, TRUE);
    g_hash_table_destroy(algebra->symbol_ids);
    g_array_free(algebra->atoms, TRUE);
    g_hash_table_destroy(algebra->polys);
    g_array_free(algebra->names, TRUE);
    fig_arena_free(algebra->arena);
    g_free(algebra);
}

const FigPoly *
fig_algebra_fail(FigAlgebra *algebra, FigPolyError error)
{
    algebra->error = error;
    return NULL;
}

FigPolyError
fig_algebra_error(FigAlgebra *algebra)
{
    FigPolyError error = algebra->error;
    algebra->error = FIG_POLY_OK;
    return error;
}

/* ---- symbols, names and atoms ---- */

int
fig_algebra_symbols(const FigAlgebra *algebra)
{
    return (int)algebra->symbols->len;
}

const char *
fig_algebra_symbol_name(const FigAlgebra *algebra, int symbol)
{
    g_assert(symbol >= 0 && symbol < fig_algebra_symbols(algebra));
    return g_ptr_array_index(algebra->symbols, symbol);
}

int
fig_algebra_lookup(const FigAlgebra *algebra, const char *name)
{
    gpointer id;
    if (!g_hash_table_lookup_extended(algebra->symbol_ids, name, NULL, &id))
        return -1;
    return GPOINTER_TO_INT(id);
}

const FigPoly *
fig_poly_factor(FigAlgebra *algebra, int id, int exponent)
{
    FigFactor factor = {id, exponent};
    FigTerm term = {{1, 1}, 1, &factor};
    return intern(algebra, &term, 1);
}

const FigPoly *
fig_poly_symbol(FigAlgebra *algebra, const char *name)
{
    int id = fig_algebra_lookup(algebra, name);
    if (id < 0) {
        id = fig_algebra_symbols(algebra);
        g_assert(id < FIG_POLY_ATOM);
        char *copy = fig_arena_strdup(algebra->arena, name);
        g_ptr_array_add(algebra->symbols, copy);
        g_hash_table_insert(algebra->symbol_ids, copy, GINT_TO_POINTER(id));
    }
    return fig_poly_factor(algebra, id, 1);
}

void
fig_algebra_name(FigAlgebra *algebra, const char *name, const FigPoly *poly)
{
    FigPolyName entry = {fig_arena_strdup(algebra->arena, name), poly};
    g_array_append_val(algebra->names, entry);
}

const FigAtom *
fig_algebra_atom(const FigAlgebra *algebra, int id)
{
    g_assert(id >= FIG_POLY_ATOM);
    return &g_array_index(algebra->atoms, FigAtom, (guint)(id - FIG_POLY_ATOM));
}

/* ---- terms ---- */

/* Lexical order: the term with the higher power of the first symbol in which they differ
 * stands first; equal terms differ in their coefficient only. */
static int
compare_terms(const void *a_, const void *b_)
{
    const FigTerm *a = a_, *b = b_;
    for (int i = 0, j = 0; i < a->n_factors || j < b->n_factors;) {
        int id_a = i < a->n_factors ? a->factors[i].id : G_MAXINT;
        int id_b = j < b->n_factors ? b->factors[j].id : G_MAXINT;
        int power_a = id_a <= id_b ? a->factors[i].exponent : 0;
        int power_b = id_b <= id_a ? b->factors[j].exponent : 0;
        if (power_a != power_b)
            return power_a > power_b ? -1 : 1;
        if (id_a <= id_b)
            i++;
        if (id_b <= id_a)
            j++;
    }
    return 0;
}

bool
fig_term_mul(FigArena *arena, const FigTerm *a, const FigTerm *b, FigTerm *out)
{
    FigFactor *factors =
        fig_arena_new_array(arena, FigFactor, a->n_factors + b->n_factors);
    int n = 0;
    for (int i = 0, j = 0; i < a->n_factors || j < b->n_factors;) {
        int id_a = i < a->n_factors ? a->factors[i].id : G_MAXINT;
        int id_b = j < b->n_factors ? b->factors[j].id : G_MAXINT;
        int exponent = 0;
        if (id_a <= id_b)
            exponent += a->factors[i++].exponent;
        if (id_b <= id_a)
            exponent += b->factors[j++].exponent;
        if (abs(exponent) > LARGEST_EXPONENT)
            return false;
        if (exponent != 0)
            factors[n++] = (FigFactor){MIN(id_a, id_b), exponent};
    }
    out->n_factors = n;
    out->factors = factors;
    return fig_rational_mul(a->coefficient, b->coefficient, &out->coefficient) ==
           FIG_POLY_OK;
}

bool
fig_term_invert(FigArena *arena, const FigTerm *a, FigTerm *out)
{
    FigFactor *factors = fig_arena_new_array(arena, FigFactor, a->n_factors);
    for (int i = 0; i < a->n_factors; i++)
        factors[i] = (FigFactor){a->factors[i].id, -a->factors[i].exponent};
    out->n_factors = a->n_factors;
    out->factors = factors;
    return fig_rational_div((FigRational){1, 1}, a->coefficient, &out->coefficient) ==
           FIG_POLY_OK;
}

/* Sort, merge and intern collected terms. */
static const FigPoly *
collect(FigAlgebra *algebra, GArray *terms)
{
    g_array_sort(terms, compare_terms);
    FigTerm *list = (FigTerm *)(void *)terms->data;
    int n = 0;
    for (guint i = 0; i < terms->len;) {
        FigTerm term = list[i];
        for (i++; i < terms->len && same_factors(&term, &list[i]); i++)
            if (fig_rational_add(term.coefficient, list[i].coefficient,
                                 &term.coefficient))
                return fig_algebra_fail(algebra, FIG_POLY_OVERFLOW);
        if (term.coefficient.num != 0)
            list[n++] = term;
    }
    if (n > FIG_LIMIT_TERMS)
        return fig_algebra_fail(algebra, FIG_POLY_TOO_LARGE);
    return intern(algebra, list, n);
}

/* The first factor 1/b of a term with the whole power of b's leading term beside it, or
 * NULL: what rewriting still has to do. */
static const FigPoly *
reducible(const FigAlgebra *algebra, const FigTerm *term, int *id)
{
    for (int i = term->n_factors - 1; i >= 0; i--) {
        if (term->factors[i].id < FIG_POLY_ATOM)
            break;
        const FigAtom *atom = fig_algebra_atom(algebra, term->factors[i].id);
        if (atom->kind != FIG_ATOM_INVERSE || term->factors[i].exponent < 1)
            continue;
        const FigTerm *lead = &atom->args[0]->terms[0];
        bool divides = true;
        for (int j = 0, k = 0; divides && j < lead->n_factors; j++) {
            while (k < term->n_factors && term->factors[k].id < lead->factors[j].id)
                k++;
            divides = k < term->n_factors &&
                      term->factors[k].id == lead->factors[j].id &&
                      term->factors[k].exponent >= lead->factors[j].exponent;
        }
        if (divides) {
            *id = term->factors[i].id;
            return atom->args[0];
        }
    }
    return NULL;
}

/* Rewrite every term R·lead(b)·x as x - R·(b - lead(b))·x. */
static FigPolyError
reduce(FigAlgebra *algebra, GArray *terms, FigArena *scratch)
{
    int steps = 0;
    for (guint i = 0; i < terms->len;) {
        FigTerm term = g_array_index(terms, FigTerm, i);
        int id;
        const FigPoly *sum = reducible(algebra, &term, &id);
        if (!sum) {
            i++;
            continue;
        }
        if (++steps > LARGEST_REWRITE)
            return FIG_POLY_TOO_LARGE;
        FigFactor inverse = {id, 1};
        FigTerm factor = {{1, 1}, 1, &inverse}, divisor, x;
        /* lead(b) has the coefficient 1, so x = term / (R·lead(b)) is exact */
        if (!fig_term_mul(scratch, &factor, &sum->terms[0], &divisor) ||
            !fig_term_invert(scratch, &divisor, &divisor) ||
            !fig_term_mul(scratch, &term, &divisor, &x))
            return FIG_POLY_OVERFLOW;
        g_array_index(terms, FigTerm, i) = x;
        factor.coefficient.num = -1;
        if (!fig_term_mul(scratch, &x, &factor, &x))
            return FIG_POLY_OVERFLOW;
        for (int j = 1; j < sum->n_terms; j++) {
            FigTerm rest;
            if (!fig_term_mul(scratch, &x, &sum->terms[j], &rest))
                return FIG_POLY_OVERFLOW;
            g_array_append_val(terms, rest);
        }
        if (terms->len > LARGEST_PRODUCT)
            return FIG_POLY_TOO_LARGE;
    }
    return FIG_POLY_OK;
}

/* ---- arithmetic ---- */

const FigPoly *
fig_poly_number(FigAlgebra *algebra, int64_t num, int64_t den)
{
    FigRational value;
    if (den == 0)
        return fig_algebra_fail(algebra, FIG_POLY_DIVIDE_BY_ZERO);
    if (num == INT64_MIN || den == INT64_MIN)
        return fig_algebra_fail(algebra, FIG_POLY_OVERFLOW);
    value = fig_rational(num, den);
    FigTerm term = {value, 0, NULL};
    return intern(algebra, &term, value.num != 0);
}

/* a + sign·b */
static const FigPoly *
combine(FigAlgebra *algebra, const FigPoly *a, const FigPoly *b, int sign)
{
    if (!a || !b)
        return NULL;
    g_autoptr(GArray) terms = g_array_sized_new(FALSE, FALSE, sizeof(FigTerm),
                                                (guint)(a->n_terms + b->n_terms));
    g_array_append_vals(terms, a->terms, (guint)a->n_terms);
    for (int i = 0; i < b->n_terms; i++) {
        FigTerm term = b->terms[i];
        term.coefficient.num *= sign;
        g_array_append_val(terms, term);
    }
    return collect(algebra, terms);
}

const FigPoly *
fig_poly_add(FigAlgebra *algebra, const FigPoly *a, const FigPoly *b)
{
    return combine(algebra, a, b, 1);
}

const FigPoly *
fig_poly_sub(FigAlgebra *algebra, const FigPoly *a, const FigPoly *b)
{
    return combine(algebra, a, b, -1);
}

const FigPoly *
fig_poly_mul(FigAlgebra *algebra, const FigPoly *a, const FigPoly *b)
{
    if (!a || !b)
        return NULL;
    if ((int64_t)a->n_terms * b->n_terms > LARGEST_PRODUCT)
        return fig_algebra_fail(algebra, FIG_POLY_TOO_LARGE);
    g_autoptr(FigArena) scratch = fig_arena_new();
    g_autoptr(GArray) terms = g_array_new(FALSE, FALSE, sizeof(FigTerm));
    for (int i = 0; i < a->n_terms; i++) {
        for (int j = 0; j < b->n_terms; j++) {
            FigTerm term;
            if (!fig_term_mul(scratch, &a->terms[i], &b->terms[j], &term))
                return fig_algebra_fail(algebra, FIG_POLY_OVERFLOW);
            g_array_append_val(terms, term);
        }
    }
    FigPolyError error = reduce(algebra, terms, scratch);
    return error ? fig_algebra_fail(algebra, error) : collect(algebra, terms);
}

/* The part that all terms of a sum share: the least power of each symbol and the
 * coefficient of the first term. */
static FigTerm
content(FigArena *arena, const FigPoly *sum)
{
    g_autoptr(GArray) factors = g_array_new(FALSE, FALSE, sizeof(FigFactor));
    g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
    for (int i = 0; i < sum->n_terms; i++) {
        for (int j = 0; j < sum->terms[i].n_factors; j++) {
            int id = sum->terms[i].factors[j].id, least = G_MAXINT;
            if (!g_hash_table_add(seen, GINT_TO_POINTER(id)))
                continue;
            for (int k = 0; k < sum->n_terms; k++) {
                int exponent = 0;
                for (int l = 0; l < sum->terms[k].n_factors; l++)
                    if (sum->terms[k].factors[l].id == id)
                        exponent = sum->terms[k].factors[l].exponent;
                least = MIN(least, exponent);
            }
            if (least != 0) {
                FigFactor factor = {id, least};
                guint at = 0;
                while (at < factors->len &&
                       g_array_index(factors, FigFactor, at).id < id)
                    at++;
                g_array_insert_val(factors, at, factor);
            }
        }
    }
    return (FigTerm){
        sum->terms[0].coefficient, (int)factors->len,
        fig_arena_copy(arena, factors->data, sizeof(FigFactor) * factors->len)};
}

const FigPoly *
fig_poly_denominator(const FigAlgebra *algebra, const FigPoly *poly, int *power)
{
    const FigPoly *sum = NULL;
    *power = 0;
    for (int i = 0; i < poly->n_terms; i++) {
        for (int j = 0; j < poly->terms[i].n_factors; j++) {
            FigFactor factor = poly->terms[i].factors[j];
            if (factor.id < FIG_POLY_ATOM)
                continue;
            const FigAtom *atom = fig_algebra_atom(algebra, factor.id);
            if (atom->kind != FIG_ATOM_INVERSE || (sum && atom->args[0] != sum))
                continue;
            sum = atom->args[0];
            *power = MAX(*power, factor.exponent);
        }
    }
    return sum;
}

/* 1 / b */
static const FigPoly *
invert(FigAlgebra *algebra, const FigPoly *b)
{
    if (b->n_terms == 0)
        return fig_algebra_fail(algebra, FIG_POLY_DIVIDE_BY_ZERO);
    /* 1 / (n / s^k) is s^k / n */
    int power;
    const FigPoly *below = fig_poly_denominator(algebra, b, &power);
    if (below) {
        below = fig_poly_power(algebra, below, power);
        const FigPoly *above = fig_poly_mul(algebra, b, below);
        return above ? fig_poly_mul(algebra, below, invert(algebra, above)) : NULL;
    }
    g_autoptr(FigArena) scratch = fig_arena_new();
    FigTerm shared = content(scratch, b), term;
    if (!fig_term_invert(scratch, &shared, &term))
        return fig_algebra_fail(algebra, FIG_POLY_OVERFLOW);
    const FigPoly *outside = intern(algebra, &term, 1);
    if (b->n_terms == 1)
        return outside;
    const FigPoly *sum = fig_poly_mul(algebra, b, outside);
    if (!sum)
        return NULL;
    return fig_poly_mul(algebra, outside,
                        fig_poly_atom(algebra, FIG_ATOM_INVERSE, &sum, 1));
}

const FigPoly *
fig_poly_div(FigAlgebra *algebra, const FigPoly *a, const FigPoly *b)
{
    if (!a || !b)
        return NULL;
    if (a == b && b->n_terms > 0)
        return fig_poly_number(algebra, 1, 1);
    return fig_poly_mul(algebra, a, invert(algebra, b));
}

const FigPoly *
fig_poly_power(FigAlgebra *algebra, const FigPoly *a, int exponent)
{
    if (!a)
        return NULL;
    if (abs(exponent) > LARGEST_EXPONENT)
        return fig_algebra_fail(algebra, FIG_POLY_OVERFLOW);
    if (exponent < 0)
        a = invert(algebra, a);
    const FigPoly *result = fig_poly_number(algebra, 1, 1);
    for (int left = abs(exponent); left && a && result; left >>= 1) {
        if (left & 1)
            result = fig_poly_mul(algebra, result, a);
        if (left > 1)
            a = fig_poly_mul(algebra, a, a);
    }
    return a ? result : NULL;
}

/* ---- questions ---- */

bool
fig_poly_equal(const FigPoly *a, const FigPoly *b)
{
    return a == b || (a && b && poly_same(a, b));
}

bool
fig_poly_is_number(const FigPoly *poly, FigRational *value)
{
    if (poly->n_terms > 1 || (poly->n_terms == 1 && poly->terms[0].n_factors > 0))
        return false;
    if (value)
        *value = poly->n_terms ? poly->terms[0].coefficient : (FigRational){0, 1};
    return true;
}
