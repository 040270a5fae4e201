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

    const char *const words[] = {op->title, op->full_name, op->cost, op->numpy,
                                 op->torch, op->example,   NULL};
    for (size_t i = 0; i < G_N_ELEMENTS(words) - 1; i++)
        g_assert_true(words[i] && *words[i]);
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

/* What stands at one axis of a port: the token, and which entry of its ellipsis. */
static const FigAxis *
token_at(const Case *c, const FigPort *port, int rank, int at, int *run)
{
    int free = rank; /* axes that ellipses bind */
    int n_ellipses = 0, first_run = 0;
    for (int i = 0; i < port->n_axes; i++) {
        bool ellipsis = port->axis[i].kind == FIG_AXIS_ELLIPSIS;
        n_ellipses += ellipsis;
        free -= !ellipsis;
    }
    first_run = free;
    for (int i = 0; n_ellipses == 2 && i < fig_op_attr_count(c->op); i++)
        if (c->op->attrs[i].type == FIG_ATTR_AXIS) /* two stand around this axis */
            first_run = c->attr[i].axis;
    int axis = 0;
    for (int i = 0; i < port->n_axes; i++) {
        const FigAxis *token = &port->axis[i];
        int length = 1;
        if (token->kind == FIG_AXIS_ELLIPSIS)
            length = token->ellipsis == 0 ? first_run : free - first_run;
        if (at < axis + length) {
            *run = at - axis;
            return token;
        }
        axis += length;
    }
    g_assert_not_reached();
}

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

/* The size of a name: of an axis that bears it, or of an attribute; 0: not known alone. */
static int64_t
size_of(const Case *c, const char *name)
{
    int index;
    const FigAttr *attr = fig_signature_attr(c->op, name, &index);
    if (attr && attr->type == FIG_ATTR_DIM)
        return c->attr[index].dim;
    const FigAlternative *a = c->alternative;
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < (side ? c->n_out : c->n_in); i++) {
            const Tensor *tensor = side ? &c->out[i] : &c->in[i];
            const FigPort *port = side ? &a->out[a->out[0].list ? 0 : i] : &a->in[i];
            for (int axis = 0; axis < tensor->rank; axis++) {
                int run;
                const FigAxis *token = token_at(c, port, tensor->rank, axis, &run);
                if (token->kind == FIG_AXIS_NAME && g_str_equal(token->name, name))
                    return tensor->size[axis];
            }
        }
    return 0;
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
        const FigAxis *token = token_at(c, port, tensor->rank, axis, &run);
        int factor = factor_of(token, run, target);
        if (factor < 0)
            continue;
        if (token->kind != FIG_AXIS_PRODUCT) {
            first[axis] = at;
            size[axis] = 1;
            continue;
        }
        g_assert_cmpint(token->n_factors, ==, 2);
        int64_t here = size_of(c, target->name), inner = tensor->size[axis] / here;
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
                const FigAxis *token = token_at(c, port, tensor->rank, axis, &run);
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
        *size = size_of(c, target->name);
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
            const FigAxis *token = token_at(c, port, c->in[i].rank, axis, &run);
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

/* ---- cost and label ---- */

static const char *
poly_tex(FigAlgebra *algebra, const FigPoly *poly, void *data)
{
    return fig_poly_text(algebra, poly);
}

