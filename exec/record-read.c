/* SPDX-License-Identifier: MIT
 *
 * A record from JSON, strictly: what it says is drawn and printed, so nothing in it may
 * be unknown, missing, of a wrong type, said twice or about something that is not there.
 * The first fault ends the reading; its message names the JSON path. After a fault the
 * getters give empty things, so the code need not look after each step.
 */
#include "exec/record-json.h"
#include "exec/record.h"

#include "base/limit.h"

#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

typedef struct Reader {
    FigArena *arena;
    GString *path;
    GError *error; /* the first fault */
} Reader;

static void fault(Reader *reader, const char *format, ...) G_GNUC_PRINTF(2, 3);

static void
fault(Reader *reader, const char *format, ...)
{
    if (reader->error)
        return;
    va_list args;
    va_start(args, format);
    g_autofree char *what = g_strdup_vprintf(format, args);
    va_end(args);
    reader->error = g_error_new(g_quark_from_static_string("fig-record"), 1, "%s: %s",
                                reader->path->len ? reader->path->str : "record", what);
}

/* Step into a key or an item; gives what leave() needs to step out again. */
static size_t
enter_key(Reader *reader, const char *name)
{
    size_t before = reader->path->len;
    if (before)
        g_string_append_c(reader->path, '.');
    g_string_append(reader->path, name);
    return before;
}

static size_t
enter_item(Reader *reader, size_t index)
{
    size_t before = reader->path->len;
    g_string_append_printf(reader->path, "[%zu]", index);
    return before;
}

static void
leave(Reader *reader, size_t before)
{
    g_string_truncate(reader->path, before);
}

/* Check that json is an object with exactly these keys: words, `?` after those that may
 * be left out. */
static void
check_keys(Reader *reader, const json_t *json, const char *words)
{
    if (!json_is_object(json)) {
        fault(reader, "an object is wanted");
        return;
    }
    g_auto(GStrv) keys = g_strsplit(words, " ", -1);
    size_t present = 0;
    for (char **k = keys; *k; k++) {
        size_t length = strlen(*k);
        bool optional = (*k)[length - 1] == '?';
        if (optional)
            (*k)[length - 1] = '\0';
        if (json_object_get(json, *k))
            present++;
        else if (!optional)
            fault(reader, "key ‘%s’ is missing", *k);
    }
    if (present == json_object_size(json))
        return;
    const char *name;
    json_t *item;
    json_object_foreach((json_t *)json, name,
                        item) if (!g_strv_contains((const char *const *)keys, name))
        fault(reader, "unknown key ‘%s’", name);
}

static const char *
get_string(Reader *reader, const json_t *json, const char *name)
{
    const json_t *item = json_object_get(json, name);
    const char *text = json_string_value(item);
    if (item && !text) {
        size_t before = enter_key(reader, name);
        fault(reader, "a string is wanted");
        leave(reader, before);
    }
    return fig_arena_strdup(reader->arena, text);
}

/* The same, and the string is one of the NULL-terminated words. */
static const char *
get_word(Reader *reader, const json_t *json, const char *name, const char *const *words)
{
    const char *text = get_string(reader, json, name);
    if (text && !g_strv_contains(words, text)) {
        size_t before = enter_key(reader, name);
        g_autofree char *list = g_strjoinv(", ", (char **)words);
        fault(reader, "‘%s’ is none of %s", text, list);
        leave(reader, before);
    }
    return text;
}

static bool
get_bool(Reader *reader, const json_t *json, const char *name)
{
    const json_t *item = json_object_get(json, name);
    if (item && !json_is_boolean(item)) {
        size_t before = enter_key(reader, name);
        fault(reader, "true or false is wanted");
        leave(reader, before);
    }
    return json_is_true(item);
}

static int64_t
natural(Reader *reader, const json_t *item)
{
    if (!json_is_integer(item) || json_integer_value(item) < 0)
        fault(reader, "a whole number of at least 0 is wanted");
    return json_integer_value(item);
}

