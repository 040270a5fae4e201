/* SPDX-License-Identifier: MIT
 *
 * From strings to set text: labels and sentences, lines that are broken, polynomials and
 * numbers as a person writes them.
 */
#include "layouts/texts.h"

#include <stdlib.h>
#include <string.h>

const FigTextBox *
fig_plan_text(FigPlan *plan, const char *source, FigFace face, double size)
{
    FigTextStyle style = {.face = face, .size = size};

    return fig_text_set(plan->fonts, plan->arena, source, &style, (FigSpan){0},
                        plan->diag);
}

/* Lines about equally long: as few as the width allows, then as narrow as that many can
 * be. */
const FigTextBox *const *
fig_plan_wrap(FigPlan *plan, const char *source, const FigTextStyle *style,
              double width, int *n_lines)
{
    const FigTextBox *const *lines =
        fig_text_wrap(plan->fonts, plan->arena, source, style, width, n_lines,
                      (FigSpan){0}, plan->diag);
    double low = width / 2, high = width;

    while (lines && *n_lines > 1 && high - low > 2) {
        double middle = (low + high) / 2;
        int n;
        const FigTextBox *const *tried =
            fig_text_wrap(plan->fonts, plan->arena, source, style, middle, &n,
                          (FigSpan){0}, plan->diag);

        if (n > *n_lines || fig_lines_width(tried, n) > middle + 0.01) {
            low = middle;
        } else {
            high = middle;
            lines = tried;
        }
    }
    return lines;
}

double
fig_plan_leading(const FigTextBox *const *lines, int i, double least)
{
    return MAX(least, lines[i - 1]->ink_bottom - lines[i]->ink_top + 0.8);
}

double
fig_lines_width(const FigTextBox *const *lines, int n)
{
    double widest = 0;

    for (int i = 0; i < n; i++)
        widest = MAX(widest, lines[i]->width);
    return widest;
}

double
fig_lines_height(const FigTextBox *const *lines, int n, double least)
{
    double height = n > 0 ? least : 0;

    for (int i = 1; i < n; i++)
        height += fig_plan_leading(lines, i, least);
    return height;
}

const char *
fig_plan_sentence(FigPlan *plan, const FigSentence *sentence)
{
    g_autofree char *text = fig_sentence_text(sentence);

    return fig_arena_strdup(plan->arena, text);
}

/* ---- expressions ---- */

const char *
fig_plan_tex(FigPlan *plan, const char *expression)
{
    g_autofree char *tex = fig_record_tex(plan->record, expression);

    return fig_arena_strdup(plan->arena, tex);
}

const char *
fig_plan_number_tex(FigPlan *plan, const char *text)
{
    const char *e = strpbrk(text, "eE");
    long exponent;

    if (!e)
        return text;
    exponent = strtol(e + 1, NULL, 10);
    if (e - text == 1 && *text == '1')
        return fig_arena_printf(plan->arena, "10^{%ld}", exponent);
    return fig_arena_printf(plan->arena, "%.*s \\cdot 10^{%ld}", (int)(e - text), text,
                            exponent);
}
