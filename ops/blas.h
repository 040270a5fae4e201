/* SPDX-License-Identifier: MIT
 *
 * BLAS, opened when the first fast product is computed: what only draws or checks has no
 * product that is worth its threads and its start.
 */
#ifndef FIG_OPS_BLAS_H
#define FIG_OPS_BLAS_H

#include <cblas.h>
#include <stdbool.h>

typedef struct FigBlas {
    void (*sgemm)(const enum CBLAS_ORDER, const enum CBLAS_TRANSPOSE,
                  const enum CBLAS_TRANSPOSE, const blasint, const blasint,
                  const blasint, const float, const float *, const blasint,
                  const float *, const blasint, const float, float *, const blasint);
    void (*dgemm)(const enum CBLAS_ORDER, const enum CBLAS_TRANSPOSE,
                  const enum CBLAS_TRANSPOSE, const blasint, const blasint,
                  const blasint, const double, const double *, const blasint,
                  const double *, const blasint, const double, double *, const blasint);
} FigBlas;

/* The BLAS of this machine, opened once.
 *
 * errors   NULL where none can be opened; why (may be NULL) then says so, and is the
 *          caller's
 */
const FigBlas *fig_blas(char **why);

/* Open the first of these libraries (NULL-terminated) that has the products.
 *
 * errors   false, with why as above
 */
bool fig_blas_load(const char *const *libraries, FigBlas *blas, char **why);

#endif
