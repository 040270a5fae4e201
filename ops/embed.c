/* SPDX-License-Identifier: MIT
 *
 * Rows of a table by number: the vector of each token. A number that is no row gives NaN,
 * and reads nothing.
 */
#ifdef REAL

static void
FN(eval)(const FigCall *call)
{
    const FigView *t_view = &call->in[0], *w_view = &call->in[1],
                  *y_view = &call->out[0];
    int64_t rows = w_view->size[0], d = w_view->size[1];
    int64_t w_step = fig_step(w_view), y_step = fig_step(y_view);
    int64_t tokens = fig_view_count(t_view);
    for (int64_t token = 0; token < tokens; token++) {
        int64_t id = ((const int64_t *)t_view->data)[fig_row_offset(t_view, 0, token)];
        REAL *y = FIG_ROW(y_view, 1, token); /* [d] */
        bool known = id >= 0 && id < rows;
        const REAL *w = FIG_ROW(w_view, 1, known ? id : 0); /* [d] */
        for (int64_t i = 0; i < d; i++)
            y[i * y_step] = known ? w[i * w_step] : (REAL)NAN;
    }
}

#else
#define SELF "ops/embed.c"
#include "ops/both.h"

/* Each number, and each row that is read, once for each token. */
static const FigPoly *
bytes(const FigOpFacts *facts)
{
    return fig_poly_add(
        facts->algebra, fig_cost_each(facts, 2),
        fig_cost_elements(facts->algebra, facts->in[0], facts->in_rank[0]));
}

/* "embed $W_{e} : V \to C$" */
static const char *
label(const FigOpFacts *facts, FigArena *arena)
{
    const char *v = facts->tex(facts->algebra, facts->in[1][0], facts->data);
    const char *d = facts->tex(facts->algebra, facts->in[1][1], facts->data);
    return fig_arena_printf(arena, "embed $%s : %s \\to %s$", facts->in_label[1], v, d);
}

const FigOp fig_op_embed = {
    .name = "embed",
    .title = "embed",
    .full_name = "rows of a table by token number",
    .source = "Bengio et al. 2003, A neural probabilistic language model",
    .signature = "t[...] < v, W[v! d] -> y[... d]",
    .equation = "y_i = W[\\,t_i\\,]",
    .kind = FIG_KIND_GATHER,
    .mark = FIG_MARK_BOX,
    .eval = BOTH(eval),
    .cost = "0",
    .flops = fig_cost_none,
    .bytes = bytes,
    .label = label,
    .numpy = "W[t]",
    .torch = "torch.nn.functional.embedding(t, W)",
    .example = "t = [2 0], W = [[1 2] [3 4] [5 6]] -> y = [[5 6] [1 2]]",
};

#endif
