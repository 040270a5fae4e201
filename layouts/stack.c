/* SPDX-License-Identifier: MIT
 *
 * A stack: segments one under the other beside a rail. The residual stream runs down the
 * rail, branches off above each segment that reads it and takes each segment's result in
 * at an add. Between segments lie channels like those between rows. What goes past a
 * segment does so in a lane on the left of all.
 */
#include "layouts/arrange.h"

#include <math.h>
#include <string.h>

#define RAIL_RIGHT 7.5 /* from the rail to the right end: half a circle */
#define RAIL_LEFT 23.0 /* from the segments to the rail */
#define LEAD 7.0       /* from what is above to a track */
#define DROP 7.5       /* from a track to the segment under it */

static void
go(GArray *way, double x, double y)
{
    FigPoint point = {x, y};

    g_array_append_val(way, point);
}

static double
pad_of(const FigBox *box)
{
    return box->panel ? FIG_PANEL_PAD : 0;
}

/* ---- where values come from and go to ---- */

static bool
same(const char *a, const char *b)
{
    return a && b && !strcmp(a, b);
}

/* The value on the rail beside segment i, or under the last. */
static const char *
rail_value_at(const FigBox *box, int i)
{
    int adds = i - box->has_head;

    if (adds < 0 || adds > (int)box->adds->len)
        return NULL;
    return adds == 0 ? box->rail_value
                     : ((FigNode *)box->adds->pdata[adds - 1])->op->writes[0].value;
}

/* The channel over segment i is channel i; the last lies under the last segment. */
static int
last_channel(const FigBox *box)
{
    return (int)box->segments->len;
}

/* Number segments by themselves and adds by the channel over which they stand, and say of
 * every net in which channel its value can first be had. */
static void
find_homes(FigBox *box)
{
    for (guint i = 0; i < box->segments->len; i++)
        ((FigNode *)box->segments->pdata[i])->order = (int)i;
    for (guint i = 0; i < box->adds->len; i++)
        ((FigNode *)box->adds->pdata[i])->order = (int)i + box->has_head + 1;
    for (guint i = 0; i < box->nets->len; i++) {
        FigNet *net = box->nets->pdata[i];

        net->home = net->rail        ? last_channel(box)
                    : net->from->box ? net->from->order + 1
                                     : 0;
    }
    for (int i = last_channel(box) - 1; i >= 0; i--) {
        const char *value = rail_value_at(box, i);
        FigNet *net = value ? fig_box_net(box, value) : NULL;

        if (net && net->rail)
            net->home = i;
    }
}

bool
fig_stack_keeps(const FigBox *box, const FigPin *pin)
{
    const char *last = rail_value_at(box, (int)box->adds->len + box->has_head);

    if (!pin->net->rail || pin->to->box)
        return false;
    if (pin->to->op)
        return same(rail_value_at(box, pin->to->order - 1), pin->net->value);
    return pin->to->on_rail || same(last, pin->net->value);
}

static const FigNode *
inner_sink(const FigNet *net)
{
    return net->from->box ? net->from->box->sinks->pdata[net->port] : NULL;
}

/* Does a segment's result go straight over to the add beside it? */
static bool
takes_side(const FigNet *net)
{
    return inner_sink(net) && inner_sink(net)->took_side;
}

/* The channel a pin is reached from. */
static int
target_of(const FigBox *box, const FigPin *pin)
{
    if (pin->to->box || pin->to->op)
        return pin->to->order;
    return last_channel(box);
}

static int
farthest(const FigBox *box, const FigNet *net)
{
    int far = net->home;

    for (guint p = 0; p < net->pins->len; p++)
        if (!fig_stack_keeps(box, net->pins->pdata[p]))
            far = MAX(far, target_of(box, net->pins->pdata[p]));
    return far;
}

/* ---- across ---- */

static double
lanes_of(const FigBox *box)
{
    return box->lanes * FIG_GAP_LANE;
}

