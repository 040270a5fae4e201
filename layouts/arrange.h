/* SPDX-License-Identifier: MIT
 *
 * The boxes of a plan arranged: rows, places, tracks and ways; what a layout file asks of
 * them, and what gives way where the page is narrow.
 */
#ifndef FIG_LAYOUTS_ARRANGE_H
#define FIG_LAYOUTS_ARRANGE_H

#include "layouts/plan.h"

/* ---- rank.c, place.c, route.c: a layered box ---- */

void fig_box_rank(FigPlan *plan, FigBox *box);        /* rows, dummies, hops */
void fig_box_sweep(FigBox *box);                      /* the order in each row */
void fig_box_order(FigPlan *plan, FigBox *box);       /* … and what follows from it */
void fig_box_align(FigPlan *plan, FigBox *box);       /* which hops are straight */
void fig_box_place(FigPlan *plan, FigBox *box);       /* x */
void fig_box_even_widths(FigPlan *plan, FigBox *box); /* once lanes are known */
/* Has a mark another width than when this was asked before? */
bool fig_plan_widths_changed(FigPlan *plan);
/* Of groups that are joined by pointing at each other's first. */
static inline int
fig_root_of(int *group, int i)
{
    while (group[i] != i)
        i = group[i] = group[group[i]];
    return i;
}
/* Find the ports of all marks; false: a fork has been made a bar, place again. */
bool fig_box_ports(FigPlan *plan, FigBox *box);
void fig_box_channels(FigPlan *plan, FigBox *box); /* tracks */
void fig_box_route(FigPlan *plan, FigBox *box);    /* y and ways */

/* Does its value leave by its right side? */
bool fig_node_gives_right(const FigBox *box, const FigNode *node);
double fig_hop_leaves_x(const FigHop *hop);
double fig_hop_enters_x(const FigHop *hop);
/* … in places of a row, before there is an x. */
double fig_hop_leaves_at(const FigHop *hop);
double fig_hop_enters_at(const FigHop *hop);

/* Its place in one of its rows. */
static inline int
fig_node_order(const FigNode *node, int row)
{
    return node->places ? node->places[row - node->rank] : node->order;
}

/* Tell the nodes of a row their places. */
void fig_box_number(FigBox *box, int row);

/* Part a node that passes rows: those from `row` on become a node of their own, and a hop
 * leads there.
 *
 * owns     plan
 */
FigNode *fig_node_part(FigPlan *plan, FigNode *node, int row);

/* Make a hop and enter it at both its nodes.
 *
 * owns     plan
 */
FigHop *fig_box_hop(FigPlan *plan, FigNet *net, FigNode *a, FigNode *b, FigPin *pin);

/* ---- channel.c ---- */

/* Append a run to a channel.
 *
 * owns     plan
 */
FigStretch *fig_stretch_new(FigPlan *plan, GPtrArray *runs, const FigNet *net,
                            double from);
void fig_stretch_to(FigStretch *run, double x);    /* it goes on there */
void fig_stretch_reach(FigStretch *run, double x); /* it runs at least that far */
/* Give all runs their tracks; the number of tracks.
 *
 * uprights   double: where other nets pass straight
 */
int fig_channel(const GPtrArray *runs, const GArray *uprights);

/* ---- stack.c ---- */

/* Does a pin need no more than the rail, straight on to the next add or out of the box? */
bool fig_stack_keeps(const FigBox *box, const FigPin *pin);
void fig_stack_place(FigPlan *plan, FigBox *box); /* x */
void fig_stack_fit(FigBox *box); /* the rail to the right end of the box */
/* Shift segments sideways until all fit into width; the width needed if they cannot. */
double fig_stack_squeeze(FigBox *box, double width);
/* What a stack of a width leaves its segments. */
double fig_stack_room(const FigBox *box, double width);
double fig_stack_inner_left(const FigBox *box); /* of its segments */
double fig_stack_inner_right(const FigBox *box);
void fig_stack_route(FigPlan *plan, FigBox *box); /* y and ways */

/* ---- overrides.c: what a layout file asks for by name ---- */

bool fig_overrides_check(const FigPlan *plan); /* false: a name is not in the record */
/* Does a claim's sentence stand beside its op, and its bars at all of its ops? */
bool fig_overrides_accent(const FigStyle *style, const FigRecordClaim *claim);
bool fig_overrides_lane(const FigPlan *plan, const FigNode *node);
/* Put ops, and the branches they stand on, in their rows as they are listed. */
void fig_overrides_order(FigPlan *plan, FigBox *box);

/* ---- press.c ---- */

/* Press every box that is too wide for the page one step more; false: none gives way any
 * further. */
bool fig_plan_press(FigPlan *plan, double room);
void fig_plan_release(FigPlan *plan); /* all of them, whole */
/* Do labels of the box stand in two lines where marks stand beside each other? */
bool fig_box_wraps(const FigBox *box);
/* Are labels in two lines no measure for marks over and under them? */
bool fig_box_loose(const FigBox *box);
/* Is every mark just as wide as its words? */
bool fig_box_uneven(const FigBox *box);
/* Are attributes said over the drawing rather than beside marks? */
bool fig_box_bare(const FigBox *box);
/* Do marks stand as close to each other, and to their words, as can be? */
bool fig_box_close(const FigBox *box);

/* ---- loop.c ---- */

/* The name by which the body of a repeat has what the pass before left of a value.
 *
 * owns     plan
 */
const char *fig_loop_key(FigPlan *plan, const char *value);
void fig_loop_place(FigBox *box);                /* x */
void fig_loop_route(FigPlan *plan, FigBox *box); /* y and ways */

#endif
