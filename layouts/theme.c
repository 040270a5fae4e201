/* SPDX-License-Identifier: MIT
 *
 * Themes, layouts/themes/NAME.yaml, and how files of both kinds are opened.
 */
#include "layouts/style.h"

#include "base/cells.h"
#include "base/file.h"
#include "base/limit.h"
#include "base/yaml.h"
#include "layouts/layout.h"

#include <stdlib.h>
#include <string.h>

static int
by_name(const void *left, const void *right)
{
    return strcmp(*(char *const *)left, *(char *const *)right);
}

/* Names of the files FOLDER/NAME.yaml that ship. */
static char **
names_in(const char *folder)
{
    g_autofree char *path = fig_data_path(folder);
    g_autoptr(GDir) dir = path ? g_dir_open(path, 0, NULL) : NULL;
    GPtrArray *names = g_ptr_array_new();
    const char *file;

    while (dir && (file = g_dir_read_name(dir)))
        if (g_str_has_suffix(file, ".yaml"))
            g_ptr_array_add(names, g_strndup(file, strlen(file) - strlen(".yaml")));
    g_ptr_array_sort(names, by_name);
    g_ptr_array_add(names, NULL);
    return (char **)g_ptr_array_free(names, FALSE);
}

char **
fig_layout_names(void)
{
    return names_in("layouts");
}

char **
fig_theme_names(void)
{
    return names_in("layouts/themes");
}

/* A file that ships with the program, by its name. */
static bool
is_known(const char *folder, const char *name, const char *what, char **known,
         FigDiag *diag)
{
    g_autofree char *all = NULL;
    FigMessage *message;

    if (!*known) {
        g_autofree char *places = fig_data_places(folder);

        message = fig_diag_error(diag, (FigSpan){0},
                                 "the program's own %ss were not found", what);
        fig_message_note(message, "they were looked for in %s", places);
        return false;
    }
    if (g_strv_contains((const char *const *)known, name))
        return true;
    all = g_strjoinv(", ", known);
    message = fig_diag_error(diag, (FigSpan){0}, "unknown %s ‘%s’", what, name);
    fig_message_suggest(message, name, (const char *const *)known);
    fig_message_note(message, "there are: %s", all);
    return false;
}

const FigYaml *
fig_style_open(const char *folder, const char *name, const char *what, char **known,
               FigArena *arena, FigDiag *diag)
{
    FigSource *source = fig_arena_new0(arena, FigSource);
    bool own = strchr(name, '/') || g_str_has_suffix(name, ".yaml");
    g_autofree char *shown =
        own ? g_strdup(name) : g_strdup_printf("%s/%s.yaml", folder, name);
    g_autofree char *path = NULL, *text = NULL;
    g_autoptr(GError) error = NULL;

    if (!own && !is_known(folder, name, what, known, diag))
        return NULL;
    path = own ? g_strdup(name) : fig_data_path(shown);
    if (!path || !fig_file_read(path, FIG_LIMIT_FILE, &text, &source->length, &error)) {
        fig_diag_error(diag, (FigSpan){0}, "cannot read %s: %s", shown,
                       error ? error->message : "no such file");
        return NULL;
    }
    source->name = fig_arena_strdup(arena, shown);
    source->text = fig_arena_strndup(arena, text, source->length);
    return fig_yaml_read(source, arena, diag);
}

/* ---- themes ---- */

static bool
read_colour(const FigYaml *node, FigColour *colour, FigDiag *diag)
{
    int digit[6];

    if (node->kind == FIG_YAML_SCALAR && strlen(node->text) == 7 &&
        *node->text == '#') {
        bool good = true;

        for (int i = 0; i < 6; i++) {
            digit[i] = g_ascii_xdigit_value(node->text[i + 1]);
            good = good && digit[i] >= 0;
        }
        if (good) {
            colour->r = (uint8_t)(digit[0] * 16 + digit[1]);
            colour->g = (uint8_t)(digit[2] * 16 + digit[3]);
            colour->b = (uint8_t)(digit[4] * 16 + digit[5]);
            return true;
        }
    }
    fig_diag_error(diag, node->span, "a colour is wanted, as '#1d232b'");
    return false;
}

const char *
fig_style_text(const FigYaml *map, const char *key, FigDiag *diag)
{
    const FigYaml *node = fig_yaml_lookup(map, key);

    if (!node)
        return NULL;
    if (node->kind == FIG_YAML_SCALAR)
        return node->text;
    fig_diag_error(diag, node->span, "‘%s’ is a text", key);
    return NULL;
}

