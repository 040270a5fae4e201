/* SPDX-License-Identifier: MIT
 *
 * `block: NAME` among the ops of a network: the ops of another spec, one pass a layer.
 * It is written out before anything means anything, as the repeat that a person could
 * have written: a group that begins with what enters the block, then its ops. The block's
 * dims, constants, import and weights come with it, and give way to those of the network;
 * its `{layer}` becomes the index of the repeat. An input with a `when:` (a mask) is one of
 * the network, the same in all layers. Its title, claims and notes speak of one block and
 * stay behind.
 */
#include "spec/extend.h"

#include <string.h>

#define LAYER "{layer}"

static FigYaml *
scalar(FigArena *arena, const char *text, FigSpan span)
{
    FigYaml *node = fig_arena_new0(arena, FigYaml);
    node->kind = FIG_YAML_SCALAR;
    node->text = fig_arena_strdup(arena, text);
    node->span = span;
    return node;
}

static FigYaml *
node_of(FigArena *arena, FigYamlKind kind, FigSpan span)
{
    FigYaml *node = fig_arena_new0(arena, FigYaml);
    node->kind = kind;
    node->span = span;
    return node;
}

static void
put(FigArena *arena, FigYaml *map, const char *key, FigYaml *item)
{
    fig_yaml_set(arena, map, scalar(arena, key, item->span), item);
}

/* Let {layer} be the index of a repeat, in all that is written under a node. */
static void
name_layer(FigArena *arena, FigYaml *node, const char *index)
{
    for (int i = 0; i < node->count; i++)
        name_layer(arena, node->items[i], index);
    if (node->kind != FIG_YAML_SCALAR || !strstr(node->text, LAYER))
        return;
    g_auto(GStrv) parts = g_strsplit(node->text, LAYER, -1);
    g_autofree char *own = g_strdup_printf("{%s}", index);
    g_autofree char *text = g_strjoinv(own, parts);
    node->text = fig_arena_strdup(arena, text);
    node->verbatim = false;
}

/* Where the only entry of a section of the block stands that has no `when:`; -1, reported:
 * it has another number of them. */
static int
only_one(FigLoader *loader, const FigYaml *use, const FigYaml *block, const char *key)
{
    const FigYaml *section = fig_yaml_lookup(block, key);
    int count = 0, found = -1;
    for (int i = 0; section && section->kind != FIG_YAML_SCALAR && i < section->count;
         i++)
        if (!fig_yaml_lookup(section->items[i], "when")) {
            found = i;
            count++;
        }
    if (count == 1)
        return found;
    fig_diag_error(loader->diag, fig_yaml_lookup(use, "block")->span,
                   "‘%s’ is no block: it has %d %s, not one",
                   fig_yaml_lookup(use, "block")->text, count, key);
    return -1;
}

/* The other inputs of a block as those of the network. */
static void
take_inputs(FigArena *arena, FigYaml *root, const FigYaml *inputs, int stream)
{
    FigYaml *own = fig_yaml_lookup(root, "inputs");
    for (int i = 0; own && own->kind == FIG_YAML_MAP && i < inputs->count; i++)
        if (i != stream && !fig_yaml_lookup(own, inputs->keys[i]->text))
            fig_yaml_set(arena, own, inputs->keys[i], inputs->items[i]);
}

/* The name of the table's op that begins a pass. */
static const char *
carrier(void)
{
    for (const FigOp *const *op = fig_op_all(); *op; op++)
        if ((*op)->carries)
            return (*op)->name;
    g_assert_not_reached();
}

/* Of the names of what enters a block a layer keeps those that say which layer it is. */
static void
drop_names_of_inputs(FigArena *arena, FigYaml *aka, const char *index)
{
    g_autofree char *layer = g_strdup_printf("{%s}", index);
    for (int i = aka->count - 1; i >= 0; i--) {
        FigYaml *names = aka->items[i];
        for (int k = names->count - 1; k >= 0 && names->kind == FIG_YAML_LIST; k--)
            if (names->items[k]->kind == FIG_YAML_SCALAR &&
                !strstr(names->items[k]->text, layer))
                fig_yaml_remove(names, k);
    }
}

/* What enters the block: the op that a pass begins with. */
static FigYaml *
entry(FigLoader *loader, const FigYaml *use, const FigYaml *block, int stream)
{
    static const char *const kept[] = {"label", "what", "aka", NULL};
    FigArena *arena = loader->arena;
    const FigYaml *inputs = fig_yaml_lookup(block, "inputs");
    FigYaml *in = fig_yaml_lookup(use, "in");
    FigYaml *op = node_of(arena, FIG_YAML_MAP, use->span);
    FigYaml *reads = node_of(arena, FIG_YAML_MAP, in->span);
    put(arena, op, "id", scalar(arena, inputs->keys[stream]->text, in->span));
    put(arena, op, "op", scalar(arena, carrier(), use->span));
    put(arena, reads, "first", in);
    put(arena, reads, "next", fig_yaml_lookup(block, "outputs")->items[0]);
    put(arena, op, "in", reads);
    for (int i = 0; kept[i]; i++) {
        FigYaml *item = fig_yaml_lookup(inputs->items[stream], kept[i]);
        if (item && strcmp(kept[i], "aka") == 0 && item->kind == FIG_YAML_MAP)
            drop_names_of_inputs(arena, item, fig_yaml_lookup(use, "index")->text);
        if (item)
            put(arena, op, kept[i], item);
    }
    return op;
}

