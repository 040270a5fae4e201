/* SPDX-License-Identifier: MIT
 *
 * What a figure says, by geometry and text alone: which shapes are marks of ops, which
 * lines run from where to where, which text belongs to what. The hints of the file
 * (data-*) are not looked at here; they are compared with this afterwards.
 */
#ifndef FIG_CHECK_FIGURE_SCAN_H
#define FIG_CHECK_FIGURE_SCAN_H

#include "check/svg.h"
#include "check/versions.h"

/* How far from a border a line may end and still end on it, points. */
#define FIG_TOUCH 0.75
/* How far from its edge a text may stand. */
#define FIG_BESIDE 6.0
/* How far above or below its row a number or name of a small mark may stand. */
#define FIG_ROW 5.0

/* How far from where it is drawn here a thing may stand, points: a digit of the last place;
 * what a few letters of another width move (measured: half a point), and less than from a
 * thing to the next. */
#define FIG_EXACT 0.02
#define FIG_NEAR 4.0

typedef enum FigSeenKind {
    FIG_SEEN_BOX,
    FIG_SEEN_CIRCLE,
    FIG_SEEN_FORK,
    FIG_SEEN_INPUT,
    FIG_SEEN_OUTPUT,
} FigSeenKind;

typedef struct FigSeenMark FigSeenMark;
typedef struct FigSeenEdge FigSeenEdge;
struct FigSeenMark {
    FigSeenKind kind;
    guint number;           /* in FigScan.marks */
    FigSeenMark *same_item; /* another that the item is, or NULL */
    FigSeenMark *same_op;   /* the next of the op, or NULL */
    const FigSvgItem *item; /* the outer border */
    FigBounds bounds;
    const FigSvgItem *step;  /* its number, or NULL */
    const FigRecordOp *op;   /* by the number; NULL: none */
    const char *value;       /* of an input or output */
    const FigSvgItem *label; /* or NULL */
    const char *sign;        /* drawn in a circle, once asked for */
    FigSeenEdge *edges;      /* that end here, in order of drawing; NULL: none */
};

struct FigSeenEdge {
    const FigSvgItem *line, *head; /* head may be NULL: into a fork */
    double start[2], tip[2];
    bool backwards;            /* the head points against the line */
    FigSeenMark *from, *to;    /* NULL: in empty space */
    FigSeenEdge *same_to;      /* the next that ends there, or NULL */
    const FigSeenEdge *along;  /* starts on that edge's line, or NULL */
    const char *value;         /* what it carries, NULL: not known */
    const FigRecordRead *read; /* that it stands for, or NULL */
};

/* What an item was found to be: nothing else may be left over. */
typedef enum FigRole {
    FIG_ROLE_UNKNOWN,
    FIG_ROLE_PAPER,
    FIG_ROLE_PANEL,
    FIG_ROLE_MARK,
    FIG_ROLE_DOT,
    FIG_ROLE_LINE,
    FIG_ROLE_HEAD,
    FIG_ROLE_OUTLINE, /* a radical or bar of a formula */
    FIG_ROLE_DECOR,   /* inside a mark or beside a text: corners, signs, ticks, bars */
    FIG_ROLE_STEP,
    FIG_ROLE_LABEL,
    FIG_ROLE_SHAPE,
    FIG_ROLE_NAME,
    FIG_ROLE_TERMINAL,
    FIG_ROLE_WORDS, /* title, dims, legend, claims, notes, footer */
} FigRole;

struct FigTruth {
    const FigRecord *record;
    const FigScene *scene; /* NULL: none */
    GString *text;         /* scene, as our own writer writes it; NULL: none */
    FigSvg *drawing;       /* text, as our own reader reads it; NULL: none */
    GPtrArray *leaves;     /* of drawing, in order */
    char *digest;          /* of record */
    FigNumberText number;  /* may be NULL */
    void *data;            /* … for it */
    GHashTable *numbers;   /* expression to text, as asked for so far */
    GHashTable *plain;     /* label to Unicode, as asked for so far */
};

