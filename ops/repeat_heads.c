/* SPDX-License-Identifier: MIT
 *
 * [… g t d] → [… (g times) t d]: head h of the result is head ⌊h / times⌋ of the operand,
 * so that each key/value head serves `times` consecutive query heads.
 */
#ifdef REAL

static void
FN(eval)(const FigCall *call)
{
    const FigView *x_view = &call->in[0], *y_view = &call->out[0];
    int64_t times = call->attr[TIMES].dim, rows = fig_row_count(y_view, 1);
    int64_t t = y_view->size[y_view->rank - 2], d = y_view->size[y_view->rank - 1];
    int64_t x_step = fig_step(x_view), y_step = fig_step(y_view);
    for (int64_t row = 0; row < rows; row++) {
        int64_t head = row / t; /* over the leading axes too: each has g · times */
        const REAL *x = FIG_ROW(x_view, 1, head / times * t + row % t); /* [d] */
        REAL *y = FIG_ROW(y_view, 1, row);                              /* [d] */
        for (int64_t i = 0; i < d; i++)
            y[i * y_step] = x[i * x_step];
    }
}

#else
#include "ops/kernel.h"

enum { TIMES };

#define SELF "ops/repeat_heads.c"
#include "ops/both.h"

static const FigAttr attrs[] = {
    [TIMES] = {"times", FIG_ATTR_DIM, NULL, NULL, FIG_SHOWS_IN_LABEL,
               "how many query heads each key/value head serves"},
    {NULL},
};

/* One stride walks over the heads of the result only where there is one head, or each
 * stands once. */
static bool
view(const FigCall *call, FigView *out)
{
    const FigView *x = &call->in[0];
    int64_t times = call->attr[TIMES].dim;
    int g = x->rank - 3;
    if (x->size[g] != 1 && times != 1)
        return false;
    out[0] = *x;
    out[0].size[g] *= times;
    if (times != 1)
        out[0].stride[g] = 0;
    return true;
}

/* "repeat heads $\times 4$" */
static const char *
label(const FigOpFacts *facts, FigArena *arena)
{
    return fig_arena_printf(arena, "repeat heads $\\times %s$", facts->attr[TIMES].tex);
}

const FigOp fig_op_repeat_heads = {
    .name = "repeat_heads",
    .title = "repeat heads",
    .full_name = "each key/value head for consecutive query heads",
    .source = "Ainslie et al. 2023, arXiv:2305.13245, section 2.2",
    .signature = "x[... g t d] -> y[... (g times) t d]",
    .equation = "y[\\,h, t, j\\,] = x[\\,i, t, j\\,], i = \\mathrm{floor}(h / r)",
    .shape_note = "$r$ is `times`",
    .attrs = attrs,
    .kind = FIG_KIND_RESHAPE,
    .mark = FIG_MARK_BOX,
    .eval = BOTH(eval),
    .view = view,
    .cost = "0",
    .flops = fig_cost_none,
    .label = label,
    .numpy = "np.repeat(x, times, axis=-3)",
    .torch = "x.repeat_interleave(times, dim=-3)",
    .example = "x = [[[1]] [[2]]], times = 2 -> y = [[[1]] [[1]] [[2]] [[2]]]",
};

#endif
