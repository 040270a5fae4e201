/* SPDX-License-Identifier: MIT
 *
 * fault-figures [OPTION…] FIGURE.svg…: breaks each figure in every way of the tables, one
 * fault in so many (--stride), and tells by a table what was tried and caught, or (--tap)
 * by lines for the test harness. With --pixels it edits at random too, and what passes has
 * the same pixels. Exits 1 if a fault was not caught by what should or an edit without
 * meaning was. Each figure is broken in a process of its own, several (--jobs) at once.
 */
#include "tests/faults/figures/broken.h"

#include "base/file.h"
#include "base/limit.h"
#include "spec/load.h"
#include "tests/check/shown.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const Kind *const tables[] = {fault_edges,    fault_marks, fault_texts,
                                     fault_ink,      fault_dark,  fault_versions,
                                     fault_harmless, fault_random};

/* The value after a word of the options that the gallery is drawn with. */
static char *
option(const char *options, const char *name)
{
    g_auto(GStrv) words = g_strsplit(options, " ", -1);
    for (int i = 0; words[i] && words[i + 1]; i++)
        if (strcmp(words[i], name) == 0)
            return g_strdup(words[i + 1]);
    return NULL;
}

/* From the spec a figure carries to the scene that it should show. */
static void
show(Shown *shown, const FigCarried *carried)
{
    g_autoptr(FigDiag) diag = fig_diag_new();
    FigLoadOptions load = {.check_label = fig_text_check};
    FigGraph *graph = fig_spec_load_text(carried->spec_name, carried->spec_text,
                                         strlen(carried->spec_text), &load, diag);
    shown_assert(diag);
    g_autofree char *theme = option(carried->options, "--theme");
    g_autofree char *width = option(carried->options, "--width");
    FigLayoutOptions layout = {.options = carried->options, .theme = theme};
    if (width)
        layout.width = g_ascii_strtod(width, NULL); /* dev/figures writes points */
    shown_make(shown, graph, &layout);
}

/* ---- one figure ---- */

static void
collect(Figure *figure, const FigSvgItem *group)
{
    for (const FigSvgItem *item = group->first; item; item = item->next) {
        g_ptr_array_add(item->kind == FIG_ITEM_GROUP ? figure->groups : figure->leaves,
                        (gpointer)item);
        if (item->kind == FIG_ITEM_GROUP)
            collect(figure, item);
    }
}

/* The same lines without hints, ids, classes and metadata. */
static char **
stripped(char **lines)
{
    g_autoptr(GRegex) regex =
        g_regex_new(" (data-[a-z]+|id|class|aria-labelledby)=\"[^\"]*\"", 0, 0, NULL);
    char **bare = g_strdupv(lines);
    bool inside = false;
    for (int i = 0; bare[i]; i++) {
        inside |= g_str_has_prefix(lines[i], "<metadata");
        bool end = g_str_has_prefix(lines[i], "</metadata");
        char *text = inside
                         ? g_strdup("")
                         : g_regex_replace_literal(regex, lines[i], -1, 0, "", 0, NULL);
        inside = inside && !end;
        g_free(bare[i]);
        bare[i] = text;
    }
    return bare;
}

static void
try_kinds(const Figure *figure, Try *tries)
{
    int n = 0;
    for (size_t t = 0; t < G_N_ELEMENTS(tables); t++) {
        for (const Kind *kind = tables[t]; kind->name; kind++, n++) {
            if (!tries[n].kind || (kind->hinted && figure->bare))
                continue;
            tries[n].figure = figure;
            kind->each(&tries[n]);
        }
    }
}

static void
break_figure(const char *path, Try *tries)
{
    g_autofree char *text = NULL, *base = g_path_get_basename(path);
    gsize length;
    g_autoptr(GError) error = NULL;
    if (!fig_file_read(path, FIG_LIMIT_FIGURE, &text, &length, &error))
        g_error("%s", error->message);
    FigSvg *svg = fig_svg_read(base, text, length, &error);
    g_assert_no_error(error);
    Shown shown = {0};
    show(&shown, fig_svg_carried(svg));
    g_strchomp(text);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    g_auto(GStrv) bare = stripped(lines);
    Figure figure = {.name = base,
                     .lines = lines,
                     .n_lines = (int)g_strv_length(lines),
                     .svg = svg,
                     .record = shown.record,
                     .scene = shown.scene,
                     .truth = shown.truth,
                     .leaves = g_ptr_array_new(),
                     .groups = g_ptr_array_new()};
    collect(&figure, svg->root);
    try_kinds(&figure, tries);
    figure.lines = bare;
    figure.bare = true;
    try_kinds(&figure, tries);
    g_ptr_array_unref(figure.leaves);
    g_ptr_array_unref(figure.groups);
    fig_svg_free(svg);
    shown_close(&shown);
}

/* ---- several at once ---- */

/* What a worker counted, a line a kind: its number, tried, caught, how far pixels were
 * apart, then by what. */
static void
write_counts(FILE *out, const Try *tries, int n)
{
    for (int k = 0; k < n; k++) {
        GHashTableIter iter;
        gpointer key, value;
        fprintf(out, "%d %d %d %d", k, tries[k].tried, tries[k].caught, tries[k].most);
        if (tries[k].kind)
            g_hash_table_iter_init(&iter, tries[k].by);
        while (tries[k].kind && g_hash_table_iter_next(&iter, &key, &value))
            fprintf(out, " %s %d", (char *)key, GPOINTER_TO_INT(value));
        fputc('\n', out);
    }
}

