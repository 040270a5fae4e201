/* SPDX-License-Identifier: MIT
 *
 * What poly.c and poly-text.c know of each other: how a polynomial is stored. No one else
 * includes this.
 */
#ifndef FIG_BASE_POLY_PARTS_H
#define FIG_BASE_POLY_PARTS_H

#include "base/poly.h"

/* Factors are numbered: symbols from 0, atoms from ATOM on, so that they stand last. */
enum { FIG_POLY_ATOM = 1 << 24 };

typedef struct FigFactor {
    int id;
    int exponent; /* not 0 */
} FigFactor;

typedef struct FigTerm {
    FigRational coefficient; /* not 0 */
    int n_factors;
    const FigFactor *factors; /* by id */
} FigTerm;

struct FigPoly {
    int serial;  /* in order of making: a stable order of arguments */
    int n_terms; /* 0: the number zero */
    /* in lexical order: the higher power of the first symbol first */
    const FigTerm *terms;
    const char *text; /* printed before, while there were … */
    int text_names;   /* … so many names */
};

typedef enum FigAtomKind {
    FIG_ATOM_CEIL = FIG_POLY_CEIL,   /* args: x, step */
    FIG_ATOM_FLOOR = FIG_POLY_FLOOR, /* args: x, step */
    FIG_ATOM_MIN = FIG_POLY_MIN,
    FIG_ATOM_MAX = FIG_POLY_MAX,
    FIG_ATOM_INVERSE, /* 1 / args[0], a sum without common factor whose first
                         coefficient is 1 */
} FigAtomKind;

typedef struct FigAtom {
    FigAtomKind kind;
    int n_args;
    const FigPoly **args;
    int depth;  /* atoms inside atoms, from 1 */
    bool whole; /* a whole number at every size of its symbols */
} FigAtom;

typedef struct FigPolyName {
    const char *name;
    const FigPoly *poly;
} FigPolyName;

struct FigAlgebra {
    FigArena *arena;
    FigPolyError error;
    GPtrArray *symbols;     /* names */
    GHashTable *symbol_ids; /* name -> number */
    GArray *atoms;          /* FigAtom */
    GHashTable *polys;      /* the set of all polynomials, by content */
    GArray *names;          /* FigPolyName, in order of naming */
};

/* Note why an operation failed; NULL. */
const FigPoly *fig_algebra_fail(FigAlgebra *algebra, FigPolyError error);

/* The polynomial that is one factor. */
const FigPoly *fig_poly_factor(FigAlgebra *algebra, int id, int exponent);

/* The atom made of these as a polynomial, made on first use. */
const FigPoly *fig_poly_atom(FigAlgebra *algebra, FigAtomKind kind,
                             const FigPoly *const *args, int n_args);

const FigAtom *fig_algebra_atom(const FigAlgebra *algebra, int id);

/* A sum by which some term of poly divides, and to which power; NULL: none does. */
const FigPoly *fig_poly_denominator(const FigAlgebra *algebra, const FigPoly *poly,
                                    int *power);

/* The product of two terms, factors in arena; false on overflow. */
bool fig_term_mul(FigArena *arena, const FigTerm *a, const FigTerm *b, FigTerm *out);

/* The term to the power -1, factors in arena; false on overflow. */
bool fig_term_invert(FigArena *arena, const FigTerm *a, FigTerm *out);

#endif
