/* SPDX-License-Identifier: MIT
 *
 * The reference of the claim language, printed from the table of its functions.
 */
#include "check/claims.h"
#include "check/claims-parts.h"

static const char head[] =
    "<!-- Printed from the table of functions (check/claims-*.c) by "
    "check/claims-docs.c; "
    "do not\n"
    "     edit. Renew with OPFIG_BLESS=1 meson test -C build --suite check claims-docs "
    "-->\n"
    "# Claims\n"
    "\n"
    "A claim is a sentence of a figure with an expression that is true or false:\n"
    "\n"
    "```yaml\n"
    "claims:\n"
    "  - id: rows_sum\n"
    "    say: Every row of $A$ sums to 1 over the keys.\n"
    "    that: \"all(abs(sum(probs, key) - 1) < 1e-6)\"\n"
    "```\n"
    "\n"
    "`that:` is settled *by structure*, from the record of what each op read and wrote "
    "at "
    "the dims\n"
    "drawn, or *by running*: the spec is run in double at probe dims, the smallest "
    "that "
    "keep every\n"
    "distinction, with seeded inputs and weights. An expression runs when a part of it "
    "needs numbers;\n"
    "dims then have the sizes of that run. Sides of `and`, `or` and `not` are settled "
    "one "
    "by one.\n"
    "`opfig check` prints the bound and the number measured of the comparison that "
    "decides, and\n"
    "a small change of the spec that breaks the claim; one that none breaks is "
    "vacuous, "
    "and loses\n"
    "its tick in that report (`draw` tries no changes). The same expressions stand in "
    "texts, where `<count(class = norm)>` prints "
    "`4`.\n"
    "\n"
    "## Values and operators\n"
    "\n"
    "| what | example |\n"
    "| --- | --- |\n"
    "| numbers, dims, constants | `64`, `0.5`, `1e-6`, `h_d`, `eps` |\n"
    "| inputs, weights, results of ops, by their ids | `z`, `W_q`, `probs` |\n"
    "| true or false | `true`, `C == H*h_d`, `reads(z1, z)` |\n"
    "| tables that an op exposes ([ops.md](ops.md)) | `q_rope.cos`, `mask.visible` "
    "|\n"
    "| words | `'key'` |\n"
    "| sets of ops or values | `kind(norm)`, `weights()`, `attn` (a group) |\n"
    "| arithmetic, exact on whole numbers and fractions | `+ - * / ^` |\n"
    "| comparisons, of numbers that are not exact up to rounding | "
    "`== != < <= > >=` |\n"
    "| logic | `and`, `or`, `not` |\n"
    "\n"
    "The name of a value where numbers are wanted means its numbers in the run. "
    "Operators "
    "work entry\n"
    "by entry and match axes *by name*, whatever their order; an axis that one side "
    "lacks "
    "is\n"
    "repeated there: `proj/sqrt(mean(proj^2, C) + eps)` divides each row by its own "
    "root. "
    "A\n"
    "comparison of arrays is true or false for each entry; `all(…)` and `any(…)` make "
    "it "
    "one answer.\n"
    "\n"
    "A table that an op exposes has the axes of the op's result where it is laid along "
    "them: RoPE leaves\n"
    "position 0 as it is when `all(q_rope.cos[0] == 1) and all(q_rope.sin[0] == 0)`, "
    "and a window of $W$\n"
    "keys is `max(sum(mask.visible, key)) == W`.\n"
    "\n"
    "Indices are as in NumPy: `probs[:, :, 0, 1:]`, `z[:, -1]`, `q[..., :h_d]`. A "
    "number "
    "takes one\n"
    "entry and drops the axis, `a:b` the entries from a to before b, `...` every axis "
    "that "
    "no other\n"
    "index speaks of; what is negative counts from the end.\n"
    "\n"
    "Where an op is wanted, the value that it writes may stand for it, and the other "
    "way "
    "round where\n"
    "it has one result. An argument in brackets below may be left out, and any may be "
    "given by its\n"
    "name: `count(kind = norm, group = attn)`. A selection has up to five, and takes "
    "the "
    "ops that\n"
    "fit all.\n";

static const char *
by_words(FigClaimBy by)
{
    switch (by) {
    case FIG_BY_STRUCTURE:
        return "by structure";
    case FIG_BY_ARGUMENTS:
        return "by running where it is about numbers of a run";
    case FIG_BY_RUN:
        return "by running";
    }
    g_assert_not_reached();
}

static void
append_function(GString *out, const FigClaimFunction *f)
{
    g_autofree char *usage = fig_claim_usage(f);
    g_string_append_printf(out, "### %s\n\n`%s`, %s\n\n%s\n\n    %s\n\n", f->name,
                           usage, by_words(f->by), f->doc, f->example);
}

static void
append_list(GString *out, const FigClaimTable *table)
{
    g_string_append_printf(out, "| %s | |\n| --- | --- |\n", table->title);
    for (const FigClaimFunction *f = table->functions; f->name; f++) {
        g_autofree char *usage = fig_claim_usage(f);
        g_string_append_printf(out, "| [%s](#%s) | `%s` |\n", f->name, f->name, usage);
    }
    g_string_append_c(out, '\n');
}

void
fig_claims_describe_markdown(GString *out)
{
    g_string_append(out, head);
    g_string_append(out, "\n## Functions\n\n");
    for (const FigClaimTable *table = fig_claim_tables; table->title; table++)
        append_list(out, table);
    for (const FigClaimTable *table = fig_claim_tables; table->title; table++) {
        g_string_append_printf(out, "## %s\n\n", table->title);
        for (const FigClaimFunction *f = table->functions; f->name; f++)
            append_function(out, f);
    }
    g_string_truncate(out, out->len - 1);
}
