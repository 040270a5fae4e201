/* SPDX-License-Identifier: MIT
 *
 * The ways of edges in a layered box. Between two rows lies a channel: hops that are not
 * straight turn there onto tracks, ordered so that no two nets share a piece and as few
 * as possible cross. Ports lie in operand order on the border of a mark. The height of
 * rows and channels follows from what is in them; then every pin gets its way.
 */
#include "layouts/plan.h"

#include <math.h>
#include <string.h>

#define SAME 0.05 /* closer is straight */

static void
go(GArray *way, double x, double y)
{
    FigPoint point = {x, y};

    g_array_append_val(way, point);
}

/* ---- ports ---- */

/* Positions as near as possible to what is wanted, in order, at least gap apart, inside
 * ±half where that is possible. */
static void
spread(double *at, int n, double gap, double half)
{
    for (int pass = 0; pass < 64; pass++) {
        bool moved = false;

        for (int i = 0; i + 1 < n; i++) {
            double lack = at[i] + gap - at[i + 1];

            if (lack > 1e-6) {
                at[i] -= lack / 2;
                at[i + 1] += lack / 2;
                moved = true;
            }
        }
        if (!moved)
            break;
    }
    if (n && (n - 1) * gap <= 2 * half) {
        double low = MAX(0, -half - at[0]), high = MIN(0, half - at[n - 1]);

        for (int i = 0; i < n; i++)
            at[i] += low + high;
        for (int i = 0; i < n; i++)
            at[i] = CLAMP(at[i], -half + i * gap, half - (n - 1 - i) * gap);
    }
}

static double
leaves_x(const FigHop *hop)
{
    return hop->a->x + hop->ax;
}

static double
enters_x(const FigHop *hop)
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
    double off = leaves_x(a) - leaves_x(b);

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

static void
enter_ports(FigPlan *plan, FigNode *node)
{
    guint n = node->up->len;
    g_autofree double *at = g_new0(double, n + 1);
    double half = half_for_ports(plan, node);

    if (node->kind == FIG_NODE_BOX) {
        for (guint i = 0; i < n; i++) {
            FigHop *hop = node->up->pdata[i];

            hop->bx = ((FigNode *)node->box->sources->pdata[hop->pin->port])->x;
        }
        return;
    }
    if (node->kind != FIG_NODE_OP || n == 0)
        return;
    fig_plan_sort(node->up, node->op->commutes ? by_leaving_x : by_port);
    for (guint i = 0; i < n; i++) {
        FigHop *hop = node->up->pdata[i];

        at[i] = CLAMP(leaves_x(hop) - node->x, -half, half);
        /* with operands on the sides, those on top keep clear of the corners */
        if (n == 1 && fabs(leaves_x(hop) - node->x) > half)
            at[i] = 0;
    }
    spread(at, (int)n, FIG_PORT_GAP, half);
    for (guint i = 0; i < n; i++)
        ((FigHop *)node->up->pdata[i])->bx = at[i];
}

/* Something that takes room between two places of one row? */
static bool
is_clear(const FigBox *box, const FigNode *node, double to)
{
    const GPtrArray *rank = box->rank[node->rank];

    for (guint i = 0; i < rank->len; i++) {
        const FigNode *other = rank->pdata[i];

        if (other == node || (other->hollow && other->kind != FIG_NODE_STUB))
            continue;
        if (other->x + other->right > MIN(node->x, to) - FIG_GAP_LANE &&
            other->x - other->left < MAX(node->x, to) + FIG_GAP_LANE)
            return false;
    }
    return true;
}

static int
by_target(const void *left, const void *right)
{
    double off = enters_x(*(FigHop *const *)left) - enters_x(*(FigHop *const *)right);

    return (off > 0) - (off < 0);
}

/* The branches of a dot: left, down and right. */
static void
fork_ports(const FigBox *box, FigNode *node)
{
    g_autoptr(GPtrArray) hops = g_ptr_array_copy(node->down, NULL, NULL);
    FigHop *first, *last;

    if (hops->len < 2 || hops->len > 3)
        return;
    fig_plan_sort(hops, by_target);
    for (guint i = 0; i + 1 < hops->len; i++)
        if (((FigHop *)hops->pdata[i])->net == ((FigHop *)hops->pdata[i + 1])->net)
            return;
    first = hops->pdata[0];
    last = hops->pdata[hops->len - 1];
    if (enters_x(first) < node->x - FIG_GAP_LANE &&
        is_clear(box, node, enters_x(first)))
        first->leaves = FIG_SIDE_LEFT;
    if (enters_x(last) > node->x + FIG_GAP_LANE && is_clear(box, node, enters_x(last)))
        last->leaves = FIG_SIDE_RIGHT;
}

