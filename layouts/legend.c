/* SPDX-License-Identifier: MIT
 *
 * The legend: what the marks of each class look like, how many there are and what they
 * cost, all computed from the record; and how to read the figure. Nothing is explained
 * that is not in it.
 */
#include "layouts/draw.h"
#include "layouts/texts.h"

#include "base/num.h"

#include <string.h>

#define SWATCH_WIDTH 22.0
#define SWATCH_HEIGHT 10.0
#define COLUMN 32.0 /* of numbers */
#define KEY_LINE 8.8
#define COLUMNS (2 * COLUMN + 22) /* from the left end of the first to the right */

typedef struct Legend {
    FigPlan *plan;
    double left, right; /* of the column */
    double column[3];   /* right ends of the numbers */
} Legend;

/* How many ops an op counts for: a joined weight counts as its members. */
static int
logical(const FigPlan *plan, const FigRecordOp *op)
{
    int count = 1;

    for (int r = 0; r < op->n_reads; r++) {
        const FigRecordValue *value =
            op->reads[r].value ? fig_plan_value(plan, op->reads[r].value) : NULL;

        if (value && !fig_plan_is_edge(&op->reads[r]))
            count = MAX(count, value->n_members);
    }
    return count;
}

static bool
has_joined(const FigPlan *plan)
{
    for (int v = 0; v < plan->record->n_values; v++)
        if (plan->record->values[v].n_members)
            return true;
    return false;
}

static bool
is_matmul(FigClass class)
{
    return class == FIG_CLASS_WEIGHT_MATMUL || class == FIG_CLASS_ACTIVATION_MATMUL;
}

/* The share of a class of the FLOPs of all matmuls, in percent: "92.5". */
static const char *
share(FigPlan *plan, FigClass class)
{
    double of_class = 0, all = 0;
    g_autoptr(GString) out = g_string_new(NULL);

    for (int i = 0; i < plan->record->n_ops; i++) {
        const FigRecordOp *op = &plan->record->ops[i];

        if (is_matmul(op->class))
            all += (double)op->flops_number;
        if (op->class == class)
            of_class += (double)op->flops_number;
    }
    fig_num_fixed(out, all > 0 ? 100 * of_class / all : 0, 1);
    if (!strchr(out->str, '.')) /* as many digits as the number under it */
        g_string_append(out, ".0");
    return fig_arena_strdup(plan->arena, out->str);
}

/* The different titles of a class's ops, in order: "RMSNorm". */
static const char *
titles(FigPlan *plan, FigClass class)
{
    g_autoptr(GPtrArray) seen = g_ptr_array_new();
    g_autoptr(GString) out = g_string_new(NULL);

    for (int i = 0; i < plan->record->n_ops; i++) {
        const FigRecordOp *op = &plan->record->ops[i];

        if (op->class != class ||
            g_ptr_array_find_with_equal_func(seen, op->title, g_str_equal, NULL))
            continue;
        g_ptr_array_add(seen, (void *)op->title);
        g_string_append_printf(out, "%s%s", out->len ? ", " : "", op->title);
    }
    return fig_arena_strdup(plan->arena, out->str);
}

static const char *
class_title(FigPlan *plan, FigClass class)
{
    if (plan->style->class_title[class])
        return plan->style->class_title[class];
    return class == FIG_CLASS_OTHER ? "other ops" : titles(plan, class);
}

static bool
has_class(const FigPlan *plan, FigClass class)
{
    for (int i = 0; i < plan->record->n_ops; i++)
        if (plan->record->ops[i].class == class)
            return true;
    return false;
}

static bool
has_matmuls(const FigPlan *plan)
{
    return has_class(plan, FIG_CLASS_WEIGHT_MATMUL) ||
           has_class(plan, FIG_CLASS_ACTIVATION_MATMUL);
}

typedef enum Share { NONE, SOME, ALL } Share;

/* How many boxes of a class bear the diamond of learned weights? */
static Share
corners(const FigPlan *plan, FigClass class)
{
    bool with = false, without = false;

    for (int i = 0; i < plan->record->n_ops; i++) {
        const FigMarkText *text = &plan->marks[i];

        if (plan->record->ops[i].class != class || text->circle || text->fork)
            continue;
        with = with || text->corner;
        without = without || !text->corner;
    }
    return !with ? NONE : without ? SOME : ALL;
}

