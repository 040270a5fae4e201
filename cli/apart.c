/* SPDX-License-Identifier: MIT
 *
 * A file that exists is known by device and inode, so that links and other spellings are
 * seen through; one that does not by the real path of its folder and its name there.
 */
#include "cli/apart.h"

#include "base/file.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct File {
    char *option, *path;
    bool written;
} File;

struct FigApart {
    GArray *files; /* of File */
};

static void
clear_file(void *data)
{
    File *file = data;
    g_free(file->option);
    g_free(file->path);
}

FigApart *
fig_apart_new(void)
{
    FigApart *apart = g_new(FigApart, 1);
    apart->files = g_array_new(false, false, sizeof(File));
    g_array_set_clear_func(apart->files, clear_file);
    return apart;
}

void
fig_apart_free(FigApart *apart)
{
    if (!apart)
        return;
    g_array_unref(apart->files);
    g_free(apart);
}

static void
add(FigApart *apart, const char *option, const char *path, bool written)
{
    const File file = {g_strdup(option), g_strdup(path), written};
    g_array_append_val(apart->files, file);
}

void
fig_apart_read(FigApart *apart, const char *option, const char *path)
{
    if (path && g_file_test(path, G_FILE_TEST_EXISTS))
        add(apart, option, path, false);
}

void
fig_apart_written(FigApart *apart, const char *option, const char *path)
{
    if (path)
        add(apart, option, path, true);
}

/* Which files an index names is known once it is read; here all that may be of it are. */
void
fig_apart_read_weights(FigApart *apart, const char *option, const char *path)
{
    if (!path)
        return;
    bool folder = g_file_test(path, G_FILE_TEST_IS_DIR);
    g_autofree char *parent = folder ? g_strdup(path) : g_path_get_dirname(path);
    fig_apart_read(apart, option, path);
    if (!folder && !g_str_has_suffix(path, ".index.json"))
        return;
    g_autoptr(GDir) entries = g_dir_open(parent, 0, NULL);
    for (const char *name; entries && (name = g_dir_read_name(entries));) {
        g_autofree char *inside = g_build_filename(parent, name, NULL);
        if (g_str_has_suffix(name, ".safetensors") || g_str_has_suffix(name, ".json"))
            fig_apart_read(apart, option, inside);
    }
}

/* The path of a file that is not there yet: its folder's, without links, and its name. owns:
 * the caller; NULL: there is no such folder */
static char *
place_of(const char *path)
{
    g_autofree char *folder = g_path_get_dirname(path);
    g_autofree char *name = g_path_get_basename(path);
    char *real = realpath(folder, NULL);
    char *place = real ? g_build_filename(real, name, NULL) : NULL;
    free(real);
    return place;
}

static bool
is_same(const char *one, const char *other)
{
    struct stat a, b;
    bool there = stat(one, &a) == 0;
    if (there != (stat(other, &b) == 0))
        return false;
    if (there)
        return S_ISREG(a.st_mode) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
    g_autofree char *first = place_of(one);
    g_autofree char *second = place_of(other);
    return first && second && strcmp(first, second) == 0;
}

/* Another file that this output would destroy, or that would destroy it; NULL: none. Of two
 * outputs the later one says so. */
static const File *
in_the_way(const FigApart *apart, guint output)
{
    const File *file = &g_array_index(apart->files, File, output);
    for (guint i = 0; i < apart->files->len; i++) {
        const File *other = &g_array_index(apart->files, File, i);
        if ((other->written ? i < output : i != output) &&
            is_same(file->path, other->path))
            return other;
    }
    return NULL;
}

bool
fig_apart_check(const FigApart *apart, FigDiag *diag)
{
    bool good = true;
    for (guint i = 0; i < apart->files->len; i++) {
        const File *file = &g_array_index(apart->files, File, i);
        g_autoptr(GError) error = NULL;
        const File *other = file->written ? in_the_way(apart, i) : NULL;
        if (other && other->written)
            fig_diag_error(diag, (FigSpan){0}, "‘%s’ would be written twice (%s, %s)",
                           file->path, other->option, file->option);
        else if (other)
            fig_diag_error(diag, (FigSpan){0},
                           "‘%s’ is read (%s), and %s would write over it", file->path,
                           other->option, file->option);
        else if (file->written && !fig_file_may_write(file->path, &error))
            fig_diag_error(diag, (FigSpan){0}, "%s", error->message);
        else
            continue;
        good = false;
    }
    return good;
}
