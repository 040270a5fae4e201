/* SPDX-License-Identifier: MIT
 *
 * The runs behind claims about numbers: of the whole graph at probe dims, and of other
 * specs, in double with the plain kernels, each made when the first claim needs it and kept
 * for all.
 */
#include "check/claims-parts.h"

#include "exec/memory.h"
#include "exec/passes.h"
#include "exec/run.h"
#include "spec/load.h"

#include <string.h>

/* Another spec, with its own claims' machinery. */
typedef struct Other {
    FigArena *arena;
    FigGraph *graph;
    FigRecord *record; /* NULL: it cannot be run, which was reported */
    FigClaimOptions options;
    FigClaims claims;
} Other;

struct FigClaimRun {
    FigArena *arena;
    const FigSizes *sizes; /* NULL: there are none, which was reported */
    bool sought;
    GHashTable *runs; /* by the edits that hold: FigRun, NULL: failed, with a message */
    GHashTable *others;        /* by name: Other */
    int made;                  /* runs */
    const char *const *tables; /* all that the ops expose, "q_rope.cos"; NULL-ended */
};

static void
other_free(void *data)
{
    Other *other = data;
    if (other->record)
        fig_claims_close(&other->claims);
    fig_record_free(other->record);
    fig_graph_free(other->graph);
    fig_arena_free(other->arena);
    g_free(other);
}

static void
run_free(void *data)
{
    fig_run_free(data);
}

/* Every table of every op: at probe dims they are small. */
static const char *const *
tables_of(const FigGraph *graph, FigArena *arena)
{
    g_autoptr(GPtrArray) all = g_ptr_array_new();
    for (int n = 0; n < graph->n_nodes; n++) {
        const FigExpose *table = graph->nodes[n].op->exposes;
        for (; table && table->name; table++)
            g_ptr_array_add(
                all, fig_arena_printf(arena, "%s.%s", graph->nodes[n].id, table->name));
    }
    g_ptr_array_add(all, NULL);
    return fig_arena_copy(arena, all->pdata, all->len * sizeof(char *));
}

static FigClaimRun *
open_run(FigClaims *claims)
{
    if (!claims->run) {
        claims->run = g_new0(FigClaimRun, 1);
        claims->run->arena = fig_arena_new();
        claims->run->tables = tables_of(claims->graph, claims->run->arena);
        claims->run->runs =
            g_hash_table_new_full(g_str_hash, g_str_equal, g_free, run_free);
        claims->run->others =
            g_hash_table_new_full(g_str_hash, g_str_equal, g_free, other_free);
    }
    return claims->run;
}

int
fig_claim_runs(const FigClaims *claims)
{
    return claims->run ? claims->run->made : 0;
}

