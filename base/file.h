/* SPDX-License-Identifier: MIT
 *
 * Files of the world: read whole with a cap, written whole or not at all, and where the
 * program's own data lies.
 */
#ifndef FIG_BASE_FILE_H
#define FIG_BASE_FILE_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

/* Read a regular file of at most limit bytes; text gets a NUL after its end.
 *
 * owns     *text is the caller's (g_free)
 * errors   missing, a directory, not readable, over the limit
 */
bool fig_file_read(const char *path, size_t limit, char **text, size_t *length,
                   GError **error);

/* Write bytes to a temporary name in the same folder, flush and rename it onto path, so
 * that path holds the old content or the new one, whole. Content that is the same
 * already is not written again. A process that is ended meanwhile (HUP, INT, TERM) leaves
 * no temporary file. Not for two threads at once.
 *
 * errors   missing folder, no permission, full disk; path is then untouched
 */
bool fig_file_write(const char *path, const void *bytes, size_t length, GError **error);

/* Could a file be written there now? For what takes long to make.
 *
 * errors   as fig_file_write, but for the room on the disk
 */
bool fig_file_may_write(const char *path, GError **error);

/* The path of a file the program ships ("spec/models/olmo2-block.yaml"): beside the
 * source tree of a build, else under share/opfig of the prefix it is installed in.
 *
 * owns     the caller (g_free); NULL when there is no such file
 */
char *fig_data_path(const char *relative);

/* Where fig_data_path looks for a file, for the message when it is nowhere:
 * "‘/opt/spec/models’, ‘/usr/share/opfig/spec/models’".
 *
 * owns     the caller (g_free)
 */
char *fig_data_places(const char *relative);

#endif
