/* SPDX-License-Identifier: MIT
 *
 * Inputs, weights and ops as written. After this phase every identifier of the file has
 * its meaning, so that a name read too early can be told from one that is nowhere.
 */
#include "spec/loader.h"

#include "base/cells.h"
#include "base/num.h"

#include <string.h>

static FigValue *
add_value(FigLoader *loader, FigName *name, FigFrom from, bool broken)
{
    FigValue value = {
        .id = name->id,
        .span = name->span,
        .from = from,
        .node = -1,
        .joined_in = -1,
        .repeat = -1,
        .label = fig_label_of_id(name->id, loader->arena),
    };
    name->value = (int)loader->values->len;
    g_array_append_val(loader->values, value);
    g_array_append_val(loader->broken, broken);
    return FIG_VALUE(loader, name->value);
}

static void
describe(FigLoader *loader, const FigYaml *map, FigValue *value)
{
    value->what = fig_loader_sentence(loader, map, "what");
    const char *label = fig_loader_label(loader, map);
    if (label) {
        value->label = label;
        value->labelled = true;
    }
    fig_loader_aka(loader, map, value);
}

/* ---- inputs and weights ---- */

/* Add the input or weight of a declaration; good: is there nothing wrong with it so far?
 * NULL: there is no more to read, for it is broken or does not hold. */
static FigValue *
open_value(FigLoader *loader, const FigYaml *key, const FigYaml *map,
           const char *const *keys, const char *noun, FigFrom from, bool *good)
{
    FigName *name = fig_loader_name(loader, key, noun);
    *good = false;
    if (!name && map->kind != FIG_YAML_MAP)
        return NULL;
    bool sound = fig_loader_entry(loader, map, keys, noun, "shape"), on = true;
    if (!name)
        return NULL;
    if (sound)
        sound = fig_loader_when(loader, map, &on);
    *good = sound;
    if (sound && !on)
        return NULL; /* the name is known, and means no value */
    FigValue *value = add_value(loader, name, from, !sound);
    if (!sound)
        return NULL;
    describe(loader, map, value);
    return value;
}

static bool
declare_input(FigLoader *loader, const FigYaml *key, const FigYaml *map)
{
    static const char *const keys[] = {"shape", "what", "label", "aka", "when", NULL};
    bool good;
    FigValue *value =
        open_value(loader, key, map, keys, "an input", FIG_FROM_INPUT, &good);
    if (!value)
        return good;
    int index = (int)loader->values->len - 1;
    const FigYaml *shape = fig_yaml_lookup(map, "shape");
    if (!shape)
        fig_diag_error(loader->diag, key->span, "the input ‘%s’ needs ‘shape:’",
                       value->id);
    good = shape && fig_loader_shape(loader, shape, &value->shape);
    FIG_BROKEN(loader, index) = !good;
    return good;
}

static bool
read_checkpoint(FigLoader *loader, const FigYaml *map, FigValue *value)
{
    static const char *const keys[] = {"name", "stored", NULL};
    static const char *const orders[] = {"in_out", "out_in", NULL};
    const FigYaml *node = fig_yaml_lookup(map, "checkpoint");
    if (!node)
        return true;
    if (node->kind == FIG_YAML_SCALAR) {
        value->checkpoint = node->text;
        return true;
    }
    if (!fig_yaml_check_keys(node, keys, "‘checkpoint:’", loader->diag))
        return false;
    value->checkpoint = fig_loader_text(loader, node, "name");
    if (!value->checkpoint) {
        fig_diag_error(loader->diag, node->span,
                       "‘checkpoint:’ needs the tensor's ‘name:’");
        return false;
    }
    const char *stored = fig_loader_text(loader, node, "stored");
    if (stored && !g_strv_contains(orders, stored)) {
        FigMessage *message =
            fig_diag_error(loader->diag, fig_yaml_lookup(node, "stored")->span,
                           "‘stored:’ is in_out or out_in, not ‘%s’", stored);
        fig_message_suggest(message, stored, orders);
        return false;
    }
    value->stored_out_in = stored && strcmp(stored, "out_in") == 0;
    return true;
}

