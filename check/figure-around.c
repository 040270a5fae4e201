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

void
fig_scan_place(FigScan *scan)
{
    const GPtrArray *leaves = scan->leaves;
    g_autofree FigBounds *bounds = g_new(FigBounds, leaves->len + 1);
    for (guint i = 0; i < leaves->len; i++) {
        const FigSvgItem *item = leaves->pdata[i];
        bounds[i] = place_of(item);
        if (item->kind == FIG_ITEM_TEXT)
            scan->widest = MAX(scan->widest, item->bounds.right - item->bounds.left);
    }
    scan->places = fig_places_new(bounds, (int)leaves->len);
}

/* The orders of the items there. owns: the caller */
static GArray *
orders(const FigScan *scan, FigBounds area)
{
    GArray *found = g_array_new(FALSE, FALSE, sizeof(int));
    fig_places_find(scan->places, area, found);
    return found;
}

GPtrArray *
fig_scan_around(const FigScan *scan, FigBounds area)
{
    g_autoptr(GArray) found = orders(scan, area);
    GPtrArray *items = g_ptr_array_sized_new(found->len);
    for (guint i = 0; i < found->len; i++)
        g_ptr_array_add(items, scan->leaves->pdata[g_array_index(found, int, i)]);
    return items;
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
    g_autoptr(GArray) found = orders(scan, area);
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
    g_autoptr(GArray) found = orders(scan, area);
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
fig_scan_beside(FigScan *scan, const FigSvgItem *text)
{
    FigSeenEdge *best = NULL;
    double least = FIG_BESIDE;
    double y = (text->bounds.top + text->bounds.bottom) / 2;
    g_autoptr(GPtrArray) around =
        fig_scan_edges_around(scan, fig_bounds_grow(text->bounds, FIG_BESIDE));
    for (guint i = 0; i < around->len; i++) {
        FigSeenEdge *edge = around->pdata[i];
        const FigPath *path = &edge->line->path;
        double gap = MIN(fig_distance_path(text->bounds.left, y, path),
                         fig_distance_path(text->bounds.right, y, path));
        gap = MIN(gap, fig_distance_path(text->bounds.left, text->bounds.bottom, path));
        gap = MIN(gap, fig_distance_path(text->bounds.left, text->bounds.top, path));
        if (gap < least) {
            best = edge;
            least = gap;
        }
    }
    return best;
}
