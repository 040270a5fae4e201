/* SPDX-License-Identifier: MIT
 *
 * What the neighbours of a formula decide: the space between two atoms (Knuth's table,
 * The TeXbook, chapter 18), and how a person would type it.
 */
#include "text/tex.h"

#include <string.h>

/* 0 none, 1 thin, 2 medium, 3 thick; negative: not in scripts. */
static const int table[8][8] = {
    /*             ord  op bin rel open close punct inner */
    [FIG_ATOM_ORD] = {0, 1, -2, -3, 0, 0, 0, -1},
    [FIG_ATOM_OP] = {1, 1, 0, -3, 0, 0, 0, -1},
    [FIG_ATOM_BIN] = {-2, -2, 0, 0, -2, 0, 0, -2},
    [FIG_ATOM_REL] = {-3, -3, 0, 0, -3, 0, 0, -3},
    [FIG_ATOM_OPEN] = {0, 0, 0, 0, 0, 0, 0, 0},
    [FIG_ATOM_CLOSE] = {0, 1, -2, -3, 0, 0, 0, -1},
    [FIG_ATOM_PUNCT] = {-1, -1, 0, -1, -1, -1, -1, -1},
    [FIG_ATOM_INNER] = {-1, 1, -2, -3, -1, 0, -1, -1},
};

static int
kind_of_space(const FigTex *left, const FigTex *right, bool script)
{
    if (!left || !right || left->atom == FIG_ATOM_SPACE ||
        right->atom == FIG_ATOM_SPACE)
        return 0;
    int kind = table[left->atom][right->atom];
    return kind < 0 ? (script ? 0 : -kind) : kind;
}

double
fig_tex_space(const FigTex *left, const FigTex *right, bool script)
{
    static const double mu[] = {0, 3, 4, 5};
    return mu[kind_of_space(left, right, script)];
}

/* A dot between factors is typed without spaces: 5·10⁵. */
static bool
is_dot(const FigTex *item)
{
    return item->kind == FIG_TEX_SYMBOL && !strcmp(item->text, "·");
}

bool
fig_tex_typed_space(const FigTex *left, const FigTex *right, bool script)
{
    int kind = kind_of_space(left, right, script);
    if (kind == 0 || is_dot(left) || is_dot(right))
        return false;
    if (kind > 1)
        return true;
    if (left->atom == FIG_ATOM_PUNCT)
        return true;
    /* log x, but 2 sin; a sum sign stands by itself */
    return left->kind == FIG_TEX_ROMAN || right->kind == FIG_TEX_ROMAN ||
           left->atom == FIG_ATOM_OP;
}

const FigTex *
fig_tex_word(const FigTex *item, GString *word)
{
    const FigTex *last = item;
    g_string_append(word, item->text);
    while (!last->sub && !last->sup && !last->primes && last->next &&
           last->next->kind == FIG_TEX_LETTER) {
        last = last->next;
        g_string_append(word, last->text);
    }
    return last;
}

bool
fig_tex_is_word(const FigTex *list)
{
    for (const FigTex *item = list; item; item = item->next) {
        if (item->sub || item->sup || item->primes)
            return false;
        if (item->kind == FIG_TEX_LIST) {
            if (!fig_tex_is_word(item->inner))
                return false;
            continue;
        }
        if (item->kind != FIG_TEX_LETTER && item->kind != FIG_TEX_ROMAN &&
            !(item->kind == FIG_TEX_SYMBOL && item->atom == FIG_ATOM_ORD))
            return false;
    }
    return true;
}

bool
fig_tex_is_one(const FigTex *list)
{
    if (!list || list->next)
        return !list;
    if (list->kind == FIG_TEX_LIST && !list->sub && !list->sup && !list->primes)
        return fig_tex_is_one(list->inner);
    return list->kind != FIG_TEX_FRAC;
}

bool
fig_tex_is_transpose(const FigTex *list)
{
    while (list && !list->next && list->kind == FIG_TEX_LIST && !list->sub &&
           !list->sup)
        list = list->inner;
    return list && !list->next && !list->sub && !list->sup && !list->primes &&
           list->kind == FIG_TEX_SYMBOL && !strcmp(list->text, "⊤");
}

static bool
add_superscript(GString *out, const FigTex *list)
{
    static const char *const digits[] = {"⁰", "¹", "²", "³", "⁴",
                                         "⁵", "⁶", "⁷", "⁸", "⁹"};
    for (const FigTex *item = list; item; item = item->next) {
        if (item->sub || item->sup || item->primes)
            return false;
        if (item->kind == FIG_TEX_LIST) {
            if (!add_superscript(out, item->inner))
                return false;
            continue;
        }
        if (item->kind != FIG_TEX_SYMBOL)
            return false;
        if (!strcmp(item->text, "−")) {
            g_string_append(out, "⁻");
            continue;
        }
        if (!strcmp(item->text, "+")) {
            g_string_append(out, "⁺");
            continue;
        }
        for (const char *c = item->text; *c; c++) {
            if (!g_ascii_isdigit(*c))
                return false;
            g_string_append(out, digits[*c - '0']);
        }
    }
    return out->len > 0;
}

const char *
fig_tex_superscript(FigArena *arena, const FigTex *list)
{
    g_autoptr(GString) out = g_string_new(NULL);
    return add_superscript(out, list) ? fig_arena_strdup(arena, out->str) : NULL;
}
