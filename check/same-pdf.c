/* SPDX-License-Identifier: MIT
 *
 * Do two PDFs show the same? Their streams are inflated and compared as words and numbers,
 * then, where letters may be of another width, as what they draw: the same texts, colours,
 * lines and curves in the same order, each about where the other's is.
 */
#include "check/carried.h"

#include "base/num.h"
#include "check/pack.h"

#include <math.h>
#include <string.h>

enum {
    MOST_INFLATED = 64 << 20
}; /* bytes of all streams: a file made to use up memory */

static const double NEARLY_NUMBER = 0.06; /* points */
static const double MOVED = 4;            /* points, of a place */
static const double MOVED_SCALE = 1;      /* of a size of letters: blanks fill a gap */
static const double SAME_NUMBER = 1e-3;   /* of a colour, a width */

typedef struct Unpacked {
    GPtrArray *streams; /* GBytes, inflated where they inflate */
    GString *raw;       /* the streams as they lie in the file */
    GString *rest;      /* what is no stream */
} Unpacked;

static void
clear(Unpacked *file)
{
    g_ptr_array_unref(file->streams);
    g_string_free(file->raw, TRUE);
    g_string_free(file->rest, TRUE);
}

static void
unpack(Unpacked *file, const char *bytes, size_t length)
{
    const char *end = bytes + length, *stream;
    size_t size, inflated = 0;
    file->streams = g_ptr_array_new_with_free_func((GDestroyNotify)g_bytes_unref);
    file->raw = g_string_new(NULL);
    file->rest = g_string_new(NULL);
    while ((stream = fig_pdf_stream(bytes, (size_t)(end - bytes), &size))) {
        size_t n = size, most = MOST_INFLATED - MIN(inflated, MOST_INFLATED);
        char *text = fig_inflate(stream, size, most, &n);
        inflated += n;
        g_string_append_len(file->rest, bytes, stream - bytes);
        g_string_append_len(file->raw, stream, (gssize)size);
        g_ptr_array_add(file->streams,
                        g_bytes_new_take(text ? text : g_memdup2(stream, size), n));
        bytes = stream + size + strlen("endstream"); /* which holds a "stream" */
    }
    g_string_append_len(file->rest, bytes, end - bytes);
}

/* ---- what is no stream ---- */

/* The number in a line that follows from how streams are packed, or NULL. */
static const char *
place_in(const char *line)
{
    static const char *const names[] = {"/Length ", "/Prev "};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        const char *at = strstr(line, names[i]);
        if (at && !strstr(at, " R"))
            return at + strlen(names[i]);
    }
    return NULL;
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

/* The objects of a file but for what follows from how its streams are packed: their lengths,
 * which stand in objects of their own, and where all objects are.
 *
 * owns     the caller
 * versions, fonts   without the lines that name versions, without what describes the fonts
 *                   inside
 */
static char *
frame_of(const Unpacked *file, bool versions, bool fonts)
{
    g_auto(GStrv) lines = g_strsplit(file->rest->str, "\n", -1);
    GString *out = g_string_new(NULL);
    bool listed = false;
    for (int i = 0; lines[i]; i++) {
        const char *line = lines[i] + strspn(lines[i], " ");
        listed = (listed || strcmp(line, "xref") == 0) && strcmp(line, "trailer") != 0;
        bool number = *line && strspn(line, "0123456789") == strlen(line);
        if (listed || number || (versions && names_version(line)))
            continue;
        const char *place = place_in(line);
        if (place)
            g_string_append_printf(out, "%.*s%s\n", (int)(place - line), line,
                                   place + strspn(place, "0123456789"));
        else if (fonts && strstr(line, "/Type /Font"))
            while (lines[i + 1] && strcmp(lines[i + 1], "endobj") != 0)
                i++;
        else
            g_string_append_printf(out, "%s\n", line);
    }
    return g_string_free(out, FALSE);
}

static bool
same_streams(const Unpacked *a, const Unpacked *b)
{
    if (a->streams->len != b->streams->len)
        return false;
    for (guint i = 0; i < a->streams->len; i++)
        if (!g_bytes_equal(a->streams->pdata[i], b->streams->pdata[i]))
            return false;
    return true;
}

/* The same in all streams, of which some are packed otherwise: a byte that was changed
 * beside them is not that. */
static bool
packed_otherwise(const Unpacked *a, const Unpacked *b)
{
    g_autofree char *x = frame_of(a, false, false), *y = frame_of(b, false, false);
    return strcmp(x, y) == 0 && same_streams(a, b) && !g_string_equal(a->raw, b->raw);
}

/* A stream that is text, or NULL: a font. owns: the caller */
static char *
text_of(const Unpacked *file, guint stream)
{
    gsize length;
    const char *text = g_bytes_get_data(file->streams->pdata[stream], &length);
    return text && g_utf8_validate(text, (gssize)length, NULL) ? g_strndup(text, length)
                                                               : NULL;
}

/* All streams that are text: what is drawn, maps of characters, the description. owns: the
 * caller */
