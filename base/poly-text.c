/* SPDX-License-Identifier: MIT
 *
 * A polynomial as text in the language of specs. A name (F for 4·C) is used where it is
 * the whole polynomial, unless that is a bare symbol; a named product (h_d for C/H, h_ff
 * for a ceil) also inside one, at the power 1 or -1 and as often as it helps, wherever it
 * removes a division or an atom. The text reads back as the same polynomial.
 */
#include "base/poly-parts.h"

/* How much of a term a reader would rather not see: divisions and atoms. */
static int64_t
clutter(const FigTerm *term)
{
    int64_t sum = term->coefficient.den != 1;
    for (int i = 0; i < term->n_factors; i++) {
        FigFactor factor = term->factors[i];
        if (factor.id >= FIG_POLY_ATOM)
            sum += ABS(factor.exponent);
        if (factor.exponent < 0)
            sum -= factor.exponent;
    }
    return sum;
}

/* One factor of the printed form. */
typedef struct Word {
    const char *text;
    int exponent;
} Word;

/* Take named products out of *term, most helpful first, and note them. */
static void
take_names(FigAlgebra *algebra, FigArena *scratch, FigTerm *term, GArray *words)
{
    for (;;) {
        int64_t least = clutter(term);
        FigTerm best = *term;
        const char *name = NULL;
        int exponent = 0;
        for (guint i = 0; least > 0 && i < algebra->names->len; i++) {
            const FigPolyName *entry = &g_array_index(algebra->names, FigPolyName, i);
            if (entry->poly->n_terms != 1 || clutter(&entry->poly->terms[0]) == 0)
                continue;
            for (int power = 1; power >= -1; power -= 2) {
                FigTerm factor = entry->poly->terms[0], rest;
                if (power == 1 && !fig_term_invert(scratch, &factor, &factor))
                    continue;
                if (!fig_term_mul(scratch, term, &factor, &rest))
                    continue;
                /* 1/h_d is a division too, though a readable one */
                int64_t left = clutter(&rest);
                if (left < least) {
                    least = left;
                    best = rest;
                    name = entry->name;
                    exponent = power;
                }
            }
        }
        if (!name)
            return;
        *term = best;
        Word *found = NULL;
        for (guint i = 0; i < words->len; i++)
            if (g_array_index(words, Word, i).text == name)
                found = &g_array_index(words, Word, i);
        if (found) {
            found->exponent += exponent;
        } else {
            Word word = {name, exponent};
            g_array_append_val(words, word);
        }
    }
}

static const char *
atom_text(FigAlgebra *algebra, int id)
{
    static const char *const functions[] = {"ceil", "floor", "min", "max"};
    FigAtom atom = *fig_algebra_atom(algebra, id);
    g_autoptr(GString) out = g_string_new(NULL);
    if (atom.kind == FIG_ATOM_INVERSE) {
        g_string_append_printf(out, "(%s)", fig_poly_text(algebra, atom.args[0]));
        return fig_arena_strdup(algebra->arena, out->str);
    }
    g_string_append_printf(out, "%s(", functions[atom.kind]);
    FigRational step;
    bool plain = (atom.kind == FIG_ATOM_CEIL || atom.kind == FIG_ATOM_FLOOR) &&
                 fig_poly_is_number(atom.args[1], &step) && step.num == 1 &&
                 step.den == 1;
    for (int i = 0; i < (plain ? 1 : atom.n_args); i++)
        g_string_append_printf(out, "%s%s", i ? ", " : "",
                               fig_poly_text(algebra, atom.args[i]));
    g_string_append_c(out, ')');
    return fig_arena_strdup(algebra->arena, out->str);
}

static void
append_factor(GString *out, const char *text, int exponent)
{
    if (out->len)
        g_string_append_c(out, '*');
    g_string_append(out, text);
    if (exponent != 1)
        g_string_append_printf(out, "^%d", exponent);
}

