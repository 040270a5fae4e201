/* SPDX-License-Identifier: MIT
 *
 * The residual stream, found by its shape alone: an addition one of whose operands the
 * other is computed from. The longest chain of such adds among the direct children of a
 * box is its rail; what lies between two adds becomes a segment, and the box a stack.
 */
#include "layouts/plan.h"

#include <string.h>

/* ---- which ops are computed from which ---- */

typedef struct Ancestry {
    int n;
    size_t words;
    /* [n][words]: bit j of row i: op i is computed from op j, or is it */
    uint64_t *bits;
    GHashTable *readers; /* value -> GArray of int: ops that read it in the same pass */
} Ancestry;

static bool
descends(const Ancestry *from, int op, int ancestor)
{
    return from->bits[(size_t)op * from->words + (size_t)ancestor / 64] >>
               (ancestor % 64) &
           1;
}

static void
add_reader(Ancestry *from, const char *value, int op)
{
    GArray *readers = g_hash_table_lookup(from->readers, value);

    if (!readers) {
        readers = g_array_new(FALSE, FALSE, sizeof(int));
        g_hash_table_insert(from->readers, (char *)value, readers);
    }
    g_array_append_val(readers, op);
}

static Ancestry
ancestry(FigPlan *plan)
{
    const FigRecord *record = plan->record;
    Ancestry from = {.n = record->n_ops, .words = (size_t)record->n_ops / 64 + 1};

    from.readers = g_hash_table_new_full(g_str_hash, g_str_equal, NULL,
                                         (GDestroyNotify)g_array_unref);
    from.bits =
        fig_arena_new_array(plan->arena, uint64_t, (size_t)from.n * from.words + 1);
    for (int i = 0; i < from.n; i++) {
        const FigRecordOp *op = &record->ops[i];
        uint64_t *row = from.bits + (size_t)i * from.words;

        row[i / 64] |= UINT64_C(1) << (i % 64);
        for (int r = 0; r < op->n_reads; r++) {
            int writer;

            if (!fig_plan_is_forward(&op->reads[r]))
                continue;
            add_reader(&from, op->reads[r].value, i);
            writer = fig_plan_writer_index(plan, op->reads[r].value);
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
    int writer = fig_plan_writer_index(plan, value);
    const GArray *readers = g_hash_table_lookup(from->readers, origin);

    for (guint i = 0; writer >= 0 && readers && i < readers->len; i++)
        if (descends(from, writer, g_array_index(readers, int, i)))
            return true;
    return false;
}

static bool
is_addition(const FigRecordOp *op)
{
    if (strcmp(op->mark, "circle") || !op->commutes || !op->sign ||
        strcmp(op->sign, "+") || op->n_reads != 2 || op->n_writes != 1)
        return false;
    return fig_plan_is_edge(&op->reads[0]) && fig_plan_is_edge(&op->reads[1]) &&
           strcmp(op->reads[0].value, op->reads[1].value) != 0;
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

/* Ops, as the bits of a row of the ancestry. */
typedef uint64_t *OpSet;

static bool
has_op(OpSet set, int op)
{
    return set[op / 64] >> (op % 64) & 1;
}

static bool
meets_set(const FigPlan *plan, OpSet set, const FigNode *node)
{
    if (node->kind == FIG_NODE_OP)
        return has_op(set, fig_plan_op_index(plan, node->op));
    if (node->kind == FIG_NODE_BOX)
        for (guint i = 0; i < node->box->nodes->len; i++)
            if (meets_set(plan, set, node->box->nodes->pdata[i]))
                return true;
    return false;
}

/* Add what a node, or all that is inside it, is computed from. */
static void
add_to_set(const FigPlan *plan, const Ancestry *from, OpSet set, const FigNode *node)
{
    if (node->kind == FIG_NODE_OP) {
        const uint64_t *row =
            from->bits + (size_t)fig_plan_op_index(plan, node->op) * from->words;

        for (size_t w = 0; w < from->words; w++)
            set[w] |= row[w];
    }
    if (node->kind == FIG_NODE_BOX)
        for (guint i = 0; i < node->box->nodes->len; i++)
            add_to_set(plan, from, set, node->box->nodes->pdata[i]);
}

/* Mark the loose nodes that an op is computed from, and those that they need. */
static void
choose_needed(const FigPlan *plan, const Ancestry *from, const GPtrArray *loose,
              int end, bool *chosen)
{
    g_autofree uint64_t *set = g_new0(uint64_t, from->words);
    bool more = true;

    for (size_t w = 0; w < from->words; w++)
        set[w] = end < 0 ? UINT64_MAX : from->bits[(size_t)end * from->words + w];
    while (more) {
        more = false;
        for (guint i = loose->len; i-- > 0;) {
            const FigNode *child = loose->pdata[i];

            if (chosen[i] || !meets_set(plan, set, child))
                continue;
            chosen[i] = more = true;
            add_to_set(plan, from, set, child);
        }
    }
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
    int rail_writer = fig_plan_writer_index(plan, box->rail_value);
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
        FigBox *segment = fig_plan_box(plan, box);
        g_autofree bool *chosen = g_new0(bool, loose->len + 1);
        FigNode *node;
        guint left = 0;

        choose_needed(plan, from, loose, end, chosen);
        for (guint i = 0; i < loose->len; i++) {
            FigNode *child = loose->pdata[i];

            if (chosen[i])
                move_node(child, segment);
            else
                loose->pdata[left++] = child;
        }
        g_ptr_array_set_size(loose, (gint)left);
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

/* ---- which of them is the stream ---- */

/* Does the rail begin at an input, or with what the pass before left? */
static bool
begins_outside(const FigPlan *plan, const FigBox *box)
{
    const FigNode *writer = g_hash_table_lookup(plan->writer, box->rail_value);
    bool later = false;

    for (int r = 0; writer && writer->op && r < writer->op->n_reads; r++)
        later = later || writer->op->reads[r].later;
    return !writer || !writer->op || later;
}

/* The stream runs down the page, or the body of a repeat on it; what is inside a group or
 * beside a rail is a branch. */
static void
find_streams(const FigPlan *plan, FigBox *box)
{
    box->stream = box->stack && begins_outside(plan, box);
    for (guint i = 0; i < box->nodes->len && !box->stack; i++) {
        FigBox *child = ((FigNode *)box->nodes->pdata[i])->box;

        if (child && (child->loop || box->loop))
            find_streams(plan, child);
    }
}

void
fig_plan_rails(FigPlan *plan)
{
    Ancestry from = ancestry(plan);

    find_stacks(plan, &from, plan->root);
    find_streams(plan, plan->root);
    g_hash_table_unref(from.readers);
}
