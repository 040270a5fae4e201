/* SPDX-License-Identifier: MIT
 *
 * opfig draw: a spec, or the record of a run, as a figure.
 */
#include "base/file.h"
#include "base/limit.h"
#include "base/num.h"
#include "cli/apart.h"
#include "cli/drawing.h"
#include "cli/work.h"
#include "render/output.h"

#include <stdio.h>
#include <string.h>

/* Write the scene in every format asked for; all formats are made before the first file
 * is written, so that a fault in one leaves all files as they were. */
static bool
write_files(const FigScene *scene, char **files, double dpi, bool quiet, GError **error)
{
    int n = (int)g_strv_length(files);
    g_autoptr(GPtrArray) contents =
        g_ptr_array_new_with_free_func((GDestroyNotify)g_bytes_unref);
    const FigWriteOptions options = {.dpi = dpi};
    for (int i = 0; i < n; i++) {
        GString *bytes = g_string_new(NULL);
        bool ok = fig_output_lookup(files[i])->write(scene, &options, bytes, error);
        g_ptr_array_add(contents, g_string_free_to_bytes(bytes));
        if (!ok)
            return false;
    }
    for (int i = 0; i < n; i++) {
        gsize length;
        const void *bytes = g_bytes_get_data(contents->pdata[i], &length);
        if (!fig_file_write(files[i], bytes, length, error))
            return false;
        if (!quiet)
            printf("%s\n", files[i]);
    }
    return true;
}

static int
check_files(const FigCommand *self, char **files)
{
    if (!files || !*files)
        return fig_usage_error(self, "no file is named; say -o FILE.svg, .pdf or .png");
    for (char **file = files; *file; file++) {
        if (fig_output_lookup(*file))
            continue;
        g_autoptr(GString) known = g_string_new(NULL);
        for (const FigOutput *const *one = fig_output_all(); *one; one++)
            g_string_append_printf(known, "%s%s", known->len ? ", " : "",
                                   (*one)->suffix);
        return fig_usage_error(self, "‘%s’ has no known suffix; known are %s", *file,
                               known->str);
    }
    return FIG_EXIT_OK;
}

/* No figure is written over what it is drawn from, nor over another. */
static bool
check_apart(const FigOptions *options, const FigDrawing *drawing, const char *spec,
            const char *record, char **files, FigDiag *diag)
{
    g_autoptr(FigApart) apart = fig_apart_new();
    fig_apart_read(apart, "SPEC", spec);
    fig_apart_read(apart, "--record", record);
    fig_apart_read(apart, "--config", options->config);
    fig_apart_read(apart, "--layout", drawing->layout);
    fig_apart_read(apart, "--theme", drawing->theme);
    for (char **file = files; *file; file++)
        fig_apart_written(apart, "-o", *file);
    return fig_apart_check(apart, diag);
}

static bool
read_record(FigWork *work, const char *path)
{
    g_autofree char *json = NULL;
    gsize length;
    g_autoptr(GError) error = NULL;
    if (fig_file_read(path, FIG_LIMIT_FILE, &json, &length, &error))
        work->record = fig_record_read(json, length, &error);
    if (!work->record)
        fig_diag_error(work->diag, (FigSpan){0}, "%s: %s", path, error->message);
    return work->record != NULL;
}

static int
draw(const FigCommand *self, int argc, char **argv)
{
    g_auto(GStrv) files = NULL;
    g_autofree char *record = NULL;
    double dpi = 0;
    g_auto(FigDrawing) drawing = {0};
    const GOptionEntry entries[] = {
        {"output", 'o', 0, G_OPTION_ARG_FILENAME_ARRAY, &files,
         "Write this file; the suffix names the format; may be repeated", "FILE"},
        {"record", 0, 0, G_OPTION_ARG_FILENAME, &record,
         "Draw the record of a run instead of a spec", "R.json"},
        {"dpi", 0, 0, G_OPTION_ARG_DOUBLE, &dpi,
         "Resolution of a PNG (default: 1850 pixels for 396 pt)", "N"},
        FIG_DRAWING_ENTRIES(drawing),
        G_OPTION_ENTRY_NULL,
    };
    g_auto(FigOptions) options = {0};
    int code;
    if (!fig_options_parse(&options, self, FIG_OPTIONS_SPEC, entries, &argc, &argv,
                           &code))
        return code;
    if (argc - 1 != (record ? 0 : 1))
        return fig_usage_error(self,
                               record ? "--record takes the place of a SPEC"
                                      : "one SPEC is wanted, %d are given",
                               argc - 1);
    if (record && (options.dims || options.set || options.config || options.preset))
        return fig_usage_error(
            self, "a record is drawn at the dims of its run; --dims, --set, "
                  "--config and --preset do not go with --record");
    if (dpi < 0 || dpi > 2400)
        return fig_usage_error(self, "--dpi is out of range; 1 to 2400 is wanted");
    if ((code = check_files(self, files)) != FIG_EXIT_OK)
        return code;

    g_auto(FigWork) work = {0};
    fig_work_init(&work, &options);
    g_autoptr(FigScene) scene = NULL;
    g_autoptr(FigFonts) fonts = NULL;
    const char *spec = record ? NULL : argv[1];
    bool sound = check_apart(&options, &drawing, spec, record, files, work.diag) &&
                 (record ? read_record(&work, record)
                         : fig_work_load(&work, spec, &options.load) &&
                               fig_work_record(&work, 0, NULL));
    if (sound)
        fig_work_warn_of_nan(&work);
    bool holds = sound && (drawing.draft || fig_work_claims_hold(&work));
    if (holds)
        scene = fig_drawing_place(&drawing, work.record, &fonts, work.diag);
    if (scene && fig_diag_errors(work.diag) == 0) {
        g_autoptr(GError) error = NULL;
        if (!write_files(scene, files, dpi, options.quiet, &error))
            fig_diag_error(work.diag, (FigSpan){0}, "%s", error->message);
    }
    return fig_options_end(&options, work.diag, !sound || holds);
}

const FigCommand fig_command_draw = {
    .name = "draw",
    .usage = "SPEC -o FILE.{svg,pdf,png} [-o FILE]…",
    .summary = "Draw a figure from the run of a spec",
    .examples = "  opfig draw olmo2-block -o block.svg -o block.pdf -o block.png\n"
                "  opfig draw olmo2-block --dims T=1024,C=1024,H=16 -o wide.svg\n"
                "  opfig draw my-block.yaml --width 140mm -o my-block.pdf\n"
                "  opfig draw --record run.json -o block.svg\n",
    .run = draw,
};
