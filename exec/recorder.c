/* SPDX-License-Identifier: MIT
 *
 * From graph and runs to the record. What was read and written comes from the steps of
 * the executed run; shapes, labels and costs from the graph; sizes from the shape run.
 */
#include "exec/recorder.h"

#include "base/num.h"

#include <string.h>

typedef struct Recorder {
    const FigGraph *graph;
    const FigRun *shapes, *executed, *measured;
    FigArena *arena;
    FigRecord *record;
    bool *weighty; /* [n_values] a weight or made of weights alone */
} Recorder;

static const char *
integer_text(FigArena *arena, int64_t number)
{
    g_autoptr(GString) text = g_string_new(NULL);
    fig_num_integer(text, number, false);
    return fig_arena_strdup(arena, text->str);
}

/* A shape in the language of specs, and the names of its axes: after their sizes where
 * they have none. */
static const char *const *
shape_texts(Recorder *r, const FigShape *shape, bool names)
{
    const char **texts = fig_arena_new_array(r->arena, const char *, shape->rank);
    for (int axis = 0; axis < shape->rank; axis++)
        texts[axis] = names && shape->name[axis]
                          ? shape->name[axis]
                          : fig_poly_text(r->graph->algebra, shape->axis[axis]);
    return texts;
}

static const int64_t *
sizes_of(Recorder *r, const FigView *view)
{
    return fig_arena_copy(r->arena, view->size,
                          sizeof *view->size * (size_t)view->rank);
}

/* ---- dims, constants, values ---- */

/* What a constant is: in layers of several kinds one thing after the other. */
static const char *
constant_text(Recorder *r, int c)
{
    const FigGraph *graph = r->graph;
    if (graph->n_kinds < 2 || c != graph->kinds_constant)
        return graph->constants[c].text;
    g_autofree char *pattern = fig_graph_pattern(graph);
    return fig_arena_printf(r->arena, "[%s]", pattern);
}

static const FigRecordAka *
record_aka(Recorder *r, int n, const FigAka *aka)
{
    FigRecordAka *out = fig_arena_new_array(r->arena, FigRecordAka, n);
    for (int i = 0; i < n; i++)
        out[i] = (FigRecordAka){aka[i].library, aka[i].name, aka[i].side,
                                aka[i].axes ? aka[i].axes->text : NULL};
    return out;
}

static void
record_dims(Recorder *r)
{
    const FigGraph *graph = r->graph;
    FigRecordDim *dims = fig_arena_new_array(r->arena, FigRecordDim, graph->n_dims);
    for (int d = 0; d < graph->n_dims; d++) {
        const FigDim *dim = &graph->dims[d];
        g_autofree char *is = dim->derived && dim->is ? fig_expr_text(dim->is) : NULL;
        dims[d] = (FigRecordDim){
            .id = dim->id,
            .label = dim->label,
            .what = dim->what,
            .is = fig_arena_strdup(r->arena, is),
            .size = dim->size,
            .n_aka = dim->n_aka,
            .aka = record_aka(r, dim->n_aka, dim->aka),
        };
    }
    r->record->n_dims = graph->n_dims;
    r->record->dims = dims;

    FigRecordConstant *constants =
        fig_arena_new_array(r->arena, FigRecordConstant, graph->n_constants);
    for (int c = 0; c < graph->n_constants; c++)
        constants[c] = (FigRecordConstant){
            graph->constants[c].id, graph->constants[c].label, constant_text(r, c)};
    r->record->n_constants = graph->n_constants;
    r->record->constants = constants;
}

