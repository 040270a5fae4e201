/* SPDX-License-Identifier: MIT
 *
 * The edits of a variant, each at an element by its id:
 *
 *   - {after: merge, ops: [ … ]}          before: the same
 *   - {set: proj, in: [gated, W_proj]}    other keys stay; null takes one away
 *   - {drop: q_norm}                      what read it reads what it read
 *   - {replace: silu, op: gelu, in: gate} its place and id stay
 *
 * An element is an op, a group, a claim, a dim, a constant, an input or a weight; where
 * two have one id, "claims.scale" says which, and "mask.causal_mask" of ops that stand for
 * each other.
 */
#include "spec/extend.h"

#include <string.h>

/* Where an element stands: item number `index` of a list or map of a section. */
typedef struct Place {
    FigYaml *in;
    int index;
    const char *section;
} Place;

typedef struct Search {
    const char *id, *section, *op; /* section, op: NULL, any */
    Place place;
    int found;
    GPtrArray *ids; /* all there are */
    Place other;    /* a second one */
} Search;

static const char *const maps[] = {"dims", "constants", "inputs", "weights", NULL};
static const char *const sections[] = {"dims", "constants", "inputs", "weights",
                                       "ops",  "claims",    NULL};

static const char *
op_of(const FigYaml *item)
{
    const FigYaml *op = fig_yaml_lookup(item, "op");
    return op && op->kind == FIG_YAML_SCALAR ? op->text : NULL;
}

static void
meet(Search *search, FigYaml *in, int index, const char *section, const char *id)
{
    g_ptr_array_add(search->ids, (gpointer)id);
    if (strcmp(id, search->id) != 0 ||
        (search->section && strcmp(search->section, section) != 0) ||
        (search->op && g_strcmp0(op_of(in->items[index]), search->op) != 0))
        return;
    if (search->found++)
        search->other = (Place){in, index, section};
    else
        search->place = (Place){in, index, section};
}

static const char *
id_of(const FigYaml *item)
{
    const FigYaml *id = fig_yaml_lookup(item, "group");
    if (!id)
        id = fig_yaml_lookup(item, "id");
    return id && id->kind == FIG_YAML_SCALAR ? id->text : NULL;
}

static void
search_list(Search *search, FigYaml *list, const char *section)
{
    for (int i = 0; list && list->kind == FIG_YAML_LIST && i < list->count; i++) {
        const char *id = id_of(list->items[i]);
        if (id)
            meet(search, list, i, section, id);
        search_list(search, (FigYaml *)fig_yaml_lookup(list->items[i], "ops"), section);
    }
}

static void
search_all(Search *search, const FigYaml *root)
{
    for (int m = 0; maps[m]; m++) {
        FigYaml *map = fig_yaml_lookup(root, maps[m]);
        for (int i = 0; map && map->kind == FIG_YAML_MAP && i < map->count; i++)
            meet(search, map, i, maps[m], map->keys[i]->text);
    }
    search_list(search, fig_yaml_lookup(root, "ops"), "ops");
    search_list(search, fig_yaml_lookup(root, "claims"), "claims");
}

int
fig_graph_elements(const FigGraph *graph, const char *id)
{
    g_autoptr(GPtrArray) ids = g_ptr_array_new();
    Search search = {.id = id, .ids = ids};
    search_all(&search, graph->root);
    return search.found;
}

const FigYaml *
fig_graph_op_yaml(const FigGraph *graph, int node)
{
    g_autoptr(GPtrArray) ids = g_ptr_array_new();
    Search search = {.id = graph->nodes[node].id,
                     .section = "ops",
                     .op = graph->nodes[node].op->name,
                     .ids = ids};
    search_all(&search, graph->root);
    return search.found ? search.place.in->items[search.place.index] : NULL;
}

