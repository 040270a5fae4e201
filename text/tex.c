/* SPDX-License-Identifier: MIT
 *
 * The parser of labels: a hand-written descent over TeX's own shape (a list of atoms, each
 * with scripts), for the subset that figures need. The first mistake of a formula is
 * reported at its place in the person's file, and the next formula is looked at.
 */
#include "text/tex.h"

#include "base/limit.h"
#include "text/text.h"

#include <string.h>

typedef struct Parser {
    FigArena *arena;
    const char *source; /* the whole label */
    size_t pos, end;    /* of the formula, in bytes */
    FigSpan at;
    bool inside; /* does at cover source letter by letter? */
    FigDiag *diag;
    int depth;
    bool failed;
} Parser;

static FigTex *parse_list(Parser *parser, size_t opened, const char *until);

static FigSpan
place(const Parser *parser, size_t offset, size_t length)
{
    return parser->inside ? fig_span_inside(parser->at, offset, length) : parser->at;
}

/* Report the formula's first mistake; the message, to hang hints on, or NULL. */
static FigMessage *G_GNUC_PRINTF(4, 5)
    fail(Parser *parser, size_t offset, size_t length, const char *format, ...)
{
    if (parser->failed)
        return NULL;
    parser->failed = true;
    if (!parser->diag)
        return NULL;
    va_list args;
    va_start(args, format);
    g_autofree char *text = g_strdup_vprintf(format, args);
    va_end(args);
    return fig_diag_error(parser->diag, place(parser, offset, length), "%s", text);
}

static bool
looking_at(const Parser *parser, const char *word)
{
    size_t length = strlen(word);
    return parser->end - parser->pos >= length &&
           !strncmp(parser->source + parser->pos, word, length);
}

/* The command at a backslash: its letters, or the one character after it. */
static size_t
command_length(const Parser *parser)
{
    size_t from = parser->pos + 1, to = from;
    while (to < parser->end && g_ascii_isalpha(parser->source[to]))
        to++;
    if (to == from && to < parser->end)
        to = (size_t)(g_utf8_next_char(parser->source + to) - parser->source);
    return MIN(to, parser->end) - from;
}

static void
skip_spaces(Parser *parser)
{
    while (parser->pos < parser->end && (g_ascii_isspace(parser->source[parser->pos]) ||
                                         parser->source[parser->pos] == '~'))
        parser->pos++;
}

static FigTex *
node(Parser *parser, FigTexKind kind, FigAtom atom, const char *text)
{
    FigTex *made = fig_arena_new0(parser->arena, FigTex);
    made->kind = kind;
    made->atom = atom;
    made->text = text;
    return made;
}

/* { … }, whose opening brace is next. */
static FigTex *
parse_group(Parser *parser)
{
    size_t opened = parser->pos++;
    FigTex *list = parse_list(parser, opened, "}");
    if (!parser->failed)
        parser->pos++; /* the closing brace */
    return list;
}

/* The braces after a command of that name (it starts at offset). */
static const FigTex *
parse_braces(Parser *parser, size_t offset, size_t length)
{
    skip_spaces(parser);
    if (!looking_at(parser, "{")) {
        fail(parser, offset, length, "‘%.*s’ wants ‘{…}’ after it", (int)length,
             parser->source + offset);
        return NULL;
    }
    return parse_group(parser);
}

/* Upright words in braces, as they stand. */
static const char *
parse_words(Parser *parser, size_t offset, size_t length)
{
    skip_spaces(parser);
    if (!looking_at(parser, "{")) {
        fail(parser, offset, length, "‘%.*s’ wants ‘{…}’ after it", (int)length,
             parser->source + offset);
        return NULL;
    }
    size_t opened = parser->pos++;
    g_autoptr(GString) text = g_string_new(NULL);
    while (parser->pos < parser->end && !looking_at(parser, "}")) {
        char c = parser->source[parser->pos];
        if (c == '\\' && parser->pos + 1 < parser->end &&
            strchr("_%#&$ <{}", parser->source[parser->pos + 1])) {
            c = parser->source[++parser->pos];
        } else if (strchr("\\{^_&#", c)) {
            fail(parser, parser->pos, 1,
                 "‘%c’ inside ‘%.*s{…}’, which holds plain words", c, (int)length,
                 parser->source + offset);
            return NULL;
        }
        g_string_append_c(text, c);
        parser->pos++;
    }
    if (parser->pos >= parser->end) {
        fail(parser, opened, 1, "‘{’ is never closed");
        return NULL;
    }
    parser->pos++;
    return fig_arena_strdup(parser->arena, text->str);
}

