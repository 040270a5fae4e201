/* SPDX-License-Identifier: MIT
 *
 * The markup of a label, read and written as text and not set, so that a machine tries
 * many: checked or refused with a message, and always printable.
 */
#include "tests/fuzz/fuzz.h"

#include "text/text.h"

const char *const fuzz_goals[] = {"label", NULL};

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    g_autofree char *cut = g_strndup((const char *)data, size);
    g_autofree char *label = g_utf8_make_valid(cut, -1); /* as YAML and JSON give it */
    g_autoptr(FigDiag) diag = fig_diag_new();
    bool good = fig_text_check(label, (FigSpan){0}, diag);
    g_assert_true(good == (fig_diag_errors(diag) == 0));
    if (good)
        fuzz_reach("label");
    g_autofree char *plain = fig_text_plain(label);
    g_assert_true(plain && g_utf8_validate(plain, -1, NULL));
    g_autoptr(GString) text = g_string_new(NULL);
    fig_diag_print(diag, text, false);
    g_assert_true(g_utf8_validate_len(text->str, text->len, NULL));
    return 0;
}
