/* SPDX-License-Identifier: MIT
 *
 * Ops into boxes. A group becomes a box; where groups depend on each other in a circle
 * they are cut into parts along the order of execution, so that boxes never do. Inputs and
 * outputs stand in the box of the page or, when that is a stack, in the segment they
 * belong to.
 */
#include "layouts/plan.h"

#include <stdlib.h>
#include <string.h>

GPtrArray *
fig_plan_list(FigPlan *plan)
{
    GPtrArray *list = g_ptr_array_new();

    g_ptr_array_add(plan->garbage, list);
    return list;
}

GHashTable *
fig_plan_table(FigPlan *plan)
{
    GHashTable *table = g_hash_table_new(g_str_hash, g_str_equal);
    GPtrArray *holder =
        g_ptr_array_new_with_free_func((GDestroyNotify)g_hash_table_unref);

    g_ptr_array_add(holder, table);
    g_ptr_array_add(plan->garbage, holder);
    return table;
}

void
fig_plan_sort(GPtrArray *list, GCompareFunc compare)
{
    if (list->len > 1)
        qsort(list->pdata, list->len, sizeof(void *), compare);
}

bool
fig_plan_is_edge(const FigRecordRead *read)
{
    return read->value && strcmp(read->from, "weight") != 0;
}

int
fig_plan_op_index(const FigPlan *plan, const FigRecordOp *op)
{
    return (int)(op - plan->record->ops);
}

FigNode *
fig_plan_node(FigPlan *plan, FigBox *box, FigNodeKind kind)
{
    FigNode *node = fig_arena_new0(plan->arena, FigNode);

    node->kind = kind;
    node->in = box;
    node->lane = -1;
    node->up = fig_plan_list(plan);
    node->down = fig_plan_list(plan);
    node->index = (int)box->nodes->len;
    g_ptr_array_add(box->nodes, node);
    return node;
}

FigBox *
fig_plan_box(FigPlan *plan, FigBox *parent)
{
    FigBox *box = fig_arena_new0(plan->arena, FigBox);

    box->parent = parent;
    box->depth = parent ? parent->depth + 1 : 0;
    box->nodes = fig_plan_list(plan);
    box->nets = fig_plan_list(plan);
    box->net_of = fig_plan_table(plan);
    box->sources = fig_plan_list(plan);
    box->sinks = fig_plan_list(plan);
    return box;
}

int
fig_plan_writer_index(const FigPlan *plan, const char *value)
{
    const FigNode *node = g_hash_table_lookup(plan->writer, value);

    return node && node->op ? fig_plan_op_index(plan, node->op) : -1;
}

/* ---- groups ---- */

/* The child of a box that an op belongs to: the op itself or a (part of a) group. */
typedef struct Entity {
    const FigRecordGroup *group; /* NULL: one op */
    int part;
    GPtrArray *ops; /* FigRecordOp, by execution order */
    GArray *from;   /* int: entities it reads from */
    int low, number;
    bool open;
} Entity;

static void
free_entity(void *data)
{
    Entity *entity = data;

    g_ptr_array_unref(entity->ops);
    g_array_unref(entity->from);
    g_free(entity);
}

static Entity *
new_entity(GPtrArray *entities, const FigRecordGroup *group, int part)
{
    Entity *entity = g_new0(Entity, 1);

    entity->group = group;
    entity->part = part;
    entity->ops = g_ptr_array_new();
    entity->from = g_array_new(FALSE, FALSE, sizeof(int));
    entity->number = -1;
    g_ptr_array_add(entities, entity);
    return entity;
}

static const FigRecordGroup *
group_at(const FigPlan *plan, const FigRecordOp *op, int depth)
{
    if (depth >= op->n_groups)
        return NULL;
    for (int g = 0; g < plan->record->n_groups; g++)
        if (!strcmp(plan->record->groups[g].id, op->groups[depth]))
            return &plan->record->groups[g];
    return NULL;
}

