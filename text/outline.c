/* SPDX-License-Identifier: MIT
 *
 * Glyph outlines as paths, for signs that no code point names (a tall radical) and for
 * figures whose text is drawn.
 */
#include "text/build.h"

#include <hb-ot.h>
#include <string.h>

typedef struct Pen {
    GArray *verbs;  /* FigPathVerb */
    GArray *points; /* double[2] */
    double em;      /* points a unit */
} Pen;

static void
add(Pen *pen, FigPathVerb verb)
{
    g_array_append_val(pen->verbs, verb);
}

static void
add_point(Pen *pen, float x, float y)
{
    double point[2] = {(double)x * pen->em, -(double)y * pen->em};
    g_array_append_val(pen->points, point);
}

static void
draw_move(hb_draw_funcs_t *funcs, void *data, hb_draw_state_t *state, float x, float y,
          void *user)
{
    add(data, FIG_MOVE);
    add_point(data, x, y);
}

static void
draw_line(hb_draw_funcs_t *funcs, void *data, hb_draw_state_t *state, float x, float y,
          void *user)
{
    add(data, FIG_LINE);
    add_point(data, x, y);
}

static void
draw_curve(hb_draw_funcs_t *funcs, void *data, hb_draw_state_t *state, float x1,
           float y1, float x2, float y2, float x, float y, void *user)
{
    add(data, FIG_CURVE);
    add_point(data, x1, y1);
    add_point(data, x2, y2);
    add_point(data, x, y);
}

static void
draw_close(hb_draw_funcs_t *funcs, void *data, hb_draw_state_t *state, void *user)
{
    add(data, FIG_CLOSE);
}

static hb_draw_funcs_t *
funcs_new(void)
{
    /* quadratic curves come as cubic ones when no function for them is set */
    hb_draw_funcs_t *funcs = hb_draw_funcs_create();
    hb_draw_funcs_set_move_to_func(funcs, draw_move, NULL, NULL);
    hb_draw_funcs_set_line_to_func(funcs, draw_line, NULL, NULL);
    hb_draw_funcs_set_cubic_to_func(funcs, draw_curve, NULL, NULL);
    hb_draw_funcs_set_close_path_func(funcs, draw_close, NULL, NULL);
    return funcs;
}

FigPath
fig_font_outline(const FigFont *font, FigArena *arena, uint32_t glyph, double size)
{
    g_autoptr(GArray) verbs = g_array_new(FALSE, FALSE, sizeof(FigPathVerb));
    g_autoptr(GArray) points = g_array_new(FALSE, FALSE, sizeof(double[2]));
    Pen pen = {verbs, points, size / font->upem};
    hb_draw_funcs_t *funcs = funcs_new();
#if HB_VERSION_ATLEAST(7, 0, 0)
    hb_font_draw_glyph(font->hb, glyph, funcs, &pen);
#else
    hb_font_get_glyph_shape(font->hb, glyph, funcs, &pen);
#endif
    hb_draw_funcs_destroy(funcs);
    return (FigPath){
        .n_verbs = (int)verbs->len,
        .verbs = fig_arena_copy(arena, verbs->data, verbs->len * sizeof(FigPathVerb)),
        .n_points = (int)points->len,
        .points = fig_arena_copy(arena, points->data, points->len * sizeof(double[2])),
    };
}

FigPath
fig_path_rect(FigArena *arena, double x, double y, double width, double height)
{
    static const FigPathVerb verbs[] = {FIG_MOVE, FIG_LINE, FIG_LINE, FIG_LINE,
                                        FIG_CLOSE};
    const double points[4][2] = {
        {x, y}, {x, y + height}, {x + width, y + height}, {x + width, y}};
    return (FigPath){G_N_ELEMENTS(verbs), verbs, 4,
                     fig_arena_copy(arena, points, sizeof points)};
}

FigPath
fig_path_join(FigArena *arena, FigPath a, FigPath b)
{
    if (a.n_verbs == 0 || b.n_verbs == 0)
        return a.n_verbs == 0 ? b : a;
    FigPathVerb *verbs =
        fig_arena_new_array(arena, FigPathVerb, (size_t)(a.n_verbs + b.n_verbs));
    double(*points)[2] =
        fig_arena_alloc_array(arena, sizeof *points, (size_t)(a.n_points + b.n_points));
    memcpy(verbs, a.verbs, (size_t)a.n_verbs * sizeof *verbs);
    memcpy(verbs + a.n_verbs, b.verbs, (size_t)b.n_verbs * sizeof *verbs);
    memcpy(points, a.points, (size_t)a.n_points * sizeof *points);
    memcpy(points + a.n_points, b.points, (size_t)b.n_points * sizeof *points);
    return (FigPath){a.n_verbs + b.n_verbs, verbs, a.n_points + b.n_points,
                     (const double(*)[2])points};
}

void
fig_build_path(FigBuild *build, FigPath path, FigInkBox *ink)
{
    for (int i = 0; i < path.n_points; i++) {
        const double *at = path.points[i];
        fig_ink_add(ink, (FigInkBox){at[0], at[1], at[0], at[1]});
    }
    g_array_append_val(build->paths, path);
}

void
fig_build_outline(FigBuild *build, FigBuildMark since)
{
    FigPath all = {0};
    for (guint i = since.run; i < build->runs->len; i++) {
        const FigTextRun *run = &g_array_index(build->runs, FigTextRun, i);
        for (int g = 0; g < run->n_glyphs; g++) {
            const FigGlyph *glyph = &run->glyphs[g];
            FigPath path =
                fig_font_outline(run->font, build->arena, glyph->id, run->size);
            double(*points)[2] = (double(*)[2])path.points; /* made just now */
            for (int k = 0; k < path.n_points; k++) {
                points[k][0] += run->x + glyph->x;
                points[k][1] += run->y + glyph->y;
            }
            all = fig_path_join(build->arena, all, path);
        }
    }
    g_array_set_size(build->runs, since.run);
    if (all.n_points > 0)
        g_array_append_val(build->paths, all);
}
