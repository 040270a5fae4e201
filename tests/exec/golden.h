/* SPDX-License-Identifier: MIT
 *
 * The golden set of one OLMo 2 block, loaded for tests: tests/golden/olmo2-primer-block.
 */
#ifndef FIG_TESTS_EXEC_GOLDEN_H
#define FIG_TESTS_EXEC_GOLDEN_H

#include "exec/run.h"
#include "spec/load.h"

#include <string.h>

G_GNUC_UNUSED static char *
golden_path(const char *name)
{
    return g_build_filename(g_getenv("OPFIG_SOURCE"), "tests", "golden",
                            "olmo2-primer-block", name, NULL);
}

G_GNUC_UNUSED static FigTensorFile *
golden_file(const char *name)
{
    g_autofree char *path = golden_path(name);
    g_autoptr(GError) error = NULL;
    FigTensorFile *file = fig_tensor_file_open(path, &error);
    g_assert_no_error(error);
    return file;
}

/* Fail with all messages if there are any. */
static void
assert_no_messages(const FigDiag *diag)
{
    g_autoptr(GString) text = g_string_new(NULL);
    fig_diag_print(diag, text, false);
    g_assert_cmpstr(text->str, ==, "");
}

/* The shipped block at the sizes of the golden set. */
G_GNUC_UNUSED static FigGraph *
golden_graph(void)
{
    g_autofree char *config = golden_path("config.json");
    g_autofree char *spec = g_build_filename(g_getenv("OPFIG_SOURCE"), "spec", "models",
                                             "olmo2-block.yaml", NULL);
    static const FigOverride dims[] = {{"T", "16"}, {NULL, NULL}};
    FigLoadOptions options = {.config = config, .dims = dims};
    g_autoptr(FigDiag) diag = fig_diag_new();
    FigGraph *graph = fig_spec_load(spec, &options, diag);
    assert_no_messages(diag);
    g_assert_nonnull(graph);
    return graph;
}

#endif
