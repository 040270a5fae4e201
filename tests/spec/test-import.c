/* SPDX-License-Identifier: MIT
 *
 * A config.json sets dims and constants, or is refused field by field.
 */
#include "spec/load.h"

#include "base/file.h"
#include "base/limit.h"

#include <glib/gstdio.h>
#include <string.h>

static char *folder;

static FigGraph *
load_with(const char *config, FigDiag *diag)
{
    g_autofree char *path = fig_spec_find("olmo2-block", diag);
    FigLoadOptions options = {.config = config};
    return fig_spec_load(path, &options, diag);
}

/* The config with one piece exchanged; the messages, paths shortened. */
static char *
messages_with(const char *from, const char *to)
{
    g_autofree char *golden =
        g_build_filename(g_getenv("OPFIG_SOURCE"), "tests", "golden",
                         "olmo2-primer-block", "config.json", NULL);
    g_autofree char *text = NULL;
    g_assert_true(g_file_get_contents(golden, &text, NULL, NULL));
    g_autoptr(GString) changed = g_string_new(text);
    g_assert_cmpuint(g_string_replace(changed, from, to, 1), ==, 1);
    g_autofree char *path = g_build_filename(folder, "config.json", NULL);
    g_assert_true(g_file_set_contents(path, changed->str, -1, NULL));
    g_autoptr(FigDiag) diag = fig_diag_new();
    g_autoptr(FigGraph) graph = load_with(path, diag);
    g_autoptr(GString) out = g_string_new(NULL);
    fig_diag_print(diag, out, false);
    g_assert_true((graph == NULL) == (out->len > 0));
    g_string_replace(out, folder, "", 0);
    g_autofree char *models =
        g_build_filename(g_getenv("OPFIG_SOURCE"), "spec", "models", NULL);
    g_string_replace(out, models, "", 0);
    g_unlink(path);
    return g_string_free(g_steal_pointer(&out), FALSE);
}

static void
check_first_line(const char *from, const char *to, const char *wanted)
{
    g_autofree char *messages = messages_with(from, to);
    messages[strcspn(messages, "\n")] = '\0';
    g_assert_cmpstr(messages, ==, wanted);
}

static void
test_golden(void)
{
    g_autofree char *path =
        g_build_filename(g_getenv("OPFIG_SOURCE"), "tests", "golden",
                         "olmo2-primer-block", "config.json", NULL);
    g_autoptr(FigDiag) diag = fig_diag_new();
    g_autoptr(FigGraph) graph = load_with(path, diag);
    g_assert_nonnull(graph);
    static const struct {
        const char *id;
        int64_t size;
        bool derived;
    } dims[] = {{"C", 64, false}, {"H", 8, false},      {"G", 8, true},
                {"h_d", 8, true}, {"h_ff", 160, false}, {"T", 256, false}};
    for (size_t i = 0; i < G_N_ELEMENTS(dims); i++) {
        const FigDim *dim = &graph->dims[fig_graph_dim(graph, dims[i].id)];
        g_assert_cmpint(dim->size, ==, dims[i].size);
        g_assert_true(dim->derived == dims[i].derived);
    }
    g_assert_cmpfloat(graph->constants[fig_graph_constant(graph, "eps")].real, ==,
                      1e-6);
    const FigConstant *theta = &graph->constants[fig_graph_constant(graph, "theta")];
    g_assert_cmpfloat(theta->real, ==, 500000);
    g_assert_cmpstr(theta->text, ==, "500000");
}

