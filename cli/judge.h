/* SPDX-License-Identifier: MIT
 *
 * What `check` does with each thing it is given: the run is made, the thing is held
 * against it, and what came of it goes into the report.
 */
#ifndef FIG_CLI_JUDGE_H
#define FIG_CLI_JUDGE_H

#include "cli/given.h"
#include "cli/report.h"

typedef struct FigJudge {
    const FigCommand *self;
    const FigOptions *options;
    const FigDrawing *drawing;
    const char *spec; /* given before the figures, or NULL */
    gboolean quick;   /* claims are not tried against changes of the spec */
    FigReport *report;
} FigJudge;

/* Run the loaded spec, settle its claims and try them.
 *
 * errors   in work->diag; false
 */
bool fig_judge_run(const FigJudge *judge, FigWork *work);

/* Place what was run with the options of the command line, else with those that the figure
 * carries; prove an SVG against it (pixels: also by its pixels); write it anew and compare
 * (again, of work).
 *
 * owns     the caller
 * errors   in work->diag; NULL, false
 */
FigScene *fig_judge_place(const FigJudge *judge, const FigGiven *given, FigWork *work,
                          FigFonts **fonts);
FigFigureReport *fig_judge_svg(const FigGiven *given, const FigWork *work,
                               const FigScene *fresh, bool pixels);
bool fig_judge_again(const FigGiven *given, const FigScene *fresh, FigWork *work,
                     FigAgain *again);

/* Judge a figure; the spec alone; an edge list of a figure that somebody drew.
 *
 * errors   printed; false
 */
bool fig_judge_figure(const FigJudge *judge, const char *path);
bool fig_judge_spec(const FigJudge *judge);
bool fig_judge_edges(const FigJudge *judge, const char *path);

/* Judge every figure of a folder: is it what would be drawn now? Names those that are
 * stale, edited or foreign, and the command that renews each.
 *
 * errors   printed; false
 */
bool fig_judge_folder(const FigJudge *judge, const char *folder);

#endif
