/* SPDX-License-Identifier: MIT
 *
 * Claims that run again, edited, disturbed or in another spec; sets in every argument;
 * nearness; bytes. Each with a case that is false, and its mistakes at their column.
 */
#include "claims.h"

#include <math.h>
#include <string.h>

typedef struct Row {
    const char *that;
    bool holds;
} Row;

static void
all_hold(const Row *rows, gsize n, const char *by)
{
    for (gsize i = 0; i < n; i++)
        if (holds(rows[i].that, by) != rows[i].holds)
            g_error("%s: not %s", rows[i].that, rows[i].holds ? "true" : "false");
}

static void
test_close(void)
{
    static const Row rows[] = {
        {"close(z1, z + attn_norm, 0)", true},
        {"close(z1, z, 1e-3)", false},
        {"close(mask, mask, 0)", true}, /* -inf on both sides */
        {"close(mask, scores, 1e9)", false},
        {"close(sum(probs, key), 1, 1e-12)", true},
        {"close(probs[:, :, 0, :], probs[:, :, 1, :], 1e-3)", false},
        {"close(probs[:, :, 0, 0], 1, 0)", true},
        {"close(mask - mask, 0, 1e9)", false}, /* not a number is near nothing */
        {"close(q[..., :h_d], q_norm[..., :h_d]*sqrt(mean(q^2, C) + eps), 1e-9)", true},
    };
    all_hold(rows, G_N_ELEMENTS(rows), "run");
    static const Row exact[] = {
        {"close(sqrt(2)^2, 2, 1e-12)", true},
        {"close(C, 512, 0)", true},
        {"close(C, 513, 1)", true},
        {"close(C, 513, 0.5)", false},
    };
    all_hold(exact, G_N_ELEMENTS(exact), "structure");
    complains(
        "close(z, z1)",
        "12: error: argument ‘tolerance’ is missing; it is close(a, b, tolerance)");
    complains("close(z, z1, -1)", "25: error: a tolerance is 0 or more");
    complains("close(z, z < 1, 0)",
              "21: error: ‘z < 1’ is many truths, where a number is wanted");
    complains("close(z, kind(norm), 0)",
              "21: error: ‘kind(norm)’ is a set of ops, where a number is wanted");
    complains("close(z[:, 1:], z, 0)",
              "12: error: axis ‘T’ is 6 on one side and 7 on the other");
}

/* Who depends on what, by disturbing it. */
static void
test_depends(void)
{
    static const Row rows[] = {
        {"depends(z2, z)", true},
        {"depends(z, z2)", false},
        {"depends(v, W_k)", false},
        {"depends(k, W_k)", true},
        {"depends(k, W_qkv)", true},
        {"depends(probs, v)", false},
        {"depends(mix, v)", true},
        {"depends(qkv, v)", false}, /* v is cut from it, not the other way round */
        {"depends(attn_norm, g_attn[0])", true},
        {"depends(attn_norm[..., 1:], g_attn[0])", false},
        /* causality */
        {"depends(z2[:, 0], z[:, 1])", false},
        {"depends(z2[:, 1], z[:, 0])", true},
        {"depends(z2[:, :3], z[:, 3:])", false},
        {"depends(z2, z, where = z.T > z2.T)", false},
        {"depends(z2, z, where = z.T == z2.T - 1)", true},
        {"depends(z2, z, z.T == z2.T - (T - 1))", true},
        {"depends(z2, z, where = z.B != z2.B)", false},
        {"depends(z2, z, where = z.T <= z2.T and z.B == z2.B)", true},
        {"depends(z2[:, 1:3], z[:, 3:], where = z.T <= z2.T)",
         false}, /* no such pair */
        {"depends(mix, v_heads, where = mix.H != v_heads.H)", false},
        {"depends(scores, k_rope, where = not (scores.key == k_rope.T))", false},
        {"depends(scores, k_rope, where = scores.key == k_rope.T)", true},
        /* the norm of q couples its heads, the projection does not */
        {"depends(q_norm[..., h_d:], q[..., :h_d])", true},
        {"depends(q_norm[..., h_d:], W_q[:, :h_d])", true},
        {"depends(q[..., h_d:], W_q[:, :h_d])", false},
        /* in an edited run */
        {"with('probs = 0', depends(z1, v))", false},
        {"with('W_k = 0', depends(probs, q))", false},
        {"with('q *= 2', depends(probs, q))", true},
    };
    all_hold(rows, G_N_ELEMENTS(rows), "run");
    complains("depends(z2, z1 + 1)", "24: error: a value is wanted here, V or V[…]");
    complains("depends(z2, zz)", "24: error: unknown name ‘zz’ | did you mean ‘z’?");
    complains("depends(z2, C)",
              "24: error: ‘C’ is a number, where the name of a value is wanted");
    complains("depends(z2, split)",
              "24: error: op ‘split’ has 3 results, where one value is wanted");
    complains("depends(z2[:, 99], z)",
              "26: error: nothing is there: axis ‘T’ has 7 entries");
    complains("depends(z2, z[0, ..., 0, ...])",
              "37: error: ‘...’ stands once in an index");
    complains("depends(z2, z, where = z.T > z1.T)",
              "41: error: unknown name ‘z1.T’ | did you mean ‘z2.T’?");
    complains("depends(z2, z, where = z.T)",
              "35: error: a condition compares: it is true or false, not a number | ‘G "
              "!= H’, for example");
    complains("depends(z, z, where = z.T > 1)",
              "34: error: ‘z’ is on both sides of this relation");
    complains("depends(z2, W_1, where = W_1.C > W_1.h_ff and z2.C > 1)",
              "37: error: this asks for more than 1024 runs, one for each position of "
              "‘W_1’");
}

