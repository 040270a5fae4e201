/* SPDX-License-Identifier: MIT
 *
 * The search of probe dims: sizes as small as can be at which the graph is still the same
 * graph. Free dims that are equal at the dims drawn are one variable; variables are
 * assigned from the smallest at the dims drawn to the largest, those that derived dims
 * hang on first, and every rule is looked at as soon as all it speaks of is known. A
 * solution bounds the largest size of the next, until none is smaller. A dim that is
 * nothing but a number of passes keeps no order with sizes: two passes show how one
 * follows another. Where grouped heads make the widths so large that a run would take
 * long, tokens, windows and other positions, of which no weight is made, keep an order
 * among themselves only, and differ from the widths they differ from.
 *
 * The same search finds sizes that are as different as can be: every free dim is a
 * variable, primes are tried before other sizes, no two dims may be equal, and the first
 * solution is taken. T×T cannot pass for T×C there.
 */
#include "exec/run.h"

#include "exec/shapes.h"

#include <string.h>

enum {
    SMALLEST = 3,         /* T×T with fewer says little */
    PASSES = 2,           /* of a repeat: the second reads what the first left */
    FIRST_CAP = 16,       /* first bound of all sizes; doubled while nothing is found */
    LAST_CAP = 4096,      /* a probe this large is none */
    MOST_STEPS = 2000000, /* assignments tried: no spec may hang the program */
    MOST_RUNS = 2000,     /* complete assignments bound op by op */
    MOST_FAILED = 2,      /* of these, with the same derived sizes */
    MOST_ENTRIES = 400000, /* of all values of one pass: beyond, positions are apart */
    DISTINCT_CAP = 512,    /* of sizes that are all different */
    DISTINCT_STEPS = 100000,
    DISTINCT_RUNS = 100,
};

/* Free dims of one size at the dims drawn. */
typedef struct Variable {
    int64_t drawn;
    int count; /* the dim that is a number of passes and nothing else; -1: a size */
    int dim;   /* the first of them */
    enum { FREE, CONDITION, DERIVED } role; /* what depends on it */
    int64_t least; /* smallest size that leaves room for the smaller ones */
    int64_t room;  /* how many variables are larger */
} Variable;

/* A size that follows from others: a derived dim or an attribute. */
typedef struct Derived {
    const FigPoly *poly;
    int dim; /* -1: an attribute, of which only its being whole matters */
    int64_t least;
    int level; /* after how many assignments it is known */
} Derived;

typedef struct Search {
    const FigGraph *graph;
    int n_variables;
    Variable *variables;
    int *order;      /* [n_variables] order of assignment */
    int *variable;   /* [n_dims] the variable of a free dim, -1: fixed or derived */
    int *level;      /* [n_dims] after how many assignments the dim is known */
    bool *compared;  /* [n_dims] its order among the dims is to be kept */
    bool apart;      /* positions keep no order with widths */
    bool *position;  /* [n_dims] no weight and no derived size is made of it */
    int64_t *size;   /* [n_dims] */
    int64_t *wanted; /* [n_dims] as `probe:` fixes it, or 0 */
    int64_t *symbol; /* [symbols] */
    GArray *derived; /* of Derived */
    int *decided;    /* [n_conditions] after how many assignments each is known */
    int64_t cap;
    int64_t *best; /* [symbols] the best assignment so far */
    bool found;
    const int64_t
        *candidates;  /* sizes in the order they are tried; NULL: the smallest … */
    int n_candidates; /* … that keep what is equal and what is larger */
    char *alone; /* [n_variables][n_candidates] see refused_alone; NULL: not asked */
    int64_t steps, runs;
    int failed; /* runs, since a size changed that derived ones hang on */
} Search;

/* ---- setting up ---- */

