/* SPDX-License-Identifier: MIT
 *
 * Binding: which size each name of a signature has, found from the operands, and the
 * shapes of the results made from them. Plain axes are bound first and products after
 * them, so that a factor may be known from a later operand. Alternatives are tried in
 * order; when all fail, the one that got furthest says why.
 */
#include "ops/signature.h"
#include "ops/signature-parts.h"

#include <string.h>

enum { MAX_NAMES = 64 }; /* different axis names of one signature */

typedef struct Bound {
    const char *name;
    const FigPoly *size;
    const char *port; /* that gave it; NULL: an attribute */
} Bound;

/* The axes that a `...` stands for. */
typedef struct Run {
    bool bound;
    const char *port;
    int length;
    const FigPoly *size[FIG_LIMIT_RANK];
} Run;

typedef struct Binder {
    const FigOp *op;
    FigAlgebra *algebra;
    FigBinding *binding;
    int n_names;
    Bound names[MAX_NAMES];
    Run runs[2];
    int progress; /* axes that agreed */
    char *why;
} Binder;

static bool G_GNUC_PRINTF(2, 3) fail(Binder *b, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    g_free(b->why);
    b->why = g_strdup_vprintf(format, args);
    va_end(args);
    return false;
}

static const char *
text(Binder *b, const FigPoly *size)
{
    return fig_poly_text(b->algebra, size);
}

static const char *
count(int n)
{
    return n == 1 ? "axis" : "axes";
}

/* ---- names ---- */

static const FigPoly *
attr_size(Binder *b, const char *name)
{
    int index;
    const FigAttr *attr = fig_signature_attr(b->op, name, &index);
    if (!attr || attr->type != FIG_ATTR_DIM)
        return NULL;
    const FigAttrValue *value = &b->binding->attr[index];
    return value->poly ? value->poly : fig_poly_number(b->algebra, value->dim, 1);
}

/* Item i of a DIMS attribute. */
static const FigPoly *
attr_item(Binder *b, const FigAttrValue *value, int i)
{
    return value->polys ? value->polys[i]
                        : fig_poly_number(b->algebra, value->dims[i], 1);
}

static const FigAttrValue *
attr_list(Binder *b, const char *name)
{
    int index = 0;
    fig_signature_attr(b->op, name, &index);
    return &b->binding->attr[index];
}

static Bound *
find(Binder *b, const char *name)
{
    for (int i = 0; i < b->n_names; i++)
        if (strcmp(b->names[i].name, name) == 0)
            return &b->names[i];
    const FigPoly *size = attr_size(b, name);
    if (!size)
        return NULL;
    g_assert(b->n_names < MAX_NAMES);
    b->names[b->n_names] = (Bound){name, size, NULL};
    return &b->names[b->n_names++];
}

static bool
bind_name(Binder *b, const char *name, const FigPoly *size, const char *port)
{
    Bound *known = find(b, name);
    if (!known) {
        g_assert(b->n_names < MAX_NAMES);
        b->names[b->n_names++] = (Bound){name, size, port};
    } else if (!fig_poly_equal(known->size, size)) {
        if (!known->port)
            return fail(b, "%s is %s, but %s in %s", name, text(b, known->size),
                        text(b, size), port);
        return fail(b, "%s is %s in %s but %s in %s", name, text(b, known->size),
                    known->port, text(b, size), port);
    }
    b->progress++;
    return true;
}

static bool
bind_run(Binder *b, Run *run, const FigShape *shape, int first, int length,
         const char *port)
{
    if (!run->bound) {
        run->bound = true;
        run->port = port;
        run->length = length;
        for (int i = 0; i < length; i++)
            run->size[i] = shape->axis[first + i];
        return true;
    }
    if (run->length != length)
        return fail(b, "%s has %d %s%s but %s has %d", run->port, run->length,
                    length == shape->rank ? "" : "leading ", count(run->length), port,
                    length);
    for (int i = 0; i < length; i++) {
        if (!fig_poly_equal(run->size[i], shape->axis[first + i]))
            return fail(b, "axis %d is %s in %s but %s in %s", first + i,
                        text(b, run->size[i]), run->port,
                        text(b, shape->axis[first + i]), port);
        b->progress++;
    }
    return true;
}

/* ---- operands ---- */

