/* SPDX-License-Identifier: MIT
 *
 * The claim language on the real block: what is true of it holds and what is not fails,
 * numbers agree with hand arithmetic, mistakes are shown at their column.
 */
#include "claims.h"

#include <math.h>
#include <string.h>

/* ---- numbers ---- */

static void
test_numbers(void)
{
    static const char *const rows[][2] = {
        {"count(class = weight_matmul)", "7"},
        {"count(class = activation_matmul)", "2"},
        {"count(class = norm)", "4"},
        {"count(class = other)", "13"},
        {"count(kind = matmul)", "9"},
        {"count(kind = norm, group = attn)", "3"},
        {"count(op = rope)", "2"},
        {"count(kind(norm))", "4"},
        {"count(mlp)", "6"},
        {"count()", "24"},
        {"share(weight_matmul)", "92.5"},
        {"share(activation_matmul)", "7.5"},
        /* 4·512² + 3·512·1408 in matmuls, 4·512 in norms */
        {"params()", "3,213,312"},
        {"params(attn)", "1,050,112"},
        {"params(group = mlp)", "2,163,200"},
        {"params(attn) + params(mlp)", "3,213,312"},
        {"params(qkv)", "786,432"},
        /* 2·T·(4·C² + 3·C·h_ff) + 4·T²·C */
        {"flops(kind = matmul)", "1,778,384,896"},
        {"flops(scores)", "67,108,864"},
        {"h_ff", "1408"},
        {"T*C", "131072"},
        {"C/3", "170.7"},
        {"eps", "1e-6"},
        {"theta", "5e5"},
        {"1/sqrt(h_d)", "0.125"},
        {"attr(scores, scale)", "0.125"},
        {"attr(q_heads, heads)", "8"},
        {"attr(q_rope, layout)", "half"},
        {"axis(probs, over)", "key"},
        {"axis(scores, 2)", "query"},
        {"axis(z, 0)", "B"},
        {"size(qkv, -1)", "1536"},
        {"size(scores, key)", "256"},
        {"size(split_part, 0)", NULL},
        {"readers(z1)", "3"},
        {"readers(W_q)", "1"},
        {"min(H, 5)", "5"},
        {"max(h_d, H)", "64"},
        {"min(H, C)", "8"},
        {"floor(C/3)", "170"},
        {"ceil(C/3, 64)", "192"},
        {"abs(H - C)", "504"},
        {"-C", "-512"},
        {"2^-1", "0.5"},
        {"1000000*1000000*1000000*1000000", "1e+24"},
    };
    g_autofree char *text = read_block();
    Case c = settle(text, NULL);
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(FigDiag) diag = fig_diag_new();
        g_autofree char *got = fig_claims_number(c.graph, c.record, rows[i][0], diag);
        if (!got && rows[i][1])
            die(diag);
        g_assert_cmpstr(got, ==, rows[i][1]);
    }
    case_free(&c);
}

typedef struct Row {
    const char *that;
    bool holds;
} Row;

static void
check_rows(const Row *rows, gsize n, const char *by)
{
    for (gsize i = 0; i < n; i++)
        if (holds(rows[i].that, by) != rows[i].holds)
            g_error("%s: not %s", rows[i].that, rows[i].holds ? "true" : "false");
}

static void
test_structure(void)
{
    static const Row rows[] = {
        {"reads(qkv, z)", true},
        {"reads(qkv, W_q)", true}, /* a member of the join */
        {"reads(qkv, W_proj)", false},
        {"reads(q_norm, z)", false},
        {"path(z, z2)", true},
        {"path(v, probs)", false},
        {"path(v, mix)", true},
        {"path(z2, z)", false},
        {"path(W_q, scores)", true},
        {"path(z, scores, through = op(rope))", true},
        {"path(z, scores, through = kind(softmax))", false},
        {"path(z, z1, through = attn_norm)", true},
        {"path(z, attn_norm, through = attn_norm)", false},  /* its end */
        {"path(attn_norm, z1, through = attn_norm)", false}, /* its start */
        {"path(z1, z2, through = group(attn))", false},
        {"path(z1, z2, through = mlp)", true},
        {"path(split, q_heads)", true},
        {"before(q_norm, q_rope)", true},
        {"before(q_rope, q_norm)", false},
        {"before(z, qkv)", true},
        {"attr(scores, transpose) == 'b'", true},
        {"axis(mask, -1) != 'query'", true},
        {"H*h_d == C", true},
        {"C/3*3 == C", true},
        {"sqrt(2)*sqrt(2) == 2", true}, /* rounding is allowed for */
        {"sqrt(2)*sqrt(2) == 2.0001", false},
        {"true and not false", true},
        {"false or true and false", false},
        {"count(kind = norm) >= 4", true},
        {"theta > 4e5", true},
        {"1 < 2 and 2 <= 2 and 3 > 2 and 2 >= 2", true},
    };
    check_rows(rows, G_N_ELEMENTS(rows), "structure");
}

