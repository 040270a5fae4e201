/* SPDX-License-Identifier: MIT
 *
 * spec → graph → runs → record, with the files and messages around it.
 */
#include "cli/work.h"

#include "base/num.h"
#include "cli/drawing.h"
#include "cli/tokens.h"
#include "exec/checkpoint.h"
#include "exec/npy.h"

#include <string.h>

void
fig_work_init(FigWork *work, const FigOptions *options)
{
    memset(work, 0, sizeof *work);
    work->diag = fig_diag_new();
    fig_diag_set_strict(work->diag, options->strict);
    work->strict = options->strict;
    work->arena = fig_arena_new();
}

void
fig_work_finish(FigWork *work)
{
    fig_record_free(work->record);
    fig_graph_free(work->graph);
    fig_arena_free(work->arena);
    fig_diag_free(work->diag);
    memset(work, 0, sizeof *work);
}

bool
fig_work_load(FigWork *work, const char *spec, const FigLoadOptions *load)
{
    bool preset;
    g_autofree char *path = fig_spec_find_model(spec, &preset, work->diag);
    FigLoadOptions own = *load;
    if (!path)
        return false;
    if (preset && own.preset && strcmp(own.preset, spec) != 0) {
        fig_diag_error(work->diag, (FigSpan){0}, "‘%s’ and --preset %s are two models",
                       spec, own.preset);
        return false;
    }
    if (preset)
        own.preset = spec;
    work->graph = fig_spec_load(path, &own, work->diag);
    return work->graph != NULL;
}

/* The tensor of a file that fills an input, or NULL: one of whole numbers has its name, the
 * only other one the stream. */
static const FigFileTensor *
tensor_of(const FigGraph *graph, const FigValue *value, const FigTensorFile *input)
{
    int others = 0;
    for (int i = 0; i < graph->n_values; i++)
        others += graph->values[i].from == FIG_FROM_INPUT && !graph->values[i].whole;
    const FigFileTensor *given = NULL;
    if (value->from == FIG_FROM_INPUT && (value->whole || others == 1))
        given =
            fig_tensor_file_lookup(input, value->whole ? value->id : FIG_INPUT_TENSOR);
    /* of another rank: the run says what is wrong */
    return given && given->rank == value->shape.rank ? given : NULL;
}

/* A preset's context is how long a text can be: one that is given is as long as it is. Its
 * widths are those of the model. */
static bool
gives_way(const FigWork *work, const FigLoadOptions *load, const FigDim *dim)
{
    const FigGraph *graph = work->graph;
    bool way = !load->config;
    for (const FigOverride *one = load->dims; one && one->id; one++)
        way = way && strcmp(one->id, dim->id) != 0;
    for (int v = 0; v < graph->n_values; v++)
        for (int axis = 0; axis < graph->values[v].shape.rank; axis++)
            way = way &&
                  (graph->values[v].from != FIG_FROM_WEIGHT ||
                   !fig_poly_depends(graph->algebra, graph->values[v].shape.axis[axis],
                                     dim->symbol));
    return way;
}

/* Let free dims be as an axis of a tensor says; how many are changed. */
static int
fit_axis(FigWork *work, const FigLoadOptions *load, const FigPoly *axis, int64_t size,
         GArray *dims, bool *fitted)
{
    const FigGraph *graph = work->graph;
    int changed = 0;
    for (int i = 0; i < graph->n_dims; i++) {
        const FigDim *dim = &graph->dims[i];
        if (dim->symbol < 0 || fitted[i] || dim->size == size ||
            !fig_poly_equal(dim->poly, axis) ||
            (dim->overridden && !gives_way(work, load, dim)))
            continue;
        fitted[i] = true;
        const FigOverride fit = {
            dim->id, fig_arena_printf(work->arena, "%" G_GINT64_FORMAT, size)};
        g_array_append_val(dims, fit);
        changed++;
    }
    return changed;
}

bool
fig_work_fit_input(FigWork *work, const char *spec, const FigLoadOptions *load,
                   const FigTensorFile *input)
{
    const FigGraph *graph = work->graph;
    g_autoptr(GArray) dims = g_array_new(false, true, sizeof(FigOverride));
    for (const FigOverride *one = load->dims; one && one->id; one++)
        g_array_append_val(dims, *one);
    int changed = 0;
    g_autofree bool *fitted_already = g_new0(bool, graph->n_dims);
    for (int v = 0; v < graph->n_values; v++) {
        const FigValue *value = &graph->values[v];
        const FigFileTensor *given = tensor_of(graph, value, input);
        for (int axis = 0; given && axis < given->rank; axis++)
            changed += fit_axis(work, load, value->shape.axis[axis], given->size[axis],
                                dims, fitted_already);
    }
    if (!changed)
        return true;
    const FigOverride end = {NULL, NULL};
    g_array_append_val(dims, end);
    FigLoadOptions fitted = *load;
    fitted.dims = &g_array_index(dims, FigOverride, 0);
    FigGraph *before = g_steal_pointer(&work->graph);
    FigDiag *said = work->diag; /* what was said of the spec is said again */
    work->diag = fig_diag_new();
    fig_diag_set_strict(work->diag, work->strict);
    bool loaded = fig_work_load(work, spec, &fitted);
    fig_diag_free(said);
    fig_graph_free(before);
    return loaded;
}

