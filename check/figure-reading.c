/* SPDX-License-Identifier: MIT
 *
 * A figure whose places are not compared says the same as a fresh drawing only if it is
 * read in the same order: which number belongs to which dim, row or panel follows from
 * nothing but what stands beside it. The texts of each part are found as a run of texts in
 * the file, whose words are those of the part in the fresh drawing; each stands right behind
 * the one before or on a line below, and no text of another part between them.
 */
#include "check/figure-scan.h"

#include <math.h>
#include <string.h>

static const double SAME_ROW = 1; /* points between two baselines of a row */

/* The texts that are read one after the other. */
typedef struct Run {
    const FigSvgItem *like; /* of the fresh drawing: the first */
    GPtrArray *texts;       /* const FigSvgItem */
} Run;

static void
run_free(void *data)
{
    Run *run = data;
    g_ptr_array_unref(run->texts);
    g_free(run);
}

/* What a text of a fresh drawing is read with, or NULL: what it is is proved by where it
 * stands. */
static const char *
part_of(const FigSvgItem *text, FigHint *hint)
{
    static const FigHint parts[] = {FIG_HINT_LEGEND, FIG_HINT_PANEL,  FIG_HINT_CLAIM,
                                    FIG_HINT_INPUT,  FIG_HINT_OUTPUT, FIG_HINT_PART};
    for (size_t i = 0; i < G_N_ELEMENTS(parts); i++)
        if (fig_svg_hint(text, parts[i])) {
            *hint = parts[i];
            return fig_svg_hint(text, parts[i]);
        }
    return NULL;
}

static bool
same_row(const FigSvgItem *a, const FigSvgItem *b)
{
    return fabs(a->spans[0].y - b->spans[0].y) < SAME_ROW;
}

/* Does a text begin between two others, on their lines or between those? */
static bool
begins_between(const FigSvgItem *text, const FigSvgItem *a, const FigSvgItem *b)
{
    double left = MIN(a->bounds.left, b->bounds.left);
    double right = same_row(a, b) ? MAX(a->spans[0].x, b->spans[0].x)
                                  : MAX(a->bounds.right, b->bounds.right);
    double top = MIN(a->spans[0].y, b->spans[0].y) - SAME_ROW;
    double bottom = MAX(a->spans[0].y, b->spans[0].y) + SAME_ROW;
    double x = text->spans[0].x, y = text->spans[0].y;
    return x > left && x < right && y > top && y < bottom;
}

/* The first text of no run that begins between two, or NULL. */
static const FigSvgItem *
between(const GPtrArray *leaves, const GPtrArray *run, const FigSvgItem *a,
        const FigSvgItem *b)
{
    for (guint i = 0; i < leaves->len; i++) {
        const FigSvgItem *text = leaves->pdata[i];
        if (text->kind == FIG_ITEM_TEXT && text->n_spans > 0 &&
            !g_ptr_array_find((GPtrArray *)run, text, NULL) &&
            begins_between(text, a, b))
            return text;
    }
    return NULL;
}

/* The texts of a part. owns: the caller */
static GPtrArray *
texts_of(const GPtrArray *leaves, FigHint hint, const char *part)
{
    GPtrArray *texts = g_ptr_array_new();
    for (guint i = 0; i < leaves->len; i++) {
        const FigSvgItem *text = leaves->pdata[i];
        FigHint other = FIG_HINTS;
        if (text->kind == FIG_ITEM_TEXT &&
            g_strcmp0(part_of(text, &other), part) == 0 && other == hint)
            g_ptr_array_add(texts, (gpointer)text);
    }
    return texts;
}

/* The runs of a fresh drawing; one ends where a text of another part stands before the
 * next (a panel: its title, its totals). owns: the caller */
static GPtrArray *
runs_of(const GPtrArray *leaves)
{
    GPtrArray *runs = g_ptr_array_new_with_free_func(run_free);
    const FigSvgItem *last = NULL; /* in a part */
    FigHint of = FIG_HINTS;
    for (guint i = 0; i < leaves->len; i++) {
        const FigSvgItem *text = leaves->pdata[i];
        if (text->kind != FIG_ITEM_TEXT || text->n_spans == 0)
            continue;
        FigHint hint = FIG_HINTS, before = of;
        const char *part = part_of(text, &hint);
        const FigSvgItem *previous = last;
        last = part ? text : NULL;
        of = hint;
        if (!part)
            continue;
        g_autoptr(GPtrArray) mine = texts_of(leaves, hint, part);
        if (!previous || hint != before ||
            strcmp(part_of(previous, &before), part) != 0 ||
            between(leaves, mine, previous, text)) {
            Run *run = g_new0(Run, 1);
            *run = (Run){text, g_ptr_array_new()};
            g_ptr_array_add(runs, run);
        }
        g_ptr_array_add(((Run *)runs->pdata[runs->len - 1])->texts, (gpointer)text);
    }
    return runs;
}

