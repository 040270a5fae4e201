/* SPDX-License-Identifier: MIT
 *
 * A table of words for the terminal: columns as wide as their widest cell.
 */
#ifndef FIG_CLI_TABLE_H
#define FIG_CLI_TABLE_H

#include <glib.h>
#include <stdbool.h>

typedef struct FigTable FigTable;

/* Make a table with a heading for each column; a heading that starts with '>' sets its
 * column flush right.
 *
 * owns     the caller; free with fig_table_free
 */
FigTable *fig_table_new(int n_columns, const char *const *headings);
void fig_table_free(FigTable *table);

/* Append a row; the table takes each of the n_columns strings (g_malloc'ed). */
void fig_table_add(FigTable *table, char **cells);

/* Append all rows as text; a heading is bold with colour. */
void fig_table_print(const FigTable *table, GString *out, bool colour);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(FigTable, fig_table_free)

#endif
