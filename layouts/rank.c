/* SPDX-License-Identifier: MIT
 *
 * Rows of a layered box. Every node comes one row after the last of what it reads; a node
 * that could as well stand lower goes where its edges are shortest, and where that does
 * not matter beside its likes on other branches. Nets that pass rows get a dummy there, one for
 * all rows down to the next that has readers under it.
 */
#include "layouts/arrange.h"

#include <string.h>

FigHop *
fig_box_hop(FigPlan *plan, FigNet *net, FigNode *a, FigNode *b, FigPin *pin)
{
    FigHop *hop = fig_arena_new0(plan->arena, FigHop);

    hop->net = net;
    hop->a = a;
    hop->b = b;
    hop->pin = pin;
    hop->leaves = FIG_SIDE_BOTTOM;
    g_ptr_array_add(a->down, hop);
    g_ptr_array_add(b->up, hop);
    return hop;
}

static bool
leaves_by_side(const FigNode *node)
{
    return node->kind == FIG_NODE_SINK && node->side;
}

/* Nodes so that each comes after what it reads; ties by index. */
static GPtrArray *
sorted(FigPlan *plan, const FigBox *box)
{
    GPtrArray *order = fig_plan_list(plan);
    g_autofree int *waits = g_new0(int, box->nodes->len + 1);

    for (guint i = 0; i < box->nodes->len; i++) {
        const FigNode *node = box->nodes->pdata[i];

        waits[i] = (int)node->reads->len;
        if (!waits[i])
            g_ptr_array_add(order, (void *)node);
    }
    for (guint at = 0; at < order->len; at++) {
        const FigNode *node = order->pdata[at];

        for (guint i = 0; i < node->writes->len; i++) {
            const FigNet *net = node->writes->pdata[i];

            for (guint p = 0; p < net->pins->len; p++) {
                FigNode *to = ((FigPin *)net->pins->pdata[p])->to;

                if (--waits[to->index] == 0)
                    g_ptr_array_add(order, to);
            }
        }
    }
    return order;
}

/* ---- likes: the same op on another branch of one fork ---- */

/* Where the branch parts that a node stands on: the last node above it from which there
 * is more than one way on. A node with several operands stands on no branch. */
static int
branch_of(const FigNode *node)
{
    const FigPin *pin = node->reads->len == 1 ? node->reads->pdata[0] : NULL;
    const FigNode *from = pin ? pin->net->from : NULL;

    if (!from)
        return node->index;
    if (from->writes->len > 1 || pin->net->pins->len > 1)
        return from->index;
    return from->branch;
}

typedef struct Likes {
    FigPlan *plan;
    GHashTable *names; /* op -> number */
    GHashTable *rows;  /* "number branch row" -> how many */
} Likes;

static int
count_of(const Likes *likes, const FigNode *node, int row, int change)
{
    int name = GPOINTER_TO_INT(g_hash_table_lookup(likes->names, node->op->op));
    gint64 key = ((gint64)name << 48) + ((gint64)node->branch << 24) + row, *kept;
    int count = GPOINTER_TO_INT(g_hash_table_lookup(likes->rows, &key)) + change;

    if (change) {
        kept = fig_arena_new0(likes->plan->arena, gint64);
        *kept = key;
        g_hash_table_insert(likes->rows, kept, GINT_TO_POINTER(count));
    }
    return count;
}

static void
count_like(const Likes *likes, const FigNode *node, int change)
{
    if (!node->op)
        return;
    if (!g_hash_table_contains(likes->names, node->op->op))
        g_hash_table_insert(likes->names, (char *)node->op->op,
                            GUINT_TO_POINTER(g_hash_table_size(likes->names) + 1));
    count_of(likes, node, node->rank, change);
}

