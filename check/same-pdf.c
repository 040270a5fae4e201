/* SPDX-License-Identifier: MIT
 *
 * Do two PDFs show the same? Their streams are inflated and compared as words and numbers,
 * then, where letters may be of another width, as what they draw: the same texts, colours,
 * lines and curves in the same order, each, and each letter, about where the other's is.
 */
#include "check/same.h"

#include "base/num.h"
#include "check/pack.h"
#include "check/pdf-letters.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { TIMES = 2 }; /* as much as ours, beside streams or in them: it is not the same */

static const double NEARLY_NUMBER = 0.06; /* points */
static const double MOVED = 4;            /* points, of a place */
static const double MOVED_STEP = 1.3; /* from a letter to the next: none is so narrow */
static const double MOVED_SCALE = 1;  /* of a size of letters: blanks fill a gap */
static const double SAME_NUMBER = 1e-3; /* of a colour, a width */

typedef struct Stream {
    const char *raw; /* as it lies in the file */
    size_t size;
    char *bytes; /* inflated where it inflates; a NUL follows */
    size_t length;
    const char *text; /* bytes, or NULL: a font */
} Stream;

typedef struct Unpacked {
    const char *bytes; /* the file */
    size_t length;
    GArray *streams; /* Stream */
    GString *rest;   /* what is no stream */
    size_t inflated; /* bytes of all streams */
} Unpacked;

static void
stream_clear(void *data)
{
    g_free(((Stream *)data)->bytes);
}

static const Stream *
stream_at(const Unpacked *file, guint i)
{
    return &g_array_index(file->streams, Stream, i);
}

static void
clear(Unpacked *file)
{
    g_array_unref(file->streams);
    g_string_free(file->rest, TRUE);
}

/* Take a file apart; of streams at most so many bytes are inflated. */
static void
unpack(Unpacked *file, const char *bytes, size_t length, size_t most)
{
    const char *end = bytes + length;
    Stream one = {0};
    *file = (Unpacked){.bytes = bytes,
                       .length = length,
                       .streams = g_array_new(FALSE, FALSE, sizeof(Stream)),
                       .rest = g_string_new(NULL)};
    g_array_set_clear_func(file->streams, stream_clear);
    while ((one.raw = fig_pdf_stream(bytes, (size_t)(end - bytes), &one.size))) {
        one.bytes = fig_inflate(one.raw, one.size, most - MIN(file->inflated, most),
                                &one.length);
        file->inflated += one.length;
        if (!one.bytes) {
            one.bytes = g_malloc0(one.size + 1);
            one.length = one.size;
            memcpy(one.bytes, one.raw, one.size);
        }
        bool text = g_utf8_validate(one.bytes, (gssize)one.length, NULL);
        one.text = text ? one.bytes : NULL;
        g_array_append_val(file->streams, one);
        g_string_append_len(file->rest, bytes, one.raw - bytes);
        bytes = one.raw + one.size + strlen("endstream"); /* which holds a "stream" */
    }
    g_string_append_len(file->rest, bytes, end - bytes);
}

/* ---- what is no stream ---- */

/* Does a number lead to a line that begins with a word, beside the streams? */
static bool
leads_to(const Unpacked *file, guint64 place, const char *word)
{
    size_t length = strlen(word);
    if (place == 0 || place >= file->length || file->length - place < length ||
        file->bytes[place - 1] != '\n')
        return false;
    const char *at = file->bytes + place;
    for (guint i = 0; i < file->streams->len; i++) {
        const Stream *stream = stream_at(file, i);
        if (at >= stream->raw && at < stream->raw + stream->size)
            return false;
    }
    return memcmp(at, word, length) == 0;
}

/* Is that the length of a stream? A line ends behind it. */
static bool
is_length(const Unpacked *file, guint stream, guint64 length)
{
    return stream < file->streams->len && stream_at(file, stream)->size == length + 1;
}

/* Is a line of the table of objects one that leads to the next of them? A line of two
 * numbers says which that is. */
static bool
is_entry(const Unpacked *file, const char *line, guint64 *object)
{
    char *end;
    guint64 place = g_ascii_strtoull(line, &end, 10);
    if (*end == ' ')
        g_ascii_strtoull(end + 1, &end, 10);
    if (!*end) {
        *object = place;
        return false;
    }
    g_autofree char *word = g_strdup_printf("%" G_GUINT64_FORMAT " 0 obj", *object);
    return (*object)++ == 0 ? strcmp(end, " f ") == 0
                            : strcmp(end, " n ") == 0 && leads_to(file, place, word);
}

