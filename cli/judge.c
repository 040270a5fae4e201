/* SPDX-License-Identifier: MIT
 *
 * One figure, or a spec alone, against a run made now. An SVG is read back and proved;
 * other formats are drawn again and compared.
 */
#include "cli/judge.h"

#include "check/versions.h"

#include <math.h>
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

static char *
number_text(const char *expr, void *data)
{
    g_autoptr(FigDiag) silent = fig_diag_new();
    return fig_claims_ask(data, expr, silent);
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

/* Short, and of what versions are made of: it is going to be set as a text. */
static bool
is_version(const char *text)
{
    enum { MOST = 20 };
    size_t length = strlen(text);
    return length > 0 && length <= MOST &&
           strspn(text, "0123456789.+~-abcdefghijklmnopqrstuvwxyz") == length;
}

FigScene *
fig_judge_place(const FigJudge *judge, const FigGiven *given, FigWork *work,
                FigFonts **fonts)
{
    FigDrawing drawing = chosen_drawing(judge->drawing, &given->drawing);
    if (drawing.layout && strpbrk(drawing.layout, "/.")) /* a path, no name */
        work->layout = fig_arena_strdup(work->arena, drawing.layout);
    const char *theirs = given->carried.version;
    /* the footer names the version: a picture is compared with what theirs would say */
    if (!given->svg && theirs && is_version(theirs))
        drawing.version = theirs;
    return fig_drawing_place(&drawing, work->record, fonts, work->diag);
}

FigFigureReport *
fig_judge_svg(const FigGiven *given, const FigWork *work, const FigScene *fresh,
              bool pixels)
{
    g_autoptr(FigClaims) claims = fig_claims_new(work->graph, work->record);
    g_autoptr(FigTruth) truth = fig_truth_new(work->record, fresh, number_text, claims);
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

/* What versions that differ leave open, where the pictures are as near as that; NULL: more
 * than they explain. */
static const char *
left_open(const FigPicture *picture, const FigVersions *versions, FigSame same)
{
    if (same == FIG_SAME_NEARLY)
        return picture->nearly;
    if (same == FIG_SAME_MOVED && (versions->opfig || versions->fonts))
        return picture->moved;
    return NULL;
}

/* The first line of an SVG that is not that of the fresh drawing. owns: arena */
static void
first_difference(const FigGiven *given, const GString *drawn, FigArena *arena,
                 FigAgain *again)
{
    enum { SHOWN = 70 }; /* bytes of it */
    size_t at = 0, begin = 0;
    again->line = 1;
    for (; at < MIN(given->length, drawn->len) && given->bytes[at] == drawn->str[at];
         at++)
        if (given->bytes[at] == '\n') {
            begin = at + 1;
            again->line++;
        }
    size_t length = 0;
    while (begin + length < given->length && given->bytes[begin + length] != '\n')
        length++;
    g_autofree char *text =
        g_utf8_make_valid(given->bytes + begin, (gssize)MIN(length, SHOWN));
    again->says = fig_arena_printf(arena, "%s%s", *text ? text : "an empty line",
                                   length > SHOWN ? "…" : "");
}

bool
fig_judge_again(const FigGiven *given, const FigScene *fresh, FigWork *work,
                FigAgain *again)
{
    const FigCarried *carried = &given->carried;
    FigWriteOptions options = {0};
    g_autoptr(GString) drawn = g_string_new(NULL);
    g_autoptr(GError) error = NULL;
    *again = (FigAgain){false};
    if (given->picture && given->picture->dpi)
        options.dpi = given->picture->dpi(given->bytes, given->length, fresh->width,
                                          fresh->height);
    if (isnan(options.dpi)) {
        fig_diag_error(work->diag, (FigSpan){0},
                       "%s has too many dots to be drawn again", given->path);
        return false;
    }
    if (!given->output->write(fresh, &options, drawn, &error)) {
        fig_diag_error(work->diag, (FigSpan){0}, "%s", error->message);
        return false;
    }
    if (drawn->len == given->length &&
        memcmp(drawn->str, given->bytes, given->length) == 0)
        return again->same = true;
    const char *ours = work->record->version;
    FigVersions versions =
        fig_versions_compare(carried, ours, fresh->fonts, work->arena);
    again->differ = versions.differ;
    /* the version is in the digest: one that is that of our own run is of our own version */
    bool lies = versions.opfig && g_strcmp0(carried->digest, fresh->digest) == 0;
    bool carries = same_carried(carried, fresh, versions.opfig);
    again->edited = carries && !versions.differ;
    if (given->svg)
        first_difference(given, drawn, work->arena, again);
    if (!given->picture || lies || !carries)
        return false;
    FigSame same = given->picture->same(given->bytes, given->length, drawn->str,
                                        drawn->len, &versions);
    again->packed = same == FIG_SAME_SHOWN && !versions.differ;
    if (versions.differ && same != FIG_SAME_SHOWN)
        again->not_compared = left_open(given->picture, &versions, same);
    again->same = same == FIG_SAME_SHOWN || again->not_compared;
    again->edited &= !again->same;
    return again->same;
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
            FigAgain again;
            if (fig_judge_again(&given, fresh, &work, &again) ||
                fig_diag_errors(work.diag) == 0)
                fig_report_again(judge->report, path, &work, &again);
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