static void
test_run(void)
{
    static const Row rows[] = {
        /* definitions of the ops, said in the language */
        {"all(z1 == z + attn_norm)", true},
        {"all(z1 == z)", false},
        {"any(z1 == z)", false},
        {"all(abs(attn_norm - proj/sqrt(mean(proj^2, C) + eps)) < 1e-12)", true},
        {"all(abs(rms(attn_norm, C) - 1) < 1e-3)", true},
        {"all(abs(silu - gate/(1 + exp(-gate))) < 1e-12)", true},
        {"all(gated == silu*up)", true},
        {"all(abs(var(z) - (mean(z^2) - mean(z)^2)) < 1e-12)", true},
        {"abs(var(z) - (mean(z^2) - mean(z)^2)) < 1e-12", true},
        {"abs(sum(probs) - B*H*T) < 1e-9", true}, /* dims are those of the run */
        {"abs(sum(probs, key)[0, 1, 2] - 1) < 1e-9", true},
        {"min(probs) == 0 and max(probs) == 1", true},
        {"all(max(probs, key) <= 1) and all(min(probs, -1) >= 0)", true},
        {"all(probs[:, :, 0, 1:] == 0)", true}, /* the first query sees one key */
        {"all(probs[:, :, 0, 0] == 1)", true},
        {"all(probs[:, :, -1, :] > 0)", true},
        {"all(probs[:, :, 1:, 0] == 1)", false},
        {"mean(abs(z)) > 0 and sum(z - z) == 0", true},
        {"not any(probs < 0)", true},
        {"all(not (probs < 0))", true},
        {"all(probs < 0 or probs >= 0)", true},
        {"1e-6 > max(abs(sum(probs, key) - 1))", true},
        {"size(z, T)*size(z, C) > 0 and all(z - z == 0)", true},
        {"all(log(exp(z)) - z < 1e-9)", true},
        {"all(zero_in_zero_out(kind = norm))", true},
        {"all(zero_in_zero_out(kind = softmax))", false},
        {"any(zero_in_zero_out())", true},
        {"all(zero_in_zero_out())", false},
        {"all(zero_in_zero_out(mlp))", true},
        {"adds_weight()", false},
    };
    check_rows(rows, G_N_ELEMENTS(rows), "run");
}

/* What a comparison notes: its bound, and the worst number against it. */
static void
test_bounds(void)
{
    static const struct {
        const char *that;
        double bound, number;
    } rows[] = {
        {"all(probs <= 1)", 1, 1},
        {"all(probs >= 0)", 0, 0},
        {"all(0 <= probs)", 0, 0},
        {"all(sum(mask*0, key) == 0)", 0, NAN}, /* 0 · -inf */
        {"max(probs) < 2", 2, 1},
        {"all(probs[:, :, 0, 0] == 1)", 1, 1},
        {"all(z - z < 1e-3) and all(probs < 2)", 1e-3, 0}, /* the first */
    };
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *claims = g_strdup_printf(
            "  - {id: it, say: it holds, that: \"%s\"}\n", rows[i].that);
        g_autofree char *text = with_claims(claims);
        Case c = settle(text, NULL);
        if (!c.ok)
            die(c.diag);
        g_assert_true(claim(&c, "it")->has_bound);
        g_assert_cmpfloat(claim(&c, "it")->bound, ==, rows[i].bound);
        g_assert_cmpint(c.record->n_measured_claims, ==, 1);
        double number = c.record->measured_claims[0].number;
        if (isnan(rows[i].number))
            g_assert_true(isnan(number) && !claim(&c, "it")->holds);
        else
            g_assert_cmpfloat_with_epsilon(number, rows[i].number, 1e-12);
        case_free(&c);
    }
}

