/* SPDX-License-Identifier: MIT
 *
 * A label in Markdown. A formula is LaTeX without what Markdown takes for its own: a
 * backslash before a sign is an escape there and never reaches MathJax, `|` ends a cell of
 * a table. A dollar sign opens a formula only behind a space or a bracket, so a word that
 * touches a formula is set in it: "RMSNorm$_q$" is $\mathrm{RMSNorm}_q$.
 */
#include "text/markdown.h"

#include "base/xml.h"
#include "text/tex.h"

#include <string.h>

/* What stands for a character in words; NULL: itself. */
static const char *
escape(gunichar c)
{
    static const struct {
        char c;
        const char *text;
    } escapes[] = {
        {'&', "&amp;"}, {'<', "&lt;"},  {'>', "&gt;"}, {'$', "&#36;"}, {'|', "&#124;"},
        {'@', "&#64;"}, {'\\', "\\\\"}, {'`', "\\`"},  {'*', "\\*"},   {'_', "\\_"},
        {'[', "\\["},   {']', "\\]"},   {'~', "\\~"},  {'#', "\\#"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(escapes); i++)
        if (c == (guchar)escapes[i].c)
            return escapes[i].text;
    return NULL;
}

static void
append_words(GString *out, const char *words, size_t length)
{
    for (const char *c = words; c < words + length; c = g_utf8_next_char(c)) {
        gunichar character = g_utf8_get_char(c);
        const char *text = escape(character);
        if (g_unichar_iscntrl(character))
            g_string_append_c(out, ' ');
        else if (text)
            g_string_append(out, text);
        else if (!fig_xml_deceives(character))
            g_string_append_unichar(out, character);
    }
}

/* Commands for what is a backslash and a sign, and for a bar. */
static void
append_math(GString *out, const char *latex)
{
    static const struct {
        const char *sign, *command;
    } commands[] = {
        {"\\,", "\\thinspace "},  {"\\:", "\\medspace "},
        {"\\;", "\\thickspace "}, {"\\!", "\\negthinspace "},
        {"\\{", "\\lbrace "},     {"\\}", "\\rbrace "},
        {"\\|", "\\Vert "},       {"|", "\\vert "},
        {"<", "\\lt "},           {">", "\\gt "},
        {"\\_", "\\char95 "},     {"\\&", "\\char38 "},
        {"\\#", "\\char35 "},     {"\\%", "\\char37 "},
        {"\\$", "\\char36 "},
    };
    for (const char *c = latex; *c;) {
        size_t i = 0;
        while (i < G_N_ELEMENTS(commands) && !g_str_has_prefix(c, commands[i].sign))
            i++;
        if (i < G_N_ELEMENTS(commands)) {
            g_string_append(out, commands[i].command);
            c += strlen(commands[i].sign);
        } else {
            g_string_append_c(out, *c++);
        }
    }
}

/* Letters and digits of words that touch a formula: at their start, at their end. */
static size_t
head(const char *words)
{
    size_t n = 0;
    while (g_ascii_isalnum(words[n]))
        n++;
    return n;
}

static size_t
tail(const char *words)
{
    size_t length = strlen(words), n = 0;
    while (n < length && g_ascii_isalnum(words[length - n - 1]))
        n++;
    return n;
}

static void
append_roman(GString *out, const char *word, size_t length)
{
    if (length)
        g_string_append_printf(out, "\\mathrm{%.*s}", (int)length, word);
}

/* Words, behind a formula that is still open; is one open after them? */
static bool
append_piece(GString *out, const FigTexPiece *piece, bool open)
{
    const char *words = piece->words;
    bool opens = piece->next && piece->next->math;
    size_t length = strlen(words), first = open ? head(words) : 0;
    append_roman(out, words, first);
    if (open && opens && first == length)
        return true; /* one word between two formulas: they are one */
    if (open)
        g_string_append_c(out, '$');
    size_t last = opens ? tail(words + first) : 0;
    append_words(out, words + first, length - first - last);
    if (opens) {
        g_string_append_c(out, '$');
        append_roman(out, words + length - last, last);
    }
    return opens;
}

char *
fig_text_markdown(const char *source)
{
    g_autoptr(FigArena) arena = fig_arena_new();
    GString *out = g_string_new(NULL);
    FigTexPiece *pieces;
    if (!fig_tex_label(arena, source, (FigSpan){0}, NULL, &pieces)) {
        g_autofree char *valid = g_utf8_make_valid(source, -1);
        append_words(out, valid, strlen(valid));
        return g_string_free(out, FALSE);
    }
    bool open = false;
    for (const FigTexPiece *piece = pieces; piece; piece = piece->next) {
        if (piece->words) {
            open = append_piece(out, piece, open);
        } else if (piece->math) {
            g_autoptr(GString) latex = g_string_new(NULL);
            fig_tex_latex(latex, piece->math);
            g_string_append(out, open ? "" : "$");
            append_math(out,
                        g_strchomp(latex->str)); /* no space before the closing sign */
            open = true;
        }
    }
    g_string_append(out, open ? "$" : "");
    return g_string_free(out, FALSE);
}
