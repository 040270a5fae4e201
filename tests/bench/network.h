/* SPDX-License-Identifier: MIT
 *
 * A record of blocks one under the other, as many as wanted.
 */
#ifndef FIG_TESTS_BENCH_NETWORK_H
#define FIG_TESTS_BENCH_NETWORK_H

#include "tests/layouts/figure.h"

enum { BLOCK_OPS = 10 };

/* A record of so many blocks, each with an attention and a feed-forward sublayer. */
static FigRecord *
network(int blocks)
{
    g_autoptr(GString) weights =
        g_string_new("opfig: 1\nname: network\n"
                     "dims: {B: {is: 1}, T: {is: 8}, C: {is: 16}, F: {is: 64}}\n"
                     "inputs: {n0: {shape: [B, T, C]}}\nweights:\n");
    g_autoptr(GString) ops = g_string_new("ops:\n");

    for (int i = 1; i <= blocks; i++) {
        const int b = i - 1;

        g_string_append_printf(weights,
                               "  Q%d: {shape: [C, C]}\n  K%d: {shape: [C, C]}\n"
                               "  V%d: {shape: [C, C]}\n  U%d: {shape: [C, F]}\n"
                               "  D%d: {shape: [F, C]}\n",
                               i, i, i, i, i);
        g_string_append_printf(ops,
                               "  - group: a%d\n    ops:\n"
                               "      - {id: q%d, op: matmul, in: [n%d, Q%d]}\n"
                               "      - {id: k%d, op: matmul, in: [n%d, K%d]}\n"
                               "      - {id: v%d, op: matmul, in: [n%d, V%d]}\n"
                               "      - {id: s%d, op: matmul, in: [q%d, k%d], "
                               "transpose: b}\n"
                               "      - {id: y%d, op: matmul, in: [s%d, v%d]}\n"
                               "  - {id: m%d, op: add, in: [n%d, y%d]}\n",
                               i, i, b, i, i, b, i, i, b, i, i, i, i, i, i, i, i, b, i);
        g_string_append_printf(ops,
                               "  - group: f%d\n    ops:\n"
                               "      - {id: u%d, op: matmul, in: [m%d, U%d]}\n"
                               "      - {id: g%d, op: silu, in: u%d}\n"
                               "      - {id: d%d, op: matmul, in: [g%d, D%d]}\n"
                               "  - {id: n%d, op: add, in: [m%d, d%d]}\n",
                               i, i, i, i, i, i, i, i, i, i, i, i);
    }
    g_string_append_printf(ops, "outputs: [n%d]\n", blocks);
    g_string_append(weights, ops->str);
    return record_of("network", weights->str, NULL);
}

#endif
