/* SPDX-License-Identifier: MIT
 *
 * A label as MathML Core. Browsers decide on spaces and slant by themselves, so the few
 * things in which a figure differs from their defaults are said: Greek is upright, brackets
 * grow only where \left and \right ask for it, a sign that binds nothing keeps no distance,
 * words in scripts are italic words.
 */
#include "text/mathml.h"

#include "base/num.h"
#include "base/xml.h"
#include "text/tex.h"

#include <string.h>

static void write_list(GString *out, const FigTex *list, bool script);

static void
write_element(GString *out, const char *element, const char *attributes,
              const char *text)
{
    g_string_append_printf(out, "<%s%s>", element, attributes);
    fig_escape_text(out, text);
    g_string_append_printf(out, "</%s>", element);
}

static void
write_space(GString *out, double mu)
{
    g_string_append(out, "<mspace width=\"");
    fig_num_fixed(out, mu / 18, 3);
    g_string_append(out, "em\"></mspace>");
}

/* Letters that a browser would slant when they stand alone: Greek, ∂ and ∇. */
static bool
slants(gunichar c)
{
    return (c >= 0x370 && c < 0x400) || c == 0x2202 || c == 0x2207;
}

/* Would this sign relate, bind or bracket if it stood elsewhere? */
static bool
is_sign(const char *text)
{
    bool command;
    const FigTexSymbol *symbol = fig_tex_sign(text, FIG_ATOM_BIN, &command);
    return symbol && symbol->atom != FIG_ATOM_ORD;
}

static void
write_symbol(GString *out, const FigTex *item, bool script)
{
    static const char near[] = " lspace=\"0\" rspace=\"0\"";
    gunichar c = g_utf8_get_char(item->text);
    bool one = !*g_utf8_next_char(item->text);
    bool bar = !strcmp(item->text, "|") || !strcmp(item->text, "‖");
    if (g_ascii_isdigit(c))
        write_element(out, "mn", "", item->text);
    else if (!one)
        write_element(out, "mtext", "", item->text); /* a placeholder */
    else if (item->atom == FIG_ATOM_OPEN)
        write_element(out, "mo", " form=\"prefix\" stretchy=\"false\"", item->text);
    else if (item->atom == FIG_ATOM_CLOSE)
        write_element(out, "mo", " form=\"postfix\" stretchy=\"false\"", item->text);
    else if (bar)
        write_element(out, "mo",
                      item->atom == FIG_ATOM_REL
                          ? " form=\"infix\" stretchy=\"false\""
                          : " stretchy=\"false\" lspace=\"0\" rspace=\"0\"",
                      item->text);
    else if (item->atom != FIG_ATOM_ORD && item->atom != FIG_ATOM_INNER)
        write_element(out, "mo", script ? near : "", item->text); /* as TeX has it */
    else if (g_unichar_isalpha(c) || slants(c))
        write_element(out, "mi", slants(c) ? " mathvariant=\"normal\"" : "",
                      item->text);
    else if (is_sign(item->text) || g_ascii_ispunct(c))
        write_element(out, "mo", near, item->text);
    else
        write_element(out, "mi", "", item->text);
}

/* Upright words. */
static void
write_name(GString *out, const FigTex *item)
{
    bool one = *item->text && !*g_utf8_next_char(item->text);
    if (strchr(item->text, ' '))
        write_element(out, "mtext", "", item->text);
    else
        write_element(out, "mi", one ? " mathvariant=\"normal\"" : "", item->text);
}

static bool
is_operator_name(const FigTex *item)
{
    return item->kind == FIG_TEX_ROMAN && item->atom == FIG_ATOM_OP;
}

/* A list that stands where MathML wants one element. */
static void
write_one(GString *out, const FigTex *list, bool script)
{
    g_autoptr(GString) word = g_string_new(NULL);
    bool is_word = list && list->kind == FIG_TEX_LETTER && !list->sub && !list->sup &&
                   !list->primes && script && !fig_tex_word(list, word)->next;
    bool alone = is_word || (list && !list->next);
    if (!alone)
        g_string_append(out, "<mrow>");
    write_list(out, list, script);
    if (!alone)
        g_string_append(out, "</mrow>");
}

static void
write_bracket(GString *out, const char *form, const char *sign)
{
    g_autofree char *attributes =
        g_strdup_printf(" form=\"%s\" stretchy=\"true\"", form);
    if (*sign)
        write_element(out, "mo", attributes, sign);
}