static bool
read_init(FigLoader *loader, const FigYaml *map, FigValue *value)
{
    static const char *const inits[] = {"normal", "ones", "zeros", NULL};
    const char *init = fig_loader_text(loader, map, "init");
    value->init = init ? init : "normal";
    if (g_strv_contains(inits, value->init))
        return true;
    FigMessage *message =
        fig_diag_error(loader->diag, fig_yaml_lookup(map, "init")->span,
                       "‘init:’ is normal, ones or zeros, not ‘%s’", value->init);
    fig_message_suggest(message, value->init, inits);
    return false;
}

/* The weight a `join:` names, or -1. */
static int
join_member(FigLoader *loader, const FigYaml *word)
{
    FigName *name = g_hash_table_lookup(loader->names, word->text);
    FigMessage *message = NULL;
    if (name && name->value >= 0 &&
        FIG_VALUE(loader, name->value)->from == FIG_FROM_WEIGHT) {
        const FigValue *value = FIG_VALUE(loader, name->value);
        if (value->n_members > 0)
            message = fig_diag_error(loader->diag, word->span, "‘%s’ is a join itself",
                                     word->text);
        else if (value->joined_in >= 0)
            message =
                fig_diag_error(loader->diag, word->span, "‘%s’ is part of ‘%s’ already",
                               word->text, FIG_VALUE(loader, value->joined_in)->id);
        return message ? -1 : name->value;
    }
    if (name && strcmp(name->what, "a weight") == 0)
        fig_diag_error(loader->diag, word->span, "‘%s’ is switched off by its ‘when:’",
                       word->text);
    else if (name)
        fig_diag_error(loader->diag, word->span, "‘%s’ is %s, not a weight", word->text,
                       name->what);
    else
        message =
            fig_diag_error(loader->diag, word->span,
                           "there is no weight ‘%s’ before this join", word->text);
    g_autoptr(GPtrArray) ids = g_ptr_array_new();
    for (guint i = 0; i < loader->values->len; i++) {
        if (FIG_VALUE(loader, i)->from == FIG_FROM_WEIGHT)
            g_ptr_array_add(ids, (gpointer)FIG_VALUE(loader, i)->id);
    }
    g_ptr_array_add(ids, NULL);
    fig_message_suggest(message, word->text, (const char *const *)ids->pdata);
    return -1;
}

static bool
join_shapes(FigLoader *loader, FigValue *value, const FigYaml *list)
{
    FigAlgebra *algebra = loader->graph->algebra;
    const FigShape *first = &FIG_VALUE(loader, value->members[0])->shape;
    value->shape = *first;
    for (int i = 1; i < value->n_members; i++) {
        const FigShape *shape = &FIG_VALUE(loader, value->members[i])->shape;
        bool same = shape->rank == first->rank;
        for (int k = 0; same && k < shape->rank; k++)
            same =
                k == value->join_axis || fig_poly_equal(shape->axis[k], first->axis[k]);
        if (!same) {
            FigMessage *message = fig_diag_error(
                loader->diag, list->items[i]->span,
                "‘%s’ cannot be joined along axis %d: the other axes differ",
                list->items[i]->text, value->join_axis);
            fig_message_note(message, "%s is %s", list->items[0]->text,
                             fig_shape_text(algebra, first, loader->arena));
            fig_message_note(message, "%s is %s", list->items[i]->text,
                             fig_shape_text(algebra, shape, loader->arena));
            return false;
        }
        int axis = value->join_axis;
        value->shape.axis[axis] =
            fig_poly_add(algebra, value->shape.axis[axis], shape->axis[axis]);
        value->shape.name[axis] = NULL;
        if (!value->shape.axis[axis]) {
            fig_algebra_error(algebra);
            fig_diag_error(loader->diag, list->span, "the joined size is too large");
            return false;
        }
    }
    return true;
}

