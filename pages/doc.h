/* SPDX-License-Identifier: MIT
 *
 * A model as a page: the figure, every step with what it reads, writes and costs, the
 * claims, the names of its values elsewhere. All of it is the record's. One row for each
 * format of such a page.
 */
#ifndef FIG_PAGES_DOC_H
#define FIG_PAGES_DOC_H

#include "exec/record.h"

typedef struct FigDocOptions {
    const char *figure; /* the drawing, from where the page lies: "olmo2-block.svg" */
    const char *dark;   /* the same for dark pages, or NULL */
    int64_t memory; /* bytes that the values of a run need at one time; < 0: unknown */
    int64_t cache;  /* bytes of keys and values that a decoder keeps; ≤ 0: none */
} FigDocOptions;

typedef struct FigDocFormat FigDocFormat;

/* "markdown", as GitHub reads it; "latex", a document for pdflatex. NULL: none of these. */
const FigDocFormat *fig_doc_format(const char *name);

/* The suffix of a figure that such a page can show: ".svg", ".pdf". */
const char *fig_doc_figure_suffix(const FigDocFormat *format);

/* Signs that the path of a figure cannot have in such a page; may it have one for dark pages? */
const char *fig_doc_unfit(const FigDocFormat *format);
bool fig_doc_takes_dark(const FigDocFormat *format);

/* Append the page.
 *
 * units    memory and cache are bytes
 */
void fig_doc_write(const FigRecord *record, const FigDocFormat *format,
                   const FigDocOptions *options, GString *out);

#endif
