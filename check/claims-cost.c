/* SPDX-License-Identifier: MIT
 *
 * Functions that count: ops, parameters, FLOPs, bytes. All numbers are those of the record
 * at the dims drawn.
 */
#include "check/claims-parts.h"

#include <string.h>

/* ---- numbers of ops ---- */

/* A matmul with a joined weight is as many as the weight has members. */
static int
members(const FigClaims *claims, int node)
{
    int most = 1;
    for (int i = 0; i < claims->op[node]->n_reads; i++) {
        int value = claims->reads[node][i];
        if (value >= 0)
            most = MAX(most, claims->graph->values[value].n_members);
    }
    return most;
}

/* count() is the number of steps; with a condition each op counts as its members. */
static bool
eval_count(FigClaimEval *e, const FigClaimCall *call, FigClaimValue *out)
{
    FigClaimValue set;
    if (call->arg[0] && call->value[0].of_values) {
        for (int i = 1; i < FIG_CLAIM_PARAMS; i++) {
            if (!call->arg[i])
                continue;
            fig_diag_error(e->diag, call->arg[i]->span,
                           "values have no kind, class, op or group");
            return false;
        }
        *out = fig_claim_whole(call->value[0].n_values);
        return true;
    }
    if (!fig_claim_select(e, call, 0, &set))
        return false;
    bool steps = call->expr->n_args == 0;
    int64_t count = 0;
    for (int i = 0; i < set.n_nodes; i++)
        count += steps ? 1 : members(e->claims, set.nodes[i]);
    *out = fig_claim_whole(count);
    return true;
}

/* steps(…) is the number of steps, and so of marks, whatever they count as. */
static bool
eval_steps(FigClaimEval *e, const FigClaimCall *call, FigClaimValue *out)
{
    FigClaimValue set;
    if (!fig_claim_select(e, call, 0, &set))
        return false;
    *out = fig_claim_whole(set.n_nodes);
    return true;
}

static bool
sum_flops(FigClaimEval *e, const FigClaimCall *call, const FigClaimValue *set,
          bool matmuls, FigRational *sum)
{
    *sum = (FigRational){0, 1};
    for (int i = 0; i < set->n_nodes; i++) {
        const FigRecordOp *op = e->claims->op[set->nodes[i]];
        if (matmuls && strcmp(op->kind, fig_kind_name(FIG_KIND_MATMUL)) != 0)
            continue;
        if (op->flops_number == INT64_MAX ||
            fig_rational_add(*sum, (FigRational){op->flops_number, 1}, sum)) {
            fig_diag_error(e->diag, call->expr->span,
                           "the FLOPs are too many to be counted (beyond 63 bits)");
            return false;
        }
    }
    return true;
}

static bool
eval_flops(FigClaimEval *e, const FigClaimCall *call, FigClaimValue *out)
{
    FigClaimValue set;
    FigRational sum;
    if (!fig_claim_select(e, call, 0, &set) || !sum_flops(e, call, &set, false, &sum))
        return false;
    *out = fig_claim_exact(sum);
    out->format = FIG_FORMAT_COMMAS;
    return true;
}

/* The part of the FLOPs of all matmuls that those of one class take, in percent. */
static bool
eval_share(FigClaimEval *e, const FigClaimCall *call, FigClaimValue *out)
{
    FigRational part, whole;
    if (!fig_claim_is_class(e, call->arg[0], call->value[0].word))
        return false;
    FigClaimValue one = fig_claim_class(e, call->value[0].word);
    FigClaimValue all = fig_claim_class(e, NULL);
    if (!sum_flops(e, call, &one, true, &part) ||
        !sum_flops(e, call, &all, true, &whole))
        return false;
    if (whole.num == 0) {
        fig_diag_error(e->diag, call->expr->span,
                       "there is no matmul to take a share of");
        return false;
    }
    *out = fig_claim_real(100 * (fig_rational_real(part) / fig_rational_real(whole)));
    out->format = FIG_FORMAT_PERCENT;
    return true;
}

