/* SPDX-License-Identifier: MIT
 *
 * The rules that make a figure unambiguous, held against a scene and the record it was
 * drawn from, by geometry alone. Written apart from the code that draws: nothing of
 * layouts/ but the scene is known here. In order:
 *
 *   marks   every op has one mark, of its class; marks keep off each other
 *   edges   every activation that an op reads, and every output, has one edge, from the
 *           border of its writer's mark to that of its reader's; there is no other
 *   ends    arrow ends at one mark are 8 pt apart, and in operand order where that means
 *           something
 *   lines   upright and level; those of different values share no piece and cross at
 *           right angles, away from bends; none runs through a mark or a text
 *   dots    where one value forks, and nowhere else
 *   texts   on the page, 6 pt or more, clear of each other, of marks and of borders
 *   owners  a text belongs to the mark that holds it, else to the mark on whose row it
 *           lies with nothing between, else to the one value that runs within 6 pt
 *   panels  nest or keep off each other; each holds the marks of its group and no other
 */
#ifndef FIG_TESTS_LAYOUTS_RULES_H
#define FIG_TESTS_LAYOUTS_RULES_H

#include "tests/layouts/figure.h"

#define NEAREST 6.0 /* a text belongs to an edge within */

/* Hold a figure against all of them. */
void check_rules(const Figure *figure, const FigRecord *record);

/* Those of texts and panels. */
void check_texts(const Figure *figure, const FigRecord *record);
void check_owners(const Figure *figure, const FigRecord *record);
void check_panels(const Figure *figure, const FigRecord *record);

/* The number of places where lines of different values cross. */
int count_crossings(const Figure *figure);
/* The nearest mark on whose row a text lies with nothing between. */
const Mark *row_owner(const Figure *figure, const Text *text);
/* How far the ink of a text is from an edge. */
double away(const Rect *ink, const Edge *edge);

#endif
