/* SPDX-License-Identifier: MIT
 *
 * What stands over and under the drawing: title, subtitle and dims; a legend whose counts
 * and shares are computed from the record; the claims with their marks; and a footer that
 * says how to read the figure and what it was drawn from.
 */
#include "layouts/plan.h"

#include "base/num.h"

#include <math.h>
#include <string.h>

static FigItem *
part(FigPlan *plan, const char *name)
{
    FigItem *group = fig_scene_group(plan->scene, NULL, name);

    group->means.part = name;
    return group;
}

static const char *
format(FigPlan *plan, int64_t value)
{
    return fig_arena_printf(plan->scene->arena, "%" G_GINT64_FORMAT, value);
}

/* Lines in the middle of the page; the baseline of the last. */
static double
draw_centred(FigPlan *plan, FigItem *group, const char *source, FigFace face,
             double size, double baseline)
{
    const FigTextStyle style = {.face = face, .size = size};
    int n = 0;
    const FigTextBox *const *lines =
        fig_plan_wrap(plan, source, &style, plan->width - 2 * FIG_PAGE_MARGIN, &n);

    for (int i = 0; i < n; i++) {
        if (i > 0)
            baseline += fig_plan_leading(lines, i, 1.2 * size);
        fig_draw_text(plan, group, group->role, lines[i],
                      (plan->width - lines[i]->width) / 2, baseline, FIG_INK_TEXT);
    }
    return baseline;
}

/* ---- over the drawing ---- */

/* Does a name stand in an expression? */
static bool
names(const char *expression, const char *id)
{
    size_t length = strlen(id);

    for (const char *at = strstr(expression, id); at; at = strstr(at + 1, id))
        if ((at == expression || !(g_ascii_isalnum(at[-1]) || at[-1] == '_')) &&
            !(g_ascii_isalnum(at[length]) || at[length] == '_'))
            return true;
    return false;
}

/* Does a dim stand in a shape of the record, or say how often something runs? Others would
 * be words without a use. */
static bool
is_used(const FigRecord *record, const char *id)
{
    for (int v = 0; v < record->n_values; v++)
        for (int a = 0; a < record->values[v].rank; a++)
            if (names(record->values[v].shape[a], id))
                return true;
    for (int g = 0; g < record->n_groups; g++)
        if (record->groups[g].repeat && names(record->groups[g].repeat, id))
            return true;
    return false;
}

static void
add_dim(FigPlan *plan, FigLine *line, const FigRecordDim *dim)
{
    fig_line_add(line, fig_arena_printf(plan->arena, "$%s$", dim->label), FIG_FACE_SANS,
                 FIG_INK_TEXT, NULL);
    fig_line_space(line, 2.5);
    fig_line_add(line, format(plan, dim->size), FIG_FACE_SANS_STRONG, FIG_INK_TEXT,
                 fig_arena_strdup(plan->scene->arena, dim->id));
    if (dim->what) {
        fig_line_space(line, 2.5);
        fig_line_words(line, dim->what);
    }
}

/* A constant whose value found no place beside its marks. */
static void
add_constant(FigPlan *plan, FigLine *line, const FigRecordConstant *constant)
{
    fig_line_add(line, fig_arena_printf(plan->arena, "$%s$", constant->label),
                 FIG_FACE_SANS, FIG_INK_TEXT, NULL);
    fig_line_space(line, 2.5);
    fig_line_add(line,
                 fig_arena_printf(plan->arena, "$%s$",
                                  fig_plan_number_tex(plan, constant->text)),
                 FIG_FACE_SANS, FIG_INK_TEXT,
                 fig_arena_strdup(plan->scene->arena, constant->id));
}

/* The entries over the drawing: dims, then constants. */
static bool
add_entry(FigPlan *plan, FigLine *line, int i)
{
    const FigRecord *record = plan->record;

    if (i < record->n_dims) {
        if (is_used(record, record->dims[i].id))
            add_dim(plan, line, &record->dims[i]);
        return line->width > 0;
    }
    i -= record->n_dims;
    for (int k = 0; k < record->n_ops; k++)
        if (plan->marks[k].beside_away &&
            !strcmp(plan->marks[k].beside_expr, record->constants[i].id)) {
            add_constant(plan, line, &record->constants[i]);
            return true;
        }
    return false;
}

