/* SPDX-License-Identifier: MIT
 *
 * Is a claim worth its tick? Every small change of the model (changes.h) is tried until
 * one makes the claim false; a claim that none can break says nothing about the model.
 *
 * A changed model is loaded once for all claims that it is asked of. Claims are first tried
 * with changes that are likely to break them, then with all others, and what is settled
 * by structure before what runs. What cannot be asked of a changed model (an
 * op that the claim names is gone) or gives no numbers there breaks nothing.
 */
#include "check/changes.h"
#include "check/claims-parts.h"

#include "exec/run.h"
#include "exec/shapes.h"

#include <math.h>
#include <string.h>

enum {
    PATIENCE = 300000, /* a few seconds; no spec may hang the program */
};

/* One claim on trial. */
typedef struct Tried {
    const FigExpr *expr; /* NULL: not tried, or decided */
    bool runs;           /* a part of it was settled by running */
    GHashTable *names;   /* what it speaks of */
    FigTriedClaim *out;
} Tried;

typedef struct Trial {
    const FigGraph *graph;
    const FigClaimOptions *options;
    FigArena *arena;
    int n_claims;
    Tried *claims;
    int64_t patience; /* ops that may still be loaded and run */
} Trial;

typedef enum Outcome {
    HOLDS,
    FAILS,
    UNKNOWN,
} Outcome;

/* ---- what a claim speaks of ---- */

static const FigClaimFunction *
function(const char *name)
{
    for (const FigClaimTable *table = fig_claim_tables; table->title; table++)
        for (const FigClaimFunction *f = table->functions; f->name; f++)
            if (strcmp(f->name, name) == 0)
                return f;
    return NULL;
}

/* Gather the values and ops that it names, in an edit's text too; true if it speaks of the
 * model at all and not of dims and constants alone. */
