/* SPDX-License-Identifier: MIT
 *
 * Functions that run again: with an edit, with a value disturbed, or another spec.
 *
 * depends(V, W) disturbs W and looks at V. With `where` it asks of positions: `z.T >
 * z2.T` in depends(z2, z, where = …) speaks of an entry of z2 and one of z by their
 * indices along axis T; W is then disturbed position by position, one run each, and of V
 * only the entries that stand in that relation are looked at.
 */
#include "check/claims-parts.h"

#include "exec/run.h"
#include "spec/scope.h"

#include <math.h>
#include <string.h>

enum {
    RUNS =
        1024,  /* of one depends(): positions along an axis, not entries of a tensor */
    MANY = 32, /* entries of which half are enough to see a change */
};

/* ---- with ---- */

static bool
eval_with(FigClaimEval *e, const FigClaimCall *call, FigClaimValue *out)
{
    const FigExpr *text = call->arg[0];
    FigClaimEdit edit = {.text = text->name, .outer = e->edits};
    if (!e->running) {
        e->wants_run = true;
        return false;
    }
    const FigSizes *sizes = fig_claim_sizes(e, text);
    size_t length = strlen(text->name);
    if (!sizes ||
        !fig_edit_parse(e->claims->graph, sizes, text->name,
                        fig_span_inside(text->span, 1, length), e->diag, &edit.edit))
        return false;
    e->edits = &edit;
    bool ok = fig_claim_eval(e, call->arg[1], out) &&
              fig_claim_to_numbers(e, call->arg[1], out);
    e->edits = edit.outer;
    return ok;
}

/* ---- run ---- */

static bool
eval_run(FigClaimEval *e, const FigClaimCall *call, FigClaimValue *out)
{
    if (e->edits) {
        FigMessage *message = fig_diag_error(
            e->diag, call->expr->span, "an edit does not reach into another spec");
        fig_message_hint(message, "run('%s', with(…, …))", call->arg[0]->name);
        return false;
    }
    FigClaims *own = e->claims;
    FigClaims *other = fig_claim_other(e, call->arg[0], call->value[0].word);
    if (!other)
        return false;
    e->claims = other;
    bool ok = fig_claim_eval(e, call->arg[1], out) &&
              fig_claim_to_numbers(e, call->arg[1], out);
    e->claims = own;
    if (ok && out->kind == FIG_CLAIM_SET)
        return fig_claim_wrong_kind(e, call->arg[1], out, "a number");
    return ok;
}

/* ---- depends ---- */

/* Positions of one of the two values, along the axes that `where` names. */
typedef struct Side {
    const char *name; /* as the claim has it */
    const FigPart *part;
    const char *const *axes;
    int64_t index[FIG_LIMIT_RANK]; /* the position looked at */
    bool named[FIG_LIMIT_RANK];
} Side;

typedef struct Where {
    FigClaimEval *e;
    const FigExpr *expr; /* NULL: everywhere */
    Side value, on;
    FigScope scope;
    const char *const *names;
} Where;

/* "z.T": the axis of that side; -1: none. */
static int
side_axis(const Side *side, const char *name)
{
    size_t length = strlen(side->name);
    if (strncmp(name, side->name, length) != 0 || name[length] != '.')
        return -1;
    for (int axis = 0; axis < side->part->rank; axis++)
        if (strcmp(side->axes[axis], name + length + 1) == 0)
            return axis;
    return -1;
}

/* A FigNameToReal: of the axes of either side. */
static bool
position(const char *name, void *data, double *value)
{
    const Where *w = data;
    const Side *sides[] = {&w->value, &w->on};
    for (int i = 0; i < 2; i++) {
        int axis = side_axis(sides[i], name);
        if (axis < 0)
            continue;
        *value = (double)sides[i]->index[axis];
        return true;
    }
    return false;
}

static void
find_named(Where *w, const FigExpr *expr)
{
    Side *sides[] = {&w->value, &w->on};
    for (int i = 0; i < 2 && expr->kind == FIG_EXPR_NAME; i++) {
        int axis = side_axis(sides[i], expr->name);
        if (axis >= 0)
            sides[i]->named[axis] = true;
    }
    for (int i = 0; i < expr->n_args; i++)
        if (expr->args[i])
            find_named(w, expr->args[i]);
}

static bool
holds(Where *w, bool *true_here)
{
    *true_here = true;
    return !w->expr ||
           fig_condition_holds(w->expr, &w->scope, w->names, w->e->diag, true_here);
}

