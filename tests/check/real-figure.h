/* SPDX-License-Identifier: MIT
 *
 * The figure of the shipped block, for tests that lie about it.
 */
#ifndef FIG_TESTS_CHECK_REAL_FIGURE_H
#define FIG_TESTS_CHECK_REAL_FIGURE_H

#include "check/svg.h"
#include "tests/check/shown.h"

typedef struct Real {
    Shown shown;
    char *svg;
    FigTruth *truth_of_record; /* without a scene */
} Real;

extern Real real;

/* Fill real; free it again. */
void real_make(void);
void real_free(void);

/* Read a figure that can be read.
 *
 * owns     the caller; free with fig_svg_free
 */
FigSvg *real_read(const char *text);

/* Prove a text against the real record.
 *
 * owns     the caller; free with fig_figure_report_free
 */
FigFigureReport *real_check(const char *text, bool with_fresh);

/* The text with the first `from` in it exchanged.
 *
 * owns     the caller
 */
char *real_replace(const char *text, const char *from, const char *to);

/* All findings, a line each; a figure without data-*, ids and metadata.
 *
 * owns     the caller
 */
char *real_findings(const FigFigureReport *report);
char *real_without_hints(const char *text);

#endif
