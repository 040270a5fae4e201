/* SPDX-License-Identifier: MIT
 *
 * Causal mask of scores [… query key]: with `from` positions before the first query, key j
 * is visible to query i when j ≤ from + i − gap; every other score becomes −inf.
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
        int64_t position = from + row % queries - call->attr[GAP].dim;
        for (int64_t key = 0; key <= position; key++)
            y[key * y_step] = x[key * x_step];
        for (int64_t key = position < 0 ? 0 : position + 1; key < keys; key++)
            y[key * y_step] = -(REAL)INFINITY;
    }
}

#else
enum { FROM, GAP };

#define SELF "ops/causal_mask.c"
#include "ops/both.h"
#include "ops/visible.h"

static const FigAttr attrs[] = {
    [FROM] = {"from", FIG_ATTR_DIM, "0", NULL, FIG_SHOWS_IN_SHAPES,
              "the position of the first query; the keys start at 0"},
    [GAP] = {"gap", FIG_ATTR_DIM, "0", NULL, FIG_SHOWS_IN_LABEL,
             "how many of the latest keys a query does not see: 1 leaves itself out"},
    {NULL},
};

static bool
is_visible(const FigCall *call, int64_t query, int64_t key)
{
    return key <= call->attr[FROM].dim + query - call->attr[GAP].dim;
}

/* "causal mask", "causal mask, gap $1$" */
static const char *
label(const FigOpFacts *facts, FigArena *arena)
{
    const FigAttrValue *gap = &facts->attr[GAP];
    return gap->given && !g_str_equal(gap->text, "0")
               ? fig_arena_printf(arena, "causal mask, gap $%s$", gap->tex)
               : "causal mask";
}

const FigOp fig_op_causal_mask = {
    .name = "causal_mask",
    .title = "causal mask",
    .full_name = "mask of later keys",
    .source = "Vaswani et al. 2017, arXiv:1706.03762, section 3.2.3",
    .signature = "x[... t! (from + t)!] -> y[... t! (from + t)!]",
    .equation = "y_{ij} = x_{ij} \\,\\mathrm{if}\\, j \\le p + i - s, "
                "\\,\\mathrm{else}\\, -\\mathrm{inf}",
    .shape_note = "$p$ is `from` and $s$ is `gap`",
    .attrs = attrs,
    .kind = FIG_KIND_MASK,
    .mark = FIG_MARK_BOX,
    .eval = BOTH(eval),
    .cost = "0",
    .flops = fig_cost_none,
    .label = label,
    .numpy = "np.where(np.tri(*x.shape[-2:], from_ - gap, dtype=bool), x, -np.inf)",
    .torch = "x.masked_fill(~torch.ones_like(x, dtype=torch.bool).tril(from_ - gap), "
             "-torch.inf)",
    .exposes = exposes,
    .example = "x = [[1 2] [3 4]] -> y = [[1 -inf] [3 4]]; "
               "x = [[1 2 3] [4 5 6]], from = 1 -> y = [[1 2 -inf] [4 5 6]]; "
               "x = [[1 2] [3 4]], gap = 1 -> y = [[-inf -inf] [3 -inf]]",
    .same_as =
        "- {id: y, op: window_mask, in: x, window: from + t, from: from, gap: gap}",
};

#endif
