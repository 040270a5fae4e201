/* SPDX-License-Identifier: MIT
 *
 * Ops in the order of the file, which is the order of execution: each name read becomes
 * the value that was written before it. An op switched off with one activation input and
 * one result is bypassed: its name means its input from there on.
 */
#include "spec/loader.h"

#include <string.h>

static FigName *
find_name(FigLoader *loader, const char *id)
{
    return g_hash_table_lookup(loader->names, id);
}

/* ---- reading ---- */

static void
report_unknown(FigLoader *loader, const FigYaml *word)
{
    if (loader->names_lost)
        return;
    FigMessage *message =
        fig_diag_error(loader->diag, word->span, "there is no value ‘%s’", word->text);
    g_autoptr(GPtrArray) ids = g_ptr_array_new();
    for (guint i = 0; i < loader->values->len; i++)
        g_ptr_array_add(ids, (gpointer)FIG_VALUE(loader, i)->id);
    for (guint i = 0; i < loader->ops->len; i++) {
        const FigOpDecl *decl = loader->ops->pdata[i];
        for (int k = 0; k < decl->n_results; k++) {
            if (decl->results[k].id)
                g_ptr_array_add(ids, (gpointer)decl->results[k].id);
        }
    }
    g_ptr_array_add(ids, NULL);
    fig_message_suggest(message, word->text, (const char *const *)ids->pdata);
}

static void
report_op_id(FigLoader *loader, const FigYaml *word, const FigOpDecl *decl)
{
    g_autoptr(GString) results = g_string_new(NULL);
    for (int i = 0; i < decl->n_results; i++)
        g_string_append_printf(results, "%s%s", i ? ", " : "",
                               decl->results[i].id ? decl->results[i].id : "?");
    FigMessage *message = fig_diag_error(loader->diag, word->span,
                                         "‘%s’ is an op, not a value", word->text);
    fig_message_note(message, "its results are %s", results->str);
}

static void
report_off(FigLoader *loader, const FigYaml *word, const FigOpDecl *decl)
{
    FigMessage *message =
        fig_diag_error(loader->diag, word->span,
                       "‘%s’ is not computed: its op is switched off", word->text);
    const FigYaml *when = fig_yaml_lookup(decl->yaml, "when");
    fig_message_note_at(
        message, when ? when->span : decl->yaml->span,
        "an op with one activation input and one result would be bypassed, "
        "this one cannot be");
}

int
fig_loader_resolve(FigLoader *loader, const FigYaml *word, int reader)
{
    const FigName *name = find_name(loader, word->text);
    if (name && name->value >= 0)
        return name->value;
    if (!name) {
        report_unknown(loader, word);
        return -1;
    }
    if (name->op < 0) {
        bool weight = strcmp(name->what, "a weight") == 0;
        if (weight || strcmp(name->what, "an input") == 0)
            fig_diag_error(loader->diag, word->span,
                           "the %s ‘%s’ is switched off by its ‘when:’",
                           weight ? "weight" : "input", word->text);
        else if (!loader->names_lost) /* an op of that id may have been refused */
            fig_diag_error(loader->diag, word->span, "‘%s’ is %s, not a value",
                           word->text, name->what);
        return -1;
    }
    const FigOpDecl *decl = loader->ops->pdata[name->op];
    if (strcmp(name->what, "an op") == 0) {
        report_op_id(loader, word, decl);
    } else if (name->op == reader) {
        fig_diag_error(loader->diag, word->span, "‘%s’ reads its own result",
                       word->text);
    } else if (name->op > reader) {
        FigMessage *message = fig_diag_error(
            loader->diag, word->span, "‘%s’ is read before it is written", word->text);
        fig_message_note_at(message, name->span, "it is written here, later");
    } else {
        report_off(loader, word, decl);
    }
    return -1;
}

void
fig_loader_count_reader(FigLoader *loader, int index)
{
    FigValue *value = FIG_VALUE(loader, index);
    value->n_readers++;
    value->used = true;
    for (int i = 0; i < value->n_members; i++)
        FIG_VALUE(loader, value->members[i])->used = true;
}

/* ---- writing ---- */

static void
describe_result(FigLoader *loader, const FigResultDecl *result, int index)
{
    FigValue value = *FIG_VALUE(loader, index);
    value.labelled = result->named;
    if (result->map) {
        value.what = fig_loader_sentence(loader, result->map, "what");
        const char *label = fig_loader_label(loader, result->map);
        if (label) {
            value.label = label;
            value.labelled = true;
        }
        fig_loader_aka(loader, result->map, &value);
    }
    *FIG_VALUE(loader, index) = value;
}

