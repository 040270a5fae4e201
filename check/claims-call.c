/* SPDX-License-Identifier: MIT
 *
 * Calls: which function is meant, which argument is which, and whether each is of the
 * kind that the function wants. A word argument stands for itself; an op and its only
 * result may stand for each other.
 */
#include "check/claims-parts.h"

#include <string.h>

const FigClaimTable fig_claim_tables[] = {
    {"The graph", fig_claim_structure_functions},
    {"Counts and costs", fig_claim_cost_functions},
    {"Numbers", fig_claim_array_functions},
    {"What each op does with zero", fig_claim_single_functions},
    {"Running again", fig_claim_again_functions},
    {0},
};

static const FigClaimFunction *
find_function(FigClaimEval *e, const FigExpr *expr)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (const FigClaimTable *table = fig_claim_tables; table->title; table++) {
        for (const FigClaimFunction *f = table->functions; f->name; f++) {
            if (strcmp(f->name, expr->name) == 0)
                return f;
            g_ptr_array_add(names, (gpointer)f->name);
        }
    }
    g_ptr_array_add(names, NULL);
    FigMessage *message =
        fig_diag_error(e->diag, expr->span, "unknown function ‘%s’", expr->name);
    fig_message_suggest(message, expr->name, (const char *const *)names->pdata);
    return NULL;
}

char *
fig_claim_usage(const FigClaimFunction *f)
{
    GString *out = g_string_new(f->name);
    g_string_append_c(out, '(');
    for (int i = 0; i < FIG_CLAIM_PARAMS && f->params[i].name; i++)
        g_string_append_printf(out, f->params[i].optional ? "%s[%s]" : "%s%s",
                               i ? ", " : "", f->params[i].name);
    g_string_append_c(out, ')');
    return g_string_free(out, FALSE);
}

static int
param_count(const FigClaimFunction *f)
{
    int n = 0;
    while (n < FIG_CLAIM_PARAMS && f->params[n].name)
        n++;
    return n;
}

/* Give each argument its parameter. */
static bool
bind_args(FigClaimEval *e, const FigExpr *expr, const FigClaimFunction *f,
          FigClaimCall *call)
{
    int n = param_count(f), next = 0;
    g_autofree char *words = fig_claim_usage(f);
    for (int i = 0; i < expr->n_args; i++) {
        int at = next;
        if (expr->arg_names[i]) {
            for (at = 0; at < n; at++)
                if (strcmp(f->params[at].name, expr->arg_names[i]) == 0)
                    break;
            if (at == n) {
                const char *known[FIG_CLAIM_PARAMS + 1] = {NULL};
                for (int j = 0; j < n; j++)
                    known[j] = f->params[j].name;
                FigMessage *message = fig_diag_error(
                    e->diag, expr->args[i]->span, "%s has no argument ‘%s’; it is %s",
                    f->name, expr->arg_names[i], words);
                fig_message_suggest(message, expr->arg_names[i], known);
                return false;
            }
        } else {
            next++;
        }
        if (at >= n || call->arg[at]) {
            fig_diag_error(e->diag, expr->args[i]->span,
                           at >= n ? "one argument too many; it is %s"
                                   : "this argument is given twice; it is %s",
                           words);
            return false;
        }
        call->arg[at] = expr->args[i];
    }
    for (int i = 0; i < n; i++) {
        if (!call->arg[i] && !f->params[i].optional) {
            fig_diag_error(e->diag, expr->span, "argument ‘%s’ is missing; it is %s",
                           f->params[i].name, words);
            return false;
        }
    }
    return true;
}

/* A word stands for itself: bare, or in quotes. */
static bool
word_arg(FigClaimEval *e, const FigExpr *arg, FigClaimValue *out)
{
    if (arg->kind != FIG_EXPR_NAME && arg->kind != FIG_EXPR_STRING) {
        fig_diag_error(e->diag, arg->span, "a word is wanted here");
        return false;
    }
    *out = (FigClaimValue){.kind = FIG_CLAIM_WORD, .word = arg->name};
    return true;
}

