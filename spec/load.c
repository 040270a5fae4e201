/* SPDX-License-Identifier: MIT
 *
 * From a file to a graph: the head of a spec, and the phases in their order. A phase that
 * needs what an earlier one could not give is not run, so that a mistake is told once.
 */
#include "spec/extend.h"

#include "base/file.h"
#include "base/seen.h"

#include <string.h>

static const char *const spec_keys[] = {
    "opfig",     "name",     "family", "title",   "subtitle", "dims",
    "constants", "import",   "inputs", "weights", "ops",      "outputs",
    "claims",    "notes",    "probe",  "presets", "tables",   "extends",
    "edit",      "conforms", "aka",    NULL};

static bool
load_head(FigLoader *loader)
{
    static const char *const required[] = {"opfig",  "name", "dims",
                                           "inputs", "ops",  "outputs"};
    const FigYaml *root = loader->root;
    FigGraph *graph = loader->graph;
    if (!fig_yaml_check_keys(root, spec_keys, "a spec", loader->diag) &&
        root->kind != FIG_YAML_MAP)
        return false;
    bool good = true;
    for (size_t i = 0; i < G_N_ELEMENTS(required); i++) {
        if (fig_yaml_lookup(root, required[i]))
            continue;
        FigSpan start = {.source = root->span.source, .line = 1, .column = 1};
        fig_diag_error(loader->diag, start, "the spec needs ‘%s:’", required[i]);
        good = false;
    }
    const char *version = fig_loader_text(loader, root, "opfig");
    if (version && strcmp(version, "1") != 0) {
        fig_diag_error(loader->diag, fig_yaml_lookup(root, "opfig")->span,
                       "‘opfig: %s’ is not known to this program; it reads version 1",
                       version);
        return false;
    }
    graph->name = fig_loader_text(loader, root, "name");
    graph->family = fig_loader_text(loader, root, "family");
    graph->conforms = fig_loader_text(loader, root, "conforms");
    if (graph->family)
        good = fig_seen_check(fig_yaml_lookup(root, "family"), false, "‘family:’",
                              loader->diag) &&
               good;
    const FigYaml *title = fig_yaml_lookup(root, "title");
    const FigYaml *subtitle = fig_yaml_lookup(root, "subtitle");
    if (title)
        good = fig_loader_words(loader, title, "‘title:’", &graph->title) && good;
    if (subtitle)
        good =
            fig_loader_words(loader, subtitle, "‘subtitle:’", &graph->subtitle) && good;
    if (!graph->name)
        return false;
    const char *c = graph->name;
    while (g_ascii_isalnum(*c) || *c == '-' || *c == '_')
        c++;
    if (*c || c == graph->name) {
        fig_diag_error(loader->diag, fig_yaml_lookup(root, "name")->span,
                       "a name is made of letters, digits, ‘-’ and ‘_’");
        return false;
    }
    return good;
}

static void *
seal(FigLoader *loader, const GArray *array, int *count)
{
    *count = (int)array->len;
    return fig_arena_copy(loader->arena, array->data,
                          array->len * g_array_get_element_size((GArray *)array));
}

/* Move what the phases gathered into the graph. */
static void
seal_graph(FigLoader *loader)
{
    FigGraph *graph = loader->graph;
    int n;
    graph->dims = seal(loader, loader->dims, &graph->n_dims);
    graph->constants = seal(loader, loader->constants, &graph->n_constants);
    graph->values = seal(loader, loader->values, &graph->n_values);
    graph->aliases = seal(loader, loader->aliases, &graph->n_aliases);
    graph->nodes = seal(loader, loader->nodes, &graph->n_nodes);
    graph->groups = seal(loader, loader->groups, &graph->n_groups);
    graph->symbol_size = seal(loader, loader->symbol_size, &n);
}

static void
seal_conditions(FigLoader *loader)
{
    FigGraph *graph = loader->graph;
    graph->n_conditions = (int)loader->conditions->len;
    graph->conditions = fig_arena_copy(loader->arena, loader->conditions->pdata,
                                       loader->conditions->len * sizeof(FigExpr *));
    graph->condition_holds =
        seal(loader, loader->condition_holds, &graph->n_conditions);
}

static bool
size_graph(FigLoader *loader)
{
    FigGraph *graph = loader->graph;
    const FigSizes *sizes = fig_graph_sizes(graph, NULL, loader->arena, loader->diag);
    if (!sizes)
        return false;
    for (int i = 0; i < graph->n_values; i++)
        memcpy(graph->values[i].size, sizes->value[i], sizeof graph->values[i].size);
    for (int i = 0; i < graph->n_nodes; i++)
        graph->nodes[i].attrs = sizes->attr[i];
    for (int i = 0; i < graph->n_groups; i++)
        graph->groups[i].passes = sizes->passes[i];
    return true;
}

/* Is each document of the chain byte for byte one that the program ships? */
static bool
is_shipped(const FigLoader *loader)
{
    for (guint i = 0; i < loader->documents->len; i++) {
        const FigDocument *document = &g_array_index(loader->documents, FigDocument, i);
        const char *name = i ? document->called : loader->graph->name;
        g_autofree char *path = fig_spec_shipped_path(name);
        g_autofree char *text = NULL;
        size_t length;
        if (!path || !fig_file_read(path, FIG_LIMIT_FILE, &text, &length, NULL) ||
            length != document->source->length ||
            memcmp(text, document->source->text, length) != 0)
            return false;
    }
    return true;
}

