/* SPDX-License-Identifier: MIT
 *
 * Layouts: layouts/NAME.yaml, or a file of one's own. Each key is read here; what names
 * ops and claims is looked up in the record by overrides.c.
 */
#include "layouts/style.h"

#include "base/num.h"
#include "base/seen.h"
#include "layouts/layout.h"

#include <string.h>

static bool
read_bool(const FigYaml *root, const char *key, bool fallback, FigDiag *diag)
{
    const FigYaml *node = fig_yaml_lookup(root, key);

    if (!node)
        return fallback;
    if (node->kind == FIG_YAML_SCALAR && !strcmp(node->text, "true"))
        return true;
    if (node->kind == FIG_YAML_SCALAR && !strcmp(node->text, "false"))
        return false;
    fig_diag_error(diag, node->span, "‘%s’ is true or false", key);
    return fallback;
}

/* A text that is drawn, or NULL, reported. */
static const char *
read_sentence(const FigYaml *map, const char *key, FigDiag *diag)
{
    const char *text = fig_style_text(map, key, diag);
    g_autofree char *what = g_strdup_printf("‘%s:’", key);
    return text && fig_seen_check(fig_yaml_lookup(map, key), false, what, diag) ? text
                                                                                : NULL;
}

static void
read_classes(const FigYaml *classes, FigStyle *style, FigDiag *diag)
{
    static const char *const keys[] = {"title", "note", NULL};
    const char *names[FIG_CLASSES + 1] = {NULL};

    for (int c = 0; c < FIG_CLASSES; c++)
        names[c] = fig_class_name((FigClass)c);
    if (!classes || !fig_yaml_check_keys(classes, names, "classes", diag))
        return;
    for (int c = 0; c < FIG_CLASSES; c++) {
        const FigYaml *node = fig_yaml_lookup(classes, names[c]);

        if (!node || !fig_yaml_check_keys(node, keys, "a class", diag))
            continue;
        style->class_title[c] = read_sentence(node, "title", diag);
        style->class_note[c] = read_sentence(node, "note", diag);
    }
}

/* One of some words, by its number. */
static int
read_word(const FigYaml *root, const char *key, const char *const *words, int fallback,
          FigDiag *diag)
{
    const FigYaml *node = fig_yaml_lookup(root, key);
    g_autofree char *all = NULL;
    FigMessage *message;

    if (!node)
        return fallback;
    for (int i = 0; node->kind == FIG_YAML_SCALAR && words[i]; i++)
        if (!strcmp(node->text, words[i]))
            return i;
    all = g_strjoinv(", ", (char **)words);
    message = fig_diag_error(diag, node->span, "‘%s’ is one of %s", key, all);
    if (node->kind == FIG_YAML_SCALAR)
        fig_message_suggest(message, node->text, words);
    return fallback;
}

/* Names in a list, each with its place and once. */
static void
read_names(const FigYaml *node, const char *key, FigStyleNames *names, FigArena *arena,
           FigDiag *diag)
{
    bool one = node && node->kind == FIG_YAML_SCALAR;
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);

    if (!node)
        return;
    *names = (FigStyleNames){0};
    if (node->kind == FIG_YAML_MAP) {
        fig_diag_error(diag, node->span, "‘%s’ is a list of names", key);
        return;
    }
    names->name = fig_arena_new_array(arena, FigStyleName, one ? 1 : node->count + 1);
    for (int i = 0; i < (one ? 1 : node->count); i++) {
        const FigYaml *item = one ? node : node->items[i];

        if (item->kind != FIG_YAML_SCALAR)
            fig_diag_error(diag, item->span, "‘%s’ is a list of names", key);
        else if (!g_hash_table_add(seen, (char *)item->text))
            fig_diag_error(diag, item->span, "‘%s’ is listed twice", item->text);
        else
            names->name[names->n++] = (FigStyleName){item->text, item->span};
    }
}

