/* SPDX-License-Identifier: MIT
 *
 * The figure of the OLMo 2 block: all rules, and that what is drawn follows from the
 * record alone: an edge that is not in it is not in the figure, names decide nothing.
 */
#include "tests/layouts/rules.h"

static FigFonts *fonts;

static void
test_rules(void)
{
    g_autoptr(FigRecord) record = record_of("olmo2-block", NULL, NULL);
    g_autoptr(FigScene) scene = draw(record, NULL, fonts);
    Figure figure = read_figure(scene);

    check_rules(&figure, record);
    g_assert_cmpuint(figure.marks->len, ==, 24 + 2);
    g_assert_cmpuint(figure.panels->len, ==, 2);
    /* 1 qkv, 1 split, 3 split to norms and heads, 2 + 2 + … : 29 operands and the output */
    g_assert_cmpuint(figure.edges->len, ==, 30);
    g_assert_cmpint(count_crossings(&figure), ==, 0);
    g_assert_cmpfloat(scene->width, ==, 396);
    close_figure(&figure);
}

static void
test_v_goes_to_y(void)
{
    g_autoptr(FigRecord) record = record_of("olmo2-block", NULL, NULL);
    g_autoptr(FigScene) scene = draw(record, NULL, fonts);
    Figure figure = read_figure(scene);

    g_assert_nonnull(edge_named(&figure, "v_heads mix.b"));
    for (guint i = 0; i < figure.edges->len; i++)
        if (g_str_has_prefix(EDGE(&figure, i)->edge, "v_heads "))
            g_assert_cmpstr(EDGE(&figure, i)->edge, ==, "v_heads mix.b");
    close_figure(&figure);
}

/* Drop the read of a port: the edge is gone, everything else is still true. */
static void
test_dropped_edge(void)
{
    static const struct {
        const char *op, *port, *edge;
        double width; /* without its reader the input stands beside the first panel */
    } cases[] = {
        {"mix", "b", "v_heads mix.b"}, {"scores", "a", "q_rope scores.a"},
        {"gated", "b", "up gated.b"},  {"z2", "a", "z1 z2.a"},
        {"qkv", "a", "z qkv.a", 470},
    };

    for (size_t c = 0; c < G_N_ELEMENTS(cases); c++) {
        g_autoptr(FigRecord) record = record_of("olmo2-block", NULL, NULL);
        FigRecordOp *op = (FigRecordOp *)fig_record_op(record, cases[c].op);
        FigRecordRead *reads = fig_arena_copy(record->arena, op->reads,
                                              (size_t)op->n_reads * sizeof *reads);
        FigLayoutOptions options = {0};
        int kept = 0;
        Figure figure;
        FigScene *scene;

        for (int r = 0; r < op->n_reads; r++)
            if (strcmp(op->reads[r].port, cases[c].port))
                reads[kept++] = op->reads[r];
        g_assert_cmpint(kept, ==, op->n_reads - 1);
        op->reads = reads;
        op->n_reads = kept;
        options.width = cases[c].width;
        scene = draw(record, &options, fonts);
        figure = read_figure(scene);
        g_assert_null(edge_named(&figure, cases[c].edge));
        g_assert_cmpuint(figure.edges->len, ==, 29);
        check_rules(&figure, record);
        close_figure(&figure);
        fig_scene_free(scene);
    }
}

static const char *
renamed(FigRecord *record, const char *id)
{
    /* not an order-preserving change of name */
    return id ? fig_arena_printf(record->arena, "r%u_%s", g_str_hash(id) % 97, id)
              : NULL;
}

static const char *const *
renamed_list(FigRecord *record, const char *const *ids, int n)
{
    const char **list = fig_arena_new_array(record->arena, const char *, n + 1);

    for (int i = 0; i < n; i++)
        list[i] = renamed(record, ids[i]);
    return list;
}

