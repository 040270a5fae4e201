/* SPDX-License-Identifier: MIT
 *
 * Names and shapes of values, each beside an upright piece of its edge: the name on the
 * left, the shape on the right, as near to the writer as there is room. A text for which
 * the ground has no place is not drawn, so that what is drawn has one owner.
 */
#include "layouts/plan.h"

#include <math.h>
#include <string.h>

#define STEP 4.0   /* between places that are tried */
#define LONG 90.0  /* a value that runs farther is named again at its reader */
#define TOP 8.9    /* from the upper end of an upright to the first baseline */
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

static void
place_apart(const Notes *notes, const FigNote *note, const char *value,
            const GArray *uprights)
{
    bool named = !note->name, shaped = !note->shape;

    for (guint i = 0; i < uprights->len; i++) {
        const Upright *upright = &g_array_index(uprights, Upright, i);

        for (double y = upright->top + TOP; y <= lowest(upright); y += STEP) {
            if (!shaped)
                shaped = try_one(notes, note->shape, value, false, upright->x, y);
            if (!named)
                named = try_one(notes, note->name, value, true, upright->x, y);
            if (named && shaped)
                return;
        }
    }
}

static void
place_note(const Notes *notes, const FigNote *note, const char *value,
           const GArray *uprights)
{
    for (guint i = 0; i < uprights->len; i++) {
        const Upright *upright = &g_array_index(uprights, Upright, i);

        for (double y = upright->top + TOP; y <= lowest(upright) + STEP; y += STEP)
            if (try_both(notes, note, value, upright->x, MIN(y, lowest(upright))))
                return;
    }
    place_apart(notes, note, value, uprights);
}

/* Over the level piece that an edge begins with, near the mark it leaves. */
static void
place_over(const Notes *notes, const FigNote *note, const char *value,
           const FigBox *box, const GArray *way)
{
    double x = box->x0 + g_array_index(way, FigPoint, 0).x + FIG_NOTE_GAP;
    double y = box->y0 + g_array_index(way, FigPoint, 0).y - 3.4;
    const FigTextBox *texts[] = {note->name, note->shape};

    for (int i = 0; i < 2; i++) {
        FigArea area;

        if (!texts[i])
            continue;
        area = fig_area_of_text(texts[i], x, y);
        if (!fig_ground_allows(notes->ground, area, value))
            continue;
        draw(notes, texts[i], value, i == 0, x - FIG_NOTE_GAP, y, false);
        x += texts[i]->width + FIG_NOTE_GAP;
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

static void
place_value(const Notes *notes, const FigNote *note, const FigNode *writer)
{
    const FigBox *box = writer->in;
    const char *value = note->value->id;
    const FigNet *net = fig_box_net(box, value);
    g_autoptr(GArray) uprights = g_array_new(FALSE, FALSE, sizeof(Upright));
    FigPoint branch;

    for (guint p = 0; net && p < net->pins->len; p++)
        add_uprights(uprights, box, net->pins->pdata[p]);
    if (uprights->len > 0) {
        const FigPin *first = net->pins->pdata[0];

        if (!note->at_reader || !branch_at(box, writer, first->way, &branch) ||
            !try_both(notes, note, value, branch.x, branch.y - 6.6))
            place_note(notes, note, value, uprights);
    } else if (net && net->pins->len) {
        place_over(notes, note, value, box, ((FigPin *)net->pins->pdata[0])->way);
    }
    for (guint i = 0; note->name && i < uprights->len; i++) {
        const Upright *upright = &g_array_index(uprights, Upright, i);
        double y = upright->bottom - FIG_HEAD_LENGTH - 5;

        if (upright->last && upright->bottom - upright->top >= LONG &&
            fits(notes, note->name, value, upright->x, y, true))
            draw(notes, note->name, value, true, upright->x, y, true);
    }
}

/* On the rail: beside the branch, or anywhere along it. */
static void
place_rail_value(const Notes *notes, const FigNote *note, const FigNode *writer)
{
    const FigBox *box = writer->in;
    const char *value = note->value->id;
    const FigNet *net = fig_box_net(box, value);
    const FigNote only_name = {.value = note->value, .name = note->name};
    g_autoptr(GArray) uprights = g_array_new(FALSE, FALSE, sizeof(Upright));
    double x = box->x0 + writer->x + 1.2;

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
        y = box->y0 + g_array_index(pin->way, FigPoint, 1).y + 0.362 * FIG_TYPE_LABEL -
            0.4;
        if (fits(notes, note->name, value, x, y, false)) {
            draw(notes, note->name, value, true, x, y, false);
            return;
        }
    }
    place_apart(notes, &only_name, value, uprights);
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
