/* SPDX-License-Identifier: MIT
 *
 * Pixels of two SVGs. Ink that was covered, or taken away by something that our reader
 * does not know, is found here by code that shares nothing with it.
 */
#include "check/raster.h"

#include "check/rsvg.h"

#include <fontconfig/fontconfig.h>
#include <math.h>
#include <pango/pangofc-fontmap.h>
#include <string.h>

enum {
    SCALE = 2,             /* pixels a point: a dot of 1 pt is four of them */
    MOST_PIXELS = 1 << 25, /* of a page, 128 MB; above, fewer pixels a point */
    MOST_SIDE = 32767,     /* cairo counts in 16 bits */
    /* Of 255. What is moved or grown by less than the 0.02 pt that marks may be apart
     * makes 26 at most. A line drawn twice makes 55 at its smoothed border, the least of
     * what is broken on purpose in the gallery; ink that is pale makes 90 and more, ink
     * that is covered or left out 125. */
    TOLERATED = 40,
    MOST_PLACES = 12,
};

static const double LEAST_SCALE = 0.5; /* below, letters are dust */
static const double APART = 6;         /* points between two places */

G_DEFINE_QUARK(fig - raster - error - quark, fig_raster_error)

/* ---- drawing ---- */

typedef struct Page {
    int width, height; /* pixels */
    double scale;
} Page;

static bool
page_of(double width, double height, Page *page, GError **error)
{
    double scale = MIN(SCALE, sqrt(MOST_PIXELS / (width * height)));
    scale = MIN(scale, MOST_SIDE / (MAX(width, height) + 1));
    if (!(width > 0 && height > 0 &&
          scale >= LEAST_SCALE)) { /* also what is no number */
        g_set_error(error, FIG_RASTER_ERROR, FIG_RASTER_TOO_LARGE,
                    "the page is too large to be drawn in pixels");
        return false;
    }
    page->scale = scale;
    page->width = MAX(1, (int)ceil(width * scale));
    page->height = MAX(1, (int)ceil(height * scale));
    return true;
}

/* Fonts that are known by their files alone, whatever this system has besides.
 *
 * owns     the caller
 */
static PangoFontMap *
fonts_of(const FigRsvg *rsvg, const char *const *files)
{
    FcConfig *config = FcConfigCreate();
    for (int i = 0; files[i]; i++)
        FcConfigAppFontAddFile(config, (const FcChar8 *)files[i]);
    PangoFontMap *fonts = rsvg->fonts_new(CAIRO_FONT_TYPE_FT);
    pango_fc_font_map_set_config(PANGO_FC_FONT_MAP(fonts), config);
    FcConfigDestroy(config); /* pango holds it */
    return fonts;
}

/* Without a base URI librsvg loads nothing that a file points to.
 *
 * owns     the caller; cairo_surface_destroy
 */
static cairo_surface_t *
draw(const FigRsvg *rsvg, const FigRasterFile *file, const Page *page, double width,
     double height, FigRasterError code, GError **error)
{
    g_autoptr(GError) refused = NULL;
    RsvgHandle *handle =
        rsvg->read((const guint8 *)file->bytes, file->length, &refused);
    cairo_surface_t *surface =
        cairo_image_surface_create(CAIRO_FORMAT_ARGB32, page->width, page->height);
    cairo_t *cairo = cairo_create(surface);
    const RsvgRectangle viewport = {0, 0, width * page->scale, height * page->scale};
    bool drawn = handle && rsvg->render(handle, cairo, &viewport, &refused) &&
                 cairo_status(cairo) == CAIRO_STATUS_SUCCESS;
    if (!drawn)
        g_set_error(error, FIG_RASTER_ERROR, code, "%s",
                    refused ? refused->message
                            : cairo_status_to_string(cairo_status(cairo)));
    cairo_destroy(cairo);
    g_clear_object(&handle);
    cairo_surface_flush(surface);
    if (!drawn)
        g_clear_pointer(&surface, cairo_surface_destroy);
    return surface;
}

/* ---- comparing ---- */

typedef struct Pixels {
    const guint8 *bytes; /* [height][stride]: four channels, alpha multiplied in */
    int width, height, stride;
} Pixels;

static Pixels
pixels_of(cairo_surface_t *surface)
{
    return (Pixels){cairo_image_surface_get_data(surface),
                    cairo_image_surface_get_width(surface),
                    cairo_image_surface_get_height(surface),
                    cairo_image_surface_get_stride(surface)};
}

/* The largest difference of a channel of two pixels. */
static int
apart(const guint8 *a, const guint8 *b)
{
    int most = 0;
    for (int c = 0; c < 4; c++)
        most = MAX(most, ABS(a[c] - b[c]));
    return most;
}

