/* SPDX-License-Identifier: MIT
 *
 * Matrix product over the last two axes: y[… m n] = scale · Σ_k a[… m k] b[… k n]. A weight
 * b[k n] is shared by the batch. Weights are stored (in, out), so a layer is x W.
 */
#include "ops/gemm.h"
#include "ops/kernel.h"

#include <glib.h>

enum { TRANSPOSE, SCALE };
enum { TRANSPOSE_NONE, TRANSPOSE_B };

static const FigAttr attrs[] = {
    [TRANSPOSE] = {"transpose", FIG_ATTR_WORD, "none", "none|b", FIG_SHOWS_IN_LABEL,
                   "multiply by the transpose of the last two axes of b"},
    [SCALE] = {"scale", FIG_ATTR_REAL, "1", NULL, FIG_SHOWS_IN_LABEL,
               "a factor of every product"},
    {NULL},
};

static FigView
second(const FigCall *call)
{
    const FigView *b = &call->in[1];
    return call->attr[TRANSPOSE].word == TRANSPOSE_B ? fig_view_transposed(b) : *b;
}

static void
eval(const FigCall *call)
{
    FigView b = second(call);
    fig_gemm_blas(call->type, &call->in[0], &b, &call->out[0], call->attr[SCALE].real);
}

static void
naive(const FigCall *call)
{
    FigView b = second(call);
    fig_gemm_naive(call->type, &call->in[0], &b, &call->out[0], call->attr[SCALE].real);
}

/* 2 · elements of y · k */
static const FigPoly *
flops(const FigOpFacts *facts)
{
    const FigPoly *k = facts->in[0][facts->in_rank[0] - 1];
    return fig_poly_mul(facts->algebra, fig_cost_each(facts, 2), k);
}

/* "matmul $W_{qkv} : C \to 3C$" of a weight, "matmul $S = q\,k^\top/\sqrt{h_d}$" of two
 * activations. */
static const char *
label(const FigOpFacts *facts, FigArena *arena)
{
    bool transposed = facts->attr[TRANSPOSE].word == TRANSPOSE_B;
    const FigAttrValue *scale = &facts->attr[SCALE];
    const char *tex =
        scale->given && !g_str_equal(scale->text, "1") ? scale->tex : NULL;
    const char *b = fig_tex_factor(arena, facts->in_label[1], transposed);
    if (transposed)
        b = fig_arena_printf(arena, "%s^\\top", b);

    if (facts->in_weight[1] && !facts->in_weight[0]) {
        const FigPoly *const *shape = facts->in[1] + facts->in_rank[1] - 2;
        const char *k = facts->tex(facts->algebra, shape[transposed], facts->data);
        const char *n = facts->tex(facts->algebra, shape[!transposed], facts->data);
        return fig_arena_printf(arena, "matmul $%s : %s \\to %s$%s%s%s", b, k, n,
                                tex ? " times $" : "", tex ? tex : "", tex ? "$" : "");
    }
    const char *a = fig_tex_factor(arena, facts->in_label[0], false);
    const char *product = fig_arena_printf(arena, "%s\\,%s", a, b);
    bool over = tex && g_str_has_prefix(tex, "1/") &&
                g_str_equal(fig_tex_factor(arena, tex + 2, false), tex + 2);
    if (over) /* 1/x stands behind: q kᵀ/x */
        product = fig_arena_printf(arena, "%s%s", product, tex + 1);
    else if (tex)
        product = fig_arena_printf(arena, "%s\\,%s", fig_tex_factor(arena, tex, false),
                                   product);
    if (facts->out_named[0])
        product = fig_arena_printf(arena, "%s = %s", facts->out_label[0], product);
    return fig_arena_printf(arena, "matmul $%s$", product);
}

const FigOp fig_op_matmul = {
    .name = "matmul",
    .title = "matmul",
    .full_name = "matrix multiplication",
    .signature = "a[... m k!], b[k! n] -> y[... m n]"
                 " | a[... m k!], b[... k! n] -> y[... m n]"
                 " ; transpose = b:"
                 " a[... m k!], b[n k!] -> y[... m n]"
                 " | a[... m k!], b[... n k!] -> y[... m n]",
    .equation = "y = \\mathrm{scale} \\cdot a\\,b",
    .shape_note = "with `transpose: b`, read $b^\\top$ for $b$",
    .attrs = attrs,
    .kind = FIG_KIND_MATMUL,
    .mark = FIG_MARK_BOX,
    .eval = {eval, eval},
    .naive = {naive, naive},
    .cost = "2k per element of y: a product and a sum; the scale is folded in",
    .flops = flops,
    .label = label,
    .numpy = "scale * (a @ (b.swapaxes(-1, -2) if transpose == 'b' else b))",
    .torch = "scale * (a @ (b.transpose(-1, -2) if transpose == 'b' else b))",
    .example = "a = [[1 2] [3 4]], b = [[5 6] [7 8]], scale = 0.5"
               " -> y = [[9.5 11] [21.5 25]]; "
               "a = [[1 2] [3 4]], b = [[5 6] [7 8]], transpose = b"
               " -> y = [[17 23] [39 53]]",
};
