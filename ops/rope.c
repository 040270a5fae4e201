/* SPDX-License-Identifier: MIT
 *
 * Rotary position embedding: at position t, pair j of the last axis is turned by the angle
 * t · theta^(−2j/d). A pair is (j, j + d/2) in the half layout of Llama and OLMo, and
 * (2j, 2j + 1) in the interleaved one. Angles are computed in double, once a call.
 */
#ifdef REAL

/* Fill cos and sin [t p] at pair j of position t. */
static void
FN(tables)(const FigCall *call, REAL *cosines, REAL *sines)
{
    int64_t t = positions(call), p = pairs(call);
    for (int64_t pair = 0; pair < p; pair++) {
        double frequency = inverse_frequency(call, pair);
        for (int64_t position = 0; position < t; position++) {
            double angle = (double)position * frequency;
            cosines[position * p + pair] = (REAL)cos(angle);
            sines[position * p + pair] = (REAL)sin(angle);
        }
    }
}

static void
FN(eval)(const FigCall *call)
{
    int64_t t = positions(call), p = pairs(call);
    g_autofree REAL *tables = g_new(REAL, 2 * t * p);
    REAL *cosines = tables, *sines = tables + t * p;
    FN(tables)(call, cosines, sines);

    bool half = call->attr[LAYOUT].word == LAYOUT_HALF;
    FigView views[2] = {call->in[0], call->out[0]};
    fig_views_merge(views, 2, 2);
    int64_t rows = fig_row_count(&views[1], 1);
    int64_t x_step = fig_step(&views[0]), y_step = fig_step(&views[1]);
    int64_t next = half ? 1 : 2, gap = half ? p : 1; /* pair to pair, within a pair */
    for (int64_t row = 0; row < rows; row++) {
        const REAL *x = FIG_ROW(&views[0], 1, row);                      /* [d] */
        REAL *y = FIG_ROW(&views[1], 1, row);                            /* [d] */
        const REAL *c = cosines + row % t * p, *s = sines + row % t * p; /* [p] */
        const REAL *x1 = x + gap * x_step;
        REAL *y1 = y + gap * y_step;
        for (int64_t j = 0; j < p; j++) {
            REAL first = x[j * next * x_step], second = x1[j * next * x_step];
            y[j * next * y_step] = first * c[j] - second * s[j];
            y1[j * next * y_step] = second * c[j] + first * s[j];
        }
    }
}

/* Spread a table [t p] over [t d], as the layout pairs the last axis. */
static void
FN(spread)(const FigCall *call, FigView *view, bool sine)
{
    int64_t t = positions(call), p = pairs(call);
    bool half = call->attr[LAYOUT].word == LAYOUT_HALF;
    g_autofree REAL *tables = g_new(REAL, 2 * t * p);
    FN(tables)(call, tables, tables + t * p);
    const REAL *table = sine ? tables + t * p : tables;
    REAL *out = view->data;
    for (int64_t position = 0; position < t; position++)
        for (int64_t i = 0; i < 2 * p; i++)
            out[position * 2 * p + i] = table[position * p + (half ? i % p : i / 2)];
}

#else
#include "ops/kernel.h"

#include <glib.h>
#include <math.h>

enum { THETA, LAYOUT };
enum { LAYOUT_HALF, LAYOUT_INTERLEAVED };

static int64_t
positions(const FigCall *call)
{
    return call->in[0].size[call->in[0].rank - 2];
}

static int64_t
pairs(const FigCall *call)
{
    return call->in[0].size[call->in[0].rank - 1] / 2;
}

static double
inverse_frequency(const FigCall *call, int64_t pair)
{
    return pow(call->attr[THETA].real, -(double)pair / (double)pairs(call));
}

#define SELF "ops/rope.c"
#include "ops/both.h"

static const FigAttr attrs[] = {
    [THETA] = {"theta", FIG_ATTR_REAL, NULL, NULL, FIG_SHOWS_IN_LABEL,
               "base of the frequencies"},
    [LAYOUT] = {"layout", FIG_ATTR_WORD, "half", "half|interleaved", FIG_SHOWS_IN_LABEL,
                "which entries make a pair: j and j + d/2, or 2j and 2j + 1"},
    {NULL},
};

static void
frequency_shape(const FigCall *call, FigView *view)
{
    *view = fig_view_dense(NULL, call->type, 1, (int64_t[]){pairs(call)});
}

static void
frequency_fill(const FigCall *call, FigView *view)
{
    for (int64_t pair = 0; pair < view->size[0]; pair++) {
        double frequency = inverse_frequency(call, pair);
        if (call->type == FIG_F32)
            ((float *)view->data)[pair] = (float)frequency;
        else
            ((double *)view->data)[pair] = frequency;
    }
}

