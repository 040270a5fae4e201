/* SPDX-License-Identifier: MIT
 *
 * The rules that make a figure unambiguous, held against a scene and the record it was
 * drawn from, by geometry alone. Written apart from the code that draws: nothing of
 * layouts/ but the scene is known here.
 */
#ifndef FIG_TESTS_LAYOUTS_RULES_H
#define FIG_TESTS_LAYOUTS_RULES_H

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
} Edge;

typedef struct Text {
    const FigItem *item;
    const FigItem *owner; /* the group of the mark that holds it, or NULL */
    Rect ink;
} Text;

typedef struct Figure {
    const FigScene *scene;
    GArray *marks, *edges, *texts, *panels; /* Mark, Edge, Text, Rect */
} Figure;

/* ---- make ---- */

static FigRecord *
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

static FigScene *
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

static bool
meet(Rect a, Rect b, double slack)
{
    return a.left < b.right - slack && b.left < a.right - slack &&
           a.top < b.bottom - slack && b.top < a.bottom - slack;
}

static bool
holds(Rect outer, Rect inner)
{
    return inner.left >= outer.left - 0.01 && inner.right <= outer.right + 0.01 &&
           inner.top >= outer.top - 0.01 && inner.bottom <= outer.bottom + 0.01;
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
    }
    if (item->means.edge) {
        Edge edge = {item->means.edge, item->means.value, &item->first->path, NULL};

        g_assert_cmpstr(item->first->role, ==, "line");
        g_assert_nonnull(item->first->next);
        g_assert_cmpstr(item->first->next->role, ==, "head");
        edge.head = &item->first->next->path;
        g_array_append_val(figure->edges, edge);
    }
    if (item->means.panel)
        g_array_append_vals(figure->panels, (Rect[]){bounds_of(item->first)}, 1);
    if (item->kind == FIG_ITEM_TEXT) {
        Text text = {item, owner, bounds_of(item)};

        g_array_append_val(figure->texts, text);
    }
    for (const FigItem *child = item->first; child; child = child->next)
        collect(figure, child, owner);
}

static Figure
read_figure(const FigScene *scene)
{
    Figure figure = {scene, g_array_new(FALSE, FALSE, sizeof(Mark)),
                     g_array_new(FALSE, FALSE, sizeof(Edge)),
                     g_array_new(FALSE, FALSE, sizeof(Text)),
                     g_array_new(FALSE, FALSE, sizeof(Rect))};

    collect(&figure, scene->root, NULL);
    return figure;
}

static void
close_figure(Figure *figure)
{
    g_array_unref(figure->marks);
    g_array_unref(figure->edges);
    g_array_unref(figure->texts);
    g_array_unref(figure->panels);
}

#define MARK(f, i) (&g_array_index((f)->marks, Mark, i))
#define EDGE(f, i) (&g_array_index((f)->edges, Edge, i))
#define TEXT(f, i) (&g_array_index((f)->texts, Text, i))

static const Mark *
mark_named(const Figure *figure, const char *id)
{
    const Mark *found = NULL;

    for (guint i = 0; i < figure->marks->len; i++)
        if (!strcmp(MARK(figure, i)->id, id)) {
            found = MARK(figure, i);
            if (found->group->means.op)
                break; /* an op may share its id with the input of another figure */
        }
    return found;
}

static const Edge *
edge_named(const Figure *figure, const char *name)
{
    const Edge *found = NULL;

    for (guint i = 0; i < figure->edges->len; i++)
        if (!strcmp(EDGE(figure, i)->edge, name)) {
            g_assert_null(found);
            found = EDGE(figure, i);
        }
    return found;
}

/* ---- rules ---- */

/* How far a point lies from the border of a mark; inside a dot or a bar it is on it. */
static double
off_border(const Mark *mark, const double point[2])
{
    Rect r = mark->shape;
    double x = point[0], y = point[1];
    double width = r.right - r.left, height = r.bottom - r.top;

    if (mark->group->first->kind == FIG_ITEM_PATH) {
        double off = hypot(x - (r.left + r.right) / 2, y - (r.top + r.bottom) / 2);

        return width < 8 && off < width / 2 ? 0 : fabs(off - width / 2);
    }
    if (x < r.left || x > r.right || y < r.top || y > r.bottom)
        return hypot(MAX(MAX(r.left - x, x - r.right), 0),
                     MAX(MAX(r.top - y, y - r.bottom), 0));
    if (height < 8)
        return 0;
    return MIN(MIN(x - r.left, r.right - x), MIN(y - r.top, r.bottom - y));
}

static void
check_marks(const Figure *figure, const FigRecord *record)
{
    for (int i = 0; i < record->n_ops; i++) {
        int n = 0;

        for (guint m = 0; m < figure->marks->len; m++)
            if (MARK(figure, m)->group->means.op &&
                !strcmp(MARK(figure, m)->group->means.op, record->ops[i].id)) {
                n++;
                g_assert_cmpstr(MARK(figure, m)->group->means.class_, ==,
                                fig_class_name(record->ops[i].class));
            }
        g_assert_cmpint(n, ==, 1);
    }
    for (guint i = 0; i < figure->marks->len; i++)
        for (guint k = i + 1; k < figure->marks->len; k++)
            if (meet(MARK(figure, i)->shape, MARK(figure, k)->shape, 0))
                g_error("%s: the marks of %s and %s overlap", record->name,
                        MARK(figure, i)->id, MARK(figure, k)->id);
}