/* The kinds of a class with their counts, most first: "reshape 5, pointwise 4, …". */
static void
add_kinds(FigPlan *plan, FigLine *line, FigClass class)
{
    g_autoptr(GPtrArray) kinds = g_ptr_array_new();
    g_autoptr(GArray) counts = g_array_new(FALSE, FALSE, sizeof(int));

    for (int i = 0; i < plan->record->n_ops; i++) {
        const FigRecordOp *op = &plan->record->ops[i];
        guint at;

        if (op->class != class)
            continue;
        if (g_ptr_array_find_with_equal_func(kinds, op->kind, g_str_equal, &at)) {
            g_array_index(counts, int, at)++;
        } else {
            int one = 1;

            g_ptr_array_add(kinds, (void *)op->kind);
            g_array_append_val(counts, one);
        }
    }
    for (guint done = 0; done < kinds->len; done++) {
        guint best = 0;

        for (guint i = 1; i < kinds->len; i++)
            if (g_array_index(counts, int, i) > g_array_index(counts, int, best))
                best = i;
        fig_line_words(line, fig_arena_printf(plan->arena, "%s%s ", done ? ", " : "",
                                              (const char *)kinds->pdata[best]));
        fig_line_number(
            line, fig_plain_digits(plan, g_array_index(counts, int, best)),
            fig_arena_printf(plan->scene->arena, "count(class = %s, kind = %s)",
                             fig_class_name(class), (const char *)kinds->pdata[best]));
        g_array_index(counts, int, best) = 0;
    }
}

static void
draw_number(Legend *legend, FigItem *group, int column, const char *text,
            const char *expr, double y)
{
    FigLine line = {.plan = legend->plan, .group = group, .ink = FIG_INK_TEXT};

    if (expr)
        fig_line_number(&line, text, expr);
    else
        fig_line_words(&line, text);
    fig_line_draw(&line, legend->column[column] - line.width, y);
}

static void
draw_share(Legend *legend, FigItem *group, FigClass class, double y)
{
    FigPlan *plan = legend->plan;
    FigLine line = {.plan = plan, .group = group, .ink = FIG_INK_TEXT};

    fig_line_number(
        &line, share(plan, class),
        fig_arena_printf(plan->scene->arena, "share(%s)", fig_class_name(class)));
    fig_line_words(&line, " %");
    fig_line_draw(&line, legend->column[2] - line.width, y);
}

static double
draw_class(Legend *legend, FigClass class, double y)
{
    FigPlan *plan = legend->plan;
    FigArena *arena = plan->scene->arena;
    FigItem *group = fig_scene_group(plan->scene, NULL, "legend");
    const char *name = fig_class_name(class);
    FigLine line = {.plan = plan, .group = group, .ink = FIG_INK_TEXT};
    double text_x = legend->left + SWATCH_WIDTH + 5;
    int count = 0, logicals = 0;

    for (int i = 0; i < plan->record->n_ops; i++)
        if (plan->record->ops[i].class == class) {
            count++;
            logicals += logical(plan, &plan->record->ops[i]);
        }
    group->means.legend = name;
    fig_draw_class(plan, group, class, legend->left + SWATCH_WIDTH / 2, y - 2.4,
                   SWATCH_WIDTH, SWATCH_HEIGHT, corners(plan, class) == ALL);
    fig_line_words(&line, class_title(plan, class));
    fig_line_draw(&line, text_x, y);
    draw_number(legend, group, 0, fig_plain_digits(plan, count),
                fig_arena_printf(arena, "steps(class = %s)", name), y);
    if (has_joined(plan))
        draw_number(legend, group, 1, fig_plain_digits(plan, logicals),
                    fig_arena_printf(arena, "count(class = %s)", name), y);
    if (is_matmul(class))
        draw_share(legend, group, class, y);
    else if (has_matmuls(plan))
        draw_number(legend, group, 2, "–", NULL, y);

    line = (FigLine){.plan = plan, .group = group, .size = FIG_TYPE_SMALL};
    if (plan->style->class_note[class])
        fig_line_words(&line, plan->style->class_note[class]);
    else if (class == FIG_CLASS_OTHER)
        add_kinds(plan, &line, class);
    else
        fig_line_words(&line, is_matmul(class) && corners(plan, class) != NONE
                                  ? "by a learned weight"
                              : corners(plan, class) == ALL ? "with a learned gain"
                              : corners(plan, class) == SOME
                                  ? "some with a learned gain"
                                  : "without weights");
    fig_line_draw(&line, text_x, y + 7.8);
    return y + 18.4;
}

/* Do the classes of any marks bear the diamond? */
static bool
has_corners(const FigPlan *plan)
{
    for (int class = 0; class < FIG_CLASSES; class ++)
        if (corners(plan, (FigClass) class) != NONE)
            return true;
    return false;
}

