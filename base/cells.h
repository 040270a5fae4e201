/* SPDX-License-Identifier: MIT
 *
 * Words as a person sees them: width in terminal cells, and which word was meant.
 */
#ifndef FIG_BASE_CELLS_H
#define FIG_BASE_CELLS_H

#include <stddef.h>

/* The width of length bytes of UTF-8 in terminal cells: wide characters take two,
 * combining ones none; a byte that is not UTF-8 and a control character take one. */
int fig_cells(const char *text, size_t length);

/* The number of single edits (insert, delete, replace, swap neighbours) between two
 * words; more than limit gives limit + 1. */
int fig_word_distance(const char *a, const char *b, int limit);

/* The one of words (NULL-terminated) that word was probably meant to be, or NULL.
 *
 * owns     borrowed from words
 */
const char *fig_word_suggest(const char *word, const char *const *words);

#endif
