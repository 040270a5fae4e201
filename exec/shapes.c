/* SPDX-License-Identifier: MIT
 *
 * Plain numbers are polynomials too, so the code that binds symbols binds sizes.
 */
#include "exec/shapes.h"

#include "ops/signature.h"

char *
fig_shapes_text(int rank, const int64_t *size)
{
    GString *out = g_string_new("[");
    for (int axis = 0; axis < rank; axis++)
        g_string_append_printf(out, "%s%" G_GINT64_FORMAT, axis ? ", " : "",
                               size[axis]);
    g_string_append_c(out, ']');
    return g_string_free(out, FALSE);
}

/* The attributes of a call with numbers where the graph has polynomials. */
static const FigAttrValue *
concrete(const FigGraph *graph, const FigOp *op, const FigAttrValue *attr,
         FigArena *arena)
{
    int count = fig_op_attr_count(op);
    if (count == 0)
        return NULL;
    FigAttrValue *copy = fig_arena_copy(arena, attr, sizeof *attr * (size_t)count);
    for (int i = 0; i < count; i++) {
        if (op->attrs[i].type == FIG_ATTR_DIM) {
            copy[i].poly = fig_poly_number(graph->algebra, attr[i].dim, 1);
        } else if (op->attrs[i].type == FIG_ATTR_DIMS) {
            const FigPoly **polys =
                fig_arena_new_array(arena, const FigPoly *, attr[i].n_dims);
            for (int j = 0; j < attr[i].n_dims; j++)
                polys[j] = fig_poly_number(graph->algebra, attr[i].dims[j], 1);
            copy[i].polys = polys;
        }
    }
    return copy;
}

static FigShape
numbers(const FigGraph *graph, int value, const int64_t *size)
{
    FigShape shape = graph->values[value].shape;
    for (int axis = 0; axis < shape.rank; axis++)
        shape.axis[axis] = fig_poly_number(graph->algebra, size[axis], 1);
    return shape;
}

/* Does a bound shape come to the sizes of the value? */
static bool
same(const FigShape *shape, int rank, const int64_t *size)
{
    FigRational number;
    if (shape->rank != rank)
        return false;
    for (int axis = 0; axis < rank; axis++)
        if (!fig_poly_is_number(shape->axis[axis], &number) || number.den != 1 ||
            number.num != size[axis])
            return false;
    return true;
}

bool
fig_shapes_run(const FigGraph *graph, const FigSizes *sizes, int *node, char **why)
{
    g_autoptr(FigArena) arena = fig_arena_new();
    FigShape *shapes = fig_arena_new_array(arena, FigShape, graph->n_values);
    for (int n = 0; n < graph->n_nodes;
         n++) { /* what is written later: compared there */
        const FigNode *op = &graph->nodes[n];
        int next = op->op->carries ? op->reads[1].value : -1;
        if (next >= 0)
            shapes[next] = numbers(graph, next, sizes->value[next]);
    }
    for (int v = 0; v < graph->n_values; v++)
        if (graph->values[v].from != FIG_FROM_ACTIVATION)
            shapes[v] = numbers(graph, v, sizes->value[v]);
    FigBinding *binding = fig_arena_new0(arena, FigBinding);
    FigShape in[FIG_LIMIT_PORTS];
    for (int n = 0; n < graph->n_nodes; n++) {
        const FigNode *op = &graph->nodes[n];
        for (int i = 0; i < op->n_reads; i++)
            in[i] = shapes[op->reads[i].value];
        binding->n_in = op->n_reads;
        binding->in = in;
        binding->attr = concrete(graph, op->op, sizes->attr[n], arena);
        *node = n;
        if (!fig_signature_bind(op->op, graph->algebra, binding, why))
            return false;
        for (int i = 0; i < op->n_writes; i++) {
            int value = op->writes[i], rank = graph->values[value].shape.rank;
            const int64_t *size = sizes->value[value];
            shapes[value] = binding->out[i];
            if (same(&binding->out[i], rank, size))
                continue;
            g_autofree char *wanted = fig_shapes_text(rank, size);
            *why = g_strdup_printf("‘%s’ does not come out as %s",
                                   graph->values[value].id, wanted);
            return false;
        }
    }
    return true;
}
