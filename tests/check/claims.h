/* SPDX-License-Identifier: MIT
 *
 * What the tests of the claim language share: the real block, with its claims or others,
 * loaded, run and settled.
 */
#ifndef FIG_TESTS_CHECK_CLAIMS_H
#define FIG_TESTS_CHECK_CLAIMS_H

#include "check/claims.h"
#include "exec/run.h"
#include "spec/load.h"

typedef struct Case {
    FigDiag *diag;
    FigGraph *graph;
    FigArena *arena;
    FigRecord *record;
    bool ok;
} Case;

/* The text of the shipped block. owns: the caller */
char *read_block(void);

/* Replace the one occurrence of old in text. owns: the caller, text is freed */
char *edit(char *text, const char *old, const char *new);

/* The block with other claims than its own. owns: the caller */
char *with_claims(const char *claims);

G_GNUC_NORETURN void die(const FigDiag *diag);

/* Load, run and settle a spec; case_free frees it. */
Case settle(const char *text, const FigOverride *dims);
void case_free(Case *c);

const FigRecordClaim *claim(const Case *c, const char *id);

/* Settle one expression as a claim of the block, expecting it to be settled so. */
bool holds(const char *that, const char *by);
bool holds_at(const char *that, const char *by, const FigOverride *dims);

/* Expect one error, "COLUMN: error: …", with its hint after " | "; the expression begins
 * at column 12. */
void complains(const char *that, const char *want);

#endif
