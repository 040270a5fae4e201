/* SPDX-License-Identifier: MIT
 *
 * The table that a mask of scores [… query key] exposes: who sees whom. The mask's own file
 * says who does, in is_visible.
 */
#ifndef FIG_OPS_VISIBLE_H
#define FIG_OPS_VISIBLE_H

#include "ops/kernel.h"

static bool is_visible(const FigCall *call, int64_t query, int64_t key);

static void
visible_shape(const FigCall *call, FigView *view)
{
    *view = fig_view_dense(NULL, FIG_U8, 2, call->in[0].size + call->in[0].rank - 2);
}

static void
visible_fill(const FigCall *call, FigView *view)
{
    uint8_t *visible = view->data;
    int64_t queries = view->size[0], keys = view->size[1];
    for (int64_t query = 0; query < queries; query++)
        for (int64_t key = 0; key < keys; key++)
            visible[query * keys + key] = is_visible(call, query, key);
}

static const FigExpose exposes[] = {
    {"visible", "[query, key]: 1 where the query sees the key", NULL, visible_shape,
     visible_fill},
    {NULL},
};

#endif
