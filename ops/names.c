/* SPDX-License-Identifier: MIT
 *
 * Do words with math name what is printed as a label? Compared sign by sign as TeX, so that
 * the b of "plus a bias" is not the weight b, and W_{1} is neither W nor W_{12}. And what is
 * seen of a label, whatever way it was written.
 */
#include "ops/op.h"

#include <string.h>

typedef struct Sign {
    char *base;      /* "W", "\theta", "\mathrm{probs}"; "": a script without one */
    char *sub, *sup; /* without braces and blanks, or NULL */
    int primes;
} Sign;

static void
clear_sign(void *data)
{
    Sign *sign = data;
    g_free(sign->base);
    g_free(sign->sub);
    g_free(sign->sup);
}

/* The end of what stands at `at`: a group with its braces, a command, a character. */
static const char *
end_of_token(const char *at)
{
    int depth = 0;
    if (*at == '\\' && g_ascii_isalpha(at[1])) {
        for (at++; g_ascii_isalpha(*at);)
            at++;
        return at;
    }
    if (*at == '\\' && at[1])
        return g_utf8_next_char(at + 1);
    if (*at != '{')
        return *at ? g_utf8_next_char(at) : at;
    do {
        depth += (*at == '{') - (*at == '}');
        at++;
    } while (*at && depth > 0);
    return at;
}

/* A token without its outer braces and without blanks. */
static char *
bare(const char *at, const char *end)
{
    GString *text = g_string_new(NULL);
    bool group = *at == '{' && end - at >= 2;
    for (const char *c = at + group; c < end - group; c++)
        if (*c != ' ')
            g_string_append_c(text, *c);
    return g_string_free(text, FALSE);
}

/* The scripts and primes behind a base. */
static const char *
read_scripts(const char *at, Sign *sign)
{
    for (;;) {
        if (*at == '\'') {
            sign->primes++;
            at++;
        } else if ((*at == '_' || *at == '^') && at[1]) {
            char **script = *at == '_' ? &sign->sub : &sign->sup;
            const char *end = end_of_token(at + 1);
            g_free(*script);
            *script = bare(at + 1, end);
            at = end;
        } else {
            return at;
        }
    }
}

static GArray *
signs_of(const char *tex, gsize length)
{
    static const char *const upright[] = {"\\mathrm", "\\text", NULL};
    g_autofree char *math = g_strndup(tex, length);
    GArray *signs = g_array_new(FALSE, TRUE, sizeof(Sign));
    g_array_set_clear_func(signs, clear_sign);
    for (const char *at = math; *at;) {
        Sign sign = {0};
        const char *end = end_of_token(at);
        if (*at == ' ' || *at == '{' || *at == '}' || *at == '$') {
            at++; /* what is grouped is read as it stands */
            continue;
        }
        if (*at == '_' || *at == '^' || *at == '\'') {
            sign.base = g_strdup("");
        } else {
            sign.base = g_strndup(at, (gsize)(end - at));
            at = end;
            if (*at == '{' && g_strv_contains(upright, sign.base)) {
                g_free(sign.base);
                end = end_of_token(at);
                sign.base = bare(at, end);
                at = end;
            }
        }
        end = read_scripts(at, &sign);
        if (end == at && !*sign.base) /* a script sign that nothing follows */
            end = at + 1;
        at = end;
        g_array_append_val(signs, sign);
    }
    return signs;
}

/* One more sign may follow a script: the power of a weight names it. */
static bool
same_sign(const Sign *sign, const Sign *name)
{
    return strcmp(sign->base, name->base) == 0 &&
           g_strcmp0(sign->sub, name->sub) == 0 && sign->primes == name->primes &&
           (!name->sup || g_strcmp0(sign->sup, name->sup) == 0);
}

/* RMSNorm$_{q}$ names g_{q}, LayerNorm$_{g,b}$ both of its weights: by the subscript. */
static bool
lists_subscript(const Sign *sign, const Sign *name)
{
    if (*sign->base || !sign->sub || !name->sub)
        return false;
    g_autofree char *list = g_strdup_printf(",%s,", sign->sub);
    g_autofree char *item = g_strdup_printf(",%s,", name->sub);
    return strstr(list, item) != NULL;
}

static bool
math_names(const GArray *signs, const GArray *names)
{
    for (guint at = 0; at + names->len <= signs->len; at++) {
        bool same = names->len > 0;
        for (guint i = 0; i < names->len; i++)
            same = same && same_sign(&g_array_index(signs, Sign, at + i),
                                     &g_array_index(names, Sign, i));
        if (same ||
            (names->len == 1 && lists_subscript(&g_array_index(signs, Sign, at),
                                                &g_array_index(names, Sign, 0))))
            return true;
    }
    return false;
}

bool
fig_label_names(const char *words, const char *label)
{
    g_autoptr(GArray) names = signs_of(label, strlen(label));
    bool math = false, found = false;
    for (const char *at = words, *start = words; !found; at++) {
        if (*at == '\\' && at[1]) {
            at++;
        } else if (*at == '$' || !*at) {
            if (math) {
                g_autoptr(GArray) signs = signs_of(start, (gsize)(at - start));
                found = math_names(signs, names);
            }
            if (!*at)
                break;
            math = !math;
            start = at + 1;
        }
    }
    return found;
}

/* Add what is seen of a script or sign: no braces, blanks and spaces, and the letters of
 * upright words as those of others. */
static void
add_seen(GString *seen, const char *tex)
{
    static const char *const unseen[] = {"\\,", "\\:",    "\\;",      "\\!",
                                         "\\ ", "\\quad", "\\mathrm", "\\text",
                                         "{",   "}",      " ",        NULL};
    while (*tex) {
        const char *end = *tex == '{' ? tex + 1 : end_of_token(tex);
        g_autofree char *token = g_strndup(tex, (gsize)(end - tex));
        if (!g_strv_contains(unseen, token))
            g_string_append(seen, token);
        tex = end;
    }
}

char *
fig_label_seen(const char *label)
{
    g_autoptr(GArray) signs = signs_of(label, strlen(label));
    GString *seen = g_string_new(NULL);
    for (guint i = 0; i < signs->len; i++) {
        const Sign *sign = &g_array_index(signs, Sign, i);
        add_seen(seen, sign->base);
        for (int k = 0; k < sign->primes; k++)
            g_string_append_c(seen, '\'');
        g_string_append(seen, sign->sub ? "_" : "");
        add_seen(seen, sign->sub ? sign->sub : "");
        g_string_append(seen, sign->sup ? "^" : "");
        add_seen(seen, sign->sup ? sign->sup : "");
    }
    return g_string_free(seen, FALSE);
}
