/* SPDX-License-Identifier: MIT
 *
 * What the model holds and costs: parameters by weight, FLOPs by class, bytes.
 */
#include "base/num.h"
#include "pages/doc-parts.h"

#include <string.h>

static int64_t
add(int64_t a, int64_t b)
{
    return a > INT64_MAX - b ? INT64_MAX : a + b;
}

int64_t
fig_doc_flops(const FigRecord *record, FigClass class)
{
    int64_t sum = 0;
    for (int i = 0; i < record->n_ops; i++)
        if (class == FIG_CLASSES || record->ops[i].class == class)
            sum = add(sum, record->ops[i].flops_number);
    return sum;
}

int64_t
fig_doc_parameters(const FigRecord *record)
{
    int64_t sum = 0;
    for (int i = 0; i < record->n_values; i++)
        sum = add(sum, record->values[i].parameters);
    return sum;
}

static void
append_weights(FigDoc *doc)
{
    static const FigDocColumn columns[] = {{"weight", false, 0},
                                           {"shape", false, 0},
                                           {"size", false, 0},
                                           {"parameters", true, 0}};
    const FigRecord *record = doc->record;
    if (fig_doc_parameters(record) == 0)
        return;
    fig_doc_table(doc, G_N_ELEMENTS(columns), columns);
    for (int i = 0; i < record->n_values; i++) {
        const FigRecordValue *value = &record->values[i];
        if (value->parameters == 0)
            continue;
        fig_doc_row(doc);
        fig_doc_math(doc, value->label);
        fig_doc_words(doc, " ");
        fig_doc_code(doc, value->id);
        fig_doc_words(doc, value->per ? ", one in each pass" : "");
        fig_doc_cell(doc);
        fig_doc_shape(doc, value->rank, value->shape);
        fig_doc_cell(doc);
        fig_doc_size(doc, value->rank, value->size);
        fig_doc_cell(doc);
        fig_doc_integer(doc, value->parameters);
        fig_doc_row_end(doc);
    }
    fig_doc_row(doc);
    fig_doc_words(doc, "all");
    fig_doc_cell(doc);
    fig_doc_cell(doc);
    fig_doc_cell(doc);
    fig_doc_integer(doc, fig_doc_parameters(record));
    fig_doc_row_end(doc);
    fig_doc_table_end(doc);
}

static void
append_class(FigDoc *doc, const char *name, FigClass class)
{
    const FigRecord *record = doc->record;
    int steps = 0;
    double all = (double)fig_doc_flops(record, FIG_CLASSES);
    for (int i = 0; i < record->n_ops; i++)
        steps += class == FIG_CLASSES || record->ops[i].class == class;
    if (steps == 0)
        return;
    fig_doc_row(doc);
    fig_doc_words(doc, name);
    fig_doc_cell(doc);
    fig_doc_integer(doc, steps);
    fig_doc_cell(doc);
    fig_doc_integer(doc, fig_doc_flops(record, class));
    fig_doc_cell(doc);
    fig_num_fixed(doc->out,
                  all > 0 ? 100 * (double)fig_doc_flops(record, class) / all : 0, 1);
    fig_doc_row_end(doc);
}

static void
append_bytes(FigDoc *doc, const char *what, int64_t bytes)
{
    fig_doc_row(doc);
    fig_doc_words(doc, what);
    fig_doc_cell(doc);
    fig_doc_integer(doc, bytes);
    fig_doc_row_end(doc);
}

static void
append_memory(FigDoc *doc)
{
    static const FigDocColumn columns[] = {{"memory", false, 0}, {"bytes", true, 0}};
    int64_t parameters = fig_doc_parameters(doc->record);
    fig_doc_table(doc, G_N_ELEMENTS(columns), columns);
    if (parameters < INT64_MAX / 4) {
        append_bytes(doc, "weights in float32", 4 * parameters);
        append_bytes(doc, "weights in bfloat16", 2 * parameters);
    }
    if (doc->options->memory >= 0)
        append_bytes(doc, "values of a run at one time, in float32",
                     doc->options->memory);
    if (doc->options->cache > 0)
        append_bytes(doc, "keys and values that a decoder keeps, in bfloat16",
                     doc->options->cache);
    fig_doc_table_end(doc);
}

void
fig_doc_costs(FigDoc *doc)
{
    static const FigDocColumn columns[] = {{"class", false, 0},
                                           {"steps", true, 0},
                                           {"FLOPs", true, 0},
                                           {"percent", true, 0}};
    fig_doc_heading(doc, 1, "Costs");
    append_weights(doc);
    fig_doc_table(doc, G_N_ELEMENTS(columns), columns);
    append_class(doc, "matmul with weights", FIG_CLASS_WEIGHT_MATMUL);
    append_class(doc, "matmul of activations", FIG_CLASS_ACTIVATION_MATMUL);
    append_class(doc, "norm", FIG_CLASS_NORM);
    append_class(doc, "other", FIG_CLASS_OTHER);
    append_class(doc, "all", FIG_CLASSES);
    fig_doc_table_end(doc);
    append_memory(doc);
}
