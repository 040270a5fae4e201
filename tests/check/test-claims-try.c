/* SPDX-License-Identifier: MIT
 *
 * Claims that nothing can break are named, and pieces of them, and no claim of a shipped
 * block is or has one. The
 * change that is said to break a claim is made the way a person would, as a variant, and
 * the claim fails there.
 */
#include "claims.h"

#include "check/changes.h"

#include <string.h>

static const FigTriedClaim *
try_claims(const Case *c)
{
    const FigSizes *probe = fig_run_probe(c->graph, c->arena, c->diag);
    const FigClaimOptions options = {.probe = probe};
    return fig_claims_try(c->graph, &options, c->record, c->arena);
}

static const FigTriedClaim *
tried(const Case *c, const FigTriedClaim *all, const char *id)
{
    return &all[claim(c, id) - c->record->claims];
}

/* ---- what says nothing ---- */

typedef struct Weak {
    const char *that;
    bool vacuous;
    bool spoken;       /* of an op, a value or a run: changes were tried */
    const char *piece; /* of it that says nothing */
    bool always;       /* what that is */
} Weak;

static const Weak claims[] = {
    {"1 == 1", true, false},
    {"h_d == C/H", true, false},
    {"h_ff == ceil(8*C/3, 64)", true, false},
    {"count(op = add_bias) == 0", true, true},
    {"all(probs == probs) or reads(z1, z)", true, true, "all(probs == probs)", true},
    {"size(z, 2) == C", true, true},
    {"reads(z1, z) and 5 == 5", true, false, "5 == 5", true},
    {"not adds_weight() and (count(kind = norm) == 4 and h_d == C/H)", true, false,
     "h_d == C/H", true},
    /* a piece of the model that no change and no other answer breaks */
    {"reads(z1, z) and params() > 0", true, true, "params() > 0", true},
    {"not (adds_weight() or steps() > 1000)", true, true, "steps() > 1000", false},
    {"all(probs == probs) and reads(z1, z)", true, true, "all(probs == probs)", true},
    {"reads(z1, z) and all(probs^2 >= 0)", true, true, "all(probs^2 >= 0)", true},
    {"reads(z1, z) and not count() < 3", true, true, "not count() < 3", true},
    {"reads(z1, z) and (reads(z1, attn_norm) or not reads(z1, attn_norm))", true, true,
     "reads(z1, attn_norm) or not reads(z1, attn_norm)", true},
    {"all(probs <= 1 and probs == probs) and reads(z1, z)", true, true,
     "probs == probs", true},
    {"reads(z1, z) and not any(probs > 1 or 1 > 2)", true, false, "1 > 2", false},
    {"all(probs >= 0 and (probs <= 1 and not T < 0))", true, false, "not T < 0", true},
    /* … and sides of an `or`, which are named whatever the others are */
    {"1 == 1 or reads(z1, z)", true, false, "1 == 1", true},
    {"reads(z1, z) or 2 < 1", true, false, "2 < 1", false},
    {"not (not reads(z1, z) or 2 < 1)", true, false, "2 < 1", false},
    {"reads(z1, z) or count(op = gelu) == 7", true, true, "count(op = gelu) == 7",
     false},
    {"not (count(op = add_bias) == 0 and adds_weight())", true, true,
     "count(op = add_bias) == 0", true},
    {"reads(z1, z) and (T > 0 or adds_weight())", true, false, "T > 0", true},
    /* what could be otherwise, here or at other dims and constants */
    {"reads(z1, z) and (T == 7 or reads(z1, attn_norm))", false, true},
    {"reads(z1, z) or T == 7 and H != G", false, true},
    {"padding == 'given' or reads(z1, z)", false, true},
    {"padding == 'given' and count() == 25 or reads(z1, z)", false, true},
    {"reads(z1, z) or reads(z1, proj)", false, true},
    {"reads(z1, z) or T > 1e300", true, false, "T > 1e300", false},
    {"reads(z1, z) and readers(v_repeat) == 1 and depends(q, W_q)", false, true},
    {"count() == 24 and not count() == 25", false, true},
    {"all(probs >= 0 and probs <= 1)", false, true},
    {"reads(z1, z) and not adds_weight()", false, true},
    {"not adds_weight()", false, true},
    {"count(kind = norm) == 4", false, true},
    {"size(W_1, 1) == ceil(8*C/3, 64)", false, true},
    {"axis(probs, over) == 'key'", false, true},
    {"count(op = gelu) == 0", false, true}, /* another op of one signature */
    {"close(z1, z + attn_norm, 1e-12)", false, true},
};

