/* SPDX-License-Identifier: MIT
 *
 * Small computations whose right values were worked out by hand or in NumPy, each with
 * the value that a usual mistake gives.
 */
#include "ops/example.h"
#include "ops/gemm.h"
#include "ops/kernel.h"
#include "ops/signature.h"
#include "tests/ops/tensors.h"

#include <math.h>
#include <string.h>

static FigArena *arena; /* of the whole program */

static Tensor
list(int64_t count, const double *numbers)
{
    Tensor tensor = tensor_new(arena, 1, &count);
    memcpy(tensor.number, numbers, (size_t)count * sizeof(double));
    return tensor;
}

#define LIST(...)                                                                      \
    list(sizeof((double[]){__VA_ARGS__}) / sizeof(double), (double[]){__VA_ARGS__})

static Tensor
shaped(Tensor tensor, int rank, const int64_t *size)
{
    tensor.rank = rank;
    memcpy(tensor.size, size, (size_t)rank * sizeof(*size));
    return tensor;
}

#define SHAPED(tensor, ...)                                                            \
    shaped(tensor, sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t),                 \
           (int64_t[]){__VA_ARGS__})

/* The only result of an op in float or double; attributes as in an example: "eps = 0". */
static Tensor
apply_as(FigType type, const char *name, const char *attributes, int n_in,
         const Tensor *in)
{
    const FigOp *op = fig_op_lookup(name);
    g_autoptr(FigAlgebra) algebra = fig_algebra_new();
    g_autofree char *why = NULL;
    int count = 0;
    FigExample none = {0};
    const FigExample *given = &none;
    if (attributes) {
        g_autofree char *text = g_strconcat(attributes, " -> y = 0", NULL);
        given = fig_example_read(text, arena, &count, &why);
        g_assert_nonnull(given);
    }
    FigShape shapes[FIG_LIMIT_PORTS] = {0};
    FigBinding binding = {
        .n_in = n_in, .in = shapes, .attr = fig_example_attrs(op, given, arena)};
    for (int i = 0; i < n_in; i++) {
        shapes[i].rank = in[i].rank;
        for (int axis = 0; axis < in[i].rank; axis++)
            shapes[i].axis[axis] = fig_poly_number(algebra, in[i].size[axis], 1);
    }
    if (!fig_signature_bind(op, algebra, &binding, &why))
        g_error("%s: %s", name, why);
    g_assert_cmpint(binding.n_out, ==, 1);
    int64_t size[FIG_LIMIT_RANK];
    for (int axis = 0; axis < binding.out[0].rank; axis++) {
        FigRational value;
        g_assert_true(fig_poly_is_number(binding.out[0].axis[axis], &value));
        size[axis] = value.num;
    }
    Tensor out = tensor_new(arena, binding.out[0].rank, size);
    tensors_run(op, type, WAY_EVAL, LIE_DENSE, LIE_DENSE, n_in, in, 1, &out,
                binding.attr);
    return out;
}

static Tensor
apply(const char *name, const char *attributes, int n_in, const Tensor *in)
{
    return apply_as(FIG_F64, name, attributes, n_in, in);
}

#define APPLY(name, attributes, ...)                                                   \
    apply(name, attributes, sizeof((Tensor[]){__VA_ARGS__}) / sizeof(Tensor),          \
          (Tensor[]){__VA_ARGS__})

static void
near(Tensor found, Tensor wanted)
{
    g_assert_cmpint(found.count, ==, wanted.count);
    for (int64_t i = 0; i < found.count; i++)
        g_assert_cmpfloat_with_epsilon(found.number[i], wanted.number[i], 1e-6);
}

/* x = [3 4], f = 100 ·: the norm stands behind f and inside the residual. */
static void
test_norm_placement(void)
{
    Tensor x = LIST(3, 4), ones = LIST(1, 1), hundred = LIST(100, 100);
    Tensor after = APPLY("rmsnorm", "eps = 0", APPLY("mul", NULL, x, hundred), ones);
    near(APPLY("add", NULL, x, after), LIST(3.848528, 5.131371));
    Tensor before = APPLY("mul", NULL, APPLY("rmsnorm", "eps = 0", x, ones), hundred);
    near(APPLY("add", NULL, x, before), LIST(87.852814, 117.137085));
    /* an attention output of (300, 400) adds no more */
    near(APPLY("rmsnorm", "eps = 0", LIST(300, 400), ones), LIST(0.848528, 1.131371));
}

