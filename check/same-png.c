/* SPDX-License-Identifier: MIT
 *
 * Do two PNGs show the same? They are decoded and compared dot by dot, with what is around
 * each dot, where edges are smoothed otherwise; then tile by tile, each of which is to be
 * found whole within 1.3 points of its place, as letters of another width move it.
 */
#include "check/same.h"

#include "check/pack.h"

#include <cairo.h>
#include <string.h>

enum {
    /* Of 255, beyond the dots around. Measured: poppler's drawing of our PDF, whose letters
     * lie otherwise between the dots, is 15 off at most; a line of one dot more than 200. */
    SHADE = 24,
    TILE = 16,       /* dots of a side: about a letter */
    OTHER_SIZE = 18, /* dots that a page may be larger or smaller by: 4 pt */
    /* dots a metre, 300 an inch: below, a line is hardly wider than a dot, and what is around
     * a dot says nothing of it */
    FINE = 11811,
};

/* points: less than from one figure of a number to the next. Measured: letters of another
 * width move what stands behind them by up to 1.2. */
static const double MOVED = 1.3;

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

/* Packed texts may be packed otherwise; what a figure carries is compared by itself. */
static bool
same_text(const FigPngChunk *a, const FigPngChunk *b)
{
    const char *key, *other;
    g_autofree char *x = fig_png_text(a, &key), *y = fig_png_text(b, &other);
    if (!x || !y || strcmp(key, other) != 0)
        return false;
    return strcmp(x, y) == 0 || g_str_has_prefix(key, "opfig:") ||
           strcmp(key, "Software") == 0;
}

/* All that is no picture: sizes (of pictures of one size), resolution, texts. */
static bool
same_chunks(const char *a, size_t a_length, const char *b, size_t b_length, bool sizes)
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
        bool text = memcmp(x.type, "iTXt", 4) == 0 && same_text(&x, &y);
        text = text || (!sizes && memcmp(x.type, "IHDR", 4) == 0);
        if (memcmp(x.type, y.type, 4) != 0 ||
            (!text && (x.length != y.length || memcmp(x.data, y.data, x.length) != 0)))
            return false;
    }
}

/* Dots a metre, as a PNG of ours says; 0: it does not. */
static guint32
dots_of(const char *bytes, size_t length)
{
    FigPngChunk chunk = {0};
    size_t at = 0;
    guint32 dots = 0;
    while (!dots && fig_png_chunk(bytes, length, &at, &chunk))
        if (memcmp(chunk.type, "pHYs", 4) == 0 && chunk.length > sizeof dots)
            memcpy(&dots, chunk.data, sizeof dots);
    return GUINT32_FROM_BE(dots);
}

/* How far a channel of a dot is from what the dot's place and those around it have in the
 * other picture, of 255: 0 where it lies between the least and the most of them. */
static int
outside(cairo_surface_t *picture, int x, int y, int channel, int value)
{
    const unsigned char *data = cairo_image_surface_get_data(picture);
    int stride = cairo_image_surface_get_stride(picture);
    int right = MIN(x + 1, cairo_image_surface_get_width(picture) - 1);
    int bottom = MIN(y + 1, cairo_image_surface_get_height(picture) - 1);
    int least = 255, most = 0;
    for (int v = MAX(y - 1, 0); v <= bottom; v++)
        for (int u = MAX(x - 1, 0); u <= right; u++) {
            int other = data[v * stride + u * 4 + channel];
            least = MIN(least, other);
            most = MAX(most, other);
        }
    return MAX(MAX(least - value, value - most), 0);
}

/* Of all dots of two pictures of one size, how far the furthest is outside, or of such as
 * are not fine, off; -1: no dot differs. Where an edge falls between dots makes shades of
 * what is on both sides of it. */
static int
furthest(cairo_surface_t *a, cairo_surface_t *b, bool fine)
{
    int width = cairo_image_surface_get_width(a);
    int height = cairo_image_surface_get_height(a);
    int channels = cairo_image_surface_get_format(a) == CAIRO_FORMAT_ARGB32 ? 4 : 3;
    int most = -1;
    for (int y = 0; y < height; y++) {
        const unsigned char *p =
            cairo_image_surface_get_data(a) + y * cairo_image_surface_get_stride(a);
        const unsigned char *q =
            cairo_image_surface_get_data(b) + y * cairo_image_surface_get_stride(b);
        for (int x = 0; x < width; x++)
            for (int c = 0; c < channels; c++) {
                int own = p[x * 4 + c], other = q[x * 4 + c];
                if (own == other)
                    continue;
                most = MAX(most, 0);
                if (abs(own - other) > SHADE && !fine) {
                    most = MAX(most, abs(own - other));
                } else if (abs(own - other) > SHADE) {
                    most = MAX(most, outside(b, x, y, c, own));
                    most = MAX(most, outside(a, x, y, c, other));
                }
            }
    }
    return most;
}

