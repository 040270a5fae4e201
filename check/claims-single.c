/* SPDX-License-Identifier: MIT
 *
 * Claims about what an op adds: single ops run on operands of our own.
 */
#include "check/claims-parts.h"

#include <math.h>

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

/* Run one op with zeros for every operand that is no weight: the largest entry that comes
 * out, without its sign. */
static double
largest_from_zero(FigClaimEval *e, const FigSizes *sizes, int n)
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
    double most = 0;
    for (int i = 0; i < node->n_writes; i++) {
        const double *data = out[i].data;
        for (int64_t j = 0; j < fig_view_count(&out[i]); j++)
            if (!(fabs(data[j]) <= most))
                most = isnan(data[j]) ? INFINITY : fabs(data[j]);
    }
    return most;
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
    double *data = fig_arena_new_array(e->arena, double, set.n_nodes), most = 0;
    for (int i = 0; i < set.n_nodes; i++) {
        int weights, others;
        bool known;
        count_operands(e->claims, set.nodes[i], &weights, &others, &known);
        double largest =
            known && others > 0 ? largest_from_zero(e, sizes, set.nodes[i]) : INFINITY;
        data[i] = largest == 0;
        most = fmax(most, largest);
    }
    fig_claim_note(e, 0, most);
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
    double most = 0;
    for (int i = 0; i < graph->n_nodes; i++) {
        int weights, others;
        bool known;
        count_operands(e->claims, i, &weights, &others, &known);
        if (known && weights > 0 && others > 0 &&
            graph->nodes[i].op->kind != FIG_KIND_GATHER)
            most = fmax(most, largest_from_zero(e, sizes, i));
    }
    fig_claim_note(e, 0, most);
    *out = fig_claim_bool(most > 0);
    out->executed = true;
    e->ran = true;
    return true;
}

/* clang-format off */
const FigClaimFunction fig_claim_single_functions[] = {
    {"zero_in_zero_out",
     {FIG_PARAMS_SELECT},
     eval_zero_in_zero_out,
     "For each of the selected ops: is all that it writes zero when all that it reads, "
     "weights aside, is?",
     "all(zero_in_zero_out(kind = matmul))", FIG_BY_RUN},
    {"adds_weight",
     {{0}},
     eval_adds_weight,
     "Does any op that reads a weight write something other than zero when all else that "
     "it reads is zero? That is what a bias does.",
     "not adds_weight()", FIG_BY_RUN},
    {0},
};
/* clang-format on */