/* The value that a name means: the value itself, or the only result of the op. */
static bool
value_arg(FigClaimEval *e, const FigExpr *arg, FigClaimValue *out)
{
    if (out->value >= 0)
        return true;
    const FigNode *node = &e->claims->graph->nodes[out->node];
    if (node->n_writes == 1) {
        out->value = node->writes[0];
        return true;
    }
    FigMessage *message = fig_diag_error(
        e->diag, arg->span, "op ‘%s’ has %d results, where one value is wanted",
        node->id, node->n_writes);
    g_autoptr(GString) list = g_string_new(NULL);
    for (int i = 0; i < node->n_writes; i++)
        g_string_append_printf(list, "%s‘%s’", i ? ", " : "",
                               e->claims->graph->values[node->writes[i]].id);
    fig_message_note(message, "they are %s", list->str);
    return false;
}

static bool
op_arg(FigClaimEval *e, const FigExpr *arg, FigClaimValue *out)
{
    if (out->node < 0)
        out->node = e->claims->graph->values[out->value].node;
    if (out->node >= 0)
        return true;
    fig_diag_error(e->diag, arg->span, "‘%s’ is written by no op",
                   e->claims->graph->values[out->value].id);
    return false;
}

/* The ops of a group that arg names; false when it names none. */
static bool
group_arg(FigClaimEval *e, const FigExpr *arg, FigClaimValue *out)
{
    const FigGraph *graph = e->claims->graph;
    int group = arg->kind == FIG_EXPR_NAME ? fig_graph_group(graph, arg->name) : -1;
    if (group < 0)
        return false;
    int *nodes = fig_arena_new_array(e->arena, int, graph->n_nodes), n = 0;
    for (int i = 0; i < graph->n_nodes; i++)
        if (fig_graph_in_group(graph, i, group))
            nodes[n++] = i;
    *out = fig_claim_ops(e, nodes, n);
    return true;
}

static bool
set_arg(FigClaimEval *e, const FigExpr *arg, FigParamType type, FigClaimValue *out)
{
    if (group_arg(e, arg, out))
        return true;
    if (!fig_claim_eval(e, arg, out))
        return false;
    if (out->kind == FIG_CLAIM_SET && (!out->of_values || type == FIG_PARAM_COUNTED))
        return true;
    if (out->kind != FIG_CLAIM_REF)
        return fig_claim_wrong_kind(e, arg, out, "a set of ops");
    if (!op_arg(e, arg, out))
        return false;
    *out = fig_claim_ops(e, fig_arena_copy(e->arena, &out->node, sizeof(int)), 1);
    return true;
}

/* The name of one op or value, of a group, or a set: as a set. */
static bool
refs_arg(FigClaimEval *e, const FigExpr *arg, FigParamType type, FigClaimValue *out)
{
    if (group_arg(e, arg, out))
        return true;
    if (!fig_claim_eval(e, arg, out))
        return false;
    if (out->kind == FIG_CLAIM_SET) {
        if (type != FIG_PARAM_OPS || !out->of_values)
            return true;
        return fig_claim_wrong_kind(e, arg, out, "a set of ops");
    }
    if (out->kind != FIG_CLAIM_REF)
        return fig_claim_wrong_kind(e, arg, out,
                                    type == FIG_PARAM_OPS ? "the name of an op"
                                                          : "the name of a value");
    if (type == FIG_PARAM_OPS ? !op_arg(e, arg, out)
                              : type == FIG_PARAM_VALUES && !value_arg(e, arg, out))
        return false;
    bool ops = type == FIG_PARAM_OPS || out->value < 0;
    const int *one =
        fig_arena_copy(e->arena, ops ? &out->node : &out->value, sizeof(int));
    *out = ops ? fig_claim_ops(e, one, 1) : fig_claim_values(e, one, 1);
    return true;
}

