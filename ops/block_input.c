/* SPDX-License-Identifier: MIT
 *
 * What one pass of a repeat begins with: a value from outside in the first pass, what the
 * pass before left in all others. The run hands the kernel the one that is there.
 */
#ifdef REAL

static void
FN(eval)(const FigCall *call)
{
    FigView views[2] = {call->in[0], call->out[0]};
    fig_views_merge(views, 2, 1);
    int64_t rows = fig_row_count(&views[1], 1), n = views[1].size[views[1].rank - 1];
    int64_t from_step = fig_step(&views[0]), x_step = fig_step(&views[1]);
    for (int64_t row = 0; row < rows; row++) {
        const REAL *from = FIG_ROW(&views[0], 1, row); /* [n] */
        REAL *x = FIG_ROW(&views[1], 1, row);          /* [n] */
        for (int64_t i = 0; i < n; i++)
            x[i * x_step] = from[i * from_step];
    }
}

#else
#define SELF "ops/block_input.c"
#include "ops/both.h"

/* Only one of the operands is read, whichever pass it is. */
static const FigPoly *
bytes(const FigOpFacts *facts)
{
    return fig_cost_each(facts, 2);
}

const FigOp fig_op_block_input = {
    .name = "block_input",
    .title = "block input",
    .full_name = "what a pass of a repeat begins with",
    .signature = "first[...], next[...] -> x[...]",
    .equation = "x = first \\,\\mathrm{if\\ it\\ is\\ the\\ first\\ pass}, "
                "\\,\\mathrm{else}\\, next",
    .kind = FIG_KIND_GATHER,
    .mark = FIG_MARK_BOX,
    .carries = true,
    .eval = BOTH(eval),
    .cost = "0",
    .flops = fig_cost_none,
    .bytes = bytes,
    .numpy = "first",
    .torch = "first",
    .example = "first = [1 2], next = [3 4] -> x = [1 2]",
};

#endif
