/* SPDX-License-Identifier: MIT
 *
 * Panels, marks and the texts beside them, from plan to scene.
 */
#include "layouts/draw.h"
#include "layouts/texts.h"

#include "base/num.h"

#include <math.h>
#include <string.h>

/* From the middle of a row to the baseline of type, so that it looks centred. */
static double
sink(double size)
{
    return FIG_SINK * size;
}

double
fig_border_width(FigClass class)
{
    switch (class) {
    case FIG_CLASS_WEIGHT_MATMUL:
        return 1.5;
    case FIG_CLASS_ACTIVATION_MATMUL:
        return 0.9;
    case FIG_CLASS_NORM:
        return 1.0;
    default:
        return 0.75;
    }
}

FigItem *
fig_draw_text(FigPlan *plan, FigItem *parent, const char *role, const FigTextBox *text,
              double x, double y, FigInk ink)
{
    return text ? fig_scene_text(plan->scene, parent, role, text, x, y, ink) : NULL;
}

void
fig_draw_diamond(FigPlan *plan, FigItem *group, double x, double y, FigInk stroke)
{
    FigPathBuilder *path = fig_path_begin(plan->scene);
    FigItem *item;

    fig_path_move(path, x, y - FIG_CORNER);
    fig_path_line(path, x + FIG_CORNER, y);
    fig_path_line(path, x, y + FIG_CORNER);
    fig_path_line(path, x - FIG_CORNER, y);
    fig_path_close(path);
    item = fig_scene_path(plan->scene, group, "corner", fig_path_end(path));
    item->fill = FIG_INK_PAPER;
    item->stroke = stroke;
    item->stroke_width = 0.9;
}

/* The shape of a class, for marks and for the legend. */
void
fig_draw_class(FigPlan *plan, FigItem *group, FigClass class, double x, double y,
               double width, double height, bool corner)
{
    /* norms have round ends: they and the others differ also where all is gray */
    double radius = class == FIG_CLASS_NORM ? height / 2 : FIG_BOX_RADIUS;
    FigItem *rect = fig_scene_rect(plan->scene, group, "mark", x - width / 2,
                                   y - height / 2, width, height, radius);

    rect->fill = FIG_INK_CLASS_FILL + class;
    rect->stroke = FIG_INK_CLASS_BORDER + class;
    rect->stroke_width = fig_border_width(class);
    if (class == FIG_CLASS_ACTIVATION_MATMUL) {
        rect = fig_scene_rect(plan->scene, group, "inner", x - width / 2 + FIG_DOUBLE,
                              y - height / 2 + FIG_DOUBLE, width - 2 * FIG_DOUBLE,
                              height - 2 * FIG_DOUBLE, FIG_BOX_RADIUS - 1.2);
        rect->stroke = FIG_INK_CLASS_BORDER + class;
        rect->stroke_width = 0.75;
    }
    if (corner)
        fig_draw_diamond(plan, group, x + width / 2 - FIG_BOX_PAD - FIG_CORNER, y,
                         FIG_INK_CLASS_BORDER + class);
}

/* ---- marks ---- */

static void
draw_box(FigPlan *plan, FigItem *group, const FigNode *node, const FigMarkText *text)
{
    FigPoint at = fig_node_middle(node);
    double left = at.x - node->width / 2, baseline = at.y + sink(FIG_TYPE_LABEL);

    fig_draw_class(plan, group, node->op->class, at.x, at.y, node->width, node->height,
                   text->corner);
    fig_draw_text(plan, group, "step", text->step, left + FIG_BOX_PAD,
                  at.y + sink(FIG_TYPE_SMALL), FIG_INK_MUTED);
    if (text->second)
        baseline -= text->line_gap / 2;
    if (text->label)
        fig_draw_text(plan, group, "label", text->label, at.x - text->label->width / 2,
                      baseline, FIG_INK_TEXT);
    if (text->second)
        fig_draw_text(plan, group, "label", text->second,
                      at.x - text->second->width / 2, baseline + text->line_gap,
                      FIG_INK_TEXT);
}

