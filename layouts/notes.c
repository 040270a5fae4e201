/* SPDX-License-Identifier: MIT
 *
 * Names and shapes of values, each beside an upright piece of its edge: the name on the
 * left, the shape on the right, as near to the writer as there is room; else over or under
 * a level piece. Where the ground has no place for a text, rows move apart; what finds none
 * even so is not drawn, so that what is drawn has one owner.
 */
#include "layouts/draw.h"

#include <math.h>
#include <string.h>

#define STEP 4.0   /* between places that are tried */
#define LONG 90.0  /* a value that runs farther is named again at its reader */
#define TOP 8.2    /* from the upper end of an upright to the first baseline */
#define MORE 7.0   /* what a channel without room for a text grows by */
#define OVER 1.8   /* from a level piece to a text over it */
#define BOTTOM 2.6 /* from the last baseline to its lower end */

/* An upright piece of an edge, on the page. */
typedef struct Upright {
    double x, top, bottom;
    bool last; /* of its way */
} Upright;

typedef struct Notes {
    FigPlan *plan;
    FigGround *ground;
    FigItem *all;
} Notes;

/* ---- places ---- */

/* The upright pieces of a way, those that follow each other straight down as one. */
static void
add_uprights(GArray *uprights, const FigBox *box, const FigPin *pin)
{
    guint first = uprights->len;

    for (guint i = 0; i + 1 < pin->way->len; i++) {
        FigPoint a = g_array_index(pin->way, FigPoint, i),
                 b = g_array_index(pin->way, FigPoint, i + 1);
        Upright upright = {box->x0 + a.x, box->y0 + a.y, box->y0 + b.y, false};
        Upright *before = uprights->len > first
                              ? &g_array_index(uprights, Upright, uprights->len - 1)
                              : NULL;

        if (fabs(a.x - b.x) > 0.05 || b.y - a.y < 0.05)
            continue;
        if (before && fabs(before->x - upright.x) < 0.05 &&
            fabs(before->bottom - upright.top) < 0.05) {
            before->bottom = upright.bottom;
        } else {
            g_array_append_val(uprights, upright);
        }
    }
    if (uprights->len > first)
        g_array_index(uprights, Upright, uprights->len - 1).last = true;
}

static double
text_x(const FigTextBox *text, double x, bool left)
{
    return left ? x - FIG_NOTE_GAP - text->width : x + FIG_NOTE_GAP;
}

static bool
fits(const Notes *notes, const FigTextBox *text, const char *value, double x, double y,
     bool left)
{
    return fig_ground_allows(notes->ground,
                             fig_area_of_text(text, text_x(text, x, left), y), value);
}

static void
draw(const Notes *notes, const FigTextBox *text, const char *value, bool name, double x,
     double y, bool left)
{
    double at = text_x(text, x, left);
    FigItem *item = fig_draw_text(notes->plan, notes->all, name ? "name" : "shape",
                                  text, at, y, name ? FIG_INK_TEXT : FIG_INK_MUTED);

    if (name)
        item->means.name = value;
    else
        item->means.shape = value;
    fig_ground_put(notes->ground, fig_area_of_text(text, at, y));
}

/* ---- one value ---- */

/* Name left and shape right on one baseline; what is missing is no hindrance. */
static bool
try_both(const Notes *notes, const FigNote *note, const char *value, double x, double y)
{
    if (note->name && !fits(notes, note->name, value, x, y, true))
        return false;
    if (note->shape && !fits(notes, note->shape, value, x, y, false))
        return false;
    if (note->name)
        draw(notes, note->name, value, true, x, y, true);
    if (note->shape)
        draw(notes, note->shape, value, false, x, y, false);
    return true;
}

/* One of them, on the side it likes or on the other. */
static bool
try_one(const Notes *notes, const FigTextBox *text, const char *value, bool name,
        double x, double y)
{
    for (int other = 0; other < 2; other++) {
        bool left = name != other;

        if (fits(notes, text, value, x, y, left)) {
            draw(notes, text, value, name, x, y, left);
            return true;
        }
    }
    return false;
}

static double
lowest(const Upright *upright)
{
    return upright->bottom - BOTTOM;
}

/* Take from a note what finds a place beside uprights, each by itself. */
static void
place_apart(const Notes *notes, FigNote *note, const char *value,
            const GArray *uprights)
{
    for (guint i = 0; i < uprights->len; i++) {
        const Upright *upright = &g_array_index(uprights, Upright, i);

        for (double y = upright->top + TOP; y <= lowest(upright); y += STEP) {
            if (note->shape && try_one(notes, note->shape, value, false, upright->x, y))
                note->shape = NULL;
            if (note->name && try_one(notes, note->name, value, true, upright->x, y))
                note->name = NULL;
            if (!note->name && !note->shape)
                return;
        }
    }
}

