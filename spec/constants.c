/* SPDX-License-Identifier: MIT
 *
 * Constants: a number, a word out of its `one_of:`, a map (`{type: yarn, factor: 8}`), or
 * `none`. What sets one: the command line, else the config or preset, else the spec. A constant
 * whose `when:` does not hold is none, whoever sets it.
 */
#include "base/num.h"
#include "base/seen.h"
#include "spec/loader.h"
#include "spec/scope.h"

#include <string.h>

static const char *const constant_keys[] = {"is",     "what", "label",
                                            "one_of", "when", NULL};

static bool
is_none(const FigYaml *node)
{
    return node->kind == FIG_YAML_SCALAR && !node->quoted &&
           strcmp(node->text, "none") == 0;
}

static void
set_none(FigConstant *constant)
{
    constant->kind = FIG_CONSTANT_NONE;
    constant->text = "none";
}

/* Constants see the constants before them, and no dims: those may follow from a config. */
static bool
number_of(FigLoader *loader, const FigYaml *node, const GPtrArray *ids, double *real)
{
    const FigExpr *expr = fig_expr_parse(node, loader->arena, loader->diag);
    FigScope scope = {
        .n_constants = (int)loader->constants->len,
        .constants = (const FigConstant *)(void *)loader->constants->data,
    };
    return expr && fig_scope_real(&scope, expr, (const char *const *)ids->pdata,
                                  loader->diag, real);
}

/* ---- words ---- */

static bool
check_one_of(FigLoader *loader, const FigYaml *list)
{
    if (!fig_loader_list(loader, list, "‘one_of:’"))
        return false;
    for (int i = 0; i < list->count; i++) {
        if (!fig_loader_scalar(loader, list->items[i], "a word") ||
            !fig_seen_check(list->items[i], false, "a word", loader->diag))
            return false;
    }
    return true;
}

/* Is the text one of the words? at has no source for one of the command line. */
static bool
set_word(FigLoader *loader, FigConstant *constant, const char *text, FigSpan at)
{
    g_autoptr(GPtrArray) words = g_ptr_array_new();
    for (int i = 0; i < constant->one_of->count; i++) {
        const char *word = constant->one_of->items[i]->text;
        g_ptr_array_add(words, (gpointer)word);
        if (strcmp(word, text) != 0)
            continue;
        constant->kind = FIG_CONSTANT_WORD;
        constant->text = word;
        return true;
    }
    g_ptr_array_add(words, NULL);
    g_autofree char *all = g_strjoinv(" or ", (char **)words->pdata);
    g_autofree char *option = g_strdup_printf("--set %s=%s: ", constant->id, text);
    FigMessage *message =
        fig_diag_error(loader->diag, at, "%s‘%s’ is %s, not ‘%s’",
                       at.source ? "" : option, constant->id, all, text);
    fig_message_suggest(message, text, (const char *const *)words->pdata);
    return false;
}

/* ---- maps ---- */

static bool
looks_like_word(const FigYaml *node)
{
    const char *c = node->text;
    if (node->quoted)
        return true;
    if (!g_ascii_isalpha(*c))
        return false;
    while (g_ascii_isalnum(*c) || *c == '_')
        c++;
    return *c == '\0';
}

static bool
set_member(FigLoader *loader, FigConstant *member, const FigYaml *key,
           const FigYaml *item, const GPtrArray *ids)
{
    if (!fig_loader_scalar(loader, item, "a member of a constant"))
        return false;
    member->id = key->text;
    member->span = key->span;
    member->text = item->text;
    if (is_none(item))
        set_none(member);
    else if (looks_like_word(item) && !fig_loader_constant(loader, item->text))
        member->kind = FIG_CONSTANT_WORD; /* the op it is given to knows its words */
    else
        return number_of(loader, item, ids, &member->real);
    return true;
}

