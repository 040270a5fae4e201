/* SPDX-License-Identifier: MIT
 *
 * The ops of a record. What was read and written comes from the steps of the executed run,
 * so class and operands are of what happened; labels and costs come from the graph, sizes
 * from the shape run.
 */
#include "exec/recorder-parts.h"

#include "base/num.h"

#include <string.h>

static const char *
integer_text(FigArena *arena, int64_t number)
{
    g_autoptr(GString) text = g_string_new(NULL);
    fig_num_integer(text, number, false);
    return fig_arena_strdup(arena, text->str);
}

/* A real attribute is printed as an exact input where it is short, else to 6 digits: a
 * root or a logarithm may differ in its last bit elsewhere. */
static const char *
attribute_value(FigRecorder *r, const FigNode *node, const FigAttr *attr,
                const FigAttrValue *value)
{
    g_autoptr(GString) text = g_string_new(NULL);
    switch (attr->type) {
    case FIG_ATTR_REAL:
        fig_num_shortest(text, value->real);
        if (text->len > 12) {
            g_string_truncate(text, 0);
            fig_num_significant(text, value->real, 6);
        }
        break;
    case FIG_ATTR_DIM:
        fig_num_integer(text, value->dim, false);
        break;
    case FIG_ATTR_DIMS:
        g_string_append_c(text, '[');
        for (int i = 0; i < value->n_dims; i++) {
            g_string_append(text, i ? ", " : "");
            fig_num_integer(text, value->dims[i], false);
        }
        g_string_append_c(text, ']');
        break;
    case FIG_ATTR_WORD: {
        g_auto(GStrv) words = g_strsplit(attr->words, "|", -1);
        g_assert(value->word >= 0 && value->word < (int)g_strv_length(words));
        g_string_append(text, words[value->word]);
        break;
    }
    case FIG_ATTR_AXIS: {
        const FigShape *shape = &r->graph->values[node->reads[0].value].shape;
        const char *name = shape->name[value->axis];
        g_string_append(
            text,
            name ? name : fig_poly_text(r->graph->algebra, shape->axis[value->axis]));
        break;
    }
    case FIG_ATTR_BOOL:
        g_string_append(text, value->dim ? "true" : "false");
        break;
    }
    return fig_arena_strdup(r->arena, text->str);
}

/* Is it a number as written, or made of constants? Then it is printed beside the mark
 * (layouts/measure.c), whatever the words in the mark. */
static bool
is_number_beside(const FigGraph *graph, const FigAttrValue *value, const char *shown)
{
    double number;
    if (!value->given || !value->text || !fig_num_read_real(shown, &number))
        return false;
    bool own = fig_num_read_real(value->text, &number);
    for (int c = 0; c < graph->n_constants && !own; c++)
        for (const char *id = graph->constants[c].id, *at = value->text;
             !own && (at = strstr(at, id)); at++)
            own = !g_ascii_isalnum(at[strlen(id)]);
    return own;
}

/* Does the reader see the value? A title of the spec's own takes the place of the words
 * that would show it; one number is printed beside the mark all the same. */
static bool
is_drawn(FigRecorder *r, const FigNode *node, const FigAttr *attr,
         const FigAttrValue *value, const char *shown, bool *beside)
{
    if (attr->shows != FIG_SHOWS_IN_LABEL || !node->title)
        return attr->shows != FIG_COMPUTED_NOT_DRAWN;
    if (*beside || !is_number_beside(r->graph, value, shown))
        return false;
    return *beside = true;
}