/* Lists of names, or one. */
static void
read_order(const FigYaml *node, FigStyle *style, FigArena *arena, FigDiag *diag)
{
    bool nested = node && node->kind == FIG_YAML_LIST && node->count > 0 &&
                  node->items[0]->kind == FIG_YAML_LIST;

    if (!node)
        return;
    style->n_order = nested ? node->count : 1;
    style->order = fig_arena_new_array(arena, FigStyleNames, style->n_order);
    for (int i = 0; i < style->n_order; i++)
        read_names(nested ? node->items[i] : node, "order", &style->order[i], arena,
                   diag);
}

/* "all", "none", or the claims that are to stand beside their ops. */
static void
read_accents(const FigYaml *node, FigStyle *style, FigArena *arena, FigDiag *diag)
{
    bool word = node && node->kind == FIG_YAML_SCALAR;

    if (!node)
        return;
    style->accents = (FigStyleNames){0};
    style->some_accents = !(word && !strcmp(node->text, "all"));
    if (style->some_accents && !(word && !strcmp(node->text, "none")))
        read_names(node, "accents", &style->accents, arena, diag);
}

const char *const *
fig_style_keys(void)
{
    static const char *const keys[] = {
        "extends",       "classes", "legend", "claims",   "totals", "footer",  "shapes",
        "callout_width", "rail",    "lanes",  "callouts", "order",  "accents", NULL,
    };
    return keys;
}

/* Lay a layout over what `style` says already: first the one it extends. */
static bool
lay_style(const char *name, FigStyle *style, int depth, FigArena *arena, FigDiag *diag)
{
    enum { DEEPEST = 4 }; /* layouts that extend each other in a circle */
    static const char *const shapes[] = {
        [FIG_SHAPES_CHANGED] = "changed",
        [FIG_SHAPES_ALL] = "all",
        [FIG_SHAPES_NONE] = "none",
        NULL,
    };
    static const char *const rails[] = {"right", "left", NULL};
    g_auto(GStrv) known = fig_layout_names();
    const FigYaml *root = fig_style_open("layouts", name, "layout", known, arena, diag);
    const FigYaml *width;
    const char *below;

    if (!root || !fig_yaml_check_keys(root, fig_style_keys(), "a layout", diag))
        return false;
    below = fig_style_text(root, "extends", diag);
    if (below && depth == DEEPEST) {
        fig_diag_error(diag, root->span, "more than %d layouts extend each other",
                       DEEPEST);
        return false;
    }
    if (below && !lay_style(below, style, depth + 1, arena, diag))
        return false;
    read_classes(fig_yaml_lookup(root, "classes"), style, diag);
    style->legend = read_bool(root, "legend", style->legend, diag);
    style->claims = read_bool(root, "claims", style->claims, diag);
    style->totals = read_bool(root, "totals", style->totals, diag);
    style->footer = read_bool(root, "footer", style->footer, diag);
    style->callouts = read_bool(root, "callouts", style->callouts, diag);
    style->shapes =
        (FigShapes)read_word(root, "shapes", shapes, (int)style->shapes, diag);
    style->rail_left = read_word(root, "rail", rails, style->rail_left, diag) == 1;
    read_names(fig_yaml_lookup(root, "lanes"), "lanes", &style->lanes, arena, diag);
    read_order(fig_yaml_lookup(root, "order"), style, arena, diag);
    read_accents(fig_yaml_lookup(root, "accents"), style, arena, diag);
    width = fig_yaml_lookup(root, "callout_width");
    if (width && (width->kind != FIG_YAML_SCALAR ||
                  !fig_num_read_real(width->text, &style->callout_width)))
        fig_diag_error(diag, width->span, "‘callout_width’ is a number of points");
    return true;
}

const FigStyle *
fig_style_read(const char *name, FigArena *arena, FigDiag *diag)
{
    FigStyle *style = fig_arena_new0(arena, FigStyle);
    int before = fig_diag_errors(diag);

    style->legend = style->claims = style->totals = style->footer = true;
    style->callouts = true;
    style->callout_width = 116;
    return lay_style(name, style, 0, arena, diag) && fig_diag_errors(diag) == before
               ? style
               : NULL;
}
