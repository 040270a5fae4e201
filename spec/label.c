/* SPDX-License-Identifier: MIT
 *
 * What is printed: labels by rule from ids, polynomials in the notation of the figure,
 * the words in the box of an op; and the rule that two values share a label only where
 * the reader can follow one into the other.
 */
#include "spec/loader.h"

#include <string.h>

static bool
is_greek(const char *word, size_t length)
{
    static const char *const letters[] = {
        "alpha", "beta",    "gamma", "delta",  "epsilon", "varepsilon",
        "zeta",  "eta",     "theta", "iota",   "kappa",   "lambda",
        "mu",    "nu",      "xi",    "pi",     "rho",     "sigma",
        "tau",   "upsilon", "phi",   "chi",    "psi",     "omega",
        "Gamma", "Delta",   "Theta", "Lambda", "Xi",      "Pi",
        "Sigma", "Phi",     "Psi",   "Omega",  "Upsilon", NULL};
    for (int i = 0; letters[i]; i++) {
        if (strlen(letters[i]) == length && strncmp(letters[i], word, length) == 0)
            return true;
    }
    return false;
}

/* W_qkv: W with a subscript; z1: z with one; theta: the letter; probs: an upright word. */
const char *
fig_label_of_id(const char *id, FigArena *arena)
{
    size_t head = strcspn(id, "_");
    const char *tail = id[head] ? id + head + 1 : "";
    size_t letters = 0;
    while (letters < head && g_ascii_isalpha(id[letters]))
        letters++;
    bool one = letters == 1 || is_greek(id, letters);
    g_autoptr(GString) label = g_string_new(NULL);
    if (is_greek(id, letters))
        g_string_append_printf(label, "\\%.*s", (int)letters, id);
    else if (one)
        g_string_append_len(label, id, 1);
    else
        g_string_append_printf(label, "\\mathrm{%.*s}", (int)head, id);
    g_autoptr(GString) below = g_string_new(NULL);
    if (one)
        g_string_append_len(below, id + letters, (gssize)(head - letters));
    if (*tail) {
        g_string_append(below, below->len ? "," : "");
        g_string_append(below, tail);
        g_string_replace(below, "_", ",", 0);
    }
    if (below->len)
        g_string_append_printf(label, "_{%s}", below->str);
    return fig_arena_strdup(arena, label->str);
}

static const char *
dim_label(const char *name, void *data)
{
    const FigGraph *graph = data;
    int i = fig_graph_dim(graph, name);
    return i < 0 ? NULL : graph->dims[i].label;
}

char *
fig_graph_tex(const FigGraph *graph, const FigPoly *poly)
{
    return fig_poly_tex(graph->algebra, poly, dim_label, (void *)graph);
}

/* ---- facts of an op ---- */

typedef struct Tex {
    const FigGraph *graph;
    FigArena *arena;
} Tex;

static const char *
poly_tex(FigAlgebra *algebra, const FigPoly *poly, void *data)
{
    const Tex *tex = data;
    g_autofree char *text = fig_graph_tex(tex->graph, poly);
    return fig_arena_strdup(tex->arena, text);
}

