/* SPDX-License-Identifier: MIT
 *
 * The dimension algebra: identities of the block's dims, atoms, names in print, limits,
 * and random expressions held against exact evaluation that shares no code with it.
 */
#include "base/poly.h"

#include <string.h>

#define assert_text(algebra, poly, text)                                               \
    g_assert_cmpstr(fig_poly_text(algebra, poly), ==, text)

typedef struct Block {
    FigAlgebra *algebra;
    const FigPoly *B, *T, *C, *H, *h_d, *h_ff;
} Block;

static const FigPoly *
number(FigAlgebra *algebra, int64_t value)
{
    return fig_poly_number(algebra, value, 1);
}

static Block
block_new(void)
{
    FigAlgebra *a = fig_algebra_new();
    Block b = {.algebra = a};
    b.B = fig_poly_symbol(a, "B");
    b.T = fig_poly_symbol(a, "T");
    b.C = fig_poly_symbol(a, "C");
    b.H = fig_poly_symbol(a, "H");
    b.h_d = fig_poly_div(a, b.C, b.H);
    fig_algebra_name(a, "h_d", b.h_d);
    const FigPoly *args[] = {
        fig_poly_div(a, fig_poly_mul(a, number(a, 8), b.C), number(a, 3)),
        number(a, 64),
    };
    b.h_ff = fig_poly_apply(a, FIG_POLY_CEIL, args, 2);
    assert_text(a, b.h_ff, "ceil(8*C/3, 64)");
    fig_algebra_name(a, "h_ff", b.h_ff);
    return b;
}

static void
test_block(void)
{
    Block b = block_new();
    FigAlgebra *a = b.algebra;
    g_assert_true(fig_poly_mul(a, b.H, b.h_d) == b.C);
    /* G: H */
    const FigPoly *qkv =
        fig_poly_add(a, fig_poly_mul(a, b.H, b.h_d),
                     fig_poly_mul(a, number(a, 2), fig_poly_mul(a, b.H, b.h_d)));
    assert_text(a, qkv, "3*C");
    /* G free */
    const FigPoly *G = fig_poly_symbol(a, "G");
    const FigPoly *kv = fig_poly_mul(a, G, b.h_d);
    assert_text(a, kv, "G*h_d");
    assert_text(a, fig_poly_add(a, b.C, fig_poly_mul(a, number(a, 2), kv)),
                "C + 2*G*h_d");
    assert_text(a, b.h_d, "h_d");
    assert_text(a, fig_poly_mul(a, b.h_d, b.h_d), "h_d^2");
    assert_text(a, fig_poly_mul(a, b.C, b.h_d), "C*h_d");
    assert_text(a, fig_poly_div(a, number(a, 1), b.h_d), "1/h_d");
    assert_text(a, fig_poly_div(a, b.T, b.C), "T/C");
    /* FLOPs: 2·B·T·C·h_ff and 6·B·T·C² */
    const FigPoly *rows = fig_poly_mul(a, number(a, 2), fig_poly_mul(a, b.B, b.T));
    assert_text(a, fig_poly_mul(a, b.h_ff, fig_poly_mul(a, rows, b.C)), "2*B*T*C*h_ff");
    const FigPoly *c2 = fig_poly_power(a, b.C, 2);
    assert_text(a, c2, "C^2");
    assert_text(a, fig_poly_mul(a, c2, fig_poly_mul(a, rows, number(a, 3))),
                "6*B*T*C^2");

    int64_t sizes[] = {1, 256, 512, 8, 2};
    FigRational value;
    g_assert_cmpint(fig_algebra_symbols(a), ==, 5);
    g_assert_cmpint(fig_poly_value(a, b.h_ff, sizes, &value), ==, FIG_POLY_OK);
    g_assert_cmpint(value.num, ==, 1408);
    g_assert_cmpint(value.den, ==, 1);
    g_assert_cmpint(fig_poly_value(a, kv, sizes, &value), ==, FIG_POLY_OK);
    g_assert_cmpint(value.num, ==, 128);
    sizes[3] = 7;
    g_assert_cmpint(fig_poly_value(a, b.h_d, sizes, &value), ==, FIG_POLY_OK);
    g_assert_cmpint(value.num, ==, 512);
    g_assert_cmpint(value.den, ==, 7);
    sizes[3] = 0;
    g_assert_cmpint(fig_poly_value(a, b.h_d, sizes, &value), ==,
                    FIG_POLY_DIVIDE_BY_ZERO);

    g_assert_true(fig_poly_depends(a, b.h_ff, 2));
    g_assert_false(fig_poly_depends(a, b.h_ff, 3));
    g_assert_true(fig_poly_depends(a, b.h_d, 3));
    g_assert_false(fig_poly_depends(a, fig_poly_mul(a, b.H, b.h_d), 3));
    g_assert_cmpint(fig_algebra_lookup(a, "H"), ==, 3);
    g_assert_cmpint(fig_algebra_lookup(a, "h_d"), ==, -1);
    fig_algebra_free(a);
}

