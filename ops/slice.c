/* SPDX-License-Identifier: MIT
 *
 * A range of one axis: entries from … to − 1.
 */
#ifdef REAL

static void
FN(eval)(const FigCall *call)
{
    FigView views[2] = {part(call), call->out[0]};
    fig_views_merge(views, 2, 1);
    int64_t rows = fig_row_count(&views[1], 1), n = views[1].size[views[1].rank - 1];
    int64_t x_step = fig_step(&views[0]), y_step = fig_step(&views[1]);
    for (int64_t row = 0; row < rows; row++) {
        const REAL *x = FIG_ROW(&views[0], 1, row); /* [n] */
        REAL *y = FIG_ROW(&views[1], 1, row);       /* [n] */
        for (int64_t i = 0; i < n; i++)
            y[i * y_step] = x[i * x_step];
    }
}

#else
#include "ops/kernel.h"

enum { AXIS, FROM, TO };

/* The range, as it lies in the operand. */
static FigView
part(const FigCall *call)
{
    FigView y = call->in[0];
    int axis = call->attr[AXIS].axis;
    int64_t from = call->attr[FROM].dim;
    y.data = (char *)y.data + from * y.stride[axis] * (int64_t)fig_type_size(y.type);
    y.size[axis] = call->attr[TO].dim - from;
    return y;
}

#define SELF "ops/slice.c"
#include "ops/both.h"

static const FigAttr attrs[] = {
    [AXIS] = {"axis", FIG_ATTR_AXIS, NULL, NULL, FIG_SHOWS_IN_LABEL,
              "the axis of which a range is taken"},
    [FROM] = {"from", FIG_ATTR_DIM, "0", NULL, FIG_SHOWS_IN_LABEL, "the first entry"},
    [TO] = {"to", FIG_ATTR_DIM, NULL, NULL, FIG_SHOWS_IN_LABEL,
            "the entry behind the last"},
    {NULL},
};

static bool
view(const FigCall *call, FigView *out)
{
    out[0] = part(call);
    return true;
}

/* "slice of $T$: $0$ to $4$" */
static const char *
label(const FigOpFacts *facts, FigArena *arena)
{
    return fig_arena_printf(arena, "slice of %s: $%s$ to $%s$",
                            fig_label_axis(facts, facts->attr[AXIS].axis, arena),
                            facts->attr[FROM].tex, facts->attr[TO].tex);
}

const FigOp fig_op_slice = {
    .name = "slice",
    .title = "slice",
    .full_name = "range of an axis",
    .signature = "x[... axis! ...] -> y[... (to - from)! ...] where from < to <= axis",
    .equation = "y_i = x_{p + i}",
    .shape_note = "$p$ is `from`",
    .attrs = attrs,
    .kind = FIG_KIND_RESHAPE,
    .mark = FIG_MARK_BOX,
    .eval = BOTH(eval),
    .view = view,
    .cost = "0",
    .flops = fig_cost_none,
    .bytes = fig_cost_none,
    .label = label,
    .numpy = "np.take(x, range(from_, to), axis)",
    .torch = "x.narrow(axis, from_, to - from_)",
    .example = "x = [1 2 3 4 5], axis = 0, from = 1, to = 4 -> y = [2 3 4]; "
               "x = [[1 2 3] [4 5 6]], axis = 1, to = 2 -> y = [[1 2] [4 5]]",
};

#endif