static void
leave_ports(FigPlan *plan, FigBox *box, FigNode *node)
{
    int n = node->op ? node->op->n_writes : 0;
    g_autofree double *at = g_new0(double, n + 1);

    for (guint i = 0; i < node->down->len; i++) {
        FigHop *hop = node->down->pdata[i];

        if (node->kind == FIG_NODE_BOX)
            hop->ax = ((FigNode *)node->box->sinks->pdata[hop->net->port])->x;
    }
    if (n < 2)
        return;
    if (plan->marks[fig_plan_op_index(plan, node->op)].fork && n <= 3) {
        fork_ports(box, node);
        return;
    }
    for (int w = 0; w < n; w++)
        at[w] = ((double)w - (n - 1) / 2.0) * FIG_PORT_GAP;
    spread(at, n, FIG_PORT_GAP, MAX(node->width / 2 - 7, 0));
    for (guint i = 0; i < node->down->len; i++) {
        FigHop *hop = node->down->pdata[i];

        hop->ax = at[hop->net->port];
    }
}

/* ---- tracks ---- */

typedef struct Run {
    const FigNet *net;
    double from; /* where it comes down to its track */
    GArray *to;  /* double: where it goes on */
    double low, high;
    int track;
} Run;

static GArray *
runs_of(const FigBox *box, int r)
{
    GArray *runs = g_array_new(FALSE, TRUE, sizeof(Run));

    for (guint i = 0; i < box->rank[r]->len; i++) {
        const FigNode *node = box->rank[r]->pdata[i];
        guint first = runs->len;

        for (guint k = 0; k < node->down->len; k++) {
            const FigHop *hop = node->down->pdata[k];
            double to = enters_x(hop);
            Run *run = NULL;

            if (hop->leaves != FIG_SIDE_BOTTOM)
                continue;
            for (guint j = first; j < runs->len; j++)
                if (g_array_index(runs, Run, j).net == hop->net)
                    run = &g_array_index(runs, Run, j);
            if (!run) {
                Run made = {.net = hop->net, .from = leaves_x(hop)};

                made.low = made.high = made.from;
                made.to = g_array_new(FALSE, FALSE, sizeof(double));
                g_array_append_val(runs, made);
                run = &g_array_index(runs, Run, runs->len - 1);
            }
            g_array_append_val(run->to, to);
            run->low = MIN(run->low, to);
            run->high = MAX(run->high, to);
        }
    }
    for (guint i = runs->len; i-- > 0;) {
        Run *run = &g_array_index(runs, Run, i);

        if (run->high - run->low < SAME) {
            g_array_unref(run->to);
            g_array_remove_index(runs, i);
        }
    }
    return runs;
}

static bool
inside(const Run *run, double x)
{
    return x > run->low - SAME && x < run->high + SAME;
}

/* What it costs that `above` runs over `below`. */
static double
cost(const Run *above, const Run *below)
{
    double sum = inside(above, below->from);

    if (fabs(below->from - above->from) < SAME)
        return 0;
    for (guint i = 0; i < above->to->len; i++) {
        double x = g_array_index(above->to, double, i);

        if (fabs(x - below->from) < FIG_GAP_LANE - 2)
            sum += 1e6; /* they would share a piece */
        sum += inside(below, x);
    }
    return sum;
}

/* Order the runs of a channel from top to bottom and give them tracks; the number of
 * tracks. */
static int
set_tracks(GArray *runs)
{
    g_autoptr(GArray) order = g_array_new(FALSE, FALSE, sizeof(int));
    int tracks = 0;

    for (int i = 0; i < (int)runs->len; i++) {
        const Run *run = &g_array_index(runs, Run, i);
        double best = INFINITY;
        guint place = 0;

        for (guint at = 0; at <= order->len; at++) {
            double sum = 0;

            for (guint k = 0; k < order->len; k++) {
                const Run *other =
                    &g_array_index(runs, Run, g_array_index(order, int, k));

                sum += k < at ? cost(other, run) : cost(run, other);
            }
            if (sum < best) {
                best = sum;
                place = at;
            }
        }
        g_array_insert_val(order, place, i);
    }
    for (guint i = 0; i < order->len; i++) {
        Run *run = &g_array_index(runs, Run, g_array_index(order, int, i));

        run->track = 0;
        for (guint k = 0; k < i; k++) {
            const Run *other = &g_array_index(runs, Run, g_array_index(order, int, k));

            if (other->low < run->high + FIG_GAP_LANE &&
                run->low < other->high + FIG_GAP_LANE)
                run->track = MAX(run->track, other->track + 1);
        }
        tracks = MAX(tracks, run->track + 1);
    }
    return tracks;
}

