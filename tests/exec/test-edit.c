/* SPDX-License-Identifier: MIT
 *
 * Edits of a run: what follows an edited value sees it, nothing else does, and a wrong
 * edit is told at its place.
 */
#include "specs.h"

#include <math.h>

static const FigOverride small[] = {{"T", "5"}, {"C", "24"}, {"H", "4"}, {NULL, NULL}};

typedef struct Edited {
    FigGraph *graph;
    FigArena *arena;
    FigRun *plain, *run; /* without and with the edits */
} Edited;

static Edited
run_edited(const FigOverride *dims, FigType type, const char *const *texts)
{
    Edited e = {.graph = load_block(dims), .arena = fig_arena_new()};
    g_autoptr(FigDiag) diag = fig_diag_new();
    const FigSizes *sizes = fig_graph_sizes(e.graph, NULL, e.arena, diag);
    FigEdit edits[4];
    int n = 0;
    for (; texts[n]; n++)
        if (!fig_edit_parse(e.graph, sizes, texts[n], (FigSpan){0}, diag, &edits[n]))
            g_error("%s", messages(diag));
    FigRunOptions options = {
        .numeric = true, .type = type, .naive = true, .keep_all = true, .seed = 3};
    e.plain = run_graph(e.graph, &options);
    options.n_edits = n;
    options.edits = edits;
    e.run = run_graph(e.graph, &options);
    return e;
}

static void
edited_free(Edited *e)
{
    fig_run_free(e->plain);
    fig_run_free(e->run);
    fig_graph_free(e->graph);
    fig_arena_free(e->arena);
}

static double
at(const FigRun *run, const char *id, int64_t i)
{
    const FigView *view = fig_run_value(run, id);
    g_assert_nonnull(view);
    return fig_view_number(view, i);
}

/* The largest difference of a value in the two runs. */
static double
difference(const Edited *e, const char *id)
{
    const FigView *a = fig_run_value(e->plain, id), *b = fig_run_value(e->run, id);
    double most = 0;
    for (int64_t i = 0; i < fig_view_count(a); i++)
        most = fmax(most, fabs(fig_view_number(a, i) - fig_view_number(b, i)));
    return most;
}

/* What the block promises: doubling what attention reads leaves its output as it was, up
 * to eps; doubling what the other sublayer reads does not. */
static void
test_input(void)
{
    Edited e = run_edited(small, FIG_F64, (const char *[]){"z *= 2", NULL});
    g_assert_cmpfloat(at(e.run, "z", 7), ==, 2 * at(e.plain, "z", 7));
    g_assert_cmpfloat(at(e.run, "qkv", 7), ==, 2 * at(e.plain, "qkv", 7));
    g_assert_cmpfloat(difference(&e, "attn_norm"), <, 1e-4);
    edited_free(&e);
    e = run_edited(small, FIG_F64, (const char *[]){"z1 *= 2", NULL});
    g_assert_cmpfloat(difference(&e, "attn_norm"), ==, 0);
    g_assert_cmpfloat(difference(&e, "ff_norm"), >, 1e-2);
    edited_free(&e);
}

/* A value that would be a view of another is changed alone: v_heads is cut from v, v from
 * qkv. */
static void
test_views(void)
{
    for (int type = FIG_F32; type <= FIG_F64; type++) {
        Edited e =
            run_edited(small, (FigType)type, (const char *[]){"v_heads = 0", NULL});
        g_assert_cmpfloat(difference(&e, "v"), ==, 0);
        g_assert_cmpfloat(difference(&e, "qkv"), ==, 0);
        g_assert_cmpfloat(difference(&e, "probs"), ==, 0);
        const FigView *mix = fig_run_value(e.run, "mix");
        for (int64_t i = 0; i < fig_view_count(mix); i++)
            g_assert_cmpfloat(fig_view_number(mix, i), ==, 0);
        edited_free(&e);
        e = run_edited(small, (FigType)type, (const char *[]){"v = 0", NULL});
        g_assert_cmpfloat(difference(&e, "qkv"), ==, 0);
        g_assert_cmpfloat(at(e.run, "v_heads", 11), ==, 0);
        edited_free(&e);
    }
}

