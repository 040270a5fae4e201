/* SPDX-License-Identifier: MIT
 *
 * The table of pictures, generated from the list of words in check/meson.build: a word `pdf`
 * there stands for the row fig_picture_pdf in check/picture-pdf.c.
 */
#include "check/picture.h"

#include <string.h>

#include "check/picture-table.h"

const FigPicture *
fig_picture_lookup(const char *name)
{
    for (const FigPicture *const *row = picture_table; *row; row++)
        if (strcmp((*row)->name, name) == 0)
            return *row;
    return NULL;
}

void
fig_picture_versions(const char *text, FigArena *arena, FigCarried *carried)
{
    const char *cairo = strstr(text, "cairo ");
    const char *freetype = strstr(text, "FreeType ");
    if (g_str_has_prefix(text, "opfig "))
        carried->version = fig_arena_strndup(arena, text + 6, strcspn(text + 6, ", "));
    if (cairo)
        carried->cairo = fig_arena_strndup(arena, cairo + 6, strcspn(cairo + 6, " ,)"));
    if (freetype)
        carried->freetype =
            fig_arena_strndup(arena, freetype + 9, strcspn(freetype + 9, " ,)"));
}
