/* SPDX-License-Identifier: MIT
 *
 * A format is a row: one file in render/ and one word in render/meson.build. A writer sees
 * the scene and nothing else.
 */
#ifndef FIG_RENDER_OUTPUT_H
#define FIG_RENDER_OUTPUT_H

#include "layouts/scene.h"

typedef struct FigWriteOptions {
    double dpi; /* PNG; 0: 1850 px for 396 pt */
} FigWriteOptions;

typedef struct FigOutput {
    const char *name;   /* "svg" */
    const char *suffix; /* ".svg" */
    const char *help;   /* one line, for the README's table and --help */
    /* Append the bytes of the file to out.
     *
     * errors   too large, a font that cannot be read; false */
    bool (*write)(const FigScene *scene, const FigWriteOptions *options, GString *out,
                  GError **error);
} FigOutput;

/* All formats, ended by NULL; one by the suffix of a file name, or NULL. */
const FigOutput *const *fig_output_all(void);
const FigOutput *fig_output_lookup(const char *path);

#endif
