/* SPDX-License-Identifier: MIT
 *
 * The plan: a record on its way to a scene. Ops stand in *boxes* (the page, each group,
 * each stretch between two residual adds), boxes nest, and every box is laid out by
 * itself: a value that crosses its border does so at a source on its top or a sink on its
 * bottom or right side, and the parent sees the box as one node. So the code below knows
 * three arrangements only:
 *
 *   layered  rows from the graph, lanes kept straight, edges in channels between rows
 *   stack    segments one under the other beside a rail that carries the residual stream
 *   loop     one box, and around it the way of what it hands on to itself
 *
 * The stages, each a file:
 *
 *   structure.c  ops → boxes
 *   rail.c       residual adds → rails and segments
 *   nets.c       values → nets of each box
 *   rank.c       rows
 *   sweep.c      the order inside each
 *   order.c      the main line, and what enters by a side
 *   align.c      what goes straight down
 *   place.c      lanes and x
 *   space.c      places that keep their distance, and go where they are pulled
 *   widths.c     marks that are made as wide as others
 *   ports.c      where edges leave and enter marks
 *   channel.c    tracks between two rows
 *   route.c      rows and y, the way of every edge in its box
 *   stack.c      the same for a stack
 *   loop.c       the same for the frame of a repeat
 *   words.c      strings as set text
 *   measure.c    what stands in each mark, and how large it is
 *   beside.c     constants beside marks
 *   callouts.c   sentences beside marks
 *   overrides.c  what a layout file asks for
 *   press.c      what gives way where the page is narrow
 *   ground.c     what has been drawn, and where there is room (grid.c: by cells)
 *   draw.c, edges.c, notes.c, leader.c, strip.c, frame.c, legend.c, …  the plan as marks of
 *                a scene
 *
 * Here are the parts of a plan, and its making from ops to nets. What arranges it is in
 * layouts/arrange.h, what sets its texts in layouts/texts.h, what draws it in layouts/draw.h.
 *
 * Lengths are points. A box has its own coordinates (x from its main line, y from its
 * top) until fig_plan_settle gives it its place on the page. The plan owns all that is
 * in it and all that these functions return.
 */
#ifndef FIG_LAYOUTS_PLAN_H
#define FIG_LAYOUTS_PLAN_H

#include "layouts/layout.h"
#include "layouts/style.h"

#include <math.h>

typedef struct FigPlan FigPlan;
typedef struct FigBox FigBox;
typedef struct FigNode FigNode;
typedef struct FigNet FigNet;
typedef struct FigPin FigPin;
typedef struct FigHop FigHop;
typedef struct FigStretch FigStretch;

typedef enum FigNodeKind {
    FIG_NODE_OP,
    FIG_NODE_BOX,
    FIG_NODE_INPUT,
    FIG_NODE_OUTPUT,
    FIG_NODE_SOURCE, /* where a value enters the box */
    FIG_NODE_SINK,   /* where it leaves */
    FIG_NODE_DUMMY,  /* where a net passes rows */
    FIG_NODE_STUB,   /* where a net turns towards the side of its reader */
} FigNodeKind;

typedef enum FigSide {
    FIG_SIDE_TOP,
    FIG_SIDE_LEFT,
    FIG_SIDE_RIGHT,
    FIG_SIDE_BOTTOM,
} FigSide;

/* A point of a way. */
typedef struct FigPoint {
    double x, y;
} FigPoint;

/* One reader of a net inside a box. */
struct FigPin {
    FigNet *net;
    FigNode *to;
    int port;     /* OP: index of the read; BOX: of the source; else 0 */
    FigSide side; /* where it enters `to` */
    GArray *way;  /* FigPoint, from the border of net->from to the border of `to` */
};

/* One value inside one box: from one node to all that read it there. */
struct FigNet {
    int index;
    const char *value;
    FigNode *from;
    int port; /* OP: index of the write; BOX: of the sink; else 0 */
    GPtrArray *pins;
    bool rail;     /* its value is the residual stream of this box */
    bool back;     /* it brings what the pass before left, and is no main line */
    int home;      /* in a stack: the channel where it can first be had */
    double lane_x; /* … and where it passes segments */
};

/* The part of a net between two neighbouring rows. */
struct FigHop {
    FigNet *net;
    FigNode *a, *b;
    FigPin *pin;     /* NULL when b is a dummy */
    bool straight;   /* both ends are of one lane */
    double ax, bx;   /* where it leaves a and enters b, from their middles */
    FigSide leaves;  /* bottom; a fork's branches also left and right */
    FigStretch *run; /* of its channel; NULL: at the height of a fork */
};

