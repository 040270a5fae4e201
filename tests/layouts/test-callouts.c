/* SPDX-License-Identifier: MIT
 *
 * Callouts: each overlaps nothing wherever its op stands, beside its op where there is
 * room for it, and in the list of claims, by the op's step, where there is none.
 */
#include "tests/layouts/leaders.h"

#define HEAD                                                                           \
    "opfig: 1\nname: t\ndims: {B: {is: 2}, T: {is: 6}, C: {is: 20}, F: {is: 4*C}}\n"   \
    "inputs: {x: {shape: [B, T, C]}}\n"

static const char pre_norm[] =
    HEAD "weights: {g: {shape: [C]}, W: {shape: [C, C]}}\n"
         "ops:\n  - group: mlp\n    title: feed-forward sublayer\n    ops:\n"
         "      - {id: norm, op: rmsnorm, in: [x, g], eps: 1e-6}\n"
         "      - {id: up, op: matmul, in: [norm, W]}\n"
         "  - {id: y, op: add, in: [x, up]}\noutputs: [y]\n";

static const char gate[] =
    HEAD "weights: {W_1: {shape: [C, F]}, W_3: {shape: [C, F]}, W_2: {shape: [F, C]}}\n"
         "ops:\n  - {id: up, op: matmul, in: [x, W_3]}\n"
         "  - {id: gate, op: matmul, in: [x, W_1]}\n"
         "  - {id: sig, op: sigmoid, in: gate}\n"
         "  - {id: gated, op: mul, in: [up, sig]}\n"
         "  - {id: down, op: matmul, in: [gated, W_2]}\n"
         "  - {id: y, op: add, in: [x, down]}\noutputs: [y]\n";

static const struct Case {
    const char *name, *spec, *at, *say;
    enum { BESIDE, LED, LISTED } place;
} cases[] = {
    {"first-of-a-panel", pre_norm, "norm", "norm before the sublayer", BESIDE},
    {"first-of-a-panel-long", pre_norm, "norm",
     "the norm stands before the sublayer, so that the residual stream is never "
     "normalised on its way",
     BESIDE},
    {"right-lane", gate, "sig", "The gate passes through a sigmoid.", BESIDE},
    {"right-lane-long", gate, "sig",
     "a sigmoid that bounds what it lets through to numbers between nothing and "
     "everything",
     LED},
    {"between-marks", gate, "gate", "the gate", LED},
    {"between-marks-long", gate, "gate",
     "the gate, which lets through of each entry of the other branch what it likes, "
     "between nothing at all and twice as much as there was before, or even more",
     LISTED},
    {"left-lane", gate, "up", "the branch without a gate", BESIDE},
};

static FigFonts *fonts;

static bool
has_role(const FigItem *group, const char *role)
{
    for (const FigItem *child = group->first; child; child = child->next)
        if (!strcmp(child->role, role))
            return true;
    return false;
}

/* A claim in the list, or a callout with its words; a bar alone is neither. */
static const FigItem *
find(const FigItem *item, const char *claim, bool listed)
{
    const char *its = listed ? item->means.claim : item->means.callout;

    if (g_strcmp0(its, claim) == 0 && has_role(item, listed ? "claim" : "callout"))
        return item;
    for (const FigItem *child = item->first; child; child = child->next) {
        const FigItem *found = find(child, claim, listed);

        if (found)
            return found;
    }
    return NULL;
}

static void
test_case(const void *data)
{
    const struct Case *the = data;
    g_autoptr(FigRecord) record = record_of("test", the->spec, NULL);
    const FigRecordClaim claim = {.id = "it",
                                  .say = {.text = the->say},
                                  .that = "true",
                                  .at = the->at,
                                  .must = true,
                                  .holds = true,
                                  .by = "structure"};
    g_autoptr(FigScene) scene = NULL;
    Figure figure;

    record->name = the->name;
    record->n_claims = 1;
    record->claims = &claim;
    scene = draw(record, NULL, fonts);
    figure = read_figure(scene);
    check_rules(&figure, record);
    g_assert_cmpint(check_leaders(&figure, record, scene->root), ==, the->place == LED);
    g_assert_true(!find(scene->root, "it", true) == (the->place != LISTED));
    g_assert_true(!find(scene->root, "it", false) == (the->place == LISTED));
    if (the->place == LISTED)
        g_assert_true(has_role(find(scene->root, "it", true), "steps"));
    else
        g_assert_true(has_role(find(scene->root, "it", false), "leader") ==
                      (the->place == LED));
    close_figure(&figure);
}

