/* SPDX-License-Identifier: MIT
 *
 * A figure as tests see it: a spec made into a record, drawn, and the scene read back as
 * marks, edges, texts and panels.
 */
#ifndef FIG_TESTS_LAYOUTS_FIGURE_H
#define FIG_TESTS_LAYOUTS_FIGURE_H

#include "exec/record.h"
#include "exec/recorder.h"
#include "layouts/layout.h"
#include "spec/load.h"

#include <math.h>
#include <string.h>

typedef struct Rect {
    double left, top, right, bottom;
} Rect;

typedef struct Mark {
    const char *id; /* op, input or output */
    const FigItem *group;
    Rect shape; /* the outermost of its rectangles and circles */
} Mark;

typedef struct Edge {
    const char *edge, *value;
    const FigPath *line, *head;
    Rect bounds;
    GArray *pieces; /* Rect without area: its straight pieces */
    GArray *bends;  /* Rect: around its curves */
} Edge;

typedef struct Dot {
    const char *value;
    Rect shape;
} Dot;

typedef struct Panel {
    const char *group;
    Rect shape;
} Panel;

typedef struct Text {
    const FigItem *item;
    const FigItem *owner; /* the group of the mark that holds it, or NULL */
    Rect ink;
} Text;

typedef struct Figure {
    const FigScene *scene;
    GArray *marks, *edges, *texts, *panels; /* Mark, Edge, Text, Panel */
    GArray *dots;                           /* Dot: where one value forks */
    GHashTable *mark_of, *edge_of;          /* id -> index + 1 */
} Figure;

/* The record of a spec: by name, or of that name with this text.
 *
 * owns     the caller, as all that is made here
 */
FigRecord *record_of(const char *name, const char *text, const FigLoadOptions *options);
FigScene *draw(const FigRecord *record, const FigLayoutOptions *options,
               FigFonts *fonts);
FigFonts *open_fonts(void);

/* Lines of a dump without what a renaming changes: ids in key="…". */
char *geometry(const FigScene *scene);

Rect bounds_of(const FigItem *item);
bool meet(Rect a, Rect b, double slack); /* they share more than slack */
bool holds(Rect outer, Rect inner);
Rect grown(Rect r, double by);
bool is_level(const Rect *piece);
/* Do two pieces run beside each other within 1 pt? */
bool shared(const Rect *a, const Rect *b);
/* Does the end of one piece lie on the other: a crossing that is none? */
bool touches(const Rect *a, const Rect *b);

/* Take a scene apart, which has to live as long; every straight piece of a line is upright
 * or level. Free with close_figure. */
Figure read_figure(const FigScene *scene);
void close_figure(Figure *figure);
const Mark *mark_named(const Figure *figure, const char *id);
const Edge *edge_named(const Figure *figure, const char *name);

#define MARK(f, i) (&g_array_index((f)->marks, Mark, i))
#define EDGE(f, i) (&g_array_index((f)->edges, Edge, i))
#define TEXT(f, i) (&g_array_index((f)->texts, Text, i))
#define PANEL(f, i) (&g_array_index((f)->panels, Panel, i))
#define DOT(f, i) (&g_array_index((f)->dots, Dot, i))
#define PIECE(e, i) (&g_array_index((e)->pieces, Rect, i))
#define BEND(e, i) (&g_array_index((e)->bends, Rect, i))

#endif