void
fig_stack_fit(FigBox *box)
{
    const double away = box->rail_left ? 1 : -1; /* from the rail */
    double lane = box->rail_left ? box->right - pad_of(box) - lanes_of(box)
                                 : box->left + pad_of(box) + lanes_of(box);

    box->rail_x = box->rail_left ? box->left + pad_of(box) + box->rail_room
                                 : box->right - pad_of(box) - box->rail_room;
    for (guint i = 0; i < box->nets->len; i++) {
        FigNet *net = box->nets->pdata[i];

        if (farthest(box, net) > net->home)
            net->lane_x = lane += away * FIG_GAP_LANE;
    }
    for (guint i = 0; i < box->sources->len; i++) {
        FigNode *source = box->sources->pdata[i];
        const FigNet *net = fig_box_net(box, source->value);

        source->x = net->rail ? box->rail_x : net->lane_x;
        for (guint p = net->pins->len; !net->rail && p-- > 0;) {
            const FigPin *pin = net->pins->pdata[p];

            if (target_of(box, pin) == 0)
                source->x = pin->to->x +
                            ((FigNode *)pin->to->box->sources->pdata[pin->port])->x;
        }
        source->order = (int)i;
    }
    for (guint i = 0; i < box->sinks->len; i++) {
        FigNode *sink = box->sinks->pdata[i];
        const FigNet *net = fig_box_net(box, sink->value);

        if (fig_stack_keeps(box, fig_net_pin(net, sink, 0)))
            sink->x = box->rail_x;
        else if (net->home == last_channel(box) && inner_sink(net))
            sink->x = net->from->x + inner_sink(net)->x;
        else
            sink->x = net->lane_x;
    }
}

double
fig_stack_inner_left(const FigBox *box)
{
    return box->left + pad_of(box) +
           (box->rail_left ? box->rail_room + RAIL_LEFT : lanes_of(box));
}

double
fig_stack_inner_right(const FigBox *box)
{
    return box->right - pad_of(box) -
           (box->rail_left ? lanes_of(box) : box->rail_room + RAIL_LEFT);
}

double
fig_stack_room(const FigBox *box, double width)
{
    return width - RAIL_LEFT - box->rail_room - lanes_of(box);
}

/* Where main lines one under the other make the stack too wide, shift segments sideways
 * so that each lies inside a window of the given width, its main line under that of the
 * widest if it can; the width needed, if that is not enough. */
double
fig_stack_squeeze(FigBox *box, double width)
{
    double lanes = lanes_of(box);
    double room = fig_stack_room(box, width), least = 0, x = 0;

    for (guint i = 0; i < box->segments->len; i++) {
        const FigBox *segment = ((FigNode *)box->segments->pdata[i])->box;

        if (segment->right - segment->left <= least)
            continue;
        least = segment->right - segment->left;
        x = CLAMP(0, -room / 2 - segment->left, room / 2 - segment->right);
    }
    if (least > room)
        return least + lanes + RAIL_LEFT + box->rail_room;
    for (guint i = 0; i < box->segments->len; i++) {
        FigNode *segment = box->segments->pdata[i];

        segment->x =
            CLAMP(x, -room / 2 - segment->box->left, room / 2 - segment->box->right);
    }
    box->left = -room / 2 - (box->rail_left ? RAIL_LEFT + box->rail_room : lanes);
    box->right = box->left + width;
    return width;
}

void
fig_stack_place(FigPlan *plan, FigBox *box)
{
    double left = 0, right = 0;

    find_homes(box);
    box->lanes = 0;
    box->rail_room = RAIL_RIGHT;
    for (guint i = 0; i < box->nets->len; i++) {
        FigNet *net = box->nets->pdata[i];

        net->index = (int)i;
        box->lanes += farthest(box, net) > net->home;
    }
    for (guint i = 0; i < box->segments->len; i++) {
        FigNode *segment = box->segments->pdata[i];

        segment->x = 0;
        left = MIN(left, segment->box->left);
        right = MAX(right, segment->box->right);
    }
    box->left = left - pad_of(box) -
                (box->rail_left ? RAIL_LEFT + box->rail_room : lanes_of(box));
    box->right = right + pad_of(box) +
                 (box->rail_left ? lanes_of(box) : RAIL_LEFT + box->rail_room);
    fig_stack_fit(box);
}

/* ---- channels ---- */

static FigStretch *
stretch_of(const GPtrArray *channel, const FigNet *net, bool to_rail)
{
    for (guint i = 0; i < channel->len; i++) {
        FigStretch *stretch = channel->pdata[i];

        if (stretch->net == net && (stretch->level == 0) == to_rail)
            return stretch;
    }
    return NULL;
}

static double
source_x(const FigPin *pin)
{
    return pin->to->x + ((FigNode *)pin->to->box->sources->pdata[pin->port])->x;
}

