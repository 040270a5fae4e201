/* SPDX-License-Identifier: MIT
 *
 * `aka:`, the names in other libraries. An element has its own, or they stand together at
 * the top of a spec, a table for each library:
 *
 *   aka:
 *     hf:
 *       C: hidden_size
 *       q: {name: "model.layers.{layer}.self_attn.q_proj", side: output}
 *
 * or the tables are a file of their own, `aka: NAME`, one that the program ships in
 * spec/names or one beside the spec; a figure carries only its name. Names are handed to
 * the elements before anything means anything, so that edits, blocks and variants treat
 * all alike.
 */
#include "spec/axes.h"
#include "spec/extend.h"

#include "base/file.h"

#include <string.h>

/* ---- names of one element ---- */

static bool
read_side(FigLoader *loader, const FigYaml *map, FigAka *aka)
{
    const FigYaml *side = fig_yaml_lookup(map, "side");
    if (!side)
        return true;
    if (!fig_loader_scalar(loader, side, "‘side:’"))
        return false;
    aka->side = side->text;
    if (strcmp(side->text, "input") == 0 || strcmp(side->text, "output") == 0)
        return true;
    fig_diag_error(loader->diag, side->span, "‘side:’ is input or output, not ‘%s’",
                   side->text);
    return false;
}

/* One name, or a map of a name with its side and axes; false, reported. */
static bool
read_name(FigLoader *loader, const FigYaml *item, FigAka *aka)
{
    static const char *const keys[] = {"name", "side", "axes", NULL};
    if (item->kind != FIG_YAML_MAP) {
        if (!fig_loader_scalar(loader, item, "another library's name"))
            return false;
        aka->name = item->text;
        return true;
    }
    if (!fig_yaml_check_keys(item, keys, "another library's name", loader->diag))
        return false;
    const FigYaml *name = fig_yaml_lookup(item, "name");
    aka->axes = fig_yaml_lookup(item, "axes");
    if (!name) {
        fig_diag_error(loader->diag, item->span, "a name needs ‘name:’");
        return false;
    }
    if (!fig_loader_scalar(loader, name, "‘name:’") ||
        (aka->axes && !fig_loader_scalar(loader, aka->axes, "‘axes:’")))
        return false;
    aka->name = name->text;
    return read_side(loader, item, aka);
}

static const FigAka *
read_all(FigLoader *loader, const FigYaml *map, int *n)
{
    const FigYaml *aka = fig_yaml_lookup(map, "aka");
    *n = 0;
    if (!aka || !fig_loader_map(loader, aka, "‘aka:’ (library: name)"))
        return NULL;
    g_autoptr(GArray) names = g_array_new(FALSE, FALSE, sizeof(FigAka));
    for (int i = 0; i < aka->count; i++) {
        const FigYaml *item = aka->items[i];
        bool list = item->kind == FIG_YAML_LIST;
        for (int k = 0; k < (list ? item->count : 1); k++) {
            FigAka entry = {.library = aka->keys[i]->text};
            if (read_name(loader, list ? item->items[k] : item, &entry))
                g_array_append_val(names, entry);
        }
    }
    if (names->len > FIG_LIMIT_PORTS) {
        fig_diag_error(loader->diag, aka->span, "more than %d names", FIG_LIMIT_PORTS);
        return NULL;
    }
    *n = (int)names->len;
    return fig_arena_copy(loader->arena, names->data, names->len * sizeof(FigAka));
}

void
fig_loader_aka(FigLoader *loader, const FigYaml *map, FigValue *value)
{
    value->aka = read_all(loader, map, &value->n_aka);
}

void
fig_loader_dim_aka(FigLoader *loader, const FigYaml *map, FigDim *dim)
{
    dim->aka = read_all(loader, map, &dim->n_aka);
    for (int i = 0; i < dim->n_aka; i++) {
        const FigAka *aka = &dim->aka[i];
        if (aka->side || aka->axes)
            fig_diag_error(loader->diag, aka->axes ? aka->axes->span : dim->span,
                           "a dim has neither side nor axes");
    }
}

/* Does it stand in the spec, or in a file of names? */
static bool
is_own(const FigLoader *loader, const FigYaml *node)
{
    for (guint i = 0; i < loader->documents->len; i++)
        if (g_array_index(loader->documents, FigDocument, i).source ==
            node->span.source)
            return true;
    return false;
}