static FigOpFacts
facts_of(Case *c)
{
    FigArena *arena = c->arena;
    int n_in = c->n_in, n_out = c->n_out;
    const FigPoly ***in = fig_arena_new_array(arena, const FigPoly **, n_in);
    const FigPoly ***out = fig_arena_new_array(arena, const FigPoly **, n_out);
    const char **in_label = fig_arena_new_array(arena, const char *, n_in);
    const char **out_label = fig_arena_new_array(arena, const char *, n_out);
    int *in_rank = fig_arena_new_array(arena, int, n_in);
    int *out_rank = fig_arena_new_array(arena, int, n_out);
    for (int i = 0; i < n_in; i++) {
        FigShape *shape = fig_arena_copy(arena, &c->binding.in[i], sizeof(FigShape));
        in[i] = shape->axis;
        in_rank[i] = shape->rank;
        in_label[i] = fig_arena_printf(arena, "x_{%d}", i);
    }
    for (int i = 0; i < n_out; i++) {
        out[i] = c->binding.out[i].axis;
        out_rank[i] = c->binding.out[i].rank;
        out_label[i] = fig_arena_printf(arena, "y_{%d}", i);
    }
    return (FigOpFacts){
        .algebra = c->algebra,
        .n_in = n_in,
        .n_out = n_out,
        .in_label = in_label,
        .out_label = out_label,
        .in_weight = fig_arena_new_array(arena, bool, n_in),
        .out_named = fig_arena_new_array(arena, bool, n_out),
        .in_rank = in_rank,
        .out_rank = out_rank,
        .in = (const FigPoly *const *const *)in,
        .out = (const FigPoly *const *const *)out,
        .attr = c->attr,
        .tex = poly_tex,
        .axis_name = "key",
    };
}

static int64_t
number(const FigPoly *poly)
{
    FigRational value;
    g_assert_true(poly && fig_poly_is_number(poly, &value) && value.den == 1);
    return value.num;
}

/* "2k per element of y", "1 per element of y for each weight": one term of a cost. */
static int64_t
cost_term(const Case *c, const char *term)
{
    char *rest;
    int64_t cost = (int64_t)g_ascii_strtoull(term, &rest, 10);
    g_assert_true(rest != term);
    if (cost == 0)
        return 0;
    size_t length = strcspn(rest, " ");
    g_autofree char *axis = g_strndup(rest, length);
    if (*axis)
        cost *= size_of(c, axis);
    rest += length;
    g_assert_true(g_str_has_prefix(rest, " per element of "));
    rest += strlen(" per element of ");
    length = strcspn(rest, " ");
    g_autofree char *port = g_strndup(rest, length);
    const Tensor *tensor = NULL;
    for (int i = 0; i < c->n_in; i++)
        if (g_str_equal(c->alternative->in[i].name, port))
            tensor = &c->in[i];
    if (!tensor) {
        g_assert_cmpstr(port, ==, c->alternative->out[0].name);
        tensor = &c->out[0];
    }
    cost *= tensor->count;
    if (g_str_equal(rest + length, " for each weight"))
        cost *= c->n_in - 1;
    else
        g_assert_cmpstr(rest + length, ==, "");
    return cost;
}

/* The part of a cost that holds for a case's attributes: "…; form = tanh: …". */
static char *
cost_words(const Case *c)
{
    g_auto(GStrv) parts = g_strsplit(c->op->cost, "; ", -1);
    char *found = g_strdup(parts[0]);
    for (int i = 0; parts[i]; i++) {
        g_auto(GStrv) sides = g_strsplit(parts[i], ": ", 2);
        g_auto(GStrv) words = g_strsplit(sides[0], " = ", 2);
        int index = words[1] ? fig_op_attr_index(c->op, words[0]) : -1;
        if (index < 0 ||
            fig_attr_word(&c->op->attrs[index], words[1]) != c->attr[index].word)
            continue;
        g_free(found);
        found = g_strdup(sides[1]);
    }
    return found;
}

/* The cost in words ("2k per element of y: …") is the cost in numbers. */
static void
check_cost(Case *c)
{
    FigOpFacts facts = facts_of(c);
    g_autofree char *words = cost_words(c);
    words[strcspn(words, ":;")] = '\0';
    g_auto(GStrv) terms = g_strsplit(words, " and ", -1);
    int64_t wanted = 0;
    for (int i = 0; terms[i]; i++)
        wanted += cost_term(c, terms[i]);
    g_assert_cmpint(number(fig_op_flops(c->op, &facts)), ==, wanted);

    int64_t bytes = number(fig_op_bytes(c->op, &facts)), all = 0;
    for (int i = 0; i < c->n_in; i++)
        all += c->in[i].count;
    for (int i = 0; i < c->n_out; i++)
        all += c->out[i].count;
    if (c->op->kind == FIG_KIND_GATHER)
        all += c->out[0].count; /* it may read one row again and again */
    g_assert_true(bytes == all || (c->op->bytes && bytes >= 0 && bytes <= all));
}

