/* SPDX-License-Identifier: MIT
 *
 * Measurements of the drawing, in points, and what a layout's YAML may say. Sizes are of
 * type for print at 100 %: labels 8, shapes 7, nothing under 6.
 */
#ifndef FIG_LAYOUTS_STYLE_H
#define FIG_LAYOUTS_STYLE_H

#include "base/yaml.h"
#include "exec/record.h"
#include "layouts/scene.h"

/* ---- type ---- */
#define FIG_TYPE_TITLE 12.0
#define FIG_TYPE_LABEL 8.0
#define FIG_TYPE_SHAPE 7.0
#define FIG_TYPE_SMALL 6.5 /* step numbers, footer */
#define FIG_SINK 0.362     /* of its size: from the middle of a row to the baseline */

/* ---- marks ---- */
#define FIG_BOX_HEIGHT 14.4
#define FIG_BOX_RADIUS 3.0
#define FIG_BOX_LEAST 52.0    /* width */
#define FIG_BOX_PAD 5.0       /* between border, step number, label and corner */
#define FIG_BOX_PAD_CLOSE 2.5 /* … between label and what is beside it, at least */
#define FIG_BOX_WIDEST 160.0  /* a box that others take their width from */
#define FIG_LABEL_LINE 10.0   /* of a label in two lines */
#define FIG_LABEL_MOST 165.0  /* a wider label takes two lines */
#define FIG_LABEL_NARROW 60.0 /* … beside other marks on a narrow page */
#define FIG_CIRCLE_RADIUS 6.6
#define FIG_FORK_RADIUS 2.7 /* of an op that forks */
#define FIG_DOT_RADIUS 1.9  /* where one value forks */
#define FIG_CORNER 2.4      /* half a diamond */
#define FIG_DOUBLE 1.9      /* from the inner to the outer of two borders */
#define FIG_FRAME_CLEAR 0.8 /* from the inner one to the ink of a label */

#define FIG_TERMINAL_WIDTH 13.0
#define FIG_TERMINAL_HEIGHT 2.2
#define FIG_CALLOUT_GAP 4.0 /* between a mark and its callout's bar */
#define FIG_CALLOUT_LINE 8.4
#define FIG_LEADER_WIDTH 0.5 /* thinner than any edge */

/* ---- edges ---- */
#define FIG_EDGE_WIDTH 0.85
#define FIG_RAIL_WIDTH 1.7
#define FIG_BEND 4.0
#define FIG_HEAD_LENGTH 4.4
#define FIG_HEAD_HALF 1.95
#define FIG_PORT_GAP 9.0 /* between arrow ends of different operands, ≥ 8 */
#define FIG_TRACK_GAP 8.0

/* ---- room ---- */
#define FIG_GAP_PLAIN 9.0  /* between rows */
#define FIG_GAP_TEXT 13.8  /* … with a text beside the edge */
#define FIG_GAP_IN 3.0     /* from the top of what has no frame to its first row */
#define FIG_GAP_MARKS 12.0 /* between marks of one row */
#define FIG_GAP_CLOSE 8.0  /* … on a page as narrow as can be */
#define FIG_GAP_LANE 9.0   /* between an edge and what passes beside it */
#define FIG_NOTE_GAP 3.5   /* between an edge and its text, under 6 */
#define FIG_PANEL_PAD 8.0
#define FIG_PANEL_RADIUS 5.0
#define FIG_PAGE_MARGIN 10.0
#define FIG_STRIP_AT 20.5 /* from the top of a repeat to the middle of its strip … */
#define FIG_STRIP_HEIGHT 10.0  /* … for which its title takes so much more */
#define FIG_TIMES_GAP 6.0      /* from the title of a repeat to … */
#define FIG_TIMES_SIGN 6.0     /* … the sign before the number of its passes */
#define FIG_FOOT_COLUMNS 340.0 /* a narrower page has legend and claims in one column */

/* Which shapes are printed beside edges. */
typedef enum FigShapes {
    FIG_SHAPES_CHANGED, /* where they change along the chain */
    FIG_SHAPES_ALL,
    FIG_SHAPES_NONE,
} FigShapes;

/* Names in a layout file, each with its place there. */
typedef struct FigStyleName {
    const char *id;
    FigSpan span;
} FigStyleName;
typedef struct FigStyleNames {
    int n;
    FigStyleName *name;
} FigStyleNames;

/* What a layout file may say. */
typedef struct FigStyle {
    const char *class_title[FIG_CLASSES]; /* NULL: the titles of the ops */
    const char *class_note[FIG_CLASSES];  /* NULL: made from the record */
    bool legend, claims, totals, footer;
    double callout_width; /* most of a callout's */
    bool callouts; /* sentences about ops stand beside them; else all are listed */
    FigShapes shapes;
    bool rail_left;
    FigStyleNames lanes;  /* ops that stand on the main lines of their boxes */
    FigStyleNames *order; /* ops from left to right, where they share a row */
    int n_order;
    bool some_accents; /* only these claims stand beside their ops: */
    FigStyleNames accents;
} FigStyle;

/* Open FOLDER/NAME.yaml of those that ship, or the file of that path; what names it in
 * messages.
 *
 * owns     arena
 * errors   unknown name (with suggestion), not readable, no YAML; NULL
 */
const FigYaml *fig_style_open(const char *folder, const char *name, const char *what,
                              char **known, FigArena *arena, FigDiag *diag);

/* The text of a key, or NULL. owns: arena of the map */
const char *fig_style_text(const FigYaml *map, const char *key, FigDiag *diag);

/* All keys of a layout file, ended by NULL. */
const char *const *fig_style_keys(void);

/* Read a layout's YAML.
 *
 * owns     arena
 * errors   unknown name (with suggestion), unknown keys; NULL
 */
const FigStyle *fig_style_read(const char *name, FigArena *arena, FigDiag *diag);

/* What a theme's YAML says. */
typedef struct FigTheme {
    const char *words; /* family of the words; NULL: as fonts come */
    FigColour palette[FIG_INKS];
    bool has_dark;
    FigColour dark[FIG_INKS]; /* where the reader prefers a dark page */
} FigTheme;

/* Read a theme's YAML.
 *
 * owns     arena
 * errors   unknown name (with suggestion), unknown keys, an ink without colour; false
 */
bool fig_theme_read(const char *name, FigTheme *theme, FigArena *arena, FigDiag *diag);

#endif
