/* SPDX-License-Identifier: MIT
 *
 * A label: words and the TeX subset. What the check lets pass can be set, wrapped and
 * spelled.
 */
#include "tests/fuzz/fuzz.h"

#include "text/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const fuzz_goals[] = {"set", NULL};

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static FigFonts *fonts;
    if (!fonts)
        fonts = fig_fonts_new(NULL);
    g_autofree char *cut = g_strndup((const char *)data, size);
    g_autofree char *label = g_utf8_make_valid(cut, -1); /* as YAML and JSON give it */
    FigArena *arena = fig_arena_new();
    g_autoptr(FigDiag) diag = fig_diag_new();
    g_autoptr(FigDiag) diag_set = fig_diag_new();
    bool good = fig_text_check(label, (FigSpan){0}, diag);
    g_assert_true(good == (fig_diag_errors(diag) == 0));
    const FigTextStyle style = {.face = FIG_FACE_SANS, .size = 8};
    const FigTextBox *box =
        fig_text_set(fonts, arena, label, &style, (FigSpan){0}, diag_set);
    g_assert_true(good == (box != NULL));
    if (box) {
        fuzz_reach("set");
        g_assert_true(isfinite(box->width) && box->width >= 0);
        g_assert_true(g_utf8_validate(box->plain, -1, NULL));
        for (double width = 0; width < 300; width += 99) {
            int n = 0;
            const FigTextBox *const *lines = fig_text_wrap(
                fonts, arena, label, &style, width, &n, (FigSpan){0}, diag_set);
            g_assert_true(lines != NULL || n == 0);
        }
    }
    g_autofree char *plain = fig_text_plain(label);
    g_assert_true(plain && g_utf8_validate(plain, -1, NULL));
    g_autoptr(GString) text = g_string_new(NULL);
    fig_diag_print(diag, text, false);
    g_assert_true(g_utf8_validate_len(text->str, text->len, NULL));
    fputs(text->str, stderr);
    fig_arena_free(arena);
    return 0;
}
