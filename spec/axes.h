/* SPDX-License-Identifier: MIT
 *
 * How another library lays out a value: "B H T h_d -> B T H h_d" moves an axis,
 * "C (H h_d) -> H C h_d" parts one into its heads, "C (H 2 p) -> (H p 2) C" orders it anew.
 * Left stands one item for each axis of the value, right one for each axis there; what is
 * in parentheses is one axis, its last part running fastest.
 */
#ifndef FIG_SPEC_AXES_H
#define FIG_SPEC_AXES_H

#include "base/yaml.h"
#include "spec/graph.h"

enum {
    FIG_AXES_PARTS = 16, /* of all axes together */
};

typedef struct FigAxes {
    int n;                               /* parts, in the order of the left side */
    const char *name[FIG_AXES_PARTS];    /* "H", "2" */
    int axis[FIG_AXES_PARTS];            /* the axis of the value that each is in */
    const FigPoly *size[FIG_AXES_PARTS]; /* NULL: what the others leave of its axis */
    int rank;                            /* axes of the value */
    int order[FIG_AXES_PARTS]; /* parts from left to right on the right side … */
    int there[FIG_AXES_PARTS]; /* … and the axis there that each is in */
    int rank_there;
} FigAxes;

/* Read the layout of a value with this shape; a name of a dim has its size, one other in
 * an axis what is left of it.
 *
 * owns     arena
 * errors   at the text: no such form, another number of axes, sizes that are not those of
 *          the axes; NULL
 */
const FigAxes *fig_axes_read(const FigYaml *text, const FigGraph *graph,
                             const FigShape *shape, FigArena *arena, FigDiag *diag);

/* The same numbers as the library has them, dense.
 *
 * owns     arena
 * errors   parts that do not divide an axis at these sizes: false
 */
bool fig_axes_lay(const FigAxes *axes, const FigGraph *graph, const FigSizes *sizes,
                  const FigView *view, FigArena *arena, FigView *there);

#endif
