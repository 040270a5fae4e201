/* SPDX-License-Identifier: MIT
 *
 * Layers of several kinds: `kinds: {kind: [window, window, full]}` of a repeat says what a
 * constant is in one layer after the other, round and round; a config may say it in its
 * place. Whatever hangs on that constant (a `when:`, an attribute, another constant) may
 * then differ from layer to layer. The spec is loaded once for each kind: the graphs have
 * the same values and the same ops in the same places, of which some do something else.
 */
#include "spec/loader.h"

#include <string.h>

/* ---- as written ---- */

static bool
find_in(FigLoader *loader, const FigYaml *ops)
{
    for (int i = 0; ops && ops->kind == FIG_YAML_LIST && i < ops->count; i++) {
        const FigYaml *kinds = fig_yaml_lookup(ops->items[i], "kinds");
        if (kinds && loader->kinds) {
            FigMessage *message = fig_diag_error(loader->diag, kinds->span,
                                                 "a spec has one ‘kinds:’ at most");
            fig_message_note_at(message, loader->kinds->span, "here is the first");
            return false;
        }
        loader->kinds = kinds ? kinds : loader->kinds;
        if (!find_in(loader, fig_yaml_lookup(ops->items[i], "ops")))
            return false;
    }
    return true;
}

bool
fig_load_find_kinds(FigLoader *loader)
{
    if (!find_in(loader, fig_yaml_lookup(loader->root, "ops")))
        return false;
    const FigYaml *kinds = loader->kinds;
    if (!kinds)
        return true;
    if (!fig_loader_map(loader, kinds, "‘kinds:’ (constant: words)"))
        return false;
    if (kinds->count != 1) {
        fig_diag_error(loader->diag, kinds->span, "‘kinds:’ speaks of one constant");
        return false;
    }
    if (!fig_loader_list(loader, kinds->items[0], "what the constant is in each layer"))
        return false;
    for (int i = 0; i < kinds->items[0]->count; i++)
        if (!fig_loader_scalar(loader, kinds->items[0]->items[i], "a word"))
            return false;
    if (kinds->items[0]->count > 0)
        return true;
    fig_diag_error(loader->diag, kinds->items[0]->span, "there is no kind here");
    return false;
}

const FigYaml *
fig_loader_kind(FigLoader *loader, const char *id, const FigYaml *list)
{
    const FigYaml *kinds = loader->kinds;
    if (!kinds || strcmp(kinds->keys[0]->text, id) != 0)
        return NULL;
    if (!list)
        list = kinds->items[0];
    if (list->count == 0)
        return NULL;
    return list->items[MAX(loader->options->layer, 0) % list->count];
}

/* ---- the graphs ---- */

/* The repeat that has the `kinds:`, or -1. */
static int
group_of_kinds(const FigLoader *loader)
{
    const FigGraph *graph = loader->graph;
    for (int g = 0; g < graph->n_groups; g++)
        if (graph->groups[g].kinds)
            return graph->groups[g].count ? g : -1;
    return -1;
}

/* Does a node of the other graph stand in the same place and read and write the same? */
static bool
same_place(const FigNode *a, const FigNode *b)
{
    bool same = strcmp(a->id, b->id) == 0 && a->n_reads == b->n_reads &&
                a->n_writes == b->n_writes && a->group == b->group &&
                a->op->kind == b->op->kind && !a->op->view == !b->op->view;
    for (int i = 0; same && i < a->n_reads; i++)
        same = a->reads[i].value == b->reads[i].value;
    for (int i = 0; same && i < a->n_writes; i++)
        same = a->writes[i] == b->writes[i];
    return same;
}

static bool
same_value(const FigValue *a, const FigValue *b)
{
    return strcmp(a->id, b->id) == 0 && a->from == b->from && a->node == b->node &&
           a->repeat == b->repeat && a->shape.rank == b->shape.rank &&
           memcmp(a->size, b->size, sizeof a->size) == 0;
}

/* Is the other graph this one, but for what ops do? */
static bool
check_same(FigLoader *loader, const FigGraph *other, const char *word)
{
    const FigGraph *graph = loader->graph;
    const char *where = NULL;
    FigSpan at = loader->kinds->span;
    for (int n = 0; n < MIN(graph->n_nodes, other->n_nodes) && !where; n++)
        if (!same_place(&graph->nodes[n], &other->nodes[n])) {
            where = graph->nodes[n].id;
            at = graph->nodes[n].span;
        }
    for (int v = 0; v < MIN(graph->n_values, other->n_values) && !where; v++)
        if (!same_value(&graph->values[v], &other->values[v])) {
            where = graph->values[v].id;
            at = graph->values[v].span;
        }
    if (!where && graph->n_nodes == other->n_nodes &&
        graph->n_values == other->n_values && graph->n_dims == other->n_dims)
        return true;
    FigMessage *message =
        fig_diag_error(loader->diag, at, "layers of kind ‘%s’ differ in ‘%s’", word,
                       where ? where : graph->nodes[graph->n_nodes - 1].id);
    fig_message_note(message,
                     "they may differ in what an op does, not in what it reads "
                     "and writes, its kind or its shapes");
    return false;
}

