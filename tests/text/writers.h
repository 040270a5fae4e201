/* SPDX-License-Identifier: MIT
 *
 * How tests look at labels as LaTeX and MathML. A tree of MathML is read by expat and put
 * shortly: `msub(mi:W mi~:qkv)`, with a sign for each attribute that changes its look.
 */
#ifndef FIG_TESTS_TEXT_WRITERS_H
#define FIG_TESTS_TEXT_WRITERS_H

#include "text/latex.h"
#include "text/mathml.h"
#include "text/tex.h"
#include "text/text.h"

#include <expat.h>
#include <string.h>

/* ---- LaTeX ---- */

/* No command but those of the writer, braces that close, dollars in pairs. */
static G_GNUC_UNUSED void
assert_inert(const char *latex)
{
    static const char *const known[] = {"textbackslash",  "textasciicircum",
                                        "textasciitilde", "textasciigrave",
                                        "textless",       "textgreater",
                                        "textbar",        "symbol",
                                        "mathit",         "mathrm",
                                        "mbox",           "mathop",
                                        "nolimits",       "mathopen",
                                        "mathclose",      "sqrt",
                                        "frac",           "left",
                                        "right",          "quad",
                                        "qquad",          "surd"};
    g_auto(GStrv) commands = fig_tex_commands();
    int depth = 0, dollars = 0;
    for (const char *c = latex; *c; c++) {
        depth += *c == '{' ? 1 : *c == '}' ? -1 : 0;
        dollars += *c == '$';
        g_assert_cmpint(depth, >=, 0);
        g_assert_null(strchr("%#&~\"`\n", *c));
        if (*c != '\\')
            continue;
        size_t length = 0;
        while (g_ascii_isalpha(c[1 + length]))
            length++;
        g_autofree char *name = g_strndup(c + 1, length);
        g_autofree char *full = g_strconcat("\\", name, NULL);
        bool ours = length == 0 && c[1] && strchr("{}$&#_%,:;! |", c[1]);
        for (size_t i = 0; i < G_N_ELEMENTS(known); i++)
            ours = ours || !strcmp(name, known[i]);
        if (!ours && !(length && g_strv_contains((const char *const *)commands, full)))
            g_error("‘\\%s’ in ‘%s’", length ? name : (char[]){c[1], 0}, latex);
        c += MAX(length, 1);
    }
    g_assert_cmpint(depth, ==, 0);
    g_assert_cmpint(dollars % 2, ==, 0);
}

/* Back through our own parser, after what it does not know has been put as it does: the same
 * label in Unicode. */
static G_GNUC_UNUSED void
assert_latex(const char *source)
{
    static const char *const other[][2] = {{"\\mathit", ""},
                                           {"f{}f", "ff"},
                                           {"f{}i", "fi"},
                                           {"f{}l", "fl"},
                                           {"\\mbox{-}", "-"},
                                           {"{}_", "_"},
                                           {"{}^", "^"},
                                           {"\\mathopen{|}", "\\lvert "},
                                           {"\\mathclose{|}", "\\rvert "}};
    g_autofree char *latex = fig_text_latex(source);
    g_autoptr(GString) again = g_string_new(latex);
    assert_inert(latex);
    for (size_t i = 0; i < G_N_ELEMENTS(other); i++)
        g_string_replace(again, other[i][0], other[i][1], 0);
    g_autofree char *meant = fig_text_plain(source);
    g_autofree char *said = fig_text_plain(again->str);
    g_assert_cmpstr(said, ==, meant);
}

/* ---- MathML ---- */

typedef struct Tree {
    GString *out, *text;
    int depth;
    bool opened; /* an element that has no child yet */
} Tree;

static G_GNUC_UNUSED void
start(void *data, const char *name, const char **attributes)
{
    Tree *tree = data;
    if (tree->depth++ == 0)
        return;
    g_string_append_printf(tree->out, "%s%s",
                           tree->opened || !tree->out->len ? "" : " ", name);
    for (const char **a = attributes; *a; a += 2)
        if (!strcmp(a[0], "form")) {
            g_assert_true(!strcmp(a[1], "prefix") || !strcmp(a[1], "infix") ||
                          !strcmp(a[1], "postfix"));
        } else if (!strcmp(a[0], "stretchy")) {
            g_string_append(tree->out, !strcmp(a[1], "true") ? "+" : "");
        } else if (!strcmp(a[0], "lspace")) {
            g_assert_cmpstr(a[1], ==, "0");
            g_string_append(tree->out, "!");
        } else if (!strcmp(a[0], "mathvariant")) {
            g_assert_cmpstr(a[1], ==, "normal");
            g_string_append(tree->out, "|");
        } else if (!strcmp(a[0], "style")) {
            g_assert_cmpstr(a[1], ==, "font-style:italic");
            g_string_append(tree->out, "~");
        } else if (!strcmp(a[0], "width")) {
            g_string_append_printf(tree->out, "=%s", a[1]);
        } else {
            g_assert_cmpstr(a[0], ==, "rspace");
        }
    bool leaf = !strcmp(name, "mi") || !strcmp(name, "mo") || !strcmp(name, "mn") ||
                !strcmp(name, "mtext");
    g_string_append_c(tree->out, leaf ? ':' : '(');
    tree->opened = !leaf;
}

