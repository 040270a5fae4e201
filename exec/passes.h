/* SPDX-License-Identifier: MIT
 *
 * Values in repeats: each is another in each pass, and has a name there: `layers.1.q` is
 * the q of the second pass of the repeat `layers`; `outer.0.inner.2.q` lies in two.
 */
#ifndef FIG_EXEC_PASSES_H
#define FIG_EXEC_PASSES_H

#include "spec/graph.h"

/* In which of its passes, counted through all repeats around it from the outermost, a
 * value is when each group is in the pass that `pass` [n_groups] says. 0 for a value in
 * no repeat. */
int64_t fig_pass_number(const FigGraph *graph, const FigSizes *sizes, int repeat,
                        const int64_t *pass);

/* The name of what `id` is in the pass that `pass` says.
 *
 * owns     the caller
 */
char *fig_pass_name(const FigGraph *graph, int repeat, const int64_t *pass,
                    const char *id);

/* Read such a name: the value and which of its passes; a plain id gives pass −1. false:
 * there is no such value, or no such pass at these sizes. */
bool fig_pass_find(const FigGraph *graph, const FigSizes *sizes, const char *name,
                   int *value, int64_t *number);

/* Go to the next pass of the repeats around `repeat`, the innermost first; false after
 * the last, with all at 0 again. */
bool fig_pass_next(const FigGraph *graph, const FigSizes *sizes, int repeat,
                   int64_t *pass);

/* A tensor's name with the numbers of passes in it.
 *
 * owns     the caller
 */
char *fig_pass_tensor(const FigGraph *graph, int repeat, const int64_t *pass,
                      const char *name);

#endif