/* How many axes each `...` of a port stands for; false: the rank does not fit. */
static bool
fit_rank(Binder *b, const FigPort *port, const FigShape *shape, int length[2])
{
    int fixed = 0, ellipses = 0, before = -1;
    for (int i = 0; i < port->n_axes; i++) {
        int index;
        const FigAxis *axis = &port->axis[i];
        if (axis->kind == FIG_AXIS_ELLIPSIS) {
            ellipses++;
            continue;
        }
        const FigAttr *attr = axis->kind == FIG_AXIS_NAME
                                  ? fig_signature_attr(b->op, axis->name, &index)
                                  : NULL;
        if (attr && attr->type == FIG_ATTR_AXIS && ellipses == 1)
            before = b->binding->attr[index].axis - fixed;
        fixed++;
    }
    int rest = shape->rank - fixed;
    if (rest < 0 || (!ellipses && rest != 0))
        return fail(b, "%s has %d %s, %s%d %s wanted", port->name, shape->rank,
                    count(shape->rank), ellipses ? "at least " : "", fixed,
                    fixed == 1 ? "is" : "are");
    length[0] = rest;
    length[1] = 0;
    if (ellipses == 2) {
        length[0] = b->runs[0].bound ? b->runs[0].length : before;
        length[1] = rest - length[0];
        if (length[0] < 0 || length[1] < 0)
            return fail(b, "%s has %d %s and none of that number", port->name,
                        shape->rank, count(shape->rank));
    }
    return true;
}

static bool
bind_sum(Binder *b, const char *name, const FigPoly *size, const char *port)
{
    const FigAttrValue *list = attr_list(b, name);
    const FigPoly *sum = fig_poly_number(b->algebra, 0, 1);
    for (int i = 0; i < list->n_dims; i++)
        sum = fig_poly_add(b->algebra, sum, attr_item(b, list, i));
    if (!sum)
        return fail(b, "the sum of %s is too large", name);
    if (!fig_poly_equal(sum, size))
        return fail(b, "%s add up to %s, but the axis of %s is %s", name, text(b, sum),
                    port, text(b, size));
    b->progress++;
    return true;
}

/* (a b) = size: solve for the one factor that is not known, or compare. */
static bool
bind_product(Binder *b, const FigAxis *axis, const FigPoly *size, const char *port)
{
    const FigPoly *known = fig_poly_number(b->algebra, 1, 1);
    const char *unknown = NULL;
    g_autoptr(GString) words = g_string_new(NULL);
    for (int i = 0; i < axis->n_factors; i++) {
        const FigPoly *factor;
        if (i)
            g_string_append(words, "·");
        if (axis->factor[i]) {
            Bound *bound = find(b, axis->factor[i]);
            g_string_append(words, axis->factor[i]);
            if (!bound) {
                g_assert(!unknown);
                unknown = axis->factor[i];
                continue;
            }
            factor = bound->size;
        } else {
            factor = fig_poly_number(b->algebra, axis->number[i], 1);
            g_string_append_printf(words, "%" G_GINT64_FORMAT, axis->number[i]);
        }
        known = fig_poly_mul(b->algebra, known, factor);
    }
    if (!known)
        return fail(b, "%s is too large", words->str);
    if (!unknown) {
        if (!fig_poly_equal(known, size))
            return fail(b, "%s is %s, but %s in %s", words->str, text(b, known),
                        text(b, size), port);
        b->progress++;
        return true;
    }
    FigRational value;
    const FigPoly *factor = fig_poly_div(b->algebra, size, known);
    if (!factor)
        return fail(b, "%s cannot be divided by %s", text(b, size), text(b, known));
    if (fig_poly_is_number(factor, &value) && value.den != 1)
        return fail(b, "%s is not a multiple of %s", text(b, size), text(b, known));
    return bind_name(b, unknown, factor, port);
}

/* (a + b) = size: solve for the one term that is not known, or compare. */
static bool
bind_terms(Binder *b, const FigAxis *axis, const FigPoly *size, const char *port)
{
    const FigPoly *known = fig_poly_number(b->algebra, 0, 1);
    int unknown = -1;
    g_autoptr(GString) words = g_string_new(NULL);
    for (int i = 0; i < axis->n_factors; i++) {
        Bound *bound = find(b, axis->factor[i]);
        g_string_append(words, axis->number[i] < 0 ? " - " : i ? " + " : "");
        g_string_append(words, axis->factor[i]);
        if (bound)
            known = axis->number[i] < 0 ? fig_poly_sub(b->algebra, known, bound->size)
                                        : fig_poly_add(b->algebra, known, bound->size);
        else
            unknown = i;
    }
    if (!known)
        return fail(b, "%s is too large", words->str);
    if (unknown < 0) {
        if (!fig_poly_equal(known, size))
            return fail(b, "%s is %s, but %s in %s", words->str, text(b, known),
                        text(b, size), port);
        b->progress++;
        return true;
    }
    FigRational value;
    const FigPoly *term = axis->number[unknown] < 0
                              ? fig_poly_sub(b->algebra, known, size)
                              : fig_poly_sub(b->algebra, size, known);
    if (!term || (fig_poly_is_number(term, &value) && value.num < 1))
        return fail(b, "%s is %s in %s, which leaves nothing for %s", words->str,
                    text(b, size), port, axis->factor[unknown]);
    return bind_name(b, axis->factor[unknown], term, port);
}

