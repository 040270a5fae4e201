/* SPDX-License-Identifier: MIT
 *
 * Panels against groups: each has the title of its group, holds the ops of it and no others,
 * and says how often they run.
 */
#include "check/figure-scan.h"

#include <string.h>

/* The texts that are the title of a group. owns: scan; NULL: none */
static const GPtrArray *
titles_of(FigScan *scan, const FigRecordGroup *group)
{
    const char *title =
        fig_truth_plain(scan->truth, group->title ? group->title : group->id);
    return fig_scan_texts(scan, title);
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

/* The marks of ops in a panel. owns: the caller */
static GPtrArray *
marks_in(const FigScan *scan, const FigSvgItem *panel)
{
    GPtrArray *marks = fig_scan_marks_around(scan, panel->bounds);
    for (guint i = marks->len; i-- > 0;) {
        const FigSeenMark *mark = marks->pdata[i];
        if (!mark->op || mark->kind > FIG_SEEN_FORK ||
            !fig_bounds_hold(panel->bounds, mark->bounds, 0))
            g_ptr_array_remove_index(marks, i);
    }
    return marks;
}

/* The group of a title of whose ops a panel holds most, or NULL; of one in the other it
 * holds as many, where it is the inner one's. titles: of all groups */
static const FigRecordGroup *
group_of(const FigScan *scan, const FigSvgItem *panel, const GPtrArray *title,
         const GPtrArray **titles, GHashTable *members)
{
    const FigRecordGroup *best = NULL;
    g_autoptr(GPtrArray) marks = marks_in(scan, panel);
    guint most = 0, fewest = 0;
    for (int g = 0; g < scan->record->n_groups; g++) {
        const FigRecordGroup *group = &scan->record->groups[g];
        const GPtrArray *ops =
            titles[g] == title ? g_hash_table_lookup(members, group->id) : NULL;
        guint n = 0;
        for (guint i = 0; ops && i < marks->len; i++)
            n += in_group(((const FigSeenMark *)marks->pdata[i])->op, group->id);
        if (n > most || (n > 0 && n == most && ops->len < fewest)) {
            best = group;
            most = n;
            fewest = ops->len;
        }
    }
    return best;
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
    g_autoptr(GPtrArray) marks = marks_in(scan, panel);
    for (guint i = 0; i < marks->len; i++) {
        const FigSeenMark *mark = marks->pdata[i];
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
    g_autoptr(GHashTable) owners = g_hash_table_new(NULL, NULL); /* … to their groups */
    g_autoptr(GHashTable) members = ops_by_group(scan->record);
    g_autofree const GPtrArray **titles =
        g_new0(const GPtrArray *, scan->record->n_groups + 1);
    for (int g = 0; g < scan->record->n_groups; g++)
        titles[g] = titles_of(scan, &scan->record->groups[g]);
    for (int g = 0; g < scan->record->n_groups; g++) {
        const FigRecordGroup *group = &scan->record->groups[g];
        const GPtrArray *texts = titles[g];
        const GPtrArray *ops = g_hash_table_lookup(members, group->id);
        g_autoptr(GHashTable) inside = g_hash_table_new(NULL, NULL); /* ops */
        bool found = false;
        for (guint i = 0; texts && i < texts->len; i++) {
            const FigSvgItem *text = texts->pdata[i];
            const FigSvgItem *panel =
                scan->role[text->order] ? NULL : panel_around(scan, text->bounds);
            if (!panel || g_hash_table_contains(titled, panel))
                continue;
            gpointer its = NULL;
            if (!g_hash_table_lookup_extended(owners, panel, NULL, &its)) {
                its = (gpointer)group_of(scan, panel, texts, titles, members);
                g_hash_table_insert(owners, (gpointer)panel, its);
            }
            if (its && its != group)
                continue;
            g_hash_table_add(titled, (gpointer)panel);
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