/* Ops to entities; cut[op] says after how many cuts of its group an op comes. */
static GPtrArray *
entities_of(const FigPlan *plan, const GPtrArray *ops, int depth, const int *cut,
            int *entity_of)
{
    GPtrArray *entities = g_ptr_array_new_with_free_func(free_entity);

    for (int i = 0; i < plan->record->n_ops; i++)
        entity_of[i] = -1;
    for (guint i = 0; i < ops->len; i++) {
        const FigRecordOp *op = ops->pdata[i];
        const FigRecordGroup *group = group_at(plan, op, depth);
        int index = fig_plan_op_index(plan, op);
        int found = -1;

        for (guint e = 0; group && e < entities->len; e++) {
            const Entity *entity = entities->pdata[e];

            if (entity->group == group && entity->part == cut[index])
                found = (int)e;
        }
        if (found < 0) {
            new_entity(entities, group, group ? cut[index] : 0);
            found = (int)entities->len - 1;
        }
        g_ptr_array_add(((Entity *)entities->pdata[found])->ops, (void *)op);
        entity_of[index] = found;
    }
    for (guint i = 0; i < ops->len; i++) {
        const FigRecordOp *op = ops->pdata[i];
        int to = entity_of[fig_plan_op_index(plan, op)];

        for (int r = 0; r < op->n_reads; r++) {
            int writer = fig_plan_is_edge(&op->reads[r])
                             ? fig_plan_writer_index(plan, op->reads[r].value)
                             : -1;
            int of = writer < 0 ? -1 : entity_of[writer];

            if (of >= 0 && of != to)
                g_array_append_val(((Entity *)entities->pdata[to])->from, of);
        }
    }
    return entities;
}

/* Tarjan's components, without recursion deeper than the entities of one box; entities
 * on a circle get the same number, and *circle says that there is one. */
static void
visit(const GPtrArray *entities, int at, int *count, GArray *stack, int *component,
      bool *circle)
{
    Entity *entity = entities->pdata[at];

    entity->low = entity->number = (*count)++;
    entity->open = true;
    g_array_append_val(stack, at);
    for (guint i = 0; i < entity->from->len; i++) {
        int to = g_array_index(entity->from, int, i);
        Entity *other = entities->pdata[to];

        if (other->number < 0)
            visit(entities, to, count, stack, component, circle);
        if (other->open)
            entity->low = MIN(entity->low, other->low);
    }
    if (entity->low != entity->number)
        return;
    for (int top = -1; top != at;) {
        top = g_array_index(stack, int, stack->len - 1);
        g_array_set_size(stack, stack->len - 1);
        ((Entity *)entities->pdata[top])->open = false;
        component[top] = at;
        *circle = *circle || top != at;
    }
}

/* Cut the groups that lie on a circle wherever execution leaves them. */
static bool
cut_circles(const FigPlan *plan, const GPtrArray *ops, GPtrArray *entities,
            const int *entity_of, int *cut)
{
    g_autofree int *component = g_new0(int, entities->len + 1);
    g_autofree int *count_of = g_new0(int, entities->len + 1);
    g_autofree int *last_of = g_new0(int, entities->len + 1);
    g_autoptr(GArray) stack = g_array_new(FALSE, FALSE, sizeof(int));
    int count = 0;
    bool circle = false;

    for (guint e = 0; e < entities->len; e++)
        if (((Entity *)entities->pdata[e])->number < 0)
            visit(entities, (int)e, &count, stack, component, &circle);
    if (!circle)
        return false;
    for (guint e = 0; e < entities->len; e++) {
        count_of[component[e]]++;
        last_of[e] = -1;
    }
    for (guint e = 0; e < entities->len; e++) {
        const Entity *entity = entities->pdata[e];
        int part = 0;

        if (!entity->group || count_of[component[e]] < 2)
            continue;
        for (guint i = 0; i < entity->ops->len; i++) {
            int op = fig_plan_op_index(plan, entity->ops->pdata[i]);

            for (int between = last_of[e] + 1; i > 0 && between < op; between++)
                if (entity_of[between] >= 0 && entity_of[between] != (int)e &&
                    component[entity_of[between]] == component[e]) {
                    part++;
                    break;
                }
            cut[op] = part;
            last_of[e] = op;
        }
    }
    (void)ops;
    return true;
}