/* A mask that reaches one key too far is seen at the right pair of positions. */
static void
test_depends_broken(void)
{
    char *text = with_claims(
        "  - {id: causal, say: it, that: \"not depends(z2, z, where = z.T > z2.T)\"}\n"
        "  - {id: own, say: it, that: \"depends(z1, z, where = z.T == z1.T)\"}\n"
        "  - {id: window, say: it, that: \"not depends(z2, z, where = z2.T - z.T >= "
        "2)\"}\n"
        "  - {id: near, say: it, that: \"depends(z2, z, where = z2.T - z.T == 1)\"}\n");
    Case c = settle(text, NULL);
    g_assert_true(claim(&c, "causal")->holds && claim(&c, "own")->holds);
    g_assert_true(claim(&c, "near")->holds && !claim(&c, "window")->holds);
    case_free(&c);
    text = edit(text, "op: causal_mask, in: scores",
                "op: window_mask, window: 2, in: scores");
    c = settle(text, NULL);
    if (!c.ok)
        die(c.diag);
    for (int i = 0; i < c.record->n_claims; i++)
        g_assert_true(c.record->claims[i].holds);
    case_free(&c);
    text = edit(text, "op: window_mask, window: 2, in: scores",
                "op: softmax, over: key, in: scores");
    c = settle(text, NULL);
    g_assert_true(!claim(&c, "causal")->holds && !claim(&c, "window")->holds);
    case_free(&c);
    g_free(text);
}

