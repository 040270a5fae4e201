/* SPDX-License-Identifier: MIT
 *
 * Sentences: each claim that is to be drawn stands there with its words, beside its op
 * where it has one or at the end of a line that leads there, and with a tick exactly when it
 * was checked and holds. Title and notes are found the same way. Lines that were broken, and
 * numbers set as texts of their own, are read on in the order of drawing.
 */
#include "check/figure-scan.h"

#include <math.h>
#include <string.h>

static const double TICK_REACH = 18;     /* from a sentence to its tick */
static const double STEPS_WIDTH = 60;    /* … past steps that are missing */
static const double STEPS_REACH = 8;     /* … to the steps before it */
static const double ACCENT_REACH = 12;   /* from a bar to the mark that it accents */
static const double LEADER_REACH = 5;    /* from a leader's end to its words */
static const double UNKNOWN_WIDTH = 0.2; /* of words, whose fonts are not read */

/* A sentence with its numbers in place, folded. */
static char *
sentence(FigScan *scan, const FigSentence *say)
{
    g_autoptr(GString) text = g_string_new(NULL);
    int n = 0;
    for (const char *c = say->text; *c; c++) {
        const char *end = *c == '<' && g_ascii_isalpha(c[1]) ? strchr(c, '>') : NULL;
        if (end && n < say->n_numbers) {
            g_string_append(text, say->numbers[n++]);
            c = end;
        } else if (*c != '\\' || c[1] != '<') {
            g_string_append_c(text, *c);
        }
    }
    return fig_fold(fig_truth_plain(scan->truth, text->str));
}

/* Texts that stand together. */
typedef struct Block {
    const FigSvgItem *first;
    FigBounds bounds;
} Block;

static const FigSvgItem *tick_near(const FigScan *scan, const FigSvgItem *text,
                                   double left, double reach);
static bool is_about(const FigRecordClaim *claim, const FigRecordOp *op);

/* Where a sentence is to stand: behind a tick or at its op; another (claim: NULL), and one
 * without either, by itself. Words as short as a label stand elsewhere too. */
static bool
stands_right(FigScan *scan, const FigRecordClaim *claim, const FigSvgItem *text)
{
    const FigSeenMark *mark = fig_scan_row(scan, text, FIG_ROW);
    bool ticked = claim && tick_near(scan, text, text->bounds.left, STEPS_WIDTH);
    if (ticked || (claim && claim->holds && !claim->at))
        return ticked;
    if (claim && claim->at && mark && mark->op && !fig_scan_holder(scan, text))
        return is_about(claim, mark->op);
    return !mark && !fig_scan_beside(scan, text, NULL);
}

/* Find texts that, one after the other, are the words, where they are to stand (or, for
 * want of that, anywhere); give them a role. */
static Block
find_words_at(FigScan *scan, const char *words, const FigRecordClaim *claim,
              bool anywhere)
{
    for (guint i = 0; i < scan->leaves->len; i++) {
        g_autoptr(GArray) used = g_array_new(FALSE, FALSE, sizeof(guint));
        const char *rest = words;
        for (guint k = i; k < scan->leaves->len && *rest; k++) {
            const FigSvgItem *text = scan->leaves->pdata[k];
            bool number =
                scan->role[k] == FIG_ROLE_WORDS && fig_svg_hint(text, FIG_HINT_NUMBER);
            if (text->kind != FIG_ITEM_TEXT)
                continue;
            const char *folded = fig_scan_folded(scan, text);
            if ((scan->role[k] && !number) || !*folded ||
                !g_str_has_prefix(rest, folded))
                break;
            rest += strlen(folded);
            g_array_append_val(used, k);
        }
        if (*rest || used->len == 0)
            continue;
        const FigSvgItem *first = scan->leaves->pdata[g_array_index(used, guint, 0)];
        Block block = {first, first->bounds};
        if (!anywhere && !stands_right(scan, claim, first))
            continue;
        for (guint k = 0; k < used->len; k++) {
            const FigSvgItem *text = scan->leaves->pdata[g_array_index(used, guint, k)];
            scan->role[text->order] = FIG_ROLE_WORDS;
            block.bounds.left = MIN(block.bounds.left, text->bounds.left);
            block.bounds.top = MIN(block.bounds.top, text->bounds.top);
            block.bounds.right = MAX(block.bounds.right, text->bounds.right);
            block.bounds.bottom = MAX(block.bounds.bottom, text->bounds.bottom);
        }
        return block;
    }
    return (Block){NULL};
}

