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
#include "check/svg-value.h"

#include "base/limit.h"
#include "base/xml.h"

#include <expat.h>
#include <string.h>

enum {
    MAX_ELEMENTS = 1 << 20, /* a file made to use up memory */
    MAX_FOREIGN = 200,      /* findings: a file made to fill the terminal */
};

typedef enum Element {
    ELEMENT_SVG,
    ELEMENT_TITLE,
    ELEMENT_DESC,
    ELEMENT_METADATA,
    ELEMENT_STYLE,
    ELEMENT_DEFS,
    ELEMENT_G,
    ELEMENT_RECT,
    ELEMENT_PATH,
    ELEMENT_TEXT,
    ELEMENT_TSPAN,
    ELEMENTS,
} Element;

static const char *const element_name[ELEMENTS] = {
    "svg", "title", "desc", "metadata", "style", "defs",
    "g",   "rect",  "path", "text",     "tspan",
};

typedef struct Reader {
    FigSvg *svg;
    XML_Parser parser;
    FigSvgItem *at; /* the group or text that is open */
    Element open[FIG_LIMIT_DEPTH];
    FigSvgLook look[FIG_LIMIT_DEPTH]; /* inherited by what is inside */
    int depth;
    int elements;
    int skip;            /* > 0: so deep inside an element that is not looked at */
    bool editors;        /* … which is an editor's, not foreign */
    GString *characters; /* of title, desc, metadata, style or the span that is open */
    GArray *spans;       /* FigSvgSpan, of the text that is open */
    FigSvgSpan span;     /* that is open */
    double text_x, text_y; /* of the text that is open */
    const char *figure;    /* the id of the whole, NULL: none */
    GHashTable *ids;       /* all that were read */
    int styled;            /* the line of the first style="…", 0: none */
    double level;          /* y of what comes next in it */
    char *failure;         /* why reading stopped */
} Reader;

static int
line_of(Reader *r)
{
    return (int)XML_GetCurrentLineNumber(r->parser);
}

static void G_GNUC_PRINTF(2, 3) foreign(Reader *r, const char *format, ...)
{
    va_list args;
    if (r->svg->foreign->len >= MAX_FOREIGN)
        return;
    va_start(args, format);
    g_autofree char *says = g_strdup_vprintf(format, args);
    va_end(args);
    FigFinding finding = {.kind = "foreign",
                          .line = line_of(r),
                          .says = fig_arena_strdup(r->svg->arena, says),
                          .did = "no writer of opfig emits this"};
    g_array_append_val(r->svg->foreign, finding);
}

static void
fail(Reader *r, const char *why)
{
    if (!r->failure)
        r->failure = g_strdup(why);
    XML_StopParser(r->parser, XML_FALSE);
}

static void
unknown(Reader *r, Element element, const char *name, const char *value)
{
    foreign(r, "attribute %s=\"%.60s\" of <%s>", name, value, element_name[element]);
}

static const char *
attribute(const char **attributes, const char *name)
{
    for (; *attributes; attributes += 2)
        if (strcmp(attributes[0], name) == 0)
            return attributes[1];
    return NULL;
}

/* What every element may have: a look, a hint, an id, what an editor adds. */
static bool
shared(Reader *r, FigSvgItem *item, FigSvgLook *look, const char **attribute)
{
    const char *name = attribute[0], *value = attribute[1];
    return (item && fig_svg_read_hint(r->svg->arena, item, name, value)) ||
           fig_svg_read_look(r->svg->arena, look, name, value) ||
           strcmp(name, "id") == 0 || strcmp(name, "style") == 0 ||
           fig_svg_editor_name(name);
}

/* A style goes before all attributes, wherever it stands. */
static void
styled(Reader *r, Element element, FigSvgLook *look, const char **attributes)
{
    const char *style = attribute(attributes, "style");
    g_autofree char *unread =
        style ? fig_svg_read_style(r->svg->arena, look, style) : NULL;
    if (style && !r->styled)
        r->styled = line_of(r);
    if (unread)
        foreign(r, "style=\"%.60s\" of <%s>", unread, element_name[element]);
}

