/* SPDX-License-Identifier: MIT
 *
 * conforms(): is a layer of a network the block that another spec is? The network is run,
 * its weights replaced by random ones on their way into each op, and what enters and
 * leaves every layer is kept. Then the block is run for each layer, in that layer's kind,
 * on what entered it and on the same weights by their names.
 */
#include "check/claims-parts.h"

#include "base/file.h"
#include "exec/fill.h"

#include <math.h>
#include <string.h>

enum {
    SIZES = 2, /* those of the run, and some that are all different */
};

static const double TOLERANCE = 1e-9;

/* What one layer did: the numbers of all values that were written in it, by their ids. */
typedef struct Layer {
    GHashTable *values; /* id → FigView */
} Layer;

typedef struct Proof {
    const FigGraph *graph; /* the network */
    int group;             /* whose layers are looked at, -1: the whole is one */
    uint64_t seed;
    FigArena *arena;
    GArray *layers; /* of Layer */
    int now;        /* the layer that runs */
    /* of the block's run */
    const FigGraph *block;
    /* the value of the network that enters a layer, NULL: its inputs */
    const char *enters;
    double most;
    const char *first; /* the first value that differs */
} Proof;

static Layer *
layer_now(const Proof *p)
{
    return &g_array_index(p->layers, Layer, (guint)p->now);
}

static FigView
copy(const Proof *p, const FigView *view)
{
    FigView out = fig_view_dense(NULL, view->type, view->rank, view->size);
    size_t bytes = (size_t)fig_view_count(&out) * fig_type_size(out.type);
    out.data = fig_arena_new_array(p->arena, char, MAX(bytes, 8));
    fig_view_copy(view, &out);
    return out;
}

/* Random numbers in place of a weight's or an input's, by its name and the layer; of a
 * matrix such that what it gives is as large as what it reads. */
static FigView
random_like(const Proof *p, const FigView *view, const char *id)
{
    g_autofree char *name = g_strdup_printf("%s in %d", id, p->now);
    FigView out = copy(p, view);
    double rows = out.rank > 1 ? (double)out.size[out.rank - 2] : 1;
    fig_fill_random(&out, p->seed, name, 1 / sqrt(rows));
    return out;
}

static bool
same_shape(const FigView *a, const FigView *b)
{
    return a->rank == b->rank &&
           memcmp(a->size, b->size, sizeof *a->size * (size_t)a->rank) == 0;
}

static bool
is_inside(const Proof *p, int node)
{
    return p->group < 0 || fig_graph_in_group(p->graph, node, p->group);
}

/* ---- the network ---- */

static void
before_network(int n, FigCall *call, FigView *in, void *data)
{
    Proof *p = data;
    const FigNode *node = &p->graph->nodes[n];
    if (!is_inside(p, n))
        return;
    if (p->group >= 0 && node->op->carries && node->repeat == p->group) {
        Layer layer = {g_hash_table_new(g_str_hash, g_str_equal)};
        p->now = (int)p->layers->len;
        g_array_append_val(p->layers, layer);
        return;
    }
    for (int i = 0; i < call->n_in; i++) {
        const FigValue *value = &p->graph->values[node->reads[i].value];
        if (value->from == FIG_FROM_WEIGHT ||
            (p->group < 0 && value->from == FIG_FROM_INPUT && !value->whole))
            in[i] = random_like(p, &in[i], value->id);
    }
}

static void
after_network(int n, const FigCall *call, void *data)
{
    Proof *p = data;
    const FigNode *node = &p->graph->nodes[n];
    for (int i = 0; i < call->n_out && is_inside(p, n); i++) {
        FigView *kept = fig_arena_new0(p->arena, FigView);
        *kept = copy(p, &call->out[i]);
        g_hash_table_insert(layer_now(p)->values,
                            (gpointer)p->graph->values[node->writes[i]].id, kept);
    }
}

static bool
run_network(Proof *p, const FigSizes *sizes, FigDiag *diag)
{
    const FigRunHook hook = {before_network, after_network, p};
    const FigRunOptions options = {.numeric = true,
                                   .type = FIG_F64,
                                   .naive = true,
                                   .sizes = sizes,
                                   .seed = p->seed,
                                   .hook = &hook};
    p->now = 0;
    if (p->group < 0) {
        Layer layer = {g_hash_table_new(g_str_hash, g_str_equal)};
        g_array_append_val(p->layers, layer);
    }
    g_autoptr(FigRun) run = fig_run_new(p->graph, &options, diag);
    return run != NULL;
}

