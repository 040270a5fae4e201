/* SPDX-License-Identifier: MIT
 *
 * Words and math as boxes of glyph runs: fonts by file, shaped with HarfBuzz, math from
 * the TeX subset with the constants of the math font. Layouts measure with these boxes,
 * writers place them, nobody shapes again. What the named fonts lack is looked up with
 * pango in the system's fonts, and said.
 */
#ifndef FIG_TEXT_TEXT_H
#define FIG_TEXT_TEXT_H

#include "base/arena.h"
#include "base/diag.h"

#include <glib.h>
#include <stdint.h>

typedef enum FigFace {
    FIG_FACE_SANS,        /* of words: Inter, or the family of fig_fonts_set_words */
    FIG_FACE_SANS_STRONG, /* Inter SemiBold, or that family's bold */
    FIG_FACE_SANS_ITALIC,
    FIG_FACE_SANS_LIGHT,  /* Inter Light: superior figures in formulas beside Inter */
    FIG_FACE_MATH,        /* Latin Modern Math: Greek, digits, operators, radicals */
    FIG_FACE_MATH_ITALIC, /* LM Roman 10 Italic: Latin letters of math, ligatures off */
    FIG_FACE_ROMAN,       /* LM Roman 10: \mathrm */
    FIG_FACE_ROMAN_STRONG,
    FIG_FACE_FALLBACK, /* whatever the system has */
} FigFace;

typedef struct FigFonts FigFonts; /* the faces of one theme, opened at first use */
typedef struct FigFont FigFont;   /* one font file */

/* Make a set of fonts: files are found by name in the folders of OPFIG_FONTS (as in PATH;
 * a last element «-» means: and nowhere else), where distributions put them, and in the
 * program's own folder.
 *
 * owns     the caller; free with fig_fonts_free
 * errors   without the math font there is no figure: the message names the package. A
 *          missing font of words is replaced and reported by fig_fonts_report.
 */
FigFonts *fig_fonts_new(GError **error);
void fig_fonts_free(FigFonts *fonts);

/* Choose the family of words; a new set has the first of fig_fonts_families. What was set
 * before stays as it is.
 *
 * errors   no family of ours: false
 */
bool fig_fonts_set_words(FigFonts *fonts, const char *family);
/* owns     nobody; ended by NULL */
const char *const *fig_fonts_families(void);

const FigFont *fig_fonts_face(FigFonts *fonts, FigFace face);
const char *fig_font_family(const FigFont *font);     /* "Inter", "Latin Modern Math" */
const char *fig_font_css_family(const FigFont *font); /* with fallbacks, for SVG */
int fig_font_weight(const FigFont *font);             /* 400, 600 */
bool fig_font_italic(const FigFont *font);
const char *fig_font_file(const FigFont *font);
int fig_font_index(const FigFont *font); /* face index in the file */

/* A warning for each character that came from a font the theme does not name, or from
 * none (drawn as a box). */
void fig_fonts_report(const FigFonts *fonts, FigDiag *diag);

/* Begin a figure: what is set from now on is what fig_fonts_word speaks of. */
void fig_fonts_begin(FigFonts *fonts);

/* What the metrics of a figure come from, as it carries it: each family that was used with
 * the version its files say and eight digits of their digest, and the shaper:
 * "Inter 3.019 1f2e3d4c; Latin Modern Math 1.959 5b6a7988; HarfBuzz 6.0.0". No commas.
 *
 * owns     the caller
 */
char *fig_fonts_word(FigFonts *fonts);

/* One glyph of a run, placed from the run's origin; points, y down. */
typedef struct FigGlyph {
    uint32_t id;
    int cluster; /* byte of the run's text where its character starts */
    double x, y;
    double advance;
} FigGlyph;

/* Characters of one font and one baseline. */
typedef struct FigTextRun {
    const FigFont *font;
    double size; /* points */
    double x, y; /* origin from the box's origin (left end of its baseline), y down */
    const char *text; /* UTF-8 that extracts as a person would type it; spaces kept */
    int n_glyphs;
    const FigGlyph *glyphs;
    double advance;
    bool ghost; /* in the text for copying, not inked ("_", "√(", "⁵"): no glyphs,
                         no advance */
} FigTextRun;

/* Outline of a radical, fraction bar, superior figure: filled, nonzero. Coordinates from the box's origin,
 * y down. */
typedef enum FigPathVerb {
    FIG_MOVE,  /* 1 point */
    FIG_LINE,  /* 1 point */
    FIG_CURVE, /* 3 points, cubic */
    FIG_CLOSE, /* 0 points */
} FigPathVerb;

typedef struct FigPath {
    int n_verbs;
    const FigPathVerb *verbs;
    int n_points;
    const double (*points)[2];
} FigPath;

typedef struct FigTextBox {
    const char *source;     /* as written: "matmul $W_{qkv} : C \to 3C$" */
    const char *plain;      /* its runs' texts, as a person would type them:
                           "matmul W_qkv : C → 3C", "S = q k⊤/√h_d" */
    double width;           /* advance, points */
    double ascent, descent; /* of the line: above and below the baseline, both ≥ 0 */
    double ink_left, ink_top, ink_right, ink_bottom; /* ink from the origin, y down */
    int n_runs;
    const FigTextRun *runs;
    int n_paths;
    const FigPath *paths;
} FigTextBox;

typedef struct FigTextStyle {
    FigFace face; /* of words */
    double size;  /* of words; math is scaled to match their x-height */
} FigTextStyle;

/* Set one line of words with $…$ math. `\$` is a dollar sign.
 *
 * units    points
 * owns     arena; its runs point into fonts
 * errors   a mistake in the math: at its place inside at (or without place when at is
 *          NULL); NULL
 */
const FigTextBox *fig_text_set(FigFonts *fonts, FigArena *arena, const char *source,
                               const FigTextStyle *style, FigSpan at, FigDiag *diag);

/* Break words with math into lines of at most width points (a word or an unbroken formula
 * that is wider stands alone); the lines as boxes, top to bottom.
 *
 * owns     arena
 */
const FigTextBox *const *fig_text_wrap(FigFonts *fonts, FigArena *arena,
                                       const char *source, const FigTextStyle *style,
                                       double width, int *n_lines, FigSpan at,
                                       FigDiag *diag);

/* Check the math of a label without fonts (the loader does): errors point into at, whose
 * text starts `offset` bytes into the scalar. */
bool fig_text_check(const char *source, FigSpan at, FigDiag *diag);

/* The label as Unicode for terminals and descriptions ("W_qkv", "10⁵", "S = q kᵀ/√h_d").
 *
 * owns     the caller
 */
char *fig_text_plain(const char *source);

/* The font as a file that holds only these characters, without hints.
 *
 * owns     the caller
 * errors   a font that HarfBuzz cannot take apart: NULL
 */
GBytes *fig_font_subset(const FigFont *font, const char *characters);

/* The outline of one glyph at size, from its origin. owns arena */
FigPath fig_font_outline(const FigFont *font, FigArena *arena, uint32_t glyph,
                         double size);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(FigFonts, fig_fonts_free)

#endif
