/* SPDX-License-Identifier: MIT
 *
 * `extends: NAME`: the base is read, the variant's maps are laid over its maps key by key,
 * its claims and notes come after, and its `edit:` changes what is left. A variant from a
 * file may name a file beside it; a text (the spec in a stranger's figure) only what it
 * carries along, or a spec that the program ships. What a network uses as its block is found
 * in the same way (block.c).
 */
#include "spec/extend.h"

#include "base/file.h"

#include <string.h>

#define SEPARATOR "\n--- # extended: "

enum {
    MOST_DOCUMENTS = 8, /* a chain longer than this is a circle */
};

/* ---- nodes that change ---- */

int
fig_yaml_index(const FigYaml *map, const char *key)
{
    for (int i = 0; map->kind == FIG_YAML_MAP && i < map->count; i++) {
        if (strcmp(map->keys[i]->text, key) == 0)
            return i;
    }
    return -1;
}

void
fig_yaml_insert(FigArena *arena, FigYaml *node, int index, FigYaml *key, FigYaml *item)
{
    int n = node->count;
    FigYaml **items = fig_arena_new_array(arena, FigYaml *, n + 1);
    FigYaml **keys = fig_arena_new_array(arena, FigYaml *, n + 1);
    for (int i = 0; i <= n; i++) {
        int from = i < index ? i : i - 1;
        items[i] = i == index ? item : node->items[from];
        if (node->kind == FIG_YAML_MAP)
            keys[i] = i == index ? key : node->keys[from];
    }
    node->items = items;
    node->keys = node->kind == FIG_YAML_MAP ? keys : NULL;
    node->count = n + 1;
}

void
fig_yaml_remove(FigYaml *node, int index)
{
    node->count--;
    for (int i = index; i < node->count; i++) {
        node->items[i] = node->items[i + 1];
        if (node->kind == FIG_YAML_MAP)
            node->keys[i] = node->keys[i + 1];
    }
}

void
fig_yaml_set(FigArena *arena, FigYaml *map, FigYaml *key, FigYaml *item)
{
    int index = fig_yaml_index(map, key->text);
    if (index >= 0) {
        map->keys[index] = key;
        map->items[index] = item;
    } else {
        fig_yaml_insert(arena, map, map->count, key, item);
    }
}

/* ---- the chain as one text ---- */

static void
add_document(FigLoader *loader, const char *name, const char *path, const char *called,
             const char *text, size_t length)
{
    FigSource *source = fig_arena_new0(loader->arena, FigSource);
    source->name = fig_arena_strdup(loader->arena, name);
    source->text = fig_arena_strndup(loader->arena, text, length);
    source->length = length;
    FigDocument document = {
        .source = source,
        .called = fig_arena_strdup(loader->arena, called),
        .path = fig_arena_strdup(loader->arena, path),
    };
    g_array_append_val(loader->documents, document);
}

static FigDocument *
document_at(FigLoader *loader, int index)
{
    return &g_array_index(loader->documents, FigDocument, (guint)index);
}

void
fig_spec_part(FigLoader *loader, const char *name, const char *path, const char *text,
              size_t length)
{
    const char *start = text, *end = text + length;
    g_autofree char *called = NULL, *shown = g_strdup(name);
    for (;;) {
        const char *next = g_strstr_len(start, end - start, SEPARATOR);
        /* the line break belongs to the document before it */
        size_t size = next ? (size_t)(next - start) + 1 : (size_t)(end - start);
        add_document(loader, shown, called ? NULL : path, called, start, size);
        if (!next || loader->documents->len == MOST_DOCUMENTS)
            return;
        start = next + strlen(SEPARATOR);
        size_t line = strcspn(start, "\n");
        g_free(called);
        called = g_strndup(start, line);
        g_free(shown);
        shown = g_strdup_printf("%s, %s", name, called);
        start += line + (start[line] == '\n');
    }
}

