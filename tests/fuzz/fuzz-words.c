/* SPDX-License-Identifier: MIT
 *
 * A command line: the words of the input, separated by line ends. `run` is kept to small
 * dims by what comes first.
 */
#include "tests/fuzz/fuzz.h"

#include <string.h>

const char *const fuzz_goals[] = {"done", NULL};

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    g_autofree char *text = g_strndup((const char *)data, size);
    g_auto(GStrv) words = g_strsplit(text, "\n", 24);
    for (char **word = words; *word; word++)
        if (strcmp(*word, "-o") == 0 || g_str_has_prefix(*word, "--o") ||
            g_str_has_prefix(*word, "--rec") || g_str_has_prefix(*word, "-o"))
            return 0; /* nothing is written by a test */
    if (fuzz_opfig((const char *const *)words) == 0)
        fuzz_reach("done");
    return 0;
}
