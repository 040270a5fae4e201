/* SPDX-License-Identifier: MIT
 *
 * Groups that are repeated. Their ops stand in the graph once; a run goes through them as
 * often as the count says. One value or more is carried from pass to pass: the ops that
 * the table marks so begin the group, and read a value from outside in the first pass and
 * one that is written later in the group in every other. After the group, that value
 * means what the last pass left; nothing else leaves it. A weight that only ops of a
 * repeat read is another tensor in each pass, unless `per:` says less.
 */
#include "spec/loader.h"

#include <string.h>

/* ---- as written ---- */

bool
fig_loader_repeat(FigLoader *loader, const FigYaml *map, FigGroup *group)
{
    const FigYaml *count = fig_yaml_lookup(map, "repeat");
    const FigYaml *index = fig_yaml_lookup(map, "index");
    FigRational number;
    group->repeat = fig_loader_repeat_of(loader, group->parent);
    group->kinds = fig_yaml_lookup(map, "kinds") != NULL;
    group->passes = 1;
    if (!count && !index)
        return true;
    group->broken = true;
    if (!count || !index) {
        fig_diag_error(
            loader->diag, (count ? count : index)->span,
            count ? "a repeat needs ‘index:’, the name of the number of its pass"
                  : "‘index:’ numbers the passes of a repeat: ‘repeat:’ is missing");
        return false;
    }
    count = fig_loader_scalar(loader, count, "‘repeat:’, a number of passes,");
    index = fig_loader_scalar(loader, index, "‘index:’, a name,");
    const FigPoly *passes = count ? fig_loader_poly(loader, count, NULL) : NULL;
    if (!passes || !index || !fig_loader_name(loader, index, "the index of a repeat"))
        return false;
    if (fig_poly_is_number(passes, &number) && number.num == number.den) {
        FigMessage *message = fig_diag_error(loader->diag, count->span,
                                             "a group that runs once is no repeat");
        fig_message_hint(message, "write its ops without ‘repeat:’");
        return false;
    }
    group->count = passes;
    group->count_span = count->span;
    group->index = index->text;
    group->broken = false;
    return true;
}

int
fig_loader_repeat_of(const FigLoader *loader, int group)
{
    if (group < 0)
        return -1;
    const FigGroup *own = &g_array_index(loader->groups, FigGroup, (guint)group);
    return own->count ? group : own->repeat;
}

/* ---- what is carried on ---- */

bool
fig_loader_carrier(FigLoader *loader, int op)
{
    const FigOpDecl *decl = loader->ops->pdata[op];
    int group = decl->group;
    if (group >= 0 && g_array_index(loader->groups, FigGroup, (guint)group).broken)
        return false;
    if (group < 0 || fig_loader_repeat_of(loader, group) != group) {
        FigMessage *message = fig_diag_error(
            loader->diag, decl->word->span,
            "%s begins the passes of a repeat, but stands in none", decl->op->name);
        fig_message_hint(message, "give its group ‘repeat:’ and ‘index:’");
        return false;
    }
    for (int i = op - 1; i >= 0; i--) {
        const FigOpDecl *other = loader->ops->pdata[i];
        int within = other->group;
        while (within >= 0 && within != group)
            within = g_array_index(loader->groups, FigGroup, (guint)within).parent;
        if (within < 0)
            break;
        if (!other->op || other->op->carries)
            continue;
        FigMessage *message = fig_diag_error(
            loader->diag, decl->word->span,
            "%s comes before all other ops of its repeat", decl->op->name);
        fig_message_note_at(message, other->yaml->span, "this stands before it");
        return false;
    }
    return true;
}