/* ---- elements ---- */

static bool
read_points(const char *text, double *value)
{
    g_autofree char *number = g_strdup(text);
    if (!g_str_has_suffix(number, "pt"))
        return false;
    number[strlen(number) - 2] = '\0';
    return fig_svg_number(number, value) && *value > 0;
}

static void
start_svg(Reader *r, const char **attributes)
{
    FigSvg *svg = r->svg;
    for (const char **a = attributes; *a; a += 2) {
        const char *name = a[0], *value = a[1];
        bool known = strcmp(name, "id") == 0 || strcmp(name, "aria-labelledby") == 0;
        known |= fig_svg_editor_space(name, value) || fig_svg_editor_name(name) ||
                 (strcmp(name, "version") == 0 && strcmp(value, "1.1") == 0);
        if (strcmp(name, "xmlns") == 0)
            known = strcmp(value, "http://www.w3.org/2000/svg") == 0;
        else if (strcmp(name, "role") == 0)
            known = strcmp(value, "img") == 0;
        else if (strcmp(name, "text-anchor") == 0)
            known = strcmp(value, "start") == 0;
        else if (strcmp(name, "text-rendering") == 0)
            known = strcmp(value, "geometricPrecision") == 0;
        else if (strcmp(name, "xml:space") == 0)
            known = strcmp(value, "preserve") == 0;
        else if (strcmp(name, "width") == 0)
            known = read_points(value, &svg->width);
        else if (strcmp(name, "height") == 0)
            known = read_points(value, &svg->height);
        else if (strcmp(name, "viewBox") == 0)
            known = true; /* compared below */
        if (!known)
            unknown(r, ELEMENT_SVG, name, value);
    }
    if (!attribute(attributes, "xmlns"))
        foreign(r, "<svg> without its namespace");
    const char *box = attribute(attributes, "viewBox");
    g_auto(GStrv) parts = g_strsplit(box ? box : "", " ", -1);
    double number[4] = {0};
    bool plain = g_strv_length(parts) == 4;
    for (int i = 0; i < 4 && plain; i++)
        plain = fig_svg_number(parts[i], &number[i]);
    if (!plain || number[0] != 0 || number[1] != 0 || number[2] != svg->width ||
        number[3] != svg->height)
        foreign(r, "<svg> with a viewBox that is not its size in pt");
}

static void
start_metadata(Reader *r, const char **attributes)
{
    FigCarried *carried = &r->svg->carried;
    for (const char **a = attributes; *a; a += 2) {
        g_autofree char *value = fig_carried_decode(a[1]);
        if (strcmp(a[0], "id") == 0)
            continue;
        const char **field = strcmp(a[0], "data-opfig") == 0     ? &carried->version
                             : strcmp(a[0], "data-spec") == 0    ? &carried->spec_name
                             : strcmp(a[0], "data-record") == 0  ? &carried->digest
                             : strcmp(a[0], "data-options") == 0 ? &carried->options
                                                                 : NULL;
        if (field && value)
            *field = fig_arena_strdup(r->svg->arena, value);
        else
            unknown(r, ELEMENT_METADATA, a[0], a[1]);
    }
}

/* Links, accessible names and the colours of a dark page go by ids: the figure has one, its
 * title, description and marks have those that follow from it, and none stands twice. A
 * copy without any says less, but nothing wrong. */
