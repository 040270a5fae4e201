/* SPDX-License-Identifier: MIT
 *
 * Edges by geometry: a line that starts on the border of a mark (or on the line of
 * another edge: then it carries the same value) and whose arrow tip lies on the border of
 * a mark. Each operand that is no weight must have exactly one, and nothing else may be
 * one. The hint of the file is compared last.
 */
#include "check/figure-scan.h"

#include <math.h>
#include <string.h>

static const double LARGEST_HEAD = 10; /* points */

/* ---- lines and heads ---- */

static bool
is_line(const FigScan *scan, const FigSvgItem *item)
{
    return item->kind == FIG_ITEM_PATH && !scan->role[item->order] &&
           !fig_svg_closed(item) && fig_svg_bordered(item) &&
           !fig_svg_inked(item->look.fill) && item->path.n_points > 1;
}

static bool
is_head(const FigScan *scan, const FigSvgItem *item)
{
    if (item->kind != FIG_ITEM_PATH || scan->role[item->order] ||
        !fig_svg_closed(item) || !fig_svg_inked(item->look.fill) ||
        item->path.n_points < 3 || item->path.n_points > 4 ||
        item->bounds.right - item->bounds.left > LARGEST_HEAD ||
        item->bounds.bottom - item->bounds.top > LARGEST_HEAD)
        return false;
    for (int v = 0; v < item->path.n_verbs; v++)
        if (item->path.verbs[v] == FIG_CURVE)
            return false;
    return true;
}

/* The head at the end of a line: the next item if it fits, else any that does. */
static const FigSvgItem *
head_at(const FigScan *scan, const FigSvgItem *line, double x, double y)
{
    FigBounds end = fig_bounds_point(x, y);
    const FigSvgItem *found = NULL;
    g_autoptr(GPtrArray) around =
        fig_scan_around(scan, fig_bounds_grow(end, FIG_TOUCH));
    for (guint i = 0; i < around->len; i++) {
        const FigSvgItem *item = around->pdata[i];
        if (!is_head(scan, item) || !fig_bounds_hold(item->bounds, end, FIG_TOUCH))
            continue;
        if (!found || item->order == line->order + 1)
            found = item;
    }
    return found;
}

/* The tip of a head: the corner farthest along the end of its line. */
static void
find_tip(FigSeenEdge *edge)
{
    const FigPath *line = &edge->line->path, *head = &edge->head->path;
    const double *end = line->points[line->n_points - 1];
    double direction[2] = {0, 0}, far = -INFINITY, second = -INFINITY;

    for (int i = line->n_points - 2; i >= 0; i--) {
        direction[0] = end[0] - line->points[i][0];
        direction[1] = end[1] - line->points[i][1];
        double length = hypot(direction[0], direction[1]);
        if (length > 0.01) {
            direction[0] /= length;
            direction[1] /= length;
            break;
        }
    }
    for (int i = 0; i < head->n_points; i++) {
        double along = (head->points[i][0] - end[0]) * direction[0] +
                       (head->points[i][1] - end[1]) * direction[1];
        if (along > far) {
            second = far;
            far = along;
            memcpy(edge->tip, head->points[i], sizeof edge->tip);
        } else {
            second = MAX(second, along);
        }
    }
    edge->backwards = far - second < 0.5; /* its broad side leads */
}

/* ---- ends ---- */

/* How far from the border of a mark a line may end and still end on it. */
static double
reach_of(const FigSeenMark *mark)
{
    const FigSvgLook *look = &mark->item->look;
    return FIG_TOUCH + (fig_svg_inked(look->stroke) ? look->stroke_width / 2 : 0);
}

/* The mark on whose border a point lies. reach: of any */
static FigSeenMark *
mark_at(FigScan *scan, const double point[2], double reach)
{
    FigSeenMark *best = NULL;
    double least = INFINITY;
    g_autoptr(GPtrArray) around = fig_scan_marks_around(
        scan, fig_bounds_grow(fig_bounds_point(point[0], point[1]), reach));
    for (guint i = 0; i < around->len; i++) {
        FigSeenMark *mark = around->pdata[i];
        double distance = fig_distance_mark(point[0], point[1], mark);
        if (distance <= reach_of(mark) && distance < least) {
            best = mark;
            least = distance;
        }
    }
    return best;
}

