/* SPDX-License-Identifier: MIT
 *
 * Ops into boxes. A group becomes a box; where groups depend on each other in a circle
 * they are cut into parts along the order of execution, so that boxes never do. Residual
 * adds are found by their shape alone: an addition one of whose operands the other is
 * computed from. The longest chain of them among the direct children of a box is its
 * rail; what lies between two adds becomes a segment, and the box a stack.
 */
#include "layouts/plan.h"

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

static FigBox *
new_box(FigPlan *plan, FigBox *parent)
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

/* ---- which ops are computed from which ---- */

typedef struct Ancestry {
    int n;
    size_t words;
    uint64_t
        *bits; /* [n][words]: bit j of row i: op i is computed from op j, or is it */
} Ancestry;

static bool
descends(const Ancestry *from, int op, int ancestor)
{
    return from->bits[(size_t)op * from->words + (size_t)ancestor / 64] >>
               (ancestor % 64) &
           1;
}

static int
writer_index(const FigPlan *plan, const char *value)
{
    const FigNode *node = g_hash_table_lookup(plan->writer, value);

    return node && node->op ? fig_plan_op_index(plan, node->op) : -1;
}

static Ancestry
ancestry(FigPlan *plan)
{
    const FigRecord *record = plan->record;
    Ancestry from = {.n = record->n_ops, .words = (size_t)record->n_ops / 64 + 1};

    from.bits =
        fig_arena_new_array(plan->arena, uint64_t, (size_t)from.n * from.words + 1);
    for (int i = 0; i < from.n; i++) {
        const FigRecordOp *op = &record->ops[i];
        uint64_t *row = from.bits + (size_t)i * from.words;

        row[i / 64] |= UINT64_C(1) << (i % 64);
        for (int r = 0; r < op->n_reads; r++) {
            int writer = fig_plan_is_edge(&op->reads[r])
                             ? writer_index(plan, op->reads[r].value)
                             : -1;

            if (writer < 0 || writer >= i)
                continue;
            for (size_t w = 0; w < from.words; w++)
                row[w] |= from.bits[(size_t)writer * from.words + w];
        }
    }
    return from;
}

/* ---- residual adds ---- */

/* Is value, or what it is computed from, made from the value `origin`? */
static bool
made_from(const FigPlan *plan, const Ancestry *from, const char *value,
          const char *origin)
{
    int writer = writer_index(plan, value);

    if (writer < 0)
        return false;
    for (int i = 0; i <= writer; i++) {
        const FigRecordOp *op = &plan->record->ops[i];

        if (!descends(from, writer, i))
            continue;
        for (int r = 0; r < op->n_reads; r++)
            if (fig_plan_is_edge(&op->reads[r]) && !strcmp(op->reads[r].value, origin))
                return true;
    }
    return false;
}

static bool
is_addition(const FigRecordOp *op)
{
    if (strcmp(op->mark, "circle") || !op->commutes || !op->sign ||
        strcmp(op->sign, "+") || op->n_reads != 2 || op->n_writes != 1)
        return false;
    return fig_plan_is_edge(&op->reads[0]) && fig_plan_is_edge(&op->reads[1]);
}

/* The operand of a residual add that passes it by, or -1 when op is none. */
static int
skip_operand(const FigPlan *plan, const Ancestry *from, const FigRecordOp *op)
{
    for (int r = 0; is_addition(op) && r < 2; r++)
        if (made_from(plan, from, op->reads[1 - r].value, op->reads[r].value))
            return r;
    return -1;
}

typedef struct Chain {
    int length;
    int before; /* index in nodes, or -1 */
    int skip;
} Chain;

/* Sublayers beside each other: an addition onto the sum of a chain, of something made
 * from an earlier value of that chain. Its operand that is the sum, or -1. */
static int
joins_chain(const FigPlan *plan, const Ancestry *from, const FigBox *box,
            const Chain *chain, int last, const FigRecordOp *op)
{
    const FigRecordOp *sum = ((FigNode *)box->nodes->pdata[last])->op;

    for (int r = 0; is_addition(op) && r < 2; r++) {
        if (strcmp(op->reads[r].value, sum->writes[0].value))
            continue;
        for (int at = last; at >= 0; at = chain[at].before) {
            const FigRecordOp *add = ((FigNode *)box->nodes->pdata[at])->op;

            if (made_from(plan, from, op->reads[1 - r].value,
                          add->reads[chain[at].skip].value))
                return r;
        }
    }
    return -1;
}

