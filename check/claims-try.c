/* SPDX-License-Identifier: MIT
 *
 * Is a claim worth its tick? Every small change of the model (changes.h) is tried until
 * each piece of the claim (claims-pieces.h), and the claim as a whole, was seen to hold and
 * to fail. A claim that none makes false says nothing about the model; one with a piece
 * that is always the same says less than it seems to.
 *
 * A changed model is loaded once for all claims that it is asked of. Claims are first tried
 * with changes that are likely to break them, then with all others, and what is settled
 * by structure before what runs. What cannot be asked of a changed model (an
 * op that the claim names is gone) or gives no numbers there breaks nothing.
 */
#include "check/changes.h"
#include "check/claims-parts.h"
#include "check/claims-pieces.h"

#include "exec/run.h"
#include "exec/shapes.h"

#include <math.h>
#include <string.h>

enum {
    PATIENCE = 300000,      /* a few seconds; no spec may hang the program */
    LARGEST_SIZE = 1 << 30, /* of a dim in a condition */
    OTHERWISE = 4,          /* ways in which a model could have answered */
};

/* One claim on trial. */
typedef struct Tried {
    FigPiece *claim; /* with all that it is made of; NULL: has no `that:`, or fails */
    bool standing;   /* changes are still to be tried */
    bool runs;       /* a part of it was settled by running */
    FigTriedClaim *out;
} Tried;

