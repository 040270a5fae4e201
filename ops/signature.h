/* SPDX-License-Identifier: MIT
 *
 * Shape signatures: the string that inference binds, the docs print and the tests draw
 * random dims from.
 *
 *   x[... d!], g[d!] -> y[... d!]              rmsnorm
 *   x[... t (heads d)] -> y[... heads t d]     split_heads; heads is a DIM attribute
 *   x[... over! ...] -> y[... over! ...]       softmax; over is an AXIS attribute
 *   x[... sum(sizes)] -> y[i]: [... sizes[i]]  split; sizes is a DIMS attribute
 *   x[... t! (2 p)!] -> y[... t! (2 p)!]       rope: the last axis is even
 *   x[... t! (from + t)!] -> …                 causal_mask; from is a DIM attribute
 *   t[...] < v, W[v! d] -> y[... d]            embed: t holds whole numbers below v
 *   x[... axis! ...] -> y[... (to - from)! ...] where from < to <= axis    slice
 *   a[... m k!], b[k! n] -> y[... m n] | a[... m k!], b[... k! n] -> y[... m n]
 *     ; transpose = b: a[... m k!], b[... n k!] -> y[... m n]          matmul
 *
 * A name binds one axis and must mean the same everywhere; `...` binds any number of axes
 * and must be the same everywhere (two of them only around an AXIS attribute, in the
 * first operand at least); `(a b)` is one axis of size a·b and `(a + b)` one of size a + b,
 * of which all names but one are known; `!` marks an axis that the op mixes, every other
 * is mapped and may be sliced. `where` orders sizes, as far as they can be compared. `|`
 * separates alternatives tried in order; `; attribute = word:` starts those for that word.
 *
 * Shapes are polynomials; plain numbers are polynomials too, so the same code makes the
 * symbolic run and the shape run.
 */
#ifndef FIG_OPS_SIGNATURE_H
#define FIG_OPS_SIGNATURE_H

#include "ops/op.h"

/* One operand's or result's shape and the names of its axes. */
typedef struct FigShape {
    int rank;
    const FigPoly *axis[FIG_LIMIT_RANK];
    const char *name[FIG_LIMIT_RANK]; /* "B", "query"; NULL: after its size */
} FigShape;

typedef struct FigBinding {
    int n_in;
    const FigShape *in; /* [n_in] */
    const FigAttrValue *attr;
    int n_out;                     /* filled */
    FigShape out[FIG_LIMIT_PORTS]; /* filled */
    /* Filled, a bit per axis: which axes of each operand and result are mixed. */
    unsigned in_mixed[FIG_LIMIT_PORTS];
    unsigned out_mixed[FIG_LIMIT_PORTS];
    const FigPoly *in_below[FIG_LIMIT_PORTS]; /* filled: the operand holds whole numbers
                                                 from 0 below this; NULL: real ones */
    const char *alternative; /* filled: the alternative that was bound */
} FigBinding;

/* The ports of a signature by position. A list output `y[i]` is one port.
 *
 * owns     the op table (parsed once, kept for the life of the process)
 */
int fig_signature_inputs(const FigOp *op); /* of the alternative with the most … */
int fig_signature_least_inputs(const FigOp *op); /* … and the fewest */
int fig_signature_outputs(const FigOp *op);      /* -1: a list */
const char *fig_signature_input(const FigOp *op, int port);
const char *fig_signature_output(const FigOp *op, int port);

/* How an operand's entries are stored: FIG_U8 where they are below 2 (a mask), FIG_I64
 * where they are other whole numbers (token ids), else `real`. */
FigType fig_signature_input_type(const FigOp *op, int port, FigType real);

int fig_signature_alternatives(const FigOp *op);

/* Bind the operands' shapes and give the results'.
 *
 * shapes   as the signature says; names travel to a result that has the same axes as the
 *          first operand ("shape-keeping")
 *          attributes by their poly and polys, and where these are NULL by dim and dims
 * errors   false, with *why set: "k is 16 in a but 24 in b", "64 is not a multiple of 5",
 *          "x has 2 axes, at least 3 are wanted"
 * owns     polynomials in algebra; *why is the caller's
 */
bool fig_signature_bind(const FigOp *op, FigAlgebra *algebra, FigBinding *binding,
                        char **why);

/* Draw random sizes, at least 1 and at most largest, for every operand of one of the
 * alternatives (chosen by *alternative, from 0; false when there is no such one), with
 * attribute values that fit: what the generic tests run on.
 *
 * owns     arrays in arena
 */
typedef uint32_t (*FigRandom)(void *data);
bool fig_signature_sample(const FigOp *op, int alternative, FigAlgebra *algebra,
                          int64_t largest, FigRandom random, void *data,
                          FigArena *arena, FigBinding *binding, FigAttrValue *attr);

/* Check that a signature is well formed: every output axis is bound, every attribute
 * exists. *why is the caller's. */
bool fig_signature_check(const FigOp *op, char **why);

#endif
