/* SPDX-License-Identifier: MIT
 *
 * What the search of probe dims looks for, from a graph: free dims as variables, derived
 * sizes and conditions as rules, and in which order all that is looked at.
 */
#include "exec/probe-parts.h"

#include <string.h>

static int
by_drawn(const void *a, const void *b)
{
    int64_t x = ((const FigProbeVariable *)a)->drawn,
            y = ((const FigProbeVariable *)b)->drawn;
    return (x > y) - (x < y);
}

/* Does a condition speak of a symbol? */
static bool
names_symbol(const FigGraph *graph, const FigExpr *expr, int symbol)
{
    if (!expr)
        return false;
    int dim = expr->kind == FIG_EXPR_NAME ? fig_graph_dim(graph, expr->name) : -1;
    if (dim >= 0 && fig_poly_depends(graph->algebra, graph->dims[dim].poly, symbol))
        return true;
    for (int i = 0; i < expr->n_args; i++)
        if (names_symbol(graph, expr->args[i], symbol))
            return true;
    return false;
}

/* Is a free dim nothing but a number of passes? No shape, attribute or condition asks for
 * its size. */
static bool
only_counts(const FigGraph *graph, int dim)
{
    int symbol = graph->dims[dim].symbol;
    bool counts = false;
    if (symbol < 0)
        return false;
    for (int g = 0; g < graph->n_groups; g++)
        counts = counts ||
                 (graph->groups[g].count &&
                  fig_poly_depends(graph->algebra, graph->groups[g].count, symbol));
    for (int v = 0; v < graph->n_values; v++)
        for (int k = 0; k < graph->values[v].shape.rank; k++)
            counts =
                counts && !fig_poly_depends(graph->algebra,
                                            graph->values[v].shape.axis[k], symbol);
    for (int n = 0; n < graph->n_nodes; n++)
        for (int a = 0; a < fig_op_attr_count(graph->nodes[n].op); a++) {
            const FigAttrValue *value = &graph->nodes[n].attrs[a];
            if (value->poly && fig_poly_depends(graph->algebra, value->poly, symbol))
                counts = false;
            for (int i = 0; value->polys && i < value->n_dims; i++)
                counts = counts &&
                         !fig_poly_depends(graph->algebra, value->polys[i], symbol);
        }
    for (int c = 0; c < graph->n_conditions; c++)
        counts = counts && !names_symbol(graph, graph->conditions[c], symbol);
    return counts;
}

static int
find_variable(const FigProbe *s, int dim)
{
    for (int i = 0; i < s->n_variables; i++) {
        if (s->candidates && s->variables[i].dim != dim)
            continue;
        if (s->candidates || s->variables[i].count == dim ||
            (s->variables[i].count < 0 &&
             s->variables[i].drawn == s->graph->dims[dim].size &&
             !only_counts(s->graph, dim)))
            return i;
    }
    return -1;
}

/* The variables, smallest first, and which dim belongs to which. */
static void
find_variables(FigProbe *s, FigArena *arena)
{
    const FigGraph *graph = s->graph;
    s->variables = fig_arena_new_array(arena, FigProbeVariable, graph->n_dims);
    for (int d = 0; d < graph->n_dims; d++) {
        bool fixed = graph->dims[d].symbol < 0, counts = only_counts(graph, d);
        s->compared[d] = s->compared[d] && !counts;
        for (int i = 0; i < graph->n_probe && !s->candidates; i++)
            if (graph->probe_dim[i] == d) {
                fixed = true;
                s->compared[d] = false; /* the person's word stands */
                s->size[d] = s->wanted[d] = graph->probe_size[i];
                if (graph->dims[d].symbol >= 0)
                    s->symbol[graph->dims[d].symbol] = s->size[d];
            }
        s->variable[d] = fixed ? -1 : 0;
        if (!fixed && find_variable(s, d) < 0)
            s->variables[s->n_variables++] = (FigProbeVariable){
                .drawn = graph->dims[d].size, .count = counts ? d : -1, .dim = d};
    }
    if (s->n_variables)
        qsort(s->variables, (size_t)s->n_variables, sizeof(FigProbeVariable), by_drawn);
    for (int d = 0; d < graph->n_dims; d++)
        if (s->variable[d] >= 0)
            s->variable[d] = find_variable(s, d);
    int sizes = 0, seen = 0;
    for (int i = 0; i < s->n_variables; i++)
        sizes += s->variables[i].count < 0;
    for (int i = 0; i < s->n_variables; i++) {
        bool counts = s->variables[i].count >= 0;
        seen += !counts;
        s->variables[i].least =
            counts ? FIG_PROBE_PASSES : FIG_PROBE_SMALLEST + seen - 1;
        s->variables[i].room = counts ? 0 : sizes - seen;
    }
}

