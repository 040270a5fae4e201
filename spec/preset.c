/* SPDX-License-Identifier: MIT
 *
 * `presets:` of a network: the dims and constants of released models. A preset sets what a
 * config would set, in the same way. It belongs to the network that it stands in; a block
 * that this network uses takes what concerns a block.
 *
 *   presets:
 *     olmo2-7b: {what: OLMo-2-1124-7B, dims: {L: 32, C: 4096}, constants: {head: untied}}
 */
#include "spec/loader.h"

#include "base/file.h"
#include "base/num.h"

#include <string.h>

/* ---- the form ---- */

static const FigYaml *
lookup(const FigYaml *map, const char *key)
{
    return map ? fig_yaml_lookup(map, key) : NULL;
}

/* Each key of a preset's section names something of the spec. */
static bool
check_section(FigLoader *loader, const FigYaml *preset, const char *section,
              const char *what)
{
    const FigYaml *map = fig_yaml_lookup(preset, section);
    const FigYaml *declared = fig_yaml_lookup(loader->root, section);
    if (!map)
        return true;
    if (!fig_loader_map(loader, map, what))
        return false;
    g_autoptr(GPtrArray) ids = g_ptr_array_new();
    for (int i = 0; declared && declared->kind == FIG_YAML_MAP && i < declared->count;
         i++)
        g_ptr_array_add(ids, (gpointer)declared->keys[i]->text);
    g_ptr_array_add(ids, NULL);
    bool good = true;
    for (int i = 0; i < map->count; i++) {
        if (!g_strv_contains((const char *const *)ids->pdata, map->keys[i]->text)) {
            FigMessage *message =
                fig_diag_error(loader->diag, map->keys[i]->span,
                               "‘%s’ is not under ‘%s:’", map->keys[i]->text, section);
            fig_message_suggest(message, map->keys[i]->text,
                                (const char *const *)ids->pdata);
            good = false;
        } else if (strcmp(section, "dims") == 0) {
            good = fig_loader_scalar(loader, map->items[i], "a size") && good;
        }
    }
    return good;
}

static bool
check_form(FigLoader *loader, const FigYaml *presets)
{
    static const char *const keys[] = {"what", "dims", "constants", NULL};
    if (!fig_loader_map(loader, presets, "‘presets:’ (name: dims, constants)"))
        return false;
    bool good = true;
    for (int i = 0; i < presets->count; i++) {
        const FigYaml *preset = presets->items[i];
        good =
            fig_loader_map(loader, preset, "a preset") &&
            fig_yaml_check_keys(preset, keys, "a preset", loader->diag) &&
            check_section(loader, preset, "dims", "‘dims:’ of a preset (dim: size)") &&
            check_section(loader, preset, "constants",
                          "‘constants:’ of a preset (constant: what it is)") &&
            good;
    }
    return good;
}

/* ---- specs that have presets ---- */

/* The root of a shipped spec, without a word where it cannot be read. owns: arena */
static const FigYaml *
read_shipped(const char *name, FigArena *arena)
{
    g_autofree char *path = fig_spec_shipped_path(name);
    g_autofree char *text = NULL;
    g_autoptr(FigDiag) silent = fig_diag_new();
    gsize length;
    if (!path || !fig_file_read(path, FIG_LIMIT_FILE, &text, &length, NULL))
        return NULL;
    FigSource *source = fig_arena_new0(arena, FigSource);
    source->name = fig_arena_strdup(arena, path);
    source->text = fig_arena_strndup(arena, text, length);
    source->length = length;
    return fig_yaml_read(source, arena, silent);
}

/* The shipped spec that has the preset, and its root; NULL: none has. */
static char *
shipped_with(const char *preset, FigArena *arena, const FigYaml **root)
{
    g_auto(GStrv) names = fig_spec_shipped();
    for (char **name = names; *name; name++) {
        *root = read_shipped(*name, arena);
        if (lookup(lookup(*root, "presets"), preset))
            return g_strdup(*name);
    }
    *root = NULL;
    return NULL;
}

char *
fig_preset_spec(const char *name)
{
    g_autoptr(FigArena) arena = fig_arena_new();
    const FigYaml *root;
    return shipped_with(name, arena, &root);
}

