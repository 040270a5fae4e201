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

/* What a rule finds wrong ends the test, unless somebody collects it. */
static GPtrArray *complaints;

static void G_GNUC_PRINTF(1, 2) complain(const char *format, ...)
{
    va_list args;
    char *text;

    va_start(args, format);
    text = g_strdup_vprintf(format, args);
    va_end(args);
    if (!complaints)
        g_error("%s", text);
    g_ptr_array_add(complaints, text);
}

/* ---- make ---- */

static G_GNUC_UNUSED FigRecord *
record_of(const char *name, const char *text, const FigLoadOptions *options)
{
    g_autoptr(FigDiag) diag = fig_diag_new();
    g_autoptr(FigArena) arena = fig_arena_new();
    g_autofree char *path = text ? NULL : fig_spec_find(name, diag);
    FigGraph *graph = text ? fig_spec_load_text(name, text, strlen(text), options, diag)
                           : fig_spec_load(path, options, diag);
    const FigSizes *probe = graph ? fig_run_probe(graph, arena, diag) : NULL;
    FigRecord *record = NULL;

    if (probe) {
        const FigRunOptions on_shapes = {.numeric = false};
        const FigRunOptions on_numbers = {
            .numeric = true, .type = FIG_F64, .naive = true, .sizes = probe};
        const char *const none[] = {NULL};
        g_autoptr(FigRun) shapes = fig_run_new(graph, &on_shapes, diag);
        g_autoptr(FigRun) executed = fig_run_new(graph, &on_numbers, diag);

        record = shapes && executed
                     ? fig_record_new(graph, shapes, executed, NULL, none)
                     : NULL;
    }
    if (!record) {
        g_autoptr(GString) out = g_string_new(NULL);

        fig_diag_print(diag, out, false);
        g_error("%s", out->str);
    }
    fig_graph_free(graph);
    return record;
}

static G_GNUC_UNUSED FigScene *
draw(const FigRecord *record, const FigLayoutOptions *options, FigFonts *fonts)
{
    g_autoptr(FigDiag) diag = fig_diag_new();
    FigScene *scene = fig_layout_place(record, options, fonts, diag);

    if (!scene) {
        g_autoptr(GString) out = g_string_new(NULL);

        fig_diag_print(diag, out, false);
        g_error("%s: %s", record->name, out->str);
    }
    return scene;
}

static FigFonts *
open_fonts(void)
{
    g_autoptr(GError) error = NULL;
    FigFonts *fonts = fig_fonts_new(&error);

    g_assert_no_error(error);
    return fonts;
}

/* ---- compare ---- */

/* Lines of a dump without what a renaming changes: ids in key="…". */
static G_GNUC_UNUSED char *
geometry(const FigScene *scene)
{
    g_autofree char *dump = fig_scene_dump(scene);
    g_autoptr(GRegex) ids = g_regex_new(" [a-z_]+=\"[^\"]*\"", 0, 0, NULL);

    return g_regex_replace_literal(ids, dump, -1, 0, "", 0, NULL);
}

/* ---- read ---- */

static Rect
bounds_of(const FigItem *item)
{
    Rect r = {item->x, item->y, item->x + item->width, item->y + item->height};

    if (item->kind == FIG_ITEM_PATH) {
        r = (Rect){INFINITY, INFINITY, -INFINITY, -INFINITY};
        for (int i = 0; i < item->path.n_points; i++) {
            r.left = MIN(r.left, item->path.points[i][0]);
            r.right = MAX(r.right, item->path.points[i][0]);
            r.top = MIN(r.top, item->path.points[i][1]);
            r.bottom = MAX(r.bottom, item->path.points[i][1]);
        }
    } else if (item->kind == FIG_ITEM_TEXT) {
        r = (Rect){item->text_x + item->text->ink_left,
                   item->text_y + item->text->ink_top,
                   item->text_x + item->text->ink_right,
                   item->text_y + item->text->ink_bottom};
    }
    return r;
}

static G_GNUC_UNUSED bool
meet(Rect a, Rect b, double slack)
{
    return a.left < b.right - slack && b.left < a.right - slack &&
           a.top < b.bottom - slack && b.top < a.bottom - slack;
}

static G_GNUC_UNUSED bool
holds(Rect outer, Rect inner)
{
    return inner.left >= outer.left - 0.01 && inner.right <= outer.right + 0.01 &&
           inner.top >= outer.top - 0.01 && inner.bottom <= outer.bottom + 0.01;
}