/* "T=128", "theta=1e4": every dim and constant that is not as the spec has it. */
static const char *const *
overrides_of(const FigGraph *graph, FigArena *arena)
{
    GPtrArray *list = g_ptr_array_new();
    for (int i = 0; i < graph->n_dims; i++) {
        const FigDim *dim = &graph->dims[i];
        if (dim->overridden)
            g_ptr_array_add(list, fig_arena_printf(arena, "%s=%" G_GINT64_FORMAT,
                                                   dim->id, dim->size));
    }
    for (int i = 0; i < graph->n_constants; i++) {
        const FigConstant *constant = &graph->constants[i];
        for (int k = 1; k < graph->n_kinds && !constant->overridden; k++)
            constant = &graph->kinds[k].graph->constants[i]; /* of other layers */
        if (!constant->overridden)
            continue;
        g_autofree char *pattern =
            i == graph->kinds_constant ? fig_graph_pattern(graph) : NULL;
        g_ptr_array_add(
            list, pattern
                      ? fig_arena_printf(arena, "%s=[%s]", constant->id, pattern)
                      : fig_arena_printf(arena, "%s=%s", constant->id, constant->text));
    }
    g_ptr_array_add(list, NULL);
    const char *const *copy =
        fig_arena_copy(arena, list->pdata, list->len * sizeof(char *));
    g_ptr_array_unref(list);
    return copy;
}

bool
fig_work_record(FigWork *work, uint64_t seed, const FigRun *measured)
{
    work->probe = fig_run_probe(work->graph, work->arena, work->diag);
    if (!work->probe)
        return false;
    const FigRunOptions on_shapes = {.numeric = false};
    g_autoptr(FigRun) shapes = fig_run_new(work->graph, &on_shapes, work->diag);
    if (!shapes)
        return false;
    const FigRunHook hook = fig_finite_begin(&work->finite, work->graph, work->arena);
    const FigRunOptions on_numbers = {.numeric = true,
                                      .type = FIG_F64,
                                      .naive = true,
                                      .sizes = work->probe,
                                      .seed = seed,
                                      .hook = &hook};
    g_autoptr(FigRun) executed = fig_run_new(work->graph, &on_numbers, work->diag);
    if (!executed)
        return false;
    work->record = fig_record_new(work->graph, shapes, executed, measured,
                                  overrides_of(work->graph, work->arena));
    const FigClaimOptions claims = {.seed = seed, .probe = work->probe};
    return fig_claims_settle(work->graph, &claims, work->record, work->diag);
}

void
fig_work_warn_of_nan(FigWork *work)
{
    const FigFinite *finite = &work->finite;
    if (!finite->graph || finite->node < 0)
        return;
    FigMessage *message = fig_diag_warning(
        work->diag, work->graph->nodes[finite->node].span, "%s", finite->where);
    if (!finite->cause)
        return;
    fig_message_note(message, "%s", finite->cause);
    fig_message_hint(message, "a mask leaves each row something to see");
}

bool
fig_work_live(FigWork *work, uint64_t seed, bool quick)
{
    work->live =
        fig_live_check(work->graph, work->probe, seed, !quick, work->arena, work->diag);
    return work->live != NULL;
}

void
fig_work_try(FigWork *work, uint64_t seed)
{
    const FigClaimOptions claims = {.seed = seed, .probe = work->probe};
    work->tried = fig_claims_try(work->graph, &claims, work->record, work->arena);
}

static FigTensorFile *
open_tensors(FigWork *work, const char *path)
{
    g_autoptr(GError) error = NULL;
    FigTensorFile *file = fig_tensor_file_open(path, &error);
    if (!file)
        fig_diag_error(work->diag, (FigSpan){0}, "%s", error->message);
    return file;
}

static FigTensorFile *
open_input(FigWork *work, const char *path)
{
    g_autoptr(GError) error = NULL;
    if (!fig_npy_is(path))
        return open_tensors(work, path);
    FigTensorFile *file = fig_npy_open(path, FIG_INPUT_TENSOR, &error);
    if (!file)
        fig_diag_error(work->diag, (FigSpan){0}, "%s", error->message);
    return file;
}

