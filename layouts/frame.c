/* SPDX-License-Identifier: MIT
 *
 * What stands over and under the drawing: title, subtitle and dims; legend and sentences,
 * beside each other where the page is wide enough; and a footer that says what the figure
 * was drawn from.
 */
#include "layouts/draw.h"
#include "layouts/texts.h"

#include "base/num.h"

#include <math.h>
#include <string.h>

enum { DIMS_MOST = 5 }; /* sizes in a row over the drawing */

#define DIMS_LEAST 8.0 /* between two of them, at least … */
#define DIMS_GAP 14.0  /* … and where there is room */

FigItem *
fig_plan_part(FigPlan *plan, const char *name)
{
    FigItem *group = fig_scene_group(plan->scene, NULL, name);

    group->means.part = name;
    return group;
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

/* Does a dim stand in a shape of the record or in a label, or say how often something runs?
 * Others would be words without a use. */
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
    for (int k = 0; k < record->n_ops; k++)
        for (int a = 0; a < record->ops[k].n_attributes; a++)
            if (!strcmp(record->ops[k].attributes[a].text, id) &&
                names(record->ops[k].label, record->ops[k].attributes[a].label))
                return true;
    return false;
}

static void
add_dim(FigPlan *plan, FigLine *line, const FigRecordDim *dim)
{
    fig_line_add(line, fig_arena_printf(plan->arena, "$%s$", dim->label), FIG_FACE_SANS,
                 FIG_INK_TEXT, NULL);
    fig_line_space(line, 2.5);
    fig_line_add(line, fig_plain_digits(plan, dim->size), FIG_FACE_SANS_STRONG,
                 FIG_INK_TEXT, fig_arena_strdup(plan->scene->arena, dim->id));
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

/* Part entries into rows so that the longest is as short as can be; its length. first[r]
 * is the first entry of row r, first[rows] their number. */
static double
part_rows(const double *width, int n, int rows, int *first)
{
    g_autofree double *best = g_new(double, (rows + 1) * (n + 1));
    g_autofree int *from = g_new0(int, (rows + 1) * (n + 1));
    double longest;

    for (int i = 0; i <= n; i++)
        best[i] = i ? INFINITY : 0;
    for (int r = 1; r <= rows; r++)
        for (int i = 0; i <= n; i++) {
            double row = -DIMS_LEAST, *to = &best[r * (n + 1) + i];

            *to = INFINITY;
            for (int k = i - 1; k >= 0; k--) {
                row += width[k] + DIMS_LEAST;
                if (MAX(row, best[(r - 1) * (n + 1) + k]) < *to) {
                    *to = MAX(row, best[(r - 1) * (n + 1) + k]);
                    from[r * (n + 1) + i] = k;
                }
            }
        }
    longest = best[rows * (n + 1) + n];
    first[rows] = n;
    for (int r = rows; r > 0; r--)
        first[r - 1] = from[r * (n + 1) + first[r]];
    return longest;
}

/* The entries in as few rows as hold them, rows about equally long. */
static double
draw_dims(FigPlan *plan, double y)
{
    const FigRecord *record = plan->record;
    FigItem *group = fig_plan_part(plan, "dims");
    const double room = plan->width - 2 * FIG_PAGE_MARGIN;
    const int n_entries = record->n_dims + record->n_constants;
    g_autofree double *width = g_new0(double, n_entries + 1);
    g_autofree int *entry = g_new0(int, n_entries + 1),
                   *first = g_new0(int, n_entries + 2);
    int n = 0, rows;

    for (int i = 0; i < n_entries; i++) {
        FigLine line = {.plan = plan, .group = group};

        if (!add_entry(plan, &line, i))
            continue;
        entry[n] = i;
        width[n++] = line.width;
        g_array_unref(line.pieces);
    }
    rows = MIN(n, (n + DIMS_MOST - 1) / DIMS_MOST);
    while (rows < n && part_rows(width, n, rows, first) > room)
        rows++;
    if (rows > 0)
        part_rows(width, n, rows, first);
    for (int r = 0; r < rows; r++) {
        FigLine line = {.plan = plan, .group = group};
        double sum = 0, gap;

        for (int i = first[r]; i < first[r + 1]; i++)
            sum += width[i];
        gap = first[r + 1] - first[r] > 1 ? (room - sum) / (first[r + 1] - first[r] - 1)
                                          : 0;
        for (int i = first[r]; i < first[r + 1]; i++) {
            if (line.width > 0)
                fig_line_space(&line, MIN(DIMS_GAP, gap));
            add_entry(plan, &line, entry[i]);
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
    double y = 16;

    if (record->title.text) {
        y = 12 + draw_centred(plan, fig_plan_part(plan, "title"),
                              fig_plan_sentence(plan, &record->title),
                              FIG_FACE_SANS_STRONG, FIG_TYPE_TITLE, y);
    }
    if (record->subtitle.text) {
        y = 12 + draw_centred(plan, fig_plan_part(plan, "subtitle"),
                              fig_plan_sentence(plan, &record->subtitle), FIG_FACE_SANS,
                              FIG_TYPE_LABEL, y);
    }
    return draw_dims(plan, y) + 8;
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

        g_string_append_printf(evidence, "%s%.*s", e ? ", " : "  ·  ", length,
                               record->evidence[e]);
    }
    if (evidence->len)
        g_string_append(evidence, " runs");
    return fig_arena_printf(plan->arena, "opfig %s  ·  %s, digest %.8s%s",
                            plan->version, record->name, record->spec_digest,
                            evidence->str);
}

static double
draw_footer(FigPlan *plan, double y)
{
    FigLine line = {
        .plan = plan, .group = fig_plan_part(plan, "footer"), .size = FIG_TYPE_SMALL};

    fig_line_words(&line, footer_words(plan));
    fig_line_draw(&line, FIG_PAGE_MARGIN, y);
    return y;
}

double
fig_plan_foot_least(FigPlan *plan)
{
    double least = plan->style->legend ? fig_plan_legend_least(plan) : 0;

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
    double middle = left + 204, y = top + 8, a = y, b = y;
    FigPathBuilder *path;
    FigItem *rule;

    if (!plan->style->legend && !plan->style->claims && !plan->style->footer)
        return top + 8;
    path = fig_path_begin(plan->scene);
    fig_path_move(path, left, y);
    fig_path_line(path, right, y);
    rule = fig_scene_path(plan->scene, NULL, "rule", fig_path_end(path));
    rule->stroke = FIG_INK_RULE;
    rule->stroke_width = 0.7;
    y += 11;
    if (plan->width < FIG_FOOT_COLUMNS) /* one under the other */
        middle = right;
    if (plan->style->legend)
        a = fig_plan_draw_legend(plan, left, middle, y);
    if (plan->style->claims && plan->width < FIG_FOOT_COLUMNS)
        b = fig_plan_draw_claims(plan, left, right, a + 14);
    else if (plan->style->claims)
        b = fig_plan_draw_claims(plan, middle + 18, right, y);
    y = MAX(a, b) + 12;
    if (plan->style->footer)
        y = draw_footer(plan, y);
    return y + 7;
}
