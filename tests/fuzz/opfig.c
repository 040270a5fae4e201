/* SPDX-License-Identifier: MIT
 *
 * The whole program inside a fuzz target: its main is built under another name.
 */
#include "tests/fuzz/fuzz.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int opfig_main(int argc, char **argv);

const char *
fuzz_file(const void *data, size_t size)
{
    static int file = -1;
    static char path[64];
    if (file < 0)
        file = memfd_create("input", 0);
    g_assert_true(ftruncate(file, 0) == 0 && lseek(file, 0, SEEK_SET) == 0);
    g_assert_true(write(file, data, size) == (ssize_t)size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    return path;
}

int
fuzz_opfig(const char *const *words)
{
    int n = (int)g_strv_length((char **)words);
    g_autofree char **argv = g_new0(char *, n + 2);
    argv[0] = (char *)"opfig";
    for (int i = 0; i < n; i++)
        argv[i + 1] = (char *)words[i];
    int code = opfig_main(n + 1, argv);
    fflush(stdout);
    fflush(stderr);
    g_assert_cmpint(code, >=, 0);
    g_assert_cmpint(code, <=, 2);
    return code;
}