/* The norm of q runs over both heads; one head alone gives other numbers. */
static void
test_full_width_norm(void)
{
    Tensor q = SHAPED(LIST(3, 4, 0, 0), 1, 4);
    Tensor full = APPLY("rmsnorm", "eps = 0", q, LIST(1, 1, 1, 1));
    near(full, LIST(1.2, 1.6, 0, 0));
    Tensor heads = APPLY("split_heads", "heads = 2", full);
    near(heads, LIST(1.2, 1.6, 0, 0));
    g_assert_cmpint(heads.rank, ==, 3);
    g_assert_cmpint(heads.size[0], ==, 2);
}

/* Keys of 8 heads of 128 have a gain of 1024; that of the queries, 5120, does not fit. */
static void
test_gain_width(void)
{
    g_autoptr(FigAlgebra) algebra = fig_algebra_new();
    const FigPoly *k = fig_poly_number(algebra, 1024, 1),
                  *q = fig_poly_number(algebra, 5120, 1);
    FigShape in[2] = {{.rank = 1, .axis = {k}}, {.rank = 1, .axis = {q}}};
    FigBinding binding = {.n_in = 2, .in = in};
    g_autofree char *why = NULL;
    g_assert_false(
        fig_signature_bind(fig_op_lookup("rmsnorm"), algebra, &binding, &why));
    g_assert_nonnull(strstr(why, "1024"));
    g_assert_nonnull(strstr(why, "5120"));
    in[1].axis[0] = k;
    g_free(g_steal_pointer(&why));
    g_assert_true(
        fig_signature_bind(fig_op_lookup("rmsnorm"), algebra, &binding, &why));
}

static void
test_eps(void)
{
    Tensor x = LIST(1e-3, 1e-3), ones = LIST(1, 1);
    for (int type = FIG_F32; type <= FIG_F64; type++)
        near(apply_as((FigType)type, "rmsnorm", "eps = 1e-6", 2, (Tensor[]){x, ones}),
             LIST(0.707107, 0.707107));
}

/* Without weights, with them, and a row whose variance is of the size of eps. */
static void
test_layernorm(void)
{
    Tensor x = LIST(1, 2, 3, 4);
    near(APPLY("layernorm", "eps = 1e-5", x),
         LIST(-1.341635, -0.447212, 0.447212, 1.341635));
    near(APPLY("layernorm", "eps = 1e-5", x, LIST(1, 1, 2, 2), LIST(0, 1, 0, 1)),
         LIST(-1.341635, 0.552788, 0.894424, 3.683271));
    /* variance 1e-6, eps 3e-6: half of ±1; eps outside the root gives ±0.997 */
    near(APPLY("layernorm", "eps = 3e-6", LIST(1, 1.002)), LIST(-0.5, 0.5));
    /* a constant added to all changes nothing, also in float at 1e4 */
    Tensor shifted = LIST(10001, 10002, 10003, 10004);
    near(apply_as(FIG_F32, "layernorm", "eps = 1e-5", 1, &shifted),
         LIST(-1.341635, -0.447212, 0.447212, 1.341635));
}

/* Query heads 0 … 3 on two key/value heads: 0, 0, 1, 1, not 0, 1, 0, 1. */
static void
test_grouped_query(void)
{
    Tensor kv = SHAPED(LIST(0, 1), 2, 1, 1);
    near(APPLY("repeat_heads", "times = 2", kv), LIST(0, 0, 1, 1));
    /* a batch of two, two positions */
    Tensor batch = SHAPED(LIST(1, 2, 3, 4, 5, 6, 7, 8), 2, 2, 2, 1);
    near(APPLY("repeat_heads", "times = 2", batch),
         LIST(1, 2, 1, 2, 3, 4, 3, 4, 5, 6, 5, 6, 7, 8, 7, 8));
    /* one key/value head for all is read again and again where it lies */
    double numbers[6];
    FigView one = fig_view_dense(numbers, FIG_F64, 3, (int64_t[]){1, 2, 3}), many;
    FigAttrValue times = {.dim = 4};
    const FigOp *op = fig_op_lookup("repeat_heads");
    FigCall call = {op, FIG_F64, 1, 1, &one, &many, &times};
    g_assert_true(op->view(&call, &many));
    g_assert_true(many.data == numbers);
    g_assert_cmpint(many.size[0], ==, 4);
    g_assert_cmpint(many.stride[0], ==, 0);
}

