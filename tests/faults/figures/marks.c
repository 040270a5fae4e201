/* SPDX-License-Identifier: MIT
 *
 * Faults of marks: taken out, doubled, moved, exchanged, relabelled, renumbered, in the
 * looks of another class; panels that hold more or less than their group.
 */
#include "tests/faults/figures/broken.h"

#include "base/xml.h"

#include <string.h>

static const char *
id_of(const FigSvgItem *mark)
{
    return mark->hint[FIG_HINT_OP];
}

static const FigRecordOp *
op_of(const Try *try, const FigSvgItem *mark)
{
    return fig_record_op(try->figure->record, id_of(mark));
}

static FigBounds
middle(const FigSvgItem *mark)
{
    FigBounds b = mark->first->bounds;
    return (FigBounds){(b.left + b.right) / 2, (b.top + b.bottom) / 2, 0, 0};
}

/* Is the text all digits: a step? */
static bool
is_number(const FigSvgItem *text)
{
    return text->kind == FIG_ITEM_TEXT && *text->text &&
           strspn(text->text, "0123456789") == strlen(text->text);
}

static const FigSvgItem *
step_of(const FigSvgItem *mark)
{
    for (const FigSvgItem *item = mark->first; item; item = item->next)
        if (is_number(item))
            return item;
    return NULL;
}

/* The words of a mark; NULL for one with a sign alone. */
static const FigSvgItem *
label_of(const FigSvgItem *mark)
{
    for (const FigSvgItem *item = mark->first; item; item = item->next)
        if (item->kind == FIG_ITEM_TEXT && !is_number(item) &&
            !item->hint[FIG_HINT_NUMBER] && !g_str_has_suffix(item->text, "= "))
            return item;
    return NULL;
}

static void
taken_out(Try *try)
{
    g_autoptr(GPtrArray) marks = fault_all(try->figure, FIG_HINT_OP);
    for (guint m = 0; m < marks->len; m++) {
        const FigSvgItem *mark = marks->pdata[m];
        if (!fault_turn(try))
            continue;
        fault_drop(try, mark->line, fault_last_line(mark));
        fault_attempt(try, id_of(mark));
    }
}

/* A second one, at the side or over the first. */
static void
doubled(Try *try)
{
    g_autoptr(GPtrArray) marks = fault_all(try->figure, FIG_HINT_OP);
    for (guint m = 0; m < marks->len; m++) {
        const FigSvgItem *mark = marks->pdata[m];
        int last = fault_last_line(mark);
        for (int far = 0; far < 2; far++) {
            if (!fault_turn(try))
                continue;
            g_autofree char *lines = fault_lines(try->figure, mark->line, last);
            g_autofree char *moved =
                fault_moved(lines, far * (3 - mark->first->bounds.left), far * 0.5);
            fault_insert(try, last + 1, moved);
            fault_attempt(try, id_of(mark));
        }
    }
}

static void
moved(Try *try)
{
    g_autoptr(GPtrArray) marks = fault_all(try->figure, FIG_HINT_OP);
    static const double steps[] = {-60, -9, -1, 1, 9, 60};
    for (guint m = 0; m < marks->len; m++) {
        const FigSvgItem *mark = marks->pdata[m];
        int last = fault_last_line(mark);
        for (size_t s = 0; s < 2 * G_N_ELEMENTS(steps); s++) {
            if (!fault_turn(try))
                continue;
            double by = steps[s / 2];
            g_autofree char *lines = fault_lines(try->figure, mark->line, last);
            g_autofree char *there = fault_moved(lines, s % 2 ? by : 0, s % 2 ? 0 : by);
            fault_drop(try, mark->line, last);
            fault_insert(try, mark->line, there);
            fault_attempt(try, id_of(mark));
        }
    }
}

/* Each of two at the other's place. */
static void
exchanged(Try *try)
{
    g_autoptr(GPtrArray) marks = fault_all(try->figure, FIG_HINT_OP);
    for (guint a = 0; a < marks->len; a++) {
        for (guint b = a + 1; b < marks->len; b++) {
            if (!fault_turn(try))
                continue;
            for (int i = 0; i < 2; i++) {
                const FigSvgItem *mark = marks->pdata[i ? b : a];
                FigBounds from = middle(mark), to = middle(marks->pdata[i ? a : b]);
                int last = fault_last_line(mark);
                g_autofree char *lines = fault_lines(try->figure, mark->line, last);
                g_autofree char *there =
                    fault_moved(lines, to.left - from.left, to.top - from.top);
                fault_drop(try, mark->line, last);
                fault_insert(try, mark->line, there);
            }
            fault_attempt(try, id_of(marks->pdata[a]));
        }
    }
}