bool
fig_probe_depends(const FigProbe *s, const FigPoly *poly, int variable)
{
    for (int d = 0; d < s->graph->n_dims; d++)
        if (s->variable[d] == variable &&
            fig_poly_depends(s->graph->algebra, poly, s->graph->dims[d].symbol))
            return true;
    return false;
}

static void
add_derived(FigProbe *s, const FigPoly *poly, int dim, int64_t least)
{
    FigProbeDerived derived = {poly, dim, least, 0};
    g_array_append_val(s->derived, derived);
    for (int i = 0; i < s->n_variables; i++)
        if (fig_probe_depends(s, poly, i))
            s->variables[i].role = FIG_PROBE_DERIVED;
}

/* Is it the size of a free dim, which is whole anyway? */
static bool
is_free(const FigGraph *graph, const FigPoly *poly)
{
    for (int d = 0; d < graph->n_dims; d++)
        if (graph->dims[d].symbol >= 0 && fig_poly_equal(graph->dims[d].poly, poly))
            return true;
    return false;
}

static void
find_derived(FigProbe *s)
{
    const FigGraph *graph = s->graph;
    for (int d = 0; d < graph->n_dims; d++)
        if (graph->dims[d].symbol < 0)
            add_derived(s, graph->dims[d].poly, d, 1);
    for (int g = 0; g < graph->n_groups; g++)
        if (graph->groups[g].count)
            add_derived(s, graph->groups[g].count, -1,
                        fig_graph_least_passes(graph, g));
    for (int n = 0; n < graph->n_nodes; n++) {
        const FigNode *node = &graph->nodes[n];
        for (int a = 0; a < fig_op_attr_count(node->op); a++) {
            const FigAttrValue *value = &node->attrs[a];
            if (node->op->attrs[a].type == FIG_ATTR_DIM && value->poly &&
                !is_free(graph, value->poly) && fig_attr_least(&node->op->attrs[a]) > 0)
                add_derived(s, value->poly, -1, 1);
            for (int i = 0;
                 node->op->attrs[a].type == FIG_ATTR_DIMS && i < value->n_dims; i++)
                add_derived(s, value->polys[i], -1, 1);
        }
    }
}

/* Does a condition speak of a variable? */
static bool
speaks_of(const FigProbe *s, const FigExpr *expr, int variable)
{
    if (!expr)
        return false;
    if (expr->kind == FIG_EXPR_NAME) {
        int dim = fig_graph_dim(s->graph, expr->name);
        return dim >= 0 && fig_probe_depends(s, s->graph->dims[dim].poly, variable);
    }
    for (int i = 0; i < expr->n_args; i++)
        if (speaks_of(s, expr->args[i], variable))
            return true;
    return false;
}

/* Variables that derived sizes hang on first, those of conditions last (they range
 * widely), each kind from the smallest; then from which assignment on each dim and each derived size is known. */
