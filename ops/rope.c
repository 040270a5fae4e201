/* SPDX-License-Identifier: MIT
 *
 * Rotary position embedding: at position t, counted on from `from`, pair j of the last
 * axis is turned by the angle t · theta^(−2j/d). A pair is (j, j + d/2) in the half layout of Llama and OLMo, and
 * (2j, 2j + 1) in the interleaved one. Scaling for longer contexts divides slow frequencies
 * by a factor and blends between these and the fast ones, which stay: by wavelengths
 * (llama3) or by numbers of turns (yarn, which also lengthens q and k). Angles are computed
 * in double, once a call.
 */
#ifdef REAL

/* Fill cos and sin [t p] at pair j of position t. */
static void
FN(tables)(const FigCall *call, REAL *cosines, REAL *sines)
{
    int64_t t = positions(call), p = pairs(call);
    double factor = attention_scaling(call);
    for (int64_t pair = 0; pair < p; pair++) {
        double frequency = inverse_frequency(call, pair);
        for (int64_t position = 0; position < t; position++) {
            double angle = (double)(call->attr[FROM].dim + position) * frequency;
            cosines[position * p + pair] = (REAL)(factor * cos(angle));
            sines[position * p + pair] = (REAL)(factor * sin(angle));
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

enum {
    THETA,
    LAYOUT,
    FROM,
    SCALING,
    FACTOR,
    ORIGINAL,
    LOW,
    HIGH,
    BETA_FAST,
    BETA_SLOW,
    ATTENTION_FACTOR,
};
enum { LAYOUT_HALF, LAYOUT_INTERLEAVED };
enum { SCALING_NONE, SCALING_LLAMA3, SCALING_YARN };

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

/* llama3: how far a frequency stays as it is: 1 where the original context holds more
 * than `high` of its waves, 0 where it holds fewer than `low`. */
static double
kept_by_waves(const FigAttrValue *attr, double frequency)
{
    double waves = attr[ORIGINAL].real * frequency / (2 * G_PI);
    double low = attr[LOW].real, high = attr[HIGH].real;
    return CLAMP((waves - low) / (high - low), 0, 1);
}

/* The pair, as a fraction, that turns `turns` times in the original context. */
static double
pair_of_turns(const FigAttrValue *attr, double turns, int64_t p)
{
    return (double)p * log(attr[ORIGINAL].real / (2 * G_PI * turns)) /
           log(attr[THETA].real);
}

/* yarn: 1 up to the pair that turns beta_fast times, 0 from the one that turns beta_slow
 * times on. */
static double
kept_by_turns(const FigAttrValue *attr, int64_t pair, int64_t p)
{
    double low = floor(pair_of_turns(attr, attr[BETA_FAST].real, p));
    double high = ceil(pair_of_turns(attr, attr[BETA_SLOW].real, p));
    low = MAX(low, 0);
    high = MIN(high, (double)(2 * p - 1));
    if (low == high)
        high += 0.001;
    return 1 - CLAMP(((double)pair - low) / (high - low), 0, 1);
}

static double
inverse_frequency(const FigCall *call, int64_t pair)
{
    const FigAttrValue *attr = call->attr;
    int64_t p = pairs(call);
    double frequency = pow(attr[THETA].real, -(double)pair / (double)p);
    if (attr[SCALING].word == SCALING_NONE)
        return frequency;
    double kept = attr[SCALING].word == SCALING_LLAMA3 ? kept_by_waves(attr, frequency)
                                                       : kept_by_turns(attr, pair, p);
    return (1 - kept) * frequency / attr[FACTOR].real + kept * frequency;
}

/* What cosines and sines are multiplied by. */
static double
attention_scaling(const FigCall *call)
{
    const FigAttrValue *attr = call->attr;
    if (attr[SCALING].word != SCALING_YARN)
        return 1;
    if (attr[ATTENTION_FACTOR].real != 0)
        return attr[ATTENTION_FACTOR].real;
    return attr[FACTOR].real > 1 ? 0.1 * log(attr[FACTOR].real) + 1 : 1;
}

#define SELF "ops/rope.c"
#include "ops/both.h"

#define SCALED "scaling = llama3|yarn"
#define LLAMA3 "scaling = llama3"
#define YARN "scaling = yarn"

static const FigAttr attrs[] = {
    [THETA] = {"theta", FIG_ATTR_REAL, NULL, NULL, FIG_SHOWS_IN_LABEL,
               "base of the frequencies", .range = FIG_ABOVE_ZERO},
    [LAYOUT] = {"layout", FIG_ATTR_WORD, "half", "half|interleaved", FIG_SHOWS_IN_LABEL,
                "which entries make a pair: j and j + d/2, or 2j and 2j + 1"},
    [FROM] = {"from", FIG_ATTR_DIM, "0", NULL, FIG_SHOWS_IN_LABEL,
              "the position of the first entry"},
    [SCALING] = {"scaling", FIG_ATTR_WORD, "none", "none|llama3|yarn",
                 FIG_SHOWS_IN_LABEL, "how frequencies are scaled for longer contexts"},
    [FACTOR] = {"factor", FIG_ATTR_REAL, NULL, NULL, FIG_SHOWS_IN_LABEL,
                "slow frequencies are divided by it", SCALED, FIG_ABOVE_ZERO},
    [ORIGINAL] = {"original", FIG_ATTR_REAL, NULL, NULL, FIG_COMPUTED_NOT_DRAWN,
                  "the context, in positions, before scaling", SCALED, FIG_ABOVE_ZERO},
    [LOW] = {"low", FIG_ATTR_REAL, "1", NULL, FIG_COMPUTED_NOT_DRAWN,
             "with fewer waves in the original context a frequency is divided", LLAMA3,
             FIG_ABOVE_ZERO},
    [HIGH] = {"high", FIG_ATTR_REAL, "4", NULL, FIG_COMPUTED_NOT_DRAWN,
              "with more waves in the original context a frequency stays", LLAMA3,
              FIG_ABOVE_ZERO},
    [BETA_FAST] = {"beta_fast", FIG_ATTR_REAL, "32", NULL, FIG_COMPUTED_NOT_DRAWN,
                   "with more turns in the original context a pair stays", YARN,
                   FIG_ABOVE_ZERO},
    [BETA_SLOW] = {"beta_slow", FIG_ATTR_REAL, "1", NULL, FIG_COMPUTED_NOT_DRAWN,
                   "with fewer turns in the original context a pair is scaled", YARN,
                   FIG_ABOVE_ZERO},
    [ATTENTION_FACTOR] =
        {"attention_factor", FIG_ATTR_REAL, "0", NULL, FIG_COMPUTED_NOT_DRAWN,
         "contained in cosines and sines; left out: 0.1 ln(factor) + 1", YARN,
         FIG_ABOVE_ZERO},
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
        *(float *)view->data = (float)attention_scaling(call);
    else
        *(double *)view->data = attention_scaling(call);
}

static const FigExpose exposes[] = {
    {"inv_freq", "[d/2]: the angle of each pair from one position to the next", "pair",
     frequency_shape, frequency_fill},
    {"cos", "[t, d]: cosines of the angles, as the entries are paired", NULL,
     table_shape, cos_fill},
    {"sin", "[t, d]: sines", NULL, table_shape, sin_fill},
    {"attention_scaling", "[1]: the factor contained in cos and sin", "one",
     scaling_shape, scaling_fill},
    {NULL},
};

static const FigPoly *
flops(const FigOpFacts *facts)
{
    return fig_cost_each(facts, 3);
}

/* "RoPE", "RoPE (interleaved)", "RoPE scaled $\times 8$ (YaRN)", "RoPE (from $t_0$)". */
static const char *
label(const FigOpFacts *facts, FigArena *arena)
{
    static const char *const names[] = {
        [SCALING_LLAMA3] = "Llama 3",
        [SCALING_YARN] = "YaRN",
    };
    const FigAttrValue *attr = facts->attr;
    const char *scaled = "";
    g_autoptr(GString) more = g_string_new(NULL);
    if (attr[LAYOUT].word == LAYOUT_INTERLEAVED)
        g_string_append(more, ", interleaved");
    if (attr[SCALING].word != SCALING_NONE) {
        scaled = fig_arena_printf(arena, " scaled $\\times %s$",
                                  fig_tex_factor(arena, attr[FACTOR].tex, false));
        g_string_append_printf(more, ", %s", names[attr[SCALING].word]);
    }
    if (!g_str_equal(attr[FROM].text, "0"))
        g_string_append_printf(more, ", from $%s$", attr[FROM].tex);
    return more->len ? fig_arena_printf(arena, "RoPE%s (%s)", scaled, more->str + 2)
                     : "RoPE";
}

const FigOp fig_op_rope = {
    .name = "rope",
    .title = "RoPE",
    .full_name = "rotary position embedding",
    .source = "Su et al. 2021, arXiv:2104.09864, section 3.4.2; half-split pairs as in "
              "GPT-NeoX; yarn: Peng et al. 2023, arXiv:2309.00071; llama3: the "
              "reference code of Llama 3.1",
    .signature = "x[... t! (2 p)!] -> y[... t! (2 p)!]",
    .equation =
        "y_j = x_j\\,\\mathrm{cos}\\,\\alpha - x_{j'}\\,\\mathrm{sin}\\,\\alpha, "
        "y_{j'} = x_{j'}\\,\\mathrm{cos}\\,\\alpha + x_j\\,\\mathrm{sin}\\,\\alpha, "
        "\\alpha = t\\,\\theta^{-j/p}",
    .shape_note =
        "pair $j$ of the last axis is $(j, j')$: $(j, j + p)$ with `layout: half`, "
        "$(2j, 2j + 1)$ with `layout: interleaved`; $t$ counts from `from`. With "
        "`scaling:` the frequency $\\omega = \\theta^{-j/p}$ becomes "
        "$k\\,\\omega + (1 - k)\\,\\omega/\\mathrm{factor}$, $k$ kept between 0 and 1: "
        "for llama3 $k = (n - \\mathrm{low})/(\\mathrm{high} - \\mathrm{low})$ with "
        "$n = \\mathrm{original}\\,\\omega/(2\\pi)$; for yarn "
        "$k = (b - j)/(b - a)$, where pair $a$ turns beta\\_fast and pair $b$ "
        "beta\\_slow "
        "times in the original context ($a$ rounded down, $b$ up), and cosines and "
        "sines "
        "are multiplied by attention\\_factor",
    .attrs = attrs,
    .kind = FIG_KIND_ROTATION,
    .mark = FIG_MARK_BOX,
    .eval = BOTH(eval),
    .cost = "3 per element of y: two products and a sum; the tables are not counted",
    .flops = flops,
    .label = label,
    .numpy =
        "(p := x.shape[-1] // 2, j := np.arange(p), w := theta ** (-j / p), "
        "pair := lambda turns: p * np.log(original / (2 * np.pi * turns)) / "
        "np.log(theta), "
        "a := scaling == 'yarn' and max(np.floor(pair(beta_fast)), 0), "
        "b := scaling == 'yarn' and min(np.ceil(pair(beta_slow)), 2 * p - 1), "
        "k := {'none': lambda: 1, "
        "'llama3': lambda: np.clip((original * w / (2 * np.pi) - low) / "
        "(high - low), 0, 1), "
        "'yarn': lambda: 1 - np.clip((j - a) / (b - a or 0.001), 0, 1)}[scaling](), "
        "w := (1 - k) * w / factor + k * w if scaling != 'none' else w, "
        "m := 1 if scaling != 'yarn' else attention_factor or "
        "(0.1 * np.log(factor) + 1 if factor > 1 else 1), "
        "r := m * np.exp(1j * (from_ + np.arange(x.shape[-2]))[:, None] * w), "
        "np.concatenate([(z := (x[..., :p] + 1j * x[..., p:]) * r).real, z.imag], -1)"
        " if layout == 'half' else "
        "np.stack([(z := (x[..., 0::2] + 1j * x[..., 1::2]) * r).real, z.imag], -1)"
        ".reshape(x.shape))[-1]",
    .torch =
        "(p := x.shape[-1] // 2, j := torch.arange(p), w := theta ** (-j / p), "
        "pair := lambda turns: p * math.log(original / (2 * math.pi * turns)) / "
        "math.log(theta), "
        "a := scaling == 'yarn' and max(math.floor(pair(beta_fast)), 0), "
        "b := scaling == 'yarn' and min(math.ceil(pair(beta_slow)), 2 * p - 1), "
        "k := {'none': lambda: 1, "
        "'llama3': lambda: ((original * w / (2 * math.pi) - low) / (high - low))"
        ".clamp(0, 1), "
        "'yarn': lambda: 1 - ((j - a) / (b - a or 0.001)).clamp(0, 1)}[scaling](), "
        "w := (1 - k) * w / factor + k * w if scaling != 'none' else w, "
        "m := 1 if scaling != 'yarn' else attention_factor or "
        "(0.1 * math.log(factor) + 1 if factor > 1 else 1), "
        "r := m * torch.exp(1j * (from_ + torch.arange(x.shape[-2]))[:, None] * w), "
        "torch.cat([(z := torch.complex(x[..., :p], x[..., p:]) * r).real, z.imag], "
        "-1) if layout == 'half' else "
        "torch.view_as_real(torch.complex(x[..., 0::2], x[..., 1::2]) * r)"
        ".flatten(-2))[-1]",
    .exposes = exposes,
    .example = "x = [[1 2 3 4] [1 2 3 4]], theta = 10000"
               " -> y = [[1 2 3 4] [-1.984111 1.959901 2.462378 4.019800]]; "
               "x = [[1 2 3 4] [1 2 3 4]], theta = 10000, layout = interleaved"
               " -> y = [[1 2 3 4] [-1.142640 1.922076 2.959851 4.029800]]; "
               "x = [[1 2 3 4]], theta = 10000, from = 1"
               " -> y = [[-1.984111 1.959901 2.462378 4.019800]]",
};

#endif
