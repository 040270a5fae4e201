/* SPDX-License-Identifier: MIT
 *
 * What the writer and the reader of a record's JSON share. Keys stand in a fixed order;
 * a key that has nothing to say is left out where docs/record.schema.json allows it.
 */
#ifndef FIG_EXEC_RECORD_JSON_H
#define FIG_EXEC_RECORD_JSON_H

#include "exec/record.h"

/* The compact JSON of `facts`: what the digest is taken of.
 *
 * owns     the caller
 */
char *fig_record_facts_json(const FigRecord *record);

/* The key in measured.ops.OP that is not a value's id. */
#define FIG_RECORD_SECONDS "seconds"

#endif
