/* SPDX-License-Identifier: MIT
 *
 * Every number of a graph at given sizes of its free dims. Beside evaluating the
 * symbolic shapes, each signature is bound once more to plain numbers: what a polynomial
 * cannot see (an axis that must be even) shows here.
 */
#include "spec/scope.h"

#include "base/num.h"

#include <string.h>

typedef struct Sizing {
    const FigGraph *graph;
    FigArena *arena;
    FigDiag *diag;
    const int64_t *symbol;
    int64_t *dim;
    int64_t (*value)[FIG_LIMIT_RANK];
    const FigAttrValue **attr;
    FigAlgebra *numbers; /* for binding plain numbers */
} Sizing;

/* A whole number of at least `least`, or an error at the place; what: "a size". */
static bool
whole_number(Sizing *s, const FigPoly *poly, int64_t least, FigSpan at,
             const char *what, const char *id, int64_t *size)
{
    FigRational value;
    FigPolyError error = fig_poly_value(s->graph->algebra, poly, s->symbol, &value);
    if (!error && value.den == 1 && value.num >= least) {
        *size = value.num;
        return true;
    }
    if (!s->diag)
        return false;
    const char *text = fig_poly_text(s->graph->algebra, poly);
    if (error == FIG_POLY_DIVIDE_BY_ZERO)
        fig_diag_error(s->diag, at, "%s of ‘%s’, %s, divides by zero", what, id, text);
    else if (error)
        fig_diag_error(s->diag, at, "%s of ‘%s’, %s, is too large: beyond 63 bits",
                       what, id, text);
    else if (value.den != 1)
        fig_diag_error(s->diag, at,
                       "%s of ‘%s’, %s, is not whole: %" G_GINT64_FORMAT
                       "/%" G_GINT64_FORMAT,
                       what, id, text, value.num, value.den);
    else
        fig_diag_error(s->diag, at,
                       "%s of ‘%s’, %s, is %" G_GINT64_FORMAT
                       "; %s is at least %" G_GINT64_FORMAT,
                       what, id, text, value.num, what, least);
    return false;
}

static bool
whole_size(Sizing *s, const FigPoly *poly, int64_t least, FigSpan at, const char *id,
           int64_t *size)
{
    return whole_number(s, poly, least, at, "a size", id, size);
}

static bool
size_values(Sizing *s)
{
    bool good = true;
    for (int i = 0; i < s->graph->n_values; i++) {
        const FigValue *value = &s->graph->values[i];
        for (int k = 0; k < value->shape.rank; k++) {
            if (whole_size(s, value->shape.axis[k], 1, value->span, value->id,
                           &s->value[i][k]))
                continue;
            good = false;
            break; /* one message a value */
        }
    }
    return good;
}

/* A number that is right at the dims drawn may leave its range at others. */
static bool
size_real(Sizing *s, const FigNode *node, int i, const FigScope *scope, double *real)
{
    static const char *const no_names[] = {NULL};
    const FigAttr *attr = &node->op->attrs[i];
    const FigExpr *expr = node->attr_exprs[i];
    if (!expr)
        return true;
    if (!fig_expr_real(expr, fig_scope_value, (void *)scope, no_names, s->diag, real))
        return false;
    if (fig_range_has(attr->range, *real))
        return true;
    g_autoptr(GString) found = g_string_new(NULL);
    fig_num_shortest(found, *real);
    fig_diag_error(s->diag, expr->span,
                   "‘%s:’ of ‘%s’ is %s at these sizes; it must be %s", attr->name,
                   node->id, found->str, fig_range_words(attr->range));
    return false;
}

