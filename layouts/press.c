/* SPDX-License-Identifier: MIT
 *
 * What gives way where the page is narrow, in steps: a box that is too wide for it takes
 * the next one, and so do the boxes inside; the others stay as they are. Long labels that
 * stand beside other marks go first, over two lines; then what stands over and under them
 * is no longer made as wide as they are; then marks are no wider than their
 * words, and stand closer; last, attributes beside them are said over the drawing.
 */
#include "layouts/arrange.h"

#include <math.h>

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
press_all(FigBox *box)
{
    bool any = box->pressed < MOST;

    box->pressed += any;
    for (guint i = 0; i < box->nodes->len; i++) {
        const FigNode *node = box->nodes->pdata[i];

        if (node->box)
            any = press_all(node->box) || any;
    }
    return any;
}

static double
width_of(const FigBox *box)
{
    return box->right - box->left;
}

/* Do the marks of some row take more than the room, whatever boxes there are? */
static bool
has_wide_row(const FigBox *box, double room)
{
    for (int r = 0; r < box->n_ranks; r++) {
        double left = INFINITY, right = -INFINITY;

        for (guint i = 0; i < box->rank[r]->len; i++) {
            const FigNode *node = box->rank[r]->pdata[i];

            if (node->box)
                continue;
            left = MIN(left, node->x - node->left);
            right = MAX(right, node->x + node->right);
        }
        if (right - left > room)
            return true;
    }
    return false;
}

/* Press what is too wide for the room in a box that is. */
static bool
press(FigBox *box, double room)
{
    double inner = room - (box->panel ? 2 * FIG_PANEL_PAD : 0);
    bool any = false;

    if (box->stack)
        inner = fig_stack_room(box, inner);
    else if (!box->loop && box->pressed < MOST && has_wide_row(box, inner))
        any = ++box->pressed > 0;
    for (guint i = 0; i < box->nodes->len; i++) {
        FigBox *child = ((FigNode *)box->nodes->pdata[i])->box;
        double its = inner;

        if (child && box->loop) /* the lanes of its ways back */
            its = room - (width_of(box) - width_of(child));
        if (child && width_of(child) > its)
            any = press(child, its) || any;
    }
    /* no row is too wide, but lanes that do not stand over each other are together */
    if (!any && !box->stack && !box->loop && box->pressed < MOST)
        any = ++box->pressed > 0;
    return any;
}

bool
fig_plan_press(FigPlan *plan, double room)
{
    /* main lines have one width, and lanes go past what is beside them: what would fit by
     * itself can still make all too wide */
    return press(plan->root, room) || press_all(plan->root);
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
