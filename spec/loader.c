/* SPDX-License-Identifier: MIT
 *
 * What every phase of loading needs: YAML of the expected kind, identifiers and their
 * meanings, expressions over dims and constants.
 */
#include "spec/loader.h"

#include "base/seen.h"

#include "spec/scope.h"

#include <string.h>

bool
fig_yaml_is_null(const FigYaml *node)
{
    static const char *const nulls[] = {"", "~", "null", NULL};
    return !node || (node->kind == FIG_YAML_SCALAR && !node->quoted &&
                     g_strv_contains(nulls, node->text));
}

static const char *
kind_words(const FigYaml *node)
{
    return node->kind == FIG_YAML_SCALAR ? "a single value"
           : node->kind == FIG_YAML_LIST ? "a list"
                                         : "a map";
}

const FigYaml *
fig_loader_scalar(FigLoader *loader, const FigYaml *node, const char *what)
{
    if (node->kind == FIG_YAML_SCALAR)
        return node;
    FigMessage *message =
        fig_diag_error(loader->diag, node->span, "%s is a single value, not %s", what,
                       kind_words(node));
    if (node->kind == FIG_YAML_MAP && node->count == 1)
        fig_message_hint(message,
                         "‘: ’ starts a map; a text that holds it stands in quotes");
    return NULL;
}

bool
fig_loader_map(FigLoader *loader, const FigYaml *node, const char *what)
{
    if (node->kind == FIG_YAML_MAP)
        return true;
    fig_diag_error(loader->diag, node->span, "%s: a map (key: value) is wanted, not %s",
                   what, kind_words(node));
    return false;
}

bool
fig_loader_list(FigLoader *loader, const FigYaml *node, const char *what)
{
    if (node->kind == FIG_YAML_LIST)
        return true;
    FigMessage *message =
        fig_diag_error(loader->diag, node->span, "%s: a list is wanted, not %s", what,
                       kind_words(node));
    bool maps = strcmp(what, "‘ops:’") == 0; /* a bare value is no map, listed or not */
    if (node->kind == FIG_YAML_SCALAR && !fig_yaml_is_null(node) && !maps) {
        /* "T, C" was meant as two, "a word." as one on its line */
        bool items = !strpbrk(node->text, " \n") || strchr(node->text, ',');
        fig_message_hint(message, items ? "write [%s]" : "write - %s", node->text);
    }
    return false;
}

/* A scalar, or a list of them, as it is written between braces. */
static bool
append_flow(GString *out, const FigYaml *node)
{
    if (node->kind == FIG_YAML_SCALAR) {
        bool plain = node->verbatim && !strpbrk(node->text, ",{}[]#\n");
        if (!node->verbatim)
            return false;
        g_string_append_printf(out, plain ? "%s" : "\"%s\"", node->text);
        return true;
    }
    g_string_append_c(out, '[');
    for (int i = 0; i < node->count; i++) {
        if (node->items[i]->kind != FIG_YAML_SCALAR)
            return false;
        g_string_append(out, i ? ", " : "");
        if (!append_flow(out, node->items[i]))
            return false;
    }
    g_string_append_c(out, ']');
    return node->kind == FIG_YAML_LIST;
}

bool
fig_loader_entry(FigLoader *loader, const FigYaml *node, const char *const *keys,
                 const char *what, const char *main)
{
    g_autoptr(GString) flow = g_string_new(NULL);
    bool shape = strcmp(main, "shape") == 0;
    bool list = node->kind == FIG_YAML_LIST;
    if (node->kind == FIG_YAML_MAP || fig_yaml_is_null(node) || (list && !shape) ||
        !append_flow(flow, node))
        return fig_yaml_check_keys(node, keys, what, loader->diag);
    FigMessage *message =
        fig_diag_error(loader->diag, node->span, "%s is a map (key: value), not %s",
                       what, list ? "a list" : "a single value");
    fig_message_hint(message, shape && !list ? "write {%s: [%s]}" : "write {%s: %s}",
                     main, flow->str);
    return false;
}