/* A value or a part of one: its entries at the sizes of the run. */
static bool
place_arg(FigClaimEval *e, const FigExpr *arg, FigClaimValue *out)
{
    const FigExpr *name = arg->kind == FIG_EXPR_INDEX ? arg->args[0] : arg;
    if (name->kind != FIG_EXPR_NAME) {
        fig_diag_error(e->diag, arg->span, "a value is wanted here, V or V[…]");
        return false;
    }
    if (!fig_claim_eval(e, name, out))
        return false;
    if (out->kind != FIG_CLAIM_REF)
        return fig_claim_wrong_kind(e, name, out, "the name of a value");
    if (!value_arg(e, name, out))
        return false;
    if (!e->running) {
        e->wants_run = true;
        return false;
    }
    const FigSizes *sizes = fig_claim_sizes(e, arg);
    if (!sizes)
        return false;
    FigPart *part = fig_arena_new0(e->arena, FigPart);
    *part = fig_part_whole(e->claims->graph, sizes, out->value);
    out->part = part;
    return arg == name ||
           fig_part_indices(arg, part->rank, sizes->value[out->value],
                            fig_claim_axis_names(e->claims, out->value),
                            fig_claim_index_number, e, e->diag, part, NULL);
}

static bool
text_arg(FigClaimEval *e, const FigExpr *arg, FigClaimValue *out)
{
    if (arg->kind != FIG_EXPR_STRING) {
        g_autofree char *text = fig_expr_text(arg);
        FigMessage *message =
            fig_diag_error(e->diag, arg->span, "a text in quotes is wanted here");
        fig_message_hint(message, "'%s'", text);
        return false;
    }
    *out = (FigClaimValue){.kind = FIG_CLAIM_WORD, .word = arg->name};
    return true;
}

/* The name of one op or value. */
static bool
ref_arg(FigClaimEval *e, const FigExpr *arg, FigParamType type, FigClaimValue *out)
{
    if (!fig_claim_eval(e, arg, out))
        return false;
    if (out->kind != FIG_CLAIM_REF)
        return fig_claim_wrong_kind(e, arg, out,
                                    type == FIG_PARAM_OP ? "the name of an op"
                                                         : "the name of a value");
    if (type == FIG_PARAM_OP)
        return op_arg(e, arg, out);
    return type == FIG_PARAM_REF || value_arg(e, arg, out);
}

static bool
eval_arg(FigClaimEval *e, const FigExpr *arg, FigParamType type, FigClaimValue *out)
{
    switch (type) {
    case FIG_PARAM_EXPR:
        return true;
    case FIG_PARAM_TEXT:
        return text_arg(e, arg, out);
    case FIG_PARAM_WORD:
        return word_arg(e, arg, out);
    case FIG_PARAM_AXIS:
        if (arg->kind == FIG_EXPR_NAME || arg->kind == FIG_EXPR_STRING)
            return word_arg(e, arg, out);
        break;
    case FIG_PARAM_SET:
    case FIG_PARAM_COUNTED:
        return set_arg(e, arg, type, out);
    case FIG_PARAM_OPS:
    case FIG_PARAM_VALUES:
    case FIG_PARAM_REFS:
        return refs_arg(e, arg, type, out);
    case FIG_PARAM_OP:
    case FIG_PARAM_VALUE:
    case FIG_PARAM_REF:
        return ref_arg(e, arg, type, out);
    case FIG_PARAM_PLACE:
        return place_arg(e, arg, out);
    case FIG_PARAM_ARRAY:
    case FIG_PARAM_NUMBER:
        break;
    }
    if (!fig_claim_eval(e, arg, out))
        return false;
    if (type == FIG_PARAM_ARRAY) {
        if (!fig_claim_to_numbers(e, arg, out))
            return false;
        if (!fig_claim_is_numeric(out) && !fig_claim_is_truth(out))
            return fig_claim_wrong_kind(e, arg, out, "a number");
        return true;
    }
    return out->kind == FIG_CLAIM_NUMBER ||
           fig_claim_wrong_kind(e, arg, out, "a number");
}

bool
fig_claim_call(FigClaimEval *e, const FigExpr *expr, FigClaimValue *out)
{
    const FigClaimFunction *f = find_function(e, expr);
    FigClaimCall call = {.expr = expr};
    if (!f || !bind_args(e, expr, f, &call))
        return false;
    for (int i = 0; i < param_count(f); i++)
        if (call.arg[i] && !eval_arg(e, call.arg[i], f->params[i].type, &call.value[i]))
            return false;
    if (!f->eval(e, &call, out))
        return false;
    if (e->otherwise && f->by != FIG_BY_ARGUMENTS) {
        g_autofree char *question = fig_expr_text(expr);
        fig_claim_otherwise(e, question, out);
    }
    return true;
}
