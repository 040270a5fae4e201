/* SPDX-License-Identifier: MIT
 *
 * Getters that remember the first fault, so that who reads need not look after each.
 */
#include "exec/json.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

enum {
    SHOWN = 400, /* bytes of a stranger's words in a message */
};

char *
fig_json_printable(const char *text, size_t limit)
{
    GString *out = g_string_new(NULL);
    const char *c = text;
    for (; *c && out->len < limit; c = g_utf8_next_char(c)) {
        gunichar letter = g_utf8_get_char(c);
        if (g_unichar_isprint(letter))
            g_string_append_unichar(out, letter);
        else
            g_string_append_printf(out, "\\u%04x", letter);
    }
    if (*c)
        g_string_append(out, "…");
    return g_string_free(out, FALSE);
}

void
fig_json_fault(FigJsonReader *reader, const char *format, ...)
{
    if (reader->error)
        return;
    va_list args;
    va_start(args, format);
    g_autofree char *what = g_strdup_vprintf(format, args);
    va_end(args);
    g_autofree char *path = fig_json_printable(reader->path->str, SHOWN);
    g_autofree char *shown = fig_json_printable(what, SHOWN);
    reader->error = g_error_new(g_quark_from_static_string("fig-record"), 1, "%s: %s",
                                *path ? path : "record", shown);
}

size_t
fig_json_enter(FigJsonReader *reader, const char *name)
{
    size_t before = reader->path->len;
    if (before)
        g_string_append_c(reader->path, '.');
    g_string_append(reader->path, name);
    return before;
}

size_t
fig_json_enter_item(FigJsonReader *reader, size_t index)
{
    size_t before = reader->path->len;
    g_string_append_printf(reader->path, "[%zu]", index);
    return before;
}

void
fig_json_leave(FigJsonReader *reader, size_t before)
{
    g_string_truncate(reader->path, before);
}

/* Check that json is an object with exactly these keys: words, `?` after those that may
 * be left out. */
void
fig_json_check_keys(FigJsonReader *reader, const json_t *json, const char *words)
{
    if (!json_is_object(json)) {
        fig_json_fault(reader, "an object is wanted");
        return;
    }
    g_auto(GStrv) keys = g_strsplit(words, " ", -1);
    size_t present = 0;
    for (char **k = keys; *k; k++) {
        size_t length = strlen(*k);
        bool optional = (*k)[length - 1] == '?';
        if (optional)
            (*k)[length - 1] = '\0';
        if (json_object_get(json, *k))
            present++;
        else if (!optional)
            fig_json_fault(reader, "key ‘%s’ is missing", *k);
    }
    if (present == json_object_size(json))
        return;
    const char *name;
    json_t *item;
    json_object_foreach((json_t *)json, name,
                        item) if (!g_strv_contains((const char *const *)keys, name))
        fig_json_fault(reader, "unknown key ‘%s’", name);
}

const char *
fig_json_string(FigJsonReader *reader, const json_t *json, const char *name)
{
    const json_t *item = json_object_get(json, name);
    const char *text = json_string_value(item);
    if (item && !text) {
        size_t before = fig_json_enter(reader, name);
        fig_json_fault(reader, "a string is wanted");
        fig_json_leave(reader, before);
    }
    return fig_arena_strdup(reader->arena, text);
}

/* The same, and the string is one of the NULL-terminated words. */
const char *
fig_json_word(FigJsonReader *reader, const json_t *json, const char *name,
              const char *const *words)
{
    const char *text = fig_json_string(reader, json, name);
    if (text && !g_strv_contains(words, text)) {
        size_t before = fig_json_enter(reader, name);
        g_autofree char *list = g_strjoinv(", ", (char **)words);
        fig_json_fault(reader, "‘%s’ is none of %s", text, list);
        fig_json_leave(reader, before);
    }
    return text;
}

bool
fig_json_bool(FigJsonReader *reader, const json_t *json, const char *name)
{
    const json_t *item = json_object_get(json, name);
    if (item && !json_is_boolean(item)) {
        size_t before = fig_json_enter(reader, name);
        fig_json_fault(reader, "true or false is wanted");
        fig_json_leave(reader, before);
    }
    return json_is_true(item);
}

