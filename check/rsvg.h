/* SPDX-License-Identifier: MIT
 *
 * librsvg, which draws SVG by other code than ours, opened at its first use: its libraries
 * would add a third to what every command takes to start. With it comes that part of pango
 * which says which fonts it sees.
 */
#ifndef FIG_CHECK_RSVG_H
#define FIG_CHECK_RSVG_H

#include <librsvg/rsvg.h>
#include <pango/pangocairo.h>

typedef struct FigRsvg {
    __typeof__(rsvg_handle_new_from_data) *read;
    __typeof__(rsvg_handle_render_document) *render;
    __typeof__(pango_cairo_font_map_new_for_font_type) *fonts_new;
    __typeof__(pango_cairo_font_map_set_default) *fonts_use;
    char name[48]; /* "librsvg 2.54.7" */
} FigRsvg;

/* The library, or NULL where there is none; then why (may be NULL) gets a reason that is
 * the caller's. */
const FigRsvg *fig_rsvg(char **why);

#endif