/* Find what a word names; false, reported. */
static bool
find(FigLoader *loader, const FigYaml *root, const FigYaml *word, Place *place)
{
    if (!fig_loader_scalar(loader, word, "an element's id"))
        return false;
    g_auto(GStrv) parts = g_strsplit(word->text, ".", 2);
    g_autoptr(GPtrArray) ids = g_ptr_array_new();
    Search search = {.id = word->text, .ids = ids};
    if (parts[0] && parts[1]) {
        bool section = g_strv_contains(sections, parts[0]);
        search.id = parts[section ? 1 : 0];
        *(section ? &search.section : &search.op) = parts[section ? 0 : 1];
    }
    search_all(&search, root);
    g_ptr_array_add(ids, NULL);
    if (search.found == 1) {
        *place = search.place;
        return true;
    }
    if (search.found == 0) {
        FigMessage *message = fig_diag_error(
            loader->diag, word->span, "there is nothing ‘%s’ to change", word->text);
        fig_message_suggest(message, search.id, (const char *const *)ids->pdata);
        return false;
    }
    FigMessage *message = fig_diag_error(loader->diag, word->span,
                                         "‘%s’ stands more than once", word->text);
    const Place *a = &search.place, *b = &search.other;
    const char *first = op_of(a->in->items[a->index]),
               *second = op_of(b->in->items[b->index]);
    if (strcmp(a->section, b->section) != 0)
        fig_message_hint(message, "‘%s.%s’ or ‘%s.%s’ says which", a->section,
                         search.id, b->section, search.id);
    else if (first && second)
        fig_message_hint(message, "‘%s.%s’ or ‘%s.%s’ says which", search.id, first,
                         search.id, second);
    return false;
}

/* ---- inserting ---- */

/* What an edit brings: the list or map under the section's key; NULL, reported. */
static const FigYaml *
brought(FigLoader *loader, const FigYaml *edit, const Place *place)
{
    const FigYaml *content = fig_yaml_lookup(edit, place->section);
    if (!content) {
        fig_diag_error(loader->diag, edit->span,
                       "‘%s:’ is wanted here, with what is added", place->section);
        return NULL;
    }
    if (content->kind == place->in->kind)
        return content;
    fig_diag_error(loader->diag, content->span, "‘%s:’ is a %s", place->section,
                   place->in->kind == FIG_YAML_LIST ? "list" : "map");
    return NULL;
}

static bool
insert(FigLoader *loader, const FigYaml *edit, const Place *place, int index)
{
    const char *const keys[] = {edit->keys[0]->text, place->section, NULL};
    if (!fig_yaml_check_keys(edit, keys, "this edit", loader->diag))
        return false;
    const FigYaml *content = brought(loader, edit, place);
    for (int i = 0; content && i < content->count; i++)
        fig_yaml_insert(loader->arena, place->in, index + i,
                        content->keys ? content->keys[i] : NULL, content->items[i]);
    return content != NULL;
}

/* ---- setting and replacing ---- */

/* A key without a value takes the key away; where there is none it is the rest of a text
 * with a comma. */
static bool
report_nothing(FigLoader *loader, const FigYaml *edit, int i, const FigYaml *element)
{
    FigMessage *message =
        fig_diag_error(loader->diag, edit->keys[i]->span,
                       "there is no ‘%s:’ to take away", edit->keys[i]->text);
    fig_message_note_at(message, element->span, "in this element");
    fig_message_hint(message, "a text with a comma stands in quotes here");
    return false;
}

static bool
set_keys(FigLoader *loader, const FigYaml *edit, const Place *place)
{
    FigYaml *element = place->in->items[place->index];
    if (!fig_loader_map(loader, element, "what is set"))
        return false;
    for (int i = 1; i < edit->count; i++) {
        int index = fig_yaml_index(element, edit->keys[i]->text);
        if (!fig_yaml_is_null(edit->items[i]))
            fig_yaml_set(loader->arena, element, edit->keys[i], edit->items[i]);
        else if (index >= 0)
            fig_yaml_remove(element, index);
        else
            return report_nothing(loader, edit, i, element);
    }
    return true;
}

