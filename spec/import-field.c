/* SPDX-License-Identifier: MIT
 *
 * One field of a config.json: a number, a word that the spec calls something else, an
 * object whose entries become the members of a map, or a list with an entry for each
 * layer. An entry nobody asked for could change the computation, so it is an error.
 */
#include "spec/import.h"

#include <string.h>

const json_t *
fig_json_find(const json_t *object, const char *path)
{
    g_auto(GStrv) parts = g_strsplit(path, ".", -1);
    for (char **part = parts; object && *part; part++)
        object = json_object_get(object, *part);
    return object;
}

/* A node of the spec's language that stands where the config has it. */
static FigYaml *
new_node(FigConfig *config, FigYamlKind kind, const char *text, FigSpan at)
{
    FigYaml *node = fig_arena_new0(config->loader->arena, FigYaml);
    node->kind = kind;
    node->text = text;
    node->span = at;
    return node;
}

/* ---- the field's value ---- */

/* The spec's word for a constant that `import:` set before; NULL: none did. */
static const char *
word_of(const FigConfig *config, const char *id)
{
    const FigOverride *set = fig_override_find(config->loader->options->set, id);
    const FigConfigValue *found = fig_config_find(config->values->constants, id);
    return set                      ? set->value
           : found && found->node   ? found->node->text
           : found && found->absent ? found->absent->text
                                    : NULL;
}

/* A name with {kind} in it, for the config's word of the constant; NULL, reported. The
 * name as it is where there is no config, or where what is wrong with the constant is
 * said elsewhere. */
static const char *
resolve_name(FigConfig *config, const FigYaml *word)
{
    const char *open = strchr(word->text, '{'),
               *close = open ? strchr(open, '}') : NULL;
    if (!close)
        return word->text;
    g_autofree char *id = g_strndup(open + 1, (gsize)(close - open - 1));
    const char *const path[] = {"constants", id, "words"};
    const FigYaml *words = config->import;
    for (size_t i = 0; words && i < G_N_ELEMENTS(path); i++)
        words = fig_yaml_lookup(words, path[i]);
    const char *ours = config->json ? word_of(config, id) : NULL;
    if (!words || words->kind != FIG_YAML_MAP ||
        words->span.offset > word->span.offset) {
        fig_diag_error(config->loader->diag, word->span,
                       "‘{%s}’ is no constant that ‘import:’ gives ‘words:’ above", id);
        return NULL;
    }
    for (int i = 0; ours && i < words->count; i++) {
        if (g_strcmp0(words->items[i]->text, ours) == 0)
            return fig_arena_printf(config->loader->arena, "%.*s%s%s",
                                    (int)(open - word->text), word->text,
                                    words->keys[i]->text, close + 1);
    }
    return word->text;
}

/* Is one path within the other? */
static bool
is_nested(const char *a, const char *b)
{
    size_t least = MIN(strlen(a), strlen(b));
    return strncmp(a, b, least) == 0 && (a[least] == '.' || b[least] == '.');
}

/* Numbers are the same whether or not they are written with a point, and objects without
 * the entries that do not count. */
static bool
same_value(const json_t *a, const json_t *b, const FigYaml *skip)
{
    if (json_is_number(a) && json_is_number(b))
        return json_number_value(a) == json_number_value(b);
    json_t *copies[] = {json_deep_copy(a), json_deep_copy(b)};
    for (int side = 0; side < 2; side++) {
        for (int i = 0; skip && skip->kind == FIG_YAML_LIST && i < skip->count; i++) {
            if (skip->items[i]->kind == FIG_YAML_SCALAR)
                json_object_del(copies[side], skip->items[i]->text);
        }
    }
    bool same = json_equal(copies[0], copies[1]);
    json_decref(copies[0]);
    json_decref(copies[1]);
    return same;
}

/* Of the fields named, the first that is there and not null; where its name is, or that
 * of the first, in *name. Others that are there must not say something else. outer: the
 * path of object, or NULL. False, reported. */
