/* SPDX-License-Identifier: MIT
 *
 * One figure, or a spec alone, against a run made now. An SVG is read back and proved;
 * other formats are drawn again and compared.
 */
#include "cli/judge.h"

#include "base/file.h"
#include "base/limit.h"
#include "check/figure.h"
#include "render/output.h"

#include <string.h>

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
parse_carried(const FigJudge *judge, const char *line, FigOptions *options,
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
    return fig_options_parse(options, judge->self, FIG_OPTIONS_SPEC, entries, &argc,
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
load_spec(const FigJudge *judge, const char *path, const FigCarried *carried,
          const FigLoadOptions *load, FigWork *work)
{
    if (judge->spec)
        return fig_work_load(work, judge->spec, load);
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
report_outlines(const FigJudge *judge, const char *path, const char *text, size_t length,
                const FigScene *fresh, FigWork *work)
{
    g_autoptr(GString) again = g_string_new(NULL);
    g_autoptr(GError) error = NULL;
    const FigWriteOptions plain = {0};
    if (!fig_output_lookup(path)->write(fresh, &plain, again, &error))
        fig_diag_error(work->diag, (FigSpan){0}, "%s", error->message);
    else
        fig_report_bytes(judge->report, path, work,
                         again->len == length && memcmp(again->str, text, length) == 0);
}

/* Run the spec that was loaded, and try its claims. */
bool
fig_judge_run(const FigJudge *judge, FigWork *work)
{
    if (!fig_work_record(work, 0, NULL) || !fig_work_live(work, 0, judge->quick))
        return false;
    if (!judge->quick)
        fig_work_try(work, 0);
    return true;
}

static void
check_svg(const FigJudge *judge, const char *path, const char *text, size_t length,
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
    if (!parse_carried(judge, carried->options, &options, &drawn)) {
        fig_diag_error(work->diag, (FigSpan){0},
                       "%s carries options that no figure has: ‘%s’", path,
                       carried->options);
        fig_svg_free(svg);
        return;
    }
    bool own = judge->options->dims || judge->options->set || judge->options->config;
    FigDrawing drawing = chosen_drawing(judge->drawing, &drawn);
    g_autoptr(FigFonts) fonts = NULL;
    g_autoptr(FigScene) fresh = NULL;
    if (load_spec(judge, path, carried, own ? &judge->options->load : &options.load,
                  work) &&
        fig_judge_run(judge, work) &&
        (fresh = fig_drawing_place(&drawing, work->record, &fonts, work->diag))) {
        if (fresh->text_mode == FIG_TEXT_OUTLINE) {
            report_outlines(judge, path, text, length, fresh, work);
            fig_svg_free(svg);
            return;
        }
        Numbers numbers = {work};
        g_autoptr(FigTruth) truth =
            fig_truth_new(work->record, fresh, number_text, &numbers);
        FigFigureReport *figure = fig_figure_check(svg, truth);
        fig_report_figure(judge->report, path, work, figure);
        fig_figure_report_free(figure);
    }
    fig_svg_free(svg);
}

/* Formats that are not read back are drawn again and compared byte by byte. */
static void
check_bytes(const FigJudge *judge, const char *path, const FigOutput *output,
            const char *bytes, size_t length, FigWork *work)
{
    g_autoptr(FigFonts) fonts = NULL;
    g_autoptr(FigScene) fresh = NULL;
    g_autoptr(GString) again = g_string_new(NULL);
    g_autoptr(GError) error = NULL;
    const FigWriteOptions plain = {0};
    if (!judge->spec) {
        FigMessage *message =
            fig_diag_error(work->diag, (FigSpan){0},
                           "%s is drawn again and compared, from a SPEC", path);
        fig_message_hint(message, "opfig check SPEC %s", path);
        return;
    }
    if (!fig_work_load(work, judge->spec, &judge->options->load) ||
        !fig_judge_run(judge, work) ||
        !(fresh = fig_drawing_place(judge->drawing, work->record, &fonts, work->diag)))
        return;
    if (!output->write(fresh, &plain, again, &error)) {
        fig_diag_error(work->diag, (FigSpan){0}, "%s", error->message);
        return;
    }
    bool same = again->len == length && memcmp(again->str, bytes, length) == 0;
    fig_report_bytes(judge->report, path, work, same);
}

bool
fig_judge_figure(const FigJudge *judge, const char *path)
{
    g_auto(FigWork) work = {0};
    fig_work_init(&work, judge->options);
    g_autofree char *text = NULL;
    gsize length;
    g_autoptr(GError) error = NULL;
    const FigOutput *output = fig_output_lookup(path);
    if (!fig_file_read(path, FIG_LIMIT_FIGURE, &text, &length, &error))
        fig_diag_error(work.diag, (FigSpan){0}, "%s", error->message);
    else if (strcmp(output->name, "svg") == 0)
        check_svg(judge, path, text, length, &work);
    else
        check_bytes(judge, path, output, text, length, &work);
    fig_options_report(judge->options, work.diag);
    return fig_diag_errors(work.diag) == 0;
}

/* Without a figure: the spec's own claims and shapes. */
bool
fig_judge_spec(const FigJudge *judge)
{
    g_auto(FigWork) work = {0};
    fig_work_init(&work, judge->options);
    if (fig_work_load(&work, judge->spec, &judge->options->load) &&
        fig_judge_run(judge, &work))
        fig_report_spec(judge->report, &work);
    fig_options_report(judge->options, work.diag);
    return fig_diag_errors(work.diag) == 0;
}