/* ---- the block ---- */

static void
before_block(int n, FigCall *call, FigView *in, void *data)
{
    Proof *p = data;
    const FigNode *node = &p->block->nodes[n];
    for (int i = 0; i < call->n_in; i++) {
        const FigValue *value = &p->block->values[node->reads[i].value];
        const FigView *entered =
            p->enters ? g_hash_table_lookup(layer_now(p)->values, p->enters) : NULL;
        if (value->from == FIG_FROM_INPUT && entered && same_shape(entered, &in[i]))
            in[i] = *entered;
        else if (value->from == FIG_FROM_WEIGHT ||
                 (value->from == FIG_FROM_INPUT && !value->whole && !p->enters))
            in[i] = random_like(p, &in[i], value->id);
    }
}

/* The largest difference; INFINITY for another shape. */
static double
difference(const FigView *a, const FigView *b)
{
    double most = 0;
    if (!a || !same_shape(a, b))
        return INFINITY;
    for (int64_t i = 0; i < fig_view_count(a); i++) {
        double x = fig_view_number(a, i), y = fig_view_number(b, i);
        double apart = x == y ? 0 : fabs(x - y);
        most = fmax(most, isnan(apart) ? INFINITY : apart);
    }
    return most;
}

static void
after_block(int n, const FigCall *call, void *data)
{
    Proof *p = data;
    const FigNode *node = &p->block->nodes[n];
    for (int i = 0; i < call->n_out; i++) {
        const FigValue *value = &p->block->values[node->writes[i]];
        const FigView *there = g_hash_table_lookup(layer_now(p)->values, value->id);
        double apart = difference(there, &call->out[i]);
        if (there && apart > TOLERANCE && !p->first)
            p->first = fig_arena_strdup(p->arena, value->id);
        if (value->is_output)
            p->most = fmax(p->most, apart);
    }
}

/* The constants that the block has otherwise than this layer of the network. */
static const FigOverride *
other_constants(const Proof *p, const FigGraph *here, const FigGraph *block)
{
    FigOverride *set =
        fig_arena_new_array(p->arena, FigOverride, block->n_constants + 1);
    int n = 0;
    for (int c = 0; c < block->n_constants; c++) {
        int own = fig_graph_constant(here, block->constants[c].id);
        if (own < 0 || strcmp(here->constants[own].text, block->constants[c].text) == 0)
            continue;
        set[n++] = (FigOverride){fig_arena_strdup(p->arena, block->constants[c].id),
                                 fig_arena_strdup(p->arena, here->constants[own].text)};
    }
    return set;
}

/* The constant that says the kind of a layer first: others hang on it. */
static const FigOverride *
kind_alone(const Proof *p, const FigGraph *here)
{
    FigOverride *set = fig_arena_new_array(p->arena, FigOverride, 2);
    int constant = p->graph->kinds_constant;
    if (p->group >= 0 && constant >= 0)
        set[0] = (FigOverride){p->graph->constants[constant].id,
                               here->constants[constant].text};
    return set;
}

/* Run the block as a layer that is of this kind. */
static bool
run_block(Proof *p, const FigGraph *here, const char *path, const FigSizes *sizes,
          FigDiag *diag)
{
    const FigSizes *there = NULL;
    const FigOverride *set = kind_alone(p, here);
    g_autoptr(FigGraph) block =
        fig_claim_load_other(p->graph, path, sizes, set, p->arena, &there, diag);
    if (!block)
        return false;
    const FigOverride *more = other_constants(p, here, block);
    if (more->id) {
        GArray *all = g_array_new(TRUE, TRUE, sizeof(FigOverride));
        for (; set->id; set++)
            g_array_append_vals(all, set, 1);
        for (; more->id; more++)
            g_array_append_vals(all, more, 1);
        set = fig_arena_copy(p->arena, all->data, sizeof *set * (all->len + 1));
        g_array_unref(all);
        fig_graph_free(block);
        block =
            fig_claim_load_other(p->graph, path, sizes, set, p->arena, &there, diag);
        if (!block)
            return false;
    }
    const FigRunHook hook = {before_block, after_block, p};
    const FigRunOptions options = {.numeric = true,
                                   .type = FIG_F64,
                                   .naive = true,
                                   .sizes = there,
                                   .seed = p->seed,
                                   .hook = &hook};
    p->block = block;
    g_autoptr(FigRun) run = fig_run_new(block, &options, diag);
    p->block = NULL;
    return run != NULL;
}

