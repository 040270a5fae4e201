/* SPDX-License-Identifier: MIT
 *
 * The head of an SVG: its size, what it carries, and the ids by which links, readers' aids
 * and the colours of a dark page speak of it.
 */
#include "check/svg-reader.h"

#include "base/xml.h"

#include <math.h>
#include <string.h>

/* declared by many editors; no attribute of it is read */
static const char XLINK[] = "http://www.w3.org/1999/xlink";

void
fig_svg_start(FigSvgReader *r, const char **attributes)
{
    FigSvg *svg = r->svg;
    r->spaces = fig_svg_editor_spaces(attributes);
    for (const char **a = attributes; *a; a += 2) {
        const char *name = a[0], *value = a[1];
        bool known = strcmp(name, "id") == 0 || strcmp(name, "aria-labelledby") == 0;
        known |= fig_svg_editor_space(name, value) ||
                 (strcmp(name, "xmlns:xlink") == 0 && strcmp(value, XLINK) == 0) ||
                 fig_svg_editor_attribute(r->spaces, a,
                                          fig_svg_attribute(attributes, "id")) ||
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
            known = fig_svg_page_length(value, &svg->width);
        else if (strcmp(name, "height") == 0)
            known = fig_svg_page_length(value, &svg->height);
        else if (strcmp(name, "viewBox") == 0)
            known = true; /* compared below */
        if (!known)
            fig_svg_unknown(r, FIG_SVG_SVG, name, value);
    }
    /* else browsers round letters to the pixels of the screen */
    r->rounds = !fig_svg_attribute(attributes, "text-rendering");
    if (!fig_svg_attribute(attributes, "xmlns"))
        fig_svg_foreign(r, "<svg> without its namespace");
    const char *box = fig_svg_attribute(attributes, "viewBox");
    double number[4];
    if (!box || !fig_svg_numbers(box, 4, number) || number[0] != 0 || number[1] != 0 ||
        fabs(number[2] - svg->width) > FIG_SVG_PAGE ||
        fabs(number[3] - svg->height) > FIG_SVG_PAGE)
        fig_svg_foreign(r, "<svg> with a viewBox that is not its size in pt");
    else
        svg->width = number[2],
        svg->height = number[3]; /* what is drawn is in its units */
}

void
fig_svg_start_metadata(FigSvgReader *r, const char **attributes)
{
    FigCarried *carried = &r->svg->carried;
    if (r->carries)
        fig_svg_foreign(r, "a second <metadata>");
    r->carries = true;
    for (const char **a = attributes; *a; a += 2) {
        g_autofree char *value = fig_carried_decode(a[1]);
        if (strcmp(a[0], "id") == 0)
            continue;
        const char **field = strcmp(a[0], "data-opfig") == 0     ? &carried->version
                             : strcmp(a[0], "data-fonts") == 0   ? &carried->fonts
                             : strcmp(a[0], "data-spec") == 0    ? &carried->spec_name
                             : strcmp(a[0], "data-record") == 0  ? &carried->digest
                             : strcmp(a[0], "data-options") == 0 ? &carried->options
                                                                 : NULL;
        if (field && value)
            *field = fig_arena_strdup(r->svg->arena, value);
        else
            fig_svg_unknown(r, FIG_SVG_METADATA, a[0], a[1]);
    }
}

/* Links, accessible names and the colours of a dark page go by ids: the figure has one, its
 * title, description and marks have those that follow from it, and none stands twice. A
 * copy without any says less, but nothing wrong. */
void
fig_svg_prove_id(FigSvgReader *r, FigSvgElement parent, FigSvgElement element,
                 const char **attributes)
{
    const char *id = fig_svg_attribute(attributes, "id");
    const char *op =
        element == FIG_SVG_G ? fig_svg_attribute(attributes, "data-op") : NULL;
    g_autofree char *wanted = NULL;
    if (element == FIG_SVG_SVG) {
        const char *names = fig_svg_attribute(attributes, "aria-labelledby");
        g_autofree char *right = g_strdup_printf("%s..title %s..desc", id, id);
        r->figure = fig_arena_strdup(r->svg->arena, id);
        if (id && names && strcmp(names, right) != 0)
            fig_svg_foreign(r, "aria-labelledby=\"%.80s\"", names);
    } else if (parent == FIG_SVG_SVG &&
               (element == FIG_SVG_TITLE || element == FIG_SVG_DESC)) {
        wanted = g_strconcat(r->figure ? r->figure : "", "..", fig_svg_element[element],
                             NULL);
    } else if (op) {
        wanted = g_strconcat(r->figure ? r->figure : "", ".", op, NULL);
    }
    bool again = (element == FIG_SVG_TITLE && r->svg->title) ||
                 (element == FIG_SVG_DESC && r->svg->description); /* named as such */
    if (wanted && id && strcmp(id, wanted) != 0)
        fig_svg_foreign(r, "id=\"%.80s\" of <%s>", id, fig_svg_element[element]);
    else if (wanted && !id && r->figure && !again)
        fig_svg_foreign(r, "<%s> without id=\"%.80s\"", fig_svg_element[element],
                        wanted);
    if (id && !g_hash_table_add(r->ids, g_strdup(id)))
        fig_svg_foreign(r, "the id %.80s a second time", id);
}

void
fig_svg_keep_dark(FigSvgReader *r, const char *style)
{
    for (const char *at = strchr(style, '['); at; at = strchr(at, '[')) {
        const char *end = strchr(++at, ']');
        const char *colour = strchr(end, ':') + 1;
        g_autofree char *text = g_strndup(colour, strcspn(colour, "}"));
        g_hash_table_replace(r->dark, g_strndup(at, (gsize)(end - at)),
                             (gpointer)fig_svg_colour(r->svg->arena, text));
    }
    r->svg->dark = g_hash_table_size(r->dark) > 0;
    if (r->svg->dark && r->svg->n_leaves > 0)
        fig_svg_foreign(r, "<style> behind what it colours");
}

const char *
fig_svg_dark(FigSvgReader *r, const char *name, const char *value)
{
    g_autofree char *attribute = g_strdup_printf("%s=\"%s\"", name, value);
    return strcmp(value, "none") == 0 ? "none"
                                      : g_hash_table_lookup(r->dark, attribute);
}

bool
fig_svg_speaks_of_figure(FigSvgReader *r, const char *style)
{
    g_autofree char *begin = g_strdup_printf("#%s ", r->figure ? r->figure : "");
    int rules = 0, ours = 0;
    for (const char *at = strchr(style, '['); at; at = strchr(at + 1, '['))
        rules++;
    for (const char *at = strstr(style, begin); at; at = strstr(at + 1, begin))
        ours += at[strlen(begin)] == '[';
    return rules == ours;
}
