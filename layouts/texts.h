/* SPDX-License-Identifier: MIT
 *
 * The texts of a plan: set, measured, broken, and given their room.
 */
#ifndef FIG_LAYOUTS_TEXTS_H
#define FIG_LAYOUTS_TEXTS_H

#include "layouts/plan.h"

/* ---- strip.c ---- */

/* Does the frame of a repeat have passes of several kinds that fit a strip? */
bool fig_strip_has(const FigBox *box);
/* The width of the strip, and of what stands behind the title. */
double fig_strip_width(FigPlan *plan, const FigBox *box, double *behind);
void fig_strip_draw(FigPlan *plan, FigItem *panel, const FigBox *box, double behind);

/* ---- measure.c ---- */

/* Set the texts of all marks and values, and size the nodes; false: one does not parse. */
bool fig_plan_measure(FigPlan *plan);
/* Measure all marks again, after boxes have been pressed. */
void fig_plan_measure_again(FigPlan *plan);
/* Keep room beside nodes for what is printed there, once rows are ordered. */
void fig_box_note_room(FigPlan *plan, FigBox *box);
double fig_bar_width(int branches); /* of a fork that is a bar */
/* Break callouts into lines, once boxes have their width: each beside the first of its
 * claim's ops that has room. */
void fig_plan_callouts(FigPlan *plan);
/* The node of an op of a claim, the first for 0, at which the claim's words may stand, or
 * NULL: there may be no such op, or another claim stands there. */
FigNode *fig_callout_node(const FigPlan *plan, const FigRecordClaim *claim, int which);
/* Do a claim's words stand at one of its ops, or lead there? */
bool fig_callout_said(const FigPlan *plan, const FigRecordClaim *claim);
/* Where the bar beside a mark stands. */
double fig_callout_x(const FigNode *node, const FigMarkText *text);
/* How far a callout reaches out beside its node. */
double fig_callout_reach(const FigPlan *plan, const FigNode *node);

/* Texts as boxes and strings, in the plan's arena.
 *
 * owns     plan
 */
const FigTextBox *fig_plan_shape(FigPlan *plan, const FigRecordValue *value);
/* owns     plan */
const FigTextBox *fig_plan_text(FigPlan *plan, const char *source, FigFace face,
                                double size);
/* The title of a panel. owns: plan */
const FigTextBox *fig_plan_title(FigPlan *plan, const FigBox *box);
/* … and how often its ops run, behind it: "×28". owns: plan; NULL where it is no repeat */
const FigTextBox *fig_plan_times(FigPlan *plan, const FigBox *box);
/* … and of which kinds, behind that. owns: plan; NULL where all are of one */
const FigTextBox *fig_plan_kinds(FigPlan *plan, const FigBox *box);
double fig_plan_title_width(FigPlan *plan, const FigBox *box); /* of all three */
/* The words at an input or output. owns: plan */
const FigTextBox *fig_plan_terminal(FigPlan *plan, const FigNode *node);
/* Lines of about the same length. owns: plan */
const FigTextBox *const *fig_plan_wrap(FigPlan *plan, const char *source,
                                       const FigTextStyle *style, double width,
                                       int *n_lines);
/* From the baseline of line i − 1 to that of line i: no less than so much, and more where
 * a subscript would meet an ascender. */
double fig_plan_leading(const FigTextBox *const *lines, int i, double least);
/* The width of the widest of some lines, and the height of all. */
double fig_lines_width(const FigTextBox *const *lines, int n);
double fig_lines_height(const FigTextBox *const *lines, int n, double least);
/* A shape or polynomial in TeX, with the labels of the dims. owns: plan */
const char *fig_plan_tex(FigPlan *plan, const char *expression);
/* A number as a person writes it: "5e5" as 5·10⁵. owns: plan */
const char *fig_plan_number_tex(FigPlan *plan, const char *text);
/* A sentence with its numbers in place. owns: plan */
const char *fig_plan_sentence(FigPlan *plan, const FigSentence *sentence);

/* ---- line.c: texts side by side, and numbers as they are printed ---- */

typedef struct FigPiece {
    const FigTextBox *text;
    const char *number; /* the expression it is the value of, or NULL */
    FigInk ink;
    double x;
} FigPiece;

typedef struct FigLine {
    FigPlan *plan;
    FigItem *group;
    double size; /* of type; 0: that of shapes */
    FigInk ink;  /* 0: muted */
    double width;
    GArray *pieces; /* FigPiece; freed by fig_line_draw */
} FigLine;

/* Append a text to a line; words and numbers in the line's own ink, a number as the value
 * of its expression. */
void fig_line_add(FigLine *line, const char *source, FigFace face, FigInk ink,
                  const char *number);
void fig_line_words(FigLine *line, const char *words);
void fig_line_number(FigLine *line, const char *text, const char *expression);
void fig_line_space(FigLine *line, double width);
void fig_line_draw(FigLine *line, double x, double baseline);

/* "3213312" owns: plan */
const char *fig_plain_digits(FigPlan *plan, int64_t value);
/* "3,213,312" owns: plan */
const char *fig_plain_integer(FigPlan *plan, int64_t value);
/* "676.1 M" owns: plan */
const char *fig_by_unit(FigPlan *plan, int64_t value);
/* Parameters and FLOPs of the ops of a group (NULL: of all). */
void fig_group_totals(FigPlan *plan, const char *group, int64_t *parameters,
                      int64_t *flops);

#endif
