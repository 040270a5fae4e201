/* SPDX-License-Identifier: MIT
 *
 * The memory plan: views first, then lives, then places in the pool, lowest gap first.
 */
#include "exec/memory.h"

#include "exec/passes.h"

#include <string.h>

enum {
    ALIGN = 64, /* bytes: a cache line, and more than any vector load needs */
};

/* Views without data still need an address to count from: any that is not NULL and far
 * from the end of the address space. It is never read from. */
static char *
base(void)
{
    return (char *)(uintptr_t)(1 << 20);
}

/* A plan being made. */
typedef struct Planner {
    const FigGraph *graph;
    const FigRunOptions *options;
    const FigSizes *sizes;
    FigArena *arena;
    FigView *value;
    int *buffer, *first, *last, *copies;
    bool *as_view;
    GArray *size;  /* of int64_t: bytes of each buffer */
    GArray *owner; /* of int: the value a buffer was made for, -1: a table */
    FigMemory *plan;
} Planner;

/* Bytes of a dense tensor; SIZE_MAX when that is beyond any machine. */
static size_t
dense_bytes(FigType type, int rank, const int64_t *size)
{
    size_t bytes = fig_type_size(type);
    for (int axis = 0; axis < rank; axis++)
        if (!g_size_checked_mul(&bytes, bytes, (size_t)size[axis]) || bytes > (size_t)1
                                                                                  << 60)
            return SIZE_MAX;
    return (bytes + ALIGN - 1) / ALIGN * ALIGN;
}

/* Make a buffer for `times` dense views; false when it is too large to be counted. */
static bool
add_buffers(Planner *p, int owner, FigType type, int rank, const int64_t *size,
            int64_t times, int *buffer, FigView *view)
{
    size_t bytes = dense_bytes(type, rank, size);
    if (bytes == SIZE_MAX || !g_size_checked_mul(&bytes, bytes, (size_t)times) ||
        bytes > (size_t)1 << 60) {
        p->plan->largest = owner;
        return false;
    }
    *buffer = (int)p->size->len;
    g_array_append_val(p->size, bytes);
    g_array_append_val(p->owner, owner);
    *view = fig_view_dense(base(), type, rank, size);
    return true;
}

static bool
add_buffer(Planner *p, int owner, FigType type, int rank, const int64_t *size,
           int *buffer, FigView *view)
{
    return add_buffers(p, owner, type, rank, size, 1, buffer, view);
}

static FigType
type_of(const Planner *p, int value)
{
    const FigValue *v = &p->graph->values[value];
    return v->whole ? v->whole_type : p->options->type;
}

/* Is it asked for to the end, in this pass or that? */
static bool
is_kept(const Planner *p, int value)
{
    bool kept = p->options->keep_all;
    for (const char *const *k = p->options->keep; k && *k && !kept; k++) {
        int named;
        int64_t number;
        kept = fig_pass_find(p->graph, p->sizes, *k, &named, &number) && named == value;
    }
    return kept;
}

/* Room for the numbers of all passes of the values in repeats that are kept. They are
 * there before all, so their buffers come first. */
static bool
add_copies(Planner *p)
{
    for (int v = 0; v < p->graph->n_values; v++) {
        const FigValue *value = &p->graph->values[v];
        FigView view;
        p->copies[v] = -1;
        if (value->repeat >= 0 && is_kept(p, v) &&
            !add_buffers(p, v, type_of(p, v), value->shape.rank, p->sizes->value[v],
                         fig_graph_passes(p->graph, p->sizes, value->repeat),
                         &p->copies[v], &view))
            return false;
    }
    return true;
}

static bool
add_value(Planner *p, int value)
{
    const FigValue *v = &p->graph->values[value];
    FigType type = type_of(p, value);
    return add_buffer(p, value, type, v->shape.rank, p->sizes->value[value],
                      &p->buffer[value], &p->value[value]);
}

/* Members of a join lie in its buffer, side by side along the joined axis. */
static void
place_members(Planner *p, int join)
{
    const FigValue *value = &p->graph->values[join];
    const FigView *whole = &p->value[join];
    char *data = whole->data;
    for (int i = 0; i < value->n_members; i++) {
        int member = value->members[i];
        FigView *part = &p->value[member];
        *part = *whole;
        part->data = data;
        part->size[value->join_axis] = p->sizes->value[member][value->join_axis];
        data += part->size[value->join_axis] * whole->stride[value->join_axis] *
                (int64_t)fig_type_size(whole->type);
        p->buffer[member] = p->buffer[join];
    }
}

/* A result that is to be changed needs numbers of its own: what it would be a view of
 * stays as it is. */
static bool
edited(const Planner *p, const FigNode *node)
{
    for (int i = 0; i < node->n_writes; i++)
        for (int j = 0; j < p->options->n_edits; j++)
            if (p->options->edits[j].part.value == node->writes[i])
                return true;
    return false;
}

