/* SPDX-License-Identifier: MIT
 *
 * The op table in words: docs/ops.md and `opfig list ops` are printed from the rows, so
 * they cannot differ from what is executed.
 */
#ifndef FIG_OPS_DESCRIBE_H
#define FIG_OPS_DESCRIBE_H

#include <glib.h>

/* Append docs/ops.md, whole. */
void fig_op_describe_markdown(GString *out);

/* Append one line an op: name, kind, signature, full name. */
void fig_op_describe_list(GString *out);

#endif