/* Bind one operand; products and sums only in the second pass. */
static bool
bind_port(Binder *b, const FigPort *port, const FigShape *shape, bool products,
          unsigned *mixed)
{
    int length[2], at = 0;
    if (!fit_rank(b, port, shape, length))
        return false;
    for (int i = 0; i < port->n_axes; i++) {
        const FigAxis *axis = &port->axis[i];
        int n = axis->kind == FIG_AXIS_ELLIPSIS ? length[axis->ellipsis] : 1;
        bool ok = true;
        if (products) {
            if (axis->kind == FIG_AXIS_PRODUCT)
                ok = bind_product(b, axis, shape->axis[at], port->name);
            else if (axis->kind == FIG_AXIS_TERMS)
                ok = bind_terms(b, axis, shape->axis[at], port->name);
        } else if (axis->kind == FIG_AXIS_ELLIPSIS) {
            ok = bind_run(b, &b->runs[axis->ellipsis], shape, at, n, port->name);
        } else if (axis->kind == FIG_AXIS_NAME) {
            ok = bind_name(b, axis->name, shape->axis[at], port->name);
        } else if (axis->kind == FIG_AXIS_SUM) {
            ok = bind_sum(b, axis->name, shape->axis[at], port->name);
        }
        if (!ok)
            return false;
        for (int j = 0; axis->mixed && j < n; j++)
            *mixed |= 1u << (at + j);
        at += n;
    }
    return true;
}

/* ---- results ---- */

static const FigPoly *
result_axis(Binder *b, const FigAxis *axis, int item)
{
    if (axis->kind == FIG_AXIS_NAME)
        return find(b, axis->name)->size;
    const FigPoly *size;
    if (axis->kind == FIG_AXIS_ITEM)
        return attr_item(b, attr_list(b, axis->name), item);
    if (axis->kind == FIG_AXIS_SUM) {
        const FigAttrValue *list = attr_list(b, axis->name);
        size = fig_poly_number(b->algebra, 0, 1);
        for (int i = 0; i < list->n_dims; i++)
            size = fig_poly_add(b->algebra, size, attr_item(b, list, i));
        return size;
    }
    if (axis->kind == FIG_AXIS_TERMS) {
        size = fig_poly_number(b->algebra, 0, 1);
        for (int i = 0; i < axis->n_factors; i++) {
            const FigPoly *term = find(b, axis->factor[i])->size;
            size = axis->number[i] < 0 ? fig_poly_sub(b->algebra, size, term)
                                       : fig_poly_add(b->algebra, size, term);
        }
        return size;
    }
    size = fig_poly_number(b->algebra, 1, 1);
    for (int i = 0; i < axis->n_factors; i++)
        size = fig_poly_mul(b->algebra, size,
                            axis->factor[i]
                                ? find(b, axis->factor[i])->size
                                : fig_poly_number(b->algebra, axis->number[i], 1));
    return size;
}

static bool
same_axis(const FigAxis *a, const FigAxis *b)
{
    if (a->kind != b->kind || a->ellipsis != b->ellipsis ||
        a->n_factors != b->n_factors || g_strcmp0(a->name, b->name) != 0)
        return false;
    for (int i = 0; i < a->n_factors; i++)
        if (a->number[i] != b->number[i] || g_strcmp0(a->factor[i], b->factor[i]) != 0)
            return false;
    return true;
}

/* Has the result the very axes of the first operand, so that their names travel? */
static bool
keeps_shape(const FigPort *in, const FigPort *out)
{
    if (in->n_axes != out->n_axes)
        return false;
    for (int i = 0; i < in->n_axes; i++)
        if (!same_axis(&in->axis[i], &out->axis[i]))
            return false;
    return true;
}

