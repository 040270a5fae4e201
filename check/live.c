/* SPDX-License-Identifier: MIT
 *
 * Each op is run once more by itself, on copies of what the run says it read, while all
 * that the run left in memory is overwritten: what it writes must be the very same, so it
 * read nothing else. Then one operand after the other is disturbed, and what it
 * writes must be something else. Shapes are found once more at sizes that are all
 * different, and products of the fast kernels are held against the plain loops.
 */
#include "check/live.h"

#include "exec/fill.h"
#include "exec/shapes.h"
#include "ops/blas.h"

#include <math.h>
#include <string.h>

typedef struct Prover {
    const FigGraph *graph;
    const FigSizes *sizes;
    uint64_t seed;
    FigArena *arena;
    FigLive *live;
    GArray *findings; /* FigFinding */
} Prover;

static void G_GNUC_PRINTF(4, 5)
    find(Prover *p, const char *kind, const char *says, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *did = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    FigFinding finding = {
        .kind = kind, .says = says, .did = fig_arena_strdup(p->arena, did)};
    g_array_append_val(p->findings, finding);
}

/* ---- copies ---- */

static FigView
new_view(FigArena *arena, const FigView *like)
{
    FigView view = fig_view_dense(NULL, like->type, like->rank, like->size);
    size_t bytes = (size_t)fig_view_count(&view) * fig_type_size(view.type);
    view.data = fig_arena_new_array(arena, char, MAX(bytes, 8));
    return view;
}

static void
put(const FigView *view, int64_t i, double number)
{
    switch (view->type) {
    case FIG_F32:
        ((float *)view->data)[i] = (float)number;
        break;
    case FIG_F64:
        ((double *)view->data)[i] = number;
        break;
    case FIG_U8:
        ((uint8_t *)view->data)[i] = (uint8_t)number;
        break;
    case FIG_I64:
        ((int64_t *)view->data)[i] = (int64_t)number;
        break;
    }
}

static FigView
copy_view(FigArena *arena, const FigView *view)
{
    FigView copy = new_view(arena, view);
    fig_view_copy(view, &copy);
    return copy;
}

/* Overwrite a buffer of the run, where it lies. */
static void
poison(const FigView *view)
{
    if (view->type != FIG_F64)
        return; /* ids and masks are indices: what reads them may not be misled */
    FigEdit edit = {.part.rank = view->rank, .sign = FIG_EDIT_SET, .amount = NAN};
    memcpy(edit.part.to, view->size, sizeof edit.part.to);
    fig_edit_apply(&edit, view);
}

/* Whole numbers mirrored in their range. */
static void
mirror(const FigView *view, const FigView *other)
{
    double least = INFINITY, most = -INFINITY;
    int64_t count = fig_view_count(view);
    for (int64_t i = 0; i < count; i++) {
        least = fmin(least, fig_view_number(view, i));
        most = fmax(most, fig_view_number(view, i));
    }
    for (int64_t i = 0; i < count; i++) {
        double x = fig_view_number(view, i);
        put(other, i,
            view->type == FIG_U8 ? 1 - x
            : least == most      ? 0
                                 : least + most - x);
    }
}

/* Other numbers of the same kind: real ones moved by a quarter to all of their own size. */
static FigView
disturbed(FigArena *arena, const FigView *view, uint64_t seed)
{
    FigView other = new_view(arena, view);
    if (view->type == FIG_U8 || view->type == FIG_I64) {
        mirror(view, &other);
        return other;
    }
    FigView same = copy_view(arena, view);
    const double *x = same.data;
    double *y = other.data, squares = 0;
    int64_t count = fig_view_count(view);
    for (int64_t i = 0; i < count; i++)
        squares += isfinite(x[i]) ? x[i] * x[i] : 0;
    double size = sqrt(squares / (double)MAX(count, 1));
    size = size > 0 ? size : 1;
    fig_fill_random(&other, seed, "disturbed", 1 / sqrt(3)); /* in (-1, 1) */
    for (int64_t i = 0; i < count; i++)
        y[i] = x[i] + size * (0.625 + 0.375 * y[i]);
    return other;
}

