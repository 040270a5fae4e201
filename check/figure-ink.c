/* SPDX-License-Identifier: MIT
 *
 * Ink that is not seen, and ink that says nothing. A mark under a white rectangle, words
 * in the colour of the paper, a number off the page would be read by a program and by
 * nobody else; a line that belongs to no edge would be read by everybody and means
 * nothing.
 */
#include "check/figure-scan.h"

#include "base/num.h"

#include <math.h>
#include <string.h>

static const double LEAST_CONTRAST = 1.7; /* of text with what is under it */
static const double LEAST_SIZE = 3.5;     /* of a character */
static const double LEAST_STROKE = 0.2;   /* width */
static const double MOST_STROKE = 3.5;    /* more could cover something */
static const double GAP = 1.5;            /* between the points of an item looked at */
static const double BAR_REACH = 9;        /* from a bar to the words it stands at */
static const double UNKNOWN_WIDTH = 0.2;  /* of a text: in wide faces it is longer */

enum { MOST_SAMPLES = 3000 }; /* of an item: more is no page of ours */

/* ---- what is under a point ---- */

static bool
can_cover(const FigSvgItem *item)
{
    return item->kind != FIG_ITEM_TEXT && fig_svg_inked(item->look.fill);
}

/* Does a filled item cover a point? */
static bool
covers(const FigScan *scan, const FigSvgItem *item, double x, double y)
{
    FigBounds b = item->bounds;
    if (x <= b.left || x >= b.right || y <= b.top || y >= b.bottom ||
        scan->role[item->order] == FIG_ROLE_OUTLINE)
        return false;
    return item->kind == FIG_ITEM_RECT || fig_inside_path(x, y, &item->path);
}

static double
channel(const char *colour, int i)
{
    char hex[3] = {colour[1 + 2 * i], colour[2 + 2 * i], '\0'};
    double value = (double)g_ascii_strtoull(hex, NULL, 16) / 255;
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4);
}

/* Relative luminance and contrast as WCAG 2 has them. */
static double
luminance(const char *colour)
{
    return 0.2126 * channel(colour, 0) + 0.7152 * channel(colour, 1) +
           0.0722 * channel(colour, 2);
}

static double
contrast(const char *a, const char *b)
{
    double x = luminance(a), y = luminance(b);
    return (MAX(x, y) + 0.05) / (MIN(x, y) + 0.05);
}

static const char *
ground(const FigScan *scan, const FigSvgItem *item, double x, double y)
{
    const char *colour = scan->paper ? scan->paper : "#ffffff";
    g_autoptr(GPtrArray) around = fig_scan_around(scan, fig_bounds_point(x, y));
    for (guint i = 0; i < around->len; i++) {
        const FigSvgItem *under = around->pdata[i];
        if (under->order >= item->order)
            break;
        if (can_cover(under) && covers(scan, under, x, y))
            colour = under->look.fill;
    }
    return colour;
}

/* ---- unseen ---- */

static char *
item_words(const FigSvgItem *item)
{
    if (item->kind == FIG_ITEM_TEXT)
        return g_strdup_printf("‘%s’", item->text);
    return g_strdup(item->kind == FIG_ITEM_RECT ? "a rectangle" : "a path");
}

static void
hidden(FigScan *scan, const FigSvgItem *item, int line, const char *how)
{
    g_autofree char *what = item_words(item);
    const char *op = fig_svg_hint(item, FIG_HINT_OP);
    const char *edge = fig_svg_hint(item, FIG_HINT_EDGE);
    if (op || edge)
        fig_scan_finding(scan, "hidden", line,
                         g_strdup_printf("%s of ‘%s’ %s", what, op ? op : edge, how),
                         g_strdup("what is drawn is to be seen"));
    else
        fig_scan_finding(scan, "hidden", line, g_strdup_printf("%s %s", what, how),
                         g_strdup("what is drawn is to be seen"));
}

/* Points of an item that must stay uncovered, every GAP along its lines, or all over it. */
typedef struct Point {
    double x, y;
} Point;

static void
add_sample(GArray *points, double x, double y)
{
    Point point = {x, y};
    g_array_append_val(points, point);
}

