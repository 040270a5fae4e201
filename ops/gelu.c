/* SPDX-License-Identifier: MIT
 *
 * Gaussian error linear unit: y = x Φ(x), with the distribution function Φ of the normal
 * distribution exactly, by the error function, or by the approximation with tanh that
 * GPT-2 made common.
 */
#ifdef REAL

static REAL
FN(exact)(REAL x)
{
    return x / 2 * (1 + REAL_(erf)(x * (REAL)M_SQRT1_2));
}

static REAL
FN(approximate)(REAL x)
{
    const REAL root = (REAL)(M_2_SQRTPI * M_SQRT1_2); /* √(2/π) */
    return x / 2 * (1 + REAL_(tanh)(root * (x + (REAL)0.044715 * x * x * x)));
}

static void
FN(eval)(const FigCall *call)
{
    if (call->attr[FORM].word == FORM_ERF)
        FIG_EACH_1(call, x, FN(exact)(x));
    else
        FIG_EACH_1(call, x, FN(approximate)(x));
}

#else
enum { FORM };
enum { FORM_ERF, FORM_TANH };

#define SELF "ops/gelu.c"
#include "ops/both.h"

static const FigAttr attrs[] = {
    [FORM] = {"form", FIG_ATTR_WORD, "erf", "erf|tanh", FIG_SHOWS_IN_LABEL,
              "the error function, or the approximation of it with tanh"},
    {NULL},
};

static const FigPoly *
flops(const FigOpFacts *facts)
{
    return fig_cost_each(facts, facts->attr[FORM].word == FORM_ERF ? 5 : 9);
}

static const char *
label(const FigOpFacts *facts, FigArena *arena)
{
    return facts->attr[FORM].word == FORM_ERF ? "GELU" : "GELU (tanh)";
}

const FigOp fig_op_gelu = {
    .name = "gelu",
    .title = "GELU",
    .full_name = "Gaussian error linear unit",
    .source = "Hendrycks and Gimpel 2016, arXiv:1606.08415",
    .signature = "x[...] -> y[...]",
    .equation = "y = \\frac{x}{2} (1 + \\mathrm{erf}\\,\\frac{x}{\\sqrt{2}})",
    .shape_note = "with `form: tanh`, read "
                  "$\\mathrm{tanh}(\\sqrt{2/\\pi}\\,(x + 0.044715\\,x^3))$ for the "
                  "error function",
    .attrs = attrs,
    .kind = FIG_KIND_POINTWISE,
    .mark = FIG_MARK_BOX,
    .eval = BOTH(eval),
    .cost = "5 per element of y: quotient, erf, sum, half, product; "
            "form = tanh: 9 per element of y: cube and its factor, sum, factor, tanh, "
            "sum, half, product",
    .flops = flops,
    .label = label,
    .numpy =
        "x / 2 * (1 + (np.vectorize(math.erf)(x / np.sqrt(2)) "
        "if form == 'erf' else np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3))))",
    .torch = "torch.nn.functional.gelu(x, approximate='none' if form == 'erf' else "
             "'tanh')",
    .example = "x = [1 0 -2] -> y = [0.841345 0 -0.045500]; "
               "x = [1 0 -2], form = tanh -> y = [0.841192 0 -0.045402]",
};

#endif
