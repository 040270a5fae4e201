/* SPDX-License-Identifier: MIT
 *
 * Variants: each edit gives the graph that the spec written whole gives; what a figure
 * carries loads again, without a file; places stay in the file where a thing is written.
 */
#include "spec/load.h"

#include "base/file.h"

#include <glib/gstdio.h>
#include <string.h>

static const char base[] =
    "opfig: 1\n"
    "name: base\n"
    "title: the base\n"
    "dims:\n"
    "  T: {is: 4}\n"
    "  C: {is: 8}\n"
    "  F: {is: 2*C}\n"
    "constants:\n"
    "  eps: {is: 1e-6}\n"
    "inputs:\n"
    "  x: {shape: [T, C]}\n"
    "weights:\n"
    "  g: {shape: [C]}\n"
    "  W: {shape: [C, F]}\n"
    "  V: {shape: [F, C]}\n"
    "ops:\n"
    "  - group: mlp\n"
    "    ops:\n"
    "      - {id: n, op: rmsnorm, in: [x, g], eps: eps}\n"
    "      - {id: up, op: matmul, in: [n, W]}\n"
    "      - {id: act, op: silu, in: up}\n"
    "      - {id: down, op: matmul, in: [act, V]}\n"
    "  - {id: y, op: add, in: [x, down]}\n"
    "outputs: [y]\n"
    "claims:\n"
    "  - {id: n_first, say: norm first, that: \"reads(up, n)\"}\n";

/* A variant of the base as one text. */
static char *
variant(const char *edits)
{
    return g_strdup_printf("opfig: 1\nname: other\nextends: base\n%s\n--- # extended: "
                           "base\n%s",
                           edits, base);
}

static FigGraph *
load(const char *text, FigDiag *diag)
{
    return fig_spec_load_text("other.yaml", text, strlen(text), NULL, diag);
}

static char *
messages(const FigDiag *diag)
{
    GString *out = g_string_new(NULL);
    fig_diag_print(diag, out, false);
    return g_string_free(out, FALSE);
}

static FigGraph *
load_variant(const char *edits)
{
    g_autofree char *text = variant(edits);
    g_autoptr(FigDiag) diag = fig_diag_new();
    FigGraph *graph = load(text, diag);
    g_autofree char *said = messages(diag);
    g_assert_cmpstr(said, ==, "");
    g_assert_nonnull(graph);
    return graph;
}

/* "n(x g) up(n W)": what is computed from what, group by group. */
static char *
story(const FigGraph *graph)
{
    GString *out = g_string_new(NULL);
    for (int i = 0; i < graph->n_nodes; i++) {
        const FigNode *node = &graph->nodes[i];
        g_string_append_printf(out, "%s%s%s:%s(", i ? " " : "",
                               node->group >= 0 ? "." : "", node->id, node->op->name);
        for (int k = 0; k < node->n_reads; k++)
            g_string_append_printf(out, "%s%s", k ? " " : "",
                                   graph->values[node->reads[k].value].id);
        g_string_append_c(out, ')');
    }
    return g_string_free(out, FALSE);
}

#define NORM ".n:rmsnorm(x g) "
#define UP ".up:matmul(n W) "
#define ACT ".act:silu(up) "
#define DOWN ".down:matmul(act V) "
#define SUM "y:add(x down)"

