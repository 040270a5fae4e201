/* SPDX-License-Identifier: MIT
 *
 * A seeded number is a hash of (seed, name, index): no generator with a state, so a
 * weight's numbers do not depend on order, threads or what else is filled. From a file
 * come the tensors that `checkpoint:` names; a block reads one layer of a model, so what
 * belongs to other layers, or to no layer, is not its matter.
 */
#include "exec/fill.h"

#include "exec/json.h"
#include "exec/passes.h"
#include "exec/shapes.h"
#include "exec/tensor-copy.h"

#include <math.h>
#include <string.h>

#define LAYER "{layer}"

enum {
    SHOWN_NAME = 80, /* bytes of a stranger's name in a message */
};

/* ---- seeded ---- */

/* The finalizer of SplitMix64 (Steele, Lea and Flood 2014). */
static inline uint64_t
mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* FNV-1a. */
static uint64_t
hash_name(const char *name)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (const char *c = name; *c; c++)
        hash = (hash ^ (unsigned char)*c) * 0x100000001b3u;
    return hash;
}

/* Walk a view row by row along its last axis: where row number `row` starts. */
static int64_t
row_start(const FigView *view, int64_t row)
{
    int64_t at = 0;
    for (int axis = view->rank - 2; axis >= 0; axis--) {
        at += row % view->size[axis] * view->stride[axis];
        row /= view->size[axis];
    }
    return at;
}

void
fig_fill_random(const FigView *view, uint64_t seed, const char *name, double std)
{
    uint64_t start = mix(mix(seed + 0x9e3779b97f4a7c15u) ^ hash_name(name));
    double half = sqrt(3) * std; /* uniform in (-half, half) has that deviation */
    int64_t count = fig_view_count(view);
    int64_t n = view->rank ? view->size[view->rank - 1] : 1;
    int64_t step = view->rank ? view->stride[view->rank - 1] : 1;
    uint64_t index = 0;
    for (int64_t row = 0; row * n < count; row++) {
        int64_t at = row_start(view, row);
        for (int64_t i = 0; i < n; i++, at += step) {
            uint64_t bits = mix(start + ++index * 0x9e3779b97f4a7c15u) >> 40;
            /* odd numerators over 2^24: never 0, exact in float32, symmetric */
            double unit = (double)(2 * (int64_t)bits + 1 - (1 << 24)) / (1 << 24);
            float x = (float)(unit * half);
            if (view->type == FIG_F32)
                ((float *)view->data)[at] = x;
            else
                ((double *)view->data)[at] = (double)x;
        }
    }
}

static void
put_whole(const FigView *view, int64_t at, int64_t number)
{
    if (view->type == FIG_U8)
        ((uint8_t *)view->data)[at] = (uint8_t)number;
    else
        ((int64_t *)view->data)[at] = number;
}

/* Whole numbers from 0 and below a size, seeded like the others. */
static void
fill_whole(const FigView *view, uint64_t seed, const char *name, int64_t below)
{
    uint64_t start = mix(mix(seed + 0x9e3779b97f4a7c15u) ^ hash_name(name));
    int64_t count = fig_view_count(view); /* an input is dense */
    for (int64_t i = 0; i < count; i++)
        put_whole(view, i,
                  (int64_t)(mix(start + (uint64_t)(i + 1) * 0x9e3779b97f4a7c15u) %
                            (uint64_t)below));
}

static void
fill_constant(const FigView *view, double x)
{
    int64_t count = fig_view_count(view);
    int64_t n = view->rank ? view->size[view->rank - 1] : 1;
    int64_t step = view->rank ? view->stride[view->rank - 1] : 1;
    for (int64_t row = 0; row * n < count; row++) {
        int64_t at = row_start(view, row);
        for (int64_t i = 0; i < n; i++, at += step)
            if (view->type == FIG_F32)
                ((float *)view->data)[at] = (float)x;
            else
                ((double *)view->data)[at] = x;
    }
}

static void
fill_weight(const FigValue *value, const FigView *view, uint64_t seed, const char *name)
{
    if (!g_strcmp0(value->init, "ones"))
        fill_constant(view, 1);
    else if (!g_strcmp0(value->init, "zeros"))
        fill_constant(view, 0);
    else {
        /* [… in out]: what a product with it gives has the deviation of what it reads */
        double in = view->rank >= 2 ? (double)view->size[view->rank - 2] : 1;
        fig_fill_random(view, seed, name, 1 / sqrt(in));
    }
}

