/* SPDX-License-Identifier: MIT
 *
 * The strip of a repeat: small cells in its title, each kind of passes with its name and
 * number behind the title, then a row of cells, one for each pass or for each of the
 * pattern with how often it comes round. A cell stands for the kind that looks like it.
 */
#include "check/figure-scan.h"

#include <string.h>

static const double LARGEST_CELL = 9; /* width and height */
static const double TITLE = 32;       /* how far into the panel its title reaches */
static const double FAR = 9;          /* from a cell or text to the text behind it */

/* The text right behind something on its line, or NULL. */
static const FigSvgItem *
text_after(const FigScan *scan, const FigSvgItem *item)
{
    const FigSvgItem *next = NULL;
    double y = (item->bounds.top + item->bounds.bottom) / 2, end = item->bounds.right;
    g_autoptr(GPtrArray) around =
        fig_scan_around(scan, (FigBounds){end - 1, y, end + FAR, y});
    for (guint i = 0; i < around->len; i++) {
        const FigSvgItem *other = around->pdata[i];
        double gap = other->bounds.left - item->bounds.right;
        if (other->kind == FIG_ITEM_TEXT && other != item && gap > -1 && gap < FAR &&
            y > other->bounds.top && y < other->bounds.bottom &&
            (!next || other->bounds.left < next->bounds.left))
            next = other;
    }
    return next;
}

static int
by_place(const void *left, const void *right)
{
    const FigSvgItem *a = *(FigSvgItem *const *)left, *b = *(FigSvgItem *const *)right;
    if (a->bounds.bottom < b->bounds.top || b->bounds.bottom < a->bounds.top)
        return a->bounds.top < b->bounds.top ? -1 : 1;
    return (a->bounds.left > b->bounds.left) - (a->bounds.left < b->bounds.left);
}

/* Small bordered rectangles in the title of a panel that are nothing else. */
static GPtrArray *
find_cells(const FigScan *scan, const FigSvgItem *panel)
{
    GPtrArray *cells = g_ptr_array_new();
    g_autoptr(GPtrArray) inside = fig_scan_around(scan, panel->bounds);
    for (guint i = 0; i < inside->len; i++) {
        const FigSvgItem *item = inside->pdata[i];
        FigBounds b = item->bounds;
        if (item->kind == FIG_ITEM_RECT &&
            scan->role[item->order] == FIG_ROLE_UNKNOWN &&
            fig_svg_inked(item->look.stroke) && b.right - b.left < LARGEST_CELL &&
            b.bottom - b.top < LARGEST_CELL && fig_bounds_hold(panel->bounds, b, 0) &&
            b.bottom < panel->bounds.top + TITLE)
            g_ptr_array_add(cells, (gpointer)item);
    }
    g_ptr_array_sort(cells, by_place);
    return cells;
}

static bool
looks_like(const FigSvgItem *a, const FigSvgItem *b)
{
    return strcmp(a->look.fill, b->look.fill) == 0;
}

/* Take a text as words of the strip, and append them. */
static const FigSvgItem *
take(FigScan *scan, const FigSvgItem *text, GString *said, const char *before)
{
    if (!text)
        return NULL;
    scan->role[text->order] = FIG_ROLE_WORDS;
    g_string_append_printf(said, "%s%s", before, fig_scan_folded(scan, text));
    return text;
}

/* The cells behind the title, each with its words: "window 12, full 4". */
static guint
read_key(FigScan *scan, const GPtrArray *cells, const FigSvgItem *title, GString *said)
{
    double y = (title->bounds.top + title->bounds.bottom) / 2;
    guint n = 0;
    for (; n < cells->len; n++) {
        const FigSvgItem *cell = cells->pdata[n];
        if (cell->bounds.top > y || cell->bounds.bottom < y)
            break;
        const FigSvgItem *name =
            take(scan, text_after(scan, cell), said, n ? ", " : "");
        if (name)
            take(scan, text_after(scan, name), said, " ");
        for (guint k = 0; k < n; k++)
            if (looks_like(cell, cells->pdata[k]))
                g_string_append(said, " (looks like another)");
    }
    return n;
}

/* What the key should say. */
static char *
right_key(const FigRecordGroup *group)
{
    GString *right = g_string_new(NULL);
    for (int k = 0; k < group->n_kinds; k++)
        g_string_append_printf(right, "%s%s %" G_GINT64_FORMAT, k ? ", " : "",
                               group->kinds[k].kind, group->kinds[k].number);
    return g_string_free(right, FALSE);
}

/* Does the row of cells say which kind each pass is of? */
static bool
prove_cells(FigScan *scan, const FigRecordGroup *group, const GPtrArray *cells,
            guint n_key)
{
    guint n = cells->len - n_key;
    g_autoptr(GString) said = g_string_new(NULL);
    const FigSvgItem *sign = n ? text_after(scan, cells->pdata[cells->len - 1]) : NULL;
    int64_t times = 1;
    if (sign && strcmp(sign->text, "×") == 0) {
        const FigSvgItem *number = take(scan, text_after(scan, sign), said, "");
        take(scan, sign, said, "");
        times = number ? g_ascii_strtoll(number->text, NULL, 10) : 0;
    }
    if (n == 0 || times < 1 || times > group->passes || n * times != group->passes)
        return false;
    for (guint c = 0; c < n; c++) {
        int right = group->kind_of[c % (guint)group->n_pattern];
        if (right >= (int)n_key ||
            !looks_like(cells->pdata[n_key + c], cells->pdata[right]))
            return false;
    }
    return times == 1 || n % (guint)group->n_pattern == 0;
}

bool
fig_prove_strip(FigScan *scan, const FigRecordGroup *group, const FigSvgItem *panel,
                const FigSvgItem *title)
{
    g_autoptr(GPtrArray) cells = find_cells(scan, panel);
    g_autoptr(GString) said = g_string_new(NULL);
    if (cells->len == 0 || group->n_pattern == 0)
        return false;
    for (guint i = 0; i < cells->len; i++)
        scan->role[((FigSvgItem *)cells->pdata[i])->order] = FIG_ROLE_DECOR;
    guint n_key = read_key(scan, cells, title, said);
    g_autofree char *right = right_key(group);
    if (!fig_same_words(said->str, right))
        fig_scan_finding(
            scan, "panel", title->line,
            g_strdup_printf("the layers of ‘%s’ are drawn as %s", group->id,
                            said->len ? said->str : "cells"),
            g_strdup_printf("they are %s", *right ? right : "of one kind"));
    else if (!prove_cells(scan, group, cells, n_key))
        fig_scan_finding(
            scan, "panel", ((FigSvgItem *)cells->pdata[0])->line,
            g_strdup_printf("the strip of ‘%s’", group->id),
            g_strdup("its layers are of other kinds, or in another order"));
    return true;
}
