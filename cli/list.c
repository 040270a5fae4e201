/* SPDX-License-Identifier: MIT
 *
 * opfig list: what there is, from the tables themselves.
 */
#include "base/cells.h"
#include "base/file.h"
#include "cli/options.h"
#include "cli/presets.h"
#include "layouts/layout.h"
#include "ops/describe.h"
#include "render/output.h"

#include <stdio.h>
#include <string.h>

/* Names of files in a folder of the program; with none, the folder is what is missing. */
static bool
list_names(char **(*names)(void), const char *folder)
{
    g_auto(GStrv) all = names();
    for (char **one = all; one && *one; one++)
        puts(*one);
    if (all && *all)
        return true;
    g_autofree char *places = fig_data_places(folder);
    fprintf(stderr, "opfig: error: the files of %s were not found\n", folder);
    fprintf(stderr, "  = note: they were looked for in %s\n", places);
    return false;
}

static bool
list_specs(const FigOptions *options)
{
    (void)options;
    return list_names(fig_spec_shipped, "spec/models");
}

static bool
list_presets(const FigOptions *options)
{
    g_autoptr(GString) text = g_string_new(NULL);
    g_autoptr(FigDiag) diag = fig_diag_new();
    bool good = fig_presets_print(text, options->colour_out, diag);
    fputs(text->str, stdout);
    fig_options_report(options, diag);
    return good;
}

static bool
list_ops(const FigOptions *options)
{
    (void)options;
    g_autoptr(GString) text = g_string_new(NULL);
    fig_op_describe_list(text);
    fputs(text->str, stdout);
    return true;
}

static bool
list_layouts(const FigOptions *options)
{
    (void)options;
    return list_names(fig_layout_names, "layouts");
}

static bool
list_themes(const FigOptions *options)
{
    (void)options;
    return list_names(fig_theme_names, "layouts/themes");
}

static bool
list_formats(const FigOptions *options)
{
    (void)options;
    for (const FigOutput *const *one = fig_output_all(); *one; one++)
        printf("%-6s %s\n", (*one)->suffix, (*one)->help);
    return true;
}

static const struct {
    const char *name;
    bool (*list)(const FigOptions *options);
} kinds[] = {
    {"specs", list_specs},     {"presets", list_presets}, {"ops", list_ops},
    {"layouts", list_layouts}, {"themes", list_themes},   {"formats", list_formats},
};

static int
list(const FigCommand *self, int argc, char **argv)
{
    g_auto(FigOptions) options = {0};
    int code;
    if (!fig_options_parse(&options, self, 0, NULL, &argc, &argv, &code))
        return code;
    const char *names[G_N_ELEMENTS(kinds) + 1] = {0};
    for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++)
        names[i] = kinds[i].name;
    if (argc != 2) {
        g_autofree char *all = g_strjoinv(", ", (char **)names);
        return fig_usage_error(self, "one of %s is wanted", all);
    }
    for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++) {
        if (strcmp(argv[1], kinds[i].name) == 0)
            return kinds[i].list(&options) ? FIG_EXIT_OK : FIG_EXIT_USAGE;
    }
    const char *meant = fig_word_suggest(argv[1], names);
    if (meant)
        return fig_usage_error(self, "‘%s’ cannot be listed; did you mean ‘%s’?",
                               argv[1], meant);
    g_autofree char *all = g_strjoinv(", ", (char **)names);
    return fig_usage_error(self, "‘%s’ cannot be listed; one of %s is wanted", argv[1],
                           all);
}

const FigCommand fig_command_list = {
    .name = "list",
    .usage = "specs|presets|ops|layouts|themes|formats",
    .summary = "List what there is",
    .examples = "  opfig list specs\n  opfig list presets\n  opfig list ops\n",
    .run = list,
};