/* ---- what is moved a little ---- */

/* Are all dots of a tile of a, at x and y, between those around their places in b, which are
 * so much further right and lower? */
static bool
tile_there(cairo_surface_t *a, cairo_surface_t *b, int x, int y, int right, int lower)
{
    int x_end = MIN(x + TILE, cairo_image_surface_get_width(a));
    int y_end = MIN(y + TILE, cairo_image_surface_get_height(a));
    int last_x = cairo_image_surface_get_width(b) - 1;
    int last_y = cairo_image_surface_get_height(b) - 1;
    int stride = cairo_image_surface_get_stride(a);
    for (int v = y; v < y_end; v++)
        for (int u = x; u < x_end; u++) {
            const unsigned char *dot =
                cairo_image_surface_get_data(a) + (gsize)v * stride + u * 4;
            for (int c = 0; c < 3; c++)
                if (outside(b, CLAMP(u + right, 0, last_x), CLAMP(v + lower, 0, last_y),
                            c, dot[c]) > SHADE)
                    return false;
        }
    return true;
}

/* Is a tile of a anywhere near its place in b? at: how far the last one was moved, tried
 * before all others, and how far this one is */
static bool
tile_nearby(cairo_surface_t *a, cairo_surface_t *b, int x, int y, int reach, int at[2])
{
    if (tile_there(a, b, x, y, 0, 0) || tile_there(a, b, x, y, at[0], at[1]))
        return true;
    for (at[1] = -reach; at[1] <= reach; at[1]++)
        for (at[0] = -reach; at[0] <= reach; at[0]++)
            if (tile_there(a, b, x, y, at[0], at[1]))
                return true;
    return false;
}

static bool
found_nearby(cairo_surface_t *a, cairo_surface_t *b, int reach)
{
    int at[2] = {0, 0};
    for (int y = 0; y < cairo_image_surface_get_height(a); y += TILE)
        for (int x = 0; x < cairo_image_surface_get_width(a); x += TILE)
            if (!tile_nearby(a, b, x, y, reach, at))
                return false;
    return true;
}

/* dots: a metre */
static bool
moved_a_little(cairo_surface_t *a, cairo_surface_t *b, guint32 dots)
{
    int reach = (int)(MOVED / 72 * 0.0254 * dots);
    return dots >= FINE &&
           abs(cairo_image_surface_get_width(a) - cairo_image_surface_get_width(b)) <=
               OTHER_SIZE &&
           abs(cairo_image_surface_get_height(a) - cairo_image_surface_get_height(b)) <=
               OTHER_SIZE &&
           found_nearby(a, b, reach) && found_nearby(b, a, reach);
}

/* ---- both ---- */

static FigSame
same_dots(cairo_surface_t *a, cairo_surface_t *b, guint32 dots)
{
    int width = cairo_image_surface_get_width(a);
    int height = cairo_image_surface_get_height(a);
    if (cairo_image_surface_get_format(a) != cairo_image_surface_get_format(b))
        return FIG_SAME_NOT;
    if (width != cairo_image_surface_get_width(b) ||
        height != cairo_image_surface_get_height(b))
        return moved_a_little(a, b, dots) ? FIG_SAME_MOVED : FIG_SAME_NOT;
    int most = furthest(a, b, dots >= FINE);
    return most < 0                     ? FIG_SAME_SHOWN
           : most <= SHADE              ? FIG_SAME_NEARLY
           : moved_a_little(a, b, dots) ? FIG_SAME_MOVED
                                        : FIG_SAME_NOT;
}

FigSame
fig_same_png(const char *a, size_t a_length, const char *b, size_t b_length,
             const FigVersions *versions)
{
    (void)versions; /* dots are dots */
    cairo_surface_t *x = decode(a, a_length), *y = decode(b, b_length);
    FigSame same = x && y ? same_dots(x, y, dots_of(b, b_length)) : FIG_SAME_NOT;
    if (same != FIG_SAME_NOT &&
        !same_chunks(a, a_length, b, b_length, same != FIG_SAME_MOVED))
        same = FIG_SAME_NOT;
    if (x)
        cairo_surface_destroy(x);
    if (y)
        cairo_surface_destroy(y);
    return same;
}
