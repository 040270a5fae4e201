/* SPDX-License-Identifier: MIT
 *
 * Lanes and x. Nodes that follow each other straight down share a lane; a lane is one
 * unknown. Lanes keep their distance in every row and are pulled towards what they are
 * joined to, the main line towards the middle above all. The pull is solved by moving
 * single lanes, then groups of lanes that press against each other, until nothing moves.
 */
#include "layouts/plan.h"

#include <math.h>
#include <string.h>

typedef struct Lane {
    double x;
    bool main;
    int group;
    GArray *apart, *pull; /* int: of those that name it */
} Lane;

/* x of lane b is at least that of lane a + distance */
typedef struct Apart {
    int a, b;
    double distance;
} Apart;

typedef struct Pull {
    int a, b;      /* lanes that a hop joins; b -1: the middle of the box */
    double offset; /* wanted: x_b − x_a */
    double weight;
} Pull;

typedef struct Space {
    GArray *lanes, *apart, *pull;
} Space;

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

static bool
aligns_freely(const FigBox *box, const FigHop *hop, FigNode *const *below)
{
    const GPtrArray *rank = box->rank[hop->a->rank];

    if (below[hop->a->index] || hop->b->lane >= 0)
        return false;
    for (guint i = 0; i < rank->len; i++) {
        const FigNode *node = rank->pdata[i];
        const FigNode *to = below[node->index];

        if (to && (node->order - hop->a->order) * (to->order - hop->b->order) < 0)
            return false;
    }
    return true;
}

/* Chain nodes into lanes: `lane` of a node serves first as the mark that something above
 * is aligned with it. */
static void
make_lanes(FigBox *box, Space *space)
{
    g_autofree FigNode **below = g_new0(FigNode *, box->nodes->len + 1);
    g_autofree double *shift = g_new0(double, box->nodes->len + 1);

    for (guint i = 0; i < box->nodes->len; i++)
        ((FigNode *)box->nodes->pdata[i])->index = (int)i;
    for (int priority = 0; priority <= 4; priority++)
        for (int r = 0; r + 1 < box->n_ranks; r++)
            for (guint i = 0; i < box->rank[r]->len; i++) {
                const FigNode *node = box->rank[r]->pdata[i];

                for (guint k = 0; k < node->down->len; k++) {
                    FigHop *hop = node->down->pdata[k];

                    if (rank_of_hop(hop) != priority || !is_middle(hop, priority) ||
                        !aligns_freely(box, hop, below))
                        continue;
                    below[node->index] = hop->b;
                    shift[node->index] = leave_offset(hop) - enter_offset(hop);
                    hop->b->lane = 0;
                }
            }
    for (int r = 0; r < box->n_ranks; r++)
        for (guint i = 0; i < box->rank[r]->len; i++) {
            FigNode *node = box->rank[r]->pdata[i];
            Lane lane = {0};
            double x = 0;

            if (node->lane >= 0)
                continue;
            for (FigNode *at = node; at; at = below[at->index]) {
                at->lane_x = x;
                x += shift[at->index];
            }
            for (FigNode *at = node; at; at = below[at->index]) {
                at->lane = (int)space->lanes->len;
                lane.main = lane.main || at->main;
            }
            g_array_append_val(space->lanes, lane);
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
keep_off_branch(const FigBox *box, const FigNode *fork, bool left, Space *space)
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
        Apart apart = {a->lane, b->lane, FIG_GAP_LANE + a->lane_x - b->lane_x};

        if (under->lane != other->lane || under->lane == target->lane ||
            (under->order < target->order) != left)
            continue;
        apart.distance += left ? MAX(other->right, other->note_right)
                               : MAX(other->left, other->note_left);
        g_array_append_val(space->apart, apart);
        return;
    }
}

static void
keep_apart(FigBox *box, Space *space)
{
    for (int r = 0; r < box->n_ranks; r++)
        for (guint i = 0; i + 1 < box->rank[r]->len; i++) {
            const FigNode *a = box->rank[r]->pdata[i], *b = box->rank[r]->pdata[i + 1];
            Apart apart = {a->lane, b->lane, distance(a, b) + a->lane_x - b->lane_x};

            g_array_append_val(space->apart, apart);
        }
    for (guint i = 0; i < box->nodes->len; i++) {
        const FigNode *node = box->nodes->pdata[i];

        if (node->op && !strcmp(node->op->mark, "fork")) {
            keep_off_branch(box, node, true, space);
            keep_off_branch(box, node, false, space);
        }
    }
}

