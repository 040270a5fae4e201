/* SPDX-License-Identifier: MIT
 *
 * The names of values in other libraries, a table for each.
 */
#include "pages/doc-parts.h"

#include <string.h>

/* Libraries in the order in which they are first met.
 *
 * owns     the caller; the names are the record's
 */
static GPtrArray *
libraries(const FigRecord *record)
{
    GPtrArray *all = g_ptr_array_new();
    for (int v = 0; v < record->n_values; v++)
        for (int a = 0; a < record->values[v].n_aka; a++) {
            const char *library = record->values[v].aka[a].library;
            if (!g_ptr_array_find_with_equal_func(all, library, g_str_equal, NULL))
                g_ptr_array_add(all, (gpointer)library);
        }
    return all;
}

static void
append_library(GString *out, const FigRecord *record, const char *library)
{
    g_string_append(out, "### ");
    fig_doc_label(out, library);
    g_string_append(out, "\n\n| here | there |\n| --- | --- |\n");
    for (int v = 0; v < record->n_values; v++) {
        const FigRecordValue *value = &record->values[v];
        for (int a = 0; a < value->n_aka; a++) {
            if (strcmp(value->aka[a].library, library) != 0)
                continue;
            g_string_append(out, "| ");
            fig_doc_code(out, value->id);
            g_string_append(out, " | ");
            fig_doc_code(out, value->aka[a].name);
            g_string_append(out, " |\n");
        }
    }
    g_string_append_c(out, '\n');
}

void
fig_doc_names(GString *out, const FigRecord *record)
{
    g_autoptr(GPtrArray) all = libraries(record);
    if (all->len == 0)
        return;
    g_string_append(out, "## Names in other libraries\n\n");
    for (guint i = 0; i < all->len; i++)
        append_library(out, record, all->pdata[i]);
}
