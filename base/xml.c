/* SPDX-License-Identifier: MIT
 *
 * Text inside XML. A spec comes from anywhere and travels in the figure, so its text must
 * be inert there (no `]]>`, no `</script>`, nothing that turns the line around) and come
 * back exactly. XML 1.0 has no way to write most control characters, not even as
 * references, hence an escape of our own below XML's.
 */
#include "base/xml.h"

#include <string.h>

bool
fig_xml_deceives(gunichar c)
{
    return c == 0x61C || c == 0x200E || c == 0x200F || (c >= 0x202A && c <= 0x202E) ||
           (c >= 0x2066 && c <= 0x2069) || c == 0x2028 || c == 0x2029 || c == 0xFEFF;
}

static bool
forbidden(gunichar c)
{
    return c < 0x20 || (c >= 0x7F && c < 0xA0) || (c & 0xFFFE) == 0xFFFE ||
           (c >= 0xFDD0 && c <= 0xFDEF);
}

/* Append what every place in XML wants escaped; false: c is none of these. */
static bool
escape_markup(GString *out, gunichar c)
{
    switch (c) {
    case '&':
        g_string_append(out, "&amp;");
        return true;
    case '<':
        g_string_append(out, "&lt;");
        return true;
    case '>':
        g_string_append(out, "&gt;");
        return true;
    case '"':
        g_string_append(out, "&quot;");
        return true;
    default:
        return false;
    }
}

void
fig_escape_text(GString *out, const char *text)
{
    while (*text) {
        gunichar c = g_utf8_get_char_validated(text, -1);
        if (c == (gunichar)-1 || c == (gunichar)-2) {
            g_string_append_unichar(out, 0xFFFD);
            text++;
            continue;
        }
        if (c == '\n' || c == '\t')
            g_string_append_c(out, ' '); /* as XML reads them in an attribute */
        else if (forbidden(c) || fig_xml_deceives(c))
            g_string_append_unichar(out, 0xFFFD);
        else if (!escape_markup(out, c))
            g_string_append_unichar(out, c);
        text = g_utf8_next_char(text);
    }
}

void
fig_escape_carried(GString *out, const char *text, bool attribute)
{
    while (*text) {
        gunichar c = g_utf8_get_char_validated(text, -1);
        if (c == (gunichar)-1 || c == (gunichar)-2) {
            g_string_append_printf(out, "\\x{%X}", (unsigned)(guchar)*text);
            text++;
            continue;
        }
        if (c == '\\')
            g_string_append(out, "\\\\");
        else if ((c == '\n' || c == '\t') && !attribute)
            g_string_append_c(out, (char)c);
        else if (forbidden(c) || fig_xml_deceives(c))
            g_string_append_printf(out, "\\u{%X}", (unsigned)c);
        else if (c == '"' && !attribute)
            g_string_append_c(out, '"'); /* a spec is full of them */
        else if (!escape_markup(out, c))
            g_string_append_unichar(out, c);
        text = g_utf8_next_char(text);
    }
}

char *
fig_carried_decode(const char *text)
{
    GString *out = g_string_new(NULL);
    while (*text) {
        if (*text != '\\') {
            g_string_append_c(out, *text++);
            continue;
        }
        if (text[1] == '\\') {
            g_string_append_c(out, '\\');
            text += 2;
            continue;
        }
        bool byte = text[1] == 'x';
        if ((!byte && text[1] != 'u') || text[2] != '{')
            break;
        gunichar c = 0;
        const char *digit = text + 3;
        for (; g_ascii_isxdigit(*digit) && digit < text + 9; digit++)
            c = c * 16 + (gunichar)g_ascii_xdigit_value(*digit);
        if (digit == text + 3 || *digit != '}' || c == 0 ||
            (byte ? c > 0xFF : !g_unichar_validate(c) && (c & 0xFFFE) != 0xFFFE))
            break;
        if (byte)
            g_string_append_c(out, (char)c);
        else
            g_string_append_unichar(out, c);
        text = digit + 1;
    }
    return g_string_free(out, *text != '\0');
}