static int64_t
get_natural(Reader *reader, const json_t *json, const char *name)
{
    const json_t *item = json_object_get(json, name);
    if (!item)
        return 0;
    size_t before = enter_key(reader, name);
    int64_t value = natural(reader, item);
    leave(reader, before);
    return value;
}

/* A number, or null for one that is not finite. */
static double
get_real(Reader *reader, const json_t *json, const char *name)
{
    const json_t *item = json_object_get(json, name);
    if (json_is_null(item))
        return (double)NAN;
    if (item && !json_is_number(item)) {
        size_t before = enter_key(reader, name);
        fault(reader, "a number is wanted");
        leave(reader, before);
    }
    return json_number_value(item);
}

/* A key that holds a list: its length, at most limit; *list is NULL when it is absent. */
static int
get_list(Reader *reader, const json_t *json, const char *name, size_t limit,
         const json_t **list)
{
    *list = json_object_get(json, name);
    if (!*list)
        return 0;
    size_t before = enter_key(reader, name);
    if (!json_is_array(*list))
        fault(reader, "a list is wanted");
    else if (json_array_size(*list) > limit)
        fault(reader, "a list of at most %zu is wanted, this has %zu", limit,
              json_array_size(*list));
    leave(reader, before);
    return reader->error ? 0 : (int)json_array_size(*list);
}

static const char *const *
get_strings(Reader *reader, const json_t *json, const char *name, size_t limit,
            int *count)
{
    const json_t *list;
    *count = get_list(reader, json, name, limit, &list);
    const char **items = fig_arena_new_array(reader->arena, const char *, *count);
    size_t outer = enter_key(reader, name);
    for (int i = 0; i < *count; i++) {
        const char *text = json_string_value(json_array_get(list, (size_t)i));
        size_t before = enter_item(reader, (size_t)i);
        if (!text)
            fault(reader, "a string is wanted");
        leave(reader, before);
        items[i] = fig_arena_strdup(reader->arena, text ? text : "");
    }
    leave(reader, outer);
    return items;
}

/* "shape" and "size" of a value, read or write: as long as each other. */
static void
get_shape(Reader *reader, const json_t *json, int *rank, const char *const **shape,
          const int64_t **size)
{
    *shape = get_strings(reader, json, "shape", FIG_LIMIT_RANK, rank);
    const json_t *list;
    int count = get_list(reader, json, "size", FIG_LIMIT_RANK, &list);
    if (count != *rank)
        fault(reader, "shape has %d axes but size has %d", *rank, count);
    int64_t *sizes = fig_arena_new_array(reader->arena, int64_t, *rank);
    size_t outer = enter_key(reader, "size");
    for (int i = 0; i < *rank && !reader->error; i++) {
        size_t before = enter_item(reader, (size_t)i);
        sizes[i] = natural(reader, json_array_get(list, (size_t)i));
        leave(reader, before);
    }
    leave(reader, outer);
    *size = sizes;
}

/* The text of a sentence under `name` and its "numbers", each of which stands in the
 * text as <expr>, in order. */
