/* SPDX-License-Identifier: MIT
 *
 * A figure from a stranger, as `opfig check` gets it.
 */
#include "tests/fuzz/fuzz.h"

#include <string.h>
#include <unistd.h>

const char *const fuzz_goals[] = {"agrees", NULL};

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* the suffix names the format, so a link leads to the bytes */
    g_autofree char *link =
        g_strdup_printf("%s/fuzz-figure-%d.svg", g_get_tmp_dir(), getpid());
    unlink(link);
    g_assert_true(symlink(fuzz_file(data, size), link) == 0);
    if (fuzz_opfig((const char *const[]){"check", link, NULL}) == 0)
        fuzz_reach("agrees");
    unlink(link);
    return 0;
}
