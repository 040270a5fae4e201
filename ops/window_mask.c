/* SPDX-License-Identifier: MIT
 *
 * Sliding-window mask of scores [… query key]: with `from` positions before the first
 * query, key j is visible to query i when from + i − window < j ≤ from + i − gap: a query
 * sees `window` keys, itself counted, without the latest `gap`; every other score becomes
 * −inf.
 */
#ifdef REAL

static void
FN(eval)(const FigCall *call)
{
    FigView views[2] = {call->in[0], call->out[0]};
    fig_views_merge(views, 2, 2);
    int64_t rows = fig_row_count(&views[1], 1), from = call->attr[FROM].dim;
    int64_t keys = views[1].size[views[1].rank - 1], queries = keys - from;
    int64_t x_step = fig_step(&views[0]), y_step = fig_step(&views[1]);
    for (int64_t row = 0; row < rows; row++) {
        const REAL *x = FIG_ROW(&views[0], 1, row); /* [key] */
        REAL *y = FIG_ROW(&views[1], 1, row);       /* [key] */
        for (int64_t key = 0; key < keys; key++)
            y[key * y_step] = is_visible(call, row % queries, key) ? x[key * x_step]
                                                                   : -(REAL)INFINITY;
    }
}

#else
#include "ops/kernel.h"

enum { WINDOW, FROM, GAP };

static bool
is_visible(const FigCall *call, int64_t query, int64_t key)
{
    int64_t position = call->attr[FROM].dim + query;
    return key <= position - call->attr[GAP].dim &&
           key > position - call->attr[WINDOW].dim;
}

#define SELF "ops/window_mask.c"
#include "ops/both.h"
#include "ops/visible.h"

static const FigAttr attrs[] = {
    [WINDOW] = {"window", FIG_ATTR_DIM, NULL, NULL, FIG_SHOWS_IN_LABEL,
                "how many keys a query sees, itself counted"},
    [FROM] = {"from", FIG_ATTR_DIM, "0", NULL, FIG_SHOWS_IN_SHAPES,
              "the position of the first query; the keys start at 0"},
    [GAP] = {"gap", FIG_ATTR_DIM, "0", NULL, FIG_SHOWS_IN_LABEL,
             "how many of the latest keys a query does not see: 1 leaves itself out"},
    {NULL},
};

/* "window mask, $W$ keys", "window mask, $W$ keys, gap $1$" */
static const char *
label(const FigOpFacts *facts, FigArena *arena)
{
    const FigAttrValue *gap = &facts->attr[GAP];
    const char *keys =
        fig_arena_printf(arena, "window mask, $%s$ keys", facts->attr[WINDOW].tex);
    return gap->given && !g_str_equal(gap->text, "0")
               ? fig_arena_printf(arena, "%s, gap $%s$", keys, gap->tex)
               : keys;
}

const FigOp fig_op_window_mask = {
    .name = "window_mask",
    .title = "window mask",
    .full_name = "mask of later keys and of those before a sliding window",
    .source = "Beltagy, Peters and Cohan 2020, arXiv:2004.05150; counted as in Mistral "
              "and OLMo 3",
    .signature = "x[... t! (from + t)!] -> y[... t! (from + t)!]",
    .equation = "y_{ij} = x_{ij} \\,\\mathrm{if}\\, p + i - w < j \\le p + i - s, "
                "\\,\\mathrm{else}\\, -\\mathrm{inf}",
    .shape_note = "$w$ is `window`, $p$ is `from` and $s$ is `gap`",
    .attrs = attrs,
    .kind = FIG_KIND_MASK,
    .mark = FIG_MARK_BOX,
    .eval = BOTH(eval),
    .cost = "0",
    .flops = fig_cost_none,
    .label = label,
    .numpy = "np.where(np.tri(*x.shape[-2:], from_ - gap, dtype=bool)"
             " & ~np.tri(*x.shape[-2:], from_ - window, dtype=bool), x, -np.inf)",
    .torch = "x.masked_fill(~torch.ones_like(x, dtype=torch.bool).tril(from_ - gap)"
             ".triu(from_ - window + 1), -torch.inf)",
    .exposes = exposes,
    .example = "x = [[1 2 3] [4 5 6] [7 8 9]], window = 2"
               " -> y = [[1 -inf -inf] [4 5 -inf] [-inf 8 9]]; "
               "x = [[1 2 3]], window = 2, from = 2 -> y = [[-inf 2 3]]; "
               "x = [[1 2 3]], window = 2, from = 2, gap = 1 -> y = [[-inf 2 -inf]]",
};

#endif
