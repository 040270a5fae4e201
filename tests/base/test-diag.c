/* SPDX-License-Identifier: MIT
 *
 * Messages as they are printed, letter by letter.
 */
#include "base/diag.h"

#include "base/limit.h"

#include <string.h>

static FigSource
source_of(const char *text)
{
    return (FigSource){"a.yaml", text, strlen(text)};
}

/* The place of the first occurrence of word. */
static FigSpan
place(const FigSource *source, const char *word)
{
    const char *at = strstr(source->text, word);
    g_assert_nonnull(at);
    FigSpan start = {.source = source, .line = 1, .column = 1};
    return fig_span_inside(start, (size_t)(at - source->text), strlen(word));
}

static void
check_printed(const FigDiag *diag, const char *wanted)
{
    g_autoptr(GString) out = g_string_new(NULL);
    fig_diag_print(diag, out, false);
    g_assert_cmpstr(out->str, ==, wanted);
}

static void
test_message(void)
{
    FigSource source = source_of("ops:\n  - {id: a, op: sofmax, in: x}\n");
    g_autoptr(FigDiag) diag = fig_diag_new();
    static const char *const ops[] = {"matmul", "softmax", NULL};
    FigMessage *message =
        fig_diag_error(diag, place(&source, "sofmax"), "unknown op ‘%s’", "sofmax");
    fig_message_suggest(message, "sofmax", ops);
    fig_message_note_at(message, place(&source, "ops"), "among these");
    fig_message_note(message, "and so on");
    check_printed(diag, "a.yaml:2:17: error: unknown op ‘sofmax’\n"
                        "    2 |   - {id: a, op: sofmax, in: x}\n"
                        "      |                 ^^^^^^\n"
                        "      = hint: did you mean ‘softmax’?\n"
                        "a.yaml:1:1: note: among these\n"
                        "    1 | ops:\n"
                        "      | ^^^\n"
                        "      = note: and so on\n");
    g_assert_cmpint(fig_diag_errors(diag), ==, 1);
}

static void
test_wide(void)
{
    FigSource source = source_of("é: 注意, e\xcc\x81x: y\n");
    g_autoptr(FigDiag) diag = fig_diag_new();
    fig_diag_error(diag, place(&source, "注意"), "one");
    fig_diag_error(diag, place(&source, "x: y"), "two");
    check_printed(diag, "a.yaml:1:4: error: one\n"
                        "    1 | é: 注意, e\xcc\x81x: y\n"
                        "      |    ^^^^\n"
                        "a.yaml:1:10: error: two\n"
                        "    1 | é: 注意, e\xcc\x81x: y\n"
                        "      |           ^^^^\n");
}

static void
test_tabs_and_control(void)
{
    FigSource source = source_of("a\tb\x1b[2Jc\r\nd");
    g_autoptr(FigDiag) diag = fig_diag_new();
    fig_diag_error(diag, place(&source, "b"), "a \x1b[31m word\nof two lines");
    fig_diag_error(diag, place(&source, "c"), "after it");
    check_printed(diag, "a.yaml:1:3: error: a \xef\xbf\xbd[31m word of two lines\n"
                        "    1 | a    b\xef\xbf\xbd[2Jc\n"
                        "      |      ^\n"
                        "a.yaml:1:8: error: after it\n"
                        "    1 | a    b\xef\xbf\xbd[2Jc\n"
                        "      |           ^\n");
}

static void
test_clipped(void)
{
    FigSource source = source_of("ab: [1,\n  2]\n");
    g_autoptr(FigDiag) diag = fig_diag_new();
    FigSpan list = place(&source, "[1");
    list.length = 8; /* reaches into the next line */
    fig_diag_error(diag, list, "one");
    FigSpan beyond = {
        .source = &source, .offset = 999, .length = 5, .line = 3, .column = 1};
    fig_diag_error(diag, beyond, "two");
    check_printed(diag, "a.yaml:1:5: error: one\n"
                        "    1 | ab: [1,\n"
                        "      |     ^^^\n"
                        "a.yaml:3:1: error: two\n"
                        "    3 | \n"
                        "      | ^\n");
}

static void
test_long_line(void)
{
    g_autoptr(GString) text = g_string_new(NULL);
    for (int i = 0; i < 100000; i++)
        g_string_append(text, "é");
    g_string_append(text, "HERE");
    for (int i = 0; i < 100000; i++)
        g_string_append(text, "é");
    FigSource source = source_of(text->str);
    g_autoptr(FigDiag) diag = fig_diag_new();
    fig_diag_error(diag, place(&source, "HERE"), "found");
    g_autoptr(GString) out = g_string_new(NULL);
    fig_diag_print(diag, out, false);
    g_assert_cmpuint(out->len, <, 600);
    g_assert_true(g_utf8_validate(out->str, -1, NULL));
    g_assert_nonnull(strstr(out->str, "éHEREé"));
    /* the carets stand under the word: the same cells before both */
    g_auto(GStrv) lines = g_strsplit(out->str, "\n", -1);
    glong word = g_utf8_pointer_to_offset(lines[1], strstr(lines[1], "HERE"));
    glong caret = g_utf8_pointer_to_offset(lines[2], strstr(lines[2], "^^^^"));
    g_assert_cmpint(word, ==, caret);
}

