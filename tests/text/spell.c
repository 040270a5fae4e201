/* SPDX-License-Identifier: MIT
 *
 * Sets labels for a check in another language: each line of stdin is a label, each line of
 * stdout its width in Latin Modern at 10 points, a TAB, and the label as LaTeX.
 */
#include "text/latex.h"
#include "text/text.h"

#include <stdio.h>
#include <string.h>

int
main(void)
{
    g_autoptr(GError) error = NULL;
    FigFonts *fonts = fig_fonts_new(&error);
    if (!fonts || !fig_fonts_set_words(fonts, "LM Roman 10")) {
        fprintf(stderr, "%s\n", error ? error->message : "no Latin Modern");
        return 1;
    }
    char line[4096];
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = '\0';
        g_autoptr(FigArena) arena = fig_arena_new();
        g_autoptr(FigDiag) diag = fig_diag_new();
        const FigTextStyle style = {.face = FIG_FACE_SANS, .size = 10};
        const FigTextBox *box =
            fig_text_set(fonts, arena, line, &style, (FigSpan){0}, diag);
        g_autofree char *latex = fig_text_latex(line);
        printf("%.4f\t%s\n", box ? box->width : -1.0, latex);
    }
    fig_fonts_free(fonts);
    return 0;
}
