/* SPDX-License-Identifier: MIT
 *
 * The record in memory: names of classes, look-ups, digest. Writing it as JSON is
 * exec/record-write.c, reading it exec/record-read.c.
 */
#include "exec/record.h"

#include "exec/record-json.h"

#include <string.h>

const char *
fig_class_name(FigClass class)
{
    static const char *const names[FIG_CLASSES] = {
        [FIG_CLASS_WEIGHT_MATMUL] = "weight_matmul",
        [FIG_CLASS_ACTIVATION_MATMUL] = "activation_matmul",
        [FIG_CLASS_NORM] = "norm",
        [FIG_CLASS_OTHER] = "other",
    };
    g_assert(class < FIG_CLASSES);
    return names[class];
}

/* ---- look-ups ---- */

/* Values and ops by id, ops by what they write; of two of one name, the first. */
struct FigRecordIndex {
    GHashTable *of_values, *of_ops, *writers;
    const FigRecordValue *values; /* of the record when it was made … */
    const FigRecordOp *ops;
    int n_values, n_ops;
};

static void
enter(GHashTable *table, const char *id, const void *what)
{
    if (!g_hash_table_contains(table, id))
        g_hash_table_insert(table, (gpointer)id, (gpointer)what);
}

static void
index_free(struct FigRecordIndex *index)
{
    if (!index)
        return;
    g_hash_table_unref(index->of_values);
    g_hash_table_unref(index->of_ops);
    g_hash_table_unref(index->writers);
    g_free(index);
}

/* … and as long as it has these, the index holds: a record that grows gets another. */
static bool
is_of(const struct FigRecordIndex *index, const FigRecord *record)
{
    return index && index->values == record->values && index->ops == record->ops &&
           index->n_values == record->n_values && index->n_ops == record->n_ops;
}

static const struct FigRecordIndex *
index_of(const FigRecord *record)
{
    if (is_of(record->index, record))
        return record->index;
    struct FigRecordIndex *index = g_new0(struct FigRecordIndex, 1);
    *index = (struct FigRecordIndex){
        .of_values = g_hash_table_new(g_str_hash, g_str_equal),
        .of_ops = g_hash_table_new(g_str_hash, g_str_equal),
        .writers = g_hash_table_new(g_str_hash, g_str_equal),
        .values = record->values,
        .ops = record->ops,
        .n_values = record->n_values,
        .n_ops = record->n_ops,
    };
    for (int i = 0; i < record->n_values; i++)
        enter(index->of_values, record->values[i].id, &record->values[i]);
    for (int i = 0; i < record->n_ops; i++) {
        const FigRecordOp *op = &record->ops[i];
        enter(index->of_ops, op->id, op);
        for (int j = 0; j < op->n_writes; j++)
            enter(index->writers, op->writes[j].value, op);
    }
    index_free(record->index);
    return ((FigRecord *)record)->index = index;
}

void
fig_record_free(FigRecord *record)
{
    if (!record)
        return;
    index_free(record->index);
    fig_arena_free(record->arena); /* the record itself lives in it */
}

const FigRecordValue *
fig_record_value(const FigRecord *record, const char *id)
{
    return id ? g_hash_table_lookup(index_of(record)->of_values, id) : NULL;
}

const FigRecordOp *
fig_record_op(const FigRecord *record, const char *id)
{
    return id ? g_hash_table_lookup(index_of(record)->of_ops, id) : NULL;
}

const FigRecordDim *
fig_record_dim(const FigRecord *record, const char *id)
{
    for (int i = 0; id && i < record->n_dims; i++)
        if (!strcmp(record->dims[i].id, id))
            return &record->dims[i];
    return NULL;
}

const FigRecordOp *
fig_record_writer(const FigRecord *record, const char *value)
{
    return value ? g_hash_table_lookup(index_of(record)->writers, value) : NULL;
}

char *
fig_record_digest(const FigRecord *record)
{
    g_autofree char *facts = fig_record_facts_json(record);
    return g_compute_checksum_for_string(G_CHECKSUM_SHA256, facts, -1);
}

char *
fig_record_pattern(const FigRecordGroup *group)
{
    enum { MOST = 8 }; /* words */
    if (!group->kind)
        return NULL;
    GString *text = g_string_new(NULL);
    if (group->n_pattern <= MOST) {
        for (int p = 0; p < group->n_pattern; p++)
            g_string_append_printf(text, "%s%s", p ? ", " : "", group->pattern[p]);
    } else {
        for (int k = 0; k < group->n_kinds; k++)
            g_string_append_printf(text, "%s%s", k ? " and " : "layers of kind ",
                                   group->kinds[k].kind);
    }
    return g_string_free(text, FALSE);
}
