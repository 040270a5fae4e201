/* SPDX-License-Identifier: MIT
 *
 * Marks against ops: one mark of its kind for each step, with its label and the weights
 * it reads; and the look of each class, which all its marks share and no other class has.
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

/* ---- classes ---- */

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

/* ---- panels ---- */

/* The texts that are the title of a group; of two groups of one title, those of the first.
 * owns: scan */
static const GPtrArray *
titles_of(FigScan *scan, const FigRecordGroup *group, GHashTable *taken)
{
    const char *title =
        fig_truth_plain(scan->truth, group->title ? group->title : group->id);
    const GPtrArray *texts = fig_scan_texts(scan, title);
    return texts && g_hash_table_add(taken, (gpointer)texts) ? texts : NULL;
}

/* The ops of each group, in order: by its id, GPtrArray of FigRecordOp. owns: the caller */
static GHashTable *
ops_by_group(const FigRecord *record)
{
    GHashTable *groups = g_hash_table_new_full(g_str_hash, g_str_equal, NULL,
                                               (GDestroyNotify)g_ptr_array_unref);
    for (int i = 0; i < record->n_ops; i++) {
        const FigRecordOp *op = &record->ops[i];
        for (int g = 0; g < op->n_groups; g++) {
            GPtrArray *ops = g_hash_table_lookup(groups, op->groups[g]);
            if (!ops)
                g_hash_table_insert(groups, (gpointer)op->groups[g],
                                    ops = g_ptr_array_new());
            g_ptr_array_add(ops, (gpointer)op);
        }
    }
    return groups;
}

static bool
in_group(const FigRecordOp *op, const char *id)
{
    for (int i = 0; i < op->n_groups; i++)
        if (strcmp(op->groups[i], id) == 0)
            return true;
    return false;
}

/* The panel that holds a title: the smallest around it. */
static const FigSvgItem *
panel_around(const FigScan *scan, FigBounds inner)
{
    const FigSvgItem *best = NULL;
    FigBounds start = {inner.left, inner.top, inner.left, inner.bottom};
    g_autoptr(GPtrArray) around = fig_scan_around(scan, start);
    for (guint i = 0; i < around->len; i++) {
        const FigSvgItem *panel = around->pdata[i];
        if (scan->role[panel->order] == FIG_ROLE_PANEL &&
            fig_bounds_hold(panel->bounds, start, 0) &&
            (!best || fig_bounds_hold(best->bounds, panel->bounds, 0)))
            best = panel;
    }
    return best;
}

/* The text right behind another on its line, or NULL. */
static const FigSvgItem *
text_behind(const FigScan *scan, const FigSvgItem *text)
{
    enum { FAR = 9 }; /* points */
    const FigSvgItem *next = NULL;
    FigBounds b = text->bounds;
    g_autoptr(GPtrArray) around =
        fig_scan_around(scan, (FigBounds){b.right, b.top, b.right + FAR, b.bottom});
    for (guint i = 0; i < around->len; i++) {
        const FigSvgItem *other = around->pdata[i];
        double gap = other->bounds.left - b.right;
        double middle = (other->bounds.top + other->bounds.bottom) / 2;
        if (other->kind == FIG_ITEM_TEXT && other != text && gap > 0 && gap < FAR &&
            middle > b.top && middle < b.bottom &&
            (!next || gap < next->bounds.left - b.right))
            next = other;
    }
    return next;
}

/* Behind the number of passes stands of which kinds they are, where there are several. */
static void
prove_kinds(FigScan *scan, const FigRecordGroup *group, const FigSvgItem *number)
{
    const FigSvgItem *panel = panel_around(scan, number->bounds);
    if (panel && fig_prove_strip(scan, group, panel, number))
        return;
    const FigSvgItem *text = text_behind(scan, number);
    g_autofree char *pattern = fig_record_pattern(group);
    if (!pattern || (text && fig_same_words(text->text, pattern)))
        return;
    fig_scan_finding(scan, "panel", (text ? text : number)->line,
                     g_strdup_printf("the layers of ‘%s’ are drawn as %s", group->id,
                                     text ? text->text : "of one kind"),
                     g_strdup_printf("they are %s", pattern));
}

