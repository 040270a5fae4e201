/* SPDX-License-Identifier: MIT
 *
 * Changes of attributes: a number more or twice as much, another word or axis, sizes
 * exchanged, the default. An attribute that came in a map is changed in that map.
 */
#include "check/changes-parts.h"

#include <string.h>

/* The WORD attribute beside which another means something ("scaling = yarn"), where a map
 * gives both; -1: none. */
static int
map_owner(const FigChangeTable *t, int n, int attribute)
{
    const FigNode *node = &t->graph->nodes[n];
    const FigAttr *attr = &node->op->attrs[attribute];
    if (!attr->when || fig_yaml_lookup(fig_graph_op_yaml(t->graph, n), attr->name))
        return -1;
    g_autofree char *owner = g_strndup(attr->when, strcspn(attr->when, " ="));
    return fig_op_attr_index(node->op, owner);
}

/* "scaling: {type: yarn, factor: 2*(8), original: 64}" */
static void
set_in_map(FigChangeTable *t, int n, int owner, int attribute, const char *value)
{
    const FigNode *node = &t->graph->nodes[n];
    g_autoptr(GString) map = g_string_new(NULL);
    g_string_append_printf(map, "{type: %s", node->attrs[owner].text);
    for (int i = 0; i < fig_op_attr_count(node->op); i++) {
        if (map_owner(t, n, i) != owner || (i != attribute && !node->attrs[i].given))
            continue;
        g_string_append_printf(
            map, ", %s: %s", node->op->attrs[i].name,
            i == attribute ? value : fig_change_quoted(t, node->attrs[i].text));
    }
    fig_change_add(t, "set", n, attribute, "{set: %s, %s: %s}}", fig_change_op(t, n),
                   node->op->attrs[owner].name, map->str);
}

static void
set(FigChangeTable *t, int n, int attribute, const char *value)
{
    const FigNode *node = &t->graph->nodes[n];
    int owner = map_owner(t, n, attribute);
    if (owner >= 0 && strcmp(value, "null") != 0)
        set_in_map(t, n, owner, attribute, value);
    else if (owner < 0)
        fig_change_add(t, "set", n, attribute, "{set: %s, %s: %s}", fig_change_op(t, n),
                       node->op->attrs[attribute].name, value);
}

static void
set_number(FigChangeTable *t, int n, int i)
{
    const FigNode *node = &t->graph->nodes[n];
    const FigAttrValue *value = &node->attrs[i];
    bool whole = node->op->attrs[i].type == FIG_ATTR_DIM;
    bool zero = whole ? value->dim == 0 : value->real == 0;
    if (zero) {
        set(t, n, i, "1");
        return;
    }
    set(t, n, i,
        fig_change_quoted(t, fig_arena_printf(t->arena, "%s + 1", value->text)));
    set(t, n, i,
        fig_change_quoted(t, whole
                                 ? fig_arena_printf(t->arena, "%s - 1", value->text)
                                 : fig_arena_printf(t->arena, "2*(%s)", value->text)));
}

/* What must be given too where a word has another meaning, and what no longer may:
 * "factor: 2". word: the attribute that changes, -1: all; element: the op as it is, or
 * NULL. */
const char *
fig_change_wanted(FigChangeTable *t, const FigOp *op, const FigAttrValue *values,
                  int word, const FigYaml *element)
{
    g_autoptr(GString) out = g_string_new(NULL);
    for (int i = 0; i < fig_op_attr_count(op); i++) {
        const FigAttr *attr = &op->attrs[i];
        bool applies = fig_attr_applies(op, i, values);
        bool written = element && fig_yaml_lookup(element, attr->name);
        if (word >= 0 &&
            (!attr->when || !g_str_has_prefix(attr->when, op->attrs[word].name)))
            continue;
        if (applies && !attr->fallback && !written && attr->type != FIG_ATTR_AXIS)
            g_string_append_printf(out, ", %s: 2", attr->name);
        else if (!applies && written)
            g_string_append_printf(out, ", %s: null", attr->name);
    }
    return fig_arena_strdup(t->arena, out->str);
}

static void
set_word(FigChangeTable *t, int n, int i)
{
    const FigNode *node = &t->graph->nodes[n];
    const FigAttr *attr = &node->op->attrs[i];
    g_auto(GStrv) words = g_strsplit(attr->words, "|", -1);
    FigAttrValue *values =
        fig_arena_copy(t->arena, node->attrs,
                       (size_t)fig_op_attr_count(node->op) * sizeof(FigAttrValue));
    for (int w = 0; words[w]; w++) {
        if (w == node->attrs[i].word)
            continue;
        values[i].word = w;
        set(t, n, i,
            fig_arena_printf(t->arena, "%s%s", words[w],
                             fig_change_wanted(t, node->op, values, i,
                                               fig_graph_op_yaml(t->graph, n))));
    }
}

static void
set_sizes(FigChangeTable *t, int n, int i)
{
    const FigAttrValue *value = &t->graph->nodes[n].attrs[i];
    for (int a = 0; a + 1 < value->n_dims; a++) {
        if (fig_poly_equal(value->polys[a], value->polys[a + 1]))
            continue;
        g_autoptr(GString) list = g_string_new("[");
        for (int k = 0; k < value->n_dims; k++)
            g_string_append_printf(
                list, "%s%s", k ? ", " : "",
                fig_change_quoted(t, fig_poly_text(t->graph->algebra,
                                                   value->polys[k == a       ? a + 1
                                                                : k == a + 1 ? a
                                                                             : k])));
        g_string_append_c(list, ']');
        set(t, n, i, fig_arena_strdup(t->arena, list->str));
    }
}

void
fig_change_set(FigChangeTable *t, int n)
{
    const FigNode *node = &t->graph->nodes[n];
    for (int i = 0; i < fig_op_attr_count(node->op); i++) {
        const FigAttr *attr = &node->op->attrs[i];
        const FigShape *first =
            node->n_reads ? fig_change_shape(t, node->reads[0].value) : NULL;
        if (!fig_attr_applies(node->op, i, node->attrs))
            continue;
        if (attr->type == FIG_ATTR_WORD)
            set_word(t, n, i);
        else if (attr->type == FIG_ATTR_BOOL)
            set(t, n, i, node->attrs[i].dim ? "false" : "true");
        else if (attr->type == FIG_ATTR_DIMS)
            set_sizes(t, n, i);
        else if (attr->type != FIG_ATTR_AXIS)
            set_number(t, n, i);
        for (int axis = 0; first && attr->type == FIG_ATTR_AXIS && axis < first->rank;
             axis++)
            if (axis != node->attrs[i].axis)
                set(t, n, i, fig_change_axis(t, first, axis));
        if (node->attrs[i].given && attr->fallback && attr->type != FIG_ATTR_WORD &&
            strcmp(node->attrs[i].text, attr->fallback) != 0)
            set(t, n, i, "null");
    }
}
