/* SPDX-License-Identifier: MIT
 *
 * Reading refuses what is no plain file before it blocks or grows; writing goes through a
 * temporary name beside the target. Devices and pipes (/dev/stdout, /dev/full) cannot be
 * replaced by renaming and are written as they are.
 */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *
reason(int error)
{
    switch (error) {
    case ENOENT:
        return "no such file or folder";
    case EACCES:
    case EPERM:
        return "permission denied";
    case EISDIR:
        return "it is a folder";
    case ENOTDIR:
        return "a part of its path is no folder";
    case ENOSPC:
        return "no space left on the disk";
    case EROFS:
        return "the disk is read-only";
    case ENAMETOOLONG:
        return "the name is too long";
    default:
        return g_strerror(error);
    }
}

static bool
fail(GError **error, const char *verb, const char *path, int code)
{
    g_set_error(error, G_FILE_ERROR, (int)g_file_error_from_errno(code),
                "cannot %s ‘%s’: %s", verb, path, reason(code));
    return false;
}

static bool
read_open(int fd, const char *path, size_t limit, char **text, size_t *length,
          GError **error)
{
    struct stat status;
    if (fstat(fd, &status) != 0)
        return fail(error, "read", path, errno);
    if (S_ISDIR(status.st_mode))
        return fail(error, "read", path, EISDIR);
    if (!S_ISREG(status.st_mode)) {
        g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_INVAL,
                    "cannot read ‘%s’: it is no plain file", path);
        return false;
    }
    g_autofree char *data = NULL;
    size_t have = 0, room = (size_t)status.st_size;
    if (room <= limit)
        data = g_malloc(room + 1);
    /* one byte beyond what fstat said, so that a file that grows is seen */
    while (room <= limit) {
        ssize_t n = read(fd, data + have, room + 1 - have);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return fail(error, "read", path, errno);
        have += (size_t)n;
        if (n == 0) {
            data[have] = '\0';
            *text = g_steal_pointer(&data);
            *length = have;
            return true;
        }
        if (have > room) {
            room = room * 2 + 4096;
            data = g_realloc(data, room + 1);
        }
    }
    g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_INVAL,
                "cannot read ‘%s’: it is larger than %zu bytes", path, limit);
    return false;
}

bool
fig_file_read(const char *path, size_t limit, char **text, size_t *length,
              GError **error)
{
    /* O_NONBLOCK: opening a pipe nobody writes to would wait for ever */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return fail(error, "read", path, errno);
    bool good = read_open(fd, path, limit, text, length, error);
    close(fd);
    return good;
}

/* Write all; 0 or the errno. */
static int
write_all(int fd, const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t n = write(fd, bytes, length);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return errno;
        bytes += n;
        length -= (size_t)n;
    }
    return 0;
}

static bool
has_content(const char *path, const void *bytes, size_t length)
{
    struct stat status;
    if (stat(path, &status) != 0 || (size_t)status.st_size != length)
        return false;
    g_autofree char *old = NULL;
    size_t old_length;
    return fig_file_read(path, length, &old, &old_length, NULL) &&
           old_length == length && (length == 0 || memcmp(old, bytes, length) == 0);
}

static bool
write_device(const char *path, const void *bytes, size_t length, GError **error)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0)
        return fail(error, "write", path, errno);
    int code = write_all(fd, bytes, length);
    if (close(fd) != 0 && !code)
        code = errno;
    return code ? fail(error, "write", path, code) : true;
}

/* The temporary file that is being written: where a handler of signals finds it. One is
 * written at a time. */
static char temporary[PATH_MAX];

/* Ended from outside: take the temporary file away, then end as without a handler, which
 * SA_RESETHAND has taken out. */
static void
give_up(int number)
{
    unlink(temporary);
    raise(number);
}

static const int endings[] = {SIGHUP, SIGINT, SIGTERM};

