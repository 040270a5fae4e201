/* SPDX-License-Identifier: MIT
 *
 * A finished figure read back and proved against a record: strictly (anything our writer
 * does not emit is a finding), on geometry and text; data-* attributes are hints, and one
 * that disagrees is a finding.
 */
#ifndef FIG_CHECK_FIGURE_H
#define FIG_CHECK_FIGURE_H

#include "exec/record.h"
#include "layouts/scene.h"

/* Something that does not hold. */
typedef struct FigFinding {
    /* "edge", "mark", "shape", "label", "class", "number", "foreign", … */
    const char *kind;
    int line;         /* in the file, 0: none */
    const char *says; /* what the figure says */
    const char *did;  /* what the run did */
} FigFinding;

/* What the pixels of a figure were compared with. */
typedef enum FigPixelsHow {
    FIG_PIXELS_UNASKED,
    FIG_PIXELS_BYTES,  /* they are those of a fresh drawing, since the bytes are */
    FIG_PIXELS_RASTER, /* with those of a fresh drawing, both drawn by librsvg */
    FIG_PIXELS_NOT,    /* with nothing */
} FigPixelsHow;

typedef struct FigPixels {
    FigPixelsHow how;
    const char *why; /* … with nothing */
    const char *by;  /* "librsvg 2.54.7" */
    double scale;    /* pixels a point */
    int worst;       /* the largest difference of a channel, of 255 */
} FigPixels;

typedef struct FigFigureReport {
    FigArena *arena;
    int n_findings;
    const FigFinding *findings;
    int ops, ops_found; /* of the record; with exactly one mark */
    int edges, edges_found;
    int weights, weights_named;
    int shapes, labels, numbers, claims; /* proved */
    /* what it was drawn with that is not what is here (check/versions.h); NULL: nothing */
    const char *differ;
    /* … and what was therefore not compared with a fresh drawing; NULL: nothing, each mark
     * is as it is drawn here, or there is a finding */
    const char *not_compared;
    FigPixels pixels;
} FigFigureReport;

/* What a figure carries.
 *
 * owns     arena
 */
typedef struct FigCarried {
    const char *spec_name;
    const char *spec_text; /* NULL: carries none */
    const char *options;
    const char *digest;
    const char *version;  /* of opfig */
    const char *fonts;    /* fig_fonts_word; NULL: not said */
    const char *cairo;    /* of what drew a PDF or PNG; NULL: not said */
    const char *freetype; /* … a PNG */
} FigCarried;

typedef struct FigSvg FigSvg; /* a figure as read */

/* Read an SVG.
 *
 * owns     the caller; free with fig_svg_free
 * errors   not readable as XML (place in the message), over a limit; NULL
 */
FigSvg *fig_svg_read(const char *name, const char *text, size_t length, GError **error);
void fig_svg_free(FigSvg *svg);

const FigCarried *fig_svg_carried(const FigSvg *svg);

/* What figures are held against: a record, the texts of its computed numbers (number, the
 * caller's, may be NULL), and the scene that is drawn of it now (may be NULL: then marks,
 * edges and texts are proved and nothing else). Made once for many figures.
 *
 * owns     the caller; free with fig_truth_free. record and fresh must outlive it
 */
typedef char *(*FigNumberText)(const char *expr, void *data);
typedef struct FigTruth FigTruth;
FigTruth *fig_truth_new(const FigRecord *record, const FigScene *fresh,
                        FigNumberText number, void *data);
void fig_truth_free(FigTruth *truth);

/* Prove a figure.
 *
 * owns     the caller; free with fig_figure_report_free
 */
FigFigureReport *fig_figure_check(const FigSvg *svg, FigTruth *truth);

/* Compare the pixels of a proved figure with those of the fresh drawing, and add what
 * differs to its report. Where anything was found before nothing is compared: that is why
 * the picture differs, and what our reader does not know may take librsvg for ever.
 *
 * bytes    that svg was read from
 */
void fig_figure_pixels(FigFigureReport *report, const FigSvg *svg, FigTruth *truth,
                       const char *bytes, size_t length);
void fig_figure_report_free(FigFigureReport *report);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(FigTruth, fig_truth_free)

#endif