/* In a file of names, what does not fit a variant of the spec is no name in it. */
bool
fig_load_axes(FigLoader *loader)
{
    FigGraph *graph = loader->graph;
    bool good = true;
    for (int v = 0; v < graph->n_values; v++) {
        FigValue *value = &graph->values[v];
        FigAka *aka = fig_arena_new_array(loader->arena, FigAka, value->n_aka);
        int n = 0;
        for (int i = 0; i < value->n_aka; i++) {
            FigAka *one = &aka[n];
            *one = value->aka[i];
            bool own = !one->axes || is_own(loader, one->axes);
            if (one->axes)
                one->lay = fig_axes_read(one->axes, graph, &value->shape, loader->arena,
                                         own ? loader->diag : NULL);
            good = good && (one->lay || !one->axes || !own);
            n += one->lay || !one->axes;
        }
        value->aka = aka;
        value->n_aka = n;
    }
    return good;
}

/* ---- names at the top ---- */

/* Where the elements of a spec stand, by their ids: each place holds a map, or the word that
 * `out:` has for a result. Several have one id where at most one is on. */
typedef struct Naming {
    FigLoader *loader;
    GHashTable *places; /* id → GArray of FigYaml ** */
} Naming;

static void
meet(Naming *n, const char *id, FigYaml **place)
{
    GArray *places = g_hash_table_lookup(n->places, id);
    if (!places) {
        places = g_array_new(FALSE, FALSE, sizeof(FigYaml **));
        g_hash_table_insert(n->places, (gpointer)id, places);
    }
    g_array_append_val(places, place);
}

static const char *
id_of(const FigYaml *map)
{
    const FigYaml *id = fig_yaml_lookup(map, "id");
    return id && id->kind == FIG_YAML_SCALAR ? id->text : NULL;
}

static void
meet_result(Naming *n, FigYaml **place)
{
    const char *id = (*place)->kind == FIG_YAML_SCALAR ? (*place)->text : id_of(*place);
    if (id)
        meet(n, id, place);
}

static void
meet_ops(Naming *n, FigYaml *ops)
{
    for (int i = 0; ops && ops->kind == FIG_YAML_LIST && i < ops->count; i++) {
        FigYaml *op = ops->items[i], *out = fig_yaml_lookup(op, "out");
        const char *id = id_of(op);
        if (out && out->kind == FIG_YAML_LIST)
            for (int k = 0; k < out->count; k++)
                meet_result(n, &out->items[k]);
        else if (out)
            meet_result(n, &op->items[fig_yaml_index(op, "out")]);
        else if (id)
            meet(n, id, &ops->items[i]);
        meet_ops(n, fig_yaml_lookup(op, "ops"));
    }
}

static void
meet_all(Naming *n, FigYaml *root)
{
    static const char *const maps[] = {"dims", "inputs", "weights", NULL};
    for (int m = 0; maps[m]; m++) {
        FigYaml *map = fig_yaml_lookup(root, maps[m]);
        for (int i = 0; map && map->kind == FIG_YAML_MAP && i < map->count; i++)
            meet(n, map->keys[i]->text, &map->items[i]);
    }
    meet_ops(n, fig_yaml_lookup(root, "ops"));
}

/* A key that nobody wrote, at the place of one that somebody did. */
static FigYaml *
made_key(const Naming *n, const FigYaml *at, const char *text)
{
    FigYaml *key = fig_arena_copy(n->loader->arena, at, sizeof *key);
    key->kind = FIG_YAML_SCALAR;
    key->text = text;
    key->verbatim = false;
    return key;
}

static FigYaml *
made_map(const Naming *n, FigSpan span)
{
    FigYaml *map = fig_arena_new0(n->loader->arena, FigYaml);
    *map = (FigYaml){.kind = FIG_YAML_MAP, .span = span};
    return map;
}

