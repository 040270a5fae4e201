/* SPDX-License-Identifier: MIT
 *
 * Which script a letter is of and what is one sign, GLib knows; which letters look alike,
 * the table below says: those that common fonts draw with the same outline.
 */
#include "base/seen.h"

#include <string.h>

typedef struct Seen {
    const FigYaml *scalar;
    const char *what;
    FigDiag *diag;
} Seen;

/* Report a part of the text. owns: diag */
static FigMessage *
report(const Seen *seen, const char *at, const char *end, const char *says)
{
    const FigYaml *scalar = seen->scalar;
    FigSpan span =
        fig_yaml_span(scalar, (size_t)(at - scalar->text), (size_t)(end - at));
    return fig_diag_error(seen->diag, span, "%s has %s", seen->what, says);
}

/* ---- signs ---- */

/* Does the sign turn the text about it, or show nothing? */
static bool
is_unseen(gunichar c)
{
    static const gunichar blank[] = {0x34f,  0x115f, 0x1160, 0x17b4,
                                     0x17b5, 0x2800, 0x3164, 0xffa0};
    for (size_t i = 0; i < G_N_ELEMENTS(blank); i++)
        if (c == blank[i])
            return true;
    GUnicodeType type = g_unichar_type(c);
    return (type == G_UNICODE_CONTROL && c != '\n' && c != '\t') ||
           type == G_UNICODE_FORMAT || type == G_UNICODE_LINE_SEPARATOR ||
           type == G_UNICODE_PARAGRAPH_SEPARATOR || (c >= 0x180b && c <= 0x180f) ||
           (c >= 0xfe00 && c <= 0xfe0f) || (c >= 0xe0000 && c <= 0xe0fff) ||
           (c >= 0xfff0 && c <= 0xfff8);
}

static bool
check_signs(const Seen *seen)
{
    const char *next;
    for (const char *c = seen->scalar->text; *c; c = next) {
        gunichar sign = g_utf8_get_char(c);
        next = g_utf8_next_char(c);
        if (!is_unseen(sign))
            continue;
        g_autofree char *says =
            g_strdup_printf("the character U+%04X, which nobody sees", (unsigned)sign);
        report(seen, c, next, says);
        return false;
    }
    return true;
}

/* ---- one way to write ---- */

static bool
is_mark(gunichar c)
{
    return g_unichar_ismark(c);
}

/* What Unicode calls the same is compared as bytes: it has to be. */
static bool
check_normal(const Seen *seen)
{
    const char *text = seen->scalar->text, *at = text;
    g_autofree char *normal = g_utf8_normalize(text, -1, G_NORMALIZE_NFC);
    const char *other = normal;
    while (*at && g_utf8_get_char(at) == g_utf8_get_char(other)) {
        at = g_utf8_next_char(at);
        other = g_utf8_next_char(other);
    }
    if (!*at && !*other)
        return true;
    /* the letter that the marks stand on */
    while (at > text && is_mark(g_utf8_get_char(at)))
        at = g_utf8_prev_char(at);
    const char *end = *at ? g_utf8_next_char(at) : at;
    while (*end && is_mark(g_utf8_get_char(end)))
        end = g_utf8_next_char(end);
    g_autofree char *written = g_strndup(at, (gsize)(end - at));
    g_autofree char *wanted = g_utf8_normalize(written, -1, G_NORMALIZE_NFC);
    g_autofree char *says =
        g_strdup_printf("‘%s’ in a form that reads the same and is another", written);
    FigMessage *message = report(seen, at, end, says);
    fig_message_hint(message, "‘%s’ is U+%04X", wanted,
                     (unsigned)g_utf8_get_char(wanted));
    return false;
}

/* A mark that is part of no script's writing stands on a letter, over or under it. */
static bool
check_marks(const Seen *seen)
{
    bool letter = false;
    const char *next;
    for (const char *c = seen->scalar->text; *c; c = next) {
        gunichar sign = g_utf8_get_char(c);
        GUnicodeScript script = g_unichar_get_script(sign);
        next = g_utf8_next_char(c);
        int class = g_unichar_combining_class(sign);
        bool foreign =
            script == G_UNICODE_SCRIPT_INHERITED || script == G_UNICODE_SCRIPT_COMMON;
        bool strikes = class == 0 || class == 1;
        if (is_mark(sign) && foreign && (strikes || !letter)) {
            g_autofree char *says =
                g_strdup_printf(letter ? "the mark U+%04X through a letter"
                                       : "the mark U+%04X on no letter",
                                (unsigned)sign);
            report(seen, c, next, says);
            return false;
        }
        letter = is_mark(sign) || g_unichar_isalnum(sign);
    }
    return true;
}

/* ---- letters that look alike ---- */

typedef struct Alike {
    GUnicodeScript script;
    const char *name;
    const char *letters; /* each looks like … */
    const char *latin;   /* … the one at its place */
} Alike;

