/* SPDX-License-Identifier: MIT
 *
 * Prints the hand-written sample record, for tests/exec/record_schema.py.
 */
#include "sample-record.h"

#include <stdio.h>

int
main(void)
{
    g_autoptr(FigRecord) record = sample_record();
    g_autofree char *json = fig_record_json(record, true);
    fputs(json, stdout);
    return 0;
}
