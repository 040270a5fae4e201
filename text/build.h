/* SPDX-License-Identifier: MIT
 *
 * A text box in the making: runs and paths in the order in which they are read, placed
 * from the box's origin. Private to text/.
 */
#ifndef FIG_TEXT_BUILD_H
#define FIG_TEXT_BUILD_H

#include "text/fonts.h"
#include "text/tex.h"

/* Ink or a box, y down; empty while right < left. */
typedef struct FigInkBox {
    double left, top, right, bottom; /* points */
} FigInkBox;

#define FIG_INK_BOX_EMPTY ((FigInkBox){1, 1, 0, 0})

void fig_ink_add(FigInkBox *box, FigInkBox other);

typedef struct FigBuild {
    FigFonts *fonts;
    FigArena *arena;
    GArray *runs;  /* FigTextRun */
    GArray *paths; /* FigPath */
} FigBuild;

/* A place to come back to, to move all that was built since. */
typedef struct FigBuildMark {
    guint run, path;
} FigBuildMark;

FigBuildMark fig_build_mark(const FigBuild *build);
void fig_build_shift(FigBuild *build, FigBuildMark since, double dx, double dy);

/* Shape length bytes of text in one font and append them as a run at x, y.
 *
 * units    points; gives the advance and adds to ink
 */
double fig_build_run(FigBuild *build, FigFont *font, double size, const char *text,
                     size_t length, bool literal, double x, double y, FigInkBox *ink);

/* Append text that is copied and read but not seen. */
void fig_build_ghost(FigBuild *build, FigFont *font, double size, const char *text,
                     double x, double y);

/* Append a typed space to the run before (it moves nothing: the next run has its own
 * place). */
void fig_build_space(FigBuild *build, FigFont *font, double size, double x, double y);

void fig_build_path(FigBuild *build, FigPath path, FigInkBox *ink);

/* Make one path of the glyphs of all runs since; nothing of them is typed any more. */
void fig_build_outline(FigBuild *build, FigBuildMark since);

/* Words in the face, each character in a font that has it; gives the advance. */
double fig_build_words(FigBuild *build, FigFace face, double size, const char *words,
                       double x, FigInkBox *ink);

/* A formula at size (of its letters) beginning at x on the baseline; gives the advance. */
double fig_build_math(FigBuild *build, const FigTex *list, double size, double x,
                      FigInkBox *ink);

/* The sign of a root of that height, from y 0 at its top, and where its bar begins.
 *
 * units    points
 * owns     arena
 */
FigPath fig_stretch_radical(const FigFont *math, FigArena *arena, double size,
                            double height, double *width);

/* A bracket at least as tall as wanted, with its middle on y 0; without points when the
 * font's plain one will do.
 *
 * units    points
 * owns     arena
 */
FigPath fig_stretch_bracket(const FigFont *math, FigArena *arena, gunichar sign,
                            double size, double wanted, double *width);

/* A rectangle; two paths made one. owns: arena */
FigPath fig_path_rect(FigArena *arena, double x, double y, double width, double height);
FigPath fig_path_join(FigArena *arena, FigPath a, FigPath b);

#endif