static void
add_counts(FILE *in, Try *tries)
{
    char line[4096];
    rewind(in);
    while (fgets(line, sizeof line, in)) {
        g_auto(GStrv) words = g_strsplit(g_strchomp(line), " ", -1);
        Try *try = &tries[atoi(words[0])];
        try->tried += atoi(words[1]);
        try->caught += atoi(words[2]);
        try->most = MAX(try->most, atoi(words[3]));
        for (int w = 4; words[w]; w += 2)
            fault_count_by(try, words[w], atoi(words[w + 1]));
    }
}

/* Break each figure in a process of its own; false if one of them died. */
static bool
break_figures(char **paths, Try *tries, int n, int seed, int jobs)
{
    int n_paths = (int)g_strv_length(paths), running = 0, status;
    g_autofree FILE **counts = g_new0(FILE *, n_paths);
    bool lived = true;
    for (int i = 0; i < n_paths || running > 0;) {
        if (i == n_paths || running == jobs) {
            lived &= wait(&status) > 0 && status == 0;
            running--;
            continue;
        }
        counts[i] = tmpfile();
        g_assert_nonnull(counts[i]);
        pid_t worker = fork();
        g_assert_cmpint(worker, >=, 0);
        if (worker == 0) {
            for (int k = 0; k < n; k++) /* other faults of each figure */
                tries[k].next = tries[k].kind ? (seed + i * 7) % tries[k].stride : 0;
            break_figure(paths[i], tries);
            write_counts(counts[i], tries, n);
            fflush(counts[i]);
            _exit(0);
        }
        running++;
        i++;
    }
    for (int i = 0; i < n_paths; i++) {
        add_counts(counts[i], tries);
        fclose(counts[i]);
    }
    return lived;
}

/* ---- the table ---- */

static int
print_row(const Try *try, int n, bool tap)
{
    const Kind *kind = try->kind;
    g_autoptr(GString) by = g_string_new(NULL);
    g_autoptr(GList) keys =
        g_list_sort(g_hash_table_get_keys(try->by), (GCompareFunc)strcmp);
    for (GList *key = keys; key; key = key->next)
        g_string_append_printf(
            by, "%s%s %d", by->len ? ", " : "", (char *)key->data,
            GPOINTER_TO_INT(g_hash_table_lookup(try->by, key->data)));
    bool good = try->tried > 0 && try->caught == try->tried;
    if (tap)
        printf("%sok %d - %s: %d of %d%s%s\n", good ? "" : "not ", n, kind->name,
               try->caught, try->tried, by->len ? ", by " : "", by->str);
    else
        printf("%-54s %7d %7d  %s\n", kind->name, try->tried, try->caught,
               kind->finding && !*kind->finding ? "(no alarm)" : by->str);
    if (try->pixels && !tap)
        printf("%54s pixels apart by %d of 255 at most\n", "", try->most);
    return !good;
}

int
main(int argc, char **argv)
{
    gint stride = 1, seed = 0, jobs = 1;
    gboolean verbose = FALSE, tap = FALSE, pixels = FALSE;
    g_autofree char *only = NULL;
    g_auto(GStrv) paths = NULL;
    g_autoptr(GError) error = NULL;
    const GOptionEntry entries[] = {
        {"stride", 0, 0, G_OPTION_ARG_INT, &stride, "Try one fault in N", "N"},
        {"seed", 0, 0, G_OPTION_ARG_INT, &seed, "… beginning with this one", "N"},
        {"jobs", 0, 0, G_OPTION_ARG_INT, &jobs, "Break so many figures at once", "N"},
        {"only", 0, 0, G_OPTION_ARG_STRING, &only, "Only kinds named so", "WORDS"},
        {"pixels", 0, 0, G_OPTION_ARG_NONE, &pixels,
         "Compare the pixels of what passes, and break at random", NULL},
        {"tap", 0, 0, G_OPTION_ARG_NONE, &tap, "Print for the test harness", NULL},
        {"verbose", 0, 0, G_OPTION_ARG_NONE, &verbose, "Tell each that went wrong",
         NULL},
        {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &paths, NULL, NULL},
        G_OPTION_ENTRY_NULL};
    g_autoptr(GOptionContext) context = g_option_context_new("FIGURE.svg…");
    g_option_context_add_main_entries(context, entries, NULL);
    if (!g_option_context_parse(context, &argc, &argv, &error) || !paths ||
        stride < 1 || jobs < 1) {
        fprintf(stderr, "%s\n", error ? error->message : "figures are wanted");
        return 2;
    }
    Try tries[100] = {0};
    int n = 0, wrong = 0, tried = 0, caught = 0, row = 0;
    for (size_t t = 0; t < G_N_ELEMENTS(tables); t++) {
        for (const Kind *kind = tables[t]; kind->name; kind++, n++) {
            g_assert_cmpint(n, <, (int)G_N_ELEMENTS(tries));
            if ((only ? !strstr(kind->name, only) : tables[t] == fault_dark) ||
                (g_strcmp0(kind->finding, "?") == 0 && !pixels))
                continue;
            tries[n] = (Try){
                .kind = kind,
                .stride = stride,
                .verbose = verbose,
                .pixels = pixels,
                .edits = g_array_new(FALSE, FALSE, fault_edit_size),
                .by = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL)};
        }
    }
    wrong += !break_figures(paths, tries, n, seed, jobs);
    for (int i = 0; i < n; i++) {
        if (!tries[i].kind)
            continue;
        wrong += print_row(&tries[i], ++row, tap);
        tried += tries[i].tried;
        caught += tries[i].caught;
        g_array_unref(tries[i].edits);
        g_hash_table_unref(tries[i].by);
    }
    if (tap)
        printf("1..%d\n", row);
    else
        printf("%-54s %7d %7d\n", "all", tried, caught);
    return wrong > 0;
}