const FigOpFacts *
fig_graph_facts(const FigGraph *graph, int node, FigArena *arena)
{
    const FigNode *n = &graph->nodes[node];
    FigOpFacts *facts = fig_arena_new0(arena, FigOpFacts);
    const char **in_label = fig_arena_new_array(arena, const char *, n->n_reads);
    const char **out_label = fig_arena_new_array(arena, const char *, n->n_writes);
    bool *in_weight = fig_arena_new_array(arena, bool, n->n_reads);
    bool *out_named = fig_arena_new_array(arena, bool, n->n_writes);
    int *in_rank = fig_arena_new_array(arena, int, n->n_reads);
    int *out_rank = fig_arena_new_array(arena, int, n->n_writes);
    const FigPoly *const **in =
        fig_arena_new_array(arena, const FigPoly *const *, n->n_reads);
    const FigPoly *const **out =
        fig_arena_new_array(arena, const FigPoly *const *, n->n_writes);
    for (int i = 0; i < n->n_reads; i++) {
        const FigValue *value = &graph->values[n->reads[i].value];
        in_label[i] = value->label;
        in_weight[i] = value->from == FIG_FROM_WEIGHT;
        in_rank[i] = value->shape.rank;
        in[i] = value->shape.axis;
    }
    for (int i = 0; i < n->n_writes; i++) {
        const FigValue *value = &graph->values[n->writes[i]];
        out_label[i] = value->label;
        out_named[i] = value->labelled;
        out_rank[i] = value->shape.rank;
        out[i] = value->shape.axis;
    }
    Tex *tex = fig_arena_new0(arena, Tex);
    *tex = (Tex){graph, arena};
    *facts = (FigOpFacts){
        .algebra = graph->algebra,
        .n_in = n->n_reads,
        .n_out = n->n_writes,
        .in_label = in_label,
        .out_label = out_label,
        .in_weight = in_weight,
        .out_named = out_named,
        .in_rank = in_rank,
        .out_rank = out_rank,
        .in = in,
        .out = out,
        .attr = n->attrs,
        .tex = poly_tex,
        .data = tex,
    };
    for (int i = 0; n->op->attrs && n->op->attrs[i].name; i++) {
        if (n->op->attrs[i].type != FIG_ATTR_AXIS)
            continue;
        const FigShape *shape = &graph->values[n->reads[0].value].shape;
        int axis = n->attrs[i].axis;
        facts->axis_name = shape->name[axis]
                               ? shape->name[axis]
                               : fig_poly_text(graph->algebra, shape->axis[axis]);
    }
    return facts;
}

/* ---- labels of a loaded graph ---- */

static bool
is_printed(const FigValue *value)
{
    return value->from != FIG_FROM_ACTIVATION || value->labelled;
}

/* Does a chain of ops, each with one activation input, lead from value `from` to `to`? */
static bool
is_chain(const FigGraph *graph, int from, int to)
{
    while (to != from) {
        int node = graph->values[to].node;
        if (node < 0)
            return false;
        int before = -1, n = 0;
        for (int i = 0; i < graph->nodes[node].n_reads; i++) {
            int value = graph->nodes[node].reads[i].value;
            if (graph->values[value].from == FIG_FROM_WEIGHT)
                continue;
            before = value;
            n++;
        }
        if (n != 1)
            return false;
        to = before;
    }
    return true;
}

static bool
check_shared(const FigGraph *graph, FigDiag *diag)
{
    g_autoptr(GHashTable) last = /* by what is seen of the label */
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    bool good = true;
    for (int i = 0; i < graph->n_values; i++) {
        const FigValue *value = &graph->values[i];
        if (!is_printed(value))
            continue;
        gpointer other;
        char *seen = fig_label_seen(value->label);
        bool taken = g_hash_table_lookup_extended(last, seen, NULL, &other);
        if (taken && !is_chain(graph, GPOINTER_TO_INT(other), i)) {
            const FigValue *first = &graph->values[GPOINTER_TO_INT(other)];
            FigMessage *message = fig_diag_error(
                diag, value->span, "‘%s’ and ‘%s’ are both printed as ‘%s’", value->id,
                first->id, value->label);
            fig_message_note(message,
                             "values share a label only along a chain of ops with "
                             "one activation input");
            fig_message_note_at(message, first->span, "the other is written here");
            good = false;
        }
        g_hash_table_insert(last, seen, GINT_TO_POINTER(i));
    }
    return good;
}

/* ---- labels of sizes ---- */

/* Is it a digit or another sign for a number (⑤, Ⅴ, ½)? */
static bool
is_numeral(gunichar c)
{
    GUnicodeType type = g_unichar_type(c);
    return g_unichar_isdigit(c) || type == G_UNICODE_LETTER_NUMBER ||
           type == G_UNICODE_OTHER_NUMBER;
}

/* Does the label read as a number, or as a size made of others ("512", "8C", "C/2", "C^2")?
 * What stands in a subscript is part of a name. */
