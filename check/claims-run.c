/* SPDX-License-Identifier: MIT
 *
 * Claims about numbers: one run of the whole graph at probe dims, in double with the plain
 * kernels, made when the first claim needs it and kept for all; and single ops run on
 * operands of our own.
 */
#include "check/claims-parts.h"

#include "exec/run.h"

#include <math.h>
#include <string.h>

struct FigClaimRun {
    FigArena *arena;
    const FigSizes *sizes; /* NULL: there are none, which was reported */
    bool sought;
    FigRun *run;
    bool tried;
};

static FigClaimRun *
open_run(FigClaims *claims)
{
    if (!claims->run) {
        claims->run = g_new0(FigClaimRun, 1);
        claims->run->arena = fig_arena_new();
    }
    return claims->run;
}

void
fig_claim_run_free(FigClaimRun *run)
{
    if (!run)
        return;
    fig_run_free(run->run);
    fig_arena_free(run->arena);
    g_free(run);
}

const FigSizes *
fig_claim_sizes(FigClaimEval *e, const FigExpr *at)
{
    FigClaimRun *run = open_run(e->claims);
    if (!run->sought) {
        run->sought = true;
        run->sizes = e->claims->options ? e->claims->options->probe : NULL;
        if (!run->sizes)
            run->sizes = fig_run_probe(e->claims->graph, run->arena, e->diag);
    }
    return run->sizes;
}

static FigRun *
whole_run(FigClaimEval *e, const FigExpr *at)
{
    FigClaimRun *run = open_run(e->claims);
    const FigSizes *sizes = fig_claim_sizes(e, at);
    if (!run->tried && sizes) {
        run->tried = true;
        FigRunOptions options = {
            .numeric = true,
            .type = FIG_F64,
            .naive = true,
            .keep_all = true,
            .sizes = sizes,
            .seed = e->claims->options ? e->claims->options->seed : 0,
        };
        run->run = fig_run_new(e->claims->graph, &options, e->diag);
    }
    return run->run;
}

bool
fig_claim_load(FigClaimEval *e, const FigExpr *at, int v, FigClaimValue *out)
{
    const FigValue *value = &e->claims->graph->values[v];
    if (!e->running) {
        e->wants_run = true;
        return false;
    }
    FigRun *run = whole_run(e, at);
    const FigView *view = run ? fig_run_value(run, value->id) : NULL;
    if (!view) {
        if (run)
            fig_diag_error(e->diag, at->span, "the run has no value ‘%s’", value->id);
        return false;
    }
    FigClaimArray array = {.rank = view->rank};
    const FigRecordValue *names = fig_record_value(e->claims->record, value->id);
    for (int i = 0; i < view->rank; i++) {
        array.axis[i] = names->axes[i];
        array.size[i] = view->size[i];
    }
    int64_t count = fig_claim_count(&array);
    double *data = fig_arena_new_array(e->arena, double, count);
    for (int64_t i = 0; i < count; i++)
        data[i] = fig_view_number(view, i);
    array.data = data;
    *out = (FigClaimValue){.kind = FIG_CLAIM_ARRAY, .executed = true, .array = array};
    return true;
}

/* ---- one op on operands of our own ---- */

static FigView
new_operand(FigArena *arena, const FigSizes *sizes, const FigGraph *graph, int value)
{
    int rank = graph->values[value].shape.rank;
    FigView view = fig_view_dense(NULL, FIG_F64, rank, sizes->value[value]);
    view.data = fig_arena_new_array(arena, double, fig_view_count(&view));
    return view;
}

/* Entries between 0.5 and 1.5, different from each other: no sum of products with them is
 * zero by chance. */
static void
fill_weight(FigView *view, uint32_t seed)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(seed);
    double *data = view->data;
    for (int64_t i = 0; i < fig_view_count(view); i++)
        data[i] = 0.5 + g_rand_double(rand);
}

/* Run one op with zeros for every operand that is no weight and say whether all that
 * comes out is zero. */
