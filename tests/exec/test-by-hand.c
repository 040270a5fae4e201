/* SPDX-License-Identifier: MIT
 *
 * The blocks written by hand in tests/ref/ agree with every layer of every golden set, and
 * with our runs of the same layers, in float and in double: neither the graph nor the op
 * table is its own witness.
 */
#include "sets.h"

#include "tests/ref/ref.h"

#include <glib/gstdio.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

/* A config as a layer needs it. */
typedef struct Model {
    RefSizes sizes;
    double clip;
    int window; /* of this layer; 0: full */
    RefLlama3 llama3;
    RefYarn yarn;
} Model;

static double
number(const json_t *object, const char *name)
{
    const json_t *value = json_object_get(object, name);
    g_assert_true(json_is_number(value));
    return json_number_value(value);
}

static Model
read_model(const Set *set, int layer, int T)
{
    g_autofree char *path = set_path(set, "config.json");
    json_t *json = json_load_file(path, JSON_REJECT_DUPLICATES, NULL);
    g_assert_nonnull(json);
    Model m = {.sizes = {.T = T,
                         .C = (int)number(json, "hidden_size"),
                         .H = (int)number(json, "num_attention_heads"),
                         .G = (int)number(json, "num_key_value_heads"),
                         .F = (int)number(json, "intermediate_size"),
                         .theta = number(json, "rope_theta")}};
    m.sizes.d = m.sizes.C / m.sizes.H;
    if (json_object_get(json, "head_dim"))
        m.sizes.d = (int)number(json, "head_dim");
    if (json_object_get(json, "rms_norm_eps"))
        m.sizes.eps = number(json, "rms_norm_eps");
    if (json_is_number(json_object_get(json, "clip_qkv")))
        m.clip = number(json, "clip_qkv");
    if (is_window(set, layer))
        m.window = (int)number(json, "sliding_window");
    const json_t *scaling = json_object_get(json, "rope_scaling");
    const char *type = json_string_value(json_object_get(scaling, "rope_type"));
    if (g_strcmp0(type, "llama3") == 0)
        m.llama3 =
            (RefLlama3){number(scaling, "factor"), number(scaling, "low_freq_factor"),
                        number(scaling, "high_freq_factor"),
                        number(scaling, "original_max_position_embeddings")};
    else if (g_strcmp0(type, "yarn") == 0)
        m.yarn = (RefYarn){number(scaling, "factor"), number(scaling, "beta_fast"),
                           number(scaling, "beta_slow"),
                           number(scaling, "original_max_position_embeddings"),
                           number(scaling, "attention_factor")};
    else
        g_assert_true(json_is_null(scaling));
    json_decref(json);
    return m;
}

/* A weight of the layer at an address fit for floats; NULL where the family has none. */
static const float *
weight(const FigTensorFile *file, int layer, const char *name, GPtrArray *copies)
{
    g_autofree char *full = g_strdup_printf("model.layers.%d.%s.weight", layer, name);
    const FigFileTensor *tensor = fig_tensor_file_lookup(file, full);
    if (!tensor)
        return NULL;
    g_assert_cmpint(tensor->type, ==, FIG_F32);
    float *copy = g_memdup2(tensor->data, tensor->bytes);
    g_ptr_array_add(copies, copy);
    return copy;
}

static RefWeights
read_weights(const Set *set, const FigTensorFile *file, int layer, GPtrArray *copies)
{
    bool before = g_str_equal(set->spec, "llama3-block");
#define W(name) weight(file, layer, name, copies)
    return (RefWeights){
        .q = W("self_attn.q_proj"),
        .k = W("self_attn.k_proj"),
        .v = W("self_attn.v_proj"),
        .o = W("self_attn.o_proj"),
        .q_norm = W("self_attn.q_norm"),
        .k_norm = W("self_attn.k_norm"),
        .pre_attn = W("input_layernorm"),
        /* one name, two places */
        .pre_ff = before ? W("post_attention_layernorm") : NULL,
        .post_attn = before ? NULL : W("post_attention_layernorm"),
        .post_ff = W("post_feedforward_layernorm"),
        .gate = W("mlp.gate_proj"),
        .up = W("mlp.up_proj"),
        .down = W("mlp.down_proj"),
    };
#undef W
}

static void
forward(const Set *set, const Model *m, const RefWeights *w, bool neighbours,
        const double *x, RefTrace *t)
{
    *t = (RefTrace){0};
    if (g_str_equal(set->spec, "olmo1-block"))
        ref_olmo1_block(w, &m->sizes, m->clip, x, t);
    else if (g_str_equal(set->spec, "olmo2-block"))
        ref_olmo2_block(w, &m->sizes, x, t);
    else if (g_str_equal(set->spec, "olmo3-block"))
        ref_olmo3_block(w, &m->sizes, m->window, m->yarn, x, t);
    else
        ref_llama3_block(w, &m->sizes, m->llama3, neighbours, x, t);
}