static void
test_text(void)
{
    g_autoptr(FigAlgebra) a = fig_algebra_new();
    const FigPoly *x = fig_poly_symbol(a, "x"), *y = fig_poly_symbol(a, "y");
    const FigPoly *one = number(a, 1), *zero = number(a, 0);
    assert_text(a, zero, "0");
    assert_text(a, fig_poly_sub(a, x, x), "0");
    assert_text(a, fig_poly_number(a, -6, 4), "-3/2");
    assert_text(a, fig_poly_number(a, 6, -4), "-3/2");
    assert_text(a, fig_poly_sub(a, y, x), "-x + y");
    assert_text(a, fig_poly_sub(a, one, fig_poly_power(a, x, 3)), "-x^3 + 1");
    assert_text(a, fig_poly_mul(a, fig_poly_number(a, 8, 3), x), "8*x/3");
    assert_text(a, fig_poly_div(a, x, fig_poly_mul(a, number(a, 3), y)), "x/(3*y)");
    assert_text(a, fig_poly_power(a, y, -2), "1/y^2");
    const FigPoly *sum = fig_poly_add(a, x, y);
    assert_text(a, fig_poly_mul(a, sum, fig_poly_sub(a, x, y)), "x^2 - y^2");
    assert_text(a, fig_poly_div(a, x, sum), "x/(x + y)");
    const FigPoly *half = fig_poly_number(a, 1, 2);
    const FigPoly *up = fig_poly_apply(
        a, FIG_POLY_CEIL, (const FigPoly *[]){fig_poly_mul(a, half, x)}, 1);
    assert_text(a, up, "ceil(x/2)");
    fig_algebra_name(a, "d", fig_poly_add(a, x, one));
    assert_text(a, fig_poly_add(a, x, one), "d");
    /* a name for the whole of a product, and nothing less */
    const FigPoly *four = fig_poly_mul(a, number(a, 4), x);
    assert_text(a, four, "4*x");
    fig_algebra_name(a, "F", four);
    assert_text(a, four, "F");
    assert_text(a, fig_poly_mul(a, four, y), "4*x*y");
    assert_text(a, fig_poly_mul(a, number(a, 3), x), "3*x");
    assert_text(a, fig_poly_add(a, four, one), "4*x + 1");
    assert_text(a, fig_poly_apply(a, FIG_POLY_CEIL, (const FigPoly *[]){four, y}, 2),
                "ceil(F, y)");
    assert_text(a, fig_poly_div(a, four, number(a, 4)), "x");
    fig_algebra_name(a, "K", four); /* the first name stays */
    assert_text(a, four, "F");
    /* a bare symbol keeps its own */
    fig_algebra_name(a, "G", x);
    assert_text(a, x, "x");
    assert_text(a, fig_poly_power(a, x, 2), "x^2");
}

static void
test_quotients(void)
{
    g_autoptr(FigAlgebra) a = fig_algebra_new();
    const FigPoly *x = fig_poly_symbol(a, "x"), *y = fig_poly_symbol(a, "y");
    const FigPoly *one = number(a, 1);
    const FigPoly *sum = fig_poly_add(a, x, y);
    const FigPoly *cube = fig_poly_power(a, sum, 3);
    /* a quotient that goes up is a polynomial */
    g_assert_true(fig_poly_div(a, cube, sum) == fig_poly_power(a, sum, 2));
    g_assert_true(fig_poly_div(a, cube, fig_poly_power(a, sum, 3)) == one);
    const FigPoly *scaled = fig_poly_mul(a, fig_poly_mul(a, number(a, 6), y), sum);
    g_assert_true(fig_poly_div(a, scaled, fig_poly_mul(a, y, sum)) == number(a, 6));
    /* one that does not comes back by multiplying */
    const FigPoly *part = fig_poly_div(a, x, sum);
    g_assert_true(fig_poly_mul(a, part, sum) == x);
    g_assert_true(fig_poly_add(a, part, fig_poly_div(a, y, sum)) == one);
    g_assert_true(fig_poly_div(a, x, part) == sum);
    /* (2x + 2y) and (x + y) give the same atom */
    g_assert_true(fig_poly_div(a, fig_poly_mul(a, number(a, 2), x),
                               fig_poly_mul(a, number(a, 2), sum)) == part);
    int64_t sizes[] = {2, -2};
    FigRational value;
    g_assert_cmpint(fig_poly_value(a, part, sizes, &value), ==,
                    FIG_POLY_DIVIDE_BY_ZERO);
}

