/* SPDX-License-Identifier: MIT
 *
 * The run loop: which ops run, in which order, for how many passes and on what; the ops
 * of a repeat are gone through once for each pass, and a step tells of all of them.
 */
#include "exec/run-parts.h"

#include "exec/fill.h"
#include "exec/passes.h"
#include "exec/shapes.h"

#include "ops/blas.h"

#include <stdlib.h>
#include <string.h>

/* Report each word of options->keep that is neither value nor table. */
static void
check_keep(const FigGraph *graph, const FigRunOptions *options, const FigSizes *sizes,
           FigDiag *diag)
{
    for (const char *const *k = options->keep; k && *k; k++) {
        int node;
        const FigExpose *expose;
        int value;
        int64_t number;
        if (fig_pass_find(graph, sizes, *k, &value, &number) ||
            fig_memory_exposure(graph, sizes, *k, &node, &expose, &number))
            continue;
        FigMessage *message =
            fig_diag_error(diag, (FigSpan){0}, "there is no value ‘%s’ to keep", *k);
        const char **ids = g_new0(const char *, (gsize)graph->n_values + 1);
        for (int v = 0; v < graph->n_values; v++)
            ids[v] = graph->values[v].id;
        fig_message_suggest(message, *k, ids);
        g_free(ids);
    }
}

/* Mark the ops that the kept values hang on. */
static void
mark_needed(const FigGraph *graph, const FigRunOptions *options, bool *value, bool *op)
{
    for (const char *const *k = options->keep; k && *k; k++) {
        int node;
        const FigExpose *expose;
        if (fig_graph_value(graph, *k) >= 0)
            value[fig_graph_value(graph, *k)] = true;
        else if (fig_memory_exposure(graph, NULL, *k, &node, &expose, NULL))
            op[node] = true;
    }
    for (int n = graph->n_nodes - 1; n >= 0; n--) {
        const FigNode *node = &graph->nodes[n];
        for (int i = 0; i < node->n_writes; i++)
            op[n] = op[n] || value[node->writes[i]];
        for (int i = 0; op[n] && i < node->n_reads; i++)
            value[node->reads[i].value] = true;
    }
}

/* Mark a value, with what shares its memory: the join that it is in, or its members. */
static void
mark_whole(const FigGraph *graph, int v, bool *value)
{
    int whole = graph->values[v].joined_in >= 0 ? graph->values[v].joined_in : v;
    value[whole] = true;
    for (int m = 0; m < graph->values[whole].n_members; m++)
        value[graph->values[whole].members[m]] = true;
}

/* Mark the values that new edits reach, and the ops that write them. */
static void
mark_reached(const FigGraph *graph, const FigRunOptions *options, bool *value, bool *op)
{
    for (int i = options->n_edits_from; i < options->n_edits; i++)
        mark_whole(graph, options->edits[i].part.value, value);
    for (int n = 0; n < graph->n_nodes; n++) {
        const FigNode *node = &graph->nodes[n];
        for (int i = 0; i < node->n_reads; i++)
            op[n] = op[n] || value[node->reads[i].value];
        for (int i = 0; i < node->n_writes; i++)
            op[n] = op[n] || value[node->writes[i]];
        for (int i = 0; op[n] && i < node->n_writes; i++)
            value[node->writes[i]] = true;
    }
}

static bool
has_repeats(const FigGraph *graph)
{
    bool has = false;
    for (int g = 0; g < graph->n_groups; g++)
        has = has || graph->groups[g].count;
    return has;
}

/* Which ops are run; what the others write is not needed, or taken from another run, as are
 * inputs and weights that no edit reaches. */
static const bool *
ops_to_run(FigRun *run)
{
    const FigGraph *graph = run->graph;
    const FigRunOptions *options = run->options;
    bool *op = fig_arena_new_array(run->arena, bool, graph->n_nodes);
    bool *needed = fig_arena_new_array(run->arena, bool, graph->n_nodes);
    bool *reached = fig_arena_new_array(run->arena, bool, graph->n_nodes);
    bool *value = fig_arena_new_array(run->arena, bool, graph->n_values);
    if (has_repeats(graph)) { /* a pass of its own is not taken from another run */
        for (int n = 0; n < graph->n_nodes; n++)
            op[n] = true;
        return op;
    }
    if (options->only_kept)
        mark_needed(graph, options, value, needed);
    memset(value, 0, sizeof *value * (size_t)graph->n_values);
    if (options->from)
        mark_reached(graph, options, value, reached);
    for (int v = 0; options->from && v < graph->n_values; v++)
        if (!value[v])
            run->value[v] = options->from->value[v];
    for (int n = 0; n < graph->n_nodes; n++)
        op[n] = (needed[n] || !options->only_kept) && (reached[n] || !options->from);
    run->own = options->from ? value : NULL;
    return op;
}