static bool
zero_gives_zero(FigClaimEval *e, const FigSizes *sizes, int n)
{
    const FigGraph *graph = e->claims->graph;
    const FigNode *node = &graph->nodes[n];
    g_autoptr(FigArena) arena = fig_arena_new();
    FigView *in = fig_arena_new_array(arena, FigView, node->n_reads);
    FigView *out = fig_arena_new_array(arena, FigView, node->n_writes);
    for (int i = 0; i < node->n_reads; i++) {
        /* who is read comes from the record, as everything about edges */
        int value = e->claims->reads[n][i];
        in[i] = new_operand(arena, sizes, graph, value);
        if (graph->values[value].from == FIG_FROM_WEIGHT)
            fill_weight(&in[i], (uint32_t)(n * FIG_LIMIT_PORTS + i));
    }
    for (int i = 0; i < node->n_writes; i++) {
        out[i] = new_operand(arena, sizes, graph, node->writes[i]);
        double *data = out[i].data;
        for (int64_t j = 0; j < fig_view_count(&out[i]); j++)
            data[j] = NAN; /* what the kernel does not write is not zero */
    }
    FigCall call = {.op = node->op,
                    .type = FIG_F64,
                    .n_in = node->n_reads,
                    .n_out = node->n_writes,
                    .in = in,
                    .out = out,
                    .attr = sizes->attr[n]};
    FigKernel kernel =
        node->op->naive[FIG_F64] ? node->op->naive[FIG_F64] : node->op->eval[FIG_F64];
    kernel(&call);
    for (int i = 0; i < node->n_writes; i++) {
        const double *data = out[i].data;
        for (int64_t j = 0; j < fig_view_count(&out[i]); j++)
            if (!(data[j] == 0))
                return false;
    }
    return true;
}

/* Are the operands of an op numbers that the run knows, weights and others? */
static void
count_operands(const FigClaims *claims, int node, int *weights, int *others,
               bool *known)
{
    *weights = *others = 0;
    *known = claims->op[node] &&
             claims->op[node]->n_reads == claims->graph->nodes[node].n_reads;
    for (int i = 0; *known && i < claims->op[node]->n_reads; i++) {
        int value = claims->reads[node][i];
        if (value < 0)
            *known = false;
        else if (claims->graph->values[value].from == FIG_FROM_WEIGHT)
            ++*weights;
        else
            ++*others;
    }
}

/* One truth for each op of the selection. */
static bool
eval_zero_in_zero_out(FigClaimEval *e, const FigClaimCall *call, FigClaimValue *out)
{
    FigClaimValue set;
    const FigSizes *sizes = fig_claim_sizes(e, call->expr);
    if (!sizes || !fig_claim_select(e, call, 0, &set))
        return false;
    double *data = fig_arena_new_array(e->arena, double, set.n_nodes);
    for (int i = 0; i < set.n_nodes; i++) {
        int weights, others;
        bool known;
        count_operands(e->claims, set.nodes[i], &weights, &others, &known);
        data[i] = known && others > 0 && zero_gives_zero(e, sizes, set.nodes[i]);
    }
    *out = (FigClaimValue){.kind = FIG_CLAIM_ARRAY,
                           .executed = true,
                           .array = {.rank = 1,
                                     .axis = {"op"},
                                     .size = {set.n_nodes},
                                     .data = data,
                                     .truth = true}};
    e->ran = true;
    return true;
}

/* Does any op that reads a weight give something other than zero when all else that it
 * reads is zero? That is what a bias does, whatever the op is called. */
static bool
eval_adds_weight(FigClaimEval *e, const FigClaimCall *call, FigClaimValue *out)
{
    const FigGraph *graph = e->claims->graph;
    const FigSizes *sizes = fig_claim_sizes(e, call->expr);
    if (!sizes)
        return false;
    bool adds = false;
    for (int i = 0; i < graph->n_nodes; i++) {
        int weights, others;
        bool known;
        count_operands(e->claims, i, &weights, &others, &known);
        if (known && weights > 0 && others > 0 &&
            graph->nodes[i].op->kind != FIG_KIND_GATHER)
            adds = adds || !zero_gives_zero(e, sizes, i);
    }
    *out = fig_claim_bool(adds);
    e->ran = true;
    return true;
}

const FigClaimFunction fig_claim_run_functions[] = {
    {"zero_in_zero_out", {FIG_PARAMS_SELECT}, eval_zero_in_zero_out},
    {"adds_weight", {{0}}, eval_adds_weight},
    {0},
};
