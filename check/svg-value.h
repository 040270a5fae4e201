/* SPDX-License-Identifier: MIT
 *
 * The values of SVG attributes, in the forms our writer gives them and no other.
 */
#ifndef FIG_CHECK_SVG_VALUE_H
#define FIG_CHECK_SVG_VALUE_H

#include "check/svg.h"

/* A plain decimal number, finite; false otherwise. */
bool fig_svg_number(const char *text, double *value);

/* A colour (#abc, #aabbcc, rgb(…), none) as "#rrggbb" or "none".
 *
 * owns     arena; NULL when it is none of these
 */
const char *fig_svg_colour(FigArena *arena, const char *text);

/* Path data of absolute M, L, C and Z.
 *
 * owns     arena
 */
bool fig_svg_path_data(FigArena *arena, const char *text, FigPath *path);

/* Read one attribute of a look, of a dash (its value alone), of what an item stands for;
 * false: it is no such attribute, or not in our form.
 *
 * owns     arena
 */
bool fig_svg_read_look(FigArena *arena, FigSvgLook *look, const char *name,
                       const char *value);
bool fig_svg_read_dash(FigArena *arena, FigSvgLook *look, const char *value);
bool fig_svg_read_hint(FigArena *arena, FigSvgItem *item, const char *name,
                       const char *value);

/* What Inkscape adds: the declaration of a namespace of its own (name and value of an
 * attribute), a name in one that draws nothing. */
bool fig_svg_editor_space(const char *name, const char *value);
bool fig_svg_editor_name(const char *name);

/* Read style="…" into a look.
 *
 * owns     the caller: the first declaration that is not in our forms; NULL: all are
 */
char *fig_svg_read_style(FigArena *arena, FigSvgLook *look, const char *style);

/* The rules for a dark page that our writer emits: colours for colours, nothing else. */
bool fig_svg_style_known(const char *text);

FigBounds fig_svg_path_bounds(const FigPath *path);
FigBounds fig_svg_text_bounds(const FigSvgItem *text);

#endif
