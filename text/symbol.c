/* SPDX-License-Identifier: MIT
 *
 * The symbols of labels. Lower-case Greek is upright, as U+03B8 rather than the
 * mathematical italic U+1D703, so that copying, searching and reading aloud see a theta.
 * The multiplication dot is U+00B7, which is on keyboards; Latin Modern Math draws it like
 * U+22C5.
 */
#include "text/tex.h"

#include <string.h>

/* clang-format off */
static const FigTexSymbol symbols[] = {
    /* Greek */
    {"alpha", "α"}, {"beta", "β"}, {"gamma", "γ"}, {"delta", "δ"}, {"epsilon", "ϵ"},
    {"varepsilon", "ε"}, {"zeta", "ζ"}, {"eta", "η"}, {"theta", "θ"}, {"vartheta", "ϑ"},
    {"iota", "ι"}, {"kappa", "κ"}, {"lambda", "λ"}, {"mu", "μ"}, {"nu", "ν"}, {"xi", "ξ"},
    {"pi", "π"}, {"rho", "ρ"}, {"sigma", "σ"}, {"tau", "τ"}, {"upsilon", "υ"},
    {"phi", "ϕ"}, {"varphi", "φ"}, {"chi", "χ"}, {"psi", "ψ"}, {"omega", "ω"},
    {"Gamma", "Γ"}, {"Delta", "Δ"}, {"Theta", "Θ"}, {"Lambda", "Λ"}, {"Xi", "Ξ"},
    {"Pi", "Π"}, {"Sigma", "Σ"}, {"Phi", "Φ"}, {"Psi", "Ψ"}, {"Omega", "Ω"},
    /* other ordinary signs */
    {"infty", "∞"}, {"top", "⊤"}, {"bot", "⊥"}, {"partial", "∂"}, {"nabla", "∇"},
    {"ell", "ℓ"}, {"ldots", "…", FIG_ATOM_INNER}, {"dots", "…", FIG_ATOM_INNER},
    {"cdots", "⋯", FIG_ATOM_INNER}, {"forall", "∀"}, {"exists", "∃"}, {"emptyset", "∅"},
    {"_", "_"}, {"%", "%"}, {"#", "#"}, {"&", "&"}, {"$", "$"},
    /* binary */
    {"cdot", "·", FIG_ATOM_BIN}, {"times", "×", FIG_ATOM_BIN}, {"odot", "⊙", FIG_ATOM_BIN},
    {"oplus", "⊕", FIG_ATOM_BIN}, {"otimes", "⊗", FIG_ATOM_BIN}, {"pm", "±", FIG_ATOM_BIN},
    {"div", "÷", FIG_ATOM_BIN}, {"circ", "∘", FIG_ATOM_BIN}, {"ast", "∗", FIG_ATOM_BIN},
    {"cap", "∩", FIG_ATOM_BIN}, {"cup", "∪", FIG_ATOM_BIN}, {"wedge", "∧", FIG_ATOM_BIN},
    {"vee", "∨", FIG_ATOM_BIN}, {"setminus", "∖", FIG_ATOM_BIN},
    /* relations */
    {"to", "→", FIG_ATOM_REL}, {"rightarrow", "→", FIG_ATOM_REL},
    {"leftarrow", "←", FIG_ATOM_REL}, {"gets", "←", FIG_ATOM_REL},
    {"mapsto", "↦", FIG_ATOM_REL}, {"Rightarrow", "⇒", FIG_ATOM_REL},
    {"le", "≤", FIG_ATOM_REL}, {"leq", "≤", FIG_ATOM_REL}, {"ge", "≥", FIG_ATOM_REL},
    {"geq", "≥", FIG_ATOM_REL}, {"ne", "≠", FIG_ATOM_REL}, {"neq", "≠", FIG_ATOM_REL},
    {"approx", "≈", FIG_ATOM_REL}, {"equiv", "≡", FIG_ATOM_REL}, {"sim", "∼", FIG_ATOM_REL},
    {"in", "∈", FIG_ATOM_REL}, {"notin", "∉", FIG_ATOM_REL}, {"subset", "⊂", FIG_ATOM_REL},
    {"propto", "∝", FIG_ATOM_REL}, {"mid", "|", FIG_ATOM_REL}, {"ll", "≪", FIG_ATOM_REL},
    {"gg", "≫", FIG_ATOM_REL}, {"lt", "<", FIG_ATOM_REL}, {"gt", ">", FIG_ATOM_REL},
    {"<", "<", FIG_ATOM_REL}, {"colon", ":", FIG_ATOM_PUNCT},
    /* fences */
    {"lceil", "⌈", FIG_ATOM_OPEN}, {"rceil", "⌉", FIG_ATOM_CLOSE},
    {"lfloor", "⌊", FIG_ATOM_OPEN}, {"rfloor", "⌋", FIG_ATOM_CLOSE},
    {"langle", "⟨", FIG_ATOM_OPEN}, {"rangle", "⟩", FIG_ATOM_CLOSE},
    {"{", "{", FIG_ATOM_OPEN}, {"}", "}", FIG_ATOM_CLOSE}, {"|", "‖"}, {"vert", "|"},
    {"lVert", "‖", FIG_ATOM_OPEN}, {"rVert", "‖", FIG_ATOM_CLOSE},
    {"lvert", "|", FIG_ATOM_OPEN}, {"rvert", "|", FIG_ATOM_CLOSE},
    /* large and named operators */
    {"sum", "∑", FIG_ATOM_OP}, {"prod", "∏", FIG_ATOM_OP}, {"int", "∫", FIG_ATOM_OP},
    {"log", NULL, FIG_ATOM_OP}, {"ln", NULL, FIG_ATOM_OP}, {"exp", NULL, FIG_ATOM_OP},
    {"sin", NULL, FIG_ATOM_OP}, {"cos", NULL, FIG_ATOM_OP}, {"tanh", NULL, FIG_ATOM_OP},
    {"max", NULL, FIG_ATOM_OP}, {"min", NULL, FIG_ATOM_OP}, {"arg", NULL, FIG_ATOM_OP},
    {"det", NULL, FIG_ATOM_OP}, {"dim", NULL, FIG_ATOM_OP},
};