static bool
same_numbers(const FigView *a, const FigView *b)
{
    size_t bytes = (size_t)fig_view_count(a) * fig_type_size(a->type);
    if (fig_view_is_dense(a) && fig_view_is_dense(b) && a->type == b->type &&
        memcmp(a->data, b->data, bytes) == 0)
        return true;
    for (int64_t i = 0; i < fig_view_count(a); i++) {
        double x = fig_view_number(a, i), y = fig_view_number(b, i);
        if (x != y && !(isnan(x) && isnan(y)))
            return false;
    }
    return true;
}

/* ---- one op by itself ---- */

/* Copies of what an op was handed and gave, in a repeat in the last pass. */
typedef struct Call {
    const FigOp *op; /* of the kind of layer that it was */
    const FigAttrValue *attr;
    int n_in;
    FigView in[FIG_LIMIT_PORTS], out[FIG_LIMIT_PORTS];
} Call;

typedef struct Calls {
    const Prover *p;
    FigArena *arena;
    Call (*of)[2]; /* [n_nodes]; [1]: of an op that carries a value on, after the first;
                    else in layers of another kind */
} Calls;

static void
keep_call(int n, const FigCall *call, void *data)
{
    Calls *calls = data;
    const Call *first = &calls->of[n][0];
    bool other = first->op != call->op || first->attr != call->attr;
    int later = first->n_in > 0 && (call->op->carries || other);
    Call *kept = &calls->of[n][later];
    kept->op = call->op;
    kept->attr = call->attr;
    kept->n_in = call->n_in;
    for (int i = 0; i < call->n_in; i++)
        kept->in[i] = copy_view(calls->arena, &call->in[i]);
    for (int i = 0; i < call->n_out; i++)
        kept->out[i] = copy_view(calls->arena, &call->out[i]);
}

/* Does an op write the same again, with operand `other` (-1: none) exchanged? */
static bool
writes_same(const Prover *p, int n, const Call *kept, int other, const FigView *instead)
{
    const FigNode *node = &p->graph->nodes[n];
    g_autoptr(FigArena) arena = fig_arena_new();
    FigView in[FIG_LIMIT_PORTS], out[FIG_LIMIT_PORTS];
    for (int i = 0; i < kept->n_in; i++)
        in[i] = i == other ? *instead : kept->in[i];
    for (int i = 0; i < node->n_writes; i++) {
        out[i] = new_view(arena, &kept->out[i]);
        poison(&out[i]);
    }
    const FigCall call = {.op = kept->op,
                          .type = FIG_F64,
                          .n_in = kept->n_in,
                          .n_out = node->n_writes,
                          .in = in,
                          .out = out,
                          .attr = kept->attr};
    FigKernel plain = kept->op->naive[FIG_F64];
    (plain ? plain : kept->op->eval[FIG_F64])(&call);
    for (int i = 0; i < node->n_writes; i++)
        if (!same_numbers(&out[i], &kept->out[i]))
            return false;
    return true;
}

/* Disturb operand i of a step, which was operand `at` of the call. */
static void
prove_operand(Prover *p, const FigStep *step, int i, const Call *kept, int at)
{
    const char *op = p->graph->nodes[step->node].id;
    g_autoptr(FigArena) scratch = fig_arena_new();
    FigView other =
        disturbed(scratch, &kept->in[at], (uint64_t)(step->node * FIG_LIMIT_PORTS + i));
    bool same = writes_same(p, step->node, kept, at, &other);
    bool known = step->reads[i] >= 0;
    const char *value = known ? p->graph->values[step->reads[i]].id : "nothing";
    p->live->operands++;
    p->live->live += known && !same;
    if (same || !known)
        find(p, "edge", fig_arena_printf(p->arena, "%s reads %s", op, value),
             known ? "nothing that %s writes changes with it"
                   : "%s reads what is no value of the graph",
             op);
}

