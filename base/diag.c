/* SPDX-License-Identifier: MIT
 *
 * Messages are kept as they come and put in order when printed. A collector outlives the
 * graphs whose faults it holds, so it copies each source at its first message. What is
 * printed of a
 * source is one line, or the part of a long one that holds the place; every control
 * character in it (also in the person's words inside a message) is replaced, so that a
 * file cannot steer the terminal.
 */
#include "base/diag.h"

#include "base/cells.h"
#include "base/limit.h"

#include <stdarg.h>
#include <string.h>

enum {
    KEPT = 1000, /* messages; of more only the number is known */
    TAB_CELLS = 4,
    LONG_LINE = 160,   /* cells: of a longer line only a part is shown … */
    CELLS_BEFORE = 40, /* … from so many before the place … */
    CELLS_AFTER = 100, /* … to so many after its start */
};

typedef enum Kind {
    ERROR,
    WARNING,
    NOTE,
    HINT,
} Kind;

static const char *const kind_word[] = {"error", "warning", "note", "hint"};
static const char *const kind_colour[] = {"\033[1;31m", "\033[1;33m", "\033[1;36m",
                                          "\033[1;32m"};

typedef struct Line {
    Kind kind;
    FigSpan at; /* of a message or of a note with a place; else source is NULL */
    char *text;
} Line;

struct FigMessage {
    FigDiag *diag;
    Line head;
    GArray *lines; /* Line: notes and hints */
    int order;
};

typedef struct Source {
    const FigSource *original; /* only to compare: it may be gone */
    FigSource copy;
} Source;

struct FigDiag {
    GPtrArray *messages; /* FigMessage */
    int dropped;         /* messages beyond KEPT */
    GPtrArray *sources;  /* Source in order of their first message */
    int errors, warnings;
    bool strict;
};

static void
line_clear(gpointer line)
{
    g_free(((Line *)line)->text);
}

static void
message_free(gpointer data)
{
    FigMessage *message = data;
    g_free(message->head.text);
    g_array_unref(message->lines);
    g_free(message);
}

static void
source_free(gpointer data)
{
    Source *source = data;
    g_free((char *)source->copy.name);
    g_free((char *)source->copy.text);
    g_free(source);
}

static bool
is_copy(const Source *source, const FigSource *original)
{
    return source->original == original && source->copy.length == original->length &&
           strcmp(source->copy.name, original->name) == 0 &&
           memcmp(source->copy.text, original->text, original->length) == 0;
}

/* The same place in the collector's own copy of the source. */
static FigSpan
keep_source(FigDiag *diag, FigSpan at)
{
    if (!at.source)
        return at;
    for (guint i = 0; i < diag->sources->len; i++) {
        const Source *source = diag->sources->pdata[i];
        if (is_copy(source, at.source)) {
            at.source = &source->copy;
            return at;
        }
    }
    Source *source = g_new0(Source, 1);
    source->original = at.source;
    source->copy.name = g_strdup(at.source->name);
    source->copy.length = at.source->length;
    char *text = g_malloc(at.source->length + 1);
    memcpy(text, at.source->text, at.source->length);
    text[at.source->length] = '\0';
    source->copy.text = text;
    g_ptr_array_add(diag->sources, source);
    at.source = &source->copy;
    return at;
}

FigDiag *
fig_diag_new(void)
{
    FigDiag *diag = g_new0(FigDiag, 1);
    diag->messages = g_ptr_array_new_with_free_func(message_free);
    diag->sources = g_ptr_array_new_with_free_func(source_free);
    return diag;
}

void
fig_diag_free(FigDiag *diag)
{
    if (!diag)
        return;
    g_ptr_array_unref(diag->messages);
    g_ptr_array_unref(diag->sources);
    g_free(diag);
}

G_GNUC_PRINTF(4, 0)
static FigMessage *
add_message(FigDiag *diag, Kind kind, FigSpan at, const char *format, va_list args)
{
    if (diag->messages->len == KEPT) {
        diag->dropped++;
        return NULL;
    }
    FigMessage *message = g_new0(FigMessage, 1);
    message->diag = diag;
    message->head.kind = kind;
    message->head.at = keep_source(diag, at);
    message->head.text = g_strdup_vprintf(format, args);
    message->lines = g_array_new(FALSE, FALSE, sizeof(Line));
    g_array_set_clear_func(message->lines, line_clear);
    message->order = (int)diag->messages->len;
    g_ptr_array_add(diag->messages, message);
    return message;
}