static void
test_renamed(void)
{
    g_autoptr(FigRecord) record = record_of("olmo2-block", NULL, NULL);
    g_autoptr(FigScene) first = draw(record, NULL, fonts);
    g_autoptr(FigScene) second = NULL;
    g_autofree char *before = geometry(first), *after = NULL;

    for (int v = 0; v < record->n_values; v++) {
        FigRecordValue *value = (FigRecordValue *)&record->values[v];

        value->id = renamed(record, value->id);
        value->members = renamed_list(record, value->members, value->n_members);
    }
    for (int i = 0; i < record->n_ops; i++) {
        FigRecordOp *op = (FigRecordOp *)&record->ops[i];

        op->id = renamed(record, op->id);
        op->op = renamed(record, op->op);
        op->groups = renamed_list(record, op->groups, op->n_groups);
        for (int r = 0; r < op->n_reads; r++)
            ((FigRecordRead *)op->reads)[r].value = renamed(record, op->reads[r].value);
        for (int w = 0; w < op->n_writes; w++)
            ((FigRecordWrite *)op->writes)[w].value =
                renamed(record, op->writes[w].value);
    }
    for (int g = 0; g < record->n_groups; g++)
        ((FigRecordGroup *)record->groups)[g].id =
            renamed(record, record->groups[g].id);
    record->outputs = renamed_list(record, record->outputs, record->n_outputs);
    second = draw(record, NULL, fonts);
    after = geometry(second);
    g_assert_cmpstr(after, ==, before);
}

static void
test_same_bytes(void)
{
    g_autoptr(FigRecord) record = record_of("olmo2-block", NULL, NULL);
    g_autoptr(FigFonts) others = open_fonts();
    g_autoptr(FigScene) first = draw(record, NULL, fonts),
                        second = draw(record, NULL, others);
    g_autofree char *one = fig_scene_dump(first), *two = fig_scene_dump(second);

    g_assert_cmpstr(one, ==, two);
}

/* The texts of numbers with an expression, as "expr=text". */
static bool
says(const FigItem *item, const char *expr, const char *text)
{
    if (item->kind == FIG_ITEM_TEXT && !g_strcmp0(item->means.number, expr) &&
        !strcmp(item->text->plain, text))
        return true;
    for (const FigItem *child = item->first; child; child = child->next)
        if (says(child, expr, text))
            return true;
    return false;
}

static void
test_numbers(void)
{
    g_autoptr(FigRecord) record = record_of("olmo2-block", NULL, NULL);
    g_autoptr(FigScene) scene = draw(record, NULL, fonts);
    /* counted by hand in the block: W_qkv counts as three */
    static const char *const pairs[][2] = {
        {"steps()", "24"},
        {"steps(class = weight_matmul)", "5"},
        {"count(class = weight_matmul)", "7"},
        {"share(weight_matmul)", "92.5"},
        {"share(activation_matmul)", "7.5"},
        {"count(class = activation_matmul)", "2"},
        {"count(class = norm)", "4"},
        {"count(class = other)", "13"},
        {"count(class = other, kind = reshape)", "5"},
        {"count(class = other, kind = pointwise)", "4"},
        {"params()", "3,213,312"},
        {"params(attn)", "1,050,112"},
        {"params(mlp)", "2,163,200"},
        {"h_ff", "1408"},
        {"theta", "5·10⁵"},
    };

    for (size_t i = 0; i < G_N_ELEMENTS(pairs); i++)
        if (!says(scene->root, pairs[i][0], pairs[i][1]))
            g_error("%s is not %s", pairs[i][0], pairs[i][1]);
}

static void
test_dims(void)
{
    const FigOverride dims[] = {
        {"T", "1024"}, {"C", "1024"}, {"H", "16"}, {NULL, NULL}};
    const FigLoadOptions options = {.dims = dims};
    g_autoptr(FigRecord) record = record_of("olmo2-block", NULL, &options);
    g_autoptr(FigScene) scene = draw(record, NULL, fonts);
    Figure figure = read_figure(scene);

    check_rules(&figure, record);
    g_assert_true(says(scene->root, "h_ff", "2752"));
    g_assert_true(says(scene->root, "T", "1024"));
    g_assert_true(says(scene->root, "h_d", "64"));
    g_assert_false(says(scene->root, "h_ff", "1408"));
    close_figure(&figure);
}