/* What the op `decl` reads in every pass but the first; -1, reported. */
static int
find_carried(FigLoader *loader, const FigOpDecl *decl)
{
    const FigGraph *graph = loader->graph;
    const FigNode *node = FIG_NODE(loader, decl->node);
    const FigYaml *word = decl->reads[1];
    const char *title = graph->groups[node->repeat].id;
    int v = fig_loader_resolve(loader, word, (int)loader->ops->len);
    if (v < 0 || FIG_BROKEN(loader, v))
        return -1;
    const FigValue *value = FIG_VALUE(loader, v);
    if (value->node < 0 || !fig_graph_repeat_in(graph, value->repeat, node->repeat)) {
        FigMessage *message = fig_diag_error(
            loader->diag, word->span,
            "‘%s’ is not written in ‘%s’, so no pass leaves it to the next", word->text,
            title);
        fig_message_note_at(message, value->span, "it is written here");
        return -1;
    }
    if (FIG_NODE(loader, value->node)->op->carries && value->repeat == node->repeat) {
        fig_diag_error(loader->diag, word->span,
                       "‘%s’ is what a pass begins with: nothing would come of it",
                       word->text);
        return -1;
    }
    return v;
}

static bool
link_carried(FigLoader *loader)
{
    bool good = true;
    for (guint i = 0; i < loader->ops->len; i++) {
        const FigOpDecl *decl = loader->ops->pdata[i];
        if (decl->node < 0 || !decl->op->carries)
            continue;
        FigNode *node = FIG_NODE(loader, decl->node);
        FigRead *reads = fig_arena_copy(loader->arena, node->reads,
                                        sizeof(FigRead) * (size_t)node->n_reads);
        const FigValue *first = FIG_VALUE(loader, reads[0].value);
        if (first->from == FIG_FROM_ACTIVATION &&
            fig_graph_repeat_in(loader->graph, first->repeat, node->repeat)) {
            fig_diag_error(loader->diag, reads[0].span,
                           "‘%s’ is written in the repeat; the first pass begins with "
                           "a value from outside",
                           first->id);
            good = false;
        }
        reads[1].value = find_carried(loader, decl);
        node->reads = reads;
        if (reads[1].value >= 0)
            fig_loader_count_reader(loader, reads[1].value);
        else
            good = false;
    }
    return good;
}

/* Is the value carried from pass to pass of a repeat? */
static bool
is_carried(FigLoader *loader, int repeat, int value)
{
    for (guint n = 0; n < loader->nodes->len; n++) {
        const FigNode *node = FIG_NODE(loader, n);
        if (node->op->carries && node->repeat == repeat &&
            node->reads[1].value == value)
            return true;
    }
    return false;
}

/* Is an op that would carry something on there, but broken? */
static bool
has_broken_carrier(FigLoader *loader, int group)
{
    for (guint i = 0; i < loader->ops->len; i++) {
        const FigOpDecl *decl = loader->ops->pdata[i];
        if (decl->group == group && decl->broken && (!decl->op || decl->op->carries))
            return true;
    }
    return false;
}

/* May a value be read from inside `reader` (-1: outside all repeats)? */
static bool
check_leaves(FigLoader *loader, int v, int reader, FigSpan at)
{
    const FigGraph *graph = loader->graph;
    const FigValue *value = FIG_VALUE(loader, v);
    if (value->from != FIG_FROM_ACTIVATION)
        return true;
    for (int r = value->repeat; !fig_graph_repeat_in(graph, reader, r);
         r = graph->groups[r].repeat) {
        if (is_carried(loader, r, v) || has_broken_carrier(loader, r))
            continue;
        FigMessage *message =
            fig_diag_error(loader->diag, at, "‘%s’ does not leave the repeat ‘%s’",
                           value->id, graph->groups[r].id);
        fig_message_note(message, "only what is carried from pass to pass does, as the "
                                  "last pass leaves it");
        return false;
    }
    return true;
}

static bool
check_escapes(FigLoader *loader)
{
    bool good = true;
    for (guint n = 0; n < loader->nodes->len; n++) {
        const FigNode *node = FIG_NODE(loader, n);
        for (int i = 0; i < node->n_reads; i++)
            if (node->reads[i].value >= 0)
                good = check_leaves(loader, node->reads[i].value, node->repeat,
                                    node->reads[i].span) &&
                       good;
    }
    const FigYaml *outputs = fig_yaml_lookup(loader->root, "outputs");
    for (int i = 0; outputs && outputs->kind == FIG_YAML_LIST && i < outputs->count;
         i++) {
        const FigYaml *word = outputs->items[i];
        const FigName *name = word->kind == FIG_YAML_SCALAR
                                  ? g_hash_table_lookup(loader->names, word->text)
                                  : NULL;
        if (name && name->value >= 0)
            good = check_leaves(loader, name->value, -1, word->span) && good;
    }
    return good;
}

