/* SPDX-License-Identifier: MIT
 *
 * Sizes of a record as a person writes them: "6*B*T*C^2" is 6 · B T C².
 */
#include "exec/record.h"

/* A power; gives the first character after it. */
static const char *
append_power(GString *out, const char *at)
{
    const char *end = at + 1;
    while (*end == '-' || g_ascii_isalnum(*end))
        end++;
    g_string_append_printf(out, "^{%.*s}", (int)(end - at - 1), at + 1);
    return end;
}

/* The label of a dim, or an id upright; gives the first character after it. */
static const char *
append_name(GString *out, const FigRecord *record, const char *at)
{
    const char *end = at;
    while (g_ascii_isalnum(*end) || *end == '_')
        end++;
    g_autofree char *id = g_strndup(at, (gsize)(end - at));
    const FigRecordDim *dim = fig_record_dim(record, id);
    if (dim)
        g_string_append(out, dim->label);
    else
        g_string_append_printf(out, "\\mathrm{%s}", id);
    return end;
}

char *
fig_record_tex(const FigRecord *record, const char *expression)
{
    GString *out = g_string_new(NULL);
    bool after_name = false;
    for (const char *at = expression; *at;) {
        if (g_ascii_isalpha(*at) || *at == '_') {
            if (after_name)
                g_string_append(out, "\\,");
            at = append_name(out, record, at);
            after_name = true;
            continue;
        }
        if (*at == '^') {
            at = append_power(out, at);
            continue;
        }
        /* names beside each other need no sign; numbers do */
        if (*at == '*' && !(g_ascii_isalpha(at[1]) || at[1] == '(')) {
            g_string_append(out, "\\cdot ");
            after_name = false;
        } else if (*at != '*') {
            g_string_append_c(out, *at);
            if (*at != ' ')
                after_name = false;
        }
        at++;
    }
    return g_string_free(out, false);
}
