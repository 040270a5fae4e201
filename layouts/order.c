/* SPDX-License-Identifier: MIT
 *
 * The order inside each row: barycentres, swept down and up, the best of all tries by
 * number of crossings, ties always as they were. Operands of an op whose order matters
 * pull apart from left to right. Then the main line is chosen, and readers with operands
 * on both sides take the outer ones by their sides.
 */
#include "layouts/plan.h"

#include <string.h>

/* ---- where a hop begins and ends, in units of places ---- */

static double
share(int port, int n)
{
    return ((double)port + 0.5) / (double)n - 0.5;
}

static double
leaves_at(const FigHop *hop)
{
    const FigNode *a = hop->a;

    if (a->kind == FIG_NODE_OP)
        return a->order + 0.9 * share(hop->net->port, a->op->n_writes);
    if (a->kind == FIG_NODE_BOX)
        return a->order + 0.9 * share(hop->net->port, (int)a->box->sinks->len);
    return a->order;
}

static double
enters_at(const FigHop *hop)
{
    const FigNode *b = hop->b;

    if (b->kind == FIG_NODE_OP && hop->pin && !b->op->commutes)
        return b->order + 0.9 * share(hop->pin->port, b->op->n_reads);
    if (b->kind == FIG_NODE_BOX && hop->pin) {
        /* the sources of a laid-out box stand in an order of their own */
        const FigNode *source = b->box->sources->pdata[hop->pin->port];

        return b->order + 0.9 * share(source->order, (int)b->box->sources->len);
    }
    return b->order;
}

/* A hop by its two places. */
typedef struct Place {
    double above, below;
} Place;

static int
by_place(const void *left, const void *right)
{
    const Place *a = left, *b = right;

    if (a->above != b->above)
        return a->above < b->above ? -1 : 1;
    return (a->below > b->below) - (a->below < b->below);
}

/* The pairs of which the first lies right of the second, counted while merging. */
static long
inversions(double *x, double *spare, guint n)
{
    guint half = n / 2, i = 0, k = half, out = 0;
    long count;

    if (n < 2)
        return 0;
    count = inversions(x, spare, half) + inversions(x + half, spare, n - half);
    while (i < half || k < n) {
        if (k == n || (i < half && x[i] <= x[k])) {
            spare[out++] = x[i++];
        } else {
            count += half - i;
            spare[out++] = x[k++];
        }
    }
    memcpy(x, spare, n * sizeof *x);
    return count;
}

/* Crossings between a row and the next, in n log n: hops sorted by where they leave cross
 * as often as where they enter is out of order. */
static long
crossings_under(const FigBox *box, int r)
{
    g_autoptr(GArray) places = g_array_new(FALSE, FALSE, sizeof(Place));
    g_autofree double *below = NULL, *spare = NULL;

    for (guint i = 0; i < box->rank[r]->len; i++) {
        const GPtrArray *down = ((FigNode *)box->rank[r]->pdata[i])->down;

        for (guint k = 0; k < down->len; k++) {
            Place place = {leaves_at(down->pdata[k]), enters_at(down->pdata[k])};

            g_array_append_val(places, place);
        }
    }
    if (places->len < 2)
        return 0;
    g_array_sort(places, by_place);
    below = g_new(double, places->len);
    spare = g_new(double, places->len);
    for (guint i = 0; i < places->len; i++)
        below[i] = g_array_index(places, Place, i).below;
    return inversions(below, spare, places->len);
}

static long
crossings(const FigBox *box)
{
    long count = 0;

    for (int r = 0; r + 1 < box->n_ranks; r++)
        count += crossings_under(box, r);
    return count;
}

/* How many crossings less there are when two neighbours change places. */
static int
gain(const FigNode *left, const FigNode *right)
{
    int sum = 0;

    for (int down = 0; down < 2; down++) {
        const GPtrArray *ours = down ? left->down : left->up;
        const GPtrArray *theirs = down ? right->down : right->up;

        for (guint i = 0; i < ours->len; i++)
            for (guint k = 0; k < theirs->len; k++) {
                double a = down ? enters_at(ours->pdata[i]) : leaves_at(ours->pdata[i]);
                double b =
                    down ? enters_at(theirs->pdata[k]) : leaves_at(theirs->pdata[k]);

                sum += (a > b) - (a < b);
            }
    }
    return sum;
}