/* ---- from a file ---- */

/* Has the tensor real numbers and these sizes (the last two swapped when turned)? */
static bool
fits(const FigFileTensor *tensor, const FigView *view, bool turned)
{
    int64_t size[FIG_LIMIT_RANK];
    memcpy(size, view->size, sizeof size);
    if (turned) {
        size[view->rank - 2] = view->size[view->rank - 1];
        size[view->rank - 1] = view->size[view->rank - 2];
    }
    return (tensor->type == FIG_F32 || tensor->type == FIG_F64) &&
           tensor->rank == view->rank &&
           !memcmp(size, tensor->size, sizeof *size * (size_t)view->rank);
}

static FigMessage *
report_misfit(const FigValue *value, const FigFileTensor *tensor, const FigView *view,
              bool turned, FigDiag *diag)
{
    int64_t size[FIG_LIMIT_RANK];
    memcpy(size, view->size, sizeof size);
    if (turned) {
        size[view->rank - 2] = view->size[view->rank - 1];
        size[view->rank - 1] = view->size[view->rank - 2];
    }
    g_autofree char *found = fig_shapes_text(tensor->rank, tensor->size);
    g_autofree char *wanted = fig_shapes_text(view->rank, size);
    return fig_diag_error(diag, value->span,
                          "tensor ‘%s’ is %s %s, but ‘%s’ wants real numbers %s%s",
                          tensor->name, tensor->dtype, found, value->id, wanted,
                          turned ? " (stored out, in)" : "");
}

/* A tensor's name with the layer in it.
 *
 * owns     the caller
 */
static char *
tensor_name(const char *template, int layer)
{
    g_auto(GStrv) parts = g_strsplit(template, LAYER, -1);
    g_autofree char *number = g_strdup_printf("%d", layer);
    return g_strjoinv(number, parts);
}

/* The same of a weight that may be another in each pass.
 *
 * owns     the caller
 */
static char *
weight_name(const FigGraph *graph, const FigValue *value, int layer,
            const int64_t *pass)
{
    g_autofree char *here =
        fig_pass_tensor(graph, value->repeat, pass, value->checkpoint);
    return tensor_name(here, layer);
}

/* Find the tensor of one weight in the file, and note the name as used; NULL, reported. */
static const FigFileTensor *
find_weight(const FigGraph *graph, const FigValue *value, const FigRunOptions *options,
            const FigView *view, const int64_t *pass, GHashTable *used, FigDiag *diag)
{
    if (!value->checkpoint) {
        FigMessage *message =
            fig_diag_error(diag, value->span, "%s: no tensor is ‘%s’",
                           fig_tensor_file_path(options->weights), value->id);
        fig_message_hint(message, "name it with `checkpoint:`");
        return NULL;
    }
    char *name = weight_name(graph, value, options->layer, pass);
    g_hash_table_add(used, name);
    const FigFileTensor *tensor = fig_tensor_file_lookup(options->weights, name);
    bool turned = value->stored_out_in && view->rank >= 2;
    if (!tensor)
        fig_diag_error(diag, value->span, "%s has no tensor ‘%s’ for ‘%s’",
                       fig_tensor_file_path(options->weights), name, value->id);
    else if (!fits(tensor, view, turned))
        report_misfit(value, tensor, view, turned, diag);
    else
        return tensor;
    return NULL;
}

/* Fill a weight from the file; one that is another in each pass is looked for in all. */
static void
load_weight(const FigGraph *graph, const FigSizes *sizes, const FigValue *value,
            const FigRunOptions *options, const FigView *view, GHashTable *used,
            FigDiag *diag)
{
    g_autofree int64_t *pass = g_new0(int64_t, (gsize)graph->n_groups + 1);
    if (value->repeat < 0) {
        const FigFileTensor *tensor =
            find_weight(graph, value, options, view, pass, used, diag);
        if (tensor)
            fig_file_tensor_copy(tensor, value->stored_out_in && view->rank >= 2, view);
        return;
    }
    do
        find_weight(graph, value, options, view, pass, used, diag);
    while (value->checkpoint && fig_pass_next(graph, sizes, value->repeat, pass));
}