static void
test_clip(void)
{
    for (int type = FIG_F32; type <= FIG_F64; type++)
        near(apply_as((FigType)type, "clip", "limit = 8", 1,
                      (Tensor[]){LIST(-20, 3, 9)}),
             LIST(-8, 3, 8));
    Tensor lost = APPLY("clip", "limit = 8", LIST(NAN));
    g_assert_true(isnan(lost.number[0]));
}

/* Φ(1) = 0.841344746; the approximation is off by 1.5e-4 there. */
static void
test_gelu(void)
{
    near(APPLY("gelu", NULL, LIST(1, -1, 30, -30)), LIST(0.841345, -0.158655, 30, 0));
    near(APPLY("gelu", "form = tanh", LIST(1, -1, 30, -30)),
         LIST(0.841192, -0.158808, 30, 0));
}

static void
test_rope(void)
{
    Tensor x = SHAPED(LIST(1, 2, 3, 4, 1, 2, 3, 4), 2, 4);
    near(APPLY("rope", "theta = 1e4", x),
         LIST(1, 2, 3, 4, -1.984111, 1.959901, 2.462378, 4.019800));
    near(APPLY("rope", "theta = 1e4, layout = interleaved", x),
         LIST(1, 2, 3, 4, -1.142640, 1.922076, 2.959851, 4.029800));
}

/* One table of an op at these sizes and attributes, in double. */
static Tensor
table_of(const char *name, const char *attributes, const char *table, int64_t t,
         int64_t width)
{
    const FigOp *op = fig_op_lookup(name);
    g_autofree char *text = g_strconcat(attributes, " -> y = 0", NULL), *why = NULL;
    int count = 0;
    const FigExample *given = fig_example_read(text, arena, &count, &why);
    FigView in = fig_view_dense(fig_arena_new_array(arena, double, t *width), FIG_F64,
                                2, (int64_t[]){t, width});
    FigCall call = {.op = op,
                    .type = FIG_F64,
                    .n_in = 1,
                    .in = &in,
                    .attr = fig_example_attrs(op, given, arena)};
    for (const FigExpose *e = op->exposes; e->name; e++) {
        if (!g_str_equal(e->name, table))
            continue;
        FigView view;
        e->shape(&call, &view);
        Tensor tensor = tensor_new(arena, view.rank, view.size);
        g_autofree void *data = g_malloc((size_t)tensor.count * sizeof(double));
        view.data = data;
        e->fill(&call, &view);
        for (int64_t i = 0; i < tensor.count; i++)
            tensor.number[i] =
                view.type == FIG_U8 ? ((uint8_t *)data)[i] : ((double *)data)[i];
        return tensor;
    }
    g_error("%s has no table %s", name, table);
}

static void
close_to(double found, double wanted, double relative)
{
    g_assert_cmpfloat_with_epsilon(found / wanted, 1, relative);
}

