/* SPDX-License-Identifier: MIT
 *
 * The ground: what has been drawn, in strips across the page, so that a text can be asked
 * for its place. A place is good when the text lies on nothing, on no border, off the
 * rows of marks that it does not belong to, and when no other value runs near enough to
 * own it.
 */
#include "layouts/plan.h"

#include <math.h>
#include <string.h>

#define STRIP 12.0
#define NEAREST 6.0 /* a text belongs to the edge within */
#define CLEAR 0.8   /* around a text */

typedef enum ThingKind {
    THING_INK, /* a text, a dot, a head, a bar: nothing may lie on it */
    THING_MARK,
    THING_LINE, /* a straight piece or a bend of an edge */
    THING_PANEL,
} ThingKind;

typedef struct Thing {
    ThingKind kind;
    FigArea area;
    const char *of; /* LINE: the value; MARK: the only value it gives, or NULL */
} Thing;

struct FigGround {
    double width;
    GPtrArray *strips; /* GArray of Thing */
};

static GArray *
strip_at(const FigGround *ground, int i)
{
    while ((int)ground->strips->len <= i)
        g_ptr_array_add(ground->strips, g_array_new(FALSE, FALSE, sizeof(Thing)));
    return ground->strips->pdata[i];
}

static int
strip_of(double y)
{
    return (int)MAX(0, floor(y / STRIP));
}

static void
put(FigGround *ground, Thing thing)
{
    for (int i = strip_of(thing.area.top); i <= strip_of(thing.area.bottom); i++)
        g_array_append_val(strip_at(ground, i), thing);
}

static void
put_line(FigGround *ground, const FigPath *path, const char *value)
{
    double at[2] = {0, 0};

    for (int v = 0, p = 0; v < path->n_verbs; v++) {
        const double *to;

        p += path->verbs[v] == FIG_CURVE ? 3 : 1;
        to = path->points[p - 1];
        if (path->verbs[v] != FIG_MOVE) {
            const FigArea area = {MIN(at[0], to[0]), MIN(at[1], to[1]),
                                  MAX(at[0], to[0]), MAX(at[1], to[1])};

            put(ground, (Thing){THING_LINE, area, value});
        }
        memcpy(at, to, sizeof at);
    }
}

static FigArea
area_of(const FigItem *item)
{
    FigArea area = {item->x, item->y, item->x + item->width, item->y + item->height};

    if (item->kind == FIG_ITEM_TEXT)
        return fig_area_of_text(item->text, item->text_x, item->text_y);
    if (item->kind == FIG_ITEM_PATH) {
        area = (FigArea){INFINITY, INFINITY, -INFINITY, -INFINITY};
        for (int i = 0; i < item->path.n_points; i++) {
            area.left = MIN(area.left, item->path.points[i][0]);
            area.right = MAX(area.right, item->path.points[i][0]);
            area.top = MIN(area.top, item->path.points[i][1]);
            area.bottom = MAX(area.bottom, item->path.points[i][1]);
        }
    }
    return area;
}

static const char *
only_value(const FigPlan *plan, const FigItem *group)
{
    const FigRecordOp *op;
    const FigNode *node;

    if (!group->means.op)
        return NULL;
    node = g_hash_table_lookup(plan->node_of, group->means.op);
    op = node->op;
    return op->n_writes == 1 ? op->writes[0].value : NULL;
}

/* A step number takes the room of the widest, so that no place depends on its digits. */
static FigArea
area_of_step(const FigPlan *plan, const FigItem *item)
{
    double right = item->text_x + item->text->width;

    return (FigArea){right - plan->step_width, item->text_y - 0.78 * FIG_TYPE_SMALL,
                     right, item->text_y + 0.3};
}

static void
put_item(const FigPlan *plan, FigGround *ground, const FigItem *item,
         const FigItem *group)
{
    if (item->kind == FIG_ITEM_GROUP) {
        for (const FigItem *child = item->first; child; child = child->next)
            put_item(plan, ground, child, item);
        return;
    }
    if (!strcmp(item->role, "line"))
        put_line(ground, &item->path, group->means.value);
    else if (!strcmp(item->role, "mark"))
        put(ground, (Thing){THING_MARK, area_of(item), only_value(plan, group)});
    else if (!strcmp(item->role, "panel"))
        put(ground, (Thing){THING_PANEL, area_of(item), NULL});
    else if (!strcmp(item->role, "step"))
        put(ground, (Thing){THING_INK, area_of_step(plan, item), NULL});
    else
        put(ground, (Thing){THING_INK, area_of(item), NULL});
}

FigArea
fig_area_of_text(const FigTextBox *text, double x, double y)
{
    return (FigArea){x + text->ink_left, y + text->ink_top, x + text->ink_right,
                     y + text->ink_bottom};
}

FigGround *
fig_ground_new(FigPlan *plan)
{
    FigGround *ground = g_new0(FigGround, 1);

    ground->width = plan->width;
    ground->strips = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
    put_item(plan, ground, plan->scene->root, NULL);
    return ground;
}

void
fig_ground_free(FigGround *ground)
{
    g_ptr_array_unref(ground->strips);
    g_free(ground);
}

void
fig_ground_put(FigGround *ground, FigArea area)
{
    put(ground, (Thing){THING_INK, area, NULL});
}

/* ---- questions ---- */

static bool
meet(FigArea a, FigArea b, double more)
{
    return a.left < b.right + more && b.left < a.right + more &&
           a.top < b.bottom + more && b.top < a.bottom + more;
}

static bool
holds(FigArea outer, FigArea inner)
{
    return inner.left > outer.left + 1 && inner.right < outer.right - 1 &&
           inner.top > outer.top + 1 && inner.bottom < outer.bottom - 1;
}