const char *
fig_loader_text(FigLoader *loader, const FigYaml *map, const char *key)
{
    const FigYaml *node = fig_yaml_lookup(map, key);
    if (!node)
        return NULL;
    g_autofree char *what = g_strdup_printf("‘%s:’", key);
    const FigYaml *scalar = fig_loader_scalar(loader, node, what);
    return scalar ? scalar->text : NULL;
}

bool
fig_loader_bool(FigLoader *loader, const FigYaml *map, const char *key, bool fallback)
{
    const FigYaml *node = fig_yaml_lookup(map, key);
    if (!node)
        return fallback;
    if (node->kind == FIG_YAML_SCALAR && !node->quoted) {
        if (strcmp(node->text, "true") == 0)
            return true;
        if (strcmp(node->text, "false") == 0)
            return false;
    }
    if (node->kind != FIG_YAML_SCALAR) {
        fig_diag_error(loader->diag, node->span, "‘%s:’ is true or false, not %s", key,
                       kind_words(node));
        return fallback;
    }
    static const char *const yes[] = {"yes", "on", "True", "TRUE", "Yes", "y", NULL};
    static const char *const no[] = {"no", "off", "False", "FALSE", "No", "n", NULL};
    FigMessage *message = fig_diag_error(
        loader->diag, node->span, "‘%s:’ is true or false, not ‘%s’", key, node->text);
    if (g_strv_contains(yes, node->text))
        fig_message_hint(message, "%s: true", key);
    else if (g_strv_contains(no, node->text))
        fig_message_hint(message, "%s: false", key);
    return fallback;
}

/* A text for a reader has something to read, and is what it looks like. */
static bool
check_seen(FigLoader *loader, const FigYaml *node, bool math, const char *what)
{
    bool blank = true;
    for (const char *c = node->text; *c; c = g_utf8_next_char(c))
        blank = blank && g_unichar_isspace(g_utf8_get_char(c));
    if (!fig_seen_check(node, math, what, loader->diag))
        return false;
    if (blank)
        fig_diag_error(loader->diag, node->span, "%s says nothing", what);
    return !blank;
}

const char *
fig_loader_label(FigLoader *loader, const FigYaml *map)
{
    const char *label = fig_loader_text(loader, map, "label");
    if (!label)
        return NULL;
    const FigYaml *node = fig_yaml_lookup(map, "label");
    if (!*label || strlen(label) > FIG_LIMIT_LABEL) {
        fig_diag_error(loader->diag, node->span, "a label has 1 to %d bytes, not %zu",
                       FIG_LIMIT_LABEL, strlen(label));
        return NULL;
    }
    if (!check_seen(loader, node, true, "a label"))
        return NULL;
    if (loader->options->check_label) {
        /* the dollar that makes the label math stands one byte before its text */
        g_autofree char *math = g_strdup_printf("$%s$", label);
        FigSpan at = fig_yaml_span(node, 0, strlen(label));
        if (node->verbatim && at.offset > 0 && at.column > 1) {
            at.offset--;
            at.column--;
            at.length = strlen(math);
        }
        loader->options->check_label(math, at, loader->diag);
    }
    return label;
}

/* The math of a text, its placeholders masked by digits of the same length so that places
 * stay right. */
static void
check_text(FigLoader *loader, const FigYaml *node)
{
    if (!loader->options->check_label)
        return;
    g_autofree char *masked = g_strdup(node->text);
    for (char *p = masked; *p; p++) {
        if (p[0] == '\\' && p[1] == '<') {
            p[0] = p[1] = '0';
        } else if (p[0] == '<' && g_ascii_isalpha(p[1])) {
            char *end = strchr(p, '>');
            if (end)
                memset(p, '0', (size_t)(end - p + 1));
        }
    }
    loader->options->check_label(masked, fig_yaml_span(node, 0, strlen(masked)),
                                 loader->diag);
}

