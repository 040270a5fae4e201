/* SPDX-License-Identifier: MIT
 *
 * The attributes of an op: each in the form its type asks for, with its symbolic form
 * beside its value at the dims drawn (sizes.c computes those of other sizes).
 */
#include "spec/loader.h"

#include "base/num.h"

#include <string.h>

typedef struct Attributes {
    FigLoader *loader;
    const FigOpDecl *decl;
    FigNode *node;
    const FigYaml **given; /* what sets each: of the op, or of a map; NULL: nothing */
    FigAttrValue *values;
    const FigExpr **exprs;
    const FigExpr *const **lists;
} Attributes;

static const char *
name_label(const char *name, void *data)
{
    const FigLoader *loader = data;
    for (guint i = 0; i < loader->dims->len; i++) {
        const FigDim *dim = &g_array_index(loader->dims, FigDim, i);
        if (strcmp(dim->id, name) == 0)
            return dim->label;
    }
    for (guint i = 0; i < loader->constants->len; i++) {
        const FigConstant *constant = &g_array_index(loader->constants, FigConstant, i);
        if (strcmp(constant->id, name) == 0)
            return constant->label;
    }
    return NULL;
}

static const char *
expr_tex(FigLoader *loader, const FigExpr *expr)
{
    g_autofree char *tex = fig_expr_tex(expr, name_label, loader);
    return fig_arena_strdup(loader->arena, tex);
}

/* What a label prints of an expression. One that is the name of a constant without a label
 * of its own is the constant's number: nobody would know what else it means. */
static const char *
real_tex(FigLoader *loader, const FigExpr *expr)
{
    const FigConstant *constant =
        expr->kind == FIG_EXPR_NAME ? fig_loader_constant(loader, expr->name) : NULL;
    if (constant && constant->kind == FIG_CONSTANT_NUMBER && !constant->labelled) {
        const FigExpr *number =
            fig_expr_parse_text(constant->text, constant->span, loader->arena, NULL);
        return expr_tex(loader, number ? number : expr);
    }
    return expr_tex(loader, expr);
}

static bool
check_range(Attributes *a, int i, const FigYaml *node, const FigExpr *expr)
{
    const FigAttr *attr = &a->decl->op->attrs[i];
    double real = a->values[i].real;
    if (fig_range_has(attr->range, real))
        return true;
    g_autoptr(GString) found = g_string_new(NULL);
    fig_num_shortest(found, real);
    FigMessage *message =
        fig_diag_error(a->loader->diag, node->span, "‘%s:’ is %s; it must be %s",
                       attr->name, found->str, fig_range_words(attr->range));
    const FigConstant *constant =
        expr->kind == FIG_EXPR_NAME ? fig_loader_constant(a->loader, expr->name) : NULL;
    if (constant)
        fig_message_note_at(message, constant->span, "‘%s’ is declared here",
                            constant->id);
    return false;
}

static bool
read_real(Attributes *a, int i, const FigYaml *node)
{
    const FigExpr *expr = fig_expr_parse(node, a->loader->arena, a->loader->diag);
    if (!expr || !fig_loader_real(a->loader, expr, &a->values[i].real) ||
        !check_range(a, i, node, expr))
        return false;
    a->exprs[i] = expr;
    a->values[i].tex = real_tex(a->loader, expr);
    return true;
}

static bool
read_dim(Attributes *a, int i, const FigYaml *node)
{
    const FigExpr *expr = NULL;
    a->values[i].poly = fig_loader_poly(a->loader, node, &expr);
    if (!a->values[i].poly)
        return false;
    a->exprs[i] = expr;
    a->values[i].tex = expr_tex(a->loader, expr);
    return true;
}

static bool
read_dims(Attributes *a, int i, const FigYaml *node)
{
    FigLoader *loader = a->loader;
    int n = node->count;
    if (n < 1 || n > FIG_LIMIT_PORTS) {
        fig_diag_error(loader->diag, node->span,
                       "a list of 1 to %d sizes is wanted, not %d", FIG_LIMIT_PORTS, n);
        return false;
    }
    const FigPoly **polys = fig_arena_new_array(loader->arena, const FigPoly *, n);
    const FigExpr **exprs = fig_arena_new_array(loader->arena, const FigExpr *, n);
    g_autoptr(GString) text = g_string_new("[");
    g_autoptr(GString) tex = g_string_new(NULL);
    for (int k = 0; k < n; k++) {
        const FigYaml *size = fig_loader_scalar(loader, node->items[k], "a size");
        polys[k] = size ? fig_loader_poly(loader, size, &exprs[k]) : NULL;
        if (!polys[k])
            return false;
        g_string_append_printf(text, "%s%s", k ? ", " : "", size->text);
        g_string_append_printf(tex, "%s%s", k ? ", " : "", expr_tex(loader, exprs[k]));
    }
    g_string_append_c(text, ']');
    a->lists[i] = exprs;
    a->values[i].n_dims = n;
    a->values[i].polys = polys;
    a->values[i].text = fig_arena_strdup(loader->arena, text->str);
    a->values[i].tex = fig_arena_strdup(loader->arena, tex->str);
    return true;
}

