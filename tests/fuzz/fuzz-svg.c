/* SPDX-License-Identifier: MIT
 *
 * An SVG from a stranger, read and no more, so that a machine tries many: a drawing or an
 * error, never both or neither.
 */
#include "tests/fuzz/fuzz.h"

#include "check/figure.h"

const char *const fuzz_goals[] = {"read", NULL};

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    g_autoptr(GError) error = NULL;
    FigSvg *svg = fig_svg_read("fuzz.svg", (const char *)data, size, &error);
    g_assert_true((svg == NULL) == (error != NULL));
    if (svg)
        fuzz_reach("read");
    else
        g_assert_true(g_utf8_validate(error->message, -1, NULL));
    fig_svg_free(svg);
    return 0;
}
