/* SPDX-License-Identifier: MIT
 *
 * Lanes and x. Nodes that follow each other straight down share a lane; a lane is one
 * unknown. Lanes keep their distance in every row and are pulled towards what they are
 * joined to, the main line towards the middle above all.
 */
#include "layouts/plan.h"
#include "layouts/space.h"

#include <math.h>
#include <string.h>

typedef struct Lanes {
    GArray *main;         /* bool, by lane: is it of the main line? */
    GArray *apart, *pull; /* FigApart, FigPull */
} Lanes;

/* ---- lanes ---- */

static double
leave_offset(const FigHop *hop)
{
    if (hop->a->kind == FIG_NODE_BOX)
        return ((FigNode *)hop->a->box->sinks->pdata[hop->net->port])->x;
    return 0;
}

static double
enter_offset(const FigHop *hop)
{
    if (hop->b->kind == FIG_NODE_BOX && hop->pin)
        return ((FigNode *)hop->b->box->sources->pdata[hop->pin->port])->x;
    return 0;
}

static int
rank_of_hop(const FigHop *hop)
{
    bool passes = hop->a->kind == FIG_NODE_DUMMY || hop->b->kind == FIG_NODE_DUMMY ||
                  hop->b->kind == FIG_NODE_STUB;
    int reads = (int)hop->b->up->len, writes = (int)hop->a->down->len;

    if (hop->a->main && hop->b->main)
        return 0;
    if (writes == 1 && reads == 1)
        return 1;
    if (hop->a->kind == FIG_NODE_DUMMY && passes)
        return 2;
    if (reads == 1 && !hop->a->main && writes % 2 == 1)
        return 3;
    if (writes == 1 && !hop->b->main && reads % 2 == 1)
        return 4;
    return 5;
}

/* Is the hop the middle one on the side where there are several? */
static bool
is_middle(const FigHop *hop, int rank)
{
    int before = 0, after = 0;
    const GPtrArray *all = rank == 3 ? hop->a->down : hop->b->up;

    if (rank < 3)
        return true;
    for (guint i = 0; i < all->len; i++) {
        const FigHop *other = all->pdata[i];
        int side = rank == 3 ? other->b->order - hop->b->order
                             : other->a->order - hop->a->order;

        before += side < 0;
        after += side > 0;
    }
    return before == after;
}

/* Hops of a row that may be straight, by priority; places under it. */
typedef struct Straight {
    GPtrArray *hops[5];
    GArray *to;    /* int, by place in the row: where the node under it stands, or -1 */
    GArray *after; /* int: … the next one to the right that has one */
} Straight;

static int *
place_in(GArray *places, int i)
{
    return &g_array_index(places, int, i);
}

/* Make the hops of one priority straight that no straight one crosses. */
static void
align(const Straight *straight, int priority, FigNode **below, double *shift)
{
    const GPtrArray *hops = straight->hops[priority];
    int n = (int)straight->to->len, before = -1, at = 0;

    *place_in(straight->after, n) = G_MAXINT;
    for (int i = n; i-- > 0;)
        *place_in(straight->after, i) = *place_in(straight->to, i) >= 0
                                            ? *place_in(straight->to, i)
                                            : *place_in(straight->after, i + 1);
    for (guint i = 0; i < hops->len; i++) {
        const FigHop *hop = hops->pdata[i];
        int place = hop->a->order, under = hop->b->order;

        for (; at < place; at++)
            before = MAX(before, *place_in(straight->to, at));
        if (below[hop->a->index] || hop->b->lane >= 0 || under < before ||
            under > *place_in(straight->after, place + 1))
            continue;
        below[hop->a->index] = hop->b;
        shift[hop->a->index] = leave_offset(hop) - enter_offset(hop);
        hop->b->lane = 0;
        *place_in(straight->to, place) = under;
    }
}

/* Decide which hops under a row are straight. */
static void
align_row(const GPtrArray *rank, Straight *straight, FigNode **below, double *shift)
{
    const int none = -1;

    g_array_set_size(straight->to, 0);
    g_array_set_size(straight->after, rank->len + 1);
    for (int priority = 0; priority < 5; priority++)
        g_ptr_array_set_size(straight->hops[priority], 0);
    for (guint i = 0; i < rank->len; i++) {
        const FigNode *node = rank->pdata[i];

        g_array_append_val(straight->to, none);
        for (guint k = 0; k < node->down->len; k++) {
            FigHop *hop = node->down->pdata[k];
            int priority = rank_of_hop(hop);

            if (priority < 5 && is_middle(hop, priority))
                g_ptr_array_add(straight->hops[priority], hop);
        }
    }
    for (int priority = 0; priority < 5; priority++)
        if (straight->hops[priority]->len)
            align(straight, priority, below, shift);
}

/* Chain nodes into lanes: `lane` of a node serves first as the mark that something above
 * is aligned with it. */