/* Name and shape beside one upright; false: there is none with room for both. */
static bool
place_together(const Notes *notes, const FigNote *note, const char *value,
               const GArray *uprights)
{
    for (guint i = 0; i < uprights->len; i++) {
        const Upright *upright = &g_array_index(uprights, Upright, i);

        for (double y = upright->top + TOP; y <= lowest(upright) + STEP; y += STEP)
            if (try_both(notes, note, value, upright->x, MIN(y, lowest(upright))))
                return true;
    }
    return false;
}

/* Over or under a level piece, as near to its beginning as there is room. */
static bool
try_level(const Notes *notes, const FigTextBox *text, const char *value, bool name,
          FigPoint a, FigPoint b)
{
    double left = MIN(a.x, b.x) + FIG_NOTE_GAP;
    double room = fabs(a.x - b.x) - 2 * FIG_NOTE_GAP - text->width;

    for (double off = 0; off <= room; off += STEP) {
        double x = a.x < b.x ? left + off : left + room - off;
        double lines[] = {a.y - 1.8 - text->ink_bottom, a.y + 1.8 - text->ink_top};

        for (int under = 0; under < 2; under++) {
            FigArea area = fig_area_of_text(text, x, lines[under]);

            if (!fig_ground_allows(notes->ground, area, value))
                continue;
            draw(notes, text, value, name, x - FIG_NOTE_GAP, lines[under], false);
            return true;
        }
    }
    return false;
}

/* Take from a note what finds a place at the level pieces of a way. */
static void
place_level(const Notes *notes, FigNote *note, const char *value, const FigBox *box,
            const GArray *way)
{
    for (guint i = 0; i + 1 < way->len; i++) {
        FigPoint a = g_array_index(way, FigPoint, i),
                 b = g_array_index(way, FigPoint, i + 1);

        if (fabs(a.y - b.y) > 0.05)
            continue;
        a = (FigPoint){box->x0 + a.x, box->y0 + a.y};
        b = (FigPoint){box->x0 + b.x, box->y0 + b.y};
        if (note->name && try_level(notes, note->name, value, true, a, b))
            note->name = NULL;
        if (note->shape && try_level(notes, note->shape, value, false, a, b))
            note->shape = NULL;
    }
}

/* Over the level piece that an edge begins with, near the mark it leaves. */
static void
place_over(const Notes *notes, FigNote *note, const char *value, const FigBox *box,
           const GArray *way)
{
    double x = box->x0 + g_array_index(way, FigPoint, 0).x + FIG_NOTE_GAP;
    double y = box->y0 + g_array_index(way, FigPoint, 0).y - 3.4;
    const FigTextBox **texts[] = {&note->name, &note->shape};

    for (int i = 0; i < 2; i++) {
        const FigTextBox *text = *texts[i];

        if (!text ||
            !fig_ground_allows(notes->ground, fig_area_of_text(text, x, y), value))
            continue;
        draw(notes, text, value, i == 0, x - FIG_NOTE_GAP, y, false);
        *texts[i] = NULL;
        x += text->width + FIG_NOTE_GAP;
    }
}

/* Where a branch of a fork comes to the row under it: one line for all its names. */
static bool
branch_at(const FigBox *box, const FigNode *writer, const GArray *way, FigPoint *where)
{
    int row = writer->rank + 1;
    double top = row < box->n_ranks ? box->row_y[row] - box->row_height[row] / 2 : 0;

    for (guint i = 0; row < box->n_ranks && i + 1 < way->len; i++) {
        FigPoint a = g_array_index(way, FigPoint, i),
                 b = g_array_index(way, FigPoint, i + 1);

        if (fabs(a.x - b.x) < 0.05 && a.y < top - 3 && b.y > top - 3) {
            *where = (FigPoint){box->x0 + b.x, box->y0 + top};
            return true;
        }
    }
    return false;
}

/* Take from a note what finds a place anywhere along a net: first beside its uprights. */
static void
place_along(const Notes *notes, FigNote *note, const char *value, const FigBox *box)
{
    const FigNet *net = fig_box_net(box, value);
    g_autoptr(GArray) uprights = g_array_new(FALSE, FALSE, sizeof(Upright));

    for (guint p = 0; net && p < net->pins->len; p++)
        add_uprights(uprights, box, net->pins->pdata[p]);
    place_apart(notes, note, value, uprights);
    for (guint p = 0; net && p < net->pins->len; p++)
        place_level(notes, note, value, box, ((FigPin *)net->pins->pdata[p])->way);
}

