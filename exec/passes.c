/* SPDX-License-Identifier: MIT
 *
 * The passes around a value are the digits of one number, the innermost repeat the last.
 */
#include "exec/passes.h"

#include "base/num.h"

#include <string.h>

int64_t
fig_pass_number(const FigGraph *graph, const FigSizes *sizes, int repeat,
                const int64_t *pass)
{
    int64_t number = 0, each = 1;
    for (; repeat >= 0; repeat = graph->groups[repeat].repeat) {
        number += pass[repeat] * each;
        each *= sizes->passes[repeat];
    }
    return number;
}

char *
fig_pass_name(const FigGraph *graph, int repeat, const int64_t *pass, const char *id)
{
    char *name = g_strdup(id);
    for (; repeat >= 0; repeat = graph->groups[repeat].repeat) {
        char *longer = g_strdup_printf("%s.%" G_GINT64_FORMAT ".%s",
                                       graph->groups[repeat].id, pass[repeat], name);
        g_free(name);
        name = longer;
    }
    return name;
}

/* The part of a name up to its last dot is taken off; NULL: there is none. */
static char *
take_last(char *name)
{
    char *dot = strrchr(name, '.');
    if (!dot)
        return NULL;
    *dot = '\0';
    return dot + 1;
}

bool
fig_pass_find(const FigGraph *graph, const FigSizes *sizes, const char *name,
              int *value, int64_t *number)
{
    g_autofree char *rest = g_strdup(name);
    const char *id = take_last(rest);
    int64_t each = 1;
    *number = -1;
    *value = fig_graph_value(graph, id ? id : rest);
    if (!id || *value < 0)
        return *value >= 0;
    *number = 0;
    for (int r = graph->values[*value].repeat; r >= 0; r = graph->groups[r].repeat) {
        int64_t pass;
        const char *digits = take_last(rest);
        const char *group = take_last(rest);
        bool last = !group;
        if (last)
            group = rest;
        if (!digits || !fig_num_read_integer(digits, &pass) || pass < 0 ||
            pass >= sizes->passes[r] || strcmp(group, graph->groups[r].id) != 0 ||
            last != (graph->groups[r].repeat < 0))
            return false;
        *number += pass * each;
        each *= sizes->passes[r];
        if (last)
            return true;
    }
    return false; /* it lies in no repeat */
}

bool
fig_pass_next(const FigGraph *graph, const FigSizes *sizes, int repeat, int64_t *pass)
{
    for (; repeat >= 0; repeat = graph->groups[repeat].repeat) {
        if (++pass[repeat] < sizes->passes[repeat])
            return true;
        pass[repeat] = 0;
    }
    return false;
}

char *
fig_pass_tensor(const FigGraph *graph, int repeat, const int64_t *pass,
                const char *name)
{
    char *text = g_strdup(name);
    for (; repeat >= 0; repeat = graph->groups[repeat].repeat) {
        g_autofree char *index = g_strdup_printf("{%s}", graph->groups[repeat].index);
        g_autofree char *number = g_strdup_printf("%" G_GINT64_FORMAT, pass[repeat]);
        g_auto(GStrv) parts = g_strsplit(text, index, -1);
        g_free(text);
        text = g_strjoinv(number, parts);
    }
    return text;
}
