/* SPDX-License-Identifier: MIT
 *
 * cairo 1.16 has six metadata fields and no attachments, so the spec is added the way the
 * format provides for: an incremental update after the end, with a new catalog that names
 * an embedded file. Only the shape that cairo writes is understood, and anything else is
 * left alone.
 */
#include "render/pdf-attach.h"

#include <gio/gio.h>
#include <string.h>

/* The whole number after key, looked for from `from`; -1 when there is none. */
static gint64
number_after(const char *from, const char *key)
{
    const char *at = from ? strstr(from, key) : NULL;
    return at ? g_ascii_strtoll(at + strlen(key), NULL, 10) : -1;
}

/* The last place of word; the streams before it hold bytes of any value. */
static const char *
last(const GString *pdf, const char *word)
{
    size_t length = strlen(word);
    for (gsize i = pdf->len - MIN(pdf->len, length) + 1; i-- > 0;)
        if (!memcmp(pdf->str + i, word, length))
            return pdf->str + i;
    return NULL;
}

/* A file name that needs no escapes in a PDF string. */
static char *
file_name(const FigScene *scene)
{
    GString *name = g_string_new(NULL);
    for (const char *c = scene->id ? scene->id : "spec"; *c; c++)
        g_string_append_c(name,
                          g_ascii_isalnum(*c) || *c == '-' || *c == '.' ? *c : '_');
    g_string_append(name, ".yaml");
    return g_string_free(name, FALSE);
}

/* Deflate text as a PDF stream wants it; false if it will not go.
 *
 * owns     *bytes is the caller's
 */
static bool
deflate_text(const char *text, size_t length, char **bytes, gsize *count)
{
    g_autoptr(GZlibCompressor) zlib =
        g_zlib_compressor_new(G_ZLIB_COMPRESSOR_FORMAT_ZLIB, 9);
    gsize room = length + length / 100 + 64,
          taken = 0; /* more than deflate ever adds */
    *bytes = g_malloc(room);
    GConverterResult result =
        g_converter_convert(G_CONVERTER(zlib), text, length, *bytes, room,
                            G_CONVERTER_INPUT_AT_END, &taken, count, NULL);
    if (result == G_CONVERTER_FINISHED && taken == length)
        return true;
    g_clear_pointer(bytes, g_free);
    return false;
}

bool
fig_pdf_attach(GString *pdf, const FigScene *scene)
{
    const char *trailer = last(pdf, "\ntrailer\n");
    gint64 size = number_after(trailer, "/Size "),
           root = number_after(trailer, "/Root ");
    gint64 info = number_after(trailer, "/Info ");
    gint64 xref = number_after(trailer, "startxref\n");
    const char *catalog = last(pdf, "<< /Type /Catalog");
    const char *end = catalog ? strstr(catalog, "\n>>\nendobj") : NULL;
    if (pdf->len < 64 || size < 0 || root < 0 || info < 0 || xref < 0 || !end ||
        end > trailer)
        return false;
    g_autofree char *body = g_strndup(catalog, (gsize)(end - catalog));
    if (strstr(body, "/Names"))
        return false;
    g_autofree char *name = file_name(scene);
    size_t length = strlen(scene->spec_text);
    g_autofree char *packed = NULL;
    gsize packed_length = 0;
    if (!deflate_text(scene->spec_text, length, &packed, &packed_length))
        return false;

    gsize at_catalog = pdf->len;
    g_string_append_printf(
        pdf,
        "%d 0 obj\n%s\n   /Names << /EmbeddedFiles << /Names [ (%s) %d "
        "0 R ] >> >>\n>>\nendobj\n",
        (int)root, body, name, (int)size);
    gsize at_file = pdf->len;
    g_string_append_printf(pdf,
                           "%d 0 obj\n<< /Type /Filespec /F (%s) /UF (%s)\n"
                           "   /Desc (the spec that this figure was drawn from)\n"
                           "   /EF << /F %d 0 R >>\n>>\nendobj\n",
                           (int)size, name, name, (int)size + 1);
    gsize at_stream = pdf->len;
    g_string_append_printf(
        pdf,
        "%d 0 obj\n<< /Type /EmbeddedFile /Subtype /application#2Fyaml\n"
        "   /Filter /FlateDecode /Length %zu /Params << /Size %zu >>\n>>\nstream\n",
        (int)size + 1, packed_length, length);
    g_string_append_len(pdf, packed, (gssize)packed_length);
    g_string_append(pdf, "\nendstream\nendobj\n");
    gsize at_xref = pdf->len;
    g_string_append_printf(pdf,
                           "xref\n%d 1\n%010zu 00000 n \n%d 2\n%010zu 00000 n \n%010zu "
                           "00000 n \n",
                           (int)root, at_catalog, (int)size, at_file, at_stream);
    g_string_append_printf(pdf,
                           "trailer\n<< /Size %d\n   /Root %d 0 R\n   /Info %d 0 R\n   "
                           "/Prev %d\n>>\nstartxref\n%zu\n%%%%EOF\n",
                           (int)size + 2, (int)root, (int)info, (int)xref, at_xref);
    return true;
}
