/* SPDX-License-Identifier: MIT
 *
 * One op of a run. Its kernel is handed views of the pool that the plan laid out; what it
 * read and wrote is found out from those views, by address, sizes and strides, among the
 * values whose numbers are in memory at that step.
 */
#include "exec/run-parts.h"

#include "exec/passes.h"
#include "exec/statistics.h"

#include <string.h>
#include <time.h>

/* ---- provenance ---- */

static bool
same_view(const FigView *a, const FigView *b)
{
    if (a->data != b->data || a->type != b->type || a->rank != b->rank)
        return false;
    for (int axis = 0; axis < a->rank; axis++)
        if (a->size[axis] != b->size[axis] || a->stride[axis] != b->stride[axis])
            return false;
    return true;
}

/* The value whose numbers a kernel was handed at a step, or was to write there; -1: none.
 * Two values may be the very same numbers (a split into one part): then the one the graph
 * names is meant. What the pass before left (`carried`, else -1) is there as well. */
static int
find_value(const FigRun *run, int step, bool written, const FigView *view, int named,
           int carried)
{
    int found = -1;
    for (int v = 0; v < run->graph->n_values; v++) {
        int first = run->plan->first[v];
        bool alive =
            (written ? first == step : first < step) && step <= run->plan->last[v];
        alive = alive || v == carried;
        if (!alive || !same_view(&run->value[v], view))
            continue;
        if (v == named)
            return v;
        if (found < 0)
            found = v;
    }
    return found;
}

/* What a kernel was handed. In later passes it is the same, or none of the graph's. */
static void
note_views(const FigRun *run, int step, bool written, int count, const FigView *views,
           int n_named, const int *named, int carried, bool again, int *values,
           FigView *copies)
{
    for (int i = 0; i < count; i++) {
        int found = find_value(run, step, written, &views[i],
                               i < n_named ? named[i] : -1, carried);
        values[i] = again && values[i] != found ? -1 : found;
        copies[i] = views[i];
    }
}

/* What a step read and wrote. An op that carries a value on reads one operand in the
 * first pass and the other in the second: both are noted. */
static void
note_step(FigRun *run, int n, const FigCall *call, int n_named, const int *named)
{
    const FigNode *node = &run->graph->nodes[n];
    FigStep *step = &run->steps[n];
    bool carries = node->op->carries && run->pass[node->repeat] > 0;
    bool again = step->writes != NULL;
    int at = carries ? 1 : 0;
    if (!again) {
        int most = MAX(call->n_in, node->n_reads);
        step->node = n;
        step->reads = fig_arena_new_array(run->arena, int, most);
        step->read = fig_arena_new_array(run->arena, FigView, most);
        step->writes = fig_arena_new_array(run->arena, int, call->n_out);
        step->written = fig_arena_new_array(run->arena, FigView, call->n_out);
        step->n_writes = call->n_out;
    }
    note_views(run, n, false, call->n_in, call->in, n_named, named,
               carries ? node->reads[1].value : -1, at < step->n_reads,
               (int *)step->reads + at, (FigView *)step->read + at);
    step->n_reads = MAX(step->n_reads, at + call->n_in);
    note_views(run, n, true, call->n_out, call->out, node->n_writes, node->writes, -1,
               again, (int *)step->writes, (FigView *)step->written);
}

/* ---- the loop ---- */

static double
now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* Give the results of an op that hands out views of its operand; an operand that a hook
 * exchanged may not allow it, then they are copied into buffers of their own. */
static void
eval_view(FigRun *run, const FigCall *call, FigKernel copying, FigView *out)
{
    if (call->op->view(call, out))
        return;
    for (int i = 0; i < call->n_out; i++) {
        size_t bytes = (size_t)fig_view_count(&out[i]) * fig_type_size(out[i].type);
        void *data = g_malloc(MAX(bytes, 1));
        g_ptr_array_add(run->extra, data);
        out[i] = fig_view_dense(data, out[i].type, out[i].rank, out[i].size);
    }
    copying(call);
}

/* The table of that name of an op, or NULL. */
static const FigExpose *
find_table(const FigOp *op, const char *name)
{
    for (const FigExpose *table = op->exposes; table && table->name; table++)
        if (strcmp(table->name, name) == 0)
            return table;
    return NULL;
}

