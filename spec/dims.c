/* SPDX-License-Identifier: MIT
 *
 * Dims. A dim given by a number, or set from outside, is a free symbol of
 * the algebra; one given by an expression over others *is* that polynomial, which makes
 * it a rewriting rule (H·h_d → C), with a name for print.
 *
 * What sets a dim: the command line, else the config or the preset, else the spec. A config that says
 * what the expression gives anyway leaves the rule in force.
 */
#include "base/num.h"
#include "spec/loader.h"
#include "spec/scope.h"

#include <string.h>

static const char *const dim_keys[] = {"is", "what", "label", "aka", NULL};

/* ---- what comes from outside ---- */

const FigOverride *
fig_override_find(const FigOverride *overrides, const char *id)
{
    const FigOverride *found = NULL;
    for (; overrides && overrides->id; overrides++) {
        if (strcmp(overrides->id, id) == 0)
            found = overrides;
    }
    return found;
}

const FigConfigValue *
fig_config_find(const GArray *values, const char *id)
{
    for (guint i = 0; i < values->len; i++) {
        const FigConfigValue *value = &g_array_index(values, FigConfigValue, i);
        if (strcmp(value->id, id) == 0)
            return value;
    }
    return NULL;
}

static bool
read_size(const char *text, int64_t *size)
{
    return fig_num_read_integer(text, size) && *size >= 1;
}

/* Report each override of an id that map does not declare. */
static void
check_overrides(FigLoader *loader, const FigOverride *overrides, const FigYaml *map,
                const char *option, const char *kind)
{
    for (; overrides && overrides->id; overrides++) {
        if (map && fig_yaml_lookup(map, overrides->id))
            continue;
        FigMessage *message = fig_diag_error(
            loader->diag, (FigSpan){0}, "%s %s=%s: there is no %s ‘%s’", option,
            overrides->id, overrides->value, kind, overrides->id);
        g_autoptr(GPtrArray) ids = g_ptr_array_new();
        for (int i = 0; map && i < map->count; i++)
            g_ptr_array_add(ids, (gpointer)map->keys[i]->text);
        g_ptr_array_add(ids, NULL);
        g_autofree char *all = g_strjoinv(", ", (char **)ids->pdata);
        if (*all)
            fig_message_note(message, "the %ss of %s are %s", kind, loader->graph->name,
                             all);
        fig_message_suggest(message, overrides->id, (const char *const *)ids->pdata);
    }
}

/* ---- dims ---- */

static void
set_free(FigLoader *loader, FigDim *dim, int64_t size)
{
    dim->derived = false;
    dim->poly = fig_poly_symbol(loader->graph->algebra, dim->id);
    dim->symbol = fig_algebra_lookup(loader->graph->algebra, dim->id);
    g_assert(dim->symbol == (int)loader->symbol_size->len);
    g_array_append_val(loader->symbol_size, size);
}

/* A dim that stands at this one or behind it is no unknown one: say what is wrong with
 * reading it. */
static bool
reads_ahead(FigLoader *loader, const FigDim *dim, const FigExpr *expr)
{
    const FigYaml *dims = fig_yaml_lookup(loader->root, "dims");
    for (int i = 0; i < expr->n_args; i++) {
        if (expr->args[i] && reads_ahead(loader, dim, expr->args[i]))
            return true;
    }
    if (expr->kind != FIG_EXPR_NAME)
        return false;
    if (strcmp(expr->name, dim->id) == 0) {
        fig_diag_error(loader->diag, expr->span, "‘%s’ cannot be made of itself",
                       dim->id);
        return true;
    }
    for (int i = 0; i < dims->count; i++) {
        const FigYaml *key = dims->keys[i];
        if (strcmp(key->text, expr->name) != 0 || key->span.offset <= dim->span.offset)
            continue;
        FigMessage *message = fig_diag_error(
            loader->diag, expr->span,
            "‘%s’ stands later: a dim is made of those before it", expr->name);
        fig_message_note_at(message, key->span, "here it stands");
        return true;
    }
    return false;
}

/* From the spec's own expression. A wrong one leaves a free symbol, so that what is made
 * of it stays silent. */