/* The words of a run without blanks; the version here as that of the figure. owns: the
 * caller */
static char *
words_of(const FigScan *scan, const Run *run)
{
    g_autoptr(GString) words = g_string_new(NULL);
    for (guint i = 0; i < run->texts->len; i++) {
        g_autofree char *folded =
            fig_fold(((const FigSvgItem *)run->texts->pdata[i])->text);
        g_string_append(words, folded);
    }
    if (scan->versions.opfig &&
        g_strcmp0(fig_svg_hint(run->like, FIG_HINT_PART), "footer") == 0)
        g_string_replace(words, scan->record->version, scan->svg->carried.version, 1);
    return g_strdup(words->str);
}

/* The run of texts of a figure that has the words, from one on; used texts are taken. owns:
 * the caller; NULL: there is none */
static Run *
find_run(FigScan *scan, const Run *like, bool *used)
{
    g_autofree char *words = words_of(scan, like);
    const GPtrArray *leaves = scan->leaves;
    for (guint i = 0; i < leaves->len; i++) {
        Run *run = g_new0(Run, 1);
        *run = (Run){like->like, g_ptr_array_new()};
        const char *rest = words;
        for (guint k = i; k < leaves->len && *rest; k++) {
            const FigSvgItem *text = leaves->pdata[k];
            if (text->kind != FIG_ITEM_TEXT)
                continue;
            const char *folded = fig_scan_folded(scan, text);
            if (used[k] || !*folded || !g_str_has_prefix(rest, folded))
                break;
            rest += strlen(folded);
            g_ptr_array_add(run->texts, (gpointer)text);
        }
        if (!*rest && run->texts->len) {
            for (guint k = 0; k < run->texts->len; k++)
                used[((const FigSvgItem *)run->texts->pdata[k])->order] = true;
            return run;
        }
        run_free(run);
    }
    return NULL;
}

/* Does a text stand left of the one before it in a fresh drawing, as words beside a stream
 * on the left do? Those that wrap do not. */
static bool
leftwards(const Run *like, const Run *run, guint i)
{
    if (like->texts->len != run->texts->len)
        return false;
    const FigSvgItem *a = like->texts->pdata[i - 1], *b = like->texts->pdata[i];
    return same_row(a, b) && b->spans[0].x < a->spans[0].x;
}

static const FigSvgItem *
panel_of(const FigScan *scan, const FigSvgItem *text)
{
    const FigSvgItem *inner = NULL;
    for (guint i = 0; i < scan->panels->len; i++) {
        const FigSvgItem *panel = scan->panels->pdata[i];
        if (fig_bounds_hold(panel->bounds, text->bounds, FIG_BESIDE) &&
            (!inner || fig_bounds_hold(inner->bounds, panel->bounds, 0)))
            inner = panel;
    }
    return inner;
}

static void
finding(FigScan *scan, const FigSvgItem *text, const FigSvgItem *before,
        const char *how)
{
    fig_scan_finding(
        scan, "text", text->line,
        before ? g_strdup_printf("‘%s’ stands %s ‘%s’", text->text, how, before->text)
               : g_strdup_printf("‘%s’ %s", text->text, how),
        g_strdup("a fresh drawing is read in another order"));
}

/* Each text behind the one before, or below it, and nothing else between. */
static void
prove_order(FigScan *scan, const Run *run, const Run *like)
{
    for (guint i = 1; i < run->texts->len; i++) {
        const FigSvgItem *a = run->texts->pdata[i - 1], *b = run->texts->pdata[i];
        const FigSvgItem *other = between(scan->leaves, run->texts, a, b);
        if (same_row(a, b) ? (b->spans[0].x < a->spans[0].x) != leftwards(like, run, i)
                           : b->spans[0].y < a->spans[0].y)
            finding(scan, b, a, "before");
        else if (other)
            finding(scan, other, b, "before");
        else
            continue;
        return;
    }
}

