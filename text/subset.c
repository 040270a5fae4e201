/* SPDX-License-Identifier: MIT
 *
 * A font reduced to the characters of a figure, to travel inside it.
 */
#include "text/fonts.h"

#include <hb-subset.h>
#include <string.h>

GBytes *
fig_font_subset(const FigFont *font, const char *characters)
{
    hb_subset_input_t *input = hb_subset_input_create_or_fail();
    if (!input)
        return NULL;
    hb_set_t *wanted = hb_subset_input_unicode_set(input);
    for (const char *c = characters; *c; c = g_utf8_next_char(c))
        hb_set_add(wanted, g_utf8_get_char(c));
    hb_subset_input_set_flags(input, HB_SUBSET_FLAGS_NO_HINTING);
    hb_face_t *small = hb_subset_or_fail(hb_font_get_face(font->hb), input);
    hb_subset_input_destroy(input);
    if (!small)
        return NULL;
    hb_blob_t *blob = hb_face_reference_blob(small);
    unsigned length;
    const char *data = hb_blob_get_data(blob, &length);
    GBytes *bytes = length ? g_bytes_new(data, length) : NULL;
    hb_blob_destroy(blob);
    hb_face_destroy(small);
    return bytes;
}
