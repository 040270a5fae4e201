/* SPDX-License-Identifier: MIT
 *
 * The frame of a repeat: one box inside, whatever its arrangement, and around it the way
 * back of each value that is carried on. It comes out of the inner box at the bottom, runs
 * to a lane on the right, up it, and over the box to where the next pass begins. What
 * else comes in or goes out does so straight down, across the level parts of those ways.
 */
#include "layouts/arrange.h"
#include "layouts/texts.h"

#include <math.h>
#include <string.h>

#define UNDER 7.0 /* from the inner box to the first level part under it … */
#define OVER 9.0  /* … and from the last over it, with room for a bend and a head */
#define TITLE 16.0

static FigNode *
inner_node(const FigBox *box)
{
    return box->nodes->pdata[0];
}

static void
go(GArray *way, double x, double y)
{
    FigPoint point = {x, y};

    g_array_append_val(way, point);
}

/* ---- the ways back ---- */

/* What the inner box calls a value that comes from the pass before. */
const char *
fig_loop_key(FigPlan *plan, const char *value)
{
    return fig_arena_printf(plan->arena, "%s\n", value);
}

static bool
is_back(const FigBox *box, const FigPin *pin)
{
    return pin->to == inner_node(box) && pin->net->from == inner_node(box);
}

/* The pins that lead back, from the left to the right by where they come in: the first
 * takes the outermost lane, so that they do not cross. */
static GPtrArray *
ways_back(const FigBox *box)
{
    GPtrArray *backs = g_ptr_array_new();

    for (guint i = 0; i < box->nets->len; i++) {
        const FigNet *net = box->nets->pdata[i];

        for (guint p = 0; p < net->pins->len; p++)
            if (is_back(box, net->pins->pdata[p]))
                g_ptr_array_add(backs, net->pins->pdata[p]);
    }
    return backs;
}

static double
enters_x(const FigBox *box, const FigPin *pin)
{
    const FigNode *inner = inner_node(box);

    return inner->x + ((FigNode *)inner->box->sources->pdata[pin->port])->x;
}

static double
leaves_x(const FigBox *box, const FigNet *net)
{
    const FigNode *inner = inner_node(box);

    return inner->x + ((FigNode *)inner->box->sinks->pdata[net->port])->x;
}

static int
by_entry(const void *a, const void *b)
{
    const FigPin *p = *(FigPin *const *)a, *q = *(FigPin *const *)b;
    const FigBox *box = p->to->in;
    double x = enters_x(box, p), y = enters_x(box, q);

    return (x > y) - (x < y);
}

/* ---- across ---- */

/* Does the only value that leaves do so on a rail at the right end? It is brought back to
 * the main line, under the body. */
static bool
leaves_in_the_middle(const FigBox *box)
{
    const FigBox *body = inner_node(box)->box;

    return box->sinks->len == 1 && (body->stack || body->loop);
}

/* Where what is in the inner box goes on outside it. */
static void
set_borders(FigBox *box)
{
    for (guint i = 0; i < box->sources->len; i++) {
        FigNode *source = box->sources->pdata[i];
        const FigNet *net = fig_box_net(box, source->value);

        source->x = enters_x(box, net->pins->pdata[0]);
        source->order = (int)i;
    }
    for (guint i = 0; i < box->sinks->len; i++) {
        FigNode *sink = box->sinks->pdata[i];

        sink->x = leaves_in_the_middle(box)
                      ? inner_node(box)->x
                      : leaves_x(box, fig_box_net(box, sink->value));
    }
}

void
fig_loop_place(FigBox *box)
{
    FigNode *inner = inner_node(box);
    g_autoptr(GPtrArray) backs = ways_back(box);

    inner->x = 0;
    box->lanes = (int)backs->len;
    box->left = inner->box->left - FIG_PANEL_PAD;
    box->right = inner->box->right + FIG_PANEL_PAD + box->lanes * FIG_GAP_LANE;
    set_borders(box);
}

/* ---- down ---- */

void
fig_loop_route(FigPlan *plan, FigBox *box)
{
    FigNode *inner = inner_node(box);
    g_autoptr(GPtrArray) backs = ways_back(box);
    int n = (int)backs->len;
    const double title = TITLE + (fig_strip_has(box) ? FIG_STRIP_HEIGHT : 0);
    double top = title + (n ? 2 + (n - 1) * FIG_TRACK_GAP + OVER : 0), bottom, last;

    set_borders(box);
    fig_plan_sort(backs, by_entry);
    inner->height = inner->box->height;
    inner->y = top + inner->height / 2;
    bottom = top + inner->height;
    last = bottom + (n ? UNDER + (n - 1) * FIG_TRACK_GAP : 0);
    box->height = last + FIG_PANEL_PAD + (plan->style->totals ? 9 : 0);
    for (guint i = 0; i < box->nets->len; i++) {
        const FigNet *net = box->nets->pdata[i];

        for (guint p = 0; p < net->pins->len; p++) {
            FigPin *pin = net->pins->pdata[p];

            g_array_set_size(pin->way, 0);
            if (is_back(box, pin))
                continue;
            if (net->from->kind == FIG_NODE_SOURCE) {
                go(pin->way, net->from->x, 0);
                go(pin->way, net->from->x, top);
                continue;
            }
            pin->to->y = box->height;
            go(pin->way, leaves_x(box, net), bottom);
            go(pin->way, leaves_x(box, net), last);
            go(pin->way, pin->to->x, last);
            go(pin->way, pin->to->x, box->height);
        }
    }
    for (int i = 0; i < n; i++) {
        FigPin *pin = backs->pdata[i];
        double from = leaves_x(box, pin->net), to = enters_x(box, pin);
        double lane = inner->x + inner->box->right + (n - i) * FIG_GAP_LANE;
        double under = bottom + UNDER + (n - 1 - i) * FIG_TRACK_GAP;
        double over = title + 2 + i * FIG_TRACK_GAP;

        go(pin->way, from, bottom);
        go(pin->way, from, under);
        go(pin->way, lane, under);
        go(pin->way, lane, over);
        go(pin->way, to, over);
        go(pin->way, to, top);
    }
}
