/* SPDX-License-Identifier: MIT
 *
 * What follows from the order inside each row: the main line, and readers with operands
 * on both sides, which take the outer ones by their sides. A value that leaves its box by
 * the right side has to come from the last mark of its row; if it does not, rows are
 * ordered once more without.
 */
#include "layouts/arrange.h"

#include <string.h>

/* ---- main line ---- */

static bool
is_real(const FigNode *node)
{
    return node->kind != FIG_NODE_DUMMY && node->kind != FIG_NODE_STUB;
}

static int
by_entering(const void *left, const void *right)
{
    double a = fig_hop_enters_at(*(FigHop *const *)left),
           b = fig_hop_enters_at(*(FigHop *const *)right);

    return (a > b) - (a < b);
}

static int
by_from(const void *left, const void *right)
{
    double a = fig_hop_leaves_at(*(FigHop *const *)left),
           b = fig_hop_leaves_at(*(FigHop *const *)right);

    return (a > b) - (a < b);
}

/* Does a hop lead to a reader of its net in the next row, beside the trunk? */
static bool
has_reader(const GPtrArray *hops, const FigNet *net)
{
    for (guint i = 0; i < hops->len; i++) {
        const FigHop *hop = hops->pdata[i];

        if (hop->net == net && is_real(hop->b))
            return true;
    }
    return false;
}

/* The middle one of the neighbours below or above, or NULL when there is none in the
 * middle; a trunk that only goes on to later readers does not count, nor does what comes
 * from the pass before. */
static FigNode *
middle(const GPtrArray *hops, bool down)
{
    g_autoptr(GPtrArray) some = g_ptr_array_new();

    for (guint i = 0; i < hops->len; i++) {
        FigHop *hop = hops->pdata[i];

        if (!hop->net->back &&
            (!down || is_real(hop->b) || !has_reader(hops, hop->net)))
            g_ptr_array_add(some, hop);
    }
    if (some->len % 2 == 0)
        return NULL;
    fig_plan_sort(some, down ? by_entering : by_from);
    return down ? ((FigHop *)some->pdata[some->len / 2])->b
                : ((FigHop *)some->pdata[some->len / 2])->a;
}

/* Take what a node has of free rows, from one of its rows on, for the main line, and part
 * it from the rest; false: it has none, or not all up to its end. */
static bool
take(FigPlan *plan, FigNode *node, int row, bool down, bool *taken)
{
    int end = down ? node->last : node->rank, step = down ? 1 : -1, at = row;

    if (node->main)
        return true;
    while (!taken[at] && at != end)
        at += step;
    if (taken[at]) {
        if (at == row)
            return false;
        at -= step;
    }
    if (MAX(row, at) < node->last)
        fig_node_part(plan, node, MAX(row, at) + 1);
    if (MIN(row, at) > node->rank)
        node = fig_node_part(plan, node, MIN(row, at));
    node->main = true;
    for (int r = node->rank; r <= node->last; r++)
        taken[r] = true;
    return at == end;
}

/* The node that stands in a row on the way of another before that was parted. */
static FigNode *
part_in(const FigBox *box, const FigNode *node, int row)
{
    return node->places ? box->rank[row]->pdata[fig_node_order(node, row)]
                        : (FigNode *)node;
}

/* Follow the middle line from a node as far as it goes and no other has been chosen. */
static void
follow(FigPlan *plan, FigNode *at, int row, bool down, bool *taken)
{
    while (at && take(plan, at, row, down, taken)) {
        at = part_in(at->in, at, down ? at->last : at->rank);
        at = middle(down ? at->down : at->up, down);
        row = at ? down ? at->rank : at->last : 0;
    }
}

static void
follow_both(FigPlan *plan, FigNode *node, int row, bool *taken)
{
    const FigBox *box = node->in;
    guint place = (guint)fig_node_order(node, row);

    follow(plan, node, row, true, taken);
    follow(plan, box->rank[row]->pdata[place], row, false, taken);
}

