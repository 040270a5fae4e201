/* SPDX-License-Identifier: MIT
 *
 * Claims about the real block, for tests.
 */
#include "claims.h"

#include <string.h>

char *
read_block(void)
{
    g_autofree char *path = g_build_filename(g_getenv("OPFIG_SOURCE"), "spec", "models",
                                             "olmo2-block.yaml", NULL);
    char *text;
    g_assert_true(g_file_get_contents(path, &text, NULL, NULL));
    return text;
}

/* Replace the one occurrence of old in text. */
char *
edit(char *text, const char *old, const char *new)
{
    char *found = strstr(text, old);
    if (!found || strstr(found + 1, old))
        g_error("‘%s’ stands not once in the spec", old);
    char *edited = g_strdup_printf("%.*s%s%s", (int)(found - text), text, new,
                                   found + strlen(old));
    g_free(text);
    return edited;
}

/* The block with other claims than its own. */
char *
with_claims(const char *claims)
{
    char *text = read_block();
    char *at = strstr(text, "\nclaims:");
    g_assert_nonnull(at);
    char *edited = g_strdup_printf("%.*s\nclaims:\n%s", (int)(at - text), text, claims);
    g_free(text);
    return edited;
}

void
die(const FigDiag *diag)
{
    g_autoptr(GString) out = g_string_new(NULL);
    fig_diag_print(diag, out, false);
    g_error("%s", out->str);
}

Case
settle(const char *text, const FigOverride *dims)
{
    Case c = {.diag = fig_diag_new(), .arena = fig_arena_new()};
    FigLoadOptions load = {.dims = dims};
    c.graph = fig_spec_load_text("a.yaml", text, strlen(text), &load, c.diag);
    if (!c.graph)
        die(c.diag);
    const FigSizes *probe = fig_run_probe(c.graph, c.arena, c.diag);
    FigRunOptions on_shapes = {0};
    FigRunOptions on_numbers = {.numeric = true, .type = FIG_F64, .sizes = probe};
    FigRun *shapes = fig_run_new(c.graph, &on_shapes, c.diag);
    FigRun *numbers = fig_run_new(c.graph, &on_numbers, c.diag);
    if (!probe || !shapes || !numbers)
        die(c.diag);
    c.record = fig_record_new(c.graph, shapes, numbers, NULL, NULL);
    fig_run_free(numbers);
    fig_run_free(shapes);
    FigClaimOptions options = {.seed = 5, .probe = probe};
    c.ok = fig_claims_settle(c.graph, &options, c.record, c.diag);
    return c;
}

void
case_free(Case *c)
{
    fig_record_free(c->record);
    fig_graph_free(c->graph);
    fig_arena_free(c->arena);
    fig_diag_free(c->diag);
}

const FigRecordClaim *
claim(const Case *c, const char *id)
{
    for (int i = 0; i < c->record->n_claims; i++)
        if (strcmp(c->record->claims[i].id, id) == 0)
            return &c->record->claims[i];
    g_error("no claim ‘%s’", id);
}

/* Settle one expression as a claim of the block. */
bool
holds_at(const char *that, const char *by, const FigOverride *dims)
{
    g_autofree char *claims =
        g_strdup_printf("  - {id: it, say: it holds, that: \"%s\"}\n", that);
    g_autofree char *text = with_claims(claims);
    Case c = settle(text, dims);
    if (!c.ok)
        die(c.diag);
    bool result = claim(&c, "it")->holds;
    g_assert_cmpstr(claim(&c, "it")->by, ==, by);
    case_free(&c);
    return result;
}

bool
holds(const char *that, const char *by)
{
    return holds_at(that, by, NULL);
}

void
complains(const char *that, const char *want)
{
    g_autofree char *claims =
        g_strdup_printf("  - id: it\n    say: it holds\n    that: \"%s\"\n", that);
    g_autofree char *text = with_claims(claims);
    Case c = settle(text, NULL);
    g_assert_false(c.ok);
    g_autoptr(GString) out = g_string_new(NULL);
    fig_diag_print(c.diag, out, false);
    /* "a.yaml:LINE:COLUMN: error: …": the line is that of the block's end */
    const char *message = strchr(strchr(out->str, ':') + 1, ':') + 1;
    g_autofree char *first = g_strndup(message, strcspn(message, "\n"));
    const char *hint = strstr(message, "= hint: ");
    g_autofree char *got = hint
                               ? g_strdup_printf("%s | %.*s", first,
                                                 (int)strcspn(hint + 8, "\n"), hint + 8)
                               : g_strdup(first);
    g_assert_cmpstr(got, ==, want);
    g_assert_cmpint(fig_diag_errors(c.diag), ==, 1);
    case_free(&c);
}
