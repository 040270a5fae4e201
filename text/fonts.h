/* SPDX-License-Identifier: MIT
 *
 * Fonts as the rest of text/ sees them: a HarfBuzz face per file with metrics in the
 * font's own units, so that nothing is hinted or rounded and every machine measures the
 * same. Private to text/; everybody else has text/text.h.
 */
#ifndef FIG_TEXT_FONTS_H
#define FIG_TEXT_FONTS_H

#include "text/text.h"

#include <hb.h>

struct FigFont {
    FigFace face;
    char *file;
    int index;
    char *family;
    char *css; /* font-family, with fallbacks */
    int weight;
    bool italic;
    hb_font_t *hb; /* scale: units per em, ot functions */
    double upem;
    double x_height, cap_height, ascender, descender; /* em; descender > 0 */
    bool used;                                        /* since fig_fonts_begin */
    char *digest; /* of the file; NULL until it is asked for */
};

/* The same as fig_fonts_face, to shape with; owned by fonts. */
FigFont *fig_fonts_open(FigFonts *fonts, FigFace face);

/* A buffer to shape in, emptied.
 *
 * owns     fonts
 */
hb_buffer_t *fig_fonts_buffer(FigFonts *fonts);

bool fig_font_has(const FigFont *font, gunichar character);

/* What has been used since fig_fonts_begin: FigFont, the faces in their order, then those of
 * the system by family and file.
 *
 * owns     the caller; the fonts are of fonts
 */
GPtrArray *fig_fonts_used(const FigFonts *fonts);

/* The font that sets character beside words of a face: the face itself, the math font,
 * then whatever the system has; the last two never replace silently (fig_fonts_report).
 * With nothing at all it is the face, whose glyph 0 is a visible box.
 *
 * owns     fonts
 */
FigFont *fig_fonts_for(FigFonts *fonts, FigFace face, gunichar character);

/* How much larger math is than the words beside it: labels hold capitals twice as often
 * as small letters, so this is the mean of the ratios of cap height, counted twice, and
 * x-height. */
double fig_fonts_math_scale(FigFonts *fonts, FigFace words);

#endif
