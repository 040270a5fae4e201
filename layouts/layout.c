/* SPDX-License-Identifier: MIT
 *
 * A record to a scene: boxes are arranged from the inside out, first across (order and
 * x), then, when the page has given each its width, down (channels and y), and drawn.
 */
#include "layouts/layout.h"

#include "base/num.h"
#include "layouts/arrange.h"
#include "layouts/draw.h"
#include "layouts/texts.h"

#include <math.h>
#include <string.h>

/* What is larger, or wider than the page so many times, is not drawn for it. */
#define MOST_PRESSED_OPS 300
#define MOST_PRESSED 3.0
#define NEARLY 1.15 /* times the page: what fits this is drawn so all the same */

enum {
    ARRANGED = 4, /* times, at most, until marks keep their widths */
    DRAWN = 3,    /* … to find room for texts */
};

/* ---- across ---- */

/* Would a title over the upper border's inside lie on an edge that comes in there? */
static bool
is_crossed(const FigBox *box, double left, double right)
{
    for (guint i = 0; i < box->sources->len; i++) {
        const FigNode *source = box->sources->pdata[i];

        if (source->x > left - 6 && source->x < right + 6)
            return true;
    }
    return false;
}

/* Find a panel's title its place between the edges that come in from above, as far left
 * as can be; the panel grows where there is none. */
static void
fit_title(FigPlan *plan, FigBox *box)
{
    double width = fig_plan_title_width(plan, box), first = INFINITY, last = -INFINITY;
    double left = box->left + FIG_PANEL_PAD, right = box->right - FIG_PANEL_PAD;
    double best = INFINITY;

    for (guint i = 0; i <= box->sources->len; i++) {
        double x = i ? ((FigNode *)box->sources->pdata[i - 1])->x + 7 : left;

        if (i) {
            first = MIN(first, x - 14);
            last = MAX(last, x);
        }
        if (x >= left && x + width <= right && !is_crossed(box, x, x + width))
            best = MIN(best, x);
    }
    if (isinf(best) && box->sources->len == 0) {
        best = left;
        box->right = MAX(box->right, left + width + FIG_PANEL_PAD);
    } else if (isinf(best) &&
               MAX(left, last) + width - right < left - (first - width)) {
        best = MAX(left, last);
        box->right = best + width + FIG_PANEL_PAD;
    } else if (isinf(best)) {
        best = first - width;
        box->left = best - FIG_PANEL_PAD;
    }
    box->title_x = best;
}

static void
take_width(FigNode *node)
{
    node->left = -node->box->left;
    node->right = node->box->right;
    node->width = node->left + node->right;
}

/* Place a box whose rows are ordered. */
static void
place(FigPlan *plan, FigBox *box)
{
    if (box->loop) {
        fig_loop_place(box);
    } else if (box->stack) {
        fig_stack_place(plan, box);
    } else {
        fig_box_note_room(plan, box);
        fig_box_place(plan, box);
    }
    if (box->panel && !box->stack && !box->loop) {
        box->left -= FIG_PANEL_PAD;
        box->right += FIG_PANEL_PAD;
    }
    if (box->panel) {
        fit_title(plan, box);
        if (box->stack)
            fig_stack_fit(box);
    }
}

static void
arrange(FigPlan *plan, FigBox *box)
{
    for (guint i = 0; i < box->nodes->len; i++) {
        FigNode *node = box->nodes->pdata[i];

        if (!node->box)
            continue;
        arrange(plan, node->box);
        take_width(node);
    }
    if (!box->stack && !box->loop) {
        fig_box_rank(plan, box);
        fig_box_order(plan, box);
    }
    place(plan, box);
}

/* All main lines take the width of the widest box on one: place those again that were
 * placed before that was known, and what holds them. */
static bool
even(FigPlan *plan, FigBox *box)
{
    bool changed = box->main_width > 0 && box->main_width < plan->main_width;

    for (guint i = 0; i < box->nodes->len; i++) {
        FigNode *node = box->nodes->pdata[i];

        if (!node->box || !even(plan, node->box))
            continue;
        take_width(node);
        changed = true;
    }
    if (changed)
        place(plan, box);
    return changed;
}

/* Has a box, or the body of a frame, a rail? What leaves it does so at its right end, which
 * stays where it is. */
