/* SPDX-License-Identifier: MIT
 *
 * Things by where they lie: a page in cells, each with a list of numbers.
 */
#ifndef FIG_LAYOUTS_GRID_H
#define FIG_LAYOUTS_GRID_H

#include <glib.h>

typedef struct FigGridEntry {
    int what, next;
} FigGridEntry;

/* A page in cells. What lies off it is taken to lie in the cells at its border. */
typedef struct FigGrid {
    double wide, high; /* of a cell */
    int columns, rows;
    int *first;      /* [rows][columns] of its entries, or -1 */
    GArray *entries; /* FigGridEntry */
} FigGrid;

/* Part a page into about `cells` cells at most. One of wide and high may be 0: cells are
 * then as long there as it takes, but no shorter than `least`; with both 0 they are square.
 *
 * units    points
 */
void fig_grid_open(FigGrid *grid, double page_width, double page_height, double wide,
                   double high, double least, double cells);
void fig_grid_close(FigGrid *grid);

/* Enter a number in a cell. */
void fig_grid_put(FigGrid *grid, int column, int row, int what);

/* The cell at a place. */
int fig_grid_column(const FigGrid *grid, double x);
int fig_grid_row(const FigGrid *grid, double y);

/* Index of the first entry of a cell, or -1. */
static inline int
fig_grid_first(const FigGrid *grid, int column, int row)
{
    return grid->first[row * grid->columns + column];
}

static inline const FigGridEntry *
fig_grid_entry(const FigGrid *grid, int i)
{
    return &g_array_index(grid->entries, FigGridEntry, i);
}

#endif
