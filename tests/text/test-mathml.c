/* SPDX-License-Identifier: MIT
 *
 * Labels as MathML against trees written by hand.
 */
#include "ops/op.h"
#include "tests/text/writers.h"

static void
check_trees(void)
{
    static const char *const cases[][2] = {
        {"matmul $W_{qkv} : C$", "matmul  math(msub(mi:W mi~:qkv) mo:: mi:C)"},
        {"$C \\to 3C$", "math(mi:C mo:→ mn:3 mi:C)"},
        {"$k^\\top/\\sqrt{h_d}$", "math(msup(mi:k mi:⊤) mo!:/ msqrt(msub(mi:h mi:d)))"},
        {"$\\theta = 10^{-5}$", "math(mi|:θ mo:= msup(mn:10 mrow(mo!:− mn:5)))"},
        {"$\\frac{x_i}{a+b}$", "math(mfrac(msub(mi:x mi:i) mrow(mi:a mo!:+ mi:b)))"},
        {"$z''$ is $z'_l$",
         "math(msup(mi:z mo!:″)) is  math(msubsup(mi:z mi:l mo!:′))"},
        {"$x'^2$", "math(msup(mi:x mrow(mo!:′ mn:2)))"},
        {"$x_i^2 + \\varepsilon$", "math(msubsup(mi:x mi:i mn:2) mo:+ mi|:ε)"},
        {"$x_{i+1}^{ab}$", "math(msubsup(mi:x mrow(mi:i mo!:+ mn:1) mi~:ab))"},
        {"$W_{pre,ff}$", "math(msub(mi:W mrow(mi~:pre mo!:, mi~:ff)))"},
        {"RMSNorm$_q$", "RMSNorm math(msub(mrow() mi:q))"},
        {"$\\left(\\frac{a}{b}\\right.$", "math(mrow(mo+:( mfrac(mi:a mi:b)))"},
        {"$(B, T)$", "math(mo:( mi:B mo:, mi:T mo:))"},
        {"$\\lvert x \\rvert$, $a \\mid b$, $a | b$",
         "math(mo:| mi:x mo:|),  math(mi:a mo:| mi:b),  math(mi:a mo!:| mi:b)"},
        {"$\\mathrm{softmax}\\,\\mathrm{a b}\\,\\mathrm{d}$",
         "math(mi:softmax mspace=0.167em() mtext:a b mspace=0.167em() mi|:d)"},
        {"$2 \\log x$", "math(mn:2 mspace=0.167em() mi:log mspace=0.167em() mi:x)"},
        {"$\\log(x)$", "math(mi:log mo:( mi:x mo:))"},
        {"$-x \\le \\infty$", "math(mo!:− mi:x mo:≤ mi:∞)"},
        {"$\\partial \\ell$", "math(mi|:∂ mi:ℓ)"},
        {"$a\\!b$", "math(mi:a mspace=-0.167em() mi:b)"},
        {"$h = <f(1)>$", "math(mi:h mo:= mtext:<f(1)>)"},
        {"$x^{}$$$", "math(mi:x)"},
        {"a \\< b & \"c\"", "a < b & \"c\""},
        {"</p><script>$a \\< \\&$", "</p><script> math(mi:a mo:< mo!:&)"},
        {"$\\foo</p>$", "$\\foo</p>$"}, /* what cannot be read is given back */
        {"a\u202e\xff\001", "a\ufffd\ufffd\ufffd"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *got = tree_of(cases[i][0], NULL);
        g_autoptr(GString) want = g_string_new(cases[i][1]);
        g_assert_cmpstr(got, ==, want->str);
    }
}

static void
test_equation(gconstpointer data)
{
    const FigOp *op = data;
    g_autofree char *source = g_strdup_printf("$%s$", op->equation);
    assert_mathml(source);
}

static void
check_noise(void)
{
    static const char *const parts[] = {
        "a",       "W",          "12",       "_{ff}", "^\\top ",
        "'",       "+",          "-",        "(",     "]",
        "{",       "}",          "}",        "$",     "$",
        "\\sqrt{", "\\frac{1}{", "&",        "\\&",   "<",
        "\\<",     "\\left(",    "\\right)", "|",     "\\mathrm{<&}",
        "\\log ",  "\"",         "\u202e",   "\xff",  "]]>",
        "\001",    "\n",
    };
    int formulas = 0;
    for (int round = 0; round < 20000; round++) {
        bool formula = g_test_rand_bit();
        g_autoptr(GString) source = g_string_new(formula ? "$" : "");
        for (int i = g_test_rand_int_range(0, 12); i > 0; i--)
            g_string_append(source,
                            parts[g_test_rand_int_range(0, G_N_ELEMENTS(parts))]);
        g_string_append(source, formula ? "$" : "");
        g_autofree char *tree = tree_of(source->str, NULL);
        formulas += strstr(tree, "math(") != NULL;
    }
    g_assert_cmpint(formulas, >, 500);
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/mathml/trees", check_trees);
    g_test_add_func("/mathml/noise", check_noise);
    for (const FigOp *const *op = fig_op_all(); *op; op++) {
        g_autofree char *path = g_strdup_printf("/mathml/equations/%s", (*op)->name);
        g_test_add_data_func(path, *op, test_equation);
    }
    return g_test_run();
}
