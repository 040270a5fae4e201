/* SPDX-License-Identifier: MIT
 *
 * The edits of a run: --edit 'layers.1.down *= 0', --edit 'z = FILE.npy'.
 */
#ifndef FIG_CLI_EDITS_H
#define FIG_CLI_EDITS_H

#include "cli/work.h"

/* Read the edits given, at the dims drawn of the loaded graph, into run.
 *
 * owns     work's arena
 * errors   what is no edit, an array of other sizes, in work->diag; false
 */
bool fig_edits_read(FigWork *work, char **given, FigRunOptions *run);

#endif
