/* SPDX-License-Identifier: MIT
 *
 * Random calls of any op, drawn from its signature: sizes, attributes and operands.
 */
#ifndef FIG_TESTS_OPS_CASES_H
#define FIG_TESTS_OPS_CASES_H

#include "ops/signature-parts.h"
#include "tests/ops/tensors.h"

typedef struct {
    FigArena *arena;
    FigAlgebra *algebra;
    const FigOp *op;
    const FigAlternative *alternative;
    uint32_t state;
    FigBinding binding;
    FigAttrValue *attr;
    int n_in, n_out;
    Tensor in[FIG_LIMIT_PORTS], out[FIG_LIMIT_PORTS];
} Case;

/* Call body with random cases, `rounds` of every alternative of op. */
void for_each_case(const FigOp *op, int rounds, void (*body)(Case *));

/* Run a case; the results are new tensors. See tensors_run. */
bool case_run(Case *c, FigType type, Way way, Lie in_lie, Lie out_lie, Tensor *results);

/* Assert that all results are near each other. See tensors_near. */
void case_near(Case *c, const char *what, const Tensor *a, const Tensor *b,
               double bound);

/* What stands at one axis of a port: the token, and which entry of its ellipsis in *run. */
const FigAxis *case_token(const Case *c, const FigPort *port, int rank, int at,
                          int *run);

/* The size of a name: of an axis that bears it, or of an attribute; 0: not known alone. */
int64_t case_size(const Case *c, const char *name);

/* The next random number of a case: FigRandom over its state. */
uint32_t case_random(void *state);

#endif
