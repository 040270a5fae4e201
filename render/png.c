/* SPDX-License-Identifier: MIT
 *
 * PNG: cairo's raster through libpng. A figure is flat colour, which deflate likes best
 * without a filter and at a low level: measured on the block figure, cairo's own writer
 * takes four times as long for a file that is hardly smaller. The spec, the options and
 * the record's digest go with the picture in text chunks.
 */
#include "render/output.h"
#include "render/paint-cairo.h"

#include <math.h>
#include <png.h>
#include <string.h>

static const double default_dpi = 1850 * 72 / 396.0; /* 1850 px for 396 pt */
static const int level = 3;

enum {
    LARGEST_SIDE = 32767,        /* pixels: cairo's raster counts in 16 bits */
    LARGEST_PICTURE = 200 << 20, /* pixels: a typo in --dpi must not take the memory */
};

typedef struct Writer {
    GString *out;
    png_structp png;
    png_infop info;
    guint8 *row; /* one row as PNG wants it */
    char *message;
} Writer;

static void
append(png_structp png, png_bytep bytes, size_t length)
{
    Writer *writer = png_get_io_ptr(png);
    g_string_append_len(writer->out, (const char *)bytes, (gssize)length);
}

static void
flush(png_structp png)
{
}

static void
on_error(png_structp png, const char *message)
{
    Writer *writer = png_get_error_ptr(png);
    writer->message = g_strdup(message);
    longjmp(png_jmpbuf(png), 1);
}

static void
on_warning(png_structp png, const char *message)
{
}

/* Text chunks as UTF-8; those with empty text are left out. */
static void
add_text(Writer *writer, const FigScene *scene)
{
    g_autofree char *software =
        g_strdup_printf("opfig " OPFIG_VERSION ", cairo %s, FreeType %s",
                        cairo_version_string(), fig_paint_freetype());
    const struct {
        const char *key, *text;
        bool compressed;
    } entries[] = {
        {"Title", scene->title, false},
        {"Author", scene->author, false},
        {"Description", scene->description, true},
        {"Software", software, false},
        {"opfig:options", scene->options, false},
        {"opfig:digest", scene->digest, false},
        {"opfig:fonts", scene->fonts, false},
        {"opfig:spec", scene->spec_text, true},
    };
    png_text chunks[G_N_ELEMENTS(entries)] = {0};
    int n = 0;
    for (size_t i = 0; i < G_N_ELEMENTS(entries); i++) {
        if (!entries[i].text || !*entries[i].text)
            continue;
        chunks[n].compression = entries[i].compressed ? PNG_ITXT_COMPRESSION_zTXt
                                                      : PNG_ITXT_COMPRESSION_NONE;
        chunks[n].key = (char *)entries[i].key;
        chunks[n].text = (char *)entries[i].text;
        chunks[n].itxt_length = strlen(entries[i].text);
        n++;
    }
    png_set_text(writer->png, writer->info, chunks, n);
}

static void
write_rows(Writer *writer, cairo_surface_t *surface, bool alpha)
{
    int width = cairo_image_surface_get_width(surface);
    int height = cairo_image_surface_get_height(surface);
    int stride = cairo_image_surface_get_stride(surface);
    const guint8 *data = cairo_image_surface_get_data(surface);
    for (int y = 0; y < height; y++) {
        const guint32 *from = (const guint32 *)(const void *)(data + (gsize)y * stride);
        guint8 *to = writer->row;
        for (int x = 0; x < width; x++) {
            guint32 pixel = from[x];
            guint32 r = pixel >> 16 & 255, g = pixel >> 8 & 255, b = pixel & 255;
            if (alpha) { /* cairo multiplies colours with alpha, PNG does not */
                guint32 a = pixel >> 24;
                if (a) {
                    r = (r * 255 + a / 2) / a;
                    g = (g * 255 + a / 2) / a;
                    b = (b * 255 + a / 2) / a;
                }
                to[3] = (guint8)a;
            }
            to[0] = (guint8)r;
            to[1] = (guint8)g;
            to[2] = (guint8)b;
            to += alpha ? 4 : 3;
        }
        png_write_row(writer->png, writer->row);
    }
}

