/* SPDX-License-Identifier: MIT
 *
 * Lookups in a graph, and its end.
 */
#include "spec/graph.h"

#include <string.h>

void
fig_graph_free(FigGraph *graph)
{
    if (!graph)
        return;
    for (int k = 1; k < graph->n_kinds; k++)
        fig_graph_free((FigGraph *)graph->kinds[k].graph);
    fig_algebra_free(graph->algebra);
    fig_arena_free(graph->arena); /* the graph lives in it */
}

/* Elements are found by walking: a block has some dozens of each. */
#define FIND(array, count, wanted)                                                     \
    do {                                                                               \
        for (int i = 0; i < (count); i++) {                                            \
            if (strcmp((array)[i].id, (wanted)) == 0)                                  \
                return i;                                                              \
        }                                                                              \
        return -1;                                                                     \
    } while (0)

int
fig_graph_dim(const FigGraph *graph, const char *id)
{
    FIND(graph->dims, graph->n_dims, id);
}

int
fig_graph_constant(const FigGraph *graph, const char *id)
{
    FIND(graph->constants, graph->n_constants, id);
}

const FigConstant *
fig_constant_find(const FigConstant *constants, int n, const char *id)
{
    const char *dot = strchr(id, '.');
    size_t length = dot ? (size_t)(dot - id) : strlen(id);
    for (int i = 0; i < n; i++) {
        if (strncmp(constants[i].id, id, length) != 0 || constants[i].id[length])
            continue;
        if (!dot || constants[i].kind == FIG_CONSTANT_NONE)
            return &constants[i];
        return fig_constant_find(constants[i].member, constants[i].n_members, dot + 1);
    }
    return NULL;
}

int
fig_graph_value(const FigGraph *graph, const char *id)
{
    for (int i = 0; i < graph->n_aliases; i++) {
        if (strcmp(graph->aliases[i].id, id) == 0)
            return graph->aliases[i].value;
    }
    FIND(graph->values, graph->n_values, id);
}

int
fig_graph_node(const FigGraph *graph, const char *id)
{
    FIND(graph->nodes, graph->n_nodes, id);
}

int
fig_graph_group(const FigGraph *graph, const char *id)
{
    FIND(graph->groups, graph->n_groups, id);
}

bool
fig_graph_in_group(const FigGraph *graph, int node, int group)
{
    int own = graph->nodes[node].group;
    while (own >= 0 && own != group)
        own = graph->groups[own].parent;
    return own >= 0;
}

bool
fig_graph_repeat_in(const FigGraph *graph, int repeat, int outer)
{
    while (repeat >= 0 && repeat != outer)
        repeat = graph->groups[repeat].repeat;
    return repeat == outer;
}

int
fig_graph_repeat_common(const FigGraph *graph, int a, int b)
{
    while (!fig_graph_repeat_in(graph, b, a))
        a = graph->groups[a].repeat;
    return a;
}

int64_t
fig_graph_passes(const FigGraph *graph, const FigSizes *sizes, int repeat)
{
    int64_t passes = 1;
    for (; repeat >= 0; repeat = graph->groups[repeat].repeat) {
        int64_t own = sizes ? sizes->passes[repeat] : graph->groups[repeat].passes;
        if (__builtin_mul_overflow(passes, own, &passes))
            return INT64_MAX;
    }
    return passes;
}

const FigPoly *
fig_graph_count(const FigGraph *graph, int repeat)
{
    const FigPoly *count = fig_poly_number(graph->algebra, 1, 1);
    for (; count && repeat >= 0; repeat = graph->groups[repeat].repeat)
        count = fig_poly_mul(graph->algebra, count, graph->groups[repeat].count);
    return count;
}

const FigGraph *
fig_graph_in_pass(const FigGraph *graph, int node, const int64_t *pass, int *kind)
{
    int own = 0;
    if (graph->n_kinds > 1 &&
        fig_graph_repeat_in(graph, graph->nodes[node].repeat, graph->kinds_group))
        own = graph->kind_of[pass[graph->kinds_group] % graph->period];
    if (kind)
        *kind = own;
    return own ? graph->kinds[own].graph : graph;
}

int64_t
fig_graph_least_passes(const FigGraph *graph, int group)
{
    int64_t least = 2; /* the second reads what the first left */
    for (int k = 0; group == graph->kinds_group && k < graph->n_kinds; k++) {
        int first = 0;
        while (graph->kind_of[first] != k)
            first++;
        least = MAX(least, first + 1);
    }
    return least;
}

char *
fig_graph_pattern(const FigGraph *graph)
{
    GString *text = g_string_new(NULL);
    for (int p = 0; p < graph->period; p++)
        g_string_append_printf(text, "%s%s", p ? ", " : "",
                               graph->kinds[graph->kind_of[p]].word);
    return g_string_free(text, FALSE);
}
