/* SPDX-License-Identifier: MIT
 *
 * Two tensors one behind the other along one axis: new keys behind those of a cache.
 */
#ifdef REAL

/* Copy one operand to where it stands in the result. */
static void
FN(place)(const FigView *from, const FigView *result, int axis, int64_t before)
{
    FigView views[2] = {*from, *result};
    views[1].data = (REAL *)result->data + before * result->stride[axis];
    views[1].size[axis] = from->size[axis];
    fig_views_merge(views, 2, 1);
    int64_t rows = fig_row_count(&views[0], 1), n = views[0].size[views[0].rank - 1];
    int64_t x_step = fig_step(&views[0]), y_step = fig_step(&views[1]);
    for (int64_t row = 0; row < rows; row++) {
        const REAL *x = FIG_ROW(&views[0], 1, row); /* [n] */
        REAL *y = FIG_ROW(&views[1], 1, row);       /* [n] */
        for (int64_t i = 0; i < n; i++)
            y[i * y_step] = x[i * x_step];
    }
}

static void
FN(eval)(const FigCall *call)
{
    int axis = call->attr[AXIS].axis;
    FN(place)(&call->in[0], &call->out[0], axis, 0);
    FN(place)(&call->in[1], &call->out[0], axis, call->in[0].size[axis]);
}

#else
#include "ops/kernel.h"

enum { AXIS };

#define SELF "ops/concat.c"
#include "ops/both.h"

static const FigAttr attrs[] = {
    [AXIS] = {"axis", FIG_ATTR_AXIS, NULL, NULL, FIG_SHOWS_IN_LABEL,
              "the axis along which b stands behind a"},
    {NULL},
};

/* "concatenate along $T$" */
static const char *
label(const FigOpFacts *facts, FigArena *arena)
{
    return fig_arena_printf(arena, "concatenate along %s",
                            fig_label_axis(facts, facts->attr[AXIS].axis, arena));
}

const FigOp fig_op_concat = {
    .name = "concat",
    .title = "concatenate",
    .full_name = "one behind the other along an axis",
    .signature = "a[... axis! ...], b[... n! ...] -> y[... (axis + n)! ...]",
    .equation = "y_i = a_i \\,\\mathrm{if}\\, i < m, \\,\\mathrm{else}\\, b_{i - m}",
    .shape_note = "$m$ is the size of the axis in $a$",
    .attrs = attrs,
    .kind = FIG_KIND_RESHAPE,
    .mark = FIG_MARK_BOX,
    .eval = BOTH(eval),
    .cost = "0",
    .flops = fig_cost_none,
    .label = label,
    .numpy = "np.concatenate([a, b], axis)",
    .torch = "torch.cat([a, b], axis)",
    .example = "a = [[1 2] [3 4]], b = [[5 6]], axis = 0 -> y = [[1 2] [3 4] [5 6]]; "
               "a = [[1 2] [3 4]], b = [[5] [6]], axis = 1 -> y = [[1 2 5] [3 4 6]]",
};

#endif