/* The command line has the last word. */
static void
test_precedence(void)
{
    g_autofree char *config =
        g_build_filename(g_getenv("OPFIG_SOURCE"), "tests", "golden",
                         "olmo2-primer-block", "config.json", NULL);
    const FigOverride dims[] = {{"h_ff", "96"}, {"T", "16"}, {NULL, NULL}};
    const FigOverride set[] = {{"eps", "1e-5"}, {NULL, NULL}};
    FigLoadOptions options = {.dims = dims, .set = set, .config = config};
    g_autoptr(FigDiag) diag = fig_diag_new();
    g_autofree char *path = fig_spec_find("olmo2-block", diag);
    g_autoptr(FigGraph) graph = fig_spec_load(path, &options, diag);
    g_assert_nonnull(graph);
    g_assert_cmpint(graph->dims[fig_graph_dim(graph, "h_ff")].size, ==, 96);
    g_assert_cmpint(graph->dims[fig_graph_dim(graph, "C")].size, ==, 64);
    g_assert_cmpfloat(graph->constants[fig_graph_constant(graph, "eps")].real, ==,
                      1e-5);
}

static void
test_absent(void)
{
    /* null and no field at all are the same */
    g_autofree char *null =
        messages_with("\"num_key_value_heads\": 8", "\"num_key_value_heads\": null");
    g_assert_cmpstr(null, ==, "");
    g_autofree char *gone = messages_with("\"num_key_value_heads\": 8,", "");
    g_assert_cmpstr(gone, ==, "");
    g_autofree char *integer =
        messages_with("\"rope_theta\": 500000", "\"rope_theta\": 500000.0");
    g_assert_cmpstr(integer, ==, "");
    check_first_line("\"hidden_size\": 64,", "",
                     "/config.json:1:1: error: ‘hidden_size’ is missing: it sets C");
    check_first_line(
        "\"hidden_act\": \"silu\",", "",
        "/config.json:1:1: error: ‘hidden_act’ is missing: olmo2-block takes silu");
}

static void
test_refused(void)
{
    g_autofree char *messages = messages_with("\"silu\"", "\"gelu\"");
    g_assert_cmpstr(
        messages, ==,
        "/config.json:8:3: error: ‘hidden_act’ is gelu, which olmo2-block cannot "
        "honour: it takes silu\n"
        "    8 |   \"hidden_act\": \"gelu\",\n"
        "      |   ^^^^^^^^^^^^\n"
        "/olmo2-block.yaml:34:5: note: the spec says so here\n"
        "   34 |     hidden_act: [silu]\n"
        "      |     ^^^^^^^^^^\n");
    check_first_line(
        "\"olmo2\"", "\"llama\"",
        "/config.json:13:3: error: ‘model_type’ is llama, which olmo2-block cannot "
        "honour: it takes olmo2");
    check_first_line(
        "\"attention_bias\": false", "\"attention_bias\": true",
        "/config.json:5:3: error: ‘attention_bias’ is true, which olmo2-block "
        "cannot honour: it takes false or null");
    check_first_line(
        "\"rope_scaling\": null", "\"rope_scaling\": {\"rope_type\": \"yarn\"}",
        "/config.json:19:3: error: ‘rope_scaling.rope_type’ is yarn, which olmo2-block "
        "cannot honour: it takes default or null");
    check_first_line(
        "\"use_cache\": true", "\"clip_qkv\": 8",
        "/config.json:24:3: error: ‘clip_qkv’ is 8, which olmo2-block cannot "
        "honour: it takes null");
    check_first_line("\"use_cache\": true", "\"head_dim\": 10, \"use_cache\": true",
                     "");
    check_first_line(
        "\"hidden_size\": 64", "\"hidden_size\": \"64\"",
        "/config.json:9:3: error: ‘hidden_size’ is \"64\"; C wants a whole number, "
        "at least 1");
    check_first_line(
        "\"rms_norm_eps\": 1e-06", "\"rms_norm_eps\": true",
        "/config.json:18:3: error: ‘rms_norm_eps’ is true; eps wants a number");
    check_first_line(
        "\"num_attention_heads\": 8", "\"num_attention_heads\": 7",
        "/olmo2-block.yaml:14:13: error: h_d = C/H is not whole: 64 is not a "
        "multiple of 7");
}