static char *
texts(const Unpacked *file)
{
    GString *out = g_string_new(NULL);
    for (guint i = 0; i < file->streams->len; i++) {
        gsize length;
        const char *text = g_bytes_get_data(file->streams->pdata[i], &length);
        if (text && g_utf8_validate(text, (gssize)length, NULL))
            g_string_append_len(g_string_append_c(out, '\n'), text, (gssize)length);
    }
    return g_string_free(out, FALSE);
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

/* The operands before an operator: numbers, and all strings as one. Numbers between the
 * pieces of a text are how its letters are spaced. */
typedef struct Operation {
    char op[8];
    GArray *numbers; /* double */
    GString *text;
} Operation;

static void
operation_begin(Operation *one)
{
    *one->op = '\0';
    g_array_set_size(one->numbers, 0);
    g_string_truncate(one->text, 0);
}

/* The string in parentheses at *text, without the signs that escape. */
static void
read_string(const char **text, GString *out)
{
    int depth = 0;
    for ((*text)++; **text && (depth > 0 || **text != ')'); (*text)++) {
        depth += (**text == '(') - (**text == ')');
        if (**text == '\\' && (*text)[1])
            (*text)++;
        g_string_append_c(out, **text);
    }
    *text += **text == ')';
}

/* The next operation of a page; false: there is none. */
static bool
next_operation(const char **text, Operation *one)
{
    static const char ends[] = " \n\r\t()<>[]/";
    bool spaced = false;
    operation_begin(one);
    for (;;) {
        *text += strspn(*text, " \n\r\t");
        if (!**text)
            return false;
        if (**text == '(') {
            read_string(text, one->text);
        } else if (**text == '[' || **text == ']') {
            spaced = **text == '[';
            (*text)++;
        } else if (strchr("<>)", **text)) {
            size_t length = strcspn(*text + 1, " \n\r\t()<>[]") + 1;
            g_string_append_len(one->text, *text, (gssize)length);
            *text += length;
        } else {
            size_t length = strcspn(*text + 1, ends) + 1;
            g_autofree char *word = g_strndup(*text, length);
            double number;
            *text += length;
            if (fig_num_read_real(word, &number)) {
                if (!spaced || !one->text->len) /* a dash has no text */
                    g_array_append_val(one->numbers, number);
            } else if (*word == '/') {
                g_string_append(one->text, word);
            } else {
                g_strlcpy(one->op, strcmp(word, "TJ") == 0 ? "Tj" : word,
                          sizeof one->op);
                return true;
            }
        }
    }
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
same_operation(const Operation *a, const Operation *b)
{
    double first, last;
    if (strcmp(a->op, b->op) != 0 || a->numbers->len != b->numbers->len ||
        !g_string_equal(a->text, b->text))
        return false;
    slack_of(a->op, &first, &last);
    for (guint i = 0; i < a->numbers->len; i++) {
        double x = g_array_index(a->numbers, double, i);
        double y = g_array_index(b->numbers, double, i);
        if (!(fabs(x - y) <= (i + 2 < a->numbers->len ? first : last)))
            return false;
    }
    return true;
}

static bool
same_page(const char *a, const char *b)
{
    Operation x = {.numbers = g_array_new(FALSE, FALSE, sizeof(double)),
                   .text = g_string_new(NULL)};
    Operation y = {.numbers = g_array_new(FALSE, FALSE, sizeof(double)),
                   .text = g_string_new(NULL)};
    bool same = true;
    while (same) {
        bool more = next_operation(&a, &x), other = next_operation(&b, &y);
        same = more == other && (!more || same_operation(&x, &y));
        if (!more || !other)
            break;
    }
    g_array_unref(x.numbers);
    g_array_unref(y.numbers);
    g_string_free(x.text, TRUE);
    g_string_free(y.text, TRUE);
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

/* Stream by stream: the page and the maps as above, other texts word by word. */
static bool
moved_a_little(const Unpacked *a, const Unpacked *b)
{
    if (a->streams->len != b->streams->len)
        return false;
    for (guint i = 0; i < a->streams->len; i++) {
        g_autofree char *x = text_of(a, i), *y = text_of(b, i);
        bool map = x && strstr(x, "begincmap");
        bool page = x && strstr(x, " Tf\n");
        if (!x || !y) { /* a font */
            if (x || y)
                return false;
            continue;
        }
        if (page  ? !same_page(x, y)
            : map ? !same_map(x, y) || !same_map(y, x)
                  : !nearly_same_words(x, y, false, NEARLY_NUMBER))
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
    for (guint i = 0; i < a->streams->len && i < b->streams->len; i++) {
        g_autofree char *x = text_of(a, i), *y = text_of(b, i);
        if (!x != !y ||
            (!x && !g_bytes_equal(a->streams->pdata[i], b->streams->pdata[i])))
            return false;
    }
    return a->streams->len == b->streams->len;
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

FigSame
fig_same_pdf(const char *a, size_t a_length, const char *b, size_t b_length,
             const FigVersions *versions)
{
    Unpacked x, y;
    unpack(&x, a, a_length);
    unpack(&y, b, b_length);
    g_autofree char *left = texts(&x), *right = texts(&y);
    bool fonts = same_fonts(&x, &y);
    FigSame same = FIG_SAME_NOT;
    bool named = versions->differ != NULL;
    if (packed_otherwise(&x, &y) ||
        (named && same_streams(&x, &y) && same_frame(&x, &y, fonts, SAME_NUMBER)))
        same = FIG_SAME_SHOWN;
    else if (nearly_same_words(left, right, false, NEARLY_NUMBER) &&
             same_frame(&x, &y, fonts, NEARLY_NUMBER))
        same = FIG_SAME_NEARLY;
    else if ((versions->opfig || !fonts) && moved_a_little(&x, &y) &&
             same_frame(&x, &y, fonts, MOVED))
        same = FIG_SAME_MOVED;
    clear(&x);
    clear(&y);
    return same;
}