static int
tracks_of(FigBox *box, int r)
{
    GArray *runs = runs_of(box, r);
    int tracks = set_tracks(runs);

    for (guint i = 0; i < box->rank[r]->len; i++) {
        const FigNode *node = box->rank[r]->pdata[i];

        for (guint k = 0; k < node->down->len; k++) {
            FigHop *hop = node->down->pdata[k];

            hop->track = -1;
            for (guint j = 0; j < runs->len; j++)
                if (g_array_index(runs, Run, j).net == hop->net &&
                    hop->leaves == FIG_SIDE_BOTTOM)
                    hop->track = g_array_index(runs, Run, j).track;
        }
    }
    for (guint j = 0; j < runs->len; j++)
        g_array_unref(g_array_index(runs, Run, j).to);
    g_array_unref(runs);
    return tracks;
}

/* ---- heights ---- */

static const FigNote *
note_of(const FigPlan *plan, const char *value)
{
    return g_hash_table_lookup(plan->note_of, value);
}

/* Is a text printed beside the edges that leave (or, at a branch, enter) a row? */
static bool
has_note(const FigPlan *plan, const FigBox *box, int r, bool leaving)
{
    for (guint i = 0; i < box->rank[r]->len; i++) {
        const FigNode *node = box->rank[r]->pdata[i];
        const GPtrArray *hops = leaving ? node->down : node->up;

        for (guint k = 0; k < hops->len; k++) {
            const FigHop *hop = hops->pdata[k];
            const FigNote *note = note_of(plan, hop->net->value);
            const FigNode *writer = hop->a;

            if (note && writer->kind == FIG_NODE_OP && note->at_reader == !leaving)
                return true;
            if (note && writer->kind == FIG_NODE_INPUT && leaving && note->shape)
                return true;
        }
    }
    return false;
}

static void
set_heights(FigPlan *plan, FigBox *box, double *track_y)
{
    double y = box->pad_top;

    for (int r = 0; r < box->n_ranks; r++) {
        double height = 0, over = 0;
        int tracks;
        bool up, down, border, ends;

        for (guint i = 0; i < box->rank[r]->len; i++) {
            const FigNode *node = box->rank[r]->pdata[i];

            if (!node->hollow)
                height = MAX(height, node->height);
            over = MAX(over, node->callout_height);
        }
        if (over > height + 4)
            y += (over - height - 4) / 2;
        box->row_height[r] = height;
        box->row_y[r] = y + height / 2;
        for (guint i = 0; i < box->rank[r]->len; i++)
            ((FigNode *)box->rank[r]->pdata[i])->y = box->row_y[r];
        y += height;
        if (over > height + 4)
            y += (over - height - 4) / 2;
        track_y[r] = y;
        if (r + 1 == box->n_ranks)
            break;
        tracks = tracks_of(box, r);
        up = has_note(plan, box, r, true);
        down = has_note(plan, box, r + 1, false);
        border = height == 0;
        ends = true;
        for (guint i = 0; i < box->rank[r + 1]->len; i++)
            ends = ends && ((FigNode *)box->rank[r + 1]->pdata[i])->hollow;
        if (tracks == 0) {
            y += border       ? FIG_PANEL_PAD
                 : up || down ? FIG_GAP_TEXT
                 : ends       ? 6
                              : FIG_GAP_PLAIN;
            continue;
        }
        track_y[r] = y + (up ? FIG_GAP_TEXT - 3 : border ? FIG_PANEL_PAD : 6);
        y = track_y[r] + (tracks - 1) * FIG_TRACK_GAP +
            (down   ? FIG_GAP_TEXT + 1
             : ends ? 6
                    : FIG_GAP_PLAIN + 1);
    }
    box->height = y;
}

/* ---- ways ---- */

