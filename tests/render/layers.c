/* SPDX-License-Identifier: MIT
 *
 * Not a test: the marks and the texts of a figure, each alone on its page, so that other
 * programs' pictures of them can be measured against ours.
 *
 *   layers RECORD.json THEME WIDTH [FOLDER DPI]
 *
 * prints a line for each thing in the order of drawing: `mark` or `text`, its ink box in
 * points, the size of its smallest letters (of a mark 0), its op or its words. WIDTH is in
 * points, 0 the usual one. With FOLDER it also writes FOLDER/marks.png and FOLDER/texts.png.
 */
#include "base/num.h"
#include "layouts/layout.h"
#include "render/output.h"

#include <stdio.h>
#include <string.h>

static void
print_box(const char *kind, const double box[4], double size, const char *name)
{
    g_autoptr(GString) line = g_string_new(kind);
    for (int i = 0; i < 5; i++) {
        g_string_append_c(line, ' ');
        fig_num_fixed(line, i < 4 ? box[i] : size, 3);
    }
    printf("%s %s\n", line->str, name);
}

static void
print_text(const FigItem *item)
{
    const FigTextBox *box = item->text;
    double size = 1000;
    for (int i = 0; i < box->n_runs; i++)
        if (!box->runs[i].ghost)
            size = MIN(size, box->runs[i].size);
    print_box("text",
              (double[]){item->text_x + box->ink_left, item->text_y + box->ink_top,
                         item->text_x + box->ink_right, item->text_y + box->ink_bottom},
              size, box->plain);
}

static void
print_mark(const FigItem *item, const char *op)
{
    double half = item->stroke == FIG_INK_NONE ? 0 : item->stroke_width / 2;
    double box[4] = {item->x, item->y, item->x + item->width, item->y + item->height};
    if (item->kind == FIG_ITEM_PATH) { /* a circle: its control points bound it */
        for (int i = 0; i < item->path.n_points; i++) {
            const double *at = item->path.points[i];
            box[0] = i ? MIN(box[0], at[0]) : at[0];
            box[1] = i ? MIN(box[1], at[1]) : at[1];
            box[2] = i ? MAX(box[2], at[0]) : at[0];
            box[3] = i ? MAX(box[3], at[1]) : at[1];
        }
    }
    print_box("mark",
              (double[]){box[0] - half, box[1] - half, box[2] + half, box[3] + half}, 0,
              op);
}

/* Unlink all but the first shape of each op, or all but the texts. */
static void
keep(FigItem *group, bool texts)
{
    FigItem *first = NULL, *last = NULL, *next;
    bool begun = false; /* the op has its mark */
    for (FigItem *item = group->first; item; item = next) {
        bool kept = item->kind == FIG_ITEM_GROUP;
        next = item->next;
        item->next = NULL;
        if (kept) {
            keep(item, texts);
        } else if (item->kind == FIG_ITEM_TEXT) {
            kept = texts && item->text->n_runs > 0;
            if (kept)
                print_text(item);
        } else if (!texts && group->means.op && !begun) {
            kept = begun = true;
            print_mark(item, group->means.op);
        }
        if (!kept)
            continue;
        if (last)
            last->next = item;
        else
            first = item;
        last = item;
    }
    group->first = first;
    group->last = last;
}

typedef struct Wanted {
    const FigRecord *record;
    FigFonts *fonts;
    FigLayoutOptions options;
    const char *folder; /* NULL: print only */
    double dpi;
} Wanted;

static bool
write_layer(const Wanted *wanted, bool texts, GError **error)
{
    g_autoptr(FigDiag) diag = fig_diag_new();
    g_autoptr(FigScene) scene =
        fig_layout_place(wanted->record, &wanted->options, wanted->fonts, diag);
    g_autoptr(GString) bytes = g_string_new(NULL);
    const FigWriteOptions options = {.dpi = wanted->dpi};
    if (!scene) {
        fig_diag_print(diag, bytes, false);
        g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "%s", bytes->str);
        return false;
    }
    keep(scene->root, texts);
    if (!wanted->folder)
        return true;
    g_autofree char *path =
        g_build_filename(wanted->folder, texts ? "texts.png" : "marks.png", NULL);
    return fig_output_lookup(path)->write(scene, &options, bytes, error) &&
           g_file_set_contents(path, bytes->str, (gssize)bytes->len, error);
}

int
main(int argc, char **argv)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(FigFonts) fonts = fig_fonts_new(&error);
    g_autofree char *json = NULL;
    gsize length;
    Wanted wanted = {.fonts = fonts};
    if ((argc != 4 && argc != 6) ||
        !fig_num_read_real(argv[3], &wanted.options.width) ||
        (argc == 6 && !fig_num_read_real(argv[5], &wanted.dpi))) {
        fprintf(stderr, "layers RECORD.json THEME WIDTH [FOLDER DPI]\n");
        return 2;
    }
    wanted.options.theme = argv[2];
    wanted.folder = argc == 6 ? argv[4] : NULL;
    FigRecord *record = fonts && g_file_get_contents(argv[1], &json, &length, &error)
                            ? fig_record_read(json, length, &error)
                            : NULL;
    wanted.record = record;
    bool done = record && write_layer(&wanted, false, &error) &&
                write_layer(&wanted, true, &error);
    fig_record_free(record);
    if (!done)
        fprintf(stderr, "%s\n", error->message);
    return done ? 0 : 2;
}