/* What an edit changes: the laws of this family. */
static void
test_with(void)
{
    static const Row rows[] = {
        /* the norm after the sublayer takes a factor of what attention reads away … */
        {"close(with('z *= 2', attn_norm), attn_norm, 1e-3)", true},
        /* … but not of what the other sublayer reads */
        {"close(with('z1 *= 2', ff_norm), ff_norm, 1e-3)", false},
        /* the full-width norm of q couples the heads */
        {"close(with('q[…, :h_d] *= 2', q_heads)[:, 1], q_heads[:, 1], 1e-3)", false},
        {"close(with('q[…, :h_d] *= 2', k_heads), k_heads, 0)", true},
        {"all(with('v = 0', attn_norm) == 0)", true},
        {"all(with('W_v = 0', z1) == z)", true},
        {"all(with('z = 1', z) == 1) and any(z != 1)", true},
        {"with('z = 1', all(z == 1))", true},
        {"with('z = 1', any(z != 1))", false},
        {"with('z = 1', with('z += C', all(z == 1 + C)))", true},
        {"with('z = 1', with('z *= 3', all(z == 3))) and "
         "with('z *= 3', with('z = 1', all(z == 1)))",
         true},
        {"with('z = 1', with('z += 1', all(z == 2)) and all(z == 1))", true},
        {"close(with('g_attn *= 2', attn_norm), 2*attn_norm, 1e-12)", true},
        {"close(with('W_q = 0', probs)[:, :, -1, 0], 1/T, 1e-12)", true},
        {"sum(with('probs[..., 0] = 1/2', probs)[..., 0], T) == 0 or true", true},
    };
    for (gsize i = 0; i + 1 < G_N_ELEMENTS(rows); i++)
        if (holds(rows[i].that, "run") != rows[i].holds)
            g_error("%s: not %s", rows[i].that, rows[i].holds ? "true" : "false");
    complains("all(with('z *= 2', attn_norm) - attn_nrm < 1)",
              "44: error: unknown name ‘attn_nrm’ | did you mean ‘attn_norm’?");
    complains("with('zz *= 2', z)",
              "18: error: there is no value ‘zz’ to edit | did you mean ‘z’?");
    complains("with('prob *= 2', any(z > 0))",
              "18: error: there is no value ‘prob’ to edit | did you mean ‘probs’?");
    complains("with('z /= 2', z)",
              "18: error: ‘z /= 2’ is no edit: V = x, V += x or V *= x");
    complains("with('z[:, 99] = 2', z)",
              "23: error: nothing is there: axis ‘T’ has 7 entries");
    complains("with('z = epz', any(z > 0))",
              "22: error: unknown name ‘epz’ | did you mean ‘eps’?");
    complains("with(z, z)", "17: error: a text in quotes is wanted here | 'z'");
    complains("with('z = 1', kind(norm))",
              "12: error: ‘with('z = 1', kind(norm))’ is a set of ops, where true or "
              "false is wanted");
    complains("with('z = 1')",
              "12: error: argument ‘expr’ is missing; it is with(edit, "
              "expr)");
}

/* Another spec on the same dims, inputs and weights: the block as shipped, beside one that
 * was changed. */
static void
test_other(void)
{
    static const Row rows[] = {
        {"close(z2, run('olmo2-block', z2), 0)", true},
        {"close(z2, run('olmo2-block', z1), 1e-3)", false},
        {"run('olmo2-block', all(z1 == z + attn_norm))", true},
        {"close(run('olmo2-block', with('z *= 2', attn_norm)), attn_norm, 1e-3)", true},
        {"run('olmo2-block', depends(z2[:, 0], z[:, 1]))", false},
        {"all(run('olmo2-block', z[:, 1]) == z[:, 1])", true},
    };
    all_hold(rows, G_N_ELEMENTS(rows), "run");
    static const Row exact[] = {
        {"run('olmo2-block', count(kind = norm)) == count(kind = norm)", true},
        {"run('olmo2-block', params()) == params() + 1", false},
        {"run('olmo2-block', reads(z1, attn_norm))", true},
        {"run('olmo2-block', C*T) == C*T", true},
    };
    all_hold(exact, G_N_ELEMENTS(exact), "structure");
    complains(
        "run('olmo2-blok', z2) == z2",
        "16: error: ‘olmo2-blok’ is no shipped spec | did you mean ‘olmo2-block’?");
    complains(
        "conforms('olmo2-blok')",
        "21: error: ‘olmo2-blok’ is no shipped spec | did you mean ‘olmo2-block’?");
    complains("conforms('olmo2-block', attn)",
              "36: error: a group that is repeated is wanted");
    complains("run(olmo2-block, z2) == z2",
              "16: error: a text in quotes is wanted here | 'olmo2 - block'");
    complains("all(run('olmo2-block', z3) == z2)",
              "35: error: unknown name ‘z3’ | did you mean ‘z’?");
    complains("run('olmo2-block', kind(norm)) == 1",
              "31: error: ‘kind(norm)’ is a set of ops, where a number is wanted");
    complains(
        "all(with('z = 1', run('olmo2-block', z)) == 1)",
        "30: error: an edit does not reach into another spec | run('olmo2-block', "
        "with(…, …))");
}

