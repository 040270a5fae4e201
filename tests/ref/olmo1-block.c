/* SPDX-License-Identifier: MIT
 *
 * OLMo 1: LayerNorm without weights before each sublayer; where the checkpoint says so, q, k
 * and v are clipped right after their projections.
 */
#include "ref.h"

#include <math.h>

/* (x - mean) / sqrt(var + 1e-5): no gain, no bias, and eps is fixed in the code */
static double *
layer_norm(RefTrace *t, const char *name, const double *x, int T, int C)
{
    double *y = ref_new(t, name, T * C);
    for (int row = 0; row < T; row++) {
        double mean = 0, var = 0;
        for (int i = 0; i < C; i++)
            mean += x[row * C + i] / C;
        for (int i = 0; i < C; i++)
            var += (x[row * C + i] - mean) * (x[row * C + i] - mean) / C;
        for (int i = 0; i < C; i++)
            y[row * C + i] = (x[row * C + i] - mean) / sqrt(var + 1e-5);
    }
    return y;
}

static double *
clamp(RefTrace *t, const char *name, const double *x, double limit, int n)
{
    double *y = ref_new(t, name, n);
    for (int i = 0; i < n; i++)
        y[i] = fmin(fmax(x[i], -limit), limit);
    return y;
}

void
ref_olmo1_block(const RefWeights *w, const RefSizes *s, double clip, const double *x,
                RefTrace *t)
{
    int T = s->T, C = s->C, Q = s->H * s->d, K = s->G * s->d;
    const double *cosines, *sines;
    ref_tables(t, s, ref_frequencies(t, s), 1, &cosines, &sines);

    double *h = layer_norm(t, "attn_norm", x, T, C);
    double *q = ref_linear(t, "attn.q_proj", h, w->q, T, C, Q);
    double *k = ref_linear(t, "attn.k_proj", h, w->k, T, C, K);
    double *v = ref_linear(t, "attn.v_proj", h, w->v, T, C, K);
    if (clip != 0) {
        q = clamp(t, "attn.q_clip", q, clip, T * Q);
        k = clamp(t, "attn.k_clip", k, clip, T * K);
        v = clamp(t, "attn.v_clip", v, clip, T * K);
    }
    q = ref_turn(t, "attn.q_rope", q, s->H, s, cosines, sines);
    k = ref_turn(t, "attn.k_rope", k, s->G, s, cosines, sines);
    double *merged = ref_attention(t, s, q, k, v, 0);
    double *o = ref_linear(t, "attn.o_proj", merged, w->o, T, Q, C);
    double *mid = ref_sum(t, "mid", x, o, T * C);

    double *down = ref_mlp(t, w, s, layer_norm(t, "mlp_norm", mid, T, C));
    ref_sum(t, "output", mid, down, T * C);
}