/* The longest chain of residual adds among the direct children of box, as its adds. */
static void
find_rail(FigPlan *plan, const Ancestry *from, FigBox *box)
{
    guint n = box->nodes->len;
    g_autofree Chain *chain = g_new0(Chain, n);
    int best = -1;

    for (guint i = 0; i < n; i++) {
        const FigNode *node = box->nodes->pdata[i];
        int skip = node->kind == FIG_NODE_OP ? skip_operand(plan, from, node->op) : -1;

        for (guint k = 0; node->kind == FIG_NODE_OP && skip < 0 && k < i; k++)
            if (chain[k].length > 0)
                skip = joins_chain(plan, from, box, chain, (int)k, node->op);
        if (skip < 0)
            continue;
        chain[i] = (Chain){.length = 1, .before = -1, .skip = skip};
        for (guint k = 0; k < i; k++) {
            const FigNode *other = box->nodes->pdata[k];

            if (chain[k].length > 0 && chain[k].length >= chain[i].length &&
                !strcmp(other->op->writes[0].value, node->op->reads[skip].value)) {
                chain[i].length = chain[k].length + 1;
                chain[i].before = (int)k;
            }
        }
        if (best < 0 || chain[i].length > chain[best].length)
            best = (int)i;
    }
    if (best < 0)
        return;
    box->stack = true;
    box->adds = fig_plan_list(plan);
    box->segments = fig_plan_list(plan);
    for (int at = best; at >= 0; at = chain[at].before) {
        FigNode *node = box->nodes->pdata[at];

        node->on_rail = true;
        g_ptr_array_insert(box->adds, 0, node);
        box->rail_value = node->op->reads[chain[at].skip].value;
    }
}

/* ---- segments ---- */

/* Is an op computed from a node, or from something inside it? */
static bool
needed_by(const FigPlan *plan, const Ancestry *from, const FigNode *node, int op)
{
    if (node->kind == FIG_NODE_OP)
        return descends(from, op, fig_plan_op_index(plan, node->op));
    if (node->kind == FIG_NODE_BOX)
        for (guint i = 0; i < node->box->nodes->len; i++)
            if (needed_by(plan, from, node->box->nodes->pdata[i], op))
                return true;
    return false;
}

static void
move_node(FigNode *node, FigBox *to)
{
    node->in = to;
    node->index = (int)to->nodes->len;
    g_ptr_array_add(to->nodes, node);
    if (node->box) {
        node->box->parent = to;
        node->box->depth = to->depth + 1;
    }
}

static void
cut_segments(FigPlan *plan, const Ancestry *from, FigBox *box)
{
    guint n_adds = box->adds->len;
    g_autoptr(GPtrArray) loose = g_ptr_array_new();
    int rail_writer = writer_index(plan, box->rail_value);
    const FigNode *rail_from = g_hash_table_lookup(plan->writer, box->rail_value);
    bool inside = false;

    for (guint i = 0; i < box->nodes->len; i++) {
        FigNode *node = box->nodes->pdata[i];

        if (!node->on_rail)
            g_ptr_array_add(loose, node);
    }
    for (const FigBox *at = rail_from ? rail_from->in : NULL; at; at = at->parent)
        inside = inside || at == box;
    box->has_head = inside && rail_writer >= 0;
    g_ptr_array_set_size(box->nodes, 0);
    for (guint k = box->has_head ? 0 : 1; k <= n_adds + 1; k++) {
        int end =
            k == 0 ? rail_writer
            : k <= n_adds
                ? fig_plan_op_index(plan, ((FigNode *)box->adds->pdata[k - 1])->op)
                : -1;
        FigBox *segment = new_box(plan, box);
        FigNode *node;

        for (guint i = 0; i < loose->len; i++) {
            FigNode *child = loose->pdata[i];

            if (child && (end < 0 || needed_by(plan, from, child, end))) {
                move_node(child, segment);
                loose->pdata[i] = NULL;
            }
        }
        if (k == n_adds + 1 && segment->nodes->len == 0)
            break;
        node = fig_plan_node(plan, box, FIG_NODE_BOX);
        node->box = segment;
        segment->node = node;
        g_ptr_array_add(box->segments, node);
        if (k >= 1 && k <= n_adds)
            move_node(box->adds->pdata[k - 1], box);
    }
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
                             ? writer_index(plan, op->reads[r].value)
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
fill_box(FigPlan *plan, const Ancestry *from, FigBox *box, const GPtrArray *ops,
         int depth)
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
        node->box = new_box(plan, box);
        node->box->node = node;
        node->box->group = entity->group;
        node->box->part = entity->part;
        node->box->panel = true;
        fill_box(plan, from, node->box, entity->ops, depth + 1);
    }
}

static void
find_stacks(FigPlan *plan, const Ancestry *from, FigBox *box)
{
    g_autoptr(GPtrArray) nodes = g_ptr_array_copy(box->nodes, NULL, NULL);

    for (guint i = 0; i < nodes->len; i++) {
        FigNode *node = nodes->pdata[i];

        if (node->box)
            find_stacks(plan, from, node->box);
    }
    find_rail(plan, from, box);
    if (box->stack)
        cut_segments(plan, from, box);
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
    Ancestry from;

    for (int i = 0; i < plan->record->n_ops; i++)
        g_ptr_array_add(ops, (void *)&plan->record->ops[i]);
    plan->root = new_box(plan, NULL);
    /* Writers are needed to find ancestors, and are entered as boxes are filled; the
     * first filling needs only who writes what. */
    for (int i = 0; i < plan->record->n_ops; i++) {
        const FigRecordOp *op = &plan->record->ops[i];
        FigNode *node = fig_arena_new0(plan->arena, FigNode);

        node->op = op;
        for (int w = 0; w < op->n_writes; w++)
            g_hash_table_insert(plan->writer, (char *)op->writes[w].value, node);
    }
    from = ancestry(plan);
    fill_box(plan, &from, plan->root, ops, 0);
    find_stacks(plan, &from, plan->root);
    add_inputs(plan);
    add_outputs(plan);
}