/* Does a point lie on the line of an edge, to within reach? Most are far off: bounds first. */
static bool
lies_on(const FigSeenEdge *edge, double x, double y, double reach)
{
    return fig_bounds_hold(edge->line->bounds, (FigBounds){x, y, x, y}, reach) &&
           fig_distance_path(x, y, &edge->line->path) <= reach;
}

/* The edge on whose line a point lies. */
static const FigSeenEdge *
edge_under(const FigScan *scan, const FigSeenEdge *self, const double point[2])
{
    g_autoptr(GPtrArray) around = fig_scan_edges_around(
        scan, fig_bounds_grow(fig_bounds_point(point[0], point[1]), FIG_TOUCH));
    for (guint i = 0; i < around->len; i++) {
        const FigSeenEdge *edge = around->pdata[i];
        if (edge != self && edge->along != self &&
            lies_on(edge, point[0], point[1], FIG_TOUCH))
            return edge;
    }
    return NULL;
}

static FigSeenEdge *
add_edge(FigScan *scan, const FigSvgItem *line, const FigSvgItem *head)
{
    FigSeenEdge *edge = fig_arena_new0(scan->report->arena, FigSeenEdge);
    const FigPath *path = &line->path;
    edge->line = line;
    edge->head = head;
    memcpy(edge->start, path->points[0], sizeof edge->start);
    memcpy(edge->tip, path->points[path->n_points - 1], sizeof edge->tip);
    if (head) {
        find_tip(edge);
        scan->role[head->order] = FIG_ROLE_HEAD;
    }
    scan->role[line->order] = FIG_ROLE_LINE;
    scan->edge_of[line->order] = edge;
    g_ptr_array_add(scan->edges, edge);
    return edge;
}

void
fig_find_edges(FigScan *scan)
{
    double reach = FIG_TOUCH;
    for (guint m = 0; m < scan->marks->len; m++)
        reach = MAX(reach, reach_of(scan->marks->pdata[m]));
    for (guint i = 0; i < scan->leaves->len; i++) {
        const FigSvgItem *line = scan->leaves->pdata[i];
        if (!is_line(scan, line))
            continue;
        const double *end = line->path.points[line->path.n_points - 1];
        const FigSvgItem *head = head_at(scan, line, end[0], end[1]);
        FigSeenMark *fork = head ? NULL : mark_at(scan, end, reach);
        if (head || (fork && fork->kind == FIG_SEEN_FORK))
            add_edge(scan, line, head);
    }
    for (guint i = 0; i < scan->edges->len; i++) {
        FigSeenEdge *edge = scan->edges->pdata[i];
        edge->to = mark_at(scan, edge->tip, reach);
        edge->from = mark_at(scan, edge->start, reach);
        if (!edge->from)
            edge->along = edge_under(scan, edge, edge->start);
    }
    for (guint i = 0; i < scan->edges->len; i++) {
        FigSeenEdge *edge = scan->edges->pdata[i];
        const FigSeenEdge *along = edge->along;
        for (guint n = 0; along && !edge->from && n <= scan->edges->len; n++) {
            edge->from = along->from;
            along = along->along;
        }
    }
    for (guint i = scan->edges->len; i-- > 0;) {
        FigSeenEdge *edge = scan->edges->pdata[i];
        if (!edge->to)
            continue;
        edge->same_to = edge->to->edges;
        edge->to->edges = edge;
    }
}

/* ---- against the record ---- */

static bool
is_producer(const FigScan *scan, const FigSeenMark *mark, const char *value)
{
    if (!mark || !value)
        return false;
    if (mark->kind == FIG_SEEN_INPUT)
        return strcmp(mark->value, value) == 0;
    return mark->op && fig_record_writer(scan->record, value) == mark->op;
}

static const char *
producer_id(const FigScan *scan, const char *value)
{
    const FigRecordOp *op = value ? fig_record_writer(scan->record, value) : NULL;
    return op ? op->id : value ? value : "no value";
}

