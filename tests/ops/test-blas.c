/* SPDX-License-Identifier: MIT
 *
 * BLAS is opened by name: the first library that has the products, and a reason where
 * there is none.
 */
#include "ops/blas.h"

#include <glib.h>
#include <string.h>

static void
test_product(void)
{
    const float a[] = {1, 2, 3, 4}, b[] = {5, 6, 7, 8};
    const double c[] = {1, 2, 3, 4}, d[] = {5, 6, 7, 8};
    float y[4];
    double z[4];
    g_autofree char *why = NULL;
    const FigBlas *blas = fig_blas(&why);
    g_assert_cmpstr(why, ==, NULL);
    g_assert_true(blas && blas == fig_blas(NULL));
    blas->sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, 2, 2, 2, 1, a, 2, b, 2, 0, y,
                2);
    blas->dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, 2, 2, 2, 1, c, 2, d, 2, 0, z,
                2);
    const float ab[] = {19, 22, 43, 50};
    const double cd[] = {17, 23, 39, 53}; /* c dᵀ */
    for (int i = 0; i < 4; i++) {
        g_assert_cmpfloat(y[i], ==, ab[i]);
        g_assert_cmpfloat(z[i], ==, cd[i]);
    }
}

/* A library that is not there, and one without products. */
static void
test_missing(void)
{
    static const char *const none[] = {"libnosuchblas.so.0", "libc.so.6", NULL};
    static const char *const second[] = {"libnosuchblas.so.0", "libopenblas.so.0",
                                         NULL};
    FigBlas blas;
    g_autofree char *why = NULL;
    g_assert_false(fig_blas_load(none, &blas, &why));
    g_assert_nonnull(strstr(why, "libnosuchblas.so.0"));
    g_assert_nonnull(strstr(why, "cblas_sgemm"));
    g_assert_false(fig_blas_load(none, &blas, NULL));
    g_assert_true(fig_blas_load(second, &blas, NULL));
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/blas/product", test_product);
    g_test_add_func("/blas/missing", test_missing);
    return g_test_run();
}