/* The entries in as few rows as hold them, rows about equally long. */
static double
draw_dims(FigPlan *plan, double y)
{
    const FigRecord *record = plan->record;
    FigItem *group = part(plan, "dims");
    const double room = plan->width - 2 * FIG_PAGE_MARGIN, least = 8, most = 14;
    const int n_entries = record->n_dims + record->n_constants;
    g_autofree double *width = g_new0(double, n_entries + 1);
    double all = -least;
    int rows, at = 0;

    for (int i = 0; i < n_entries; i++) {
        FigLine line = {.plan = plan, .group = group};

        if (!add_entry(plan, &line, i))
            continue;
        width[i] = line.width;
        all += width[i] + least;
        g_array_unref(line.pieces);
    }
    rows = MAX(1, (int)ceil(all / room));
    while (at < n_entries) {
        FigLine line = {.plan = plan, .group = group};
        double sum = 0, gap;
        int first = at, n = 0;

        for (; at < n_entries; at++) {
            if (width[at] == 0)
                continue;
            if (n > 0 && (sum + n * least + width[at] > room ||
                          (rows > 1 && sum + n * least + width[at] / 2 > all / rows)))
                break;
            sum += width[at];
            n++;
        }
        if (n == 0)
            break;
        gap = n > 1 ? MIN(most, (room - sum) / (n - 1)) : 0;
        for (int i = first; i < at; i++) {
            if (width[i] == 0)
                continue;
            if (line.width > 0)
                fig_line_space(&line, gap);
            add_entry(plan, &line, i);
        }
        fig_line_draw(&line, (plan->width - line.width) / 2, y);
        y += 10;
    }
    return y - 10;
}

double
fig_plan_draw_head(FigPlan *plan)
{
    const FigRecord *record = plan->record;
    double y = 17;

    if (record->title.text) {
        y = 12.5 + draw_centred(plan, part(plan, "title"),
                                fig_plan_sentence(plan, &record->title),
                                FIG_FACE_SANS_STRONG, FIG_TYPE_TITLE, y);
    }
    if (record->subtitle.text) {
        y = 12.5 + draw_centred(plan, part(plan, "subtitle"),
                                fig_plan_sentence(plan, &record->subtitle),
                                FIG_FACE_SANS, FIG_TYPE_LABEL, y);
    }
    return draw_dims(plan, y) + 10;
}

/* ---- legend ---- */

#define SWATCH_WIDTH 22.0
#define SWATCH_HEIGHT 10.0
#define COLUMN 32.0               /* of numbers */
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
    return class == FIG_CLASS_OTHER ? "everything else" : titles(plan, class);
}

static bool
has_class(const FigPlan *plan, FigClass class)
{
    for (int i = 0; i < plan->record->n_ops; i++)
        if (plan->record->ops[i].class == class)
            return true;
    return false;
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
            line, format(plan, g_array_index(counts, int, best)),
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
    draw_number(legend, group, 0, format(plan, count),
                fig_arena_printf(arena, "steps(class = %s)", name), y);
    draw_number(legend, group, 1, format(plan, logicals),
                fig_arena_printf(arena, "count(class = %s)", name), y);
    if (is_matmul(class))
        draw_share(legend, group, class, y);
    else
        draw_number(legend, group, 2, "–", NULL, y);

    line = (FigLine){.plan = plan, .group = group, .size = FIG_TYPE_SMALL};
    if (plan->style->class_note[class])
        fig_line_words(&line, plan->style->class_note[class]);
    else if (class == FIG_CLASS_OTHER)
        add_kinds(plan, &line, class);
    else
        fig_line_words(&line, corners(plan, class) == ALL ? "with a learned gain"
                              : corners(plan, class) == SOME
                                  ? "some with a learned gain"
                                  : "without weights");
    fig_line_draw(&line, text_x, y + 8);
    return y + 20;
}

