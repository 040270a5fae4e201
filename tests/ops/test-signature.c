/* SPDX-License-Identifier: MIT
 *
 * Signatures: what each form of the notation binds, what is said when shapes do not fit,
 * and samples that always bind.
 */
#include "ops/signature.h"

#include <string.h>

typedef struct Fixture {
    FigAlgebra *algebra;
    FigAttrValue attr[4];
    FigShape in[4];
    FigBinding binding;
    FigOp op;
} Fixture;

static const FigAttr attrs[] = {
    {"transpose", FIG_ATTR_WORD, "none", "none|b", FIG_SHOWS_IN_LABEL, "swap b"},
    {"heads", FIG_ATTR_DIM, NULL, NULL, FIG_SHOWS_IN_LABEL, "how many"},
    {"sizes", FIG_ATTR_DIMS, NULL, NULL, FIG_SHOWS_IN_LABEL, "of the parts"},
    {"over", FIG_ATTR_AXIS, NULL, NULL, FIG_SHOWS_IN_LABEL, "which axis"},
    {NULL},
};
enum { TRANSPOSE, HEADS, SIZES, OVER };

static Fixture *
fixture(const char *signature)
{
    Fixture *f = g_new0(Fixture, 1);
    f->algebra = fig_algebra_new();
    f->op = (FigOp){.name = "test", .signature = signature, .attrs = attrs};
    f->binding.in = f->in;
    f->binding.attr = f->attr;
    return f;
}

static void
fixture_free(Fixture *f)
{
    fig_algebra_free(f->algebra);
    g_free(f);
}

static const FigPoly *
size(Fixture *f, const char *word)
{
    g_auto(GStrv) factors = g_strsplit(word, "*", -1);
    const FigPoly *product = fig_poly_number(f->algebra, 1, 1);
    for (int i = 0; factors[i]; i++)
        product = fig_poly_mul(
            f->algebra, product,
            g_ascii_isdigit(factors[i][0])
                ? fig_poly_number(f->algebra, g_ascii_strtoll(factors[i], NULL, 10), 1)
                : fig_poly_symbol(f->algebra, factors[i]));
    return product;
}

/* Give the operands: "B T C, C". A word may be "SIZE:NAME". */
static void
operands(Fixture *f, const char *text)
{
    g_auto(GStrv) shapes = g_strsplit(text, ", ", -1);
    f->binding.n_in = 0;
    for (int i = 0; shapes[i]; i++) {
        FigShape *shape = &f->in[f->binding.n_in++];
        *shape = (FigShape){0};
        g_auto(GStrv) words = g_strsplit(shapes[i], " ", -1);
        for (int j = 0; words[j]; j++) {
            g_auto(GStrv) parts = g_strsplit(words[j], ":", 2);
            shape->name[shape->rank] = parts[1] ? g_intern_string(parts[1]) : NULL;
            shape->axis[shape->rank++] = size(f, parts[0]);
        }
    }
}

/* The results as "B T 3*C, …", with mixed axes marked "!" and names after ":". */
static char *
results(Fixture *f)
{
    GString *out = g_string_new(NULL);
    for (int i = 0; i < f->binding.n_out; i++) {
        const FigShape *shape = &f->binding.out[i];
        g_string_append(out, i ? ", " : "");
        for (int j = 0; j < shape->rank; j++) {
            g_string_append_printf(out, "%s%s%s", j ? " " : "",
                                   fig_poly_text(f->algebra, shape->axis[j]),
                                   f->binding.out_mixed[i] >> j & 1 ? "!" : "");
            if (shape->name[j])
                g_string_append_printf(out, ":%s", shape->name[j]);
        }
    }
    return g_string_free(out, FALSE);
}

static void
gives(Fixture *f, const char *in, const char *want)
{
    g_autofree char *why = NULL;
    operands(f, in);
    bool ok = fig_signature_bind(&f->op, f->algebra, &f->binding, &why);
    g_assert_cmpstr(why, ==, NULL);
    g_assert_true(ok);
    g_autofree char *got = results(f);
    g_assert_cmpstr(got, ==, want);
}

static void
fails(Fixture *f, const char *in, const char *want)
{
    g_autofree char *why = NULL;
    operands(f, in);
    g_assert_false(fig_signature_bind(&f->op, f->algebra, &f->binding, &why));
    g_assert_cmpstr(why, ==, want);
    g_assert_cmpint(fig_algebra_error(f->algebra), ==, FIG_POLY_OK);
}

