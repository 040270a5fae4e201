/* SPDX-License-Identifier: MIT
 *
 * Faults of edges: led elsewhere, taken out, doubled, turned round, crossed, made up. Each
 * must be an "edge" finding.
 */
#include "tests/faults/figures/broken.h"

#include <math.h>
#include <string.h>

static const double HEAD = 4.4, HALF = 1.95, INSIDE = 0.8; /* of an arrow head */

/* ---- marks as places ---- */

/* Marks of ops, then inputs, then outputs. */
static GPtrArray *
all_marks(const Figure *figure)
{
    static const FigHint hints[] = {FIG_HINT_OP, FIG_HINT_INPUT, FIG_HINT_OUTPUT};
    GPtrArray *marks = g_ptr_array_new();
    for (size_t h = 0; h < G_N_ELEMENTS(hints); h++) {
        g_autoptr(GPtrArray) some = fault_all(figure, hints[h]);
        g_ptr_array_extend(marks, some, NULL, NULL);
    }
    return marks;
}

static const char *
mark_id(const FigSvgItem *mark)
{
    const char *id = mark->hint[FIG_HINT_OP];
    return id ? id : mark->hint[FIG_HINT_INPUT] ? mark->hint[FIG_HINT_INPUT] : "output";
}

/* The middle of the right side of a mark. */
static void
right_of(const FigSvgItem *mark, double point[2])
{
    point[0] = mark->first->bounds.right;
    point[1] = (mark->first->bounds.top + mark->first->bounds.bottom) / 2;
}

/* ---- paths ---- */

static void
add_point(GString *d, char verb, double x, double y)
{
    if (verb)
        g_string_append_c(d, verb);
    fault_number(d, x);
    g_string_append_c(d, ' ');
    fault_number(d, y);
}

/* A head at tip that points along (dx, dy), one of them 0. */
static char *
head_data(const double tip[2], double dx, double dy)
{
    GString *d = g_string_new(NULL);
    add_point(d, 'M', tip[0], tip[1]);
    add_point(d, 'L', tip[0] - HEAD * dx - HALF * dy, tip[1] - HEAD * dy + HALF * dx);
    add_point(d, 'L', tip[0] - HEAD * dx + HALF * dy, tip[1] - HEAD * dy - HALF * dx);
    g_string_append_c(d, 'Z');
    return g_string_free(d, FALSE);
}

/* From a point round to the right side of a mark. */
static char *
line_data(const double from[2], const double tip[2])
{
    GString *d = g_string_new(NULL);
    double turn = tip[0] + 13;
    add_point(d, 'M', from[0], from[1]);
    add_point(d, 'L', turn, from[1]);
    add_point(d, 'L', turn, tip[1]);
    add_point(d, 'L', tip[0] + HEAD - INSIDE, tip[1]);
    return g_string_free(d, FALSE);
}

static void
set_data(Try *try, int line, const char *data)
{
    g_autofree char *text = fault_with(try->figure->lines[line - 1], "d", data);
    fault_set(try, line, text);
}

static const FigSvgItem *
head_of(const FigSvgItem *edge)
{
    return edge->first->next;
}

/* "z1 gate.a": from and to. */
static char *
part_of(const FigSvgItem *edge, bool to)
{
    const char *hint = edge->hint[FIG_HINT_EDGE], *space = strchr(hint, ' ');
    return to ? g_strndup(space + 1, strcspn(space + 1, "."))
              : g_strndup(hint, (gsize)(space - hint));
}

static const double *
start_of(const FigSvgItem *edge)
{
    return edge->first->path.points[0];
}

/* Lead an edge from a point to the right side of a mark. */
static void
lead(Try *try, const FigSvgItem *edge, const double from[2], const double tip[2])
{
    g_autofree char *line = line_data(from, tip), *head = head_data(tip, -1, 0);
    set_data(try, edge->first->line, line);
    if (head_of(edge))
        set_data(try, head_of(edge)->line, head);
}

/* ---- the faults ---- */

