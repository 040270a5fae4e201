/* SPDX-License-Identifier: MIT
 *
 * A spec from a stranger: loaded, run, settled, and what is sound is drawn. A graph comes
 * with no error and every refusal with one; a record reads back as it was written.
 */
#include "tests/fuzz/fuzz.h"

#include "check/claims.h"
#include "layouts/layout.h"
#include "render/output.h"
#include "spec/load.h"

#include <stdio.h>
#include <string.h>

const char *const fuzz_goals[] = {"drawn", NULL};

static FigRecord *
record_of(const FigGraph *graph, FigArena *arena, FigDiag *diag)
{
    const FigSizes *probe = fig_run_probe(graph, arena, diag);
    if (!probe)
        return NULL;
    const FigRunOptions on_shapes = {.numeric = false};
    g_autoptr(FigRun) shapes = fig_run_new(graph, &on_shapes, diag);
    if (!shapes)
        return NULL;
    const FigRunOptions on_numbers = {
        .numeric = true, .type = FIG_F64, .naive = true, .sizes = probe};
    g_autoptr(FigRun) executed = fig_run_new(graph, &on_numbers, diag);
    if (!executed)
        return NULL;
    static const char *const none[] = {NULL};
    FigRecord *record = fig_record_new(graph, shapes, executed, NULL, none);
    const FigClaimOptions options = {.probe = probe};
    if (!fig_claims_settle(graph, &options, record, diag))
        g_clear_pointer(&record, fig_record_free);
    return record;
}

static void
draw(const FigRecord *record, FigDiag *diag)
{
    static FigFonts *fonts;
    if (!fonts)
        fonts = fig_fonts_new(NULL);
    const FigLayoutOptions options = {.options = ""};
    FigScene *scene = fig_layout_place(record, &options, fonts, diag);
    if (!scene)
        return;
    g_autoptr(GString) out = g_string_new(NULL);
    g_autoptr(GError) error = NULL;
    if (!fig_output_lookup("a.svg")->write(scene, &(FigWriteOptions){0}, out, &error))
        g_error("no SVG: %s", error->message);
    fuzz_reach("drawn");
    fig_scene_free(scene);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    g_autoptr(FigDiag) diag = fig_diag_new();
    FigArena *arena = fig_arena_new();
    const FigLoadOptions load = {.check_label = fig_text_check};
    FigGraph *graph =
        fig_spec_load_text("fuzz.yaml", (const char *)data, size, &load, diag);
    if ((graph == NULL) != (fig_diag_errors(diag) > 0))
        g_error("a graph with errors, or none without");
    FigRecord *record = graph ? record_of(graph, arena, diag) : NULL;
    if (graph && !record && fig_diag_errors(diag) == 0)
        g_error("no record, and no word why");
    if (record) {
        g_autofree char *json = fig_record_json(record, true);
        g_autoptr(GError) error = NULL;
        FigRecord *again = fig_record_read(json, strlen(json), &error);
        if (!again)
            g_error("the record is not read back: %s", error->message);
        g_autofree char *json_again = fig_record_json(again, true);
        g_assert_cmpstr(json, ==, json_again);
        fig_record_free(again);
        draw(record, diag);
    }
    g_autoptr(GString) text = g_string_new(NULL);
    fig_diag_print(diag, text, false);
    g_assert_true(g_utf8_validate_len(text->str, text->len, NULL));
    fputs(text->str, stderr);
    fig_record_free(record);
    fig_graph_free(graph);
    fig_arena_free(arena);
    return 0;
}
