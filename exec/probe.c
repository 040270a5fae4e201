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
#include "exec/probe-parts.h"

#include "exec/shapes.h"

#include <string.h>

enum {
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

/* Sizes that have become known at a level: whole, large enough. */
static bool
derive(FigProbe *s, int level)
{
    for (guint k = 0; k < s->derived->len; k++) {
        const FigProbeDerived *derived = &g_array_index(s->derived, FigProbeDerived, k);
        FigRational value;
        if (derived->level != level)
            continue;
        if (fig_poly_value(s->graph->algebra, derived->poly, s->symbol, &value) ||
            value.den != 1 || value.num < derived->least)
            return false;
        if (derived->dim < 0)
            continue;
        if (s->compared[derived->dim] && value.num < FIG_PROBE_SMALLEST)
            return false;
        if (s->wanted[derived->dim] && value.num != s->wanted[derived->dim])
            return false;
        s->size[derived->dim] = value.num;
    }
    return true;
}

/* Are two dims to one another as at the dims drawn? */
static bool
in_order(const FigProbe *s, int a, int b)
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
ordered(const FigProbe *s, int level)
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
distinct(const FigProbe *s, int level)
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
decides(const FigProbe *s, int level)
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
runs(FigProbe *s)
{
    g_autoptr(FigArena) arena = fig_arena_new();
    int node;
    g_autofree char *why = NULL;
    s->runs++;
    const FigSizes *sizes = fig_graph_sizes(s->graph, s->symbol, arena, NULL);
    return sizes && fig_shapes_run(s->graph, sizes, &node, &why);
}

static void
complete(FigProbe *s)
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
fits(FigProbe *s, int level, int which, int64_t size)
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
all_whole(const FigProbe *s, const int64_t *symbol)
{
    bool whole = true;
    for (guint k = 0; k < s->derived->len && whole; k++) {
        FigRational value;
        const FigProbeDerived *derived = &g_array_index(s->derived, FigProbeDerived, k);
        whole = !fig_poly_value(s->graph->algebra, derived->poly, symbol, &value) &&
                value.den == 1 && value.num >= derived->least;
    }
    return whole;
}

/* Does a derived dim hang on a variable? */
static bool
has_rule(const FigProbe *s, int which)
{
    for (guint k = 0; k < s->derived->len; k++) {
        const FigProbeDerived *derived = &g_array_index(s->derived, FigProbeDerived, k);
        if (derived->dim >= 0 && fig_probe_depends(s, derived->poly, which))
            return true;
    }
    return false;
}

/* Would the graph not run if only this variable had another size than at the dims drawn,
 * though every size is whole? Such a one (an odd head width) fits no others either, unless
 * other dims follow it. */
static bool
refused_alone(FigProbe *s, int which, int candidate)
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
assign_distinct(FigProbe *s, int level)
{
    if (level == s->n_variables) {
        complete(s);
        return;
    }
    const FigProbeVariable *variable = &s->variables[s->order[level]];
    bool derived = variable->role == FIG_PROBE_DERIVED;
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
assign(FigProbe *s, int level)
{
    if (level == s->n_variables) {
        complete(s);
        return;
    }
    int which = s->order[level];
    const FigProbeVariable *variable = &s->variables[which];
    /* sizes of a variable that nothing hangs on: two show odd and even; of passes the
     * fewest do */
    int tried = 0;
    for (int64_t size = variable->least; size <= s->cap - variable->room; size++) {
        if (++s->steps > MOST_STEPS ||
            (variable->role == FIG_PROBE_FREE && tried == 2) ||
            (variable->count >= 0 && tried == 1) ||
            (variable->role != FIG_PROBE_DERIVED && s->failed >= MOST_FAILED))
            return;
        if (variable->role == FIG_PROBE_DERIVED)
            s->failed = 0;
        if (!fits(s, level, which, size))
            continue;
        tried++;
        assign(s, level + 1);
    }
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
    FigProbe search = fig_probe_set_up(graph, NULL, 0, apart, scratch);
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
        FIG_PROBE_SMALLEST + which * which * 8; /* 3, 11, 35: other primes each time */
    for (int prime = 1; prime >= 0; prime--)
        for (int64_t size = least; size < DISTINCT_CAP; size++)
            if (is_prime(size) == prime)
                candidates[n++] = size;
    const FigSizes *found = NULL;
    /* first without the sizes that are refused alone; sizes that hang together by more
     * than a rule may only be found with them */
    for (int all = 0; all <= 1 && !found; all++) {
        FigProbe search = fig_probe_set_up(graph, candidates, n, false, scratch);
        search.cap = DISTINCT_CAP;
        if (!all)
            search.alone =
                fig_arena_alloc(scratch, (size_t)(search.n_variables * n + 1));
        if (derive(&search, 0) && decides(&search, 0))
            assign_distinct(&search, 0);
        g_array_unref(search.derived);
        if (search.found)
            found = fig_graph_sizes(graph, search.best, arena, NULL);
    }
    return found;
}