static void
end_elsewhere(Try *try)
{
    g_autoptr(GPtrArray) edges = fault_all(try->figure, FIG_HINT_EDGE);
    g_autoptr(GPtrArray) marks = all_marks(try->figure);
    for (guint e = 0; e < edges->len; e++) {
        g_autofree char *to = part_of(edges->pdata[e], true);
        for (guint m = 0; m < marks->len; m++) {
            double tip[2];
            if (strcmp(mark_id(marks->pdata[m]), to) == 0 || !fault_turn(try))
                continue;
            right_of(marks->pdata[m], tip);
            lead(try, edges->pdata[e], start_of(edges->pdata[e]), tip);
            fault_attempt(try,
                          ((const FigSvgItem *)edges->pdata[e])->hint[FIG_HINT_EDGE]);
        }
    }
}

/* The tip that an edge has: the corner of its head that no side is across from, else the
 * end of its line. */
static void
tip_of(const FigSvgItem *edge, double tip[2])
{
    const FigPath *path = head_of(edge) ? &head_of(edge)->path : &edge->first->path;
    memcpy(tip, path->points[head_of(edge) ? 0 : path->n_points - 1], 2 * sizeof *tip);
}

static void
start_elsewhere(Try *try)
{
    g_autoptr(GPtrArray) edges = fault_all(try->figure, FIG_HINT_EDGE);
    g_autoptr(GPtrArray) marks = all_marks(try->figure);
    for (guint e = 0; e < edges->len; e++) {
        const FigSvgItem *edge = edges->pdata[e];
        g_autofree char *from = part_of(edge, false);
        for (guint m = 0; m < marks->len; m++) {
            const FigPath *path = &edge->first->path;
            const double *end = path->points[path->n_points - 1];
            const double *before = path->points[path->n_points - 2];
            double start[2];
            if (strcmp(mark_id(marks->pdata[m]), from) == 0 || !fault_turn(try))
                continue;
            right_of(marks->pdata[m], start);
            g_autoptr(GString) d = g_string_new(NULL);
            add_point(d, 'M', start[0], start[1]);
            add_point(d, 'L', start[0] + 7, start[1]);
            add_point(d, 'L', start[0] + 7, before[1]);
            add_point(d, 'L', before[0], before[1]);
            add_point(d, 'L', end[0], end[1]);
            set_data(try, edge->first->line, d->str);
            fault_attempt(try, edge->hint[FIG_HINT_EDGE]);
        }
    }
}

/* Stops, or starts, in empty space. */
static void
open_end(Try *try)
{
    g_autoptr(GPtrArray) edges = fault_all(try->figure, FIG_HINT_EDGE);
    for (guint e = 0; e < edges->len; e++) {
        const FigSvgItem *edge = edges->pdata[e];
        const FigPath *path = &edge->first->path;
        for (int which = 0; which < 2; which++) {
            double tip[2];
            if (!fault_turn(try))
                continue;
            g_autoptr(GString) d = g_string_new(NULL);
            if (which == 0) { /* from the side, where nothing stands */
                add_point(d, 'M', try->figure->svg->width - 2, path->points[0][1] + 11);
                add_point(d, 'L', path->points[path->n_points - 1][0],
                          path->points[path->n_points - 1][1]);
            } else { /* a short one */
                tip_of(edge, tip);
                add_point(d, 'M', path->points[0][0], path->points[0][1]);
                add_point(d, 'L', 3, path->points[0][1]);
                g_autofree char *head = head_data(
                    (const double[]){3 - HEAD + INSIDE, path->points[0][1]}, -1, 0);
                if (head_of(edge))
                    set_data(try, head_of(edge)->line, head);
            }
            set_data(try, edge->first->line, d->str);
            fault_attempt(try, edge->hint[FIG_HINT_EDGE]);
        }
    }
}

static void
taken_out(Try *try)
{
    g_autoptr(GPtrArray) edges = fault_all(try->figure, FIG_HINT_EDGE);
    for (guint e = 0; e < edges->len; e++) {
        const FigSvgItem *edge = edges->pdata[e];
        for (int which = 0; which < 3; which++) {
            if ((which == 2 && !head_of(edge)) || !fault_turn(try))
                continue;
            if (which == 0)
                fault_drop(try, edge->line, fault_last_line(edge));
            else
                fault_drop(try, edge->first->line + which - 1,
                           edge->first->line + which - 1);
            fault_attempt(try, edge->hint[FIG_HINT_EDGE]);
        }
    }
}

static void
doubled(Try *try)
{
    g_autoptr(GPtrArray) edges = fault_all(try->figure, FIG_HINT_EDGE);
    for (guint e = 0; e < edges->len; e++) {
        const FigSvgItem *edge = edges->pdata[e];
        if (!fault_turn(try))
            continue;
        int last = fault_last_line(edge);
        g_autofree char *again = fault_lines(try->figure, edge->line, last);
        fault_insert(try, last + 1, again);
        fault_attempt(try, edge->hint[FIG_HINT_EDGE]);
    }
}

