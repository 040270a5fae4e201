/* SPDX-License-Identifier: MIT
 *
 * libyaml events to nodes. libyaml counts code points; a cursor turns its marks into
 * bytes and a table of line starts gives line and column, so that a place is right
 * whatever libyaml takes for a line. Nodes behind an alias are shared: each knows its
 * size and height, and the caps hold for the tree as a reader walks it.
 */
#include "base/yaml.h"

#include "base/limit.h"
#include "base/yaml-reader.h"

#include <string.h>

typedef struct Anchor {
    FigYaml *node;
    int size;   /* nodes as a reader visits them */
    int height; /* levels below */
} Anchor;

/* ---- places ---- */

FigSpan
fig_yaml_span_at(const FigYamlReader *reader, size_t from, size_t to)
{
    const FigSource *source = reader->source;
    from = MIN(from, source->length);
    to = CLAMP(to, from, source->length);
    guint low = 0, high = reader->lines->len; /* the last line start that is ≤ from */
    while (high - low > 1) {
        guint middle = (low + high) / 2;
        if (g_array_index(reader->lines, size_t, middle) <= from)
            low = middle;
        else
            high = middle;
    }
    const char *line = source->text + g_array_index(reader->lines, size_t, low);
    return (FigSpan){
        .source = source,
        .offset = from,
        .length = to - from,
        .line = (int)low + 1,
        .column = 1 + (int)g_utf8_pointer_to_offset(line, source->text + from),
    };
}

size_t
fig_yaml_byte_of(FigYamlReader *reader, yaml_mark_t mark)
{
    const char *text = reader->source->text;
    const char *end = text + reader->source->length;
    const char *p = text + reader->cursor_byte;
    size_t at = reader->cursor_mark;
    for (; at < mark.index && p < end; at++)
        p = g_utf8_next_char(p);
    for (; at > mark.index; at--)
        p = g_utf8_prev_char(p);
    reader->cursor_mark = at;
    reader->cursor_byte = (size_t)(p - text);
    return reader->cursor_byte;
}

FigSpan
fig_yaml_span_of(FigYamlReader *reader, yaml_mark_t from, yaml_mark_t to)
{
    size_t start = fig_yaml_byte_of(reader, from);
    return fig_yaml_span_at(reader, start, fig_yaml_byte_of(reader, to));
}

size_t
fig_yaml_word_length(const char *text)
{
    size_t n = 0;
    while (g_ascii_isalpha(text[n]))
        n++;
    return n;
}

/* From start to end, or to where the text of start's line ends. */
static FigSpan
span_line(FigYamlReader *reader, size_t start, size_t end)
{
    const char *text = reader->source->text;
    size_t to = start;
    while (to < end && text[to] != '\n' && text[to] != '\r')
        to++;
    while (to > start && (text[to - 1] == ' ' || text[to - 1] == '\t'))
        to--;
    return fig_yaml_span_at(reader, start, to);
}

static bool
next_event(FigYamlReader *reader, yaml_event_t *event)
{
    if (yaml_parser_parse(&reader->parser, event))
        return true;
    fig_yaml_report(reader);
    return false;
}

/* ---- nodes ---- */

/* Stop everything: the rest of a file beyond a cap is not read. */
static void
stop(FigYamlReader *reader, FigSpan at, const char *what, int limit)
{
    if (!reader->stopped)
        fig_diag_error(reader->diag, at, "%s (the limit is %d)", what, limit);
    reader->stopped = true;
}

static bool
count_nodes(FigYamlReader *reader, FigSpan at, int nodes)
{
    if (nodes > FIG_LIMIT_NODES - reader->nodes) {
        stop(reader, at, "too many nodes, each alias counted as often as it is used",
             FIG_LIMIT_NODES);
        return false;
    }
    reader->nodes += nodes;
    return true;
}

static void
check_tag(FigYamlReader *reader, const yaml_char_t *tag, yaml_mark_t at)
{
    if (!tag)
        return;
    size_t from = fig_yaml_byte_of(reader, at), to = from;
    const char *text = reader->source->text;
    while (text[to] && !g_ascii_isspace(text[to]))
        to++;
    fig_diag_error(reader->diag, fig_yaml_span_at(reader, from, to),
                   "a YAML tag means nothing here");
}