static Block
find_words(FigScan *scan, const char *words, const FigRecordClaim *claim)
{
    Block block = find_words_at(scan, words, claim, false);
    return block.first ? block : find_words_at(scan, words, claim, true);
}

/* A sentence that nothing settles says so. */
static Block
find_unchecked(FigScan *scan, const char *words, const FigRecordClaim *claim)
{
    g_autofree char *longer = g_strconcat(words, "(unchecked)", NULL);
    return find_words(scan, longer, claim);
}

/* An open path down to the right and then up: a tick. */
static bool
is_tick(const FigSvgItem *item)
{
    if (item->kind != FIG_ITEM_PATH || fig_svg_closed(item) || item->path.n_points != 3)
        return false;
    const double(*p)[2] = item->path.points;
    return p[0][0] < p[1][0] && p[1][0] < p[2][0] && p[1][1] > p[0][1] &&
           p[2][1] < p[0][1] && item->bounds.right - item->bounds.left < 16;
}

static const FigSvgItem *
tick_near(const FigScan *scan, const FigSvgItem *text, double left, double reach)
{
    double y = (text->bounds.top + text->bounds.bottom) / 2;
    for (guint i = 0; i < scan->leaves->len; i++) {
        const FigSvgItem *item = scan->leaves->pdata[i];
        double gap = left - item->bounds.right;
        if (is_tick(item) && item->bounds.top < y && item->bounds.bottom > y - 3 &&
            gap > -1 && gap < reach)
            return item;
    }
    return NULL;
}

static const FigSvgItem *
tick_at(FigScan *scan, const FigSvgItem *text, const FigSvgItem *steps, double reach)
{
    double left = steps ? steps->bounds.left : text->bounds.left;
    const FigSvgItem *tick = tick_near(scan, text, left, reach);
    if (tick)
        scan->role[tick->order] = FIG_ROLE_DECOR;
    return tick;
}

/* ---- accents ---- */

static bool
is_about(const FigRecordClaim *claim, const FigRecordOp *op)
{
    bool about = claim->at && strcmp(claim->at, op->id) == 0;
    for (int i = 0; i < claim->n_also; i++)
        about = about || strcmp(claim->also[i], op->id) == 0;
    return about;
}

/* The steps of the ops that a claim is about, as they are printed: "steps 3, 4". */
static char *
steps_of(const FigScan *scan, const FigRecordClaim *claim)
{
    GString *steps = g_string_new(NULL);
    for (int i = -1; i < claim->n_also; i++) {
        const FigRecordOp *op =
            fig_record_op(scan->record, i < 0 ? claim->at : claim->also[i]);
        g_string_append_printf(steps, "%s%d",
                               i >= 0          ? ", "
                               : claim->n_also ? "steps "
                                               : "step ",
                               op ? op->step : 0);
    }
    return g_string_free(steps, FALSE);
}

/* Steps right before a sentence, on its line. */
static const FigSvgItem *
steps_before(FigScan *scan, const FigSvgItem *text)
{
    for (guint i = 0; i < scan->leaves->len; i++) {
        const FigSvgItem *item = scan->leaves->pdata[i];
        double gap = text->bounds.left - item->bounds.right;
        if (item->kind != FIG_ITEM_TEXT || item->n_spans == 0 || scan->role[i] ||
            !g_str_has_prefix(item->text, "step") ||
            strspn(item->text, "steps 0123456789,") != strlen(item->text) ||
            fabs(item->spans[0].y - text->spans[0].y) > 0.5 || gap < 0 ||
            gap > STEPS_REACH)
            continue;
        scan->role[i] = FIG_ROLE_WORDS;
        return item;
    }
    return NULL;
}

/* In the list, a sentence about ops begins with their steps. */
static void
prove_steps(FigScan *scan, const FigRecordClaim *claim, const FigSvgItem *text,
            const FigSvgItem *steps)
{
    g_autofree char *right = steps_of(scan, claim);
    if (!steps || !fig_same_words(steps->text, right))
        fig_scan_finding(scan, "claim", text->line,
                         g_strdup_printf("‘%s’ is listed for %s", claim->id,
                                         steps ? steps->text : "no step"),
                         g_strdup_printf("it is about %s", right));
}

