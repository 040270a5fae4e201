/* SPDX-License-Identifier: MIT
 *
 * What libyaml could not read, in words for the person who wrote it: libyaml says where it
 * gave up, here it is guessed what was meant.
 */
#include "base/yaml-reader.h"

#include <string.h>

static bool
says(const char *problem, const char *words)
{
    return problem && strstr(problem, words);
}

static void
report_escape(FigYamlReader *reader, size_t at)
{
    const char *text = reader->source->text + at; /* at the backslash */
    size_t n = MAX(fig_yaml_word_length(text + 1), 1);
    FigMessage *message =
        fig_diag_error(reader->diag, fig_yaml_span_at(reader, at, at + 1 + n),
                       "‘\\%c’ is no escape of double quotes", text[1]);
    fig_message_hint(message, "single quotes keep a backslash as it is: '%.*s'",
                     (int)(1 + n), text);
}

/* A colon where no key can stand: in a text without quotes, behind a brace that was not
 * closed on the lines before, or behind a comma that is missing. */
static void
report_colon(FigYamlReader *reader, size_t at)
{
    const yaml_parser_t *parser = &reader->parser;
    const char *text = reader->source->text;
    bool flow = says(parser->context, "flow");
    size_t word = at;
    while (word > 0 && (g_ascii_isalnum(text[word - 1]) || text[word - 1] == '_'))
        word--;
    size_t start = word;
    while (start > 0 && text[start - 1] == ' ')
        start--;
    bool first = start == 0 || text[start - 1] == '\n';
    if (flow && first && word < at &&
        parser->context_mark.line < parser->problem_mark.line) {
        size_t open = fig_yaml_byte_of(reader, parser->context_mark);
        FigMessage *message =
            fig_diag_error(reader->diag, fig_yaml_span_at(reader, open, open + 1),
                           "this ‘%c’ is not closed, or a comma is missing before the "
                           "line where ‘%.*s:’ stands",
                           text[open], (int)(at - word), text + word);
        fig_message_note_at(message, fig_yaml_span_at(reader, word, at),
                            "here it stands");
        return;
    }
    FigMessage *message =
        fig_diag_error(reader->diag, fig_yaml_span_at(reader, at, at + 1),
                       "‘: ’ inside unquoted text starts a map in the map");
    if (flow && g_ascii_isalpha(text[word]) && word > start && !first)
        fig_message_hint(message,
                         "put the text in quotes; or a comma is missing before ‘%.*s’",
                         (int)(at - word), text + word);
    else
        fig_message_hint(message, "put the text in quotes");
}

void
fig_yaml_report(FigYamlReader *reader)
{
    yaml_parser_t *parser = &reader->parser;
    const char *problem = parser->problem;
    reader->stopped = true;
    if (parser->error == YAML_READER_ERROR) {
        fig_diag_error(reader->diag,
                       fig_yaml_span_at(reader, reader->start, reader->start + 1),
                       "this is no text: %s", problem ? problem : "not readable");
        return;
    }
    size_t at = fig_yaml_byte_of(reader, parser->problem_mark);
    const char *text = reader->source->text;
    FigSpan place = fig_yaml_span_at(reader, at, at + 1);
    if (says(problem, "unknown escape") || says(problem, "hexdecimal")) {
        while (at > 0 && text[at] != '\\')
            at--;
        report_escape(reader, at);
        return;
    }
    bool colon = text[at] == ':' && (says(problem, "mapping values") ||
                                     says(problem, "did not find expected ','"));
    if (colon) {
        report_colon(reader, at);
        return;
    }
    bool brace = text[at] == '{' || text[at] == '[';
    if (brace && at > 0 && !g_ascii_isspace(text[at - 1]) &&
        says(problem, "did not find expected ','")) {
        FigMessage *message =
            fig_diag_error(reader->diag, place,
                           "‘%c’ ends an unquoted text inside {…} or […]", text[at]);
        fig_message_hint(message, "put the text in single quotes");
        return;
    }
    if (says(problem, "cannot start any token")) {
        FigMessage *message;
        if (text[at] == '\t') {
            message = fig_diag_error(reader->diag, place, "a TAB where spaces indent");
            fig_message_hint(message, "YAML is indented by spaces");
        } else {
            message = fig_diag_error(reader->diag, place,
                                     "‘%c’ cannot begin an unquoted text", text[at]);
            fig_message_hint(message, "put the text in quotes");
        }
        return;
    }
    if (says(problem, "unexpected end of stream") && parser->context) {
        fig_diag_error(
            reader->diag,
            fig_yaml_span_of(reader, parser->context_mark, parser->context_mark),
            "this quote is never closed");
        return;
    }
    FigMessage *message = fig_diag_error(reader->diag, place, "this is not YAML: %s",
                                         problem ? problem : "it cannot be read");
    if (parser->context && parser->context_mark.index != parser->problem_mark.index)
        fig_message_note_at(
            message,
            fig_yaml_span_of(reader, parser->context_mark, parser->context_mark), "%s",
            parser->context);
}