static void
record_attributes(FigRecorder *r, const FigNode *node, FigRecordOp *out)
{
    bool beside = false;
    int count = fig_op_attr_count(node->op), n = 0;
    FigRecordAttribute *attributes =
        fig_arena_new_array(r->arena, FigRecordAttribute, count);
    for (int i = 0; i < count; i++) {
        if (!fig_attr_applies(node->op, i, node->attrs))
            continue; /* a factor without scaling says nothing */
        const FigAttr *attr = &node->op->attrs[i];
        const FigAttrValue *value = &node->attrs[i];
        const char *shown = attribute_value(r, node, attr, value);
        const char *text = value->text ? value->text : attr->fallback;
        if (!text)
            text = shown;
        attributes[n++] = (FigRecordAttribute){
            .name = attr->name,
            .text = text,
            .value = shown,
            .label = value->tex ? value->tex : text,
            .drawn = is_drawn(r, node, attr, value, shown, &beside),
            .given = value->given,
        };
    }
    out->n_attributes = n;
    out->attributes = attributes;
}

/* What an operand counts as. The stream entering a block is an activation like those
 * inside it; an input of another type (token ids) is not. */
static const char *
from_of(const FigGraph *graph, int value)
{
    if (value >= 0 && graph->values[value].from == FIG_FROM_WEIGHT)
        return "weight";
    return "activation";
}

static void
record_reads(FigRecorder *r, const FigNode *node, const FigStep *step, FigRecordOp *out)
{
    FigRecordRead *reads = fig_arena_new_array(r->arena, FigRecordRead, step->n_reads);
    for (int i = 0; i < step->n_reads; i++) {
        int v = step->reads[i];
        const FigView *view = &step->read[i];
        FigRecordRead *read = &reads[i];
        read->port = i < node->n_reads ? node->reads[i].port : "";
        read->from = from_of(r->graph, v);
        read->later = node->op->carries && i == 1;
        read->rank = view->rank;
        if (v >= 0) {
            const FigValue *value = &r->graph->values[v];
            read->value = value->id;
            read->shape = fig_recorder_shape(r, &value->shape, false);
            read->size = fig_arena_copy(r->arena, value->size,
                                        sizeof *value->size * (size_t)view->rank);
        } else {
            const char **shape =
                fig_arena_new_array(r->arena, const char *, view->rank);
            for (int axis = 0; axis < view->rank; axis++)
                shape[axis] = integer_text(r->arena, view->size[axis]);
            read->shape = shape;
            read->size = fig_recorder_sizes(r, view);
        }
    }
    out->n_reads = step->n_reads;
    out->reads = reads;
}

static void
record_writes(FigRecorder *r, const FigStep *step, const FigStep *drawn,
              FigRecordOp *out)
{
    FigRecordWrite *writes =
        fig_arena_new_array(r->arena, FigRecordWrite, step->n_writes);
    for (int i = 0; i < step->n_writes; i++) {
        int v = step->writes[i];
        if (v < 0)
            continue;
        const FigValue *value = &r->graph->values[v];
        writes[out->n_writes++] = (FigRecordWrite){
            .value = value->id,
            .rank = value->shape.rank,
            .shape = fig_recorder_shape(r, &value->shape, false),
            .size = fig_recorder_sizes(r, &drawn->written[i]),
        };
    }
    out->writes = writes;
}

/* The class by what was read: a matmul with an operand that is a weight or made of
 * weights alone is one that hardware could store. */
static FigClass
class_of(FigRecorder *r, const FigNode *node, const FigStep *step)
{
    bool any = false;
    bool all = step->n_reads > 0;
    for (int i = 0; i < step->n_reads; i++) {
        bool weighty = step->reads[i] >= 0 && r->weighty[step->reads[i]];
        any = any || weighty;
        all = all && weighty;
    }
    for (int i = 0; i < step->n_writes; i++)
        if (step->writes[i] >= 0)
            r->weighty[step->writes[i]] = all;
    if (node->op->kind == FIG_KIND_MATMUL)
        return any ? FIG_CLASS_WEIGHT_MATMUL : FIG_CLASS_ACTIVATION_MATMUL;
    return node->op->kind == FIG_KIND_NORM ? FIG_CLASS_NORM : FIG_CLASS_OTHER;
}