static void
find_order(FigProbe *s)
{
    int next = 0;
    for (int i = 0; i < s->n_variables; i++)
        for (int c = 0; c < s->graph->n_conditions; c++)
            if (s->variables[i].role == FIG_PROBE_FREE &&
                speaks_of(s, s->graph->conditions[c], i))
                s->variables[i].role = FIG_PROBE_CONDITION;
    static const int roles[] = {FIG_PROBE_DERIVED, FIG_PROBE_FREE, FIG_PROBE_CONDITION};
    for (size_t r = 0; r < G_N_ELEMENTS(roles); r++)
        for (int i = 0; i < s->n_variables; i++)
            if ((int)s->variables[i].role == roles[r])
                s->order[next++] = i;
    for (guint k = 0; k < s->derived->len; k++) {
        FigProbeDerived *derived = &g_array_index(s->derived, FigProbeDerived, k);
        for (int level = 0; level < s->n_variables; level++)
            if (fig_probe_depends(s, derived->poly, s->order[level]))
                derived->level = level + 1;
        if (derived->dim >= 0)
            s->level[derived->dim] = derived->level;
    }
    for (int level = 0; level < s->n_variables; level++) {
        for (int d = 0; d < s->graph->n_dims; d++)
            if (s->variable[d] == s->order[level])
                s->level[d] = level + 1;
        for (int c = 0; c < s->graph->n_conditions; c++)
            if (speaks_of(s, s->graph->conditions[c], s->order[level]))
                s->decided[c] = level + 1;
    }
}

/* Dims whose order is kept: of the derived ones only those with a size that says
 * something (a quotient H/G of 1 stays 1 when B, drawn as 1, becomes 3). */
static void
choose_compared(FigProbe *s)
{
    const FigGraph *graph = s->graph;
    for (int d = 0; d < graph->n_dims; d++)
        s->compared[d] =
            graph->dims[d].symbol >= 0 || graph->dims[d].size >= FIG_PROBE_SMALLEST;
    for (int c = 0; c < graph->n_dims; c++)
        for (int d = 0; d < graph->n_dims && only_counts(graph, c); d++)
            if (graph->dims[d].symbol < 0 &&
                fig_poly_depends(graph->algebra, graph->dims[d].poly,
                                 graph->dims[c].symbol))
                s->compared[d] = false;
}

/* Dims of which neither a weight's shape nor another size is made. */
static void
find_positions(FigProbe *s)
{
    const FigGraph *graph = s->graph;
    for (int d = 0; d < graph->n_dims; d++) {
        int symbol = graph->dims[d].symbol;
        bool position = s->variable[d] >= 0 &&
                        s->variables[s->variable[d]].role != FIG_PROBE_DERIVED;
        for (int v = 0; v < graph->n_values; v++)
            for (int k = 0; k < graph->values[v].shape.rank; k++)
                position = position &&
                           (graph->values[v].from != FIG_FROM_WEIGHT ||
                            !fig_poly_depends(graph->algebra,
                                              graph->values[v].shape.axis[k], symbol));
        s->position[d] = position;
    }
    for (int i = 0; s->apart && i < s->n_variables; i++)
        if (s->variables[i].count < 0) {
            s->variables[i].least = FIG_PROBE_SMALLEST;
            s->variables[i].room = 0;
        }
}

FigProbe
fig_probe_set_up(const FigGraph *graph, const int64_t *candidates, int n_candidates,
                 bool apart, FigArena *scratch)
{
    int symbols = fig_algebra_symbols(graph->algebra);
    FigProbe search = {
        .graph = graph,
        .candidates = candidates,
        .n_candidates = n_candidates,
        .order = fig_arena_new_array(scratch, int, graph->n_dims),
        .variable = fig_arena_new_array(scratch, int, graph->n_dims),
        .level = fig_arena_new_array(scratch, int, graph->n_dims),
        .compared = fig_arena_new_array(scratch, bool, graph->n_dims),
        .apart = apart,
        .position = fig_arena_new_array(scratch, bool, graph->n_dims),
        .size = fig_arena_new_array(scratch, int64_t, graph->n_dims),
        .wanted = fig_arena_new_array(scratch, int64_t, graph->n_dims),
        .symbol = fig_arena_copy(scratch, graph->symbol_size,
                                 sizeof(int64_t) * (size_t)symbols),
        .best = fig_arena_new_array(scratch, int64_t, symbols),
        .decided = fig_arena_new_array(scratch, int, graph->n_conditions),
        .derived = g_array_new(FALSE, FALSE, sizeof(FigProbeDerived)),
    };
    choose_compared(&search);
    find_variables(&search, scratch);
    find_derived(&search);
    find_positions(&search);
    find_order(&search);
    return search;
}
