/* SPDX-License-Identifier: MIT
 *
 * The reader against a file of the golden set, against hostile headers and random damage;
 * the writer against the reader, with strided views.
 */
#include "exec/safetensors.h"
#include "exec/tensor-copy.h"

#include <glib/gstdio.h>
#include <string.h>

static char *folder;

static char *
write_bytes(const char *name, const void *bytes, size_t length)
{
    char *path = g_build_filename(folder, name, NULL);
    g_autoptr(GError) error = NULL;
    g_file_set_contents(path, bytes, (gssize)length, &error);
    g_assert_no_error(error);
    return path;
}

/* A file of a header and `data` bytes of zeros. */
static char *
write_header(const char *header, size_t data)
{
    g_autoptr(GString) out = g_string_new(NULL);
    guint64 length = strlen(header);
    g_string_append_len(out, (const char *)&length, 8);
    g_string_append(out, header);
    for (size_t i = 0; i < data; i++)
        g_string_append_c(out, '\0');
    return write_bytes("hostile.safetensors", out->str, out->len);
}

#define ONE(shape, from, to)                                                           \
    "{\"a\":{\"dtype\":\"F32\",\"shape\":" shape ",\"data_offsets\":[" from "," to "]" \
    "}"                                                                                \
    "}"

typedef struct Hostile {
    const char *header;
    size_t data;
    const char *message;
} Hostile;

static const Hostile hostile[] = {
    {"[]", 0, "header: an object is wanted"},
    {"{}", 3, "3 bytes at the end belong to no tensor"},
    {ONE("[2]", "0", "8"), 4,
     "tensor ‘a’: its data ends at byte 8, but the file has 4 bytes of data"},
    {ONE("[2]", "0", "8"), 12, "4 bytes at the end belong to no tensor"},
    {ONE("[2]", "4", "12"), 12, "4 bytes before tensor ‘a’ belong to none"},
    {ONE("[3]", "0", "8"), 8,
     "tensor ‘a’: its shape does not take the 8 bytes of its data_offsets"},
    {ONE("[4611686018427387905, 4]", "0", "16"), 16,
     "tensor ‘a’: its shape does not take the 16 bytes of its data_offsets"},
    {ONE("[9223372036854775807, 9223372036854775807]", "0", "4"), 4,
     "tensor ‘a’: its shape does not take the 4 bytes of its data_offsets"},
    {ONE("[9223372036854775808]", "0", "4"), 4,
     "header: column 48: too big integer near '9223372036854775808'"},
    {ONE("[-2]", "0", "8"), 8, "tensor ‘a’: its shape is no list of at most 8 sizes"},
    {ONE("[1.5]", "0", "8"), 8, "tensor ‘a’: its shape is no list of at most 8 sizes"},
    {ONE("[1,1,1,1,1,1,1,1,2]", "0", "8"), 8,
     "tensor ‘a’: its shape is no list of at most 8 sizes"},
    {ONE("[2]", "8", "0"), 8, "tensor ‘a’: data_offsets are no range"},
    {ONE("[2]", "-8", "0"), 8, "tensor ‘a’: data_offsets are no range"},
    {ONE("[2]", "0", "9223372036854775807"), 8,
     "tensor ‘a’: its data ends at byte 9223372036854775807, but the file has 8 bytes "
     "of "
     "data"},
    {"{\"a\":{\"dtype\":\"Q9\\u001b[31m\",\"shape\":[1],\"data_offsets\":[0,4]}}", 4,
     "tensor ‘a’: dtype ‘Q9\\u001b[31m’ is not read, only F32, F64, F16, BF16, "
     "I64, I32, U8 and BOOL"},
    {"{\"a\":{\"shape\":[1],\"data_offsets\":[0,4]}}", 4,
     "tensor ‘a’: dtype, shape and data_offsets are wanted"},
    {"{\"a\":7}", 0, "tensor ‘a’: dtype, shape and data_offsets are wanted"},
    {"{\"a\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[0,2]},"
     "\"a\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[0,2]}}",
     2, "header: column 56: duplicate object key near '\"a\"'"},
    {"{\"a\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[0,2]},"
     "\"b\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[1,3]}}",
     3, "tensor ‘b’ overlaps the one before it"},
    {"{\"__metadata__\":{\"a\":1}}", 0, "__metadata__ is no object of strings"},
};

