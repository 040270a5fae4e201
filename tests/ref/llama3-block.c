/* SPDX-License-Identifier: MIT
 *
 * Llama 3: RMSNorm before each sublayer, nothing after it; RoPE scaled by wavelength. The
 * first Llama's own code turns neighbouring entries, in place of the two halves.
 */
#include "ref.h"

#include <math.h>

/* Waves longer than the original length are slowed by the factor, short ones stay. */
static void
slow_down(double *frequencies, const RefLlama3 *l, int count)
{
    for (int j = 0; j < count; j++) {
        double wave = 2 * G_PI / frequencies[j];
        double blend = (l->original / wave - l->low) / (l->high - l->low);
        if (wave < l->original / l->high)
            continue;
        if (wave > l->original / l->low)
            frequencies[j] /= l->factor;
        else
            frequencies[j] =
                (1 - blend) * frequencies[j] / l->factor + blend * frequencies[j];
    }
}

/* (T, heads*d) to (heads, T, d), entries (2j, 2j + 1) turned */
static double *
turn_neighbours(RefTrace *t, const char *name, const double *x, int heads,
                const RefSizes *s, const double *cosines, const double *sines)
{
    int d = s->d, T = s->T;
    double *y = ref_new(t, name, heads * T * d);
    for (int h = 0; h < heads; h++)
        for (int row = 0; row < T; row++)
            for (int j = 0; j < d / 2; j++) {
                const double *pair = x + (row * heads + h) * d + 2 * j;
                double c = cosines[row * d + j], n = sines[row * d + j];
                y[(h * T + row) * d + 2 * j] = pair[0] * c - pair[1] * n;
                y[(h * T + row) * d + 2 * j + 1] = pair[0] * n + pair[1] * c;
            }
    return y;
}

void
ref_llama3_block(const RefWeights *w, const RefSizes *s, RefLlama3 scaling,
                 bool neighbours, const double *x, RefTrace *t)
{
    int T = s->T, C = s->C, Q = s->H * s->d, K = s->G * s->d;
    double *frequencies = ref_frequencies(t, s);
    if (scaling.factor != 0)
        slow_down(frequencies, &scaling, s->d / 2);
    const double *cosines, *sines;
    ref_tables(t, s, frequencies, 1, &cosines, &sines);

    double *h = ref_rms(t, "attn_norm", x, w->pre_attn, T, C, s->eps);
    double *q = ref_linear(t, "attn.q_proj", h, w->q, T, C, Q);
    double *k = ref_linear(t, "attn.k_proj", h, w->k, T, C, K);
    double *v = ref_linear(t, "attn.v_proj", h, w->v, T, C, K);
    if (neighbours) {
        q = turn_neighbours(t, "attn.q_rope", q, s->H, s, cosines, sines);
        k = turn_neighbours(t, "attn.k_rope", k, s->G, s, cosines, sines);
    } else {
        q = ref_turn(t, "attn.q_rope", q, s->H, s, cosines, sines);
        k = ref_turn(t, "attn.k_rope", k, s->G, s, cosines, sines);
    }
    double *merged = ref_attention(t, s, q, k, v, 0);
    double *o = ref_linear(t, "attn.o_proj", merged, w->o, T, Q, C);
    double *mid = ref_sum(t, "mid", x, o, T * C);

    h = ref_rms(t, "mlp_norm", mid, w->pre_ff, T, C, s->eps);
    double *down = ref_mlp(t, w, s, h);
    ref_sum(t, "output", mid, down, T * C);
}
