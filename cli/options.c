/* SPDX-License-Identifier: MIT
 *
 * Options by GOptionContext; overrides are cut at commas into id and value here, and
 * judged by the loader.
 */
#include "cli/options.h"

#include "base/num.h"
#include "text/text.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The pieces between commas, but not those inside braces: "a=1,s={type: yarn, factor: 8}". */
static char **
split_at_commas(const char *text)
{
    g_autoptr(GStrvBuilder) pieces = g_strv_builder_new();
    const char *start = text;
    int depth = 0;
    for (const char *c = text;; c++) {
        depth += (*c == '{' || *c == '[') - (*c == '}' || *c == ']');
        if (*c && (*c != ',' || depth > 0))
            continue;
        g_autofree char *piece = g_strndup(start, (gsize)(c - start));
        g_strv_builder_add(pieces, piece);
        if (!*c)
            return g_strv_builder_end(pieces);
        start = c + 1;
    }
}

/* "T=128,C=64" → pairs; a piece without "=" is a mistake of usage. */
static bool
split_overrides(FigOptions *options, char **given, const char *flag, GError **error)
{
    for (char **one = given; one && *one; one++) {
        g_auto(GStrv) pieces = split_at_commas(*one);
        for (char **piece = pieces; *piece; piece++) {
            char *equals = strchr(*piece, '=');
            if (!equals || equals == *piece || !equals[1]) {
                g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                            "‘%s’ is no NAME=VALUE; %s wants them separated by commas",
                            *piece, flag);
                return false;
            }
            *equals = '\0';
            FigOverride override = {g_strdup(g_strstrip(*piece)),
                                    g_strdup(g_strstrip(equals + 1))};
            g_ptr_array_add(options->strings, (void *) override.id);
            g_ptr_array_add(options->strings, (void *) override.value);
            g_array_append_val(options->override, override);
        }
    }
    FigOverride end = {NULL, NULL};
    g_array_append_val(options->override, end);
    return true;
}

static bool
choose_colour(FigOptions *options, GError **error)
{
    const char *when = options->color ? options->color : "auto";
    bool always = strcmp(when, "always") == 0;
    if (!always && strcmp(when, "never") != 0 && strcmp(when, "auto") != 0) {
        g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                    "--color is ‘%s’; auto, always or never is wanted", when);
        return false;
    }
    const char *no_color = g_getenv("NO_COLOR");
    bool automatic = strcmp(when, "auto") == 0 && !(no_color && *no_color);
    options->colour_out = always || (automatic && isatty(STDOUT_FILENO));
    options->colour_err = always || (automatic && isatty(STDERR_FILENO));
    return true;
}

static GOptionContext *
make_context(FigOptions *options, const FigCommand *command, unsigned groups,
             const GOptionEntry *entries, gboolean *quiet, gboolean *strict)
{
    g_autofree char *usage = g_strdup_printf("%s", command->usage);
    GOptionContext *context = g_option_context_new(usage);
    g_option_context_set_summary(context, command->summary);
    g_autofree char *examples = g_strdup_printf("Examples:\n%s", command->examples);
    g_option_context_set_description(context, examples);
    if (entries)
        g_option_context_add_main_entries(context, entries, NULL);
    if (groups & FIG_OPTIONS_SPEC) {
        const GOptionEntry spec[] = {
            {"dims", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options->dims, "Override dims",
             "T=128,…"},
            {"set", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options->set,
             "Override constants", "theta=1e4,…"},
            {"config", 0, 0, G_OPTION_ARG_FILENAME, &options->config,
             "Take dims and constants from a Hugging Face config.json", "FILE"},
            {"preset", 0, 0, G_OPTION_ARG_STRING, &options->preset,
             "Take them from a released model (opfig list presets)", "NAME"},
            {"layer", 0, 0, G_OPTION_ARG_INT, &options->layer,
             "The layer that is meant, of the config, the preset and the weights "
             "(default: 0)",
             "N"},
            G_OPTION_ENTRY_NULL,
        };
        g_option_context_add_main_entries(context, spec, NULL);
    }
    if (groups & FIG_OPTIONS_NUMBERS) {
        const GOptionEntry numbers[] = {
            {"weights", 0, 0, G_OPTION_ARG_FILENAME, &options->weights,
             "Weights of a checkpoint, one file, the index of several, or their folder "
             "(default: random)",
             "FILE.safetensors"},
            {"input", 0, 0, G_OPTION_ARG_FILENAME, &options->input,
             "What enters: hidden_states of a file, or an array of NumPy (default: "
             "random)",
             "FILE.{safetensors,npy}"},
            {"tokens", 0, 0, G_OPTION_ARG_FILENAME, &options->tokens,
             "Token ids, or a file that holds input_ids and, for the loss, targets "
             "(default: random)",
             "1,2,3|FILE"},
            {"seed", 0, 0, G_OPTION_ARG_INT64, &options->seed,
             "Seed of random weights and inputs (default: 0)", "N"},
            G_OPTION_ENTRY_NULL,
        };
        g_option_context_add_main_entries(context, numbers, NULL);
    }
    const GOptionEntry common[] = {
        {"strict", 0, 0, G_OPTION_ARG_NONE, strict, "Warnings are errors", NULL},
        {"quiet", 'q', 0, G_OPTION_ARG_NONE, quiet, "Print results and errors only",
         NULL},
        {"color", 0, 0, G_OPTION_ARG_STRING, &options->color,
         "Colour: auto, always or never", "WHEN"},
        G_OPTION_ENTRY_NULL,
    };
    g_option_context_add_main_entries(context, common, NULL);
    return context;
}

