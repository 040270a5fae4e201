/* SPDX-License-Identifier: MIT
 *
 * The claims of every shipped block can fail: each is broken by an edit of the block, and
 * the claims that the edit does not touch go on holding. What is changed is written as a
 * variant, the way a person would.
 */
#include "claims.h"

#include <string.h>

typedef struct Break {
    const char *spec, *what;
    const char *variant; /* keys of a spec that extends it */
    const char *fails;   /* ids, by spaces; all others hold */
} Break;

#define CLIPPED "constants: {clip: {is: 1}}\n"
#define HALF "dims: {G: {is: H / 2}}\n"
#define FULL "constants: {kind: {is: full}}\n"

static const Break breaks[] = {
    {"olmo1-block", "a norm after attention too",
     "edit: [{after: proj, ops: [{id: more, op: layernorm, in: proj, eps: eps}]}, "
     "{set: z1, in: [z, more]}]",
     "pre_norm sum"},
    {"olmo1-block", "an input projection that reads the stream",
     "edit: [{set: up, in: [z1, W_3]}]", "pre_norm_ff"},
    {"olmo1-block", "a norm with a weight",
     "weights: {g: {shape: [C], init: ones}}\n"
     "edit: [{set: pre_attn_norm, in: [z, g]}]",
     "pre_norm"},
    {"olmo1-block", "a norm of squares",
     "weights: {g: {shape: [C], init: ones}}\n"
     "edit: [{replace: pre_attn_norm, op: rmsnorm, in: [z, g], eps: eps}]",
     "pre_norm standard shift"},
    {"olmo1-block", "the sum of something else",
     "edit: [{after: down, ops: [{id: bent, op: silu, in: down}]}, "
     "{set: z2, in: [z1, bent]}]",
     "pre_norm_ff sum"},
    {"olmo1-block", "a clip elsewhere", CLIPPED "edit: [{set: q_clip, limit: 2*clip}]",
     "clipped turned"},
    {"olmo1-block", "RoPE that stretches",
     CLIPPED "edit: [{set: q_rope, scaling: {type: yarn, factor: 8, original: 64}}]",
     "turned halves"},
    {"olmo1-block", "a bias",
     "weights: {b: {shape: [H*h_d + 2*G*h_d]}}\n"
     "edit: [{after: qkv, ops: [{id: biased, op: add_bias, in: [qkv, b]}]}, "
     "{set: split, in: biased}]",
     "no_bias"},
    {"olmo1-block", "gate and up exchanged",
     "edit: [{set: gate, in: [pre_ff_norm, W_3]}, {set: up, in: [pre_ff_norm, W_1]}]",
     "swiglu"},
    {"olmo1-block", "no scale", "edit: [{set: scores, scale: null}]", "scale"},
    {"olmo1-block", "softmax over the queries", "edit: [{set: probs, over: query}]",
     "key_axis causal rows_sum"},
    {"olmo1-block", "no mask",
     "edit: [{replace: mask, op: clip, in: scores, limit: 1e9}]", "causal"},
    {"olmo1-block", "v into the scores",
     "edit: [{set: scores, in: [q_rope, v_repeat]}, {set: mix, in: [probs, k_repeat]}]",
     "v_reader scale"},
    {"olmo1-block", "RoPE from position one", "edit: [{set: q_rope, from: 1}]",
     "start"},
    {"olmo1-block", "RoPE that turns neighbours",
     "edit: [{set: q_rope, layout: interleaved}]", "halves"},
    {"olmo1-block", "key heads in turn",
     HALF "edit: [{replace: k_repeat, op: concat, in: [k_rope, k_rope], axis: 1}]",
     "grouped"},
    {"olmo1-block", "another width", "dims: {h_ff: {is: 4*C}}", "h_ff_rule"},

    {"llama3-block", "a norm after attention",
     "weights: {g: {shape: [C]}}\n"
     "edit: [{after: proj, ops: [{id: more, op: rmsnorm, in: [proj, g], eps: eps}]}, "
     "{set: z1, in: [z, more]}]",
     "pre_norm sum"},
    {"llama3-block", "a gate that reads the stream",
     "edit: [{set: gate, in: [z1, W_1]}]", "pre_norm_ff"},
    {"llama3-block", "value heads in turn",
     HALF "edit: [{replace: v_repeat, op: concat, in: [v_heads, v_heads], axis: 1}]",
     "grouped v_reader"},
    {"llama3-block", "a bias",
     "weights: {b: {shape: [h_ff]}}\n"
     "edit: [{after: up, ops: [{id: biased, op: add_bias, in: [up, b]}]}, "
     "{set: gated, in: [silu, biased]}]",
     "no_bias swiglu"},
    {"llama3-block", "SiLU on both branches",
     "edit: [{after: up, ops: [{id: bent, op: silu, in: up}]}, "
     "{set: gated, in: [silu, bent]}]",
     "swiglu"},
    {"llama3-block", "a token that does not see itself", "edit: [{set: mask, gap: 1}]",
     "sum swiglu causal rows_sum"},
    {"llama3-block", "another scale", "edit: [{set: scores, scale: 1/sqrt(C)}]",
     "scale"},
    {"llama3-block", "softmax over the queries", "edit: [{set: probs, over: query}]",
     "key_axis causal rows_sum"},
    {"llama3-block", "keys that neighbours turn",
     "edit: [{set: k_rope, layout: interleaved}]", "halves"},
    {"llama3-block", "RoPE of the keys from position one",
     "edit: [{set: k_rope, from: 1}]", "start"},

    {"olmo3-block", "something between norm and sum",
     "edit: [{after: attn_norm, ops: [{id: bent, op: silu, in: attn_norm}]}, "
     "{set: z1, in: [z, bent]}]",
     "post_norm"},
    {"olmo3-block", "the same in the other sublayer",
     "edit: [{after: ff_norm, ops: [{id: bent, op: silu, in: ff_norm}]}, "
     "{set: z2, in: [z1, bent]}]",
     "post_norm_ff"},
    {"olmo3-block", "q normed head by head",
     "edit: [{replace: q_norm, ops: []}, {replace: q_heads, ops: [{id: q_heads, op: "
     "split_heads, in: q, heads: H}, {id: q_norm, op: rmsnorm, in: {x: q_heads, g: "
     "g_q}, eps: eps}]}, {set: q_rope, in: q_norm}, {set: g_q, shape: [h_d]}]",
     "qk_norm halves"},
    {"olmo3-block", "a window one wider",
     "edit: [{set: mask.window_mask, window: W + 1}]", "window reach"},
    {"olmo3-block", "a window one narrower",
     "edit: [{set: mask.window_mask, window: W - 1}]", "window reach"},
    {"olmo3-block", "a window layer that scales",
     "edit: [{set: q_rope, scaling: {type: yarn, factor: 8, original: 64}}]", "plain"},
    {"olmo3-block", "a full layer that does not",
     FULL "edit: [{set: q_rope, scaling: none}]", "scaled"},
    {"olmo3-block", "a full layer without a mask",
     FULL "edit: [{replace: mask.causal_mask, when: kind == full, op: clip, in: "
          "scores, limit: 1e9}]",
     "causal"},
    {"olmo3-block", "a norm that hardly norms", "edit: [{set: attn_norm, eps: 1}]",
     "scale_free post_norm"},
    {"olmo3-block", "a bias",
     "weights: {b: {shape: [H*h_d]}}\n"
     "edit: [{before: q_norm, ops: [{id: biased, op: add_bias, in: [q, b]}]}, "
     "{set: q_norm, in: {x: biased, g: g_q}}]",
     "no_bias scale_free"},
    {"olmo3-block", "GELU for SiLU", "edit: [{set: silu, op: gelu}]", "swiglu"},
    {"olmo3-block", "no scale", "edit: [{set: scores, scale: null}]", "scale"},
    {"olmo3-block", "softmax over the queries",
     FULL "edit: [{set: probs, over: query}]", "key_axis rows_sum causal"},
    {"olmo3-block", "v read twice",
     "edit: [{before: mix, ops: [{id: twice, op: add, in: [v_heads, v_heads]}]}, "
     "{set: mix, in: [probs, twice]}]",
     "v_reader"},
    {"olmo3-block", "RoPE from position one", "edit: [{set: q_rope, from: 1}]",
     "start"},
    {"olmo3-block", "RoPE that turns neighbours",
     "edit: [{set: q_rope, layout: interleaved}]", "halves"},
    {"olmo3-block", "key heads in turn",
     HALF "edit: [{replace: k_repeat, op: concat, in: [k_rope, k_rope], axis: 1}]",
     "grouped"},
    {"olmo3-block", "another width", "dims: {h_ff: {is: 4*C}}", "h_ff_rule"},

    {"olmo2-block", "something between norm and sum",
     "edit: [{after: attn_norm, ops: [{id: bent, op: silu, in: attn_norm}]}, "
     "{set: z1, in: [z, bent]}]",
     "post_norm"},
    {"olmo2-block", "the same in the other sublayer",
     "edit: [{after: ff_norm, ops: [{id: bent, op: silu, in: ff_norm}]}, "
     "{set: z2, in: [z1, bent]}]",
     "post_norm_ff"},
    {"olmo2-block", "a bias",
     "weights: {b: {shape: [h_ff]}}\n"
     "edit: [{after: up, ops: [{id: biased, op: add_bias, in: [up, b]}]}, "
     "{set: gated, in: [silu, biased]}]",
     "no_bias swiglu"},
    {"olmo2-block", "q normed head by head",
     "edit: [{replace: q_norm, ops: []}, {replace: q_heads, ops: [{id: q_heads, op: "
     "split_heads, in: q, heads: H}, {id: q_norm, op: rmsnorm, in: {x: q_heads, g: "
     "g_q}, eps: eps}]}, {set: q_rope, in: q_norm}, {set: g_q, shape: [h_d]}]",
     "qk_norm halves"},
    {"olmo2-block", "a norm that hardly norms", "edit: [{set: attn_norm, eps: 1}]",
     "scale_free post_norm"},
    {"olmo2-block", "an MLP of products alone",
     "edit: [{replace: silu, op: clip, in: gate, limit: 1e9}]", "scale_bound swiglu"},
    {"olmo2-block", "RoPE from position one", "edit: [{set: q_rope, from: 1}]",
     "start"},
    {"olmo2-block", "keys that neighbours turn",
     "edit: [{set: k_rope, layout: interleaved}]", "halves"},
    {"olmo2-block", "what is q called k", "edit: [{set: split, out: [k, q, v]}]",
     "scale"},
    {"olmo2-block", "RoPE of the keys from position one",
     "edit: [{set: k_rope, from: 1}]", "start"},
    {"olmo2-block", "a token that does not see itself", "edit: [{set: mask, gap: 1}]",
     "post_norm post_norm_ff scale_free swiglu key_axis rows_sum"},
    {"olmo2-block", "another scale", "edit: [{set: scores, scale: 1/sqrt(C)}]",
     "scale"},
    {"olmo2-block", "softmax over the queries", "edit: [{set: probs, over: query}]",
     "key_axis rows_sum"},
    {"olmo2-block", "v read twice",
     "edit: [{before: mix, ops: [{id: twice, op: add, in: [v_heads, v_heads]}]}, "
     "{set: mix, in: [probs, twice]}]",
     "v_reader"},
    {"olmo2-block", "key heads in turn",
     HALF "edit: [{replace: k_repeat, op: concat, in: [k_rope, k_rope], axis: 1}]",
     "grouped"},
    {"olmo2-block", "value heads in turn",
     HALF "edit: [{replace: v_repeat, op: concat, in: [v_heads, v_heads], axis: 1}]",
     "grouped v_reader"},
    {"olmo2-block", "another width", "dims: {h_ff: {is: 4*C}}", "h_ff_rule"},

    {"olmo1", "layers without a mask",
     "edit: [{replace: mask, op: clip, in: scores, limit: 1e9}]", "causal block"},
    {"olmo1", "a head that reads the embedding",
     "edit: [{set: final_norm, in: [embed]}]", "layers"},
    {"olmo1", "probabilities over tokens", "edit: [{set: next, over: T}]",
     "probabilities"},
    {"olmo2", "layers without a mask",
     "edit: [{replace: mask, op: clip, in: scores, limit: 1e9}]", "causal block"},
    {"olmo2", "a head that reads the embedding",
     "edit: [{set: final_norm, in: [embed, g_out]}]", "layers"},
    {"olmo2", "probabilities over tokens", "edit: [{set: next, over: T}]",
     "probabilities"},
    {"olmo3", "softmax over the queries", "edit: [{set: probs, over: query}]",
     "causal block"},
    {"olmo3", "a head that reads the embedding",
     "edit: [{set: final_norm, in: [embed, g_out]}]", "layers"},
    {"olmo3", "probabilities over tokens", "edit: [{set: next, over: T}]",
     "probabilities"},
    {"llama3", "layers without a mask",
     "edit: [{replace: mask, op: clip, in: scores, limit: 1e9}]", "causal block"},
    {"llama3", "a head that reads the embedding",
     "edit: [{set: final_norm, in: [embed, g_out]}]", "layers"},
    {"llama3", "probabilities over tokens", "edit: [{set: next, over: T}]",
     "probabilities"},
    {"qwen3-block", "a norm after attention",
     "weights: {g: {shape: [C]}}\n"
     "edit: [{after: proj, ops: [{id: more, op: rmsnorm, in: [proj, g], eps: eps}]}, "
     "{set: z1, in: [z, more]}]",
     "pre_norm sum"},
    {"qwen3-block", "a gate that reads the stream",
     "edit: [{set: gate, in: [z1, W_1]}]", "pre_norm_ff"},
    {"qwen3-block", "a norm of all heads together",
     "edit: [{set: g_q, shape: [H*h_d]}, {replace: q_norm, ops: []}, {set: q_rope, in: "
     "q_heads}, {replace: q_heads, ops: [{id: q_norm, op: rmsnorm, in: [q, g_q], eps: "
     "eps}, {id: q_heads, op: split_heads, in: q_norm, heads: H}]}]",
     "qk_norm norm_first start halves"},
    {"qwen3-block", "keys that are normed after they are turned",
     "edit: [{set: k_rope, in: k_heads}, {replace: k_norm, ops: []}, {after: k_rope, "
     "ops: [{id: k_norm, op: rmsnorm, in: [k_rope, g_k], eps: eps}]}, {set: k_repeat, "
     "in: k_norm}]",
     "qk_norm norm_first start halves"},
    {"qwen3-block", "key heads in turn",
     HALF "edit: [{replace: k_repeat, op: concat, in: [k_rope, k_rope], axis: 1}]",
     "grouped"},
    {"qwen3-block", "a bias",
     "weights: {b: {shape: [h_ff]}}\n"
     "edit: [{after: up, ops: [{id: biased, op: add_bias, in: [up, b]}]}, "
     "{set: gated, in: [silu, biased]}]",
     "no_bias swiglu"},
    {"qwen3-block", "the scale of heads that share the width",
     "edit: [{set: scores, scale: 1/sqrt(C/H)}]", "scale"},
    {"qwen3-block", "softmax over the queries", "edit: [{set: probs, over: query}]",
     "key_axis rows_sum"},
    {"qwen3-block", "no mask",
     "edit: [{replace: mask, op: clip, in: scores, limit: 1e9}]", "key_axis"},
    {"qwen3-block", "v into the scores",
     "edit: [{set: scores, in: [q_rope, v_repeat]}, {set: mix, in: [probs, k_repeat]}]",
     "v_reader scale"},
    {"qwen3-block", "RoPE that turns neighbours",
     "edit: [{set: q_rope, layout: interleaved}]", "halves"},
    {"qwen3-block", "RoPE from position one", "edit: [{set: q_rope, from: 1}]",
     "start"},
    {"qwen3", "layers without a mask",
     "edit: [{replace: mask, op: clip, in: scores, limit: 1e9}]", "causal block"},
    {"qwen3", "a head that reads the embedding",
     "edit: [{set: final_norm, in: [embed, g_out]}]", "layers"},
    {"qwen3", "probabilities over tokens", "edit: [{set: next, over: T}]",
     "probabilities"},
    /* what the claims of a network say nothing of, its block does */
    {"olmo1", "layers with another eps", "edit: [{set: pre_attn_norm, eps: 2*eps}]",
     "block"},
    {"olmo2", "layers whose norms exchange their gains",
     "edit: [{set: attn_norm, in: [proj, g_ff]}, {set: ff_norm, in: [down, g_attn]}]",
     "block"},
    {"olmo3", "a window that is narrower by one",
     "edit: [{set: mask.window_mask, window: W - 1}]", "block"},
    {"olmo3", "frequencies of the full layers that are not scaled",
     "edit: [{set: k_rope, scaling: none}]", "block"},
    {"llama3", "layers that turn neighbours",
     "edit: [{set: k_rope, layout: interleaved}]", "block"},
    {"qwen3", "queries with the gain of the keys",
     "edit: [{set: q_norm, in: [q_heads, g_k]}, {set: k_norm, in: [k_heads, g_q]}]",
     "block"},
    {"olmo2-gated", "a gate without bounds",
     "edit: [{replace: sigmoid, op: silu, in: open}]", "gate_range"},
    {"llama-interleaved-block", "keys turned by halves",
     "edit: [{set: k_rope, layout: half}]", "pairs"},
};