/* The one node of a row that is no passing net, if lines meet there, or NULL. */
static FigNode *
only_mark(const GPtrArray *rank)
{
    FigNode *only = NULL;

    for (guint i = 0; i < rank->len; i++) {
        FigNode *node = rank->pdata[i];

        if (!is_real(node))
            continue;
        if (only)
            return NULL;
        only = node;
    }
    return only && only->up->len > 1 ? only : NULL;
}

/* The line that stands straight in the middle: down from the top as long as one of the
 * readers is the middle one, up from the bottom in the same way, and both ways from
 * whatever is alone in its row. */
static void
choose_main(FigPlan *plan, FigBox *box)
{
    g_autofree bool *taken = g_new0(bool, box->n_ranks);
    const GPtrArray *top = box->rank[0], *bottom = box->rank[box->n_ranks - 1];

    for (int r = 0; r < box->n_ranks; r++) /* what a layout file asks for comes first */
        for (guint i = 0; i < box->rank[r]->len; i++)
            if (!taken[r] && fig_overrides_lane(plan, box->rank[r]->pdata[i]))
                follow_both(plan, box->rank[r]->pdata[i], r, taken);
    if (top->len % 2 == 1)
        follow(plan, top->pdata[top->len / 2], 0, true, taken);
    if (bottom->len % 2 == 1)
        follow(plan, bottom->pdata[bottom->len / 2], box->n_ranks - 1, false, taken);
    for (int r = 0; r < box->n_ranks; r++)
        if (!taken[r] && box->rank[r]->len == 1)
            follow_both(plan, box->rank[r]->pdata[0], r, taken);
    /* where other values pass by, the only mark of a row if it joins some, and a fork with a middle */
    for (int r = 0; r < box->n_ranks; r++) {
        FigNode *only = only_mark(box->rank[r]);

        if (only && !taken[r])
            follow_both(plan, only, r, taken);
    }
    for (int r = 0; r < box->n_ranks; r++)
        for (guint i = 0; i < box->rank[r]->len; i++) {
            FigNode *node = box->rank[r]->pdata[i];

            if (!taken[r] && node->op && node->op->n_writes > 1 &&
                node->op->n_writes % 2 == 1)
                follow_both(plan, node, r, taken);
        }
}

/* ---- operands that enter by a side ---- */

/* How many nodes that come from the row over, or go to the row under, one stand left of a
 * place. */
static int
count_passing(const FigBox *box, int row, int place, bool down)
{
    int count = 0;

    for (int i = 0; i < place; i++) {
        const FigNode *node = box->rank[row]->pdata[i];

        count += down ? node->last > row : node->rank < row;
    }
    return count;
}

/* Would the hop cross another on its way to the outside of its reader? */
static bool
is_free(const FigBox *box, const FigHop *hop, bool left)
{
    int row = hop->b->rank;
    const GPtrArray *above = box->rank[row - 1];

    if (count_passing(box, row - 1, fig_node_order(hop->a, row - 1), true) !=
        count_passing(box, row, hop->b->order, false))
        return false;
    for (guint i = 0; i < above->len; i++) {
        const FigNode *node = above->pdata[i];

        for (guint k = 0; node->last == row - 1 && k < node->down->len; k++) {
            const FigHop *other = node->down->pdata[k];

            if (other->net == hop->net && other->b != hop->b)
                continue;
            if (other->b->order < hop->b->order &&
                fig_hop_leaves_at(other) > fig_hop_leaves_at(hop))
                return false;
            if (other->b->order > hop->b->order &&
                fig_hop_leaves_at(other) < fig_hop_leaves_at(hop))
                return false;
            if (other != hop && other->b == hop->b &&
                (left ? fig_hop_leaves_at(other) < fig_hop_leaves_at(hop)
                      : fig_hop_leaves_at(other) > fig_hop_leaves_at(hop)))
                return false;
        }
    }
    return true;
}