static bool
find_value(FigConfig *config, const json_t *object, const char *outer,
           const FigYaml *node, const FigYaml *field, const json_t **value,
           const char **name)
{
    bool list = field->kind == FIG_YAML_LIST;
    *value = NULL;
    *name = NULL;
    for (int i = 0; i < (list ? field->count : 1); i++) {
        const FigYaml *word = list ? field->items[i] : field;
        if (!fig_loader_scalar(config->loader, word, "a field's name"))
            return false;
        const char *here = resolve_name(config, word);
        if (!here)
            return false;
        const json_t *found = fig_json_find(object, here);
        if (!*name)
            *name = here;
        if (!found || json_is_null(found))
            continue;
        if (!*value) {
            *value = found;
            *name = here;
        } else if (!is_nested(*name, here) &&
                   !same_value(*value, found, fig_yaml_lookup(node, "skip"))) {
            fig_diag_error(config->loader->diag,
                           fig_json_key_span(config->source, outer ? outer : here),
                           "‘%s’ is %s, but ‘%s’ is %s", here,
                           fig_json_text(config->loader->arena, found), *name,
                           fig_json_text(config->loader->arena, *value));
            return false;
        }
    }
    if (*name)
        return true;
    fig_diag_error(config->loader->diag, field->span, "‘field:’ names a field");
    return false;
}

/* The entry of the layer where the config lists one for each. listed: it must. */
static bool
pick_layer(FigConfig *config, const char *name, FigSpan at, bool listed,
           const json_t **value)
{
    if (!json_is_array(*value)) {
        if (listed)
            fig_diag_error(config->loader->diag, at,
                           "‘%s’ is %s; a list with an entry for each layer is wanted",
                           name, fig_json_text(config->loader->arena, *value));
        return !listed;
    }
    int layer = config->loader->options->layer;
    size_t count = json_array_size(*value);
    if (!fig_config_counts(config, name, *value))
        return false;
    if (layer < 0 || (size_t)layer >= count) {
        fig_diag_error(config->loader->diag, at,
                       "‘%s’ has %zu layers, from 0 on; --layer %d is none of them",
                       name, count, layer);
        return false;
    }
    *value = json_array_get(*value, (size_t)layer);
    return true;
}

/* The spec's word for the config's, out of `words:`; NULL, reported. */
static const FigYaml *
translate(FigConfig *config, const FigYaml *words, const json_t *value,
          const char *name, FigSpan at)
{
    FigLoader *loader = config->loader;
    if (!fig_loader_map(loader, words, "‘words:’ (theirs: ours)"))
        return NULL;
    g_autoptr(GString) all = g_string_new(NULL);
    const char *found = json_is_boolean(value) ? json_is_true(value) ? "true" : "false"
                                               : json_string_value(value);
    for (int i = 0; i < words->count; i++) {
        if (!fig_loader_scalar(loader, words->items[i], "a word"))
            return NULL;
        if (found && strcmp(words->keys[i]->text, found) == 0)
            return new_node(config, FIG_YAML_SCALAR, words->items[i]->text, at);
        g_string_append_printf(all, "%s%s", i ? " or " : "", words->keys[i]->text);
    }
    FigMessage *message = fig_diag_error(
        loader->diag, at, "‘%s’ is %s, which %s cannot honour: it takes %s", name,
        found ? found : fig_json_text(loader->arena, value), config->name, all->str);
    fig_message_note_at(message, words->span, "the spec says so here");
    return NULL;
}

/* ---- objects ---- */

static const char *const field_keys[] = {"field", "absent", "null_if", "words",
                                         "map",   "skip",   "else",    NULL};

