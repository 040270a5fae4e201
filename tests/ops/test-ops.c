/* SPDX-License-Identifier: MIT
 *
 * Every row of the op table, held to the same promises; no op is named here. A new op is
 * tested the moment it stands in ops/meson.build.
 */
#include "ops/example.h"
#include "ops/signature-parts.h"
#include "tests/ops/cases.h"

#include <math.h>
#include <string.h>

enum { ROUNDS = 60 };

/* The bound for float beside double, and for two orders of one sum, at these sizes. */
static const double near[] = {[FIG_F32] = 2e-5, [FIG_F64] = 1e-13};

/* ---- the row ---- */

/* Does name stand in tex as a letter or word, not as part of a command or a \mathrm? */
static bool
occurs(const char *tex, const char *name)
{
    size_t length = strlen(name);
    for (const char *c = tex; *c; c++) {
        if (g_str_has_prefix(c, "\\mathrm{")) {
            c = strchr(c, '}');
        } else if (*c == '\\') {
            while (g_ascii_isalpha(c[1]))
                c++;
        } else if (strncmp(c, name, length) == 0) {
            return true;
        }
    }
    return false;
}

static void
test_row(gconstpointer data)
{
    const FigOp *op = data;
    g_autoptr(FigArena) arena = fig_arena_new();
    g_autofree char *why = NULL;
    if (!fig_signature_check(op, &why))
        g_error("%s: %s", op->name, why);
    for (int i = 0; i < fig_signature_inputs(op); i++)
        if (!occurs(op->equation, fig_signature_input(op, i)))
            g_error("%s: %s is not in the equation", op->name,
                    fig_signature_input(op, i));
    for (int i = 0; i < MAX(fig_signature_outputs(op), 1); i++)
        if (!occurs(op->equation, fig_signature_output(op, i)))
            g_error("%s: %s is not in the equation", op->name,
                    fig_signature_output(op, i));

    const struct {
        const char *field, *words;
    } wanted[] = {{"title", op->title}, {"full_name", op->full_name},
                  {"cost", op->cost},   {"numpy", op->numpy},
                  {"torch", op->torch}, {"example", op->example}};
    for (size_t i = 0; i < G_N_ELEMENTS(wanted); i++)
        if (!wanted[i].words || !*wanted[i].words)
            g_error("%s: the row has no .%s", op->name, wanted[i].field);
    g_assert_true((op->mark == FIG_MARK_CIRCLE) == (op->sign != NULL));
    g_assert_true(fig_op_lookup(op->name) == op);

    FigAttrValue *values = fig_op_attr_defaults(op, arena);
    for (int i = 0; i < fig_op_attr_count(op); i++) {
        const FigAttr *attr = &op->attrs[i];
        g_assert_cmpint(fig_op_attr_index(op, attr->name), ==, i);
        g_assert_true(attr->doc && *attr->doc);
        g_assert_true((attr->type == FIG_ATTR_WORD) == (attr->words != NULL));
        g_assert_false(values[i].given);
        g_assert_cmpstr(values[i].text, ==, attr->fallback);
    }
}

static void
test_example(gconstpointer data)
{
    const FigOp *op = data;
    g_autoptr(FigArena) arena = fig_arena_new();
    g_autoptr(FigAlgebra) algebra = fig_algebra_new();
    g_autofree char *why = NULL;
    int count = 0;
    const FigExample *examples = fig_example_read(op->example, arena, &count, &why);
    if (!examples)
        g_error("%s: %s", op->name, why);
    for (int i = 0; i < count; i++) {
        const FigExample *example = &examples[i];
        FigAttrValue *attr = fig_example_attrs(op, example, arena);
        Tensor in[FIG_LIMIT_PORTS] = {0}, out[FIG_LIMIT_PORTS] = {0};
        FigShape shapes[FIG_LIMIT_PORTS] = {0};
        FigBinding binding = {.in = shapes, .attr = attr};
        int given = 0;
        for (int port = 0; port < fig_signature_inputs(op); port++) {
            const FigExampleEntry *entry =
                fig_example_given(example, fig_signature_input(op, port));
            if (!entry)
                continue;
            given++;
            Tensor *tensor = &in[binding.n_in];
            FigShape *shape = &shapes[binding.n_in++];
            *tensor = tensor_new(arena, entry->rank, entry->size);
            memcpy(tensor->number, entry->number,
                   (size_t)entry->count * sizeof(double));
            shape->rank = entry->rank;
            for (int axis = 0; axis < entry->rank; axis++)
                shape->axis[axis] = fig_poly_number(algebra, entry->size[axis], 1);
        }
        for (int j = 0; j < fig_op_attr_count(op); j++)
            given += attr[j].given;
        g_assert_cmpint(given, ==, example->n_given); /* no entry means nothing */
        if (!fig_signature_bind(op, algebra, &binding, &why))
            g_error("%s: example: %s", op->name, why);
        g_assert_cmpint(binding.n_out, ==, example->n_wanted);
        for (int type = FIG_F32; type <= FIG_F64; type++) {
            for (int j = 0; j < binding.n_out; j++)
                out[j] =
                    tensor_new(arena, example->wanted[j].rank, example->wanted[j].size);
            tensors_run(op, (FigType)type, WAY_EVAL, LIE_DENSE, LIE_DENSE, binding.n_in,
                        in, binding.n_out, out, attr);
            for (int j = 0; j < binding.n_out; j++) {
                Tensor wanted = out[j];
                wanted.number = (double *)(uintptr_t)example->wanted[j].number;
                g_assert_cmpint(binding.out[j].rank, ==, wanted.rank);
                tensors_near(op->name, &out[j], &wanted, 1e-6);
            }
        }
    }
}