FigMessage *
fig_diag_error(FigDiag *diag, FigSpan at, const char *format, ...)
{
    if (!diag)
        return NULL;
    diag->errors++;
    va_list args;
    va_start(args, format);
    FigMessage *message = add_message(diag, ERROR, at, format, args);
    va_end(args);
    return message;
}

FigMessage *
fig_diag_warning(FigDiag *diag, FigSpan at, const char *format, ...)
{
    if (!diag)
        return NULL;
    diag->warnings++;
    va_list args;
    va_start(args, format);
    FigMessage *message = add_message(diag, WARNING, at, format, args);
    va_end(args);
    return message;
}

G_GNUC_PRINTF(4, 0)
static void
add_line(FigMessage *message, Kind kind, FigSpan at, const char *format, va_list args)
{
    if (!message)
        return;
    Line line = {.kind = kind,
                 .at = keep_source(message->diag, at),
                 .text = g_strdup_vprintf(format, args)};
    g_array_append_val(message->lines, line);
}

void
fig_message_note(FigMessage *message, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add_line(message, NOTE, (FigSpan){0}, format, args);
    va_end(args);
}

void
fig_message_note_at(FigMessage *message, FigSpan at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add_line(message, NOTE, at, format, args);
    va_end(args);
}

void
fig_message_hint(FigMessage *message, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add_line(message, HINT, (FigSpan){0}, format, args);
    va_end(args);
}

void
fig_message_suggest(FigMessage *message, const char *word, const char *const *words)
{
    const char *meant = fig_word_suggest(word, words);
    if (meant)
        fig_message_hint(message, "did you mean ‘%s’?", meant);
}

void
fig_diag_set_strict(FigDiag *diag, bool strict)
{
    diag->strict = strict;
}

int
fig_diag_errors(const FigDiag *diag)
{
    return diag->errors + (diag->strict ? diag->warnings : 0);
}

int
fig_diag_warnings(const FigDiag *diag)
{
    return diag->warnings;
}

/* ---- printing ---- */

static bool
steers_terminal(gunichar c)
{
    return g_unichar_iscntrl(c) || (c >= 0x202a && c <= 0x202e) ||
           (c >= 0x2066 && c <= 0x2069) || c == 0x200e || c == 0x200f || c == 0x2028 ||
           c == 0x2029;
}

/* Append text with a TAB as spaces, a line's end as a space and what is not printable as
 * U+FFFD. Returns the cells it takes. */
static int
append_safe(GString *out, const char *text, size_t length)
{
    gsize start = out->len;
    for (const char *p = text, *end = text + length; p < end;) {
        gunichar c = g_utf8_get_char_validated(p, end - p);
        bool valid = c != (gunichar)-1 && c != (gunichar)-2;
        if (c == '\t')
            g_string_append_printf(out, "%*s", TAB_CELLS, "");
        else if (c == '\n')
            g_string_append_c(out, ' ');
        else if (!valid || steers_terminal(c))
            g_string_append(out, "\xef\xbf\xbd");
        else
            g_string_append_unichar(out, c);
        p = valid ? g_utf8_next_char(p) : p + 1;
    }
    return fig_cells(out->str + start, out->len - start);
}

static bool
continues_character(char byte)
{
    return ((unsigned char)byte & 0xc0) == 0x80;
}

/* The line of a place, or of a long line the part around it, with carets under it. */
static void
print_line(GString *out, FigSpan at, const char *colour, const char *plain)
{
    const char *text = at.source->text, *end = text + at.source->length;
    const char *from = text + MIN(at.offset, at.source->length);
    const char *first = from;
    while (first > text && first[-1] != '\n')
        first--;
    const char *last = from;
    while (last < end && *last != '\n')
        last++;
    if (last > first && last[-1] == '\r')
        last--;
    from = MIN(from, last);
    const char *to = from + MIN(at.length, (size_t)(last - from));
    bool cut_before = false, cut_after = false;
    if (fig_cells(first, (size_t)(last - first)) > LONG_LINE) {
        if (from - first > CELLS_BEFORE) {
            first = from - CELLS_BEFORE;
            while (first < from && continues_character(*first))
                first++;
            cut_before = true;
        }
        if (last - from > CELLS_AFTER) {
            last = from + CELLS_AFTER;
            while (last > from && continues_character(*last))
                last--;
            cut_after = true;
            to = MIN(to, last);
        }
    }
    g_string_append_printf(out, "%5d | %s", at.line, cut_before ? "…" : "");
    int before = append_safe(out, first, (size_t)(from - first)) + cut_before;
    int wide = append_safe(out, from, (size_t)(to - from));
    append_safe(out, to, (size_t)(last - to));
    g_string_append_printf(out, "%s\n", cut_after ? "…" : "");
    g_string_append_printf(out, "      | %*s%s", before, "", colour);
    for (int i = 0; i < MAX(wide, 1); i++)
        g_string_append_c(out, '^');
    g_string_append_printf(out, "%s\n", plain);
}