static bool
is_upright(const FigSvgItem *item)
{
    return item->kind == FIG_ITEM_PATH && !fig_svg_closed(item) &&
           item->path.n_points == 2 &&
           fabs(item->path.points[0][0] - item->path.points[1][0]) < 0.01;
}

/* What a mark takes of its row: that of a circle or fork has its step and words beside it. */
static FigBounds
with_words(const FigSeenMark *mark)
{
    const FigSvgItem *words[] = {mark->step, mark->label};
    FigBounds b = mark->bounds;
    for (size_t i = 0; i < G_N_ELEMENTS(words); i++)
        if (words[i]) {
            b.left = MIN(b.left, words[i]->bounds.left);
            b.right = MAX(b.right, words[i]->bounds.right);
        }
    return b;
}

/* The mark beside whose middle an upright bar stands. */
static const FigSeenMark *
mark_beside(const FigScan *scan, const FigSvgItem *bar)
{
    const FigSeenMark *best = NULL;
    double least = ACCENT_REACH;
    for (guint i = 0; i < scan->marks->len; i++) {
        const FigSeenMark *mark = scan->marks->pdata[i];
        double y = (mark->bounds.top + mark->bounds.bottom) / 2;
        FigBounds its = with_words(mark);
        double gap = MAX(bar->bounds.left - its.right, its.left - bar->bounds.right);
        if (!mark->op || y < bar->bounds.top || y > bar->bounds.bottom || gap < 0 ||
            gap >= least)
            continue;
        best = mark;
        least = gap;
    }
    return best;
}

/* A bar stands at marks that a claim is about, and at no others. */
static void
prove_bar(FigScan *scan, const FigSvgItem *bar)
{
    const FigSeenMark *mark = mark_beside(scan, bar);
    const char *hint = fig_svg_hint(bar, FIG_HINT_CALLOUT);
    const FigRecordClaim *about = NULL;
    if (!mark)
        return; /* what it is instead is asked elsewhere */
    for (int i = 0; i < scan->record->n_claims && !about; i++) {
        const FigRecordClaim *claim = &scan->record->claims[i];
        if (is_about(claim, mark->op) && (!hint || strcmp(claim->id, hint) == 0))
            about = claim;
    }
    scan->role[bar->order] = FIG_ROLE_DECOR;
    if (!about)
        fig_scan_finding(scan, "claim", bar->line,
                         g_strdup_printf("an accent at %s", fig_seen_words(scan, mark)),
                         hint ? g_strdup_printf("‘%s’ is not about it", hint)
                              : g_strdup("no claim is about it"));
}

static void
prove_bars(FigScan *scan)
{
    for (guint i = 0; i < scan->leaves->len; i++)
        if (scan->role[i] == FIG_ROLE_UNKNOWN && is_upright(scan->leaves->pdata[i]))
            prove_bar(scan, scan->leaves->pdata[i]);
}

/* ---- leaders ---- */

/* The bar on which a line begins, level with or at an end of it. */
static const FigSvgItem *
bar_at(const FigScan *scan, const FigSvgItem *line)
{
    const double *start = line->path.points[0];
    for (guint i = 0; i < scan->leaves->len; i++) {
        const FigSvgItem *bar = scan->leaves->pdata[i];
        if (bar != line && is_upright(bar) && scan->role[i] <= FIG_ROLE_DECOR &&
            bar->look.stroke_width > line->look.stroke_width &&
            fig_distance_path(start[0], start[1], &bar->path) <= FIG_TOUCH)
            return bar;
    }
    return NULL;
}

/* Straight pieces, level and upright, without a head: what leads and is no edge. */
static bool
is_leader(const FigScan *scan, const FigSvgItem *item)
{
    if (item->kind != FIG_ITEM_PATH || scan->role[item->order] != FIG_ROLE_UNKNOWN ||
        fig_svg_closed(item) || !fig_svg_inked(item->look.stroke) ||
        item->path.n_points < 2 || item->path.n_points > 3 ||
        item->path.n_verbs != item->path.n_points)
        return false;
    for (int i = 1; i < item->path.n_points; i++) {
        const double *a = item->path.points[i - 1], *b = item->path.points[i];
        if (fabs(a[0] - b[0]) > 0.01 && fabs(a[1] - b[1]) > 0.01)
            return false;
    }
    return true;
}