static void
relabelled(Try *try)
{
    g_autoptr(GPtrArray) marks = fault_all(try->figure, FIG_HINT_OP);
    for (guint a = 0; a < marks->len; a++) {
        const FigSvgItem *label = label_of(marks->pdata[a]);
        for (guint b = 0; b < marks->len && label; b++) {
            const FigSvgItem *other = label_of(marks->pdata[b]);
            if (!other || strcmp(label->text, other->text) == 0 || !fault_turn(try))
                continue;
            g_autoptr(GString) words = g_string_new(NULL);
            fig_escape_text(words, other->text);
            g_autofree char *line =
                fault_with_words(try->figure->lines[label->line - 1], words->str);
            fault_set(try, label->line, line);
            fault_attempt(try, other->text);
        }
    }
}

static void
renumbered(Try *try)
{
    g_autoptr(GPtrArray) marks = fault_all(try->figure, FIG_HINT_OP);
    for (guint m = 0; m < marks->len; m++) {
        const FigSvgItem *step = step_of(marks->pdata[m]);
        for (guint n = 0; n <= marks->len + 1; n++) {
            g_autofree char *number = g_strdup_printf("%u", n);
            if (strcmp(number, step->text) == 0 || !fault_turn(try))
                continue;
            g_autofree char *line =
                fault_with_words(try->figure->lines[step->line - 1], number);
            fault_set(try, step->line, line);
            fault_attempt(try, number);
        }
    }
}

/* ---- classes ---- */

/* Which looks have boxes: the border's attributes, one by one and all together. */
static void
other_class(Try *try)
{
    static const char *const names[] = {"fill", "stroke", "stroke-width", NULL};
    g_autoptr(GPtrArray) marks = fault_all(try->figure, FIG_HINT_OP);
    const FigSvgItem *model[FIG_CLASSES] = {NULL};
    for (guint m = 0; m < marks->len; m++) {
        const FigSvgItem *mark = marks->pdata[m];
        if (mark->first->kind == FIG_ITEM_RECT)
            model[op_of(try, mark)->class] = mark;
    }
    for (guint m = 0; m < marks->len; m++) {
        const FigSvgItem *mark = marks->pdata[m];
        int line = mark->first->line;
        for (int c = 0; c < FIG_CLASSES && mark->first->kind == FIG_ITEM_RECT; c++) {
            for (int which = 0; which < 4; which++) {
                if (!model[c] || (int)op_of(try, mark)->class == c)
                    continue;
                const char *its = try->figure->lines[model[c]->first->line - 1];
                g_autofree char *text = g_strdup(try->figure->lines[line - 1]);
                for (int n = 0; names[n]; n++) {
                    g_autofree char *value = fault_value(its, names[n]);
                    if (!value || (which < 3 && which != n))
                        continue;
                    char *longer = fault_with(text, names[n], value);
                    g_free(text);
                    text = longer;
                }
                if (strcmp(text, try->figure->lines[line - 1]) == 0 || !fault_turn(try))
                    continue;
                fault_set(try, line, text);
                fault_attempt(try, id_of(mark));
            }
        }
    }
}

/* What stands in a box besides its words: the diamond of weights, the second border. */
static void
other_signs(Try *try)
{
    g_autoptr(GPtrArray) marks = fault_all(try->figure, FIG_HINT_OP);
    const FigSvgItem *last = NULL; /* a mark with something in it */
    for (guint m = 0; m < marks->len; m++) {
        const FigSvgItem *mark = marks->pdata[m], *sign = mark->first->next;
        if (mark->first->kind != FIG_ITEM_RECT)
            continue;
        if (sign->kind != FIG_ITEM_TEXT) {
            last = mark;
            if (!fault_turn(try))
                continue;
            fault_drop(try, sign->line, sign->line);
            fault_attempt(try, id_of(mark));
        } else if (last) {
            if (!fault_turn(try))
                continue;
            const FigSvgItem *model = last->first->next;
            FigBounds to = mark->first->bounds, from = last->first->bounds;
            g_autofree char *lines = fault_lines(try->figure, model->line, model->line);
            g_autofree char *there =
                fault_moved(lines, to.right - from.right,
                            (to.top + to.bottom - from.top - from.bottom) / 2);
            fault_insert(try, sign->line, there);
            fault_attempt(try, id_of(mark));
        }
    }
}

