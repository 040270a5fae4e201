/* SPDX-License-Identifier: MIT
 *
 * Labels as LaTeX against strings written by hand, every character that LaTeX treats in its
 * own way, and a road back: what is written parses as what was meant.
 */
#include "ops/op.h"
#include "tests/text/writers.h"

static void
check_labels(void)
{
    static const char *const cases[][2] = {
        {"matmul $W_{qkv} : C \\to 3C$", "matmul $W_{\\mathit{qkv}}:C\\to 3C$"},
        {"$S = q\\,k^\\top/\\sqrt{h_d}$", "$S=q\\,k^{\\top }/\\sqrt{h_{d}}$"},
        {"$h_{ff} = 1408$ is $8C/3$", "$h_{\\mathit{f{}f}}=1408$ is $8C/3$"},
        {"$z'' \\approx z'_l$", "$z''\\approx z'_{l}$"},
        {"$\\theta = 5 \\cdot 10^{-5}$", "$\\theta =5\\cdot 10^{-5}$"},
        {"$\\frac{x_i}{\\sqrt{a+b}}$", "$\\frac{x_{i}}{\\sqrt{a+b}}$"},
        {"$\\left(\\frac{a}{b}\\right]^2$", "$\\left(\\frac{a}{b}\\right]^{2}$"},
        {"$\\left\\{x\\right.$", "$\\left\\{x\\right.$"},
        {"$\\left|x\\right\\rVert$", "$\\left|x\\right\\|$"},
        {"$\\lvert x \\rvert = \\lVert y \\rVert$",
         "$\\mathopen{|}x\\mathclose{|}=\\mathopen{\\|}y\\mathclose{\\|}$"},
        {"$a | b \\mid c$", "$a\\vert b\\mid c$"},
        {"$\\lceil 8C/3 \\rceil$", "$\\lceil 8C/3\\rceil $"},
        {"$\\mathrm{softmax}(S)$", "$\\mathrm{softmax}(S)$"},
        {"$\\mathrm{half-split a_b}$", NULL}, /* no label: words as they are */
        {"$\\mathrm{half-split \\_\\%}$",
         "$\\mathrm{half\\mbox{-}split\\ \\mbox{\\_}\\mbox{\\%}}$"},
        {"$\\log x + \\operatorname{rank} A$",
         "$\\log x+\\mathop{\\mathrm{rank}}\\nolimits A$"},
        {"$x_{i+1}^{n-1}$, $_q$", "$x_{i+1}^{n-1}$, ${}_{q}$"},
        {"$a\\;b\\quad c\\!d$", "$a\\;b\\quad c\\!d$"},
        {"$a - b \\* c$", NULL},
        {"$a − b ⋅ c → d ≤ θ$", "$a-b\\cdot c\\to d\\le \\theta $"},
        {"$a \\< b, \\% \\# \\& \\_ \\$$", "$a<b,\\%\\#\\&\\_\\$$"},
        {"$h = <ceil(x, 3)>$",
         "$h=\\mathrm{\\mbox{\\textless{}}ceil\\mbox{(}x\\mbox{,}\\ 3\\mbox{)}"
         "\\mbox{\\textgreater{}}}$"},
        {"RMSNorm$_{attn}$", "RMSNorm${}_{\\mathit{attn}}$"},
        {"a → b, 10⁵ and θ · 2 − 1",
         "a $\\to$ b, 10$^{5}$ and $\\theta$ $\\cdot$ 2 $-$ 1"},
        {"h₂ and x⁻¹", "h$_{2}$ and x$^{-}$$^{1}$"},
        {"", ""},
        {"$$", ""},
        {"Zoë’s “ä” – x", "Zoë’s “ä” – x"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *latex = fig_text_latex(cases[i][0]);
        if (cases[i][1])
            g_assert_cmpstr(latex, ==, cases[i][1]);
        else
            g_assert_true(g_str_has_prefix(latex, "\\$"));
    }
}

/* Every printable character of ASCII among words: the ten that LaTeX reserves, those that
 * its usual fonts have elsewhere (< > | "), those that join into another sign. */
static void
check_special(void)
{
    g_autofree char *latex = fig_text_latex(
        "\\$ % # & _ { } ~ ^ \\\\ \\< > | \" ` ' - , ? ! -- --- '' ,, ?` !`");
    g_assert_cmpstr(
        latex, ==,
        "\\$ \\% \\# \\& \\_ \\{ \\} \\textasciitilde{} \\textasciicircum{} "
        "\\textbackslash{} \\textless{} \\textgreater{} \\textbar{} "
        "\\symbol{34} \\textasciigrave{} ' - , ? ! -{}- -{}-{}- '{}' ,{}, "
        "?\\textasciigrave{} !\\textasciigrave{}");
    g_autofree char *turned = fig_text_latex("a\u202eb\tc\001d");
    g_assert_cmpstr(turned, ==, "ab c d");
    g_autofree char *broken = fig_text_latex("\\input{x} $\\foo$ %\n\n\xff");
    g_assert_cmpstr(
        broken, ==,
        "\\textbackslash{}input\\{x\\} \\$\\textbackslash{}foo\\$ \\%  \ufffd");
}

static void
check_noise(void)
{
    static const char *const parts[] = {
        "a",
        "W",
        "f",
        "12",
        "_{ff}",
        "^\\top ",
        "'",
        "+",
        "-",
        "=",
        "(",
        "]",
        "\\sqrt{",
        "}",
        "{",
        "\\frac{1}{",
        "$",
        "$",
        "\\$",
        "%",
        "#",
        "&",
        "\\left(",
        "\\right)",
        "|",
        "\\|",
        "<",
        "\\<",
        "\\mathrm{-f\\%}",
        "\\log ",
        "~",
        "^",
        "\"",
        "`",
        "→",
        "⁵",
        "\u202e",
        "\xff",
        "\\input{",
        "\n",
    };
    int formulas = 0;
    for (int round = 0; round < 20000; round++) {
        bool formula = g_test_rand_bit();
        g_autoptr(GString) source = g_string_new(formula ? "$" : "");
        for (int i = g_test_rand_int_range(0, 12); i > 0; i--)
            g_string_append(source,
                            parts[g_test_rand_int_range(0, G_N_ELEMENTS(parts))]);
        g_string_append(source, formula ? "$" : "");
        g_autofree char *latex = fig_text_latex(source->str);
        assert_inert(latex);
        g_assert_true(g_utf8_validate(latex, -1, NULL));
        formulas += *latex == '$';
    }
    g_assert_cmpint(formulas, >, 500);
}

static void
test_equation(gconstpointer data)
{
    const FigOp *op = data;
    g_autofree char *source = g_strdup_printf("$%s$", op->equation);
    assert_latex(source);
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/latex/labels", check_labels);
    g_test_add_func("/latex/special", check_special);
    g_test_add_func("/latex/noise", check_noise);
    for (const FigOp *const *op = fig_op_all(); *op; op++) {
        g_autofree char *path = g_strdup_printf("/latex/equations/%s", (*op)->name);
        g_test_add_data_func(path, *op, test_equation);
    }
    return g_test_run();
}
