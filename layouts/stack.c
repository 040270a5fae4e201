/* SPDX-License-Identifier: MIT
 *
 * A stack: segments one under the other beside a rail. The residual stream runs down the
 * rail, branches off above each segment that reads it and takes each segment's result in
 * at an add. What else goes from one segment to another passes on the left of those in
 * between.
 */
#include "layouts/plan.h"

#include <math.h>
#include <string.h>

#define RAIL_RIGHT 12.0 /* from the rail to the right end: its names stand there */
#define RAIL_LEFT 23.0  /* from the segments to the rail */
#define LEAD 7.0        /* from what is above to a branch */
#define DROP 7.5        /* from a branch to the segment under it */

static void
go(GArray *way, double x, double y)
{
    FigPoint point = {x, y};

    g_array_append_val(way, point);
}

/* Where main lines one under the other make the stack too wide, shift segments sideways
 * so that each lies inside a window of the given width; the width needed, if that is not
 * enough. */
double
fig_stack_squeeze(FigBox *box, double width)
{
    double lanes = box->lanes * FIG_GAP_LANE;
    double room = width - RAIL_LEFT - RAIL_RIGHT - lanes, least = 0;

    for (guint i = 0; i < box->segments->len; i++) {
        const FigBox *segment = ((FigNode *)box->segments->pdata[i])->box;

        least = MAX(least, segment->right - segment->left);
    }
    if (least > room)
        return least + lanes + RAIL_LEFT + RAIL_RIGHT;
    for (guint i = 0; i < box->segments->len; i++) {
        FigNode *segment = box->segments->pdata[i];

        segment->x =
            CLAMP(0, -room / 2 - segment->box->left, room / 2 - segment->box->right);
    }
    box->left = -room / 2 - lanes;
    box->right = box->left + width;
    return width;
}

void
fig_stack_fit(FigBox *box)
{
    box->rail_x = box->right - RAIL_RIGHT;
}

double
fig_stack_inner_right(const FigBox *box)
{
    return box->right - RAIL_RIGHT - RAIL_LEFT;
}

/* ---- what enters and leaves a segment ---- */

/* The value on the rail beside segment i. */
static const char *
rail_value_at(const FigBox *box, guint i)
{
    int adds = (int)i - box->has_head;

    if (adds < 0)
        return NULL;
    return adds == 0 ? box->rail_value
                     : ((FigNode *)box->adds->pdata[adds - 1])->op->writes[0].value;
}

static FigNode *
add_after(const FigBox *box, guint i)
{
    int add = (int)i - box->has_head;

    return add >= 0 && add < (int)box->adds->len ? box->adds->pdata[add] : NULL;
}

static bool
same(const char *a, const char *b)
{
    return a && b && !strcmp(a, b);
}

static bool
to_rail(const FigBox *box, const char *value)
{
    const FigNet *net = fig_box_net(box, value);

    for (guint p = 0; net && p < net->pins->len; p++)
        if (((FigPin *)net->pins->pdata[p])->to->on_rail)
            return true;
    return false;
}

static int
stage_of(const FigBox *box, const FigNode *segment)
{
    for (guint i = 0; i < box->segments->len; i++)
        if (box->segments->pdata[i] == segment)
            return (int)i;
    return -1;
}

/* The stage at whose branch a rail value can be had. */
static int
stage_of_value(const FigBox *box, const char *value)
{
    for (guint i = 0; i < box->segments->len; i++)
        if (same(rail_value_at(box, i), value))
            return (int)i;
    return -1;
}

static int
home_of(const FigBox *box, const FigNet *net)
{
    return net->rail ? stage_of_value(box, net->value) : stage_of(box, net->from);
}

/* Does a value reach this segment on a lane past those in between? */
static bool
takes_lane(const FigBox *box, const FigNet *net, const FigPin *pin)
{
    int home = home_of(box, net), at = pin->to->box ? stage_of(box, pin->to) : -1;

    return at >= 0 && at != home && !(at == home + 1 && !net->rail);
}

