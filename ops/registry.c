/* SPDX-License-Identifier: MIT
 *
 * The op table: the rows that the build lists from ops/meson.build, and the names of what
 * stands in them.
 */
#include "ops/kernel.h"

#include "base/num.h"

#include <glib.h>

#include "ops/op-table.h"

const FigOp *const *
fig_op_all(void)
{
    return op_table;
}

const FigOp *
fig_op_lookup(const char *name)
{
    for (const FigOp *const *op = op_table; *op; op++)
        if (g_str_equal((*op)->name, name))
            return *op;
    return NULL;
}

const char *
fig_kind_name(FigKind kind)
{
    static const char *const names[FIG_KINDS] = {
        [FIG_KIND_MATMUL] = "matmul",       [FIG_KIND_NORM] = "norm",
        [FIG_KIND_POINTWISE] = "pointwise", [FIG_KIND_ROTATION] = "rotation",
        [FIG_KIND_MASK] = "mask",           [FIG_KIND_SOFTMAX] = "softmax",
        [FIG_KIND_RESHAPE] = "reshape",     [FIG_KIND_GATHER] = "gather",
    };
    return names[kind];
}

const char *
fig_mark_name(FigMark mark)
{
    static const char *const names[FIG_MARKS] = {
        [FIG_MARK_BOX] = "box",
        [FIG_MARK_CIRCLE] = "circle",
        [FIG_MARK_FORK] = "fork",
        [FIG_MARK_FRAME] = "frame",
    };
    return names[mark];
}

int
fig_op_attr_count(const FigOp *op)
{
    int count = 0;
    while (op->attrs && op->attrs[count].name)
        count++;
    return count;
}

int
fig_op_attr_index(const FigOp *op, const char *name)
{
    for (int i = 0; i < fig_op_attr_count(op); i++)
        if (g_str_equal(op->attrs[i].name, name))
            return i;
    return -1;
}

bool
fig_attr_applies(const FigOp *op, int index, const FigAttrValue *values)
{
    const char *when = op->attrs[index].when;
    if (!when)
        return true;
    g_auto(GStrv) sides = g_strsplit(when, " = ", 2);
    g_auto(GStrv) words = g_strsplit(sides[1], "|", -1);
    int other = fig_op_attr_index(op, sides[0]);
    for (int i = 0; words[i]; i++)
        if (fig_attr_word(&op->attrs[other], words[i]) == values[other].word)
            return true;
    return false;
}

int64_t
fig_attr_least(const FigAttr *attr)
{
    return attr->fallback ? 0 : 1;
}

int
fig_attr_word(const FigAttr *attr, const char *word)
{
    const char *all = attr->type == FIG_ATTR_BOOL ? "false|true" : attr->words;
    g_auto(GStrv) words = g_strsplit(all ? all : "", "|", -1);
    for (int i = 0; words[i]; i++)
        if (g_str_equal(words[i], word))
            return i;
    return -1;
}

const char *
fig_range_words(FigRange range)
{
    static const char *const words[] = {
        [FIG_FROM_ZERO] = "at least 0",
        [FIG_ABOVE_ZERO] = "above 0",
        [FIG_ANY_NUMBER] = NULL,
    };
    return words[range];
}

bool
fig_range_has(FigRange range, double number)
{
    return range == FIG_ANY_NUMBER || number > 0 ||
           (range == FIG_FROM_ZERO && number == 0);
}

FigAttrValue *
fig_op_attr_defaults(const FigOp *op, FigArena *arena)
{
    int count = fig_op_attr_count(op);
    FigAttrValue *values = fig_arena_new_array(arena, FigAttrValue, MAX(count, 1));
    for (int i = 0; i < count; i++) {
        const FigAttr *attr = &op->attrs[i];
        FigAttrValue *value = &values[i];
        if (!attr->fallback)
            continue;
        value->text = value->tex = attr->fallback;
        switch (attr->type) {
        case FIG_ATTR_REAL:
            if (!fig_num_read_real(attr->fallback, &value->real))
                g_error("%s: default of %s is no number", op->name, attr->name);
            break;
        case FIG_ATTR_WORD:
            value->word = fig_attr_word(attr, attr->fallback);
            g_assert(value->word >= 0);
            break;
        case FIG_ATTR_BOOL:
            value->dim = fig_attr_word(attr, attr->fallback);
            break;
        case FIG_ATTR_DIM:
            g_assert(g_str_equal(attr->fallback, "0"));
            break;
        case FIG_ATTR_DIMS:
        case FIG_ATTR_AXIS:
            g_assert_not_reached(); /* these have no default */
        }
    }
    return values;
}

const char *
fig_op_label(const FigOp *op, const FigOpFacts *facts, FigArena *arena)
{
    if (op->label)
        return op->label(facts, arena);
    const char *label = op->title;
    for (int i = 0; i < fig_op_attr_count(op); i++) {
        const FigAttr *attr = &op->attrs[i];
        if (attr->shows == FIG_SHOWS_IN_LABEL)
            label = fig_arena_printf(arena, "%s, %s $%s$", label, attr->name,
                                     facts->attr[i].tex ? facts->attr[i].tex
                                                        : facts->attr[i].text);
    }
    return label;
}

const FigPoly *
fig_op_flops(const FigOp *op, const FigOpFacts *facts)
{
    return op->flops(facts);
}

const FigPoly *
fig_op_bytes(const FigOp *op, const FigOpFacts *facts)
{
    if (op->bytes)
        return op->bytes(facts);
    const FigPoly *sum = fig_poly_number(facts->algebra, 0, 1);
    for (int i = 0; i < facts->n_in; i++)
        sum = fig_poly_add(
            facts->algebra, sum,
            fig_cost_elements(facts->algebra, facts->in[i], facts->in_rank[i]));
    for (int i = 0; i < facts->n_out; i++)
        sum = fig_poly_add(
            facts->algebra, sum,
            fig_cost_elements(facts->algebra, facts->out[i], facts->out_rank[i]));
    return sum;
}
