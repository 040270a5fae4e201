/* SPDX-License-Identifier: MIT
 *
 * From shapes and texts to marks. The key is the step number that stands in or at every
 * mark: a rectangle that holds a number and words is the box of that op, a circle or dot
 * that a number belongs to is its circle or fork. So a figure whose data-* are stripped
 * reads the same, and one whose data-* lie does not deceive.
 */
#include "check/figure-scan.h"

#include "check/places.h"

#include <math.h>
#include <string.h>

static const double DOUBLE_BORDER = 4; /* between the two borders of one box, at most */
static const double LARGEST_DOT = 4;   /* radius */
static const double LARGEST_CIRCLE = 14;
static const double STEP_REACH = 9; /* from the step of a fork to its words */

void
fig_svg_leaves(const FigSvgItem *group, GPtrArray *leaves)
{
    for (const FigSvgItem *item = group->first; item; item = item->next) {
        if (item->kind == FIG_ITEM_GROUP)
            fig_svg_leaves(item, leaves);
        else
            g_ptr_array_add(leaves, (gpointer)item);
    }
}

/* Is there a hint anywhere? */
static bool
has_hints(const FigSvgItem *group)
{
    for (const FigSvgItem *item = group->first; item; item = item->next) {
        for (int h = 0; h < FIG_HINTS; h++)
            if (item->hint[h])
                return true;
        if (has_hints(item))
            return true;
    }
    return false;
}

/* ---- what shapes can be marks ---- */

static double
circle_radius(const FigSvgItem *item)
{
    return fig_svg_circle(item) ? (item->bounds.right - item->bounds.left) / 2 : 0;
}

static bool
is_circle(const FigSvgItem *item)
{
    double radius = circle_radius(item);
    return radius > LARGEST_DOT && radius < LARGEST_CIRCLE && fig_svg_bordered(item);
}

/* A small filled shape without a border: a dot or bar, on which lines begin or part. */
static bool
is_dot(const FigSvgItem *item)
{
    double height = item->bounds.bottom - item->bounds.top;
    bool round = fig_svg_circle(item) && circle_radius(item) <= LARGEST_DOT;
    bool bar = item->kind == FIG_ITEM_RECT && height <= 2 * LARGEST_DOT;
    return (round || bar) && fig_svg_inked(item->look.fill) && !fig_svg_bordered(item);
}

/* Does a text stand in bounds? Its width is only about known, so the first character and
 * the middle decide. */
static bool
stands_in(const FigSvgItem *text, FigBounds b)
{
    FigBounds t = text->bounds;
    double x = (t.left + t.right) / 2, y = (t.top + t.bottom) / 2;
    return t.left > b.left - 0.5 && t.left < b.right && x < b.right && y > b.top &&
           y < b.bottom;
}

/* All that a text may stand in lies there. */
static FigBounds
where_it_stands(const FigSvgItem *text)
{
    FigBounds t = text->bounds;
    return fig_bounds_grow(fig_bounds_point(t.left, (t.top + t.bottom) / 2), 0.5);
}

/* The number that a text is, or 0. */
static int
step_number(const FigSvgItem *text)
{
    int number = 0;
    for (const char *c = text->text; *c; c++) {
        if (!g_ascii_isdigit(*c) || number > 1000000)
            return 0;
        number = number * 10 + (*c - '0');
    }
    return number;
}

/* Does a rectangle hold another bordered shape that is no second border of its own, or the
 * dot of a fork? Then it frames marks and is none. */
static bool
frames(const FigScan *scan, const FigSvgItem *rect)
{
    g_autoptr(GPtrArray) inside = fig_scan_around(scan, rect->bounds);
    for (guint i = 0; i < inside->len; i++) {
        const FigSvgItem *other = inside->pdata[i];
        if (other == rect || !fig_bounds_hold(rect->bounds, other->bounds, 0))
            continue;
        if (is_dot(other) && fig_svg_bordered(rect) && !scan->role[other->order])
            return true;
        if ((other->kind != FIG_ITEM_RECT && !is_circle(other)) ||
            !fig_svg_bordered(other))
            continue;
        if (other->bounds.left - rect->bounds.left > DOUBLE_BORDER ||
            rect->bounds.bottom - other->bounds.bottom > DOUBLE_BORDER)
            return true;
    }
    return false;
}

