/* SPDX-License-Identifier: MIT
 *
 * Functions about the graph: who reads what, which way a value takes, how many ops of a
 * kind there are and what they cost. Who read what is taken from the record, that is from
 * what kernels were handed, not from the spec.
 */
#include "check/claims-parts.h"

#include <string.h>

/* ---- who reads what ---- */

/* Is the operand the value, or a join of which it is a member? */
static bool
reads_value(const FigGraph *graph, int operand, int value)
{
    if (operand == value)
        return true;
    if (operand < 0)
        return false;
    const FigValue *join = &graph->values[operand];
    for (int i = 0; i < join->n_members; i++)
        if (join->members[i] == value)
            return true;
    return false;
}

/* How many operands of an op are one of the values. */
static int
times_read(const FigClaims *claims, int node, const FigClaimValue *values)
{
    int times = 0;
    for (int i = 0; claims->op[node] && i < claims->op[node]->n_reads; i++) {
        bool found = false;
        for (int j = 0; j < values->n_values; j++)
            found = found || reads_value(claims->graph, claims->reads[node][i],
                                         values->values[j]);
        times += found;
    }
    return times;
}

static bool
eval_reads(FigClaimEval *e, const FigClaimCall *call, FigClaimValue *out)
{
    bool reads = false;
    for (int i = 0; i < call->value[0].n_nodes; i++)
        reads = reads ||
                times_read(e->claims, call->value[0].nodes[i], &call->value[1]) > 0;
    *out = fig_claim_bool(reads);
    return true;
}

static bool
eval_readers(FigClaimEval *e, const FigClaimCall *call, FigClaimValue *out)
{
    int readers = 0;
    for (int i = 0; i < e->claims->graph->n_nodes; i++)
        readers += times_read(e->claims, i, &call->value[0]);
    *out = fig_claim_whole(readers);
    return true;
}

/* ---- paths ---- */

/* How a value, or what op writes, was reached from the start. */
enum { NOT_REACHED, REACHED, REACHED_THROUGH };

static bool
in_set(const FigClaimValue *set, int node)
{
    for (int i = 0; i < set->n_nodes; i++)
        if (set->nodes[i] == node)
            return true;
    return false;
}

/* How an operand, or a member of the join that it is, was reached. */
static char
reached_operand(const FigGraph *graph, const char *reached, int operand)
{
    if (operand < 0)
        return NOT_REACHED;
    char best = reached[operand];
    const FigValue *join = &graph->values[operand];
    for (int i = 0; i < join->n_members; i++)
        best = MAX(best, reached[join->members[i]]);
    return best;
}

/* Is a result read by an op that comes before the one that writes it? */
static bool
is_read_later(const FigClaims *claims, int node, int port)
{
    int value = claims->graph->nodes[node].writes[port];
    for (int i = 0; i < node; i++)
        for (int j = 0; claims->op[i] && j < claims->op[i]->n_reads; j++)
            if (claims->reads[i][j] == value && claims->op[i]->reads[j].later)
                return true;
    return false;
}

/* Is there a way from one value or op to another, through an op of the set that is
 * neither its start nor its end? */
static bool
eval_path(FigClaimEval *e, const FigClaimCall *call, FigClaimValue *out)
{
    const FigClaims *claims = e->claims;
    const FigGraph *graph = claims->graph;
    /* an op and its only result have one name: as a start it is the value, as an end the
     * op that writes it */
    const FigClaimValue *from = &call->value[0], *to = &call->value[1];
    const FigClaimValue *through = call->arg[2] ? &call->value[2] : NULL;
    int found = NOT_REACHED;
    g_autofree char *reached = g_new0(char, graph->n_values);
    for (int i = 0; i < from->n_values; i++)
        reached[from->values[i]] = REACHED;
    for (bool more = true; more;) { /* again where a repeat carries it back */
        more = false;
        for (int i = 0; i < graph->n_nodes; i++) {
            char best = NOT_REACHED;
            for (int j = 0; claims->op[i] && j < claims->op[i]->n_reads; j++)
                best = MAX(best, reached_operand(graph, reached, claims->reads[i][j]));
            if (in_set(to, i))
                found = MAX(found, best);
            if (best == REACHED && through && in_set(through, i))
                best = REACHED_THROUGH;
            for (int j = 0; best && j < graph->nodes[i].n_writes; j++) {
                char *written = &reached[graph->nodes[i].writes[j]];
                more = more || (best > *written && is_read_later(claims, i, j));
                *written = MAX(best, *written);
            }
        }
    }
    *out = fig_claim_bool(found >= (through ? REACHED_THROUGH : REACHED));
    return true;
}

