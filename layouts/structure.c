/* SPDX-License-Identifier: MIT
 *
 * Ops into boxes. A group becomes a box; where groups depend on each other in a circle
 * they are cut into parts along the order of ops, so that boxes never do. Inputs and
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
    g_ptr_array_sort(list, compare); /* which keeps the order of equals everywhere */
}

bool
fig_plan_is_edge(const FigRecordRead *read)
{
    return read->value && strcmp(read->from, "weight") != 0;
}

bool
fig_plan_is_forward(const FigRecordRead *read)
{
    return fig_plan_is_edge(read) && !read->later;
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
    node->reads = fig_plan_list(plan);
    node->writes = fig_plan_list(plan);
    node->index = (int)box->nodes->len;
    g_ptr_array_add(box->nodes, node);
    return node;
}

FigBox *
fig_plan_box(FigPlan *plan, FigBox *parent)
{
    FigBox *box = fig_arena_new0(plan->arena, FigBox);

    box->parent = parent;
    box->rail_left = plan->style->rail_left;
    box->depth = parent ? parent->depth + 1 : 0;
    box->nodes = fig_plan_list(plan);
    box->nets = fig_plan_list(plan);
    box->net_of = fig_plan_table(plan);
    box->sources = fig_plan_list(plan);
    box->sinks = fig_plan_list(plan);
    return box;
}

const FigRecordValue *
fig_plan_value(const FigPlan *plan, const char *id)
{
    return g_hash_table_lookup(plan->value_of, id);
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
    return g_hash_table_lookup(plan->group_of, op->groups[depth]);
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
            int writer = fig_plan_is_forward(&op->reads[r])
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

/* Cut the groups that lie on a circle wherever the order of ops leaves them. */
static bool
cut_circles(const FigPlan *plan, const GPtrArray *ops, GPtrArray *entities,
            const int *entity_of, int *cut)
{
    g_autofree int *component = g_new0(int, entities->len + 1);
    g_autofree int *count_of = g_new0(int, entities->len + 1);
    g_autofree int *last_of = g_new0(int, entities->len + 1);
    g_autofree int *part = g_new0(int, entities->len + 1);
    g_autofree bool *seen = g_new0(bool, entities->len + 1);
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
    /* by order, the part of every group grows when another of its circle has come between */
    for (guint i = 0; i < ops->len; i++) {
        int op = fig_plan_op_index(plan, ops->pdata[i]), e = entity_of[op];
        int *last = &last_of[component[e]];

        if (count_of[component[e]] < 2)
            continue;
        part[e] += seen[e] && *last != e;
        seen[e] = true;
        cut[op] = part[e];
        *last = e;
    }
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
        if (entity->group->repeat) { /* a frame, and its body as a box in it */
            FigNode *body = fig_plan_node(plan, node->box, FIG_NODE_BOX);

            node->box->loop = true;
            body->box = fig_plan_box(plan, node->box);
            body->box->node = body;
        }
        fill_box(plan,
                 node->box->loop ? ((FigNode *)node->box->nodes->pdata[0])->box
                                 : node->box,
                 entity->ops, depth + 1);
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

/* The first segment of the page that reads a value. */
static FigBox *
first_reader(const FigPlan *plan, const char *value)
{
    const FigRecord *record = plan->record;
    const GPtrArray *segments = plan->root->segments;
    guint first = segments->len;

    for (int i = 0; i < record->n_ops; i++)
        for (int r = 0; r < record->ops[i].n_reads; r++) {
            const FigBox *box;

            if (g_strcmp0(record->ops[i].reads[r].value, value))
                continue;
            box = segment_of(plan->root,
                             g_hash_table_lookup(plan->node_of, record->ops[i].id));
            for (guint s = 0; s < first; s++)
                if (((FigNode *)segments->pdata[s])->box == box)
                    first = s;
        }
    return ((FigNode *)segments->pdata[first < segments->len ? first : 0])->box;
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
        if (root->stack && !rail)
            box = first_reader(plan, value->id);
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

/* ---- order ---- */

/* Append an op after all that it reads, operand by operand. A stack of its own: a chain
 * may be as long as the record. */
static void
append_after_operands(FigPlan *plan, const FigRecordOp *last, bool *seen)
{
    g_autoptr(GPtrArray) path = g_ptr_array_new();
    g_autofree int *next = g_new0(int, plan->record->n_ops + 1);

    g_ptr_array_add(path, (void *)last);
    seen[fig_plan_op_index(plan, last)] = true;
    while (path->len > 0) {
        const FigRecordOp *op = path->pdata[path->len - 1];
        int *read = &next[fig_plan_op_index(plan, op)], writer;

        if (*read == op->n_reads) {
            g_ptr_array_add(plan->order, (void *)op);
            g_ptr_array_set_size(path, (gint)path->len - 1);
            continue;
        }
        writer = fig_plan_is_forward(&op->reads[*read])
                     ? fig_plan_writer_index(plan, op->reads[*read].value)
                     : -1;
        ++*read;
        if (writer >= 0 && !seen[writer]) {
            seen[writer] = true;
            g_ptr_array_add(path, (void *)&plan->record->ops[writer]);
        }
    }
}

/* Independent ops may be executed in any order; the figure does not depend on it. */
static void
find_order(FigPlan *plan)
{
    const FigRecord *record = plan->record;
    g_autofree bool *seen = g_new0(bool, record->n_ops + 1);

    plan->order = fig_plan_list(plan);
    for (int o = 0; o < record->n_outputs; o++) {
        int writer = fig_plan_writer_index(plan, record->outputs[o]);

        if (writer >= 0 && !seen[writer])
            append_after_operands(plan, &record->ops[writer], seen);
    }
    for (int i = 0; i < record->n_ops; i++)
        if (!seen[i])
            append_after_operands(plan, &record->ops[i], seen);
}

static void
list_groups(FigPlan *plan)
{
    for (guint i = 0; i < plan->order->len; i++) {
        const FigRecordOp *op = plan->order->pdata[i];

        for (int g = 0; g < op->n_groups; g++) {
            GPtrArray *list = g_hash_table_lookup(plan->ops_of, op->groups[g]);

            if (!list) {
                list = fig_plan_list(plan);
                g_hash_table_insert(plan->ops_of, (char *)op->groups[g], list);
            }
            g_ptr_array_add(list, (void *)op);
        }
    }
}

void
fig_plan_structure(FigPlan *plan)
{
    for (int v = plan->record->n_values - 1; v >= 0; v--)
        g_hash_table_insert(plan->value_of, (char *)plan->record->values[v].id,
                            (void *)&plan->record->values[v]);
    for (int g = plan->record->n_groups - 1; g >= 0; g--)
        g_hash_table_insert(plan->group_of, (char *)plan->record->groups[g].id,
                            (void *)&plan->record->groups[g]);
    plan->root = fig_plan_box(plan, NULL);
    /* Reads are looked up by their writer from the first; boxes enter the nodes proper. */
    for (int i = 0; i < plan->record->n_ops; i++) {
        const FigRecordOp *op = &plan->record->ops[i];
        FigNode *node = fig_arena_new0(plan->arena, FigNode);

        node->op = op;
        for (int w = 0; w < op->n_writes; w++)
            g_hash_table_insert(plan->writer, (char *)op->writes[w].value, node);
    }
    find_order(plan);
    list_groups(plan);
    fill_box(plan, plan->root, plan->order, 0);
    fig_plan_rails(plan);
    add_inputs(plan);
    add_outputs(plan);
}
