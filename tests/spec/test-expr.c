/* SPDX-License-Identifier: MIT
 *
 * Expressions: what they are worth, how they print, and where each mistake is shown.
 */
#include "spec/expr.h"

#include <math.h>
#include <string.h>

/* Parse a text and fail the test with the messages if it does not parse. */
static const FigExpr *
parse(FigArena *arena, const char *text)
{
    g_autoptr(FigDiag) diag = fig_diag_new();
    const FigExpr *expr = fig_expr_parse_text(text, (FigSpan){0}, arena, diag);
    if (!expr) {
        g_autoptr(GString) out = g_string_new(NULL);
        fig_diag_print(diag, out, false);
        g_error("%s: %s", text, out->str);
    }
    return expr;
}

static const FigPoly *
dim(const char *name, void *data)
{
    static const char *const names[] = {"C", "H", "T"};
    FigAlgebra *algebra = data;
    if (strcmp(name, "h_d") == 0)
        return fig_poly_div(algebra, fig_poly_symbol(algebra, "C"),
                            fig_poly_symbol(algebra, "H"));
    for (gsize i = 0; i < G_N_ELEMENTS(names); i++)
        if (strcmp(name, names[i]) == 0)
            return fig_poly_symbol(algebra, name);
    return NULL;
}

static bool
size(const char *name, void *data, double *value)
{
    if (strcmp(name, "h_d") == 0)
        *value = 64;
    else if (strcmp(name, "theta") == 0)
        *value = 5e5;
    else
        return false;
    return true;
}

static const char *const names[] = {"C", "H", "T", "h_d", NULL};

static void
test_text(void)
{
    static const char *const rows[][2] = {
        {"1+2*3", "1 + 2*3"},
        {"(1+2)*3", "(1 + 2)*3"},
        {"((a))", "a"},
        {"a-(b-c)", "a - (b - c)"},
        {"(a-b)-c", "a - b - c"},
        {"a/(b*c)", "a/(b*c)"},
        {"a/b*c", "a/b*c"},
        {"-x^2", "-x^2"},
        {"(-x)^2", "(-x)^2"},
        {"2^-x^3", "2^-x^3"},
        {"(a^b)^c", "(a^b)^c"},
        {"ceil(8*C/3,64)", "ceil(8*C/3, 64)"},
        {"not(a and b)or c", "not (a and b) or c"},
        {"a and (b or c)", "a and (b or c)"},
        {"path(z, qkv, through=kind(norm))", "path(z, qkv, through = kind(norm))"},
        {"f(a == b)", "f(a == b)"},
        {"(a<b) == c", "(a < b) == c"},
        {"layers.1.down[0, :3, 2:]", "layers.1.down[0, :3, 2:]"},
        {"axis(probs, over) == 'key'", "axis(probs, over) == 'key'"},
        {"1e-6 < .5", "1e-6 < .5"},
        {"f()", "f()"},
        {"notable and order", "notable and order"},
    };
    g_autoptr(FigArena) arena = fig_arena_new();
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *got = fig_expr_text(parse(arena, rows[i][0]));
        g_assert_cmpstr(got, ==, rows[i][1]);
        g_autofree char *again = fig_expr_text(parse(arena, got));
        g_assert_cmpstr(again, ==, got);
    }
}

static const char *
label(const char *name, void *data)
{
    return strcmp(name, "theta") == 0 ? "\\theta"
           : strcmp(name, "zp") == 0  ? "z'"
                                      : NULL;
}