static void
test_widths(void)
{
    g_autoptr(FigRecord) record = record_of("olmo2-block", NULL, NULL);
    g_autoptr(FigDiag) diag = fig_diag_new();
    g_autoptr(GString) message = g_string_new(NULL);
    const FigLayoutOptions wide = {.width = 520}, narrow = {.width = 200};
    g_autoptr(FigScene) scene = draw(record, &wide, fonts);
    Figure figure = read_figure(scene);

    check_rules(&figure, record);
    g_assert_cmpfloat(scene->width, ==, 520);
    g_assert_null(fig_layout_place(record, &narrow, fonts, diag));
    fig_diag_print(diag, message, false);
    g_assert_true(g_str_has_prefix(message->str,
                                   "error: this figure needs a width of at "
                                   "least "));
    close_figure(&figure);
}

static void
test_description(void)
{
    g_autoptr(FigRecord) record = record_of("olmo2-block", NULL, NULL);
    g_autoptr(FigScene) scene = draw(record, NULL, fonts);

    g_assert_nonnull(strstr(scene->description, "13 matmul y = A v reads A and v"));
    g_assert_nonnull(
        strstr(scene->description, "10 matmul S = q kᵀ/√h_d reads q and k"));
    g_assert_nonnull(strstr(scene->description, "Computed, not drawn: eps"));
    g_assert_nonnull(strstr(scene->description, ", gives (B, T, 3C). 2 "));
    g_assert_null(strstr(scene->description, "  "));
    /* drawn once for both */
    g_assert_nonnull(strstr(scene->description, "8 RoPE (θ = 5·10⁵) reads"));
    g_assert_nonnull(strstr(scene->description, "9 RoPE (θ = 5·10⁵) reads"));
}

/* DRAFT lies on paper and panels and under everything that must be read; without it the
 * figure is the same. */
static void
test_draft(void)
{
    g_autoptr(FigRecord) record = record_of("olmo2-block", NULL, NULL);
    const FigLayoutOptions options = {.draft = true};
    g_autoptr(FigScene) scene = draw(record, &options, fonts);
    g_autoptr(FigScene) bare = draw(record, NULL, fonts);
    int before = 0, after = 0, inside = 0;
    bool found = false;
    Rect word = {0};

    for (FigItem **at = &scene->root->first; *at;) {
        const FigItem *item = *at;
        bool panels = !strcmp(item->role, "panels");

        if (item->means.part && !strcmp(item->means.part, "draft")) {
            g_assert_cmpstr(item->first->text->plain, ==, "DRAFT");
            word = bounds_of(item->first);
            g_assert_cmpint(item->first->fill, ==, FIG_INK_DRAFT_PALE);
            found = true;
            *at = item->next;
            continue;
        }
        before += panels && !found;
        after += !strcmp(item->role, "edges") || !strcmp(item->role, "marks");
        g_assert_true(found == (after > 0) || after == 0);
        at = &(*at)->next;
    }
    g_assert_true(found && before == 1 && after > 0);
    /* large, in the first panel, and away from the words of both */
    Figure figure = read_figure(bare);
    for (guint p = 0; p < figure.panels->len; p++)
        inside += holds(PANEL(&figure, p)->shape, word);
    g_assert_cmpint(inside, ==, 1);
    g_assert_cmpfloat(word.right - word.left, >, 0.6 * scene->width);
    for (guint t = 0; t < figure.texts->len; t++)
        if (!TEXT(&figure, t)->owner &&
            strstr(TEXT(&figure, t)->item->text->plain, "sublayer"))
            g_assert_false(meet(word, TEXT(&figure, t)->ink, 0));
    close_figure(&figure);
    g_autofree char *one = fig_scene_dump(scene), *two = fig_scene_dump(bare);
    g_assert_true(!strcmp(one, two));
}

int
main(int argc, char **argv)
{
    int failed;

    g_test_init(&argc, &argv, NULL);
    fonts = open_fonts();
    g_test_add_func("/block/rules", test_rules);
    g_test_add_func("/block/v-goes-to-y", test_v_goes_to_y);
    g_test_add_func("/block/dropped-edge", test_dropped_edge);
    g_test_add_func("/block/renamed", test_renamed);
    g_test_add_func("/block/same-bytes", test_same_bytes);
    g_test_add_func("/block/numbers", test_numbers);
    g_test_add_func("/block/dims", test_dims);
    g_test_add_func("/block/widths", test_widths);
    g_test_add_func("/block/description", test_description);
    g_test_add_func("/block/draft", test_draft);
    failed = g_test_run();
    fig_fonts_free(fonts);
    return failed;
}
