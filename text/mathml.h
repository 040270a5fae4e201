/* SPDX-License-Identifier: MIT
 *
 * A label for a web page: MathML Core, which browsers set by themselves.
 */
#ifndef FIG_TEXT_MATHML_H
#define FIG_TEXT_MATHML_H

/* The label as words and <math> elements, well-formed as XML and as HTML alike. A label
 * whose math cannot be parsed is words as a whole; what XML forbids and what turns the
 * direction of writing becomes U+FFFD.
 *
 * owns     the caller
 */
char *fig_text_mathml(const char *source);

#endif