/* Over how many edges do leaders in and under a group lead? */
static int
crossings(const Figure *figure, const FigItem *item)
{
    int n = 0;

    for (const FigItem *child = item->first; child; child = child->next)
        n += crossings(figure, child);
    for (int i = 0; !strcmp(item->role, "leader") && i + 1 < item->path.n_points; i++) {
        const double *a = item->path.points[i], *b = item->path.points[i + 1];
        Rect piece = {MIN(a[0], b[0]), MIN(a[1], b[1]), MAX(a[0], b[0]),
                      MAX(a[1], b[1])};

        for (guint e = 0; e < figure->edges->len; e++)
            for (guint p = 0; p < EDGE(figure, e)->pieces->len; p++)
                n += meet(piece, grown(*PIECE(EDGE(figure, e), p), 0.1), 0);
    }
    return n;
}

static int
bars(const FigItem *item, const char *claim)
{
    int n = g_strcmp0(item->means.callout, claim) == 0 && has_role(item, "bar");

    for (const FigItem *child = item->first; child; child = child->next)
        n += bars(child, claim);
    return n;
}

/* Sentences about two marks, in shipped blocks where each mark has little room. */
static const struct About {
    const char *figure, *say, *at, *also;
} about[] = {
    {"llama-interleaved-block", "RoPE rotates adjacent pairs", "q_rope", "k_rope"},
    {"olmo2-gated", "QK-norm on the full width", "q_norm", "k_norm"},
    {"olmo2-gated", "a gate on the heads: closed at 0, open at 1", "sigmoid", "open"},
    {"llama3-block", "4 adjacent query heads share keys and values", "k_repeat",
     "v_repeat"},
    {"qwen3-block", "2 adjacent query heads share keys and values", "k_repeat",
     "v_repeat"},
    {"qwen3-block", "QK-norm per head", "q_norm", "k_norm"},
};

/* They stand at one of the marks, each of which has its bar, and nothing that leads there
 * passes an edge. */
static void
test_shipped(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(about); i++) {
        g_autoptr(FigRecord) record = record_of(about[i].figure, NULL, NULL);
        const char *const also[] = {about[i].also};
        const FigRecordClaim claim = {.id = "it",
                                      .say = {.text = about[i].say},
                                      .that = "true",
                                      .at = about[i].at,
                                      .also = also,
                                      .n_also = 1,
                                      .must = true,
                                      .holds = true,
                                      .by = "structure"};
        g_autoptr(FigScene) scene = NULL;
        Figure figure;

        record->n_claims = 1;
        record->claims = &claim;
        scene = draw(record, NULL, fonts);
        figure = read_figure(scene);
        check_rules(&figure, record);
        check_leaders(&figure, record, scene->root);
        g_assert_cmpint(crossings(&figure, scene->root), ==, 0);
        g_assert_null(find(scene->root, "it", true));
        g_assert_nonnull(find(scene->root, "it", false));
        g_assert_cmpint(bars(scene->root, "it"), ==, 2);
        close_figure(&figure);
    }
}

int
main(int argc, char **argv)
{
    int failed;

    g_test_init(&argc, &argv, NULL);
    fonts = open_fonts();
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *path = g_strdup_printf("/callouts/%s", cases[i].name);

        g_test_add_data_func(path, &cases[i], test_case);
    }
    g_test_add_func("/callouts/shipped", test_shipped);
    failed = g_test_run();
    fig_fonts_free(fonts);
    return failed;
}
