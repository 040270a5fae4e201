/* SPDX-License-Identifier: MIT
 *
 * Ports: where edges leave and enter marks. Operands come in order along the upper border,
 * as near as can be to where they come from; the branches of a small fork leave to the
 * left, down and to the right, those of a bar from under it.
 */
#include "layouts/arrange.h"
#include "layouts/texts.h"

#include <math.h>
#include <string.h>

#define PORT_SLACK 3.0 /* an end may stand nearer to a corner by this, to be straight */
#define CIRCLE_SLACK 1.5 /* … on a circle, where ends on its sides are near */

/* Move positions apart: as near as possible to what is wanted (the sum of squares), in
 * order, at least gap apart, inside ±half where there is room for all. */
static void
spread(double *at, int n, double gap, double half)
{
    g_autofree double *sum = g_new0(double, n + 1);
    g_autofree int *count = g_new0(int, n + 1);
    int blocks = 0;
    double room = (n - 1) * gap <= 2 * half ? half : (n - 1) * gap / 2;

    /* what is pressed together moves as one, to its mean */
    for (int i = 0; i < n; i++) {
        sum[blocks] = at[i] - i * gap;
        count[blocks++] = 1;
        while (blocks > 1 && sum[blocks - 2] / count[blocks - 2] >
                                 sum[blocks - 1] / count[blocks - 1]) {
            sum[blocks - 2] += sum[blocks - 1];
            count[blocks - 2] += count[blocks - 1];
            blocks--;
        }
    }
    for (int b = 0, i = 0; b < blocks; b++)
        for (int k = 0; k < count[b]; k++, i++)
            at[i] = CLAMP(sum[b] / count[b] + i * gap, -room + i * gap,
                          room - (n - 1 - i) * gap);
}

double
fig_hop_leaves_x(const FigHop *hop)
{
    return hop->a->x + hop->ax;
}

double
fig_hop_enters_x(const FigHop *hop)
{
    return hop->b->x + hop->bx;
}

static int
by_port(const void *left, const void *right)
{
    const FigHop *a = *(FigHop *const *)left, *b = *(FigHop *const *)right;

    return a->pin->port - b->pin->port;
}

static int
by_leaving_x(const void *left, const void *right)
{
    const FigHop *a = *(FigHop *const *)left, *b = *(FigHop *const *)right;
    double off = fig_hop_leaves_x(a) - fig_hop_leaves_x(b);

    return off < 0 ? -1 : off > 0 ? 1 : by_port(left, right);
}

static double
half_for_ports(const FigPlan *plan, const FigNode *node)
{
    if (node->kind != FIG_NODE_OP)
        return node->width / 2;
    return plan->marks[fig_plan_op_index(plan, node->op)].circle ? 0
                                                                 : node->width / 2 - 7;
}

/* Move all ends a little when one of them is almost, but not quite, under what it comes
 * from. */
static void
straighten(const FigNode *node, double *at, int n, double half)
{
    double least = PORT_SLACK + 2, shift = 0;

    for (int i = 0; i < n; i++) {
        double off = fig_hop_leaves_x(node->up->pdata[i]) - node->x - at[i];

        if (fabs(off) < 1e-9)
            return;
        if (fabs(off) < fabs(least)) {
            least = fabs(off);
            shift = off;
        }
    }
    if (n && at[0] + shift >= -MAX(half, -at[0]) &&
        at[n - 1] + shift <= MAX(half, at[n - 1]))
        for (int i = 0; i < n; i++)
            at[i] += shift;
}

static void
enter_ports(FigPlan *plan, FigNode *node)
{
    guint n = node->up->len;
    g_autofree double *at = NULL;
    double half;

    if (node->kind == FIG_NODE_BOX) {
        for (guint i = 0; i < n; i++) {
            FigHop *hop = node->up->pdata[i];

            hop->bx = ((FigNode *)node->box->sources->pdata[hop->pin->port])->x;
        }
        return;
    }
    if (node->kind != FIG_NODE_OP || n == 0)
        return;
    at = g_new0(double, n + 1);
    half = half_for_ports(plan, node);
    fig_plan_sort(node->up, node->op->commutes ? by_leaving_x : by_port);
    for (guint i = 0; i < n; i++) {
        FigHop *hop = node->up->pdata[i];

        at[i] = CLAMP(fig_hop_leaves_x(hop) - node->x, -half, half);
        /* with operands on the sides, those on top keep clear of the corners */
        if (n == 1 && fabs(fig_hop_leaves_x(hop) - node->x) > half)
            at[i] = 0;
    }
    spread(at, (int)n, FIG_PORT_GAP, half);
    if (node->op->class != FIG_CLASS_NORM) /* whose ends are round */
        straighten(node, at, (int)n, half + (half > 0 ? PORT_SLACK : CIRCLE_SLACK));
    for (guint i = 0; i < n; i++)
        ((FigHop *)node->up->pdata[i])->bx = at[i];
}

/* ---- forks ---- */

