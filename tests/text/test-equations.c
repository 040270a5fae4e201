/* SPDX-License-Identifier: MIT
 *
 * Every formula of the op table, equations, signs and notes, is in the subset of TeX that
 * figures, pages and the terminal can set.
 */
#include "ops/op.h"
#include "text/tex.h"
#include "text/text.h"

#include <string.h>

static void
reads(const char *op, const char *label)
{
    g_autoptr(FigArena) arena = fig_arena_new();
    g_autoptr(FigDiag) diag = fig_diag_new();
    FigTexPiece *pieces = NULL;
    bool good = fig_tex_label(arena, label, (FigSpan){0}, diag, &pieces);
    g_autoptr(GString) said = g_string_new(NULL);
    fig_diag_print(diag, said, false);
    if (!good || !pieces)
        g_error("%s: ‘%s’: %s", op, label, said->str);
}

static void
test_row(gconstpointer data)
{
    const FigOp *op = data;
    g_autofree char *equation = g_strdup_printf("$%s$", op->equation);
    reads(op->name, equation);
    g_autofree char *plain = fig_text_plain(equation);
    g_assert_null(strchr(plain, '\\'));
    if (op->sign) {
        g_autofree char *sign = g_strdup_printf("$%s$", op->sign);
        reads(op->name, sign);
    }
    if (op->shape_note)
        reads(op->name, op->shape_note);
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    for (const FigOp *const *op = fig_op_all(); *op; op++) {
        g_autofree char *path = g_strdup_printf("/equations/%s", (*op)->name);
        g_test_add_data_func(path, *op, test_row);
    }
    return g_test_run();
}
