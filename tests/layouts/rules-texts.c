/* SPDX-License-Identifier: MIT
 *
 * The rules of texts and panels.
 */
#include "tests/layouts/rules.h"

#define LEAST_TYPE 6.0

/* ---- texts ---- */

void
check_texts(const Figure *figure, const FigRecord *record)
{
    Rect page = {0, 0, figure->scene->width, figure->scene->height};

    for (guint i = 0; i < figure->texts->len; i++) {
        const Text *text = TEXT(figure, i);
        const char *plain = text->item->text->plain;

        if (!holds(page, text->ink))
            g_error("%s: ‘%s’ is off the page", record->name, plain);
        for (int r = 0; r < text->item->text->n_runs; r++)
            if (!text->item->text->runs[r].ghost)
                g_assert_cmpfloat(text->item->text->runs[r].size, >=, LEAST_TYPE);
        for (guint k = i + 1; k < figure->texts->len; k++)
            if (meet(text->ink, TEXT(figure, k)->ink, 0.05))
                g_error("%s: ‘%s’ and ‘%s’ overlap", record->name, plain,
                        TEXT(figure, k)->item->text->plain);
        for (guint m = 0; m < figure->marks->len; m++) {
            const Mark *mark = MARK(figure, m);

            if (meet(text->ink, mark->shape, 0.05) &&
                !(text->owner == mark->group && holds(mark->shape, text->ink)))
                g_error("%s: ‘%s’ lies on the mark of %s", record->name, plain,
                        mark->id);
        }
        for (guint p = 0; p < figure->panels->len; p++)
            if (meet(text->ink, PANEL(figure, p)->shape, 0) &&
                !holds(PANEL(figure, p)->shape, text->ink))
                g_error("%s: ‘%s’ lies on a border", record->name, plain);
    }
    for (guint m = 0; m < figure->marks->len; m++)
        if (!holds(page, MARK(figure, m)->shape))
            g_error("%s: %s is off the page", record->name, MARK(figure, m)->id);
    for (guint i = 0; i < figure->edges->len; i++)
        if (!holds(page, EDGE(figure, i)->bounds))
            g_error("%s: %s is off the page", record->name, EDGE(figure, i)->edge);
}

/* ---- owners ---- */

/* Does something stand between two places of a row? */
static bool
is_between(const Figure *figure, double left, double right, double y)
{
    Rect gap = {left + 0.2, y - 0.2, right - 0.2, y + 0.2};

    for (guint i = 0; i < figure->edges->len; i++) {
        const Edge *edge = EDGE(figure, i);

        if (meet(gap, edge->bounds, -0.1))
            for (guint p = 0; p < edge->pieces->len; p++)
                if (!is_level(PIECE(edge, p)) &&
                    meet(gap, grown(*PIECE(edge, p), 0.1), 0))
                    return true;
    }
    for (guint m = 0; m < figure->marks->len; m++)
        if (meet(gap, MARK(figure, m)->shape, 0))
            return true;
    for (guint p = 0; p < figure->panels->len; p++) {
        Rect b = PANEL(figure, p)->shape;

        if (y > b.top && y < b.bottom &&
            ((b.left > gap.left && b.left < gap.right) ||
             (b.right > gap.left && b.right < gap.right)))
            return true;
    }
    return false;
}

const Mark *
row_owner(const Figure *figure, const Text *text)
{
    double y = (text->ink.top + text->ink.bottom) / 2, least = INFINITY;
    const Mark *best = NULL;

    for (guint m = 0; m < figure->marks->len; m++) {
        const Mark *mark = MARK(figure, m);
        /* the row of a dot or bar is as high as a label beside it */
        double more = MAX(0, 10 - (mark->shape.bottom - mark->shape.top) / 2);
        double gap =
            MAX(mark->shape.left - text->ink.right, text->ink.left - mark->shape.right);

        if (y < mark->shape.top - (text->owner == mark->group ? more : 0) ||
            y > mark->shape.bottom || gap >= least)
            continue;
        if (gap > 0 && (text->ink.right <= mark->shape.left
                            ? is_between(figure, text->ink.right, mark->shape.left, y)
                            : is_between(figure, mark->shape.right, text->ink.left, y)))
            continue;
        best = mark;
        least = gap;
    }
    return best;
}