/* The sign of a circle as lines, where it is a plain one: the circle is part of it. */
static bool
draw_sign(FigPlan *plan, FigItem *group, const char *sign, FigPoint at)
{
    const double arm = 3.2, slant = 2.4;
    FigPathBuilder *path;
    FigItem *item;
    bool dot = !strcmp(sign, "\\odot"),
         plus = !strcmp(sign, "+") || !strcmp(sign, "\\oplus");

    if (!dot && !plus && strcmp(sign, "\\times") && strcmp(sign, "\\otimes"))
        return false;
    path = fig_path_begin(plan->scene);
    if (dot) {
        fig_path_circle(path, at.x, at.y, 1.25);
    } else if (plus) {
        fig_path_move(path, at.x - arm, at.y);
        fig_path_line(path, at.x + arm, at.y);
        fig_path_move(path, at.x, at.y - arm);
        fig_path_line(path, at.x, at.y + arm);
    } else {
        fig_path_move(path, at.x - slant, at.y - slant);
        fig_path_line(path, at.x + slant, at.y + slant);
        fig_path_move(path, at.x - slant, at.y + slant);
        fig_path_line(path, at.x + slant, at.y - slant);
    }
    item = fig_scene_path(plan->scene, group, "sign", fig_path_end(path));
    if (dot) {
        item->fill = FIG_INK_TEXT;
    } else {
        item->stroke = FIG_INK_TEXT;
        item->stroke_width = 1.1;
    }
    return true;
}

static void
draw_circle(FigPlan *plan, FigItem *group, const FigNode *node, const FigMarkText *text)
{
    FigPoint at = fig_node_middle(node);
    FigPathBuilder *path = fig_path_begin(plan->scene);
    bool streams = node->on_rail && node->in->stream;
    FigItem *item;

    fig_path_circle(path, at.x, at.y, FIG_CIRCLE_RADIUS);
    item = fig_scene_path(plan->scene, group, "mark", fig_path_end(path));
    item->fill = FIG_INK_CLASS_FILL + node->op->class;
    item->stroke = streams ? FIG_INK_RAIL : FIG_INK_CLASS_BORDER + node->op->class;
    item->stroke_width = streams ? 1.0 : fig_border_width(node->op->class);
    if (text->label &&
        !draw_sign(plan, group, node->op->sign ? node->op->sign : "", at)) {
        const FigTextBox *sign = text->label;

        fig_draw_text(plan, group, "label", sign,
                      at.x - (sign->ink_left + sign->ink_right) / 2,
                      at.y - (sign->ink_top + sign->ink_bottom) / 2, FIG_INK_TEXT);
    }
    /* over the edge that comes to the rail */
    fig_draw_text(plan, group, "step", text->step,
                  node->on_rail && node->in->rail_left
                      ? at.x + FIG_CIRCLE_RADIUS + 1.5 + plan->step_width -
                            text->step->width
                      : at.x - FIG_CIRCLE_RADIUS - 1.5 - text->step->width,
                  at.y - 3.0, FIG_INK_MUTED);
}

/* The words of a circle: left of it, under what comes in there, so that they are not read as
 * the name of an edge; over the edge on its right, where room is kept, if something is in
 * the way. */
static void
draw_words(FigPlan *plan, const FigGround *ground, FigItem *group, const FigNode *node)
{
    const FigMarkText *text = &plan->marks[fig_plan_op_index(plan, node->op)];
    const FigTextBox *words = text->beside_name;
    bool followed = (text->n_lines > 0 || text->accented) &&
                    text->callout_side == FIG_SIDE_RIGHT; /* by a callout */
    FigPoint at = fig_node_middle(node);
    double x = at.x - FIG_CIRCLE_RADIUS - FIG_HEAD_LENGTH - 1.5 - words->width,
           y = at.y +
               MIN(FIG_CIRCLE_RADIUS + 1.2,
                   FIG_CIRCLE_RADIUS - 0.8 -
                       (words->ink_top + words->ink_bottom) / 2); /* on its row */

    if (followed || !fig_ground_beside(ground, fig_area_of_text(words, x, y),
                                       (FigPoint){at.x - FIG_CIRCLE_RADIUS, at.y})) {
        x = at.x + FIG_CIRCLE_RADIUS + 2.5;
        y = at.y - MAX(3.0, words->ink_bottom + 1.2);
    }
    fig_draw_text(plan, group, "label", words, x, y, FIG_INK_TEXT);
}