static FigSentence
get_sentence(Reader *reader, const json_t *json, const char *name)
{
    FigSentence sentence = {.text = get_string(reader, json, name)};
    const json_t *list;
    int count = get_list(reader, json, "numbers", FIG_LIMIT_LABEL, &list);
    const char **exprs = fig_arena_new_array(reader->arena, const char *, count);
    const char **numbers = fig_arena_new_array(reader->arena, const char *, count);
    size_t outer = enter_key(reader, "numbers");
    const char *from = sentence.text;
    for (int i = 0; i < count && !reader->error; i++) {
        size_t before = enter_item(reader, (size_t)i);
        const json_t *item = json_array_get(list, (size_t)i);
        check_keys(reader, item, "expr text");
        exprs[i] = get_string(reader, item, "expr");
        numbers[i] = get_string(reader, item, "text");
        if (!reader->error) {
            g_autofree char *placeholder = g_strdup_printf("<%s>", exprs[i]);
            from = strstr(from, placeholder);
            if (!from)
                fault(reader, "the sentence has no ‘%s’ here", placeholder);
            else
                from += strlen(placeholder);
        }
        leave(reader, before);
    }
    leave(reader, outer);
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

/* Note an id, which must be new. */
static void
declare(Reader *reader, GHashTable *ids, const char *id, const void *what)
{
    if (reader->error)
        return;
    if (g_hash_table_contains(ids, id))
        fault(reader, "‘%s’ stands twice", id);
    g_hash_table_insert(ids, (gpointer)id, (gpointer)what);
}

/* What id names; a fault when it names nothing. */
static const void *
refer(Reader *reader, GHashTable *ids, const char *id, const char *what)
{
    if (reader->error)
        return NULL;
    const void *found = g_hash_table_lookup(ids, id);
    if (!found)
        fault(reader, "there is no %s ‘%s’", what, id);
    return found;
}

static void
read_spec(Reader *reader, const json_t *facts, FigRecord *record)
{
    static const char *const status[] = {"shipped", "unchecked", NULL};
    const json_t *spec = json_object_get(facts, "spec");
    size_t outer = enter_key(reader, "spec");
    check_keys(reader, spec,
               "name family? family_status? digest shipped overrides text");
    record->name = get_string(reader, spec, "name");
    record->family = get_string(reader, spec, "family");
    record->family_status = get_word(reader, spec, "family_status", status);
    record->spec_digest = get_string(reader, spec, "digest");
    record->shipped = get_bool(reader, spec, "shipped");
    record->overrides =
        get_strings(reader, spec, "overrides", FIG_LIMIT_DIMS, &record->n_overrides);
    record->spec_text = get_string(reader, spec, "text");
    leave(reader, outer);
}

static void
read_dims(Reader *reader, const json_t *facts, FigRecord *record, Names *names)
{
    const json_t *list;
    int count = get_list(reader, facts, "dims", FIG_LIMIT_DIMS, &list);
    FigRecordDim *dims = fig_arena_new_array(reader->arena, FigRecordDim, count);
    size_t outer = enter_key(reader, "dims");
    for (int i = 0; i < count && !reader->error; i++) {
        size_t before = enter_item(reader, (size_t)i);
        const json_t *item = json_array_get(list, (size_t)i);
        check_keys(reader, item, "id size what? label is?");
        dims[i].id = get_string(reader, item, "id");
        dims[i].size = get_natural(reader, item, "size");
        dims[i].what = get_string(reader, item, "what");
        dims[i].label = get_string(reader, item, "label");
        dims[i].is = get_string(reader, item, "is");
        declare(reader, names->dims, dims[i].id, &dims[i]);
        leave(reader, before);
    }
    leave(reader, outer);
    record->n_dims = count;
    record->dims = dims;
}

static void
read_constants(Reader *reader, const json_t *facts, FigRecord *record, Names *names)
{
    const json_t *list;
    int count = get_list(reader, facts, "constants", FIG_LIMIT_DIMS, &list);
    FigRecordConstant *constants =
        fig_arena_new_array(reader->arena, FigRecordConstant, count);
    size_t outer = enter_key(reader, "constants");
    for (int i = 0; i < count && !reader->error; i++) {
        size_t before = enter_item(reader, (size_t)i);
        const json_t *item = json_array_get(list, (size_t)i);
        check_keys(reader, item, "id label text");
        constants[i].id = get_string(reader, item, "id");
        constants[i].label = get_string(reader, item, "label");
        constants[i].text = get_string(reader, item, "text");
        declare(reader, names->constants, constants[i].id, &constants[i]);
        leave(reader, before);
    }
    leave(reader, outer);
    record->n_constants = count;
    record->constants = constants;
}

static void
read_aka(Reader *reader, const json_t *json, FigRecordValue *value)
{
    const json_t *list;
    value->n_aka = get_list(reader, json, "aka", FIG_LIMIT_PORTS, &list);
    FigRecordAka *aka = fig_arena_new_array(reader->arena, FigRecordAka, value->n_aka);
    size_t outer = enter_key(reader, "aka");
    for (int i = 0; i < value->n_aka; i++) {
        size_t before = enter_item(reader, (size_t)i);
        const json_t *item = json_array_get(list, (size_t)i);
        check_keys(reader, item, "library name");
        aka[i].library = get_string(reader, item, "library");
        aka[i].name = get_string(reader, item, "name");
        leave(reader, before);
    }
    leave(reader, outer);
    value->aka = aka;
}

static void
read_value(Reader *reader, const json_t *json, FigRecordValue *value)
{
    static const char *const kinds[] = {"input", "weight", "activation", NULL};
    check_keys(
        reader, json,
        "id label labelled what? kind output shape size axes parameters members? "
        "aka?");
    value->id = get_string(reader, json, "id");
    value->label = get_string(reader, json, "label");
    value->labelled = get_bool(reader, json, "labelled");
    value->what = get_string(reader, json, "what");
    value->kind = get_word(reader, json, "kind", kinds);
    value->output = get_bool(reader, json, "output");
    get_shape(reader, json, &value->rank, &value->shape, &value->size);
    int axes;
    value->axes = get_strings(reader, json, "axes", FIG_LIMIT_RANK, &axes);
    if (axes != value->rank)
        fault(reader, "shape has %d axes but axes has %d", value->rank, axes);
    value->parameters = get_natural(reader, json, "parameters");
    value->members =
        get_strings(reader, json, "members", FIG_LIMIT_PORTS, &value->n_members);
    read_aka(reader, json, value);
}

static void
read_values(Reader *reader, const json_t *facts, FigRecord *record, Names *names)
{
    const json_t *list;
    int count = get_list(reader, facts, "values", FIG_LIMIT_OPS, &list);
    FigRecordValue *values = fig_arena_new_array(reader->arena, FigRecordValue, count);
    size_t outer = enter_key(reader, "values");
    for (int i = 0; i < count && !reader->error; i++) {
        size_t before = enter_item(reader, (size_t)i);
        read_value(reader, json_array_get(list, (size_t)i), &values[i]);
        declare(reader, names->values, values[i].id, &values[i]);
        leave(reader, before);
    }
    for (int i = 0; i < count && !reader->error; i++) {
        size_t before = enter_item(reader, (size_t)i);
        enter_key(reader, "members");
        for (int j = 0; j < values[i].n_members; j++) {
            size_t inner = enter_item(reader, (size_t)j);
            const FigRecordValue *member =
                refer(reader, names->values, values[i].members[j], "value");
            if (member && (strcmp(member->kind, "weight") || member == &values[i]))
                fault(reader, "‘%s’ is no weight that could be joined", member->id);
            leave(reader, inner);
        }
        leave(reader, before);
    }
    leave(reader, outer);
    record->n_values = count;
    record->values = values;
}

/* Check that a list derived from the value says the same as it. */
static void
check_same(Reader *reader, const json_t *json, const char *name, int n_wanted,
           const char *const *wanted)
{
    int count;
    const char *const *items = get_strings(reader, json, name, FIG_LIMIT_PORTS, &count);
    bool same = count == n_wanted;
    for (int i = 0; same && i < count; i++)
        same = !strcmp(items[i], wanted[i]);
    if (!same)
        fault(reader, "%s are not those of the value", name);
}

static void
read_read(Reader *reader, const json_t *json, FigRecordRead *read, Names *names)
{
    static const char *const from[] = {"activation", "weight", "input", NULL};
    check_keys(reader, json, "port value? from members? shape size axes?");
    read->port = get_string(reader, json, "port");
    read->value = get_string(reader, json, "value");
    read->from = get_word(reader, json, "from", from);
    get_shape(reader, json, &read->rank, &read->shape, &read->size);
    const FigRecordValue *value =
        read->value ? refer(reader, names->values, read->value, "value") : NULL;
    if (reader->error)
        return;
    bool activation = value && !strcmp(value->kind, "activation");
    if (activation && !g_hash_table_contains(names->written, value->id))
        fault(reader, "‘%s’ is read before an op wrote it", value->id);
    int n_axes = value && value->rank == read->rank ? value->rank : 0;
    check_same(reader, json, "axes", n_axes, n_axes ? value->axes : NULL);
    check_same(reader, json, "members", value ? value->n_members : 0,
               value ? value->members : NULL);
}

static void
read_write(Reader *reader, const json_t *json, FigRecordWrite *write, Names *names)
{
    check_keys(reader, json, "value shape size");
    write->value = get_string(reader, json, "value");
    get_shape(reader, json, &write->rank, &write->shape, &write->size);
    const FigRecordValue *value =
        reader->error ? NULL : refer(reader, names->values, write->value, "value");
    if (!value)
        return;
    if (strcmp(value->kind, "activation"))
        fault(reader, "‘%s’ is an %s: no op writes it", value->id, value->kind);
    declare(reader, names->written, write->value, value);
}

static void
read_attributes(Reader *reader, const json_t *json, FigRecordOp *op)
{
    const json_t *map = json_object_get(json, "attributes");
    size_t outer = enter_key(reader, "attributes");
    if (!json_is_object(map))
        fault(reader, "an object is wanted");
    int count = (int)json_object_size(map);
    FigRecordAttribute *attributes =
        fig_arena_new_array(reader->arena, FigRecordAttribute, count);
    FigRecordAttribute *attribute = attributes;
    const char *name;
    json_t *item;
    json_object_foreach((json_t *)map, name, item)
    {
        size_t before = enter_key(reader, name);
        check_keys(reader, item, "text value label drawn given");
        attribute->name = fig_arena_strdup(reader->arena, name);
        attribute->text = get_string(reader, item, "text");
        attribute->value = get_string(reader, item, "value");
        attribute->label = get_string(reader, item, "label");
        attribute->drawn = get_bool(reader, item, "drawn");
        attribute->given = get_bool(reader, item, "given");
        attribute++;
        leave(reader, before);
    }
    leave(reader, outer);
    op->n_attributes = count;
    op->attributes = attributes;
}

static void
read_op(Reader *reader, const json_t *json, FigRecordOp *op, int step, Names *names)
{
    static const char *const kinds[] = {"matmul",   "norm",   "pointwise",
                                        "rotation", "mask",   "softmax",
                                        "reshape",  "gather", NULL};
    static const char *const marks[] = {"box", "circle", "fork", "frame", NULL};
    const char *classes[FIG_CLASSES + 1] = {NULL};
    for (int i = 0; i < FIG_CLASSES; i++)
        classes[i] = fig_class_name((FigClass)i);

    check_keys(
        reader, json,
        "step id op kind class mark sign? commutes label title full_name equation "
        "group attributes flops flops_number bytes reads writes");
    op->step = step;
    if (get_natural(reader, json, "step") != step)
        fault(reader, "step %d is wanted: ops stand in execution order", step);
    op->id = get_string(reader, json, "id");
    op->op = get_string(reader, json, "op");
    op->kind = get_word(reader, json, "kind", kinds);
    const char *class = get_word(reader, json, "class", classes);
    for (int i = 0; class && i < FIG_CLASSES; i++)
        if (!strcmp(classes[i], class))
            op->class = (FigClass)i;
    op->mark = get_word(reader, json, "mark", marks);
    op->sign = get_string(reader, json, "sign");
    op->commutes = get_bool(reader, json, "commutes");
    op->label = get_string(reader, json, "label");
    op->title = get_string(reader, json, "title");
    op->full_name = get_string(reader, json, "full_name");
    op->equation = get_string(reader, json, "equation");
    op->groups = get_strings(reader, json, "group", FIG_LIMIT_DEPTH, &op->n_groups);
    read_attributes(reader, json, op);
    op->flops = get_string(reader, json, "flops");
    op->flops_number = get_natural(reader, json, "flops_number");
    op->bytes = get_string(reader, json, "bytes");

    const json_t *list;
    op->n_reads = get_list(reader, json, "reads", FIG_LIMIT_PORTS, &list);
    FigRecordRead *reads =
        fig_arena_new_array(reader->arena, FigRecordRead, op->n_reads);
    size_t outer = enter_key(reader, "reads");
    for (int i = 0; i < op->n_reads; i++) {
        size_t before = enter_item(reader, (size_t)i);
        read_read(reader, json_array_get(list, (size_t)i), &reads[i], names);
        leave(reader, before);
    }
    leave(reader, outer);
    op->reads = reads;

    op->n_writes = get_list(reader, json, "writes", FIG_LIMIT_PORTS, &list);
    FigRecordWrite *writes =
        fig_arena_new_array(reader->arena, FigRecordWrite, op->n_writes);
    enter_key(reader, "writes");
    for (int i = 0; i < op->n_writes; i++) {
        size_t before = enter_item(reader, (size_t)i);
        read_write(reader, json_array_get(list, (size_t)i), &writes[i], names);
        leave(reader, before);
    }
    leave(reader, outer);
    op->writes = writes;
}

static void
read_groups(Reader *reader, const json_t *facts, FigRecord *record, Names *names)
{
    const json_t *list;
    int count = get_list(reader, facts, "groups", FIG_LIMIT_OPS, &list);
    FigRecordGroup *groups = fig_arena_new_array(reader->arena, FigRecordGroup, count);
    size_t outer = enter_key(reader, "groups");
    for (int i = 0; i < count && !reader->error; i++) {
        size_t before = enter_item(reader, (size_t)i);
        const json_t *item = json_array_get(list, (size_t)i);
        check_keys(reader, item, "id title? parent?");
        groups[i].id = get_string(reader, item, "id");
        groups[i].title = get_string(reader, item, "title");
        groups[i].parent = get_string(reader, item, "parent");
        if (groups[i].parent)
            refer(reader, names->groups, groups[i].parent, "earlier group");
        declare(reader, names->groups, groups[i].id, &groups[i]);
        leave(reader, before);
    }
    leave(reader, outer);
    record->n_groups = count;
    record->groups = groups;
}

/* The path of groups of an op: each the parent of the next, from a group without one. */
static void
check_path(Reader *reader, const FigRecordOp *op, Names *names)
{
    const char *parent = NULL;
    for (int i = 0; i < op->n_groups && !reader->error; i++) {
        const FigRecordGroup *group =
            refer(reader, names->groups, op->groups[i], "group");
        if (group && g_strcmp0(group->parent, parent))
            fault(reader, "group ‘%s’ does not lie in ‘%s’", group->id,
                  parent ? parent : "the figure itself");
        parent = op->groups[i];
    }
}

static void
read_ops(Reader *reader, const json_t *facts, FigRecord *record, Names *names)
{
    const json_t *list;
    int count = get_list(reader, facts, "ops", FIG_LIMIT_OPS, &list);
    FigRecordOp *ops = fig_arena_new_array(reader->arena, FigRecordOp, count);
    size_t outer = enter_key(reader, "ops");
    for (int i = 0; i < count && !reader->error; i++) {
        size_t before = enter_item(reader, (size_t)i);
        read_op(reader, json_array_get(list, (size_t)i), &ops[i], i + 1, names);
        check_path(reader, &ops[i], names);
        declare(reader, names->ops, ops[i].id, &ops[i]);
        leave(reader, before);
    }
    leave(reader, outer);
    record->n_ops = count;
    record->ops = ops;

    outer = enter_key(reader, "values");
    for (int i = 0; i < record->n_values && !reader->error; i++) {
        const FigRecordValue *value = &record->values[i];
        size_t before = enter_item(reader, (size_t)i);
        if (!strcmp(value->kind, "activation") &&
            !g_hash_table_contains(names->written, value->id))
            fault(reader, "no op writes ‘%s’", value->id);
        leave(reader, before);
    }
    leave(reader, outer);

    record->outputs =
        get_strings(reader, facts, "outputs", FIG_LIMIT_OPS, &record->n_outputs);
    outer = enter_key(reader, "outputs");
    for (int i = 0; i < record->n_outputs; i++) {
        size_t before = enter_item(reader, (size_t)i);
        refer(reader, names->values, record->outputs[i], "value");
        leave(reader, before);
    }
    leave(reader, outer);
}

static void
read_texts(Reader *reader, const json_t *facts, FigRecord *record)
{
    static const char *const roles[] = {"title", "subtitle", "note", NULL};
    const json_t *list;
    int count = get_list(reader, facts, "texts", FIG_LIMIT_OPS, &list);
    FigSentence *notes = fig_arena_new_array(reader->arena, FigSentence, count);
    size_t outer = enter_key(reader, "texts");
    for (int i = 0; i < count && !reader->error; i++) {
        size_t before = enter_item(reader, (size_t)i);
        const json_t *item = json_array_get(list, (size_t)i);
        check_keys(reader, item, "role text numbers?");
        const char *role = get_word(reader, item, "role", roles);
        FigSentence text = get_sentence(reader, item, "text");
        FigSentence *single = !g_strcmp0(role, "title")      ? &record->title
                              : !g_strcmp0(role, "subtitle") ? &record->subtitle
                                                             : NULL;
        if (single && single->text)
            fault(reader, "a second %s", role);
        if (single)
            *single = text;
        else
            notes[record->n_notes++] = text;
        leave(reader, before);
    }
    leave(reader, outer);
    record->notes = notes;
}

static void
read_claims(Reader *reader, const json_t *facts, FigRecord *record, Names *names)
{
    static const char *const by[] = {"structure", "run", "unchecked", NULL};
    const json_t *list;
    int count = get_list(reader, facts, "claims", FIG_LIMIT_OPS, &list);
    FigRecordClaim *claims = fig_arena_new_array(reader->arena, FigRecordClaim, count);
    size_t outer = enter_key(reader, "claims");
    for (int i = 0; i < count && !reader->error; i++) {
        FigRecordClaim *claim = &claims[i];
        size_t before = enter_item(reader, (size_t)i);
        const json_t *item = json_array_get(list, (size_t)i);
        check_keys(reader, item, "id say numbers? that? at? must holds by bound?");
        claim->id = get_string(reader, item, "id");
        claim->say = get_sentence(reader, item, "say");
        claim->that = get_string(reader, item, "that");
        claim->at = get_string(reader, item, "at");
        claim->must = get_bool(reader, item, "must");
        claim->holds = get_bool(reader, item, "holds");
        claim->by = get_word(reader, item, "by", by);
        claim->has_bound = json_object_get(item, "bound");
        claim->bound = get_real(reader, item, "bound");
        if (claim->at)
            refer(reader, names->ops, claim->at, "op");
        if (!reader->error && claim->holds && !strcmp(claim->by, "unchecked"))
            fault(reader, "holds, but is unchecked");
        declare(reader, names->claims, claim->id, claim);
        leave(reader, before);
    }
    leave(reader, outer);
    record->n_claims = count;
    record->claims = claims;
}

/* ---- measured ---- */

static void
read_measured_op(Reader *reader, const json_t *json, FigMeasuredOp *op,
                 const FigRecordOp *of)
{
    op->id = of->id;
    if (!json_object_get(json, FIG_RECORD_SECONDS))
        fault(reader, "key ‘%s’ is missing", FIG_RECORD_SECONDS);
    op->seconds = get_real(reader, json, FIG_RECORD_SECONDS);
    FigMeasuredWrite *writes =
        fig_arena_new_array(reader->arena, FigMeasuredWrite, json_object_size(json));
    const char *name;
    json_t *item;
    json_object_foreach((json_t *)json, name, item)
    {
        if (!strcmp(name, FIG_RECORD_SECONDS))
            continue;
        size_t before = enter_key(reader, name);
        FigMeasuredWrite *write = &writes[op->n_writes++];
        for (int i = 0; i < of->n_writes; i++)
            if (!strcmp(of->writes[i].value, name))
                write->value = of->writes[i].value;
        if (!write->value)
            fault(reader, "op ‘%s’ writes no ‘%s’", of->id, name);
        write->has_statistics = json_object_size(item) > 0;
        check_keys(reader, item,
                   write->has_statistics ? "min max mean rms nonfinite" : "min?");
        write->min = get_real(reader, item, "min");
        write->max = get_real(reader, item, "max");
        write->mean = get_real(reader, item, "mean");
        write->rms = get_real(reader, item, "rms");
        write->nonfinite = get_natural(reader, item, "nonfinite");
        leave(reader, before);
    }
    op->writes = writes;
}

static void
read_measured(Reader *reader, const json_t *json, FigRecord *record, Names *names)
{
    size_t outer = enter_key(reader, "measured");
    check_keys(reader, json, "ops claims");
    const char *name;
    json_t *item;

    const json_t *map = json_object_get(json, "ops");
    size_t before = enter_key(reader, "ops");
    if (!json_is_object(map))
        fault(reader, "an object is wanted");
    FigMeasuredOp *ops =
        fig_arena_new_array(reader->arena, FigMeasuredOp, json_object_size(map));
    json_object_foreach((json_t *)map, name, item)
    {
        const FigRecordOp *of = refer(reader, names->ops, name, "op");
        size_t inner = enter_key(reader, name);
        if (!json_is_object(item))
            fault(reader, "an object is wanted");
        if (of && !reader->error)
            read_measured_op(reader, item, &ops[record->n_measured_ops++], of);
        leave(reader, inner);
    }
    leave(reader, before);
    record->measured_ops = ops;

    map = json_object_get(json, "claims");
    enter_key(reader, "claims");
    if (!json_is_object(map))
        fault(reader, "an object is wanted");
    FigMeasuredClaim *claims =
        fig_arena_new_array(reader->arena, FigMeasuredClaim, json_object_size(map));
    json_object_foreach((json_t *)map, name, item)
    {
        const FigRecordClaim *claim = refer(reader, names->claims, name, "claim");
        FigMeasuredClaim *measured = &claims[record->n_measured_claims++];
        measured->id = claim ? claim->id : NULL;
        measured->number = get_real(reader, map, name);
    }
    leave(reader, outer);
    record->measured_claims = claims;
}

/* ---- the whole ---- */

static void
read_record(Reader *reader, const json_t *root, FigRecord *record, Names *names)
{
    check_keys(reader, root, "opfig facts measured?");
    if (!reader->error && get_natural(reader, root, "opfig") != 1)
        fault(reader, "opfig: version 1 is wanted");
    const json_t *facts = json_object_get(root, "facts");
    size_t outer = enter_key(reader, "facts");
    if (!reader->error)
        check_keys(
            reader, facts,
            "spec version dims constants evidence values ops groups outputs texts "
            "claims");
    if (!reader->error) {
        read_spec(reader, facts, record);
        record->version = get_string(reader, facts, "version");
        read_dims(reader, facts, record, names);
        read_constants(reader, facts, record, names);
        record->evidence =
            get_strings(reader, facts, "evidence", FIG_LIMIT_DIMS, &record->n_evidence);
        read_values(reader, facts, record, names);
        read_groups(reader, facts, record, names);
        read_ops(reader, facts, record, names);
        read_texts(reader, facts, record);
        read_claims(reader, facts, record, names);
    }
    leave(reader, outer);
    const json_t *measured = json_object_get(root, "measured");
    if (measured && !reader->error)
        read_measured(reader, measured, record, names);
}

/* The deepest nesting of brackets outside strings: jansson's own cap lies higher than
 * any honest record needs. */
static int
nesting(const char *json, size_t length)
{
    int depth = 0, deepest = 0;
    bool inside = false;
    for (size_t i = 0; i < length; i++) {
        char c = json[i];
        if (inside && c == '\\')
            i++;
        else if (c == '"')
            inside = !inside;
        else if (!inside && (c == '[' || c == '{'))
            depth++;
        else if (!inside && (c == ']' || c == '}'))
            depth--;
        deepest = MAX(deepest, depth);
    }
    return deepest;
}

FigRecord *
fig_record_read(const char *json, size_t length, GError **error)
{
    GQuark domain = g_quark_from_static_string("fig-record");
    if (nesting(json, length) > FIG_LIMIT_JSON_DEPTH) {
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

    Reader reader = {.arena = fig_arena_new(), .path = g_string_new(NULL)};
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
