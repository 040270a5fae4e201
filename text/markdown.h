/* SPDX-License-Identifier: MIT
 *
 * A label in Markdown as GitHub reads it: words with $…$ math that MathJax sets.
 */
#ifndef FIG_TEXT_MARKDOWN_H
#define FIG_TEXT_MARKDOWN_H

/* The label in Markdown, also for a cell of a table: "matmul $W_{\mathit{qkv}}:C\to 3C$".
 * Every character that Markdown or HTML treats in its own way is written so that it prints
 * as itself; a label whose math cannot be parsed is words as a whole.
 *
 * owns     the caller
 */
char *fig_text_markdown(const char *source);

#endif
