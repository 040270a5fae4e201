/* SPDX-License-Identifier: MIT
 *
 * The presentation attributes of an SVG, each written once where it serves most: a group
 * states what most of its leaves want, a leaf only what differs.
 */
#ifndef FIG_RENDER_SVG_INK_H
#define FIG_RENDER_SVG_INK_H

#include "layouts/scene.h"

/* All are inherited in SVG. */
typedef enum FigSvgAttribute {
    FIG_SVG_FILL,
    FIG_SVG_STROKE,
    FIG_SVG_STROKE_WIDTH,
    FIG_SVG_LINECAP,
    FIG_SVG_FAMILY,
    FIG_SVG_SIZE,
    FIG_SVG_WEIGHT,
    FIG_SVG_STYLE,
    FIG_SVG_ATTRIBUTES,
} FigSvgAttribute;

/* Values as written; equal ones are the same pointer. NULL: does not matter. */
typedef struct FigSvgInk {
    const char *value[FIG_SVG_ATTRIBUTES];
} FigSvgInk;

typedef struct FigSvgInks FigSvgInks; /* the values of one scene */

/* owns     the caller; free with fig_svg_inks_free */
FigSvgInks *fig_svg_inks_new(const FigScene *scene);
void fig_svg_inks_free(FigSvgInks *inks);

/* What a viewer assumes where nothing is said. */
FigSvgInk fig_svg_ink_initial(FigSvgInks *inks);

/* What a rectangle or path wants; a run of a text; a filled outline beside a text. */
FigSvgInk fig_svg_ink_shape(FigSvgInks *inks, const FigItem *item);
FigSvgInk fig_svg_ink_run(FigSvgInks *inks, const FigItem *text, const FigTextRun *run);
FigSvgInk fig_svg_ink_outline(FigSvgInks *inks, const FigItem *text);

/* What a group, or a text around its runs, should state when around is inherited. */
FigSvgInk fig_svg_ink_common(FigSvgInks *inks, const FigItem *item,
                             const FigSvgInk *around);

/* Append the attributes in which wanted differs from around, and make around what the
 * children inherit. */
void fig_svg_ink_write(GString *out, const FigSvgInk *wanted, FigSvgInk *around);

/* Append the rules that recolour everything for a dark page: each rule selects the light colour
 * as it is written in the presentation attributes. `id` is that of the root. */
void fig_svg_inks_dark(FigSvgInks *inks, const char *id, GString *out);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(FigSvgInks, fig_svg_inks_free)

#endif
