/* SPDX-License-Identifier: MIT
 *
 * From a record to a scene with the options of draw.
 */
#include "cli/drawing.h"

#include <string.h>

const char *const fig_text_mode_names[] = {"live", "outline", "embed", NULL};

void
fig_drawing_finish(FigDrawing *drawing)
{
    g_free(drawing->layout);
    g_free(drawing->theme);
    g_free(drawing->width);
    g_free(drawing->text);
}

bool
fig_drawing_text(const FigDrawing *drawing, FigTextMode *mode, FigDiag *diag)
{
    *mode = FIG_TEXT_LIVE;
    for (int i = 0; drawing->text && fig_text_mode_names[i]; i++) {
        *mode = (FigTextMode)i;
        if (!strcmp(fig_text_mode_names[i], drawing->text))
            return true;
    }
    if (drawing->text && diag) {
        FigMessage *message = fig_diag_error(
            diag, (FigSpan){0}, "--text is ‘%s’; live, outline or embed is wanted",
            drawing->text);
        fig_message_suggest(message, drawing->text, fig_text_mode_names);
    }
    return !drawing->text;
}

FigScene *
fig_drawing_place(const FigDrawing *drawing, const FigRecord *record, FigFonts **fonts,
                  FigDiag *diag)
{
    FigLayoutOptions layout = {.layout = drawing->layout,
                               .theme = drawing->theme,
                               .draft = drawing->draft,
                               .transparent = drawing->transparent,
                               .version = drawing->version};
    if (!fig_drawing_text(drawing, &layout.text, diag))
        return NULL;
    if (drawing->width && !fig_options_length(drawing->width, &layout.width,
                                              &layout.unit, &layout.unit_name)) {
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
