/* SPDX-License-Identifier: MIT
 *
 * What the commands share on the command line: options of the spec, colour, silence.
 */
#ifndef FIG_CLI_OPTIONS_H
#define FIG_CLI_OPTIONS_H

#include "cli/command.h"
#include "spec/load.h"

typedef struct FigOptions {
    char **dims; /* as given: "T=128,C=64" */
    char **set;
    char *config;
    char *preset;
    bool quiet;
    char *color;
    bool strict;
    int layer;
    /* of the numbers: --seed, --weights, --input, --tokens */
    gint64 seed;
    char *weights, *input, *tokens;
    /* filled by fig_options_parse */
    FigLoadOptions load; /* points into override */
    GArray *override;    /* FigOverride, dims then a NULL id, set then a NULL id */
    GPtrArray *strings;
    GString *config_lines; /* what became of the fields of --config */
    bool colour_out, colour_err;
} FigOptions;

typedef enum FigOptionGroups {
    FIG_OPTIONS_SPEC = 1,    /* --dims --set --config --preset --layer */
    FIG_OPTIONS_NUMBERS = 2, /* --seed --weights --input --tokens */
} FigOptionGroups;

/* Parse the command line of a command: its own entries, the shared ones of groups, and
 * --quiet, --color, --help. On return argv[1 … *argc - 1] are the words that are no
 * options.
 *
 * owns     options, to be freed with fig_options_finish
 * errors   printed; false, with *code the exit code (0 after --help)
 */
bool fig_options_parse(FigOptions *options, const FigCommand *command, unsigned groups,
                       const GOptionEntry *entries, int *argc, char ***argv, int *code);
void fig_options_finish(FigOptions *options);

/* Print to standard error what became of each field of --config, unless quiet; once. */
void fig_options_report_config(const FigOptions *options);

/* Print the messages of diag to standard error. */
void fig_options_report(const FigOptions *options, const FigDiag *diag);

/* Print both at the end of a command. Returns its exit code: that of no where something
 * checked does not hold, else that of usage where there are errors. */
int fig_options_end(const FigOptions *options, const FigDiag *diag, bool holds);

/* "88mm", "5.5in", "3cm", "396pt", "396" → points, and the unit by size (points) and name;
 * false if it is none of these. */
bool fig_options_length(const char *text, double *points, double *unit,
                        const char **name);

/* Print an error of the command line to standard error and give FIG_EXIT_USAGE. */
int fig_usage_error(const FigCommand *command, const char *format, ...)
    G_GNUC_PRINTF(2, 3);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(FigOptions, fig_options_finish)

#endif