/* The name in a trace of a value written by hand. owns: the caller */
static char *
golden_name(const Set *set, int layer, const char *name)
{
    bool window = is_window(set, layer);
    if (g_str_equal(name, "mask"))
        return g_strdup(window ? "mask.sliding" : "mask.causal");
    if (g_str_has_prefix(name, "rope."))
        return g_strconcat(!set->kinds ? "rope."
                           : window    ? "rope.sliding."
                                       : "rope.full.",
                           name + strlen("rope."), NULL);
    return g_strdup_printf("layers.%d.%s", layer, name);
}

/* max|diff| / rms of one sequence of the batch; masked scores are masked on both sides. */
static double
difference(const RefValue *by_hand, const FigView *other, int sequence)
{
    double square = 0, most = 0;
    int visible = 0;
    for (int i = 0; i < by_hand->count; i++) {
        double a = by_hand->data[i];
        double b = fig_view_number(other, (int64_t)sequence * by_hand->count + i);
        g_assert_true((a < -1e30) == (b < -1e30));
        if (a < -1e30)
            continue;
        if (!isfinite(a) || !isfinite(b))
            g_error("%s: not finite at %d", by_hand->name, i);
        visible++;
        square += b * b;
        most = fmax(most, fabs(a - b));
    }
    g_assert_cmpint(visible, >, 0);
    return most / sqrt(square / visible);
}

typedef struct Layer {
    const Set *set;
    const Pass *pass;
    int number;
    const FigTensorFile *trace;
    const FigGraph *graph;
    const FigRun *run;
    bool *seen;      /* one for each tensor of the trace */
    double worst[2]; /* against the trace, against our run */
} Layer;

/* One value against the trace, where it has it, and against our run. */
static void
check_value(Layer *l, const RefValue *value, int sequence)
{
    g_autofree char *name = golden_name(l->set, l->number, value->name);
    g_autofree char *table = table_of(l->set, l->number, name);
    int first = table ? 0 : sequence;
    const FigView *ours = table ? fig_run_value(l->run, table)
                                : by_aka(l->graph, l->run, l->number, name);
    if (!ours)
        g_error("nothing of ours is %s", name);
    int64_t batch = table ? 1 : l->graph->dims[fig_graph_dim(l->graph, "B")].size;
    g_assert_cmpint(fig_view_count(ours), ==, batch * value->count);
    double ratio = difference(value, ours, first);
    if (!(ratio <= l->pass->tolerance))
        g_error("%s, %s: our run is %.3g rms away", l->set->name, name, ratio);
    l->worst[1] = fmax(l->worst[1], ratio);
    for (int i = 0; i < fig_tensor_file_count(l->trace); i++) {
        const FigFileTensor *tensor = fig_tensor_file_at(l->trace, i);
        if (!g_str_equal(tensor->name, name))
            continue;
        FigView theirs = fig_view_dense((void *)tensor->data, tensor->type,
                                        tensor->rank, tensor->size);
        g_assert_cmpint(fig_view_count(&theirs), ==, batch * value->count);
        ratio = difference(value, &theirs, first);
        if (!(ratio <= l->pass->tolerance))
            g_error("%s, %s: the trace is %.3g rms away", l->set->name, name, ratio);
        l->worst[0] = fmax(l->worst[0], ratio);
        l->seen[i] = true;
    }
}

static void
check_layer(Layer *l, FigTensorFile *weights, const char *folder)
{
    const FigFileTensor *x = layer_input(l->trace, l->number);
    g_autoptr(FigTensorFile) input = input_file(x, folder);
    g_autoptr(FigGraph) graph = layer_graph(l->set, NULL, l->number, x);
    g_autoptr(FigRun) run = layer_run(graph, l->pass, weights, input, l->number);
    l->graph = graph;
    l->run = run;
    g_autoptr(GPtrArray) copies = g_ptr_array_new_with_free_func(g_free);
    RefWeights w = read_weights(l->set, weights, l->number, copies);
    Model m = read_model(l->set, l->number, (int)x->size[1]);
    FigView stream = fig_view_dense((void *)x->data, x->type, x->rank, x->size);
    int each = m.sizes.T * m.sizes.C;
    g_autofree double *row = g_new(double, each);
    for (int sequence = 0; sequence < x->size[0]; sequence++) {
        for (int i = 0; i < each; i++)
            row[i] = fig_view_number(&stream, (int64_t)sequence * each + i);
        RefTrace t;
        forward(l->set, &m, &w, false, row, &t);
        for (int i = 0; i < t.count; i++)
            check_value(l, &t.values[i], sequence);
        ref_trace_clear(&t);
    }
    l->graph = NULL;
    l->run = NULL;
}