static void
pull_together(FigBox *box, Space *space)
{
    for (int r = 0; r + 1 < box->n_ranks; r++)
        for (guint i = 0; i < box->rank[r]->len; i++) {
            const FigNode *node = box->rank[r]->pdata[i];

            for (guint k = 0; k < node->down->len; k++) {
                const FigHop *hop = node->down->pdata[k];
                Pull pull = {hop->a->lane, hop->b->lane, 0, 1};

                if (pull.a == pull.b)
                    continue;
                pull.offset = hop->a->lane_x + leave_offset(hop) - hop->b->lane_x -
                              enter_offset(hop);
                g_array_append_val(space->pull, pull);
            }
        }
    for (guint i = 0; i < space->lanes->len; i++) {
        Pull pull = {(int)i, -1, 0,
                     g_array_index(space->lanes, Lane, i).main ? 1e4 : 1e-4};

        g_array_append_val(space->pull, pull);
    }
}

/* ---- solve ---- */

/* As far left as distances allow. No lane stands both left and right of another, so they
 * can be taken in an order in which each comes after all on its left. */
static void
first_x(Space *space)
{
    guint n = space->lanes->len;
    Lane *lanes = (Lane *)space->lanes->data;
    g_autofree int *waits = g_new0(int, n + 1), *queue = g_new0(int, n + 1);
    guint ready = 0;

    for (guint i = 0; i < space->apart->len; i++)
        waits[g_array_index(space->apart, Apart, i).b]++;
    for (guint i = 0; i < n; i++)
        if (!waits[i])
            queue[ready++] = (int)i;
    for (guint at = 0; at < ready; at++)
        for (guint i = 0; i < lanes[queue[at]].apart->len; i++) {
            const Apart *apart = &g_array_index(
                space->apart, Apart, g_array_index(lanes[queue[at]].apart, int, i));

            if (apart->a != queue[at])
                continue;
            lanes[apart->b].x =
                MAX(lanes[apart->b].x, lanes[apart->a].x + apart->distance);
            if (--waits[apart->b] == 0)
                queue[ready++] = apart->b;
        }
}

static double
off(const Space *space, const Pull *pull)
{
    const Lane *lanes = (const Lane *)space->lanes->data;

    return (pull->b < 0 ? 0 : lanes[pull->b].x) - lanes[pull->a].x - pull->offset;
}

/* How far, and how strongly, the pulls on a lane from outside its group draw it. */
static void
pulls_on(const Space *space, int lane, bool all, double *sum, double *weight)
{
    const Lane *lanes = (const Lane *)space->lanes->data;

    for (guint i = 0; i < lanes[lane].pull->len; i++) {
        const Pull *pull =
            &g_array_index(space->pull, Pull, g_array_index(lanes[lane].pull, int, i));
        bool inner = pull->b >= 0 && lanes[pull->a].group == lanes[pull->b].group;

        if (inner && !all)
            continue;
        *sum += (pull->a == lane ? 1 : -1) * pull->weight * off(space, pull);
        *weight += pull->weight;
    }
}

/* Cut a step of a lane down to what its neighbours outside its group leave. */
static double
allowed(const Space *space, int lane, double step)
{
    const Lane *lanes = (const Lane *)space->lanes->data;

    for (guint i = 0; i < lanes[lane].apart->len; i++) {
        const Apart *apart = &g_array_index(space->apart, Apart,
                                            g_array_index(lanes[lane].apart, int, i));
        double slack = MAX(0, lanes[apart->b].x - lanes[apart->a].x - apart->distance);

        if (lanes[apart->a].group == lanes[apart->b].group)
            continue;
        if (apart->a == lane)
            step = MIN(step, slack);
        else
            step = MAX(step, -slack);
    }
    return step;
}

/* Move each group of lanes (named by its first) where it is pulled. */
static double
move_groups(Space *space)
{
    guint n = space->lanes->len;
    Lane *lanes = (Lane *)space->lanes->data;
    g_autofree int *next = g_new(int, n + 1), *head = g_new(int, n + 1);
    double moved = 0;

    for (guint i = 0; i < n; i++)
        head[i] = -1;
    for (guint i = n; i-- > 0;) {
        next[i] = head[lanes[i].group];
        head[lanes[i].group] = (int)i;
    }
    for (guint g = 0; g < n; g++) {
        double sum = 0, weight = 0, step;

        for (int i = head[g]; i >= 0; i = next[i])
            pulls_on(space, i, false, &sum, &weight);
        if (weight == 0)
            continue;
        step = sum / weight;
        for (int i = head[g]; i >= 0; i = next[i])
            step = allowed(space, i, step);
        for (int i = head[g]; i >= 0; i = next[i])
            lanes[i].x += step;
        moved = MAX(moved, fabs(step));
    }
    return moved;
}

