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

void
fig_record_free(FigRecord *record)
{
    if (record)
        fig_arena_free(record->arena); /* the record itself lives in it */
}

const FigRecordValue *
fig_record_value(const FigRecord *record, const char *id)
{
    for (int i = 0; id && i < record->n_values; i++)
        if (!strcmp(record->values[i].id, id))
            return &record->values[i];
    return NULL;
}

const FigRecordOp *
fig_record_op(const FigRecord *record, const char *id)
{
    for (int i = 0; id && i < record->n_ops; i++)
        if (!strcmp(record->ops[i].id, id))
            return &record->ops[i];
    return NULL;
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
    for (int i = 0; value && i < record->n_ops; i++)
        for (int j = 0; j < record->ops[i].n_writes; j++)
            if (!strcmp(record->ops[i].writes[j].value, value))
                return &record->ops[i];
    return NULL;
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
