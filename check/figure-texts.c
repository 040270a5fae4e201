/* SPDX-License-Identifier: MIT
 *
 * Shapes, names and numbers. A shape or name belongs to one mark or edge by where it
 * stands, and must be that of the value which leaves the mark or runs along the edge. A
 * number that was computed is computed again.
 */
#include "check/figure-scan.h"

#include "base/num.h"
#include "check/shape-text.h"

#include <math.h>
#include <string.h>

static const double TERMINAL_REACH = 60; /* from an input's words to its shape */

/* ---- shapes ---- */

/* "(B, T, 3C)": a parenthesis around terms. */
static bool
is_shape(FigScan *scan, const FigSvgItem *text)
{
    const char *folded = fig_scan_folded(scan, text);
    size_t length = strlen(folded);
    return length > 2 && folded[0] == '(' && folded[length - 1] == ')' &&
           !strchr(text->text, '.') && (strchr(folded, ',') || length < 8);
}

/* ---- owners ---- */

typedef struct Owner {
    const char *value;
    const char *words; /* "the edge from ‘scores’ to ‘mask’" */
} Owner;

static const char *
edge_words(FigScan *scan, const FigSeenEdge *edge)
{
    return fig_arena_printf(scan->report->arena, "the edge from %s to %s",
                            fig_seen_words(scan, edge->from),
                            fig_seen_words(scan, edge->to));
}

/* The input or output beside whose words a text stands, on the same line. */
static const FigSeenMark *
terminal_of(const FigScan *scan, const FigSvgItem *text)
{
    const FigSeenMark *best = NULL;
    double least = TERMINAL_REACH;
    for (guint i = 0; i < scan->terminals->len; i++) {
        const FigSeenMark *mark = scan->terminals->pdata[i];
        if (fabs(text->spans[0].y - mark->label->spans[0].y) > 1)
            continue;
        double gap = MAX(text->bounds.left - mark->label->bounds.right,
                         mark->label->bounds.left - text->bounds.right);
        if (gap < least) {
            best = mark;
            least = gap;
        }
    }
    return best;
}

/* The text right before another on its line: a shape stands after the name it is of. */
static const FigSvgItem *
text_before(const FigScan *scan, const FigSvgItem *text)
{
    double left = text->bounds.left, y = text->spans[0].y;
    g_autoptr(GPtrArray) around = fig_scan_around(
        scan, (FigBounds){left - FIG_BESIDE, y - 0.5, left + 3, y + 0.5});
    for (guint i = 0; i < around->len; i++) {
        const FigSvgItem *other = around->pdata[i];
        double gap = left - other->bounds.right;
        if (other->kind == FIG_ITEM_TEXT && other != text && other->n_spans > 0 &&
            fabs(other->spans[0].y - y) < 0.5 && gap > -3 && gap < FIG_BESIDE)
            return other;
    }
    return NULL;
}

/* Whose text it is: the value that leaves the mark, or runs along the edge; of the two the
 * nearer. A shape right behind other words is whose they are. */
static Owner
owner_of(FigScan *scan, const FigSvgItem *text)
{
    const FigSeenMark *terminal = terminal_of(scan, text);
    if (terminal)
        return (Owner){terminal->value, fig_seen_words(scan, terminal)};
    const FigSvgItem *before = is_shape(scan, text) ? text_before(scan, text) : NULL;
    if (before && !is_shape(scan, before))
        return owner_of(scan, before);
    double beside;
    const FigSeenEdge *edge = fig_scan_beside(scan, text, &beside);
    const FigSeenMark *mark = fig_scan_row(scan, text, 0);
    if (mark && mark->op && mark->op->n_writes == 1 &&
        fig_row_gap(scan, text, mark->bounds, 0) <= beside)
        return (Owner){mark->op->writes[0].value, fig_seen_words(scan, mark)};
    if (edge)
        return (Owner){edge->value, edge_words(scan, edge)};
    return (Owner){NULL, NULL};
}

static void
prove_shape(FigScan *scan, const FigSvgItem *text)
{
    Owner owner = owner_of(scan, text);
    const char *hint = fig_svg_hint(text, FIG_HINT_SHAPE);
    scan->role[text->order] = FIG_ROLE_SHAPE;
    if (!owner.words) {
        fig_scan_finding(
            scan, "shape", text->line,
            g_strdup_printf("the shape %s stands at no mark and no edge", text->text),
            g_strdup("a shape belongs to what it stands at"));
        return;
    }
    if (!owner.value) /* an edge that stands for nothing: said already */
        return;
    const FigRecordValue *value = fig_record_value(scan->record, owner.value);
    g_autofree char *symbols = fig_shape_print(scan->record, value, false);
    g_autofree char *sizes = fig_shape_print(scan->record, value, true);
    if (!fig_same_words(text->text, symbols) && !fig_same_words(text->text, sizes))
        fig_scan_finding(scan, "shape", text->line,
                         g_strdup_printf("the shape %s at %s", text->text, owner.words),
                         g_strdup_printf("‘%s’ has %s", owner.value, symbols));
    else
        scan->report->shapes++;
    if (hint && strcmp(hint, owner.value) != 0)
        fig_scan_finding(scan, "hint", text->line,
                         g_strdup_printf("data-shape=\"%s\" at %s", hint, owner.words),
                         g_strdup_printf("‘%s’ is what runs there", owner.value));
}

/* ---- names ---- */

/* The labels of values, folded. owns: the caller */
static GHashTable *
find_labels(const FigScan *scan)
{
    GHashTable *labels = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (int i = 0; i < scan->record->n_values; i++) {
        const FigRecordValue *value = &scan->record->values[i];
        if (value->labelled)
            g_hash_table_add(labels,
                             fig_fold(fig_truth_math(scan->truth, value->label)));
    }
    return labels;
}

