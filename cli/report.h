/* SPDX-License-Identifier: MIT
 *
 * What `check` has to say: for each thing checked its counts, claims and findings, as
 * text for people and as JSON for machines.
 */
#ifndef FIG_CLI_REPORT_H
#define FIG_CLI_REPORT_H

#include "check/figure.h"
#include "check/foreign.h"
#include "cli/work.h"

typedef struct FigReport FigReport;

/* A figure that was drawn again and compared. */
typedef struct FigAgain {
    bool same;   /* as far as was compared */
    bool packed; /* the same in other bytes */
    /* what it was drawn with that is not here, and what was therefore not compared; as in
     * FigFigureReport */
    const char *differ, *not_compared;
    bool edited; /* not the same, though it carries what a fresh drawing carries */
    int line;    /* of an SVG, the first that is not the same, and it; 0 */
    const char *says;
} FigAgain;

/* Begin a report; strict: a claim that no small change breaks is a finding, and so is what
 * other versions leave uncompared.
 *
 * owns     the caller; free with fig_report_free
 */
FigReport *fig_report_new(bool strict);
void fig_report_free(FigReport *report);

/* Add a figure that was read back; one that was drawn again and compared; an edge list of
 * one; a spec without a figure. The claims of work's record are added to each. */
void fig_report_figure(FigReport *report, const char *path, const FigWork *work,
                       const FigFigureReport *figure);
void fig_report_again(FigReport *report, const char *path, const FigWork *work,
                      const FigAgain *again);
void fig_report_edges(FigReport *report, const char *path, const FigWork *work,
                      const FigForeignReport *edges);
void fig_report_spec(FigReport *report, const FigWork *work);

/* What is to be said of versions that differ. owns: the caller */
char *fig_report_versions(const char *differ, const char *not_compared);

/* Add a figure of a folder: verdict "stale", "edited", "foreign", "versions" (others drew it,
 * and what could be compared agrees: a finding of strict reports), or NULL when it is what
 * would be drawn now; why and the command that renews it may be NULL. */
void fig_report_file(FigReport *report, const char *path, const char *verdict,
                     const char *why, const char *renew);

/* How many things do not hold. */
int fig_report_findings(const FigReport *report);

/* For people; quiet: of statements only their number. For machines.
 *
 * owns     the caller
 */
char *fig_report_text(const FigReport *report, bool quiet, bool colour);
char *fig_report_json(const FigReport *report);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(FigReport, fig_report_free)

#endif
