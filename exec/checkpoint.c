/* SPDX-License-Identifier: MIT
 *
 * The index is JSON: {"weight_map": {"TENSOR": "FILE", …}}. It comes from strangers as the
 * files do: a file's name is no path, and each tensor is where the index says, and nowhere
 * else.
 */
#include "exec/checkpoint.h"

#include "base/file.h"
#include "base/limit.h"
#include "exec/json.h"

#include <jansson.h>
#include <string.h>

#define ONE "model.safetensors"
#define INDEX ".index.json"

enum { SHOWN_NAME = 80 /* bytes of a stranger's name in a message */ };

/* ---- the index ---- */

/* NULL, reported. */
static json_t *
read_index(const char *path, FigDiag *diag)
{
    g_autofree char *text = NULL;
    g_autoptr(GError) error = NULL;
    gsize length;
    json_error_t trouble;
    if (!fig_file_read(path, FIG_LIMIT_INDEX, &text, &length, &error)) {
        fig_diag_error(diag, (FigSpan){0}, "%s", error->message);
        return NULL;
    }
    if (fig_json_nesting(text, length) > FIG_LIMIT_JSON_DEPTH) {
        fig_diag_error(diag, (FigSpan){0}, "%s: nested deeper than %d", path,
                       FIG_LIMIT_JSON_DEPTH);
        return NULL;
    }
    json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &trouble);
    if (root && json_is_object(json_object_get(root, "weight_map")))
        return root;
    g_autofree char *valid = g_utf8_make_valid(root ? "" : trouble.text, -1);
    g_autofree char *shown = fig_json_printable(valid, SHOWN_NAME);
    if (root)
        fig_diag_error(diag, (FigSpan){0},
                       "%s: no index of tensors: an object under weight_map is wanted",
                       path);
    else
        fig_diag_error(diag, (FigSpan){0}, "%s: line %d: %s", path, trouble.line,
                       shown);
    json_decref(root);
    return NULL;
}

/* A name of a file and nothing else: a stranger's index opens no other. */
static bool
is_plain(const char *name)
{
    return *name && *name != '.' && !strchr(name, '/') &&
           g_str_has_suffix(name, ".safetensors");
}

/* The files that the index names, in the order of their first tensors; NULL, reported. */
static GPtrArray *
shards_of(const char *path, const json_t *map, FigDiag *diag)
{
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    const char *tensor;
    json_t *item;
    json_object_foreach((json_t *)map, tensor, item)
    {
        g_autofree char *shown = fig_json_printable(tensor, SHOWN_NAME);
        const char *name = json_string_value(item);
        if (!name || !is_plain(name)) {
            char *text = json_dumps(item, JSON_COMPACT | JSON_ENCODE_ANY);
            g_autofree char *found = fig_json_printable(text ? text : "?", SHOWN_NAME);
            fig_diag_error(diag, (FigSpan){0},
                           "%s: ‘%s’ is in no file of safetensors beside the index: %s",
                           path, shown, found);
            free(text);
            return NULL;
        }
        if (g_hash_table_add(seen, (gpointer)name))
            g_ptr_array_add(names, (gpointer)name);
    }
    if (names->len > 0 && names->len <= FIG_LIMIT_SHARDS)
        return g_steal_pointer(&names);
    fig_diag_error(diag, (FigSpan){0}, "%s: %u files, where 1 to %d are wanted", path,
                   names->len, FIG_LIMIT_SHARDS);
    return NULL;
}

/* ---- the files against it ---- */

/* Each tensor that the index puts into a file is there. */
static void
check_missing(const char *path, const json_t *map, const GPtrArray *names,
              FigTensorFile **files, FigDiag *diag)
{
    const char *tensor;
    json_t *item;
    json_object_foreach((json_t *)map, tensor, item)
    {
        for (guint i = 0; i < names->len; i++) {
            if (strcmp(names->pdata[i], json_string_value(item)) != 0 ||
                fig_tensor_file_lookup(files[i], tensor))
                continue;
            g_autofree char *shown = fig_json_printable(tensor, SHOWN_NAME);
            fig_diag_error(diag, (FigSpan){0}, "%s: %s has no tensor ‘%s’", path,
                           (const char *)names->pdata[i], shown);
        }
    }
}

/* Each tensor of a file is one that the index puts there. */
static void
check_surplus(const char *path, const json_t *map, const char *name,
              const FigTensorFile *file, FigDiag *diag)
{
    for (int i = 0; i < fig_tensor_file_count(file); i++) {
        const char *tensor = fig_tensor_file_at(file, i)->name;
        const char *said = json_string_value(json_object_get(map, tensor));
        if (said && strcmp(said, name) == 0)
            continue;
        g_autofree char *shown = fig_json_printable(tensor, SHOWN_NAME);
        fig_diag_error(diag, (FigSpan){0},
                       said ? "%s: ‘%s’ is in %s too" : "%s: ‘%s’ of %s is not in it",
                       path, shown, name);
    }
}

static FigTensorFile *
open_shards(const char *path, const json_t *map, const GPtrArray *names, FigDiag *diag)
{
    g_autofree char *folder = g_path_get_dirname(path);
    g_autofree FigTensorFile **files = g_new0(FigTensorFile *, names->len);
    int errors = fig_diag_errors(diag);
    for (guint i = 0; i < names->len; i++) {
        g_autofree char *file = g_build_filename(folder, names->pdata[i], NULL);
        g_autoptr(GError) error = NULL;
        files[i] = fig_tensor_file_open(file, &error);
        if (!files[i])
            fig_diag_error(diag, (FigSpan){0}, "%s", error->message);
    }
    if (fig_diag_errors(diag) == errors) {
        check_missing(path, map, names, files, diag);
        for (guint i = 0; i < names->len; i++)
            check_surplus(path, map, names->pdata[i], files[i], diag);
    }
    if (fig_diag_errors(diag) == errors)
        return fig_tensor_file_join((int)names->len, files);
    for (guint i = 0; i < names->len; i++)
        fig_tensor_file_free(files[i]);
    return NULL;
}

static FigTensorFile *
open_index(const char *path, FigDiag *diag)
{
    json_t *root = read_index(path, diag);
    if (!root)
        return NULL;
    const json_t *map = json_object_get(root, "weight_map");
    g_autoptr(GPtrArray) names = shards_of(path, map, diag);
    FigTensorFile *file = names ? open_shards(path, map, names, diag) : NULL;
    json_decref(root);
    return file;
}

FigTensorFile *
fig_checkpoint_open(const char *path, FigDiag *diag)
{
    g_autofree char *inside = NULL;
    g_autoptr(GError) error = NULL;
    if (g_file_test(path, G_FILE_TEST_IS_DIR)) {
        inside = g_build_filename(path, ONE INDEX, NULL);
        if (!g_file_test(inside, G_FILE_TEST_EXISTS)) {
            g_free(inside);
            inside = g_build_filename(path, ONE, NULL);
        }
        if (!g_file_test(inside, G_FILE_TEST_EXISTS)) {
            fig_diag_error(diag, (FigSpan){0},
                           "%s: there is neither " ONE " nor " ONE INDEX " in it",
                           path);
            return NULL;
        }
        path = inside;
    }
    if (g_str_has_suffix(path, INDEX))
        return open_index(path, diag);
    FigTensorFile *file = fig_tensor_file_open(path, &error);
    if (!file)
        fig_diag_error(diag, (FigSpan){0}, "%s", error->message);
    return file;
}