static bool
declare_join(FigLoader *loader, const FigYaml *map, int index)
{
    static const char *const keys[] = {"join", "axis", "what", "label",
                                       "aka",  "when", "per",  NULL};
    if (!fig_yaml_check_keys(map, keys, "a joined weight", loader->diag))
        return false;
    const FigYaml *list = fig_yaml_lookup(map, "join");
    if (!fig_loader_list(loader, list, "‘join:’"))
        return false;
    if (list->count < 2) {
        fig_diag_error(loader->diag, list->span, "a join has at least two weights");
        return false;
    }
    int *members = fig_arena_new_array(loader->arena, int, list->count);
    bool good = true;
    for (int i = 0; i < list->count; i++) {
        const FigYaml *word =
            fig_loader_scalar(loader, list->items[i], "a weight's name");
        members[i] = word ? join_member(loader, word) : -1;
        good = good && members[i] >= 0 && !FIG_BROKEN(loader, members[i]);
        /* told at once, so that a weight named twice is found */
        if (members[i] >= 0)
            FIG_VALUE(loader, members[i])->joined_in = index;
    }
    if (!good)
        return false;
    FigValue *value = FIG_VALUE(loader, index);
    const char *axis = fig_loader_text(loader, map, "axis");
    int64_t number = -1;
    int rank = FIG_VALUE(loader, members[0])->shape.rank;
    if (!axis || !fig_num_read_integer(axis, &number) || number < 0 || number >= rank) {
        const FigYaml *at = fig_yaml_lookup(map, "axis");
        fig_diag_error(loader->diag, at ? at->span : list->span,
                       "a join needs ‘axis:’, a number from 0 to %d", rank - 1);
        return false;
    }
    value->join_axis = (int)number;
    value->members = members;
    value->n_members = list->count;
    return join_shapes(loader, value, list);
}

static bool
declare_weight(FigLoader *loader, const FigYaml *key, const FigYaml *map)
{
    static const char *const keys[] = {"shape",      "join", "axis",  "init",
                                       "checkpoint", "what", "label", "aka",
                                       "when",       "per",  NULL};
    bool good;
    FigValue *value =
        open_value(loader, key, map, keys, "a weight", FIG_FROM_WEIGHT, &good);
    if (!value)
        return good;
    int index = (int)loader->values->len - 1;
    const FigYaml *shape = fig_yaml_lookup(map, "shape");
    if (fig_yaml_lookup(map, "join")) {
        good = declare_join(loader, map, index);
    } else if (shape) {
        good = fig_loader_shape(loader, shape, &FIG_VALUE(loader, index)->shape);
        value = FIG_VALUE(loader, index);
        good = read_init(loader, map, value) && good;
        good = read_checkpoint(loader, map, value) && good;
    } else {
        fig_diag_error(loader->diag, key->span,
                       "the weight ‘%s’ needs ‘shape:’ or ‘join:’", key->text);
        good = false;
    }
    FIG_BROKEN(loader, index) = !good;
    return good;
}

/* ---- ops ---- */

static const char *const op_keys[] = {"id",    "op",   "in",   "out",  "axes", "label",
                                      "title", "what", "when", "mark", "aka",  NULL};

static bool
check_op_keys(FigLoader *loader, const FigYaml *map, const FigOp *op)
{
    g_autoptr(GPtrArray) keys = g_ptr_array_new();
    for (int i = 0; op_keys[i]; i++)
        g_ptr_array_add(keys, (gpointer)op_keys[i]);
    for (int i = 0; op->attrs && op->attrs[i].name; i++)
        g_ptr_array_add(keys, (gpointer)op->attrs[i].name);
    g_ptr_array_add(keys, NULL);
    return fig_yaml_check_keys(map, (const char *const *)keys->pdata, op->name,
                               loader->diag);
}