static void
draw_fork(FigPlan *plan, FigItem *group, const FigNode *node, const FigMarkText *text)
{
    FigPoint at = fig_node_middle(node);
    double right = at.x - node->width / 2 - 2.5, baseline = at.y - 2.6;
    FigItem *item;

    if (node->width > node->height + 1) {
        item = fig_scene_rect(plan->scene, group, "mark", at.x - node->width / 2,
                              at.y - node->height / 2, node->width, node->height,
                              node->height / 2);
    } else {
        FigPathBuilder *path = fig_path_begin(plan->scene);

        fig_path_circle(path, at.x, at.y, FIG_FORK_RADIUS);
        item = fig_scene_path(plan->scene, group, "mark", fig_path_end(path));
    }
    item->fill = FIG_INK_EDGE;
    if (text->label) {
        fig_draw_text(plan, group, "label", text->label, right - text->label->width,
                      baseline, FIG_INK_TEXT);
        right -= text->label->width + 3;
    }
    fig_draw_text(plan, group, "step", text->step, right - text->step->width, baseline,
                  FIG_INK_MUTED);
}

static void
draw_beside(FigPlan *plan, FigItem *group, const FigNode *node, const FigMarkText *text)
{
    FigPoint at = fig_node_middle(node);
    double width, x;
    FigItem *item;

    if (text->circle || !text->beside || text->beside_hidden)
        return;
    width = text->beside_name->width + text->beside->width;
    x = text->beside_side == FIG_SIDE_LEFT ? at.x - node->width / 2 - 5 - width
                                           : at.x + node->width / 2 + 5;
    fig_draw_text(plan, group, "beside", text->beside_name, x,
                  at.y + sink(FIG_TYPE_SHAPE), FIG_INK_MUTED);
    item =
        fig_draw_text(plan, group, "beside", text->beside, x + text->beside_name->width,
                      at.y + sink(FIG_TYPE_SHAPE), FIG_INK_MUTED);
    item->means.number = text->beside_expr;
}

double
fig_callout_x(const FigNode *node, const FigMarkText *text)
{
    FigPoint at = fig_node_middle(node);
    /* what keeps a mark off the words of a fork keeps no bar off */
    double left = node->left - (text->fork && !text->beside ? text->beside_room : 0);

    return text->callout_side == FIG_SIDE_LEFT ? at.x - left - FIG_CALLOUT_GAP
                                               : at.x + node->right + FIG_CALLOUT_GAP;
}

/* The accent of a mark: a bar beside it. */
static FigItem *
draw_bar(FigPlan *plan, FigItem *parent, const FigNode *node, const FigMarkText *text,
         const FigRecordClaim *claim)
{
    FigPoint at = fig_node_middle(node);
    double x = fig_callout_x(node, text),
           half = MAX(text->callout_height, node->height) / 2;
    FigItem *group = fig_scene_group(plan->scene, parent, "callout"), *item;
    FigPathBuilder *path = fig_path_begin(plan->scene);

    group->means.callout = claim->id;
    fig_path_move(path, x, at.y - half);
    fig_path_line(path, x, at.y + half);
    item = fig_scene_path(plan->scene, group, "bar", fig_path_end(path));
    item->stroke = FIG_INK_ACCENT;
    item->stroke_width = 1.5;
    return group;
}

static void
draw_callout(FigPlan *plan, FigItem *parent, const FigNode *node, FigMarkText *text)
{
    bool left = text->callout_side == FIG_SIDE_LEFT;
    double bar = fig_callout_x(node, text);
    double y = fig_node_middle(node).y - text->callout_height / 2 +
               FIG_CALLOUT_LINE / 2 + sink(FIG_TYPE_SHAPE);
    FigItem *group;

    text->bar_group = NULL;
    if (text->accented)
        text->bar_group = draw_bar(plan, parent, node, text,
                                   text->accent ? text->accent : text->callout);
    if (!text->n_lines)
        return;
    group = draw_bar(plan, parent, node, text, text->said);
    for (int i = 0; i < text->n_lines; i++) {
        const FigTextBox *line = text->lines[i];

        if (i > 0)
            y += fig_plan_leading(text->lines, i, FIG_CALLOUT_LINE);
        fig_draw_text(plan, group, "callout", line,
                      left ? bar - 4 - line->width : bar + 4, y, FIG_INK_ACCENT);
    }
}