static void
walk(GArray *way, const FigHop *hop, const double *track_y)
{
    double ax = leaves_x(hop), bx = enters_x(hop);
    double bottom = hop->a->y + (hop->a->hollow ? 0 : hop->a->height / 2);
    double top = hop->b->y - (hop->b->hollow ? 0 : hop->b->height / 2);

    if (hop->leaves != FIG_SIDE_BOTTOM) {
        double side = hop->leaves == FIG_SIDE_LEFT ? -1 : 1;

        go(way, ax + side * hop->a->width / 2, hop->a->y);
        go(way, bx, hop->a->y);
    } else {
        go(way, ax, bottom);
        if (fabs(ax - bx) >= SAME) {
            double y = track_y[hop->a->rank] + hop->track * FIG_TRACK_GAP;

            go(way, ax, y);
            go(way, bx, y);
        }
    }
    go(way, bx, top);
}

static const FigHop *
hop_to(const FigNet *net, const FigNode *node, const FigPin *pin)
{
    for (guint i = 0; i < node->up->len; i++) {
        const FigHop *hop = node->up->pdata[i];

        if (hop->net == net && (!pin || hop->pin == pin))
            return hop;
    }
    return NULL;
}

static void
find_way(const FigBox *box, FigPin *pin, const double *track_y)
{
    const FigNet *net = pin->net;
    g_autoptr(GPtrArray) hops = g_ptr_array_new();
    const FigHop *hop = NULL;

    g_array_set_size(pin->way, 0);
    for (guint i = 0; pin->side != FIG_SIDE_TOP && i < box->rank[pin->to->rank]->len;
         i++) {
        const FigNode *stub = box->rank[pin->to->rank]->pdata[i];

        if (stub->kind == FIG_NODE_STUB && stub->net == net && hop_to(net, stub, pin))
            hop = hop_to(net, stub, pin);
    }
    if (!hop)
        hop = hop_to(net, pin->to, pin);
    for (; hop; hop = hop->a == net->from ? NULL : hop_to(net, hop->a, NULL))
        g_ptr_array_insert(hops, 0, (void *)hop);
    for (guint i = 0; i < hops->len; i++)
        walk(pin->way, hops->pdata[i], track_y);
    if (pin->side == FIG_SIDE_LEFT)
        go(pin->way, pin->to->x - pin->to->width / 2, pin->to->y);
    else if (pin->side == FIG_SIDE_RIGHT)
        go(pin->way, pin->to->x + pin->to->width / 2, pin->to->y);
}

/* A sink that leaves by the right side: straight from its writer. */
static void
leave_by_side(FigBox *box, FigNode *sink)
{
    FigNet *net = fig_box_net(box, sink->value);
    FigPin *pin = fig_net_pin(net, sink, 0);
    const FigNode *from = net->from;
    double right = from->x + from->width / 2, y = from->y;

    if (from->box) {
        const FigNode *inner = from->box->sinks->pdata[net->port];

        right = from->x + from->box->right;
        y = from->y - from->height / 2 + inner->y;
    }
    sink->x = box->right;
    sink->y = y;
    g_array_set_size(pin->way, 0);
    go(pin->way, right, y);
    go(pin->way, box->right, y);
}

void
fig_box_route(FigPlan *plan, FigBox *box)
{
    double *track_y = fig_arena_new_array(plan->arena, double, box->n_ranks + 1);

    for (int r = 0; r < box->n_ranks; r++)
        for (guint i = 0; i < box->rank[r]->len; i++)
            leave_ports(plan, box, box->rank[r]->pdata[i]);
    for (int r = 0; r < box->n_ranks; r++)
        for (guint i = 0; i < box->rank[r]->len; i++)
            enter_ports(plan, box->rank[r]->pdata[i]);
    set_heights(plan, box, track_y);
    if (box->panel)
        box->height += FIG_PANEL_PAD + (plan->style->totals ? 9 : 0);
    for (guint i = 0; i < box->nets->len; i++) {
        const FigNet *net = box->nets->pdata[i];

        for (guint p = 0; p < net->pins->len; p++) {
            FigPin *pin = net->pins->pdata[p];

            if (pin->to->rank >= 0)
                find_way(box, pin, track_y);
        }
    }
    for (guint i = 0; i < box->sinks->len; i++) {
        FigNode *sink = box->sinks->pdata[i];

        if (sink->took_side) {
            leave_by_side(box, sink);
            continue;
        }
        sink->y = box->height;
        go(fig_net_pin(fig_box_net(box, sink->value), sink, 0)->way, sink->x, sink->y);
    }
}