/* Walk the ops once; false when a tensor is too large to be counted. */
static bool
walk(Planner *p)
{
    const FigGraph *graph = p->graph;
    if (!add_copies(p))
        return false;
    for (int v = 0; v < graph->n_values; v++) {
        const FigValue *value = &graph->values[v];
        bool member = value->from == FIG_FROM_WEIGHT && value->joined_in >= 0;
        if (value->from != FIG_FROM_ACTIVATION && !member && !add_value(p, v))
            return false;
    }
    for (int v = 0; v < graph->n_values; v++)
        if (graph->values[v].from == FIG_FROM_WEIGHT && graph->values[v].n_members)
            place_members(p, v);
    for (int n = 0; n < graph->n_nodes; n++) {
        const FigNode *node = &graph->nodes[n];
        FigView in[FIG_LIMIT_PORTS], out[FIG_LIMIT_PORTS];
        for (int i = 0; i < node->n_reads; i++)
            in[i] = p->value[node->reads[i].value];
        FigCall call = {
            .op = node->op,
            .type = p->options->type,
            .n_in = node->n_reads,
            .n_out = node->n_writes,
            .in = in,
            .out = out,
            .attr = p->sizes->attr[n],
        };
        p->as_view[n] =
            !edited(p, node) && node->op->view && node->op->view(&call, out);
        for (int i = 0; i < node->n_writes; i++) {
            int value = node->writes[i];
            if (p->as_view[n]) {
                p->value[value] = out[i];
                p->buffer[value] = p->buffer[node->reads[0].value];
            } else if (!add_value(p, value)) {
                return false;
            }
            out[i] = p->value[value];
        }
        for (int i = 0; i < p->plan->n_exposed; i++) {
            FigExposure *exposure = &p->plan->exposed[i];
            FigView view;
            if (exposure->node != n)
                continue;
            exposure->expose->shape(&call, &view);
            if (!add_buffer(p, -1, view.type, view.rank, view.size, &exposure->buffer,
                            &exposure->view))
                return false;
        }
    }
    return true;
}

/* The last step at which operand i of a node may be wanted: a value from outside a repeat
 * is read again in its last pass, what is carried on once the pass is over. */
static int
last_need(const FigGraph *graph, int n, int i)
{
    const FigNode *node = &graph->nodes[n];
    const FigValue *value = &graph->values[node->reads[i].value];
    int last = n, r = node->repeat;
    if (node->op->carries && i == 0)
        r = graph->groups[r].repeat; /* no pass but the first reads it */
    else if (node->op->carries)
        last = graph->groups[r].end - 1;
    for (; !fig_graph_repeat_in(graph, value->repeat, r); r = graph->groups[r].repeat)
        last = MAX(last, graph->groups[r].end - 1);
    return last;
}

/* From which step to which each value is needed. */
static void
find_lives(Planner *p)
{
    const FigGraph *graph = p->graph;
    for (int v = 0; v < graph->n_values; v++) {
        const FigValue *value = &graph->values[v];
        bool activation = value->from == FIG_FROM_ACTIVATION;
        bool kept = !activation || value->is_output ||
                    (value->repeat < 0 && is_kept(p, v)); /* else it has copies */
        p->first[v] = activation ? value->node : -1;
        p->last[v] = kept ? graph->n_nodes : value->node;
    }
    for (int n = 0; n < graph->n_nodes; n++)
        for (int i = 0; i < graph->nodes[n].n_reads; i++) {
            int *last = &p->last[graph->nodes[n].reads[i].value];
            *last = MAX(*last, last_need(graph, n, i));
        }
    for (int n = 0; n < graph->n_nodes; n++)
        if (graph->nodes[n].op->carries) {
            int *last = &p->last[graph->nodes[n].writes[0]];
            *last = MAX(*last, graph->groups[graph->nodes[n].repeat].end - 1);
        }
}

/* A buffer that holds its place in the pool. */
typedef struct Held {
    size_t from, to;
    int last;
} Held;

/* Put a buffer into the lowest gap among those still needed (in order of place). */
static size_t
hold(GArray *held, int first, int last, size_t bytes)
{
    size_t at = 0;
    guint where = 0;
    for (guint i = 0; i < held->len;)
        if (g_array_index(held, Held, i).last < first)
            g_array_remove_index(held, i);
        else
            i++;
    for (; where < held->len; where++) {
        const Held *other = &g_array_index(held, Held, where);
        if (other->from >= at && other->from - at >= bytes)
            break;
        at = MAX(at, other->to);
    }
    Held here = {at, at + bytes, last};
    g_array_insert_val(held, where, here);
    return at;
}

