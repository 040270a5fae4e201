/* SPDX-License-Identifier: MIT
 *
 * The numbers a run starts from: weights and inputs, from a file or seeded.
 */
#ifndef FIG_EXEC_FILL_H
#define FIG_EXEC_FILL_H

#include "exec/run.h"

/* Fill every input and weight of values (members of joins in place of joins). Weights
 * that are others in each pass of a repeat are only looked for, of all passes. wanted
 * [n_values] says which, where another run has filled the rest (NULL: all).
 *
 * errors   tensors that are missing, too many or misshapen, all at once, each at its
 *          weight's place; false
 */
bool fig_fill(const FigGraph *graph, const FigRunOptions *options,
              const FigSizes *sizes, const FigView *values, const bool *wanted,
              FigDiag *diag);

/* Fill the weights that are others in each pass of `repeat`, for the pass that `pass`
 * [n_groups] says; fig_fill has found them all. */
void fig_fill_pass(const FigGraph *graph, const FigRunOptions *options,
                   const FigView *values, int repeat, const int64_t *pass);

/* Fill one weight, no join, for the pass that `pass` says; after fig_fill, while the file
 * of weights is open. */
void fig_fill_weight(const FigGraph *graph, const FigRunOptions *options, int value,
                     const FigView *view, const int64_t *pass);

/* Fill a view with numbers that depend on seed, name and index alone: uniform, mean 0,
 * the given standard deviation, rounded to float32 whatever the type. */
void fig_fill_random(const FigView *view, uint64_t seed, const char *name, double std);

#endif