/* ---- ranges ---- */

static bool
find_ranges(FigLoader *loader)
{
    FigGraph *graph = loader->graph;
    bool good = true;
    for (int g = 0; g < graph->n_groups; g++) {
        FigGroup *group = &graph->groups[g];
        bool carries = false;
        group->first = group->end = 0;
        for (int n = 0; n < (int)loader->nodes->len; n++) {
            const FigNode *node = FIG_NODE(loader, n);
            int own = node->group;
            while (own >= 0 && own != g)
                own = graph->groups[own].parent;
            if (own < 0)
                continue;
            if (group->end == 0)
                group->first = n;
            group->end = n + 1;
            carries = carries || (node->op->carries && node->repeat == g);
        }
        if (!group->count || carries || has_broken_carrier(loader, g))
            continue;
        FigMessage *message =
            fig_diag_error(loader->diag, group->count_span,
                           "nothing is carried from pass to pass of ‘%s’: each would "
                           "compute the same",
                           group->id);
        for (const FigOp *const *op = fig_op_all(); *op; op++)
            if ((*op)->carries)
                fig_message_hint(
                    message, "begin it with {id: …, op: %s, in: {first: …, next: …}}",
                    (*op)->name);
        good = false;
    }
    return good;
}

/* ---- weights ---- */

enum { UNREAD = -2 };

/* The innermost repeat around all ops that read each weight; a join and its members are
 * one matter. */
static int *
find_readers(FigLoader *loader)
{
    const FigGraph *graph = loader->graph;
    int *repeat = fig_arena_new_array(loader->arena, int, (int)loader->values->len);
    for (guint v = 0; v < loader->values->len; v++)
        repeat[v] = UNREAD;
    for (guint n = 0; n < loader->nodes->len; n++) {
        const FigNode *node = FIG_NODE(loader, n);
        for (int i = 0; i < node->n_reads; i++) {
            int v = node->reads[i].value;
            if (v < 0 || FIG_VALUE(loader, v)->from != FIG_FROM_WEIGHT)
                continue;
            if (FIG_VALUE(loader, v)->joined_in >= 0)
                v = FIG_VALUE(loader, v)->joined_in;
            repeat[v] = repeat[v] == UNREAD
                            ? node->repeat
                            : fig_graph_repeat_common(graph, repeat[v], node->repeat);
        }
    }
    return repeat;
}

/* The repeat that `per:` names (-1: none), or UNREAD, reported. */
static int
read_per(FigLoader *loader, const FigYaml *per, int inside)
{
    const FigGraph *graph = loader->graph;
    if (!fig_loader_scalar(loader, per, "‘per:’, the index of a repeat or none,"))
        return UNREAD;
    if (strcmp(per->text, "none") == 0)
        return -1;
    g_autoptr(GPtrArray) words = g_ptr_array_new();
    for (int g = 0; g < graph->n_groups; g++) {
        if (!graph->groups[g].count)
            continue;
        g_ptr_array_add(words, (gpointer)graph->groups[g].index);
        if (strcmp(graph->groups[g].index, per->text) != 0)
            continue;
        if (fig_graph_repeat_in(graph, inside, g))
            return g;
        fig_diag_error(loader->diag, per->span,
                       "the weight is read outside ‘%s’, where there is no ‘%s’",
                       graph->groups[g].id, per->text);
        return UNREAD;
    }
    g_ptr_array_add(words, (gpointer) "none");
    g_ptr_array_add(words, NULL);
    FigMessage *message = fig_diag_error(loader->diag, per->span,
                                         "‘%s’ is the index of no repeat", per->text);
    fig_message_suggest(message, per->text, (const char *const *)words->pdata);
    return UNREAD;
}