/* The text of a computed number, NULL where there is none. owns: truth */
const char *fig_truth_number(FigTruth *truth, const char *expr);

/* A label as Unicode; … the math of one, without its dollars. owns: truth */
const char *fig_truth_plain(FigTruth *truth, const char *label);
const char *fig_truth_math(FigTruth *truth, const char *math);

typedef struct FigScan {
    const FigSvg *svg;
    FigTruth *truth;
    const FigRecord *record;
    FigFigureReport *report;
    GArray *findings;  /* FigFinding */
    GPtrArray *leaves; /* const FigSvgItem, in order of drawing */
    FigSeenMark *
        *holder;       /* [leaves]: the box or circle that a text stands in, or NULL */
    char **folded;     /* [leaves]: see fig_scan_folded */
    FigRole *role;     /* [leaves], by FigSvgItem.order */
    GPtrArray *marks;  /* FigSeenMark */
    GPtrArray *edges;  /* FigSeenEdge */
    GPtrArray *panels; /* const FigSvgItem */
    GPtrArray *terminals;     /* FigSeenMark: inputs and outputs */
    struct FigPlaces *places; /* of leaves, of lines in pieces */
    GArray *order_of;         /* [places] int: of the leaf */
    FigSeenMark **mark_of;    /* [leaves] that they are; NULL: none */
    FigSeenEdge **edge_of;    /* [leaves] … whose line */
    FigSeenMark **op_mark;    /* [ops] its first, NULL: none */
    FigSeenMark **output;     /* [values] its mark as an output, NULL: none */
    GHashTable *signs;        /* how many circles by their signs; NULL: not asked for */
    int n_circles;            /* … in all */
    GHashTable *words;        /* folded, to GPtrArray of texts; NULL: not made yet */
    double widest;            /* of texts, as far as that is known */
    bool hinted;              /* the file has data-* */
    FigVersions versions;     /* that drew it, against those here */
    double slack;             /* of places against the fresh drawing, points */
    const char *paper;        /* what a page without paper lies on; NULL: white */
} FigScan;

/* What meets or touches an area: things, in order of drawing; the marks of those, in that of
 * scan->marks; the edges of lines.
 *
 * owns     the caller
 */
GPtrArray *fig_scan_around(const FigScan *scan, FigBounds area);
GPtrArray *fig_scan_marks_around(const FigScan *scan, FigBounds area);
GPtrArray *fig_scan_edges_around(const FigScan *scan, FigBounds area);

/* Things within so many points of an item; of a line, of one of its pieces. owns: the caller */
GPtrArray *fig_scan_around_item(const FigScan *scan, const FigSvgItem *item, double by);

/* Enter the leaves for that: figure-around.c. */
void fig_scan_place(FigScan *scan);

/* What is drawn in a group, in order: rectangles, paths and texts. */
void fig_svg_leaves(const FigSvgItem *group, GPtrArray *leaves);

/* Find the marks of a figure; its edges are found by fig_find_edges.
 *
 * owns     the caller; free with fig_scan_free; marks and edges live in report's arena
 */
FigScan *fig_scan_new(const FigSvg *svg, FigTruth *truth, FigFigureReport *report);
void fig_scan_free(FigScan *scan);

/* Give their role to the radicals, bars and superior figures of formulas: figure-formula.c. */
void fig_find_outlines(FigScan *scan);

/* How many superior figures of a text (⁵) are typed without ink, and so drawn after it. */
int fig_scan_superior(const FigSvgItem *text);

/* A hint in words for a finding: data-op="x", or "no data-op" where there is none. owns:
 * the caller */
char *fig_hint_words(FigHint hint, const char *value);

/* Add a finding; line 0: none. Takes says and did. */
void fig_scan_finding(FigScan *scan, const char *kind, int line, char *says, char *did);

/* A mark in words for a finding: "‘scores’", "input ‘z’". owns: report's arena */
const char *fig_seen_words(FigScan *scan, const FigSeenMark *mark);

