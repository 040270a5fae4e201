/* SPDX-License-Identifier: MIT
 *
 * One model, one meaning, however its config.json is written: as older and newer versions
 * of transformers write it, with fields that are null or not there at all. And each field
 * gets its line: taken, as it must be, of no matter, or unknown.
 */
#include "spec/load.h"

#include <glib/gstdio.h>
#include <jansson.h>
#include <string.h>

static char *folder;

static const struct {
    const char *name, *spec;
    int layers;
} sets[] = {
    {"olmo1-tiny", "olmo1-block", 1},
    {"olmo1-clip-tiny", "olmo1-block", 1},
    {"olmo2-tiny", "olmo2-block", 1},
    {"olmo2-primer-block", "olmo2-gated", 1},
    {"olmo3-tiny-gqa", "olmo3-block", 4},
    {"olmo3-tiny-gqa-yarn", "olmo3-block", 4},
    {"llama-tiny", "llama3-block", 1},
    {"llama3-tiny-gqa", "llama3-block", 1},
    {"llama-tiny", "llama-interleaved-block", 1},
};

static json_t *
golden_config(const char *set)
{
    g_autofree char *path = g_build_filename(g_getenv("OPFIG_SOURCE"), "tests",
                                             "golden", set, "config.json", NULL);
    json_t *json = json_load_file(path, JSON_REJECT_DUPLICATES, NULL);
    g_assert_nonnull(json);
    return json;
}

/* Load a spec with a config; every message as text, and the lines of the fields.
 * owns: the caller, text and lines to be freed */
static FigGraph *
load(const json_t *config, const char *spec, int layer, const FigOverride *set,
     char **text, char **lines)
{
    g_autofree char *path = g_build_filename(folder, "config.json", NULL);
    g_assert_cmpint(json_dump_file(config, path, JSON_INDENT(2)), ==, 0);
    g_autoptr(FigDiag) diag = fig_diag_new();
    g_autofree char *file = fig_spec_find(spec, diag);
    g_autoptr(GString) report = g_string_new(NULL);
    FigLoadOptions options = {
        .config = path, .layer = layer, .set = set, .config_report = report};
    FigGraph *graph = fig_spec_load(file, &options, diag);
    g_autoptr(GString) out = g_string_new(NULL);
    fig_diag_print(diag, out, false);
    g_string_replace(out, folder, "", 0);
    g_unlink(path);
    *text = g_string_free(g_steal_pointer(&out), FALSE);
    *lines = g_string_free(g_steal_pointer(&report), FALSE);
    return graph;
}

/* All dims and constants as a text; "refused: …" where the config is. owns: the caller */
static char *
meaning(const json_t *config, const char *spec, int layer)
{
    g_autofree char *text = NULL, *lines = NULL;
    g_autoptr(FigGraph) graph = load(config, spec, layer, NULL, &text, &lines);
    if (!graph)
        return g_strconcat("refused: ", text, NULL);
    g_assert_cmpstr(text, ==, "");
    GString *out = g_string_new(NULL);
    for (int i = 0; i < graph->n_dims; i++)
        g_string_append_printf(out, "%s=%" G_GINT64_FORMAT " ", graph->dims[i].id,
                               graph->dims[i].size);
    for (int i = 0; i < graph->n_constants; i++)
        g_string_append_printf(out, "%s=%s ", graph->constants[i].id,
                               graph->constants[i].text);
    return g_string_free(out, FALSE);
}

/* ---- ways to write the same ---- */

/* `rope_scaling` and `rope_theta` as `rope_parameters`, for each type of layer or not. */
static void
write_new(json_t *config, bool by_layer)
{
    json_t *scaling = json_object_get(config, "rope_scaling");
    json_t *flat = json_object();
    if (json_is_object(scaling))
        json_object_update(flat, scaling);
    else
        json_object_set_new(flat, "rope_type", json_string("default"));
    json_object_set(flat, "rope_theta", json_object_get(config, "rope_theta"));
    if (by_layer) {
        json_t *nested = json_object();
        json_object_set(nested, "full_attention", flat);
        json_object_set_new(nested, "sliding_attention",
                            json_pack("{s:s, s:O}", "rope_type", "default",
                                      "rope_theta",
                                      json_object_get(config, "rope_theta")));
        json_object_set_new(config, "rope_parameters", nested);
    } else {
        json_object_set(config, "rope_parameters", flat);
    }
    json_decref(flat);
    json_object_del(config, "rope_scaling");
    json_object_del(config, "rope_theta");
}