/* A net in the channel between two rows: it comes down at one place, runs level on a
 * track, and goes on at others. */
struct FigStretch {
    const FigNet *net;
    double from;
    bool comes_down; /* else it comes from the side */
    GArray *to;      /* double */
    int level;       /* those of a lower one lie above */
    double reach;    /* its upper track runs at least that far */
    double low, high;
    int track;       /* from the top; -1: straight */
    int jog;         /* the track it goes on, or -1 */
    double jog_x;    /* where it changes tracks */
    double y, jog_y; /* of its tracks, in a stack */
};

struct FigNode {
    FigNodeKind kind;
    int index; /* in its box, stable: by execution order */
    FigBox *in;
    const FigRecordOp *op;
    FigBox *box;
    const char *value; /* all but OP and BOX */
    FigNet *net;       /* SOURCE, SINK, DUMMY, STUB: of the value */
    GPtrArray *reads;  /* FigPin that enter it */
    GPtrArray *writes; /* FigNet that leave it */
    bool on_rail;      /* an add on the rail, or the rail's input or output */
    bool side;         /* SINK: leaves by the right side of the box if it can */
    bool took_side;    /* … and does */

    int rank;
    int last;    /* the last of the rows it stands in; but for DUMMY its rank */
    int order;   /* in the first of them */
    int *places; /* DUMMY: in each of them */
    int branch;  /* index of the node at which its branch parts */
    bool main;   /* on the main line of its box */
    int lane;
    double lane_x;        /* from the lane's x */
    GPtrArray *up, *down; /* FigHop */

    double width, height;
    double left, right; /* room beside its middle, with what stands beside it */
    double note_left,
        note_right;        /* room beside an edge over or under it, for its texts */
    double callout_height; /* of the callout beside it, or 0 */
    double x, y;           /* of its middle, in the box */
    double low_y;          /* … in the last of its rows */
    bool hollow;           /* takes no room in its row (a source, a dummy) */
};

struct FigBox {
    bool stack;
    bool loop;                   /* the frame of a repeat: holds one box, its body */
    bool panel;                  /* has a frame */
    const FigRecordGroup *group; /* NULL: the page or a segment */
    int part;                    /* 0; more for a group drawn in several panels */
    FigBox *parent;
    FigNode *node; /* in the parent */
    int depth;
    double main_width;          /* of the page's main lines when it was placed; 0: it
                                   has no box that takes it */
    int pressed;                /* steps by which its contents give way, see press.c */
    GPtrArray *nodes;           /* FigNode */
    GPtrArray *nets;            /* FigNet, by first use */
    GHashTable *net_of;         /* value -> FigNet */
    GPtrArray *sources, *sinks; /* FigNode */

    /* layered */
    int n_ranks;
    GPtrArray **rank;    /* [n_ranks] FigNode in order */
    GPtrArray **channel; /* [n_ranks] FigStretch, under each row */
    int *tracks;         /* [n_ranks] */
    double *row_y;       /* [n_ranks] middle */
    double *row_height;
    double *more; /* [n_ranks] room under each row beyond the usual, for texts */

    /* stack */
    GPtrArray *segments; /* FigNode of kind BOX: before, between and after the adds */
    GPtrArray *adds;     /* FigNode; adds[i] ends segment i + has_head */
    bool has_head;       /* segments[0] comes before the rail begins */
    const char *rail_value; /* the value the rail begins with */
    bool stream; /* it carries the residual stream of the page, not that of a branch */
    bool rail_left; /* the rail stands left of the segments, lanes right of them */
    double rail_x;
    double rail_room; /* from the rail to the right end */
    int lanes;        /* left of the segments, for values that pass them */

    double left, right; /* extent of its inside, from its main line */
    double height;
    double pad_top; /* room for its title */
    double title_x;
    double x0, y0; /* of its coordinates, on the page */
};

/* What is printed of a value, and where. */
typedef struct FigNote {
    const FigRecordValue *value;
    const FigTextBox *name;  /* or NULL */
    const FigTextBox *shape; /* or NULL */
    double left,
        right;      /* room beside the edge: its name stands left, its shape right */
    bool at_reader; /* its writer is a fork: printed at the branch */
} FigNote;