static void
check_edge(const Figure *figure, const FigRecord *record, const char *name,
           const char *value, const char *reader)
{
    const Edge *edge = edge_named(figure, name);
    const FigRecordOp *writer = fig_record_writer(record, value);
    const Mark *from = mark_named(figure, writer ? writer->id : value);
    const Mark *to = mark_named(figure, reader);

    if (!edge)
        g_error("%s: no edge %s", record->name, name);
    g_assert_cmpstr(edge->value, ==, value);
    if (off_border(from, edge->line->points[0]) > 0.75)
        g_error("%s: edge %s starts %.2f pt off its mark", record->name, name,
                off_border(from, edge->line->points[0]));
    if (off_border(to, edge->head->points[0]) > 0.76)
        g_error("%s: edge %s ends %.2f pt off its mark", record->name, name,
                off_border(to, edge->head->points[0]));
}

/* Each activation operand and each output has one edge, from border to border, and there
 * is no other edge. */
static void
check_edges(const Figure *figure, const FigRecord *record)
{
    guint n = 0;

    for (int i = 0; i < record->n_ops; i++) {
        const FigRecordOp *op = &record->ops[i];

        for (int r = 0; r < op->n_reads; r++) {
            const FigRecordRead *read = &op->reads[r];
            const FigRecordOp *writer = fig_record_writer(record, read->value);
            g_autofree char *name = NULL;

            if (!strcmp(read->from, "weight"))
                continue;
            name = g_strdup_printf("%s %s.%s", writer ? writer->id : read->value,
                                   op->id, read->port);
            check_edge(figure, record, name, read->value, op->id);
            n++;
        }
    }
    for (int o = 0; o < record->n_outputs; o++) {
        const FigRecordOp *writer = fig_record_writer(record, record->outputs[o]);
        g_autofree char *name =
            g_strdup_printf("%s output.%s", writer ? writer->id : record->outputs[o],
                            record->outputs[o]);
        const Edge *edge = edge_named(figure, name);

        if (!edge)
            g_error("%s: no edge %s", record->name, name);
        n++;
    }
    g_assert_cmpuint(figure->edges->len, ==, n);
}

/* Arrow ends at least 8 pt apart, and in operand order where that means something. */
static void
check_ends(const Figure *figure, const FigRecord *record)
{
    for (int i = 0; i < record->n_ops; i++) {
        const FigRecordOp *op = &record->ops[i];
        const double *before = NULL;
        g_autoptr(GPtrArray) tips = g_ptr_array_new();

        for (int r = 0; r < op->n_reads; r++) {
            const FigRecordOp *writer = fig_record_writer(record, op->reads[r].value);
            g_autofree char *name = NULL;
            const double *tip;

            if (!strcmp(op->reads[r].from, "weight"))
                continue;
            name = g_strdup_printf("%s %s.%s", writer ? writer->id : op->reads[r].value,
                                   op->id, op->reads[r].port);
            tip = edge_named(figure, name)->head->points[0];
            for (guint k = 0; k < tips->len; k++) {
                const double *other = tips->pdata[k];

                if (hypot(tip[0] - other[0], tip[1] - other[1]) < 8)
                    g_error("%s: two arrows end within 8 pt at %s", record->name,
                            op->id);
            }
            if (before && !op->commutes && before[0] >= tip[0])
                g_error("%s: the operands of %s are not in order", record->name,
                        op->id);
            before = tip;
            g_ptr_array_add(tips, (void *)tip);
        }
    }
}

/* The straight pieces of a line; bends are left out. */
static int
pieces_of(const FigPath *path, double (*piece)[4], int most)
{
    double at[2] = {0, 0};
    int n = 0;

    for (int v = 0, p = 0; v < path->n_verbs; v++) {
        const double *to;

        p += path->verbs[v] == FIG_CURVE ? 3 : 1;
        to = path->points[p - 1];
        if (path->verbs[v] == FIG_LINE && hypot(to[0] - at[0], to[1] - at[1]) > 0.01) {
            g_assert_true(fabs(to[0] - at[0]) < 0.01 || fabs(to[1] - at[1]) < 0.01);
            g_assert_cmpint(n, <, most);
            piece[n][0] = MIN(at[0], to[0]);
            piece[n][1] = MIN(at[1], to[1]);
            piece[n][2] = MAX(at[0], to[0]);
            piece[n][3] = MAX(at[1], to[1]);
            n++;
        }
        memcpy(at, to, sizeof at);
    }
    return n;
}