static void
test_tex(void)
{
    static const char *const rows[][2] = {
        {"1/sqrt(h_d)", "1/\\sqrt{h_d}"},
        {"8*C/3", "8C/3"},
        {"ceil(8*C/3, 64)", "\\mathrm{ceil}(8C/3, 64)"},
        {"H*h_d", "H\\,h_d"},
        {"2*B*T*C*h_ff", "2B\\,T\\,C\\,h_{ff}"},
        {"C + 2*G*h_d", "C + 2G\\,h_d"},
        {"2*(C+1)", "2(C + 1)"},
        {"(C+1)*2", "(C + 1) \\cdot 2"},
        {"C*2", "C \\cdot 2"},
        {"2*3*C", "2 \\cdot 3C"},
        {"C*(2*H)", "C \\cdot (2H)"},
        {"6*B*T*C^2", "6B\\,T\\,C^2"},
        {"C^10", "C^{10}"},
        {"zp^2", "(z')^2"},
        {"x/(3*y)", "x/(3y)"},
        {"theta*2e3", "\\theta \\cdot 2 \\cdot 10^3"},
        {"5e5", "5 \\cdot 10^5"},
        {"1e-06", "10^{-6}"},
        {"1e5", "10^5"},
        {"1e10", "10^{10}"},
        {"-h_d <= width", "-h_d \\le \\mathrm{width}"},
    };
    g_autoptr(FigArena) arena = fig_arena_new();
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *got = fig_expr_tex(parse(arena, rows[i][0]), label, NULL);
        g_assert_cmpstr(got, ==, rows[i][1]);
    }
    g_autoptr(FigAlgebra) algebra = fig_algebra_new();
    const FigPoly *three = fig_poly_mul(algebra, fig_poly_number(algebra, 3, 1),
                                        fig_poly_symbol(algebra, "C"));
    g_autofree char *poly = fig_poly_tex(algebra, three, label, NULL);
    g_assert_cmpstr(poly, ==, "3C");
}

static void
test_poly(void)
{
    static const char *const rows[][2] = {
        {"ceil(8*C/3, 64)", "ceil(8*C/3, 64)"},
        {"H*h_d", "C"},
        {"C/H*H", "C"},
        {"2^10", "1024"},
        {"C^2/C", "C"},
        {"-(C - T)", "-C + T"},
        {"0.5*C", "C/2"},
        {"1e3", "1000"},
        {"min(C, 7, 5)", "min(C, 5)"},
        {"max(4, 7, 5)", "7"},
        {"floor(7/2)", "3"},
    };
    g_autoptr(FigArena) arena = fig_arena_new();
    g_autoptr(FigDiag) diag = fig_diag_new();
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(FigAlgebra) algebra = fig_algebra_new();
        fig_poly_symbol(algebra, "C");
        const FigPoly *poly =
            fig_expr_poly(parse(arena, rows[i][0]), algebra, dim, algebra, names, diag);
        g_assert_nonnull(poly);
        g_assert_cmpstr(fig_poly_text(algebra, poly), ==, rows[i][1]);
    }
    g_assert_cmpint(fig_diag_errors(diag), ==, 0);
}

static void
test_real(void)
{
    static const struct {
        const char *text;
        double value;
    } rows[] = {
        {"1/sqrt(h_d)", 0.125},
        {"1e-6", 1e-6},
        {"2*theta", 1e6},
        {"exp(log(3))", 3},
        {"ceil(8*512/3, 64)", 1408},
        {"floor(-7/2)", -4},
        {"max(1, 2, min(5, 3))", 3},
        {"2^-2", 0.25},
        {"-3^2", -9},
        {"h_d == 64 and theta > 1", 1},
        {"not h_d != 65 or 1 < 0", 0},
        {"1e300*1e-300", 1},
        {"abs(3 - h_d)", 61},
    };
    g_autoptr(FigArena) arena = fig_arena_new();
    g_autoptr(FigDiag) diag = fig_diag_new();
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        double value = NAN;
        g_assert_true(
            fig_expr_real(parse(arena, rows[i].text), size, NULL, NULL, diag, &value));
        g_assert_cmpfloat_with_epsilon(value, rows[i].value, 1e-12);
    }
    const FigExpr *big = parse(arena, "1e300");
    g_assert_false(big->exact);
    const FigExpr *tenth = parse(arena, "0.1");
    g_assert_true(tenth->exact);
    g_assert_cmpint(tenth->rational.num, ==, 1);
    g_assert_cmpint(tenth->rational.den, ==, 10);
}

/* ---- mistakes ---- */