static FigSeenMark *
add_mark(FigScan *scan, FigSeenKind kind, const FigSvgItem *item)
{
    FigSeenMark *mark = fig_arena_new0(scan->report->arena, FigSeenMark);
    mark->kind = kind;
    mark->number = scan->marks->len;
    mark->item = item;
    mark->same_item = scan->mark_of[item->order];
    mark->bounds = item->bounds;
    scan->mark_of[item->order] = mark;
    g_ptr_array_add(scan->marks, mark);
    scan->role[item->order] = FIG_ROLE_MARK;
    return mark;
}

/* The box around a text: the outermost that holds it. */
static const FigSvgItem *
box_around(const FigScan *scan, const bool *boxes, const FigSvgItem *text)
{
    const FigSvgItem *box = NULL;
    g_autoptr(GPtrArray) around = fig_scan_around(scan, where_it_stands(text));
    for (guint i = 0; i < around->len; i++) {
        const FigSvgItem *rect = around->pdata[i];
        if (boxes[rect->order] && stands_in(text, rect->bounds) &&
            (!box || fig_bounds_hold(rect->bounds, box->bounds, 0)))
            box = rect;
    }
    return box;
}

/* What else is drawn inside marks of a kind, and is no text, is part of them. */
static void
take_decor(FigScan *scan, FigSeenKind kind)
{
    for (guint i = 0; i < scan->leaves->len; i++) {
        const FigSvgItem *item = scan->leaves->pdata[i];
        if (item->kind == FIG_ITEM_TEXT || scan->role[item->order])
            continue;
        const FigBounds corner = fig_bounds_point(item->bounds.left, item->bounds.top);
        g_autoptr(GPtrArray) around = fig_scan_marks_around(scan, corner);
        for (guint m = 0; m < around->len; m++) {
            const FigSeenMark *mark = around->pdata[m];
            if (mark->kind == kind && fig_bounds_hold(mark->bounds, item->bounds, 0))
                scan->role[item->order] = FIG_ROLE_DECOR;
        }
    }
}

/* Boxes: what stands around a number with other words. */
static void
find_boxes(FigScan *scan)
{
    g_autofree bool *boxes = g_new0(bool, scan->leaves->len + 1); /* frame nothing */
    for (guint i = 0; i < scan->leaves->len; i++) {
        const FigSvgItem *rect = scan->leaves->pdata[i];
        boxes[i] = rect->kind == FIG_ITEM_RECT && fig_svg_bordered(rect) &&
                   !frames(scan, rect);
    }
    for (guint i = 0; i < scan->leaves->len; i++) {
        const FigSvgItem *text = scan->leaves->pdata[i];
        if (text->kind != FIG_ITEM_TEXT)
            continue;
        const FigSvgItem *box = box_around(scan, boxes, text);
        if (box && !scan->mark_of[box->order])
            add_mark(scan, FIG_SEEN_BOX, box);
    }
    take_decor(scan, FIG_SEEN_BOX); /* the inner border of two, a corner mark */
}

static void
find_circles(FigScan *scan)
{
    for (guint i = 0; i < scan->leaves->len; i++) {
        const FigSvgItem *item = scan->leaves->pdata[i];
        if (is_circle(item) && !scan->role[item->order])
            add_mark(scan, FIG_SEEN_CIRCLE, item);
    }
    take_decor(scan, FIG_SEEN_CIRCLE); /* the sign, drawn */
}

/* ---- numbers ---- */

/* In which box or circle each text stands, asked for often. */
static void
find_holders(FigScan *scan)
{
    for (guint i = 0; i < scan->leaves->len; i++) {
        const FigSvgItem *text = scan->leaves->pdata[i];
        if (text->kind != FIG_ITEM_TEXT)
            continue;
        g_autoptr(GPtrArray) around =
            fig_scan_marks_around(scan, where_it_stands(text));
        for (guint m = 0; m < around->len && !scan->holder[i]; m++) {
            FigSeenMark *mark = around->pdata[m];
            if (stands_in(text, mark->bounds))
                scan->holder[i] = mark;
        }
    }
}

FigSeenMark *
fig_scan_holder(const FigScan *scan, const FigSvgItem *text)
{
    return scan->holder[text->order];
}

