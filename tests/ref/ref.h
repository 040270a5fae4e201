/* SPDX-License-Identifier: MIT
 *
 * Blocks written down by hand, in double, with plain loops: no graph, no op table, nothing
 * shared with the program. A second opinion on both it and the golden sets. Each family is
 * one file that reads from top to bottom as the formulas of tests/golden/README.md do; what
 * is the same in all of them is in loops.c.
 */
#ifndef FIG_TESTS_REF_REF_H
#define FIG_TESTS_REF_REF_H

#include <glib.h>
#include <stdbool.h>

/* Weights as a checkpoint stores them, (out, in); those that a family lacks are NULL. */
typedef struct RefWeights {
    const float *q, *k, *v, *o;       /* (H*d, C), (G*d, C) twice, (C, H*d) */
    const float *q_norm, *k_norm;     /* (H*d), (G*d) */
    const float *pre_attn, *pre_ff;   /* (C) */
    const float *post_attn, *post_ff; /* (C) */
    const float *gate, *up, *down;    /* (F, C) twice, (C, F) */
} RefWeights;

typedef struct RefSizes {
    int T, C, H, G, d, F;
    double eps, theta;
} RefSizes;

/* RoPE of type llama3; factor 0: none. */
typedef struct RefLlama3 {
    double factor, low, high, original;
} RefLlama3;

/* RoPE of type yarn; factor 0: none. */
typedef struct RefYarn {
    double factor, beta_fast, beta_slow, original, attention_factor;
} RefYarn;

/* One value of a forward pass, under its name in a golden trace, without "layers.i." */
typedef struct RefValue {
    const char *name;
    double *data;
    int count;
} RefValue;

/* All values of one forward pass, for a batch of one. */
typedef struct RefTrace {
    RefValue values[40];
    int count;
} RefTrace;

/* ---- the blocks: x (T, C) to "output", with all that lies between ---- */

/* clip 0: none */
void ref_olmo1_block(const RefWeights *w, const RefSizes *s, double clip,
                     const double *x, RefTrace *t);
void ref_olmo2_block(const RefWeights *w, const RefSizes *s, const double *x,
                     RefTrace *t);
/* window 0: a full layer */
void ref_olmo3_block(const RefWeights *w, const RefSizes *s, int window, RefYarn yarn,
                     const double *x, RefTrace *t);
/* neighbours: RoPE turns entries (2j, 2j + 1), not (j, j + d/2) */
void ref_llama3_block(const RefWeights *w, const RefSizes *s, RefLlama3 scaling,
                      bool neighbours, const double *x, RefTrace *t);

void ref_trace_clear(RefTrace *t);

/* ---- loops.c: each writes a new value of the trace and returns it ---- */

double *ref_new(RefTrace *t, const char *name, int count);

/* x (T, in) W^T, W (out, in) */
double *ref_linear(RefTrace *t, const char *name, const double *x, const float *w,
                   int T, int in, int out);

/* g * x / sqrt(mean(x^2) + eps) over rows of n */
double *ref_rms(RefTrace *t, const char *name, const double *x, const float *g, int T,
                int n, double eps);

double *ref_sum(RefTrace *t, const char *name, const double *a, const double *b, int n);

/* theta^(-2j/d) for j below d/2 */
double *ref_frequencies(RefTrace *t, const RefSizes *s);

/* cos and sin (T, d) of t * frequency j at columns j and j + d/2, times attention_factor */
void ref_tables(RefTrace *t, const RefSizes *s, const double *frequencies,
                double attention_factor, const double **cos, const double **sin);

/* (T, heads*d) to (heads, T, d), entries (j, j + d/2) turned by the tables */
double *ref_turn(RefTrace *t, const char *name, const double *x, int heads,
                 const RefSizes *s, const double *cos, const double *sin);

/* Query head h reads key/value head h / (H/G); key u is seen by query t when u <= t, and
 * with a window when u > t - window. Writes scores, probs, heads; returns merged. */
double *ref_attention(RefTrace *t, const RefSizes *s, const double *q, const double *k,
                      const double *v, int window);

/* down(silu(gate(x)) * up(x)) */
double *ref_mlp(RefTrace *t, const RefWeights *w, const RefSizes *s, const double *x);

#endif
