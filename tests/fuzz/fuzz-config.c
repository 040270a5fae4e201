/* SPDX-License-Identifier: MIT
 *
 * A config.json of a model.
 */
#include "tests/fuzz/fuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_opfig((const char *const[]){"draw", "olmo2-block", "--config",
                                     fuzz_file(data, size), "-o", "/dev/null/a.svg",
                                     NULL});
    return 0;
}
