/* SPDX-License-Identifier: MIT
 *
 * What the files of the table of small changes share: the table while it is made, and the
 * words of its edits.
 *
 *   changes.c        the table, and a spec loaded with a change
 *   changes-reads.c  who reads what: drop, swap, rewire, widen
 *   changes-set.c    the value of an attribute: set
 *   changes-ops.c    other ops: retype, insert
 */
#ifndef FIG_CHECK_CHANGES_PARTS_H
#define FIG_CHECK_CHANGES_PARTS_H

#include "check/changes.h"

enum { FIG_CHANGE_KINDS = 7 };

typedef struct FigChangeTable {
    const FigGraph *graph;
    FigArena *arena;
    GArray *of_kind[FIG_CHANGE_KINDS]; /* FigChange */
    int n;                             /* of all kinds */
    GArray *inserts; /* guint: where the inserts at each operand start */
    const char *extra, *extra_weight; /* ids that are free */
} FigChangeTable;

/* How many changes of a kind there are so far. */
guint fig_change_count(const FigChangeTable *t, const char *kind);

/* Add a change of op `node` (-1: of none), whose edits are printed by format. */
void fig_change_add(FigChangeTable *t, const char *kind, int node, int attribute,
                    const char *format, ...) G_GNUC_PRINTF(5, 6);

/* ---- words; owns: the arena or the graph ---- */

/* A text as it stands between braces. */
const char *fig_change_quoted(FigChangeTable *t, const char *text);

const char *fig_change_value(const FigChangeTable *t, int value);

/* An op's id, so that an edit finds it alone. */
const char *fig_change_op(FigChangeTable *t, int node);

/* "in: [q, g_q]" of an op, with `to` where it read the value `from`, at operand `only` or
 * (-1) at every one. */
const char *fig_change_reads(FigChangeTable *t, int node, int from, const char *to,
                             int only);

/* What an axis of a shape is called: its name or its size, else its number. */
const char *fig_change_axis(FigChangeTable *t, const FigShape *shape, int axis);

/* What else must be given, and what no longer may, when an op has these values of its WORD
 * attributes: ", factor: 2". word: the one that changes, -1: all; element: the op as the
 * spec has it, or NULL. */
const char *fig_change_wanted(FigChangeTable *t, const FigOp *op,
                              const FigAttrValue *values, int word,
                              const FigYaml *element);

const FigShape *fig_change_shape(const FigChangeTable *t, int value);
bool fig_change_same_shape(const FigShape *a, const FigShape *b);

/* ---- the kinds, each at one op ---- */

void fig_change_drop(FigChangeTable *t, int node);
void fig_change_swap(FigChangeTable *t, int node);     /* two operands of it … */
void fig_change_exchange(FigChangeTable *t, int node); /* … one with another op's */
void fig_change_rewire(FigChangeTable *t, int node);
void fig_change_set(FigChangeTable *t, int node);
void fig_change_retype(FigChangeTable *t, int node);
void fig_change_insert(FigChangeTable *t, int node);

/* … and over the whole graph. */
void fig_change_widen(FigChangeTable *t);

#endif