/* The same way from end to start, with the head there. */
static void
turned_round(Try *try)
{
    g_autoptr(GPtrArray) edges = fault_all(try->figure, FIG_HINT_EDGE);
    for (guint e = 0; e < edges->len; e++) {
        const FigSvgItem *edge = edges->pdata[e];
        const FigPath *path = &edge->first->path;
        double tip[2];
        if (!head_of(edge) || !fault_turn(try))
            continue;
        tip_of(edge, tip);
        g_autoptr(GString) d = g_string_new(NULL);
        int p = path->n_points - 1;
        add_point(d, 'M', tip[0], tip[1]);
        add_point(d, 'L', path->points[p][0], path->points[p][1]);
        for (int v = path->n_verbs - 1; v > 0; v--) {
            int n = path->verbs[v] == FIG_CURVE ? 3 : 1;
            for (int i = 0; i < n; i++) {
                p--;
                add_point(d,
                          i > 0    ? ' '
                          : n == 3 ? 'C'
                                   : 'L',
                          path->points[p][0], path->points[p][1]);
            }
        }
        double dx = path->points[0][0] - path->points[1][0];
        double dy = path->points[0][1] - path->points[1][1], length = hypot(dx, dy);
        g_autofree char *head = head_data(path->points[0], dx / length, dy / length);
        set_data(try, edge->first->line, d->str);
        set_data(try, head_of(edge)->line, head);
        fault_attempt(try, edge->hint[FIG_HINT_EDGE]);
    }
}

/* Only the head turned. */
static void
head_turned(Try *try)
{
    g_autoptr(GPtrArray) edges = fault_all(try->figure, FIG_HINT_EDGE);
    for (guint e = 0; e < edges->len; e++) {
        const FigSvgItem *edge = edges->pdata[e];
        if (!head_of(edge) || !fault_turn(try))
            continue;
        const FigPath *path = &edge->first->path, *old = &head_of(edge)->path;
        const double *end = path->points[path->n_points - 1];
        double tip[2] = {old->points[0][0], old->points[0][1]};
        double dx = tip[0] - end[0], dy = tip[1] - end[1], length = hypot(dx, dy);
        double back[2] = {tip[0] - HEAD * dx / length, tip[1] - HEAD * dy / length};
        g_autofree char *head = head_data(back, -dx / length, -dy / length);
        set_data(try, head_of(edge)->line, head);
        fault_attempt(try, edge->hint[FIG_HINT_EDGE]);
    }
}

/* Two operands of one op, each drawn to where the other ends. */
static void
crossed(Try *try)
{
    g_autoptr(GPtrArray) edges = fault_all(try->figure, FIG_HINT_EDGE);
    for (guint a = 0; a < edges->len; a++) {
        for (guint b = a + 1; b < edges->len; b++) {
            const FigSvgItem *first = edges->pdata[a], *second = edges->pdata[b];
            g_autofree char *to = part_of(first, true), *its = part_of(second, true);
            g_autofree char *from = part_of(first, false),
                            *too = part_of(second, false);
            const FigRecordOp *op = fig_record_op(try->figure->record, to);
            if (strcmp(to, its) || !strcmp(from, too) || !op || op->commutes ||
                !fault_turn(try))
                continue;
            const FigSvgItem *pair[2] = {first, second};
            for (int i = 0; i < 2; i++) {
                const FigSvgItem *other = pair[1 - i];
                const double *start = start_of(pair[i]);
                const double *end =
                    other->first->path.points[other->first->path.n_points - 1];
                g_autoptr(GString) d = g_string_new(NULL);
                g_autofree char *head =
                    fault_value(try->figure->lines[head_of(other)->line - 1], "d");
                add_point(d, 'M', start[0], start[1]);
                add_point(d, 'L', end[0], end[1] - 0.3);
                add_point(d, 'L', end[0], end[1]);
                set_data(try, pair[i]->first->line, d->str);
                set_data(try, head_of(pair[i])->line, head);
            }
            fault_attempt(try, first->hint[FIG_HINT_EDGE]);
        }
    }
}

