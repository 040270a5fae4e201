/* SPDX-License-Identifier: MIT
 *
 * The table of small changes, made from the op table and the graph:
 *
 *   drop     an op is left out: what read it reads what it read
 *   swap     two operands of an op change places; two like ops change operands
 *   rewire   an op reads another value of the same shape
 *   retype   another op of the same signature does the work
 *   set      an attribute has another value
 *   insert   an operand first goes through one more op, alone or with a new weight
 *   widen    every weight's axis of one size is longer by one
 *
 * An op is known here by its row alone.
 */
#include "check/changes-parts.h"

#include <string.h>

static const char *const kinds[FIG_CHANGE_KINDS] = {"set",    "insert", "drop", "swap",
                                                    "retype", "rewire", "widen"};

static int
number_of(const char *kind)
{
    int k = 0;
    while (strcmp(kinds[k], kind) != 0)
        k++;
    return k;
}

guint
fig_change_count(const FigChangeTable *t, const char *kind)
{
    return t->of_kind[number_of(kind)]->len;
}

void
fig_change_add(FigChangeTable *t, const char *kind, int node, int attribute,
               const char *format, ...)
{
    if (t->n == FIG_MOST_CHANGES)
        return;
    t->n++;
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    FigChange change = {kind, fig_arena_printf(t->arena, "[%s]", text), node,
                        attribute};
    g_array_append_val(t->of_kind[number_of(kind)], change);
}

/* ---- words ---- */

/* A text as it stands between braces. */
const char *
fig_change_quoted(FigChangeTable *t, const char *text)
{
    bool plain = *text && !strpbrk(text, ",:{}[]#\"'&|>%@`!?") && !strchr("*-", *text);
    return plain ? text : fig_arena_printf(t->arena, "'%s'", text);
}

const char *
fig_change_value(const FigChangeTable *t, int value)
{
    return t->graph->values[value].id;
}

/* An op's id, so that an edit finds it alone. */
const char *
fig_change_op(FigChangeTable *t, int n)
{
    const FigNode *node = &t->graph->nodes[n];
    return fig_graph_elements(t->graph, node->id) == 1
               ? node->id
               : fig_arena_printf(t->arena, "%s.%s", node->id, node->op->name);
}

/* "in: [q, g_q]" with one value in another's place. */
const char *
fig_change_reads(FigChangeTable *t, int n, int from, const char *to, int only)
{
    const FigNode *node = &t->graph->nodes[n];
    g_autoptr(GString) out = g_string_new("in: [");
    for (int i = 0; i < node->n_reads; i++) {
        bool here = node->reads[i].value == from && (only < 0 || only == i);
        g_string_append_printf(out, "%s%s", i ? ", " : "",
                               here ? to : fig_change_value(t, node->reads[i].value));
    }
    g_string_append_c(out, ']');
    return fig_arena_strdup(t->arena, out->str);
}

/* What an axis of a shape is called: its name or its size, else its number. */
const char *
fig_change_axis(FigChangeTable *t, const FigShape *shape, int axis)
{
    const char *words[FIG_LIMIT_RANK];
    int same = 0;
    for (int i = 0; i < shape->rank; i++)
        words[i] = shape->name[i] ? shape->name[i]
                                  : fig_poly_text(t->graph->algebra, shape->axis[i]);
    for (int i = 0; i < shape->rank; i++)
        same += strcmp(words[i], words[axis]) == 0;
    return same == 1 ? fig_change_quoted(t, words[axis])
                     : fig_arena_printf(t->arena, "%d", axis);
}

bool
fig_change_same_shape(const FigShape *a, const FigShape *b)
{
    bool same = a->rank == b->rank;
    for (int i = 0; same && i < a->rank; i++)
        same = fig_poly_equal(a->axis[i], b->axis[i]);
    return same;
}

const FigShape *
fig_change_shape(const FigChangeTable *t, int value)
{
    return &t->graph->values[value].shape;
}

/* ---- the table ---- */

/* An id that nothing has. */
static const char *
free_id(const FigGraph *graph, const char *id, FigArena *arena)
{
    while (fig_graph_elements(graph, id) || fig_graph_value(graph, id) >= 0 ||
           fig_graph_dim(graph, id) >= 0)
        id = fig_arena_printf(arena, "%s_", id);
    return id;
}

/* Nodes, those of a kind that is rare in the graph first: most sentences are about them. */
static int *
by_rarity(const FigGraph *graph, FigArena *arena)
{
    int count[FIG_KINDS] = {0}, n = 0;
    int *order = fig_arena_new_array(arena, int, graph->n_nodes);
    for (int i = 0; i < graph->n_nodes; i++)
        count[graph->nodes[i].op->kind]++;
    for (int c = 1; c <= graph->n_nodes; c++)
        for (int i = 0; i < graph->n_nodes; i++)
            if (count[graph->nodes[i].op->kind] == c)
                order[n++] = i;
    return order;
}