/* Entries of all weights that ops of the set read, each weight once. */
static bool
eval_params(FigClaimEval *e, const FigClaimCall *call, FigClaimValue *out)
{
    const FigClaims *claims = e->claims;
    const FigGraph *graph = claims->graph;
    FigClaimValue set;
    if (!fig_claim_select(e, call, 0, &set))
        return false;
    g_autofree bool *used = g_new0(bool, graph->n_values);
    for (int i = 0; i < set.n_nodes; i++) {
        const FigRecordOp *op = claims->op[set.nodes[i]];
        for (int j = 0; j < op->n_reads; j++) {
            int value = claims->reads[set.nodes[i]][j];
            if (value < 0)
                continue;
            used[value] = true;
            for (int k = 0; k < graph->values[value].n_members; k++)
                used[graph->values[value].members[k]] = true;
        }
    }
    FigRational sum = {0, 1};
    for (int v = 0; v < graph->n_values; v++) {
        const FigRecordValue *value =
            used[v] ? fig_record_value(claims->record, graph->values[v].id) : NULL;
        if (value && fig_rational_add(sum, (FigRational){value->parameters, 1}, &sum)) {
            fig_diag_error(
                e->diag, call->expr->span,
                "the parameters are too many to be counted (beyond 63 bits)");
            return false;
        }
    }
    *out = fig_claim_exact(sum);
    out->format = FIG_FORMAT_COMMAS;
    return true;
}

/* ---- bytes ---- */

static bool
too_many_bytes(FigClaimEval *e, const FigClaimCall *call)
{
    fig_diag_error(e->diag, call->expr->span,
                   "the bytes are too many to be counted (beyond 63 bits)");
    return false;
}

/* What the ops of the set read and write, by the record's expression over the dims. */
static bool
eval_bytes(FigClaimEval *e, const FigClaimCall *call, FigClaimValue *out)
{
    FigClaimValue set, bytes;
    FigRational sum = {0, 1};
    if (!fig_claim_select(e, call, 0, &set))
        return false;
    FigClaimEval drawn = {.claims = e->claims, .diag = NULL, .arena = e->arena};
    for (int i = 0; i < set.n_nodes; i++) {
        const FigExpr *expr = fig_expr_parse_text(e->claims->op[set.nodes[i]]->bytes,
                                                  (FigSpan){0}, e->arena, NULL);
        if (!expr || !fig_claim_eval(&drawn, expr, &bytes) || !bytes.exact ||
            fig_rational_add(sum, bytes.rational, &sum))
            return too_many_bytes(e, call);
    }
    *out = fig_claim_exact(sum);
    out->format = FIG_FORMAT_COMMAS;
    return true;
}

/* ---- the key/value cache ---- */

static bool
is_matmul(const FigClaims *claims, int node)
{
    return claims->graph->nodes[node].op->kind == FIG_KIND_MATMUL;
}

/* A product of two activations: what attention does. */
static bool
is_attention(const FigClaims *claims, int node)
{
    return claims->op[node] && claims->op[node]->class == FIG_CLASS_ACTIVATION_MATMUL &&
           claims->op[node]->n_reads == 2 && claims->reads[node][1] >= 0;
}

/* How many keys an op has at most, and of how many. */
typedef struct Keys {
    int64_t shown, all; /* shown: INT64_MAX where no window stands */
} Keys;

static void
lower(Keys *keys, Keys shown)
{
    if (shown.shown < keys->shown)
        *keys = shown;
}

/* Lower the number of keys of each product that a mask stands between, of the one whose
 * result it masks and of the one that reads what it leaves, and of what is between. */
static void
narrow(const FigClaims *claims, int mask, int64_t window, Keys *keys)
{
    const FigGraph *graph = claims->graph;
    const FigValue *masked = &graph->values[graph->nodes[mask].writes[0]];
    Keys shown = {window, masked->size[masked->shape.rank - 1]};
    int back = mask;
    while (back >= 0 && !is_matmul(claims, back)) {
        lower(&keys[back], shown);
        back =
            claims->op[back] && claims->op[back]->n_reads && claims->reads[back][0] >= 0
                ? graph->values[claims->reads[back][0]].node
                : -1;
    }
    if (back >= 0)
        lower(&keys[back], shown);
    g_autofree bool *left = g_new0(bool, graph->n_values);
    for (int n = mask; n < graph->n_nodes; n++) {
        bool reads = n == mask;
        for (int i = 0; claims->op[n] && i < claims->op[n]->n_reads; i++)
            reads = reads || (claims->reads[n][i] >= 0 && left[claims->reads[n][i]]);
        if (reads)
            lower(&keys[n], shown);
        for (int i = 0; reads && !is_matmul(claims, n) && i < graph->nodes[n].n_writes;
             i++)
            left[graph->nodes[n].writes[i]] = true;
    }
}

static bool
entries(const FigGraph *graph, int value, FigRational *count)
{
    *count = (FigRational){1, 1};
    for (int axis = 0; axis < graph->values[value].shape.rank; axis++)
        if (fig_rational_mul(*count, (FigRational){graph->values[value].size[axis], 1},
                             count))
            return false;
    return true;
}

