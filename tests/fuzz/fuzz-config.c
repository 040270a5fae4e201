/* SPDX-License-Identifier: MIT
 *
 * A config.json of a model.
 */
#include "tests/fuzz/fuzz.h"

#include "base/file.h"
#include "spec/load.h"

#include <stdio.h>

const char *const fuzz_goals[] = {"block", "network", NULL};

/* Load a shipped spec with this config and work out its shapes: what the numbers of a
 * stranger's file can do to it. */
static bool
load(const char *spec, const char *config, FigDiag *diag)
{
    g_autoptr(GString) report = g_string_new(NULL);
    const FigLoadOptions options = {.config = config, .config_report = report};
    FigGraph *graph = fig_spec_load(spec, &options, diag);
    const FigRunOptions on_shapes = {.numeric = false};
    FigRun *run = graph ? fig_run_new(graph, &on_shapes, diag) : NULL;
    bool done = run != NULL;
    g_assert_true(done == (fig_diag_errors(diag) == 0));
    g_assert_true(!done || report->len > 0);
    fig_run_free(run);
    fig_graph_free(graph);
    return done;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char *block;
    if (!block)
        block = fig_data_path("spec/models/olmo3-block.yaml");
    const char *config = fuzz_file(data, size);
    g_autoptr(FigDiag) diag = fig_diag_new(), other = fig_diag_new();
    if (load(block, config, diag))
        fuzz_reach("block");
    g_autofree char *network = fig_config_network(config, other);
    g_autofree char *path = network ? fig_spec_find(network, other) : NULL;
    if (path && load(path, config, other))
        fuzz_reach("network");
    g_autoptr(GString) text = g_string_new(NULL);
    fig_diag_print(diag, text, false);
    fig_diag_print(other, text, false);
    g_assert_true(g_utf8_validate_len(text->str, text->len, NULL));
    fputs(text->str, stderr);
    return 0;
}
