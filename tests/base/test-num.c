/* SPDX-License-Identifier: MIT
 *
 * Numbers as text: hand-made cases, and random doubles that must read back.
 */
#include "base/num.h"

#include <locale.h>
#include <math.h>
#include <string.h>

static void
check_text(GString *out, const char *wanted)
{
    g_assert_cmpstr(out->str, ==, wanted);
    g_string_truncate(out, 0);
}

static void
test_fixed(void)
{
    g_autoptr(GString) out = g_string_new(NULL);
    static const struct {
        double value;
        int decimals;
        const char *text;
    } cases[] = {
        {12.5, 3, "12.5"},     {-0.25, 2, "-0.25"},
        {3, 3, "3"},           {0.0004, 3, "0"},
        {-0.0004, 3, "0"},     {-0.0, 2, "0"},
        {100, 0, "100"},       {1e15, 2, "1000000000000000"},
        {2.0 / 3, 3, "0.667"}, {NAN, 2, "nan"},
        {INFINITY, 2, "inf"},  {-INFINITY, 2, "-inf"},
        {0.5, -3, "0"},        {1200, 1, "1200"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        fig_num_fixed(out, cases[i].value, cases[i].decimals);
        check_text(out, cases[i].text);
    }
    fig_num_fixed(out, 1e300, 20);
    g_assert_cmpuint(out->len, ==, 301);
}

static void
test_shortest(void)
{
    g_autoptr(GString) out = g_string_new(NULL);
    static const struct {
        double value;
        const char *text; /* as Python's repr, without «.0» */
    } cases[] = {
        {1e-6, "1e-06"},
        {0.1, "0.1"},
        {5e5, "500000"},
        {0.125, "0.125"},
        {1e16, "1e+16"},
        {123456789012345680.0, "1.2345678901234568e+17"},
        {0.0001, "0.0001"},
        {0.00012345, "0.00012345"},
        {1e-5, "1e-05"},
        {-2.5, "-2.5"},
        {1.0 / 3, "0.3333333333333333"},
        {-0.0, "0"},
        {5e-324, "5e-324"},
        {1.7976931348623157e308, "1.7976931348623157e+308"},
        {1.2079441541679836, "1.2079441541679836"},
        {9007199254740993.0, "9007199254740992"},
        {INFINITY, "inf"},
        {NAN, "nan"},
        {10, "10"},
        {12.75, "12.75"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        fig_num_shortest(out, cases[i].value);
        check_text(out, cases[i].text);
    }
    for (int i = 0; i < 20000; i++) {
        guint64 bits = (guint64)g_test_rand_int() << 32 | (guint32)g_test_rand_int();
        double value;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value))
            continue;
        fig_num_shortest(out, value);
        double back;
        g_assert_true(fig_num_read_real(out->str, &back));
        g_assert_true(back == value);
        g_string_truncate(out, 0);
    }
}

static void
test_significant(void)
{
    g_autoptr(GString) out = g_string_new(NULL);
    fig_num_significant(out, 1.23449e-5, 4);
    check_text(out, "1.234e-05");
    fig_num_significant(out, G_PI, 4);
    check_text(out, "3.142");
    fig_num_significant(out, -0.0, 4);
    check_text(out, "0");
    fig_num_significant(out, 2.0, 4);
    check_text(out, "2");
}

static void
test_integer(void)
{
    g_autoptr(GString) out = g_string_new(NULL);
    fig_num_integer(out, 3213312, true);
    check_text(out, "3,213,312");
    fig_num_integer(out, 128256, false);
    check_text(out, "128256");
    fig_num_integer(out, 0, true);
    check_text(out, "0");
    fig_num_integer(out, -999, true);
    check_text(out, "-999");
    fig_num_integer(out, -1000, true);
    check_text(out, "-1,000");
    fig_num_integer(out, INT64_MIN, false);
    check_text(out, "-9223372036854775808");
}

