/* SPDX-License-Identifier: MIT
 *
 * Each released model as a row: its dims, and what the record of a run on shapes says it
 * has, computes and keeps.
 */
#include "cli/presets.h"

#include "base/num.h"
#include "check/claims.h"
#include "cli/table.h"
#include "spec/load.h"
#include "text/text.h"

#include <stdio.h>
#include <string.h>

typedef struct Preset {
    char *name;
    FigGraph *graph;
    FigRun *shapes;
    FigRecord *record;
} Preset;

static void
close_preset(void *data)
{
    Preset *preset = data;
    g_free(preset->name);
    if (preset->record)
        fig_record_free(preset->record);
    fig_run_free(preset->shapes);
    if (preset->graph)
        fig_graph_free(preset->graph);
}

static bool
open_preset(const char *name, FigDiag *diag, Preset *preset)
{
    const FigLoadOptions load = {.preset = name, .check_label = fig_text_check};
    const FigRunOptions on_shapes = {.numeric = false};
    bool known;
    g_autofree char *path = fig_spec_find_model(name, &known, diag);
    preset->name = g_strdup(name);
    preset->graph = path ? fig_spec_load(path, &load, diag) : NULL;
    preset->shapes =
        preset->graph ? fig_run_new(preset->graph, &on_shapes, diag) : NULL;
    if (preset->shapes)
        preset->record = fig_record_lent(preset->graph, preset->shapes);
    return preset->record != NULL;
}

/* A whole number of the record; -1, reported. */
static int64_t
number_of(const Preset *preset, const char *expr, FigDiag *diag)
{
    int64_t number;
    bool good = fig_claims_whole(preset->graph, preset->record, expr, &number, diag);
    return good ? number : -1;
}

/* "9.5 GiB", "528 MiB" */
static void
append_bytes(GString *out, int64_t bytes)
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
    double number = (double)bytes;
    size_t unit = 0;
    while (number >= 1024 && unit + 1 < G_N_ELEMENTS(units)) {
        number /= 1024;
        unit++;
    }
    fig_num_significant(out, number, 3);
    g_string_append_printf(out, " %s", units[unit]);
}

static char *
commas(int64_t number)
{
    GString *text = g_string_new(NULL);
    fig_num_integer(text, number, true);
    return g_string_free(text, false);
}

/* The tokens of a network are its first input: along its last axis, and for each sequence
 * of the batch along those before it. */
static const FigRecordValue *
tokens_of(const Preset *preset)
{
    return preset->record->n_values > 0 ? &preset->record->values[0] : NULL;
}

/* An expression for each sequence of the batch, or for each token. owns: the caller */
static char *
for_each(const Preset *preset, const char *expr, bool token)
{
    const FigRecordValue *tokens = tokens_of(preset);
    GString *out = g_string_new(expr);
    for (int axis = 0; tokens && axis < tokens->rank - !token; axis++)
        g_string_append_printf(out, "/(%s)", tokens->shape[axis]);
    return g_string_free(out, false);
}

static bool
is_batch(const Preset *preset, const char *dim)
{
    const FigRecordValue *tokens = tokens_of(preset);
    for (int axis = 0; tokens && axis + 1 < tokens->rank; axis++)
        if (strcmp(tokens->shape[axis], dim) == 0)
            return true;
    return false;
}

/* Dims of all models, in the order they are met; the batch says nothing of a model. */
static char **
dims_of(const GArray *presets)
{
    g_autoptr(GPtrArray) ids = g_ptr_array_new();
    for (guint i = 0; i < presets->len; i++) {
        const Preset *preset = &g_array_index(presets, Preset, i);
        const FigRecord *record = preset->record;
        for (int d = 0; d < record->n_dims; d++) {
            const char *id = record->dims[d].id;
            if (!is_batch(preset, id) &&
                !g_ptr_array_find_with_equal_func(ids, id, g_str_equal, NULL))
                g_ptr_array_add(ids, (void *)id);
        }
    }
    g_ptr_array_add(ids, NULL);
    return g_strdupv((char **)ids->pdata);
}

/* The dim of the tokens, "T"; "all" where models call it otherwise. owns: the caller */
static char *
token_dim(const GArray *presets)
{
    const char *all = NULL;
    for (guint i = 0; i < presets->len; i++) {
        const FigRecordValue *tokens = tokens_of(&g_array_index(presets, Preset, i));
        const char *dim =
            tokens && tokens->rank > 0 ? tokens->shape[tokens->rank - 1] : "all";
        if (all && strcmp(all, dim) != 0)
            return g_strdup("all");
        all = dim;
    }
    return g_strdup(all ? all : "all");
}

static void
add_row(FigTable *table, const Preset *preset, char **dims, FigDiag *diag)
{
    int n = (int)g_strv_length(dims);
    g_autofree char **cells = g_new0(char *, (gsize)n + 4);
    cells[0] = g_strdup(preset->name);
    for (int d = 0; d < n; d++) {
        const FigRecordDim *dim = fig_record_dim(preset->record, dims[d]);
        cells[d + 1] =
            dim ? g_strdup_printf("%" G_GINT64_FORMAT, dim->size) : g_strdup("");
    }
    GString *cache = g_string_new(NULL);
    g_autofree char *kept = for_each(preset, "kv_bytes()", false);
    g_autofree char *computed = for_each(preset, "shown_flops()", true);
    append_bytes(cache, number_of(preset, kept, diag));
    cells[n + 1] = commas(number_of(preset, "params()", diag));
    cells[n + 2] = commas(number_of(preset, computed, diag));
    cells[n + 3] = g_string_free(cache, false);
    fig_table_add(table, cells);
}

bool
fig_presets_print(GString *out, bool colour, FigDiag *diag)
{
    g_auto(GStrv) names = fig_preset_names();
    g_autoptr(GArray) presets = g_array_new(false, true, sizeof(Preset));
    g_array_set_clear_func(presets, close_preset);
    bool good = true;
    for (char **name = names; *name && good; name++) {
        Preset preset = {0};
        good = open_preset(*name, diag, &preset);
        g_array_append_val(presets, preset);
    }
    if (!good)
        return false;
    g_auto(GStrv) dims = dims_of(presets);
    g_autoptr(GPtrArray) headings = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(headings, g_strdup("preset"));
    for (char **dim = dims; *dim; dim++)
        g_ptr_array_add(headings, g_strdup_printf(">%s", *dim));
    g_ptr_array_add(headings, g_strdup(">parameters"));
    g_ptr_array_add(headings, g_strdup(">FLOPs a token"));
    g_ptr_array_add(headings, g_strdup(">KV cache"));
    g_autoptr(FigTable) table =
        fig_table_new((int)headings->len, (const char *const *)headings->pdata);
    for (guint i = 0; i < presets->len; i++)
        add_row(table, &g_array_index(presets, Preset, i), dims, diag);
    fig_table_print(table, out, colour);
    g_autofree char *tokens = token_dim(presets);
    g_string_append_printf(out,
                           "FLOPs: forward, at %s tokens; of a window the keys it "
                           "shows. KV cache: of %s tokens, in 16 bits a number.\n",
                           tokens, tokens);
    return fig_diag_errors(diag) == 0;
}
