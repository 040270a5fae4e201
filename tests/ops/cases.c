/* SPDX-License-Identifier: MIT
 *
 * Random calls drawn from signatures, the same in every run.
 */
#include "tests/ops/cases.h"

enum { LARGEST = 12 }; /* size of an axis */

uint32_t
case_random(void *data)
{
    uint32_t *state = data; /* xorshift: the same cases in every run */
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

static double
uniform(uint32_t *state, double low, double high)
{
    return low + (high - low) * (case_random(state) / 4294967296.0);
}

static void
case_clear(Case *c)
{
    fig_algebra_free(c->algebra);
    fig_arena_free(c->arena);
}

static Tensor
tensor_of(Case *c, const FigShape *shape)
{
    int64_t size[FIG_LIMIT_RANK];
    for (int axis = 0; axis < shape->rank; axis++) {
        FigRational value;
        g_assert_true(fig_poly_is_number(shape->axis[axis], &value) && value.den == 1);
        size[axis] = value.num;
    }
    return tensor_new(c->arena, shape->rank, size);
}

static bool
hangs_on(const FigSignature *signature, const char *attribute)
{
    for (int i = 0; i < signature->n_alternatives; i++)
        if (g_strcmp0(signature->alternatives[i].attribute, attribute) == 0)
            return true;
    return false;
}

/* Attributes that the signature leaves open get any value. */
static void
draw_attributes(Case *c)
{
    for (int i = 0; i < fig_op_attr_count(c->op); i++) {
        const FigAttr *attr = &c->op->attrs[i];
        FigAttrValue *value = &c->attr[i];
        value->given = true;
        if (attr->type == FIG_ATTR_REAL)
            value->real = (float)uniform(&c->state, 0.1, 4);
        if (attr->type == FIG_ATTR_WORD &&
            !hangs_on(fig_signature_get(c->op), attr->name)) {
            g_auto(GStrv) words = g_strsplit(attr->words, "|", -1);
            value->word = (int)(case_random(&c->state) % g_strv_length(words));
        }
        if (!value->text)
            value->text = value->tex = "1";
    }
}

/* A random call of op: sizes, attributes, operands that a float holds exactly. */
static void
draw(Case *c, const FigOp *op, int alternative, uint32_t seed)
{
    *c = (Case){.arena = fig_arena_new(),
                .algebra = fig_algebra_new(),
                .op = op,
                .alternative = &fig_signature_get(op)->alternatives[alternative],
                .state = seed * 2654435761u + 1};
    c->attr = fig_op_attr_defaults(op, c->arena);
    bool drawn = fig_signature_sample(op, alternative, c->algebra, LARGEST, case_random,
                                      &c->state, c->arena, &c->binding, c->attr);
    g_assert_true(drawn);
    draw_attributes(c);
    g_autofree char *why = NULL;
    if (!fig_signature_bind(op, c->algebra, &c->binding, &why))
        g_error("%s: a sample does not bind: %s", op->name, why);
    c->n_in = c->binding.n_in;
    c->n_out = c->binding.n_out;
    for (int i = 0; i < c->n_in; i++) {
        c->in[i] = tensor_of(c, &c->binding.in[i]);
        FigRational below;
        bool whole = c->binding.in_below[i] &&
                     fig_poly_is_number(c->binding.in_below[i], &below);
        for (int64_t j = 0; j < c->in[i].count; j++)
            c->in[i].number[j] = whole ? (double)(case_random(&c->state) % below.num)
                                       : (double)(float)uniform(&c->state, -2, 2);
    }
    for (int i = 0; i < c->n_out; i++)
        c->out[i] = tensor_of(c, &c->binding.out[i]);
}

bool
case_run(Case *c, FigType type, Way way, Lie in_lie, Lie out_lie, Tensor *results)
{
    for (int i = 0; i < c->n_out; i++)
        results[i] = tensor_new(c->arena, c->out[i].rank, c->out[i].size);
    return tensors_run(c->op, type, way, in_lie, out_lie, c->n_in, c->in, c->n_out,
                       results, c->attr);
}

void
case_near(Case *c, const char *what, const Tensor *a, const Tensor *b, double bound)
{
    g_autofree char *name =
        g_strdup_printf("%s, %s, %s", c->op->name, c->alternative->text, what);
    for (int i = 0; i < c->n_out; i++)
        tensors_near(name, &a[i], &b[i], bound);
}

const FigAxis *
case_token(const Case *c, const FigPort *port, int rank, int at, int *run)
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

int64_t
case_size(const Case *c, const char *name)
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
                const FigAxis *token = case_token(c, port, tensor->rank, axis, &run);
                if (token->kind == FIG_AXIS_NAME && g_str_equal(token->name, name))
                    return tensor->size[axis];
            }
        }
    return 0;
}

void
for_each_case(const FigOp *op, int rounds, void (*body)(Case *))
{
    for (int i = 0; i < fig_signature_alternatives(op); i++)
        for (uint32_t round = 0; round < (uint32_t)rounds; round++) {
            Case c;
            draw(&c, op, i, round + 1);
            body(&c);
            case_clear(&c);
        }
}