/* The parts of `{field: …, words: …}`, or a plain name. */
static const FigYaml *
field_of(FigConfig *config, const FigYaml *node)
{
    if (node->kind != FIG_YAML_MAP)
        return node;
    if (!fig_yaml_check_keys(node, field_keys, "a field", config->loader->diag))
        return NULL;
    const FigYaml *field = fig_yaml_lookup(node, "field");
    if (!field)
        fig_diag_error(config->loader->diag, node->span, "‘field:’ is wanted here");
    return field;
}

/* One member of a map; *member is NULL where the config does not have it. */
static bool
read_member(FigConfig *config, const json_t *object, const char *outer,
            const FigYaml *key, const FigYaml *node, FigSpan at, FigYaml **member,
            GHashTable *taken)
{
    FigLoader *loader = config->loader;
    const FigYaml *field = field_of(config, node);
    const json_t *value;
    const char *name;
    *member = NULL;
    if (!field || !find_value(config, object, outer, node, field, &value, &name))
        return false;
    for (int i = 0; field->kind == FIG_YAML_LIST && i < field->count; i++)
        g_hash_table_add(taken, (gpointer)field->items[i]->text);
    g_hash_table_add(taken, (gpointer)name);
    const FigYaml *words = fig_yaml_lookup(node, "words");
    if (!value && strcmp(key->text, "type") == 0) {
        FigMessage *message =
            fig_diag_error(loader->diag, at, "‘%s’ has no ‘%s’", outer, name);
        fig_message_note_at(message, key->span, "the spec asks for it here");
        return false;
    }
    if (!value)
        return true;
    g_autofree char *path = g_strdup_printf("%s.%s", outer, name);
    if (words)
        *member = (FigYaml *)translate(config, words, value, path, at);
    else if (json_is_number(value))
        *member =
            new_node(config, FIG_YAML_SCALAR, fig_json_text(loader->arena, value), at);
    else
        fig_diag_error(loader->diag, at, "‘%s’ is %s; a number is wanted", path,
                       fig_json_text(loader->arena, value));
    return *member != NULL;
}

/* What stands in the place of an entry that the object does not have: by the type of the
 * map, a field of the config. *member stays NULL where the type asks for none. id: of the
 * member, "scaling.original". */
static bool
read_else(FigConfig *config, const FigYaml *node, const char *type, const char *id,
          FigSpan at, const char *outer, const char *name, FigYaml **member)
{
    FigLoader *loader = config->loader;
    const FigYaml *map = fig_yaml_lookup(node, "else");
    if (!fig_loader_map(loader, map, "‘else:’ (type: field)"))
        return false;
    for (int i = 0; i < map->count; i++)
        if (!fig_loader_scalar(loader, map->items[i], "a field's name"))
            return false;
    const FigYaml *word = fig_yaml_lookup(map, type);
    const json_t *value = word ? fig_json_find(config->json, word->text) : NULL;
    if (json_is_number(value)) {
        *member =
            new_node(config, FIG_YAML_SCALAR, fig_json_text(loader->arena, value), at);
        fig_config_note(config, FIG_FATE_TAKEN, word->text, id, NULL);
        return true;
    }
    fig_diag_error(loader->diag, at, "‘%s’ has no ‘%s’, which %s asks for", outer, name,
                   type);
    return false;
}

/* Every entry of the object is one that the spec knows; false, reported. */
static bool
check_entries(FigConfig *config, const json_t *object, const char *outer,
              const FigYaml *skip, GHashTable *taken, FigSpan at)
{
    FigLoader *loader = config->loader;
    if (skip && !fig_loader_list(loader, skip, "‘skip:’"))
        return false;
    for (int i = 0; skip && i < skip->count; i++) {
        if (!fig_loader_scalar(loader, skip->items[i], "a field's name"))
            return false;
        g_hash_table_add(taken, (gpointer)skip->items[i]->text);
    }
    bool good = true;
    const char *entry;
    json_t *value;
    json_object_foreach((json_t *)object, entry, value)
    {
        if (g_hash_table_contains(taken, entry) || json_is_null(value))
            continue;
        good = false;
        fig_diag_error(loader->diag, at, "‘%s.%s’ is %s, which %s cannot honour", outer,
                       entry, fig_json_text(loader->arena, value), config->name);
    }
    return good;
}