static void
test_norm(void)
{
    Fixture *f = fixture("x[... d!], g[d!] -> y[... d!]");
    gives(f, "B T C, C", "B T C!");
    g_assert_cmpuint(f->binding.in_mixed[0], ==, 4);
    g_assert_cmpuint(f->binding.in_mixed[1], ==, 1);
    gives(f, "C, C", "C!");
    gives(f, "B:batch T:query C, C", "B:batch T:query C!");
    fails(f, "B T C, H", "d is C in x but H in g");
    fails(f, "3 7 16, 24", "d is 16 in x but 24 in g");
    fails(f, "B T C, T C", "g has 2 axes, 1 is wanted");
    fails(f, "B T C", "1 operand is given, 2 wanted");
    g_assert_cmpint(fig_signature_inputs(&f->op), ==, 2);
    g_assert_cmpint(fig_signature_outputs(&f->op), ==, 1);
    g_assert_cmpstr(fig_signature_input(&f->op, 1), ==, "g");
    g_assert_cmpstr(fig_signature_output(&f->op, 0), ==, "y");
    fixture_free(f);
}

static void
test_matmul(void)
{
    Fixture *f = fixture("a[... m k!], b[k! n] -> y[... m n]"
                         " | a[... m k!], b[... k! n] -> y[... m n]"
                         " ; transpose = b: a[... m k!], b[... n k!] -> y[... m n]");
    gives(f, "B T C, C 3*C", "B T 3*C");
    g_assert_cmpuint(f->binding.in_mixed[0], ==, 4);
    g_assert_cmpuint(f->binding.in_mixed[1], ==, 1);
    g_assert_cmpstr(f->binding.alternative, ==, "a[... m k!], b[k! n] -> y[... m n]");
    gives(f, "B H T T, B H T D", "B H T D");
    /* names do not travel where axes change */
    gives(f, "B H T:query T:key, B H T D", "B H T D");
    fails(f, "2 16, 24 5", "k is 16 in a but 24 in b");
    fails(f, "B H T T, B G T D", "axis 1 is H in a but G in b");
    fails(f, "C, C 3*C", "a has 1 axis, at least 2 are wanted");
    f->attr[TRANSPOSE].word = 1;
    gives(f, "B H T D, B H T D", "B H T T");
    g_assert_cmpuint(f->binding.in_mixed[1], ==, 8);
    /* the other alternatives are not for this word: k is D on one side, T on the other */
    fails(f, "B H T D, B H D T", "k is D in a but T in b");
    fixture_free(f);
}

static void
test_heads(void)
{
    Fixture *f = fixture("x[... t (heads d)] -> y[... heads t d]");
    f->attr[HEADS] = (FigAttrValue){.dim = 8, .poly = size(f, "H")};
    gives(f, "B T H*D", "B H T D");
    f->attr[HEADS] = (FigAttrValue){.dim = 8};
    gives(f, "1 256 512", "1 8 256 64");
    f->attr[HEADS].dim = 5;
    fails(f, "1 256 64", "64 is not a multiple of 5");
    f->attr[HEADS].dim = 0;
    fails(f, "1 256 64", "64 cannot be divided by 0");
    fails(f, "64", "x has 1 axis, at least 2 are wanted");
    fixture_free(f);

    f = fixture("x[... h t d] -> y[... t (h d)]");
    gives(f, "B H T D", "B T H*D");
    fails(f, "3037000500 2 3037000500", "an axis of y is too large");
    fixture_free(f);

    f = fixture("x[... t! (2 p)!] -> y[... t! (2 p)!]");
    gives(f, "B:b H T:query D", "B:b H T!:query D!");
    gives(f, "7 24", "7! 24!");
    fails(f, "7 23", "23 is not a multiple of 2");
    fixture_free(f);

    /* a factor known from a later operand */
    f = fixture("x[(a b)], y[a] -> z[b]");
    gives(f, "12, 3", "4");
    fixture_free(f);
    f = fixture("x[(a b)], y[a], z[b] -> w[b a]");
    gives(f, "12, 3, 4", "4 3");
    fails(f, "12, 3, 5", "a·b is 15, but 12 in x");
    fixture_free(f);
}