static void
record_groups_of(FigRecorder *r, const FigNode *node, FigRecordOp *out)
{
    int depth = 0;
    for (int g = node->group; g >= 0; g = r->graph->groups[g].parent)
        depth++;
    const char **groups = fig_arena_new_array(r->arena, const char *, depth);
    out->n_groups = depth;
    for (int g = node->group; g >= 0; g = r->graph->groups[g].parent)
        groups[--depth] = r->graph->groups[g].id;
    out->groups = groups;
}

/* How many passes of those that the kinds are told of are of one kind. */
static int64_t
passes_of(const FigGraph *graph, int kind)
{
    int64_t passes = 0;
    for (int64_t p = 0; p < graph->groups[graph->kinds_group].passes; p++)
        passes += graph->kind_of[p] == kind;
    return passes;
}

/* Does a node do something else in layers of other kinds? */
static bool
has_kinds(const FigGraph *graph, int n)
{
    return graph->n_kinds > 1 &&
           fig_graph_repeat_in(graph, graph->nodes[n].repeat, graph->kinds_group);
}

/* What an op is in layers of other kinds stands behind its label: "RoPE; full: RoPE
 * (YaRN)". */
static void
record_kinds(FigRecorder *r, int n, FigRecordOp *out)
{
    const FigGraph *graph = r->graph;
    if (!has_kinds(graph, n))
        return;
    FigRecordKind *kinds = fig_arena_new_array(r->arena, FigRecordKind, graph->n_kinds);
    for (int k = 1; k < graph->n_kinds; k++) {
        const FigNode *node = &graph->kinds[k].graph->nodes[n];
        if (strcmp(node->label, graph->nodes[n].label) == 0 &&
            node->op == graph->nodes[n].op)
            continue;
        kinds[out->n_kinds++] = (FigRecordKind){graph->kinds[k].word, node->op->name,
                                                node->label, passes_of(graph, k)};
        out->label = fig_arena_printf(r->arena, "%s; %s: %s", out->label,
                                      graph->kinds[k].word, node->label);
    }
    out->kinds = kinds;
}

/* The cost of one pass of a node, in the algebra of its graph; the bytes in float32. */
static const FigPoly *
cost_of(const FigGraph *graph, int n, bool bytes, FigArena *arena)
{
    const FigOp *op = graph->nodes[n].op;
    const FigOpFacts *facts = fig_graph_facts(graph, n, arena);
    if (!bytes)
        return fig_op_flops(op, facts);
    const FigPoly *elements = fig_op_bytes(op, facts);
    const FigPoly *four = fig_poly_number(graph->algebra, sizeof(float), 1);
    return elements ? fig_poly_mul(graph->algebra, elements, four) : NULL;
}

/* A cost of all passes in the language of specs, and its number at the dims drawn. */
static const char *
whole_cost(FigRecorder *r, const FigGraph *graph, int n, bool bytes,
           const FigPoly *times, int64_t *number)
{
    const FigPoly *cost = cost_of(graph, n, bytes, r->arena);
    FigRational value;
    *number = 0;
    if (cost && times)
        cost = fig_poly_mul(graph->algebra, cost, times);
    if (!cost)
        return "0";
    bool beyond = fig_poly_value(graph->algebra, cost, graph->symbol_size, &value);
    *number = beyond ? INT64_MAX : value.num / value.den;
    return fig_poly_text(graph->algebra, cost);
}

