/* SPDX-License-Identifier: MIT
 *
 * Two computations do not give one picture: whatever attribute of whatever op has another
 * value, the words of the figure are others, or the attribute is among those that `check`
 * and the figure's description name as computed and not drawn.
 *
 * Every attribute of the op table has its turn: in the shipped blocks, and in a spec below
 * that has the ops which no block has. A new op with attributes belongs there.
 */
#include "claims.h"

#include "check/changes.h"
#include "layouts/layout.h"

#include <string.h>

static const char others[] =
    "opfig: 1\nname: others\n"
    "dims: {B: {is: 3}, T: {is: 8}, C: {is: 12}, V: {is: 40}, H: {is: 3}}\n"
    "inputs: {t: {shape: [B, T]}, a: {shape: [B, T, C]}, p: {shape: [B, T + 2, C]},\n"
    "  s: {shape: [B, T, T + 2]}}\n"
    "weights: {W: {shape: [V, C]}, b: {shape: [C]}}\n"
    "ops:\n"
    "  - {id: rows, op: embed, in: [t, W]}\n"
    "  - {id: sum, op: add, in: [rows, a]}\n"
    "  - {id: bent, op: gelu, in: sum, form: tanh}\n"
    "  - {id: cut, op: clip, in: bent, limit: 3}\n"
    "  - {id: flat, op: layernorm, in: cut, eps: 1e-5}\n"
    "  - {id: biased, op: add_bias, in: [flat, b]}\n"
    "  - {id: longer, op: concat, in: [biased, p], axis: T}\n"
    "  - {id: part, op: slice, in: longer, axis: 1, from: 1, to: T}\n"
    "  - {id: llama, op: rope, in: part, theta: 100,\n"
    "     scaling: {type: llama3, factor: 4, original: 16, low: 1, high: 4}}\n"
    "  - {id: yarn, op: rope, in: llama, theta: 100, from: 2,\n"
    "     scaling: {type: yarn, factor: 4, original: 16, beta_fast: 32, beta_slow: 1,\n"
    "       attention_factor: 1.2}}\n"
    "  - {id: seen, op: causal_mask, in: s, from: 2}\n"
    "  - {id: near, op: window_mask, in: seen, window: 4, from: 2}\n"
    "  - {id: parts, op: split, in: near, sizes: [T, 2], out: [left, right]}\n"
    "  - {id: both, op: concat, in: [a, rows], axis: T}\n"
    "  - {id: piece, op: slice, in: a, axis: T, from: 1, to: 6}\n"
    "  - {id: heads, op: split_heads, in: a, heads: 3}\n"
    "  - {id: twice, op: repeat_heads, in: heads, times: 2}\n"
    "outputs: [yarn, left, right, both, piece, twice]\n";

static const char *const forms[] = {
    "olmo1-block",
    "olmo1-block\nconstants: {clip: {is: 1}}",
    "olmo2-block\ndims: {G: {is: H / 2}}",
    "olmo2-gated",
    "olmo3-block",
    "olmo3-block\nconstants: {kind: {is: full}}",
    "llama3-block",
    "llama-interleaved-block",
    NULL, /* the others */
};

static FigFonts *fonts;
static GHashTable *told; /* "op.attribute" */

typedef struct Picture {
    GString *words;    /* all that is written, the footer with its digest aside */
    char *description; /* of the figure */
} Picture;

static void
collect(GString *out, const FigItem *group)
{
    for (const FigItem *item = group->first; item; item = item->next) {
        if (g_strcmp0(item->means.part, "footer") == 0)
            continue;
        if (item->kind == FIG_ITEM_TEXT)
            g_string_append_printf(out, "%s\n", item->text->source);
        else if (item->kind == FIG_ITEM_GROUP)
            collect(out, item);
    }
}

static bool
draw(const FigGraph *graph, Picture *picture)
{
    g_autoptr(FigDiag) diag = fig_diag_new();
    g_autoptr(FigRun) shapes = fig_run_new(graph, &(FigRunOptions){0}, diag);
    if (!shapes)
        return false;
    g_autoptr(FigRecord) record = fig_record_new(graph, shapes, shapes, NULL, NULL);
    const FigLayoutOptions layout = {.options = ""};
    g_autoptr(FigScene) scene = fig_layout_place(record, &layout, fonts, diag);
    if (!scene)
        die(diag);
    picture->words = g_string_new(NULL);
    collect(picture->words, scene->root);
    picture->description = g_strdup(scene->description);
    return true;
}