/* The scaling of OLMo 3's full layers: pairs 0 … 18 as they are, 35 … 63 divided by 8. */
static void
test_yarn(void)
{
    const char *yarn = "theta = 5e5, scaling = yarn, factor = 8, original = 8192";
    Tensor plain = table_of("rope", "theta = 5e5", "inv_freq", 1, 128);
    Tensor found = table_of("rope", yarn, "inv_freq", 1, 128);
    g_assert_cmpint(found.count, ==, 64);
    close_to(found.number[18], 2.495541e-2, 1e-6);
    close_to(found.number[19], 1.928275e-2, 1e-6);
    close_to(found.number[35], 9.556212e-5, 1e-6);
    close_to(plain.number[35], 7.644970e-4, 1e-6);
    for (int j = 0; j < 64; j++) {
        double kept = found.number[j] / plain.number[j];
        if (j <= 18)
            g_assert_cmpfloat(kept, ==, 1);
        else if (j < 35)
            g_assert_true(kept < 1 && kept > 0.125);
        else
            close_to(kept, 0.125, 1e-15);
    }
    /* the factor in cosines, by rule and as given: 0.1 ln 8 + 1 */
    const double rule = 1.2079441541679836;
    close_to(table_of("rope", yarn, "attention_scaling", 1, 128).number[0], rule,
             1e-15);
    close_to(table_of("rope", yarn, "cos", 1, 128).number[7], rule, 1e-15);
    g_autofree char *given = g_strconcat(yarn, ", attention_factor = 1.5", NULL);
    close_to(table_of("rope", given, "attention_scaling", 1, 128).number[0], 1.5,
             1e-15);
    g_assert_cmpfloat(table_of("rope", "theta = 5e5", "cos", 1, 128).number[7], ==, 1);
}

/* The 32 pairs of Llama 3.2 1B. */
static void
test_llama3_scaling(void)
{
    const char *llama3 = "theta = 5e5, scaling = llama3, factor = 32, original = 8192";
    Tensor plain = table_of("rope", "theta = 5e5", "inv_freq", 1, 64);
    Tensor found = table_of("rope", llama3, "inv_freq", 1, 64);
    const double blended[] = {1.291e-3, 4.296e-4, 9.708e-5};
    for (int j = 0; j < 32; j++) {
        if (j <= 14)
            g_assert_cmpfloat(found.number[j], ==, plain.number[j]);
        else if (j <= 17)
            close_to(found.number[j], blended[j - 15], 5e-4);
        else
            close_to(found.number[j], plain.number[j] / 32, 1e-15);
    }
    g_assert_cmpfloat(table_of("rope", llama3, "attention_scaling", 1, 64).number[0],
                      ==, 1);
    /* the factors of Llama are defaults; others give others */
    g_autofree char *same = g_strconcat(llama3, ", low = 1, high = 4", NULL);
    g_autofree char *other = g_strconcat(llama3, ", low = 1, high = 2", NULL);
    near(table_of("rope", same, "inv_freq", 1, 64), found);
    g_assert_cmpfloat(table_of("rope", other, "inv_freq", 1, 64).number[15], ==,
                      plain.number[15]);
}

/* A window of 3 keys: rows see 1, 2, 3, 3, 3, 3; query 5 sees 3, 4 and 5. */
static void
test_window(void)
{
    Tensor visible = table_of("window_mask", "window = 3", "visible", 6, 6);
    const int wanted[] = {1, 2, 3, 3, 3, 3};
    for (int query = 0; query < 6; query++) {
        double count = 0;
        for (int key = 0; key < 6; key++)
            count += visible.number[query * 6 + key];
        g_assert_cmpfloat(count, ==, wanted[query]);
    }
    for (int key = 0; key < 6; key++)
        g_assert_cmpfloat(visible.number[5 * 6 + key], ==, key >= 3);
    /* the last query alone, five positions on, sees the same */
    Tensor last = table_of("window_mask", "window = 3, from = 5", "visible", 1, 6);
    for (int key = 0; key < 6; key++)
        g_assert_cmpfloat(last.number[key], ==, key >= 3);
    Tensor causal = table_of("causal_mask", "from = 2", "visible", 2, 4);
    near(causal, LIST(1, 1, 1, 0, 1, 1, 1, 1));
}

