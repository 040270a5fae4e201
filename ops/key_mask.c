/* SPDX-License-Identifier: MIT
 *
 * Scores [batch … query key] with the keys that are padding left out: where m [batch key]
 * is 0, the score becomes −inf. A query that would be left with no key is padding before a
 * text, under a causal mask: it keeps those it had, so that what follows are numbers, which
 * no token of the text reads.
 */
#ifdef REAL

static void
FN(eval)(const FigCall *call)
{
    const FigView *x_view = &call->in[0], *m_view = &call->in[1],
                  *y_view = &call->out[0];
    int64_t rows = fig_row_count(y_view, 1), keys = y_view->size[y_view->rank - 1];
    int64_t each = rows / MAX(y_view->size[0], 1); /* of one text */
    int64_t x_step = fig_step(x_view), y_step = fig_step(y_view);
    for (int64_t row = 0; row < rows; row++) {
        const REAL *x = FIG_ROW(x_view, 1, row); /* [key] */
        REAL *y = FIG_ROW(y_view, 1, row);       /* [key] */
        const uint8_t *m =
            (const uint8_t *)m_view->data + row / each * m_view->stride[0]; /* [key] */
        bool sees = false;
        for (int64_t key = 0; key < keys; key++) {
            REAL score = m[key * m_view->stride[1]] ? x[key * x_step] : -(REAL)INFINITY;
            sees = sees || score != -(REAL)INFINITY;
            y[key * y_step] = score;
        }
        for (int64_t key = 0; key < keys && !sees; key++)
            y[key * y_step] = x[key * x_step];
    }
}

#else
#define SELF "ops/key_mask.c"
#include "ops/both.h"

#include <glib.h>

const FigOp fig_op_key_mask = {
    .name = "key_mask",
    .title = "padding mask",
    .full_name = "mask of the keys that are padding",
    .signature = "x[b ... q k!], m[b k!] < 2 -> y[b ... q k!]",
    .equation = "y_{ij} = x_{ij} \\,\\mathrm{if}\\, m_j = 1, "
                "\\,\\mathrm{else}\\, -\\mathrm{inf}",
    .shape_note = "a row that would be $-\\mathrm{inf}$ throughout stays as it is",
    .kind = FIG_KIND_MASK,
    .mark = FIG_MARK_BOX,
    .eval = BOTH(eval),
    .cost = "0",
    .flops = fig_cost_none,
    .numpy =
        "(y := np.where(m.reshape(m.shape[0], *[1] * (x.ndim - 2), -1), x, -np.inf), "
        "np.where(np.isneginf(y).all(-1, keepdims=True), x, y))[-1]",
    .torch =
        "(y := torch.where(m.reshape(m.shape[0], *[1] * (x.ndim - 2), -1) != 0, x, "
        "-torch.inf), torch.where(torch.isneginf(y).all(-1, keepdim=True), x, y))[-1]",
    .example = "x = [[[1 2] [3 4]]], m = [[1 0]] -> y = [[[1 -inf] [3 -inf]]]; "
               "x = [[[1 -inf] [3 4]]], m = [[0 1]] -> y = [[[1 -inf] [-inf 4]]]",
};

#endif