static int
by_drawn(const void *a, const void *b)
{
    int64_t x = ((const Variable *)a)->drawn, y = ((const Variable *)b)->drawn;
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
find_variable(const Search *s, int dim)
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
find_variables(Search *s, FigArena *arena)
{
    const FigGraph *graph = s->graph;
    s->variables = fig_arena_new_array(arena, Variable, graph->n_dims);
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
            s->variables[s->n_variables++] = (Variable){
                .drawn = graph->dims[d].size, .count = counts ? d : -1, .dim = d};
    }
    if (s->n_variables)
        qsort(s->variables, (size_t)s->n_variables, sizeof(Variable), by_drawn);
    for (int d = 0; d < graph->n_dims; d++)
        if (s->variable[d] >= 0)
            s->variable[d] = find_variable(s, d);
    int sizes = 0, seen = 0;
    for (int i = 0; i < s->n_variables; i++)
        sizes += s->variables[i].count < 0;
    for (int i = 0; i < s->n_variables; i++) {
        bool counts = s->variables[i].count >= 0;
        seen += !counts;
        s->variables[i].least = counts ? PASSES : SMALLEST + seen - 1;
        s->variables[i].room = counts ? 0 : sizes - seen;
    }
}

/* Does a polynomial depend on a variable? */
static bool
depends(const Search *s, const FigPoly *poly, int variable)
{
    for (int d = 0; d < s->graph->n_dims; d++)
        if (s->variable[d] == variable &&
            fig_poly_depends(s->graph->algebra, poly, s->graph->dims[d].symbol))
            return true;
    return false;
}

