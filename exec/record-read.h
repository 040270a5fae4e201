/* SPDX-License-Identifier: MIT
 *
 * What the readers of a record's parts share.
 */
#ifndef FIG_EXEC_RECORD_READ_H
#define FIG_EXEC_RECORD_READ_H

#include "exec/json.h"
#include "exec/record.h"

#include <jansson.h>

/* Ids seen so far, to the struct each names. */
typedef struct FigRecordNames {
    GHashTable *dims, *constants, *values, *ops, *groups, *claims;
    GHashTable *written; /* values that some op so far wrote */
} FigRecordNames;

/* Read "shape" and "size" of a value, read or write: as long as each other.
 *
 * owns     the reader's arena
 */
void fig_record_read_shape(FigJsonReader *reader, const json_t *json, int *rank,
                           const char *const **shape, const int64_t **size);

/* Read the ops of facts into the record, whose dims, values and groups have been read. */
void fig_record_read_ops(FigJsonReader *reader, const json_t *facts, FigRecord *record,
                         FigRecordNames *names);

#endif