/* What an op was handed, for a finding: "q_rope (a), k_rope (b)". */
static char *
reads_words(const FigScan *scan, const FigRecordOp *op)
{
    GString *out = g_string_new(NULL);
    g_string_append_printf(out, "‘%s’ (step %d) read ", op->id, op->step);
    for (int i = 0, n = 0; i < op->n_reads; i++) {
        if (strcmp(op->reads[i].from, "weight") == 0)
            continue;
        g_string_append_printf(out, "%s%s as %s", n++ ? ", " : "",
                               producer_id(scan, op->reads[i].value),
                               op->reads[i].port);
    }
    return g_string_free(out, FALSE);
}

/* Is an edge left of another; if neither is, drawn before it? */
static bool
stands_before(const FigSeenEdge *a, const FigSeenEdge *b)
{
    return a->tip[0] != b->tip[0] ? a->tip[0] < b->tip[0]
                                  : a->line->order < b->line->order;
}

/* The edge that stands for a value at one of its readers: from its producer, the leftmost
 * that stands for nothing yet. */
static FigSeenEdge *
edge_into(FigScan *scan, const FigSeenMark *reader, const char *value)
{
    FigSeenEdge *best = NULL;
    for (FigSeenEdge *edge = reader->edges; edge; edge = edge->same_to)
        if (!edge->value && !edge->backwards && is_producer(scan, edge->from, value) &&
            (!best || stands_before(edge, best)))
            best = edge;
    return best;
}

static FigSeenMark *
output_mark(const FigScan *scan, const char *id)
{
    const FigRecordValue *value = fig_record_value(scan->record, id);
    return value ? scan->output[value - scan->record->values] : NULL;
}

/* Take the edge that stands for an operand of an op, or for an output (reader: NULL). */
static FigSeenEdge *
take(FigScan *scan, const char *value, const FigRecordOp *reader)
{
    FigSeenEdge *best = NULL;
    FigSeenMark *mark =
        reader ? scan->op_mark[reader - scan->record->ops] : output_mark(scan, value);
    for (; mark; mark = mark->same_op) {
        FigSeenEdge *edge = edge_into(scan, mark, value);
        if (edge && (!best || stands_before(edge, best)))
            best = edge;
    }
    if (best)
        best->value = value;
    return best;
}

static void
missing(FigScan *scan, const FigRecordOp *op, const FigRecordRead *read)
{
    const FigSeenMark *mark = fig_scan_mark(scan, op);
    fig_scan_finding(scan, "edge", mark ? mark->item->line : 0,
                     g_strdup_printf("no edge from ‘%s’ to ‘%s’",
                                     producer_id(scan, read->value), op->id),
                     reads_words(scan, op));
}

/* What an edge that stands for nothing says. */
static void
surplus(FigScan *scan, const FigSeenEdge *edge)
{
    const char *from = fig_seen_words(scan, edge->from);
    const char *to = fig_seen_words(scan, edge->to);
    bool doubled = false;
    for (const FigSeenEdge *other = edge->to ? edge->to->edges : NULL; other;
         other = other->same_to)
        doubled |= other != edge && other->value && other->from == edge->from;
    char *did = edge->to && edge->to->op ? reads_words(scan, edge->to->op)
                                         : g_strdup("nothing is read there");
    fig_scan_finding(
        scan, "edge", edge->line->line,
        edge->backwards
            ? g_strdup_printf("an arrow head at %s points back to %s", to, from)
            : g_strdup_printf("%s edge from %s to %s", doubled ? "a second" : "an",
                              from, to),
        did);
}

/* Operands from left to right where their order means something. */
static void
prove_order(FigScan *scan, const FigRecordOp *op, FigSeenEdge **taken)
{
    if (op->commutes)
        return;
    const FigSeenEdge *before = NULL;
    for (int i = 0; i < op->n_reads; i++) {
        if (!taken[i])
            continue;
        if (before && before->tip[0] >= taken[i]->tip[0]) {
            fig_scan_finding(
                scan, "edge", taken[i]->line->line,
                g_strdup_printf("operand %s of ‘%s’ stands left of the one before it",
                                op->reads[i].port, op->id),
                reads_words(scan, op));
            return;
        }
        before = taken[i];
    }
}

