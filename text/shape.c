/* SPDX-License-Identifier: MIT
 *
 * Characters become placed glyphs here and nowhere else. Metrics are the font's own,
 * scaled in floating point: no hinting, no rounding to pixels, so that a box measured on
 * one machine is the box drawn on another.
 */
#include "text/build.h"

#include <hb-ot.h>
#include <string.h>

void
fig_ink_add(FigInkBox *box, FigInkBox other)
{
    if (other.right < other.left)
        return;
    if (box->right < box->left) {
        *box = other;
        return;
    }
    box->left = MIN(box->left, other.left);
    box->top = MIN(box->top, other.top);
    box->right = MAX(box->right, other.right);
    box->bottom = MAX(box->bottom, other.bottom);
}

FigBuildMark
fig_build_mark(const FigBuild *build)
{
    return (FigBuildMark){build->runs->len, build->paths->len};
}

void
fig_build_shift(FigBuild *build, FigBuildMark since, double dx, double dy)
{
    for (guint i = since.run; i < build->runs->len; i++) {
        FigTextRun *run = &g_array_index(build->runs, FigTextRun, i);
        run->x += dx;
        run->y += dy;
    }
    for (guint i = since.path; i < build->paths->len; i++) {
        FigPath *path = &g_array_index(build->paths, FigPath, i);
        double(*points)[2] =
            (double(*)[2])path->points; /* ours until the box is done */
        for (int k = 0; k < path->n_points; k++) {
            points[k][0] += dx;
            points[k][1] += dy;
        }
    }
}

double
fig_build_run(FigBuild *build, FigFont *font, double size, const char *text,
              size_t length, bool literal, double x, double y, FigInkBox *ink)
{
    static const hb_feature_t plain[] = {
        {HB_TAG('l', 'i', 'g', 'a'), 0, 0, (unsigned)-1},
        {HB_TAG('c', 'l', 'i', 'g'), 0, 0, (unsigned)-1},
    };
    hb_buffer_t *buffer = fig_fonts_buffer(build->fonts);
    hb_buffer_add_utf8(buffer, text, (int)length, 0, (int)length);
    hb_buffer_guess_segment_properties(buffer);
    /* the language of the user's locale must not choose glyphs */
    hb_buffer_set_language(buffer, hb_language_from_string("en", -1));
    hb_shape(font->hb, buffer, plain, literal ? G_N_ELEMENTS(plain) : 0);
    unsigned count;
    const hb_glyph_info_t *info = hb_buffer_get_glyph_infos(buffer, &count);
    const hb_glyph_position_t *place = hb_buffer_get_glyph_positions(buffer, NULL);
    double em = size / font->upem, pen = 0;
    FigGlyph *glyphs = fig_arena_new_array(build->arena, FigGlyph, count);
    for (unsigned i = 0; i < count; i++) {
        FigGlyph *glyph = &glyphs[i];
        glyph->id = info[i].codepoint;
        glyph->cluster = (int)info[i].cluster;
        glyph->x = pen + place[i].x_offset * em;
        glyph->y = -place[i].y_offset * em;
        glyph->advance = place[i].x_advance * em;
        pen += glyph->advance;
        hb_glyph_extents_t extents;
        if (hb_font_get_glyph_extents(font->hb, glyph->id, &extents) && extents.width)
            fig_ink_add(ink,
                        (FigInkBox){
                            x + glyph->x + extents.x_bearing * em,
                            y + glyph->y - extents.y_bearing * em,
                            x + glyph->x + (extents.x_bearing + extents.width) * em,
                            y + glyph->y - (extents.y_bearing + extents.height) * em,
                        });
    }
    FigTextRun run = {
        .font = font,
        .size = size,
        .x = x,
        .y = y,
        .text = fig_arena_strndup(build->arena, text, length),
        .n_glyphs = (int)count,
        .glyphs = glyphs,
        .advance = pen,
    };
    g_array_append_val(build->runs, run);
    return pen;
}

void
fig_build_ghost(FigBuild *build, FigFont *font, double size, const char *text, double x,
                double y)
{
    FigTextRun run = {
        .font = font,
        .size = size,
        .x = x,
        .y = y,
        .text = fig_arena_strdup(build->arena, text),
        .ghost = true,
    };
    g_array_append_val(build->runs, run);
}

void
fig_build_space(FigBuild *build, FigFont *font, double size, double x, double y)
{
    if (build->runs->len == 0)
        return;
    FigTextRun *last = &g_array_index(build->runs, FigTextRun, build->runs->len - 1);
    size_t length = strlen(last->text);
    if (!length || last->text[length - 1] == ' ')
        return;
    hb_codepoint_t space;
    if (last->ghost || !hb_font_get_nominal_glyph(last->font->hb, ' ', &space)) {
        fig_build_ghost(build, font, size, " ", x, y);
        return;
    }
    FigGlyph *glyphs =
        fig_arena_new_array(build->arena, FigGlyph, (size_t)last->n_glyphs + 1);
    memcpy(glyphs, last->glyphs, (size_t)last->n_glyphs * sizeof *glyphs);
    glyphs[last->n_glyphs] = (FigGlyph){
        .id = space,
        .cluster = (int)length,
        .x = last->advance,
        .advance = hb_font_get_glyph_h_advance(last->font->hb, space) * last->size /
                   last->font->upem,
    };
    last->text = fig_arena_printf(build->arena, "%s ", last->text);
    last->advance += glyphs[last->n_glyphs].advance;
    last->glyphs = glyphs;
    last->n_glyphs++;
}

/* Marks, joiners and variation selectors stay in the font of the character before. */
static bool
joins_before(gunichar character)
{
    return g_unichar_ismark(character) || character == 0x200d || character == 0x200c;
}

double
fig_build_words(FigBuild *build, FigFace face, double size, const char *words, double x,
                FigInkBox *ink)
{
    FigFont *own = fig_fonts_open(build->fonts, face);
    double pen = 0;
    for (const char *from = words; *from;) {
        FigFont *font = NULL;
        const char *to = from;
        for (; *to; to = g_utf8_next_char(to)) {
            gunichar character = g_utf8_get_char(to);
            if (font && joins_before(character))
                continue;
            /* a space between two strange words is not a reason to change fonts twice,
             * but its width is that of the words' own font */
            FigFont *here = fig_font_has(own, character)
                                ? own
                                : fig_fonts_for(build->fonts, face, character);
            if (font && here != font)
                break;
            font = here;
        }
        pen += fig_build_run(build, font, size, from, (size_t)(to - from), false,
                             x + pen, 0, ink);
        from = to;
    }
    return pen;
}