const char *
fig_spec_join(FigLoader *loader, size_t *length)
{
    g_autoptr(GString) text = g_string_new(NULL);
    for (guint i = 0; i < loader->documents->len; i++) {
        const FigDocument *document = document_at(loader, (int)i);
        if (i > 0)
            /* every document but the last ends with the line break of the separator */
            g_string_append_printf(text, "%s%s\n",
                                   &SEPARATOR[g_str_has_suffix(text->str, "\n")],
                                   document->called);
        g_string_append_len(text, document->source->text,
                            (gssize)document->source->length);
    }
    *length = text->len;
    return fig_arena_strndup(loader->arena, text->str, text->len);
}

/* ---- reading ---- */

static const FigParsed *
parsed_before(const FigGraph *graph, const FigSource *source)
{
    for (int i = 0; graph && i < graph->n_parsed; i++) {
        const FigSource *other = graph->parsed[i].source;
        if (other->length == source->length &&
            memcmp(other->text, source->text, source->length) == 0)
            return &graph->parsed[i];
    }
    return NULL;
}

FigYaml *
fig_spec_read(FigLoader *loader, int index)
{
    FigDocument *document = document_at(loader, index);
    const FigParsed *before = parsed_before(loader->options->parsed, document->source);
    FigParsed parsed = {document->source, NULL};
    if (before)
        parsed = *before;
    else
        parsed.root = fig_yaml_read(document->source, loader->arena, loader->diag);
    if (!parsed.root)
        return NULL;
    document->source = parsed.source; /* which the nodes speak of */
    g_array_append_val(loader->parsed, parsed);
    return fig_yaml_copy(parsed.root, loader->arena);
}

/* ---- finding the base ---- */

static void
report_no_base(FigLoader *loader, const FigYaml *word, const char *purpose)
{
    FigMessage *message = fig_diag_error(
        loader->diag, word->span, "there is no spec ‘%s’ to %s", word->text, purpose);
    g_auto(GStrv) shipped = fig_spec_shipped();
    g_autofree char *all = g_strjoinv(", ", shipped);
    fig_message_note(message, "shipped are %s", all);
    fig_message_suggest(message, word->text, (const char *const *)shipped);
}

/* The path of a shipped spec, or of a file beside the one that names it; NULL: none. */
static char *
base_path(const FigDocument *from, const char *name)
{
    char *shipped = fig_spec_shipped_path(name);
    if (shipped || !from->path)
        return shipped;
    g_autofree char *folder = g_path_get_dirname(from->path);
    char *path = g_path_is_absolute(name) ? g_strdup(name)
                                          : g_build_filename(folder, name, NULL);
    if (g_file_test(path, G_FILE_TEST_IS_REGULAR))
        return path;
    g_free(path);
    return NULL;
}

/* Make the spec that document `index` names the next document. */
static bool
find_base(FigLoader *loader, int index, const FigYaml *word, const char *purpose)
{
    const FigDocument *from = document_at(loader, index);
    int next = loader->n_read++;
    if (next < (int)loader->documents->len) {
        const FigDocument *carried = document_at(loader, next);
        if (strcmp(carried->called, word->text) == 0)
            return true;
        FigMessage *message = fig_diag_error(
            loader->diag, word->span, "the spec behind this one is ‘%s’, not ‘%s’",
            carried->called, word->text);
        fig_message_note(message, "what is extended follows in the same text");
        return false;
    }
    if (loader->documents->len == MOST_DOCUMENTS) {
        fig_diag_error(loader->diag, word->span,
                       "specs that extend specs, more than %d", MOST_DOCUMENTS);
        return false;
    }
    g_autofree char *path = base_path(from, word->text);
    g_autofree char *text = NULL;
    g_autoptr(GError) error = NULL;
    size_t length;
    if (!path) {
        report_no_base(loader, word, purpose);
        return false;
    }
    if (!fig_file_read(path, FIG_LIMIT_FILE, &text, &length, &error)) {
        fig_diag_error(loader->diag, word->span, "%s", error->message);
        return false;
    }
    add_document(loader, path, path, word->text, text, length);
    return true;
}

/* ---- laying one over the other ---- */

void
fig_yaml_lay_over(FigArena *arena, FigYaml *under, const FigYaml *over)
{
    for (int i = 0; i < over->count; i++) {
        int index = fig_yaml_index(under, over->keys[i]->text);
        FigYaml *old = index >= 0 ? under->items[index] : NULL;
        if (old && old->kind == FIG_YAML_MAP && over->items[i]->kind == FIG_YAML_MAP)
            fig_yaml_lay_over(arena, old, over->items[i]);
        else
            fig_yaml_set(arena, under, over->keys[i], over->items[i]);
    }
}

