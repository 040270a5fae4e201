/* SPDX-License-Identifier: MIT
 *
 * Do two PNGs show the same? They are decoded and compared dot by dot, with what is around
 * each dot, where edges are smoothed otherwise; then by whether each small block has its like
 * nearby, which letters of another width hardly change.
 */
#include "check/same.h"

#include "check/pack.h"

#include <cairo.h>
#include <math.h>
#include <string.h>

enum {
    /* Of 255, beyond the dots around. Measured: poppler's drawing of our PDF, whose letters
     * lie otherwise between the dots, is 15 off at most; a line of one dot more than 200. */
    SHADE = 24,
    SMALL = 4,       /* dots of a side of what is looked at as one: 0.9 pt */
    OTHER_SIZE = 18, /* dots that a page may be larger or smaller by: 4 pt */
};

/* Of black to white, the mean of a small block beyond the lightest and darkest around it.
 * Measured: letters of another width, which move what is beside them by half a point, make
 * less than 0.24; a mark moved by 3 points and a line left out more than 0.57. */
static const double MOVED_BLOCK = 0.4;

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

/* Of all dots of two pictures of one size, how far the furthest is outside; -1: no dot
 * differs. Where an edge falls between dots makes shades of what is on both sides of it. */
static int
furthest(cairo_surface_t *a, cairo_surface_t *b)
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
                if (abs(own - other) > SHADE) {
                    most = MAX(most, outside(b, x, y, c, own));
                    most = MAX(most, outside(a, x, y, c, other));
                }
            }
    }
    return most;
}

/* ---- what is moved a little ---- */

/* The means of the blocks of a picture, 0 … 1, a row of blocks after the other. */
typedef struct Blocks {
    int across, down;
    double *mean;
} Blocks;

static Blocks
blocks_of(cairo_surface_t *surface)
{
    int width = cairo_image_surface_get_width(surface);
    int height = cairo_image_surface_get_height(surface);
    int stride = cairo_image_surface_get_stride(surface);
    const unsigned char *data = cairo_image_surface_get_data(surface);
    Blocks blocks = {(width + SMALL - 1) / SMALL, (height + SMALL - 1) / SMALL, NULL};
    blocks.mean = g_new0(double, (gsize)blocks.across *(gsize)blocks.down);
    for (int y = 0; y < height; y++) {
        const unsigned char *row = data + (gsize)y * stride;
        double *mean = blocks.mean + (gsize)(y / SMALL) * blocks.across;
        int rows = MIN(SMALL, height - y / SMALL * SMALL);
        for (int x = 0; x < width; x++) {
            int columns = MIN(SMALL, width - x / SMALL * SMALL);
            const unsigned char *dot = row + x * 4;
            mean[x / SMALL] += (dot[0] + dot[1] + dot[2]) / (765.0 * rows * columns);
        }
    }
    return blocks;
}

/* Has each block of a its like in or around its place in b: lighter than the darkest
 * there, darker than the lightest? */
static bool
found_nearby(const Blocks *a, const Blocks *b)
{
    for (int y = 0; y < MIN(a->down, b->down); y++) {
        for (int x = 0; x < MIN(a->across, b->across); x++) {
            double least = 1, most = 0, mean = a->mean[y * a->across + x];
            for (int v = MAX(y - 1, 0); v <= MIN(y + 1, b->down - 1); v++)
                for (int u = MAX(x - 1, 0); u <= MIN(x + 1, b->across - 1); u++) {
                    least = MIN(least, b->mean[v * b->across + u]);
                    most = MAX(most, b->mean[v * b->across + u]);
                }
            if (mean < least - MOVED_BLOCK || mean > most + MOVED_BLOCK)
                return false;
        }
    }
    return true;
}

static bool
moved_a_little(cairo_surface_t *a, cairo_surface_t *b)
{
    if (abs(cairo_image_surface_get_width(a) - cairo_image_surface_get_width(b)) >
            OTHER_SIZE ||
        abs(cairo_image_surface_get_height(a) - cairo_image_surface_get_height(b)) >
            OTHER_SIZE)
        return false;
    Blocks x = blocks_of(a), y = blocks_of(b);
    bool same = found_nearby(&x, &y) && found_nearby(&y, &x);
    g_free(x.mean);
    g_free(y.mean);
    return same;
}

/* ---- both ---- */

static FigSame
same_dots(cairo_surface_t *a, cairo_surface_t *b)
{
    int width = cairo_image_surface_get_width(a);
    int height = cairo_image_surface_get_height(a);
    if (cairo_image_surface_get_format(a) != cairo_image_surface_get_format(b))
        return FIG_SAME_NOT;
    if (width != cairo_image_surface_get_width(b) ||
        height != cairo_image_surface_get_height(b))
        return moved_a_little(a, b) ? FIG_SAME_MOVED : FIG_SAME_NOT;
    int most = furthest(a, b);
    return most < 0               ? FIG_SAME_SHOWN
           : most <= SHADE        ? FIG_SAME_NEARLY
           : moved_a_little(a, b) ? FIG_SAME_MOVED
                                  : FIG_SAME_NOT;
}

FigSame
fig_same_png(const char *a, size_t a_length, const char *b, size_t b_length,
             const FigVersions *versions)
{
    (void)versions; /* dots are dots */
    cairo_surface_t *x = decode(a, a_length), *y = decode(b, b_length);
    FigSame same = x && y ? same_dots(x, y) : FIG_SAME_NOT;
    if (same != FIG_SAME_NOT &&
        !same_chunks(a, a_length, b, b_length, same != FIG_SAME_MOVED))
        same = FIG_SAME_NOT;
    if (x)
        cairo_surface_destroy(x);
    if (y)
        cairo_surface_destroy(y);
    return same;
}
