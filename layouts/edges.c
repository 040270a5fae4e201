/* SPDX-License-Identifier: MIT
 *
 * Edges: the ways of a value through all boxes joined into one line from the border of
 * its writer's mark to that of its reader's, bends rounded, a head at the end, and a dot
 * where one value forks.
 */
#include "layouts/arrange.h"
#include "layouts/draw.h"

#include <math.h>
#include <string.h>

#define NEAR 0.02
#define STRAIGHT 0.06

typedef struct Edge {
    const char *from, *value;
    const char *to; /* "z1.a" */
    const FigNode *reader;
    bool rail;      /* runs down the rail */
    GArray *points; /* FigPoint on the page */
} Edge;

static FigPoint *
point_at(const GArray *points, guint i)
{
    return &g_array_index(points, FigPoint, i);
}

static bool
meet(FigPoint a, FigPoint b)
{
    return fabs(a.x - b.x) < NEAR && fabs(a.y - b.y) < NEAR;
}

/* ---- trace ---- */

/* The points of a way, last first. */
static void
append_backwards(GArray *points, const FigBox *box, const GArray *way)
{
    for (guint i = way->len; i-- > 0;) {
        FigPoint point = g_array_index(way, FigPoint, i);

        point.x += box->x0;
        point.y += box->y0;
        g_array_append_val(points, point);
    }
}

static void
reverse(GArray *points)
{
    for (guint i = 0; i < points->len / 2; i++) {
        FigPoint kept = *point_at(points, i);

        *point_at(points, i) = *point_at(points, points->len - 1 - i);
        *point_at(points, points->len - 1 - i) = kept;
    }
}

static int
source_index(const FigBox *box, const FigNode *source)
{
    for (guint i = 0; i < box->sources->len; i++)
        if (box->sources->pdata[i] == source)
            return (int)i;
    return -1;
}

/* Take out points that are no bends. Boxes are put beside each other with a rounding
 * error: what is all but straight is made so. */
static void
simplify(GArray *points)
{
    guint kept = 1;

    for (guint i = 1; i < points->len; i++) {
        FigPoint before = *point_at(points, kept - 1), now = *point_at(points, i);

        if (fabs(now.x - before.x) < STRAIGHT)
            now.x = before.x;
        if (fabs(now.y - before.y) < STRAIGHT)
            now.y = before.y;
        if (meet(before, now))
            continue;
        if (kept > 1) {
            FigPoint first = *point_at(points, kept - 2);

            if ((first.x == before.x && before.x == now.x) ||
                (first.y == before.y && before.y == now.y))
                kept--;
        }
        *point_at(points, kept++) = now;
    }
    g_array_set_size(points, kept);
}

/* back: the value is what the pass before left; it has another name up to the frame. */
static void
trace(FigPlan *plan, Edge *edge, const char *value, FigNode *reader, int read,
      bool back)
{
    const char *key = back ? fig_loop_key(plan, value) : value;
    const FigNode *at = reader;
    int port = read;
    const FigNode *from = NULL;

    for (;;) {
        const FigBox *box = at->in;
        const FigNet *net = fig_box_net(box, box->loop ? value : key);
        const FigPin *pin = fig_net_pin(net, at, port);

        append_backwards(edge->points, box, pin->way);
        edge->rail =
            edge->rail || (box->stream && reader->on_rail && fig_stack_keeps(box, pin));
        from = net->from;
        port = net->port;
        if (from->kind != FIG_NODE_SOURCE)
            break;
        at = box->node;
        port = source_index(box, from);
    }
    while (from->kind == FIG_NODE_BOX) {
        const FigBox *box = from->box;
        const FigNode *sink = box->sinks->pdata[port];
        const FigNet *net = fig_box_net(box, value);

        append_backwards(edge->points, box, fig_net_pin(net, sink, 0)->way);
        from = net->from;
        port = net->port;
    }
    reverse(edge->points);
    simplify(edge->points);
}

static Edge *
new_edge(FigPlan *plan, GPtrArray *edges, const char *value, FigNode *reader, int read,
         const char *to)
{
    const FigNode *writer = g_hash_table_lookup(plan->writer, value);
    Edge *edge = fig_arena_new0(plan->arena, Edge);

    edge->from = writer->op ? writer->op->id : writer->value;
    edge->value = value;
    edge->to = to;
    edge->reader = reader;
    edge->points = g_array_new(FALSE, FALSE, sizeof(FigPoint));
    trace(plan, edge, value, reader, read,
          reader->op && read < reader->op->n_reads && reader->op->reads[read].later);
    g_ptr_array_add(edges, edge);
    return edge;
}

/* ---- forks ---- */