/* A token or target that is no row reads nothing and cannot pass for a number. */
static void
test_ids(void)
{
    Tensor table = SHAPED(LIST(1, 2, 3, 4, 5, 6), 3, 2);
    near(APPLY("embed", NULL, LIST(2, 0), table), LIST(5, 6, 1, 2));
    Tensor beyond = APPLY("embed", NULL, LIST(3, -1, 1), table);
    for (int i = 0; i < 4; i++)
        g_assert_true(isnan(beyond.number[i]));
    g_assert_cmpfloat(beyond.number[5], ==, 4);
    Tensor x = SHAPED(LIST(1, 2, 3, 1, 2, 3), 2, 3);
    Tensor loss = APPLY("cross_entropy", NULL, x, LIST(2, 3));
    g_assert_cmpfloat_with_epsilon(loss.number[0], 0.407605964, 1e-9);
    g_assert_true(isnan(loss.number[1]));
    /* even scores: ln 3, by the natural logarithm; scores of 1e4 do not overflow */
    x = SHAPED(LIST(1e4, 1e4, 1e4, 0, 1e4, 0), 2, 3);
    near(APPLY("cross_entropy", NULL, x, LIST(0, 1)), LIST(1.098612, 0));
}

/* Turning by t and by t + s keeps what q·k depends on: the distance. */
static void
test_rope_distance(void)
{
    enum { T = 6 };
    double numbers[2][T * 2 * 2];
    for (int t = 0; t < T; t++)
        for (int i = 0; i < 4; i++) {
            numbers[0][t * 4 + i] = i + 1;
            numbers[1][t * 4 + i] = 3 - i * i;
        }
    const char *const layouts[] = {"theta = 7", "theta = 7, layout = interleaved"};
    for (size_t l = 0; l < G_N_ELEMENTS(layouts); l++) {
        Tensor q = APPLY("rope", layouts[l], SHAPED(list(T * 4, numbers[0]), T, 4));
        Tensor k = APPLY("rope", layouts[l], SHAPED(list(T * 4, numbers[1]), T, 4));
        Tensor s = APPLY("matmul", "transpose = b", q, k);
        for (int i = 1; i < T; i++)
            for (int j = 1; j < T; j++)
                g_assert_cmpfloat_with_epsilon(s.number[i * T + j],
                                               s.number[(i - 1) * T + j - 1], 1e-12);
        g_assert_cmpfloat(fabs(s.number[1] - s.number[2]), >, 1e-3);
    }
}

/* SiLU of the gate times up; swapped, another number. */
static void
test_swiglu(void)
{
    Tensor gate = LIST(1), up = LIST(2);
    near(APPLY("mul", NULL, APPLY("silu", NULL, gate), up), LIST(1.462117));
    near(APPLY("mul", NULL, APPLY("silu", NULL, up), gate), LIST(1.761594));
}

/* Rows sum to 1, a masked entry is exactly 0, and large scores do not overflow. */
static void
test_attention_rows(void)
{
    enum { T = 40 };
    double numbers[T * T];
    for (int i = 0; i < T * T; i++)
        numbers[i] = 1e4 * sin(i);
    for (int type = FIG_F32; type <= FIG_F64; type++) {
        Tensor scores = SHAPED(list(T * T, numbers), T, T);
        Tensor masked = apply_as((FigType)type, "causal_mask", NULL, 1, &scores);
        Tensor probs = apply_as((FigType)type, "softmax", "over = 1", 1, &masked);
        for (int query = 0; query < T; query++) {
            double sum = 0;
            for (int key = 0; key < T; key++) {
                double p = probs.number[query * T + key];
                if (key > query) {
                    g_assert_cmpfloat(masked.number[query * T + key], ==, -INFINITY);
                    g_assert_cmpfloat(p, ==, 0);
                }
                sum += p;
            }
            g_assert_cmpfloat_with_epsilon(sum, 1, 1e-6);
        }
        g_assert_cmpfloat(probs.number[0], ==, 1);
    }
}