/* The block with all of them as its claims: a change that is loaded is asked of each. */
static void
test_weak(void)
{
    g_autoptr(GString) its = g_string_new(NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(claims); i++)
        g_string_append_printf(its, "  - {id: c%zu, say: it holds, that: \"%s\"}\n", i,
                               claims[i].that);
    g_autofree char *text = with_claims(its->str);
    Case c = settle(text, NULL);
    if (!c.ok)
        die(c.diag);
    const FigTriedClaim *all = try_claims(&c);
    for (size_t i = 0; i < G_N_ELEMENTS(claims); i++) {
        const Weak *weak = &claims[i];
        g_autofree char *id = g_strdup_printf("c%zu", i);
        const FigTriedClaim *it = tried(&c, all, id);
        g_test_message("%s", weak->that);
        g_assert_true(claim(&c, id)->holds);
        g_assert_true(it->asked);
        g_assert_cmpint(it->vacuous, ==, weak->vacuous);
        g_assert_cmpint(it->tried > 0, ==, weak->spoken);
        g_assert_cmpstr(it->piece, ==, weak->piece);
        if (!weak->piece)
            continue;
        FigSpan at = it->piece_at;
        g_autofree char *there = g_strndup(at.source->text + at.offset, at.length);
        g_assert_cmpstr(there, ==, weak->piece);
        g_assert_cmpint(it->piece_holds, ==, weak->always);
    }
    case_free(&c);
}

/* What does not hold, or is claimed without an expression, is not tried. */
static void
test_not_asked(void)
{
    Case c = settle("opfig: 1\nname: weak\nextends: olmo2-block\nclaims:\n"
                    "  - {id: off, must: false, say: few, that: count() < 3}\n"
                    "  - {id: bare, say: it works}\n",
                    NULL);
    const FigTriedClaim *all = try_claims(&c);
    g_assert_false(tried(&c, all, "off")->asked);
    g_assert_false(tried(&c, all, "bare")->asked);
    g_assert_true(tried(&c, all, "scale")->asked);
    case_free(&c);
}

/* A large model has more changes than can be tried: then nothing is said of its claims. */
static void
test_given_up(void)
{
    Case c = settle("opfig: 1\nname: weak\nextends: olmo2-block\nclaims:\n"
                    "  - {id: bias, say: no bias, that: count(op = add_bias) == 0}\n",
                    NULL);
    const FigSizes *probe = fig_run_probe(c.graph, c.arena, c.diag);
    const FigClaimOptions options = {.probe = probe, .patience = 24 * 40};
    const FigTriedClaim *all = fig_claims_try(c.graph, &options, c.record, c.arena);
    g_assert_true(tried(&c, all, "bias")->given_up);
    g_assert_null(tried(&c, all, "bias")->edit);
    g_assert_cmpint(tried(&c, all, "bias")->tried, <, 40);
    case_free(&c);

    g_autoptr(GString) text = g_string_new(
        "opfig: 1\nname: long\ndims: {T: {is: 4}}\ninputs: {x0: {shape: [T]}}\nops:\n");
    for (int i = 0; i < 600; i++)
        g_string_append_printf(text, "  - {id: x%d, op: %s, in: x%d}\n", i + 1,
                               i % 2 ? "silu" : "gelu", i);
    g_string_append(text, "outputs: [x600]\nclaims:\n"
                          "  - {id: it, say: it is so, that: count(op = add) == 0}\n");
    Case large = settle(text->str, NULL);
    g_assert_true(tried(&large, try_claims(&large), "it")->given_up);
    case_free(&large);
}

/* ---- the shipped blocks ---- */

/* A claim under the change that is said to break it, settled alone (a change may take away
 * what others stand at) the way a person would have it settled. */
static bool
holds_under(const Case *c, const char *id, const char *edit)
{
    g_autoptr(GString) text = g_string_new("opfig: 1\nname: broken\n");
    g_string_append_printf(text, "extends: %s\nedit: [", c->graph->name);
    for (int i = 0; i < c->record->n_claims; i++)
        if (strcmp(c->record->claims[i].id, id) != 0)
            g_string_append_printf(text, "{drop: claims.%s}, ",
                                   c->record->claims[i].id);
    if (claim(c, id)->at)
        g_string_append_printf(text, "{set: claims.%s, at: null}, ", id);
    g_string_append_printf(text, "%s\n--- # extended: %s\n%s", edit + 1, c->graph->name,
                           c->graph->text);
    Case broken = settle(text->str, NULL);
    if (!broken.ok)
        die(broken.diag);
    bool holds = claim(&broken, id)->holds;
    case_free(&broken);
    return holds;
}