/* ---- sweeps ---- */

static void
number(GPtrArray *rank)
{
    for (guint i = 0; i < rank->len; i++)
        ((FigNode *)rank->pdata[i])->order = (int)i;
}

static int
by_weight(const void *left, const void *right)
{
    const FigNode *a = *(FigNode *const *)left, *b = *(FigNode *const *)right;

    if (a->weight != b->weight)
        return a->weight < b->weight ? -1 : 1;
    return a->order - b->order;
}

static void
sweep(FigBox *box, bool down)
{
    for (int i = 1; i < box->n_ranks; i++) {
        GPtrArray *rank = box->rank[down ? i : box->n_ranks - 1 - i];

        for (guint k = 0; k < rank->len; k++) {
            FigNode *node = rank->pdata[k];
            const GPtrArray *hops = down ? node->up : node->down;
            double sum = 0;

            for (guint h = 0; h < hops->len; h++)
                sum += down ? leaves_at(hops->pdata[h]) : enters_at(hops->pdata[h]);
            node->weight = hops->len ? sum / hops->len : node->order;
        }
        fig_plan_sort(rank, by_weight);
        number(rank);
    }
}

static void
save(const FigBox *box, GArray *orders)
{
    g_array_set_size(orders, 0);
    for (guint i = 0; i < box->nodes->len; i++)
        g_array_append_val(orders, ((FigNode *)box->nodes->pdata[i])->order);
}

static int
by_order(const void *left, const void *right)
{
    return (*(FigNode *const *)left)->order - (*(FigNode *const *)right)->order;
}

static void
restore(FigBox *box, const GArray *orders)
{
    for (guint i = 0; i < box->nodes->len; i++)
        ((FigNode *)box->nodes->pdata[i])->order = g_array_index(orders, int, i);
    for (int r = 0; r < box->n_ranks; r++)
        fig_plan_sort(box->rank[r], by_order);
}

/* Swap neighbours while that takes crossings away. */
static void
swap_neighbours(FigBox *box)
{
    bool better = true;

    for (int pass = 0; pass < 8 && better; pass++) {
        better = false;
        for (int r = 0; r < box->n_ranks; r++)
            for (guint i = 0; i + 1 < box->rank[r]->len; i++) {
                void **pair = box->rank[r]->pdata + i;
                FigNode *left = pair[0], *right = pair[1];

                if (gain(left, right) <= 0)
                    continue;
                pair[0] = right;
                pair[1] = left;
                right->order = (int)i;
                left->order = (int)i + 1;
                better = true;
            }
    }
}

/* From the sources down, branches as they leave: already without crossings in a tree. */
static void
first_visit(FigBox *box, FigNode *node)
{
    if (node->order >= 0 || node->rank < 0)
        return;
    node->order = (int)box->rank[node->rank]->len;
    g_ptr_array_add(box->rank[node->rank], node);
    for (guint i = 0; i < node->down->len; i++)
        first_visit(box, ((FigHop *)node->down->pdata[i])->b);
}

static int
by_leaving(const void *left, const void *right)
{
    const FigHop *a = *(FigHop *const *)left, *b = *(FigHop *const *)right;
    int port = a->net->port - b->net->port;

    return port ? port : a->b->index - b->b->index;
}

static void
find_order(FigBox *box)
{
    g_autoptr(GArray) best = g_array_new(FALSE, FALSE, sizeof(int));
    long least;

    for (guint i = 0; i < box->nodes->len; i++) {
        FigNode *node = box->nodes->pdata[i];

        node->order = -1;
        fig_plan_sort(node->down, by_leaving);
    }
    for (guint i = 0; i < box->nodes->len; i++) {
        FigNode *node = box->nodes->pdata[i];

        if (node->up->len == 0)
            first_visit(box, node);
    }
    least = crossings(box);
    save(box, best);
    for (int i = 0; i < 12 && least > 0; i++) {
        long now;

        sweep(box, i % 2 == 0);
        now = crossings(box);
        if (now < least) {
            least = now;
            save(box, best);
        }
    }
    restore(box, best);
    swap_neighbours(box);
}

