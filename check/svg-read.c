/* SPDX-License-Identifier: MIT
 *
 * SVG read strictly. The question is not what some viewer would make of a file but
 * whether the file says only what we understand: elements and attributes that our writer
 * emits, in the forms it gives them. Everything else (opacity, transform, clip, style,
 * image, script, a filter, a nested svg) could hide, move or recolour ink and is kept as
 * a foreign finding with its line; its content is not looked at.
 *
 * A document type declaration is refused outright, and with it entities.
 */
#include "check/svg-reader.h"

#include "base/xml.h"

#include <string.h>

enum {
    MAX_ELEMENTS = 1 << 20, /* a file made to use up memory */
    MAX_ATTRIBUTES = 64,    /* of an element: each is looked for among all */
    MAX_FOREIGN = 200,      /* findings: a file made to fill the terminal */
};

const char *const fig_svg_element[FIG_SVG_ELEMENTS] = {
    "svg", "title", "desc", "metadata", "style", "defs",
    "g",   "rect",  "path", "text",     "tspan",
};

int
fig_svg_line(FigSvgReader *r)
{
    return (int)XML_GetCurrentLineNumber(r->parser);
}

void
fig_svg_foreign(FigSvgReader *r, const char *format, ...)
{
    va_list args;
    if (r->svg->foreign->len >= MAX_FOREIGN)
        return;
    va_start(args, format);
    g_autofree char *says = g_strdup_vprintf(format, args);
    va_end(args);
    FigFinding finding = {.kind = "foreign",
                          .line = fig_svg_line(r),
                          .says = fig_arena_strdup(r->svg->arena, says),
                          .did = r->spaces
                                     ? "no writer of opfig emits this; a copy that "
                                       "Inkscape saved is read where nothing was "
                                       "changed in it: compare the original, or "
                                       "draw it anew"
                                     : "no writer of opfig emits this"};
    g_array_append_val(r->svg->foreign, finding);
}

static void
fail(FigSvgReader *r, const char *why)
{
    if (!r->failure)
        r->failure = g_strdup(why);
    XML_StopParser(r->parser, XML_FALSE);
}

void
fig_svg_unknown(FigSvgReader *r, FigSvgElement element, const char *name,
                const char *value)
{
    fig_svg_foreign(r, "attribute %s=\"%.60s\" of <%s>", name, value,
                    fig_svg_element[element]);
}

const char *
fig_svg_attribute(const char **attributes, const char *name)
{
    for (; *attributes; attributes += 2)
        if (strcmp(attributes[0], name) == 0)
            return attributes[1];
    return NULL;
}

static void
start_words(FigSvgReader *r, FigSvgElement element, const char **attributes)
{
    for (const char **a = attributes; *a; a += 2)
        if (strcmp(a[0], "id") != 0 &&
            !fig_svg_editor_attribute(r->spaces, a,
                                      fig_svg_attribute(attributes, "id")))
            fig_svg_unknown(r, element, a[0], a[1]);
}

/* May element stand inside parent (FIG_SVG_ELEMENTS: the document)? */
static bool
allowed(FigSvgElement parent, FigSvgElement element)
{
    switch (parent) {
    case FIG_SVG_ELEMENTS:
        return element == FIG_SVG_SVG;
    case FIG_SVG_SVG:
        return element != FIG_SVG_SVG && element != FIG_SVG_TSPAN;
    case FIG_SVG_G:
        return element == FIG_SVG_TITLE ||
               (element >= FIG_SVG_G && element <= FIG_SVG_TEXT);
    case FIG_SVG_TEXT:
        return element == FIG_SVG_TSPAN;
    default:
        return false;
    }
}

static FigSvgElement
element_of(const char *name)
{
    int e = 0;
    while (e < FIG_SVG_ELEMENTS && strcmp(fig_svg_element[e], name) != 0)
        e++;
    return (FigSvgElement)e;
}

/* An editor's own element, in the namespace that the name promises. */
static bool
editors_element(const FigSvgReader *r, const char *name, const char **attributes)
{
    for (const char **a = attributes; *a; a += 2)
        if (g_str_has_prefix(a[0], "xmlns"))
            return false;
    return fig_svg_editor_name(r->spaces, name) &&
           fig_svg_editor_element(name, attributes, r->svg->width, r->svg->height);
}