static void
check_plain(FigYamlReader *reader, FigYaml *node, bool in_flow)
{
    const char *text = reader->source->text;
    size_t end = node->span.offset + node->span.length;
    int open = 0;
    for (const char *p = node->text; *p; p++)
        open += *p == '(' ? 1 : *p == ')' ? -1 : 0;
    size_t comma = end + strspn(text + end, " ");
    if (in_flow && open > 0 && text[comma] == ',') {
        size_t to = comma;
        for (; text[to] && text[to] != '\n' && open > 0; to++)
            open += text[to] == '(' ? 1 : text[to] == ')' ? -1 : 0;
        FigMessage *message =
            fig_diag_error(reader->diag, fig_yaml_span_at(reader, comma, comma + 1),
                           "this comma ends the unquoted value ‘%s’", node->text);
        if (open == 0)
            fig_message_hint(message, "in quotes it is one value: \"%.*s\"",
                             (int)(to - node->span.offset), text + node->span.offset);
        return;
    }
    size_t hash = end;
    while (text[hash] == ' ' || text[hash] == '\t')
        hash++;
    /* «# word» is a comment; «#1» was meant as text, more often than not */
    if (hash > end && text[hash] == '#' && g_ascii_isalnum(text[hash + 1])) {
        FigMessage *message = fig_diag_error(
            reader->diag, fig_yaml_span_at(reader, hash, hash + 1),
            "‘ #’ ends an unquoted text: the rest of the line is a comment");
        fig_message_hint(message, "put the text in quotes, or a space after ‘#’");
    }
}

/* A backslash that makes a control character was meant as TeX. */
static void
check_double_quotes(FigYamlReader *reader, const FigYaml *node)
{
    static const char escapes[] = "0abtnvfre";
    static const char *const made[] = {
        "a NUL",        "a bell",         "a backspace", "a TAB",
        "a line break", "a vertical TAB", "a form feed", "a carriage return",
        "an ESCAPE"};
    const char *text = reader->source->text;
    size_t end = node->span.offset + node->span.length;
    for (size_t i = node->span.offset + 1; i + 1 < end; i++) {
        if (text[i] != '\\')
            continue;
        const char *escape = text[i + 1] ? strchr(escapes, text[i + 1]) : NULL;
        if (escape) {
            size_t n = MAX(fig_yaml_word_length(text + i + 1), 1);
            FigMessage *message = fig_diag_error(
                reader->diag, fig_yaml_span_at(reader, i, i + 1 + n),
                "‘\\%c’ in double quotes is %s", *escape, made[escape - escapes]);
            fig_message_hint(message, "single quotes keep a backslash as it is: '%.*s'",
                             (int)(1 + n), text + i);
            return;
        }
        i++;
    }
}

static FigYaml *
read_scalar(FigYamlReader *reader, const yaml_event_t *event, bool in_flow)
{
    FigYaml *node = fig_arena_new0(reader->arena, FigYaml);
    node->kind = FIG_YAML_SCALAR;
    node->span = fig_yaml_span_of(reader, event->start_mark, event->end_mark);
    const char *value = (const char *)event->data.scalar.value;
    size_t length = event->data.scalar.length;
    yaml_scalar_style_t style = event->data.scalar.style;
    node->quoted = style != YAML_PLAIN_SCALAR_STYLE;
    if (length > FIG_LIMIT_SCALAR) {
        stop(reader, node->span, "this text is too long in bytes", FIG_LIMIT_SCALAR);
        return NULL;
    }
    if (memchr(value, '\0', length)) {
        if (style == YAML_DOUBLE_QUOTED_SCALAR_STYLE)
            check_double_quotes(reader, node);
        if (!fig_diag_errors(reader->diag))
            fig_diag_error(reader->diag, node->span, "a NUL in a text");
        return NULL;
    }
    node->text = fig_arena_strndup(reader->arena, value, length);
    node->lead = style == YAML_SINGLE_QUOTED_SCALAR_STYLE ||
                 style == YAML_DOUBLE_QUOTED_SCALAR_STYLE;
    node->verbatim = node->span.length >= length + 2 * node->lead &&
                     memcmp(reader->source->text + node->span.offset + node->lead,
                            value, length) == 0;
    check_tag(reader, event->data.scalar.tag, event->start_mark);
    if (style == YAML_PLAIN_SCALAR_STYLE)
        check_plain(reader, node, in_flow);
    else if (style == YAML_DOUBLE_QUOTED_SCALAR_STYLE)
        check_double_quotes(reader, node);
    return node;
}