static FigBounds
joined(FigBounds a, FigBounds b)
{
    return (FigBounds){MIN(a.left, b.left), MIN(a.top, b.top), MAX(a.right, b.right),
                       MAX(a.bottom, b.bottom)};
}

static double
gap(FigBounds a, FigBounds b)
{
    double x = MAX(0, MAX(a.left - b.right, b.left - a.right));
    double y = MAX(0, MAX(a.top - b.bottom, b.top - a.bottom));
    return MAX(x, y);
}

/* Put a place to those that are there: to one that is near, else as one more, and to the
 * nearest when there are enough. */
static void
add_place(GArray *places, FigRasterPlace place)
{
    int nearest = -1;
    double least = APART;
    for (guint i = 0; i < places->len; i++) {
        double far = gap(g_array_index(places, FigRasterPlace, i).bounds, place.bounds);
        if (far < least ||
            (places->len >= MOST_PLACES && (nearest < 0 || far < least))) {
            nearest = (int)i;
            least = far;
        }
    }
    if (nearest < 0) {
        g_array_append_val(places, place);
        return;
    }
    FigRasterPlace *at = &g_array_index(places, FigRasterPlace, nearest);
    at->bounds = joined(at->bounds, place.bounds);
    at->worst = MAX(at->worst, place.worst);
}

/* Join two places that have grown together; false: there are none. */
static bool
merge(GArray *places)
{
    for (guint i = 0; i < places->len; i++)
        for (guint k = i + 1; k < places->len; k++) {
            FigRasterPlace *a = &g_array_index(places, FigRasterPlace, i);
            FigRasterPlace *b = &g_array_index(places, FigRasterPlace, k);
            if (gap(a->bounds, b->bounds) >= APART)
                continue;
            a->bounds = joined(a->bounds, b->bounds);
            a->worst = MAX(a->worst, b->worst);
            g_array_remove_index(places, k);
            return true;
        }
    return false;
}

static void
compare(const Pixels *a, const Pixels *b, FigArena *arena, FigRaster *raster)
{
    g_autoptr(GArray) places = g_array_new(FALSE, FALSE, sizeof(FigRasterPlace));
    double point = 1 / raster->scale;
    for (int y = 0; y < a->height; y++) {
        const guint8 *row = a->bytes + (gsize)y * (gsize)a->stride;
        const guint8 *other = b->bytes + (gsize)y * (gsize)b->stride;
        if (memcmp(row, other, 4 * (size_t)a->width) == 0)
            continue;
        for (int x = 0; x < a->width; x++) {
            int worst = apart(row + 4 * x, other + 4 * x);
            raster->worst = MAX(raster->worst, worst);
            if (worst > TOLERATED)
                add_place(places, (FigRasterPlace){{x * point, y * point,
                                                    (x + 1) * point, (y + 1) * point},
                                                   worst});
        }
    }
    while (merge(places))
        continue;
    raster->n_places = (int)places->len;
    raster->places =
        fig_arena_copy(arena, places->data, places->len * sizeof(FigRasterPlace));
}

bool
fig_raster_compare(const FigRasterFile *seen, const FigRasterFile *fresh, double width,
                   double height, const char *const *fonts, FigArena *arena,
                   FigRaster *raster, GError **error)
{
    g_autofree char *why = NULL;
    Page page;
    const FigRsvg *rsvg = fig_rsvg(&why);
    if (!rsvg) {
        g_set_error(error, FIG_RASTER_ERROR, FIG_RASTER_NO_LIBRARY, "%s", why);
        return false;
    }
    if (!page_of(width, height, &page, error))
        return false;
    g_autoptr(PangoFontMap) map = fonts_of(rsvg, fonts);
    rsvg->fonts_use(
        (PangoCairoFontMap *)map); /* of which kind it is, only that library knows */
    cairo_surface_t *a =
        draw(rsvg, fresh, &page, width, height, FIG_RASTER_FRESH, error);
    cairo_surface_t *b =
        a ? draw(rsvg, seen, &page, width, height, FIG_RASTER_SEEN, error) : NULL;
    rsvg->fonts_use(NULL);
    *raster = (FigRaster){.by = rsvg->name, .scale = page.scale};
    if (b) {
        Pixels of_seen = pixels_of(b), of_fresh = pixels_of(a);
        compare(&of_seen, &of_fresh, arena, raster);
    }
    bool compared = b != NULL;
    g_clear_pointer(&a, cairo_surface_destroy);
    g_clear_pointer(&b, cairo_surface_destroy);
    return compared;
}
