/* SPDX-License-Identifier: MIT
 *
 * Which programs and fonts drew a figure, against those at hand. They decide where things
 * stand, so only a figure of the same versions can be compared place by place.
 */
#ifndef FIG_CHECK_VERSIONS_H
#define FIG_CHECK_VERSIONS_H

#include "check/figure.h"

typedef struct FigVersions {
    bool opfig, fonts, cairo; /* are others; fonts: or another HarfBuzz */
    /* whose letters may be of another width; ended by NULL; NULL: all */
    const char *const *families;
    /* "drawn with opfig 0.0.9, Inter 3.19; here is opfig 0.1.0, Inter 4.0"; NULL: the same,
     * as far as the figure says */
    const char *differ;
} FigVersions;

/* Compare what a figure carries with this opfig, these fonts (fig_fonts_word, or NULL) and,
 * of PDF and PNG, this cairo and FreeType.
 *
 * owns     arena
 */
FigVersions fig_versions_compare(const FigCarried *carried, const char *opfig,
                                 const char *fonts, FigArena *arena);

#endif
