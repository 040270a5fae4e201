/* SPDX-License-Identifier: MIT
 *
 * What inputs are held against: a block that is loaded and run once, since that takes far
 * longer than reading an input does.
 */
#include "tests/fuzz/fuzz.h"

#include "base/file.h"
#include "spec/load.h"

const FuzzBlock *
fuzz_block(void)
{
    static FuzzBlock block;
    if (block.record)
        return &block;
    g_autofree char *path = fig_data_path("spec/models/olmo2-block.yaml");
    g_autoptr(FigDiag) diag = fig_diag_new();
    FigGraph *graph = fig_spec_load(path, NULL, diag);
    g_assert_nonnull(graph);
    block.arena = fig_arena_new();
    const FigSizes *probe = fig_run_probe(graph, block.arena, diag);
    g_assert_nonnull(probe);
    const FigRunOptions on_shapes = {.numeric = false};
    const FigRunOptions on_numbers = {
        .numeric = true, .type = FIG_F64, .naive = true, .sizes = probe};
    block.shapes = fig_run_new(graph, &on_shapes, diag);
    block.executed = fig_run_new(graph, &on_numbers, diag);
    g_assert_true(block.shapes && block.executed);
    static const char *const none[] = {NULL};
    block.graph = graph;
    block.record = fig_record_new(graph, block.shapes, block.executed, NULL, none);
    return &block;
}