/* A text has found no place: the channel under its writer grows, once a round. */
static void
ask_for_room(const Notes *notes, const FigNode *writer)
{
    const FigBox *box = writer->in;
    double more = (notes->plan->round + 1) * MORE;

    if (box->stack || box->loop || writer->rank < 0 ||
        writer->rank + 1 >= box->n_ranks || box->more[writer->rank] >= more)
        return;
    box->more[writer->rank] = more;
    notes->plan->cramped = true;
}

/* The name again at readers far away. */
static void
name_again(const Notes *notes, const FigNote *note, const char *value,
           const GArray *uprights)
{
    for (guint i = 0; note->name && i < uprights->len; i++) {
        const Upright *upright = &g_array_index(uprights, Upright, i);
        double y = upright->bottom - FIG_HEAD_LENGTH - 5;

        if (upright->last && upright->bottom - upright->top >= LONG &&
            fits(notes, note->name, value, upright->x, y, true))
            draw(notes, note->name, value, true, upright->x, y, true);
    }
}

static void
place_value(const Notes *notes, const FigNote *note, const FigNode *writer)
{
    const FigBox *box = writer->in;
    const char *value = note->value->id;
    const FigNet *net = fig_box_net(box, value);
    const FigPin *first = net && net->pins->len ? net->pins->pdata[0] : NULL;
    g_autoptr(GArray) uprights = g_array_new(FALSE, FALSE, sizeof(Upright));
    FigNote left = *note;
    FigPoint branch;

    for (guint p = 0; net && p < net->pins->len; p++)
        add_uprights(uprights, box, net->pins->pdata[p]);
    if (uprights->len == 0 && first)
        place_over(notes, &left, value, box, first->way);
    else if (uprights->len > 0 &&
             ((note->at_reader && branch_at(box, writer, first->way, &branch) &&
               try_both(notes, note, value, branch.x, branch.y - 6.6)) ||
              place_together(notes, note, value, uprights)))
        left.name = left.shape = NULL;
    /* where it goes on outside, if there is no room inside */
    for (; box && (left.name || left.shape); box = box->parent)
        place_along(notes, &left, value, box);
    if (left.name || left.shape)
        ask_for_room(notes, writer);
    name_again(notes, note, value, uprights);
}

/* On the rail: over the branch, or anywhere along it, or where it goes on. */
static void
place_rail_value(const Notes *notes, const FigNote *note, const FigNode *writer)
{
    const FigBox *box = writer->in;
    const char *value = note->value->id;
    const FigNet *net = fig_box_net(box, value);
    FigNote only_name = {.value = note->value, .name = note->name};
    g_autoptr(GArray) uprights = g_array_new(FALSE, FALSE, sizeof(Upright));
    const bool left = !box->rail_left; /* towards the segments */
    double x = box->x0 + writer->x;

    if (!net || !note->name)
        return;
    for (guint p = 0; p < net->pins->len; p++)
        if (((FigPin *)net->pins->pdata[p])->to->kind == FIG_NODE_OUTPUT)
            return; /* named at its end */
    for (guint p = 0; p < net->pins->len; p++) {
        const FigPin *pin = net->pins->pdata[p];
        double y;

        add_uprights(uprights, box, pin);
        if (!pin->to->box || pin->way->len < 3)
            continue;
        y = box->y0 + g_array_index(pin->way, FigPoint, 1).y - OVER -
            note->name->ink_bottom;
        if (fits(notes, note->name, value, x, y, left)) {
            draw(notes, note->name, value, true, x, y, left);
            return;
        }
    }
    place_apart(notes, &only_name, value, uprights);
    /* where it goes on, if there is no room on the rail */
    for (; box && only_name.name; box = box->parent)
        place_along(notes, &only_name, value, box);
}

static void
place_any(const Notes *notes, const char *value)
{
    const FigNote *note = g_hash_table_lookup(notes->plan->note_of, value);
    const FigNode *writer = g_hash_table_lookup(notes->plan->writer, value);

    if (!note || !writer)
        return;
    if (writer->on_rail)
        place_rail_value(notes, note, writer);
    else if (writer->op)
        place_value(notes, note, writer);
}

void
fig_plan_draw_notes(FigPlan *plan)
{
    const FigRecord *record = plan->record;
    Notes notes = {plan, fig_ground_new(plan),
                   fig_scene_group(plan->scene, NULL, "notes")};

    for (int v = 0; v < record->n_values; v++)
        if (!strcmp(record->values[v].kind, "input"))
            place_any(&notes, record->values[v].id);
    for (guint i = 0; i < plan->order->len; i++) {
        const FigRecordOp *op = plan->order->pdata[i];

        for (int w = 0; w < op->n_writes; w++)
            place_any(&notes, op->writes[w].value);
    }
    fig_ground_free(notes.ground);
}