/* What is printed in and beside one mark. */
typedef struct FigMarkText {
    const FigTextBox *label, *step;
    const FigTextBox *whole;     /* the label in one line */
    const FigTextBox *broken[2]; /* … in two, once that was tried */
    bool tried;
    const FigTextBox *second; /* line of the label, or NULL */
    double line_gap;          /* between their baselines */
    const FigTextBox *beside_name,
        *beside; /* an attribute worth showing: "θ =", "5·10⁵" */
    const char *beside_expr;
    bool beside_hidden; /* another mark of the row says it */
    bool beside_away;   /* it is said over the drawing */
    FigSide beside_side;
    double beside_room;
    const FigRecordClaim *callout; /* the claim whose sentence stands beside it */
    const FigRecordClaim *accent;  /* another claim that is about it too, or NULL */
    bool accented;                 /* a bar without words stands beside it */
    FigItem *bar_group;            /* … drawn in it, or NULL */
    const FigRecordClaim *said; /* whose words stand beside it or are led to, or NULL */
    int n_lines;
    const FigTextBox *const *lines; /* of the callout */
    FigSide callout_side;
    double callout_height;
    bool circle, fork, corner;
    bool bar;     /* a fork whose branches leave by ports under it */
    double width; /* of its mark, when fig_plan_widths_changed was asked */
} FigMarkText;

struct FigPlan {
    FigArena *arena;
    const FigRecord *record;
    FigFonts *fonts;
    FigDiag *diag;
    const FigStyle *style;
    FigScene *scene;
    FigBox *root;
    const char *version;   /* that the footer names */
    double width;          /* of the page */
    double main_width;     /* of boxes on main lines */
    double step_width;     /* of the widest step number */
    int round;             /* of drawing: once more when texts found no room */
    bool cramped;          /* some did not, and rows have been moved apart */
    bool restless;         /* something has changed that boxes inside rest on */
    GHashTable *writer;    /* value -> FigNode of the op or input that gives it */
    GHashTable *node_of;   /* op id -> FigNode */
    GHashTable *output_of; /* value -> FigNode */
    GHashTable *note_of;   /* value -> FigNote */
    GHashTable *value_of;  /* value -> FigRecordValue */
    GHashTable *group_of;  /* group -> FigRecordGroup */
    GHashTable *ops_of;    /* group -> GPtrArray of FigRecordOp, in and under it */
    GPtrArray *order;   /* FigRecordOp, so that no op comes before what it reads, in an
                              order that follows from outputs and operands alone */
    FigMarkText *marks; /* [n_ops], by index of the op */
    GPtrArray *garbage; /* arrays and tables to free */
};

/* ---- structure.c ---- */

/* Put every op, input and output into boxes. */
void fig_plan_structure(FigPlan *plan);

/* Make an empty box inside parent (NULL: the page).
 *
 * owns     plan
 */
FigBox *fig_plan_box(FigPlan *plan, FigBox *parent);

/* Make a node at the end of a box.
 *
 * owns     plan
 */
FigNode *fig_plan_node(FigPlan *plan, FigBox *box, FigNodeKind kind);

int fig_plan_op_index(const FigPlan *plan, const FigRecordOp *op);
int fig_plan_writer_index(const FigPlan *plan, const char *value); /* -1: no op */
/* owns     the record */
const FigRecordValue *fig_plan_value(const FigPlan *plan, const char *id);
/* Does a read need an edge (it is no weight)? */
bool fig_plan_is_edge(const FigRecordRead *read);

/* Make an empty list, or a table by string.
 *
 * owns     plan
 */
GPtrArray *fig_plan_list(FigPlan *plan);
/* owns     plan */
GHashTable *fig_plan_table(FigPlan *plan);

/* Sort a list; one of none or one item is left alone. */
void fig_plan_sort(GPtrArray *list, GCompareFunc compare);

/* Does it need one, and is what it reads written before, not left by a pass before? */
bool fig_plan_is_forward(const FigRecordRead *read);

/* ---- rail.c ---- */

/* Find residual adds in every box, and cut those that have a rail into segments. */
void fig_plan_rails(FigPlan *plan);

/* ---- nets.c ---- */

/* Give every box a net for each value that is read in it. */
void fig_plan_nets(FigPlan *plan);

/* The net of a value in a box, or NULL.
 *
 * owns     plan
 */
FigNet *fig_box_net(const FigBox *box, const char *value);

/* The pin of a net at a node, or NULL.
 *
 * owns     plan
 */
FigPin *fig_net_pin(const FigNet *net, const FigNode *to, int port);

/* The point that lies so far on the way from a towards b. */
static inline FigPoint
fig_point_towards(FigPoint a, FigPoint b, double distance)
{
    double all = hypot(b.x - a.x, b.y - a.y);

    if (all < 1e-9)
        return a;
    return (FigPoint){a.x + (b.x - a.x) * distance / all,
                      a.y + (b.y - a.y) * distance / all};
}

/* The middle of a node on the page. */
static inline FigPoint
fig_node_middle(const FigNode *node)
{
    return (FigPoint){node->in->x0 + node->x, node->in->y0 + node->y};
}

#endif
