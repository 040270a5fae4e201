/* SPDX-License-Identifier: MIT
 *
 * The last word on a figure in which nothing was found: librsvg draws it and the fresh
 * drawing, and both must have the same pixels. Whatever hides or moves ink and is not
 * known to our reader shows here.
 */
#include "check/figure-scan.h"

#include "base/num.h"
#include "check/raster.h"

#include <string.h>

/* ---- fonts ---- */

static void
collect_fonts(const FigItem *group, GPtrArray *files)
{
    for (const FigItem *item = group->first; item; item = item->next) {
        if (item->kind == FIG_ITEM_GROUP)
            collect_fonts(item, files);
        for (int i = 0; item->kind == FIG_ITEM_TEXT && i < item->text->n_runs; i++) {
            const char *file = fig_font_file(item->text->runs[i].font);
            if (!g_ptr_array_find_with_equal_func(files, file, g_str_equal, NULL))
                g_ptr_array_add(files, (gpointer)file);
        }
    }
}

/* ---- what is where ---- */

static double
area(FigBounds b)
{
    return MAX(0, b.right - b.left) * MAX(0, b.bottom - b.top);
}

/* The item that a place shows: the one whose bounds are most nearly its own.
 *
 * owns     leaves; NULL: none
 */
static const FigSvgItem *
item_at(const GPtrArray *leaves, FigBounds place)
{
    const FigSvgItem *best = NULL;
    double most = 0;
    for (guint i = 0; i < leaves->len; i++) {
        const FigSvgItem *item = leaves->pdata[i];
        FigBounds b = fig_bounds_grow(item->bounds, 1); /* lines have a width */
        FigBounds both = {MAX(b.left, place.left), MAX(b.top, place.top),
                          MIN(b.right, place.right), MIN(b.bottom, place.bottom)};
        double common = area(both) / (area(b) + area(place) - area(both));
        if (common > most && fig_bounds_meet(b, place)) {
            most = common;
            best = item;
        }
    }
    return best;
}

static void
append_point(GString *out, double value)
{
    fig_num_fixed(out, value, 1);
}

static FigFinding
finding_of(const FigRasterPlace *place, const GPtrArray *seen, const GPtrArray *fresh,
           FigArena *arena)
{
    const FigSvgItem *here = item_at(seen, place->bounds);
    const FigSvgItem *there = item_at(fresh, place->bounds);
    g_autoptr(GString) says = g_string_new("other ink at ");
    append_point(says, place->bounds.left);
    g_string_append_c(says, ' ');
    append_point(says, place->bounds.top);
    g_string_append(says, ", of ");
    append_point(says, place->bounds.right - place->bounds.left);
    g_string_append(says, " × ");
    append_point(says, place->bounds.bottom - place->bounds.top);
    g_string_append_printf(says, " pt, by up to %d of 255", place->worst);
    g_autofree char *words = there ? fig_item_words(there) : g_strdup("nothing");
    return (FigFinding){
        .kind = "pixels",
        .line = here ? here->line : 0,
        .says = fig_arena_strdup(arena, says->str),
        .did = fig_arena_printf(arena, "a fresh drawing shows %s there", words)};
}

static void
add_findings(FigFigureReport *report, const FigSvg *svg, const FigTruth *truth,
             const FigRaster *raster)
{
    g_autoptr(GPtrArray) seen = g_ptr_array_new();
    FigFinding *findings =
        fig_arena_alloc(report->arena, (gsize)raster->n_places * sizeof *findings);
    fig_svg_leaves(svg->root, seen);
    for (int i = 0; i < raster->n_places; i++)
        findings[i] =
            finding_of(&raster->places[i], seen, truth->leaves, report->arena);
    report->findings = findings;
    report->n_findings = raster->n_places;
}

/* ---- the comparison ---- */

static void
refused(FigFigureReport *report, const GError *error)
{
    if (error->code != FIG_RASTER_SEEN) {
        report->pixels.why = fig_arena_strdup(report->arena, error->message);
        return;
    }
    FigFinding *finding = fig_arena_new0(report->arena, FigFinding);
    finding->kind = "pixels";
    finding->says =
        fig_arena_printf(report->arena, "librsvg refuses it: %s", error->message);
    finding->did = "it draws a fresh drawing";
    report->findings = finding;
    report->n_findings = 1;
    report->pixels.why = "librsvg refuses it";
}

void
fig_figure_pixels(FigFigureReport *report, const FigSvg *svg, FigTruth *truth,
                  const char *bytes, size_t length)
{
    FigPixels *pixels = &report->pixels;
    g_autoptr(GPtrArray) fonts = g_ptr_array_new();
    g_autoptr(GError) error = NULL;
    FigRaster raster;
    pixels->how = FIG_PIXELS_NOT;
    if (!truth->drawing) {
        pixels->why = "there is no fresh drawing";
        return;
    }
    /* its footer says so */
    if (report->differ && strcmp(svg->carried.version, truth->record->version) != 0) {
        pixels->why = "another version of opfig drew it";
        return;
    }
    if (report->not_compared) {
        pixels->why = "other fonts drew it, and places differ";
        return;
    }
    if (report->n_findings > 0) {
        pixels->why = "what was found comes first";
        return;
    }
    if (length == truth->text->len && memcmp(bytes, truth->text->str, length) == 0) {
        pixels->how = FIG_PIXELS_BYTES;
        return;
    }
    collect_fonts(truth->scene->root, fonts);
    g_ptr_array_add(fonts, NULL);
    const FigRasterFile seen = {bytes, length},
                        fresh = {truth->text->str, truth->text->len};
    if (!fig_raster_compare(&seen, &fresh, truth->drawing->width,
                            truth->drawing->height, (const char *const *)fonts->pdata,
                            report->arena, &raster, &error)) {
        refused(report, error);
        return;
    }
    *pixels = (FigPixels){.how = FIG_PIXELS_RASTER,
                          .by = raster.by,
                          .scale = raster.scale,
                          .worst = raster.worst};
    add_findings(report, svg, truth, &raster);
}