static bool
read_word(Attributes *a, int i, const FigYaml *node)
{
    const FigAttr *attr = &a->decl->op->attrs[i];
    const FigConstant *constant = fig_loader_constant(a->loader, node->text);
    const char *text = node->text;
    if (fig_attr_word(attr, text) < 0 && constant &&
        constant->kind == FIG_CONSTANT_WORD)
        text = constant->text;
    a->values[i].text = a->values[i].tex = text;
    a->values[i].word = fig_attr_word(attr, text);
    if (a->values[i].word >= 0)
        return true;
    g_auto(GStrv) words = g_strsplit(attr->words, "|", -1);
    g_autofree char *all = g_strjoinv(" or ", words);
    FigMessage *message = fig_diag_error(
        a->loader->diag, node->span, "‘%s:’ is %s, not ‘%s’", attr->name, all, text);
    fig_message_suggest(message, text, (const char *const *)words);
    return false;
}

/* What an axis is called: its name, else its size. */
static const char *
axis_name(FigLoader *loader, const FigShape *shape, int axis)
{
    return shape->name[axis] ? shape->name[axis]
                             : fig_poly_text(loader->graph->algebra, shape->axis[axis]);
}

static bool
read_axis(Attributes *a, int i, const FigYaml *node)
{
    FigLoader *loader = a->loader;
    const FigValue *operand = FIG_VALUE(loader, a->node->reads[0].value);
    const FigShape *shape = &operand->shape;
    const char *names[FIG_LIMIT_RANK + 1] = {NULL};
    int found = -1, n = 0;
    for (int k = 0; k < shape->rank; k++) {
        names[k] = axis_name(loader, shape, k);
        if (strcmp(names[k], node->text) == 0) {
            found = k;
            n++;
        }
    }
    int64_t number;
    if (n == 0 && fig_num_read_integer(node->text, &number) && number >= -shape->rank &&
        number < shape->rank) {
        a->values[i].axis = (int)(number < 0 ? number + shape->rank : number);
        return true;
    }
    if (n == 1) {
        a->values[i].axis = found;
        return true;
    }
    FigMessage *message =
        n ? fig_diag_error(loader->diag, node->span, "%d axes of ‘%s’ are called ‘%s’",
                           n, operand->id, node->text)
          : fig_diag_error(loader->diag, node->span, "‘%s’ has no axis ‘%s’",
                           operand->id, node->text);
    fig_message_note(message, "%s is %s", operand->id,
                     fig_shape_text(loader->graph->algebra, shape, loader->arena));
    if (n)
        fig_message_hint(message, "‘axes:’ on the op that writes it gives them names");
    else
        fig_message_suggest(message, node->text, names);
    return false;
}

static bool
read_attribute(Attributes *a, int i, const FigYaml *node)
{
    const FigAttr *attr = &a->decl->op->attrs[i];
    FigAttrValue *value = &a->values[i];
    g_autofree char *what = g_strdup_printf("‘%s:’", attr->name);
    value->given = true;
    if (attr->type == FIG_ATTR_DIMS)
        return fig_loader_list(a->loader, node, what) && read_dims(a, i, node);
    if (!fig_loader_scalar(a->loader, node, what))
        return false;
    value->text = node->text;
    value->tex = node->text;
    switch (attr->type) {
    case FIG_ATTR_REAL:
        return read_real(a, i, node);
    case FIG_ATTR_DIM:
        return read_dim(a, i, node);
    case FIG_ATTR_WORD:
        return read_word(a, i, node);
    case FIG_ATTR_AXIS:
        return read_axis(a, i, node);
    case FIG_ATTR_BOOL:
        value->dim = strcmp(node->text, "true") == 0;
        if (value->dim || strcmp(node->text, "false") == 0)
            return true;
        fig_diag_error(a->loader->diag, node->span, "‘%s:’ is true or false, not ‘%s’",
                       attr->name, node->text);
        return false;
    default:
        g_assert_not_reached();
    }
}

/* ---- what is given ---- */

