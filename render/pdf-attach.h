/* SPDX-License-Identifier: MIT
 *
 * The spec goes with the PDF as an attachment.
 */
#ifndef FIG_RENDER_PDF_ATTACH_H
#define FIG_RENDER_PDF_ATTACH_H

#include "layouts/scene.h"

/* Append an update to a PDF that cairo wrote: the scene's spec as an embedded file that
 * viewers list and save. A PDF of another make is left as it is; false. */
bool fig_pdf_attach(GString *pdf, const FigScene *scene);

#endif