static bool
is_stack(const FigBox *box)
{
    while (box->loop)
        box = ((FigNode *)box->nodes->pdata[0])->box;
    return box->stack;
}

/* Give a box its ends; a panel alone in its row takes all of the room, so that panels of
 * a page line up. */
static void
fit(FigBox *box, double left, double right)
{
    box->left = left;
    box->right = right;
    if (box->stack) {
        fig_stack_fit(box);
        for (guint i = 0; i < box->segments->len; i++) {
            FigNode *segment = box->segments->pdata[i];

            fit(segment->box, fig_stack_inner_left(box) - segment->x,
                fig_stack_inner_right(box) - segment->x);
        }
        return;
    }
    for (guint i = 0; i < box->nodes->len; i++) {
        FigNode *node = box->nodes->pdata[i];
        double pad = box->panel ? FIG_PANEL_PAD : 0;

        if (!node->box)
            continue;
        if (!box->loop && box->rank[node->rank]->len == 1 && !is_stack(node->box))
            fit(node->box, left + pad - node->x, right - pad - node->x);
        else
            fit(node->box, node->box->left, node->box->right);
        node->left = -node->box->left;
        node->right = node->box->right;
    }
}

static double
least_width(const FigBox *root)
{
    return root->right - root->left + 2 * FIG_PAGE_MARGIN;
}

/* ---- down ---- */

/* Would what is drawn at a node of the first rows meet a title between two places? */
static bool
lies_under(const FigPlan *plan, const FigNode *node, double from, double to)
{
    double left = node->x - MAX(node->left, node->note_left);
    double right = node->x + MAX(node->right, node->note_right);

    left -= fig_callout_reach(plan, node);
    right += fig_callout_reach(plan, node);
    if (node->kind == FIG_NODE_STUB) { /* level from there to its reader */
        const FigNode *reader = ((FigHop *)node->up->pdata[0])->pin->to;

        left = MIN(node->x, reader->x);
        right = MAX(node->x, reader->x);
    } else if (node->hollow) {
        return false;
    }
    for (guint k = 0; k < node->down->len; k++) { /* the branches of a fork */
        const FigHop *hop = node->down->pdata[k];

        if (hop->leaves == FIG_SIDE_LEFT)
            left = MIN(left, fig_hop_enters_x(hop));
        else if (hop->leaves == FIG_SIDE_RIGHT)
            right = MAX(right, fig_hop_enters_x(hop));
    }
    return left - 6 < to && right + 6 > from;
}

/* Does a run under the first row lie between two places? */
static bool
runs_under(const FigStretch *run, double from, double to)
{
    return run->track >= 0 && run->low < to && run->high > from;
}

/* Room over the rows for a panel's title when it would lie on something. */
static void
make_title_room(FigPlan *plan, FigBox *box)
{
    const FigTextBox *title;
    bool under = false;

    box->pad_top = 0;
    if (!box->panel)
        return;
    fit_title(plan, box);
    title = fig_plan_title(plan, box);
    if (box->stack || box->loop) {
        box->pad_top = 16;
        return;
    }
    for (guint i = 0; box->n_ranks > 1 && i < box->channel[0]->len; i++)
        under = under || runs_under(box->channel[0]->pdata[i], box->title_x - 6,
                                    box->title_x + fig_plan_title_width(plan, box) + 6);
    for (int r = 0; r < MIN(2, box->n_ranks); r++)
        for (guint i = 0; title && i < box->rank[r]->len; i++) {
            const FigNode *node = box->rank[r]->pdata[i];

            /* what begins under a level part of an edge lies lower than the title, but
             * not the words over a fork */
            if (r == 1 && box->tracks[0] > 0 &&
                !(node->op && plan->marks[fig_plan_op_index(plan, node->op)].fork))
                continue;
            under = under || lies_under(plan, node, box->title_x,
                                        box->title_x + fig_plan_title_width(plan, box));
        }
    if (under)
        box->pad_top = 13;
}

static void
route(FigPlan *plan, FigBox *box)
{
    for (guint i = 0; i < box->nodes->len; i++) {
        FigNode *node = box->nodes->pdata[i];

        if (!node->box)
            continue;
        route(plan, node->box);
        node->height = node->box->height;
    }
    make_title_room(plan, box);
    if (box->loop)
        fig_loop_route(plan, box);
    else if (box->stack)
        fig_stack_route(plan, box);
    else
        fig_box_route(plan, box);
}