/* Does a line, without the blanks before it, say by what the file was made? */
static bool
names_version(const char *line)
{
    static const char *const names[] = {"/Keywords ", "/Creator ", "/Producer "};
    line += g_str_has_prefix(line, "<< ") ? strlen("<< ") : 0;
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
        if (g_str_has_prefix(line, names[i]))
            return true;
    return false;
}

/* The number in a line that follows from how streams are packed, or NULL: that one is
 * wrong, or there is none. stream: the next one */
static const char *
packed_number(const Unpacked *file, const char *line, guint stream)
{
    const char *length = strstr(line, "/Length "), *table = strstr(line, "/Prev ");
    const char *number = length ? length + strlen("/Length ") : NULL;
    if (number && !strstr(number, " R") &&
        is_length(file, stream, g_ascii_strtoull(number, NULL, 10)))
        return number;
    number = table ? table + strlen("/Prev ") : NULL;
    return number && leads_to(file, g_ascii_strtoull(number, NULL, 10), "xref") ? number
                                                                                : NULL;
}

/* A line that describes a font without what follows from its letters: a number or a list of
 * them is one sign, and what tells subsets of a font apart is left out. Which objects it
 * leads to does not follow. */
static void
add_font_line(GString *out, const char *line)
{
    static GRegex *volatile_parts;
    if (g_once_init_enter(&volatile_parts))
        g_once_init_leave(&volatile_parts,
                          g_regex_new("(?<=/)[A-Z]{6}(?=\\+)"
                                      "|(?<=[ [])-?[0-9.]+( -?[0-9.]+)*",
                                      G_REGEX_RAW, 0, NULL));
    g_autofree char *rest =
        strstr(line, " R")
            ? g_strdup(line)
            : g_regex_replace_literal(volatile_parts, line, -1, 0, "#", 0, NULL);
    g_string_append_printf(out, "%s\n", rest);
}

/* The objects of a file but for what follows from how its streams are packed, and is right:
 * their lengths, which stand in objects of their own, and where all objects are.
 *
 * owns     the caller
 * versions, fonts   without the lines that name versions, without the numbers that describe
 *                   the fonts inside
 */
static char *
frame_of(const Unpacked *file, bool versions, bool fonts)
{
    g_auto(GStrv) lines = g_strsplit(file->rest->str, "\n", -1);
    GString *out = g_string_new(NULL);
    bool listed = false;
    guint64 object = 0;
    guint streams = 0; /* so far */
    for (int i = 0; lines[i]; i++) {
        const char *line = lines[i] + strspn(lines[i], " "), *place;
        listed = (listed || strcmp(line, "xref") == 0) && strcmp(line, "trailer") != 0;
        streams += strcmp(line, "stream") == 0;
        bool number = *line && strspn(line, "0123456789") == strlen(line);
        guint64 value = number ? g_ascii_strtoull(line, NULL, 10) : 0;
        bool begins = number && i > 0 && strcmp(lines[i - 1], "startxref") == 0;
        if ((listed && is_entry(file, line, &object)) ||
            (number && (begins ? leads_to(file, value, "xref")
                               : streams > 0 && is_length(file, streams - 1, value))) ||
            (versions && names_version(line)))
            continue;
        if ((place = packed_number(file, line, streams)))
            g_string_append_printf(out, "%.*s%s\n", (int)(place - line), line,
                                   place + strspn(place, "0123456789"));
        else if (fonts && strstr(line, "/Type /Font"))
            for (add_font_line(out, line);
                 lines[i + 1] && strcmp(lines[i + 1], "endobj") != 0; i++)
                add_font_line(out, lines[i + 1]);
        else
            g_string_append_printf(out, "%s\n", line);
    }
    return g_string_free(out, FALSE);
}

static bool
same_stream(const Stream *a, const Stream *b)
{
    return a->length == b->length && memcmp(a->bytes, b->bytes, a->length) == 0;
}

static bool
same_streams(const Unpacked *a, const Unpacked *b)
{
    for (guint i = 0; i < a->streams->len; i++)
        if (!same_stream(stream_at(a, i), stream_at(b, i)))
            return false;
    return true;
}

/* Is a stream packed otherwise? */
static bool
other_bytes(const Unpacked *a, const Unpacked *b)
{
    for (guint i = 0; i < a->streams->len; i++) {
        const Stream *x = stream_at(a, i), *y = stream_at(b, i);
        if (x->size != y->size || memcmp(x->raw, y->raw, x->size) != 0)
            return true;
    }
    return false;
}