static double
draw_legend(FigPlan *plan, double left, double right, double y)
{
    Legend legend = {plan, left, right, {right - 2 * COLUMN, right - COLUMN, right}};
    FigItem *group = part(plan, "legend-head");
    FigPathBuilder *path = fig_path_begin(plan->scene);
    static const char *const heads[] = {"marks", "logical", "FLOPs"};
    FigItem *item;
    FigLine line = {.plan = plan, .group = group};
    double x = left + SWATCH_WIDTH / 2, middle = y - 2.4;

    fig_path_move(path, x, middle - FIG_CORNER);
    fig_path_line(path, x + FIG_CORNER, middle);
    fig_path_line(path, x, middle + FIG_CORNER);
    fig_path_line(path, x - FIG_CORNER, middle);
    fig_path_close(path);
    item = fig_scene_path(plan->scene, group, "corner", fig_path_end(path));
    item->fill = FIG_INK_PAPER;
    item->stroke = FIG_INK_TEXT;
    item->stroke_width = 0.9;
    fig_line_words(&line, "learned weights");
    fig_line_draw(&line, left + SWATCH_WIDTH + 5, y);
    for (int i = 0; i < 3; i++) {
        fig_line_words(&line, heads[i]);
        fig_line_draw(&line, legend.column[i] - line.width, y);
    }
    y += 12.5;
    for (int class = 0; class < FIG_CLASSES; class ++) {
        if (has_class(plan, (FigClass) class))
            y = draw_class(&legend, (FigClass) class, y);
    }
    return y - 12;
}

/* ---- claims ---- */

#define WIDOW 0.25 /* of the width: a last line shorter than this */

typedef enum Verdict { HOLDS, UNCHECKED, BROKEN } Verdict;

static void
draw_tick(FigPlan *plan, FigItem *group, double x, double baseline, Verdict verdict)
{
    FigPathBuilder *path = fig_path_begin(plan->scene);
    double y = baseline - 2.5;
    FigItem *item;

    if (verdict == HOLDS) {
        fig_path_move(path, x + 0.4, y + 0.1);
        fig_path_line(path, x + 2.3, y + 2.0);
        fig_path_line(path, x + 5.8, y - 2.2);
    } else if (verdict == UNCHECKED) {
        fig_path_circle(path, x + 3, y, 1.9);
    } else {
        fig_path_move(path, x + 1, y - 2);
        fig_path_line(path, x + 5, y + 2);
        fig_path_move(path, x + 5, y - 2);
        fig_path_line(path, x + 1, y + 2);
    }
    item = fig_scene_path(plan->scene, group, "tick", fig_path_end(path));
    item->stroke = verdict == HOLDS    ? FIG_INK_ACCENT
                   : verdict == BROKEN ? FIG_INK_DRAFT
                                       : FIG_INK_MUTED;
    item->stroke_width = verdict == UNCHECKED ? 0.8 : 1.2;
    item->round_caps = true;
}

/* The steps that a claim is about: "3, 4", or NULL. */
static const char *
steps_of(FigPlan *plan, const FigRecordClaim *claim)
{
    const FigRecordOp *op = claim->at ? fig_record_op(plan->record, claim->at) : NULL;
    g_autoptr(GString) out = g_string_new(NULL);

    for (int i = -1; op && i < claim->n_also; i++) {
        if (i >= 0)
            op = fig_record_op(plan->record, claim->also[i]);
        g_string_append_printf(out, "%s%d", i >= 0 ? ", " : "", op ? op->step : 0);
    }
    return out->len ? fig_arena_strdup(plan->arena, out->str) : NULL;
}

