/* SPDX-License-Identifier: MIT
 *
 * docs/claims.md is what the table of functions prints, and each example in it is a claim
 * about the shipped block that holds. With OPFIG_BLESS=1 the file is rewritten, and the
 * test still fails, so that a renewed file is looked at.
 */
#include "claims.h"

#include "tests/fresh.h"

#include <string.h>

static void
test_fresh(void)
{
    g_autoptr(GString) wanted = g_string_new(NULL);
    fig_claims_describe_markdown(wanted);
    check_fresh("claims.md", "the table of functions", wanted, "check claims-docs");
}

/* Functions and their examples, as the page has them: "### NAME", the usage and how it is
 * settled, the meaning, the example. */
static void
test_examples(void)
{
    g_autoptr(GString) docs = g_string_new(NULL);
    fig_claims_describe_markdown(docs);
    g_auto(GStrv) parts = g_strsplit(docs->str, "\n### ", -1);
    g_assert_cmpuint(g_strv_length(parts), >, 30);
    g_autoptr(GString) claims = g_string_new(NULL);
    for (int i = 1; parts[i]; i++) {
        g_autofree char *name = g_strndup(parts[i], strcspn(parts[i], "\n"));
        const char *example = strstr(parts[i], "\n\n    ");
        g_assert_nonnull(example);
        example += strlen("\n\n    ");
        g_autofree char *that = g_strndup(example, strcspn(example, "\n"));
        g_autofree char *use = g_strdup_printf("%s(", name);
        if (!strstr(that, use))
            g_error("the example of %s does not use it: %s", name, that);
        g_string_append_printf(claims, "  - {id: f_%s, say: it holds, that: \"%s\"}\n",
                               name, that);
    }
    g_autofree char *text = with_claims(claims->str);
    Case c = settle(text, NULL);
    if (!c.ok)
        die(c.diag);
    for (int i = 0; i < c.record->n_claims; i++) {
        const FigRecordClaim *one = &c.record->claims[i];
        if (!one->holds)
            g_error("%s does not hold: %s", one->id, one->that);
        g_autofree char *heading = g_strdup_printf("\n### %s\n", one->id + 2);
        const char *evidence = strstr(strstr(docs->str, heading), "`, ");
        if (g_str_has_prefix(evidence, "`, by running\n"))
            g_assert_cmpstr(one->by, ==, "run");
        if (g_str_has_prefix(evidence, "`, by structure\n"))
            g_assert_cmpstr(one->by, ==, "structure");
    }
    case_free(&c);
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/claims/docs/fresh", test_fresh);
    g_test_add_func("/claims/docs/examples", test_examples);
    return g_test_run();
}
