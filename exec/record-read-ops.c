/* SPDX-License-Identifier: MIT
 *
 * The ops of a record from JSON: what each read and wrote, in their order, their groups
 * and repeats, held against the values that stand before them.
 */
#include "exec/record-read.h"

#include "base/limit.h"
#include "ops/op.h"

#include <string.h>

void
fig_record_read_shape(FigJsonReader *reader, const json_t *json, int *rank,
                      const char *const **shape, const int64_t **size)
{
    *shape = fig_json_strings(reader, json, "shape", FIG_LIMIT_RANK, rank);
    const json_t *list;
    int count = fig_json_list(reader, json, "size", FIG_LIMIT_RANK, &list);
    if (count != *rank)
        fig_json_fault(reader, "shape has %d axes but size has %d", *rank, count);
    int64_t *sizes = fig_arena_new_array(reader->arena, int64_t, *rank);
    size_t outer = fig_json_enter(reader, "size");
    for (int i = 0; i < *rank && !reader->error; i++) {
        size_t before = fig_json_enter_item(reader, (size_t)i);
        sizes[i] = fig_json_natural_item(reader, json_array_get(list, (size_t)i));
        fig_json_leave(reader, before);
    }
    fig_json_leave(reader, outer);
    *size = sizes;
}

/* Check that a list derived from the value says the same as it. */
static void
check_same(FigJsonReader *reader, const json_t *json, const char *name, int n_wanted,
           const char *const *wanted)
{
    int count;
    const char *const *items =
        fig_json_strings(reader, json, name, FIG_LIMIT_PORTS, &count);
    bool same = count == n_wanted;
    for (int i = 0; same && i < count; i++)
        same = !strcmp(items[i], wanted[i]);
    if (!same)
        fig_json_fault(reader, "%s are not those of the value", name);
}

static void
read_read(FigJsonReader *reader, const json_t *json, FigRecordRead *read,
          FigRecordNames *names)
{
    static const char *const from[] = {"activation", "weight", "input", NULL};
    fig_json_check_keys(reader, json,
                        "port value? from later? members? shape size axes?");
    read->port = fig_json_string(reader, json, "port");
    read->value = fig_json_string(reader, json, "value");
    read->from = fig_json_word(reader, json, "from", from);
    read->later =
        json_object_get(json, "later") && fig_json_bool(reader, json, "later");
    fig_record_read_shape(reader, json, &read->rank, &read->shape, &read->size);
    const FigRecordValue *value =
        read->value ? fig_json_refer(reader, names->values, read->value, "value")
                    : NULL;
    if (reader->error)
        return;
    bool activation = value && !strcmp(value->kind, "activation");
    if (activation && !read->later && !g_hash_table_contains(names->written, value->id))
        fig_json_fault(reader, "‘%s’ is read before an op wrote it", value->id);
    int n_axes = value && value->rank == read->rank ? value->rank : 0;
    check_same(reader, json, "axes", n_axes, n_axes ? value->axes : NULL);
    check_same(reader, json, "members", value ? value->n_members : 0,
               value ? value->members : NULL);
}

static void
read_write(FigJsonReader *reader, const json_t *json, FigRecordWrite *write,
           FigRecordNames *names)
{
    fig_json_check_keys(reader, json, "value shape size");
    write->value = fig_json_string(reader, json, "value");
    fig_record_read_shape(reader, json, &write->rank, &write->shape, &write->size);
    const FigRecordValue *value =
        reader->error ? NULL
                      : fig_json_refer(reader, names->values, write->value, "value");
    if (!value)
        return;
    if (strcmp(value->kind, "activation"))
        fig_json_fault(reader, "‘%s’ is an %s: no op writes it", value->id,
                       value->kind);
    fig_json_declare(reader, names->written, write->value, value);
}

static void
read_attributes(FigJsonReader *reader, const json_t *json, FigRecordOp *op)
{
    const json_t *map = json_object_get(json, "attributes");
    size_t outer = fig_json_enter(reader, "attributes");
    if (!json_is_object(map))
        fig_json_fault(reader, "an object is wanted");
    int count = (int)json_object_size(map);
    FigRecordAttribute *attributes =
        fig_arena_new_array(reader->arena, FigRecordAttribute, count);
    FigRecordAttribute *attribute = attributes;
    const char *name;
    json_t *item;
    json_object_foreach((json_t *)map, name, item)
    {
        size_t before = fig_json_enter(reader, name);
        fig_json_check_keys(reader, item, "text value label drawn given");
        attribute->name = fig_arena_strdup(reader->arena, name);
        attribute->text = fig_json_string(reader, item, "text");
        attribute->value = fig_json_string(reader, item, "value");
        attribute->label = fig_json_string(reader, item, "label");
        attribute->drawn = fig_json_bool(reader, item, "drawn");
        attribute->given = fig_json_bool(reader, item, "given");
        attribute++;
        fig_json_leave(reader, before);
    }
    fig_json_leave(reader, outer);
    op->n_attributes = count;
    op->attributes = attributes;
}

