/* SPDX-License-Identifier: MIT
 *
 * From a record to a scene. Automatic for any block; a layout file
 * (layouts/NAME.yaml) only overrides. Sees the record and nothing else of the
 * computation.
 */
#ifndef FIG_LAYOUTS_LAYOUT_H
#define FIG_LAYOUTS_LAYOUT_H

#include "exec/record.h"
#include "layouts/scene.h"

typedef struct FigLayoutOptions {
    const char *layout;    /* NULL: "block" */
    const char *theme;     /* NULL: "light" */
    double width;          /* points; 0: 396 */
    double unit;           /* points of the unit that widths are said in; 0: 1 */
    const char *unit_name; /* … and its name; NULL: "pt" */
    bool draft;            /* DRAFT across it */
    bool transparent;      /* no paper */
    FigTextMode text;      /* of an SVG */
    const char *options;   /* one line, carried in the scene: "--theme light …" */
    const char *version;   /* of opfig in the footer; NULL: that of the record */
} FigLayoutOptions;

/* Place a record.
 *
 * units    points
 * owns     the caller; free with fig_scene_free
 * errors   unknown layout or theme (with suggestion), a mistake in their YAML, a width
 *          below the least (named), labels that do not parse; NULL
 */
FigScene *fig_layout_place(const FigRecord *record, const FigLayoutOptions *options,
                           FigFonts *fonts, FigDiag *diag);

/* Names of the layouts and themes that ship, sorted, ended by NULL. owns: the caller */
char **fig_layout_names(void);
char **fig_theme_names(void);

#endif