static bool
set_map(FigLoader *loader, FigConstant *constant, const FigYaml *map,
        const GPtrArray *ids)
{
    FigConstant *members =
        fig_arena_new_array(loader->arena, FigConstant, MAX(map->count, 1));
    g_autoptr(GString) text = g_string_new("{");
    bool good = true;
    for (int i = 0; i < map->count; i++) {
        good =
            set_member(loader, &members[i], map->keys[i], map->items[i], ids) && good;
        g_string_append_printf(text, "%s%s: %s", i ? ", " : "", map->keys[i]->text,
                               good ? members[i].text : "?");
    }
    g_string_append_c(text, '}');
    constant->kind = FIG_CONSTANT_MAP;
    constant->text = fig_arena_strdup(loader->arena, text->str);
    constant->node = map;
    constant->member = members;
    constant->n_members = map->count;
    return good;
}

/* ---- what sets a constant ---- */

static bool
set_from_node(FigLoader *loader, FigConstant *constant, const FigYaml *node,
              const GPtrArray *ids)
{
    if (node->kind == FIG_YAML_MAP && constant->one_of) {
        fig_diag_error(loader->diag, node->span, "‘%s’ is one of some words, not a map",
                       constant->id);
        return false;
    }
    if (node->kind == FIG_YAML_MAP)
        return set_map(loader, constant, node, ids);
    if (!fig_loader_scalar(loader, node, "‘is:’"))
        return false;
    if (is_none(node)) {
        set_none(constant);
        return true;
    }
    if (constant->one_of)
        return set_word(loader, constant, node->text, node->span);
    constant->text = node->text;
    return number_of(loader, node, ids, &constant->real);
}

/* A map or list on the command line is YAML of its own: "{type: yarn, factor: 8}". */
static const FigYaml *
read_option(FigLoader *loader, const FigConstant *constant, const char *text)
{
    FigSource *source = fig_arena_new0(loader->arena, FigSource);
    source->name = fig_arena_printf(loader->arena, "--set %s", constant->id);
    source->text = fig_arena_strdup(loader->arena, text);
    source->length = strlen(text);
    return fig_yaml_read(source, loader->arena, loader->diag);
}

static bool
set_from_braces(FigLoader *loader, FigConstant *constant, const char *text,
                const GPtrArray *ids)
{
    const FigYaml *node = read_option(loader, constant, text);
    return node && set_from_node(loader, constant, node, ids);
}

/* The kinds of layers on the command line: "[window, window, full]". */
static bool
set_from_list(FigLoader *loader, FigConstant *constant, const char *text,
              const GPtrArray *ids)
{
    const FigYaml *list = read_option(loader, constant, text);
    if (!list || !fig_loader_list(loader, list, "the kinds of layers"))
        return false;
    const FigYaml *word = fig_loader_kind(loader, constant->id, list);
    if (word)
        return set_from_node(loader, constant, word, ids);
    fig_diag_error(loader->diag, (FigSpan){0},
                   "--set %s=%s: ‘%s’ says no kinds of layers, so it is one thing",
                   constant->id, text, constant->id);
    return false;
}

static bool
set_from_option(FigLoader *loader, FigConstant *constant, const char *text,
                const GPtrArray *ids)
{
    constant->overridden = true;
    if (text[0] == '[')
        return set_from_list(loader, constant, text, ids);
    if (strcmp(text, "none") == 0) {
        set_none(constant);
        return true;
    }
    if (constant->one_of)
        return set_word(loader, constant, text, (FigSpan){0});
    if (text[0] == '{')
        return set_from_braces(loader, constant, text, ids);
    constant->text = fig_arena_strdup(loader->arena, text);
    if (fig_num_read_real(text, &constant->real))
        return true;
    fig_diag_error(loader->diag, (FigSpan){0}, "--set %s=%s: ‘%s’ is no number",
                   constant->id, text, text);
    return false;
}

static bool
set_from_config(FigLoader *loader, FigConstant *constant, const FigConfigValue *field,
                const GPtrArray *ids)
{
    constant->overridden = true;
    if (field->node)
        return set_from_node(loader, constant, field->node, ids);
    constant->text = field->value;
    if (fig_num_read_real(field->value, &constant->real))
        return true;
    fig_diag_error(loader->diag, field->span, "‘%s’ is %s; %s wants a number",
                   field->field, field->value, constant->id);
    return false;
}

