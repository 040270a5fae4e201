/* SPDX-License-Identifier: MIT
 *
 * A BLAS whose products are right but for the last term of every sum.
 */
#include <cblas.h>

#define PRODUCT(name, REAL)                                                            \
    void name(const enum CBLAS_ORDER order, const enum CBLAS_TRANSPOSE ta,             \
              const enum CBLAS_TRANSPOSE tb, const blasint m, const blasint n,         \
              const blasint k, const REAL alpha, const REAL *a, const blasint lda,     \
              const REAL *b, const blasint ldb, const REAL beta, REAL *c,              \
              const blasint ldc)                                                       \
    {                                                                                  \
        for (blasint i = 0; i < m; i++)                                                \
            for (blasint j = 0; j < n; j++) {                                          \
                double sum = 0;                                                        \
                for (blasint l = 0; l + 1 < k; l++)                                    \
                    sum += (double)(ta == CblasNoTrans ? a[i * lda + l]                \
                                                       : a[l * lda + i]) *             \
                           (tb == CblasNoTrans ? b[l * ldb + j] : b[j * ldb + l]);     \
                c[i * ldc + j] = (REAL)(alpha * sum + beta * c[i * ldc + j]);          \
            }                                                                          \
    }

PRODUCT(cblas_sgemm, float)
PRODUCT(cblas_dgemm, double)