static void
test_other_changed(void)
{
    char *text = with_claims(
        "  - {id: same, say: it, that: \"close(z2, run('olmo2-block', z2), 1e-3)\"}\n"
        "  - {id: first, say: it, that: \"close(z1, run('olmo2-block', z1), 0)\"}\n"
        "  - {id: more, say: it, that: \"count() == run('olmo2-block', count()) + "
        "1\"}\n"
        "  - {id: width, say: it, that: \"run('olmo2-block', h_ff) == h_ff\"}\n");
    text = edit(
        text, "  - {id: z2, op: add, in: [z1, ff_norm]",
        "  - {id: bent, op: silu, in: ff_norm}\n  - {id: z2, op: add, in: [z1, bent]");
    Case c = settle(text, NULL);
    if (!c.ok)
        die(c.diag);
    g_assert_false(claim(&c, "same")->holds);
    g_assert_true(claim(&c, "first")->holds);
    g_assert_true(claim(&c, "more")->holds);
    g_assert_true(claim(&c, "width")->holds);
    case_free(&c);
    /* dims of the command line, also where they break a rule of the other spec */
    FigOverride dims[] = {{"T", "32"}, {"C", "64"}, {"H", "4"}, {"h_ff", "100"}, {0}};
    c = settle(text, dims);
    if (!c.ok)
        die(c.diag);
    g_assert_true(claim(&c, "first")->holds && claim(&c, "width")->holds);
    case_free(&c);
    /* a rule of this spec that the other has not */
    text = edit(text, "h_ff: {is: \"ceil(8*C/3, 64)\"", "h_ff: {is: 4*C");
    c = settle(text, NULL);
    if (!c.ok)
        die(c.diag);
    g_assert_true(claim(&c, "first")->holds && claim(&c, "width")->holds);
    case_free(&c);
    g_free(text);
}

/* Sets of ops and of values in every argument that names some. */
static void
test_sets(void)
{
    static const Row rows[] = {
        {"reads(kind(norm), q)", true},
        {"reads(kind(norm), z)", false},
        {"reads(kind(norm), weights())", true},
        {"reads(class(activation_matmul), weights())", false},
        {"reads(mlp, attn)", false}, /* through z1 only */
        {"reads(mlp, z1)", true},
        {"reads(attn, inputs())", true},
        {"reads(op(add), kind(norm))", true},
        {"reads(op(add), op(split))", false},
        {"readers(inputs()) == 2", true},
        {"readers(outputs()) == 0", true},
        {"readers(op(split)) == 3", true},
        {"readers(weights(kind = norm)) == 4", true},
        {"path(inputs(), outputs())", true},
        {"path(outputs(), inputs())", false},
        {"path(weights(kind = norm), probs)", true},
        {"path(g_attn, probs)", false},
        {"path(inputs(), kind(norm), through = kind(softmax))", true},
        {"path(inputs(), op(rope), through = kind(softmax))", false},
        {"path(attn, mlp)", true},
        {"path(mlp, attn)", false},
        {"before(attn, mlp)", true},
        {"before(op(rope), kind(softmax))", true},
        {"before(kind(norm), kind(softmax))", false}, /* attn_norm comes later */
        {"before(weights(), qkv)", true},
        {"before(inputs(), op(matmul))", true},
        {"before(op(matmul), inputs())", false},
        {"count(weights()) == 11", true},
        {"count(weights(kind = matmul)) == 7", true},
        {"count(weights(group = mlp)) == 4", true},
        {"count(weights(qkv)) == 3", true},
        {"count(inputs()) == 1 and count(outputs()) == 1", true},
        {"count(kind(norm), group = attn) == 3", true},
        {"steps(kind(matmul)) == 7 and count(kind(matmul)) == 9", true},
        {"params(kind(norm)) == 4*C", true},
        {"flops(class(weight_matmul)) == 2*T*params(class(weight_matmul))", true},
    };
    all_hold(rows, G_N_ELEMENTS(rows), "structure");
    complains("count(weights(), kind = norm) == 1",
              "36: error: values have no kind, class, op or group");
    complains(
        "reads(weights(), z)",
        "18: error: ‘weights()’ is a set of values, where a set of ops is wanted");
    complains(
        "steps(weights()) == 1",
        "18: error: ‘weights()’ is a set of values, where a set of ops is wanted");
    complains("path(z, z2, through = inputs())",
              "34: error: ‘inputs()’ is a set of values, where a set of ops is wanted");
    complains("before(1, z)",
              "19: error: ‘1’ is a number, where the name of a value is wanted");
    complains("size(kind(norm), 0) == 1",
              "17: error: ‘kind(norm)’ is a set of ops, where the name of a value is "
              "wanted");
    complains("count(weights(kind = nrm)) == 1",
              "33: error: ‘nrm’ is no kind of op | did you mean ‘norm’?");
}

