/* SPDX-License-Identifier: MIT
 *
 * A scene painted with cairo: what PDF and PNG share.
 */
#ifndef FIG_RENDER_PAINT_CAIRO_H
#define FIG_RENDER_PAINT_CAIRO_H

#include "layouts/scene.h"

#include <cairo.h>

/* Paint the scene with its upper left corner at the origin of cairo.
 *
 * units    user space is points, y down
 * errors   a font file that cannot be read, cairo's own; false
 */
bool fig_paint_scene(const FigScene *scene, cairo_t *cairo, GError **error);

/* The FreeType that makes dots of letters here: "2.12.1". owns: nobody */
const char *fig_paint_freetype(void);

#endif
