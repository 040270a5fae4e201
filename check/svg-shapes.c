/* SPDX-License-Identifier: MIT
 *
 * What an SVG draws: groups, rectangles, paths and texts, each with its look, which what
 * is inside it inherits.
 */
#include "check/svg-reader.h"

#include <math.h>
#include <string.h>

/* A colour, and which it is on a dark page: where there are rules for one, it must be
 * written as one of them has it, for it keeps its own otherwise. */
static bool
coloured(FigSvgReader *r, FigSvgLook *look, const char *name, const char *value)
{
    bool fill = strcmp(name, "fill") == 0;
    if (g_hash_table_size(r->dark) == 0 || (!fill && strcmp(name, "stroke") != 0))
        return true;
    const char *dark = fig_svg_dark(r, name, value);
    if (dark && fill)
        look->dark_fill = dark;
    else if (dark)
        look->dark_stroke = dark;
    return dark != NULL;
}

/* What every element may have: a look, a hint, an id, what an editor adds. */
static bool
shared(FigSvgReader *r, FigSvgItem *item, FigSvgLook *look, const char **attributes,
       const char **attribute)
{
    const char *name = attribute[0], *value = attribute[1];
    if (fig_svg_read_look(r->svg->arena, look, name, value))
        return coloured(r, look, name, value);
    return (item && fig_svg_read_hint(r->svg->arena, item, name, value)) ||
           strcmp(name, "id") == 0 || strcmp(name, "style") == 0 ||
           fig_svg_editor_attribute(r->spaces, attribute,
                                    fig_svg_attribute(attributes, "id"));
}

/* A style goes before all attributes, wherever it stands. */
static void
styled(FigSvgReader *r, FigSvgElement element, FigSvgLook *look,
       const char **attributes)
{
    const char *style = fig_svg_attribute(attributes, "style");
    g_autofree char *unread =
        style ? fig_svg_read_style(r->svg->arena, look, style) : NULL;
    if (style && !r->styled)
        r->styled = fig_svg_line(r);
    if (unread)
        fig_svg_foreign(r, "style=\"%.60s\" of <%s>", unread, fig_svg_element[element]);
}

/* Marks and edges stand beside each other, and each is drawn. */
void
fig_svg_end_group(FigSvgReader *r)
{
    FigSvgItem *group = r->at;
    if (!group->first)
        fig_svg_foreign(r, "a group with nothing in it");
    for (FigSvgItem *above = group->parent; above; above = above->parent)
        if ((group->hint[FIG_HINT_OP] || group->hint[FIG_HINT_EDGE]) &&
            (above->hint[FIG_HINT_OP] || above->hint[FIG_HINT_EDGE])) {
            fig_svg_foreign(r, "a mark or edge inside another");
            break;
        }
    r->at = group->parent;
}

