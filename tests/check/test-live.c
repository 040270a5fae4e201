/* SPDX-License-Identifier: MIT
 *
 * Edges and shapes proved by disturbing them: every shipped block passes, and kernels that
 * read what they are not handed, or do not read what they are, or multiply wrongly, do not.
 */
#include "claims.h"

#include "check/live.h"

#include <math.h>
#include <string.h>

typedef struct Proof {
    Case c;
    const FigLive *live;
} Proof;

static FigGraph *
load(Proof *p, const char *text)
{
    p->c = (Case){.diag = fig_diag_new(), .arena = fig_arena_new()};
    p->c.graph = fig_spec_load_text("a.yaml", text, strlen(text), NULL, p->c.diag);
    if (!p->c.graph)
        die(p->c.diag);
    return p->c.graph;
}

static void
prove_with(Proof *p, bool products)
{
    const FigSizes *probe = fig_run_probe(p->c.graph, p->c.arena, p->c.diag);
    p->live = fig_live_check(p->c.graph, probe, 0, products, p->c.arena, p->c.diag);
    if (!p->live)
        die(p->c.diag);
}

static void
prove(Proof *p)
{
    prove_with(p, true);
}

static bool
found(const Proof *p, const char *kind, const char *says)
{
    for (int i = 0; i < p->live->n_findings; i++)
        if (strcmp(p->live->findings[i].kind, kind) == 0 &&
            strcmp(p->live->findings[i].says, says) == 0)
            return true;
    return false;
}

static const char *const forms[] = {
    "olmo1-block\nconstants: {clip: {is: 1}}",
    "olmo2-block",
    "olmo2-gated",
    "olmo3-block",
    "olmo3-block\nconstants: {kind: {is: full}}",
    "llama3-block",
    "llama-interleaved-block",
};

static void
test_sound(gconstpointer data)
{
    Proof p;
    g_autofree char *text =
        g_strdup_printf("opfig: 1\nname: whole\nextends: %s\n", (const char *)data);
    const FigGraph *graph = load(&p, text);
    int operands = 0;
    for (int i = 0; i < graph->n_nodes; i++)
        operands += graph->nodes[i].n_reads;
    prove(&p);
    g_assert_cmpint(p.live->n_findings, ==, 0);
    g_assert_cmpint(p.live->operands, ==, operands);
    g_assert_cmpint(p.live->live, ==, operands);
    g_assert_cmpint(p.live->ops, ==, graph->n_nodes);
    g_assert_cmpint(p.live->alone, ==, graph->n_nodes);
    g_assert_cmpint(p.live->n_shapes, ==, 3);
    g_assert_cmpint(p.live->shapes, ==, 3 * graph->n_values);
    g_assert_true(p.live->multiplied);
    g_assert_cmpint(p.live->products, >, 8); /* float and double */
    g_assert_cmpint(p.live->same, ==, p.live->products);
    case_free(&p.c);
}

static bool
is_prime(int64_t number)
{
    for (int64_t divisor = 2; divisor < number; divisor++)
        if (number % divisor == 0)
            return false;
    return number > 1;
}

/* No two dims are equal but by a rule; what nothing divides is a prime. */
static void
test_distinct(gconstpointer data)
{
    Proof p;
    g_autofree char *text =
        g_strdup_printf("opfig: 1\nname: whole\nextends: %s\n", (const char *)data);
    const FigGraph *graph = load(&p, text);
    int64_t before = 0;
    for (int which = 0; which < 3; which++) {
        const FigSizes *sizes = fig_run_distinct(graph, which, p.c.arena);
        g_assert_nonnull(sizes);
        for (int a = 0; a < graph->n_dims; a++)
            for (int b = 0; b < a; b++)
                if (sizes->dim[a] == sizes->dim[b] &&
                    !fig_poly_equal(graph->dims[a].poly, graph->dims[b].poly) &&
                    graph->dims[a].size > 2 && graph->dims[b].size > 2)
                    g_error("%s and %s are equal", graph->dims[a].id,
                            graph->dims[b].id);
        int64_t tokens = sizes->dim[fig_graph_dim(graph, "T")];
        g_assert_true(is_prime(tokens));
        g_assert_true(is_prime(sizes->dim[fig_graph_dim(graph, "B")]));
        g_assert_cmpint(tokens, >, before);
        before = tokens;
    }
    case_free(&p.c);
}

#define SMALL                                                                          \
    "opfig: 1\nname: small\ndims: {T: {is: 5}, C: {is: 8}}\n"                          \
    "inputs: {x: {shape: [T, C]}}\nweights: {w: {shape: [C, C]}}\n"

/* What is multiplied by zero is no edge, though the graph has one. */
static void
test_dead(void)
{
    Proof p;
    load(&p, SMALL "ops:\n  - {id: y, op: matmul, in: [x, w], scale: 0}\n"
                   "  - {id: z, op: add, in: [x, y]}\noutputs: [z]\n");
    prove(&p);
    g_assert_true(found(&p, "edge", "y reads x"));
    g_assert_true(found(&p, "edge", "y reads w"));
    g_assert_cmpint(p.live->n_findings, ==, 2);
    g_assert_cmpint(p.live->live, ==, 2);
    case_free(&p.c);
}