static void
prove_id(Reader *r, Element parent, Element element, const char **attributes)
{
    const char *id = attribute(attributes, "id");
    const char *op = element == ELEMENT_G ? attribute(attributes, "data-op") : NULL;
    g_autofree char *wanted = NULL;
    if (element == ELEMENT_SVG) {
        const char *names = attribute(attributes, "aria-labelledby");
        g_autofree char *right = g_strdup_printf("%s..title %s..desc", id, id);
        r->figure = fig_arena_strdup(r->svg->arena, id);
        if (id && g_strcmp0(names, right) != 0)
            foreign(r, "aria-labelledby=\"%.80s\"", names ? names : "");
    } else if (parent == ELEMENT_SVG &&
               (element == ELEMENT_TITLE || element == ELEMENT_DESC)) {
        wanted =
            g_strconcat(r->figure ? r->figure : "", "..", element_name[element], NULL);
    } else if (op) {
        wanted = g_strconcat(r->figure ? r->figure : "", ".", op, NULL);
    }
    if (wanted && (r->figure || id) && g_strcmp0(id, wanted) != 0)
        foreign(r, "id=\"%.80s\" of <%s>", id ? id : "", element_name[element]);
    if (id && !g_hash_table_add(r->ids, g_strdup(id)))
        foreign(r, "the id %.80s a second time", id);
}

/* Does every rule for a dark page speak of this figure and of nothing else? */
static bool
speaks_of_figure(Reader *r, const char *style)
{
    g_autofree char *begin = g_strdup_printf("#%s ", r->figure ? r->figure : "");
    int rules = 0, ours = 0;
    for (const char *at = strchr(style, '['); at; at = strchr(at + 1, '['))
        rules++;
    for (const char *at = strstr(style, begin); at; at = strstr(at + 1, begin))
        ours += at[strlen(begin)] == '[';
    return rules == ours;
}

/* Marks and edges stand beside each other, and each is drawn. */
static void
end_group(Reader *r)
{
    FigSvgItem *group = r->at;
    if (!group->first)
        foreign(r, "a group with nothing in it");
    for (FigSvgItem *above = group->parent; above; above = above->parent)
        if ((group->hint[FIG_HINT_OP] || group->hint[FIG_HINT_EDGE]) &&
            (above->hint[FIG_HINT_OP] || above->hint[FIG_HINT_EDGE])) {
            foreign(r, "a mark or edge inside another");
            break;
        }
    r->at = group->parent;
}

static FigSvgItem *
append_item(Reader *r, FigItemKind kind)
{
    FigSvgItem *item = fig_arena_new0(r->svg->arena, FigSvgItem);
    item->kind = kind;
    item->line = line_of(r);
    item->order = kind == FIG_ITEM_GROUP ? -1 : r->svg->n_leaves++;
    item->parent = r->at;
    item->look = r->look[r->depth];
    if (r->at->last)
        r->at->last->next = item;
    else
        r->at->first = item;
    r->at->last = item;
    return item;
}

static void
start_group(Reader *r, const char **attributes)
{
    FigSvgItem *item = append_item(r, FIG_ITEM_GROUP);
    for (const char **a = attributes; *a; a += 2) {
        if (!shared(r, item, &item->look, a))
            unknown(r, ELEMENT_G, a[0], a[1]);
    }
    styled(r, ELEMENT_G, &item->look, attributes);
    r->at = item;
    r->look[r->depth + 1] = item->look;
}

static void
start_rect(Reader *r, const char **attributes)
{
    FigSvgItem *item = append_item(r, FIG_ITEM_RECT);
    double place[4] = {0};
    static const char *const names[] = {"x", "y", "width", "height", "rx"};
    for (const char **a = attributes; *a; a += 2) {
        bool known = false;
        for (int i = 0; i < 5 && !known; i++)
            known = strcmp(a[0], names[i]) == 0 &&
                    fig_svg_number(a[1], i < 4 ? &place[i] : &item->radius);
        if (strcmp(a[0], "stroke-dasharray") == 0)
            known = fig_svg_read_dash(r->svg->arena, &item->look, a[1]);
        if (!known && !shared(r, item, &item->look, a))
            unknown(r, ELEMENT_RECT, a[0], a[1]);
    }
    styled(r, ELEMENT_RECT, &item->look, attributes);
    item->bounds =
        (FigBounds){place[0], place[1], place[0] + place[2], place[1] + place[3]};
}

