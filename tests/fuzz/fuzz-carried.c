/* SPDX-License-Identifier: MIT
 *
 * PDF and PNG from strangers: what they carry, and how they compare with another.
 */
#include "tests/fuzz/fuzz.h"

#include "check/picture.h"

#include <string.h>

const char *const fuzz_goals[] = {"pdf", "png", NULL};

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    g_autoptr(FigArena) arena = fig_arena_new();
    /* a NUL follows, as after a file that was read */
    g_autofree char *copy = g_malloc0(size + 1);
    memcpy(copy, data, size);
    const FigVersions versions = {
        .opfig = true, .fonts = true, .differ = size % 2 ? "all" : NULL};
    for (const char *const *name = fuzz_goals; *name; name++) {
        const FigPicture *picture = fig_picture_lookup(*name);
        FigCarried carried = {0};
        if (picture->read(copy, size, arena, &carried)) {
            g_assert_nonnull(carried.spec_text);
            fuzz_reach(*name);
        }
        picture->same(copy, size, copy, size / 2, &versions);
        picture->same(copy, size, copy, size, &versions);
    }
    return 0;
}