double
away(const Rect *ink, const Edge *edge)
{
    double least = INFINITY;

    for (guint p = 0; p < edge->pieces->len; p++) {
        const Rect *a = PIECE(edge, p);
        double dx = MAX(MAX(a->left - ink->right, ink->left - a->right), 0);
        double dy = MAX(MAX(a->top - ink->bottom, ink->top - a->bottom), 0);

        least = MIN(least, hypot(dx, dy));
    }
    return least;
}

static void
check_note(const Figure *figure, const FigRecord *record, const Text *text,
           const char *value)
{
    const Mark *mark = row_owner(figure, text);
    bool near = false;

    /* what lies on the row of the mark that gives the value is at home there */
    if (mark && mark->group->means.op) {
        const FigRecordOp *op = fig_record_op(record, mark->id);

        if (op->n_writes == 1 && !strcmp(op->writes[0].value, value))
            return;
    }
    if (mark) {
        g_error("%s: ‘%s’ of %s lies on the row of %s", record->name,
                text->item->text->plain, value, mark->id);
        return;
    }
    for (guint i = 0; i < figure->edges->len; i++) {
        const Edge *edge = EDGE(figure, i);

        if (!meet(grown(text->ink, NEAREST), grown(edge->bounds, 0.1), 0) ||
            away(&text->ink, edge) > NEAREST)
            continue;
        if (!strcmp(edge->value, value))
            near = true;
        else
            g_error("%s: ‘%s’ of %s may belong to %s", record->name,
                    text->item->text->plain, value, edge->edge);
    }
    if (!near)
        g_error("%s: ‘%s’ of %s is at no edge", record->name, text->item->text->plain,
                value);
}

void
check_owners(const Figure *figure, const FigRecord *record)
{
    for (guint t = 0; t < figure->texts->len; t++) {
        const Text *text = TEXT(figure, t);
        const FigMeaning *means = &text->item->means;
        const char *value = means->name ? means->name : means->shape;

        if (text->owner && text->owner->means.op) {
            const Mark *mark = mark_named(figure, text->owner->means.op);

            if (!holds(mark->shape, text->ink) && row_owner(figure, text) != mark)
                g_error("%s: ‘%s’ of %s lies elsewhere", record->name,
                        text->item->text->plain, mark->id);
        } else if (value && !text->owner) {
            check_note(figure, record, text, value);
        }
    }
}

/* ---- panels ---- */

void
check_panels(const Figure *figure, const FigRecord *record)
{
    for (guint i = 0; i < figure->panels->len; i++) {
        Rect a = PANEL(figure, i)->shape;

        for (guint k = i + 1; k < figure->panels->len; k++) {
            Rect b = PANEL(figure, k)->shape;

            if (meet(a, b, -1) && !holds(a, b) && !holds(b, a))
                g_error("%s: panels overlap", record->name);
        }
        for (guint m = 0; m < figure->marks->len; m++) {
            const Mark *mark = MARK(figure, m);
            const FigRecordOp *op =
                mark->group->means.op ? fig_record_op(record, mark->id) : NULL;
            bool inside = false;

            for (int g = 0; op && g < op->n_groups; g++)
                inside = inside || !strcmp(op->groups[g], PANEL(figure, i)->group);
            if (meet(a, mark->shape, -0.5) && !(inside && holds(a, mark->shape)))
                g_error("%s: %s lies in or on the panel of %s", record->name, mark->id,
                        PANEL(figure, i)->group);
        }
    }
    for (guint m = 0; m < figure->marks->len; m++) {
        const Mark *mark = MARK(figure, m);
        const FigRecordOp *op =
            mark->group->means.op ? fig_record_op(record, mark->id) : NULL;

        for (int g = 0; op && g < op->n_groups; g++) {
            bool held = false;

            for (guint i = 0; i < figure->panels->len && !held; i++)
                held = !strcmp(PANEL(figure, i)->group, op->groups[g]) &&
                       holds(PANEL(figure, i)->shape, mark->shape);
            if (!held)
                g_error("%s: %s is not in the panel of %s", record->name, op->id,
                        op->groups[g]);
        }
    }
}
