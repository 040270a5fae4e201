/* SPDX-License-Identifier: MIT
 *
 * The spec and the rest out of a PNG that our writer made. Only its own form is read: a file
 * that was put together by something else carries nothing.
 */
#include "check/picture.h"

#include "check/pack.h"

#include <math.h>
#include <string.h>

enum {
    MOST_DOTS =
        40 << 20, /* of a picture that is drawn again: 160 MB, and as much of theirs */
};

static const double POINT = 72, METRE = 1 / 0.0254; /* of an inch */

static void
read_itxt(const FigPngChunk *chunk, FigArena *arena, FigCarried *carried)
{
    const char *key;
    g_autofree char *text = fig_png_text(chunk, &key);
    if (!text)
        return;
    const char *kept = fig_arena_strdup(arena, text);
    if (strcmp(key, "opfig:spec") == 0)
        carried->spec_text = kept;
    else if (strcmp(key, "opfig:options") == 0)
        carried->options = kept;
    else if (strcmp(key, "opfig:digest") == 0)
        carried->digest = kept;
    else if (strcmp(key, "opfig:fonts") == 0)
        carried->fonts = kept;
    else if (strcmp(key, "Software") == 0)
        fig_picture_versions(kept, arena, carried);
}

static bool
read_png(const char *bytes, size_t length, FigArena *arena, FigCarried *carried)
{
    FigPngChunk chunk = {0};
    size_t at = 0;
    while (fig_png_chunk(bytes, length, &at, &chunk))
        if (memcmp(chunk.type, "iTXt", 4) == 0)
            read_itxt(&chunk, arena, carried);
    return carried->spec_text != NULL && carried->digest != NULL;
}

/* Keep of a range what rounds to so many when it is multiplied. */
static void
keep(double range[2], guint32 rounded, double factor)
{
    range[0] = MAX(range[0], (rounded - 0.5) / factor);
    range[1] = MIN(range[1], (rounded + 0.5) / factor);
}

/* Whatever was asked for: the same size and number of dots give the same picture. */
static double
dpi_of_png(const char *bytes, size_t length, double width, double height)
{
    enum { IHDR = 13, PHYS = 9 }; /* bytes */
    double range[2] = {0, INFINITY};
    FigPngChunk chunk = {0};
    size_t at = 0;
    while (fig_png_chunk(bytes, length, &at, &chunk)) {
        if (memcmp(chunk.type, "IHDR", 4) == 0 && chunk.length == IHDR) {
            guint32 across = fig_png_number(chunk.data),
                    down = fig_png_number(chunk.data + 4);
            if ((double)across * down > MOST_DOTS)
                return NAN;
            keep(range, across, width / POINT);
            keep(range, down, height / POINT);
        } else if (memcmp(chunk.type, "pHYs", 4) == 0 && chunk.length == PHYS) {
            keep(range, fig_png_number(chunk.data), METRE);
        }
    }
    bool any = range[0] > 0 && range[0] < range[1] && isfinite(range[1]);
    return any ? (range[0] + range[1]) / 2 : 0;
}

const FigPicture fig_picture_png = {
    .name = "png",
    .nearly = "shades of edges and letters",
    .moved = "places to less than 1.3 points",
    .read = read_png,
    .same = fig_same_png,
    .dpi = dpi_of_png,
};
