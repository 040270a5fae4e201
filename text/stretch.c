/* SPDX-License-Identifier: MIT
 *
 * Signs that grow with what they stand beside. Those that are tall enough have no code
 * point, so they are drawn as paths.
 */
#include "text/build.h"

#include <hb-ot.h>

enum { VARIANTS = 32 }; /* that are looked at; Latin Modern Math has up to 15 */

static unsigned
variants_of(const FigFont *math, gunichar sign, hb_codepoint_t *glyph,
            hb_ot_math_glyph_variant_t variants[VARIANTS])
{
    unsigned count = VARIANTS;
    *glyph = 0;
    hb_font_get_nominal_glyph(math->hb, sign, glyph);
    hb_ot_math_get_glyph_variants(math->hb, *glyph, HB_DIRECTION_BTT, 0, &count,
                                  variants);
    return count;
}

static void
vertical_extent(const FigPath *path, double *top, double *bottom)
{
    *top = G_MAXDOUBLE;
    *bottom = -G_MAXDOUBLE;
    for (int i = 0; i < path->n_points; i++) {
        *top = MIN(*top, path->points[i][1]);
        *bottom = MAX(*bottom, path->points[i][1]);
    }
}

/* The tallest variant that is hardly taller than wanted; its upper end is then moved, so
 * that it fits any height and its strokes keep their weight. */
FigPath
fig_stretch_radical(const FigFont *math, FigArena *arena, double size, double height,
                    double *width)
{
    static const gunichar radical = 0x221a;
    static const double most = 1.06, end = 0.25;
    hb_ot_math_glyph_variant_t variants[VARIANTS];
    hb_codepoint_t glyph;
    double em = size / math->upem, top, bottom;
    unsigned count = variants_of(math, radical, &glyph, variants);
    for (unsigned i = 0; i < count; i++)
        if (variants[i].advance * em <= height * most)
            glyph = variants[i].glyph;
    FigPath path = fig_font_outline(math, arena, glyph, size);
    double(*points)[2] = (double(*)[2])path.points; /* ours */
    vertical_extent(&path, &top, &bottom);
    double middle = top + end * (bottom - top), grow = height - (bottom - top);
    for (int i = 0; i < path.n_points; i++) {
        if (points[i][1] < middle)
            points[i][1] -= grow;
        points[i][1] += grow - top;
    }
    *width = hb_font_get_glyph_h_advance(math->hb, glyph) * em;
    return path;
}

FigPath
fig_stretch_bracket(const FigFont *math, FigArena *arena, gunichar sign, double size,
                    double wanted, double *width)
{
    hb_ot_math_glyph_variant_t variants[VARIANTS];
    hb_codepoint_t plain, glyph;
    double em = size / math->upem, tall = 0, top, bottom;
    unsigned count = variants_of(math, sign, &plain, variants);
    glyph = plain;
    for (unsigned i = 0; i < count && tall < wanted; i++) {
        glyph = variants[i].glyph;
        tall = variants[i].advance * em;
    }
    *width = hb_font_get_glyph_h_advance(math->hb, glyph) * em;
    if (glyph == plain)
        return (FigPath){0};
    FigPath path = fig_font_outline(math, arena, glyph, size);
    double(*points)[2] = (double(*)[2])path.points; /* ours */
    double grow = MAX(1, wanted / tall); /* beyond the largest: drawn larger */
    vertical_extent(&path, &top, &bottom);
    for (int i = 0; i < path.n_points; i++)
        points[i][1] = (points[i][1] - (top + bottom) / 2) * grow;
    return path;
}