/* The name of a tensor that is another in each pass says which. */
static bool
check_name(FigLoader *loader, const FigValue *value)
{
    const FigGraph *graph = loader->graph;
    for (int r = value->repeat; r >= 0 && value->checkpoint;
         r = graph->groups[r].repeat) {
        g_autofree char *index = g_strdup_printf("{%s}", graph->groups[r].index);
        if (strstr(value->checkpoint, index))
            continue;
        FigMessage *message =
            fig_diag_error(loader->diag, value->span,
                           "‘%s’ is another tensor in each pass of ‘%s’, but its "
                           "‘checkpoint:’ does not hold %s",
                           value->id, graph->groups[r].id, index);
        fig_message_hint(message, "‘per: none’ makes it one weight for all passes");
        return false;
    }
    return true;
}

static bool
find_weights(FigLoader *loader)
{
    const FigYaml *weights = fig_yaml_lookup(loader->root, "weights");
    int *repeat = find_readers(loader);
    bool good = true;
    for (guint v = 0; v < loader->values->len; v++) {
        FigValue *value = FIG_VALUE(loader, v);
        if (value->from != FIG_FROM_WEIGHT || FIG_BROKEN(loader, v))
            continue;
        int of = value->joined_in >= 0 ? value->joined_in : (int)v;
        const FigYaml *per =
            fig_yaml_lookup(fig_yaml_lookup(weights, value->id), "per");
        if (repeat[of] == UNREAD)
            continue; /* reported where unread weights are */
        if (per && of != (int)v) {
            fig_diag_error(loader->diag, per->span,
                           "‘%s’ is part of ‘%s’: ‘per:’ stands there", value->id,
                           FIG_VALUE(loader, of)->id);
            good = false;
            continue;
        }
        if (per) {
            int named = read_per(loader, per, repeat[v]);
            good = good && named != UNREAD;
            repeat[v] = MAX(named, -1);
        }
    }
    for (guint v = 0; v < loader->values->len; v++) {
        FigValue *value = FIG_VALUE(loader, v);
        int of = value->joined_in >= 0 ? value->joined_in : (int)v;
        if (value->from != FIG_FROM_WEIGHT || FIG_BROKEN(loader, v))
            continue;
        value->repeat = repeat[of] == UNREAD ? -1 : repeat[of];
        good = check_name(loader, value) && good;
    }
    return good;
}

/* ---- all of it ---- */

bool
fig_load_repeats(FigLoader *loader)
{
    FigGraph *graph = loader->graph;
    graph->groups =
        (FigGroup *)(void *)loader->groups->data; /* until they are sealed */
    graph->n_groups = (int)loader->groups->len;
    bool any = false;
    for (int g = 0; g < graph->n_groups; g++)
        any = any || graph->groups[g].count;
    if (!any)
        return true;
    return find_ranges(loader) && link_carried(loader) && check_escapes(loader) &&
           find_weights(loader);
}

bool
fig_loader_carried_shapes(FigLoader *loader)
{
    bool good = true;
    for (guint n = 0; n < loader->nodes->len; n++) {
        const FigNode *node = FIG_NODE(loader, n);
        if (!node->op->carries || node->reads[1].value < 0 ||
            FIG_BROKEN(loader, node->reads[0].value) ||
            FIG_BROKEN(loader, node->reads[1].value))
            continue;
        const FigValue *first = FIG_VALUE(loader, node->reads[0].value);
        const FigValue *next = FIG_VALUE(loader, node->reads[1].value);
        bool same = first->shape.rank == next->shape.rank;
        for (int k = 0; same && k < first->shape.rank; k++)
            same = fig_poly_equal(first->shape.axis[k], next->shape.axis[k]);
        if (same)
            continue;
        FigAlgebra *algebra = loader->graph->algebra;
        FigMessage *message = fig_diag_error(
            loader->diag, node->reads[1].span,
            "‘%s’ has another shape than what the first pass begins with", next->id);
        fig_message_note(message, "%s is %s", first->id,
                         fig_shape_text(algebra, &first->shape, loader->arena));
        fig_message_note(message, "%s is %s", next->id,
                         fig_shape_text(algebra, &next->shape, loader->arena));
        good = false;
    }
    return good;
}