static void
start_path(Reader *r, const char **attributes)
{
    FigSvgItem *item = append_item(r, FIG_ITEM_PATH);
    for (const char **a = attributes; *a; a += 2) {
        bool known = false;
        if (strcmp(a[0], "d") == 0)
            known = fig_svg_path_data(r->svg->arena, a[1], &item->path);
        else if (strcmp(a[0], "stroke-dasharray") == 0)
            known = fig_svg_read_dash(r->svg->arena, &item->look, a[1]);
        if (!known && !shared(r, item, &item->look, a))
            unknown(r, ELEMENT_PATH, a[0], a[1]);
    }
    styled(r, ELEMENT_PATH, &item->look, attributes);
    if (item->path.n_verbs == 0) { /* nothing to draw, but something to stand on */
        fig_svg_path_data(r->svg->arena, "M0 0", &item->path);
        if (!attribute(attributes, "d"))
            foreign(r, "<path> without d");
    }
    item->bounds = fig_svg_path_bounds(&item->path);
}

/* End the span that is open, if it has characters. */
static void
end_span(Reader *r)
{
    FigSvgSpan *span = &r->span;
    if (r->characters->len > 0) {
        g_strdelimit(r->characters->str, "\n\t\r", ' ');
        span->text = fig_arena_strdup(r->svg->arena, r->characters->str);
        g_array_append_val(r->spans, *span);
        span->placed = false;
    }
    g_string_truncate(r->characters, 0);
}

static void
start_text(Reader *r, Element element, const char **attributes)
{
    FigSvgSpan span = {.look = r->look[r->depth]};
    FigSvgItem *item = r->at;
    bool has_x = false, has_y = false;

    if (element == ELEMENT_TEXT)
        item = append_item(r, FIG_ITEM_TEXT);
    else
        end_span(r);
    for (const char **a = attributes; *a; a += 2) {
        bool known = false;
        has_x |= strcmp(a[0], "x") == 0;
        has_y |= strcmp(a[0], "y") == 0;
        if (strcmp(a[0], "x") == 0)
            known = fig_svg_number(a[1], &span.x);
        else if (strcmp(a[0], "y") == 0)
            known = fig_svg_number(a[1], &span.y);
        if (!known && !shared(r, element == ELEMENT_TEXT ? item : NULL, &span.look, a))
            unknown(r, element, a[0], a[1]);
    }
    styled(r, element, &span.look, attributes);
    if ((has_y && !has_x) || (element == ELEMENT_TEXT && !has_y))
        foreign(r, "<%s> without its place", element_name[element]);
    if (element == ELEMENT_TSPAN && !has_x && r->spans->len == 0) {
        span.x = r->text_x; /* the first stands where the text does */
        has_x = true;
    }
    if (has_y)
        r->level = span.y;
    span.y = r->level;
    span.placed = has_x;
    r->span = span;
    r->look[r->depth + 1] = span.look;
    if (element == ELEMENT_TEXT) {
        r->text_x = span.x;
        r->text_y = span.y;
        item->look = span.look;
        r->at = item;
        g_array_set_size(r->spans, 0);
    }
}

static void
start_words(Reader *r, Element element, const char **attributes)
{
    for (const char **a = attributes; *a; a += 2)
        if (strcmp(a[0], "id") != 0 && !fig_svg_editor_name(a[0]))
            unknown(r, element, a[0], a[1]);
}

/* May element stand inside parent (ELEMENTS: the document)? */
static bool
allowed(Element parent, Element element)
{
    switch (parent) {
    case ELEMENTS:
        return element == ELEMENT_SVG;
    case ELEMENT_SVG:
        return element != ELEMENT_SVG && element != ELEMENT_TSPAN;
    case ELEMENT_G:
        return element == ELEMENT_TITLE ||
               (element >= ELEMENT_G && element <= ELEMENT_TEXT);
    case ELEMENT_TEXT:
        return element == ELEMENT_TSPAN;
    default:
        return false;
    }
}

