/* SPDX-License-Identifier: MIT
 *
 * Width in terminal cells from GLib's Unicode tables, and the edit distance behind
 * «did you mean».
 */
#include "base/cells.h"

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum {
    LONGEST_WORD = 64, /* longer ones are sentences: nothing to suggest */
};

int
fig_cells(const char *text, size_t length)
{
    int cells = 0;
    for (const char *p = text, *end = text + length; p < end;) {
        gunichar c = g_utf8_get_char_validated(p, end - p);
        if (c == (gunichar)-1 || c == (gunichar)-2) {
            cells++;
            p++;
            continue;
        }
        if (g_unichar_iscntrl(c))
            cells++;
        else if (!g_unichar_iszerowidth(c))
            cells += g_unichar_iswide(c) ? 2 : 1;
        p = g_utf8_next_char(p);
    }
    return cells;
}

/* Characters of a word; bytes where it is not UTF-8. -1: too long. */
static int
characters(const char *word, gunichar out[LONGEST_WORD])
{
    bool utf8 = g_utf8_validate(word, -1, NULL);
    int n = 0;
    for (const char *p = word; *p; p = utf8 ? g_utf8_next_char(p) : p + 1) {
        if (n == LONGEST_WORD)
            return -1;
        out[n++] = utf8 ? g_utf8_get_char(p) : (unsigned char)*p;
    }
    return n;
}

int
fig_word_distance(const char *a, const char *b, int limit)
{
    gunichar x[LONGEST_WORD], y[LONGEST_WORD];
    int n = characters(a, x), m = characters(b, y);
    if (n < 0 || m < 0 || ABS(n - m) > limit)
        return limit + 1;
    int cost[LONGEST_WORD + 1][LONGEST_WORD + 1];
    for (int i = 0; i <= n; i++) {
        for (int j = 0; j <= m; j++) {
            if (i == 0 || j == 0) {
                cost[i][j] = i + j;
                continue;
            }
            int best = cost[i - 1][j - 1] + (x[i - 1] != y[j - 1]);
            best = MIN(best, cost[i - 1][j] + 1);
            best = MIN(best, cost[i][j - 1] + 1);
            if (i > 1 && j > 1 && x[i - 1] == y[j - 2] && x[i - 2] == y[j - 1])
                best = MIN(best, cost[i - 2][j - 2] + 1);
            cost[i][j] = best;
        }
    }
    return MIN(cost[n][m], limit + 1);
}

const char *
fig_word_suggest(const char *word, const char *const *words)
{
    int length = (int)g_utf8_strlen(word, -1);
    /* a third of the word may be wrong, but never all of it */
    int limit = MIN(MAX(length / 3, 1), MIN(length - 1, 4));
    const char *best = NULL;
    int best_distance = limit + 1;
    for (; *words; words++) {
        if (g_ascii_strcasecmp(word, *words) == 0)
            return *words;
        int distance = fig_word_distance(word, *words, limit);
        if (distance < best_distance) {
            best_distance = distance;
            best = *words;
        }
    }
    return best;
}
