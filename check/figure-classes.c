/* SPDX-License-Identifier: MIT
 *
 * The look of each class, which all its marks share, no other class has and the legend
 * shows; and the diamond of learned weights.
 */
#include "check/figure-scan.h"

#include <math.h>
#include <string.h>

static bool
reads_weight(const FigRecordOp *op)
{
    for (int i = 0; i < op->n_reads; i++)
        if (strcmp(op->reads[i].from, "weight") == 0)
            return true;
    return false;
}

/* The diamond of learned weights: four corners in the middles of its sides, in the colour
 * of the border of its box, near the right end. */
static bool
is_diamond(const FigSvgItem *item, const FigSvgItem *border)
{
    FigBounds b = item->bounds;
    double x = (b.left + b.right) / 2, y = (b.top + b.bottom) / 2;
    if (item->kind != FIG_ITEM_PATH || !fig_svg_closed(item) ||
        item->path.n_points < 4 || b.right - b.left > 8 ||
        b.left < border->bounds.right - 16 ||
        strcmp(item->look.stroke, border->look.stroke) != 0 ||
        strcmp(item->look.fill, item->look.stroke) == 0)
        return false;
    for (int i = 0; i < item->path.n_points; i++) {
        const double *p = item->path.points[i];
        bool upper = fabs(p[0] - x) < 0.01 &&
                     MIN(fabs(p[1] - b.top), fabs(p[1] - b.bottom)) < 0.01;
        bool side = fabs(p[1] - y) < 0.01 &&
                    MIN(fabs(p[0] - b.left), fabs(p[0] - b.right)) < 0.01;
        if (!upper && !side)
            return false;
    }
    return true;
}

static int
diamonds_in(const FigScan *scan, const FigSvgItem *border)
{
    int n = 0;
    g_autoptr(GPtrArray) around =
        fig_scan_around(scan, fig_bounds_grow(border->bounds, 0.01));
    for (guint i = 0; i < around->len; i++) {
        const FigSvgItem *item = around->pdata[i];
        n += fig_bounds_hold(border->bounds, item->bounds, 0.01) &&
             is_diamond(item, border);
    }
    return n;
}

/* A box bears the diamond exactly when its op reads a weight. */
static void
prove_diamond(FigScan *scan, const FigSeenMark *mark)
{
    int n = diamonds_in(scan, mark->item);
    if (n == reads_weight(mark->op))
        return;
    fig_scan_finding(scan, "class", mark->item->line,
                     g_strdup_printf("‘%s’ has %s of learned weights", mark->op->id,
                                     n == 0   ? "no diamond"
                                     : n == 1 ? "the diamond"
                                              : "several diamonds"),
                     g_strdup(n ? "it read none, or one is enough" : "it read one"));
}

/* How a box looks: its borders and what else is drawn in it, by colour, and by place from
 * its right end, so that wide and narrow boxes compare. */
static char *
look_of(const FigScan *scan, const FigSvgItem *border)
{
    GString *look = g_string_new(NULL);
    g_autoptr(GPtrArray) around =
        fig_scan_around(scan, fig_bounds_grow(border->bounds, 0.01));
    for (guint i = 0; i < around->len; i++) {
        const FigSvgItem *item = around->pdata[i];
        if (item->kind == FIG_ITEM_TEXT ||
            scan->role[item->order] == FIG_ROLE_OUTLINE ||
            !fig_bounds_hold(border->bounds, item->bounds, 0.01) ||
            is_diamond(item, border))
            continue;
        g_string_append_printf(look, "%s %s %s %d %s;",
                               item->kind == FIG_ITEM_RECT ? "rect" : "path",
                               item->look.fill, item->look.stroke,
                               fig_svg_inked(item->look.stroke)
                                   ? (int)(item->look.stroke_width * 100 + 0.5)
                                   : 0,
                               item->look.dash);
        if (item->kind == FIG_ITEM_RECT &&
            2 * item->radius > item->bounds.bottom - item->bounds.top - 0.1)
            g_string_append(look, "round ends ");
        if (item->kind == FIG_ITEM_PATH)
            g_string_append_printf(look, "%d points ", item->path.n_points);
    }
    return g_string_free(look, FALSE);
}