static FigYaml *read_node(FigYamlReader *reader, yaml_event_t *event, int depth,
                          bool in_flow, int *size, int *height);

static FigYaml *
read_alias(FigYamlReader *reader, const yaml_event_t *event, int depth, int *size,
           int *height)
{
    FigSpan span = fig_yaml_span_of(reader, event->start_mark, event->end_mark);
    const char *name = (const char *)event->data.alias.anchor;
    Anchor *anchor = g_hash_table_lookup(reader->anchors, name);
    if (!anchor) {
        fig_diag_error(reader->diag, span, "there is no anchor ‘&%s’ before this alias",
                       name);
        return NULL;
    }
    if (depth + anchor->height > FIG_LIMIT_DEPTH) {
        stop(reader, span, "nested too deep", FIG_LIMIT_DEPTH);
        return NULL;
    }
    if (!count_nodes(reader, span, anchor->size))
        return NULL;
    *size = anchor->size;
    *height = anchor->height;
    anchor->node->shared = true;
    return anchor->node;
}

static void
check_duplicates(FigYamlReader *reader, const GPtrArray *keys)
{
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; i < keys->len; i++) {
        FigYaml *key = keys->pdata[i];
        FigYaml *first = g_hash_table_lookup(seen, key->text);
        if (!first) {
            g_hash_table_insert(seen, (gpointer)key->text, key);
            continue;
        }
        FigMessage *message = fig_diag_error(reader->diag, key->span,
                                             "the key ‘%s’ stands twice", key->text);
        fig_message_note_at(message, first->span, "here it is first");
    }
}

static FigYaml *
read_collection(FigYamlReader *reader, const yaml_event_t *start, int depth, int *size,
                int *height)
{
    bool map = start->type == YAML_MAPPING_START_EVENT;
    bool flow = map ? start->data.mapping_start.style == YAML_FLOW_MAPPING_STYLE
                    : start->data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE;
    check_tag(reader,
              map ? start->data.mapping_start.tag : start->data.sequence_start.tag,
              start->start_mark);
    FigYaml *node = fig_arena_new0(reader->arena, FigYaml);
    node->kind = map ? FIG_YAML_MAP : FIG_YAML_LIST;
    size_t from = fig_yaml_byte_of(reader, start->start_mark), to = from;
    g_autoptr(GPtrArray) keys = g_ptr_array_new();
    g_autoptr(GPtrArray) items = g_ptr_array_new();
    bool whole = true, key_next = map;
    for (bool more = true; more && !reader->stopped;) {
        yaml_event_t event;
        if (!next_event(reader, &event))
            break;
        if (event.type == YAML_MAPPING_END_EVENT ||
            event.type == YAML_SEQUENCE_END_EVENT) {
            to = fig_yaml_byte_of(reader, event.end_mark);
            more = false;
        } else {
            int child_size = 1, child_height = 0;
            FigYaml *child =
                read_node(reader, &event, depth + 1, flow, &child_size, &child_height);
            if (child && key_next && child->kind != FIG_YAML_SCALAR) {
                fig_diag_error(reader->diag, child->span, "a key must be a word");
                child = NULL;
            }
            whole = whole && child;
            *size += child_size;
            *height = MAX(*height, child_height + 1);
            g_ptr_array_add(key_next ? keys : items, child);
            key_next = map && !key_next;
        }
        yaml_event_delete(&event);
    }
    node->span = span_line(reader, from, flow ? to : reader->source->length);
    if (!whole || reader->stopped)
        return NULL;
    check_duplicates(reader, keys);
    node->count = (int)items->len;
    node->items =
        fig_arena_copy(reader->arena, items->pdata, items->len * sizeof(FigYaml *));
    if (map)
        node->keys =
            fig_arena_copy(reader->arena, keys->pdata, keys->len * sizeof(FigYaml *));
    return node;
}