static bool
is_among(const char *words, const char *word)
{
    g_auto(GStrv) list = g_strsplit(words, " ", -1);
    return g_strv_contains((const char *const *)list, word);
}

static void
test_break(gconstpointer data)
{
    const Break *b = data;
    g_autofree char *text = g_strdup_printf("opfig: 1\nname: broken\nextends: %s\n%s\n",
                                            b->spec, b->variant);
    Case c = settle(text, NULL);
    if (!c.ok)
        die(c.diag);
    for (int i = 0; i < c.record->n_claims; i++) {
        const FigRecordClaim *claim = &c.record->claims[i];
        if (claim->holds == is_among(b->fails, claim->id))
            g_error("%s, %s: claim ‘%s’ %s", b->spec, b->what, claim->id,
                    claim->holds ? "still holds" : "fails");
    }
    case_free(&c);
}

/* The spec that this one extends, "" if none. owns: the caller */
static char *
base_of(const char *spec)
{
    g_autofree char *file = g_strconcat(spec, ".yaml", NULL);
    g_autofree char *path =
        g_build_filename(g_getenv("OPFIG_SOURCE"), "spec", "models", file, NULL);
    g_autofree char *text = NULL;
    g_assert_true(g_file_get_contents(path, &text, NULL, NULL));
    const char *key = "\nextends: ", *at = strstr(text, key);
    return at ? g_strndup(at + strlen(key), strcspn(at + strlen(key), "\n"))
              : g_strdup("");
}