/* Give what stands at a place these names of a library. */
static bool
give(const Naming *n, FigYaml **place, const char *library, const FigYaml *key,
     FigYaml *names)
{
    FigArena *arena = n->loader->arena;
    if ((*place)->kind == FIG_YAML_SCALAR) {
        FigYaml *map = made_map(n, (*place)->span);
        fig_yaml_set(arena, map, made_key(n, *place, "id"), *place);
        *place = map;
    }
    if ((*place)->kind != FIG_YAML_MAP)
        return true; /* what it should be is said elsewhere */
    FigYaml *aka = fig_yaml_lookup(*place, "aka");
    bool has = aka && aka->kind == FIG_YAML_MAP;
    if (has && fig_yaml_lookup(aka, library)) {
        fig_diag_error(n->loader->diag, key->span,
                       "‘%s’ has its names in ‘%s’ where it is declared", key->text,
                       library);
        return false;
    }
    /* a map of its own: the one there may be an alias of another element's */
    FigYaml *all = made_map(n, names->span);
    if (has)
        fig_yaml_lay_over(arena, all, aka);
    fig_yaml_set(arena, all, made_key(n, key, library), names);
    fig_yaml_set(arena, *place, made_key(n, key, "aka"), all);
    return true;
}

/* The names that one library has for one id. lenient: an id that is not there has none,
 * as where a variant of a spec has left an op out. */
static bool
hand_out(const Naming *n, const char *library, const FigYaml *key, FigYaml *names,
         bool lenient)
{
    GArray *places = g_hash_table_lookup(n->places, key->text);
    bool good = true;
    for (guint i = 0; places && i < places->len; i++)
        good =
            give(n, g_array_index(places, FigYaml **, i), library, key, names) && good;
    if (places || lenient)
        return good;
    FigMessage *message =
        fig_diag_error(n->loader->diag, key->span,
                       "there is no dim, input, weight or value ‘%s’", key->text);
    guint count;
    g_autofree const char **ids =
        (const char **)g_hash_table_get_keys_as_array(n->places, &count);
    fig_message_suggest(message, key->text, ids);
    return false;
}

/* The tables in a file: shipped, or beside the spec. NULL: there are none, reported unless
 * the spec came without a file of its own, as in a figure. */
static FigYaml *
read_tables(FigLoader *loader, const FigYaml *word, const char *path)
{
    g_autofree char *relative = g_strconcat("spec/names/", word->text, ".yaml", NULL);
    g_autofree char *file = strchr(word->text, '/') ? NULL : fig_data_path(relative);
    if (!file && path) {
        g_autofree char *folder = g_path_get_dirname(path);
        file = g_build_filename(folder, word->text, NULL);
    }
    g_autofree char *text = NULL;
    g_autoptr(GError) error = NULL;
    size_t length;
    if (!file)
        return NULL;
    if (!fig_file_read(file, FIG_LIMIT_FILE, &text, &length, &error)) {
        FigMessage *message = fig_diag_error(
            loader->diag, word->span, "there is no file of names ‘%s’", word->text);
        fig_message_note(message, "it is one of spec/names, or one beside the spec");
        return NULL;
    }
    FigSource *source = fig_arena_new0(loader->arena, FigSource);
    source->name = fig_arena_strdup(loader->arena, file);
    source->text = fig_arena_strndup(loader->arena, text, length);
    source->length = length;
    return fig_yaml_read(source, loader->arena, loader->diag);
}

bool
fig_spec_names(FigLoader *loader, FigYaml *root, const char *path)
{
    int index = fig_yaml_index(root, "aka");
    if (index < 0)
        return true;
    FigYaml *aka = root->items[index];
    int errors = fig_diag_errors(loader->diag);
    bool file = aka->kind == FIG_YAML_SCALAR && !fig_yaml_is_null(aka);
    fig_yaml_remove(root, index);
    if (loader->options->bare)
        return true;
    if (file)
        aka = read_tables(loader, aka, path);
    if (!aka)
        return fig_diag_errors(loader->diag) == errors;
    bool good = true;
    if (!fig_loader_map(loader, aka, "‘aka:’ (library: names)"))
        return false;
    Naming n = {loader, g_hash_table_new_full(g_str_hash, g_str_equal, NULL,
                                              (GDestroyNotify)g_array_unref)};
    meet_all(&n, root);
    for (int i = 0; i < aka->count; i++) {
        FigYaml *library = aka->items[i];
        bool map = fig_loader_map(loader, library, "the names of a library (id: name)");
        good = good && map;
        for (int k = 0; map && k < library->count; k++)
            good = hand_out(&n, aka->keys[i]->text, library->keys[k], library->items[k],
                            file) &&
                   good;
    }
    g_hash_table_unref(n.places);
    return good;
}
