/* SPDX-License-Identifier: MIT
 *
 * The fonts of a figure inside it (--text embed).
 */
#ifndef FIG_RENDER_SVG_FONTS_H
#define FIG_RENDER_SVG_FONTS_H

#include "layouts/scene.h"

/* Append an @font-face rule for each font that a scene's text is set in.
 *
 * errors   a font that cannot be reduced; false
 */
bool fig_svg_fonts(const FigScene *scene, GString *out, GError **error);

#endif