/* The same where layers of several kinds cost differently: a sum over the kinds. */
static const char *
sum_of_kinds(FigRecorder *r, int n, bool bytes, int64_t *number)
{
    const FigGraph *graph = r->graph;
    g_autoptr(GString) text = g_string_new(NULL);
    int repeat = graph->nodes[n].repeat;
    int64_t others = fig_graph_passes(graph, NULL, repeat) /
                     graph->groups[graph->kinds_group].passes;
    *number = 0;
    for (int k = 0; k < graph->n_kinds; k++) {
        const FigGraph *own = graph->kinds[k].graph;
        int64_t each, passes = passes_of(graph, k) * others;
        const char *one =
            whole_cost(r, own, n, bytes, fig_poly_number(own->algebra, 1, 1), &each);
        g_string_append_printf(text, "%s%" G_GINT64_FORMAT "*(%s)", k ? " + " : "",
                               passes, one);
        if (each == INT64_MAX || __builtin_mul_overflow(each, passes, &each) ||
            __builtin_add_overflow(*number, each, number))
            *number = INT64_MAX;
    }
    return fig_arena_strdup(r->arena, text->str);
}

static const char *
record_one_cost(FigRecorder *r, int n, bool bytes, int64_t *number)
{
    const FigGraph *graph = r->graph;
    int64_t each;
    const FigPoly *times = fig_graph_count(graph, graph->nodes[n].repeat);
    const char *own =
        whole_cost(r, graph, n, bytes, fig_poly_number(graph->algebra, 1, 1), &each);
    for (int k = 1; has_kinds(graph, n) && k < graph->n_kinds; k++) {
        const FigGraph *other = graph->kinds[k].graph;
        const char *theirs = whole_cost(r, other, n, bytes,
                                        fig_poly_number(other->algebra, 1, 1), &each);
        if (strcmp(own, theirs) != 0)
            return sum_of_kinds(r, n, bytes, number);
    }
    return whole_cost(r, graph, n, bytes, times, number);
}

static void
record_cost(FigRecorder *r, int n, FigRecordOp *out)
{
    int64_t bytes;
    out->flops = record_one_cost(r, n, false, &out->flops_number);
    out->bytes = record_one_cost(r, n, true, &bytes);
}

void
fig_recorder_agree(const FigGraph *graph, const FigStep *step, const FigStep *other)
{
    bool carries = graph->nodes[step->node].op->carries;
    g_assert(step->node == other->node);
    g_assert(step->n_writes == other->n_writes);
    g_assert(step->n_reads == other->n_reads || carries);
    for (int i = 0; i < MIN(step->n_reads, other->n_reads); i++)
        g_assert(step->read[i].rank == other->read[i].rank);
    for (int i = 0; i < step->n_writes; i++)
        g_assert(step->written[i].rank == other->written[i].rank);
}

void
fig_recorder_ops(FigRecorder *r)
{
    const FigGraph *graph = r->graph;
    int count = fig_run_steps(r->executed);
    g_assert(count == fig_run_steps(r->shapes));
    FigRecordOp *ops = fig_arena_new_array(r->arena, FigRecordOp, count);
    for (int s = 0; s < count; s++) {
        const FigStep *step = fig_run_step(r->executed, s);
        const FigStep *drawn = fig_run_step(r->shapes, s);
        const FigNode *node = &graph->nodes[step->node];
        fig_recorder_agree(graph, step, drawn);
        ops[s] = (FigRecordOp){
            .step = s + 1,
            .id = node->id,
            .op = node->op->name,
            .kind = fig_kind_name(node->op->kind),
            .class = class_of(r, node, step),
            .mark = fig_mark_name(node->mark),
            .sign = node->mark == FIG_MARK_CIRCLE ? node->op->sign : NULL,
            .commutes = node->op->commutes,
            .label = node->label,
            .title = node->op->title,
            .full_name = node->op->full_name,
            .equation = node->op->equation,
        };
        record_groups_of(r, node, &ops[s]);
        record_attributes(r, node, &ops[s]);
        record_cost(r, step->node, &ops[s]);
        record_kinds(r, step->node, &ops[s]);
        record_reads(r, node, step, &ops[s]);
        record_writes(r, step, drawn, &ops[s]);
    }
    r->record->n_ops = count;
    r->record->ops = ops;
}
