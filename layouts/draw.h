/* SPDX-License-Identifier: MIT
 *
 * A plan as marks of a scene, and where in it there is room.
 */
#ifndef FIG_LAYOUTS_DRAW_H
#define FIG_LAYOUTS_DRAW_H

#include "layouts/plan.h"

/* ---- draw.c, edges.c, frame.c, describe.c ---- */

/* The sign of learned weights around (x, y), its border in that ink. */
void fig_draw_diamond(FigPlan *plan, FigItem *group, double x, double y, FigInk stroke);
double fig_border_width(FigClass class); /* of its marks */
/* Append a text; NULL for a NULL text. owns: the scene */
FigItem *fig_draw_text(FigPlan *plan, FigItem *parent, const char *role,
                       const FigTextBox *text, double x, double y, FigInk ink);
/* The box of a class, for a mark or the legend. */
void fig_draw_class(FigPlan *plan, FigItem *group, FigClass class, double x, double y,
                    double width, double height, bool corner);

/* ---- ground.c: what has been drawn, and where there is room ---- */

typedef struct FigGround FigGround;
typedef struct FigArea {
    double left, top, right, bottom;
} FigArea;

/* All that is in the scene. owns: the caller; free with fig_ground_free */
FigGround *fig_ground_new(FigPlan *plan);
void fig_ground_free(FigGround *ground);
void fig_ground_put(FigGround *ground, FigArea area);
FigArea fig_area_of_text(const FigTextBox *text, double x, double y);
/* May a text of a value stand here? value: its id in the record, compared as a pointer. */
bool fig_ground_allows(const FigGround *ground, FigArea text, const char *value);
/* May words of a mark stand on its row, left of the point where its border is? */
bool fig_ground_beside(const FigGround *ground, FigArea text, FigPoint border);
/* How many lines of edges a level or upright piece of a leader passes, at right angles and
 * away from their bends, when it comes from a mark with a point inside; -1: something is in
 * its way. */
int fig_ground_crossings(const FigGround *ground, FigArea piece, FigPoint from);

/* ---- what is drawn, in order ---- */

void fig_plan_draw_panels(FigPlan *plan);
void fig_plan_draw_marks(FigPlan *plan);
void fig_plan_draw_edges(FigPlan *plan);
void fig_plan_draw_notes(FigPlan *plan);
void fig_plan_draw_leaders(FigPlan *plan); /* the last over the foot */
double fig_plan_draw_head(FigPlan *plan);  /* gives its bottom */
/* A named part of the page. owns: the scene */
FigItem *fig_plan_part(FigPlan *plan, const char *name);
/* Legend and sentences in a column from the baseline y on; the last baseline. */
double fig_plan_draw_legend(FigPlan *plan, double left, double right, double y);
double fig_plan_legend_least(FigPlan *plan); /* the width that it needs */
double fig_plan_draw_claims(FigPlan *plan, double left, double right, double y);
double fig_plan_foot_least(FigPlan *plan); /* the page's width that the foot needs */
double fig_plan_draw_foot(FigPlan *plan, double top);
/* The word DRAFT under all of it, when the page has its height. */
void fig_plan_draw_draft(FigPlan *plan);
/* The figure in words. owns: the scene */
const char *fig_plan_describe(FigPlan *plan);

#endif
