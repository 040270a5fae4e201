/* SPDX-License-Identifier: MIT
 *
 * opfig check: proves figures, and the claims of a spec, against a run made now.
 */
#include "base/file.h"
#include "base/limit.h"
#include "check/figure.h"
#include "cli/drawing.h"
#include "cli/report.h"
#include "render/output.h"

#include <stdio.h>
#include <string.h>

typedef struct Asked {
    const FigCommand *self;
    const FigOptions *options;
    const FigDrawing *drawing;
    const char *spec; /* given before the figures, or NULL */
    gboolean quick;
    FigReport *report;
} Asked;

/* ---- the options a figure carries ---- */

/* Only what shapes a figure may stand there: a stranger's file must not name files of
 * ours or ask for help texts. */
static bool
carried_words_allowed(char **words, int n)
{
    static const char *const with_value[] = {"--dims",  "--set",  "--layout", "--theme",
                                             "--width", "--text", NULL};
    for (int i = 0; i < n; i++) {
        if (strcmp(words[i], "--draft") == 0 || strcmp(words[i], "--transparent") == 0)
            continue;
        if (!g_strv_contains(with_value, words[i]) || i + 1 == n ||
            g_str_has_prefix(words[i + 1], "-"))
            return false;
        i++;
    }
    return true;
}

static bool
parse_carried(const Asked *asked, const char *line, FigOptions *options,
              FigDrawing *drawing)
{
    g_auto(GStrv) words = NULL;
    int n = 0;
    if (line && *line && !g_shell_parse_argv(line, &n, &words, NULL))
        return false;
    if (!carried_words_allowed(words, n))
        return false;
    const GOptionEntry entries[] = {FIG_DRAWING_ENTRIES(*drawing), G_OPTION_ENTRY_NULL};
    g_autofree char **argv = g_new0(char *, n + 2);
    argv[0] = (char *)"draw";
    for (int i = 0; i < n; i++)
        argv[i + 1] = words[i];
    int argc = n + 1, code;
    return fig_options_parse(options, asked->self, FIG_OPTIONS_SPEC, entries, &argc,
                             &argv, &code) &&
           argc == 1;
}

/* What the command line says goes before what the figure says. */
static FigDrawing
chosen_drawing(const FigDrawing *asked, const FigDrawing *carried)
{
    return (FigDrawing){
        .layout = asked->layout ? asked->layout : carried->layout,
        .theme = asked->theme ? asked->theme : carried->theme,
        .width = asked->width ? asked->width : carried->width,
        .text = asked->text ? asked->text : carried->text,
        .draft = asked->draft || carried->draft,
        .transparent = asked->transparent || carried->transparent,
    };
}

/* ---- one figure ---- */

typedef struct Numbers {
    const FigWork *work;
} Numbers;

static char *
number_text(const char *expr, void *data)
{
    const Numbers *numbers = data;
    g_autoptr(FigDiag) silent = fig_diag_new();
    return fig_claims_number(numbers->work->graph, numbers->work->record, expr, silent);
}

/* Load the spec to check against: the one named, else the one carried. */
static bool
load_spec(const Asked *asked, const char *path, const FigCarried *carried,
          const FigLoadOptions *load, FigWork *work)
{
    if (asked->spec)
        return fig_work_load(work, asked->spec, load);
    if (!carried->spec_text) {
        FigMessage *message =
            fig_diag_error(work->diag, (FigSpan){0}, "%s carries no spec", path);
        fig_message_hint(message, "opfig check SPEC %s", path);
        return false;
    }
    g_autofree char *name = g_strdup_printf("%s (the spec inside)", path);
    work->graph = fig_spec_load_text(name, carried->spec_text,
                                     strlen(carried->spec_text), load, work->diag);
    return work->graph != NULL;
}

/* Shapes of letters are not read: the whole is drawn again and compared. */
static void
report_outlines(const Asked *asked, const char *path, const char *text, size_t length,
                const FigScene *fresh, FigWork *work)
{
    g_autoptr(GString) again = g_string_new(NULL);
    g_autoptr(GError) error = NULL;
    const FigWriteOptions plain = {0};
    if (!fig_output_lookup(path)->write(fresh, &plain, again, &error))
        fig_diag_error(work->diag, (FigSpan){0}, "%s", error->message);
    else
        fig_report_bytes(asked->report, path, work,
                         again->len == length && memcmp(again->str, text, length) == 0);
}

/* Run the spec that was loaded, and try its claims. */
static bool
prove_spec(const Asked *asked, FigWork *work)
{
    if (!fig_work_record(work, 0, NULL))
        return false;
    if (!asked->quick)
        fig_work_try(work, 0);
    return true;
}

