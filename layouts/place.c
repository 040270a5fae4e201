/* SPDX-License-Identifier: MIT
 *
 * Lanes and x. Nodes that follow each other straight down share a lane; a lane is one
 * unknown. Lanes keep their distance in every row and are pulled towards what they are
 * joined to, the main line towards the middle above all.
 */
#include "layouts/arrange.h"
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

/* The hop that leads straight on from a node, or NULL. */
static const FigHop *
straight_on(const FigNode *node)
{
    for (guint k = 0; k < node->down->len; k++)
        if (((FigHop *)node->down->pdata[k])->straight)
            return node->down->pdata[k];
    return NULL;
}

/* Chain nodes into lanes. */
static void
make_lanes(FigBox *box, Lanes *lanes)
{
    for (guint i = 0; i < box->nodes->len; i++) {
        ((FigNode *)box->nodes->pdata[i])->index = (int)i;
        ((FigNode *)box->nodes->pdata[i])->lane = -1;
    }
    for (int r = 0; r < box->n_ranks; r++)
        for (guint i = 0; i < box->rank[r]->len; i++) {
            FigNode *node = box->rank[r]->pdata[i];
            bool main = false;
            double x = 0;

            if (node->lane >= 0)
                continue;
            while (node) {
                const FigHop *hop = straight_on(node);

                node->lane = (int)lanes->main->len;
                node->lane_x = x;
                main = main || node->main;
                x += hop ? leave_offset(hop) - enter_offset(hop) : 0;
                node = hop ? hop->b : NULL;
            }
            g_array_append_val(lanes->main, main);
        }
}

/* ---- distances and pulls ---- */

/* Is a node the stub by which an operand comes to the side of another? */
static bool
is_stub_of(const FigNode *stub, const FigNode *reader)
{
    return stub->kind == FIG_NODE_STUB &&
           ((FigHop *)stub->up->pdata[0])->pin->to == reader;
}

/* How far apart two neighbours of a row stand at least. */
static double
distance(const FigNode *a, const FigNode *b, int row)
{
    /* texts at what passes stand in the first of its rows */
    double right = a->rank == row ? a->note_right : 0;
    double left = b->rank == row ? b->note_left : 0;

    double gap = a->hollow && b->hollow   ? FIG_GAP_LANE
                 : a->hollow || b->hollow ? FIG_GAP_LANE + 2
                 : fig_box_close(a->in)   ? FIG_GAP_CLOSE
                                          : FIG_GAP_MARKS;
    double least = a->right + b->left + gap;

    /* a stub and its reader leave room for the arrow */
    if (is_stub_of(a, b) || is_stub_of(b, a))
        least = MAX((a->width + b->width) / 2 + FIG_HEAD_LENGTH + FIG_BEND + 3,
                    a->right + b->left);
    if (right + left > 0)
        least = MAX(least, right + left + FIG_GAP_LANE - 2);
    return least;
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
            FigApart apart = {a->lane, b->lane,
                              distance(a, b, r) + a->lane_x - b->lane_x};

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

            for (guint k = 0; node->last == r && k < node->down->len; k++) {
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

/* May a node stand at x, or nearly so, in all of its rows? */
static bool
has_room(const FigBox *box, const FigNode *node, double x)
{
    for (int r = node->rank; r <= node->last; r++) {
        const GPtrArray *rank = box->rank[r];
        int at = fig_node_order(node, r);
        const FigNode *before = at > 0 ? rank->pdata[at - 1] : NULL;
        const FigNode *after = at + 1 < (int)rank->len ? rank->pdata[at + 1] : NULL;

        if ((before && x - before->x < distance(before, node, r) - 1) ||
            (after && after->x - x < distance(node, after, r) - 1))
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

            if (!hop || !node->hollow || r != (down ? node->rank : node->last))
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