static const FigOp *
find_op(FigLoader *loader, const FigYaml *word)
{
    const FigOp *op = fig_op_lookup(word->text);
    if (op)
        return op;
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (const FigOp *const *all = fig_op_all(); *all; all++)
        g_ptr_array_add(names, (gpointer)(*all)->name);
    g_ptr_array_add(names, NULL);
    FigMessage *message =
        fig_diag_error(loader->diag, word->span, "unknown op ‘%s’", word->text);
    if (fig_word_suggest(word->text, (const char *const *)names->pdata))
        fig_message_suggest(message, word->text, (const char *const *)names->pdata);
    else
        fig_message_note(message, "‘opfig list ops’ shows all");
    return NULL;
}

/* The operands in the order of the signature's ports. */
static bool
declare_reads(FigLoader *loader, FigOpDecl *decl)
{
    const FigYaml *in = fig_yaml_lookup(decl->yaml, "in");
    if (!in) {
        fig_diag_error(loader->diag, decl->yaml->span,
                       "an op needs ‘in:’, what it reads");
        return false;
    }
    if (in->kind == FIG_YAML_SCALAR && strpbrk(in->text, ", ")) {
        fig_loader_list(loader, in, "‘in:’");
        loader->names_lost = true; /* what it meant counts as read */
        return false;
    }
    int n = fig_yaml_is_null(in) ? 0 : in->kind == FIG_YAML_SCALAR ? 1 : in->count;
    int ports = decl->op ? fig_signature_inputs(decl->op) : n;
    int least = decl->op ? fig_signature_least_inputs(decl->op) : n;
    g_autoptr(GString) names = g_string_new(NULL);
    for (int i = 0; decl->op && i < ports; i++)
        g_string_append_printf(names, "%s%s", i ? ", " : "",
                               fig_signature_input(decl->op, i));
    bool good = true;
    if (n > FIG_LIMIT_PORTS || n == 0 || n > ports || n < least) {
        FigMessage *message;
        if (least < ports && n <= FIG_LIMIT_PORTS)
            message =
                fig_diag_error(loader->diag, in->span, "%s reads %d to %d (%s), not %d",
                               decl->word->text, least, ports, names->str, n);
        else if (n <= FIG_LIMIT_PORTS)
            message = fig_diag_error(loader->diag, in->span, "%s reads %d (%s), not %d",
                                     decl->word->text, ports, names->str, n);
        else
            message = fig_diag_error(loader->diag, in->span,
                                     "an op reads 1 to %d values", FIG_LIMIT_PORTS);
        if (decl->op)
            fig_message_note(message, "%s is %s", decl->op->name, decl->op->signature);
        good = false;
        n = MIN(n, FIG_LIMIT_PORTS);
    }
    decl->reads = fig_arena_new_array(loader->arena, const FigYaml *, MAX(n, 1));
    if (in->kind == FIG_YAML_SCALAR && n > 0)
        decl->reads[0] = in;
    for (int i = 0; i < n && in->kind != FIG_YAML_SCALAR; i++) {
        int port = i;
        if (in->kind == FIG_YAML_MAP && decl->op && good) {
            for (port = ports - 1; port >= 0; port--) {
                if (strcmp(fig_signature_input(decl->op, port), in->keys[i]->text) == 0)
                    break;
            }
            if (port < 0) {
                fig_diag_error(loader->diag, in->keys[i]->span,
                               "%s has no operand ‘%s’; it reads %s", decl->op->name,
                               in->keys[i]->text, names->str);
                good = false;
                port = i;
            } else if (port >= n) {
                fig_diag_error(loader->diag, in->keys[i]->span,
                               "%s reads ‘%s’ only behind the others; it reads %s",
                               decl->op->name, in->keys[i]->text, names->str);
                good = false;
                port = i;
            }
        }
        decl->reads[port] =
            fig_loader_scalar(loader, in->items[i], "the name of a value");
        good = good && decl->reads[port];
    }
    decl->n_reads = n;
    return good;
}