typedef struct Trial {
    const FigGraph *graph;
    const FigClaimOptions *options;
    const FigRecord *record;
    FigArena *arena;
    int n_claims;
    Tried *claims;
    int64_t patience; /* ops that may still be loaded and run */
} Trial;

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
is_likely(const Trial *trial, const Tried *tried, const FigChange *change)
{
    const FigGraph *graph = trial->graph;
    if (change->node < 0)
        return false;
    const FigNode *n = &graph->nodes[change->node];
    if (tried->runs && strcmp(change->kind, "drop") == 0 &&
        is_alone(graph, change->node))
        return true;
    GHashTable *names = tried->claim->names;
    bool named = g_hash_table_contains(names, n->id);
    for (int i = 0; i < n->n_writes; i++)
        named = named || g_hash_table_contains(names, graph->values[n->writes[i]].id);
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

/* Open a model that was loaded, which is closed with it; false: it is none. */
static bool
changed_open(const Trial *trial, FigGraph *graph, Changed *c)
{
    g_autoptr(FigDiag) silent = fig_diag_new();
    *c = (Changed){.graph = graph, .options = *trial->options};
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

/* How pieces are asked of a model. */
typedef struct Asking {
    Changed *model;
    bool may_run;
    int otherwise;         /* not 0: what it could have answered */
    bool asked, wants_run; /* one was; one could not be without running */
} Asking;

/* One piece, by structure; by running if that may be. */
static FigOutcome
ask(const FigPiece *piece, void *data)
{
    Asking *asking = data;
    Changed *c = asking->model;
    if (!fig_piece_fits(piece, c->graph))
        return FIG_UNKNOWN;
    asking->asked = true;
    g_autoptr(FigArena) scratch = fig_arena_new();
    g_autoptr(FigDiag) silent = fig_diag_new();
    FigClaimEval e = {.claims = &c->claims,
                      .diag = silent,
                      .arena = scratch,
                      .otherwise = asking->otherwise};
    FigClaimValue value;
    bool ok = fig_claim_eval(&e, piece->expr, &value);
    if (!ok && e.wants_run && !asking->may_run)
        asking->wants_run = true;
    if (!ok && e.wants_run && asking->may_run && gives_numbers(c, &e, piece->expr)) {
        e.wants_run = false;
        e.running = true;
        ok = fig_claim_eval(&e, piece->expr, &value);
    }
    if (!ok || value.kind != FIG_CLAIM_TRUTH)
        return FIG_UNKNOWN;
    return value.truth ? FIG_HOLDS : FIG_FAILS;
}

/* Look at a piece in a model; false: none of it could be asked there. */
static bool
look(FigPiece *piece, Changed *c, bool runs)
{
    Asking asking = {.model = c};
    fig_piece_look(piece, ask, &asking);
    if (asking.wants_run && runs) {
        asking.may_run = true;
        fig_piece_look(piece, ask, &asking);
    }
    return asking.asked;
}

/* ---- the trial ---- */

/* Try a change with the claims that it is likely to break, or with the others; how many
 * claims still stand. */
static int
try_change(Trial *trial, const FigChange *change, bool likely)
{
    int standing = 0;
    Changed c;
    bool open = false, loads = true;
    for (int i = 0; i < trial->n_claims; i++) {
        Tried *tried = &trial->claims[i];
        standing += tried->standing;
        if (!tried->standing || !loads || is_likely(trial, tried, change) != likely)
            continue;
        if (!open) {
            trial->patience -= trial->graph->n_nodes;
            open = loads = changed_open(
                trial, fig_change_load(trial->graph, change->edit, NULL), &c);
            if (!loads)
                continue;
        }
        FigPiece *claim = tried->claim;
        tried->out->tried += look(claim, &c, tried->runs);
        /* what takes away an op that the claim names does not break it */
        claim->failed =
            claim->failed && (tried->out->edit || fig_piece_fits(claim, c.graph));
        if (claim->failed && !tried->out->edit) {
            tried->out->kind = change->kind;
            tried->out->edit = change->edit;
        }
        tried->standing = fig_piece_pending(claim);
        standing -= !tried->standing;
    }
    if (open) {
        trial->patience -= (int64_t)c.graph->n_nodes * (1 + fig_claim_runs(&c.claims));
        changed_close(&c);
    }
    return standing;
}

/* ---- at other dims ---- */

/* The numbers that a piece speaks of, and what is next to them: a dim that it compares with
 * one is that, or is not. */
static void
add_numbers(const FigExpr *expr, GArray *numbers)
{
    for (int by = -1; expr->kind == FIG_EXPR_NUMBER && by <= 1; by++) {
        double near = expr->real + by;
        g_array_append_val(numbers, near);
    }
    for (int i = 0; i < expr->n_args; i++)
        if (expr->args[i])
            add_numbers(expr->args[i], numbers);
}

static void
add_words(const FigExpr *expr, GPtrArray *words)
{
    if (expr->kind == FIG_EXPR_STRING)
        g_ptr_array_add(words, (gpointer)expr->name);
    for (int i = 0; i < expr->n_args; i++)
        if (expr->args[i])
            add_words(expr->args[i], words);
}

/* Look at a piece in the model with other dims and constants than its own, which need not
 * fit each other: it speaks of these alone. */
static void
look_at(const Trial *trial, FigPiece *piece, const FigDim *dims,
        const FigConstant *constants)
{
    FigGraph other = *trial->graph;
    other.dims = (FigDim *)dims;
    other.constants = (FigConstant *)constants;
    Changed c = {.graph = &other, .options = *trial->options};
    fig_claims_open(&c.claims, &other, trial->record, &c.options);
    look(piece, &c, false);
    fig_claims_close(&c.claims);
}

/* … with a dim or constant that it names as another number or word: small and large ones,
 * those of other dims, those that the piece speaks of. */
static void
look_with(const Trial *trial, FigPiece *piece, const char *name)
{
    const FigGraph *graph = trial->graph;
    int dim = fig_graph_dim(graph, name), constant = fig_graph_constant(graph, name);
    g_autoptr(GArray) numbers = g_array_new(FALSE, FALSE, sizeof(double));
    g_autoptr(GPtrArray) words = g_ptr_array_new();
    FigDim *dims = fig_arena_copy(trial->arena, graph->dims,
                                  (size_t)graph->n_dims * sizeof(FigDim));
    FigConstant *constants =
        fig_arena_copy(trial->arena, graph->constants,
                       (size_t)graph->n_constants * sizeof(FigConstant));
    add_numbers(piece->expr, numbers);
    for (int i = 0; i < 2 * graph->n_dims; i++) {
        double size = (double)graph->dims[i / 2].size * (1 + i % 2);
        g_array_append_val(numbers, size);
    }
    for (double small = 1; small <= 3; small++)
        g_array_append_val(numbers, small);
    for (guint i = 0; i < numbers->len && !fig_piece_varies(piece); i++) {
        double number = g_array_index(numbers, double, i);
        if (dim >= 0 && !(number >= 1 && number <= LARGEST_SIZE))
            continue;
        if (dim >= 0)
            dims[dim].size = (int64_t)number;
        else
            constants[constant] = (FigConstant){
                .id = name, .kind = FIG_CONSTANT_NUMBER, .text = "", .real = number};
        look_at(trial, piece, dims, constants);
    }
    add_words(piece->expr, words);
    g_ptr_array_add(words, (gpointer) "none");
    g_ptr_array_add(words, (gpointer) "");
    for (guint i = 0; i < words->len && constant >= 0 && !fig_piece_varies(piece);
         i++) {
        constants[constant] = (FigConstant){
            .id = name, .kind = FIG_CONSTANT_WORD, .text = words->pdata[i]};
        look_at(trial, piece, dims, constants);
    }
}

static void
look_elsewhere(const Trial *trial, FigPiece *piece, const FigExpr *part)
{
    const FigGraph *graph = trial->graph;
    for (int i = 0; i < part->n_args && !fig_piece_varies(piece); i++)
        if (part->args[i])
            look_elsewhere(trial, piece, part->args[i]);
    if (part->kind != FIG_EXPR_NAME)
        return;
    if (fig_graph_dim(graph, part->name) >= 0 ||
        fig_graph_constant(graph, part->name) >= 0)
        look_with(trial, piece, part->name);
    else if (fig_constant_find(graph->constants, graph->n_constants, part->name))
        piece->held = piece->failed = true; /* a member of one is what it likes */
}

/* A side of an `or` may be a condition on dims and constants, or what holds under one: it
 * is another elsewhere. */
static void
try_conditions(const Trial *trial, FigPiece *piece)
{
    bool sides = true, any = false;
    for (int i = 0; i < 2 && piece->side[i]; i++) {
        try_conditions(trial, piece->side[i]);
        sides = sides && fig_piece_varies(piece->side[i]);
        any = any || piece->side[i]->condition;
    }
    if (piece->asserted || fig_piece_varies(piece))
        return;
    if (sides && any)
        piece->held = piece->failed = true;
    else
        look_elsewhere(trial, piece, piece->expr);
    piece->condition = fig_piece_varies(piece);
}

/* ---- all claims ---- */

static bool
has_alternative(const FigPiece *piece)
{
    return piece && (!piece->asserted || has_alternative(piece->side[0]) ||
                     has_alternative(piece->side[1]));
}

static void
name_piece(const Trial *trial, const FigPiece *piece, FigTriedClaim *out)
{
    if (!piece)
        return;
    g_autofree char *text = fig_expr_text(piece->written);
    out->piece = fig_arena_strdup(trial->arena, text);
    out->piece_at = piece->written->span;
    out->piece_holds = piece->held;
    out->piece_spoken = piece->spoken;
}

/* whole: the model as it is; NULL: it cannot be opened again. */
static void
begin(Trial *trial, int i, const FigRecordClaim *settled, Changed *whole)
{
    const FigClaim *said = &trial->graph->claims[i];
    Tried *tried = &trial->claims[i];
    g_autoptr(FigDiag) silent = fig_diag_new();
    if (!said->that || !settled->holds)
        return;
    tried->runs = strcmp(settled->by, "run") == 0;
    tried->out->asked = true;
    const FigExpr *expr =
        said->expr ? said->expr : fig_expr_parse(said->that, trial->arena, silent);
    if (!expr)
        return;
    FigPiece *claim = tried->claim = fig_piece_new(trial->graph, expr, trial->arena);
    /* a side of an `or` may be what it likes in the model as it is */
    if (whole && has_alternative(claim))
        look(claim, whole, tried->runs);
    Asking asking = {.model = whole, .may_run = tried->runs};
    for (int way = 1; whole && way <= OTHERWISE; way++) {
        asking.otherwise = way;
        fig_piece_doubt(claim, ask, &asking);
    }
    try_conditions(trial, claim);
    name_piece(trial, fig_piece_constant(claim, true), tried->out);
    tried->standing = claim->spoken && !tried->out->piece;
}

/* What is to be said of a claim when all changes were tried, or as many as may be. */
static void
end(Trial *trial, Tried *tried, bool more)
{
    FigTriedClaim *out = tried->out;
    if (tried->standing)
        try_conditions(trial, tried->claim);
    out->given_up = tried->standing && more;
    if (tried->standing && !out->given_up)
        name_piece(trial, fig_piece_constant(tried->claim, false), out);
    out->vacuous = out->asked && !out->given_up && (!out->edit || out->piece);
    fig_piece_free(tried->claim);
}

const FigTriedClaim *
fig_claims_try(const FigGraph *graph, const FigClaimOptions *options,
               const FigRecord *record, FigArena *arena)
{
    g_assert(record->n_claims == graph->n_claims);
    int n = 0, standing = 0;
    FigTriedClaim *out = fig_arena_new_array(arena, FigTriedClaim, graph->n_claims);
    Trial trial = {.graph = graph,
                   .options = options,
                   .record = record,
                   .arena = arena,
                   .n_claims = graph->n_claims,
                   .claims = fig_arena_new_array(arena, Tried, graph->n_claims),
                   .patience = options->patience ? options->patience : PATIENCE};
    Changed whole;
    bool open = changed_open(&trial, fig_change_load(graph, NULL, NULL), &whole);
    for (int i = 0; i < graph->n_claims; i++) {
        trial.claims[i].out = &out[i];
        begin(&trial, i, &record->claims[i], open ? &whole : NULL);
        standing += trial.claims[i].standing;
    }
    if (open)
        changed_close(&whole);
    const FigChange *changes = standing ? fig_changes(graph, arena, &n) : NULL;
    for (int likely = 1; likely >= 0; likely--)
        for (int i = 0; standing && i < n && trial.patience > 0; i++)
            standing = try_change(&trial, &changes[i], likely);
    bool more = trial.patience <= 0 || n == FIG_MOST_CHANGES;
    for (int i = 0; i < graph->n_claims; i++)
        end(&trial, &trial.claims[i], more);
    return out;
}