/* The block's sections behind those of the network. */
static bool
take_sections(FigLoader *loader, FigYaml *root, const FigYaml *block)
{
    static const char *const keys[] = {"dims",  "constants", "import", "weights",
                                       "probe", "tables",    NULL};
    for (int i = 0; keys[i]; i++) {
        FigYaml *theirs = fig_yaml_lookup(block, keys[i]);
        FigYaml *own = fig_yaml_lookup(root, keys[i]);
        if (!theirs || theirs->kind != FIG_YAML_MAP)
            continue;
        for (int k = 0; own && strcmp(keys[i], "weights") == 0 && k < own->count; k++) {
            if (own->kind != FIG_YAML_MAP ||
                !fig_yaml_lookup(theirs, own->keys[k]->text))
                continue;
            FigMessage *message =
                fig_diag_error(loader->diag, own->keys[k]->span,
                               "‘%s’ is a weight of the block too", own->keys[k]->text);
            fig_message_hint(message, "give it another id");
            return false;
        }
        if (own && own->kind == FIG_YAML_MAP)
            fig_yaml_lay_over(loader->arena, theirs, own);
        put(loader->arena, root, keys[i], theirs);
    }
    return true;
}

static bool
check_use(FigLoader *loader, const FigYaml *use)
{
    static const char *const keys[] = {"block", "group", "title", "count",
                                       "index", "kinds", "in",    NULL};
    static const char *const wanted[] = {"group", "count", "index", "in"};
    if (!fig_yaml_check_keys(use, keys, "a use of a block", loader->diag))
        return false;
    for (size_t i = 0; i < G_N_ELEMENTS(wanted); i++) {
        const FigYaml *item = fig_yaml_lookup(use, wanted[i]);
        if (!item)
            fig_diag_error(loader->diag, use->span, "a use of a block needs ‘%s:’",
                           wanted[i]);
        if (!item || !fig_loader_scalar(loader, item, "one word or expression"))
            return false;
    }
    return fig_loader_scalar(loader, fig_yaml_lookup(use, "block"), "a spec's name");
}

/* The repeat that a use of a block stands for; NULL, reported. */
static FigYaml *
write_out(FigLoader *loader, FigYaml *root, const FigYaml *use)
{
    FigArena *arena = loader->arena;
    if (!check_use(loader, use))
        return NULL;
    const FigYaml *word = fig_yaml_lookup(use, "block");
    FigYaml *block = fig_spec_other(loader, word, "use as a block");
    int stream = block ? only_one(loader, use, block, "inputs") : -1;
    if (stream < 0 || only_one(loader, use, block, "outputs") < 0)
        return NULL;
    FigYaml *ops = fig_yaml_lookup(block, "ops");
    FigYaml *weights = fig_yaml_lookup(block, "weights");
    const char *index = fig_yaml_lookup(use, "index")->text;
    if (!fig_loader_list(loader, ops ? ops : block, "‘ops:’ of a block"))
        return NULL;
    if (weights)
        name_layer(arena, weights, index);
    name_layer(arena, ops, index);
    name_layer(arena, fig_yaml_lookup(block, "inputs"), index);
    if (!take_sections(loader, root, block))
        return NULL;
    take_inputs(arena, root, fig_yaml_lookup(block, "inputs"), stream);
    FigYaml *group = node_of(arena, FIG_YAML_MAP, use->span);
    put(arena, group, "group", fig_yaml_lookup(use, "group"));
    if (fig_yaml_lookup(use, "title"))
        put(arena, group, "title", fig_yaml_lookup(use, "title"));
    put(arena, group, "repeat", fig_yaml_lookup(use, "count"));
    put(arena, group, "index", fig_yaml_lookup(use, "index"));
    if (fig_yaml_lookup(use, "kinds"))
        put(arena, group, "kinds", fig_yaml_lookup(use, "kinds"));
    fig_yaml_insert(arena, ops, 0, NULL, entry(loader, use, block, stream));
    put(arena, group, "ops", ops);
    return group;
}

bool
fig_spec_blocks(FigLoader *loader, FigYaml *root)
{
    FigYaml *ops = fig_yaml_lookup(root, "ops");
    for (int i = 0; ops && ops->kind == FIG_YAML_LIST && i < ops->count; i++) {
        if (!fig_yaml_lookup(ops->items[i], "block"))
            continue;
        if (loader->options->layer > 0 && !loader->options->one_kind) {
            fig_diag_error(loader->diag, (FigSpan){0},
                           "--layer %d is for a block; this spec has all its layers",
                           loader->options->layer);
            return false;
        }
        FigYaml *group = write_out(loader, root, ops->items[i]);
        if (!group)
            return false;
        ops->items[i] = group;
    }
    return true;
}