/* What a golden config, with one piece exchanged, makes of a constant; "messages" where
 * it is refused. */
static char *
constant_of(const char *set, const char *spec, int layer, const char *from,
            const char *to, const char *id)
{
    g_autofree char *golden = g_build_filename(g_getenv("OPFIG_SOURCE"), "tests",
                                               "golden", set, "config.json", NULL);
    g_autofree char *text = NULL;
    g_assert_true(g_file_get_contents(golden, &text, NULL, NULL));
    g_autoptr(GString) changed = g_string_new(text);
    if (from)
        g_assert_cmpuint(g_string_replace(changed, from, to, 1), ==, 1);
    g_autofree char *path = g_build_filename(folder, "config.json", NULL);
    g_assert_true(g_file_set_contents(path, changed->str, -1, NULL));
    g_autoptr(FigDiag) diag = fig_diag_new();
    g_autofree char *file = fig_spec_find(spec, diag);
    FigLoadOptions options = {.config = path, .layer = layer};
    g_autoptr(FigGraph) graph = fig_spec_load(file, &options, diag);
    g_unlink(path);
    if (graph) {
        const FigConstant *constant =
            fig_constant_find(graph->constants, graph->n_constants, id);
        g_assert_nonnull(constant);
        return g_strdup(constant->text);
    }
    g_autoptr(GString) out = g_string_new(NULL);
    fig_diag_print(diag, out, false);
    g_string_truncate(out, strcspn(out->str, "\n"));
    const char *error = strstr(out->str, "error: ");
    return g_strdup(error);
}