/* 0 · NaN is NaN: a masked value that is not a number reaches every row it is summed in. */
static void
test_nan_is_seen(void)
{
    Tensor probs = SHAPED(LIST(1, 0, 0.5, 0.5), 2, 2);
    Tensor v = SHAPED(LIST(1, 2, NAN, 4), 2, 2);
    for (int type = FIG_F32; type <= FIG_F64; type++)
        for (int naive = 0; naive < 2; naive++) {
            float f[3][4];
            double d[3][4];
            FigView view[3];
            for (int i = 0; i < 3; i++) {
                void *data = type == FIG_F32 ? (void *)f[i] : (void *)d[i];
                view[i] = fig_view_dense(data, (FigType)type, 2, (int64_t[]){2, 2});
                for (int j = 0; j < 4; j++) {
                    d[i][j] = i == 0 ? probs.number[j] : v.number[j];
                    f[i][j] = (float)d[i][j];
                }
            }
            for (int scale = 0; scale < 2; scale++) {
                (naive ? fig_gemm_naive : fig_gemm_blas)((FigType)type, &view[0],
                                                         &view[1], &view[2], scale);
                for (int row = 0; row < 2; row++) {
                    double first =
                        type == FIG_F32 ? (double)f[2][row * 2] : d[2][row * 2];
                    g_assert_true(isnan(first));
                }
            }
        }
    FigOp const *softmax = fig_op_lookup("softmax");
    double x[3] = {1, NAN, 3}, y[3];
    FigView in = fig_view_dense(x, FIG_F64, 1, (int64_t[]){3});
    FigView out = fig_view_dense(y, FIG_F64, 1, (int64_t[]){3});
    FigAttrValue over = {.axis = 0};
    FigCall call = {softmax, FIG_F64, 1, 1, &in, &out, &over};
    for (int place = 0; place < 3; place++) { /* first, between, last */
        for (int i = 0; i < 3; i++)
            x[i] = i == place ? NAN : i;
        softmax->eval[FIG_F64](&call);
        for (int i = 0; i < 3; i++)
            g_assert_true(isnan(y[i]));
    }
}

/* The exponential of floats beside the C library's of doubles, and where it ends. */
static void
test_exponential(void)
{
    for (int i = -87200; i <= 88200; i++) {
        float x = (float)i / 1000;
        double right = exp((double)x), found = fig_exp_float(x);
        g_assert_cmpfloat_with_epsilon(found / right, 1, 1.2e-7);
    }
    g_assert_cmpfloat(fig_exp_float(0), ==, 1);
    g_assert_cmpfloat(fig_exp_float(-0.0f), ==, 1);
    g_assert_cmpfloat(fig_exp_float(-88), ==, 0);
    g_assert_cmpfloat(fig_exp_float(-INFINITY), ==, 0);
    g_assert_cmpfloat(fig_exp_float(89), ==, INFINITY);
    g_assert_cmpfloat(fig_exp_float(INFINITY), ==, INFINITY);
    g_assert_true(isnan(fig_exp_float(NAN)));
}

/* Operands that BLAS cannot read as they lie: a row repeated by stride 0, no unit stride,
 * rows that overlap. [1 2 3] · [4 5 6]ᵀ is 32, [2 3 4] · [4 5 6]ᵀ is 47. */
static void
test_odd_strides(void)
{
    double row[5] = {1, 2, 3, 4}, apart[6] = {1, 0, 2, 0, 3, 0}, column[3] = {4, 5, 6};
    double y[2];
    const FigView b = fig_view_dense(column, FIG_F64, 2, (int64_t[]){3, 1});
    const FigView out = fig_view_dense(y, FIG_F64, 2, (int64_t[]){2, 1});
    const FigView repeated = {row, FIG_F64, 2, {2, 3}, {0, 1}};
    const FigView overlapping = {row, FIG_F64, 2, {2, 3}, {1, 1}};
    const FigView strided = {apart, FIG_F64, 2, {2, 3}, {0, 2}};
    const FigView *const operands[] = {&repeated, &overlapping, &strided};
    for (size_t i = 0; i < G_N_ELEMENTS(operands); i++) {
        fig_gemm_blas(FIG_F64, operands[i], &b, &out, 1);
        g_assert_cmpfloat(y[0], ==, 32);
        g_assert_cmpfloat(y[1], ==, operands[i] == &overlapping ? 47 : 32);
    }
}