static bool
set_by_expression(FigLoader *loader, FigDim *dim, const FigYaml *is)
{
    const FigExpr *parsed = fig_expr_parse(is, loader->arena, NULL);
    if (parsed && reads_ahead(loader, dim, parsed)) {
        set_free(loader, dim, 1);
        return false;
    }
    dim->poly = fig_loader_poly(loader, is, &dim->is);
    FigRational number;
    if (!dim->poly) {
        set_free(loader, dim, 1);
        return false;
    }
    if (!fig_poly_is_number(dim->poly, &number)) {
        dim->derived = true;
        dim->symbol = -1;
        return true;
    }
    bool good = number.den == 1 && number.num >= 1;
    if (!good) {
        g_autofree char *text = fig_expr_text(dim->is);
        fig_diag_error(loader->diag, is->span,
                       "%s = %s is no size: a whole number, at least 1", dim->id, text);
    }
    set_free(loader, dim, good ? number.num : 1);
    return good;
}

/* The polynomial of an expression, or NULL without a word: what is wrong with it is said
 * elsewhere. */
static const FigPoly *
silent_poly(FigLoader *loader, const FigYaml *is)
{
    FigDiag *diag = loader->diag;
    loader->diag = NULL;
    const FigPoly *poly = fig_loader_poly(loader, is, NULL);
    loader->diag = diag;
    return poly;
}

/* Does an expression over other dims give this size? */
static bool
gives_size(FigLoader *loader, const FigPoly *poly, int64_t size)
{
    FigRational number;
    return poly && !fig_poly_is_number(poly, &number) &&
           fig_poly_value(loader->graph->algebra, poly,
                          (const int64_t *)(void *)loader->symbol_size->data,
                          &number) == FIG_POLY_OK &&
           number.den == 1 && number.num == size;
}

/* What `import:` takes where a config does not name the dim is the usual rule: as many
 * key/value heads as heads, say. A dim that is set to just that follows the rule, so that
 * both are one size in every shape. */
static bool
follow_usual_rule(FigLoader *loader, FigDim *dim, int64_t size)
{
    const FigYaml *rule = loader->root;
    const char *const path[] = {"import", "dims", dim->id, "absent"};
    for (size_t i = 0; rule && i < G_N_ELEMENTS(path); i++)
        rule = fig_yaml_lookup(rule, path[i]);
    const FigPoly *poly =
        rule && rule->kind == FIG_YAML_SCALAR ? silent_poly(loader, rule) : NULL;
    if (!gives_size(loader, poly, size))
        return false;
    dim->is = fig_expr_parse(rule, loader->arena, NULL);
    dim->poly = poly;
    dim->symbol = -1;
    dim->derived = true;
    return true;
}

static bool
set_from_outside(FigLoader *loader, FigDim *dim, const FigConfigValues *config,
                 bool *set)
{
    const FigOverride *override = fig_override_find(loader->options->dims, dim->id);
    const FigConfigValue *field = fig_config_find(config->dims, dim->id);
    *set = override || (field && field->value);
    if (!*set)
        return true;
    int64_t size = 1;
    bool good = true;
    if (override && !read_size(override->value, &size)) {
        fig_diag_error(loader->diag, (FigSpan){0},
                       "--dims %s=%s: a size is a whole number, at least 1", dim->id,
                       override->value);
        good = false;
    } else if (!override && !read_size(field->value, &size)) {
        fig_diag_error(loader->diag, field->span,
                       "‘%s’ is %s; %s wants a whole number, at least 1", field->field,
                       field->value, dim->id);
        good = false;
    }
    dim->overridden = true;
    if (!good || !follow_usual_rule(loader, dim, size))
        set_free(loader, dim, good ? size : 1);
    return good;
}

/* Does the expression alone give what the config says? */
static bool
config_agrees(FigLoader *loader, const FigYaml *is, const FigConfigValue *field)
{
    int64_t size;
    return read_size(field->value, &size) &&
           gives_size(loader, silent_poly(loader, is), size);
}