/* Which of the parts that its op writes a read takes; -1: of no such op. */
static int
part_read(const FigScan *scan, const FigRecordRead *read)
{
    const FigRecordOp *writer =
        read->value ? fig_record_writer(scan->record, read->value) : NULL;
    for (int i = 0; writer && i < writer->n_writes; i++)
        if (strcmp(writer->writes[i].value, read->value) == 0)
            return i;
    return -1;
}

/* Where the line of an edge leaves its mark, or that of the edge that it starts on. */
static double
leaves_at(const FigScan *scan, const FigSeenEdge *edge)
{
    for (guint n = 0; edge->along && n <= scan->edges->len; n++)
        edge = edge->along;
    return edge->start[0];
}

/* Parts leave a fork from left to right, and enter an op that commutes in any order: which
 * of two edges from one fork to it stands for which part is seen where they leave. */
static void
tell_parts(const FigScan *scan, const FigRecordOp *op, FigSeenEdge **taken)
{
    if (!op->commutes)
        return;
    for (int i = 0; i < op->n_reads; i++) {
        for (int k = i + 1; k < op->n_reads; k++) {
            if (!taken[i] || !taken[k] || taken[i]->from != taken[k]->from)
                continue;
            int parts = part_read(scan, &op->reads[k]) - part_read(scan, &op->reads[i]);
            double way = leaves_at(scan, taken[k]) - leaves_at(scan, taken[i]);
            if (parts * way >= 0)
                continue;
            FigSeenEdge *other = taken[i];
            taken[i] = taken[k];
            taken[k] = other;
            taken[i]->value = op->reads[i].value;
            taken[k]->value = op->reads[k].value;
        }
    }
}

static void
prove_hint(FigScan *scan, const FigSeenEdge *edge, const FigRecordRead *read,
           const char *to)
{
    const char *hint = fig_svg_hint(edge->line, FIG_HINT_EDGE);
    const char *value = fig_svg_hint(edge->line, FIG_HINT_VALUE);
    const char *head_hint = edge->head ? fig_svg_hint(edge->head, FIG_HINT_EDGE) : hint;
    g_autofree char *expected =
        g_strdup_printf("%s %s.%s", producer_id(scan, edge->value), to,
                        read ? read->port : edge->value);

    if (!scan->hinted)
        return;
    if (!hint || strcmp(hint, expected) != 0 || g_strcmp0(hint, head_hint) != 0)
        fig_scan_finding(scan, "hint", edge->line->line,
                         fig_hint_words(FIG_HINT_EDGE, hint),
                         g_strdup_printf("drawn, and run, is \"%s\"", expected));
    if (value && strcmp(value, edge->value) != 0)
        fig_scan_finding(
            scan, "hint", edge->line->line,
            g_strdup_printf("data-value=\"%s\" on the edge %s", value, expected),
            g_strdup_printf("it carries ‘%s’", edge->value));
}

static void
prove_op(FigScan *scan, const FigRecordOp *op)
{
    g_autofree FigSeenEdge **taken = g_new0(FigSeenEdge *, op->n_reads + 1);
    for (int i = 0; i < op->n_reads; i++) {
        const FigRecordRead *read = &op->reads[i];
        if (strcmp(read->from, "weight") == 0)
            continue;
        scan->report->edges++;
        taken[i] = take(scan, read->value, op);
        if (!taken[i]) {
            missing(scan, op, read);
            continue;
        }
        scan->report->edges_found++;
    }
    tell_parts(scan, op, taken);
    for (int i = 0; i < op->n_reads; i++) {
        if (!taken[i])
            continue;
        taken[i]->read = &op->reads[i];
        prove_hint(scan, taken[i], &op->reads[i], op->id);
    }
    prove_order(scan, op, taken);
}

