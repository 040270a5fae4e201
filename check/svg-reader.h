/* SPDX-License-Identifier: MIT
 *
 * The reader of SVG from the inside, for svg-read.c, svg-document.c and svg-shapes.c alone:
 * what is known so far, and what each element adds to it.
 */
#ifndef FIG_CHECK_SVG_READER_H
#define FIG_CHECK_SVG_READER_H

#include "check/svg-value.h"

#include "base/limit.h"

#include <expat.h>

typedef enum FigSvgElement {
    FIG_SVG_SVG,
    FIG_SVG_TITLE,
    FIG_SVG_DESC,
    FIG_SVG_METADATA,
    FIG_SVG_STYLE,
    FIG_SVG_DEFS,
    FIG_SVG_G,
    FIG_SVG_RECT,
    FIG_SVG_PATH,
    FIG_SVG_TEXT,
    FIG_SVG_TSPAN,
    FIG_SVG_ELEMENTS,
} FigSvgElement;

extern const char *const fig_svg_element[FIG_SVG_ELEMENTS]; /* their names */

typedef struct FigSvgReader {
    FigSvg *svg;
    XML_Parser parser;
    FigSvgItem *at; /* the group or text that is open */
    FigSvgElement open[FIG_LIMIT_DEPTH];
    FigSvgLook look[FIG_LIMIT_DEPTH]; /* inherited by what is inside */
    bool spaced[FIG_LIMIT_DEPTH];     /* … and whether spaces are kept */
    int depth;
    int elements;
    unsigned spaces;     /* of an editor, that the root declares */
    int skip;            /* > 0: so deep inside an element that is not looked at */
    bool editors;        /* … which is an editor's, not foreign */
    GString *characters; /* of title, desc, metadata, style or the span that is open */
    GArray *spans;       /* FigSvgSpan, of the text that is open */
    FigSvgSpan span;     /* that is open */
    bool span_spaced;    /* … keeps its spaces */
    bool squeezed;       /* a span that does not was named */
    bool rounds; /* letters may be moved to pixels: the root does not say otherwise */
    double text_x, text_y; /* of the text that is open */
    const char *figure;    /* the id of the whole, NULL: none */
    GHashTable *ids;       /* all that were read */
    GHashTable *dark; /* "fill=\"#fff\"" to its colour on a dark page; empty: none */
    bool carries;     /* a <metadata> was read */
    int styled;       /* the line of the first style="…", 0: none */
    double level;     /* y of what comes next in it */
    char *failure;    /* why reading stopped */
} FigSvgReader;

int fig_svg_line(FigSvgReader *r);

/* Keep a finding at this line: what no writer of ours emits. */
void fig_svg_foreign(FigSvgReader *r, const char *format, ...) G_GNUC_PRINTF(2, 3);
/* … an attribute that an element cannot have, or not in that form. */
void fig_svg_unknown(FigSvgReader *r, FigSvgElement element, const char *name,
                     const char *value);

/* The value of an attribute, or NULL. owns: expat */
const char *fig_svg_attribute(const char **attributes, const char *name);

/* ---- the figure as a whole: svg-document.c ---- */

void fig_svg_start(FigSvgReader *r, const char **attributes);
void fig_svg_start_metadata(FigSvgReader *r, const char **attributes);

/* Hold the id of an element to what it stands for. */
void fig_svg_prove_id(FigSvgReader *r, FigSvgElement parent, FigSvgElement element,
                      const char **attributes);

/* Does every rule for a dark page speak of this figure and of nothing else? */
bool fig_svg_speaks_of_figure(FigSvgReader *r, const char *style);

/* Keep the rules of a style that is known; it must stand before what it colours. */
void fig_svg_keep_dark(FigSvgReader *r, const char *style);
/* The colour that an attribute gives on a dark page: that of the rule which has it letter
 * by letter. owns: the figure; NULL: no rule has it */
const char *fig_svg_dark(FigSvgReader *r, const char *name, const char *value);

/* ---- what is drawn: svg-shapes.c ---- */

void fig_svg_start_group(FigSvgReader *r, const char **attributes);
void fig_svg_end_group(FigSvgReader *r);
void fig_svg_start_rect(FigSvgReader *r, const char **attributes);
void fig_svg_start_path(FigSvgReader *r, const char **attributes);
/* A text, or a span of one. */
void fig_svg_start_text(FigSvgReader *r, FigSvgElement element,
                        const char **attributes);
void fig_svg_end_span(FigSvgReader *r);
void fig_svg_end_text(FigSvgReader *r);

#endif