static void
prove_name(FigScan *scan, const FigSvgItem *text, GHashTable *labels)
{
    const char *hint = fig_svg_hint(text, FIG_HINT_NAME);
    bool label = g_hash_table_contains(labels, fig_scan_folded(scan, text));
    if (!hint && !(label && fig_scan_beside(scan, text, NULL)))
        return;
    Owner owner = owner_of(scan, text);
    scan->role[text->order] = FIG_ROLE_NAME;
    if (!owner.value) {
        if (!owner.words)
            fig_scan_finding(
                scan, "name", text->line,
                g_strdup_printf("the name %s stands at no mark and no edge",
                                text->text),
                g_strdup("a name belongs to what it stands at"));
        return;
    }
    const FigRecordValue *value = fig_record_value(scan->record, owner.value);
    const char *plain = fig_truth_math(scan->truth, value->label);
    if (!fig_same_words(plain, text->text))
        fig_scan_finding(scan, "name", text->line,
                         g_strdup_printf("the name %s at %s", text->text, owner.words),
                         g_strdup_printf("‘%s’ is named %s", owner.value, plain));
    if (hint && strcmp(hint, owner.value) != 0)
        fig_scan_finding(scan, "hint", text->line,
                         g_strdup_printf("data-name=\"%s\" at %s", hint, owner.words),
                         g_strdup_printf("‘%s’ is what runs there", owner.value));
}

/* ---- numbers ---- */

/* "5·10⁵" as 5e5, digits without commas, a share with its sign: the same number in
 * another dress; NAN: no number. */
static double
number_value(const char *text, bool share)
{
    static const char *const raised[] = {"⁰", "¹", "²", "³", "⁴",
                                         "⁵", "⁶", "⁷", "⁸", "⁹"};
    g_autofree char *folded = fig_fold(text);
    g_autoptr(GString) plain = g_string_new(folded);
    double value;

    g_string_replace(plain, ",", "", 0);
    g_string_replace(plain, "·10", "e", 0);
    g_string_replace(plain, "⁻", "-", 0);
    for (int i = 0; i < 10; i++)
        g_string_replace(plain, raised[i], (const char[]){(char)('0' + i), '\0'}, 0);
    if (g_str_has_prefix(plain->str, "10") && !strchr(plain->str, 'e') &&
        strcmp(plain->str, folded) != 0 && !strchr(text, ',')) /* 10⁵ */
        g_string_replace(plain, "10", "1e", 1);
    if (share && g_str_has_suffix(plain->str, "%"))
        g_string_truncate(plain, plain->len - 1);
    return fig_num_read_real(plain->str, &value) ? value : NAN;
}

/* "676.1 M": the number by its unit, as it would be printed. */
static bool
same_by_unit(const char *seen, double right)
{
    g_autoptr(GString) text = g_string_new(NULL);
    if (!(right >= 10000 && right < 0x1p63))
        return false;
    fig_num_unit(text, (int64_t)right);
    return fig_same_words(seen, text->str);
}

static bool
same_number(const char *seen, const char *right, const char *expr)
{
    bool share = g_str_has_prefix(expr, "share(");
    if (fig_same_words(seen, right) || same_by_unit(seen, number_value(right, false)))
        return true;
    double a = number_value(seen, share), b = number_value(right, share);
    return fabs(a - b) <= 1e-12 * fabs(b); /* false for what is no number */
}

static void
prove_number(FigScan *scan, const FigSvgItem *text)
{
    const char *expr = fig_svg_hint(text, FIG_HINT_NUMBER);
    if (!expr || !scan->truth->number)
        return;
    const char *right = fig_truth_number(scan->truth, expr);
    if (scan->role[text->order] == FIG_ROLE_UNKNOWN)
        scan->role[text->order] = FIG_ROLE_WORDS;
    if (right && same_number(text->text, right, expr))
        scan->report->numbers++;
    else
        fig_scan_finding(scan, "number", text->line,
                         g_strdup_printf("%s for %s", text->text, expr),
                         g_strdup(right ? right : "it is no number of this spec"));
}

/* "θ =" beside a mark: the constant that an attribute of its op names. */
static bool
names_constant(FigScan *scan, const FigSvgItem *text)
{
    const FigSeenMark *mark = fig_scan_row(scan, text, 0);
    const FigRecord *record = scan->record;
    for (int a = 0; mark && mark->op && a < mark->op->n_attributes; a++) {
        for (int c = 0; c < record->n_constants; c++) {
            const FigRecordConstant *constant = &record->constants[c];
            if (strcmp(mark->op->attributes[a].text, constant->id) != 0)
                continue;
            g_autofree char *name = g_strdup_printf("$%s =$", constant->label);
            if (fig_same_words(text->text, fig_truth_plain(scan->truth, name)))
                return true;
        }
    }
    return false;
}

void
fig_prove_texts(FigScan *scan)
{
    g_autoptr(GHashTable) labels = find_labels(scan);
    for (guint i = 0; i < scan->leaves->len; i++) {
        const FigSvgItem *text = scan->leaves->pdata[i];
        if (text->kind != FIG_ITEM_TEXT)
            continue;
        prove_number(scan, text);
        if (scan->role[i] || text->n_spans == 0)
            continue;
        if (is_shape(scan, text))
            prove_shape(scan, text);
        else if (names_constant(scan, text))
            scan->role[i] = FIG_ROLE_LABEL;
        else
            prove_name(scan, text, labels);
    }
}