static void
test_edits(void)
{
    static const struct {
        const char *edits, *story;
    } rows[] = {
        {"title: another", NORM UP ACT DOWN SUM},
        {"edit: [{after: up, ops: [{id: s, op: sigmoid, in: up}]}, {set: act, in: s}]",
         NORM UP ".s:sigmoid(up) .act:silu(s) " DOWN SUM},
        {"edit: [{before: n, ops: [{id: a, op: silu, in: x}, {id: b, op: silu, in: "
         "a}]}, "
         "{set: n, in: [b, g]}]",
         ".a:silu(x) .b:silu(a) .n:rmsnorm(b g) " UP ACT DOWN SUM},
        /* a dropped op is bypassed, and its weight goes with it */
        {"edit: [{drop: n}, {drop: n_first}]", ".up:matmul(x W) " ACT DOWN SUM},
        {"edit: [{drop: act}]", NORM UP ".down:matmul(up V) " SUM},
        {"edit: [{replace: act, op: gelu, in: up}]", NORM UP ".act:gelu(up) " DOWN SUM},
        {"edit: [{replace: act, ops: [{id: s, op: sigmoid, in: up}, {id: act, op: mul, "
         "in: [s, up]}]}]",
         NORM UP ".s:sigmoid(up) .act:mul(s up) " DOWN SUM},
        {"edit: [{after: mlp, ops: [{id: z, op: silu, in: down}]}, {set: y, in: [x, "
         "z]}]",
         NORM UP ACT DOWN "z:silu(down) y:add(x z)"},
        {"weights: {U: {shape: [C, F]}}\nedit: [{set: up, in: [n, U]}, {drop: W}]",
         NORM ".up:matmul(n U) " ACT DOWN SUM},
        {"edit: [{after: act, ops: [{id: act, op: gelu, in: up, when: T > 9}]}, "
         "{set: act.gelu, when: T < 9}, {set: act.silu, when: T > 9}]",
         NORM UP ".act:gelu(up) " DOWN SUM},
        {"edit: [{drop: up}, {drop: act}, {set: F, is: C}, {drop: n_first}]",
         NORM ".down:matmul(n V) " SUM},
    };
    g_autoptr(FigDiag) diag = fig_diag_new();
    g_autoptr(FigGraph) whole = load(base, diag);
    const FigLoadOptions parsed = {.parsed = whole};
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(FigGraph) graph = load_variant(rows[i].edits);
        g_autofree char *found = story(graph);
        g_assert_cmpstr(found, ==, rows[i].story);
        /* the base need not be parsed for that, and stays what it was */
        g_autofree char *text = variant(rows[i].edits);
        g_autoptr(FigGraph) changed =
            fig_spec_load_text("other.yaml", text, strlen(text), &parsed, diag);
        g_autofree char *same = story(changed);
        g_assert_cmpstr(same, ==, rows[i].story);
        g_assert_cmpint(changed->n_parsed, ==, 2);
        g_assert_true(changed->parsed[1].root == whole->parsed[0].root);
    }
    g_autoptr(FigGraph) again =
        fig_spec_load_text("other.yaml", base, strlen(base), &parsed, diag);
    g_autofree char *left = story(again);
    g_assert_cmpstr(left, ==, NORM UP ACT DOWN SUM);
}

static void
test_sections(void)
{
    g_autoptr(FigGraph) graph = load_variant(
        "title: another\n"
        "dims: {F: {is: 3*C}}\n"
        "constants: {eps: {label: e}}\n"
        "claims: [{id: wide, say: wide, that: \"F == 3*C\"}]\n"
        "notes: [a note]\n"
        "edit: [{set: eps, is: 1e-5}, {set: n_first, must: false}, {after: C, dims: "
        "{K: "
        "{is: 5}}}, {before: wide, claims: [{id: k, say: five, that: \"K == 5\"}]}]");
    g_assert_cmpstr(graph->name, ==, "other");
    g_assert_cmpstr(graph->title.text, ==, "another");
    g_assert_cmpint(graph->dims[fig_graph_dim(graph, "F")].size, ==, 24);
    g_assert_cmpint(fig_graph_dim(graph, "K"), ==, 2);
    g_assert_cmpfloat(graph->constants[0].real, ==, 1e-5);
    g_assert_cmpstr(graph->constants[0].label, ==, "e");
    g_assert_cmpint(graph->n_claims, ==, 3);
    g_assert_cmpstr(graph->claims[0].id, ==, "n_first");
    g_assert_false(graph->claims[0].must);
    g_assert_cmpstr(graph->claims[1].id, ==, "k");
    g_assert_cmpstr(graph->claims[2].id, ==, "wide");
    g_assert_cmpint(graph->n_notes, ==, 1);
    g_assert_false(graph->shipped);
}

static void
test_errors(void)
{
    static const struct {
        const char *edits, *first, *also;
    } rows[] = {
        {"edit: [{drop: nn}]",
         "other.yaml:4:15: error: there is nothing ‘nn’ to change",
         "did you mean ‘n’?"},
        {"edit: [{after: up, op: silu}]",
         "other.yaml:4:20: error: this edit has no key ‘op’", "after, ops"},
        {"edit: [{rename: up}]",
         "other.yaml:4:9: error: an edit starts with after, before, set, drop or "
         "replace",
         NULL},
        {"edit: [{drop: y}]",
         "other.yaml:4:15: error: ‘y’ is still read, and what it reads is not one "
         "value",
         NULL},
        {"edit: [{set: n, say: norm first, not last}]",
         "other.yaml:4:34: error: there is no ‘not last:’ to take away", "quotes"},
        {"claims: [{id: n, say: n}]\nedit: [{set: n, eps: 1}]",
         "other.yaml:5:14: error: ‘n’ stands more than once",
         "‘ops.n’ or ‘claims.n’ says which"},
        {"ops: []", "other.yaml:4:1: error: a spec that extends another has its ops",
         "‘edit:’"},
        /* in the base, at its own place, because of the variant */
        {"dims: {F: {is: 3*C}}\nedit: [{set: W, shape: [C, C]}]",
         "other.yaml, base:22:42: error: down cannot read these shapes: "
         "k is C in a but F in b",
         NULL},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *text = variant(rows[i].edits);
        g_autoptr(FigDiag) diag = fig_diag_new();
        g_autoptr(FigGraph) graph = load(text, diag);
        g_autofree char *said = messages(diag);
        g_assert_null(graph);
        g_autofree char *first = g_strndup(said, strcspn(said, "\n"));
        g_assert_cmpstr(first, ==, rows[i].first);
        if (rows[i].also && !strstr(said, rows[i].also))
            g_error("%s is not in %s", rows[i].also, said);
    }
}

