/* SPDX-License-Identifier: MIT
 *
 * Files that are missing, no files, too large, not writable: exact words, and nothing
 * half-written left behind.
 */
#include "base/file.h"

#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <signal.h>
#include <unistd.h>

static char *folder;

static char *
in_folder(const char *name)
{
    return g_build_filename(folder, name, NULL);
}

static void
check_error(GError **error, const char *format, const char *path)
{
    g_assert_nonnull(*error);
    g_autoptr(GString) wanted = g_string_new(format);
    g_string_replace(wanted, "%", path, 1);
    g_assert_cmpstr((*error)->message, ==, wanted->str);
    g_clear_error(error);
}

static int
entries(void)
{
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    int n = 0;
    while (g_dir_read_name(dir))
        n++;
    return n;
}

static void
check_content(const char *path, const char *wanted)
{
    g_autofree char *text = NULL;
    size_t length;
    g_autoptr(GError) error = NULL;
    g_assert_true(fig_file_read(path, 1000, &text, &length, &error));
    g_assert_cmpstr(text, ==, wanted);
    g_assert_cmpuint(length, ==, strlen(wanted));
}

static void
test_read(void)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *text = NULL;
    size_t length;
    g_autofree char *missing = in_folder("missing.yaml");
    g_assert_false(fig_file_read(missing, 10, &text, &length, &error));
    check_error(&error, "cannot read ‘%’: no such file or folder", missing);
    g_assert_false(fig_file_read(folder, 10, &text, &length, &error));
    check_error(&error, "cannot read ‘%’: it is a folder", folder);
    g_assert_false(fig_file_read("/dev/zero", 10, &text, &length, &error));
    check_error(&error, "cannot read ‘%’: it is no plain file", "/dev/zero");

    g_autofree char *pipe_path = in_folder("pipe");
    g_assert_cmpint(mkfifo(pipe_path, 0600), ==, 0);
    g_assert_false(fig_file_read(pipe_path, 10, &text, &length, &error));
    check_error(&error, "cannot read ‘%’: it is no plain file", pipe_path);
    g_unlink(pipe_path);

    g_autofree char *path = in_folder("ten");
    g_assert_true(g_file_set_contents(path, "0123456789", 10, NULL));
    g_assert_false(fig_file_read(path, 9, &text, &length, &error));
    check_error(&error, "cannot read ‘%’: it is larger than 9 bytes", path);
    g_assert_true(fig_file_read(path, 10, &text, &length, &error));
    g_assert_cmpuint(length, ==, 10);
    g_assert_cmpstr(text, ==, "0123456789");
    g_unlink(path);
}

static void
test_write(void)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *path = in_folder("out.svg");
    g_assert_true(fig_file_write(path, "one", 3, &error));
    check_content(path, "one");
    g_assert_true(fig_file_write(path, "two", 3, &error));
    check_content(path, "two");
    g_assert_cmpint(entries(), ==, 1);

    /* the same again leaves the file alone */
    struct stat before, after;
    g_assert_cmpint(stat(path, &before), ==, 0);
    g_assert_true(fig_file_write(path, "two", 3, &error));
    g_assert_cmpint(stat(path, &after), ==, 0);
    g_assert_cmpuint(before.st_ino, ==, after.st_ino);

    /* its permissions stay, and a link stays a link */
    g_assert_cmpint(chmod(path, 0640), ==, 0);
    g_autofree char *link_path = in_folder("link");
    g_assert_cmpint(symlink("out.svg", link_path), ==, 0);
    g_assert_true(fig_file_write(link_path, "three", 5, &error));
    g_assert_true(g_file_test(link_path, G_FILE_TEST_IS_SYMLINK));
    check_content(path, "three");
    g_assert_cmpint(stat(path, &after), ==, 0);
    g_assert_cmpuint(after.st_mode & 07777, ==, 0640);
    g_unlink(link_path);

    g_autofree char *nowhere = in_folder("no/such/out.svg");
    g_assert_false(fig_file_write(nowhere, "x", 1, &error));
    check_error(&error, "cannot write ‘%’: no such file or folder", nowhere);
    g_assert_false(fig_file_write(folder, "x", 1, &error));
    check_error(&error, "cannot write ‘%’: it is a folder", folder);
    g_autofree char *under_file = in_folder("out.svg/x");
    g_assert_false(fig_file_write(under_file, "x", 1, &error));
    check_error(&error, "cannot write ‘%’: a part of its path is no folder",
                under_file);
    g_unlink(path);
}

static void
test_devices(void)
{
    g_autoptr(GError) error = NULL;
    g_assert_false(fig_file_write("/dev/full", "x", 1, &error));
    check_error(&error, "cannot write ‘%’: no space left on the disk", "/dev/full");
    g_assert_true(fig_file_write("/dev/null", "x", 1, &error));
    struct stat status;
    g_assert_cmpint(stat("/dev/null", &status), ==, 0);
    g_assert_true(S_ISCHR(status.st_mode));
    g_assert_cmpint(stat("/dev/full", &status), ==, 0);
    g_assert_true(S_ISCHR(status.st_mode));
}

