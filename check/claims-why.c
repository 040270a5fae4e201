/* SPDX-License-Identifier: MIT
 *
 * Why a claim does not hold: what the sides of a comparison were that failed, or the entry
 * that is farthest from its bound. Evaluated once more, as it was the first time.
 */
#include "check/claims-parts.h"

#include "base/num.h"

#include <string.h>

static void
append(FigClaimEval *e, const char *text)
{
    if (e->found->len)
        g_string_append(e->found, ", ");
    g_string_append(e->found, text);
}

/* "count() is 3"; nothing for what shows its value as it is written. */
static bool
explain_side(FigClaimEval *e, const FigExpr *side)
{
    FigClaimValue value;
    g_autoptr(FigDiag) silent = fig_diag_new();
    FigClaimEval again = {
        .claims = e->claims, .diag = silent, .arena = e->arena, .running = e->ran};
    if (side->kind == FIG_EXPR_NUMBER || side->kind == FIG_EXPR_STRING ||
        !fig_claim_eval(&again, side, &value))
        return false;
    g_autofree char *text = fig_expr_text(side);
    g_autofree char *number = fig_claim_print(&value);
    if (!number || strcmp(text, number) == 0)
        return false;
    g_autofree char *words =
        g_strdup_printf("%s is %s%s", text, number, e->ran ? " in the run" : "");
    append(e, words);
    return true;
}

void
fig_claim_explain(FigClaimEval *part, const FigExpr *expr, bool wanted, bool alone)
{
    bool any = false;
    if (expr->kind == FIG_EXPR_BINARY)
        for (int i = 0; i < 2; i++)
            any = explain_side(part, expr->args[i]) || any;
    if (!any && part->has_number) {
        g_autoptr(GString) words = g_string_new("the worst number of the run is ");
        fig_num_significant(words, part->number, 4);
        append(part, words->str);
    } else if (!any && !alone) {
        g_autofree char *text = fig_expr_text(expr);
        g_autofree char *words =
            g_strdup_printf("%s is %s", text, wanted ? "false" : "true");
        append(part, words);
    }
}