/* ---- mistakes ---- */

static void
test_mistakes(void)
{
    /* the string begins at column 11, its text at 12 */
    complains("reads(z1, atn_norm)",
              "22: error: unknown name ‘atn_norm’ | did you mean ‘attn_norm’?");
    complains("reeds(z1, attn_norm)",
              "12: error: unknown function ‘reeds’ | did you mean ‘reads’?");
    complains("reads(z1)",
              "12: error: argument ‘value’ is missing; it is reads(op, value)");
    complains("reads(z1, z, z)",
              "25: error: one argument too many; it is reads(op, value)");
    complains("reads(z1, op = z1)",
              "27: error: this argument is given twice; it is reads(op, value)");
    complains(
        "path(z, z2, thru = kind(norm))",
        "31: error: path has no argument ‘thru’; it is path(from, to, [through])");
    complains("reads(z, z1)", "18: error: ‘z’ is written by no op");
    complains("reads(z1, split)",
              "22: error: op ‘split’ has 3 results, where one value is wanted");
    complains("reads(T, z)",
              "18: error: ‘T’ is a number, where the name of an op is wanted");
    complains("path(z, qkv, through = kind(nrm))",
              "40: error: ‘nrm’ is no kind of op | did you mean ‘norm’?");
    complains("count(class = weights) > 1", "26: error: ‘weights’ is no class of op");
    complains("count(group = attention) > 1", "26: error: ‘attention’ is no group");
    complains(
        "attr(scores, scal) == 1",
        "25: error: matmul ‘scores’ has no attribute ‘scal’ | did you mean ‘scale’?");
    complains("size(z, 3) == 1", "20: error: z has 3 axes, no axis of that number");
    complains("size(z, query) == 1", "20: error: z has no axis ‘query’");
    complains("sum(probs, kee) == 1",
              "23: error: probs has no axis ‘kee’ | did you mean ‘key’?");
    complains(
        "z[0, 0, :2] < 1",
        "12: error: this is true or false for each of 2 entries, where one answer "
        "is wanted | all(…) or any(…) makes it one");
    complains("C + 1", "12: error: ‘C + 1’ is a number, where true or false is wanted");
    complains("C and T > 1",
              "12: error: ‘C’ is a number, where true or false is wanted");
    complains("all(probs)",
              "16: error: ‘probs’ is many numbers, where true or false is wanted");
    complains("sum(probs < 1) > 1",
              "16: error: ‘probs < 1’ is many truths, where numbers are wanted");
    complains("axis(mask, -1) == 1",
              "30: error: ‘1’ is a number, where a word is wanted");
    complains("axis(mask, -1) < 'key'",
              "12: error: words have no order; == and != compare them");
    complains("1/(H - H) == 1", "12: error: division by zero");
    complains("sqrt(-1) == 1", "12: error: the result is not a finite number");
    complains("split == 1", "12: error: ‘split’ is an op, where numbers are wanted");
    complains("kind(norm) == 1",
              "12: error: ‘kind(norm)’ is a set of ops, where a number "
              "is wanted");
    complains("all(z[0, 0, 0, 0] == 1)", "16: error: 4 indices for 3 axes");
    complains("all(z[0.5] == 1)", "18: error: an index is a whole number");
    complains("all(z[99] == 1)", "18: error: nothing is there: axis ‘B’ has 3 entries");
    complains("all(z[:, 0:1] == z)",
              "16: error: axis ‘T’ is 1 on one side and 7 on the other");
    complains("false and reads(z1, nothing)", "32: error: unknown name ‘nothing’");
}

