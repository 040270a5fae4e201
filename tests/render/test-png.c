/* SPDX-License-Identifier: MIT
 *
 * PNG read back with libpng: size, colours and text where the scene says, the spec in its
 * text chunks, and no picture that would take the machine's memory.
 */
#include "render/output.h"

#include <math.h>
#include <png.h>
#include <string.h>

static FigFonts *fonts;

typedef struct Picture {
    int width, height;
    guint8 *pixels; /* [height, width, 4] */
} Picture;

static FigScene *
scene_new(const char *label)
{
    FigScene *scene = fig_scene_new();
    FigTextStyle style = {.face = FIG_FACE_SANS, .size = 8};
    scene->width = 396;
    scene->height = 100;
    scene->title = "Tiny θ";
    scene->description = "One op.";
    scene->spec_text = "opfig: 1\nname: tiny\n";
    scene->digest = "00ff00ff";
    scene->options = "--theme light";
    scene->palette[FIG_INK_PAPER] = (FigColour){255, 255, 255};
    scene->palette[FIG_INK_TEXT] = (FigColour){0, 0, 0};
    scene->palette[FIG_INK_CLASS_FILL] = (FigColour){0xc3, 0xd9, 0xf3};
    scene->palette[FIG_INK_CLASS_BORDER] = (FigColour){0x1f, 0x61, 0xb0};
    FigItem *box = fig_scene_rect(scene, NULL, "box", 200, 20, 100, 40, 3);
    box->fill = FIG_INK_CLASS_FILL;
    box->stroke = FIG_INK_CLASS_BORDER;
    box->stroke_width = 2;
    const FigTextBox *text =
        fig_text_set(fonts, scene->arena, label, &style, (FigSpan){0}, NULL);
    fig_scene_text(scene, NULL, "label", text, 20, 50, FIG_INK_TEXT);
    return scene;
}

static GString *
write_png(const FigScene *scene, double dpi)
{
    g_autoptr(GError) error = NULL;
    GString *out = g_string_new(NULL);
    FigWriteOptions options = {.dpi = dpi};
    g_assert_true(fig_output_lookup("a.png")->write(scene, &options, out, &error));
    g_assert_no_error(error);
    return out;
}

static Picture
read_png(const GString *bytes)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    g_assert_true(png_image_begin_read_from_memory(&image, bytes->str, bytes->len));
    image.format = PNG_FORMAT_RGBA;
    Picture picture = {(int)image.width, (int)image.height,
                       g_malloc(PNG_IMAGE_SIZE(image))};
    g_assert_true(png_image_finish_read(&image, NULL, picture.pixels, 0, NULL));
    return picture;
}

static void
assert_pixel(const Picture *picture, double x, double y, guint32 rgba)
{
    double scale = picture->width / 396.0;
    const guint8 *at =
        picture->pixels +
        ((gsize)(y * scale) * (gsize)picture->width + (gsize)(x * scale)) * 4;
    guint32 got =
        (guint32)at[0] << 24 | (guint32)at[1] << 16 | (guint32)at[2] << 8 | at[3];
    g_assert_cmphex(got, ==, rgba);
}

static void
check_picture(void)
{
    g_autoptr(FigScene) scene = scene_new("split");
    g_autoptr(GString) bytes = write_png(scene, 0);
    Picture picture = read_png(bytes);
    g_assert_cmpint(picture.width, ==, 1850);
    g_assert_cmpint(picture.height, ==, 467); /* 100 × 1850 / 396 */
    assert_pixel(&picture, 5, 5, 0xffffffff);
    assert_pixel(&picture, 250, 40, 0xc3d9f3ff);
    assert_pixel(&picture, 200, 40, 0x1f61b0ff);
    assert_pixel(&picture, 250, 59.9, 0x1f61b0ff);
    assert_pixel(&picture, 199.3, 19.3, 0xffffffff); /* a rounded corner */
    g_free(picture.pixels);
}

/* The ink that text/ promised is the ink that is there. */
static void
check_ink(void)
{
    static const char *const labels[] = {"matmul $W_{qkv} : C \\to 3C$", "H",
                                         "$S = q\\,k^\\top/\\sqrt{h_d}$", "$h_{ff}$"};
    for (size_t i = 0; i < G_N_ELEMENTS(labels); i++) {
        g_autoptr(FigScene) scene = scene_new(labels[i]);
        const FigTextBox *box = scene->root->last->text;
        g_autoptr(GString) bytes = write_png(scene, 0);
        Picture picture = read_png(bytes);
        double scale = picture.width / 396.0;
        int left = 1 << 20, top = 1 << 20, right = -1, bottom = -1;
        for (int y = 0; y < picture.height; y++)
            for (int x = 0; x < (int)(190 * scale); x++)
                if (picture.pixels[((gsize)y * (gsize)picture.width + (gsize)x) * 4] <
                    200) {
                    left = MIN(left, x);
                    right = MAX(right, x + 1);
                    top = MIN(top, y);
                    bottom = MAX(bottom, y + 1);
                }
        g_assert_cmpfloat_with_epsilon(left, (20 + box->ink_left) * scale, 1.5);
        g_assert_cmpfloat_with_epsilon(right, (20 + box->ink_right) * scale, 1.5);
        g_assert_cmpfloat_with_epsilon(top, (50 + box->ink_top) * scale, 1.5);
        g_assert_cmpfloat_with_epsilon(bottom, (50 + box->ink_bottom) * scale, 1.5);
        g_free(picture.pixels);
    }
}