static void
new_form(json_t *config)
{
    write_new(config, false);
}

static void
new_form_by_layer(json_t *config)
{
    if (json_object_get(config, "sliding_window"))
        write_new(config, true);
}

/* Both forms at once, as some tools do. */
static void
both_forms(json_t *config)
{
    json_t *scaling = json_incref(json_object_get(config, "rope_scaling"));
    json_t *theta = json_incref(json_object_get(config, "rope_theta"));
    write_new(config, false);
    json_object_set_new(config, "rope_scaling", scaling);
    json_object_set_new(config, "rope_theta", theta);
}

static void
rename_key(json_t *object, const char *from, const char *to)
{
    json_t *value = json_object_get(object, from);
    if (!value)
        return;
    json_object_set(object, to, value);
    json_object_del(object, from);
}

static void
type_for_rope_type(json_t *config)
{
    rename_key(json_object_get(config, "rope_scaling"), "rope_type", "type");
}

static void
new_type_for_rope_type(json_t *config)
{
    write_new(config, false);
    rename_key(json_object_get(config, "rope_parameters"), "rope_type", "type");
}

static void
default_object(json_t *config)
{
    if (json_is_null(json_object_get(config, "rope_scaling")))
        json_object_set_new(config, "rope_scaling",
                            json_pack("{s:s}", "rope_type", "default"));
}

/* A theta and no type at all. */
static void
bare_parameters(json_t *config)
{
    if (!json_is_null(json_object_get(config, "rope_scaling")))
        return;
    write_new(config, false);
    json_object_del(json_object_get(config, "rope_parameters"), "rope_type");
}

static void
dtype_for_torch_dtype(json_t *config)
{
    rename_key(config, "torch_dtype", "dtype");
}

static void
torch_dtype_for_dtype(json_t *config)
{
    rename_key(config, "dtype", "torch_dtype");
}

static void
no_nulls(json_t *config)
{
    const char *key;
    json_t *value;
    void *next;
    json_object_foreach_safe(config, next, key, value)
    {
        if (json_is_null(value))
            json_object_del(config, key);
    }
}

static void
explicit_nulls(json_t *config)
{
    static const char *const names[] = {"head_dim", "clip_qkv", "rope_parameters",
                                        "rope_scaling"};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        if (!json_object_get(config, names[i]))
            json_object_set_new(config, names[i], json_null());
    }
}

static void
no_biases(json_t *config)
{
    json_object_del(config, "attention_bias");
    json_object_set_new(config, "mlp_bias", json_null());
}

/* As many key/value heads as heads, where it says so. */
static void
no_groups(json_t *config)
{
    if (json_equal(json_object_get(config, "num_key_value_heads"),
                   json_object_get(config, "num_attention_heads")))
        json_object_del(config, "num_key_value_heads");
}

static void
null_groups(json_t *config)
{
    if (json_equal(json_object_get(config, "num_key_value_heads"),
                   json_object_get(config, "num_attention_heads")))
        json_object_set_new(config, "num_key_value_heads", json_null());
}

static void
no_layer_types(json_t *config)
{
    json_object_del(config, "layer_types");
}

static void
theta_with_point(json_t *config)
{
    double theta = json_number_value(json_object_get(config, "rope_theta"));
    json_object_set_new(config, "rope_theta", json_real(theta));
}

static void
theta_without_point(json_t *config)
{
    double theta = json_number_value(json_object_get(config, "rope_theta"));
    json_object_set_new(config, "rope_theta", json_integer((json_int_t)theta));
}

static void
head_width_as_it_follows(json_t *config)
{
    json_int_t C = json_integer_value(json_object_get(config, "hidden_size"));
    json_int_t H = json_integer_value(json_object_get(config, "num_attention_heads"));
    json_object_set_new(config, "head_dim", json_integer(C / H));
}

