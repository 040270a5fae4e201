/* SPDX-License-Identifier: MIT
 *
 * A record from another program: what reads is written as it was read, and drawn.
 */
#include "tests/fuzz/fuzz.h"

#include "layouts/layout.h"
#include "render/output.h"

#include <stdio.h>
#include <string.h>

const char *const fuzz_goals[] = {"drawn", NULL};

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static FigFonts *fonts;
    if (!fonts)
        fonts = fig_fonts_new(NULL);
    g_autoptr(GError) error = NULL;
    FigRecord *record = fig_record_read((const char *)data, size, &error);
    if (!record) {
        g_assert_true(error && g_utf8_validate(error->message, -1, NULL));
        fprintf(stderr, "%s\n", error->message);
        return 0;
    }
    g_autofree char *json = fig_record_json(record, true);
    FigRecord *again = fig_record_read(json, strlen(json), &error);
    if (!again)
        g_error("written so that it is not read: %s", error->message);
    g_autofree char *json_again = fig_record_json(again, true);
    g_assert_cmpstr(json, ==, json_again);
    g_autoptr(FigDiag) diag = fig_diag_new();
    const FigLayoutOptions options = {.options = ""};
    FigScene *scene = fig_layout_place(again, &options, fonts, diag);
    if (!scene && fig_diag_errors(diag) == 0)
        g_error("no scene, and no word why");
    static const char *const names[] = {"a.svg", "a.pdf"};
    for (size_t i = 0; scene && i < G_N_ELEMENTS(names); i++) {
        g_autoptr(GString) out = g_string_new(NULL);
        if (!fig_output_lookup(names[i])->write(scene, &(FigWriteOptions){0}, out,
                                                &error))
            g_error("%s: %s", names[i], error->message);
        fuzz_reach("drawn");
    }
    g_autoptr(GString) text = g_string_new(NULL);
    fig_diag_print(diag, text, false);
    fputs(text->str, stderr);
    fig_scene_free(scene);
    fig_record_free(again);
    fig_record_free(record);
    return 0;
}