/* The weights of a pass, with what is to be changed in them. */
static void
begin_pass(FigRun *run, int repeat)
{
    const FigGraph *graph = run->graph;
    fig_fill_pass(graph, run->options, run->value, repeat, run->pass);
    for (int v = 0; v < graph->n_values; v++) {
        const FigValue *value = &graph->values[v];
        if (value->from != FIG_FROM_WEIGHT || value->repeat != repeat)
            continue;
        fig_run_edit_value(run, v);
    }
    for (int v = 0; v < graph->n_values; v++)
        if (graph->values[v].from == FIG_FROM_WEIGHT &&
            graph->values[v].repeat == repeat)
            fig_run_keep_pass(run, v);
}

/* The outermost repeat, inside the given one, that holds a node; -1: none. */
static int
repeat_below(const FigGraph *graph, int n, int outer)
{
    int below = -1;
    for (int r = graph->nodes[n].repeat; r != outer; r = graph->groups[r].repeat)
        below = r;
    return below;
}

/* The ops first … end − 1, all in the repeat `outer` (-1: in none). */
static void
run_ops(FigRun *run, const bool *op, int outer, int first, int end)
{
    for (int n = first; n < end;) {
        int repeat = repeat_below(run->graph, n, outer);
        if (repeat < 0) {
            if (op[n])
                fig_run_execute(run, n);
            n++;
            continue;
        }
        const FigGroup *group = &run->graph->groups[repeat];
        int64_t *pass = &run->pass[repeat];
        for (*pass = 0; *pass < run->sizes->passes[repeat]; ++*pass) {
            begin_pass(run, repeat);
            run_ops(run, op, repeat, group->first, group->end);
        }
        *pass = 0;
        n = group->end;
    }
}

static bool
run_numbers(FigRun *run, FigDiag *diag)
{
    const FigGraph *graph = run->graph;
    const FigRunOptions *options = run->options;
    int before = fig_diag_errors(diag);
    check_keep(graph, options, run->sizes, diag);
    const FigMemory *plan = fig_memory_plan(graph, options, run->sizes, run->arena);
    size_t limit = options->memory ? options->memory : fig_run_memory_free();
    run->plan = plan;
    if (plan->bytes > limit)
        fig_run_refuse(graph, run->sizes, plan, limit, diag);
    if (fig_diag_errors(diag) > before)
        return false;
    if (posix_memalign(&run->pool, 64, MAX(plan->bytes, 1))) {
        run->pool = NULL;
        fig_run_refuse(graph, run->sizes, plan, limit, diag);
        return false;
    }
    for (int v = 0; v < graph->n_values; v++)
        run->value[v] =
            fig_memory_place(plan, &plan->value[v], plan->buffer[v], run->pool);
    const bool *op = ops_to_run(run);
    if (!fig_fill(graph, options, run->sizes, run->value, run->own, diag))
        return false;
    for (int v = 0; v < graph->n_values; v++)
        if (graph->values[v].from != FIG_FROM_ACTIVATION &&
            (!run->own || run->own[v]) && graph->values[v].repeat < 0)
            fig_run_edit_value(run, v);
    run_ops(run, op, -1, 0, graph->n_nodes);
    return true;
}

/* A run on shapes alone: what an op read is what its shape was computed from. */
static void
note_shapes(FigRun *run)
{
    const FigGraph *graph = run->graph;
    for (int v = 0; v < graph->n_values; v++) {
        const FigValue *value = &graph->values[v];
        run->value[v] =
            fig_view_dense(NULL, value->whole ? value->whole_type : run->options->type,
                           value->shape.rank, run->sizes->value[v]);
    }
    for (int n = 0; n < graph->n_nodes; n++) {
        const FigNode *node = &graph->nodes[n];
        FigStep *step = &run->steps[n];
        int *reads = fig_arena_new_array(run->arena, int, node->n_reads);
        FigView *read = fig_arena_new_array(run->arena, FigView, node->n_reads);
        FigView *written = fig_arena_new_array(run->arena, FigView, node->n_writes);
        for (int i = 0; i < node->n_reads; i++) {
            reads[i] = node->reads[i].value;
            read[i] = run->value[reads[i]];
        }
        for (int i = 0; i < node->n_writes; i++)
            written[i] = run->value[node->writes[i]];
        *step = (FigStep){
            .node = n,
            .n_reads = node->n_reads,
            .reads = reads,
            .read = read,
            .n_writes = node->n_writes,
            .writes = node->writes,
            .written = written,
        };
    }
}

static const char *
evidence(const FigRun *run)
{
    g_autoptr(GString) text =
        g_string_new(run->options->numeric ? "numeric at" : "shape at");
    for (int d = 0; d < run->graph->n_dims; d++)
        g_string_append_printf(text, " %s %" G_GINT64_FORMAT, run->graph->dims[d].id,
                               run->sizes->dim[d]);
    return fig_arena_strdup(run->arena, text->str);
}

/* Fast products need BLAS, which is opened by name. */
static bool
can_multiply(const FigGraph *graph, const FigRunOptions *options, FigDiag *diag)
{
    for (int n = 0; !options->naive && n < graph->n_nodes; n++) {
        g_autofree char *why = NULL;
        if (!graph->nodes[n].op->naive[options->type] || fig_blas(&why))
            continue;
        FigMessage *message = fig_diag_error(
            diag, (FigSpan){0}, "no BLAS for the matrix products: %s", why);
        fig_message_hint(message, "apt-get install libopenblas0-pthread");
        return false;
    }
    return true;
}

