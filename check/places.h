/* SPDX-License-Identifier: MIT
 *
 * Bounds by where they lie: those that meet an area are found without a look at all of them.
 */
#ifndef FIG_CHECK_PLACES_H
#define FIG_CHECK_PLACES_H

#include "check/svg.h"

typedef struct FigPlaces FigPlaces;

/* Enter n bounds, which are copied. What is empty or no number lies everywhere.
 *
 * owns     the caller; free with fig_places_free
 */
FigPlaces *fig_places_new(const FigBounds *bounds, int n);
void fig_places_free(FigPlaces *places);

/* Append to found (int) the numbers of those that meet or touch an area, ascending. */
void fig_places_find(const FigPlaces *places, FigBounds area, GArray *found);

#endif