/* ---- main line ---- */

static bool
is_real(const FigNode *node)
{
    return node->kind != FIG_NODE_DUMMY && node->kind != FIG_NODE_STUB;
}

static int
by_entering(const void *left, const void *right)
{
    double a = enters_at(*(FigHop *const *)left),
           b = enters_at(*(FigHop *const *)right);

    return (a > b) - (a < b);
}

static int
by_from(const void *left, const void *right)
{
    double a = leaves_at(*(FigHop *const *)left),
           b = leaves_at(*(FigHop *const *)right);

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

/* Follow the middle line from a node as far as it goes and no other has been chosen. */
static void
follow(FigNode *at, bool down, bool *taken)
{
    for (; at && (at->main || !taken[at->rank]);
         at = middle(down ? at->down : at->up, down)) {
        at->main = true;
        taken[at->rank] = true;
    }
}

static void
follow_both(FigNode *node, bool *taken)
{
    follow(node, true, taken);
    follow(node, false, taken);
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
choose_main(const FigPlan *plan, FigBox *box)
{
    g_autofree bool *taken = g_new0(bool, box->n_ranks);
    const GPtrArray *top = box->rank[0], *bottom = box->rank[box->n_ranks - 1];

    for (int r = 0; r < box->n_ranks; r++) /* what a layout file asks for comes first */
        for (guint i = 0; i < box->rank[r]->len; i++)
            if (!taken[r] && fig_overrides_lane(plan, box->rank[r]->pdata[i]))
                follow_both(box->rank[r]->pdata[i], taken);
    if (top->len % 2 == 1)
        follow(top->pdata[top->len / 2], true, taken);
    if (bottom->len % 2 == 1)
        follow(bottom->pdata[bottom->len / 2], false, taken);
    for (int r = 0; r < box->n_ranks; r++)
        if (!taken[r] && box->rank[r]->len == 1)
            follow_both(box->rank[r]->pdata[0], taken);
    /* where other values pass by, the only mark of a row if it joins some, and a fork with a middle */
    for (int r = 0; r < box->n_ranks; r++) {
        FigNode *only = only_mark(box->rank[r]);

        if (only && !taken[r])
            follow_both(only, taken);
    }
    for (int r = 0; r < box->n_ranks; r++)
        for (guint i = 0; i < box->rank[r]->len; i++) {
            FigNode *node = box->rank[r]->pdata[i];

            if (!taken[r] && node->op && node->op->n_writes > 1 &&
                node->op->n_writes % 2 == 1)
                follow_both(node, taken);
        }
}

/* ---- operands that enter by a side ---- */

/* Would the hop cross another on its way to the outside of its reader? */
static bool
is_free(const FigBox *box, const FigHop *hop, bool left)
{
    const GPtrArray *above = box->rank[hop->b->rank - 1];

    for (guint i = 0; i < above->len; i++) {
        const FigNode *node = above->pdata[i];

        for (guint k = 0; k < node->down->len; k++) {
            const FigHop *other = node->down->pdata[k];

            if (other->net == hop->net && other->b != hop->b)
                continue;
            if (other->b->order < hop->b->order && leaves_at(other) > leaves_at(hop))
                return false;
            if (other->b->order > hop->b->order && leaves_at(other) < leaves_at(hop))
                return false;
            if (other != hop && other->b == hop->b &&
                (left ? leaves_at(other) < leaves_at(hop)
                      : leaves_at(other) > leaves_at(hop)))
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
    stub->rank = reader->rank;
    stub->hollow = true;
    g_ptr_array_insert(rank, reader->order + (left ? 0 : 1), stub);
    number(rank);
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

    find_order(box);
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
        find_order(box);
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
}
