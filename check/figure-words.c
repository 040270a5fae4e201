/* SPDX-License-Identifier: MIT
 *
 * A figure that another opfig drew, or other fonts: its marks may stand elsewhere than in a
 * fresh drawing, and its lines may break elsewhere, but it says the same words in the same
 * looks, as often, and its letters stand beside each other as letters do. So the legend,
 * the footer and all that no rule proves by itself are held too.
 */
#include "check/figure-scan.h"

#include <math.h>
#include <string.h>

enum {
    MOST_NAMED = 12, /* of words or looks */
    LEAST_GAPS = 3,  /* that tell how wide letters are */
};

/* points: what a digit of the last place makes of a distance */
static const double AS_WIDE = 0.03;
/* how much wider or narrower a text of another font may be, of its width, and besides */
static const double OTHER_WIDTH = 0.4, OTHER_GAP = 2;

/* ---- words and looks, as often ---- */

/* The words of a text; that of the version counts as ours. Of the same opfig with their
 * looks: its theme gives the colours. */
static void
count_words(GHashTable *count, const FigScan *scan, const FigSvgItem *text)
{
    const char *version = scan->svg->carried.version, *ours = scan->record->version;
    for (int s = 0; s < text->n_spans; s++) {
        const FigSvgLook *look = &text->spans[s].look;
        g_auto(GStrv) words = g_strsplit_set(text->spans[s].text, " \t\n", -1);
        for (int w = 0; words[w]; w++) {
            bool theirs = scan->versions.opfig && strcmp(words[w], version) == 0;
            const char *word = theirs ? ours : words[w];
            if (*word && scan->versions.opfig)
                fig_count(count, g_strdup_printf("‘%s’", word));
            else if (*word)
                fig_count(count, g_strdup_printf("‘%s’ in %s, %s %d%s", word,
                                                 look->fill, look->family, look->weight,
                                                 look->italic ? " italic" : ""));
        }
    }
}

static GHashTable *
count_all(const FigScan *scan, const GPtrArray *leaves)
{
    GHashTable *count = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint i = 0; i < leaves->len; i++) {
        const FigSvgItem *item = leaves->pdata[i];
        if (item->kind == FIG_ITEM_TEXT)
            count_words(count, scan, item);
        else if (item->kind == FIG_ITEM_RECT && !scan->versions.opfig)
            fig_count(count, g_strdup_printf("a rectangle in %s, border %s%s%s",
                                             item->look.fill, item->look.stroke,
                                             *item->look.dash ? ", dashed " : "",
                                             item->look.dash));
    }
    return count;
}

static const FigSvgItem *
text_with(const GPtrArray *leaves, const char *word)
{
    for (guint i = 0; i < leaves->len; i++) {
        const FigSvgItem *text = leaves->pdata[i];
        if (text->kind == FIG_ITEM_TEXT && strstr(text->text, word))
            return text;
    }
    return NULL;
}

/* The text with the word of a key: ‘word’ in …, or NULL. */
static const FigSvgItem *
text_of_key(const GPtrArray *leaves, const char *key)
{
    const char *end = strstr(key, "’");
    if (!g_str_has_prefix(key, "‘") || !end)
        return NULL;
    key += strlen("‘");
    g_autofree char *word = g_strndup(key, (gsize)(end - key));
    return text_with(leaves, word);
}

static void
compare(FigScan *scan, GHashTable *counts, GHashTable *other, bool missing, int *named)
{
    g_autoptr(GList) keys =
        g_list_sort(g_hash_table_get_keys(counts), (GCompareFunc)strcmp);
    for (GList *key = keys; key && *named < MOST_NAMED; key = key->next) {
        int n = GPOINTER_TO_INT(g_hash_table_lookup(counts, key->data));
        int m = GPOINTER_TO_INT(g_hash_table_lookup(other, key->data));
        if (n <= m)
            continue;
        const FigSvgItem *at = missing ? NULL : text_of_key(scan->leaves, key->data);
        fig_scan_finding(
            scan, "text", at ? at->line : 0,
            g_strdup_printf("%s stands there %d times", (char *)key->data,
                            missing ? m : n),
            g_strdup_printf("a fresh drawing has it %d times", missing ? n : m));
        (*named)++;
    }
}

/* ---- letters beside each other ---- */

/* What a text is set of: its spans with their looks. owns: the caller */
static char *
key_of(const FigSvgItem *text)
{
    GString *key = g_string_new(NULL);
    for (int s = 0; s < text->n_spans; s++)
        g_string_append_printf(key, "%s\n%.2f %d %d %d\n", text->spans[s].text,
                               text->spans[s].look.size, text->spans[s].look.weight,
                               text->spans[s].look.italic, text->spans[s].placed);
    return g_string_free(key, FALSE);
}