const char *
fig_scan_folded(FigScan *scan, const FigSvgItem *text)
{
    char **folded = &scan->folded[text->order];
    if (!*folded)
        *folded = fig_fold(text->text);
    return *folded;
}

const GPtrArray *
fig_scan_texts(FigScan *scan, const char *words)
{
    g_autofree char *wanted = fig_fold(words);
    if (scan->words)
        return g_hash_table_lookup(scan->words, wanted);
    scan->words = g_hash_table_new_full(g_str_hash, g_str_equal, NULL,
                                        (GDestroyNotify)g_ptr_array_unref);
    for (guint i = 0; i < scan->leaves->len; i++) {
        const FigSvgItem *text = scan->leaves->pdata[i];
        if (text->kind != FIG_ITEM_TEXT)
            continue;
        const char *folded = fig_scan_folded(scan, text);
        GPtrArray *same = g_hash_table_lookup(scan->words, folded);
        if (!same)
            g_hash_table_insert(scan->words, (gpointer)folded,
                                same = g_ptr_array_new());
        g_ptr_array_add(same, (gpointer)text);
    }
    return g_hash_table_lookup(scan->words, wanted);
}

/* The dot or bar that a text belongs to, by its row. */
static const FigSvgItem *
dot_on_row(const FigScan *scan, const FigSvgItem *text, double *gap)
{
    const FigSvgItem *best = NULL;
    g_autoptr(GPtrArray) around = fig_scan_around(scan, fig_row_around(text->bounds));
    *gap = INFINITY;
    for (guint d = 0; d < around->len; d++) {
        const FigSvgItem *dot = around->pdata[d];
        double other = scan->role[dot->order] == FIG_ROLE_DOT
                           ? fig_row_gap(scan, text, dot->bounds, FIG_ROW)
                           : INFINITY;
        if (other < *gap) {
            best = dot;
            *gap = other;
        }
    }
    return best;
}

/* Do words stand right behind a text on its line? */
static bool
words_behind(const FigScan *scan, const FigSvgItem *text)
{
    if (text->n_spans == 0)
        return false;
    double right = text->bounds.right, y = text->spans[0].y;
    g_autoptr(GPtrArray) around =
        fig_scan_around(scan, (FigBounds){right - 2, y - 1, right + STEP_REACH, y + 1});
    for (guint i = 0; i < around->len; i++) {
        const FigSvgItem *other = around->pdata[i];
        double gap = other->bounds.left - right;
        if (other->kind == FIG_ITEM_TEXT && other->n_spans > 0 &&
            fabs(other->spans[0].y - y) < 1 && gap > -2 && gap < STEP_REACH)
            return true;
    }
    return false;
}

/* The step of a fork is the number of such an op, before its words; other numbers, as how
 * often layers run, may stand on the row of a dot as well. */
static bool
is_fork_step(const FigScan *scan, const FigSvgItem *text)
{
    int number = text->kind == FIG_ITEM_TEXT ? step_number(text) : 0;
    return number > 0 && number <= scan->record->n_ops &&
           strcmp(scan->record->ops[number - 1].mark, "fork") == 0 &&
           !fig_scan_holder(scan, text) && words_behind(scan, text);
}

/* Dots are forks of ops where a step belongs to them, else the place where one value is led
 * to several readers. */
static void
find_forks(FigScan *scan)
{
    for (guint i = 0; i < scan->leaves->len; i++) {
        const FigSvgItem *item = scan->leaves->pdata[i];
        if (is_dot(item) && !scan->role[item->order])
            scan->role[item->order] = FIG_ROLE_DOT;
    }
    for (guint i = 0; i < scan->leaves->len; i++) {
        const FigSvgItem *text = scan->leaves->pdata[i];
        double least;
        if (!is_fork_step(scan, text))
            continue;
        const FigSvgItem *best = dot_on_row(scan, text, &least);
        const FigSeenMark *other = fig_scan_row(scan, text, FIG_ROW);
        if (best && (!other || fig_row_gap(scan, text, other->bounds, FIG_ROW) > least))
            add_mark(scan, FIG_SEEN_FORK, best);
    }
}

/* The step of a mark is the number in it, or else the nearest on its row: others there are
 * those of a panel. */
