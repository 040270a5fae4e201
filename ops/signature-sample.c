/* SPDX-License-Identifier: MIT
 *
 * Random sizes and attributes that a signature binds: what the generic tests run on.
 */
#include "ops/signature.h"
#include "ops/signature-parts.h"

typedef struct Sample {
    const FigOp *op;
    int64_t largest;
    FigRandom random;
    void *data;
    FigArena *arena;
    FigAttrValue *attr;
    GHashTable *sizes; /* name -> size */
    int length[2];     /* of each `...` */
    int64_t run[2][FIG_LIMIT_RANK];
} Sample;

static int64_t
draw(Sample *s, int64_t largest)
{
    return 1 + (int64_t)(s->random(s->data) % (uint32_t)MAX(largest, 1));
}

/* The size of a name between two bounds, drawn on first use; a DIM attribute of that name
 * follows. */
static int64_t
sample_between(Sample *s, const char *name, int64_t least, int64_t largest)
{
    int64_t *known = g_hash_table_lookup(s->sizes, name);
    if (known)
        return *known;
    known = fig_arena_new0(s->arena, int64_t);
    *known = least - 1 + draw(s, largest - least + 1);
    g_hash_table_insert(s->sizes, (gpointer)name, known);
    int index;
    const FigAttr *attr = fig_signature_attr(s->op, name, &index);
    if (attr && attr->type == FIG_ATTR_DIM)
        s->attr[index].dim = *known;
    return *known;
}

static int64_t
sample_name(Sample *s, const char *name, int64_t largest)
{
    int index;
    const FigAttr *attr = fig_signature_attr(s->op, name, &index);
    bool dim = attr && attr->type == FIG_ATTR_DIM;
    return sample_between(s, name, dim ? fig_attr_least(attr) : 1, largest);
}

/* The names that `where` orders, from the largest down; each leaves room for those that
 * stand below it. */
static void
sample_order(Sample *s, const FigAlternative *alternative)
{
    int64_t largest = s->largest;
    for (int i = alternative->n_order - 1; i >= 0; i--) {
        int64_t least = 0;
        for (int j = 0; j < i; j++)
            least += alternative->below[j];
        largest = sample_between(s, alternative->order[i], least, largest);
        if (i > 0)
            largest -= alternative->below[i - 1];
    }
}

static int64_t
sample_sum(Sample *s, const char *name)
{
    int index = 0;
    fig_signature_attr(s->op, name, &index);
    FigAttrValue *value = &s->attr[index];
    if (!value->n_dims) {
        value->n_dims = (int)draw(s, MIN(4, s->largest));
        int64_t *dims = fig_arena_new_array(s->arena, int64_t, value->n_dims);
        for (int i = 0; i < value->n_dims; i++)
            dims[i] = draw(s, s->largest / value->n_dims);
        value->dims = dims;
    }
    int64_t sum = 0;
    for (int i = 0; i < value->n_dims; i++)
        sum += value->dims[i];
    return sum;
}

/* What products and sums are made of is drawn before anything else, so that they stay
 * within the largest size. */
static void
sample_factors(Sample *s, const FigPort *port)
{
    for (int j = 0; j < port->n_axes; j++) {
        const FigAxis *axis = &port->axis[j];
        int64_t product = 1;
        for (int k = 0; k < axis->n_factors; k++)
            if (!axis->factor[k])
                product *= axis->number[k];
        for (int k = 0; k < axis->n_factors; k++)
            if (axis->kind == FIG_AXIS_TERMS)
                sample_name(s, axis->factor[k], s->largest / axis->n_factors);
            else if (axis->factor[k])
                product *= sample_name(s, axis->factor[k], s->largest / product);
    }
}

static void
sample_shape(Sample *s, FigAlgebra *algebra, const FigPort *port, FigShape *shape)
{
    for (int i = 0; i < port->n_axes; i++) {
        const FigAxis *axis = &port->axis[i];
        if (axis->kind == FIG_AXIS_ELLIPSIS) {
            for (int j = 0; j < s->length[axis->ellipsis]; j++)
                shape->axis[shape->rank++] =
                    fig_poly_number(algebra, s->run[axis->ellipsis][j], 1);
            continue;
        }
        int64_t size = 1;
        if (axis->kind == FIG_AXIS_SUM) {
            size = sample_sum(s, axis->name);
        } else if (axis->kind == FIG_AXIS_NAME) {
            int index;
            const FigAttr *attr = fig_signature_attr(s->op, axis->name, &index);
            if (attr && attr->type == FIG_ATTR_AXIS)
                s->attr[index].axis = shape->rank;
            size = sample_name(s, axis->name, s->largest);
        }
        size -= axis->kind == FIG_AXIS_TERMS;
        for (int k = 0; k < axis->n_factors; k++) {
            int64_t part =
                axis->factor[k] ? sample_name(s, axis->factor[k], s->largest) : 1;
            if (axis->kind == FIG_AXIS_TERMS)
                size += axis->number[k] * part;
            else
                size *= axis->factor[k] ? part : axis->number[k];
        }
        shape->axis[shape->rank++] = fig_poly_number(algebra, size, 1);
    }
}

bool
fig_signature_sample(const FigOp *op, int alternative, FigAlgebra *algebra,
                     int64_t largest, FigRandom random, void *data, FigArena *arena,
                     FigBinding *binding, FigAttrValue *attr)
{
    const FigSignature *signature = fig_signature_get(op);
    if (alternative < 0 || alternative >= signature->n_alternatives)
        return false;
    const FigAlternative *chosen = &signature->alternatives[alternative];
    g_autoptr(GHashTable) sizes = g_hash_table_new(g_str_hash, g_str_equal);
    Sample s = {op, largest, random, data, arena, attr, sizes, {0, 0}, {{0}}};
    for (int i = 0; op->attrs && op->attrs[i].name; i++) {
        attr[i].n_dims = 0;
        attr[i].dims = NULL;
        attr[i].poly = NULL;
        attr[i].polys = NULL;
    }
    if (chosen->attribute) {
        int index = 0;
        const FigAttr *row = fig_signature_attr(op, chosen->attribute, &index);
        attr[index].word = fig_attr_word(row, chosen->word);
        attr[index].dim = attr[index].word;
    }
    for (int i = 0; i < 2; i++) {
        s.length[i] = (int)(random(data) % 3);
        for (int j = 0; j < s.length[i]; j++)
            s.run[i][j] = draw(&s, largest);
    }
    sample_order(&s, chosen);
    for (int i = 0; i < chosen->n_in; i++)
        sample_factors(&s, &chosen->in[i]);
    for (int i = 0; i < chosen->n_out; i++)
        sample_factors(&s, &chosen->out[i]);
    FigShape *shapes = fig_arena_new_array(arena, FigShape, chosen->n_in);
    for (int i = 0; i < chosen->n_in; i++)
        sample_shape(&s, algebra, &chosen->in[i], &shapes[i]);
    for (int i = 0; op->attrs && op->attrs[i].name; i++)
        if (op->attrs[i].type == FIG_ATTR_DIM) /* what only results depend on */
            sample_name(&s, op->attrs[i].name, largest);
    binding->n_in = chosen->n_in;
    binding->in = shapes;
    binding->attr = attr;
    return true;
}
