/* SPDX-License-Identifier: MIT
 *
 * The table of formats, generated from the list of words in render/meson.build: a word
 * `svg` there stands for the row fig_output_svg in render/svg.c.
 */
#include "render/output.h"

#include <string.h>

#include "render/output-table.h"

const FigOutput *const *
fig_output_all(void)
{
    return output_table;
}

const FigOutput *
fig_output_lookup(const char *path)
{
    size_t length = strlen(path);
    for (const FigOutput *const *row = output_table; *row; row++) {
        size_t suffix = strlen((*row)->suffix);
        if (length > suffix &&
            g_ascii_strcasecmp(path + length - suffix, (*row)->suffix) == 0)
            return *row;
    }
    return NULL;
}
