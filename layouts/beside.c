/* SPDX-License-Identifier: MIT
 *
 * The room that texts take beside marks and edges, once rows are ordered: what is
 * printed where its mark stands, and on which side.
 */
#include "layouts/arrange.h"
#include "layouts/texts.h"

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
    COST_WORDS,  /* where a claim's sentence may stand */
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

/* … where a claim's sentence goes first: that names its op, an attribute may say it at a
 * like. */
static SideCost
cost_at(const FigPlan *plan, const FigBox *box, const FigNode *node, bool left)
{
    SideCost cost = side_cost(box, node, left);
    bool words =
        plan->style->callouts && plan->marks[fig_plan_op_index(plan, node->op)].callout;

    return words ? MAX(cost, COST_WORDS) : cost;
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
            if (cost_at(plan, box, other, !right) < least) {
                least = cost_at(plan, box, other, !right);
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