static bool
gather(const FigGraph *graph, const FigExpr *expr, GHashTable *names)
{
    bool any = false;
    if (expr->kind == FIG_EXPR_NAME || expr->kind == FIG_EXPR_STRING) {
        g_autofree char *head =
            g_strndup(expr->name,
                      strspn(expr->name, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_"));
        int value = fig_graph_value(graph, head), node = fig_graph_node(graph, head);
        if (value >= 0 || node >= 0) {
            any = true;
            g_hash_table_add(names, (gpointer)(value >= 0 ? graph->values[value].id
                                                          : graph->nodes[node].id));
        }
    }
    if (expr->kind == FIG_EXPR_CALL) {
        const FigClaimFunction *f = function(expr->name);
        any = f && f->by != FIG_BY_ARGUMENTS;
    }
    for (int i = 0; i < expr->n_args; i++)
        any = (expr->args[i] && gather(graph, expr->args[i], names)) || any;
    return any;
}

/* Is an op the only one of its kind? */
static bool
is_alone(const FigGraph *graph, int node)
{
    int like = 0;
    for (int i = 0; i < graph->n_nodes; i++)
        like += graph->nodes[i].op->kind == graph->nodes[node].op->kind;
    return like == 1;
}

/* Is a change likely to break a claim? One of an op that it names, or of what that op
 * writes; for numbers also that the only mask or softmax is left out. */
static bool
is_likely(const Trial *trial, const Tried *claim, const FigChange *change)
{
    const FigGraph *graph = trial->graph;
    if (change->node < 0)
        return false;
    const FigNode *n = &graph->nodes[change->node];
    if (claim->runs && strcmp(change->kind, "drop") == 0 &&
        is_alone(graph, change->node))
        return true;
    bool named = g_hash_table_contains(claim->names, n->id);
    for (int i = 0; i < n->n_writes; i++)
        named = named ||
                g_hash_table_contains(claim->names, graph->values[n->writes[i]].id);
    return named;
}

/* ---- a changed model ---- */

typedef struct Changed {
    FigArena *arena;
    FigGraph *graph;
    FigRun *shapes;
    FigRecord *record;
    FigClaimOptions options;
    FigClaims claims;
    bool ran, sound; /* its numbers are there; and are numbers */
} Changed;

static bool
changed_open(const Trial *trial, const FigChange *change, Changed *c)
{
    g_autoptr(FigDiag) silent = fig_diag_new();
    *c = (Changed){.graph = fig_change_load(trial->graph, change->edit, NULL),
                   .options = *trial->options};
    if (!c->graph)
        return false;
    c->arena = fig_arena_new();
    c->options.probe =
        fig_change_sizes(trial->graph, trial->options->probe, c->graph, c->arena);
    const FigRunOptions on_shapes = {0};
    int node;
    g_autofree char *why = NULL;
    if (c->options.probe && fig_shapes_run(c->graph, c->options.probe, &node, &why))
        c->shapes = fig_run_new(c->graph, &on_shapes, silent);
    if (!c->shapes) {
        fig_arena_free(c->arena);
        fig_graph_free(c->graph);
        return false;
    }
    c->record = fig_record_lent(c->graph, c->shapes);
    fig_claims_open(&c->claims, c->graph, c->record, &c->options);
    return true;
}

static void
changed_close(Changed *c)
{
    fig_claims_close(&c->claims);
    fig_record_free(c->record);
    fig_run_free(c->shapes);
    fig_graph_free(c->graph);
    fig_arena_free(c->arena);
}

/* A model that gives what is no number would make any comparison false. */
static bool
gives_numbers(Changed *c, FigClaimEval *e, const FigExpr *at)
{
    if (c->ran)
        return c->sound;
    c->ran = c->sound = true;
    FigRun *run = fig_claim_whole_run(e, at);
    for (int i = 0; run && i < c->graph->n_outputs; i++) {
        const FigView *view =
            fig_run_value(run, c->graph->values[c->graph->outputs[i]].id);
        for (int64_t k = 0; c->sound && k < fig_view_count(view); k++)
            c->sound = !isnan(fig_view_number(view, k));
    }
    c->sound = c->sound && run;
    return c->sound;
}

/* One part, by structure; by running if that may be. */
static Outcome
ask_part(Changed *c, const FigExpr *expr, bool may_run)
{
    g_autoptr(FigArena) scratch = fig_arena_new();
    g_autoptr(FigDiag) silent = fig_diag_new();
    FigClaimEval e = {.claims = &c->claims, .diag = silent, .arena = scratch};
    FigClaimValue value;
    bool ok = fig_claim_eval(&e, expr, &value);
    if (!ok && e.wants_run && may_run && gives_numbers(c, &e, expr)) {
        e.wants_run = false;
        e.running = true;
        ok = fig_claim_eval(&e, expr, &value);
    }
    if (!ok || value.kind != FIG_CLAIM_TRUTH)
        return UNKNOWN;
    return value.truth ? HOLDS : FAILS;
}

static Outcome
ask(Changed *c, const FigExpr *expr, bool may_run)
{
    bool logical = expr->kind == FIG_EXPR_BINARY &&
                   (expr->sign == FIG_AND || expr->sign == FIG_OR);
    if (logical) {
        Outcome decides = expr->sign == FIG_AND ? FAILS : HOLDS;
        Outcome left = ask(c, expr->args[0], may_run);
        Outcome right = left == decides ? decides : ask(c, expr->args[1], may_run);
        return left == decides || right == decides ? decides
               : left == UNKNOWN                   ? UNKNOWN
                                                   : right;
    }
    if (expr->kind == FIG_EXPR_UNARY && expr->sign == FIG_NOT) {
        Outcome inner = ask(c, expr->args[0], may_run);
        return inner == UNKNOWN ? UNKNOWN : inner == HOLDS ? FAILS : HOLDS;
    }
    return ask_part(c, expr, may_run);
}

/* ---- the trial ---- */

/* Is all that a claim names still there? */
static bool
can_ask(const Tried *claim, const FigGraph *changed)
{
    GHashTableIter iter;
    gpointer id;
    g_hash_table_iter_init(&iter, claim->names);
    while (g_hash_table_iter_next(&iter, &id, NULL))
        if (fig_graph_value(changed, id) < 0 && fig_graph_node(changed, id) < 0)
            return false;
    return true;
}

/* Try a change with the claims that it is likely to break, or with the others; how many
 * claims still stand. */
static int
try_change(Trial *trial, const FigChange *change, bool likely)
{
    int standing = 0;
    Changed c;
    bool open = false, loads = true;
    for (int i = 0; i < trial->n_claims; i++) {
        Tried *claim = &trial->claims[i];
        standing += claim->expr != NULL;
        if (!claim->expr || !loads || is_likely(trial, claim, change) != likely)
            continue;
        if (!open) {
            trial->patience -= trial->graph->n_nodes;
            open = loads = changed_open(trial, change, &c);
            if (!loads)
                continue;
        }
        if (!can_ask(claim, c.graph))
            continue;
        claim->out->tried++;
        Outcome outcome = ask(&c, claim->expr, false);
        if (outcome == UNKNOWN && claim->runs)
            outcome = ask(&c, claim->expr, true);
        if (outcome != FAILS)
            continue;
        claim->out->kind = change->kind;
        claim->out->edit = change->edit;
        claim->expr = NULL;
        standing--;
    }
    if (open) {
        trial->patience -= (int64_t)c.graph->n_nodes * (1 + fig_claim_runs(&c.claims));
        changed_close(&c);
    }
    return standing;
}

/* A piece of a conjunction that speaks of no op and no value: the others carry it. */
static const FigExpr *
empty_piece(const FigGraph *graph, const FigExpr *expr)
{
    if (expr->kind == FIG_EXPR_BINARY && expr->sign == FIG_AND) {
        const FigExpr *left = empty_piece(graph, expr->args[0]);
        return left ? left : empty_piece(graph, expr->args[1]);
    }
    g_autoptr(GHashTable) names = g_hash_table_new(g_str_hash, g_str_equal);
    return gather(graph, expr, names) ? NULL : expr;
}

static void
begin(Trial *trial, int i, const FigRecordClaim *settled)
{
    const FigClaim *claim = &trial->graph->claims[i];
    Tried *tried = &trial->claims[i];
    g_autoptr(FigDiag) silent = fig_diag_new();
    tried->names = g_hash_table_new(g_str_hash, g_str_equal);
    if (!claim->that || !settled->holds)
        return;
    tried->runs = strcmp(settled->by, "run") == 0;
    tried->out->asked = true;
    const FigExpr *expr =
        claim->expr ? claim->expr : fig_expr_parse(claim->that, trial->arena, silent);
    if (!expr || !gather(trial->graph, expr, tried->names))
        return;
    const FigExpr *empty = empty_piece(trial->graph, expr);
    if (!empty) {
        tried->expr = expr;
        return;
    }
    g_autofree char *text = fig_expr_text(empty);
    tried->out->piece = fig_arena_strdup(trial->arena, text);
}

const FigTriedClaim *
fig_claims_try(const FigGraph *graph, const FigClaimOptions *options,
               const FigRecord *record, FigArena *arena)
{
    g_assert(record->n_claims == graph->n_claims);
    int n, standing = 0;
    FigTriedClaim *out = fig_arena_new_array(arena, FigTriedClaim, graph->n_claims);
    Trial trial = {.graph = graph,
                   .options = options,
                   .arena = arena,
                   .n_claims = graph->n_claims,
                   .claims = fig_arena_new_array(arena, Tried, graph->n_claims),
                   .patience = options->patience ? options->patience : PATIENCE};
    for (int i = 0; i < graph->n_claims; i++) {
        trial.claims[i].out = &out[i];
        begin(&trial, i, &record->claims[i]);
        standing += trial.claims[i].expr != NULL;
    }
    const FigChange *changes = standing ? fig_changes(graph, arena, &n) : NULL;
    for (int likely = 1; likely >= 0; likely--)
        for (int i = 0; standing && i < n && trial.patience > 0; i++)
            standing = try_change(&trial, &changes[i], likely);
    for (int i = 0; standing && i < graph->n_claims; i++)
        out[i].given_up =
            trial.claims[i].expr && (trial.patience <= 0 || n == FIG_MOST_CHANGES);
    for (int i = 0; i < graph->n_claims; i++)
        g_hash_table_unref(trial.claims[i].names);
    return out;
}