static bool
has_break(const char *spec, const char *id)
{
    g_autofree char *base = base_of(spec);
    for (size_t k = 0; k < G_N_ELEMENTS(breaks); k++) {
        bool of =
            g_str_equal(breaks[k].spec, spec) || g_str_equal(breaks[k].spec, base);
        if (of && is_among(breaks[k].fails, id))
            return true;
    }
    return false;
}

/* Unbroken all hold, in each form that the block has, and for each claim of each shipped
 * spec there is a break. */
static void
test_whole(gconstpointer data)
{
    const char *spec = data;
    static const struct {
        const char *change, *constant; /* that the form needs, or NULL */
    } forms[] = {
        {"title: whole", NULL}, {HALF, NULL}, {FULL, "kind"}, {CLIPPED, "clip"}};
    for (size_t f = 0; f < G_N_ELEMENTS(forms); f++) {
        g_autofree char *plain =
            g_strdup_printf("opfig: 1\nname: plain\nextends: %s\n", spec);
        Case bare = settle(plain, NULL);
        if (!bare.ok)
            die(bare.diag);
        bool has = !forms[f].constant ||
                   fig_constant_find(bare.graph->constants, bare.graph->n_constants,
                                     forms[f].constant);
        case_free(&bare);
        if (!has)
            continue;
        g_autofree char *text = g_strdup_printf(
            "opfig: 1\nname: whole\nextends: %s\n%s\n", spec, forms[f].change);
        Case c = settle(text, NULL);
        if (!c.ok)
            die(c.diag);
        for (int i = 0; i < c.record->n_claims; i++) {
            const FigRecordClaim *claim = &c.record->claims[i];
            if (!claim->holds)
                g_error("%s: claim ‘%s’ fails", spec, claim->id);
            if (!has_break(spec, claim->id))
                g_error("%s: nothing breaks claim ‘%s’", spec, claim->id);
        }
        case_free(&c);
    }
}