/* Where two ways of one value part, if that is not on the border they start from. */
static bool
parting(const GArray *a, const GArray *b, FigPoint *where)
{
    guint i = 0;
    FigPoint p, q, r;

    while (i < a->len && i < b->len && meet(*point_at(a, i), *point_at(b, i)))
        i++;
    if (i == 0 || i >= a->len || i >= b->len)
        return false;
    p = *point_at(a, i - 1);
    q = *point_at(a, i);
    r = *point_at(b, i);
    *where = p;
    if (fabs(q.x - p.x) < NEAR && fabs(r.x - p.x) < NEAR &&
        (q.y - p.y) * (r.y - p.y) > 0)
        *where = fabs(q.y - p.y) < fabs(r.y - p.y) ? q : r;
    else if (fabs(q.y - p.y) < NEAR && fabs(r.y - p.y) < NEAR &&
             (q.x - p.x) * (r.x - p.x) > 0)
        *where = fabs(q.x - p.x) < fabs(r.x - p.x) ? q : r;
    return i > 1 || !meet(*where, *point_at(a, 0));
}

typedef struct Fork {
    const char *value;
    FigPoint at;
    bool rail;
} Fork;

static void
add_fork(GArray *forks, guint first, Fork fork)
{
    for (guint f = first; f < forks->len; f++) {
        Fork *other = &g_array_index(forks, Fork, f);

        if (!strcmp(other->value, fork.value) && meet(other->at, fork.at)) {
            other->rail = other->rail || fork.rail;
            return;
        }
    }
    g_array_append_val(forks, fork);
}

/* Edges of one value, in order. */
static GPtrArray *
by_value(const GPtrArray *edges)
{
    GPtrArray *lists =
        g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref);
    g_autoptr(GHashTable) list_of = g_hash_table_new(g_str_hash, g_str_equal);

    for (guint i = 0; i < edges->len; i++) {
        Edge *edge = edges->pdata[i];
        GPtrArray *list = g_hash_table_lookup(list_of, edge->value);

        if (!list) {
            list = g_ptr_array_new();
            g_ptr_array_add(lists, list);
            g_hash_table_insert(list_of, (char *)edge->value, list);
        }
        g_ptr_array_add(list, edge);
    }
    return lists;
}

static GArray *
find_forks(const GPtrArray *edges)
{
    GArray *forks = g_array_new(FALSE, FALSE, sizeof(Fork));
    g_autoptr(GPtrArray) lists = by_value(edges);

    for (guint l = 0; l < lists->len; l++) {
        const GPtrArray *list = lists->pdata[l];
        guint first = forks->len;

        for (guint i = 0; i < list->len; i++)
            for (guint k = i + 1; k < list->len; k++) {
                const Edge *one = list->pdata[i], *two = list->pdata[k];
                Fork fork = {one->value, {0, 0}, one->rail || two->rail};

                if (parting(one->points, two->points, &fork.at))
                    add_fork(forks, first, fork);
            }
    }
    return forks;
}

/* Forks by place, so that a bend is looked up and not searched for. */
static gint64
place_key(FigPoint at)
{
    return (gint64)llround(at.x * 10) * 100000000 + llround(at.y * 10);
}

static bool
is_fork(GHashTable *places, FigPoint at)
{
    for (int dx = -1; dx <= 1; dx++)
        for (int dy = -1; dy <= 1; dy++) {
            gint64 key =
                place_key((FigPoint){at.x + dx * NEAR * 3, at.y + dy * NEAR * 3});
            const Fork *fork = g_hash_table_lookup(places, &key);

            if (fork && meet(fork->at, at))
                return true;
        }
    return false;
}

/* ---- corners ---- */

/* Where edges turn, and how wide all of them can. */
typedef struct Corner Corner;
struct Corner {
    FigPoint at;
    double radius;
    Corner *next; /* in the same cell */
};

static Corner *
corner_at(GHashTable *corners, FigPoint at)
{
    for (int dx = -1; dx <= 1; dx++)
        for (int dy = -1; dy <= 1; dy++) {
            gint64 key =
                place_key((FigPoint){at.x + dx * NEAR * 3, at.y + dy * NEAR * 3});
            Corner *corner = g_hash_table_lookup(corners, &key);

            for (; corner; corner = corner->next)
                if (meet(corner->at, at))
                    return corner;
        }
    return NULL;
}

static double
length(FigPoint a, FigPoint b)
{
    return fabs(a.x - b.x) + fabs(a.y - b.y);
}

/* The bend at a point of an edge by itself. */
static double
radius_at(const GArray *points, guint i)
{
    FigPoint a = *point_at(points, i - 1), b = *point_at(points, i);
    FigPoint c = *point_at(points, i + 1);

    return MIN(FIG_BEND, MIN(length(a, b) / (i > 1 ? 2 : 1),
                             length(b, c) / (i + 2 < points->len ? 2 : 1)));
}

