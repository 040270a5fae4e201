/* SPDX-License-Identifier: MIT
 *
 * The run loop. Each kernel is handed views of the pool that the plan laid out; what it
 * read and wrote is found out from those views, by address, sizes and strides, among the
 * values whose numbers are in memory at that step. The ops of a repeat are gone through
 * once for each pass; a step tells of all of them.
 */
#include "exec/run.h"

#include "exec/fill.h"
#include "exec/memory.h"
#include "exec/passes.h"
#include "exec/shapes.h"
#include "exec/statistics.h"

#include "base/num.h"
#include "ops/blas.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct FigRun {
    FigArena *arena;
    const FigGraph *graph;
    const FigRunOptions *options; /* only while it runs */
    const FigSizes *sizes;
    const FigMemory *plan; /* NULL: a shape run */
    bool lent;             /* inputs and weights are another run's */
    void *pool;
    GPtrArray *extra; /* buffers that an exchanged operand made necessary */
    FigView *value;   /* [n_values] */
    int64_t *pass;    /* [n_groups] in which each repeat is */
    const FigSizes *
        *kind_sizes; /* [n_kinds] the same sizes, for the ops of each kind */
    int n_steps;
    FigStep *steps;
    const char *evidence;
};

/* ---- memory ---- */

/* Bytes that can be taken without swapping. */
static size_t
memory_free(void)
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

/* Refuse a run: the figure, the value that takes most and the dims it comes from. */
static void
refuse(const FigGraph *graph, const FigSizes *sizes, const FigMemory *plan,
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

/* What is asked to be changed in a value, once its numbers are there. */
static void
edit_value(const FigRun *run, int value)
{
    for (int i = 0; i < run->options->n_edits; i++)
        if (run->options->edits[i].part.value == value)
            fig_edit_apply(&run->options->edits[i], &run->value[value]);
}

/* Keep what a step gave in this pass. */
static void
keep_pass(const FigRun *run, int value)
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

static void
execute(FigRun *run, int n)
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
        edit_value(run, node->writes[i]);

    for (int i = 0; i < node->n_writes; i++)
        keep_pass(run, node->writes[i]);
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

/* Mark the values that new edits reach, and the ops that write them. */
static void
mark_reached(const FigGraph *graph, const FigRunOptions *options, bool *value, bool *op)
{
    for (int i = options->n_edits_from; i < options->n_edits; i++) {
        int edited = options->edits[i].part.value;
        const FigValue *v = &graph->values[edited];
        value[edited] = true;
        if (v->joined_in >= 0)
            value[v->joined_in] = true;
        for (int m = 0; m < v->n_members; m++)
            value[v->members[m]] = true;
    }
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

/* Which ops are run; what the others write is not needed, or taken from another run. */
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
    bool given = true; /* are all inputs and weights as they are in the other run? */
    for (int v = 0; v < graph->n_values; v++)
        given = given && !(graph->values[v].node < 0 && value[v]);
    for (int v = 0; options->from && v < graph->n_values; v++)
        if (!value[v] && (given || graph->values[v].node >= 0))
            run->value[v] = options->from->value[v];
    for (int n = 0; n < graph->n_nodes; n++)
        op[n] = (needed[n] || !options->only_kept) && (reached[n] || !options->from);
    run->lent = options->from && given;
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
        edit_value(run, v);
    }
    for (int v = 0; v < graph->n_values; v++)
        if (graph->values[v].from == FIG_FROM_WEIGHT &&
            graph->values[v].repeat == repeat)
            keep_pass(run, v);
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
                execute(run, n);
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
    size_t limit = options->memory ? options->memory : memory_free();
    run->plan = plan;
    if (plan->bytes > limit)
        refuse(graph, run->sizes, plan, limit, diag);
    if (fig_diag_errors(diag) > before)
        return false;
    if (posix_memalign(&run->pool, 64, MAX(plan->bytes, 1))) {
        run->pool = NULL;
        refuse(graph, run->sizes, plan, limit, diag);
        return false;
    }
    for (int v = 0; v < graph->n_values; v++)
        run->value[v] =
            fig_memory_place(plan, &plan->value[v], plan->buffer[v], run->pool);
    const bool *op = ops_to_run(run);
    if (!run->lent && !fig_fill(graph, options, run->sizes, run->value, diag))
        return false;
    for (int v = 0; v < graph->n_values; v++)
        if (graph->values[v].from != FIG_FROM_ACTIVATION && !run->lent &&
            graph->values[v].repeat < 0)
            edit_value(run, v);
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
