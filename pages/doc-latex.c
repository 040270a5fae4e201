/* SPDX-License-Identifier: MIT
 *
 * A page as a document for pdflatex: tables that go over pages, code that breaks behind
 * its dots.
 */
#include "pages/doc-parts.h"
#include "text/latex.h"

#include <string.h>

#define SIGNS "%#&^_~ "       /* of TeX, that may be letters of a path … */
#define UNFIT "\\{}$\"\n\r\t" /* … and those that may not */

static void
label(GString *out, const char *source)
{
    g_autofree char *text = fig_text_latex(source);
    g_string_append(out, text);
}

/* Words are a label whose dollar signs are signs. */
static void
words(GString *out, const char *text)
{
    g_auto(GStrv) parts = g_strsplit(text, "$", -1);
    g_autofree char *escaped = g_strjoinv("\\$", parts);
    label(out, escaped);
}

static void
code(GString *out, const char *text)
{
    g_string_append(out, "\\texttt{");
    for (const char *c = text; *c; c = g_utf8_next_char(c)) {
        g_autofree char *one = g_strndup(c, (gsize)(g_utf8_next_char(c) - c));
        words(out, one);
        if (strchr("._/,(", *c))
            g_string_append(out, "\\allowbreak{}");
    }
    g_string_append_c(out, '}');
}

/* The path of a file as TeX takes it: one with signs of TeX is read while these are letters. */
static void
figure(GString *out, const FigDocOptions *options, const char *title)
{
    const char *path = options->figure;
    if (strpbrk(path, SIGNS)) {
        g_string_append(out, "{");
        for (const char *sign = SIGNS; *sign; sign++)
            g_string_append_printf(out, "\\catcode%d=12", *sign);
        g_string_append_printf(out, "\\gdef\\figurefile{%s}}%%\n", path);
        path = "\\figurefile";
    }
    g_string_append_printf(out,
                           "\\begin{center}\n\\includegraphics[width=\\linewidth,"
                           "height=0.85\\textheight,keepaspectratio]{%s}\n"
                           "\\end{center}\n\n",
                           path);
}

static void
table(GString *out, int n, const FigDocColumn *columns)
{
    g_string_append(out, "{\\small\\noindent\\begin{longtable}[l]{@{}");
    for (int i = 0; i < n; i++) {
        if (columns[i].width > 0)
            g_string_append_printf(
                out, ">{\\raggedright\\arraybackslash}p{%d.%02d\\linewidth}", 0,
                (int)(100 * columns[i].width + 0.5));
        else
            g_string_append_c(out, columns[i].right ? 'r' : 'l');
    }
    g_string_append(out, "@{}}\n\\hline\n");
    for (int i = 0; i < n; i++)
        g_string_append_printf(out, "%s%s", i ? " & " : "", columns[i].heading);
    g_string_append(out, " \\\\\n\\hline\n\\endhead\n");
}

const FigDocFormat fig_doc_latex = {
    .name = "latex",
    .figure_suffix = ".pdf",
    .unfit = UNFIT,
    .head = "\\documentclass{article}\n"
            "\\usepackage[a4paper,landscape,margin=18mm]{geometry}\n"
            "\\usepackage{array,graphicx,longtable}\n"
            "\\setlength{\\tabcolsep}{4pt}\n"
            "\\renewcommand{\\arraystretch}{1.2}\n"
            "\\begin{document}\n",
    .foot = "\\end{document}\n",
    .words = words,
    .label = label,
    .code = code,
    .figure = figure,
    .table = table,
    .row = "",
    .cell = " & ",
    .row_end = " \\\\\n",
    .table_end = "\\hline\n\\end{longtable}}\n\n",
    .line = "\\newline ",
    .strong = {"\\textbf{", "}"},
    .heading = {{"\\section*{", "}\n\n"},
                {"\\subsection*{", "}\n\n"},
                {"\\subsubsection*{", "}\n\n"}},
    .holds = "holds, by ",
    .fails = "does not hold, by ",
};
