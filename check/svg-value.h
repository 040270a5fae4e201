/* SPDX-License-Identifier: MIT
 *
 * The values of SVG attributes, in the forms our writer gives them and those equal to them.
 */
#ifndef FIG_CHECK_SVG_VALUE_H
#define FIG_CHECK_SVG_VALUE_H

#include "check/svg.h"

#define FIG_SVG_PAGE 0.02 /* points: a page in another unit, rounded */

/* Numbers as SVG has them; false otherwise, or where no page reaches: a number; a length,
 * which may end in px; the size of a page, in any unit, in points; n numbers with white
 * space or a comma between, and around. svg-number.c */
bool fig_svg_number(const char *text, double *value);
bool fig_svg_length(const char *text, double *value);
bool fig_svg_page_length(const char *text, double *points);
bool fig_svg_numbers(const char *text, int n, double *values);

/* A pattern of dashes in one form for equal patterns: "3 2", "" is solid.
 *
 * owns     arena; NULL when it is none
 */
const char *fig_svg_dashes(FigArena *arena, const char *text);

/* A colour (#abc, #aabbcc, rgb(…), none) as "#rrggbb" or "none".
 *
 * owns     arena; NULL when it is none of these
 */
const char *fig_svg_colour(FigArena *arena, const char *text);

/* Path data of moves, lines, cubic curves and closings, absolute or relative, shortened or
 * not, as absolute M, L, C and Z.
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
 * attribute); which of them a root declares; a name in one of those; an attribute (name and
 * value) there that neither draws nor says anything, of an element with an id (or NULL). */
bool fig_svg_editor_space(const char *name, const char *value);
unsigned fig_svg_editor_spaces(const char **attributes);
bool fig_svg_editor_name(unsigned spaces, const char *name);
bool fig_svg_editor_attribute(unsigned spaces, const char **attribute, const char *id);

/* … an element there, in a drawing of that size in points: a page is the whole of it. */
bool fig_svg_editor_element(const char *name, const char **attributes, double width,
                            double height);

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
