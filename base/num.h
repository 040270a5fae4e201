/* SPDX-License-Identifier: MIT
 *
 * The only place where a number becomes text, and text a number: independent of the
 * locale, without «-0», the same on every machine.
 */
#ifndef FIG_BASE_NUM_H
#define FIG_BASE_NUM_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* Append value with at most decimals digits after the point, trailing zeros removed
 * ("12.5", "-0.25", "3"); for coordinates. Not finite: "nan", "inf", "-inf". */
void fig_num_fixed(GString *out, double value, int decimals);

/* Append the shortest text that reads back as the same double ("1e-06", "0.1"). */
void fig_num_shortest(GString *out, double value);

/* Append value rounded to digits significant digits ("1.234e-05", "3.142"). */
void fig_num_significant(GString *out, double value, int digits);

/* Append an integer, with commas between thousands when commas ("3,213,312"). */
void fig_num_integer(GString *out, int64_t value, bool commas);

/* Append a number of at least 0 by its unit, k, M, G, T, P or E, with four digits
 * ("676.1 M", "1.110 G"); less than 10000 as it is ("5120"). */
void fig_num_unit(GString *out, int64_t value);

/* Read a decimal integer or real that takes up all of text; false otherwise. */
bool fig_num_read_integer(const char *text, int64_t *value);
bool fig_num_read_real(const char *text, double *value);

#endif
