/* SPDX-License-Identifier: MIT
 *
 * Cells are kept in one array, row by row, the heading first.
 */
#include "cli/table.h"

#include "base/cells.h"

#include <string.h>

struct FigTable {
    int n_columns;
    bool *right;      /* [n_columns] */
    GPtrArray *cells; /* char *, [rows × n_columns] */
};

FigTable *
fig_table_new(int n_columns, const char *const *headings)
{
    FigTable *table = g_new0(FigTable, 1);
    table->n_columns = n_columns;
    table->right = g_new0(bool, n_columns);
    table->cells = g_ptr_array_new_with_free_func(g_free);
    for (int i = 0; i < n_columns; i++) {
        table->right[i] = headings[i][0] == '>';
        g_ptr_array_add(table->cells, g_strdup(headings[i] + table->right[i]));
    }
    return table;
}

void
fig_table_free(FigTable *table)
{
    if (!table)
        return;
    g_ptr_array_unref(table->cells);
    g_free(table->right);
    g_free(table);
}

void
fig_table_add(FigTable *table, char **cells)
{
    for (int i = 0; i < table->n_columns; i++)
        g_ptr_array_add(table->cells, cells[i]);
}

void
fig_table_print(const FigTable *table, GString *out, bool colour)
{
    g_autofree int *width = g_new0(int, table->n_columns);
    for (guint i = 0; i < table->cells->len; i++) {
        const char *cell = table->cells->pdata[i];
        int *column = &width[i % (guint)table->n_columns];
        *column = MAX(*column, fig_cells(cell, strlen(cell)));
    }
    for (guint i = 0; i < table->cells->len; i++) {
        int column = (int)(i % (guint)table->n_columns);
        const char *cell = table->cells->pdata[i];
        int pad = width[column] - fig_cells(cell, strlen(cell));
        bool heading = i < (guint)table->n_columns;
        bool last = column == table->n_columns - 1;
        if (heading && colour)
            g_string_append(out, "\033[1m");
        if (table->right[column])
            g_string_append_printf(out, "%*s", pad, "");
        g_string_append(out, cell);
        if (!table->right[column] && !last)
            g_string_append_printf(out, "%*s", pad, "");
        if (heading && colour)
            g_string_append(out, "\033[0m");
        g_string_append(out, last ? "\n" : "  ");
    }
}