static G_GNUC_UNUSED void
end(void *data, const char *name)
{
    Tree *tree = data;
    bool leaf = !strcmp(name, "mi") || !strcmp(name, "mo") || !strcmp(name, "mn") ||
                !strcmp(name, "mtext");
    tree->opened = false;
    if (--tree->depth > 0 && !leaf)
        g_string_append_c(tree->out, ')');
}

static G_GNUC_UNUSED void
characters(void *data, const char *text, int length)
{
    Tree *tree = data;
    tree->opened = false;
    g_string_append_len(tree->out, text, length);
    g_string_append_len(tree->text, text, length);
}

/* owns the caller; *text is what it says without its tags */
static G_GNUC_UNUSED char *
tree_of(const char *source, char **text)
{
    g_autofree char *mathml = fig_text_mathml(source);
    g_autofree char *document = g_strdup_printf("<p>%s</p>", mathml);
    Tree tree = {g_string_new(NULL), g_string_new(NULL), 0, false};
    XML_Parser parser = XML_ParserCreate("UTF-8");
    XML_SetUserData(parser, &tree);
    XML_SetElementHandler(parser, start, end);
    XML_SetCharacterDataHandler(parser, characters);
    if (XML_Parse(parser, document, (int)strlen(document), 1) != XML_STATUS_OK)
        g_error("%s: %s", XML_ErrorString(XML_GetErrorCode(parser)), document);
    XML_ParserFree(parser);
    char *said = g_string_free(tree.text, FALSE);
    if (text)
        *text = said;
    else
        g_free(said);
    return g_string_free(tree.out, FALSE);
}

/* What a label says without the signs that stand for structure. */
static G_GNUC_UNUSED char *
letters(const char *text)
{
    GString *out = g_string_new(NULL);
    for (const char *c = text; *c; c = g_utf8_next_char(c)) {
        gunichar character = g_utf8_get_char(c);
        static const gunichar above[] = {0x2070, 0xb9,   0xb2,   0xb3,   0x2074,
                                         0x2075, 0x2076, 0x2077, 0x2078, 0x2079};
        for (gunichar d = 0; d < G_N_ELEMENTS(above); d++)
            if (character == above[d])
                character = '0' + d;
        character = character == 0x207b   ? 0x2212
                    : character == 0x207a ? '+'
                                          : character;
        character = character == 0x1d40 ? 0x22a4 : character;
        if (!(character < 0x80 && strchr(" _^()/", (int)character)) &&
            character != 0x221a)
            g_string_append_unichar(out, character);
    }
    return g_string_free(out, FALSE);
}

/* Children that MathML wants a number of have it. */
static G_GNUC_UNUSED void
assert_arity(const char *tree)
{
    static const struct {
        const char *name;
        int children;
    } wanted[] = {{"msub(", 2}, {"msup(", 2}, {"msubsup(", 3}, {"mfrac(", 2}};
    for (size_t i = 0; i < G_N_ELEMENTS(wanted); i++)
        for (const char *at = tree; (at = strstr(at, wanted[i].name)); at++) {
            int depth = 0, children = 1;
            if (at > tree && g_ascii_isalpha(at[-1]))
                continue;
            for (const char *c = at + strlen(wanted[i].name); depth >= 0; c++) {
                g_assert_true(*c);
                if (*c == ':') { /* a leaf holds one character at least, of any kind */
                    c = g_utf8_next_char(c + 1) - 1;
                    continue;
                }
                depth += *c == '(' ? 1 : *c == ')' ? -1 : 0;
                children += depth == 0 && *c == ' ';
            }
            g_assert_cmpint(children, ==, wanted[i].children);
        }
}

/* Well-formed, each element with its children, and with the letters of the label. */
static G_GNUC_UNUSED void
assert_mathml(const char *source)
{
    g_autofree char *text = NULL;
    g_autofree char *tree = tree_of(source, &text);
    g_autofree char *plain = fig_text_plain(source);
    g_autofree char *wanted = letters(plain);
    g_autofree char *said = letters(text);
    g_assert_cmpstr(said, ==, wanted);
    assert_arity(tree);
}

#endif