static void
test_placeholders(void)
{
    g_autofree char *text = with_claims(
        "  - id: it\n"
        "    say: 'Of <count()> ops <count(class = norm)> are norms, \\<b> $a < b$'\n"
        "    that: 'true'\n"
        "  - id: other\n"
        "    say: there are 25 ops, 1,408 wide, and $W_1$, $8C/3$ and z1 and OLMo 2\n"
        "    that: 'h_ff == ceil(8*C/3, 64)'\n"
        "  - {id: free, say: nobody checks this}\n");
    Case c = settle(text, NULL);
    g_assert_true(c.ok);
    const FigSentence *say = &claim(&c, "it")->say;
    g_assert_cmpint(say->n_numbers, ==, 2);
    g_assert_cmpstr(say->exprs[1], ==, "count(class = norm)");
    g_assert_cmpstr(say->numbers[1], ==, "4");
    g_autofree char *filled = fig_sentence_text(say);
    g_assert_cmpstr(filled, ==, "Of 24 ops 4 are norms, <b> $a < b$");
    g_assert_cmpstr(claim(&c, "free")->by, ==, "unchecked");
    g_assert_false(claim(&c, "free")->holds);
    g_assert_null(claim(&c, "free")->that);

    /* 25 and 1,408 are nobody's; 8 and 3 are the claim's, 1 a name, 2 the family's */
    g_assert_cmpint(fig_diag_warnings(c.diag), ==, 2);
    g_autoptr(GString) out = g_string_new(NULL);
    fig_diag_print(c.diag, out, false);
    g_assert_nonnull(strstr(out->str, ":20: warning: nothing checks the number 25 "));
    g_assert_nonnull(
        strstr(out->str, ":28: warning: nothing checks the number 1,408 "));
    case_free(&c);

    char *edited = read_block();
    edited = edit(edited, "title: One OLMo 2 block, op by op",
                  "title: One OLMo 2 block in <cuont()> ops");
    c = settle(edited, NULL);
    g_assert_false(c.ok);
    g_string_truncate(out, 0);
    fig_diag_print(c.diag, out, false);
    g_assert_nonnull(strstr(out->str, "a.yaml:5:29: error: unknown function ‘cuont’"));
    case_free(&c);
    g_free(edited);
}

/* A number that belongs to a name is a matter of `family:`; one of a sentence is not. */
static void
names_family(const char *say, const char *wanted)
{
    char *text = with_claims("  - {id: it, say: NOTHING}\n");
    text = edit(edit(text, "family: OLMo 2\n", ""), "NOTHING", say);
    Case c = settle(text, NULL);
    g_autoptr(GString) out = g_string_new(NULL);
    fig_diag_print(c.diag, out, false);
    g_autofree char *hint = g_strdup_printf("= hint: %s\n", wanted);
    if (!strstr(out->str, hint))
        g_error("‘%s’ gives\n%s", say, out->str);
    case_free(&c);
    g_free(text);
}

static void
test_family(void)
{
    names_family("as in GPT-2", "is ‘GPT-2’ a name? then say `family: GPT-2`");
    names_family("as in Llama 3.1",
                 "is ‘Llama 3.1’ a name? then say `family: Llama 3.1`");
    names_family("OLMo 2 does so", "is ‘OLMo 2’ a name? then say `family: OLMo 2`");
    names_family("Qwen3 does so", "is ‘Qwen3’ a name? then say `family: Qwen3`");
    names_family("All 3 heads", "write it as <an expression>");
    names_family("with 3 heads", "write it as <an expression>");
}

/* What does not hold is said with what was found: what the sides were, part by part. */
static void
test_why(void)
{
    static const struct {
        const char *that, *found;
    } rows[] = {
        {"count() == 25", "count() is 24"},
        {"24 == count() + 1", "count() + 1 is 25"},
        {"C > h_ff", "C is 512, h_ff is 1408"},
        {"axis(mask, -1) == ''query''", "axis(mask, -1) is key"},
        {"C == 512 and count(kind = norm) == 5 and T == 2",
         "count(kind = norm) is 4, T is 256"},
        {"(C == 512 or T == 2) and H == 3", "H is 8"},
        {"C == 5 or reads(qkv, probs)", "C is 512, reads(qkv, probs) is false"},
        {"not (C == 512 and H == 8)", "C is 512, H is 8"},
        {"not count() == 24", "count() is 24"},
        {"not reads(qkv, z) and C == 512", "reads(qkv, z) is true"},
        {"reads(qkv, probs)", NULL},
        {"sum(probs, key)[0, 0, 0] * 0 == 7",
         "sum(probs, key)[0, 0, 0]*0 is 0 in the run"},
        {"all(0 * z == 3)", "the worst number of the run is 0"},
        {"all(z > 2) or C == 512", NULL},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *claims =
            g_strdup_printf("  - {id: it, say: words, that: '%s'}\n", rows[i].that);
        g_autofree char *text = with_claims(claims);
        Case c = settle(text, NULL);
        if (!c.ok)
            die(c.diag);
        g_assert_cmpstr(claim(&c, "it")->found, ==, rows[i].found);
        case_free(&c);
    }
}