static void
test_hostile(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(hostile); i++) {
        g_autofree char *path = write_header(hostile[i].header, hostile[i].data);
        g_autoptr(GError) error = NULL;
        g_assert_null(fig_tensor_file_open(path, &error));
        g_autofree char *message = g_strdup_printf("%s: %s", path, hostile[i].message);
        g_assert_cmpstr(error->message, ==, message);
    }
}

static void
refuse(const char *path, const char *what)
{
    g_autoptr(GError) error = NULL;
    g_assert_null(fig_tensor_file_open(path, &error));
    if (!strstr(error->message, what))
        g_error("«%s» does not say «%s»", error->message, what);
}

static void
test_no_file(void)
{
    g_autofree char *missing = g_build_filename(folder, "missing", NULL);
    refuse(missing, "No such file or directory");
    refuse(folder, "a directory, where a file is wanted");
    refuse("/dev/zero", "no regular file");
    g_autofree char *empty = write_bytes("empty", "", 0);
    refuse(empty, "too short");
    g_autofree char *huge = write_bytes("huge", "\xff\xff\xff\xff\xff\xff\xff\xff", 8);
    refuse(huge, "its header would take 18446744073709551615 bytes");
    g_autofree char *longer = write_bytes("longer", "\x01\0\0\0\0\0\0\0", 8);
    refuse(longer, "its header would take 1 bytes");
    g_autoptr(GString) deep = g_string_new(NULL);
    for (int i = 0; i < 200000; i++)
        g_string_append_c(deep, '[');
    g_autofree char *brackets = write_header(deep->str, 0);
    refuse(brackets, "header: nested deeper than 64");
}

static void
test_write_and_read(void)
{
    float numbers[6] = {1, 2, 3, 4, 5, 6};
    double reals[2] = {0.1, -0.0};
    uint8_t bits[3] = {1, 0, 1};
    int64_t two[] = {2, 3}, one[] = {2}, three[] = {3};
    FigView views[4] = {
        fig_view_dense(numbers, FIG_F32, 2, two),
        fig_view_dense(reals, FIG_F64, 1, one),
        fig_view_dense(bits, FIG_U8, 1, three),
        fig_view_dense(numbers, FIG_F32, 2, two),
    };
    /* the transpose of numbers: [3, 2] */
    views[3].size[0] = 3;
    views[3].size[1] = 2;
    views[3].stride[0] = 1;
    views[3].stride[1] = 3;
    const char *names[] = {"z \"quoted\"", "m", "größe", "transposed"};
    g_autofree char *path = g_build_filename(folder, "written.safetensors", NULL);
    g_autoptr(GError) error = NULL;
    g_assert_true(fig_tensor_file_write(path, 4, names, views, &error));
    g_assert_no_error(error);
    g_autoptr(FigTensorFile) file = fig_tensor_file_open(path, &error);
    g_assert_no_error(error);
    g_assert_cmpint(fig_tensor_file_count(file), ==, 4);
    g_assert_cmpstr(fig_tensor_file_at(file, 0)->name, ==, "größe");
    g_assert_cmpstr(fig_tensor_file_at(file, 3)->name, ==, "z \"quoted\"");
    g_assert_null(fig_tensor_file_lookup(file, "none"));
    const FigFileTensor *turned = fig_tensor_file_lookup(file, "transposed");
    float want[6] = {1, 4, 2, 5, 3, 6}, got[6];
    g_assert_cmpint(turned->rank, ==, 2);
    g_assert_cmpint(turned->size[0], ==, 3);
    g_assert_cmpuint(turned->bytes, ==, sizeof got);
    memcpy(got, turned->data, sizeof got);
    g_assert_cmpmem(got, sizeof got, want, sizeof want);
    const FigFileTensor *m = fig_tensor_file_lookup(file, "m");
    g_assert_cmpmem(m->data, m->bytes, reals, sizeof reals);
    g_assert_cmpstr(m->dtype, ==, "F64");
}

/* Copies by tiles are those number by number: sizes around those of a tile, the other way
 * round or not, into a part of a larger matrix, as a joined weight is. */