static double
draw_classes(FigPlan *plan, double left, double right, double y)
{
    const double shift = has_joined(plan) ? COLUMN : 0;
    Legend legend = {
        plan, left, right, {right - COLUMN - shift, right - COLUMN, right}};
    FigItem *group = fig_plan_part(plan, "legend-head");
    static const char *const heads[] = {"drawn", "unfused", "FLOPs"};
    FigLine line = {.plan = plan, .group = group};

    if (has_corners(plan)) {
        fig_draw_diamond(plan, group, left + SWATCH_WIDTH / 2, y - 2.4, FIG_INK_TEXT);
        fig_line_words(&line, "learned weights");
        fig_line_draw(&line, left + SWATCH_WIDTH + 5, y);
    }
    for (int i = 0; i < (has_matmuls(plan) ? 3 : 2); i++) {
        if (i == 1 && !has_joined(plan))
            continue;
        fig_line_words(&line, heads[i]);
        fig_line_draw(&line, legend.column[i] - line.width, y);
    }
    y += 12;
    for (int class = 0; class < FIG_CLASSES; class ++) {
        if (has_class(plan, (FigClass) class))
            y = draw_class(&legend, (FigClass) class, y);
    }
    return y - 10.6;
}

/* ---- how to read it ---- */

/* Is a shape printed anywhere in the drawing? */
static bool
has_shape(const FigItem *item)
{
    bool any = item->means.shape != NULL;

    for (const FigItem *child = item->first; child && !any; child = child->next)
        any = has_shape(child);
    return any;
}

/* A line of the key: what it is about, under the swatches, and what is said of it. What is
 * too wide for them stands before the words. */
static double
draw_entry(FigPlan *plan, FigLine *term, FigLine *line, double x, double y)
{
    double words = x + SWATCH_WIDTH + 5;

    if (term->width > SWATCH_WIDTH + 2) {
        double width = term->width;

        fig_line_draw(term, words, y);
        fig_line_draw(line, words + width + 4, y);
    } else {
        fig_line_draw(term, x, y);
        fig_line_draw(line, words, y);
    }
    return y + KEY_LINE;
}

/* A joined weight counts as its members. */
static double
draw_members(FigPlan *plan, FigItem *group, double x, double y)
{
    const FigRecord *record = plan->record;

    for (int v = 0; v < record->n_values; v++) {
        const FigRecordValue *value = &record->values[v];
        FigLine term = {.plan = plan, .group = group, .size = FIG_TYPE_SMALL},
                line = term;
        g_autofree char *name = g_strdup_printf("$%s$", value->label);
        g_autoptr(GString) text = g_string_new("fuses ");

        if (!value->n_members)
            continue;
        for (int m = 0; m < value->n_members; m++) {
            const FigRecordValue *member = fig_plan_value(plan, value->members[m]);

            g_string_append_printf(text, "%s$%s$", m ? ", " : "",
                                   member ? member->label : "");
        }
        fig_line_words(&term, name);
        fig_line_words(&line, text->str);
        y = draw_entry(plan, &term, &line, x, y);
    }
    return y;
}

/* How to read the figure, under the legend. */
static double
draw_key(FigPlan *plan, double x, double y)
{
    const FigRecord *record = plan->record;
    FigItem *group = fig_plan_part(plan, "key");
    FigLine term = {.plan = plan, .group = group, .size = FIG_TYPE_SMALL}, line = term;
    int64_t parameters, flops;

    fig_group_totals(plan, NULL, &parameters, &flops);
    if (record->n_ops > 1) {
        fig_line_words(&term, "1 to ");
        fig_line_number(&term, fig_plain_digits(plan, record->n_ops), "steps()");
        fig_line_words(&line, "order of execution");
        y = draw_entry(plan, &term, &line, x, y);
    }
    if (has_shape(plan->scene->root)) {
        fig_line_words(&term, "shape");
        fig_line_words(&line, "of the value on the arrow");
        y = draw_entry(plan, &term, &line, x, y);
    }
    y = draw_members(plan, group, x, y);
    if (has_matmuls(plan)) {
        fig_line_words(&term, "FLOPs");
        fig_line_words(&line, "share of all matmuls together");
        y = draw_entry(plan, &term, &line, x, y);
    }
    fig_line_words(&term, "total");
    if (parameters > 0) {
        fig_line_number(&line, fig_plain_integer(plan, parameters), "params()");
        fig_line_words(&line, " parameters, ");
    }
    fig_line_number(&line, fig_plain_integer(plan, flops), "flops()");
    fig_line_words(&line, " FLOPs");
    y = draw_entry(plan, &term, &line, x, y);
    return y - KEY_LINE;
}

double
fig_plan_draw_legend(FigPlan *plan, double left, double right, double y)
{
    y = draw_classes(plan, left, right, y) + 13;
    return draw_key(plan, left, y);
}

double
fig_plan_legend_least(FigPlan *plan)
{
    double least = 0;

    for (int class = 0; class < FIG_CLASSES; class ++) {
        const char *title = class_title(plan, (FigClass) class);
        const FigTextBox *text =
            fig_plan_text(plan, title, FIG_FACE_SANS, FIG_TYPE_SHAPE);

        if (has_class(plan, (FigClass) class) && text)
            least = MAX(least, SWATCH_WIDTH + 5 + text->width + COLUMNS + 12);
    }
    return least;
}