/* An edge that nobody ran, from every mark to every other. */
static void
made_up(Try *try)
{
    g_autoptr(GPtrArray) edges = fault_all(try->figure, FIG_HINT_EDGE);
    g_autoptr(GPtrArray) marks = all_marks(try->figure);
    const FigSvgItem *model = edges->pdata[0];
    int last = fault_last_line(edges->pdata[edges->len - 1]);
    for (guint a = 0; a < marks->len; a++) {
        for (guint b = 0; b < marks->len; b++) {
            double from[2], tip[2];
            if (a == b || !fault_turn(try))
                continue;
            right_of(marks->pdata[a], from);
            right_of(marks->pdata[b], tip);
            g_autofree char *d = line_data(from, tip), *h = head_data(tip, -1, 0);
            g_autofree char *line =
                fault_with(try->figure->lines[model->first->line - 1], "d", d);
            g_autofree char *head =
                fault_with(try->figure->lines[model->first->line], "d", h);
            g_autofree char *group = g_strdup_printf(
                "<g data-edge=\"%s %s.x\">\n%s\n%s\n</g>\n", mark_id(marks->pdata[a]),
                mark_id(marks->pdata[b]), line, head);
            const char *plain = strchr(group, '\n');
            g_autofree char *bare = g_strconcat("<g>", plain, NULL);
            fault_insert(try, last + 1, try->figure->bare ? bare : group);
            fault_attempt(try, mark_id(marks->pdata[a]));
        }
    }
}

/* The right ends by another way. */
static void
another_way(Try *try)
{
    g_autoptr(GPtrArray) edges = fault_all(try->figure, FIG_HINT_EDGE);
    for (guint e = 0; e < edges->len; e++) {
        const FigSvgItem *edge = edges->pdata[e];
        const FigPath *path = &edge->first->path;
        for (int side = -1; side < 2; side += 2) {
            if (!fault_turn(try))
                continue;
            g_autoptr(GString) d = g_string_new(NULL);
            const double *a = path->points[0], *b = path->points[path->n_points - 1];
            add_point(d, 'M', a[0], a[1]);
            add_point(d, 'L', (a[0] + b[0]) / 2 + 9 * side, (a[1] + b[1]) / 2);
            add_point(d, 'L', b[0], b[1] - 0.2);
            add_point(d, 'L', b[0], b[1]);
            set_data(try, edge->first->line, d->str);
            fault_attempt(try, edge->hint[FIG_HINT_EDGE]);
        }
    }
}

/* A dot where nothing forks; one gone; one elsewhere. */
static void
dots(Try *try)
{
    g_autoptr(GPtrArray) forks = fault_all(try->figure, FIG_HINT_FORK);
    g_autoptr(GPtrArray) edges = fault_all(try->figure, FIG_HINT_EDGE);
    for (guint f = 0; f < forks->len; f++) {
        const FigSvgItem *fork = forks->pdata[f];
        double x = (fork->first->bounds.left + fork->first->bounds.right) / 2;
        double y = (fork->first->bounds.top + fork->first->bounds.bottom) / 2;
        int last = fault_last_line(fork);
        g_autofree char *lines = fault_lines(try->figure, fork->line, last);
        if (fault_turn(try)) {
            fault_drop(try, fork->line, last);
            fault_attempt(try, "gone");
        }
        for (guint e = 0; e < edges->len; e++) {
            const double *start = start_of(edges->pdata[e]);
            const double *next = start + 2;
            if (!fault_turn(try))
                continue;
            g_autofree char *moved = fault_moved(lines, (start[0] + next[0]) / 2 - x,
                                                 (start[1] + next[1]) / 2 - y);
            fault_insert(try, last + 1, moved);
            fault_attempt(try, "one more");
        }
    }
}

const Kind fault_edges[] = {
    {"edge ends at another mark", "edge", end_elsewhere, false},
    {"edge starts at another mark", "edge", start_elsewhere, false},
    {"edge ends or starts in empty space", "edge", open_end, false},
    {"edge, its line or its head taken out", "edge", taken_out, false},
    {"edge doubled", "edge", doubled, false},
    {"edge turned round", "edge", turned_round, false},
    {"arrow head turned round", "edge", head_turned, false},
    {"operands crossed", "edge", crossed, false},
    {"edge made up", "edge", made_up, false},
    {"edge by another way", "edge", another_way, false},
    {"dot taken out or made up", "dot", dots, false},
    {NULL, NULL, NULL, false},
};
