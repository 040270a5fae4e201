/* SPDX-License-Identifier: MIT
 *
 * Colours, the rules for a dark page, and what shapes read take up. SVG allows much more
 * than we write (percentages, named colours, other units); whatever is no other form of
 * what we write is refused and becomes a foreign finding, so that nothing is half
 * understood.
 */
#include "check/svg-value.h"

#include <math.h>
#include <string.h>

static bool
hex_colour(const char *text, unsigned channel[3])
{
    size_t length = strlen(text);
    for (size_t i = 0; i < length; i++)
        if (!g_ascii_isxdigit(text[i]))
            return false;
    if (length != 3 && length != 6)
        return false;
    for (int i = 0; i < 3; i++) {
        if (length == 3) {
            channel[i] = 17u * (unsigned)g_ascii_xdigit_value(text[i]);
        } else {
            int high = g_ascii_xdigit_value(text[2 * i]);
            int low = g_ascii_xdigit_value(text[2 * i + 1]);
            channel[i] = (unsigned)(high * 16 + low);
        }
    }
    return true;
}

static bool
rgb_colour(const char *text, unsigned channel[3])
{
    for (int i = 0; i < 3; i++) {
        text += strspn(text, " ");
        if (!g_ascii_isdigit(*text))
            return false;
        channel[i] = 0;
        for (int n = 0; g_ascii_isdigit(*text) && n < 4; n++)
            channel[i] = channel[i] * 10 + (unsigned)(*text++ - '0');
        text += strspn(text, " ");
        if (channel[i] > 255 || *text != (i < 2 ? ',' : ')'))
            return false;
        text++;
    }
    return *text == '\0';
}

const char *
fig_svg_colour(FigArena *arena, const char *text)
{
    unsigned channel[3];
    if (strcmp(text, "none") == 0)
        return "none";
    if (text[0] == '#'
            ? !hex_colour(text + 1, channel)
            : !g_str_has_prefix(text, "rgb(") || !rgb_colour(text + 4, channel))
        return NULL;
    return fig_arena_printf(arena, "#%02x%02x%02x", channel[0], channel[1], channel[2]);
}

bool
fig_svg_style_known(const char *text)
{
#define COLOUR "(#[0-9a-f]{3}|#[0-9a-f]{6}|rgb\\([0-9]+, ?[0-9]+, ?[0-9]+\\))"
    return g_regex_match_simple(
        "^\\s*(@font-face\\{font-family:'[A-Za-z0-9 ]+';font-weight:[0-9]+;"
        "font-style:(normal|italic);src:url\\(data:font/otf;base64,"
        "[A-Za-z0-9+/=]*+\\)\\}\\s*)*"
        "(@media \\(prefers-color-scheme:dark\\)\\{\\s*"
        "(#[-A-Za-z0-9_]+ \\[(fill|stroke)=\"" COLOUR "\"\\]\\{\\g{-2}:" COLOUR
        "\\}\\s*)*\\}\\s*)?$",
        text, G_REGEX_DOLLAR_ENDONLY, 0);
#undef COLOUR
}

/* ---- bounds ---- */

FigBounds
fig_svg_path_bounds(const FigPath *path)
{
    FigBounds b = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    for (int i = 0; i < path->n_points; i++) {
        b.left = MIN(b.left, path->points[i][0]);
        b.right = MAX(b.right, path->points[i][0]);
        b.top = MIN(b.top, path->points[i][1]);
        b.bottom = MAX(b.bottom, path->points[i][1]);
    }
    return b;
}

/* Advance of a character in em, as most sans and roman faces have it. */
static double
advance(gunichar c)
{
    if (c < 0x80 && strchr("ijl.,:;'|!()[] ", (int)c))
        return 0.29;
    if (c < 0x80 && strchr("frt-/", (int)c))
        return 0.37;
    if (c < 0x80 && strchr("mwMW%@", (int)c))
        return 0.86;
    if (g_unichar_ismark(c))
        return 0;
    if (c >= 0x2190)
        return 0.8; /* arrows, operators */
    return g_unichar_isupper(c) ? 0.69 : 0.57;
}

double
fig_svg_text_width(const char *text, double size)
{
    double width = 0;
    for (; *text; text = g_utf8_next_char(text))
        width += advance(g_utf8_get_char(text)) * size;
    return width;
}

FigBounds
fig_svg_text_bounds(const FigSvgItem *text)
{
    FigBounds b = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    double x = 0, y = 0;
    for (int i = 0; i < text->n_spans; i++) {
        const FigSvgSpan *span = &text->spans[i];
        if (span->placed) {
            x = span->x;
            y = span->y;
        }
        if (!fig_svg_inked(span->look.fill))
            continue;
        b.left = MIN(b.left, x);
        b.top = MIN(b.top, y - 0.72 * span->look.size);
        b.bottom = MAX(b.bottom, y + 0.2 * span->look.size);
        x += fig_svg_text_width(span->text, span->look.size);
        b.right = MAX(b.right, x);
    }
    return b;
}

/* ---- shapes ---- */

bool
fig_svg_inked(const char *colour)
{
    return colour && strcmp(colour, "none") != 0;
}

bool
fig_svg_bordered(const FigSvgItem *item)
{
    return fig_svg_inked(item->look.stroke) && item->look.stroke_width > 0;
}

bool
fig_svg_closed(const FigSvgItem *item)
{
    return item->kind == FIG_ITEM_PATH &&
           item->path.verbs[item->path.n_verbs - 1] == FIG_CLOSE;
}

bool
fig_svg_circle(const FigSvgItem *item)
{
    double width = item->bounds.right - item->bounds.left;
    double height = item->bounds.bottom - item->bounds.top;
    if (!fig_svg_closed(item) || item->path.n_verbs != 6 || fabs(width - height) > 0.1)
        return false;
    for (int v = 1; v < 5; v++)
        if (item->path.verbs[v] != FIG_CURVE)
            return false;
    return item->path.verbs[0] == FIG_MOVE;
}

const char *
fig_svg_hint(const FigSvgItem *item, FigHint hint)
{
    for (; item; item = item->parent)
        if (item->hint[hint])
            return item->hint[hint];
    return NULL;
}
