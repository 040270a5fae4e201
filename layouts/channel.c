/* SPDX-License-Identifier: MIT
 *
 * A channel: the room between two rows, where every net comes down from one place and
 * goes on to one or more. Nets that do not go straight run level on a track of the
 * channel. A run whose place to come from lies over a place where another goes on has to
 * lie above that other, or the two would share a piece; where such demands form a circle,
 * one run is jogged: it goes half of its way on one track and the rest on another, joined
 * by an upright in a column that nobody uses. Among the orders that are left, the one
 * taken crosses little.
 */
#include "layouts/arrange.h"

#include <math.h>

#define SAME 0.05 /* closer is straight */
#define CLEAR                                                                          \
    6.5 /* uprights of different nets that meet in a channel keep this apart */
#define COLUMN 7.0 /* … and this where a jog bends beside one that it crosses */

static void
widen(FigStretch *run, double x)
{
    run->low = MIN(run->low, x);
    run->high = MAX(run->high, x);
}

void
fig_stretch_reach(FigStretch *run, double x)
{
    run->reach = x;
    widen(run, x);
}

void
fig_stretch_to(FigStretch *run, double x)
{
    g_array_append_val(run->to, x);
    widen(run, x);
}

FigStretch *
fig_stretch_new(FigPlan *plan, GPtrArray *runs, const FigNet *net, double from)
{
    FigStretch *run = fig_arena_new0(plan->arena, FigStretch);

    run->net = net;
    run->from = run->reach = run->low = run->high = from;
    run->comes_down = true;
    run->track = run->jog = -1;
    run->to = g_array_new(FALSE, FALSE, sizeof(double));
    g_ptr_array_add(plan->garbage,
                    g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref));
    g_ptr_array_add(plan->garbage->pdata[plan->garbage->len - 1], run->to);
    g_ptr_array_add(runs, run);
    return run;
}

static double
to_at(const FigStretch *run, guint i)
{
    return g_array_index(run->to, double, i);
}

static bool
inside(const FigStretch *run, double x)
{
    return x > run->low - SAME && x < run->high + SAME;
}

/* ---- who lies above whom ---- */

/* Would `above` come down onto where `below` comes from? Then it may not lie above. */
static bool
collides(const FigStretch *above, const FigStretch *below)
{
    for (guint i = 0; below->comes_down && i < above->to->len; i++)
        if (fabs(to_at(above, i) - below->from) < CLEAR)
            return true;
    return false;
}

/* The number of crossings when `above` lies above `below`. */
static int
crossings(const FigStretch *above, const FigStretch *below)
{
    int sum = below->comes_down && inside(above, below->from);

    for (guint i = 0; i < above->to->len; i++)
        sum += inside(below, to_at(above, i));
    return sum;
}

typedef struct Part {
    FigStretch *run;
    bool lower; /* what follows a jog */
    double low, high;
    int track;
} Part;

typedef struct Order {
    GPtrArray *runs; /* those that are not straight */
    int n;
    bool *must;   /* [n][n]: the first lies above the second */
    int *blocked; /* [n]: runs still to come that have to lie above */
    int *score;   /* [n]: crossings more than the other way round */
    bool *placed, *jogged;
    GArray *parts;   /* Part, from the top */
    GArray *columns; /* double: where uprights are */
} Order;

static bool
must(const Order *order, int above, int below)
{
    return order->must[above * order->n + below];
}

static void
place(Order *order, int i)
{
    FigStretch *run = order->runs->pdata[i];
    Part part = {run, order->jogged[i], run->low, run->high, 0};

    if (part.lower) {
        part.low = part.high = run->jog_x;
        for (guint k = 0; k < run->to->len; k++) {
            part.low = MIN(part.low, to_at(run, k));
            part.high = MAX(part.high, to_at(run, k));
        }
    }
    g_array_append_val(order->parts, part);
    order->placed[i] = true;
    for (int k = 0; k < order->n; k++) {
        FigStretch *other = order->runs->pdata[k];

        if (order->placed[k])
            continue;
        order->blocked[k] -= must(order, i, k) && !order->jogged[i];
        if (other->low <= run->high + CLEAR && run->low <= other->high + CLEAR)
            order->score[k] -= crossings(other, run) - crossings(run, other);
    }
}

/* The column nearest to a run's own places that keeps clear of all uprights. */
static double
free_column(const Order *order, const FigStretch *run)
{
    double best = 0, least = INFINITY;
    guint n = order->columns->len;

    for (guint i = 0; i < 2 * n; i++) {
        double x = g_array_index(order->columns, double, i / 2) +
                   (i % 2 ? COLUMN + 0.1 : -COLUMN - 0.1);
        double detour = fabs(x - run->from) + fabs(x - to_at(run, 0));
        bool clear = true;

        for (guint k = 0; k < n && clear; k++)
            clear = fabs(x - g_array_index(order->columns, double, k)) >= COLUMN;
        if (clear && detour < least - 1e-6) {
            least = detour;
            best = x;
        }
    }
    return best;
}

