/* SPDX-License-Identifier: MIT
 *
 * The rules of marks and edges, and all rules together.
 */
#include "tests/layouts/rules.h"

#define ENDS_APART 8.0

/* ---- marks ---- */

static void
check_marks(const Figure *figure, const FigRecord *record)
{
    int ops = 0;

    for (int i = 0; i < record->n_ops; i++) {
        const Mark *mark = mark_named(figure, record->ops[i].id);

        if (!mark || !mark->group->means.op)
            g_error("%s: %s has no mark", record->name, record->ops[i].id);
        else
            g_assert_cmpstr(mark->group->means.class_, ==,
                            fig_class_name(record->ops[i].class));
    }
    for (guint i = 0; i < figure->marks->len; i++) {
        ops += MARK(figure, i)->group->means.op != NULL;
        for (guint k = i + 1; k < figure->marks->len; k++)
            if (meet(MARK(figure, i)->shape, MARK(figure, k)->shape, -1))
                g_error("%s: the marks of %s and %s overlap", record->name,
                        MARK(figure, i)->id, MARK(figure, k)->id);
    }
    g_assert_cmpint(ops, ==, record->n_ops);
}

/* ---- edges ---- */

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

static const char *
source_of(const FigRecord *record, const char *value)
{
    const FigRecordOp *writer = fig_record_writer(record, value);

    return writer ? writer->id : value;
}

static const Edge *
edge_of_read(const Figure *figure, const FigRecord *record, const FigRecordOp *op,
             const FigRecordRead *read)
{
    g_autofree char *name =
        g_strdup_printf("%s %s.%s", source_of(record, read->value), op->id, read->port);

    return edge_named(figure, name);
}

static const Mark *
output_mark(const Figure *figure, const char *value)
{
    for (guint m = 0; m < figure->marks->len; m++)
        if (!g_strcmp0(MARK(figure, m)->group->means.output, value))
            return MARK(figure, m);
    return NULL;
}

static void
check_edge(const Figure *figure, const FigRecord *record, const Edge *edge,
           const char *value, const Mark *to)
{
    const Mark *from = mark_named(figure, source_of(record, value));

    if (!edge || !from || !to) {
        g_error("%s: no edge of %s to %s", record->name, value, to ? to->id : "?");
        return;
    }
    g_assert_cmpstr(edge->value, ==, value);
    if (off_border(from, edge->line->points[0]) > 0.75)
        g_error("%s: edge %s starts %.2f pt off its mark", record->name, edge->edge,
                off_border(from, edge->line->points[0]));
    if (off_border(to, edge->head->points[0]) > 0.76)
        g_error("%s: edge %s ends %.2f pt off its mark", record->name, edge->edge,
                off_border(to, edge->head->points[0]));
}

static void
check_edges(const Figure *figure, const FigRecord *record)
{
    guint n = 0;

    for (int i = 0; i < record->n_ops; i++) {
        const FigRecordOp *op = &record->ops[i];

        for (int r = 0; r < op->n_reads; r++) {
            if (!strcmp(op->reads[r].from, "weight"))
                continue;
            check_edge(figure, record, edge_of_read(figure, record, op, &op->reads[r]),
                       op->reads[r].value, mark_named(figure, op->id));
            n++;
        }
    }
    for (int o = 0; o < record->n_outputs; o++) {
        const char *value = record->outputs[o];
        g_autofree char *name =
            g_strdup_printf("%s output.%s", source_of(record, value), value);

        check_edge(figure, record, edge_named(figure, name), value,
                   output_mark(figure, value));
        n++;
    }
    g_assert_cmpuint(figure->edges->len, ==, n);
}

/* ---- ends ---- */