static void
test_split(void)
{
    Fixture *f = fixture("x[... sum(sizes)] -> y[i]: [... sizes[i]]");
    const FigPoly *polys[] = {size(f, "C"), size(f, "G*D"), size(f, "G*D")};
    f->attr[SIZES] = (FigAttrValue){.n_dims = 3, .polys = polys};
    g_assert_cmpint(fig_signature_outputs(&f->op), ==, -1);
    operands(f, "B T C");
    const FigPoly *all = fig_poly_add(f->algebra, polys[0],
                                      fig_poly_add(f->algebra, polys[1], polys[2]));
    f->in[0].axis[2] = all;
    g_autofree char *why = NULL;
    g_assert_true(fig_signature_bind(&f->op, f->algebra, &f->binding, &why));
    g_autofree char *got = results(f);
    g_assert_cmpstr(got, ==, "B T C, B T G*D, B T G*D");
    fails(f, "B T 3*C", "sizes add up to C + 2*G*D, but the axis of x is 3*C");
    fixture_free(f);

    f = fixture("x[... sum(sizes)] -> y[i]: [... sizes[i]]");
    int64_t dims[] = {5, 6};
    f->attr[SIZES] = (FigAttrValue){.n_dims = 2, .dims = dims};
    gives(f, "2 11", "2 5, 2 6");
    fixture_free(f);
}

static void
test_over(void)
{
    Fixture *f = fixture("x[... over! ...] -> y[... over! ...]");
    f->attr[OVER].axis = 3;
    gives(f, "B H T:query T:key", "B H T:query T!:key");
    f->attr[OVER].axis = 1;
    gives(f, "B H T", "B H! T");
    g_assert_cmpuint(f->binding.in_mixed[0], ==, 2);
    f->attr[OVER].axis = 0;
    gives(f, "B", "B!");
    f->attr[OVER].axis = 4;
    fails(f, "B H T", "x has 3 axes and none of that number");
    fixture_free(f);

    f = fixture("x[... over! ...], b[... over! ...] -> y[... ...]");
    f->attr[OVER].axis = 1;
    gives(f, "2 3 5, 2 3 5", "2 5");
    fails(f, "2 3 5, 2 4 5", "over is 3 in x but 4 in b");
    fails(f, "2 3 5, 2 3 6", "axis 2 is 5 in x but 6 in b");
    fixture_free(f);
}

/* Sums of sizes, and sizes in order. */
static void
test_terms(void)
{
    static const FigAttr positions[] = {
        {"axis", FIG_ATTR_AXIS, NULL, NULL, FIG_SHOWS_IN_LABEL, "which"},
        {"from", FIG_ATTR_DIM, "0", NULL, FIG_SHOWS_IN_LABEL, "first"},
        {"to", FIG_ATTR_DIM, NULL, NULL, FIG_SHOWS_IN_LABEL, "behind the last"},
        {NULL},
    };
    Fixture *f = fixture("x[... t! (from + t)!] -> y[... t! (from + t)!]");
    f->op.attrs = positions;
    gives(f, "B T:query T:key", "B T!:query T!:key");
    fails(f, "B T C", "from + t is T, but C in x");
    f->attr[1].dim = 2;
    gives(f, "3 5", "3! 5!");
    fails(f, "3 3", "from + t is 5, but 3 in x");
    fixture_free(f);

    /* a term is found from the sum of the others */
    f = fixture("x[(from + n)] -> y[n]");
    f->op.attrs = positions;
    f->attr[1].dim = 2;
    gives(f, "5", "3");
    fails(f, "2", "from + n is 2 in x, which leaves nothing for n");
    fixture_free(f);

    f = fixture("x[... axis! ...] -> y[... (to - from)! ...]"
                " where from < to <= axis");
    f->op.attrs = positions;
    f->attr[0].axis = 1;
    f->attr[1].dim = 1;
    f->attr[2].dim = 4;
    gives(f, "2 4 7", "2 3! 7");
    fails(f, "2 3 7", "to is 4, not at most axis, which is 3");
    f->attr[1].dim = 4;
    fails(f, "2 4 7", "from is 4, not below to, which is 4");
    f->attr[1].poly = size(f, "C");
    f->attr[2].poly = size(f, "3*C");
    gives(f, "T 3*C", "T 2*C!");
    gives(f, "T H", "T 2*C!"); /* no one knows; sizes will tell */
    fixture_free(f);

    f = fixture("a[... axis! ...], b[... n! ...] -> y[... (axis + n)! ...]");
    f->op.attrs = positions;
    f->attr[0].axis = 1;
    gives(f, "B T C, B 2 C", "B T + 2! C");
    fails(f, "B T C, B T H", "axis 2 is C in a but H in b");
    fixture_free(f);
}

