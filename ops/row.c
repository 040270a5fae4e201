/* SPDX-License-Identifier: MIT
 *
 * What rows of the op table are written with: counts for costs, pieces of TeX for labels.
 */
#include "ops/kernel.h"

#include <glib.h>
#include <string.h>

const FigPoly *
fig_cost_elements(FigAlgebra *algebra, const FigPoly *const *shape, int rank)
{
    const FigPoly *product = fig_poly_number(algebra, 1, 1);
    for (int axis = 0; axis < rank; axis++)
        product = fig_poly_mul(algebra, product, shape[axis]);
    return product;
}

const FigPoly *
fig_cost_each(const FigOpFacts *facts, int64_t each)
{
    return fig_poly_mul(
        facts->algebra, fig_poly_number(facts->algebra, each, 1),
        fig_cost_elements(facts->algebra, facts->out[0], facts->out_rank[0]));
}

const FigPoly *
fig_cost_none(const FigOpFacts *facts)
{
    return fig_poly_number(facts->algebra, 0, 1);
}

/* Does tex hold one of the characters outside braces and parentheses? */
static bool
has_outside(const char *tex, const char *characters)
{
    int depth = 0;
    for (const char *c = tex; *c; c++) {
        depth += (*c == '{' || *c == '(') - (*c == '}' || *c == ')');
        if (depth == 0 && strchr(characters, *c))
            return true;
    }
    return false;
}

const char *
fig_tex_factor(FigArena *arena, const char *tex, bool script)
{
    if (has_outside(tex, "+-*/ ") || (script && has_outside(tex, "'^")))
        return fig_arena_printf(arena, "(%s)", tex);
    return tex;
}

const char *
fig_tex_subscript(FigArena *arena, const char *tex)
{
    const char *script = strchr(tex, '_');
    if (!script || !script[1])
        return NULL;
    script++;
    if (*script != '{')
        return fig_arena_strndup(arena, script,
                                 (size_t)(g_utf8_next_char(script) - script));
    int depth = 0;
    const char *end = script;
    do {
        depth += (*end == '{') - (*end == '}');
        end++;
    } while (*end && depth > 0);
    return fig_arena_strndup(arena, script + 1, (size_t)(end - script - 2));
}

const char *
fig_label_axis(const FigOpFacts *facts, int axis, FigArena *arena)
{
    const FigPoly *size = facts->in[0][axis];
    const char *name = facts->axis_name;
    if (g_strcmp0(name, "key") == 0)
        return "keys";
    if (g_strcmp0(name, "query") == 0)
        return "queries";
    if (name && !g_str_equal(name, fig_poly_text(facts->algebra, size)))
        return fig_arena_printf(arena, "$\\mathrm{%s}$", name);
    return fig_arena_printf(arena, "$%s$",
                            facts->tex(facts->algebra, size, facts->data));
}