void
fig_claim_run_free(FigClaimRun *run)
{
    if (!run)
        return;
    g_hash_table_unref(run->runs);
    g_hash_table_unref(run->others);
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

/* A run with the edits that hold; and one more (may be NULL), which goes on from the run
 * without it. */
static FigRun *
make_run(FigClaimEval *e, const FigSizes *sizes, const FigRun *from,
         const FigEdit *last, const char *keep)
{
    g_autoptr(GArray) edits = g_array_new(FALSE, FALSE, sizeof(FigEdit));
    for (const FigClaimEdit *edit = e->edits; edit; edit = edit->outer)
        g_array_prepend_val(edits, edit->edit);
    int before = (int)edits->len;
    if (last)
        g_array_append_vals(edits, last, 1);
    const char *const kept[] = {keep, NULL};
    FigRunOptions options = {
        .numeric = true,
        .type = FIG_F64,
        .naive = true,
        .keep_all = !keep,
        .keep = keep ? kept : open_run(e->claims)->tables,
        .only_kept = keep,
        .from = from,
        .n_edits_from = before,
        .sizes = sizes,
        .seed = e->claims->options ? e->claims->options->seed : 0,
        .n_edits = (int)edits->len,
        .edits = (const FigEdit *)(void *)edits->data,
    };
    open_run(e->claims)->made++;
    return fig_run_new(e->claims->graph, &options, e->diag);
}

FigRun *
fig_claim_run_edited(FigClaimEval *e, const FigEdit *edit, const char *keep)
{
    FigRun *from = fig_claim_whole_run(e, NULL);
    return from ? make_run(e, fig_claim_sizes(e, NULL), from, edit, keep) : NULL;
}

FigRun *
fig_claim_whole_run(FigClaimEval *e, const FigExpr *at)
{
    FigClaimRun *run = open_run(e->claims);
    const FigSizes *sizes = fig_claim_sizes(e, at);
    if (!sizes)
        return NULL;
    g_autoptr(GString) key = g_string_new(NULL);
    for (const FigClaimEdit *edit = e->edits; edit; edit = edit->outer)
        g_string_append_printf(key, "%s\n", edit->text);
    void *found;
    if (g_hash_table_lookup_extended(run->runs, key->str, NULL, &found))
        return found;
    FigRun *made = make_run(e, sizes, NULL, NULL, NULL);
    g_hash_table_insert(run->runs, g_string_free(g_steal_pointer(&key), FALSE), made);
    return made;
}

const FigView *
fig_claim_view(FigClaimEval *e, const FigRun *run, int v)
{
    const FigGraph *graph = e->claims->graph;
    const FigValue *value = &graph->values[v];
    const FigSizes *sizes = fig_claim_sizes(e, NULL);
    if (value->repeat < 0 || !e->passes || e->passes->of != e->claims)
        return fig_run_value(run, value->id);
    for (int r = value->repeat; r >= 0; r = graph->groups[r].repeat)
        e->passes->asked[r] = true;
    return fig_run_pass(run, v,
                        fig_pass_number(graph, sizes, value->repeat, e->passes->pass));
}

/* What the run keeps under a name (of value v; -1: of a table), as an array. names has
 * those of its axes, or of rank axes of which it has the last. */
static bool
load_kept(FigClaimEval *e, const FigExpr *at, int v, const char *id, int rank,
          const char *const *names, FigClaimValue *out)
{
    if (!e->running) {
        e->wants_run = true;
        return false;
    }
    FigRun *run = fig_claim_whole_run(e, at);
    const FigView *view = !run    ? NULL
                          : v < 0 ? fig_run_value(run, id)
                                  : fig_claim_view(e, run, v);
    if (!view) {
        if (run)
            fig_diag_error(e->diag, at->span, "the run has no value ‘%s’", id);
        return false;
    }
    FigClaimArray array = {.rank = view->rank};
    for (int i = 0; i < view->rank; i++) {
        array.axis[i] = names[rank - view->rank + i];
        array.size[i] = view->size[i];
    }
    int64_t count = fig_claim_count(&array);
    double *data = fig_arena_new_array(e->arena, double, count);
    for (int64_t i = 0; i < count; i++)
        data[i] = fig_view_number(view, i);
    array.data = data;
    *out = (FigClaimValue){.kind = FIG_CLAIM_ARRAY, .executed = true, .array = array};
    fig_claim_otherwise(e, id, out);
    return true;
}

bool
fig_claim_load(FigClaimEval *e, const FigExpr *at, int v, FigClaimValue *out)
{
    const FigValue *value = &e->claims->graph->values[v];
    return load_kept(e, at, v, value->id, value->shape.rank,
                     fig_claim_axis_names(e->claims, v), out);
}

/* ---- tables ---- */

/* The op before the last dot, or -1. */
static int
op_of_table(const FigClaims *claims, const char *name)
{
    const char *dot = strrchr(name, '.');
    g_autofree char *id = dot ? g_strndup(name, (gsize)(dot - name)) : NULL;
    return id ? fig_graph_node(claims->graph, id) : -1;
}

bool
fig_claim_is_table(const FigClaims *claims, const char *name)
{
    return op_of_table(claims, name) >= 0;
}

static bool
unknown_table(FigClaimEval *e, const FigExpr *expr, const FigNode *node)
{
    const char *name = strrchr(expr->name, '.') + 1;
    FigMessage *message =
        fig_diag_error(e->diag, expr->span, "‘%s’ has no table ‘%s’", node->id, name);
    g_autoptr(GPtrArray) known = g_ptr_array_new();
    for (const FigExpose *t = node->op->exposes; t && t->name; t++)
        g_ptr_array_add(known, (gpointer)t->name);
    g_ptr_array_add(known, NULL);
    g_autofree char *all = g_strjoinv(", ", (char **)known->pdata);
    fig_message_note(message, *all ? "%s has %s" : "%s has none%s", node->op->name,
                     all);
    fig_message_suggest(message, name, (const char *const *)known->pdata);
    return false;
}

/* Axes are called as the op says, or as the axes of its result are. */
bool
fig_claim_table(FigClaimEval *e, const FigExpr *expr, FigClaimValue *out)
{
    const FigGraph *graph = e->claims->graph;
    const FigNode *node = &graph->nodes[op_of_table(e->claims, expr->name)];
    const FigExpose *table;
    int n;
    if (!fig_memory_exposure(graph, NULL, expr->name, &n, &table, NULL))
        return unknown_table(e, expr, node);
    const char *names[FIG_LIMIT_RANK] = {NULL};
    const char *const *own = fig_claim_axis_names(e->claims, node->writes[0]);
    g_auto(GStrv) words = g_strsplit(table->axes ? table->axes : "", " ", -1);
    for (int i = 0; words[i]; i++)
        names[i] = fig_arena_strdup(e->arena, words[i]);
    int rank = table->axes ? (int)g_strv_length(words)
                           : graph->values[node->writes[0]].shape.rank;
    return load_kept(e, expr, -1, expr->name, rank, table->axes ? names : own, out);
}

/* ---- another spec ---- */

/* The dims of the other spec that have the size they have here: those free in it, those
 * set here in place of a rule, and what its own rules would make another size. */
static const FigOverride *
same_dims(const FigGraph *graph, const FigGraph *other, const int64_t *here,
          const FigSizes *there, FigArena *arena)
{
    FigOverride *all = fig_arena_new_array(arena, FigOverride, other->n_dims + 1);
    int n = 0;
    for (int i = 0; i < other->n_dims; i++) {
        const FigDim *dim = &other->dims[i];
        int same = fig_graph_dim(graph, dim->id);
        bool ruled =
            dim->derived && !dim->overridden; /* by the spec's own expression */
        if (same < 0 || (ruled && there && dim->size == graph->dims[same].size &&
                         there->dim[i] == here[same]))
            continue;
        if (ruled && !there && !graph->dims[same].overridden)
            continue;
        all[n++] = (FigOverride){
            fig_arena_strdup(arena, dim->id),
            fig_arena_printf(arena, "%" G_GINT64_FORMAT, graph->dims[same].size)};
    }
    return all;
}

/* The sizes of the other spec in the run: of each dim that is here too, its size here. */
static const FigSizes *
same_sizes(const FigGraph *graph, const FigGraph *other, const int64_t *here,
           FigArena *arena, FigDiag *diag)
{
    int64_t *symbol =
        fig_arena_new_array(arena, int64_t, fig_algebra_symbols(other->algebra));
    for (int i = 0; i < other->n_dims; i++) {
        int same = fig_graph_dim(graph, other->dims[i].id);
        if (other->dims[i].symbol >= 0)
            symbol[other->dims[i].symbol] =
                same >= 0 ? here[same] : other->dims[i].size;
    }
    return fig_graph_sizes(other, symbol, arena, diag);
}

/* The first error of diag, without its place. */
static char *
first_error(const FigDiag *diag)
{
    g_autoptr(GString) text = g_string_new(NULL);
    fig_diag_print(diag, text, false);
    const char *error = strstr(text->str, "error: ");
    error = error ? error + strlen("error: ") : text->str;
    return g_strndup(error, strcspn(error, "\n"));
}

FigGraph *
fig_claim_load_other(const FigGraph *graph, const char *path, const FigSizes *here,
                     const FigOverride *set, FigArena *arena, const FigSizes **there,
                     FigDiag *diag)
{
    FigLoadOptions load = {.set = set, .bare = true, .parsed = graph};
    FigGraph *other = NULL;
    *there = NULL;
    for (int round = 0; round < 3; round++) {
        fig_graph_free(other);
        other = fig_spec_load(path, &load, diag);
        if (!other)
            return NULL;
        if (round > 0)
            *there =
                same_sizes(graph, other, here->dim, arena, round == 2 ? diag : NULL);
        load.dims = same_dims(graph, other, here->dim, *there, arena);
    }
    if (*there)
        return other;
    fig_graph_free(other);
    return NULL;
}

char *
fig_claim_other_path(FigClaimEval *e, const FigExpr *at, const char *name)
{
    g_auto(GStrv) shipped = fig_spec_shipped();
    if (!g_strv_contains((const char *const *)shipped, name)) {
        FigMessage *message =
            fig_diag_error(e->diag, at->span, "‘%s’ is no shipped spec", name);
        g_autofree char *all = g_strjoinv(", ", shipped);
        fig_message_note(message, "shipped are %s", all);
        fig_message_suggest(message, name, (const char *const *)shipped);
        return NULL;
    }
    return fig_spec_shipped_path(name);
}

void
fig_claim_report_other(FigClaimEval *e, const FigExpr *at, const char *name,
                       const FigDiag *diag)
{
    g_autofree char *why = first_error(diag);
    FigMessage *message = fig_diag_error(
        e->diag, at->span, "‘%s’ cannot run at the dims of this spec", name);
    fig_message_note(message, "%s", why);
}

static bool
run_other(const FigClaims *claims, Other *other, FigDiag *diag)
{
    other->options.seed = claims->options ? claims->options->seed : 0;
    FigRunOptions on_shapes = {0};
    FigRunOptions on_numbers = {.numeric = true,
                                .type = FIG_F64,
                                .naive = true,
                                .keep_all = true,
                                .keep = tables_of(other->graph, other->arena),
                                .sizes = other->options.probe,
                                .seed = other->options.seed};
    g_autoptr(FigRun) shapes = fig_run_new(other->graph, &on_shapes, diag);
    FigRun *numbers = shapes ? fig_run_new(other->graph, &on_numbers, diag) : NULL;
    if (!numbers)
        return false;
    other->record = fig_record_new(other->graph, shapes, numbers, NULL, NULL);
    fig_claims_open(&other->claims, other->graph, other->record, &other->options);
    g_hash_table_insert(open_run(&other->claims)->runs, g_strdup(""), numbers);
    return true;
}

FigClaims *
fig_claim_other(FigClaimEval *e, const FigExpr *at, const char *name)
{
    FigClaimRun *run = open_run(e->claims);
    Other *other = g_hash_table_lookup(run->others, name);
    if (other)
        return other->record ? &other->claims : NULL;
    g_autofree char *path = fig_claim_other_path(e, at, name);
    const FigSizes *sizes = path ? fig_claim_sizes(e, at) : NULL;
    if (!sizes)
        return NULL;
    g_autoptr(FigDiag) diag = fig_diag_new();
    other = g_new0(Other, 1);
    other->arena = fig_arena_new();
    g_hash_table_insert(run->others, g_strdup(name), other);
    other->graph = fig_claim_load_other(e->claims->graph, path, sizes, NULL,
                                        other->arena, &other->options.probe, diag);
    if (other->graph && run_other(e->claims, other, diag))
        return &other->claims;
    fig_claim_report_other(e, at, name, diag);
    return NULL;
}
