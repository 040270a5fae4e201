/* SPDX-License-Identifier: MIT
 *
 * From graph and runs to the record: what is declared, as the graph has it, and what was
 * measured. The ops are exec/recorder-ops.c.
 */
#include "exec/recorder-parts.h"

#include <string.h>

const char *const *
fig_recorder_shape(FigRecorder *r, const FigShape *shape, bool names)
{
    const char **texts = fig_arena_new_array(r->arena, const char *, shape->rank);
    for (int axis = 0; axis < shape->rank; axis++)
        texts[axis] = names && shape->name[axis]
                          ? shape->name[axis]
                          : fig_poly_text(r->graph->algebra, shape->axis[axis]);
    return texts;
}

const int64_t *
fig_recorder_sizes(FigRecorder *r, const FigView *view)
{
    return fig_arena_copy(r->arena, view->size,
                          sizeof *view->size * (size_t)view->rank);
}

/* ---- dims, constants, values ---- */

/* What a constant is: in layers of several kinds one thing after the other. */
static const char *
constant_text(FigRecorder *r, int c)
{
    const FigGraph *graph = r->graph;
    if (graph->n_kinds < 2 || c != graph->kinds_constant)
        return graph->constants[c].text;
    g_autofree char *pattern = fig_graph_pattern(graph);
    return fig_arena_printf(r->arena, "[%s]", pattern);
}

static const FigRecordAka *
record_aka(FigRecorder *r, int n, const FigAka *aka)
{
    FigRecordAka *out = fig_arena_new_array(r->arena, FigRecordAka, n);
    for (int i = 0; i < n; i++)
        out[i] = (FigRecordAka){aka[i].library, aka[i].name, aka[i].side,
                                aka[i].axes ? aka[i].axes->text : NULL};
    return out;
}

static void
record_dims(FigRecorder *r)
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
record_value(FigRecorder *r, const FigValue *value)
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
        .shape = fig_recorder_shape(r, &value->shape, false),
        .axes = fig_recorder_shape(r, &value->shape, true),
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
record_values(FigRecorder *r)
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

/* ---- the rest ---- */

static void
record_measured(FigRecorder *r)
{
    if (!r->measured)
        return;
    int count = fig_run_steps(r->measured);
    g_assert(count == fig_run_steps(r->executed));
    FigMeasuredOp *ops = fig_arena_new_array(r->arena, FigMeasuredOp, count);
    for (int s = 0; s < count; s++) {
        const FigStep *step = fig_run_step(r->measured, s);
        fig_recorder_agree(r->graph, step, fig_run_step(r->executed, s));
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
record_evidence(FigRecorder *r)
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
record_spec(FigRecorder *r, const char *const *overrides)
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
    FigRecorder recorder = {
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
    fig_recorder_ops(&recorder);
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