static int
add_result(FigLoader *loader, const FigResultDecl *result, int node, int port)
{
    FigName *name = find_name(loader, result->id);
    FigValue value = {
        .id = result->id,
        .span = result->word->span,
        .from = FIG_FROM_ACTIVATION,
        .node = node,
        .port = port,
        .joined_in = -1,
        .repeat = -1,
        .label = fig_label_of_id(result->id, loader->arena),
    };
    int index = (int)loader->values->len;
    bool broken = node < 0;
    g_array_append_val(loader->values, value);
    g_array_append_val(loader->broken, broken);
    name->value = index;
    describe_result(loader, result, index);
    return index;
}

static bool
read_mark(FigLoader *loader, const FigOpDecl *decl, FigMark *mark)
{
    const char *text = fig_loader_text(loader, decl->yaml, "mark");
    *mark = decl->op->mark;
    if (!text)
        return true;
    const char *names[FIG_MARKS + 1] = {NULL};
    for (int i = 0; i < FIG_MARKS; i++) {
        names[i] = fig_mark_name((FigMark)i);
        if (strcmp(names[i], text) == 0)
            *mark = (FigMark)i;
    }
    const FigYaml *node = fig_yaml_lookup(decl->yaml, "mark");
    if (!g_strv_contains(names, text)) {
        FigMessage *message =
            fig_diag_error(loader->diag, node->span, "unknown mark ‘%s’", text);
        fig_message_suggest(message, text, names);
        return false;
    }
    if (*mark == FIG_MARK_CIRCLE && !decl->op->sign) {
        fig_diag_error(loader->diag, node->span, "%s has no sign to stand in a circle",
                       decl->op->name);
        return false;
    }
    return true;
}

/* A title that is what another op is called says that this one is that. */
static void
check_title(FigLoader *loader, const FigOpDecl *decl, const char *title)
{
    for (const FigOp *const *op = fig_op_all(); *op; op++) {
        bool other = *op != decl->op && strcmp((*op)->title, decl->op->title) != 0;
        if (!other || (g_ascii_strcasecmp(title, (*op)->title) != 0 &&
                       g_ascii_strcasecmp(title, (*op)->name) != 0 &&
                       g_ascii_strcasecmp(title, (*op)->full_name) != 0))
            continue;
        FigMessage *message =
            fig_diag_warning(loader->diag, fig_yaml_lookup(decl->yaml, "title")->span,
                             "‘%s’ is what the op %s is called, and this is %s", title,
                             (*op)->name, decl->op->name);
        fig_message_hint(message, "did you mean op: %s?", (*op)->name);
        return;
    }
}

static bool
add_node(FigLoader *loader, FigOpDecl *decl, const int *values)
{
    FigNode node = {
        .id = decl->id,
        .op = decl->op,
        .span = decl->yaml->span,
        .op_span = decl->word->span,
        .group = decl->group,
        .repeat = fig_loader_repeat_of(loader, decl->group),
        .n_reads = decl->n_reads,
        .n_writes = decl->n_results,
    };
    if (!read_mark(loader, decl, &node.mark))
        return false;
    node.title = fig_loader_sentence(loader, decl->yaml, "title");
    if (node.title)
        check_title(loader, decl, node.title);
    FigRead *reads = fig_arena_new_array(loader->arena, FigRead, decl->n_reads);
    for (int i = 0; i < decl->n_reads; i++) {
        reads[i].value = values[i];
        reads[i].port = fig_signature_input(decl->op, i);
        reads[i].span = decl->reads[i]->span;
    }
    int *writes = fig_arena_new_array(loader->arena, int, decl->n_results);
    decl->node = (int)loader->nodes->len;
    for (int i = 0; i < decl->n_results; i++)
        writes[i] = add_result(loader, &decl->results[i], decl->node, i);
    for (int i = 0; i < decl->n_results; i++)
        FIG_VALUE(loader, writes[i])->repeat = node.repeat;
    node.reads = reads;
    node.writes = writes;
    g_array_append_val(loader->nodes, node);
    return true;
}

/* An op that is switched off: its only result, if it can be, means its only activation. */
static void
bypass(FigLoader *loader, const FigOpDecl *decl)
{
    int activation = -1, n = 0;
    for (int i = 0; i < decl->n_reads; i++) {
        const FigName *name =
            decl->reads[i] ? find_name(loader, decl->reads[i]->text) : NULL;
        if (name && name->value >= 0 &&
            FIG_VALUE(loader, name->value)->from != FIG_FROM_WEIGHT) {
            activation = name->value;
            n++;
        }
    }
    if (n != 1 || decl->n_results != 1 || !decl->results[0].id)
        return;
    FigAlias alias = {decl->results[0].id, activation};
    find_name(loader, alias.id)->value = activation;
    g_array_append_val(loader->aliases, alias);
}

