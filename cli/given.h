/* SPDX-License-Identifier: MIT
 *
 * A figure as it was given to `check`: its bytes, what it carries, and the options that
 * it was drawn with.
 */
#ifndef FIG_CLI_GIVEN_H
#define FIG_CLI_GIVEN_H

#include "check/figure.h"
#include "check/picture.h"
#include "cli/drawing.h"
#include "render/output.h"

typedef struct FigGiven {
    const char *path;
    const FigOutput *output; /* its format */
    char *bytes;
    gsize length;
    FigArena *arena;
    FigSvg *svg;               /* of an SVG */
    const FigPicture *picture; /* of what is drawn again and compared */
    FigCarried carried;        /* all NULL: it is none of ours */
    FigOptions options;        /* that it carries */
    FigDrawing drawing;        /* … */
} FigGiven;

/* Open a figure; self is the command for messages.
 *
 * owns     given, to be closed with fig_given_close also after an error
 * errors   not readable, not XML, options that no figure has; in diag, false
 */
bool fig_given_open(FigGiven *given, const char *path, const FigCommand *self,
                    FigDiag *diag);
void fig_given_close(FigGiven *given);

/* Load the spec that it carries.
 *
 * owns     the caller
 * errors   it carries none, or one that is wrong; in diag, NULL
 */
FigGraph *fig_given_spec(const FigGiven *given, const FigLoadOptions *load,
                         FigDiag *diag);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(FigGiven, fig_given_close)

#endif
