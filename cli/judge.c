/* SPDX-License-Identifier: MIT
 *
 * One figure, or a spec alone, against a run made now. An SVG is read back and proved;
 * other formats are drawn again and compared.
 */
#include "cli/judge.h"

#include "check/carried.h"

#include <string.h>

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

bool
fig_judge_run(const FigJudge *judge, FigWork *work)
{
    if (!fig_work_record(work, 0, NULL) || !fig_work_live(work, 0, judge->quick))
        return false;
    if (!judge->quick)
        fig_work_try(work, 0);
    return true;
}

FigScene *
fig_judge_place(const FigJudge *judge, const FigGiven *given, FigWork *work,
                FigFonts **fonts)
{
    FigDrawing drawing = chosen_drawing(judge->drawing, &given->drawing);
    return fig_drawing_place(&drawing, work->record, fonts, work->diag);
}

FigFigureReport *
fig_judge_svg(const FigGiven *given, const FigWork *work, const FigScene *fresh,
              bool pixels)
{
    Numbers numbers = {work};
    g_autoptr(FigTruth) truth =
        fig_truth_new(work->record, fresh, number_text, &numbers);
    FigFigureReport *report = fig_figure_check(given->svg, truth);
    if (pixels)
        fig_figure_pixels(report, given->svg, truth, given->bytes, given->length);
    return report;
}

/* ---- drawn again and compared ---- */

/* Is what the file carries that of the fresh drawing? */
static bool
same_carried(const FigCarried *carried, const FigScene *fresh, bool other)
{
    return g_strcmp0(carried->spec_text, fresh->spec_text) == 0 &&
           (other || g_strcmp0(carried->digest, fresh->digest) == 0) &&
           g_strcmp0(carried->options ? carried->options : "", fresh->options) == 0;
}

bool
fig_judge_again(const FigGiven *given, const FigScene *fresh, FigWork *work,
                const char **remark)
{
    const FigCarried *carried = &given->carried;
    const FigWriteOptions plain = {0};
    g_autoptr(GString) again = g_string_new(NULL);
    g_autoptr(GError) error = NULL;
    *remark = NULL;
    if (!given->output->write(fresh, &plain, again, &error)) {
        fig_diag_error(work->diag, (FigSpan){0}, "%s", error->message);
        return false;
    }
    if (again->len == given->length &&
        memcmp(again->str, given->bytes, given->length) == 0)
        return true;
    bool pdf = strcmp(given->output->name, "pdf") == 0;
    bool other_opfig =
        carried->version && strcmp(carried->version, fresh->version) != 0;
    bool other = other_opfig ||
                 (carried->cairo && strcmp(carried->cairo, fig_cairo_version()) != 0);
    if (given->svg || !same_carried(carried, fresh, other_opfig))
        return false;
    FigSame same =
        pdf ? fig_same_pdf(given->bytes, given->length, again->str, again->len)
            : fig_same_png(given->bytes, given->length, again->str, again->len);
    if (same == FIG_SAME_SHOWN)
        *remark = "the same picture and texts, packed otherwise";
    else if (other)
        *remark = fig_arena_printf(work->arena,
                                   "drawn by opfig %s with cairo %s; these are %s and "
                                   "%s: texts and geometry are "
                                   "compared instead of bytes",
                                   carried->version ? carried->version : "?",
                                   carried->cairo ? carried->cairo : "?",
                                   fresh->version, fig_cairo_version());
    return same == FIG_SAME_SHOWN || (same == FIG_SAME_NEARLY && other);
}

bool
fig_judge_figure(const FigJudge *judge, const char *path)
{
    g_auto(FigWork) work = {0};
    g_auto(FigGiven) given = {0};
    g_autoptr(FigFonts) fonts = NULL;
    g_autoptr(FigScene) fresh = NULL;
    fig_work_init(&work, judge->options);
    bool own = judge->options->dims || judge->options->set || judge->options->config ||
               judge->options->preset;
    if (fig_given_open(&given, path, judge->self, work.diag)) {
        const FigLoadOptions *load = own ? &judge->options->load : &given.options.load;
        if (judge->spec)
            fig_work_load(&work, judge->spec, load);
        else
            work.graph = fig_given_spec(&given, load, work.diag);
    }
    if (work.graph && fig_judge_run(judge, &work) &&
        (fresh = fig_judge_place(judge, &given, &work, &fonts))) {
        /* shapes of letters are not read */
        if (given.svg && fresh->text_mode != FIG_TEXT_OUTLINE) {
            FigFigureReport *figure =
                fig_judge_svg(&given, &work, fresh, !judge->quick);
            fig_report_figure(judge->report, path, &work, figure);
            fig_figure_report_free(figure);
        } else {
            const char *remark;
            bool same = fig_judge_again(&given, fresh, &work, &remark);
            fig_report_again(judge->report, path, &work, same, remark);
        }
    }
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
