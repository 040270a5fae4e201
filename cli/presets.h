/* SPDX-License-Identifier: MIT
 *
 * The table of `opfig list presets`.
 */
#ifndef FIG_CLI_PRESETS_H
#define FIG_CLI_PRESETS_H

#include "base/diag.h"

#include <glib.h>

/* Append a table of all presets: their dims, parameters, FLOPs a token and bytes of the
 * key/value cache, each from the record of a run on shapes.
 *
 * errors   a preset that cannot be loaded, in diag; false
 */
bool fig_presets_print(GString *out, bool colour, FigDiag *diag);

#endif