/* ---- the family of a spec that is not shipped ---- */

static const FigRecordClaim *
family_claim(const Case *c)
{
    for (int i = 0; i < c->record->n_claims; i++)
        if (strcmp(c->record->claims[i].id, "family") == 0)
            return &c->record->claims[i];
    return NULL;
}

static bool
is_noted(const Case *c, const char *text)
{
    for (int i = 0; i < c->record->n_notes; i++)
        if (strcmp(c->record->notes[i].text, text) == 0)
            return true;
    return false;
}

/* Proved where both specs give the same; else a sentence that nothing proves. */
static void
test_conforms(void)
{
    Case bare = settle("opfig: 1\nname: mine\nextends: olmo2-block\n", NULL);
    g_assert_true(is_noted(&bare, "family: OLMo 2"));
    g_assert_null(family_claim(&bare));
    g_assert_cmpstr(bare.record->family_status, ==, "unchecked");
    case_free(&bare);

    static const struct {
        const char *edit; /* of what the spec computes */
        bool holds;
    } rows[] = {
        {"", true},
        {"edit: [{set: qkv, title: project}]", true},
        {"edit: [{set: gate, in: [z1, W_3]}, {set: up, in: [z1, W_1]}]", false},
        {"edit: [{set: q_rope, theta: theta + 1}]", false},
        {"constants: {eps: {is: 1e-5}}", false},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *text = g_strdup_printf(
            "opfig: 1\nname: mine\nextends: olmo2-block\nconforms: olmo2-block\n%s\n",
            rows[i].edit);
        Case c = settle(text, NULL);
        const FigRecordClaim *claim = family_claim(&c);
        g_assert_true(c.ok && claim && claim->must);
        g_assert_cmpstr(claim->say.text, ==, "family: OLMo 2");
        g_assert_cmpstr(claim->by, ==, "run");
        g_assert_cmpint(claim->holds, ==, rows[i].holds);
        g_assert_false(is_noted(&c, "family: OLMo 2"));
        g_assert_cmpstr(c.record->family_status, ==, "claimed");
        case_free(&c);
    }
    /* the same family, another computation */
    Case shipped = settle("opfig: 1\nname: mine\nextends: olmo3-block\n"
                          "family: OLMo 2\nconforms: olmo2-block\n",
                          NULL);
    g_assert_false(family_claim(&shipped)->holds); /* it has a window */
    case_free(&shipped);
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_auto(GStrv) specs = fig_spec_shipped();
    for (int i = 0; specs[i]; i++) {
        g_autofree char *path = g_strconcat("/family/whole/", specs[i], NULL);
        g_test_add_data_func(path, specs[i], test_whole);
    }
    for (size_t i = 0; i < G_N_ELEMENTS(breaks); i++) {
        g_autofree char *path =
            g_strconcat("/family/broken/", breaks[i].spec, "/", breaks[i].what, NULL);
        g_test_add_data_func(path, &breaks[i], test_break);
    }
    g_test_add_func("/family/conforms", test_conforms);
    return g_test_run();
}
