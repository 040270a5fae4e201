/* SPDX-License-Identifier: MIT
 *
 * What lies around a place of a figure: things drawn, the marks and edges that they are; and
 * to which of those a text belongs by where it stands.
 */
#include "check/figure-scan.h"

#include "check/places.h"

#include <math.h>

static const double ROW_REACH = 120; /* from a text to the mark on whose row it is */

/* Where an item is looked for: its bounds, and where its words begin, with ink or not. */
static FigBounds
place_of(const FigSvgItem *item)
{
    FigBounds b = item->bounds;
    if (item->kind == FIG_ITEM_TEXT && item->n_spans > 0 && b.left <= b.right) {
        double x = item->spans[0].x, y = item->spans[0].y;
        b = (FigBounds){MIN(b.left, x), MIN(b.top, y), MAX(b.right, x),
                        MAX(b.bottom, y)};
    }
    return b;
}

/* A line is long and thin: what is around it is around one of its pieces. */
static bool
has_pieces(const FigSvgItem *item)
{
    return item->kind == FIG_ITEM_PATH && !fig_svg_closed(item) &&
           !fig_svg_inked(item->look.fill) && item->path.n_verbs > 1;
}

static FigBounds
around_points(const double (*p)[2], int n, const double other[2])
{
    FigBounds b = fig_bounds_point(other[0], other[1]);
    for (int i = 0; i < n; i++)
        b = (FigBounds){MIN(b.left, p[i][0]), MIN(b.top, p[i][1]),
                        MAX(b.right, p[i][0]), MAX(b.bottom, p[i][1])};
    return b;
}

/* Append the bounds of an item, of a line those of its pieces. */
static void
add_places(GArray *places, const FigSvgItem *item)
{
    const FigPath *path = &item->path;
    const double(*p)[2] = path->points;
    const double *at = NULL, *first = NULL;
    if (!has_pieces(item)) {
        FigBounds all = place_of(item);
        g_array_append_val(places, all);
        return;
    }
    for (int v = 0; v < path->n_verbs; v++) {
        int n = path->verbs[v] == FIG_CLOSE ? 0 : path->verbs[v] == FIG_CURVE ? 3 : 1;
        bool moves = path->verbs[v] == FIG_MOVE || !at;
        FigBounds piece = moves ? around_points(p, n, *p)
                          : n   ? around_points(p, n, at)
                                : around_points((const double(*)[2])at, 1, first);
        g_array_append_val(places, piece);
        p += n;
        at = n ? p[-1] : first;
        first = moves ? at : first;
    }
}

void
fig_scan_place(FigScan *scan)
{
    const GPtrArray *leaves = scan->leaves;
    g_autoptr(GArray) places = g_array_new(FALSE, FALSE, sizeof(FigBounds));
    scan->order_of = g_array_new(FALSE, FALSE, sizeof(int));
    for (guint i = 0; i < leaves->len; i++) {
        const FigSvgItem *item = leaves->pdata[i];
        add_places(places, item);
        while (scan->order_of->len < places->len)
            g_array_append_val(scan->order_of, item->order);
        if (item->kind == FIG_ITEM_TEXT)
            scan->widest = MAX(scan->widest, item->bounds.right - item->bounds.left);
    }
    scan->places =
        fig_places_new((const FigBounds *)(void *)places->data, (int)places->len);
}

static int
by_value(const void *left, const void *right)
{
    return *(const int *)left - *(const int *)right;
}

/* The orders of the items in some areas, each once. owns: the caller */
static GArray *
orders(const FigScan *scan, const FigBounds *areas, guint n)
{
    g_autoptr(GArray) found = g_array_new(FALSE, FALSE, sizeof(int));
    GArray *orders = g_array_new(FALSE, FALSE, sizeof(int));
    for (guint i = 0; i < n; i++)
        fig_places_find(scan->places, areas[i], found);
    if (n > 1)
        g_array_sort(found, by_value);
    for (guint i = 0; i < found->len; i++) {
        int order = g_array_index(scan->order_of, int, g_array_index(found, int, i));
        if (orders->len == 0 || g_array_index(orders, int, orders->len - 1) != order)
            g_array_append_val(orders, order);
    }
    return orders;
}

static GPtrArray *
items_in(const FigScan *scan, const FigBounds *areas, guint n)
{
    g_autoptr(GArray) found = orders(scan, areas, n);
    GPtrArray *items = g_ptr_array_sized_new(found->len);
    for (guint i = 0; i < found->len; i++)
        g_ptr_array_add(items, scan->leaves->pdata[g_array_index(found, int, i)]);
    return items;
}

GPtrArray *
fig_scan_around_item(const FigScan *scan, const FigSvgItem *item, double by)
{
    g_autoptr(GArray) areas = g_array_new(FALSE, FALSE, sizeof(FigBounds));
    add_places(areas, item);
    for (guint i = 0; i < areas->len; i++) {
        FigBounds *area = &g_array_index(areas, FigBounds, i);
        *area = fig_bounds_grow(*area, by);
    }
    return items_in(scan, (const FigBounds *)(void *)areas->data, areas->len);
}

GPtrArray *
fig_scan_around(const FigScan *scan, FigBounds area)
{
    return items_in(scan, &area, 1);
}

