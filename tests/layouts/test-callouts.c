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
    {"between-marks", gate, "gate", "the gate", LISTED},
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
    failed = g_test_run();
    fig_fonts_free(fonts);
    return failed;
}
