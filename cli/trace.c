/* SPDX-License-Identifier: MIT
 *
 * Every value in each of its passes has a name, `layers.2.probs`, and may have others,
 * `layers.2.attn.probs` in the golden sets. So have the inner tables of ops: they are
 * written where another library has a name for them, or --keep asks for them, and once
 * where they have one name in all passes.
 */
#include "cli/trace.h"

#include "exec/fill.h"
#include "exec/passes.h"
#include "spec/axes.h"

#include <string.h>

/* One tensor of the file. */
typedef struct Entry {
    int value; /* -1: a table */
    char *own; /* its own name */
    char *name;
    const FigAka *aka; /* that the name is; NULL: its own */
    int64_t *pass;     /* [n_groups] of a weight in a repeat; NULL: no such */
} Entry;

static void
clear_entry(void *data)
{
    Entry *entry = data;
    g_free(entry->own);
    g_free(entry->name);
    g_free(entry->pass);
}

/* Does a word of --keep mean a value? A plain name means all its passes. */
static bool
means(const char *word, const char *own)
{
    size_t n = strlen(own), length = strlen(word);
    return g_pattern_match_simple(word, own) ||
           (n > length && own[n - length - 1] == '.' && g_str_has_suffix(own, word));
}

static bool
is_wanted(const FigTrace *trace, const char *own)
{
    bool wanted = !trace->keep;
    for (int i = 0; trace->keep && trace->keep[i]; i++)
        wanted = wanted || means(trace->keep[i], own);
    return wanted;
}

/* The other library's name with the numbers of layer and passes in it. */
static char *
foreign_name(const FigTrace *trace, const FigGraph *graph, int repeat,
             const int64_t *pass, const FigAka *aka)
{
    g_autofree char *here = fig_pass_tensor(graph, repeat, pass, aka->name);
    g_auto(GStrv) parts = g_strsplit(here, "{layer}", -1);
    g_autofree char *layer = g_strdup_printf("%d", trace->layer);
    g_autofree char *name = g_strjoinv(layer, parts);
    return aka->side ? g_strdup_printf("%s.%s", name, aka->side)
                     : g_steal_pointer(&name);
}

static void
add_entry(GArray *entries, int value, const char *own, char *name)
{
    Entry entry = {value, g_strdup(own), name, NULL, NULL};
    g_array_append_val(entries, entry);
}

/* What another library calls it; a table has its name but once. */
static void
add_foreign(const FigTrace *trace, const FigGraph *graph, GArray *entries, int value,
            int repeat, const int64_t *pass, const char *own, int n_aka,
            const FigAka *aka)
{
    for (int a = 0; a < n_aka; a++) {
        if (strcmp(aka[a].library, trace->names) != 0)
            continue;
        char *name = foreign_name(trace, graph, repeat, pass, &aka[a]);
        bool there = false;
        for (guint i = 0; value < 0 && i < entries->len; i++)
            there = there || strcmp(g_array_index(entries, Entry, i).name, name) == 0;
        if (there) {
            g_free(name);
            continue;
        }
        add_entry(entries, value, own, name);
        g_array_index(entries, Entry, entries->len - 1).aka = &aka[a];
    }
}

/* The tables of a node in one pass. */
static void
add_tables(const FigTrace *trace, const FigGraph *graph, const FigNode *node,
           const int64_t *pass, GArray *entries)
{
    g_autofree char *op = fig_pass_name(graph, node->repeat, pass, node->id);
    for (const FigExpose *table = node->op->exposes; table && table->name; table++) {
        g_autofree char *own = g_strdup_printf("%s.%s", op, table->name);
        if (trace->keep && !is_wanted(trace, own))
            continue;
        if (!trace->names && (trace->keep || trace->all))
            add_entry(entries, -1, own, g_strdup(own));
        for (int t = 0; trace->names && t < node->n_tables; t++)
            if (strcmp(node->tables[t].table, table->name) == 0)
                add_foreign(trace, graph, entries, -1, node->repeat, pass, own,
                            node->tables[t].n_aka, node->tables[t].aka);
    }
}

/* Has the library a name for a value or a table, not for weights alone? */
static bool
names_values(const FigTrace *trace, const FigGraph *graph)
{
    bool found = !trace->names;
    for (int v = 0; v < graph->n_values && !found; v++)
        for (int a = 0; a < graph->values[v].n_aka; a++)
            found =
                found || (graph->values[v].from != FIG_FROM_WEIGHT &&
                          strcmp(graph->values[v].aka[a].library, trace->names) == 0);
    return found;
}

