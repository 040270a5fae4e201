/* SPDX-License-Identifier: MIT
 *
 * A claim as a tree of pieces. What holds with a piece as it is, and would not with its
 * opposite, asserts the piece: all sides of an `and`, and of an `or` that is denied. A side
 * of any other `or` is an alternative.
 */
#include "check/claims-pieces.h"

#include "check/claims-parts.h"

#include <string.h>

/* ---- what a piece speaks of ---- */

static const FigClaimFunction *
function(const char *name)
{
    for (const FigClaimTable *table = fig_claim_tables; table->title; table++)
        for (const FigClaimFunction *f = table->functions; f->name; f++)
            if (strcmp(f->name, name) == 0)
                return f;
    return NULL;
}

/* Gather the values and ops that it names, in an edit's text too; true if it speaks of the
 * model at all and not of dims and constants alone. */
static bool
gather(const FigGraph *graph, const FigExpr *expr, GHashTable *names)
{
    bool any = false;
    if (expr->kind == FIG_EXPR_NAME || expr->kind == FIG_EXPR_STRING) {
        g_autofree char *head =
            g_strndup(expr->name,
                      strspn(expr->name, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_"));
        int value = fig_graph_value(graph, head), node = fig_graph_node(graph, head);
        if (value >= 0 || node >= 0) {
            any = true;
            g_hash_table_add(names, (gpointer)(value >= 0 ? graph->values[value].id
                                                          : graph->nodes[node].id));
        }
    }
    if (expr->kind == FIG_EXPR_CALL) {
        const FigClaimFunction *f = function(expr->name);
        any = f && f->by != FIG_BY_ARGUMENTS;
    }
    for (int i = 0; i < expr->n_args; i++)
        any = (expr->args[i] && gather(graph, expr->args[i], names)) || any;
    return any;
}

/* ---- the tree ---- */

typedef struct Making {
    const FigGraph *graph;
    FigArena *arena;
} Making;

/* all(A) or any(A), at the place of A. */
static const FigExpr *
folded(const Making *making, const FigExpr *fold, const FigExpr *of)
{
    const FigExpr **args = fig_arena_new_array(making->arena, const FigExpr *, 1);
    FigExpr *expr = fig_arena_copy(making->arena, fold, sizeof *fold);
    args[0] = of;
    expr->args = args;
    return expr;
}

/* `all(A and B)` is `all(A) and all(B)`, `any(A or B)` is `any(A) or any(B)`: the sides; the
 * sign, or FIG_ADD where there are none. */
static FigOperator
sides_of(const Making *making, const FigExpr *expr, const FigExpr *sides[2],
         const FigExpr *written[2])
{
    const FigExpr *in = expr;
    bool all = expr->kind == FIG_EXPR_CALL && strcmp(expr->name, "all") == 0;
    bool any = expr->kind == FIG_EXPR_CALL && strcmp(expr->name, "any") == 0;
    if ((all || any) && expr->n_args == 1)
        in = expr->args[0];
    bool both =
        in->kind == FIG_EXPR_BINARY && (in->sign == FIG_AND || in->sign == FIG_OR);
    bool one = in == expr && in->kind == FIG_EXPR_UNARY && in->sign == FIG_NOT;
    if ((!both && !one) || (in != expr && (in->sign == FIG_AND) != all))
        return FIG_ADD;
    for (int i = 0; i < in->n_args; i++) {
        written[i] = in->args[i];
        sides[i] = in == expr ? in->args[i] : folded(making, expr, in->args[i]);
    }
    return in->sign;
}

/* holds: what the piece is where it is asserted. */
static FigPiece *
piece_new(const Making *making, const FigExpr *expr, const FigExpr *written,
          const FigPiece *parent, bool asserted, bool holds)
{
    FigPiece *piece = g_new0(FigPiece, 1);
    piece->expr = expr;
    piece->written = written;
    piece->parent = parent;
    piece->asserted = asserted;
    piece->names = g_hash_table_new(g_str_hash, g_str_equal);
    piece->spoken = gather(making->graph, expr, piece->names);
    if (asserted)
        *(holds ? &piece->held : &piece->failed) = true;
    const FigExpr *sides[2] = {NULL, NULL}, *at[2] = {NULL, NULL};
    piece->sign = sides_of(making, expr, sides, at);
    if (piece->sign == FIG_NOT)
        holds = !holds;
    else
        asserted = asserted && (piece->sign == FIG_AND) == holds;
    for (int i = 0; i < 2 && sides[i]; i++)
        piece->side[i] = piece_new(making, sides[i], at[i], piece, asserted, holds);
    return piece;
}

FigPiece *
fig_piece_new(const FigGraph *graph, const FigExpr *expr, FigArena *arena)
{
    const Making making = {graph, arena};
    return piece_new(&making, expr, expr, NULL, true, true);
}

void
fig_piece_free(FigPiece *piece)
{
    if (!piece)
        return;
    fig_piece_free(piece->side[0]);
    fig_piece_free(piece->side[1]);
    g_hash_table_unref(piece->names);
    g_free(piece);
}

bool
fig_piece_varies(const FigPiece *piece)
{
    return piece->held && piece->failed;
}

bool
fig_piece_pending(const FigPiece *piece)
{
    return piece && (!fig_piece_varies(piece) || fig_piece_pending(piece->side[0]) ||
                     fig_piece_pending(piece->side[1]));
}

bool
fig_piece_fits(const FigPiece *piece, const FigGraph *graph)
{
    GHashTableIter iter;
    gpointer id;
    g_hash_table_iter_init(&iter, piece->names);
    while (g_hash_table_iter_next(&iter, &id, NULL))
        if (fig_graph_value(graph, id) < 0 && fig_graph_node(graph, id) < 0)
            return false;
    return true;
}

/* ---- what they are ---- */

static FigOutcome
join(FigOperator sign, FigOutcome left, FigOutcome right)
{
    FigOutcome decides = sign == FIG_AND ? FIG_FAILS : FIG_HOLDS;
    if (left == decides || right == decides)
        return decides;
    return left == FIG_UNKNOWN ? left : right;
}

/* wanted: what is around it hangs on it. */
static FigOutcome
look(FigPiece *piece, FigPieceAsk ask, void *data, bool wanted)
{
    FigOutcome is;
    if (!wanted && !fig_piece_pending(piece))
        return FIG_UNKNOWN;
    wanted = wanted || !fig_piece_varies(piece);
    if (!piece->side[0]) {
        is = ask(piece, data);
    } else if (!piece->side[1]) {
        is = look(piece->side[0], ask, data, wanted);
        is = is == FIG_UNKNOWN ? is : is == FIG_HOLDS ? FIG_FAILS : FIG_HOLDS;
    } else {
        FigOperator sign = piece->sign;
        FigOutcome decides = sign == FIG_AND ? FIG_FAILS : FIG_HOLDS;
        FigOutcome left = look(piece->side[0], ask, data, wanted);
        FigOutcome right = look(piece->side[1], ask, data, wanted && left != decides);
        is = join(sign, left, right);
    }
    piece->held = piece->held || is == FIG_HOLDS;
    piece->failed = piece->failed || is == FIG_FAILS;
    return is;
}

void
fig_piece_look(FigPiece *piece, FigPieceAsk ask, void *data)
{
    look(piece, ask, data, false);
}

/* A piece varies with what it asserts. */
static void
doubt(FigPiece *piece, FigPieceAsk ask, void *data)
{
    bool varies = false, whole = true;
    for (int i = 0; i < 2 && piece->side[i]; i++) {
        if (!piece->side[i]->asserted)
            continue;
        whole = false;
        doubt(piece->side[i], ask, data);
        varies = varies || fig_piece_varies(piece->side[i]);
    }
    if (!piece->parent)
        return;
    FigOutcome is = whole ? ask(piece, data) : FIG_UNKNOWN;
    piece->held = piece->held || varies || is == FIG_HOLDS;
    piece->failed = piece->failed || varies || is == FIG_FAILS;
}

void
fig_piece_doubt(FigPiece *claim, FigPieceAsk ask, void *data)
{
    doubt(claim, ask, data);
}

static const FigPiece *
first_constant(const FigPiece *piece, bool unspoken)
{
    for (int i = 0; i < 2 && piece->side[i]; i++) {
        const FigPiece *inner = first_constant(piece->side[i], unspoken);
        if (inner)
            return inner;
    }
    bool constant = piece->held != piece->failed;
    return constant && !(unspoken && piece->spoken) ? piece : NULL;
}

const FigPiece *
fig_piece_constant(const FigPiece *claim, bool unspoken)
{
    const FigPiece *first = first_constant(claim, unspoken);
    while (first && first->parent && first->parent->sign == FIG_NOT)
        first = first->parent;
    return first == claim ? NULL : first;
}