static void
draw_terminal(FigPlan *plan, FigItem *parent, const FigNode *node)
{
    FigPoint at = fig_node_middle(node);
    FigItem *group = fig_scene_group(plan->scene, parent, "terminal"), *item;
    bool input = node->kind == FIG_NODE_INPUT;
    const FigRecordValue *value = fig_plan_value(plan, node->value);
    const FigTextBox *word = fig_plan_terminal(plan, node);
    const FigTextBox *shape = fig_plan_shape(plan, value);
    const FigTextBox *what =
        node->on_rail && value->what
            ? fig_plan_text(plan, value->what, FIG_FACE_SANS, FIG_TYPE_SHAPE)
            : NULL;
    double width = word->width + (shape ? 4 + shape->width : 0);
    double x = at.x + node->width / 2 + 4, baseline = at.y + sink(FIG_TYPE_LABEL);

    if (input)
        group->means.input = node->value;
    else
        group->means.output = node->value;
    item = fig_scene_rect(plan->scene, group, "mark", at.x - node->width / 2,
                          at.y - node->height / 2, node->width, node->height,
                          node->height / 2);
    item->fill = node->on_rail ? FIG_INK_RAIL : FIG_INK_EDGE;
    if (node->on_rail) /* beside the rail, towards the page */
        x = node->in->rail_left ? at.x + node->width / 2 + 5
                                : at.x - node->width / 2 - 5 - width;
    if (what)
        fig_draw_text(plan, group, "what", what,
                      node->in->rail_left ? x + width + 8 : x - 8 - what->width,
                      baseline, FIG_INK_MUTED);
    fig_draw_text(plan, group, "label", word, x, baseline, FIG_INK_TEXT);
    x += word->width + 4;
    if (shape) {
        item = fig_draw_text(plan, group, "shape", shape, x, baseline, FIG_INK_MUTED);
        item->means.shape = node->value;
    }
}

static FigItem *
draw_mark(FigPlan *plan, FigItem *parent, const FigNode *node)
{
    FigMarkText *text = &plan->marks[fig_plan_op_index(plan, node->op)];
    FigItem *group = fig_scene_group(plan->scene, parent, "op");

    group->means.op = node->op->id;
    group->means.class_ = fig_class_name(node->op->class);
    if (text->circle)
        draw_circle(plan, group, node, text);
    else if (text->fork)
        draw_fork(plan, group, node, text);
    else
        draw_box(plan, group, node, text);
    draw_beside(plan, group, node, text);
    draw_callout(plan, parent, node, text);
    return text->circle && text->beside_name ? group : NULL;
}

static void
draw_terminals(FigPlan *plan, FigItem *parent, const FigBox *box, FigNodeKind kind)
{
    for (guint i = 0; i < box->nodes->len; i++) {
        const FigNode *node = box->nodes->pdata[i];

        if (node->kind == kind)
            draw_terminal(plan, parent, node);
        else if (node->box)
            draw_terminals(plan, parent, node->box, kind);
    }
}

/* In reading order: inputs, ops by step, outputs. */
void
fig_plan_draw_marks(FigPlan *plan)
{
    FigItem *all = fig_scene_group(plan->scene, NULL, "marks");
    g_autoptr(GPtrArray) wordy = g_ptr_array_new();
    FigGround *ground;

    draw_terminals(plan, all, plan->root, FIG_NODE_INPUT);
    for (int i = 0; i < plan->record->n_ops; i++) {
        FigItem *group = draw_mark(
            plan, all, g_hash_table_lookup(plan->node_of, plan->record->ops[i].id));

        if (group)
            g_ptr_array_add(wordy, group);
    }
    draw_terminals(plan, all, plan->root, FIG_NODE_OUTPUT);
    if (wordy->len == 0)
        return;
    ground = fig_ground_new(plan); /* once all marks are there */
    for (guint i = 0; i < wordy->len; i++) {
        FigItem *group = wordy->pdata[i];

        draw_words(plan, ground, group,
                   g_hash_table_lookup(plan->node_of, group->means.op));
        fig_ground_put(ground, fig_area_of_text(group->last->text, group->last->text_x,
                                                group->last->text_y));
    }
    fig_ground_free(ground);
}

