/* SPDX-License-Identifier: MIT
 *
 * From a record to a scene with the options of draw.
 */
#include "cli/drawing.h"

void
fig_drawing_finish(FigDrawing *drawing)
{
    g_free(drawing->layout);
    g_free(drawing->theme);
    g_free(drawing->width);
}

FigScene *
fig_drawing_place(const FigDrawing *drawing, const FigRecord *record, FigFonts **fonts,
                  FigDiag *diag)
{
    FigLayoutOptions layout = {.layout = drawing->layout,
                               .theme = drawing->theme,
                               .draft = drawing->draft};
    if (drawing->width && !fig_options_length(drawing->width, &layout.width)) {
        fig_diag_error(diag, (FigSpan){0},
                       "--width is ‘%s’; a length such as 140mm, 5.5in or 396pt is "
                       "wanted",
                       drawing->width);
        return NULL;
    }
    g_autoptr(GError) error = NULL;
    if (!*fonts && !(*fonts = fig_fonts_new(&error))) {
        fig_diag_error(diag, (FigSpan){0}, "%s", error->message);
        return NULL;
    }
    g_autofree char *line = fig_work_options_line(record, &layout);
    layout.options = line;
    FigScene *scene = fig_layout_place(record, &layout, *fonts, diag);
    if (scene)
        fig_fonts_report(*fonts, diag);
    return scene;
}
