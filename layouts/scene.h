/* SPDX-License-Identifier: MIT
 *
 * The waist: a page and a tree of marks in absolute points (1/72 in, y down), each with
 * what it stands for. All formats are written from this, so they cannot disagree. No
 * colours: an item names an ink, the scene carries the palette.
 */
#ifndef FIG_LAYOUTS_SCENE_H
#define FIG_LAYOUTS_SCENE_H

#include "base/arena.h"
#include "text/text.h"

/* What a theme colours. Inks of classes come in fours, in the order of FigClass. */
typedef enum FigInk {
    FIG_INK_NONE,
    FIG_INK_PAPER,
    FIG_INK_TEXT,
    FIG_INK_MUTED, /* shapes, secondary words; contrast ≥ 4.5 all the same */
    FIG_INK_EDGE,
    FIG_INK_RAIL,
    FIG_INK_PANEL_FILL,
    FIG_INK_PANEL_BORDER,
    FIG_INK_RULE,   /* thin separators */
    FIG_INK_ACCENT, /* callouts */
    FIG_INK_DRAFT,
    FIG_INK_DRAFT_PALE, /* of the word across the page: mixed of draft and paper */
    FIG_INK_CLASS_FILL, /* + class */
    FIG_INK_CLASS_BORDER = FIG_INK_CLASS_FILL + 4, /* + class */
    FIG_INKS = FIG_INK_CLASS_BORDER + 4,
} FigInk;

/* The key of an ink in a theme's YAML and in dumps: "text", "norm_border". */
const char *fig_ink_name(FigInk ink);

/* What an item stands for, and so which data-* attribute its group carries. At most one
 * of a group's fields besides class and value is set; all NULL: nothing but a picture. */
typedef struct FigMeaning {
    const char *op;     /* a mark: data-op="ID" */
    const char *class_; /* … data-class */
    const char *input;  /* the mark of an input: data-input="ID" */
    const char *output; /* the mark of an output: data-output="ID" (the value) */
    /* data-edge="FROM TO.PORT"; to an output mark: "FROM output.VALUE" */
    const char *edge;
    const char *value;   /* … data-value */
    const char *fork;    /* dots where one value forks: data-fork="VALUE" */
    const char *shape;   /* a shape text: data-shape="VALUE" */
    const char *name;    /* the printed name of a value: data-name="VALUE" */
    const char *claim;   /* data-claim="ID" */
    const char *callout; /* a claim's sentence beside its op: data-callout="ID" */
    const char *number;  /* a computed number: data-number="EXPR" (on one text) */
    const char *panel;   /* a group of ops: data-panel="ID" */
    const char *legend;  /* a row of the legend: data-legend="CLASS" */
    const char *part;    /* title, subtitle, dims, notes, footer: data-part="…" */
} FigMeaning;

typedef enum FigItemKind {
    FIG_ITEM_GROUP,
    FIG_ITEM_RECT,
    FIG_ITEM_PATH,
    FIG_ITEM_TEXT,
} FigItemKind;

typedef struct FigItem FigItem;
struct FigItem {
    FigItemKind kind;
    const char *role; /* "mark", "label", "step", "corner", "line", "head", "rail",
                           "shape", "name", "panel", "tick", …: for people and tests */
    FigMeaning means; /* groups, and single texts with a number or shape */
    FigInk fill, stroke;
    double stroke_width; /* points */
    int n_dash;          /* 0: solid */
    double dash[4];
    /* RECT */
    double x, y, width, height, radius;
    /* PATH: absolute points; FIG_ITEM_PATH only */
    FigPath path;
    bool round_caps;
    /* TEXT: origin of the baseline */
    double text_x, text_y;
    const FigTextBox *text;
    const char *title; /* GROUP: what assistive technology reads, or NULL */
    /* GROUP */
    FigItem *first, *last;
    FigItem *next; /* sibling, drawn later */
};

typedef struct FigColour {
    uint8_t r, g, b;
} FigColour;

/* How an SVG holds its text. */
typedef enum FigTextMode {
    FIG_TEXT_LIVE,    /* as text, in fonts by name */
    FIG_TEXT_OUTLINE, /* as shapes: the same picture everywhere */
    FIG_TEXT_EMBED,   /* as text, with its fonts inside */
} FigTextMode;

typedef struct FigScene {
    FigArena *arena;
    double width, height; /* of the page */
    FigItem *root;        /* a group; drawn in order */
    FigColour palette[FIG_INKS];
    bool has_dark; /* --theme auto */
    FigColour dark[FIG_INKS];
    bool transparent; /* no paper */
    FigTextMode text_mode;
    /* for metadata */
    const char *id;          /* prefix of ids: the spec's name */
    const char *title;       /* plain text */
    const char *description; /* plain text: the block in words, in reading order */
    const char *author;      /* may be NULL */
    const char *keywords;    /* may be NULL */
    const char *spec_text;   /* carried by the file */
    const char *options;     /* options of draw that shaped it, as one line; "" */
    const char *digest;      /* of the record, hex */
    const char *version;
    const char *fonts; /* fig_fonts_word; NULL: not known */
} FigScene;

/* owns     the caller; free with fig_scene_free */
FigScene *fig_scene_new(void);
void fig_scene_free(FigScene *scene);

/* Append an item to a group (the root when NULL) and return it, to be filled.
 *
 * units    points
 * owns     the scene
 */
FigItem *fig_scene_group(FigScene *scene, FigItem *parent, const char *role);
FigItem *fig_scene_rect(FigScene *scene, FigItem *parent, const char *role, double x,
                        double y, double width, double height, double radius);
FigItem *fig_scene_path(FigScene *scene, FigItem *parent, const char *role,
                        FigPath path);
FigItem *fig_scene_text(FigScene *scene, FigItem *parent, const char *role,
                        const FigTextBox *text, double x, double baseline, FigInk ink);

/* Build a path point by point; fig_path_end gives it, in the scene's arena. */
typedef struct FigPathBuilder FigPathBuilder;
FigPathBuilder *fig_path_begin(FigScene *scene);
void fig_path_move(FigPathBuilder *path, double x, double y);
void fig_path_line(FigPathBuilder *path, double x, double y);
void fig_path_curve(FigPathBuilder *path, double x1, double y1, double x2, double y2,
                    double x, double y);
void fig_path_close(FigPathBuilder *path);
/* A circle as four curves. */
void fig_path_circle(FigPathBuilder *path, double x, double y, double radius);
FigPath fig_path_end(FigPathBuilder *path);

/* The scene as text, an item a line, two decimals: what layout tests compare.
 *
 * owns     the caller
 */
char *fig_scene_dump(const FigScene *scene);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(FigScene, fig_scene_free)

#endif