/* Whole numbers below a size or a number. */
static void
test_whole(void)
{
    Fixture *f = fixture("t[...] < v, W[v! d] -> y[... d]");
    gives(f, "B T, V C", "B T C");
    g_assert_true(fig_poly_equal(f->binding.in_below[0], size(f, "V")));
    g_assert_null(f->binding.in_below[1]);
    g_assert_cmpint(fig_signature_input_type(&f->op, 0, FIG_F64), ==, FIG_I64);
    g_assert_cmpint(fig_signature_input_type(&f->op, 1, FIG_F64), ==, FIG_F64);
    fixture_free(f);
    f = fixture("x[... q k], m[q k] < 2 -> y[... q k]");
    gives(f, "B T:query T:key, T T", "B T:query T:key");
    g_assert_true(fig_poly_equal(f->binding.in_below[1], size(f, "2")));
    g_assert_cmpint(fig_signature_input_type(&f->op, 1, FIG_F32), ==, FIG_U8);
    fails(f, "B T T, T C", "k is T in x but C in m");
    fixture_free(f);
}

static void
test_pointwise(void)
{
    Fixture *f = fixture("a[...], b[...] -> y[...]");
    gives(f, "B:batch T C, B T C", "B:batch T C");
    gives(f, "2, 2", "2");
    fails(f, "B T C, B T", "a has 3 axes but b has 2");
    fails(f, "B T C, B T H", "axis 2 is C in a but H in b");
    fixture_free(f);

    /* a mask wants two equal axes */
    f = fixture("x[... t! t!] -> y[... t! t!]");
    gives(f, "B T:query T:key", "B T!:query T!:key");
    fails(f, "B T C", "t is T in x but C in x");
    fixture_free(f);

    /* optional operands: by number */
    f = fixture("x[... d!], g[d!] -> y[... d!] | x[... d!] -> y[... d!]");
    gives(f, "B C", "B C!");
    gives(f, "B C, C", "B C!");
    g_assert_cmpint(fig_signature_inputs(&f->op), ==, 2);
    g_assert_cmpint(fig_signature_least_inputs(&f->op), ==, 1);
    fails(f, "B C, T", "d is C in x but T in g");
    fixture_free(f);
}

static void
test_check(void)
{
    static const struct {
        const char *signature, *why;
    } rows[] = {
        {"x[... d] -> y[... e]", "axis ‘e’ of y is bound by no operand"},
        {"x[d] -> y[... d]", "‘...’ of y is bound by no operand"},
        {"x[... d ...] -> y[d]", "two ‘...’ in x stand around no axis attribute"},
        {"x[(a b)] -> y[a b]", "a product of x has 2 unknown factors"},
        {"x[a] -> y[(a b)]", "a product of y has 1 unknown factors"},
        {"x[sum(heads)] -> y[heads]", "‘heads’ is no attribute that lists sizes"},
        {"x[a], x[a] -> y[a]", "two ports ‘x’"},
        {"x[a] -> x[a]", "two ports ‘x’"},
        {"x[a] -> y[sizes[i]]", "‘sizes[i]’ stands outside a list of results"},
        {"x[a] -> y[a] ; heads = b: x[a] -> y[a]",
         "‘heads’ is no attribute with words"},
        {"x[a] -> y[a] ; transpose = c: x[a] -> y[a]", "‘c’ is no word of ‘transpose’"},
        {"x[a] -> y[a] | z[a], x[a] -> y[a]", "operand 1 is ‘z’ and ‘x’"},
        {"x[a -> y[a]", "an axis or ‘]’ wanted at ‘-> y[a]’"},
        {"x[a] y[a]", "‘->’ wanted at ‘y[a]’"},
        {"x[a] -> y[a] z", "the end wanted at ‘z’"},
        {"x[a] -> y[a] ; transpose b", "‘attribute = word:’ wanted at ‘b’"},
        {"x[a] -> y[(a + b)]", "a product of y has 1 unknown factors"},
        {"x[a b] -> y[(a + b c)]", "‘+’ or ‘-’ wanted at ‘c)]’"},
        {"x[a b] -> y[(a b + c)]", "a factor wanted at ‘c)]’"},
        {"x[a b] -> y[(2 + a)]", "a factor wanted at ‘a)]’"},
        {"x[a b] -> y[(a + 2)]", "a name, a number or ‘)’ wanted at ‘2)]’"},
        {"x[a] < b -> y[a]", "‘b’ below which x is, is bound by no operand"},
        {"x[a] < -> y[a]", "a size or a number wanted at ‘-> y[a]’"},
        {"x[a] -> y[a] < 2", "a result of whole numbers, y"},
        {"x[a] < 2 -> y[a] | x[a] < a -> y[a]", "x is of two types"},
        {"x[a] -> y[a] where a", "‘<’ or ‘<=’ wanted at ‘’"},
        {"x[a] -> y[a] where a < b", "‘b’ of ‘where’ is bound by no operand"},
        {"", "a port wanted at ‘’"},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        FigOp op = {.name = "test", .signature = rows[i].signature, .attrs = attrs};
        g_autofree char *why = NULL;
        g_assert_false(fig_signature_check(&op, &why));
        g_assert_cmpstr(why, ==, rows[i].why);
    }
}