static bool
reads_as_size(const char *label)
{
    static const char *const made[] = {"\\frac",  "\\sqrt",  "\\cdot",   "\\times",
                                       "\\div",   "\\lceil", "\\lfloor", "\\odot",
                                       "\\oplus", "\\pm",    "\\sum",    "\\prod"};
    g_autofree char *seen = fig_label_seen(label);
    if (is_numeral(g_utf8_get_char(seen + strspn(seen, "+-"))))
        return true;
    int depth = 0, script = 0; /* how deep the outermost script begins; 0: in none */
    for (const char *c = label; *c; c = g_utf8_next_char(c)) {
        if (*c == '^' && g_ascii_isdigit(c[1 + strspn(c + 1, " {")]))
            return true;
        if (*c == '{' && c > label && strchr("_^", c[-1]) && !script)
            script = depth + 1;
        depth += (*c == '{') - (*c == '}');
        if (depth < script)
            script = 0;
        if ((!script && g_utf8_strchr("+/⁄∕÷×·⋅∙＋／", -1, g_utf8_get_char(c))) ||
            (depth == 0 && *c == '-'))
            return true;
    }
    for (size_t i = 0; i < G_N_ELEMENTS(made); i++)
        if (strstr(label, made[i]))
            return true;
    return false;
}

static bool
check_size_label(const char *id, const char *label, FigSpan span, GHashTable *seen,
                 FigDiag *diag)
{
    FigMessage *message;
    if (reads_as_size(label)) {
        message = fig_diag_error(diag, span,
                                 "‘%s’ is printed as ‘%s’, which reads as "
                                 "another size",
                                 id, label);
        fig_message_hint(message, "the label of a size or constant is a letter or a "
                                  "word: what it is stands beside it");
        return false;
    }
    char *key = fig_label_seen(label);
    const char *other = g_hash_table_lookup(seen, key);
    if (other) {
        g_free(key);
        message = fig_diag_error(diag, span, "‘%s’ and ‘%s’ are both printed as ‘%s’",
                                 id, other, label);
        fig_message_hint(message, "give one of them another label:");
        return false;
    }
    g_hash_table_insert(seen, key, (gpointer)id);
    return true;
}

/* A dim and a constant are what their labels say, each its own. */
static bool
check_sizes(const FigGraph *graph, FigDiag *diag)
{
    g_autoptr(GHashTable) seen =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    bool good = true;
    for (int i = 0; i < graph->n_dims; i++)
        good = check_size_label(graph->dims[i].id, graph->dims[i].label,
                                graph->dims[i].span, seen, diag) &&
               good;
    for (int i = 0; i < graph->n_constants; i++)
        good = check_size_label(graph->constants[i].id, graph->constants[i].label,
                                graph->constants[i].span, seen, diag) &&
               good;
    return good;
}

/* The words of an op, and behind them the weights that they do not name: whoever reads the
 * figure sees every weight where it is used. */
static const char *
with_weights(const FigGraph *graph, const FigNode *node, const char *words,
             FigArena *arena)
{
    bool any = false;
    for (int i = 0; i < node->n_reads; i++) {
        const FigValue *value = &graph->values[node->reads[i].value];
        if (value->from != FIG_FROM_WEIGHT || fig_label_names(words, value->label))
            continue;
        words =
            fig_arena_printf(arena, "%s%s $%s$", words, any ? "," : "", value->label);
        any = true;
    }
    return words;
}

bool
fig_load_labels(FigLoader *loader)
{
    FigGraph *graph = loader->graph;
    for (int i = 0; i < graph->n_nodes; i++) {
        FigNode *node = &graph->nodes[i];
        node->label = node->title;
        if (!node->label && node->op->label)
            node->label = node->op->label(fig_graph_facts(graph, i, loader->arena),
                                          loader->arena);
        if (!node->label)
            node->label = node->op->title;
        node->label = with_weights(graph, node, node->label, loader->arena);
    }
    bool sizes = check_sizes(graph, loader->diag);
    return check_shared(graph, loader->diag) && sizes;
}
