/* SPDX-License-Identifier: MIT
 *
 * OLMo 3: as OLMo 2, but most layers see a window of keys and turn by plain RoPE; the full
 * layers alone turn by YaRN.
 */
#include "ref.h"

#include <math.h>

/* The pair that turns so often within the original length, as a fraction. */
static double
pair_of(double turns, const RefYarn *yarn, const RefSizes *s)
{
    return s->d * log(yarn->original / (2 * G_PI * turns)) / (2 * log(s->theta));
}

/* Slow pairs are slowed by the factor, fast ones stay, those between are blended. */
static void
slow_down(double *frequencies, const RefYarn *yarn, const RefSizes *s)
{
    double low = fmax(floor(pair_of(yarn->beta_fast, yarn, s)), 0);
    double high = fmin(ceil(pair_of(yarn->beta_slow, yarn, s)), s->d - 1);
    if (low == high)
        high += 0.001;
    for (int j = 0; j < s->d / 2; j++) {
        double ramp = fmin(fmax((j - low) / (high - low), 0), 1);
        double plain = pow(s->theta, -2.0 * j / s->d);
        frequencies[j] = ramp * plain / yarn->factor + (1 - ramp) * plain;
    }
}

void
ref_olmo3_block(const RefWeights *w, const RefSizes *s, int window, RefYarn yarn,
                const double *x, RefTrace *t)
{
    int T = s->T, C = s->C, Q = s->H * s->d, K = s->G * s->d;
    bool scaled = window == 0 && yarn.factor != 0;
    double *frequencies = ref_frequencies(t, s);
    if (scaled)
        slow_down(frequencies, &yarn, s);
    const double *cosines, *sines;
    ref_tables(t, s, frequencies, scaled ? yarn.attention_factor : 1, &cosines, &sines);

    double *q = ref_linear(t, "attn.q_proj", x, w->q, T, C, Q);
    double *k = ref_linear(t, "attn.k_proj", x, w->k, T, C, K);
    double *v = ref_linear(t, "attn.v_proj", x, w->v, T, C, K);
    q = ref_rms(t, "attn.q_norm", q, w->q_norm, T, Q, s->eps);
    k = ref_rms(t, "attn.k_norm", k, w->k_norm, T, K, s->eps);
    q = ref_turn(t, "attn.q_rope", q, s->H, s, cosines, sines);
    k = ref_turn(t, "attn.k_rope", k, s->G, s, cosines, sines);
    double *merged = ref_attention(t, s, q, k, v, window);
    double *o = ref_linear(t, "attn.o_proj", merged, w->o, T, Q, C);
    o = ref_rms(t, "post_attn_norm", o, w->post_attn, T, C, s->eps);
    double *mid = ref_sum(t, "mid", x, o, T * C);

    double *down = ref_mlp(t, w, s, mid);
    down = ref_rms(t, "post_ff_norm", down, w->post_ff, T, C, s->eps);
    ref_sum(t, "output", mid, down, T * C);
}