/* How far a node and its texts reach in a row; at what passes they stand in its first. */
static double
reach_left(const FigNode *node, int row)
{
    return node->x - MAX(node->left, node->rank == row ? node->note_left : 0);
}

static double
reach_right(const FigNode *node, int row)
{
    return node->x + MAX(node->right, node->rank == row ? node->note_right : 0);
}

/* A level way taken beside a fork. */
typedef struct Taken {
    double low, high;
} Taken;

/* Is there a way beside a fork, level to `to` and down from there? */
static bool
is_clear(const FigBox *box, const FigNode *node, double to, const GArray *taken)
{
    const GPtrArray *rank = box->rank[node->rank];
    double low = MIN(node->x, to) - FIG_GAP_LANE,
           high = MAX(node->x, to) + FIG_GAP_LANE;

    for (guint i = 0; i < taken->len; i++) {
        const Taken *other = &g_array_index(taken, Taken, i);

        if (other->low < high && low < other->high)
            return false;
    }
    for (guint i = 0; i < rank->len; i++) {
        const FigNode *other = rank->pdata[i];

        if (other == node)
            continue;
        if (reach_right(other, node->rank) > to - FIG_GAP_LANE + 1 &&
            reach_left(other, node->rank) < to + FIG_GAP_LANE - 1)
            return false;
        if ((!other->hollow || other->kind == FIG_NODE_STUB) &&
            other->x + other->right > low && other->x - other->left < high)
            return false;
    }
    return true;
}

static int
by_target(const void *left, const void *right)
{
    double off = fig_hop_enters_x(*(FigHop *const *)left) -
                 fig_hop_enters_x(*(FigHop *const *)right);

    return (off > 0) - (off < 0);
}

/* The branches of a dot: left, down and right; false when two would go down. */
static bool
fork_sides(const FigBox *box, FigNode *node, GArray *taken)
{
    g_autoptr(GPtrArray) hops = g_ptr_array_copy(node->down, NULL, NULL);
    FigHop *first, *last;
    Taken own = {node->x, node->x};
    int down = (int)hops->len;

    for (guint i = 0; i < hops->len; i++)
        ((FigHop *)hops->pdata[i])->leaves = FIG_SIDE_BOTTOM;
    fig_plan_sort(hops, by_target);
    for (guint i = 0; i < hops->len; i++)
        for (guint k = i + 1; k < hops->len; k++)
            if (((FigHop *)hops->pdata[i])->net == ((FigHop *)hops->pdata[k])->net)
                return false;
    if (hops->len < 2)
        return true;
    if (hops->len > 3)
        return false;
    first = hops->pdata[0];
    last = hops->pdata[hops->len - 1];
    if (fig_hop_enters_x(first) < node->x - FIG_GAP_LANE &&
        is_clear(box, node, fig_hop_enters_x(first), taken)) {
        own.low = fig_hop_enters_x(first);
        first->leaves = FIG_SIDE_LEFT;
        down--;
    }
    if (fig_hop_enters_x(last) > node->x + FIG_GAP_LANE &&
        is_clear(box, node, fig_hop_enters_x(last), taken)) {
        own.high = fig_hop_enters_x(last);
        last->leaves = FIG_SIDE_RIGHT;
        down--;
    }
    g_array_append_val(taken, own);
    return down <= 1;
}

/* ---- leaving ---- */

static void
leave_ports(FigPlan *plan, FigNode *node)
{
    const FigMarkText *text =
        node->op ? &plan->marks[fig_plan_op_index(plan, node->op)] : NULL;

    for (guint i = 0; i < node->down->len; i++) {
        FigHop *hop = node->down->pdata[i];

        hop->leaves = FIG_SIDE_BOTTOM;
        if (node->kind == FIG_NODE_BOX)
            hop->ax = ((FigNode *)node->box->sinks->pdata[hop->net->port])->x;
        else if (text && (!text->fork || text->bar))
            hop->ax = (hop->net->port - (node->op->n_writes - 1) / 2.0) * FIG_PORT_GAP;
    }
}

bool
fig_box_ports(FigPlan *plan, FigBox *box)
{
    bool good = true;

    for (guint i = 0; i < box->nodes->len; i++)
        leave_ports(plan, box->nodes->pdata[i]);
    for (guint i = 0; i < box->nodes->len; i++)
        enter_ports(plan, box->nodes->pdata[i]);
    for (int r = 0; r < box->n_ranks; r++) {
        g_autoptr(GArray) taken = g_array_new(FALSE, FALSE, sizeof(Taken));

        for (guint i = 0; i < box->rank[r]->len; i++) {
            FigNode *node = box->rank[r]->pdata[i];
            FigMarkText *text =
                node->op ? &plan->marks[fig_plan_op_index(plan, node->op)] : NULL;

            if (text && text->fork && !text->bar && !fork_sides(box, node, taken)) {
                double more = fig_bar_width(node->op->n_writes) - node->width;

                text->bar = true;
                node->width += more;
                node->left += more / 2;
                node->right += more / 2;
                good = false;
            }
        }
    }
    return good;
}