/* Scaling of RoPE as old and new versions of transformers write it. */
static void
test_scaling(void)
{
    static const struct {
        const char *set, *spec;
        int layer;
        const char *from, *to, *id, *text;
    } rows[] = {
        {"llama-tiny", "llama3-block", 0, NULL, NULL, "scaling", "none"},
        {"llama3-tiny-gqa", "llama3-block", 0, NULL, NULL, "scaling",
         "{type: llama3, factor: 32, original: 8192, low: 1, high: 4}"},
        {"llama3-tiny-gqa", "llama3-block", 0, "\"rope_type\"", "\"type\"",
         "scaling.type", "llama3"},
        {"llama3-tiny-gqa", "llama3-block", 0, "\"llama3\"", "\"default\"", "scaling",
         "none"},
        {"llama3-tiny-gqa", "llama3-block", 0, "\"llama3\"", "\"linear\"", "scaling",
         "error: ‘rope_scaling.rope_type’ is linear, which llama3-block cannot honour: "
         "it takes default or llama3 or yarn"},
        {"llama3-tiny-gqa", "llama3-block", 0, "\"rope_type\": \"llama3\"",
         "\"mscale\": 0.7, \"rope_type\": \"llama3\"", "scaling",
         "error: ‘rope_scaling.mscale’ is 0.7, which llama3-block cannot honour"},
        {"llama3-tiny-gqa", "llama3-block", 0, "\"rope_type\"", "\"rope\"", "scaling",
         "error: ‘rope_scaling’ has no ‘rope_type’"},
        {"llama3-tiny-gqa", "llama3-block", 0, "\"factor\": 32.0", "\"factor\": \"x\"",
         "scaling", "error: ‘rope_scaling.factor’ is \"x\"; a number is wanted"},
        /* transformers 5 */
        {"llama-tiny", "llama3-block", 0,
         "\"rope_scaling\": null,\n  \"rope_theta\": 10000.0",
         "\"rope_parameters\": {\"rope_theta\": 20000.0, \"rope_type\": \"default\"}",
         "theta", "20000"},
        {"llama-tiny", "llama3-block", 0,
         "\"rope_scaling\": null,\n  \"rope_theta\": 10000.0",
         "\"rope_parameters\": {\"rope_theta\": 2e4, \"rope_type\": \"yarn\", "
         "\"factor\": 8, \"original_max_position_embeddings\": 64}",
         "scaling", "{type: yarn, factor: 8, original: 64}"},
        {"olmo3-tiny-gqa", "olmo3-block", 3,
         "\"rope_scaling\": null,\n  \"rope_theta\": 500000",
         "\"rope_parameters\": {\"full_attention\": {\"rope_theta\": 3e5, "
         "\"rope_type\": "
         "\"yarn\", \"factor\": 4, \"original_max_position_embeddings\": 64}, "
         "\"sliding_attention\": {\"rope_theta\": 3e5, \"rope_type\": \"default\"}}",
         "scaling", "{type: yarn, factor: 4, original: 64}"},
        /* where YaRN does not say from which context, it is the config's */
        {"olmo3-tiny-gqa-yarn", "olmo3-block", 3,
         "\"original_max_position_embeddings\": 8192,", "", "scaling",
         "{type: yarn, factor: 8, original: 65536, beta_fast: 32, beta_slow: 1, "
         "attention_factor: 1.2079441541679836}"},
        {"llama3-tiny-gqa", "llama3-block", 0,
         "\"original_max_position_embeddings\": 8192,", "", "scaling",
         "error: ‘rope_scaling’ has no ‘original_max_position_embeddings’, which "
         "llama3 "
         "asks for"},
        /* scaling is of full layers alone */
        {"olmo3-tiny-gqa-yarn", "olmo3-block", 0, NULL, NULL, "scaling", "none"},
        {"olmo3-tiny-gqa-yarn", "olmo3-block", 3, NULL, NULL,
         "scaling.attention_factor", "1.2079441541679836"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *found = constant_of(rows[i].set, rows[i].spec, rows[i].layer,
                                             rows[i].from, rows[i].to, rows[i].id);
        g_assert_cmpstr(found, ==, rows[i].text);
    }
}

/* The kind of each layer: as listed, or every fourth one full. */
static void
test_layers(void)
{
    for (int layer = 0; layer < 4; layer++) {
        g_autofree char *listed =
            constant_of("olmo3-tiny-gqa", "olmo3-block", layer, NULL, NULL, "kind");
        g_assert_cmpstr(listed, ==, layer == 3 ? "full" : "window");
    }
    static const char listing[] =
        "\"layer_types\": [\n    \"sliding_attention\",\n    \"sliding_attention\",\n"
        "    \"sliding_attention\",\n    \"full_attention\"\n  ],\n"
        "  \"max_position_embeddings\": 64,\n  \"model_type\": \"olmo3\",\n"
        "  \"num_attention_heads\": 6,\n  \"num_hidden_layers\": 4,";
    for (int layer = 0; layer < 9; layer++) {
        g_autofree char *ruled =
            constant_of("olmo3-tiny-gqa", "olmo3-block", layer, listing,
                        "\"model_type\": \"olmo3\", \"num_attention_heads\": 6, "
                        "\"num_hidden_layers\": 9,",
                        "kind");
        g_assert_cmpstr(ruled, ==, (layer + 1) % 4 == 0 ? "full" : "window");
    }
    g_autofree char *beyond =
        constant_of("olmo3-tiny-gqa", "olmo3-block", 4, NULL, NULL, "kind");
    g_assert_cmpstr(
        beyond, ==,
        "error: ‘layer_types’ has 4 layers, from 0 on; --layer 4 is none of "
        "them");
    g_autofree char *before =
        constant_of("olmo3-tiny-gqa", "olmo3-block", -1, NULL, NULL, "kind");
    g_assert_cmpstr(before, ==, "error: --layer is -1; layers count from 0");
}

static void
test_clip(void)
{
    g_autofree char *none =
        constant_of("olmo1-tiny", "olmo1-block", 0, NULL, NULL, "clip");
    g_autofree char *some =
        constant_of("olmo1-clip-tiny", "olmo1-block", 0, NULL, NULL, "clip");
    g_autofree char *gone =
        constant_of("olmo1-tiny", "olmo1-block", 0, "\"clip_qkv\": null,", "", "clip");
    g_assert_cmpstr(none, ==, "none");
    g_assert_cmpstr(some, ==, "1.25");
    g_assert_cmpstr(gone, ==, "none");
}

static void
test_no_json(void)
{
    check_first_line("{", "[",
                     "/config.json:2:18: error: this is not JSON: ']' expected near "
                     "':'");
    check_first_line(
        "\"use_cache\": true", "\"hidden_size\": 128",
        "/config.json:24:15: error: this is not JSON: duplicate object key near "
        "'\"hidden_size\"'");
    g_autofree char *deep = g_strnfill(200000, '[');
    g_autofree char *value = g_strconcat("\"use_cache\": ", deep, NULL);
    check_first_line("\"use_cache\": true", value,
                     "/config.json:24:79: error: nested too deep (the limit is 64)");
    g_autoptr(FigDiag) diag = fig_diag_new();
    g_assert_null(load_with("/no/such/config.json", diag));
    g_autoptr(GString) out = g_string_new(NULL);
    fig_diag_print(diag, out, false);
    g_assert_cmpstr(
        out->str, ==,
        "error: cannot read ‘/no/such/config.json’: no such file or folder\n");
}

/* A spec for configs of another library says which field counts the layers. */
static void
test_counted_elsewhere(void)
{
    static const char spec[] =
        "opfig: 1\nname: t\ndims: {T: {is: 4}}\n"
        "constants: {kind: {is: full, one_of: [full, window]}}\n"
        "import: {layers: n_layers, constants: {kind: {field: kinds, words: {full: "
        "full, window: window}}}}\n"
        "inputs: {x: {shape: [T]}}\nops: [{id: y, op: silu, in: x}]\noutputs: [y]\n";
    static const struct {
        int layer;
        const char *config, *said;
    } rows[] = {
        {1, "{\"n_layers\": 2, \"kinds\": [\"full\", \"window\"]}", ""},
        {0, "{\"n_layers\": 3, \"kinds\": [\"full\", \"window\"]}",
         "error: ‘kinds’ has 2 layers, but ‘n_layers’ is 3"},
        {2, "{\"n_layers\": 2, \"kinds\": \"full\"}",
         "error: ‘n_layers’ is 2, and layers count from 0; --layer 2 is none of them"},
    };
    g_autofree char *path = g_build_filename(folder, "config.json", NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_assert_true(g_file_set_contents(path, rows[i].config, -1, NULL));
        g_autoptr(FigDiag) diag = fig_diag_new();
        g_autoptr(GString) lines = g_string_new(NULL), out = g_string_new(NULL);
        const FigLoadOptions options = {
            .config = path, .layer = rows[i].layer, .config_report = lines};
        g_autoptr(FigGraph) graph =
            fig_spec_load_text("t.yaml", spec, strlen(spec), &options, diag);
        fig_diag_print(diag, out, false);
        if (!*rows[i].said)
            g_assert_cmpstr(out->str, ==, "");
        g_assert_nonnull(strstr(out->str, rows[i].said));
        g_assert_true((graph == NULL) == (*rows[i].said != '\0'));
    }
    g_unlink(path);
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    folder = g_dir_make_tmp("opfig-test-XXXXXX", NULL);
    g_test_add_func("/import/golden", test_golden);
    g_test_add_func("/import/precedence", test_precedence);
    g_test_add_func("/import/absent", test_absent);
    g_test_add_func("/import/refused", test_refused);
    g_test_add_func("/import/scaling", test_scaling);
    g_test_add_func("/import/layers", test_layers);
    g_test_add_func("/import/clip", test_clip);
    g_test_add_func("/import/no-json", test_no_json);
    g_test_add_func("/import/counted-elsewhere", test_counted_elsewhere);
    int failed = g_test_run();
    g_rmdir(folder);
    g_free(folder);
    return failed;
}
