/* SPDX-License-Identifier: MIT
 *
 * Is a shape that somebody wrote down the shape of a value, though written otherwise? Both are
 * read as polynomials in the free dims, each other dim being what the record says it `is`:
 * H·h_d is C where h_d is C/H.
 */
#include "check/shape-text.h"

#include "spec/expr.h"
#include "text/text.h"

#include <string.h>

typedef struct Reader {
    const FigRecord *record;
    FigArena *arena;
    FigAlgebra *algebra;
    FigDiag *silent;
    const FigPoly **dim; /* [n_dims] */
    int n_dims;          /* known so far: a dim is made of those before it */
    int64_t *size;       /* per symbol */
} Reader;

static const FigPoly *
dim_poly(const char *name, void *data)
{
    const Reader *r = data;
    for (int i = 0; i < r->n_dims; i++)
        if (strcmp(r->record->dims[i].id, name) == 0)
            return r->dim[i];
    return NULL;
}

static const FigPoly *
read_poly(Reader *r, const char *text)
{
    const FigExpr *expr = fig_expr_parse_text(text, (FigSpan){0}, r->arena, r->silent);
    return expr ? fig_expr_poly(expr, r->algebra, dim_poly, r, NULL, r->silent) : NULL;
}

static void
read_dims(Reader *r)
{
    const FigRecord *record = r->record;
    r->dim = fig_arena_new_array(r->arena, const FigPoly *, record->n_dims);
    r->size = fig_arena_new_array(r->arena, int64_t, record->n_dims);
    for (int i = 0; i < record->n_dims; i++) {
        const FigRecordDim *dim = &record->dims[i];
        r->dim[i] = dim->is ? read_poly(r, dim->is) : NULL;
        if (!r->dim[i]) {
            r->dim[i] = fig_poly_symbol(r->algebra, dim->id);
            r->size[fig_algebra_lookup(r->algebra, dim->id)] = dim->size;
        }
        r->n_dims++;
    }
}

/* ---- as people write it ---- */

/* The id of the dim that a word means: by its label as it is printed, or by the id itself. */
static const char *
id_of(const Reader *r, const char *word, bool labels)
{
    for (int i = 0; labels && i < r->record->n_dims; i++) {
        g_autofree char *math = g_strdup_printf("$%s$", r->record->dims[i].label);
        g_autofree char *plain = fig_text_plain(math);
        if (strcmp(plain, word) == 0)
            return r->record->dims[i].id;
    }
    return word;
}

static bool
is_sign(gunichar c)
{
    return c < 0x80 ? strchr("+-*/^(),", (int)c) != NULL
                    : g_utf8_strchr("·×⋅∙∗−÷", -1, c) != NULL;
}

static const char *
sign_of(gunichar c)
{
    return g_utf8_strchr("·×⋅∙∗", -1, c) ? "*"
           : c == 0x2212                 ? "-"
           : c == 0xf7                   ? "/"
                                         : NULL;
}

/* An axis as a spec would write it: "3C" and "H h_d" are products. owns: the caller */
static char *
spec_form(const Reader *r, const char *text, bool labels)
{
    GString *out = g_string_new(NULL);
    bool operand = false; /* one ends here */
    while (*text) {
        gunichar c = g_utf8_get_char(text);
        const char *next = g_utf8_next_char(text);
        if (g_unichar_isspace(c)) {
            text = next;
            continue;
        }
        if (is_sign(c)) {
            const char *sign = sign_of(c);
            if (c == '(' && operand && !g_ascii_isalpha(out->str[out->len - 1]))
                g_string_append_c(out, '*');
            g_string_append_len(out, sign ? sign : text,
                                sign ? 1 : (gssize)(next - text));
            operand = c == ')';
            text = next;
            continue;
        }
        if (operand)
            g_string_append_c(out, '*');
        const char *end = text;
        if (g_ascii_isdigit(*text)) {
            end += strspn(text, "0123456789.");
        } else {
            while (*end && !is_sign(g_utf8_get_char(end)) &&
                   !g_unichar_isspace(g_utf8_get_char(end)))
                end = g_utf8_next_char(end);
        }
        g_autofree char *word = g_strndup(text, (gsize)(end - text));
        g_string_append(out, id_of(r, word, labels));
        operand = true;
        text = end;
    }
    return g_string_free(out, FALSE);
}

/* The axes of "(B, T, min(C, 8))", parted at the outer commas; ended by NULL. */
static char **
axes_of(const char *text)
{
    g_autofree char *bare = g_strstrip(g_strdup(text));
    size_t length = strlen(bare);
    GPtrArray *axes = g_ptr_array_new();
    char *from = bare;
    if (length > 1 && ((*bare == '(' && bare[length - 1] == ')') ||
                       (*bare == '[' && bare[length - 1] == ']'))) {
        bare[length - 1] = '\0';
        from++;
    }
    int depth = 0;
    for (char *c = from;; c++) {
        depth += (*c == '(') - (*c == ')');
        if (*c && (*c != ',' || depth != 0))
            continue;
        g_ptr_array_add(axes, g_strndup(from, (gsize)(c - from)));
        if (!*c)
            break;
        from = c + 1;
    }
    g_ptr_array_add(axes, NULL);
    return (char **)g_ptr_array_free(axes, FALSE);
}

static FigShapeSame
compare(Reader *r, const FigRecordValue *value, char **axes, bool labels)
{
    FigShapeSame same = FIG_SHAPE_SAME;
    for (int i = 0; i < value->rank; i++) {
        g_autofree char *written = spec_form(r, axes[i], labels);
        const FigPoly *seen = read_poly(r, written);
        const FigPoly *is = read_poly(r, value->shape[i]);
        FigRational a, b;
        if (!seen || !is)
            return FIG_SHAPE_OTHER;
        if (fig_poly_equal(seen, is))
            continue;
        if (fig_poly_value(r->algebra, seen, r->size, &a) ||
            fig_poly_value(r->algebra, is, r->size, &b) ||
            fig_rational_compare(a, b) != 0)
            return FIG_SHAPE_OTHER;
        same = FIG_SHAPE_HERE;
    }
    return same;
}

FigShapeSame
fig_shape_compare(const FigRecord *record, const FigRecordValue *value,
                  const char *text)
{
    g_autoptr(FigArena) arena = fig_arena_new();
    g_autoptr(FigAlgebra) algebra = fig_algebra_new();
    g_autoptr(FigDiag) silent = fig_diag_new();
    g_auto(GStrv) axes = axes_of(text);
    Reader r = {.record = record, .arena = arena, .algebra = algebra, .silent = silent};
    if (fig_shape_is(record, value, text))
        return FIG_SHAPE_SAME;
    if ((int)g_strv_length(axes) != value->rank)
        return FIG_SHAPE_OTHER;
    read_dims(&r);
    FigShapeSame by_label = compare(&r, value, axes, true);
    FigShapeSame by_id =
        by_label == FIG_SHAPE_SAME ? by_label : compare(&r, value, axes, false);
    return MIN(by_label, by_id);
}
