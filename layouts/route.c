/* SPDX-License-Identifier: MIT
 *
 * The ways of edges in a layered box: the runs of every channel, the height of rows and
 * channels from what is in them, then the way of every pin.
 */
#include "layouts/arrange.h"

#include <math.h>
#include <string.h>

#define SAME 0.05 /* closer is straight */

static void
go(GArray *way, double x, double y)
{
    FigPoint point = {x, y};

    g_array_append_val(way, point);
}

/* ---- channels ---- */

/* What runs under a row, and where others pass it. */
static GPtrArray *
runs_of(FigPlan *plan, const FigBox *box, int r, GArray *uprights)
{
    GPtrArray *runs = fig_plan_list(plan);

    for (guint i = 0; i < box->rank[r]->len; i++) {
        const FigNode *node = box->rank[r]->pdata[i];
        guint first = runs->len;

        if (node->last > r) {
            g_array_append_val(uprights, node->x);
            continue;
        }
        for (guint k = 0; k < node->down->len; k++) {
            FigHop *hop = node->down->pdata[k];
            double to = fig_hop_enters_x(hop);

            hop->run = NULL;
            if (hop->leaves != FIG_SIDE_BOTTOM) { /* an upright others keep clear of */
                fig_stretch_to(fig_stretch_new(plan, runs, hop->net, to), to);
                continue;
            }
            for (guint j = first; j < runs->len; j++)
                if (((FigStretch *)runs->pdata[j])->net == hop->net)
                    hop->run = runs->pdata[j];
            if (!hop->run)
                hop->run = fig_stretch_new(plan, runs, hop->net, fig_hop_leaves_x(hop));
            fig_stretch_to(hop->run, to);
        }
    }
    return runs;
}

void
fig_box_channels(FigPlan *plan, FigBox *box)
{
    g_autoptr(GArray) uprights = g_array_new(FALSE, FALSE, sizeof(double));

    for (int r = 0; r + 1 < box->n_ranks; r++) {
        g_array_set_size(uprights, 0);
        box->channel[r] = runs_of(plan, box, r, uprights);
        box->tracks[r] = fig_channel(box->channel[r], uprights);
        for (guint i = 0; i < box->channel[r]->len; i++) {
            const FigStretch *run = box->channel[r]->pdata[i];

            box->left = MIN(box->left, run->low);
            box->right = MAX(box->right, run->high);
        }
    }
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

        if (r != (leaving ? node->last : node->rank))
            continue;
        for (guint k = 0; k < hops->len; k++) {
            const FigHop *hop = hops->pdata[k];
            const FigNode *writer = hop->a;
            const FigNote *note;

            if (writer->kind != FIG_NODE_OP && writer->kind != FIG_NODE_INPUT)
                continue;
            note = note_of(plan, hop->net->value);
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
        for (guint i = 0; i < box->rank[r]->len; i++) {
            FigNode *node = box->rank[r]->pdata[i];

            if (node->rank == r)
                node->y = box->row_y[r];
            node->low_y = box->row_y[r];
        }
        y += height;
        if (over > height + 4)
            y += (over - height - 4) / 2;
        track_y[r] = y;
        if (r + 1 == box->n_ranks)
            break;
        tracks = box->tracks[r];
        up = has_note(plan, box, r, true);
        down = has_note(plan, box, r + 1, false);
        border = height == 0;
        ends = true;
        for (guint i = 0; i < box->rank[r + 1]->len; i++)
            ends = ends && ((FigNode *)box->rank[r + 1]->pdata[i])->hollow;
        y += box->more[r];
        if (tracks == 0) {
            y += border ? (box->panel ? FIG_PANEL_PAD : FIG_GAP_IN)
                 : down ? FIG_GAP_TEXT + 2.6
                 : up   ? FIG_GAP_TEXT
                 : ends ? 6
                        : FIG_GAP_PLAIN;
            continue;
        }
        track_y[r] = y + (up       ? FIG_GAP_TEXT - 3
                          : border ? (box->panel ? FIG_PANEL_PAD : FIG_GAP_IN)
                                   : 6);
        y = track_y[r] + (tracks - 1) * FIG_TRACK_GAP +
            (down   ? FIG_GAP_TEXT + 2.6
             : ends ? 6
                    : FIG_GAP_PLAIN + 1);
    }
    box->height = y;
}

/* ---- ways ---- */

/* How far the upper border of a mark lies over its middle. */
static double
border_over(const FigPlan *plan, const FigNode *node, double x)
{
    double radius = node->height / 2;

    if (!node->op || !plan->marks[fig_plan_op_index(plan, node->op)].circle)
        return radius;
    return sqrt(MAX(radius * radius - x * x, 0));
}

static void
walk(const FigPlan *plan, GArray *way, const FigHop *hop, const double *track_y)
{
    double ax = fig_hop_leaves_x(hop), bx = fig_hop_enters_x(hop);
    double bottom = hop->a->places   ? hop->a->low_y
                    : hop->a->hollow ? hop->a->y
                                     : hop->a->y + hop->a->height / 2;
    double top = hop->b->y - (hop->b->hollow ? 0 : border_over(plan, hop->b, hop->bx));

    if (hop->leaves != FIG_SIDE_BOTTOM) {
        double side = hop->leaves == FIG_SIDE_LEFT ? -1 : 1;

        go(way, ax + side * hop->a->width / 2, hop->a->y);
        go(way, bx, hop->a->y);
    } else {
        go(way, ax, bottom);
        if (hop->run->track >= 0 && (fabs(ax - bx) >= SAME || hop->run->jog >= 0)) {
            double y = track_y[hop->a->last] + hop->run->track * FIG_TRACK_GAP;

            go(way, ax, y);
            if (hop->run->jog >= 0) {
                go(way, hop->run->jog_x, y);
                y = track_y[hop->a->last] + hop->run->jog * FIG_TRACK_GAP;
                go(way, hop->run->jog_x, y);
            }
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
find_way(const FigPlan *plan, const FigBox *box, FigPin *pin, const double *track_y)
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
        g_ptr_array_add(hops, (void *)hop);
    for (guint i = hops->len; i-- > 0;)
        walk(plan, pin->way, hops->pdata[i], track_y);
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

    set_heights(plan, box, track_y);
    if (box->panel)
        box->height += FIG_PANEL_PAD + (plan->style->totals ? 9 : 0);
    for (guint i = 0; i < box->nets->len; i++) {
        const FigNet *net = box->nets->pdata[i];

        for (guint p = 0; p < net->pins->len; p++) {
            FigPin *pin = net->pins->pdata[p];

            if (pin->to->rank >= 0)
                find_way(plan, box, pin, track_y);
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
