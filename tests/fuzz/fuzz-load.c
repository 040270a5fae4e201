/* SPDX-License-Identifier: MIT
 *
 * A spec from a stranger, loaded and no more, so that a machine tries many: a graph comes
 * with no error, every refusal with one, and messages are text.
 */
#include "tests/fuzz/fuzz.h"

#include "spec/load.h"
#include "text/text.h"

const char *const fuzz_goals[] = {"graph", NULL};

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    g_autoptr(FigDiag) diag = fig_diag_new();
    const FigLoadOptions load = {.check_label = fig_text_check};
    FigGraph *graph =
        fig_spec_load_text("fuzz.yaml", (const char *)data, size, &load, diag);
    g_assert_true((graph == NULL) == (fig_diag_errors(diag) > 0));
    if (graph)
        fuzz_reach("graph");
    g_autoptr(GString) text = g_string_new(NULL);
    fig_diag_print(diag, text, false);
    g_assert_true(g_utf8_validate_len(text->str, text->len, NULL));
    fig_graph_free(graph);
    return 0;
}
