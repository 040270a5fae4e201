/* SPDX-License-Identifier: MIT
 *
 * Every number that lies beyond ±limit becomes ±limit; NaN stays.
 */
#ifdef REAL

static void
FN(eval)(const FigCall *call)
{
    REAL limit = (REAL)call->attr[LIMIT].real;
    FigView views[2] = {call->in[0], call->out[0]};
    fig_views_merge(views, 2, 1);
    int64_t rows = fig_row_count(&views[1], 1), n = views[1].size[views[1].rank - 1];
    int64_t x_step = fig_step(&views[0]), y_step = fig_step(&views[1]);
    for (int64_t row = 0; row < rows; row++) {
        const REAL *x = FIG_ROW(&views[0], 1, row); /* [n] */
        REAL *y = FIG_ROW(&views[1], 1, row);       /* [n] */
        for (int64_t i = 0; i < n; i++) {
            REAL below = x[i * x_step] > limit ? limit : x[i * x_step];
            y[i * y_step] = below < -limit ? -limit : below;
        }
    }
}

#else
enum { LIMIT };

#define SELF "ops/clip.c"
#include "ops/both.h"

static const FigAttr attrs[] = {
    [LIMIT] = {"limit", FIG_ATTR_REAL, NULL, NULL, FIG_SHOWS_IN_LABEL,
               "the largest absolute value that is kept"},
    {NULL},
};

static const FigPoly *
flops(const FigOpFacts *facts)
{
    return fig_cost_each(facts, 2);
}

/* "clip to $\pm 8$" */
static const char *
label(const FigOpFacts *facts, FigArena *arena)
{
    const char *limit = fig_tex_factor(arena, facts->attr[LIMIT].tex, false);
    return fig_arena_printf(arena, "clip to $\\pm %s$", limit);
}

const FigOp fig_op_clip = {
    .name = "clip",
    .title = "clip",
    .full_name = "clamp to a symmetric range",
    .source = "clip_qkv of MPT and OLMo 1",
    .signature = "x[...] -> y[...]",
    .equation = "y = \\mathrm{min}(\\mathrm{max}(x, -\\ell), \\ell)",
    .shape_note = "$\\ell$ is `limit`",
    .attrs = attrs,
    .kind = FIG_KIND_POINTWISE,
    .mark = FIG_MARK_BOX,
    .eval = BOTH(eval),
    .cost = "2 per element of y: two comparisons",
    .flops = flops,
    .label = label,
    .numpy = "np.clip(x, -limit, limit)",
    .torch = "x.clamp(-limit, limit)",
    .example = "x = [-20 3 9], limit = 8 -> y = [-8 3 8]",
};

#endif
