/* SPDX-License-Identifier: MIT
 *
 * The spec and the rest out of a PNG that our writer made. Only its own form is read: a file
 * that was put together by something else carries nothing.
 */
#include "check/picture.h"

#include "check/pack.h"

#include <string.h>

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

const FigPicture fig_picture_png = {
    .name = "png",
    .nearly = "shades of edges and letters",
    .moved = "what is smaller than a point",
    .read = read_png,
    .same = fig_same_png,
};
