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
append_names(FigDoc *doc, const char *library, const char *id, int n,
             const FigRecordAka *aka)
{
    for (int i = 0; i < n; i++) {
        if (strcmp(aka[i].library, library) != 0)
            continue;
        fig_doc_row(doc);
        fig_doc_code(doc, id);
        fig_doc_cell(doc);
        fig_doc_code(doc, aka[i].name);
        fig_doc_cell(doc);
        fig_doc_words(doc, aka[i].side ? aka[i].side : "");
        fig_doc_cell(doc);
        fig_doc_code(doc, aka[i].axes);
        fig_doc_row_end(doc);
    }
}

static void
append_library(FigDoc *doc, const char *library)
{
    static const FigDocColumn columns[] = {{"here", false, 0},
                                           {"there", false, 0.5},
                                           {"side", false, 0},
                                           {"axes there", false, 0}};
    const FigRecord *record = doc->record;
    g_string_append(doc->out, doc->format->heading[2][0]);
    fig_doc_label(doc, library);
    g_string_append(doc->out, doc->format->heading[2][1]);
    fig_doc_table(doc, G_N_ELEMENTS(columns), columns);
    for (int d = 0; d < record->n_dims; d++)
        append_names(doc, library, record->dims[d].id, record->dims[d].n_aka,
                     record->dims[d].aka);
    for (int v = 0; v < record->n_values; v++)
        append_names(doc, library, record->values[v].id, record->values[v].n_aka,
                     record->values[v].aka);
    fig_doc_table_end(doc);
}

void
fig_doc_names(FigDoc *doc)
{
    const FigRecord *record = doc->record;
    g_autoptr(GPtrArray) libraries = g_ptr_array_new();
    for (int d = 0; d < record->n_dims; d++)
        meet(libraries, record->dims[d].n_aka, record->dims[d].aka);
    for (int v = 0; v < record->n_values; v++)
        meet(libraries, record->values[v].n_aka, record->values[v].aka);
    if (libraries->len == 0)
        return;
    fig_doc_heading(doc, 1, "Names in other libraries");
    g_string_append(doc->out,
                    "A side is that of a module: what enters or what leaves it. Axes "
                    "are given where\nthey are others there, from the slowest to the "
                    "fastest.\n\n");
    for (guint i = 0; i < libraries->len; i++)
        append_library(doc, libraries->pdata[i]);
}
