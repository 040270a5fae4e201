/* SPDX-License-Identifier: MIT
 *
 * The kinds of a repeat's passes: behind the title what each looks like, its name and how
 * many there are, and under it a strip, a cell for each pass; where that would be long, one
 * for each pass of the pattern, and how often it comes round. Cells differ in lightness, so
 * that they are told apart in gray too.
 */
#include "layouts/draw.h"
#include "layouts/texts.h"

#define CELL_WIDTH 5.0
#define CELL_HEIGHT 5.6
#define CELL_GAP 1.2
#define ROUND_GAP 1.8 /* more between rounds of the pattern */
#define KEY_GAP 8.0   /* between entries behind the title */

enum { MOST_KINDS = 3, MOST_CELLS = 24 };

static const FigInk fills[MOST_KINDS] = {FIG_INK_PAPER, FIG_INK_TEXT,
                                         FIG_INK_PANEL_BORDER};

/* How many cells the strip of a repeat has, 0 for no strip, and how often they come
 * round. */
static int
count_cells(const FigRecordGroup *group, int64_t *times)
{
    int n = group->n_pattern;

    *times = 1;
    if (n == 0 || group->n_kinds > MOST_KINDS)
        return 0;
    if (group->passes <= MOST_CELLS)
        return (int)group->passes;
    if (n > MOST_CELLS || group->passes % n != 0)
        return 0;
    *times = group->passes / n;
    return n;
}

bool
fig_strip_has(const FigBox *box)
{
    return box->loop && box->group && count_cells(box->group, &(int64_t){0}) > 0;
}

static const FigTextBox *
small(FigPlan *plan, const char *words)
{
    return fig_plan_text(plan, words, FIG_FACE_SANS, FIG_TYPE_SHAPE);
}

static const FigTextBox *
count(FigPlan *plan, int64_t n)
{
    return small(plan, fig_plain_digits(plan, n));
}

static void
draw_cell(FigPlan *plan, FigItem *group, int kind, double x, double y)
{
    FigItem *rect = fig_scene_rect(plan->scene, group, "cell", x, y - CELL_HEIGHT / 2,
                                   CELL_WIDTH, CELL_HEIGHT, 1);

    rect->fill = fills[kind];
    rect->stroke = FIG_INK_TEXT;
    rect->stroke_width = 0.6;
}

/* What each kind looks like, or without a group how wide that is. */
static double
key(FigPlan *plan, FigItem *group, const FigRecordGroup *of, double x, double baseline)
{
    double start = x;

    for (int k = 0; k < of->n_kinds; k++) {
        const FigTextBox *name = small(plan, of->kinds[k].kind),
                         *number = count(plan, of->kinds[k].number);

        x += k ? KEY_GAP : 0;
        if (group) {
            draw_cell(plan, group, k, x, baseline - 2.5);
            fig_draw_text(plan, group, "kind", name, x + CELL_WIDTH + 3, baseline,
                          FIG_INK_MUTED);
            fig_draw_text(plan, group, "kind", number,
                          x + CELL_WIDTH + 3 + name->width + 3, baseline, FIG_INK_TEXT);
        }
        x += CELL_WIDTH + 3 + name->width + 3 + number->width;
    }
    return x - start;
}

static double
cells(FigPlan *plan, FigItem *group, const FigRecordGroup *of, double x, double middle)
{
    double start = x;
    int64_t times;
    int n = count_cells(of, &times);

    for (int c = 0; c < n; c++) {
        x += c > 0 && c % of->n_pattern == 0 ? ROUND_GAP : 0;
        if (group)
            draw_cell(plan, group, of->kind_of[c % of->n_pattern], x, middle);
        x += CELL_WIDTH + CELL_GAP;
    }
    x -= CELL_GAP;
    if (times > 1) {
        const FigTextBox *sign = small(plan, "×"), *rounds = count(plan, times);
        double baseline = middle + 2.5;

        x += 4;
        if (group) {
            fig_draw_text(plan, group, "kind", sign, x, baseline, FIG_INK_TEXT);
            fig_draw_text(plan, group, "kind", rounds, x + sign->width + 1.6, baseline,
                          FIG_INK_TEXT);
        }
        x += sign->width + 1.6 + rounds->width;
    }
    return x - start;
}

double
fig_strip_width(FigPlan *plan, const FigBox *box, double *behind)
{
    *behind = key(plan, NULL, box->group, 0, 0);
    return cells(plan, NULL, box->group, 0, 0);
}

void
fig_strip_draw(FigPlan *plan, FigItem *panel, const FigBox *box, double behind)
{
    key(plan, panel, box->group, behind, box->y0 + 11.5);
    cells(plan, panel, box->group, box->x0 + box->title_x, box->y0 + FIG_STRIP_AT);
}