static FigYaml *
read_node(FigYamlReader *reader, yaml_event_t *event, int depth, bool in_flow,
          int *size, int *height)
{
    if (event->type == YAML_ALIAS_EVENT)
        return read_alias(reader, event, depth, size, height);
    FigSpan at = fig_yaml_span_of(reader, event->start_mark, event->start_mark);
    at.length = 1;
    if (!count_nodes(reader, at, 1))
        return NULL;
    if (depth > FIG_LIMIT_DEPTH) {
        stop(reader, at, "nested too deep", FIG_LIMIT_DEPTH);
        return NULL;
    }
    const yaml_char_t *name;
    FigYaml *node;
    if (event->type == YAML_SCALAR_EVENT) {
        name = event->data.scalar.anchor;
        node = read_scalar(reader, event, in_flow);
    } else {
        name = event->type == YAML_MAPPING_START_EVENT
                   ? event->data.mapping_start.anchor
                   : event->data.sequence_start.anchor;
        node = read_collection(reader, event, depth, size, height);
    }
    if (name && node) {
        Anchor *anchor = g_new(Anchor, 1);
        *anchor = (Anchor){node, *size, *height};
        g_hash_table_replace(reader->anchors, g_strdup((const char *)name), anchor);
    }
    return node;
}

/* ---- the document ---- */

/* libyaml would stop at bytes that are no text, too, but says less about them. */
static bool
check_bytes(FigYamlReader *reader)
{
    const FigSource *source = reader->source;
    const char *bad = NULL;
    if (source->length > FIG_LIMIT_FILE) {
        fig_diag_error(reader->diag, fig_yaml_span_at(reader, 0, 0),
                       "the text is too long in bytes (the limit is %d)",
                       FIG_LIMIT_FILE);
        return false;
    }
    /* also stops at a NUL inside */
    bool valid = g_utf8_validate_len(source->text, source->length, &bad);
    size_t checked = valid ? source->length : (size_t)(bad - source->text);
    for (size_t i = 0; i < checked; i++) {
        unsigned char byte = (unsigned char)source->text[i];
        if ((byte < ' ' && byte != '\t' && byte != '\n' && byte != '\r') ||
            byte == 0x7f) {
            fig_diag_error(reader->diag, fig_yaml_span_at(reader, i, i + 1),
                           "this is no text: the control character 0x%02x", byte);
            return false;
        }
    }
    if (!valid) {
        unsigned char byte = (unsigned char)source->text[checked];
        if (byte)
            fig_diag_error(reader->diag, fig_yaml_span_at(reader, checked, checked + 1),
                           "this is not UTF-8: the byte 0x%02x", byte);
        else
            fig_diag_error(reader->diag, fig_yaml_span_at(reader, checked, checked + 1),
                           "this is no text: a NUL");
    }
    return valid;
}

static FigYaml *
read_document(FigYamlReader *reader)
{
    FigYaml *root = NULL;
    bool started = false;
    for (bool more = true; more && !reader->stopped;) {
        yaml_event_t event;
        if (!next_event(reader, &event))
            break;
        if (event.type == YAML_DOCUMENT_START_EVENT && started) {
            fig_diag_error(reader->diag,
                           fig_yaml_span_of(reader, event.start_mark, event.end_mark),
                           "a second document starts here; a file holds one");
            reader->stopped = true;
        } else if (event.type == YAML_STREAM_END_EVENT) {
            more = false;
        } else if (event.type == YAML_SCALAR_EVENT || event.type == YAML_ALIAS_EVENT ||
                   event.type == YAML_MAPPING_START_EVENT ||
                   event.type == YAML_SEQUENCE_START_EVENT) {
            int size = 1, height = 0;
            root = read_node(reader, &event, 0, false, &size, &height);
            started = true;
        }
        yaml_event_delete(&event);
    }
    bool nothing =
        root && root->kind == FIG_YAML_SCALAR && !root->quoted && !*root->text;
    if (!reader->stopped && (!started || nothing))
        fig_diag_error(reader->diag, fig_yaml_span_at(reader, 0, 0),
                       "the file is empty");
    return root;
}