/* ---- order ---- */

static int
step_of(const FigGraph *graph, const FigClaimValue *ref)
{
    return ref->node >= 0 ? ref->node : graph->values[ref->value].node;
}

static bool
eval_before(FigClaimEval *e, const FigClaimCall *call, FigClaimValue *out)
{
    const FigClaimValue *first = &call->value[0], *second = &call->value[1];
    *out = fig_claim_bool(first->n_nodes == 0 || second->n_nodes == 0 ||
                          first->nodes[first->n_nodes - 1] < second->nodes[0]);
    return true;
}

/* ---- sets ---- */

/* The words of a selection, by parameter. */
typedef struct Filter {
    const char *kind, *class, *op;
    int group; /* -1: any */
} Filter;

static bool
matches(const FigClaims *claims, const Filter *filter, int node)
{
    const FigRecordOp *op = claims->op[node];
    return op && (!filter->kind || strcmp(op->kind, filter->kind) == 0) &&
           (!filter->class || strcmp(fig_class_name(op->class), filter->class) == 0) &&
           (!filter->op || strcmp(op->op, filter->op) == 0) &&
           (filter->group < 0 ||
            fig_graph_in_group(claims->graph, node, filter->group));
}

/* Is it a word of its list? Else a message. */
static bool
known_word(FigClaimEval *e, const FigExpr *arg, const char *what, const char *word,
           const char *const *words)
{
    for (int i = 0; words[i]; i++)
        if (strcmp(words[i], word) == 0)
            return true;
    FigMessage *message =
        fig_diag_error(e->diag, arg->span, "‘%s’ is no %s", word, what);
    fig_message_suggest(message, word, words);
    g_autofree char *list = g_strjoinv(", ", (char **)words);
    if (strlen(list) < 120)
        fig_message_note(message, "it is one of %s", list);
    return false;
}

static bool
check_kind(FigClaimEval *e, const FigExpr *arg, const char *word)
{
    const char *words[FIG_KINDS + 1] = {NULL};
    for (int i = 0; i < FIG_KINDS; i++)
        words[i] = fig_kind_name((FigKind)i);
    return known_word(e, arg, "kind of op", word, words);
}

bool
fig_claim_is_class(FigClaimEval *e, const FigExpr *arg, const char *word)
{
    const char *words[FIG_CLASSES + 1] = {NULL};
    for (int i = 0; i < FIG_CLASSES; i++)
        words[i] = fig_class_name((FigClass)i);
    return known_word(e, arg, "class of op", word, words);
}

static bool
check_op(FigClaimEval *e, const FigExpr *arg, const char *word)
{
    g_autoptr(GPtrArray) words = g_ptr_array_new();
    for (const FigOp *const *op = fig_op_all(); *op; op++)
        g_ptr_array_add(words, (gpointer)(*op)->name);
    g_ptr_array_add(words, NULL);
    return known_word(e, arg, "op of the table", word,
                      (const char *const *)words->pdata);
}

static bool
check_group(FigClaimEval *e, const FigExpr *arg, const char *word, int *group)
{
    const FigGraph *graph = e->claims->graph;
    g_autoptr(GPtrArray) words = g_ptr_array_new();
    for (int i = 0; i < graph->n_groups; i++)
        g_ptr_array_add(words, (gpointer)graph->groups[i].id);
    g_ptr_array_add(words, NULL);
    *group = fig_graph_group(graph, word);
    return known_word(e, arg, "group", word, (const char *const *)words->pdata);
}

static FigClaimValue
collect(FigClaimEval *e, const Filter *filter, const FigClaimValue *within)
{
    const FigClaims *claims = e->claims;
    int *nodes = fig_arena_new_array(e->arena, int, claims->graph->n_nodes), n = 0;
    for (int i = 0; i < claims->graph->n_nodes; i++)
        if (matches(claims, filter, i) && (!within || in_set(within, i)))
            nodes[n++] = i;
    return fig_claim_ops(e, nodes, n);
}

FigClaimValue
fig_claim_class(FigClaimEval *e, const char *word)
{
    Filter filter = {.class = word, .group = -1};
    return collect(e, &filter, NULL);
}