static FigSvgItem *
append_item(FigSvgReader *r, FigItemKind kind)
{
    FigSvgItem *item = fig_arena_new0(r->svg->arena, FigSvgItem);
    item->kind = kind;
    item->line = fig_svg_line(r);
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

void
fig_svg_start_group(FigSvgReader *r, const char **attributes)
{
    FigSvgItem *item = append_item(r, FIG_ITEM_GROUP);
    for (const char **a = attributes; *a; a += 2) {
        if (!shared(r, item, &item->look, attributes, a))
            fig_svg_unknown(r, FIG_SVG_G, a[0], a[1]);
    }
    styled(r, FIG_SVG_G, &item->look, attributes);
    r->at = item;
    r->look[r->depth + 1] = item->look;
}

void
fig_svg_start_rect(FigSvgReader *r, const char **attributes)
{
    FigSvgItem *item = append_item(r, FIG_ITEM_RECT);
    enum { X, Y, WIDTH, HEIGHT, RX, RY, PLACES };
    static const char *const names[] = {"x", "y", "width", "height", "rx", "ry"};
    double place[PLACES] = {[RX] = NAN, [RY] = NAN};
    for (const char **a = attributes; *a; a += 2) {
        bool known = false;
        for (int i = 0; i < PLACES && !known; i++)
            known = strcmp(a[0], names[i]) == 0 && fig_svg_length(a[1], &place[i]) &&
                    (i < WIDTH || place[i] >= 0);
        if (strcmp(a[0], "stroke-dasharray") == 0)
            known = fig_svg_read_dash(r->svg->arena, &item->look, a[1]);
        if (!known && !shared(r, item, &item->look, attributes, a))
            fig_svg_unknown(r, FIG_SVG_RECT, a[0], a[1]);
    }
    styled(r, FIG_SVG_RECT, &item->look, attributes);
    if (place[WIDTH] <= 0 || place[HEIGHT] <= 0)
        fig_svg_foreign(r, "<rect> without a width or height is not drawn");
    item->radius =
        isnan(place[RX]) ? place[RY] : place[RX]; /* each is the other's default */
    if (isnan(item->radius))
        item->radius = 0;
    if (!isnan(place[RY]) && place[RY] != item->radius)
        fig_svg_foreign(r, "<rect> with corners that are not round");
    item->bounds = (FigBounds){place[X], place[Y], place[X] + place[WIDTH],
                               place[Y] + place[HEIGHT]};
}

void
fig_svg_start_path(FigSvgReader *r, const char **attributes)
{
    FigSvgItem *item = append_item(r, FIG_ITEM_PATH);
    for (const char **a = attributes; *a; a += 2) {
        bool known = false;
        if (strcmp(a[0], "d") == 0)
            known = fig_svg_path_data(r->svg->arena, a[1], &item->path);
        else if (strcmp(a[0], "stroke-dasharray") == 0)
            known = fig_svg_read_dash(r->svg->arena, &item->look, a[1]);
        if (!known && !shared(r, item, &item->look, attributes, a))
            fig_svg_unknown(r, FIG_SVG_PATH, a[0], a[1]);
    }
    styled(r, FIG_SVG_PATH, &item->look, attributes);
    if (item->path.n_verbs == 0) { /* nothing to draw, but something to stand on */
        fig_svg_path_data(r->svg->arena, "M0 0", &item->path);
        if (!fig_svg_attribute(attributes, "d"))
            fig_svg_foreign(r, "<path> without d");
    }
    r->svg->n_pieces += item->path.n_points;
    item->bounds = fig_svg_path_bounds(&item->path);
}

/* Viewers differ in which spaces at the ends of a span they leave out; all keep them where
 * the file says so. */
static void
prove_spaces(FigSvgReader *r, const char *text)
{
    if (r->span_spaced || r->squeezed ||
        !(*text == ' ' || g_str_has_suffix(text, " ") || strstr(text, "  ")))
        return;
    r->squeezed = true; /* once is enough */
    fig_svg_foreign(r, "spaces of ‘%.40s’ without xml:space=\"preserve\"", text);
}

/* End the span that is open, if it has characters. */
void
fig_svg_end_span(FigSvgReader *r)
{
    FigSvgSpan *span = &r->span;
    if (r->characters->len > 0) {
        g_strdelimit(r->characters->str, "\n\t\r", ' ');
        prove_spaces(r, r->characters->str);
        span->text = fig_arena_strdup(r->svg->arena, r->characters->str);
        g_array_append_val(r->spans, *span);
        span->placed = false;
    }
    g_string_truncate(r->characters, 0);
}

void
fig_svg_start_text(FigSvgReader *r, FigSvgElement element, const char **attributes)
{
    FigSvgSpan span = {.look = r->look[r->depth]};
    FigSvgItem *item = r->at;
    bool has_x = false, has_y = false;

    if (element == FIG_SVG_TEXT)
        item = append_item(r, FIG_ITEM_TEXT);
    else
        fig_svg_end_span(r);
    for (const char **a = attributes; *a; a += 2) {
        bool known = false;
        has_x |= strcmp(a[0], "x") == 0;
        has_y |= strcmp(a[0], "y") == 0;
        if (strcmp(a[0], "x") == 0)
            known = fig_svg_length(a[1], &span.x);
        else if (strcmp(a[0], "y") == 0)
            known = fig_svg_length(a[1], &span.y);
        if (!known && !shared(r, element == FIG_SVG_TEXT ? item : NULL, &span.look,
                              attributes, a))
            fig_svg_unknown(r, element, a[0], a[1]);
    }
    styled(r, element, &span.look, attributes);
    if ((has_y && !has_x) || (element == FIG_SVG_TEXT && !has_y))
        fig_svg_foreign(r, "<%s> without its place", fig_svg_element[element]);
    if (element == FIG_SVG_TSPAN && !has_x && r->spans->len == 0) {
        span.x = r->text_x; /* the first stands where the text does */
        has_x = true;
    }
    if (has_y)
        r->level = span.y;
    span.y = r->level;
    span.placed = has_x;
    r->span = span;
    r->span_spaced = r->spaced[r->depth + 1];
    r->look[r->depth + 1] = span.look;
    if (element == FIG_SVG_TEXT) {
        r->text_x = span.x;
        r->text_y = span.y;
        item->look = span.look;
        r->at = item;
        g_array_set_size(r->spans, 0);
    }
}

void
fig_svg_end_text(FigSvgReader *r)
{
    FigSvgItem *item = r->at;
    g_autoptr(GString) all = g_string_new(NULL);
    fig_svg_end_span(r);
    item->n_spans = (int)r->spans->len;
    r->svg->n_pieces += item->n_spans;
    item->spans = fig_arena_copy(r->svg->arena, r->spans->data,
                                 r->spans->len * sizeof(FigSvgSpan));
    for (int i = 0; i < item->n_spans; i++)
        g_string_append(all, item->spans[i].text);
    if (item->n_spans > 0 && item->spans[0].placed &&
        (item->spans[0].x != r->text_x || item->spans[0].y != r->text_y))
        fig_svg_foreign(r, "<text> that stands elsewhere than its first <tspan>");
    if (r->rounds && all->len > 0) {
        r->rounds = false; /* once is enough */
        fig_svg_foreign(r, "letters without text-rendering=\"geometricPrecision\"");
    }
    item->text = fig_arena_strdup(r->svg->arena, all->str);
    item->bounds = fig_svg_text_bounds(item);
    r->at = item->parent;
}
