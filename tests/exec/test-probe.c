/* SPDX-License-Identifier: MIT
 *
 * Probe dims: the smallest sizes at which a graph is still the same graph. What is right
 * follows by hand from the rules: at least 3, the order of the dims drawn, h_d = C/H even.
 */
#include "specs.h"

static void
expect(FigGraph *graph, const char *const *wanted)
{
    g_autoptr(FigArena) arena = fig_arena_new();
    g_autoptr(FigDiag) diag = fig_diag_new();
    const FigSizes *sizes = fig_run_probe(graph, arena, diag);
    g_autofree char *said = messages(diag);
    g_assert_cmpstr(said, ==, "");
    g_assert_nonnull(sizes);
    g_autoptr(GString) found = g_string_new(NULL);
    for (int d = 0; d < graph->n_dims; d++)
        g_string_append_printf(found, "%s%s %" G_GINT64_FORMAT, d ? " " : "",
                               graph->dims[d].id, sizes->dim[d]);
    g_assert_cmpstr(found->str, ==, *wanted);
    /* and it runs there */
    FigRunOptions options = {.numeric = true, .type = FIG_F32, .sizes = sizes};
    g_autoptr(FigRun) run = run_graph(graph, &options);
    g_autofree char *evidence = g_strdup_printf("numeric at %s", *wanted);
    g_assert_cmpstr(fig_run_evidence(run), ==, evidence);
    fig_graph_free(graph);
}

static void
block(const char *const *drawn, const char *wanted)
{
    FigOverride dims[8] = {{0}};
    for (int i = 0; drawn && drawn[2 * i]; i++)
        dims[i] = (FigOverride){drawn[2 * i], drawn[2 * i + 1]};
    expect(load_block(dims), &wanted);
}

#define DIMS(...) ((const char *const[]){__VA_ARGS__, NULL})

static void
test_block(void)
{
    /* B < H = G < h_d < T < C < h_ff */
    block(NULL, "B 3 T 7 C 24 H 4 G 4 h_d 6 h_ff 64");
    /* T = C */
    block(DIMS("T", "1024", "C", "1024", "H", "16"),
          "B 3 T 24 C 24 H 4 G 4 h_d 6 h_ff 64");
    /* H < T < h_d, T = h_d, T = H, T = B, B between T and C */
    block(DIMS("T", "32"), "B 3 T 5 C 24 H 4 G 4 h_d 6 h_ff 64");
    block(DIMS("T", "64"), "B 3 T 6 C 24 H 4 G 4 h_d 6 h_ff 64");
    block(DIMS("T", "8"), "B 3 T 4 C 24 H 4 G 4 h_d 6 h_ff 64");
    block(DIMS("T", "1"), "B 3 T 3 C 24 H 4 G 4 h_d 6 h_ff 64");
    block(DIMS("B", "300"), "B 6 T 5 C 12 H 3 G 3 h_d 4 h_ff 64");
    /* h_ff no longer follows from C: one more than it */
    block(DIMS("h_ff", "1408"), "B 3 T 7 C 24 H 4 G 4 h_d 6 h_ff 25");
    /* h_d < H: C = h_d H with h_d = 4, H = 5 */
    block(DIMS("H", "128"), "B 3 T 6 C 20 H 5 G 5 h_d 4 h_ff 64");
    /* a size that a model has */
    block(DIMS("C", "4096", "H", "32", "h_ff", "11008", "T", "4096"),
          "B 3 T 24 C 24 H 4 G 4 h_d 6 h_ff 25");
    /* G < H < h_d, H/G whole and h_d even make C large: in full order B 3, G 4, H 8, h_d
     * 10, C 80 and T 82, a run of half a million numbers. Apart from positions G is 3, H 6,
     * h_d 8; B and T are the least two sizes that no width has */
    block(DIMS("C", "5120", "H", "40", "G", "8", "h_ff", "27648", "T", "65536"),
          "B 4 T 5 C 48 H 6 G 3 h_d 8 h_ff 49");
    /* a short text at the same widths makes no long run */
    block(DIMS("C", "5120", "H", "40", "G", "8", "h_ff", "27648", "T", "64"),
          "B 3 T 9 C 80 H 8 G 4 h_d 10 h_ff 81");
}

static const char *const parts =
    "opfig: 1\nname: parts\ndims:\n  T: {is: 8}\n  C: {is: 96}\n  N: {is: 6}\n"
    "  w: {is: C / N}\n%s"
    "inputs:\n  x: {shape: [T, C]}\n"
    "ops:\n  - {id: y, op: split_heads, in: x, heads: N}\noutputs: [y]\n";

static void
test_spec(void)
{
    /* N < T < w < C: w = 5 at least, C = 3 · 5 */
    g_autofree char *plain = g_strdup_printf(parts, "");
    expect(load_text(plain, NULL), &(const char *){"T 4 C 15 N 3 w 5"});
    /* a person's word: T = 11 although w, drawn larger, is then smaller */
    g_autofree char *fixed = g_strdup_printf(parts, "probe: {T: 11}\n");
    expect(load_text(fixed, NULL), &(const char *){"T 11 C 12 N 3 w 4"});
}