/* Is a weight asked for: by its own name or a pattern of such names, not by what means
 * everything in a layer? */
static bool
is_wanted_weight(const FigTrace *trace, const FigGraph *graph, const char *own)
{
    if (trace->all || (!trace->keep && !names_values(trace, graph)))
        return true;
    for (int i = 0; trace->keep && trace->keep[i]; i++) {
        const char *dot = strrchr(trace->keep[i], '.');
        if (strcmp(dot ? dot + 1 : trace->keep[i], "*") != 0 &&
            means(trace->keep[i], own))
            return true;
    }
    return false;
}

/* All that the file is to hold, in the order of the graph, pass by pass. */
static GArray *
entries_of(const FigTrace *trace, const FigGraph *graph, const FigSizes *sizes)
{
    GArray *entries = g_array_new(FALSE, FALSE, sizeof(Entry));
    g_autofree int64_t *pass = g_new0(int64_t, (gsize)graph->n_groups + 1);
    g_array_set_clear_func(entries, clear_entry);
    for (int v = 0; v < graph->n_values; v++) {
        const FigValue *value = &graph->values[v];
        bool weight = value->from == FIG_FROM_WEIGHT;
        if (weight && value->n_members)
            continue;
        do {
            g_autofree char *own = fig_pass_name(graph, value->repeat, pass, value->id);
            guint before = entries->len;
            if (weight ? !is_wanted_weight(trace, graph, own) : !is_wanted(trace, own))
                continue;
            if (!trace->names)
                add_entry(entries, v, own, g_strdup(own));
            else
                add_foreign(trace, graph, entries, v, value->repeat, pass, own,
                            value->n_aka, value->aka);
            for (guint i = before; weight && value->repeat >= 0 && i < entries->len;
                 i++)
                g_array_index(entries, Entry, i).pass =
                    g_memdup2(pass, sizeof *pass * ((gsize)graph->n_groups + 1));
        } while (fig_pass_next(graph, sizes, value->repeat, pass));
    }
    for (int n = 0; n < graph->n_nodes; n++) {
        int repeat = graph->nodes[n].repeat;
        do
            add_tables(trace, graph, &fig_graph_in_pass(graph, n, pass, NULL)->nodes[n],
                       pass, entries);
        while (fig_pass_next(graph, sizes, repeat, pass));
    }
    return entries;
}

static bool
check_library(const FigTrace *trace, const FigGraph *graph, FigDiag *diag)
{
    g_autoptr(GPtrArray) libraries = g_ptr_array_new();
    for (int v = 0; v < graph->n_values; v++)
        for (int a = 0; a < graph->values[v].n_aka; a++) {
            const char *library = graph->values[v].aka[a].library;
            if (trace->names && strcmp(library, trace->names) == 0)
                return true;
            if (!g_ptr_array_find_with_equal_func(libraries, library, g_str_equal,
                                                  NULL))
                g_ptr_array_add(libraries, (gpointer)library);
        }
    if (!trace->names)
        return true;
    g_ptr_array_add(libraries, NULL);
    FigMessage *message =
        fig_diag_error(diag, (FigSpan){0}, "no value of ‘%s’ has a name in ‘%s’",
                       graph->name, trace->names);
    g_autofree char *all = g_strjoinv(", ", (char **)libraries->pdata);
    if (*all)
        fig_message_note(message, "`aka:` gives names in %s", all);
    fig_message_suggest(message, trace->names, (const char *const *)libraries->pdata);
    return false;
}

/* Every word of --keep means something. */
static bool
check_patterns(const FigTrace *trace, const FigGraph *graph, const FigSizes *sizes,
               FigDiag *diag)
{
    FigTrace own = {.layer = trace->layer, .all = true};
    g_autoptr(GArray) all = entries_of(&own, graph, sizes);
    bool good = true;
    for (int i = 0; trace->keep && trace->keep[i]; i++) {
        bool found = false;
        g_autoptr(GPtrArray) names = g_ptr_array_new();
        for (guint k = 0; k < all->len; k++) {
            const char *name = g_array_index(all, Entry, k).own;
            found = found || means(trace->keep[i], name);
            g_ptr_array_add(names, (gpointer)name);
        }
        g_ptr_array_add(names, NULL);
        if (found)
            continue;
        FigMessage *message = fig_diag_error(
            diag, (FigSpan){0}, "there is no value ‘%s’ to keep", trace->keep[i]);
        fig_message_suggest(message, trace->keep[i], (const char *const *)names->pdata);
        good = false;
    }
    return good;
}

