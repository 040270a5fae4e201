/* SPDX-License-Identifier: MIT
 *
 * Rows of a layered box. Every node comes one row after the last of what it reads; a node
 * that could as well stand lower goes where its edges are shortest, and where that does
 * not matter beside its likes. Nets that pass a row get a dummy there, one for all their
 * readers below.
 */
#include "layouts/plan.h"

#include <string.h>

FigHop *
fig_box_hop(FigPlan *plan, FigNet *net, FigNode *a, FigNode *b, FigPin *pin)
{
    FigHop *hop = fig_arena_new0(plan->arena, FigHop);

    hop->net = net;
    hop->a = a;
    hop->b = b;
    hop->pin = pin;
    hop->leaves = FIG_SIDE_BOTTOM;
    hop->track = -1;
    g_ptr_array_add(a->down, hop);
    g_ptr_array_add(b->up, hop);
    return hop;
}

static bool
leaves_by_side(const FigNode *node)
{
    return node->kind == FIG_NODE_SINK && node->side;
}

/* Nodes so that each comes after what it reads; ties by index. */
static GPtrArray *
sorted(FigPlan *plan, const FigBox *box)
{
    GPtrArray *order = fig_plan_list(plan);
    g_autofree int *waits = g_new0(int, box->nodes->len + 1);

    for (guint i = 0; i < box->nets->len; i++) {
        const FigNet *net = box->nets->pdata[i];

        for (guint p = 0; p < net->pins->len; p++)
            waits[((FigPin *)net->pins->pdata[p])->to->index]++;
    }
    for (guint i = 0; i < box->nodes->len; i++)
        if (!waits[i])
            g_ptr_array_add(order, box->nodes->pdata[i]);
    for (guint at = 0; at < order->len; at++) {
        const FigNode *node = order->pdata[at];

        for (guint i = 0; i < box->nets->len; i++) {
            const FigNet *net = box->nets->pdata[i];

            for (guint p = 0; net->from == node && p < net->pins->len; p++) {
                FigNode *to = ((FigPin *)net->pins->pdata[p])->to;

                if (--waits[to->index] == 0)
                    g_ptr_array_add(order, to);
            }
        }
    }
    return order;
}

/* Rows in which `like` stands (the same op, another node). */
static bool
has_like(const FigBox *box, const FigNode *node, int rank)
{
    for (guint i = 0; node->op && i < box->nodes->len; i++) {
        const FigNode *other = box->nodes->pdata[i];

        if (other != node && other->op && other->rank == rank &&
            !strcmp(other->op->op, node->op->op))
            return true;
    }
    return false;
}

/* Lower a node inside the room its readers leave, where that makes edges shorter. */
static void
lower(const FigBox *box, FigNode *node)
{
    int lowest = G_MAXINT, reads = 0, writes = 0;

    for (guint i = 0; i < box->nets->len; i++) {
        const FigNet *net = box->nets->pdata[i];
        bool counted = false;

        for (guint p = 0; p < net->pins->len; p++) {
            const FigNode *to = ((FigPin *)net->pins->pdata[p])->to;

            if (net->from == node && !leaves_by_side(to))
                lowest = MIN(lowest, to->rank - 1);
            if (to == node && !counted) {
                reads++;
                counted = true;
            }
        }
        writes += net->from == node;
    }
    if (lowest == G_MAXINT || lowest <= node->rank)
        return;
    if (writes > reads) {
        node->rank = lowest;
        return;
    }
    for (int rank = node->rank; writes == reads && rank <= lowest; rank++)
        if (has_like(box, node, rank)) {
            node->rank = rank;
            return;
        }
}