static void
test_forms(void)
{
    static const struct {
        const char *what;
        void (*write)(json_t *config);
    } forms[] = {
        {"new", new_form},
        {"new, by layer", new_form_by_layer},
        {"both", both_forms},
        {"type", type_for_rope_type},
        {"new, type", new_type_for_rope_type},
        {"type default", default_object},
        {"no type", bare_parameters},
        {"dtype", dtype_for_torch_dtype},
        {"torch_dtype", torch_dtype_for_dtype},
        {"no nulls", no_nulls},
        {"nulls", explicit_nulls},
        {"no biases", no_biases},
        {"no groups", no_groups},
        {"null groups", null_groups},
        {"no layer types", no_layer_types},
        {"theta with a point", theta_with_point},
        {"theta without", theta_without_point},
        {"head width", head_width_as_it_follows},
    };
    for (size_t s = 0; s < G_N_ELEMENTS(sets); s++) {
        for (int layer = 0; layer < sets[s].layers; layer++) {
            json_t *plain = golden_config(sets[s].name);
            g_autofree char *want = meaning(plain, sets[s].spec, layer);
            json_decref(plain);
            g_assert_false(g_str_has_prefix(want, "refused"));
            for (size_t f = 0; f < G_N_ELEMENTS(forms); f++) {
                json_t *config = golden_config(sets[s].name);
                forms[f].write(config);
                g_autofree char *got = meaning(config, sets[s].spec, layer);
                json_decref(config);
                if (!g_str_equal(got, want))
                    g_error("%s layer %d, %s: %s\n, not %s", sets[s].name, layer,
                            forms[f].what, got, want);
            }
        }
    }
}

/* ---- what is refused ---- */

/* The first line of the message for a config with some keys laid over it. */
static void
refuses(const char *set, const char *spec, int layer, const char *overlay,
        const char *wanted)
{
    json_t *config = golden_config(set);
    json_t *over = json_loads(overlay, 0, NULL);
    g_assert_nonnull(over);
    json_object_update(config, over);
    g_autofree char *got = meaning(config, spec, layer);
    json_decref(over);
    json_decref(config);
    char *error = strstr(got, "error: ");
    if (!g_str_has_prefix(got, "refused") || !error)
        g_error("%s with %s is taken: %s", spec, overlay, got);
    error[strcspn(error, "\n")] = '\0';
    g_assert_cmpstr(error + strlen("error: "), ==, wanted);
}

