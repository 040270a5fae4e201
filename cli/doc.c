/* SPDX-License-Identifier: MIT
 *
 * opfig doc: a spec as a page of Markdown or LaTeX.
 */
#include "cli/work.h"
#include "exec/memory.h"
#include "pages/doc.h"

#include <stdio.h>
#include <string.h>

/* The bytes that the values of a run take, as `run` would allocate them; -1: too many to
 * be counted. */
static int64_t
run_bytes(FigWork *work)
{
    const FigSizes *sizes = fig_graph_sizes(work->graph, NULL, work->arena, NULL);
    const FigRunOptions options = {.numeric = true, .type = FIG_F32};
    const FigMemory *plan = fig_memory_plan(work->graph, &options, sizes, work->arena);
    return plan->bytes > INT64_MAX ? -1 : (int64_t)plan->bytes;
}

/* The bytes of keys and values, as the claim language counts them; 0: there are none. */
static int64_t
cache_bytes(FigWork *work)
{
    g_autoptr(FigDiag) quiet = fig_diag_new();
    int64_t bytes;
    return fig_claims_whole(work->graph, work->record, "kv_bytes()", &bytes, quiet)
               ? bytes
               : 0;
}

static int
doc(const FigCommand *self, int argc, char **argv)
{
    g_autofree char *format = NULL, *figure = NULL, *dark = NULL;
    const GOptionEntry entries[] = {
        {"format", 0, 0, G_OPTION_ARG_STRING, &format,
         "markdown, as GitHub reads it (the default), or latex", "FORMAT"},
        {"figure", 0, 0, G_OPTION_ARG_STRING, &figure,
         "Where the figure is, seen from the page (default: NAME.svg, in latex "
         "NAME.pdf)",
         "FILE"},
        {"figure-dark", 0, 0, G_OPTION_ARG_STRING, &dark,
         "Where the one for dark pages is", "FILE"},
        G_OPTION_ENTRY_NULL,
    };
    g_auto(FigOptions) options = {0};
    int code;
    if (!fig_options_parse(&options, self, FIG_OPTIONS_SPEC, entries, &argc, &argv,
                           &code))
        return code;
    if (argc != 2)
        return fig_usage_error(self, "one SPEC is wanted, %d are given", argc - 1);
    const FigDocFormat *written = fig_doc_format(format ? format : "markdown");
    if (!written)
        return fig_usage_error(
            self, "‘%s’ is no format of a page; markdown or latex is wanted", format);
    const char *unfit = figure ? strpbrk(figure, fig_doc_unfit(written)) : NULL;
    if (unfit && g_ascii_isprint(*unfit))
        return fig_usage_error(
            self, "--figure is ‘%s’; %s cannot name a file with ‘%c’ in it", figure,
            format, *unfit);
    if (unfit)
        return fig_usage_error(self,
                               "--figure names a file with a break or a tab in it");
    if (dark && !fig_doc_takes_dark(written))
        return fig_usage_error(self, "--figure-dark is for markdown; %s has one figure",
                               format);
    g_auto(FigWork) work = {0};
    fig_work_init(&work, &options);
    bool sound =
        fig_work_load(&work, argv[1], &options.load) && fig_work_record(&work, 0, NULL);
    if (sound)
        fig_work_warn_of_nan(&work);
    bool holds = sound && fig_work_claims_hold(&work);
    if (holds) {
        g_autoptr(GString) out = g_string_new(NULL);
        g_autofree char *usual =
            g_strconcat(work.record->name, fig_doc_figure_suffix(written), NULL);
        const FigDocOptions page = {.figure = figure ? figure : usual,
                                    .dark = dark,
                                    .memory = run_bytes(&work),
                                    .cache = cache_bytes(&work)};
        fig_doc_write(work.record, written, &page, out);
        fputs(out->str, stdout);
    }
    return fig_options_end(&options, work.diag, !sound || holds);
}

const FigCommand fig_command_doc = {
    .name = "doc",
    .usage = "SPEC",
    .summary = "Print a page of Markdown or LaTeX: figure, steps, claims, costs, names",
    .examples = "  opfig doc olmo2-block > olmo2-block.md\n"
                "  opfig doc olmo2-block --format latex > olmo2-block.tex\n"
                "  opfig doc olmo2-block --dims T=4096,C=4096,H=32 --figure wide.svg\n",
    .run = doc,
};
