/* SPDX-License-Identifier: MIT
 *
 * Specs that are wrong on purpose, a file each: a shipped block with an edit of a few
 * lines, and in its head what must catch it,
 *
 *   # caught by claim key_axis      this claim does not hold
 *   # caught by error cannot read   it does not load, or cannot be settled, with these words
 *
 * A fault that runs must show: its figure differs from the sound one, or what differs is
 * an attribute that is named as computed and not drawn. The sound one is the same file
 * without what the edit says, and there every claim holds.
 */
#include "check/claims.h"
#include "layouts/layout.h"
#include "spec/load.h"

#include <stdio.h>
#include <string.h>

typedef struct Fault {
    char *name, *text;
    char *how, *what; /* "claim", "key_axis" */
} Fault;

/* A spec as far as it came. */
typedef struct Outcome {
    FigDiag *diag;
    FigArena *arena;
    FigGraph *graph;
    FigRecord *record;
} Outcome;

static FigFonts *fonts;

/* ---- reading ---- */

static Fault *
read_fault(const char *folder, const char *file)
{
    Fault *fault = g_new0(Fault, 1);
    g_autofree char *path = g_build_filename(folder, file, NULL);
    g_autoptr(GError) error = NULL;
    if (!g_file_get_contents(path, &fault->text, NULL, &error))
        g_error("%s", error->message);
    fault->name = g_strndup(file, strlen(file) - strlen(".yaml"));
    const char *by = strstr(fault->text, "# caught by ");
    if (!by)
        g_error("%s does not say what catches it", file);
    by += strlen("# caught by ");
    size_t word = strcspn(by, " \n");
    fault->how = g_strndup(by, word);
    fault->what = g_strstrip(g_strndup(by + word, strcspn(by + word, "\n")));
    return fault;
}

static void
fault_free(void *data)
{
    Fault *fault = data;
    g_free(fault->name);
    g_free(fault->text);
    g_free(fault->how);
    g_free(fault->what);
    g_free(fault);
}

static int
by_name(const void *a, const void *b)
{
    return strcmp((*(Fault *const *)a)->name, (*(Fault *const *)b)->name);
}

static GPtrArray *
read_faults(const char *folder)
{
    GPtrArray *faults = g_ptr_array_new_with_free_func(fault_free);
    g_autoptr(GError) error = NULL;
    g_autoptr(GDir) dir = g_dir_open(folder, 0, &error);
    if (!dir)
        g_error("%s", error->message);
    for (const char *file; (file = g_dir_read_name(dir));)
        if (g_str_has_suffix(file, ".yaml"))
            g_ptr_array_add(faults, read_fault(folder, file));
    g_ptr_array_sort(faults, by_name);
    return faults;
}

/* The same without the fault: dims and constants stay where an edit is the fault, what the
 * edit brings does not. */
static char *
without_fault(const Fault *fault)
{
    const char *edit = strstr(fault->text, "\nedit:");
    g_autofree char *head = g_strndup(fault->text, edit ? (gsize)(edit - fault->text)
                                                        : strlen(fault->text));
    g_auto(GStrv) lines = g_strsplit(head, "\n", -1);
    GString *out = g_string_new(NULL);
    for (int i = 0; lines[i]; i++) {
        bool brought = g_str_has_prefix(lines[i], "weights:") ||
                       g_str_has_prefix(lines[i], "inputs:");
        bool sized = g_str_has_prefix(lines[i], "dims:") ||
                     g_str_has_prefix(lines[i], "constants:");
        if (!brought && (edit || !sized))
            g_string_append_printf(out, "%s\n", lines[i]);
    }
    return g_string_free(out, FALSE);
}

/* ---- running ---- */

static Outcome
run(const char *text)
{
    Outcome o = {.diag = fig_diag_new(), .arena = fig_arena_new()};
    FigLoadOptions load = {.check_label = fig_text_check};
    o.graph = fig_spec_load_text("fault.yaml", text, strlen(text), &load, o.diag);
    const FigSizes *probe = o.graph ? fig_run_probe(o.graph, o.arena, o.diag) : NULL;
    if (!probe)
        return o;
    FigRunOptions on_shapes = {0};
    FigRunOptions on_numbers = {
        .numeric = true, .type = FIG_F64, .naive = true, .sizes = probe};
    g_autoptr(FigRun) shapes = fig_run_new(o.graph, &on_shapes, o.diag);
    g_autoptr(FigRun) numbers = fig_run_new(o.graph, &on_numbers, o.diag);
    if (!shapes || !numbers)
        return o;
    o.record = fig_record_new(o.graph, shapes, numbers, NULL, NULL);
    FigClaimOptions options = {.probe = probe};
    fig_claims_settle(o.graph, &options, o.record, o.diag);
    return o;
}

static void
outcome_free(Outcome *o)
{
    fig_record_free(o->record);
    fig_graph_free(o->graph);
    fig_arena_free(o->arena);
    fig_diag_free(o->diag);
}

/* All claims that do not hold, by spaces; NULL: none. */
static char *
broken_claims(const Outcome *o)
{
    g_autoptr(GString) out = g_string_new(NULL);
    for (int i = 0; o->record && i < o->record->n_claims; i++)
        if (o->record->claims[i].that && !o->record->claims[i].holds)
            g_string_append_printf(out, "%s%s", out->len ? " " : "",
                                   o->record->claims[i].id);
    return out->len ? g_string_free(g_steal_pointer(&out), FALSE) : NULL;
}