bool
fig_claim_select(FigClaimEval *e, const FigClaimCall *call, int at, FigClaimValue *out)
{
    const FigExpr *const *arg = call->arg + at;
    const FigClaimValue *value = call->value + at;
    Filter filter = {arg[1] ? value[1].word : NULL, arg[2] ? value[2].word : NULL,
                     arg[3] ? value[3].word : NULL, -1};
    if ((arg[1] && !check_kind(e, arg[1], filter.kind)) ||
        (arg[2] && !fig_claim_is_class(e, arg[2], filter.class)) ||
        (arg[3] && !check_op(e, arg[3], filter.op)) ||
        (arg[4] && !check_group(e, arg[4], value[4].word, &filter.group)))
        return false;
    *out = collect(e, &filter, arg[0] ? &value[0] : NULL);
    return true;
}

static bool
eval_kind(FigClaimEval *e, const FigClaimCall *call, FigClaimValue *out)
{
    Filter filter = {.kind = call->value[0].word, .group = -1};
    if (!check_kind(e, call->arg[0], filter.kind))
        return false;
    *out = collect(e, &filter, NULL);
    return true;
}

static bool
eval_class(FigClaimEval *e, const FigClaimCall *call, FigClaimValue *out)
{
    Filter filter = {.class = call->value[0].word, .group = -1};
    if (!fig_claim_is_class(e, call->arg[0], filter.class))
        return false;
    *out = collect(e, &filter, NULL);
    return true;
}

static bool
eval_op(FigClaimEval *e, const FigClaimCall *call, FigClaimValue *out)
{
    Filter filter = {.op = call->value[0].word, .group = -1};
    if (!check_op(e, call->arg[0], filter.op))
        return false;
    *out = collect(e, &filter, NULL);
    return true;
}

static bool
eval_group(FigClaimEval *e, const FigClaimCall *call, FigClaimValue *out)
{
    Filter filter = {.group = -1};
    if (!check_group(e, call->arg[0], call->value[0].word, &filter.group))
        return false;
    *out = collect(e, &filter, NULL);
    return true;
}

/* ---- sets of values ---- */

/* The weights that ops of a selection read; of a joined one its members. */
static bool
eval_weights(FigClaimEval *e, const FigClaimCall *call, FigClaimValue *out)
{
    const FigGraph *graph = e->claims->graph;
    FigClaimValue set;
    if (!fig_claim_select(e, call, 0, &set))
        return false;
    int *values = fig_arena_new_array(e->arena, int, graph->n_values), n = 0;
    for (int v = 0; v < graph->n_values; v++) {
        bool read = false;
        FigClaimValue one = {.n_values = 1, .values = &v};
        if (graph->values[v].from != FIG_FROM_WEIGHT || graph->values[v].n_members)
            continue;
        for (int i = 0; i < set.n_nodes && !read; i++)
            read = times_read(e->claims, set.nodes[i], &one) > 0;
        if (read)
            values[n++] = v;
    }
    *out = fig_claim_values(e, values, n);
    return true;
}

static bool
eval_inputs(FigClaimEval *e, const FigClaimCall *call, FigClaimValue *out)
{
    const FigGraph *graph = e->claims->graph;
    int *values = fig_arena_new_array(e->arena, int, graph->n_values), n = 0;
    for (int v = 0; v < graph->n_values; v++)
        if (graph->values[v].from == FIG_FROM_INPUT)
            values[n++] = v;
    *out = fig_claim_values(e, values, n);
    return true;
}

static bool
eval_outputs(FigClaimEval *e, const FigClaimCall *call, FigClaimValue *out)
{
    const FigGraph *graph = e->claims->graph;
    *out = fig_claim_values(e, graph->outputs, graph->n_outputs);
    return true;
}

/* ---- sizes, attributes, axes ---- */

const char *const *
fig_claim_axis_names(const FigClaims *claims, int value)
{
    return fig_record_value(claims->record, claims->graph->values[value].id)->axes;
}

static bool
eval_size(FigClaimEval *e, const FigClaimCall *call, FigClaimValue *out)
{
    int v = call->value[0].value;
    const FigValue *value = &e->claims->graph->values[v];
    const FigSizes *sizes = e->running ? fig_claim_sizes(e, call->expr) : NULL;
    if (e->running && !sizes)
        return false;
    int axis = fig_claim_axis(e, call->arg[1], &call->value[1], value->shape.rank,
                              fig_claim_axis_names(e->claims, v), value->id);
    if (axis < 0)
        return false;
    *out = fig_claim_whole(sizes ? sizes->value[v][axis] : value->size[axis]);
    return true;
}