int64_t
fig_json_natural_item(FigJsonReader *reader, const json_t *item)
{
    if (!json_is_integer(item) || json_integer_value(item) < 0)
        fig_json_fault(reader, "a whole number of at least 0 is wanted");
    return json_integer_value(item);
}

int64_t
fig_json_natural(FigJsonReader *reader, const json_t *json, const char *name)
{
    const json_t *item = json_object_get(json, name);
    if (!item)
        return 0;
    size_t before = fig_json_enter(reader, name);
    int64_t value = fig_json_natural_item(reader, item);
    fig_json_leave(reader, before);
    return value;
}

/* A number, or null for one that is not finite. */
double
fig_json_real(FigJsonReader *reader, const json_t *json, const char *name)
{
    const json_t *item = json_object_get(json, name);
    if (json_is_null(item))
        return (double)NAN;
    if (item && !json_is_number(item)) {
        size_t before = fig_json_enter(reader, name);
        fig_json_fault(reader, "a number is wanted");
        fig_json_leave(reader, before);
    }
    return json_number_value(item);
}

/* A key that holds a list: its length, at most limit; *list is NULL when it is absent. */
int
fig_json_list(FigJsonReader *reader, const json_t *json, const char *name, size_t limit,
              const json_t **list)
{
    *list = json_object_get(json, name);
    if (!*list)
        return 0;
    size_t before = fig_json_enter(reader, name);
    if (!json_is_array(*list))
        fig_json_fault(reader, "a list is wanted");
    else if (json_array_size(*list) > limit)
        fig_json_fault(reader, "a list of at most %zu is wanted, this has %zu", limit,
                       json_array_size(*list));
    fig_json_leave(reader, before);
    return reader->error ? 0 : (int)json_array_size(*list);
}

const char *const *
fig_json_strings(FigJsonReader *reader, const json_t *json, const char *name,
                 size_t limit, int *count)
{
    const json_t *list;
    *count = fig_json_list(reader, json, name, limit, &list);
    const char **items = fig_arena_new_array(reader->arena, const char *, *count);
    size_t outer = fig_json_enter(reader, name);
    for (int i = 0; i < *count; i++) {
        const char *text = json_string_value(json_array_get(list, (size_t)i));
        size_t before = fig_json_enter_item(reader, (size_t)i);
        if (!text)
            fig_json_fault(reader, "a string is wanted");
        fig_json_leave(reader, before);
        items[i] = fig_arena_strdup(reader->arena, text ? text : "");
    }
    fig_json_leave(reader, outer);
    return items;
}

/* Note an id, which must be new. */
void
fig_json_declare(FigJsonReader *reader, GHashTable *ids, const char *id,
                 const void *what)
{
    if (reader->error)
        return;
    if (!*id)
        fig_json_fault(reader, "an empty id");
    if (g_hash_table_contains(ids, id))
        fig_json_fault(reader, "‘%s’ stands twice", id);
    g_hash_table_insert(ids, (gpointer)id, (gpointer)what);
}

/* What id names; a fault when it names nothing. */
const void *
fig_json_refer(FigJsonReader *reader, GHashTable *ids, const char *id, const char *what)
{
    if (reader->error)
        return NULL;
    const void *found = g_hash_table_lookup(ids, id);
    if (!found)
        fig_json_fault(reader, "there is no %s ‘%s’", what, id);
    return found;
}

/* The deepest nesting of brackets outside strings: jansson's own cap lies higher than
 * any honest record needs. */
int
fig_json_nesting(const char *json, size_t length)
{
    int depth = 0, deepest = 0;
    bool inside = false;
    for (size_t i = 0; i < length; i++) {
        char c = json[i];
        if (inside && c == '\\')
            i++;
        else if (c == '"')
            inside = !inside;
        else if (!inside && (c == '[' || c == '{'))
            depth++;
        else if (!inside && (c == ']' || c == '}'))
            depth--;
        deepest = MAX(deepest, depth);
    }
    return deepest;
}
