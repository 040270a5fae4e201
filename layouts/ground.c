/* SPDX-License-Identifier: MIT
 *
 * The ground: what has been drawn, by where it lies, so that a text can be asked for its
 * place. A place is good when the text lies on nothing, on no border, off the rows of
 * marks that it does not belong to, and when no other value runs near enough to own it.
 */
#include "layouts/grid.h"
#include "layouts/draw.h"

#include <math.h>
#include <string.h>

#define NEAREST 6.0    /* a text belongs to the edge within */
#define CLEAR 0.8      /* around a text */
#define CELL 16.0      /* as wide as a cell for uprights */
#define LONG_CELL 64.0 /* … and how long at least */
#define BORDER 1.0     /* of a panel, to both sides: more than CLEAR */

typedef enum ThingKind {
    THING_INK, /* a text, a dot, a head, a bar: nothing may lie on it */
    THING_MARK,
    THING_LINE, /* a straight piece or a bend of an edge */
    THING_PANEL,
} ThingKind;

typedef struct Thing {
    ThingKind kind;
    FigArea area;
    const char *of; /* LINE: the value; MARK: the only value it gives, or NULL; the id
                       in its FigRecordValue, so that the same is the same pointer */
} Thing;

struct FigGround {
    double width;
    GArray *things;                /* Thing */
    FigGrid level, upright, other; /* indexes of things, by their shape */
};

/* ---- what is drawn ---- */

static const Thing *
thing_at(const FigGround *ground, int i)
{
    return &g_array_index(ground->things, Thing, i);
}

static FigArea
common(FigArea a, FigArea b)
{
    return (FigArea){MAX(a.left, b.left), MAX(a.top, b.top), MIN(a.right, b.right),
                     MIN(a.bottom, b.bottom)};
}

/* Has a cell a line of the same value that covers all of another there? Edges of a value
 * share their ways. */
static bool
is_covered(const FigGround *ground, const FigGrid *grid, int column, int row,
           const Thing *line)
{
    const FigArea cell = {column * grid->wide, row * grid->high,
                          (column + 1) * grid->wide, (row + 1) * grid->high};
    const FigArea area = common(line->area, cell);

    for (int e = fig_grid_first(grid, column, row); e >= 0;
         e = fig_grid_entry(grid, e)->next) {
        const Thing *other = thing_at(ground, fig_grid_entry(grid, e)->what);

        if (other->kind == THING_LINE && other->of == line->of &&
            other->area.left <= area.left && other->area.right >= area.right &&
            other->area.top <= area.top && other->area.bottom >= area.bottom)
            return true;
    }
    return false;
}

/* Enter a thing where a part of it lies. */
static void
put_part(FigGround *ground, FigGrid *grid, FigArea part, int index)
{
    const Thing *thing = thing_at(ground, index);
    int right = fig_grid_column(grid, part.right),
        low = fig_grid_row(grid, part.bottom);

    for (int row = fig_grid_row(grid, part.top); row <= low; row++)
        for (int column = fig_grid_column(grid, part.left); column <= right; column++)
            if (thing->kind != THING_LINE ||
                !is_covered(ground, grid, column, row, thing))
                fig_grid_put(grid, column, row, index);
}

/* Of a panel only the border is of interest: no text lies on it and off its border. */
static void
put_panel(FigGround *ground, FigArea area, int index)
{
    const FigArea sides[] = {
        {area.left - BORDER, area.top - BORDER, area.left + BORDER,
         area.bottom + BORDER},
        {area.right - BORDER, area.top - BORDER, area.right + BORDER,
         area.bottom + BORDER},
    };
    const FigArea ends[] = {
        {area.left - BORDER, area.top - BORDER, area.right + BORDER, area.top + BORDER},
        {area.left - BORDER, area.bottom - BORDER, area.right + BORDER,
         area.bottom + BORDER},
    };

    for (int i = 0; i < 2; i++) {
        put_part(ground, &ground->upright, sides[i], index);
        put_part(ground, &ground->level, ends[i], index);
    }
}

