/* SPDX-License-Identifier: MIT
 *
 * The edges of a figure that somebody drew, as CSV and as YAML, held against one record.
 */
#include "tests/fuzz/fuzz.h"

#include "check/foreign.h"

#include <stdio.h>
#include <string.h>

const char *const fuzz_goals[] = {"edges.yaml", "edges.csv", NULL};

static void
read_as(const char *name, const char *text)
{
    g_autoptr(FigArena) arena = fig_arena_new();
    g_autoptr(FigDiag) diag = fig_diag_new();
    const FigSource source = {name, text, strlen(text)};
    const FigForeign *foreign = fig_foreign_read(&source, arena, diag);
    g_assert_true((foreign != NULL) == (fig_diag_errors(diag) == 0));
    FigForeignReport *report =
        foreign ? fig_foreign_check(foreign, fuzz_block()->record, diag) : NULL;
    if (report) {
        fuzz_reach(name);
        g_assert_cmpint(report->edges_found, <=, report->edges);
        g_assert_cmpint(report->ops_found, <=, report->ops);
        fig_foreign_report_free(report);
    }
    g_autoptr(GString) out = g_string_new(NULL);
    fig_diag_print(diag, out, false);
    fputs(out->str, stderr);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    g_autofree char *text = g_strndup((const char *)data, size);
    read_as("edges.yaml", text);
    read_as("edges.csv", text);
    return 0;
}
