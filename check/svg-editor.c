/* SPDX-License-Identifier: MIT
 *
 * What an editor of drawings makes of our files: Inkscape saves names of its own
 * namespaces, which draw nothing, and looks as style="…" in place of attributes. These
 * are read; whatever else it may have done (a transform, a clip, a filter) is foreign.
 */
#include "check/svg-value.h"

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

bool
fig_svg_editor_name(const char *name)
{
    return g_str_has_prefix(name, "inkscape:") || g_str_has_prefix(name, "sodipodi:");
}

/* Properties that say what is so anyway. */
static bool
changes_nothing(const char *name, const char *value)
{
    static const char *const rows[][2] = {
        {"opacity", "1"},
        {"fill-opacity", "1"},
        {"stroke-opacity", "1"},
        {"stroke-linejoin", "miter"},
        {"stroke-miterlimit", "4"},
        {"stroke-dashoffset", "0"},
        {"stroke-dasharray", "none"},
        {"display", "inline"},
        {"visibility", "visible"},
        {"font-variant", "normal"},
        {"font-stretch", "normal"},
        {"text-anchor", "start"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
        if (strcmp(name, rows[i][0]) == 0)
            return strcmp(value, rows[i][1]) == 0;
    return g_str_has_prefix(name, "-inkscape-");
}

/* A value in the form that an attribute has: without the unit of the page, dashes parted
 * by spaces. owns: the caller */
static char *
as_attribute(const char *name, const char *value)
{
    GString *out = g_string_new(value);
    if (g_str_has_suffix(value, "px"))
        g_string_truncate(out, out->len - 2);
    if (strcmp(name, "stroke-dasharray") == 0) {
        g_string_replace(out, ", ", " ", 0);
        g_string_replace(out, ",", " ", 0);
    }
    return g_string_free(out, FALSE);
}

char *
fig_svg_read_style(FigArena *arena, FigSvgLook *look, const char *style)
{
    g_auto(GStrv) parts = g_strsplit(style, ";", -1);
    for (char **part = parts; *part; part++) {
        char *colon = strchr(*part, ':');
        if (!*g_strstrip(*part))
            continue;
        if (!colon)
            return g_strdup(*part);
        g_autofree char *name = g_strstrip(g_strndup(*part, (gsize)(colon - *part)));
        g_autofree char *plain = g_strstrip(g_strdup(colon + 1));
        g_autofree char *value = as_attribute(name, plain);
        bool known = changes_nothing(name, value) ||
                     (strcmp(name, "stroke-dasharray") == 0
                          ? fig_svg_read_dash(arena, look, value)
                          : fig_svg_read_look(arena, look, name, value));
        if (!known)
            return g_strdup(*part);
        if (strcmp(name, "stroke-dasharray") == 0 && strcmp(value, "none") == 0)
            look->dash = "";
    }
    return NULL;
}
