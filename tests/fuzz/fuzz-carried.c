/* SPDX-License-Identifier: MIT
 *
 * PDF and PNG from strangers: what they carry, and how they compare with another.
 */
#include "tests/fuzz/fuzz.h"

#include "check/carried.h"

#include <string.h>

const char *const fuzz_goals[] = {"pdf", "png", NULL};

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    g_autoptr(FigArena) arena = fig_arena_new();
    FigCarried pdf = {0}, png = {0};
    const char *bytes = (const char *)data;
    /* a NUL follows, as after a file that was read */
    g_autofree char *copy = g_malloc0(size + 1);
    memcpy(copy, bytes, size);
    if (fig_carried_pdf(copy, size, arena, &pdf)) {
        g_assert_nonnull(pdf.spec_text);
        fuzz_reach("pdf");
    }
    if (fig_carried_png(copy, size, arena, &png)) {
        g_assert_nonnull(png.spec_text);
        fuzz_reach("png");
    }
    const FigVersions versions = {
        .opfig = true, .fonts = true, .differ = size % 2 ? "all" : NULL};
    fig_same_pdf(copy, size, copy, size / 2, &versions);
    fig_same_png(copy, size, copy, size);
    return 0;
}
