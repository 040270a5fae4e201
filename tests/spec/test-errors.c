/* SPDX-License-Identifier: MIT
 *
 * Every file tests/errors/NAME.yaml is wrong in one way (or a few), and its messages are,
 * letter by letter, NAME.txt. A first line «# --dims H=7», «# --set eps=1» or «# --config
 * FILE» gives options. OPFIG_BLESS=1 writes the expected messages anew, and still fails.
 */
#include "spec/load.h"

#include "base/file.h"

#include <string.h>

static FigOverride *
read_overrides(const char *text)
{
    /* a map is one override: its commas do not part */
    g_auto(GStrv) parts = g_strsplit(text, strchr(text, '{') ? "\n" : ",", -1);
    FigOverride *overrides = g_new0(FigOverride, g_strv_length(parts) + 1);
    for (int i = 0; parts[i]; i++) {
        char *equal = strchr(parts[i], '=');
        g_assert_nonnull(equal);
        overrides[i].id = g_strndup(parts[i], (gsize)(equal - parts[i]));
        overrides[i].value = g_strdup(equal + 1);
    }
    return overrides;
}

static void
free_overrides(FigOverride *overrides)
{
    for (FigOverride *o = overrides; o && o->id; o++) {
        g_free((char *)o->id);
        g_free((char *)o->value);
    }
    g_free(overrides);
}

static char *
messages_of(const char *folder, const char *file)
{
    g_autofree char *path = g_build_filename(folder, file, NULL);
    g_autofree char *text = NULL;
    gsize length;
    g_assert_true(g_file_get_contents(path, &text, &length, NULL));
    g_autofree char *first = g_strndup(text, strcspn(text, "\n"));
    FigOverride *dims = NULL, *set = NULL;
    if (g_str_has_prefix(first, "# --dims "))
        dims = read_overrides(first + strlen("# --dims "));
    if (g_str_has_prefix(first, "# --set "))
        set = read_overrides(first + strlen("# --set "));
    bool config = g_str_has_prefix(first, "# --config ");
    FigLoadOptions options = {
        .dims = dims,
        .set = set,
        .config = config ? first + strlen("# --config ") : NULL,
    };
    g_autoptr(FigDiag) diag = fig_diag_new();
    g_autoptr(FigGraph) graph = fig_spec_load_text(file, text, length, &options, diag);
    if (graph)
        g_error("%s was loaded without a word", file);
    GString *out = g_string_new(NULL);
    fig_diag_print(diag, out, false);
    free_overrides(dims);
    free_overrides(set);
    return g_string_free(out, FALSE);
}

static void
test_file(gconstpointer data)
{
    g_autofree char *folder =
        g_build_filename(g_getenv("OPFIG_SOURCE"), "tests", "errors", NULL);
    g_autofree char *file = g_strconcat(data, ".yaml", NULL);
    g_autofree char *text = g_strconcat(data, ".txt", NULL);
    g_autofree char *path = g_build_filename(folder, text, NULL);
    g_autofree char *messages = messages_of(folder, file);
    g_autofree char *wanted = NULL;
    g_file_get_contents(path, &wanted, NULL, NULL);
    if (g_getenv("OPFIG_BLESS") && g_strcmp0(messages, wanted) != 0) {
        g_assert_true(fig_file_write(path, messages, strlen(messages), NULL));
        g_test_fail_printf("%s: written anew", text);
        return;
    }
    g_assert_cmpstr(messages, ==, wanted);
}

/* What a text cut short or with one byte changed gives is a graph or a message, never a
 * crash. */
static void
test_mutations(void)
{
    g_autofree char *path = g_build_filename(g_getenv("OPFIG_SOURCE"), "spec", "models",
                                             "olmo2-block.yaml", NULL);
    g_autofree char *text = NULL;
    gsize length;
    g_assert_true(g_file_get_contents(path, &text, &length, NULL));
    for (int i = 0; i < 400; i++) {
        g_autofree char *changed = g_memdup2(text, length + 1);
        gsize n = length;
        gsize at = (gsize)g_test_rand_int_range(0, (gint32)length);
        if (i % 4 == 0) {
            n = at;
        } else if (i % 4 == 1) {
            changed[at] = "[]{}:,#'\"\\ \n-*&"[g_test_rand_int_range(0, 15)];
        } else {
            /* leave out a line */
            gsize end = at;
            while (at > 0 && changed[at - 1] != '\n')
                at--;
            while (end < length && changed[end] != '\n')
                end++;
            end = MIN(end + 1, length);
            memmove(changed + at, changed + end, length - end);
            n = length - (end - at);
        }
        changed[n] = '\0';
        g_autoptr(FigDiag) diag = fig_diag_new();
        g_autoptr(FigGraph) graph =
            fig_spec_load_text("a.yaml", changed, n, NULL, diag);
        g_assert_true((graph == NULL) == (fig_diag_errors(diag) > 0));
    }
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_autofree char *folder =
        g_build_filename(g_getenv("OPFIG_SOURCE"), "tests", "errors", NULL);
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    g_assert_nonnull(dir);
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    for (const char *name; (name = g_dir_read_name(dir));) {
        if (g_str_has_suffix(name, ".yaml"))
            g_ptr_array_add(names, g_strndup(name, strlen(name) - strlen(".yaml")));
    }
    g_assert_cmpuint(names->len, >, 80);
    for (guint i = 0; i < names->len; i++) {
        g_autofree char *path = g_strconcat("/errors/", names->pdata[i], NULL);
        g_test_add_data_func(path, names->pdata[i], test_file);
    }
    g_test_add_func("/errors-of-mutations", test_mutations);
    return g_test_run();
}
