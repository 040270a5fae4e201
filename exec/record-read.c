/* SPDX-License-Identifier: MIT
 *
 * A record from JSON, strictly: what it says is drawn and printed, so nothing in it may
 * be unknown, missing, of a wrong type, said twice or about something that is not there.
 * The first fault ends the reading; its message names the JSON path. After a fault the
 * getters give empty things, so the code need not look after each step.
 */
#include "exec/json.h"
#include "exec/record-json.h"
#include "exec/record.h"

#include "base/limit.h"
#include "ops/op.h"

#include <jansson.h>
#include <string.h>

/* "shape" and "size" of a value, read or write: as long as each other. */
static void
get_shape(FigJsonReader *reader, const json_t *json, int *rank,
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

/* The text of a sentence under `name` and its "numbers", each of which stands in the
 * text as <expr>, in order. */
static FigSentence
get_sentence(FigJsonReader *reader, const json_t *json, const char *name)
{
    FigSentence sentence = {.text = fig_json_string(reader, json, name)};
    const json_t *list;
    int count = fig_json_list(reader, json, "numbers", FIG_LIMIT_LABEL, &list);
    const char **exprs = fig_arena_new_array(reader->arena, const char *, count);
    const char **numbers = fig_arena_new_array(reader->arena, const char *, count);
    size_t outer = fig_json_enter(reader, "numbers");
    const char *from = sentence.text;
    for (int i = 0; i < count && !reader->error; i++) {
        size_t before = fig_json_enter_item(reader, (size_t)i);
        const json_t *item = json_array_get(list, (size_t)i);
        fig_json_check_keys(reader, item, "expr text");
        exprs[i] = fig_json_string(reader, item, "expr");
        numbers[i] = fig_json_string(reader, item, "text");
        if (!reader->error) {
            g_autofree char *placeholder = g_strdup_printf("<%s>", exprs[i]);
            from = strstr(from, placeholder);
            if (!from)
                fig_json_fault(reader, "the sentence has no ‘%s’ here", placeholder);
            else
                from += strlen(placeholder);
        }
        fig_json_leave(reader, before);
    }
    fig_json_leave(reader, outer);
    sentence.n_numbers = count;
    sentence.exprs = exprs;
    sentence.numbers = numbers;
    return sentence;
}

/* ---- parts of facts ---- */

/* Ids seen so far, to the struct each names. */
typedef struct Names {
    GHashTable *dims, *constants, *values, *ops, *groups, *claims;
    GHashTable *written; /* values that some op so far wrote */
} Names;

static void
read_spec(FigJsonReader *reader, const json_t *facts, FigRecord *record)
{
    static const char *const status[] = {"shipped", "claimed", "unchecked", NULL};
    const json_t *spec = json_object_get(facts, "spec");
    size_t outer = fig_json_enter(reader, "spec");
    fig_json_check_keys(reader, spec,
                        "name family? family_status? digest shipped overrides text");
    record->name = fig_json_string(reader, spec, "name");
    record->family = fig_json_string(reader, spec, "family");
    record->family_status = fig_json_word(reader, spec, "family_status", status);
    record->spec_digest = fig_json_string(reader, spec, "digest");
    record->shipped = fig_json_bool(reader, spec, "shipped");
    record->overrides = fig_json_strings(reader, spec, "overrides", FIG_LIMIT_DIMS,
                                         &record->n_overrides);
    record->spec_text = fig_json_string(reader, spec, "text");
    fig_json_leave(reader, outer);
}

static void
read_dims(FigJsonReader *reader, const json_t *facts, FigRecord *record, Names *names)
{
    const json_t *list;
    int count = fig_json_list(reader, facts, "dims", FIG_LIMIT_DIMS, &list);
    FigRecordDim *dims = fig_arena_new_array(reader->arena, FigRecordDim, count);
    size_t outer = fig_json_enter(reader, "dims");
    for (int i = 0; i < count && !reader->error; i++) {
        size_t before = fig_json_enter_item(reader, (size_t)i);
        const json_t *item = json_array_get(list, (size_t)i);
        fig_json_check_keys(reader, item, "id size what? label is?");
        dims[i].id = fig_json_string(reader, item, "id");
        dims[i].size = fig_json_natural(reader, item, "size");
        dims[i].what = fig_json_string(reader, item, "what");
        dims[i].label = fig_json_string(reader, item, "label");
        dims[i].is = fig_json_string(reader, item, "is");
        fig_json_declare(reader, names->dims, dims[i].id, &dims[i]);
        fig_json_leave(reader, before);
    }
    fig_json_leave(reader, outer);
    record->n_dims = count;
    record->dims = dims;
}

static void
read_constants(FigJsonReader *reader, const json_t *facts, FigRecord *record,
               Names *names)
{
    const json_t *list;
    int count = fig_json_list(reader, facts, "constants", FIG_LIMIT_DIMS, &list);
    FigRecordConstant *constants =
        fig_arena_new_array(reader->arena, FigRecordConstant, count);
    size_t outer = fig_json_enter(reader, "constants");
    for (int i = 0; i < count && !reader->error; i++) {
        size_t before = fig_json_enter_item(reader, (size_t)i);
        const json_t *item = json_array_get(list, (size_t)i);
        fig_json_check_keys(reader, item, "id label text");
        constants[i].id = fig_json_string(reader, item, "id");
        constants[i].label = fig_json_string(reader, item, "label");
        constants[i].text = fig_json_string(reader, item, "text");
        fig_json_declare(reader, names->constants, constants[i].id, &constants[i]);
        fig_json_leave(reader, before);
    }
    fig_json_leave(reader, outer);
    record->n_constants = count;
    record->constants = constants;
}

static void
read_aka(FigJsonReader *reader, const json_t *json, FigRecordValue *value)
{
    const json_t *list;
    value->n_aka = fig_json_list(reader, json, "aka", FIG_LIMIT_PORTS, &list);
    FigRecordAka *aka = fig_arena_new_array(reader->arena, FigRecordAka, value->n_aka);
    size_t outer = fig_json_enter(reader, "aka");
    for (int i = 0; i < value->n_aka; i++) {
        size_t before = fig_json_enter_item(reader, (size_t)i);
        const json_t *item = json_array_get(list, (size_t)i);
        fig_json_check_keys(reader, item, "library name");
        aka[i].library = fig_json_string(reader, item, "library");
        aka[i].name = fig_json_string(reader, item, "name");
        fig_json_leave(reader, before);
    }
    fig_json_leave(reader, outer);
    value->aka = aka;
}

static void
read_value(FigJsonReader *reader, const json_t *json, FigRecordValue *value)
{
    static const char *const kinds[] = {"input", "weight", "activation", NULL};
    fig_json_check_keys(
        reader, json,
        "id label labelled what? kind output shape size axes parameters per? members? "
        "aka?");
    value->id = fig_json_string(reader, json, "id");
    value->label = fig_json_string(reader, json, "label");
    value->labelled = fig_json_bool(reader, json, "labelled");
    value->what = fig_json_string(reader, json, "what");
    value->kind = fig_json_word(reader, json, "kind", kinds);
    value->output = fig_json_bool(reader, json, "output");
    get_shape(reader, json, &value->rank, &value->shape, &value->size);
    int axes;
    value->axes = fig_json_strings(reader, json, "axes", FIG_LIMIT_RANK, &axes);
    if (axes != value->rank)
        fig_json_fault(reader, "shape has %d axes but axes has %d", value->rank, axes);
    value->parameters = fig_json_natural(reader, json, "parameters");
    value->per = fig_json_string(reader, json, "per");
    value->members =
        fig_json_strings(reader, json, "members", FIG_LIMIT_PORTS, &value->n_members);
    read_aka(reader, json, value);
}

static void
read_values(FigJsonReader *reader, const json_t *facts, FigRecord *record, Names *names)
{
    const json_t *list;
    int count = fig_json_list(reader, facts, "values", FIG_LIMIT_OPS, &list);
    FigRecordValue *values = fig_arena_new_array(reader->arena, FigRecordValue, count);
    size_t outer = fig_json_enter(reader, "values");
    for (int i = 0; i < count && !reader->error; i++) {
        size_t before = fig_json_enter_item(reader, (size_t)i);
        read_value(reader, json_array_get(list, (size_t)i), &values[i]);
        fig_json_declare(reader, names->values, values[i].id, &values[i]);
        fig_json_leave(reader, before);
    }
    for (int i = 0; i < count && !reader->error; i++) {
        size_t before = fig_json_enter_item(reader, (size_t)i);
        fig_json_enter(reader, "members");
        for (int j = 0; j < values[i].n_members; j++) {
            size_t inner = fig_json_enter_item(reader, (size_t)j);
            const FigRecordValue *member =
                fig_json_refer(reader, names->values, values[i].members[j], "value");
            /* a join of joins is none of ours, and could be as deep as the file is long */
            if (member && (strcmp(member->kind, "weight") || member->n_members > 0))
                fig_json_fault(reader, "‘%s’ is no weight that could be joined",
                               member->id);
            fig_json_leave(reader, inner);
        }
        fig_json_leave(reader, before);
    }
    fig_json_leave(reader, outer);
    record->n_values = count;
    record->values = values;
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
read_read(FigJsonReader *reader, const json_t *json, FigRecordRead *read, Names *names)
{
    static const char *const from[] = {"activation", "weight", "input", NULL};
    fig_json_check_keys(reader, json,
                        "port value? from later? members? shape size axes?");
    read->port = fig_json_string(reader, json, "port");
    read->value = fig_json_string(reader, json, "value");
    read->from = fig_json_word(reader, json, "from", from);
    read->later = json_object_get(json, "later") && fig_json_bool(reader, json, "later");
    get_shape(reader, json, &read->rank, &read->shape, &read->size);
    const FigRecordValue *value =
        read->value ? fig_json_refer(reader, names->values, read->value, "value")
                    : NULL;
    if (reader->error)
        return;
    bool activation = value && !strcmp(value->kind, "activation");
    if (activation && !read->later &&
        !g_hash_table_contains(names->written, value->id))
        fig_json_fault(reader, "‘%s’ is read before an op wrote it", value->id);
    int n_axes = value && value->rank == read->rank ? value->rank : 0;
    check_same(reader, json, "axes", n_axes, n_axes ? value->axes : NULL);
    check_same(reader, json, "members", value ? value->n_members : 0,
               value ? value->members : NULL);
}

static void
read_write(FigJsonReader *reader, const json_t *json, FigRecordWrite *write,
           Names *names)
{
    fig_json_check_keys(reader, json, "value shape size");
    write->value = fig_json_string(reader, json, "value");
    get_shape(reader, json, &write->rank, &write->shape, &write->size);
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
        Names *names)
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

static void
read_repeat(FigJsonReader *reader, const json_t *json, FigRecordGroup *group)
{
    size_t before = fig_json_enter(reader, "repeat");
    fig_json_check_keys(reader, json, "count passes index kind? pattern?");
    group->repeat = fig_json_string(reader, json, "count");
    group->passes = fig_json_natural(reader, json, "passes");
    group->index = fig_json_string(reader, json, "index");
    group->kind = fig_json_string(reader, json, "kind");
    group->pattern = fig_json_strings(reader, json, "pattern", FIG_LIMIT_OPS,
                                      &group->n_pattern);
    if (!group->kind != (group->n_pattern == 0))
        fig_json_fault(reader, "kind and pattern come together");
    fig_json_leave(reader, before);
}

/* What is another in each pass names a group that has passes. */
static void
check_per(FigJsonReader *reader, const FigRecord *record, Names *names)
{
    size_t outer = fig_json_enter(reader, "values");
    for (int i = 0; i < record->n_values && !reader->error; i++) {
        const char *per = record->values[i].per;
        size_t before = fig_json_enter_item(reader, (size_t)i);
        const FigRecordGroup *group =
            per ? fig_json_refer(reader, names->groups, per, "group") : NULL;
        if (group && !group->repeat)
            fig_json_fault(reader, "‘%s’ is not repeated", per);
        fig_json_leave(reader, before);
    }
    fig_json_leave(reader, outer);
}

static void
read_groups(FigJsonReader *reader, const json_t *facts, FigRecord *record, Names *names)
{
    const json_t *list;
    int count = fig_json_list(reader, facts, "groups", FIG_LIMIT_OPS, &list);
    FigRecordGroup *groups = fig_arena_new_array(reader->arena, FigRecordGroup, count);
    size_t outer = fig_json_enter(reader, "groups");
    for (int i = 0; i < count && !reader->error; i++) {
        size_t before = fig_json_enter_item(reader, (size_t)i);
        const json_t *item = json_array_get(list, (size_t)i);
        fig_json_check_keys(reader, item, "id title? parent? repeat?");
        groups[i].id = fig_json_string(reader, item, "id");
        groups[i].title = fig_json_string(reader, item, "title");
        groups[i].parent = fig_json_string(reader, item, "parent");
        if (groups[i].parent)
            fig_json_refer(reader, names->groups, groups[i].parent, "earlier group");
        groups[i].passes = 1;
        if (json_object_get(item, "repeat"))
            read_repeat(reader, json_object_get(item, "repeat"), &groups[i]);
        fig_json_declare(reader, names->groups, groups[i].id, &groups[i]);
        fig_json_leave(reader, before);
    }
    fig_json_leave(reader, outer);
    record->n_groups = count;
    record->groups = groups;
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
            Names *names)
{
    const char *repeat = NULL;
    for (int i = 0; i < op->n_groups; i++) {
        const FigRecordGroup *group =
            g_hash_table_lookup(names->groups, op->groups[i]);
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
check_path(FigJsonReader *reader, const FigRecordOp *op, Names *names)
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

static void
read_ops(FigJsonReader *reader, const json_t *facts, FigRecord *record, Names *names)
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

static void
read_texts(FigJsonReader *reader, const json_t *facts, FigRecord *record)
{
    static const char *const roles[] = {"title", "subtitle", "note", NULL};
    const json_t *list;
    int count = fig_json_list(reader, facts, "texts", FIG_LIMIT_OPS, &list);
    FigSentence *notes = fig_arena_new_array(reader->arena, FigSentence, count);
    size_t outer = fig_json_enter(reader, "texts");
    for (int i = 0; i < count && !reader->error; i++) {
        size_t before = fig_json_enter_item(reader, (size_t)i);
        const json_t *item = json_array_get(list, (size_t)i);
        fig_json_check_keys(reader, item, "role text numbers?");
        const char *role = fig_json_word(reader, item, "role", roles);
        FigSentence text = get_sentence(reader, item, "text");
        FigSentence *single = !g_strcmp0(role, "title")      ? &record->title
                              : !g_strcmp0(role, "subtitle") ? &record->subtitle
                                                             : NULL;
        if (single && single->text)
            fig_json_fault(reader, "a second %s", role);
        if (single)
            *single = text;
        else
            notes[record->n_notes++] = text;
        fig_json_leave(reader, before);
    }
    fig_json_leave(reader, outer);
    record->notes = notes;
}

static void
read_claims(FigJsonReader *reader, const json_t *facts, FigRecord *record, Names *names)
{
    static const char *const by[] = {"structure", "run", "unchecked", NULL};
    const json_t *list;
    int count = fig_json_list(reader, facts, "claims", FIG_LIMIT_OPS, &list);
    FigRecordClaim *claims = fig_arena_new_array(reader->arena, FigRecordClaim, count);
    size_t outer = fig_json_enter(reader, "claims");
    for (int i = 0; i < count && !reader->error; i++) {
        FigRecordClaim *claim = &claims[i];
        size_t before = fig_json_enter_item(reader, (size_t)i);
        const json_t *item = json_array_get(list, (size_t)i);
        fig_json_check_keys(reader, item,
                            "id say numbers? that? at? also? must holds by bound?");
        claim->id = fig_json_string(reader, item, "id");
        claim->say = get_sentence(reader, item, "say");
        claim->that = fig_json_string(reader, item, "that");
        claim->at = fig_json_string(reader, item, "at");
        claim->must = fig_json_bool(reader, item, "must");
        claim->holds = fig_json_bool(reader, item, "holds");
        claim->by = fig_json_word(reader, item, "by", by);
        claim->has_bound = json_object_get(item, "bound");
        claim->bound = fig_json_real(reader, item, "bound");
        if (json_object_get(item, "also"))
            claim->also = fig_json_strings(reader, item, "also", FIG_LIMIT_OPS,
                                           &claim->n_also);
        if (claim->at)
            fig_json_refer(reader, names->ops, claim->at, "op");
        for (int k = 0; k < claim->n_also && !reader->error; k++)
            fig_json_refer(reader, names->ops, claim->also[k], "op");
        if (!reader->error && claim->also && (!claim->at || claim->n_also == 0))
            fig_json_fault(reader, claim->at ? "has an empty ‘also’"
                                             : "has ‘also’, but stands at no op");
        if (!reader->error && claim->holds && !strcmp(claim->by, "unchecked"))
            fig_json_fault(reader, "holds, but is unchecked");
        fig_json_declare(reader, names->claims, claim->id, claim);
        fig_json_leave(reader, before);
    }
    fig_json_leave(reader, outer);
    record->n_claims = count;
    record->claims = claims;
}

/* ---- measured ---- */

static void
read_measured_op(FigJsonReader *reader, const json_t *json, FigMeasuredOp *op,
                 const FigRecordOp *of)
{
    op->id = of->id;
    if (!json_object_get(json, FIG_RECORD_SECONDS))
        fig_json_fault(reader, "key ‘%s’ is missing", FIG_RECORD_SECONDS);
    op->seconds = fig_json_real(reader, json, FIG_RECORD_SECONDS);
    FigMeasuredWrite *writes =
        fig_arena_new_array(reader->arena, FigMeasuredWrite, json_object_size(json));
    const char *name;
    json_t *item;
    json_object_foreach((json_t *)json, name, item)
    {
        if (!strcmp(name, FIG_RECORD_SECONDS))
            continue;
        size_t before = fig_json_enter(reader, name);
        FigMeasuredWrite *write = &writes[op->n_writes++];
        for (int i = 0; i < of->n_writes; i++)
            if (!strcmp(of->writes[i].value, name))
                write->value = of->writes[i].value;
        if (!write->value)
            fig_json_fault(reader, "op ‘%s’ writes no ‘%s’", of->id, name);
        write->has_statistics = json_object_size(item) > 0;
        fig_json_check_keys(reader, item,
                            write->has_statistics ? "min max mean rms nonfinite"
                                                  : "min?");
        write->min = fig_json_real(reader, item, "min");
        write->max = fig_json_real(reader, item, "max");
        write->mean = fig_json_real(reader, item, "mean");
        write->rms = fig_json_real(reader, item, "rms");
        write->nonfinite = fig_json_natural(reader, item, "nonfinite");
        fig_json_leave(reader, before);
    }
    op->writes = writes;
}

static void
read_measured(FigJsonReader *reader, const json_t *json, FigRecord *record,
              Names *names)
{
    size_t outer = fig_json_enter(reader, "measured");
    fig_json_check_keys(reader, json, "ops claims");
    const char *name;
    json_t *item;

    const json_t *map = json_object_get(json, "ops");
    size_t before = fig_json_enter(reader, "ops");
    if (!json_is_object(map))
        fig_json_fault(reader, "an object is wanted");
    FigMeasuredOp *ops =
        fig_arena_new_array(reader->arena, FigMeasuredOp, json_object_size(map));
    json_object_foreach((json_t *)map, name, item)
    {
        const FigRecordOp *of = fig_json_refer(reader, names->ops, name, "op");
        size_t inner = fig_json_enter(reader, name);
        if (!json_is_object(item))
            fig_json_fault(reader, "an object is wanted");
        if (of && !reader->error)
            read_measured_op(reader, item, &ops[record->n_measured_ops++], of);
        fig_json_leave(reader, inner);
    }
    fig_json_leave(reader, before);
    record->measured_ops = ops;

    map = json_object_get(json, "claims");
    fig_json_enter(reader, "claims");
    if (!json_is_object(map))
        fig_json_fault(reader, "an object is wanted");
    FigMeasuredClaim *claims =
        fig_arena_new_array(reader->arena, FigMeasuredClaim, json_object_size(map));
    json_object_foreach((json_t *)map, name, item)
    {
        const FigRecordClaim *claim =
            fig_json_refer(reader, names->claims, name, "claim");
        FigMeasuredClaim *measured = &claims[record->n_measured_claims++];
        measured->id = claim ? claim->id : NULL;
        measured->number = fig_json_real(reader, map, name);
    }
    fig_json_leave(reader, outer);
    record->measured_claims = claims;
}

/* ---- the whole ---- */

static void
read_record(FigJsonReader *reader, const json_t *root, FigRecord *record, Names *names)
{
    fig_json_check_keys(reader, root, "opfig facts measured?");
    if (!reader->error && fig_json_natural(reader, root, "opfig") != 1)
        fig_json_fault(reader, "opfig: version 1 is wanted");
    const json_t *facts = json_object_get(root, "facts");
    size_t outer = fig_json_enter(reader, "facts");
    if (!reader->error)
        fig_json_check_keys(
            reader, facts,
            "spec version dims constants evidence values ops groups outputs texts "
            "claims");
    if (!reader->error) {
        read_spec(reader, facts, record);
        record->version = fig_json_string(reader, facts, "version");
        read_dims(reader, facts, record, names);
        read_constants(reader, facts, record, names);
        record->evidence = fig_json_strings(reader, facts, "evidence", FIG_LIMIT_DIMS,
                                            &record->n_evidence);
        read_values(reader, facts, record, names);
        read_groups(reader, facts, record, names);
        check_per(reader, record, names);
        read_ops(reader, facts, record, names);
        read_texts(reader, facts, record);
        read_claims(reader, facts, record, names);
    }
    fig_json_leave(reader, outer);
    const json_t *measured = json_object_get(root, "measured");
    if (measured && !reader->error)
        read_measured(reader, measured, record, names);
}

FigRecord *
fig_record_read(const char *json, size_t length, GError **error)
{
    GQuark domain = g_quark_from_static_string("fig-record");
    if (fig_json_nesting(json, length) > FIG_LIMIT_JSON_DEPTH) {
        g_set_error(error, domain, 1, "record: nested deeper than %d",
                    FIG_LIMIT_JSON_DEPTH);
        return NULL;
    }
    json_error_t trouble;
    json_t *root = json_loadb(json, length, JSON_REJECT_DUPLICATES, &trouble);
    if (!root) {
        g_set_error(error, domain, 1, "record: line %d, column %d: %s", trouble.line,
                    trouble.column, trouble.text);
        return NULL;
    }

    FigJsonReader reader = {.arena = fig_arena_new(), .path = g_string_new(NULL)};
    FigRecord *record = fig_arena_new0(reader.arena, FigRecord);
    record->arena = reader.arena;
    GHashTable *tables[7];
    for (size_t i = 0; i < G_N_ELEMENTS(tables); i++)
        tables[i] = g_hash_table_new(g_str_hash, g_str_equal);
    Names names = {tables[0], tables[1], tables[2], tables[3],
                   tables[4], tables[5], tables[6]};
    read_record(&reader, root, record, &names);
    for (size_t i = 0; i < G_N_ELEMENTS(tables); i++)
        g_hash_table_unref(tables[i]);
    json_decref(root);
    g_string_free(reader.path, TRUE);
    if (!reader.error)
        return record;
    g_propagate_error(error, reader.error);
    fig_record_free(record);
    return NULL;
}
