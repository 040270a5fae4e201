/* SPDX-License-Identifier: MIT
 *
 * Prints the digest of a record, then the record: the hand-written sample, or what the
 * program makes of the shipped block. For tests/exec/record_schema.py.
 */
#include "sample-record.h"
#include "specs.h"

#include "exec/recorder.h"

#include <stdio.h>

static FigRecord *
block_record(void)
{
    g_autoptr(FigGraph) graph = load_block(NULL);
    g_autoptr(FigArena) arena = fig_arena_new();
    g_autoptr(FigDiag) diag = fig_diag_new();
    FigRunOptions probe = {.numeric = true, .type = FIG_F32, .statistics = true};
    probe.sizes = fig_run_probe(graph, arena, diag);
    g_autoptr(FigRun) shapes = run_graph(graph, &(FigRunOptions){.numeric = false});
    g_autoptr(FigRun) executed = run_graph(graph, &probe);
    return fig_record_new(graph, shapes, executed, executed, NULL);
}

int
main(int argc, char **argv)
{
    bool block = argc > 1 && !strcmp(argv[1], "block");
    g_autoptr(FigRecord) record = block ? block_record() : sample_record();
    g_autofree char *json = fig_record_json(record, true);
    g_autofree char *digest = fig_record_digest(record);
    printf("%s\n%s", digest, json);
    return 0;
}
