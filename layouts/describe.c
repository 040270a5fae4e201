/* SPDX-License-Identifier: MIT
 *
 * The figure in words: every op in order of execution with what it reads and gives, so
 * that who cannot see the picture has the same facts, and what was computed but is not
 * drawn.
 */
#include "layouts/draw.h"
#include "layouts/texts.h"

#include <string.h>

static void
append_plain(GString *out, const char *source)
{
    g_autofree char *plain = fig_text_plain(source);

    g_string_append(out, plain);
}

/* A value's printed name, or the op it comes from. */
static void
append_value(FigPlan *plan, GString *out, const char *id)
{
    const FigRecordValue *value = fig_plan_value(plan, id);
    const FigNode *node = g_hash_table_lookup(plan->writer, id);
    const FigRecordOp *writer = node ? node->op : NULL;

    if (value && (value->labelled || !writer)) {
        g_autofree char *label = g_strdup_printf("$%s$", value->label);

        append_plain(out, label);
    } else if (writer) {
        g_string_append_printf(out, "the result of %d", writer->step);
    }
}

static void
append_shape(FigPlan *plan, GString *out, const char *id)
{
    const FigRecordValue *value = fig_plan_value(plan, id);

    g_string_append_c(out, '(');
    for (int a = 0; value && a < value->rank; a++) {
        g_autofree char *axis =
            g_strdup_printf("$%s$", fig_plan_tex(plan, value->shape[a]));

        g_string_append(out, a ? ", " : "");
        append_plain(out, axis);
    }
    g_string_append_c(out, ')');
}

static void
append_op(FigPlan *plan, GString *out, const FigRecordOp *op)
{
    const FigMarkText *text = &plan->marks[fig_plan_op_index(plan, op)];
    bool any = false;

    g_string_append_printf(out, "%d ", op->step);
    append_plain(out, op->label);
    /* in the picture an attribute that marks of one row share is written once */
    if (text->beside)
        g_string_append_printf(out, " (%s%s)", text->beside_name->plain,
                               text->beside->plain);
    for (int r = 0; r < op->n_reads; r++) {
        if (!fig_plan_is_edge(&op->reads[r]))
            continue;
        g_string_append(out, any ? " and " : " reads ");
        append_value(plan, out, op->reads[r].value);
        any = true;
    }
    for (int w = 0; w < op->n_writes; w++) {
        const FigRecordValue *value = fig_plan_value(plan, op->writes[w].value);

        g_string_append(out, w ? ", " : ", gives ");
        if (value && value->labelled) {
            append_value(plan, out, value->id);
            g_string_append_c(out, ' ');
        }
        append_shape(plan, out, op->writes[w].value);
    }
    g_string_append(out, ". ");
}

static void
append_hidden(FigPlan *plan, GString *out)
{
    g_autoptr(GPtrArray) seen = g_ptr_array_new_with_free_func(g_free);

    for (int i = 0; i < plan->record->n_ops; i++) {
        const FigRecordOp *op = &plan->record->ops[i];

        for (int a = 0; a < op->n_attributes; a++) {
            const FigRecordAttribute *attribute = &op->attributes[a];
            char *text;

            if (attribute->drawn)
                continue;
            text = g_strdup_printf("%s %s of %s", attribute->name, attribute->value,
                                   op->title);
            if (g_ptr_array_find_with_equal_func(seen, text, g_str_equal, NULL)) {
                g_free(text);
                continue;
            }
            g_string_append(out, seen->len ? ", " : "Computed, not drawn: ");
            g_string_append(out, text);
            g_ptr_array_add(seen, text);
        }
    }
    if (seen->len)
        g_string_append_c(out, '.');
}

const char *
fig_plan_describe(FigPlan *plan)
{
    const FigRecord *record = plan->record;
    g_autoptr(GString) out = g_string_new(NULL);
    const char *group = NULL;

    if (record->title.text) {
        append_plain(out, fig_plan_sentence(plan, &record->title));
        g_string_append(out, ". ");
    }
    if (record->subtitle.text) {
        append_plain(out, fig_plan_sentence(plan, &record->subtitle));
        g_string_append(out, ". ");
    }
    for (int v = 0; v < record->n_values; v++)
        if (!strcmp(record->values[v].kind, "input")) {
            g_string_append(out, "Input ");
            append_value(plan, out, record->values[v].id);
            g_string_append_c(out, ' ');
            append_shape(plan, out, record->values[v].id);
            g_string_append(out, ". ");
        }
    for (int i = 0; i < record->n_ops; i++) {
        const FigRecordOp *op = &record->ops[i];
        const char *now = op->n_groups ? op->groups[op->n_groups - 1] : NULL;

        const FigRecordGroup *its =
            now ? g_hash_table_lookup(plan->group_of, now) : NULL;

        if (its && g_strcmp0(now, group)) {
            append_plain(out, its->title ? its->title : now);
            g_string_append(out, ": ");
        }
        group = now;
        append_op(plan, out, op);
    }
    for (int o = 0; o < record->n_outputs; o++) {
        g_string_append(out, "Output ");
        append_value(plan, out, record->outputs[o]);
        g_string_append(out, ". ");
    }
    append_hidden(plan, out);
    return fig_arena_strdup(plan->scene->arena, out->str);
}
