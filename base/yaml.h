/* SPDX-License-Identifier: MIT
 *
 * YAML as a tree of nodes that keep their place: read from libyaml's events (its
 * document loader has no depth limit and is quadratic on nesting), with the caps of
 * base/limit.h. Duplicate keys, empty documents, a second document, tags, tabs and
 * binary are errors with a place; YAML's own traps get a message with the cure:
 *
 *   {is: ceil(8*C/3, 64)}   a comma in an unquoted flow value
 *   "\theta"                a backslash escape in double quotes (\t is a TAB)
 *   say: a: b   x #1        ": " and " #" inside plain text
 *   {label: W_{q}}          a brace inside unquoted flow text
 *
 * This header is the only one that knows libyaml's ways; specs, layouts and themes read
 * FigYaml.
 */
#ifndef FIG_BASE_YAML_H
#define FIG_BASE_YAML_H

#include "base/arena.h"
#include "base/diag.h"

typedef enum FigYamlKind {
    FIG_YAML_SCALAR,
    FIG_YAML_LIST,
    FIG_YAML_MAP,
} FigYamlKind;

typedef struct FigYaml FigYaml;
struct FigYaml {
    FigYamlKind kind;
    /* scalar: the token with its quotes; list, map: to its first line's end */
    FigSpan span;
    const char *text; /* scalar: the text, NUL-terminated UTF-8 without NUL inside */
    bool quoted;      /* scalar: in quotes or a block, so never null or a number */
    bool verbatim;    /* scalar: text stands letter by letter in the source … */
    size_t lead;      /* … this many bytes after span.offset (1 for a quote) */
    bool shared;      /* it stands behind an alias too */
    int count;        /* list: items; map: pairs */
    FigYaml **keys;   /* map: scalars, in the order of the file */
    FigYaml **items;  /* list: items; map: the value of each key */
};

/* Read the one document of source.
 *
 * owns     the nodes live in arena
 * errors   each with its place in diag; NULL if any
 */
FigYaml *fig_yaml_read(const FigSource *source, FigArena *arena, FigDiag *diag);

/* The same nodes once more, to be changed; nodes behind an alias are shared in the copy too.
 * Texts and places are those of the first, which has to outlive it.
 *
 * owns     arena
 */
FigYaml *fig_yaml_copy(const FigYaml *root, FigArena *arena);

/* The value of a map's key, or NULL; a node that is no map has none. */
FigYaml *fig_yaml_lookup(const FigYaml *map, const char *key);

/* Report each key of map that is not one of keys (NULL-terminated), with «did you mean»;
 * what names the map in the message ("an op", "the spec"). */
bool fig_yaml_check_keys(const FigYaml *map, const char *const *keys, const char *what,
                         FigDiag *diag);

/* The place of length bytes at offset of a scalar's text, in its source (all of the
 * scalar when the text is not verbatim). */
FigSpan fig_yaml_span(const FigYaml *scalar, size_t offset, size_t length);

#endif