/* Name what an op writes, or the op itself. Two ops may have one name where at most one of
 * them is on: a mask with a window and one without, say. */
static bool
declare_name(FigLoader *loader, FigOpDecl *decl, const FigYaml *word, const char *what,
             const char **id)
{
    const FigName *taken = g_hash_table_lookup(loader->names, word->text);
    FigOpDecl *other = taken && taken->op >= 0 && taken->op < (int)loader->ops->len
                           ? loader->ops->pdata[taken->op]
                           : NULL;
    if (other && !other->on && !other->broken) {
        other->replaced = true;
        g_hash_table_remove(loader->names, word->text);
    } else if (other && !decl->on) {
        decl->replaced = true;
        *id = word->text;
        return true;
    }
    FigName *name = fig_loader_name(loader, word, what);
    if (!name)
        return false;
    *id = name->id;
    name->op = (int)loader->ops->len;
    return true;
}

static bool
declare_results(FigLoader *loader, FigOpDecl *decl, const FigYaml *id)
{
    static const char *const keys[] = {"id", "label", "what", "aka", NULL};
    const FigYaml *out = fig_yaml_lookup(decl->yaml, "out");
    int wanted = decl->op ? fig_signature_outputs(decl->op) : -1;
    int n = out && out->kind == FIG_YAML_LIST ? out->count : 1;
    bool good = true;
    decl->results = fig_arena_new_array(loader->arena, FigResultDecl, MAX(n, 1));
    if ((wanted >= 0 && n != wanted) || n == 0 || n > FIG_LIMIT_PORTS) {
        fig_diag_error(loader->diag, out ? out->span : decl->yaml->span,
                       wanted >= 0 ? "%s has %d result%s, not %d"
                                   : "%s has results, at most %d",
                       decl->word->text, wanted >= 0 ? wanted : FIG_LIMIT_PORTS,
                       wanted == 1 ? "" : "s", n);
        good = false;
    } else if (!out && wanted < 0 && decl->op) {
        fig_diag_error(loader->diag, decl->yaml->span,
                       "%s has a list of results: ‘out:’ names them", decl->op->name);
        good = false;
    }
    n = MIN(n, FIG_LIMIT_PORTS);
    for (int i = 0; i < n; i++) {
        FigResultDecl *result = &decl->results[i];
        const FigYaml *item = !out                         ? NULL
                              : out->kind == FIG_YAML_LIST ? out->items[i]
                                                           : out;
        result->named = out != NULL;
        result->word = out ? item : id;
        if (n == 1 && (!out || item->kind == FIG_YAML_SCALAR)) {
            result->map = decl->yaml;
        } else if (item->kind == FIG_YAML_MAP) {
            good = fig_yaml_check_keys(item, keys, "a result", loader->diag) && good;
            result->map = item;
            result->word = fig_yaml_lookup(item, "id");
            if (!result->word) {
                fig_diag_error(loader->diag, item->span, "a result needs ‘id:’");
                good = false;
            }
        }
        if (!result->word ||
            !fig_loader_scalar(loader, result->word, "the name of a result") ||
            !declare_name(loader, decl, result->word, "a result of an op",
                          &result->id)) {
            loader->names_lost = true;
            good = false;
        }
    }
    decl->n_results = n;
    return good;
}

/* The op's own id, where no result has it. */
static bool
declare_id(FigLoader *loader, FigOpDecl *decl, const FigYaml *id)
{
    decl->id = id->text;
    for (int i = 0; i < decl->n_results; i++) {
        const FigResultDecl *result = &decl->results[i];
        if (result->id && strcmp(result->id, id->text) == 0)
            return true;
        if (result->word == id)
            return false; /* reported as the result's name */
    }
    return declare_name(loader, decl, id, "an op", &decl->id);
}

