/* SPDX-License-Identifier: MIT
 *
 * The TeX subset of labels as a tree: from it come glyph runs (text/math.c), Unicode
 * (text/plain.c), LaTeX (text/latex.c) and MathML (text/mathml.c). Private to text/.
 */
#ifndef FIG_TEXT_TEX_H
#define FIG_TEXT_TEX_H

#include "base/arena.h"
#include "base/diag.h"

/* TeX's kinds of atoms, which decide the space between neighbours. */
typedef enum FigAtom {
    FIG_ATOM_ORD,
    FIG_ATOM_OP,
    FIG_ATOM_BIN,
    FIG_ATOM_REL,
    FIG_ATOM_OPEN,
    FIG_ATOM_CLOSE,
    FIG_ATOM_PUNCT,
    FIG_ATOM_INNER,
    FIG_ATOM_SPACE, /* no atom: an explicit space */
} FigAtom;

typedef enum FigTexKind {
    FIG_TEX_NOTHING, /* an empty nucleus: {}_q */
    FIG_TEX_LETTER,  /* one Latin letter, italic */
    FIG_TEX_SYMBOL,  /* a number or one character of the math font */
    FIG_TEX_ROMAN,   /* upright words: \mathrm, \log */
    FIG_TEX_SPACE,
    FIG_TEX_LIST, /* { … } */
    FIG_TEX_SQRT,
    FIG_TEX_FRAC,
    FIG_TEX_FENCE, /* \left( … \right) */
} FigTexKind;

typedef struct FigTex FigTex;
struct FigTex {
    FigTexKind kind;
    FigAtom atom;
    const char *text;    /* LETTER, SYMBOL, ROMAN: UTF-8; FENCE: its left sign or "" */
    const char *right;   /* FENCE: its right sign or "" */
    const FigTex *inner; /* LIST, SQRT, FENCE: its content; FRAC: numerator */
    const FigTex *under; /* FRAC: denominator */
    double mu;           /* SPACE: eighteenths of an em */
    int primes;
    const FigTex *sub, *sup; /* NULL: none */
    FigTex *next;
};

/* A label is words and formulas in turn. */
typedef struct FigTexPiece FigTexPiece;
struct FigTexPiece {
    const char *words;  /* unescaped; NULL: a formula */
    const FigTex *math; /* a list; NULL when empty */
    FigTexPiece *next;
};

/* Split and parse a label. A placeholder <…> inside a formula stands for a number.
 *
 * owns     arena
 * errors   one for each formula, at its place inside at; false. diag may be NULL.
 */
bool fig_tex_label(FigArena *arena, const char *source, FigSpan at, FigDiag *diag,
                   FigTexPiece **pieces);

/* The space between neighbours in mu (of 18 an em); in scripts only around operators. */
double fig_tex_space(const FigTex *left, const FigTex *right, bool script);

/* Would a person type a space between these neighbours? */
bool fig_tex_typed_space(const FigTex *left, const FigTex *right, bool script);

/* Is this list, as script, radicand or half of a fraction, written without parentheses in
 * plain text: letters and digits only, or one atom? */
bool fig_tex_is_word(const FigTex *list);
bool fig_tex_is_one(const FigTex *list);

/* The list's text in Unicode superscripts (digits, + and −) or NULL.
 *
 * owns     arena
 */
const char *fig_tex_superscript(FigArena *arena, const FigTex *list);

/* Is it \top alone, the sign of a transpose? */
bool fig_tex_is_transpose(const FigTex *list);

/* A command of the subset, or a character with a meaning of its own. */
typedef struct FigTexSymbol {
    const char *name; /* after the backslash; NULL: the character itself */
    const char *text; /* what is set; NULL in ROMAN operators: the name */
    FigAtom atom;
} FigTexSymbol;

const FigTexSymbol *fig_tex_symbol(const char *name, size_t length);
const FigTexSymbol *fig_tex_character(const char *text, size_t length);

/* How a sign is written in TeX: the symbol that sets text, one of this kind of atom if there
 * is any; its name is a command's (*command) or what is typed. NULL: no such sign. */
const FigTexSymbol *fig_tex_sign(const char *text, FigAtom atom, bool *command);

/* Append a formula as LaTeX (text/latex.c). */
void fig_tex_latex(GString *out, const FigTex *list);

/* Letters from item on that make a word: as many as follow each other, the last of them
 * with scripts or without. Gives the last; appends them to word. */
const FigTex *fig_tex_word(const FigTex *item, GString *word);

/* All commands, with their backslash, ended by NULL: for «did you mean».
 *
 * owns     the caller (g_free of the array and the strings: g_strfreev)
 */
char **fig_tex_commands(void);

#endif