static int
count_lanes(const FigBox *box)
{
    int lanes = 0;

    for (guint i = 0; i < box->nets->len; i++) {
        const FigNet *net = box->nets->pdata[i];
        bool needs = false;

        for (guint p = 0; p < net->pins->len; p++)
            needs = needs || takes_lane(box, net, net->pins->pdata[p]);
        lanes += needs;
    }
    return lanes;
}

void
fig_stack_place(FigPlan *plan, FigBox *box)
{
    double right = 0;

    (void)plan;
    box->left = 0;
    box->lanes = count_lanes(box);
    for (guint i = 0; i < box->segments->len; i++) {
        FigNode *segment = box->segments->pdata[i];

        segment->x = 0;
        box->left = MIN(box->left, segment->box->left);
        right = MAX(right, segment->box->right);
    }
    box->left -= box->lanes * FIG_GAP_LANE;
    box->right = right + RAIL_LEFT + RAIL_RIGHT;
}

/* ---- ways ---- */

static double
source_x(const FigPin *pin)
{
    return pin->to->x + ((FigNode *)pin->to->box->sources->pdata[pin->port])->x;
}

/* From where a net begins: its first point or points. */
static void
begin(const FigBox *box, const FigNet *net, GArray *way)
{
    const FigNode *from = net->from;

    if (from->box) {
        const FigNode *sink = from->box->sinks->pdata[net->port];

        go(way, from->x + sink->x, from->y - from->height / 2 + sink->y);
    } else if (from->kind == FIG_NODE_SOURCE) {
        go(way, from->x, 0);
    } else {
        go(way, from->x, from->y + from->height / 2);
    }
    (void)box;
}

typedef struct Stage {
    double top, branch, below; /* of a segment; its branch; the channel under it */
} Stage;

static void
find_ways(FigBox *box, const Stage *stage, int n_stages)
{
    double lane = box->left + box->lanes * FIG_GAP_LANE;
    g_autofree double *track = g_new0(double, n_stages + 1);

    for (int i = 0; i < n_stages; i++)
        track[i] = stage[i].branch - LEAD;
    for (guint i = 0; i < box->nets->len; i++) {
        FigNet *net = box->nets->pdata[i];
        double own_lane = 0, own_track = 0;
        int home = home_of(box, net);

        for (guint p = 0; p < net->pins->len; p++) {
            FigPin *pin = net->pins->pdata[p];
            GArray *way = pin->way;
            int at = pin->to->box ? stage_of(box, pin->to) : -1;

            g_array_set_size(way, 0);
            begin(box, net, way);
            if (net->rail && net->from->box) { /* the head's result becomes the rail */
                double y = net->from->y + net->from->height / 2 + LEAD;

                if (!((FigNode *)net->from->box->sinks->pdata[net->port])->took_side) {
                    go(way, g_array_index(way, FigPoint, 0).x, y);
                    go(way, box->rail_x, y);
                } else {
                    go(way, box->rail_x, g_array_index(way, FigPoint, 0).y);
                }
            }
            if (pin->to->on_rail && net->rail) { /* straight down */
                go(way, box->rail_x, pin->to->y - pin->to->height / 2);
                continue;
            }
            if (pin->to->on_rail) { /* a segment's result joins the rail */
                const FigPoint from = g_array_index(way, FigPoint, 0);

                if (fabs(from.y - pin->to->y) > 0.01)
                    go(way, from.x, pin->to->y);
                go(way, pin->to->x - pin->to->width / 2, pin->to->y);
                pin->side = FIG_SIDE_LEFT;
                continue;
            }
            if (!pin->to->box) { /* out of the box */
                if (!net->rail) {
                    go(way, g_array_index(way, FigPoint, 0).x, pin->to->y);
                    go(way, pin->to->x, pin->to->y);
                } else {
                    go(way, box->rail_x, pin->to->y);
                }
                continue;
            }
            if (net->rail && at == home) { /* a branch */
                go(way, box->rail_x, stage[at].branch);
                go(way, source_x(pin), stage[at].branch);
                go(way, source_x(pin), stage[at].top);
                continue;
            }
            /* past what lies between, on the left */
            if (own_lane == 0) {
                own_lane = lane -= FIG_GAP_LANE;
                own_track = net->rail ? stage[home].branch : stage[home].below;
            }
            go(way, net->rail ? box->rail_x : g_array_index(way, FigPoint, 0).x,
               own_track);
            if (takes_lane(box, net, pin)) {
                go(way, own_lane, own_track);
                go(way, own_lane, track[at]);
            } else {
                track[at] = own_track;
            }
            go(way, source_x(pin), track[at]);
            go(way, source_x(pin), stage[at].top);
            track[at] += FIG_TRACK_GAP;
        }
    }
}