/* What touches and is pressed together becomes one group. */
static void
group_pressed(Space *space)
{
    guint n = space->lanes->len;
    Lane *lanes = (Lane *)space->lanes->data;
    g_autofree int *group = g_new(int, n + 1);
    g_autofree double *force = g_new0(double, n + 1);

    for (guint i = 0; i < n; i++) {
        double weight = 0;

        group[i] = (int)i;
        pulls_on(space, (int)i, true, &force[i], &weight);
    }
    for (guint i = 0; i < space->apart->len; i++) {
        const Apart *apart = &g_array_index(space->apart, Apart, i);
        int a = fig_root_of(group, apart->a), b = fig_root_of(group, apart->b);

        if (a != b && lanes[apart->b].x - lanes[apart->a].x - apart->distance < 1e-3 &&
            force[a] > force[b] + 1e-9) {
            group[MAX(a, b)] = MIN(a, b);
            force[MIN(a, b)] = force[a] + force[b];
        }
    }
    for (guint i = 0; i < n; i++)
        lanes[i].group = fig_root_of(group, (int)i);
}

static void
index_by_lane(Space *space)
{
    Lane *lanes = (Lane *)space->lanes->data;

    for (guint i = 0; i < space->lanes->len; i++) {
        lanes[i].apart = g_array_new(FALSE, FALSE, sizeof(int));
        lanes[i].pull = g_array_new(FALSE, FALSE, sizeof(int));
    }
    for (int i = 0; i < (int)space->apart->len; i++) {
        const Apart *apart = &g_array_index(space->apart, Apart, i);

        g_array_append_val(lanes[apart->a].apart, i);
        g_array_append_val(lanes[apart->b].apart, i);
    }
    for (int i = 0; i < (int)space->pull->len; i++) {
        const Pull *pull = &g_array_index(space->pull, Pull, i);

        g_array_append_val(lanes[pull->a].pull, i);
        if (pull->b >= 0)
            g_array_append_val(lanes[pull->b].pull, i);
    }
}

static void
solve(Space *space)
{
    Lane *lanes = (Lane *)space->lanes->data;

    for (int round = 0; round < 60; round++) {
        double moved = 0;

        for (guint i = 0; i < space->lanes->len; i++)
            lanes[i].group = (int)i;
        for (int pass = 0; pass < 40; pass++)
            if (move_groups(space) < 1e-3)
                break;
        group_pressed(space);
        for (int pass = 0; pass < 20; pass++) {
            double step = move_groups(space);

            moved = MAX(moved, step);
            if (step < 1e-3)
                break;
        }
        if (moved < 1e-3)
            break;
    }
    for (guint i = 0; i < space->lanes->len; i++) {
        g_array_unref(lanes[i].apart);
        g_array_unref(lanes[i].pull);
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
    Space space = {
        .lanes = g_array_new(FALSE, TRUE, sizeof(Lane)),
        .apart = g_array_new(FALSE, TRUE, sizeof(Apart)),
        .pull = g_array_new(FALSE, TRUE, sizeof(Pull)),
    };
    double middle = 0;
    bool has_main = false;

    for (guint i = 0; i < box->nodes->len; i++)
        ((FigNode *)box->nodes->pdata[i])->lane = -1;
    make_lanes(box, &space);
    fig_box_even_widths(plan, box);
    keep_apart(box, &space);
    pull_together(box, &space);
    index_by_lane(&space);
    first_x(&space);
    solve(&space);
    for (guint i = 0; i < space.lanes->len && !has_main; i++) {
        const Lane *lane = &g_array_index(space.lanes, Lane, i);

        if (lane->main) {
            middle = lane->x;
            has_main = true;
        }
    }
    for (guint i = 0; i < box->nodes->len; i++) {
        FigNode *node = box->nodes->pdata[i];

        if (node->rank < 0)
            continue;
        node->x =
            g_array_index(space.lanes, Lane, node->lane).x - middle + node->lane_x;
        /* half points, so that lanes that should be one are */
        if (node->lane_x == 0)
            node->x = round(node->x * 2) / 2;
        else
            node->x = round((node->x - node->lane_x) * 2) / 2 + node->lane_x;
    }
    extent(box);
    g_array_unref(space.lanes);
    g_array_unref(space.apart);
    g_array_unref(space.pull);
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
