/* SPDX-License-Identifier: MIT
 *
 * `tables:` of a spec: what other libraries call the inner tables that ops expose. A table
 * may have another name in layers of another kind, so a name may have a `when:`.
 *
 *   tables:
 *     q_rope: {golden: rope}
 *     mask.visible: [{when: kind == window, golden: mask.sliding}, {golden: mask.causal}]
 *
 * An op alone means all its tables, whose names then follow a dot: rope.cos, rope.sin.
 *
 * Another op in an op's place may have no such table, and a switched-off one has none: the
 * names are then of no use, and no mistake.
 */
#include "spec/loader.h"

#include <string.h>

/* ---- which table is meant ---- */

static bool
exposes(const FigOp *op, const char *name)
{
    for (const FigExpose *one = op->exposes; one && one->name; one++)
        if (strcmp(one->name, name) == 0)
            return true;
    return false;
}

/* Is there a table of this name at all? */
static bool
is_known(const char *name, GPtrArray *names)
{
    bool known = false;
    for (const FigOp *const *op = fig_op_all(); *op; op++)
        for (const FigExpose *one = (*op)->exposes; one && one->name; one++) {
            known = known || strcmp(one->name, name) == 0;
            if (!g_ptr_array_find_with_equal_func(names, one->name, g_str_equal, NULL))
                g_ptr_array_add(names, (gpointer)one->name);
        }
    g_ptr_array_add(names, NULL);
    return known;
}

/* Does an op have this id, also one that is switched off? */
static bool
is_declared(FigLoader *loader, const char *id, FigSpan at)
{
    g_autoptr(GPtrArray) ids = g_ptr_array_new();
    for (guint i = 0; i < loader->ops->len; i++) {
        const FigOpDecl *decl = loader->ops->pdata[i];
        if (decl->id && strcmp(decl->id, id) == 0)
            return true;
        if (decl->id)
            g_ptr_array_add(ids, (gpointer)decl->id);
    }
    g_ptr_array_add(ids, NULL);
    FigMessage *message =
        fig_diag_error(loader->diag, at, "there is no op ‘%s’ to have a table", id);
    fig_message_suggest(message, id, (const char *const *)ids->pdata);
    return false;
}

/* The place of a node by id, and the name of the table, NULL for all; NULL, reported where
 * it is a mistake: *good says so. */
static FigNode *
find_table(FigLoader *loader, const FigYaml *key, const char **table, bool *good)
{
    const char *dot = strchr(key->text, '.');
    *good = false;
    *table = dot ? dot + 1 : NULL;
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    if (dot && !is_known(*table, names)) {
        FigMessage *message = fig_diag_error(
            loader->diag,
            fig_yaml_span(key, (size_t)(dot + 1 - key->text), strlen(dot + 1)),
            "no op has a table ‘%s’", *table);
        fig_message_suggest(message, *table, (const char *const *)names->pdata);
        return NULL;
    }
    g_autofree char *id =
        g_strndup(key->text, dot ? (gsize)(dot - key->text) : strlen(key->text));
    *good = is_declared(loader, id, fig_yaml_span(key, 0, strlen(id)));
    for (guint i = 0; i < loader->nodes->len; i++) {
        FigNode *node = FIG_NODE(loader, i);
        if (strcmp(node->id, id) == 0)
            return !dot || exposes(node->op, *table) ? node : NULL;
    }
    return NULL;
}

/* ---- its names ---- */

/* One map of names, taken where its `when:` holds. */
static bool
read_names(FigLoader *loader, const FigYaml *map, GArray *names)
{
    if (!fig_loader_map(loader, map, "the names of a table (library: name)"))
        return false;
    bool on;
    if (!fig_loader_when(loader, map, &on))
        return false;
    for (int i = 0; i < map->count; i++) {
        if (strcmp(map->keys[i]->text, "when") == 0)
            continue;
        if (!fig_loader_scalar(loader, map->items[i], "another library's name"))
            return false;
        FigAka name = {.library = map->keys[i]->text, .name = map->items[i]->text};
        if (on)
            g_array_append_val(names, name);
    }
    return true;
}

/* Give a table its names; dotted: each is followed by that of the table. */
static void
add_names(FigLoader *loader, FigNode *node, const char *table, const GArray *names,
          bool dotted)
{
    FigTableName *tables =
        fig_arena_new_array(loader->arena, FigTableName, node->n_tables + 1);
    FigAka *aka =
        fig_arena_copy(loader->arena, names->data, names->len * sizeof(FigAka));
    for (guint i = 0; i < names->len && dotted; i++)
        aka[i].name = fig_arena_printf(loader->arena, "%s.%s", aka[i].name, table);
    if (node->n_tables)
        memcpy(tables, node->tables, sizeof *tables * (size_t)node->n_tables);
    tables[node->n_tables++] = (FigTableName){table, (int)names->len, aka};
    node->tables = tables;
}

static bool
read_table(FigLoader *loader, const FigYaml *key, const FigYaml *item)
{
    const char *table;
    bool good;
    FigNode *node = find_table(loader, key, &table, &good);
    g_autoptr(GArray) names = g_array_new(FALSE, FALSE, sizeof(FigAka));
    bool list = item->kind == FIG_YAML_LIST;
    for (int i = 0; i < (list ? item->count : 1); i++)
        good = read_names(loader, list ? item->items[i] : item, names) && good;
    if (!node || !good)
        return good;
    for (const FigExpose *one = node->op->exposes; one && one->name; one++)
        if (!table)
            add_names(loader, node, one->name, names, true);
    if (table)
        add_names(loader, node, table, names, false);
    return true;
}

bool
fig_load_tables(FigLoader *loader)
{
    const FigYaml *map = fig_yaml_lookup(loader->root, "tables");
    bool good = true;
    if (!map)
        return true;
    if (!fig_loader_map(loader, map, "‘tables:’ (op.table: names)"))
        return false;
    for (int i = 0; i < map->count; i++)
        good = read_table(loader, map->keys[i], map->items[i]) && good;
    return good;
}