static void
place_buffers(Planner *p)
{
    int n = (int)p->size->len;
    int *first = fig_arena_new_array(p->arena, int, n);
    int *last = fig_arena_new_array(p->arena, int, n);
    size_t *offset = fig_arena_new_array(p->arena, size_t, n);
    for (int b = 0; b < n; b++)
        first[b] = G_MAXINT;
    for (int v = 0; v < p->graph->n_values; v++) {
        int b = p->buffer[v];
        first[b] = MIN(first[b], p->first[v]);
        last[b] = MAX(last[b], p->last[v]);
    }
    for (int v = 0; v < p->graph->n_values; v++)
        if (p->copies[v] >= 0) {
            first[p->copies[v]] = -1;
            last[p->copies[v]] = p->graph->n_nodes;
        }
    for (int i = 0; i < p->plan->n_exposed; i++) {
        int b = p->plan->exposed[i].buffer;
        /* the table of one pass outlives the steps of those behind it */
        first[b] = p->plan->exposed[i].number < 0 ? p->plan->exposed[i].node : -1;
        last[b] = p->graph->n_nodes;
    }
    /* Buffers were made in the order of their first steps, but for some that are there
     * before all. */
    g_autoptr(GArray) held = g_array_new(FALSE, FALSE, sizeof(Held));
    size_t largest = 0;
    for (int at = 0; at < 2 * n; at++) {
        int b = at % n;
        if ((first[b] < 0) != (at < n))
            continue;
        size_t bytes = g_array_index(p->size, size_t, b);
        int owner = g_array_index(p->owner, int, b);
        offset[b] = hold(held, first[b], last[b], bytes);
        p->plan->bytes = MAX(p->plan->bytes, offset[b] + bytes);
        if (owner >= 0 && bytes > largest) {
            largest = bytes;
            p->plan->largest = owner;
        }
        if (p->plan->bytes > (size_t)1 << 61) {
            p->plan->bytes = SIZE_MAX;
            return;
        }
    }
    p->plan->n_buffers = n;
    p->plan->offset = offset;
}

bool
fig_memory_exposure(const FigGraph *graph, const FigSizes *sizes, const char *name,
                    int *node, const FigExpose **expose, int64_t *number)
{
    const char *dot = strrchr(name, '.');
    int64_t pass = -1;
    int value;
    if (!dot)
        return false;
    g_autofree char *id = g_strndup(name, (gsize)(dot - name));
    *node = fig_graph_node(graph, id);
    if (*node < 0 && sizes && fig_pass_find(graph, sizes, id, &value, &pass))
        *node = graph->values[value].node;
    if (*node < 0)
        return false;
    if (number)
        *number = pass;
    const FigExpose *all = graph->nodes[*node].op->exposes;
    for (*expose = all; *expose && (*expose)->name; (*expose)++)
        if (!strcmp((*expose)->name, dot + 1))
            return true;
    return false;
}

FigMemory *
fig_memory_plan(const FigGraph *graph, const FigRunOptions *options,
                const FigSizes *sizes, FigArena *arena)
{
    FigMemory *plan = fig_arena_new0(arena, FigMemory);
    Planner p = {
        .graph = graph,
        .options = options,
        .sizes = sizes,
        .arena = arena,
        .value = fig_arena_new_array(arena, FigView, graph->n_values),
        .buffer = fig_arena_new_array(arena, int, graph->n_values),
        .first = fig_arena_new_array(arena, int, graph->n_values),
        .last = fig_arena_new_array(arena, int, graph->n_values),
        .copies = fig_arena_new_array(arena, int, graph->n_values),
        .as_view = fig_arena_new_array(arena, bool, graph->n_nodes),
        .size = g_array_new(FALSE, FALSE, sizeof(size_t)),
        .owner = g_array_new(FALSE, FALSE, sizeof(int)),
        .plan = plan,
    };
    int n_keep = 0;
    while (options->keep && options->keep[n_keep])
        n_keep++;
    plan->exposed = fig_arena_new_array(arena, FigExposure, n_keep);
    for (int i = 0; i < n_keep; i++) {
        FigExposure *exposure = &plan->exposed[plan->n_exposed];
        if (fig_memory_exposure(graph, sizes, options->keep[i], &exposure->node,
                                &exposure->expose, &exposure->number)) {
            exposure->id = fig_arena_strdup(arena, options->keep[i]);
            plan->n_exposed++;
        }
    }
    find_lives(&p);
    if (walk(&p))
        place_buffers(&p);
    else
        plan->bytes = SIZE_MAX;
    plan->value = p.value;
    plan->buffer = p.buffer;
    plan->first = p.first;
    plan->last = p.last;
    plan->copies = p.copies;
    plan->as_view = p.as_view;
    g_array_unref(p.size);
    g_array_unref(p.owner);
    return plan;
}

FigView
fig_memory_place(const FigMemory *plan, const FigView *view, int buffer, void *pool)
{
    FigView placed = *view;
    ptrdiff_t inside = (char *)view->data - base();
    placed.data = (char *)pool + plan->offset[buffer] + inside;
    return placed;
}

FigView
fig_memory_copy(const FigMemory *plan, int value, int64_t number, void *pool)
{
    const FigView *one = &plan->value[value];
    FigView view = fig_view_dense(NULL, one->type, one->rank, one->size);
    if (plan->copies[value] >= 0)
        view.data = (char *)pool + plan->offset[plan->copies[value]] +
                    (size_t)number * dense_bytes(view.type, view.rank, view.size);
    return view;
}
