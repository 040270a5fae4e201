/* SPDX-License-Identifier: MIT
 *
 * Callouts, once the page has its width: the words of a claim stand beside one of its ops,
 * on the side that has room, and a bar stands at each.
 */
#include "layouts/arrange.h"
#include "layouts/texts.h"

#include <math.h>

enum { MOST_LINES = 4 }; /* of a callout; what takes more is listed under the figure */

#define LEAST_CALLOUT 30.0 /* width */
#define ENOUGH 14.0        /* room for a bar: more is no better */
#define BESIDE_EDGE 6.5    /* from words to an edge that passes, which has them not */

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
           BESIDE_EDGE;
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

    if (!text || text->n_lines == 0)
        return 0;
    return FIG_CALLOUT_GAP + 4 + fig_lines_width(text->lines, text->n_lines);
}

/* The room for a bar at a side of a mark, less beside another mark, whose it could be; 0
 * where something comes in or goes out. */
static double
bar_room(const FigBox *box, const FigNode *node, bool left)
{
    const GPtrArray *rank = box->rank[node->rank];
    int at = node->order + (left ? -1 : 1);
    const FigNode *next = at >= 0 && at < (int)rank->len ? rank->pdata[at] : NULL;
    double most =
        left ? node->x - node->left - box->left : box->right - node->x - node->right;

    if (!left && fig_node_gives_right(box, node))
        return 0;
    for (guint k = 0; k < node->down->len; k++)
        if (((FigHop *)node->down->pdata[k])->leaves ==
            (left ? FIG_SIDE_LEFT : FIG_SIDE_RIGHT))
            return 0;
    if (next && next->kind == FIG_NODE_STUB &&
        ((FigHop *)next->up->pdata[0])->pin->to == node)
        return 0;
    if (next)
        most = left ? node->x - node->left - next->x - next->right
                    : next->x - next->left - node->x - node->right;
    keep_off_branches(rank, node, left ? &most : &(double){0},
                      left ? &(double){0} : &most);
    if (most < FIG_CALLOUT_GAP + 3.5)
        return 0;
    return MIN(next && !next->hollow ? most / 2 : most, ENOUGH);
}

/* A mark whose sentence stands elsewhere has a bar beside it all the same. */
static void
set_bar(const FigBox *box, const FigNode *node, FigMarkText *text)
{
    double most = 0;

    text->accented = false;
    if (text->n_lines > 0 || !(text->callout || text->accent))
        return;
    for (int right = 0; right < 2; right++) {
        FigSide side = right ? FIG_SIDE_RIGHT : FIG_SIDE_LEFT;
        double room = bar_room(box, node, !right);

        if (room > 0 && text->beside && !text->beside_hidden && !text->beside_away &&
            text->beside_side == side)
            room = 0.1; /* behind the words there */
        if (room > most) {
            text->accented = true;
            text->callout_side = side;
            most = room;
        }
    }
}

/* The words of a claim beside a mark; false: there is no room. */
static bool
set_callout(FigPlan *plan, const FigRecordClaim *claim, FigNode *node)
{
    FigBox *box = node->in;
    FigMarkText *text = &plan->marks[fig_plan_op_index(plan, node->op)];
    const GPtrArray *rank = box->rank[node->rank];
    double left = node->x - node->left - box->left - FIG_PANEL_PAD - 1,
           right = box->right - node->x - node->right - FIG_PANEL_PAD - 1;
    double room;
    bool takes_left = false, takes_right = false;
    FigTextStyle style = {.face = FIG_FACE_SANS_STRONG, .size = FIG_TYPE_SHAPE};
    const char *say;

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
    room = MIN(MAX(left, right) - FIG_CALLOUT_GAP - 4, plan->style->callout_width);
    if (room < LEAST_CALLOUT)
        return false;
    say = fig_plan_sentence(plan, &claim->say);
    text->lines = fig_plan_wrap(plan, say, &style, room, &text->n_lines);
    if (text->n_lines > MOST_LINES || /* or a long word */
        fig_lines_width(text->lines, text->n_lines) > room + 0.01) {
        text->n_lines = 0;
        return false;
    }
    text->callout_height =
        fig_lines_height(text->lines, text->n_lines, FIG_CALLOUT_LINE);
    node->callout_height = text->callout_height + 1;
    text->said = claim;
    return true;
}

FigNode *
fig_callout_node(const FigPlan *plan, const FigRecordClaim *claim, int which)
{
    const char *id = which ? claim->also[which - 1] : claim->at;
    const FigRecordOp *op = id ? fig_record_op(plan->record, id) : NULL;
    const FigMarkText *text = op ? &plan->marks[fig_plan_op_index(plan, op)] : NULL;

    if (!text ||
        (which ? text->accent != claim || text->callout : text->callout != claim))
        return NULL;
    return g_hash_table_lookup(plan->node_of, op->id);
}

bool
fig_callout_said(const FigPlan *plan, const FigRecordClaim *claim)
{
    for (int i = 0; i <= claim->n_also; i++) {
        const FigNode *node = fig_callout_node(plan, claim, i);

        if (node && plan->marks[fig_plan_op_index(plan, node->op)].said == claim)
            return true;
    }
    return false;
}

static void
set_bars(FigPlan *plan, const FigBox *box)
{
    for (guint i = 0; i < box->nodes->len; i++) {
        const FigNode *node = box->nodes->pdata[i];

        if (node->box)
            set_bars(plan, node->box);
        else if (node->op && !box->stack)
            set_bar(box, node, &plan->marks[fig_plan_op_index(plan, node->op)]);
    }
}

void
fig_plan_callouts(FigPlan *plan)
{
    const FigRecord *record = plan->record;

    for (int c = 0; plan->style->callouts && c < record->n_claims; c++) {
        const FigRecordClaim *claim = &record->claims[c];

        for (int i = 0; i <= claim->n_also; i++) {
            FigNode *node = fig_callout_node(plan, claim, i);

            if (node && !node->in->stack && set_callout(plan, claim, node))
                break;
        }
    }
    set_bars(plan, plan->root);
}