static bool
size_attribute(Sizing *s, const FigNode *node, int i, FigAttrValue *value)
{
    const FigScope scope = {
        .n_dims = s->graph->n_dims,
        .dims = s->graph->dims,
        .dim_size = s->dim,
        .n_constants = s->graph->n_constants,
        .constants = s->graph->constants,
    };
    switch (node->op->attrs[i].type) {
    case FIG_ATTR_REAL:
        return size_real(s, node, i, &scope, &value->real);
    case FIG_ATTR_DIM:
        return !value->poly ||
               whole_size(s, value->poly, fig_attr_least(&node->op->attrs[i]),
                          node->attr_exprs[i]->span, node->id, &value->dim);
    case FIG_ATTR_DIMS: {
        int64_t *dims = fig_arena_new_array(s->arena, int64_t, MAX(value->n_dims, 1));
        value->dims = dims;
        for (int k = 0; k < value->n_dims; k++) {
            if (!whole_size(s, value->polys[k], 1, node->attr_lists[i][k]->span,
                            node->id, &dims[k]))
                return false;
        }
        return true;
    }
    default:
        return true;
    }
}

static const FigPoly *
number(Sizing *s, int64_t value)
{
    return fig_poly_number(s->numbers, value, 1);
}

/* The attributes with plain numbers for polynomials. */
static const FigAttrValue *
plain_attributes(Sizing *s, const FigNode *node, const FigAttrValue *values,
                 FigArena *scratch)
{
    int n = fig_op_attr_count(node->op);
    FigAttrValue *plain =
        fig_arena_copy(scratch, values, (size_t)n * sizeof(FigAttrValue));
    for (int i = 0; i < n; i++) {
        if (plain[i].poly)
            plain[i].poly = number(s, plain[i].dim);
        if (!plain[i].polys)
            continue;
        const FigPoly **polys =
            fig_arena_new_array(scratch, const FigPoly *, plain[i].n_dims);
        for (int k = 0; k < plain[i].n_dims; k++)
            polys[k] = number(s, plain[i].dims[k]);
        plain[i].polys = polys;
    }
    return plain;
}

static bool
bind_numbers(Sizing *s, const FigNode *node, const FigAttrValue *values)
{
    g_autoptr(FigArena) scratch = fig_arena_new();
    FigShape *in = fig_arena_new_array(scratch, FigShape, node->n_reads);
    for (int i = 0; i < node->n_reads; i++) {
        int value = node->reads[i].value;
        in[i] = s->graph->values[value].shape;
        for (int k = 0; k < in[i].rank; k++)
            in[i].axis[k] = number(s, s->value[value][k]);
    }
    FigBinding *binding = fig_arena_new0(scratch, FigBinding);
    binding->n_in = node->n_reads;
    binding->in = in;
    binding->attr = plain_attributes(s, node, values, scratch);
    g_autofree char *why = NULL;
    if (!fig_signature_bind(node->op, s->numbers, binding, &why)) {
        FigMessage *message = fig_diag_error(
            s->diag, node->op_span, "%s cannot read these sizes: %s", node->id, why);
        fig_message_note(message, "%s is %s", node->op->name, node->op->signature);
        return false;
    }
    /* sizes that happen to be equal could bind another alternative */
    for (int i = 0; i < node->n_writes; i++) {
        const FigShape *shape = &s->graph->values[node->writes[i]].shape;
        bool same = binding->out[i].rank == shape->rank;
        for (int k = 0; same && k < shape->rank; k++)
            same = fig_poly_equal(binding->out[i].axis[k],
                                  number(s, s->value[node->writes[i]][k]));
        if (!same) {
            fig_diag_error(s->diag, node->op_span,
                           "%s means another operation at these sizes", node->id);
            return false;
        }
    }
    return true;
}

static bool
size_node(Sizing *s, int index)
{
    const FigNode *node = &s->graph->nodes[index];
    int n = fig_op_attr_count(node->op);
    FigAttrValue *values =
        fig_arena_copy(s->arena, node->attrs, (size_t)n * sizeof(FigAttrValue));
    s->attr[index] = values;
    for (int i = 0; i < n; i++) {
        if (!size_attribute(s, node, i, &values[i]))
            return false;
    }
    return bind_numbers(s, node, values);
}