static bool
replace(FigLoader *loader, const FigYaml *edit, const Place *place)
{
    const FigYaml *several = fig_yaml_lookup(edit, place->section);
    if (several) {
        if (!insert(loader, edit, place, place->index + 1))
            return false;
        fig_yaml_remove(place->in, place->index);
        return true;
    }
    FigYaml *old = place->in->items[place->index];
    FigYaml *made = fig_arena_new0(loader->arena, FigYaml);
    made->kind = FIG_YAML_MAP;
    made->span = edit->span;
    if (place->in->kind == FIG_YAML_LIST && !fig_yaml_lookup(edit, "id")) {
        int id = fig_yaml_index(old, "id");
        if (id < 0) {
            fig_diag_error(loader->diag, edit->span,
                           "‘%s:’ is wanted here, with what stands for the group",
                           place->section);
            return false;
        }
        fig_yaml_set(loader->arena, made, old->keys[id], old->items[id]);
    }
    for (int i = 1; i < edit->count; i++)
        fig_yaml_set(loader->arena, made, edit->keys[i], edit->items[i]);
    place->in->items[place->index] = made;
    return true;
}

/* ---- dropping ---- */

/* Call each for every name that ops read and every output. */
typedef void (*Visit)(FigYaml **word, void *data);

static void
visit_words(FigYaml *owner, const char *key, Visit visit, void *data)
{
    int index = fig_yaml_index(owner, key);
    if (index < 0)
        return;
    FigYaml *node = owner->items[index];
    if (node->kind == FIG_YAML_SCALAR)
        visit(&owner->items[index], data);
    for (int i = 0; i < node->count; i++) {
        if (node->items[i]->kind == FIG_YAML_SCALAR)
            visit(&node->items[i], data);
    }
}

static void
visit_ops(FigYaml *list, Visit visit, void *data)
{
    for (int i = 0; list && list->kind == FIG_YAML_LIST && i < list->count; i++) {
        visit_words(list->items[i], "in", visit, data);
        visit_ops((FigYaml *)fig_yaml_lookup(list->items[i], "ops"), visit, data);
    }
}

static void
visit_reads(FigYaml *root, Visit visit, void *data)
{
    visit_ops((FigYaml *)fig_yaml_lookup(root, "ops"), visit, data);
    visit_words(root, "outputs", visit, data);
    FigYaml *weights = (FigYaml *)fig_yaml_lookup(root, "weights");
    for (int i = 0; weights && weights->kind == FIG_YAML_MAP && i < weights->count; i++)
        visit_words(weights->items[i], "join", visit, data);
}

typedef struct Rename {
    FigArena *arena;
    const char *from, *to; /* to: NULL, only count */
    int times;
} Rename;

static void
rename_word(FigYaml **word, void *data)
{
    Rename *rename = data;
    if (strcmp((*word)->text, rename->from) != 0)
        return;
    rename->times++;
    if (!rename->to)
        return;
    FigYaml *renamed = fig_arena_copy(rename->arena, *word, sizeof **word);
    renamed->text = rename->to;
    renamed->verbatim = false;
    *word = renamed;
}

typedef struct Inputs {
    const FigYaml *weights;
    const char *activation;
    int activations;
    GPtrArray *weight_ids;
} Inputs;

static void
sort_input(FigYaml **word, void *data)
{
    Inputs *inputs = data;
    if (inputs->weights && fig_yaml_lookup(inputs->weights, (*word)->text)) {
        g_ptr_array_add(inputs->weight_ids, (gpointer)(*word)->text);
        return;
    }
    inputs->activation = (*word)->text;
    inputs->activations++;
}

/* A weight that nobody reads any more goes too, with the members of a join. */
static void
drop_weight(FigYaml *root, const char *id)
{
    FigYaml *weights = (FigYaml *)fig_yaml_lookup(root, "weights");
    Rename readers = {.from = id};
    visit_reads(root, rename_word, &readers);
    int index = fig_yaml_index(weights, id);
    if (readers.times || index < 0)
        return;
    const FigYaml *members = fig_yaml_lookup(weights->items[index], "join");
    fig_yaml_remove(weights, index);
    for (int i = 0; members && i < members->count; i++) {
        if (members->items[i]->kind == FIG_YAML_SCALAR)
            drop_weight(root, members->items[i]->text);
    }
}

/* Is there an op of this id in a list, or in a group of it? */
static bool
has_op(const FigYaml *ops, const char *id, size_t length)
{
    bool has = false;
    for (int i = 0; ops && ops->kind == FIG_YAML_LIST && i < ops->count && !has; i++) {
        const FigYaml *own = fig_yaml_lookup(ops->items[i], "id");
        has = (own && own->kind == FIG_YAML_SCALAR && strlen(own->text) == length &&
               memcmp(own->text, id, length) == 0) ||
              has_op(fig_yaml_lookup(ops->items[i], "ops"), id, length);
    }
    return has;
}

