/* SPDX-License-Identifier: MIT
 *
 * Marks that look alike where they stand: boxes beside each other that differ a little, and
 * boxes one under the other, are made as wide as the widest of them.
 */
#include "layouts/arrange.h"

static bool
is_plain_box(const FigPlan *plan, const FigNode *node)
{
    const FigMarkText *text =
        node->op ? &plan->marks[fig_plan_op_index(plan, node->op)] : NULL;

    return text && !text->circle && !text->fork && node->width <= FIG_BOX_WIDEST;
}

static void
widen(FigNode *node, double width)
{
    double more = (width - node->width) / 2;

    if (more <= 0)
        return;
    node->width = width;
    node->left += more;
    node->right += more;
}

/* Has just one of two boxes a label in two lines? */
static bool
is_taller(const FigPlan *plan, const FigNode *a, const FigNode *b)
{
    return !plan->marks[fig_plan_op_index(plan, a->op)].second !=
           !plan->marks[fig_plan_op_index(plan, b->op)].second;
}

/* Boxes that stand beside each other and differ a little, and boxes of one lane, are made
 * as wide as their widest. A box of the main line that has its row to itself is as wide
 * as all such boxes of the page. */
void
fig_box_even_widths(FigPlan *plan, FigBox *box)
{
    guint n = box->nodes->len;
    g_autofree int *group = g_new(int, n + 1);
    g_autofree bool *alone = g_new0(bool, n + 1);
    g_autofree double *width = g_new0(double, n + 1);
    g_autofree FigNode **above = g_new0(FigNode *, n + 1); /* by lane */

    box->main_width = 0;
    for (guint i = 0; i < n; i++)
        group[i] = (int)i;
    for (int r = 0; r < box->n_ranks; r++) {
        const GPtrArray *rank = box->rank[r];
        FigNode *before = NULL;
        int boxes = 0;

        for (guint i = 0; i < rank->len; i++)
            boxes += is_plain_box(plan, rank->pdata[i]);
        for (guint i = 0; i < rank->len; i++) {
            FigNode *node = rank->pdata[i], *over;

            if (!is_plain_box(plan, node)) {
                if (node->op) /* a fork or circle: what is under it begins anew */
                    above[node->lane] = NULL;
                continue;
            }
            alone[node->index] = boxes == 1;
            if (fig_box_uneven(box) && boxes > 1)
                continue;
            if (before && MAX(before->width, node->width) <
                              1.35 * MIN(before->width, node->width))
                group[fig_root_of(group, node->index)] =
                    fig_root_of(group, before->index);
            before = node;
            over = above[node->lane];
            if (over && !(fig_box_loose(box) && is_taller(plan, over, node)) &&
                (!node->main || alone[over->index] == alone[node->index]))
                group[fig_root_of(group, node->index)] =
                    fig_root_of(group, over->index);
            above[node->lane] = node;
        }
    }
    for (guint i = 0; i < n; i++) {
        const FigNode *node = box->nodes->pdata[i];
        int g = fig_root_of(group, (int)i);

        if (node->rank < 0 || !is_plain_box(plan, node))
            continue;
        width[g] = MAX(width[g], node->width);
        if (node->main && alone[i])
            width[g] = box->main_width = plan->main_width =
                MAX(plan->main_width, width[g]);
    }
    for (guint i = 0; i < n; i++) {
        FigNode *node = box->nodes->pdata[i];

        if (node->rank >= 0 && is_plain_box(plan, node))
            widen(node, width[fig_root_of(group, (int)i)]);
    }
}

bool
fig_plan_widths_changed(FigPlan *plan)
{
    bool changed = false;

    for (int i = 0; i < plan->record->n_ops; i++) {
        const FigNode *node =
            g_hash_table_lookup(plan->node_of, plan->record->ops[i].id);

        changed = changed || node->width != plan->marks[i].width;
        plan->marks[i].width = node->width;
    }
    return changed;
}