static void
check_svg(const Asked *asked, const char *path, const char *text, size_t length,
          FigWork *work)
{
    g_autoptr(GError) error = NULL;
    FigSvg *svg = fig_svg_read(path, text, length, &error);
    if (!svg) {
        fig_diag_error(work->diag, (FigSpan){0}, "%s", error->message);
        return;
    }
    const FigCarried *carried = fig_svg_carried(svg);
    g_auto(FigOptions) options = {0};
    g_auto(FigDrawing) drawn = {0};
    if (!parse_carried(asked, carried->options, &options, &drawn)) {
        fig_diag_error(work->diag, (FigSpan){0},
                       "%s carries options that no figure has: ‘%s’", path,
                       carried->options);
        fig_svg_free(svg);
        return;
    }
    bool own = asked->options->dims || asked->options->set || asked->options->config;
    FigDrawing drawing = chosen_drawing(asked->drawing, &drawn);
    g_autoptr(FigFonts) fonts = NULL;
    g_autoptr(FigScene) fresh = NULL;
    if (load_spec(asked, path, carried, own ? &asked->options->load : &options.load,
                  work) &&
        prove_spec(asked, work) &&
        (fresh = fig_drawing_place(&drawing, work->record, &fonts, work->diag))) {
        if (fresh->text_mode == FIG_TEXT_OUTLINE) {
            report_outlines(asked, path, text, length, fresh, work);
            fig_svg_free(svg);
            return;
        }
        Numbers numbers = {work};
        g_autoptr(FigTruth) truth =
            fig_truth_new(work->record, fresh, number_text, &numbers);
        FigFigureReport *figure = fig_figure_check(svg, truth);
        fig_report_figure(asked->report, path, work, figure);
        fig_figure_report_free(figure);
    }
    fig_svg_free(svg);
}

/* Formats that are not read back are drawn again and compared byte by byte. */
static void
check_bytes(const Asked *asked, const char *path, const FigOutput *output,
            const char *bytes, size_t length, FigWork *work)
{
    g_autoptr(FigFonts) fonts = NULL;
    g_autoptr(FigScene) fresh = NULL;
    g_autoptr(GString) again = g_string_new(NULL);
    g_autoptr(GError) error = NULL;
    const FigWriteOptions plain = {0};
    if (!asked->spec) {
        FigMessage *message =
            fig_diag_error(work->diag, (FigSpan){0},
                           "%s is drawn again and compared, from a SPEC", path);
        fig_message_hint(message, "opfig check SPEC %s", path);
        return;
    }
    if (!fig_work_load(work, asked->spec, &asked->options->load) ||
        !prove_spec(asked, work) ||
        !(fresh = fig_drawing_place(asked->drawing, work->record, &fonts, work->diag)))
        return;
    if (!output->write(fresh, &plain, again, &error)) {
        fig_diag_error(work->diag, (FigSpan){0}, "%s", error->message);
        return;
    }
    bool same = again->len == length && memcmp(again->str, bytes, length) == 0;
    fig_report_bytes(asked->report, path, work, same);
}

static bool
check_one(const Asked *asked, const char *path)
{
    g_auto(FigWork) work = {0};
    fig_work_init(&work, asked->options);
    g_autofree char *text = NULL;
    gsize length;
    g_autoptr(GError) error = NULL;
    const FigOutput *output = fig_output_lookup(path);
    if (!fig_file_read(path, FIG_LIMIT_FIGURE, &text, &length, &error))
        fig_diag_error(work.diag, (FigSpan){0}, "%s", error->message);
    else if (strcmp(output->name, "svg") == 0)
        check_svg(asked, path, text, length, &work);
    else
        check_bytes(asked, path, output, text, length, &work);
    fig_options_report(asked->options, work.diag);
    return fig_diag_errors(work.diag) == 0;
}

/* Without a figure: the spec's own claims and shapes. */
static bool
check_spec(const Asked *asked)
{
    g_auto(FigWork) work = {0};
    fig_work_init(&work, asked->options);
    if (fig_work_load(&work, asked->spec, &asked->options->load) &&
        prove_spec(asked, &work))
        fig_report_spec(asked->report, &work);
    fig_options_report(asked->options, work.diag);
    return fig_diag_errors(work.diag) == 0;
}

static int
check(const FigCommand *self, int argc, char **argv)
{
    gboolean json = false, quick = false;
    g_auto(FigDrawing) drawing = {0};
    const GOptionEntry entries[] = {
        {"quick", 0, 0, G_OPTION_ARG_NONE, &quick,
         "Do not try whether small changes of the spec break its claims", NULL},
        {"json", 0, 0, G_OPTION_ARG_NONE, &json, "Print the report as JSON", NULL},
        FIG_DRAWING_ENTRIES(drawing),
        G_OPTION_ENTRY_NULL,
    };
    g_auto(FigOptions) options = {0};
    int code;
    if (!fig_options_parse(&options, self, FIG_OPTIONS_SPEC, entries, &argc, &argv,
                           &code))
        return code;
    if (argc < 2)
        return fig_usage_error(self, "a FIGURE or a SPEC is wanted");
    bool has_spec = !fig_output_lookup(argv[1]);
    for (int i = 2; i < argc; i++)
        if (!fig_output_lookup(argv[i]))
            return fig_usage_error(self, "‘%s’ is no figure of a known format",
                                   argv[i]);

    g_autoptr(FigReport) report = fig_report_new();
    const Asked asked = {self,  &options, &drawing, has_spec ? argv[1] : NULL,
                         quick, report};
    bool sound = true;
    for (int i = has_spec ? 2 : 1; i < argc; i++)
        sound = check_one(&asked, argv[i]) && sound;
    if (has_spec && argc == 2)
        sound = check_spec(&asked);
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
    .usage = "[SPEC] [FIGURE…]",
    .summary = "Prove figures and claims against a run made now",
    .examples = "  opfig check block.svg\n"
                "  opfig check olmo2-block block.svg block.pdf block.png\n"
                "  opfig check my-block.yaml\n"
                "  opfig check --quick block.svg\n"
                "  opfig check --json block.svg\n",
    .run = check,
};