/* A limit on the size of files stands for a disk that fills while we write. */
static void
test_disk_full(void)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *path = in_folder("old.pdf");
    g_assert_true(g_file_set_contents(path, "old", 3, NULL));
    g_autofree char *bytes = g_malloc0(100000);
    struct rlimit old, small;
    getrlimit(RLIMIT_FSIZE, &old);
    small = old;
    small.rlim_cur = 5000;
    signal(SIGXFSZ, SIG_IGN);
    g_assert_cmpint(setrlimit(RLIMIT_FSIZE, &small), ==, 0);
    bool written = fig_file_write(path, bytes, 100000, &error);
    setrlimit(RLIMIT_FSIZE, &old);
    g_assert_false(written);
    g_assert_true(g_str_has_prefix(error->message, "cannot write ‘"));
    check_content(path, "old");
    g_assert_cmpint(entries(), ==, 1);
    g_unlink(path);
}

/* The base calls this in place of the system's, when all is written but not renamed. */
static int ending;

int
fsync(int fd)
{
    if (ending)
        raise(ending);
    return 0;
}

/* A child that writes, and gets a signal meanwhile; how it ended. */
static int
write_interrupted(const char *path, int number, bool ignored)
{
    pid_t child = fork();
    g_assert_cmpint(child, >=, 0);
    if (child == 0) {
        signal(number, ignored ? SIG_IGN : SIG_DFL);
        ending = number;
        _exit(fig_file_write(path, "new", 3, NULL) ? 0 : 3);
    }
    int status;
    g_assert_cmpint(waitpid(child, &status, 0), ==, child);
    return status;
}

static void
test_interrupted(void)
{
    static const int numbers[] = {SIGHUP, SIGINT, SIGTERM};
    g_autofree char *path = in_folder("figure.svg");
    for (size_t i = 0; i < G_N_ELEMENTS(numbers); i++) {
        g_assert_true(g_file_set_contents(path, "old", 3, NULL));
        int status = write_interrupted(path, numbers[i], false);
        g_assert_true(WIFSIGNALED(status));
        g_assert_cmpint(WTERMSIG(status), ==, numbers[i]);
        check_content(path, "old");
        g_assert_cmpint(entries(), ==, 1);
        status = write_interrupted(path, numbers[i], true);
        g_assert_true(WIFEXITED(status));
        g_assert_cmpint(WEXITSTATUS(status), ==, 0);
        check_content(path, "new");
        g_assert_cmpint(entries(), ==, 1);
    }
    /* afterwards signals are as before, of which who runs the tests may ignore some */
    struct sigaction before[G_N_ELEMENTS(numbers)], after;
    for (size_t i = 0; i < G_N_ELEMENTS(numbers); i++)
        g_assert_cmpint(sigaction(numbers[i], NULL, &before[i]), ==, 0);
    g_assert_true(fig_file_write(path, "newer", 5, NULL));
    for (size_t i = 0; i < G_N_ELEMENTS(numbers); i++) {
        g_assert_cmpint(sigaction(numbers[i], NULL, &after), ==, 0);
        g_assert_true(after.sa_handler == before[i].sa_handler);
    }
    g_unlink(path);
}

/* Without a right to write: a child gives root's rights away first. */
static void
test_unwritable(void)
{
    if (g_test_subprocess()) {
        const char *path = g_getenv("FIG_TEST_PATH");
        if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0))
            _exit(3);
        g_autoptr(GError) error = NULL;
        if (fig_file_write(path, "new", 3, &error))
            _exit(4);
        g_printerr("%s\n", error->message);
        _exit(g_str_has_suffix(error->message, "’: permission denied") ? 0 : 5);
    }
    g_autofree char *path = in_folder("locked");
    g_assert_true(g_file_set_contents(path, "old", 3, NULL));
    g_assert_cmpint(chmod(path, 0444), ==, 0);
    g_assert_cmpint(chmod(folder, 0555), ==, 0);
    g_setenv("FIG_TEST_PATH", path, TRUE);
    g_test_trap_subprocess(NULL, 0, 0);
    g_test_trap_assert_passed();
    g_assert_cmpint(chmod(folder, 0755), ==, 0);
    check_content(path, "old");
    g_assert_cmpint(entries(), ==, 1);
    g_unlink(path);
}

static void
test_data_path(void)
{
    g_autofree char *license = fig_data_path("LICENSE");
    g_assert_nonnull(license);
    g_autofree char *wanted =
        g_build_filename(g_getenv("OPFIG_SOURCE"), "LICENSE", NULL);
    g_assert_cmpstr(license, ==, wanted);
    g_assert_null(fig_data_path("spec/models/no-such.yaml"));
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    folder = g_dir_make_tmp("opfig-test-XXXXXX", NULL);
    g_test_add_func("/file/read", test_read);
    g_test_add_func("/file/write", test_write);
    g_test_add_func("/file/devices", test_devices);
    g_test_add_func("/file/disk-full", test_disk_full);
    g_test_add_func("/file/interrupted", test_interrupted);
    g_test_add_func("/file/unwritable", test_unwritable);
    g_test_add_func("/file/data-path", test_data_path);
    int failed = g_test_run();
    g_rmdir(folder);
    g_free(folder);
    return failed;
}
