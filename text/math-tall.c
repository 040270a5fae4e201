/* SPDX-License-Identifier: MIT
 *
 * Parts of formulas that are as tall as what they hold: roots, fractions, brackets. Their
 * signs are outlines, for no code point names a tall radical; what a person would type for
 * them goes with the text without ink.
 */
#include "text/math.h"

#include <hb-ot.h>
#include <string.h>

FigMathExtent
fig_math_sqrt(FigMath *math, const FigTex *item, FigMathStyle style, double x,
              FigInkBox *ink)
{
    FigBuild *build = math->build;
    double size = fig_math_size(math, style);
    bool bare = fig_tex_is_one(item->inner);
    FigInkBox inside = FIG_INK_BOX_EMPTY;
    FigBuildMark start = fig_build_mark(build);
    fig_build_ghost(build, math->font, size, bare ? "√" : "√(", x, 0);
    style.cramped = true;
    FigMathExtent inner = fig_math_list(math, item->inner, style, x, &inside);
    if (!bare)
        fig_build_ghost(build, math->font, size, ")", x + inner.width, 0);
    double gap =
        fig_math_constant(math, HB_OT_MATH_CONSTANT_RADICAL_VERTICAL_GAP, size);
    double rule =
        fig_math_constant(math, HB_OT_MATH_CONSTANT_RADICAL_RULE_THICKNESS, size);
    /* a lone x still has a bar at the height of a capital, so that roots look alike */
    double height = MAX(inner.height, 0.55 * size) + gap + rule;
    double depth = MAX(inner.depth, 0.1 * size);
    double before;
    FigPath sign =
        fig_stretch_radical(math->font, build->arena, size, height + depth, &before);
    fig_build_shift(build, start, before, 0);
    FigPath bar = fig_path_rect(build->arena, x + before, -height,
                                inner.width + inner.italic, rule);
    double(*points)[2] = (double(*)[2])sign.points;
    for (int i = 0; i < sign.n_points; i++) {
        points[i][0] += x;
        points[i][1] -= height;
    }
    if (inside.right >= inside.left) {
        inside.left += before;
        inside.right += before;
    }
    fig_ink_add(ink, inside);
    fig_build_path(build, fig_path_join(build->arena, sign, bar), ink);
    return (FigMathExtent){
        .width = before + inner.width + inner.italic, .height = height, .depth = depth};
}

static FigMathExtent
set_part(FigMath *math, const FigTex *list, FigMathStyle style, double x,
         FigInkBox *ink)
{
    bool bare = fig_tex_is_one(list);
    double size = fig_math_size(math, style);
    if (!bare)
        fig_build_ghost(math->build, math->font, size, "(", x, 0);
    FigMathExtent extent = fig_math_list(math, list, style, x, ink);
    if (!bare)
        fig_build_ghost(math->build, math->font, size, ")", x + extent.width, 0);
    extent.width += extent.italic;
    return extent;
}

FigMathExtent
fig_math_frac(FigMath *math, const FigTex *item, FigMathStyle style, double x,
              FigInkBox *ink)
{
    FigBuild *build = math->build;
    double size = fig_math_size(math, style);
    double rule =
        fig_math_constant(math, HB_OT_MATH_CONSTANT_FRACTION_RULE_THICKNESS, size);
    double axis = fig_math_constant(math, HB_OT_MATH_CONSTANT_AXIS_HEIGHT, size);
    double side = 0.12 * size; /* TeX's \nulldelimiterspace */
    FigInkBox above = FIG_INK_BOX_EMPTY, below = FIG_INK_BOX_EMPTY;
    FigBuildMark upper = fig_build_mark(build);
    FigMathExtent top =
        set_part(math, item->inner, fig_math_script(style, false), x, &above);
    fig_build_ghost(build, math->font, size, "/", x, 0);
    FigBuildMark lower = fig_build_mark(build);
    FigMathExtent bottom =
        set_part(math, item->under, fig_math_script(style, true), x, &below);
    double up = MAX(
        fig_math_constant(math, HB_OT_MATH_CONSTANT_FRACTION_NUMERATOR_SHIFT_UP, size),
        axis + rule / 2 + top.depth +
            fig_math_constant(math, HB_OT_MATH_CONSTANT_FRACTION_NUMERATOR_GAP_MIN,
                              size));
    double down =
        MAX(fig_math_constant(math, HB_OT_MATH_CONSTANT_FRACTION_DENOMINATOR_SHIFT_DOWN,
                              size),
            bottom.height - axis + rule / 2 +
                fig_math_constant(
                    math, HB_OT_MATH_CONSTANT_FRACTION_DENOMINATOR_GAP_MIN, size));
    double width = MAX(top.width, bottom.width);
    /* the lower half first: a shift moves all that came after its mark */
    double below_x = side + (width - bottom.width) / 2;
    double above_x = side + (width - top.width) / 2;
    fig_math_move(math, lower, below, below_x - above_x, down + up,
                  &(FigInkBox){1, 1, 0, 0});
    fig_math_move(math, upper, above, above_x, -up, ink);
    if (below.right >= below.left)
        fig_ink_add(ink, (FigInkBox){below.left + below_x, below.top + down,
                                     below.right + below_x, below.bottom + down});
    fig_build_path(build,
                   fig_path_rect(build->arena, x + side, -axis - rule / 2, width, rule),
                   ink);
    return (FigMathExtent){.width = width + 2 * side,
                           .height = up + top.height,
                           .depth = down + bottom.depth};
}

