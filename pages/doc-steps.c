/* SPDX-License-Identifier: MIT
 *
 * Every op in the order of execution: its equation, what it reads, writes and costs.
 */
#include "pages/doc-parts.h"

#include <string.h>

/* Equations that stand side by side ("y = …, α = …") below each other: a wide one makes the
 * table wide. */
static void
append_equation(FigDoc *doc, const char *tex)
{
    int depth = 0;
    const char *start = tex;
    for (const char *c = tex; *c; c++) {
        depth += strchr("{([", *c) ? 1 : strchr("})]", *c) ? -1 : 0;
        if (depth || c[0] != ',' || c[1] != ' ' || !strstr(c, " = "))
            continue;
        g_autofree char *part = g_strndup(start, (gsize)(c - start));
        fig_doc_math(doc, part);
        fig_doc_line(doc);
        start = c + 2;
    }
    fig_doc_math(doc, start);
}

/* Its label, its id and the numbers that the label leaves out. */
static void
append_op(FigDoc *doc, const FigRecordOp *op)
{
    fig_doc_label(doc, op->label);
    fig_doc_line(doc);
    fig_doc_code(doc, op->id);
    for (int i = 0; i < op->n_attributes; i++) {
        const FigRecordAttribute *attribute = &op->attributes[i];
        if (attribute->drawn || !attribute->given)
            continue;
        g_autofree char *text =
            g_strdup_printf(", %s %s", attribute->name, attribute->value);
        fig_doc_words(doc, text);
    }
}

static void
append_reads(FigDoc *doc, const FigRecordOp *op)
{
    for (int i = 0; i < op->n_reads; i++) {
        const FigRecordRead *read = &op->reads[i];
        fig_doc_words(doc, i ? ", " : "");
        fig_doc_code(doc, read->value);
        fig_doc_words(doc, read->value ? "" : "a buffer");
        fig_doc_words(doc, read->later ? " of the pass before" : "");
    }
}

/* "`qkv` $(B,T,3C)$", and at the dims drawn "1×256×1536". */
static void
append_writes(FigDoc *doc, const FigRecordOp *op)
{
    for (int i = 0; i < op->n_writes; i++) {
        const FigRecordWrite *write = &op->writes[i];
        if (i)
            fig_doc_line(doc);
        fig_doc_code(doc, write->value);
        fig_doc_words(doc, " ");
        fig_doc_shape(doc, write->rank, write->shape);
        fig_doc_line(doc);
        fig_doc_size(doc, write->rank, write->size);
    }
}

/* Entries of the weights that it reads, in all passes. */
static void
append_parameters(FigDoc *doc, const FigRecordOp *op)
{
    int64_t sum = 0;
    for (int i = 0; i < op->n_reads; i++) {
        const FigRecordValue *value =
            op->reads[i].value ? fig_record_value(doc->record, op->reads[i].value)
                               : NULL;
        if (!value || strcmp(value->kind, "weight") != 0)
            continue;
        sum += value->parameters;
        for (int m = 0; m < value->n_members; m++)
            sum += fig_record_value(doc->record, value->members[m])->parameters;
    }
    if (sum)
        fig_doc_integer(doc, sum);
}

static void
append_row(FigDoc *doc, const FigRecordOp *op)
{
    fig_doc_row(doc);
    fig_doc_integer(doc, op->step);
    fig_doc_cell(doc);
    append_op(doc, op);
    fig_doc_cell(doc);
    append_equation(doc, op->equation);
    fig_doc_cell(doc);
    append_reads(doc, op);
    fig_doc_cell(doc);
    append_writes(doc, op);
    fig_doc_cell(doc);
    append_parameters(doc, op);
    fig_doc_cell(doc);
    if (op->flops_number) {
        g_autofree char *tex = fig_record_tex(doc->record, op->flops);
        fig_doc_math(doc, tex);
        fig_doc_line(doc);
        fig_doc_integer(doc, op->flops_number);
    }
    fig_doc_row_end(doc);
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
append_group(FigDoc *doc, const FigRecordGroup *group)
{
    g_autofree char *pattern = fig_record_pattern(group);
    fig_doc_label(doc, group->title ? group->title : group->id);
    if (group->repeat)
        g_string_append_printf(doc->out, ", %" G_GINT64_FORMAT " times", group->passes);
    if (pattern) {
        g_autofree char *text = g_strdup_printf(" (%s)", pattern);
        fig_doc_words(doc, text);
    }
}

/* A row that names the group of the rows below it. */
static void
append_heading(FigDoc *doc, int columns, const FigRecordOp *op)
{
    const FigRecordGroup *group =
        op->n_groups ? group_of(doc->record, op->groups[op->n_groups - 1]) : NULL;
    fig_doc_row(doc);
    fig_doc_cell(doc);
    g_string_append(doc->out, doc->format->strong[0]);
    if (group)
        append_group(doc, group);
    else
        fig_doc_words(doc, "in no group");
    g_string_append(doc->out, doc->format->strong[1]);
    for (int i = 2; i < columns; i++)
        fig_doc_cell(doc);
    fig_doc_row_end(doc);
}

void
fig_doc_steps(FigDoc *doc)
{
    static const FigDocColumn columns[] = {
        {"step", true, 0},      {"op", false, 0.16},     {"equation", false, 0.24},
        {"reads", false, 0.13}, {"writes", false, 0.17}, {"parameters", true, 0},
        {"FLOPs", false, 0.12},
    };
    const FigRecord *record = doc->record;
    const char *before = NULL;
    fig_doc_heading(doc, 1, "Steps");
    g_string_append(doc->out,
                    "In the order of execution. A step's operands stand in "
                    "the order of its equation's;\na matmul reads its weight as (in, "
                    "out). FLOPs count a multiply-add as two.\n\n");
    fig_doc_table(doc, G_N_ELEMENTS(columns), columns);
    for (int i = 0; i < record->n_ops; i++) {
        const FigRecordOp *op = &record->ops[i];
        const char *now = op->n_groups ? op->groups[op->n_groups - 1] : NULL;
        if (g_strcmp0(now, before) != 0)
            append_heading(doc, G_N_ELEMENTS(columns), op);
        append_row(doc, op);
        before = now;
    }
    fig_doc_table_end(doc);
}
