/* SPDX-License-Identifier: MIT
 *
 * Places on a line, as far left as distances allow to begin with. Then single places are
 * moved where they are pulled, and groups of places that press against each other, until
 * nothing moves. What has come to rest is looked at again once a neighbour has moved.
 */
#include "layouts/space.h"

#include "layouts/arrange.h"

#include <math.h>

#define NO_STEP 1e-9 /* a shorter one is none */
#define STILL 1e-3   /* when none is longer, all is still */

/* What names a place: at[first[i]] … at[first[i + 1] - 1]. */
typedef struct Index {
    int *first, *at;
} Index;

typedef struct Space {
    int n, n_apart, n_pull;
    const FigApart *apart;
    const FigPull *pull;
    Index apart_of, pull_of;
    double *x;
    int *group;       /* the first of those that move together */
    int *head, *next; /* the places of each group */
    bool *may_move;   /* by group */
} Space;

/* ---- what names a place ---- */

static void
count(Index *index, int i)
{
    if (i >= 0)
        index->first[i + 1]++;
}

static void
enter(Index *index, int *filled, int i, int what)
{
    if (i >= 0)
        index->at[index->first[i] + filled[i]++] = what;
}

static void
index_places(Space *space)
{
    int n = space->n;
    g_autofree int *aparts = g_new0(int, n + 1), *pulls = g_new0(int, n + 1);
    /* by a, 1 + its last; places stand beside each other in many rows, which all say so */
    g_autofree int *last = g_new0(int, n + 1);
    g_autofree bool *said = g_new(bool, space->n_apart + 1);

    space->apart_of = (Index){g_new0(int, n + 1), g_new(int, 2 * space->n_apart + 1)};
    space->pull_of = (Index){g_new0(int, n + 1), g_new(int, 2 * space->n_pull + 1)};
    for (int i = 0; i < space->n_apart; i++) {
        const FigApart *apart = &space->apart[i];
        const FigApart *before =
            last[apart->a] ? &space->apart[last[apart->a] - 1] : NULL;

        said[i] =
            before && before->b == apart->b && before->distance >= apart->distance;
        if (said[i])
            continue;
        last[apart->a] = i + 1;
        count(&space->apart_of, apart->a);
        count(&space->apart_of, apart->b);
    }
    for (int i = 0; i < space->n_pull; i++) {
        count(&space->pull_of, space->pull[i].a);
        count(&space->pull_of, space->pull[i].b);
    }
    for (int i = 0; i < n; i++) {
        space->apart_of.first[i + 1] += space->apart_of.first[i];
        space->pull_of.first[i + 1] += space->pull_of.first[i];
    }
    for (int i = 0; i < space->n_apart; i++) {
        if (said[i])
            continue;
        enter(&space->apart_of, aparts, space->apart[i].a, i);
        enter(&space->apart_of, aparts, space->apart[i].b, i);
    }
    for (int i = 0; i < space->n_pull; i++) {
        enter(&space->pull_of, pulls, space->pull[i].a, i);
        enter(&space->pull_of, pulls, space->pull[i].b, i);
    }
}

/* ---- first places ---- */

/* As far left as distances allow. No place stands both left and right of another, so they
 * can be taken in an order in which each comes after all on its left. */
static void
first_places(Space *space)
{
    g_autofree int *waits = g_new0(int, space->n + 1),
                   *queue = g_new(int, space->n + 1);
    int ready = 0;

    for (int i = 0; i < space->apart_of.first[space->n]; i++)
        waits[space->apart[space->apart_of.at[i]].b]++; /* of each there are two */
    for (int i = 0; i < space->n; i++) {
        waits[i] /= 2;
        if (!waits[i])
            queue[ready++] = i;
    }
    for (int at = 0; at < ready; at++) {
        int a = queue[at];

        for (int i = space->apart_of.first[a]; i < space->apart_of.first[a + 1]; i++) {
            const FigApart *apart = &space->apart[space->apart_of.at[i]];

            if (apart->a != a)
                continue;
            space->x[apart->b] = MAX(space->x[apart->b], space->x[a] + apart->distance);
            if (--waits[apart->b] == 0)
                queue[ready++] = apart->b;
        }
    }
}

/* ---- steps ---- */

/* How far, and how strongly, the pulls on a place draw it; those from outside its group,
 * or all. */
static void
pulls_on(const Space *space, int place, bool all, double *sum, double *weight)
{
    for (int i = space->pull_of.first[place]; i < space->pull_of.first[place + 1];
         i++) {
        const FigPull *pull = &space->pull[space->pull_of.at[i]];
        double off =
            (pull->b < 0 ? 0 : space->x[pull->b]) - space->x[pull->a] - pull->offset;

        if (!all && pull->b >= 0 && space->group[pull->a] == space->group[pull->b])
            continue;
        *sum += (pull->a == place ? 1 : -1) * pull->weight * off;
        *weight += pull->weight;
    }
}

