/* SPDX-License-Identifier: MIT
 *
 * Mutations of texts that keep their grammar mostly alive. A text is a sequence of tokens:
 * words, numbers, runs of spaces, single other characters; or of lines.
 */
#include "tests/fuzz/fuzz.h"

#include <string.h>

typedef struct Piece {
    size_t from, to;
} Piece;

static bool
is_word(char c)
{
    return g_ascii_isalnum(c) || c == '_' || c == '.' || (unsigned char)c >= 0x80;
}

static GArray *
tokens_of(const char *text, size_t length)
{
    GArray *pieces = g_array_new(false, true, sizeof(Piece));
    for (size_t i = 0; i < length;) {
        Piece piece = {i, i + 1};
        if (is_word(text[i]))
            while (piece.to < length && is_word(text[piece.to]))
                piece.to++;
        else if (text[i] == ' ')
            while (piece.to < length && text[piece.to] == ' ')
                piece.to++;
        g_array_append_val(pieces, piece);
        i = piece.to;
    }
    return pieces;
}

static GArray *
lines_of(const char *text, size_t length)
{
    GArray *pieces = g_array_new(false, true, sizeof(Piece));
    for (size_t i = 0; i < length;) {
        const char *end = memchr(text + i, '\n', length - i);
        Piece piece = {i, end ? (size_t)(end - text) + 1 : length};
        g_array_append_val(pieces, piece);
        i = piece.to;
    }
    return pieces;
}

static int
below(GRand *random, guint n)
{
    return n ? g_rand_int_range(random, 0, (gint32)n) : 0;
}

static Piece
pick(GRand *random, GArray *pieces)
{
    return g_array_index(pieces, Piece, below(random, pieces->len));
}

/* A word or number somewhere; any token when the text has none. */
static Piece
pick_word(GRand *random, const char *text, GArray *tokens)
{
    Piece piece = pick(random, tokens);
    for (int i = 0; i < 20 && !is_word(text[piece.from]); i++)
        piece = pick(random, tokens);
    return piece;
}

static Piece
pick_number(GRand *random, const char *text, GArray *tokens)
{
    Piece piece = pick(random, tokens);
    for (int i = 0; i < 200 && !g_ascii_isdigit(text[piece.from]); i++)
        piece = pick(random, tokens);
    return piece;
}

/* Words that have gone wrong somewhere before. */
static const char *const odd[] = {
    "0",
    "-1",
    "1",
    "2",
    "3",
    "7",
    "0.5",
    "-0.0",
    "1e308",
    "1e-320",
    "1e999",
    "nan",
    "inf",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "4294967296",
    "2147483647",
    "1000000",
    "1e18",
    "0x10",
    "null",
    "true",
    "~",
    "''",
    "\"\"",
    "[]",
    "{}",
    "[[]]",
    "[a, b]",
    "{a: b}",
    "<",
    "<h_d>",
    "<1/0>",
    "$",
    "$$",
    "$x_{$",
    "$\\frac{a}{b}$",
    "]]>",
    "&amp;",
    "&#x1b;",
    "\\u{1b}",
    "\xe2\x80\xae",
    "\xe4\xb8\xad\xe6\x96\x87",
    "\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d",
    "e\xcc\x81",
    "\xf0\x9f\x98\x80",
    "\xff",
    "\t",
    "\r",
    "--",
    "*a",
    "&a",
    "!x",
    "%",
    "@",
    "`",
    "|",
    ">",
    "? ",
    "- ",
    ": ",
    " #",
    "((((((((((",
    "))))))))))",
    "[[[[[[[[",
    "B*T*C*H*G",
    "1/sqrt(0)",
    "C/(T-T)",
    "ceil(C, 0)",
    "ceil(8*C/3, 64)",
    "2^63",
    "C^C",
    "-C",
    "T*T",
    "id",
    "out",
    "in",
    "axes",
    "when",
    "over",
    "join",
    "group",
    "ops",
    "label",
};

static void
replace(GString *out, Piece piece, const char *with, gssize length)
{
    g_string_erase(out, (gssize)piece.from, (gssize)(piece.to - piece.from));
    g_string_insert_len(out, (gssize)piece.from, with, length);
}

