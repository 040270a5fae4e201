/* SPDX-License-Identifier: MIT
 *
 * The forward pass as it reads in the paper and in tests/golden/README.md.
 */
#include "olmo2-block.h"

#include <glib.h>
#include <math.h>

/* y (T, out) = x (T, in) W^T, W (out, in) */
static double *
linear(const double *x, const float *w, int T, int in, int out)
{
    double *y = g_new(double, T *out);
    for (int t = 0; t < T; t++)
        for (int o = 0; o < out; o++) {
            double sum = 0;
            for (int i = 0; i < in; i++)
                sum += x[t * in + i] * (double)w[o * in + i];
            y[t * out + o] = sum;
        }
    return y;
}

/* y = g * x / sqrt(mean(x^2) + eps), row by row */
static double *
rms(const double *x, const float *g, int T, int C, double eps)
{
    double *y = g_new(double, T *C);
    for (int t = 0; t < T; t++) {
        double square = 0;
        for (int c = 0; c < C; c++)
            square += x[t * C + c] * x[t * C + c];
        double scale = 1 / sqrt(square / C + eps);
        for (int c = 0; c < C; c++)
            y[t * C + c] = (double)g[c] * x[t * C + c] * scale;
    }
    return y;
}

/* (T, C) to (H, T, d), entries (j, j + d/2) of position t turned by t theta^(-2j/d) */
static double *
rope(const double *x, const RefSizes *s)
{
    int d = s->C / s->H;
    double *y = g_new(double, s->T * s->C);
    for (int h = 0; h < s->H; h++)
        for (int t = 0; t < s->T; t++)
            for (int j = 0; j < d / 2; j++) {
                double angle = t * pow(s->theta, -2.0 * j / d);
                double a = x[t * s->C + h * d + j];
                double b = x[t * s->C + h * d + j + d / 2];
                double *row = y + (h * s->T + t) * d;
                row[j] = a * cos(angle) - b * sin(angle);
                row[j + d / 2] = b * cos(angle) + a * sin(angle);
            }
    return y;
}

static double *
sum_of(const double *a, const double *b, int n)
{
    double *y = g_new(double, n);
    for (int i = 0; i < n; i++)
        y[i] = a[i] + b[i];
    return y;
}

static void
attention(const RefSizes *s, RefTrace *r)
{
    int T = s->T, C = s->C, H = s->H, d = C / H;
    r->scores = g_new(double, H *T *T);
    r->probs = g_new(double, H *T *T);
    r->heads = g_new(double, H *T *d);
    r->merged = g_new(double, T *C);
    for (int h = 0; h < H; h++)
        for (int t = 0; t < T; t++) {
            double *score = r->scores + (h * T + t) * T;
            double *prob = r->probs + (h * T + t) * T;
            double most = -HUGE_VAL, total = 0;
            for (int u = 0; u < T; u++) {
                double dot = 0;
                for (int j = 0; j < d; j++)
                    dot +=
                        r->q_rope[(h * T + t) * d + j] * r->k_rope[(h * T + u) * d + j];
                score[u] = u <= t ? dot / sqrt(d) : -HUGE_VAL;
                most = fmax(most, score[u]);
            }
            for (int u = 0; u < T; u++)
                total += prob[u] = exp(score[u] - most);
            for (int u = 0; u < T; u++)
                prob[u] /= total;
            for (int j = 0; j < d; j++) {
                double mix = 0;
                for (int u = 0; u < T; u++)
                    mix += prob[u] * r->v[u * C + h * d + j];
                r->heads[(h * T + t) * d + j] = mix;
                r->merged[t * C + h * d + j] = mix;
            }
        }
}

void
ref_olmo2_block(const RefWeights *w, const RefSizes *s, const double *x, RefTrace *r)
{
    int T = s->T, C = s->C, F = s->F;
    r->q = linear(x, w->q, T, C, C);
    r->k = linear(x, w->k, T, C, C);
    r->v = linear(x, w->v, T, C, C);
    r->q_norm = rms(r->q, w->q_norm, T, C, s->eps);
    r->k_norm = rms(r->k, w->k_norm, T, C, s->eps);
    r->q_rope = rope(r->q_norm, s);
    r->k_rope = rope(r->k_norm, s);
    attention(s, r);
    r->o = linear(r->merged, w->o, T, C, C);
    r->post_attn = rms(r->o, w->post_attn, T, C, s->eps);
    r->mid = sum_of(x, r->post_attn, T * C);

    r->gate = linear(r->mid, w->gate, T, C, F);
    r->up = linear(r->mid, w->up, T, C, F);
    r->act = g_new(double, T *F);
    r->prod = g_new(double, T *F);
    for (int i = 0; i < T * F; i++) {
        r->act[i] = r->gate[i] / (1 + exp(-r->gate[i]));
        r->prod[i] = r->act[i] * r->up[i];
    }
    r->down = linear(r->prod, w->down, T, F, C);
    r->post_ff = rms(r->down, w->post_ff, T, C, s->eps);
    r->out = sum_of(r->mid, r->post_ff, T * C);
}

void
ref_trace_clear(RefTrace *r)
{
    double *all[] = {
        r->q,      r->k,     r->v,     r->q_norm, r->k_norm, r->q_rope,    r->k_rope,
        r->scores, r->probs, r->heads, r->merged, r->o,      r->post_attn, r->mid,
        r->gate,   r->act,   r->up,    r->prod,   r->down,   r->post_ff,   r->out};
    for (gsize i = 0; i < G_N_ELEMENTS(all); i++)
        g_free(all[i]);
    *r = (RefTrace){0};
}
