/* SPDX-License-Identifier: MIT
 *
 * The spec and the rest out of a PDF that our writer made. Only its own form is read: a file
 * that was put together by something else carries nothing.
 */
#include "check/picture.h"

#include "base/limit.h"
#include "check/pack.h"

#include <string.h>

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

static bool
read_pdf(const char *bytes, size_t length, FigArena *arena, FigCarried *carried)
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
    fig_picture_versions(creator, arena, carried);
    if (producer)
        fig_picture_versions(producer, arena, carried);
    carried->spec_text = fig_arena_strdup(arena, text);
    carried->digest = keyword(keywords, "opfig:digest=", false, arena);
    carried->fonts = keyword(keywords, "opfig:fonts=", false, arena);
    carried->options = keyword(keywords, "opfig:options=", true, arena);
    return carried->digest != NULL;
}

const FigPicture fig_picture_pdf = {
    .name = "pdf",
    .nearly = "fonts inside, places to less than 0.06 points",
    .moved = "fonts inside, places to less than 4 points",
    .read = read_pdf,
    .same = fig_same_pdf,
};
