/* SPDX-License-Identifier: MIT
 *
 * A figure that opfig did not draw, as somebody who looked at it wrote it down: a list of
 * its edges. What it says is held against what a run read.
 *
 * A list is CSV, with a first line that names the columns, or YAML, a list of maps: `from`
 * (an op, an input, a value or a weight), `to` (an op, or `output`), and where the figure
 * says them `port`, `shape` (of what the edge carries) and `class` (of the mark it leads
 * to). What a figure leaves out may be passed over: an edge over a fork is right as it is,
 * any other op that no edge names is a finding.
 */
#ifndef FIG_CHECK_FOREIGN_H
#define FIG_CHECK_FOREIGN_H

#include "check/figure.h"

typedef struct FigForeignCell {
    const char *text; /* NULL: not given */
    FigSpan span;
} FigForeignCell;

typedef enum FigForeignColumn {
    FIG_FOREIGN_FROM,
    FIG_FOREIGN_TO,
    FIG_FOREIGN_PORT,
    FIG_FOREIGN_SHAPE,
    FIG_FOREIGN_CLASS,
    FIG_FOREIGN_COLUMNS,
} FigForeignColumn;

typedef struct FigForeignEdge {
    FigForeignCell cell[FIG_FOREIGN_COLUMNS];
} FigForeignEdge;

typedef struct FigForeign {
    int n_edges;
    const FigForeignEdge *edges;
} FigForeign;

/* The names of the columns, ended by NULL. */
extern const char *const fig_foreign_column[];

/* Read a list: YAML where source's name ends so, else CSV.
 *
 * owns     arena
 * errors   not readable, no edges, columns missing or unknown; in diag, NULL
 */
const FigForeign *fig_foreign_read(const FigSource *source, FigArena *arena,
                                   FigDiag *diag);

typedef struct FigForeignReport {
    FigArena *arena;
    int n_findings;
    const FigFinding *findings;
    int ops, ops_found;     /* of the record; that an edge names */
    int edges, edges_found; /* operands of those ops; with an edge of their own */
    int shapes, classes;    /* that the list says, and rightly */
} FigForeignReport;

/* Prove a list against a record.
 *
 * owns     the caller; free with fig_foreign_report_free
 * errors   names that the record does not have, with suggestions; in diag, NULL
 */
FigForeignReport *fig_foreign_check(const FigForeign *foreign, const FigRecord *record,
                                    FigDiag *diag);
void fig_foreign_report_free(FigForeignReport *report);

#endif