/* ---- panels ---- */

static void
draw_totals(FigPlan *plan, FigItem *group, const FigBox *box)
{
    double left = box->x0 + box->left + FIG_PANEL_PAD;
    double right = box->x0 + box->right - FIG_PANEL_PAD;
    double y = box->y0 + box->height - 5.5;
    bool fits = false;
    FigLine line = {.plan = plan, .group = group};
    int64_t parameters = 0, flops = 0;

    if (!plan->style->totals || box->part > 0)
        return;
    fig_group_totals(plan, box->group->id, &parameters, &flops);
    fig_line_number(&line, fig_plain_integer(plan, parameters),
                    fig_arena_printf(plan->scene->arena, "params(%s)", box->group->id));
    fig_line_words(&line, " parameters · ");
    fig_line_number(&line, fig_by_unit(plan, flops),
                    fig_arena_printf(plan->scene->arena, "flops(%s)", box->group->id));
    fig_line_words(&line, " FLOPs");
    /* in the right corner, or the left one where an edge leaves through the other */
    for (int corner = 0; corner < 2 && !fits; corner++) {
        double end = corner == 0 ? right : left + line.width;

        fits = line.width <= box->right - box->left - 2 * FIG_PANEL_PAD;
        for (guint i = 0; i < box->sinks->len; i++) {
            const FigNode *sink = box->sinks->pdata[i];
            double x = box->x0 + sink->x;

            if (!sink->took_side && x > end - line.width - 4 && x < end + 4)
                fits = false;
        }
        right = end;
    }
    if (!fits) {
        g_array_unref(line.pieces);
        return;
    }
    fig_line_draw(&line, right - line.width, y);
}

/* "×28" behind the title of a repeat. */
static void
draw_times(FigPlan *plan, FigItem *group, const FigBox *box)
{
    const FigTextBox *title = fig_plan_title(plan, box);
    const FigTextBox *times = fig_plan_times(plan, box);
    double x = box->x0 + box->title_x + (title ? title->width : 0) + FIG_TIMES_GAP;
    FigItem *item;

    if (!times)
        return;
    fig_draw_text(plan, group, "title",
                  fig_plan_text(plan, "×", FIG_FACE_SANS_STRONG, FIG_TYPE_LABEL), x,
                  box->y0 + 11.5, FIG_INK_TEXT);
    item = fig_draw_text(plan, group, "number", times, x + FIG_TIMES_SIGN,
                         box->y0 + 11.5, FIG_INK_TEXT);
    item->means.number = fig_arena_strdup(plan->scene->arena, box->group->repeat);
    x += FIG_TIMES_SIGN + times->width + FIG_TIMES_GAP;
    if (fig_strip_has(box))
        fig_strip_draw(plan, group, box, x);
    else
        fig_draw_text(plan, group, "title", fig_plan_kinds(plan, box), x,
                      box->y0 + 11.5, FIG_INK_MUTED);
}

static void
draw_panel(FigPlan *plan, FigItem *parent, const FigBox *box)
{
    if (box->panel) {
        FigItem *group = fig_scene_group(plan->scene, parent, "panel"), *rect;

        group->means.panel = box->group->id;
        rect = fig_scene_rect(plan->scene, group, "panel", box->x0 + box->left, box->y0,
                              box->right - box->left, box->height, FIG_PANEL_RADIUS);
        rect->fill = FIG_INK_PANEL_FILL;
        rect->stroke = FIG_INK_PANEL_BORDER;
        rect->stroke_width = 0.5; /* thinner than any mark's */
        fig_draw_text(plan, group, "title", fig_plan_title(plan, box),
                      box->x0 + box->title_x, box->y0 + 11.5, FIG_INK_TEXT);
        draw_times(plan, group, box);
        draw_totals(plan, group, box);
    }
    for (guint i = 0; i < box->nodes->len; i++) {
        const FigNode *node = box->nodes->pdata[i];

        if (node->box)
            draw_panel(plan, parent, node->box);
    }
}

void
fig_plan_draw_panels(FigPlan *plan)
{
    draw_panel(plan, fig_scene_group(plan->scene, NULL, "panels"), plan->root);
}