/* The index of a kind; a new one is loaded when it is the first of its word. -1, reported. */
static int
add_kind(FigLoader *loader, FigGraph *other)
{
    FigGraph *graph = loader->graph;
    const char *word = other->constants[graph->kinds_constant].text;
    for (int k = 0; k < graph->n_kinds; k++)
        if (strcmp(graph->kinds[k].word, word) == 0) {
            fig_graph_free(other);
            return k;
        }
    if (!check_same(loader, other, word)) {
        fig_graph_free(other);
        return -1;
    }
    FigLayers *kinds =
        fig_arena_new_array(loader->arena, FigLayers, graph->n_kinds + 1);
    memcpy(kinds, graph->kinds, sizeof *kinds * (size_t)graph->n_kinds);
    kinds[graph->n_kinds] = (FigLayers){fig_arena_strdup(loader->arena, word), other};
    graph->kinds = kinds;
    return graph->n_kinds++;
}

/* An earlier layer of which the list says the same, or -1; it comes round again. */
static int
written_before(const FigYaml *list, int layer)
{
    if (layer >= list->count)
        return layer - list->count;
    for (int i = 0; i < layer; i++)
        if (list->items[i]->kind == FIG_YAML_SCALAR &&
            list->items[layer]->kind == FIG_YAML_SCALAR &&
            strcmp(list->items[i]->text, list->items[layer]->text) == 0)
            return i;
    return -1;
}

/* After how many layers do the kinds come round again? */
static int
period_of(const int *kind_of, int n)
{
    for (int period = 1; period < n; period++) {
        bool again = true;
        for (int p = period; p < n && again; p++)
            again = kind_of[p] == kind_of[p - period];
        if (again)
            return period;
    }
    return n;
}

bool
fig_load_kinds(FigLoader *loader,
               FigGraph *(*load)(FigLoader *loader, const FigLoadOptions *options,
                                 FigDiag *diag))
{
    FigGraph *graph = loader->graph;
    if (!loader->kinds)
        return true;
    const FigYaml *word = loader->kinds->keys[0];
    graph->kinds_group = group_of_kinds(loader);
    graph->kinds_constant = fig_graph_constant(graph, word->text);
    if (graph->kinds_group < 0 || graph->kinds_constant < 0) {
        fig_diag_error(loader->diag, word->span,
                       graph->kinds_group < 0 ? "the passes of a repeat have kinds: "
                                                "‘repeat:’ is missing"
                                              : "there is no constant ‘%s’",
                       word->text);
        return false;
    }
    int passes = (int)graph->groups[graph->kinds_group].passes;
    graph->kind_of = fig_arena_new_array(loader->arena, int, passes);
    graph->kinds = fig_arena_new_array(loader->arena, FigLayers, 1);
    graph->kinds[0] = (FigLayers){graph->constants[graph->kinds_constant].text, graph};
    graph->n_kinds = 1;
    /* without a config the kinds of the spec come round again */
    bool config = loader->options->config != NULL;
    const FigYaml *preset = fig_preset_kinds(loader, word->text);
    const FigYaml *written = preset ? preset : loader->kinds->items[0];
    bool set = fig_override_find(loader->options->set, word->text) != NULL;
    for (int p = 1; p < passes; p++) {
        int like = config || set ? -1 : written_before(written, p);
        if (like >= 0) {
            graph->kind_of[p] = graph->kind_of[like];
            continue;
        }
        FigLoadOptions options = *loader->options;
        options.layer = p;
        options.one_kind = true;
        options.parsed = graph;
        g_autoptr(FigDiag) diag = fig_diag_new();
        FigGraph *other = load(loader, &options, diag);
        if (!other) {
            g_autoptr(GString) said = g_string_new(NULL);
            fig_diag_print(diag, said, false);
            FigMessage *message = fig_diag_error(loader->diag, loader->kinds->span,
                                                 "layer %d cannot be loaded", p);
            fig_message_note(message, "%.*s", (int)strcspn(said->str, "\n"), said->str);
            return false;
        }
        graph->kind_of[p] = add_kind(loader, other);
        if (graph->kind_of[p] < 0)
            return false;
    }
    graph->period = period_of(graph->kind_of, passes);
    return true;
}
