/* SPDX-License-Identifier: MIT
 *
 * The claims of a shipped block: what settles them, and that each fails where it should and
 * nowhere else.
 */
#include "tests/check/claims.h"

#include <string.h>

static void
test_shipped(void)
{
    g_autofree char *text = read_block();
    Case c = settle(text, NULL);
    if (!c.ok)
        die(c.diag);
    g_assert_cmpint(fig_diag_warnings(c.diag), ==, 0);
    g_assert_cmpint(c.record->n_claims, ==, 14);
    for (int i = 0; i < c.record->n_claims; i++)
        if (!c.record->claims[i].holds)
            g_error("claim ‘%s’ does not hold", c.record->claims[i].id);
    g_assert_cmpstr(claim(&c, "post_norm")->by, ==, "run");
    g_assert_cmpstr(claim(&c, "h_ff_rule")->by, ==, "structure");
    g_assert_cmpstr(claim(&c, "post_norm")->at, ==, "attn_norm");
    g_assert_cmpstr(claim(&c, "scale")->by, ==, "run");
    g_assert_cmpstr(claim(&c, "no_bias")->by, ==, "run");
    const FigRecordClaim *rows = claim(&c, "rows_sum");
    g_assert_cmpstr(rows->by, ==, "run");
    g_assert_true(rows->has_bound);
    g_assert_cmpfloat(rows->bound, ==, 1e-6);
    static const char *const measured[] = {
        "post_norm",   "post_norm_ff", "no_bias", "qk_norm",  "scale_free",
        "scale_bound", "swiglu",       "scale",   "key_axis", "rows_sum",
        "v_reader",    "start",        "halves"};
    g_assert_cmpint(c.record->n_measured_claims, ==, G_N_ELEMENTS(measured));
    for (size_t i = 0; i < G_N_ELEMENTS(measured); i++)
        g_assert_cmpstr(c.record->measured_claims[i].id, ==, measured[i]);
    g_assert_cmpfloat(c.record->measured_claims[2].number, ==, 0);
    g_assert_cmpfloat(c.record->measured_claims[8].number, ==, 0);
    g_assert_cmpfloat(c.record->measured_claims[9].number, >=, 0);
    g_assert_cmpfloat(c.record->measured_claims[9].number, <, 1e-12);
    const FigRecordClaim *rule = claim(&c, "h_ff_rule");
    g_assert_false(rule->must);
    g_assert_cmpint(rule->say.n_numbers, ==, 1);
    g_assert_cmpstr(rule->say.exprs[0], ==, "h_ff");
    g_assert_cmpstr(rule->say.numbers[0], ==, "1408");
    g_assert_cmpint(c.record->n_notes, ==, 1);
    g_assert_cmpstr(c.record->title.text, ==, "One OLMo 2 block, op by op");
    case_free(&c);
}

/* What is done to the block, and which of its claims then fail; all others hold. */
typedef struct Break {
    const char *what;
    const char *edits[12]; /* old, new, … */
    const char *fails[5];
} Break;

