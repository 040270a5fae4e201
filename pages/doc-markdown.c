/* SPDX-License-Identifier: MIT
 *
 * A page in Markdown, as GitHub reads it.
 */
#include "pages/doc-parts.h"
#include "text/markdown.h"

#include <string.h>

static void
label(GString *out, const char *source)
{
    g_autofree char *text = fig_text_markdown(source);
    g_string_append(out, text);
}

static void
words(GString *out, const char *text)
{
    g_string_append(out, text);
}

static void
code(GString *out, const char *text)
{
    size_t run = 0, longest = 0;
    for (const char *c = text; *c; c++) {
        run = *c == '`' ? run + 1 : 0;
        longest = MAX(longest, run);
    }
    g_autofree char *fence = g_strnfill(longest + 1, '`');
    const char *gap = longest ? " " : "";
    g_string_append_printf(out, "%s%s", fence, gap);
    for (const char *c = text; *c; c++) {
        if (*c == '|')
            g_string_append_c(out, '\\');
        g_string_append_c(out, g_ascii_iscntrl(*c) ? ' ' : *c);
    }
    g_string_append_printf(out, "%s%s", gap, fence);
}

/* A path between the quotes of an attribute. */
static void
append_attribute(GString *out, const char *text)
{
    g_autofree char *escaped = g_markup_escape_text(text, -1);
    g_string_append(out, escaped);
}

static void
figure(GString *out, const FigDocOptions *options, const char *title)
{
    g_string_append(out, "<picture>\n");
    if (options->dark) {
        g_string_append(out,
                        "<source media=\"(prefers-color-scheme: dark)\" srcset=\"");
        append_attribute(out, options->dark);
        g_string_append(out, "\">\n");
    }
    g_string_append(out, "<img alt=\"");
    append_attribute(out, title);
    g_string_append(out, "\" src=\"");
    append_attribute(out, options->figure);
    g_string_append(out, "\">\n</picture>\n\n");
}

static void
table(GString *out, int n, const FigDocColumn *columns)
{
    for (int i = 0; i < n; i++)
        g_string_append_printf(out, "| %s ", columns[i].heading);
    g_string_append(out, "|\n");
    for (int i = 0; i < n; i++)
        g_string_append(out, columns[i].right ? "| ---: " : "| --- ");
    g_string_append(out, "|\n");
}

const FigDocFormat fig_doc_markdown = {
    .name = "markdown",
    .figure_suffix = ".svg",
    .unfit = "",
    .dark = true,
    .head = "",
    .foot = "",
    .words = words,
    .label = label,
    .code = code,
    .figure = figure,
    .table = table,
    .row = "| ",
    .cell = " | ",
    .row_end = " |\n",
    .table_end = "\n",
    .line = " <br> ",
    .strong = {"**", "**"},
    .heading = {{"# ", "\n\n"}, {"## ", "\n\n"}, {"### ", "\n\n"}},
    .holds = "✓ by ",
    .fails = "✗ by ",
};
