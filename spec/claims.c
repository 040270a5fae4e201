/* SPDX-License-Identifier: MIT
 *
 * The sentences of a spec: claims, with the expression that must hold, and notes.
 */
#include "spec/loader.h"

#include "base/num.h"
#include "spec/load.h"

#include <string.h>

/* The node of an op's id, or -1, reported. */
static int
claim_node(FigLoader *loader, const FigYaml *word)
{
    if (!fig_loader_scalar(loader, word, "‘at:’"))
        return -1;
    g_autoptr(GPtrArray) ids = g_ptr_array_new();
    for (guint i = 0; i < loader->ops->len; i++) {
        const FigOpDecl *decl = loader->ops->pdata[i];
        if (decl->replaced)
            continue;
        g_ptr_array_add(ids, (gpointer)decl->id);
        if (strcmp(decl->id, word->text) != 0)
            continue;
        if (decl->node >= 0)
            return decl->node;
        FigMessage *message =
            fig_diag_error(loader->diag, word->span,
                           "‘%s’ is switched off by its ‘when:’", word->text);
        fig_message_hint(message, "give the claim the same ‘when:’");
        return -1;
    }
    g_ptr_array_add(ids, NULL);
    const FigName *name = g_hash_table_lookup(loader->names, word->text);
    FigMessage *message =
        name ? fig_diag_error(loader->diag, word->span, "‘%s’ is %s, not an op",
                              word->text, name->what)
             : fig_diag_error(loader->diag, word->span, "there is no op ‘%s’",
                              word->text);
    fig_message_suggest(message, word->text, (const char *const *)ids->pdata);
    return -1;
}

/* One op or a list of them: the first bears the sentence. */
static bool
load_at(FigLoader *loader, const FigYaml *at, FigClaim *claim)
{
    if (at->kind != FIG_YAML_LIST) {
        claim->at = claim_node(loader, at);
        return claim->at >= 0;
    }
    if (at->count == 0) {
        fig_diag_error(loader->diag, at->span, "‘at:’ names no op");
        return false;
    }
    int *also = fig_arena_new_array(loader->arena, int, at->count);
    bool good = true;
    for (int i = 0; i < at->count; i++) {
        int node = claim_node(loader, at->items[i]);
        bool twice = node >= 0 && i > 0 && node == claim->at;
        for (int k = 0; k < claim->n_also; k++)
            twice = twice || (node >= 0 && also[k] == node);
        if (twice)
            fig_diag_error(loader->diag, at->items[i]->span, "‘%s’ stands there twice",
                           at->items[i]->text);
        if (i == 0)
            claim->at = node;
        else
            also[claim->n_also++] = node;
        good = good && node >= 0 && !twice;
    }
    claim->also = also;
    return good;
}

static bool
load_claim(FigLoader *loader, const FigYaml *map, GHashTable *ids, GArray *claims)
{
    static const char *const keys[] = {"id", "at", "say", "that", "must", "when", NULL};
    if (!fig_yaml_check_keys(map, keys, "a claim", loader->diag))
        return false;
    const FigYaml *id = fig_yaml_lookup(map, "id"), *at = fig_yaml_lookup(map, "at");
    const FigYaml *say = fig_yaml_lookup(map, "say"),
                  *that = fig_yaml_lookup(map, "that");
    if (!id || !say) {
        fig_diag_error(loader->diag, map->span, "a claim needs ‘%s:’",
                       id ? "say" : "id");
        return false;
    }
    if (!fig_loader_scalar(loader, id, "a claim's id"))
        return false;
    FigClaim claim = {.id = id->text, .span = id->span, .at = -1};
    bool good = fig_loader_words(loader, say, "‘say:’", &claim.say);
    if (g_hash_table_contains(ids, claim.id)) {
        fig_diag_error(loader->diag, id->span, "two claims are called ‘%s’", claim.id);
        good = false;
    }
    g_hash_table_add(ids, (gpointer)claim.id);
    bool on = true;
    if (!fig_loader_when(loader, map, &on) || !on)
        return good && !on;
    claim.must = fig_loader_bool(loader, map, "must", true);
    if (that && (claim.that = fig_loader_scalar(loader, that, "‘that:’")))
        claim.expr = fig_expr_parse(that, loader->arena, loader->diag);
    good = (!at || load_at(loader, at, &claim)) && good;
    g_array_append_val(claims, claim);
    return good && (!that || claim.expr);
}

/* A scalar that nobody wrote, at the place of one that somebody did. */
static FigYaml *
made_scalar(FigLoader *loader, const FigYaml *at, const char *text)
{
    FigYaml *scalar = fig_arena_copy(loader->arena, at, sizeof *at);
    scalar->text = fig_arena_strdup(loader->arena, text);
    scalar->quoted = true;
    scalar->verbatim = false;
    return scalar;
}

/* Is the family the word that the spec named by `conforms:` has for itself? Numbers prove
 * what is computed, not what it is called. */
static bool
check_family(FigLoader *loader, const FigYaml *at, const FigYaml *conforms)
{
    const FigGraph *graph = loader->graph;
    g_auto(GStrv) shipped = fig_spec_shipped();
    if (!g_strv_contains((const char *const *)shipped, graph->conforms))
        return true; /* the claim says that there is none */
    g_autofree char *path = fig_spec_shipped_path(graph->conforms);
    const FigLoadOptions plain = {.bare = true};
    g_autoptr(FigDiag) silent = fig_diag_new();
    g_autoptr(FigGraph) other = path ? fig_spec_load(path, &plain, silent) : NULL;
    if (!other || g_strcmp0(other->family, graph->family) == 0)
        return true;
    FigMessage *message =
        fig_diag_error(loader->diag, at->span, "‘%s’ is not the family of %s",
                       graph->family, graph->conforms);
    fig_message_note_at(message, conforms->span, "which this spec conforms to");
    if (other->family)
        fig_message_hint(message, "it is ‘family: %s’", other->family);
    return false;
}