static void
read_kinds(FigJsonReader *reader, const json_t *json, FigRecordOp *op)
{
    const json_t *list;
    op->n_kinds = fig_json_list(reader, json, "kinds", FIG_LIMIT_PORTS, &list);
    FigRecordKind *kinds =
        fig_arena_new_array(reader->arena, FigRecordKind, op->n_kinds);
    size_t outer = fig_json_enter(reader, "kinds");
    for (int i = 0; i < op->n_kinds; i++) {
        size_t before = fig_json_enter_item(reader, (size_t)i);
        const json_t *item = json_array_get(list, (size_t)i);
        fig_json_check_keys(reader, item, "kind op label passes");
        kinds[i].kind = fig_json_string(reader, item, "kind");
        kinds[i].op = fig_json_string(reader, item, "op");
        kinds[i].label = fig_json_string(reader, item, "label");
        kinds[i].passes = fig_json_natural(reader, item, "passes");
        fig_json_leave(reader, before);
    }
    fig_json_leave(reader, outer);
    op->kinds = kinds;
}

static void
read_op(FigJsonReader *reader, const json_t *json, FigRecordOp *op, int step,
        FigRecordNames *names)
{
    const char *kinds[FIG_KINDS + 1] = {NULL}, *marks[FIG_MARKS + 1] = {NULL},
                                  *classes[FIG_CLASSES + 1] = {NULL};
    for (int i = 0; i < FIG_KINDS; i++)
        kinds[i] = fig_kind_name((FigKind)i);
    for (int i = 0; i < FIG_MARKS; i++)
        marks[i] = fig_mark_name((FigMark)i);
    for (int i = 0; i < FIG_CLASSES; i++)
        classes[i] = fig_class_name((FigClass)i);

    fig_json_check_keys(
        reader, json,
        "step id op kind class mark sign? commutes label title full_name equation "
        "group attributes flops flops_number bytes reads writes kinds?");
    op->step = step;
    if (fig_json_natural(reader, json, "step") != step)
        fig_json_fault(reader, "step %d is wanted: ops stand in execution order", step);
    op->id = fig_json_string(reader, json, "id");
    op->op = fig_json_string(reader, json, "op");
    op->kind = fig_json_word(reader, json, "kind", kinds);
    const char *class = fig_json_word(reader, json, "class", classes);
    for (int i = 0; class && i < FIG_CLASSES; i++)
        if (!strcmp(classes[i], class))
            op->class = (FigClass)i;
    op->mark = fig_json_word(reader, json, "mark", marks);
    op->sign = fig_json_string(reader, json, "sign");
    op->commutes = fig_json_bool(reader, json, "commutes");
    op->label = fig_json_string(reader, json, "label");
    op->title = fig_json_string(reader, json, "title");
    op->full_name = fig_json_string(reader, json, "full_name");
    op->equation = fig_json_string(reader, json, "equation");
    op->groups =
        fig_json_strings(reader, json, "group", FIG_LIMIT_DEPTH, &op->n_groups);
    read_attributes(reader, json, op);
    op->flops = fig_json_string(reader, json, "flops");
    op->flops_number = fig_json_natural(reader, json, "flops_number");
    op->bytes = fig_json_string(reader, json, "bytes");

    const json_t *list;
    op->n_reads = fig_json_list(reader, json, "reads", FIG_LIMIT_PORTS, &list);
    FigRecordRead *reads =
        fig_arena_new_array(reader->arena, FigRecordRead, op->n_reads);
    size_t outer = fig_json_enter(reader, "reads");
    for (int i = 0; i < op->n_reads; i++) {
        size_t before = fig_json_enter_item(reader, (size_t)i);
        read_read(reader, json_array_get(list, (size_t)i), &reads[i], names);
        fig_json_leave(reader, before);
    }
    fig_json_leave(reader, outer);
    op->reads = reads;

    op->n_writes = fig_json_list(reader, json, "writes", FIG_LIMIT_PORTS, &list);
    FigRecordWrite *writes =
        fig_arena_new_array(reader->arena, FigRecordWrite, op->n_writes);
    fig_json_enter(reader, "writes");
    for (int i = 0; i < op->n_writes; i++) {
        size_t before = fig_json_enter_item(reader, (size_t)i);
        read_write(reader, json_array_get(list, (size_t)i), &writes[i], names);
        fig_json_leave(reader, before);
    }
    fig_json_leave(reader, outer);
    op->writes = writes;
    read_kinds(reader, json, op);
}

/* Does an op lie in a group? */
static bool
lies_in(const FigRecordOp *op, const char *group)
{
    for (int i = 0; i < op->n_groups; i++)
        if (!strcmp(op->groups[i], group))
            return true;
    return false;
}