/* Lines that lie on each other have to turn alike: all as the narrowest. */
static GHashTable *
find_corners(FigPlan *plan, const GPtrArray *edges)
{
    GHashTable *corners = g_hash_table_new(g_int64_hash, g_int64_equal);

    for (guint e = 0; e < edges->len; e++) {
        const GArray *points = ((const Edge *)edges->pdata[e])->points;

        for (guint i = 1; i + 1 < points->len; i++) {
            Corner *corner = corner_at(corners, *point_at(points, i));
            gint64 *key;

            if (corner) {
                corner->radius = MIN(corner->radius, radius_at(points, i));
                continue;
            }
            corner = fig_arena_new0(plan->arena, Corner);
            key = fig_arena_new0(plan->arena, gint64);
            *key = place_key(*point_at(points, i));
            *corner = (Corner){*point_at(points, i), radius_at(points, i),
                               g_hash_table_lookup(corners, key)};
            g_hash_table_insert(corners, key, corner);
        }
    }
    return corners;
}

/* ---- draw ---- */

static FigPath
line_path(FigPlan *plan, const GArray *points, GHashTable *forks, GHashTable *corners)
{
    FigPathBuilder *path = fig_path_begin(plan->scene);
    FigPoint first = *point_at(points, 0), last = *point_at(points, points->len - 1);

    fig_path_move(path, first.x, first.y);
    for (guint i = 1; i + 1 < points->len; i++) {
        FigPoint a = *point_at(points, i - 1), b = *point_at(points, i);
        FigPoint c = *point_at(points, i + 1);
        double radius = corner_at(corners, b)->radius;
        FigPoint from = fig_point_towards(b, a, radius),
                 to = fig_point_towards(b, c, radius);
        FigPoint one = fig_point_towards(from, b, radius * 0.5523),
                 two = fig_point_towards(to, b, radius * 0.5523);

        if (is_fork(forks, b) || radius < 0.3) {
            fig_path_line(path, b.x, b.y);
            continue;
        }
        fig_path_line(path, from.x, from.y);
        fig_path_curve(path, one.x, one.y, two.x, two.y, to.x, to.y);
    }
    fig_path_line(path, last.x, last.y);
    return fig_path_end(path);
}

static FigPath
head_path(FigPlan *plan, FigPoint before, FigPoint tip, double scale)
{
    FigPathBuilder *path = fig_path_begin(plan->scene);
    FigPoint back = fig_point_towards(tip, before, FIG_HEAD_LENGTH * scale);
    double dx = (tip.x - back.x) / (FIG_HEAD_LENGTH * scale);
    double dy = (tip.y - back.y) / (FIG_HEAD_LENGTH * scale);
    double half = FIG_HEAD_HALF * scale;

    fig_path_move(path, tip.x, tip.y);
    fig_path_line(path, back.x - dy * half, back.y + dx * half);
    fig_path_line(path, back.x + dy * half, back.y - dx * half);
    fig_path_close(path);
    return fig_path_end(path);
}

/* How far the border of a mark's ink stands out over its outline. */
static double
border(const FigNode *node)
{
    if (!node->op)
        return 0;
    return fig_border_width(node->op->class) / 2;
}

static void
draw_edge(FigPlan *plan, FigItem *parent, Edge *edge, GHashTable *forks,
          GHashTable *corners)
{
    FigItem *group = fig_scene_group(plan->scene, parent, "edge"), *item;
    guint n = edge->points->len;
    FigPoint *last = point_at(edge->points, n - 1),
             before = *point_at(edge->points, n - 2);
    FigInk ink = edge->rail ? FIG_INK_RAIL : FIG_INK_EDGE;
    double scale = edge->rail ? 1.3 : 1;
    FigPoint tip = fig_point_towards(*last, before, border(edge->reader));

    group->means.edge =
        fig_arena_printf(plan->scene->arena, "%s %s", edge->from, edge->to);
    group->means.value = edge->value;
    /* the line ends inside the head, so that the tip stays sharp */
    *last = fig_point_towards(tip, before, FIG_HEAD_LENGTH * scale - 0.8);
    item = fig_scene_path(plan->scene, group, "line",
                          line_path(plan, edge->points, forks, corners));
    item->stroke = ink;
    item->stroke_width = edge->rail ? FIG_RAIL_WIDTH : FIG_EDGE_WIDTH;
    item =
        fig_scene_path(plan->scene, group, "head", head_path(plan, before, tip, scale));
    item->fill = ink;
}

/* ---- dots ---- */

/* The dot of forks so near each other that dots of their own would lie on each other. */
typedef struct Dot {
    Fork fork; /* value, place of the first, rail */
    FigPoint least, most;
} Dot;

static double
dot_radius(const Dot *dot)
{
    return dot->fork.rail ? FIG_DOT_RADIUS * 1.3 : FIG_DOT_RADIUS;
}

