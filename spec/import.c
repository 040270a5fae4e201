/* SPDX-License-Identifier: MIT
 *
 * A config.json of a released model: `import:` of the spec says which field sets which
 * dim or constant, and which fields change the computation in ways the spec honours only
 * for certain values. Each field that cannot be honoured is refused by name.
 */
#include "spec/import.h"

#include "base/file.h"
#include "base/num.h"

#include <string.h>

enum {
    SHOWN = 60, /* bytes of a field's value in a message */
};

/* ---- places in the JSON ---- */

static FigSpan
span_at(const FigSource *source, size_t offset, size_t length)
{
    FigSpan start = {.source = source, .line = 1, .column = 1};
    return fig_span_inside(start, offset, length);
}

/* The end of a string that starts at the quote text[i]. */
static size_t
string_end(const char *text, size_t i)
{
    for (i++; text[i] && text[i] != '"'; i++) {
        if (text[i] == '\\' && text[i + 1])
            i++;
    }
    return i;
}

FigSpan
fig_json_key_span(const FigSource *source, const char *path)
{
    const char *text = source->text, *key = path;
    size_t length = strcspn(path, ".");
    int depth = 0;
    for (size_t i = 0; i < source->length; i++) {
        if (text[i] == '{' || text[i] == '[')
            depth++;
        else if (text[i] == '}' || text[i] == ']')
            depth--;
        if (text[i] != '"')
            continue;
        size_t end = string_end(text, i), after = end + 1;
        after += after < source->length ? strspn(text + after, " \t\r\n") : 0;
        if (depth == 1 && end - i == length + 1 && text[end] && text[after] == ':' &&
            strncmp(text + i + 1, key, length) == 0)
            return span_at(source, i, length + 2);
        i = end;
    }
    return span_at(source, 0, 1);
}

/* jansson's own cap lies far above ours. */
static bool
check_depth(const FigSource *source, FigDiag *diag)
{
    int depth = 0;
    for (size_t i = 0; i < source->length; i++) {
        char c = source->text[i];
        if (c == '"')
            i = string_end(source->text, i);
        depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
        if (depth > FIG_LIMIT_JSON_DEPTH) {
            fig_diag_error(diag, span_at(source, i, 1),
                           "nested too deep (the limit is %d)", FIG_LIMIT_JSON_DEPTH);
            return false;
        }
    }
    return true;
}

/* ---- values ---- */

const char *
fig_json_text(FigArena *arena, const json_t *value)
{
    g_autoptr(GString) out = g_string_new(NULL);
    if (json_is_integer(value)) {
        fig_num_integer(out, json_integer_value(value), false);
    } else if (json_is_real(value)) {
        fig_num_shortest(out, json_real_value(value));
    } else {
        char *text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_SORT_KEYS);
        g_string_append(out, text ? text : "?");
        free(text);
        if (out->len > SHOWN) {
            size_t end = SHOWN;
            while (((unsigned char)out->str[end] & 0xc0) == 0x80)
                end--;
            g_string_truncate(out, end);
            g_string_append(out, "…");
        }
    }
    return fig_arena_strdup(arena, out->str);
}

/* ---- what `import:` says ---- */

static bool
read_fields(FigConfig *config, const FigYaml *import, const char *section,
            GArray *values)
{
    FigLoader *loader = config->loader;
    const FigYaml *map = fig_yaml_lookup(import, section);
    if (!map)
        return true;
    if (!fig_loader_map(loader, map, section))
        return false;
    const FigYaml *declared = fig_yaml_lookup(loader->root, section);
    bool good = true;
    for (int i = 0; i < map->count; i++) {
        const FigYaml *key = map->keys[i];
        if (declared && fig_yaml_lookup(declared, key->text)) {
            good = fig_config_field(config, key, map->items[i], values) && good;
            continue;
        }
        good = false;
        FigMessage *message = fig_diag_error(
            loader->diag, key->span, "‘%s’ is not under ‘%s:’", key->text, section);
        g_autoptr(GPtrArray) ids = g_ptr_array_new();
        for (int k = 0; declared && k < declared->count && declared->keys; k++)
            g_ptr_array_add(ids, (gpointer)declared->keys[k]->text);
        g_ptr_array_add(ids, NULL);
        fig_message_suggest(message, key->text, (const char *const *)ids->pdata);
    }
    return good;
}

/* Fields that are known to change nothing here. */
static bool
read_skip(FigConfig *config, const FigYaml *list)
{
    FigLoader *loader = config->loader;
    if (!fig_loader_list(loader, list, "‘skip:’"))
        return false;
    for (int i = 0; i < list->count; i++) {
        const FigYaml *word =
            fig_loader_scalar(loader, list->items[i], "a field's name");
        if (!word)
            return false;
        fig_config_note(config, FIG_FATE_KNOWN, word->text, NULL, NULL);
    }
    return true;
}

/* Is there such a layer? Of a network each kind of layer is loaded for itself, by the
 * layers that it has. */
static bool
check_layer(FigConfig *config)
{
    const FigLoadOptions *options = config->loader->options;
    const json_t *layers = json_object_get(config->json, config->layers);
    json_int_t count = json_integer_value(layers);
    if (!json_is_integer(layers) || count < 1 || options->one_kind ||
        options->layer < count)
        return true;
    fig_diag_error(config->loader->diag,
                   fig_json_key_span(config->source, config->layers),
                   "‘%s’ is %" JSON_INTEGER_FORMAT
                   ", and layers count from 0; --layer %d is none of them",
                   config->layers, count, options->layer);
    return false;
}