static void
fill_exposed(FigRun *run, int node, const FigCall *call)
{
    int repeat = run->graph->nodes[node].repeat;
    for (int i = 0; i < run->plan->n_exposed; i++) {
        const FigExposure *exposure = &run->plan->exposed[i];
        int64_t number = fig_pass_number(run->graph, run->sizes, repeat, run->pass);
        const FigExpose *table = find_table(call->op, exposure->expose->name);
        if (exposure->node != node || !table ||
            (exposure->number >= 0 && exposure->number != number))
            continue;
        FigView view =
            fig_memory_place(run->plan, &exposure->view, exposure->buffer, run->pool);
        table->fill(call, &view);
    }
}

void
fig_run_edit_value(const FigRun *run, int value)
{
    int64_t pass = fig_pass_number(run->graph, run->sizes,
                                   run->graph->values[value].repeat, run->pass);
    for (int i = 0; i < run->options->n_edits; i++) {
        const FigEdit *edit = &run->options->edits[i];
        if (edit->part.value == value && (!edit->one_pass || edit->pass == pass))
            fig_edit_apply(edit, &run->value[value]);
    }
}

void
fig_run_keep_pass(const FigRun *run, int value)
{
    const FigValue *v = &run->graph->values[value];
    if (run->plan->copies[value] < 0)
        return;
    FigView copy = fig_memory_copy(
        run->plan, value, fig_pass_number(run->graph, run->sizes, v->repeat, run->pass),
        run->pool);
    fig_view_copy(&run->value[value], &copy);
}

/* The operands as the graph has them: of an op that carries a value on the one that is
 * there in this pass. */
static int
operands(const FigRun *run, const FigNode *node, int *named)
{
    if (node->op->carries) {
        named[0] = node->reads[run->pass[node->repeat] > 0].value;
        return 1;
    }
    for (int i = 0; i < node->n_reads; i++)
        named[i] = node->reads[i].value;
    return node->n_reads;
}

void
fig_run_execute(FigRun *run, int n)
{
    int kind;
    const FigGraph *graph = fig_graph_in_pass(run->graph, n, run->pass, &kind);
    const FigNode *node = &graph->nodes[n];
    const FigRunOptions *options = run->options;
    const FigRunHook *hook = options->hook;
    FigStep *step = &run->steps[n];
    FigView in[FIG_LIMIT_PORTS], out[FIG_LIMIT_PORTS];
    int named[FIG_LIMIT_PORTS];
    int n_in = operands(run, node, named);
    for (int i = 0; i < n_in; i++)
        in[i] = run->value[named[i]];
    for (int i = 0; i < node->n_writes; i++)
        out[i] = run->value[node->writes[i]];
    FigCall call = {
        .op = node->op,
        .type = options->type,
        .n_in = n_in,
        .n_out = node->n_writes,
        .in = in,
        .out = out,
        .attr = run->kind_sizes[kind]->attr[n],
    };
    if (hook && hook->before)
        hook->before(n, &call, in, hook->data);

    FigKernel kernel = node->op->eval[call.type];
    if (options->naive && node->op->naive[call.type])
        kernel = node->op->naive[call.type];
    double start = now();
    if (run->plan->as_view[n])
        eval_view(run, &call, kernel, out);
    else
        kernel(&call);
    step->seconds += now() - start;
    if (run->plan->as_view[n])
        for (int i = 0; i < node->n_writes; i++)
            run->value[node->writes[i]] = out[i];
    for (int i = 0; i < node->n_writes; i++)
        fig_run_edit_value(run, node->writes[i]);

    for (int i = 0; i < node->n_writes; i++)
        fig_run_keep_pass(run, node->writes[i]);
    note_step(run, n, &call, n_in, named);
    if (options->statistics) {
        FigStatistics *statistics =
            fig_arena_new_array(run->arena, FigStatistics, call.n_out);
        for (int i = 0; i < call.n_out; i++)
            statistics[i] = fig_statistics(&call.out[i]);
        step->statistics = statistics;
    }
    fill_exposed(run, n, &call);
    if (hook && hook->after)
        hook->after(n, &call, hook->data);
}