/* By hand, in float32: each operand and result once. */
static void
test_bytes(void)
{
    static const Row rows[] = {
        {"bytes(silu) == 2*4*T*h_ff", true},
        {"bytes(z1) == 3*4*T*C", true},
        {"bytes(q_norm) == 4*(2*T*C + C)", true},
        {"bytes(scores) == 4*(2*T*C + H*T*T)", true},
        {"bytes(gate) == 4*(T*C + C*h_ff + T*h_ff)", true},
        {"bytes(attn) + bytes(mlp) + bytes(op(add)) == bytes()", true},
        {"bytes(op(add)) == 6*4*T*C", true},
        {"bytes(silu) == 2*4*T*h_ff + 1", false},
        /* k and v, two bytes a number */
        {"kv_bytes() == 2*2*T*C", true},
        {"kv_bytes(4) == 4*2*T*C", true},
        {"kv_bytes(width = 1) == 2*T*C", true},
        {"kv_bytes() == 2*2*T*C + 1", false},
        /* all keys are shown */
        {"shown_flops() == flops()", true},
    };
    all_hold(rows, G_N_ELEMENTS(rows), "structure");
    /* a layer of a 7B model at 65,536 tokens: 16,384 bytes a token, 1 GiB */
    FigOverride seven[] = {{"T", "65536"}, {"C", "4096"}, {"H", "32"}, {0}};
    g_assert_true(
        holds_at("kv_bytes() == 2^30 and kv_bytes()/T == 16384", "structure", seven));
    complains("kv_bytes(0) == 1", "21: error: a number takes more than 0 bytes");
    complains("kv_bytes(z) == 1",
              "21: error: ‘z’ is a value, where a number is wanted");
}

/* Grouped heads are kept once, a window keeps its keys: 24 of 32 layers of the 7B model
 * of the third kind keep 4096 tokens, 16,384 bytes each. */
