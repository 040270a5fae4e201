/* SPDX-License-Identifier: MIT
 *
 * Every claim and every sentence of a graph, settled and filled into its record.
 */
#include "check/claims.h"

#include "base/num.h"
#include "check/claims-parts.h"

#include <string.h>

/* Everything a name may mean, for «did you mean». */
static const char *const *
all_names(const FigGraph *graph, FigArena *arena)
{
    int n = graph->n_dims + graph->n_constants + graph->n_values + graph->n_nodes;
    const char **names = fig_arena_new_array(arena, const char *, n + 1);
    n = 0;
    for (int i = 0; i < graph->n_dims; i++)
        names[n++] = graph->dims[i].id;
    for (int i = 0; i < graph->n_constants; i++)
        names[n++] = graph->constants[i].id;
    for (int i = 0; i < graph->n_values; i++)
        names[n++] = graph->values[i].id;
    for (int i = 0; i < graph->n_nodes; i++)
        names[n++] = graph->nodes[i].id;
    return names;
}

/* What a name of an operand means: an alias goes before a value. */
static GHashTable *
values_by_name(const FigGraph *graph)
{
    GHashTable *values = g_hash_table_new(g_str_hash, g_str_equal);
    for (int i = graph->n_values - 1; i >= 0; i--) /* of two of one name, the first */
        g_hash_table_insert(values, (gpointer)graph->values[i].id, GINT_TO_POINTER(i));
    for (int i = graph->n_aliases - 1; i >= 0; i--)
        g_hash_table_insert(values, (gpointer)graph->aliases[i].id,
                            GINT_TO_POINTER(graph->aliases[i].value));
    return values;
}

static int
index_of(GHashTable *table, const char *name)
{
    gpointer index;
    bool known = name && g_hash_table_lookup_extended(table, name, NULL, &index);
    return known ? GPOINTER_TO_INT(index) : -1;
}

void
fig_claims_open(FigClaims *claims, const FigGraph *graph, const FigRecord *record,
                const FigClaimOptions *options)
{
    FigArena *arena = fig_arena_new();
    *claims = (FigClaims){.graph = graph,
                          .record = record,
                          .options = options,
                          .arena = arena,
                          .names = all_names(graph, arena)};
    claims->op = fig_arena_new_array(arena, const FigRecordOp *, graph->n_nodes);
    claims->reads = fig_arena_new_array(arena, const int *, graph->n_nodes);
    g_autoptr(GHashTable) values = values_by_name(graph);
    for (int node = 0; node < graph->n_nodes; node++) {
        const FigRecordOp *op = fig_record_op(record, graph->nodes[node].id);
        if (!op)
            continue;
        int *reads = fig_arena_new_array(arena, int, op->n_reads);
        for (int j = 0; j < op->n_reads; j++)
            reads[j] = index_of(values, op->reads[j].value);
        claims->op[node] = op;
        claims->reads[node] = reads;
    }
}

void
fig_claims_close(FigClaims *claims)
{
    fig_claim_run_free(claims->run);
    fig_arena_free(claims->arena);
}

/* Settle one claim; false with messages. */
static bool
settle(FigClaims *claims, const FigClaim *claim, FigArena *arena, FigDiag *diag,
       FigRecordClaim *out, FigMeasuredClaim *measured, bool *has_number)
{
    const FigGraph *graph = claims->graph;
    *has_number = false;
    *out = (FigRecordClaim){
        .id = fig_arena_strdup(arena, claim->id),
        .that = claim->that ? fig_arena_strdup(arena, claim->that->text) : NULL,
        .at =
            claim->at >= 0 ? fig_arena_strdup(arena, graph->nodes[claim->at].id) : NULL,
        .must = claim->must,
        .by = "unchecked",
    };
    const char **also = fig_arena_new_array(arena, const char *, claim->n_also + 1);
    for (int i = 0; i < claim->n_also; i++)
        also[i] = fig_arena_strdup(arena, graph->nodes[claim->also[i]].id);
    out->also = also;
    out->n_also = claim->n_also;
    bool ok = fig_claim_sentence(claims, &claim->say, arena, diag, &out->say);
    if (claim->that) {
        g_autoptr(FigArena) scratch = fig_arena_new();
        g_autoptr(GString) found = g_string_new(NULL);
        FigClaimEval e = {
            .claims = claims, .diag = diag, .arena = scratch, .found = found};
        const FigExpr *expr =
            claim->expr ? claim->expr : fig_expr_parse(claim->that, scratch, diag);
        if (!expr || !fig_claim_truth(&e, expr, &out->holds))
            return false;
        out->by = e.ran ? "run" : "structure";
        out->has_bound = e.has_number;
        out->bound = e.bound;
        out->found = found->len ? fig_arena_strdup(arena, found->str) : NULL;
        *has_number = e.has_number;
        *measured = (FigMeasuredClaim){out->id, e.number};
        fig_claim_digits(claims, &claim->say, expr, diag);
    } else {
        fig_claim_digits(claims, &claim->say, NULL, diag);
    }
    return ok;
}