/* A member of a joined weight is a part of it. */
static void
test_weights(void)
{
    Edited e = run_edited(small, FIG_F64, (const char *[]){"W_k = 0", NULL});
    g_assert_cmpfloat(difference(&e, "q"), ==, 0);
    g_assert_cmpfloat(difference(&e, "v"), ==, 0);
    for (int64_t i = 0; i < 5 * 24; i++)
        g_assert_cmpfloat(at(e.run, "k", i), ==, 0);
    /* no key is like another: each query sees those before it alike */
    g_assert_cmpfloat_with_epsilon(at(e.run, "probs", 2 * 5 + 1), 1.0 / 3, 1e-12);
    edited_free(&e);
}

/* Slices: ten of the first head's width, the last token, all but the first. */
static void
test_parts(void)
{
    static const struct {
        const char *edit;
        int token_from, token_to, from, to; /* where q, 5 × 24, is changed */
    } rows[] = {
        {"q[..., :h_d] += 1", 0, 5, 0, 6},
        {"q[…, :h_d] += 1", 0, 5, 0, 6},
        {"q[0, 1:3, h_d:2*h_d] += 1", 1, 3, 6, 12},
        {"q[:, -1] += 1", 4, 5, 0, 24},
        {"q[..., -1] += 1", 0, 5, 23, 24},
        {"q[0, ..., :-C/2] += C/24", 0, 5, 0, 12},
        {"q[:, 1:, ...] += 1", 1, 5, 0, 24},
        {"q += 1", 0, 5, 0, 24},
        {"q[:]  +=  sqrt(4) - 1", 0, 5, 0, 24},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        Edited e = run_edited(small, FIG_F64, (const char *[]){rows[i].edit, NULL});
        for (int t = 0; t < 5; t++)
            for (int c = 0; c < 24; c++) {
                bool inside = t >= rows[i].token_from && t < rows[i].token_to &&
                              c >= rows[i].from && c < rows[i].to;
                double before = at(e.plain, "q", t * 24 + c);
                g_assert_cmpfloat(at(e.run, "q", t * 24 + c), ==,
                                  inside ? before + 1 : before);
            }
        edited_free(&e);
    }
}

static void
test_order(void)
{
    Edited e = run_edited(
        small, FIG_F64,
        (const char *[]){"z = 3", "z[:, 0] *= 2", "z += 1", "gate = 1", NULL});
    g_assert_cmpfloat(at(e.run, "z", 0), ==, 7);
    g_assert_cmpfloat(at(e.run, "z", 24), ==, 4);
    g_assert_cmpfloat_with_epsilon(at(e.run, "silu", 0), 1 / (1 + exp(-1)), 1e-15);
    edited_free(&e);
}