static void
first_position(Side *side)
{
    memcpy(side->index, side->part->from, sizeof side->index);
}

/* The next position along the axes that are named (or all); false after the last. */
static bool
next_position(Side *side, bool all)
{
    for (int axis = side->part->rank - 1; axis >= 0; axis--) {
        if (!side->named[axis] && !all)
            continue;
        if (++side->index[axis] < side->part->to[axis])
            return true;
        side->index[axis] = side->part->from[axis];
    }
    return false;
}

/* The same for the position of the value, which changes slowly along the named axes. */
static bool
holds_here(Where *w, Side *last, bool *true_here)
{
    bool same = last->part;
    for (int axis = 0; same && axis < w->value.part->rank; axis++)
        same = !w->value.named[axis] || w->value.index[axis] == last->index[axis];
    if (!same) {
        *last = w->value;
        return holds(w, true_here);
    }
    return true;
}

/* Does the position of `on` stand in the relation to any position of the value? */
static bool
any_position(Where *w, bool *any)
{
    *any = false;
    first_position(&w->value);
    do {
        if (!holds(w, any))
            return false;
    } while (!*any && next_position(&w->value, false));
    return true;
}

/* The largest change among the entries of the value that stand in the relation. */
static bool
largest_change(Where *w, const FigView *before, const FigView *after, double *most)
{
    Side last = {0};
    bool here = false;
    first_position(&w->value);
    do {
        int64_t at = 0;
        for (int axis = 0; axis < before->rank; axis++)
            at = at * before->size[axis] + w->value.index[axis];
        double a = fig_view_number(before, at), b = fig_view_number(after, at);
        if (a == b || (isnan(a) && isnan(b)))
            continue;
        if (!holds_here(w, &last, &here))
            return false;
        if (!here)
            continue;
        double change = fabs(a - b);
        *most = fmax(*most, isnan(change) ? INFINITY : change);
    } while (next_position(&w->value, true));
    return true;
}

/* Disturb `on` at its position and see what that changes. What is only moved may be
 * clipped to the same again, so it is also replaced: among many entries every other one, of
 * few all in a run of its own. */
static bool
disturb(Where *w, const FigView *before, const FigClaimValue *value,
        const FigClaimValue *on, double *most)
{
    static const FigEditSign one[] = {FIG_EDIT_SHIFT, FIG_EDIT_REPLACE};
    static const FigEditSign many[] = {FIG_EDIT_DISTURB};
    const char *id = w->e->claims->graph->values[value->value].id;
    FigEdit edit = {.part = *on->part};
    for (int axis = 0; axis < edit.part.rank; axis++) {
        if (!w->on.named[axis])
            continue;
        edit.part.from[axis] = w->on.index[axis];
        edit.part.to[axis] = w->on.index[axis] + 1;
    }
    int64_t entries = 1;
    for (int axis = 0; axis < edit.part.rank; axis++)
        entries *= edit.part.to[axis] - edit.part.from[axis];
    size_t n = entries < MANY ? G_N_ELEMENTS(one) : G_N_ELEMENTS(many);
    for (size_t i = 0; i < n && !(*most > 0); i++) {
        edit.sign = entries < MANY ? one[i] : many[i];
        edit.seed = i + 1;
        g_autoptr(FigRun) run = fig_claim_run_edited(w->e, &edit, id);
        if (!run ||
            !largest_change(w, before, fig_claim_view(w->e, run, value->value), most))
            return false;
    }
    return true;
}

/* Everything that a name in `where` may mean. */
static const char *const *
where_names(const Where *w, FigArena *arena)
{
    const FigGraph *graph = w->e->claims->graph;
    const Side *sides[] = {&w->value, &w->on};
    int most = graph->n_dims + graph->n_constants + 2 * FIG_LIMIT_RANK + 1, n = 0;
    const char **names = fig_arena_new_array(arena, const char *, most);
    for (int i = 0; i < 2; i++)
        for (int axis = 0; axis < sides[i]->part->rank; axis++)
            names[n++] =
                fig_arena_printf(arena, "%s.%s", sides[i]->name, sides[i]->axes[axis]);
    for (int i = 0; i < graph->n_dims; i++)
        names[n++] = graph->dims[i].id;
    for (int i = 0; i < graph->n_constants; i++)
        names[n++] = graph->constants[i].id;
    return names;
}

static Side
side_of(FigClaimEval *e, const FigExpr *arg, const FigClaimValue *place)
{
    const FigExpr *name = arg->kind == FIG_EXPR_INDEX ? arg->args[0] : arg;
    return (Side){.name = name->name,
                  .part = place->part,
                  .axes = fig_claim_axis_names(e->claims, place->value)};
}