/* Behind the title of a repeat stands how often its ops run, and behind no other. */
static void
prove_times(FigScan *scan, const FigRecordGroup *group, const FigSvgItem *title)
{
    const FigSvgItem *sign = text_behind(scan, title);
    bool times = sign && strcmp(sign->text, "×") == 0;
    const FigSvgItem *number = times ? text_behind(scan, sign) : NULL;
    g_autofree char *passes = g_strdup_printf("%" G_GINT64_FORMAT, group->passes);
    if (!group->repeat && !times)
        return;
    if (group->repeat && number && strcmp(number->text, passes) == 0) {
        prove_kinds(scan, group, number);
        return;
    }
    fig_scan_finding(
        scan, number ? "number" : "panel", (number ? number : title)->line,
        number
            ? g_strdup_printf("‘%s’ is drawn to run %s times", group->id, number->text)
            : g_strdup_printf("‘%s’ is not drawn as a repeat", group->id),
        group->repeat ? g_strdup_printf("its ops run %s times", passes)
                      : g_strdup("it is no repeat"));
}

static void
prove_panel(FigScan *scan, const FigRecordGroup *group, const FigSvgItem *panel,
            GHashTable *inside)
{
    g_autoptr(GPtrArray) around = fig_scan_marks_around(scan, panel->bounds);
    for (guint i = 0; i < around->len; i++) {
        const FigSeenMark *mark = around->pdata[i];
        if (!mark->op || mark->kind > FIG_SEEN_FORK ||
            !fig_bounds_hold(panel->bounds, mark->bounds, 0))
            continue;
        g_hash_table_add(inside, (gpointer)mark->op);
        if (!in_group(mark->op, group->id))
            fig_scan_finding(scan, "panel", mark->item->line,
                             g_strdup_printf("‘%s’ stands in the panel of ‘%s’",
                                             mark->op->id, group->id),
                             g_strdup_printf("it is not part of ‘%s’", group->id));
    }
    const char *hint = fig_svg_hint(panel, FIG_HINT_PANEL);
    if (hint && strcmp(hint, group->id) != 0)
        fig_scan_finding(scan, "hint", panel->line,
                         g_strdup_printf("data-panel=\"%s\"", hint),
                         g_strdup_printf("its title is that of ‘%s’", group->id));
}

void
fig_prove_panels(FigScan *scan)
{
    g_autoptr(GHashTable) titled = g_hash_table_new(NULL, NULL); /* panels */
    g_autoptr(GHashTable) taken = g_hash_table_new(NULL, NULL);  /* titles */
    g_autoptr(GHashTable) members = ops_by_group(scan->record);
    for (int g = 0; g < scan->record->n_groups; g++) {
        const FigRecordGroup *group = &scan->record->groups[g];
        const GPtrArray *titles = titles_of(scan, group, taken);
        const GPtrArray *ops = g_hash_table_lookup(members, group->id);
        g_autoptr(GHashTable) inside = g_hash_table_new(NULL, NULL); /* ops */
        bool found = false;
        for (guint i = 0; titles && i < titles->len; i++) {
            const FigSvgItem *text = titles->pdata[i];
            const FigSvgItem *panel =
                scan->role[text->order] ? NULL : panel_around(scan, text->bounds);
            if (!panel || !g_hash_table_add(titled, (gpointer)panel))
                continue;
            scan->role[text->order] = FIG_ROLE_WORDS;
            found = true;
            prove_panel(scan, group, panel, inside);
            prove_times(scan, group, text);
        }
        for (guint i = 0; found && ops && i < ops->len; i++) {
            const FigRecordOp *op = ops->pdata[i];
            const FigSeenMark *mark = fig_scan_mark(scan, op);
            if (mark && !g_hash_table_contains(inside, op))
                fig_scan_finding(
                    scan, "panel", mark->item->line,
                    g_strdup_printf("‘%s’ stands outside the panel of ‘%s’", op->id,
                                    group->id),
                    g_strdup_printf("it is part of ‘%s’", group->id));
        }
    }
    for (guint i = 0; i < scan->panels->len; i++) {
        const FigSvgItem *panel = scan->panels->pdata[i];
        if (!g_hash_table_contains(titled, panel))
            fig_scan_finding(scan, "panel", panel->line,
                             g_strdup("a panel without the title of a group"),
                             g_strdup("every panel is a group of ops"));
    }
}