/* Texts of several spans by what they are set of. owns: the caller; items are not */
static GHashTable *
texts_by_key(const GPtrArray *leaves)
{
    GHashTable *texts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint i = 0; i < leaves->len; i++) {
        const FigSvgItem *text = leaves->pdata[i];
        if (text->kind == FIG_ITEM_TEXT && text->n_spans > 1)
            g_hash_table_insert(texts, key_of(text), (gpointer)text);
    }
    return texts;
}

/* The text of the fresh drawing that is set of the same, or NULL. */
static const FigSvgItem *
like_of(GHashTable *fresh, const FigSvgItem *text)
{
    if (text->kind != FIG_ITEM_TEXT)
        return NULL;
    g_autofree char *key = key_of(text);
    return g_hash_table_lookup(fresh, key);
}

/* The last span before one that says its place, or -1: it is the first, or on its own. */
static int
before(const FigSvgItem *text, int span)
{
    if (!text->spans[span].placed)
        return -1;
    for (int s = span - 1; s >= 0; s--)
        if (text->spans[s].placed)
            return s;
    return -1;
}

/* How far a span is from the one before, here and there apart; and there. */
static double
off_by(const FigSvgItem *a, const FigSvgItem *b, int span, int from, double *width)
{
    double there = b->spans[span].x - b->spans[from].x;
    *width = fabs(there);
    return fabs(a->spans[span].x - a->spans[from].x - there);
}

static double
rise_off_by(const FigSvgItem *a, const FigSvgItem *b, int span, int from)
{
    return fabs((a->spans[span].y - a->spans[from].y) -
                (b->spans[span].y - b->spans[from].y));
}

/* May letters of this look be of another width, by what the figure says of its fonts? */
static bool
may_differ(const FigScan *scan, const FigSvgLook *look)
{
    bool may = !scan->versions.families;
    for (int i = 0; !may && scan->versions.families[i]; i++)
        may = strstr(look->family, scan->versions.families[i]) != NULL;
    return may;
}

bool
fig_letters_as_wide(const FigScan *scan)
{
    g_autoptr(GHashTable) fresh = texts_by_key(scan->truth->leaves);
    int gaps = 0, as_wide = 0;
    for (guint i = 0; i < scan->leaves->len; i++) {
        const FigSvgItem *text = scan->leaves->pdata[i], *like = like_of(fresh, text);
        for (int s = 1; like && s < text->n_spans; s++) {
            int from = before(text, s);
            double width;
            if (from < 0 || !may_differ(scan, &text->spans[from].look))
                continue;
            gaps++;
            as_wide += off_by(text, like, s, from, &width) < AS_WIDE;
        }
    }
    return gaps < LEAST_GAPS || 2 * as_wide > gaps;
}

/* A letter far from where any font would set it is not read with its word. */
static void
prove_spans(FigScan *scan)
{
    g_autoptr(GHashTable) fresh = texts_by_key(scan->truth->leaves);
    for (guint i = 0; i < scan->leaves->len; i++) {
        const FigSvgItem *text = scan->leaves->pdata[i], *like = like_of(fresh, text);
        for (int s = 1; like && s < text->n_spans; s++) {
            int from = before(text, s);
            double width;
            if (from < 0 || (off_by(text, like, s, from, &width) <=
                                 OTHER_WIDTH * width + OTHER_GAP &&
                             rise_off_by(text, like, s, from) <= OTHER_GAP))
                continue;
            fig_scan_finding(scan, "text", text->line,
                             g_strdup_printf("‘%s’ of ‘%s’ stands elsewhere",
                                             text->spans[s].text, text->text),
                             g_strdup("no font is so much wider or narrower"));
            break;
        }
    }
}

/* ---- the proof ---- */

void
fig_prove_words(FigScan *scan)
{
    g_autoptr(GHashTable) seen = count_all(scan, scan->leaves);
    g_autoptr(GHashTable) fresh = count_all(scan, scan->truth->leaves);
    int named = 0;
    compare(scan, seen, fresh, false, &named);
    compare(scan, fresh, seen, true, &named);
    fig_prove_said(scan);
    prove_spans(scan);
}

bool
fig_version_in_footer(const FigScan *scan)
{
    return !text_with(scan->truth->leaves, scan->record->version) ||
           text_with(scan->leaves, scan->svg->carried.version);
}