/* The map that a node is, or that the constant it names is; NULL: neither. */
static const FigYaml *
map_of(const FigLoader *loader, const FigYaml *node)
{
    if (node->kind != FIG_YAML_SCALAR)
        return node->kind == FIG_YAML_MAP ? node : NULL;
    const FigConstant *constant = fig_loader_constant(loader, node->text);
    return constant && constant->kind == FIG_CONSTANT_MAP ? constant->node : NULL;
}

static bool
is_none(const FigLoader *loader, const FigYaml *node)
{
    if (node->kind != FIG_YAML_SCALAR)
        return false;
    const FigConstant *constant = fig_loader_constant(loader, node->text);
    return (constant && constant->kind == FIG_CONSTANT_NONE) ||
           (!node->quoted && strcmp(node->text, "none") == 0);
}

/* A map given to an attribute sets several: its `type` that one, each other member the
 * attribute it is called like. */
static bool
spread(Attributes *a, int i, const FigYaml *map, FigSpan at)
{
    FigLoader *loader = a->loader;
    const FigOp *op = a->decl->op;
    bool good = true;
    for (int k = 0; k < map->count; k++) {
        const FigYaml *key = map->keys[k];
        bool type = strcmp(key->text, "type") == 0;
        int index = type ? i : fig_op_attr_index(op, key->text);
        if (index < 0 || (index == i && !type)) {
            FigMessage *message =
                fig_diag_error(loader->diag, key->span, "%s has no attribute ‘%s’",
                               op->name, key->text);
            fig_message_note_at(message, at, "this map sets attributes of %s",
                                op->name);
            good = false;
        } else if (a->given[index] && index != i) {
            FigMessage *message = fig_diag_error(loader->diag, a->given[index]->span,
                                                 "‘%s:’ is given twice", key->text);
            fig_message_note_at(message, key->span, "the map says it too");
            good = false;
        } else {
            a->given[index] = map->items[k];
        }
    }
    if (good && !fig_yaml_lookup(map, "type")) {
        fig_diag_error(loader->diag, map->span, "a map for ‘%s:’ needs ‘type:’",
                       op->attrs[i].name);
        good = false;
    }
    return good;
}

/* What sets each attribute. `none` leaves one at its default. */
static bool
find_given(Attributes *a, int n)
{
    const FigAttr *attrs = a->decl->op->attrs;
    bool good = true;
    for (int i = 0; i < n; i++)
        a->given[i] = fig_yaml_lookup(a->decl->yaml, attrs[i].name);
    for (int i = 0; i < n; i++) {
        const FigYaml *map = a->given[i] && attrs[i].type == FIG_ATTR_WORD
                                 ? map_of(a->loader, a->given[i])
                                 : NULL;
        if (map && !spread(a, i, map, a->given[i]->span)) {
            a->given[i] = NULL; /* reported */
            good = false;
        }
    }
    for (int i = 0; i < n; i++) {
        if (a->given[i] && attrs[i].fallback && is_none(a->loader, a->given[i]))
            a->given[i] = NULL;
    }
    return good;
}

bool
fig_load_attributes(FigLoader *loader, const FigOpDecl *decl, FigNode *node)
{
    int n = fig_op_attr_count(decl->op);
    Attributes a = {
        .loader = loader,
        .decl = decl,
        .node = node,
        .given = fig_arena_new_array(loader->arena, const FigYaml *, MAX(n, 1)),
        .values = fig_op_attr_defaults(decl->op, loader->arena),
        .exprs = fig_arena_new_array(loader->arena, const FigExpr *, MAX(n, 1)),
        .lists = fig_arena_new_array(loader->arena, const FigExpr *const *, MAX(n, 1)),
    };
    bool good = find_given(&a, n);
    for (int i = 0; i < n; i++)
        good = (!a.given[i] || read_attribute(&a, i, a.given[i])) && good;
    for (int i = 0; good && i < n; i++) {
        const FigAttr *attr = &decl->op->attrs[i];
        bool applies = fig_attr_applies(decl->op, i, a.values);
        if (!a.given[i] && !attr->fallback && applies) {
            FigMessage *message =
                fig_diag_error(loader->diag, decl->word->span, "%s needs ‘%s:’",
                               decl->op->name, attr->name);
            fig_message_note(message, "%s: %s", attr->name, attr->doc);
            good = false;
        } else if (a.given[i] && !applies) {
            fig_diag_error(loader->diag, a.given[i]->span,
                           "‘%s:’ means something only with %s", attr->name,
                           attr->when);
            good = false;
        }
    }
    node->attrs = a.values;
    node->attr_exprs = a.exprs;
    node->attr_lists = a.lists;
    return good;
}