/* A placeholder that is opened is closed. */
static bool
check_placeholders(FigLoader *loader, const FigYaml *node)
{
    const char *text = node->text;
    for (const char *p = text; *p; p++) {
        if (p[0] == '\\' && p[1] == '<') {
            p++;
        } else if (p[0] == '<' && g_ascii_isalpha(p[1])) {
            const char *end = strchr(p, '>');
            if (!end) {
                FigMessage *message = fig_diag_error(
                    loader->diag, fig_yaml_span(node, (size_t)(p - text), 1),
                    "‘<’ opens a placeholder that is never closed");
                fig_message_hint(message, "write \\< for the sign itself");
                return false;
            }
            p = end;
        }
    }
    return true;
}

bool
fig_loader_words(FigLoader *loader, const FigYaml *node, const char *what,
                 FigText *text)
{
    if (!fig_loader_scalar(loader, node, what))
        return false;
    if (strlen(node->text) > FIG_LIMIT_LABEL) {
        fig_diag_error(loader->diag, node->span,
                       "%s is too long in bytes (the limit is %d)", what,
                       FIG_LIMIT_LABEL);
        return false;
    }
    text->text = node->text;
    text->at = node;
    if (!check_seen(loader, node, false, what))
        return false;
    if (!check_placeholders(loader, node))
        return false;
    check_text(loader, node);
    return true;
}

const char *
fig_loader_sentence(FigLoader *loader, const FigYaml *map, const char *key)
{
    const FigYaml *node = fig_yaml_lookup(map, key);
    g_autofree char *what = g_strdup_printf("‘%s:’", key);
    FigText text = {0};
    return node && fig_loader_words(loader, node, what, &text) ? text.text : NULL;
}

static bool
is_identifier(const char *text)
{
    if (!g_ascii_isalpha(*text))
        return false;
    for (; *text; text++) {
        if (!g_ascii_isalnum(*text) && *text != '_')
            return false;
    }
    return true;
}

/* What is no identifier, with the cure for what was probably meant. */
static void
report_no_identifier(FigLoader *loader, const FigYaml *word, const char *what)
{
    if (is_identifier(word->text)) {
        fig_diag_error(loader->diag, word->span,
                       "‘%s’ cannot name %s: it is a word of expressions", word->text,
                       what);
        return;
    }
    FigMessage *message = fig_diag_error(
        loader->diag, word->span,
        "‘%s’ cannot name %s: an id is a letter a–z or A–Z, then such letters, digits "
        "or ‘_’",
        word->text, what);
    const char *colon = strchr(word->text, ':');
    if (colon && colon[1])
        fig_message_hint(message, "YAML wants a space after ‘:’%s",
                         strstr(colon, "\u00a0") ? ", and this is a no-break space"
                                                 : "");
    else if (strcmp(word->text, "<<") == 0)
        fig_message_hint(message, "keys are not merged; say again what is shared");
    else if (strchr(word->text, '-'))
        fig_message_hint(message, "‘_’ in place of ‘-’");
    else if (g_unichar_isalpha(g_utf8_get_char(word->text)))
        fig_message_hint(message, "‘label:’ prints what an id cannot hold");
}

FigName *
fig_loader_name(FigLoader *loader, const FigYaml *word, const char *what)
{
    static const char *const operators[] = {"and", "or", "not", "none", NULL};
    if (!is_identifier(word->text) || g_strv_contains(operators, word->text)) {
        report_no_identifier(loader, word, what);
        loader->names_lost = true;
        return NULL;
    }
    FigName *taken = g_hash_table_lookup(loader->names, word->text);
    if (taken) {
        bool result = taken->op >= 0 && strcmp(what, taken->what) == 0;
        FigMessage *message =
            result ? fig_diag_error(loader->diag, word->span, "‘%s’ is written twice",
                                    word->text)
                   : fig_diag_error(loader->diag, word->span,
                                    "‘%s’ cannot name %s: it is %s already", word->text,
                                    what, taken->what);
        fig_message_note_at(message, taken->span, "here it is first");
        loader->names_lost = true;
        return NULL;
    }
    FigName *name = fig_arena_new0(loader->arena, FigName);
    name->id = word->text;
    name->what = what;
    name->span = word->span;
    name->value = -1;
    name->op = -1;
    g_hash_table_insert(loader->names, (gpointer)name->id, name);
    return name;
}

