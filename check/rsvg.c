/* SPDX-License-Identifier: MIT
 *
 * librsvg by the name of its library. It stays open: what it has registered with GLib may
 * not lose its code.
 */
#include "check/rsvg.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

/* ISO C knows no way from an object's address to a function's. */
static bool
find(void *library, const char *name, void *function)
{
    void *symbol = dlsym(library, name);
    memcpy(function, &symbol, sizeof symbol);
    return symbol != NULL;
}

/* Symbols of pango are found in the libraries that librsvg stands on. */
static bool
load(FigRsvg *rsvg, char **why)
{
    void *library = dlopen("librsvg-2.so.2", RTLD_NOW | RTLD_LOCAL);
    const unsigned *major = NULL, *minor = NULL, *micro = NULL;
    if (library && find(library, "rsvg_handle_new_from_data", &rsvg->read) &&
        find(library, "rsvg_handle_render_document", &rsvg->render) &&
        find(library, "pango_cairo_font_map_new_for_font_type", &rsvg->fonts_new) &&
        find(library, "pango_cairo_font_map_set_default", &rsvg->fonts_use) &&
        find(library, "rsvg_major_version", &major) &&
        find(library, "rsvg_minor_version", &minor) &&
        find(library, "rsvg_micro_version", &micro)) {
        g_snprintf(rsvg->name, sizeof rsvg->name, "librsvg %u.%u.%u", *major, *minor,
                   *micro);
        return true;
    }
    const char *error = dlerror();
    *why = g_strdup(error ? error : "librsvg-2.so.2 cannot be loaded");
    return false;
}

const FigRsvg *
fig_rsvg(char **why)
{
    static gsize once;
    static FigRsvg rsvg;
    static bool found;
    static char *reason;
    if (g_once_init_enter(&once)) {
        found = load(&rsvg, &reason);
        g_once_init_leave(&once, 1);
    }
    if (!found && why)
        *why = g_strdup(reason);
    return found ? &rsvg : NULL;
}