/* Amid forks along one line; else on the first, for the middle lies on no line. */
static FigPoint
dot_centre(const Dot *dot)
{
    if (dot->most.x - dot->least.x > NEAR && dot->most.y - dot->least.y > NEAR)
        return dot->fork.at;
    return (FigPoint){(dot->least.x + dot->most.x) / 2,
                      (dot->least.y + dot->most.y) / 2};
}

static bool
overlap(const Dot *one, const Dot *other)
{
    FigPoint a = dot_centre(one), b = dot_centre(other);

    return !strcmp(one->fork.value, other->fork.value) &&
           hypot(a.x - b.x, a.y - b.y) < dot_radius(one) + dot_radius(other);
}

/* Forks of one value follow each other. */
static GArray *
find_dots(const GArray *forks)
{
    GArray *dots = g_array_new(FALSE, FALSE, sizeof(Dot));

    for (guint f = 0; f < forks->len; f++) {
        Fork fork = g_array_index(forks, Fork, f);
        Dot dot = {fork, fork.at, fork.at};

        for (guint d = dots->len; d-- > 0;) {
            const Dot *other = &g_array_index(dots, Dot, d);

            if (strcmp(other->fork.value, fork.value) != 0)
                break;
            if (!overlap(other, &dot))
                continue;
            dot.fork.at = other->fork.at;
            dot.fork.rail = dot.fork.rail || other->fork.rail;
            dot.least = (FigPoint){MIN(dot.least.x, other->least.x),
                                   MIN(dot.least.y, other->least.y)};
            dot.most = (FigPoint){MAX(dot.most.x, other->most.x),
                                  MAX(dot.most.y, other->most.y)};
            g_array_remove_index(dots, d);
            d = dots->len; /* it may reach others now */
        }
        g_array_append_val(dots, dot);
    }
    return dots;
}

static void
draw_dots(FigPlan *plan, FigItem *parent, const GArray *forks)
{
    g_autoptr(GArray) dots = find_dots(forks);

    for (guint d = 0; d < dots->len; d++) {
        const Dot *seen = &g_array_index(dots, Dot, d);
        FigPoint at = dot_centre(seen);
        FigItem *group = fig_scene_group(plan->scene, parent, "fork"), *dot;
        FigPathBuilder *path = fig_path_begin(plan->scene);

        group->means.fork = seen->fork.value;
        fig_path_circle(path, at.x, at.y, dot_radius(seen));
        dot = fig_scene_path(plan->scene, group, "dot", fig_path_end(path));
        dot->fill = seen->fork.rail ? FIG_INK_RAIL : FIG_INK_EDGE;
    }
}

void
fig_plan_draw_edges(FigPlan *plan)
{
    const FigRecord *record = plan->record;
    FigItem *all = fig_scene_group(plan->scene, NULL, "edges");
    g_autoptr(GPtrArray) edges = g_ptr_array_new();
    g_autoptr(GHashTable) places = g_hash_table_new(g_int64_hash, g_int64_equal);
    g_autoptr(GHashTable) corners = NULL;
    GArray *forks;

    for (int i = 0; i < record->n_ops; i++) {
        const FigRecordOp *op = &record->ops[i];
        FigNode *node = g_hash_table_lookup(plan->node_of, op->id);

        for (int r = 0; r < op->n_reads; r++)
            if (fig_plan_is_edge(&op->reads[r]) &&
                g_hash_table_lookup(plan->writer, op->reads[r].value))
                new_edge(
                    plan, edges, op->reads[r].value, node, r,
                    fig_arena_printf(plan->arena, "%s.%s", op->id, op->reads[r].port));
    }
    for (int o = 0; o < record->n_outputs; o++)
        if (g_hash_table_lookup(plan->writer, record->outputs[o]))
            new_edge(plan, edges, record->outputs[o],
                     g_hash_table_lookup(plan->output_of, record->outputs[o]), 0,
                     fig_arena_printf(plan->arena, "output.%s", record->outputs[o]));
    forks = find_forks(edges);
    for (guint f = 0; f < forks->len; f++) {
        Fork *fork = &g_array_index(forks, Fork, f);
        gint64 *key = fig_arena_new0(plan->arena, gint64);

        *key = place_key(fork->at);
        g_hash_table_insert(places, key, fork);
    }
    corners = find_corners(plan, edges);
    /* the rail is heavier and lies on top of what branches from it */
    for (int rail = 0; rail < 2; rail++)
        for (guint i = 0; i < edges->len; i++) {
            Edge *edge = edges->pdata[i];

            if (edge->rail == rail)
                draw_edge(plan, all, edge, places, corners);
        }
    draw_dots(plan, all, forks);
    for (guint i = 0; i < edges->len; i++)
        g_array_unref(((Edge *)edges->pdata[i])->points);
    g_array_unref(forks);
}