static void
number_marks(FigScan *scan)
{
    g_autofree double *least =
        g_new0(double, scan->marks->len + 1); /* by mark: a gap */
    for (guint i = 0; i < scan->leaves->len; i++) {
        const FigSvgItem *text = scan->leaves->pdata[i];
        int number = text->kind == FIG_ITEM_TEXT ? step_number(text) : 0;
        if (number == 0)
            continue;
        FigSeenMark *mark = fig_scan_holder(scan, text);
        double gap = 0;
        if (!mark) {
            mark = fig_scan_row(scan, text, FIG_ROW);
            gap = mark ? fig_row_gap(scan, text, mark->bounds, FIG_ROW) : 0;
        }
        if (mark && mark->step && number == step_number(mark->step))
            fig_scan_finding(scan, "mark", text->line,
                             g_strdup_printf("the number %d twice at one mark", number),
                             g_strdup("each op ran once and has one mark"));
        if (!mark || (mark->step && gap >= least[mark->number]) ||
            (mark->kind == FIG_SEEN_BOX && !stands_in(text, mark->bounds)))
            continue;
        if (mark->step)
            scan->role[mark->step->order] = FIG_ROLE_UNKNOWN;
        least[mark->number] = gap;
        mark->step = text;
        scan->role[text->order] = FIG_ROLE_STEP;
        mark->op =
            number <= scan->record->n_ops ? &scan->record->ops[number - 1] : NULL;
    }
    for (guint m = scan->marks->len; m-- > 0;) {
        FigSeenMark *mark = scan->marks->pdata[m];
        FigSeenMark **first =
            mark->op ? &scan->op_mark[mark->op - scan->record->ops] : NULL;
        if (!first)
            continue;
        mark->same_op = *first;
        *first = mark;
    }
}

/* ---- paper and panels ---- */

static void
find_frames(FigScan *scan)
{
    for (guint i = 0; i < scan->leaves->len; i++) {
        const FigSvgItem *rect = scan->leaves->pdata[i];
        FigBounds page = {0, 0, scan->svg->width, scan->svg->height};
        if (rect->kind != FIG_ITEM_RECT || scan->role[i])
            continue;
        if (!fig_svg_bordered(rect) && fig_bounds_hold(rect->bounds, page, 0.01)) {
            scan->role[i] = FIG_ROLE_PAPER;
        } else if (frames(scan, rect)) {
            scan->role[i] = FIG_ROLE_PANEL;
            g_ptr_array_add(scan->panels, (gpointer)rect);
        }
    }
}

/* ---- inputs and outputs ---- */

/* What a value is stands on the line of its name as well. */
static void
take_what(FigScan *scan, const FigRecordValue *value, const FigSvgItem *name)
{
    const GPtrArray *texts =
        value->what ? fig_scan_texts(scan, fig_truth_plain(scan->truth, value->what))
                    : NULL;
    for (guint i = 0; texts && i < texts->len; i++) {
        const FigSvgItem *text = texts->pdata[i];
        if (!scan->role[text->order] && text->n_spans > 0 &&
            fabs(text->spans[0].y - name->spans[0].y) < 0.5)
            scan->role[text->order] = FIG_ROLE_TERMINAL;
    }
}

/* A dot or bar with the words on its row: "input z", or "output z" of an output. */
static FigSeenMark *
find_terminal(FigScan *scan, const FigRecordValue *value, FigSeenKind kind)
{
    g_autofree char *words = g_strdup_printf(
        "%s $%s$", kind == FIG_SEEN_INPUT ? "input" : "output", value->label);
    const GPtrArray *texts = fig_scan_texts(scan, fig_truth_plain(scan->truth, words));
    for (guint i = 0; texts && i < texts->len; i++) {
        const FigSvgItem *text = texts->pdata[i];
        double gap;
        const FigSvgItem *dot =
            scan->role[text->order] ? NULL : dot_on_row(scan, text, &gap);
        if (!dot)
            continue;
        FigSeenMark *mark = add_mark(scan, kind, dot);
        g_ptr_array_add(scan->terminals, mark);
        mark->value = value->id;
        mark->label = text;
        scan->role[text->order] = FIG_ROLE_TERMINAL;
        take_what(scan, value, text);
        return mark;
    }
    return NULL;
}

