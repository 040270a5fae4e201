/* SPDX-License-Identifier: MIT
 *
 * One line of words and formulas as a box, and many lines of a given width.
 */
#include "text/build.h"

#include <string.h>

/* What the box's runs say one after another. */
static const char *
runs_text(FigArena *arena, const GArray *runs)
{
    g_autoptr(GString) text = g_string_new(NULL);
    for (guint i = 0; i < runs->len; i++)
        g_string_append(text, g_array_index(runs, FigTextRun, i).text);
    return fig_arena_strdup(arena, text->str);
}

/* A formula after words. Letters in italic begin left of the pen, so far that programs
 * which guess spaces from gaps (pdftotext) see none before a W: it keeps that much. */
static double
set_formula(FigBuild *build, const FigTex *list, const FigTextStyle *style, double pen,
            FigInkBox *ink)
{
    static const double most = 0.12; /* of the words' size, into the space before */
    double size = style->size * fig_fonts_math_scale(build->fonts, style->face);
    FigBuildMark start = fig_build_mark(build);
    FigInkBox own = FIG_INK_BOX_EMPTY;
    double width = fig_build_math(build, list, size, pen, &own), late = 0;
    if (start.run > 0 && start.run < build->runs->len) {
        const FigTextRun *before =
            &g_array_index(build->runs, FigTextRun, start.run - 1);
        const FigTextRun *first = &g_array_index(build->runs, FigTextRun, start.run);
        if (g_str_has_suffix(before->text, " ") && !first->ghost)
            late = MAX(0, pen - most * style->size - first->x);
    }
    fig_build_shift(build, start, late, 0);
    own.left += late;
    own.right += late;
    fig_ink_add(ink, own);
    return width + late;
}

static const FigTextBox *
set_pieces(FigFonts *fonts, FigArena *arena, const char *source,
           const FigTexPiece *pieces, const FigTextStyle *style)
{
    g_autoptr(GArray) runs = g_array_new(FALSE, TRUE, sizeof(FigTextRun));
    g_autoptr(GArray) paths = g_array_new(FALSE, TRUE, sizeof(FigPath));
    FigBuild build = {fonts, arena, runs, paths};
    const FigFont *words = fig_fonts_open(fonts, style->face);
    FigInkBox ink = FIG_INK_BOX_EMPTY;
    double pen = 0;
    for (const FigTexPiece *piece = pieces; piece; piece = piece->next) {
        if (piece->words)
            pen += fig_build_words(&build, style->face, style->size, piece->words, pen,
                                   &ink);
        else
            pen += set_formula(&build, piece->math, style, pen, &ink);
    }
    FigTextBox *box = fig_arena_new0(arena, FigTextBox);
    box->source = fig_arena_strdup(arena, source);
    box->plain = runs_text(arena, runs);
    box->width = pen;
    if (ink.right >= ink.left) {
        box->ink_left = ink.left;
        box->ink_top = ink.top;
        box->ink_right = ink.right;
        box->ink_bottom = ink.bottom;
    }
    box->ascent = MAX(words->ascender * style->size, -box->ink_top);
    box->descent = MAX(words->descender * style->size, box->ink_bottom);
    box->n_runs = (int)runs->len;
    box->runs = fig_arena_copy(arena, runs->data, runs->len * sizeof(FigTextRun));
    box->n_paths = (int)paths->len;
    box->paths = fig_arena_copy(arena, paths->data, paths->len * sizeof(FigPath));
    return box;
}

const FigTextBox *
fig_text_set(FigFonts *fonts, FigArena *arena, const char *source,
             const FigTextStyle *style, FigSpan at, FigDiag *diag)
{
    FigTexPiece *pieces;
    if (!fig_tex_label(arena, source, at, diag, &pieces))
        return NULL;
    return set_pieces(fonts, arena, source, pieces, style);
}

/* The end of the chunk at from that no line may break: up to a space outside formulas. */
static size_t
chunk_end(const char *source, size_t from)
{
    bool math = false;
    size_t i = from;
    for (; source[i]; i++) {
        if (source[i] == '\\' && source[i + 1])
            i++;
        else if (source[i] == '$')
            math = !math;
        else if (!math && g_ascii_isspace(source[i]))
            break;
    }
    return i;
}

static const FigTextBox *
set_part(FigFonts *fonts, FigArena *arena, const char *source, size_t from, size_t to,
         const FigTextStyle *style)
{
    g_autofree char *part = g_strndup(source + from, to - from);
    return fig_text_set(fonts, arena, part, style, (FigSpan){0}, NULL);
}

const FigTextBox *const *
fig_text_wrap(FigFonts *fonts, FigArena *arena, const char *source,
              const FigTextStyle *style, double width, int *n_lines, FigSpan at,
              FigDiag *diag)
{
    FigTexPiece *pieces;
    *n_lines = 0;
    if (!fig_tex_label(arena, source, at, diag, &pieces))
        return NULL;
    g_autoptr(GPtrArray) lines = g_ptr_array_new();
    size_t from = 0;
    while (g_ascii_isspace(source[from]))
        from++;
    while (source[from] || lines->len == 0) {
        /* a chunk that fits joins the line; the whole is set, since letters kern */
        size_t end = chunk_end(source, from);
        const FigTextBox *line = set_part(fonts, arena, source, from, end, style);
        for (size_t to = end; source[to];) {
            while (g_ascii_isspace(source[to]))
                to++;
            if (!source[to])
                break;
            to = chunk_end(source, to);
            const FigTextBox *longer = set_part(fonts, arena, source, from, to, style);
            if (longer->width > width)
                break;
            line = longer;
            end = to;
        }
        g_ptr_array_add(lines, (void *)line);
        from = end;
        while (g_ascii_isspace(source[from]))
            from++;
    }
    *n_lines = (int)lines->len;
    return fig_arena_copy(arena, lines->pdata, lines->len * sizeof(void *));
}