char **
fig_preset_names(void)
{
    g_autoptr(FigArena) arena = fig_arena_new();
    g_autoptr(GStrvBuilder) all = g_strv_builder_new();
    g_auto(GStrv) names = fig_spec_shipped();
    for (char **name = names; *name; name++) {
        const FigYaml *root = read_shipped(*name, arena);
        const FigYaml *presets = lookup(root, "presets");
        for (int i = 0; presets && presets->kind == FIG_YAML_MAP && i < presets->count;
             i++)
            g_strv_builder_add(all, presets->keys[i]->text);
    }
    return g_strv_builder_end(all);
}

/* ---- networks by the type of their configs ---- */

/* Do the layers of a network take configs of this type? Those that they take, in all. */
static bool
is_of_type(const FigYaml *network, const char *type, FigArena *arena, GPtrArray *all)
{
    const FigYaml *ops = lookup(network, "ops");
    for (int i = 0; ops && ops->kind == FIG_YAML_LIST && i < ops->count; i++) {
        const FigYaml *name = fig_yaml_lookup(ops->items[i], "block");
        const FigYaml *block = name ? read_shipped(name->text, arena) : NULL;
        const FigYaml *types = lookup(lookup(block, "import"), "model_type");
        for (int t = 0; types && t < types->count; t++) {
            if (strcmp(types->items[t]->text, type) == 0)
                return true;
            g_ptr_array_add(all, (gpointer)types->items[t]->text);
        }
    }
    return false;
}

char *
fig_config_network(const char *path, FigDiag *diag)
{
    g_autofree char *type = fig_config_model_type(path, diag);
    g_autoptr(FigArena) arena = fig_arena_new();
    g_autoptr(GPtrArray) all = g_ptr_array_new();
    g_auto(GStrv) names = type ? fig_spec_shipped() : NULL;
    for (char **name = names; name && *name; name++)
        if (is_of_type(read_shipped(*name, arena), type, arena, all))
            return g_strdup(*name);
    g_ptr_array_add(all, NULL);
    if (type) {
        FigMessage *message =
            fig_diag_error(diag, (FigSpan){0},
                           "%s: no shipped network is of model_type ‘%s’", path, type);
        g_autofree char *types = g_strjoinv(", ", (char **)all->pdata);
        fig_message_note(message, "there are %s", types);
        fig_message_suggest(message, type, (const char *const *)all->pdata);
    }
    return NULL;
}

/* ---- the one that is chosen ---- */

/* The use of a block among the ops of a network: of one of the loaded specs. NULL: the
 * network uses none of them. */
static const FigYaml *
use_of(const FigLoader *loader, const FigYaml *network)
{
    const FigYaml *ops = fig_yaml_lookup(network, "ops");
    for (int i = 0; ops && ops->kind == FIG_YAML_LIST && i < ops->count; i++) {
        const FigYaml *block = fig_yaml_lookup(ops->items[i], "block");
        if (!block || block->kind != FIG_YAML_SCALAR)
            continue;
        if (strcmp(block->text, loader->graph->name) == 0)
            return ops->items[i];
        for (guint d = 1; d < loader->documents->len; d++)
            if (strcmp(g_array_index(loader->documents, FigDocument, d).called,
                       block->text) == 0)
                return ops->items[i];
    }
    return NULL;
}

static void
report_unknown(FigLoader *loader, const FigYaml *own)
{
    const char *name = loader->options->preset;
    FigMessage *message =
        fig_diag_error(loader->diag, (FigSpan){0}, "there is no preset ‘%s’", name);
    g_auto(GStrv) shipped = fig_preset_names();
    g_autoptr(GStrvBuilder) all = g_strv_builder_new();
    for (int i = 0; own && i < own->count; i++)
        if (!g_strv_contains((const char *const *)shipped, own->keys[i]->text))
            g_strv_builder_add(all, own->keys[i]->text);
    g_strv_builder_addv(all, (const char **)shipped);
    g_auto(GStrv) words = g_strv_builder_end(all);
    g_autofree char *joined = g_strjoinv(", ", words);
    if (*joined)
        fig_message_note(message, "presets are %s", joined);
    fig_message_suggest(message, name, (const char *const *)words);
}

/* What the preset says of a dim or constant; ids that the spec does not have are the
 * network's. */