/* What travels is the same spec, wherever it is read. */
static void
test_travels(void)
{
    g_autofree char *folder = g_dir_make_tmp("opfig-extend-XXXXXX", NULL);
    g_autofree char *mine = g_build_filename(folder, "mine.yaml", NULL);
    g_autofree char *theirs = g_build_filename(folder, "base.yaml", NULL);
    /* no line break at the end: the parts must not run into each other */
    const char *text = "opfig: 1\nname: mine\nextends: base.yaml\nedit: [{drop: act}]";
    g_assert_true(g_file_set_contents(mine, text, -1, NULL));
    g_assert_true(g_file_set_contents(theirs, base, -1, NULL));
    g_autoptr(FigDiag) diag = fig_diag_new();
    g_autoptr(FigGraph) first = fig_spec_load(mine, NULL, diag);
    g_assert_nonnull(first);
    g_unlink(mine);
    g_unlink(theirs);
    g_rmdir(folder);
    g_autoptr(FigGraph) again =
        fig_spec_load_text("figure", first->text, first->text_length, NULL, diag);
    g_assert_nonnull(again);
    g_autofree char *one = story(first), *two = story(again);
    g_assert_cmpstr(one, ==, two);
    g_assert_cmpstr(again->text, ==, first->text);
    g_assert_cmpuint(again->text_length, ==, strlen(again->text));
    /* alone it is not whole, and a text reads no file */
    g_autoptr(FigGraph) alone = load(text, diag);
    g_assert_null(alone);
    g_autofree char *said = messages(diag);
    g_assert_nonnull(strstr(said, "there is no spec ‘base.yaml’ to extend"));
}

static void
test_shipped(void)
{
    g_autoptr(FigDiag) diag = fig_diag_new();
    g_autofree char *path = fig_spec_find("olmo2-gated", diag);
    g_autoptr(FigGraph) graph = fig_spec_load(path, NULL, diag);
    g_assert_nonnull(graph);
    g_assert_true(graph->shipped);
    g_autoptr(FigGraph) carried =
        fig_spec_load_text("figure", graph->text, graph->text_length, NULL, diag);
    g_assert_true(carried->shipped);
    /* a base that somebody touched is not the shipped one */
    g_autoptr(GString) touched = g_string_new(graph->text);
    g_assert_cmpuint(g_string_replace(touched, "eps: {is: 1e-6", "eps: {is: 1e-5", 0),
                     ==, 1);
    g_autoptr(FigGraph) other =
        fig_spec_load_text("figure", touched->str, touched->len, NULL, diag);
    g_assert_nonnull(other);
    g_assert_false(other->shipped);
    /* short enough to show what a variant is */
    g_auto(GStrv) lines = g_strsplit(graph->source->text, "\n", -1);
    g_assert_cmpuint(g_strv_length(lines), <=, 20);
    int open = fig_graph_node(graph, "opened");
    g_assert_cmpint(graph->nodes[open + 1].reads[0].value, ==,
                    fig_graph_value(graph, "opened"));
    g_assert_cmpstr(graph->nodes[open + 1].id, ==, "proj");
}

/* Specs that extend each other end. */
static void
test_circle(void)
{
    g_autofree char *folder = g_dir_make_tmp("opfig-extend-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(folder, "me.yaml", NULL);
    g_assert_true(
        g_file_set_contents(path, "opfig: 1\nname: me\nextends: me.yaml\n", -1, NULL));
    g_autoptr(FigDiag) diag = fig_diag_new();
    g_autoptr(FigGraph) graph = fig_spec_load(path, NULL, diag);
    g_assert_null(graph);
    g_autofree char *said = messages(diag);
    g_assert_nonnull(strstr(said, "specs that extend specs, more than 8"));
    g_unlink(path);
    g_rmdir(folder);
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/extend/edits", test_edits);
    g_test_add_func("/extend/sections", test_sections);
    g_test_add_func("/extend/errors", test_errors);
    g_test_add_func("/extend/travels", test_travels);
    g_test_add_func("/extend/shipped", test_shipped);
    g_test_add_func("/extend/circle", test_circle);
    return g_test_run();
}
