/* SPDX-License-Identifier: MIT
 *
 * A file of the documentation is what a table of the program prints. With OPFIG_BLESS=1 a
 * stale one is rewritten, and the test still fails, so that a renewed file is looked at.
 */
#ifndef FIG_TESTS_FRESH_H
#define FIG_TESTS_FRESH_H

#include "base/file.h"
#include "base/limit.h"

#include <string.h>

/* name: in docs/; table: what prints it; suite: the words that name the test. */
static void
check_fresh(const char *name, const char *table, const GString *wanted,
            const char *suite)
{
    g_autofree char *path =
        g_build_filename(g_getenv("OPFIG_SOURCE"), "docs", name, NULL);
    g_autoptr(GError) error = NULL;
    g_autofree char *found = NULL;
    size_t length = 0;
    bool read = fig_file_read(path, FIG_LIMIT_FILE, &found, &length, &error);
    if (read && length == wanted->len && memcmp(found, wanted->str, length) == 0)
        return;
    if (g_strcmp0(g_getenv("OPFIG_BLESS"), "1") == 0) {
        g_clear_error(&error);
        if (!fig_file_write(path, wanted->str, wanted->len, &error))
            g_error("%s", error->message);
        g_printerr("docs/%s was rewritten: look at the change and run again\n", name);
    } else {
        g_printerr("docs/%s is not what %s prints; renew it with\n"
                   "  OPFIG_BLESS=1 meson test -C build --suite %s\n",
                   name, table, suite);
    }
    g_test_fail();
}

#endif
