/* SPDX-License-Identifier: MIT
 *
 * Claims and computed numbers: sentences about a block that its structure or a run
 * settles.
 */
#ifndef FIG_CHECK_CLAIMS_H
#define FIG_CHECK_CLAIMS_H

#include "exec/recorder.h"

typedef struct FigClaimOptions {
    uint64_t seed;
    const FigSizes *probe; /* where claims about numbers are run */
    int64_t patience; /* fig_claims_try: ops that it may load and run; 0: enough for a
                              model of some hundred ops */
} FigClaimOptions;

/* Settle every claim of the graph and every placeholder of its texts, and fill them into
 * the record (title, subtitle, claims, notes).
 *
 * errors   a claim or placeholder that does not parse, has an unknown name or a wrong
 *          type: at the column inside its scalar; false. A claim that does not hold is no
 *          error here: the record says so.
 */
bool fig_claims_settle(const FigGraph *graph, const FigClaimOptions *options,
                       FigRecord *record, FigDiag *diag);

/* A graph and its record, looked through once for many questions.
 *
 * owns     the caller; free with fig_claims_free. graph and record must outlive it
 */
typedef struct FigClaims FigClaims;
FigClaims *fig_claims_new(const FigGraph *graph, const FigRecord *record);
void fig_claims_free(FigClaims *claims);

/* Evaluate one number expression about the graph ("count(class = norm)", "h_ff",
 * "share(weight_matmul)", "params()") to its printed text, as a figure prints it.
 *
 * owns     the caller; NULL with a message in diag
 */
char *fig_claims_ask(FigClaims *claims, const char *expr, FigDiag *diag);

/* The same, of one expression alone.
 *
 * owns     the caller; NULL with a message in diag
 */
char *fig_claims_number(const FigGraph *graph, const FigRecord *record,
                        const char *expr, FigDiag *diag);

/* The same of an expression that is a whole number: "params()", "kv_bytes()".
 *
 * errors   no number, or no whole one, in diag; false
 */
bool fig_claims_whole(const FigGraph *graph, const FigRecord *record, const char *expr,
                      int64_t *number, FigDiag *diag);

/* How a claim fared under small changes of the model. */
typedef struct FigTriedClaim {
    bool asked;       /* it has a `that:`, and holds */
    bool vacuous;     /* no change makes it false, or a piece of it says nothing */
    int tried;        /* changes it was asked under */
    bool given_up;    /* there are more, which would take too long */
    const char *kind; /* of the first that makes it false: "set"; NULL: none does */
    const char *edit; /* that change: "[{set: probs, over: query}]" */
    /* A piece, joined to others by `and`, `or`, that is the same under all of them:
     * "5 == 5"; NULL: there is none */
    const char *piece;
    FigSpan piece_at;
    bool piece_holds;  /* it is always true; else always false */
    bool piece_spoken; /* it speaks of an op, a value or a run */
} FigTriedClaim;

/* Try every claim that holds against the small changes of the graph, at options->probe; one
 * that none breaks, and that was not given up, is vacuous, and so is one with a piece that is
 * the same under all: as an `and`'s side always true, as an `or`'s side one or the other.
 *
 * owns     arena; one for each claim of the record, in its order
 */
const FigTriedClaim *fig_claims_try(const FigGraph *graph,
                                    const FigClaimOptions *options,
                                    const FigRecord *record, FigArena *arena);

/* Append the reference of the claim language, docs/claims.md. */
void fig_claims_describe_markdown(GString *out);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(FigClaims, fig_claims_free)

#endif
