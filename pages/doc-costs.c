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
append_weights(GString *out, const FigRecord *record)
{
    if (fig_doc_parameters(record) == 0)
        return;
    g_string_append(out, "| weight | shape | size | parameters |\n"
                         "| --- | --- | --- | ---: |\n");
    for (int i = 0; i < record->n_values; i++) {
        const FigRecordValue *value = &record->values[i];
        if (value->parameters == 0)
            continue;
        g_string_append(out, "| ");
        fig_doc_math(out, value->label);
        g_string_append_c(out, ' ');
        fig_doc_code(out, value->id);
        g_string_append(out, value->per ? ", one in each pass | " : " | ");
        fig_doc_shape(out, record, value->rank, value->shape);
        g_string_append(out, " | ");
        fig_doc_size(out, value->rank, value->size);
        g_string_append(out, " | ");
        fig_num_integer(out, value->parameters, true);
        g_string_append(out, " |\n");
    }
    g_string_append(out, "| all | | | ");
    fig_num_integer(out, fig_doc_parameters(record), true);
    g_string_append(out, " |\n\n");
}

static void
append_class(GString *out, const FigRecord *record, const char *name, FigClass class)
{
    int steps = 0;
    double all = (double)fig_doc_flops(record, FIG_CLASSES);
    for (int i = 0; i < record->n_ops; i++)
        steps += class == FIG_CLASSES || record->ops[i].class == class;
    if (steps == 0)
        return;
    g_string_append_printf(out, "| %s | %d | ", name, steps);
    fig_num_integer(out, fig_doc_flops(record, class), true);
    g_string_append(out, " | ");
    fig_num_fixed(out, all > 0 ? 100 * (double)fig_doc_flops(record, class) / all : 0,
                  1);
    g_string_append(out, " |\n");
}

static void
append_bytes(GString *out, const char *what, int64_t bytes)
{
    g_string_append_printf(out, "| %s | ", what);
    fig_num_integer(out, bytes, true);
    g_string_append(out, " |\n");
}

void
fig_doc_costs(GString *out, const FigRecord *record, const FigDocOptions *options)
{
    int64_t parameters = fig_doc_parameters(record);
    g_string_append(out, "## Costs\n\n");
    append_weights(out, record);
    g_string_append(out, "| class | steps | FLOPs | percent |\n"
                         "| --- | ---: | ---: | ---: |\n");
    append_class(out, record, "matmul with weights", FIG_CLASS_WEIGHT_MATMUL);
    append_class(out, record, "matmul of activations", FIG_CLASS_ACTIVATION_MATMUL);
    append_class(out, record, "norm", FIG_CLASS_NORM);
    append_class(out, record, "other", FIG_CLASS_OTHER);
    append_class(out, record, "all", FIG_CLASSES);
    g_string_append(out, "\n| memory | bytes |\n| --- | ---: |\n");
    if (parameters < INT64_MAX / 4) {
        append_bytes(out, "weights in float32", 4 * parameters);
        append_bytes(out, "weights in bfloat16", 2 * parameters);
    }
    if (options->memory >= 0)
        append_bytes(out, "values of a run at one time, in float32", options->memory);
    if (options->cache > 0)
        append_bytes(out, "keys and values that a decoder keeps, in bfloat16",
                     options->cache);
    g_string_append_c(out, '\n');
}
