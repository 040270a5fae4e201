/* SPDX-License-Identifier: MIT
 *
 * Numbers in sentences: how a value is printed, which placeholders a text holds, and which
 * of its digits nobody vouches for.
 */
#include "check/claims-parts.h"

#include "base/num.h"

#include <math.h>
#include <string.h>

char *
fig_claim_print(const FigClaimValue *value)
{
    GString *out = g_string_new(NULL);
    switch (value->kind) {
    case FIG_CLAIM_NUMBER:
        if (value->text) {
            g_string_append(out, value->text);
        } else if (value->format == FIG_FORMAT_PERCENT) {
            /* one decimal, always: 92.5 and 7.5, 90.0 and 10.0 */
            fig_num_fixed(out, value->real, 1);
            if (!strchr(out->str, '.'))
                g_string_append(out, ".0");
        } else if (value->exact && value->rational.den == 1) {
            fig_num_integer(out, value->rational.num,
                            value->format == FIG_FORMAT_COMMAS);
        } else {
            /* what no run computed and is whole is not rounded */
            bool whole = !value->executed && value->real == rint(value->real) &&
                         fabs(value->real) < 1e15;
            fig_num_significant(out, value->real, whole ? 15 : 4);
        }
        break;
    case FIG_CLAIM_TRUTH:
        g_string_append(out, value->truth ? "true" : "false");
        break;
    case FIG_CLAIM_WORD:
        g_string_append(out, value->word);
        break;
    default:
        g_string_free(out, TRUE);
        return NULL;
    }
    return g_string_free(out, FALSE);
}

/* ---- placeholders ---- */

/* The next `<expr>` at or after *at: its bytes between the signs. `<` opens one only
 * before a letter, `\<` is the sign itself. */
static bool
next_placeholder(const char *text, size_t *at, size_t *start, size_t *length)
{
    for (size_t i = *at; text[i]; i++) {
        if (text[i] == '\\' && text[i + 1] == '<') {
            i++;
            continue;
        }
        const char *end = strchr(text + i, '>');
        if (text[i] != '<' || !g_ascii_isalpha(text[i + 1]) || !end)
            continue;
        *start = i + 1;
        *length = (size_t)(end - text) - *start;
        *at = *start + *length + 1;
        return true;
    }
    return false;
}

bool
fig_claim_sentence(FigClaims *claims, const FigText *text, FigArena *arena,
                   FigDiag *diag, FigSentence *out)
{
    *out = (FigSentence){0};
    if (!text->text)
        return true;
    g_autoptr(GPtrArray) exprs = g_ptr_array_new();
    g_autoptr(GPtrArray) numbers = g_ptr_array_new();
    bool ok = true;
    for (size_t at = 0, start, length;
         next_placeholder(text->text, &at, &start, &length);) {
        g_autoptr(FigArena) scratch = fig_arena_new();
        FigClaimEval e = {.claims = claims, .diag = diag, .arena = scratch};
        FigClaimValue value;
        const FigExpr *expr = NULL;
        if (text->at) {
            expr = fig_expr_parse_part(text->at, start, length, scratch, diag);
        } else {
            char *part = fig_arena_strndup(scratch, text->text + start, length);
            expr = fig_expr_parse_text(part, (FigSpan){0}, scratch, diag);
        }
        if (!expr || !fig_claim_any(&e, expr, &value)) {
            ok = false;
            continue;
        }
        g_autofree char *number = fig_claim_print(&value);
        if (!number) {
            fig_diag_error(diag, expr->span, "this is %s, where one number is wanted",
                           fig_claim_kind_name(&value));
            ok = false;
            continue;
        }
        g_ptr_array_add(exprs, fig_arena_strndup(arena, text->text + start, length));
        g_ptr_array_add(numbers, fig_arena_strdup(arena, number));
    }
    out->text = fig_arena_strdup(arena, text->text);
    out->n_numbers = (int)exprs->len;
    if (exprs->len) {
        out->exprs = fig_arena_copy(arena, exprs->pdata, sizeof(gpointer) * exprs->len);
        out->numbers =
            fig_arena_copy(arena, numbers->pdata, sizeof(gpointer) * numbers->len);
    }
    return ok;
}

/* ---- digits ---- */

/* Does the expression hold the number that is written so? */
static bool
holds_number(const FigExpr *expr, double number)
{
    if (!expr)
        return false;
    if (expr->kind == FIG_EXPR_NUMBER && expr->real == number)
        return true;
    for (int i = 0; i < expr->n_args; i++)
        if (holds_number(expr->args[i], number))
            return true;
    return false;
}

/* Is the word the name of something in the spec (z1, W_1, h_d2)? */
static bool
is_id(const FigClaims *claims, const char *word)
{
    for (int i = 0; claims->names[i]; i++)
        if (strcmp(claims->names[i], word) == 0)
            return true;
    return false;
}

/* Blank out what is exempt: placeholders and the name of the family. */
static char *
without_exempt(const FigClaims *claims, const char *text)
{
    char *copy = g_strdup(text);
    const char *family = claims->graph->family;
    for (size_t at = 0, start, length; next_placeholder(text, &at, &start, &length);)
        memset(copy + start, ' ', length);
    if (family && *family)
        for (char *found = copy; (found = strstr(found, family));)
            for (size_t i = strlen(family); i; i--)
                *found++ = ' ';
    return copy;
}