/* What is in the trace and not written by hand fails the test. */
static void
check_set(const Set *set, const Pass *pass)
{
    g_autofree char *folder = g_dir_make_tmp("opfig-by-hand-XXXXXX", NULL);
    g_autoptr(FigTensorFile) trace = set_file(set, pass->file);
    g_autoptr(FigTensorFile) weights = set_file(set, "model.safetensors");
    g_autofree bool *seen = g_new0(bool, (gsize)fig_tensor_file_count(trace));
    Layer l = {.set = set, .pass = pass, .trace = trace, .seen = seen};
    for (l.number = 0; l.number < set->layers; l.number++)
        check_layer(&l, weights, folder);
    for (int i = 0; i < fig_tensor_file_count(trace); i++) {
        const char *name = fig_tensor_file_at(trace, i)->name;
        bool written = !is_of_the_model(name) && !g_str_has_suffix(name, ".input") &&
                       !g_str_equal(name, "hidden_states");
        if (seen[i] != written)
            g_error("%s: %s %s", set->name, name,
                    written ? "was not compared" : "is no value of a block");
    }
    g_test_message("%-20s %s%s: the trace is %.1e rms away at worst, our run %.1e",
                   set->name, fig_type_name(pass->type), pass->naive ? " naive" : "",
                   l.worst[0], l.worst[1]);
    g_remove(folder);
}

static void
test_set(gconstpointer data)
{
    const Set *set = data;
    for (int naive = 0; naive < 2; naive++) {
        const Pass single = {"trace.safetensors", FIG_F32, naive, 2e-5};
        const Pass real = {"trace.f64.safetensors", FIG_F64, naive, 1e-12};
        check_set(set, &single);
        check_set(set, &real);
    }
}

/* The block that turns neighbouring entries has no golden set: on the weights of one that
 * does not, the two writings agree, and the queries are others than those of the trace. */
static void
test_neighbours(void)
{
    const Set *set = &sets[G_N_ELEMENTS(sets) - 1];
    g_assert_cmpstr(set->name, ==, "llama-tiny");
    const Pass pass = {"trace.f64.safetensors", FIG_F64, true, 1e-12};
    g_autofree char *folder = g_dir_make_tmp("opfig-by-hand-XXXXXX", NULL);
    g_autoptr(FigTensorFile) trace = set_file(set, pass.file);
    g_autoptr(FigTensorFile) weights = set_file(set, "model.safetensors");
    const FigFileTensor *x = layer_input(trace, 0);
    g_autoptr(FigTensorFile) input = input_file(x, folder);
    g_autoptr(FigGraph) graph = layer_graph(set, "llama-interleaved-block", 0, x);
    g_autoptr(FigRun) run = layer_run(graph, &pass, weights, input, 0);
    g_autoptr(GPtrArray) copies = g_ptr_array_new_with_free_func(g_free);
    RefWeights w = read_weights(set, weights, 0, copies);
    Model m = read_model(set, 0, (int)x->size[1]);
    g_assert_cmpint(x->size[0], ==, 1);
    g_autofree double *stream = g_memdup2(x->data, x->bytes); /* fit for doubles */
    RefTrace t;
    forward(set, &m, &w, true, stream, &t);
    int compared = 0, others = 0;
    for (int i = 0; i < t.count; i++) {
        g_autofree char *name = golden_name(set, 0, t.values[i].name);
        const FigView *ours = by_aka(graph, run, 0, name);
        if (!ours)
            continue; /* tables */
        g_assert_cmpfloat(difference(&t.values[i], ours, 0), <=, pass.tolerance);
        const FigFileTensor *half = fig_tensor_file_lookup(trace, name);
        FigView theirs =
            fig_view_dense((void *)half->data, half->type, half->rank, half->size);
        others += difference(&t.values[i], &theirs, 0) > 0.01;
        compared++;
    }
    g_assert_cmpint(compared, ==, t.count - 5);
    g_assert_cmpint(others, >, 10);
    ref_trace_clear(&t);
    g_remove(folder);
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(sets); i++) {
        g_autofree char *path = g_strconcat("/by-hand/", sets[i].name, NULL);
        g_test_add_data_func(path, &sets[i], test_set);
    }
    g_test_add_func("/by-hand/neighbours", test_neighbours);
    return g_test_run();
}