static bool
write_image(Writer *writer, const FigScene *scene, cairo_surface_t *surface, double dpi)
{
    int width = cairo_image_surface_get_width(surface);
    int height = cairo_image_surface_get_height(surface);
    bool alpha = scene->transparent;
    if (setjmp(png_jmpbuf(writer->png)))
        return false;
    png_set_write_fn(writer->png, writer, append, flush);
    png_set_IHDR(writer->png, writer->info, (guint32)width, (guint32)height, 8,
                 alpha ? PNG_COLOR_TYPE_RGB_ALPHA : PNG_COLOR_TYPE_RGB,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_set_filter(writer->png, PNG_FILTER_TYPE_BASE, PNG_FILTER_NONE);
    png_set_compression_level(writer->png, level);
    png_set_compression_buffer_size(writer->png, 1 << 16);
    guint32 per_metre = (guint32)lround(dpi / 0.0254);
    png_set_pHYs(writer->png, writer->info, per_metre, per_metre, PNG_RESOLUTION_METER);
    png_set_sRGB(writer->png, writer->info, PNG_sRGB_INTENT_PERCEPTUAL);
    add_text(writer, scene);
    png_write_info(writer->png, writer->info);
    write_rows(writer, surface, alpha);
    png_write_end(writer->png, NULL);
    return true;
}

static bool
encode(const FigScene *scene, cairo_surface_t *surface, double dpi, GString *out,
       GError **error)
{
    Writer writer = {.out = out};
    writer.png =
        png_create_write_struct(PNG_LIBPNG_VER_STRING, &writer, on_error, on_warning);
    writer.info = png_create_info_struct(writer.png);
    writer.row = g_malloc((gsize)cairo_image_surface_get_width(surface) * 4);
    bool written = write_image(&writer, scene, surface, dpi);
    if (!written)
        g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "libpng: %s",
                    writer.message);
    png_destroy_write_struct(&writer.png, &writer.info);
    g_free(writer.row);
    g_free(writer.message);
    return written;
}

static bool
write_png(const FigScene *scene, const FigWriteOptions *options, GString *out,
          GError **error)
{
    double dpi = options && options->dpi > 0 ? options->dpi : default_dpi;
    double scale = dpi / 72;
    double width = round(scene->width * scale), height = round(scene->height * scale);
    if (!(width >= 1 && height >= 1)) {
        g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_INVAL,
                    "a picture of %.0f × %.0f pixels is too small", width, height);
        return false;
    }
    if (!(width <= LARGEST_SIDE && height <= LARGEST_SIDE &&
          width * height <= LARGEST_PICTURE)) {
        g_set_error(
            error, G_FILE_ERROR, G_FILE_ERROR_INVAL,
            "a picture of %.0f × %.0f pixels is too large: at most %d a side and "
            "%d million in all",
            width, height, LARGEST_SIDE, LARGEST_PICTURE / 1000000);
        return false;
    }
    cairo_surface_t *surface = cairo_image_surface_create(
        scene->transparent ? CAIRO_FORMAT_ARGB32 : CAIRO_FORMAT_RGB24, (int)width,
        (int)height);
    cairo_t *cairo = cairo_create(surface);
    /* a page of a fraction of a pixel is stretched to whole ones, by less than one */
    cairo_scale(cairo, width / scene->width, height / scene->height);
    bool painted = fig_paint_scene(scene, cairo, error);
    cairo_destroy(cairo);
    cairo_surface_flush(surface);
    bool written = painted && encode(scene, surface, dpi, out, error);
    cairo_surface_destroy(surface);
    return written;
}

const FigOutput fig_output_png = {
    .name = "png",
    .suffix = ".png",
    .help = "raster picture, 1850 pixels for 5.5 inches unless --dpi is given",
    .write = write_png,
};