static uint32_t
next(void *rand)
{
    return g_rand_int(rand);
}

static void
test_sample(void)
{
    static const char *const signatures[] = {
        "x[... d!], g[d!] -> y[... d!]",
        "x[... t (heads d)] -> y[... heads t d]",
        "x[... over! ...] -> y[... over! ...]",
        "x[... sum(sizes)] -> y[i]: [... sizes[i]]",
        "x[... t! (2 p)!] -> y[... t! (2 p)!]",
        ("a[... m k!], b[k! n] -> y[... m n] | a[... m k!], b[... k! n] -> y[... m n]"
         " ; transpose = b: a[... m k!], b[... n k!] -> y[... m n]"),
    };
    g_autoptr(GRand) rand = g_rand_new_with_seed(11);
    g_autoptr(FigAlgebra) algebra = fig_algebra_new();
    for (gsize i = 0; i < G_N_ELEMENTS(signatures); i++) {
        FigOp op = {.name = "test", .signature = signatures[i], .attrs = attrs};
        g_autofree char *why = NULL;
        g_assert_true(fig_signature_check(&op, &why));
        int alternatives = fig_signature_alternatives(&op), ranks = 0;
        for (int round = 0; round < 300; round++) {
            g_autoptr(FigArena) arena = fig_arena_new();
            FigBinding binding = {0};
            FigAttrValue attr[4] = {{0}};
            int which = round % alternatives;
            g_assert_true(fig_signature_sample(&op, which, algebra, 9, next, rand,
                                               arena, &binding, attr));
            for (int j = 0; j < binding.n_in; j++) {
                for (int k = 0; k < binding.in[j].rank; k++) {
                    FigRational value;
                    g_assert_true(fig_poly_is_number(binding.in[j].axis[k], &value));
                    g_assert_cmpint(value.den, ==, 1);
                    g_assert_cmpint(value.num, >=, 1);
                    g_assert_cmpint(value.num, <=, 9);
                }
                ranks |= 1 << binding.in[j].rank;
            }
            g_assert_true(fig_signature_bind(&op, algebra, &binding, &why));
            if (which == 2)
                g_assert_nonnull(strstr(binding.alternative, "n k!"));
        }
        /* with and without leading axes */
        g_assert_cmpint(__builtin_popcount((unsigned)ranks), >=, 3);
        g_assert_false(fig_signature_sample(&op, alternatives, algebra, 9, next, rand,
                                            NULL, NULL, NULL));
    }
}

/* Every row of the table has a signature that makes sense. */
static void
test_table(void)
{
    int seen = 0;
    for (const FigOp *const *op = fig_op_all(); *op; op++, seen++) {
        g_autofree char *why = NULL;
        if (!fig_signature_check(*op, &why))
            g_error("%s: %s", (*op)->name, why);
    }
    g_assert_cmpint(seen, >=, 11);
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/signature/norm", test_norm);
    g_test_add_func("/signature/matmul", test_matmul);
    g_test_add_func("/signature/heads", test_heads);
    g_test_add_func("/signature/split", test_split);
    g_test_add_func("/signature/over", test_over);
    g_test_add_func("/signature/terms", test_terms);
    g_test_add_func("/signature/whole", test_whole);
    g_test_add_func("/signature/pointwise", test_pointwise);
    g_test_add_func("/signature/check", test_check);
    g_test_add_func("/signature/sample", test_sample);
    g_test_add_func("/signature/table", test_table);
    return g_test_run();
}
