/* SPDX-License-Identifier: MIT
 *
 * Which file a person means: a path, or the name of a spec that the program ships.
 */
#include "spec/load.h"

#include "base/file.h"

#include <string.h>

#define FOLDER "spec/models"
#define SUFFIX ".yaml"

static gint
by_name(gconstpointer a, gconstpointer b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

char **
fig_spec_shipped(void)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    g_autofree char *folder = fig_data_path(FOLDER);
    g_autoptr(GDir) dir = folder ? g_dir_open(folder, 0, NULL) : NULL;
    for (const char *name; dir && (name = g_dir_read_name(dir));) {
        if (g_str_has_suffix(name, SUFFIX) && name[0] != '.')
            g_ptr_array_add(names, g_strndup(name, strlen(name) - strlen(SUFFIX)));
    }
    g_ptr_array_sort(names, by_name);
    g_ptr_array_add(names, NULL);
    return (char **)g_ptr_array_free(g_steal_pointer(&names), FALSE);
}

char *
fig_spec_shipped_path(const char *name)
{
    if (strchr(name, '/'))
        return NULL;
    g_autofree char *relative = g_strconcat(FOLDER "/", name, SUFFIX, NULL);
    return fig_data_path(relative);
}

static bool
is_path(const char *name)
{
    return strchr(name, '/') || g_str_has_suffix(name, SUFFIX) ||
           g_str_has_suffix(name, ".yml") || g_str_has_suffix(name, ".json");
}

/* Say that there is no such spec, and which there are. */
static void
report_unknown(const char *name, bool presets, FigDiag *diag)
{
    FigMessage *message =
        fig_diag_error(diag, (FigSpan){0},
                       "there is no spec ‘%s’, neither a file nor a shipped one", name);
    g_auto(GStrv) shipped = fig_spec_shipped();
    g_auto(GStrv) released = presets ? fig_preset_names() : NULL;
    g_autofree char *all = g_strjoinv(", ", shipped);
    if (*all)
        fig_message_note(message, "shipped are %s", all);
    g_autofree char *models = presets ? g_strjoinv(", ", released) : NULL;
    if (presets && *models)
        fig_message_note(message, "presets are %s", models);
    g_autoptr(GStrvBuilder) words = g_strv_builder_new();
    g_strv_builder_addv(words, (const char **)shipped);
    if (presets)
        g_strv_builder_addv(words, (const char **)released);
    g_auto(GStrv) known = g_strv_builder_end(words);
    fig_message_suggest(message, name, (const char *const *)known);
}

char *
fig_spec_find(const char *name, FigDiag *diag)
{
    return fig_spec_find_model(name, NULL, diag);
}

char *
fig_spec_find_model(const char *name, bool *preset, FigDiag *diag)
{
    if (preset)
        *preset = false;
    /* a path is taken as it is, also when it is missing: reading it says why */
    if (is_path(name) || g_file_test(name, G_FILE_TEST_IS_REGULAR))
        return g_strdup(name);
    char *path = fig_spec_shipped_path(name);
    if (path)
        return path;
    g_autofree char *folder = fig_data_path(FOLDER);
    if (!folder) {
        FigMessage *lost = fig_diag_error(
            diag, (FigSpan){0},
            "there is no file ‘%s’, and the program's own specs were not found", name);
        g_autofree char *places = fig_data_places(FOLDER);
        fig_message_note(lost, "they were looked for in %s", places);
        fig_message_hint(lost,
                         "OPFIG_SOURCE=FOLDER names the folder that holds " FOLDER);
        return NULL;
    }
    g_autofree char *spec = preset ? fig_preset_spec(name) : NULL;
    if (spec) {
        *preset = true;
        return fig_spec_shipped_path(spec);
    }
    report_unknown(name, preset != NULL, diag);
    return NULL;
}