/* ---- the kernels ---- */

static void
check_kernel(Case *c)
{
    Tensor results[2][FIG_LIMIT_PORTS], other[FIG_LIMIT_PORTS];
    for (int type = FIG_F32; type <= FIG_F64; type++) {
        case_run(c, (FigType)type, WAY_EVAL, LIE_DENSE, LIE_DENSE, results[type]);
        for (int i = 0; i < c->n_out; i++)
            for (int64_t j = 0; j < results[type][i].count; j++)
                g_assert_false(isnan(results[type][i].number[j]));
        for (int in_lie = 0; in_lie < LIES; in_lie++)
            for (int out_lie = 0; out_lie < LIES; out_lie++) {
                case_run(c, (FigType)type, WAY_EVAL, (Lie)in_lie, (Lie)out_lie, other);
                case_near(c, "strided against dense", other, results[type],
                          c->op->naive[type] ? near[type] : 0);
            }
    }
    case_near(c, "float against double", results[FIG_F32], results[FIG_F64],
              near[FIG_F32]);
}

static void
test_kernel(gconstpointer op)
{
    for_each_case(op, ROUNDS, check_kernel);
}

static void
check_naive(Case *c)
{
    Tensor fast[FIG_LIMIT_PORTS], naive[FIG_LIMIT_PORTS];
    for (int type = FIG_F32; type <= FIG_F64; type++)
        for (int lie = 0; lie < LIES; lie++) {
            case_run(c, (FigType)type, WAY_EVAL, (Lie)lie, LIE_DENSE, fast);
            case_run(c, (FigType)type, WAY_NAIVE, (Lie)lie, LIE_DENSE, naive);
            case_near(c, "fast against naive", fast, naive, near[type]);
        }
}

static void
test_naive(gconstpointer op)
{
    for_each_case(op, ROUNDS, check_naive);
}

static int views_made;

static void
check_view(Case *c)
{
    Tensor copied[FIG_LIMIT_PORTS], viewed[FIG_LIMIT_PORTS];
    for (int lie = 0; lie < LIES; lie++) {
        case_run(c, FIG_F32, WAY_EVAL, (Lie)lie, LIE_DENSE, copied);
        if (!case_run(c, FIG_F32, WAY_VIEW, (Lie)lie, LIE_DENSE, viewed))
            continue;
        views_made++;
        case_near(c, "view against copy", viewed, copied, 0);
    }
}

static void
test_view(gconstpointer op)
{
    views_made = 0;
    for_each_case(op, ROUNDS, check_view);
    g_assert_cmpint(views_made, >, ROUNDS / 10);
}

/* ---- mapped axes ---- */

/* One axis or factor of a signature: a name, or entry `run` of an ellipsis. */
typedef struct {
    const char *name;
    int ellipsis, run;
} Target;

/* The place of target among the factors of a token; a plain name is its own factor; -1:
 * it is not there. */
static int
factor_of(const FigAxis *token, int run, const Target *target)
{
    if (token->kind == FIG_AXIS_ELLIPSIS)
        return !target->name && token->ellipsis == target->ellipsis &&
                       run == target->run
                   ? 0
                   : -1;
    if (token->kind == FIG_AXIS_NAME)
        return g_strcmp0(token->name, target->name) == 0 ? 0 : -1;
    for (int i = 0; i < token->n_factors; i++)
        if (token->factor[i] && g_strcmp0(token->factor[i], target->name) == 0)
            return i;
    return -1;
}

/* Cut entry `at` of target out of a tensor. */
static Tensor
cut(Case *c, const FigPort *port, const Tensor *tensor, const Target *target,
    int64_t at)
{
    int64_t first[FIG_LIMIT_RANK], size[FIG_LIMIT_RANK], step[FIG_LIMIT_RANK];
    for (int axis = 0; axis < tensor->rank; axis++) {
        first[axis] = 0;
        size[axis] = tensor->size[axis];
        step[axis] = 1;
        int run;
        const FigAxis *token = case_token(c, port, tensor->rank, axis, &run);
        int factor = factor_of(token, run, target);
        if (factor < 0)
            continue;
        if (token->kind != FIG_AXIS_PRODUCT) {
            first[axis] = at;
            size[axis] = 1;
            continue;
        }
        g_assert_cmpint(token->n_factors, ==, 2);
        int64_t here = case_size(c, target->name), inner = tensor->size[axis] / here;
        size[axis] = inner;
        first[axis] = factor == 0 ? at * inner : at;
        step[axis] = factor == 0 ? 1 : here;
    }
    return tensor_slice(c->arena, tensor, first, size, step);
}