static bool
read_import(FigConfig *config, const FigYaml *import, FigConfigValues *values)
{
    static const char *const keys[] = {"model_type", "dims", "constants", "layers",
                                       "must",       "skip", NULL};
    FigLoader *loader = config->loader;
    if (!fig_yaml_check_keys(import, keys, "‘import:’", loader->diag))
        return false;
    bool good = true;
    const FigYaml *layers = fig_yaml_lookup(import, "layers");
    if (layers && (good = fig_loader_scalar(loader, layers, "a field's name")))
        config->layers = layers->text;
    for (int i = 0; i < import->count; i++) {
        if (strcmp(import->keys[i]->text, "model_type") == 0)
            good = fig_config_must(config, "model_type", import->keys[i],
                                   import->items[i]) &&
                   good;
    }
    const FigYaml *must = fig_yaml_lookup(import, "must");
    if (must && fig_loader_map(loader, must, "‘must:’")) {
        for (int i = 0; i < must->count; i++)
            good = fig_config_must(config, must->keys[i]->text, must->keys[i],
                                   must->items[i]) &&
                   good;
    }
    const FigYaml *skip = fig_yaml_lookup(import, "skip");
    good = (!skip || read_skip(config, skip)) && good;
    good = read_fields(config, import, "dims", values->dims) && good;
    good = read_fields(config, import, "constants", values->constants) && good;
    const FigYaml *dims = fig_yaml_lookup(import, "dims");
    for (int i = 0; good && dims && i < dims->count; i++)
        good = fig_config_null(config, dims->items[i]);
    fig_config_note(config, FIG_FATE_KNOWN, config->layers, NULL, NULL);
    return good && check_layer(config);
}

/* ---- the file ---- */

static json_t *
parse(const FigSource *source, FigDiag *diag)
{
    if (!g_utf8_validate_len(source->text, source->length, NULL)) {
        fig_diag_error(diag, span_at(source, 0, 1), "this is not JSON: not UTF-8 text");
        return NULL;
    }
    if (!check_depth(source, diag))
        return NULL;
    json_error_t error;
    json_t *json =
        json_loadb(source->text, source->length, JSON_REJECT_DUPLICATES, &error);
    if (!json) {
        size_t at = error.position > 0 ? (size_t)error.position - 1 : 0;
        fig_diag_error(diag, span_at(source, at, 1), "this is not JSON: %s",
                       error.text);
    } else if (!json_is_object(json)) {
        fig_diag_error(diag, span_at(source, 0, 1), "a config is a JSON object");
        json_decref(json);
        return NULL;
    }
    return json;
}

static json_t *
read_file(FigLoader *loader, const char *path, const FigSource **source)
{
    g_autofree char *text = NULL;
    g_autoptr(GError) error = NULL;
    size_t length;
    if (!fig_file_read(path, FIG_LIMIT_FILE, &text, &length, &error)) {
        fig_diag_error(loader->diag, (FigSpan){0}, "%s", error->message);
        return NULL;
    }
    FigSource *kept = fig_arena_new0(loader->arena, FigSource);
    kept->name = fig_arena_strdup(loader->arena, path);
    kept->text = fig_arena_strndup(loader->arena, text, length);
    kept->length = length;
    *source = kept;
    return parse(kept, loader->diag);
}

char *
fig_config_model_type(const char *path, FigDiag *diag)
{
    g_autofree char *text = NULL;
    g_autoptr(GError) error = NULL;
    FigSource source = {.name = path};
    if (!fig_file_read(path, FIG_LIMIT_FILE, &text, &source.length, &error)) {
        fig_diag_error(diag, (FigSpan){0}, "%s", error->message);
        return NULL;
    }
    source.text = text;
    json_t *json = parse(&source, diag);
    const json_t *value = json_object_get(json, "model_type");
    char *type = g_strdup(json_string_value(value));
    g_autoptr(FigArena) arena = fig_arena_new();
    if (value && !type)
        fig_diag_error(diag, fig_json_key_span(&source, "model_type"),
                       "‘model_type’ is %s; a word is wanted",
                       fig_json_text(arena, value));
    else if (json && !type)
        fig_diag_error(diag, span_at(&source, 0, 1), "there is no ‘model_type’ in it");
    json_decref(json);
    return type;
}

bool
fig_load_config(FigLoader *loader, const char *path, FigConfigValues *values)
{
    const FigYaml *import = fig_yaml_lookup(loader->root, "import");
    g_autoptr(GArray) fates = g_array_new(FALSE, FALSE, sizeof(FigFate));
    FigConfig config = {.loader = loader,
                        .name = loader->graph->name,
                        .import = import,
                        .layers = "num_hidden_layers", /* of Transformers */
                        .values = values,
                        .fates = fates};
    if (path && !import) {
        fig_diag_error(loader->diag, (FigSpan){0},
                       "%s has no ‘import:’, so a config cannot set it", config.name);
        return false;
    }
    if (path && loader->options->layer < 0) {
        fig_diag_error(loader->diag, (FigSpan){0}, "--layer is %d; layers count from 0",
                       loader->options->layer);
        return false;
    }
    if (path && !(config.json = read_file(loader, path, &config.source)))
        return false;
    bool good = !import || read_import(&config, import, values);
    if (config.json)
        fig_config_report(&config);
    json_decref(config.json);
    return good;
}
