/* SPDX-License-Identifier: MIT
 *
 * A label as LaTeX. The tree is written out again rather than passed through: what a person
 * typed may lean on our own reading (a word in a script, · for \cdot, a bracket that is
 * none), and hostile text must be inert.
 *
 * Words of more than one letter are \mathit, whose letters stand as close as in text, with
 * {} between those that would become a ligature.
 */
#include "text/latex.h"

#include "base/xml.h"
#include "text/tex.h"

#include <string.h>

static void write_list(GString *out, const FigTex *list, bool script);

/* ---- words ---- */

/* What stands for a character in words; NULL: itself. For - ' and , only where they would
 * join with their like. */
static const char *
word_escape(gunichar c)
{
    static const struct {
        char c;
        const char *text;
    } escapes[] = {
        {'\\', "\\textbackslash{}"},
        {'{', "\\{"},
        {'}', "\\}"},
        {'$', "\\$"},
        {'&', "\\&"},
        {'#', "\\#"},
        {'^', "\\textasciicircum{}"},
        {'_', "\\_"},
        {'~', "\\textasciitilde{}"},
        {'%', "\\%"},
        {'<', "\\textless{}"},
        {'>', "\\textgreater{}"},
        {'|', "\\textbar{}"},
        {'"', "\\symbol{34}"},
        {'`', "\\textasciigrave{}"},
        {'\'', "'{}"},
        {'-', "-{}"},
        {',', ",{}"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(escapes); i++)
        if (c == (guchar)escapes[i].c)
            return escapes[i].text;
    return NULL;
}

/* A superior or inferior figure or sign of Unicode as one on the line, and the script it
 * is; '\0': none. */
static char
script_figure(gunichar c, char *script)
{
    static const struct {
        gunichar c;
        char on_line;
    } superior[] = {{0xb2, '2'}, {0xb3, '3'}, {0xb9, '1'}};
    static const char on_line[] = "0123456789+-";
    *script = '^';
    for (size_t i = 0; i < G_N_ELEMENTS(superior); i++)
        if (c == superior[i].c)
            return superior[i].on_line;
    if (c >= 0x2080 && c <= 0x208b) {
        *script = '_';
        return on_line[c - 0x2080];
    }
    if (c == 0x2070 || (c >= 0x2074 && c <= 0x207b))
        return on_line[c - 0x2070];
    return '\0';
}

/* A sign of formulas among words, as a formula; false: it is none. */
static bool
write_strange(GString *out, const char *text, size_t length)
{
    g_autofree char *sign = g_strndup(text, length);
    gunichar c = g_utf8_get_char(sign);
    bool command;
    char script, figure = script_figure(c, &script);
    if (figure) {
        g_string_append_printf(out, "$%c{%c}$", script, figure);
        return true;
    }
    if (c == 0x2032 || c == 0x2033 || c == 0x221a) {
        g_string_append(out, c == 0x2032 ? "$'$" : c == 0x2033 ? "$''$" : "$\\surd$");
        return true;
    }
    const FigTexSymbol *symbol = fig_tex_sign(sign, FIG_ATOM_ORD, &command);
    if (!symbol)
        return false;
    g_string_append_printf(out, command ? "$\\%s$" : "$%s$", symbol->name);
    return true;
}

static void
write_words(GString *out, const char *words)
{
    for (const char *c = words, *next; *c; c = next) {
        next = g_utf8_next_char(c);
        gunichar character = g_utf8_get_char(c);
        const char *escape = word_escape(character);
        bool joins = *c == '-' || *c == '\'' || *c == ','; /* with its like */
        if (g_unichar_iscntrl(character))
            g_string_append_c(out, ' ');
        else if (fig_xml_deceives(character))
            continue;
        else if (escape && (!joins || *next == *c))
            g_string_append(out, escape);
        else if (character < 0x80 || !write_strange(out, c, (size_t)(next - c)))
            g_string_append_len(out, c, next - c);
    }
}

/* ---- formulas ---- */

/* Italic letters of a word, none joined. */
static void
write_italic(GString *out, const char *word)
{
    g_string_append(out, "\\mathit{");
    for (const char *c = word; *c; c++) {
        if (c > word && c[-1] == 'f' && strchr("fil", *c))
            g_string_append(out, "{}");
        g_string_append_c(out, *c);
    }
    g_string_append_c(out, '}');
}

/* Characters that TeX would read in its own way in \mathrm stand in boxes of text. */
static void
write_roman(GString *out, const char *text)
{
    g_string_append(out, "\\mathrm{");
    for (const char *c = text, *next; *c; c = next) {
        next = g_utf8_next_char(c);
        g_autofree char *one = g_strndup(c, (gsize)(next - c));
        if (g_ascii_isalnum(*c)) {
            g_string_append(out, one);
        } else if (*c == ' ') {
            g_string_append(out, "\\ ");
        } else {
            g_string_append(out, "\\mbox{");
            write_words(out, one);
            g_string_append_c(out, '}');
        }
    }
    g_string_append_c(out, '}');
}

/* Upright words; a named operator (\log) by its name. */
static void
write_name(GString *out, const FigTex *item)
{
    const FigTexSymbol *known = fig_tex_symbol(item->text, strlen(item->text));
    if (item->atom != FIG_ATOM_OP) {
        write_roman(out, item->text);
    } else if (known && !known->text) {
        g_string_append_printf(out, "\\%s ", known->name);
    } else {
        g_string_append(out, "\\mathop{");
        write_roman(out, item->text);
        g_string_append(out, "}\\nolimits ");
    }
}

/* One sign; commands end in a space, so that a letter may follow. */
static void
write_sign(GString *out, const FigTex *item)
{
    bool command;
    const FigTexSymbol *symbol = fig_tex_sign(item->text, item->atom, &command);
    bool bar = !strcmp(item->text, "|") || !strcmp(item->text, "‖");
    if (bar && (item->atom == FIG_ATOM_OPEN || item->atom == FIG_ATOM_CLOSE))
        g_string_append_printf(out, "\\math%s{%s|}",
                               item->atom == FIG_ATOM_OPEN ? "open" : "close",
                               *item->text == '|' ? "" : "\\");
    else if (symbol && command)
        g_string_append_printf(out, g_ascii_isalpha(*symbol->name) ? "\\%s " : "\\%s",
                               symbol->name);
    else if (symbol)
        g_string_append(out, symbol->name);
    else if (strspn(item->text, "0123456789./") == strlen(item->text))
        g_string_append(out, item->text);
    else
        write_roman(out, item->text);
}

static void
write_space(GString *out, double mu)
{
    static const struct {
        int mu;
        const char *text;
    } spaces[] = {{3, "\\,"}, {4, "\\:"},      {5, "\\;"},      {-3, "\\!"},
                  {6, "\\ "}, {18, "\\quad "}, {36, "\\qquad "}};
    for (size_t i = 0; i < G_N_ELEMENTS(spaces); i++)
        if ((int)mu == spaces[i].mu)
            g_string_append(out, spaces[i].text);
}

static void
write_bracket(GString *out, const char *side, const char *sign)
{
    bool command;
    const FigTexSymbol *symbol =
        fig_tex_sign(sign, *side == 'l' ? FIG_ATOM_OPEN : FIG_ATOM_CLOSE, &command);
    g_string_append_printf(out, "\\%s", side);
    if (!*sign)
        g_string_append_c(out, '.');
    else if (!strcmp(sign, "|") || !strcmp(sign, "‖"))
        g_string_append(out, *sign == '|' ? "|" : "\\|");
    else if (symbol && command)
        g_string_append_printf(out, g_ascii_isalpha(*symbol->name) ? "\\%s " : "\\%s",
                               symbol->name);
    else
        g_string_append(out, sign);
}

static void
write_braces(GString *out, const FigTex *list, bool script)
{
    g_string_append_c(out, '{');
    write_list(out, list, script);
    g_string_append_c(out, '}');
}

static void
write_nucleus(GString *out, const FigTex *item, bool script)
{
    switch (item->kind) {
    case FIG_TEX_NOTHING:
        g_string_append(out, "{}");
        break;
    case FIG_TEX_LETTER:
        g_string_append(out, item->text);
        break;
    case FIG_TEX_SYMBOL:
        write_sign(out, item);
        break;
    case FIG_TEX_ROMAN:
        write_name(out, item);
        break;
    case FIG_TEX_SPACE:
        write_space(out, item->mu);
        break;
    case FIG_TEX_LIST:
        write_braces(out, item->inner, script);
        break;
    case FIG_TEX_SQRT:
        g_string_append(out, "\\sqrt");
        write_braces(out, item->inner, script);
        break;
    case FIG_TEX_FRAC:
        g_string_append(out, "\\frac");
        write_braces(out, item->inner, true);
        write_braces(out, item->under, true);
        break;
    case FIG_TEX_FENCE:
        write_bracket(out, "left", item->text);
        write_list(out, item->inner, script);
        write_bracket(out, "right", item->right);
        break;
    }
}

static void
write_list(GString *out, const FigTex *list, bool script)
{
    for (const FigTex *item = list; item; item = item->next) {
        g_autoptr(GString) word = g_string_new(NULL);
        if (script && item->kind == FIG_TEX_LETTER)
            item = fig_tex_word(item, word);
        if (word->len > 1)
            write_italic(out, word->str);
        else
            write_nucleus(out, item, script);
        for (int i = 0; i < item->primes; i++)
            g_string_append_c(out, '\'');
        if (item->sub) {
            g_string_append_c(out, '_');
            write_braces(out, item->sub, true);
        }
        if (item->sup) {
            g_string_append_c(out, '^');
            write_braces(out, item->sup, true);
        }
    }
}

void
fig_tex_latex(GString *out, const FigTex *list)
{
    write_list(out, list, false);
}

char *
fig_text_latex(const char *source)
{
    g_autoptr(FigArena) arena = fig_arena_new();
    GString *out = g_string_new(NULL);
    FigTexPiece *pieces;
    if (!fig_tex_label(arena, source, (FigSpan){0}, NULL, &pieces)) {
        g_autofree char *valid = g_utf8_make_valid(source, -1);
        write_words(out, valid);
        return g_string_free(out, FALSE);
    }
    for (const FigTexPiece *piece = pieces; piece; piece = piece->next) {
        if (piece->words) {
            write_words(out, piece->words);
        } else if (piece->math) {
            g_string_append_c(out, '$');
            write_list(out, piece->math, false);
            g_string_append_c(out, '$');
        }
    }
    return g_string_free(out, FALSE);
}