/* Has the object no entry but those that do not count? */
static bool
is_bare(const json_t *object, const FigYaml *skip)
{
    const char *entry;
    json_t *value;
    json_object_foreach((json_t *)object, entry, value)
    {
        bool skipped = json_is_null(value);
        for (int i = 0; skip && skip->kind == FIG_YAML_LIST && i < skip->count; i++)
            skipped = skipped || g_strcmp0(skip->items[i]->text, entry) == 0;
        if (!skipped)
            return false;
    }
    return true;
}

static const FigYaml *
read_map(FigConfig *config, const char *id, const FigYaml *node, const json_t *object,
         const char *outer, FigSpan at)
{
    FigLoader *loader = config->loader;
    const FigYaml *map = fig_yaml_lookup(node, "map");
    if (!fig_loader_map(loader, map, "‘map:’ (member: field)"))
        return NULL;
    if (!json_is_object(object)) {
        fig_diag_error(loader->diag, at, "‘%s’ is %s; an object is wanted", outer,
                       fig_json_text(loader->arena, object));
        return NULL;
    }
    if (is_bare(object, fig_yaml_lookup(node, "skip")))
        return new_node(config, FIG_YAML_SCALAR, "none", at);
    FigYaml *made = new_node(config, FIG_YAML_MAP, NULL, at);
    made->keys = fig_arena_new_array(loader->arena, FigYaml *, MAX(map->count, 1));
    made->items = fig_arena_new_array(loader->arena, FigYaml *, MAX(map->count, 1));
    g_autoptr(GHashTable) taken = g_hash_table_new(g_str_hash, g_str_equal);
    bool good = true;
    for (int i = 0; i < map->count; i++) {
        FigYaml *member;
        good = read_member(config, object, outer, map->keys[i], map->items[i], at,
                           &member, taken) &&
               good;
        const FigYaml *type = fig_yaml_lookup(made, "type");
        if (good && !member && fig_yaml_lookup(map->items[i], "else") && type &&
            strcmp(type->text, "none") != 0)
            good = read_else(
                config, map->items[i], type->text,
                fig_arena_printf(loader->arena, "%s.%s", id, map->keys[i]->text), at,
                outer, fig_yaml_lookup(map->items[i], "field")->text, &member);
        if (!member)
            continue;
        made->keys[made->count] = map->keys[i];
        made->items[made->count++] = member;
    }
    good = good && check_entries(config, object, outer, fig_yaml_lookup(node, "skip"),
                                 taken, at);
    if (!good)
        return NULL;
    /* a scaling of type "default" is none */
    const FigYaml *type = fig_yaml_lookup(made, "type");
    return type && strcmp(type->text, "none") == 0 ? type : made;
}

/* ---- one dim or constant ---- */

/* What holds where the field is missing: an expression, or by layer, coming round. */
static const FigYaml *
absent_of(FigConfig *config, const FigYaml *node)
{
    const FigYaml *absent = fig_yaml_lookup(node, "absent");
    if (absent && absent->kind == FIG_YAML_LIST && absent->count > 0)
        return absent->items[MAX(config->loader->options->layer, 0) % absent->count];
    return absent;
}

/* Fields that were not taken, because they are null or say the same, are known all the
 * same. */
static void
note_others(FigConfig *config, const FigYaml *field)
{
    bool list = field->kind == FIG_YAML_LIST;
    for (int i = 0; i < (list ? field->count : 1); i++) {
        const FigYaml *word = list ? field->items[i] : field;
        const char *path =
            strchr(word->text, '{') ? resolve_name(config, word) : word->text;
        fig_config_note(config, FIG_FATE_KNOWN, path, NULL, NULL);
    }
}

