/* SPDX-License-Identifier: MIT
 *
 * BLAS by the names of its library. It stays open: its threads may not lose their code.
 */
#include "ops/blas.h"

#include <dlfcn.h>
#include <glib.h>
#include <string.h>

/* OpenBLAS, else whatever this system has chosen. */
static const char *const names[] = {"libopenblas.so.0", "libblas.so.3", NULL};

/* ISO C knows no way from an object's address to a function's. */
static bool
find(void *library, const char *name, void *function)
{
    void *symbol = dlsym(library, name);
    memcpy(function, &symbol, sizeof symbol);
    return symbol != NULL;
}

bool
fig_blas_load(const char *const *libraries, FigBlas *blas, char **why)
{
    g_autoptr(GString) tried = g_string_new(NULL);
    for (int i = 0; libraries[i]; i++) {
        void *library = dlopen(libraries[i], RTLD_NOW | RTLD_LOCAL);
        if (library && find(library, "cblas_sgemm", &blas->sgemm) &&
            find(library, "cblas_dgemm", &blas->dgemm))
            return true;
        const char *error = dlerror();
        g_string_append_printf(tried, "%s%s", tried->len ? "; " : "",
                               error ? error : libraries[i]);
        if (library)
            dlclose(library);
    }
    if (why)
        *why = g_strdup(tried->str);
    return false;
}

const FigBlas *
fig_blas(char **why)
{
    static gsize once;
    static FigBlas blas;
    static bool found;
    static char *reason;
    if (g_once_init_enter(&once)) {
        found = fig_blas_load(names, &blas, &reason);
        g_once_init_leave(&once, 1);
    }
    if (!found && why)
        *why = g_strdup(reason);
    return found ? &blas : NULL;
}