static int
by_number(const void *left, const void *right)
{
    const FigSeenMark *a = *(FigSeenMark *const *)left,
                      *b = *(FigSeenMark *const *)right;
    return (a->number > b->number) - (a->number < b->number);
}

GPtrArray *
fig_scan_marks_around(const FigScan *scan, FigBounds area)
{
    g_autoptr(GArray) found = orders(scan, &area, 1);
    GPtrArray *marks = g_ptr_array_new();
    for (guint i = 0; i < found->len; i++)
        for (FigSeenMark *mark = scan->mark_of[g_array_index(found, int, i)]; mark;
             mark = mark->same_item)
            g_ptr_array_add(marks, mark);
    g_ptr_array_sort(marks, by_number);
    return marks;
}

GPtrArray *
fig_scan_edges_around(const FigScan *scan, FigBounds area)
{
    g_autoptr(GArray) found = orders(scan, &area, 1);
    GPtrArray *edges = g_ptr_array_new();
    for (guint i = 0; i < found->len; i++) {
        FigSeenEdge *edge = scan->edge_of[g_array_index(found, int, i)];
        if (edge)
            g_ptr_array_add(edges, edge);
    }
    return edges;
}

/* ---- whose a text is ---- */

/* Does a line stand upright between two places, at height y? */
static bool
line_between(const FigScan *scan, double left, double right, double y)
{
    g_autoptr(GPtrArray) around = fig_scan_around(scan, (FigBounds){left, y, right, y});
    for (guint i = 0; i < around->len; i++) {
        const FigSvgItem *item = around->pdata[i];
        bool line = scan->role[item->order] ==
                    (scan->edges->len > 0 ? FIG_ROLE_LINE : FIG_ROLE_UNKNOWN);
        if (item->kind != FIG_ITEM_PATH || fig_svg_closed(item) ||
            !fig_svg_bordered(item) || !line)
            continue;
        const double(*p)[2] = item->path.points;
        double at[2] = {p[0][0], p[0][1]};
        for (int v = 0, n = 0; v < item->path.n_verbs; v++) {
            if (item->path.verbs[v] == FIG_CLOSE)
                continue;
            n += item->path.verbs[v] == FIG_CURVE ? 3 : 1;
            const double *to = p[n - 1];
            if (v > 0 && fabs(to[0] - at[0]) < 0.1 && at[0] > left && at[0] < right &&
                MIN(at[1], to[1]) < y && MAX(at[1], to[1]) > y)
                return true;
            at[0] = to[0];
            at[1] = to[1];
        }
    }
    return false;
}

double
fig_row_gap(const FigScan *scan, const FigSvgItem *text, FigBounds b, double slack)
{
    FigBounds t = text->bounds;
    double y = (t.top + t.bottom) / 2;
    if (y < b.top - slack || y > b.bottom + slack)
        return INFINITY;
    double left = t.right <= b.left + 1 ? t.right : b.right;
    double right = t.right <= b.left + 1 ? b.left : t.left;
    double gap = right - left;
    if (t.right > b.left + 1 && t.left < b.right - 1)
        gap = 0; /* above or below within the row */
    if (gap > ROW_REACH || (gap > 0 && line_between(scan, left + 0.5, right - 0.5, y)))
        return INFINITY;
    return MAX(gap, 0) + fabs(y - (b.top + b.bottom) / 2) / 100;
}

FigBounds
fig_row_around(FigBounds b)
{
    double reach = ROW_REACH + 1;
    return (FigBounds){b.left - reach, b.top - FIG_ROW, b.right + reach,
                       b.bottom + FIG_ROW};
}

FigSeenMark *
fig_scan_row(FigScan *scan, const FigSvgItem *text, double slack)
{
    FigSeenMark *best = NULL;
    double least = INFINITY;
    g_autoptr(GPtrArray) around =
        fig_scan_marks_around(scan, fig_row_around(text->bounds));
    for (guint i = 0; i < around->len; i++) {
        FigSeenMark *mark = around->pdata[i];
        double gap = mark->kind <= FIG_SEEN_FORK
                         ? fig_row_gap(scan, text, mark->bounds, slack)
                         : INFINITY;
        if (gap < least) {
            best = mark;
            least = gap;
        }
    }
    return best;
}

FigSeenEdge *
fig_scan_beside(FigScan *scan, const FigSvgItem *text, double *gap)
{
    FigSeenEdge *best = NULL;
    double least = FIG_BESIDE;
    double y = (text->bounds.top + text->bounds.bottom) / 2;
    g_autoptr(GPtrArray) around =
        fig_scan_edges_around(scan, fig_bounds_grow(text->bounds, FIG_BESIDE));
    for (guint i = 0; i < around->len; i++) {
        FigSeenEdge *edge = around->pdata[i];
        const FigPath *path = &edge->line->path;
        double other = MIN(fig_distance_path(text->bounds.left, y, path),
                           fig_distance_path(text->bounds.right, y, path));
        other =
            MIN(other, fig_distance_path(text->bounds.left, text->bounds.bottom, path));
        other =
            MIN(other, fig_distance_path(text->bounds.left, text->bounds.top, path));
        if (other < least) {
            best = edge;
            least = other;
        }
    }
    if (gap)
        *gap = best ? least : INFINITY;
    return best;
}
