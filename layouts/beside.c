/* SPDX-License-Identifier: MIT
 *
 * The room that texts take beside marks and edges, once rows are ordered, and callouts,
 * once boxes have their width: what is printed where its mark stands, and on which side.
 */
#include "layouts/plan.h"

#include <math.h>

/* ---- room for texts, once rows are ordered ---- */

/* … for the texts at a hop, if they stand at its reader, or at its writer. */
static void
keep_room(const FigPlan *plan, FigNode *node, const FigHop *hop, bool at_reader)
{
    const FigNote *note = g_hash_table_lookup(plan->note_of, hop->net->value);

    if (!note || note->at_reader != at_reader)
        return;
    node->note_left = MAX(node->note_left, note->left);
    node->note_right = MAX(node->note_right, note->right);
}

/* A mark right beside a node, to whose row its texts lie as near as to its own? */
static bool
has_neighbour(const GPtrArray *rank, const FigNode *node, bool left)
{
    int at = node->order + (left ? -1 : 1);
    const FigNode *other = at >= 0 && at < (int)rank->len ? rank->pdata[at] : NULL;

    return other && (!other->hollow || other->kind == FIG_NODE_STUB);
}

/* The step number of a fork stands left of its words: a mark further left keeps off. */
static void
set_fork_room(const GPtrArray *rank, FigNode *node, FigMarkText *text)
{
    double room = text->label ? text->label->width + 8 : 0;

    if (text->beside_room || !has_neighbour(rank, node, true))
        return;
    text->beside_room = room;
    node->left += room;
}

/* What a text beside a mark costs on one of its sides. */
typedef enum SideCost {
    COST_NONE,   /* the outer end of the row */
    COST_LITTLE, /* beside the lane of a mark right above, which keeps its distance */
    COST_EDGE,   /* beside an edge that passes */
    COST_MARK,   /* beside another mark, whose text it could be */
    COST_TAKEN,
} SideCost;

static SideCost
side_cost(const FigBox *box, const FigNode *node, bool left)
{
    const GPtrArray *rank = box->rank[node->rank];
    int at = node->order + (left ? -1 : 1);
    const FigNode *next = at >= 0 && at < (int)rank->len ? rank->pdata[at] : NULL;

    if (!left && fig_node_gives_right(box, node))
        return COST_TAKEN;
    if (!next)
        return COST_NONE;
    if (has_neighbour(rank, node, left))
        return COST_MARK;
    return next->rank == node->rank && next->up->len == 1 &&
                   !((FigHop *)next->up->pdata[0])->a->hollow
               ? COST_LITTLE
               : COST_EDGE;
}

/* An attribute is said once in a row of likes, where that costs least. */
static void
set_beside(const FigPlan *plan, const FigBox *box, FigNode *node, FigMarkText *text)
{
    const GPtrArray *rank = box->rank[node->rank];
    const FigNode *chosen = NULL;
    SideCost least = COST_TAKEN;
    double words;

    text->beside_away = fig_box_bare(box);
    text->beside_hidden = text->beside_away;
    if (text->beside_away)
        return;
    for (guint k = 0; k < rank->len; k++) {
        const FigNode *other = rank->pdata[k];
        const FigMarkText *its =
            other->op ? &plan->marks[fig_plan_op_index(plan, other->op)] : NULL;

        if (!its || its->circle || !its->beside ||
            its->beside_expr != text->beside_expr)
            continue;
        for (int right = 0; right < 2; right++)
            if (side_cost(box, other, !right) < least) {
                least = side_cost(box, other, !right);
                chosen = other;
                if (other == node)
                    text->beside_side = right ? FIG_SIDE_RIGHT : FIG_SIDE_LEFT;
            }
    }
    text->beside_hidden = chosen != node;
    if (text->beside_hidden || text->beside_room)
        return;
    words = text->beside_name->width;
    text->beside_room = 5 + words + text->beside->width;
    if (least == COST_MARK)
        text->beside_room += words + 8;
    if (text->beside_side == FIG_SIDE_LEFT)
        node->left += text->beside_room;
    else
        node->right += text->beside_room;
}