static void
make_lanes(FigBox *box, Lanes *lanes)
{
    g_autofree FigNode **below = g_new0(FigNode *, box->nodes->len + 1);
    g_autofree double *shift = g_new0(double, box->nodes->len + 1);
    Straight straight = {.to = g_array_new(FALSE, FALSE, sizeof(int)),
                         .after = g_array_new(FALSE, FALSE, sizeof(int))};

    for (int priority = 0; priority < 5; priority++)
        straight.hops[priority] = g_ptr_array_new();
    for (guint i = 0; i < box->nodes->len; i++)
        ((FigNode *)box->nodes->pdata[i])->index = (int)i;
    for (int r = 0; r + 1 < box->n_ranks; r++)
        align_row(box->rank[r], &straight, below, shift);
    for (int r = 0; r < box->n_ranks; r++)
        for (guint i = 0; i < box->rank[r]->len; i++) {
            FigNode *node = box->rank[r]->pdata[i];
            bool main = false;
            double x = 0;

            if (node->lane >= 0)
                continue;
            for (FigNode *at = node; at; at = below[at->index]) {
                at->lane_x = x;
                x += shift[at->index];
            }
            for (FigNode *at = node; at; at = below[at->index]) {
                at->lane = (int)lanes->main->len;
                main = main || at->main;
            }
            g_array_append_val(lanes->main, main);
        }
    for (int priority = 0; priority < 5; priority++)
        g_ptr_array_unref(straight.hops[priority]);
    g_array_unref(straight.to);
    g_array_unref(straight.after);
}

/* ---- distances and pulls ---- */

/* Is a node the stub by which an operand comes to the side of another? */
static bool
is_stub_of(const FigNode *stub, const FigNode *reader)
{
    return stub->kind == FIG_NODE_STUB &&
           ((FigHop *)stub->up->pdata[0])->pin->to == reader;
}

static double
distance(const FigNode *a, const FigNode *b)
{
    double gap = a->hollow && b->hollow   ? FIG_GAP_LANE
                 : a->hollow || b->hollow ? FIG_GAP_LANE + 2
                 : fig_box_close(a->in)   ? FIG_GAP_CLOSE
                                          : FIG_GAP_MARKS;
    double row = a->right + b->left + gap;

    /* a stub and its reader leave room for the arrow */
    if (is_stub_of(a, b) || is_stub_of(b, a))
        row = MAX((a->width + b->width) / 2 + FIG_HEAD_LENGTH + FIG_BEND + 3,
                  a->right + b->left);
    if (a->note_right + b->note_left > 0)
        row = MAX(row, a->note_right + b->note_left + FIG_GAP_LANE - 2);
    return row;
}

/* The outer branch of a fork comes down beside a mark of the fork's row: keep the mark off
 * it, if its lane goes on on the same side of the branch. */
static void
keep_off_branch(const FigBox *box, const FigNode *fork, bool left, Lanes *lanes)
{
    const GPtrArray *rank = box->rank[fork->rank];
    int at = fork->order + (left ? -1 : 1);
    const FigNode *other = at >= 0 && at < (int)rank->len ? rank->pdata[at] : NULL;
    const FigNode *target = NULL;

    for (guint k = 0; k < fork->down->len; k++) {
        const FigNode *to = ((FigHop *)fork->down->pdata[k])->b;

        if (!target || (left ? to->order < target->order : to->order > target->order))
            target = to;
    }
    for (guint k = 0; target && other && !other->hollow && k < other->down->len; k++) {
        const FigNode *under = ((FigHop *)other->down->pdata[k])->b;
        const FigNode *a = left ? other : target, *b = left ? target : other;
        FigApart apart = {a->lane, b->lane, FIG_GAP_LANE + a->lane_x - b->lane_x};

        if (under->lane != other->lane || under->lane == target->lane ||
            (under->order < target->order) != left)
            continue;
        apart.distance += left ? MAX(other->right, other->note_right)
                               : MAX(other->left, other->note_left);
        g_array_append_val(lanes->apart, apart);
        return;
    }
}

static void
keep_apart(FigBox *box, Lanes *lanes)
{
    for (int r = 0; r < box->n_ranks; r++)
        for (guint i = 0; i + 1 < box->rank[r]->len; i++) {
            const FigNode *a = box->rank[r]->pdata[i], *b = box->rank[r]->pdata[i + 1];
            FigApart apart = {a->lane, b->lane, distance(a, b) + a->lane_x - b->lane_x};

            g_array_append_val(lanes->apart, apart);
        }
    for (guint i = 0; i < box->nodes->len; i++) {
        const FigNode *node = box->nodes->pdata[i];

        if (node->op && !strcmp(node->op->mark, "fork")) {
            keep_off_branch(box, node, true, lanes);
            keep_off_branch(box, node, false, lanes);
        }
    }
}

