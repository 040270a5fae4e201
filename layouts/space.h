/* SPDX-License-Identifier: MIT
 *
 * Places on a line: each at least so far from others, and pulled towards some.
 */
#ifndef FIG_LAYOUTS_SPACE_H
#define FIG_LAYOUTS_SPACE_H

#include <glib.h>

/* x of b is at least that of a + distance */
typedef struct FigApart {
    int a, b;
    double distance;
} FigApart;

/* x of b (−1: of the middle, 0) would best be that of a + offset */
typedef struct FigPull {
    int a, b;
    double offset;
    double weight;
} FigPull;

/* Find places for 0 … n − 1. No chain of `apart` may lead back to where it began.
 *
 * apart    FigApart
 * pull     FigPull, at least one for each place
 * owns     free with g_free
 */
double *fig_space_solve(int n, const GArray *apart, const GArray *pull);

#endif
