/* SPDX-License-Identifier: MIT
 *
 * Two thousand random records, each held to all rules, with names that find their room in
 * all but a few; and what must not change the figure: a second drawing, other names,
 * another order of execution. An op that is added at the end leaves the order of all
 * others as it was. OPFIG_SEED chooses other records.
 */
#include "tests/layouts/leaders.h"
#include "tests/layouts/random.h"

#include <stdlib.h>

/* The sanitizers, which take five times as long, look at fewer; what compares two drawings
 * of a record at one in OTHERS. */
#ifdef __SANITIZE_ADDRESS__
enum { RECORDS = 200, OTHERS = 10, SMALL = 40 };
#else
enum { RECORDS = 2000, OTHERS = 10, SMALL = 40 };
#endif

static FigFonts *fonts;
static guint32 first_seed = 1;

/* ---- the rules ---- */

static void
find_names(const FigItem *item, GHashTable *names)
{
    if (item->means.name)
        g_hash_table_add(names, (char *)item->means.name);
    for (const FigItem *child = item->first; child; child = child->next)
        find_names(child, names);
}

/* Values with a name of their own, and how many of them are not named in the figure. */
static void
count_names(const FigRecord *record, const FigScene *scene, int *all, int *lost)
{
    g_autoptr(GHashTable) names = g_hash_table_new(g_str_hash, g_str_equal);

    find_names(scene->root, names);
    for (int v = 0; v < record->n_values; v++) {
        const FigRecordValue *value = &record->values[v];

        if (strcmp(value->kind, "activation") || !value->labelled || value->output)
            continue;
        *all += 1;
        *lost += !g_hash_table_contains(names, value->id);
    }
}

static void
test_rules(void)
{
    Histogram h = {0};
    int names = 0, lost = 0, leaders = 0;

    for (guint32 i = 0; i < RECORDS; i++) {
        g_autoptr(FigRecord) record = random_record(first_seed + i, 0, 0);
        g_autoptr(FigScene) scene = draw(record, NULL, fonts);
        Figure figure = read_figure(scene);

        check_rules(&figure, record);
        leaders += check_leaders(&figure, record, scene->root);
        count_names(record, scene, &names, &lost);
        count_record(record, &h);
        close_figure(&figure);
    }
    g_test_message(
        "%d records, %d ops, the largest of %d; fan-out of 4 or more in %d, "
        "skips over 10 rows or more in %d, three inputs or more in %d, groups "
        "in groups in %d",
        h.records, h.ops, h.most_ops, h.fan_out, h.skips, h.inputs, h.nested);
    g_test_message("%d of %d names found no room; %d leaders", lost, names, leaders);
    g_assert_cmpint(leaders, >=, RECORDS * 2 / 100);
    g_assert_cmpint(lost * 100, <=, names);
    g_assert_cmpint(h.fan_out, >=, RECORDS * 20 / 100);
    g_assert_cmpint(h.skips, >=, RECORDS * 20 / 100);
    g_assert_cmpint(h.inputs, >=, RECORDS * 10 / 100);
    g_assert_cmpint(h.nested, >=, RECORDS * 10 / 100);
    g_assert_cmpint(h.most_ops, >=, 250);
}

/* ---- what must not change it ---- */

/* Large ones now and then. */
static bool
is_taken(const FigRecord *record, guint32 i)
{
    return record->n_ops <= SMALL || i % 25 == 0;
}

static void
test_same_bytes(void)
{
    for (guint32 i = 0; i < RECORDS; i += OTHERS) {
        g_autoptr(FigRecord) record = random_record(first_seed + i, 0, 0);
        g_autoptr(FigScene) first = draw(record, NULL, fonts);
        g_autoptr(FigScene) second = draw(record, NULL, fonts);
        g_autofree char *one = fig_scene_dump(first), *two = fig_scene_dump(second);

        g_assert_cmpstr(one, ==, two);
    }
}

static void
test_renamed(void)
{
    for (guint32 i = 0; i < RECORDS; i += OTHERS) {
        g_autoptr(FigRecord) record = random_record(first_seed + i, 0, 0);
        g_autoptr(FigRecord) other = random_record(first_seed + i, 77 + i, 0);
        g_autoptr(FigScene) first = NULL, second = NULL;
        g_autofree char *one = NULL, *two = NULL;

        if (!is_taken(record, i))
            continue;
        first = draw(record, NULL, fonts);
        second = draw(other, NULL, fonts);
        one = geometry(first);
        two = geometry(second);
        if (strcmp(one, two))
            g_error("%s: names decide", record->name);
    }
}