/* Does a tensor that no weight took belong to what this spec describes? With {layer} in
 * its names a spec is one layer of a model: the tensors of that layer are its matter.
 * Without, it is the whole. */
static const FigValue *
owner_of_surplus(const FigGraph *graph, int layer, const char *name)
{
    const FigValue *whole = NULL;
    for (int v = 0; v < graph->n_values; v++) {
        const FigValue *value = &graph->values[v];
        const char *at = value->checkpoint ? strstr(value->checkpoint, LAYER) : NULL;
        if (!value->checkpoint)
            continue;
        if (!at) {
            whole = value;
            continue;
        }
        g_autofree char *prefix =
            g_strdup_printf("%.*s%d%c", (int)(at - value->checkpoint),
                            value->checkpoint, layer, at[strlen(LAYER)]);
        if (g_str_has_prefix(name, prefix))
            return value;
        whole = NULL;
        g_autofree char *layers =
            g_strndup(value->checkpoint, (gsize)(at - value->checkpoint));
        if (g_str_has_prefix(name, layers))
            return NULL; /* another layer's */
    }
    return whole;
}

static void
report_surplus(const FigGraph *graph, const FigRunOptions *options, GHashTable *used,
               FigDiag *diag)
{
    for (int i = 0; i < fig_tensor_file_count(options->weights); i++) {
        const FigFileTensor *tensor = fig_tensor_file_at(options->weights, i);
        if (g_hash_table_contains(used, tensor->name))
            continue;
        const FigValue *near = owner_of_surplus(graph, options->layer, tensor->name);
        if (!near)
            continue;
        g_autofree char *found = fig_shapes_text(tensor->rank, tensor->size);
        g_autofree char *shown = fig_json_printable(tensor->name, SHOWN_NAME);
        fig_diag_error(diag, near->span, "%s has a tensor ‘%s’ %s that no weight takes",
                       fig_tensor_file_path(options->weights), shown, found);
    }
}

/* Say which dims the file's sizes would need: "--dims B=2,T=16". */
static void
hint_dims(const FigGraph *graph, const FigValue *value, const FigFileTensor *tensor,
          const FigView *view, FigMessage *message)
{
    g_autoptr(GString) dims = g_string_new(NULL);
    for (int axis = 0; tensor->rank == view->rank && axis < view->rank; axis++) {
        if (tensor->size[axis] == view->size[axis])
            continue;
        int dim = -1;
        for (int d = 0; d < graph->n_dims; d++)
            if (graph->dims[d].symbol >= 0 &&
                fig_poly_equal(graph->dims[d].poly, value->shape.axis[axis]))
                dim = d;
        if (dim < 0)
            return;
        g_string_append_printf(dims, "%s%s=%" G_GINT64_FORMAT, dims->len ? "," : "",
                               graph->dims[dim].id, tensor->size[axis]);
    }
    if (dims->len)
        fig_message_hint(message, "--dims %s", dims->str);
}

/* An input of whole numbers comes from the tensor of its own name. */
static void
load_whole(const FigValue *value, const FigRunOptions *options, const FigView *view,
           int64_t below, FigDiag *diag)
{
    const FigFileTensor *tensor = fig_tensor_file_lookup(options->input, value->id);
    if (!tensor) {
        fig_diag_error(diag, value->span, "the input file has no tensor ‘%s’",
                       value->id);
        return;
    }
    if (tensor->type != view->type || tensor->rank != view->rank ||
        memcmp(tensor->size, view->size, sizeof *view->size * (size_t)view->rank)) {
        g_autofree char *found = fig_shapes_text(tensor->rank, tensor->size);
        g_autofree char *wanted = fig_shapes_text(view->rank, view->size);
        fig_diag_error(diag, value->span, "tensor ‘%s’ is %s %s, but %s %s is wanted",
                       tensor->name, tensor->dtype, found,
                       view->type == FIG_U8 ? "U8" : "I64", wanted);
        return;
    }
    int64_t count = fig_view_count(view);
    for (int64_t i = 0; i < count; i++) {
        int64_t number = fig_file_tensor_whole(tensor, i);
        put_whole(view, i, number);
        bool none = value->may_lack && number == FIG_NO_TARGET;
        if (none || (number >= 0 && number < below))
            continue;
        fig_diag_error(diag, value->span,
                       "‘%s’ holds %" G_GINT64_FORMAT " at index %" G_GINT64_FORMAT
                       "; it must be at least 0 and below %" G_GINT64_FORMAT "%s",
                       value->id, number, i, below,
                       value->may_lack ? ", or -100 where there is none" : "");
        return;
    }
}

