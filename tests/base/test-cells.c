/* SPDX-License-Identifier: MIT
 *
 * Cells of a terminal, and which word was meant.
 */
#include "base/cells.h"

#include <glib.h>
#include <string.h>

static int
cells(const char *text)
{
    return fig_cells(text, strlen(text));
}

static void
test_cells(void)
{
    g_assert_cmpint(cells(""), ==, 0);
    g_assert_cmpint(cells("W_qkv"), ==, 5);
    g_assert_cmpint(cells("θ′"), ==, 2);
    g_assert_cmpint(cells("注意"), ==, 4);
    g_assert_cmpint(cells("e\xcc\x81"), ==, 1);     /* e and a combining acute */
    g_assert_cmpint(cells("a\xe2\x80\x8d"), ==, 1); /* zero-width joiner */
    g_assert_cmpint(cells("\xff\xfe"), ==, 2);
    g_assert_cmpint(cells("\x1b[0m"), ==, 4);
    g_assert_cmpint(fig_cells("\xe6\xb3", 2), ==, 2); /* a character cut in two */
}

static void
test_distance(void)
{
    g_assert_cmpint(fig_word_distance("softmax", "softmax", 3), ==, 0);
    g_assert_cmpint(fig_word_distance("sofmax", "softmax", 3), ==, 1);
    g_assert_cmpint(fig_word_distance("W_kqv", "W_qkv", 3), ==, 1);
    g_assert_cmpint(fig_word_distance("kitten", "sitting", 3), ==, 3);
    g_assert_cmpint(fig_word_distance("kitten", "sitting", 2), ==, 3);
    g_assert_cmpint(fig_word_distance("", "abc", 3), ==, 3);
    g_assert_cmpint(fig_word_distance("α", "β", 3), ==, 1);
    g_autofree char *longer = g_strnfill(500, 'x');
    g_assert_cmpint(fig_word_distance(longer, longer, 2), ==, 3);
}

static void
test_suggest(void)
{
    static const char *const words[] = {"matmul", "softmax", "W_qkv", "T",
                                        "q_rope", "k_rope",  NULL};
    g_assert_cmpstr(fig_word_suggest("sofmax", words), ==, "softmax");
    g_assert_cmpstr(fig_word_suggest("Softmax", words), ==, "softmax");
    g_assert_cmpstr(fig_word_suggest("W_kqv", words), ==, "W_qkv");
    g_assert_cmpstr(fig_word_suggest("t", words), ==, "T");
    g_assert_cmpstr(fig_word_suggest("k_ropes", words), ==, "k_rope");
    g_assert_null(fig_word_suggest("B", words)); /* nothing of it is right */
    g_assert_null(fig_word_suggest("layernorm", words));
    g_assert_null(fig_word_suggest("", words));
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/cells/width", test_cells);
    g_test_add_func("/cells/distance", test_distance);
    g_test_add_func("/cells/suggest", test_suggest);
    return g_test_run();
}
