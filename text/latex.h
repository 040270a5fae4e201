/* SPDX-License-Identifier: MIT
 *
 * A label for a LaTeX document, to be set by the document's own fonts. Needs no package:
 * of amsmath nothing is used.
 */
#ifndef FIG_TEXT_LATEX_H
#define FIG_TEXT_LATEX_H

/* The label as LaTeX, words and $…$: "matmul $W_{\mathit{qkv}}:C\to 3C$". Every character
 * that LaTeX treats in its own way, alone or before another, is written so that it prints
 * as itself; a label whose math cannot be parsed is words as a whole.
 *
 * owns     the caller
 */
char *fig_text_latex(const char *source);

#endif