static void
test_atoms(void)
{
    g_autoptr(FigAlgebra) a = fig_algebra_new();
    const FigPoly *x = fig_poly_symbol(a, "x"), *y = fig_poly_symbol(a, "y");
    const FigPoly *third = fig_poly_div(a, x, number(a, 3));
    const FigPoly *ceil_args[] = {third, number(a, 64)};
    const FigPoly *up = fig_poly_apply(a, FIG_POLY_CEIL, ceil_args, 2);
    const FigPoly *down = fig_poly_apply(a, FIG_POLY_FLOOR, ceil_args, 2);
    g_assert_true(up == fig_poly_apply(a, FIG_POLY_CEIL, ceil_args, 2));
    g_assert_false(fig_poly_equal(up, down));
    /* whole already: nothing to round */
    g_assert_true(fig_poly_apply(a, FIG_POLY_CEIL, &x, 1) == x);
    const FigPoly *eight_args[] = {fig_poly_mul(a, number(a, 128), x), number(a, 64)};
    g_assert_true(fig_poly_apply(a, FIG_POLY_CEIL, eight_args, 2) == eight_args[0]);
    /* a multiple of 64 needs no rounding to 64, nor to 1, but to 128 */
    const FigPoly *again[] = {up, number(a, 1)};
    g_assert_true(fig_poly_apply(a, FIG_POLY_CEIL, again, 2) == up);
    /* numbers are computed: 8·512/3 = 1365.33 */
    const FigPoly *n[] = {fig_poly_number(a, 4096, 3), number(a, 64)};
    assert_text(a, fig_poly_apply(a, FIG_POLY_CEIL, n, 2), "1408");
    assert_text(a, fig_poly_apply(a, FIG_POLY_FLOOR, n, 2), "1344");
    const FigPoly *below[] = {fig_poly_number(a, -7, 2)};
    assert_text(a, fig_poly_apply(a, FIG_POLY_CEIL, below, 1), "-3");
    assert_text(a, fig_poly_apply(a, FIG_POLY_FLOOR, below, 1), "-4");

    const FigPoly *xy[] = {x, y}, *yx[] = {y, x, x};
    const FigPoly *least = fig_poly_apply(a, FIG_POLY_MIN, xy, 2);
    g_assert_true(least == fig_poly_apply(a, FIG_POLY_MIN, yx, 3));
    assert_text(a, least, "min(x, y)");
    const FigPoly *mixed[] = {number(a, 7), x, number(a, 9)};
    const FigPoly *most = fig_poly_apply(a, FIG_POLY_MAX, mixed, 3);
    int64_t sizes[] = {8, 5};
    FigRational value;
    fig_poly_value(a, most, sizes, &value);
    g_assert_cmpint(value.num, ==, 9);
    fig_poly_value(a, least, sizes, &value);
    g_assert_cmpint(value.num, ==, 5);
    g_assert_true(fig_poly_apply(a, FIG_POLY_MIN, yx + 1, 2) == x);
    const FigPoly *zero_step[] = {x, number(a, 0)};
    g_assert_null(fig_poly_apply(a, FIG_POLY_CEIL, zero_step, 2));
    g_assert_cmpint(fig_algebra_error(a), ==, FIG_POLY_DIVIDE_BY_ZERO);
}