/* Read `is: …` from YAML text, evaluate it and compare what is printed. */
static void
complains(const char *yaml, bool real, const char *want)
{
    g_autoptr(FigArena) arena = fig_arena_new();
    g_autoptr(FigDiag) diag = fig_diag_new();
    g_autoptr(FigAlgebra) algebra = fig_algebra_new();
    FigSource source = {"a.yaml", yaml, strlen(yaml)};
    FigYaml *root = fig_yaml_read(&source, arena, diag);
    g_assert_nonnull(root);
    const FigExpr *expr = fig_expr_parse(fig_yaml_lookup(root, "is"), arena, diag);
    double value;
    if (expr && real)
        g_assert_false(fig_expr_real(expr, size, NULL, names, diag, &value));
    else if (expr)
        g_assert_null(fig_expr_poly(expr, algebra, dim, algebra, names, diag));
    g_assert_cmpint(fig_diag_errors(diag), ==, 1);
    g_autoptr(GString) out = g_string_new(NULL);
    fig_diag_print(diag, out, false);
    g_assert_cmpstr(out->str, ==, want);
}

static void
test_places(void)
{
    complains("is: C / Zz\n", false,
              "a.yaml:1:9: error: unknown dim ‘Zz’\n"
              "    1 | is: C / Zz\n"
              "      |         ^^\n");
    complains("is: \"ceil(8*Cc/3, 64)\"\n", false,
              "a.yaml:1:13: error: unknown dim ‘Cc’\n"
              "    1 | is: \"ceil(8*Cc/3, 64)\"\n"
              "      |             ^^\n"
              "      = hint: did you mean ‘C’?\n");
    complains("is: 'C +'\n", false,
              "a.yaml:1:8: error: the expression ends where a number, a name or ‘(’ is "
              "wanted\n"
              "    1 | is: 'C +'\n"
              "      |        ^\n");
    complains("is: (C + 1\n", false,
              "a.yaml:1:5: error: ‘(’ is not closed\n"
              "    1 | is: (C + 1\n"
              "      |     ^\n");
    complains("is: 8C/3\n", false,
              "a.yaml:1:5: error: ‘8C’ is no number\n"
              "    1 | is: 8C/3\n"
              "      |     ^^\n"
              "      = hint: a product is written 8*C\n");
    complains("is: C / (H - H)\n", false,
              "a.yaml:1:5: error: division by zero\n"
              "    1 | is: C / (H - H)\n"
              "      |     ^^^^^^^^^^^\n");
    complains("is: 3 * 10^18 * 10^18\n", false,
              "a.yaml:1:5: error: the number is too large (beyond 63 bits)\n"
              "    1 | is: 3 * 10^18 * 10^18\n"
              "      |     ^^^^^^^^^^^^^^^^^\n");
    complains("is: 1 + C == H\n", false,
              "a.yaml:1:5: error: this is true or false, not a size\n"
              "    1 | is: 1 + C == H\n"
              "      |     ^^^^^^^^^^\n");
    complains("is: 2 * cell(C)\n", false,
              "a.yaml:1:9: error: ‘cell’ cannot stand in a size; ceil, floor, min and "
              "max can\n"
              "    1 | is: 2 * cell(C)\n"
              "      |         ^^^^^^^\n"
              "      = hint: did you mean ‘ceil’?\n");
    complains("is: C ^ H\n", false,
              "a.yaml:1:9: error: an exponent must be a whole number\n"
              "    1 | is: C ^ H\n"
              "      |         ^\n");
    complains("is: C = H\n", false,
              "a.yaml:1:7: error: ‘=’ where an operator is wanted; equality is ‘==’\n"
              "    1 | is: C = H\n"
              "      |       ^\n");
    complains("is: 1 < C < H\n", false,
              "a.yaml:1:11: error: a second comparison; two are joined with ‘and’\n"
              "    1 | is: 1 < C < H\n"
              "      |           ^\n");
    complains("is: C ⊙ H\n", false,
              "a.yaml:1:7: error: ‘⊙’ where an operator is wanted\n"
              "    1 | is: C ⊙ H\n"
              "      |       ^\n");
    complains("is: 1/sqrt(h_dd)\n", true,
              "a.yaml:1:12: error: unknown name ‘h_dd’\n"
              "    1 | is: 1/sqrt(h_dd)\n"
              "      |            ^^^^\n"
              "      = hint: did you mean ‘h_d’?\n");
    complains("is: 1/(h_d - 64)\n", true,
              "a.yaml:1:5: error: division by zero\n"
              "    1 | is: 1/(h_d - 64)\n"
              "      |     ^^^^^^^^^^^^\n");
    complains("is: exp(h_d^3)\n", true,
              "a.yaml:1:5: error: the result is not a finite number\n"
              "    1 | is: exp(h_d^3)\n"
              "      |     ^^^^^^^^^^\n");
    complains("is: sqrt(1, 2)\n", true,
              "a.yaml:1:5: error: sqrt takes 1 argument, not 2\n"
              "    1 | is: sqrt(1, 2)\n"
              "      |     ^^^^^^^^^^\n");
    complains("is: '  '\n", false,
              "a.yaml:1:6: error: the expression is empty\n"
              "    1 | is: '  '\n"
              "      |      ^^\n");
    complains("is: f('a)\n", false,
              "a.yaml:1:7: error: the quote is not closed\n"
              "    1 | is: f('a)\n"
              "      |       ^\n");
    complains("is: x[1\n", false,
              "a.yaml:1:6: error: ‘[’ is not closed\n"
              "    1 | is: x[1\n"
              "      |      ^\n");
}

