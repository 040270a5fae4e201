/* SPDX-License-Identifier: MIT
 *
 * The edges of a figure that somebody drew, as CSV and as YAML.
 */
#include "tests/fuzz/fuzz.h"

#include "check/foreign.h"

#include <string.h>

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    g_autoptr(FigArena) arena = fig_arena_new();
    g_autoptr(FigDiag) diag = fig_diag_new();
    g_autofree char *text = g_strndup((const char *)data, size);
    const FigSource yaml = {"edges.yaml", text, strlen(text)};
    fig_foreign_read(&yaml, arena, diag);
    fuzz_opfig((const char *const[]){"check", "--quick", "olmo2-block", "--edges",
                                     fuzz_file(data, size), NULL});
    return 0;
}
