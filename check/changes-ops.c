/* SPDX-License-Identifier: MIT
 *
 * Changes of ops: another of the same signature does the work, or one more comes between
 * it and an operand.
 * Which may is read from the signatures.
 */
#include "check/changes-parts.h"

#include <string.h>

enum { TURNS = 3 };

/* ---- another op ---- */

/* The alternatives of a signature, those for a word of an attribute left out. */
static char **
alternatives(const FigOp *op)
{
    g_autofree char *plain = g_strdup(op->signature);
    char *word = strchr(plain, ';');
    if (word)
        *word = '\0';
    char **all = g_strsplit(plain, "|", -1);
    for (int i = 0; all[i]; i++)
        g_strstrip(all[i]);
    return all;
}

static bool
share_signature(const FigOp *a, const FigOp *b)
{
    g_auto(GStrv) of_a = alternatives(a);
    g_auto(GStrv) of_b = alternatives(b);
    for (int i = 0; of_a[i]; i++)
        if (g_strv_contains((const char *const *)of_b, of_a[i]))
            return true;
    return false;
}

/* ---- one more op ---- */

/* Does an op keep the shape of its operands, all the same? How many are there? */
static int
keeps_shape(const FigOp *op)
{
    g_auto(GStrv) all = alternatives(op);
    for (int i = 0; all[i]; i++) {
        int ports = 0;
        bool same = true;
        g_autofree char *first = NULL;
        for (char *at = strchr(all[i], '['); at; at = strchr(at, '[')) {
            size_t length = strcspn(at, "]");
            g_autofree char *shape = g_strndup(at, length);
            same = same && (!first || strcmp(first, shape) == 0);
            if (!first)
                first = g_steal_pointer(&shape);
            ports++;
            at += length;
        }
        if (same && !strpbrk(all[i], "<:") && (ports == 2 || ports == 3))
            return ports - 1;
    }
    return 0;
}

/* One op for all that do the same to shapes and numbers in general: the first. */
static bool
stands_for_its_like(const FigOp *op)
{
    for (const FigOp *const *first = fig_op_all(); *first != op; first++)
        if ((*first)->kind == op->kind && keeps_shape(*first) == keeps_shape(op) &&
            strcmp((*first)->signature, op->signature) == 0 && keeps_shape(op) == 1)
            return false;
    return true;
}

/* Any weight of the spec, beside which a new one is put; NULL: it has none. */
static const char *
any_weight(const FigGraph *graph)
{
    for (int v = 0; v < graph->n_values; v++)
        if (graph->values[v].from == FIG_FROM_WEIGHT)
            return graph->values[v].id;
    return NULL;
}

/* Between an op and operand `read` of it. */
static void
insert(FigChangeTable *t, int n, int read, const FigOp *op, const char *attributes)
{
    const FigNode *node = &t->graph->nodes[n];
    int value = node->reads[read].value;
    const FigShape *shape = fig_change_shape(t, value);
    const char *reads = fig_change_reads(t, n, value, t->extra, read);
    if (keeps_shape(op) == 1) {
        fig_change_add(t, "insert", n, -1,
                       "{before: %s, ops: [{id: %s, op: %s, in: %s%s}]}, {set: %s, %s}",
                       fig_change_op(t, n), t->extra, op->name,
                       fig_change_value(t, value), attributes, fig_change_op(t, n),
                       reads);
        return;
    }
    const char *beside = any_weight(t->graph);
    g_autoptr(GString) sizes = g_string_new(NULL);
    for (int i = 0; i < shape->rank; i++)
        g_string_append_printf(
            sizes, "%s%s", i ? ", " : "",
            fig_change_quoted(t, fig_poly_text(t->graph->algebra, shape->axis[i])));
    if (beside)
        fig_change_add(
            t, "insert", n, -1,
            "{after: weights.%s, weights: {%s: {shape: [%s]}}}, "
            "{before: %s, ops: [{id: %s, op: %s, in: [%s, %s]%s}]}, {set: %s, %s}",
            beside, t->extra_weight, sizes->str, fig_change_op(t, n), t->extra,
            op->name, fig_change_value(t, value), t->extra_weight, attributes,
            fig_change_op(t, n), reads);
}

/* The AXIS that an op wants, or -1. */
static int
wanted_axis(const FigOp *op)
{
    for (int i = 0; i < fig_op_attr_count(op); i++)
        if (op->attrs[i].type == FIG_ATTR_AXIS && !op->attrs[i].fallback)
            return i;
    return -1;
}

/* Does an op do to each number by itself what the other does along an axis? */
static bool
works_alone(const FigOp *op, const FigOp *along)
{
    return wanted_axis(along) >= 0 && keeps_shape(along) == 1 &&
           op->kind == FIG_KIND_POINTWISE && keeps_shape(op) == 1;
}

void
fig_change_retype(FigChangeTable *t, int n)
{
    const FigNode *node = &t->graph->nodes[n];
    for (const FigOp *const *op = fig_op_all(); *op; op++) {
        if (*op == node->op ||
            !(share_signature(*op, node->op) || works_alone(*op, node->op)))
            continue;
        const FigYaml *element = fig_graph_op_yaml(t->graph, n);
        g_autoptr(GString) more = g_string_new(NULL);
        for (int i = 0; i < fig_op_attr_count(node->op); i++) {
            const char *name = node->op->attrs[i].name;
            if (fig_op_attr_index(*op, name) < 0 && fig_yaml_lookup(element, name))
                g_string_append_printf(more, ", %s: null", name);
        }
        fig_change_add(
            t, "retype", n, -1, "{set: %s, op: %s%s%s}", fig_change_op(t, n),
            (*op)->name,
            fig_change_wanted(t, *op, fig_op_attr_defaults(*op, t->arena), -1, element),
            more->str);
    }
}

static void
insert_each(FigChangeTable *t, int n, int read, const FigOp *op)
{
    const FigShape *shape = fig_change_shape(t, t->graph->nodes[n].reads[read].value);
    const char *more =
        fig_change_wanted(t, op, fig_op_attr_defaults(op, t->arena), -1, NULL);
    int axis = wanted_axis(op);
    if (axis < 0)
        insert(t, n, read, op, more);
    for (int k = 0; axis >= 0 && k < shape->rank; k++)
        insert(t, n, read, op,
               fig_arena_printf(t->arena, ", %s: %s%s", op->attrs[axis].name,
                                fig_change_axis(t, shape, k), more));
}

/* What adds a weight first, then what mixes an axis, then all else: each breaks sentences
 * that the others do not. */
static int
turn_of(const FigOp *op)
{
    return keeps_shape(op) == 2 ? 0 : wanted_axis(op) >= 0 ? 1 : 2;
}

void
fig_change_insert(FigChangeTable *t, int n)
{
    const FigNode *node = &t->graph->nodes[n];
    for (int i = 0; i < node->n_reads; i++) {
        const FigValue *value = &t->graph->values[node->reads[i].value];
        if (value->from == FIG_FROM_WEIGHT || value->whole)
            continue;
        guint start = fig_change_count(t, "insert");
        g_array_append_val(t->inserts, start);
        for (int turn = 0; turn < TURNS; turn++)
            for (const FigOp *const *op = fig_op_all(); *op; op++)
                if (keeps_shape(*op) && stands_for_its_like(*op) &&
                    turn_of(*op) == turn)
                    insert_each(t, n, i, *op);
    }
}