bool
fig_claims_settle(const FigGraph *graph, const FigClaimOptions *options,
                  FigRecord *record, FigDiag *diag)
{
    FigClaims claims;
    FigArena *arena = record->arena;
    bool ok = true;
    fig_claims_open(&claims, graph, record, options);

    ok = fig_claim_sentence(&claims, &graph->title, arena, diag, &record->title) && ok;
    ok =
        fig_claim_sentence(&claims, &graph->subtitle, arena, diag, &record->subtitle) &&
        ok;
    fig_claim_digits(&claims, &graph->title, NULL, diag);
    fig_claim_digits(&claims, &graph->subtitle, NULL, diag);

    FigRecordClaim *settled =
        fig_arena_new_array(arena, FigRecordClaim, graph->n_claims);
    FigMeasuredClaim *measured =
        fig_arena_new_array(arena, FigMeasuredClaim, graph->n_claims);
    int n_measured = 0;
    for (int i = 0; i < graph->n_claims; i++) {
        bool has_number;
        ok = settle(&claims, &graph->claims[i], arena, diag, &settled[i],
                    &measured[n_measured], &has_number) &&
             ok;
        n_measured += has_number;
    }
    record->n_claims = graph->n_claims;
    record->claims = settled;
    record->n_measured_claims = n_measured;
    record->measured_claims = measured;

    FigSentence *notes = fig_arena_new_array(arena, FigSentence, graph->n_notes);
    for (int i = 0; i < graph->n_notes; i++) {
        ok =
            fig_claim_sentence(&claims, &graph->notes[i], arena, diag, &notes[i]) && ok;
        fig_claim_digits(&claims, &graph->notes[i], NULL, diag);
    }
    record->n_notes = graph->n_notes;
    record->notes = notes;
    fig_claims_close(&claims);
    return ok;
}

FigClaims *
fig_claims_new(const FigGraph *graph, const FigRecord *record)
{
    FigClaims *claims = g_new0(FigClaims, 1);
    fig_claims_open(claims, graph, record, NULL);
    return claims;
}

void
fig_claims_free(FigClaims *claims)
{
    if (!claims)
        return;
    fig_claims_close(claims);
    g_free(claims);
}

char *
fig_claims_ask(FigClaims *claims, const char *text, FigDiag *diag)
{
    g_autoptr(FigArena) scratch = fig_arena_new();
    FigClaimEval e = {.claims = claims, .diag = diag, .arena = scratch};
    FigClaimValue value;
    char *number = NULL;
    const FigExpr *expr = fig_expr_parse_text(text, (FigSpan){0}, scratch, diag);
    if (expr && fig_claim_any(&e, expr, &value)) {
        number = fig_claim_print(&value);
        if (!number)
            fig_diag_error(diag, (FigSpan){0}, "‘%s’ is %s, where one number is wanted",
                           text, fig_claim_kind_name(&value));
    }
    return number;
}

char *
fig_claims_number(const FigGraph *graph, const FigRecord *record, const char *text,
                  FigDiag *diag)
{
    g_autoptr(FigClaims) claims = fig_claims_new(graph, record);
    return fig_claims_ask(claims, text, diag);
}

bool
fig_claims_whole(const FigGraph *graph, const FigRecord *record, const char *text,
                 int64_t *number, FigDiag *diag)
{
    g_autofree char *printed = fig_claims_number(graph, record, text, diag);
    g_auto(GStrv) groups = g_strsplit(printed ? printed : "", ",", -1);
    g_autofree char *digits = g_strjoinv("", groups);
    if (printed && fig_num_read_integer(digits, number))
        return true;
    if (printed)
        fig_diag_error(diag, (FigSpan){0}, "‘%s’ is %s, no whole number", text,
                       printed);
    return false;
}
