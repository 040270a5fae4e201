/* SPDX-License-Identifier: MIT
 *
 * Running one op on small tensors, watched: operands in three memory layouts with
 * sentinels around and between their elements, results that must be written whole.
 */
#ifndef FIG_TESTS_OPS_TENSORS_H
#define FIG_TESTS_OPS_TENSORS_H

#include "ops/op.h"

#include <glib.h>

/* How the elements of a tensor lie in memory. */
typedef enum Lie {
    LIE_DENSE,
    LIE_GAPS,    /* row-major, each row and the whole with gaps */
    LIE_CROSSED, /* the last axis outermost, with gaps */
    LIES,
} Lie;

/* Numbers of one operand or result, row-major, in double. */
typedef struct Tensor {
    int rank;
    int64_t size[FIG_LIMIT_RANK];
    int64_t count;
    double *number; /* [count] */
} Tensor;

/* owns     arena */
Tensor tensor_new(FigArena *arena, int rank, const int64_t *size);

typedef enum Way {
    WAY_EVAL,
    WAY_NAIVE,
    WAY_VIEW, /* results as views of the first operand */
} Way;

/* Run op once: in [n_in] are copied into buffers that lie as in_lie, results into buffers
 * that lie as out_lie. Asserts that every element of every result is written and no other
 * byte of any buffer is, operands included.
 *
 * shapes   out [n_out]: rank and size given, numbers filled
 * errors   false when WAY_VIEW is not possible for these strides
 */
bool tensors_run(const FigOp *op, FigType type, Way way, Lie in_lie, Lie out_lie,
                 int n_in, const Tensor *in, int n_out, Tensor *out,
                 const FigAttrValue *attr);

/* The numbers of a tensor, dense, in a type.
 *
 * owns     arena
 */
FigView tensor_view(FigArena *arena, const Tensor *tensor, FigType type);

/* Assert that two tensors have the same numbers up to `bound` · (1 + |number|); 0: the
 * same bits. An infinity is only near itself, NaN near nothing. */
void tensors_near(const char *what, const Tensor *a, const Tensor *b, double bound);

/* The view of a tensor's numbers with each axis from `first`, `size` entries, `step`
 * apart, copied into a tensor of its own. */
Tensor tensor_slice(FigArena *arena, const Tensor *tensor, const int64_t *first,
                    const int64_t *size, const int64_t *step);

#endif