static void
sample_line(GArray *points, const FigPath *path)
{
    const double(*p)[2] = path->points;
    for (int v = 1, at = 0; v < path->n_verbs; v++) {
        if (path->verbs[v] == FIG_CLOSE)
            continue;
        int to = at + (path->verbs[v] == FIG_CURVE ? 3 : 1);
        double length = hypot(p[to][0] - p[at][0], p[to][1] - p[at][1]);
        int least = path->verbs[v] == FIG_CURVE ? 4 : 1;
        int n = path->verbs[v] == FIG_MOVE
                    ? 0
                    : CLAMP((int)(length / GAP), least, MOST_SAMPLES);
        for (int i = 0; i < n; i++) {
            double t = (i + 0.5) / n, on[2] = {p[to][0], p[to][1]};
            if (path->verbs[v] == FIG_CURVE)
                fig_curve_at(&p[at], t, on);
            for (int axis = 0; axis < 2 && path->verbs[v] == FIG_LINE; axis++)
                on[axis] = p[at][axis] + (p[to][axis] - p[at][axis]) * t;
            add_sample(points, on[0], on[1]);
        }
        at = to;
    }
}

/* What is filled or written, by a grid over it. */
static void
sample_area(GArray *points, const FigSvgItem *item)
{
    enum { ROWS = 4, LEAST = 5 };
    FigBounds b = item->bounds;
    int n = CLAMP((int)((b.right - b.left) / GAP), LEAST, MOST_SAMPLES / ROWS);
    for (int row = 0; row < ROWS; row++) {
        for (int i = 0; i < n; i++) {
            double x = b.left + (b.right - b.left) * (i + 0.5) / n;
            double y = b.top + (b.bottom - b.top) * (row + 1) / (ROWS + 1);
            if (item->kind != FIG_ITEM_PATH || fig_inside_path(x, y, &item->path))
                add_sample(points, x, y);
        }
    }
}

static GArray *
samples(const FigSvgItem *item, FigRole role)
{
    GArray *points = g_array_new(FALSE, FALSE, sizeof(Point));
    if (item->kind == FIG_ITEM_PATH && fig_svg_inked(item->look.stroke))
        sample_line(points, &item->path);
    if (item->kind == FIG_ITEM_PATH && !fig_svg_inked(item->look.fill))
        return points;
    if (item->kind == FIG_ITEM_TEXT || role != FIG_ROLE_OUTLINE)
        sample_area(points, item);
    return points;
}

/* Has a dot another colour than what it lies on? */
static bool
shows(const FigScan *scan, const FigSvgItem *dot)
{
    double x = (dot->bounds.left + dot->bounds.right) / 2;
    double y = (dot->bounds.top + dot->bounds.bottom) / 2;
    return contrast(dot->look.fill, ground(scan, dot, x, y)) >= LEAST_CONTRAST;
}

/* May `over` be drawn on `item`? The sign in a circle, the second border in a box, the
 * head on its line, marks in a panel. */
static bool
may_cover(const FigScan *scan, const FigSvgItem *over, const FigSvgItem *item)
{
    FigRole role = scan->role[item->order];
    if (item->kind == FIG_ITEM_TEXT)
        return false;
    if (role == FIG_ROLE_PANEL || role == FIG_ROLE_MARK)
        return fig_bounds_hold(item->bounds, over->bounds, 0.01) &&
               !fig_bounds_hold(over->bounds, item->bounds, -0.5);
    if (role == FIG_ROLE_LINE)
        return scan->role[over->order] == FIG_ROLE_HEAD ||
               (scan->role[over->order] == FIG_ROLE_DOT && shows(scan, over)) ||
               (scan->role[over->order] == FIG_ROLE_MARK && fig_svg_circle(over) &&
                over->bounds.right - over->bounds.left < 8); /* a fork on its lines */
    /* the sign in a swatch of the legend */
    return item->kind == FIG_ITEM_RECT && over->kind == FIG_ITEM_PATH &&
           fig_bounds_hold(item->bounds, over->bounds, -0.5);
}

/* The word across a page of which something does not hold: pale, and under what is read. */
static bool
is_draft(const FigSvgItem *item)
{
    const char *part = fig_svg_hint(item, FIG_HINT_PART);
    return item->kind == FIG_ITEM_TEXT && part && strcmp(part, "draft") == 0 &&
           strcmp(item->text, "DRAFT") == 0;
}