/* The same in all streams, of which some are packed otherwise: a byte that was changed
 * beside them is not that. */
static bool
packed_otherwise(const Unpacked *a, const Unpacked *b)
{
    g_autofree char *x = frame_of(a, false, false), *y = frame_of(b, false, false);
    return strcmp(x, y) == 0 && same_streams(a, b) && other_bytes(a, b);
}

/* The next word: a number, or what is none. owns: text */
static const char *
next_word(const char **text, size_t *length)
{
    static const char digits[] = "0123456789.-";
    *text += strspn(*text, " \n\r\t");
    const char *word = *text;
    if (!*word)
        return NULL;
    *length = strspn(word, digits);
    if (*length == 0)
        *length = strcspn(word, " \n\r\t0123456789.-");
    *text += *length;
    return word;
}

/* Word by word; numbers (all, or those with a point) may differ by so much. */
static bool
nearly_same_words(const char *a, const char *b, bool all, double slack)
{
    for (;;) {
        size_t n = 0, m = 0;
        const char *x = next_word(&a, &n), *y = next_word(&b, &m);
        if (!x || !y)
            return !x && !y;
        if (n == m && memcmp(x, y, n) == 0)
            continue;
        g_autofree char *left = g_strndup(x, n), *right = g_strndup(y, m);
        double from, to;
        if ((!all && !strchr(left, '.')) || !fig_num_read_real(left, &from) ||
            !fig_num_read_real(right, &to) || fabs(from - to) > slack)
            return false;
    }
}

/* ---- what is drawn ---- */

/* A page, read operation by operation: the operands before an operator, numbers and all
 * strings as one, and of a text where its letters stand. */
typedef struct Page {
    const char *at;
    FigPdfLetters *letters;
    char op[8];
    GArray *numbers; /* double */
    GString *text, *piece;
    GArray *places; /* double: x and y of each letter, points */
} Page;

static Page
page_new(const char *text, const Unpacked *file)
{
    return (Page){.at = text,
                  .letters = fig_pdf_letters_new(file->rest->str),
                  .numbers = g_array_new(FALSE, FALSE, sizeof(double)),
                  .text = g_string_new(NULL),
                  .piece = g_string_new(NULL),
                  .places = g_array_new(FALSE, FALSE, sizeof(double))};
}

static void
page_clear(Page *page)
{
    fig_pdf_letters_free(page->letters);
    g_array_unref(page->numbers);
    g_array_unref(page->places);
    g_string_free(page->text, TRUE);
    g_string_free(page->piece, TRUE);
}

/* The byte that an escape in a string stands for: three digits, or what is escaped. */
static char
read_escape(const char **text)
{
    static const char letters[] = "nrtbf", controls[] = "\n\r\t\b\f";
    int byte = 0, digits = 0;
    for (; digits < 3 && (*text)[1] >= '0' && (*text)[1] <= '7'; digits++, (*text)++)
        byte = 8 * byte + (*text)[1] - '0';
    if (digits)
        return (char)byte;
    const char *letter = strchr(letters, *++*text);
    return letter ? controls[letter - letters] : **text;
}

/* The string in parentheses at *text. */
static void
read_string(const char **text, GString *out)
{
    int depth = 0;
    for ((*text)++; **text && (depth > 0 || **text != ')'); (*text)++) {
        bool escape = **text == '\\' && (*text)[1];
        depth += escape ? 0 : (**text == '(') - (**text == ')');
        g_string_append_c(out, escape ? read_escape(text) : **text);
    }
    *text += **text == ')';
}

/* The string of pairs of digits between < and > at *text; false: it is none. */
static bool
read_digits(const char **text, GString *out)
{
    const char *at = *text + 1;
    for (; g_ascii_isxdigit(at[0]) && g_ascii_isxdigit(at[1]); at += 2)
        g_string_append_c(out, (char)(g_ascii_xdigit_value(at[0]) * 16 +
                                      g_ascii_xdigit_value(at[1])));
    if (*at != '>')
        return false;
    *text = at + 1;
    return true;
}

/* The string at *text; false: there is none. */
static bool
read_piece(const char **text, GString *out)
{
    if (**text != '(')
        return **text == '<' && read_digits(text, out);
    read_string(text, out);
    return true;
}

