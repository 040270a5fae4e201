/* SPDX-License-Identifier: MIT
 *
 * What goes straight down: the main line, then chains, then the middle one of several. None
 * crosses another that is straight. What passes rows is straight inside; where another that
 * came first crosses it, it is parted there.
 */
#include "layouts/arrange.h"

/* ---- priorities ---- */

enum { PRIORITIES = 5 };

static int
priority_of(const FigHop *hop)
{
    bool passes = hop->a->kind == FIG_NODE_DUMMY || hop->b->kind == FIG_NODE_DUMMY ||
                  hop->b->kind == FIG_NODE_STUB;
    int reads = (int)hop->b->up->len, writes = (int)hop->a->down->len;

    if (hop->a->main && hop->b->main)
        return 0;
    if (writes == 1 && reads == 1)
        return 1;
    if (hop->a->kind == FIG_NODE_DUMMY && passes)
        return 2;
    if (reads == 1 && !hop->a->main && writes % 2 == 1)
        return 3;
    if (writes == 1 && !hop->b->main && reads % 2 == 1)
        return 4;
    return 5;
}

/* Is the hop the middle one on the side where there are several? */
static bool
is_middle(const FigHop *hop, int rank)
{
    int before = 0, after = 0;
    const GPtrArray *all = rank == 3 ? hop->a->down : hop->b->up;

    if (rank < 3)
        return true;
    for (guint i = 0; i < all->len; i++) {
        const FigHop *other = all->pdata[i];
        int side = rank == 3 ? other->b->order - hop->b->order
                             : fig_node_order(other->a, other->a->last) -
                                   fig_node_order(hop->a, hop->a->last);

        before += side < 0;
        after += side > 0;
    }
    return before == after;
}

/* ---- rows ---- */

/* A way from a row to the next: a hop, or what passes both. */
typedef struct Step {
    FigNode *node; /* that passes, or NULL */
    FigHop *hop;
    int from, to; /* places */
} Step;

/* The ways under a row by priority. */
typedef struct Steps {
    GArray *of[PRIORITIES]; /* Step */
    GArray *under; /* int, by place in the row: where what is straight goes, or -1 */
    GArray *next;  /* int: … for the nearest on the right of a place */
    GArray *taken; /* bool, by place in the row under it: something comes straight */
} Steps;

static int *
place_in(GArray *places, int i)
{
    return &g_array_index(places, int, i);
}

/* Let all of one priority go straight that no straight one crosses. */
static void
align(FigPlan *plan, int row, Steps *steps, int priority)
{
    const GArray *all = steps->of[priority];
    int n = (int)steps->under->len, before = -1, at = 0;

    *place_in(steps->next, n) = G_MAXINT;
    for (int i = n; i-- > 0;)
        *place_in(steps->next, i) = *place_in(steps->under, i) >= 0
                                        ? *place_in(steps->under, i)
                                        : *place_in(steps->next, i + 1);
    for (guint i = 0; i < all->len; i++) {
        const Step step = g_array_index(all, Step, i);
        bool *taken = &g_array_index(steps->taken, bool, step.to);

        for (; at < step.from; at++)
            before = MAX(before, *place_in(steps->under, at));
        if (*place_in(steps->under, step.from) >= 0 || *taken || step.to < before ||
            step.to > *place_in(steps->next, step.from + 1)) {
            if (step.node)
                fig_node_part(plan, step.node, row + 1);
            continue;
        }
        if (step.hop)
            step.hop->straight = true;
        *taken = true;
        *place_in(steps->under, step.from) = step.to;
    }
}

static void
add_step(Steps *steps, int priority, Step step)
{
    g_array_append_val(steps->of[priority], step);
}

static void
find_steps(const FigBox *box, int row, Steps *steps)
{
    const GPtrArray *rank = box->rank[row];
    const int none = -1;

    g_array_set_size(steps->under, 0);
    g_array_set_size(steps->next, rank->len + 1);
    g_array_set_size(steps->taken, 0);
    g_array_set_size(steps->taken, box->rank[row + 1]->len);
    for (int priority = 0; priority < PRIORITIES; priority++)
        g_array_set_size(steps->of[priority], 0);
    for (guint i = 0; i < rank->len; i++) {
        FigNode *node = rank->pdata[i];

        g_array_append_val(steps->under, none);
        if (node->last > row) {
            add_step(steps, !node->main,
                     (Step){node, NULL, (int)i, fig_node_order(node, row + 1)});
            continue;
        }
        for (guint k = 0; k < node->down->len; k++) {
            FigHop *hop = node->down->pdata[k];
            int priority = priority_of(hop);

            hop->straight = false;
            if (priority < PRIORITIES && is_middle(hop, priority))
                add_step(steps, priority, (Step){NULL, hop, (int)i, hop->b->order});
        }
    }
}

void
fig_box_align(FigPlan *plan, FigBox *box)
{
    Steps steps = {.under = g_array_new(FALSE, FALSE, sizeof(int)),
                   .next = g_array_new(FALSE, FALSE, sizeof(int)),
                   .taken = g_array_new(FALSE, TRUE, sizeof(bool))};

    for (int priority = 0; priority < PRIORITIES; priority++)
        steps.of[priority] = g_array_new(FALSE, FALSE, sizeof(Step));
    for (int r = 0; r + 1 < box->n_ranks; r++) {
        find_steps(box, r, &steps);
        for (int priority = 0; priority < PRIORITIES; priority++)
            if (steps.of[priority]->len)
                align(plan, r, &steps, priority);
    }
    for (int priority = 0; priority < PRIORITIES; priority++)
        g_array_unref(steps.of[priority]);
    g_array_unref(steps.under);
    g_array_unref(steps.next);
    g_array_unref(steps.taken);
}
