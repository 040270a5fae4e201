/* SPDX-License-Identifier: MIT
 *
 * The run on shapes alone: every op binds the concrete sizes its operands came out with.
 */
#ifndef FIG_EXEC_SHAPES_H
#define FIG_EXEC_SHAPES_H

#include "spec/graph.h"

/* Bind every op at sizes, each on the shapes that the ops before it gave, and compare
 * with the sizes that the symbolic shapes come to.
 *
 * errors   the first op that does not bind or comes out otherwise: false, *node is it,
 *          *why the caller's
 */
bool fig_shapes_run(const FigGraph *graph, const FigSizes *sizes, int *node,
                    char **why);

/* "[1, 8, 256]".
 *
 * owns     the caller
 */
char *fig_shapes_text(int rank, const int64_t *size);

#endif