/* The part of a net in one channel, from where it comes there to all it reaches. */
static void
add_stretch(FigPlan *plan, const FigBox *box, const FigNet *net, int c, int far,
            GPtrArray *channel)
{
    int home = net->home;
    FigStretch *stretch = NULL;
    double from;
    bool used = false;

    /* the head's result comes over to the rail */
    if (net->rail && net->from->box && c == home && !takes_side(net)) {
        stretch =
            fig_stretch_new(plan, channel, net, net->from->x + inner_sink(net)->x);
        fig_stretch_reach(stretch, box->rail_x);
    }
    if (c < home || c > far)
        return;
    from = c > home         ? net->lane_x
           : net->rail      ? box->rail_x
           : net->from->box ? net->from->x + inner_sink(net)->x
                            : net->from->x;
    stretch = fig_stretch_new(plan, channel, net, from);
    stretch->comes_down = c > home || !net->rail;
    stretch->level = stretch->comes_down ? 0 : 1;
    if (far > c) {
        fig_stretch_to(stretch, net->lane_x);
        used = true;
    }
    for (guint p = 0; p < net->pins->len; p++) {
        const FigPin *pin = net->pins->pdata[p];

        if (fig_stack_keeps(box, pin) || target_of(box, pin) != c)
            continue;
        if (pin->to->box)
            fig_stretch_to(stretch, source_x(pin));
        else if (pin->to->op && !(takes_side(net) && c == home))
            fig_stretch_reach(stretch, box->rail_x);
        else if (!pin->to->op)
            fig_stretch_to(stretch, pin->to->x);
        else
            continue;
        used = true;
    }
    if (!used)
        g_ptr_array_remove_index(channel, channel->len - 1);
}

/* The parts of a net: in the channels where it is read, and where it can first be had. What
 * only passes is an upright. */
static void
add_stretches(FigPlan *plan, FigBox *box, const FigNet *net, GArray **uprights)
{
    int far = farthest(box, net);
    g_autofree bool *read = g_new0(bool, last_channel(box) + 1);

    for (guint p = 0; p < net->pins->len; p++)
        read[target_of(box, net->pins->pdata[p])] = true;
    for (int c = net->home; c <= far; c++) {
        if (c == net->home || read[c])
            add_stretch(plan, box, net, c, far, box->channel[c]);
        else
            g_array_append_val(uprights[c], net->lane_x);
    }
}

static void
find_channels(FigPlan *plan, FigBox *box)
{
    int n = last_channel(box);
    g_autofree GArray **uprights = g_new(GArray *, n + 1);

    box->channel = fig_arena_new_array(plan->arena, GPtrArray *, n + 1);
    box->tracks = fig_arena_new_array(plan->arena, int, n + 1);
    for (int c = 0; c <= n; c++) {
        box->channel[c] = fig_plan_list(plan);
        uprights[c] = g_array_new(FALSE, FALSE, sizeof(double));
    }
    for (guint i = 0; i < box->nets->len; i++)
        add_stretches(plan, box, box->nets->pdata[i], uprights);
    for (int c = 0; c <= n; c++) {
        box->tracks[c] = fig_channel(box->channel[c], uprights[c]);
        g_array_unref(uprights[c]);
    }
}

/* ---- down ---- */

static FigNode *
add_over(const FigBox *box, int c)
{
    int add = c - 1 - box->has_head;

    return add >= 0 && add < (int)box->adds->len ? box->adds->pdata[add] : NULL;
}

/* Give a channel its height; where what is under it begins. */
static double
set_channel(const FigBox *box, int c, double y, FigNode *add, bool sided)
{
    const GPtrArray *channel = box->channel[c];
    double bottom = y, rail = y;

    for (guint i = 0; i < channel->len; i++) {
        FigStretch *stretch = channel->pdata[i];

        stretch->y = y + LEAD + stretch->track * FIG_TRACK_GAP;
        stretch->jog_y = y + LEAD + stretch->jog * FIG_TRACK_GAP;
        if (stretch->track >= 0)
            bottom = MAX(bottom, MAX(stretch->y, stretch->jog_y) + DROP);
        if (add && !sided && stretch->level == 0 &&
            (box->rail_left ? stretch->low <= box->rail_x
                            : stretch->high >= box->rail_x))
            add->y = stretch->y;
    }
    if (add)
        rail = add->y + add->height / 2;
    for (guint i = 0; i < channel->len; i++) {
        FigStretch *stretch = channel->pdata[i];

        if (stretch->level == 0)
            continue;
        stretch->y = MAX(stretch->y, rail + LEAD);
        bottom = MAX(bottom, stretch->y + DROP);
    }
    if (c < last_channel(box))
        return c > 0 ? MAX(bottom, MAX(y, rail) + LEAD) : bottom;
    return MAX(bottom, rail);
}