/* Do two pieces run beside each other within 1 pt? */
static bool
shared(const double a[4], const double b[4])
{
    bool a_level = a[3] - a[1] < 0.01, b_level = b[3] - b[1] < 0.01;

    if (a_level != b_level)
        return false;
    if (a_level)
        return fabs(a[1] - b[1]) < 1 && MIN(a[2], b[2]) - MAX(a[0], b[0]) > 0.1;
    return fabs(a[0] - b[0]) < 1 && MIN(a[3], b[3]) - MAX(a[1], b[1]) > 0.1;
}

/* Every line is upright and level pieces; different values share none; none runs through
 * a mark or a text. */
static void
check_lines(const Figure *figure, const FigRecord *record)
{
    enum { MOST = 64 };

    for (guint i = 0; i < figure->edges->len; i++) {
        const Edge *one = EDGE(figure, i);
        double a[MOST][4], b[MOST][4];
        int n_a = pieces_of(one->line, a, MOST);

        for (guint k = i + 1; k < figure->edges->len; k++) {
            const Edge *two = EDGE(figure, k);
            int n_b =
                strcmp(one->value, two->value) ? pieces_of(two->line, b, MOST) : 0;

            for (int p = 0; p < n_a; p++)
                for (int q = 0; q < n_b; q++)
                    if (shared(a[p], b[q]))
                        g_error("%s: %s and %s share a piece at %.1f %.1f",
                                record->name, one->edge, two->edge, a[p][0], a[p][1]);
        }
        for (int p = 0; p < n_a; p++) {
            Rect piece = {a[p][0] - 0.3, a[p][1] - 0.3, a[p][2] + 0.3, a[p][3] + 0.3};

            for (guint m = 0; m < figure->marks->len; m++)
                if (meet(piece, MARK(figure, m)->shape, 3.5))
                    g_error("%s: %s runs through %s", record->name, one->edge,
                            MARK(figure, m)->id);
            for (guint t = 0; t < figure->texts->len; t++)
                if (meet(piece, TEXT(figure, t)->ink, 0.1))
                    g_error("%s: %s runs through ‘%s’", record->name, one->edge,
                            TEXT(figure, t)->item->text->plain);
        }
    }
}

static void
check_texts(const Figure *figure, const FigRecord *record)
{
    Rect page = {0, 0, figure->scene->width, figure->scene->height};

    for (guint i = 0; i < figure->texts->len; i++) {
        const Text *text = TEXT(figure, i);

        if (!holds(page, text->ink))
            g_error("%s: ‘%s’ is off the page", record->name, text->item->text->plain);
        for (int r = 0; r < text->item->text->n_runs; r++)
            if (!text->item->text->runs[r].ghost)
                g_assert_cmpfloat(text->item->text->runs[r].size, >=, 6.0);
        for (guint k = i + 1; k < figure->texts->len; k++)
            if (meet(text->ink, TEXT(figure, k)->ink, 0.05))
                g_error("%s: ‘%s’ and ‘%s’ overlap", record->name,
                        text->item->text->plain, TEXT(figure, k)->item->text->plain);
        for (guint m = 0; m < figure->marks->len; m++) {
            const Mark *mark = MARK(figure, m);

            if (meet(text->ink, mark->shape, 0.05) &&
                !(text->owner == mark->group && holds(mark->shape, text->ink)))
                g_error("%s: ‘%s’ lies on the mark of %s", record->name,
                        text->item->text->plain, mark->id);
        }
    }
    for (guint m = 0; m < figure->marks->len; m++)
        g_assert_true(holds(page, MARK(figure, m)->shape));
}

static void
check_panels(const Figure *figure, const FigRecord *record)
{
    for (guint i = 0; i < figure->panels->len; i++)
        for (guint k = i + 1; k < figure->panels->len; k++) {
            Rect a = g_array_index(figure->panels, Rect, i);
            Rect b = g_array_index(figure->panels, Rect, k);

            if (meet(a, b, 0) && !holds(a, b) && !holds(b, a))
                g_error("%s: panels overlap", record->name);
        }
}

/* The number of places where lines of different values cross. */
static G_GNUC_UNUSED int
count_crossings(const Figure *figure)
{
    enum { MOST = 64 };
    int count = 0;

    for (guint i = 0; i < figure->edges->len; i++)
        for (guint k = i + 1; k < figure->edges->len; k++) {
            double a[MOST][4], b[MOST][4];
            int n_a = pieces_of(EDGE(figure, i)->line, a, MOST);
            int n_b = pieces_of(EDGE(figure, k)->line, b, MOST);

            if (!strcmp(EDGE(figure, i)->value, EDGE(figure, k)->value))
                continue;
            for (int p = 0; p < n_a; p++)
                for (int q = 0; q < n_b; q++)
                    count += meet((Rect){a[p][0] - 0.01, a[p][1] - 0.01, a[p][2] + 0.01,
                                         a[p][3] + 0.01},
                                  (Rect){b[q][0] - 0.01, b[q][1] - 0.01, b[q][2] + 0.01,
                                         b[q][3] + 0.01},
                                  0);
        }
    return count;
}

static void
check_rules(const Figure *figure, const FigRecord *record)
{
    check_marks(figure, record);
    check_edges(figure, record);
    check_ends(figure, record);
    check_lines(figure, record);
    check_texts(figure, record);
    check_panels(figure, record);
}

#endif
