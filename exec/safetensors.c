/* SPDX-License-Identifier: MIT
 *
 * Reading and writing safetensors:
 *
 *   8 bytes   length n of the header, little-endian
 *   n bytes   {"NAME": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, …}
 *   the rest  the tensors' bytes, each right after the one before, nothing between
 *
 * Every number is checked before it is used: the header's length against the file, each
 * tensor's bytes against its shape, all tensors together against the data. A file that
 * shrinks while it is mapped is beyond us, as for every program that maps files.
 */
#include "exec/safetensors.h"

#include "exec/half.h"
#include "exec/json.h"

#include "base/file.h"
#include "base/limit.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

G_STATIC_ASSERT(G_BYTE_ORDER == G_LITTLE_ENDIAN);

enum {
    PREFIX = 8,     /* bytes of the header's length */
    ALIGN = 8,      /* the data starts at a multiple of this when we write */
    SHOWN_NAME = 80 /* bytes of a stranger's name in a message */
};

struct FigTensorFile {
    FigArena *arena;
    const char *path; /* of a join: its folder; NULL: in memory */
    const char *map;
    size_t map_size;
    int n_files; /* a join: of so many */
    FigTensorFile **files;
    int count;
    FigFileTensor *tensors; /* in order of name */
};

static bool fault(GError **error, const char *path, const char *format, ...)
    G_GNUC_PRINTF(3, 4);

static bool
fault(GError **error, const char *path, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    g_autofree char *what = g_strdup_vprintf(format, args);
    va_end(args);
    g_set_error(error, g_quark_from_static_string("fig-safetensors"), 1, "%s: %s", path,
                what);
    return false;
}

/* ---- reading ---- */

typedef struct Known {
    const char *dtype;
    FigType type;
    FigStored stored;
    size_t bytes;
} Known;

static const Known known[] = {
    {"F32", FIG_F32, FIG_STORED_PLAIN, 4}, {"F64", FIG_F64, FIG_STORED_PLAIN, 8},
    {"F16", FIG_F32, FIG_STORED_F16, 2},   {"BF16", FIG_F32, FIG_STORED_BF16, 2},
    {"I64", FIG_I64, FIG_STORED_PLAIN, 8}, {"I32", FIG_I64, FIG_STORED_I32, 4},
    {"U8", FIG_U8, FIG_STORED_PLAIN, 1},   {"BOOL", FIG_U8, FIG_STORED_BOOL, 1},
};

static const Known *
known_type(const char *dtype)
{
    for (size_t i = 0; i < G_N_ELEMENTS(known); i++)
        if (!strcmp(known[i].dtype, dtype))
            return &known[i];
    return NULL;
}

/* A list of at most limit whole numbers that are not negative; -1 if it is none. */
static int
naturals(const json_t *list, size_t limit, int64_t *values)
{
    if (!json_is_array(list) || json_array_size(list) > limit)
        return -1;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *item = json_array_get(list, i);
        if (!json_is_integer(item) || json_integer_value(item) < 0)
            return -1;
        values[i] = json_integer_value(item);
    }
    return (int)json_array_size(list);
}

/* One entry of the header. */
static bool
read_tensor(FigTensorFile *file, const char *path, const char *name,
            const json_t *entry, const char *data, size_t data_size,
            FigFileTensor *tensor, GError **error)
{
    g_autofree char *shown = fig_json_printable(name, SHOWN_NAME);
    if (!json_is_object(entry) || json_object_size(entry) != 3 ||
        !json_is_string(json_object_get(entry, "dtype")) ||
        !json_object_get(entry, "shape") || !json_object_get(entry, "data_offsets"))
        return fault(error, path,
                     "tensor ‘%s’: dtype, shape and data_offsets are wanted", shown);
    tensor->name = fig_arena_strdup(file->arena, name);
    const char *dtype = json_string_value(json_object_get(entry, "dtype"));
    const Known *form = known_type(dtype);
    if (!form) {
        g_autofree char *word = fig_json_printable(dtype, SHOWN_NAME);
        return fault(
            error, path,
            "tensor ‘%s’: dtype ‘%s’ is not read, only F32, F64, F16, BF16, I64, "
            "I32, U8 and BOOL",
            shown, word);
    }
    tensor->type = form->type;
    tensor->stored = form->stored;
    tensor->dtype = fig_arena_strdup(file->arena, dtype);
    tensor->rank =
        naturals(json_object_get(entry, "shape"), FIG_LIMIT_RANK, tensor->size);
    if (tensor->rank < 0)
        return fault(error, path,
                     "tensor ‘%s’: its shape is no list of at most %d sizes", shown,
                     FIG_LIMIT_RANK);
    int64_t offsets[2];
    if (naturals(json_object_get(entry, "data_offsets"), 2, offsets) != 2 ||
        offsets[0] > offsets[1])
        return fault(error, path, "tensor ‘%s’: data_offsets are no range", shown);
    if ((uint64_t)offsets[1] > data_size)
        return fault(error, path,
                     "tensor ‘%s’: its data ends at byte %" PRId64
                     ", but the file has %zu bytes of data",
                     shown, offsets[1], data_size);
    size_t bytes = form->bytes;
    bool fits = true;
    for (int i = 0; i < tensor->rank; i++)
        fits = fits && g_size_checked_mul(&bytes, bytes, (size_t)tensor->size[i]);
    if (!fits || bytes != (size_t)(offsets[1] - offsets[0]))
        return fault(error, path,
                     "tensor ‘%s’: its shape does not take the %" PRId64
                     " bytes of its data_offsets",
                     shown, offsets[1] - offsets[0]);
    tensor->data = data + offsets[0];
    tensor->bytes = bytes;
    return true;
}