void
fig_ids_add(GPtrArray *ids, const char *id)
{
    g_ptr_array_insert(ids, (int)ids->len - 1, (gpointer)id);
}

/* ---- expressions ---- */

static const FigPoly *
dim_poly(const char *name, void *data)
{
    const FigLoader *loader = data;
    for (guint i = 0; i < loader->dims->len; i++) {
        const FigDim *dim = &g_array_index(loader->dims, FigDim, i);
        if (strcmp(dim->id, name) == 0)
            return dim->poly;
    }
    return NULL;
}

const FigPoly *
fig_loader_poly(FigLoader *loader, const FigYaml *scalar, const FigExpr **expr)
{
    const FigExpr *parsed = fig_expr_parse(scalar, loader->arena, loader->diag);
    if (expr)
        *expr = parsed;
    if (!parsed)
        return NULL;
    return fig_expr_poly(parsed, loader->graph->algebra, dim_poly, loader,
                         (const char *const *)loader->dim_ids->pdata, loader->diag);
}

bool
fig_loader_shape(FigLoader *loader, const FigYaml *list, FigShape *shape)
{
    if (!fig_loader_list(loader, list, "‘shape:’"))
        return false;
    if (list->count < 1 || list->count > FIG_LIMIT_RANK) {
        fig_diag_error(loader->diag, list->span, "a shape has 1 to %d axes, not %d",
                       FIG_LIMIT_RANK, list->count);
        return false;
    }
    bool good = true;
    shape->rank = list->count;
    for (int i = 0; i < list->count; i++) {
        const FigYaml *size = fig_loader_scalar(loader, list->items[i], "a size");
        const FigExpr *expr = NULL;
        shape->axis[i] = size ? fig_loader_poly(loader, size, &expr) : NULL;
        good = good && shape->axis[i];
        if (expr && expr->kind == FIG_EXPR_NAME)
            shape->name[i] = expr->name;
    }
    return good;
}

static FigScope
loader_scope(const FigLoader *loader)
{
    return (FigScope){
        .n_dims = (int)loader->dims->len,
        .dims = (const FigDim *)(void *)loader->dims->data,
        .n_constants = (int)loader->constants->len,
        .constants = (const FigConstant *)(void *)loader->constants->data,
    };
}

bool
fig_loader_real(FigLoader *loader, const FigExpr *expr, double *value)
{
    FigScope scope = loader_scope(loader);
    return fig_scope_real(&scope, expr, (const char *const *)loader->name_ids->pdata,
                          loader->diag, value);
}

const FigConstant *
fig_loader_constant(const FigLoader *loader, const char *id)
{
    FigScope scope = loader_scope(loader);
    return fig_constant_find(scope.constants, scope.n_constants, id);
}

bool
fig_loader_when(FigLoader *loader, const FigYaml *map, bool *on)
{
    *on = true;
    const FigYaml *node = fig_yaml_lookup(map, "when");
    if (!node)
        return true;
    const FigYaml *scalar = fig_loader_scalar(loader, node, "‘when:’");
    const FigExpr *expr =
        scalar ? fig_expr_parse(scalar, loader->arena, loader->diag) : NULL;
    FigScope scope = loader_scope(loader);
    if (!expr ||
        !fig_condition_holds(expr, &scope, (const char *const *)loader->name_ids->pdata,
                             loader->diag, on))
        return false;
    g_ptr_array_add(loader->conditions, (gpointer)expr);
    g_array_append_val(loader->condition_holds, *on);
    return true;
}