static void
cross(GArray *way, const FigStretch *stretch, double to)
{
    if (!stretch || stretch->track < 0)
        return;
    if (fabs(stretch->from - to) < 0.05 && stretch->jog < 0)
        return;
    go(way, stretch->from, stretch->y);
    if (stretch->jog >= 0) {
        go(way, stretch->jog_x, stretch->y);
        go(way, stretch->jog_x, stretch->jog_y);
    }
    go(way, to, stretch->jog >= 0 ? stretch->jog_y : stretch->y);
}

/* From where a net begins. */
static void
begin(const FigBox *box, const FigNet *net, GArray *way)
{
    const FigNode *from = net->from, *sink = inner_sink(net);
    const FigStretch *over;

    if (!sink) {
        go(way, from->x,
           from->kind == FIG_NODE_SOURCE ? 0 : from->y + from->height / 2);
        return;
    }
    go(way, from->x + sink->x, from->y - from->height / 2 + sink->y);
    if (!net->rail)
        return;
    over = stretch_of(box->channel[net->home], net, true);
    if (takes_side(net))
        go(way, box->rail_x, from->y - from->height / 2 + sink->y);
    else
        cross(way, over, box->rail_x);
}

/* To an add on the rail, by its side towards the segments. */
static void
come_in(const FigBox *box, FigPin *pin)
{
    double half = pin->to->width / 2;

    go(pin->way, pin->to->x + (box->rail_left ? half : -half), pin->to->y);
    pin->side = box->rail_left ? FIG_SIDE_RIGHT : FIG_SIDE_LEFT;
}

static void
find_way(FigBox *box, FigPin *pin)
{
    const FigNet *net = pin->net;
    GArray *way = pin->way;
    int home = net->home, target = target_of(box, pin);
    const FigStretch *stretch;
    double to;

    g_array_set_size(way, 0);
    begin(box, net, way);
    if (fig_stack_keeps(box, pin)) {
        go(way, box->rail_x,
           pin->to->kind == FIG_NODE_SINK ? pin->to->y
                                          : pin->to->y - pin->to->height / 2);
        return;
    }
    if (pin->to->op && takes_side(net) && target == home) {
        come_in(box, pin);
        return;
    }
    to = pin->to->box ? source_x(pin) : pin->to->x;
    stretch = stretch_of(box->channel[home], net, !net->rail);
    if (target > home) {
        cross(way, stretch, net->lane_x);
        stretch = stretch_of(box->channel[target], net, true);
    }
    if (pin->to->op) { /* over to the rail, on the upper of its tracks */
        go(way, stretch->from, stretch->y);
        come_in(box, pin);
        return;
    }
    cross(way, stretch, to);
    go(way, to, pin->to->box ? pin->to->y - pin->to->height / 2 : pin->to->y);
}

void
fig_stack_route(FigPlan *plan, FigBox *box)
{
    double y = box->pad_top;
    FigNode *output = NULL;

    find_channels(plan, box);
    for (guint i = 0; i < box->nodes->len; i++) {
        FigNode *node = box->nodes->pdata[i];

        if (node->kind == FIG_NODE_OP || node->kind == FIG_NODE_INPUT ||
            node->kind == FIG_NODE_OUTPUT)
            node->x = box->rail_x;
        if (node->kind == FIG_NODE_INPUT) {
            node->y = y + node->height / 2;
            y += node->height + 4;
        }
        if (node->kind == FIG_NODE_OUTPUT)
            output = node;
    }
    for (int c = 0; c <= last_channel(box); c++) {
        FigNode *add = add_over(box, c), *segment;
        bool sided = false;

        if (c > 0) {
            segment = box->segments->pdata[c - 1];
            for (guint s = 0; add && s < segment->box->sinks->len; s++) {
                const FigNode *sink = segment->box->sinks->pdata[s];

                if (sink->took_side) {
                    sided = true;
                    add->y = segment->y - segment->height / 2 + sink->y;
                }
            }
        }
        y = set_channel(box, c, y, add, sided);
        if (c == last_channel(box))
            break;
        segment = box->segments->pdata[c];
        segment->height = segment->box->height;
        segment->y = y + segment->height / 2;
        y += segment->height;
    }
    if (output) {
        y += 17;
        output->y = y;
        y += output->height / 2;
    }
    box->height = y + (box->sinks->len ? 6 : 0) + pad_of(box) +
                  (box->panel && plan->style->totals ? 9 : 0);
    for (guint i = 0; i < box->sinks->len; i++)
        ((FigNode *)box->sinks->pdata[i])->y = box->height;
    for (guint i = 0; i < box->nets->len; i++) {
        const FigNet *net = box->nets->pdata[i];

        for (guint p = 0; p < net->pins->len; p++)
            find_way(box, net->pins->pdata[p]);
    }
}