static void
test_read(void)
{
    int64_t whole = 0;
    double real = 0;
    g_assert_true(fig_num_read_integer("-9223372036854775808", &whole));
    g_assert_cmpint(whole, ==, INT64_MIN);
    static const char *const no_integer[] = {
        "", "-", "+1", " 1", "1 ", "1.0", "0x1", "1e3", "--1", "9223372036854775808"};
    for (size_t i = 0; i < G_N_ELEMENTS(no_integer); i++)
        g_assert_false(fig_num_read_integer(no_integer[i], &whole));
    g_assert_true(fig_num_read_real("5e5", &real));
    g_assert_cmpfloat(real, ==, 500000);
    g_assert_true(fig_num_read_real("-.5E-1", &real));
    g_assert_cmpfloat(real, ==, -0.05);
    static const char *const no_real[] = {"",      ".",     "e5",  "1e", "nan",
                                          "inf",   "0x10",  "1,5", "1 ", " 1",
                                          "1e999", "1.2.3", "1e+"};
    for (size_t i = 0; i < G_N_ELEMENTS(no_real); i++)
        g_assert_false(fig_num_read_real(no_real[i], &real));
}

/* In a locale with a decimal comma, made for this test, nothing changes. */
static void
test_locale(void)
{
    g_autofree char *folder = g_dir_make_tmp("opfig-test-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(folder, "de_DE.UTF-8", NULL);
    const char *const make[] = {"localedef", "--no-archive", "-i", "de_DE",
                                "-f",        "UTF-8",        path, NULL};
    g_autoptr(GError) error = NULL;
    g_assert_true(g_spawn_sync(NULL, (char **)make, NULL, G_SPAWN_SEARCH_PATH, NULL,
                               NULL, NULL, NULL, NULL, &error));
    g_setenv("LOCPATH", folder, TRUE);
    g_assert_nonnull(setlocale(LC_ALL, "de_DE.UTF-8"));
    g_assert_cmpstr(localeconv()->decimal_point, ==, ",");

    g_autoptr(GString) out = g_string_new(NULL);
    fig_num_fixed(out, 12.5, 3);
    check_text(out, "12.5");
    fig_num_shortest(out, 0.1);
    check_text(out, "0.1");
    fig_num_significant(out, 0.25, 4);
    check_text(out, "0.25");
    fig_num_integer(out, 1234, true);
    check_text(out, "1,234");
    double real;
    g_assert_true(fig_num_read_real("0.5", &real));
    g_assert_cmpfloat(real, ==, 0.5);

    setlocale(LC_ALL, "C.UTF-8");
    const char *const tidy[] = {"rm", "-rf", folder, NULL};
    g_assert_true(g_spawn_sync(NULL, (char **)tidy, NULL, G_SPAWN_SEARCH_PATH, NULL,
                               NULL, NULL, NULL, NULL, &error));
}

/* Four digits by the SI prefix; halves go up, also over the next power. */
static void
test_unit(void)
{
    static const struct {
        int64_t value;
        const char *text;
    } rows[] = {
        {0, "0"},
        {9999, "9999"},
        {10000, "10.00 k"},
        {12344, "12.34 k"},
        {12345, "12.35 k"},
        {99994, "99.99 k"},
        {99995, "100.0 k"},
        {999949, "999.9 k"},
        {999950, "1.000 M"},
        {676069376, "676.1 M"},
        {1109622784, "1.110 G"},
        {28575268864, "28.58 G"},
        {INT64_C(321011942144), "321.0 G"},
        {INT64_C(1785954304000000), "1.786 P"},
        {INT64_MAX, "9.223 E"},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(GString) text = g_string_new(NULL);
        fig_num_unit(text, rows[i].value);
        g_assert_cmpstr(text->str, ==, rows[i].text);
    }
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/num/unit", test_unit);
    g_test_add_func("/num/fixed", test_fixed);
    g_test_add_func("/num/shortest", test_shortest);
    g_test_add_func("/num/significant", test_significant);
    g_test_add_func("/num/integer", test_integer);
    g_test_add_func("/num/read", test_read);
    g_test_add_func("/num/locale", test_locale);
    return g_test_run();
}
