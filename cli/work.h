/* SPDX-License-Identifier: MIT
 *
 * What every command does first: a spec becomes a graph, the graph is run, the runs
 * become a record with its claims settled.
 */
#ifndef FIG_CLI_WORK_H
#define FIG_CLI_WORK_H

#include "check/claims.h"
#include "check/finite.h"
#include "check/live.h"
#include "cli/options.h"
#include "exec/recorder.h"
#include "layouts/layout.h"

typedef struct FigWork {
    FigDiag *diag;
    bool strict; /* warnings are errors */
    FigArena *arena;
    FigGraph *graph;       /* NULL when the record came from a file */
    const FigSizes *probe; /* in arena */
    FigRecord *record;
    FigFinite finite;           /* of the run at probe dims; without a graph: none */
    const FigLive *live;        /* in arena; NULL: not proved */
    const FigTriedClaim *tried; /* one for each claim, in arena; NULL: not tried */
    /* the file of a layout that is not shipped; in arena, or NULL */
    const char *layout;
} FigWork;

void fig_work_init(FigWork *work, const FigOptions *options);
void fig_work_finish(FigWork *work);

/* Load a spec by name or path.
 *
 * errors   in work->diag; false
 */
bool fig_work_load(FigWork *work, const char *spec, const FigLoadOptions *load);

/* Load a spec again with its free dims as an input file has them: the axes of
 * `hidden_states` set the dims that the input's shape names and the command line does not.
 *
 * errors   in work->diag; false
 */
bool fig_work_fit_input(FigWork *work, const char *spec, const FigLoadOptions *load,
                        const FigTensorFile *input);

/* Run the loaded graph (on shapes at the dims drawn, on numbers at probe dims) and make
 * the record, claims settled; measured may be NULL.
 *
 * errors   in work->diag; false
 */
bool fig_work_record(FigWork *work, uint64_t seed, const FigRun *measured);

/* Warn of an op that gave no numbers in the run of fig_work_record. */
void fig_work_warn_of_nan(FigWork *work);

/* Prove edges, shapes and (unless quick) fast products of the graph, into work->live.
 *
 * errors   in work->diag; false
 */
bool fig_work_live(FigWork *work, uint64_t seed, bool quick);

/* Try the claims of the record against small changes of the graph, into work->tried. */
void fig_work_try(FigWork *work, uint64_t seed);

/* Options of the numbers as a run's, of the loaded graph; the files are opened here.
 *
 * owns     run->weights and run->input are the caller's
 * errors   in work->diag; false
 */
bool fig_work_numbers(FigWork *work, const FigOptions *options, FigRunOptions *run);

/* Report each claim that must hold and does not, at its place.
 *
 * errors   false if any
 */
bool fig_work_claims_hold(FigWork *work);

/* The options that shape a figure, as one line of draw's command line: what the figure
 * carries, and what check parses back. Overrides come from the record.
 *
 * owns     the caller
 */
char *fig_work_options_line(const FigRecord *record, const FigLayoutOptions *layout);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(FigWork, fig_work_finish)

#endif
