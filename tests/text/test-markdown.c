/* SPDX-License-Identifier: MIT
 *
 * Labels in Markdown against strings written by hand. What is held to: no backslash before
 * a sign inside a formula (Markdown would take it), no bar (a table would), a space or a
 * bracket before every formula, nothing that HTML reads among words.
 */
#include "ops/op.h"
#include "text/markdown.h"

#include <string.h>

static void
check_labels(void)
{
    static const char *const cases[][2] = {
        {"matmul $W_{qkv} : C \\to 3C$", "matmul $W_{\\mathit{qkv}}:C\\to 3C$"},
        {"$S = q\\,k^\\top/\\sqrt{h_d}$", "$S=q\\thinspace k^{\\top }/\\sqrt{h_{d}}$"},
        {"RMSNorm$_{q}$", "$\\mathrm{RMSNorm}{}_{q}$"},
        {"the $l$th of $L$ layers", "the $l\\mathrm{th}$ of $L$ layers"},
        {"a$b$c$d$e", "$\\mathrm{a}b\\mathrm{c}d\\mathrm{e}$"},
        {"$a$$b$ (c)$d$", "$ab$ (c)$d$"},
        {"RoPE; full: RoPE (YaRN $\\times 8$)", "RoPE; full: RoPE (YaRN $\\times 8$)"},
        {"$\\{a | b \\mid c\\}$", "$\\lbrace a\\vert b\\mid c\\rbrace $"},
        {"$a \\< b$", "$a\\lt b$"},
        {"a|b", "a&#124;b"},
        {"<b>&amp; \\$5 _x_ *y* `z` [a](b) ~c~ # @d",
         "&lt;b&gt;&amp;amp; &#36;5 \\_x\\_ \\*y\\* \\`z\\` \\[a\\](b) \\~c\\~ \\# "
         "&#64;d"},
        {"a\\b", "a\\\\b"},
        {"line\nbreak", "line break"},
        {"a → b, 10⁵, θ", "a → b, 10⁵, θ"},
        {"$\\nonsense$ and words", NULL}, /* no label: words as they are */
        {"", ""},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = fig_text_markdown(cases[i][0]);
        if (cases[i][1])
            g_assert_cmpstr(text, ==, cases[i][1]);
        else
            g_assert_null(strchr(text, '$'));
    }
}

/* In every formula of the op table. */
static void
check_formulas(void)
{
    for (const FigOp *const *op = fig_op_all(); *op; op++) {
        g_autofree char *label = g_strdup_printf("$%s$", (*op)->equation);
        g_autofree char *text = fig_text_markdown(label);
        g_assert_true(g_str_has_prefix(text, "$") && g_str_has_suffix(text, "$"));
        g_assert_null(strpbrk(text, "|<>"));
        for (const char *c = text; (c = strchr(c, '\\')); c += 2)
            if (!g_ascii_isalpha(c[1]) && c[1] != ' ')
                g_error("%s: ‘\\%c’ does not reach MathJax: %s", (*op)->name, c[1],
                        text);
    }
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/text/markdown/labels", check_labels);
    g_test_add_func("/text/markdown/formulas", check_formulas);
    return g_test_run();
}