static void
prove_seen(FigScan *scan, const FigSvgItem *item)
{
    FigRole role = scan->role[item->order];
    FigBounds page = {0, 0, scan->svg->width, scan->svg->height};
    if (!fig_bounds_hold(page, item->bounds, item->kind == FIG_ITEM_TEXT ? 12 : 1) &&
        item->bounds.left <= item->bounds.right) {
        hidden(scan, item, item->line, "reaches off the page");
        return;
    }
    if (is_draft(item) || role == FIG_ROLE_PAPER) /* on it lies all the rest */
        return;
    FigBounds grown = fig_bounds_grow(item->bounds, 0.02); /* a line has no height */
    g_autoptr(GArray) points = NULL;
    g_autoptr(GPtrArray) around = fig_scan_around_item(scan, item, 0.02);
    for (guint k = 0; k < around->len; k++) {
        const FigSvgItem *over = around->pdata[k];
        if (over->order <= item->order || !can_cover(over) ||
            !fig_bounds_meet(over->bounds, grown) || may_cover(scan, over, item))
            continue;
        if (!points)
            points = samples(item, role);
        for (guint i = 0; i < points->len; i++) {
            const Point *p = &g_array_index(points, Point, i);
            if (!covers(scan, over, p->x, p->y))
                continue;
            g_autofree char *how =
                g_strdup_printf("is covered by what is drawn in line %d", over->line);
            hidden(scan, item, over->line, how);
            return;
        }
    }
}

/* A root or a superior figure that is only typed (without ink) wants its sign drawn right
 * after the text. */
static void
prove_outlines(FigScan *scan, const FigSvgItem *text)
{
    int wanted = fig_scan_superior(text), outlines = 0;
    for (int i = 0; i < text->n_spans; i++)
        for (const char *c = text->spans[i].text;
             !fig_svg_inked(text->spans[i].look.fill) && (c = strstr(c, "√")); c++)
            wanted++;
    for (guint i = (guint)text->order + 1; i < scan->leaves->len; i++) {
        if (scan->role[i] != FIG_ROLE_OUTLINE)
            break;
        outlines++;
    }
    if (outlines < wanted)
        hidden(scan, text, text->line, "lacks the sign of its root or superscript");
}

static void
prove_text_ink(FigScan *scan, const FigSvgItem *text)
{
    double x = 0, y = text->spans[0].y;
    double from = 0; /* where the span before was placed: x is about known since */
    double level = y;
    bool inked = false;
    prove_outlines(scan, text);
    bool outlined = fig_svg_inked(text->look.stroke);
    for (int i = 0; i < text->n_spans; i++) {
        inked |= fig_svg_inked(text->spans[i].look.fill);
        outlined |= fig_svg_inked(text->spans[i].look.stroke);
    }
    if (!inked) {
        hidden(scan, text, text->line, "has no ink");
        return;
    }
    if (outlined)
        hidden(scan, text, text->line, "is outlined");
    for (int i = 0; i < text->n_spans; i++) {
        const FigSvgSpan *span = &text->spans[i];
        double size = span->look.size;
        bool blank = strspn(span->text, " ") == strlen(span->text);
        if (!fig_svg_inked(span->look.fill)) {
            for (const char *c = span->text; *c; c++) {
                if (g_ascii_isalnum(*c)) {
                    hidden(scan, text, text->line, "has characters without ink");
                    return;
                }
            }
            continue;
        }
        if (size < LEAST_SIZE && !blank) {
            hidden(scan, text, text->line, "is too small to be read");
            return;
        }
        double slack = UNKNOWN_WIDTH * (x - from);
        /* one script over another, which may be longer */
        bool stacked = span->x > from - size / 2 && fabs(span->y - level) > size / 2;
        if (span->placed && i > 0 &&
            (fabs(span->y - y) > 1.5 * text->look.size ||
             (span->x < x - size - slack && !stacked) ||
             span->x > x + 2 * text->look.size + slack)) {
            hidden(scan, text, text->line, "stands in scattered pieces");
            return;
        }
        if (span->placed) {
            x = from = span->x;
            level = span->y;
        }
        const char *under = ground(scan, text, x + size / 4, span->y - size / 4);
        if (!blank && contrast(span->look.fill, under) < LEAST_CONTRAST &&
            !is_draft(text)) {
            hidden(scan, text, text->line, "has the colour of what is under it");
            return;
        }
        x += fig_svg_text_width(span->text, size);
    }
}

/* Is more drawn of a dashed line than left out, or nearly? */
static bool
dash_shows(const char *dash)
{
    g_auto(GStrv) parts = g_strsplit(dash, " ", -1);
    double on = 0, off = 0, number;
    for (int i = 0; parts[i]; i++) {
        if (!fig_num_read_real(parts[i], &number))
            continue;
        *(i % 2 ? &off : &on) += number;
        if (i % 2 && number > 6)
            return false;
    }
    return off <= 2 * on;
}