static void
check_ends(const Figure *figure, const FigRecord *record)
{
    for (int i = 0; i < record->n_ops; i++) {
        const FigRecordOp *op = &record->ops[i];
        const double *before = NULL;
        g_autoptr(GPtrArray) tips = g_ptr_array_new();

        for (int r = 0; r < op->n_reads; r++) {
            const Edge *edge;
            const double *tip;

            if (!strcmp(op->reads[r].from, "weight"))
                continue;
            edge = edge_of_read(figure, record, op, &op->reads[r]);
            if (!edge)
                continue;
            tip = edge->head->points[0];
            for (guint k = 0; k < tips->len; k++) {
                const double *other = tips->pdata[k];

                if (hypot(tip[0] - other[0], tip[1] - other[1]) < ENDS_APART - 0.01)
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

/* ---- lines ---- */

/* Does the end of one piece lie on the other: a crossing that is none? */
bool
touches(const Rect *a, const Rect *b)
{
    return meet(grown(*a, 0.4), grown(*b, 0.4), 0) &&
           !(is_level(a) != is_level(b) &&
             (is_level(a) ? b->left > a->left + 0.4 && b->left < a->right - 0.4 &&
                                a->top > b->top + 0.4 && a->top < b->bottom - 0.4
                          : a->left > b->left + 0.4 && a->left < b->right - 0.4 &&
                                b->top > a->top + 0.4 && b->top < a->bottom - 0.4));
}

static void
check_pair(const FigRecord *record, const Edge *one, const Edge *two)
{
    for (guint p = 0; p < one->pieces->len; p++) {
        const Rect *a = PIECE(one, p);

        if (!meet(grown(*a, 1), two->bounds, 0))
            continue;
        for (guint q = 0; q < two->pieces->len; q++) {
            if (shared(a, PIECE(two, q)))
                g_error("%s: %s and %s share a piece at %.1f %.1f", record->name,
                        one->edge, two->edge, a->left, a->top);
            else if (touches(a, PIECE(two, q)))
                g_error("%s: %s and %s touch at %.1f %.1f", record->name, one->edge,
                        two->edge, a->left, a->top);
        }
        for (guint q = 0; q < two->bends->len; q++)
            if (meet(grown(*a, 0.3), *BEND(two, q), 0))
                g_error("%s: %s crosses a bend of %s at %.1f %.1f", record->name,
                        one->edge, two->edge, BEND(two, q)->left, BEND(two, q)->top);
    }
    for (guint p = 0; p < one->bends->len; p++)
        for (guint q = 0; q < two->pieces->len; q++)
            if (meet(*BEND(one, p), grown(*PIECE(two, q), 0.3), 0))
                g_error("%s: %s crosses a bend of %s at %.1f %.1f", record->name,
                        two->edge, one->edge, BEND(one, p)->left, BEND(one, p)->top);
}

/* Does an edge begin or end at a mark? "FROM TO.PORT", or "FROM output.VALUE" */
static bool
is_end(const Edge *edge, const Mark *mark)
{
    const char *space = strchr(edge->edge, ' ');
    size_t length = strlen(mark->id);

    if (mark->group->means.output)
        return g_str_has_prefix(space + 1, "output.") && !strcmp(space + 8, mark->id);
    return (!strncmp(edge->edge, mark->id, length) && edge->edge[length] == ' ') ||
           (!strncmp(space + 1, mark->id, length) && space[1 + length] == '.');
}

static void
check_lines(const Figure *figure, const FigRecord *record)
{
    for (guint i = 0; i < figure->edges->len; i++) {
        const Edge *one = EDGE(figure, i);

        for (guint k = i + 1; k < figure->edges->len; k++) {
            const Edge *two = EDGE(figure, k);

            if (meet(grown(one->bounds, 1), two->bounds, 0) &&
                strcmp(one->value, two->value) != 0)
                check_pair(record, one, two);
        }
        for (guint p = 0; p < one->pieces->len; p++) {
            Rect piece = grown(*PIECE(one, p), 0.3);

            for (guint m = 0; m < figure->marks->len; m++) {
                const Mark *mark = MARK(figure, m);

                if (meet(piece, mark->shape, -0.5) &&
                    (meet(piece, mark->shape, 3.5) || !is_end(one, mark)))
                    g_error("%s: %s runs through %s", record->name, one->edge,
                            mark->id);
            }
            for (guint t = 0; t < figure->texts->len; t++)
                if (meet(piece, TEXT(figure, t)->ink, 0.1))
                    g_error("%s: %s runs through ‘%s’", record->name, one->edge,
                            TEXT(figure, t)->item->text->plain);
        }
    }
}

/* ---- dots ---- */

static bool
is_inside(Rect r, const double point[2])
{
    return point[0] > r.left && point[0] < r.right && point[1] > r.top &&
           point[1] < r.bottom;
}

/* The sides by which a line goes in or out of a dot: 1 left, 2 right, 4 above, 8 below. */
static int
arms_of(const Edge *edge, Rect dot)
{
    const FigPath *path = edge->line;
    const double *at = path->points[0];
    double before[2] = {at[0], at[1]};
    int arms = 0;

    for (int v = 1, p = 0; v < path->n_verbs; v++) {
        const double(*c)[2] = path->points + p; /* from c[0] on */
        bool curve = path->verbs[v] == FIG_CURVE;
        int n = curve ? 16 : 1 + (int)(hypot(c[1][0] - c[0][0], c[1][1] - c[0][1]) * 4);

        for (int i = 1; i <= n; i++) {
            double t = (double)i / n, s = 1 - t, now[2];
            const double *out;

            for (int a = 0; a < 2; a++)
                now[a] = curve ? s * s * s * c[0][a] + 3 * s * s * t * c[1][a] +
                                     3 * s * t * t * c[2][a] + t * t * t * c[3][a]
                               : s * c[0][a] + t * c[1][a];
            if (is_inside(dot, before) != is_inside(dot, now)) {
                out = is_inside(dot, now) ? before : now;
                arms |= out[0] <= dot.left    ? 1
                        : out[0] >= dot.right ? 2
                        : out[1] <= dot.top   ? 4
                                              : 8;
            }
            memcpy(before, now, sizeof now);
        }
        p += curve ? 3 : 1;
    }
    return arms;
}

static bool
dots_meet(const Dot *one, const Dot *other)
{
    Rect a = one->shape, b = other->shape;

    return hypot(a.left + a.right - b.left - b.right,
                 a.top + a.bottom - b.top - b.bottom) <
           a.right - a.left + b.right - b.left - 0.01;
}

static void
check_dots(const Figure *figure, const FigRecord *record)
{
    for (guint d = 0; d < figure->dots->len; d++) {
        const Dot *dot = DOT(figure, d);
        int arms = 0;

        for (guint i = 0; i < figure->edges->len; i++) {
            const Edge *edge = EDGE(figure, i);

            if (!meet(dot->shape, edge->bounds, -0.1))
                continue;
            if (!strcmp(edge->value, dot->value))
                arms |= arms_of(edge, dot->shape);
            else
                for (guint p = 0; p < edge->pieces->len; p++)
                    if (meet(dot->shape, grown(*PIECE(edge, p), 0.3), 0))
                        g_error("%s: %s runs through a dot of %s", record->name,
                                edge->edge, dot->value);
        }
        if (__builtin_popcount((unsigned)arms) < 3)
            g_error("%s: a dot of %s where nothing forks", record->name, dot->value);
        for (guint o = 0; o < d; o++)
            if (dots_meet(dot, DOT(figure, o)))
                g_error("%s: dots of %s and %s lie on each other", record->name,
                        DOT(figure, o)->value, dot->value);
        for (guint m = 0; m < figure->marks->len; m++)
            if (meet(dot->shape, MARK(figure, m)->shape, 0))
                g_error("%s: a dot of %s on %s", record->name, dot->value,
                        MARK(figure, m)->id);
        for (guint t = 0; t < figure->texts->len; t++)
            if (meet(dot->shape, TEXT(figure, t)->ink, 0))
                g_error("%s: a dot of %s on ‘%s’", record->name, dot->value,
                        TEXT(figure, t)->item->text->plain);
    }
}

/* ---- all ---- */

/* The number of places where lines of different values cross. */
int
count_crossings(const Figure *figure)
{
    int count = 0;

    for (guint i = 0; i < figure->edges->len; i++)
        for (guint k = i + 1; k < figure->edges->len; k++) {
            const Edge *one = EDGE(figure, i), *two = EDGE(figure, k);

            if (!strcmp(one->value, two->value))
                continue;
            for (guint p = 0; p < one->pieces->len; p++)
                for (guint q = 0; q < two->pieces->len; q++)
                    count += meet(grown(*PIECE(one, p), 0.01),
                                  grown(*PIECE(two, q), 0.01), 0);
        }
    return count;
}

void
check_rules(const Figure *figure, const FigRecord *record)
{
    check_marks(figure, record);
    check_edges(figure, record);
    check_ends(figure, record);
    check_lines(figure, record);
    check_dots(figure, record);
    check_texts(figure, record);
    check_owners(figure, record);
    check_panels(figure, record);
}
