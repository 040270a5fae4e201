/* SPDX-License-Identifier: MIT
 *
 * Two SVGs drawn by librsvg and compared pixel by pixel. Both are drawn at the same scale
 * and with the same fonts, those given and no others; neither may load a file.
 */
#ifndef FIG_CHECK_RASTER_H
#define FIG_CHECK_RASTER_H

#include "check/svg.h"

typedef struct FigRasterFile {
    const char *bytes;
    size_t length;
} FigRasterFile;

/* Where two pictures differ. */
typedef struct FigRasterPlace {
    FigBounds bounds; /* points */
    int worst;        /* of 255: the largest difference of a channel there */
} FigRasterPlace;

typedef struct FigRaster {
    const char *by; /* "librsvg 2.54.7" */
    double scale;   /* pixels a point */
    int worst;      /* of 255, also where it is tolerated */
    int n_places;
    const FigRasterPlace *places; /* from top to bottom */
} FigRaster;

typedef enum FigRasterError {
    FIG_RASTER_NO_LIBRARY,
    FIG_RASTER_TOO_LARGE, /* a page */
    FIG_RASTER_FRESH,     /* that librsvg refuses, or cannot draw */
    FIG_RASTER_SEEN,      /* … */
} FigRasterError;

#define FIG_RASTER_ERROR fig_raster_error_quark()
GQuark fig_raster_error_quark(void);

/* Draw both files on a page of width by height and compare. fonts: paths of font files,
 * NULL at the end.
 *
 * units    points
 * owns     arena holds what raster points to
 * errors   of FIG_RASTER_ERROR; false
 */
bool fig_raster_compare(const FigRasterFile *seen, const FigRasterFile *fresh,
                        double width, double height, const char *const *fonts,
                        FigArena *arena, FigRaster *raster, GError **error);

#endif
