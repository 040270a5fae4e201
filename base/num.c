/* SPDX-License-Identifier: MIT
 *
 * Numbers as text without the locale: GLib's ASCII conversions do the rounding, this
 * file decides how many digits and in which of the two notations.
 */
#include "base/num.h"

#include <errno.h>
#include <math.h>
#include <string.h>

enum {
    /* "%.*f" of the largest double: sign, 309 digits, point, decimals */
    FIXED_BYTES = 352,
    MOST_DECIMALS = 20,
    ALL_DIGITS = 17, /* always read back as the same double */
};

static bool
append_special(GString *out, double value)
{
    if (isnan(value))
        g_string_append(out, "nan");
    else if (isinf(value))
        g_string_append(out, value < 0 ? "-inf" : "inf");
    else
        return false;
    return true;
}

/* Remove the zeros (and the point) that end a text with a point, and the sign of «-0». */
static char *
tidy(char *text)
{
    if (strchr(text, '.')) {
        size_t length = strlen(text);
        while (text[length - 1] == '0')
            length--;
        if (text[length - 1] == '.')
            length--;
        text[length] = '\0';
    }
    return strcmp(text, "-0") == 0 ? text + 1 : text;
}

void
fig_num_fixed(GString *out, double value, int decimals)
{
    if (append_special(out, value))
        return;
    char format[16], text[FIXED_BYTES];
    g_snprintf(format, sizeof format, "%%.%df", CLAMP(decimals, 0, MOST_DECIMALS));
    g_string_append(out, tidy(g_ascii_formatd(text, sizeof text, format, value)));
}

void
fig_num_shortest(GString *out, double value)
{
    if (append_special(out, value))
        return;
    if (value == 0) {
        g_string_append_c(out, '0');
        return;
    }
    char format[16], text[48];
    for (int digits = 1; digits <= ALL_DIGITS; digits++) {
        g_snprintf(format, sizeof format, "%%.%de", digits - 1);
        g_ascii_formatd(text, sizeof text, format, value);
        if (g_ascii_strtod(text, NULL) == value)
            break;
    }
    /* d.ddde±xx: as it is where the number would be long, else with the point moved */
    char *e = strchr(text, 'e');
    int exponent = (int)g_ascii_strtoll(e + 1, NULL, 10);
    if (exponent < -4 || exponent >= 16) {
        g_string_append(out, text);
        return;
    }
    *e = '\0';
    const char *p = text;
    if (*p == '-')
        g_string_append_c(out, *p++);
    g_autofree char *digits = g_strdup_printf("%c%s", p[0], p[1] ? p + 2 : "");
    int n = (int)strlen(digits);
    if (exponent < 0)
        g_string_append(out, "0.");
    for (int i = exponent + 1; i < 0; i++)
        g_string_append_c(out, '0');
    for (int i = 0; i < n || i <= exponent; i++) {
        if (i == exponent + 1 && i > 0)
            g_string_append_c(out, '.');
        g_string_append_c(out, i < n ? digits[i] : '0');
    }
}

void
fig_num_significant(GString *out, double value, int digits)
{
    if (append_special(out, value))
        return;
    char format[16], text[64];
    g_snprintf(format, sizeof format, "%%.%dg", CLAMP(digits, 1, ALL_DIGITS));
    g_ascii_formatd(text, sizeof text, format, value);
    g_string_append(out, strcmp(text, "-0") == 0 ? "0" : text);
}

void
fig_num_integer(GString *out, int64_t value, bool commas)
{
    char digits[24];
    int n = 0;
    uint64_t rest = value < 0 ? -(uint64_t)value : (uint64_t)value;
    do {
        digits[n++] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest);
    if (value < 0)
        g_string_append_c(out, '-');
    while (n--) {
        g_string_append_c(out, digits[n]);
        if (commas && n > 0 && n % 3 == 0)
            g_string_append_c(out, ',');
    }
}

void
fig_num_unit(GString *out, int64_t value)
{
    static const char units[] = " kMGTPE";
    int64_t step = 1; /* of the last digit */
    int digits = 0;

    if (value < 10000) {
        fig_num_integer(out, value, false);
        return;
    }
    while (value / step + (value % step >= (step + 1) / 2 && step > 1) >= 10000) {
        step *= 10;
        digits++;
    }
    value = value / step + (value % step >= step / 2);
    /* value · 10^digits, value of four digits: so many of them after the point */
    const int thousands = (digits + 3) / 3, decimals = 3 * thousands - digits;
    int64_t power = decimals == 3 ? 1000 : decimals == 2 ? 100 : 10;
    g_string_append_printf(out, "%d.%0*d %c", (int)(value / power), decimals,
                           (int)(value % power), units[thousands]);
}

bool
fig_num_read_integer(const char *text, int64_t *value)
{
    const char *digits = text + (*text == '-');
    size_t n = strspn(digits, "0123456789");
    if (n == 0 || digits[n])
        return false;
    errno = 0;
    gint64 read = g_ascii_strtoll(text, NULL, 10);
    if (errno)
        return false;
    *value = read;
    return true;
}

bool
fig_num_read_real(const char *text, double *value)
{
    const char *p = text + (*text == '-' || *text == '+');
    size_t whole = strspn(p, "0123456789");
    p += whole;
    size_t part = 0;
    if (*p == '.') {
        part = strspn(p + 1, "0123456789");
        p += 1 + part;
    }
    if (whole + part == 0)
        return false;
    if (*p == 'e' || *p == 'E') {
        p += 1 + (p[1] == '-' || p[1] == '+');
        size_t n = strspn(p, "0123456789");
        if (n == 0)
            return false;
        p += n;
    }
    if (*p)
        return false;
    double read = g_ascii_strtod(text, NULL);
    if (!isfinite(read))
        return false;
    *value = read;
    return true;
}