static void
add_derived(Search *s, const FigPoly *poly, int dim, int64_t least)
{
    Derived derived = {poly, dim, least, 0};
    g_array_append_val(s->derived, derived);
    for (int i = 0; i < s->n_variables; i++)
        if (depends(s, poly, i))
            s->variables[i].role = DERIVED;
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
find_derived(Search *s)
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
speaks_of(const Search *s, const FigExpr *expr, int variable)
{
    if (!expr)
        return false;
    if (expr->kind == FIG_EXPR_NAME) {
        int dim = fig_graph_dim(s->graph, expr->name);
        return dim >= 0 && depends(s, s->graph->dims[dim].poly, variable);
    }
    for (int i = 0; i < expr->n_args; i++)
        if (speaks_of(s, expr->args[i], variable))
            return true;
    return false;
}

/* Variables that derived sizes hang on first, those of conditions last (they range
 * widely), each kind from the smallest; then from which assignment on each dim and each derived size is known. */
static void
find_order(Search *s)
{
    int next = 0;
    for (int i = 0; i < s->n_variables; i++)
        for (int c = 0; c < s->graph->n_conditions; c++)
            if (s->variables[i].role == FREE &&
                speaks_of(s, s->graph->conditions[c], i))
                s->variables[i].role = CONDITION;
    static const int roles[] = {DERIVED, FREE, CONDITION};
    for (size_t r = 0; r < G_N_ELEMENTS(roles); r++)
        for (int i = 0; i < s->n_variables; i++)
            if ((int)s->variables[i].role == roles[r])
                s->order[next++] = i;
    for (guint k = 0; k < s->derived->len; k++) {
        Derived *derived = &g_array_index(s->derived, Derived, k);
        for (int level = 0; level < s->n_variables; level++)
            if (depends(s, derived->poly, s->order[level]))
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

/* ---- the search ---- */

/* Sizes that have become known at a level: whole, large enough. */
static bool
derive(Search *s, int level)
{
    for (guint k = 0; k < s->derived->len; k++) {
        const Derived *derived = &g_array_index(s->derived, Derived, k);
        FigRational value;
        if (derived->level != level)
            continue;
        if (fig_poly_value(s->graph->algebra, derived->poly, s->symbol, &value) ||
            value.den != 1 || value.num < derived->least)
            return false;
        if (derived->dim < 0)
            continue;
        if (s->compared[derived->dim] && value.num < SMALLEST)
            return false;
        if (s->wanted[derived->dim] && value.num != s->wanted[derived->dim])
            return false;
        s->size[derived->dim] = value.num;
    }
    return true;
}

/* Are two dims to one another as at the dims drawn? */
static bool
in_order(const Search *s, int a, int b)
{
    const FigDim *dims = s->graph->dims;
    int drawn = (dims[a].size > dims[b].size) - (dims[a].size < dims[b].size);
    int here = (s->size[a] > s->size[b]) - (s->size[a] < s->size[b]);
    if (s->apart && s->position[a] != s->position[b])
        return (drawn == 0) == (here == 0);
    return drawn == here;
}

/* Equal dims equal, larger ones larger, among those known at a level. */
static bool
ordered(const Search *s, int level)
{
    for (int a = 0; a < s->graph->n_dims; a++) {
        if (!s->compared[a] || s->level[a] != level)
            continue;
        for (int b = 0; b < s->graph->n_dims; b++)
            if (s->compared[b] && s->level[b] <= level && !in_order(s, a, b))
                return false;
    }
    return true;
}

/* No two dims are equal that are not one by a rule, among those known at a level. */
static bool
distinct(const Search *s, int level)
{
    const FigDim *dims = s->graph->dims;
    for (int a = 0; a < s->graph->n_dims; a++) {
        if (!s->compared[a] || s->level[a] != level)
            continue;
        for (int b = 0; b < s->graph->n_dims; b++)
            if (b != a && s->compared[b] && s->level[b] <= level &&
                s->size[a] == s->size[b] && !fig_poly_equal(dims[a].poly, dims[b].poly))
                return false;
    }
    return true;
}

/* Every `when` that has become known at a level comes out as at the dims drawn. */
static bool
decides(const Search *s, int level)
{
    FigSizes sizes = {.symbol = s->symbol, .dim = s->size};
    for (int c = 0; c < s->graph->n_conditions; c++) {
        bool holds;
        if (s->decided[c] != level)
            continue;
        if (!fig_graph_condition(s->graph, s->graph->conditions[c], &sizes, &holds) ||
            holds != s->graph->condition_holds[c])
            return false;
    }
    return true;
}

/* Does every op run at these sizes? */
static bool
runs(Search *s)
{
    g_autoptr(FigArena) arena = fig_arena_new();
    int node;
    g_autofree char *why = NULL;
    s->runs++;
    const FigSizes *sizes = fig_graph_sizes(s->graph, s->symbol, arena, NULL);
    return sizes && fig_shapes_run(s->graph, sizes, &node, &why);
}

static void
complete(Search *s)
{
    int64_t largest = 0;
    for (int d = 0; d < s->graph->n_dims; d++)
        if (s->variable[d] >= 0)
            largest = MAX(largest, s->size[d]);
    if (largest > s->cap || s->runs >= MOST_RUNS)
        return; /* over the cap: it was lowered after that size was chosen */
    if (!runs(s)) {
        s->failed++; /* an odd head width, say: other tokens will not mend it */
        return;
    }
    int symbols = fig_algebra_symbols(s->graph->algebra);
    memcpy(s->best, s->symbol, sizeof *s->best * (size_t)symbols);
    s->found = true;
    s->cap = largest - 1; /* only something smaller is of interest now */
}

/* Give a variable a size; does what has become known allow it? */
static bool
fits(Search *s, int level, int which, int64_t size)
{
    for (int d = 0; d < s->graph->n_dims; d++)
        if (s->variable[d] == which) {
            s->size[d] = size;
            s->symbol[s->graph->dims[d].symbol] = size;
        }
    return derive(s, level + 1) &&
           (s->candidates ? distinct(s, level + 1) : ordered(s, level + 1)) &&
           decides(s, level + 1);
}

/* Is every derived size whole at the sizes of the symbols? */
static bool
all_whole(const Search *s, const int64_t *symbol)
{
    bool whole = true;
    for (guint k = 0; k < s->derived->len && whole; k++) {
        FigRational value;
        const Derived *derived = &g_array_index(s->derived, Derived, k);
        whole = !fig_poly_value(s->graph->algebra, derived->poly, symbol, &value) &&
                value.den == 1 && value.num >= derived->least;
    }
    return whole;
}

/* Does a derived dim hang on a variable? */
static bool
has_rule(const Search *s, int which)
{
    for (guint k = 0; k < s->derived->len; k++) {
        const Derived *derived = &g_array_index(s->derived, Derived, k);
        if (derived->dim >= 0 && depends(s, derived->poly, which))
            return true;
    }
    return false;
}

/* Would the graph not run if only this variable had another size than at the dims drawn,
 * though every size is whole? Such a one (an odd head width) fits no others either, unless
 * other dims follow it. */
static bool
refused_alone(Search *s, int which, int candidate)
{
    enum { UNKNOWN, TAKEN, REFUSED };
    if (!s->alone || has_rule(s, which))
        return false;
    char *known = &s->alone[which * s->n_candidates + candidate];
    if (*known == UNKNOWN) {
        g_autoptr(FigArena) arena = fig_arena_new();
        g_autofree int64_t *symbol =
            g_memdup2(s->graph->symbol_size,
                      sizeof *symbol * (size_t)fig_algebra_symbols(s->graph->algebra));
        for (int d = 0; d < s->graph->n_dims; d++)
            if (s->variable[d] == which)
                symbol[s->graph->dims[d].symbol] = s->candidates[candidate];
        *known = TAKEN;
        if (all_whole(s, symbol)) {
            int node;
            g_autofree char *why = NULL;
            const FigSizes *sizes = fig_graph_sizes(s->graph, symbol, arena, NULL);
            if (!sizes || !fig_shapes_run(s->graph, sizes, &node, &why))
                *known = REFUSED;
        }
    }
    return *known == REFUSED;
}

/* As assign, by the list of candidates, until there is a solution. */
static void
assign_distinct(Search *s, int level)
{
    if (level == s->n_variables) {
        complete(s);
        return;
    }
    const Variable *variable = &s->variables[s->order[level]];
    bool derived = variable->role == DERIVED;
    if (variable->count >= 0) {
        int64_t passes = variable->least;
        while (passes < s->cap && !fits(s, level, s->order[level], passes))
            passes++;
        if (passes < s->cap)
            assign_distinct(s, level + 1);
        return;
    }
    for (int i = 0; i < s->n_candidates && !s->found; i++) {
        if (++s->steps > DISTINCT_STEPS || s->runs >= DISTINCT_RUNS ||
            (!derived && s->failed >= MOST_FAILED))
            return;
        if (derived)
            s->failed = 0;
        if (!refused_alone(s, s->order[level], i) &&
            fits(s, level, s->order[level], s->candidates[i]))
            assign_distinct(s, level + 1);
    }
}

static void
assign(Search *s, int level)
{
    if (level == s->n_variables) {
        complete(s);
        return;
    }
    int which = s->order[level];
    const Variable *variable = &s->variables[which];
    /* sizes of a variable that nothing hangs on: two show odd and even; of passes the
     * fewest do */
    int tried = 0;
    for (int64_t size = variable->least; size <= s->cap - variable->room; size++) {
        if (++s->steps > MOST_STEPS || (variable->role == FREE && tried == 2) ||
            (variable->count >= 0 && tried == 1) ||
            (variable->role != DERIVED && s->failed >= MOST_FAILED))
            return;
        if (variable->role == DERIVED)
            s->failed = 0;
        if (!fits(s, level, which, size))
            continue;
        tried++;
        assign(s, level + 1);
    }
}

/* Dims whose order is kept: of the derived ones only those with a size that says
 * something (a quotient H/G of 1 stays 1 when B, drawn as 1, becomes 3). */
static void
choose_compared(Search *s)
{
    const FigGraph *graph = s->graph;
    for (int d = 0; d < graph->n_dims; d++)
        s->compared[d] = graph->dims[d].symbol >= 0 || graph->dims[d].size >= SMALLEST;
    for (int c = 0; c < graph->n_dims; c++)
        for (int d = 0; d < graph->n_dims && only_counts(graph, c); d++)
            if (graph->dims[d].symbol < 0 &&
                fig_poly_depends(graph->algebra, graph->dims[d].poly,
                                 graph->dims[c].symbol))
                s->compared[d] = false;
}

/* Dims of which neither a weight's shape nor another size is made. */
static void
find_positions(Search *s)
{
    const FigGraph *graph = s->graph;
    for (int d = 0; d < graph->n_dims; d++) {
        int symbol = graph->dims[d].symbol;
        bool position =
            s->variable[d] >= 0 && s->variables[s->variable[d]].role != DERIVED;
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
            s->variables[i].least = SMALLEST;
            s->variables[i].room = 0;
        }
}

static Search
set_up(const FigGraph *graph, const int64_t *candidates, int n_candidates, bool apart,
       FigArena *scratch)
{
    int symbols = fig_algebra_symbols(graph->algebra);
    Search search = {
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
        .derived = g_array_new(FALSE, FALSE, sizeof(Derived)),
    };
    choose_compared(&search);
    find_variables(&search, scratch);
    find_derived(&search);
    find_positions(&search);
    find_order(&search);
    return search;
}

/* Entries of all values at the sizes found, those of one pass. */
static double
entries(const FigGraph *graph, const FigSizes *sizes)
{
    double sum = 0;
    for (int v = 0; sizes && v < graph->n_values; v++) {
        double count = 1;
        for (int axis = 0; axis < graph->values[v].shape.rank; axis++)
            count *= (double)sizes->value[v][axis];
        sum += count;
    }
    return sum;
}

/* The smallest sizes by one rule or the other; NULL: there are none. */
static const FigSizes *
find_smallest(const FigGraph *graph, bool apart, FigArena *arena, FigDiag *diag)
{
    g_autoptr(FigArena) scratch = fig_arena_new();
    Search search = set_up(graph, NULL, 0, apart, scratch);
    for (int64_t cap = FIRST_CAP; cap <= LAST_CAP && !search.found; cap *= 2) {
        search.cap = cap;
        if (derive(&search, 0) && decides(&search, 0))
            assign(&search, 0);
    }
    g_array_unref(search.derived);
    return search.found ? fig_graph_sizes(graph, search.best, arena, diag) : NULL;
}

const FigSizes *
fig_run_probe(const FigGraph *graph, FigArena *arena, FigDiag *diag)
{
    const FigSizes *sizes = find_smallest(graph, false, arena, diag);
    if (sizes && entries(graph, sizes) > MOST_ENTRIES) {
        const FigSizes *fewer = find_smallest(graph, true, arena, diag);
        sizes = fewer && entries(graph, fewer) < entries(graph, sizes) ? fewer : sizes;
    }
    if (sizes)
        return sizes;
    FigSpan at = graph->n_dims ? graph->dims[0].span : (FigSpan){0};
    FigMessage *message = fig_diag_error(
        diag, at, "no small sizes of the dims were found at which every op can run");
    fig_message_note(message,
                     "sizes up to %d were tried that keep what is equal, what is "
                     "larger and what `when:` says as at the dims drawn",
                     LAST_CAP);
    if (!graph->n_probe) {
        fig_message_hint(message, "fix some with `probe:`");
        return NULL;
    }
    g_autoptr(GString) fixed = g_string_new(NULL);
    for (int i = 0; i < graph->n_probe; i++)
        g_string_append_printf(fixed, "%s%s: %" G_GINT64_FORMAT, i ? ", " : "",
                               graph->dims[graph->probe_dim[i]].id,
                               graph->probe_size[i]);
    fig_message_note(message, "`probe:` fixes {%s}", fixed->str);
    fig_message_hint(message, "give other sizes there, or fix fewer");
    return NULL;
}

static bool
is_prime(int64_t number)
{
    for (int64_t divisor = 2; divisor * divisor <= number; divisor++)
        if (number % divisor == 0)
            return false;
    return number > 1;
}

const FigSizes *
fig_run_distinct(const FigGraph *graph, int which, FigArena *arena)
{
    g_autoptr(FigArena) scratch = fig_arena_new();
    int64_t *candidates = fig_arena_new_array(scratch, int64_t, DISTINCT_CAP);
    int n = 0;
    int64_t least =
        SMALLEST + which * which * 8; /* 3, 11, 35: other primes each time */
    for (int prime = 1; prime >= 0; prime--)
        for (int64_t size = least; size < DISTINCT_CAP; size++)
            if (is_prime(size) == prime)
                candidates[n++] = size;
    const FigSizes *found = NULL;
    /* first without the sizes that are refused alone; sizes that hang together by more
     * than a rule may only be found with them */
    for (int all = 0; all <= 1 && !found; all++) {
        Search search = set_up(graph, candidates, n, false, scratch);
        search.cap = DISTINCT_CAP;
        if (!all)
            search.alone =
                fig_arena_new_array(scratch, char, search.n_variables *n + 1);
        if (derive(&search, 0) && decides(&search, 0))
            assign_distinct(&search, 0);
        g_array_unref(search.derived);
        if (search.found)
            found = fig_graph_sizes(graph, search.best, arena, NULL);
    }
    return found;
}
