/* SPDX-License-Identifier: MIT
 *
 * The examples of rows read: entries of `name = value`, values as nested lists.
 */
#include "ops/example.h"

#include "base/num.h"

#include <glib.h>
#include <math.h>
#include <string.h>

/* A value on its way: where reading is, what has been read. */
typedef struct {
    const char *at;
    GArray *numbers;              /* double */
    int64_t size[FIG_LIMIT_RANK]; /* -1: not known yet */
    int rank;                     /* the deepest list */
    const char *wrong;            /* the first mistake */
} Reader;

static bool
read_number(const char *text, double *value)
{
    double sign = *text == '-' ? -1 : 1;
    if (g_str_equal(text + (*text == '-'), "inf")) {
        *value = sign * INFINITY;
        return true;
    }
    if (g_str_equal(text, "nan")) {
        *value = NAN;
        return true;
    }
    return fig_num_read_real(text, value);
}

static void
fail(Reader *reader, const char *wrong)
{
    if (!reader->wrong)
        reader->wrong = wrong;
}

static void read_list(Reader *reader, int depth);

/* One entry of a list at depth: a list of the next depth, or a number. */
static void
read_entry(Reader *reader, int depth)
{
    if (*reader->at == '[') {
        read_list(reader, depth + 1);
        return;
    }
    size_t length = strcspn(reader->at, " []");
    g_autofree char *word = g_strndup(reader->at, length);
    double value = 0;
    if (!read_number(word, &value))
        fail(reader, "an entry is no number");
    if (reader->rank > depth + 1)
        fail(reader, "a number stands beside a list");
    g_array_append_val(reader->numbers, value);
    reader->at += length;
}

static void
read_list(Reader *reader, int depth)
{
    if (depth >= FIG_LIMIT_RANK) {
        fail(reader, "lists nest too deep");
        return;
    }
    reader->rank = MAX(reader->rank, depth + 1);
    int64_t count = 0;
    reader->at++; /* [ */
    while (!reader->wrong && *reader->at && *reader->at != ']') {
        if (*reader->at == ' ') {
            reader->at++;
            continue;
        }
        read_entry(reader, depth);
        count++;
    }
    if (*reader->at != ']')
        fail(reader, "a list is not closed");
    else
        reader->at++;
    if (reader->size[depth] >= 0 && reader->size[depth] != count)
        fail(reader, "a list is ragged");
    reader->size[depth] = count;
}

static bool
read_value(FigExampleEntry *entry, FigArena *arena, char **why)
{
    g_autoptr(GArray) numbers = g_array_new(FALSE, FALSE, sizeof(double));
    Reader reader = {.at = entry->text, .numbers = numbers};
    for (int axis = 0; axis < FIG_LIMIT_RANK; axis++)
        reader.size[axis] = -1;
    double value;
    if (*reader.at == '[') {
        read_list(&reader, 0);
        if (*reader.at && !reader.wrong)
            fail(&reader, "something stands behind a list");
    } else if (read_number(reader.at, &value)) {
        g_array_append_val(numbers, value);
    }
    if (reader.wrong || !*entry->text) {
        *why = g_strdup_printf("%s: %s in ‘%s’", entry->name,
                               reader.wrong ? reader.wrong : "no value", entry->text);
        return false;
    }
    entry->rank = reader.rank;
    memcpy(entry->size, reader.size, sizeof(entry->size));
    entry->count = numbers->len;
    entry->number = fig_arena_copy(arena, numbers->data, numbers->len * sizeof(double));
    return true;
}

/* Read "name = value, name = value". */
static const FigExampleEntry *
read_side(const char *text, FigArena *arena, int *count, char **why)
{
    g_auto(GStrv) parts = g_strsplit(text, ",", -1);
    *count = (int)g_strv_length(parts);
    FigExampleEntry *entries = fig_arena_new_array(arena, FigExampleEntry, *count);
    for (int i = 0; i < *count; i++) {
        char *equals = strchr(parts[i], '=');
        if (!equals) {
            *why = g_strdup_printf("‘%s’ is no ‘name = value’", parts[i]);
            return NULL;
        }
        *equals = '\0';
        entries[i].name = fig_arena_strdup(arena, g_strstrip(parts[i]));
        entries[i].text = fig_arena_strdup(arena, g_strstrip(equals + 1));
        if (!read_value(&entries[i], arena, why))
            return NULL;
    }
    return entries;
}

const FigExample *
fig_example_read(const char *text, FigArena *arena, int *count, char **why)
{
    g_auto(GStrv) parts = g_strsplit(text, ";", -1);
    *count = (int)g_strv_length(parts);
    FigExample *examples = fig_arena_new_array(arena, FigExample, *count);
    for (int i = 0; i < *count; i++) {
        g_auto(GStrv) sides = g_strsplit(parts[i], "->", -1);
        if (g_strv_length(sides) != 2) {
            *why = g_strdup_printf("‘%s’ wants one arrow", parts[i]);
            return NULL;
        }
        examples[i].given = read_side(sides[0], arena, &examples[i].n_given, why);
        if (!examples[i].given)
            return NULL;
        examples[i].wanted = read_side(sides[1], arena, &examples[i].n_wanted, why);
        if (!examples[i].wanted)
            return NULL;
    }
    return examples;
}

const FigExampleEntry *
fig_example_given(const FigExample *example, const char *name)
{
    for (int i = 0; i < example->n_given; i++)
        if (g_str_equal(example->given[i].name, name))
            return &example->given[i];
    return NULL;
}

FigAttrValue *
fig_example_attrs(const FigOp *op, const FigExample *example, FigArena *arena)
{
    FigAttrValue *values = fig_op_attr_defaults(op, arena);
    for (int i = 0; i < fig_op_attr_count(op); i++) {
        const FigExampleEntry *entry = fig_example_given(example, op->attrs[i].name);
        FigAttrValue *value = &values[i];
        if (!entry)
            continue;
        value->given = true;
        value->text = value->tex = entry->text;
        switch (op->attrs[i].type) {
        case FIG_ATTR_REAL:
            value->real = entry->number[0];
            break;
        case FIG_ATTR_DIM:
            value->dim = (int64_t)entry->number[0];
            break;
        case FIG_ATTR_DIMS: {
            int64_t *dims = fig_arena_new_array(arena, int64_t, entry->count);
            for (int64_t j = 0; j < entry->count; j++)
                dims[j] = (int64_t)entry->number[j];
            value->n_dims = (int)entry->count;
            value->dims = dims;
            break;
        }
        case FIG_ATTR_WORD:
            value->word = fig_attr_word(&op->attrs[i], entry->text);
            break;
        case FIG_ATTR_AXIS:
            value->axis = (int)entry->number[0];
            break;
        case FIG_ATTR_BOOL:
            value->dim = fig_attr_word(&op->attrs[i], entry->text);
            break;
        }
    }
    return values;
}
