/* SPDX-License-Identifier: MIT
 *
 * Every op in the order of execution: its equation, what it reads, writes and costs.
 */
#include "base/num.h"
#include "pages/doc-parts.h"

#include <string.h>

/* Equations that stand side by side ("y = …, α = …") below each other: a wide one makes the
 * table wide. */
static void
append_equation(GString *out, const char *tex)
{
    int depth = 0;
    const char *start = tex;
    for (const char *c = tex; *c; c++) {
        depth += strchr("{([", *c) ? 1 : strchr("})]", *c) ? -1 : 0;
        if (depth || c[0] != ',' || c[1] != ' ' || !strstr(c, " = "))
            continue;
        g_autofree char *part = g_strndup(start, (gsize)(c - start));
        fig_doc_math(out, part);
        g_string_append(out, " <br> ");
        start = c + 2;
    }
    fig_doc_math(out, start);
}

/* Its label, its id and the numbers that the label leaves out. */
static void
append_op(GString *out, const FigRecordOp *op)
{
    fig_doc_label(out, op->label);
    g_string_append(out, " <br> ");
    fig_doc_code(out, op->id);
    for (int i = 0; i < op->n_attributes; i++) {
        const FigRecordAttribute *attribute = &op->attributes[i];
        if (!attribute->drawn && attribute->given)
            g_string_append_printf(out, ", %s %s", attribute->name, attribute->value);
    }
}

static void
append_reads(GString *out, const FigRecordOp *op)
{
    for (int i = 0; i < op->n_reads; i++) {
        const FigRecordRead *read = &op->reads[i];
        g_string_append(out, i ? ", " : "");
        if (read->value)
            fig_doc_code(out, read->value);
        else
            g_string_append(out, "a buffer");
        if (read->later)
            g_string_append(out, " of the pass before");
    }
}

/* "`qkv` $(B,T,3C)$", and at the dims drawn "1×256×1536". */
static void
append_writes(GString *out, const FigRecord *record, const FigRecordOp *op)
{
    for (int i = 0; i < op->n_writes; i++) {
        const FigRecordWrite *write = &op->writes[i];
        g_string_append(out, i ? " <br> " : "");
        fig_doc_code(out, write->value);
        g_string_append_c(out, ' ');
        fig_doc_shape(out, record, write->rank, write->shape);
        g_string_append(out, " <br> ");
        fig_doc_size(out, write->rank, write->size);
    }
}

/* Entries of the weights that it reads, in all passes. */
static void
append_parameters(GString *out, const FigRecord *record, const FigRecordOp *op)
{
    int64_t sum = 0;
    for (int i = 0; i < op->n_reads; i++) {
        const FigRecordValue *value =
            op->reads[i].value ? fig_record_value(record, op->reads[i].value) : NULL;
        if (!value || strcmp(value->kind, "weight") != 0)
            continue;
        sum += value->parameters;
        for (int m = 0; m < value->n_members; m++)
            sum += fig_record_value(record, value->members[m])->parameters;
    }
    if (sum)
        fig_num_integer(out, sum, true);
}

static void
append_row(GString *out, const FigRecord *record, const FigRecordOp *op)
{
    g_string_append_printf(out, "| %d | ", op->step);
    append_op(out, op);
    g_string_append(out, " | ");
    append_equation(out, op->equation);
    g_string_append(out, " | ");
    append_reads(out, op);
    g_string_append(out, " | ");
    append_writes(out, record, op);
    g_string_append(out, " | ");
    append_parameters(out, record, op);
    g_string_append(out, " | ");
    if (op->flops_number) {
        g_autofree char *tex = fig_record_tex(record, op->flops);
        fig_doc_math(out, tex);
        g_string_append(out, " <br> ");
        fig_num_integer(out, op->flops_number, true);
    }
    g_string_append(out, " |\n");
}

static const FigRecordGroup *
group_of(const FigRecord *record, const char *id)
{
    for (int i = 0; id && i < record->n_groups; i++)
        if (strcmp(record->groups[i].id, id) == 0)
            return &record->groups[i];
    return NULL;
}

/* A group and how often it runs: "layer $l$, 16 times (window, window, full)". */
static void
append_group(GString *out, const FigRecordGroup *group)
{
    g_autofree char *pattern = fig_record_pattern(group);
    fig_doc_label(out, group->title ? group->title : group->id);
    if (group->repeat)
        g_string_append_printf(out, ", %" G_GINT64_FORMAT " times", group->passes);
    if (pattern)
        g_string_append_printf(out, " (%s)", pattern);
}

/* A row that names the group of the rows below it. */
static void
append_heading(GString *out, const FigRecord *record, const FigRecordOp *op)
{
    const FigRecordGroup *group =
        op->n_groups ? group_of(record, op->groups[op->n_groups - 1]) : NULL;
    g_string_append(out, "| | **");
    if (group)
        append_group(out, group);
    else
        g_string_append(out, "in no group");
    g_string_append(out, "** | | | | | |\n");
}

void
fig_doc_steps(GString *out, const FigRecord *record)
{
    const char *before = NULL;
    g_string_append(out,
                    "## Steps\n\nIn the order of execution. A step's operands stand in "
                    "the order of its equation's;\na matmul reads its weight as (in, "
                    "out). FLOPs count a multiply-add as two.\n\n"
                    "| step | op | equation | reads | writes | parameters | FLOPs |\n"
                    "| ---: | --- | --- | --- | --- | ---: | --- |\n");
    for (int i = 0; i < record->n_ops; i++) {
        const FigRecordOp *op = &record->ops[i];
        const char *now = op->n_groups ? op->groups[op->n_groups - 1] : NULL;
        if (g_strcmp0(now, before) != 0)
            append_heading(out, record, op);
        append_row(out, record, op);
        before = now;
    }
    g_string_append_c(out, '\n');
}
