/* SPDX-License-Identifier: MIT
 *
 * The names of values in other libraries, a table for each.
 */
#include "pages/doc-parts.h"

#include <string.h>

/* Remember the libraries of some names, in the order in which they are first met. */
static void
meet(GPtrArray *libraries, int n, const FigRecordAka *aka)
{
    for (int i = 0; i < n; i++)
        if (!g_ptr_array_find_with_equal_func(libraries, aka[i].library, g_str_equal,
                                              NULL))
            g_ptr_array_add(libraries, (gpointer)aka[i].library);
}

static void
append_names(GString *out, const char *library, const char *id, int n,
             const FigRecordAka *aka)
{
    for (int i = 0; i < n; i++) {
        if (strcmp(aka[i].library, library) != 0)
            continue;
        g_string_append(out, "| ");
        fig_doc_code(out, id);
        g_string_append(out, " | ");
        fig_doc_code(out, aka[i].name);
        g_string_append_printf(out, " | %s | ", aka[i].side ? aka[i].side : "");
        if (aka[i].axes)
            fig_doc_code(out, aka[i].axes);
        g_string_append(out, " |\n");
    }
}

static void
append_library(GString *out, const FigRecord *record, const char *library)
{
    g_string_append(out, "### ");
    fig_doc_label(out, library);
    g_string_append(out, "\n\n| here | there | side | axes there |\n"
                         "| --- | --- | --- | --- |\n");
    for (int d = 0; d < record->n_dims; d++)
        append_names(out, library, record->dims[d].id, record->dims[d].n_aka,
                     record->dims[d].aka);
    for (int v = 0; v < record->n_values; v++)
        append_names(out, library, record->values[v].id, record->values[v].n_aka,
                     record->values[v].aka);
    g_string_append_c(out, '\n');
}

void
fig_doc_names(GString *out, const FigRecord *record)
{
    g_autoptr(GPtrArray) libraries = g_ptr_array_new();
    for (int d = 0; d < record->n_dims; d++)
        meet(libraries, record->dims[d].n_aka, record->dims[d].aka);
    for (int v = 0; v < record->n_values; v++)
        meet(libraries, record->values[v].n_aka, record->values[v].aka);
    if (libraries->len == 0)
        return;
    g_string_append(out,
                    "## Names in other libraries\n\n"
                    "A side is that of a module: what enters or what leaves it. Axes "
                    "are given where\nthey are others there, from the slowest to the "
                    "fastest.\n\n");
    for (guint i = 0; i < libraries->len; i++)
        append_library(out, record, libraries->pdata[i]);
}