/* Words that stand elsewhere are led to: the mark at whose bar the line to them begins. */
static const FigSeenMark *
led_from(FigScan *scan, FigBounds words)
{
    words.right += UNKNOWN_WIDTH * (words.right - words.left);
    words = fig_bounds_grow(words, LEADER_REACH);
    for (guint i = 0; i < scan->leaves->len; i++) {
        const FigSvgItem *line = scan->leaves->pdata[i];
        if (!is_leader(scan, line))
            continue;
        const double *end = line->path.points[line->path.n_points - 1];
        const FigSvgItem *bar = bar_at(scan, line);
        if (!bar ||
            !fig_bounds_hold(words, (FigBounds){end[0], end[1], end[0], end[1]}, 0))
            continue;
        const FigSeenMark *mark = mark_beside(scan, bar);
        if (!mark)
            continue;
        scan->role[i] = FIG_ROLE_DECOR;
        return mark;
    }
    return NULL;
}

/* Words of several lines stand along the bar of their mark, all of them on no row of a small
 * one. */
static const FigSeenMark *
barred_to(const FigScan *scan, FigBounds words)
{
    for (guint i = 0; i < scan->leaves->len; i++) {
        const FigSvgItem *bar = scan->leaves->pdata[i];
        double y = (words.top + words.bottom) / 2;
        double gap = MAX(bar->bounds.left - words.right, words.left - bar->bounds.left);
        if (scan->role[i] == FIG_ROLE_UNKNOWN && is_upright(bar) &&
            bar->bounds.top < y && bar->bounds.bottom > y && gap > 0 &&
            gap < LEADER_REACH + UNKNOWN_WIDTH * (words.right - words.left))
            return mark_beside(scan, bar);
    }
    return NULL;
}

/* A callout stands beside its op, or at the end of a line that leads there, or, where there
 * was no room, in the list of claims: at no mark, and with what the list says of it. */
static void
prove_callout(FigScan *scan, const FigRecordClaim *claim, const Block *words,
              const FigSvgItem *steps, bool listed)
{
    const FigSvgItem *text = words->first;
    const FigSeenMark *mark = listed ? NULL : led_from(scan, words->bounds);
    if (!mark)
        mark = fig_scan_row(scan, text, FIG_ROW);
    if (!mark && !listed)
        mark = barred_to(scan, words->bounds);
    if (!mark && listed) {
        prove_steps(scan, claim, text, steps);
        return;
    }
    if (!mark || !mark->op || !is_about(claim, mark->op))
        fig_scan_finding(scan, "claim", text->line,
                         g_strdup_printf("‘%s’ stands beside %s", claim->id,
                                         fig_seen_words(scan, mark)),
                         g_strdup_printf("it is about ‘%s’", claim->at));
}

/* Is the sentence to be drawn? A layout may leave sentences out, and keep their bars. */
static bool
is_shown(const FigScan *scan, const FigRecordClaim *claim)
{
    const GPtrArray *leaves = scan->truth->leaves;
    bool shown = !scan->truth->drawing;
    for (guint i = 0; i < leaves->len && !shown; i++) {
        const FigSvgItem *text = leaves->pdata[i];
        const char *id = fig_svg_hint(text, FIG_HINT_CLAIM);
        if (!id)
            id = fig_svg_hint(text, FIG_HINT_CALLOUT);
        shown = text->kind == FIG_ITEM_TEXT && id && strcmp(id, claim->id) == 0;
    }
    return shown && (claim->holds || claim->must);
}