/* A sentence with its tick and the numbers of the marks where it would stand. */
static double
draw_sentence(FigPlan *plan, FigItem *group, const char *text, const char *steps,
              Verdict verdict, double x, double width, double y)
{
    FigTextStyle style = {.face = FIG_FACE_SANS, .size = FIG_TYPE_SHAPE};
    const char *whole = verdict == UNCHECKED
                            ? fig_arena_printf(plan->arena, "%s (unchecked)", text)
                            : text;
    const FigTextBox *number =
        steps ? fig_plan_text(plan, steps, FIG_FACE_SANS_STRONG, FIG_TYPE_SHAPE) : NULL;
    double indent = 10 + (number ? number->width + 4 : 0);
    int n = 0;
    const FigTextBox *const *lines =
        fig_text_wrap(plan->fonts, plan->arena, whole, &style, width - indent, &n,
                      (FigSpan){0}, plan->diag);

    if (n > 1 && lines[n - 1]->width < WIDOW * width) /* no word alone */
        lines = fig_plan_wrap(plan, whole, &style, width - indent, &n);
    draw_tick(plan, group, x, y, verdict);
    fig_draw_text(plan, group, "steps", number, x + 10, y, FIG_INK_ACCENT);
    for (int i = 0; i < n; i++) {
        if (i > 0)
            y += fig_plan_leading(lines, i, 8.8);
        fig_draw_text(plan, group, "claim", lines[i], x + indent, y,
                      verdict == UNCHECKED ? FIG_INK_MUTED : FIG_INK_TEXT);
    }
    return y + 12;
}

static bool
is_callout(const FigPlan *plan, const FigRecordClaim *claim)
{
    const FigRecordOp *op = claim->at ? fig_record_op(plan->record, claim->at) : NULL;
    const FigMarkText *text = op ? &plan->marks[fig_plan_op_index(plan, op)] : NULL;

    return text && text->callout == claim && text->n_lines > 0;
}

static double
draw_claims(FigPlan *plan, double left, double right, double y)
{
    const FigRecord *record = plan->record;
    double head = y;
    bool any = false;

    y += 12.5;
    for (int c = 0; c < record->n_claims; c++) {
        const FigRecordClaim *claim = &record->claims[c];
        FigItem *group;

        if (is_callout(plan, claim) || (claim->that && !claim->holds && !claim->must))
            continue;
        group = fig_scene_group(plan->scene, NULL, "claim");
        group->means.claim = claim->id;
        y = draw_sentence(plan, group, fig_plan_sentence(plan, &claim->say),
                          steps_of(plan, claim),
                          !claim->that   ? UNCHECKED
                          : claim->holds ? HOLDS
                                         : BROKEN,
                          left, right - left, y);
        any = any || claim->that;
    }
    for (int n = 0; n < record->n_notes; n++)
        y = draw_sentence(plan, part(plan, "notes"),
                          fig_plan_sentence(plan, &record->notes[n]), NULL, UNCHECKED,
                          left, right - left, y);
    if (any) {
        FigItem *group = part(plan, "claims-head");
        FigLine line = {.plan = plan, .group = group};

        draw_tick(plan, group, left, head, HOLDS);
        fig_line_words(&line, "checked against the run");
        fig_line_draw(&line, left + 10, head);
    }
    return y - 12;
}

/* ---- how to read it ---- */

/* How to read the figure, under the legend. */
static double
draw_key(FigPlan *plan, double x, double y)
{
    const FigRecord *record = plan->record;
    FigItem *group = part(plan, "key");
    FigLine line = {.plan = plan, .group = group, .size = FIG_TYPE_SMALL};
    int64_t parameters, flops;

    fig_group_totals(plan, NULL, &parameters, &flops);
    fig_line_words(&line, "numbers 1 to ");
    fig_line_number(&line, format(plan, record->n_ops), "steps()");
    fig_line_words(&line, " in order of execution");
    fig_line_draw(&line, x, y);
    y += 8.6;
    fig_line_words(&line, "a shape belongs to the mark above it");
    fig_line_draw(&line, x, y);
    for (int v = 0; v < record->n_values; v++) {
        const FigRecordValue *value = &record->values[v];
        g_autoptr(GString) text = g_string_new(NULL);

        if (!value->n_members)
            continue;
        g_string_append_printf(text, "$%s$ counts as ", value->label);
        for (int m = 0; m < value->n_members; m++) {
            const FigRecordValue *member = fig_plan_value(plan, value->members[m]);

            g_string_append_printf(text, "%s$%s$", m ? ", " : "",
                                   member ? member->label : "");
        }
        y += 8.6;
        fig_line_words(&line, text->str);
        fig_line_draw(&line, x, y);
    }
    y += 8.6;
    fig_line_words(&line, "FLOPs: share of all matmuls together");
    fig_line_draw(&line, x, y);
    y += 8.6;
    fig_line_number(&line, fig_plain_integer(plan, parameters), "params()");
    fig_line_words(&line, " parameters in all");
    fig_line_draw(&line, x, y);
    return y;
}