static void
check_transparent(void)
{
    g_autoptr(FigScene) scene = scene_new("split");
    scene->transparent = true;
    g_autoptr(GString) bytes = write_png(scene, 144);
    Picture picture = read_png(bytes);
    g_assert_cmpint(picture.width, ==, 792);
    assert_pixel(&picture, 5, 5, 0x00000000);
    assert_pixel(&picture, 250, 40, 0xc3d9f3ff);
    g_free(picture.pixels);
}

/* Chunks as the file has them: type, then payload. */
static const char *
chunk(const GString *bytes, const char *type, const char *key, guint32 *length)
{
    for (gsize i = 8; i + 12 <= bytes->len;) {
        const guint8 *at = (const guint8 *)bytes->str + i;
        *length =
            (guint32)at[0] << 24 | (guint32)at[1] << 16 | (guint32)at[2] << 8 | at[3];
        const char *data = (const char *)at + 8;
        if (!memcmp(at + 4, type, 4) && (!key || !strcmp(data, key)))
            return data;
        i += 12 + *length;
    }
    return NULL;
}

static void
check_metadata(void)
{
    g_autoptr(FigScene) scene = scene_new("split");
    g_autoptr(GString) bytes = write_png(scene, 0);
    guint32 length;
    /* 1850 px in 5.5 inches are 13243 px a metre */
    const char *size = chunk(bytes, "pHYs", NULL, &length);
    g_assert_nonnull(size);
    g_assert_cmpmem(size, 9, "\0\0\x33\xbb\0\0\x33\xbb\1", 9);
    const char *digest = chunk(bytes, "iTXt", "opfig:digest", &length);
    g_assert_nonnull(digest);
    /* key, NUL, not compressed, method, no language, no translated key, text */
    g_assert_cmpmem(digest, length, "opfig:digest\0\0\0\0\00000ff00ff", 12 + 5 + 8);
    const char *title = chunk(bytes, "iTXt", "Title", &length);
    g_assert_cmpmem(title, length, "Title\0\0\0\0\0Tiny θ", 5 + 5 + 7);
    g_assert_nonnull(chunk(bytes, "iTXt", "opfig:options", &length));
    g_assert_nonnull(chunk(bytes, "iTXt", "Description", &length));
    g_assert_null(chunk(bytes, "iTXt", "Author", &length));

    /* the spec comes back whole */
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    FILE *file = fmemopen(bytes->str, bytes->len, "rb");
    png_init_io(png, file);
    png_read_info(png, info);
    png_textp texts;
    int n, found = 0;
    png_get_text(png, info, &texts, &n);
    for (int i = 0; i < n; i++)
        if (!strcmp(texts[i].key, "opfig:spec")) {
            g_assert_cmpstr(texts[i].text, ==, scene->spec_text);
            found++;
        }
    g_assert_cmpint(found, ==, 1);
    fclose(file);
    png_destroy_read_struct(&png, &info, NULL);
}

static void
check_too_large(void)
{
    static const double dpis[] = {1e6, 1e300, 5900, 0.01};
    for (size_t i = 0; i < G_N_ELEMENTS(dpis); i++) {
        g_autoptr(FigScene) scene = scene_new("split");
        g_autoptr(GError) error = NULL;
        g_autoptr(GString) out = g_string_new(NULL);
        FigWriteOptions options = {.dpi = dpis[i]};
        scene->height = 300;
        g_assert_false(fig_output_lookup("a.png")->write(scene, &options, out, &error));
        g_assert_nonnull(error);
        g_assert_nonnull(strstr(error->message, " pixels is too "));
        g_assert_cmpint((int)out->len, ==, 0);
    }
}

static void
check_same_bytes(void)
{
    g_autoptr(FigScene) one = scene_new("$h_d$"), two = scene_new("$h_d$");
    g_autoptr(GString) a = write_png(one, 0), b = write_png(two, 0);
    g_assert_cmpmem(a->str, a->len, b->str, b->len);
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    fonts = fig_fonts_new(NULL);
    g_assert_nonnull(fonts);
    g_test_add_func("/png/picture", check_picture);
    g_test_add_func("/png/ink", check_ink);
    g_test_add_func("/png/transparent", check_transparent);
    g_test_add_func("/png/metadata", check_metadata);
    g_test_add_func("/png/too-large", check_too_large);
    g_test_add_func("/png/same-bytes", check_same_bytes);
    int result = g_test_run();
    fig_fonts_free(fonts);
    return result;
}
