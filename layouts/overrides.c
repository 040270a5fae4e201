/* SPDX-License-Identifier: MIT
 *
 * What a layout file asks for by name: which ops stand on main lines, which stand left of
 * which, which claims stand beside their ops. Names are those of the record; one that is
 * not there is an error at its place in the file.
 */
#include "layouts/arrange.h"

#include <string.h>

/* ---- names ---- */

static void
check_names(const FigPlan *plan, const FigStyleNames *names, bool claims)
{
    const FigRecord *record = plan->record;
    const int n = claims ? record->n_claims : record->n_ops;
    g_autofree const char **known = g_new0(const char *, n + 1);

    for (int i = 0; i < n; i++)
        known[i] = claims ? record->claims[i].id : record->ops[i].id;
    for (int i = 0; i < names->n; i++) {
        FigMessage *message;

        if (g_strv_contains(known, names->name[i].id))
            continue;
        message =
            fig_diag_error(plan->diag, names->name[i].span, "‘%s’ has no %s ‘%s’",
                           record->name, claims ? "claim" : "op", names->name[i].id);
        fig_message_suggest(message, names->name[i].id, known);
    }
}

bool
fig_overrides_check(const FigPlan *plan)
{
    int before = fig_diag_errors(plan->diag);

    check_names(plan, &plan->style->lanes, false);
    for (int i = 0; i < plan->style->n_order; i++)
        check_names(plan, &plan->style->order[i], false);
    check_names(plan, &plan->style->accents, true);
    return fig_diag_errors(plan->diag) == before;
}

static bool
is_named(const FigStyleNames *names, const char *id)
{
    for (int i = 0; i < names->n; i++)
        if (!strcmp(names->name[i].id, id))
            return true;
    return false;
}

bool
fig_overrides_accent(const FigStyle *style, const FigRecordClaim *claim)
{
    return !style->some_accents || is_named(&style->accents, claim->id);
}

/* ---- rows ---- */

bool
fig_overrides_lane(const FigPlan *plan, const FigNode *node)
{
    return node->op && is_named(&plan->style->lanes, node->op->id);
}

/* The next node of a branch, which neither parts nor joins there, or NULL. */
static FigNode *
next_of(const FigNode *node, bool down)
{
    const GPtrArray *ours = down ? node->down : node->up;
    FigNode *other;

    if (ours->len != 1)
        return NULL;
    other = down ? ((FigHop *)ours->pdata[0])->b : ((FigHop *)ours->pdata[0])->a;
    return (down ? other->up : other->down)->len == 1 ? other : NULL;
}

/* A branch: the nodes of a chain by their rows. */
static void
find_branch(FigNode *node, FigNode **branch)
{
    branch[node->rank] = node;
    for (int down = 0; down < 2; down++)
        for (FigNode *at = next_of(node, down); at; at = next_of(at, down))
            for (int r = at->rank; r <= at->last; r++)
                branch[r] = at;
}

/* Nodes of one row change their places among themselves, so that they stand as listed. */
static void
order_row(GPtrArray *rank, FigNode *const *listed, int n)
{
    int given = 0;

    for (guint i = 0; i < rank->len && given < n; i++)
        for (int k = 0; k < n; k++)
            if (rank->pdata[i] == listed[k]) {
                rank->pdata[i] = listed[given++];
                break;
            }
}

static void
order_branches(FigPlan *plan, FigBox *box, const FigStyleNames *names)
{
    g_autofree FigNode ***branch = g_new0(FigNode **, names->n + 1);
    int n = 0;

    for (int i = 0; i < names->n; i++) {
        FigNode *node = g_hash_table_lookup(plan->node_of, names->name[i].id);

        if (!node || node->in != box || node->rank < 0)
            continue;
        branch[n] = fig_arena_new_array(plan->arena, FigNode *, box->n_ranks);
        find_branch(node, branch[n++]);
    }
    for (int r = 0; r < box->n_ranks && n > 1; r++) {
        g_autofree FigNode **listed = g_new0(FigNode *, n);
        int there = 0;

        for (int i = 0; i < n; i++) {
            bool twice = false;

            for (int k = 0; k < there; k++)
                twice = twice || listed[k] == branch[i][r];
            if (branch[i][r] && !twice)
                listed[there++] = branch[i][r];
        }
        order_row(box->rank[r], listed, there);
        fig_box_number(box, r);
    }
}

void
fig_overrides_order(FigPlan *plan, FigBox *box)
{
    for (int i = 0; i < plan->style->n_order; i++)
        order_branches(plan, box, &plan->style->order[i]);
}
