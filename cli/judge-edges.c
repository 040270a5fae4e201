/* SPDX-License-Identifier: MIT
 *
 * A figure of somebody else's, by the list of its edges.
 */
#include "cli/judge.h"

#include "base/file.h"
#include "base/limit.h"
#include "check/foreign.h"

bool
fig_judge_edges(const FigJudge *judge, const char *path)
{
    g_auto(FigWork) work = {0};
    fig_work_init(&work, judge->options);
    g_autofree char *text = NULL;
    gsize length;
    g_autoptr(GError) error = NULL;
    const FigForeign *foreign = NULL;
    FigForeignReport *report = NULL;
    FigSource source = {path, NULL, 0}; /* messages point into it to the end */
    if (!fig_file_read(path, FIG_LIMIT_FILE, &text, &length, &error)) {
        fig_diag_error(work.diag, (FigSpan){0}, "%s", error->message);
    } else {
        source.text = text;
        source.length = length;
        foreign = fig_foreign_read(&source, work.arena, work.diag);
    }
    if (foreign && fig_work_load(&work, judge->spec, &judge->options->load) &&
        fig_judge_run(judge, &work))
        report = fig_foreign_check(foreign, work.record, work.diag);
    if (report)
        fig_report_edges(judge->report, path, &work, report);
    fig_foreign_report_free(report);
    fig_options_report(judge->options, work.diag);
    return fig_diag_errors(work.diag) == 0;
}