/* Let a run on a circle of demands jog, and place its upper half. */
static void
jog(Order *order)
{
    int best = -1;
    FigStretch *run;
    Part part = {0};

    for (int i = 0; i < order->n; i++) {
        bool blocks = false;

        for (int k = 0; k < order->n; k++)
            blocks = blocks || (!order->placed[k] && must(order, i, k));
        if (!order->placed[i] && !order->jogged[i] && blocks &&
            (best < 0 || order->blocked[i] < order->blocked[best]))
            best = i;
    }
    run = order->runs->pdata[best];
    run->jog_x = free_column(order, run);
    g_array_append_val(order->columns, run->jog_x);
    part =
        (Part){run, false, MIN(run->from, run->jog_x), MAX(run->from, run->jog_x), 0};
    part.low = MIN(part.low, run->reach);
    part.high = MAX(part.high, run->reach);
    g_array_append_val(order->parts, part);
    widen(run, run->jog_x);
    order->jogged[best] = true;
    for (int k = 0; k < order->n; k++)
        order->blocked[k] -= must(order, best, k);
}

static void
find_order(Order *order)
{
    for (int done = 0; done < order->n;) {
        int best = -1, lowest = G_MAXINT;

        for (int i = 0; i < order->n; i++)
            if (!order->placed[i])
                lowest = MIN(lowest, ((FigStretch *)order->runs->pdata[i])->level);

        for (int i = 0; i < order->n; i++) {
            const FigStretch *run = order->runs->pdata[i];
            const FigStretch *other = best < 0 ? NULL : order->runs->pdata[best];

            if (order->placed[i] || order->blocked[i] > 0)
                continue;
            if (run->level > lowest)
                continue;
            if (!other || order->score[i] < order->score[best])
                best = i;
        }
        if (best < 0) {
            jog(order);
            continue;
        }
        place(order, best);
        done++;
    }
}

/* ---- tracks ---- */

static int
set_tracks(GArray *parts)
{
    int tracks = 0;

    for (guint i = 0; i < parts->len; i++) {
        Part *part = &g_array_index(parts, Part, i);

        for (guint k = 0; k < i; k++) {
            const Part *other = &g_array_index(parts, Part, k);

            if (other->run == part->run || (other->low < part->high + FIG_GAP_LANE &&
                                            part->low < other->high + FIG_GAP_LANE))
                part->track = MAX(part->track, other->track + 1);
        }
        if (part->lower)
            part->run->jog = part->track;
        else
            part->run->track = part->track;
        tracks = MAX(tracks, part->track + 1);
    }
    return tracks;
}

int
fig_channel(const GPtrArray *runs, const GArray *uprights)
{
    g_autoptr(GPtrArray) bent = g_ptr_array_new();
    Order order = {.runs = bent};
    int tracks;

    order.columns = g_array_new(FALSE, FALSE, sizeof(double));
    for (guint i = 0; i < runs->len; i++) {
        FigStretch *run = runs->pdata[i];

        run->track = run->jog = -1;
        if (run->high - run->low >= SAME)
            g_ptr_array_add(bent, run);
        g_array_append_val(order.columns, run->from);
        for (guint k = 0; k < run->to->len; k++)
            g_array_append_val(order.columns, g_array_index(run->to, double, k));
    }
    g_array_append_vals(order.columns, uprights->data, uprights->len);
    order.n = (int)bent->len;
    order.must = g_new0(bool, order.n *order.n + 1);
    order.blocked = g_new0(int, order.n + 1);
    order.score = g_new0(int, order.n + 1);
    order.placed = g_new0(bool, order.n + 1);
    order.jogged = g_new0(bool, order.n + 1);
    order.parts = g_array_new(FALSE, FALSE, sizeof(Part));
    for (int i = 0; i < order.n; i++)
        for (int k = 0; k < order.n; k++) {
            const FigStretch *one = bent->pdata[i], *two = bent->pdata[k];

            if (i == k || one->low > two->high + CLEAR || two->low > one->high + CLEAR)
                continue;
            if (collides(two, one)) {
                order.must[i * order.n + k] = true;
                order.blocked[k]++;
            }
            order.score[i] += crossings(one, two) - crossings(two, one);
        }
    find_order(&order);
    tracks = set_tracks(order.parts);
    g_array_unref(order.parts);
    g_array_unref(order.columns);
    g_free(order.must);
    g_free(order.blocked);
    g_free(order.score);
    g_free(order.placed);
    g_free(order.jogged);
    return tracks;
}
