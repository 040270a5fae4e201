/* SPDX-License-Identifier: MIT
 *
 * How far the inputs of a target have got.
 */
#include "tests/fuzz/fuzz.h"

#include <string.h>

enum { MOST = 8 };
static bool reached[MOST]; /* as fuzz_goals */

void
fuzz_reach(const char *goal)
{
    int i = 0;
    while (fuzz_goals[i] && strcmp(fuzz_goals[i], goal) != 0)
        i++;
    g_assert_true(fuzz_goals[i] && i < MOST);
    reached[i] = true;
}

const char *
fuzz_missed(void)
{
    g_assert_nonnull(fuzz_goals[0]);
    int i = 0;
    while (fuzz_goals[i] && reached[i])
        i++;
    return fuzz_goals[i];
}
