/* SPDX-License-Identifier: MIT
 *
 * A label as Unicode, as a person would type it: for terminals, descriptions and names.
 * text/math.c sets its runs so that they extract as the same text, except that a figure
 * shows the sign ⊤ of a transpose where a terminal has the letter ᵀ.
 */
#include "text/tex.h"
#include "text/text.h"

static void plain_list(GString *out, FigArena *arena, const FigTex *list, bool script);

/* One space, and none at the start; fig_build_space does the same for runs. */
static void
append_space(GString *out)
{
    if (out->len > 0 && out->str[out->len - 1] != ' ')
        g_string_append_c(out, ' ');
}

static void
plain_part(GString *out, FigArena *arena, const FigTex *list, bool bare, bool script)
{
    if (!bare)
        g_string_append_c(out, '(');
    plain_list(out, arena, list, script);
    if (!bare)
        g_string_append_c(out, ')');
}

static void
plain_node(GString *out, FigArena *arena, const FigTex *item, bool script)
{
    switch (item->kind) {
    case FIG_TEX_NOTHING:
        break;
    case FIG_TEX_LETTER:
    case FIG_TEX_SYMBOL:
    case FIG_TEX_ROMAN:
        g_string_append(out, item->text);
        break;
    case FIG_TEX_SPACE:
        if (item->mu > 0)
            append_space(out);
        break;
    case FIG_TEX_LIST:
        plain_list(out, arena, item->inner, script);
        break;
    case FIG_TEX_SQRT:
        g_string_append(out, "√");
        plain_part(out, arena, item->inner, fig_tex_is_one(item->inner), script);
        break;
    case FIG_TEX_FRAC:
        plain_part(out, arena, item->inner, fig_tex_is_one(item->inner), true);
        g_string_append_c(out, '/');
        plain_part(out, arena, item->under, fig_tex_is_one(item->under), true);
        break;
    case FIG_TEX_FENCE:
        g_string_append(out, item->text);
        plain_list(out, arena, item->inner, script);
        g_string_append(out, item->right);
        break;
    }
    static const char *const primes[] = {"", "′", "″", "‴"};
    for (int left = item->primes; left > 0; left -= 3)
        g_string_append(out, primes[MIN(left, 3)]);
    if (item->sub) {
        g_string_append_c(out, '_');
        plain_part(out, arena, item->sub, fig_tex_is_word(item->sub), true);
    }
    if (item->sup) {
        const char *small = fig_tex_superscript(arena, item->sup);
        if (fig_tex_is_transpose(item->sup)) {
            g_string_append(out, "ᵀ");
        } else if (small) {
            g_string_append(out, small);
        } else {
            g_string_append_c(out, '^');
            plain_part(out, arena, item->sup, fig_tex_is_word(item->sup), true);
        }
    }
}

static void
plain_list(GString *out, FigArena *arena, const FigTex *list, bool script)
{
    const FigTex *before = NULL;
    for (const FigTex *item = list; item; item = item->next) {
        if (fig_tex_typed_space(before, item, script))
            append_space(out);
        plain_node(out, arena, item, script);
        before = item;
    }
}

char *
fig_text_plain(const char *source)
{
    g_autoptr(FigArena) arena = fig_arena_new();
    GString *out = g_string_new(NULL);
    FigTexPiece *pieces;
    if (!fig_tex_label(arena, source, (FigSpan){0}, NULL, &pieces))
        g_string_append(out, source);
    else
        for (const FigTexPiece *piece = pieces; piece; piece = piece->next) {
            if (piece->words)
                g_string_append(out, piece->words);
            else
                plain_list(out, arena, piece->math, false);
        }
    return g_string_free(out, FALSE);
}