/* The index of an op's attribute, or -1 with a message. */
static int
find_attr(FigClaimEval *e, const FigExpr *at, const FigNode *node, const char *name)
{
    int index = fig_op_attr_index(node->op, name);
    if (index >= 0)
        return index;
    g_autoptr(GPtrArray) words = g_ptr_array_new();
    for (int i = 0; i < fig_op_attr_count(node->op); i++)
        g_ptr_array_add(words, (gpointer)node->op->attrs[i].name);
    g_ptr_array_add(words, NULL);
    FigMessage *message =
        fig_diag_error(e->diag, at->span, "%s ‘%s’ has no attribute ‘%s’",
                       node->op->name, node->id, name);
    fig_message_suggest(message, name, (const char *const *)words->pdata);
    return -1;
}

/* The name of an axis of an op's first operand. */
static const char *
operand_axis(const FigClaims *claims, int node, int axis)
{
    int value =
        claims->op[node] && claims->op[node]->n_reads ? claims->reads[node][0] : -1;
    return value >= 0 && axis < claims->graph->values[value].shape.rank
               ? fig_claim_axis_names(claims, value)[axis]
               : "";
}

static bool
eval_attr(FigClaimEval *e, const FigClaimCall *call, FigClaimValue *out)
{
    int n = call->value[0].node;
    const FigNode *node = &e->claims->graph->nodes[n];
    int index = find_attr(e, call->arg[1], node, call->value[1].word);
    const FigSizes *sizes = e->running ? fig_claim_sizes(e, call->expr) : NULL;
    if (index < 0 || (e->running && !sizes))
        return false;
    const FigAttr *attr = &node->op->attrs[index];
    const FigAttrValue *value = sizes ? &sizes->attr[n][index] : &node->attrs[index];
    switch (attr->type) {
    case FIG_ATTR_REAL:
        *out = fig_claim_real(value->real);
        return true;
    case FIG_ATTR_DIM:
        *out = fig_claim_whole(value->dim);
        return true;
    case FIG_ATTR_BOOL:
        *out = fig_claim_bool(value->dim != 0);
        return true;
    case FIG_ATTR_AXIS:
        *out = (FigClaimValue){.kind = FIG_CLAIM_WORD,
                               .word = operand_axis(e->claims, n, value->axis)};
        return true;
    case FIG_ATTR_WORD: {
        g_auto(GStrv) words = g_strsplit(attr->words, "|", -1);
        *out = (FigClaimValue){.kind = FIG_CLAIM_WORD,
                               .word = fig_arena_strdup(e->arena, words[value->word])};
        return true;
    }
    case FIG_ATTR_DIMS:
        break;
    }
    fig_diag_error(e->diag, call->arg[1]->span, "attribute ‘%s’ is a list of sizes",
                   attr->name);
    return false;
}

/* axis(op, over): the axis that the attribute names; axis(value, -1): its last. */
static bool
eval_axis(FigClaimEval *e, const FigClaimCall *call, FigClaimValue *out)
{
    const FigGraph *graph = e->claims->graph;
    const FigClaimValue *ref = &call->value[0], *at = &call->value[1];
    if (at->kind == FIG_CLAIM_WORD) {
        int n = step_of(graph, ref);
        if (n < 0) {
            fig_diag_error(e->diag, call->arg[0]->span, "‘%s’ is written by no op",
                           graph->values[ref->value].id);
            return false;
        }
        const FigNode *node = &graph->nodes[n];
        int index = find_attr(e, call->arg[1], node, at->word);
        if (index < 0)
            return false;
        if (node->op->attrs[index].type != FIG_ATTR_AXIS) {
            fig_diag_error(e->diag, call->arg[1]->span, "attribute ‘%s’ names no axis",
                           at->word);
            return false;
        }
        *out = (FigClaimValue){.kind = FIG_CLAIM_WORD,
                               .word =
                                   operand_axis(e->claims, n, node->attrs[index].axis)};
        return true;
    }
    int value = ref->value;
    if (value < 0 && graph->nodes[ref->node].n_writes == 1)
        value = graph->nodes[ref->node].writes[0];
    if (value < 0) {
        fig_diag_error(e->diag, call->arg[0]->span, "op ‘%s’ has %d results",
                       graph->nodes[ref->node].id, graph->nodes[ref->node].n_writes);
        return false;
    }
    const char *const *names = fig_claim_axis_names(e->claims, value);
    int axis = fig_claim_axis(e, call->arg[1], at, graph->values[value].shape.rank,
                              names, graph->values[value].id);
    if (axis < 0)
        return false;
    *out = (FigClaimValue){.kind = FIG_CLAIM_WORD, .word = names[axis]};
    return true;
}