static void
test_copy(void)
{
    static const int64_t sizes[][3] = {{1, 1, 1},    {1, 16, 256}, {2, 17, 257},
                                       {1, 37, 531}, {3, 15, 3},   {1, 300, 2}};
    g_autoptr(GRand) random = g_rand_new_with_seed(4);
    for (size_t s = 0; s < G_N_ELEMENTS(sizes); s++) {
        const int64_t *size = sizes[s];
        int64_t count = size[0] * size[1] * size[2];
        g_autofree double *numbers = g_new(double, (gsize)count);
        for (int64_t i = 0; i < count; i++)
            numbers[i] = g_rand_double_range(random, -1, 1);
        const char *name = "a";
        FigView given = fig_view_dense(numbers, FIG_F64, 3, size);
        g_autoptr(FigTensorFile) file = fig_tensor_file_new(1, &name, &given);
        const FigFileTensor *tensor = fig_tensor_file_at(file, 0);
        for (int turned = 0; turned < 2; turned++) {
            int64_t rows = size[1 + turned], columns = size[2 - turned];
            int64_t wide = columns + 3;
            g_autofree float *data = g_new0(float, (gsize)(size[0] * rows * wide));
            FigView view = {.data = data,
                            .type = FIG_F32,
                            .rank = 3,
                            .size = {size[0], rows, columns},
                            .stride = {rows * wide, wide, 1}};
            fig_file_tensor_copy(tensor, turned, &view);
            for (int64_t b = 0; b < size[0]; b++)
                for (int64_t r = 0; r < rows; r++)
                    for (int64_t c = 0; c < wide; c++) {
                        int64_t in = turned ? c * rows + r : r * columns + c;
                        float want = c < columns ? (float)fig_file_tensor_real(
                                                       tensor, b * rows * columns + in)
                                                 : 0;
                        g_assert_cmpfloat(data[(b * rows + r) * wide + c], ==, want);
                    }
        }
    }
}

static void
test_damage(void)
{
    float numbers[6] = {1, 2, 3, 4, 5, 6};
    int64_t size[] = {2, 3};
    FigView views[2];
    views[0] = views[1] = fig_view_dense(numbers, FIG_F32, 2, size);
    const char *names[] = {"a", "b"};
    g_autofree char *path = g_build_filename(folder, "sound.safetensors", NULL);
    g_assert_true(fig_tensor_file_write(path, 2, names, views, NULL));
    g_autofree char *bytes = NULL;
    gsize length;
    g_assert_true(g_file_get_contents(path, &bytes, &length, NULL));
    GRand *random = g_rand_new_with_seed(8);
    int refused = 0;
    for (int round = 0; round < 1000; round++) {
        g_autofree char *broken = g_memdup2(bytes, length);
        gsize end = length;
        if (g_rand_boolean(random))
            end = (gsize)g_rand_int_range(random, 0, (gint32)length);
        else
            broken[g_rand_int_range(random, 0, (gint32)length - 48)] ^=
                (char)g_rand_int_range(random, 1, 256);
        g_autofree char *hurt = g_build_filename(folder, "hurt.safetensors", NULL);
        g_remove(hurt); /* without it GLib overwrites a part and leaves the rest */
        g_assert_true(g_file_set_contents_full(hurt, broken, (gssize)end,
                                               G_FILE_SET_CONTENTS_NONE, 0600, NULL));
        g_autoptr(GError) error = NULL;
        g_autoptr(FigTensorFile) file = fig_tensor_file_open(hurt, &error);
        g_assert_true(!file == !!error);
        refused += !file;
        g_assert_true(end == length || !file); /* a part of a file is none */
        /* what is accepted lies inside the file: the sanitizer sees it if not */
        for (int i = 0; file && i < fig_tensor_file_count(file); i++) {
            const FigFileTensor *tensor = fig_tensor_file_at(file, i);
            g_autofree char *copy = g_memdup2(tensor->data, tensor->bytes);
            g_assert_true(copy || tensor->bytes == 0);
        }
    }
    g_rand_free(random);
    g_assert_cmpint(refused, >, 400);
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    folder = g_dir_make_tmp("opfig-safetensors-XXXXXX", NULL);
    g_test_add_func("/safetensors/hostile", test_hostile);
    g_test_add_func("/safetensors/no-file", test_no_file);
    g_test_add_func("/safetensors/write-and-read", test_write_and_read);
    g_test_add_func("/safetensors/copy", test_copy);
    g_test_add_func("/safetensors/damage", test_damage);
    int status = g_test_run();
    static const char *const files[] = {"hostile.safetensors",
                                        "empty",
                                        "huge",
                                        "longer",
                                        "written.safetensors",
                                        "sound.safetensors",
                                        "hurt.safetensors"};
    for (size_t i = 0; i < G_N_ELEMENTS(files); i++) {
        g_autofree char *path = g_build_filename(folder, files[i], NULL);
        g_unlink(path);
    }
    g_rmdir(folder);
    g_free(folder);
    return status;
}
