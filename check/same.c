/* SPDX-License-Identifier: MIT
 *
 * Do two pictures show the same? A PNG is decoded and compared dot by dot; of a PDF, which
 * has no dots, the streams are inflated and compared as words and numbers.
 */
#include "check/carried.h"

#include "base/num.h"
#include "check/pack.h"

#include <cairo.h>
#include <math.h>
#include <string.h>

enum {
    BLOCK = 12,               /* dots of a side of what is looked at as one */
    MOST_INFLATED = 64 << 20, /* bytes of all streams: a file made to use up memory */
};

static const double NEARLY_BLOCK = 0.12;  /* of black to white, the mean of a block */
static const double NEARLY_NUMBER = 0.06; /* points */

const char *
fig_cairo_version(void)
{
    return cairo_version_string();
}

/* ---- PNG ---- */

typedef struct Input {
    const char *bytes;
    size_t length, at;
} Input;

static cairo_status_t
read_bytes(void *data, unsigned char *out, unsigned length)
{
    Input *input = data;
    if (length > input->length - input->at)
        return CAIRO_STATUS_READ_ERROR;
    memcpy(out, input->bytes + input->at, length);
    input->at += length;
    return CAIRO_STATUS_SUCCESS;
}

/* A whole PNG, with right checksums up to its end. owns: the caller; NULL: broken */
static cairo_surface_t *
decode(const char *bytes, size_t length)
{
    FigPngChunk chunk = {0};
    size_t at = 0;
    while (fig_png_chunk(bytes, length, &at, &chunk))
        if (memcmp(chunk.type, "IEND", 4) == 0)
            break;
    if (at != length || memcmp(chunk.type, "IEND", 4) != 0)
        return NULL;
    Input input = {bytes, length, 0};
    cairo_surface_t *surface =
        cairo_image_surface_create_from_png_stream(read_bytes, &input);
    if (cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS)
        return surface;
    cairo_surface_destroy(surface);
    return NULL;
}

/* All that is no picture: sizes, resolution, texts. */
static bool
same_chunks(const char *a, size_t a_length, const char *b, size_t b_length)
{
    FigPngChunk x = {0}, y = {0};
    size_t i = 0, k = 0;
    for (;;) {
        bool more = fig_png_chunk(a, a_length, &i, &x);
        while (more && memcmp(x.type, "IDAT", 4) == 0)
            more = fig_png_chunk(a, a_length, &i, &x);
        bool other = fig_png_chunk(b, b_length, &k, &y);
        while (other && memcmp(y.type, "IDAT", 4) == 0)
            other = fig_png_chunk(b, b_length, &k, &y);
        if (!more || !other)
            return more == other;
        /* packed texts may be packed otherwise: fig_carried_png compares those that count */
        bool text = memcmp(x.type, "iTXt", 4) == 0;
        if (memcmp(x.type, y.type, 4) != 0 ||
            (!text && (x.length != y.length || memcmp(x.data, y.data, x.length) != 0)))
            return false;
    }
}

/* The mean difference of a block of dots, 0 … 1. */
static double
block_difference(cairo_surface_t *a, cairo_surface_t *b, int left, int top)
{
    int width = MIN(cairo_image_surface_get_width(a) - left, BLOCK);
    int height = MIN(cairo_image_surface_get_height(a) - top, BLOCK);
    double sum = 0;
    for (int y = 0; y < height; y++) {
        const unsigned char *p = cairo_image_surface_get_data(a) +
                                 (top + y) * cairo_image_surface_get_stride(a) +
                                 left * 4;
        const unsigned char *q = cairo_image_surface_get_data(b) +
                                 (top + y) * cairo_image_surface_get_stride(b) +
                                 left * 4;
        for (int x = 0; x < width * 4; x++)
            if (x % 4 != 3 || cairo_image_surface_get_format(a) == CAIRO_FORMAT_ARGB32)
                sum += abs(p[x] - q[x]);
    }
    return sum / (255.0 * 3 * width * height);
}

static FigSame
same_dots(cairo_surface_t *a, cairo_surface_t *b)
{
    int width = cairo_image_surface_get_width(a);
    int height = cairo_image_surface_get_height(a);
    double most = 0;
    if (width != cairo_image_surface_get_width(b) ||
        height != cairo_image_surface_get_height(b) ||
        cairo_image_surface_get_format(a) != cairo_image_surface_get_format(b))
        return FIG_SAME_NOT;
    for (int y = 0; y < height; y += BLOCK)
        for (int x = 0; x < width; x += BLOCK)
            most = MAX(most, block_difference(a, b, x, y));
    return most == 0             ? FIG_SAME_SHOWN
           : most < NEARLY_BLOCK ? FIG_SAME_NEARLY
                                 : FIG_SAME_NOT;
}

FigSame
fig_same_png(const char *a, size_t a_length, const char *b, size_t b_length)
{
    cairo_surface_t *x = decode(a, a_length), *y = decode(b, b_length);
    FigSame same = x && y ? same_dots(x, y) : FIG_SAME_NOT;
    if (same != FIG_SAME_NOT && !same_chunks(a, a_length, b, b_length))
        same = FIG_SAME_NOT;
    if (x)
        cairo_surface_destroy(x);
    if (y)
        cairo_surface_destroy(y);
    return same;
}

/* ---- PDF ---- */

typedef struct Unpacked {
    GPtrArray *streams; /* GBytes, inflated where they inflate */
    GString *raw;       /* the streams as they lie in the file */
    GString *rest; /* what is no stream, without digits: offsets and lengths follow */
} Unpacked;

static void
clear(Unpacked *file)
{
    g_ptr_array_unref(file->streams);
    g_string_free(file->raw, TRUE);
    g_string_free(file->rest, TRUE);
}

static void
append_rest(GString *rest, const char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (!g_ascii_isdigit(bytes[i]))
            g_string_append_c(rest, bytes[i]);
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
        append_rest(file->rest, bytes, (size_t)(stream - bytes));
        g_string_append_len(file->raw, stream, (gssize)size);
        g_ptr_array_add(file->streams,
                        g_bytes_new_take(text ? text : g_memdup2(stream, size), n));
        bytes = stream + size;
    }
    append_rest(file->rest, bytes, (size_t)(end - bytes));
}

/* The same in all streams, of which some are packed otherwise: a byte that was changed
 * beside them is not that. */
static bool
packed_otherwise(const Unpacked *a, const Unpacked *b)
{
    if (a->streams->len != b->streams->len || !g_string_equal(a->rest, b->rest) ||
        g_string_equal(a->raw, b->raw))
        return false;
    for (guint i = 0; i < a->streams->len; i++)
        if (!g_bytes_equal(a->streams->pdata[i], b->streams->pdata[i]))
            return false;
    return true;
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

/* Word by word; numbers with a point may differ by what nobody sees. */
static bool
nearly_same_words(const char *a, const char *b)
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
        if (!strchr(left, '.') || !fig_num_read_real(left, &from) ||
            !fig_num_read_real(right, &to) || fabs(from - to) > NEARLY_NUMBER)
            return false;
    }
}

FigSame
fig_same_pdf(const char *a, size_t a_length, const char *b, size_t b_length)
{
    Unpacked x, y;
    unpack(&x, a, a_length);
    unpack(&y, b, b_length);
    g_autofree char *left = texts(&x), *right = texts(&y);
    FigSame same = packed_otherwise(&x, &y)         ? FIG_SAME_SHOWN
                   : nearly_same_words(left, right) ? FIG_SAME_NEARLY
                                                    : FIG_SAME_NOT;
    clear(&x);
    clear(&y);
    return same;
}