/* The tables a run can keep, at position 1 of θ 1e4 and four entries: angles 1 and 0.01. */
static void
test_rope_tables(void)
{
    const FigOp *op = fig_op_lookup("rope");
    double x[8] = {0}, table[8];
    FigView in = fig_view_dense(x, FIG_F64, 2, (int64_t[]){2, 4});
    FigAttrValue *attr = fig_op_attr_defaults(op, arena);
    attr[fig_op_attr_index(op, "theta")].real = 1e4;
    const double half[] = {0.540302306, 0.999950000, 0.540302306, 0.999950000};
    const double pairs[] = {0.540302306, 0.540302306, 0.999950000, 0.999950000};
    for (int word = 0; word < 2; word++) {
        attr[fig_op_attr_index(op, "layout")].word = word;
        FigCall call = {.op = op, .type = FIG_F64, .n_in = 1, .in = &in, .attr = attr};
        for (const FigExpose *e = op->exposes; e->name; e++) {
            FigView view;
            e->shape(&call, &view);
            view.data = table;
            e->fill(&call, &view);
            if (g_str_equal(e->name, "inv_freq")) {
                g_assert_cmpfloat_with_epsilon(table[0], 1, 1e-15);
                g_assert_cmpfloat_with_epsilon(table[1], 0.01, 1e-15);
            } else if (g_str_equal(e->name, "attention_scaling")) {
                g_assert_cmpfloat(table[0], ==, 1);
            } else if (g_str_equal(e->name, "cos")) {
                for (int i = 0; i < 4; i++) {
                    g_assert_cmpfloat(table[i], ==, 1);
                    g_assert_cmpfloat_with_epsilon(table[4 + i],
                                                   (word ? pairs : half)[i], 1e-9);
                }
            } else {
                g_assert_cmpfloat(table[0], ==, 0);
                g_assert_cmpfloat_with_epsilon(table[4], 0.841470985, 1e-9);
            }
        }
    }
}

/* The heads of one token lie side by side, so splitting and merging moves no byte. */
static void
test_heads_are_views(void)
{
    double numbers[2 * 3 * 8];
    FigView x = fig_view_dense(numbers, FIG_F64, 3, (int64_t[]){2, 3, 8});
    FigAttrValue heads = {.dim = 4};
    FigView split, merged;
    const FigOp *splits = fig_op_lookup("split_heads"),
                *merges = fig_op_lookup("merge_heads");
    FigCall call = {splits, FIG_F64, 1, 1, &x, &split, &heads};
    g_assert_true(splits->view(&call, &split));
    g_assert_true(split.data == numbers);
    g_assert_cmpint(split.stride[1], ==, 2);
    FigCall back = {merges, FIG_F64, 1, 1, &split, &merged, NULL};
    g_assert_true(merges->view(&back, &merged));
    g_assert_true(merged.data == numbers && fig_view_is_dense(&merged));
    FigView dense = fig_view_dense(numbers, FIG_F64, 4, (int64_t[]){2, 4, 3, 2});
    FigCall copies = {merges, FIG_F64, 1, 1, &dense, &merged, NULL};
    g_assert_false(merges->view(&copies, &merged));
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    arena = fig_arena_new();
    g_test_add_func("/facts/norm-placement", test_norm_placement);
    g_test_add_func("/facts/full-width-norm", test_full_width_norm);
    g_test_add_func("/facts/gain-width", test_gain_width);
    g_test_add_func("/facts/eps", test_eps);
    g_test_add_func("/facts/layernorm", test_layernorm);
    g_test_add_func("/facts/grouped-query", test_grouped_query);
    g_test_add_func("/facts/clip", test_clip);
    g_test_add_func("/facts/gelu", test_gelu);
    g_test_add_func("/facts/rope", test_rope);
    g_test_add_func("/facts/ids", test_ids);
    g_test_add_func("/facts/yarn", test_yarn);
    g_test_add_func("/facts/llama3-scaling", test_llama3_scaling);
    g_test_add_func("/facts/window", test_window);
    g_test_add_func("/facts/rope-distance", test_rope_distance);
    g_test_add_func("/facts/rope-tables", test_rope_tables);
    g_test_add_func("/facts/swiglu", test_swiglu);
    g_test_add_func("/facts/attention-rows", test_attention_rows);
    g_test_add_func("/facts/nan-is-seen", test_nan_is_seen);
    g_test_add_func("/facts/exponential", test_exponential);
    g_test_add_func("/facts/odd-strides", test_odd_strides);
    g_test_add_func("/facts/heads-are-views", test_heads_are_views);
    int status = g_test_run();
    fig_arena_free(arena);
    return status;
}
