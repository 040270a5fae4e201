/* SPDX-License-Identifier: MIT
 *
 * The order inside each row: barycentres, swept down and up, the best of all tries by
 * number of crossings, ties always as they were. Operands of an op whose order matters
 * pull apart from left to right.
 *
 * A node that passes many rows stands in each of them, but nothing happens inside: such
 * nodes never cross among themselves (Eiglsperger, Siebenhaller and Kaufmann, "An efficient
 * implementation of Sugiyama's algorithm for layered graph drawing"). From one of its rows
 * to the next leads a *link*. What is linked to the row before comes in its order there,
 * without being sorted; a hop crosses as many links as there are more before one of its
 * ends than before the other.
 */
#include "layouts/arrange.h"

#include <stdlib.h>
#include <string.h>

/* ---- where a hop begins and ends, in units of places ---- */

static double
share(int port, int n)
{
    return 0.9 * (((double)port + 0.5) / (double)n - 0.5);
}

/* From the place of the node it leaves. */
static double
leaves_beside(const FigHop *hop)
{
    const FigNode *a = hop->a;

    if (a->kind == FIG_NODE_OP)
        return share(hop->net->port, a->op->n_writes);
    if (a->kind == FIG_NODE_BOX)
        return share(hop->net->port, (int)a->box->sinks->len);
    return 0;
}

/* From the place of the node it enters. */
static double
enters_beside(const FigHop *hop)
{
    const FigNode *b = hop->b;

    if (b->kind == FIG_NODE_OP && hop->pin && !b->op->commutes)
        return share(hop->pin->port, b->op->n_reads);
    if (b->kind == FIG_NODE_BOX && hop->pin) {
        /* the sources of a laid-out box stand in an order of their own */
        const FigNode *source = b->box->sources->pdata[hop->pin->port];

        return share(source->order, (int)b->box->sources->len);
    }
    return 0;
}

double
fig_hop_leaves_at(const FigHop *hop)
{
    return fig_node_order(hop->a, hop->a->last) + leaves_beside(hop);
}

double
fig_hop_enters_at(const FigHop *hop)
{
    return hop->b->order + enters_beside(hop);
}

/* ---- rows by number ---- */

/* A *stop* is a node in one of its rows; they are numbered. A hop, by its stops: */
typedef struct Step {
    int a, b;
    double leaves, enters;
} Step;

/* Steps at one side of a stop. */
typedef struct Steps {
    const Step *at;
    int n;
} Steps;

/* A row, or some of a row. */
typedef struct Row {
    int *at;
    int n;
} Row;

/* What stands over, or under, the rows. */
typedef struct Side {
    int *link;   /* [stops] the stop a link leads to, or -1 */
    int *before; /* [stops] how many stops with a link stand left of one without */
    int *first;  /* [stops + 1] of its steps */
    Step *steps;
    Row *loose; /* [rows] the stops without a link */
} Side;

typedef struct Rows {
    int n_stops, n_rows;
    int *stop;      /* [nodes] the first of its stops */
    FigNode **node; /* [stops] */
    int *at;        /* [stops] its row, or -1 */
    int *order;     /* [stops] its place there */
    Row *row;
    Side up, down;
    double *weight; /* [stops] for ordering */
} Rows;

static int
by_leaving(const void *left, const void *right)
{
    const FigHop *a = *(FigHop *const *)left, *b = *(FigHop *const *)right;
    int port = a->net->port - b->net->port;

    return port ? port : a->b->index - b->b->index;
}

static int
last_stop(const Rows *rows, const FigNode *node)
{
    return rows->stop[node->index] + node->last - node->rank;
}

