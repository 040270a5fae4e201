/* SPDX-License-Identifier: MIT
 *
 * Specs to scenes, and scenes to what stands in them.
 */
#include "tests/layouts/figure.h"

/* ---- make ---- */

FigRecord *
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

FigScene *
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

FigFonts *
open_fonts(void)
{
    g_autoptr(GError) error = NULL;
    FigFonts *fonts = fig_fonts_new(&error);

    g_assert_no_error(error);
    return fonts;
}

/* ---- compare ---- */

/* Lines of a dump without what a renaming changes: ids in key="…". */
char *
geometry(const FigScene *scene)
{
    g_autofree char *dump = fig_scene_dump(scene);
    g_autoptr(GRegex) ids = g_regex_new(" [a-z_]+=\"[^\"]*\"", 0, 0, NULL);

    return g_regex_replace_literal(ids, dump, -1, 0, "", 0, NULL);
}

/* ---- rectangles ---- */

Rect
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

bool
meet(Rect a, Rect b, double slack)
{
    return a.left < b.right - slack && b.left < a.right - slack &&
           a.top < b.bottom - slack && b.top < a.bottom - slack;
}

bool
holds(Rect outer, Rect inner)
{
    return inner.left >= outer.left - 0.01 && inner.right <= outer.right + 0.01 &&
           inner.top >= outer.top - 0.01 && inner.bottom <= outer.bottom + 0.01;
}

Rect
grown(Rect r, double by)
{
    return (Rect){r.left - by, r.top - by, r.right + by, r.bottom + by};
}

bool
is_level(const Rect *piece)
{
    return piece->bottom - piece->top < 0.01;
}

/* Do two pieces run beside each other within 1 pt? */
bool
shared(const Rect *a, const Rect *b)
{
    if (is_level(a) != is_level(b))
        return false;
    if (is_level(a))
        return fabs(a->top - b->top) < 1 &&
               MIN(a->right, b->right) - MAX(a->left, b->left) > -0.5;
    return fabs(a->left - b->left) < 1 &&
           MIN(a->bottom, b->bottom) - MAX(a->top, b->top) > -0.5;
}

/* ---- read ---- */

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
                g_error("%s is slanted", edge->edge);
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
            g_error("%s is drawn twice", edge.edge);
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

Figure
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

void
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

const Mark *
mark_named(const Figure *figure, const char *id)
{
    guint at = GPOINTER_TO_UINT(g_hash_table_lookup(figure->mark_of, id));

    return at ? MARK(figure, at - 1) : NULL;
}

const Edge *
edge_named(const Figure *figure, const char *name)
{
    guint at = GPOINTER_TO_UINT(g_hash_table_lookup(figure->edge_of, name));

    return at ? EDGE(figure, at - 1) : NULL;
}
