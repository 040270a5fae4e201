/* SPDX-License-Identifier: MIT
 *
 * From a graph and its runs to the record: the one place where what was executed becomes
 * facts. Claims and placeholders are filled in by check/claims.h.
 */
#ifndef FIG_EXEC_RECORDER_H
#define FIG_EXEC_RECORDER_H

#include "exec/record.h"
#include "exec/run.h"

/* Make the record of a graph at the dims drawn, with reads and writes from executed (a
 * numeric run, at probe dims as a rule) and sizes from a shape run at the dims drawn;
 * measured facts from measured (may be NULL). The three must agree op by op.
 *
 * owns     the caller; free with fig_record_free
 * errors   none: a disagreement of the runs is an assertion
 */
FigRecord *fig_record_new(const FigGraph *graph, const FigRun *shapes,
                          const FigRun *executed, const FigRun *measured,
                          const char *const *overrides);

/* The record of a shape run alone, for a look at a graph that is soon gone: its strings
 * are the graph's and the run's.
 *
 * owns     the caller; free with fig_record_free before graph and run
 */
FigRecord *fig_record_lent(const FigGraph *graph, const FigRun *shapes);

#endif
