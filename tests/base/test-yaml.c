/* SPDX-License-Identifier: MIT
 *
 * YAML as nodes: what is read, where it stands, and every refusal with its exact words.
 */
#include "base/yaml.h"

#include "base/limit.h"

#include <string.h>

typedef struct Result {
    FigArena *arena;
    FigDiag *diag;
    FigSource source;
    FigYaml *root;
} Result;

static Result *
read_bytes(const char *text, size_t length)
{
    Result *result = g_new0(Result, 1);
    result->arena = fig_arena_new();
    result->diag = fig_diag_new();
    result->source = (FigSource){"a.yaml", text, length};
    result->root = fig_yaml_read(&result->source, result->arena, result->diag);
    g_assert_true((result->root == NULL) == (fig_diag_errors(result->diag) > 0));
    return result;
}

static void
result_free(Result *result)
{
    fig_arena_free(result->arena);
    fig_diag_free(result->diag);
    g_free(result);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC(Result, result_free)

static Result *
read_text(const char *text)
{
    return read_bytes(text, strlen(text));
}

static void
check_refused_bytes(const char *text, size_t length, const char *wanted)
{
    g_autoptr(Result) result = read_bytes(text, length);
    g_autoptr(GString) out = g_string_new(NULL);
    fig_diag_print(result->diag, out, false);
    g_assert_cmpstr(out->str, ==, wanted);
}

static void
check_refused(const char *text, const char *wanted)
{
    check_refused_bytes(text, strlen(text), wanted);
}

static void
check_place(FigSpan span, int line, int column, const char *words)
{
    g_assert_cmpint(span.line, ==, line);
    g_assert_cmpint(span.column, ==, column);
    g_autofree char *found = g_strndup(span.source->text + span.offset, span.length);
    g_assert_cmpstr(found, ==, words);
}

static void
test_nodes(void)
{
    g_autoptr(Result) result = read_text("# a comment\n"
                                         "name: olmo  # and one more\n"
                                         "é: {注意: \"a\\\\b\", 'it''s': 'x y'}\n"
                                         "ops:\n"
                                         "  - [q, k]\n"
                                         "  -\n"
                                         "say: |\n"
                                         "  two\n"
                                         "  lines\n"
                                         "long: one\n"
                                         "  two\n");
    FigYaml *root = result->root;
    g_assert_cmpint(root->kind, ==, FIG_YAML_MAP);
    g_assert_cmpint(root->count, ==, 5);
    check_place(root->span, 2, 1, "name: olmo  # and one more");
    FigYaml *name = fig_yaml_lookup(root, "name");
    g_assert_cmpstr(name->text, ==, "olmo");
    g_assert_true(name->verbatim && !name->quoted);
    check_place(name->span, 2, 7, "olmo");
    FigYaml *map = fig_yaml_lookup(root, "é");
    check_place(map->span, 3, 4, "{注意: \"a\\\\b\", 'it''s': 'x y'}");
    check_place(map->keys[0]->span, 3, 5, "注意");
    check_place(map->items[0]->span, 3, 9, "\"a\\\\b\"");
    g_assert_cmpstr(map->items[0]->text, ==, "a\\b");
    g_assert_true(map->items[0]->quoted && !map->items[0]->verbatim);
    check_place(fig_yaml_span(map->items[0], 1, 1), 3, 9, "\"a\\\\b\"");
    g_assert_cmpstr(map->keys[1]->text, ==, "it's");
    FigYaml *quoted = map->items[1];
    g_assert_true(quoted->verbatim);
    g_assert_cmpuint(quoted->lead, ==, 1);
    check_place(fig_yaml_span(quoted, 2, 1), 3, 29, "y");
    FigYaml *ops = fig_yaml_lookup(root, "ops");
    g_assert_cmpint(ops->kind, ==, FIG_YAML_LIST);
    check_place(ops->span, 5, 3, "- [q, k]");
    check_place(ops->items[0]->items[1]->span, 5, 9, "k");
    g_assert_cmpstr(ops->items[1]->text, ==, "");
    g_assert_cmpstr(fig_yaml_lookup(root, "say")->text, ==, "two\nlines\n");
    g_assert_cmpstr(fig_yaml_lookup(root, "long")->text, ==, "one two");
    g_assert_false(fig_yaml_lookup(root, "long")->verbatim);
    g_assert_null(fig_yaml_lookup(root, "nothing"));
    g_assert_null(fig_yaml_lookup(name, "nothing"));
}

static void
test_mark_and_lines(void)
{
    g_autoptr(Result) result = read_text("\xef\xbb\xbf"
                                         "a: b\r\nc: d\r\n");
    g_assert_nonnull(result->root);
    check_place(fig_yaml_lookup(result->root, "c")->span, 2, 4, "d");
}

static void
test_alias(void)
{
    g_autoptr(Result) result = read_text("a: &x [1, 2]\nb: *x\n");
    g_assert_nonnull(result->root);
    g_assert_true(result->root->items[0] == result->root->items[1]);
    check_refused("a: *x\n",
                  "a.yaml:1:4: error: there is no anchor ‘&x’ before this alias\n"
                  "    1 | a: *x\n"
                  "      |    ^^\n");
    check_refused("a: &x [*x]\n",
                  "a.yaml:1:8: error: there is no anchor ‘&x’ before this alias\n"
                  "    1 | a: &x [*x]\n"
                  "      |        ^^\n");
}

static void
test_copy(void)
{
    g_autoptr(Result) result = read_text("a: &x [1, 2]\nb: *x\nc: {d: [3]}\n");
    FigYaml *copy = fig_yaml_copy(result->root, result->arena);
    const FigYaml *first = result->root;
    g_assert_cmpint(copy->count, ==, 3);
    g_assert_true(copy->items[0] == copy->items[1]);
    g_assert_true(copy->items[0] != first->items[0]);
    FigYaml *c = fig_yaml_lookup(copy, "c");
    check_place(c->keys[0]->span, 3, 5, "d");
    copy->items[0]->items[0]->text = "4";
    c->items[0]->items[0] = copy->items[0]->items[1];
    g_assert_cmpstr(first->items[1]->items[0]->text, ==, "1");
    g_assert_cmpstr(fig_yaml_lookup(first, "c")->items[0]->items[0]->text, ==, "3");
}

static void
test_abuse(void)
{
    /* 200 KB of brackets end at the cap, not in libyaml's quadratic scan */
    g_autofree char *brackets = g_strnfill(200000, '[');
    gint64 start = g_get_monotonic_time();
    g_autoptr(Result) deep = read_text(brackets);
    g_assert_null(deep->root);
    g_assert_cmpint(g_get_monotonic_time() - start, <, G_USEC_PER_SEC / 2);
    g_autoptr(GString) out = g_string_new(NULL);
    fig_diag_print(deep->diag, out, false);
    g_assert_true(g_str_has_prefix(
        out->str, "a.yaml:1:66: error: nested too deep (the limit is 64)\n"));
    g_assert_cmpint(fig_diag_errors(deep->diag), ==, 1);

    g_autoptr(GString) bomb = g_string_new("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for (int i = 1; i < 10; i++) {
        g_string_append_printf(bomb, "a%d: &a%d [", i, i);
        for (int k = 0; k < 10; k++)
            g_string_append_printf(bomb, "%s*a%d", k ? ", " : "", i - 1);
        g_string_append(bomb, "]\n");
    }
    g_autoptr(Result) many = read_text(bomb->str);
    g_assert_null(many->root);
    g_string_truncate(out, 0);
    fig_diag_print(many->diag, out, false);
    g_assert_nonnull(strstr(out->str,
                            "error: too many nodes, each alias counted as often as "
                            "it is used (the limit is 1048576)\n"));
    g_assert_cmpint(fig_diag_errors(many->diag), ==, 1);

    /* aliases cannot build what brackets may not */
    g_autoptr(GString) tower = g_string_new("b0: &b0 [x]\n");
    for (int i = 1; i < 80; i++)
        g_string_append_printf(tower, "b%d: &b%d [*b%d]\n", i, i, i - 1);
    g_autoptr(Result) high = read_text(tower->str);
    g_assert_null(high->root);
    g_assert_cmpint(fig_diag_errors(high->diag), ==, 1);

    g_autofree char *word = g_strnfill(FIG_LIMIT_SCALAR + 1, 'x');
    g_autoptr(Result) large = read_text(word);
    g_string_truncate(out, 0);
    fig_diag_print(large->diag, out, false);
    g_assert_true(g_str_has_prefix(
        out->str,
        "a.yaml:1:1: error: this text is too long in bytes (the limit is 65536)\n"));

    g_autofree char *file = g_strnfill(FIG_LIMIT_FILE + 1, '#');
    g_autoptr(Result) huge = read_text(file);
    g_assert_null(huge->root);
}

static void
test_no_text(void)
{
    check_refused("", "a.yaml:1:1: error: the file is empty\n    1 | \n      | ^\n");
    check_refused("# only this\n", "a.yaml:1:1: error: the file is empty\n"
                                   "    1 | # only this\n      | ^\n");
    check_refused("---\n",
                  "a.yaml:1:1: error: the file is empty\n    1 | ---\n      | ^\n");
    check_refused_bytes("a: b\0c", 6,
                        "a.yaml:1:5: error: this is no text: a NUL\n"
                        "    1 | a: b\xef\xbf\xbd"
                        "c\n"
                        "      |     ^\n");
    check_refused("a: \x89PNG", "a.yaml:1:4: error: this is not UTF-8: the byte 0x89\n"
                                "    1 | a: \xef\xbf\xbdPNG\n"
                                "      |    ^\n");
    check_refused("a: \x1b[2J",
                  "a.yaml:1:4: error: this is no text: the control character 0x1b\n"
                  "    1 | a: \xef\xbf\xbd[2J\n"
                  "      |    ^\n");
    check_refused("a: b\n---\nc: d\n",
                  "a.yaml:2:1: error: a second document starts here; a file holds one\n"
                  "    2 | ---\n"
                  "      | ^^^\n");
}

static void
test_duplicates(void)
{
    check_refused("C: 1\nH: 2\nC: 3\n", "a.yaml:3:1: error: the key ‘C’ stands twice\n"
                                        "    3 | C: 3\n"
                                        "      | ^\n"
                                        "a.yaml:1:1: note: here it is first\n"
                                        "    1 | C: 1\n"
                                        "      | ^\n");
    check_refused("{a: 1, \"a\": 2}", "a.yaml:1:8: error: the key ‘a’ stands twice\n"
                                      "    1 | {a: 1, \"a\": 2}\n"
                                      "      |        ^^^\n"
                                      "a.yaml:1:2: note: here it is first\n"
                                      "    1 | {a: 1, \"a\": 2}\n"
                                      "      |  ^\n");
    check_refused("? [a]\n: b\n", "a.yaml:1:3: error: a key must be a word\n"
                                  "    1 | ? [a]\n"
                                  "      |   ^^^\n");
    check_refused("a: !!int 5\n", "a.yaml:1:4: error: a YAML tag means nothing here\n"
                                  "    1 | a: !!int 5\n"
                                  "      |    ^^^^^\n");
}

static void
test_traps(void)
{
    check_refused(
        "h_ff: {is: ceil(8*C/3, 64), what: width}\n",
        "a.yaml:1:22: error: this comma ends the unquoted value ‘ceil(8*C/3’\n"
        "    1 | h_ff: {is: ceil(8*C/3, 64), what: width}\n"
        "      |                      ^\n"
        "      = hint: in quotes it is one value: \"ceil(8*C/3, 64)\"\n");
    check_refused("label: \"\\theta\"\n",
                  "a.yaml:1:9: error: ‘\\t’ in double quotes is a TAB\n"
                  "    1 | label: \"\\theta\"\n"
                  "      |         ^^^^^^\n"
                  "      = hint: single quotes keep a backslash as it is: '\\theta'\n");
    check_refused("label: \"$\\frac{a}{b}$\"\n",
                  "a.yaml:1:10: error: ‘\\f’ in double quotes is a form feed\n"
                  "    1 | label: \"$\\frac{a}{b}$\"\n"
                  "      |          ^^^^^\n"
                  "      = hint: single quotes keep a backslash as it is: '\\frac'\n");
    check_refused(
        "label: \"a \\lambda\"\n",
        "a.yaml:1:11: error: ‘\\l’ is no escape of double quotes\n"
        "    1 | label: \"a \\lambda\"\n"
        "      |           ^^^^^^^\n"
        "      = hint: single quotes keep a backslash as it is: '\\lambda'\n");
    check_refused("label: \"\\xi\"\n",
                  "a.yaml:1:9: error: ‘\\x’ is no escape of double quotes\n"
                  "    1 | label: \"\\xi\"\n"
                  "      |         ^^^\n"
                  "      = hint: single quotes keep a backslash as it is: '\\xi'\n");
    check_refused(
        "say: OLMo 2: norm after\n",
        "a.yaml:1:12: error: ‘: ’ inside unquoted text starts a map in the map\n"
        "    1 | say: OLMo 2: norm after\n"
        "      |            ^\n"
        "      = hint: put the text in quotes\n");
    check_refused(
        "{say: OLMo 2: norm after}\n",
        "a.yaml:1:13: error: ‘: ’ inside unquoted text starts a map in the map\n"
        "    1 | {say: OLMo 2: norm after}\n"
        "      |             ^\n"
        "      = hint: put the text in quotes\n");
    check_refused("{label: W_{q}}\n",
                  "a.yaml:1:11: error: ‘{’ ends an unquoted text inside {…} or […]\n"
                  "    1 | {label: W_{q}}\n"
                  "      |           ^\n"
                  "      = hint: put the text in single quotes\n");
    check_refused(
        "say: block #1 of 3\n",
        "a.yaml:1:12: error: ‘ #’ ends an unquoted text: the rest of the line is a "
        "comment\n"
        "    1 | say: block #1 of 3\n"
        "      |            ^\n"
        "      = hint: put the text in quotes, or a space after ‘#’\n");
    check_refused("a:\n\tb: c\n", "a.yaml:2:1: error: a TAB where spaces indent\n"
                                  "    2 |     b: c\n"
                                  "      | ^^^^\n"
                                  "      = hint: YAML is indented by spaces\n");
    check_refused("say: `code`\n",
                  "a.yaml:1:6: error: ‘`’ cannot begin an unquoted text\n"
                  "    1 | say: `code`\n"
                  "      |      ^\n"
                  "      = hint: put the text in quotes\n");
    check_refused("say: 'open\nb: c\n",
                  "a.yaml:1:6: error: this quote is never closed\n"
                  "    1 | say: 'open\n"
                  "      |      ^\n");
}

/* A wrong file gives a message, whatever it is cut down to. */
static void
test_every_prefix(void)
{
    static const char text[] =
        "opfig: 1\n"
        "dims: {h_ff: {is: \"ceil(8*C/3, 64)\", what: 'it''s'}}\n"
        "ops:\n  - group: a\n    ops: [&x {id: 注, in: [z, *y]}]\n"
        "claims: |\n  folded\n";
    for (size_t n = 0; n < sizeof text; n++) {
        g_autofree char *part = g_strndup(text, n);
        g_autoptr(Result) result = read_text(part);
        g_autoptr(GString) out = g_string_new(NULL);
        fig_diag_print(result->diag, out, false);
        g_assert_true((out->len > 0) == (result->root == NULL));
    }
}

static void
test_keys(void)
{
    g_autoptr(Result) result = read_text("a: {shpe: 1, init: 2}\nb: [1]\n");
    static const char *const keys[] = {"shape", "init", NULL};
    g_assert_false(fig_yaml_check_keys(fig_yaml_lookup(result->root, "a"), keys,
                                       "a weight", result->diag));
    g_assert_false(fig_yaml_check_keys(fig_yaml_lookup(result->root, "b"), keys,
                                       "a weight", result->diag));
    g_autoptr(GString) out = g_string_new(NULL);
    fig_diag_print(result->diag, out, false);
    g_assert_cmpstr(out->str, ==,
                    "a.yaml:1:5: error: a weight has no key ‘shpe’\n"
                    "    1 | a: {shpe: 1, init: 2}\n"
                    "      |     ^^^^\n"
                    "      = note: its keys are shape, init\n"
                    "      = hint: did you mean ‘shape’?\n"
                    "a.yaml:2:4: error: a weight is a map (key: value), not a list\n"
                    "    2 | b: [1]\n"
                    "      |    ^^^\n");
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/yaml/nodes", test_nodes);
    g_test_add_func("/yaml/mark-and-lines", test_mark_and_lines);
    g_test_add_func("/yaml/alias", test_alias);
    g_test_add_func("/yaml/copy", test_copy);
    g_test_add_func("/yaml/abuse", test_abuse);
    g_test_add_func("/yaml/no-text", test_no_text);
    g_test_add_func("/yaml/duplicates", test_duplicates);
    g_test_add_func("/yaml/traps", test_traps);
    g_test_add_func("/yaml/every-prefix", test_every_prefix);
    g_test_add_func("/yaml/keys", test_keys);
    return g_test_run();
}
