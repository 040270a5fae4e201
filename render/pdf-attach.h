/* SPDX-License-Identifier: MIT
 *
 * What goes with the PDF besides its picture: the spec as an attachment, the description.
 */
#ifndef FIG_RENDER_PDF_ATTACH_H
#define FIG_RENDER_PDF_ATTACH_H

#include "layouts/scene.h"

/* Append an update to a PDF that cairo wrote: the scene's spec, if any, as an embedded file
 * that viewers list and save; title, author and description as XMP; the language and that
 * a window shows the title. A PDF of another make is left as it is; false. */
bool fig_pdf_attach(GString *pdf, const FigScene *scene);

#endif