static void
open_side(Rows *rows, Side *side, bool down)
{
    int n = rows->n_stops, steps = 0, loose = 0;
    int *places;

    side->link = g_new(int, n + 1);
    side->before = g_new0(int, n + 1);
    side->first = g_new(int, n + 2);
    side->loose = g_new0(Row, rows->n_rows + 1);
    for (int i = 0; i < n; i++) {
        const FigNode *node = rows->node[i];
        bool linked = rows->at[i] != (down ? node->last : node->rank);

        side->link[i] = !linked ? -1 : down ? i + 1 : i - 1;
        side->first[i] = steps;
        steps += linked ? 0 : (int)(down ? node->down : node->up)->len;
        if (!linked && rows->at[i] >= 0) {
            side->loose[rows->at[i]].n++;
            loose++;
        }
    }
    side->first[n] = steps;
    side->steps = g_new(Step, steps + 1);
    places = g_new(int, loose + 1);
    for (int r = 0; r < rows->n_rows; r++) {
        side->loose[r].at = places;
        places += side->loose[r].n;
        side->loose[r].n = 0;
    }
    for (int i = 0; i < n; i++) {
        const GPtrArray *hops = down ? rows->node[i]->down : rows->node[i]->up;
        Row *others = side->loose + MAX(rows->at[i], 0);

        if (side->link[i] >= 0)
            continue;
        for (guint k = 0; k < hops->len; k++) {
            const FigHop *hop = hops->pdata[k];

            side->steps[side->first[i] + (int)k] =
                (Step){last_stop(rows, hop->a), rows->stop[hop->b->index],
                       leaves_beside(hop), enters_beside(hop)};
        }
        if (rows->at[i] >= 0)
            others->at[others->n++] = i;
    }
}

static void
close_side(const Rows *rows, Side *side)
{
    if (rows->n_rows > 0)
        g_free(side->loose[0].at);
    g_free(side->link);
    g_free(side->before);
    g_free(side->first);
    g_free(side->steps);
    g_free(side->loose);
}

static void
open_rows(const FigBox *box, Rows *rows)
{
    int n = 0, *places;

    rows->n_rows = box->n_ranks;
    rows->stop = g_new(int, box->nodes->len + 1);
    for (guint i = 0; i < box->nodes->len; i++) {
        const FigNode *node = box->nodes->pdata[i];

        rows->stop[i] = n;
        n += node->last - node->rank + 1;
        fig_plan_sort(node->down, by_leaving);
    }
    rows->n_stops = n;
    rows->node = g_new(FigNode *, n + 1);
    rows->at = g_new(int, n + 1);
    rows->order = g_new(int, n + 1);
    rows->weight = g_new0(double, n + 1);
    rows->row = g_new0(Row, box->n_ranks + 1);
    for (guint i = 0; i < box->nodes->len; i++) {
        FigNode *node = box->nodes->pdata[i];

        for (int r = node->rank; r <= node->last; r++) {
            int stop = rows->stop[i] + r - node->rank;

            rows->node[stop] = node;
            rows->at[stop] = r;
            rows->order[stop] = -1;
            if (r >= 0)
                rows->row[r].n++;
        }
    }
    places = g_new(int, n + 1);
    for (int r = 0; r < box->n_ranks; r++) {
        rows->row[r].at = places;
        places += rows->row[r].n;
        rows->row[r].n = 0;
    }
    open_side(rows, &rows->up, false);
    open_side(rows, &rows->down, true);
}

static void
close_rows(Rows *rows)
{
    close_side(rows, &rows->up);
    close_side(rows, &rows->down);
    if (rows->n_rows > 0)
        g_free(rows->row[0].at);
    g_free(rows->stop);
    g_free(rows->node);
    g_free(rows->at);
    g_free(rows->order);
    g_free(rows->row);
    g_free(rows->weight);
}

static Steps
steps_of(const Side *side, int stop)
{
    return (Steps){side->steps + side->first[stop],
                   side->first[stop + 1] - side->first[stop]};
}

/* Say of every stop of a row where it stands. */
static void
number(Rows *rows, int r)
{
    const Row row = rows->row[r];
    int up = 0, down = 0;

    for (int i = 0; i < row.n; i++) {
        int node = row.at[i];

        rows->order[node] = i;
        if (rows->up.link[node] >= 0)
            up++;
        else
            rows->up.before[node] = up;
        if (rows->down.link[node] >= 0)
            down++;
        else
            rows->down.before[node] = down;
    }
}

/* ---- crossings ---- */

/* A step by its two places. */
typedef struct Place {
    double above, below;
} Place;

static int
by_place(const void *left, const void *right)
{
    const Place *a = left, *b = right;

    if (a->above != b->above)
        return a->above < b->above ? -1 : 1;
    return (a->below > b->below) - (a->below < b->below);
}

/* The pairs of which the first lies right of the second, counted while merging. */
static long
inversions(double *x, double *spare, guint n)
{
    guint half = n / 2, i = 0, k = half, out = 0;
    long count;

    if (n < 2)
        return 0;
    count = inversions(x, spare, half) + inversions(x + half, spare, n - half);
    while (i < half || k < n) {
        if (k == n || (i < half && x[i] <= x[k])) {
            spare[out++] = x[i++];
        } else {
            count += half - i;
            spare[out++] = x[k++];
        }
    }
    memcpy(x, spare, n * sizeof *x);
    return count;
}

