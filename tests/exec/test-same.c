/* SPDX-License-Identifier: MIT
 *
 * Ops that are compositions of simpler ones: the row's `same_as` is run beside the op, as
 * two specs with the same inputs, on random shapes and attributes. No op is named here.
 */
#include "tests/exec/specs.h"
#include "tests/ops/cases.h"

enum { ROUNDS = 10 };

static int compared;

/* Put a size in place of its name, but not of the key of an attribute. */
static void
put_size(GString *text, const char *name, int64_t size)
{
    g_autofree char *word = g_strdup_printf("\\b%s\\b(?!:)", name);
    g_autofree char *number = g_strdup_printf("%" G_GINT64_FORMAT, size);
    g_autoptr(GRegex) regex = g_regex_new(word, 0, 0, NULL);
    g_autofree char *replaced =
        g_regex_replace_literal(regex, text->str, -1, 0, number, 0, NULL);
    g_string_assign(text, replaced);
}

/* The simpler ops, with the sizes of the case for attributes and axes. */
static void
append_body(GString *spec, Case *c)
{
    g_string_append_printf(spec, "%s\n", c->op->same_as);
    for (int i = 0; i < fig_op_attr_count(c->op); i++)
        if (c->op->attrs[i].type == FIG_ATTR_DIM)
            put_size(spec, c->op->attrs[i].name, c->attr[i].dim);
    for (int i = 0; i < c->n_in; i++) {
        const FigPort *port = &c->alternative->in[i];
        for (int j = port->n_axes - 1, at = c->in[i].rank - 1;
             j >= 0 && port->axis[j].kind != FIG_AXIS_ELLIPSIS; j--, at--)
            if (port->axis[j].kind == FIG_AXIS_NAME)
                put_size(spec, port->axis[j].name, c->in[i].size[at]);
    }
}

static void
append_inputs(GString *spec, Case *c)
{
    g_string_append(spec, "inputs:\n");
    for (int i = 0; i < c->n_in; i++) {
        g_string_append_printf(spec, "  %s: {shape: [", c->alternative->in[i].name);
        for (int axis = 0; axis < c->in[i].rank; axis++)
            g_string_append_printf(spec, "%s%" G_GINT64_FORMAT, axis ? ", " : "",
                                   c->in[i].size[axis]);
        g_string_append(spec, "]}\n");
    }
}

/* The op itself, with the attributes of the case. */
static void
append_op(GString *spec, Case *c)
{
    g_string_append_printf(spec, "- {id: y, op: %s, in: [", c->op->name);
    for (int i = 0; i < c->n_in; i++)
        g_string_append_printf(spec, "%s%s", i ? ", " : "", c->alternative->in[i].name);
    g_string_append_c(spec, ']');
    for (int i = 0; i < fig_op_attr_count(c->op); i++) {
        g_assert_cmpint(c->op->attrs[i].type, ==, FIG_ATTR_DIM);
        g_string_append_printf(spec, ", %s: %" G_GINT64_FORMAT, c->op->attrs[i].name,
                               c->attr[i].dim);
    }
    g_string_append(spec, "}\n");
}

static FigGraph *
load_ops(const char *head, const char *ops)
{
    g_autofree char *text = g_strdup_printf("%sops:\n%soutputs: [y]\n", head, ops);
    return load_text(text, NULL);
}

static void
check_same(Case *c)
{
    for (int i = 0; i < c->n_in; i++)
        if (c->in[i].rank == 0)
            return; /* a spec has no value without axes */
    g_autoptr(GString) head = g_string_new(NULL);
    g_autoptr(GString) whole = g_string_new(NULL);
    g_autoptr(GString) body = g_string_new(NULL);
    g_string_append(head, "opfig: 1\nname: same\ndims:\n  one: {is: 1}\n");
    append_inputs(head, c);
    append_op(whole, c);
    append_body(body, c);
    const double bound[] = {[FIG_F32] = 1e-6, [FIG_F64] = 1e-14};
    for (int type = FIG_F32; type <= FIG_F64; type++) {
        g_autoptr(FigGraph) one_graph = load_ops(head->str, whole->str);
        g_autoptr(FigGraph) many_graph = load_ops(head->str, body->str);
        const FigRunOptions options = {
            .numeric = true, .type = (FigType)type, .seed = 5};
        g_autoptr(FigRun) one = run_graph(one_graph, &options);
        g_autoptr(FigRun) many = run_graph(many_graph, &options);
        const FigView *a = fig_run_value(one, "y"), *b = fig_run_value(many, "y");
        g_assert_cmpint(a->rank, ==, b->rank);
        for (int axis = 0; axis < a->rank; axis++)
            g_assert_cmpint(a->size[axis], ==, b->size[axis]);
        for (int64_t i = 0; i < fig_view_count(a); i++) {
            double p = fig_view_number(a, i), q = fig_view_number(b, i);
            if (p != q)
                g_assert_cmpfloat_with_epsilon(p, q, bound[type]);
            compared++;
        }
    }
}

static void
test_same(gconstpointer op)
{
    compared = 0;
    for_each_case(op, ROUNDS, check_same);
    g_assert_cmpint(compared, >, ROUNDS);
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    for (const FigOp *const *op = fig_op_all(); *op; op++) {
        g_autofree char *path = g_strdup_printf("/same/%s", (*op)->name);
        if ((*op)->same_as)
            g_test_add_data_func(path, *op, test_same);
    }
    return g_test_run();
}
