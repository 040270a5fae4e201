/* SPDX-License-Identifier: MIT
 *
 * Claims about the tables that ops expose: what RoPE turns by and what a mask lets through,
 * as truths that can be stated of the table itself and that fail where it is another.
 */
#include "claims.h"

static void
test_hold(void)
{
    static const struct {
        const char *that;
        bool holds;
    } rows[] = {
        /* position 0 is unrotated, position 1 turns the first pair by one */
        {"all(q_rope.cos[0] == 1) and all(q_rope.sin[0] == 0)", true},
        {"all(q_rope.cos[1] == 1)", false},
        {"close(q_rope.cos[1, 0], 0.5403023058681398, 1e-12)", true},
        {"close(q_rope.sin[1, 0], 0.8414709848078965, 1e-12)", true},
        {"close(q_rope.cos^2 + q_rope.sin^2, 1, 1e-12)", true},
        {"close(q_rope.inv_freq[1], theta^(-2/h_d), 1e-12)", true},
        {"close(q_rope.inv_freq[1], theta^(-1/h_d), 1e-12)", false},
        {"close(q_rope.cos, k_rope.cos, 0)", true},
        {"all(q_rope.attention_scaling == 1)", true},
        /* axes are those of the result */
        {"close(max(q_rope.cos, T)[0], 1, 0)", true},
        {"close(q_heads[..., :h_d/2]*q_rope.cos[:, :h_d/2] "
         "- q_heads[..., h_d/2:]*q_rope.sin[:, h_d/2:], q_rope[..., :h_d/2], 1e-12)",
         true},
        /* as many keys as there are tokens so far */
        {"sum(mask.visible) == T*(T + 1)/2", true},
        {"sum(mask.visible, key)[0] == 1 and sum(mask.visible, query)[0] == T", true},
        {"all(probs*(1 - mask.visible) == 0)", true},
        {"all(mask.visible == 1)", false},
        /* the same in another run */
        {"close(with('z *= 2', q_rope.cos), q_rope.cos, 0)", true},
        {"close(run('olmo2-block', q_rope.cos), q_rope.cos, 0)", true},
        {"close(run('olmo1-block', q_rope.sin), q_rope.sin, 1e-3)", false}, /* theta */
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
        if (holds(rows[i].that, "run") != rows[i].holds)
            g_error("%s is not %s", rows[i].that, rows[i].holds ? "true" : "false");
}

/* Variants in which the table is another: each breaks the truth about it. */
static void
test_broken(void)
{
    static const struct {
        const char *spec, *change, *that;
        bool holds;
    } rows[] = {
        {"olmo2-block", "title: whole", "all(q_rope.sin[0] == 0)", true},
        {"olmo2-block", "edit: [{set: q_rope, from: 1}]", "all(q_rope.sin[0] == 0)",
         false},
        {"olmo3-block", "title: whole", "max(sum(mask.visible, key)) == W", true},
        {"olmo3-block", "edit: [{set: mask.window_mask, window: W + 1}]",
         "max(sum(mask.visible, key)) == W", false},
        {"olmo3-block", "constants: {kind: {is: full}}",
         "all(q_rope.attention_scaling == scaling.attention_factor)", true},
        {"olmo3-block",
         "constants: {kind: {is: full}}\nedit: [{set: q_rope, scaling: none}]",
         "all(q_rope.attention_scaling == scaling.attention_factor)", false},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *text =
            g_strdup_printf("opfig: 1\nname: variant\nextends: %s\n%s\n"
                            "claims: [{id: table, say: so, that: \"%s\"}]\n",
                            rows[i].spec, rows[i].change, rows[i].that);
        Case c = settle(text, NULL);
        if (!c.ok)
            die(c.diag);
        if (claim(&c, "table")->holds != rows[i].holds)
            g_error("%s, %s: %s is not %s", rows[i].spec, rows[i].change, rows[i].that,
                    rows[i].holds ? "true" : "false");
        case_free(&c);
    }
}

static void
test_mistakes(void)
{
    complains("all(q_rope.cso == 1)",
              "16: error: ‘q_rope’ has no table ‘cso’ | did you mean ‘cos’?");
    complains("all(qkv.cos == 1)", "16: error: ‘qkv’ has no table ‘cos’");
    complains("all(q_rop.cos == 1)", "16: error: unknown name ‘q_rop.cos’");
    complains(
        "depends(z2, q_rope.cos)",
        "24: error: ‘q_rope.cos’ is many numbers, where the name of a value is wanted");
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/claims-tables/hold", test_hold);
    g_test_add_func("/claims-tables/broken", test_broken);
    g_test_add_func("/claims-tables/mistakes", test_mistakes);
    return g_test_run();
}
