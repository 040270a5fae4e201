/* SPDX-License-Identifier: MIT
 *
 * A safetensors file from a stranger. The first line of the input is the header, whose
 * length is put before it, so that mutations reach behind the first check; the rest is
 * data. An input that starts with `raw` is, after that line, the file as it is.
 */
#include "tests/fuzz/fuzz.h"

#include <string.h>

const char *const fuzz_goals[] = {"weights", "input", NULL};

static const char *spec = "opfig: 1\nname: tiny\ndims: {T: {is: 2}, C: {is: 3}}\n"
                          "inputs: {x: {shape: [T, C]}}\n"
                          "weights: {W: {shape: [C, C], checkpoint: {name: "
                          "\"layers.{layer}.w\", stored: out_in}}}\n"
                          "ops: [{id: y, op: matmul, in: [x, W]}]\noutputs: [y]\n";

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char *spec_path;
    if (!spec_path) {
        spec_path = g_build_filename(g_get_tmp_dir(), "fuzz-tensors.yaml", NULL);
        g_assert_true(g_file_set_contents(spec_path, spec, -1, NULL));
    }
    g_autoptr(GByteArray) file = g_byte_array_new();
    const uint8_t *end = size ? memchr(data, '\n', size) : NULL;
    size_t header = end ? (size_t)(end - data) : size;
    size_t rest = end ? header + 1 : size;
    if (header != 3 || memcmp(data, "raw", 3) != 0) {
        uint64_t length = header;
        g_byte_array_append(file, (const uint8_t *)&length, sizeof length);
        g_byte_array_append(file, data, (guint)header);
    }
    g_byte_array_append(file, data + rest, (guint)(size - rest));
    const char *path = fuzz_file(file->data, file->len);
    const char *const weights[] = {"run", spec_path, "--weights", path, NULL};
    const char *const input[] = {"run", spec_path, "--input", path, NULL};
    if (fuzz_opfig(weights) == 0)
        fuzz_reach("weights");
    if (fuzz_opfig(input) == 0)
        fuzz_reach("input");
    return 0;
}
