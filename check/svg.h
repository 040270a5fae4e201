/* SPDX-License-Identifier: MIT
 *
 * A figure as read from its SVG: what is drawn where, in document order. Positions are
 * absolute points, because nothing that moves things (transform, dx, nested svg) is read:
 * it is a foreign finding instead.
 */
#ifndef FIG_CHECK_SVG_H
#define FIG_CHECK_SVG_H

#include "check/figure.h"

/* The hints of an element: data-op, data-class, … in the order of FigMeaning. */
typedef enum FigHint {
    FIG_HINT_OP,
    FIG_HINT_CLASS,
    FIG_HINT_INPUT,
    FIG_HINT_OUTPUT,
    FIG_HINT_EDGE,
    FIG_HINT_VALUE,
    FIG_HINT_FORK,
    FIG_HINT_SHAPE,
    FIG_HINT_NAME,
    FIG_HINT_CLAIM,
    FIG_HINT_CALLOUT,
    FIG_HINT_NUMBER,
    FIG_HINT_PANEL,
    FIG_HINT_LEGEND,
    FIG_HINT_PART,
    FIG_HINTS,
} FigHint;

const char *fig_hint_name(FigHint hint); /* "data-op" */

typedef struct FigBounds {
    double left, top, right, bottom;
} FigBounds;

typedef struct FigSvgLook {
    const char *fill, *stroke;           /* "#rrggbb" or "none" */
    const char *dark_fill, *dark_stroke; /* … on a dark page; the same where none is */
    double stroke_width;
    const char *dash, *cap; /* "": solid; "butt" */
    const char *family;
    double size;
    int weight;
    bool italic;
} FigSvgLook;

/* Characters of one look at one place. */
typedef struct FigSvgSpan {
    const char *text;
    double x, y;
    bool placed; /* says its place; else it follows the span before */
    FigSvgLook look;
} FigSvgSpan;

typedef struct FigSvgItem FigSvgItem;
struct FigSvgItem {
    FigItemKind kind;
    int line;
    int order;                   /* of a leaf, in order of drawing */
    const char *hint[FIG_HINTS]; /* NULL where not given */
    FigSvgLook look;
    FigBounds bounds; /* of the geometry, without the stroke; of a text about */
    /* RECT */
    double radius;
    /* PATH */
    FigPath path;
    /* TEXT */
    int n_spans;
    const FigSvgSpan *spans;
    const char *text;  /* all characters, as a person would copy them */
    const char *title; /* GROUP */
    FigSvgItem *parent, *first, *last, *next;
};

struct FigSvg {
    FigArena *arena;
    const char *name;
    double width, height; /* points */
    FigSvgItem *root;
    const char *title, *description, *style;
    FigCarried carried;
    int n_leaves;
    bool dark;       /* its style gives colours for a dark page */
    int n_pieces;    /* of them: points of paths, spans of texts */
    GArray *foreign; /* FigFinding: what no writer of ours emits */
};

bool fig_svg_inked(const char *colour); /* not NULL, not "none" */
bool fig_svg_bordered(const FigSvgItem *item);

/* The hint of an item or of the nearest group around it; NULL: none. */
const char *fig_svg_hint(const FigSvgItem *item, FigHint hint);

/* Is the path, within tolerance, a circle: closed, of curves only, as wide as high? */
bool fig_svg_circle(const FigSvgItem *item);
bool fig_svg_closed(const FigSvgItem *item);

/* About how wide a text of that size is; no font is opened for it. */
double fig_svg_text_width(const char *text, double size);

#endif