static const Break breaks[] = {
    {"a norm before attention too",
     {"  g_ff:\n", "  g_pre: {shape: [C], init: ones}\n  g_ff:\n",
      "      - {id: qkv, op: matmul, in: [z, W_qkv]}\n",
      "      - {id: pre, op: rmsnorm, in: {x: z, g: g_pre}, eps: eps}\n"
      "      - {id: qkv, op: matmul, in: [pre, W_qkv]}\n"},
     {"post_norm"}},
    {"something between the norm and the sum",
     {"  - {id: z1, op: add, in: [z, attn_norm]",
      "  - {id: bent, op: silu, in: attn_norm}\n  - {id: z1, op: add, in: [z, bent]"},
     {"post_norm"}},
    {"a norm before the gate",
     {"  g_ff:\n", "  g_pre: {shape: [C], init: ones}\n  g_ff:\n",
      "      - {id: gate, op: matmul, in: [z1, W_1]",
      "      - {id: pre, op: rmsnorm, in: {x: z1, g: g_pre}, eps: eps}\n"
      "      - {id: gate, op: matmul, in: [pre, W_1]"},
     {"post_norm_ff", "scale_bound"}},
    {"a norm before the other input projection",
     {"  g_ff:\n", "  g_pre: {shape: [C], init: ones}\n  g_ff:\n",
      "      - {id: up, op: matmul, in: [z1, W_3]",
      "      - {id: pre, op: rmsnorm, in: {x: z1, g: g_pre}, eps: eps}\n"
      "      - {id: up, op: matmul, in: [pre, W_3]"},
     {"post_norm_ff"}},
    {"something between the second norm and its sum",
     {"  - {id: z2, op: add, in: [z1, ff_norm]",
      "  - {id: bent, op: silu, in: ff_norm}\n  - {id: z2, op: add, in: [z1, bent]"},
     {"post_norm_ff"}},
    {"a bias on the output projection",
     {"  g_ff:\n", "  b_proj: {shape: [B, T, C]}\n  g_ff:\n",
      "      - {id: attn_norm, op: rmsnorm, in: {x: proj, g: g_attn}",
      "      - {id: biased, op: add, in: [proj, b_proj]}\n"
      "      - {id: attn_norm, op: rmsnorm, in: {x: biased, g: g_attn}"},
     {"no_bias", "scale_free", "post_norm"}},
    {"q normed head by head",
     {"  g_q:\n    shape: [H*h_d]", "  g_q:\n    shape: [h_d]",
      "      - {id: q_norm, op: rmsnorm, in: {x: q, g: g_q}, eps: eps, aka: {golden: "
      "\"layers.{layer}.attn.q_norm\"}}\n",
      "", "      - {id: q_heads, op: split_heads, in: q_norm, heads: H}\n",
      "      - {id: q_heads, op: split_heads, in: q, heads: H}\n"
      "      - {id: q_norm, op: rmsnorm, in: {x: q_heads, g: g_q}, eps: eps}\n",
      "      - {id: q_rope, op: rope, in: q_heads,",
      "      - {id: q_rope, op: rope, in: q_norm,"},
     {"qk_norm", "halves"}},
    {"a bias before the norm of q",
     {"  g_ff:\n", "  b_q: {shape: [H*h_d]}\n  g_ff:\n",
      "      - {id: q_norm, op: rmsnorm, in: {x: q, g: g_q}",
      "      - {id: biased, op: add_bias, in: [q, b_q]}\n"
      "      - {id: q_norm, op: rmsnorm, in: {x: biased, g: g_q}"},
     {"no_bias", "qk_norm", "scale_free"}},
    {"an MLP of products alone",
     {"{id: silu, op: silu, in: gate,", "{id: silu, op: clip, in: gate, limit: 1e9,"},
     {"scale_bound", "swiglu"}},
    {"RoPE from position one",
     {"- {id: q_rope, op: rope, in: q_heads,",
      "- {id: q_rope, op: rope, from: 1, in: q_heads,"},
     {"start"}},
    {"RoPE that turns neighbours",
     {"- {id: q_rope, op: rope, in: q_heads,",
      "- {id: q_rope, op: rope, layout: interleaved, in: q_heads,"},
     {"halves"}},
    {"another scale", {"scale: 1/sqrt(h_d)", "scale: 1/sqrt(C)"}, {"scale"}},
    {"no scale", {"        scale: 1/sqrt(h_d)\n", ""}, {"scale"}},
    {"softmax over the queries",
     {"over: key", "over: query"},
     {"key_axis", "rows_sum"}},
    {"the axes of the scores named the other way round",
     {"axes: [B, H, query, key]", "axes: [B, H, key, query]"},
     {"key_axis"}},
    {"no mask of later keys",
     {"{id: mask, op: causal_mask, in: scores,",
      "{id: mask, op: clip, in: scores, limit: 1e9,"},
     {"key_axis"}},
    {"v read twice",
     {"      - {id: mix, op: matmul, in: [probs, v_repeat]",
      "      - {id: v_twice, op: add, in: [v_heads, v_heads]}\n"
      "      - {id: mix, op: matmul, in: [probs, v_twice]"},
     {"v_reader"}},
    {"v into the scores",
     {"in: [q_rope, k_repeat]", "in: [q_rope, v_heads]", "in: [probs, v_repeat]",
      "in: [probs, k_rope]"},
     {"v_reader", "qk_norm", "scale_free", "scale"}},
    {"another feed-forward width",
     {"h_ff: {is: \"ceil(8*C/3, 64)\"", "h_ff: {is: \"4*C\""},
     {"h_ff_rule"}},
};

static void
test_broken(void)
{
    g_autoptr(GHashTable) failed = g_hash_table_new(g_str_hash, g_str_equal);
    for (gsize i = 0; i < G_N_ELEMENTS(breaks); i++) {
        const Break *b = &breaks[i];
        char *text = read_block();
        for (int j = 0; b->edits[j]; j += 2)
            text = edit(text, b->edits[j], b->edits[j + 1]);
        Case c = settle(text, NULL);
        if (!c.ok)
            die(c.diag);
        for (int j = 0; j < c.record->n_claims; j++) {
            const FigRecordClaim *claim = &c.record->claims[j];
            bool breaks_it = false;
            for (int k = 0; b->fails[k]; k++)
                breaks_it = breaks_it || strcmp(b->fails[k], claim->id) == 0;
            if (claim->holds == breaks_it)
                g_error("%s: claim ‘%s’ %s", b->what, claim->id,
                        breaks_it ? "still holds" : "fails");
            if (breaks_it)
                g_hash_table_add(failed, (gpointer)g_intern_string(claim->id));
        }
        case_free(&c);
        g_free(text);
    }
    g_assert_cmpuint(g_hash_table_size(failed), ==, 14); /* every claim can fail */
}

static void
test_dims(void)
{
    g_autofree char *text = read_block();
    FigOverride wider[] = {{"T", "1024"}, {"C", "1024"}, {"H", "16"}, {0}};
    Case c = settle(text, wider);
    g_assert_true(claim(&c, "h_ff_rule")->holds);
    g_assert_cmpstr(claim(&c, "h_ff_rule")->say.numbers[0], ==, "2752");
    case_free(&c);
    FigOverride fixed[] = {{"C", "1024"}, {"H", "16"}, {"h_ff", "1408"}, {0}};
    c = settle(text, fixed);
    g_assert_true(c.ok);
    g_assert_false(claim(&c, "h_ff_rule")->holds);
    case_free(&c);
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/claims-block/shipped", test_shipped);
    g_test_add_func("/claims-block/broken", test_broken);
    g_test_add_func("/claims-block/dims", test_dims);
    return g_test_run();
}