FigYaml *
fig_yaml_read(const FigSource *source, FigArena *arena, FigDiag *diag)
{
    FigYamlReader reader = {.source = source, .arena = arena, .diag = diag};
    int errors = fig_diag_errors(diag);
    g_autoptr(GArray) lines = g_array_new(FALSE, FALSE, sizeof(size_t));
    reader.lines = lines;
    for (size_t i = 0; i <= source->length; i++) {
        if (i == 0 || source->text[i - 1] == '\n')
            g_array_append_val(lines, i);
    }
    if (!check_bytes(&reader))
        return NULL;
    if (g_str_has_prefix(source->text, "\xef\xbb\xbf"))
        reader.start = 3;
    reader.cursor_byte = reader.start;
    if (!yaml_parser_initialize(&reader.parser))
        g_error("out of memory");
    yaml_parser_set_encoding(&reader.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&reader.parser,
                                 (const unsigned char *)source->text + reader.start,
                                 source->length - reader.start);
    g_autoptr(GHashTable) anchors =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    reader.anchors = anchors;
    FigYaml *root = read_document(&reader);
    yaml_parser_delete(&reader.parser);
    return fig_diag_errors(diag) == errors ? root : NULL;
}

/* ---- copies ---- */

static FigYaml *
copy(const FigYaml *node, FigArena *arena, GHashTable *shared)
{
    FigYaml *made = node->shared ? g_hash_table_lookup(shared, node) : NULL;
    if (made)
        return made;
    made = fig_arena_copy(arena, node, sizeof *node);
    if (node->shared)
        g_hash_table_insert(shared, (gpointer)node, made);
    if (node->kind == FIG_YAML_SCALAR)
        return made;
    made->items = fig_arena_new_array(arena, FigYaml *, node->count);
    for (int i = 0; i < node->count; i++)
        made->items[i] = copy(node->items[i], arena, shared);
    if (node->kind == FIG_YAML_LIST)
        return made;
    made->keys = fig_arena_new_array(arena, FigYaml *, node->count);
    for (int i = 0; i < node->count; i++)
        made->keys[i] = copy(node->keys[i], arena, shared);
    return made;
}

FigYaml *
fig_yaml_copy(const FigYaml *root, FigArena *arena)
{
    g_autoptr(GHashTable) shared = g_hash_table_new(NULL, NULL);
    return copy(root, arena, shared);
}

FigYaml *
fig_yaml_lookup(const FigYaml *map, const char *key)
{
    if (map->kind != FIG_YAML_MAP)
        return NULL;
    for (int i = 0; i < map->count; i++) {
        if (strcmp(map->keys[i]->text, key) == 0)
            return map->items[i];
    }
    return NULL;
}

bool
fig_yaml_check_keys(const FigYaml *map, const char *const *keys, const char *what,
                    FigDiag *diag)
{
    if (map->kind != FIG_YAML_MAP) {
        fig_diag_error(diag, map->span, "%s is a map (key: value), not %s", what,
                       map->kind == FIG_YAML_LIST ? "a list" : "a single value");
        return false;
    }
    bool good = true;
    for (int i = 0; i < map->count; i++) {
        const FigYaml *key = map->keys[i];
        if (g_strv_contains(keys, key->text))
            continue;
        good = false;
        FigMessage *message =
            fig_diag_error(diag, key->span, "%s has no key ‘%s’", what, key->text);
        g_autofree char *all = g_strjoinv(", ", (char **)keys);
        fig_message_note(message, "its keys are %s", all);
        const char *colon = strchr(key->text, ':');
        g_autofree char *before = g_strndup(key->text, strcspn(key->text, ":"));
        if (colon && colon[1] && g_strv_contains(keys, before))
            fig_message_hint(message, "YAML wants a space after ‘:’");
        else
            fig_message_suggest(message, key->text, keys);
    }
    return good;
}

FigSpan
fig_yaml_span(const FigYaml *scalar, size_t offset, size_t length)
{
    if (scalar->kind != FIG_YAML_SCALAR || !scalar->verbatim)
        return scalar->span;
    return fig_span_inside(scalar->span, scalar->lead + offset, length);
}