/* What belongs to a panel stands in the one that has its title. */
static void
prove_inside(FigScan *scan, const Run *run, const Run *title)
{
    const FigSvgItem *panel = panel_of(scan, title->texts->pdata[0]);
    for (guint i = 0; i < run->texts->len; i++)
        if (panel_of(scan, run->texts->pdata[i]) != panel) {
            finding(scan, run->texts->pdata[i], title->texts->pdata[0],
                    "not in the panel of");
            return;
        }
}

/* ---- columns ---- */

static bool
in_column(const FigSvgItem *head, const FigSvgItem *number)
{
    return head->bounds.left < number->bounds.right &&
           number->bounds.left < head->bounds.right;
}

/* The numbers of a row of the legend stand under the heads that they stand under in a fresh
 * drawing. Both runs have as many texts: neither wraps. */
static void
prove_columns(FigScan *scan, const Run *row, const Run *like, const Run *heads,
              const Run *like_heads)
{
    for (guint i = 0; i < like->texts->len; i++) {
        for (guint h = 0; h < like_heads->texts->len; h++) {
            const FigSvgItem *number = like->texts->pdata[i];
            if (!in_column(like_heads->texts->pdata[h], number) ||
                !fig_svg_hint(number, FIG_HINT_NUMBER) ||
                !same_row(number, like->texts->pdata[0]))
                continue;
            if (row->texts->len == like->texts->len &&
                heads->texts->len == like_heads->texts->len &&
                in_column(heads->texts->pdata[h], row->texts->pdata[i]))
                continue;
            finding(scan, row->texts->pdata[MIN(i, row->texts->len - 1)],
                    heads->texts->pdata[MIN(h, heads->texts->len - 1)], "not under");
            return;
        }
    }
}

/* The box right before a row of the legend looks as the marks of its class do. */
static void
prove_sample(FigScan *scan, const Run *row, const char *class)
{
    const FigSvgItem *text = row->texts->pdata[0], *sample = NULL, *mark = NULL;
    for (guint i = 0; i < scan->leaves->len; i++) {
        const FigSvgItem *item = scan->leaves->pdata[i];
        if (item->kind == FIG_ITEM_RECT && item->bounds.right < text->bounds.left &&
            item->bounds.top < text->spans[0].y &&
            item->bounds.bottom > text->spans[0].y - 5 &&
            (!sample || fig_bounds_hold(item->bounds, sample->bounds, 0)))
            sample = item;
    }
    for (guint i = 0; i < scan->marks->len && !mark; i++) {
        const FigSeenMark *one = scan->marks->pdata[i];
        if (one->kind == FIG_SEEN_BOX && one->op &&
            strcmp(fig_class_name(one->op->class), class) == 0)
            mark = one->item;
    }
    if (mark && (!sample || strcmp(sample->look.fill, mark->look.fill) != 0 ||
                 strcmp(sample->look.stroke, mark->look.stroke) != 0))
        fig_scan_finding(scan, "class", text->line,
                         g_strdup_printf("the legend shows %s otherwise", class),
                         g_strdup("than the marks of that class look"));
}

/* ---- the proof ---- */

void
fig_prove_reading(FigScan *scan)
{
    g_autoptr(GPtrArray) fresh = runs_of(scan->truth->leaves);
    g_autoptr(GPtrArray) seen = g_ptr_array_new_with_free_func(run_free);
    g_autofree bool *used = g_new0(bool, scan->leaves->len + 1);
    const Run *heads = NULL, *like_heads = NULL, *before = NULL;
    for (guint i = 0; i < fresh->len; i++) {
        const Run *like = fresh->pdata[i];
        const char *panel = fig_svg_hint(like->like, FIG_HINT_PANEL);
        const char *class = fig_svg_hint(like->like, FIG_HINT_LEGEND);
        Run *run = find_run(scan, like, used);
        if (!run && fig_svg_hint(like->like, FIG_HINT_CLAIM))
            continue; /* beside its op there: its words are proved as a sentence */
        if (!run) {
            finding(scan, like->like, NULL, "is not followed by the same words");
            continue;
        }
        g_ptr_array_add(seen, run);
        prove_order(scan, run, like);
        if (panel && before &&
            g_strcmp0(fig_svg_hint(before->like, FIG_HINT_PANEL), panel) == 0)
            prove_inside(scan, run, before);
        if (g_strcmp0(fig_svg_hint(like->like, FIG_HINT_PART), "legend-head") == 0) {
            heads = run;
            like_heads = like;
        }
        if (class && heads)
            prove_columns(scan, run, like, heads, like_heads);
        if (class)
            prove_sample(scan, run, class);
        before = run;
    }
}
