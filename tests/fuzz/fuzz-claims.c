/* SPDX-License-Identifier: MIT
 *
 * A claim's expression and a computed number, over the block itself.
 */
#include "tests/fuzz/fuzz.h"

#include "check/claims.h"
#include "base/file.h"
#include "spec/expr.h"
#include "spec/load.h"

#include <stdio.h>
#include <string.h>

const char *const fuzz_goals[] = {"number", "claim", NULL};

static char *before, *after; /* the spec around its claims */

static void
read_spec(void)
{
    g_autofree char *path = fig_data_path("spec/models/olmo2-block.yaml");
    g_autofree char *text = NULL;
    g_assert_true(path && g_file_get_contents(path, &text, NULL, NULL));
    char *claims = strstr(text, "\nclaims:"), *notes = strstr(text, "\nnotes:");
    g_assert_true(claims && notes);
    before = g_strndup(text, (gsize)(claims - text));
    after = g_strdup(notes);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const FuzzBlock *block = fuzz_block();
    g_autofree char *expr = g_strndup((const char *)data, size);
    g_autoptr(FigDiag) other = fig_diag_new();
    g_autofree char *number =
        fig_claims_number(block->graph, block->record, expr, other);
    g_assert_true((number != NULL) == (fig_diag_errors(other) == 0));
    if (number)
        fuzz_reach("number");

    /* as a claim it needs a run of its own, which is only worth it for what can be read */
    g_autoptr(FigArena) arena_parsed = fig_arena_new();
    g_autoptr(FigDiag) diag_parsed = fig_diag_new();
    if (!fig_expr_parse_text(expr, (FigSpan){0}, arena_parsed, diag_parsed))
        return 0;
    if (!before)
        read_spec();
    g_autoptr(GString) that = g_string_new_len((const char *)data, (gssize)size);
    for (gsize i = 0; i < that->len; i++)
        if ((unsigned char)that->str[i] < ' ')
            that->str[i] = ' ';
    g_string_truncate(that, strlen(that->str));
    g_string_replace(that, "'", "''", 0);
    g_autofree char *text = g_strdup_printf(
        "%s\nclaims:\n  - id: it\n    say: It holds.\n    that: '%s'\n%s", before,
        that->str, after);
    g_autoptr(FigDiag) diag = fig_diag_new();
    FigArena *arena = fig_arena_new();
    FigGraph *graph = fig_spec_load_text("fuzz.yaml", text, strlen(text), NULL, diag);
    const FigSizes *probe = graph ? fig_run_probe(graph, arena, diag) : NULL;
    if (probe) {
        const FigRunOptions on_shapes = {.numeric = false};
        const FigRunOptions on_numbers = {
            .numeric = true, .type = FIG_F64, .naive = true, .sizes = probe};
        g_autoptr(FigRun) shapes = fig_run_new(graph, &on_shapes, diag);
        g_autoptr(FigRun) executed = fig_run_new(graph, &on_numbers, diag);
        static const char *const none[] = {NULL};
        FigRecord *record = fig_record_new(graph, shapes, executed, NULL, none);
        const FigClaimOptions options = {.probe = probe};
        bool settled = fig_claims_settle(graph, &options, record, diag);
        g_assert_true(settled == (fig_diag_errors(diag) == 0));
        if (settled)
            fuzz_reach("claim");
        fig_record_free(record);
    }
    g_autoptr(GString) out = g_string_new(NULL);
    fig_diag_print(diag, out, false);
    fputs(out->str, stderr);
    fig_graph_free(graph);
    fig_arena_free(arena);
    return 0;
}
