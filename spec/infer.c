/* SPDX-License-Identifier: MIT
 *
 * Shapes: each op's signature is bound to the shapes of what it reads, in order of
 * execution. Names of axes come from `axes:`, from inputs and weights whose axis is a
 * plain dim, and travel where the signature says so.
 */
#include "spec/loader.h"

#include "base/seen.h"

#include <string.h>

const char *
fig_shape_text(FigAlgebra *algebra, const FigShape *shape, FigArena *arena)
{
    g_autoptr(GString) out = g_string_new("(");
    for (int i = 0; i < shape->rank; i++) {
        const char *size = fig_poly_text(algebra, shape->axis[i]);
        g_string_append(out, i ? ", " : "");
        if (shape->name[i] && strcmp(shape->name[i], size) != 0)
            g_string_append_printf(out, "%s: ", shape->name[i]);
        g_string_append(out, size);
    }
    g_string_append_c(out, ')');
    return fig_arena_strdup(arena, out->str);
}

/* Would the op bind with the last two axes of this operand swapped? */
static bool
binds_swapped(FigLoader *loader, const FigNode *node, const FigShape *in, int port)
{
    FigShape *tried =
        fig_arena_copy(loader->arena, in, (size_t)node->n_reads * sizeof(FigShape));
    FigShape *shape = &tried[port];
    if (shape->rank != 2)
        return false;
    const FigPoly *first = shape->axis[0];
    shape->axis[0] = shape->axis[1];
    shape->axis[1] = first;
    FigBinding *binding = fig_arena_new0(loader->arena, FigBinding);
    binding->n_in = node->n_reads;
    binding->in = tried;
    binding->attr = node->attrs;
    g_autofree char *why = NULL;
    return fig_signature_bind(node->op, loader->graph->algebra, binding, &why);
}

static void
report_binding(FigLoader *loader, const FigNode *node, const FigShape *in,
               const char *why)
{
    FigAlgebra *algebra = loader->graph->algebra;
    /* the weight is what a person gets wrong: point at it, else at the op */
    FigSpan at = node->op_span;
    int weight = -1;
    for (int i = 0; i < node->n_reads; i++) {
        if (FIG_VALUE(loader, node->reads[i].value)->from == FIG_FROM_WEIGHT) {
            at = node->reads[i].span;
            weight = i;
        }
    }
    FigMessage *message = fig_diag_error(
        loader->diag, at, "%s cannot read these shapes: %s", node->id, why);
    fig_message_note(message, "%s is %s", node->op->name, node->op->signature);
    for (int i = 0; i < node->n_reads; i++)
        fig_message_note(message, "%s is %s %s", node->reads[i].port,
                         FIG_VALUE(loader, node->reads[i].value)->id,
                         fig_shape_text(algebra, &in[i], loader->arena));
    if (weight < 0)
        return;
    const FigValue *value = FIG_VALUE(loader, node->reads[weight].value);
    fig_message_note_at(message, value->span, "%s is declared here", value->id);
    if (value->n_members == 0 && binds_swapped(loader, node, in, weight))
        fig_message_hint(message, "the shape [%s, %s] would fit",
                         fig_poly_text(algebra, in[weight].axis[1]),
                         fig_poly_text(algebra, in[weight].axis[0]));
}

static bool
name_axes(FigLoader *loader, const FigOpDecl *decl, FigValue *value)
{
    const FigYaml *axes = fig_yaml_lookup(decl->yaml, "axes");
    FigShape *shape = &value->shape;
    if (!axes)
        return true;
    if (!fig_loader_list(loader, axes, "‘axes:’"))
        return false;
    const char *text = fig_shape_text(loader->graph->algebra, shape, loader->arena);
    if (axes->count != shape->rank) {
        FigMessage *message = fig_diag_error(loader->diag, axes->span,
                                             "‘%s’ has %d axes, ‘axes:’ names %d",
                                             value->id, shape->rank, axes->count);
        fig_message_note(message, "%s is %s", value->id, text);
        return false;
    }
    for (int i = 0; i < axes->count; i++) {
        const FigYaml *word =
            fig_loader_scalar(loader, axes->items[i], "an axis' name");
        if (!word || !fig_seen_check(word, false, "an axis' name", loader->diag))
            return false;
        for (int k = 0; k < i; k++) {
            if (strcmp(axes->items[k]->text, word->text) == 0) {
                fig_diag_error(loader->diag, word->span, "two axes cannot both be ‘%s’",
                               word->text);
                return false;
            }
        }
        for (guint k = 0; k < loader->dims->len; k++) {
            const FigDim *dim = &g_array_index(loader->dims, FigDim, k);
            if (strcmp(dim->id, word->text) != 0 ||
                fig_poly_equal(dim->poly, shape->axis[i]))
                continue;
            FigMessage *message = fig_diag_error(
                loader->diag, word->span,
                "axis %d of ‘%s’ is %s, so it cannot be called ‘%s’", i, value->id,
                fig_poly_text(loader->graph->algebra, shape->axis[i]), word->text);
            fig_message_note(message, "%s is %s", value->id, text);
            return false;
        }
        shape->name[i] = word->text;
    }
    return true;
}

