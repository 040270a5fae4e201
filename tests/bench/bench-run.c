/* SPDX-License-Identifier: MIT
 *
 * The forward pass of a block beside its bare matrix products, turn by turn in one process,
 * so that both meet the same machine.
 *
 *   build/tests/bench/bench-run [ROUNDS]      30 rounds of olmo2-block by default
 *
 * The forward pass is timed from the first kernel to the end of the last, with all that the
 * executor does between them; weights are made before. The bare products are calls of BLAS
 * on dense buffers of their own, written out here from the dims.
 */
#include "base/num.h"
#include "exec/run.h"
#include "spec/load.h"

#include <cblas.h>
#include <glib.h>
#include <stdio.h>
#include <stdlib.h>

enum { WARM_UP = 3 };

static double
now(void) /* milliseconds */
{
    return (double)g_get_monotonic_time() / 1000;
}

/* ---- the forward pass ---- */

typedef struct {
    int last;
    double began, ended;
} Clock;

static void
before(int node, FigCall *call, FigView *in, void *data)
{
    Clock *clock = data;
    if (node == 0)
        clock->began = now();
}

static void
after(int node, const FigCall *call, void *data)
{
    Clock *clock = data;
    if (node == clock->last)
        clock->ended = now();
}

/* Milliseconds of one pass; of each op are added to steps [n_nodes]. */
static double
forward(const FigGraph *graph, double **steps, int round, FigDiag *diag)
{
    Clock clock = {.last = graph->n_nodes - 1};
    FigRunHook hook = {before, after, &clock};
    FigRunOptions options = {.numeric = true, .type = FIG_F32, .hook = &hook};
    g_autoptr(FigRun) run = fig_run_new(graph, &options, diag);
    if (!run)
        return -1;
    for (int i = 0; i < graph->n_nodes; i++)
        steps[i][round] = fig_run_step(run, i)->seconds * 1e3;
    return clock.ended - clock.began;
}

/* ---- the bare products ---- */

/* m × k times k × n, `count` of them one behind the other. */
typedef struct {
    int count, m, n, k;
    CBLAS_TRANSPOSE b_form;
    float *a, *b, *y;
} Product;

static float *
numbers(size_t count)
{
    float *buffer = g_new(float, count);
    for (size_t i = 0; i < count; i++)
        buffer[i] = (float)(i % 17) / 8 - 1;
    return buffer;
}

static Product
product(int count, int m, int n, int k, CBLAS_TRANSPOSE b_form)
{
    Product p = {count, m, n, k, b_form, NULL, NULL, NULL};
    p.a = numbers((size_t)count * (size_t)m * (size_t)k);
    p.b = numbers((size_t)count * (size_t)k * (size_t)n);
    p.y = numbers((size_t)count * (size_t)m * (size_t)n);
    return p;
}

static double
multiply(const Product *products, int n_products)
{
    double began = now();
    for (int i = 0; i < n_products; i++) {
        const Product *p = &products[i];
        for (int j = 0; j < p->count; j++)
            cblas_sgemm(CblasRowMajor, CblasNoTrans, p->b_form, p->m, p->n, p->k, 1,
                        p->a + (size_t)j * (size_t)p->m * (size_t)p->k, p->k,
                        p->b + (size_t)j * (size_t)p->k * (size_t)p->n,
                        p->b_form == CblasNoTrans ? p->n : p->k, 0,
                        p->y + (size_t)j * (size_t)p->m * (size_t)p->n, p->n);
    }
    return now() - began;
}

/* ---- the comparison ---- */

static int
compare(const void *a, const void *b)
{
    double p = *(const double *)a, q = *(const double *)b;
    return (p > q) - (p < q);
}

static double
median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof(*values), compare);
    return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

static void
append_row(GString *out, const char *what, double value)
{
    g_string_append_printf(out, "| %s | ", what);
    fig_num_fixed(out, value, 3);
    g_string_append(out, " |\n");
}