/* Does a point lie on an edge: on its line, or on its head up to the tip? */
static bool
lies_along(const FigSeenEdge *edge, double x, double y, double reach)
{
    if (lies_on(edge, x, y, reach))
        return true;
    return edge->head &&
           fig_bounds_hold(edge->head->bounds, fig_bounds_point(x, y), 0) &&
           fig_inside_path(x, y, &edge->head->path);
}

/* Do lines of one value leave a place in at least three directions? */
static bool
parts_at(const FigScan *scan, const char *value, double x, double y)
{
    enum { WAYS = 48 };
    static const double NEAR = 0.6;
    static const double reach[] = {4, 7};
    g_autoptr(GPtrArray) around = fig_scan_edges_around(
        scan, fig_bounds_grow(fig_bounds_point(x, y), reach[1] + NEAR));
    for (size_t r = 0; r < G_N_ELEMENTS(reach); r++) {
        bool way[WAYS] = {false};
        int n = 0;
        for (int i = 0; i < WAYS; i++) {
            double angle = 2 * M_PI * i / WAYS;
            double there[2] = {x + reach[r] * cos(angle), y + reach[r] * sin(angle)};
            for (guint e = 0; e < around->len && !way[i]; e++) {
                const FigSeenEdge *edge = around->pdata[e];
                way[i] = lies_along(edge, there[0], there[1], NEAR) &&
                         g_strcmp0(edge->value, value) == 0;
            }
        }
        for (int i = 0; i < WAYS; i++)
            n += way[i] && !way[(i + 1) % WAYS];
        if (n >= 3)
            return true;
    }
    return false;
}

/* A dot says that one value is led to several readers from there. */
static void
prove_dots(FigScan *scan)
{
    for (guint i = 0; i < scan->leaves->len; i++) {
        const FigSvgItem *dot = scan->leaves->pdata[i];
        const char *value = NULL;
        int n = 0;
        bool mixed = false;
        if (scan->role[i] != FIG_ROLE_DOT)
            continue;
        double x = (dot->bounds.left + dot->bounds.right) / 2;
        double y = (dot->bounds.top + dot->bounds.bottom) / 2;
        g_autoptr(GPtrArray) around = fig_scan_edges_around(
            scan, fig_bounds_grow(fig_bounds_point(x, y), FIG_TOUCH));
        for (guint e = 0; e < around->len; e++) {
            const FigSeenEdge *edge = around->pdata[e];
            if (!edge->value || !lies_on(edge, x, y, FIG_TOUCH))
                continue;
            mixed |= value && strcmp(value, edge->value) != 0;
            value = edge->value;
            n++;
        }
        if (n < 2 || mixed || !parts_at(scan, value, x, y))
            fig_scan_finding(scan, "dot", dot->line,
                             g_strdup(mixed ? "a dot joins lines of different values"
                                            : "a dot where no value is led to several "
                                              "readers"),
                             g_strdup("a dot stands where one value forks"));
        const char *hint = fig_svg_hint(dot, FIG_HINT_FORK);
        if (hint && value && strcmp(hint, value) != 0)
            fig_scan_finding(scan, "hint", dot->line,
                             g_strdup_printf("data-fork=\"%s\"", hint),
                             g_strdup_printf("the lines there carry ‘%s’", value));
    }
}

void
fig_prove_edges(FigScan *scan)
{
    const FigRecord *record = scan->record;
    for (int i = 0; i < record->n_ops; i++)
        prove_op(scan, &record->ops[i]);
    for (int i = 0; i < record->n_outputs; i++) {
        const char *id = record->outputs[i];
        scan->report->edges++;
        FigSeenEdge *edge = take(scan, id, NULL);
        if (!edge) {
            fig_scan_finding(scan, "edge", 0,
                             g_strdup_printf("no edge from ‘%s’ to the output",
                                             producer_id(scan, id)),
                             g_strdup_printf("‘%s’ is an output", id));
            continue;
        }
        scan->report->edges_found++;
        prove_hint(scan, edge, NULL, "output");
    }
    for (guint i = 0; i < scan->edges->len; i++) {
        const FigSeenEdge *edge = scan->edges->pdata[i];
        if (!edge->value)
            surplus(scan, edge);
    }
    prove_dots(scan);
}