/* How many runs the positions of `on` are. */
static bool
few_runs(FigClaimEval *e, const FigExpr *where, const Side *on)
{
    int64_t runs = 1;
    for (int axis = 0; axis < on->part->rank; axis++)
        if (on->named[axis] &&
            (__builtin_mul_overflow(runs, on->part->to[axis] - on->part->from[axis],
                                    &runs) ||
             runs > RUNS)) {
            fig_diag_error(e->diag, where->span,
                           "this asks for more than %d runs, one for each position of "
                           "‘%s’",
                           RUNS, on->name);
            return false;
        }
    return true;
}

static bool
eval_depends(FigClaimEval *e, const FigClaimCall *call, FigClaimValue *out)
{
    const FigGraph *graph = e->claims->graph;
    const FigClaimValue *value = &call->value[0], *on = &call->value[1];
    const FigSizes *sizes = fig_claim_sizes(e, call->expr);
    Where w = {.e = e,
               .expr = call->arg[2],
               .value = side_of(e, call->arg[0], value),
               .on = side_of(e, call->arg[1], on),
               .scope = {graph->n_dims, graph->dims, sizes->dim, graph->n_constants,
                         graph->constants, position, &w}};
    w.names = where_names(&w, e->arena);
    if (w.expr && strcmp(w.value.name, w.on.name) == 0) {
        fig_diag_error(e->diag, w.expr->span, "‘%s’ is on both sides of this relation",
                       w.on.name);
        return false;
    }
    if (w.expr)
        find_named(&w, w.expr);
    FigRun *run = fig_claim_whole_run(e, call->expr);
    if (!run || (w.expr && !few_runs(e, w.expr, &w.on)))
        return false;
    const FigView *before = fig_claim_view(e, run, value->value);
    double most = 0;
    first_position(&w.on);
    do {
        bool any;
        if (!any_position(&w, &any) || (any && !disturb(&w, before, value, on, &most)))
            return false;
    } while (next_position(&w.on, false));
    fig_claim_note(e, 0, most);
    *out = fig_claim_bool(most > 0);
    out->executed = true;
    return true;
}

/* clang-format off */
const FigClaimFunction fig_claim_again_functions[] = {
    {"depends",
     {{"value", FIG_PARAM_PLACE, false}, {"on", FIG_PARAM_PLACE, false},
      {"where", FIG_PARAM_EXPR, true}},
     eval_depends,
     "Does any entry of `value` change when entries of `on` do, all else being as it "
     "was? Both may be parts: `z2[:, 0]`. `where` relates positions: in it `z.T` is the "
     "index of an entry of z along axis T; only pairs of entries for which it is true "
     "are asked of.",
     "not depends(z2, z, where = z.T > z2.T) and depends(z2[:, 1], z[:, 0])", FIG_BY_RUN},
    {"with",
     {{"edit", FIG_PARAM_TEXT, false}, {"expr", FIG_PARAM_EXPR, false}},
     eval_with,
     "The expression in a run with an edit: `V = x`, `V += x` or `V *= x`, where V is an "
     "input, a weight or any other value, or a part of it, and x a number made of dims "
     "and constants. What follows V sees it. Edits nest, the outer one is made first.",
     "close(with('z *= 2', attn_norm), attn_norm, 1e-3)", FIG_BY_RUN},
    {"conforms",
     {{"spec", FIG_PARAM_TEXT, false}, {"group", FIG_PARAM_SET, true}},
     fig_claim_conforms,
     "Do the layers of a repeated group (without one: the whole) compute what a shipped "
     "spec computes? Both are run on the same random inputs and weights, gains of norms "
     "among them, at the sizes of the run and at some where no two dims are equal; each "
     "layer is held to the spec in its own kind. Values are matched by their ids, weights "
     "by their names. In a network: `conforms('olmo2-block', layers)`.",
     "conforms('olmo2-block')", FIG_BY_RUN},
    {"run",
     {{"spec", FIG_PARAM_TEXT, false}, {"expr", FIG_PARAM_EXPR, false}},
     eval_run,
     "The expression in another shipped spec, with all its names meaning those of that "
     "spec. Dims that both have are as here, inputs and weights that both have are the "
     "same numbers.",
     "close(run('olmo2-block', z2), z2, 0)", FIG_BY_RUN},
    {0},
};
/* clang-format on */