/* Lower a node inside the room its readers leave, where that makes edges shorter. */
static void
lower(FigNode *node, const Likes *likes)
{
    int lowest = G_MAXINT, reads = 0, writes = (int)node->writes->len, rank;

    for (guint i = 0; i < node->writes->len; i++) {
        const FigNet *net = node->writes->pdata[i];

        for (guint p = 0; p < net->pins->len; p++) {
            const FigNode *to = ((FigPin *)net->pins->pdata[p])->to;

            if (!leaves_by_side(to))
                lowest = MIN(lowest, to->rank - 1);
        }
    }
    for (guint i = 0; i < node->reads->len; i++) { /* nets, each once */
        bool first = true;

        for (guint k = 0; k < i && first; k++)
            first = ((FigPin *)node->reads->pdata[k])->net !=
                    ((FigPin *)node->reads->pdata[i])->net;
        reads += first;
    }
    if (lowest == G_MAXINT || lowest <= node->rank || writes < reads)
        return;
    rank = writes > reads ? lowest : node->rank;
    count_like(likes, node, -1);
    for (int at = node->rank; writes == reads && node->op && at <= lowest; at++)
        if (count_of(likes, node, at, 0) > 0) {
            rank = at;
            break;
        }
    node->rank = rank;
    count_like(likes, node, 1);
}

/* An input that would pass the frame of a repeat on its way comes in under it, right over
 * its first reader. */
static void
lower_input(const FigBox *box, FigNode *node)
{
    int first = G_MAXINT;
    bool passes = false;

    for (guint i = 0; i < node->writes->len; i++) {
        const FigNet *net = node->writes->pdata[i];

        for (guint p = 0; p < net->pins->len; p++)
            first = MIN(first, ((FigPin *)net->pins->pdata[p])->to->rank);
    }
    for (guint i = 0; i < box->nodes->len && first < G_MAXINT; i++) {
        const FigNode *other = box->nodes->pdata[i];

        passes = passes || (other->box && other->box->loop && other->rank < first);
    }
    if (passes)
        node->rank = first - 1;
}

static void
assign(FigPlan *plan, FigBox *box)
{
    GPtrArray *order = sorted(plan, box);
    g_autoptr(GHashTable) names = g_hash_table_new(g_str_hash, g_str_equal);
    g_autoptr(GHashTable) rows = g_hash_table_new(g_int64_hash, g_int64_equal);
    const Likes likes = {plan, names, rows};
    bool has_top = box->sources->len > 0;
    int last = 0;

    for (guint i = 0; i < box->nodes->len; i++)
        has_top = has_top || ((FigNode *)box->nodes->pdata[i])->kind == FIG_NODE_INPUT;
    for (guint i = 0; i < order->len; i++) {
        FigNode *node = order->pdata[i];
        bool top = node->kind == FIG_NODE_SOURCE || node->kind == FIG_NODE_INPUT;

        node->rank = top ? 0 : has_top;
        node->branch = branch_of(node);
        for (guint k = 0; k < node->reads->len; k++)
            node->rank =
                MAX(node->rank, ((FigPin *)node->reads->pdata[k])->net->from->rank + 1);
        count_like(&likes, node, 1);
    }
    for (int pass = 0; pass < 2; pass++)
        for (guint i = order->len; i-- > 0;) {
            FigNode *node = order->pdata[i];

            if (node->kind == FIG_NODE_OP || node->kind == FIG_NODE_BOX)
                lower(node, &likes);
        }
    for (guint i = 0; i < order->len; i++)
        if (((FigNode *)order->pdata[i])->kind == FIG_NODE_INPUT)
            lower_input(box, order->pdata[i]);
    for (guint i = 0; i < order->len; i++) {
        const FigNode *node = order->pdata[i];

        if (node->kind != FIG_NODE_SINK && node->kind != FIG_NODE_OUTPUT)
            last = MAX(last, node->rank);
    }
    box->n_ranks = last + 1;
    for (guint i = 0; i < order->len; i++) {
        FigNode *node = order->pdata[i];

        if (node->kind != FIG_NODE_SINK && node->kind != FIG_NODE_OUTPUT)
            continue;
        node->rank = leaves_by_side(node) ? -1 : last + 1;
        if (!leaves_by_side(node))
            box->n_ranks = last + 2;
    }
}

/* ---- what passes rows ---- */

static FigNode *
dummy(FigPlan *plan, FigBox *box, FigNet *net, int rank, int last)
{
    FigNode *node = fig_plan_node(plan, box, FIG_NODE_DUMMY);

    node->value = net->value;
    node->net = net;
    node->rank = rank;
    node->last = last;
    node->places = fig_arena_new_array(plan->arena, int, last - rank + 1);
    node->hollow = true;
    return node;
}

