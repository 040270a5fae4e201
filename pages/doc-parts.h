/* SPDX-License-Identifier: MIT
 *
 * The sections of the page, and the words that they share. Private to pages/doc*.c.
 */
#ifndef FIG_PAGES_DOC_PARTS_H
#define FIG_PAGES_DOC_PARTS_H

#include "pages/doc.h"

/* Sections, each with its heading; nothing where there is nothing to say. */
void fig_doc_steps(GString *out, const FigRecord *record);
void fig_doc_costs(GString *out, const FigRecord *record, const FigDocOptions *options);
void fig_doc_names(GString *out, const FigRecord *record);

/* A label, or nothing where source is NULL. */
void fig_doc_label(GString *out, const char *source);
/* TeX without its dollar signs. */
void fig_doc_math(GString *out, const char *tex);
/* An id or expression as code, also in a cell of a table. */
void fig_doc_code(GString *out, const char *text);
/* "$(B, T, 3C)$" and "1×256×1536" */
void fig_doc_shape(GString *out, const FigRecord *record, int rank,
                   const char *const *shape);
void fig_doc_size(GString *out, int rank, const int64_t *size);

/* All FLOPs of a class of ops, or of all where class is FIG_CLASSES; INT64_MAX: beyond. */
int64_t fig_doc_flops(const FigRecord *record, FigClass class);
int64_t fig_doc_parameters(const FigRecord *record);

#endif