/* Does an op before this one, or an operand before port, read a value as real numbers? */
static bool
is_read_as_real(FigLoader *loader, int value, const FigNode *node, int port)
{
    for (const FigNode *n = FIG_NODE(loader, 0); n <= node; n++)
        for (int i = 0; i < (n == node ? port : n->n_reads); i++)
            if (n->reads[i].value == value &&
                fig_signature_input_type(n->op, i, FIG_F32) == FIG_F32)
                return true;
    return false;
}

/* An operand of whole numbers is an input, which is nothing else elsewhere. */
static bool
read_whole(FigLoader *loader, const FigNode *node, const FigBinding *binding)
{
    for (int i = 0; i < node->n_reads; i++) {
        const FigRead *read = &node->reads[i];
        if (read->value < 0)
            continue; /* what is carried on could not be found: reported */
        FigValue *value = FIG_VALUE(loader, read->value);
        const FigPoly *below = binding->in_below[i];
        FigType type = fig_signature_input_type(node->op, i, FIG_F32);
        bool may_lack = g_strcmp0(node->op->may_lack, read->port) == 0;
        if (below && !value->whole && value->from == FIG_FROM_INPUT &&
            !is_read_as_real(loader, read->value, node, i)) {
            value->whole = true;
            value->whole_type = type;
            value->below = below;
            value->may_lack = may_lack;
            continue;
        }
        value->may_lack = value->may_lack && may_lack;
        if (!below && !value->whole)
            continue;
        if (below && value->whole && type == value->whole_type &&
            fig_poly_equal(below, value->below))
            continue;
        FigAlgebra *algebra = loader->graph->algebra;
        g_autofree char *wanted = below ? g_strdup_printf("whole numbers below %s",
                                                          fig_poly_text(algebra, below))
                                        : g_strdup("real numbers");
        g_autofree char *held =
            value->whole ? g_strdup_printf("whole numbers below %s",
                                           fig_poly_text(algebra, value->below))
                         : g_strdup("real numbers");
        FigMessage *message = fig_diag_error(
            loader->diag, read->span, "%s reads %s as ‘%s’, but ‘%s’ holds %s",
            node->op->name, wanted, read->port, value->id, held);
        fig_message_note(message, "%s is %s", node->op->name, node->op->signature);
        return false;
    }
    return true;
}

static bool
infer_op(FigLoader *loader, const FigOpDecl *decl)
{
    FigNode *node = FIG_NODE(loader, decl->node);
    FigShape in[FIG_LIMIT_PORTS];
    for (int i = 0; i < node->n_reads; i++) {
        if (node->op->carries &&
            i > 0) { /* compared once the shapes behind are known */
            in[i] = in[0];
            continue;
        }
        if (FIG_BROKEN(loader, node->reads[i].value))
            return false;
        in[i] = FIG_VALUE(loader, node->reads[i].value)->shape;
    }
    if (!fig_load_attributes(loader, decl, node))
        return false;
    FigBinding *binding = fig_arena_new0(loader->arena, FigBinding);
    binding->n_in = node->n_reads;
    binding->in = in;
    binding->attr = node->attrs;
    g_autofree char *why = NULL;
    if (!fig_signature_bind(node->op, loader->graph->algebra, binding, &why)) {
        report_binding(loader, node, in, why);
        return false;
    }
    if (binding->n_out != node->n_writes) {
        const FigYaml *out = fig_yaml_lookup(decl->yaml, "out");
        fig_diag_error(loader->diag, out ? out->span : node->op_span,
                       "%s has %d results here; ‘out:’ names %d", node->op->name,
                       binding->n_out, node->n_writes);
        return false;
    }
    if (!read_whole(loader, node, binding))
        return false;
    memcpy(node->in_mixed, binding->in_mixed, sizeof node->in_mixed);
    for (int i = 0; i < node->n_writes; i++)
        FIG_VALUE(loader, node->writes[i])->shape = binding->out[i];
    const FigYaml *axes = fig_yaml_lookup(decl->yaml, "axes");
    if (axes && node->n_writes != 1) {
        fig_diag_error(loader->diag, axes->span,
                       "‘axes:’ names the axes of one result");
        return false;
    }
    return node->n_writes != 1 ||
           name_axes(loader, decl, FIG_VALUE(loader, node->writes[0]));
}

bool
fig_load_shapes(FigLoader *loader)
{
    bool good = true;
    for (guint i = 0; i < loader->ops->len; i++) {
        const FigOpDecl *decl = loader->ops->pdata[i];
        if (decl->node < 0)
            continue;
        if (infer_op(loader, decl))
            continue;
        good = false;
        const FigNode *node = FIG_NODE(loader, decl->node);
        for (int k = 0; k < node->n_writes; k++)
            FIG_BROKEN(loader, node->writes[k]) = true;
    }
    return fig_loader_carried_shapes(loader) && good;
}