/* clang-format off */
const FigClaimFunction fig_claim_structure_functions[] = {
    {"reads",
     {{"op", FIG_PARAM_OPS, false}, {"value", FIG_PARAM_VALUES, false}},
     eval_reads,
     "Is the value an operand of the op, as the run saw it? Of sets: does some op read "
     "some value? A member of a joined weight is read where the join is.",
     "reads(z1, attn_norm) and not reads(kind(norm), z)", FIG_BY_STRUCTURE},
    {"readers",
     {{"value", FIG_PARAM_VALUES, false}},
     eval_readers,
     "How many operands are the value (or one of the values).",
     "readers(v_heads) == 1", FIG_BY_STRUCTURE},
    {"path",
     {{"from", FIG_PARAM_REFS, false},
      {"to", FIG_PARAM_REFS, false},
      {"through", FIG_PARAM_SET, true}},
     eval_path,
     "Does the op `to` read what is made from `from`, on a way through an op of the set "
     "`through` that is neither its start nor its end? Of sets: some way from one to "
     "another.",
     "not path(z, qkv, through = kind(norm))", FIG_BY_STRUCTURE},
    {"before",
     {{"first", FIG_PARAM_REFS, false}, {"second", FIG_PARAM_REFS, false}},
     eval_before,
     "Is the first there before the second is? Of sets: all of the first before any of "
     "the second. Inputs and weights are there before all ops.",
     "before(q_norm, op(rope))", FIG_BY_STRUCTURE},
    {"kind",
     {{"kind", FIG_PARAM_WORD, false}},
     eval_kind,
     "The ops of a kind: matmul, norm, pointwise, …",
     "count(kind(norm)) == 4", FIG_BY_STRUCTURE},
    {"class",
     {{"class", FIG_PARAM_WORD, false}},
     eval_class,
     "The ops of a class: weight_matmul, activation_matmul, norm, other.",
     "not reads(class(activation_matmul), weights())", FIG_BY_STRUCTURE},
    {"op",
     {{"op", FIG_PARAM_WORD, false}},
     eval_op,
     "The ops that are this op of the table.",
     "reads(op(rope), q_heads)", FIG_BY_STRUCTURE},
    {"group",
     {{"group", FIG_PARAM_WORD, false}},
     eval_group,
     "The ops of a group and of those nested in it; the bare name of the group means "
     "the same.",
     "before(group(attn), group(mlp))", FIG_BY_STRUCTURE},
    {"weights",
     {FIG_PARAMS_SELECT},
     eval_weights,
     "The weights that the selected ops read; a joined weight is its members.",
     "count(weights(attn)) == 7", FIG_BY_STRUCTURE},
    {"inputs", {{0}}, eval_inputs, "The inputs of the spec.",
     "readers(inputs()) == 2", FIG_BY_STRUCTURE},
    {"outputs", {{0}}, eval_outputs, "The outputs of the spec.",
     "path(inputs(), outputs(), through = kind(softmax))", FIG_BY_STRUCTURE},
    {"size",
     {{"value", FIG_PARAM_VALUE, false}, {"axis", FIG_PARAM_AXIS, false}},
     eval_size,
     "The size of an axis, by its name or its number; -1 is the last.",
     "size(g_q, 0) == H*h_d", FIG_BY_STRUCTURE},
    {"attr",
     {{"op", FIG_PARAM_OP, false}, {"name", FIG_PARAM_WORD, false}},
     eval_attr,
     "An attribute of an op, as it was executed: a number, a word, true or false.",
     "attr(scores, scale) == 1/sqrt(h_d)", FIG_BY_STRUCTURE},
    {"axis",
     {{"value", FIG_PARAM_REF, false}, {"axis", FIG_PARAM_AXIS, false}},
     eval_axis,
     "The name of an axis: that of this number, or the one that an attribute of the op "
     "(`over`) names.",
     "axis(probs, over) == 'key'", FIG_BY_STRUCTURE},
    {0},
};
/* clang-format on */