static void
check_text(const char *op, const char *text)
{
    int dollars = 0, depth = 0;
    for (const char *c = text; *c; c++) {
        dollars += *c == '$';
        depth += (*c == '{') - (*c == '}');
        g_assert_cmpint(depth, >=, 0);
    }
    if (!*text || dollars % 2 || depth)
        g_error("%s: label ‘%s’", op, text);
}

/* A label is text with whole formulas, and says which word an attribute has. */
static void
check_label(Case *c)
{
    FigOpFacts facts = facts_of(c);
    const char *label = fig_op_label(c->op, &facts, c->arena);
    check_text(c->op->name, label);
    for (int i = 0; i < fig_op_attr_count(c->op); i++) {
        const FigAttr *attr = &c->op->attrs[i];
        if (attr->type != FIG_ATTR_WORD || attr->shows != FIG_SHOWS_IN_LABEL)
            continue;
        g_auto(GStrv) words = g_strsplit(attr->words, "|", -1);
        int word = c->attr[i].word;
        c->attr[i].word = (word + 1) % (int)g_strv_length(words);
        const char *other = fig_op_label(c->op, &facts, c->arena);
        check_text(c->op->name, other);
        g_assert_cmpstr(label, !=, other);
        c->attr[i].word = word;
    }
}

static void
test_cost(gconstpointer op)
{
    for_each_case(op, ROUNDS, check_cost);
    for_each_case(op, ROUNDS, check_label);
}

/* ---- exposed tables ---- */

static void
check_exposes(Case *c)
{
    for (int type = FIG_F32; type <= FIG_F64; type++) {
        FigView views[FIG_LIMIT_PORTS];
        for (int i = 0; i < c->n_in; i++)
            views[i] = tensor_view(c->arena, &c->in[i],
                                   fig_signature_input_type(c->op, i, (FigType)type));
        FigCall call = {.op = c->op,
                        .type = (FigType)type,
                        .n_in = c->n_in,
                        .in = views,
                        .attr = c->attr};
        for (const FigExpose *table = c->op->exposes; table->name; table++) {
            FigView view = {0};
            table->shape(&call, &view);
            size_t bytes = (size_t)fig_view_count(&view) * fig_type_size(view.type);
            g_assert_true(fig_view_is_dense(&view));
            unsigned char *filled[2];
            for (int i = 0; i < 2; i++) { /* over different bytes: all is written */
                filled[i] = g_malloc(bytes + 16);
                memset(filled[i], i ? 0x41 : 0x3d, bytes + 16);
                view.data = filled[i];
                table->fill(&call, &view);
                for (size_t byte = bytes; byte < bytes + 16; byte++)
                    g_assert_cmpint(filled[i][byte], ==, i ? 0x41 : 0x3d);
            }
            if (memcmp(filled[0], filled[1], bytes) != 0)
                g_error("%s.%s is not written whole", c->op->name, table->name);
            g_free(filled[0]);
            g_free(filled[1]);
        }
    }
}

static void
test_exposes(gconstpointer op)
{
    for_each_case(op, ROUNDS, check_exposes);
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
        add(*op, "cost", test_cost);
        if ((*op)->naive[FIG_F32])
            add(*op, "naive", test_naive);
        if ((*op)->view)
            add(*op, "view", test_view);
        if ((*op)->exposes)
            add(*op, "exposes", test_exposes);
    }
    return g_test_run();
}