/* The sign of a circle exchanged with that of another op. */
static void
other_circle(Try *try)
{
    g_autoptr(GPtrArray) marks = fault_all(try->figure, FIG_HINT_OP);
    for (guint a = 0; a < marks->len; a++) {
        for (guint b = 0; b < marks->len; b++) {
            const FigSvgItem *mark = marks->pdata[a], *other = marks->pdata[b];
            if (!op_of(try, mark)->sign || !op_of(try, other)->sign ||
                strcmp(op_of(try, mark)->sign, op_of(try, other)->sign) == 0 ||
                !fault_turn(try))
                continue;
            FigBounds to = middle(mark), from = middle(other);
            int line = other->first->next->line;
            g_autofree char *sign = fault_lines(try->figure, line, line);
            g_autofree char *there =
                fault_moved(sign, to.left - from.left, to.top - from.top);
            fault_set(try, mark->first->next->line, there);
            fault_attempt(try, id_of(mark));
        }
    }
}

/* ---- panels ---- */

static void
set_rect(Try *try, int line, FigBounds b)
{
    const struct {
        const char *name;
        double value;
    } rows[] = {{"x", b.left},
                {"y", b.top},
                {"width", b.right - b.left},
                {"height", b.bottom - b.top}};
    g_autofree char *text = g_strdup(try->figure->lines[line - 1]);
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(GString) value = g_string_new(NULL);
        fault_number(value, rows[i].value);
        char *longer = fault_with(text, rows[i].name, value->str);
        g_free(text);
        text = longer;
    }
    fault_set(try, line, text);
}

/* Grown over a mark that is not of the group, or drawn back from one that is. */
static void
panels(Try *try)
{
    g_autoptr(GPtrArray) marks = fault_all(try->figure, FIG_HINT_OP);
    g_autoptr(GPtrArray) all = fault_all(try->figure, FIG_HINT_PANEL);
    for (guint p = 0; p < all->len; p++) {
        const FigSvgItem *panel = all->pdata[p];
        FigBounds b = panel->first->bounds;
        for (guint m = 0; m < marks->len; m++) {
            const FigSvgItem *mark = marks->pdata[m];
            FigBounds to = mark->first->bounds;
            const FigRecordOp *op = op_of(try, mark);
            bool inside = false;
            for (int g = 0; g < op->n_groups; g++)
                inside |= strcmp(op->groups[g], panel->hint[FIG_HINT_PANEL]) == 0;
            if (!fault_turn(try))
                continue;
            FigBounds other = b;
            if (inside && middle(mark).top > (b.top + b.bottom) / 2) {
                other.bottom = to.top + 3;
            } else if (inside) {
                other.top = to.bottom - 3;
            } else {
                other.left = MIN(b.left, to.left - 2);
                other.top = MIN(b.top, to.top - 2);
                other.right = MAX(b.right, to.right + 2);
                other.bottom = MAX(b.bottom, to.bottom + 2);
            }
            set_rect(try, panel->first->line, other);
            fault_attempt(try, id_of(mark));
        }
    }
}

/* Cells in the title of a repeat: one of the look of another, one gone, one more. */
static void
cells(Try *try)
{
    g_autoptr(GPtrArray) panels = fault_all(try->figure, FIG_HINT_PANEL);
    for (guint p = 0; p < panels->len; p++) {
        const FigSvgItem *frame = ((const FigSvgItem *)panels->pdata[p])->first;
        for (const FigSvgItem *cell = frame->next; cell; cell = cell->next) {
            const FigSvgItem *other = cell->next;
            if (cell->kind != FIG_ITEM_RECT)
                continue;
            while (other && (other->kind != FIG_ITEM_RECT ||
                             strcmp(other->look.fill, cell->look.fill) == 0))
                other = other->next;
            const char *id =
                ((const FigSvgItem *)panels->pdata[p])->hint[FIG_HINT_PANEL];
            g_autofree char *line = g_strdup(try->figure->lines[cell->line - 1]);
            if (other && fault_turn(try)) {
                g_autofree char *painted = fault_with(line, "fill", other->look.fill);
                fault_set(try, cell->line, painted);
                fault_attempt(try, id);
            }
            if (fault_turn(try)) {
                fault_drop(try, cell->line, cell->line);
                fault_attempt(try, id);
            }
            if (fault_turn(try)) {
                g_autofree char *moved = fault_moved(line, 0, 7);
                fault_insert(try, cell->line + 1, moved);
                fault_attempt(try, id);
            }
        }
    }
}

const Kind fault_marks[] = {
    {"mark taken out", "mark", taken_out, false},
    {"mark doubled", "mark", doubled, false},
    {"mark moved", "mark", moved, false},
    {"marks exchanged", "edge", exchanged, false},
    {"mark relabelled", "label", relabelled, false},
    {"mark renumbered", "mark", renumbered, false},
    {"class: fill, border or both of another", "class", other_class, false},
    {"class: sign in the box gone or forged", "class", other_signs, false},
    {"sign of a circle exchanged", "label", other_circle, false},
    {"panel grown or shrunk", "panel", panels, false},
    {"strip: a cell painted, gone or made up", "panel", cells, false},
    {NULL, NULL, NULL, false},
};