static void
test_cache(void)
{
    char *text = with_claims(
        "  - {id: it, say: it, that: \"kv_bytes() == 4096*16384\"}\n"
        "  - {id: grouped, say: it, that: \"kv_bytes() == 2*2*T*G*h_d\"}\n"
        "  - {id: window, say: it, that: \"shown_flops(scores) == 2*T*4096*C and "
        "shown_flops(mix) == 2*T*4096*C and shown_flops(probs)*T == flops(probs)*4096 "
        "and shown_flops(gate) == flops(gate)\"}\n"
        "  - {id: all, say: it, that: \"shown_flops() == flops()\"}\n");
    text = edit(text, "op: causal_mask, in: scores",
                "op: window_mask, window: 4096, in: scores");
    FigOverride seven[] = {{"T", "65536"}, {"C", "4096"}, {"H", "32"}, {0}};
    Case c = settle(text, seven);
    if (!c.ok)
        die(c.diag);
    g_assert_true(claim(&c, "it")->holds && !claim(&c, "grouped")->holds);
    g_assert_true(claim(&c, "window")->holds && !claim(&c, "all")->holds);
    case_free(&c);
    /* the window is no limit where there are fewer tokens */
    FigOverride few[] = {{"T", "1024"}, {"C", "4096"}, {"H", "32"}, {0}};
    c = settle(text, few);
    g_assert_true(!claim(&c, "it")->holds && claim(&c, "grouped")->holds);
    g_assert_true(!claim(&c, "window")->holds && claim(&c, "all")->holds);
    case_free(&c);
    g_free(text);

    text = with_claims(
        "  - {id: it, say: it, that: \"kv_bytes() == 2*2*T*G*h_d and G < H\"}\n"
        "  - {id: heads, say: it, that: \"not depends(scores, k_rope, where = "
        "floor(scores.H*G/H) != k_rope.G)\"}\n"
        "  - {id: tiled, say: it, that: \"not depends(scores, k_rope, where = scores.H "
        "- "
        "G*floor(scores.H/G) != k_rope.G)\"}\n");
    FigOverride grouped[] = {{"H", "8"}, {"G", "2"}, {0}};
    c = settle(text, grouped);
    if (!c.ok)
        die(c.diag);
    g_assert_true(claim(&c, "it")->holds);
    g_assert_true(claim(&c, "heads")->holds);
    g_assert_false(claim(&c, "tiled")->holds);
    case_free(&c);
    g_free(text);
}

/* Bound and number of what was run; of several comparisons, the one that decides. */
static void
test_bounds(void)
{
    static const struct {
        const char *that;
        double bound, number, tolerance;
        bool holds;
    } rows[] = {
        {"close(z1, z + attn_norm, 1e-9)", 1e-9, 0, 1e-15, true},
        {"close(sum(probs, key), 3, 1e-9)", 1e-9, 2, 1e-12, false},
        {"close(1, sum(probs, key), 1e-9)", 1e-9, 0, 1e-12, true},
        {"not depends(z2[:, 0], z[:, 1])", 0, 0, 1e-15, true},
        {"all(zero_in_zero_out(kind = matmul))", 0, 0, 1e-15, true},
        {"not adds_weight()", 0, 0, 1e-15, true},
        {"max(probs) < 2 and min(probs) > 1/2", 0.5, 0, 1e-15, false},
        {"max(probs) < 2 and min(probs) > -1 and max(probs) < 1/2", 0.5, 1, 1e-12,
         false},
        {"not (max(probs) < 2)", 2, 1, 1e-12, false},
        {"max(probs) < 1/2 or min(probs) >= 0", 0.5, 1, 1e-12, true},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *claims = g_strdup_printf(
            "  - {id: it, say: it holds, that: \"%s\"}\n", rows[i].that);
        g_autofree char *text = with_claims(claims);
        Case c = settle(text, NULL);
        if (!c.ok)
            die(c.diag);
        g_assert_true(claim(&c, "it")->holds == rows[i].holds);
        g_assert_true(claim(&c, "it")->has_bound);
        g_assert_cmpfloat(claim(&c, "it")->bound, ==, rows[i].bound);
        g_assert_cmpint(c.record->n_measured_claims, ==, 1);
        g_assert_cmpfloat_with_epsilon(c.record->measured_claims[0].number,
                                       rows[i].number, rows[i].tolerance);
        case_free(&c);
    }
    g_autofree char *text =
        with_claims("  - {id: it, say: it, that: \"depends(z2[:, 1], z[:, 0])\"}\n");
    Case c = settle(text, NULL);
    g_assert_cmpfloat(c.record->measured_claims[0].number, >, 1e-6);
    case_free(&c);
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/claims/close", test_close);
    g_test_add_func("/claims/depends", test_depends);
    g_test_add_func("/claims/depends/broken", test_depends_broken);
    g_test_add_func("/claims/with", test_with);
    g_test_add_func("/claims/other", test_other);
    g_test_add_func("/claims/other/changed", test_other_changed);
    g_test_add_func("/claims/sets", test_sets);
    g_test_add_func("/claims/bytes", test_bytes);
    g_test_add_func("/claims/cache", test_cache);
    g_test_add_func("/claims/bounds/again", test_bounds);
    return g_test_run();
}
