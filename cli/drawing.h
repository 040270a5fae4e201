/* SPDX-License-Identifier: MIT
 *
 * The options of `draw` that shape a figure: read from the command line by draw, and from
 * the line a figure carries by check.
 */
#ifndef FIG_CLI_DRAWING_H
#define FIG_CLI_DRAWING_H

#include "cli/work.h"

typedef struct FigDrawing {
    char *layout, *theme, *width, *text;
    gboolean draft, transparent;
    const char *version; /* as in FigLayoutOptions; no option */
} FigDrawing;

/* clang-format off */
#define FIG_DRAWING_ENTRIES(drawing)                                                   \
    {"layout", 0, 0, G_OPTION_ARG_STRING, &(drawing).layout,                           \
     "Layout, or a file: ./mine.yaml (default: block)", "L"},                                                  \
    {"theme", 0, 0, G_OPTION_ARG_STRING, &(drawing).theme, "Theme (default: light)",   \
     "T"},                                                                             \
    {"width", 0, 0, G_OPTION_ARG_STRING, &(drawing).width,                             \
     "Width of the page: 140mm, 5.5in, 396pt (default: 396pt)", "W"},                  \
    {"transparent", 0, 0, G_OPTION_ARG_NONE, &(drawing).transparent,                   \
     "Draw no paper", NULL},                                                           \
    {"text", 0, 0, G_OPTION_ARG_STRING, &(drawing).text,                               \
     "Text of an SVG: live, outline (shapes, the same everywhere) or embed (with its " \
     "fonts, for browsers)", "MODE"},                                                  \
    {"draft", 0, 0, G_OPTION_ARG_NONE, &(drawing).draft,                               \
     "Draw also when a claim does not hold, with DRAFT across it", NULL}
/* clang-format on */

void fig_drawing_finish(FigDrawing *drawing);

/* The words for modes of text ("live", …), ended by NULL. */
extern const char *const fig_text_mode_names[];

/* How the text of an SVG was asked for.
 *
 * errors   no such mode, in diag (which may be NULL); false
 */
bool fig_drawing_text(const FigDrawing *drawing, FigTextMode *mode, FigDiag *diag);

/* Place a record as asked; *fonts is made if it is NULL, and must outlive the scene.
 *
 * owns     the caller
 * errors   in diag; NULL
 */
FigScene *fig_drawing_place(const FigDrawing *drawing, const FigRecord *record,
                            FigFonts **fonts, FigDiag *diag);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(FigDrawing, fig_drawing_finish)

#endif