/* Every word of --keep means something that has a name in the library of --names. */
static bool
check_named(const FigTrace *trace, const FigGraph *graph, const FigSizes *sizes,
            FigDiag *diag)
{
    bool good = true;
    for (int i = 0; trace->names && trace->keep && trace->keep[i]; i++) {
        char *word[] = {trace->keep[i], NULL};
        FigTrace one = *trace;
        one.keep = word;
        g_autoptr(GArray) entries = entries_of(&one, graph, sizes);
        if (entries->len > 0)
            continue;
        FigMessage *message =
            fig_diag_error(diag, (FigSpan){0}, "‘%s’ of --keep has no name in ‘%s’",
                           trace->keep[i], trace->names);
        fig_message_hint(message, "without --names it is written by its own name");
        good = false;
    }
    return good;
}

const char *const *
fig_trace_keep(const FigTrace *trace, const FigGraph *graph, FigArena *arena,
               FigDiag *diag)
{
    const FigSizes *sizes = fig_graph_sizes(graph, NULL, arena, diag);
    if (!sizes || !check_library(trace, graph, diag) ||
        !check_patterns(trace, graph, sizes, diag) ||
        !check_named(trace, graph, sizes, diag))
        return NULL;
    g_autoptr(GArray) entries = entries_of(trace, graph, sizes);
    const char **keep = fig_arena_new_array(arena, const char *, (int)entries->len + 1);
    for (guint i = 0, n = 0; i < entries->len; i++) {
        const Entry *entry = &g_array_index(entries, Entry, i);
        if (entry->value >= 0 && graph->values[entry->value].from == FIG_FROM_WEIGHT)
            continue;
        const char *id = entry->value < 0 ? entry->own : graph->values[entry->value].id;
        if (n == 0 || strcmp(keep[n - 1], id) != 0)
            keep[n++] = fig_arena_strdup(arena, id); /* outlives the graph */
    }
    return keep;
}

/* The numbers of an entry, as they are to stand in the file. */
static bool
view_of(const Entry *entry, const FigGraph *graph, const FigRun *run,
        const FigRunOptions *options, const FigSizes *sizes, FigArena *arena,
        FigView *view, FigDiag *diag)
{
    if (entry->pass) { /* of a weight in layers the run has but the last */
        int v = entry->value;
        *view = fig_view_dense(NULL, options->type, graph->values[v].shape.rank,
                               sizes->value[v]);
        view->data = fig_arena_alloc(
            arena, MAX(8, (size_t)fig_view_count(view) * fig_type_size(view->type)));
        fig_fill_weight(graph, options, v, view, entry->pass);
    } else {
        *view = *fig_run_value(run, entry->own);
    }
    const FigAxes *lay = entry->aka ? entry->aka->lay : NULL;
    if (!lay || fig_axes_lay(lay, graph, sizes, view, arena, view))
        return true;
    fig_diag_error(diag, entry->aka->axes->span,
                   "‘%s’ cannot be laid out so at these sizes", entry->own);
    return false;
}

bool
fig_trace_write(const FigTrace *trace, const FigGraph *graph, const FigRun *run,
                const FigRunOptions *options, FigDiag *diag)
{
    g_autoptr(FigArena) arena = fig_arena_new();
    const FigSizes *sizes = fig_graph_sizes(graph, NULL, arena, diag);
    g_autoptr(GArray) entries = entries_of(trace, graph, sizes);
    g_autoptr(GHashTable) named = g_hash_table_new(g_str_hash, g_str_equal);
    int n = (int)entries->len;
    const char **names = fig_arena_new_array(arena, const char *, n + 1);
    FigView *views = fig_arena_new_array(arena, FigView, n + 1);
    for (int i = 0; i < n; i++) {
        const Entry *entry = &g_array_index(entries, Entry, (guint)i);
        const Entry *other = g_hash_table_lookup(named, entry->name);
        if (other) {
            fig_diag_error(diag, (FigSpan){0}, "‘%s’ and ‘%s’ are both ‘%s’",
                           other->own, entry->own, entry->name);
            return false;
        }
        g_hash_table_insert(named, entry->name, (gpointer)entry);
        names[i] = entry->name;
        if (!view_of(entry, graph, run, options, sizes, arena, &views[i], diag))
            return false;
    }
    g_autoptr(GError) error = NULL;
    if (fig_tensor_file_write(trace->path, n, names, views, &error))
        return true;
    fig_diag_error(diag, (FigSpan){0}, "%s", error->message);
    return false;
}