/* Crossings between a row and the next, in n log n of its steps: sorted by where they
 * leave, they cross as often as where they enter is out of order. */
static long
crossings_under(const Rows *rows, int r, GArray *places)
{
    const Row row = rows->down.loose[r];
    g_autofree double *below = NULL, *spare = NULL;
    long count = 0;

    g_array_set_size(places, 0);
    for (int i = 0; i < row.n; i++) {
        Steps down = steps_of(&rows->down, row.at[i]);

        for (int k = 0; k < down.n; k++) {
            const Step *step = &down.at[k];
            Place place = {rows->order[step->a] + step->leaves,
                           rows->order[step->b] + step->enters};

            g_array_append_val(places, place);
            count += abs(rows->down.before[step->a] - rows->up.before[step->b]);
        }
    }
    if (places->len < 2)
        return count;
    g_array_sort(places, by_place);
    below = g_new(double, places->len);
    spare = g_new(double, places->len);
    for (guint i = 0; i < places->len; i++)
        below[i] = g_array_index(places, Place, i).below;
    return count + inversions(below, spare, places->len);
}

static long
crossings(const Rows *rows)
{
    g_autoptr(GArray) places = g_array_new(FALSE, FALSE, sizeof(Place));
    long count = 0;

    for (int r = 0; r + 1 < rows->n_rows; r++)
        count += crossings_under(rows, r, places);
    return count;
}

/* ---- sweeps ---- */

static int
by_weight(const void *left, const void *right, void *data)
{
    const Rows *rows = data;
    int a = *(const int *)left, b = *(const int *)right;

    if (rows->weight[a] != rows->weight[b])
        return rows->weight[a] < rows->weight[b] ? -1 : 1;
    return rows->order[a] - rows->order[b];
}

/* Order a row by the row before it: `side` looks there, `back` looks here from there. */
static void
order_by(Rows *rows, int r, const Row before, const Side *side, const Side *back)
{
    const Row loose = side->loose[r];
    int *out = rows->row[r].at, n = 0, next = 0;

    for (int i = 0; i < loose.n; i++) {
        int node = loose.at[i];
        Steps steps = steps_of(side, node);
        double sum = 0;

        for (int k = 0; k < steps.n; k++) {
            const Step *step = &steps.at[k];

            sum += step->a == node ? rows->order[step->b] + step->enters
                                   : rows->order[step->a] + step->leaves;
        }
        rows->weight[node] = steps.n ? sum / steps.n : rows->order[node];
    }
    if (loose.n > 1)
        g_qsort_with_data(loose.at, loose.n, sizeof *loose.at, by_weight, rows);
    for (int i = 0; i < before.n; i++) {
        int node = back->link[before.at[i]];

        if (node < 0)
            continue;
        while (next < loose.n && (rows->weight[loose.at[next]] < i ||
                                  (rows->weight[loose.at[next]] == i &&
                                   rows->order[loose.at[next]] < rows->order[node])))
            out[n++] = loose.at[next++];
        out[n++] = node;
    }
    while (next < loose.n)
        out[n++] = loose.at[next++];
    number(rows, r);
}

static void
sweep(Rows *rows, bool down)
{
    for (int i = 1; i < rows->n_rows; i++) {
        int r = down ? i : rows->n_rows - 1 - i;

        order_by(rows, r, rows->row[down ? r - 1 : r + 1],
                 down ? &rows->up : &rows->down, down ? &rows->down : &rows->up);
    }
}

static void
restore(Rows *rows, const int *order)
{
    for (int i = 0; i < rows->n_stops; i++) {
        rows->order[i] = order[i];
        if (rows->at[i] >= 0)
            rows->row[rows->at[i]].at[order[i]] = i;
    }
}

/* ---- neighbours ---- */

/* The places that a node is joined to on one side; one place for a link. */
static const double *
joined(const Rows *rows, const Side *side, int node, GArray *places)
{
    Steps steps = steps_of(side, node);

    g_array_set_size(places, 0);
    if (side->link[node] >= 0) {
        double place = rows->order[side->link[node]];

        g_array_append_val(places, place);
    }
    for (int k = 0; k < steps.n; k++) {
        const Step *step = &steps.at[k];
        double place = step->a == node ? rows->order[step->b] + step->enters
                                       : rows->order[step->a] + step->leaves;

        g_array_append_val(places, place);
    }
    return (const double *)places->data;
}