/* Execute the ops in another order that is as good. */
static void
permute(FigRecord *record, guint32 seed)
{
    GRand *rand = g_rand_new_with_seed(seed);
    FigRecordOp *ops = fig_arena_new_array(record->arena, FigRecordOp, record->n_ops);
    g_autofree bool *done = g_new0(bool, record->n_ops);
    g_autoptr(GHashTable) writer = g_hash_table_new(g_str_hash, g_str_equal);

    for (int i = 0; i < record->n_ops; i++)
        for (int w = 0; w < record->ops[i].n_writes; w++)
            g_hash_table_insert(writer, (char *)record->ops[i].writes[w].value,
                                GINT_TO_POINTER(i + 1));
    for (int step = 0; step < record->n_ops; step++) {
        g_autoptr(GArray) ready = g_array_new(FALSE, FALSE, sizeof(int));
        int chosen;

        for (int i = 0; i < record->n_ops; i++) {
            const FigRecordOp *op = &record->ops[i];
            bool waits = done[i];

            for (int r = 0; r < op->n_reads; r++) {
                int from =
                    GPOINTER_TO_INT(g_hash_table_lookup(writer, op->reads[r].value));

                waits = waits || (from > 0 && !done[from - 1]);
            }
            if (!waits)
                g_array_append_val(ready, i);
        }
        chosen =
            g_array_index(ready, int, g_rand_int_range(rand, 0, (gint32)ready->len));
        done[chosen] = true;
        ops[step] = record->ops[chosen];
        ops[step].step = step + 1;
    }
    record->ops = ops;
    g_rand_free(rand);
}

static int
by_text(const void *left, const void *right)
{
    return strcmp(*(char *const *)left, *(char *const *)right);
}

/* Every mark, edge, dot, panel, name and shape with its place, a line each, sorted: what
 * is left when step numbers and the order of drawing do not count. */
static char *
places(const Figure *figure)
{
    g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func(g_free);

    for (guint i = 0; i < figure->marks->len; i++) {
        Rect r = MARK(figure, i)->shape;

        g_ptr_array_add(lines, g_strdup_printf("mark %s %.2f %.2f %.2f %.2f",
                                               MARK(figure, i)->id, r.left, r.top,
                                               r.right, r.bottom));
    }
    for (guint i = 0; i < figure->edges->len; i++) {
        const Edge *edge = EDGE(figure, i);
        GString *line = g_string_new(edge->edge);

        for (int p = 0; p < edge->line->n_points; p++)
            g_string_append_printf(line, " %.2f %.2f", edge->line->points[p][0],
                                   edge->line->points[p][1]);
        g_ptr_array_add(lines, g_string_free(line, FALSE));
    }
    for (guint i = 0; i < figure->panels->len; i++) {
        Rect r = PANEL(figure, i)->shape;

        g_ptr_array_add(lines, g_strdup_printf("panel %s %.2f %.2f %.2f %.2f",
                                               PANEL(figure, i)->group, r.left, r.top,
                                               r.right, r.bottom));
    }
    for (guint i = 0; i < figure->texts->len; i++) {
        const FigItem *item = TEXT(figure, i)->item;

        if (item->means.name || item->means.shape)
            g_ptr_array_add(lines,
                            g_strdup_printf("text %s %.2f %.2f", item->text->plain,
                                            item->text_x, item->text_y));
    }
    qsort(lines->pdata, lines->len, sizeof(void *), by_text);
    g_ptr_array_add(lines, NULL);
    return g_strjoinv("\n", (char **)lines->pdata);
}

static void
test_permuted(void)
{
    for (guint32 i = 0; i < RECORDS; i += OTHERS) {
        g_autoptr(FigRecord) record = random_record(first_seed + i, 0, 0);
        g_autoptr(FigScene) first = NULL, second = NULL;
        g_autofree char *one = NULL, *two = NULL;
        Figure figure;

        if (!is_taken(record, i))
            continue;
        first = draw(record, NULL, fonts);
        figure = read_figure(first);
        one = places(&figure);
        close_figure(&figure);
        permute(record, i);
        second = draw(record, NULL, fonts);
        figure = read_figure(second);
        two = places(&figure);
        close_figure(&figure);
        if (strcmp(one, two))
            g_error("%s: the order of execution decides", record->name);
    }
}

