/* SPDX-License-Identifier: MIT
 *
 * The pieces of a claim on trial: what `and`, `or` and `not` join, as a tree, and what
 * each was seen to be. A piece that is the same whatever is changed could as well be
 * `true` or `false`: it says nothing.
 */
#ifndef FIG_CHECK_CLAIMS_PIECES_H
#define FIG_CHECK_CLAIMS_PIECES_H

#include "spec/graph.h"

typedef enum FigOutcome {
    FIG_HOLDS,
    FIG_FAILS,
    FIG_UNKNOWN, /* it cannot be asked, or gives no numbers */
} FigOutcome;

typedef struct FigPiece FigPiece;
struct FigPiece {
    const FigExpr *expr;    /* what is asked … */
    const FigExpr *written; /* … and where: of `all(A and B)`, `all(A)` stands at A */
    const FigPiece *parent;
    FigOperator sign;  /* what joins its sides: AND, OR, NOT */
    FigPiece *side[2]; /* NULL: none; a piece without sides is asked itself */
    bool asserted; /* the claim holds only if this is as it is: no side of an `or` */
    bool spoken;   /* it speaks of an op, a value or a run */
    GHashTable *names; /* the ops and values that it speaks of */
    bool held, failed; /* what it was seen to be */
    bool condition;    /* it is another at other dims or constants */
};

/* The pieces of a claim that holds.
 *
 * owns     the caller; free with fig_piece_free before graph, expr and arena
 */
FigPiece *fig_piece_new(const FigGraph *graph, const FigExpr *expr, FigArena *arena);
void fig_piece_free(FigPiece *piece);

/* Was a piece seen to hold and to fail? */
bool fig_piece_varies(const FigPiece *piece);

/* Is there one in it, or is it one, that was not? */
bool fig_piece_pending(const FigPiece *piece);

/* Ask each piece that is pending, and what these hang on, and note what they are. ask
 * answers for a piece without sides. */
typedef FigOutcome (*FigPieceAsk)(const FigPiece *piece, void *data);
void fig_piece_look(FigPiece *piece, FigPieceAsk ask, void *data);

/* Ask each piece inside a claim that it asserts until it varies; ask answers for any piece,
 * as it could be. */
void fig_piece_doubt(FigPiece *claim, FigPieceAsk ask, void *data);

/* The first piece inside a claim that was seen to be one thing alone, as it stands with its
 * `not`; unspoken: of those only that speak of no op and no value. NULL: there is none but
 * the claim itself. */
const FigPiece *fig_piece_constant(const FigPiece *claim, bool unspoken);

/* Are all ops and values that a piece names in a graph? */
bool fig_piece_fits(const FigPiece *piece, const FigGraph *graph);

#endif