static void
write_nucleus(GString *out, const FigTex *item, bool script)
{
    switch (item->kind) {
    case FIG_TEX_NOTHING:
        g_string_append(out, "<mrow></mrow>");
        break;
    case FIG_TEX_LETTER:
        write_element(out, "mi", "", item->text);
        break;
    case FIG_TEX_SYMBOL:
        write_symbol(out, item, script);
        break;
    case FIG_TEX_ROMAN:
        write_name(out, item);
        break;
    case FIG_TEX_SPACE:
        write_space(out, item->mu);
        break;
    case FIG_TEX_LIST:
        g_string_append(out, "<mrow>");
        write_list(out, item->inner, script);
        g_string_append(out, "</mrow>");
        break;
    case FIG_TEX_SQRT:
        g_string_append(out, "<msqrt>");
        write_list(out, item->inner, script);
        g_string_append(out, "</msqrt>");
        break;
    case FIG_TEX_FRAC:
        g_string_append(out, "<mfrac>");
        write_one(out, item->inner, true);
        write_one(out, item->under, true);
        g_string_append(out, "</mfrac>");
        break;
    case FIG_TEX_FENCE:
        g_string_append(out, "<mrow>");
        write_bracket(out, "prefix", item->text);
        write_list(out, item->inner, script);
        write_bracket(out, "postfix", item->right);
        g_string_append(out, "</mrow>");
        break;
    }
}

static void
write_primes(GString *out, int primes)
{
    static const char *const signs[] = {"", "′", "″", "‴"};
    g_autoptr(GString) text = g_string_new(NULL);
    for (; primes > 0; primes -= 3)
        g_string_append(text, signs[MIN(primes, 3)]);
    write_element(out, "mo", " lspace=\"0\" rspace=\"0\"", text->str);
}

static void
write_superscript(GString *out, const FigTex *item)
{
    bool both = item->primes && item->sup;
    if (both)
        g_string_append(out, "<mrow>");
    if (item->primes)
        write_primes(out, item->primes);
    if (item->sup)
        write_one(out, item->sup, true);
    if (both)
        g_string_append(out, "</mrow>");
}

/* An atom with its scripts, whose nucleus is written already. */
static void
write_scripts(GString *out, const FigTex *item, const char *nucleus)
{
    bool above = item->sup || item->primes;
    const char *element = item->sub ? (above ? "msubsup" : "msub") : "msup";
    if (!item->sub && !above) {
        g_string_append(out, nucleus);
        return;
    }
    g_string_append_printf(out, "<%s>%s", element, nucleus);
    if (item->sub)
        write_one(out, item->sub, true);
    if (above)
        write_superscript(out, item);
    g_string_append_printf(out, "</%s>", element);
}

static void
write_list(GString *out, const FigTex *list, bool script)
{
    const FigTex *before = NULL;
    for (const FigTex *item = list; item; before = item, item = item->next) {
        g_autoptr(GString) word = g_string_new(NULL);
        g_autoptr(GString) nucleus = g_string_new(NULL);
        /* names of operators have no place in browsers' tables of spaces */
        if (before && (is_operator_name(item) || is_operator_name(before)) &&
            fig_tex_space(before, item, script) > 0)
            write_space(out, fig_tex_space(before, item, script));
        if (script && item->kind == FIG_TEX_LETTER)
            item = fig_tex_word(item, word);
        if (word->len > 1)
            write_element(nucleus, "mi", " style=\"font-style:italic\"", word->str);
        else
            write_nucleus(nucleus, item, script);
        write_scripts(out, item, nucleus->str);
    }
}

char *
fig_text_mathml(const char *source)
{
    g_autoptr(FigArena) arena = fig_arena_new();
    GString *out = g_string_new(NULL);
    FigTexPiece *pieces;
    if (!fig_tex_label(arena, source, (FigSpan){0}, NULL, &pieces)) {
        fig_escape_text(out, source);
        return g_string_free(out, FALSE);
    }
    for (const FigTexPiece *piece = pieces; piece; piece = piece->next) {
        if (piece->words) {
            fig_escape_text(out, piece->words);
        } else if (piece->math) {
            g_string_append(out, "<math>");
            write_list(out, piece->math, false);
            g_string_append(out, "</math>");
        }
    }
    return g_string_free(out, FALSE);
}
