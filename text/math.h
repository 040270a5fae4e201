/* SPDX-License-Identifier: MIT
 *
 * A formula in the making: what its parts share. Private to text/math*.c.
 */
#ifndef FIG_TEXT_MATH_H
#define FIG_TEXT_MATH_H

#include "text/build.h"

#include <hb-ot.h>

typedef struct FigMath {
    FigBuild *build;
    FigFont *font; /* of MATH constants, signs and digits */
    FigFont *italic;
    double size; /* of text style, points */
} FigMath;

/* Where we are: text (0), script (1), script of script (2). */
typedef struct FigMathStyle {
    int level;
    bool cramped;
} FigMathStyle;

/* What a list or an atom takes, from its origin; width holds no italic correction. */
typedef struct FigMathExtent {
    double width, height, depth; /* points */
    double italic;               /* points, wanted before what does not lean */
    bool is_character;           /* scripts then sit at fixed heights */
} FigMathExtent;

/* units    points; constants of the MATH table at size; the style of a script */
double fig_math_size(const FigMath *math, FigMathStyle style);
double fig_math_constant(const FigMath *math, hb_ot_math_constant_t which, double size);
FigMathStyle fig_math_script(FigMathStyle style, bool cramped);

/* Set a list, or one sign, beginning at x on the baseline; adds to ink. */
FigMathExtent fig_math_list(FigMath *math, const FigTex *list, FigMathStyle style,
                            double x, FigInkBox *ink);
FigMathExtent fig_math_symbol(FigMath *math, const char *text, double size, double x,
                              FigInkBox *ink);

/* Move what was set since, and its own ink, and add that to the ink of all. */
void fig_math_move(FigMath *math, FigBuildMark since, FigInkBox own, double dx,
                   double dy, FigInkBox *ink);

/* A root, a fraction, tall brackets around a list (text/math-tall.c). */
FigMathExtent fig_math_sqrt(FigMath *math, const FigTex *item, FigMathStyle style,
                            double x, FigInkBox *ink);
FigMathExtent fig_math_frac(FigMath *math, const FigTex *item, FigMathStyle style,
                            double x, FigInkBox *ink);
FigMathExtent fig_math_fence(FigMath *math, const FigTex *item, FigMathStyle style,
                             double x, FigInkBox *ink);

#endif