static int
size(const FigGraph *graph, const FigSizes *sizes, const char *dim)
{
    return (int)sizes->dim[fig_graph_dim(graph, dim)];
}

static bool
bench(const FigGraph *graph, int rounds, FigDiag *diag)
{
    g_autoptr(FigArena) arena = fig_arena_new();
    const FigSizes *sizes = fig_graph_sizes(graph, NULL, arena, diag);
    if (!sizes)
        return false;
    int rows = size(graph, sizes, "B") * size(graph, sizes, "T");
    int t = size(graph, sizes, "T"), c = size(graph, sizes, "C"),
        h_d = size(graph, sizes, "h_d");
    int f = size(graph, sizes, "h_ff"), q = size(graph, sizes, "H") * h_d;
    int kv = size(graph, sizes, "G") * h_d;
    int heads = size(graph, sizes, "B") * size(graph, sizes, "H");
    const Product products[] = {
        product(1, rows, q + 2 * kv, c, CblasNoTrans), /* q, k, v */
        product(heads, t, t, h_d, CblasTrans),         /* scores */
        product(heads, t, h_d, t, CblasNoTrans),       /* mix */
        product(1, rows, c, q, CblasNoTrans),          /* projection */
        product(1, rows, f, c, CblasNoTrans),          /* gate */
        product(1, rows, f, c, CblasNoTrans),          /* up */
        product(1, rows, c, f, CblasNoTrans),          /* down */
    };

    double *whole = fig_arena_new_array(arena, double, rounds);
    double *bare = fig_arena_new_array(arena, double, rounds);
    double **steps = fig_arena_new_array(arena, double *, graph->n_nodes);
    for (int i = 0; i < graph->n_nodes; i++)
        steps[i] = fig_arena_new_array(arena, double, rounds);
    for (int round = -WARM_UP; round < rounds; round++) {
        int place = MAX(round, 0);
        whole[place] = forward(graph, steps, place, diag);
        if (whole[place] < 0)
            return false;
        bare[place] = multiply(products, G_N_ELEMENTS(products));
    }

    g_autoptr(GString) out = g_string_new(NULL);
    g_string_append_printf(out, "%s, float32, %d rounds, %d threads of BLAS\n\n",
                           graph->name, rounds, openblas_get_num_threads());
    g_string_append(out, "| step | median ms |\n| --- | ---: |\n");
    for (int i = 0; i < graph->n_nodes; i++)
        append_row(out, graph->nodes[i].id, median(steps[i], rounds));
    double forward_ms = median(whole, rounds), bare_ms = median(bare, rounds);
    append_row(out, "**forward pass**", forward_ms);
    append_row(out, "**bare matrix products**", bare_ms);
    append_row(out, "**ratio** (goal: at most 1.3)", forward_ms / bare_ms);
    fputs(out->str, stdout);
    for (size_t i = 0; i < G_N_ELEMENTS(products); i++) {
        g_free(products[i].a);
        g_free(products[i].b);
        g_free(products[i].y);
    }
    return true;
}

int
main(int argc, char **argv)
{
    int64_t rounds = 30;
    if (argc > 2 || (argc == 2 && (!fig_num_read_integer(argv[1], &rounds) ||
                                   rounds < 1 || rounds > 100000))) {
        fputs("usage: bench-run [ROUNDS]\n", stderr);
        return 2;
    }
    g_autoptr(FigDiag) diag = fig_diag_new();
    g_autofree char *path = fig_spec_find("olmo2-block", diag);
    FigLoadOptions none = {0};
    g_autoptr(FigGraph) graph = path ? fig_spec_load(path, &none, diag) : NULL;
    if (graph && bench(graph, (int)rounds, diag))
        return 0;
    g_autoptr(GString) text = g_string_new(NULL);
    fig_diag_print(diag, text, false);
    fputs(text->str, stderr);
    return 1;
}