/* Words of the language in any order: an answer, or a message that says why there is none;
 * and a long sum does not exhaust the stack. */
static void
test_random(void)
{
    static const char *const words[] = {
        "z",
        "probs",
        "qkv",
        "split",
        "C",
        "h_d",
        "key",
        "norm",
        "1",
        "2.5",
        "'key'",
        "(",
        ")",
        ")",
        ",",
        "+",
        "-",
        "*",
        "/",
        "^",
        "==",
        "<",
        "and",
        "or",
        "not ",
        "[",
        "]",
        ":",
        "sum(",
        "all(",
        "abs(",
        "min(",
        "max(",
        "var(",
        "count(",
        "kind = ",
        "path(",
        "reads(",
        "size(",
        "attr(",
        "axis(",
        "kind(",
        "params(",
        "share(",
        "0",
        "scores, scale",
        "z, T",
        "probs, over",
        "weight_matmul",
        "attn",
        "close(",
        "depends(",
        "where = ",
        "z2.T",
        "z.T",
        "with('z *= 2', ",
        "with('q[..., :h_d] = 0', ",
        "run('olmo2-block', ",
        "weights(",
        "inputs(",
        "before(",
        "kv_bytes(",
        "shown_flops(",
        "bytes(",
        "...",
    };
    g_autofree char *text = read_block();
    g_autoptr(GRand) rand = g_rand_new_with_seed(3);
    g_autoptr(GString) expr = g_string_new(NULL);
    Case c = settle(text, NULL);
    int answers = 0;
    for (int round = 0; round < 30000; round++) {
        g_autoptr(FigDiag) diag = fig_diag_new();
        g_string_truncate(expr, 0);
        for (int n = g_rand_int_range(rand, 1, 9); n; n--)
            g_string_append(expr,
                            words[g_rand_int_range(rand, 0, G_N_ELEMENTS(words))]);
        for (gsize i = 0, end = expr->len, open = 0; i <= end; i++) {
            open += i < end && expr->str[i] == '(';
            open -= i < end && expr->str[i] == ')' && open;
            for (; i == end && open; open--)
                g_string_append_c(expr, ')');
        }
        g_autofree char *number = fig_claims_number(c.graph, c.record, expr->str, diag);
        if (!number != (fig_diag_errors(diag) > 0))
            g_error("%s: %s, %d errors", expr->str, number, fig_diag_errors(diag));
        answers += number != NULL;
    }
    g_assert_cmpint(answers, >, 500);
    g_string_assign(expr, "1");
    for (int i = 1; i < 250; i++)
        g_string_append(expr, "+1");
    g_autoptr(FigDiag) diag = fig_diag_new();
    g_autofree char *number = fig_claims_number(c.graph, c.record, expr->str, diag);
    g_assert_cmpstr(number, ==, "250");
    case_free(&c);
}

