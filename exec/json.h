/* SPDX-License-Identifier: MIT
 *
 * JSON read strictly: a reader that knows the path it stands at and keeps the first
 * fault. After a fault the getters give empty things (NULL, 0, empty lists), so the code
 * that reads need not look after each step.
 */
#ifndef FIG_EXEC_JSON_H
#define FIG_EXEC_JSON_H

#include "base/arena.h"

#include <glib.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct FigJsonReader {
    FigArena *arena; /* owns all that is read */
    GString *path;   /* "facts.ops[3].reads" */
    GError *error;   /* the first fault */
} FigJsonReader;

/* Note a fault at the place the reader stands at, unless there is one already. */
void fig_json_fault(FigJsonReader *reader, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* Step into a key or an item; gives what fig_json_leave needs to step out again. */
size_t fig_json_enter(FigJsonReader *reader, const char *name);
size_t fig_json_enter_item(FigJsonReader *reader, size_t index);
void fig_json_leave(FigJsonReader *reader, size_t before);

/* Check that json is an object with exactly these keys: words, `?` after those that may
 * be left out. */
void fig_json_check_keys(FigJsonReader *reader, const json_t *json, const char *words);

/* What stands under a key: NULL, 0 or false when it is absent; of a wrong type it is a
 * fault. A word is one of a NULL-terminated list; a real may be null for NaN. */
const char *fig_json_string(FigJsonReader *reader, const json_t *json,
                            const char *name);
const char *fig_json_word(FigJsonReader *reader, const json_t *json, const char *name,
                          const char *const *words);
bool fig_json_bool(FigJsonReader *reader, const json_t *json, const char *name);
int64_t fig_json_natural(FigJsonReader *reader, const json_t *json, const char *name);
double fig_json_real(FigJsonReader *reader, const json_t *json, const char *name);

/* An item that is a whole number of at least 0. */
int64_t fig_json_natural_item(FigJsonReader *reader, const json_t *item);

/* A list under a key: its length, at most limit; *list is NULL when it is absent. */
int fig_json_list(FigJsonReader *reader, const json_t *json, const char *name,
                  size_t limit, const json_t **list);

/* The same, of strings. */
const char *const *fig_json_strings(FigJsonReader *reader, const json_t *json,
                                    const char *name, size_t limit, int *count);

/* Note an id, which must be new and not empty; find what one names, which must be there
 * ("there is no op ‘x’"). */
void fig_json_declare(FigJsonReader *reader, GHashTable *ids, const char *id,
                      const void *what);
const void *fig_json_refer(FigJsonReader *reader, GHashTable *ids, const char *id,
                           const char *what);

/* A stranger's UTF-8 as it may be printed: control characters as \u001b, not much longer
 * than limit bytes.
 *
 * owns     the caller
 */
char *fig_json_printable(const char *text, size_t limit);

/* The deepest nesting of brackets outside strings: to be asked before a parser that
 * recurses is let at the text. */
int fig_json_nesting(const char *json, size_t length);

#endif