static void
test_overflow(void)
{
    g_autoptr(FigAlgebra) a = fig_algebra_new();
    const FigPoly *x = fig_poly_symbol(a, "x");
    const FigPoly *huge = number(a, INT64_MAX), *one = number(a, 1);
    g_assert_nonnull(fig_poly_sub(a, huge, one));
    g_assert_null(fig_poly_add(a, huge, one));
    g_assert_cmpint(fig_algebra_error(a), ==, FIG_POLY_OVERFLOW);
    g_assert_cmpint(fig_algebra_error(a), ==, FIG_POLY_OK);
    g_assert_null(fig_poly_sub(a, fig_poly_sub(a, one, huge), number(a, 2)));
    g_assert_cmpint(fig_algebra_error(a), ==, FIG_POLY_OVERFLOW);
    g_assert_null(fig_poly_mul(a, fig_poly_mul(a, huge, x), number(a, 2)));
    g_assert_cmpint(fig_algebra_error(a), ==, FIG_POLY_OVERFLOW);
    g_assert_null(fig_poly_div(a, fig_poly_div(a, one, huge), number(a, 2)));
    g_assert_cmpint(fig_algebra_error(a), ==, FIG_POLY_OVERFLOW);
    g_assert_null(fig_poly_number(a, INT64_MIN, 1));
    g_assert_cmpint(fig_algebra_error(a), ==, FIG_POLY_OVERFLOW);
    g_assert_null(fig_poly_power(a, number(a, 10), 19));
    g_assert_cmpint(fig_algebra_error(a), ==, FIG_POLY_OVERFLOW);
    assert_text(a, fig_poly_power(a, number(a, 10), 18), "1000000000000000000");
    assert_text(a, fig_poly_power(a, x, 1000), "x^1000");
    g_assert_null(fig_poly_power(a, fig_poly_power(a, x, 1000), 1000));
    g_assert_cmpint(fig_algebra_error(a), ==, FIG_POLY_OVERFLOW);
    g_assert_null(fig_poly_div(a, one, number(a, 0)));
    g_assert_cmpint(fig_algebra_error(a), ==, FIG_POLY_DIVIDE_BY_ZERO);
    g_assert_null(fig_poly_div(a, x, fig_poly_sub(a, x, x)));
    g_assert_cmpint(fig_algebra_error(a), ==, FIG_POLY_DIVIDE_BY_ZERO);
    /* NULL runs through a chain */
    g_assert_null(fig_poly_add(a, x, fig_poly_mul(a, NULL, x)));
    g_assert_cmpint(fig_algebra_error(a), ==, FIG_POLY_OK);
    /* the value overflows where the polynomial does not */
    int64_t sizes[] = {INT64_MAX};
    FigRational value;
    g_assert_cmpint(fig_poly_value(a, fig_poly_power(a, x, 2), sizes, &value), ==,
                    FIG_POLY_OVERFLOW);
    g_assert_cmpint(fig_poly_value(a, fig_poly_add(a, x, one), sizes, &value), ==,
                    FIG_POLY_OVERFLOW);
    /* (x + y + z + …)^n has too many terms */
    const FigPoly *sum = x;
    for (int i = 0; i < 20; i++) {
        g_autofree char *name = g_strdup_printf("x%d", i);
        sum = fig_poly_add(a, sum, fig_poly_symbol(a, name));
    }
    g_assert_null(fig_poly_power(a, sum, 12));
    g_assert_cmpint(fig_algebra_error(a), ==, FIG_POLY_TOO_LARGE);
    /* min of min of …, each twice: no 2^60 steps, and an end at the depth cap */
    const FigPoly *nest = x;
    int depth = 0;
    while (nest && depth < 1000) {
        const FigPoly *args[] = {fig_poly_add(a, nest, one),
                                 fig_poly_mul(a, nest, number(a, 2))};
        const FigPoly *next = fig_poly_apply(a, FIG_POLY_MIN, args, 2);
        if (next) {
            int64_t small[32] = {1};
            g_assert_cmpint(fig_poly_value(a, next, small, &value), ==, FIG_POLY_OK);
            g_assert_cmpint(value.num, ==, 2 + depth);
            g_assert_false(fig_poly_depends(a, next, 1));
        }
        nest = next;
        depth++;
    }
    g_assert_cmpint(fig_algebra_error(a), ==, FIG_POLY_TOO_LARGE);
    g_assert_cmpint(depth, >, 32);
    g_assert_cmpint(depth, <, 1000);
}

/* ---- random expressions ---- */

/* A small exact fraction of its own: random sizes stay far below overflow. */
typedef struct Fraction {
    int64_t num, den;
    bool ok;
} Fraction;

static Fraction
lowest(int64_t num, int64_t den, bool ok)
{
    int64_t a = ABS(num), b = ABS(den);
    while (b) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    if (a == 0 || ABS(num / a) > 30000 || ABS(den / a) > 30000)
        return (Fraction){0, 1, false};
    if (den < 0)
        a = -a;
    return (Fraction){num / a, den / a, ok};
}

