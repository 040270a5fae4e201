/* SPDX-License-Identifier: MIT
 *
 * What a tensor's numbers are like: one pass, in double, in a fixed order.
 */
#ifndef FIG_EXEC_STATISTICS_H
#define FIG_EXEC_STATISTICS_H

#include "exec/run.h"

/* Statistics of a view of FIG_F32 or FIG_F64; the same bits for the same numbers on every
 * machine. Without a finite entry min, max, mean and rms are NaN. */
FigStatistics fig_statistics(const FigView *view);

#endif