static void
fill_box(FigPlan *plan, FigBox *box, const GPtrArray *ops, int depth)
{
    g_autofree int *cut = g_new0(int, plan->record->n_ops + 1);
    g_autofree int *entity_of = g_new0(int, plan->record->n_ops + 1);
    g_autoptr(GPtrArray) entities = entities_of(plan, ops, depth, cut, entity_of);

    if (cut_circles(plan, ops, entities, entity_of, cut)) {
        g_ptr_array_unref(entities);
        entities = entities_of(plan, ops, depth, cut, entity_of);
    }
    for (guint e = 0; e < entities->len; e++) {
        const Entity *entity = entities->pdata[e];
        FigNode *node =
            fig_plan_node(plan, box, entity->group ? FIG_NODE_BOX : FIG_NODE_OP);

        if (!entity->group) {
            node->op = entity->ops->pdata[0];
            g_hash_table_insert(plan->node_of, (char *)node->op->id, node);
            for (int w = 0; w < node->op->n_writes; w++)
                g_hash_table_insert(plan->writer, (char *)node->op->writes[w].value,
                                    node);
            continue;
        }
        node->box = fig_plan_box(plan, box);
        node->box->node = node;
        node->box->group = entity->group;
        node->box->part = entity->part;
        node->box->panel = true;
        fill_box(plan, node->box, entity->ops, depth + 1);
    }
}

/* ---- inputs and outputs ---- */

/* The box directly under stack that a node lies in (the node's own box if it is one). */
static FigBox *
segment_of(const FigBox *stack, const FigNode *node)
{
    FigBox *box = node->in;

    while (box && box->parent != stack)
        box = box->parent;
    return box;
}

static void
add_inputs(FigPlan *plan)
{
    const FigRecord *record = plan->record;
    FigBox *root = plan->root;

    for (int v = 0; v < record->n_values; v++) {
        const FigRecordValue *value = &record->values[v];
        bool rail = root->stack && !strcmp(value->id, root->rail_value);
        FigBox *box = root;
        FigNode *node;

        if (strcmp(value->kind, "input"))
            continue;
        if (root->stack && !rail) {
            box = ((FigNode *)root->segments->pdata[0])->box;
            for (int i = record->n_ops - 1; i >= 0; i--)
                for (int r = 0; r < record->ops[i].n_reads; r++)
                    if (record->ops[i].reads[r].value &&
                        !strcmp(record->ops[i].reads[r].value, value->id)) {
                        FigNode *reader =
                            g_hash_table_lookup(plan->node_of, record->ops[i].id);
                        FigBox *segment = segment_of(root, reader);

                        box = segment ? segment : box;
                    }
        }
        node = fig_plan_node(plan, box, FIG_NODE_INPUT);
        node->value = value->id;
        node->on_rail = rail;
        g_hash_table_insert(plan->writer, (char *)value->id, node);
    }
}

static void
add_outputs(FigPlan *plan)
{
    const FigRecord *record = plan->record;
    FigBox *root = plan->root;

    for (int o = 0; o < record->n_outputs; o++) {
        const char *value = record->outputs[o];
        const FigNode *writer = g_hash_table_lookup(plan->writer, value);
        const FigNode *last =
            root->stack ? root->adds->pdata[root->adds->len - 1] : NULL;
        bool rail = last && writer == last;
        FigBox *box = root;
        FigNode *node;

        if (root->stack && !rail) {
            FigBox *segment = writer ? segment_of(root, writer) : NULL;

            box =
                segment
                    ? segment
                    : ((FigNode *)root->segments->pdata[root->segments->len - 1])->box;
        }
        node = fig_plan_node(plan, box, FIG_NODE_OUTPUT);
        node->value = value;
        node->on_rail = rail;
        g_hash_table_insert(plan->output_of, (char *)value, node);
    }
}

void
fig_plan_structure(FigPlan *plan)
{
    g_autoptr(GPtrArray) ops = g_ptr_array_new();

    for (int i = 0; i < plan->record->n_ops; i++)
        g_ptr_array_add(ops, (void *)&plan->record->ops[i]);
    plan->root = fig_plan_box(plan, NULL);
    /* Reads are looked up by their writer from the first; boxes enter the nodes proper. */
    for (int i = 0; i < plan->record->n_ops; i++) {
        const FigRecordOp *op = &plan->record->ops[i];
        FigNode *node = fig_arena_new0(plan->arena, FigNode);

        node->op = op;
        for (int w = 0; w < op->n_writes; w++)
            g_hash_table_insert(plan->writer, (char *)op->writes[w].value, node);
    }
    fill_box(plan, plan->root, ops, 0);
    fig_plan_rails(plan);
    add_inputs(plan);
    add_outputs(plan);
}
