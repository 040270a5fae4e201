/* SPDX-License-Identifier: MIT
 *
 * Changes of who reads what. What nobody would read any more is left alone, but for a
 * weight, which is dropped with its reader's change.
 */
#include "check/changes-parts.h"

/* ---- drop, swap, rewire ---- */

void
fig_change_drop(FigChangeTable *t, int n)
{
    if (t->graph->nodes[n].n_writes == 1)
        fig_change_add(t, "drop", n, -1, "{drop: %s}", fig_change_op(t, n));
}

void
fig_change_swap(FigChangeTable *t, int n)
{
    const FigNode *node = &t->graph->nodes[n];
    for (int i = 0; i < node->n_reads; i++) {
        for (int j = i + 1; j < node->n_reads && !node->op->commutes; j++) {
            int a = node->reads[i].value, b = node->reads[j].value;
            if (a == b ||
                !fig_change_same_shape(fig_change_shape(t, a), fig_change_shape(t, b)))
                continue;
            g_autoptr(GString) in = g_string_new(NULL);
            for (int k = 0; k < node->n_reads; k++)
                g_string_append_printf(in, "%s%s", k ? ", " : "",
                                       fig_change_value(t, node->reads[k == i   ? j
                                                                       : k == j ? i
                                                                                : k]
                                                               .value));
            fig_change_add(t, "swap", n, -1, "{set: %s, in: [%s]}", fig_change_op(t, n),
                           in->str);
        }
    }
}

/* Another op of the same row reads what this one read, and the other way round. */
void
fig_change_exchange(FigChangeTable *t, int n)
{
    const FigNode *node = &t->graph->nodes[n];
    for (int m = n + 1; m < t->graph->n_nodes; m++) {
        const FigNode *other = &t->graph->nodes[m];
        if (other->op != node->op || other->n_reads != node->n_reads)
            continue;
        for (int i = 0; i < node->n_reads; i++) {
            int a = node->reads[i].value, b = other->reads[i].value;
            if (a == b || t->graph->values[b].node >= n ||
                !fig_change_same_shape(fig_change_shape(t, a), fig_change_shape(t, b)))
                continue;
            fig_change_add(t, "swap", n, -1, "{set: %s, %s}, {set: %s, %s}",
                           fig_change_op(t, n),
                           fig_change_reads(t, n, a, fig_change_value(t, b), i),
                           fig_change_op(t, m),
                           fig_change_reads(t, m, b, fig_change_value(t, a), i));
        }
    }
}

void
fig_change_rewire(FigChangeTable *t, int n)
{
    const FigGraph *graph = t->graph;
    const FigNode *node = &graph->nodes[n];
    for (int i = 0; i < node->n_reads; i++) {
        const FigValue *old = &graph->values[node->reads[i].value];
        bool weight = old->from == FIG_FROM_WEIGHT;
        if (old->n_readers < 2 && !weight && !old->is_output)
            continue; /* nobody would read it any more */
        for (int v = 0; v < graph->n_values; v++) {
            const FigValue *value = &graph->values[v];
            if (value == old || value->node >= n || value->joined_in >= 0 ||
                (value->from == FIG_FROM_WEIGHT) != weight ||
                value->whole != old->whole ||
                !fig_change_same_shape(&value->shape, &old->shape))
                continue;
            const char *in = fig_change_reads(t, n, node->reads[i].value, value->id, i);
            if (weight && old->n_readers < 2)
                fig_change_add(t, "rewire", n, -1, "{set: %s, %s}, {drop: weights.%s}",
                               fig_change_op(t, n), in, old->id);
            else
                fig_change_add(t, "rewire", n, -1, "{set: %s, %s}", fig_change_op(t, n),
                               in);
        }
    }
}

/* ---- longer weights ---- */

/* The dim of a size, by its id; else the size as it is. */
static const char *
size_word(FigChangeTable *t, const FigPoly *size)
{
    for (int d = 0; d < t->graph->n_dims; d++)
        if (fig_poly_equal(t->graph->dims[d].poly, size))
            return t->graph->dims[d].id;
    return fig_poly_text(t->graph->algebra, size);
}

void
fig_change_widen(FigChangeTable *t)
{
    const FigGraph *graph = t->graph;
    for (int d = 0; d < graph->n_dims; d++) {
        const FigPoly *size = graph->dims[d].poly;
        g_autoptr(GString) out = g_string_new(NULL);
        for (int v = 0; v < graph->n_values; v++) {
            const FigValue *value = &graph->values[v];
            bool has = false;
            g_autoptr(GString) shape = g_string_new(NULL);
            for (int i = 0; i < value->shape.rank; i++) {
                bool longer = fig_poly_equal(value->shape.axis[i], size);
                const char *word = size_word(t, value->shape.axis[i]);
                has = has || longer;
                g_string_append_printf(
                    shape, "%s%s", i ? ", " : "",
                    fig_change_quoted(
                        t, longer ? fig_arena_printf(t->arena, "%s + 1", word) : word));
            }
            if (has && value->from == FIG_FROM_WEIGHT && !value->n_members)
                g_string_append_printf(out, "%s{set: weights.%s, shape: [%s]}",
                                       out->len ? ", " : "", value->id, shape->str);
        }
        if (out->len)
            fig_change_add(t, "widen", -1, -1, "%s", out->str);
    }
}