static void
test_order_and_limit(void)
{
    FigSource source = source_of("a\nb\nc\n");
    g_autoptr(FigDiag) diag = fig_diag_new();
    fig_diag_error(diag, place(&source, "c"), "third");
    fig_diag_warning(diag, place(&source, "a"), "first");
    fig_diag_error(diag, (FigSpan){0}, "no place");
    for (int i = 0; i < FIG_LIMIT_ERRORS; i++)
        fig_diag_error(diag, place(&source, "c"), "again");
    g_autoptr(GString) out = g_string_new(NULL);
    fig_diag_print(diag, out, false);
    g_assert_true(
        g_str_has_prefix(out->str, "error: no place\na.yaml:3:1: error: third\n"));
    g_assert_true(g_str_has_suffix(out->str, "\n… and 3 more messages\n"));
    g_assert_cmpint(fig_diag_errors(diag), ==, FIG_LIMIT_ERRORS + 2);
    g_assert_cmpint(fig_diag_warnings(diag), ==, 1);
    fig_diag_set_strict(diag, true);
    g_assert_cmpint(fig_diag_errors(diag), ==, FIG_LIMIT_ERRORS + 3);
    g_string_truncate(out, 0);
    fig_diag_print(diag, out, false);
    g_assert_nonnull(strstr(out->str, "a.yaml:1:1: error: first\n"));
}

static void
test_flood_of_warnings(void)
{
    g_autoptr(FigDiag) diag = fig_diag_new();
    for (int i = 0; i < 3 * FIG_LIMIT_ERRORS; i++)
        fig_diag_warning(diag, (FigSpan){0}, "small %d", i);
    fig_diag_error(diag, (FigSpan){0}, "large");
    g_autoptr(GString) out = g_string_new(NULL);
    fig_diag_print(diag, out, false);
    g_assert_true(g_str_has_prefix(out->str, "warning: small 0\n"));
    g_assert_nonnull(
        strstr(out->str, "warning: small 18\nerror: large\n… and 41 more"));
}

static void
test_colour(void)
{
    FigSource source = source_of("a");
    g_autoptr(FigDiag) diag = fig_diag_new();
    fig_diag_error(diag, place(&source, "a"), "red");
    g_autoptr(GString) out = g_string_new(NULL);
    fig_diag_print(diag, out, true);
    g_assert_cmpstr(out->str, ==,
                    "\033[1ma.yaml:1:1:\033[0m \033[1;31merror:\033[0m red\n"
                    "    1 | a\n      | \033[1;31m^\033[0m\n");
}

/* The collector outlives the text it speaks of, and stays small whatever comes. */
static void
test_gone(void)
{
    g_autoptr(FigDiag) diag = fig_diag_new();
    char text[] = "abc\n";
    FigSource source = source_of(text);
    for (int i = 0; i < 5000; i++)
        fig_message_note_at(fig_diag_error(diag, place(&source, "b"), "bad"),
                            place(&source, "c"), "see");
    memset(text, 'x', 3);
    g_autoptr(GString) out = g_string_new(NULL);
    fig_diag_print(diag, out, false);
    g_assert_true(g_str_has_prefix(out->str, "a.yaml:1:2: error: bad\n    1 | abc\n"));
    g_assert_true(g_str_has_suffix(out->str, "\n… and 4980 more messages\n"));
    g_assert_cmpint(fig_diag_errors(diag), ==, 5000);
}

/* A stage that is asked silently passes no collector. */
static void
test_silent(void)
{
    FigMessage *message = fig_diag_error(NULL, (FigSpan){0}, "nobody hears");
    fig_message_note(message, "this");
    fig_message_hint(message, "nor this");
    g_assert_null(message);
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/diag/message", test_message);
    g_test_add_func("/diag/wide", test_wide);
    g_test_add_func("/diag/tabs-and-control", test_tabs_and_control);
    g_test_add_func("/diag/clipped", test_clipped);
    g_test_add_func("/diag/long-line", test_long_line);
    g_test_add_func("/diag/order-and-limit", test_order_and_limit);
    g_test_add_func("/diag/flood-of-warnings", test_flood_of_warnings);
    g_test_add_func("/diag/colour", test_colour);
    g_test_add_func("/diag/gone", test_gone);
    g_test_add_func("/diag/silent", test_silent);
    return g_test_run();
}