/* A bracket at least as tall as wanted, centred on the axis. */
static FigMathExtent
set_bracket(FigMath *math, const char *sign, double wanted, double size, double x,
            FigInkBox *ink)
{
    FigBuild *build = math->build;
    if (!*sign)
        return (FigMathExtent){.width = 0.12 * size}; /* TeX's \nulldelimiterspace */
    double axis = fig_math_constant(math, HB_OT_MATH_CONSTANT_AXIS_HEIGHT, size), width;
    FigPath path = fig_stretch_bracket(math->font, build->arena, g_utf8_get_char(sign),
                                       size, wanted, &width);
    if (path.n_points == 0)
        return fig_math_symbol(math, sign, size, x, ink);
    FigBuildMark mark = fig_build_mark(build);
    FigInkBox own = FIG_INK_BOX_EMPTY;
    fig_build_ghost(build, math->font, size, sign, x, 0);
    fig_build_path(build, path, &own);
    mark.run++; /* the ghost has its place */
    fig_math_move(math, mark, own, x, -axis, ink);
    return (FigMathExtent){
        .width = width, .height = axis - own.top, .depth = own.bottom - axis};
}

FigMathExtent
fig_math_fence(FigMath *math, const FigTex *item, FigMathStyle style, double x,
               FigInkBox *ink)
{
    GArray *runs = math->build->runs;
    double size = fig_math_size(math, style);
    double axis = fig_math_constant(math, HB_OT_MATH_CONSTANT_AXIS_HEIGHT, size);
    FigBuildMark start = fig_build_mark(math->build);
    FigInkBox own = FIG_INK_BOX_EMPTY;
    if (*item->text) {
        fig_build_ghost(math->build, math->font, size, item->text, x, 0);
        start.run++;
    }
    FigMathExtent inner = fig_math_list(math, item->inner, style, x, &own);
    inner.width += inner.italic;
    double wanted = 2 * MAX(inner.height - axis, inner.depth + axis) * 0.95;
    /* the left bracket is as tall as what it stands before, so it is set after it and
     * its run put where its place was kept */
    FigBuildMark middle = fig_build_mark(math->build);
    FigMathExtent left = set_bracket(math, item->text, wanted, size, x, ink);
    if (runs->len > middle.run) {
        g_array_index(runs, FigTextRun, start.run - 1) =
            g_array_index(runs, FigTextRun, middle.run);
        g_array_set_size(runs, middle.run);
    }
    FigPath *sign = NULL, kept;
    if (math->build->paths->len > middle.path) {
        sign = &g_array_index(math->build->paths, FigPath, middle.path);
        kept = *sign;
        g_array_set_size(math->build->paths, middle.path);
    }
    fig_math_move(math, start, own, left.width, 0, ink);
    if (sign)
        g_array_append_val(math->build->paths, kept);
    FigMathExtent right =
        set_bracket(math, item->right, wanted, size, x + left.width + inner.width, ink);
    return (FigMathExtent){.width = left.width + inner.width + right.width,
                           .height = MAX(inner.height, MAX(left.height, right.height)),
                           .depth = MAX(inner.depth, MAX(left.depth, right.depth))};
}
