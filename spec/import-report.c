/* SPDX-License-Identifier: MIT
 *
 * What became of each field of a config.json: taken, as it must be, or of no matter here;
 * what was refused is an error already. A field that neither the spec nor the list below
 * knows may change what the model computes, so that it is a warning.
 */
#include "spec/import.h"

#include <string.h>

/* Fields of any model that change nothing of what a layer computes. What a spec names
 * under `import:` is looked at there; this is about the rest. */
static const char *const harmless[] = {
    /* what the file is */
    "_name_or_path", "architectures", "transformers_version", "dtype", "torch_dtype",
    /* training: nothing is dropped and nothing initialized when a model is run */
    "attention_dropout", "hidden_dropout", "dropout", "embd_pdrop", "resid_pdrop",
    "initializer_range", "pretraining_tp",
    /* what a caller wants back, and how text is made */
    "use_cache", "output_attentions", "output_hidden_states", "return_dict",
    "bos_token_id", "eos_token_id", "pad_token_id",
    /* what stands around the layers */
    "vocab_size", "tie_word_embeddings", "max_position_embeddings", NULL};

void
fig_config_note(FigConfig *config, FigFateKind kind, const char *path, const char *id,
                const char *value)
{
    if (!config->json)
        return;
    FigFate fate = {kind, path, id, value};
    g_array_append_val(config->fates, fate);
}

/* Is the path the field, or within it? */
static bool
is_of(const char *path, const char *field)
{
    size_t length = strlen(field);
    return strncmp(path, field, length) == 0 &&
           (path[length] == '\0' || path[length] == '.');
}

static bool
is_refused(const FigConfig *config, const char *field)
{
    for (guint i = 0; i < config->fates->len; i++) {
        const FigFate *fate = &g_array_index(config->fates, FigFate, i);
        if (fate->kind == FIG_FATE_REFUSED && is_of(fate->path, field))
            return true;
    }
    return false;
}

/* A line for each part of the field that counts; how many. *known: the spec names it. */
static int
report_parts(FigConfig *config, const char *field, GString *out, bool *known)
{
    int lines = 0;
    *known = false;
    for (guint i = 0; i < config->fates->len; i++) {
        const FigFate *fate = &g_array_index(config->fates, FigFate, i);
        const json_t *value = fig_json_find(config->json, fate->path);
        if (!is_of(fate->path, field))
            continue;
        *known = true;
        const char *text = value ? fig_json_text(config->loader->arena, value) : NULL;
        if (text && fate->kind == FIG_FATE_TAKEN)
            g_string_append_printf(out, "%s is %s: taken as %s\n", fate->path, text,
                                   fate->id);
        else if (text && fate->kind == FIG_FATE_MUST && !json_is_object(value))
            g_string_append_printf(out, "%s is %s, as it must be\n", fate->path, text);
        else
            continue;
        lines++;
    }
    return lines;
}

static void
report_field(FigConfig *config, const char *field, const json_t *value, GString *out)
{
    FigLoader *loader = config->loader;
    bool known;
    const char *text = fig_json_text(loader->arena, value);
    if (is_refused(config, field) || report_parts(config, field, out, &known) > 0)
        return;
    if (known || json_is_null(value) || g_strv_contains(harmless, field))
        g_string_append_printf(out, "%s is %s: ignored, it changes nothing here\n",
                               field, text);
    else
        fig_diag_warning(loader->diag, fig_json_key_span(config->source, field),
                         "‘%s’ is %s: %s does not know it, and it may change what the "
                         "model computes",
                         field, text, config->name);
}

void
fig_config_report(FigConfig *config)
{
    g_autoptr(GString) out = g_string_new(NULL);
    const char *field;
    json_t *value;
    json_object_foreach(config->json, field, value)
    {
        report_field(config, field, value, out);
    }
    for (guint i = 0; i < config->fates->len; i++) {
        const FigFate *fate = &g_array_index(config->fates, FigFate, i);
        if (fate->kind == FIG_FATE_ABSENT)
            g_string_append_printf(out, "%s is absent: %s is %s\n", fate->path,
                                   fate->id, fate->value);
    }
    GString *wanted = config->loader->options->config_report;
    if (wanted && wanted->len == 0) /* a spec may be loaded twice */
        g_string_append(wanted, out->str);
}