/* Where the letters of a text stand, whose strings and numbers begin there. */
static void
show_text(Page *page, const char *text)
{
    while (*text && *text != 'T') {
        size_t length = strspn(text, "+-.0123456789");
        g_autofree char *word = g_strndup(text, length);
        double number;
        if (read_piece(&text, page->piece)) {
            fig_pdf_letters_show(page->letters, page->piece, page->places);
            g_string_truncate(page->piece, 0);
            continue;
        }
        if (fig_num_read_real(word, &number))
            fig_pdf_letters_space(page->letters, number);
        text += MAX(length, 1);
    }
}

/* The next operation of a page; false: there is none. */
static bool
next_operation(Page *page)
{
    static const char ends[] = " \n\r\t()<>[]/";
    const char *begin = page->at;
    *page->op = '\0';
    g_array_set_size(page->numbers, 0);
    g_array_set_size(page->places, 0);
    g_string_truncate(page->text, 0);
    for (;;) {
        page->at += strspn(page->at, " \n\r\t[]");
        if (!*page->at)
            return false;
        if (read_piece(&page->at, page->text))
            continue;
        size_t length = strchr("<>)", *page->at)
                            ? strcspn(page->at + 1, " \n\r\t()<>[]") + 1
                            : strcspn(page->at + 1, ends) + 1;
        g_autofree char *word = g_strndup(page->at, length);
        double number;
        page->at += length;
        if (fig_num_read_real(word, &number)) {
            g_array_append_val(page->numbers, number);
        } else if (strchr("<>)/", *word)) {
            g_string_append(page->text, word);
        } else {
            g_strlcpy(page->op, word, sizeof page->op);
            break;
        }
    }
    if (strcmp(page->op, "TJ") == 0 || strcmp(page->op, "Tj") == 0) {
        show_text(page, begin);
        g_strlcpy(page->op, "Tj", sizeof page->op);
        g_array_set_size(page->numbers, 0); /* they are in the places */
    }
    fig_pdf_letters_operate(page->letters, page->op, page->text->str,
                            (const double *)page->numbers->data, page->numbers->len);
    return true;
}

/* How far numbers of an operation may be apart: the first ones of it, the last two. */
static void
slack_of(const char *op, double *first, double *last)
{
    static const char *const places[] = {"m", "l", "c", "v", "y", "re", NULL};
    bool place = g_strv_contains(places, op);
    bool matrix = strcmp(op, "Tm") == 0 || strcmp(op, "cm") == 0;
    *first = place ? MOVED : matrix ? MOVED_SCALE : SAME_NUMBER;
    *last = place || matrix || strcmp(op, "Td") == 0 ? MOVED : SAME_NUMBER;
}

static bool
same_operation(const Page *a, const Page *b, double slack)
{
    double first, last;
    if (strcmp(a->op, b->op) != 0 || a->numbers->len != b->numbers->len ||
        a->places->len != b->places->len || !g_string_equal(a->text, b->text))
        return false;
    slack_of(a->op, &first, &last);
    for (guint i = 0; i < a->numbers->len; i++) {
        double x = g_array_index(a->numbers, double, i);
        double y = g_array_index(b->numbers, double, i);
        if (!(fabs(x - y) <= (i + 2 < a->numbers->len ? first : last)))
            return false;
    }
    for (guint i = 0; i < a->places->len; i++) {
        double off =
            g_array_index(a->places, double, i) - g_array_index(b->places, double, i);
        double before = i < 2 ? off
                              : g_array_index(a->places, double, i - 2) -
                                    g_array_index(b->places, double, i - 2);
        if (!(fabs(off) <= slack && fabs(off - before) <= MOVED_STEP))
            return false;
    }
    return true;
}

/* The same operations; letters may be apart so much. */
static bool
same_page(const Unpacked *a, const char *a_text, const Unpacked *b, const char *b_text,
          double slack)
{
    Page x = page_new(a_text, a), y = page_new(b_text, b);
    bool same = true, more = true;
    while (same && more) {
        more = next_operation(&x);
        same = more == next_operation(&y) && (!more || same_operation(&x, &y, slack));
    }
    page_clear(&x);
    page_clear(&y);
    return same;
}

/* A map from codes to characters says the same of each code that both name. */
static bool
same_map(const char *a, const char *b)
{
    g_auto(GStrv) lines = g_strsplit(a, "\n", -1);
    for (int i = 0; lines[i]; i++) {
        const char *space = strchr(lines[i], ' ');
        if (*lines[i] != '<' || !space)
            continue;
        g_autofree char *code =
            g_strdup_printf("\n%.*s ", (int)(space - lines[i]), lines[i]);
        const char *at = strstr(b, code);
        size_t length = strlen(space + 1);
        if (at && (strncmp(at + strlen(code), space + 1, length) != 0 ||
                   at[strlen(code) + length] != '\n'))
            return false;
    }
    return true;
}