static void
start(void *data, const char *name, const char **attributes)
{
    FigSvgReader *r = data;
    FigSvgElement parent = r->depth > 0 ? r->open[r->depth - 1] : FIG_SVG_ELEMENTS;
    FigSvgElement element = element_of(name);

    if (r->failure)
        return;
    if (++r->elements > MAX_ELEMENTS) {
        fail(r, "more elements than any figure has");
        return;
    }
    if (XML_GetSpecifiedAttributeCount(r->parser) > 2 * MAX_ATTRIBUTES) {
        fail(r, "more attributes than any element has");
        return;
    }
    if (r->skip > 0 || element == FIG_SVG_ELEMENTS || !allowed(parent, element)) {
        bool ours = r->skip == 0; /* else its parent was named, or is an editor's */
        if (r->skip++ == 0)
            r->editors = true;
        if (r->editors && !editors_element(r, name, attributes)) {
            fig_svg_foreign(
                r, ours ? "element <%.40s>" : "element <%.40s> where nothing is drawn",
                name);
            r->editors = false;
        }
        if (r->depth + r->skip >= FIG_LIMIT_DEPTH)
            fail(r, "nested deeper than any figure is");
        return;
    }
    if (r->depth + 2 >= FIG_LIMIT_DEPTH) {
        fail(r, "nested deeper than any figure is");
        return;
    }
    r->look[r->depth + 1] = r->look[r->depth];
    r->spaced[r->depth + 1] =
        r->spaced[r->depth] || g_strcmp0(fig_svg_attribute(attributes, "xml:space"),
                                         "preserve") == 0; /* else it is foreign */
    if (element != FIG_SVG_TSPAN)
        g_string_truncate(r->characters, 0);
    fig_svg_prove_id(r, parent, element, attributes);
    switch (element) {
    case FIG_SVG_SVG:
        fig_svg_start(r, attributes);
        break;
    case FIG_SVG_METADATA:
        fig_svg_start_metadata(r, attributes);
        break;
    case FIG_SVG_G:
        fig_svg_start_group(r, attributes);
        break;
    case FIG_SVG_RECT:
        fig_svg_start_rect(r, attributes);
        break;
    case FIG_SVG_PATH:
        fig_svg_start_path(r, attributes);
        break;
    case FIG_SVG_TEXT:
    case FIG_SVG_TSPAN:
        fig_svg_start_text(r, element, attributes);
        break;
    case FIG_SVG_TITLE:
    case FIG_SVG_DESC:
    case FIG_SVG_STYLE:
    case FIG_SVG_DEFS:
    case FIG_SVG_ELEMENTS:
        start_words(r, element, attributes);
        break;
    }
    r->open[r->depth++] = element;
}

static void
end_words(FigSvgReader *r, FigSvgElement element)
{
    FigSvg *svg = r->svg;
    const char *text = fig_arena_strdup(svg->arena, r->characters->str);
    g_autofree char *decoded = NULL;
    switch (element) {
    case FIG_SVG_TITLE: {
        const char **title =
            r->open[r->depth - 1] == FIG_SVG_SVG ? &svg->title : &r->at->title;
        if (*title) /* viewers show the first */
            fig_svg_foreign(r, "a second <title>");
        *title = text;
        break;
    }
    case FIG_SVG_DESC:
        if (svg->description)
            fig_svg_foreign(r, "a second <desc>");
        svg->description = text;
        break;
    case FIG_SVG_METADATA:
        decoded = fig_carried_decode(text);
        if (decoded && *decoded)
            svg->carried.spec_text = fig_arena_strdup(svg->arena, decoded);
        else if (!decoded)
            fig_svg_foreign(r, "<metadata> with a broken escape");
        break;
    default:
        if (svg->style) /* both would hold */
            fig_svg_foreign(r, "a second <style>");
        svg->style = text;
        if (!fig_svg_style_known(text) || !fig_svg_speaks_of_figure(r, text))
            fig_svg_foreign(
                r, "<style> with other rules than fonts and colours for a dark page");
        else
            fig_svg_keep_dark(r, text);
        break;
    }
}

static void
end(void *data, const char *name)
{
    FigSvgReader *r = data;
    if (r->failure)
        return;
    if (r->skip > 0) {
        r->skip--;
        return;
    }
    FigSvgElement element = r->open[--r->depth];
    switch (element) {
    case FIG_SVG_G:
        fig_svg_end_group(r);
        break;
    case FIG_SVG_TEXT:
        fig_svg_end_text(r);
        break;
    case FIG_SVG_TSPAN:
        fig_svg_end_span(r);
        r->span = (FigSvgSpan){.look = r->look[r->depth]};
        r->span_spaced = r->spaced[r->depth];
        break;
    case FIG_SVG_TITLE:
    case FIG_SVG_DESC:
    case FIG_SVG_METADATA:
    case FIG_SVG_STYLE:
        end_words(r, element);
        break;
    default:
        break;
    }
    if (element != FIG_SVG_TSPAN)
        g_string_truncate(r->characters, 0);
}

static void
characters(void *data, const char *text, int length)
{
    FigSvgReader *r = data;
    if (r->failure || r->skip > 0 || r->depth == 0)
        return;
    FigSvgElement element = r->open[r->depth - 1];
    bool words = element == FIG_SVG_TITLE || element == FIG_SVG_DESC ||
                 element == FIG_SVG_METADATA || element == FIG_SVG_STYLE ||
                 element == FIG_SVG_TEXT || element == FIG_SVG_TSPAN;
    if (words) {
        g_string_append_len(r->characters, text, length);
        return;
    }
    for (int i = 0; i < length; i++) {
        if (!g_ascii_isspace(text[i])) {
            fig_svg_foreign(r, "characters inside <%s>", fig_svg_element[element]);
            return;
        }
    }
}