static void
put(FigGround *ground, int index)
{
    const Thing *thing = thing_at(ground, index);
    FigArea area = thing->area;

    if (thing->kind == THING_PANEL)
        put_panel(ground, area, index);
    else if (thing->kind == THING_LINE &&
             area.right - area.left > area.bottom - area.top)
        put_part(ground, &ground->level, area, index);
    else if (thing->kind == THING_LINE)
        put_part(ground, &ground->upright, area, index);
    else
        put_part(ground, &ground->other, area, index);
}

static void
add_line(GArray *things, const FigPath *path, const char *value)
{
    double at[2] = {0, 0};

    for (int v = 0, p = 0; v < path->n_verbs; v++) {
        const double *to;

        p += path->verbs[v] == FIG_CURVE ? 3 : 1;
        to = path->points[p - 1];
        if (path->verbs[v] != FIG_MOVE) {
            const Thing thing = {THING_LINE,
                                 {MIN(at[0], to[0]), MIN(at[1], to[1]),
                                  MAX(at[0], to[0]), MAX(at[1], to[1])},
                                 value};

            g_array_append_val(things, thing);
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

static const char *
own_id(const FigPlan *plan, const char *value)
{
    const FigRecordValue *its = value ? fig_plan_value(plan, value) : NULL;

    return its ? its->id : value;
}

static void
add_item(const FigPlan *plan, GArray *things, const FigItem *item, const FigItem *group)
{
    Thing thing = {THING_INK};

    if (item->kind == FIG_ITEM_GROUP) {
        for (const FigItem *child = item->first; child; child = child->next)
            add_item(plan, things, child, item);
        return;
    }
    if (!strcmp(item->role, "line")) {
        add_line(things, &item->path, own_id(plan, group->means.value));
        return;
    }
    if (!strcmp(item->role, "mark")) {
        thing.kind = THING_MARK;
        thing.of = own_id(plan, only_value(plan, group));
    } else if (!strcmp(item->role, "panel")) {
        thing.kind = THING_PANEL;
    }
    thing.area = !strcmp(item->role, "step") ? area_of_step(plan, item) : area_of(item);
    g_array_append_val(things, thing);
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
    double width = plan->width, height = 1, cells;

    ground->width = plan->width;
    ground->things = g_array_new(FALSE, FALSE, sizeof(Thing));
    add_item(plan, ground->things, plan->scene->root, NULL);
    for (guint i = 0; i < ground->things->len; i++) {
        const Thing *thing = thing_at(ground, (int)i);

        width = MAX(width, thing->area.right);
        height = MAX(height, thing->area.bottom);
    }
    cells = 2 * (double)ground->things->len;
    fig_grid_open(&ground->level, width, height, 0, CELL, LONG_CELL, cells);
    fig_grid_open(&ground->upright, width, height, CELL, 0, LONG_CELL, cells);
    fig_grid_open(&ground->other, width, height, 0, 0, 2 * CELL, cells);
    for (guint i = 0; i < ground->things->len; i++)
        put(ground, (int)i);
    return ground;
}

void
fig_ground_free(FigGround *ground)
{
    fig_grid_close(&ground->level);
    fig_grid_close(&ground->upright);
    fig_grid_close(&ground->other);
    g_array_unref(ground->things);
    g_free(ground);
}

void
fig_ground_put(FigGround *ground, FigArea area)
{
    const Thing thing = {THING_INK, area, NULL};

    g_array_append_val(ground->things, thing);
    put(ground, (int)ground->things->len - 1);
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

/* In place of a value: words of a mark, which may stand near any line. */
static const char near_lines[] = "";

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
        if (thing->of == value || value == near_lines)
            return meet(thing->area, text, CLEAR);
        return meet(thing->area, text, NEAREST + 0.1) &&
               distance(thing->area, text) < NEAREST + 0.1;
    }
    return true;
}

/* What stands nearest to one side of a text on its row. */
typedef struct Nearest {
    FigArea text;
    bool left; /* the side */
    const Thing *thing;
    double gap;
} Nearest;

static void
look_at(Nearest *nearest, const Thing *thing)
{
    FigArea a = thing->area, text = nearest->text;
    double y = (text.top + text.bottom) / 2, gap;

    if (thing->kind == THING_INK || y < a.top - 0.3 || y > a.bottom + 0.3)
        return;
    if (thing->kind == THING_LINE && a.right - a.left > 0.1)
        return;                       /* level or bent: it does not stand between */
    if (thing->kind == THING_PANEL) { /* either of its borders may */
        double near = nearest->left ? text.left - a.left : a.right - text.right;
        double far = nearest->left ? text.left - a.right : a.left - text.right;

        gap = far >= 0 ? far : near;
    } else {
        gap = nearest->left ? text.left - a.right : a.left - text.right;
    }
    if (gap < -0.3 || gap >= nearest->gap)
        return;
    nearest->gap = gap;
    nearest->thing = thing;
}

/* Look through a row of cells, away from the text, as far as something nearer may be. */
static void
look_along(Nearest *nearest, const FigGround *ground, const FigGrid *grid)
{
    FigArea text = nearest->text;
    int row = fig_grid_row(grid, (text.top + text.bottom) / 2);
    int step = nearest->left ? -1 : 1;
    int column =
        fig_grid_column(grid, nearest->left ? text.left + 0.3 : text.right - 0.3);

    for (; column >= 0 && column < grid->columns; column += step) {
        double seen = nearest->left ? text.left - column * grid->wide
                                    : (column + 1) * grid->wide - text.right;

        for (int e = fig_grid_first(grid, column, row); e >= 0;
             e = fig_grid_entry(grid, e)->next)
            look_at(nearest, thing_at(ground, fig_grid_entry(grid, e)->what));
        if (nearest->gap <= seen)
            break;
    }
}

/* The mark on whose row a text lies with nothing between, to one side, or NULL. */
static const Thing *
mark_on_row(const FigGround *ground, FigArea text, bool left, double *gap_out)
{
    Nearest nearest = {text, left, NULL, INFINITY};

    look_along(&nearest, ground, &ground->upright);
    look_along(&nearest, ground, &ground->other);
    *gap_out = nearest.gap;
    return nearest.thing && nearest.thing->kind == THING_MARK ? nearest.thing : NULL;
}

/* Does the text belong to a mark, the nearest on its row, that does not give the value? */
static bool
is_owned(const FigGround *ground, FigArea text, const char *value)
{
    double gap[2];
    const Thing *left = mark_on_row(ground, text, true, &gap[0]);
    const Thing *right = mark_on_row(ground, text, false, &gap[1]);
    const Thing *mark = !left || (right && gap[1] < gap[0] + 1) ? right : left;

    /* about as near to both: to neither, for certain */
    if (left && right && fabs(gap[0] - gap[1]) < 1 && left->of != right->of)
        return true;
    return mark && mark->of != value;
}

/* Is something of a grid in the way? */
static bool
is_taken(const FigGround *ground, const FigGrid *grid, FigArea text, const char *value)
{
    const double more = NEAREST + 1;
    int right = fig_grid_column(grid, text.right + more);
    int low = fig_grid_row(grid, text.bottom + more);

    for (int row = fig_grid_row(grid, text.top - more); row <= low; row++)
        for (int column = fig_grid_column(grid, text.left - more); column <= right;
             column++)
            for (int e = fig_grid_first(grid, column, row); e >= 0;
                 e = fig_grid_entry(grid, e)->next)
                if (is_in_the_way(thing_at(ground, fig_grid_entry(grid, e)->what), text,
                                  value))
                    return true;
    return false;
}

bool
fig_ground_allows(const FigGround *ground, FigArea text, const char *value)
{
    if (text.left < 2 || text.right > ground->width - 2)
        return false;
    return !is_taken(ground, &ground->other, text, value) &&
           !is_taken(ground, &ground->upright, text, value) &&
           !is_taken(ground, &ground->level, text, value) &&
           !is_owned(ground, text, value);
}

bool
fig_ground_beside(const FigGround *ground, FigArea text, FigPoint border)
{
    double gap[2];
    const Thing *left = mark_on_row(ground, text, true, &gap[0]);
    const Thing *right = mark_on_row(ground, text, false, &gap[1]);

    return text.left >= 2 && !is_taken(ground, &ground->other, text, near_lines) &&
           !is_taken(ground, &ground->upright, text, near_lines) &&
           !is_taken(ground, &ground->level, text, near_lines) && right &&
           fabs(right->area.left - border.x) < 0.1 && right->area.top < border.y &&
           right->area.bottom > border.y && (!left || gap[0] > 3 * gap[1]);
}

/* ---- leaders ---- */

#define OFF_INK 1.5   /* from a leader to a text, a dot, a head */
#define OFF_MARK 3.0  /* … to a mark or a frame */
#define OFF_OWN 2.2   /* … to the mark that it leads from */
#define OFF_SIDE 14.0 /* … upright beside a mark */
#define OFF_EDGE 5.0  /* … to an edge that runs as it does, or bends */
#define OFF_END 4.0   /* from a crossing to the ends of what crosses */

/* May a leader pass a thing? 1: it crosses it, 0: it keeps off it, -1: it must not. */
static int
pass(const Thing *thing, FigArea piece, FigPoint from)
{
    FigArea a = thing->area;
    bool level = piece.right - piece.left > piece.bottom - piece.top;
    bool flat = a.bottom - a.top < 0.1, upright = a.right - a.left < 0.1;

    switch (thing->kind) {
    case THING_INK:
        return meet(a, piece, OFF_INK) ? -1 : 0;
    case THING_MARK:
        if (a.left < from.x && a.right > from.x && a.top < from.y && a.bottom > from.y)
            return meet(a, piece, OFF_OWN) ? -1 : 0;
        /* nor between a mark and what is said beside it */
        a.left -= level ? 0 : OFF_SIDE;
        a.right += level ? 0 : OFF_SIDE;
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

/* Is it a line that has been passed already, by another edge of its value? */
static bool
is_passed(const GArray *passed, const Thing *thing)
{
    for (guint i = 0; i < passed->len; i++) {
        const Thing *other = g_array_index(passed, const Thing *, i);

        if (other->of == thing->of && (other->area.left == thing->area.left ||
                                       other->area.top == thing->area.top))
            return true;
    }
    return false;
}

/* Enter what a piece passes in a list; false: something is in its way. */
static bool
find_passed(const FigGround *ground, const FigGrid *grid, FigArea piece, FigPoint from,
            GArray *passed)
{
    const double more = OFF_SIDE + OFF_MARK;
    int right = fig_grid_column(grid, piece.right + more);
    int low = fig_grid_row(grid, piece.bottom + more);

    for (int row = fig_grid_row(grid, piece.top - more); row <= low; row++)
        for (int column = fig_grid_column(grid, piece.left - more); column <= right;
             column++)
            for (int e = fig_grid_first(grid, column, row); e >= 0;
                 e = fig_grid_entry(grid, e)->next) {
                const Thing *thing = thing_at(ground, fig_grid_entry(grid, e)->what);
                int how = pass(thing, piece, from);

                if (how < 0)
                    return false;
                if (how > 0 && !is_passed(passed, thing))
                    g_array_append_val(passed, thing);
            }
    return true;
}

int
fig_ground_crossings(const FigGround *ground, FigArea piece, FigPoint from)
{
    g_autoptr(GArray) passed = g_array_new(FALSE, FALSE, sizeof(const Thing *));

    return find_passed(ground, &ground->other, piece, from, passed) &&
                   find_passed(ground, &ground->upright, piece, from, passed) &&
                   find_passed(ground, &ground->level, piece, from, passed)
               ? (int)passed->len
               : -1;
}