/* Seeded numbers of the value's own size, the same for the same seed. */
static void
test_seeded(void)
{
    double data[12] = {4, -4, 4, -4, 4, -4, 4, -4, -INFINITY, 4, 4, 4}, first[12];
    const int64_t size[2] = {3, 4};
    FigView view = fig_view_dense(data, FIG_F64, 2, size);
    FigEdit edit = {.sign = FIG_EDIT_REPLACE, .seed = 1};
    edit.part = (FigPart){.rank = 2, .from = {1, 0}, .to = {3, 4}};
    fig_edit_apply(&edit, &view);
    for (int i = 0; i < 12; i++) {
        first[i] = data[i];
        if (i < 4)
            g_assert_cmpfloat(data[i], ==, i % 2 ? -4 : 4);
        else
            g_assert_true(fabs(data[i]) < 4 * sqrt(3) && fabs(data[i]) > 0);
    }
    fig_edit_apply(&edit, &view);
    g_assert_cmpfloat(data[5] / first[5], >, 0);
    edit.sign = FIG_EDIT_SHIFT;
    edit.seed = 2;
    for (int i = 0; i < 12; i++)
        data[i] = 0;
    fig_edit_apply(&edit, &view);
    g_assert_cmpfloat(data[0], ==, 0);
    g_assert_true(data[4] != 0 && fabs(data[4]) < sqrt(3));
    edit.sign = FIG_EDIT_DISTURB;
    for (int i = 0; i < 12; i++)
        data[i] = i < 4 ? 0 : i % 2 ? 1000 : -1000;
    fig_edit_apply(&edit, &view);
    for (int i = 0; i < 12; i++) {
        bool moved = i >= 4 && i % 2 == 0;
        g_assert_true(i < 4   ? data[i] == 0
                      : moved ? data[i] != -1000
                              : data[i] != 1000 && fabs(data[i]) < 1000 * sqrt(3));
    }
    edit.sign = FIG_EDIT_SHIFT;
    for (int i = 4; i < 12; i++) { /* what is moved stands around where it was */
        double disturbed = data[i];
        data[i] = i % 2 ? 1000 : -1000;
        first[i] = disturbed;
    }
    fig_edit_apply(&edit, &view);
    for (int i = 4; i < 12; i++)
        g_assert_true((data[i] == first[i]) == (i % 2 == 0));
}

static void
test_mistakes(void)
{
    static const struct {
        const char *edit, *message;
    } rows[] = {
        {"z", "error: ‘z’ is no edit: V = x, V += x or V *= x\n"},
        {"z -= 1", "error: ‘z -= 1’ is no edit: V = x, V += x or V *= x\n"},
        {"z == 1", "error: ‘z == 1’ is no edit: V = x, V += x or V *= x\n"},
        {"= 1", "error: ‘= 1’ is no edit: V = x, V += x or V *= x\n"},
        {"", "error: ‘’ is no edit: V = x, V += x or V *= x\n"},
        {"prob = 1", "error: there is no value ‘prob’ to edit\n"
                     "      = hint: did you mean ‘probs’?\n"},
        {"split = 1", "error: op ‘split’ has 3 results; an edit changes one\n"},
        {"z + 1 = 1", "error: an edit changes a value, V or V[…], not an expression\n"},
        {"z[:, 5] = 1", "error: nothing is there: axis ‘T’ has 5 entries\n"},
        {"z[:, 3:2] = 1", "error: nothing is there: axis ‘T’ has 5 entries\n"},
        {"z[0, 0, 0, 0] = 1", "error: 4 indices for 3 axes\n"},
        {"z[..., 0, ...] = 1", "error: ‘...’ stands once in an index\n"},
        {"z[1/2] = 1", "error: an index is a whole number\n"},
        {"z = epps", "error: unknown name ‘epps’\n"
                     "      = hint: did you mean ‘eps’?\n"},
        {"z = probs", "error: unknown name ‘probs’\n"},
        {"z = ", "error: the expression is empty\n"},
    };
    g_autoptr(FigGraph) graph = load_block(small);
    g_autoptr(FigArena) arena = fig_arena_new();
    const FigSizes *sizes = fig_graph_sizes(graph, NULL, arena, NULL);
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(FigDiag) diag = fig_diag_new();
        FigEdit edit;
        g_assert_false(
            fig_edit_parse(graph, sizes, rows[i].edit, (FigSpan){0}, diag, &edit));
        g_autofree char *said = messages(diag);
        g_assert_true(g_str_has_suffix(said, rows[i].message) ||
                      (g_test_message("%s: %s", rows[i].edit, said), false));
    }
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/edit/input", test_input);
    g_test_add_func("/edit/views", test_views);
    g_test_add_func("/edit/weights", test_weights);
    g_test_add_func("/edit/parts", test_parts);
    g_test_add_func("/edit/order", test_order);
    g_test_add_func("/edit/seeded", test_seeded);
    g_test_add_func("/edit/mistakes", test_mistakes);
    return g_test_run();
}