/* The sizes that the ops of each kind of layers have: the dims are the same. */
static bool
size_kinds(FigRun *run, FigDiag *diag)
{
    const FigGraph *graph = run->graph;
    run->kind_sizes =
        fig_arena_new_array(run->arena, const FigSizes *, MAX(graph->n_kinds, 1));
    run->kind_sizes[0] = run->sizes;
    for (int k = 1; k < graph->n_kinds; k++)
        run->kind_sizes[k] = fig_graph_sizes(graph->kinds[k].graph, run->sizes->symbol,
                                             run->arena, diag);
    for (int k = 0; k < graph->n_kinds; k++)
        if (!run->kind_sizes[k])
            return false;
    return true;
}

FigRun *
fig_run_new(const FigGraph *graph, const FigRunOptions *options, FigDiag *diag)
{
    g_assert(options->type == FIG_F32 || options->type == FIG_F64);
    FigArena *arena = fig_arena_new();
    FigRun *run = fig_arena_new0(arena, FigRun);
    run->arena = arena;
    run->graph = graph;
    run->options = options;
    run->extra = g_ptr_array_new_with_free_func(g_free);
    run->sizes = options->sizes;
    if (!run->sizes)
        run->sizes = fig_graph_sizes(graph, NULL, arena, diag);
    bool good = run->sizes;
    if (good) {
        int node;
        g_autofree char *why = NULL;
        run->value = fig_arena_new_array(arena, FigView, graph->n_values);
        run->steps = fig_arena_new_array(arena, FigStep, graph->n_nodes);
        run->pass = fig_arena_new_array(arena, int64_t, graph->n_groups);
        run->n_steps = graph->n_nodes;
        run->evidence = evidence(run);
        good = size_kinds(run, diag);
        for (int k = 0; k < graph->n_kinds && good; k++)
            good =
                fig_shapes_run(graph->kinds[k].graph, run->kind_sizes[k], &node, &why);
        if (good && graph->n_kinds == 0)
            good = fig_shapes_run(graph, run->sizes, &node, &why);
        if (!good && why)
            fig_diag_error(diag, graph->nodes[node].span, "‘%s’ cannot run: %s",
                           graph->nodes[node].id, why);
    }
    if (good && options->numeric)
        good = can_multiply(graph, options, diag) && run_numbers(run, diag);
    else if (good)
        note_shapes(run);
    run->options = NULL;
    if (good)
        return run;
    fig_run_free(run);
    return NULL;
}

void
fig_run_free(FigRun *run)
{
    if (!run)
        return;
    free(run->pool);
    g_ptr_array_unref(run->extra);
    fig_arena_free(run->arena); /* the run itself lives in it */
}

/* ---- what came of it ---- */

int
fig_run_steps(const FigRun *run)
{
    return run->n_steps;
}

const FigStep *
fig_run_step(const FigRun *run, int step)
{
    g_assert(step >= 0 && step < run->n_steps);
    return &run->steps[step];
}

const FigView *
fig_run_value(const FigRun *run, const char *id)
{
    if (!run->plan)
        return NULL;
    for (int i = 0; i < run->plan->n_exposed; i++) {
        const FigExposure *exposure = &run->plan->exposed[i];
        if (strcmp(exposure->id, id))
            continue;
        FigView *view = fig_arena_new0(run->arena, FigView);
        *view =
            fig_memory_place(run->plan, &exposure->view, exposure->buffer, run->pool);
        return view;
    }
    int value;
    int64_t number;
    if (!fig_pass_find(run->graph, run->sizes, id, &value, &number))
        return NULL;
    const FigView *view = number < 0 ? &run->value[value] : NULL;
    if (run->plan->copies[value] >= 0 || !view)
        view = fig_run_pass(run, value, number);
    else if (run->plan->last[value] < run->graph->n_nodes)
        view = NULL;
    return view;
}

const FigView *
fig_run_pass(const FigRun *run, int value, int64_t number)
{
    int repeat = run->graph->values[value].repeat;
    if (!run->plan || run->plan->copies[value] < 0)
        return NULL;
    if (number < 0)
        number += fig_graph_passes(run->graph, run->sizes, repeat);
    FigView *view = fig_arena_new0(run->arena, FigView);
    *view = fig_memory_copy(run->plan, value, number, run->pool);
    return view;
}

const char *
fig_run_evidence(const FigRun *run)
{
    return run->evidence;
}

double
fig_view_number(const FigView *view, int64_t index)
{
    int64_t at = 0;
    for (int axis = view->rank - 1; axis >= 0; axis--) {
        at += index % view->size[axis] * view->stride[axis];
        index /= view->size[axis];
    }
    switch (view->type) {
    case FIG_F32:
        return (double)((const float *)view->data)[at];
    case FIG_F64:
        return ((const double *)view->data)[at];
    case FIG_U8:
        return ((const uint8_t *)view->data)[at];
    case FIG_I64:
        return (double)((const int64_t *)view->data)[at];
    }
    g_assert_not_reached();
}