static void
find_terminals(FigScan *scan)
{
    for (int v = 0; v < scan->record->n_values; v++) {
        const FigRecordValue *value = &scan->record->values[v];
        if (strcmp(value->kind, "input") == 0)
            find_terminal(scan, value, FIG_SEEN_INPUT);
        if (value->output)
            scan->output[v] = find_terminal(scan, value, FIG_SEEN_OUTPUT);
    }
}

/* ---- the scan ---- */

FigScan *
fig_scan_new(const FigSvg *svg, FigTruth *truth, FigFigureReport *report)
{
    FigScan *scan = g_new0(FigScan, 1);
    scan->svg = svg;
    scan->truth = truth;
    scan->record = truth->record;
    scan->report = report;
    scan->findings = g_array_new(FALSE, FALSE, sizeof(FigFinding));
    scan->leaves = g_ptr_array_new();
    scan->marks = g_ptr_array_new();
    scan->edges = g_ptr_array_new();
    scan->panels = g_ptr_array_new();
    scan->terminals = g_ptr_array_new();
    scan->role = g_new0(FigRole, svg->n_leaves + 1);
    scan->holder = g_new0(FigSeenMark *, svg->n_leaves + 1);
    scan->folded = g_new0(char *, svg->n_leaves + 1);
    scan->mark_of = g_new0(FigSeenMark *, svg->n_leaves + 1);
    scan->edge_of = g_new0(FigSeenEdge *, svg->n_leaves + 1);
    scan->op_mark = g_new0(FigSeenMark *, scan->record->n_ops + 1);
    scan->output = g_new0(FigSeenMark *, scan->record->n_values + 1);
    fig_svg_leaves(svg->root, scan->leaves);
    fig_scan_place(scan);
    scan->hinted = has_hints(svg->root);
    fig_find_outlines(scan);
    find_boxes(scan);
    find_circles(scan);
    find_holders(scan);
    find_frames(scan);
    find_forks(scan);
    number_marks(scan);
    find_terminals(scan);
    return scan;
}

void
fig_scan_free(FigScan *scan)
{
    if (!scan)
        return;
    g_array_unref(scan->findings);
    g_ptr_array_unref(scan->leaves);
    g_ptr_array_unref(scan->marks);
    g_ptr_array_unref(scan->edges);
    g_ptr_array_unref(scan->panels);
    g_ptr_array_unref(scan->terminals);
    for (int i = 0; i < scan->svg->n_leaves; i++)
        g_free(scan->folded[i]);
    g_free(scan->folded);
    g_free(scan->mark_of);
    g_free(scan->edge_of);
    g_free(scan->op_mark);
    g_free(scan->output);
    g_clear_pointer(&scan->signs, g_hash_table_unref);
    g_clear_pointer(&scan->words, g_hash_table_unref);
    fig_places_free(scan->places);
    g_array_unref(scan->order_of);
    g_free(scan->holder);
    g_free(scan->role);
    g_free(scan);
}

void
fig_scan_finding(FigScan *scan, const char *kind, int line, char *says, char *did)
{
    FigFinding finding = {.kind = kind,
                          .line = line,
                          .says = fig_arena_strdup(scan->report->arena, says),
                          .did = fig_arena_strdup(scan->report->arena, did)};
    g_array_append_val(scan->findings, finding);
    g_free(says);
    g_free(did);
}

char *
fig_hint_words(FigHint hint, const char *value)
{
    return value ? g_strdup_printf("%s=\"%s\"", fig_hint_name(hint), value)
                 : g_strdup_printf("no %s", fig_hint_name(hint));
}

const char *
fig_seen_words(FigScan *scan, const FigSeenMark *mark)
{
    FigArena *arena = scan->report->arena;
    if (!mark)
        return "empty space";
    if (mark->kind == FIG_SEEN_INPUT)
        return fig_arena_printf(arena, "input ‘%s’", mark->value);
    if (mark->kind == FIG_SEEN_OUTPUT)
        return fig_arena_printf(arena, "output ‘%s’", mark->value);
    if (mark->op)
        return fig_arena_printf(arena, "‘%s’", mark->op->id);
    return fig_arena_printf(arena, "a mark without a step (line %d)", mark->item->line);
}

FigSeenMark *
fig_scan_mark(FigScan *scan, const FigRecordOp *op)
{
    FigSeenMark *mark = scan->op_mark[op - scan->record->ops];
    return mark && !mark->same_op ? mark : NULL;
}