/* Does target stand anywhere, and is it mapped wherever it does? Its size in *size. */
static bool
is_mapped(Case *c, const Target *target, int64_t *size)
{
    bool found = false;
    const FigAlternative *a = c->alternative;
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < (side ? c->n_out : c->n_in); i++) {
            const Tensor *tensor = side ? &c->out[i] : &c->in[i];
            const FigPort *port = side ? &a->out[a->out[0].list ? 0 : i] : &a->in[i];
            unsigned mixed = side ? c->binding.out_mixed[i] : c->binding.in_mixed[i];
            for (int axis = 0; axis < tensor->rank; axis++) {
                int run;
                const FigAxis *token = case_token(c, port, tensor->rank, axis, &run);
                g_assert_cmpint(token->mixed, ==, mixed >> axis & 1);
                if (factor_of(token, run, target) < 0)
                    continue;
                if (token->mixed)
                    return false;
                found = true;
                if (token->kind != FIG_AXIS_PRODUCT)
                    *size = tensor->size[axis];
            }
        }
    if (target->name)
        *size = case_size(c, target->name);
    return found && *size > 0;
}

static int slices_made;

/* Computing a slice gives the slice of what was computed. */
static void
check_target(Case *c, const Target *target)
{
    int64_t size = 0;
    if (!is_mapped(c, target, &size))
        return;
    const FigAlternative *a = c->alternative;
    Tensor whole[FIG_LIMIT_PORTS], wanted[FIG_LIMIT_PORTS];
    case_run(c, FIG_F64, WAY_EVAL, LIE_DENSE, LIE_DENSE, whole);
    int64_t at = case_random(&c->state) % size;
    Case part = *c;
    int n_attr = fig_op_attr_count(c->op);
    part.attr = fig_arena_copy(c->arena, c->attr, (size_t)n_attr * sizeof(*c->attr));
    int index;
    const FigAttr *attr =
        target->name ? fig_signature_attr(c->op, target->name, &index) : NULL;
    if (attr && attr->type == FIG_ATTR_DIM)
        part.attr[index].dim = 1;
    for (int i = 0; i < c->n_in; i++)
        part.in[i] = cut(c, &a->in[i], &c->in[i], target, at);
    for (int i = 0; i < c->n_out; i++) {
        const FigPort *port = &a->out[a->out[0].list ? 0 : i];
        wanted[i] = part.out[i] = cut(c, port, &whole[i], target, at);
    }
    Tensor sliced[FIG_LIMIT_PORTS];
    case_run(&part, FIG_F64, WAY_EVAL, LIE_DENSE, LIE_DENSE, sliced);
    case_near(&part, target->name ? target->name : "...", sliced, wanted,
              c->op->naive[FIG_F64] ? near[FIG_F64] : 0);
    slices_made++;
}

static void
check_mapped(Case *c)
{
    for (int i = 0; i < c->n_in; i++) {
        const FigPort *port = &c->alternative->in[i];
        for (int axis = 0; axis < c->in[i].rank; axis++) {
            int run;
            const FigAxis *token = case_token(c, port, c->in[i].rank, axis, &run);
            if (token->kind == FIG_AXIS_ELLIPSIS)
                check_target(c, &(Target){NULL, token->ellipsis, run});
            else if (token->kind == FIG_AXIS_NAME)
                check_target(c, &(Target){token->name, 0, 0});
            for (int j = 0; j < token->n_factors; j++)
                if (token->factor[j])
                    check_target(c, &(Target){token->factor[j], 0, 0});
        }
    }
}

static void
test_mapped(gconstpointer op)
{
    slices_made = 0;
    for_each_case(op, ROUNDS, check_mapped);
    g_assert_cmpint(slices_made, >, ROUNDS / 10);
}

static void
add(const FigOp *op, const char *what, GTestDataFunc test)
{
    g_autofree char *path = g_strdup_printf("/ops/%s/%s", op->name, what);
    g_test_add_data_func(path, op, test);
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    for (const FigOp *const *op = fig_op_all(); *op; op++) {
        add(*op, "row", test_row);
        add(*op, "example", test_example);
        add(*op, "kernel", test_kernel);
        add(*op, "mapped", test_mapped);
        if ((*op)->naive[FIG_F32])
            add(*op, "naive", test_naive);
        if ((*op)->view)
            add(*op, "view", test_view);
    }
    return g_test_run();
}
