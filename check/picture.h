/* SPDX-License-Identifier: MIT
 *
 * Formats whose files are not read mark by mark: they are drawn again and compared. Each is a
 * row of one table.
 */
#ifndef FIG_CHECK_PICTURE_H
#define FIG_CHECK_PICTURE_H

#include "check/same.h"

typedef struct FigPicture {
    const char *name; /* "pdf", as that of its FigOutput */
    /* What versions that differ leave open, where two files are nearly the same, where things
     * moved: "fonts inside". */
    const char *nearly, *moved;

    /* Read what a file carries: the spec, the options, the digest of the record, the version
     * of opfig, and that of cairo which drew it (NULL: not said).
     *
     * owns     arena
     * errors   no file of that format, or none of ours: false
     */
    bool (*read)(const char *bytes, size_t length, FigArena *arena,
                 FigCarried *carried);

    /* Compare two files, the second drawn here; versions: what drew the first. */
    FigSame (*same)(const char *a, size_t a_length, const char *b, size_t b_length,
                    const FigVersions *versions);

    /* The resolution that a file was drawn at, whose page has such a size, or NULL: it has
     * none.
     *
     * units    points; dots an inch
     * errors   as no page of that size is drawn: 0; too many dots to draw them again: NAN
     */
    double (*dpi)(const char *bytes, size_t length, double width, double height);
} FigPicture;

/* The row of a format, or NULL: it has none. owns: nobody, it is static */
const FigPicture *fig_picture_lookup(const char *name);

/* Read "opfig 0.1.0, cairo 1.16.0, FreeType 2.12.1"; what is not there is left. owns: arena */
void fig_picture_versions(const char *text, FigArena *arena, FigCarried *carried);

#endif