/* The only mark of an op, or NULL. owns: scan */
FigSeenMark *fig_scan_mark(FigScan *scan, const FigRecordOp *op);

/* The characters of a text without white space, as fig_fold gives them. owns: scan */
const char *fig_scan_folded(FigScan *scan, const FigSvgItem *text);

/* The gap between a text and bounds on its row, or infinity when they are on different
 * rows or something stands between. */
double fig_row_gap(const FigScan *scan, const FigSvgItem *text, FigBounds b,
                   double slack);

/* Where what stands on the row of something, or whose row it stands on, lies. */
FigBounds fig_row_around(FigBounds b);

/* The texts of these words, in order of drawing; NULL: none. owns: scan */
const GPtrArray *fig_scan_texts(FigScan *scan, const char *words);

/* To whom a text may belong: a mark that holds it, the nearest mark on whose row it lies
 * with nothing between, the nearest edge within FIG_BESIDE.
 *
 * gap      NULL, or set to how far the edge is: infinity where there is none
 * owns     scan; NULL: nobody
 */
FigSeenMark *fig_scan_holder(const FigScan *scan, const FigSvgItem *text);
FigSeenMark *fig_scan_row(FigScan *scan, const FigSvgItem *text, double slack);
FigSeenEdge *fig_scan_beside(FigScan *scan, const FigSvgItem *text, double *gap);

/* ---- the parts of the proof, each a file ---- */

void fig_prove_marks(FigScan *scan); /* figure-marks.c */
void fig_find_edges(FigScan *scan);  /* figure-edges.c */
void fig_prove_edges(FigScan *scan);
void fig_prove_texts(FigScan *scan);
void fig_prove_classes(FigScan *scan); /* figure-classes.c */
void fig_prove_panels(FigScan *scan);  /* figure-panels.c */
/* … the cells in the title of a repeat; false: there are none. title: of what stands before */
bool fig_prove_strip(FigScan *scan, const FigRecordGroup *group,
                     const FigSvgItem *panel, const FigSvgItem *title);
void fig_prove_claims(FigScan *scan);
void fig_prove_ink(FigScan *scan);
void fig_prove_fresh(FigScan *scan); /* figure-fresh.c */
/* … of it, what has no place: name, description, names of groups, style sheet */
void fig_prove_said(FigScan *scan);
void fig_prove_words(FigScan *scan); /* figure-words.c */
/* … and what is read together, in its order: figure-reading.c */
void fig_prove_reading(FigScan *scan);
bool fig_version_in_footer(const FigScan *scan);
/* Are most texts, where they say it, as wide as in the fresh drawing? */
bool fig_letters_as_wide(const FigScan *scan);

/* What an item is, for a finding: with its text or with what its group stands for.
 *
 * owns     the caller
 */
char *fig_item_words(const FigSvgItem *item);

/* ---- geometry ---- */

double fig_distance_point_segment(double x, double y, const double a[2],
                                  const double b[2]);
/* From a point to the line of a path (curves as 8 chords). */
double fig_distance_path(double x, double y, const FigPath *path);
/* The point of a cubic curve at t of 0 … 1. */
void fig_curve_at(const double p[4][2], double t, double point[2]);
/* Does the fill of a path hold a point? */
bool fig_inside_path(double x, double y, const FigPath *path);
/* From a point to the border of a mark; inside a fork or a terminal it is 0. */
double fig_distance_mark(double x, double y, const FigSeenMark *mark);
bool fig_bounds_hold(FigBounds outer, FigBounds inner, double tolerance);
bool fig_bounds_meet(FigBounds a, FigBounds b);
FigBounds fig_bounds_grow(FigBounds b, double by);
FigBounds fig_bounds_point(double x, double y);
/* Text with white space folded: how labels are compared. owns: the caller */
char *fig_fold(const char *text);
bool fig_same_words(const char *a, const char *b);
/* Count one more of a key. Takes the key. */
void fig_count(GHashTable *count, char *key);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(FigScan, fig_scan_free)

#endif