static void
test_refused(void)
{
    static const struct {
        const char *set, *spec;
        const char *name;
    } all[] = {
        {"olmo1-tiny", "olmo1-block", "olmo1-block"},
        {"olmo2-tiny", "olmo2-block", "olmo2-block"},
        {"olmo3-tiny-gqa", "olmo3-block", "olmo3-block"},
        {"llama-tiny", "llama3-block", "llama3-block"},
        {"llama-tiny", "llama-interleaved-block", "llama-interleaved-block"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
        const char *set = all[i].set, *spec = all[i].spec;
        g_autofree char *act = g_strdup_printf(
            "‘hidden_act’ is gelu, which %s cannot honour: it takes silu", spec);
        g_autofree char *bias = g_strdup_printf(
            "‘attention_bias’ is true, which %s cannot honour: it takes "
            "false or null",
            spec);
        bool scales =
            g_str_has_prefix(spec, "llama") || g_str_equal(spec, "olmo3-block");
        g_autofree char *linear = g_strdup_printf(
            "‘rope_scaling.rope_type’ is linear, which %s cannot honour: it takes %s",
            spec, scales ? "default or llama3 or yarn" : "default or null");
        g_autofree char *family = g_strdup_printf(
            "‘model_type’ is gpt2, which %s cannot honour: it takes %s", spec,
            g_str_has_prefix(spec, "llama")   ? "llama"
            : g_str_has_prefix(spec, "olmo1") ? "olmo"
            : g_str_has_prefix(spec, "olmo2") ? "olmo2"
                                              : "olmo3");
        refuses(set, spec, 3, "{\"hidden_act\": \"gelu\"}", act);
        refuses(set, spec, 3, "{\"attention_bias\": true}", bias);
        refuses(set, spec, 3,
                "{\"rope_scaling\": {\"rope_type\": \"linear\", \"factor\": 2}}",
                linear);
        refuses(set, spec, 3, "{\"model_type\": \"gpt2\"}", family);
        refuses(
            set, spec, 3, "{\"rope_parameters\": {\"rope_theta\": 1}}",
            scales || g_str_has_prefix(spec, "olmo2")
                ? g_str_has_prefix(spec, "llama")
                      ? "‘rope_parameters.rope_theta’ is 1, but ‘rope_theta’ is 10000"
                      : "‘rope_parameters.rope_theta’ is 1, but ‘rope_theta’ is 500000"
                : "‘rope_parameters.rope_theta’ is 1, but ‘rope_theta’ is 10000");
    }
    refuses("olmo2-tiny", "olmo2-block", 0, "{\"clip_qkv\": 8}",
            "‘clip_qkv’ is 8, which olmo2-block cannot honour: it takes null");
    refuses("olmo3-tiny-gqa", "olmo3-block", 0, "{\"clip_qkv\": 8}",
            "‘clip_qkv’ is 8, which olmo3-block cannot honour: it takes null");
    refuses(
        "llama-tiny", "llama3-block", 0, "{\"mlp_bias\": true}",
        "‘mlp_bias’ is true, which llama3-block cannot honour: it takes false or null");
    refuses("olmo2-tiny", "olmo2-block", 0, "{\"rope_scaling\": {\"factor\": 2}}",
            "‘rope_scaling.factor’ is 2, which olmo2-block cannot honour");
    refuses("olmo2-tiny", "olmo2-block", 0, "{\"rope_scaling\": 2}",
            "‘rope_scaling’ is 2; an object is wanted");
    refuses("olmo1-tiny", "olmo1-block", 0,
            "{\"rope_parameters\": {\"rope_type\": \"yarn\", \"rope_theta\": 10000}}",
            "‘rope_parameters.rope_type’ is yarn, which olmo1-block cannot honour: it "
            "takes "
            "default or null");
    /* heads that do not divide */
    refuses("llama-tiny", "llama3-block", 0, "{\"num_key_value_heads\": 2}",
            "a size of ‘k_repeat’, H/G, is not whole: 3/2");
    refuses("llama-tiny", "llama3-block", 0, "{\"num_attention_heads\": 5}",
            "h_d = C/H is not whole: 36 is not a multiple of 5");
    /* a window layer turns with plain frequencies, whatever full layers do */
    for (int layer = 0; layer < 4; layer += 3)
        refuses(
            "olmo3-tiny-gqa", "olmo3-block", layer,
            "{\"rope_parameters\": {\"sliding_attention\": {\"rope_type\": \"yarn\", "
            "\"rope_theta\": 500000}}}",
            "‘rope_parameters.sliding_attention.rope_type’ is yarn, which olmo3-block "
            "cannot honour: it takes default or null");
    /* two forms that say different things */
    refuses("llama3-tiny-gqa", "llama3-block", 0,
            "{\"rope_parameters\": {\"rope_type\": \"llama3\", \"factor\": 8}}",
            "‘rope_parameters’ is {\"factor\":8,\"rope_type\":\"llama3\"}, but "
            "‘rope_scaling’ is {\"factor\":32.0,\"high_freq_factor\":4.0,"
            "\"low_freq_factor\":1.0,…");
    refuses("llama3-tiny-gqa", "llama3-block", 0,
            "{\"rope_scaling\": {\"rope_type\": \"llama3\", \"type\": \"yarn\", "
            "\"factor\": 8}}",
            "‘type’ is \"yarn\", but ‘rope_type’ is \"llama3\"");
}

/* Each kind of layer has a theta of its own, where the config says so. */
static void
test_by_layer(void)
{
    json_t *config = golden_config("olmo3-tiny-gqa-yarn");
    write_new(config, true);
    json_t *nested = json_object_get(config, "rope_parameters");
    json_object_set_new(json_object_get(nested, "sliding_attention"), "rope_theta",
                        json_integer(12345));
    for (int listed = 0; listed < 2; listed++) {
        for (int layer = 0; layer < 4; layer++) {
            g_autofree char *all = meaning(config, "olmo3-block", layer);
            g_assert_nonnull(
                strstr(all, layer == 3 ? "theta=500000 kind=full scaling={type: yarn, "
                                       : "theta=12345 kind=window scaling=none"));
        }
        json_object_del(config, "layer_types");
    }
    /* the command line goes before the config */
    const FigOverride set[] = {{"kind", "full"}, {NULL, NULL}};
    g_autofree char *text = NULL, *lines = NULL;
    g_autoptr(FigGraph) graph = load(config, "olmo3-block", 0, set, &text, &lines);
    g_assert_nonnull(graph);
    const FigConstant *theta =
        fig_constant_find(graph->constants, graph->n_constants, "theta");
    g_assert_cmpstr(theta->text, ==, "500000");
    json_decref(config);
}

/* ---- a line for each field ---- */

static void
test_lines(void)
{
    json_t *config = golden_config("olmo2-tiny");
    write_new(config, false);
    json_object_set_new(config, "clip_qkv", json_null());
    json_object_set_new(config, "num_key_value_heads", json_null());
    json_object_set_new(config, "logit_scale", json_null());
    g_autofree char *text = NULL, *lines = NULL;
    g_autoptr(FigGraph) graph = load(config, "olmo2-block", 0, NULL, &text, &lines);
    g_assert_nonnull(graph);
    g_assert_cmpstr(text, ==, "");
    static const char *const wanted[] = {
        "hidden_size is 48: taken as C",
        "hidden_act is \"silu\", as it must be",
        "rope_parameters.rope_theta is 500000: taken as theta",
        "rope_parameters.rope_type is \"default\", as it must be",
        "clip_qkv is null, as it must be",
        "num_key_value_heads is null: ignored, it changes nothing here",
        "num_key_value_heads is absent: G is H",
        "logit_scale is null: ignored, it changes nothing here",
        "use_cache is true: ignored, it changes nothing here",
    };
    g_auto(GStrv) list = g_strsplit(lines, "\n", -1);
    for (size_t i = 0; i < G_N_ELEMENTS(wanted); i++)
        if (!g_strv_contains((const char *const *)list, wanted[i]))
            g_error("no line ‘%s’ in\n%s", wanted[i], lines);
    const char *key;
    json_t *value;
    json_object_foreach(config, key, value)
    {
        int found = 0;
        for (char **line = list; *line; line++)
            found += g_str_has_prefix(*line, key) &&
                     ((*line)[strlen(key)] == ' ' || (*line)[strlen(key)] == '.');
        g_assert_cmpint(found, >, 0);
    }
    json_decref(config);
}

/* What nobody knows is a warning, and an error where warnings are. */
static void
test_unknown(void)
{
    json_t *config = golden_config("olmo2-tiny");
    json_object_set_new(config, "logit_scale", json_real(0.5));
    g_autofree char *text = NULL, *lines = NULL;
    g_autoptr(FigGraph) graph = load(config, "olmo2-block", 0, NULL, &text, &lines);
    g_assert_nonnull(graph);
    g_assert_nonnull(strstr(text,
                            "warning: ‘logit_scale’ is 0.5: olmo2-block does not "
                            "know it, and it may change what the model computes"));
    g_assert_null(strstr(lines, "logit_scale"));
    json_decref(config);
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    folder = g_dir_make_tmp("opfig-test-XXXXXX", NULL);
    g_test_add_func("/config/forms", test_forms);
    g_test_add_func("/config/refused", test_refused);
    g_test_add_func("/config/by-layer", test_by_layer);
    g_test_add_func("/config/lines", test_lines);
    g_test_add_func("/config/unknown", test_unknown);
    int failed = g_test_run();
    g_rmdir(folder);
    g_free(folder);
    return failed;
}