static bool
set_constant(FigLoader *loader, FigConstant *constant, const FigYaml *is,
             const FigConfigValues *config, const GPtrArray *ids)
{
    const FigOverride *override = fig_override_find(loader->options->set, constant->id);
    const FigConfigValue *field = fig_config_find(config->constants, constant->id);
    if (override)
        return set_from_option(loader, constant, override->value, ids);
    if (field && (field->value || field->node))
        return set_from_config(loader, constant, field, ids);
    bool absent = field && field->absent;
    const FigYaml *kind = fig_loader_kind(loader, constant->id, NULL);
    if (kind && !absent)
        return set_from_node(loader, constant, kind, ids);
    if (!set_from_node(loader, constant, absent ? field->absent : is, ids))
        return false;
    /* who has the spec alone must be told */
    constant->overridden =
        absent && is->kind == FIG_YAML_SCALAR && strcmp(constant->text, is->text) != 0;
    return true;
}

/* Does `when:` leave the constant something to be? It may speak of constants before. */
static bool
switch_constant(FigLoader *loader, const FigYaml *map, FigConstant *constant)
{
    bool on = true;
    if (!fig_loader_when(loader, map, &on))
        return false;
    if (on)
        return true;
    bool set = fig_override_find(loader->options->set, constant->id) != NULL;
    if (set && constant->kind != FIG_CONSTANT_NONE && !loader->kinds) {
        const FigYaml *when = fig_yaml_lookup(map, "when");
        FigMessage *message =
            fig_diag_error(loader->diag, (FigSpan){0}, "--set %s=%s: ‘%s’ is none here",
                           constant->id, constant->text, constant->id);
        fig_message_note_at(message, when->span, "it is something only with this");
        return false;
    }
    set_none(constant);
    constant->overridden = false;
    constant->n_members = 0;
    return true;
}

static bool
load_constant(FigLoader *loader, const FigYaml *key, const FigYaml *map,
              const FigConfigValues *config, GPtrArray *ids)
{
    FigName *name = fig_loader_name(loader, key, "a constant");
    if (!name && map->kind != FIG_YAML_MAP)
        return false;
    bool keys = fig_loader_entry(loader, map, constant_keys, "a constant", "is");
    if (!name)
        return false;
    FigConstant constant = {.id = name->id, .span = key->span};
    constant.what = fig_loader_sentence(loader, map, "what");
    const char *label = fig_loader_label(loader, map);
    constant.labelled = label != NULL;
    constant.label = label ? label : fig_label_of_id(constant.id, loader->arena);
    constant.one_of = fig_yaml_lookup(map, "one_of");
    const FigYaml *is = fig_yaml_lookup(map, "is");
    bool good = keys;
    if (constant.one_of && !check_one_of(loader, constant.one_of)) {
        constant.one_of = NULL;
        good = false;
    } else if (!is && keys) {
        fig_diag_error(loader->diag, key->span, "the constant ‘%s’ needs ‘is:’",
                       constant.id);
        good = false;
    } else if (is) {
        good = set_constant(loader, &constant, is, config, ids) && good;
        good = good && switch_constant(loader, map, &constant);
    }
    g_array_append_val(loader->constants, constant);
    fig_ids_add(ids, constant.id);
    fig_ids_add(loader->name_ids, constant.id);
    return good;
}

bool
fig_load_constants(FigLoader *loader, const FigYaml *map, const FigConfigValues *config)
{
    if (!fig_loader_map(loader, map, "‘constants:’"))
        return false;
    bool good = true;
    g_autoptr(GPtrArray) ids = g_ptr_array_new();
    g_ptr_array_add(ids, NULL);
    for (int i = 0; i < map->count; i++)
        good = load_constant(loader, map->keys[i], map->items[i], config, ids) && good;
    return good;
}
