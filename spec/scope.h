/* SPDX-License-Identifier: MIT
 *
 * What a name means in an expression over dims and constants, while loading and after.
 */
#ifndef FIG_SPEC_SCOPE_H
#define FIG_SPEC_SCOPE_H

#include "spec/graph.h"

typedef struct FigScope {
    int n_dims;
    const FigDim *dims;
    const int64_t *dim_size; /* NULL: the dims drawn */
    int n_constants;
    const FigConstant *constants;
    FigNameToReal more; /* names that go before these; NULL: none */
    void *data;         /* for it */
} FigScope;

/* A FigNameToReal; data is a FigScope. */
bool fig_scope_value(const char *name, void *data, double *value);

/* The value of an expression.
 *
 * errors   as fig_expr_real, and a constant in it that is no number
 */
bool fig_scope_real(const FigScope *scope, const FigExpr *expr,
                    const char *const *names, FigDiag *diag, double *value);

/* Does an expression of conditions hold? Beside numbers it may compare words: "kind ==
 * full", "clip != none".
 *
 * errors   as fig_scope_real; a word that the constant can never be
 */
bool fig_condition_holds(const FigExpr *expr, const FigScope *scope,
                         const char *const *names, FigDiag *diag, bool *holds);

/* The size of dims[i] at sizes of the symbols; dim_size holds those of the dims before.
 *
 * errors   not whole, not positive, beyond 63 bits, divided by zero, at its expression
 */
bool fig_dim_size(const FigAlgebra *algebra, const FigDim *dims, int i,
                  const int64_t *symbol_size, int64_t *dim_size, FigDiag *diag);

#endif
