/* SPDX-License-Identifier: MIT
 *
 * Tensors of files as the numbers of a run.
 */
#ifndef FIG_EXEC_TENSOR_COPY_H
#define FIG_EXEC_TENSOR_COPY_H

#include "exec/safetensors.h"

/* Copy a tensor of real numbers into a view, float or double, of the same sizes, or of
 * swapped last two axes where it is `turned`; the view may be strided. */
void fig_file_tensor_copy(const FigFileTensor *tensor, bool turned,
                          const FigView *view);

#endif
