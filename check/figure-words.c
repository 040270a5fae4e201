/* SPDX-License-Identifier: MIT
 *
 * A figure that another version of opfig drew: its marks may stand elsewhere than in a
 * fresh drawing, and its lines may break elsewhere, but it says the same words, as often.
 * So the legend, the footer and all that no rule proves by itself are held too.
 */
#include "check/figure-scan.h"

#include <string.h>

enum { MOST_WORDS = 12 }; /* that are named */

/* How often each word stands in a drawing; that of the version counts as ours. */
static GHashTable *
count_words(const GPtrArray *leaves, const char *version, const char *ours)
{
    GHashTable *count = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint i = 0; i < leaves->len; i++) {
        const FigSvgItem *text = leaves->pdata[i];
        if (text->kind != FIG_ITEM_TEXT)
            continue;
        g_auto(GStrv) words = g_strsplit_set(text->text, " \t\n", -1);
        for (int w = 0; words[w]; w++) {
            const char *word =
                version && strcmp(words[w], version) == 0 ? ours : words[w];
            int n = GPOINTER_TO_INT(g_hash_table_lookup(count, word)) + 1;
            if (*word)
                g_hash_table_insert(count, g_strdup(word), GINT_TO_POINTER(n));
        }
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

static void
compare(FigScan *scan, GHashTable *words, GHashTable *other, bool missing, int *named)
{
    g_autoptr(GList) keys =
        g_list_sort(g_hash_table_get_keys(words), (GCompareFunc)strcmp);
    for (GList *key = keys; key && *named < MOST_WORDS; key = key->next) {
        int n = GPOINTER_TO_INT(g_hash_table_lookup(words, key->data));
        int m = GPOINTER_TO_INT(g_hash_table_lookup(other, key->data));
        if (n <= m)
            continue;
        const FigSvgItem *at = missing ? NULL : text_with(scan->leaves, key->data);
        fig_scan_finding(
            scan, "text", at ? at->line : 0,
            g_strdup_printf("‘%s’ stands there %d times", (char *)key->data,
                            missing ? m : n),
            g_strdup_printf("a fresh drawing says it %d times", missing ? n : m));
        (*named)++;
    }
}

void
fig_prove_words(FigScan *scan)
{
    const FigTruth *truth = scan->truth;
    const char *version = scan->svg->carried.version, *ours = truth->record->version;
    g_autoptr(GHashTable) seen = count_words(scan->leaves, version, ours);
    g_autoptr(GHashTable) fresh = count_words(truth->leaves, NULL, ours);
    int named = 0;
    compare(scan, seen, fresh, false, &named);
    compare(scan, fresh, seen, true, &named);
    /* the footer says by which version: a figure is not of another by its metadata alone */
    if (text_with(truth->leaves, ours) && !text_with(scan->leaves, version))
        fig_scan_finding(scan, "record", 0,
                         g_strdup_printf("data-opfig=\"%.40s\"", version),
                         g_strdup("its footer says otherwise"));
}