/* The names of the tables of ops that are gone go with them. */
static void
drop_tables(FigYaml *root)
{
    FigYaml *tables = fig_yaml_lookup(root, "tables");
    for (int i = tables && tables->kind == FIG_YAML_MAP ? tables->count - 1 : -1;
         i >= 0; i--) {
        const char *key = tables->keys[i]->text;
        if (!has_op(fig_yaml_lookup(root, "ops"), key, strcspn(key, ".")))
            fig_yaml_remove(tables, i);
    }
}

/* An op that is dropped is bypassed: who read its result reads what it read. */
static bool
drop_op(FigLoader *loader, FigYaml *root, const FigYaml *word, const Place *place)
{
    FigYaml *op = place->in->items[place->index];
    const FigYaml *out = fig_yaml_lookup(op, "out");
    const char *result = !out                           ? id_of(op)
                         : out->kind == FIG_YAML_SCALAR ? out->text
                                                        : NULL;
    g_autoptr(GPtrArray) weight_ids = g_ptr_array_new();
    Inputs inputs = {.weights = fig_yaml_lookup(root, "weights"),
                     .weight_ids = weight_ids};
    visit_words(op, "in", sort_input, &inputs);
    fig_yaml_remove(place->in, place->index);
    Rename readers = {.arena = loader->arena, .from = result ? result : ""};
    visit_reads(root, rename_word, &readers);
    if (readers.times && inputs.activations != 1) {
        FigMessage *message = fig_diag_error(
            loader->diag, word->span,
            "‘%s’ is still read, and what it reads is not one value", word->text);
        fig_message_hint(message, "‘replace:’ puts another op there");
        return false;
    }
    readers.to = inputs.activation;
    visit_reads(root, rename_word, &readers);
    for (guint i = 0; i < weight_ids->len; i++)
        drop_weight(root, weight_ids->pdata[i]);
    return true;
}

static bool
drop(FigLoader *loader, FigYaml *root, const FigYaml *edit, const Place *place)
{
    static const char *const keys[] = {"drop", NULL};
    if (!fig_yaml_check_keys(edit, keys, "this edit", loader->diag))
        return false;
    const FigYaml *element = place->in->items[place->index];
    bool ops = strcmp(place->section, "ops") == 0, good = true;
    if (ops && !fig_yaml_lookup(element, "group"))
        good = drop_op(loader, root, edit->items[0], place);
    else
        fig_yaml_remove(place->in, place->index);
    if (ops)
        drop_tables(root);
    return good;
}

/* ---- the list ---- */

static bool
apply(FigLoader *loader, FigYaml *root, const FigYaml *edit)
{
    static const char *const verbs[] = {"after", "before",  "set",
                                        "drop",  "replace", NULL};
    if (!fig_loader_map(loader, edit, "an edit"))
        return false;
    const char *verb = edit->count ? edit->keys[0]->text : "";
    if (!g_strv_contains(verbs, verb)) {
        FigMessage *message =
            fig_diag_error(loader->diag, edit->count ? edit->keys[0]->span : edit->span,
                           "an edit starts with after, before, set, drop or replace");
        fig_message_suggest(message, verb, verbs);
        return false;
    }
    Place place;
    if (!find(loader, root, edit->items[0], &place))
        return false;
    switch (verb[0]) {
    case 'a':
        return insert(loader, edit, &place, place.index + 1);
    case 'b':
        return insert(loader, edit, &place, place.index);
    case 's':
        return set_keys(loader, edit, &place);
    case 'd':
        return drop(loader, root, edit, &place);
    default:
        return replace(loader, edit, &place);
    }
}

bool
fig_spec_edit(FigLoader *loader, FigYaml *root, const FigYaml *edits)
{
    if (!fig_loader_list(loader, edits, "‘edit:’"))
        return false;
    bool good = true;
    for (int i = 0; i < edits->count; i++)
        good = apply(loader, root, edits->items[i]) && good;
    return good;
}