static FigRecordValue
record_value(Recorder *r, const FigValue *value)
{
    static const char *const kinds[] = {
        [FIG_FROM_INPUT] = "input",
        [FIG_FROM_WEIGHT] = "weight",
        [FIG_FROM_ACTIVATION] = "activation",
    };
    FigRecordValue out = {
        .id = value->id,
        .label = value->label,
        .labelled = value->labelled,
        .what = value->what,
        .kind = kinds[value->from],
        .output = value->is_output,
        .rank = value->shape.rank,
        .shape = shape_texts(r, &value->shape, false),
        .axes = shape_texts(r, &value->shape, true),
        .size = fig_arena_copy(r->arena, value->size,
                               sizeof *value->size * (size_t)value->shape.rank),
    };
    if (value->repeat >= 0)
        out.per = r->graph->groups[value->repeat].id;
    if (value->from == FIG_FROM_WEIGHT && value->n_members == 0) {
        out.parameters = fig_graph_passes(r->graph, NULL, value->repeat);
        for (int axis = 0; axis < value->shape.rank; axis++)
            if (__builtin_mul_overflow(out.parameters, value->size[axis],
                                       &out.parameters))
                out.parameters = INT64_MAX;
    }
    if (value->from == FIG_FROM_WEIGHT && value->n_members) {
        const char **members =
            fig_arena_new_array(r->arena, const char *, value->n_members);
        for (int i = 0; i < value->n_members; i++)
            members[i] = r->graph->values[value->members[i]].id;
        out.n_members = value->n_members;
        out.members = members;
    }
    out.n_aka = value->n_aka;
    out.aka = record_aka(r, value->n_aka, value->aka);
    return out;
}

/* Inputs, weights, then activations as they were written. */
static void
record_values(Recorder *r)
{
    const FigGraph *graph = r->graph;
    FigRecordValue *values =
        fig_arena_new_array(r->arena, FigRecordValue, graph->n_values);
    int n = 0;
    for (int v = 0; v < graph->n_values; v++)
        if (graph->values[v].from == FIG_FROM_INPUT)
            values[n++] = record_value(r, &graph->values[v]);
    for (int v = 0; v < graph->n_values; v++)
        if (graph->values[v].from == FIG_FROM_WEIGHT)
            values[n++] = record_value(r, &graph->values[v]);
    for (int s = 0; s < fig_run_steps(r->executed); s++) {
        const FigStep *step = fig_run_step(r->executed, s);
        for (int i = 0; i < step->n_writes; i++)
            if (step->writes[i] >= 0)
                values[n++] = record_value(r, &graph->values[step->writes[i]]);
    }
    r->record->n_values = n;
    r->record->values = values;
}

/* ---- ops ---- */

/* A real attribute is printed as an exact input where it is short, else to 6 digits: a
 * root or a logarithm may differ in its last bit elsewhere. */
static const char *
attribute_value(Recorder *r, const FigNode *node, const FigAttr *attr,
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

static void
record_attributes(Recorder *r, const FigNode *node, FigRecordOp *out)
{
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
            .drawn = attr->shows != FIG_COMPUTED_NOT_DRAWN,
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
record_reads(Recorder *r, const FigNode *node, const FigStep *step, FigRecordOp *out)
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
            read->shape = shape_texts(r, &value->shape, false);
            read->size = fig_arena_copy(r->arena, value->size,
                                        sizeof *value->size * (size_t)view->rank);
        } else {
            const char **shape =
                fig_arena_new_array(r->arena, const char *, view->rank);
            for (int axis = 0; axis < view->rank; axis++)
                shape[axis] = integer_text(r->arena, view->size[axis]);
            read->shape = shape;
            read->size = sizes_of(r, view);
        }
    }
    out->n_reads = step->n_reads;
    out->reads = reads;
}

static void
record_writes(Recorder *r, const FigStep *step, const FigStep *drawn, FigRecordOp *out)
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
            .shape = shape_texts(r, &value->shape, false),
            .size = sizes_of(r, &drawn->written[i]),
        };
    }
    out->writes = writes;
}

/* The class by what was read: a matmul with an operand that is a weight or made of
 * weights alone is one that hardware could store. */
