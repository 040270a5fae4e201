/* SPDX-License-Identifier: MIT
 *
 * The matrix product y = scale · a b, batched over any leading axes, in two versions with
 * the same contract: plain loops, which define it, and BLAS, which is fast.
 */
#ifndef FIG_OPS_GEMM_H
#define FIG_OPS_GEMM_H

#include "ops/op.h"

/* Compute y[… m n] = scale · Σ_k a[… m k] · b[… k n].
 *
 * shapes   a [… m k], b [… k n] or [k n] (shared by the batch), y [… m n]; any strides;
 *          swap the last two strides of b to multiply by its transpose
 */
void fig_gemm_naive(FigType type, const FigView *a, const FigView *b, const FigView *y,
                    double scale);

/* The same through CBLAS, without copying an operand: each matrix of the batch has unit
 * stride along one of its two axes (else the plain loops are used for it, as without BLAS). */
void fig_gemm_blas(FigType type, const FigView *a, const FigView *b, const FigView *y,
                   double scale);

/* Swap the last two axes of a view. */
FigView fig_view_transposed(const FigView *view);

#endif
