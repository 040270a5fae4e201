/* SPDX-License-Identifier: MIT
 *
 * opfig check: proves figures, and the claims of a spec, against a run made now.
 */
#include "cli/judge.h"
#include "render/output.h"

#include <stdio.h>

static int
check(const FigCommand *self, int argc, char **argv)
{
    gboolean json = false, quick = false;
    g_auto(GStrv) edges = NULL, folders = NULL;
    g_auto(FigDrawing) drawing = {0};
    const GOptionEntry entries[] = {
        {"quick", 0, 0, G_OPTION_ARG_NONE, &quick,
         "Neither multiply by BLAS nor try whether small changes of the spec "
         "break claims nor compare pixels",
         NULL},
        {"edges", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &edges,
         "Check a figure that opfig did not draw, by a list of its edges (CSV or YAML)",
         "FILE"},
        {"all", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &folders,
         "Is each figure in a folder what would be drawn now? Names what is stale, "
         "edited, foreign or of other versions, and the command that renews it",
         "DIR"},
        {"json", 0, 0, G_OPTION_ARG_NONE, &json, "Print the report as JSON", NULL},
        FIG_DRAWING_ENTRIES(drawing),
        G_OPTION_ENTRY_NULL,
    };
    g_auto(FigOptions) options = {0};
    int code;
    if (!fig_options_parse(&options, self, FIG_OPTIONS_SPEC, entries, &argc, &argv,
                           &code))
        return code;
    if (edges && (argc < 2 || fig_output_lookup(argv[1])))
        return fig_usage_error(self, "--edges wants the SPEC that the figure is of");
    if (argc < 2 && !folders)
        return fig_usage_error(self, "a FIGURE or a SPEC is wanted");
    bool has_spec = argc > 1 && !fig_output_lookup(argv[1]);
    for (int i = 2; i < argc; i++)
        if (!fig_output_lookup(argv[i]))
            return fig_usage_error(self, "‘%s’ is no figure of a known format",
                                   argv[i]);

    g_autoptr(FigReport) report = fig_report_new(options.strict);
    const FigJudge judge = {self,  &options, &drawing, has_spec ? argv[1] : NULL,
                            quick, report};
    bool sound = true;
    for (int i = has_spec ? 2 : 1; i < argc; i++)
        sound = fig_judge_figure(&judge, argv[i]) && sound;
    for (int i = 0; edges && edges[i]; i++)
        sound = fig_judge_edges(&judge, edges[i]) && sound;
    for (int i = 0; folders && folders[i]; i++)
        sound = fig_judge_folder(&judge, folders[i]) && sound;
    if (has_spec && argc == 2 && !edges && !folders)
        sound = fig_judge_spec(&judge);
    fig_options_report_config(&options);
    g_autofree char *text =
        json ? fig_report_json(report)
             : fig_report_text(report, options.quiet, options.colour_out);
    fputs(text, stdout);
    if (!sound)
        return FIG_EXIT_USAGE;
    return fig_report_findings(report) ? FIG_EXIT_NO : FIG_EXIT_OK;
}

const FigCommand fig_command_check = {
    .name = "check",
    .usage = "[SPEC] [FIGURE…] [--edges FILE] [--all DIR]",
    .summary = "Prove figures and claims against a run made now",
    .examples = "  opfig check block.svg\n"
                "  opfig check olmo2-block block.svg block.pdf block.png\n"
                "  opfig check my-block.yaml\n"
                "  opfig check --quick block.svg\n"
                "  opfig check olmo2-block --edges their-figure.csv\n"
                "  opfig check --all out/\n"
                "  opfig check --json block.svg\n",
    .run = check,
};