static double
slack(const Space *space, const FigApart *apart)
{
    return space->x[apart->b] - space->x[apart->a] - apart->distance;
}

/* Cut a step of a place down to what its neighbours outside its group leave. */
static double
allowed(const Space *space, int place, double step)
{
    for (int i = space->apart_of.first[place]; i < space->apart_of.first[place + 1];
         i++) {
        const FigApart *apart = &space->apart[space->apart_of.at[i]];

        if (space->group[apart->a] == space->group[apart->b])
            continue;
        if (apart->a == place)
            step = MIN(step, MAX(0, slack(space, apart)));
        else
            step = MAX(step, -MAX(0, slack(space, apart)));
    }
    return step;
}

/* All that a place is joined to may have to move after it. */
static void
wake_neighbours(Space *space, int place)
{
    for (int i = space->apart_of.first[place]; i < space->apart_of.first[place + 1];
         i++) {
        const FigApart *apart = &space->apart[space->apart_of.at[i]];

        space->may_move[space->group[apart->a]] = true;
        space->may_move[space->group[apart->b]] = true;
    }
    for (int i = space->pull_of.first[place]; i < space->pull_of.first[place + 1];
         i++) {
        const FigPull *pull = &space->pull[space->pull_of.at[i]];

        space->may_move[space->group[pull->a]] = true;
        if (pull->b >= 0)
            space->may_move[space->group[pull->b]] = true;
    }
}

/* List the places of each group. */
static void
list_groups(Space *space)
{
    for (int i = 0; i < space->n; i++) {
        space->head[i] = -1;
        space->may_move[i] = true;
    }
    for (int i = space->n; i-- > 0;) {
        space->next[i] = space->head[space->group[i]];
        space->head[space->group[i]] = i;
    }
}

/* Move each group where it is pulled; the longest step. */
static double
move_groups(Space *space)
{
    double moved = 0;

    for (int g = 0; g < space->n; g++) {
        double sum = 0, weight = 0, step;

        if (!space->may_move[g])
            continue;
        space->may_move[g] = false;
        for (int i = space->head[g]; i >= 0; i = space->next[i])
            pulls_on(space, i, false, &sum, &weight);
        if (weight == 0)
            continue;
        step = sum / weight;
        for (int i = space->head[g]; i >= 0 && step != 0; i = space->next[i])
            step = allowed(space, i, step);
        if (fabs(step) < NO_STEP)
            continue;
        for (int i = space->head[g]; i >= 0; i = space->next[i]) {
            space->x[i] += step;
            wake_neighbours(space, i);
        }
        moved = MAX(moved, fabs(step));
    }
    return moved;
}

/* What touches and is pressed together becomes one group. */
static void
group_pressed(Space *space)
{
    int *group = space->group;
    g_autofree double *force = g_new0(double, space->n + 1);

    for (int i = 0; i < space->n; i++) {
        double weight = 0;

        group[i] = i;
        pulls_on(space, i, true, &force[i], &weight);
    }
    for (int i = 0; i < space->n_apart; i++) {
        const FigApart *apart = &space->apart[i];
        int a = fig_root_of(group, apart->a), b = fig_root_of(group, apart->b);

        if (a != b && slack(space, apart) < STILL && force[a] > force[b] + 1e-9) {
            group[MAX(a, b)] = MIN(a, b);
            force[MIN(a, b)] = force[a] + force[b];
        }
    }
    for (int i = 0; i < space->n; i++)
        group[i] = fig_root_of(group, i);
}

/* ---- the whole ---- */

static void
settle(Space *space)
{
    for (int round = 0; round < 60; round++) {
        double moved = 0;

        for (int i = 0; i < space->n; i++)
            space->group[i] = i;
        list_groups(space);
        for (int pass = 0; pass < 40; pass++)
            if (move_groups(space) < STILL)
                break;
        group_pressed(space);
        list_groups(space);
        for (int pass = 0; pass < 20; pass++) {
            double step = move_groups(space);

            moved = MAX(moved, step);
            if (step < STILL)
                break;
        }
        if (moved < STILL)
            break;
    }
}

double *
fig_space_solve(int n, const GArray *apart, const GArray *pull)
{
    Space space = {
        .n = n,
        .n_apart = (int)apart->len,
        .n_pull = (int)pull->len,
        .apart = (const FigApart *)apart->data,
        .pull = (const FigPull *)pull->data,
        .x = g_new0(double, n + 1),
        .group = g_new(int, n + 1),
        .head = g_new(int, n + 1),
        .next = g_new(int, n + 1),
        .may_move = g_new(bool, n + 1),
    };

    index_places(&space);
    first_places(&space);
    settle(&space);
    g_free(space.apart_of.first);
    g_free(space.apart_of.at);
    g_free(space.pull_of.first);
    g_free(space.pull_of.at);
    g_free(space.group);
    g_free(space.head);
    g_free(space.next);
    g_free(space.may_move);
    return space.x;
}
