/* SPDX-License-Identifier: MIT
 *
 * docs/ops.md is what the op table prints. With OPFIG_BLESS=1 the file is rewritten, and
 * the test still fails, so that a renewed file is looked at.
 */
#include "ops/describe.h"
#include "ops/op.h"
#include "tests/fresh.h"

#include <string.h>

static void
test_fresh(void)
{
    g_autoptr(GString) wanted = g_string_new(NULL);
    fig_op_describe_markdown(wanted);
    check_fresh("ops.md", "the op table", wanted, "ops docs");
}

/* Every op, attribute and exposed table is named in the docs, every op in the list. */
static void
test_complete(void)
{
    g_autoptr(GString) docs = g_string_new(NULL);
    g_autoptr(GString) list = g_string_new(NULL);
    fig_op_describe_markdown(docs);
    fig_op_describe_list(list);
    g_auto(GStrv) lines = g_strsplit(list->str, "\n", -1);
    int line = 0;
    for (const FigOp *const *op = fig_op_all(); *op; op++) {
        g_autofree char *heading = g_strdup_printf("\n## %s\n", (*op)->name);
        g_assert_nonnull(strstr(docs->str, heading));
        g_autofree char *start = g_strdup_printf("%s ", (*op)->name);
        g_assert_true(g_str_has_prefix(lines[line++], start));
        for (int i = 0; i < fig_op_attr_count(*op); i++) {
            g_autofree char *row = g_strdup_printf("\n| `%s` | ", (*op)->attrs[i].name);
            g_assert_nonnull(strstr(docs->str, row));
        }
    }
    g_assert_cmpstr(lines[line], ==, "");
    g_assert_null(lines[line + 1]);
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/ops/docs/fresh", test_fresh);
    g_test_add_func("/ops/docs/complete", test_complete);
    return g_test_run();
}
