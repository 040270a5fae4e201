/* SPDX-License-Identifier: MIT
 *
 * What formulas draw beside their letters: radicals, bars of fractions, superior figures.
 */
#include "check/figure-scan.h"

#include <string.h>

int
fig_scan_superior(const FigSvgItem *text)
{
    int n = 0;
    for (int i = 0; i < text->n_spans; i++) {
        gunichar c = g_utf8_get_char(text->spans[i].text);
        bool superior = c >= 0x2070 && c <= 0x207b;
        n += superior && !fig_svg_inked(text->spans[i].look.fill);
    }
    return n;
}

/* The radical of a formula, the bar of a fraction or a superior figure: filled, of the
 * colour of the text it is drawn right after, and over it. */
static bool
is_outline(const FigScan *scan, const FigSvgItem *item)
{
    if (item->kind != FIG_ITEM_PATH || !fig_svg_closed(item) || fig_svg_bordered(item))
        return false;
    for (int before = item->order - 1; before >= 0; before--) {
        const FigSvgItem *text = scan->leaves->pdata[before];
        if (text->kind == FIG_ITEM_TEXT)
            return strcmp(text->look.fill, item->look.fill) == 0 &&
                   (strstr(text->text, "√") || strchr(text->text, '/') ||
                    fig_scan_superior(text) > 0) &&
                   fig_bounds_hold(fig_bounds_grow(text->bounds, 5), item->bounds, 0);
        if (scan->role[before] != FIG_ROLE_OUTLINE)
            return false;
    }
    return false;
}

void
fig_find_outlines(FigScan *scan)
{
    for (guint i = 0; i < scan->leaves->len; i++)
        if (is_outline(scan, scan->leaves->pdata[i]))
            scan->role[i] = FIG_ROLE_OUTLINE;
}
