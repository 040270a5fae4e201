/* SPDX-License-Identifier: MIT
 *
 * Fonts of one page by name, with the widths of their letters, and the matrix of its text.
 * Read is what cairo writes: simple fonts of one byte a letter with /Widths from /FirstChar
 * on, and composite ones of two bytes with one list /W [0 [ … ]].
 */
#include "check/pdf-letters.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

typedef struct Font {
    int bytes; /* of a letter */
    guint first;
    GArray *widths; /* double, thousandths of the size */
} Font;

struct FigPdfLetters {
    GHashTable *fonts; /* name to Font */
    const Font *font;  /* or NULL */
    double matrix[6];  /* of the line */
    double along;      /* it, in the units of matrix */
};

static void
font_free(void *data)
{
    Font *font = data;
    g_array_unref(font->widths);
    g_free(font);
}

/* The object of a number up to its end, if there is just one. owns: the caller; or NULL */
static char *
object_of(const char *objects, guint64 number)
{
    g_autofree char *head = g_strdup_printf("\n%" G_GUINT64_FORMAT " 0 obj\n", number);
    const char *at = strstr(objects, head), *end = at ? strstr(at, "\nendobj") : NULL;
    return end && !strstr(at + 1, head) ? g_strndup(at, (gsize)(end - at)) : NULL;
}

/* The number behind a word, or 0. */
static guint64
number_behind(const char *text, const char *word)
{
    const char *at = strstr(text, word);
    return at ? g_ascii_strtoull(at + strlen(word), NULL, 10) : 0;
}

/* What an object of a font says of widths. owns: the caller; NULL: nothing that we read */
static Font *
font_of(const char *objects, guint64 number)
{
    g_autofree char *object = object_of(objects, number), *inner = NULL;
    if (!object)
        return NULL;
    const char *list = strstr(object, "/Widths [");
    Font font = {.bytes = 1, .first = (guint)number_behind(object, "/FirstChar ")};
    if (list) {
        list += strlen("/Widths [");
    } else {
        inner = object_of(objects, number_behind(object, "/DescendantFonts [ "));
        list = inner ? strstr(inner, "/W [0 [") : NULL;
        if (!list)
            return NULL;
        list += strlen("/W [0 [");
        font = (Font){.bytes = 2};
    }
    font.widths = g_array_new(FALSE, FALSE, sizeof(double));
    for (char *end;; list = end) {
        double width = g_ascii_strtod(list, &end);
        if (end == list)
            break;
        g_array_append_val(font.widths, width);
    }
    return g_memdup2(&font, sizeof font);
}

FigPdfLetters *
fig_pdf_letters_new(const char *objects)
{
    FigPdfLetters *page = g_new0(FigPdfLetters, 1);
    page->fonts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, font_free);
    for (const char *at = objects; (at = strstr(at, "/f-")); at++) {
        const char *space = strchr(at, ' ');
        char *end;
        guint64 number = space ? g_ascii_strtoull(space + 1, &end, 10) : 0;
        if (!space || !g_str_has_prefix(end, " 0 R"))
            continue;
        Font *font = font_of(objects, number);
        if (font)
            g_hash_table_insert(page->fonts, g_strndup(at, (gsize)(space - at)), font);
    }
    return page;
}

void
fig_pdf_letters_free(FigPdfLetters *page)
{
    g_hash_table_unref(page->fonts);
    g_free(page);
}

void
fig_pdf_letters_operate(FigPdfLetters *page, const char *op, const char *name,
                        const double *numbers, guint n)
{
    static const double identity[6] = {1, 0, 0, 1, 0, 0};
    double *matrix = page->matrix;
    if (strcmp(op, "Tf") == 0) {
        page->font = g_hash_table_lookup(page->fonts, name);
    } else if (strcmp(op, "BT") == 0) {
        memcpy(matrix, identity, sizeof page->matrix);
        page->along = 0;
    } else if (strcmp(op, "Tm") == 0 && n == G_N_ELEMENTS(page->matrix)) {
        memcpy(matrix, numbers, sizeof page->matrix);
        page->along = 0;
    } else if (strcmp(op, "Td") == 0 && n == 2) {
        matrix[4] += numbers[0] * matrix[0] + numbers[1] * matrix[2];
        matrix[5] += numbers[0] * matrix[1] + numbers[1] * matrix[3];
        page->along = 0;
    }
}

void
fig_pdf_letters_space(FigPdfLetters *page, double number)
{
    page->along -= number / 1000;
}

void
fig_pdf_letters_show(FigPdfLetters *page, const GString *bytes, GArray *places)
{
    const Font *font = page->font;
    gsize step = font ? (gsize)font->bytes : 1;
    for (gsize i = 0; i < bytes->len; i += step) {
        guint code = (guchar)bytes->str[i];
        if (step == 2)
            code = code << 8 | (i + 1 < bytes->len ? (guchar)bytes->str[i + 1] : 0);
        double place[2] = {page->matrix[4] + page->along * page->matrix[0],
                           page->matrix[5] + page->along * page->matrix[1]};
        g_array_append_vals(places, place, 2);
        bool known =
            font && code >= font->first && code - font->first < font->widths->len;
        page->along +=
            known ? g_array_index(font->widths, double, code - font->first) / 1000
                  : NAN;
    }
}