/* Values that come to a segment past others, or from the one above, each on a track. */
static int
crossing(const FigBox *box, guint i)
{
    const FigNode *segment = box->segments->pdata[i];
    int count = 0;

    for (guint s = 0; s < segment->box->sources->len; s++)
        count += !same(((FigNode *)segment->box->sources->pdata[s])->value,
                       rail_value_at(box, i));
    return count;
}

void
fig_stack_route(FigPlan *plan, FigBox *box)
{
    guint n = box->segments->len;
    g_autofree Stage *stage = g_new0(Stage, n + 1);
    double y = box->pad_top;
    FigNode *output = NULL;

    for (guint i = 0; i < box->nodes->len; i++) {
        FigNode *node = box->nodes->pdata[i];

        if (node->box)
            continue;
        node->x = box->rail_x;
        if (node->kind == FIG_NODE_INPUT) {
            node->y = y + node->height / 2;
            y += node->height + 4;
        }
        if (node->kind == FIG_NODE_OUTPUT && node->on_rail)
            output = node;
    }
    for (guint i = 0; i < n; i++) {
        FigNode *segment = box->segments->pdata[i];
        FigNode *add = add_after(box, i);
        const char *value = rail_value_at(box, i);
        bool reads = false, sided = false;
        double bottom;

        segment->height = segment->box->height;
        for (guint s = 0; s < segment->box->sources->len; s++)
            reads = reads ||
                    same(((FigNode *)segment->box->sources->pdata[s])->value, value);
        y += crossing(box, i) * FIG_TRACK_GAP;
        if (reads || i > 0 || crossing(box, i))
            y += LEAD;
        stage[i].branch = y;
        if (reads)
            y += DROP;
        stage[i].top = y;
        segment->y = y + segment->height / 2;
        bottom = y + segment->height;
        stage[i].below = bottom + LEAD;
        y = bottom;
        for (guint s = 0; s < segment->box->sinks->len; s++) {
            const FigNode *sink = segment->box->sinks->pdata[s];

            if (!to_rail(box, sink->value)) {
                y = MAX(y, bottom + LEAD);
                continue;
            }
            sided = sink->took_side;
            if (add && sided)
                add->y = segment->y - segment->height / 2 + sink->y;
            else if (!sided)
                y = MAX(y, bottom + LEAD);
        }
        if (add) {
            if (!sided)
                add->y = MAX(y, bottom + LEAD);
            y = MAX(y, add->y + add->height / 2);
        }
    }
    if (output) {
        y += 17;
        output->y = y;
        y += output->height / 2;
    }
    for (guint i = 0; i < box->nodes->len; i++) {
        FigNode *node = box->nodes->pdata[i];

        if (node->kind == FIG_NODE_SINK ||
            (node->kind == FIG_NODE_OUTPUT && !node->on_rail))
            node->y = y + 6;
    }
    box->height = y + (box->sinks->len ? 6 : 0);
    find_ways(box, stage, (int)n);
    (void)plan;
}