/* Outside the shipped specs the family is a claim too: that every output is that of the
 * spec named by `conforms:`, or else a note that nothing proves. */
static bool
load_family(FigLoader *loader, GHashTable *ids, GArray *claims, FigText *note)
{
    const FigGraph *graph = loader->graph;
    const FigYaml *at = fig_yaml_lookup(loader->root, "family");
    const FigYaml *conforms = fig_yaml_lookup(loader->root, "conforms");
    if (conforms && !at) {
        FigMessage *message =
            fig_diag_error(loader->diag, conforms->span,
                           "‘conforms:’ proves a family, and there is none");
        fig_message_hint(message, "say it with ‘family:’");
        return false;
    }
    if (!graph->family || graph->shipped)
        return true;
    FigClaim claim = {.id = "family", .span = at->span, .must = true, .at = -1};
    claim.say.text = fig_arena_printf(loader->arena, "family: %s", graph->family);
    claim.say.at = made_scalar(loader, at, claim.say.text);
    if (!conforms) {
        *note = claim.say;
        return true;
    }
    if (!check_family(loader, at, conforms))
        return false;
    g_autoptr(GString) that = g_string_new(NULL);
    for (int i = 0; i < graph->n_outputs; i++) {
        const char *id =
            graph->outputs[i] < 0 ? "" : FIG_VALUE(loader, graph->outputs[i])->id;
        g_string_append_printf(that, "%sclose(run('%s', %s), %s, 1e-9)",
                               i ? " and " : "", graph->conforms, id, id);
    }
    while (g_hash_table_contains(ids, claim.id))
        claim.id = fig_arena_printf(loader->arena, "%s_", claim.id);
    claim.that = made_scalar(loader, conforms, that->str);
    claim.expr = fig_expr_parse(claim.that, loader->arena, loader->diag);
    g_array_append_val(claims, claim);
    return claim.expr != NULL;
}

/* family: a note before the others, if it has a text. */
static bool
load_notes(FigLoader *loader, FigText family)
{
    const FigYaml *list = fig_yaml_lookup(loader->root, "notes");
    if (list && !fig_loader_list(loader, list, "‘notes:’"))
        return false;
    bool good = true;
    int n = list ? list->count : 0, first = family.text != NULL;
    FigText *notes = fig_arena_new_array(loader->arena, FigText, n + 1);
    notes[0] = family;
    for (int i = 0; i < n; i++)
        good = fig_loader_words(loader, list->items[i], "a note", &notes[first + i]) &&
               good;
    loader->graph->notes = notes;
    loader->graph->n_notes = first + n;
    return good;
}

/* Dims fixed for the numeric run. */
static bool
load_probe(FigLoader *loader)
{
    const FigYaml *map = fig_yaml_lookup(loader->root, "probe");
    if (!map)
        return true;
    if (!fig_loader_map(loader, map, "‘probe:’ (dim: size)"))
        return false;
    FigGraph *graph = loader->graph;
    int *dims = fig_arena_new_array(loader->arena, int, MAX(map->count, 1));
    int64_t *sizes = fig_arena_new_array(loader->arena, int64_t, MAX(map->count, 1));
    bool good = true;
    for (int i = 0; i < map->count; i++) {
        const FigYaml *key = map->keys[i], *size = map->items[i];
        dims[i] = fig_graph_dim(graph, key->text);
        if (dims[i] < 0 || graph->dims[dims[i]].derived) {
            FigMessage *message =
                dims[i] < 0 ? fig_diag_error(loader->diag, key->span,
                                             "there is no dim ‘%s’", key->text)
                            : fig_diag_error(loader->diag, key->span,
                                             "‘%s’ follows from other dims", key->text);
            if (dims[i] < 0)
                fig_message_suggest(message, key->text,
                                    (const char *const *)loader->dim_ids->pdata);
            good = false;
        } else if (!fig_loader_scalar(loader, size, "a size") ||
                   !fig_num_read_integer(size->text, &sizes[i]) || sizes[i] < 1) {
            if (size->kind == FIG_YAML_SCALAR)
                fig_diag_error(loader->diag, size->span,
                               "a size is a whole number, at least 1, not ‘%s’",
                               size->text);
            good = false;
        }
    }
    graph->n_probe = map->count;
    graph->probe_dim = dims;
    graph->probe_size = sizes;
    return good;
}

bool
fig_load_claims(FigLoader *loader)
{
    bool good = true;
    if (loader->options->bare)
        return load_probe(loader);
    const FigYaml *list = fig_yaml_lookup(loader->root, "claims");
    g_autoptr(GArray) claims = g_array_new(FALSE, TRUE, sizeof(FigClaim));
    g_autoptr(GHashTable) ids = g_hash_table_new(g_str_hash, g_str_equal);
    if (list && fig_loader_list(loader, list, "‘claims:’")) {
        for (int i = 0; i < list->count; i++)
            good = load_claim(loader, list->items[i], ids, claims) && good;
    }
    FigText family = {0};
    good = load_family(loader, ids, claims, &family) && good;
    loader->graph->claims =
        fig_arena_copy(loader->arena, claims->data, claims->len * sizeof(FigClaim));
    loader->graph->n_claims = (int)claims->len;
    good = load_notes(loader, family) && good;
    return load_probe(loader) && good;
}
