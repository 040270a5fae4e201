/* SPDX-License-Identifier: MIT
 *
 * From a spec file to a graph: read, decide every `when`, resolve names, bind shapes. All
 * mistakes of the file are in diag with their places.
 */
#ifndef FIG_SPEC_LOAD_H
#define FIG_SPEC_LOAD_H

#include "spec/graph.h"

typedef struct FigOverride {
    const char *id;    /* "T" */
    const char *value; /* "128" */
} FigOverride;

typedef struct FigLoadOptions {
    const FigOverride *dims; /* --dims T=128,…: ended by a NULL id; NULL: none */
    const FigOverride *set;  /* --set theta=1e4 */
    const char *config;      /* --config: path of a Hugging Face config.json, or NULL */
    const char *preset;      /* --preset: "olmo2-7b", or NULL */
    int layer;               /* --layer: of the model that the config describes */
    bool one_kind; /* layers of other kinds than that of `layer` are not looked at */
    GString *config_report; /* if empty, it gets a line for each field of the config */
    bool bare; /* what nothing is computed by is left out: claims, notes, names in other
                  libraries (of a change that is tried) */
    /* Documents that it was read from are not parsed again; it outlives what is loaded. NULL:
     * all are parsed. */
    const FigGraph *parsed;
    /* Checks the math of a label (text/ is a room this one does not see): fig_text_check;
     * NULL: labels are not checked. */
    bool (*check_label)(const char *source, FigSpan at, FigDiag *diag);
} FigLoadOptions;

/* Find a spec: a path, or the name of a shipped one ("olmo2-block").
 *
 * owns     the caller; NULL with «did you mean» in diag when there is none
 */
char *fig_spec_find(const char *name, FigDiag *diag);

/* The same, where a preset stands for the shipped spec that has it: *preset says so.
 *
 * owns     as fig_spec_find
 */
char *fig_spec_find_model(const char *name, bool *preset, FigDiag *diag);

/* The name of the shipped spec that has the preset; NULL: none has.
 *
 * owns     the caller
 */
char *fig_preset_spec(const char *name);

/* The `model_type` of a config.json.
 *
 * owns     the caller
 * errors   it cannot be read, is no JSON, has none: NULL
 */
char *fig_config_model_type(const char *path, FigDiag *diag);

/* The shipped network that a config.json describes, by its `model_type`.
 *
 * owns     the caller
 * errors   as fig_config_model_type; no network is of that type: NULL
 */
char *fig_config_network(const char *path, FigDiag *diag);

/* Names of all presets of the shipped specs, in the order of these, ended by NULL.
 *
 * owns     the caller (g_strfreev)
 */
char **fig_preset_names(void);

/* Names of the shipped specs, sorted, ended by NULL.
 *
 * owns     the caller (g_strfreev)
 */
char **fig_spec_shipped(void);

/* The path of a shipped spec, by its name.
 *
 * owns     the caller (g_free); NULL: none is of that name
 */
char *fig_spec_shipped_path(const char *name);

/* Load a spec.
 *
 * owns     the caller; free with fig_graph_free
 * errors   everything that is wrong with the file or the overrides, in diag; NULL
 */
FigGraph *fig_spec_load(const char *path, const FigLoadOptions *options, FigDiag *diag);

/* The same for a text in memory (a spec carried by a figure or a record, a test). name is
 * what messages print.
 *
 * owns     the caller; free with fig_graph_free
 */
FigGraph *fig_spec_load_text(const char *name, const char *text, size_t length,
                             const FigLoadOptions *options, FigDiag *diag);

#endif