static void
picture_free(Picture *picture)
{
    g_string_free(picture->words, TRUE);
    g_free(picture->description);
}

/* Is the attribute in the list of what is computed and not drawn? */
static bool
is_listed(const Picture *picture, const char *attribute)
{
    const char *list = strstr(picture->description, "omputed, not drawn: ");
    if (!list)
        return false;
    g_autofree char *line = g_strndup(list, strcspn(list, "\n"));
    g_autofree char *pattern = g_strdup_printf("\\b%s\\b", attribute);
    return g_regex_match_simple(pattern, line, 0, 0);
}

static void
tell(const FigGraph *graph, const Picture *sound, const FigChange *change)
{
    const FigOp *op = graph->nodes[change->node].op;
    const FigAttr *attr = &op->attrs[change->attribute];
    g_autoptr(FigGraph) changed = fig_change_load(graph, change->edit, NULL);
    Picture other;
    if (!changed && attr->shows == FIG_SHOWS_IN_SHAPES) /* shapes leave it no choice */
        g_hash_table_add(told, g_strdup_printf("%s.%s", op->name, attr->name));
    if (!changed || !draw(changed, &other))
        return;
    bool differs = strcmp(sound->words->str, other.words->str) != 0;
    bool drawn = attr->shows != FIG_COMPUTED_NOT_DRAWN;
    if (drawn && !differs)
        g_error("%s: %s of %s changes and no word of the figure does", change->edit,
                attr->name, op->name);
    if (!drawn && !is_listed(sound, attr->name) && !is_listed(&other, attr->name))
        g_error("%s: %s of %s is neither drawn nor listed: %s", change->edit,
                attr->name, op->name, sound->description);
    g_hash_table_add(told, g_strdup_printf("%s.%s", op->name, attr->name));
    picture_free(&other);
}

static void
test_form(gconstpointer data)
{
    const char *form = data;
    g_autofree char *variant =
        g_strdup_printf("opfig: 1\nname: whole\nextends: %s\n", form ? form : "");
    const char *text = form ? variant : others;
    g_autoptr(FigDiag) diag = fig_diag_new();
    g_autoptr(FigArena) arena = fig_arena_new();
    g_autoptr(FigGraph) graph =
        fig_spec_load_text("a.yaml", text, strlen(text), NULL, diag);
    if (!graph)
        die(diag);
    g_autoptr(FigGraph) same = fig_change_load(graph, "[]", diag);
    Picture sound;
    if (!same || !draw(same, &sound))
        die(diag);
    int n, asked = 0;
    const FigChange *changes = fig_changes(graph, arena, &n);
    for (int i = 0; i < n; i++)
        if (changes[i].attribute >= 0) {
            tell(graph, &sound, &changes[i]);
            asked++;
        }
    g_assert_cmpint(asked, >, 5);
    picture_free(&sound);
}

/* Comes last: has every attribute of every op had its turn? */
static void
test_all(void)
{
    bool all = true;
    for (const FigOp *const *op = fig_op_all(); *op; op++)
        for (int i = 0; i < fig_op_attr_count(*op); i++) {
            g_autofree char *name =
                g_strdup_printf("%s.%s", (*op)->name, (*op)->attrs[i].name);
            if (!g_hash_table_contains(told, name))
                g_printerr("no test changed %s\n", name);
            all = all && g_hash_table_contains(told, name);
        }
    g_assert_true(all);
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_autoptr(GError) error = NULL;
    fonts = fig_fonts_new(&error);
    g_assert_no_error(error);
    told = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(forms); i++) {
        g_autofree char *form =
            g_strdelimit(g_strdup(forms[i] ? forms[i] : "others"), "\n/", ' ');
        g_autofree char *name = g_strdup_printf("/tell-apart/%02d %s", (int)i, form);
        g_test_add_data_func(name, forms[i], test_form);
    }
    g_test_add_func("/tell-apart/zz all", test_all);
    int status = g_test_run();
    g_hash_table_unref(told);
    fig_fonts_free(fonts);
    return status;
}
