/* SPDX-License-Identifier: MIT
 *
 * What lies around a place of a figure: things drawn, the marks and edges that they are.
 */
#include "check/figure-scan.h"

#include "check/places.h"

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