/* What `when:` says stays as it is: T > 4 W holds at 65 and 16, so T = 13 beside W = 3. */
static void
test_when(void)
{
    static const char *const spec =
        "opfig: 1\nname: long\ndims:\n  W: {is: 16}\n  T: {is: %d}\n"
        "inputs:\n  x: {shape: [W, T]}\n"
        "ops:\n  - {id: s, op: silu, in: x, when: T > 4*W}\n"
        "  - {id: y, op: add, in: [x, s]}\noutputs: [y]\n";
    g_autofree char *long_one = g_strdup_printf(spec, 65);
    expect(load_text(long_one, NULL), &(const char *){"W 3 T 13"});
    g_autofree char *short_one = g_strdup_printf(spec, 64);
    expect(load_text(short_one, NULL), &(const char *){"W 3 T 4"});
}

/* A number made of dims is in its range at the sizes too: T − 10 is at least 0. */
static void
test_range(void)
{
    static const char *const spec =
        "opfig: 1\nname: range\ndims:\n  C: {is: 8}\n  T: {is: 100}\n"
        "%s"
        "inputs:\n  x: {shape: [T, C]}\n"
        "ops:\n  - {id: y, op: layernorm, in: x, eps: (T - 10) / 1e6}\noutputs: [y]\n";
    g_autofree char *fixed = g_strdup_printf(spec, "probe: {T: 12}\n");
    expect(load_text(fixed, NULL), &(const char *){"C 3 T 12"});
    g_autofree char *plain = g_strdup_printf(spec, "");
    g_autoptr(FigGraph) graph = load_text(plain, NULL);
    g_autoptr(FigArena) arena = fig_arena_new();
    g_autoptr(FigDiag) diag = fig_diag_new();
    int64_t symbol[] = {3, 9};
    g_assert_null(fig_graph_sizes(graph, symbol, arena, diag));
    g_autofree char *said = messages(diag);
    g_assert_nonnull(strstr(said, "‘eps:’ of ‘y’ is -1e-06 at these sizes; "
                                  "it must be at least 0"));
}

/* w is a quotient that is never whole for small sizes that keep the order. */
static void
test_none(void)
{
    static const char *const spec =
        "opfig: 1\nname: none\ndims:\n  C: {is: 1000000}\n  w: {is: C / 500000 + 2}\n"
        "inputs:\n  x: {shape: [w, C]}\n"
        "ops:\n  - {id: y, op: silu, in: x}\noutputs: [y]\n";
    g_autoptr(FigGraph) graph = load_text(spec, NULL);
    g_autoptr(FigArena) arena = fig_arena_new();
    g_autoptr(FigDiag) diag = fig_diag_new();
    g_assert_null(fig_run_probe(graph, arena, diag));
    g_autofree char *said = messages(diag);
    g_assert_nonnull(strstr(
        said, "no small sizes of the dims were found at which every op can run"));
    g_assert_nonnull(strstr(said, "= hint: fix some with `probe:`\n"));
}

/* `probe:` leaves no solution, C = 3 d with C 25: the way out is not another `probe:`. */
static void
test_fixed(void)
{
    static const char *const spec =
        "opfig: 1\nname: none\ndims:\n  T: {is: 8}\n  C: {is: 12}\n  d: {is: C / 3}\n"
        "inputs:\n  x: {shape: [T, d]}\n"
        "ops:\n  - {id: y, op: silu, in: x}\noutputs: [y]\nprobe: {T: 7, C: 25}\n";
    g_autoptr(FigGraph) graph = load_text(spec, NULL);
    g_autoptr(FigArena) arena = fig_arena_new();
    g_autoptr(FigDiag) diag = fig_diag_new();
    g_assert_null(fig_run_probe(graph, arena, diag));
    g_autofree char *said = messages(diag);
    g_assert_nonnull(strstr(said, "= note: `probe:` fixes {T: 7, C: 25}\n"));
    g_assert_nonnull(strstr(said, "= hint: give other sizes there, or fix fewer\n"));
    g_assert_null(strstr(said, "fix some with"));
}

/* Sizes that are all different: nothing hangs on d and no rule makes it even, only the op
 * refuses an odd one; primes for the others, and three times other ones. */
static void
test_distinct(void)
{
    static const char *const spec =
        "opfig: 1\nname: wide\ndims:\n  B: {is: 1}\n  H: {is: 4}\n  T: {is: 8}\n"
        "  d: {is: 64}\ninputs:\n  x: {shape: [B, H, T, d]}\n"
        "ops:\n  - {id: y, op: rope, in: x, theta: 1e4}\noutputs: [y]\n";
    g_autoptr(FigGraph) graph = load_text(spec, NULL);
    g_autoptr(FigArena) arena = fig_arena_new();
    for (int which = 0; which < 3; which++) {
        const FigSizes *sizes = fig_run_distinct(graph, which, arena);
        g_assert_nonnull(sizes);
        g_assert_cmpint(sizes->dim[3] % 2, ==, 0);
        for (int a = 0; a < 4; a++)
            for (int b = 0; b < a; b++)
                g_assert_cmpint(sizes->dim[a], !=, sizes->dim[b]);
        g_assert_cmpint(sizes->dim[0], >, which > 0 ? 10 : 2);
    }
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/probe/block", test_block);
    g_test_add_func("/probe/spec", test_spec);
    g_test_add_func("/probe/when", test_when);
    g_test_add_func("/probe/range", test_range);
    g_test_add_func("/probe/none", test_none);
    g_test_add_func("/probe/fixed", test_fixed);
    g_test_add_func("/probe/distinct", test_distinct);
    return g_test_run();
}