/* ---- footer ---- */

static const char *
footer_words(FigPlan *plan)
{
    const FigRecord *record = plan->record;
    g_autoptr(GString) evidence = g_string_new(NULL);

    for (int e = 0; e < record->n_evidence; e++) {
        const char *at = strstr(record->evidence[e], " at ");
        int length =
            at ? (int)(at - record->evidence[e]) : (int)strlen(record->evidence[e]);

        g_string_append_printf(evidence, "%s%.*s", e ? ", " : "  ·  runs: ", length,
                               record->evidence[e]);
    }
    return fig_arena_printf(plan->arena, "opfig %s  ·  %s, digest %.8s%s",
                            record->version, record->name, record->spec_digest,
                            evidence->str);
}

static double
draw_footer(FigPlan *plan, double y)
{
    FigLine line = {
        .plan = plan, .group = part(plan, "footer"), .size = FIG_TYPE_SMALL};

    fig_line_words(&line, footer_words(plan));
    fig_line_draw(&line, FIG_PAGE_MARGIN, y);
    return y;
}

double
fig_plan_foot_least(FigPlan *plan)
{
    double least = 0;

    for (int class = 0; class < FIG_CLASSES && plan->style->legend; class ++) {
        const char *title = class_title(plan, (FigClass) class);
        const FigTextBox *text =
            fig_plan_text(plan, title, FIG_FACE_SANS, FIG_TYPE_SHAPE);

        if (has_class(plan, (FigClass) class) && text)
            least = MAX(least, SWATCH_WIDTH + 5 + text->width + COLUMNS + 12);
    }
    if (plan->style->footer) {
        FigLine line = {.plan = plan, .size = FIG_TYPE_SMALL};

        fig_line_words(&line, footer_words(plan));
        least = MAX(least, line.width);
        g_array_unref(line.pieces);
    }
    return least + 2 * FIG_PAGE_MARGIN;
}

double
fig_plan_draw_foot(FigPlan *plan, double top)
{
    double left = FIG_PAGE_MARGIN, right = plan->width - FIG_PAGE_MARGIN;
    double middle = left + 207, y = top + 10, a = y, b = y;
    FigPathBuilder *path = fig_path_begin(plan->scene);
    FigItem *rule;

    if (!plan->style->legend && !plan->style->claims && !plan->style->footer)
        return top + 8;
    fig_path_move(path, left, y);
    fig_path_line(path, right, y);
    rule = fig_scene_path(plan->scene, NULL, "rule", fig_path_end(path));
    rule->stroke = FIG_INK_RULE;
    rule->stroke_width = 0.7;
    y += 12;
    if (plan->width < FIG_FOOT_COLUMNS) /* one under the other */
        middle = right;
    if (plan->style->legend) {
        a = draw_legend(plan, left, middle, y) + 14;
        a = draw_key(plan, left + SWATCH_WIDTH + 5, a);
    }
    if (plan->style->claims && plan->width < FIG_FOOT_COLUMNS)
        b = draw_claims(plan, left, right, a + 14);
    else if (plan->style->claims)
        b = draw_claims(plan, middle + 18, right, y);
    y = MAX(a, b) + 14;
    if (plan->style->footer)
        y = draw_footer(plan, y);
    return y + 9;
}
