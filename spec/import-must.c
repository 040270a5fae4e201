/* SPDX-License-Identifier: MIT
 *
 * Fields of a config.json that change the computation in ways the spec honours only for
 * certain values. Each that has another one is refused by name.
 */
#include "base/num.h"
#include "spec/import.h"

#include <string.h>

static bool
is_value(const FigYaml *wanted, const json_t *value)
{
    if (fig_yaml_is_null(wanted))
        return !value || json_is_null(value);
    if (!value)
        return false;
    if (json_is_string(value))
        return strcmp(json_string_value(value), wanted->text) == 0;
    if (wanted->quoted)
        return false;
    if (json_is_boolean(value))
        return strcmp(wanted->text, json_is_true(value) ? "true" : "false") == 0;
    double number;
    return json_is_number(value) && fig_num_read_real(wanted->text, &number) &&
           json_number_value(value) == number;
}

/* Is it one of the values, or a list of such? */
static bool
honours(const FigYaml *list, const json_t *value)
{
    bool all = json_array_size(value) > 0;
    for (size_t k = 0; k < json_array_size(value); k++)
        all = all && honours(list, json_array_get(value, k));
    for (int i = 0; i < list->count && !json_is_array(value); i++)
        all = all || (list->items[i]->kind == FIG_YAML_SCALAR &&
                      is_value(list->items[i], value));
    for (int i = 0; i < list->count && json_is_array(value); i++)
        all = all ||
              (list->items[i]->kind == FIG_YAML_LIST && honours(list->items[i], value));
    return all;
}

/* ---- which fields a dim or constant takes ---- */

/* Is it the path of the name, in which {kind} is any one word? */
static bool
matches(const char *name, const char *path)
{
    while (*name && *path) {
        if (*name == '{') {
            name += strcspn(name, "}") + (strchr(name, '}') != NULL);
            path += strcspn(path, ".");
        } else if (*name++ != *path++) {
            return false;
        }
    }
    return *name == *path;
}

/* Does the field, or one of the list, have this path? */
static bool
names_path(const FigYaml *node, const char *path)
{
    const FigYaml *field = fig_yaml_lookup(node, "field");
    field = field ? field : node;
    bool list = field->kind == FIG_YAML_LIST;
    for (int i = 0; i < (list ? field->count : 1); i++) {
        const FigYaml *word = list ? field->items[i] : field;
        if (word->kind == FIG_YAML_SCALAR && matches(word->text, path))
            return true;
    }
    return false;
}

bool
fig_config_takes(const FigConfig *config, const char *path)
{
    static const char *const sections[] = {"dims", "constants"};
    for (size_t s = 0; s < G_N_ELEMENTS(sections); s++) {
        const FigYaml *map = fig_yaml_lookup(config->import, sections[s]);
        for (int i = 0; map && map->kind == FIG_YAML_MAP && i < map->count; i++) {
            if (names_path(map->items[i], path))
                return true;
        }
    }
    return false;
}

/* ---- refusing ---- */

/* Every entry of the object is one that `must:` names or something takes. */
static bool
check_entries(FigConfig *config, const char *path, const FigYaml *key,
              const FigYaml *wanted, const json_t *object)
{
    FigLoader *loader = config->loader;
    const char *entry;
    json_t *value;
    bool good = true;
    json_object_foreach((json_t *)object, entry, value)
    {
        const char *inner = fig_arena_printf(loader->arena, "%s.%s", path, entry);
        if (json_is_null(value) || fig_yaml_lookup(wanted, entry) ||
            fig_config_takes(config, inner))
            continue;
        good = false;
        FigMessage *message =
            fig_diag_error(loader->diag, fig_json_key_span(config->source, path),
                           "‘%s’ is %s, which %s cannot honour", inner,
                           fig_json_text(loader->arena, value), config->name);
        fig_message_note_at(message, key->span, "the spec knows these entries");
        fig_config_note(config, FIG_FATE_REFUSED, path, NULL, NULL);
    }
    return good;
}

static bool
must_object(FigConfig *config, const char *path, const FigYaml *key,
            const FigYaml *wanted)
{
    FigLoader *loader = config->loader;
    const json_t *value = fig_json_find(config->json, path);
    bool good = true;
    if (value && !json_is_null(value) && !json_is_object(value)) {
        fig_diag_error(loader->diag, fig_json_key_span(config->source, path),
                       "‘%s’ is %s; an object is wanted", path,
                       fig_json_text(loader->arena, value));
        fig_config_note(config, FIG_FATE_REFUSED, path, NULL, NULL);
        return false;
    }
    for (int i = 0; i < wanted->count; i++) {
        const char *inner =
            fig_arena_printf(loader->arena, "%s.%s", path, wanted->keys[i]->text);
        good =
            fig_config_must(config, inner, wanted->keys[i], wanted->items[i]) && good;
    }
    if (good && json_is_object(value)) /* those of another type say nothing */
        good = check_entries(config, path, key, wanted, value);
    fig_config_note(config, FIG_FATE_MUST, path, NULL, NULL);
    return good;
}

/* "silu or null", "a list of full_attention or null" */
static bool
append_values(FigLoader *loader, const FigYaml *wanted, GString *all)
{
    for (int i = 0; i < wanted->count; i++) {
        const FigYaml *item = wanted->items[i];
        bool list = item->kind == FIG_YAML_LIST;
        g_string_append_printf(all, "%s%s", i ? " or " : "", list ? "a list of " : "");
        if (list ? !append_values(loader, item, all)
                 : !fig_loader_scalar(loader, item, "such a value"))
            return false;
        if (!list)
            g_string_append(all, fig_yaml_is_null(item) ? "null" : item->text);
    }
    return true;
}

bool
fig_config_must(FigConfig *config, const char *path, const FigYaml *key,
                const FigYaml *wanted)
{
    FigLoader *loader = config->loader;
    if (wanted->kind == FIG_YAML_MAP)
        return must_object(config, path, key, wanted);
    if (!fig_loader_list(loader, wanted, "the values a field may have"))
        return false;
    g_autoptr(GString) all = g_string_new(NULL);
    if (!append_values(loader, wanted, all))
        return false;
    if (!config->json)
        return true;
    const json_t *value = fig_json_find(config->json, path);
    if (honours(wanted, value)) {
        if (json_is_array(value) && !fig_config_counts(config, path, value)) {
            fig_config_note(config, FIG_FATE_REFUSED, path, NULL, NULL);
            return false;
        }
        fig_config_note(config, FIG_FATE_MUST, path, NULL, NULL);
        return true;
    }
    FigSpan at = fig_json_key_span(config->source, path);
    FigMessage *message =
        value ? fig_diag_error(loader->diag, at,
                               "‘%s’ is %s, which %s cannot honour: it takes %s", path,
                               json_is_string(value)
                                   ? json_string_value(value)
                                   : fig_json_text(loader->arena, value),
                               config->name, all->str)
              : fig_diag_error(loader->diag, at, "‘%s’ is missing: %s takes %s", path,
                               config->name, all->str);
    fig_message_note_at(message, key->span, "the spec says so here");
    fig_config_note(config, FIG_FATE_REFUSED, path, NULL, NULL);
    return false;
}
