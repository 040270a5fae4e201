/* SPDX-License-Identifier: MIT
 *
 * The word DRAFT on a figure of which something does not hold. It is pale, and lies on the
 * ground of paper and panels under all that is read: so it stands where no title or border
 * of a panel is, in the panel that gives it most room.
 */
#include "layouts/draw.h"
#include "layouts/texts.h"

#include <string.h>

static const double share = 0.9; /* of the width that it stands in */
static const double row = 18;    /* points: of a panel's title, or its totals */

static bool
holds_another(const FigItem *panels, const FigItem *frame)
{
    for (const FigItem *panel = panels->first; panel; panel = panel->next) {
        const FigItem *other = panel->first;

        if (other != frame && other->x >= frame->x && other->y >= frame->y &&
            other->x + other->width <= frame->x + frame->width &&
            other->y + other->height <= frame->y + frame->height)
            return true;
    }
    return false;
}

/* The tallest frame of a panel that holds no other panel; NULL: none is high enough. */
static const FigItem *
roomiest(const FigItem *panels, double least)
{
    const FigItem *best = NULL;

    for (const FigItem *panel = panels->first; panel; panel = panel->next) {
        const FigItem *frame = panel->first;

        if (frame->height - 2 * row > least && !holds_another(panels, frame) &&
            (!best || frame->height > best->height))
            best = frame;
    }
    return best;
}

/* Draw the last group of the figure right after that one. */
static void
lower(FigItem *root, FigItem *below)
{
    FigItem *group = root->last, *before = below;

    if (before->next == group)
        return;
    while (before->next != group)
        before = before->next;
    before->next = NULL;
    root->last = before;
    group->next = below->next;
    below->next = group;
}

void
fig_plan_draw_draft(FigPlan *plan)
{
    FigItem *root = plan->scene->root, *panels = root->first, *group;
    const FigTextBox *text = fig_plan_text(plan, "DRAFT", FIG_FACE_SANS_STRONG, 100);
    const FigItem *frame;
    double width = plan->width, x = 0, y = plan->scene->height / 2;
    double cap = -text->ink_top / 100, size;

    while (strcmp(panels->role, "panels"))
        panels = panels->next;
    frame = roomiest(panels, 0.1 * plan->width);
    if (frame) {
        x = frame->x;
        width = frame->width;
    }
    size = share * width / text->width * 100;
    if (frame) {
        size = MIN(size, share * (frame->height - 2 * row) / cap);
        y = frame->y + (frame->height + cap * size) / 2;
    }
    text = fig_plan_text(plan, "DRAFT", FIG_FACE_SANS_STRONG, size);
    group = fig_scene_group(plan->scene, NULL, "draft");
    group->means.part = "draft";
    fig_draw_text(plan, group, "draft", text, x + (width - text->width) / 2, y,
                  FIG_INK_DRAFT_PALE);
    lower(root, panels);
}
