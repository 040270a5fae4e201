/* SPDX-License-Identifier: MIT
 *
 * Things by where they lie. The number of cells goes with that of the things, not with the
 * size of the page, so that neither is long to look through.
 */
#include "layouts/grid.h"

#include <math.h>

void
fig_grid_open(FigGrid *grid, double page_width, double page_height, double wide,
              double high, double least, double cells)
{
    double area = page_width * page_height / MAX(cells, 1);

    if (wide == 0 && high == 0)
        wide = high = MAX(least, sqrt(area));
    else if (wide == 0)
        wide = MAX(least, area / high);
    else if (high == 0)
        high = MAX(least, area / wide);
    grid->wide = wide;
    grid->high = high;
    grid->columns = (int)ceil(page_width / wide) + 1;
    grid->rows = (int)ceil(page_height / high) + 1;
    grid->first = g_new(int, (gsize)grid->columns * grid->rows);
    grid->entries = g_array_new(FALSE, FALSE, sizeof(FigGridEntry));
    for (int i = 0; i < grid->columns * grid->rows; i++)
        grid->first[i] = -1;
}

void
fig_grid_close(FigGrid *grid)
{
    g_free(grid->first);
    g_array_unref(grid->entries);
}

void
fig_grid_put(FigGrid *grid, int column, int row, int what)
{
    int *first = &grid->first[row * grid->columns + column];
    FigGridEntry entry = {what, *first};

    *first = (int)grid->entries->len;
    g_array_append_val(grid->entries, entry);
}

int
fig_grid_column(const FigGrid *grid, double x)
{
    return (int)CLAMP(floor(x / grid->wide), 0, grid->columns - 1);
}

int
fig_grid_row(const FigGrid *grid, double y)
{
    return (int)CLAMP(floor(y / grid->high), 0, grid->rows - 1);
}
