/* SPDX-License-Identifier: MIT
 *
 * An array of NumPy from a stranger: as what enters, as tokens, as what a value becomes. Its
 * magic, version and the length of its header are put before the input, whose first line
 * is the header; an input that starts with `raw` is, after that line, the file as it is.
 */
#include "tests/fuzz/fuzz.h"

#include <string.h>

static const char *spec = "opfig: 1\nname: tiny\ndims: {T: {is: 2}, C: {is: 3}}\n"
                          "inputs: {x: {shape: [T, C]}}\n"
                          "ops: [{id: y, op: silu, in: x}]\noutputs: [y]\n";

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char *spec_path;
    if (!spec_path) {
        spec_path = g_build_filename(g_get_tmp_dir(), "fuzz-npy.yaml", NULL);
        g_assert_true(g_file_set_contents(spec_path, spec, -1, NULL));
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
    fuzz_opfig((const char *const[]){"run", spec_path, "--input", path, NULL});
    fuzz_opfig((const char *const[]){"run", spec_path, "--edit", edit, NULL});
    fuzz_opfig((const char *const[]){"run", "olmo2", "--tokens", path, "--dims",
                                     "L=1,C=8,H=2,h_ff=4,V=4", NULL});
    return 0;
}