/* Brackets without end stop at the cap, in time that is linear. */
static void
test_depth(void)
{
    g_autoptr(FigArena) arena = fig_arena_new();
    g_autoptr(GString) text = g_string_new(NULL);
    for (int i = 0; i < 60; i++)
        g_string_append_c(text, '(');
    g_string_append(text, "1");
    for (int i = 0; i < 60; i++)
        g_string_append_c(text, ')');
    g_assert_cmpint(parse(arena, text->str)->kind, ==, FIG_EXPR_NUMBER);
    static const char *const deep[] = {"(", "-", "f(", "x[", "not ", "2^"};
    for (gsize i = 0; i < G_N_ELEMENTS(deep); i++) {
        g_autoptr(FigDiag) diag = fig_diag_new();
        g_string_truncate(text, 0);
        while (text->len < 1000)
            g_string_append(text, deep[i]);
        g_assert_null(fig_expr_parse_text(text->str, (FigSpan){0}, arena, diag));
        g_assert_cmpint(fig_diag_errors(diag), ==, 1);
        g_autoptr(GString) out = g_string_new(NULL);
        fig_diag_print(diag, out, false);
        g_assert_nonnull(strstr(out->str, "the expression is nested deeper than 64"));
    }
    g_autoptr(FigDiag) diag = fig_diag_new();
    g_string_assign(text, "1");
    while (text->len < 600)
        g_string_append(text, "+1");
    g_assert_null(fig_expr_parse_text(text->str, (FigSpan){0}, arena, diag));
    g_autoptr(GString) high = g_string_new(NULL);
    fig_diag_print(diag, high, false);
    g_assert_nonnull(
        strstr(high->str, "the expression has more than 256 operators on each other"));
    g_string_truncate(text, 0);
    while (text->len < 5000)
        g_string_append(text, "1+");
    g_assert_null(fig_expr_parse_text(text->str, (FigSpan){0}, arena, diag));
    g_autoptr(GString) out = g_string_new(NULL);
    fig_diag_print(diag, out, false);
    g_assert_nonnull(strstr(out->str, "the expression is longer than 4096 bytes"));
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/expr/text", test_text);
    g_test_add_func("/expr/tex", test_tex);
    g_test_add_func("/expr/poly", test_poly);
    g_test_add_func("/expr/real", test_real);
    g_test_add_func("/expr/places", test_places);
    g_test_add_func("/expr/depth", test_depth);
    return g_test_run();
}