/* The sign after \left or \right; "." is none. */
static const char *
parse_fence(Parser *parser, size_t offset, size_t length)
{
    skip_spaces(parser);
    const FigTexSymbol *symbol = NULL;
    size_t taken = 1;
    if (looking_at(parser, ".")) {
        parser->pos++;
        return "";
    }
    if (looking_at(parser, "|")) {
        parser->pos++;
        return "|";
    }
    if (looking_at(parser, "\\")) {
        taken = command_length(parser) + 1;
        symbol = fig_tex_symbol(parser->source + parser->pos + 1, taken - 1);
    } else if (parser->pos < parser->end) {
        symbol = fig_tex_character(parser->source + parser->pos, 1);
    }
    if (!symbol || (symbol->atom != FIG_ATOM_OPEN && symbol->atom != FIG_ATOM_CLOSE)) {
        fail(parser, offset, length, "‘%.*s’ wants a bracket after it, or ‘.’",
             (int)length, parser->source + offset);
        return NULL;
    }
    parser->pos += taken;
    return symbol->text;
}

static FigTex *
parse_command(Parser *parser)
{
    static const struct {
        const char *name;
        double mu;
    } spaces[] = {{",", 3},  {":", 4},     {">", 4},      {";", 5},
                  {"!", -3}, {"quad", 18}, {"qquad", 36}, {" ", 6}};
    size_t offset = parser->pos, length = command_length(parser);
    const char *name = parser->source + offset + 1;
    if (length == 0) {
        fail(parser, offset, 1, "a lone ‘\\’ at the end");
        return NULL;
    }
    for (size_t i = 0; i < G_N_ELEMENTS(spaces); i++) {
        if (strlen(spaces[i].name) == length &&
            !strncmp(spaces[i].name, name, length)) {
            parser->pos += length + 1;
            FigTex *space = node(parser, FIG_TEX_SPACE, FIG_ATOM_SPACE, NULL);
            space->mu = spaces[i].mu;
            return space;
        }
    }
    const FigTexSymbol *symbol = fig_tex_symbol(name, length);
    if (symbol) {
        parser->pos += length + 1;
        if (symbol->text)
            return node(parser, FIG_TEX_SYMBOL, symbol->atom, symbol->text);
        return node(parser, FIG_TEX_ROMAN, symbol->atom,
                    fig_arena_strdup(parser->arena, symbol->name));
    }
    g_autofree char *word = g_strndup(name - 1, length + 1);
    FigTex *made = NULL;
    if (!strcmp(word, "\\sqrt")) {
        parser->pos += length + 1;
        made = node(parser, FIG_TEX_SQRT, FIG_ATOM_ORD, NULL);
        made->inner = parse_braces(parser, offset, length + 1);
    } else if (!strcmp(word, "\\frac")) {
        parser->pos += length + 1;
        made = node(parser, FIG_TEX_FRAC, FIG_ATOM_INNER, NULL);
        made->inner = parse_braces(parser, offset, length + 1);
        if (!parser->failed)
            made->under = parse_braces(parser, offset, length + 1);
    } else if (!strcmp(word, "\\mathrm") || !strcmp(word, "\\text") ||
               !strcmp(word, "\\operatorname")) {
        parser->pos += length + 1;
        made = node(parser, FIG_TEX_ROMAN, word[1] == 'o' ? FIG_ATOM_OP : FIG_ATOM_ORD,
                    NULL);
        made->text = parse_words(parser, offset, length + 1);
    } else if (!strcmp(word, "\\left")) {
        parser->pos += length + 1;
        made = node(parser, FIG_TEX_FENCE, FIG_ATOM_INNER, NULL);
        made->text = parse_fence(parser, offset, length + 1);
        if (!parser->failed)
            made->inner = parse_list(parser, offset, "\\right");
        if (!parser->failed) {
            size_t closing = parser->pos;
            parser->pos += strlen("\\right");
            made->right = parse_fence(parser, closing, strlen("\\right"));
        }
    } else if (!strcmp(word, "\\right")) {
        fail(parser, offset, length + 1, "‘\\right’ without ‘\\left’");
    } else {
        FigMessage *message =
            fail(parser, offset, length + 1, "unknown command ‘%s’", word);
        if (message) {
            g_auto(GStrv) commands = fig_tex_commands();
            fig_message_suggest(message, word, (const char *const *)commands);
        }
    }
    return made;
}