/* The family of words, one that text/ has. */
static const char *
read_words(const FigYaml *root, const char *otherwise, FigDiag *diag)
{
    const char *family = fig_style_text(root, "words", diag);

    if (!family)
        return otherwise;
    if (!g_strv_contains(fig_fonts_families(), family)) {
        FigMessage *message = fig_diag_error(diag, fig_yaml_lookup(root, "words")->span,
                                             "no words are set in ‘%s’", family);

        fig_message_suggest(message, family, fig_fonts_families());
    }
    return family;
}

/* Inks that a theme does not name: they follow from others. */
static bool
is_mixed(int ink)
{
    return ink == FIG_INK_DRAFT_PALE;
}

/* What is written across the page lies under it: as if an eighth of its ink were there. */
static void
mix_inks(FigColour palette[FIG_INKS])
{
    enum { SHARE = 8 };
    const FigColour draft = palette[FIG_INK_DRAFT], paper = palette[FIG_INK_PAPER];

    palette[FIG_INK_DRAFT_PALE] =
        (FigColour){(uint8_t)((draft.r + (SHARE - 1) * paper.r + SHARE / 2) / SHARE),
                    (uint8_t)((draft.g + (SHARE - 1) * paper.g + SHARE / 2) / SHARE),
                    (uint8_t)((draft.b + (SHARE - 1) * paper.b + SHARE / 2) / SHARE)};
}

/* Lay a theme over what `theme` says already: first the one it extends. */
static bool
lay_theme(const char *name, FigTheme *theme, bool known[FIG_INKS], int depth,
          FigArena *arena, FigDiag *diag)
{
    enum { DEEPEST = 4 }; /* themes that extend each other in a circle */
    static const char *const more[] = {"extends", "dark", "words"};
    g_auto(GStrv) names = fig_theme_names();
    const FigYaml *root =
        fig_style_open("layouts/themes", name, "theme", names, arena, diag);
    const char *keys[FIG_INKS + G_N_ELEMENTS(more) + 1] = {NULL};
    const char *below, *dark;
    int n_keys = 0;

    for (int ink = FIG_INK_NONE + 1; ink < FIG_INKS; ink++)
        if (!is_mixed(ink))
            keys[n_keys++] = fig_ink_name((FigInk)ink);
    for (size_t i = 0; i < G_N_ELEMENTS(more); i++)
        keys[n_keys++] = more[i];
    if (!root || !fig_yaml_check_keys(root, keys, "a theme", diag))
        return false;
    below = fig_style_text(root, "extends", diag);
    dark = fig_style_text(root, "dark", diag);
    if ((below || dark) && depth == DEEPEST) {
        fig_diag_error(diag, root->span, "more than %d themes extend each other",
                       DEEPEST);
        return false;
    }
    if (below && !lay_theme(below, theme, known, depth + 1, arena, diag))
        return false;
    theme->words = read_words(root, theme->words, diag);
    for (int ink = FIG_INK_NONE + 1; ink < FIG_INKS; ink++) {
        const FigYaml *node = fig_yaml_lookup(root, fig_ink_name((FigInk)ink));

        known[ink] |= node && read_colour(node, &theme->palette[ink], diag);
    }
    if (dark) {
        FigTheme other = {0};
        bool other_known[FIG_INKS] = {false};

        if (!lay_theme(dark, &other, other_known, depth + 1, arena, diag))
            return false;
        theme->has_dark = true;
        memcpy(theme->dark, other.palette, sizeof other.palette);
    }
    for (int ink = FIG_INK_NONE + 1; depth == 0 && ink < FIG_INKS; ink++)
        if (!known[ink] && !is_mixed(ink))
            fig_diag_error(diag, root->span, "the theme has no colour for ‘%s’",
                           fig_ink_name((FigInk)ink));
    return true;
}

bool
fig_theme_read(const char *name, FigTheme *theme, FigArena *arena, FigDiag *diag)
{
    bool known[FIG_INKS] = {false};
    int before = fig_diag_errors(diag);

    memset(theme, 0, sizeof *theme);
    if (!lay_theme(name, theme, known, 0, arena, diag) ||
        fig_diag_errors(diag) != before)
        return false;
    mix_inks(theme->palette);
    mix_inks(theme->dark);
    return true;
}
