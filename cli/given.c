/* SPDX-License-Identifier: MIT
 *
 * Figures from strangers, opened: what they carry is read, and only what shapes a figure
 * is taken of their options.
 */
#include "cli/given.h"

#include "base/file.h"
#include "base/limit.h"

#include <string.h>

/* ---- the options a figure carries ---- */

/* Only what shapes a figure may stand there: a stranger's file must not name files of
 * ours or ask for help texts. */
static bool
carried_words_allowed(char **words, int n)
{
    static const char *const with_value[] = {"--dims",  "--set",  "--layout", "--theme",
                                             "--width", "--text", NULL};
    for (int i = 0; i < n; i++) {
        if (strcmp(words[i], "--draft") == 0 || strcmp(words[i], "--transparent") == 0)
            continue;
        if (!g_strv_contains(with_value, words[i]) || i + 1 == n ||
            g_str_has_prefix(words[i + 1], "-"))
            return false;
        i++;
    }
    return true;
}

static bool
parse_options(FigGiven *given, const FigCommand *self)
{
    const char *line = given->carried.options;
    g_auto(GStrv) words = NULL;
    int n = 0;
    if (line && *line && !g_shell_parse_argv(line, &n, &words, NULL))
        return false;
    if (!carried_words_allowed(words, n))
        return false;
    const GOptionEntry entries[] = {FIG_DRAWING_ENTRIES(given->drawing),
                                    G_OPTION_ENTRY_NULL};
    g_autofree char **argv = g_new0(char *, n + 2);
    argv[0] = (char *)"draw";
    for (int i = 0; i < n; i++)
        argv[i + 1] = words[i];
    int argc = n + 1, code;
    return fig_options_parse(&given->options, self, FIG_OPTIONS_SPEC, entries, &argc,
                             &argv, &code) &&
           argc == 1;
}

/* ---- opening ---- */

static bool
read_carried(FigGiven *given, FigDiag *diag)
{
    g_autoptr(GError) error = NULL;
    if (strcmp(given->output->name, "svg") == 0) {
        given->svg = fig_svg_read(given->path, given->bytes, given->length, &error);
        if (given->svg)
            given->carried = *fig_svg_carried(given->svg);
        else
            fig_diag_error(diag, (FigSpan){0}, "%s", error->message);
        return given->svg != NULL;
    }
    given->picture = fig_picture_lookup(given->output->name);
    if (given->picture)
        given->picture->read(given->bytes, given->length, given->arena,
                             &given->carried);
    return true;
}

bool
fig_given_open(FigGiven *given, const char *path, const FigCommand *self, FigDiag *diag)
{
    g_autoptr(GError) error = NULL;
    given->path = path;
    given->output = fig_output_lookup(path);
    given->arena = fig_arena_new();
    if (!fig_file_read(path, FIG_LIMIT_FIGURE, &given->bytes, &given->length, &error)) {
        fig_diag_error(diag, (FigSpan){0}, "%s", error->message);
        return false;
    }
    if (!read_carried(given, diag))
        return false;
    if (!parse_options(given, self)) {
        fig_diag_error(diag, (FigSpan){0},
                       "%s carries options that no figure has: ‘%s’", path,
                       given->carried.options);
        return false;
    }
    return true;
}

void
fig_given_close(FigGiven *given)
{
    fig_svg_free(given->svg);
    fig_options_finish(&given->options);
    fig_drawing_finish(&given->drawing);
    fig_arena_free(given->arena);
    g_free(given->bytes);
}

FigGraph *
fig_given_spec(const FigGiven *given, const FigLoadOptions *load, FigDiag *diag)
{
    const char *text = given->carried.spec_text;
    if (!text) {
        FigMessage *message =
            fig_diag_error(diag, (FigSpan){0}, "%s carries no spec", given->path);
        fig_message_hint(message, "opfig check SPEC %s", given->path);
        return NULL;
    }
    g_autofree char *name = g_strdup_printf("%s (the spec inside)", given->path);
    return fig_spec_load_text(name, text, strlen(text), load, diag);
}