static bool
make_result(Binder *b, const FigPort *first, const FigPort *port, int item,
            FigShape *out, unsigned *mixed)
{
    memset(out, 0, sizeof(*out));
    *mixed = 0;
    for (int i = 0; i < port->n_axes; i++) {
        const FigAxis *axis = &port->axis[i];
        const Run *run =
            axis->kind == FIG_AXIS_ELLIPSIS ? &b->runs[axis->ellipsis] : NULL;
        for (int j = 0; j < (run ? run->length : 1); j++) {
            if (out->rank == FIG_LIMIT_RANK)
                return fail(b, "%s would have more than %d axes", port->name,
                            FIG_LIMIT_RANK);
            const FigPoly *size = run ? run->size[j] : result_axis(b, axis, item);
            if (!size)
                return fail(b, "an axis of %s is too large", port->name);
            if (axis->mixed)
                *mixed |= 1u << out->rank;
            out->axis[out->rank++] = size;
        }
    }
    if (keeps_shape(first, port))
        memcpy(out->name, b->binding->in[0].name, sizeof(out->name));
    return true;
}

/* The sizes that `where` orders, where they can be compared. */
static bool
in_order(Binder *b, const FigAlternative *alternative)
{
    for (int i = 0; i + 1 < alternative->n_order; i++) {
        const char *small = alternative->order[i], *large = alternative->order[i + 1];
        const FigPoly *low = find(b, small)->size, *high = find(b, large)->size;
        const FigPoly *apart = fig_poly_sub(b->algebra, high, low);
        FigRational value;
        bool below = alternative->below[i];
        if (apart && fig_poly_is_number(apart, &value) && value.num < below)
            return fail(b, "%s is %s, not %s %s, which is %s", small, text(b, low),
                        below ? "below" : "at most", large, text(b, high));
    }
    return true;
}

static bool
bind_alternative(Binder *b, const FigAlternative *alternative)
{
    FigBinding *binding = b->binding;
    if (alternative->n_in != binding->n_in)
        return fail(b, "%d operand%s given, %d wanted", binding->n_in,
                    binding->n_in == 1 ? " is" : "s are", alternative->n_in);
    memset(binding->in_mixed, 0, sizeof(binding->in_mixed));
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < alternative->n_in; i++)
            if (!bind_port(b, &alternative->in[i], &binding->in[i], pass == 1,
                           &binding->in_mixed[i]))
                return false;
    if (!in_order(b, alternative))
        return false;
    for (int i = 0; i < alternative->n_in; i++) {
        const FigPort *port = &alternative->in[i];
        binding->in_below[i] = !port->whole ? NULL
                               : port->below
                                   ? find(b, port->below)->size
                                   : fig_poly_number(b->algebra, port->below_number, 1);
    }
    const FigPort *out = alternative->out;
    binding->n_out = alternative->n_out;
    if (out[0].list) {
        /* as many results as the list of sizes that they take one each from */
        for (int i = 0; i < out[0].n_axes; i++)
            if (out[0].axis[i].kind == FIG_AXIS_ITEM)
                binding->n_out = attr_list(b, out[0].axis[i].name)->n_dims;
        if (binding->n_out > FIG_LIMIT_PORTS)
            return fail(b, "%d results are more than %d", binding->n_out,
                        FIG_LIMIT_PORTS);
    }
    for (int i = 0; i < binding->n_out; i++)
        if (!make_result(b, &alternative->in[0], &out[out[0].list ? 0 : i], i,
                         &binding->out[i], &binding->out_mixed[i]))
            return false;
    binding->alternative = alternative->text;
    return true;
}

bool
fig_signature_bind(const FigOp *op, FigAlgebra *algebra, FigBinding *binding,
                   char **why)
{
    const FigSignature *signature = fig_signature_get(op);
    g_autofree char *best = NULL;
    int furthest = -1;
    for (int i = 0; i < signature->n_alternatives; i++) {
        const FigAlternative *alternative = &signature->alternatives[i];
        if (!fig_signature_applies(op, signature, alternative, binding->attr))
            continue;
        Binder b = {.op = op, .algebra = algebra, .binding = binding};
        bool ok = bind_alternative(&b, alternative);
        fig_algebra_error(algebra); /* what overflowed is said in why */
        if (ok) {
            g_free(b.why);
            return true;
        }
        if (b.progress > furthest) {
            furthest = b.progress;
            g_free(best);
            best = b.why;
        } else {
            g_free(b.why);
        }
    }
    *why = g_steal_pointer(&best);
    return false;
}