static bool
run_phases(FigLoader *loader)
{
    int errors = fig_diag_errors(loader->diag);
    if (!load_head(loader))
        return false;
    loader->graph->shipped = is_shipped(loader);
    if (!fig_load_find_kinds(loader))
        return false;
    bool sized = fig_load_dims(loader);
    if (loader->names_lost)
        return false;
    bool good = fig_load_declarations(loader) && sized;
    good = fig_load_links(loader, good) && good;
    good = fig_load_tables(loader) && good;
    /* what a wrong dim makes of shapes says nothing */
    good = sized && fig_load_shapes(loader) && good;
    seal_graph(loader);
    good = fig_load_claims(loader) && good;
    seal_conditions(loader);
    if (!good || fig_diag_errors(loader->diag) > errors)
        return false;
    return size_graph(loader) && fig_load_axes(loader) && fig_load_labels(loader);
}

static FigGraph *load_text(const char *name, const char *path, const char *text,
                           size_t length, const FigLoadOptions *options, FigDiag *diag);

static FigGraph *
load_again(FigLoader *loader, const FigLoadOptions *options, FigDiag *diag)
{
    return load_text(loader->name, loader->path, loader->text, loader->length, options,
                     diag);
}

/* path: of the file it came from, or NULL. */
static FigGraph *
load_text(const char *name, const char *path, const char *text, size_t length,
          const FigLoadOptions *options, FigDiag *diag)
{
    static const FigLoadOptions no_options;
    FigArena *arena = fig_arena_new();
    FigGraph *graph = fig_arena_new0(arena, FigGraph);
    graph->arena = arena;
    graph->algebra = fig_algebra_new();
    graph->kinds_group = graph->kinds_constant = -1;
    g_autoptr(GArray) documents = g_array_new(FALSE, TRUE, sizeof(FigDocument));
    g_autoptr(GArray) parsed = g_array_new(FALSE, TRUE, sizeof(FigParsed));
    g_autoptr(GHashTable) names = g_hash_table_new(g_str_hash, g_str_equal);
    g_autoptr(GPtrArray) dim_ids = g_ptr_array_new();
    g_autoptr(GPtrArray) name_ids = g_ptr_array_new();
    g_ptr_array_add(dim_ids, NULL);
    g_ptr_array_add(name_ids, NULL);
    g_autoptr(GArray) dims = g_array_new(FALSE, TRUE, sizeof(FigDim));
    g_autoptr(GArray) symbol_size = g_array_new(FALSE, TRUE, sizeof(int64_t));
    g_autoptr(GArray) constants = g_array_new(FALSE, TRUE, sizeof(FigConstant));
    g_autoptr(GArray) values = g_array_new(FALSE, TRUE, sizeof(FigValue));
    g_autoptr(GArray) broken = g_array_new(FALSE, TRUE, sizeof(bool));
    g_autoptr(GArray) groups = g_array_new(FALSE, TRUE, sizeof(FigGroup));
    g_autoptr(GPtrArray) ops = g_ptr_array_new();
    g_autoptr(GArray) nodes = g_array_new(FALSE, TRUE, sizeof(FigNode));
    g_autoptr(GArray) aliases = g_array_new(FALSE, TRUE, sizeof(FigAlias));
    g_autoptr(GPtrArray) conditions = g_ptr_array_new();
    g_autoptr(GArray) condition_holds = g_array_new(FALSE, TRUE, sizeof(bool));
    FigLoader loader = {
        .graph = graph,
        .arena = arena,
        .diag = diag,
        .options = options ? options : &no_options,
        .documents = documents,
        .parsed = parsed,
        .names = names,
        .dim_ids = dim_ids,
        .name_ids = name_ids,
        .dims = dims,
        .symbol_size = symbol_size,
        .constants = constants,
        .values = values,
        .broken = broken,
        .groups = groups,
        .ops = ops,
        .nodes = nodes,
        .aliases = aliases,
        .conditions = conditions,
        .condition_holds = condition_holds,
    };
    int errors = fig_diag_errors(diag);
    fig_spec_part(&loader, name, path, text, length);
    FigYaml *root = fig_spec_read(&loader, 0);
    graph->source = g_array_index(documents, FigDocument, 0).source;
    loader.root = root ? fig_spec_extend(&loader, root) : NULL;
    if (loader.root && run_phases(&loader) && fig_diag_errors(diag) == errors) {
        graph->text = fig_spec_join(&loader, &graph->text_length);
        graph->root = loader.root;
        graph->parsed = seal(&loader, parsed, &graph->n_parsed);
        loader.name = name;
        loader.path = path;
        loader.text = text;
        loader.length = length;
        if (loader.options->one_kind || fig_load_kinds(&loader, load_again))
            return graph;
    }
    g_assert(fig_diag_errors(diag) > errors); /* nothing fails without a word */
    fig_graph_free(graph);
    return NULL;
}

FigGraph *
fig_spec_load(const char *path, const FigLoadOptions *options, FigDiag *diag)
{
    g_autofree char *text = NULL;
    g_autoptr(GError) error = NULL;
    size_t length;
    if (!fig_file_read(path, FIG_LIMIT_FILE, &text, &length, &error)) {
        fig_diag_error(diag, (FigSpan){0}, "%s", error->message);
        return NULL;
    }
    return load_text(path, path, text, length, options, diag);
}

FigGraph *
fig_spec_load_text(const char *name, const char *text, size_t length,
                   const FigLoadOptions *options, FigDiag *diag)
{
    return load_text(name, NULL, text, length, options, diag);
}