static const Alike alike[] = {
    {G_UNICODE_SCRIPT_GREEK, "Greek", "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧοϲϳϹͿ",
     "ABEZHIKMNOPTYXocjCJ"},
    {G_UNICODE_SCRIPT_CYRILLIC, "Cyrillic", "АВЕКМНОРСТУХЅІЈҮԌԚԜаеорсухѕіјүһԁԛԝӏӀ",
     "ABEKMHOPCTYXSIJYGQWaeopcyxsijyhdqwlI"},
    {G_UNICODE_SCRIPT_ARMENIAN, "Armenian", "ՍՕԼսոօհց", "UOLunohg"},
    {G_UNICODE_SCRIPT_CHEROKEE, "Cherokee", "ᎪᎫᎬᎳᎷᎻᏀᏂᏃᏒᏔᏙᏚᏞᏟᏢᏦᏴ", "AJEWMHGhZRWVSLCPKB"},
    {G_UNICODE_SCRIPT_LATIN, "Latin", "", ""},
    {G_UNICODE_SCRIPT_HEBREW, "Hebrew", "", ""},
    {G_UNICODE_SCRIPT_ARABIC, "Arabic", "", ""},
    {G_UNICODE_SCRIPT_COPTIC, "Coptic", "", ""},
};

static const Alike *
alike_of(GUnicodeScript script)
{
    for (size_t i = 0; i < G_N_ELEMENTS(alike); i++)
        if (alike[i].script == script)
            return &alike[i];
    return NULL;
}

/* The Latin letter that one looks like, or 0. */
static char
latin_of(gunichar c)
{
    const Alike *row = alike_of(g_unichar_get_script(c));
    const char *latin = row ? row->latin : "";
    for (const char *p = row ? row->letters : ""; *p; p = g_utf8_next_char(p), latin++)
        if (g_utf8_get_char(p) == c)
            return *latin;
    return 0;
}

/* Scripts that are written without blanks, and so stand beside others. */
static bool
has_no_blanks(GUnicodeScript script)
{
    return script == G_UNICODE_SCRIPT_HAN || script == G_UNICODE_SCRIPT_HIRAGANA ||
           script == G_UNICODE_SCRIPT_KATAKANA || script == G_UNICODE_SCRIPT_HANGUL ||
           script == G_UNICODE_SCRIPT_BOPOMOFO;
}

static bool
has_script(gunichar c)
{
    GUnicodeScript script = g_unichar_get_script(c);
    return g_unichar_isalpha(c) && script != G_UNICODE_SCRIPT_COMMON &&
           script != G_UNICODE_SCRIPT_INHERITED && script != G_UNICODE_SCRIPT_UNKNOWN;
}

/* "the Cyrillic letter ‘С’ (U+0421)"; what is wrong with it; the letter that it looks like. */
static bool
report_letter(const Seen *seen, const char *at, const char *wrong)
{
    gunichar c = g_utf8_get_char(at);
    const Alike *row = alike_of(g_unichar_get_script(c));
    char latin = latin_of(c);
    const char *end = g_utf8_next_char(at);
    g_autofree char *says =
        g_strdup_printf("the %s letter ‘%.*s’ (U+%04X)%s", row ? row->name : "foreign",
                        (int)(end - at), at, (unsigned)c, wrong);
    FigMessage *message = report(seen, at, end, says);
    if (latin)
        fig_message_hint(message, "the Latin letter is ‘%c’", latin);
    return false;
}

/* ---- words ---- */

/* Another form of an ASCII letter or digit, or 0. */
static char
ascii_of(gunichar c)
{
    gunichar plain;
    bool form = (c >= 0xff01 && c <= 0xff5e) || (c >= 0x1d400 && c <= 0x1d7ff);
    if (!form || !g_unichar_isalnum(c) ||
        g_unichar_fully_decompose(c, TRUE, &plain, 1) != 1 || plain > 0x7f)
        return 0;
    return (char)plain;
}

static bool
check_forms(const Seen *seen)
{
    const char *next;
    for (const char *c = seen->scalar->text; *c; c = next) {
        char plain = ascii_of(g_utf8_get_char(c));
        next = g_utf8_next_char(c);
        if (!plain)
            continue;
        g_autofree char *says =
            g_strdup_printf("‘%.*s’ (U+%04X), which reads as ‘%c’", (int)(next - c), c,
                            (unsigned)g_utf8_get_char(c), plain);
        fig_message_hint(report(seen, c, next, says), "write ‘%c’", plain);
        return false;
    }
    return true;
}

/* A run of letters, digits and marks; its end. */
static const char *
word_end(const char *at)
{
    while (*at &&
           (g_unichar_isalnum(g_utf8_get_char(at)) || is_mark(g_utf8_get_char(at))))
        at = g_utf8_next_char(at);
    return at;
}

