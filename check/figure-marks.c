/* SPDX-License-Identifier: MIT
 *
 * Marks against ops: one mark of its kind for each step, with its label and the weights
 * it reads.
 */
#include "check/figure-scan.h"

#include "ops/op.h"

#include <math.h>
#include <string.h>

static const char *
kind_name(FigSeenKind kind)
{
    return kind == FIG_SEEN_BOX ? "box" : kind == FIG_SEEN_CIRCLE ? "circle" : "fork";
}

/* The words that stand in a mark beside its number, in order of drawing. */
static char *
words_in(FigScan *scan, FigSeenMark *mark)
{
    GString *words = g_string_new(NULL);
    g_autoptr(GPtrArray) around =
        fig_scan_around(scan, fig_bounds_grow(mark->bounds, 0.5));
    for (guint i = 0; i < around->len; i++) {
        const FigSvgItem *text = around->pdata[i];
        if (text->kind != FIG_ITEM_TEXT || scan->role[text->order] ||
            fig_scan_holder(scan, text) != mark)
            continue;
        scan->role[text->order] = FIG_ROLE_LABEL;
        if (!mark->label)
            mark->label = text;
        if (words->len > 0)
            g_string_append_c(words, ' ');
        g_string_append(words, text->text);
    }
    return g_string_free(words, FALSE);
}

/* Find the text beside a circle or fork that is its label; false: its title, or none. */
static bool
label_beside(FigScan *scan, FigSeenMark *mark, const char *label, const char *title)
{
    g_autoptr(GPtrArray) around = fig_scan_around(scan, fig_row_around(mark->bounds));
    for (guint i = 0; i < around->len; i++) {
        const FigSvgItem *text = around->pdata[i];
        if (text->kind != FIG_ITEM_TEXT || scan->role[text->order] ||
            (!fig_same_words(text->text, label) &&
             !fig_same_words(text->text, title)) ||
            fig_scan_row(scan, text, FIG_ROW) != mark)
            continue;
        scan->role[text->order] = FIG_ROLE_LABEL;
        mark->label = text;
        return fig_same_words(text->text, label);
    }
    return false;
}

/* How what is drawn in a circle lies around its middle: lines and dots, to a quarter
 * of a point: what is rounded otherwise is the same. */
static const char *
drawn_sign(const FigScan *scan, const FigSeenMark *mark)
{
    g_autoptr(GString) sign = g_string_new(NULL);
    double x = (mark->bounds.left + mark->bounds.right) / 2;
    double y = (mark->bounds.top + mark->bounds.bottom) / 2;
    g_autoptr(GPtrArray) inside = fig_scan_around(scan, mark->bounds);
    for (guint i = 0; i < inside->len; i++) {
        const FigSvgItem *item = inside->pdata[i];
        if (scan->role[item->order] != FIG_ROLE_DECOR || item->kind != FIG_ITEM_PATH ||
            !fig_bounds_hold(mark->bounds, item->bounds, 0))
            continue;
        g_string_append(sign, fig_svg_inked(item->look.fill) ? "filled" : "drawn");
        for (int p = 0; p < item->path.n_points; p++)
            g_string_append_printf(sign, " %d,%d",
                                   (int)lround((item->path.points[p][0] - x) * 4),
                                   (int)lround((item->path.points[p][1] - y) * 4));
    }
    return fig_arena_strdup(scan->report->arena, sign->str);
}

/* How many circles there are by the sign of their op, by what is drawn, and by both. */
typedef enum SignKey {
    BY_OP,
    BY_DRAWN,
    BY_BOTH,
    SIGN_KEYS,
} SignKey;

static char *
sign_key(const FigSeenMark *mark, SignKey key)
{
    const char *sign = mark->op->sign ? mark->op->sign : "";
    return key == BY_OP      ? g_strdup_printf("op %s", sign)
           : key == BY_DRAWN ? g_strdup_printf("drawn %s", mark->sign)
                             : g_strdup_printf("both %s\n%s", sign, mark->sign);
}

/* Look at what is drawn in all circles, once. Returns how many there are. */
static int
count_signs(FigScan *scan)
{
    if (scan->signs)
        return scan->n_circles;
    scan->signs = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint i = 0; i < scan->marks->len; i++) {
        FigSeenMark *mark = scan->marks->pdata[i];
        if (mark->kind != FIG_SEEN_CIRCLE || !mark->op)
            continue;
        mark->sign = drawn_sign(scan, mark);
        scan->n_circles++;
        for (int key = 0; key < SIGN_KEYS; key++)
            fig_count(scan->signs, sign_key(mark, (SignKey)key));
    }
    return scan->n_circles;
}

/* A sign that is drawn is the same in all circles of one sign and in no others. */
static bool
has_drawn_sign(FigScan *scan, const FigSeenMark *mark)
{
    int n[SIGN_KEYS], all = count_signs(scan);
    for (int k = 0; k < SIGN_KEYS; k++) {
        g_autofree char *key = sign_key(mark, (SignKey)k);
        n[k] = GPOINTER_TO_INT(g_hash_table_lookup(scan->signs, key));
    }
    /* of the others, those that share both with it, and those that share neither */
    int alike = n[BY_BOTH] - 1 + all - n[BY_OP] - n[BY_DRAWN] + n[BY_BOTH];
    return *mark->sign && alike >= all - 1 - alike;
}