static int
by_place(const void *a, const void *b)
{
    const FigFileTensor *x = a, *y = b;
    uintptr_t from = (uintptr_t)x->data, other = (uintptr_t)y->data;
    if (from != other)
        return from < other ? -1 : 1;
    return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

static int
by_name(const void *a, const void *b)
{
    return strcmp(((const FigFileTensor *)a)->name, ((const FigFileTensor *)b)->name);
}

/* Each tensor starts where the one before ends, the last ends with the file. */
static bool
check_places(FigTensorFile *file, const char *path, const char *data, size_t data_size,
             GError **error)
{
    qsort(file->tensors, (size_t)file->count, sizeof *file->tensors, by_place);
    size_t at = 0;
    for (int i = 0; i < file->count; i++) {
        const FigFileTensor *tensor = &file->tensors[i];
        size_t from = (size_t)((const char *)tensor->data - data);
        g_autofree char *shown = fig_json_printable(tensor->name, SHOWN_NAME);
        if (from < at)
            return fault(error, path, "tensor ‘%s’ overlaps the one before it", shown);
        if (from > at)
            return fault(error, path, "%zu bytes before tensor ‘%s’ belong to none",
                         from - at, shown);
        at += tensor->bytes;
    }
    if (at != data_size)
        return fault(error, path, "%zu bytes at the end belong to no tensor",
                     data_size - at);
    return true;
}

/* The strings of "__metadata__" are not used, but must be strings. */
static bool
check_metadata(const json_t *metadata, const char *path, GError **error)
{
    const char *name;
    json_t *item;
    bool sound = json_is_object(metadata);
    json_object_foreach((json_t *)metadata, name, item) sound =
        sound && json_is_string(item);
    return sound || fault(error, path, "__metadata__ is no object of strings");
}

static bool
read_header(FigTensorFile *file, const char *path, GError **error)
{
    uint64_t length;
    if (file->map_size < PREFIX)
        return fault(error, path, "too short for a safetensors file");
    memcpy(&length, file->map, PREFIX);
    if (length > file->map_size - PREFIX)
        return fault(error, path,
                     "no safetensors file: its header would take %" PRIu64 " bytes",
                     length);
    if (length > FIG_LIMIT_SAFETENSORS_HEADER)
        return fault(error, path,
                     "its header takes %" PRIu64 " bytes; opfig reads at most %d",
                     length, FIG_LIMIT_SAFETENSORS_HEADER);
    const char *json = file->map + PREFIX;
    if (fig_json_nesting(json, length) > FIG_LIMIT_JSON_DEPTH)
        return fault(error, path, "header: nested deeper than %d",
                     FIG_LIMIT_JSON_DEPTH);
    json_error_t trouble;
    json_t *root = json_loadb(json, length, JSON_REJECT_DUPLICATES, &trouble);
    if (!root) {
        g_autofree char *text = g_utf8_make_valid(trouble.text, -1);
        g_autofree char *shown = fig_json_printable(text, SHOWN_NAME);
        return fault(error, path, "header: column %d: %s", trouble.column, shown);
    }
    const char *data = json + length;
    size_t data_size = file->map_size - PREFIX - length;
    bool good = true;
    if (!json_is_object(root))
        good = fault(error, path, "header: an object is wanted");
    if (json_object_size(root) > G_MAXINT)
        good = fault(error, path, "header: too many tensors");
    file->tensors =
        fig_arena_new_array(file->arena, FigFileTensor, json_object_size(root));
    const char *name;
    json_t *entry;
    json_object_foreach(root, name, entry)
    {
        if (!good)
            break;
        if (!strcmp(name, "__metadata__"))
            good = check_metadata(entry, path, error);
        else
            good = read_tensor(file, path, name, entry, data, data_size,
                               &file->tensors[file->count++], error);
    }
    json_decref(root);
    good = good && check_places(file, path, data, data_size, error);
    if (good) /* else a tensor may have no name yet */
        qsort(file->tensors, (size_t)file->count, sizeof *file->tensors, by_name);
    return good;
}

static bool
map_file(FigTensorFile *file, const char *path, GError **error)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return fault(error, path, "%s", g_strerror(errno));
    struct stat info;
    bool good = true;
    if (fstat(fd, &info) != 0)
        good = fault(error, path, "%s", g_strerror(errno));
    else if (S_ISDIR(info.st_mode))
        good = fault(error, path, "a directory, where a file is wanted");
    else if (!S_ISREG(info.st_mode))
        good = fault(error, path, "no regular file");
    if (good && info.st_size > 0) {
        file->map_size = (size_t)info.st_size;
        void *map = mmap(NULL, file->map_size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (map == MAP_FAILED)
            good = fault(error, path, "%s", g_strerror(errno));
        else
            file->map = map;
    }
    close(fd);
    return good;
}

FigTensorFile *
fig_tensor_file_open(const char *path, GError **error)
{
    FigTensorFile *file = g_new0(FigTensorFile, 1);
    file->arena = fig_arena_new();
    file->path = fig_arena_strdup(file->arena, path);
    if (map_file(file, path, error) && read_header(file, path, error))
        return file;
    fig_tensor_file_free(file);
    return NULL;
}

static const char *
dtype_of(FigType type)
{
    switch (type) {
    case FIG_F32:
        return "F32";
    case FIG_F64:
        return "F64";
    case FIG_U8:
        return "U8";
    case FIG_I64:
        return "I64";
    }
    g_assert_not_reached();
}

FigTensorFile *
fig_tensor_file_new(int count, const char *const *names, const FigView *tensors)
{
    FigTensorFile *file = g_new0(FigTensorFile, 1);
    file->arena = fig_arena_new();
    file->count = count;
    file->tensors = fig_arena_new_array(file->arena, FigFileTensor, count);
    for (int i = 0; i < count; i++) {
        const FigView *view = &tensors[i];
        FigFileTensor *tensor = &file->tensors[i];
        tensor->name = fig_arena_strdup(file->arena, names[i]);
        tensor->dtype = dtype_of(view->type);
        tensor->type = view->type;
        tensor->rank = view->rank;
        memcpy(tensor->size, view->size, sizeof tensor->size);
        tensor->bytes = (size_t)fig_view_count(view) * fig_type_size(view->type);
        void *data = fig_arena_alloc(file->arena, MAX(tensor->bytes, 1));
        FigView copy = fig_view_dense(data, view->type, view->rank, view->size);
        fig_view_copy(view, &copy);
        tensor->data = data;
    }
    qsort(file->tensors, (size_t)count, sizeof *file->tensors, by_name);
    return file;
}

FigTensorFile *
fig_tensor_file_join(int count, FigTensorFile **files)
{
    FigTensorFile *join = g_new0(FigTensorFile, 1);
    join->arena = fig_arena_new();
    join->n_files = count;
    if (count > 0 && files[0]->path) {
        g_autofree char *folder = g_path_get_dirname(files[0]->path);
        join->path = fig_arena_strdup(join->arena, folder);
    }
    join->files = fig_arena_copy(join->arena, files, sizeof *files * (size_t)count);
    for (int i = 0; i < count; i++)
        join->count += files[i]->count;
    join->tensors = fig_arena_new_array(join->arena, FigFileTensor, join->count);
    for (int i = 0, at = 0; i < count; at += files[i++]->count)
        memcpy(join->tensors + at, files[i]->tensors,
               sizeof *join->tensors * (size_t)files[i]->count);
    qsort(join->tensors, (size_t)join->count, sizeof *join->tensors, by_name);
    return join;
}

void
fig_tensor_file_free(FigTensorFile *file)
{
    if (!file)
        return;
    for (int i = 0; i < file->n_files; i++)
        fig_tensor_file_free(file->files[i]);
    if (file->map)
        munmap((void *)file->map, file->map_size);
    fig_arena_free(file->arena);
    g_free(file);
}

const char *
fig_tensor_file_path(const FigTensorFile *file)
{
    return file->path ? file->path : "the weights file";
}

int
fig_tensor_file_count(const FigTensorFile *file)
{
    return file->count;
}

const FigFileTensor *
fig_tensor_file_at(const FigTensorFile *file, int index)
{
    g_assert(index >= 0 && index < file->count);
    return &file->tensors[index];
}

const FigFileTensor *
fig_tensor_file_lookup(const FigTensorFile *file, const char *name)
{
    FigFileTensor key = {.name = name};
    if (file->count == 0)
        return NULL;
    return bsearch(&key, file->tensors, (size_t)file->count, sizeof key, by_name);
}

/* ---- numbers ---- */

double
fig_file_tensor_real(const FigFileTensor *tensor, int64_t index)
{
    const char *data = tensor->data;
    uint16_t half;
    float single;
    double real;
    switch (tensor->stored) {
    case FIG_STORED_F16:
    case FIG_STORED_BF16:
        memcpy(&half, data + 2 * index, sizeof half);
        return (double)(tensor->stored == FIG_STORED_F16 ? fig_half_float(half)
                                                         : fig_bfloat_float(half));
    default:
        break;
    }
    if (tensor->type == FIG_F32) {
        memcpy(&single, data + index * (int64_t)sizeof single, sizeof single);
        return (double)single;
    }
    g_assert(tensor->type == FIG_F64);
    memcpy(&real, data + index * (int64_t)sizeof real, sizeof real);
    return real;
}

int64_t
fig_file_tensor_whole(const FigFileTensor *tensor, int64_t index)
{
    const char *data = tensor->data;
    int32_t narrow;
    int64_t wide;
    if (tensor->type == FIG_U8)
        return tensor->stored == FIG_STORED_BOOL ? data[index] != 0
                                                 : ((const uint8_t *)data)[index];
    g_assert(tensor->type == FIG_I64);
    if (tensor->stored == FIG_STORED_I32) {
        memcpy(&narrow, data + 4 * index, sizeof narrow);
        return narrow;
    }
    memcpy(&wide, data + 8 * index, sizeof wide);
    return wide;
}

/* ---- writing ---- */

typedef struct Entry {
    const char *name;
    const FigView *tensor;
} Entry;

static int
by_entry(const void *a, const void *b)
{
    return strcmp(((const Entry *)a)->name, ((const Entry *)b)->name);
}

/* Append a view's elements in row-major order. */
static void
append_elements(GString *out, const FigView *view)
{
    size_t bytes = fig_type_size(view->type);
    int64_t count = fig_view_count(view);
    if (fig_view_is_dense(view)) {
        g_string_append_len(out, view->data, (gssize)((size_t)count * bytes));
        return;
    }
    int64_t index[FIG_LIMIT_RANK] = {0};
    for (int64_t i = 0; i < count; i++) {
        int64_t at = 0;
        for (int axis = 0; axis < view->rank; axis++)
            at += index[axis] * view->stride[axis];
        g_string_append_len(out, (const char *)view->data + at * (int64_t)bytes,
                            (gssize)bytes);
        for (int axis = view->rank - 1; axis >= 0; axis--) {
            if (++index[axis] < view->size[axis])
                break;
            index[axis] = 0;
        }
    }
}

bool
fig_tensor_file_write(const char *path, int count, const char *const *names,
                      const FigView *tensors, GError **error)
{
    g_autofree Entry *entries = g_new(Entry, (gsize)count);
    for (int i = 0; i < count; i++)
        entries[i] = (Entry){names[i], &tensors[i]};
    if (count > 0)
        qsort(entries, (size_t)count, sizeof *entries, by_entry);

    json_t *root = json_object();
    int64_t at = 0;
    for (int i = 0; i < count; i++) {
        const FigView *tensor = entries[i].tensor;
        g_assert(i == 0 || strcmp(entries[i - 1].name, entries[i].name));
        int64_t end =
            at + fig_view_count(tensor) * (int64_t)fig_type_size(tensor->type);
        json_t *shape = json_array();
        for (int axis = 0; axis < tensor->rank; axis++)
            json_array_append_new(shape, json_integer(tensor->size[axis]));
        json_object_set_new(root, entries[i].name,
                            json_pack("{s:s, s:o, s:[I, I]}", "dtype",
                                      dtype_of(tensor->type), "shape", shape,
                                      "data_offsets", (json_int_t)at, (json_int_t)end));
        at = end;
    }
    char *header = json_dumps(root, JSON_COMPACT);
    json_decref(root);
    uint64_t length = (strlen(header) + ALIGN - 1) / ALIGN * ALIGN;
    g_autoptr(GString) out = g_string_sized_new(PREFIX + length + (size_t)at);
    g_string_append_len(out, (const char *)&length, PREFIX);
    g_string_append(out, header);
    while (out->len < PREFIX + length)
        g_string_append_c(out, ' ');
    free(header);
    for (int i = 0; i < count; i++)
        append_elements(out, entries[i].tensor);
    return fig_file_write(path, out->str, out->len, error);
}
