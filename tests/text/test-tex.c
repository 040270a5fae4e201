/* SPDX-License-Identifier: MIT
 *
 * The parser of labels: what it makes of formulas, as Unicode, and what it says about
 * mistakes, with their place in the person's file.
 */
#include "base/limit.h"
#include "text/text.h"

#include <string.h>

static void
check_plain(void)
{
    static const char *const cases[][2] = {
        {"matmul $W_{qkv} : C \\to 3C$", "matmul W_qkv : C → 3C"},
        {"$S = q\\,k^\\top/\\sqrt{h_d}$", "S = q kᵀ/√h_d"},
        {"$y = A\\,v$", "y = A v"},
        {"$10^5$", "10⁵"},
        {"$\\theta = 5 \\cdot 10^{5}$", "θ = 5·10⁵"},
        {"$10^{-6}$", "10⁻⁶"},
        {"$z'$ $z''$ $z'''$ $z_l$ $z'_l$", "z′ z″ z‴ z_l z′_l"},
        {"$h_{ff} = 1408$ is $8C/3$ rounded", "h_ff = 1408 is 8C/3 rounded"},
        {"$(B, H, T, h_d)$", "(B, H, T, h_d)"},
        {"$(B,H,T,h_d)$", "(B, H, T, h_d)"},
        {"RMSNorm$_q$", "RMSNorm_q"},
        {"$x_{i+1}^{n-1}$", "x_(i+1)^(n−1)"},
        {"$x_i^2 + \\varepsilon$", "x_i² + ε"},
        {"$\\sqrt{a+b}$", "√(a + b)"},
        {"$\\frac{a}{b+1}$", "a/(b+1)"},
        {"$\\frac{x_i}{2}$", "x_i/2"},
        {"$\\lceil 8C/3 \\rceil$", "⌈8C/3⌉"},
        {"$-x \\le a - b$", "−x ≤ a − b"},
        {"$\\log x$", "log x"},
        {"$\\max_i a_i$", "max_i a_i"},
        {"$a \\odot b \\approx c \\times d \\ge \\infty$", "a ⊙ b ≈ c × d ≥ ∞"},
        {"$\\mathrm{softmax}(S)$", "softmax(S)"},
        {"$W_{\\mathrm{proj}}$", "W_proj"},
        {"$a, \\ldots, b$", "a, …, b"},
        {"$\\left(\\frac{a}{b}\\right)^2$", "(a/b)²"},
        {"$a\\;b\\quad c$", "a b c"},
        {"costs \\$5, \\<b and a\\\\b", "costs $5, <b and a\\b"},
        {"a → b, θ", "a → b, θ"},
        {"$a → b$", "a → b"},
        {"$a \\< b$", "a < b"},
        {"$h_{ff} = <ceil(8*C/3, 64)>$", "h_ff = <ceil(8*C/3, 64)>"},
        {"$<size(x_a_b, max(1, 2))> + 1$", "<size(x_a_b, max(1, 2))> + 1"},
        {"", ""},
        {"$$", ""},
        {"$x^{}$", "x"},
        {"two\nlines", "two lines"},
        {"$\\foo$", "$\\foo$"}, /* what cannot be read is given back */
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *plain = fig_text_plain(cases[i][0]);
        g_assert_cmpstr(plain, ==, cases[i][1]);
    }
}

/* Check a label as it stands in a file: `    label: …`, on line 3. */
static char *
complain(const char *label)
{
    g_autofree char *text = g_strdup_printf("a: 1\nb: 2\n    label: %s\n", label);
    FigSource source = {"spec.yaml", text, strlen(text)};
    FigSpan at = {&source, strlen("a: 1\nb: 2\n    label: "), strlen(label), 3, 12};
    g_autoptr(FigDiag) diag = fig_diag_new();
    bool sound = fig_text_check(label, at, diag);
    g_assert_cmpint(sound, ==, fig_diag_errors(diag) == 0);
    GString *out = g_string_new(NULL);
    fig_diag_print(diag, out, false);
    return g_string_free(out, FALSE);
}