static Element
element_of(const char *name)
{
    int e = 0;
    while (e < ELEMENTS && strcmp(element_name[e], name) != 0)
        e++;
    return (Element)e;
}

/* An editor's own element, in the namespace that the name promises. */
static bool
editors_element(const char *name, const char **attributes)
{
    for (const char **a = attributes; *a; a += 2)
        if (g_str_has_prefix(a[0], "xmlns"))
            return false;
    return fig_svg_editor_name(name);
}

static void
start(void *data, const char *name, const char **attributes)
{
    Reader *r = data;
    Element parent = r->depth > 0 ? r->open[r->depth - 1] : ELEMENTS;
    Element element = element_of(name);

    if (r->failure)
        return;
    if (++r->elements > MAX_ELEMENTS) {
        fail(r, "more elements than any figure has");
        return;
    }
    if (r->skip > 0 || element == ELEMENTS || !allowed(parent, element)) {
        bool ours = r->skip == 0; /* else its parent was named, or is an editor's */
        if (r->skip++ == 0)
            r->editors = true;
        if (r->editors && !editors_element(name, attributes)) {
            foreign(r,
                    ours ? "element <%.40s>" : "element <%.40s> where nothing is drawn",
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
    if (element != ELEMENT_TSPAN)
        g_string_truncate(r->characters, 0);
    prove_id(r, parent, element, attributes);
    switch (element) {
    case ELEMENT_SVG:
        start_svg(r, attributes);
        break;
    case ELEMENT_METADATA:
        start_metadata(r, attributes);
        break;
    case ELEMENT_G:
        start_group(r, attributes);
        break;
    case ELEMENT_RECT:
        start_rect(r, attributes);
        break;
    case ELEMENT_PATH:
        start_path(r, attributes);
        break;
    case ELEMENT_TEXT:
    case ELEMENT_TSPAN:
        start_text(r, element, attributes);
        break;
    case ELEMENT_TITLE:
    case ELEMENT_DESC:
    case ELEMENT_STYLE:
    case ELEMENT_DEFS:
    case ELEMENTS:
        start_words(r, element, attributes);
        break;
    }
    r->open[r->depth++] = element;
}

static void
end_text(Reader *r)
{
    FigSvgItem *item = r->at;
    g_autoptr(GString) all = g_string_new(NULL);
    end_span(r);
    item->n_spans = (int)r->spans->len;
    item->spans = fig_arena_copy(r->svg->arena, r->spans->data,
                                 r->spans->len * sizeof(FigSvgSpan));
    for (int i = 0; i < item->n_spans; i++)
        g_string_append(all, item->spans[i].text);
    if (item->n_spans > 0 && item->spans[0].placed &&
        (item->spans[0].x != r->text_x || item->spans[0].y != r->text_y))
        foreign(r, "<text> that stands elsewhere than its first <tspan>");
    item->text = fig_arena_strdup(r->svg->arena, all->str);
    item->bounds = fig_svg_text_bounds(item);
    r->at = item->parent;
}

static void
end_words(Reader *r, Element element)
{
    FigSvg *svg = r->svg;
    const char *text = fig_arena_strdup(svg->arena, r->characters->str);
    g_autofree char *decoded = NULL;
    switch (element) {
    case ELEMENT_TITLE: {
        const char **title =
            r->open[r->depth - 1] == ELEMENT_SVG ? &svg->title : &r->at->title;
        if (*title) /* viewers show the first */
            foreign(r, "a second <title>");
        *title = text;
        break;
    }
    case ELEMENT_DESC:
        if (svg->description)
            foreign(r, "a second <desc>");
        svg->description = text;
        break;
    case ELEMENT_METADATA:
        decoded = fig_carried_decode(text);
        if (decoded && *decoded)
            svg->carried.spec_text = fig_arena_strdup(svg->arena, decoded);
        else if (!decoded)
            foreign(r, "<metadata> with a broken escape");
        break;
    default:
        svg->style = text;
        if (!fig_svg_style_known(text) || !speaks_of_figure(r, text))
            foreign(r,
                    "<style> with other rules than fonts and colours for a dark page");
        break;
    }
}

static void
end(void *data, const char *name)
{
    Reader *r = data;
    if (r->failure)
        return;
    if (r->skip > 0) {
        r->skip--;
        return;
    }
    Element element = r->open[--r->depth];
    switch (element) {
    case ELEMENT_G:
        end_group(r);
        break;
    case ELEMENT_TEXT:
        end_text(r);
        break;
    case ELEMENT_TSPAN:
        end_span(r);
        r->span = (FigSvgSpan){.look = r->look[r->depth]};
        break;
    case ELEMENT_TITLE:
    case ELEMENT_DESC:
    case ELEMENT_METADATA:
    case ELEMENT_STYLE:
        end_words(r, element);
        break;
    default:
        break;
    }
    if (element != ELEMENT_TSPAN)
        g_string_truncate(r->characters, 0);
}

static void
characters(void *data, const char *text, int length)
{
    Reader *r = data;
    if (r->failure || r->skip > 0 || r->depth == 0)
        return;
    Element element = r->open[r->depth - 1];
    bool words = element == ELEMENT_TITLE || element == ELEMENT_DESC ||
                 element == ELEMENT_METADATA || element == ELEMENT_STYLE ||
                 element == ELEMENT_TEXT || element == ELEMENT_TSPAN;
    if (words) {
        g_string_append_len(r->characters, text, length);
        return;
    }
    for (int i = 0; i < length; i++) {
        if (!g_ascii_isspace(text[i])) {
            foreign(r, "characters inside <%s>", element_name[element]);
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
    foreign(data, "processing instruction <?%.40s?>", target);
}

/* We read UTF-8 whatever a file says of itself; a viewer would believe it. */
static void
declaration(void *data, const char *version, const char *encoding, int standalone)
{
    if (version && strcmp(version, "1.0") != 0) /* which viewers refuse */
        foreign(data, "<?xml version=\"%.40s\"?>", version);
    if (encoding && g_ascii_strcasecmp(encoding, "UTF-8") != 0)
        foreign(data, "encoding=\"%.40s\"", encoding);
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
    g_autofree Reader *r = g_new0(Reader, 1);
    svg->arena = arena;
    svg->name = fig_arena_strdup(arena, name);
    svg->root = fig_arena_new0(arena, FigSvgItem);
    svg->foreign = g_array_new(FALSE, FALSE, sizeof(FigFinding));
    r->svg = svg;
    r->at = svg->root;
    r->characters = g_string_new(NULL);
    r->spans = g_array_new(FALSE, FALSE, sizeof(FigSvgSpan));
    r->ids = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    r->look[0] = (FigSvgLook){.fill = "#000000",
                              .stroke = "none",
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

    bool read = XML_Parse(r->parser, text, (int)length, 1) == XML_STATUS_OK;
    if (r->styled && svg->style && strstr(svg->style, "@media")) {
        FigFinding finding = {"foreign", r->styled,
                              "a style that a dark page does not change",
                              "the colours for a dark page go by attributes"};
        g_array_append_val(svg->foreign, finding);
    }
    if (!read || r->failure)
        g_set_error(
            error, G_MARKUP_ERROR, G_MARKUP_ERROR_PARSE, "%s:%d: %s", name, line_of(r),
            r->failure ? r->failure : XML_ErrorString(XML_GetErrorCode(r->parser)));
    if (r->failure)
        read = false;
    XML_ParserFree(r->parser);
    g_string_free(r->characters, TRUE);
    g_array_unref(r->spans);
    g_hash_table_unref(r->ids);
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
