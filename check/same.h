/* SPDX-License-Identifier: MIT
 *
 * Whether two files of one format show the same.
 */
#ifndef FIG_CHECK_SAME_H
#define FIG_CHECK_SAME_H

#include "check/versions.h"

typedef enum FigSame {
    FIG_SAME_NOT,
    FIG_SAME_MOVED, /* up to what a few letters of another width move: 4 points of a PDF, 1.3 of
                       a PNG */
    FIG_SAME_NEARLY, /* up to what versions of cairo do otherwise: smoothed edges, digits; less
                        than a person could see, and more than nothing */
    FIG_SAME_SHOWN, /* the same picture and texts, packed in other bytes */
} FigSame;

/* Compare two files, the second drawn here; versions: what drew the first, which decides
 * what of a PDF may be otherwise, and nothing of a PNG. */
FigSame fig_same_png(const char *a, size_t a_length, const char *b, size_t b_length,
                     const FigVersions *versions);
FigSame fig_same_pdf(const char *a, size_t a_length, const char *b, size_t b_length,
                     const FigVersions *versions);

#endif
