/* SPDX-License-Identifier: MIT
 *
 * OLMo 2: no norm before a sublayer; q and k are normed over their full width, before they
 * are cut into heads; what a sublayer gives is normed before it is added.
 */
#include "ref.h"

void
ref_olmo2_block(const RefWeights *w, const RefSizes *s, const double *x, RefTrace *t)
{
    int T = s->T, C = s->C, Q = s->H * s->d, K = s->G * s->d;
    const double *cosines, *sines;
    ref_tables(t, s, ref_frequencies(t, s), 1, &cosines, &sines);

    double *q = ref_linear(t, "attn.q_proj", x, w->q, T, C, Q);
    double *k = ref_linear(t, "attn.k_proj", x, w->k, T, C, K);
    double *v = ref_linear(t, "attn.v_proj", x, w->v, T, C, K);
    q = ref_rms(t, "attn.q_norm", q, w->q_norm, T, Q, s->eps);
    k = ref_rms(t, "attn.k_norm", k, w->k_norm, T, K, s->eps);
    q = ref_turn(t, "attn.q_rope", q, s->H, s, cosines, sines);
    k = ref_turn(t, "attn.k_rope", k, s->G, s, cosines, sines);
    double *merged = ref_attention(t, s, q, k, v, 0);
    double *o = ref_linear(t, "attn.o_proj", merged, w->o, T, Q, C);
    o = ref_rms(t, "post_attn_norm", o, w->post_attn, T, C, s->eps);
    double *mid = ref_sum(t, "mid", x, o, T * C);

    double *down = ref_mlp(t, w, s, mid);
    down = ref_rms(t, "post_ff_norm", down, w->post_ff, T, C, s->eps);
    ref_sum(t, "output", mid, down, T * C);
}
