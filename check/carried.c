/* SPDX-License-Identifier: MIT
 *
 * The spec and the rest out of a PDF or PNG that our writers made. Only their own forms
 * are read: a file that was put together by something else carries nothing.
 */
#include "check/carried.h"

#include "base/limit.h"
#include "check/pack.h"

#include <string.h>

/* "opfig 0.1.0, cairo 1.16.0, FreeType 2.12.1": the versions. */
static void
read_versions(const char *text, FigArena *arena, FigCarried *carried)
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

/* ---- PNG ---- */

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
        read_versions(kept, arena, carried);
}

bool
fig_carried_png(const char *bytes, size_t length, FigArena *arena, FigCarried *carried)
{
    FigPngChunk chunk = {0};
    size_t at = 0;
    while (fig_png_chunk(bytes, length, &at, &chunk))
        if (memcmp(chunk.type, "iTXt", 4) == 0)
            read_itxt(&chunk, arena, carried);
    return carried->spec_text != NULL && carried->digest != NULL;
}

/* ---- PDF ---- */

/* The string behind a key of the information dictionary: (…) with escapes, or <FEFF…>.
 *
 * owns     the caller; NULL: none
 */
static char *
pdf_string(const char *bytes, size_t length, const char *key)
{
    const char *at = fig_bytes_last(bytes, length, key);
    const char *end = bytes + length;
    if (!at)
        return NULL;
    at += strlen(key);
    g_autoptr(GByteArray) raw = g_byte_array_new();
    if (*at == '(') {
        int depth = 0;
        for (at++; at < end && (depth > 0 || *at != ')'); at++) {
            depth += (*at == '(') - (*at == ')');
            at += *at == '\\' && at + 1 < end;
            g_byte_array_append(raw, (const guint8 *)at, 1);
        }
        return g_strndup((const char *)raw->data, raw->len);
    }
    if (*at != '<')
        return NULL;
    for (at++; at + 1 < end && g_ascii_isxdigit(at[0]) && g_ascii_isxdigit(at[1]);
         at += 2) {
        guint8 byte =
            (guint8)(g_ascii_xdigit_value(at[0]) * 16 + g_ascii_xdigit_value(at[1]));
        g_byte_array_append(raw, &byte, 1);
    }
    if (raw->len < 2)
        return NULL;
    return g_convert((const char *)raw->data + 2, (gssize)raw->len - 2, "UTF-8",
                     "UTF-16BE", NULL, NULL, NULL);
}

/* What stands after a word in the keywords, up to a comma, or for the last word to the
 * end. */
static const char *
keyword(const char *keywords, const char *word, bool last, FigArena *arena)
{
    const char *at = strstr(keywords, word);
    if (!at)
        return NULL;
    at += strlen(word);
    return last ? fig_arena_strdup(arena, at)
                : fig_arena_strndup(arena, at, strcspn(at, ","));
}

bool
fig_carried_pdf(const char *bytes, size_t length, FigArena *arena, FigCarried *carried)
{
    if (length < 8 || memcmp(bytes, "%PDF-", 5) != 0)
        return false;
    g_autofree char *keywords = pdf_string(bytes, length, "/Keywords ");
    g_autofree char *creator = pdf_string(bytes, length, "/Creator ");
    g_autofree char *producer = pdf_string(bytes, length, "/Producer ");
    const char *spec = fig_bytes_last(bytes, length, "<< /Type /EmbeddedFile ");
    size_t size;
    const char *stream =
        spec ? fig_pdf_stream(spec, (size_t)(bytes + length - spec), &size) : NULL;
    g_autofree char *text =
        stream ? fig_inflate(stream, size, FIG_LIMIT_FILE, NULL) : NULL;
    if (!keywords || !creator || !text)
        return false;
    read_versions(creator, arena, carried);
    if (producer)
        read_versions(producer, arena, carried);
    carried->spec_text = fig_arena_strdup(arena, text);
    carried->digest = keyword(keywords, "opfig:digest=", false, arena);
    carried->fonts = keyword(keywords, "opfig:fonts=", false, arena);
    carried->options = keyword(keywords, "opfig:options=", true, arena);
    return carried->digest != NULL;
}
