/* SPDX-License-Identifier: MIT
 *
 * One OLMo 2 block written down by hand, in double, with plain loops: no graph, no op
 * table, nothing shared with the program. A second opinion on both it and the golden set.
 */
#ifndef FIG_TESTS_REF_OLMO2_BLOCK_H
#define FIG_TESTS_REF_OLMO2_BLOCK_H

/* Weights as a checkpoint stores them: (out, in). */
typedef struct RefWeights {
    const float *q, *k, *v, *o;   /* (C, C) each; as many key/value heads as heads */
    const float *q_norm, *k_norm; /* (C) */
    const float *post_attn, *post_ff; /* (C) */
    const float *gate, *up;           /* (F, C) */
    const float *down;                /* (C, F) */
} RefWeights;

typedef struct RefSizes {
    int T, C, H, F;
    double eps, theta;
} RefSizes;

/* All values of one forward pass, for a batch of one. */
typedef struct RefTrace {
    double *q, *k, *v;              /* (T, C) */
    double *q_norm, *k_norm;        /* (T, C) */
    double *q_rope, *k_rope;        /* (H, T, d) */
    double *scores, *probs;         /* (H, T, T) */
    double *heads;                  /* (H, T, d) */
    double *merged, *o;             /* (T, C) */
    double *post_attn, *mid;        /* (T, C) */
    double *gate, *act, *up, *prod; /* (T, F) */
    double *down, *post_ff, *out;   /* (T, C) */
} RefTrace;

/* Compute the block of x (T, C); each array of the trace is g_new'd. */
void ref_olmo2_block(const RefWeights *w, const RefSizes *s, const double *x,
                     RefTrace *trace);
void ref_trace_clear(RefTrace *trace);

#endif