static void
assign(FigPlan *plan, FigBox *box)
{
    GPtrArray *order = sorted(plan, box);
    bool has_top = box->sources->len > 0;
    int last = 0;

    for (guint i = 0; i < box->nodes->len; i++)
        has_top = has_top || ((FigNode *)box->nodes->pdata[i])->kind == FIG_NODE_INPUT;
    for (guint i = 0; i < order->len; i++) {
        FigNode *node = order->pdata[i];
        bool top = node->kind == FIG_NODE_SOURCE || node->kind == FIG_NODE_INPUT;

        node->rank = top ? 0 : has_top;
        for (guint k = 0; k < box->nets->len; k++) {
            const FigNet *net = box->nets->pdata[k];

            for (guint p = 0; p < net->pins->len; p++)
                if (((FigPin *)net->pins->pdata[p])->to == node)
                    node->rank = MAX(node->rank, net->from->rank + 1);
        }
    }
    for (int pass = 0; pass < 2; pass++)
        for (guint i = order->len; i-- > 0;) {
            FigNode *node = order->pdata[i];

            if (node->kind == FIG_NODE_OP || node->kind == FIG_NODE_BOX)
                lower(box, node);
        }
    for (guint i = 0; i < order->len; i++) {
        const FigNode *node = order->pdata[i];

        if (node->kind != FIG_NODE_SINK && node->kind != FIG_NODE_OUTPUT)
            last = MAX(last, node->rank);
    }
    box->n_ranks = last + 1;
    for (guint i = 0; i < order->len; i++) {
        FigNode *node = order->pdata[i];

        if (node->kind != FIG_NODE_SINK && node->kind != FIG_NODE_OUTPUT)
            continue;
        node->rank = leaves_by_side(node) ? -1 : last + 1;
        if (!leaves_by_side(node))
            box->n_ranks = last + 2;
    }
}

static FigNode *
dummy(FigPlan *plan, FigBox *box, FigNet *net, int rank)
{
    FigNode *node = fig_plan_node(plan, box, FIG_NODE_DUMMY);

    node->value = net->value;
    node->net = net;
    node->rank = rank;
    node->hollow = true;
    return node;
}

static void
make_hops(FigPlan *plan, FigBox *box, FigNet *net)
{
    FigNode *trunk = net->from;
    int last = -1;

    for (guint p = 0; p < net->pins->len; p++)
        last = MAX(last, ((FigPin *)net->pins->pdata[p])->to->rank);
    for (int rank = net->from->rank + 1; rank <= last; rank++) {
        FigNode *next = NULL;

        for (guint p = 0; p < net->pins->len; p++) {
            FigPin *pin = net->pins->pdata[p];

            if (pin->to->rank == rank)
                fig_box_hop(plan, net, trunk, pin->to, pin);
        }
        if (rank < last) {
            next = dummy(plan, box, net, rank);
            fig_box_hop(plan, net, trunk, next, NULL);
            trunk = next;
        }
    }
}

/* Take the dummies and hops of an earlier try away. */
static void
clear(FigBox *box)
{
    guint kept = 0;

    for (guint i = 0; i < box->nodes->len; i++) {
        FigNode *node = box->nodes->pdata[i];

        g_ptr_array_set_size(node->up, 0);
        g_ptr_array_set_size(node->down, 0);
        node->main = false;
        node->lane = -1;
        node->lane_x = 0;
        if (node->kind != FIG_NODE_DUMMY && node->kind != FIG_NODE_STUB) {
            node->index = (int)kept;
            box->nodes->pdata[kept++] = node;
        }
    }
    g_ptr_array_set_size(box->nodes, (gint)kept);
}

void
fig_box_rank(FigPlan *plan, FigBox *box)
{
    clear(box);
    assign(plan, box);
    for (guint i = 0; i < box->nets->len; i++)
        make_hops(plan, box, box->nets->pdata[i]);
    box->rank = fig_arena_new_array(plan->arena, GPtrArray *, box->n_ranks);
    box->row_y = fig_arena_new_array(plan->arena, double, box->n_ranks);
    box->row_height = fig_arena_new_array(plan->arena, double, box->n_ranks);
    for (int r = 0; r < box->n_ranks; r++)
        box->rank[r] = fig_plan_list(plan);
}
