/* SPDX-License-Identifier: MIT
 *
 * --edit: as exec/edit.h reads it, and V = FILE.npy.
 */
#include "cli/edits.h"

#include "exec/npy.h"
#include "exec/shapes.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* "FILE.npy" of "V = FILE.npy". owns: the caller; NULL: it is none */
static char *
file_of(const char *text, const char **equals)
{
    *equals = strchr(text, '=');
    if (!*equals || *equals == text || strchr("+*", (*equals)[-1]))
        return NULL;
    char *path = g_strstrip(g_strdup(*equals + 1));
    if (fig_npy_is(path))
        return path;
    g_free(path);
    return NULL;
}

/* Has the array the sizes of the part, or those of the part without axes of one entry? */
static bool
same_sizes(const FigFileTensor *array, const FigPart *part)
{
    int a = 0, p = 0;
    while (a < array->rank || p < part->rank) {
        if (a < array->rank && array->size[a] == 1)
            a++;
        else if (p < part->rank && part->to[p] - part->from[p] == 1)
            p++;
        else if (a == array->rank || p == part->rank ||
                 array->size[a++] != part->to[p] - part->from[p])
            return false;
        else
            p++;
    }
    return true;
}

static bool
read_array(FigWork *work, const char *path, FigEdit *edit)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(FigTensorFile) file = fig_npy_open(path, "array", &error);
    if (!file) {
        fig_diag_error(work->diag, (FigSpan){0}, "--edit: %s", error->message);
        return false;
    }
    const FigFileTensor *array = fig_tensor_file_at(file, 0);
    if (!same_sizes(array, &edit->part)) {
        int64_t size[FIG_LIMIT_RANK];
        for (int axis = 0; axis < edit->part.rank; axis++)
            size[axis] = edit->part.to[axis] - edit->part.from[axis];
        g_autofree char *found = fig_shapes_text(array->rank, array->size);
        g_autofree char *wanted = fig_shapes_text(edit->part.rank, size);
        fig_diag_error(work->diag, (FigSpan){0}, "--edit: %s is %s, but %s is wanted",
                       path, found, wanted);
        return false;
    }
    FigView view =
        fig_view_dense((void *)array->data, array->type, array->rank, array->size);
    int64_t count = fig_view_count(&view);
    double *amounts = fig_arena_new_array(work->arena, double, (int)count);
    for (int64_t i = 0; i < count; i++)
        amounts[i] = fig_view_number(&view, i);
    edit->amounts = amounts;
    return true;
}

char *
fig_edit_file(const char *text)
{
    const char *equals;
    return file_of(text, &equals);
}

/* Can the run hold the numbers of the edit? */
static bool
check_range(FigWork *work, FigType type, const char *text, const FigEdit *edit)
{
    int64_t count = 1;
    for (int axis = 0; axis < edit->part.rank; axis++)
        count *= edit->part.to[axis] - edit->part.from[axis];
    double most = fabs(edit->amount);
    for (int64_t i = 0; edit->amounts && i < count; i++)
        if (isfinite(edit->amounts[i])) /* an array may hold infinities of its own */
            most = fmax(most, fabs(edit->amounts[i]));
    if (type != FIG_F32 || most <= (double)FLT_MAX)
        return true;
    FigMessage *message = fig_diag_error(
        work->diag, (FigSpan){0},
        "--edit ‘%s’: a number beyond 3.4·10³⁸, the largest of float32", text);
    fig_message_hint(message, "--double computes in float64");
    return false;
}

static bool
read_edit(FigWork *work, const FigSizes *sizes, const char *text, FigType type,
          FigEdit *edit)
{
    const char *equals;
    FigSource *source = fig_arena_new0(work->arena, FigSource);
    g_autofree char *path = file_of(text, &equals);
    source->name = "--edit";
    source->text = fig_arena_strdup(work->arena, text); /* what messages quote */
    source->length = strlen(source->text);
    const char *read =
        path ? fig_arena_printf(work->arena, "%.*s= 0", (int)(equals - text), text)
             : source->text;
    FigSpan span = {.source = source, .length = strlen(read), .line = 1, .column = 1};
    return fig_edit_parse(work->graph, sizes, read, span, work->diag, edit) &&
           (!path || read_array(work, path, edit)) &&
           check_range(work, type, text, edit);
}

bool
fig_edits_read(FigWork *work, char **given, FigRunOptions *run)
{
    int n = given ? (int)g_strv_length(given) : 0;
    const FigSizes *sizes =
        n ? fig_graph_sizes(work->graph, NULL, work->arena, work->diag) : NULL;
    FigEdit *edits = fig_arena_new_array(work->arena, FigEdit, n + 1);
    bool good = n == 0 || sizes;
    for (int i = 0; i < n && sizes; i++)
        good = read_edit(work, sizes, given[i], run->type, &edits[i]) && good;
    run->n_edits = n;
    run->edits = edits;
    return good;
}