static const FigPoly *
grow(FigAlgebra *a, GRand *rand, const int64_t *sizes, int depth, Fraction *value)
{
    static const char *const names[] = {"p", "q", "r", "s"};
    int pick = g_rand_int_range(rand, 0, depth > 0 ? 10 : 2);
    if (pick == 0) {
        int64_t n = g_rand_int_range(rand, -4, 9);
        *value = (Fraction){n, 1, true};
        return number(a, n);
    }
    if (pick <= 2) {
        int i = g_rand_int_range(rand, 0, 4);
        *value = (Fraction){sizes[i], 1, true};
        return fig_poly_symbol(a, names[i]);
    }
    Fraction l, r;
    const FigPoly *left = grow(a, rand, sizes, depth - 1, &l);
    const FigPoly *right = grow(a, rand, sizes, depth - 1, &r);
    bool ok = l.ok && r.ok;
    if (pick <= 4) {
        *value = lowest(l.num * r.den + r.num * l.den, l.den * r.den, ok);
        return fig_poly_add(a, left, right);
    }
    if (pick == 5) {
        *value = lowest(l.num * r.den - r.num * l.den, l.den * r.den, ok);
        return fig_poly_sub(a, left, right);
    }
    if (pick <= 7) {
        *value = lowest(l.num * r.num, l.den * r.den, ok);
        return fig_poly_mul(a, left, right);
    }
    if (pick == 8) {
        *value =
            r.num ? lowest(l.num * r.den, l.den * r.num, ok) : (Fraction){0, 1, false};
        return fig_poly_div(a, left, right);
    }
    const FigPoly *args[] = {left, right};
    bool less = l.num * r.den < r.num * l.den;
    *value = less ? l : r;
    value->ok = ok;
    return fig_poly_apply(a, FIG_POLY_MIN, args, 2);
}

static void
test_random(void)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(20240817);
    int compared = 0;
    for (int round = 0; round < 20000; round++) {
        g_autoptr(FigAlgebra) a = fig_algebra_new();
        int64_t sizes[4];
        for (int i = 0; i < 4; i++)
            sizes[i] = g_rand_int_range(rand, 1, 12);
        fig_poly_symbol(a, "p");
        fig_poly_symbol(a, "q");
        fig_poly_symbol(a, "r");
        fig_poly_symbol(a, "s");
        Fraction want;
        const FigPoly *poly = grow(a, rand, sizes, 4, &want);
        FigRational got;
        if (!poly || !want.ok || fig_poly_value(a, poly, sizes, &got))
            continue; /* divided by zero or grew too large on the way */
        g_assert_cmpint(got.num, ==, want.num);
        g_assert_cmpint(got.den, ==, want.den);
        compared++;
    }
    g_assert_cmpint(compared, >, 10000);
}

/* Laws: both sides are one pointer, not only equal in value. */
static void
test_laws(void)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(7);
    g_autoptr(FigAlgebra) a = fig_algebra_new();
    const int64_t sizes[] = {1, 1, 1, 1};
    int held = 0;
    for (int round = 0; round < 3000; round++) {
        Fraction ignored;
        const FigPoly *x = grow(a, rand, sizes, 2, &ignored);
        const FigPoly *y = grow(a, rand, sizes, 2, &ignored);
        const FigPoly *z = grow(a, rand, sizes, 2, &ignored);
        if (!x || !y || !z)
            continue;
        g_assert_true(fig_poly_add(a, x, y) == fig_poly_add(a, y, x));
        g_assert_true(fig_poly_mul(a, x, y) == fig_poly_mul(a, y, x));
        g_assert_true(fig_poly_sub(a, fig_poly_add(a, x, y), y) == x);
        g_assert_true(fig_poly_add(a, x, fig_poly_add(a, y, z)) ==
                      fig_poly_add(a, fig_poly_add(a, x, y), z));
        FigRational n;
        if (fig_poly_is_number(x, &n) && n.num == 0)
            continue;
        g_assert_true(fig_poly_div(a, x, x) == number(a, 1));
        held++;
    }
    g_assert_cmpint(held, >, 1500);
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/poly/block", test_block);
    g_test_add_func("/poly/text", test_text);
    g_test_add_func("/poly/quotients", test_quotients);
    g_test_add_func("/poly/atoms", test_atoms);
    g_test_add_func("/poly/overflow", test_overflow);
    g_test_add_func("/poly/random", test_random);
    g_test_add_func("/poly/laws", test_laws);
    return g_test_run();
}