static bool
link_op(FigLoader *loader, int index)
{
    FigOpDecl *decl = loader->ops->pdata[index];
    if (!decl->on && !decl->broken) {
        if (!decl->replaced)
            bypass(loader, decl);
        return true;
    }
    int values[FIG_LIMIT_PORTS];
    bool carries = decl->op && decl->op->carries;
    if (carries && !decl->broken && !fig_loader_carrier(loader, index))
        decl->broken = true;
    for (int i = 0; i < decl->n_reads; i++) {
        if (carries && i > 0) { /* written later: found once all is linked */
            values[i] = -1;
            continue;
        }
        values[i] =
            decl->reads[i] ? fig_loader_resolve(loader, decl->reads[i], index) : -1;
        if (values[i] >= 0)
            fig_loader_count_reader(loader, values[i]);
        else
            decl->broken = true;
    }
    if (!decl->broken && add_node(loader, decl, values))
        return true;
    decl->broken = true;
    for (int i = 0; i < decl->n_results; i++) {
        if (decl->results[i].id)
            add_result(loader, &decl->results[i], -1, i);
    }
    return false;
}

/* ---- outputs, and what nobody reads ---- */

static bool
link_outputs(FigLoader *loader)
{
    const FigYaml *list = fig_yaml_lookup(loader->root, "outputs");
    if (!list || !fig_loader_list(loader, list, "‘outputs:’"))
        return false;
    if (list->count == 0) {
        fig_diag_error(loader->diag, list->span, "a spec has at least one output");
        return false;
    }
    bool good = true;
    int *outputs = fig_arena_new_array(loader->arena, int, MAX(list->count, 1));
    for (int i = 0; i < list->count; i++) {
        const FigYaml *word =
            fig_loader_scalar(loader, list->items[i], "an output's name");
        int value = word ? fig_loader_resolve(loader, word, (int)loader->ops->len) : -1;
        outputs[i] = value;
        if (value < 0) {
            good = false;
            continue;
        }
        FigValue *output = FIG_VALUE(loader, value);
        if (output->from == FIG_FROM_WEIGHT)
            fig_diag_error(loader->diag, word->span, "‘%s’ is a weight, no output",
                           word->text);
        else if (output->is_output)
            fig_diag_error(loader->diag, word->span, "‘%s’ is an output twice",
                           word->text);
        good = good && output->from != FIG_FROM_WEIGHT && !output->is_output;
        output->is_output = true;
    }
    loader->graph->outputs = outputs;
    loader->graph->n_outputs = list->count;
    return good;
}

/* The switched-off op that would have used a weight, or NULL. */
static const FigOpDecl *
off_reader(FigLoader *loader, const char *id)
{
    for (guint i = 0; i < loader->ops->len; i++) {
        const FigOpDecl *decl = loader->ops->pdata[i];
        for (int k = 0; k < decl->n_reads && !decl->on; k++) {
            if (decl->reads[k] && strcmp(decl->reads[k]->text, id) == 0)
                return decl;
        }
    }
    return NULL;
}

static bool
check_unread(FigLoader *loader)
{
    bool good = true;
    for (guint i = 0; i < loader->values->len; i++) {
        const FigValue *value = FIG_VALUE(loader, i);
        bool wanted = value->from == FIG_FROM_WEIGHT
                          ? value->used
                          : value->n_readers > 0 || value->is_output;
        if (wanted || FIG_BROKEN(loader, i))
            continue;
        good = false;
        if (value->from == FIG_FROM_ACTIVATION) {
            FigMessage *message = fig_diag_error(
                loader->diag, value->span, "‘%s’ is written and never read", value->id);
            fig_message_hint(message, "a result of the model stands under ‘outputs:’");
            continue;
        }
        FigMessage *message = fig_diag_error(
            loader->diag, value->span, "the %s ‘%s’ is never read",
            value->from == FIG_FROM_WEIGHT ? "weight" : "input", value->id);
        const FigOpDecl *off = off_reader(loader, value->id);
        if (off) {
            const FigYaml *when = fig_yaml_lookup(off->yaml, "when");
            fig_message_note_at(message, when->span, "‘%s’ would, but is switched off",
                                off->id);
            fig_message_hint(message, "give the %s the same ‘when:’",
                             value->from == FIG_FROM_WEIGHT ? "weight" : "op's input");
        }
    }
    return good;
}

bool
fig_load_links(FigLoader *loader, bool good)
{
    for (int i = 0; i < (int)loader->ops->len; i++)
        good = link_op(loader, i) && good;
    good = fig_load_repeats(loader) && good;
    good = link_outputs(loader) && good;
    /* after another mistake, who reads what is not known */
    return good && check_unread(loader);
}
