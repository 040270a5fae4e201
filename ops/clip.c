/* SPDX-License-Identifier: MIT
 *
 * Every number that lies beyond ±limit becomes ±limit; NaN stays.
 */
#ifdef REAL

static void
FN(eval)(const FigCall *call)
{
    const REAL most = (REAL)call->attr[LIMIT].real;
    FIG_EACH_1(call, x, x > most ? most : x < -most ? -most : x);
}

#else
enum { LIMIT };

#define SELF "ops/clip.c"
#include "ops/both.h"

static const FigAttr attrs[] = {
    [LIMIT] = {"limit", FIG_ATTR_REAL, NULL, NULL, FIG_SHOWS_IN_LABEL,
               "the largest absolute value that is kept", .range = FIG_FROM_ZERO},
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