static void
doctype(void *data, const char *name, const char *system, const char *public,
        int internal)
{
    fail(data, "has a document type declaration, which no figure of ours has");
}

static void
instruction(void *data, const char *target, const char *text)
{
    fig_svg_foreign(data, "processing instruction <?%.40s?>", target);
}

/* Letters on both sides are set together, or each by itself: viewers differ. */
static void
broken_text(FigSvgReader *r, const char *what)
{
    FigSvgElement element = r->depth > 0 ? r->open[r->depth - 1] : FIG_SVG_ELEMENTS;
    if (!r->failure && r->skip == 0 &&
        (element == FIG_SVG_TEXT || element == FIG_SVG_TSPAN))
        fig_svg_foreign(r, "%s inside <%s>", what, fig_svg_element[element]);
}

static void
comment(void *data, const char *text)
{
    broken_text(data, "a comment");
}

static void
section(void *data)
{
    broken_text(data, "<![CDATA[");
}

/* We read UTF-8 whatever a file says of itself; a viewer would believe it. */
static void
declaration(void *data, const char *version, const char *encoding, int standalone)
{
    if (version && strcmp(version, "1.0") != 0) /* which viewers refuse */
        fig_svg_foreign(data, "<?xml version=\"%.40s\"?>", version);
    if (encoding && g_ascii_strcasecmp(encoding, "UTF-8") != 0)
        fig_svg_foreign(data, "encoding=\"%.40s\"", encoding);
}

/* ---- the file ---- */

FigSvg *
fig_svg_read(const char *name, const char *text, size_t length, GError **error)
{
    if (length > FIG_LIMIT_FIGURE) {
        g_set_error(error, G_MARKUP_ERROR, G_MARKUP_ERROR_INVALID_CONTENT,
                    "%s: larger than any figure (%d MB)", name, FIG_LIMIT_FIGURE >> 20);
        return NULL;
    }
    FigArena *arena = fig_arena_new();
    FigSvg *svg = fig_arena_new0(arena, FigSvg);
    g_autofree FigSvgReader *r = g_new0(FigSvgReader, 1);
    svg->arena = arena;
    svg->name = fig_arena_strdup(arena, name);
    svg->root = fig_arena_new0(arena, FigSvgItem);
    svg->foreign = g_array_new(FALSE, FALSE, sizeof(FigFinding));
    r->svg = svg;
    r->at = svg->root;
    r->characters = g_string_new(NULL);
    r->spans = g_array_new(FALSE, FALSE, sizeof(FigSvgSpan));
    r->ids = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    r->dark = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    r->look[0] = (FigSvgLook){.fill = "#000000",
                              .stroke = "none",
                              .dark_fill = "#000000",
                              .dark_stroke = "none",
                              .stroke_width = 1,
                              .dash = "",
                              .cap = "butt",
                              .family = "",
                              .size = 16,
                              .weight = 400};
    r->parser = XML_ParserCreate("UTF-8");
    XML_SetUserData(r->parser, r);
    XML_SetElementHandler(r->parser, start, end);
    XML_SetCharacterDataHandler(r->parser, characters);
    XML_SetStartDoctypeDeclHandler(r->parser, doctype);
    XML_SetProcessingInstructionHandler(r->parser, instruction);
    XML_SetXmlDeclHandler(r->parser, declaration);
    XML_SetCommentHandler(r->parser, comment);
    XML_SetStartCdataSectionHandler(r->parser, section);

    bool read = XML_Parse(r->parser, text, (int)length, 1) == XML_STATUS_OK;
    if (r->styled && svg->style && strstr(svg->style, "@media")) {
        FigFinding finding = {"foreign", r->styled,
                              "a style that a dark page does not change",
                              "the colours for a dark page go by attributes"};
        g_array_append_val(svg->foreign, finding);
    }
    if (!read || r->failure)
        g_set_error(error, G_MARKUP_ERROR, G_MARKUP_ERROR_PARSE, "%s:%d: %s", name,
                    fig_svg_line(r),
                    r->failure ? r->failure
                               : XML_ErrorString(XML_GetErrorCode(r->parser)));
    if (r->failure)
        read = false;
    XML_ParserFree(r->parser);
    g_string_free(r->characters, TRUE);
    g_array_unref(r->spans);
    g_hash_table_unref(r->ids);
    g_hash_table_unref(r->dark);
    g_free(r->failure);
    if (!read) {
        fig_svg_free(svg);
        return NULL;
    }
    return svg;
}

void
fig_svg_free(FigSvg *svg)
{
    if (!svg)
        return;
    g_array_unref(svg->foreign);
    fig_arena_free(svg->arena); /* svg itself lives there */
}

const FigCarried *
fig_svg_carried(const FigSvg *svg)
{
    return &svg->carried;
}