/* ASCII and what people type in its place; whatever is not here is ordinary. */
static const FigTexSymbol characters[] = {
    {"+", "+", FIG_ATOM_BIN}, {"-", "−", FIG_ATOM_BIN}, {"*", "∗", FIG_ATOM_BIN},
    {"=", "=", FIG_ATOM_REL}, {"<", "<", FIG_ATOM_REL}, {">", ">", FIG_ATOM_REL},
    {":", ":", FIG_ATOM_REL}, {",", ",", FIG_ATOM_PUNCT}, {";", ";", FIG_ATOM_PUNCT},
    {"(", "(", FIG_ATOM_OPEN}, {"[", "[", FIG_ATOM_OPEN}, {")", ")", FIG_ATOM_CLOSE},
    {"]", "]", FIG_ATOM_CLOSE}, {"!", "!", FIG_ATOM_CLOSE}, {"?", "?", FIG_ATOM_CLOSE},
    {"⋅", "·", FIG_ATOM_BIN},
};

static const char *const others[] = { /* commands with arguments and spaces: text/tex.c */
    "\\sqrt", "\\frac", "\\mathrm", "\\text", "\\operatorname", "\\left", "\\right",
    "\\quad", "\\qquad", "\\prime",
};
/* clang-format on */

const FigTexSymbol *
fig_tex_symbol(const char *name, size_t length)
{
    for (size_t i = 0; i < G_N_ELEMENTS(symbols); i++)
        if (strlen(symbols[i].name) == length &&
            !strncmp(symbols[i].name, name, length))
            return &symbols[i];
    return NULL;
}

const FigTexSymbol *
fig_tex_character(const char *text, size_t length)
{
    for (size_t i = 0; i < G_N_ELEMENTS(characters); i++)
        if (strlen(characters[i].name) == length &&
            !strncmp(characters[i].name, text, length))
            return &characters[i];
    /* → typed as itself is the relation that \to is */
    for (size_t i = 0; i < G_N_ELEMENTS(symbols); i++)
        if (symbols[i].text && strlen(symbols[i].text) == length && length > 1 &&
            !strncmp(symbols[i].text, text, length))
            return &symbols[i];
    return NULL;
}

/* The row of a table that sets text; with an atom of that kind, or of any when `any`. */
static const FigTexSymbol *
setting(const FigTexSymbol *table, size_t n, const char *text, FigAtom atom, bool any)
{
    for (size_t i = 0; i < n; i++)
        if (table[i].text && !strcmp(table[i].text, text) &&
            (any || table[i].atom == atom))
            return &table[i];
    return NULL;
}

const FigTexSymbol *
fig_tex_sign(const char *text, FigAtom atom, bool *command)
{
    /* `<` is typed as itself rather than as \lt, but · as \cdot */
    bool plain_first = g_ascii_isprint(*text);
    for (int step = 0; step < 4; step++) {
        bool any = step >= 2;
        *command = (step % 2 == 0) != plain_first;
        const FigTexSymbol *found =
            *command ? setting(symbols, G_N_ELEMENTS(symbols), text, atom, any)
                     : setting(characters, G_N_ELEMENTS(characters), text, atom, any);
        if (found)
            return found;
    }
    return NULL;
}

char **
fig_tex_commands(void)
{
    GPtrArray *names = g_ptr_array_new();
    for (size_t i = 0; i < G_N_ELEMENTS(others); i++)
        g_ptr_array_add(names, g_strdup(others[i]));
    for (size_t i = 0; i < G_N_ELEMENTS(symbols); i++)
        g_ptr_array_add(names, g_strconcat("\\", symbols[i].name, NULL));
    g_ptr_array_add(names, NULL);
    return (char **)g_ptr_array_free(names, FALSE);
}