/* The first insert at every operand, then the second at every one: an edge that is cut
 * breaks most sentences about it, whatever cuts it. */
static void
take_turns(FigChangeTable *t)
{
    GArray **inserts = &t->of_kind[number_of("insert")];
    GArray *turns = g_array_new(FALSE, FALSE, sizeof(FigChange));
    guint end = (*inserts)->len;
    g_array_append_val(t->inserts, end);
    for (guint round = 0; turns->len < end; round++)
        for (guint i = 0; i + 1 < t->inserts->len; i++) {
            guint at = g_array_index(t->inserts, guint, i) + round;
            if (at < g_array_index(t->inserts, guint, i + 1))
                g_array_append_val(turns, g_array_index(*inserts, FigChange, at));
        }
    g_array_unref(*inserts);
    *inserts = turns;
}

const FigChange *
fig_changes(const FigGraph *graph, FigArena *arena, int *n)
{
    FigChangeTable t = {.graph = graph,
                        .arena = arena,
                        .extra = free_id(graph, "more", arena),
                        .extra_weight = free_id(graph, "w_more", arena)};
    const int *order = by_rarity(graph, arena);
    t.inserts = g_array_new(FALSE, FALSE, sizeof(guint));
    for (int k = 0; k < FIG_CHANGE_KINDS; k++)
        t.of_kind[k] = g_array_new(FALSE, FALSE, sizeof(FigChange));
    for (int i = 0; i < graph->n_nodes; i++) {
        fig_change_drop(&t, order[i]);
        fig_change_swap(&t, order[i]);
        fig_change_exchange(&t, order[i]);
        fig_change_rewire(&t, order[i]);
        fig_change_set(&t, order[i]);
        fig_change_retype(&t, order[i]);
        fig_change_insert(&t, order[i]);
    }
    fig_change_widen(&t);
    take_turns(&t);
    *n = t.n;
    FigChange *all = fig_arena_new_array(arena, FigChange, *n);
    int next = 0;
    for (guint i = 0; next < *n; i++)
        for (int k = 0; k < FIG_CHANGE_KINDS; k++)
            if (i < t.of_kind[k]->len)
                all[next++] = g_array_index(t.of_kind[k], FigChange, i);
    for (int k = 0; k < FIG_CHANGE_KINDS; k++)
        g_array_unref(t.of_kind[k]);
    g_array_unref(t.inserts);
    return all;
}

/* ---- loading ---- */

/* What the command line or a config said, to say it again. */
static const FigOverride *
overrides(const FigGraph *graph, bool dims, FigArena *arena)
{
    int most = dims ? graph->n_dims : graph->n_constants, n = 0;
    FigOverride *all = fig_arena_new_array(arena, FigOverride, most + 1);
    for (int i = 0; i < most; i++) {
        if (dims && graph->dims[i].overridden)
            all[n++] = (FigOverride){
                graph->dims[i].id,
                fig_arena_printf(arena, "%" G_GINT64_FORMAT, graph->dims[i].size)};
        else if (!dims && graph->constants[i].overridden)
            all[n++] = (FigOverride){graph->constants[i].id, graph->constants[i].text};
    }
    return all;
}

FigGraph *
fig_change_load(const FigGraph *graph, const char *edit, FigDiag *diag)
{
    g_autoptr(FigArena) scratch = fig_arena_new();
    g_autoptr(FigDiag) silent = fig_diag_new();
    g_autoptr(GString) text = g_string_new(NULL);
    if (edit)
        g_string_append_printf(
            text,
            "opfig: 1\nname: changed\nextends: %s\nedit: %s\n--- # extended: %s\n",
            graph->name, edit, graph->name);
    g_string_append_len(text, graph->text, (gssize)graph->text_length);
    const FigLoadOptions options = {
        .dims = overrides(graph, true, scratch),
        .set = overrides(graph, false, scratch),
        .bare = true,
        .parsed = graph,
    };
    return fig_spec_load_text("changed", text->str, text->len, &options,
                              diag ? diag : silent);
}

const FigSizes *
fig_change_sizes(const FigGraph *graph, const FigSizes *sizes, const FigGraph *changed,
                 FigArena *arena)
{
    int64_t *symbol =
        fig_arena_copy(arena, changed->symbol_size,
                       sizeof(int64_t) * (size_t)fig_algebra_symbols(changed->algebra));
    for (int i = 0; i < changed->n_dims; i++) {
        int same = fig_graph_dim(graph, changed->dims[i].id);
        if (changed->dims[i].symbol >= 0 && same >= 0)
            symbol[changed->dims[i].symbol] = sizes->dim[same];
    }
    return fig_graph_sizes(changed, symbol, arena, NULL);
}