/* What is read of the pass before is written in the innermost repeat around its reader,
 * by an op that comes no earlier. */
static void
check_later(FigJsonReader *reader, const FigRecord *record, const FigRecordOp *op,
            FigRecordNames *names)
{
    const char *repeat = NULL;
    for (int i = 0; i < op->n_groups; i++) {
        const FigRecordGroup *group = g_hash_table_lookup(names->groups, op->groups[i]);
        if (group && group->repeat)
            repeat = group->id;
    }
    for (int r = 0; r < op->n_reads && !reader->error; r++) {
        const FigRecordRead *read = &op->reads[r];
        bool found = false;
        if (!read->later)
            continue;
        for (const FigRecordOp *o = op; o < record->ops + record->n_ops; o++)
            for (int w = 0; w < o->n_writes && repeat && lies_in(o, repeat); w++)
                found = found || !g_strcmp0(o->writes[w].value, read->value);
        if (!found || r == 0)
            fig_json_fault(reader, "‘%s’ is read as what the pass before left, but %s",
                           read->value ? read->value : "?",
                           r == 0 ? "nothing is read in the first"
                                  : "no later op of a repeat writes it");
    }
}

/* The ops of a repeat stand one behind the other: a pass is a stretch of the steps. */
static void
check_stretch(FigJsonReader *reader, const FigRecord *record, int i)
{
    const FigRecordOp *op = &record->ops[i];
    for (int g = 0; g < record->n_groups && i > 0 && !reader->error; g++) {
        const char *id = record->groups[g].id;
        bool before = false;
        if (!record->groups[g].repeat || !lies_in(op, id) || lies_in(op - 1, id))
            continue;
        for (int k = 0; k < i; k++)
            before = before || lies_in(&record->ops[k], id);
        if (before)
            fig_json_fault(reader, "the repeat ‘%s’ was left before this op of it", id);
    }
}

/* The path of groups of an op: each the parent of the next, from a group without one. */
static void
check_path(FigJsonReader *reader, const FigRecordOp *op, FigRecordNames *names)
{
    const char *parent = NULL;
    for (int i = 0; i < op->n_groups && !reader->error; i++) {
        const FigRecordGroup *group =
            fig_json_refer(reader, names->groups, op->groups[i], "group");
        if (group && g_strcmp0(group->parent, parent))
            fig_json_fault(reader, "group ‘%s’ does not lie in ‘%s’", group->id,
                           parent ? parent : "the figure itself");
        parent = op->groups[i];
    }
}

void
fig_record_read_ops(FigJsonReader *reader, const json_t *facts, FigRecord *record,
                    FigRecordNames *names)
{
    const json_t *list;
    int count = fig_json_list(reader, facts, "ops", FIG_LIMIT_OPS, &list);
    FigRecordOp *ops = fig_arena_new_array(reader->arena, FigRecordOp, count);
    size_t outer = fig_json_enter(reader, "ops");
    for (int i = 0; i < count && !reader->error; i++) {
        size_t before = fig_json_enter_item(reader, (size_t)i);
        read_op(reader, json_array_get(list, (size_t)i), &ops[i], i + 1, names);
        check_path(reader, &ops[i], names);
        fig_json_declare(reader, names->ops, ops[i].id, &ops[i]);
        fig_json_leave(reader, before);
    }
    fig_json_leave(reader, outer);
    record->n_ops = count;
    record->ops = ops;
    outer = fig_json_enter(reader, "ops");
    for (int i = 0; i < count && !reader->error; i++) {
        size_t before = fig_json_enter_item(reader, (size_t)i);
        check_later(reader, record, &ops[i], names);
        check_stretch(reader, record, i);
        fig_json_leave(reader, before);
    }
    fig_json_leave(reader, outer);

    outer = fig_json_enter(reader, "values");
    for (int i = 0; i < record->n_values && !reader->error; i++) {
        const FigRecordValue *value = &record->values[i];
        size_t before = fig_json_enter_item(reader, (size_t)i);
        if (!strcmp(value->kind, "activation") &&
            !g_hash_table_contains(names->written, value->id))
            fig_json_fault(reader, "no op writes ‘%s’", value->id);
        fig_json_leave(reader, before);
    }
    fig_json_leave(reader, outer);

    record->outputs =
        fig_json_strings(reader, facts, "outputs", FIG_LIMIT_OPS, &record->n_outputs);
    outer = fig_json_enter(reader, "outputs");
    for (int i = 0; i < record->n_outputs; i++) {
        size_t before = fig_json_enter_item(reader, (size_t)i);
        fig_json_refer(reader, names->values, record->outputs[i], "value");
        fig_json_leave(reader, before);
    }
    fig_json_leave(reader, outer);
}