static void
settle(FigBox *box, double x0, double y0)
{
    box->x0 = x0;
    box->y0 = y0;
    for (guint i = 0; i < box->nodes->len; i++) {
        const FigNode *node = box->nodes->pdata[i];

        if (node->box)
            settle(node->box, x0 + node->x, y0 + node->y - node->height / 2);
    }
}

/* ---- the scene ---- */

static void
fill_metadata(FigPlan *plan, const FigLayoutOptions *options)
{
    const FigRecord *record = plan->record;
    FigScene *scene = plan->scene;
    g_autofree char *digest = fig_record_digest(record);
    g_autofree char *title = NULL;

    scene->id = fig_arena_strdup(scene->arena, record->name);
    if (record->title.text) {
        g_autofree char *text = fig_sentence_text(&record->title);

        title = fig_text_plain(text);
    }
    scene->title = fig_arena_strdup(scene->arena, title ? title : record->name);
    scene->spec_text = fig_arena_strdup(scene->arena, record->spec_text);
    scene->options = fig_arena_strdup(
        scene->arena, options && options->options ? options->options : "");
    scene->digest = fig_arena_strdup(scene->arena, digest);
    scene->version = fig_arena_strdup(scene->arena, record->version);
    scene->description = fig_plan_describe(plan);
}

/* A scene outlives the record: what its items say becomes its own. */
static void
own(FigScene *scene, FigItem *item)
{
    const char **fields[] = {
        &item->means.op,     &item->means.class_,  &item->means.input,
        &item->means.output, &item->means.edge,    &item->means.value,
        &item->means.fork,   &item->means.shape,   &item->means.name,
        &item->means.claim,  &item->means.callout, &item->means.number,
        &item->means.panel,  &item->means.legend,  &item->means.part,
    };

    for (size_t i = 0; i < G_N_ELEMENTS(fields); i++)
        *fields[i] = fig_arena_strdup(scene->arena, *fields[i]);
    for (FigItem *child = item->first; child; child = child->next)
        own(scene, child);
}

static double
arrange_all(FigPlan *plan)
{
    FigBox *root = plan->root;
    double least;

    do {
        plan->restless = false;
        arrange(plan, root);
    } while (plan->restless);
    even(plan, root);
    least = least_width(root);
    if (root->stack && least > plan->width)
        least = fig_stack_squeeze(root, plan->width - 2 * FIG_PAGE_MARGIN) +
                2 * FIG_PAGE_MARGIN;
    return least;
}

/* Arrange all, pressed as far as the page needs it; the least width so. What does not
 * nearly fit even then is not pressed, unless the width is given: its page grows. */
static double
arrange_narrow(FigPlan *plan, bool given)
{
    double least = arrange_all(plan);
    bool pressed = false, hopeless;

    hopeless =
        least > MOST_PRESSED * plan->width || plan->record->n_ops > MOST_PRESSED_OPS;
    while (least > plan->width && (given || !hopeless) &&
           fig_plan_press(plan, plan->width - 2 * FIG_PAGE_MARGIN)) {
        pressed = true;
        fig_plan_measure_again(plan);
        least = arrange_all(plan);
    }
    if (least > NEARLY * plan->width && !given && pressed) {
        fig_plan_release(plan);
        fig_plan_measure_again(plan);
        least = arrange_all(plan);
    }
    return least;
}

/* Arrange all until marks keep their widths: those that have been made as wide as others
 * are then a measure for those beside and under them. */
static double
arrange_settled(FigPlan *plan, bool given)
{
    double least;
    int times = 0;

    do
        least = arrange_narrow(plan, given);
    while (fig_plan_widths_changed(plan) && ++times < ARRANGED);
    return least;
}

static void
say_least(FigPlan *plan, const FigLayoutOptions *options, double least)
{
    const double unit = options->unit > 0 ? options->unit : 1;
    g_autoptr(GString) number = g_string_new(NULL);
    int digits = unit > 10 ? 2 : 0;
    double step = pow(10, -digits);

    fig_num_fixed(number, ceil(least / unit / step - 1e-9) * step, digits);
    fig_diag_error(plan->diag, (FigSpan){0},
                   "this figure needs a width of at least %s %s", number->str,
                   options->unit_name ? options->unit_name : "pt");
}