static void
print_head(GString *out, const Line *line, bool colour)
{
    const char *plain = colour ? "\033[0m" : "", *bold = colour ? "\033[1m" : "";
    const char *tint = colour ? kind_colour[line->kind] : "";
    if (line->at.source) {
        g_string_append(out, bold);
        append_safe(out, line->at.source->name, strlen(line->at.source->name));
        g_string_append_printf(out, ":%d:%d:%s ", line->at.line, line->at.column,
                               plain);
    }
    g_string_append_printf(out, "%s%s:%s ", tint, kind_word[line->kind], plain);
    append_safe(out, line->text, strlen(line->text));
    g_string_append_c(out, '\n');
    if (line->at.source)
        print_line(out, line->at, tint, plain);
}

static void
print_message(GString *out, const FigMessage *message, bool colour)
{
    const char *plain = colour ? "\033[0m" : "";
    Line head = message->head;
    if (message->diag->strict && head.kind == WARNING)
        head.kind = ERROR; /* as it counts */
    print_head(out, &head, colour);
    for (guint i = 0; i < message->lines->len; i++) {
        const Line *line = &g_array_index(message->lines, Line, i);
        if (line->at.source) {
            print_head(out, line, colour);
            continue;
        }
        g_string_append_printf(out, "      = %s%s:%s ",
                               colour ? kind_colour[line->kind] : "",
                               kind_word[line->kind], plain);
        append_safe(out, line->text, strlen(line->text));
        g_string_append_c(out, '\n');
    }
}

static int
source_order(const FigMessage *message)
{
    const GPtrArray *sources = message->diag->sources;
    for (guint i = 0; i < sources->len; i++) {
        if (&((const Source *)sources->pdata[i])->copy == message->head.at.source)
            return (int)i;
    }
    return -1;
}

static gint
by_place(gconstpointer left, gconstpointer right)
{
    const FigMessage *a = *(FigMessage *const *)left, *b = *(FigMessage *const *)right;
    int files = source_order(a) - source_order(b);
    if (files)
        return files;
    if (a->head.at.source && a->head.at.offset != b->head.at.offset)
        return a->head.at.offset < b->head.at.offset ? -1 : 1;
    return a->order - b->order;
}

void
fig_diag_print(const FigDiag *diag, GString *out, bool colour)
{
    g_autoptr(GPtrArray) sorted = g_ptr_array_new();
    for (guint i = 0; i < diag->messages->len; i++)
        g_ptr_array_add(sorted, diag->messages->pdata[i]);
    g_ptr_array_sort(sorted, by_place);
    /* no flood of warnings hides an error */
    int warnings = MAX(FIG_LIMIT_ERRORS - diag->errors, 0), shown = 0;
    for (guint i = 0; i < sorted->len && shown < FIG_LIMIT_ERRORS; i++) {
        const FigMessage *message = sorted->pdata[i];
        if (message->head.kind == WARNING && !diag->strict && warnings-- <= 0)
            continue;
        print_message(out, message, colour);
        shown++;
    }
    if (sorted->len > FIG_LIMIT_ERRORS) {
        int more = (int)sorted->len + diag->dropped - FIG_LIMIT_ERRORS;
        g_string_append_printf(out, "… and %d more %s\n", more,
                               more == 1 ? "message" : "messages");
    }
}

FigSpan
fig_span_inside(FigSpan span, size_t offset, size_t length)
{
    if (!span.source)
        return span;
    FigSpan part = span;
    size_t end = MIN(span.offset + offset, span.source->length);
    for (size_t i = span.offset; i < end; i++) {
        char byte = span.source->text[i];
        if (byte == '\n') {
            part.line++;
            part.column = 1;
        } else if (!continues_character(byte)) {
            part.column++;
        }
    }
    /* the loop counted the starts passed: column is that of the character at `end` */
    part.offset = end;
    part.length = MIN(length, span.source->length - end);
    return part;
}