static void
table_shape(const FigCall *call, FigView *view)
{
    *view = fig_view_dense(NULL, call->type, 2,
                           (int64_t[]){positions(call), 2 * pairs(call)});
}

static void
cos_fill(const FigCall *call, FigView *view)
{
    (call->type == FIG_F32 ? spread_float : spread_double)(call, view, false);
}

static void
sin_fill(const FigCall *call, FigView *view)
{
    (call->type == FIG_F32 ? spread_float : spread_double)(call, view, true);
}

static void
scaling_shape(const FigCall *call, FigView *view)
{
    *view = fig_view_dense(NULL, call->type, 1, (int64_t[]){1});
}

static void
scaling_fill(const FigCall *call, FigView *view)
{
    if (call->type == FIG_F32)
        *(float *)view->data = 1;
    else
        *(double *)view->data = 1;
}

static const FigExpose exposes[] = {
    {"inv_freq", "[d/2]: the angle of each pair from one position to the next",
     frequency_shape, frequency_fill},
    {"cos", "[t, d]: cosines of the angles, as the entries are paired", table_shape,
     cos_fill},
    {"sin", "[t, d]: sines", table_shape, sin_fill},
    {"attention_scaling", "[1]: the factor contained in cos and sin", scaling_shape,
     scaling_fill},
    {NULL},
};

static const FigPoly *
flops(const FigOpFacts *facts)
{
    return fig_cost_each(facts, 3);
}

static const char *
label(const FigOpFacts *facts, FigArena *arena)
{
    return facts->attr[LAYOUT].word == LAYOUT_HALF ? "RoPE" : "RoPE (interleaved)";
}

const FigOp fig_op_rope = {
    .name = "rope",
    .title = "RoPE",
    .full_name = "rotary position embedding",
    .source = "Su et al. 2021, arXiv:2104.09864, section 3.4.2; half-split pairs as in "
              "GPT-NeoX",
    .signature = "x[... t! (2 p)!] -> y[... t! (2 p)!]",
    .equation =
        "y_j = x_j\\,\\mathrm{cos}\\,\\alpha - x_{j'}\\,\\mathrm{sin}\\,\\alpha, "
        "y_{j'} = x_{j'}\\,\\mathrm{cos}\\,\\alpha + x_j\\,\\mathrm{sin}\\,\\alpha, "
        "\\alpha = t\\,\\theta^{-j/p}",
    .shape_note =
        "pair $j$ of the last axis is $(j, j')$: $(j, j + p)$ with `layout: half`, "
        "$(2j, 2j + 1)$ with `layout: interleaved`; $t$ counts from 0",
    .attrs = attrs,
    .kind = FIG_KIND_ROTATION,
    .mark = FIG_MARK_BOX,
    .eval = BOTH(eval),
    .cost = "3 per element of y: two products and a sum; the tables are not counted",
    .flops = flops,
    .label = label,
    .numpy =
        "np.concatenate([(z := (x[..., :(p := x.shape[-1] // 2)] + 1j * x[..., p:])"
        " * np.exp(1j * np.arange(x.shape[-2])[:, None] * theta ** (-np.arange(p) / "
        "p)))"
        ".real, z.imag], -1) if layout == 'half' else "
        "np.stack([(z := (x[..., 0::2] + 1j * x[..., 1::2])"
        " * np.exp(1j * np.arange(x.shape[-2])[:, None]"
        " * theta ** (-np.arange(p := x.shape[-1] // 2) / p)))"
        ".real, z.imag], -1).reshape(x.shape)",
    .torch =
        "torch.cat([(z := torch.complex(x[..., :(p := x.shape[-1] // 2)], x[..., p:])"
        " * torch.exp(1j * torch.arange(x.shape[-2])[:, None] * theta ** "
        "(-torch.arange(p) / p)))"
        ".real, z.imag], -1) if layout == 'half' else "
        "torch.view_as_real(torch.complex(x[..., 0::2], x[..., 1::2])"
        " * torch.exp(1j * torch.arange(x.shape[-2])[:, None]"
        " * theta ** (-torch.arange(p := x.shape[-1] // 2) / p))).flatten(-2)",
    .exposes = exposes,
    .example = "x = [[1 2 3 4] [1 2 3 4]], theta = 10000"
               " -> y = [[1 2 3 4] [-1.984111 1.959901 2.462378 4.019800]]; "
               "x = [[1 2 3 4] [1 2 3 4]], theta = 10000, layout = interleaved"
               " -> y = [[1 2 3 4] [-1.142640 1.922076 2.959851 4.029800]]",
};

#endif
