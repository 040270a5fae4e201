/* SPDX-License-Identifier: MIT
 *
 * Whether a run fits into memory: what it needs, what is there, and the refusal, which
 * says what takes most and at which dims.
 */
#include "exec/run-parts.h"
#include "exec/shapes.h"

#include "base/num.h"

#include <string.h>
#include <unistd.h>

size_t
fig_run_memory_free(void)
{
    g_autofree char *info = NULL;
    int64_t kilobytes;
    if (g_file_get_contents("/proc/meminfo", &info, NULL, NULL)) {
        const char *at = strstr(info, "MemAvailable:");
        const char *end = at ? strstr(at, " kB") : NULL;
        if (end) {
            g_autofree char *number =
                g_strndup(at + strlen("MemAvailable:"),
                          (gsize)(end - at) - strlen("MemAvailable:"));
            if (fig_num_read_integer(g_strstrip(number), &kilobytes) && kilobytes >= 0)
                return (size_t)kilobytes * 1024;
        }
    }
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    return pages > 0 && size > 0 ? (size_t)pages * (size_t)size : (size_t)1 << 30;
}

/* "29.1 TB" */
static void
append_bytes(GString *out, size_t bytes)
{
    static const char *const units[] = {"bytes", "kB", "MB", "GB", "TB", "PB", "EB"};
    double number = (double)bytes;
    size_t unit = 0;
    while (number >= 1000 && unit + 1 < G_N_ELEMENTS(units)) {
        number /= 1000;
        unit++;
    }
    fig_num_fixed(out, number, number < 10 ? 2 : number < 100 ? 1 : 0);
    g_string_append_printf(out, " %s", units[unit]);
}

void
fig_run_refuse(const FigGraph *graph, const FigSizes *sizes, const FigMemory *plan,
               size_t limit, FigDiag *diag)
{
    g_autoptr(GString) text = g_string_new("this run needs ");
    if (plan->bytes == SIZE_MAX)
        g_string_append(text, "more memory than can be addressed");
    else
        append_bytes(text, plan->bytes);
    g_string_append(text, plan->bytes == SIZE_MAX ? ", " : " of memory, ");
    append_bytes(text, limit);
    g_string_append(text, " are free");
    const FigValue *value = &graph->values[plan->largest];
    FigMessage *message = fig_diag_error(diag, value->span, "%s", text->str);

    int rank = value->shape.rank;
    g_autofree char *shape = fig_shapes_text(rank, sizes->value[plan->largest]);
    g_autoptr(GString) dims = g_string_new(NULL);
    for (int d = 0; d < graph->n_dims; d++) {
        bool depends = false;
        for (int axis = 0; axis < rank && graph->dims[d].symbol >= 0; axis++)
            depends =
                depends || fig_poly_depends(graph->algebra, value->shape.axis[axis],
                                            graph->dims[d].symbol);
        if (depends)
            g_string_append_printf(dims, "%s%s = %" G_GINT64_FORMAT,
                                   dims->len ? ", " : "", graph->dims[d].id,
                                   sizes->dim[d]);
    }
    fig_message_note(message, "‘%s’ %s takes most of it, at %s", value->id, shape,
                     dims->str);
}

size_t
fig_run_memory(const FigGraph *graph, const FigRunOptions *options, int *largest)
{
    g_autoptr(FigArena) arena = fig_arena_new();
    const FigSizes *sizes = options->sizes;
    if (!sizes)
        sizes = fig_graph_sizes(graph, NULL, arena, NULL);
    if (!sizes)
        return SIZE_MAX;
    const FigMemory *plan = fig_memory_plan(graph, options, sizes, arena);
    if (largest)
        *largest = plan->largest;
    return plan->bytes;
}
