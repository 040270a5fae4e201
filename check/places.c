/* SPDX-License-Identifier: MIT
 *
 * A tree of bounds, packed once: neighbours stand together, so many to a branch, and each
 * branch knows the bounds of all below it. Long and short things are alike to it.
 */
#include "check/places.h"

#include <math.h>

enum { FAN = 8 /* bounds, or branches, to a branch */ };

typedef struct Leaf {
    FigBounds bounds;
    double x, y; /* its middle */
    int number;
} Leaf;

struct FigPlaces {
    GArray *leaves;  /* Leaf, neighbours together */
    GPtrArray *rows; /* GArray of FigBounds: of FAN leaves each, of FAN of those, … */
    GArray *anywhere; /* int: what has no place, ascending */
};

static const FigBounds EMPTY = {INFINITY, INFINITY, -INFINITY, -INFINITY};

/* ---- packing ---- */

static int
by_y(const void *left, const void *right)
{
    const Leaf *a = left, *b = right;
    return (a->y > b->y) - (a->y < b->y);
}

static int
by_x(const void *left, const void *right)
{
    const Leaf *a = left, *b = right;
    return (a->x > b->x) - (a->x < b->x);
}

/* Strips from top to bottom, each from left to right. */
static void
sort_leaves(GArray *leaves)
{
    const size_t strip = FAN * (size_t)ceil(sqrt((double)leaves->len / FAN));
    qsort(leaves->data, leaves->len, sizeof(Leaf), by_y);
    for (size_t i = 0; i < leaves->len; i += strip)
        qsort(&g_array_index(leaves, Leaf, i), MIN(strip, leaves->len - i),
              sizeof(Leaf), by_x);
}

/* Append what is around each FAN of n things; bounds come every size bytes. */
static GArray *
branches(const void *things, guint n, size_t size)
{
    GArray *row = g_array_new(FALSE, FALSE, sizeof(FigBounds));
    for (guint i = 0; i < n; i += FAN) {
        FigBounds all = EMPTY;
        for (guint k = i; k < MIN(i + FAN, n); k++) {
            const FigBounds *b = (const void *)((const char *)things + k * size);
            all = (FigBounds){MIN(all.left, b->left), MIN(all.top, b->top),
                              MAX(all.right, b->right), MAX(all.bottom, b->bottom)};
        }
        g_array_append_val(row, all);
    }
    return row;
}

static bool
has_place(FigBounds b)
{
    return isfinite(b.left + b.top + b.right + b.bottom) && b.left <= b.right &&
           b.top <= b.bottom;
}

FigPlaces *
fig_places_new(const FigBounds *bounds, int n)
{
    FigPlaces *places = g_new0(FigPlaces, 1);
    places->leaves = g_array_new(FALSE, FALSE, sizeof(Leaf));
    places->rows = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
    places->anywhere = g_array_new(FALSE, FALSE, sizeof(int));
    for (int i = 0; i < n; i++) {
        const FigBounds b = bounds[i];
        const Leaf leaf = {b, b.left + b.right, b.top + b.bottom, i};
        if (has_place(b))
            g_array_append_val(places->leaves, leaf);
        else
            g_array_append_val(places->anywhere, i);
    }
    if (places->leaves->len == 0)
        return places;
    sort_leaves(places->leaves);
    GArray *row = branches(places->leaves->data, places->leaves->len, sizeof(Leaf));
    g_ptr_array_add(places->rows, row);
    while (row->len > 1) {
        row = branches(row->data, row->len, sizeof(FigBounds));
        g_ptr_array_add(places->rows, row);
    }
    return places;
}

void
fig_places_free(FigPlaces *places)
{
    if (!places)
        return;
    g_array_unref(places->leaves);
    g_ptr_array_unref(places->rows);
    g_array_unref(places->anywhere);
    g_free(places);
}

/* ---- finding ---- */

static bool
touch(FigBounds a, FigBounds b)
{
    return a.left <= b.right && b.left <= a.right && a.top <= b.bottom &&
           b.top <= a.bottom;
}

/* Look through what is below branch i of a row. */
static void
look_below(const FigPlaces *places, guint row, guint i, FigBounds area, GArray *found)
{
    const GArray *branch = places->rows->pdata[row];
    if (!touch(g_array_index(branch, FigBounds, i), area))
        return;
    const guint n =
        row > 0 ? ((GArray *)places->rows->pdata[row - 1])->len : places->leaves->len;
    for (guint k = i * FAN; k < MIN((i + 1) * FAN, n); k++) {
        const Leaf *leaf = &g_array_index(places->leaves, Leaf, k);
        if (row > 0)
            look_below(places, row - 1, k, area, found);
        else if (touch(leaf->bounds, area))
            g_array_append_val(found, leaf->number);
    }
}

static int
by_number(const void *left, const void *right)
{
    return *(const int *)left - *(const int *)right;
}

void
fig_places_find(const FigPlaces *places, FigBounds area, GArray *found)
{
    const guint before = found->len;
    g_array_append_vals(found, places->anywhere->data, places->anywhere->len);
    if (places->rows->len > 0)
        look_below(places, places->rows->len - 1, 0, area, found);
    if (found->len > before)
        qsort(&g_array_index(found, int, before), found->len - before, sizeof(int),
              by_number);
}