static void
prove_op(Prover *p, const FigStep *step, const Call *calls)
{
    const FigNode *node = &p->graph->nodes[step->node];
    bool carries = node->op->carries, same = true;
    for (int c = 0; c < 2 && calls[c].n_in; c++)
        same = same && writes_same(p, step->node, &calls[c], -1, NULL);
    p->live->ops++;
    p->live->alone += same;
    if (!same)
        find(p, "edge",
             fig_arena_printf(p->arena, "%s reads what its edges say", node->id),
             "it gives something else when the rest of the memory changes");
    for (int i = 0; i < step->n_reads; i++)
        prove_operand(p, step, i, &calls[carries ? i : 0], carries ? 0 : i);
}

static bool
prove_edges(Prover *p, FigDiag *diag)
{
    const FigGraph *graph = p->graph;
    g_autoptr(FigArena) scratch = fig_arena_new();
    Calls calls = {p, scratch,
                   fig_arena_alloc(scratch, sizeof(Call[2]) * (size_t)graph->n_nodes)};
    const FigRunHook hook = {.after = keep_call, .data = &calls};
    const FigRunOptions options = {.numeric = true,
                                   .type = FIG_F64,
                                   .naive = true,
                                   .keep_all = true,
                                   .sizes = p->sizes,
                                   .seed = p->seed,
                                   .hook = &hook};
    g_autoptr(FigRun) run = fig_run_new(graph, &options, diag);
    if (!run)
        return false;
    for (int v = 0; v < graph->n_values; v++)
        poison(fig_run_value(run, graph->values[v].id));
    for (int s = 0; s < fig_run_steps(run); s++)
        prove_op(p, fig_run_step(run, s), calls.of[fig_run_step(run, s)->node]);
    return true;
}

/* ---- shapes ---- */

static void
prove_shapes(Prover *p)
{
    for (int which = 0; which < FIG_LIVE_SHAPES; which++) {
        const FigSizes *sizes = fig_run_distinct(p->graph, which, p->arena);
        if (!sizes)
            return;
        g_autoptr(GString) at = g_string_new(NULL);
        for (int d = 0; d < p->graph->n_dims; d++)
            g_string_append_printf(at, "%s%s %" G_GINT64_FORMAT, d ? " " : "",
                                   p->graph->dims[d].id, sizes->dim[d]);
        int node;
        g_autofree char *why = NULL;
        p->live->shapes_at[p->live->n_shapes++] = fig_arena_strdup(p->arena, at->str);
        p->live->n_values += p->graph->n_values;
        if (fig_shapes_run(p->graph, sizes, &node, &why))
            p->live->shapes += p->graph->n_values;
        else
            find(p, "shape",
                 fig_arena_printf(p->arena, "%s at %s", p->graph->nodes[node].id,
                                  at->str),
                 "%s", why);
    }
}

/* ---- products ---- */

typedef struct Products {
    Prover *p;
    GHashTable *seen; /* op, type, shapes and attributes */
} Products;

/* How many terms the longest sum of an op has. */
static double
terms(const Prover *p, int n)
{
    const FigNode *node = &p->graph->nodes[n];
    double most = 1;
    for (int i = 0; i < node->n_reads; i++) {
        double product = 1;
        for (int axis = 0; axis < FIG_LIMIT_RANK; axis++)
            if (node->in_mixed[i] & (1u << axis))
                product *= (double)p->sizes->value[node->reads[i].value][axis];
        most = fmax(most, product);
    }
    return most;
}

/* The plain loops on the same operands; with magnitudes: on the sizes of all numbers. */
static void
call_plain(const FigCall *call, FigArena *arena, bool magnitudes, FigView *out)
{
    FigView in[FIG_LIMIT_PORTS];
    for (int i = 0; i < call->n_in; i++) {
        in[i] = copy_view(arena, &call->in[i]);
        for (int64_t k = 0; magnitudes && k < fig_view_count(&in[i]); k++)
            put(&in[i], k, fabs(fig_view_number(&in[i], k)));
    }
    for (int i = 0; i < call->n_out; i++)
        out[i] = new_view(arena, &call->out[i]);
    FigCall plain = *call;
    plain.in = in;
    plain.out = out;
    call->op->naive[call->type](&plain);
}