static double
distance(FigArea a, FigArea b)
{
    return hypot(MAX(MAX(b.left - a.right, a.left - b.right), 0),
                 MAX(MAX(b.top - a.bottom, a.top - b.bottom), 0));
}

/* Does a thing lie in the way, so that the text cannot stand here? */
static bool
is_in_the_way(const Thing *thing, FigArea text, const char *value)
{
    switch (thing->kind) {
    case THING_INK:
    case THING_MARK:
        return meet(thing->area, text, CLEAR);
    case THING_PANEL:
        return meet(thing->area, text, CLEAR) && !holds(thing->area, text);
    case THING_LINE:
        if (!strcmp(thing->of, value))
            return meet(thing->area, text, CLEAR);
        return distance(thing->area, text) < NEAREST + 0.1;
    }
    return true;
}

/* The mark on whose row a text lies with nothing between, to one side, or NULL. */
static const Thing *
mark_on_row(const GArray *strip, FigArea text, bool left, double *gap_out)
{
    double y = (text.top + text.bottom) / 2, least = INFINITY;
    const Thing *next = NULL;

    for (guint i = 0; i < strip->len; i++) {
        const Thing *thing = &g_array_index(strip, Thing, i);
        FigArea a = thing->area;
        double gap;

        if (thing->kind == THING_INK || y < a.top - 0.3 || y > a.bottom + 0.3)
            continue;
        if (thing->kind == THING_LINE && a.right - a.left > 0.1)
            continue;                     /* level or bent: it does not stand between */
        if (thing->kind == THING_PANEL) { /* either of its borders may */
            double near = left ? text.left - a.left : a.right - text.right;
            double far = left ? text.left - a.right : a.left - text.right;

            gap = far >= 0 ? far : near;
        } else {
            gap = left ? text.left - a.right : a.left - text.right;
        }
        if (gap < -0.3 || gap >= least)
            continue;
        least = gap;
        next = thing;
    }
    *gap_out = least;
    return next && next->kind == THING_MARK ? next : NULL;
}

/* Does the text belong to a mark, the nearest on its row, that does not give the value? */
static bool
is_owned(const GArray *strip, FigArea text, const char *value)
{
    double gap[2];
    const Thing *left = mark_on_row(strip, text, true, &gap[0]);
    const Thing *right = mark_on_row(strip, text, false, &gap[1]);
    const Thing *mark = !left || (right && gap[1] < gap[0] + 1) ? right : left;

    /* about as near to both: to neither, for certain */
    if (left && right && fabs(gap[0] - gap[1]) < 1 && left->of != right->of)
        return true;
    return mark && !(mark->of && !strcmp(mark->of, value));
}

bool
fig_ground_allows(const FigGround *ground, FigArea text, const char *value)
{
    if (text.left < 2 || text.right > ground->width - 2)
        return false;
    for (int i = strip_of(text.top - NEAREST - 1);
         i <= strip_of(text.bottom + NEAREST + 1); i++) {
        const GArray *strip = strip_at(ground, i);

        for (guint k = 0; k < strip->len; k++)
            if (is_in_the_way(&g_array_index(strip, Thing, k), text, value))
                return false;
    }
    return !is_owned(strip_at(ground, strip_of((text.top + text.bottom) / 2)), text,
                     value);
}

/* ---- leaders ---- */

#define OFF_INK 1.5  /* from a leader to a text, a dot, a head */
#define OFF_MARK 3.0 /* … to a mark or a frame */
#define OFF_EDGE 5.0 /* … to an edge that runs as it does, or bends */
#define OFF_END 4.0  /* from a crossing to the ends of what crosses */

/* May a leader pass a thing? 1: it crosses it, 0: it keeps off it, -1: it must not. */
static int
pass(const Thing *thing, FigArea piece)
{
    FigArea a = thing->area;
    bool level = piece.right - piece.left > piece.bottom - piece.top;
    bool flat = a.bottom - a.top < 0.1, upright = a.right - a.left < 0.1;

    switch (thing->kind) {
    case THING_INK:
        return meet(a, piece, OFF_INK) ? -1 : 0;
    case THING_MARK:
        return meet(a, piece, OFF_MARK) ? -1 : 0;
    case THING_PANEL:
        return meet(a, piece, OFF_MARK) && !holds(a, piece) ? -1 : 0;
    case THING_LINE:
        if (!(level ? upright : flat))
            return meet(a, piece, OFF_EDGE) ? -1 : 0;
        if (!meet(a, piece, OFF_END))
            return 0;
        if (level ? a.left < piece.left + OFF_END || a.left > piece.right - OFF_END ||
                        a.top > piece.top - OFF_END || a.bottom < piece.top + OFF_END
                  : a.top < piece.top + OFF_END || a.top > piece.bottom - OFF_END ||
                        a.left > piece.left - OFF_END || a.right < piece.left + OFF_END)
            return -1;
        return 1;
    }
    return -1;
}

int
fig_ground_crossings(const FigGround *ground, FigArea piece)
{
    const int from = strip_of(piece.top - NEAREST - 1),
              to = strip_of(piece.bottom + NEAREST + 1);
    int crossings = 0;

    for (int i = from; i <= to; i++) {
        const GArray *strip = strip_at(ground, i);

        for (guint k = 0; k < strip->len; k++) {
            const Thing *thing = &g_array_index(strip, Thing, k);
            int passed = pass(thing, piece);

            if (passed < 0)
                return -1;
            /* counted in the first of its strips that is looked at */
            if (passed > 0 && i == MAX(from, strip_of(thing->area.top)))
                crossings++;
        }
    }
    return crossings;
}
