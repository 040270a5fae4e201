/* SPDX-License-Identifier: MIT
 *
 * A folder of figures, as CI asks about it: is each what would be drawn now? Stale is what
 * was drawn of a spec that has changed since, edited what was changed after it was drawn,
 * foreign what opfig did not draw.
 */
#include "cli/judge.h"

#include "cli/progress.h"

#include <string.h>

enum { MOST_FOLDERS = 8 }; /* in each other */

typedef struct Verdict {
    const char *word; /* NULL: sound */
    const char *why;
    char *renew;
    bool trouble; /* with the program itself, not with the figure */
} Verdict;

static int
by_name(gconstpointer a, gconstpointer b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The figures in a folder and those in it, by name; what begins with a dot is hidden. */
static void
collect(GPtrArray *paths, const char *folder, int depth)
{
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    const char *name;
    while (dir && (name = g_dir_read_name(dir)))
        if (*name != '.')
            g_ptr_array_add(names, g_strdup(name));
    g_ptr_array_sort(names, by_name);
    for (guint i = 0; i < names->len; i++) {
        char *path = g_build_filename(folder, names->pdata[i], NULL);
        if (g_file_test(path, G_FILE_TEST_IS_DIR) && depth < MOST_FOLDERS)
            collect(paths, path, depth + 1);
        if (fig_output_lookup(path) && g_file_test(path, G_FILE_TEST_IS_REGULAR))
            g_ptr_array_add(paths, path);
        else
            g_free(path);
    }
}

/* ---- the spec as it is now ---- */

/* Where the spec of a figure lies now: the one given, a shipped one of its name, or a file
 * of its name beside the figure, in the folder above, or here.
 *
 * owns     the caller; NULL: nowhere
 */
static char *
find_spec(const FigJudge *judge, const char *path, const char *name)
{
    g_auto(GStrv) shipped = fig_spec_shipped();
    g_autofree char *folder = g_path_get_dirname(path);
    g_autofree char *file = g_strconcat(name, ".yaml", NULL);
    char *places[] = {g_build_filename(folder, file, NULL),
                      g_build_filename(folder, "..", file, NULL), g_strdup(file)};
    char *found = judge->spec ? g_strdup(judge->spec)
                  : g_strv_contains((const char *const *)shipped, name) ? g_strdup(name)
                                                                        : NULL;
    for (size_t i = 0; i < G_N_ELEMENTS(places); i++) {
        if (!found && !strchr(name, '/') &&
            g_file_test(places[i], G_FILE_TEST_IS_REGULAR))
            found = g_strdup(places[i]);
        g_free(places[i]);
    }
    return found;
}

/* Is the spec that a figure carries the one that lies there now? */
static bool
is_current(const FigGiven *given, const char *spec, const FigLoadOptions *load)
{
    g_autoptr(FigDiag) silent = fig_diag_new();
    g_autofree char *path = fig_spec_find(spec, silent);
    g_autoptr(FigGraph) now = path ? fig_spec_load(path, load, silent) : NULL;
    return now && g_strcmp0(now->text, given->carried.spec_text) == 0;
}

/* ---- one figure ---- */

/* The first thing that is wrong with a figure. owns: work */
static const char *
first_finding(const FigFigureReport *report, FigWork *work)
{
    const FigFinding *one = report->findings;
    return fig_arena_printf(work->arena, "%d finding%s, the first in line %d: %s: %s",
                            report->n_findings, report->n_findings == 1 ? "" : "s",
                            one->line, one->kind, one->says);
}

/* As is, or as far as versions that differ let it be compared. */
static void
allow(Verdict *verdict, FigWork *work, const char *differ, const char *not_compared)
{
    g_autofree char *why = fig_report_versions(differ, not_compared);
    verdict->why = fig_arena_strdup(work->arena, why);
    if (not_compared)
        verdict->word = "versions";
}

static void
refuse(Verdict *verdict, FigWork *work, const char *why, const char *differ)
{
    verdict->word = "edited";
    verdict->why = differ ? fig_arena_printf(work->arena, "%s; %s", why, differ) : why;
}

static void
judge_svg(const FigGiven *given, const FigScene *fresh, FigWork *work, Verdict *verdict)
{
    FigAgain again;
    bool outline = fresh->text_mode == FIG_TEXT_OUTLINE;
    if (fig_judge_again(given, fresh, work, &again))
        return;
    if (outline) { /* shapes of letters are not read */
        refuse(verdict, work,
               fig_arena_printf(work->arena, "other bytes from line %d on: ‘%s’",
                                again.line, again.says),
               again.differ);
        return;
    }
    FigFigureReport *report = fig_judge_svg(given, work, fresh, false);
    if (report->n_findings > 0)
        refuse(verdict, work, first_finding(report, work), again.differ);
    else if (report->differ)
        allow(verdict, work, again.differ,
              fig_arena_strdup(work->arena, report->not_compared));
    else
        refuse(verdict, work, "other bytes, though it shows the same", NULL);
    fig_figure_report_free(report);
}

static void
judge_drawn(const FigGiven *given, const FigScene *fresh, FigWork *work,
            Verdict *verdict)
{
    FigAgain again;
    fig_judge_again(given, fresh, work, &again);
    if (!again.same)
        refuse(verdict, work, "another picture, or other bytes, than what is drawn now",
               again.differ);
    else if (again.packed)
        verdict->why = "the same picture and texts, packed otherwise";
    else if (again.differ)
        allow(verdict, work, again.differ, again.not_compared);
}

static void
judge_given(const FigJudge *judge, const FigGiven *given, FigWork *work,
            Verdict *verdict)
{
    g_autoptr(FigFonts) fonts = NULL;
    g_autoptr(FigScene) fresh = NULL;
    work->graph = fig_given_spec(given, &given->options.load, work->diag);
    if (!work->graph || !fig_work_record(work, 0, NULL))
        return;
    g_autofree char *spec = find_spec(judge, given->path, work->record->name);
    const char *options = given->carried.options ? given->carried.options : "";
    verdict->renew = g_strdup_printf("opfig draw %s %s%s-o %s", spec ? spec : "SPEC",
                                     options, *options ? " " : "", given->path);
    if (spec && !is_current(given, spec, &given->options.load)) {
        verdict->word = "stale";
        verdict->why =
            fig_arena_printf(work->arena, "drawn of another %s than %s is now",
                             work->record->name, spec);
        return;
    }
    fresh = fig_judge_place(judge, given, work, &fonts);
    if (!fresh) {
        const FigDrawing *asked = judge->drawing;
        verdict->trouble =
            !fonts || asked->layout || asked->theme || asked->width || asked->text;
        verdict->word = "stale";
        verdict->why = fig_arena_printf(work->arena,
                                        "cannot be drawn now as it says: %s", options);
        return;
    }
    if (given->svg)
        judge_svg(given, fresh, work, verdict);
    else
        judge_drawn(given, fresh, work, verdict);
}

/* false: nothing can be said of any figure. */
static bool
judge_file(const FigJudge *judge, const char *path)
{
    g_auto(FigWork) work = {0};
    g_auto(FigGiven) given = {0};
    Verdict verdict = {0};
    fig_work_init(&work, judge->options);
    bool open = fig_given_open(&given, path, judge->self, work.diag);
    if (open && !given.carried.spec_text) {
        verdict.word = "foreign";
        verdict.why = "carries no spec of opfig";
    } else if (open) {
        judge_given(judge, &given, &work, &verdict);
    }
    if (fig_diag_errors(work.diag) > 0) {
        if (!verdict.word) {
            verdict.word = "edited";
            verdict.why = "cannot be read, or what it carries cannot";
        }
        fig_options_report(judge->options, work.diag);
    }
    if (!verdict.trouble)
        fig_report_file(judge->report, path, verdict.word, verdict.why, verdict.renew);
    g_free(verdict.renew);
    return !verdict.trouble;
}

bool
fig_judge_folder(const FigJudge *judge, const char *folder)
{
    g_autoptr(GPtrArray) paths = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(FigDiag) diag = fig_diag_new();
    FigProgress progress;
    if (!g_file_test(folder, G_FILE_TEST_IS_DIR))
        fig_diag_error(diag, (FigSpan){0}, "%s: no such folder", folder);
    else
        collect(paths, folder, 0);
    if (fig_diag_errors(diag) == 0 && paths->len == 0)
        fig_diag_error(diag, (FigSpan){0}, "%s: no figures in it", folder);
    bool good = fig_diag_errors(diag) == 0;
    fig_progress_begin(&progress, (int)paths->len, judge->options->quiet);
    for (guint i = 0; i < paths->len && good; i++) {
        fig_progress_step(&progress, "figure", paths->pdata[i]);
        good = judge_file(judge, paths->pdata[i]);
    }
    fig_progress_finish(&progress);
    fig_options_report(judge->options, diag);
    return good;
}
