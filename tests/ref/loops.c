/* SPDX-License-Identifier: MIT
 *
 * The loops of all families, as tests/golden/README.md writes them.
 */
#include "ref.h"

#include <math.h>

double *
ref_new(RefTrace *t, const char *name, int count)
{
    g_assert_cmpint(t->count, <, (int)G_N_ELEMENTS(t->values));
    double *data = g_new(double, count);
    t->values[t->count++] = (RefValue){name, data, count};
    return data;
}

void
ref_trace_clear(RefTrace *t)
{
    for (int i = 0; i < t->count; i++)
        g_free(t->values[i].data);
    *t = (RefTrace){0};
}

double *
ref_linear(RefTrace *t, const char *name, const double *x, const float *w, int T,
           int in, int out)
{
    double *y = ref_new(t, name, T * out);
    for (int row = 0; row < T; row++)
        for (int o = 0; o < out; o++) {
            double sum = 0;
            for (int i = 0; i < in; i++)
                sum += x[row * in + i] * (double)w[o * in + i];
            y[row * out + o] = sum;
        }
    return y;
}

double *
ref_rms(RefTrace *t, const char *name, const double *x, const float *g, int T, int n,
        double eps)
{
    double *y = ref_new(t, name, T * n);
    for (int row = 0; row < T; row++) {
        double square = 0;
        for (int i = 0; i < n; i++)
            square += x[row * n + i] * x[row * n + i];
        double scale = 1 / sqrt(square / n + eps);
        for (int i = 0; i < n; i++)
            y[row * n + i] = (double)g[i] * x[row * n + i] * scale;
    }
    return y;
}

double *
ref_sum(RefTrace *t, const char *name, const double *a, const double *b, int n)
{
    double *y = ref_new(t, name, n);
    for (int i = 0; i < n; i++)
        y[i] = a[i] + b[i];
    return y;
}

double *
ref_frequencies(RefTrace *t, const RefSizes *s)
{
    double *frequencies = ref_new(t, "rope.inv_freq", s->d / 2);
    for (int j = 0; j < s->d / 2; j++)
        frequencies[j] = pow(s->theta, -2.0 * j / s->d);
    return frequencies;
}

void
ref_tables(RefTrace *t, const RefSizes *s, const double *frequencies,
           double attention_factor, const double **cosines, const double **sines)
{
    int half = s->d / 2;
    double *c = ref_new(t, "rope.cos", s->T * s->d);
    double *n = ref_new(t, "rope.sin", s->T * s->d);
    for (int row = 0; row < s->T; row++)
        for (int i = 0; i < s->d; i++) {
            double angle = row * frequencies[i % half];
            c[row * s->d + i] = cos(angle) * attention_factor;
            n[row * s->d + i] = sin(angle) * attention_factor;
        }
    *ref_new(t, "rope.attention_scaling", 1) = attention_factor;
    *cosines = c;
    *sines = n;
}

double *
ref_turn(RefTrace *t, const char *name, const double *x, int heads, const RefSizes *s,
         const double *cosines, const double *sines)
{
    int d = s->d, T = s->T;
    double *y = ref_new(t, name, heads * T * d);
    for (int h = 0; h < heads; h++)
        for (int row = 0; row < T; row++)
            for (int j = 0; j < d / 2; j++) {
                double a = x[(row * heads + h) * d + j];
                double b = x[(row * heads + h) * d + j + d / 2];
                double c = cosines[row * d + j], n = sines[row * d + j];
                y[(h * T + row) * d + j] = a * c - b * n;
                y[(h * T + row) * d + j + d / 2] = b * c + a * n;
            }
    return y;
}

/* 1 where the query (row) sees the key (column) */
static const double *
visible(RefTrace *t, int T, int window)
{
    double *seen = ref_new(t, "mask", T * T);
    for (int query = 0; query < T; query++)
        for (int key = 0; key < T; key++)
            seen[query * T + key] =
                key <= query && (window == 0 || key > query - window);
    return seen;
}

double *
ref_attention(RefTrace *t, const RefSizes *s, const double *q, const double *k,
              const double *v, int window)
{
    int T = s->T, H = s->H, G = s->G, d = s->d;
    const double *seen = visible(t, T, window);
    double *scores = ref_new(t, "attn.scores", H * T * T);
    double *probs = ref_new(t, "attn.probs", H * T * T);
    double *heads = ref_new(t, "attn.heads", H * T * d);
    double *merged = ref_new(t, "attn.merged", T * H * d);
    for (int h = 0; h < H; h++)
        for (int query = 0; query < T; query++) {
            int g = h / (H / G);
            double *score = scores + (h * T + query) * T;
            double *prob = probs + (h * T + query) * T;
            double most = -HUGE_VAL, total = 0;
            for (int key = 0; key < T; key++) {
                double dot = 0;
                for (int j = 0; j < d; j++)
                    dot += q[(h * T + query) * d + j] * k[(g * T + key) * d + j];
                score[key] = seen[query * T + key] != 0 ? dot / sqrt(d) : -HUGE_VAL;
                most = fmax(most, score[key]);
            }
            for (int key = 0; key < T; key++)
                total += prob[key] = exp(score[key] - most);
            for (int key = 0; key < T; key++)
                prob[key] /= total;
            for (int j = 0; j < d; j++) {
                double mix = 0;
                for (int key = 0; key < T; key++)
                    mix += prob[key] * v[(key * G + g) * d + j];
                heads[(h * T + query) * d + j] = mix;
                merged[(query * H + h) * d + j] = mix;
            }
        }
    return merged;
}

double *
ref_mlp(RefTrace *t, const RefWeights *w, const RefSizes *s, const double *x)
{
    int T = s->T, C = s->C, F = s->F;
    double *gate = ref_linear(t, "mlp.gate_proj", x, w->gate, T, C, F);
    double *up = ref_linear(t, "mlp.up_proj", x, w->up, T, C, F);
    double *act = ref_new(t, "mlp.act", T * F);
    double *prod = ref_new(t, "mlp.prod", T * F);
    for (int i = 0; i < T * F; i++) {
        act[i] = gate[i] / (1 + exp(-gate[i]));
        prod[i] = act[i] * up[i];
    }
    return ref_linear(t, "mlp.down_proj", prod, w->down, T, F, C);
}