/* A claim about a value in a repeat is to hold in every pass; costs are those of all. */
static void
test_repeat(void)
{
    static const struct {
        const char *that;
        bool holds;
    } wanted[] = {
        {"close(z1 - x, h, 1e-9)", true},
        {"close(x, z, 0)", false}, /* in the first pass alone */
        {"not close(x, z, 0)", false},
        {"close(z1, with('W *= 1', z1), 0)", true},
        {"depends(z1, z) and depends(y, W)", true},
        {"not depends(x, z1)", false}, /* in the second */
        {"path(z1, h) and path(h, x) and not path(y, x)", true},
        {"path(z1, z1, through = op(silu))", true},
        {"before(x, h) and before(h, y)", true},
        {"params() == L*C^2 + C^2 and params(h) == L*C^2", true},
        {"flops(h) == 2*L*T*C^2 and bytes(x) == 8*L*T*C", true},
        {"count() == 5 and count(weights()) == 2 and size(W, 0) == C", true},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(wanted); i++) {
        g_autofree char *text = g_strdup_printf(
            "opfig: 1\nname: tower\n"
            "dims: {T: {is: 6}, C: {is: 8}, L: {is: 5}}\n"
            "inputs: {z: {shape: [T, C]}}\n"
            "weights: {W: {shape: [C, C]}, W_out: {shape: [C, C]}}\n"
            "ops:\n"
            "  - group: layers\n    repeat: L\n    index: l\n    ops:\n"
            "      - {id: x, op: block_input, in: {first: z, next: z1}}\n"
            "      - {id: s, op: silu, in: x}\n"
            "      - {id: h, op: matmul, in: [s, W]}\n"
            "      - {id: z1, op: add, in: [x, h]}\n"
            "  - {id: y, op: matmul, in: [z1, W_out]}\n"
            "outputs: [y]\n"
            "claims:\n  - {id: it, say: it holds, that: \"%s\"}\n",
            wanted[i].that);
        Case c = settle(text, NULL);
        if (!c.ok)
            die(c.diag);
        if (claim(&c, "it")->holds != wanted[i].holds)
            g_error("%s: %d", wanted[i].that, !wanted[i].holds);
        case_free(&c);
    }
}

/* Layers of several kinds: every pass is held to a claim, and costs are of all. */
static void
test_kinds(void)
{
    static const struct {
        const char *that;
        bool holds;
    } wanted[] = {
        {"all(abs(sum(y, key) - 1) < 1e-9)", true},
        /* the first key is seen by the last query in the full layer alone */
        {"y[0, T - 1, 0] == 0", false},
        {"y[0, T - 1, 0] > 0", false},
        {"y[0, 0, 0] == 1", true},
        {"attr(m, window) == W and count(op = window_mask) == 1", true},
        {"flops(y) == 6*5*B*T^2", true},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(wanted); i++) {
        g_autofree char *text = g_strdup_printf(
            "opfig: 1\nname: kinds\n"
            "dims: {B: {is: 1}, T: {is: 6}, W: {is: 4}, L: {is: 6}}\n"
            "constants: {kind: {is: window, one_of: [window, full]}}\n"
            "inputs: {x: {shape: [B, T, T]}}\n"
            "ops:\n"
            "  - group: layers\n    repeat: L\n    index: l\n"
            "    kinds: {kind: [window, window, full]}\n    ops:\n"
            "      - {id: z, op: block_input, in: {first: x, next: y}}\n"
            "      - {id: s, op: silu, in: z, axes: [B, query, key]}\n"
            "      - {id: m, op: window_mask, in: s, window: W, when: kind == window}\n"
            "      - {id: m, op: causal_mask, in: s, when: kind == full}\n"
            "      - {id: y, op: softmax, in: m, over: key}\n"
            "outputs: [y]\n"
            "claims:\n  - {id: it, say: it holds, that: \"%s\"}\n",
            wanted[i].that);
        Case c = settle(text, NULL);
        if (!c.ok)
            die(c.diag);
        if (claim(&c, "it")->holds != wanted[i].holds)
            g_error("%s: %d", wanted[i].that, !wanted[i].holds);
        g_assert_cmpstr(fig_record_op(c.record, "m")->label, ==,
                        "window mask, $W$ keys; full: causal mask");
        g_assert_cmpint(fig_record_op(c.record, "m")->kinds[0].passes, ==, 2);
        case_free(&c);
    }
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/claims/numbers", test_numbers);
    g_test_add_func("/claims/structure", test_structure);
    g_test_add_func("/claims/run", test_run);
    g_test_add_func("/claims/bounds", test_bounds);
    g_test_add_func("/claims/mistakes", test_mistakes);
    g_test_add_func("/claims/placeholders", test_placeholders);
    g_test_add_func("/claims/family", test_family);
    g_test_add_func("/claims/why", test_why);
    g_test_add_func("/claims/repeat", test_repeat);
    g_test_add_func("/claims/kinds", test_kinds);
    g_test_add_func("/claims/random", test_random);
    return g_test_run();
}