static bool
declare_op(FigLoader *loader, const FigYaml *map, int group)
{
    if (map->kind != FIG_YAML_MAP) {
        fig_diag_error(loader->diag, map->span, "an op is a map {id: …, op: …, in: …}");
        loader->names_lost = true;
        return false;
    }
    FigOpDecl *decl = fig_arena_new0(loader->arena, FigOpDecl);
    decl->yaml = map;
    decl->group = group;
    decl->node = -1;
    decl->on = true;
    const FigYaml *id = fig_yaml_lookup(map, "id"), *word = fig_yaml_lookup(map, "op");
    if (!id)
        fig_diag_error(loader->diag, map->span, "an op needs ‘id:’, its name");
    if (!id || !fig_loader_scalar(loader, id, "an id")) {
        loader->names_lost = true;
        return false;
    }
    if (!word)
        fig_diag_error(loader->diag, map->span, "an op needs ‘op:’, what it does");
    else
        word = fig_loader_scalar(loader, word, "‘op:’");
    if (loader->ops->len == FIG_LIMIT_OPS) {
        fig_diag_error(loader->diag, map->span, "too many ops (the limit is %d)",
                       FIG_LIMIT_OPS);
        return false;
    }
    decl->word = word ? word : id;
    decl->op = word ? find_op(loader, word) : NULL;
    bool good = decl->op && check_op_keys(loader, map, decl->op);
    good = fig_loader_when(loader, map, &decl->on) && good;
    good = declare_reads(loader, decl) && good;
    good = declare_results(loader, decl, id) && good;
    good = declare_id(loader, decl, id) && good;
    decl->broken = !good;
    g_ptr_array_add(loader->ops, decl);
    return good;
}

static bool
declare_ops(FigLoader *loader, const FigYaml *list, int group)
{
    static const char *const keys[] = {"group", "title", "ops", "repeat",
                                       "index", "kinds", NULL};
    if (!fig_loader_list(loader, list, "‘ops:’")) {
        loader->names_lost = true;
        return false;
    }
    bool good = true;
    for (int i = 0; i < list->count; i++) {
        const FigYaml *item = list->items[i];
        const FigYaml *word = fig_yaml_lookup(item, "group");
        if (!word) {
            good = declare_op(loader, item, group) && good;
            continue;
        }
        const FigYaml *ops = fig_yaml_lookup(item, "ops");
        good = fig_yaml_check_keys(item, keys, "a group", loader->diag) && good;
        if (!ops)
            fig_diag_error(loader->diag, item->span, "a group needs ‘ops:’");
        if (!fig_loader_scalar(loader, word, "a group's id") || !ops ||
            !fig_loader_name(loader, word, "a group")) {
            loader->names_lost = loader->names_lost || !ops;
            good = false;
            continue;
        }
        FigGroup entry = {
            .id = word->text,
            .title = fig_loader_sentence(loader, item, "title"),
            .span = word->span,
            .parent = group,
        };
        good = fig_loader_repeat(loader, item, &entry) && good;
        int index = (int)loader->groups->len;
        g_array_append_val(loader->groups, entry);
        good = declare_ops(loader, ops, index) && good;
    }
    return good;
}

bool
fig_load_declarations(FigLoader *loader)
{
    bool good = true;
    const FigYaml *inputs = fig_yaml_lookup(loader->root, "inputs");
    const FigYaml *weights = fig_yaml_lookup(loader->root, "weights");
    const FigYaml *ops = fig_yaml_lookup(loader->root, "ops");
    if (inputs && !fig_loader_map(loader, inputs, "‘inputs:’")) {
        loader->names_lost = true;
        good = false;
    } else if (inputs) {
        for (int i = 0; i < inputs->count; i++)
            good = declare_input(loader, inputs->keys[i], inputs->items[i]) && good;
    }
    if (weights && !fig_loader_map(loader, weights, "‘weights:’")) {
        loader->names_lost = true;
        good = false;
    } else if (weights) {
        for (int i = 0; i < weights->count; i++)
            good = declare_weight(loader, weights->keys[i], weights->items[i]) && good;
    }
    return ops && declare_ops(loader, ops, -1) && good;
}
