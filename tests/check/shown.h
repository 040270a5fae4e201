/* SPDX-License-Identifier: MIT
 *
 * From a graph to the scene that shows it and the truth that a figure is held to, by way
 * of its runs. What is wrong on the way ends the test.
 */
#ifndef FIG_TESTS_CHECK_SHOWN_H
#define FIG_TESTS_CHECK_SHOWN_H

#include "check/figure.h"
#include "layouts/layout.h"
#include "spec/graph.h"

typedef struct Shown {
    FigGraph *graph;
    FigRecord *record;
    FigFonts *fonts;
    FigScene *scene;
    FigTruth *truth;
} Shown;

/* End the test where there are errors. */
void shown_assert(const FigDiag *diag);

/* The number that a text of a figure asks for, or NULL; shown: a Shown.
 *
 * owns     the caller
 */
char *shown_number(const char *expr, void *shown);

/* Run and place a graph. shown has to stay where it is as long as its truth is asked.
 *
 * owns     shown owns all, the graph included; shown_close frees it
 */
void shown_make(Shown *shown, FigGraph *graph, const FigLayoutOptions *layout);
void shown_close(Shown *shown);

#endif