static bool
is_caught(const Fault *fault, const Outcome *o, const char *broken)
{
    if (strcmp(fault->how, "error") == 0) {
        g_autoptr(GString) said = g_string_new(NULL);
        fig_diag_print(o->diag, said, false);
        return fig_diag_errors(o->diag) && strstr(said->str, fault->what);
    }
    g_auto(GStrv) ids = g_strsplit(broken ? broken : "", " ", -1);
    return strcmp(fault->how, "claim") == 0 && !fig_diag_errors(o->diag) &&
           g_strv_contains((const char *const *)ids, fault->what);
}

/* ---- the figure ---- */

static void
append_items(GString *out, const FigItem *group)
{
    for (const FigItem *item = group->first; item; item = item->next) {
        if (g_strcmp0(item->means.part, "footer") == 0)
            continue;
        switch (item->kind) {
        case FIG_ITEM_GROUP:
            append_items(out, item);
            break;
        case FIG_ITEM_RECT:
            g_string_append_printf(out, "rect %.2f %.2f %.2f %.2f %d\n", item->x,
                                   item->y, item->width, item->height, item->fill);
            break;
        case FIG_ITEM_PATH:
            g_string_append(out, "path");
            for (int i = 0; i < item->path.n_points; i++)
                g_string_append_printf(out, " %.2f %.2f", item->path.points[i][0],
                                       item->path.points[i][1]);
            g_string_append_c(out, '\n');
            break;
        case FIG_ITEM_TEXT:
            g_string_append_printf(out, "text %.2f %.2f %s\n", item->text_x,
                                   item->text_y, item->text->source);
        }
    }
}

/* All that is drawn of the computation: its sentences aside. */
static char *
picture(const Outcome *o, char **description)
{
    g_autoptr(FigDiag) diag = fig_diag_new();
    g_autoptr(FigRun) shapes = fig_run_new(o->graph, &(FigRunOptions){0}, diag);
    g_autoptr(FigRecord) record = fig_record_new(o->graph, shapes, shapes, NULL, NULL);
    const FigLayoutOptions layout = {.options = ""};
    record->title.text = "The same for both";
    g_autoptr(FigScene) scene = fig_layout_place(record, &layout, fonts, diag);
    GString *out = g_string_new(NULL);
    if (scene)
        append_items(out, scene->root);
    *description = g_strdup(scene ? scene->description : "");
    return g_string_free(out, FALSE);
}

/* How a fault shows: "drawn", "listed" with another value, or NULL. */
static const char *
shows(const Outcome *sound, const Outcome *fault)
{
    g_autofree char *of_sound = NULL, *of_fault = NULL;
    g_autofree char *a = picture(sound, &of_sound), *b = picture(fault, &of_fault);
    if (strcmp(a, b) != 0)
        return "drawn";
    return strcmp(of_sound, of_fault) != 0 && strstr(of_fault, "omputed, not drawn: ")
               ? "listed"
               : NULL;
}

/* ---- the table ---- */

static bool
prove(const Fault *fault, int number, bool tap)
{
    g_autofree char *text = without_fault(fault);
    Outcome sound = run(text), broken = run(fault->text);
    g_autofree char *false_alarm = broken_claims(&sound);
    g_autofree char *claims = broken_claims(&broken);
    bool caught = is_caught(fault, &broken, claims);
    bool runs = broken.record && !fig_diag_errors(broken.diag);
    const char *shown =
        runs && !fig_diag_errors(sound.diag) ? shows(&sound, &broken) : "refused";
    bool good = caught && shown && !fig_diag_errors(sound.diag) &&
                !(false_alarm && caught && strstr(false_alarm, fault->what));
    if (tap)
        printf("%s %d - %s: %s %s\n", good ? "ok" : "not ok", number, fault->name,
               fault->how, fault->what);
    else
        printf("  %-24s %-7s %-8s %s %s\n", fault->name, caught ? "caught" : "MISSED",
               shown ? shown : "UNSEEN", fault->how, fault->what);
    if (!good) {
        g_autoptr(GString) said = g_string_new(NULL);
        fig_diag_print(sound.diag, said, false);
        fig_diag_print(broken.diag, said, false);
        fprintf(stderr, "# %s: broken: %s; without the fault: %s; figure: %s\n%s",
                fault->name, claims ? claims : "none",
                false_alarm ? false_alarm : "none", shown ? shown : "the same",
                said->str);
    }
    outcome_free(&sound);
    outcome_free(&broken);
    return good;
}

int
main(int argc, char **argv)
{
    bool tap = argc > 1 && strcmp(argv[1], "--tap") == 0;
    if (argc != 2 + tap) {
        fprintf(stderr, "usage: fault-specs [--tap] FOLDER\n");
        return 2;
    }
    g_autoptr(GError) error = NULL;
    fonts = fig_fonts_new(&error);
    if (!fonts)
        g_error("%s", error->message);
    g_autoptr(GPtrArray) faults = read_faults(argv[1 + tap]);
    int caught = 0;
    if (tap)
        printf("1..%u\n", faults->len);
    for (guint i = 0; i < faults->len; i++)
        caught += prove(faults->pdata[i], (int)i + 1, tap);
    if (!tap)
        printf("  %d of %u caught\n", caught, faults->len);
    fig_fonts_free(fonts);
    return caught != (int)faults->len;
}
