/* SPDX-License-Identifier: MIT
 *
 * What an editor of drawings makes of our files: Inkscape saves names of its own
 * namespaces, which draw nothing, and looks as style="…" in place of attributes. These
 * are read; whatever else it may have done (a transform, a clip, a filter) is foreign.
 */
#include "check/svg-value.h"

#include <math.h>
#include <pango/pango.h>
#include <string.h>

static const char *const space[][2] = {
    {"inkscape", "http://www.inkscape.org/namespaces/inkscape"},
    {"sodipodi", "http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd"},
    {"svg", "http://www.w3.org/2000/svg"},
};

bool
fig_svg_editor_space(const char *name, const char *value)
{
    for (size_t i = 0; i < G_N_ELEMENTS(space); i++)
        if (g_str_has_prefix(name, "xmlns:") && strcmp(name + 6, space[i][0]) == 0)
            return strcmp(value, space[i][1]) == 0;
    return false;
}

unsigned
fig_svg_editor_spaces(const char **attributes)
{
    unsigned spaces = 0;
    for (; *attributes; attributes += 2)
        for (size_t i = 0; i < G_N_ELEMENTS(space); i++)
            if (g_str_has_prefix(attributes[0], "xmlns:") &&
                strcmp(attributes[0] + 6, space[i][0]) == 0)
                spaces |= 1u << i;
    return spaces;
}

bool
fig_svg_editor_name(unsigned spaces, const char *name)
{
    return ((spaces & 1) && g_str_has_prefix(name, "inkscape:")) ||
           ((spaces & 2) && g_str_has_prefix(name, "sodipodi:"));
}

/* Others say something of a mark, or make Inkscape draw something else than what stands
 * there: a label in its list of objects, a shape or an effect of its own. */
bool
fig_svg_editor_attribute(unsigned spaces, const char **attribute, const char *id)
{
    static const char *const silent[] = {
        "inkscape:version",     "inkscape:output_extension",
        "inkscape:export-xdpi", "inkscape:export-filename",
        "inkscape:export-ydpi", "inkscape:groupmode",
        "inkscape:svg-dpi",     "inkscape:connector-curvature",
        "sodipodi:docname",     "sodipodi:version",
        "sodipodi:insensitive", "sodipodi:nodetypes",
    };
    const char *name = attribute[0], *value = attribute[1];
    if (strcmp(name, "xml:space") == 0) /* as it is in all of the figure */
        return strcmp(value, "preserve") == 0;
    if (!fig_svg_editor_name(spaces, name))
        return false;
    if (strcmp(name, "inkscape:label") == 0)
        return g_strcmp0(value, id) == 0;
    for (size_t i = 0; i < G_N_ELEMENTS(silent); i++)
        if (strcmp(name, silent[i]) == 0)
            return true;
    return false;
}

bool
fig_svg_editor_element(const char *name, const char **attributes, double width,
                       double height)
{
    static const char *const zero[] = {"x", "y", "margin", "bleed"};
    double w = 0, h = 0;
    if (strcmp(name, "inkscape:page") != 0)
        return true;
    for (const char **a = attributes; *a; a += 2) {
        double number = -1;
        bool known = strcmp(a[0], "id") == 0;
        for (size_t i = 0; i < G_N_ELEMENTS(zero) && !known; i++)
            known = strcmp(a[0], zero[i]) == 0 && fig_svg_number(a[1], &number) &&
                    number == 0;
        if (strcmp(a[0], "width") == 0)
            known = fig_svg_number(a[1], &w);
        else if (strcmp(a[0], "height") == 0)
            known = fig_svg_number(a[1], &h);
        if (!known)
            return false;
    }
    return fabs(w - width) < FIG_SVG_PAGE && fabs(h - height) < FIG_SVG_PAGE;
}

/* The string that Inkscape looks fonts up by, before the family: does it name the same
 * font? Plain words, or one string of them: nothing that CSS would read beyond its end. */
static bool
names_font(const FigSvgLook *look, const char *value)
{
    g_auto(GStrv) parts = NULL;
    g_autofree char *first = g_strndup(look->family, strcspn(look->family, ","));
    if (!g_regex_match_simple("^(\\w[-\\w .,]*|'\\w[-\\w .,]*'|\"\\w[-\\w .,]*\")$",
                              value, G_REGEX_DOLLAR_ENDONLY, 0))
        return false;
    parts = g_strsplit_set(value, "'\"", -1);
    g_strdelimit(first, "'", ' ');
    PangoFontDescription *font =
        pango_font_description_from_string(parts[*parts[0] ? 0 : 1]);
    PangoFontMask said = pango_font_description_get_set_fields(font);
    bool same =
        !(said & (PANGO_FONT_MASK_SIZE | PANGO_FONT_MASK_GRAVITY)) &&
        g_strcmp0(pango_font_description_get_family(font), g_strstrip(first)) == 0 &&
        (int)pango_font_description_get_weight(font) == look->weight &&
        pango_font_description_get_style(font) ==
            (look->italic ? PANGO_STYLE_ITALIC : PANGO_STYLE_NORMAL) &&
        pango_font_description_get_variant(font) == PANGO_VARIANT_NORMAL &&
        pango_font_description_get_stretch(font) == PANGO_STRETCH_NORMAL;
    pango_font_description_free(font);
    return same;
}

/* Properties that say what is so anyway. */
static bool
changes_nothing(const char *name, const char *value)
{
    static const char *const rows[][2] = {
        {"opacity", "1"},           {"fill-opacity", "1"},
        {"stroke-opacity", "1"},    {"stroke-linejoin", "miter"},
        {"stroke-miterlimit", "4"}, {"stroke-dashoffset", "0"},
        {"display", "inline"},      {"visibility", "visible"},
        {"font-variant", "normal"}, {"font-stretch", "normal"},
        {"text-anchor", "start"},   {"-inkscape-stroke", "none"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
        if (strcmp(name, rows[i][0]) == 0)
            return strcmp(value, rows[i][1]) == 0;
    return false;
}

char *
fig_svg_read_style(FigArena *arena, FigSvgLook *look, const char *style)
{
    g_auto(GStrv) parts = g_strsplit(style, ";", -1);
    g_autofree char *font = NULL; /* held to what the whole style says */
    for (char **part = parts; *part; part++) {
        char *colon = strchr(*part, ':');
        if (!*g_strstrip(*part))
            continue;
        if (!colon)
            return g_strdup(*part);
        g_autofree char *name = g_strstrip(g_strndup(*part, (gsize)(colon - *part)));
        g_autofree char *value = g_strstrip(g_strdup(colon + 1));
        if (strcmp(name, "font-size") == 0 && !g_str_has_suffix(value, "px"))
            return g_strdup(*part); /* without a unit it is none here */
        if (strcmp(name, "-inkscape-font-specification") == 0) {
            g_free(font);
            font = g_steal_pointer(&value);
            continue;
        }
        bool known = changes_nothing(name, value) ||
                     (strcmp(name, "stroke-dasharray") == 0
                          ? fig_svg_read_dash(arena, look, value)
                          : fig_svg_read_look(arena, look, name, value));
        if (!known)
            return g_strdup(*part);
    }
    return font && !names_font(look, font)
               ? g_strconcat("-inkscape-font-specification:", font, NULL)
               : NULL;
}
