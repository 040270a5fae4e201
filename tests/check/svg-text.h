/* SPDX-License-Identifier: MIT
 *
 * What the tests of the reader share: a text read as an SVG.
 */
#ifndef FIG_TESTS_CHECK_SVG_TEXT_H
#define FIG_TESTS_CHECK_SVG_TEXT_H

#include "check/svg.h"

#include <string.h>

/* Something that draws. */
#define INK "<rect width=\"1\" height=\"1\"/>"

/* Read what can be read.
 *
 * owns     the caller; free with fig_svg_free
 */
static FigSvg *
read_text(const char *text)
{
    g_autoptr(GError) error = NULL;
    FigSvg *svg = fig_svg_read("f.svg", text, strlen(text), &error);
    g_assert_no_error(error);
    return svg;
}

#endif