bool
fig_config_counts(FigConfig *config, const char *name, const json_t *list)
{
    const json_t *layers = json_object_get(config->json, config->layers);
    json_int_t count = (json_int_t)json_array_size(list);
    if (!json_is_integer(layers) || json_integer_value(layers) == count)
        return true;
    fig_diag_error(config->loader->diag, fig_json_key_span(config->source, name),
                   "‘%s’ has %" JSON_INTEGER_FORMAT
                   " layers, but ‘%s’ is %" JSON_INTEGER_FORMAT,
                   name, count, config->layers, json_integer_value(layers));
    return false;
}

bool
fig_config_null(FigConfig *config, const FigYaml *node)
{
    FigLoader *loader = config->loader;
    const FigYaml *map = fig_yaml_lookup(node, "null_if");
    if (!map)
        return true;
    const FigYaml *field = fig_yaml_lookup(node, "field");
    if (!fig_loader_map(loader, map, "‘null_if:’ (constant: word)"))
        return false;
    for (int i = 0; i < map->count; i++) {
        if (!fig_loader_scalar(loader, map->items[i], "a word"))
            return false;
        if (!config->json || !field || field->kind != FIG_YAML_SCALAR ||
            !json_is_null(fig_json_find(config->json, field->text)))
            continue;
        const char *id = map->keys[i]->text, *word = word_of(config, id);
        if (g_strcmp0(word, map->items[i]->text) == 0)
            continue;
        FigMessage *message =
            fig_diag_error(loader->diag, fig_json_key_span(config->source, field->text),
                           "‘%s’ is null, which %s can honour only where %s is %s; in "
                           "layer %d it is %s",
                           field->text, config->name, id, map->items[i]->text,
                           loader->options->layer, word ? word : "not said");
        fig_message_note_at(message, map->span, "the spec says so here");
        fig_config_note(config, FIG_FATE_REFUSED, field->text, NULL, NULL);
        return false;
    }
    return true;
}

bool
fig_config_field(FigConfig *config, const FigYaml *key, const FigYaml *node,
                 GArray *values)
{
    FigLoader *loader = config->loader;
    const FigYaml *field = field_of(config, node);
    const FigYaml *absent = absent_of(config, node);
    const json_t *value;
    const char *name;
    if (!field || !find_value(config, config->json, NULL, node, field, &value, &name) ||
        (absent && !fig_loader_scalar(loader, absent, "‘absent:’")))
        return false;
    if (!config->json)
        return true;
    if (value)
        fig_config_note(config, FIG_FATE_TAKEN, name, key->text, NULL);
    else if (absent)
        fig_config_note(config, FIG_FATE_ABSENT, name, key->text, absent->text);
    note_others(config, field);
    FigConfigValue found = {.id = key->text, .field = name};
    found.span = fig_json_key_span(config->source, name);
    const FigYaml *words = fig_yaml_lookup(node, "words");
    const FigYaml *absent_list = fig_yaml_lookup(node, "absent");
    bool listed = absent_list && absent_list->kind == FIG_YAML_LIST;
    bool whole = fig_yaml_lookup(node, "map") && !listed; /* an object, of no layer */
    if (value && !whole && !pick_layer(config, name, found.span, listed, &value))
        return false;
    if (value && (words || fig_yaml_lookup(node, "map"))) {
        found.node = words ? translate(config, words, value, name, found.span)
                           : read_map(config, key->text, node, value, name, found.span);
        if (!found.node)
            return false;
        found.value = found.node->text;
    } else if (value) {
        found.value = fig_json_text(loader->arena, value);
    } else if (absent) {
        found.absent = absent;
    } else {
        FigMessage *message = fig_diag_error(
            loader->diag, found.span, "‘%s’ is missing: it sets %s", name, key->text);
        fig_message_note_at(message, key->span, "the spec says so here");
        return false;
    }
    g_array_append_val(values, found);
    return true;
}