static void
compare(Products *products, int n, const FigCall *call)
{
    Prover *p = products->p;
    g_autoptr(FigArena) arena = fig_arena_new();
    FigView plain[FIG_LIMIT_PORTS], size[FIG_LIMIT_PORTS];
    call_plain(call, arena, false, plain);
    call_plain(call, arena, true, size);
    /* sums in another order differ by this much of the sum of sizes, and a rounding */
    double unit = call->type == FIG_F32 ? 0x1p-24 : 0x1p-53;
    double bound = 2 * (terms(p, n) + 1) * unit, worst = 0;
    for (int i = 0; i < call->n_out; i++)
        for (int64_t k = 0; k < fig_view_count(&plain[i]); k++) {
            double fast = fig_view_number(&call->out[i], k),
                   slow = fig_view_number(&plain[i], k);
            /* what is no number is not wrong here: a row that a mask left empty */
            if (fast == slow || (isnan(fast) && isnan(slow)))
                continue;
            double off = fabs(fast - slow);
            double allowed = bound * fabs(fig_view_number(&size[i], k));
            if (!(off <= allowed))
                worst = fmax(worst, isnan(off) ? INFINITY : off);
        }
    p->live->products++;
    p->live->same += !(worst > 0);
    if (worst > 0)
        find(p, "product",
             fig_arena_printf(p->arena, "%s in %s by the fast product",
                              p->graph->nodes[n].id, fig_type_name(call->type)),
             "the plain loops give another, off by %g", worst);
}

static void
after(int n, const FigCall *call, void *data)
{
    Products *products = data;
    const FigNode *node = &products->p->graph->nodes[n];
    if (!node->op->naive[call->type])
        return;
    g_autoptr(GString) key = g_string_new(node->op->name);
    for (int i = 0; i < call->n_in; i++) {
        g_autofree char *size = fig_shapes_text(call->in[i].rank, call->in[i].size);
        g_string_append_printf(key, " %s", size);
    }
    for (int i = 0; i < fig_op_attr_count(node->op); i++)
        g_string_append_printf(key, " %s",
                               call->attr[i].text ? call->attr[i].text : "");
    g_string_append_printf(key, " %d", call->type);
    if (g_hash_table_add(products->seen, g_strdup(key->str)))
        compare(products, n, call);
}

static bool
prove_products(Prover *p, FigDiag *diag)
{
    g_autofree char *why = NULL;
    if (!fig_blas(&why)) {
        p->live->no_blas = fig_arena_strdup(p->arena, why);
        return true;
    }
    p->live->multiplied = true;
    g_autoptr(GHashTable) seen =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    Products products = {p, seen};
    const FigRunHook hook = {.after = after, .data = &products};
    for (int type = FIG_F32; type <= FIG_F64; type++) {
        const FigRunOptions options = {.numeric = true,
                                       .type = (FigType)type,
                                       .sizes = p->sizes,
                                       .seed = p->seed,
                                       .hook = &hook};
        g_autoptr(FigRun) run = fig_run_new(p->graph, &options, diag);
        if (!run)
            return false;
    }
    return true;
}

const FigLive *
fig_live_check(const FigGraph *graph, const FigSizes *probe, uint64_t seed,
               bool products, FigArena *arena, FigDiag *diag)
{
    FigLive *live = fig_arena_new0(arena, FigLive);
    g_autoptr(GArray) findings = g_array_new(FALSE, FALSE, sizeof(FigFinding));
    Prover p = {graph, probe, seed, arena, live, findings};
    prove_shapes(&p);
    if (!prove_edges(&p, diag) || (products && !prove_products(&p, diag)))
        return NULL;
    live->n_findings = (int)findings->len;
    live->findings =
        fig_arena_copy(arena, findings->data, findings->len * sizeof(FigFinding));
    return live;
}