/* Take a line apart; every straight piece is upright or level. */
static void
read_line(Edge *edge)
{
    const FigPath *path = edge->line;
    double at[2] = {0, 0};

    edge->pieces = g_array_new(FALSE, FALSE, sizeof(Rect));
    edge->bends = g_array_new(FALSE, FALSE, sizeof(Rect));
    for (int v = 0, p = 0; v < path->n_verbs; v++) {
        const double *to;
        Rect r;

        p += path->verbs[v] == FIG_CURVE ? 3 : 1;
        to = path->points[p - 1];
        r = (Rect){MIN(at[0], to[0]), MIN(at[1], to[1]), MAX(at[0], to[0]),
                   MAX(at[1], to[1])};
        if (path->verbs[v] == FIG_LINE && hypot(to[0] - at[0], to[1] - at[1]) > 0.01) {
            if (r.right - r.left > 0.01 && r.bottom - r.top > 0.01)
                complain("%s is slanted", edge->edge);
            g_array_append_val(edge->pieces, r);
        } else if (path->verbs[v] == FIG_CURVE) {
            g_array_append_val(edge->bends, r);
        }
        memcpy(at, to, sizeof at);
    }
}

static void
collect(Figure *figure, const FigItem *item, const FigItem *owner)
{
    const char *id = item->means.op      ? item->means.op
                     : item->means.input ? item->means.input
                                         : item->means.output;

    if (id) {
        Mark mark = {id, item, bounds_of(item->first)};

        owner = item;
        g_assert_cmpstr(item->first->role, ==, "mark");
        g_array_append_val(figure->marks, mark);
        /* an op goes before an input and an input before an output of the same name */
        if (item->means.op || !g_hash_table_contains(figure->mark_of, id))
            g_hash_table_insert(figure->mark_of, (char *)id,
                                GUINT_TO_POINTER(figure->marks->len));
    }
    if (item->means.edge) {
        Edge edge = {.edge = item->means.edge,
                     .value = item->means.value,
                     .line = &item->first->path,
                     .bounds = bounds_of(item->first)};

        g_assert_cmpstr(item->first->role, ==, "line");
        g_assert_nonnull(item->first->next);
        g_assert_cmpstr(item->first->next->role, ==, "head");
        edge.head = &item->first->next->path;
        read_line(&edge);
        g_array_append_val(figure->edges, edge);
        if (g_hash_table_contains(figure->edge_of, edge.edge))
            complain("%s is drawn twice", edge.edge);
        g_hash_table_insert(figure->edge_of, (char *)edge.edge,
                            GUINT_TO_POINTER(figure->edges->len));
    }
    if (item->means.panel)
        g_array_append_vals(figure->panels,
                            (Panel[]){{item->means.panel, bounds_of(item->first)}}, 1);
    if (item->means.fork)
        g_array_append_vals(figure->dots,
                            (Dot[]){{item->means.fork, bounds_of(item->first)}}, 1);
    if (item->kind == FIG_ITEM_TEXT) {
        Text text = {item, owner, bounds_of(item)};

        g_array_append_val(figure->texts, text);
    }
    for (const FigItem *child = item->first; child; child = child->next)
        collect(figure, child, owner);
}

static G_GNUC_UNUSED Figure
read_figure(const FigScene *scene)
{
    Figure figure = {scene,
                     g_array_new(FALSE, FALSE, sizeof(Mark)),
                     g_array_new(FALSE, FALSE, sizeof(Edge)),
                     g_array_new(FALSE, FALSE, sizeof(Text)),
                     g_array_new(FALSE, FALSE, sizeof(Panel)),
                     g_array_new(FALSE, FALSE, sizeof(Dot)),
                     g_hash_table_new(g_str_hash, g_str_equal),
                     g_hash_table_new(g_str_hash, g_str_equal)};

    collect(&figure, scene->root, NULL);
    return figure;
}

static G_GNUC_UNUSED void
close_figure(Figure *figure)
{
    for (guint i = 0; i < figure->edges->len; i++) {
        g_array_unref(g_array_index(figure->edges, Edge, i).pieces);
        g_array_unref(g_array_index(figure->edges, Edge, i).bends);
    }
    g_array_unref(figure->marks);
    g_array_unref(figure->edges);
    g_array_unref(figure->texts);
    g_array_unref(figure->panels);
    g_array_unref(figure->dots);
    g_hash_table_unref(figure->mark_of);
    g_hash_table_unref(figure->edge_of);
}

#define MARK(f, i) (&g_array_index((f)->marks, Mark, i))
#define EDGE(f, i) (&g_array_index((f)->edges, Edge, i))
#define TEXT(f, i) (&g_array_index((f)->texts, Text, i))
#define PANEL(f, i) (&g_array_index((f)->panels, Panel, i))
#define DOT(f, i) (&g_array_index((f)->dots, Dot, i))
#define PIECE(e, i) (&g_array_index((e)->pieces, Rect, i))
#define BEND(e, i) (&g_array_index((e)->bends, Rect, i))

static G_GNUC_UNUSED const Mark *
mark_named(const Figure *figure, const char *id)
{
    guint at = GPOINTER_TO_UINT(g_hash_table_lookup(figure->mark_of, id));

    return at ? MARK(figure, at - 1) : NULL;
}

static G_GNUC_UNUSED const Edge *
edge_named(const Figure *figure, const char *name)
{
    guint at = GPOINTER_TO_UINT(g_hash_table_lookup(figure->edge_of, name));

    return at ? EDGE(figure, at - 1) : NULL;
}

#endif