static bool
set_dim(FigLoader *loader, FigDim *dim, const FigYaml *is,
        const FigConfigValues *config)
{
    const FigConfigValue *field = fig_config_find(config->dims, dim->id);
    const FigYaml *own = is;
    if (field && field->absent) {
        const FigPoly *here = silent_poly(loader, is);
        const FigPoly *absent = silent_poly(loader, field->absent);
        if (!here || !absent || !fig_poly_equal(here, absent))
            own = field->absent;
    }
    bool override = fig_override_find(loader->options->dims, dim->id) != NULL;
    bool set = false, good = true;
    if (override || !field || !field->value || !config_agrees(loader, is, field))
        good = set_from_outside(loader, dim, config, &set);
    if (!set)
        return set_by_expression(loader, dim, own);
    return fig_loader_poly(loader, is, NULL) && good;
}

static bool
load_dim(FigLoader *loader, const FigYaml *key, const FigYaml *map,
         const FigConfigValues *config)
{
    FigName *name = fig_loader_name(loader, key, "a dim");
    if (!name && map->kind != FIG_YAML_MAP)
        return false;
    bool good = fig_loader_entry(loader, map, dim_keys, "a dim", "is");
    if (!name)
        return false;
    FigDim dim = {.id = name->id, .span = key->span, .symbol = -1};
    dim.what = fig_loader_sentence(loader, map, "what");
    const char *label = fig_loader_label(loader, map);
    dim.label = label ? label : fig_label_of_id(dim.id, loader->arena);
    const FigYaml *is = fig_yaml_lookup(map, "is");
    if (good && !is)
        fig_diag_error(loader->diag, key->span, "the dim ‘%s’ needs ‘is:’", dim.id);
    is = is ? fig_loader_scalar(loader, is, "‘is:’") : NULL;
    fig_loader_dim_aka(loader, map, &dim);
    if (is)
        good = set_dim(loader, &dim, is, config) && good;
    else
        set_free(loader, &dim, 1); /* what is made of it stays silent */
    g_array_append_val(loader->dims, dim);
    fig_ids_add(loader->dim_ids, dim.id);
    fig_ids_add(loader->name_ids, dim.id);
    if (dim.derived)
        fig_algebra_name(loader->graph->algebra, dim.id, dim.poly);
    return good && is;
}

/* The sizes at the dims drawn, once all are declared. */
static bool
size_dims(FigLoader *loader)
{
    FigDim *dims = (FigDim *)(void *)loader->dims->data;
    int64_t size[FIG_LIMIT_DIMS];
    bool good = true;
    for (int i = 0; i < (int)loader->dims->len; i++) {
        good = fig_dim_size(loader->graph->algebra, dims, i,
                            (const int64_t *)(void *)loader->symbol_size->data, size,
                            loader->diag) &&
               good;
        dims[i].size = size[i];
    }
    return good;
}

bool
fig_load_dims(FigLoader *loader)
{
    const FigYaml *dims = fig_yaml_lookup(loader->root, "dims");
    const FigYaml *constants = fig_yaml_lookup(loader->root, "constants");
    if (!dims || !fig_loader_map(loader, dims, "‘dims:’")) {
        loader->names_lost = true;
        return false;
    }
    if (dims->count > FIG_LIMIT_DIMS) {
        fig_diag_error(loader->diag, dims->span,
                       "%d dims are too many (the limit is %d)", dims->count,
                       FIG_LIMIT_DIMS);
        loader->names_lost = true;
        return false;
    }
    check_overrides(loader, loader->options->dims, dims, "--dims", "dim");
    check_overrides(loader, loader->options->set, constants, "--set", "constant");
    g_autoptr(GArray) config_dims = g_array_new(FALSE, FALSE, sizeof(FigConfigValue));
    g_autoptr(GArray) config_constants =
        g_array_new(FALSE, FALSE, sizeof(FigConfigValue));
    FigConfigValues config = {config_dims, config_constants};
    bool good = fig_load_config(loader, loader->options->config, &config);
    good = fig_load_preset(loader, &config) && good;
    for (int i = 0; i < dims->count; i++)
        good = load_dim(loader, dims->keys[i], dims->items[i], &config) && good;
    if (good)
        good = size_dims(loader);
    if (constants)
        good = fig_load_constants(loader, constants, &config) && good;
    return good;
}
