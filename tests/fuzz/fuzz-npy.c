/* SPDX-License-Identifier: MIT
 *
 * An array of NumPy from a stranger: as what enters, as tokens, as what a value becomes. Its
 * magic, version and the length of its header are put before the input, whose first line
 * is the header; an input that starts with `raw` is, after that line, the file as it is.
 */
#include "tests/fuzz/fuzz.h"

#include <string.h>

const char *const fuzz_goals[] = {"input", "edit", "tokens", NULL};

static const char *spec = "opfig: 1\nname: tiny\ndims: {T: {is: 2}, C: {is: 3}}\n"
                          "inputs: {x: {shape: [T, C]}}\n"
                          "ops: [{id: y, op: silu, in: x}]\noutputs: [y]\n";
static const char *spec_of_ids =
    "opfig: 1\nname: ids\ndims: {B: {is: 1}, T: {is: 3}, C: {is: 2}, V: {is: 4}}\n"
    "inputs: {input_ids: {shape: [B, T]}}\nweights: {W_e: {shape: [V, C]}}\n"
    "ops: [{id: h, op: embed, in: [input_ids, W_e]}]\noutputs: [h]\n";

/* A spec in a file of its own, for the whole run. */
static char *
spec_file(const char *name, const char *text)
{
    char *path = g_build_filename(g_get_tmp_dir(), name, NULL);
    g_assert_true(g_file_set_contents(path, text, -1, NULL));
    return path;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char *spec_path, *ids_path;
    if (!spec_path) {
        spec_path = spec_file("fuzz-npy.yaml", spec);
        ids_path = spec_file("fuzz-npy-ids.yaml", spec_of_ids);
    }
    g_autoptr(GByteArray) file = g_byte_array_new();
    const uint8_t *end = size ? memchr(data, '\n', size) : NULL;
    size_t header = end ? (size_t)(end - data) + 1 : size;
    if (header != 4 || memcmp(data, "raw", 3) != 0) {
        const uint8_t length[] = {(uint8_t)header, (uint8_t)(header >> 8)};
        g_byte_array_append(file, (const uint8_t *)"\x93NUMPY\x01\x00", 8);
        g_byte_array_append(file, length, sizeof length);
        g_byte_array_append(file, data, (guint)header);
    }
    g_byte_array_append(file, data + header, (guint)(size - header));
    g_autofree char *path = g_build_filename(g_get_tmp_dir(), "fuzz-array.npy", NULL);
    g_assert_true(g_file_set_contents(path, (const char *)file->data, file->len, NULL));
    g_autofree char *edit = g_strdup_printf("y = %s", path);
    const char *const input[] = {"run", spec_path, "--input", path, NULL};
    const char *const edited[] = {"run", spec_path, "--edit", edit, NULL};
    const char *const tokens[] = {"run", ids_path, "--tokens", path, NULL};
    if (fuzz_opfig(input) == 0)
        fuzz_reach("input");
    if (fuzz_opfig(edited) == 0)
        fuzz_reach("edit");
    if (fuzz_opfig(tokens) == 0)
        fuzz_reach("tokens");
    return 0;
}