/* In a repeat both operands of what carries a value on count, each in its pass. */
static void
test_repeat(void)
{
    Proof p;
    load(&p, "opfig: 1\nname: deep\ndims: {T: {is: 5}, C: {is: 8}, L: {is: 6}}\n"
             "inputs: {x: {shape: [T, C]}}\nweights: {w: {shape: [C, C]}}\nops:\n"
             "  - {id: start, op: silu, in: x}\n"
             "  - group: layers\n    repeat: L\n    index: l\n    ops:\n"
             "      - {id: z, op: block_input, in: {first: start, next: z1}}\n"
             "      - {id: u, op: matmul, in: [z, w]}\n"
             "      - {id: z1, op: add, in: [z, u]}\n"
             "  - {id: y, op: silu, in: z1}\noutputs: [y]\n");
    prove(&p);
    g_assert_cmpint(p.live->n_findings, ==, 0);
    g_assert_cmpint(p.live->live, ==, 8);
    g_assert_cmpint(p.live->alone, ==, 5);
    g_assert_cmpint(p.live->n_shapes, ==, 3);
    case_free(&p.c);
}

/* ---- kernels that do not do what their edges say ---- */

static FigKernel sound;
static const double *secret; /* what an earlier op was handed */

static void
remember(const FigCall *call)
{
    if (!secret)
        secret = call->in[0].data;
    sound(call);
}

static void
read_secret(const FigCall *call)
{
    double *out = call->out[0].data;
    for (int64_t i = 0; i < fig_view_count(&call->out[0]); i++)
        out[i] = fig_view_number(&call->in[0], i) + 1e-3 * secret[0];
}

static void
read_first(const FigCall *call)
{
    double *out = call->out[0].data;
    for (int64_t i = 0; i < fig_view_count(&call->out[0]); i++)
        out[i] = 2 * fig_view_number(&call->in[0], i);
}

static void
read_past_end(const FigCall *call)
{
    const FigView *in = &call->in[0];
    double *out = call->out[0].data;
    int64_t row = in->size[1];
    for (int64_t i = 0; i < fig_view_count(in); i++) /* the next row's last entry */
        out[i] = fig_view_number(in, i) +
                 fig_view_number(in, MIN(i / row + 1, in->size[0] - 1) * row);
}

static void
with_kernel(Proof *p, FigOp *fake, const char *id, FigKernel kernel)
{
    FigNode *node = &p->c.graph->nodes[fig_graph_node(p->c.graph, id)];
    *fake = *node->op;
    sound = node->op->eval[FIG_F64];
    fake->eval[FIG_F64] = kernel;
    fake->view = NULL;
    node->op = fake;
}

#define CHAIN                                                                          \
    SMALL "ops:\n  - {id: a, op: silu, in: x}\n  - {id: b, op: sigmoid, in: x}\n"      \
          "  - {id: y, op: matmul, in: [b, w]}\n  - {id: z, op: add, in: [a, y]}\n"    \
          "outputs: [z]\n"

static void
test_hidden_read(void)
{
    Proof p;
    FigOp first, second;
    load(&p, CHAIN);
    secret = NULL;
    with_kernel(&p, &second, "b", read_secret);
    with_kernel(&p, &first, "a", remember);
    prove_with(&p, false); /* the secret lives as long as one run */
    g_assert_true(found(&p, "edge", "b reads what its edges say"));
    g_assert_cmpint(p.live->alone, ==, 3);
    case_free(&p.c);
}

static void
test_ignored_operand(void)
{
    Proof p;
    FigOp fake;
    load(&p, CHAIN);
    with_kernel(&p, &fake, "z", read_first);
    prove(&p);
    g_assert_true(found(&p, "edge", "z reads y"));
    g_assert_cmpint(p.live->n_findings, ==, 1);
    case_free(&p.c);
}

/* Odd, but an op may read its own operand as it likes. */
static void
test_own_operand(void)
{
    Proof p;
    FigOp fake;
    load(&p, CHAIN);
    with_kernel(&p, &fake, "a", read_past_end);
    prove(&p);
    g_assert_cmpint(p.live->n_findings, ==, 0);
    case_free(&p.c);
}

static void
off_by_little(const FigCall *call)
{
    sound(call);
    double *out = call->out[0].data;
    out[fig_view_count(&call->out[0]) - 1] *= 1 + 1e-12;
}

static void
test_wrong_product(void)
{
    Proof p;
    FigOp fake;
    load(&p, CHAIN);
    with_kernel(&p, &fake, "y", off_by_little);
    prove(&p);
    g_assert_true(found(&p, "product", "y in float64 by the fast product"));
    g_assert_cmpint(p.live->n_findings, ==, 1);
    g_assert_cmpint(p.live->same, ==, p.live->products - 1);
    case_free(&p.c);
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(forms); i++) {
        g_autofree char *form = g_strdelimit(g_strdup(forms[i]), "\n/", ' ');
        g_autofree char *name = g_strdup_printf("/live/sound/%s", form);
        g_autofree char *distinct = g_strdup_printf("/live/distinct/%s", form);
        g_test_add_data_func(name, forms[i], test_sound);
        g_test_add_data_func(distinct, forms[i], test_distinct);
    }
    g_test_add_func("/live/dead", test_dead);
    g_test_add_func("/live/repeat", test_repeat);
    g_test_add_func("/live/hidden-read", test_hidden_read);
    g_test_add_func("/live/ignored-operand", test_ignored_operand);
    g_test_add_func("/live/own-operand", test_own_operand);
    g_test_add_func("/live/wrong-product", test_wrong_product);
    return g_test_run();
}