/* <expr>, which stands for a number: up to the > outside its parentheses. */
static size_t
placeholder_length(const Parser *parser)
{
    if (parser->pos + 1 >= parser->end ||
        !g_ascii_isalpha(parser->source[parser->pos + 1]))
        return 0;
    int depth = 0;
    for (size_t i = parser->pos + 1; i < parser->end; i++) {
        char c = parser->source[i];
        if (c == '(' || c == '[')
            depth++;
        else if (c == ')' || c == ']')
            depth--;
        else if (c == '>' && depth <= 0)
            return i + 1 - parser->pos;
    }
    return 0;
}

static FigTex *
parse_character(Parser *parser, bool script)
{
    const char *text = parser->source + parser->pos;
    size_t length = (size_t)(g_utf8_next_char(text) - text);
    if (g_ascii_isalpha(*text)) {
        parser->pos++;
        return node(parser, FIG_TEX_LETTER, FIG_ATOM_ORD,
                    fig_arena_strndup(parser->arena, text, 1));
    }
    if (strchr("&#%", *text)) {
        FigMessage *message =
            fail(parser, parser->pos, 1, "‘%c’ means nothing in a formula", *text);
        if (message)
            fig_message_hint(message, "write \\%c for the sign itself", *text);
        return NULL;
    }
    if (*text == '<' && placeholder_length(parser)) {
        length = placeholder_length(parser);
        parser->pos += length;
        return node(parser, FIG_TEX_SYMBOL, FIG_ATOM_ORD,
                    fig_arena_strndup(parser->arena, text, length));
    }
    if (g_ascii_isdigit(*text) && !script) {
        const char *stop = parser->source + parser->end;
        for (length = 1; text + length < stop; length++)
            if (!g_ascii_isdigit(text[length]) &&
                !(text[length] == '.' && text + length + 1 < stop &&
                  g_ascii_isdigit(text[length + 1])))
                break;
    }
    const FigTexSymbol *symbol = fig_tex_character(text, length);
    parser->pos += length;
    return node(parser, FIG_TEX_SYMBOL, symbol ? symbol->atom : FIG_ATOM_ORD,
                symbol && symbol->text
                    ? symbol->text
                    : fig_arena_strndup(parser->arena, text, length));
}

/* What follows ^ or _: braces, a command or one character. */
static const FigTex *
parse_script(Parser *parser, size_t offset)
{
    skip_spaces(parser);
    const char *next = parser->source + parser->pos;
    if (parser->pos >= parser->end || *next == '}' || *next == '_' || *next == '^' ||
        *next == '\'') {
        fail(parser, offset, 1, "‘%c’ is followed by nothing", parser->source[offset]);
        return NULL;
    }
    if (*next == '{')
        return parse_group(parser); /* an empty one is no script */
    return *next == '\\' ? parse_command(parser) : parse_character(parser, true);
}

/* Attach ^, _ or ' to the last atom (to an empty one if there is none). */
static void
parse_scripts(Parser *parser, FigTex *last)
{
    size_t offset = parser->pos++;
    char c = parser->source[offset];
    if (c == '\'') {
        if (last->sup)
            fail(parser, offset, 1, "a prime after a superscript");
        last->primes++;
        return;
    }
    const FigTex **where = c == '_' ? &last->sub : &last->sup;
    if (*where) {
        FigMessage *message = fail(parser, offset, 1, "a second %s",
                                   c == '_' ? "subscript" : "superscript");
        if (message)
            fig_message_hint(message, "put both in one pair of braces: %c{…}", c);
        return;
    }
    *where = parse_script(parser, offset);
}

/* TeX's rule: a binary sign that has nothing to bind is an ordinary one. */
static void
settle_binaries(FigTex *list)
{
    FigTex *before = NULL;
    for (FigTex *item = list; item; item = item->next) {
        if (item->atom == FIG_ATOM_SPACE)
            continue;
        bool opens = !before || before->atom == FIG_ATOM_BIN ||
                     before->atom == FIG_ATOM_OP || before->atom == FIG_ATOM_REL ||
                     before->atom == FIG_ATOM_OPEN || before->atom == FIG_ATOM_PUNCT;
        if (item->atom == FIG_ATOM_BIN && opens)
            item->atom = FIG_ATOM_ORD;
        if (before && before->atom == FIG_ATOM_BIN &&
            (item->atom == FIG_ATOM_REL || item->atom == FIG_ATOM_CLOSE ||
             item->atom == FIG_ATOM_PUNCT))
            before->atom = FIG_ATOM_ORD;
        before = item;
    }
    if (before && before->atom == FIG_ATOM_BIN)
        before->atom = FIG_ATOM_ORD;
}