static void
pull_together(FigBox *box, Lanes *lanes)
{
    for (int r = 0; r + 1 < box->n_ranks; r++)
        for (guint i = 0; i < box->rank[r]->len; i++) {
            const FigNode *node = box->rank[r]->pdata[i];

            for (guint k = 0; k < node->down->len; k++) {
                const FigHop *hop = node->down->pdata[k];
                FigPull pull = {hop->a->lane, hop->b->lane, 0, 1};

                if (pull.a == pull.b)
                    continue;
                pull.offset = hop->a->lane_x + leave_offset(hop) - hop->b->lane_x -
                              enter_offset(hop);
                g_array_append_val(lanes->pull, pull);
            }
        }
    for (guint i = 0; i < lanes->main->len; i++) {
        FigPull pull = {(int)i, -1, 0,
                        g_array_index(lanes->main, bool, i) ? 1e4 : 1e-4};

        g_array_append_val(lanes->pull, pull);
    }
}

/* ---- the whole ---- */

static void
extent(FigBox *box)
{
    box->left = box->right = 0;
    for (guint i = 0; i < box->nodes->len; i++) {
        const FigNode *node = box->nodes->pdata[i];

        if (node->rank < 0)
            continue;
        box->left = MIN(box->left, node->x - MAX(node->left, node->note_left));
        box->right = MAX(box->right, node->x + MAX(node->right, node->note_right));
    }
}

static void
place(FigPlan *plan, FigBox *box)
{
    Lanes lanes = {
        .main = g_array_new(FALSE, FALSE, sizeof(bool)),
        .apart = g_array_new(FALSE, FALSE, sizeof(FigApart)),
        .pull = g_array_new(FALSE, FALSE, sizeof(FigPull)),
    };
    g_autofree double *x = NULL;
    double middle = 0;
    bool has_main = false;

    for (guint i = 0; i < box->nodes->len; i++)
        ((FigNode *)box->nodes->pdata[i])->lane = -1;
    make_lanes(box, &lanes);
    fig_box_even_widths(plan, box);
    keep_apart(box, &lanes);
    pull_together(box, &lanes);
    x = fig_space_solve((int)lanes.main->len, lanes.apart, lanes.pull);
    for (guint i = 0; i < lanes.main->len && !has_main; i++)
        if (g_array_index(lanes.main, bool, i)) {
            middle = x[i];
            has_main = true;
        }
    for (guint i = 0; i < box->nodes->len; i++) {
        FigNode *node = box->nodes->pdata[i];

        if (node->rank < 0)
            continue;
        node->x = x[node->lane] - middle + node->lane_x;
        /* half points, so that lanes that should be one are */
        if (node->lane_x == 0)
            node->x = round(node->x * 2) / 2;
        else
            node->x = round((node->x - node->lane_x) * 2) / 2 + node->lane_x;
    }
    extent(box);
    g_array_unref(lanes.main);
    g_array_unref(lanes.apart);
    g_array_unref(lanes.pull);
}

/* ---- small steps ---- */

#define SMALL 6.0 /* a shorter step looks like a mistake */

/* May a node of a row stand at x, or nearly so? */
static bool
has_room(const FigBox *box, const FigNode *node, double x)
{
    const GPtrArray *rank = box->rank[node->rank];
    const FigNode *other;

    if (node->order > 0) {
        other = rank->pdata[node->order - 1];
        if (x - other->x < distance(other, node) - 1)
            return false;
    }
    if (node->order + 1 < (int)rank->len) {
        other = rank->pdata[node->order + 1];
        if (other->x - x < distance(node, other) - 1)
            return false;
    }
    return true;
}

/* Where an edge takes a small step to the side only because of what it passes, let that
 * give way: what is hollow moves under what it comes from, or over what it goes to. */
static void
straighten(FigBox *box, bool down)
{
    for (int i = 1; i < box->n_ranks; i++) {
        int r = down ? i : box->n_ranks - 1 - i;

        for (guint k = 0; k < box->rank[r]->len; k++) {
            FigNode *node = box->rank[r]->pdata[k];
            const GPtrArray *hops = down ? node->up : node->down;
            const FigHop *hop = hops->len == 1 ? hops->pdata[0] : NULL;
            double x;

            if (!hop || !node->hollow)
                continue;
            x = down ? fig_hop_leaves_x(hop) : fig_hop_enters_x(hop);
            if (x != node->x && fabs(x - node->x) < SMALL && has_room(box, node, x))
                node->x = x;
        }
    }
}

void
fig_box_place(FigPlan *plan, FigBox *box)
{
    do {
        do {
            place(plan, box);
        } while (!fig_box_ports(plan, box));
        straighten(box, true);
        straighten(box, false);
    } while (!fig_box_ports(plan, box));
    extent(box);
    fig_box_channels(plan, box);
}
