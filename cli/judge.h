/* SPDX-License-Identifier: MIT
 *
 * What `check` does with each thing it is given: the run is made, the thing is held
 * against it, and what came of it goes into the report.
 */
#ifndef FIG_CLI_JUDGE_H
#define FIG_CLI_JUDGE_H

#include "cli/drawing.h"
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

/* Judge a figure; the spec alone; an edge list of a figure that somebody drew.
 *
 * errors   printed; false
 */
bool fig_judge_figure(const FigJudge *judge, const char *path);
bool fig_judge_spec(const FigJudge *judge);
bool fig_judge_edges(const FigJudge *judge, const char *path);

#endif
