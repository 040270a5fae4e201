/* SPDX-License-Identifier: MIT
 *
 * cairo 1.16 has six metadata fields and no attachments, so the spec and the description
 * are added the way the format provides for: an incremental update after the end, with a
 * new catalog that names an embedded file and XMP. Only the shape that cairo writes is
 * understood, and anything else is left alone.
 */
#include "render/pdf-attach.h"

#include "base/xml.h"

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

/* The objects of an update: the first numbers from `first` on, in order. */
typedef struct Update {
    GString *pdf;
    int first, n;
    gsize at[4]; /* where they begin in the file */
} Update;

/* Begin the next object; its number. */
static int
begin(Update *update)
{
    int number = update->first + update->n;
    update->at[update->n++] = update->pdf->len;
    g_string_append_printf(update->pdf, "%d 0 obj\n", number);
    return number;
}

/* A stream of deflated text whose dictionary begins with `keys`; its number, 0: none. */
static int
add_stream(Update *update, const char *keys, const char *text)
{
    g_autofree char *packed = NULL;
    gsize packed_length = 0;
    if (!deflate_text(text, strlen(text), &packed, &packed_length))
        return 0;
    int number = begin(update);
    g_string_append_printf(update->pdf,
                           "<< %s\n   /Filter /FlateDecode /Length %zu\n>>\nstream\n",
                           keys, packed_length);
    g_string_append_len(update->pdf, packed, (gssize)packed_length);
    g_string_append(update->pdf, "\nendstream\nendobj\n");
    return number;
}

/* The spec as a file in the PDF; the number of what the catalog names, 0: none. */
static int
add_spec(Update *update, const FigScene *scene, const char *name)
{
    if (!scene->spec_text || !*scene->spec_text)
        return 0;
    g_autofree char *keys = g_strdup_printf(
        "/Type /EmbeddedFile /Subtype /application#2Fyaml /Params << /Size %zu >>",
        strlen(scene->spec_text));
    int stream = add_stream(update, keys, scene->spec_text);
    if (!stream)
        return 0;
    int file = begin(update);
    g_string_append_printf(update->pdf,
                           "<< /Type /Filespec /F (%s) /UF (%s)\n"
                           "   /Desc (the spec that this figure was drawn from)\n"
                           "   /EF << /F %d 0 R >>\n>>\nendobj\n",
                           name, name, stream);
    return file;
}

static void
append_property(GString *xmp, const char *name, const char *list, const char *text)
{
    if (!text || !*text)
        return;
    g_string_append_printf(xmp, "<dc:%s><rdf:%s><rdf:li%s>", name, list,
                           strcmp(list, "Alt") ? "" : " xml:lang=\"x-default\"");
    fig_escape_text(xmp, text);
    g_string_append_printf(xmp, "</rdf:li></rdf:%s></dc:%s>\n", list, name);
}

/* Title, author and the whole description as XMP, which may be deflated: in the document's
 * information each of its letters would take four bytes. */
static int
add_metadata(Update *update, const FigScene *scene)
{
    g_autoptr(GString) xmp = g_string_new(
        "<?xpacket begin=\"\uFEFF\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\n"
        "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\">"
        "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">"
        "<rdf:Description rdf:about=\"\" "
        "xmlns:dc=\"http://purl.org/dc/elements/1.1/\">\n");
    append_property(xmp, "title", "Alt", scene->title);
    append_property(xmp, "creator", "Seq", scene->author);
    append_property(xmp, "description", "Alt", scene->description);
    g_string_append(xmp, "</rdf:Description></rdf:RDF></x:xmpmeta>\n"
                         "<?xpacket end=\"r\"?>");
    return add_stream(update, "/Type /Metadata /Subtype /XML", xmp->str);
}

/* Cut what names the catalog has, an object that holds destinations alone, out of its body;
 * false: they are of another shape. *dests is the number of the destinations, 0: none. */
static bool
take_names(const GString *pdf, GString *body, int *dests)
{
    *dests = 0;
    char *names = strstr(body->str, "\n   /Names ");
    if (!names)
        return true;
    g_autofree char *object =
        g_strdup_printf("\n%d 0 obj\n<< /Dests ", (int)number_after(names, "/Names "));
    const char *at = last(pdf, object);
    char *end = strchr(names + 1, '\n');
    if (!at)
        return false;
    *dests = (int)number_after(at, "/Dests ");
    g_string_erase(body, names - body->str, end ? end - names : -1);
    return *dests > 0;
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
    g_autoptr(GString) body = g_string_new_len(catalog, end - catalog);
    int dests;
    if (strstr(body->str, "/Metadata") || !take_names(pdf, body, &dests))
        return false;
    g_autofree char *name = file_name(scene);
    Update update = {.pdf = pdf, .first = (int)size};
    int file = add_spec(&update, scene, name), metadata = add_metadata(&update, scene);

    gsize at_catalog = pdf->len;
    g_string_append_printf(pdf,
                           "%d 0 obj\n%s\n   /Lang (en)\n"
                           "   /ViewerPreferences << /DisplayDocTitle true >>\n",
                           (int)root, body->str);
    g_string_append(pdf, "   /Names <<");
    if (dests)
        g_string_append_printf(pdf, " /Dests %d 0 R", dests);
    if (file)
        g_string_append_printf(pdf, " /EmbeddedFiles << /Names [ (%s) %d 0 R ] >>",
                               name, file);
    g_string_append(pdf, " >>\n");
    if (metadata)
        g_string_append_printf(pdf, "   /Metadata %d 0 R\n", metadata);
    g_string_append(pdf, ">>\nendobj\n");
    gsize at_xref = pdf->len;
    g_string_append_printf(pdf, "xref\n%d 1\n%010zu 00000 n \n%d %d\n", (int)root,
                           at_catalog, update.first, update.n);
    for (int i = 0; i < update.n; i++)
        g_string_append_printf(pdf, "%010zu 00000 n \n", update.at[i]);
    g_string_append_printf(pdf,
                           "trailer\n<< /Size %d\n   /Root %d 0 R\n   /Info %d 0 R\n   "
                           "/Prev %d\n>>\nstartxref\n%zu\n%%%%EOF\n",
                           update.first + update.n, (int)root, (int)info, (int)xref,
                           at_xref);
    return true;
}