/* Room beside a node for what is printed beside the edges under or over it. */
void
fig_box_note_room(FigPlan *plan, FigBox *box)
{
    for (int r = 0; r < box->n_ranks; r++) {
        GPtrArray *rank = box->rank[r];

        for (guint i = 0; i < rank->len; i++) {
            FigNode *node = rank->pdata[i];
            FigMarkText *text =
                node->op ? &plan->marks[fig_plan_op_index(plan, node->op)] : NULL;

            if (node->rank < r)
                continue;
            node->note_left = node->note_right = 0;
            for (guint k = 0; node->kind == FIG_NODE_OP && k < node->down->len; k++)
                keep_room(plan, node, node->down->pdata[k], false);
            for (guint k = 0; k < node->up->len; k++)
                if (((FigHop *)node->up->pdata[k])->a->kind == FIG_NODE_OP)
                    keep_room(plan, node, node->up->pdata[k], true);
            if (text && text->fork)
                set_fork_room(rank, node, text);
            if (!text || text->circle || !text->beside)
                continue;
            set_beside(plan, box, node, text);
        }
    }
}

/* ---- callouts, once the page has its width ---- */

enum { MOST_LINES = 4 }; /* of a callout; what takes more is listed under the figure */

#define LEAST_CALLOUT 34.0 /* width */

/* Between a node and the next in its row: room for words only if that is an edge which
 * passes, for beside another mark they would be of both. */
static double
room_to(const FigNode *node, const FigNode *next)
{
    double between = fabs(next->x - node->x);
    bool left = next->x < node->x;

    if (next->kind != FIG_NODE_DUMMY)
        return 0;
    return between - (left ? node->left + next->right : node->right + next->left) -
           FIG_GAP_LANE;
}

/* Level ways of forks in the row of a node leave less room on its sides. */
static void
keep_off_branches(const GPtrArray *rank, const FigNode *node, double *left,
                  double *right)
{
    for (guint i = 0; i < rank->len; i++) {
        const FigNode *fork = rank->pdata[i];

        for (guint k = 0; fork != node && k < fork->down->len; k++) {
            const FigHop *hop = fork->down->pdata[k];
            double end = fig_hop_enters_x(hop);

            if (hop->leaves == FIG_SIDE_LEFT && end > node->x)
                *right = MIN(*right, end - node->x - node->right - FIG_GAP_LANE);
            else if (hop->leaves == FIG_SIDE_RIGHT && end < node->x)
                *left = MIN(*left, node->x - node->left - end - FIG_GAP_LANE);
        }
    }
}

double
fig_callout_reach(const FigPlan *plan, const FigNode *node)
{
    const FigMarkText *text =
        node->op ? &plan->marks[fig_plan_op_index(plan, node->op)] : NULL;
    double widest = 0;

    if (!text || text->n_lines == 0)
        return 0;
    for (int i = 0; i < text->n_lines; i++)
        widest = MAX(widest, text->lines[i]->width);
    return FIG_CALLOUT_GAP + 4 + widest;
}

/* Is there room for a bar at a side of a mark, with nothing that comes in or goes out? */
static bool
takes_bar(const FigBox *box, const FigNode *node, bool left)
{
    const GPtrArray *rank = box->rank[node->rank];
    int at = node->order + (left ? -1 : 1);
    const FigNode *next = at >= 0 && at < (int)rank->len ? rank->pdata[at] : NULL;
    double most =
        left ? node->x - node->left - box->left : box->right - node->x - node->right;

    if (!left && fig_node_gives_right(box, node))
        return false;
    for (guint k = 0; k < node->down->len; k++)
        if (((FigHop *)node->down->pdata[k])->leaves ==
            (left ? FIG_SIDE_LEFT : FIG_SIDE_RIGHT))
            return false;
    if (next && next->kind == FIG_NODE_STUB &&
        ((FigHop *)next->up->pdata[0])->pin->to == node)
        return false;
    if (next)
        most = left ? node->x - node->left - next->x - next->right
                    : next->x - next->left - node->x - node->right;
    keep_off_branches(rank, node, left ? &most : &(double){0},
                      left ? &(double){0} : &most);
    return most >= FIG_CALLOUT_GAP + 3.5;
}

