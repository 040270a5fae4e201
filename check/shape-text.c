/* SPDX-License-Identifier: MIT
 *
 * Shapes in the notation of a record.
 */
#include "check/shape-text.h"

#include "check/figure-scan.h"

#include <string.h>

/* Append a dimension as it is printed: "3*C" gives "3C", dims by their label. */
static void
append_dimension(const FigRecord *record, GString *out, const char *text)
{
    g_autoptr(GString) tex = g_string_new("$");
    bool after_name = false;
    while (*text) {
        size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyz"
                                     "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
        if (length > 0 && !g_ascii_isdigit(*text)) {
            g_autofree char *word = g_strndup(text, length);
            const FigRecordDim *dim = fig_record_dim(record, word);
            g_string_append(tex, dim ? dim->label : word);
            text += length;
            after_name = true;
        } else if (*text == '^') {
            length = strspn(text + 1, "-0123456789");
            g_string_append_printf(tex, "^{%.*s}", (int)length, text + 1);
            text += 1 + length;
        } else {
            if (*text == '*') /* names beside each other are apart; 3C is not */
                g_string_append(tex, g_ascii_isdigit(text[1]) ? "\\cdot "
                                     : after_name             ? "\\,"
                                                              : "");
            else
                g_string_append_c(tex, *text);
            after_name = after_name && *text == '*';
            text++;
        }
    }
    g_string_append_c(tex, '$');
    g_autofree char *plain = fig_text_plain(tex->str);
    g_string_append(out, plain);
}

char *
fig_shape_print(const FigRecord *record, const FigRecordValue *value, bool concrete)
{
    GString *out = g_string_new("(");
    for (int i = 0; i < value->rank; i++) {
        if (i > 0)
            g_string_append(out, ", ");
        if (concrete)
            g_string_append_printf(out, "%" G_GINT64_FORMAT, value->size[i]);
        else
            append_dimension(record, out, value->shape[i]);
    }
    g_string_append_c(out, ')');
    return g_string_free(out, FALSE);
}

/* Without white space and the parentheses around it. owns: the caller */
static char *
bare(const char *text)
{
    char *folded = fig_fold(text);
    size_t length = strlen(folded);
    if (length > 1 && folded[0] == '(' && folded[length - 1] == ')') {
        folded[length - 1] = '\0';
        memmove(folded, folded + 1, length - 1);
    }
    return folded;
}

/* As a spec writes it: "B,T,3*C". owns: the caller */
static char *
spec_text(const FigRecordValue *value)
{
    GString *out = g_string_new(NULL);
    for (int i = 0; i < value->rank; i++)
        g_string_append_printf(out, "%s%s", i ? "," : "", value->shape[i]);
    char *folded = fig_fold(out->str);
    g_string_free(out, TRUE);
    return folded;
}

bool
fig_shape_is(const FigRecord *record, const FigRecordValue *value, const char *text)
{
    g_autofree char *seen = bare(text);
    for (int form = 0; form < 3; form++) {
        g_autofree char *printed =
            form < 2 ? fig_shape_print(record, value, form == 1) : spec_text(value);
        g_autofree char *right = bare(printed);
        if (strcmp(seen, right) == 0)
            return true;
    }
    return false;
}