/* Atoms up to until ("}" or "\right", which is left unread), which opened ended; or to
 * the end of the formula when until is NULL. */
static FigTex *
parse_list(Parser *parser, size_t opened, const char *until)
{
    FigTex *first = NULL, **link = &first, *last = NULL;
    if (++parser->depth > FIG_LIMIT_DEPTH)
        fail(parser, opened, 1, "braces nested more than %d deep", FIG_LIMIT_DEPTH);
    for (;;) {
        skip_spaces(parser);
        if (parser->failed || parser->pos >= parser->end ||
            (until && looking_at(parser, until) &&
             (*until == '}' || command_length(parser) == strlen(until) - 1)))
            break;
        char c = parser->source[parser->pos];
        FigTex *item;
        if (c == '}') {
            fail(parser, parser->pos, 1, "‘}’ without ‘{’ before it");
            break;
        }
        if (c == '_' || c == '^' || c == '\'') {
            if (!last || last->atom == FIG_ATOM_SPACE) {
                item = node(parser, FIG_TEX_NOTHING, FIG_ATOM_ORD, NULL);
                *link = last = item;
                link = &item->next;
            }
            parse_scripts(parser, last);
            continue;
        }
        if (c == '{') {
            item = node(parser, FIG_TEX_LIST, FIG_ATOM_ORD, NULL);
            item->inner = parse_group(parser);
        } else if (c == '\\' && command_length(parser) == 5 &&
                   looking_at(parser, "\\prime")) {
            fail(parser, parser->pos, 6, "‘\\prime’: write the prime as ‘'’");
            break;
        } else {
            item = c == '\\' ? parse_command(parser) : parse_character(parser, false);
        }
        if (!item)
            break;
        *link = last = item;
        link = &item->next;
    }
    if (until && !parser->failed && parser->pos >= parser->end)
        fail(parser, opened, *until == '}' ? 1 : 5, "‘%s’ is never closed",
             *until == '}' ? "{" : "\\left");
    parser->depth--;
    settle_binaries(first);
    return first;
}

/* Words end at a $; \$ \< and \\ are the signs themselves. */
static size_t
parse_plain(const char *source, size_t from, GString *words)
{
    size_t i = from;
    for (; source[i] && source[i] != '$'; i++) {
        if (source[i] == '\\' && source[i + 1] && strchr("$<\\", source[i + 1]))
            i++;
        bool control = (unsigned char)source[i] < 0x20 || source[i] == 0x7f;
        g_string_append_c(words, control ? ' ' : source[i]);
    }
    return i;
}

bool
fig_tex_label(FigArena *arena, const char *source, FigSpan at, FigDiag *diag,
              FigTexPiece **pieces)
{
    Parser parser = {.arena = arena, .source = source, .at = at, .diag = diag};
    parser.inside = at.source && at.length == strlen(source);
    FigTexPiece *first = NULL, **link = &first;
    size_t length = strlen(source);
    *pieces = NULL;
    if (length > FIG_LIMIT_LABEL) {
        fail(&parser, 0, 1, "a label of %zu bytes; at most %d are set", length,
             FIG_LIMIT_LABEL);
        return false;
    }
    const char *bad;
    if (!g_utf8_validate(source, -1, &bad)) {
        fail(&parser, (size_t)(bad - source), 1, "a label that is not UTF-8");
        return false;
    }
    bool sound = true;
    for (size_t i = 0; source[i];) {
        FigTexPiece *piece = fig_arena_new0(arena, FigTexPiece);
        if (source[i] != '$') {
            g_autoptr(GString) words = g_string_new(NULL);
            i = parse_plain(source, i, words);
            piece->words = fig_arena_strdup(arena, words->str);
        } else {
            size_t end = i + 1;
            while (source[end] && source[end] != '$')
                end += source[end] == '\\' && source[end + 1] ? 2 : 1;
            parser.failed = false;
            if (!source[end]) {
                FigMessage *message = fail(&parser, i, 1, "‘$’ is never closed");
                if (message)
                    fig_message_hint(message, "write \\$ for a dollar sign");
                return false;
            }
            parser.pos = i + 1;
            parser.end = end;
            piece->math = parse_list(&parser, i, NULL);
            sound = sound && !parser.failed;
            i = end + 1;
        }
        *link = piece;
        link = &piece->next;
    }
    *pieces = first;
    return sound;
}

bool
fig_text_check(const char *source, FigSpan at, FigDiag *diag)
{
    g_autoptr(FigArena) arena = fig_arena_new();
    FigTexPiece *pieces;
    return fig_tex_label(arena, source, at, diag, &pieces);
}