/* Are the ops of all passes together no more than a run can be of? */
static bool
few_passes(Sizing *s, const int64_t *passes)
{
    const FigSizes sizes = {.passes = passes};
    int64_t ops = 0;
    for (int n = 0; n < s->graph->n_nodes; n++) {
        int repeat = s->graph->nodes[n].repeat;
        if (!__builtin_add_overflow(ops, fig_graph_passes(s->graph, &sizes, repeat),
                                    &ops) &&
            ops <= FIG_LIMIT_OPS)
            continue;
        FigSpan at = repeat >= 0 ? s->graph->groups[repeat].count_span : (FigSpan){0};
        FigMessage *message = fig_diag_error(
            s->diag, at, "all passes together are more than %d ops", FIG_LIMIT_OPS);
        if (repeat >= 0 && s->graph->groups[repeat].count)
            fig_message_note(
                message, "‘%s’ has %s passes: %" G_GINT64_FORMAT,
                s->graph->groups[repeat].id,
                fig_poly_text(s->graph->algebra, s->graph->groups[repeat].count),
                passes[repeat]);
        return false;
    }
    return true;
}

/* How often each group runs. */
static bool
size_repeats(Sizing *s, int64_t *passes)
{
    bool good = true;
    for (int g = 0; g < s->graph->n_groups; g++) {
        const FigGroup *group = &s->graph->groups[g];
        passes[g] = 1;
        if (group->count &&
            !whole_number(s, group->count, 1, group->count_span, "the number of passes",
                          group->id, &passes[g]))
            good = false;
    }
    return good && few_passes(s, passes);
}

const FigSizes *
fig_graph_sizes(const FigGraph *graph, const int64_t *symbol_size, FigArena *arena,
                FigDiag *diag)
{
    Sizing s = {.graph = graph, .arena = arena, .diag = diag};
    size_t symbols = (size_t)fig_algebra_symbols(graph->algebra);
    s.symbol = fig_arena_copy(arena, symbol_size ? symbol_size : graph->symbol_size,
                              symbols * sizeof(int64_t));
    s.dim = fig_arena_new_array(arena, int64_t, MAX(graph->n_dims, 1));
    s.value =
        fig_arena_alloc_array(arena, sizeof *s.value, (size_t)MAX(graph->n_values, 1));
    s.attr = fig_arena_new_array(arena, const FigAttrValue *, MAX(graph->n_nodes, 1));
    bool good = true;
    for (int i = 0; i < graph->n_dims; i++)
        good =
            fig_dim_size(graph->algebra, graph->dims, i, s.symbol, s.dim, diag) && good;
    int64_t *passes = fig_arena_new_array(arena, int64_t, MAX(graph->n_groups, 1));
    if (!good || !size_values(&s) || !size_repeats(&s, passes))
        return NULL;
    g_autoptr(FigAlgebra) numbers = fig_algebra_new();
    s.numbers = numbers;
    for (int i = 0; i < graph->n_nodes; i++)
        good = size_node(&s, i) && good;
    if (!good)
        return NULL;
    FigSizes *sizes = fig_arena_new0(arena, FigSizes);
    sizes->symbol = s.symbol;
    sizes->dim = s.dim;
    sizes->value = (const int64_t(*)[FIG_LIMIT_RANK])s.value;
    sizes->attr = s.attr;
    sizes->passes = passes;
    return sizes;
}

bool
fig_graph_condition(const FigGraph *graph, const FigExpr *expr, const FigSizes *sizes,
                    bool *holds)
{
    static const char *const no_names[] = {NULL};
    FigScope scope = {
        .n_dims = graph->n_dims,
        .dims = graph->dims,
        .dim_size = sizes ? sizes->dim : NULL,
        .n_constants = graph->n_constants,
        .constants = graph->constants,
    };
    return fig_condition_holds(expr, &scope, no_names, NULL, holds);
}