FigNode *
fig_node_part(FigPlan *plan, FigNode *node, int row)
{
    FigBox *box = node->in;
    FigNode *lower = fig_plan_node(plan, box, FIG_NODE_DUMMY);
    GPtrArray *none = lower->down;

    lower->value = node->value;
    lower->net = node->net;
    lower->rank = row;
    lower->last = node->last;
    lower->places = node->places + (row - node->rank);
    lower->order = lower->places[0];
    lower->hollow = true;
    lower->main = node->main;
    lower->down = node->down;
    for (guint i = 0; i < lower->down->len; i++)
        ((FigHop *)lower->down->pdata[i])->a = lower;
    for (int r = row; r <= lower->last; r++)
        box->rank[r]->pdata[fig_node_order(lower, r)] = lower;
    node->down = none;
    node->last = row - 1;
    fig_box_hop(plan, node->net, node, lower, NULL);
    return lower;
}

void
fig_box_number(FigBox *box, int row)
{
    for (guint i = 0; i < box->rank[row]->len; i++) {
        FigNode *node = box->rank[row]->pdata[i];

        if (node->places)
            node->places[row - node->rank] = (int)i;
        if (node->rank == row)
            node->order = (int)i;
    }
}

/* Pins of a net by the row they are in, else in their order. */
static int
by_row(const void *left, const void *right)
{
    const FigPin *a = *(FigPin *const *)left, *b = *(FigPin *const *)right;

    return a->to->rank - b->to->rank;
}

/* The trunk of a net goes down past all rows that have none of its readers below them, and
 * parts where some have. */
static void
make_hops(FigPlan *plan, FigBox *box, FigNet *net)
{
    g_autoptr(GPtrArray) pins = g_ptr_array_copy(net->pins, NULL, NULL);
    FigNode *trunk = net->from;
    guint p = 0;

    fig_plan_sort(pins, by_row);
    while (p < pins->len && ((FigPin *)pins->pdata[p])->to->rank <= trunk->rank)
        p++; /* it leaves by the side */
    while (p < pins->len) {
        int row = ((FigPin *)pins->pdata[p])->to->rank;

        if (row > trunk->last + 1) {
            FigNode *next = dummy(plan, box, net, trunk->last + 1, row - 1);

            fig_box_hop(plan, net, trunk, next, NULL);
            trunk = next;
        }
        for (; p < pins->len && ((FigPin *)pins->pdata[p])->to->rank == row; p++)
            fig_box_hop(plan, net, trunk, ((FigPin *)pins->pdata[p])->to,
                        pins->pdata[p]);
    }
}

/* Take the dummies and hops of an earlier try away. */
static void
clear(FigBox *box)
{
    guint kept = 0;

    for (guint i = 0; i < box->nodes->len; i++) {
        FigNode *node = box->nodes->pdata[i];

        for (guint k = 0; k < node->reads->len; k++)
            ((FigPin *)node->reads->pdata[k])->side = FIG_SIDE_TOP;
        g_ptr_array_set_size(node->up, 0);
        g_ptr_array_set_size(node->down, 0);
        node->main = false;
        node->lane = -1;
        node->lane_x = 0;
        if (node->kind != FIG_NODE_DUMMY && node->kind != FIG_NODE_STUB) {
            node->index = (int)kept;
            box->nodes->pdata[kept++] = node;
        }
    }
    g_ptr_array_set_size(box->nodes, (gint)kept);
}

void
fig_box_rank(FigPlan *plan, FigBox *box)
{
    clear(box);
    assign(plan, box);
    for (guint i = 0; i < box->nodes->len; i++) {
        FigNode *node = box->nodes->pdata[i];

        node->last = node->rank;
    }
    for (guint i = 0; i < box->nets->len; i++)
        make_hops(plan, box, box->nets->pdata[i]);
    box->rank = fig_arena_new_array(plan->arena, GPtrArray *, box->n_ranks);
    box->channel = fig_arena_new_array(plan->arena, GPtrArray *, box->n_ranks);
    box->tracks = fig_arena_new_array(plan->arena, int, box->n_ranks);
    box->row_y = fig_arena_new_array(plan->arena, double, box->n_ranks);
    box->row_height = fig_arena_new_array(plan->arena, double, box->n_ranks);
    box->more = fig_arena_new_array(plan->arena, double, box->n_ranks);
    for (int r = 0; r < box->n_ranks; r++)
        box->rank[r] = fig_plan_list(plan);
}
