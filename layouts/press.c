/* SPDX-License-Identifier: MIT
 *
 * What gives way where the page is narrow, in steps: a box that is too wide for it takes
 * the next one, and so do the boxes inside; the others stay as they are. Long labels that
 * stand beside other marks go first, over two lines; then what stands over and under them
 * is no longer made as wide as they are; then marks are no wider than their
 * words, and stand closer; last, attributes beside them are said over the drawing.
 */
#include "layouts/plan.h"

enum {
    WRAPS = 1,
    LOOSE = 2,
    UNEVEN = 3,
    CLOSE = 4,
    BARE = 5,
    MOST = BARE,
};

bool
fig_box_wraps(const FigBox *box)
{
    return box->pressed >= WRAPS;
}

bool
fig_box_loose(const FigBox *box)
{
    return box->pressed >= LOOSE;
}

bool
fig_box_uneven(const FigBox *box)
{
    return box->pressed >= UNEVEN;
}

bool
fig_box_close(const FigBox *box)
{
    return box->pressed >= CLOSE;
}

bool
fig_box_bare(const FigBox *box)
{
    return box->pressed >= BARE;
}

static bool
press(FigBox *box)
{
    bool any = box->pressed < MOST;

    box->pressed += any;
    for (guint i = 0; i < box->nodes->len; i++) {
        const FigNode *node = box->nodes->pdata[i];

        if (node->box)
            any = press(node->box) || any;
    }
    return any;
}

bool
fig_plan_press(FigPlan *plan, double room)
{
    FigBox *root = plan->root;
    bool any = false;

    if (!root->stack)
        return press(root);
    for (guint i = 0; i < root->segments->len; i++) {
        FigBox *segment = ((FigNode *)root->segments->pdata[i])->box;

        if (segment->right - segment->left > fig_stack_room(root, room))
            any = press(segment) || any;
    }
    /* main lines have one width: what would fit by itself can make others wide */
    return any || press(root);
}

static void
release(FigBox *box)
{
    box->pressed = 0;
    for (guint i = 0; i < box->nodes->len; i++) {
        const FigNode *node = box->nodes->pdata[i];

        if (node->box)
            release(node->box);
    }
}

void
fig_plan_release(FigPlan *plan)
{
    release(plan->root);
}
