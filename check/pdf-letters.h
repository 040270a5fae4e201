/* SPDX-License-Identifier: MIT
 *
 * Where the letters of a page of a PDF stand: each font lists how wide its letters are, and
 * where a letter stands follows from those before it, from the numbers between them, and
 * from the place of the text.
 */
#ifndef FIG_CHECK_PDF_LETTERS_H
#define FIG_CHECK_PDF_LETTERS_H

#include <glib.h>

typedef struct FigPdfLetters FigPdfLetters;

/* A page whose fonts are those that the objects of its file (all that is no stream) name.
 *
 * owns     the caller, fig_pdf_letters_free; nothing is kept of objects
 */
FigPdfLetters *fig_pdf_letters_new(const char *objects);
void fig_pdf_letters_free(FigPdfLetters *page);

/* What an operation does to the place of the next letter, by its operator and numbers:
 * BT, Td, Tm. Of Tf name is the font: "/f-1-0". */
void fig_pdf_letters_operate(FigPdfLetters *page, const char *op, const char *name,
                             const double *numbers, guint n);

/* A number between two pieces of a text. */
void fig_pdf_letters_space(FigPdfLetters *page, double number);

/* A piece of a text, as the page has it between ( ) or < >: append where each of its
 * letters stands, x and y.
 *
 * units    points
 * errors   a letter of which nobody says how wide it is: what follows stands at NaN
 */
void fig_pdf_letters_show(FigPdfLetters *page, const GString *bytes, GArray *places);

#endif
