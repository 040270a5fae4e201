/* SPDX-License-Identifier: MIT
 *
 * What the two files of the import share, and no one else: import.c reads the JSON and
 * walks `import:`, import-field.c turns a field into what a dim or constant is set to.
 */
#ifndef FIG_SPEC_IMPORT_H
#define FIG_SPEC_IMPORT_H

#include "spec/loader.h"

#include <jansson.h>

typedef struct FigConfig {
    FigLoader *loader;
    const FigSource *source;
    const char *name; /* of the spec */
    json_t *json;     /* NULL: no config was given; only the form of `import:` is read */
} FigConfig;

/* A number as a spec would write it, anything else as JSON, not too long. owns: arena */
const char *fig_json_text(FigArena *arena, const json_t *value);

/* Where the key stands in the outermost object (of a path, its first part); the start of
 * the file if it does not. */
FigSpan fig_json_key_span(const FigSource *source, const char *path);

/* The value at "rope_parameters.rope_type"; NULL: there is none. */
const json_t *fig_json_find(const json_t *object, const char *path);

/* What `import:` says of one dim or constant, read from the config:
 *
 *   C: hidden_size
 *   G: {field: num_key_value_heads, absent: H}
 *   kind: {field: layer_types, words: {full_attention: full}, absent: [window, full]}
 *   scaling: {field: [rope_scaling, rope_parameters], map: {type: …}, skip: [rope_theta]}
 *
 * Of several fields the first that is not null is taken; of a list, and of a list under
 * `absent:`, the entry of the layer (`absent:` comes round again). errors: reported; false
 */
bool fig_config_field(FigConfig *config, const FigYaml *key, const FigYaml *node,
                      GArray *values);

#endif
