/* SPDX-License-Identifier: MIT
 *
 * Which fonts a figure was set with, in one line that travels in it. A version alone does
 * not say which file it was (distributions build their own), a digest alone says nothing to
 * a person, so there are both. HarfBuzz is named too: widths are what it makes of a font.
 */
#include "text/fonts.h"

#include <hb-ot.h>
#include <string.h>

enum { DIGITS = 8, MOST_VERSION = 15 };

static const char *
digest_of(FigFont *font)
{
    if (font->digest)
        return font->digest;
    hb_blob_t *blob = hb_face_reference_blob(hb_font_get_face(font->hb));
    unsigned length;
    const char *data = hb_blob_get_data(blob, &length);
    font->digest =
        g_compute_checksum_for_data(G_CHECKSUM_MD5, (const guchar *)data, length);
    hb_blob_destroy(blob);
    return font->digest;
}

/* "3.019" of "Version 3.019;git-0a5106e0b", or "?". owns: the caller */
static char *
version_of(const FigFont *font)
{
    char text[64];
    unsigned size = sizeof text;
    hb_ot_name_get_utf8(hb_font_get_face(font->hb), HB_OT_NAME_ID_VERSION_STRING,
                        HB_LANGUAGE_INVALID, &size, text);
    const char *from = text + strcspn(text, "0123456789");
    size_t length = strspn(from, "0123456789.");
    return length ? g_strndup(from, MIN(length, MOST_VERSION)) : g_strdup("?");
}

/* A family, the version of its first file, digits over those of all its files. */
static void
append_family(GString *word, const GPtrArray *used, guint first)
{
    FigFont *font = used->pdata[first];
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_MD5);
    for (guint i = first; i < used->len; i++) {
        FigFont *other = used->pdata[i];
        if (strcmp(other->family, font->family) == 0)
            g_checksum_update(sum, (const guchar *)digest_of(other), -1);
    }
    g_autofree char *version = version_of(font);
    g_autofree char *family = g_strdup(font->family);
    g_strdelimit(family, ",;()\\", ' ');
    g_string_append_printf(word, "%s %s %.*s; ", family, version, DIGITS,
                           g_checksum_get_string(sum));
}

char *
fig_fonts_word(FigFonts *fonts)
{
    g_autoptr(GPtrArray) used = fig_fonts_used(fonts);
    GString *word = g_string_new(NULL);
    for (guint i = 0; i < used->len; i++) {
        const FigFont *font = used->pdata[i];
        bool told = false;
        for (guint k = 0; k < i; k++)
            told =
                told || strcmp(((FigFont *)used->pdata[k])->family, font->family) == 0;
        if (!told)
            append_family(word, used, i);
    }
    g_string_append_printf(word, "HarfBuzz %s", hb_version_string());
    return g_string_free(word, FALSE);
}