static void
take_section(FigLoader *loader, const FigYaml *preset, const char *section,
             GArray *values)
{
    const FigYaml *map = fig_yaml_lookup(preset, section);
    const FigYaml *declared = fig_yaml_lookup(loader->root, section);
    bool dims = strcmp(section, "dims") == 0;
    for (int i = 0; map && map->kind == FIG_YAML_MAP && i < map->count; i++) {
        const FigYaml *item = map->items[i];
        if (!lookup(declared, map->keys[i]->text))
            continue;
        if (item->kind == FIG_YAML_LIST && item->count > 0 && !dims)
            item = item->items[MAX(loader->options->layer, 0) % item->count];
        FigConfigValue value = {
            .id = map->keys[i]->text,
            .value = item->text,
            .node = dims ? NULL : item,
            .field = fig_arena_printf(loader->arena, "%s.%s", loader->options->preset,
                                      map->keys[i]->text),
            .span = item->span,
        };
        if (!dims || item->kind == FIG_YAML_SCALAR)
            g_array_append_val(values, value);
    }
}

/* A block of a network whose layers differ is that of `layer`. */
static void
take_kinds(FigLoader *loader, const FigYaml *use, FigConfigValues *values)
{
    const FigYaml *kinds = lookup(use, "kinds");
    const FigYaml *list = kinds && kinds->kind == FIG_YAML_MAP && kinds->count == 1
                              ? kinds->items[0]
                              : NULL;
    if (!list || list->kind != FIG_YAML_LIST || list->count == 0 ||
        fig_config_find(values->constants, kinds->keys[0]->text))
        return;
    const FigYaml *word = list->items[MAX(loader->options->layer, 0) % list->count];
    FigConfigValue value = {.id = kinds->keys[0]->text,
                            .value = word->text,
                            .node = word,
                            .field = kinds->keys[0]->text,
                            .span = word->span};
    g_array_append_val(values->constants, value);
}

const FigYaml *
fig_preset_kinds(const FigLoader *loader, const char *id)
{
    const FigYaml *presets = lookup(loader->root, "presets");
    const char *name = loader->options->preset;
    const FigYaml *preset = name ? lookup(presets, name) : NULL;
    const FigYaml *list = lookup(lookup(preset, "constants"), id);
    return list && list->kind == FIG_YAML_LIST && list->count > 0 ? list : NULL;
}

/* Has the preset such a layer? use: of the block, by its network, which says by which dim
 * it repeats it; NULL: the spec is the network. */
static bool
check_layer(const FigLoader *loader, const FigYaml *preset, const FigYaml *use)
{
    const FigYaml *count = lookup(use, "count");
    const FigYaml *layers = count && count->kind == FIG_YAML_SCALAR
                                ? lookup(lookup(preset, "dims"), count->text)
                                : NULL;
    int64_t n;
    if (!layers || layers->kind != FIG_YAML_SCALAR ||
        !fig_num_read_integer(layers->text, &n) ||
        (loader->options->layer >= 0 && loader->options->layer < n))
        return true;
    fig_diag_error(loader->diag, (FigSpan){0},
                   "‘%s’ has %s layers, from 0 on; --layer %d is none of them",
                   loader->options->preset, layers->text, loader->options->layer);
    return false;
}

bool
fig_load_preset(FigLoader *loader, FigConfigValues *values)
{
    const char *name = loader->options->preset;
    const FigYaml *own = fig_yaml_lookup(loader->root, "presets");
    if (own && !check_form(loader, own))
        return false;
    if (!name)
        return true;
    if (loader->options->config) {
        fig_diag_error(loader->diag, (FigSpan){0},
                       "the preset ‘%s’ and --config both say which model it is", name);
        return false;
    }
    const FigYaml *preset = lookup(own, name), *use = NULL;
    if (!preset) {
        const FigYaml *network;
        g_autofree char *spec = shipped_with(name, loader->arena, &network);
        if (!spec) {
            report_unknown(loader, own);
            return false;
        }
        use = use_of(loader, network);
        if (!use) {
            fig_diag_error(loader->diag, (FigSpan){0},
                           "‘%s’ is a preset of %s, which %s is no block of", name,
                           spec, loader->graph->name);
            return false;
        }
        preset = lookup(lookup(network, "presets"), name);
    }
    if (!check_layer(loader, preset, use))
        return false;
    take_section(loader, preset, "dims", values->dims);
    take_section(loader, preset, "constants", values->constants);
    take_kinds(loader, use, values);
    return true;
}
