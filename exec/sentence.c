/* SPDX-License-Identifier: MIT
 *
 * Placeholders in sentences: "<" opens one only before a letter, "\<" is the sign itself.
 */
#include "exec/record.h"

#include <string.h>

char *
fig_sentence_text(const FigSentence *sentence)
{
    GString *out = g_string_new(NULL);
    int next = 0;
    for (const char *c = sentence->text ? sentence->text : ""; *c; c++) {
        if (c[0] == '\\' && c[1] == '<') {
            g_string_append_c(out, *++c);
            continue;
        }
        const char *end = strchr(c, '>');
        if (c[0] != '<' || !g_ascii_isalpha(c[1]) || !end ||
            next >= sentence->n_numbers) {
            g_string_append_c(out, *c);
            continue;
        }
        g_string_append(out, sentence->numbers[next++]);
        c = end;
    }
    return g_string_free(out, false);
}