static void
append_term(FigAlgebra *algebra, FigArena *scratch, const FigTerm *original,
            GString *out)
{
    FigTerm term = *original;
    g_autoptr(GArray) words = g_array_new(FALSE, FALSE, sizeof(Word));
    g_autoptr(GArray) named = g_array_new(FALSE, FALSE, sizeof(Word));
    take_names(algebra, scratch, &term, named);
    for (int i = 0; i < term.n_factors; i++) {
        int id = term.factors[i].id;
        Word word = {NULL, term.factors[i].exponent};
        if (id < FIG_POLY_ATOM) {
            word.text = fig_algebra_symbol_name(algebra, id);
        } else {
            word.text = atom_text(algebra, id);
            if (fig_algebra_atom(algebra, id)->kind == FIG_ATOM_INVERSE)
                word.exponent = -word.exponent; /* printed as the sum below the bar */
        }
        g_array_append_val(words, word);
    }
    g_array_append_vals(words, named->data, named->len);

    g_autoptr(GString) above = g_string_new(NULL);
    g_autoptr(GString) below = g_string_new(NULL);
    int n_below = 0;
    int64_t num = ABS(term.coefficient.num), den = term.coefficient.den;
    if (den != 1) {
        g_string_append_printf(below, "%" G_GINT64_FORMAT, den);
        n_below++;
    }
    bool any_above = false;
    for (guint i = 0; i < words->len; i++)
        any_above = any_above || g_array_index(words, Word, i).exponent > 0;
    if (num != 1 || !any_above)
        g_string_append_printf(above, "%" G_GINT64_FORMAT, num);
    for (guint i = 0; i < words->len; i++) {
        Word word = g_array_index(words, Word, i);
        if (word.exponent > 0) {
            append_factor(above, word.text, word.exponent);
        } else if (word.exponent < 0) {
            append_factor(below, word.text, -word.exponent);
            n_below++;
        }
    }
    g_string_append(out, above->str);
    if (n_below)
        g_string_append_printf(out, n_below > 1 ? "/(%s)" : "/%s", below->str);
}

/* A sum with 1/b in it as one quotient by b: x/(x + y), whose normal form is
 * 1 - y/(x + y). */
static bool
append_quotient(FigAlgebra *algebra, const FigPoly *poly, GString *out)
{
    int power;
    const FigPoly *sum = fig_poly_denominator(algebra, poly, &power);
    if (!sum)
        return false;
    FigPolyError before = algebra->error;
    const FigPoly *above =
        fig_poly_mul(algebra, poly, fig_poly_power(algebra, sum, power));
    algebra->error = before;
    if (!above)
        return false;
    g_string_append_printf(out, above->n_terms > 1 ? "(%s)/(%s)" : "%s/(%s)",
                           fig_poly_text(algebra, above), fig_poly_text(algebra, sum));
    if (power > 1)
        g_string_append_printf(out, "^%d", power);
    return true;
}

/* A name that means exactly this: F for 4·C. A bare symbol is its own best name, also
 * where it has a second one (G: H). */
static const char *
own_name(const FigAlgebra *algebra, const FigPoly *poly)
{
    bool symbol = poly->n_terms == 1 && poly->terms[0].n_factors == 1 &&
                  poly->terms[0].coefficient.num == 1 &&
                  poly->terms[0].coefficient.den == 1 &&
                  poly->terms[0].factors[0].id < FIG_POLY_ATOM &&
                  poly->terms[0].factors[0].exponent == 1;
    for (guint i = 0; !symbol && i < algebra->names->len; i++)
        if (g_array_index(algebra->names, FigPolyName, i).poly == poly)
            return g_array_index(algebra->names, FigPolyName, i).name;
    return NULL;
}

const char *
fig_poly_text(FigAlgebra *algebra, const FigPoly *poly)
{
    if (poly->text && poly->text_names == (int)algebra->names->len)
        return poly->text;
    g_autoptr(GString) out = g_string_new(NULL);
    g_autoptr(FigArena) scratch = fig_arena_new();
    if (poly->n_terms == 0)
        g_string_append_c(out, '0');
    const char *name = own_name(algebra, poly);
    if (name)
        g_string_append(out, name);
    if (!out->len && !append_quotient(algebra, poly, out)) {
        for (int i = 0; i < poly->n_terms; i++) {
            bool negative = poly->terms[i].coefficient.num < 0;
            if (i)
                g_string_append(out, negative ? " - " : " + ");
            else if (negative)
                g_string_append_c(out, '-');
            append_term(algebra, scratch, &poly->terms[i], out);
        }
    }
    /* The text is remembered in the polynomial: a cache, not a change. */
    FigPoly *mutable = (FigPoly *)poly;
    mutable->text = fig_arena_strdup(algebra->arena, out->str);
    mutable->text_names = (int)algebra->names->len;
    return mutable->text;
}
