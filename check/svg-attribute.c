/* SPDX-License-Identifier: MIT
 *
 * Attributes that more than one element has: how things look, and what they stand for.
 */
#include "check/svg-value.h"

#include <string.h>

static const char *const hint_name[FIG_HINTS] = {
    "data-op",      "data-class",  "data-input", "data-output", "data-edge",
    "data-value",   "data-fork",   "data-shape", "data-name",   "data-claim",
    "data-callout", "data-number", "data-panel", "data-legend", "data-part",
};

const char *
fig_hint_name(FigHint hint)
{
    return hint_name[hint];
}

/* Is each quote closed by its like, and by nothing else that could be one? */
static bool
quoted(const char *text)
{
    for (; *text; text++)
        if (*text == '"' || *text == '\'') {
            const char *end = strpbrk(text + 1, "\"'");
            if (!end || *end != *text)
                return false;
            text = end;
        }
    return true;
}

static bool
set_look(FigArena *arena, FigSvgLook *look, const char *name, const char *value)
{
    double number;
    if (strcmp(name, "fill") == 0)
        return (look->fill = look->dark_fill = fig_svg_colour(arena, value)) != NULL;
    if (strcmp(name, "stroke") == 0)
        return (look->stroke = look->dark_stroke = fig_svg_colour(arena, value)) !=
               NULL;
    if (strcmp(name, "stroke-width") == 0)
        return fig_svg_length(value, &look->stroke_width) && look->stroke_width >= 0;
    if (strcmp(name, "stroke-linecap") == 0) {
        look->cap = fig_arena_strdup(arena, value);
        return strcmp(value, "butt") == 0 || strcmp(value, "round") == 0;
    }
    if (strcmp(name, "font-family") == 0) { /* quotes and spaces mean nothing */
        g_autoptr(GString) family = g_string_new(value);
        g_string_replace(family, ", ", ",", 0);
        g_strdelimit(family->str, "\"", '\'');
        look->family = fig_arena_strdup(arena, family->str);
        return quoted(value);
    }
    if (strcmp(name, "font-size") == 0)
        return fig_svg_length(value, &look->size) && look->size > 0;
    if (strcmp(name, "font-weight") == 0) {
        number = strcmp(value, "normal") == 0 ? 400
                 : strcmp(value, "bold") == 0 ? 700
                                              : 0;
        if (number == 0 && (strpbrk(value, ".eE-") || !fig_svg_number(value, &number)))
            return false; /* some viewers know whole numbers only, in digits alone */
        if (number < 1 || number > 1000)
            return false;
        look->weight = (int)number;
        return true;
    }
    if (strcmp(name, "font-style") == 0) {
        look->italic = strcmp(value, "italic") == 0;
        return look->italic || strcmp(value, "normal") == 0;
    }
    return false;
}

/* A value that is not in our form leaves the look as it was: nobody meets half of it. */
bool
fig_svg_read_look(FigArena *arena, FigSvgLook *look, const char *name,
                  const char *value)
{
    FigSvgLook changed = *look;
    if (!set_look(arena, &changed, name, value))
        return false;
    *look = changed;
    return true;
}

bool
fig_svg_read_hint(FigArena *arena, FigSvgItem *item, const char *name,
                  const char *value)
{
    for (int h = 0; h < FIG_HINTS; h++) {
        if (strcmp(name, hint_name[h]) != 0)
            continue;
        item->hint[h] = fig_arena_strdup(arena, value);
        return true;
    }
    return false;
}

bool
fig_svg_read_dash(FigArena *arena, FigSvgLook *look, const char *value)
{
    const char *dash = fig_svg_dashes(arena, value);
    if (dash)
        look->dash = dash;
    return dash != NULL;
}