/* Where the word begins that the digit at `at` belongs to: letters, digits and, in math,
 * the braces of a subscript (W_{1}). */
static size_t
word_start(const char *text, size_t at, bool math)
{
    while (at > 0 && (g_ascii_isalnum(text[at - 1]) || text[at - 1] == '_' ||
                      (math && text[at - 1] == '{' && at > 1 && text[at - 2] == '_')))
        at--;
    return at;
}

/* Where the name begins that a number ends, as GPT-2, OLMo 2 and Qwen3 do: a word with a
 * capital, which is no capital of the sentence where a blank parts them; `at` if none. */
static size_t
name_start(const char *text, size_t at)
{
    size_t end = at, first;
    bool parted = at > 0 && text[at - 1] == ' ', capital = false;
    if (at > 0 && (parted || text[at - 1] == '-'))
        end--;
    for (first = end; first > 0 && g_ascii_isalpha(text[first - 1]); first--)
        if (g_ascii_isupper(text[first - 1]))
            capital = capital || !parted || first > 1;
    return capital ? first : at;
}

/* A numeral other than 0 to 9: ⑤, ½, Ⅴ, ٥; not the exponent or index of a letter. */
static bool
is_numeral(gunichar c, gunichar before)
{
    GUnicodeType type = g_unichar_type(c);
    bool raised = c == 0xb2 || c == 0xb3 || c == 0xb9 || (c >= 0x2070 && c <= 0x209c);
    if (c < 0x80 || (type != G_UNICODE_DECIMAL_NUMBER &&
                     type != G_UNICODE_LETTER_NUMBER && type != G_UNICODE_OTHER_NUMBER))
        return false;
    return !raised || !(g_unichar_isalnum(before) || g_unichar_type(before) == type);
}

static void
check_numerals(const FigText *text, const char *copy, FigDiag *diag)
{
    gunichar before = ' ';
    for (const char *c = copy; *c; c = g_utf8_next_char(c)) {
        gunichar sign = g_utf8_get_char(c);
        int length = (int)(g_utf8_next_char(c) - c);
        if (is_numeral(sign, before)) {
            FigSpan at =
                text->at ? fig_yaml_span(text->at, (size_t)(c - copy), (size_t)length)
                         : (FigSpan){0};
            FigMessage *message = fig_diag_warning(
                diag, at, "nothing checks the number %.*s in this text", length, c);
            fig_message_hint(message, "write it as <an expression>");
        }
        before = sign;
    }
}

void
fig_claim_digits(const FigClaims *claims, const FigText *text, const FigExpr *expr,
                 FigDiag *diag)
{
    if (!text->text)
        return;
    g_autofree char *copy = without_exempt(claims, text->text);
    check_numerals(text, copy, diag);
    bool math = false;
    for (size_t i = 0; copy[i];) {
        if (copy[i] == '$' && (i == 0 || copy[i - 1] != '\\'))
            math = !math;
        if (!g_ascii_isdigit(copy[i])) {
            i++;
            continue;
        }
        size_t end = i, first = word_start(copy, i, math), last;
        while (g_ascii_isdigit(copy[end]) ||
               (copy[end] == '.' && g_ascii_isdigit(copy[end + 1])) ||
               (copy[end] == ',' && g_ascii_isdigit(copy[end + 1]) && !math))
            end++;
        for (last = end; g_ascii_isalnum(copy[last]) || copy[last] == '_';)
            last++;
        g_autofree char *word = g_strndup(copy + first, last - first);
        g_auto(GStrv) parts = g_strsplit(word, "{", -1);
        g_autofree char *plain = g_strjoinv("", parts);
        g_autofree char *digits = g_strndup(copy + i, end - i);
        g_auto(GStrv) groups = g_strsplit(digits, ",", -1);
        g_autofree char *number = g_strjoinv("", groups);
        /* a subscript is a name: W_1, z_{12} */
        bool subscript =
            math && i > 0 &&
            (copy[i - 1] == '_' || (copy[i - 1] == '{' && i > 1 && copy[i - 2] == '_'));
        double value;
        bool covered = subscript || (first < i && is_id(claims, plain)) ||
                       (fig_num_read_real(number, &value) && holds_number(expr, value));
        if (!covered) {
            FigSpan at = text->at ? fig_yaml_span(text->at, i, end - i) : (FigSpan){0};
            FigMessage *message = fig_diag_warning(
                diag, at, "nothing checks the number %s in this text", digits);
            size_t name = math ? i : name_start(copy, i);
            if (name < i && !claims->graph->family)
                fig_message_hint(message, "is ‘%.*s’ a name? then say `family: %.*s`",
                                 (int)(last - name), copy + name, (int)(last - name),
                                 copy + name);
            else
                fig_message_hint(message,
                                 expr ? "write it as <an expression>, or let `that:` "
                                        "speak of it"
                                      : "write it as <an expression>");
        }
        i = end;
    }
}