/* Do all boxes of a class bear the diamond? Then its chip does. */
static bool
all_read_weights(const FigScan *scan, FigClass class)
{
    bool any = false;
    for (guint i = 0; i < scan->marks->len; i++) {
        const FigSeenMark *mark = scan->marks->pdata[i];
        if (mark->kind != FIG_SEEN_BOX || !mark->op || mark->op->class != class)
            continue;
        if (!reads_weight(mark->op))
            return false;
        any = true;
    }
    return any;
}

/* A chip of the legend, known by its hint: the first rectangle there, with what is in it,
 * looks as the marks of its class do. */
static void
prove_chip(FigScan *scan, const FigSvgItem *rect, char **look)
{
    const char *class = fig_svg_hint(rect, FIG_HINT_LEGEND);
    if (!class || rect->kind != FIG_ITEM_RECT)
        return;
    const FigSvgItem *row = rect; /* what bears the hint; its first leaf is the chip */
    while (row->parent && !row->hint[FIG_HINT_LEGEND])
        row = row->parent;
    while (row->first)
        row = row->first;
    if (row != rect)
        return;
    for (int c = 0; c < FIG_CLASSES; c++) {
        if (strcmp(class, fig_class_name((FigClass)c)) != 0 || !look[c])
            continue;
        g_autofree char *seen = look_of(scan, rect);
        bool diamond = diamonds_in(scan, rect) == 1;
        if (strcmp(seen, look[c]) != 0 ||
            diamond != all_read_weights(scan, (FigClass)c))
            fig_scan_finding(scan, "class", rect->line,
                             g_strdup_printf("the legend shows %s otherwise", class),
                             g_strdup("than the marks of that class look"));
    }
}

void
fig_prove_classes(FigScan *scan)
{
    char *look[FIG_CLASSES] = {NULL};
    int votes[FIG_CLASSES] = {0};
    GHashTable *counts[FIG_CLASSES];

    /* the look of a class is that of most of its boxes */
    for (int c = 0; c < FIG_CLASSES; c++)
        counts[c] = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint i = 0; i < scan->marks->len; i++) {
        const FigSeenMark *mark = scan->marks->pdata[i];
        if (mark->kind != FIG_SEEN_BOX || !mark->op)
            continue;
        int c = mark->op->class;
        char *seen = look_of(scan, mark->item);
        int n = GPOINTER_TO_INT(g_hash_table_lookup(counts[c], seen)) + 1;
        if (n > votes[c]) {
            g_free(look[c]);
            look[c] = g_strdup(seen);
            votes[c] = n;
        }
        g_hash_table_insert(counts[c], seen, GINT_TO_POINTER(n));
    }
    for (guint i = 0; i < scan->marks->len; i++) {
        const FigSeenMark *mark = scan->marks->pdata[i];
        if (mark->kind != FIG_SEEN_BOX || !mark->op)
            continue;
        int c = mark->op->class;
        prove_diamond(scan, mark);
        g_autofree char *seen = look_of(scan, mark->item);
        const char *like = NULL;
        for (int other = 0; other < FIG_CLASSES; other++)
            if (other != c && look[other] && strcmp(look[other], seen) == 0)
                like = fig_class_name((FigClass)other);
        if (like || strcmp(seen, look[c]) != 0)
            fig_scan_finding(
                scan, "class", mark->item->line,
                g_strdup_printf("‘%s’ looks like %s", mark->op->id,
                                like ? like : "no class"),
                g_strdup_printf("its class is %s", fig_class_name(mark->op->class)));
    }
    for (guint i = 0; i < scan->leaves->len; i++)
        prove_chip(scan, scan->leaves->pdata[i], look);
    for (int c = 0; c < FIG_CLASSES; c++) {
        g_hash_table_unref(counts[c]);
        g_free(look[c]);
    }
}
