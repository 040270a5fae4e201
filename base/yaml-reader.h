/* SPDX-License-Identifier: MIT
 *
 * A YAML text while it is read: libyaml's parser, and where its marks are in the text.
 */
#ifndef FIG_BASE_YAML_READER_H
#define FIG_BASE_YAML_READER_H

#include "base/yaml.h"

#include <yaml.h>

typedef struct FigYamlReader {
    const FigSource *source;
    size_t start; /* bytes of a byte order mark before the text */
    FigArena *arena;
    FigDiag *diag;
    yaml_parser_t parser;
    GHashTable *anchors;             /* name → Anchor */
    GArray *lines;                   /* size_t: offsets of line starts */
    size_t cursor_mark, cursor_byte; /* a mark and the byte it stands for */
    int nodes;
    bool stopped; /* no further event can be read */
} FigYamlReader;

/* The place of some bytes, cut off at the end of the text. */
FigSpan fig_yaml_span_at(const FigYamlReader *reader, size_t from, size_t to);
/* The byte that a mark of libyaml stands for. */
size_t fig_yaml_byte_of(FigYamlReader *reader, yaml_mark_t mark);
FigSpan fig_yaml_span_of(FigYamlReader *reader, yaml_mark_t from, yaml_mark_t to);

/* How many letters a text begins with. */
size_t fig_yaml_word_length(const char *text);

/* ---- yaml-report.c ---- */

/* Say what libyaml could not read, and stop. */
void fig_yaml_report(FigYamlReader *reader);

#endif