/* How many crossings less there are when two neighbours change places. */
static int
gain(const Rows *rows, int left, int right, GArray *ours, GArray *theirs)
{
    int sum = 0;

    for (int down = 0; down < 2; down++) {
        const Side *side = down ? &rows->down : &rows->up;
        const double *a = joined(rows, side, left, ours);
        const double *b = joined(rows, side, right, theirs);

        for (guint i = 0; i < ours->len; i++)
            for (guint k = 0; k < theirs->len; k++)
                sum += (a[i] > b[k]) - (a[i] < b[k]);
    }
    return sum;
}

/* Do links lead to the rows above and below? Two such never change places. */
static bool
is_inside(const Rows *rows, int node)
{
    return rows->up.link[node] >= 0 && rows->down.link[node] >= 0;
}

/* Swap neighbours while that takes crossings away. */
static void
swap_neighbours(Rows *rows)
{
    g_autoptr(GArray) ours = g_array_new(FALSE, FALSE, sizeof(double));
    g_autoptr(GArray) theirs = g_array_new(FALSE, FALSE, sizeof(double));
    /* by row + 1: it or a row beside it has changed since it was looked at */
    g_autofree bool *changed = g_new(bool, rows->n_rows + 2);
    bool better = true;

    memset(changed, true, rows->n_rows + 2);
    for (int pass = 0; pass < 8 && better; pass++) {
        better = false;
        for (int r = 0; r < rows->n_rows; r++) {
            if (!changed[r + 1])
                continue;
            changed[r + 1] = false;
            for (int i = 0; i + 1 < rows->row[r].n; i++) {
                int *pair = rows->row[r].at + i, left = pair[0], right = pair[1];

                if ((is_inside(rows, left) && is_inside(rows, right)) ||
                    gain(rows, left, right, ours, theirs) <= 0)
                    continue;
                pair[0] = right;
                pair[1] = left;
                rows->order[right] = i;
                rows->order[left] = i + 1;
                changed[r] = changed[r + 1] = changed[r + 2] = better = true;
            }
        }
    }
}

/* ---- the whole ---- */

/* From the sources down, branches as they leave: already without crossings in a tree. */
static void
first_visit(Rows *rows, int stop)
{
    while (stop >= 0) {
        Steps steps = steps_of(&rows->down, stop);
        int link = rows->down.link[stop];
        /* the last branch is gone on with here, so that a chain does not nest */
        int calls = link >= 0 ? steps.n : steps.n - 1;
        Row *row;

        if (rows->order[stop] >= 0 || rows->at[stop] < 0)
            return;
        row = &rows->row[rows->at[stop]];
        rows->order[stop] = row->n;
        row->at[row->n++] = stop;
        for (int k = 0; k < calls; k++)
            first_visit(rows, steps.at[k].b);
        stop = link >= 0 ? link : steps.n ? steps.at[steps.n - 1].b : -1;
    }
}

void
fig_box_sweep(FigBox *box)
{
    Rows rows;
    g_autofree int *best = NULL;
    long least;

    open_rows(box, &rows);
    best = g_new(int, rows.n_stops + 1);
    for (guint i = 0; i < box->nodes->len; i++)
        if (((FigNode *)box->nodes->pdata[i])->up->len == 0)
            first_visit(&rows, rows.stop[i]);
    for (int r = 0; r < rows.n_rows; r++)
        number(&rows, r);
    least = crossings(&rows);
    memcpy(best, rows.order, rows.n_stops * sizeof *best);
    for (int i = 0; i < 12 && least > 0; i++) {
        long now;

        sweep(&rows, i % 2 == 0);
        now = crossings(&rows);
        if (now < least) {
            least = now;
            memcpy(best, rows.order, rows.n_stops * sizeof *best);
        }
    }
    restore(&rows, best);
    swap_neighbours(&rows);
    for (int r = 0; r < rows.n_rows; r++) {
        g_ptr_array_set_size(box->rank[r], 0);
        for (int i = 0; i < rows.row[r].n; i++)
            g_ptr_array_add(box->rank[r], rows.node[rows.row[r].at[i]]);
        fig_box_number(box, r);
    }
    close_rows(&rows);
}