/* A mark whose sentence stands elsewhere has a bar beside it all the same. */
static void
set_bar(const FigBox *box, const FigNode *node, FigMarkText *text)
{
    text->accented = false;
    if (text->n_lines > 0 || !(text->callout || text->accent))
        return;
    for (int right = 0; right < 2 && !text->accented; right++) {
        text->accented = takes_bar(box, node, !right);
        text->callout_side = right ? FIG_SIDE_RIGHT : FIG_SIDE_LEFT;
    }
}

static void
set_callout(FigPlan *plan, FigBox *box, FigNode *node)
{
    FigMarkText *text = &plan->marks[fig_plan_op_index(plan, node->op)];
    const GPtrArray *rank = box->rank[node->rank];
    double left = node->x - node->left - box->left,
           right = box->right - node->x - node->right;
    double room;
    bool takes_left = false, takes_right = false;
    FigTextStyle style = {.face = FIG_FACE_SANS_STRONG, .size = FIG_TYPE_SHAPE};
    const char *say;

    node->callout_height = text->callout_height = 0;
    text->n_lines = 0;
    if (!text->callout || !plan->style->callouts)
        return;
    for (guint i = 0; i < box->sinks->len; i++) {
        const FigNode *sink = box->sinks->pdata[i];

        takes_right = takes_right ||
                      (sink->took_side && fig_box_net(box, sink->value)->from == node);
    }
    for (guint i = 0; i < node->down->len; i++) { /* a fork's branches */
        const FigHop *hop = node->down->pdata[i];

        takes_left = takes_left || hop->leaves == FIG_SIDE_LEFT;
        takes_right = takes_right || hop->leaves == FIG_SIDE_RIGHT;
    }
    if (takes_left)
        left = 0;
    else if (node->order > 0)
        left = room_to(node, rank->pdata[node->order - 1]);
    if (takes_right)
        right = 0;
    else if (node->order + 1 < (int)rank->len)
        right = room_to(node, rank->pdata[node->order + 1]);
    keep_off_branches(rank, node, &left, &right);
    text->callout_side = left >= right ? FIG_SIDE_LEFT : FIG_SIDE_RIGHT;
    room = MIN(MAX(left, right) - FIG_PANEL_PAD - FIG_CALLOUT_GAP - 5,
               plan->style->callout_width);
    if (room < LEAST_CALLOUT)
        return;
    say = fig_plan_sentence(plan, &text->callout->say);
    text->lines = fig_plan_wrap(plan, say, &style, room, &text->n_lines);
    if (text->n_lines > MOST_LINES) {
        text->n_lines = 0;
        return;
    }
    text->callout_height = FIG_CALLOUT_LINE;
    for (int i = 1; i < text->n_lines; i++)
        text->callout_height += fig_plan_leading(text->lines, i, FIG_CALLOUT_LINE);
    node->callout_height = text->callout_height + 1;
}

void
fig_plan_callouts(FigPlan *plan, FigBox *box)
{
    for (guint i = 0; i < box->nodes->len; i++) {
        FigNode *node = box->nodes->pdata[i];

        if (node->box)
            fig_plan_callouts(plan, node->box);
        else if (node->op && !box->stack) {
            set_callout(plan, box, node);
            set_bar(box, node, &plan->marks[fig_plan_op_index(plan, node->op)]);
        }
    }
}