static void
take_side(FigPlan *plan, FigBox *box, FigHop *hop, bool left)
{
    FigNode *reader = hop->b;
    GPtrArray *rank = box->rank[reader->rank];
    FigNode *stub = fig_plan_node(plan, box, FIG_NODE_STUB);

    stub->value = hop->net->value;
    stub->net = hop->net;
    stub->rank = stub->last = reader->rank;
    stub->hollow = true;
    g_ptr_array_insert(rank, reader->order + (left ? 0 : 1), stub);
    fig_box_number(box, reader->rank);
    g_ptr_array_remove(reader->up, hop);
    hop->b = stub;
    g_ptr_array_add(stub->up, hop);
    hop->pin->side = left ? FIG_SIDE_LEFT : FIG_SIDE_RIGHT;
}

bool
fig_node_gives_right(const FigBox *box, const FigNode *node)
{
    for (guint i = 0; i < box->sinks->len; i++) {
        const FigNode *sink = box->sinks->pdata[i];

        if (sink->took_side && fig_box_net(box, sink->value)->from == node)
            return true;
    }
    return false;
}

static void
choose_sides(FigPlan *plan, FigBox *box, FigNode *node)
{
    g_autoptr(GPtrArray) hops = g_ptr_array_copy(node->up, NULL, NULL);
    int main_hops = 0;
    FigHop *first, *last;

    if (node->kind != FIG_NODE_OP || hops->len < 2)
        return;
    fig_plan_sort(hops, by_from);
    for (guint i = 0; i < hops->len; i++) {
        const FigHop *hop = hops->pdata[i];

        main_hops += node->main && hop->a->main;
        if (i > 0 && !node->op->commutes &&
            ((FigHop *)hops->pdata[i - 1])->pin->port > hop->pin->port)
            return; /* they have to cross first, above the mark */
    }
    first = hops->pdata[0];
    last = hops->pdata[hops->len - 1];
    if (main_hops > 1)
        main_hops = 0;
    if (!(main_hops && first->a->main) && is_free(box, first, true))
        take_side(plan, box, first, true);
    if (!(main_hops && last->a->main) && !fig_node_gives_right(box, node) &&
        is_free(box, last, false))
        take_side(plan, box, last, false);
}

/* A value leaves by the side all the way or not at all. */
static void
forget_side(const FigNet *net)
{
    while (net) {
        const FigPin *pin = net->pins->pdata[0];

        pin->to->side = false;
        net = net->from->box ? fig_box_net(net->from->box, net->value) : NULL;
    }
}

void
fig_box_order(FigPlan *plan, FigBox *box)
{
    bool again = false;

    fig_box_sweep(box);
    fig_overrides_order(plan, box);
    /* A sink can leave by the right side when its writer is the last of its row. */
    for (guint i = 0; i < box->sinks->len; i++) {
        FigNode *sink = box->sinks->pdata[i];

        if (sink->side) {
            const FigNet *net = fig_box_net(box, sink->value);
            const FigNode *from = net->from;
            const FigNode *inner = NULL;

            for (guint k = 0; from->box && k < from->box->sinks->len; k++)
                if (!strcmp(((FigNode *)from->box->sinks->pdata[k])->value,
                            sink->value))
                    inner = from->box->sinks->pdata[k];
            if (from->order + 1 < (int)box->rank[from->rank]->len ||
                (from->box && !(inner && inner->took_side))) {
                /* what is inside has settled for the side already: once more */
                forget_side(net);
                plan->restless = plan->restless || from->box;
                again = true;
            }
        }
    }
    if (again) {
        fig_box_rank(plan, box);
        fig_box_sweep(box);
        fig_overrides_order(plan, box);
    }
    for (guint i = 0; i < box->sinks->len; i++) {
        FigNode *sink = box->sinks->pdata[i];

        sink->took_side = sink->side;
    }
    choose_main(plan, box);
    for (int r = 1; r < box->n_ranks; r++) {
        g_autoptr(GPtrArray) rank = g_ptr_array_copy(box->rank[r], NULL, NULL);

        for (guint i = 0; i < rank->len; i++)
            choose_sides(plan, box, rank->pdata[i]);
    }
    fig_box_align(plan, box);
}