/* Stream by stream word by word, and the operations of the page; those that moved are all
 * that counts of it then, and of maps what they say. What a stream is, ours tells. */
static bool
same_drawn(const Unpacked *a, const Unpacked *b, bool moved)
{
    for (guint i = 0; i < a->streams->len; i++) {
        const char *x = stream_at(a, i)->text, *y = stream_at(b, i)->text;
        if (!x && !y) /* a font */
            continue;
        if (!x || !y)
            return false;
        bool page = strstr(y, " Tf\n"), map = !page && strstr(y, "begincmap");
        if (page && !same_page(a, x, b, y, moved ? MOVED : NEARLY_NUMBER))
            return false;
        if (moved && map
                ? !same_map(x, y) || !same_map(y, x)
                : !(moved && page) && !nearly_same_words(x, y, false, NEARLY_NUMBER))
            return false;
    }
    return true;
}

/* The widths of letters, as the objects of fonts list them. owns: the caller */
static char *
widths_of(const Unpacked *file)
{
    GString *out = g_string_new(NULL);
    const char *at = file->rest->str;
    while ((at = strstr(at, "/W"))) {
        bool list = g_str_has_prefix(at, "/W ") || g_str_has_prefix(at, "/Widths ");
        size_t length = list ? strcspn(at, "]") : strlen("/W");
        g_string_append_len(out, at, list ? (gssize)length : 0);
        at += length;
    }
    return g_string_free(out, FALSE);
}

/* Are all fonts inside the same, byte by byte, and their widths? */
static bool
same_fonts(const Unpacked *a, const Unpacked *b)
{
    g_autofree char *left = widths_of(a), *right = widths_of(b);
    if (strcmp(left, right) != 0)
        return false;
    for (guint i = 0; i < a->streams->len; i++) {
        const Stream *x = stream_at(a, i), *y = stream_at(b, i);
        if (!x->text != !y->text || (!x->text && !same_stream(x, y)))
            return false;
    }
    return true;
}

/* Line by line; places, of the page and of what links lead to, may be apart so much. Those
 * that describe fonts count where the fonts inside are the same. */
static bool
same_frame(const Unpacked *a, const Unpacked *b, bool fonts, double slack)
{
    g_autofree char *left = frame_of(a, true, !fonts),
                    *right = frame_of(b, true, !fonts);
    g_auto(GStrv) x = g_strsplit(left, "\n", -1), y = g_strsplit(right, "\n", -1);
    int i = 0;
    for (; x[i] && y[i]; i++) {
        bool place = strstr(y[i], "/MediaBox") || strstr(y[i], "/XYZ");
        if (place ? !nearly_same_words(x[i], y[i], true, slack)
                  : strcmp(x[i], y[i]) != 0)
            return false;
    }
    return !x[i] && !y[i];
}

static FigSame
compare(const Unpacked *a, const Unpacked *b, const FigVersions *versions)
{
    /* what stands behind a NUL would not be compared */
    if (a->streams->len != b->streams->len || strlen(a->rest->str) != a->rest->len ||
        a->rest->len > TIMES * b->rest->len)
        return FIG_SAME_NOT;
    bool fonts = same_fonts(a, b);
    /* fonts inside follow from the font files, the texts and the cairo that packs them */
    if (!fonts && !versions->fonts && !versions->cairo)
        return FIG_SAME_NOT;
    if (packed_otherwise(a, b) || (versions->differ && fonts && same_streams(a, b) &&
                                   same_frame(a, b, fonts, SAME_NUMBER)))
        return FIG_SAME_SHOWN;
    if (same_drawn(a, b, false) && same_frame(a, b, fonts, NEARLY_NUMBER))
        return FIG_SAME_NEARLY;
    if ((versions->opfig || !fonts) && same_drawn(a, b, true) &&
        same_frame(a, b, fonts, MOVED))
        return FIG_SAME_MOVED;
    return FIG_SAME_NOT;
}

FigSame
fig_same_pdf(const char *a, size_t a_length, const char *b, size_t b_length,
             const FigVersions *versions)
{
    Unpacked x, y;
    unpack(&y, b, b_length, SIZE_MAX);
    unpack(&x, a, a_length, TIMES * y.inflated);
    FigSame same = compare(&x, &y, versions);
    clear(&x);
    clear(&y);
    return same;
}