static void
check_errors(void)
{
    /* label, column, message, word under the caret, hint or NULL */
    static const struct {
        const char *label;
        int column, carets;
        const char *message, *hint;
    } cases[] = {
        {"$a \\thta b$", 15, 5, "unknown command ‘\\thta’", "did you mean ‘\\theta’?"},
        {"$\\sqr{x}$", 13, 4, "unknown command ‘\\sqr’", "did you mean ‘\\sqrt’?"},
        {"$\\wrongest$", 13, 9, "unknown command ‘\\wrongest’", NULL},
        {"$W_{qkv : C$", 15, 1, "‘{’ is never closed", NULL},
        {"$W_qkv} : C$", 18, 1, "‘}’ without ‘{’ before it", NULL},
        {"$x^2^3$", 16, 1, "a second superscript",
         "put both in one pair of braces: ^{…}"},
        {"$x_a_b$", 16, 1, "a second subscript",
         "put both in one pair of braces: _{…}"},
        {"$x^2'$", 16, 1, "a prime after a superscript", NULL},
        {"$x_$", 14, 1, "‘_’ is followed by nothing", NULL},
        {"$x^_2$", 14, 1, "‘^’ is followed by nothing", NULL},
        {"$\\sqrt 2$", 13, 5, "‘\\sqrt’ wants ‘{…}’ after it", NULL},
        {"$\\frac{a} b$", 13, 5, "‘\\frac’ wants ‘{…}’ after it", NULL},
        {"$\\mathrm{a_b}$", 22, 1, "‘_’ inside ‘\\mathrm{…}’, which holds plain words",
         NULL},
        {"$\\left( x$", 13, 5, "‘\\left’ is never closed", NULL},
        {"$x \\right)$", 15, 6, "‘\\right’ without ‘\\left’", NULL},
        {"$\\left x \\right)$", 13, 5, "‘\\left’ wants a bracket after it, or ‘.’",
         NULL},
        {"words $x", 18, 1, "‘$’ is never closed", "write \\$ for a dollar sign"},
        {"$a & b$", 15, 1, "‘&’ means nothing in a formula",
         "write \\& for the sign itself"},
        {"θ and $\\foo$", 19, 4, "unknown command ‘\\foo’", NULL},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *got = complain(cases[i].label);
        g_autoptr(GString) want = g_string_new(NULL);
        g_string_append_printf(want, "spec.yaml:3:%d: error: %s\n", cases[i].column,
                               cases[i].message);
        g_assert_true(g_str_has_prefix(got, want->str));
        g_autofree char *line = g_strdup_printf("|     label: %s\n", cases[i].label);
        g_assert_nonnull(strstr(got, line));
        int carets = 0;
        for (const char *c = strchr(strstr(got, line), '^'); c && *c; c++)
            carets += *c == '^' && !strchr(cases[i].label, '^');
        if (!strchr(cases[i].label, '^'))
            g_assert_cmpint(carets, ==, cases[i].carets);
        if (cases[i].hint) {
            g_autofree char *hint = g_strdup_printf("= hint: %s\n", cases[i].hint);
            g_assert_nonnull(strstr(got, hint));
        } else if (!strchr(cases[i].label, '\\')) {
            g_assert_null(strstr(got, "= hint:"));
        }
        /* one mistake, one message */
        g_assert_null(strstr(strstr(got, "error:") + 1, "error:"));
    }
}

static void
check_more_than_one(void)
{
    g_autofree char *got = complain("$\\foo$ and $\\bar \\foo$ and $x$");
    const char *first = strstr(got, "unknown command ‘\\foo’");
    const char *second = strstr(got, "unknown command ‘\\bar’");
    g_assert_nonnull(first);
    g_assert_nonnull(second);
    g_assert_null(strstr(second, "unknown command ‘\\foo’"));
}

static void
check_limits(void)
{
    g_autofree char *deep = g_strnfill(FIG_LIMIT_DEPTH * 4, '{');
    g_autofree char *label = g_strdup_printf("$%s$", deep);
    g_autofree char *got = complain(label);
    g_assert_nonnull(strstr(got, "braces nested more than 64 deep"));
    g_autofree char *filler = g_strnfill(FIG_LIMIT_LABEL + 1, 'a');
    g_autofree char *too_long = complain(filler);
    g_assert_nonnull(strstr(too_long, "a label of 4097 bytes; at most 4096 are set"));
    g_autoptr(FigDiag) diag = fig_diag_new();
    g_assert_false(fig_text_check("a\xff", (FigSpan){0}, diag));
    g_assert_cmpint(fig_diag_errors(diag), ==, 1);
}

/* Whatever bytes come, the parser ends, and what it takes it can also print. */
static void
check_noise(void)
{
    static const char letters[] = "ab12 $${}_^'\\\\<>(),+-=/.|&theta";
    for (int round = 0; round < 20000; round++) {
        g_autoptr(GString) label = g_string_new(NULL);
        int length = g_test_rand_int_range(0, 24);
        for (int i = 0; i < length; i++)
            g_string_append_c(label,
                              letters[g_test_rand_int_range(0, (int)strlen(letters))]);
        g_autoptr(FigDiag) diag = fig_diag_new();
        bool sound = fig_text_check(label->str, (FigSpan){0}, diag);
        g_assert_cmpint(sound, ==, fig_diag_errors(diag) == 0);
        g_autofree char *plain = fig_text_plain(label->str);
        g_assert_true(g_utf8_validate(plain, -1, NULL));
        if (!sound)
            g_assert_cmpstr(plain, ==, label->str);
    }
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/tex/plain", check_plain);
    g_test_add_func("/tex/errors", check_errors);
    g_test_add_func("/tex/more-than-one", check_more_than_one);
    g_test_add_func("/tex/limits", check_limits);
    g_test_add_func("/tex/noise", check_noise);
    return g_test_run();
}
