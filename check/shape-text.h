/* SPDX-License-Identifier: MIT
 *
 * Shapes as figures print them: "(B, T, 3C)" in the notation of the record, or in numbers.
 */
#ifndef FIG_CHECK_SHAPE_TEXT_H
#define FIG_CHECK_SHAPE_TEXT_H

#include "exec/record.h"

/* The shape of a value, in symbols or, concrete, in sizes. owns: the caller */
char *fig_shape_print(const FigRecord *record, const FigRecordValue *value,
                      bool concrete);

/* Is text the shape of the value: as printed in symbols or sizes, or as a spec writes it
 * ("B, T, 3*C"); parentheses and white space mean nothing. */
bool fig_shape_is(const FigRecord *record, const FigRecordValue *value,
                  const char *text);

typedef enum FigShapeSame {
    FIG_SHAPE_SAME, /* by the definitions of the dims: H·h_d is C where h_d is C/H */
    FIG_SHAPE_HERE, /* at the dims drawn, and elsewhere another */
    FIG_SHAPE_OTHER,
} FigShapeSame;

/* The shape of a value and one that somebody wrote down, in symbols (labels or ids) or
 * numbers. */
FigShapeSame fig_shape_compare(const FigRecord *record, const FigRecordValue *value,
                               const char *text);

#endif