static void
append_items(FigArena *arena, FigYaml *list, const FigYaml *more)
{
    for (int i = 0; i < more->count; i++)
        fig_yaml_insert(arena, list, list->count, NULL, more->items[i]);
}

static bool
combine(FigLoader *loader, FigYaml *base, const FigYaml *variant)
{
    static const char *const own[] = {"extends", "edit", NULL};
    static const char *const added[] = {"claims", "notes", NULL};
    for (int i = 0; i < variant->count; i++) {
        const char *key = variant->keys[i]->text;
        FigYaml *item = variant->items[i];
        int index = fig_yaml_index(base, key);
        FigYaml *old = index >= 0 ? base->items[index] : NULL;
        if (g_strv_contains(own, key))
            continue;
        if (strcmp(key, "ops") == 0) {
            FigMessage *message =
                fig_diag_error(loader->diag, variant->keys[i]->span,
                               "a spec that extends another has its ops");
            fig_message_hint(message, "‘edit:’ adds and changes some");
            return false;
        }
        if (old && old->kind == FIG_YAML_LIST && item->kind == FIG_YAML_LIST &&
            g_strv_contains(added, key))
            append_items(loader->arena, old, item);
        else if (old && old->kind == FIG_YAML_MAP && item->kind == FIG_YAML_MAP)
            fig_yaml_lay_over(loader->arena, old, item);
        else
            fig_yaml_set(loader->arena, base, variant->keys[i], item);
    }
    base->span = variant->span;
    return true;
}

static FigYaml *extend(FigLoader *loader, FigYaml *variant, int index);

/* The document that was found last, with what it extends. */
static FigYaml *
read_next(FigLoader *loader)
{
    int index = loader->n_read - 1;
    FigYaml *root = fig_spec_read(loader, index);
    if (!root || !fig_loader_map(loader, root, "a spec"))
        return NULL;
    return extend(loader, root, index);
}

FigYaml *
fig_spec_other(FigLoader *loader, const FigYaml *word, const char *purpose)
{
    return find_base(loader, 0, word, purpose) ? read_next(loader) : NULL;
}

static FigYaml *
extend(FigLoader *loader, FigYaml *variant, int index)
{
    const FigYaml *word = fig_yaml_lookup(variant, "extends");
    const FigYaml *edits = fig_yaml_lookup(variant, "edit");
    if (!word && edits) {
        fig_diag_error(loader->diag, edits->span,
                       "‘edit:’ changes the spec that ‘extends:’ names");
        return NULL;
    }
    if (!word)
        return fig_spec_names(loader, variant, document_at(loader, index)->path) &&
                       fig_spec_blocks(loader, variant)
                   ? variant
                   : NULL;
    if (!fig_yaml_lookup(variant, "name")) {
        fig_diag_error(loader->diag, word->span,
                       "a spec that extends another needs a ‘name:’ of its own");
        return NULL;
    }
    if (!fig_loader_scalar(loader, word, "‘extends:’") ||
        !find_base(loader, index, word, "extend"))
        return NULL;
    FigYaml *base = read_next(loader);
    if (!base || !combine(loader, base, variant))
        return NULL;
    if (edits && !fig_spec_edit(loader, base, edits))
        return NULL;
    return fig_spec_names(loader, base, document_at(loader, index)->path) ? base : NULL;
}

const FigYaml *
fig_spec_extend(FigLoader *loader, FigYaml *root)
{
    if (root->kind != FIG_YAML_MAP)
        return root;
    loader->n_read = 1;
    root = extend(loader, root, 0);
    if (!root || !fig_spec_blocks(loader, root))
        return NULL;
    if (loader->n_read >= (int)loader->documents->len)
        return root;
    const FigSource *left = document_at(loader, loader->n_read)->source;
    fig_diag_error(loader->diag, (FigSpan){.source = left, .line = 1, .column = 1},
                   "nothing extends this spec");
    return NULL;
}