/* Prove the words of a mark; do all of the op's own stand there? */
static bool
prove_label(FigScan *scan, FigSeenMark *mark)
{
    const FigRecordOp *op = mark->op;
    g_autofree char *words = words_in(scan, mark);
    const char *label = fig_truth_plain(scan->truth, op->label);
    const char *title = fig_truth_plain(scan->truth, op->title ? op->title : op->label);
    const char *sign = op->sign ? fig_truth_math(scan->truth, op->sign) : NULL;
    bool right, whole;

    switch (mark->kind) {
    case FIG_SEEN_BOX:
        right = whole = fig_same_words(words, label);
        break;
    case FIG_SEEN_CIRCLE:
        right = *words ? fig_same_words(words, sign) : has_drawn_sign(scan, mark);
        whole = label_beside(scan, mark, label, title);
        break;
    default:
        whole = label_beside(scan, mark, label, title);
        right = mark->label != NULL;
        break;
    }
    if (right)
        scan->report->labels++;
    else
        fig_scan_finding(scan, "label",
                         mark->label ? mark->label->line : mark->item->line,
                         g_strdup_printf("‘%s’ at step %d", words, op->step),
                         g_strdup_printf("‘%s’: %s", op->id, label));
    return whole;
}

/* Every weight that the op reads is named by its words, if they stand at its mark. */
static void
prove_weights(FigScan *scan, const FigRecordOp *op, const FigSeenMark *mark, bool whole)
{
    for (int i = 0; i < op->n_reads; i++) {
        const FigRecordRead *read = &op->reads[i];
        if (strcmp(read->from, "weight") != 0)
            continue;
        scan->report->weights++;
        if (!mark || !read->value)
            continue;
        const FigRecordValue *value = fig_record_value(scan->record, read->value);
        g_autofree char *name = fig_fold(fig_truth_math(scan->truth, value->label));
        if (whole && fig_label_names(op->label, value->label))
            scan->report->weights_named++;
        else
            fig_scan_finding(
                scan, "weight", mark->item->line,
                g_strdup_printf("the mark of ‘%s’ does not name %s", op->id, name),
                g_strdup_printf("‘%s’ read the weight ‘%s’ as %s", op->id, read->value,
                                read->port));
    }
}

static void
prove_mark_hints(FigScan *scan, const FigSeenMark *mark)
{
    const char *id = fig_svg_hint(mark->item, FIG_HINT_OP);
    const char *class = fig_svg_hint(mark->item, FIG_HINT_CLASS);
    const char *right = fig_class_name(mark->op->class);
    if (!scan->hinted)
        return;
    g_autofree char *op_words = fig_hint_words(FIG_HINT_OP, id);
    g_autofree char *class_words = fig_hint_words(FIG_HINT_CLASS, class);
    if (g_strcmp0(id, mark->op->id) != 0)
        fig_scan_finding(
            scan, "hint", mark->item->line,
            g_strdup_printf("%s at step %d", op_words, mark->op->step),
            g_strdup_printf("step %d is ‘%s’", mark->op->step, mark->op->id));
    if (g_strcmp0(class, right) != 0)
        fig_scan_finding(scan, "hint", mark->item->line,
                         g_strdup_printf("%s of ‘%s’", class_words, mark->op->id),
                         g_strdup_printf("its class is %s", right));
}

static void
prove_op_mark(FigScan *scan, const FigRecordOp *op)
{
    FigSeenMark *first = scan->op_mark[op - scan->record->ops];
    for (const FigSeenMark *mark = first ? first->same_op : NULL; mark;
         mark = mark->same_op)
        fig_scan_finding(scan, "mark", mark->item->line,
                         g_strdup_printf("another mark of step %d", op->step),
                         g_strdup_printf("‘%s’ ran once", op->id));
    if (!first) {
        fig_scan_finding(scan, "mark", 0,
                         g_strdup_printf("no mark for step %d", op->step),
                         g_strdup_printf("‘%s’ ran: %s", op->id,
                                         op->full_name ? op->full_name : op->op));
        prove_weights(scan, op, NULL, false);
        return;
    }
    bool same_kind = strcmp(kind_name(first->kind), op->mark) == 0;
    if (!same_kind)
        fig_scan_finding(
            scan, "mark", first->item->line,
            g_strdup_printf("a %s for ‘%s’", kind_name(first->kind), op->id),
            g_strdup_printf("%s is drawn as a %s", op->op, op->mark));
    if (!first->same_op && same_kind)
        scan->report->ops_found++;
    bool whole = prove_label(scan, first);
    prove_weights(scan, op, first, whole);
    prove_mark_hints(scan, first);
}

void
fig_prove_marks(FigScan *scan)
{
    scan->report->ops = scan->record->n_ops;
    for (int i = 0; i < scan->record->n_ops; i++)
        prove_op_mark(scan, &scan->record->ops[i]);
    for (guint i = 0; i < scan->marks->len; i++) {
        FigSeenMark *mark = scan->marks->pdata[i];
        if (mark->kind > FIG_SEEN_FORK || mark->op)
            continue;
        g_autofree char *words = words_in(scan, mark);
        fig_scan_finding(scan, "mark", mark->item->line,
                         g_strdup_printf("a mark ‘%s’ %s%s", words,
                                         mark->step ? "with number " : "without number",
                                         mark->step ? mark->step->text : ""),
                         g_strdup("no op of the run is drawn by it"));
    }
}
