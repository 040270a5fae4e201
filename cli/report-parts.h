/* SPDX-License-Identifier: MIT
 *
 * What the files of a report share: it is built as JSON (report.c) and printed from that
 * (report-text.c).
 */
#ifndef FIG_CLI_REPORT_PARTS_H
#define FIG_CLI_REPORT_PARTS_H

#include "cli/report.h"

#include <jansson.h>

struct FigReport {
    json_t *checked;  /* a list, one object a figure or spec */
    json_t *files;    /* of a folder: a list, one object a figure */
    json_t *findings; /* a list over all of them */
    bool strict;      /* what is vacuous or of other versions is a finding */
};

#endif