static void
watch_endings(struct sigaction before[G_N_ELEMENTS(endings)])
{
    struct sigaction action = {.sa_handler = give_up, .sa_flags = (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < G_N_ELEMENTS(endings); i++) {
        sigaction(endings[i], NULL, &before[i]);
        if (before[i].sa_handler == SIG_DFL) /* ignored stays ignored, as under nohup */
            sigaction(endings[i], &action, NULL);
    }
}

static void
leave_endings(const struct sigaction before[G_N_ELEMENTS(endings)])
{
    for (size_t i = 0; i < G_N_ELEMENTS(endings); i++)
        sigaction(endings[i], &before[i], NULL);
}

/* Write and rename the temporary file; 0 or the errno. */
static int
write_temporary(const char *path, mode_t mode, const void *bytes, size_t length)
{
    int fd = g_mkstemp_full(temporary, O_RDWR | O_CLOEXEC, 0600);
    if (fd < 0)
        return errno;
    int code = write_all(fd, bytes, length);
    if (!code && fchmod(fd, mode) != 0)
        code = errno;
    if (!code && fsync(fd) != 0)
        code = errno;
    if (close(fd) != 0 && !code)
        code = errno;
    if (!code && rename(temporary, path) != 0)
        code = errno;
    if (code)
        unlink(temporary);
    return code;
}

/* Through a temporary file and a rename; 0 or the errno, and no file left behind. */
static int
replace(const char *path, mode_t mode, const void *bytes, size_t length)
{
    g_autofree char *folder = g_path_get_dirname(path);
    g_autofree char *name = g_path_get_basename(path);
    struct sigaction before[G_N_ELEMENTS(endings)];
    if (g_snprintf(temporary, sizeof temporary, "%s/.%.200s.XXXXXX", folder, name) >=
        (int)sizeof temporary)
        return ENAMETOOLONG;
    watch_endings(before);
    int code = write_temporary(path, mode, bytes, length);
    leave_endings(before);
    return code;
}

bool
fig_file_write(const char *path, const void *bytes, size_t length, GError **error)
{
    struct stat status;
    bool exists = stat(path, &status) == 0;
    if (exists && S_ISDIR(status.st_mode))
        return fail(error, "write", path, EISDIR);
    /* /dev/stdout may lead to a plain file that the shell holds open: no renaming there */
    if (exists && (!S_ISREG(status.st_mode) || g_str_has_prefix(path, "/dev/") ||
                   g_str_has_prefix(path, "/proc/")))
        return write_device(path, bytes, length, error);
    if (exists && has_content(path, bytes, length))
        return true;
    if (exists && access(path, W_OK) != 0)
        return fail(error, "write", path, errno);
    mode_t mode;
    if (exists) {
        mode = status.st_mode & 07777;
    } else {
        mode_t mask = umask(0);
        umask(mask);
        mode = 0666 & ~mask;
    }
    /* a link stays a link: what it leads to is replaced */
    g_autofree char *real = NULL;
    if (exists) {
        char *resolved = realpath(path, NULL);
        real = g_strdup(resolved ? resolved : path);
        free(resolved);
    }
    int code = replace(real ? real : path, mode, bytes, length);
    return code ? fail(error, "write", path, code) : true;
}

bool
fig_file_may_write(const char *path, GError **error)
{
    struct stat status;
    bool exists = stat(path, &status) == 0;
    if (exists && S_ISDIR(status.st_mode))
        return fail(error, "write", path, EISDIR);
    if (exists)
        return access(path, W_OK) == 0 || fail(error, "write", path, errno);
    g_autofree char *folder = g_path_get_dirname(path);
    if (stat(folder, &status) == 0 && !S_ISDIR(status.st_mode))
        return fail(error, "write", path, ENOTDIR);
    return access(folder, W_OK | X_OK) == 0 || fail(error, "write", path, errno);
}

/* The paths under which a file of the program may lie, best first. */
static GPtrArray *
data_candidates(const char *relative)
{
    g_autoptr(GPtrArray) roots = g_ptr_array_new_with_free_func(g_free);
    const char *source = g_getenv("OPFIG_SOURCE");
    if (source && *source)
        g_ptr_array_add(roots, g_strdup(source));
    g_autofree char *program = g_file_read_link("/proc/self/exe", NULL);
    if (program) {
        g_autofree char *folder = g_path_get_dirname(program);
        /* build/opfig, build/tests/ROOM/test-WORD, PREFIX/bin/opfig */
        g_ptr_array_add(roots, g_build_filename(folder, "..", NULL));
        g_ptr_array_add(roots, g_build_filename(folder, "..", "..", "..", NULL));
        g_ptr_array_add(roots, g_build_filename(folder, "..", "share", "opfig", NULL));
    }
    GPtrArray *paths = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < roots->len; i++) {
        g_autofree char *path = g_build_filename(roots->pdata[i], relative, NULL);
        g_ptr_array_add(paths, g_canonicalize_filename(path, NULL));
    }
    return paths;
}

char *
fig_data_path(const char *relative)
{
    g_autoptr(GPtrArray) paths = data_candidates(relative);
    for (guint i = 0; i < paths->len; i++) {
        if (g_file_test(paths->pdata[i], G_FILE_TEST_EXISTS))
            return g_strdup(paths->pdata[i]);
    }
    return NULL;
}

char *
fig_data_places(const char *relative)
{
    g_autoptr(GPtrArray) paths = data_candidates(relative);
    GString *all = g_string_new(NULL);
    for (guint i = 0; i < paths->len; i++)
        g_string_append_printf(all, "%s‘%s’", i ? ", " : "", (char *)paths->pdata[i]);
    return g_string_free(all, FALSE);
}
