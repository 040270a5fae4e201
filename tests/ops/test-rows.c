/* SPDX-License-Identifier: MIT
 *
 * What a row says beside its kernel: costs in words and in numbers, labels, tables that a
 * run can keep. No op is named here.
 */
#include "tests/ops/cases.h"

#include <string.h>

enum { ROUNDS = 60 };

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
        cost *= case_size(c, axis);
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

/* A row without a label function still shows what it promises to show. */
static void
test_default_label(void)
{
    static const FigAttr attrs[] = {
        {"c", FIG_ATTR_REAL, NULL, NULL, FIG_SHOWS_IN_LABEL, "the bound"},
        {"eps", FIG_ATTR_REAL, NULL, NULL, FIG_COMPUTED_NOT_DRAWN, "hidden"},
        {NULL},
    };
    static const FigOp op = {.name = "softcap", .title = "soft cap", .attrs = attrs};
    const FigAttrValue values[] = {{.text = "1/sqrt(h_d)", .tex = "1/\\sqrt{h_d}"},
                                   {.text = "1e-6"}};
    const FigOpFacts facts = {.attr = values};
    g_autoptr(FigArena) arena = fig_arena_new();
    g_assert_cmpstr(fig_op_label(&op, &facts, arena), ==,
                    "soft cap, c $1/\\sqrt{h_d}$");
}

static void
test_cost(gconstpointer op)
{
    for_each_case(op, ROUNDS, check_cost);
}

static void
test_label(gconstpointer op)
{
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
            g_auto(GStrv) axes = g_strsplit(table->axes ? table->axes : "", " ", -1);
            if (table->axes)
                g_assert_cmpuint(g_strv_length(axes), ==, (guint)view.rank);
            /* x is as the result */
            for (int i = 1; !table->axes && i <= view.rank; i++)
                g_assert_cmpint(view.size[view.rank - i], ==,
                                views[0].size[views[0].rank - i]);
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
    g_autofree char *path = g_strdup_printf("/rows/%s/%s", op->name, what);
    g_test_add_data_func(path, op, test);
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/rows/label-of-title", test_default_label);
    for (const FigOp *const *op = fig_op_all(); *op; op++) {
        add(*op, "cost", test_cost);
        add(*op, "label", test_label);
        if ((*op)->exposes)
            add(*op, "exposes", test_exposes);
    }
    return g_test_run();
}
