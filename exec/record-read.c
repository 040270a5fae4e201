/* SPDX-License-Identifier: MIT
 *
 * A record from JSON, strictly: what it says is drawn and printed, so nothing in it may
 * be unknown, missing, of a wrong type, said twice or about something that is not there.
 * The first fault ends the reading; its message names the JSON path. After a fault the
 * getters give empty things, so the code need not look after each step.
 */
#include "exec/record-json.h"
#include "exec/record-read.h"

#include "base/limit.h"
#include "ops/op.h"

#include <jansson.h>
#include <string.h>

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

static const FigRecordAka *
read_aka(FigJsonReader *reader, const json_t *json, int *n)
{
    static const char *const sides[] = {"input", "output", NULL};
    const json_t *list;
    *n = fig_json_list(reader, json, "aka", FIG_LIMIT_PORTS, &list);
    FigRecordAka *aka = fig_arena_new_array(reader->arena, FigRecordAka, *n);
    size_t outer = fig_json_enter(reader, "aka");
    for (int i = 0; i < *n; i++) {
        size_t before = fig_json_enter_item(reader, (size_t)i);
        const json_t *item = json_array_get(list, (size_t)i);
        fig_json_check_keys(reader, item, "library name side? axes?");
        aka[i].library = fig_json_string(reader, item, "library");
        aka[i].name = fig_json_string(reader, item, "name");
        aka[i].side = fig_json_word(reader, item, "side", sides);
        aka[i].axes = fig_json_string(reader, item, "axes");
        fig_json_leave(reader, before);
    }
    fig_json_leave(reader, outer);
    return aka;
}

static void
read_dims(FigJsonReader *reader, const json_t *facts, FigRecord *record,
          FigRecordNames *names)
{
    const json_t *list;
    int count = fig_json_list(reader, facts, "dims", FIG_LIMIT_DIMS, &list);
    FigRecordDim *dims = fig_arena_new_array(reader->arena, FigRecordDim, count);
    size_t outer = fig_json_enter(reader, "dims");
    for (int i = 0; i < count && !reader->error; i++) {
        size_t before = fig_json_enter_item(reader, (size_t)i);
        const json_t *item = json_array_get(list, (size_t)i);
        fig_json_check_keys(reader, item, "id size what? label is? aka?");
        dims[i].id = fig_json_string(reader, item, "id");
        dims[i].size = fig_json_natural(reader, item, "size");
        dims[i].what = fig_json_string(reader, item, "what");
        dims[i].label = fig_json_string(reader, item, "label");
        dims[i].is = fig_json_string(reader, item, "is");
        dims[i].aka = read_aka(reader, item, &dims[i].n_aka);
        fig_json_declare(reader, names->dims, dims[i].id, &dims[i]);
        fig_json_leave(reader, before);
    }
    fig_json_leave(reader, outer);
    record->n_dims = count;
    record->dims = dims;
}

static void
read_constants(FigJsonReader *reader, const json_t *facts, FigRecord *record,
               FigRecordNames *names)
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
    fig_record_read_shape(reader, json, &value->rank, &value->shape, &value->size);
    int axes;
    value->axes = fig_json_strings(reader, json, "axes", FIG_LIMIT_RANK, &axes);
    if (axes != value->rank)
        fig_json_fault(reader, "shape has %d axes but axes has %d", value->rank, axes);
    value->parameters = fig_json_natural(reader, json, "parameters");
    value->per = fig_json_string(reader, json, "per");
    value->members =
        fig_json_strings(reader, json, "members", FIG_LIMIT_PORTS, &value->n_members);
    value->aka = read_aka(reader, json, &value->n_aka);
}

static void
read_values(FigJsonReader *reader, const json_t *facts, FigRecord *record,
            FigRecordNames *names)
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

/* The kinds that a pattern names, each once. */
static void
find_kinds(FigJsonReader *reader, FigRecordGroup *group)
{
    g_autoptr(GHashTable) known = g_hash_table_new(g_str_hash, g_str_equal);
    int n = group->n_pattern;
    FigRecordPasses *kinds = fig_arena_new_array(reader->arena, FigRecordPasses, n);
    int *kind_of = fig_arena_new_array(reader->arena, int, n);
    for (int p = 0; p < n; p++) {
        void *known_as;
        if (g_hash_table_lookup_extended(known, group->pattern[p], NULL, &known_as)) {
            kind_of[p] = GPOINTER_TO_INT(known_as);
        } else {
            kind_of[p] = group->n_kinds++;
            kinds[kind_of[p]].kind = group->pattern[p];
            g_hash_table_insert(known, (char *)group->pattern[p],
                                GINT_TO_POINTER(kind_of[p]));
        }
        kinds[kind_of[p]].number += group->passes / n + (p < group->passes % n);
    }
    group->kinds = kinds;
    group->kind_of = kind_of;
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
    group->pattern =
        fig_json_strings(reader, json, "pattern", FIG_LIMIT_OPS, &group->n_pattern);
    if (!group->kind != (group->n_pattern == 0))
        fig_json_fault(reader, "kind and pattern come together");
    else
        find_kinds(reader, group);
    fig_json_leave(reader, before);
}

/* What is another in each pass names a group that has passes. */
static void
check_per(FigJsonReader *reader, const FigRecord *record, FigRecordNames *names)
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
read_groups(FigJsonReader *reader, const json_t *facts, FigRecord *record,
            FigRecordNames *names)
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
read_claims(FigJsonReader *reader, const json_t *facts, FigRecord *record,
            FigRecordNames *names)
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
            claim->also =
                fig_json_strings(reader, item, "also", FIG_LIMIT_OPS, &claim->n_also);
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
              FigRecordNames *names)
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
read_record(FigJsonReader *reader, const json_t *root, FigRecord *record,
            FigRecordNames *names)
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
        fig_record_read_ops(reader, facts, record, names);
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
        g_autofree char *text = g_utf8_make_valid(trouble.text, -1); /* cut anywhere */
        g_autofree char *shown = fig_json_printable(text, sizeof trouble.text);
        g_set_error(error, domain, 1, "record: line %d, column %d: %s", trouble.line,
                    trouble.column, shown);
        return NULL;
    }

    FigJsonReader reader = {.arena = fig_arena_new(), .path = g_string_new(NULL)};
    FigRecord *record = fig_arena_new0(reader.arena, FigRecord);
    record->arena = reader.arena;
    GHashTable *tables[7];
    for (size_t i = 0; i < G_N_ELEMENTS(tables); i++)
        tables[i] = g_hash_table_new(g_str_hash, g_str_equal);
    FigRecordNames names = {tables[0], tables[1], tables[2], tables[3],
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