/* The smallest value that a key or value is no more than a reshaping of: what repeats a
 * head for several queries is not kept as often. */
static bool
smallest(const FigClaims *claims, int value, int *best, FigRational *count)
{
    const FigGraph *graph = claims->graph;
    *best = value;
    if (!entries(graph, value, count))
        return false;
    for (int node = graph->values[value].node;
         node >= 0 && graph->nodes[node].op->kind == FIG_KIND_RESHAPE &&
         claims->op[node] && claims->op[node]->n_reads == 1;
         node = graph->values[value].node) {
        FigRational above;
        value = claims->reads[node][0];
        if (value < 0 || !entries(graph, value, &above))
            break;
        if (fig_rational_compare(above, *count) < 0) {
            *best = value;
            *count = above;
        }
    }
    return true;
}

/* The window of a mask, or no limit. */
static int64_t
window_of(const FigNode *node)
{
    int index =
        node->op->kind == FIG_KIND_MASK ? fig_op_attr_index(node->op, "window") : -1;
    return index >= 0 && node->op->attrs[index].type == FIG_ATTR_DIM
               ? node->attrs[index].dim
               : INT64_MAX;
}

/* How many passes of a node are layers of a kind; all where there is one kind only. */
static int64_t
passes_of_kind(const FigGraph *graph, int node, int kind)
{
    int64_t passes = fig_graph_passes(graph, NULL, graph->nodes[node].repeat), of = 0;
    if (graph->n_kinds < 2 ||
        !fig_graph_repeat_in(graph, graph->nodes[node].repeat, graph->kinds_group))
        return kind == 0 ? passes : 0;
    int64_t all = graph->groups[graph->kinds_group].passes;
    for (int64_t p = 0; p < all; p++)
        of += graph->kind_of[p] == kind;
    return passes / all * of;
}

/* The keys of each op in layers of a kind, by their masks. owns: the caller */
static Keys *
keys_of_kind(const FigClaims *claims, int kind)
{
    const FigGraph *graph = claims->graph;
    const FigGraph *own = kind ? graph->kinds[kind].graph : graph;
    Keys *keys = g_new(Keys, (gsize)MAX(graph->n_nodes, 1));
    for (int n = 0; n < graph->n_nodes; n++)
        keys[n] = (Keys){INT64_MAX, INT64_MAX};
    for (int n = 0; n < graph->n_nodes; n++)
        if (window_of(&own->nodes[n]) != INT64_MAX)
            narrow(claims, n, window_of(&own->nodes[n]), keys);
    return keys;
}

/* Add what layers of one kind keep, in entries. */
static bool
add_kept(const FigClaims *claims, int kind, FigRational *sum)
{
    const FigGraph *graph = claims->graph;
    g_autofree Keys *keys = keys_of_kind(claims, kind);
    g_autofree bool *kept = g_new0(bool, (gsize)graph->n_values);
    for (int n = 0; n < graph->n_nodes; n++) {
        int value;
        FigRational count;
        if (!is_attention(claims, n))
            continue;
        const FigValue *operand = &graph->values[claims->reads[n][1]];
        if (!smallest(claims, claims->reads[n][1], &value, &count))
            return false;
        if (kept[value])
            continue;
        kept[value] = true;
        /* keys and values stand one before the last axis: … token, width */
        int64_t tokens = operand->size[operand->shape.rank - 2];
        FigRational passes = {passes_of_kind(graph, n, kind), 1};
        if ((keys[n].shown < tokens &&
             fig_rational_mul(count, fig_rational(keys[n].shown, tokens), &count)) ||
            fig_rational_mul(count, passes, &count) ||
            fig_rational_add(*sum, count, sum))
            return false;
    }
    return true;
}

static bool
eval_kv_bytes(FigClaimEval *e, const FigClaimCall *call, FigClaimValue *out)
{
    const FigClaims *claims = e->claims;
    FigRational sum = {0, 1}, width = {2, 1};
    if (call->arg[0])
        width = call->value[0].rational;
    if (call->arg[0] && (!call->value[0].exact || width.num <= 0)) {
        fig_diag_error(e->diag, call->arg[0]->span, "a number takes more than 0 bytes");
        return false;
    }
    for (int k = 0; k < MAX(claims->graph->n_kinds, 1); k++)
        if (!add_kept(claims, k, &sum))
            return too_many_bytes(e, call);
    if (fig_rational_mul(sum, width, &sum))
        return too_many_bytes(e, call);
    *out = fig_claim_exact(sum);
    out->format = FIG_FORMAT_COMMAS;
    return true;
}