/* A word is of one script. Of a Latin word with one other letter, that letter is the
 * foreign one, and the other way round. */
static bool
check_word(const Seen *seen, const char *word, const char *end)
{
    int latin = 0, other = 0;
    const char *first_latin = NULL, *first_other = NULL;
    GUnicodeScript script = G_UNICODE_SCRIPT_LATIN;
    for (const char *c = word; c < end; c = g_utf8_next_char(c)) {
        gunichar letter = g_utf8_get_char(c);
        GUnicodeScript its = g_unichar_get_script(letter);
        if (!has_script(letter) || has_no_blanks(its))
            continue;
        if (its == G_UNICODE_SCRIPT_LATIN) {
            first_latin = first_latin ? first_latin : c;
            latin++;
        } else if (its == G_UNICODE_SCRIPT_GREEK && !latin_of(letter)) {
            continue; /* a symbol: ΔW */
        } else if (other && its != script) {
            return report_letter(seen, c, " in a word of another script");
        } else {
            first_other = first_other ? first_other : c;
            script = its;
            other++;
        }
    }
    if (!latin || !other)
        return true;
    const Alike *row = alike_of(script);
    bool foreign = latin >= other || !row;
    g_autofree char *wrong =
        g_strdup_printf(" in a word with %s ones", foreign ? "Latin" : row->name);
    return report_letter(seen, foreign ? first_other : first_latin, wrong);
}

/* A letter of a formula is Latin or Greek, and none that looks like another. */
static bool
check_symbol(const Seen *seen, const char *at)
{
    gunichar c = g_utf8_get_char(at);
    GUnicodeScript script = g_unichar_get_script(c);
    if (!has_script(c) || script == G_UNICODE_SCRIPT_LATIN || has_no_blanks(script) ||
        (script == G_UNICODE_SCRIPT_GREEK && !latin_of(c)))
        return true;
    return report_letter(seen, at, " in a formula");
}

typedef struct Scripts {
    const char *first[G_N_ELEMENTS(alike)]; /* letter that looks like a Latin one */
    bool known[G_N_ELEMENTS(alike)];        /* a letter that does not is there too */
} Scripts;

static void
note_word(Scripts *scripts, const char *word, const char *end)
{
    for (const char *c = word; c < end; c = g_utf8_next_char(c)) {
        gunichar letter = g_utf8_get_char(c);
        for (size_t i = 0; i < G_N_ELEMENTS(alike); i++) {
            if (!has_script(letter) || g_unichar_get_script(letter) != alike[i].script)
                continue;
            if (!latin_of(letter))
                scripts->known[i] = true;
            else if (!scripts->first[i])
                scripts->first[i] = c;
        }
    }
}

/* The end of what is no text for a reader: a command of TeX, a placeholder; else at. */
static const char *
skip(const char *at, bool math)
{
    if (math && at[0] == '\\' && g_ascii_isalpha(at[1])) {
        for (at++; g_ascii_isalpha(*at);)
            at++;
    } else if (!math && at[0] == '<' && g_ascii_isalpha(at[1])) {
        const char *end = strchr(at, '>');
        return end ? end + 1 : at;
    } else if (at[0] == '\\' && at[1] && (guchar)at[1] < 0x80) {
        at += 2;
    }
    return at;
}

static bool
check_words(const Seen *seen, bool math)
{
    Scripts scripts = {0};
    int upright = 0, depth = 0; /* braces, and those of \mathrm{ */
    bool all = math;
    for (const char *c = seen->scalar->text; *c;) {
        const char *end = skip(c, math);
        if (end != c) {
            if (math && g_str_has_prefix(c, "\\mathrm{"))
                upright = depth + 1;
            c = end;
            continue;
        }
        depth += math && *c == '{' ? 1 : math && *c == '}' ? -1 : 0;
        if (depth < upright)
            upright = 0;
        if (*c == '$' && !all) {
            math = !math;
            upright = depth = 0;
        }
        end = word_end(c);
        if (end == c) {
            c = g_utf8_next_char(c);
        } else if (math && !upright) {
            if (!check_symbol(seen, c))
                return false;
            c = g_utf8_next_char(c);
        } else {
            if (!check_word(seen, c, end))
                return false;
            note_word(&scripts, c, end);
            c = end;
        }
    }
    for (size_t i = 0; i < G_N_ELEMENTS(alike); i++)
        if (scripts.first[i] && !scripts.known[i])
            return report_letter(seen, scripts.first[i], ", which reads as Latin");
    return true;
}

bool
fig_seen_check(const FigYaml *scalar, bool math, const char *what, FigDiag *diag)
{
    const Seen seen = {scalar, what, diag};
    return check_signs(&seen) && check_normal(&seen) && check_marks(&seen) &&
           check_forms(&seen) && check_words(&seen, math);
}