static int64_t
below_of(const FigGraph *graph, const FigSizes *sizes, const FigValue *value)
{
    FigRational below;
    FigPolyError error =
        fig_poly_value(graph->algebra, value->below, sizes->symbol, &below);
    g_assert(!error && below.den == 1 && below.num > 0); /* a size of another operand */
    return below.num;
}

static void
load_input(const FigGraph *graph, const FigRunOptions *options, const FigView *values,
           const bool *wanted, FigDiag *diag)
{
    const FigFileTensor *tensor =
        fig_tensor_file_lookup(options->input, FIG_INPUT_TENSOR);
    const FigValue *only = NULL;
    for (int v = 0; v < graph->n_values; v++) {
        const FigValue *value = &graph->values[v];
        if (value->from != FIG_FROM_INPUT || value->whole)
            continue;
        if (only) {
            fig_diag_error(diag, value->span,
                           "a file with " FIG_INPUT_TENSOR
                           " feeds one input, but ‘%s’ is "
                           "a second beside ‘%s’",
                           value->id, only->id);
            return;
        }
        only = value;
        if (!tensor)
            fig_diag_error(diag, value->span,
                           "the input file has no tensor ‘" FIG_INPUT_TENSOR
                           "’ for ‘%s’",
                           value->id);
        else if (!fits(tensor, &values[v], false))
            hint_dims(graph, value, tensor, &values[v],
                      report_misfit(value, tensor, &values[v], false, diag));
        else if (!wanted || wanted[v])
            fig_file_tensor_copy(tensor, false, &values[v]);
    }
}

bool
fig_fill(const FigGraph *graph, const FigRunOptions *options, const FigSizes *sizes,
         const FigView *values, const bool *wanted, FigDiag *diag)
{
    int before = fig_diag_errors(diag);
    g_autoptr(GHashTable) used =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (int v = 0; v < graph->n_values; v++) {
        const FigValue *value = &graph->values[v];
        if (wanted && !wanted[v])
            continue;
        if (value->from == FIG_FROM_WEIGHT && value->n_members == 0) {
            if (options->weights)
                load_weight(graph, sizes, value, options, &values[v], used, diag);
            else if (value->repeat < 0)
                fill_weight(value, &values[v], options->seed, value->id);
        } else if (value->whole) {
            int64_t below = below_of(graph, sizes, value);
            if (options->input)
                load_whole(value, options, &values[v], below, diag);
            else
                fill_whole(&values[v], options->seed, value->id, below);
        } else if (value->from == FIG_FROM_INPUT && !options->input) {
            fig_fill_random(&values[v], options->seed, value->id, 1);
        }
    }
    if (options->weights && !wanted) /* of a part it was said before */
        report_surplus(graph, options, used, diag);
    if (options->input)
        load_input(graph, options, values, wanted, diag);
    return fig_diag_errors(diag) == before;
}

void
fig_fill_weight(const FigGraph *graph, const FigRunOptions *options, int v,
                const FigView *view, const int64_t *pass)
{
    const FigValue *value = &graph->values[v];
    g_autofree char *name = fig_pass_name(graph, value->repeat, pass, value->id);
    if (!options->weights) {
        fill_weight(value, view, options->seed, name);
        return;
    }
    g_autofree char *tensor = weight_name(graph, value, options->layer, pass);
    fig_file_tensor_copy(fig_tensor_file_lookup(options->weights, tensor),
                         value->stored_out_in && view->rank >= 2, view);
}

void
fig_fill_pass(const FigGraph *graph, const FigRunOptions *options,
              const FigView *values, int repeat, const int64_t *pass)
{
    for (int v = 0; v < graph->n_values; v++) {
        const FigValue *value = &graph->values[v];
        if (value->from == FIG_FROM_WEIGHT && !value->n_members &&
            value->repeat == repeat)
            fig_fill_weight(graph, options, v, &values[v], pass);
    }
}
