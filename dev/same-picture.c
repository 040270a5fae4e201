/* SPDX-License-Identifier: MIT
 *
 * same-picture A.png B.png: exit 0 when both decode to the same pixels and carry the same
 * texts, 1 when not, 2 when one cannot be read. dev/figures renews a tracked picture only
 * when it says something else, not when another zlib packed the same in other bytes.
 *
 * same-picture A.png: write it to stdout as PPM, on white, for tests that look at pixels.
 */
#include <png.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

typedef struct Picture {
    FILE *file;
    png_structp png;
    png_infop info;
} Picture;

/* Decode a file to 8-bit RGBA rows kept by libpng. */
static bool
read_picture(const char *path, Picture *picture)
{
    memset(picture, 0, sizeof *picture);
    picture->file = fopen(path, "rb");
    if (picture->file == NULL) {
        perror(path);
        return false;
    }
    picture->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    picture->info = picture->png ? png_create_info_struct(picture->png) : NULL;
    if (picture->info == NULL || setjmp(png_jmpbuf(picture->png)))
        return false; /* libpng has said why */
    png_init_io(picture->png, picture->file);
    png_set_add_alpha(picture->png, 0xff, PNG_FILLER_AFTER);
    png_read_png(picture->png, picture->info,
                 PNG_TRANSFORM_EXPAND | PNG_TRANSFORM_STRIP_16 |
                     PNG_TRANSFORM_GRAY_TO_RGB,
                 NULL);
    return true;
}

static void
close_picture(Picture *picture)
{
    if (picture->png != NULL)
        png_destroy_read_struct(&picture->png, &picture->info, NULL);
    if (picture->file != NULL)
        fclose(picture->file);
}

static bool
same_pixels(const Picture *a, const Picture *b)
{
    png_uint_32 height = png_get_image_height(a->png, a->info);
    size_t bytes = png_get_rowbytes(a->png, a->info);
    if (height != png_get_image_height(b->png, b->info) ||
        bytes != png_get_rowbytes(b->png, b->info))
        return false;
    png_bytepp row_a = png_get_rows(a->png, a->info);
    png_bytepp row_b = png_get_rows(b->png, b->info);
    for (png_uint_32 y = 0; y < height; y++)
        if (memcmp(row_a[y], row_b[y], bytes) != 0)
            return false;
    return true;
}

static bool
same_texts(const Picture *a, const Picture *b)
{
    png_textp text_a = NULL, text_b = NULL;
    int count_a = 0, count_b = 0;
    png_get_text(a->png, a->info, &text_a, &count_a);
    png_get_text(b->png, b->info, &text_b, &count_b);
    if (count_a != count_b)
        return false;
    for (int i = 0; i < count_a; i++)
        if (strcmp(text_a[i].key, text_b[i].key) != 0 ||
            strcmp(text_a[i].text, text_b[i].text) != 0)
            return false;
    return true;
}

/* Print the pixels over white. */
static bool
print_ppm(const Picture *picture)
{
    png_uint_32 width = png_get_image_width(picture->png, picture->info);
    png_uint_32 height = png_get_image_height(picture->png, picture->info);
    png_bytepp rows = png_get_rows(picture->png, picture->info);
    printf("P6\n%lu %lu\n255\n", (unsigned long)width, (unsigned long)height);
    for (png_uint_32 y = 0; y < height; y++) {
        for (png_uint_32 x = 0; x < width; x++) {
            const png_byte *pixel = rows[y] + 4 * (size_t)x; /* RGBA */
            for (int i = 0; i < 3; i++)
                putchar(255 - (255 - pixel[i]) * pixel[3] / 255);
        }
    }
    return fflush(stdout) == 0 && !ferror(stdout);
}

int
main(int argc, char **argv)
{
    if (argc != 2 && argc != 3) {
        fputs("usage: same-picture A.png [B.png]\n", stderr);
        return 2;
    }
    Picture a, b = {0};
    int status = 2;
    bool good = read_picture(argv[1], &a) && (argc == 2 || read_picture(argv[2], &b));
    if (good && argc == 2)
        status = print_ppm(&a) ? 0 : 2;
    else if (good)
        status = same_pixels(&a, &b) && same_texts(&a, &b) ? 0 : 1;
    close_picture(&a);
    close_picture(&b);
    return status;
}