/* A config.json in the place of a SPEC: the network that it describes, with this config. */
static bool
take_config(FigOptions *options, int argc, char **argv)
{
    if (argc < 2 || !g_str_has_suffix(argv[1], ".json"))
        return true;
    if (options->config) {
        fig_usage_error(NULL,
                        "%s is a config in the place of a SPEC; --config gives another",
                        argv[1]);
        return false;
    }
    g_autoptr(FigDiag) diag = fig_diag_new();
    char *network = fig_config_network(argv[1], diag);
    options->config = g_strdup(argv[1]);
    g_ptr_array_add(options->strings, network);
    argv[1] = network;
    fig_options_report(options, diag);
    return network != NULL;
}

bool
fig_options_parse(FigOptions *options, const FigCommand *command, unsigned groups,
                  const GOptionEntry *entries, int *argc, char ***argv, int *code)
{
    memset(options, 0, sizeof *options);
    options->override = g_array_new(false, true, sizeof(FigOverride));
    options->strings = g_ptr_array_new_with_free_func(g_free);
    gboolean quiet = false, strict = false;
    g_autoptr(GOptionContext) context =
        make_context(options, command, groups, entries, &quiet, &strict);
    /* Help is printed here, so that it names the command and exits through main. */
    for (int i = 1; i < *argc && strcmp((*argv)[i], "--") != 0; i++) {
        if (strcmp((*argv)[i], "--help") == 0 || strcmp((*argv)[i], "-h") == 0) {
            g_option_context_set_help_enabled(context, false);
            g_autofree char *help = g_option_context_get_help(context, true, NULL);
            g_autofree char *plain =
                g_strdup_printf("%s %s", g_get_prgname(), command->name);
            g_autoptr(GString) text = g_string_new(help);
            g_string_replace(text, g_get_prgname(), plain, 1);
            fputs(text->str, stdout);
            *code = FIG_EXIT_OK;
            return false;
        }
    }
    g_option_context_set_help_enabled(context, false);
    g_autoptr(GError) error = NULL;
    if (!g_option_context_parse(context, argc, argv, &error) ||
        !split_overrides(options, options->dims, "--dims", &error) ||
        !choose_colour(options, &error)) {
        *code = fig_usage_error(command, "%s", error->message);
        return false;
    }
    guint set_start = options->override->len;
    if (!split_overrides(options, options->set, "--set", &error)) {
        *code = fig_usage_error(command, "%s", error->message);
        return false;
    }
    options->quiet = quiet;
    options->strict = strict;
    /* "--" separates options from words that begin with a dash. */
    if (*argc > 1 && strcmp((*argv)[1], "--") == 0) {
        for (int i = 1; i + 1 < *argc; i++)
            (*argv)[i] = (*argv)[i + 1];
        --*argc;
    }
    if ((groups & FIG_OPTIONS_SPEC) && !take_config(options, *argc, *argv)) {
        *code = FIG_EXIT_USAGE;
        return false;
    }
    options->load.dims = &g_array_index(options->override, FigOverride, 0);
    options->load.set = &g_array_index(options->override, FigOverride, set_start);
    options->load.config = options->config;
    options->load.preset = options->preset;
    options->load.layer = options->layer;
    options->config_lines = g_string_new(NULL);
    options->load.config_report = options->config_lines;
    options->load.check_label = fig_text_check;
    return true;
}

void
fig_options_finish(FigOptions *options)
{
    g_strfreev(options->dims);
    g_strfreev(options->set);
    g_free(options->config);
    g_free(options->preset);
    g_free(options->color);
    g_free(options->weights);
    g_free(options->input);
    g_free(options->tokens);
    g_clear_pointer(&options->override, g_array_unref);
    g_clear_pointer(&options->strings, g_ptr_array_unref);
    if (options->config_lines)
        g_string_free(options->config_lines, true);
}

void
fig_options_report_config(const FigOptions *options)
{
    g_auto(GStrv) lines = g_strsplit(options->config_lines->str, "\n", -1);
    for (char **line = lines; *line && **line && !options->quiet; line++)
        fprintf(stderr, "%s: %s\n", options->config, *line);
}

void
fig_options_report(const FigOptions *options, const FigDiag *diag)
{
    g_autoptr(GString) text = g_string_new(NULL);
    fig_diag_print(diag, text, options->colour_err);
    fputs(text->str, stderr);
}

int
fig_options_end(const FigOptions *options, const FigDiag *diag, bool holds)
{
    fig_options_report_config(options);
    fig_options_report(options, diag);
    if (!holds)
        return FIG_EXIT_NO;
    return fig_diag_errors(diag) ? FIG_EXIT_USAGE : FIG_EXIT_OK;
}

bool
fig_options_length(const char *text, double *points, double *unit, const char **name)
{
    static const struct {
        const char *name;
        double points;
    } units[] = {{"pt", 1}, {"in", 72}, {"cm", 72 / 2.54}, {"mm", 72 / 25.4}};
    g_autofree char *number = g_strstrip(g_strdup(text));
    *unit = 1;
    *name = "pt";
    for (size_t i = 0; i < G_N_ELEMENTS(units); i++) {
        if (g_str_has_suffix(number, units[i].name)) {
            number[strlen(number) - strlen(units[i].name)] = '\0';
            *unit = units[i].points;
            *name = units[i].name;
            break;
        }
    }
    double value;
    if (!fig_num_read_real(g_strstrip(number), &value) || !(value > 0) || value > 1e5)
        return false;
    *points = value * *unit;
    return true;
}

int
fig_usage_error(const FigCommand *command, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    g_autofree char *message = g_strdup_vprintf(format, args);
    va_end(args);
    fprintf(stderr, "opfig: error: %s\n", message);
    if (command)
        fprintf(stderr, "  = hint: opfig %s --help\n", command->name);
    return FIG_EXIT_USAGE;
}