static void
prove_line_ink(FigScan *scan, const FigSvgItem *item)
{
    FigRole role = scan->role[item->order];
    bool stroked = fig_svg_inked(item->look.stroke);
    const double *first = item->kind == FIG_ITEM_PATH ? item->path.points[0] : NULL;
    const double *last = first ? item->path.points[item->path.n_points > 1] : NULL;

    if (!stroked && !fig_svg_inked(item->look.fill))
        hidden(scan, item, item->line, "has no ink");
    else if (stroked && item->look.stroke_width < LEAST_STROKE)
        hidden(scan, item, item->line, "is too thin to be seen");
    else if (stroked && item->look.stroke_width > MOST_STROKE)
        hidden(scan, item, item->line, "is so thick that it could cover something");
    else if (stroked && !dash_shows(item->look.dash))
        hidden(scan, item, item->line, "is mostly gaps");
    else if ((role == FIG_ROLE_LINE || role == FIG_ROLE_HEAD) && first &&
             contrast(stroked ? item->look.stroke : item->look.fill,
                      ground(scan, item, (first[0] + last[0]) / 2,
                             (first[1] + last[1]) / 2)) < LEAST_CONTRAST)
        hidden(scan, item, item->line, "has the colour of what is under it");
}

/* ---- what stands for nothing ---- */

static FigBounds
drawing(const FigScan *scan)
{
    FigBounds all = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    for (guint i = 0; i < scan->leaves->len; i++) {
        const FigSvgItem *item = scan->leaves->pdata[i];
        if (scan->role[i] != FIG_ROLE_MARK && scan->role[i] != FIG_ROLE_PANEL)
            continue;
        all.left = MIN(all.left, item->bounds.left);
        all.top = MIN(all.top, item->bounds.top);
        all.right = MAX(all.right, item->bounds.right);
        all.bottom = MAX(all.bottom, item->bounds.bottom);
    }
    return all;
}

/* A thin upright bar at the side of words, as callouts have it. */
static bool
is_bar(const FigScan *scan, const FigSvgItem *item)
{
    if (item->bounds.right - item->bounds.left > 3)
        return false;
    const FigBounds near = fig_bounds_grow(item->bounds, BAR_REACH);
    FigBounds wide = near;
    wide.left -= UNKNOWN_WIDTH * scan->widest; /* words may reach farther than known */
    g_autoptr(GPtrArray) around = fig_scan_around(scan, wide);
    for (guint i = 0; i < around->len; i++) {
        const FigSvgItem *text = around->pdata[i];
        FigBounds words = text->bounds;
        words.right += UNKNOWN_WIDTH * (words.right - words.left);
        if (text->kind == FIG_ITEM_TEXT && scan->role[text->order] == FIG_ROLE_WORDS &&
            fig_bounds_meet(near, words))
            return true;
    }
    return false;
}

static void
prove_meaning(FigScan *scan, const FigSvgItem *item, FigBounds area, bool has_fresh)
{
    bool inside = fig_bounds_meet(area, fig_bounds_grow(item->bounds, 0.01));
    if (scan->role[item->order] != FIG_ROLE_UNKNOWN)
        return;
    if (item->kind == FIG_ITEM_TEXT) {
        bool hinted =
            fig_svg_hint(item, FIG_HINT_PART) || fig_svg_hint(item, FIG_HINT_LEGEND) ||
            fig_svg_hint(item, FIG_HINT_PANEL) || fig_svg_hint(item, FIG_HINT_NUMBER);
        if (!has_fresh && !hinted && item->n_spans > 0)
            fig_scan_finding(scan, "text", item->line,
                             g_strdup_printf("‘%s’", item->text),
                             g_strdup("it stands for nothing in the record"));
        return;
    }
    if (is_bar(scan, item)) {
        scan->role[item->order] = FIG_ROLE_DECOR;
        return;
    }
    if (inside)
        fig_scan_finding(scan, "path", item->line,
                         g_strdup(item->kind == FIG_ITEM_RECT ? "a rectangle"
                                  : fig_svg_closed(item)
                                      ? "a filled shape"
                                      : "a line that is no edge of the run"),
                         g_strdup("it stands for nothing in the record"));
}

void
fig_prove_ink(FigScan *scan)
{
    bool has_fresh = scan->truth->drawing != NULL;
    FigBounds area = drawing(scan);
    for (guint i = 0; i < scan->leaves->len; i++)
        prove_meaning(scan, scan->leaves->pdata[i], area, has_fresh);
    for (guint i = 0; i < scan->leaves->len; i++) {
        const FigSvgItem *item = scan->leaves->pdata[i];
        if (item->kind == FIG_ITEM_TEXT && item->n_spans == 0)
            continue;
        prove_seen(scan, item);
        if (item->kind == FIG_ITEM_TEXT)
            prove_text_ink(scan, item);
        else
            prove_line_ink(scan, item);
    }
}