/* What stands in rows, from the ways of edges on, and the head over it; its lower end. */
static double
draw_rows(FigPlan *plan, double x0)
{
    double top;

    plan->cramped = false;
    plan->scene->root->first = plan->scene->root->last = NULL;
    route(plan, plan->root);
    top = fig_plan_draw_head(plan);
    settle(plan->root, x0, top);
    fig_plan_draw_panels(plan);
    fig_plan_draw_edges(plan);
    fig_plan_draw_marks(plan);
    fig_plan_draw_notes(plan);
    return top + plan->root->height;
}

static bool
lay_out(FigPlan *plan, const FigLayoutOptions *options)
{
    FigBox *root = plan->root;
    bool given = options && options->width > 0;
    double left, right, x0, bottom, least;

    fig_plan_nets(plan);
    if (!fig_plan_measure(plan))
        return false;
    least = arrange_settled(plan, given);
    least = MAX(least, fig_plan_foot_least(plan));
    if (!given && least > plan->width) {
        plan->width = ceil(least); /* the page grows with what is on it */
        if (root->stack)
            fig_stack_squeeze(root, plan->width - 2 * FIG_PAGE_MARGIN);
    }
    if (least > plan->width + 0.01) {
        say_least(plan, options, least);
        return false;
    }
    left = FIG_PAGE_MARGIN;
    right = plan->width - FIG_PAGE_MARGIN;
    x0 = plan->width / 2; /* the main line in the middle of the page, if that fits */
    x0 = CLAMP(x0, left - root->left, right - root->right);
    x0 = round(x0 * 2) / 2;
    fit(root, left - x0, right - x0);
    fig_plan_callouts(plan);
    do
        bottom = draw_rows(plan, x0);
    while (plan->cramped && ++plan->round < DRAWN);
    fig_plan_draw_leaders(plan);
    bottom = fig_plan_draw_foot(plan, bottom);
    plan->scene->width = plan->width;
    plan->scene->height = ceil(bottom);
    if (options && options->draft)
        fig_plan_draw_draft(plan);
    fill_metadata(plan, options);
    own(plan->scene, plan->scene->root);
    return true;
}

FigScene *
fig_layout_place(const FigRecord *record, const FigLayoutOptions *options,
                 FigFonts *fonts, FigDiag *diag)
{
    g_autoptr(FigScene) scene = fig_scene_new();
    FigPlan plan = {.arena = scene->arena,
                    .record = record,
                    .fonts = fonts,
                    .diag = diag,
                    .scene = scene};
    const char *layout = options && options->layout ? options->layout : "block";
    const char *theme = options && options->theme ? options->theme : "light";
    int before = fig_diag_errors(diag);
    FigTheme look;
    bool good;

    plan.width = options && options->width > 0 ? options->width : 396;
    plan.version = options && options->version ? options->version : record->version;
    plan.style = fig_style_read(layout, scene->arena, diag);
    if (!fig_theme_read(theme, &look, scene->arena, diag) || !plan.style)
        return NULL;
    memcpy(scene->palette, look.palette, sizeof look.palette);
    memcpy(scene->dark, look.dark, sizeof look.dark);
    scene->has_dark = look.has_dark;
    scene->transparent = options && options->transparent;
    scene->text_mode = options ? options->text : FIG_TEXT_LIVE;
    fig_fonts_begin(fonts);
    fig_fonts_set_words(fonts, look.words ? look.words : *fig_fonts_families());
    plan.garbage = g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref);
    plan.writer = fig_plan_table(&plan);
    plan.node_of = fig_plan_table(&plan);
    plan.output_of = fig_plan_table(&plan);
    plan.note_of = fig_plan_table(&plan);
    plan.value_of = fig_plan_table(&plan);
    plan.group_of = fig_plan_table(&plan);
    plan.ops_of = fig_plan_table(&plan);
    fig_plan_structure(&plan);
    good = fig_overrides_check(&plan) && lay_out(&plan, options) &&
           fig_diag_errors(diag) == before;
    g_ptr_array_unref(plan.garbage);
    g_autofree char *word = fig_fonts_word(fonts);
    scene->fonts = fig_arena_strdup(scene->arena, word);
    return good ? g_steal_pointer(&scene) : NULL;
}
