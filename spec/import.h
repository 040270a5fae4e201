/* SPDX-License-Identifier: MIT
 *
 * What the files of the import share, and no one else: import.c reads the JSON and walks
 * `import:`, import-must.c refuses what the spec cannot honour, import-field.c turns a
 * field into what a dim or constant is set to, import-report.c says what became of each.
 */
#ifndef FIG_SPEC_IMPORT_H
#define FIG_SPEC_IMPORT_H

#include "spec/loader.h"

#include <jansson.h>

/* What became of a field. */
typedef enum FigFateKind {
    FIG_FATE_TAKEN,   /* it sets a dim or constant */
    FIG_FATE_ABSENT,  /* it is not there, and something else sets it */
    FIG_FATE_MUST,    /* it is as it must be */
    FIG_FATE_KNOWN,   /* it might have set something, and did not */
    FIG_FATE_REFUSED, /* reported */
} FigFateKind;

typedef struct FigFate {
    FigFateKind kind;
    const char *path;  /* "rope_parameters.rope_theta" */
    const char *id;    /* what it sets, or NULL */
    const char *value; /* what sets it in place of an absent one, or NULL */
} FigFate;

typedef struct FigConfig {
    FigLoader *loader;
    const FigSource *source;
    const char *name; /* of the spec */
    const FigYaml *import;
    const char *layers; /* the field that says how many there are */
    json_t *json; /* NULL: no config was given; only the form of `import:` is read */
    const FigConfigValues *values; /* those read so far */
    GArray *fates;                 /* FigFate */
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
 * Of several fields the first that is not null is taken, and the others must not say
 * something else; of a list, and of a list under `absent:`, the entry of the layer
 * (`absent:` comes round again). `{kind}` in a name is the config's word for the constant
 * `kind`. errors: reported; false
 */
bool fig_config_field(FigConfig *config, const FigYaml *key, const FigYaml *node,
                      GArray *values);

/* `null_if: {kind: full}` of a field that is null: the constants must be these words, by
 * what the config and the command line say. Read when all constants are. errors: reported;
 * false */
bool fig_config_null(FigConfig *config, const FigYaml *node);

/* Has the list of the config as many entries as there are layers, if it says how many?
 * errors: reported; false */
bool fig_config_counts(FigConfig *config, const char *name, const json_t *list);

/* One field that must have one of the values of a list, or an object whose entries must:
 *
 *   hidden_act: [silu]
 *   layer_types: [[full_attention], null]      (a list, with this in each layer)
 *   rope_parameters: {rope_type: [default, null]}
 *
 * An object that is null or not there has no entries; an entry that nothing here names is
 * refused. path: of the field. errors: reported; false
 */
bool fig_config_must(FigConfig *config, const char *path, const FigYaml *key,
                     const FigYaml *wanted);

/* Does some dim or constant take the field? `{kind}` in a name stands for any word. */
bool fig_config_takes(const FigConfig *config, const char *path);

/* Note what became of a field; of one noted twice the first counts. */
void fig_config_note(FigConfig *config, FigFateKind kind, const char *path,
                     const char *id, const char *value);

/* Append a line for each field to what the options want (loader->options->config_report),
 * and warn of those that nobody knows. */
void fig_config_report(FigConfig *config);

#endif