static const char *const forms[] = {
    "olmo1-block",
    "olmo1-block\nconstants: {clip: {is: 1}}",
    "olmo1-block\nconstants: {clip: {is: 8}}", /* more than any number is */
    "olmo1-block\ndims: {G: {is: H / 2}}",
    "olmo2-block",
    "olmo2-block\ndims: {G: {is: H / 2}}",
    "olmo2-block\nconstants: {padding: {is: given}}",
    "olmo2-gated",
    "olmo3-block",
    "olmo3-block\nconstants: {kind: {is: full}}",
    "olmo3-block\ndims: {G: {is: H / 2}}",
    "llama3-block",
    "llama-interleaved-block",
    "qwen3-block",
};

static void
test_shipped(gconstpointer data)
{
    g_autofree char *text =
        g_strdup_printf("opfig: 1\nname: whole\nextends: %s\n", (const char *)data);
    Case c = settle(text, NULL);
    if (!c.ok)
        die(c.diag);
    const FigTriedClaim *all = try_claims(&c);
    for (int i = 0; i < c.record->n_claims; i++) {
        const char *id = c.record->claims[i].id;
        if (!c.record->claims[i].that)
            continue;
        if (all[i].piece)
            g_error("‘%s’ of ‘%s’ of %s says nothing", all[i].piece, id, (char *)data);
        if (!all[i].edit)
            g_error("‘%s’ of %s: none of %d changes breaks it", id, (char *)data,
                    all[i].tried);
        if (holds_under(&c, id, all[i].edit))
            g_error("‘%s’ of %s holds under %s", id, (char *)data, all[i].edit);
    }
    case_free(&c);
}

/* ---- the table ---- */

/* Every kind of change is there, most make a model, and none fails for how it is written. */
static void
test_table(gconstpointer data)
{
    static const char *const kinds[] = {"drop",   "swap", "rewire", "retype",
                                        "insert", "set",  "widen"};
    g_autofree char *text =
        g_strdup_printf("opfig: 1\nname: whole\nextends: %s\n", (const char *)data);
    Case c = settle(text, NULL);
    int n, loaded = 0, of_kind[G_N_ELEMENTS(kinds)] = {0};
    const FigChange *changes = fig_changes(c.graph, c.arena, &n);
    for (int i = 0; i < n; i++) {
        g_autoptr(FigDiag) diag = fig_diag_new();
        g_autoptr(FigGraph) changed = fig_change_load(c.graph, changes[i].edit, diag);
        loaded += changed != NULL;
        for (size_t k = 0; changed && k < G_N_ELEMENTS(kinds); k++)
            of_kind[k] += strcmp(changes[i].kind, kinds[k]) == 0;
        static const char *const badly_written[] = {
            "is wanted",        "nothing ‘",    "unknown",   "more than once",
            "stands in quotes", "to take away", "two claims"};
        g_autoptr(GString) why = g_string_new(NULL);
        fig_diag_print(diag, why, false);
        for (size_t k = 0; k < G_N_ELEMENTS(badly_written); k++)
            if (strstr(why->str, badly_written[k]))
                g_error("%s: %s", changes[i].edit, why->str);
    }
    for (size_t k = 0; k < G_N_ELEMENTS(kinds); k++)
        if (!of_kind[k])
            g_error("%s: no change of the kind ‘%s’", (char *)data, kinds[k]);
    g_assert_cmpint(loaded, >, n * 2 / 3);
    case_free(&c);
}

/* One in so many of the forms; the sanitizers take five times as long. */
#ifdef __SANITIZE_ADDRESS__
enum { STRIDE = 4 };
#else
enum { STRIDE = 1 };
#endif

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/claims/weak", test_weak);
    g_test_add_func("/claims/not-tried", test_not_asked);
    g_test_add_func("/claims/given-up", test_given_up);
    for (size_t i = 0; i < G_N_ELEMENTS(forms); i += STRIDE) {
        g_autofree char *form = g_strdelimit(g_strdup(forms[i]), "\n/", ' ');
        g_autofree char *shipped = g_strdup_printf("/claims/shipped/%s", form);
        g_autofree char *table = g_strdup_printf("/changes/%s", form);
        g_test_add_data_func(shipped, forms[i], test_shipped);
        g_test_add_data_func(table, forms[i], test_table);
    }
    return g_test_run();
}