static void
change_once(GRand *random, GString *out, const char *other, size_t other_length)
{
    g_autofree char *before = g_strndup(out->str, out->len);
    size_t length = out->len;
    g_autoptr(GArray) tokens = tokens_of(before, length);
    g_autoptr(GArray) lines = lines_of(before, length);
    if (length == 0) {
        g_string_append(out, odd[below(random, G_N_ELEMENTS(odd))]);
        return;
    }
    Piece one = pick_word(random, before, tokens), two = one;
    const char *word = odd[below(random, G_N_ELEMENTS(odd))];
    switch (below(random, 16)) {
    case 0: /* one word in place of another */
    case 1:
    case 2:
        two = pick_word(random, before, tokens);
        replace(out, one, before + two.from, (gssize)(two.to - two.from));
        break;
    case 3: /* an odd word in place of a word */
    case 4:
        replace(out, one, word, -1);
        break;
    case 5: /* an odd word in place of a number */
    case 6:
        one = pick_number(random, before, tokens);
        replace(out, one, word, -1);
        break;
    case 7: /* a token gone, or twice */
        one = pick(random, tokens);
        replace(out, one, "", 0);
        break;
    case 8:
        one = pick(random, tokens);
        g_string_insert_len(out, (gssize)one.to, before + one.from,
                            (gssize)(one.to - one.from));
        break;
    case 9: /* a line gone */
        one = pick(random, lines);
        replace(out, one, "", 0);
        break;
    case 10: { /* lines repeated, up to a hundred times */
        one = pick(random, lines);
        two = pick(random, lines);
        if (two.from < one.from || two.to - one.from > 400)
            two = one;
        int times = below(random, 4) ? 1 : below(random, 100);
        for (int i = 0; i < times && out->len < 60000; i++)
            g_string_insert_len(out, (gssize)two.to, before + one.from,
                                (gssize)(two.to - one.from));
        break;
    }
    case 11: /* a line moved */
        one = pick(random, lines);
        two = pick(random, lines);
        if (one.from < two.from) {
            g_string_insert_len(out, (gssize)two.from, before + one.from,
                                (gssize)(one.to - one.from));
            replace(out, one, "", 0);
        }
        break;
    case 12: /* a word nested, up to a hundred deep */
    {
        static const char *const open[] = {"[",     "{a: ",    "(",   "-",
                                           "ceil(", "\\sqrt{", "not "};
        static const char *const shut[] = {"]", "}", ")", "", ", 1)", "}", ""};
        int kind = below(random, G_N_ELEMENTS(open));
        int times = below(random, 3) ? 1 : below(random, 100);
        for (int i = 0; i < times; i++) {
            g_string_insert(out, (gssize)one.to, shut[kind]);
            g_string_insert(out, (gssize)one.from, open[kind]);
            one.to += strlen(open[kind]);
        }
        break;
    }
    case 13: /* a piece of another seed */
        if (other_length) {
            g_autoptr(GArray) theirs = below(random, 2)
                                           ? lines_of(other, other_length)
                                           : tokens_of(other, other_length);
            two = pick(random, theirs);
            one = pick(random, lines);
            g_string_insert_len(out, (gssize)one.from, other + two.from,
                                (gssize)(two.to - two.from));
        }
        break;
    case 14: /* a byte */
        out->str[below(random, (guint)length)] = (char)below(random, 256);
        break;
    case 15: /* cut short, rarely; else a long word */
        if (below(random, 4) == 0) {
            g_string_truncate(out, (gsize)below(random, (guint)length));
        } else {
            g_autofree char *longer = g_strnfill((gsize)below(random, 5000), 'W');
            g_string_insert(out, (gssize)one.to, longer);
        }
        break;
    }
}

void
fuzz_mutate(GRand *random, const char *seed, size_t length, const char *other,
            size_t other_length, GString *out)
{
    g_string_append_len(out, seed, (gssize)length);
    int times = 1 + below(random, below(random, 3) ? 3 : 12);
    for (int i = 0; i < times; i++)
        change_once(random, out, other, other_length);
}