static FigClass
class_of(Recorder *r, const FigNode *node, const FigStep *step)
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
record_groups_of(Recorder *r, const FigNode *node, FigRecordOp *out)
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
record_kinds(Recorder *r, int n, FigRecordOp *out)
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
whole_cost(Recorder *r, const FigGraph *graph, int n, bool bytes, const FigPoly *times,
           int64_t *number)
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
sum_of_kinds(Recorder *r, int n, bool bytes, int64_t *number)
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
record_one_cost(Recorder *r, int n, bool bytes, int64_t *number)
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
record_cost(Recorder *r, int n, FigRecordOp *out)
{
    int64_t bytes;
    out->flops = record_one_cost(r, n, false, &out->flops_number);
    out->bytes = record_one_cost(r, n, true, &bytes);
}

/* Two runs tell the same of an op. One that carries a value on reads its second operand
 * only in a second pass, which a run may not come to. */
static void
check_agreement(const FigGraph *graph, const FigStep *step, const FigStep *other)
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

static void
record_ops(Recorder *r)
{
    const FigGraph *graph = r->graph;
    int count = fig_run_steps(r->executed);
    g_assert(count == fig_run_steps(r->shapes));
    FigRecordOp *ops = fig_arena_new_array(r->arena, FigRecordOp, count);
    for (int s = 0; s < count; s++) {
        const FigStep *step = fig_run_step(r->executed, s);
        const FigStep *drawn = fig_run_step(r->shapes, s);
        const FigNode *node = &graph->nodes[step->node];
        check_agreement(graph, step, drawn);
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

/* ---- the rest ---- */

static void
record_measured(Recorder *r)
{
    if (!r->measured)
        return;
    int count = fig_run_steps(r->measured);
    g_assert(count == fig_run_steps(r->executed));
    FigMeasuredOp *ops = fig_arena_new_array(r->arena, FigMeasuredOp, count);
    for (int s = 0; s < count; s++) {
        const FigStep *step = fig_run_step(r->measured, s);
        check_agreement(r->graph, step, fig_run_step(r->executed, s));
        FigMeasuredWrite *writes =
            fig_arena_new_array(r->arena, FigMeasuredWrite, step->n_writes);
        int n = 0;
        for (int i = 0; i < step->n_writes && step->statistics; i++) {
            const FigStatistics *statistics = &step->statistics[i];
            if (step->writes[i] < 0)
                continue;
            writes[n++] = (FigMeasuredWrite){
                .value = r->graph->values[step->writes[i]].id,
                .has_statistics = true,
                .min = statistics->min,
                .max = statistics->max,
                .mean = statistics->mean,
                .rms = statistics->rms,
                .nonfinite = statistics->nonfinite,
            };
        }
        ops[s] = (FigMeasuredOp){
            .id = r->graph->nodes[step->node].id,
            .seconds = step->seconds,
            .n_writes = n,
            .writes = writes,
        };
    }
    r->record->n_measured_ops = count;
    r->record->measured_ops = ops;
}

static void
record_evidence(Recorder *r)
{
    const char **evidence = fig_arena_new_array(r->arena, const char *, 3);
    int n = 0;
    evidence[n++] = "symbolic";
    evidence[n++] = fig_arena_strdup(r->arena, fig_run_evidence(r->shapes));
    if (strcmp(fig_run_evidence(r->executed), fig_run_evidence(r->shapes)))
        evidence[n++] = fig_arena_strdup(r->arena, fig_run_evidence(r->executed));
    r->record->n_evidence = n;
    r->record->evidence = evidence;
}

static void
record_spec(Recorder *r, const char *const *overrides)
{
    const FigGraph *graph = r->graph;
    FigRecord *record = r->record;
    record->version = OPFIG_VERSION;
    record->name = graph->name;
    record->family = graph->family;
    g_autofree char *digest = g_compute_checksum_for_data(
        G_CHECKSUM_SHA256, (const guchar *)graph->text, graph->text_length);
    record->spec_digest = fig_arena_strdup(r->arena, digest);
    record->spec_text = graph->text;
    record->shipped = graph->shipped;
    if (graph->family)
        record->family_status = graph->shipped    ? "shipped"
                                : graph->conforms ? "claimed"
                                                  : "unchecked";
    record->title.text = graph->title.text;
    record->subtitle.text = graph->subtitle.text;
    int n = 0;
    while (overrides && overrides[n])
        n++;
    record->n_overrides = n;
    record->overrides =
        fig_arena_copy(r->arena, overrides, sizeof *overrides * (size_t)n);

    FigRecordGroup *groups =
        fig_arena_new_array(r->arena, FigRecordGroup, graph->n_groups);
    for (int g = 0; g < graph->n_groups; g++)
        groups[g] = (FigRecordGroup){
            .id = graph->groups[g].id,
            .title = graph->groups[g].title,
            .parent = graph->groups[g].parent >= 0
                          ? graph->groups[graph->groups[g].parent].id
                          : NULL,
            .repeat = graph->groups[g].count
                          ? fig_poly_text(graph->algebra, graph->groups[g].count)
                          : NULL,
            .index = graph->groups[g].index,
            .passes = graph->groups[g].passes,
        };
    if (graph->n_kinds > 0) {
        const char **pattern =
            fig_arena_new_array(r->arena, const char *, graph->period);
        for (int p = 0; p < graph->period; p++)
            pattern[p] = graph->kinds[graph->kind_of[p]].word;
        groups[graph->kinds_group].kind = graph->constants[graph->kinds_constant].id;
        groups[graph->kinds_group].n_pattern = graph->period;
        groups[graph->kinds_group].pattern = pattern;
    }
    record->n_groups = graph->n_groups;
    record->groups = groups;
    const char **outputs =
        fig_arena_new_array(r->arena, const char *, graph->n_outputs);
    for (int i = 0; i < graph->n_outputs; i++)
        outputs[i] = graph->values[graph->outputs[i]].id;
    record->n_outputs = graph->n_outputs;
    record->outputs = outputs;
}

/* The record outlives the graph, so every string moves into its arena: written and read
 * back, which is also the proof that what we write can be read. */
static FigRecord *
detach(FigRecord *record)
{
    g_autofree char *json = fig_record_json(record, true);
    g_autoptr(GError) error = NULL;
    FigRecord *copy = fig_record_read(json, strlen(json), &error);
    if (!copy)
        g_error("a record of ours does not read back: %s", error->message);
    fig_record_free(record);
    return copy;
}

static FigRecord *
make_record(const FigGraph *graph, const FigRun *shapes, const FigRun *executed,
            const FigRun *measured, const char *const *overrides)
{
    FigArena *arena = fig_arena_new();
    FigRecord *record = fig_arena_new0(arena, FigRecord);
    record->arena = arena;
    Recorder recorder = {
        .graph = graph,
        .shapes = shapes,
        .executed = executed,
        .measured = measured,
        .arena = arena,
        .record = record,
        .weighty = fig_arena_new_array(arena, bool, graph->n_values),
    };
    for (int v = 0; v < graph->n_values; v++)
        recorder.weighty[v] = graph->values[v].from == FIG_FROM_WEIGHT;
    record_spec(&recorder, overrides);
    record_dims(&recorder);
    record_evidence(&recorder);
    record_values(&recorder);
    record_ops(&recorder);
    record_measured(&recorder);
    return record;
}

FigRecord *
fig_record_new(const FigGraph *graph, const FigRun *shapes, const FigRun *executed,
               const FigRun *measured, const char *const *overrides)
{
    return detach(make_record(graph, shapes, executed, measured, overrides));
}

FigRecord *
fig_record_lent(const FigGraph *graph, const FigRun *shapes)
{
    return make_record(graph, shapes, shapes, NULL, NULL);
}
