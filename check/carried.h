/* SPDX-License-Identifier: MIT
 *
 * What a PDF or PNG of ours carries, and whether two of one format show the same.
 */
#ifndef FIG_CHECK_CARRIED_H
#define FIG_CHECK_CARRIED_H

#include "check/versions.h"

/* Read what a file carries: the spec, the options, the digest of the record, the version
 * of opfig, and that of cairo which drew it (NULL: not said).
 *
 * owns     arena
 * errors   no file of that format, or none of ours: false
 */
bool fig_carried_pdf(const char *bytes, size_t length, FigArena *arena,
                     FigCarried *carried);
bool fig_carried_png(const char *bytes, size_t length, FigArena *arena,
                     FigCarried *carried);

typedef enum FigSame {
    FIG_SAME_NOT,
    FIG_SAME_MOVED, /* up to what a few letters of another width move: 4 points of a PDF; of
                       a PNG a coarse comparison, by blocks of a point */
    FIG_SAME_NEARLY, /* up to what versions of cairo do otherwise: smoothed edges, digits */
    FIG_SAME_SHOWN, /* the same picture and texts, packed in other bytes */
} FigSame;

/* Compare two pictures, the second drawn here; versions: what drew the first, which decides
 * what of a PDF may be otherwise. NEARLY is less than a person could see, and more than
 * nothing. */
FigSame fig_same_png(const char *a, size_t a_length, const char *b, size_t b_length);
FigSame fig_same_pdf(const char *a, size_t a_length, const char *b, size_t b_length,
                     const FigVersions *versions);

#endif