/* ---- an op far away ---- */

/* One more op, that reads the first output and gives it instead. */
static void
lengthen(FigRecord *record)
{
    FigRecordOp *ops =
        fig_arena_new_array(record->arena, FigRecordOp, record->n_ops + 1);
    FigRecordValue *values =
        fig_arena_new_array(record->arena, FigRecordValue, record->n_values + 1);
    const char **outputs =
        fig_arena_copy(record->arena, record->outputs,
                       (size_t)record->n_outputs * sizeof *record->outputs);
    FigRecordRead *read = fig_arena_new0(record->arena, FigRecordRead);
    FigRecordWrite *write = fig_arena_new0(record->arena, FigRecordWrite);
    FigRecordValue *value = &values[record->n_values];
    const FigRecordValue *from = fig_record_value(record, outputs[0]);

    memcpy(ops, record->ops, (size_t)record->n_ops * sizeof *ops);
    memcpy(values, record->values, (size_t)record->n_values * sizeof *values);
    *value = *from;
    value->id = value->label = "added";
    *read = (FigRecordRead){.port = "a",
                            .value = from->id,
                            .from = "activation",
                            .rank = from->rank,
                            .shape = from->shape,
                            .size = from->size};
    *write = (FigRecordWrite){value->id, value->rank, value->shape, value->size};
    ops[record->n_ops] = (FigRecordOp){.step = record->n_ops + 1,
                                       .id = "added_op",
                                       .op = "silu",
                                       .kind = "pointwise",
                                       .class = FIG_CLASS_OTHER,
                                       .mark = "box",
                                       .label = "SiLU",
                                       .title = "SiLU",
                                       .full_name = "SiLU",
                                       .equation = "0",
                                       .flops = "0",
                                       .bytes = "0",
                                       .n_reads = 1,
                                       .reads = read,
                                       .n_writes = 1,
                                       .writes = write};
    outputs[0] = value->id;
    record->ops = ops;
    record->n_ops++;
    record->values = values;
    record->n_values++;
    record->outputs = outputs;
}

/* Of two marks of one row, the left one is still the left one. */
static void
check_order(const FigRecord *record, const Figure *before, const Figure *after)
{
    for (guint i = 0; i < before->marks->len; i++)
        for (guint k = 0; k < before->marks->len; k++) {
            const Mark *a = MARK(before, i), *b = MARK(before, k);
            const Mark *c, *d;

            if (!a->group->means.op || !b->group->means.op ||
                fabs(a->shape.top + a->shape.bottom - b->shape.top - b->shape.bottom) >
                    1 ||
                a->shape.right >= b->shape.left)
                continue;
            c = mark_named(after, a->id);
            d = mark_named(after, b->id);
            if (c->shape.left >= d->shape.left)
                g_error("%s: %s and %s have changed places", record->name, a->id,
                        b->id);
        }
}

static void
test_lengthened(void)
{
    for (guint32 i = 0; i < RECORDS; i += OTHERS) {
        g_autoptr(FigRecord) record = random_record(first_seed + i, 0, 0);
        g_autoptr(FigScene) first = NULL, second = NULL;
        Figure before, after;

        if (!is_taken(record, i))
            continue;
        first = draw(record, NULL, fonts);
        lengthen(record);
        second = draw(record, NULL, fonts);
        before = read_figure(first);
        after = read_figure(second);
        check_order(record, &before, &after);
        close_figure(&before);
        close_figure(&after);
    }
}

int
main(int argc, char **argv)
{
    const char *seed = g_getenv("OPFIG_SEED");
    int failed;

    g_test_init(&argc, &argv, NULL);
    if (seed)
        first_seed = (guint32)strtoul(seed, NULL, 10);
    g_test_message("records %u to %u (OPFIG_SEED chooses others)", first_seed,
                   first_seed + RECORDS - 1);
    fonts = open_fonts();
    g_test_add_func("/random/rules", test_rules);
    g_test_add_func("/random/same-bytes", test_same_bytes);
    g_test_add_func("/random/renamed", test_renamed);
    g_test_add_func("/random/permuted", test_permuted);
    g_test_add_func("/random/lengthened", test_lengthened);
    failed = g_test_run();
    fig_fonts_free(fonts);
    return failed;
}