/* The tokens, if the graph reads some. */
static FigTensorFile *
open_tokens(FigWork *work, const char *given)
{
    g_autoptr(GError) error = NULL;
    bool reads = false;
    for (int v = 0; v < work->graph->n_values; v++)
        reads = reads || (work->graph->values[v].from == FIG_FROM_INPUT &&
                          work->graph->values[v].whole);
    if (!reads) {
        FigMessage *message = fig_diag_error(work->diag, (FigSpan){0},
                                             "%s reads no tokens", work->graph->name);
        fig_message_hint(message, "--input FILE gives what enters a block");
        return NULL;
    }
    g_autoptr(FigTensorFile) file = fig_tokens_open(given, &error);
    if (!file)
        fig_diag_error(work->diag, (FigSpan){0}, "%s", error->message);
    if (file && fig_tokens_padded(file) &&
        fig_graph_value(work->graph, "attention_mask") < 0) {
        FigMessage *message = fig_diag_error(
            work->diag, (FigSpan){0},
            "%s: some tokens are padding, which %s does not look at here", given,
            work->graph->name);
        if (fig_graph_constant(work->graph, "padding") >= 0)
            fig_message_hint(message, "--set padding=given");
        return NULL;
    }
    return g_steal_pointer(&file);
}

bool
fig_work_numbers(FigWork *work, const FigOptions *options, FigRunOptions *run)
{
    run->seed = (uint64_t)options->seed;
    run->layer = options->layer;
    if (options->layer < 0) {
        fig_diag_error(work->diag, (FigSpan){0}, "--layer is %d; layers count from 0",
                       options->layer);
        return false;
    }
    if (options->weights &&
        !(run->weights = fig_checkpoint_open(options->weights, work->diag)))
        return false;
    if (options->input && options->tokens) {
        fig_diag_error(work->diag, (FigSpan){0},
                       "--input and --tokens both say what enters");
        return false;
    }
    if (options->tokens)
        return (run->input = open_tokens(work, options->tokens)) != NULL;
    return !options->input || (run->input = open_input(work, options->input));
}

bool
fig_work_claims_hold(FigWork *work)
{
    bool all = true;
    for (int i = 0; i < work->record->n_claims; i++) {
        const FigRecordClaim *claim = &work->record->claims[i];
        if (!claim->that || !claim->must || claim->holds)
            continue;
        FigSpan at = {0};
        for (int j = 0; work->graph && j < work->graph->n_claims; j++)
            if (strcmp(work->graph->claims[j].id, claim->id) == 0)
                at = work->graph->claims[j].span;
        FigMessage *message = fig_diag_error(
            work->diag, at, "claim ‘%s’ does not hold: %s", claim->id, claim->that);
        if (claim->found)
            fig_message_note(message, "%s", claim->found);
        fig_message_note(message, "it says: %s", claim->say.text);
        fig_message_hint(message,
                         "--draft draws the figure all the same, marked DRAFT");
        all = false;
    }
    return all;
}

char *
fig_work_options_line(const FigRecord *record, const FigLayoutOptions *layout)
{
    g_autoptr(GString) dims = g_string_new(NULL);
    g_autoptr(GString) set = g_string_new(NULL);
    for (int i = 0; i < record->n_overrides; i++) {
        const char *equals = strchr(record->overrides[i], '=');
        g_autofree char *id =
            g_strndup(record->overrides[i], (gsize)(equals - record->overrides[i]));
        GString *list = fig_record_dim(record, id) ? dims : set;
        if (list->len)
            g_string_append_c(list, ',');
        g_string_append(list, record->overrides[i]);
    }
    g_autoptr(GString) line = g_string_new(NULL);
    if (dims->len)
        g_string_append_printf(line, " --dims %s", dims->str);
    bool plain = !strpbrk(set->str, " {}[]'\"\\$");
    g_autofree char *quoted = g_shell_quote(set->str);
    if (set->len) /* a map holds spaces and braces */
        g_string_append_printf(line, " --set %s", plain ? set->str : quoted);
    bool simple = layout->layout && !strpbrk(layout->layout, " {}[]'\"\\$");
    g_autofree char *file = layout->layout ? g_shell_quote(layout->layout) : NULL;
    if (layout->layout) /* a name, or a path with anything in it */
        g_string_append_printf(line, " --layout %s", simple ? layout->layout : file);
    if (layout->theme)
        g_string_append_printf(line, " --theme %s", layout->theme);
    if (layout->width > 0) {
        g_string_append(line, " --width ");
        fig_num_fixed(line, layout->width, 3);
        g_string_append(line, "pt");
    }
    if (layout->transparent)
        g_string_append(line, " --transparent");
    if (layout->text != FIG_TEXT_LIVE)
        g_string_append_printf(line, " --text %s", fig_text_mode_names[layout->text]);
    if (layout->draft)
        g_string_append(line, " --draft");
    return g_strdup(line->len ? line->str + 1 : "");
}
