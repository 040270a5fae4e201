/* SPDX-License-Identifier: MIT
 *
 * The sections of a page, the words that they share, and what a format makes of them.
 * Private to pages/doc*.c.
 */
#ifndef FIG_PAGES_DOC_PARTS_H
#define FIG_PAGES_DOC_PARTS_H

#include "pages/doc.h"

/* A column of a table. */
typedef struct FigDocColumn {
    const char *heading;
    bool right; /* flush right: numbers */
    /* of the page, where a format has to be told; 0: as wide as its cells */
    double width;
} FigDocColumn;

struct FigDocFormat {
    const char *name;
    const char *figure_suffix;
    const char *unfit;       /* signs that the path of a figure cannot have */
    bool dark;               /* takes a figure for dark pages */
    const char *head, *foot; /* around the page */
    void (*words)(GString *out, const char *text);   /* that are no label: no $…$ */
    void (*label)(GString *out, const char *source); /* words with $…$ math */
    void (*code)(GString *out, const char *text);    /* also in a cell of a table */
    void (*figure)(GString *out, const FigDocOptions *options, const char *title);
    void (*table)(GString *out, int n, const FigDocColumn *columns);
    const char *row, *cell, *row_end, *table_end; /* around and between cells */
    const char *line;                             /* a new line in a cell */
    const char *strong[2];
    const char *heading[3][2]; /* from the page's own down */
    const char *holds, *fails;
};

extern const FigDocFormat fig_doc_markdown, fig_doc_latex;

typedef struct FigDoc {
    GString *out;
    const FigDocFormat *format;
    const FigRecord *record;
    const FigDocOptions *options;
} FigDoc;

/* Sections, each with its heading; nothing where there is nothing to say. */
void fig_doc_steps(FigDoc *doc);
void fig_doc_costs(FigDoc *doc);
void fig_doc_names(FigDoc *doc);

void fig_doc_heading(FigDoc *doc, int level, const char *words);
void fig_doc_words(FigDoc *doc, const char *words);
void fig_doc_integer(FigDoc *doc, int64_t number); /* "3,213,312" */
/* A label, or nothing where source is NULL. */
void fig_doc_label(FigDoc *doc, const char *source);
/* TeX without its dollar signs. */
void fig_doc_math(FigDoc *doc, const char *tex);
void fig_doc_code(FigDoc *doc, const char *text); /* nothing where it is NULL */
/* "$(B, T, 3C)$" and "1×256×1536" */
void fig_doc_shape(FigDoc *doc, int rank, const char *const *shape);
void fig_doc_size(FigDoc *doc, int rank, const int64_t *size);

/* A table: its head, each row and each cell behind the first, its end. */
void fig_doc_table(FigDoc *doc, int n, const FigDocColumn *columns);
void fig_doc_row(FigDoc *doc);
void fig_doc_cell(FigDoc *doc);
void fig_doc_row_end(FigDoc *doc);
void fig_doc_table_end(FigDoc *doc);
void fig_doc_line(FigDoc *doc); /* in a cell */

/* All FLOPs of a class of ops, or of all where class is FIG_CLASSES; INT64_MAX: beyond. */
int64_t fig_doc_flops(const FigRecord *record, FigClass class);
int64_t fig_doc_parameters(const FigRecord *record);

#endif