static void
prove_claim(FigScan *scan, const FigRecordClaim *claim)
{
    bool checked = claim->that != NULL && strcmp(claim->by, "unchecked") != 0;
    if (!claim->say.text)
        return;
    g_autofree char *words = sentence(scan, &claim->say);
    Block block = checked ? (Block){NULL} : find_unchecked(scan, words, claim);
    bool listed = block.first != NULL;
    if (!block.first)
        block = find_words(scan, words, claim);
    const FigSvgItem *text = block.first;

    if (!text) {
        if (is_shown(scan, claim))
            fig_scan_finding(
                scan, "claim", 0,
                g_strdup_printf("the sentence of ‘%s’ is not there", claim->id),
                g_strdup_printf("%s: %s",
                                claim->holds ? "it holds" : "it was asked for",
                                claim->say.text));
        return;
    }
    const FigSvgItem *steps = claim->at ? steps_before(scan, text) : NULL;
    /* where steps ought to stand between, it is farther away */
    const FigSvgItem *tick =
        tick_at(scan, text, steps, claim->at && !steps ? STEPS_WIDTH : TICK_REACH);
    bool right = true;
    listed = listed || tick;
    if (checked && !claim->holds) {
        fig_scan_finding(
            scan, "claim", text->line,
            g_strdup_printf("‘%s’%s", text->text, tick ? " with a tick" : ""),
            g_strdup_printf("‘%s’ does not hold", claim->id));
        right = false;
    } else if (!checked && tick) {
        fig_scan_finding(scan, "claim", tick->line,
                         g_strdup_printf("a tick at ‘%s’", claim->id),
                         g_strdup("nothing was checked"));
        right = false;
    } else if (checked && !claim->at && !tick) {
        fig_scan_finding(scan, "claim", text->line,
                         g_strdup_printf("no tick at ‘%s’", claim->id),
                         g_strdup("it was checked and holds"));
        right = false;
    }
    if (claim->at)
        prove_callout(scan, claim, &block, steps, listed);
    bool callout = fig_svg_hint(text, FIG_HINT_CALLOUT) != NULL;
    const char *hint = fig_svg_hint(text, callout ? FIG_HINT_CALLOUT : FIG_HINT_CLAIM);
    if (hint && strcmp(hint, claim->id) != 0)
        fig_scan_finding(
            scan, "hint", text->line,
            g_strdup_printf("data-%s=\"%s\"", callout ? "callout" : "claim", hint),
            g_strdup_printf("the words are those of ‘%s’", claim->id));
    if (right && checked)
        scan->report->claims++;
}

static void
prove_sentence(FigScan *scan, const FigSentence *say, const char *what, bool must)
{
    if (!say->text || !*say->text)
        return;
    g_autofree char *words = sentence(scan, say);
    if (!find_words(scan, words, NULL).first &&
        !find_unchecked(scan, words, NULL).first && must)
        fig_scan_finding(scan, "text", 0, g_strdup_printf("the %s is not there", what),
                         g_strdup(say->text));
}

/* A tick promises a check: no other sentence has one. The one that explains what a tick
 * means stands above them all. */
static void
prove_other_ticks(FigScan *scan)
{
    double top = INFINITY;
    bool key = false;
    for (guint i = 0; i < scan->leaves->len; i++) {
        const FigSvgItem *tick = scan->leaves->pdata[i];
        if (is_tick(tick) && scan->role[i] == FIG_ROLE_DECOR)
            top = MIN(top, tick->bounds.top);
    }
    for (guint i = 0; i < scan->leaves->len; i++) {
        const FigSvgItem *tick = scan->leaves->pdata[i];
        if (!is_tick(tick) || scan->role[i] != FIG_ROLE_UNKNOWN)
            continue;
        scan->role[i] = FIG_ROLE_DECOR;
        if (tick->bounds.bottom < top && !key) {
            key = true;
            continue;
        }
        fig_scan_finding(scan, "claim", tick->line, g_strdup("a tick at other words"),
                         g_strdup("they are no claim that was checked"));
    }
}

/* The name that assistive technology reads is the title. */
static void
prove_name(FigScan *scan)
{
    if (!scan->svg->title || !scan->record->title.text)
        return;
    g_autofree char *right = sentence(scan, &scan->record->title);
    g_autofree char *seen = fig_fold(scan->svg->title);
    if (!g_str_has_prefix(seen, right))
        fig_scan_finding(scan, "text", 0,
                         g_strdup_printf("the accessible name ‘%s’", scan->svg->title),
                         g_strdup(scan->record->title.text));
}

void
fig_prove_claims(FigScan *scan)
{
    const FigRecord *record = scan->record;
    prove_name(scan);
    prove_sentence(scan, &record->title, "title", true);
    prove_sentence(scan, &record->subtitle, "subtitle", true);
    for (int i = 0; i < record->n_claims; i++)
        prove_claim(scan, &record->claims[i]);
    for (int i = 0; i < record->n_notes; i++)
        prove_sentence(scan, &record->notes[i], "note", false);
    prove_other_ticks(scan);
    prove_bars(scan);
}