/* ---- what a window leaves to be computed ---- */

/* The FLOPs of an op with only those keys computed that its masks show. */
static bool
shown_flops(const FigClaims *claims, int node, FigRational *sum)
{
    const FigGraph *graph = claims->graph;
    int64_t passes = fig_graph_passes(graph, NULL, graph->nodes[node].repeat);
    for (int k = 0; k < MAX(graph->n_kinds, 1); k++) {
        g_autofree Keys *keys = keys_of_kind(claims, k);
        int64_t all = keys[node].all;
        int64_t of = passes_of_kind(graph, node, k);
        FigRational part = {claims->op[node]->flops_number, 1};
        if (fig_rational_mul(part, fig_rational(of, passes), &part) ||
            fig_rational_mul(part, fig_rational(MIN(keys[node].shown, all), all),
                             &part) ||
            fig_rational_add(*sum, part, sum))
            return false;
    }
    return true;
}

static bool
eval_shown_flops(FigClaimEval *e, const FigClaimCall *call, FigClaimValue *out)
{
    FigClaimValue set;
    FigRational sum = {0, 1};
    if (!fig_claim_select(e, call, 0, &set))
        return false;
    for (int i = 0; i < set.n_nodes; i++)
        if (e->claims->op[set.nodes[i]]->flops_number == INT64_MAX ||
            !shown_flops(e->claims, set.nodes[i], &sum)) {
            fig_diag_error(e->diag, call->expr->span,
                           "the FLOPs are too many to be counted (beyond 63 bits)");
            return false;
        }
    *out = fig_claim_exact(sum);
    out->format = FIG_FORMAT_COMMAS;
    return true;
}

/* clang-format off */
const FigClaimFunction fig_claim_cost_functions[] = {
    {"count",
     {{"set", FIG_PARAM_COUNTED, true}, {"kind", FIG_PARAM_WORD, true},
      {"class", FIG_PARAM_WORD, true}, {"op", FIG_PARAM_WORD, true},
      {"group", FIG_PARAM_WORD, true}},
     eval_count,
     "How many ops are selected, by all that is given; a matmul with a joined weight "
     "counts as its members. Without an argument: the steps. Of a set of values: how "
     "many.",
     "count(class = weight_matmul) == 7 and count(weights()) == 11", FIG_BY_STRUCTURE},
    {"steps",
     {FIG_PARAMS_SELECT},
     eval_steps,
     "How many steps the selected ops are, and so how many marks: a joined matmul is one.",
     "steps(kind = matmul) == 7", FIG_BY_STRUCTURE},
    {"params",
     {FIG_PARAMS_SELECT},
     eval_params,
     "Parameters that the selected ops read, each weight once; what is another tensor in "
     "each pass of a repeat as often as there are passes.",
     "params() == 4*C^2 + 3*C*h_ff + 4*C", FIG_BY_STRUCTURE},
    {"flops",
     {FIG_PARAMS_SELECT},
     eval_flops,
     "Floating-point operations of the selected ops, in all passes of a repeat; a "
     "multiply-add counts as two.",
     "flops(scores) == 2*B*T^2*C", FIG_BY_STRUCTURE},
    {"shown_flops",
     {FIG_PARAMS_SELECT},
     eval_shown_flops,
     "The same where a program computes only the keys that a window mask shows: T times the "
     "window in place of T times T.",
     "shown_flops(scores) == flops(scores)", FIG_BY_STRUCTURE},
    {"bytes",
     {FIG_PARAMS_SELECT},
     eval_bytes,
     "Bytes that the selected ops read and write in float32, each operand and result "
     "once.",
     "bytes(silu) == 8*B*T*h_ff", FIG_BY_STRUCTURE},
    {"kv_bytes",
     {{"width", FIG_PARAM_NUMBER, true}},
     eval_kv_bytes,
     "Bytes of the key/value cache of all T tokens, `width` bytes a number (2 unless "
     "given): the second operands of matmuls without a weight, before heads are "
     "repeated, and under a window mask only as many tokens as it shows.",
     "kv_bytes() == 2*2*B*T*G*h_d", FIG_BY_STRUCTURE},
    {"share",
     {{"class", FIG_PARAM_WORD, false}},
     eval_share,
     "The part of the FLOPs of all matmuls that those of a class take, in percent.",
     "share(weight_matmul) + share(activation_matmul) == 100", FIG_BY_STRUCTURE},
    {0},
};
/* clang-format on */