/* ---- both ---- */

/* The value that each layer begins with. */
static const char *
entering(const FigGraph *graph, int group)
{
    for (int n = 0; n < graph->n_nodes; n++)
        if (graph->nodes[n].op->carries && graph->nodes[n].repeat == group)
            return graph->values[graph->nodes[n].writes[0]].id;
    return NULL;
}

static bool
prove(FigClaimEval *e, const FigClaimCall *call, const char *path, Proof *p,
      const FigSizes *sizes)
{
    g_autoptr(FigDiag) diag = fig_diag_new();
    g_autofree int64_t *pass = g_new0(int64_t, (gsize)p->graph->n_groups + 1);
    if (!run_network(p, sizes, diag)) {
        fig_claim_report_other(e, call->expr, p->graph->name, diag);
        return false;
    }
    for (p->now = 0; p->now < (int)p->layers->len; p->now++) {
        const FigGraph *here = p->graph;
        if (p->group >= 0) {
            pass[p->group] = p->now;
            here = fig_graph_in_pass(p->graph, p->graph->groups[p->group].first, pass,
                                     NULL);
        }
        if (!run_block(p, here, path, sizes, diag)) {
            fig_claim_report_other(e, call->arg[0], call->value[0].word, diag);
            return false;
        }
        if (p->most > TOLERANCE)
            break;
    }
    return true;
}

static void
forget_layers(Proof *p)
{
    for (guint i = 0; i < p->layers->len; i++)
        g_hash_table_unref(g_array_index(p->layers, Layer, i).values);
    g_array_set_size(p->layers, 0);
}

/* The repeat that the argument is, or -1: it is none, reported. */
static int
repeat_of(FigClaimEval *e, const FigExpr *arg, const FigClaimValue *set)
{
    const FigGraph *graph = e->claims->graph;
    int group = set->n_nodes ? graph->nodes[set->nodes[set->n_nodes - 1]].repeat : -1;
    if (group < 0)
        fig_diag_error(e->diag, arg->span, "a group that is repeated is wanted");
    return group;
}

bool
fig_claim_conforms(FigClaimEval *e, const FigClaimCall *call, FigClaimValue *out)
{
    const FigGraph *graph = e->claims->graph;
    if (!e->running) {
        e->wants_run = true;
        return false;
    }
    g_autofree char *path = fig_claim_other_path(e, call->arg[0], call->value[0].word);
    const FigSizes *sizes = path ? fig_claim_sizes(e, call->expr) : NULL;
    int group = call->arg[1] ? repeat_of(e, call->arg[1], &call->value[1]) : -1;
    if (!sizes || (call->arg[1] && group < 0))
        return false;
    g_autoptr(FigArena) arena = fig_arena_new();
    Proof p = {.graph = graph,
               .group = group,
               .seed = e->claims->options ? e->claims->options->seed : 0,
               .arena = arena,
               .layers = g_array_new(FALSE, TRUE, sizeof(Layer)),
               .enters = group >= 0 ? entering(graph, group) : NULL};
    bool done = true;
    for (int i = 0; i < SIZES && sizes && done && p.most <= TOLERANCE; i++) {
        done = prove(e, call, path, &p, sizes);
        if (done && p.most > TOLERANCE && p.first && e->found)
            g_string_append_printf(e->found,
                                   "%s‘%s’ is the first that differs in layer %d",
                                   e->found->len ? ", " : "", p.first, p.now);
        forget_layers(&p);
        sizes = fig_run_distinct(graph, i, arena);
    }
    g_array_unref(p.layers);
    fig_claim_note(e, TOLERANCE, p.most);
    *out = fig_claim_bool(p.most <= TOLERANCE);
    out->executed = true;
    return done;
}
